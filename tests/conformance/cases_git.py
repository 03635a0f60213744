#!/usr/bin/env python3
"""Cases about git repositories in place: linked worktrees, odd git directories, ownership, identity."""

import os
import shutil
import sys

sys.dont_write_bytecode = True

import cases  # noqa: E402
import leftovers  # noqa: E402

_COMMIT = "set -e; echo a > added; git add added; git commit -q -m inside; git rev-parse HEAD"


def state(git_dir):
    """What of a repository may not change when another worktree commits: hooks, configuration, HEAD and index."""
    return {name: facts for name, facts in leftovers.tree(git_dir).items() if name.split("/")[0] in ("hooks", "config", "HEAD", "index", "info")}


def C080_commit_in_a_linked_worktree(runner, place):
    for kind in ("normal", "bare"):
        main = runner.repository(os.path.join(place.work, kind))
        git_dir = os.path.join(main, ".git")
        if kind == "bare":
            git_dir = main + ".git"
            runner.git("clone", "-q", "--bare", main, git_dir, cwd=place.work)
            runner.git("config", "user.name", "A Person", cwd=git_dir)
            runner.git("config", "user.email", "person@example.invalid", cwd=git_dir)
        tree = os.path.join(place.work, kind + "-tree")
        runner.git("worktree", "add", "-q", "--no-track", "-b", "topic", tree, cwd=git_dir)
        other = os.path.join(place.work, kind + "-other")
        runner.git("worktree", "add", "-q", "--no-track", "-b", "other", other, cwd=git_dir)
        before = state(git_dir)
        others = leftovers.tree(os.path.join(git_dir, "worktrees", os.path.basename(other)))
        done = runner.sh(_COMMIT + "; git status --porcelain", cwd=tree)
        place.check(done.code == 0, kind + ": the commit succeeds", done)
        landed = runner.git("rev-parse", "topic", cwd=git_dir).text.strip()
        place.check(landed and landed in done.text, kind + ": it is in the main repository", (landed, done))
        place.check(state(git_dir) == before, kind + ": configuration, hooks, HEAD and index of the main tree are unchanged", leftovers.difference(before, state(git_dir)))
        now = leftovers.tree(os.path.join(git_dir, "worktrees", os.path.basename(other)))
        place.check(now == others, kind + ": the other worktree's part is unchanged", leftovers.difference(others, now))
        attack = runner.sh("G=$(git rev-parse --git-common-dir); echo x > $G/hooks/pre-commit; echo '[a]' >> $G/config; echo x > $G/worktrees/%s/HEAD; "
                           "echo ../.. > $(git rev-parse --git-dir)/commondir; echo x > .git" % os.path.basename(other), cwd=tree)
        place.check(state(git_dir) == before, kind + ": and after an attack", attack)
        place.check(leftovers.tree(os.path.join(git_dir, "worktrees", os.path.basename(other))) == others, kind + ": the other worktree too", attack)
        place.equal(runner.git("log", "-1", "--format=%s", cwd=tree).text, "inside\n", kind + ": the host's git works there afterwards")


def C084_worktree_configuration(runner, place):
    project = runner.repository(os.path.join(place.work, "ws"))
    runner.git("config", "extensions.worktreeConfig", "true", cwd=project)
    runner.git("config", "--worktree", "a.b", "1", cwd=project)
    done = runner.sh("git status --porcelain && git config a.b", cwd=project)
    place.equal((done.code, done.text), (0, "1\n"), "read inside", done)
    place.check("warning" not in done.words and "fatal" not in done.words, "without a warning of git", done)
    done = runner.sh("echo '[core]' >> .git/config.worktree; rm -f .git/config.worktree; echo x > .git/config.worktree", cwd=project)
    place.equal(runner.git("config", "a.b", cwd=project).text, "1\n", "unchanged outside", done)


def C085_git_is_a_file(runner, place):
    main = runner.repository(os.path.join(place.work, "main"))
    tree = os.path.join(place.work, "tree")
    runner.git("worktree", "add", "-q", "--no-track", "-b", "topic", tree, cwd=main)
    library = runner.repository(os.path.join(place.work, "library"))
    runner.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub", cwd=main)
    runner.git("commit", "-q", "-m", "sub", cwd=main)
    for where, git_dir in ((tree, os.path.join(main, ".git")), (os.path.join(main, "sub"), os.path.join(main, ".git/modules/sub")), (main, os.path.join(main, ".git/modules/sub"))):
        name = os.path.basename(where)
        done = runner.sh("git status --porcelain && echo ok", cwd=where)
        place.check(done.code == 0 and done.text.endswith("ok\n"), name + ": works", done)
        before = state(git_dir)
        done = runner.sh("mkdir -p %s/hooks; echo x > %s/hooks/pre-commit; echo '[a]' >> %s/config; echo x > .git" % ((git_dir,) * 3), cwd=where)
        place.check(state(git_dir) == before, name + ": hooks and configuration of the resolved directory are protected", leftovers.difference(before, state(git_dir)))
    done = runner.sh("cd sub && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m inside && git log -1 --format=%s", cwd=main)
    place.equal(done.text, "inside\n", "a commit in a submodule", done)


