#!/usr/bin/env python3
"""Started by real root, to the kernel nothing inside is root, and files keep their owners on disk.

    kernel_uid_test.py --paddock PROGRAM [WORD]...
"""

import contextlib
import ctypes
import json
import os
import secrets
import signal
import stat
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import cases  # noqa: E402
import leftovers  # noqa: E402
import product  # noqa: E402
import report as reports  # noqa: E402

OWNER, GROUP = 54399, 54377
ANOTHER = 54388
NAMED = "kernel_uid_unprivileged"


def status_of(pid):
    with open("/proc/%d/status" % pid) as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def processes_of(launcher):
    """{pid: status} of what a launcher has started, once the payload has said that it is there."""
    found = {}
    for pid in leftovers.descendants(of=launcher):
        with contextlib.suppress(OSError):
            found[pid] = status_of(pid)
    return found


def start_and_look(runner, project, *options):
    """The statuses of all processes of one sandbox, while its payload sleeps."""
    child = runner.start(runner.argv(*options, "--", "sh", "-c", "echo there; sleep 86423 & read x"), cwd=project, stdin=-1, stdout=-1, stderr=-1)
    said = child.stdout.readline()
    time.sleep(0.2)
    seen = processes_of(child.pid)
    return child, said, seen


def ids(status, name):
    return [int(word) for word in status[name].split()]


def end(child):
    child.communicate(b"\n", timeout=20)
    return child.returncode


def processes(runner, report, project):
    first, said, seen = start_and_look(runner, project)
    second, _, others = start_and_look(runner, project)
    report.equal(said, b"there\n", "processes: the payload runs")
    report.check(len(seen) >= 4, "processes: the backend, the warden, a shell and its child", seen.keys())
    for pid, status in seen.items():
        label = "processes: %s: " % status["Name"]
        report.check(all(one != 0 for one in ids(status, "Uid") + ids(status, "Gid")), label + "no id of root", status)
        report.equal(len({*ids(status, "Uid"), *ids(status, "Gid")}), 1, label + "one id", status)
        report.equal(status["Groups"].strip(), "", label + "no groups")
        report.equal(int(status["CapBnd"], 16) if status["Name"] == "sh" else 0, 0, label + "an empty bounding set")
    own = {one for status in seen.values() for one in ids(status, "Uid")}
    report.equal(len(own), 1, "processes: one kernel id for all of a sandbox", own)
    report.check(own.isdisjoint({one for status in others.values() for one in ids(status, "Uid")}), "processes: another one for another sandbox")
    report.check(not own & {int(line.split(":")[2]) for line in open("/etc/passwd") if line.count(":") == 6}, "processes: an id that no account has", own)
    for child in (first, second):
        report.equal(end(child), 0, "processes: ends")


def own_files(runner, report, project):
    for name, mode in (("public", 0o644), ("private", 0o600)):
        with open(os.path.join(project, name), "w") as file:
            file.write("mine\n")
        os.chmod(os.path.join(project, name), mode)
    done = runner.sh("cat public private; echo more >> private; echo new > new; mkdir d; echo x > d/x; mv public renamed; ln -s x link; chmod 700 d; "
                     "stat -c '%u %g %n' new private d; git add -A . && git commit -qm Inside && git status --porcelain", cwd=project)
    report.equal(done.out, b"mine\nmine\n1000 1000 new\n1000 1000 private\n1000 1000 d\n", "own files: what is root's is the payload's", done)
    for place, directories, files in os.walk(project):
        for name in directories + files:
            status = os.lstat(os.path.join(place, name))
            report.check((status.st_uid, status.st_gid) == (0, 0), "own files: root's on disk", "%s/%s %s" % (place, name, status)) if status.st_uid else None
    report.equal(stat.S_IMODE(os.stat(os.path.join(project, "d")).st_mode), 0o700, "own files: modes are as they were set")
    report.equal(runner.git("log", "-1", "--format=%s", cwd=project).text.strip(), "Inside", "own files: git inside, git outside")
    done = runner.sh("chown 0:0 new; chown 65534 new; chgrp 65534 new; chmod u+s new; install -m 4755 new set; ls -ln new set", cwd=project)
    report.equal([os.stat(os.path.join(project, "new")).st_uid, os.stat(os.path.join(project, "new")).st_mode & 0o6000], [0, 0], "own files: no other owner, no set-user-id", done)


