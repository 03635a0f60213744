#!/usr/bin/env python3
"""The user's terminal as a target: injection, foreign ptys, control sequences on their way out, queries at exit.

The driver owns the terminal, answers queries as a real one does, and looks at what is left: bytes that the user's
shell would read, modes, and sequences that should never have come through.
"""

import os
import pty
import sys
import time

sys.dont_write_bytecode = True

import escape  # noqa: E402
import machine  # noqa: E402
import product  # noqa: E402
import terminal  # noqa: E402

# What must not reach the user's terminal from inside, and what must.
DROPPED = {
    "osc52-read": b"\033]52;c;?\007", "osc52-read-st": b"\033]52;c;?\033\\", "title-report": b"\033[21t", "icon-report": b"\033[20t", "enq": b"\005",
    "dcs-tmux": b"\033Ptmux;\033\033]52;c;?\007\033\\", "dcs-screen": b"\033P\033]52;c;?\007\033\\", "decrqss": b"\033P$q\"p\033\\", "xtgettcap": b"\033P+q544e\033\\",
    "kitty-remote": b"\033P@kitty-cmd{\"cmd\":\"ls\"}\033\\", "kitty-file": b"\033]5113;ac=send;id=x\033\\", "iterm-file": b"\033]1337;File=name=eA==:AAAA\007",
    "udk": b"\033P0;0|17/6c73\033\\", "c1-dcs": b"\x90+q544e\x9c", "osc-font-query": b"\033]50;?\007",
    "media-copy": b"\033[5i", "answerback-split": b"\033]52;c;", "apc": b"\033_Gf=32,t=f;L2V0Yy9wYXNzd2Q=\033\\", "pm": b"\033^private\033\\",
}
KEPT = {
    "text": b"plain text", "colour": b"\033[31mred\033[0m", "truecolour": b"\033[38;2;1;2;3mx\033[0m", "utf8": "\u00e4\u6f22\U0001f600".encode(), "cursor": b"\033[5;10H",
    "erase": b"\033[2K", "alternate-on": b"\033[?1049h", "alternate-off": b"\033[?1049l", "tab": b"a\tb", "bell": b"\007",
}
STRICT_ONLY = {"osc52-write": b"\033]52;c;aGk=\007"}


def inject(runner, report, project):
    """Every descriptor, with a terminal on each combination of 0, 1 and 2."""
    other_master, other_slave = pty.openpty()
    foreign = ["foreign=" + os.ttyname(other_slave).rsplit("/", 1)[1]]
    for profile in escape.PROFILES:
        for mask in range(8) if profile == "balanced" else (7,):
            null = os.open("/dev/null", os.O_RDWR)
            reader, writer = os.pipe()
            instead = {}
            if not mask & 1:
                instead[0] = null
            if not mask & 2:
                instead[1] = writer
            if not mask & 4:
                instead[2] = null
            argv = runner.argv("--profile", profile, "--", runner.attack, "tty", "mode=inject", *foreign)
            with terminal.Terminal(runner, argv, project, instead=instead) as seen:
                os.close(writer)
                seen.wait(60)
                text = seen.seen.decode("latin1")
                if not mask & 2:
                    text = b"".join(iter(lambda: os.read(reader, 65536), b"")).decode("latin1")
                label = "%s tty %s terminals on %s" % (runner.who.label, profile, bin(mask)[2:].zfill(3))
                escape.judge(report, label, text)
                report.equal(seen.waiting_input(), b"", label + ": nothing was typed")
                report.check(seen.is_as_before(), label + ": the terminal is as before")
            os.close(reader)
            os.close(null)
    os.close(other_master)
    os.close(other_slave)


