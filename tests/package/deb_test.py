#!/usr/bin/env python3
"""The Debian package in a clean system without bubblewrap: it installs, runs, shows what it is asked, and refuses a
bwrap that is not the one it was built with.

    deb_test.py --paddock PROGRAM [WORD]...

Needs root, and a Debian mirror for the first time (clean_root.py).
"""

import argparse
import glob
import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))

import clean_root  # noqa: E402
from report import Report, skip_suite  # noqa: E402

SYSTEM_S = 900
MACHINES = {"amd64": 62, "arm64": 183}  # EM_X86_64, EM_AARCH64
PT_INTERP = 3


def package_of(paddock, architecture):
    found = glob.glob(os.path.join(os.path.dirname(paddock), "../../paddock_*_%s.deb" % architecture))
    return os.path.abspath(found[0]) if len(found) == 1 else None


def elf(path):
    """Machine, and whether another program (a loader) starts it."""
    with open(path, "rb") as file:
        head = file.read(64)
        machine, = struct.unpack_from("<H", head, 18)
        table, = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        file.seek(table)
        kinds = [struct.unpack_from("<I", file.read(size))[0] for _ in range(count)]
    return machine, PT_INTERP in kinds


def check_content(package, architecture, report):
    """What can be said of a package without running it."""
    name = "content." + architecture
    with tempfile.TemporaryDirectory(prefix="pdk-") as place:
        subprocess.run(["dpkg-deb", "-x", package, place], check=True)
        for program in ("bin/paddock", "lib/paddock/paddock-warden", "lib/paddock/bwrap"):
            found = elf(os.path.join(place, "usr", program))
            report.equal(found, (MACHINES[architecture], False), "%s/%s" % (name, program))
        shipped = open(os.path.join(place, "usr/share/doc/paddock/SHIPPED")).read()
        for program in ("paddock-warden", "bwrap"):
            path = os.path.join(place, "usr/lib/paddock", program)
            digest = subprocess.run(["sha256sum", path], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]
            report.check("sha256 %s  lib/paddock/%s\n" % (digest, program) in shipped, "%s/sha256/%s" % (name, program), shipped)
        pinned = digest.encode() in open(os.path.join(place, "usr/bin/paddock"), "rb").read()
        report.check(pinned, name + "/pinned")
        for source in ("bubblewrap", "glibc", "libcap2", "libmd"):
            report.check("\nsource %s " % source in shipped, "%s/source/%s" % (name, source), shipped)
        for notice in ("bubblewrap", "glibc", "libcap", "libmd", "fmt", "gcc-runtime"):
            report.check(os.path.getsize(os.path.join(place, "usr/share/doc/paddock/notices/%s.txt" % notice)) > 500, "%s/notice/%s" % (name, notice))
        odd = [path for directory, _, names in os.walk(place) for path in (os.path.join(directory, entry) for entry in names)
               if os.lstat(path).st_uid != 0 or os.lstat(path).st_mode & 0o7022]
        report.equal(odd, [], name + "/modes")
    fields = subprocess.run(["dpkg-deb", "-f", package], stdout=subprocess.PIPE, text=True, check=True).stdout
    report.check("\nDepends:" not in fields and "\nPre-Depends:" not in fields, name + "/depends_on_nothing", fields)
    report.check("Architecture: %s\n" % architecture in fields, name + "/architecture", fields)
    if shutil.which("lintian"):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", package], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        report.check(done.returncode == 0, name + "/lintian", done.stdout)
    else:
        report.skip(name + "/lintian", "lintian is not installed")