def others_files(runner, report, project):
    """Root works in somebody's checkout, where root has files too."""
    tree = runner.repository(os.path.join(runner.home, "work/others"))
    for place, directories, files in os.walk(tree):
        for name in [*directories, *files, "."]:
            os.chown(os.path.join(place, name), OWNER, GROUP, follow_symlinks=False)
    facts = {"theirs": (OWNER, GROUP, 0o600), "roots": (0, 0, 0o600), "open": (0, 0, 0o666), "another": (ANOTHER, ANOTHER, 0o600), "group": (ANOTHER, GROUP, 0o660)}
    for name, (uid, gid, mode) in facts.items():
        path = os.path.join(tree, name)
        with open(path, "w") as file:
            file.write(name + "\n")
        os.chown(path, uid, gid)
        os.chmod(path, mode)
    done = runner.sh("for f in theirs roots open another group; do cat $f 2>/dev/null || echo -; echo x >> $f; done 2>/dev/null; echo new > new; mkdir d; "
                     "stat -c '%u %n' theirs roots another; git add new && git commit -qm Inside", cwd=tree)
    report.equal(done.out, b"theirs\n-\nopen\n-\ngroup\n1000 theirs\n65534 roots\n65534 another\n", "others' files: those of the tree's owner and group, and open ones", done)
    for name in ("new", "d", ".git/HEAD"):
        status = os.stat(os.path.join(tree, name))
        report.equal((status.st_uid, status.st_gid), (OWNER, GROUP), "others' files: %s is the owner's on disk" % name)
    report.equal([open(os.path.join(tree, name)).read() for name in ("theirs", "roots", "open", "another", "group")],
                 ["theirs\nx\n", "roots\n", "open\nx\n", "another\n", "group\nx\n"], "others' files: written exactly where the owner could")
    report.equal(runner.git("-c", "safe.directory=*", "log", "-1", "--format=%s", cwd=tree).text.strip(), "Inside", "others' files: a commit", done)


def grants(runner, report, project):
    """Each writable grant has the rights of its own owner; a read-only one too; private directories above are no obstacle."""
    base = os.path.join(runner.home, "grants")
    options, script = [], ""
    for index, (uid, kind) in enumerate([(0, "--rw"), (OWNER, "--rw"), (ANOTHER, "--ro"), (0, "--ro")]):
        above = os.path.join(base, "private%d" % index)
        tree = os.path.join(above, "tree")
        os.makedirs(tree)
        with open(os.path.join(tree, "file"), "w") as file:
            file.write("%d\n" % index)
        os.chmod(os.path.join(tree, "file"), 0o600)
        os.chown(os.path.join(tree, "file"), uid, uid)
        os.chown(tree, uid, uid)
        os.chmod(tree, 0o700)
        os.chmod(above, 0o700)
        options += [kind, tree]
        script += "cat %s/file; echo x > %s/new; " % (tree, tree)
    done = runner.sh(script + "true", *options, cwd=project)
    report.equal(done.out, b"0\n1\n2\n3\n", "grants: all are read", done)
    report.equal([os.path.exists(os.path.join(base, "private%d/tree/new" % index)) for index in range(4)], [True, True, False, False], "grants: writable ones are written", done)
    report.equal(os.stat(os.path.join(base, "private1/tree/new")).st_uid, OWNER, "grants: with their own owner")
    # A grant of another owner's inside the workspace.
    inside = os.path.join(project, "shared")
    os.mkdir(inside)
    os.chown(inside, OWNER, OWNER)
    done = runner.sh("echo x > shared/new; echo x > beside", "--rw", inside, cwd=project)
    report.equal([os.stat(os.path.join(project, name)).st_uid for name in ("shared/new", "beside")], [OWNER, 0], "grants: one in the workspace", done)
    file = os.path.join(base, "single")
    with open(file, "w") as opened:
        opened.write("single\n")
    os.chmod(file, 0o600)
    done = runner.sh("cat %s; echo more >> %s" % (file, file), "--rw", file, cwd=project)
    report.equal(open(file).read(), "single\nmore\n", "grants: a single file", done)


