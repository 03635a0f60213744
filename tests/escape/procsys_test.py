#!/usr/bin/env python3
"""Everything in /proc, /sys and /dev that opens for writing; second copies of them in nested namespaces; limits."""

import os
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402

CANARIES = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/swappiness", "/proc/sys/kernel/modprobe"]


def read(path):
    with open(path) as file:
        return file.read()


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    before = {path: read(path) for path in CANARIES if os.path.exists(path)}
    with escape.Unchanged(report, runner.who.label + " procsys", [project]):
        for profile in escape.PROFILES:
            for net in ("on", "off"):
                escape.run(runner, report, "procsys", "nested=%d" % (net == "on"), options=["--profile", profile, "--net", net], cwd=project)
            escape.run(runner, report, "nested", "expect=" + ("browser" if profile == "balanced" and not runner.who.is_root else "none"),
                       options=["--profile", profile], cwd=project)
    report.equal({path: read(path) for path in before}, before, "%s procsys: kernel settings are as before" % runner.who.label)
    escape.nothing_left(runner, report, "procsys")


if __name__ == "__main__":
    escape.main(__doc__, body)
