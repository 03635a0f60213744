#!/usr/bin/env python3
"""Descriptors that come along: files made writable again, names made of them, directories, leaks."""

import os
import stat
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402

TEXT = b"the host's own text\n"


def made(runner, name, mode=0o600):
    """A file outside every grant."""
    path = os.path.join(runner.who.base, "outside", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(TEXT)
    os.chmod(path, mode)
    runner.who.own(os.path.dirname(path))
    return path


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    label = runner.who.label
    options = ["--profile", "strict"]
    words = ["scratch=" + project]
    source, target, appended, errors = [made(runner, name) for name in ("in", "out", "append", "errors")]
    inode = os.stat(source).st_ino

    with open(source, "rb") as stdin:
        escape.run(runner, report, "fdreopen", *words, options=options, cwd=project, stdin=stdin, label="a file on 0")
    with open(source, "rb") as file:
        report.equal((file.read(), os.stat(source).st_ino), (TEXT, inode), "%s fdreopen: the file on 0 is as before" % label)
    report.equal(stat.S_IMODE(os.stat(source).st_mode), 0o600, "%s fdreopen: and its mode" % label)

    with open(source, "rb") as stdin, open(target, "wb") as stdout:
        done = runner.run(*options, "--", runner.attack, "fdreopen", *words, cwd=project, stdin=stdin, stdout=stdout)
    with open(target) as file:
        escape.judge(report, "%s fdreopen files on 0 and 1" % label, file.read(), done)
    for flags, path, name in ((os.O_WRONLY, target, "write"), (os.O_WRONLY | os.O_APPEND, appended, "append")):
        fd = os.open(path, flags)
        done = runner.run(*options, "--", runner.attack, "fdreopen", *words, cwd=project, stdin=open(source, "rb"), stdout=-1, stderr=fd)
        os.close(fd)
        escape.judge(report, "%s fdreopen %s-only file on 2" % (label, name), done.text, done)
    with open(appended, "rb") as file:
        report.check(file.read().startswith(TEXT), "%s fdreopen: what was appended to is whole" % label)

    for place in (runner.home, "/", "/tmp", os.path.join(runner.who.base, "outside")):
        fd = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        for target_fd in ("stdin", "stdout", "stderr"):
            how = {"stdout": -1, "stderr": -1, target_fd: fd}
            done = runner.run("--", "sh", "-c", "echo RAN; ls -A /proc/self/fd/0/ /proc/self/fd/1/ /proc/self/fd/2/ > /dev/shm/x 2>/dev/null; cat /dev/shm/x", cwd=project, **how)
            report.check(done.code == 125 and b"RAN" not in done.out, "%s fdreopen: a directory on %s is refused: %s" % (label, target_fd, place), done)
        os.close(fd)

    fds = [os.open(path, os.O_RDONLY) for path in ("/", "/etc", runner.home, source)] + [os.open(target, os.O_RDWR)]
    many = [os.dup2(fd, 300 + n) for n, fd in enumerate(fds * 40)]
    for profile in escape.PROFILES:
        escape.run(runner, report, "fdreopen", *words, options=["--profile", profile], cwd=project, pass_fds=[*fds, *many], label="with %d inherited" % len(many))
    for fd in [*fds, *many]:
        os.close(fd)
    report.check(not [name for name in os.listdir(project) if name.startswith("named-")], "%s fdreopen: no name of a host file appeared" % label)
    escape.nothing_left(runner, report, "fdreopen")


if __name__ == "__main__":
    escape.main(__doc__, body)
