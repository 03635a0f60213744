#!/usr/bin/env python3
"""Ways in which a writable repository runs code on the host: planted inside, then the host's own plain git commands.

What mounts can hold must fail; what they cannot must be named on standard error when the run ends. Each way has a
canary that host git would leave.
"""

import os
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import leftovers  # noqa: E402

# name: (script inside, what must be named if the canary fires; empty: it must not fire). $CANARY is a command.
WAYS = {
    "hooks": ("printf '#!/bin/sh\\n%s\\n' \"$CANARY\" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit", ()),
    "hooks-moved": ("mv .git/hooks .git/old; mkdir -p .git/hooks; printf '#!/bin/sh\\n%s\\n' \"$CANARY\" > .git/hooks/post-checkout; chmod +x .git/hooks/*", ()),
    "config": ("git config core.fsmonitor \"$CANARY\"; git config core.hooksPath evil; printf '[core]\\n\\tfsmonitor = \"%s\"\\n' \"$CANARY\" >> .git/config", ()),
    "config-replaced": ("printf '[core]\\n\\tfsmonitor = \"%s\"\\n' \"$CANARY\" > .git/new; mv .git/new .git/config; cp .git/config .git/config.lock", ()),
    "config-worktree": ("printf '[core]\\n\\tfsmonitor = \"%s\"\\n' \"$CANARY\" > .git/config.worktree; git config extensions.worktreeConfig true", ()),
    "commondir": ("mkdir -p evil/refs evil/objects; printf '[core]\\n\\tfsmonitor = \"%s\"\\n' \"$CANARY\" > evil/config; echo ref: refs/heads/main > evil/HEAD; echo ../evil > .git/commondir", ()),
    "include": ("printf '[core]\\n\\tfsmonitor = \"%s\"\\n' \"$CANARY\" > included.inc", ("included.inc",)),
    "attributes": ("mkdir -p .git/info; echo '* filter=zz' > .git/info/attributes; git config filter.zz.clean \"$CANARY\"", ()),
    "modules": ("mkdir -p .git/modules/sub; printf '[core]\\n\\tfsmonitor = \"%s\"\\n' \"$CANARY\" >> .git/modules/sub/config", ("modules",)),
    "gitlink": ("git init -q nested && git -C nested -c user.name=x -c user.email=x commit -q --allow-empty -m x && git -C nested config core.fsmonitor \"$CANARY\" "
                "&& git update-index --add --cacheinfo 160000,$(git -C nested rev-parse HEAD),nested", ("nested/.git",)),
    "rebase-todo": ("mkdir -p .git/rebase-merge && echo \"exec $CANARY\" > .git/rebase-merge/git-rebase-todo && git rev-parse HEAD > .git/rebase-merge/onto "
                    "&& git rev-parse HEAD > .git/rebase-merge/orig-head && echo refs/heads/main > .git/rebase-merge/head-name && touch .git/rebase-merge/interactive "
                    "&& echo 0 > .git/rebase-merge/msgnum && echo 1 > .git/rebase-merge/end && touch .git/rebase-merge/done", ("rebase", "git-rebase-todo")),
    "index-entry": ("printf '#!/bin/sh\\n%s\\n' \"$CANARY\" > hook; BLOB=$(git hash-object -w hook); rm hook; python3 plant-index.py .git/hooks/post-checkout $BLOB", ("index",)),
    "sub-init": ("git init -q deep/er && git -C deep/er config core.fsmonitor \"$CANARY\"", ("deep/er",)),
    "new-worktree": ("git worktree add -q --no-track -b evil wt && mkdir -p evil/refs evil/objects && printf '[core]\\n\\tfsmonitor = \"%s\"\\n' \"$CANARY\" > evil/config "
                     "&& cp .git/HEAD evil/HEAD && cp -r .git/objects .git/refs evil/ && echo ../../../evil > .git/worktrees/wt/commondir", ("wt",)),
    # Links in the git directory: the host's git writes through them, its words into a startup file.
    "reflog-link": ("rm -f .git/logs/HEAD; ln -s \"$MARK\" .git/logs/HEAD", ("logs/HEAD",)),
    "message-link": ("rm -f .git/COMMIT_EDITMSG; ln -s \"$MARK\" .git/COMMIT_EDITMSG", ("COMMIT_EDITMSG",)),
    "index-link": ("cp .git/index i; rm -f .git/index; ln -s \"$MARK\" .git/index", ("index",)),
}

