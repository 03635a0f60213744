#!/usr/bin/env python3
"""world = "host": the whole machine read-only, with places of its own, and nothing made on the host for it.

    host_world_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import guarantees_test as minimal  # noqa: E402
import host as fixture  # noqa: E402
import leftovers  # noqa: E402
import machine  # noqa: E402
import product  # noqa: E402

PROFILE = """extends = "balanced"
[filesystem]
world = "host"
mask = ["~/.ssh", "~/.aws/credentials", "~/absent"]
"""
MODES = [(net, fs) for net in ("on", "off") for fs in ("rw", "ro")]


# Other suites add and remove users meanwhile.
USERS = ("passwd", "group", "shadow", "gshadow", "subuid", "subgid")


def write_profile(host, name="whole", text=PROFILE):
    directory = os.path.join(host.home, ".config/paddock/profiles")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, name + ".toml"), "w") as file:
        file.write(text)
    host.runner.who.own(host.home)


def look(host, runner, net, fs):
    probe = [runner.probe]
    probe += ["exists=" + path for path in (*host.secrets, os.path.join(host.other, "notes.txt"), host.temporary, "/etc/passwd", "/usr/bin/env", host.home)]
    probe += ["list=" + path for path in ("/", "/tmp", "/var/tmp", "/run", "/dev", "/dev/pts", "/dev/shm", "/home", host.home, os.path.join(host.home, ".ssh"), os.path.join(host.home, ".config/paddock"))]
    probe += ["write=" + path for path in (host.project, os.path.join(host.project, "file.txt"), "/tmp", "/var/tmp", "/dev/shm", "/", "/etc", "/usr/bin", "/opt", "/home", host.home, host.other,
                                           os.path.join(host.other, "notes.txt"), runner.programs, os.path.join(host.project, ".git/config"), "/sys/kernel/mm/ksm/run", "/sys/power/state", *minimal.TUNABLES)]
    probe += ["connect=" + path for path in host.sockets] + ["abstract=" + host.abstract_name, "tcp=%d" % host.tcp, "pid=%d" % host.bystander]
    done = runner.run("--profile", "whole", "--net", net, "--fs", fs, "--env", "PASSED=by value", "--env", "NAMED", "--", *probe, cwd=os.path.join(host.project, "src"),
                      env={"NAMED": "by name", "LC_TIME": "C", **minimal.HOSTILE_ENVIRONMENT})
    return done, json.loads(done.text) if done.code == 0 else None


def check_files(check, seen, host, runner, fs):
    masked = [path for path in host.secrets if "/.ssh/" in path or path.endswith(".aws/credentials")]
    for path, facts in seen["paths"].items():
        name = os.path.relpath(path, host.home)
        if path in masked or path == host.temporary:
            check.check(host.canary not in facts["start"], "hidden: " + name, facts)
        elif path.startswith(host.home) and path != host.home:
            check.check(host.canary in facts["start"], "everything else is readable: " + name, facts)
    check.check(seen["paths"]["/etc/passwd"]["readable"], "the machine is readable")
    listing = seen["listing"]
    for path in ("/tmp", "/var/tmp", "/dev/shm", os.path.join(host.home, ".ssh"), os.path.join(host.home, ".config/paddock")):
        check.equal(listing[path], [], "empty: " + os.path.relpath(path, host.home))
    check.equal(sorted(listing["/"]), sorted(os.listdir("/")), "the root is the host's")
    check.check("work" in listing[host.home], "home is the host's", listing[host.home])
    check.check(set(listing["/dev/pts"]) <= {"ptmx"}, "its own devpts", listing["/dev/pts"])
    writes = seen["writes"]
    for path in (host.project, os.path.join(host.project, "file.txt")):
        check.check((writes[path] == "") == (fs == "rw"), "the workspace is " + fs, (path, writes[path]))
    for path in ("/tmp", "/var/tmp", "/dev/shm"):
        check.equal(writes[path], "", "writable: " + path)
    for path in writes:
        if path not in ("/tmp", "/var/tmp", "/dev/shm", host.project, os.path.join(host.project, "file.txt")):
            check.check(writes[path] != "", "not writable: " + path)
    check.equal(seen["cwd"], os.path.join(host.project, "src"), "the directory is kept")


def in_view(mounts):
    """Without those that a later one covers: what was mounted twice on the host, or lies below a place that was replaced."""
    return [mount for at, mount in enumerate(mounts)
            if not any(mount["target"] == later["target"] or mount["target"].startswith(later["target"].rstrip("/") + "/") for later in mounts[at + 1:] if later["target"] != "/")]


def check_mounts(check, seen):
    by_target = {mount["target"]: mount for mount in seen["mounts"]}
    check.check("ro" in by_target["/"]["options"].split(","), "the root is read-only", by_target["/"])
    own = ("/tmp", "/var/tmp", "/dev", "/run", "/proc")
    for mount in in_view(seen["mounts"]):
        options = mount["options"].split(",")
        is_own = any(mount["target"] == place or mount["target"].startswith(place + "/") for place in own) or "/project" in mount["target"]
        check.check("ro" in options or is_own, "read-only: " + mount["target"], mount)
        check.check("nosuid" in options, "nosuid: " + mount["target"], mount)


def check_mode(report, host, runner, net, fs):
    check = minimal.Named(report, "%s host world net=%s fs=%s" % (runner.who.label, net, fs))
    if not report.wants(check.prefix):
        return
    outside = [path for path in (host.home, "/etc")]
    before = [leftovers.tree(path) for path in outside]
    done, seen = look(host, runner, net, fs)
    if not check.equal(done.code, 0, "starts", done):
        return
    check.check("world_host" in done.words and "host_sockets_hidden" in done.words, "what it gives up is said", done)
    mode = ("balanced", net, fs)
    minimal.check_process(check, seen, runner, mode)
    minimal.check_reach(check, seen, host, mode)
    minimal.check_nesting(check, seen, runner, mode)
    minimal.check_environment(check, seen, host, mode)
    check_files(check, seen, host, runner, fs)
    check_mounts(check, seen)
    for path, tree in zip(outside, before):
        after = {name: facts for name, facts in leftovers.tree(path).items() if ".local" not in name}
        tree = {name: facts for name, facts in tree.items() if ".local" not in name}
        for database in [name for name in {*after, *tree} if name.rstrip("-").split(".")[0].rstrip("+") in USERS or name.endswith(".lock")]:
            after.pop(database, None), tree.pop(database, None)
        check.check(tree == after, "nothing is made on the host: " + os.path.basename(path), leftovers.difference(tree, after))


def check_agent(report, host, runner):
    """An agent without its state directory: not made, and said."""
    check = minimal.Named(report, "%s host world agent" % runner.who.label)
    agent = os.path.join(host.home, "bin/claude")
    os.makedirs(os.path.dirname(agent), exist_ok=True)
    with open(agent, "w") as file:
        file.write("#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho ran; touch ~/.claude/x ~/.x; ls -d ~/.claude\n")
    os.chmod(agent, 0o755)
    runner.who.own(host.home)
    done = runner.run("--profile", "whole", "claude", cwd=host.project, env={"PATH": os.path.dirname(agent) + ":" + product.PATH})
    check.check(done.text.startswith("ran"), "it runs", done)
    check.check(not os.path.exists(os.path.join(host.home, ".claude")) and not os.path.exists(os.path.join(host.home, ".x")), "no state directory was made", done)


def check_later_socket(report, host, runner):
    """THREATS 20: what is bound after the start is reachable. Known, and said at every start."""
    script = "import socket, time, os\nwhile not os.path.exists(%r): time.sleep(0.05)\nsocket.socket(socket.AF_UNIX).connect(%r); print('reached')"
    place = os.path.join(host.other, "later")
    child = runner.start(runner.argv("--profile", "whole", "--", "/usr/bin/python3", "-c", script % (place, place)), cwd=host.project, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(1.5)
    server = socket.socket(socket.AF_UNIX)
    server.bind(place)
    os.chmod(place, 0o777)
    server.listen(4)
    out, err = child.communicate(timeout=60)
    report.check(b"reached" in out and b"host_sockets_hidden" in err, "%s host world: a later socket is reachable, as documented" % runner.who.label, (out, err[-600:]))
    server.close()
    os.unlink(place)


def check_later_mount(report, host, runner):
    """What the host mounts during the run arrives writable, and Landlock keeps it from being written. Real root's sandboxes see
    trees of their own, in which it does not arrive."""
    name = "%s host world: a file system that is mounted during the run" % runner.who.label
    if os.getuid() != 0 or machine.landlock_abi() < 1:
        return report.skip(name, "needs root to mount, and Landlock")
    place = tempfile.mkdtemp(prefix="pdk-", dir=runner.who.base)
    os.chmod(place, 0o777)
    script = "for i in $(seq %d); do grep -q pdk-later /proc/self/mountinfo && break; sleep 0.1; done; sleep 2; ls %s; echo x > %s/new && echo WROTE; echo x > %s/old && echo WROTE; true" % (60 if runner.who.is_root else 600, place, place, place)
    argv = runner.argv("--profile", "whole", "--", "sh", "-c", script)
    # In a mount namespace of our own whose root is shared, as systemd makes it.
    switch = "setpriv --reuid %d --regid %d --clear-groups --" % (runner.who.uid, runner.who.gid) if not runner.who.is_root else ""
    driver = """set -e; mount --make-rshared /; %s "$@" & child=$!; sleep 2; mount -t tmpfs -o mode=0777 pdk-later %s; touch %s/old; chmod 666 %s/old; wait $child""" % (switch, place, place, place)
    done = subprocess.run(["unshare", "-m", "--propagation", "private", "sh", "-c", driver, "sh", *argv], cwd=host.project, env=runner.environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    report.check(done.returncode == 0 and (b"old" in done.stdout) != runner.who.is_root and b"WROTE" not in done.stdout, name + " cannot be written", (done.stdout, done.stderr[-1000:]))
    os.rmdir(place)


def check_required(report, host, runner):
    write_profile(host, "needs", PROFILE + '[isolation]\nrequire = ["host_sockets_hidden"]\n')
    done = runner.sh("echo RAN", "--profile", "needs", cwd=host.project)
    report.check(done.code == 125 and not done.out and "host_sockets_hidden" in done.words, "%s host world: required hidden sockets are refused" % runner.who.label, done)
    write_profile(host, "nested", PROFILE + '[process]\nnested = "full"\n')
    done = runner.sh("echo RAN", "--profile", "nested", cwd=host.project)
    report.check(runner.who.is_root or done.code == 125 and not done.out, "%s host world: not without Landlock" % runner.who.label, done)


def body(runner, report):
    mounts = leftovers.mounts()
    with fixture.host(runner) as host:
        write_profile(host)
        for net, fs in MODES:
            check_mode(report, host, runner, net, fs)
        for check in (check_agent, check_later_socket, check_later_mount, check_required):
            if report.wants(check.__name__):
                check(report, host, runner)
        left = leftovers.processes_gone(but={host.bystander})
        report.check(not left, "%s: no process is left" % runner.who.label, leftovers.describe(left))
        leftovers.end(left)
    report.equal(leftovers.mounts(), mounts, "%s: no mount is left" % runner.who.label)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
