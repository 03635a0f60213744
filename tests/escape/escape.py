"""Runs attack programs inside sandboxes and judges their lines: `ok NAME`, `ESCAPED NAME detail`, `skip NAME reason`,
`broken NAME why`, and `end` when the program has come to its end."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import leftovers  # noqa: E402
import product  # noqa: E402

PROFILES = ("strict", "balanced")


# The whole machine in view: whatever a suite hides has to be masked there.
HOST_WORLD = 'extends = "balanced"\n[filesystem]\nworld = "host"\n'


def write_host_world(runner, home):
    """The profile `whole` of this home."""
    directory = os.path.join(home, ".config/paddock/profiles")
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "whole.toml"), "w") as file:
        file.write(HOST_WORLD)
    runner.who.own(home)
    return "whole"


def lines_of(text):
    """[(verdict, name, detail)] of what a program printed, and whether it came to its end."""
    found, ended = [], False
    for line in text.split("\n"):
        line = line.rstrip("\r")
        verdict, _, rest = line.partition(" ")
        if line == "end":
            ended = True
        elif verdict in ("ok", "ESCAPED", "skip", "broken"):
            name, _, detail = rest.partition(" ")
            found.append((verdict, name, detail))
    return found, ended


def judge(report, label, text, context=""):
    """One check a line; returns the number of lines."""
    found, ended = lines_of(text)
    for verdict, name, detail in found:
        if verdict == "skip":
            report.skip("%s %s" % (label, name), detail)
        else:
            report.check(verdict == "ok", "%s %s" % (label, name), "%s %s" % (verdict, detail))
    report.check(ended and found, "%s came to its end" % label, "%s\n%s" % (text[-600:], context))
    return len(found)


def run(runner, report, program, *words, options=(), label="", **how):
    """`attack PROGRAM WORDS` in a sandbox with these options."""
    how.setdefault("timeout", 150)
    done = runner.run(*options, "--", runner.attack, program, *words, **how)
    name = " ".join([runner.who.label, program, *options, label]).strip()
    judge(report, name, done.text, done)
    return done


def nothing_left(runner, report, what, but=()):
    left = leftovers.processes_gone(but=but)
    report.check(not left, "%s %s: no process is left" % (runner.who.label, what), leftovers.describe(left))
    leftovers.end(left)


class Unchanged:
    """Everything below `paths` and every mount, as it was; `allowed` names may come."""

    def __init__(self, report, name, paths, allowed=()):
        self.report, self.name, self.paths, self.allowed = report, name, paths, allowed

    def __enter__(self):
        self.before = [leftovers.tree(path) for path in self.paths]
        self.mounts = leftovers.mounts()
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            return
        for path, before in zip(self.paths, self.before):
            after = {name: facts for name, facts in leftovers.tree(path).items() if not any(name.startswith(word) for word in self.allowed)}
            before = {name: facts for name, facts in before.items() if not any(name.startswith(word) for word in self.allowed)}
            self.report.check(before == after, "%s: the host is unchanged: %s" % (self.name, os.path.basename(path)), leftovers.difference(before, after))
        self.report.equal(leftovers.mounts(), self.mounts, "%s: no mount is left" % self.name)


def main(description, body, wanted=None):
    product.for_each_identity(product.arguments(description).parse_args(), body, wanted)
