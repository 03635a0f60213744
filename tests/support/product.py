"""Running the product, or raw bubblewrap in its place, as one of the identities."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time

import identity
import leftovers
from report import Report

SCALE = float(os.environ.get("PADDOCK_TEST_SCALE", "1"))
TIMEOUT_S = 60
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def scaled(count):
    return max(1, int(count * SCALE))


class Finished:
    def __init__(self, argv, code, out, err, seconds):
        self.argv, self.code, self.out, self.err, self.seconds = argv, code, out, err, seconds

    @property
    def text(self):
        return self.out.decode("latin1")

    @property
    def words(self):
        return self.err.decode("latin1")

    def __str__(self):
        return "$ %s\nexit %s\nstdout: %s\nstderr: %s" % (
            " ".join(self.argv)[:600], self.code, self.text[-800:], self.words[-1200:])


class Runner:
    """The product as one identity, with a home and a few programs of the suite's."""

    def __init__(self, paddock, who, programs):
        self.paddock, self.who, self.home = paddock, who, who.home
        self.programs = os.path.join(who.base, "programs")
        os.mkdir(self.programs, 0o755)
        for name in ("probe", "attack"):
            shutil.copy(os.path.join(programs, name), self.programs)
            os.chmod(os.path.join(self.programs, name), 0o755)
        self.probe = os.path.join(self.programs, "probe")
        self.attack = os.path.join(self.programs, "attack")
        self.built = programs  # where what the suites need was built: for root alone to look into

    def environment(self, more=None):
        base = {"PATH": PATH, "HOME": self.home, "TERM": "dumb", "LANG": "C.UTF-8", "SHELL": "/bin/sh"}
        if self.who.name:
            base.update(USER=self.who.name, LOGNAME=self.who.name)
        base.update(more or {})
        return {name: value for name, value in base.items() if value is not None}

    def argv(self, *words):
        """`paddock run WORDS`, with the suite's own programs in view."""
        return [self.paddock, "run", "--ro", self.programs, *words]

    def start(self, argv, cwd=None, env=None, **how):
        how.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(argv, cwd=cwd or self.home, env=self.environment(env), start_new_session=True,
                                **self.who.switch, **how)

    def execute(self, argv, cwd=None, env=None, input=None, timeout=TIMEOUT_S, **how):
        """Any program as this identity."""
        begun = time.monotonic()
        if input is not None:
            how["stdin"] = subprocess.PIPE
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        child = self.start(argv, cwd, env, **how)
        try:
            out, err = child.communicate(input, timeout=timeout)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            err = (err or b"") + b"\n(no end within %d s: killed)" % timeout
        return Finished(argv, child.returncode, out or b"", err or b"", time.monotonic() - begun)

    def run(self, *words, **how):
        return self.execute(self.argv(*words), **how)

    def sh(self, script, *options, **how):
        return self.run(*options, "--", "sh", "-c", script, **how)

    def git(self, *words, cwd, env=None):
        quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
        return self.execute(["git", *words], cwd=cwd, env={**quiet, **(env or {})})

    def repository(self, path):
        """A repository with one commit and an identity of its own."""
        self.execute(["sh", "-c", """set -e
            mkdir -p "$1"; cd "$1"; git init -q -b main .
            git config user.name 'A Person'; git config user.email person@example.invalid
            printf 'a file\\n' > file.txt; mkdir -p src/deep; printf 'deep\\n' > src/deep/file.txt
            git add -A; git commit -q -m Start""", "sh", path])
        return path


def reachable_copy(paddock, directory):
    """The programs where every identity can execute them: a checkout may lie in a private home."""
    place = os.path.dirname(paddock)
    up, open_to_all = place, True
    while up != "/":
        open_to_all = open_to_all and os.stat(up).st_mode & 0o001
        up = os.path.dirname(up)
    if open_to_all or os.getuid() != 0:
        return paddock
    os.makedirs(directory, 0o755)
    for name in ("paddock", "paddock-warden"):
        shutil.copy(os.path.join(place, name), directory)
    return os.path.join(directory, "paddock")


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--paddock", required=True, help="the program to test")
    parser.add_argument("--programs", help="where probe and attack are; tests/ beside the program otherwise")
    parser.add_argument("--identity", action="append", choices=["root", "ordinary", "unnamed"])
    parser.add_argument("only", nargs="*", help="run only what has one of these words in its name")
    return parser


def for_each_identity(options, body, wanted=None):
    """body(runner, report) for each identity that can be had; then the count, and the exit."""
    paddock = os.path.abspath(options.paddock)
    programs = options.programs or os.path.join(os.path.dirname(paddock), "tests")
    for needed in (paddock, os.path.join(programs, "probe"), os.path.join(programs, "attack")):
        if not os.path.exists(needed):
            raise SystemExit("%s is not built: ninja -C build/release suites" % needed)
    leftovers.adopt_orphans()
    # Ended from outside: users, homes and sockets go all the same.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    report = Report(options.only)
    labels = [label for label in identity.labels(wanted) if not options.identity or label in options.identity or label == "self"]
    if os.getuid() != 0:
        report.note("not root: run as this user alone")
    for label in labels:
        with identity.one(label) as who:
            program = reachable_copy(paddock, os.path.join(who.base, "product"))
            body(Runner(program, who, programs), report)
    report.finish()