# Each check prints "held NAME" or "FAIL NAME" with what it saw below. $said is what the command printed, $code its code.
INSIDE = r"""
see() { said=$("$@" 2>&1); code=$?; }
check() { if [ "$2" = "$3" ]; then echo "held $1"; else echo "FAIL $1"; printf '%s\n' "found $2, wanted $3" "$code: $said" | sed 's/^/     | /'; fi; }
has() { case "$said" in *"$2"*) echo "held $1" ;; *) echo "FAIL $1"; printf '%s\n' "wanted: $2" "$code: $said" | sed 's/^/     | /' ;; esac; }
ordinary() { (cd /home/person/project && setpriv --reuid=1234 --regid=1234 --clear-groups env HOME=/home/person USER=person LOGNAME=person "$@"); }
shipped=/usr/lib/paddock/bwrap

check clean "$(command -v bwrap paddock fish zsh man)" ''
see dpkg -i /payload/*.deb
check installs $code 0
useradd -u 1234 -m person && mkdir -p /root/project /home/person/project && chown person: /home/person/project

cd /root/project
see paddock version
has version 'paddock '
see paddock run -- sh -c 'echo hello from $(pwd)'
check run/root "$said" 'hello from /root/project'
see ordinary paddock run -- sh -c 'echo hello from $(pwd); id -u'
check run/ordinary "$said" 'hello from /home/person/project
1234'
see ordinary paddock run --net off -- sh -c 'exit 7'
check run/code $code 7
see paddock explain --json
has program/shipped "\"program\":\"$shipped\""
see ordinary paddock explain --argv -- true
has program/argv "$shipped "

see zcat /usr/share/man/man1/paddock.1.gz
has man/overview '.SH COMMANDS'
see sh -c 'ls /usr/share/man/man1/paddock-*.1.gz'
has man/run paddock-run.1.gz
see bash -c '. /usr/share/bash-completion/completions/paddock; complete -p paddock'
has completion/bash '_paddock paddock'
see sh -c 'head -1 /usr/share/zsh/vendor-completions/_paddock; grep -c net /usr/share/fish/vendor_completions.d/paddock.fish'
has completion/zsh '#compdef paddock'

# A byte more, then a byte changed with the same size and time of modification: a warm start sees both.
cp -a $shipped /root/pristine
printf x >>$shipped
for who in root ordinary; do
  as=; [ $who = root ] || as=ordinary
  see $as paddock run -- true
  check tampered/longer/$who $code 125
  has tampered/longer/$who/reason 'not the program that was shipped'
done
cp -a /root/pristine $shipped
see ordinary paddock run -- echo again
check restored "$said" again
printf '\377' | dd of=$shipped bs=1 seek=40000 conv=notrunc status=none
touch -r /root/pristine $shipped
see ordinary paddock run -- true
check tampered/same_size $code 125
has tampered/same_size/reason 'not the program that was shipped'
see ordinary paddock run --no-sandbox -- echo outside
has tampered/no_sandbox outside

# Named in the settings it is held to its checksum too; another program on PATH that works is taken.
mkdir -p /home/person/.config/paddock
printf '[backends.bubblewrap]\nprogram = "%s"\n' $shipped >/home/person/.config/paddock/config.toml
see ordinary paddock run -- true
check tampered/named $code 125
rm /home/person/.config/paddock/config.toml
install -m 755 /root/pristine /usr/local/bin/bwrap
see ordinary paddock run -- echo by another
check tampered/another_on_path "${said##*
}" 'by another'
has tampered/another_is_told 'not the program that was shipped'
see ordinary paddock explain --json
has tampered/another_is_shown '"program":"/usr/local/bin/bwrap"'
cp -a /root/pristine $shipped
see ordinary paddock explain --json
has mended/shipped_again "\"program\":\"$shipped\""
chmod u+s $shipped
rm /usr/local/bin/bwrap
see ordinary paddock run -- true
check setuid $code 125
has setuid/reason setuid
chmod u-s $shipped

see dpkg -r paddock
check removes $code 0
check removed "$(find /usr -path '*paddock*' | sort | tr '\n' ' ')" ''
"""


def check_in_clean_root(package, report):
    try:
        tar = clean_root.archive()
    except clean_root.Unreachable as reason:
        return report.skip("clean_root", str(reason))
    with tempfile.TemporaryDirectory(prefix="pdk-") as place:
        said, code = clean_root.run(tar, place, [package], ["sh", "-c", INSIDE], SYSTEM_S)
    held = failed = 0
    for line in said.splitlines():
        if line.startswith("held "):
            held += 1
            report.check(True, "clean_root." + line[5:])
        elif line.startswith("FAIL "):
            failed += 1
            report.check(False, "clean_root." + line[5:], said[said.index(line):][:1500])
    report.check(code == 0 and held + failed >= 28, "clean_root.ran", "%d checks, exit %d\n%s" % (held + failed, code, said))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paddock", required=True)
    parser.add_argument("only", nargs="*")
    options = parser.parse_args()
    paddock = os.path.abspath(options.paddock)
    report = Report(options.only)
    packages = {architecture: package_of(paddock, architecture) for architecture in MACHINES}
    if not any(packages.values()):
        skip_suite("there is no package (./paddock package): the source of bubblewrap could not be fetched, or nobody asked for one")
    for architecture, package in packages.items():
        if package is None:
            report.skip("content." + architecture, "there is no such package (./paddock package %s)" % architecture)
        elif report.wants("content." + architecture):
            check_content(package, architecture, report)
    native = subprocess.run(["dpkg", "--print-architecture"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    if packages.get(native) and report.wants("clean_root"):
        check_in_clean_root(packages[native], report)
    report.finish()


if __name__ == "__main__":
    main()