def C086_git_is_a_link(runner, place):
    project = runner.repository(os.path.join(place.work, "ws"))
    kept = os.path.join(place.outside, "g")
    shutil.move(os.path.join(project, ".git"), kept)
    os.symlink(kept, os.path.join(project, ".git"))
    place.own()
    before = leftovers.tree(kept)
    done = runner.sh("echo up; git status --porcelain; echo x > .git/hooks/pre-commit; rm -f .git; mkdir .git", cwd=project)
    place.check(done.text.startswith("up\n"), "starts", done)
    place.check(leftovers.tree(kept) == before, "what it names is unchanged", leftovers.difference(before, leftovers.tree(kept)))
    replaced = not os.path.islink(os.path.join(project, ".git"))
    place.check(not replaced or ".git" in done.words, "a replaced link is held or named", done)
    dangling = os.path.join(place.work, "dangling")
    os.mkdir(dangling)
    os.symlink(os.path.join(place.outside, "nowhere"), os.path.join(dangling, ".git"))
    place.own()
    done = runner.sh("echo up", cwd=dangling)
    place.equal((done.code, done.text), (0, "up\n"), "a dangling link", done)


def C087_pointers_of_every_form(runner, place):
    for kind in ("absolute", "relative", "crlf"):
        main = runner.repository(os.path.join(place.work, kind))
        tree = os.path.join(place.work, kind + "-tree")
        runner.git("worktree", "add", "-q", "--no-track", "-b", "topic", tree, cwd=main)
        pointer = os.path.join(tree, ".git")
        with open(pointer) as file:
            target = file.read().split(": ", 1)[1].strip()
        if kind == "relative":
            target = os.path.relpath(target, tree)
        with open(pointer, "w", newline="") as file:
            file.write("gitdir: %s%s" % (target, "\r\n" if kind == "crlf" else "\n"))
        os.makedirs(os.path.join(tree, "sub/dir"))
        place.own()
        host = runner.git("rev-parse", "HEAD", cwd=tree)
        for where in (tree, os.path.join(tree, "sub/dir"), os.path.join(tree, "src")):
            done = runner.sh("git rev-parse HEAD && echo x > new && git add new", cwd=where)
            place.check(done.code == host.code and done.text == host.text or host.code == 0 and done.code == 0, "%s from %s" % (kind, os.path.relpath(where, tree)), done)


def C098_repository_of_another_owner(runner, place):
    if os.getuid() != 0:
        return place.skip("needs root, to make a repository of another owner")
    project = runner.repository(os.path.join(place.work, "ws"))
    for directory, directories, files in os.walk(project):
        for name in [*directories, *files, "."]:
            os.chown(os.path.join(directory, name), 65534, 65534, follow_symlinks=False)
    config = place.write(os.path.join(place.home, ".gitconfig"), "[user]\n\tname = Someone\n")
    done = runner.sh("git status --porcelain && git log --oneline | wc -l", cwd=project)
    place.check(done.code == 0 and done.text.strip() == "1", "git works in it", done)
    everything = runner.sh("git config --get-all safe.directory", cwd=project)
    place.check("*" not in everything.text, "exactly this one is trusted", everything)
    place.equal(place.read(config), "[user]\n\tname = Someone\n", "the user's configuration is unchanged")
    os.unlink(config)


def C099_identity_with_conditional_includes(runner, place):
    project = runner.repository(os.path.join(place.work, "r"))
    for name in ("user.name", "user.email"):
        runner.git("config", "--unset", name, cwd=project)
    mark = os.path.join(place.outside, "FIRED")
    base = place.write(os.path.join(place.home, ".gitconfig"), "[user]\n\tname = Base\n\temail = base@example.invalid\n[credential]\n\thelper = !touch %s\n"
                       "[http]\n\textraHeader = Authorization: SECRET\n[url \"https://TOKEN@host/\"]\n\tinsteadOf = https://host/\n"
                       "[core]\n\tsshCommand = touch %s\n\tpager = touch %s\n[includeIf \"gitdir:%s/\"]\n\tpath = work.inc\n" % (mark, mark, mark, place.work))
    place.write(os.path.join(place.home, "work.inc"), "[user]\n\tname = Work\n\temail = work@example.invalid\n")
    before = leftovers.tree(os.path.join(project, ".git"))["config"]
    done = runner.sh(_COMMIT + " > /dev/null; git log -1 --format='%an %ae'; git config --list", cwd=project)
    place.check(done.text.startswith("Work work@example.invalid\n"), "the author is the conditional one", done)
    place.check(not any(word in done.text for word in ("SECRET", "TOKEN", mark, "sshcommand", "insteadof")), "nothing else of it is there", done)
    place.check(not os.path.exists(mark), "no helper ran")
    place.equal(leftovers.tree(os.path.join(project, ".git"))["config"], before, "the repository's configuration is unchanged")
    for name in (base, os.path.join(place.home, "work.inc")):
        os.unlink(name)


CASES = [value for name, value in sorted(globals().items()) if name.startswith("C") and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