def many_grants(runner, report, project):
    """Side by side: they share what carries them."""
    for kind, mode in (("--ro", 0o700), ("--rw", 0o755)):
        base = os.path.join(runner.home, "many" + kind)
        os.mkdir(base, mode)
        options = []
        for index in range(40):
            os.mkdir(os.path.join(base, str(index)), 0o700)
            with open(os.path.join(base, str(index), "file"), "w") as file:
                file.write("x")
            options += [kind, os.path.join(base, str(index))] if index else []
        done = runner.sh("cat %s/*/file; echo; ls %s/0 2>/dev/null; for d in %s/*; do echo y > $d/new; done" % (base, base, base), *options, cwd=project)
        report.equal(done.out, b"x" * 39 + b"\n", "many grants %s: what was granted, not what lies beside" % kind, done)
        written = [index for index in range(40) if os.path.exists(os.path.join(base, str(index), "new"))]
        report.equal(written, list(range(1, 40)) if kind == "--rw" else [], "many grants %s: access" % kind)
        report.equal({os.stat(os.path.join(base, str(index), "new")).st_uid for index in written}, {0} if written else set(), "many grants %s: root's on disk" % kind)


def system_files(runner, report, project):
    """What only root may read of the system stays closed, although root started it."""
    closed = [path for path in ("/usr/lib/cron", "/usr/libexec/sudo", "/usr/share/polkit-1/rules.d", "/usr/lib/dbus-1.0/dbus-daemon-launch-helper")
              if os.path.exists(path) and not os.stat(path).st_mode & 0o004]
    place = os.path.join("/opt", "pdk-" + secrets.token_hex(4)) if os.access("/opt", os.W_OK) else None
    if place:
        with open(place, "w") as file:
            file.write("CANARY\n")
        os.chmod(place, 0o600)
        closed.append(place)
    try:
        done = runner.sh("cat %s; cat /etc/shadow /proc/1/environ; echo x > /proc/sys/kernel/core_pattern; ls /proc/1/fd" % " ".join(closed or ["/nonexistent"]), cwd=project)
        report.equal(done.out, b"", "system files: closed to the payload", done)
    finally:
        if place:
            os.unlink(place)
    status = runner.sh("stat -c '%u %n' /proc /usr /etc/passwd", cwd=project)
    report.equal(status.out, b"65534 /proc\n65534 /usr\n65534 /etc/passwd\n", "system files: what is root's is not its own", status)


def streams(runner, report, project):
    """Scripts open what stands behind their streams again."""
    done = runner.sh("echo out > /dev/stdout; echo err > /dev/stderr; echo two > /proc/self/fd/2", cwd=project)
    report.equal((done.out, done.err), (b"out\n", b"err\ntwo\n"), "streams: pipes of root's are opened again", done)
    done = runner.sh("cat /dev/stdin", cwd=project, input=b"given\n")
    report.equal(done.out, b"given\n", "streams: and read", done)
    path = os.path.join(project, "log")
    with open(path, "wb") as target:
        done = runner.sh("echo one; echo two > /dev/stdout; echo three >> /dev/stdout", cwd=project, stdout=target)
    report.equal(open(path, "rb").read(), b"one\ntwo\nthree\n", "streams: a file in the workspace", done)
    two = runner.execute(["sh", "-c", '"$0" run -- sh -c "echo a > /dev/stdout" | "$0" run -- sh -c "cat /dev/stdin > /dev/stdout"', runner.paddock], cwd=project)
    report.equal(two.out, b"a\n", "streams: two sandboxes on one pipe", two)
    fifo = os.path.join(runner.who.base, "fifo")
    os.mkfifo(fifo, 0o600)
    holder = os.open(fifo, os.O_RDWR)
    runner.sh("echo through", cwd=project, stdout=holder)
    report.equal((os.read(holder, 100), stat.S_IMODE(os.stat(fifo).st_mode)), (b"through\n", 0o600), "streams: a FIFO with a name keeps its mode")
    os.close(holder)


