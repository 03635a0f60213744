"""Who runs the product: root, an ordinary user with an entry in the user database, and a uid without one.

As root all three are made; the ordinary user is created for the suite and removed again. As anybody else there is
only one, oneself, and the suite says so.
"""

import contextlib
import os
import pwd
import secrets
import shutil
import stat
import subprocess
import tempfile
import time

UID_WITHOUT_ENTRY = 54321


class Identity:
    """`base` is a directory of root's; `home` in it belongs to the identity."""

    def __init__(self, label, uid, gid, name, base):
        self.label, self.uid, self.gid, self.name, self.base = label, uid, gid, name, base
        self.home = os.path.join(base, "home")
        self.is_root = uid == 0
        self.switch = {} if uid == os.getuid() else {"user": uid, "group": gid, "extra_groups": []}

    def own(self, path):
        """Gives a tree that the suite made to the identity."""
        if self.uid == os.getuid():
            return
        for directory, directories, files in os.walk(path):
            os.chown(directory, self.uid, self.gid)
            for entry in directories + files:
                os.chown(os.path.join(directory, entry), self.uid, self.gid, follow_symlinks=False)


def _remove(path):
    """A test may have left directories without permissions."""
    def again(function, name, _):
        with contextlib.suppress(OSError):
            os.chmod(os.path.dirname(name), stat.S_IRWXU)
            os.chmod(name, stat.S_IRWXU)
            function(name)
    shutil.rmtree(path, onerror=again)


@contextlib.contextmanager
def _base(parent):
    path = tempfile.mkdtemp(prefix="pdk-", dir=parent)
    os.chmod(path, 0o755)
    os.mkdir(os.path.join(path, "home"), 0o700)
    try:
        yield path
    finally:
        _remove(path)


def parent_of_bases():
    """Homes lie where homes lie; a person without root has only what is theirs."""
    return "/home" if os.getuid() == 0 and os.path.isdir("/home") else "/var/tmp"


def _account(*words):
    """The user database has one lock, and other suites run beside this one."""
    for _ in range(50):
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # userdel(8) 8: logged in, because a process of the user is still ending.
        if done.returncode not in (1, 8, 10):
            break
        time.sleep(0.1)
    if done.returncode != 0:
        raise OSError("%s: %s" % (words[0], done.stderr.decode()))


@contextlib.contextmanager
def one(label):
    with _base(parent_of_bases()) as base:
        home = os.path.join(base, "home")
        if label == "self":
            entry = next((e for e in pwd.getpwall() if e.pw_uid == os.getuid()), None)
            yield Identity(label, os.getuid(), os.getgid(), entry.pw_name if entry else None, base)
        elif label == "root":
            yield Identity(label, 0, 0, "root", base)
        elif label == "unnamed":
            os.chown(home, UID_WITHOUT_ENTRY, UID_WITHOUT_ENTRY)
            yield Identity(label, UID_WITHOUT_ENTRY, UID_WITHOUT_ENTRY, None, base)
        else:
            name = "pdk" + secrets.token_hex(4)
            _account("useradd", "--no-create-home", "--home-dir", home, "--shell", "/bin/sh", name)
            try:
                entry = pwd.getpwnam(name)
                os.chown(home, entry.pw_uid, entry.pw_gid)
                yield Identity(label, entry.pw_uid, entry.pw_gid, name, base)
            finally:
                _account("userdel", name)


def labels(wanted=None):
    """Those that can be had here, of those that are wanted."""
    if os.getuid() != 0:
        return ["self"]
    everybody = ["root", "ordinary", "unnamed"]
    return [label for label in everybody if wanted is None or label in wanted]
