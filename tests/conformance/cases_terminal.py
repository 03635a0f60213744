#!/usr/bin/env python3
"""Cases about the terminal: keys that make signals, sizes, mixed descriptors, what is left of it."""

import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import cases  # noqa: E402
import leftovers  # noqa: E402
import terminal  # noqa: E402


def sh(runner, place, script, *options, **how):
    return terminal.Terminal(runner, runner.argv(*options, "--", "sh", "-c", script), place.work, **how)


def C066_interrupt_reaches_the_payload(runner, place):
    with terminal.Terminal(runner, runner.argv("--", "sleep", "9173"), place.work) as seen:
        time.sleep(0.5)
        begun = time.monotonic()
        seen.send(b"\x03")
        place.equal(seen.wait(5), 130, "sleep ends with 130", seen.seen)
        place.check(time.monotonic() - begun < 5, "at once")
    left = leftovers.processes_gone(10.0)
    place.check(not left, "nothing runs on", leftovers.describe(left))
    with sh(runner, place, "trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.05; done") as seen:
        seen.expect(b"ready")
        seen.send(b"\x03")
        place.equal((seen.wait(5), b"caught" in seen.seen), (7, True), "its own handler runs", seen.seen)
    with sh(runner, place, "trap 'echo quit; exit 8' QUIT; echo ready; while :; do sleep 0.05; done") as seen:
        seen.expect(b"ready")
        seen.send(b"\x1c")
        place.equal(seen.wait(5), 8, "quit too", seen.seen)


def C070_help_leaves_the_terminal_alone(runner, place):
    for words in (["--help"], ["nosuch"], ["run", "--help"], ["run"], ["help"], ["version"], ["run", "--nosuch", "--", "true"], ["explain"]):
        with terminal.Terminal(runner, [runner.paddock, *words], place.work) as seen:
            seen.wait(10)
            place.check(b"1049" not in seen.seen and b"\033c" not in seen.seen and seen.seen.strip(), "%s on a terminal" % " ".join(words), seen.seen)
        done = runner.execute([runner.paddock, *words], cwd=place.work)
        place.check(b"\033" not in done.out + done.err, "%s on a pipe has no escapes" % " ".join(words), done)
    with terminal.Terminal(runner, [runner.paddock, "nosuch"], place.work, {"NO_COLOR": "1"}) as seen:
        seen.wait(10)
        place.check(b"\033[" not in seen.seen, "NO_COLOR", seen.seen)


def T01_size_and_resize(runner, place):
    with sh(runner, place, "stty size; trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done", size=(37, 101)) as seen:
        place.check(seen.expect(b"37 101") and seen.expect(b"ready"), "the first size", seen.seen)
        seen.resize(50, 133)
        os.kill(seen.pid, signal.SIGWINCH)
        place.check(seen.expect(b"50 133", 5), "a new size", seen.seen)
        seen.send(b"\x03")
        seen.wait(5)


def T02_stop_and_continue(runner, place):
    # Under a shell with job control: a session leader alone cannot be stopped from its terminal.
    quoted = " ".join("'%s'" % word for word in runner.argv("--", "sh", "-c", "echo rea''dy; read x; echo got:$x; exit 3").copy()).replace("rea''dy", "rea\"\"dy")
    with terminal.Terminal(runner, ["bash", "--norc", "--noprofile", "-i"], place.work, {"PS1": "PROMPT>", "TERM": "dumb"}) as seen:
        seen.expect(b"PROMPT>")
        seen.send(quoted.encode() + b"; echo code=$?=\r")
        place.check(seen.expect(b"ready"), "starts", seen.seen)
        seen.send(b"\x1a")
        place.check(seen.expect(b"Stopped", 10), "Ctrl-Z suspends paddock and the shell is back", seen.seen)
        seen.send(b"echo in-between $((40 + 2)); stty -a | grep -o -- '-*icanon\\b'\r")
        place.check(seen.expect(b"in-between 42", 5), "the shell works meanwhile", seen.seen)
        seen.send(b"fg\r")
        time.sleep(0.5)
        seen.send(b"hello\r")
        place.check(seen.expect(b"got:hello", 10), "fg goes on", seen.seen)
        seen.send(b"echo after $((50 + 5))\r")
        place.check(seen.expect(b"after 55", 5), "the shell works afterwards", seen.seen)
        seen.send(b"exit\r")
        seen.wait(5)


