#!/usr/bin/env python3
"""Protected and masked names through everything that a file system offers, and names that are not there yet."""

import os
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import leftovers  # noqa: E402
import terminal  # noqa: E402

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


def hostile_end(runner, report):
    """What is looked at when the run has ended is the payload's work: nothing there may hold up, mislead or move the host."""
    space = os.path.join(runner.home, "work/end")
    os.makedirs(space)
    runner.who.own(os.path.join(runner.home, "work"))
    label = "%s names, at the end: " % runner.who.label
    victim = os.path.join(runner.home, "victim")
    with open(victim, "w") as file:
        file.write("before\n")
    scripts = {
        "pipes in place of files": "mkfifo .mcp.json .envrc .gitmodules opencode.json; mkdir .claude; mkfifo .claude/settings.json; ln -s .claude/settings.json .mise.toml",
        "links to foreign files": "for n in .mcp.json .envrc .vscode .git .husky; do ln -s \"$VICTIM\" $n; done",
        "links in circles": "ln -s .idea .idea; ln -s a b; ln -s b a; ln -s . loop; mkdir d; ln -s .. d/up; ln -s /proc/self/cwd .codex; ln -s /dev/zero .zshrc",
        "a deep tree": "p=$(printf 'd/%.0s' $(seq 400)); for i in 1 2 3 4; do mkdir -p $p; cd -P $p; done; mkdir .git; true",
        "a wide tree": "mkdir wide; cd wide; seq 30000 | xargs touch; mkdir .git",
        "closed directories": "mkdir -p shut/.git .claude; chmod 0 shut .claude",
        "sparse giants": "truncate -s 1T .envrc pyvenv.cfg; truncate -s 1T .mcp.json",
        "sockets": "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\".envrc\")'",
    }
    for name, script in scripts.items():
        one = os.path.join(space, name)
        os.makedirs(one)
        runner.who.own(space)
        done = runner.sh(script, "--env", "VICTIM", cwd=one, env={"VICTIM": victim}, timeout=30)
        report.check(done.code == 0 and done.seconds < 40, label + name, done)
        report.check(b"root:x" not in done.err and len(done.err) < 65536, label + name + ": few words", len(done.err))
        with open(victim) as file:
            report.equal(file.read(), "before\n", label + name + ": foreign files are unchanged", done)
        runner.execute(["chmod", "-R", "u+rwx", one])
        runner.execute(["rm", "-rf", one], timeout=60)


def telling_names(runner, report):
    """Names of the payload's choice are shown with their control characters made visible."""
    name = "evil\x1b]0;title\x07\x1b[2J\u202e\x9b31m\r\n"
    space = os.path.join(runner.home, "work", name)
    os.makedirs(space)
    runner.who.own(os.path.join(runner.home, "work"))
    # C1 as UTF-8, and a directional override: a terminal acts on both.
    forbidden = ("\x1b]", "\x1b[2J", "\x9b", "\u202e", "\r\n31m")
    for options in ([], ["--mask", name], ["--rw", os.path.join(space, "absent")], ["--sandbox-workspace", os.path.join(space, "absent")]):
        done = runner.run(*options, "--", "sh", "-c", 'exec 2>/dev/null; mkdir -p "$1/.git" .git; touch "$1/.envrc"; exit 0', "sh", name, cwd=space)
        text = done.err.decode("utf-8", "replace")
        report.check(not any(word in text for word in forbidden), "%s names: control characters are made visible %s" % (runner.who.label, options[:1]), repr(text))
        report.check(b"\x1b]" not in done.err and b"\xc2\x9b" not in done.err, "%s names: no raw sequence %s" % (runner.who.label, options[:1]), repr(done.err))
    done = runner.run("--", name, cwd=space)
    report.check(done.code == 127 and b"\x1b" not in done.err, "%s names: a command's name too" % runner.who.label, repr(done.err))
    with terminal.Terminal(runner, runner.argv("--", "true"), space) as seen:
        seen.wait(10)
        report.check(b"\x1b]0;title" not in seen.seen and b"\x1b[2J" not in seen.seen, "%s names: on a terminal too" % runner.who.label, seen.seen)


def body(runner, report):
    for profile in escape.PROFILES if report.wants("existing") else ():
        existing(runner, report, profile)
    for check in (absent, links, moved_aside, hostile_end, telling_names):
        if report.wants(check.__name__):
            check(runner, report)
    escape.nothing_left(runner, report, "names")


if __name__ == "__main__":
    escape.main(__doc__, body)
