#!/usr/bin/env python3
"""Runs a command in a user namespace of its own in which the caller keeps uid and gid and root has none, with kernel
settings of that namespace: in_namespace.py [user.max_net_namespaces=0]... -- COMMAND..."""

import ctypes
import os
import sys

CLONE_NEWUSER = 0x10000000


def write(path, text):
    fd = os.open(path, os.O_WRONLY)
    os.write(fd, text.encode())
    os.close(fd)


def main():
    end = sys.argv.index("--")
    uid, gid = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        raise SystemExit("no user namespace: %s" % os.strerror(ctypes.get_errno()))
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", "%d %d 1" % (uid, uid))
    write("/proc/self/gid_map", "%d %d 1" % (gid, gid))
    for setting in sys.argv[1:end]:
        name, value = setting.split("=")
        write("/proc/sys/" + name.replace(".", "/"), value)
    os.execvp(sys.argv[end + 1], sys.argv[end + 1:])


main()
