#!/usr/bin/env python3
"""Machines that cannot hold a sandbox, and backends of which one step fails: nothing runs, and the step is named.

    refusals_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import contextlib
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../conformance"))

import cases  # noqa: E402
import machine  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def in_namespace(runner, place, settings, words, **how):
    """The product where root has no uid and these settings hold."""
    script = os.path.join(runner.programs, "in_namespace.py")
    if not os.path.exists(script):
        shutil.copy(os.path.join(HERE, "in_namespace.py"), script)
        os.chmod(script, 0o755)
    return runner.execute(["/usr/bin/python3", script, *settings, "--", *words], cwd=place.work, **how)


def C035_namespaces_denied(runner, place):
    if runner.who.is_root:
        return place.skip("for ordinary users: root's own namespaces are another matter")
    # What was found where everything works must not count where it does not.
    healthy = runner.sh("echo RAN", cwd=place.work)
    place.equal((healthy.code, healthy.out), (0, b"RAN\n"), "it works here", healthy)
    plain = in_namespace(runner, place, [], runner.argv("--net", "off", "--", "echo", "RAN"))
    place.equal((plain.code, plain.out), (0, b"RAN\n"), "it works in a user namespace that allows everything", plain)
    for name, words in (("user", []), ("user", ["--net", "off"]), ("net", ["--net", "off"]), ("pid", []), ("mnt", []), ("ipc", []), ("uts", [])):
        setting = "user.max_%s_namespaces" % name
        what = "%s=0 %s" % (setting, " ".join(words))
        done = in_namespace(runner, place, [setting + "=0"], runner.argv(*words, "--", "echo", "RAN"))
        place.equal((done.code, done.out), (125, b""), what + ": nothing runs", done)
        place.check(setting in done.words and "sysctl -w %s" % setting in done.words, what + ": the setting to change is named", done)
    done = in_namespace(runner, place, ["user.max_net_namespaces=0"], runner.argv("--net", "on", "--", "echo", "RAN"))
    place.equal((done.code, done.out), (0, b"RAN\n"), "with the host's network no network namespace is needed", done)
    again = runner.sh("echo RAN", cwd=place.work)
    place.equal((again.code, again.out), (0, b"RAN\n"), "and here it works as before", again)


@contextlib.contextmanager
def lame(runner, place, mode, later=False):
    """A backend of which one step fails, named in the settings. Yields what makes it lame when that is to come later."""
    program = os.path.join(runner.programs, mode)
    shutil.copy(os.path.join(runner.built, "lame_backend"), program)
    os.chmod(program, 0o755)
    if later:
        open(program + ".later", "w").close()
    config = os.path.join(place.home, ".config/paddock/config.toml")
    place.write(config, '[backends.bubblewrap]\nprogram = "%s"\nprobe_timeout = 2\n' % program)
    try:
        yield lambda: open(program + ".now", "w").close()
    finally:
        os.unlink(config)
        for ending in ("", ".later", ".now"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(program + ending)


STEPS = [
    # mode, options, one of the words that name the part
    ("skip-unshare-net", ["--net", "off"], "network namespace"), ("skip-unshare-pid", [], "pid namespace"), ("skip-unshare-ipc", [], "ipc namespace"),
    ("skip-unshare-uts", [], "uts namespace"), ("skip-remount-ro", [], "the root"), ("refuse-netlink", ["--net", "off"], "loopback"),
    ("refuse-seccomp", ["--net", "off"], "system call filter"), ("refuse-mount", [], "mount"),
]


def C036_a_step_fails(runner, place):
    steps = list(STEPS)
    if machine.landlock_abi() > 0:
        steps.append(("refuse-landlock", ["--net", "off"], "Landlock"))
    for mode, words, part in steps:
        with lame(runner, place, mode):
            done = runner.run(*words, "--", "echo", "RAN", cwd=place.work)
            place.equal((done.code, done.out), (125, b""), mode + ": nothing runs", done)
            place.check(part in done.words, mode + ": the part is named", done)
        with lame(runner, place, mode, later=True) as from_now_on:
            done = runner.run(*words, "--", "echo", "RAN", cwd=place.work)
            place.equal((done.code, done.out), (0, b"RAN\n"), mode + ": it works while nothing is wrong", done)
            from_now_on()
            done = runner.run(*words, "--", "echo", "RAN", cwd=place.work)
            place.equal((done.code, done.out), (125, b""), mode + ", after it has worked: nothing runs", done)
            place.check(part in done.words, mode + ", after it has worked: the part is named", done)


def C036b_capabilities_are_left(runner, place):
    if not runner.who.is_root:
        return place.skip("for root: whoever is no root to the kernel has bubblewrap drop them by itself")
    with lame(runner, place, "skip-cap-drop"):
        done = runner.run("--without", "kernel_uid_unprivileged", "--", "echo", "RAN", cwd=place.work)
        place.equal((done.code, done.out), (125, b""), "nothing runs", done)
        place.check("capability" in done.words, "they are named", done)


def C036c_landlock_goes(runner, place):
    if machine.landlock_abi() < 6:
        return place.skip("this kernel's Landlock closes no abstract sockets")
    with lame(runner, place, "refuse-rulesets", later=True) as from_now_on:
        done = runner.run("--net", "on", "--", "echo", "RAN", cwd=place.work)
        place.equal((done.code, done.out), (0, b"RAN\n"), "it works while it is there", done)
        from_now_on()
        done = runner.run("--net", "on", "--", "echo", "RAN", cwd=place.work)
        place.equal((done.code, done.out), (125, b""), "nothing runs with less than was found", done)
        place.check("Landlock" in done.words, "Landlock is named", done)


def C036d_network_mode_of_a_later_version(runner, place):
    done = runner.run("--net", "allow", "--", "echo", "RAN", cwd=place.work)
    place.equal((done.code, done.out), (125, b""), "--net allow is refused", done)
    place.check("network_allow" in done.words, "the unmet part is named", done)


def U11_other_programs(runner, place):
    for mode, word in (("hang", "did not come up in 2 s"), ("old", "too old")):
        with lame(runner, place, mode):
            done = runner.run("--", "echo", "RAN", cwd=place.work)
            place.equal((done.code, done.out), (125, b""), mode + ": nothing runs", done)
            place.check(word in done.words, mode + ": it is said", done)


def in_container(runner, place, words, **how):
    """A container that covers a part of /proc, in which therefore no new /proc can be mounted."""
    outer = ["bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--ro-bind", "/dev/null", "/proc/cmdline", "--unshare-user", "--unshare-pid", "--"]
    return runner.execute([*outer, *words], cwd=place.work, **how)


def C119_no_new_proc(runner, place):
    if runner.who.is_root:
        return place.skip("for ordinary users: bubblewrap gives root's command no way to make another sandbox")
    done = in_container(runner, place, runner.argv("--", "echo", "RAN"))
    place.equal((done.code, done.out), (125, b""), "refused by default", done)
    for word in ("/proc", "/proc/cmdline", "--without processes_hidden", "processes_hidden"):
        place.check(word in done.words, "the cause and the way are named: " + word, done)

    # The explicit weaker mode: told at the start, and no more than the list of processes is given up.
    script = "echo pid $(readlink /proc/self/ns/pid); echo uid $(id -u); cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c OUTER_SECRET; " \
             "cat /proc/*/root/%s 2>/dev/null; cat /proc/*/cwd/hidden.txt /proc/*/fd/[3-9] 2>/dev/null; kill -0 1 && echo first; echo x > /proc/self/oom_score_adj; true"
    hidden = os.path.join(place.outside, "hidden.txt")
    with open(hidden, "w") as file:
        file.write("HIDDENTEXT\n")
    place.own()
    outside = "cd %s; exec 5< hidden.txt; readlink /proc/self/ns/pid; OUTER_SECRET=1 sleep 86418 & bystander=$!; cd %s; \"$@\"; code=$?; kill $bystander; exit $code" % (place.outside, place.work)
    inner = runner.argv("--without", "processes_hidden", "--", "sh", "-c", script % hidden)
    done = in_container(runner, place, ["sh", "-c", outside, "sh", *inner])
    lines = done.text.splitlines()
    place.check(done.code == 0 and len(lines) >= 3, "it starts", done)
    if done.code != 0 or len(lines) < 3:
        return
    place.check("without_processes_hidden" in done.words, "it is shown at the start", done)
    place.check(lines[1].startswith("pid pid:[") and lines[1] != "pid " + lines[0], "its pid namespace is its own all the same", done)
    place.check("HIDDENTEXT" not in done.text, "files of processes outside stay closed", done)
    place.check("0" in lines, "their environment stays closed", done)
    place.check("ead-only" in done.words, "/proc is read-only", done)
    # Where nothing is wrong the same words do the same: what was given up is given up.
    done = runner.run("--without", "processes_hidden", "--", "sh", "-c", "ls /proc/%d/status" % os.getpid(), cwd=place.work)
    place.check(done.code == 0 and "without_processes_hidden" in done.words, "by name it is given up everywhere", done)


CASES = [value for name, value in sorted(globals().items()) if name[0] in "CU" and name[1].isdigit() and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
