#!/usr/bin/env python3
"""What the machine's ceiling forbids is no answer with less: `forbidden`, with every breach; and what was wrapped before a
ceiling came does not start under it."""

import contextlib
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../conformance"))

import cases  # noqa: E402
import cases_files  # noqa: E402
import harness  # noqa: E402


@contextlib.contextmanager
def ceiling(h, text):
    etc = os.path.join(h.runner.who.base, "etc")
    shutil.rmtree(etc, ignore_errors=True)
    cases_files.copy_etc(etc)
    os.makedirs(os.path.join(etc, "paddock"), exist_ok=True)
    with open(os.path.join(etc, "paddock/config.toml"), "w") as file:
        file.write(text)
    for path in (etc, os.path.join(etc, "paddock"), os.path.join(etc, "paddock/config.toml")):
        os.chown(path, 0, 0)
        os.chmod(path, 0o644 if path.endswith(".toml") else 0o755)
    with cases.private_mounts((etc, "/etc")):
        yield
    shutil.rmtree(etc, ignore_errors=True)


def forbidden(h, what, words, **more):
    done, reply = h.ask(h.request("true", **more))
    error = (reply or {}).get("error") or {}
    h.check(done.code == 1 and error.get("kind") == "forbidden", "forbidden: " + what, done)
    told = " ".join(error.get("breaches", ()))
    for word in words:
        h.check(word in told, "%s: a breach names %s" % (what, word), done)


def what_is_beyond_it(h):
    link = os.path.join(h.runner.home, "area/way")
    os.makedirs(os.path.dirname(link), exist_ok=True)
    if not os.path.islink(link):
        os.symlink(h.scratch, link)
    cases_of_it = (
        ("the network", '[network]\nmode = "off"\n', ["network.mode", "on"], {"network": "all"}),
        ("a writable root", "[filesystem]\nwrite = []\n", ["filesystem.write", h.scratch], {"writable_roots": [h.scratch]}),
        ("all of the machine", "[filesystem]\nwrite = [\"/srv\"]\n", ["filesystem.write"], {"mode": "unrestricted"}),
        ("where a link leads", "[filesystem]\nwrite = [\"%s\"]\n" % os.path.dirname(link), [h.scratch], {"writable_roots": [link]}),
        ("another workspace", "[ceiling]\nworkspaces = [\"/srv\"]\n", [h.work], {}),
        ("the host's temporary files", '[ceiling]\nforbid = ["temp_host"]\n', ["temp_host"], {"temp": "host"}),
        ("the whole host in view", '[filesystem]\nworld = "minimal"\n', ["filesystem.world"], {}),
        ("a variable", '[environment]\npass = ["PATH"]\n', ["OTHER"], {"environment": {"OTHER": "SECRETVALUE"}}),
        ("no confinement", '[ceiling]\nforbid = ["no_sandbox"]\n', ["no_sandbox"], {"mode": "unrestricted", "network": "all"}),
    )
    for what, text, words, more in cases_of_it:
        with ceiling(h, text):
            forbidden(h, what, words, **more)
    os.unlink(link)


def what_it_hides_is_hidden(h):
    h.write("kept/secret", "SECRETCONTENT\n")
    with ceiling(h, '[filesystem]\nmask = ["%s/kept/**"]\nprotect = ["%s/plain"]\n' % (h.work, h.work)):
        h.write("plain", "before\n")
        done = h.sh("cat kept/secret; echo evil > plain; echo fine > other")
        h.check("SECRETCONTENT" not in done.text, "its masks hold", done)
        with open(os.path.join(h.work, "plain")) as file:
            h.equal(file.read(), "before\n", "its protections hold", done)
        h.check(os.path.exists(os.path.join(h.work, "other")), "and the rest works", done)


def one_that_comes_later(h):
    reply = h.wrap("sh", "-c", "echo RAN", network="all")
    unconfined = h.wrap("sh", "-c", "echo RAN", mode="unrestricted", network="all")
    with ceiling(h, '[network]\nmode = "off"\n[ceiling]\nforbid = ["no_sandbox"]\n'):
        for one in (reply, unconfined):
            done = h.start(one)
            h.check("RAN" not in done.text and harness.did_not_run(one, done), "it does not start", done)
            h.check("ceiling" in done.words, "and says why", done)
    for one in (reply, unconfined):
        h.check("RAN" in h.start(one).text, "without it, it starts")


if __name__ == "__main__":
    if os.geteuid() != 0:
        harness.reporting.skip_suite("only root can give a machine another ceiling")
    harness.main(__doc__, [what_is_beyond_it, what_it_hides_is_hidden, one_that_comes_later])
