#!/usr/bin/env python3
"""How much of its own state a harness gets under each credential mode, what is put back after a run, and the SSH agent: with a
small script in the place of an agent (harness_test.py's). The real agents are credentials_agents_test.py's.

    credentials_test.py --paddock PATH [--identity root|ordinary|unnamed] [WORD]...
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import harness_test  # noqa: E402
import product  # noqa: E402

WATCH = 'watch = [{ path = "state.json", format = "json", keys = ["account", "projects.*.servers"] }]'
RESTORE = ('watch = [{ path = "state.json", format = "json", keys = ["account"], '
           'restore = ["projects.*.servers", "*[type=remote]"] }]')
EXTRA = '[login]\nvariables = ["FAKE_API_KEY"]\ncommand = ["login"]\n'
ALL = ("auth.json", "settings.json", "hooks/x", "late.json", "snapshots/x", "log", "state.json", "unknown")
# Tries to write each name and says which could be.
WRITE = "for n in %s; do mkdir -p $(dirname ~/.fake/$n); (echo written > ~/.fake/$n) 2>/dev/null && echo WROTE $n; done; true" % " ".join(ALL)


class Scene(harness_test.Scene):
    def __init__(self, runner, report):
        super().__init__(runner, report)
        manifest = self.path(".config/paddock/harnesses/fake.toml")
        assert WATCH in harness_test.MANIFEST
        with open(manifest, "w") as file:
            file.write(harness_test.MANIFEST.replace(WATCH, RESTORE).replace("[[seed]]", EXTRA + "[[seed]]", 1))

    def clear(self):
        for name in (".fake", ".local/share/paddock", ".local/state/paddock/quarantine"):
            shutil.rmtree(self.path(name), ignore_errors=True)

    def fill(self):
        """State of the host's: a sign-in, settings, and something of another project."""
        self.clear()
        self.write("host-secret\n", ".fake/auth.json")
        self.write("{}\n", ".fake/settings.json")
        self.write("host-log\n", ".fake/log")
        self.write(json.dumps({"seen": True}), ".fake/state.json")

    def tree(self):
        found = {}
        for directory, _, files in os.walk(self.path(".fake")):
            for name in files:
                found[os.path.relpath(os.path.join(directory, name), self.path(".fake"))] = self.text(os.path.join(directory, name))
        return found

    def mode(self, mode, script, env=None):
        return self.run(script, "--credentials", mode, env=env)


def wrote(run):
    return sorted(line.split()[1] for line in run.text.splitlines() if line.startswith("WROTE "))


def none(scene):
    scene.fill()
    before = scene.tree()
    run = scene.mode("none", "cat ~/.fake/auth.json ~/.fake/log 2>&1; echo KEY=$FAKE_API_KEY.; " + WRITE, env={"FAKE_API_KEY": "k1"})
    scene.check("host-secret" not in run.text and "host-log" not in run.text, "none: nothing of the host's state is there", run)
    scene.check("KEY=.\n" in run.text, "none: no variable of the provider", run)
    scene.check(wrote(run) == sorted(ALL), "none: the agent has a memory for the run", run)
    scene.check(scene.tree() == before, "none: the host's state is as before", scene.tree())
    again = scene.mode("none", "cat ~/.fake/log 2>&1; cat ~/.fake/state.json")
    scene.check("written" not in again.text and '{"seen":true}' in again.text, "none: and forgets it, but for the first file", again)


def minimal(scene):
    scene.fill()
    run = scene.mode("minimal", "cat ~/.fake/auth.json; echo KEY=$FAKE_API_KEY.; rm -f ~/.fake/auth.json; mv ~/.fake/log ~/.fake/auth.json; " + WRITE,
                     env={"FAKE_API_KEY": "k1"})
    scene.check("host-secret" in run.text and "KEY=k1." in run.text, "minimal: the sign-in can be read", run)
    scene.check("auth.json" not in wrote(run) and "settings.json" not in wrote(run) and "log" in wrote(run), "minimal: and not written", run)
    scene.check(scene.text(".fake/auth.json") == "host-secret\n", "minimal: it is as before", scene.text(".fake/auth.json"))
    os.unlink(scene.path(".fake/auth.json"))
    run = scene.mode("minimal", "echo evil > ~/.fake/auth.json; true")
    scene.check(scene.text(".fake/auth.json") is None and "auth.json was new" in run.words, "minimal: one that appears is moved aside", run)


