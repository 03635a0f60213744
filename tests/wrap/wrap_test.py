#!/usr/bin/env python3
"""What a wrapped command may do and hands back, started from nothing: no variable, no descriptor, another directory.

    wrap_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True

import harness  # noqa: E402
import leftovers  # noqa: E402
import machine  # noqa: E402

MIB = 1 << 20
ODD = ["", " ", "a b", "'", '"', "\\", "$HOME", "`id`", "a\nb", "\n", "\t\r\x1b[31m\x7f", "--", "-n", "*", "~", "é\u202e漢", "%s", "x=y", "a" * 100_000]


def exit_codes(h):
    for code in (0, 1, 7, 124, 125, 126, 127, 128, 255):
        done = h.sh("exit %d" % code)
        h.equal((done.code, done.out, done.err), (code, b"", b""), "exit code %d, and not a byte of ours" % code, done)
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGUSR1):
        h.equal(h.sh("kill -%d $$" % number).code, 128 + number, "ended by signal %d" % number)


def words_are_verbatim(h):
    done = h.run("printf", "%s\\0", *ODD)
    h.equal(done.out.decode(errors="replace").split("\0")[:-1], ODD, "every word arrives as it was", done)
    reply = h.wrap("printf", "%s", *ODD)
    h.equal(reply["argv"][reply["argv"].index("--") + 1:], ["printf", "%s", *ODD], "and stands so in the argument vector")
    h.equal(reply["argv"][0], h.runner.paddock, "which begins with our own program")


def streams_are_exact(h):
    data = os.urandom(MIB) + b"\0\n\r\xff"
    done = h.sh("cat > $TMPDIR/data; cat $TMPDIR/data; cat $TMPDIR/data >&2", input=data)
    for name, found in (("stdout", done.out), ("stderr", done.err)):
        h.equal(hashlib.sha256(found).digest(), hashlib.sha256(data).digest(), "%s is byte-exact" % name)
    h.equal(h.sh("cat; echo end").out, b"end\n", "a closed input ends")


def odd_paths(h):
    for name in ("a b", "it's", 'say "x"', "new\nline", "$HOME `id` \\", "*?[x]", "[ab]", "é\u202e", "-n", "~", "a\tb\x1b[31m"):
        place = os.path.join(h.runner.home, "odd", name)
        for part in ("in", "masked"):
            os.makedirs(os.path.join(place, part), exist_ok=True)
        with open(os.path.join(place, "masked/key"), "w") as file:
            file.write("HIDDEN")
        h.runner.who.own(h.runner.home)
        done = h.sh("pwd; echo x > made && cat made; cat ../masked/key; ls -a ../masked", cwd=os.path.join(place, "in"), workspace_root=place, mask_paths=[os.path.join(place, "masked")])
        h.check(done.text.startswith(os.path.join(place, "in").encode().decode("latin1") + "\nx\n") and "HIDDEN" not in done.text, "a workspace called %r" % name, done)
        h.equal(os.listdir(os.path.join(place, "in")), ["made"], "and what was made is there")


def modes(h):
    outside = os.path.join(h.runner.home, "outside")
    os.makedirs(os.path.join(h.work, ".git/hooks"), exist_ok=True)
    h.write(".git/config", "[core]\n")
    h.write(os.path.join(h.runner.home, ".bashrc"), "# mine\n")
    script = "for f in %s/a %s/a %s %s/.bashrc /tmp/a /var/tmp/a /dev/shm/a $TMPDIR/a /etc/a /a /run/a .git/hooks/a .git/config; do (echo x >> $f) 2>/dev/null && echo $f; done"
    script %= (h.work, h.scratch, outside, h.runner.home)
    own = ["/tmp/a", "/var/tmp/a", "/dev/shm/a", "/tmp/a"]
    everywhere = [h.work + "/a", h.scratch + "/a"]
    for mode, roots, wanted in (("read-only", [], own), ("read-only", [h.scratch], own), ("workspace-write", [], everywhere[:1] + own), ("workspace-write", [h.scratch], everywhere + own)):
        done = h.sh(script, mode=mode, writable_roots=roots)
        found = [line for line in done.text.splitlines() if line not in ("/run/a",)]
        h.equal(sorted(found), sorted(wanted), "mode %s with %d roots" % (mode, len(roots)), done)
    for place in (outside, "/etc/a", "/a", "/tmp/a"):
        h.check(not os.path.exists(place), "nothing on the host at %s" % place)
    with open(os.path.join(h.work, ".git/config")) as file:
        h.equal(file.read(), "[core]\n", "what git runs is as it was")
    done = h.sh("cat ~/.bashrc /etc/passwd | wc -l; ls -d /usr /home /var /opt", mode="read-only")
    h.check(done.code == 0 and int(done.text.split()[0]) > 1, "everything can be read", done)


def unrestricted(h):
    outside = os.path.join(h.runner.home, "outside")
    request = h.request("sh", "-c", "pwd; echo $GIVEN $INHERITED; touch %s; kill -TERM $$" % outside, mode="unrestricted", network="all", environment={"GIVEN": "a b"})
    _, reply = h.ask(request)
    if not h.check(reply and reply["enforcement"] == "none" and reply["backend"] == "none" and reply["guarantees"] == [], "nothing is confined, and the reply says so", reply):
        return
    h.equal(reply["argv"][0], h.runner.paddock, "it is started by us all the same")
    done = h.start(reply, env={"INHERITED": "yes"})
    h.equal((done.out.decode(), done.code), ("%s\na b yes\n" % h.work, -signal.SIGTERM), "in its directory, with its variables, as itself", done)
    h.check(os.path.exists(outside), "it writes where the user may")
    os.unlink(outside)
    # What is asked beside it has to be held; real root's sandbox would need an idmapped view of all of the machine.
    _, reply = h.ask(h.request("sh", "-c", "touch %s; cat /proc/net/dev" % outside, mode="unrestricted", network="none"))
    if h.runner.who.is_root:
        h.check(reply and reply["error"] and reply["error"]["kind"] == "unsupported" and reply["error"]["backends"], "unrestricted without a network: refused with the reason", reply)
    elif h.check(reply and reply["error"] is None and reply["enforcement"] == "full" and "network_none" in reply["guarantees"], "unrestricted without a network", reply):
        done = h.start(reply)
        h.equal([line.split(":")[0].strip() for line in done.text.splitlines()[2:]], ["lo"], "has none", done)
        h.check(os.path.exists(outside), "and is unrestricted", done)
        os.unlink(outside)


def networks(h):
    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=lambda: [server.accept() for _ in range(4)], daemon=True).start()
    script = "import socket; socket.create_connection(('127.0.0.1', %d), 10); print('reached')" % server.getsockname()[1]
    h.equal(h.run("/usr/bin/python3", "-c", script, network="all").out, b"reached\n", "network all reaches the host")
    done = h.run("/usr/bin/python3", "-c", script, network="none")
    h.check(b"reached" not in done.out and done.code == 1, "network none does not", done)
    done, reply = h.ask(h.request("true", network="local"))
    h.check(done.code == 1 and reply and reply["error"] and reply["error"]["kind"] == "unsupported", "network local is refused", done)
    reasons = {backend["name"]: backend["reasons"] for backend in reply["error"]["backends"]}
    h.check({"bubblewrap", "native", "landlock", "docker", "podman"} <= set(reasons) and all(reasons.values()), "every backend is named with its reason", reply)
    h.check(any(reason["what"] == "network_local" for reason in reasons["bubblewrap"]), "the unmet part is named", reply)


def masks(h):
    h.write("secret/key", "HIDDEN\n")
    h.write("secret/sub/open", "SHOWN\n")
    h.write("one.pem", "HIDDEN\n")
    os.symlink("secret", os.path.join(h.work, "link"))
    outside = h.write(os.path.join(h.runner.home, "keys/id"), "HIDDEN\n")
    absent = os.path.join(h.work, "absent")
    hidden = [os.path.join(h.work, name) for name in ("link", "one.pem", "absent/deep")] + [os.path.dirname(outside)]
    for mode in ("read-only", "workspace-write"):
        done = h.sh("cat secret/key link/key one.pem %s; ls -a secret %s; echo x > one.pem; echo x > secret/new; mv secret other; rm -rf one.pem" % (outside, os.path.dirname(outside)),
                    mode=mode, mask_paths=hidden)
        h.check("HIDDEN" not in done.text, "mode %s: masked paths hold nothing" % mode, done)
        h.check(not os.path.exists(absent), "mode %s: an absent one is not made" % mode)
        for path in (os.path.join(h.work, "secret/key"), os.path.join(h.work, "one.pem"), outside):
            with open(path) as file:
                h.equal(file.read(), "HIDDEN\n", "mode %s: the host's is as it was" % mode)
    done = h.sh("cat secret/sub/open; cat secret/key", mask_paths=[os.path.join(h.work, "secret")], writable_roots=[os.path.join(h.work, "secret/sub")])
    h.check("SHOWN" in done.text and "HIDDEN" not in done.text, "a root inside a mask is shown", done)
    _, reply = h.ask(h.request("true", mask_paths=[h.work]))
    h.check(reply and reply["error"] and reply["error"]["kind"] == "unsupported", "a mask over the directory where it starts", reply)


def temporary_files(h):
    place = os.path.join(h.runner.who.base, "tmpdir")
    os.makedirs(place, exist_ok=True)
    os.chown(place, h.runner.who.uid, h.runner.who.gid)
    name = "pdk-wrap-%d" % os.getpid()
    script = "ls $TMPDIR /tmp | grep %s; echo $TMPDIR; touch /tmp/%s-made $TMPDIR/%s-made" % (name, name, name)
    files = [os.path.join(directory, name) for directory in ("/tmp", place)]
    for path in files:
        open(path, "w").close()
    for temp, environment, listed in (("private", {}, []), ("private", {"TMPDIR": place}, []), ("host", {"TMPDIR": place}, [name, name])):
        done = h.sh(script, temp=temp, environment=environment)
        h.equal(done.text.split("\n")[:-1], listed + [environment.get("TMPDIR", "/tmp")], "temp %s%s" % (temp, " with TMPDIR elsewhere" if environment else ""), done)
        made = [path + "-made" for path in files]
        h.equal([os.path.exists(path) for path in made], [temp == "host"] * 2, "temp %s: what is made there" % temp)
        for path in made:
            if os.path.exists(path):
                os.unlink(path)
    for path in files:
        os.unlink(path)


def environment(h):
    value = "SECRET value\n'\"$x"
    reply = h.wrap("env", "-0", environment={"GIVEN": value, "odd.name": "x", "LD_PRELOAD": ""})
    done = h.start(reply, env={**harness.NOTHING, "AT_START": "no", "LD_LIBRARY_PATH": "/nowhere"})
    found = dict(entry.split("=", 1) for entry in done.text.split("\0")[:-1])
    h.equal((found.get("GIVEN"), found.get("odd.name"), found.get("LD_PRELOAD")), (value, "x", ""), "what was given arrives")
    h.check("AT_START" not in found and "LD_LIBRARY_PATH" not in found, "nothing of the start's own", found)
    h.equal(found["HOME"], h.runner.home, "home is the user's")
    h.check("SECRET" not in json.dumps(reply), "the reply holds no value")
    holding = []
    for directory, _, files in os.walk(h.runner.home):
        for name in files:
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                if b"SECRET value" in file.read():
                    holding.append(path)
    h.equal(holding, [reply["argv"][4]], "one file holds it")
    h.equal((os.stat(holding[0]).st_mode & 0o777, os.stat(os.path.dirname(holding[0])).st_mode & 0o777), (0o600, 0o700), "that only its owner can read")
    child = h.runner.start(h.wrap("sleep", "30", environment={"GIVEN": value})["argv"], env=harness.NOTHING)
    time.sleep(0.5)
    shown = subprocess.run(["ps", "axeww", "-o", "args"], stdout=subprocess.PIPE).stdout if not h.runner.who.is_root else b""
    h.check(b"SECRET value" not in subprocess.run(["ps", "axww", "-o", "args"], stdout=subprocess.PIPE).stdout + shown.replace(b"GIVEN=" + value.encode()[:6], b""), "no argument vector holds it")
    child.terminate()
    child.wait()
    tool = h.write("tools/own-tool", "#!/bin/sh\necho own\n", 0o755)
    done = h.run("own-tool", environment={"PATH": os.path.dirname(tool) + ":/usr/bin:/bin"})
    h.equal(done.out, b"own\n", "PATH finds the command", done)


def many_times(h):
    reply = h.wrap("sh", "-c", "cat; echo $$ > /tmp/x; cat /tmp/x >/dev/null; exit 3")
    first = [h.start(reply, input=b"%d" % i) for i in range(3)]
    h.equal([(done.code, done.out) for done in first], [(3, b"%d" % i) for i in range(3)], "one after the other")
    children = [h.runner.start(reply["argv"], cwd="/", env=harness.NOTHING, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(8)]
    found = [child.communicate(b"%d" % i, timeout=120)[0] for i, child in enumerate(children)]
    h.equal([(child.returncode, out) for child, out in zip(children, found)], [(3, b"%d" % i) for i in range(8)], "and beside each other")
    again = h.wrap("sh", "-c", "exit 4")
    h.equal(again["argv"][4], reply["argv"][4], "the same confinement is stored once")
    h.check(again["argv"][3] != reply["argv"][3], "and has another marker each time")


def signals(h):
    reply = h.wrap("sh", "-c", "trap 'echo caught; exit 9' TERM INT USR1; echo ready; while :; do sleep 0.1; done")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        child = h.runner.start(reply["argv"], cwd="/", env=harness.NOTHING, stdout=subprocess.PIPE)
        child.stdout.readline()
        child.send_signal(number)
        h.equal((child.communicate(timeout=60)[0], child.returncode), (b"caught\n", 9), "signal %d is handed on" % number)
    child = h.runner.start(reply["argv"], cwd="/", env=harness.NOTHING, stdout=subprocess.PIPE)
    child.stdout.readline()
    child.kill()
    child.communicate()
    left = leftovers.processes_gone()
    h.check(not left, "killed, nothing of it is left", leftovers.describe(left))


def not_run(h):
    plain = h.write("plain", "no program\n", 0o644)
    for command, code in ((["no-such-program"], 127), ([plain], 126), ([h.work], 126)):
        reply = h.wrap(*command)
        done = h.start(reply)
        h.check(done.code == code and harness.did_not_run(reply, done), "%s: %d, and told to be no answer of the command's" % (os.path.basename(command[0]), code), done)
    reply = h.wrap("sh", "-c", "echo 'paddock: not run [0123456789abcdef0123456789abcdef] x' >&2; tr '\\0' '\\n' < /proc/1/cmdline >&2; cat /proc/*/cmdline >&2; exit 125")
    done = h.start(reply)
    h.check(done.code == 125 and not harness.did_not_run(reply, done), "a command cannot pretend that we failed", done)


def denials(h):
    """Each signature of the reply, as it really comes."""
    fifo = os.path.join(h.runner.home, "fifo")
    if not os.path.exists(fifo):
        os.mkfifo(fifo, 0o666)
        h.runner.who.own(h.runner.home)
    h.write("hidden/key", "x")
    python = ["/usr/bin/python3", "-c"]
    tries = {("write", "EROFS"): ["sh", "-c", "echo x > ~/denied"],
             ("call", "EPERM"): [*python, "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); libc.mount(b'x', b'/mnt', b'tmpfs', 0, None); n = ctypes.get_errno(); raise OSError(n, os.strerror(n))"],
             ("mask", "ENOENT"): ["cat", os.path.join(h.work, "hidden/key")],
             ("network", "ENETUNREACH"): [*python, "import socket; socket.create_connection(('192.0.2.1', 80), 10)"],
             ("network", "ECONNREFUSED"): [*python, "import socket; socket.create_connection(('127.0.0.1', 9), 10)"],
             ("network", "EAI_AGAIN"): [*python, "import socket; socket.getaddrinfo('host.example.invalid', 80)"]}
    if machine.landlock_abi() >= 1:
        tries[("write", "EACCES")] = [*python, "import os; os.open(%r, os.O_WRONLY | os.O_NONBLOCK)" % fifo]
    reply = h.wrap("true", mask_paths=[os.path.join(h.work, "hidden")], environment={"LC_ALL": "C"})
    signatures = {(one["of"], one["errno"]): one["text"] for one in reply["denial_signatures"]}
    h.check(set(tries) <= set(signatures), "every one is tried", set(signatures) - set(tries))
    for (kind, number), command in tries.items():
        done = h.run(*command, mask_paths=[os.path.join(h.work, "hidden")], environment={"LC_ALL": "C"})
        wanted = signatures[(kind, number)]
        h.check(done.code != 0 and wanted in done.words, "%s is denied with %s" % (kind, number), done)
    h.equal([one["of"] for one in h.wrap("true", network="all")["denial_signatures"]].count("network"), 0, "with a network none of it is foretold")


def a_planted_link_is_no_temporary_directory(h):
    link = os.path.join(h.work, "tmpd")
    os.symlink(h.scratch, link)
    for mode in ("read-only", "workspace-write"):
        done = h.run("sh", "-c", "echo x > %s/made; echo RAN" % h.scratch, mode=mode, temp="host", environment={"TMPDIR": link})
        h.check("RAN" in done.text and not os.listdir(h.scratch), "%s: where a link in the workspace leads is not shared" % mode, done)
    os.unlink(link)


TESTS = [a_planted_link_is_no_temporary_directory, exit_codes, words_are_verbatim, streams_are_exact, odd_paths, modes, unrestricted, networks, masks, temporary_files, environment, many_times, signals, not_run, denials]

if __name__ == "__main__":
    harness.main(__doc__, TESTS)
