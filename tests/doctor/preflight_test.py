#!/usr/bin/env python3
"""Before an agent's first run in a new kind of sandbox its program is asked for its version there; what does not run is told.

    preflight_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../conformance"))

import cases  # noqa: E402

MANIFEST = """
schema = 1
id = "fake"
display = "Fake"
bins = ["fake-agent"]
[environment]
pass = ["FAKE_KEY"]
%s
"""
# Notes in the project every call that it gets.
AGENT = """#!/bin/sh
echo "$@" >> calls
if [ "$1" = --version ]; then
  %s
  exit $?
fi
echo "RAN $@"
"""


class Fake:
    """An agent of the suite's, and how often it is asked."""

    def __init__(self, runner, place):
        self.runner, self.place = runner, place
        self.bin = os.path.join(runner.who.base, "bin-" + place.name)
        os.makedirs(self.bin, exist_ok=True)
        self.manifest()

    def manifest(self, more=""):
        self.place.write(os.path.join(self.place.home, ".config/paddock/harnesses/fake.toml"), MANIFEST % more)

    def install(self, answer):
        path = os.path.join(self.bin, "fake-agent")
        with open(path + ".new", "w") as file:
            file.write(AGENT % answer)
        os.chmod(path + ".new", 0o755)
        os.rename(path + ".new", path)

    def run(self, *options, cwd=None, env=None, words=("work",)):
        """How it ended, and the calls that it got."""
        cwd = cwd or self.place.work
        environment = {"PATH": self.bin + ":/usr/local/bin:/usr/bin:/bin", **(env or {})}
        done = self.runner.execute([self.runner.paddock, "run", *options, "fake", *words], cwd=cwd, env=environment)
        calls = os.path.join(cwd, "calls")
        made = []
        if os.path.exists(calls):
            with open(calls) as file:
                made = file.read().splitlines()
            os.unlink(calls)
        return done, made

    def gone(self):
        os.unlink(os.path.join(self.place.home, ".config/paddock/harnesses/fake.toml"))


def P01_asked_once(runner, place):
    fake = Fake(runner, place)
    fake.install("echo fake 1.0")
    done, calls = fake.run()
    place.check(done.code == 0 and done.text == "RAN work\n", "it runs, and what it said before is not seen", done)
    place.equal(calls, ["--version", "work"], "it is asked before its first run")
    place.equal(fake.run()[1], ["work"], "and not again")
    other = os.path.join(place.home, "work", "other-" + place.name)
    os.makedirs(other, exist_ok=True)
    place.own()
    place.equal(fake.run(cwd=other)[1], ["work"], "nor in another project")
    place.equal(fake.run(env={"TERM": "vt100", "FAKE_KEY": "x"})[1], ["--version", "work"], "with one variable more it is another sandbox")
    place.equal(fake.run(env={"TERM": "xterm", "FAKE_KEY": "y"})[1], ["work"], "whatever its value, and on any terminal")
    place.equal(fake.run("--net", "off")[1], ["--version", "work"], "without a network it is another")
    place.equal(fake.run()[1], ["work"], "the first one is still known")
    fake.install("echo fake 2.0")
    place.equal(fake.run()[1], ["--version", "work"], "after an update it is asked")
    place.equal(fake.run(words=("--version",))[1], ["--version"], "a person may ask too")
    place.check(not runner.sh("true", cwd=place.work).code, "a plain command is never asked")
    fake.gone()


def P02_what_does_not_run(runner, place):
    fake = Fake(runner, place)
    for answer, code, word in (("echo 'fake-agent: error while loading shared libraries: libfoo.so.1: cannot open' >&2; exit 127", 127, "libfoo.so.1"),
                               ("echo 'env: ‘node’: No such file or directory' >&2; (exit 127)", 127, "inside: node"),
                               ("echo 'Error: requires Node.js 22 or higher is required' >&2; (exit 1)", 125, "version of Node.js"),
                               ("echo; printf '\\033]0;owned\\007last words\\n'; (exit 3)", 125, "status 3"), ("kill -SEGV $$", 125, "signal 11")):
        fake.install(answer)
        for _ in range(2):
            done, calls = fake.run()
            place.equal((done.code, calls), (code, ["--version"]), word + ": nothing else is started, and it is asked again", done)
            place.check(word in done.words and "Fake" in done.words and not done.out, word + ": what is missing is said", done)
            place.check("\x1b" not in done.words, word + ": no control character of its own", done)
    place.check("last words" in fake_words(fake, "echo last words; (exit 3)"), "its last words are shown")
    fake.install("echo fake 3.0")
    place.equal(fake.run()[0].code, 0, "mended, it runs")
    fake.gone()


def fake_words(fake, answer):
    fake.install(answer)
    return fake.run()[0].words


def P03_one_that_hangs(runner, place):
    fake = Fake(runner, place)
    fake.manifest("[preflight]\ntimeout = 1\n")
    fake.install("echo begun; sleep 1000")
    done, calls = fake.run()
    place.equal((done.code, calls), (125, ["--version"]), "it is ended, and nothing else is started", done)
    place.check("within 1 s" in done.words and "begun" in done.words and "[preflight]" in done.words, "the limit is told", done)
    fake.gone()


def P04_by_its_manifest(runner, place):
    fake = Fake(runner, place)
    fake.install("false")
    fake.manifest("[preflight]\narguments = []\n")
    done, calls = fake.run()
    place.equal((done.code, calls), (0, ["work"]), "it may be left out", done)
    fake.manifest('[preflight]\narguments = ["version", "--short"]\n')
    place.equal(fake.run()[1], ["version --short", "work"], "or asked otherwise")
    fake.manifest('[preflight]\narguments = ["version"]\nmore = 1\n')
    done, calls = fake.run()
    place.check(done.code == 2 and calls == [] and "more" in done.words, "an unknown key is an error", done)
    fake.gone()


def P05_the_same_sandbox(runner, place):
    """It is asked where it will run: with its state, its environment, in its project, and not on the terminal."""
    fake = Fake(runner, place)
    fake.manifest('[[state]]\npath = "~/.fake"\ncode = [{ path = "settings.json", kind = "file", absent = "hold", content = "{}\\n" }]\ndata = ["log"]\n')
    fake.install('echo "$FAKE_KEY $(cat ~/.fake/settings.json) $(pwd) $(tty)" > ~/.fake/log; true')
    done, calls = fake.run(env={"FAKE_KEY": "k1"})
    place.equal((done.code, calls), (0, ["--version", "work"]), "it runs", done)
    log = os.path.join(place.home, ".fake/log")
    with open(log) as file:
        place.equal(file.read(), "k1 {} %s not a tty\n" % place.work, "all of it is there")
    place.check(not os.path.exists(os.path.join(place.home, ".fake/settings.json")), "no stand-in is left")
    fake.gone()


def P06_what_it_plants(runner, place):
    """A program that fails when it is asked is looked after like one that ran."""
    fake = Fake(runner, place)
    fake.install("echo x > .envrc; mkdir -p nested && cp -r /dev/null nested/.git 2>/dev/null; (exit 3)")
    done, calls = fake.run()
    place.equal((done.code, calls), (125, ["--version"]), "nothing else is started", done)
    place.check(".envrc" in done.words and not os.path.exists(os.path.join(place.work, ".envrc")), "what it planted is told and moved aside", done)
    fake.gone()


CASES = [value for name, value in sorted(globals().items()) if name[0] == "P" and name[1].isdigit() and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