def login(scene):
    scene.fill()
    run = scene.mode("login", "cat ~/.fake/auth.json; " + WRITE)
    scene.check("host-secret" in run.text, "login: the sign-in is there", run)
    scene.check(set(wrote(run)) >= {"auth.json", "log", "state.json"} and not set(wrote(run)) & {"settings.json", "hooks/x"}, "login: and can be renewed, code cannot", run)
    scene.check(scene.text(".fake/auth.json") == "written\n" and scene.text(".fake/settings.json") == "{}\n", "login: on the host too")
    scene.check("auth.json has changed: a sign-in was renewed" in run.words, "login: which is told", run)
    scene.check(scene.text(".fake/unknown") is None and scene.text(".fake/late.json") is None, "login: what is not known is moved aside", run)


def private(scene):
    scene.fill()
    before = scene.tree()
    run = scene.mode("private", "cat ~/.fake/auth.json ~/.fake/log 2>&1; cat ~/.fake/state.json; echo; " + WRITE, env={"FAKE_API_KEY": None})
    scene.check("host-secret" not in run.text and "host-log" not in run.text, "private: nothing of the host's state is there", run)
    scene.check('{"seen":true}' in run.text, "private: it begins with the manifest's first file", run)
    scene.check(wrote(run) == sorted(ALL), "private: all of it can be written", run)
    scene.check(scene.tree() == before, "private: the host's state is as before", scene.tree())
    again = scene.mode("private", "cat ~/.fake/log ~/.fake/auth.json ~/.fake/hooks/x ~/.fake/unknown")
    scene.check(again.text.count("written") == 4, "private: it is kept for this project, with its sign-in", again)
    scene.check("moved to" not in again.words and "has changed" not in again.words, "private: nothing is told of it", again)

    place = scene.path(".local/share/paddock/private")
    modes = {oct(os.stat(directory).st_mode & 0o7777) for directory, _, _ in os.walk(place)} - {"0o755"}
    scene.check(modes == {"0o700"} and os.listdir(place) == [scene.project.replace("/", "%2F")], "private: below the data directory, for its owner, by the project", os.listdir(place))
    other = os.path.join(scene.home, "other-project")
    scene.runner.repository(other)
    run = scene.runner.execute([scene.runner.paddock, "run", "--credentials", "private", "fake", "cat ~/.fake/log 2>&1; ls -A ~/.local/share/paddock 2>&1"],
                               cwd=other, env=scene.environment())
    scene.check("written" not in run.text, "private: another project has its own", run)
    run = scene.runner.sh("cat ~/.fake/log; ls ~/.local/share/paddock/private; true", "--rw", scene.home, cwd=scene.project)
    scene.check("written" not in run.text and "%2F" not in run.text, "private: no grant shows it", run)
    explained = scene.runner.execute([scene.runner.paddock, "explain", "--credentials", "private", "--", "fake"], cwd=other, env=scene.environment())
    scene.check("is not signed in there" in explained.text and "paddock run --credentials private fake login" in explained.text, "private: explain says how to sign in", explained)


def shared(scene):
    scene.fill()
    run = scene.mode("shared", "cat ~/.fake/auth.json; " + WRITE)
    scene.check(wrote(run) == sorted(ALL), "shared: the whole directory can be written", run)
    scene.check("credentials_shared" in run.words, "shared: the relaxation is warned about at the start", run)
    scene.check(scene.text(".fake/settings.json") == "written\n" and scene.text(".fake/unknown") == "written\n", "shared: on the host")
    for name in ("settings.json", "hooks", "late.json"):
        scene.check(".fake/%s is new or changed, and the host will act on it" % name in run.words, "shared: %s is told at the end" % name, run)
    explained = scene.runner.execute([scene.runner.paddock, "explain", "--credentials", "shared", "--", "fake"], cwd=scene.project, env=scene.environment())
    scene.check("credentials_shared" in explained.text and "--credentials" in explained.text, "shared: explain names it with its origin", explained)


def said(scene):
    for words, code in ((["--credentials", "logn"], 2), (["--credentials"], 2), (["--credentials", "none", "--credentials", "login"], 2),
                        (["--credentials", "login", "--no-sandbox"], 2)):
        run = scene.runner.execute([scene.runner.paddock, "run", *words, *([] if words[-1] == "--credentials" else ["fake", "echo RAN"])], cwd=scene.project, env=scene.environment())
        scene.check(run.code == code and "RAN" not in run.text and "--credentials" in run.words, "refused: %s" % " ".join(words), run)
    scene.fill()
    config = scene.path(".config/paddock/config.toml")
    scene.write('[credentials]\nmode = "none"\n', ".config/paddock/config.toml")
    run = scene.run("cat ~/.fake/auth.json; echo END")
    scene.check("host-secret" not in run.text and "END" in run.text, "the configuration's mode holds", run)
    run = scene.mode("login", "cat ~/.fake/auth.json")
    scene.check("host-secret" in run.text, "and the flag wins over it", run)
    os.unlink(config)


