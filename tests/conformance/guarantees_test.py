#!/usr/bin/env python3
"""What the probe sees inside, against what each profile promises: every profile, network and access, as every identity.

    guarantees_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import host as fixture  # noqa: E402
import leftovers  # noqa: E402
import machine  # noqa: E402
import product  # noqa: E402

MODES = [(profile, net, fs) for profile in ("strict", "balanced", "dev") for net in ("on", "off") for fs in ("rw", "ro")]
# What a minimal environment may hold beyond what was passed by name (DESIGN §3).
MINIMAL = {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "LANG", "TZ", "IS_SANDBOX", "PADDOCK_SESSION", "PWD",
           "TMPDIR", "XDG_RUNTIME_DIR"}
HOSTILE_ENVIRONMENT = {
    "LD_PRELOAD": "/nonexistent.so", "BASH_ENV": "/tmp/x", "ENV": "/tmp/x", "GIT_DIR": "/tmp/x", "GITHUB_TOKEN": "t", "MY_SECRET": "s",
    "DB_PASSWORD": "p", "API_KEY": "k", "SSH_AUTH_SOCK": "/tmp/x", "DBUS_SESSION_BUS_ADDRESS": "unix:/tmp/x", "XAUTHORITY": "/tmp/x",
    "WAYLAND_DISPLAY": "w", "TMUX_SOCK": "/tmp/x"}
TUNABLES = ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger", "/proc/irq/default_smp_affinity"]


def visible_secrets(host, runner):
    return [*host.secrets, os.path.join(host.other, "notes.txt"), host.other, host.others_file, host.temporary, "/etc/shadow", "/etc/sudoers",
            "/root/.bashrc", "/run/systemd", "/run/user/0", "/dev/shm/" + host.memory, *host.sockets]


def look(host, runner, profile, net, fs):
    words = ["--profile", profile, "--net", net, "--fs", fs, "--env", "PASSED=by value", "--env", "NAMED"]
    probe = [runner.probe]
    probe += ["exists=" + path for path in visible_secrets(host, runner)] + ["exists=/dev/null"]
    probe += ["list=" + path for path in ("/", "/tmp", "/run", "/home", "/dev", "/dev/pts", "/dev/shm", "/var", host.home, host.project, "/sys")]
    probe += ["write=" + path for path in (host.project, os.path.join(host.project, "file.txt"), "/tmp", "/dev/shm", host.home, "/", "/etc", "/usr/bin",
                                           "/var/tmp", "/opt", runner.programs, os.path.join(host.project, ".git/config"), *TUNABLES)]
    probe += ["connect=" + path for path in host.sockets] + ["abstract=" + host.abstract_name, "tcp=%d" % host.tcp, "pid=%d" % host.bystander]
    done = runner.run(*words, "--", *probe, cwd=os.path.join(host.project, "src"),
                      env={"NAMED": "by name", "NOT_NAMED": "no", "LC_TIME": "C", **HOSTILE_ENVIRONMENT})
    return done, json.loads(done.text) if done.code == 0 else None


def own_namespace(seen, kind):
    return seen["namespaces"][kind] != os.readlink("/proc/self/ns/" + kind)


def check_process(check, seen, runner, mode):
    for name, value in seen["capabilities"].items():
        check.equal(value, 0, "no capability is " + name)
    check.equal(seen["no_new_privileges"], 1, "no new privileges")
    check.equal(seen["seccomp"], 2, "the call filter is on")
    for kind in ("user", "pid", "ipc", "uts", "mnt", "cgroup"):
        check.check(own_namespace(seen, kind), "a %s namespace of its own" % kind)
    check.equal(own_namespace(seen, "net"), mode[1] == "off", "a net namespace of its own exactly with the network off")
    who = runner.who
    check.equal((seen["uid"], seen["euid"], seen["gid"]), (1000, 1000, 1000) if who.is_root else (who.uid, who.uid, who.gid), "uid and gid")
    check.check(all(group in (seen["gid"], 65534) for group in seen["groups"]), "no supplementary group", seen["groups"])
    check.equal([int(word) for word in seen["uid_map"].split()][2:], [1], "one uid is mapped")
    check.check(seen["pid"] != 1 and all(pid < 32 for pid in seen["pids"]), "only its own processes are visible", seen["pids"])
    check.equal(sorted(seen["descriptors"], key=int), ["0", "1", "2"], "no other descriptor", seen["descriptors"])
    check.equal(seen["kill"], {str(k): "ESRCH" for k in seen["kill"]}, "host processes cannot be named")
    check.check(seen["limits"]["core"][1] in (0, 1), "no core files", seen["limits"])


def check_files(check, seen, host, runner, mode):
    profile, net, fs = mode
    for path, facts in seen["paths"].items():
        if path != "/dev/null":
            check.check(host.canary not in facts["start"] and not (facts["readable"] and path not in ("/run/user/0",)), "hidden: " + os.path.basename(path), (path, facts))
    listing = seen["listing"]
    check.equal(listing["/tmp"], [], "/tmp is private and empty")
    check.equal(listing["/dev/shm"], [], "/dev/shm is private and empty")
    check.check(not set(listing["/dev"]) - {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "fd", "stdin", "stdout", "stderr", "core", "console"},
                "only the usual devices", listing["/dev"])
    check.check(set(listing["/dev/pts"]) <= {"ptmx"}, "its own, empty devpts", listing["/dev/pts"])
    check.check(not any(name.startswith(".ssh") or name.startswith(".aws") for name in listing[host.home] or []), "home lists no secret", listing[host.home])
    check.check("other" not in (listing.get(host.home) or []), "home lists no other project")
    check.check(not set(listing["/"]) & {"boot", "mnt", "media", "srv", "lost+found"}, "nothing of the host's root", listing["/"])
    check.check(set(listing["/run"] or []) <= {"user"}, "/run is empty but for its own", listing["/run"])
    writes = seen["writes"]
    for path in (host.project, os.path.join(host.project, "file.txt")):
        check.check((writes[path] == "") == (fs == "rw"), "the workspace is %s" % fs, (path, writes[path]))
    for path in ("/tmp", "/dev/shm", host.home, "/var/tmp"):
        check.equal(writes[path], "", "writable: " + path.replace(host.home, "home"))
    for path in ("/", "/etc", "/usr/bin", "/opt", runner.programs, os.path.join(host.project, ".git/config"), *TUNABLES):
        check.check(writes[path] != "", "not writable: " + os.path.basename(path), path)
    check.equal(seen["cwd"], os.path.join(host.project, "src"), "the directory is kept")
    check.check(":%d:%d:" % (seen["uid"], seen["gid"]) in seen["passwd"], "the user database knows the user", seen["passwd"])
    check.check(":%s:" % host.home in seen["passwd"] and seen["environment"]["HOME"] == host.home, "the user database and HOME agree", seen["passwd"])


def check_mounts(check, seen):
    by_target = {mount["target"]: mount for mount in seen["mounts"]}
    for path in ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"):
        if os.path.exists(path):
            check.check(path in by_target and "ro" in by_target[path]["options"].split(","), "a read-only mount: " + path, by_target.get(path))
    check.check("ro" in by_target["/"]["options"].split(","), "the root is read-only", by_target["/"])
    check.equal(by_target.get("/dev/pts", {}).get("type"), "devpts", "a devpts of its own")
    check.check(not any(mount["type"] in ("sysfs", "cgroup", "cgroup2", "debugfs") for mount in seen["mounts"]), "no kernel control file systems",
                [mount for mount in seen["mounts"] if mount["type"] in ("sysfs", "cgroup", "cgroup2")])
    check.check(all("nosuid" in mount["options"].split(",") for mount in seen["mounts"]), "every mount is nosuid",
                [mount for mount in seen["mounts"] if "nosuid" not in mount["options"].split(",")])


def check_reach(check, seen, host, mode):
    profile, net, fs = mode
    check.check(all(error != "" for error in seen["sockets"].values()), "no socket of the host by path", seen["sockets"])
    hidden = net == "off" or machine.landlock_abi() >= 6
    check.equal([error != "" for error in seen["abstract"].values()], [hidden], "abstract sockets are hidden", seen["abstract"])
    check.equal([error == "" for error in seen["tcp"].values()], [net == "on"], "loopback of the host exactly with the network on", seen["tcp"])
    families = seen["families"]
    for name in ("unix", "inet", "inet6", "netlink-route"):
        check.equal(families[name], "", "family works: " + name)
    for name in ("netlink-netfilter", "packet", "vsock", "alg", "bluetooth", "raw"):
        check.check(families[name] != "", "family refused: " + name, families[name])
    for name, error in seen["calls"].items():
        wanted = {"keyctl": "EPERM", "bpf": "EPERM", "io_uring_setup": "ENOSYS", "clone3": "ENOSYS", "mount": "EPERM", "ptrace-traceme": ""}[name]
        check.equal(error, wanted, "call: " + name)


def check_nesting(check, seen, runner, mode):
    browser = mode[0] != "strict" and not runner.who.is_root
    for name, error in seen["nesting"].items():
        allowed = browser and name in ("user", "user+pid", "user+net")
        check.equal(error == "", allowed, "nested namespaces as the profile says: " + name, error)


def check_environment(check, seen, host, mode):
    environment = seen["environment"]
    check.equal((environment.get("PASSED"), environment.get("NAMED")), ("by value", "by name"), "variables that were passed")
    check.check(not set(environment) & set(HOSTILE_ENVIRONMENT), "dangerous variables are dropped", set(environment) & set(HOSTILE_ENVIRONMENT))
    check.equal(environment.get("IS_SANDBOX"), "1", "IS_SANDBOX")
    check.equal(environment.get("LC_TIME"), "C", "LC_* is kept")
    if mode[0] != "dev":
        more = {name for name in environment if name not in MINIMAL and not name.startswith("LC_") and name not in ("PASSED", "NAMED")}
        # Paddock's own corrections of git's configuration.
        more = {name for name in more if not name.startswith("GIT_CONFIG_")}
        check.equal(more, set(), "nothing else in the environment")
    for entry in environment["PATH"].split(":"):
        check.check(entry.startswith("/"), "PATH is absolute", environment["PATH"])
    check.check(host.canary not in json.dumps(environment), "no secret in the environment")


class Named:
    """A report whose checks begin with where they were made."""

    def __init__(self, report, prefix):
        self.report, self.prefix = report, prefix

    def check(self, holds, name, detail=""):
        return self.report.check(holds, "%s: %s" % (self.prefix, name), detail)

    def equal(self, found, wanted, name, detail=""):
        return self.report.equal(found, wanted, "%s: %s" % (self.prefix, name), detail)


def check_mode(report, host, runner, mode):
    check = Named(report, "%s %s net=%s fs=%s" % (runner.who.label, *mode))
    if not report.wants(check.prefix):
        return
    before = leftovers.tree(host.project)
    done, seen = look(host, runner, *mode)
    if mode[0] == "strict" and mode[1] == "on" and machine.landlock_abi() < 6:
        check.equal(done.code, 125, "strict refuses what it cannot hide", done)
        return
    if not check.equal(done.code, 0, "starts", done):
        return
    check_process(check, seen, runner, mode)
    check_files(check, seen, host, runner, mode)
    check_mounts(check, seen)
    check_reach(check, seen, host, mode)
    check_nesting(check, seen, runner, mode)
    check_environment(check, seen, host, mode)
    after = leftovers.tree(host.project)
    check.check(before == after, "the project is as it was", leftovers.difference(before, after))


def body(runner, report):
    mounts = leftovers.mounts()
    with fixture.host(runner) as host:
        for mode in MODES:
            check_mode(report, host, runner, mode)
        left = leftovers.processes_gone(but={host.bystander})
        report.check(not left, "%s: no process is left" % runner.who.label, leftovers.describe(left))
        leftovers.end(left)
    report.equal(leftovers.mounts(), mounts, "%s: no mount is left" % runner.who.label)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
