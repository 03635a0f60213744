#!/usr/bin/env python3
"""The limit on processes, which nothing inside lifts. Real root gets none without a cgroup, and is refused."""

import os
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402

LIMIT = 64


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    label = runner.who.label
    if runner.who.is_root:
        done = runner.sh("echo RAN", "--pids", str(LIMIT), cwd=project)
        held = done.code == 0 and b"RAN" in done.out
        report.check(done.code == 125 or held, "%s limits: refused where it cannot be held" % label, done)
        report.check(b"RAN" not in done.out or held, "%s limits: nothing ran" % label, done)
        if not held:
            return
    for profile in escape.PROFILES:
        # C120: the host is not touched meanwhile, and other processes of the same user do not count.
        others = [runner.start(["sleep", "86418"]) for _ in range(20)]
        escape.run(runner, report, "limits", "processes=%d" % LIMIT, options=["--profile", profile, "--pids", str(LIMIT)], cwd=project, label="C120")
        report.equal(runner.execute(["true"]).code, 0, "%s limits: the host can start programs" % label)
        for other in others:
            other.kill()
            other.wait()
    done = runner.sh('for i in $(seq 200); do sleep 5 & done 2>/dev/null; ls /proc | grep -c "^[0-9]"', "--pids", str(LIMIT), cwd=project)
    count = int(done.text.split()[-1]) if done.text.split() and done.text.split()[-1].isdigit() else -1
    report.check(count <= LIMIT + 3, "%s limits C120: a shell's children" % label, done)
    escape.nothing_left(runner, report, "limits")


if __name__ == "__main__":
    escape.main(__doc__, body)
