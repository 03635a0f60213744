#!/usr/bin/env python3
"""Limits by control groups: what they hold, that nothing inside lifts them, and that no group is left (C120, C121;
a control-group file system mounted in a nested namespace shows the leaf alone). Where this machine gives none, the
start is refused; the suite makes groups of an ordinary user's own where it runs as root on version 1."""

import contextlib
import glob
import os
import signal
import sys
import time

sys.dont_write_bytecode = True

import escape  # noqa: E402

import leftovers  # noqa: E402

ROOT = "/sys/fs/cgroup"
ALLOCATE = "import sys; x = bytearray(int(sys.argv[1]) << 20); print('HAS', len(x))"
EIGHT = """
import os
def one():
    x = bytearray(64 << 20)
    x[::4096] = b'x' * len(x[::4096])
    os.write(1, b'one\\n')
    import time; time.sleep(1.5)
for _ in range(8):
    if os.fork() == 0:
        one(); os._exit(0)
ends = [os.wait()[1] for _ in range(8)]
print('ENDED', sum(1 for end in ends if end == 9))
"""
# What root of a nested namespace tries: the group file systems mounted anew, every limit in view lifted.
LIFT = """
for controller in memory pids cpu; do
  mkdir -p /tmp/cg/$controller
  mount -t cgroup -o $controller none /tmp/cg/$controller 2>/dev/null || continue
  echo mounted $controller
  for file in $(find /tmp/cg/$controller -name memory.memsw.limit_in_bytes -o -name memory.limit_in_bytes); do echo -1 > $file; done
  for file in $(find /tmp/cg/$controller -name pids.max); do echo max > $file; done
  for file in $(find /tmp/cg/$controller -name cgroup.procs); do echo 0 > $file; done
  mkdir /tmp/cg/$controller/own && echo 0 > /tmp/cg/$controller/own/cgroup.procs
done 2>/dev/null
"""
FULL = 'extends = "balanced"\n[process]\nnested = "full"\n'


def groups():
    return [place for place in glob.glob(ROOT + "/**/paddock-[0-9]*", recursive=True) if os.path.isdir(place)]


def holds_limits(runner, project):
    """Whether this identity gets control groups as it stands."""
    return runner.sh("true", "--memory", "1G", cwd=project).code == 0


@contextlib.contextmanager
def delegated(runner):
    """Words before a command that put it into memory and pids groups of this user's own; None where that cannot be."""
    made = []
    for controller in ("memory", "pids"):
        place = os.path.join(ROOT, controller, "suite-%d" % os.getpid())
        if os.getuid() == 0 and os.path.isfile(os.path.join(ROOT, controller, "cgroup.procs")):
            os.mkdir(place)
            made.append(place)
            for name in ("", "cgroup.procs", "tasks"):
                os.chown(os.path.join(place, name), runner.who.uid, runner.who.gid)
    enter = "".join("echo 0 > %s/cgroup.procs; " % place for place in made)
    try:
        yield ["sh", "-c", enter + 'exec "$@"', "sh"] if len(made) == 2 else None
    finally:
        for place in made:
            for below in sorted(glob.glob(place + "/**/", recursive=True), reverse=True):
                for _ in range(100):
                    with contextlib.suppress(FileNotFoundError):
                        try:
                            os.rmdir(below)
                        except OSError:
                            time.sleep(0.02)
                            continue
                    break


def refused(runner, report, project):
    label = runner.who.label
    for flag, value in (("--memory", "256M"), ("--cpus", "0.5")):
        done = runner.sh("echo RAN", flag, value, cwd=project)
        report.check(done.code == 125 and not done.out, "%s %s: refused where it cannot be held" % (label, flag), done)
        report.check("control group" in done.words and "fix:" in done.words, "%s %s: the reason and the fix" % (label, flag), done)


def memory(runner, report, project, start):
    label = runner.who.label
    run = lambda *words, **how: runner.execute([*start, *runner.argv("--memory", "256M", *words)], cwd=project, **how)  # noqa: E731
    done = run("--", "python3", "-c", ALLOCATE, "100")
    report.check(done.code == 0 and "HAS" in done.text and "memory limit" not in done.words, "%s C121: below the limit" % label, done)
    done = run("--", "python3", "-c", ALLOCATE, "400")
    report.check(done.code == 137 and "HAS" not in done.text, "%s C121: one process above it" % label, done)
    report.check("memory limit of 256 MiB" in done.words, "%s C121: said at the end" % label, done)
    done = run("--", "python3", "-c", EIGHT)
    report.check(done.code in (0, 137) and (done.code == 137 or "ENDED 0" not in done.text), "%s C121: eight together" % label, done)
    done = run("--", "sh", "-c", "dd if=/dev/zero of=/tmp/x bs=1M count=400; echo CODE $?")
    report.check("CODE 0" not in done.text, "%s C121: files in memory count" % label, done)
    report.equal(runner.execute(["true"]).code, 0, "%s C121: the host goes on" % label)


