"""A program under a terminal that the suite owns: what it prints, what is typed to it, what is left of the terminal."""

import errno
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

WAIT_S = 20


def patience(seconds):
    """Longer than asked for on a busy machine: only a failure takes that long."""
    return seconds * 4 if seconds >= 5 else seconds


class Terminal:
    """`replaced` names which of 0, 1, 2 are the terminal; the others are given as descriptors in `instead`."""

    def __init__(self, runner, argv, cwd=None, env=None, size=(24, 80), instead=None):
        self.master, slave = pty.openpty()
        self.slave_name = os.ttyname(slave)
        if runner.who.switch:
            os.fchown(slave, runner.who.uid, runner.who.gid)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.seen = b""
        self.code = None
        environment = runner.environment({"TERM": "xterm-256color", **(env or {})})
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _become(runner, argv, cwd or runner.home, environment, slave, self.master, instead or {})
            finally:
                os._exit(127)
        self.slave = slave  # kept: the terminal is not hung up when the program ends

    def read(self, seconds=0.0):
        until = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.master], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return self.seen
            try:
                self.seen += os.read(self.master, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                return self.seen

    def expect(self, text, seconds=WAIT_S):
        """True when it has been printed."""
        until = time.monotonic() + patience(seconds)
        while text not in self.seen and time.monotonic() < until:
            self.read(0.05)
        return text in self.seen

    def send(self, data):
        os.write(self.master, data)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait(self, seconds=WAIT_S):
        """The exit code, -n for a signal; None when it is still there. Output is drained meanwhile."""
        until = time.monotonic() + patience(seconds)
        while self.code is None and time.monotonic() < until:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        self.read(0.05)
        return self.code

    def waiting_input(self):
        """Bytes that the user's shell would read now: answers to queries that nobody took."""
        saved = termios.tcgetattr(self.slave)
        raw = termios.tcgetattr(self.slave)
        raw[3] &= ~(termios.ICANON | termios.ECHO)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 0, 0
        termios.tcsetattr(self.slave, termios.TCSANOW, raw)
        try:
            flags = fcntl.fcntl(self.slave, fcntl.F_GETFL)
            fcntl.fcntl(self.slave, fcntl.F_SETFL, flags | os.O_NONBLOCK)
            try:
                return os.read(self.slave, 4096)
            except BlockingIOError:
                return b""
        finally:
            termios.tcsetattr(self.slave, termios.TCSANOW, saved)

    def is_as_before(self):
        return termios.tcgetattr(self.slave) == self.before

    def close(self):
        if self.code is None:
            with_group = -self.pid
            for target in (with_group, self.pid):
                try:
                    os.kill(target, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            os.waitpid(self.pid, 0)
        os.close(self.master)
        os.close(self.slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _become(runner, argv, cwd, environment, slave, master, instead):
    os.close(master)
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in range(3):
        os.dup2(instead.get(fd, slave), fd)
    os.closerange(3, 4096)
    if runner.who.switch:
        os.setgroups([])
        os.setresgid(*[runner.who.gid] * 3)
        os.setresuid(*[runner.who.uid] * 3)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGTSTP, signal.SIGTTOU, signal.SIGTTIN):
        signal.signal(number, signal.SIG_DFL)
    os.chdir(cwd)
    os.execvpe(argv[0], argv, environment)


class Emulator:
    """The part of a real terminal that answers: replies to the queries that programs send. Feed it what was printed."""

    def __init__(self, terminal):
        self.terminal, self.taken = terminal, 0
        self.answers = [(b"\033[c", b"\033[?62;22c"), (b"\033[>c", b"\033[>1;10;0c"), (b"\033[5n", b"\033[0n"), (b"\033[6n", b"\033[1;1R"),
                        (b"\033[18t", b"\033[8;24;80t"), (b"\033[21t", b"\033]lINJECTED\033\\"), (b"\033]10;?\033\\", b"\033]10;rgb:0/0/0\033\\"),
                        (b"\033]11;?\033\\", b"\033]11;rgb:0/0/0\033\\"), (b"\005", b"answerback"), (b"\033Z", b"\033[?62c"), (b"\033[x", b"\033[2;1;1;1;1;1;0x")]

    def answer(self):
        """Replies to what has come since, in the order in which it came."""
        fresh = self.terminal.seen[self.taken:]
        self.taken = len(self.terminal.seen)
        found = []
        for query, reply in self.answers:
            at = fresh.find(query)
            while at >= 0:
                found.append((at, reply))
                at = fresh.find(query, at + 1)
        for _, reply in sorted(found):
            self.terminal.send(reply)