def corpus(runner, report, project, profile):
    """Each sequence through the real relay, between two marks."""
    sequences = {**DROPPED, **KEPT, **STRICT_ONLY}
    path = os.path.join(project, "corpus")
    with open(path, "wb") as file:
        for name, bytes_ in sequences.items():
            # Whatever a sequence left open is closed before the next mark.
            file.write(b"<%s>" % name.encode() + bytes_ + b"\030\033\\</%s>" % name.encode())
    with terminal.Terminal(runner, runner.argv("--profile", profile, "--", runner.attack, "tty", "mode=corpus", "file=" + path), project) as seen:
        seen.wait(20)
        output = seen.seen
        left = seen.waiting_input()
    label = "%s tty corpus %s " % (runner.who.label, profile)
    for name, bytes_ in sequences.items():
        start, end = b"<%s>" % name.encode(), b"</%s>" % name.encode()
        at = output.find(start)
        between = output[at + len(start):output.find(end, at)] if at >= 0 else b""
        if name in KEPT:
            report.check(bytes_ in between, label + "kept: " + name, repr(between))
        elif name in DROPPED or profile == "strict":
            payload = bytes_.rstrip(b"\033\\\007\x9c")
            report.check(payload not in between, label + "dropped: " + name, repr(between))
    report.equal(left, b"", label + "nothing to read for the shell")


def query_at_exit(runner, report, project):
    """Queries sent just before the end; a terminal that answers late. What is left would be typed into the user's shell."""
    for profile in escape.PROFILES:
        for attempt in range(product.scaled(4)):
            argv = runner.argv("--profile", profile, "--", runner.attack, "tty", "mode=query")
            with terminal.Terminal(runner, argv, project) as seen:
                emulator = terminal.Emulator(seen)
                until = time.monotonic() + 10
                while seen.code is None and time.monotonic() < until:
                    seen.wait(0.01)
                    emulator.answer()
                emulator.answer()
                time.sleep(0.05)
                label = "%s tty query at exit %s %d" % (runner.who.label, profile, attempt)
                report.equal(seen.waiting_input(), b"", label, repr(seen.seen))
                report.check(seen.is_as_before(), label + ": the terminal is as before")


def modes_at_exit(runner, report, project):
    """Modes that the payload set and left are set back, also when it is killed."""
    script = r"printf '\033[?1049h\033[?25l\033[?1000h\033[?1006h\033[?2004h\033[>1u\033=\033[4h'; stty raw -echo; %s"
    for name, end in {"exit": "exit 0", "killed": "kill -9 $$"}.items():
        with terminal.Terminal(runner, runner.argv("--", "sh", "-c", script % end), project) as seen:
            seen.wait(20)
            label = "%s tty modes after %s: " % (runner.who.label, name)
            for mode, reset in {"alternate": b"\033[?1049l", "cursor": b"\033[?25h", "mouse": b"\033[?1000l", "paste": b"\033[?2004l"}.items():
                report.check(reset in seen.seen, label + mode, repr(seen.seen))
            report.check(seen.is_as_before(), label + "terminal settings")


def shell_injection(runner, report, project):
    """C063: what the shell that started it would read afterwards."""
    if not machine.terminal_injection_works():
        report.skip("%s C063" % runner.who.label, "dev.tty.legacy_tiocsti is 0 here")
        return
    quoted = " ".join("'%s'" % word for word in runner.argv("--", runner.attack, "tty", "mode=inject"))
    with terminal.Terminal(runner, ["bash", "--norc", "-c", "%s > /dev/null; read -t 1 x; echo GOT:$x:" % quoted], project) as seen:
        report.check(seen.expect(b"GOT:"), "%s C063: the shell goes on" % runner.who.label, seen.seen)
        report.check(b"GOT::" in seen.read(0.2), "%s C063: nothing was injected" % runner.who.label, seen.seen)
        seen.wait(5)


def body(runner, report):
    project = runner.repository(os.path.join(runner.home, "work/project"))
    for check in (inject, query_at_exit, modes_at_exit, shell_injection):
        if report.wants(check.__name__):
            check(runner, report, project)
    for profile in escape.PROFILES:
        if report.wants("corpus"):
            corpus(runner, report, project, profile)
    escape.nothing_left(runner, report, "tty")


if __name__ == "__main__":
    escape.main(__doc__, body)
