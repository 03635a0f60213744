#!/usr/bin/env python3
"""One sandbox uses up what all of a user's share: terminals, inotify instances and watches, pipe buffers, descriptors in
flight, descriptors. Meanwhile another run works, with a terminal and without one, or says that this is what it is short of; and when the
first has ended, nothing is left of it."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import terminal  # noqa: E402

# What is used up: the word that a failure has to name (none: the other run works).
SHARED = {"ptys": "terminal", "inotify": None, "watches": None, "pipes": None, "in-flight": "terminal", "descriptors": None}


def works_or_says(report, name, code, text, reason):
    if code == 0 and "NEIGHBOUR-WORKS" in text:
        return report.check(True, name)
    return report.check(reason is not None and code == 125 and reason in text, "%s: it works, or says what it is short of" % name, "exit %s\n%s" % (code, text))


def with_terminal(runner, project):
    with terminal.Terminal(runner, [runner.paddock, "run", "--", "sh", "-c", "test -t 1 && echo NEIGHBOUR-WORKS"], project) as seen:
        seen.wait(60)
        return seen.code, seen.seen.decode("latin1")


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    for what, reason in SHARED.items():
        if not report.wants(what):
            continue
        label = "%s neighbour %s" % (runner.who.label, what)
        hungry = runner.start(runner.argv("--", runner.attack, "neighbour", "hold=" + what), cwd=project, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            line = hungry.stdout.readline().decode()
            held = line.split()
            if not report.check(len(held) >= 3 and held[0] == "HELD" and int(held[2]) > 50, "%s: it is used up" % label, line):
                continue
            report.note("%s: %s" % (label, line.strip()))
            plain = runner.execute([runner.paddock, "run", "--", "echo", "NEIGHBOUR-WORKS"], cwd=project)
            works_or_says(report, label + " without a terminal", plain.code, plain.text + plain.words, None)
            works_or_says(report, label + " with a terminal", *with_terminal(runner, project), reason)
            # The host's own terminals are kept for it (kernel.pty.reserve).
            report.equal(runner.execute(["true"]).code, 0, label + ": the host can start programs")
        finally:
            hungry.communicate(timeout=60)
        again = runner.execute([runner.paddock, "run", "--", "echo", "NEIGHBOUR-WORKS"], cwd=project)
        works_or_says(report, label + " afterwards", again.code, again.text + again.words, None)
        works_or_says(report, label + " afterwards, with a terminal", *with_terminal(runner, project), None)
    escape.nothing_left(runner, report, "neighbour")


if __name__ == "__main__":
    escape.main(__doc__, body)
