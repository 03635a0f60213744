#!/usr/bin/env python3
"""Sockets and shared memory of the host: by path, by abstract name, on loopback; keyrings; what read-only does not stop."""

import os
import socket
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import host as fixture  # noqa: E402
import machine  # noqa: E402


def words_of(host, net):
    words = ["unix=" + path for path in host.sockets if len(path) < 100]
    words += ["sysv=%d" % host.sysv, "memory=" + host.memory]
    if net == "off" or machine.landlock_abi() >= 6:
        words += ["abstract=" + host.abstract_name, "abstract=" + host.datagram_name]
    if net == "off":
        words.append("tcp=%d" % host.tcp)
    return words


def body(runner, report):
    label = runner.who.label
    with fixture.host(runner) as host:
        agents = {"SSH_AUTH_SOCK": host.sockets[0], "GPG_AGENT_INFO": host.sockets[-1], "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + host.sockets[0]}
        for profile in (*escape.PROFILES, escape.write_host_world(runner, host.home)):
            for net in ("on", "off"):
                escape.run(runner, report, "sockets", *words_of(host, net), options=["--profile", profile, "--net", net], cwd=host.project, env=agents)
        if machine.landlock_abi() < 6:
            done = runner.sh("true", "--net", "on", cwd=host.project)
            report.check("abstract" in done.words, "%s sockets: what cannot be hidden is warned about" % label, done)
        # THREATS 20: a socket in a granted directory is reachable, read-only or not. Known, and said in SECURITY.md.
        granted = os.path.join(runner.who.base, "granted")
        os.mkdir(granted, 0o755)
        path = os.path.join(granted, "s")
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        os.chmod(path, 0o777)
        server.listen(8)
        done = runner.run("--ro", granted, "--", runner.attack, "sockets", "unix=" + path, cwd=host.project)
        found, _ = escape.lines_of(done.text)
        reached = any(verdict == "ESCAPED" and name.endswith("/stream") for verdict, name, _ in found)
        report.check(reached, "%s sockets: a socket in a granted directory answers, as documented" % label, done)
        server.close()
        escape.nothing_left(runner, report, "sockets", {host.bystander})


if __name__ == "__main__":
    escape.main(__doc__, body)
