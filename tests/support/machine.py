"""Facts of this machine on which an expectation depends."""

import ctypes
import os
import platform

LANDLOCK_CREATE_RULESET = 444
LANDLOCK_CREATE_RULESET_VERSION = 1


def landlock_abi():
    abi = ctypes.CDLL(None, use_errno=True).syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    return max(abi, 0)


def terminal_injection_works():
    try:
        with open("/proc/sys/dev/tty/legacy_tiocsti") as file:
            return file.read().strip() == "1"
    except OSError:
        return True  # older kernels always allow it


def is_x86_64():
    return platform.machine() == "x86_64"


def file_handle(path):
    """name_to_handle_at(2) as `TYPE:HEX`; None where the file system has none."""
    class Handle(ctypes.Structure):
        _fields_ = [("bytes", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * 128)]
    handle, mount = Handle(bytes=128), ctypes.c_int()
    failed = ctypes.CDLL(None, use_errno=True).name_to_handle_at(-100, os.fsencode(path), ctypes.byref(handle), ctypes.byref(mount), 0)
    return None if failed else "%d:%s" % (handle.type, bytes(handle.data[:handle.bytes]).hex())
