"""What a suite found: one line a check, a count at the end, an exit status for ctest."""

import sys

SKIPPED = 77


class Report:
    """`only`: names that hold one of these words are run, all others are passed over."""

    def __init__(self, only=()):
        self.only = list(only)
        self.passed, self.failed, self.skipped = 0, [], []

    def wants(self, name):
        return not self.only or any(word in name for word in self.only)

    def check(self, holds, name, detail=""):
        """One expectation. Passing ones are counted and not printed."""
        if holds:
            self.passed += 1
            return True
        self.failed.append(name)
        print("FAIL %s" % name, flush=True)
        for line in str(detail).strip()[-3000:].splitlines():
            print("     | %s" % line, flush=True)
        return False

    def equal(self, found, wanted, name, detail=""):
        return self.check(found == wanted, name, "found  %r\nwanted %r\n%s" % (found, wanted, detail))

    def skip(self, name, reason):
        self.skipped.append(name)
        print("skip %s: %s" % (name, reason), flush=True)

    def note(self, text):
        print("     %s" % text, flush=True)

    def finish(self):
        print("%d held, %d failed, %d skipped" % (self.passed, len(self.failed), len(self.skipped)), flush=True)
        for name in self.failed:
            print("  failed: %s" % name)
        sys.exit(1 if self.failed else 0 if self.passed else SKIPPED)


def skip_suite(reason):
    print("skipped: %s" % reason, flush=True)
    sys.exit(SKIPPED)
