#!/usr/bin/env python3
"""Completions and manual pages say what --help says: every flag of every command, in bash, zsh and fish themselves.

    completion_test.py --paddock PROGRAM [WORD]...
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import shells  # noqa: E402
from report import Report  # noqa: E402

# What is typed, and what must be among the answers, and must not be.
OFFERED = [
    ("paddock ", {"run", "shell", "explain", "completion"}, {"--net"}),
    ("paddock --", {"--help", "--version"}, {"--net"}),
    ("paddock prof", {"profile"}, {"run"}),
    ("paddock run --net ", {"off", "local", "allow", "ask", "open", "on"}, {"claude"}),
    ("paddock run --net=o", {"off", "open", "on"}, {"allow"}),
    ("paddock run --sandbox-net o", {"off", "on"}, set()),
    ("paddock run --profile ", {"strict", "balanced", "dev", "mine"}, {"claude"}),
    ("paddock run --profile=mi", {"mine"}, {"strict"}),
    ("paddock shell --permissions ", {"skip", "ask"}, set()),
    ("paddock explain --fs ", {"rw", "ro", "cow"}, set()),
    ("paddock run --sandbox-type b", {"bubblewrap"}, set()),
    ("paddock run --sandbox=b", {"bubblewrap"}, set()),
    ("paddock run --without ", {"abstract_hidden"}, {"privileges_none"}),
    ("paddock run --env HO", {"HOME"}, {"PATH"}),
    ("paddock run cla", {"claude"}, {"strict"}),
    ("paddock run --net off -- cla", {"claude"}, {"off"}),
    ("paddock run --sandbox bubblewrap cla", {"claude"}, set()),
    ("paddock run claude --n", set(), {"--net"}),
    ("paddock profile ", {"list", "check"}, {"strict"}),
    ("paddock profile check ", {"strict", "mine"}, {"claude", "list"}),
    ("paddock harness ", {"list"}, set()),
    ("paddock help ", {"run", "explain"}, set()),
    ("paddock completion ", {"bash", "zsh", "fish"}, set()),
]


def flags_of(help_text):
    """The options that a help text lists: the words before two spaces at the left of a line."""
    flags = set()
    for line in help_text.splitlines():
        if line.startswith("  -"):
            flags |= set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", re.split(r" {2,}", line.strip())[0]))
    return flags


class Machine:
    def __init__(self, paddock, place):
        self.paddock, self.place = paddock, place
        self.home = os.path.join(place, "home")
        self.profiles = os.path.join(self.home, ".config/paddock/profiles")
        os.makedirs(self.profiles)
        self.write("mine", 'extends = "balanced"\n')
        os.mkdir(os.path.join(self.home, "some files"))

    def write(self, name, text):
        with open(os.path.join(self.profiles, name + ".toml"), "w") as out:
            out.write(text)

    def say(self, *words):
        done = subprocess.run([self.paddock, *words], env={"HOME": self.home, "PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, text=True)
        return done.stdout if done.returncode == 0 else ""

    def commands(self):
        listed = self.say("help").split("commands:\n")[1].split("\n\n")[0]
        return re.findall(r"^  ([a-z-]+)", listed, re.M)


def check_flags(machine, shell, report):
    for command in machine.commands():
        flags = flags_of(machine.say(command, "--help"))
        report.check(len(flags) >= 2, "help.flags/" + command, flags)
        offered = shell.offers("paddock %s -" % command) | shell.offers("paddock %s --" % command)
        report.equal({flag for flag in flags if flag not in offered}, set(), "%s.flags/%s" % (shell.name, command), sorted(offered))


def check_values(shell, report):
    for line, wanted, unwanted in OFFERED:
        name = "%s.offers/%s" % (shell.name, line)
        if report.wants(name):
            offered = shell.offers(line)
            report.check(wanted <= offered and not unwanted & offered, name, "%s\nmissing %s, too much %s" % (
                sorted(offered)[:60], wanted - offered, unwanted & offered))


def check_files(machine, shell, report):
    for flag in ("--ro", "--sandbox-workspace"):
        offered = {offer.strip("/'\"").replace("\\", "") for offer in shell.offers("paddock run %s some" % flag)}
        report.check("some files" in offered, "%s.files/%s" % (shell.name, flag), offered)
    offered = shell.offers("paddock run --memory some")
    report.check(not any(offer.startswith("some") for offer in offered), "%s.no_files/--memory" % shell.name, offered)


def check_hostile_names(machine, shell, report):
    """A profile's name is a file's name: nothing in it is run or breaks the list."""
    mark = os.path.join(machine.home, "executed")
    hostile = ["$(touch executed)", "`touch executed`", "a;touch executed", "*", "-rf", "two words", "x\x1b[2Jy"]
    for name in hostile:
        machine.write(name, 'extends = "balanced"\n')
    try:
        offered = shell.offers("paddock run --profile ")
        report.check({"strict", "mine"} <= offered, shell.name + ".hostile/others", offered)
        report.check(not any(set("$`;*\x1b(") & set(offer) for offer in offered), shell.name + ".hostile/names", offered)
        report.check(not os.path.exists(mark), shell.name + ".hostile/executed")
    finally:
        for name in hostile:
            os.unlink(os.path.join(machine.profiles, name + ".toml"))


def check_shell(machine, kind, report):
    if shutil.which(kind.name) is None:
        return report.skip(kind.name, "%s is not installed" % kind.name)
    script = os.path.join(machine.place, "completion." + kind.name)
    with open(script, "w") as out:
        out.write(machine.say("completion", kind.name))
    shell = kind(script, os.path.dirname(machine.paddock), machine.home)
    try:
        check_flags(machine, shell, report)
        check_values(shell, report)
        check_files(machine, shell, report)
        check_hostile_names(machine, shell, report)
    finally:
        shell.close()
    without = kind(script, os.path.join(machine.place, "nowhere"), machine.home)
    try:
        report.check("--net" in without.offers("paddock run --n"), kind.name + ".without_paddock")
    finally:
        without.close()


def check_typed(machine, report):
    """Bash's own line editor: what the keys make of a line, as the words that the command then gets."""
    if shutil.which("bash") is None:
        return report.skip("bash.typed", "bash is not installed")
    bash = shells.Typing(["bash", "--norc", "--noprofile", "-i"], os.path.dirname(machine.paddock), machine.home)
    try:
        bash.type("source %s; paddock() { printf '<%%s>' \"$@\"; echo; }; PS1=; echo U'P'\n" % os.path.join(machine.place, "completion.bash"))
        report.check(bash.expect("UP"), "bash.typed/up", bash.seen)
        bash.type("paddock run --prof\tstr\t--net=of\t--ro some\t\n")
        report.check(bash.expect("<run><--profile><strict><--net=off><--ro><some files/>"), "bash.typed/line", bash.seen)
    finally:
        bash.close()


