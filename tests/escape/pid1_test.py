#!/usr/bin/env python3
"""The warden, every other visible process, and the host's: with and without a terminal, from nested namespaces too."""

import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import host as fixture  # noqa: E402
import terminal  # noqa: E402


def body(runner, report):
    with fixture.host(runner) as host:
        words = ["canary=" + host.canary[:12] + "-launcher", "canary=" + host.canary, "host_pid=%d" % host.bystander]
        launcher = {"LAUNCHER_SECRET": host.canary[:12] + "-launcher"}
        for profile in escape.PROFILES:
            escape.run(runner, report, "pid1", *words, options=["--profile", profile], cwd=host.project, env=launcher)
            argv = runner.argv("--profile", profile, "--", runner.attack, "pid1", *words)
            with terminal.Terminal(runner, argv, host.project, launcher) as seen:
                seen.wait(60)
                escape.judge(report, "%s pid1 %s on a terminal" % (runner.who.label, profile), seen.seen.decode("latin1"))
        # Secrets that were passed by value or by name, looked for where another user could look too.
        escape.run(runner, report, "pid1", "canary=TOPSECRET-1234", options=["--env", "TOK"], cwd=host.project, env={"TOK": "TOPSECRET" + "-1234-x"},
                   label="with a passed secret")
        escape.nothing_left(runner, report, "pid1", {host.bystander})


if __name__ == "__main__":
    escape.main(__doc__, body)
