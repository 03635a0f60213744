#!/usr/bin/env python3
"""Requests that are wrong are refused as a whole, with the key that is wrong, and nothing is stored.

    requests_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import json
import os
import sys

sys.dont_write_bytecode = True

import harness  # noqa: E402

LONG = "x" * 200_000


def changes(base):
    """(what is wrong, the request, a word of the message)."""
    def but(**more):
        return {**base, **more}
    for key in ("command", "cwd", "workspace_root", "mode", "network"):
        yield "without " + key, {name: value for name, value in base.items() if name != key}, key
    for key in ("maskPaths", "mask_path", "commnd", "writableRoots", "env", "__proto__", "", "a\nb"):
        yield "unknown key %r" % key, but(**{key: []}), "no such key"
    for key in base:
        for value in (None, 1, 1.5, True, {}, "x", ["x"], [1], [["x"]], [None]):
            if type(value) is not type(base[key]) or value in ([1], [["x"]], [None]):
                yield "%s = %r" % (key, value), but(**{key: value}), key
    for key in ("writable_roots", "mask_paths"):
        for value in (None, "x", {}, [1], ["relative"], [""], ["/a/../b"], ["/.."], ["/a\0b"], ["~/x"], ["/" + LONG], ["/"], ["/x"] * 5000):
            yield "%s = %.40r" % (key, value), but(**{key: value}), key
    for key in ("cwd", "workspace_root"):
        for value in ("", "relative", "./x", "~", "/a/..", "/a/../b", "/a\0", "/" + LONG):
            yield "%s = %.40r" % (key, value), but(**{key: value}), key
    for key, values in (("mode", ("", "Read-Only", "rw", "workspace_write", "danger-full-access")), ("network", ("", "on", "off", "ALL")), ("temp", ("", "closed", "tmp", None, 1))):
        for value in values:
            yield "%s = %r" % (key, value), but(**{key: value}), key
    yield "the whole machine as a workspace", but(workspace_root="/", mode="workspace-write"), "workspace_root"
    for value in ([], [""], ["", "x"], ["a\0b"], ["x", LONG], ["x"] * 70_000):
        yield "command = %.30r" % value, but(command=value), "command"
    for value in (None, [], "A=b", {"A": 1}, {"A": None}, {"A": ["b"]}, {"": "b"}, {"A=B": "c"}, {"A\0": "c"}, {"A": "b\0c"}, {"A": LONG}, {"V%d" % i: "" for i in range(5000)}):
        yield "environment = %.40r" % (value,), but(environment=value), "environment"


def texts(base):
    good = json.dumps(base)
    yield "nothing", b""
    yield "no JSON", b"paddock run"
    yield "a list", b"[]"
    yield "a string", b'"x"'
    yield "null", b"null"
    yield "cut short", good[:-1].encode()
    yield "trailing text", (good + "x").encode()
    yield "two objects", (good + good).encode()
    yield "a key twice", good.replace('"mode"', '"mode": "read-only", "mode"').encode()
    yield "a variable twice", good.replace("}", ', "environment": {"A": "1", "A": "2"}}').encode()
    yield "bytes that are no UTF-8", good.encode().replace(b"read-only", b"read-\xff")
    yield "half of a surrogate pair", good.replace("read-only", "\\ud800").encode()
    yield "comments", good.replace("{", "{ // x\n", 1).encode()
    yield "nested deeply", b'{"command": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"
    yield "NaN", good.replace('"read-only"', "NaN").encode()
    yield "too large", good.replace("{", "{" + " " * (5 << 20), 1).encode()


def refused(h, what, request, word):
    done, reply = h.ask(request)
    h.check(done.code == 2 and reply is not None and reply["error"] and reply["error"]["kind"] == "invalid", "invalid: " + what, done)
    if reply and reply["error"]:
        h.check(word in reply["error"]["message"], "%s: the message names %s" % (what, word), reply["error"]["message"][:300])
        h.check(reply["error"]["message"] in done.words or "\n" in reply["error"]["message"], "%s: people are told too" % what, done)
    h.check("SECRETVALUE" not in done.words + done.text, "%s: no value of a variable is repeated" % what, done)


def wrong_requests(h):
    base = h.request("true", mode="read-only")
    for what, request, word in changes(base):
        refused(h, what, request, word)
    for what, text in texts(base):
        refused(h, what, text, "request")
    refused(h, "a secret beside what is wrong", {**base, "environment": {"KEY": "SECRETVALUE", "OTHER": 1}}, "environment")
    refused(h, "a secret that is too long", {**base, "environment": {"KEY": "SECRETVALUE" * 20_000}}, "environment")
    h.check(not os.path.exists(h.state) or not [name for name in os.listdir(h.state) if len(name) == 64], "nothing was stored")


def suggestions(h):
    base = h.request("true")
    for wrong, right in (("mask_path", "mask_paths"), ("writable_root", "writable_roots"), ("enviroment", "environment"), ("temps", "temp")):
        done, reply = h.ask({**base, wrong: []})
        h.check(reply and '"%s"' % right in reply["error"]["message"], "%s is told of %s" % (wrong, right), done)


def right_requests_are_as_the_schema_says(h):
    for request in (h.request("true"), h.request("true", writable_roots=[h.scratch], mask_paths=["/nowhere"], temp="host", environment={"A": "b", "odd.name": ""}),
                    h.request("sh", "-c", "true", mode="unrestricted", network="all"), h.request("true", mode="read-only", network="all")):
        h.equal(harness.conforms(request, "request"), "", "a request by the schema")
        done, reply = h.ask(request)
        h.check(reply is not None and reply["error"] is None, "and it is taken", done)
    for what, request, _ in changes(h.request("true", mode="read-only")):
        if "\0" not in json.dumps(request) and ".." not in json.dumps(request) and "\\u0000" not in json.dumps(request) and LONG not in json.dumps(request):
            known = what in ("the whole machine as a workspace",) or "['/']" in what or "environment = {'" in what or what.startswith("command = ['")
            h.check(harness.conforms(request, "request") != "" or known, "the schema refuses it too: " + what)


def from_a_file(h):
    place = h.write("request.json", json.dumps(h.request("true")))
    done = h.runner.execute([h.runner.paddock, "wrap", "--request", place])
    h.check(done.code == 0 and json.loads(done.out)["error"] is None, "a request in a file", done)
    for words in (["--request", os.path.join(h.work, "absent")], ["--request", h.work], ["extra"], ["--request"], ["--reqest", place], ["--request", "/dev/zero"]):
        done = h.runner.execute([h.runner.paddock, "wrap", *words])
        h.check(done.code == 2 and done.words, "usage: %r" % words, done)


if __name__ == "__main__":
    harness.main(__doc__, [wrong_requests, suggestions, right_requests_are_as_the_schema_says, from_a_file])
