#!/usr/bin/env python3
"""Daily work goes on: in a generated project of each kind, `npm install`, `pip`, `cargo build`, `go build`, `make` and
`git commit` do in the profiles balanced and dev what they do outside. What is not installed is skipped, with the reason.

    toolchains_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import product  # noqa: E402

PACKAGE = "is-number"  # small, and without dependencies
PROJECTS = {
    "make": ({"Makefile": "out: main.c\n\tcc -o out main.c\ncheck: out\n\t./out\n", "main.c": '#include <stdio.h>\nint main(void) { puts("MADE"); return 0; }\n'},
             ["make", "cc"], "make -s check", "MADE"),
    "npm": ({"package.json": '{"name": "p", "version": "1.0.0", "private": true, "scripts": {"test": "node -e \\"console.log(\'NPM\', require(\'%s\')(5))\\""}}\n' % PACKAGE},
            ["npm", "node"], "npm install --no-audit --no-fund --loglevel=error %s && npm test --silent" % PACKAGE, "NPM true"),
    "pip": ({"setup.py": 'from setuptools import setup\nsetup(name="thing", version="1.0", py_modules=["thing"])\n', "thing.py": 'print("PIP")\n'},
            ["python3"], "python3 -m venv --system-site-packages venv && venv/bin/pip install -q --no-index --no-build-isolation . && cd / && \"$OLDPWD\"/venv/bin/python -c 'import thing'", "PIP"),
    "cargo": ({"Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n', "src/main.rs": 'fn main() { println!("CARGO"); }\n'},
              ["cargo"], "cargo build -q --offline && target/debug/p", "CARGO"),
    "go": ({"go.mod": "module p\n\ngo 1.18\n", "main.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("GO") }\n'},
           ["go"], "go build -o out . && ./out", "GO"),
    "git": ({"new.txt": "new\n"}, ["git"], "git add -A && git commit -q -m Inside && git log -1 --format=COMMITTED-%s", "COMMITTED-Inside"),
}


def make(runner, kind, profile):
    project = runner.repository(os.path.join(runner.home, "work", kind + "-" + profile))
    for name, text in PROJECTS[kind][0].items():
        path = os.path.join(project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    runner.who.own(runner.home)
    return project


def check(runner, report, kind):
    _, needed, script, wanted = PROJECTS[kind]
    label = "%s %s" % (runner.who.label, kind)
    absent = [name for name in needed if not shutil.which(name, path=product.PATH)]
    if absent:
        return report.skip(label, "not installed for everybody: %s" % ", ".join(absent))
    outside = runner.execute(["sh", "-c", script], cwd=make(runner, kind, "outside"), timeout=300)
    if wanted not in outside.text:
        return report.skip(label, "it does not work outside either: %s" % outside.words.strip()[-300:])
    for profile in ("balanced", "dev"):
        project = make(runner, kind, profile)
        done = runner.sh(script, "--profile", profile, cwd=project, timeout=300)
        report.check(done.code == 0 and wanted in done.text, "%s works in %s" % (label, profile), done)
        if kind == "git":
            log = runner.git("log", "-1", "--format=%s by %an", cwd=project)
            report.equal(log.text, "Inside by A Person\n", "%s: the commit of %s is in the repository" % (label, profile), log)


def body(runner, report):
    for kind in PROJECTS:
        if report.wants(kind):
            check(runner, report, kind)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
