#!/usr/bin/env python3
"""What `paddock run` hands through and hands back: exit codes, arguments, environment, descriptors, pipes, signals.

    run_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import hashlib
import json
import os
import signal
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import leftovers  # noqa: E402
import product  # noqa: E402

MIB = 1 << 20


def exit_codes(runner, report, project):
    for code in (0, 1, 2, 3, 42, 124, 125, 126, 127, 128, 200, 255):
        done = runner.sh("exit %d" % code, cwd=project)
        report.equal(done.code, code, "%s: exit code %d" % (runner.who.label, code), done)
        report.equal(done.out, b"", "%s: nothing of ours on stdout" % runner.who.label)
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT, signal.SIGUSR1, signal.SIGPIPE, 34):
        done = runner.sh("kill -%d $$" % number, cwd=project)
        report.equal(done.code, 128 + number, "%s: ended by signal %d" % (runner.who.label, number), done)


def not_started(runner, report, project):
    label = runner.who.label
    done = runner.run("--", "no-such-program-of-anybody", cwd=project)
    report.equal(done.code, 127, "%s: absent program" % label, done)
    report.check("no-such-program-of-anybody" in done.words, "%s: absent program is named" % label, done)
    plain = os.path.join(project, "plain")
    with open(plain, "w") as file:
        file.write("not a program\n")
    os.chmod(plain, 0o644)
    report.equal(runner.run("--", plain, cwd=project).code, 126, "%s: a file that is not executable" % label)
    report.equal(runner.run("--", project, cwd=project).code, 126, "%s: a directory" % label)
    hidden = os.path.join(runner.who.base, "hidden-program")
    with open(hidden, "w") as file:
        file.write("#!/bin/sh\necho RAN\n")
    os.chmod(hidden, 0o755)
    done = runner.run("--", hidden, cwd=project)
    report.check(done.code in (0, 127), "%s: a program of the host that is not inside" % label, done)
    report.check(done.code == 0 or "not" in done.words and hidden in done.words, "%s: it is said to be outside" % label, done)
    script = os.path.join(project, "script")
    with open(script, "w") as file:
        file.write("#!/no/such/interpreter\n")
    os.chmod(script, 0o755)
    report.equal(runner.run("--", script, cwd=project).code, 127, "%s: an absent interpreter" % label)
    for words, code in ((["--no-such-flag", "--", "true"], 2), (["--net", "nonsense", "--", "true"], 2), (["--profile", "nonsense", "--", "true"], 2),
                        (["--sandbox-type", "nonsense", "--", "true"], 2), (["--fs", "nonsense", "--", "true"], 2), (["--net", "allow", "--", "true"], 125),
                        (["--fs", "cow", "--", "true"], 125), (["--no-sandbox", "--net", "off", "--", "true"], 2), (["--memory", "64M", "--", "true"], 125),
                        (["--sandbox-workspace", "/no/such/place", "--", "true"], 2), (["--timeout", "soon", "--", "true"], 2)):
        done = runner.execute([runner.paddock, "run", *words], cwd=project)
        if words[0] == "--memory" and done.code == 0:
            continue  # a cgroup could hold it here
        report.equal(done.code, code, "%s: refused: %s" % (label, " ".join(words)), done)
        report.check(done.words.strip() != "" and done.out == b"", "%s: refused with words: %s" % (label, " ".join(words)), done)


def arguments(runner, report, project):
    words = ["", " ", "a b", "\n", "a\nb\n", "'", '"', "$(touch INJ)", "`touch INJ`", "\\", "*", "-x", "--", "--net", "\u00e4\u6f22", "\x01\x1b[31m", "=", "A=B", "x" * 100000]
    done = runner.run("--", runner.probe, *words, cwd=project)
    seen = json.loads(done.text)["argv"] if done.code == 0 else None
    report.equal(seen and seen[1:], [os.fsencode(word).decode("latin1") for word in words], "%s: arguments byte for byte" % runner.who.label, done.words)
    done = runner.run("--", runner.probe, b"\xff\xfe\x80", cwd=project)
    report.equal(json.loads(done.text)["argv"][1:] if done.code == 0 else None, ["\xff\xfe\x80"], "%s: arguments that are not UTF-8" % runner.who.label)
    done = runner.execute([runner.paddock, "run", "--ro", runner.programs, runner.probe, "--net", "off", "--help"], cwd=project)
    report.equal(json.loads(done.text)["argv"][1:] if done.code == 0 else None, ["--net", "off", "--help"], "%s: arguments after the command are its own" % runner.who.label, done)
    many = [str(n) for n in range(20000)]
    done = runner.run("--", "sh", "-c", 'echo $# "${20000}"', "sh", *many, cwd=project)
    report.equal(done.out, b"20000 19999\n", "%s: twenty thousand arguments" % runner.who.label, done)


def environment(runner, report, project):
    tricky = {"EMPTY": "", "NEWLINE": "a\nb", "EQUALS": "a=b=c", "QUOTES": "'\"$(x)`x`\\", "BYTES": "\u00e4", "LONG": "y" * 50000}
    words = [word for name in tricky for word in ("--env", name)]
    done = runner.run(*words, "--env", "GIVEN=a=b\nc", "--env", "ABSENT_NAME", "--", runner.probe, cwd=project, env=tricky)
    seen = json.loads(done.text)["environment"] if done.code == 0 else {}
    for name, value in tricky.items():
        report.equal(seen.get(name), os.fsencode(value).decode("latin1"), "%s: variable %s" % (runner.who.label, name), done.words)
    report.equal(seen.get("GIVEN"), "a=b\nc", "%s: a variable by value" % runner.who.label, done.words)
    report.check("ABSENT_NAME" not in seen, "%s: an absent variable stays absent" % runner.who.label)
    twice = runner.run("--env", "A=1", "--env", "A=2", "--", "sh", "-c", 'echo "$A"', cwd=project)
    report.equal((twice.code, twice.out), (2, b""), "%s: two values for one name are refused" % runner.who.label, twice)


def directories(runner, report, project):
    label = runner.who.label
    deep = os.path.join(project, "src/deep")
    report.equal(runner.run("--", "pwd", "-P", cwd=deep).text, deep + "\n", "%s: the directory is kept" % label)
    done = runner.sh("echo new > ../../from-deep && cat ../../file.txt", cwd=deep)
    report.check(done.code == 0 and os.path.exists(os.path.join(project, "from-deep")), "%s: the whole repository is the workspace" % label, done)
    done = runner.sh("touch here", "--sandbox-workspace", deep, cwd=deep)
    report.check(done.code == 0 and os.path.exists(os.path.join(deep, "here")), "%s: a named workspace" % label, done)
    done = runner.sh("touch ../outside; ls ../..", "--sandbox-workspace", deep, cwd=deep)
    report.check(not os.path.exists(os.path.join(project, "src/outside")), "%s: a named workspace has an edge" % label, done)
    done = runner.sh("touch x", cwd=runner.home)
    report.check(done.code == 125 and not os.path.exists(os.path.join(runner.home, "x")), "%s: home itself is refused" % label, done)
    done = runner.sh("true", cwd="/")
    report.equal(done.code, 125, "%s: / is refused" % label, done)


def pipes(runner, report, project):
    data = os.urandom(8 * MIB)
    done = runner.run("--", "cat", cwd=project, input=data)
    report.check(done.code == 0 and hashlib.sha256(done.out).digest() == hashlib.sha256(data).digest(), "%s: 8 MiB through pipes, byte for byte" % runner.who.label,
                 "%d bytes of %d, exit %s, %s" % (len(done.out), len(data), done.code, done.words[-300:]))
    done = runner.sh("cat >&2", cwd=project, input=data[:MIB])
    report.equal(hashlib.sha256(done.err).digest(), hashlib.sha256(data[:MIB]).digest(), "%s: 1 MiB on stderr alone" % runner.who.label, done.words[-300:])
    path = os.path.join(project, "data")
    with open(path, "wb") as file:
        file.write(data[:MIB])
    with open(path, "rb") as source, open(path + ".out", "wb") as target:
        runner.run("--", "cat", cwd=project, stdin=source, stdout=target)
    with open(path + ".out", "rb") as file:
        report.check(file.read() == data[:MIB], "%s: files on 0 and 1" % runner.who.label)
    with open(path + ".out", "ab") as target:
        runner.run("--", "echo", "appended", cwd=project, stdout=target)
    with open(path + ".out", "rb") as file:
        report.check(file.read() == data[:MIB] + b"appended\n", "%s: a file that is appended to" % runner.who.label)
    done = runner.execute(["sh", "-c", '"$@" | head -c 5', "sh", *runner.argv("--", "yes")], cwd=project)
    report.check(done.out == b"y\ny\ny" and done.seconds < 30, "%s: a reader that goes away ends the writer" % runner.who.label, done)


def closed_descriptors(runner, report, project):
    label = runner.who.label
    quote = "exec \"$@\" "
    for which in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"):
        done = runner.execute(["sh", "-c", quote + which, "sh", *runner.argv("--", "sh", "-c", "exit 7")], cwd=project)
        report.equal(done.code, 7, "%s: started with %s" % (label, which), done)
    inherited = os.open("/etc/hostname", os.O_RDONLY)
    above = [os.dup2(inherited, 100 + n) for n in range(200)]
    for fd in above:
        os.set_inheritable(fd, True)
    done = runner.run("--", runner.probe, cwd=project, pass_fds=above)
    for fd in (inherited, *above):
        os.close(fd)
    report.equal(sorted(json.loads(done.text)["descriptors"]) if done.code == 0 else None, ["0", "1", "2"], "%s: 200 inherited descriptors stay outside" % label, done.words)


def signals(runner, report, project):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
        name = signal.Signals(number).name[3:]
        script = "trap 'echo caught; exit 9' %s; echo ready; while :; do sleep 0.05; done" % name
        child = runner.start(runner.argv("--", "sh", "-c", script), cwd=project, stdout=-1, stderr=-1)
        ready = child.stdout.readline()
        child.send_signal(number)
        try:
            out, err = child.communicate(timeout=10)
        except Exception:
            child.kill()
            out, err = child.communicate()
        report.equal((ready, out, child.returncode), (b"ready\n", b"caught\n", 9), "%s: %s reaches the payload" % (runner.who.label, name), err.decode("latin1"))
    child = runner.start(runner.argv("--", "sleep", "60"), cwd=project, stdout=-1, stderr=-1)
    time.sleep(0.3)
    child.terminate()
    child.communicate(timeout=10)
    report.equal(child.returncode, 143, "%s: TERM without a handler" % runner.who.label)


def timeouts(runner, report, project):
    done = runner.sh("sleep 60", "--timeout", "1s", cwd=project)
    report.check(done.code == 124 and 0.9 < done.seconds < 20, "%s: the time limit" % runner.who.label, done)
    done = runner.sh("exit 3", "--timeout", "30s", cwd=project)
    report.check(done.code == 3 and done.seconds < 20, "%s: within the time limit" % runner.who.label, done)


def rules(runner, report, project):
    label = runner.who.label
    os.makedirs(os.path.join(project, "secret"), exist_ok=True)
    for name in ("secret/key", "a.pem", "src/b.pem", "kept"):
        with open(os.path.join(project, name), "w") as file:
            file.write("CANARY\n")
    runner.who.own(project)
    done = runner.sh("cat secret/key a.pem src/b.pem; ls -A secret; echo x > secret/new; echo x > a.pem; echo x > kept; rm -f kept; mv kept kept2; cat kept",
                     "--mask", "secret", "--mask", "**/*.pem", "--protect", "kept", cwd=project)
    report.equal(done.out, b"CANARY\n", "%s: masked is unreadable, protected is readable" % label, done)
    report.equal([open(os.path.join(project, name)).read() for name in ("secret/key", "a.pem", "src/b.pem", "kept")], ["CANARY\n"] * 4, "%s: both as before" % label)
    report.check(not os.path.exists(os.path.join(project, "secret/new")), "%s: nothing was added to what is masked" % label)
    done = runner.sh("echo x > new; echo x >> file.txt; mkdir d; rm file.txt; ln -s x y", "--fs", "ro", cwd=project)
    report.check(not any(os.path.lexists(os.path.join(project, name)) for name in ("new", "d", "y")) and os.path.exists(os.path.join(project, "file.txt")),
                 "%s: a read-only workspace" % label, done)
    granted = os.path.join(runner.who.base, "granted")
    os.makedirs(granted, exist_ok=True)
    runner.who.own(granted)
    done = runner.sh("echo ro > %s/ro; echo rw > %s/rw" % (granted, granted), "--ro", granted, cwd=project)
    report.equal(os.listdir(granted), [], "%s: a read-only grant" % label, done)
    done = runner.sh("echo rw > %s/rw" % granted, "--rw", granted, cwd=project)
    report.equal(os.listdir(granted), ["rw"], "%s: a writable grant" % label, done)


CHECKS = [exit_codes, not_started, arguments, environment, directories, pipes, closed_descriptors, signals, timeouts, rules]


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    for check in CHECKS:
        if report.wants(check.__name__):
            check(runner, report, project)
    left = leftovers.processes_gone()
    report.check(not left, "%s: no process is left" % runner.who.label, leftovers.describe(left))
    leftovers.end(left)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