STATE = {"account": "a", "projects": {"/w": {"servers": ["mine"], "seen": 1}}, "entry": {"type": "local"}}
PLANTED = {"account": "a", "last": 1, "projects": {"/w": {"servers": ["mine", "evil"], "seen": 2}, "/x": {"servers": ["evil"]}},
           "entry": {"type": "remote", "url": "evil"}, "other": {"type": "remote"}}
RESTORED = {"account": "a", "last": 1, "projects": {"/w": {"servers": ["mine"], "seen": 2}, "/x": {}}, "entry": {"type": "local"}}


def planting(content):
    return "printf %%s '%s' > ~/.fake/state.json.tmp && mv ~/.fake/state.json.tmp ~/.fake/state.json" % content


def put_back(scene):
    scene.clear()
    scene.write(json.dumps(STATE), ".fake/state.json")
    run = scene.run(planting(json.dumps(PLANTED)))
    scene.check(json.loads(scene.text(".fake/state.json")) == RESTORED, "what the host would obey is as before, the rest stays", scene.text(".fake/state.json"))
    for name in ("projects./w.servers", "projects./x.servers", "entry", "other"):
        scene.check("state.json: %s was changed and is put back" % name in run.words, "%s is told" % name, run)
    scene.check(sorted(os.listdir(scene.path(".fake"))) in (["snapshots", "state.json"], ["state.json"]), "nothing is left beside it", os.listdir(scene.path(".fake")))

    for how, script in (("no JSON", "echo '{\"projects\": {} // x' > ~/.fake/state.json"), ("a link", "rm ~/.fake/state.json; ln -s ~/.profile ~/.fake/state.json"),
                        ("a pipe", "rm ~/.fake/state.json; mkfifo ~/.fake/state.json"), ("a directory", "rm ~/.fake/state.json; mkdir ~/.fake/state.json")):
        scene.write(json.dumps(STATE), ".fake/state.json")
        run = scene.run(script)
        found = not os.path.islink(scene.path(".fake/state.json")) and scene.text(".fake/state.json")
        scene.check(found == json.dumps(STATE) and "could no longer be read as what it was: moved to" in run.words, "%s in its place goes, and it comes back" % how, run)


def links(scene):
    scene.fill()
    scene.write("mine\n", ".profile")
    run = scene.run("rm ~/.fake/log; ln -s ~/.profile ~/.fake/log; mkdir -p ~/.fake/snapshots; true")
    scene.check(not os.path.lexists(scene.path(".fake/log")) and "log is new and leads out of the harness's directory" in run.words, "a link out of the directory is moved aside", run)
    run = scene.run("echo x > ~/.fake/log; ln -s log ~/.fake/state.json.latest; true")
    scene.check(os.path.islink(scene.path(".fake/state.json.latest")) and "leads out" not in run.words, "one that stays inside is left", run)


def together(scene):
    """A run that starts while another one lives takes nothing that was planted for the user's own."""
    scene.clear()
    scene.write(json.dumps(STATE), ".fake/state.json")
    first = scene.start(planting(json.dumps(PLANTED)) + "; echo READY; read line")
    scene.check(harness_test.ready(first), "a run that has planted")
    second = scene.start("echo READY; read line; " + planting(json.dumps(PLANTED)))
    scene.check(harness_test.ready(second), "and one that starts after that")
    first.communicate(b"go\n", timeout=60)
    second.communicate(b"go\n", timeout=60)
    found = json.loads(scene.text(".fake/state.json"))
    # What an entry was before the first run the second one cannot know: it is as it was, or gone.
    scene.check(found.pop("entry", None) in (None, STATE["entry"]) and found == {name: value for name, value in RESTORED.items() if name != "entry"},
                "both put back what was there before the first", scene.text(".fake/state.json"))
    watch = scene.path(".local/state/paddock/watch")
    scene.check(not os.listdir(watch), "and what they noted is gone", os.listdir(watch))


@contextlib.contextmanager
def ssh_agent(scene, path):
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    scene.runner.who.own(os.path.dirname(path))
    agent = scene.runner.start(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if os.path.exists(path):
                break
            time.sleep(0.05)
        key = os.path.join(scene.home, ".ssh/id_ed25519")
        if not os.path.exists(key):
            os.makedirs(os.path.dirname(key), 0o700, exist_ok=True)
            scene.runner.who.own(os.path.dirname(key))
            scene.runner.execute(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key])
        scene.runner.execute(["ssh-add", "-q", key], env={"SSH_AUTH_SOCK": path})
        yield agent
    finally:
        agent.send_signal(signal.SIGTERM)
        agent.wait()


