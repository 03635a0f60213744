#!/usr/bin/env python3
"""Tightening never widens: with random settings of the person's, whatever a repository's file says, the probe can do nothing
with both that it could not do with the person's alone.

    tightening_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]...
"""

import json
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import product  # noqa: E402

ROUNDS = product.scaled(6)
FILES = ["file.txt", ".env", "secrets/a", "src/deep/file.txt", ".git/config", "docs/page"]


class Scene:
    def __init__(self, runner):
        self.runner = runner
        self.project = runner.repository(os.path.join(runner.home, "work/tightened"))
        self.beside = os.path.join(runner.home, "beside")
        self.config = os.path.join(runner.home, ".config/paddock/config.toml")
        for path in [os.path.join(self.project, name) for name in FILES[1:4] + FILES[5:]] + [os.path.join(self.beside, "data"), os.path.join(runner.home, ".ssh/key")]:
            self.write(path, "content\n")

    def write(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        self.runner.who.own(self.runner.home)

    def words(self):
        places = [os.path.join(self.project, name) for name in FILES] + [os.path.join(self.beside, "data"), os.path.join(self.runner.home, ".ssh/key"), "/etc/shadow"]
        directories = [self.project, self.beside, os.path.join(self.project, "secrets"), "/tmp", self.runner.home]
        return ["exists=" + path for path in places] + ["list=" + path for path in directories] + ["write=" + path for path in places + directories]

    def look(self):
        done = self.runner.run("--", self.runner.probe, *self.words(), cwd=self.project, env={"SAID": "x", "OTHER": "y"})
        return done, json.loads(done.out) if done.code == 0 else None


def text_of(chance, scene):
    """Settings of any kind, as TOML; some grant, some take away."""
    def some(values):
        return json.dumps(chance.sample(values, chance.randint(0, len(values))))
    files = ["[filesystem]"]
    for key, values in (("mask", ["secrets/**", ".env", "docs", "**/deep"]), ("protect", ["src/", "file.txt", "docs/**"]), ("read", [scene.beside, "/srv"]), ("write", [scene.beside])):
        if chance.random() < 0.5:
            files.append("%s = %s" % (key, some(values)))
    for key, values in (("workspace", ["rw", "ro"]), ("toolchains", ["path", "command"]), ("dotfiles", ["none", "git", "listed"]), ("caches", ["none", "harness", "tools"])):
        if chance.random() < 0.4:
            files.append('%s = "%s"' % (key, chance.choice(values)))
    more = []
    if chance.random() < 0.6:
        more.append('[network]\nmode = "%s"' % chance.choice(["on", "off"]))
    if chance.random() < 0.5:
        more.append("[environment]\npass = %s" % some(["SAID", "OTHER", "GITHUB_TOKEN"]))
    if chance.random() < 0.4:
        more.append('[process]\nnested = "%s"' % chance.choice(["off", "browser"]))
    if chance.random() < 0.3:
        more.append("[isolation]\nwithout = %s" % some(["protect_existing", "protect_absent"]))
    head = ['profile = "%s"' % chance.choice(["strict", "balanced", "dev"])] if chance.random() < 0.5 else []
    return "\n".join(head + files + more) + "\n"


def widened(alone, both):
    """What can be done with both and not with the person's settings alone."""
    found = ["written: " + path for path, refused in both["writes"].items() if refused == "" and alone["writes"].get(path) != ""]
    for path, seen in both["paths"].items():
        if seen.get("readable") and not alone["paths"].get(path, {}).get("readable"):
            found.append("read: " + path)
    found += ["variable: " + name for name in both["environment"] if name not in alone["environment"]]
    for path, names in both["listing"].items():
        more = set(names or ()) - set(alone["listing"].get(path) or ())
        found += ["listed: %s in %s" % (name, path) for name in sorted(more)]
    host = os.readlink("/proc/self/ns/net")
    if both["namespaces"]["net"] == host != alone["namespaces"]["net"]:
        found.append("the host's network")
    return found


def body(runner, report):
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    report.note("seed %d" % seed)
    scene = Scene(runner)
    repository = os.path.join(scene.project, ".paddock.toml")
    compared = 0
    for turn in range(ROUNDS):
        person, asked = text_of(chance, scene), text_of(chance, scene)
        name = "%s seed %d turn %d" % (runner.who.label, seed, turn)
        said = "the person's:\n%s\nthe repository's:\n%s\n" % (person, asked)
        scene.write(scene.config, person)
        if os.path.exists(repository):
            os.unlink(repository)
        scene.write(repository + ".later", "")
        done, alone = scene.look()
        if not report.check(alone is not None, name + ": the person's settings start", "%s%s" % (said, done)):
            continue
        scene.write(repository, asked)
        done, both = scene.look()
        if both is None:
            # Refused is tight enough, where it says why.
            report.check(done.code in (2, 125) and done.words.strip(), name + ": refused with the reason", "%s%s" % (said, done))
            continue
        compared += 1
        found = [one for one in widened(alone, both) if not one.startswith("listed: .paddock.toml ")]
        report.equal(found, [], name + ": nothing is widened", said)
    report.check(compared > 0, "%s: some were compared" % runner.who.label)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
