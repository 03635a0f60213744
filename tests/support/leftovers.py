"""What a run left behind: processes, mounts, files."""

import contextlib
import ctypes
import os
import signal
import time

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """From here on whatever outlives its parents becomes a child of this process, where it can be seen."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _parents():
    parents = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
        except (OSError, IndexError):
            continue
        parents[int(name)] = (int(fields[1]), fields[0].decode())
    return parents


def descendants(of=None, but=()):
    """{pid: state} of everything below a process of ours; `but` are pids that are meant to be there."""
    parents = _parents()
    found, wave = {}, {of or os.getpid()}
    while wave:
        wave = {pid for pid, (parent, _) in parents.items() if parent in wave and pid not in found and pid not in but}
        found.update({pid: parents[pid][1] for pid in wave})
    return found


def describe(pids):
    lines = []
    for pid, state in pids.items():
        try:
            with open("/proc/%d/cmdline" % pid, "rb") as file:
                lines.append("%d %s %s" % (pid, state, file.read().replace(b"\0", b" ").decode("latin1")[:120]))
        except OSError:
            continue
    return "\n".join(lines)


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def processes_gone(within=10.0, but=()):
    """The living ones that are left after so long; zombies that were handed to us are taken."""
    until = time.monotonic() + within
    while True:
        reap()
        left = {pid: state for pid, state in descendants(but=but).items()}
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.02)


def end(pids):
    """Only what descends from this suite."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    time.sleep(0.05)
    reap()


def mounts():
    with open("/proc/self/mountinfo") as file:
        return sorted(line.split(" ", 2)[2] for line in file)


def tree(path, contents=True):
    """{name: what it is} of a tree, links not followed. Times are left out, and what goes while it is looked at."""
    found = {}
    for directory, directories, files in os.walk(path):
        for name in directories + files:
            whole = os.path.join(directory, name)
            with contextlib.suppress(FileNotFoundError):
                found[os.path.relpath(whole, path)] = facts_of(whole, contents and name in files)
    return found


def facts_of(whole, contents):
    status = os.lstat(whole)
    facts = [status.st_mode, status.st_uid, status.st_gid]
    if os.path.islink(whole):
        facts.append(os.readlink(whole))
    elif contents and status.st_size < 1 << 20 and os.path.isfile(whole):
        with open(whole, "rb") as file:
            facts.append(file.read())
    return tuple(facts)


def difference(before, after):
    lines = ["gone: %s" % name for name in before if name not in after]
    lines += ["new: %s" % name for name in after if name not in before]
    lines += ["changed: %s" % name for name in before if name in after and before[name] != after[name]]
    return "\n".join(lines)


def journals(home):
    """Records of stand-ins that nobody has taken back yet."""
    place = os.path.join(home, ".local/state/paddock/journal")
    return [name for name in os.listdir(place) if not name.startswith(".")] if os.path.isdir(place) else []
