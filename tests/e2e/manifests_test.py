#!/usr/bin/env python3
"""Every shipped manifest with a script in the place of its program: what it is started with, what it may write, and what
is left of it. The scripts say in their help all that a manifest relies on.

    manifests_test.py --paddock PATH [--identity root|ordinary|unnamed] [WORD]...
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))

import product  # noqa: E402

# Records its arguments and variables, then does the step that the test wrote.
AGENT = """#!/bin/sh
for word; do [ "$word" != --help ] || { cat %(help)s; exit 0; }; done
[ $# -eq 0 ] || printf '%%s\\0' "$@" > out/argv
env -0 > out/env
id -u > out/uid
sh out/step
"""
GIVEN = ["--", "", "two\nlines", "--yolo", "\\x 'y' \"z\" $(w)"]


class Scene:
    def __init__(self, runner, report):
        self.runner, self.report, self.home = runner, report, runner.home
        self.bin = os.path.join(runner.who.base, "bin")
        os.mkdir(self.bin, 0o755)
        self.project = os.path.join(self.home, "project")
        runner.repository(self.project)
        with open(os.path.join(self.project, ".git/info/exclude"), "a") as file:
            file.write("out\n")
        os.mkdir(os.path.join(self.project, "out"))
        runner.who.own(self.project)

    def check(self, holds, what, detail=""):
        return self.report.check(holds, "%s: %s" % (self.runner.who.label, what), detail)

    def paddock(self, *words, env=None):
        return self.runner.execute([self.runner.paddock, *words], cwd=self.project,
                                   env={"PATH": self.bin + ":" + product.PATH, **(env or {})})

    def install(self, manifest):
        help_text = os.path.join(self.bin, manifest["id"] + ".help")
        with open(help_text, "w") as file:
            file.write("\n".join(flag for check in manifest["help"] for flag in check["flags"]) + "\n")
        program = os.path.join(self.bin, manifest["bins"][0])
        with open(program, "w") as file:
            file.write(AGENT % {"help": help_text})
        os.chmod(program, 0o755)

    def step(self, text):
        path = os.path.join(self.project, "out/step")
        with open(path, "w") as file:
            file.write(text)
        self.runner.who.own(path)

    def recorded(self, name):
        path = os.path.join(self.project, "out", name)
        if not os.path.exists(path):
            return []
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape").split("\0")[:-1]


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def plain(pattern):
    return pattern.replace("*", "x").replace("?", "x")


def places(scene, manifest, moved=None):
    """(state, its directory)"""
    for state in manifest["state"]:
        if moved and state["override"]:
            yield state, os.path.join(moved, state["override"], state["override_child"]).rstrip("/")
        else:
            yield state, state["path"].replace("~", scene.home, 1)


def saved_name(state):
    return next(plain(name) for name in state["data"] + state["transcripts"])


def written(state, caches):
    return state["access"] == "rw" and state["class"] == "state" or caches and state["access"] == "rw"


def save_step(pairs):
    """A save by rename in each directory, the second time over what the first has made."""
    lines = []
    for state, place in pairs:
        saved = quoted(os.path.join(place, saved_name(state)))
        lines.append("for n in one two; do echo $n > %s.new && mv %s.new %s; done" % (saved, saved, saved))
    return "\n".join(lines) + "\n"


def attack_step(pairs):
    """Every name that counts as code, and one that no manifest knows."""
    lines = []
    for state, place in pairs:
        for code in state["code"] + [{"path": "unheard-of", "kind": "file"}]:
            path = os.path.join(place, plain(code["path"]))
            target = os.path.join(path, "planted") if code["kind"] == "directory" else path
            lines.append("mkdir -p %s; echo PLANTED > %s; mv %s %s.aside && mkdir -p %s && echo PLANTED > %s" % tuple(
                map(quoted, (os.path.dirname(target), target, path, path, os.path.dirname(target), target))))
    return "exec 2>/dev/null\n" + "\n".join(lines) + "\ntrue\n"


def planted_below(place):
    found = []
    for directory, _, names in os.walk(place):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, errors="replace") as file:
                if "PLANTED" in file.read():
                    found.append(path)
    return found


def contains(words, part):
    return any(words[at:at + len(part)] == part for at in range(len(words) - len(part) + 1))


def starts(scene, manifest):
    name, passed = manifest["id"], manifest["environment"]["pass"]
    secrets = {variable: "value-of-" + variable for variable in passed}
    writable = [pair for pair in places(scene, manifest) if written(pair[0], False)]
    scene.step(save_step(writable))
    run = scene.paddock("run", name, *GIVEN, env=secrets)
    argv, variables = scene.recorded("argv"), dict(entry.split("=", 1) for entry in scene.recorded("env"))
    scene.check(run.code == 0, "%s starts for the first time in an empty home" % name, run)
    scene.check(argv[-len(GIVEN):] == GIVEN, "%s: the words given to it are untouched" % name, argv)
    additions = manifest["added"]["skip_permissions"]
    scene.check(not additions or any(contains(argv[:-len(GIVEN)], one["words"]) for one in additions if not one["only"] or "" in one["only"])
                or all(one["only"] for one in additions), "%s skips its permissions" % name, argv)
    scene.check(not any("value-of-" in word for word in argv), "%s: no secret is an argument" % name, argv)
    scene.check(all(variables.get(key) == value for key, value in secrets.items()), "%s gets its own variables" % name, variables)
    expected = {**manifest["environment"]["set"], **manifest["environment"]["skip_permissions"], **secrets}
    scene.check(all(variables.get(key) == value.replace("{home}", scene.home) for key, value in expected.items() if "{state}" not in value),
                "%s: its variables are set" % name, variables)
    for state, place in writable:
        path = os.path.join(place, saved_name(state))
        scene.check(os.path.exists(path) and open(path).read() == "two\n", "%s: %s is saved by rename" % (name, path), run)
    with open(os.path.join(scene.project, "out/uid")) as file:
        scene.check(file.read().strip() not in ("", "0"), "%s is not uid 0 inside" % name)
    status = scene.runner.git("status", "--porcelain", cwd=scene.project)
    scene.check(status.text == "", "%s leaves no stub in the tree" % name, status)


def asks(scene, manifest):
    scene.step("true\n")
    run = scene.paddock("run", "--permissions", "ask", manifest["id"])
    argv, variables = scene.recorded("argv"), dict(entry.split("=", 1) for entry in scene.recorded("env"))
    ours = [word for one in manifest["added"]["skip_permissions"] for word in one["words"] if word.startswith("-")]
    scene.check(run.code == 0 and not any(word in argv for word in ours), "%s: --permissions ask adds none of that" % manifest["id"], argv)
    scene.check(not any(key in variables for key in manifest["environment"]["skip_permissions"]), "%s: nor by a variable" % manifest["id"])
    os.unlink(os.path.join(scene.project, "out/argv")) if argv else None


def attacked(scene, manifest):
    name = manifest["id"]
    pairs = list(places(scene, manifest))
    for state, place in pairs:
        os.makedirs(place, mode=0o700, exist_ok=True)
        for code in state["code"][:3]:  # some exist already, some do not
            path = os.path.join(place, plain(code["path"]))
            if code["kind"] == "file" and os.path.dirname(path) == place and not os.path.exists(path):
                with open(path, "w") as file:
                    file.write("mine\n")
        scene.runner.who.own(os.path.join(scene.home, os.path.relpath(place, scene.home).split("/")[0]))
    mine = {path: open(path).read() for _, place in pairs for path in (os.path.join(place, one) for one in os.listdir(place)) if os.path.isfile(path)}
    scene.step(attack_step(pairs))
    run = scene.paddock("run", name)
    scene.check(run.code == 0, "%s: the attack comes to its end" % name, run)
    planted = [path for _, place in pairs for path in planted_below(place)]
    scene.check(not planted, "%s: nothing that counts as code is planted" % name, planted)
    changed = [path for path, content in mine.items() if not os.path.exists(path) or open(path).read() != content]
    scene.check(not changed, "%s: what was there is as before" % name, changed)
    gone = [name for _, place in pairs for name in os.listdir(place) if name.endswith(".aside")]
    scene.check(not gone, "%s: nothing was moved away" % name, gone)


def moved(scene, manifest):
    name, elsewhere = manifest["id"], os.path.join(scene.home, "elsewhere")
    pairs = [(state, place) for state, place in places(scene, manifest, elsewhere) if state["override"] and written(state, False)]
    if not pairs:
        return
    variables = {}
    for state in manifest["state"]:
        if state["override"]:
            variables[state["override"]] = os.path.join(elsewhere, state["override"])
            os.makedirs(os.path.join(elsewhere, state["override"], state["override_child"]), mode=0o700, exist_ok=True)
    scene.runner.who.own(elsewhere)
    # Paddock's own directories follow some of the same variables.
    scene.step(save_step(pairs))
    run = scene.paddock("run", name, env=variables)
    for state, place in pairs:
        path = os.path.join(place, saved_name(state))
        scene.check(os.path.exists(path) and open(path).read() == "two\n", "%s follows %s" % (name, state["override"]), run)


def strict(scene, manifest):
    name = manifest["id"]
    caches = [pair for pair in places(scene, manifest) if pair[0]["class"] == "cache" and pair[0]["access"] == "rw"]
    scene.step("exec 2>/dev/null\n%strue\n" % save_step(caches))
    for _, place in caches:
        os.makedirs(place, mode=0o700, exist_ok=True)
    scene.runner.who.own(scene.home)
    before = {place: sorted(os.listdir(place)) for _, place in caches}
    run = scene.paddock("run", "--profile", "strict", name)
    scene.check(run.code == 0, "%s starts in strict" % name, run)
    scene.check(all(sorted(os.listdir(place)) == names for place, names in before.items()), "%s: strict keeps it out of caches" % name, before)


STEPS = (starts, asks, attacked, moved, strict)


def body(runner, report):
    scene = Scene(runner, report)
    rows = json.loads(scene.paddock("harness", "list", "--json").text)["harnesses"]
    scene.check(len(rows) >= 13, "all manifests are listed", rows)
    for row in rows:
        manifest = json.loads(scene.paddock("harness", "show", row["id"], "--json").text)
        scene.install(manifest)
        for step in STEPS:
            if report.wants(step.__name__) or report.wants(row["id"]):
                step(scene, manifest)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
