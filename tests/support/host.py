"""A host worth hiding: a home with secrets, a second project, other users' files, sockets, a process with a secret in
its environment, files in /tmp and /dev/shm, System V and POSIX objects. All of it goes away with the context."""

import contextlib
import ctypes
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import threading

SECRETS = [".ssh/id_ed25519", ".aws/credentials", ".netrc", ".npmrc", ".config/gh/hosts.yml", ".bash_history", ".gnupg/key",
           ".docker/config.json", ".git-credentials"]


class Host:
    """What the fixture made. `canary` is the secret that is in all of them."""

    def __init__(self, runner):
        self.runner, self.home = runner, runner.home
        self.canary = "CANARY" + secrets.token_hex(8)
        self.project = os.path.join(self.home, "work/project")
        self.other = os.path.join(self.home, "work/other")
        self.others_file = os.path.join(runner.who.base, "others/file")
        self.secrets = [os.path.join(self.home, name) for name in SECRETS]
        self.sockets, self.abstract, self.datagrams, self.kept = [], [], [], []
        self.files = []   # outside home: /tmp, /dev/shm, ...
        self.sysv = 0x50440000 | secrets.randbits(16)


def _write(path, text, mode=0o600):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def _listen(host, address, kind=socket.SOCK_STREAM):
    """A server that accepts and says nothing."""
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind(address)
    if kind != socket.SOCK_DGRAM:
        server.listen(64)
    if not address.startswith("\0"):
        os.chmod(address, 0o777)
    host.kept.append(server)
    return address


def _fill_home(host):
    for path in host.secrets:
        _write(path, host.canary + "\n")
    _write(os.path.join(host.other, "notes.txt"), host.canary + "\n")
    _write(os.path.join(host.home, ".gitconfig"),
           "[user]\n\tname = A Person\n\temail = person@example.invalid\n[credential]\n\thelper = !echo %s\n" % host.canary, 0o644)
    _write(host.others_file, host.canary + "\n")
    host.runner.who.own(host.home)
    host.runner.repository(host.project)


def _open_sockets(host, directories):
    for directory in directories:
        path = os.path.join(directory, "pdk-%s.sock" % secrets.token_hex(3))
        with contextlib.suppress(OSError):
            host.sockets.append(_listen(host, path))
            host.files.append(path)
    host.abstract_name = "pdk-abstract-" + secrets.token_hex(6)
    _listen(host, "\0" + host.abstract_name)
    host.datagram_name = "pdk-datagram-" + secrets.token_hex(6)
    _listen(host, "\0" + host.datagram_name, socket.SOCK_DGRAM)
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    host.tcp = server.getsockname()[1]
    host.kept.append(server)
    threading.Thread(target=_drain, args=(server,), daemon=True).start()


def _drain(server):
    with contextlib.suppress(OSError):
        while True:
            server.accept()[0].close()


def _share_memory(host):
    libc = ctypes.CDLL(None, use_errno=True)
    created = 0o1000 | 0o666
    identifiers = [("shmctl", libc.shmget(host.sysv, 4096, created)), ("semctl", libc.semget(host.sysv, 1, created)),
                   ("msgctl", libc.msgget(host.sysv, created))]
    host.memory = "pdk-" + secrets.token_hex(6)
    _write("/dev/shm/" + host.memory, host.canary, 0o666)
    host.files.append("/dev/shm/" + host.memory)
    return libc, identifiers


def _forget_memory(libc, identifiers):
    for function, identifier in identifiers:
        if identifier < 0:
            continue
        if function == "semctl":
            libc.semctl(identifier, 0, 0)
        else:
            getattr(libc, function)(identifier, 0, None)


@contextlib.contextmanager
def host(runner):
    made = Host(runner)
    with contextlib.ExitStack() as undo:
        temporary = tempfile.mkdtemp(prefix="pdk-")
        undo.callback(shutil.rmtree, temporary, ignore_errors=True)
        undo.callback(_empty_home, made)
        undo.callback(_close, made)
        os.chmod(temporary, 0o755)
        made.temporary = os.path.join(temporary, "file")
        _write(made.temporary, made.canary, 0o644)
        _fill_home(made)
        places = [temporary, os.path.join(made.home, ".ssh")]
        if os.access("/run", os.W_OK):
            places.append("/run")
        _open_sockets(made, places)
        libc, identifiers = _share_memory(made)
        undo.callback(_forget_memory, libc, identifiers)
        bystander = runner.start(["sleep", "86417"], env={"BYSTANDER_SECRET": made.canary})
        undo.callback(bystander.wait)
        undo.callback(bystander.kill)
        made.bystander = bystander.pid
        yield made


def _close(host):
    for server in host.kept:
        server.close()
    for path in host.files:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _empty_home(host):
    shutil.rmtree(host.home, ignore_errors=True)
    os.mkdir(host.home, 0o700)
    host.runner.who.own(host.home)
