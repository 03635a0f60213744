#!/usr/bin/env python3
"""Shows that the attacks work: the same programs against a plain bubblewrap sandbox as THREATS describes them, and the
same git scripts with no sandbox. An attack of the list that does not succeed there proves nothing elsewhere."""

import os
import shutil
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import fdreopen_test  # noqa: E402
import gitplant_test  # noqa: E402
import host as fixture  # noqa: E402
import report as reporting  # noqa: E402
import terminal  # noqa: E402

# As one would write it without having read THREATS: everything there, /tmp and pid namespace private.
NAIVE = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--unshare-pid", "--die-with-parent"]

EXPECTED = {
    "pid1": ["1/environ", "1/mem", "1/fd", "1/attach", "1/seize", "1/getfd", "1/prlimit", "1/kcmp", "canary"],
    "procsys": ["nested-mount/tmpfs", "nested-mount/proc", "nested-user", "nested-net/proc-sys", "limits"],
    "sysnum": ["refused/keyctl", "refused/bpf", "refused/io_uring_setup", "refused/userfaultfd", "refused/clone3", "x32/every-number", "ioctl/TIOCLINUX",
               "ioctl/TIOCLINUX+bit32", "unshare-in-user/mount", "prlimit/child", "filter/is-there", "netlink/12"],
    "suidcap": ["chmod/4", "fchmod/4", "openat/4", "openat2/4", "mkdir-chmod/2", "mknod/4", "fchmodat2/4"],
    "names": ["write", "truncate", "unlink", "rename-over", "rename-away", "hard-link-and-write", "symlink-swap", "ancestor-rename", "ancestor-exchange"],
    "maskback": ["hidden0/plain", "hidden0/symlink", "hidden0/root-link"],
    "fdreopen": ["fd0/reopen-write", "fd0/reopen-both", "fd0/truncate", "leaks"],
    "sockets": ["/stream", "abstract/", "sysv/shm", "tcp/"],
    "tty": ["fd0/TIOCSTI", "fd0/TIOCSTI+bit32", "dev-tty/TIOCSTI"],
    "limits": ["processes/fork", "processes/after-raising"],
    "nested": ["user+mount", "net/family-17"],
}
OPTIONAL = {"nested-user", "limits"}  # depend on limits that the machine sets
GIT_FIRES = ["hooks", "config", "config-worktree", "commondir", "include", "modules", "gitlink", "rebase-todo", "index-entry", "sub-init", "new-worktree",
             "reflog-link", "message-link", "index-link"]


def escapes(report, label, program, text):
    found, ended = escape.lines_of(text)
    escaped = [name for verdict, name, _ in found if verdict == "ESCAPED"]
    for name in EXPECTED[program]:
        happened = any(name in one for one in escaped)
        if not happened and name in OPTIONAL:
            report.skip("%s %s" % (label, name), "not on this machine")
        else:
            report.check(happened, "%s: %s succeeds where nothing stops it" % (label, name), text[-400:])


def naive(runner, report, program, *words, **how):
    done = runner.execute([*NAIVE, runner.attack, program, *words], **how)
    escapes(report, "%s proof %s" % (runner.who.label, program), program, done.text)


def git(runner, report):
    for name in GIT_FIRES:
        script, _ = gitplant_test.WAYS[name]
        project = gitplant_test.prepare(runner, name)
        mark = os.path.join(runner.home, "FIRED-" + name)
        runner.execute(["sh", "-c", script], cwd=project, env={"CANARY": "touch " + mark, "MARK": mark})
        if os.path.exists(mark):
            os.unlink(mark)
        runner.execute(["sh", "-c", gitplant_test.HOST], cwd=project, env={"GIT_EDITOR": "true"})
        report.check(os.path.exists(mark), "%s proof gitplant: %s runs code on the host" % (runner.who.label, name))


def body(runner, report):
    with fixture.host(runner) as host:
        scratch = os.path.join(host.project, "scratch")
        os.makedirs(os.path.join(scratch, "under"))
        with open(os.path.join(scratch, "under/key"), "w") as file:
            file.write(host.canary)
        runner.who.own(host.project)
        # Its pid 1 stands still once it has been traced: all lines are there by then.
        naive(runner, report, "pid1", "canary=" + host.canary, cwd=host.project, env={"X": host.canary}, timeout=6)
        naive(runner, report, "procsys", cwd=host.project)
        naive(runner, report, "sysnum", "step=64", cwd=host.project)
        naive(runner, report, "suidcap", "directory=" + scratch, cwd=host.project)
        naive(runner, report, "maskback", "canary=" + host.canary, "hidden=" + host.secrets[0], "scratch=" + scratch, cwd=host.project)
        naive(runner, report, "sockets", "unix=" + host.sockets[-1], "abstract=" + host.abstract_name, "tcp=%d" % host.tcp, "sysv=%d" % host.sysv, cwd=host.project)
        naive(runner, report, "limits", "processes=64", cwd=host.project)
        naive(runner, report, "nested", "expect=none", cwd=host.project)
        naive(runner, report, "names", "protected=" + os.path.join(scratch, "under/key"), "ancestor=" + os.path.join(scratch, "under"), "scratch=" + scratch,
              "rounds=10", "proof=1", cwd=host.project)
        fd = os.open("/etc/hostname", os.O_RDONLY)
        with open(fdreopen_test.made(runner, "in"), "rb") as stdin:
            naive(runner, report, "fdreopen", "scratch=" + scratch, cwd=host.project, stdin=stdin, pass_fds=[os.dup2(fd, 300)])
        os.close(fd)
        os.close(300)
        with terminal.Terminal(runner, [*NAIVE, runner.attack, "tty", "mode=inject"], host.project) as seen:
            seen.wait(30)
            escapes(report, "%s proof tty" % runner.who.label, "tty", seen.seen.decode("latin1"))
        git(runner, report)
        escape.nothing_left(runner, report, "proof", {host.bystander})


if __name__ == "__main__":
    if shutil.which("bwrap") is None:
        reporting.skip_suite("bwrap is not installed")
    # Never as root: there the attacks would reach the machine itself.
    escape.main(__doc__, body, wanted=["ordinary"]) if os.getuid() == 0 else escape.main(__doc__, body)
