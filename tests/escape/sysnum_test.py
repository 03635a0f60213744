#!/usr/bin/env python3
"""Every system call number on three architectures, request numbers with high bits, every socket family."""

import os
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    with escape.Unchanged(report, runner.who.label + " sysnum", [project]):
        for profile in escape.PROFILES:
            browser = profile == "balanced" and not runner.who.is_root
            # Each refused foreign call costs a process: every number once, for the rest a sample.
            step = 1 if (profile, runner.who.label) in (("balanced", "ordinary"), ("balanced", "self")) else 16
            escape.run(runner, report, "sysnum", "browser=%d" % browser, "step=%d" % step, options=["--profile", profile], cwd=project)
    escape.nothing_left(runner, report, "sysnum")


if __name__ == "__main__":
    escape.main(__doc__, body)