def T03_mixed_descriptors(runner, place):
    script = 'for n in 0 1 2; do if test -t $n; then r=${r}T; else r=${r}F; fi; done; printf %s $r; echo x$r >&2'
    for mask in range(1, 8):
        out_reader, out_writer = os.pipe()
        err_reader, err_writer = os.pipe()
        null = os.open("/dev/null", os.O_RDONLY)
        instead = {fd: other for fd, other, bit in ((0, null, 1), (1, out_writer, 2), (2, err_writer, 4)) if not mask & bit}
        with sh(runner, place, script, instead=instead) as seen:
            os.close(out_writer)
            os.close(err_writer)
            code = seen.wait(10)
            out = b"".join(iter(lambda: os.read(out_reader, 4096), b"")) if not mask & 2 else seen.seen
            wanted = "".join("T" if mask & bit else "F" for bit in (1, 2, 4)).encode()
            place.check(code == 0 and wanted in out, "terminals are where they were: %s" % wanted.decode(), (code, out, seen.seen))
            if not mask & 2:
                place.equal(out, wanted, "the pipe is byte for byte: %s" % wanted.decode())
            place.check(b"\r\r\n" not in seen.seen, "lines end as usual: %s" % wanted.decode(), seen.seen)
            place.check(seen.is_as_before(), "the terminal is as before: %s" % wanted.decode())
        for fd in (out_reader, err_reader, null):
            os.close(fd)


def T04_restored_on_every_way_out(runner, place):
    for name, end in {"exit": "exit 5", "signal": "kill -TERM $$", "killed": "kill -9 $$", "limit": "sleep 60"}.items():
        options = ["--timeout", "1s"] if name == "limit" else []
        with sh(runner, place, "stty raw -echo; printf x; " + end, *options) as seen:
            code = seen.wait(10)
            place.equal(code, {"exit": 5, "signal": 143, "killed": 137, "limit": 124}[name], name, seen.seen)
            place.check(seen.is_as_before(), name + ": the terminal is as before")
    for name, number in {"TERM": signal.SIGTERM, "HUP": signal.SIGHUP}.items():
        with sh(runner, place, "stty raw -echo; printf ready; sleep 60") as seen:
            seen.expect(b"ready")
            os.kill(seen.pid, number)
            seen.wait(10)
            place.check(seen.code is not None and seen.is_as_before(), "paddock gets %s: the terminal is as before" % name, (seen.code, seen.seen))
    with terminal.Terminal(runner, runner.argv("--", "no-such-program"), place.work) as seen:
        place.equal(seen.wait(10), 127, "nothing started", seen.seen)
        place.check(seen.is_as_before(), "nothing started: the terminal is as before")


def T05_bytes_through_the_terminal(runner, place):
    with sh(runner, place, "stty raw -echo; printf ready; head -c 65536 | sha256sum; stty sane") as seen:
        seen.expect(b"ready")
        data = bytes(n % 251 for n in range(65536))
        for at in range(0, len(data), 2048):
            seen.send(data[at:at + 2048])
            seen.read(0.005)
        seen.wait(15)
        wanted = subprocess.run(["sha256sum"], input=data, stdout=subprocess.PIPE, check=True).stdout.split()[0]
        place.check(wanted in seen.seen, "64 KiB typed arrive as they are", seen.seen[-300:])
    with sh(runner, place, "seq 20000") as seen:
        seen.wait(20)
        lines = re.findall(rb"^(\d+)\r$", seen.seen, re.M)
        place.equal(lines[-20000:], [b"%d" % n for n in range(1, 20001)], "20,000 lines of output are whole")


CASES = [value for name, value in sorted(globals().items()) if re.match(r"[CT]\d", name) and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
