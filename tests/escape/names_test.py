#!/usr/bin/env python3
"""Protected and masked names through everything that a file system offers, and names that are not there yet."""

import os
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import leftovers  # noqa: E402

# Files and directories that the built-in list protects in a repository, as they are before the run.
PROTECTED = {
    ".git/hooks/pre-commit": "#!/bin/sh\n", ".git/config": None, ".claude/settings.json": "{}\n", ".claude/hooks/stop.sh": "#!/bin/sh\n",
    ".mcp.json": "{}\n", ".vscode/tasks.json": "{}\n", ".husky/pre-commit": "#!/bin/sh\n", ".envrc": "true\n", ".gitmodules": "",
    "deploy/production/key": "deploy\n", "deploy/run.sh": "#!/bin/sh\n",
}
ABSENT = [".git/commondir", ".codex/config.toml", ".gemini/settings.json", ".idea/workspace.xml", ".mise.toml", ".kiro/x", "venv/pyvenv.cfg",
          ".devcontainer/devcontainer.json", ".cursor/rules", "opencode.json"]
SCRIPT = r"""
write() { mkdir -p "$(dirname "$1")" 2>/dev/null; printf 'evil\n' > "$1"; }
for name in "$@"; do write "$name"; done 2>/dev/null
exit 0
"""


def prepare(runner, path):
    project = runner.repository(path)
    for name, text in PROTECTED.items():
        whole = os.path.join(project, name)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        if text is not None:
            with open(whole, "w") as file:
                file.write(text)
    os.makedirs(os.path.join(project, "scratch"))
    runner.who.own(project)
    return project


def existing(runner, report, profile):
    """What exists stays byte for byte, by every call."""
    project = prepare(runner, os.path.join(runner.home, "work/names-" + profile))
    words = ["scratch=" + os.path.join(project, "scratch"), "rounds=300"]
    words += ["protected=" + os.path.join(project, name) for name in PROTECTED]
    words += ["ancestor=" + os.path.join(project, name) for name in (".git", ".git/hooks", ".claude", ".claude/hooks", ".vscode", ".husky", "deploy")]
    inodes = {name: os.stat(os.path.join(project, name)).st_ino for name in PROTECTED}
    with escape.Unchanged(report, "%s names %s" % (runner.who.label, profile), [project], ["scratch"]):
        done = escape.run(runner, report, "names", *words, options=["--profile", profile, "--protect", "deploy"], cwd=project)
    report.equal({name: os.stat(os.path.join(project, name)).st_ino for name in PROTECTED}, inodes, "%s names %s: the same files" % (runner.who.label, profile), done)
    status = runner.git("status", "--porcelain", "--untracked-files=all", cwd=project).text
    report.check("commondir" not in status, "%s names: no stand-in in git status" % runner.who.label, status)
    report.equal(leftovers.journals(runner.home), [], "%s names: no journal is left" % runner.who.label)


def absent(runner, report):
    """What does not exist is held, or found and named at the end."""
    project = runner.repository(os.path.join(runner.home, "work/absent"))
    before = leftovers.tree(project)
    done = runner.run("--", "sh", "-c", SCRIPT, "sh", *ABSENT, cwd=project)
    after = leftovers.tree(project)
    for name in ABSENT:
        there = os.path.lexists(os.path.join(project, name))
        shown = [name] + [os.path.dirname(name)] * (os.path.dirname(name) not in ("", ".git"))
        told = any(word in done.words for word in shown)
        report.check(not there or told, "%s names: absent %s is held or named" % (runner.who.label, name), done)
    report.check(".git/commondir" not in after, "%s names: commondir is held" % runner.who.label, leftovers.difference(before, after))
    quiet = runner.run("--", "true", cwd=runner.repository(os.path.join(runner.home, "work/quiet")))
    report.check(quiet.words == "" or "protected" not in quiet.words, "%s names: nothing is named where nothing was made" % runner.who.label, quiet)
    # A directory that is no repository: `git init` inside is found, at any depth.
    plain = os.path.join(runner.home, "work/plain")
    os.makedirs(plain)
    runner.who.own(os.path.join(runner.home, "work"))
    done = runner.sh("git init -q . && git init -q deep/er && ls -d .git deep/er/.git", cwd=plain)
    for name in (".git", "deep/er/.git"):
        there = os.path.lexists(os.path.join(plain, name))
        report.check(not there or name in done.words, "%s names: a new %s is named" % (runner.who.label, name), done)


def links(runner, report):
    """Protected names that are links, and protected files with a second name."""
    project = prepare(runner, os.path.join(runner.home, "work/links"))
    outside = os.path.join(runner.home, "dotfiles")
    os.makedirs(outside)
    with open(os.path.join(outside, "settings.json"), "w") as file:
        file.write("{}\n")
    os.unlink(os.path.join(project, ".mcp.json"))
    os.symlink(os.path.join(outside, "settings.json"), os.path.join(project, ".mcp.json"))
    os.makedirs(os.path.join(project, "shared"))
    os.rename(os.path.join(project, ".husky"), os.path.join(project, "shared/husky"))
    os.symlink("shared/husky", os.path.join(project, ".husky"))
    runner.who.own(runner.home)
    done = runner.sh("rm -f .mcp.json; echo evil > .mcp.json; echo evil > shared/husky/pre-commit; rm -f .husky; mkdir .husky; echo evil > .husky/pre-commit", cwd=project)
    with open(os.path.join(outside, "settings.json")) as file:
        report.equal(file.read(), "{}\n", "%s names: the end of a link is not written" % runner.who.label, done)
    for name in (".mcp.json", ".husky"):
        path = os.path.join(project, name)
        report.check(os.path.islink(path) or name in done.words, "%s names: a replaced link is named: %s" % (runner.who.label, name), done)
    with open(os.path.join(project, "shared/husky/pre-commit")) as file:
        report.check(file.read() == "#!/bin/sh\n", "%s names: what a protected link leads to is protected" % runner.who.label, done)
    os.link(os.path.join(project, ".envrc"), os.path.join(project, "second-name"))
    done = runner.sh("echo evil > second-name", cwd=project)
    with open(os.path.join(project, ".envrc")) as file:
        report.check(file.read() == "true\n" or "link" in done.words, "%s names: a second name of a protected file is held or warned about" % runner.who.label, done)


def moved_aside(runner, report):
    """Taking the repository away as a whole and putting another in its place."""
    project = prepare(runner, os.path.join(runner.home, "work/aside"))
    scripts = {
        "C026": "mv .git g; echo e > x; mv x .git/hooks/pre-commit; ln x .claude/settings.json; mkdir -p .git/hooks",
        "copy": "cp -r .git copy && rm -rf .git; mv copy .git; echo e > .git/hooks/pre-commit",
        "workspace": "cd ..; mv aside other; mkdir aside; mv aside/.git x",
        "exchange": "git clone -q . new; mv -T --exchange new/.git .git; mv -T new/.git .git",
    }
    for name, script in scripts.items():
        before = {path: open(os.path.join(project, path), "rb").read() for path in PROTECTED}
        done = runner.sh(script, "--protect", "deploy", cwd=project)
        after = {path: open(os.path.join(project, path), "rb").read() if os.path.exists(os.path.join(project, path)) else None for path in PROTECTED}
        report.equal(after, before, "%s names: %s" % (runner.who.label, name), done)


def body(runner, report):
    for profile in escape.PROFILES:
        existing(runner, report, profile)
    for check in (absent, links, moved_aside):
        check(runner, report)
    escape.nothing_left(runner, report, "names")


if __name__ == "__main__":
    escape.main(__doc__, body)
