"""Runs the cases of one family: functions named after the case that they hold, each given a fresh directory of its own."""

import contextlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import leftovers  # noqa: E402
import product  # noqa: E402


class Place:
    """Where one case works: `home` is the identity's, `work` a directory in it, `outside` one outside every grant."""

    def __init__(self, runner, report, name):
        self.runner, self.report, self.name = runner, report, name
        self.home = runner.home
        self.work = os.path.join(runner.home, "work", name)
        self.outside = os.path.join(runner.who.base, "outside-" + name)
        for path in (self.work, self.outside):
            os.makedirs(path)
        self.own()

    def own(self):
        self.runner.who.own(self.home)
        self.runner.who.own(self.outside)

    def write(self, path, text="", mode=0o644):
        """A file of the identity's; a relative path lies in `work`."""
        whole = os.path.join(self.work, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w") as file:
            file.write(text)
        os.chmod(whole, mode)
        self.own()
        return whole

    def read(self, path):
        try:
            with open(os.path.join(self.work, path)) as file:
                return file.read()
        except OSError as error:
            return type(error).__name__

    def check(self, holds, what, detail=""):
        return self.report.check(holds, "%s %s: %s" % (self.runner.who.label, self.name, what), detail)

    def equal(self, found, wanted, what, detail=""):
        return self.report.equal(found, wanted, "%s %s: %s" % (self.runner.who.label, self.name, what), detail)

    def skip(self, reason):
        self.report.skip("%s %s" % (self.runner.who.label, self.name), reason)


@contextlib.contextmanager
def private_mounts(*binds):
    """For this process and what it starts from here on: each (source, target) is bound. Root alone can.

    The namespace that was there before is entered again at the end."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    before = os.open("/proc/self/ns/mnt", os.O_RDONLY)
    if libc.unshare(0x20000) != 0:  # CLONE_NEWNS
        raise OSError("no private mount namespace")
    try:
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)
        for source, target in binds:
            if source is None:
                subprocess.run(["mount", "-t", "tmpfs", "tmpfs", target], check=True)
            else:
                subprocess.run(["mount", "--bind", source, target], check=True)
        yield
    finally:
        libc.setns(before, 0x20000)
        os.close(before)


def main(description, cases, wanted=None):
    def body(runner, report):
        for case in cases:
            name = case.__name__.split("_")[0]
            if not report.wants(case.__name__):
                continue
            case(runner, Place(runner, report, name))
        left = leftovers.processes_gone()
        report.check(not left, "%s: no process is left" % runner.who.label, leftovers.describe(left))
        leftovers.end(left)
    product.for_each_identity(product.arguments(description).parse_args(), body, wanted)
