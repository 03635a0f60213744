#!/usr/bin/env python3
"""SIGKILL of each of our processes at each step, and races at the start: nothing may be left after two seconds.

PADDOCK_TEST_SCALE multiplies the counts.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True

import escape  # noqa: E402
import leftovers  # noqa: E402
import product  # noqa: E402
import terminal  # noqa: E402


def children_of(pid):
    return [child for child, (parent, _) in leftovers._parents().items() if parent == pid]


def stand_ins(project):
    return [name for name in (".git/commondir", ".git/config.worktree") if os.path.lexists(os.path.join(project, name))]


def settle(runner, report, project, label):
    """Nothing left after 2 s; stand-ins harmless until the next command, which removes them."""
    left = leftovers.processes_gone(10.0)
    report.check(not left, "%s: no process after 2 s" % label, leftovers.describe(left))
    leftovers.end(left)
    report.equal(runner.git("status", "--porcelain", cwd=project).code, 0, "%s: what is left is harmless to git" % label)
    done = runner.run("--", "true", cwd=project)
    report.equal(done.code, 0, "%s: the next command works" % label, done)
    report.equal((stand_ins(project), leftovers.journals(runner.home)), ([], []), "%s: stand-ins are taken back by the next command" % label)


def C114(runner, report, project):
    """The launcher killed 0 to 20 ms after its start."""
    count = product.scaled(60 if runner.who.label in ("ordinary", "self") else 20)
    chance = random.Random(114)
    mounts = leftovers.mounts()
    for _ in range(count):
        child = runner.start(runner.argv("--", "sleep", "9174"), cwd=project, stdout=-3, stderr=-3)
        time.sleep(chance.uniform(0, 0.02))
        child.kill()
        child.wait()
    settle(runner, report, project, "%s C114 %d starts" % (runner.who.label, count))
    report.equal(leftovers.mounts(), mounts, "%s C114: no mount" % runner.who.label)


def any_process_at_any_moment(runner, report, project):
    """Not the launcher but something below it, 0 to 30 ms after the start: the run ends by itself (a start may be tried again)."""
    chance = random.Random(115)
    for _ in range(product.scaled(24 if runner.who.label in ("ordinary", "self") else 8)):
        child = runner.start(runner.argv("--", "sleep", "0.3"), cwd=project, stdout=-3, stderr=-3)
        time.sleep(chance.uniform(0, 0.03))
        below = list(leftovers.descendants(child.pid))
        victim = chance.choice(below) if below else None
        if victim:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                victim = None
        try:
            code = child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            code = None
            child.kill()
            child.wait()
        report.check(code is not None, "%s killed below the launcher: it ends by itself" % runner.who.label, "still there after 10 s")
    settle(runner, report, project, "%s killed below the launcher" % runner.who.label)


def each_process(runner, report, project):
    """The launcher, bubblewrap, the warden and the payload by their outside pids, while everything runs."""
    for depth, name in enumerate(("paddock", "first below", "second below", "third below")):
        child = runner.start(runner.argv("--", "sh", "-c", "setsid sleep 9175 & sleep 9175"), cwd=project, stdout=-3, stderr=-1)
        time.sleep(0.4)
        pids = [child.pid]
        for _ in range(depth):
            pids = [below for pid in pids for below in children_of(pid)]
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        label = "%s kill %s" % (runner.who.label, name)
        try:
            code = child.wait(timeout=5)
        except Exception:
            code = None
            child.kill()
            child.wait()
        child.stderr.close()
        if pids:
            report.check(code not in (0, None), "%s: it ends, and not as success" % label, code)
        settle(runner, report, project, label)


def stopped(runner, report, project):
    """Killed while others of ours stand still at a random moment of the start; then they are let go."""
    chance = random.Random(7)
    for _ in range(product.scaled(8)):
        child = runner.start(runner.argv("--", "sleep", "9176"), cwd=project, stdout=-3, stderr=-3)
        time.sleep(chance.uniform(0.001, 0.03))
        for pid in leftovers.descendants(child.pid):
            try:
                os.kill(pid, signal.SIGSTOP)
            except ProcessLookupError:
                pass
        child.kill()
        child.wait()
        # One that had not come to its first instruction cannot ask for its parent's death yet.
        for pid in leftovers.descendants():
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
    settle(runner, report, project, "%s stopped inside, killed outside" % runner.who.label)


def C023(runner, report, project):
    """A path that flips between a directory and a link to a foreign one while sandboxes start."""
    foreign = os.path.join(runner.who.base, "foreign")
    os.makedirs(foreign, exist_ok=True)
    with open(os.path.join(foreign, "foreign-key"), "w") as file:
        file.write("FOREIGN\n")
    runner.who.own(foreign)
    space = os.path.join(runner.home, "work/swap")
    os.makedirs(os.path.join(space, "p.dir"))
    os.symlink(foreign, os.path.join(space, "p.link"))
    runner.who.own(os.path.join(runner.home, "work"))
    path, flipping = os.path.join(space, "p"), True

    def flip():
        turn = 0
        while flipping:
            turn ^= 1
            aside = path + (".dir" if turn else ".link")
            try:
                os.rename(aside, path)
                time.sleep(0.0003)
                os.rename(path, aside)
            except OSError:
                pass

    thread = threading.Thread(target=flip)
    thread.start()
    mounts, before = leftovers.mounts(), leftovers.tree(foreign)
    ended = {"ran": 0, "refused": 0}
    count = product.scaled(40 if runner.who.label in ("ordinary", "self") else 12)
    try:
        for n in range(count):
            rules = (["--mask", "p"], ["--mask", "p", "--rw", path + "?"], ["--protect", "p"], ["--mask", "p", "--ro", path + "?"])[n % 4]
            done = runner.sh("cat p/foreign-key; ls p; echo evil > p/foreign-key; echo evil > p/planted; rm -f p/foreign-key p/planted; exit 0", *rules, cwd=space)
            ended["ran" if done.code == 0 else "refused"] += 1
            report.check(done.code in (0, 125), "%s C023 %s: correct or refused" % (runner.who.label, rules[0]), done)
            report.check(b"FOREIGN" not in done.out, "%s C023 %s: the foreign directory is not shown" % (runner.who.label, " ".join(rules)), done)
            after = leftovers.tree(foreign)
            report.check(after == before, "%s C023 %s: the foreign directory is unchanged" % (runner.who.label, " ".join(rules)), leftovers.difference(before, after))
            before = after
    finally:
        flipping = False
        thread.join()
    report.note("%s C023: %r" % (runner.who.label, ended))
    report.equal(leftovers.mounts(), mounts, "%s C023: no mount" % runner.who.label)


def C112_C115(runner, report, project):
    """Descendants with sessions of their own end with the run, and with the time limit."""
    late = os.path.join(project, "late")
    begun = time.monotonic()
    done = runner.sh('setsid nohup sh -c "sleep 30; touch late" >/dev/null 2>&1 & exit 0', cwd=project)
    report.check(done.code == 0 and time.monotonic() - begun < 20, "%s C112: the run ends" % runner.who.label, done)
    limited = runner.sh('trap "" TERM INT HUP; (setsid sh -c "sleep 2; touch late" &) ; sleep 60', "--timeout", "1s", cwd=project)
    report.check(limited.code == 124 and limited.seconds < 20, "%s C115: the time limit ends the whole tree" % runner.who.label, limited)
    left = leftovers.processes_gone(10.0)
    report.check(not left, "%s C112 C115: no process" % runner.who.label, leftovers.describe(left))
    leftovers.end(left)
    time.sleep(1.2)
    report.check(not os.path.exists(late), "%s C112 C115: nothing was written late" % runner.who.label)


def stops_itself(runner, report, project):
    """A payload that stands still is no way around the limit, with and without a terminal; nor is one without a leader."""
    label = runner.who.label
    done = runner.sh("kill -STOP $$; echo on", "--timeout", "1s", cwd=project, timeout=15)
    report.check(done.code == 124 and done.seconds < 14, "%s a stopped payload meets its time limit" % label, done)
    done = runner.sh("kill -STOP -1; kill -9 -1; sleep 60", "--timeout", "1s", cwd=project, timeout=15)
    report.check(done.code in (124, 137) and done.seconds < 14, "%s kill -9 -1 inside" % label, done)
    for script in ("kill -9 $PPID; sleep 60", "kill -STOP $PPID; sleep 60", "kill -9 -1; sleep 60"):
        with terminal.Terminal(runner, runner.argv("--timeout", "1s", "--", "sh", "-c", script), project) as seen:
            code = seen.wait(12)
            report.check(code in (124, 137), "%s on a terminal: %s" % (label, script), (code, seen.seen))
            report.check(seen.is_as_before(), "%s on a terminal: %s: it is as before" % (label, script))


def C113(runner, report, project):
    """Started from a thread that ends at once."""
    started = []

    def start():
        started.append(runner.start(runner.argv("--", "sh", "-c", "sleep 1.5; echo ALIVE"), cwd=project, stdout=-1, stderr=-1))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    outputs = [child.communicate(timeout=20) for child in started]
    report.equal([out for out, _ in outputs], [b"ALIVE\n"] * 4, "%s C113: all live on" % runner.who.label, outputs)


def C122(runner, report, project):
    """A first process that never reaps: no zombie of ours piles up below it."""
    if not runner.who.is_root:
        return
    words = " ".join("'%s'" % word for word in runner.argv("--", "sh", "-c", "(true &) ; true"))
    script = "for i in $(seq %d); do %s >/dev/null 2>&1; done; sleep 0.3; cat /proc/[0-9]*/stat | grep -c ') Z '" % (product.scaled(15), words)
    done = runner.execute(["unshare", "-pf", "--mount-proc", "sh", "-c", "sh -c \"$1\"; sleep 0", "sh", script], cwd=project)
    report.equal(done.text.strip(), "0", "root C122: no zombies", done)


CHECKS = (C114, any_process_at_any_moment, each_process, stopped, C023, C112_C115, stops_itself, C113, C122)


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    for check in CHECKS:
        if report.wants(check.__name__):
            check(runner, report, project)
    escape.nothing_left(runner, report, "kills")


if __name__ == "__main__":
    escape.main(__doc__, body)
