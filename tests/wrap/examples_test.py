#!/usr/bin/env python3
"""The example clients of docs/examples, for real, and the document beside them.

    examples_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import json
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True

import harness  # noqa: E402

EXAMPLES = os.path.join(harness.ROOT, "docs/examples")


def clients(runner):
    """Each client's command, where this identity can read it."""
    found = {}
    for name, interpreter in (("wrap.py", shutil.which("python3", path="/usr/bin")), ("wrap.mjs", shutil.which("node"))):
        if interpreter is None:
            continue
        place = os.path.join(runner.programs, name)
        shutil.copy(os.path.join(EXAMPLES, name), place)
        os.chmod(place, 0o644)
        found[name] = [os.path.realpath(interpreter), place]
    return found


def run_clients(h):
    found = clients(h.runner)
    for name in ("wrap.py", "wrap.mjs"):
        if name not in found:
            h.report.skip("%s: %s" % (h.label, name), "its interpreter is not installed")
    for name, client in found.items():
        def run(*words):
            return h.runner.execute([*client, *words], cwd=h.work, env={"PADDOCK": h.runner.paddock})
        done = run("sh", "-c", "echo out; echo err >&2; echo made > made; exit 5")
        if name == "wrap.mjs" and done.code == 126:
            h.report.skip("%s: %s" % (h.label, name), "node cannot be executed as this user")
            continue
        h.equal((done.code, done.out, done.words.splitlines()[:1]), (5, b"out\n", ["err"]), "%s: streams and code" % name, done)
        h.check(os.path.exists(os.path.join(h.work, "made")), "%s: the workspace is writable" % name)
        done = run("--mode", "read-only", "sh", "-c", "echo x > other")
        h.check(done.code != 0 and "denied: write (EROFS)" in done.words and not os.path.exists(os.path.join(h.work, "other")), "%s: a denied write is told" % name, done)
        done = run("no-such-program")
        h.check(done.code == 4 and "did not run" in done.words, "%s: what did not run" % name, done)
        done = run("--network", "local", "true")
        h.check(done.code == 3 and "refused (unsupported)" in done.words and "bubblewrap: " in done.words and "docker: " in done.words, "%s: refused with every reason" % name, done)
        done = run("--mask", "made", "cat", "made")
        h.check(done.code == 0 and not done.out, "%s: a mask" % name, done)
        done = run("--mode", "nonsense", "true")
        h.check(done.code == 3 and "refused (invalid)" in done.words, "%s: a wrong request" % name, done)


def document(h):
    """What docs/wrap.md shows is as the schema says."""
    with open(os.path.join(harness.ROOT, "docs/wrap.md")) as file:
        text = file.read()
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S)]
    h.check(len(blocks) >= 3, "there are examples")
    for block in blocks:
        wrong = harness.conforms(block, "reply" if "schema" in block else "request")
        h.check(not wrong, "an example is as the schema says", wrong)
    for word in [*harness.SCHEMA["$defs"]["request"]["properties"], *harness.SCHEMA["$defs"]["reply"]["required"]]:
        h.check("`%s`" % word in text, "%s is described" % word)


if __name__ == "__main__":
    harness.main(__doc__, [run_clients, document])
