#!/usr/bin/env python3
"""Cases about processes, the environment and agents: what is seen, handed on, and left to others to see."""

import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import cases  # noqa: E402
import leftovers  # noqa: E402


def C030_agent_sockets(runner, place):
    if shutil.which("ssh-agent") is None:
        return place.skip("ssh-agent is not installed")
    key = os.path.join(place.work, "key")
    # Not as the identity: without an entry in the user database it refuses to work.
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True, stdin=subprocess.DEVNULL)
    place.own()
    temporary = "/tmp/pdk-ssh-%d" % os.getpid()
    os.makedirs(temporary, 0o700)
    if runner.who.switch:
        os.chown(temporary, runner.who.uid, runner.who.gid)
    os.makedirs(os.path.join(place.home, ".ssh/agent"), exist_ok=True)
    place.own()
    sockets = [os.path.join(temporary, "agent.1"), os.path.join(place.home, ".ssh/agent/s.1")]
    agents = []
    try:
        for path in sockets:
            agents.append(runner.start(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            until = time.monotonic() + 5
            while not os.path.exists(path) and time.monotonic() < until:
                time.sleep(0.02)
            added = runner.execute(["ssh-add", "-q", key], env={"SSH_AUTH_SOCK": path})
            place.equal(added.code, 0, "the agent has a key", added)
        for path in sockets:
            name = os.path.basename(path)
            by_hand = runner.sh("SSH_AUTH_SOCK=%s ssh-add -l" % path, cwd=place.work, env={"SSH_AUTH_SOCK": path})
            place.check(by_hand.code != 0 and "ED25519" not in by_hand.text, name + ": not by a path typed by hand", by_hand)
            passed = runner.sh("ssh-add -l", "--env", "SSH_AUTH_SOCK", cwd=place.work, env={"SSH_AUTH_SOCK": path})
            place.check("ED25519" not in passed.text, name + ": not by passing the variable alone", passed)
            forwarded = runner.sh("ssh-add -l; ls -A /tmp; ls -A ~/.ssh", "--ssh-agent", cwd=place.work, env={"SSH_AUTH_SOCK": path})
            place.check("ED25519" in forwarded.text, name + ": with --ssh-agent it works", forwarded)
            place.check("ssh" in forwarded.words.lower(), name + ": and is warned about", forwarded)
    finally:
        for agent in agents:
            agent.kill()
            agent.wait()
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(os.path.join(place.home, ".ssh"), ignore_errors=True)


def C107_secrets_on_command_lines(runner, place):
    secret = "s3cr" + os.urandom(6).hex()
    child = runner.start(runner.argv("--env", "TOK", "--", "sleep", "9177"), cwd=place.work, env={"TOK": secret}, stdout=-3, stderr=-3)
    time.sleep(0.4)
    found = []
    for pid in [name for name in os.listdir("/proc") if name.isdigit()]:
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                if secret.encode() in file.read():
                    found.append(pid)
        except OSError:
            continue
    # Other processes of ours hold it in no environment but the launcher's own and the payload's.
    holders = []
    for pid in leftovers.descendants(child.pid):
        try:
            with open("/proc/%d/environ" % pid, "rb") as file:
                if secret.encode() in file.read():
                    with open("/proc/%d/comm" % pid) as comm:
                        holders.append(comm.read().strip())
        except OSError:
            continue
    child.terminate()
    child.wait()
    place.equal(found, [], "in no command line")
    place.check(all(name in ("paddock", "sleep") for name in holders), "in no other environment", holders)
    kept = [path for path in (os.path.join(d, f) for d, _, files in os.walk(place.home) for f in files) if os.path.isfile(path) and secret.encode() in open(path, "rb").read()]
    place.equal(kept, [], "in no file of ours")
    explained = runner.execute([runner.paddock, "explain", "--env", "TOK", "--json", "--", "true"], cwd=place.work, env={"TOK": secret})
    argv = runner.execute([runner.paddock, "explain", "--env", "TOK", "--argv", "--", "true"], cwd=place.work, env={"TOK": secret})
    place.check(secret not in explained.text + explained.words + argv.text + argv.words, "not in what explain prints")
    warned = runner.sh("true", "--env", "TOK=value", cwd=place.work)
    place.check(warned.code == 0 and "TOK" in warned.words, "a value on the command line is warned about", warned)


def C109_directory_is_kept(runner, place):
    project = runner.repository(os.path.join(place.work, "ws"))
    link = os.path.join(place.work, "link")
    os.symlink(project, link)
    place.own()
    done = runner.run("--", "pwd", "-P", cwd=os.path.join(project, "src"))
    place.equal(done.text, os.path.join(project, "src") + "\n", "a subdirectory", done)
    logical = os.path.join(link, "src")
    done = runner.sh('echo "$PWD"; pwd -P; echo x > from-link', cwd=logical, env={"PWD": logical})
    place.check(done.text.endswith(os.path.join(project, "src") + "\n") and os.path.exists(os.path.join(project, "src/from-link")), "through a link", done)
    gone = os.path.join(place.work, "gone")
    os.mkdir(gone)
    place.own()
    done = runner.execute(["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", *runner.argv("--", "echo", "RAN")], cwd=gone)
    place.check(done.code == 125 and not done.out and done.words, "a directory that is gone is an error before anything runs", done)
    done = runner.sh("pwd -P", "--sandbox-workspace", os.path.join(project, "src"), cwd=place.outside)
    place.check(done.code == 125 or done.text == os.path.join(project, "src") + "\n", "a directory outside the workspace: an error, or the workspace", done)


def C117_host_processes(runner, place):
    secret = "HSEC" + os.urandom(6).hex()
    bystander = runner.start(["sleep", "86419"], env={"HSEC": secret})
    done = runner.sh("grep -al %s /proc/[0-9]*/environ /proc/[0-9]*/cmdline | grep -v /self; kill -0 %d && echo ALIVE; ls -d /proc/[0-9]* | wc -l; kill -9 -1; true" % (secret[:-1] + "[" + secret[-1] + "]", bystander.pid),
                     cwd=place.work)
    place.check("/proc/" not in done.text and "ALIVE" not in done.text, "neither environment nor pid", done)
    place.equal(bystander.poll(), None, "kill -9 -1 inside ends nothing outside")
    bystander.kill()
    bystander.wait()


def C123_reading_standard_input_does_not_hang(runner, place):
    for name, redirect in (("closed", "<&-"), ("null", "</dev/null"), ("empty pipe", None)):
        begun = time.monotonic()
        if redirect is None:
            done = runner.sh('read x; echo "[$x]"', cwd=place.work, input=b"")
        else:
            done = runner.execute(["sh", "-c", '"$@" ' + redirect, "sh", *runner.argv("--", "sh", "-c", 'read x; echo "[$x]"')], cwd=place.work)
        place.check(done.text == "[]\n" and time.monotonic() - begun < 20, name, done)


CASES = [value for name, value in sorted(globals().items()) if name.startswith("C") and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
