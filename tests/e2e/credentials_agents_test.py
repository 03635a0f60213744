#!/usr/bin/env python3
"""The real agents under the credential modes, and with their own permission checks kept.

    credentials_agents_test.py --paddock PATH [--agents DIRECTORY] [--agent NAME]... [--identity root|ordinary|both]

none: the agent works when its key is named, and leaves nothing. private: a conversation is continued from a state of the
project's own, and the agent's usual directories stay as they are. --permissions ask: what the model asks for is refused, as
nobody is there to allow it, and with the checks skipped the same is done.

Exit status: 0 all held, 1 something did not, 77 skipped, with the reason.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))

import agents  # noqa: E402
import leftovers  # noqa: E402

THREE = ["claude", "codex", "opencode"]

# Whose own checks refuse a command that nobody allows. opencode's allow it as long as nothing else is configured.
ASKS = ("claude", "codex")


def said(run):
    return "status %d\n%s\n%s" % (run.returncode, run.stdout[-1500:], run.stderr[-1500:])


class Scene:
    def __init__(self, agent, identity, base, home, paddock):
        self.agent, self.identity, self.base, self.home, self.paddock = agent, identity, base, home, paddock
        self.project = os.path.join(home, "project")
        made = identity.run(["sh", "-c", agents.SETUP], home, home, {"KEY_CANARY": "x", "OTHER_CANARY": "x"})
        if made.returncode != 0:
            raise RuntimeError("setting up the project: " + made.stderr)

    def run(self, turns, words, *options):
        """The run, and what the tools answered."""
        with agents.model(turns, self.base, "model") as (port, requests):
            argv = [self.paddock, "run", *options, *self.agent.argv(port, words, "Do it.")]
            run = self.identity.run(argv, self.home, self.project, self.agent.environment(port))
            return run, agents.last_results(requests)

    def state(self):
        """The agent's usual directories on the host."""
        return {path: leftovers.tree(os.path.join(self.home, path)) for path in self.agent.state}


def scenario(agent, identity, base, home, paddock, report):
    scene = Scene(agent, identity, base, home, paddock)
    names = [word for name in agent.environment(1) for word in ("--env", name)]

    run, _ = scene.run([{"text": "ANSWERED"}], agent.oneshot, "--credentials", "none", *names)
    report.check("ANSWERED" in run.stdout, "none: it works when its key is named", said(run))
    report.check(not any(scene.state().values()), "none: it leaves nothing", scene.state())

    before = scene.state()
    run, _ = scene.run([agents.shell("echo one"), {"text": "FIRST"}], agent.oneshot, "--credentials", "private")
    report.check("FIRST" in run.stdout, "private: a first run", said(run))
    run, results = scene.run([agents.shell("echo one"), {"text": "FIRST"}, agents.shell("echo two"), {"text": "SECOND"}], agent.continued, "--credentials", "private")
    report.check("SECOND" in run.stdout and len(results) == 2, "private: the conversation continues, with its history", said(run) + "\n".join(results))
    report.check(scene.state() == before, "private: its usual directories are as before", scene.state())
    private = os.path.join(home, ".local/share/paddock/private")
    report.check(os.path.isdir(private) and os.stat(private).st_mode & 0o7777 == 0o700, "private: the state is Paddock's, for its owner alone")

    for permissions in ("ask", "skip"):
        mark = os.path.join(scene.project, "made-" + permissions)
        run, results = scene.run([agents.shell("touch " + mark), {"text": "ENDED"}], agent.oneshot, "--permissions", permissions)
        report.check("ENDED" in run.stdout, "permissions %s: the run ends" % permissions, said(run))
        done = os.path.exists(mark)
        wanted = permissions == "skip" or agent.name not in ASKS
        report.check(done == wanted, "permissions %s: the command is %s" % (permissions, "run" if wanted else "refused"), "\n".join(results) + said(run))


def main():
    parser = argparse.ArgumentParser(description="Real agents under the credential modes.")
    parser.add_argument("--paddock", required=True, help="the product's program")
    parser.add_argument("--agents", default=agents.default_agents_directory(), help="a directory for the agents, kept")
    parser.add_argument("--agent", action="append", choices=THREE, help="only this one; may be repeated")
    parser.add_argument("--identity", choices=["root", "ordinary", "both"], default="ordinary")
    options = parser.parse_args()
    return agents.each(options, os.path.abspath(options.paddock), scenario, THREE if agents.SCALE >= 3 else ["codex"])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except agents.Skip as reason:
        print("skip: %s" % reason)
        sys.exit(agents.SKIPPED)