# An index with one more entry, of a path that git itself would not take.
PLANT_INDEX = r'''
import hashlib, struct, sys
path, blob = sys.argv[1].encode(), bytes.fromhex(sys.argv[2])
data = open(".git/index", "rb").read()[:-20]
version, count = struct.unpack(">II", data[4:12])
entry = struct.pack(">10I", 0, 0, 0, 0, 0, 0, 0o100755, 0, 0, 0) + blob + struct.pack(">H", len(path)) + path
entry += b"\0" * (8 - len(entry) % 8)
data = data[:8] + struct.pack(">I", count + 1) + entry + data[12:]
open(".git/index", "wb").write(data + hashlib.sha1(data).digest())
'''

# What a person does next. Nothing here is hostile.
HOST = r"""
git status >/dev/null; git log --oneline >/dev/null; git diff >/dev/null
git checkout -q -- . ; git checkout -q -b other 2>/dev/null; git checkout -q main
echo more >> file.txt; git add file.txt; git commit -q -m more
git rebase --continue; git cherry-pick --continue; git stash -q; git stash pop -q
for d in nested deep/er wt; do [ -d "$d" ] && (cd "$d" && git status >/dev/null); done
true
"""


def prepare(runner, name):
    project = runner.repository(os.path.join(runner.home, "work/plant-" + name))
    if name == "include":
        runner.git("config", "include.path", "../included.inc", cwd=project)
        with open(os.path.join(project, "included.inc"), "w") as file:
            file.write("[alias]\n\tst = status\n")
    if name == "modules":
        runner.repository(os.path.join(runner.home, "work/library"))
        runner.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", os.path.join(runner.home, "work/library"), "sub", cwd=project)
        runner.git("commit", "-q", "-m", "sub", cwd=project)
    with open(os.path.join(project, "plant-index.py"), "w") as file:
        file.write(PLANT_INDEX)
    runner.who.own(project)
    return project


def plant(runner, report, name, script, told):
    label = "%s gitplant %s" % (runner.who.label, name)
    project = prepare(runner, name)
    mark = os.path.join(runner.home, "FIRED-" + name)

    done = runner.sh(script, "--env", "CANARY", "--env", "MARK", cwd=project, env={"CANARY": "touch " + mark, "MARK": mark})
    report.check(not os.path.exists(mark), label + ": nothing ran on the host during the run", done)
    host = runner.execute(["sh", "-c", HOST], cwd=project, env={"GIT_EDITOR": "true"})
    fired = os.path.exists(mark)
    named = any(word in done.words for word in told)
    report.check(not fired or named, label + ": held, or named at the end", "%s\nhost git: %s" % (done, host.words[-600:]))
    return fired, named


def fidelity(runner, report):
    """What git must be able to do inside all the same, in protected mode."""
    project = runner.repository(os.path.join(runner.home, "work/fidelity"))
    done = runner.sh("set -e; git status; echo a > new; git add new; git commit -q -m inside; git switch -q -c topic; echo b >> new; git commit -qam topic; "
                     "git switch -q main; git merge -q --no-edit topic; git stash list; git tag t; git log --oneline | wc -l; git gc -q; git fsck", cwd=project)
    report.equal(done.code, 0, "%s gitplant: git works inside" % runner.who.label, done)
    report.check("inside" in runner.git("log", "--format=%s", cwd=project).text, "%s gitplant: the commits are in the repository" % runner.who.label)
    before = leftovers.tree(os.path.join(project, ".git/hooks"))
    report.check(runner.sh("git config x.y z", cwd=project).code != 0, "%s gitplant: git config fails in protected mode" % runner.who.label)
    done = runner.sh("git config x.y z", "--protect", "!.git/config", cwd=project)
    report.equal((done.code, runner.git("config", "x.y", cwd=project).text), (0, "z\n"), "%s gitplant: .git/config can be opted out" % runner.who.label, done)
    report.equal(leftovers.tree(os.path.join(project, ".git/hooks")), before, "%s gitplant: hooks are as before" % runner.who.label)


def body(runner, report):
    for name, (script, told) in WAYS.items():
        if report.wants(name):
            plant(runner, report, name, script, told)
    fidelity(runner, report)
    report.equal(leftovers.journals(runner.home), [], "%s gitplant: no journal is left" % runner.who.label)
    escape.nothing_left(runner, report, "gitplant")


if __name__ == "__main__":
    escape.main(__doc__, body)