def check_page(machine, name, text, report):
    page = os.path.join(machine.place, name + ".1")
    with open(page, "w") as out:
        out.write(text)
    for program, argv in (("mandoc", ["mandoc", "-T", "lint", page]), ("man", ["man", "--warnings", "-l", page])):
        if shutil.which(program) is None:
            report.skip("%s/%s" % (program, name), "%s is not installed" % program)
            continue
        done = subprocess.run(argv, env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "MANWIDTH": "80", "MANPAGER": "cat", "HOME": machine.home},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, text=True)
        said = done.stderr + (done.stdout if program == "mandoc" else "")
        report.check(done.returncode == 0 and not said.strip(), "%s/%s" % (program, name), said)


def check_pages(machine, report):
    overview = machine.say("help", "--man")
    check_page(machine, "paddock", overview, report)
    for command in machine.commands():
        text = machine.say("help", "--man", command)
        check_page(machine, "paddock-" + command, text, report)
        plain = text.replace("\\-", "-")
        missing = {flag for flag in flags_of(machine.say(command, "--help")) if "\\fB%s\\fR" % flag not in plain}
        report.equal(missing, set(), "man.flags/" + command)
        report.check("paddock-%s (1)" % command in overview.replace("\\-", "-"), "man.listed/" + command)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paddock", required=True)
    parser.add_argument("only", nargs="*")
    options = parser.parse_args()
    report = Report(options.only)
    with tempfile.TemporaryDirectory(prefix="pdk-") as place:
        machine = Machine(os.path.abspath(options.paddock), place)
        report.check(len(machine.commands()) > 5, "help.commands", machine.say("help"))
        for kind in shells.SHELLS.values():
            if report.wants(kind.name):
                check_shell(machine, kind, report)
        if report.wants("bash.typed"):
            check_typed(machine, report)
        if report.wants("man"):
            check_pages(machine, report)
    report.finish()


if __name__ == "__main__":
    main()