def rules(runner, report, project):
    """Masks, protections, a read-only workspace: on idmapped mounts as on others."""
    for name in ("secret.pem", "kept", "plain"):
        with open(os.path.join(project, name), "w") as file:
            file.write("CANARY\n")
        os.chmod(os.path.join(project, name), 0o600)
    done = runner.sh("cat secret.pem; cat kept; echo x > kept; echo x > plain; echo y > .git/config; rm -rf .git/hooks; mv .git g", "--mask", "*.pem", "--protect", "kept", cwd=project)
    report.equal((done.out, open(os.path.join(project, "kept")).read(), open(os.path.join(project, "plain")).read()), (b"CANARY\n", "CANARY\n", "x\n"), "rules: masked, protected, plain", done)
    report.check(os.path.isdir(os.path.join(project, ".git/hooks")) and "[core]" in open(os.path.join(project, ".git/config")).read(), "rules: git's protected parts", done)
    done = runner.sh("cat plain; echo z > plain; touch more", "--fs", "ro", cwd=project)
    report.equal((done.out, os.path.exists(os.path.join(project, "more"))), (b"x\n", False), "rules: a read-only workspace", done)


def mounts(runner, report, project):
    """File systems mounted in granted trees come along under the same terms, or the start is refused."""
    nested = os.path.join(project, "nested")
    os.makedirs(nested)
    with cases.private_mounts((None, nested)):
        done = runner.sh("echo x > nested/new; stat -c %u nested/new; grep -c ' '$PWD/nested' .*idmapped' /proc/mounts", cwd=project)
        report.equal(done.out, b"1000\n1\n", "mounts: one below the workspace is idmapped too", done)
        report.equal(os.stat(os.path.join(nested, "new")).st_uid, 0, "mounts: root's on disk")
        later = os.path.join(project, "later")
        os.makedirs(later, exist_ok=True)
        child = runner.start(runner.argv("--", "sh", "-c", "echo there; read x; ls later nested"), cwd=project, stdin=-1, stdout=-1)
        child.stdout.readline()
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", later], check=True)
        open(os.path.join(later, "CANARY"), "w").close()
        out, _ = child.communicate(b"\n", timeout=30)
        report.check(b"CANARY" not in out and b"new" in out, "mounts: one that the host makes later stays outside", out)
    ram = os.path.join(project, "ram")
    os.makedirs(ram)
    with cases.private_mounts():
        subprocess.run(["mount", "-t", "ramfs", "none", ram], check=True)
        refused(report, runner.sh("echo RAN", cwd=project), "one that cannot be idmapped, below the workspace", [ram, "ramfs"])
        explained = runner.execute([runner.paddock, "explain", "--", "true"], cwd=project)
        report.check(explained.code == 1 and NAMED in explained.text and ram in explained.text.replace("\n    ", " ").replace("\n      ", " "), "mounts: explain tells it", explained)
        told = json.loads(runner.execute([runner.paddock, "explain", "--json", "--", "true"], cwd=project).out)
        report.check(ram in json.dumps(told) and told["plan"]["user"]["real_root"], "mounts: explain --json tells it")
        done = runner.sh("echo RAN; echo x > ram/new", "--without", NAMED, cwd=project)
        report.check(done.out == b"RAN\n" and b"root_files" in done.err and os.path.exists(os.path.join(ram, "new")), "mounts: it runs where the guarantee is given up, and says so", done)
        refused(report, runner.sh("echo RAN", "--ro", ram, cwd=runner.repository(os.path.join(runner.home, "work/beside"))), "a read-only grant", [ram, "ramfs"])
        refused(report, runner.sh("echo RAN", cwd=ram), "the workspace itself", [ram, "ramfs"])


def refused(report, done, what, words):
    report.equal((done.code, done.out), (125, b""), "refused: " + what, done)
    report.check(all(word in done.words for word in words) and "--without " + NAMED in done.words, "refused with the reason and the fix: " + what, done)


