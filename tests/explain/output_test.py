#!/usr/bin/env python3
"""`paddock explain` answers, in words and as JSON, with the right exit status, and leaves the machine as it was.

    output_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import json
import os
import pty
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import leftovers  # noqa: E402
import product  # noqa: E402

KEYS = ["schema", "plan", "backend", "refused", "fits", "guarantees", "relaxations", "warnings"]
BACKEND_KEYS = ["name", "version", "program", "held", "missing", "unmet"]
ASKED = [[], ["--profile", "strict", "--net", "off"], ["--profile", "dev"], ["--fs", "ro"], ["--mask", ".env", "--protect", "src/"],
         ["--rw", "~/data?"], ["--fs", "cow"], ["--no-sandbox"]]
FAILS = (["--fs", "cow"],)
COMMANDS = [[], ["--", "sh", "-c", "true"], ["--", "claude", "-p", "a prompt"]]


def prepare(runner):
    project = runner.repository(os.path.join(runner.home, "project"))
    agent = os.path.join(runner.home, "bin/claude")
    for place in (agent, os.path.join(project, ".env")):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w") as file:
            file.write("#!/bin/sh\n")
        os.chmod(place, 0o755)
    runner.who.own(runner.home)
    return project


def path_with_agent(runner):
    return os.path.join(runner.home, "bin") + ":" + product.PATH


def check_json(report, done, label, fits):
    answer = json.loads(done.out)
    report.equal(list(answer), KEYS, label + ": the keys are always the same", done)
    report.equal(answer["schema"], "paddock.explain/1", label + ": the schema is named")
    report.equal(answer["fits"], fits, label + ": fits")
    report.equal(list(answer["backend"]), BACKEND_KEYS, label + ": the backend's keys")
    required, held = answer["guarantees"]["required"], answer["guarantees"]["held"]
    report.equal(set(required) == set(held), fits, label + ": all that is required is held, exactly when it fits")


def check_leaves_nothing(report, runner, project):
    """Paddock's own state is elsewhere here, so not even that changes."""
    state = os.path.join(runner.who.base, "state")
    os.mkdir(state, 0o700)
    runner.who.own(state)
    os.chown(state, runner.who.uid, runner.who.gid)
    env = {"XDG_STATE_HOME": state, "PATH": path_with_agent(runner)}
    before = leftovers.tree(runner.home)
    for options in ASKED:
        for command in COMMANDS:
            for form in ([], ["--json"], ["--argv"]):
                label = " ".join(["%s: explain" % runner.who.label, *form, *options, *command])
                done = runner.execute([runner.paddock, "explain", *form, *options, *command], cwd=project, env=env)
                fits = options not in FAILS
                report.equal(done.code, 0 if fits else 1, label + ": exit status", done)
                report.check(form == ["--argv"] or done.err == b"", label + ": nothing on stderr", done)
                if form == ["--json"]:
                    check_json(report, done, label, fits)
    after = leftovers.tree(runner.home)
    report.check(before == after, "%s: home and project are as they were" % runner.who.label, leftovers.difference(before, after))


def check_own_state_only(report, runner, project):
    before = leftovers.tree(runner.home)
    done = runner.execute([runner.paddock, "explain", "--", "claude"], cwd=project, env={"PATH": path_with_agent(runner)})
    report.equal(done.code, 0, "%s: explain with its usual state" % runner.who.label, done)
    new = [name for name in leftovers.tree(runner.home) if name not in before]
    allowed = (".local", ".local/state", ".local/state/paddock")
    strange = [name for name in new if name not in allowed and not name.startswith(".local/state/paddock/")]
    report.equal(strange, [], "%s: only Paddock's own state is new" % runner.who.label)


def check_refusal(report, runner, project):
    done = runner.execute([runner.paddock, "explain", "--fs", "cow"], cwd=project)
    report.check("workspace_copy" in done.text and "fix: use --fs rw or --fs ro" in done.text, "%s: the reason and the fix are there" % runner.who.label, done)
    report.check("Workspace" in done.text and "Environment" in done.text, "%s: the plan is there all the same" % runner.who.label, done)
    done = runner.execute([runner.paddock, "explain", "--json", "--argv"], cwd=project)
    report.equal((done.code, done.out), (2, b""), "%s: --json and --argv exclude each other" % runner.who.label, done)
    done = runner.execute([runner.paddock, "explain", "--", "no-such-program"], cwd=project)
    report.check(done.code == 0 and "no-such-program is not on this machine's PATH" in done.text, "%s: a command that is not there is warned about" % runner.who.label, done)


def seen_on_terminal(runner, project, env):
    """Output to a terminal, as it comes."""
    ours, theirs = pty.openpty()
    child = runner.start([runner.paddock, "explain"], cwd=project, env=env, stdout=theirs)
    os.close(theirs)
    out = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        out += more
    os.close(ours)
    child.wait()
    return out


def check_colour(report, runner, project):
    label = runner.who.label
    report.check(b"\x1b[1m" in seen_on_terminal(runner, project, {"TERM": "xterm"}), "%s: headings are bold on a terminal" % label)
    for env in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}):
        report.check(b"\x1b" not in seen_on_terminal(runner, project, env), "%s: plain with %s" % (label, env))
    done = runner.execute([runner.paddock, "explain"], cwd=project, env={"TERM": "xterm"})
    report.check(b"\x1b" not in done.out, "%s: plain on a pipe" % label)


def check_secrets(report, runner, project):
    env = {"A_TOKEN": "CANARY-host", "OTHER_SECRET": "CANARY-unnamed"}
    for form in ([], ["--json"], ["--argv"]):
        done = runner.execute([runner.paddock, "explain", *form, "--env", "A_TOKEN", "--env", "GIVEN=CANARY-given"], cwd=project, env=env)
        report.check("A_TOKEN" in done.text and "GIVEN" in done.text, "%s: %s names what is passed" % (runner.who.label, form), done)
        report.check("CANARY" not in done.text + done.words, "%s: %s shows no value" % (runner.who.label, form), done)


def body(runner, report):
    project = prepare(runner)
    for check in (check_leaves_nothing, check_refusal, check_colour, check_secrets, check_own_state_only):
        if report.wants(check.__name__):
            check(report, runner, project)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