def nested(runner, report, project, start):
    label = runner.who.label
    done = runner.execute([*start, *runner.argv("--profile", "nested", "--memory", "256M", "--", "unshare", "-UrmC", "sh", "-c", LIFT + 'python3 -c "$0" 400', ALLOCATE)], cwd=project)
    report.check("HAS" not in done.text and done.code != 0, "%s a nested mount lifts no memory limit" % label, done)
    report.note("%s nested: %s" % (label, " ".join(done.text.split())))
    done = runner.sh("ls -d /sys/fs/cgroup/* 2>/dev/null | head -3; for f in $(find /sys/fs/cgroup -name cgroup.procs -o -name memory.limit_in_bytes 2>/dev/null); do echo 0 > $f && echo WROTE $f; done 2>/dev/null; true", cwd=project)
    report.check("WROTE" not in done.text, "%s no group file can be written" % label, done)


def processor(runner, report, project):
    script = "import os, time\nfor _ in range(2):\n    if os.fork() == 0:\n        end = time.monotonic() + 2\n        while time.monotonic() < end: pass\n        os._exit(0)\nos.wait(); os.wait()\nt = os.times()\nprint(t.children_user + t.children_system)"
    done = runner.run("--cpus", "0.25", "--", "python3", "-c", script, cwd=project)
    report.check(done.code == 0 and float(done.text or 99) < 1.2, "%s a quarter of a processor for two seconds" % runner.who.label, done)


def processes(runner, report, project):
    label = runner.who.label
    script = "import os, time\nmade = 1\ntry:\n    while made < 500:\n        if os.fork() == 0: time.sleep(20); os._exit(0)\n        made += 1\nexcept OSError: pass\nprint(made)"
    done = runner.run("--pids", "64", "--", "python3", "-c", script, cwd=project)
    report.check(done.code == 0 and 32 < int(done.text or 0) <= 64, "%s C120: at most 64" % label, done)
    report.check("limit of 64 processes" in done.words, "%s C120: said at the end" % label, done)


def killed(runner, report, project):
    """Every process of ours killed: the group is gone with the next limited run at the latest."""
    label = runner.who.label
    child = runner.start(runner.argv("--memory", "256M", "--", "sleep", "86421"), cwd=project)
    until = time.monotonic() + 20
    while not groups() and time.monotonic() < until:
        time.sleep(0.02)
    report.check(groups(), "%s a group stands while it runs" % label)
    child.send_signal(signal.SIGKILL)
    child.wait()
    left = leftovers.processes_gone()
    report.check(not left, "%s killed: no process" % label, leftovers.describe(left))
    leftovers.end(left)
    runner.sh("true", "--memory", "256M", cwd=project)
    report.equal(groups(), [], "%s killed: no group after the next run" % label)


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    label = runner.who.label
    profiles = os.path.join(runner.home, ".config/paddock/profiles")
    os.makedirs(profiles)
    with open(os.path.join(profiles, "nested.toml"), "w") as file:
        file.write(FULL)
    runner.who.own(runner.home)
    done = runner.sh("true", "--memory", "512", cwd=project)
    report.check(done.code == 2 and "512" in done.words, "%s C121: a size without a unit that is too small is refused" % label, done)
    if holds_limits(runner, project):
        memory(runner, report, project, [])
        processor(runner, report, project)
        if runner.who.is_root:
            processes(runner, report, project)
        killed(runner, report, project)
    else:
        refused(runner, report, project)
        with delegated(runner) as start:
            if start is None:
                report.skip("%s cgroups delegated" % label, "the suite is not root, or memory is not a version 1 hierarchy here")
            else:
                memory(runner, report, project, start)
                nested(runner, report, project, start)
                report.equal(groups(), [], "%s no group is left, also of those that were made inside" % label)
    report.equal(groups(), [], "%s no group is left" % label)
    escape.nothing_left(runner, report, "cgroups")


if __name__ == "__main__":
    escape.main(__doc__, body)