def idmapped_already(runner, report, project):
    """A tree that the machine has idmapped itself cannot be mapped again."""
    tree, shown = os.path.join(runner.home, "mapped"), os.path.join(runner.home, "shown")
    os.makedirs(tree)
    os.makedirs(shown)
    libc = ctypes.CDLL(None, use_errno=True)
    holder = subprocess.Popen(["unshare", "-U", "sleep", "60"])
    try:
        until = time.monotonic() + 20
        while os.readlink("/proc/%d/ns/user" % holder.pid) == os.readlink("/proc/self/ns/user") and time.monotonic() < until:
            time.sleep(0.01)
        for name in ("uid_map", "gid_map"):
            with open("/proc/%d/%s" % (holder.pid, name), "w") as file:
                file.write("0 70000 1000")
        name_space = os.open("/proc/%d/ns/user" % holder.pid, os.O_RDONLY)
    finally:
        holder.kill()
        holder.wait()
    with cases.private_mounts():
        class Attributes(ctypes.Structure):
            _fields_ = [("set", ctypes.c_ulonglong), ("clear", ctypes.c_ulonglong), ("propagation", ctypes.c_ulonglong), ("namespace", ctypes.c_ulonglong)]
        detached = libc.syscall(428, -100, tree.encode(), 1 | 0o2000000)          # open_tree, OPEN_TREE_CLONE
        attributes = Attributes(0x100000, 0, 0, name_space)                          # MOUNT_ATTR_IDMAP
        failed = libc.syscall(442, detached, b"", 0x1000, ctypes.byref(attributes), ctypes.sizeof(attributes))
        failed = failed or libc.syscall(429, detached, b"", -100, shown.encode(), 4)  # move_mount, F_EMPTY_PATH
        os.close(detached)
        os.close(name_space)
        if failed:
            return report.skip("idmapped already", "no idmapped mount can be made here")
        refused(report, runner.sh("echo RAN", "--rw", shown, cwd=project), "a tree that is idmapped already", [shown, "idmapped already"])


def replaced(runner, report, project):
    """The plan's file and no other is mapped: what is found at start is compared (the warden compares again)."""
    done = runner.execute([runner.paddock, "explain", "--json", "--", "true"], cwd=project)
    plan = json.loads(done.out)["plan"]
    binds = [mount for mount in plan["mounts"] if mount["kind"] == "bind"]
    report.equal({mount["seen_as"] for mount in binds if mount["target"] in ("/usr", "/etc")}, {"others"}, "plan: the system is seen as others see it", done)
    report.equal({mount["seen_as"] for mount in binds if mount["target"].startswith(project)}, {"owner"}, "plan: grants as their owner sees them")
    report.check(NAMED in plan["required"] and not plan["user"]["kernel_root"], "plan: the guarantee is required", plan["user"])
    words = runner.execute([runner.paddock, "explain", "--", "true"], cwd=project)
    report.check("to the kernel" in words.text and "root_files" not in words.text, "explain: says whose id it has", words)


def less_than_root(runner, report, project):
    """Root in a container or in a namespace of its own, and root that is none to the kernel."""
    base = [runner.paddock, "run", "--ro", runner.programs, "--", "sh", "-c", "echo RAN"]
    fits = {"code": 125, "out": b""}
    for label, words in (("without CAP_SYS_ADMIN", ["setpriv", "--bounding-set=-sys_admin"]), ("without CAP_SETUID", ["setpriv", "--bounding-set=-setuid"]),
                         ("in a user namespace that maps it to itself", ["unshare", "-Ur"]), ("in user and mount namespaces of its own", ["unshare", "-Urm"])):
        done = runner.execute([*words, *base], cwd=project)
        report.equal((done.code, done.out), (fits["code"], fits["out"]), "less than root: refused %s" % label, done)
        report.check(NAMED in done.words and "--without " + NAMED in done.words and "ordinary user" in done.words, "less than root: %s: told with the fix" % label, done)
        again = runner.sh("echo RAN", cwd=project)
        report.equal((again.code, again.out), (0, b"RAN\n"), "less than root: what was found %s says nothing about the machine" % label, again)
    done = runner.execute(["unshare", "-Ur", runner.paddock, "run", "--without", NAMED, "--", "sh", "-c", "echo RAN"], cwd=project)
    report.check((done.code, done.out) == (0, b"RAN\n") and b"root_files" in done.err, "less than root: given up in a namespace", done)
    # An ordinary user who is root in a namespace: to the kernel that user all the same.
    home = os.path.join(runner.who.base, "nobodys")
    os.makedirs(os.path.join(home, "project"))
    for path in (home, home + "/project"):
        os.chown(path, OWNER, OWNER)
    done = runner.execute(["setpriv", "--reuid", str(OWNER), "--regid", str(OWNER), "--clear-groups", "unshare", "-Ur", runner.paddock, "explain", "--json", "--", "true"],
                          cwd=home + "/project", env={"HOME": home, "USER": None, "LOGNAME": None})
    report.equal(json.loads(done.out)["plan"]["user"]["real_root"], False, "less than root: a user's own namespace is not the kernel's root", done)


