"""A clean Debian system in a directory: debootstrap once, into a cache outside the checkout, then unpacked into memory
for each use, in mount and pid namespaces of its own that take everything with them when they end."""

import fcntl
import os
import re
import shutil
import subprocess

SUITE = "bookworm"
DEBOOTSTRAP_S = 1500


class Unreachable(Exception):
    """Why there is no clean root here."""


def mirror():
    """The mirror of the suite that apt on this machine is configured with."""
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(CODENAME) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for line in listed.splitlines():
        codename, component, uri = line.split(" ", 2)
        if (codename, component) == (SUITE, "main"):
            return uri
    raise Unreachable("apt on this machine has no mirror of %s" % SUITE)


BOOTSTRAP = r"""
set -e
mount -t tmpfs -o size=2G,mode=755 paddock "$1"
debootstrap --variant=minbase "$2" "$1" "$3"
rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/*
tar -C "$1" -cf "$4.new" .
mv "$4.new" "$4"
"""


def archive():
    """The path of the system's tar, made if it is not there yet."""
    if os.getuid() != 0:
        raise Unreachable("not root: debootstrap and chroot need it")
    for program in ("debootstrap", "apt-get", "unshare", "pivot_root"):
        if shutil.which(program) is None:
            raise Unreachable("%s is not installed" % program)
    cache = "/var/cache/paddock-build/debootstrap"
    os.makedirs(cache, exist_ok=True)
    architecture = subprocess.run(["dpkg", "--print-architecture"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    path = os.path.join(cache, "%s-%s.tar" % (SUITE, architecture))
    with open(os.path.join(cache, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(path):
            return path
        place = os.path.join(cache, "new")
        os.makedirs(place, exist_ok=True)
        done = subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", BOOTSTRAP, "sh", place, SUITE, mirror(), path],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=DEBOOTSTRAP_S, text=True, errors="replace")
        if done.returncode != 0:
            raise Unreachable("debootstrap ended with %d: %s" % (done.returncode, re.sub(r"\s+", " ", done.stdout[-300:])))
    return path


# Arguments: the archive, a directory to work in, files to copy into /payload, and after "--" the command.
ENTER = r"""
set -e
archive=$1 place=$2
shift 2
mount -t tmpfs -o size=2G,mode=755 paddock "$place"
tar -C "$place" -xf "$archive"
mkdir "$place/payload" "$place/.old"
while [ "$1" != -- ]; do cp -R "$1" "$place/payload/"; shift; done
shift
mount -t proc proc "$place/proc"
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$place/dev/pts"
for device in null zero full random urandom tty; do
  [ -e "$place/dev/$device" ] || : >"$place/dev/$device"
  mount --bind "/dev/$device" "$place/dev/$device"
done
ln -sf pts/ptmx "$place/dev/ptmx"
# Not chroot alone: there the kernel refuses user namespaces (clone(2), EPERM).
cd "$place"
pivot_root . .old
umount -l /.old
exec chroot . /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 "$@"
"""


def run(tar, place, files, command, timeout):
    """`command` as root in a fresh clean system; what it printed, both streams together, and its exit status."""
    done = subprocess.run(["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--uts", "--ipc", "--net",
                           "sh", "-c", ENTER, "sh", tar, place, *files, "--", *command],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, text=True, errors="replace")
    return done.stdout, done.returncode


if __name__ == "__main__":
    try:
        archive()
    except Unreachable as reason:
        raise SystemExit("no clean root: %s" % reason)
