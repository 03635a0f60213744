#!/usr/bin/env python3
"""Every agent that can be installed completes a turn with a tool call, in strict, balanced and dev.

    turns_test.py --paddock PATH [--agents DIRECTORY] [--agent NAME]... [--profile NAME]... [--identity …]

A first start in a throw-away home: the product skips the agent's permissions, the scripted model asks for a command that
writes a file and commits it, and afterwards nothing else is left in the tree and nothing of the agent's own state was
taken for anything else. In strict the network, which is the way to the model, is granted by --net on. With
PADDOCK_TEST_SCALE of 3 and more all profiles for each agent, else one for each.

Agents that cannot complete a turn here go as far as they can, and are named with the reason.
"""

import argparse
import json
import os
import sys

import agents

PROFILES = ("strict", "balanced", "dev")
# One for each agent in an ordinary run. (agents_test.py has the first three in balanced.)
BEYOND_DAILY = ["amp", "codex", "copilot", "droid", "gemini", "qwen"]
DAILY = {"claude": "strict", "codex": "dev", "opencode": "strict", "gemini": "strict", "qwen": "dev",
         "copilot": "balanced", "droid": "balanced"}
STEP = "echo turn > turn.txt && git add turn.txt && cat turn.txt; id -u; cat /proc/[0-9]*/cmdline | tr '\\0' ' '"


def grant(profile):
    return ["--profile", profile] + (["--net", "on"] if profile == "strict" else [])


def made_project(identity, home):
    made = identity.run(["sh", "-c", agents.SETUP], home, home, {"KEY_CANARY": "k", "OTHER_CANARY": "o"})
    if made.returncode != 0:
        raise RuntimeError("setting up the project: " + made.stderr)
    # The project's own: strict shows nothing of the user's git settings.
    for words in (["user.name", "A Person"], ["user.email", "person@example.invalid"]):
        identity.run(["git", "config", *words], home, os.path.join(home, "project"))
    return os.path.join(home, "project")


def turn(agent, profile, identity, base, home, paddock, report):
    project = os.path.join(home, "project")
    check = lambda holds, what, detail="": report.check(holds, "%s: %s" % (profile, what), detail)
    git = lambda *words: identity.run(["git", *words], home, project).stdout.strip()
    commit = "git -C %s commit -q -m Turn" % project  # by itself and with its place: one of them looks at commits before it makes them
    with agents.model([agents.shell(STEP), agents.shell(commit), {"text": "TURN-" + "DONE"}], base, "turn-" + profile) as (port, requests):
        agent.set_up(port, home, identity)
        argv = [paddock, "run", *grant(profile), *agent.argv(port, agent.oneshot, "Do the step.")]
        run = identity.run(argv, home, project, agent.environment(port))
        results = agents.last_results(requests)
    said = "status %d\n%s\n%s" % (run.returncode, run.stdout, run.stderr)
    check(run.returncode == 0 and "TURN-DONE" in run.stdout, "the turn is completed", said)
    check(len(results) in (1, 2) and "turn\n" in "".join(results), "with a tool call that nobody was asked about", "\n".join(results) + said)
    check(agents.text_or_none(project + "/turn.txt") == "turn\n" and git("log", "-1", "--format=%s") == "Turn",
          "whose work is on disk and committed", git("log"))
    check(git("status", "--porcelain") == "", "nothing else is left in the tree", git("status", "--porcelain"))
    check(results and agents.KEY not in "".join(results), "no command line holds the key", results)
    check("\n0\n" not in "".join(results), "it is not uid 0 inside", results)
    strange = [line for line in run.stderr.splitlines() if "moved to" in line or "has changed" in line or "does not know" in line]
    check(not strange, "nothing of its own state is taken for anything else, and its options are known", "\n".join(strange))
    for path in agent.state:
        mode = os.stat(os.path.join(home, path)).st_mode & 0o7777 if os.path.isdir(os.path.join(home, path)) else 0
        check(mode == 0o700, "~/%s is there for its owner alone" % path, oct(mode))
    # The next profile starts from the same commit.
    identity.run(["git", "reset", "-q", "--hard", "HEAD~1"], home, project)


def as_far_as_it_goes(agent, identity, base, home, paddock, report):
    """It starts, says its version, and asks its service; there the way ends."""
    project = os.path.join(home, "project")
    version = identity.run([paddock, "run", agent.name, "--version"], home, project)
    report.check(version.returncode == 0 and agent.package.rsplit("@", 1)[1].split("-")[0] in version.stdout, "it says its version",
                 version.stdout + version.stderr)
    with agents.model([{"text": "x"}], base, "service") as (port, _):
        run = identity.run([paddock, "run", *agent.argv(port, agent.oneshot, "Hello.")], home, project, agent.environment(port))
        log = agents.text_or_none(os.path.join(base, "service.log")) or ""
    asked = [json.loads(line)["path"] for line in log.splitlines()]
    report.check(bool(asked), "it asks its service", run.stdout + run.stderr)
    print("skip %s: no turn: %s" % (report.label, agent.beyond), flush=True)


def body(profiles):
    def scenario(agent, identity, base, home, paddock, report):
        made_project(identity, home)
        if agent.beyond:
            return as_far_as_it_goes(agent, identity, base, home, paddock, report)
        everything = agents.SCALE >= 3
        for profile in profiles or (PROFILES if everything else (DAILY[agent.name],)):
            turn(agent, profile, identity, base, home, paddock, report)
    return scenario


def main():
    parser = argparse.ArgumentParser(description="A turn of every agent.")
    parser.add_argument("--paddock", required=True)
    parser.add_argument("--agents", default=agents.default_agents_directory(), help="a directory for the agents, kept")
    parser.add_argument("--agent", action="append", choices=sorted(agents.AGENTS), help="only this one; may be repeated")
    parser.add_argument("--profile", action="append", choices=PROFILES, help="only in this one; may be repeated")
    parser.add_argument("--identity", choices=["root", "ordinary", "unnamed", "both", "all"], default="ordinary")
    options = parser.parse_args()
    for name, reason in sorted(agents.NOT_INSTALLABLE.items()):
        print("skip %s: cannot be installed here: %s" % (name, reason))
    return agents.each(options, os.path.abspath(options.paddock), body(options.profile), sorted(agents.AGENTS) if agents.SCALE >= 3 else BEYOND_DAILY)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except agents.Skip as reason:
        print("skip: %s" % reason)
        sys.exit(agents.SKIPPED)