def relaxation(runner, report, project):
    done = runner.execute([runner.paddock, "explain", "--json", "--without", NAMED, "--", "true"], cwd=project)
    told = json.loads(done.out)["plan"]
    report.check("root_files" in [one["name"] for one in told["relaxations"]] and told["user"]["kernel_root"], "relaxation: named", done)
    report.check(NAMED not in told["required"] and "without_" + NAMED in [one["name"] for one in told["relaxations"]], "relaxation: the guarantee is not required", done)
    words = runner.execute([runner.paddock, "explain", "--without", NAMED, "--", "true"], cwd=project)
    report.check("root (uid 0)" in words.text and "root_files" in words.text, "relaxation: explain", words)
    child, _, seen = start_and_look(runner, project, "--without", NAMED)
    report.equal({one for status in seen.values() for one in ids(status, "Uid")}, {0}, "relaxation: root to the kernel")
    end(child)
    done = runner.sh("for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/kernel/hostname; do echo x > $f; done; chmod u+s file.txt", "--without", NAMED, cwd=project)
    report.check(not os.stat(os.path.join(project, "file.txt")).st_mode & stat.S_ISUID, "relaxation: what the filter refuses it refuses still", done)


def budgets(runner, report, project):
    """What the kernel counts by user is the sandbox's own: its processes are limited, and no other's are."""
    done = runner.sh("prlimit --nproc=40 sh -c 'for i in $(seq 80); do sleep 20 & done'; ls /proc | grep -c '^[0-9]'", cwd=project)
    count = int(done.text.split()[-1]) if done.text.split() and done.text.split()[-1].isdigit() else -1
    report.check(0 < count <= 45, "budgets: a limit on processes binds it", done)


def killed(runner, report, project):
    """Root's launcher ends it all, whoever of it is killed."""
    for victim in ("launcher", "backend"):
        child, _, seen = start_and_look(runner, project)
        backend = next(pid for pid, status in seen.items() if status["PPid"] == str(child.pid))
        os.kill(child.pid if victim == "launcher" else backend, signal.SIGKILL)
        child.communicate(timeout=20)
        left = leftovers.processes_gone()
        report.check(not left, "killed: the %s, and nothing is left" % victim, leftovers.describe(left))
        leftovers.end(left)


CHECKS = [processes, own_files, others_files, grants, many_grants, system_files, streams, rules, mounts, idmapped_already, replaced, less_than_root, relaxation, budgets, killed]


def body(runner, report):
    before = leftovers.mounts()
    for number, check in enumerate(CHECKS):
        if report.wants(check.__name__):
            check(runner, report, runner.repository(os.path.join(runner.home, "work/project%d" % number)))
    left = leftovers.processes_gone()
    report.check(not left, "no process is left", leftovers.describe(left))
    leftovers.end(left)
    report.equal(leftovers.mounts(), before, "no mount is left")


if __name__ == "__main__":
    if os.getuid() != 0:
        reports.skip_suite("only real root has a kernel id to give up")
    product.for_each_identity(product.arguments(__doc__).parse_args(), body, ["root"])