def ssh(scene):
    if shutil.which("ssh-agent") is None:
        return scene.report.skip("ssh", "ssh-agent is not installed")
    scene.write("host.example ssh-ed25519 AAAA\n", ".ssh/known_hosts")
    scene.write("Host *\n", ".ssh/config")
    os.chmod(scene.path(".ssh"), 0o700)
    directory = os.path.join(scene.runner.who.base, "agent")
    path = os.path.join(directory, "agent.1")
    look = "ssh-add -l; ls -A ~/.ssh; cat ~/.ssh/known_hosts; ls -A %s; echo x >> ~/.ssh/known_hosts; echo SOCK=$SSH_AUTH_SOCK." % directory
    with ssh_agent(scene, path):
        with open(os.path.join(directory, "beside"), "w") as file:
            file.write("x")
        env = {"SSH_AUTH_SOCK": path}
        run = scene.run(look, "--ssh-agent", env=env)
        answer = "ED25519" if scene.runner.who.name else "no identities"  # without an entry neither ssh-keygen nor ssh-add works
        scene.check(answer in run.text and "SOCK=%s." % path in run.text, "ssh-add -l lists the key inside", run)
        scene.check("host.example" in run.text and "id_ed25519" not in run.text.replace("ED25519", "") and "config" not in run.text, "known_hosts is there, and no key", run)
        scene.check("beside" not in run.text, "only the socket, not its directory", run)
        scene.check(scene.text(".ssh/known_hosts") == "host.example ssh-ed25519 AAAA\n", "known_hosts is read-only", run)
        scene.check("ssh_agent" in run.words and "keys of your SSH agent" not in run.text, "it is warned about at the start", run)
        explained = scene.runner.execute([scene.runner.paddock, "explain", "--ssh-agent", "--", "true"], cwd=scene.project, env=scene.environment(env))
        scene.check("ssh_agent" in explained.text and path in explained.text, "explain names it and shows the socket", explained)

        by_hand = "SSH_AUTH_SOCK=%s ssh-add -l; true" % path
        for words in ([], ["--env", "SSH_AUTH_SOCK"], ["--ro", directory], ["--rw", directory]):
            run = scene.run("ssh-add -l; " + by_hand, *words, env=env)
            scene.check("ED25519" not in run.text, "without the flag it cannot be reached: %s" % words[:1], run)
        run = scene.run(by_hand, "--ro", path, env=env)
        scene.check("grant_agent_socket" in run.words or "grant_socket" in run.words, "named by its own path it is a relaxation", run)

    stale = os.path.join(directory, "stale")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(stale)
    os.chown(stale, scene.runner.who.uid, scene.runner.who.gid)
    others = os.path.join(directory, "others")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(others)
        server.listen(1)
        cases = [(None, "is not set"), ("", "is not set"), ("relative", "no absolute path"), (directory + "/absent", "does not exist"),
                 (directory + "/beside", "is no socket"), (directory, "is no socket"), (stale, "nobody answers")]
        if os.getuid() == 0 and scene.runner.who.uid != 0:
            cases.append((others, "another user's"))
        for value, why in cases:
            run = scene.run("echo RAN", "--ssh-agent", env={"SSH_AUTH_SOCK": value})
            scene.check(run.code == 125 and "RAN" not in run.text and why in run.words and "ssh-agent" in run.words, "refused: %r, %s" % (value, why), run)


def sockets(scene):
    """A server of the host's inside the workspace."""
    path = os.path.join(scene.project, ".overmind.sock")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(path)
        server.listen(1)
        run = scene.runner.sh("true", cwd=scene.project)
        scene.check(path in run.words and "--mask" in run.words, "a socket in the workspace is told of", run)
        run = scene.runner.sh("test -S .overmind.sock || echo HIDDEN", "--mask", path, cwd=scene.project)
        scene.check("HIDDEN" in run.text and "grant_" not in run.words, "a masked one is not", run)
        os.chdir(scene.project)
        try:
            with contextlib.closing(socket.socket(socket.AF_UNIX)) as relative:
                relative.bind("./relative.sock")
                relative.listen(1)
                run = scene.runner.sh("true", cwd=scene.project)
                scene.check(scene.project + "/relative.sock" in run.words, "one that was bound by a relative name too", run)
        finally:
            os.chdir("/")
    os.unlink(os.path.join(scene.project, "relative.sock"))
    run = scene.runner.sh("true", cwd=scene.project)
    scene.check(path not in run.words, "one that nobody listens at is not told of", run)
    os.unlink(path)


STEPS = (none, minimal, login, private, shared, said, put_back, links, together, ssh, sockets)


def body(runner, report):
    scene = Scene(runner, report)
    for step in STEPS:
        if report.wants(step.__name__):
            scene.install(", --yolo too")
            step(scene)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
