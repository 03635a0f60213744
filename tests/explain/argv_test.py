#!/usr/bin/env python3
"""The shell line of `explain --argv` shows a process what `run` shows it: the probe's answers from both are compared, in
several profiles, in workspaces with hostile names, as every identity.

    argv_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import product  # noqa: E402

NAMES = {"plain": "project", "hostile": "sp ace 'single' \"double\" $HOME `id` \\ *\nline\ttab \x1b[31m \udcff -e"}
MODES = [
    ("strict", ["--profile", "strict", "--net", "off"]),
    ("balanced", []),
    ("balanced, off, ro", ["--net", "off", "--fs", "ro"]),
    ("rules", ["--mask", "secrets/**", "--mask", ".env", "--protect", "src/", "--env", "GIVEN=a 'b' $c", "--env", "NAMED"]),
    ("dev", ["--profile", "dev"]),
]
# What the shell line has of the variables that are not its own.
ENVIRONMENT = {"GIVEN": "a 'b' $c", "NAMED": "two\nlines", "GITHUB_TOKEN": "not passed", "LC_TIME": "C"}

# The same in both. What is left out is the warden's and the launcher's by design: pid, ppid, pgid, sid and pids (who starts it),
# seccomp, calls, families and nesting (the filter), limits, groups (the launcher drops them), descriptors
# (checked apart), and abstract sockets (Landlock).
COMPARED = ["argv", "environment", "uid", "euid", "gid", "uid_map", "gid_map", "capabilities", "no_new_privileges", "hostname", "cwd",
            "passwd", "terminals", "listing", "paths", "writes"]


def prepare(runner, name):
    project = runner.repository(os.path.join(runner.home, "work", name))
    for place in (os.path.join(runner.home, ".ssh/key"), os.path.join(project, "secrets/a"), os.path.join(project, ".env")):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w") as file:
            file.write("secret\n")
    runner.who.own(runner.home)
    return project


def command(runner, project):
    places = [project, os.path.join(project, "secrets"), "/", "/etc", "/tmp", "/run", runner.home]
    files = [os.path.join(project, name) for name in ("file.txt", ".env", "secrets/a", "src/deep/file.txt", ".git/config")]
    files += [os.path.join(runner.home, ".ssh/key"), os.path.join(runner.home, ".gitconfig"), "/etc/shadow", "/proc/sys/kernel/core_pattern"]
    words = ["list=" + path for path in places] + ["exists=" + path for path in files]
    return [runner.probe, *words, *["write=" + path for path in [*files, "/tmp", "/", "/usr/bin", project]]]


def mounts_of(seen, but):
    return [mount for mount in seen["mounts"] if mount["target"] not in but]


def escaped(path):
    """A path of a plan's JSON as mountinfo(5) writes it and the probe hands it on."""
    # A byte that is no text is U+EF00 + byte there.
    plain = re.sub(rb"\xee([\xbe\xbf])(.)", lambda found: bytes([(found[1][0] & 3) << 6 | found[2][0] & 0x3F]), path.encode(), flags=re.S)
    return "".join("\\%03o" % byte if byte in b" \t\n\\" else chr(byte) for byte in plain)


def own_namespaces(seen):
    return {kind: seen["namespaces"][kind] != os.readlink("/proc/self/ns/" + kind) for kind in ("user", "pid", "ipc", "uts", "mnt", "net", "cgroup")}


def check_mode(report, runner, project, label, options):
    words = ["--ro", runner.programs, *options, "--", *command(runner, project)]
    where = {"cwd": os.path.join(project, "src"), "env": ENVIRONMENT}
    if runner.who.is_root:
        options = [*options, "--without", "kernel_uid_unprivileged"]  # a kernel id of its own needs mounts that no line can make
    # First the run: it makes the first directories of caches, which the line would not have otherwise.
    ran = runner.run(*options, "--", *command(runner, project), **where)
    printed = runner.execute([runner.paddock, "explain", "--argv", *words], **where)
    plan = json.loads(runner.execute([runner.paddock, "explain", "--json", *words], **where).out)["plan"]
    if not report.equal(printed.code, 0, label + ": a line is printed", printed):
        return
    line = os.fsdecode(printed.out)
    report.equal(line.count("\n"), 1, label + ": it is one line", printed)
    report.check("system call filter" in printed.words, label + ": what is not in it is said", printed)
    report.equal("root to the kernel" in printed.words, runner.who.is_root, label + ": what it cannot do for root is said", printed)
    report.check("not passed" not in line and "two" not in line, label + ": it holds no value but literals", printed)
    raw = runner.execute(["sh", "-c", line], **where)
    if not report.equal((ran.code, raw.code), (0, 0), label + ": both run", "%s\n%s" % (ran, raw)):
        return
    by_run, by_line = json.loads(ran.out), json.loads(raw.out)
    by_line["environment"].pop("PWD", None)
    for key in COMPARED:
        compare(report, by_line[key], by_run[key], "%s: %s" % (label, key))
    held = {escaped(one["path"]) for one in plan["absent"] if one["hold"]}
    report.equal(mounts_of(by_line, held), mounts_of(by_run, held), label + ": mounts, but those over stand-ins")
    report.equal(own_namespaces(by_line), own_namespaces(by_run), label + ": namespaces of its own")
    report.equal(sorted(by_line["descriptors"], key=int), ["0", "1", "2"], label + ": no descriptor is left over")


def compare(report, found, wanted, name):
    if isinstance(found, dict) and isinstance(wanted, dict):
        different = {key: (found.get(key), wanted.get(key)) for key in {*found, *wanted} if found.get(key) != wanted.get(key)}
        return report.equal(different, {}, name)
    return report.equal(found, wanted, name)


def body(runner, report):
    for kind, name in NAMES.items():
        project = prepare(runner, name)
        for label, options in MODES:
            whole = "%s, %s, %s" % (runner.who.label, kind, label)
            if report.wants(whole):
                check_mode(report, runner, project, whole, options)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
