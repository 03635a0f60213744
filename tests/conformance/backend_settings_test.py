#!/usr/bin/env python3
"""[backends.bubblewrap]: the program that is named is used or refused, a changed one is tried afresh, a trial ends at its limit.

    backend_settings_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import json
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import product  # noqa: E402


class Settings:
    def __init__(self, runner, report):
        self.runner, self.report, self.label = runner, report, runner.who.label
        self.project = os.path.join(runner.home, "work/project")
        self.tools = os.path.join(runner.home, "tools")
        for place in (self.project, self.tools):
            os.makedirs(place)
        self.own()

    def own(self):
        self.runner.who.own(self.runner.home)

    def say(self, program=None, timeout=None):
        path = os.path.join(self.runner.home, ".config/paddock/config.toml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write("[backends.bubblewrap]\n")
            if program is not None:
                file.write("program = %s\n" % json.dumps(program))
            if timeout is not None:
                file.write("probe_timeout = %s\n" % timeout)
        self.own()

    def copy(self, place, mode=0o755, of="bwrap"):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy(shutil.which(of, path=product.PATH) or of, place)
        self.own()
        os.chmod(place, mode)
        return place

    def run(self, *options, env=None):
        return self.runner.sh("echo RAN", *options, cwd=self.project, env=env)

    def program(self, env=None):
        """The one that would be used."""
        done = self.runner.execute([self.runner.paddock, "explain", "--json", "--", "true"], cwd=self.project, env=env)
        return json.loads(done.out)["backend"]["program"] if done.code == 0 else done.words

    def check(self, holds, name, detail=""):
        self.report.check(holds, "%s: %s" % (self.label, name), detail)

    def is_used(self, name, wanted, env=None):
        done = self.run(env=env)
        self.check(done.text == "RAN\n" and self.program(env) == wanted, name, (self.program(env), done))

    def is_refused(self, name, word, *options, env=None):
        done = self.run(*options, env=env)
        self.check(done.code == 125 and not done.out and word in done.words, name + ": refused", done)


def named(s):
    usual = shutil.which("bwrap", path=product.PATH)
    for program in (None, ""):
        s.say(program)
        s.is_used("program %r is the usual one" % program, usual)
    own = s.copy(os.path.join(s.tools, "bwrap"))
    s.say(own)
    s.is_used("a full path", own)
    s.say("~/tools/bwrap")
    s.is_used("a path in home", own)
    s.say("bwrap")
    s.is_used("a command on PATH", own, env={"PATH": s.tools + ":" + product.PATH})
    for program, word in (("/no/such/bwrap", "/no/such/bwrap"), ("no-such-bwrap", "no-such-bwrap"), (s.tools, s.tools), ("/etc/passwd", "/etc/passwd")):
        s.say(program)
        s.is_refused("program %s, although the usual one would do" % program, word)
    s.say("tools/bwrap")
    done = s.run()
    s.check(done.code == 125 and "config.toml:2" in done.words and "full path" in done.words, "a relative path is no setting", done)
    s.say("/bin/false")
    s.is_refused("a program that is no bubblewrap", "bubblewrap")


def never_anybodys(s):
    for name, mode, word in (("writable-by-all", 0o777, "everybody"), ("setuid", 0o4755, "setuid"), ("not-executable", 0o644, "executable")):
        place = s.copy(os.path.join(s.tools, name))
        s.say(place)
        os.chmod(place, mode)  # last: a change of the owner takes the setuid bit away
        s.is_refused("a program that is " + name, word)
    place = s.copy(os.path.join(s.runner.home, "open/bwrap"))
    os.chmod(os.path.dirname(place), 0o777)
    s.say(place)
    s.is_refused("below a directory of everybody's", "everybody")
    inside = s.copy(os.path.join(s.project, "bwrap"))
    s.say(inside)
    s.is_refused("in the workspace", "write")
    s.check(s.run("--fs", "ro").text == "RAN\n", "in a read-only workspace it may lie", s.run("--fs", "ro"))
    s.say(None)
    marker = os.path.join(s.runner.home, "executed")
    with open(inside, "w") as file:
        file.write("#!/bin/sh\ntouch %s\n" % marker)
    s.own()
    done = s.run(env={"PATH": s.project + ":" + product.PATH})
    s.check(not os.path.exists(marker) or done.code == 125, "a planted one on PATH confines nothing", done)
    os.unlink(inside)


def changed(s):
    own = s.copy(os.path.join(s.tools, "changing"))
    s.say(own)
    s.is_used("before", own)
    os.unlink(own)
    s.copy(own, of="false")
    s.is_refused("changed into something else: tried afresh", "bubblewrap")
    os.unlink(own)
    s.copy(own)
    s.is_used("and again", own)
    other = s.copy(os.path.join(s.tools, "other"), of="false")
    s.say(other)
    s.is_refused("another one named: tried afresh", "bubblewrap")


def time_limit(s):
    silent = s.copy(os.path.join(s.tools, "silent"), of=s.runner.probe)
    s.say(silent, 1)
    done = s.run()
    s.check(done.code == 125 and not done.out and "1 s" in done.words, "a trial ends at its limit", done)
    for timeout in ("0", "31", "-1", '"5"', "2.5"):
        s.say(None, timeout)
        done = s.run()
        s.check(done.code == 125 and "config.toml:2" in done.words and "1 to 30" in done.words, "probe_timeout %s is none" % timeout, done)
    s.say(None, 30)
    s.check(s.run().text == "RAN\n", "30 is one", s.run())


def body(runner, report):
    settings = Settings(runner, report)
    for test in (named, never_anybodys, changed, time_limit):
        if report.wants(test.__name__):
            test(settings)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
