#!/usr/bin/env python3
"""Set-user-id, set-group-id and file capabilities left in the workspace. The host's own view of it decides."""

import os
import stat
import struct
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402


def privileged(directory, uid):
    """Files that would give privilege to whoever runs them on the host."""
    found = []
    for place, directories, files in os.walk(directory):
        for name in directories + files:
            path = os.path.join(place, name)
            status = os.lstat(path)
            if status.st_mode & (stat.S_ISUID | stat.S_ISGID):
                found.append("%s has mode %o" % (name, status.st_mode))
            if stat.S_ISBLK(status.st_mode) or stat.S_ISCHR(status.st_mode):
                found.append("%s is a device" % name)
            if status.st_uid != uid:
                found.append("%s belongs to %d" % (name, status.st_uid))
            try:
                value = os.getxattr(path, "security.capability", follow_symlinks=False)
            except OSError:
                continue
            # Version 3 names the root of the namespaces in which it counts: only their own maker's, if not 0.
            root = struct.unpack("<I", value[20:24])[0] if len(value) == 24 else 0
            if root == 0 or root != uid:
                found.append("%s has capabilities that count for root id %d" % (name, root))
    return found


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    granted = os.path.join(runner.who.base, "granted")
    os.mkdir(granted, 0o755)
    shared = os.path.join(runner.who.base, "shared")
    os.mkdir(shared)
    runner.who.own(granted)
    runner.who.own(shared)
    os.chmod(shared, 0o2775)
    inside = os.path.join(project, "made")
    os.mkdir(inside)
    runner.who.own(project)
    for profile in escape.PROFILES:
        escape.run(runner, report, "suidcap", "directory=" + inside, "directory=" + granted, options=["--profile", profile, "--rw", granted], cwd=project)
        for place in (project, granted):
            found = privileged(place, runner.who.uid)
            report.check(not found, "%s suidcap --profile %s: the host sees no privilege in %s" % (runner.who.label, profile, os.path.basename(place)), "\n".join(found[:20]))
    escape.nothing_left(runner, report, "suidcap")


if __name__ == "__main__":
    escape.main(__doc__, body)
