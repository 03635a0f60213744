#!/usr/bin/env python3
"""Whose word counts: the machine's ceiling, the person's settings, those for one project, and a repository's file, which
by itself only tightens. What an agent could have written is never taken for the person's word."""

import contextlib
import hashlib
import json
import os
import pty
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import cases  # noqa: E402
import cases_files  # noqa: E402

HOST_NETWORK = "[ $(readlink /proc/self/ns/net) = '%s' ]" % os.readlink("/proc/self/ns/net")


def config(place, text, name="config.toml"):
    return place.write(os.path.join(place.home, ".config/paddock", name), text)


def repository(place, text):
    return place.write(".paddock.toml", text)


def forget(place):
    """No settings, grants or files of an earlier step."""
    for path in (".config/paddock", ".local/share/paddock"):
        shutil.rmtree(os.path.join(place.home, path), ignore_errors=True)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(place.work, ".paddock.toml"))


def paddock(runner, place, *words, **how):
    return runner.execute([runner.paddock, *words], cwd=how.pop("cwd", place.work), **how)


def merged(runner, place, *flags, **how):
    """`paddock config --json` as a value."""
    done = paddock(runner, place, "config", "--json", *flags, **how)
    try:
        return json.loads(done.out)
    except ValueError:
        place.check(False, "paddock config --json prints one object", done)
        return {}


def value(settings, key):
    for one in settings.get("values", ()):
        if one["key"] == key:
            return [entry["value"] for entry in one["entries"]] if one["list"] else one["value"]
    return None


def origin(settings, key):
    for one in settings.get("values", ()):
        if one["key"] == key:
            return (one["origin"] or {}).get("where")
    return None


@contextlib.contextmanager
def ceiling(place, text, mode=0o644, owner=0, directory_mode=0o755):
    """/etc with that ceiling, for what is started from here; the host's own stays as it is."""
    etc = os.path.join(place.runner.who.base, "etc")  # root's, as the machine's is
    shutil.rmtree(etc, ignore_errors=True)
    cases_files.copy_etc(etc)
    os.makedirs(os.path.join(etc, "paddock"), exist_ok=True)
    path = os.path.join(etc, "paddock/config.toml")
    with open(path, "w") as file:
        file.write(text)
    for name in (etc, os.path.join(etc, "paddock")):
        os.chown(name, 0, 0)
        os.chmod(name, 0o755)
    os.chmod(os.path.join(etc, "paddock"), directory_mode)
    os.chown(path, owner, 0)
    os.chmod(path, mode)
    with cases.private_mounts((etc, "/etc")):
        yield
    shutil.rmtree(etc, ignore_errors=True)


# The repository's file.

def T01_a_repository_tightens(runner, place):
    place.write("secrets/key", "SECRET\n")
    place.write("deploy/run.sh", "before\n")
    repository(place, '[filesystem]\nmask = ["secrets"]\nprotect = ["deploy/"]\n[network]\nmode = "off"\n[limits]\nwall_time = "90s"\n')
    done = runner.sh("cat secrets/key; echo evil > deploy/run.sh; %s && echo NETWORK; echo x > plain" % HOST_NETWORK, cwd=place.work)
    place.check("SECRET" not in done.text, "it masks", done)
    place.equal(place.read("deploy/run.sh"), "before\n", "it protects", done)
    place.check("NETWORK" not in done.text, "it turns the network off", done)
    place.equal(place.read("plain"), "x\n", "the rest works", done)
    place.check("ignored" not in done.words, "nothing of it is ignored", done)
    settings = merged(runner, place)
    place.equal((value(settings, "network.mode"), origin(settings, "network.mode")), ("off", ".paddock.toml:5"), "the origin is the file's line")
    place.equal(value(settings, "limits.wall_time"), "90s", "a limit")
    repository(place, '[filesystem]\nworkspace = "ro"\n')
    done = runner.sh("echo x > written", cwd=place.work)
    place.check(not os.path.exists(os.path.join(place.work, "written")), "it makes the project read-only", done)
    repository(place, 'profile = "strict"\n')
    settings = merged(runner, place)
    place.equal([value(settings, key) for key in ("network.mode", "credentials.mode", "process.nested")], ["off", "minimal", "off"], "a tighter profile")


def T02_a_flag_of_this_run_is_the_persons_word(runner, place):
    repository(place, '[network]\nmode = "off"\n[filesystem]\nmask = ["a"]\n')
    settings = merged(runner, place, "--net", "on", "--mask", "b")
    place.equal((value(settings, "network.mode"), origin(settings, "network.mode")), ("on", "--net"), "a word")
    place.equal(value(settings, "filesystem.mask"), ["a", "b"], "lists are added to")


def T03_a_repository_never_widens(runner, place):
    secret = place.write(os.path.join(place.home, ".ssh/id_ed25519"), "HOMESECRET\n", 0o600)
    place.write(os.path.join(place.outside, "data"), "OUTSIDE\n")
    os.chmod(place.outside, 0o755)
    place.write(".envrc", "before\n")
    wide = ('profile = "dev"\n[sandbox]\nenabled = false\n[filesystem]\nread = ["~/.ssh", "%s"]\nwrite = ["%s"]\nprotect = ["!.envrc"]\ntemp = "host"\n'
            '[environment]\nbase = "host"\npass = ["TOKEN_OF_MINE"]\nset = { BASH_ENV = "/tmp/x", PATH = "/evil" }\n[credentials]\nmode = "shared"\nssh_agent = true\n'
            '[process]\nnested = "full"\n[git]\nmode = "real"\n[isolation]\nwithout = ["calls_filtered", "protect_existing"]\n' % (place.outside, place.outside))
    config(place, '[network]\nmode = "off"\n[limits]\nwall_time = "1m"\n')
    repository(place, wide + '[network]\nmode = "on"\n[limits]\nwall_time = "2h"\n')
    script = "cat ~/.ssh/id_ed25519 %s/data; echo evil > %s/new; echo evil > .envrc; echo evil > .paddock.toml; env; %s && echo NETWORK" % (place.outside, place.outside, HOST_NETWORK)
    before = place.read(".paddock.toml")
    done = runner.sh(script, cwd=place.work, env={"TOKEN_OF_MINE": "tokensecret", "SSH_AUTH_SOCK": "/nowhere"})
    for word in ("HOMESECRET", "OUTSIDE", "tokensecret", "BASH_ENV", "/evil", "NETWORK"):
        place.check(word not in done.text, "%s is not there" % word, done)
    place.check("PATH=" in done.text, "it ran", done)
    place.equal((place.read(".envrc"), place.read(".paddock.toml")), ("before\n", before), "nothing is unprotected", done)
    place.check(not os.path.exists(os.path.join(place.outside, "new")), "nothing more is writable", done)
    place.check("NO SANDBOX" not in done.words, "the sandbox stays", done)
    told = [line for line in done.words.splitlines() if ".paddock.toml:" in line and "ignored" in line]
    place.check(2 <= len(told) <= 9 and all("paddock trust" in line or "only you" in line for line in told), "each ignored key is told, up to a bound", done)
    place.check("more: paddock config" in done.words, "and where the others are shown", done)
    settings = merged(runner, place)
    keys = {one["key"] for one in settings["ignored"]}
    wanted = {"sandbox.enabled", "filesystem.read", "filesystem.write", "filesystem.protect", "filesystem.temp", "environment.base", "environment", "credentials.mode",
              "credentials.ssh_agent", "process.nested", "git.mode", "isolation.without", "network.mode", "limits.wall_time", "filesystem.dotfiles"}
    place.check(wanted <= keys, "paddock config shows every one", sorted(wanted - keys))
    place.check(all(one["origin"]["where"].startswith(".paddock.toml:") for one in settings["ignored"]), "with file and line", settings["ignored"])
    place.equal((value(settings, "network.mode"), value(settings, "limits.wall_time")), ("off", "1m"), "what the person said stands")
    explained = paddock(runner, place, "explain", "--", "true")
    place.check(".paddock.toml:" in explained.text and "ignored" in explained.text, "explain shows them", explained)
    os.unlink(secret)
    forget(place)


def T04_only_a_plain_file_is_read(runner, place):
    def refused(what, *words):
        done = runner.sh("echo RAN", cwd=place.work)
        place.check(done.code == 125 and not done.out and ".paddock.toml" in done.words and all(word in done.words for word in words), what + ": nothing runs", done)
    path = os.path.join(place.work, ".paddock.toml")
    elsewhere = place.write(os.path.join(place.outside, "elsewhere.toml"), '[network]\nmode = "off"\n')
    for target, what in ((elsewhere, "a link"), ("nowhere", "a link to nothing"), ("/dev/zero", "a link to a device"), (".paddock.toml", "a link to itself")):
        os.symlink(target, path)
        refused(what, "link")
        os.unlink(path)
    os.mkdir(path)
    refused("a directory")
    os.rmdir(path)
    os.mkfifo(path)
    place.own()
    refused("a FIFO")
    os.unlink(path)
    repository(place, "# " + "x" * 70000 + "\n")
    refused("one that is too large")
    for text, words in (("[network\n", ()), ("netwrok = 1\n", ("netwrok", ":1")), ('[network]\nmode = "of"\n', ("of", ":2")), ("[filesystem]\nmaskPath = []\n", ("maskPath", "mask")),
                        ('[filesystem]\nmask = "x"\n', ("mask",)), ('extends = "strict"\n', ("extends",)), ('[backends.bubblewrap]\nprogram = "/tmp/evil"\n', ("backends",)),
                        ('[ceiling]\nforbid = []\n', ("ceiling",)), ('profile = "nosuch"\n', ("nosuch",)), ('[isolation]\nwithout = ["nonsense"]\n', ("nonsense",)), ('[ports]\n', ("ports",))):
        repository(place, text)
        refused("malformed: %r" % text, *words)
    if not runner.who.is_root:
        os.chmod(repository(place, ""), 0)
        refused("one that cannot be read")
    os.unlink(path)
    place.equal(runner.sh("echo RAN", cwd=place.work).out, b"RAN\n", "none is no error")


def T05_only_the_workspaces_own_file_counts(runner, place):
    project = runner.repository(os.path.join(place.work, "r"))
    place.write("r/.paddock.toml", '[network]\nmode = "off"\n')
    place.write("r/src/.paddock.toml", '[limits]\nwall_time = "5m"\n')
    place.write(".paddock.toml", '[limits]\nwall_time = "7m"\n')
    settings = merged(runner, place, cwd=os.path.join(project, "src/deep"))
    place.equal((value(settings, "network.mode"), value(settings, "limits.wall_time")), ("off", None), "from a subdirectory: the one at the top")
    settings = merged(runner, place, "--sandbox-workspace", os.path.join(project, "src"), cwd=project)
    place.equal((value(settings, "network.mode"), value(settings, "limits.wall_time")), ("on", "5m"), "of a workspace that was named: its own")


# paddock trust.

def T10_trust_grants_one_content_of_one_file(runner, place):
    data = place.write(os.path.join(place.outside, "data"), "OUTSIDE\n")
    os.chmod(place.outside, 0o755)
    text = '[filesystem]\nread = ["%s"]\n[environment]\nset = { MODE = "a\\u001b[31mb" }\n[network]\nmode = "on"\n' % data
    repository(place, text)
    config(place, '[network]\nmode = "off"\n')
    reads = "cat %s; echo mode=$MODE" % data
    done = runner.sh(reads, cwd=place.work)
    place.check("OUTSIDE" not in done.text and "mode=\n" in done.text, "before: nothing", done)
    done = paddock(runner, place, "trust")
    place.check(done.code == 2 and "--yes" in done.words, "off a terminal it is refused without --yes", done)
    place.check(data in done.text and "MODE=a\\x1b[31mb" in done.text and "\x1b" not in done.text, "it shows what is asked, with values and without control characters", done)
    place.check("network.mode: off -> on" in done.text and "filesystem.read: + " + data in done.text, "and what would change", done)
    place.check("OUTSIDE" not in runner.sh(reads, cwd=place.work).text, "asking grants nothing")
    done = paddock(runner, place, "trust", "--yes")
    place.check(done.code == 0 and hashlib.sha256(text.encode()).hexdigest() in done.text, "granted, by its hash", done)
    done = runner.sh(reads, cwd=place.work)
    place.check("OUTSIDE" in done.text and "mode=a" in done.text and "ignored" not in done.words, "after: all of it", done)
    place.equal((value(merged(runner, place), "network.mode")), "on", "words too")
    listed = json.loads(paddock(runner, place, "trust", "--list", "--json").out)
    place.equal([(one["path"], one["state"]) for one in listed["grants"]], [(os.path.join(place.work, ".paddock.toml"), "current")], "listed")
    # Another content, the same content elsewhere.
    repository(place, text + "# more\n")
    done = runner.sh(reads, cwd=place.work)
    place.check("OUTSIDE" not in done.text and "paddock trust" in done.words, "a changed file is untrusted", done)
    place.check("changed" in paddock(runner, place, "trust", "--list").text, "and listed as changed")
    other = os.path.join(place.home, "work", place.name + "-other")
    os.makedirs(other)
    place.write(os.path.join(other, ".paddock.toml"), text)
    place.check("OUTSIDE" not in runner.sh(reads, cwd=other).text, "the same content in another place is untrusted")
    repository(place, text)
    place.check("OUTSIDE" in runner.sh(reads, cwd=place.work).text, "the granted content again is granted")
    done = paddock(runner, place, "trust", "--revoke")
    place.equal(done.code, 0, "taken back", done)
    place.check("OUTSIDE" not in runner.sh(reads, cwd=place.work).text, "and gone")
    place.equal(paddock(runner, place, "trust", "--revoke").code, 1, "nothing to take back is a no")
    shutil.rmtree(other)
    forget(place)


def T11_what_a_grant_never_gives(runner, place):
    repository(place, '[sandbox]\nenabled = false\n[network]\nmode = "on"\n')
    config(place, '[network]\nmode = "off"\n')
    place.equal(paddock(runner, place, "trust", "--yes").code, 0, "granted")
    done = runner.sh("echo $IS_SANDBOX", cwd=place.work)
    place.check(done.text == "1\n" and "only you" in done.words, "the sandbox stays on", done)
    # The person's own settings for the project outweigh a grant.
    name = paddock(runner, place, "config", "--path").text.split("project\t")[1].splitlines()[0]
    place.write(name, '[network]\nmode = "off"\n')
    settings = merged(runner, place)
    place.equal(value(settings, "network.mode"), "off", "settings for the project stand over a granted file")
    repository(place, '[filesystem]\nmask = ["x"]\n')
    done = paddock(runner, place, "trust")
    place.check(done.code == 0 and "nothing" in done.text, "a file that only tightens needs no grant", done)
    os.unlink(os.path.join(place.work, ".paddock.toml"))
    place.equal(paddock(runner, place, "trust").code, 1, "no file is a no")
    for words in (["--list", "--revoke"], ["--list", "x"], ["a", "b"], ["--json"], ["--yes", "--list"]):
        place.equal(paddock(runner, place, "trust", *words).code, 2, "usage: %s" % words)
    forget(place)


def T12_a_damaged_or_foreign_grant_grants_nothing(runner, place):
    text = '[filesystem]\nread = ["%s"]\n' % place.outside
    repository(place, text)
    place.equal(paddock(runner, place, "trust", "--yes").code, 0, "granted")
    directory = os.path.join(place.home, ".local/share/paddock/trust")
    name = os.path.join(directory, os.listdir(directory)[0])
    place.equal((os.stat(name).st_mode & 0o777, os.stat(directory).st_mode & 0o777), (0o600, 0o700), "modes of the grant and its directory")
    with open(name) as file:
        whole = file.read()
    for what, content in (("cut short", whole[:40]), ("empty", ""), ("of another file", whole.replace("paddock.toml", "paddock.tomk")), ("of another content", whole.replace(whole[16:40], "0" * 24))):
        place.write(name, content)
        done = runner.sh("ls " + place.outside, cwd=place.work)
        place.check(done.code != 0, "a grant %s" % what, done)
    os.unlink(name)
    os.symlink("/dev/zero", name)
    place.check(runner.sh("ls " + place.outside, cwd=place.work).code != 0, "a link to a device")
    os.unlink(name)
    place.write(name, whole)
    os.chmod(name, 0o666)
    done = runner.sh("ls " + place.outside, cwd=place.work)
    place.check(done.code == 125 and "somebody else" in done.words, "one that anybody can write is refused", done)
    forget(place)


def T13_trust_asks_at_a_terminal(runner, place):
    repository(place, '[filesystem]\nread = ["%s"]\n' % place.outside)
    for answer, code in ((b"n\n", 1), (b"\n", 1), (b"\x04", 1), (b"yes\n", 0)):
        master, slave = pty.openpty()
        child = runner.start([runner.paddock, "trust"], cwd=place.work, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        shown = b""
        asked_until = time.monotonic() + 60
        while b"[y/N]" not in shown and time.monotonic() < asked_until:
            try:
                shown += os.read(master, 4096)
            except OSError:
                break
        os.write(master, answer)
        place.equal(child.wait(timeout=60), code, "the answer %r" % answer, shown.decode("latin1"))
        os.close(master)
    place.check("current" in paddock(runner, place, "trust", "--list").text, "granted by yes")
    forget(place)


# The person's own settings.

def T20_settings_for_one_project(runner, place):
    shown = paddock(runner, place, "config", "--path")
    paths = dict(line.split("\t") for line in shown.text.splitlines())
    place.equal(list(paths), ["ceiling", "user", "project", "repository"], "the tiers in their order", shown)
    place.equal(os.path.basename(paths["project"]), place.work[1:].replace("/", ":") + ".toml", "named after the project")
    config(place, 'profile = "dev"\n[network]\nmode = "on"\n')
    place.write(paths["project"], 'profile = "strict"\n[filesystem]\nread = ["data?"]\n')
    settings = merged(runner, place)
    place.equal((settings["profile"]["name"], value(settings, "filesystem.read")), ("strict", [os.path.join(place.work, "data?")]), "its profile; relative paths start at the project")
    place.equal(value(settings, "network.mode"), "on", "what the user's file says stands over a profile")
    place.equal([one["state"] for one in settings["tiers"]], ["absent", "read", "read", "absent"], "the files that were read")
    elsewhere = os.path.join(place.home, "work")
    place.equal(merged(runner, place, cwd=elsewhere)["profile"]["name"], "dev", "another directory has none of it")
    place.write(paths["project"], "[sandbox]\nenabled = false\n")
    done = runner.execute([runner.paddock, "run", "--", "sh", "-c", "echo [$IS_SANDBOX]"], cwd=place.work)
    place.check(done.text == "[]\n" and "NO SANDBOX" in done.words, "a person may say so for one project", done)
    repository(place, "[sandbox]\nenabled = true\n")
    place.equal(runner.execute([runner.paddock, "run", "--", "sh", "-c", "echo [$IS_SANDBOX]"], cwd=place.work).text, "[1]\n", "and the project may insist on one")
    for text in ("[network\n", 'netwrok = 1\n', 'extends = "dev"\n', '[network]\nmode = 1\n'):
        place.write(paths["project"], text)
        done = runner.sh("echo RAN", cwd=place.work)
        place.check(done.code == 125 and not done.out and os.path.basename(paths["project"]) in done.words, "malformed: %r" % text, done)
    forget(place)


def T21_paths_of_projects_never_collide(runner, place):
    seen = set()
    for name in ("a:b", "a%3Ab", "a/b", "a b", "é漢", "x" * 200):
        path = os.path.join(place.work, name)
        os.makedirs(path)
        place.own()
        shown = paddock(runner, place, "config", "--json", cwd=path)
        project = [one["path"] for one in json.loads(shown.out)["tiers"] if one["tier"] == "project"][0]
        place.check(project not in seen and len(os.path.basename(project).encode()) <= 255, "a name of its own for %r" % name, project)
        seen.add(project)
        place.write(project, '[limits]\npids = 77\n')
        place.equal(value(merged(runner, place, cwd=path), "limits.pids"), "77", "and it is read: %r" % name)
        os.unlink(project)
    forget(place)


def T22_settings_that_an_agent_could_have_written(runner, place):
    runner.repository(place.work)
    wide = '[filesystem]\nread = ["%s"]\n' % place.outside
    # Moved into the project by a variable, there or not yet.
    for variable, name in (("XDG_CONFIG_HOME", "paddock/config.toml"), ("XDG_DATA_HOME", "paddock/trust/x"), ("XDG_STATE_HOME", "paddock/x")):
        for exists in (False, True):
            if exists:
                place.write(os.path.join("own", name), wide)
            done = runner.sh("echo RAN", cwd=place.work, env={variable: os.path.join(place.work, "own")})
            place.check(done.code == 125 and not done.out, "%s in the project, %s" % (variable, "there" if exists else "absent"), done)
        shutil.rmtree(os.path.join(place.work, "own"))
    # In a repository somewhere else, where another sandbox works.
    other = runner.repository(os.path.join(place.home, "work", place.name + "-other"))
    place.write(os.path.join(other, "c/paddock/config.toml"), wide)
    done = runner.sh("echo RAN", cwd=place.work, env={"XDG_CONFIG_HOME": os.path.join(other, "c")})
    place.check(done.code == 125 and not done.out and "repository" in done.words, "XDG_CONFIG_HOME in another repository", done)
    # A link from the usual place into a repository: the file, the directory above it, a profile.
    dotfiles = place.write(os.path.join(other, "dot/config.toml"), wide)
    usual = os.path.join(place.home, ".config/paddock")
    os.makedirs(usual)
    os.symlink(dotfiles, os.path.join(usual, "config.toml"))
    place.own()
    done = runner.sh("echo RAN", cwd=place.work)
    place.check(done.code == 125 and not done.out and "repository" in done.words, "a link to a file in a repository", done)
    os.unlink(os.path.join(usual, "config.toml"))
    os.rmdir(usual)
    os.symlink(os.path.dirname(dotfiles), usual)
    done = runner.sh("echo RAN", cwd=place.work)
    place.check(done.code == 125 and not done.out and "repository" in done.words, "a link to a directory in a repository", done)
    os.unlink(usual)
    os.makedirs(os.path.join(usual, "profiles"))
    os.symlink(dotfiles, os.path.join(usual, "profiles/mine.toml"))
    place.own()
    done = runner.sh("echo RAN", "--profile", "mine", cwd=place.work)
    place.check(done.code in (2, 125) and not done.out and "repository" in done.words, "a profile", done)
    os.unlink(os.path.join(usual, "profiles/mine.toml"))
    # Outside of repositories a link is fine.
    plain = place.write(os.path.join(place.home, "elsewhere/config.toml"), '[limits]\npids = 99\n')
    os.symlink(plain, os.path.join(usual, "config.toml"))
    place.own()
    place.equal(value(merged(runner, place), "limits.pids"), "99", "a link to a place of the person's own")
    os.unlink(os.path.join(usual, "config.toml"))
    os.symlink("nowhere", os.path.join(usual, "config.toml"))
    place.check(runner.sh("echo RAN", cwd=place.work).code == 125, "a link to nothing is no absent file")
    os.unlink(os.path.join(usual, "config.toml"))
    # Somebody else's to write.
    path = config(place, wide)
    os.chmod(path, 0o646)
    done = runner.sh("echo RAN", cwd=place.work)
    place.check(done.code == 125 and "somebody else" in done.words, "writable by all", done)
    os.chmod(path, 0o644)
    os.chmod(usual, 0o777)
    place.check(runner.sh("echo RAN", cwd=place.work).code == 125, "a directory that is writable by all")
    os.chmod(usual, 0o700)
    place.equal(runner.sh("echo RAN", cwd=place.work).code, 0, "one's own is fine")
    if os.getuid() == 0:
        os.chown(path, 4242, 4242)
        place.check(runner.sh("echo RAN", cwd=place.work).code == 125, "a foreign owner")
    shutil.rmtree(other)
    forget(place)
    shutil.rmtree(os.path.join(place.home, "elsewhere"))


def C161_agent_edits_what_confines_it(runner, place):
    home = place.home
    repository(place, '[limits]\nwall_time = "30m"\n')
    config(place, '[network]\nmode = "off"\n')
    config(place, 'extends = "strict"\n', "profiles/mine.toml")
    data = place.write(os.path.join(home, ".local/share/paddock/trust/x"), "before\n")
    state = place.write(os.path.join(home, ".local/state/paddock/x"), "before\n")
    files = [os.path.join(place.work, ".paddock.toml"), os.path.join(home, ".config/paddock/config.toml"), os.path.join(home, ".config/paddock/profiles/mine.toml"), data, state]
    before = {path: open(path).read() for path in files}
    script = """for f in %s; do d=$(dirname "$f")
        echo evil > "$f"; echo evil >> "$f"; rm -f "$f"; mv "$f" "$f.x"; echo evil > evil.toml; mv -f evil.toml "$f"; ln -sf /tmp/e "$f"
        ln "$f" ./linked && echo evil > ./linked; mv "$d" "$d.x"; mkdir -p "$d.x" && mv -T "$d.x" "$d"; chmod 777 "$f"; cat "$f" | sed 's/^/seen: /'
        mkdir -p "$d" && echo '[network]' > "$d/config.toml" && echo 'mode = "on"' >> "$d/config.toml"
    done 2>/dev/null; echo done""" % " ".join(files)
    for options in ((), ("--rw", os.path.join(home, ".config")), ("--rw", home), ("--rw", os.path.join(home, ".local"))):
        done = runner.sh(script, *options, cwd=place.work)
        place.check("done" in done.text or done.code == 125, "it ran or was refused: %s" % (options,), done)
        for path in files:
            place.equal(open(path).read() if os.path.isfile(path) and not os.path.islink(path) else "gone", before[path], "unchanged with %s: %s" % (options, os.path.relpath(path, home)), done)
        place.check(all("seen: " + line not in done.text for path in files[1:] for line in before[path].splitlines()), "Paddock's own are not even readable with %s" % (options,), done)
        place.equal(value(merged(runner, place), "network.mode"), "off", "the next run is confined as before")
    forget(place)
    shutil.rmtree(os.path.join(home, ".local/share/paddock"), ignore_errors=True)
    # What is not there yet: an agent makes it, and it counts for nothing but tightening.
    script = """mkdir -p ~/.config/paddock/projects ~/.local/share/paddock/trust; printf '[filesystem]\\nread = ["%s"]\\n[sandbox]\\nenabled = false\\n' > .paddock.toml
        for f in config.toml projects/x.toml; do cp .paddock.toml ~/.config/paddock/$f; done""" % place.outside
    for options in ((), ("--rw", home), ("--sandbox-workspace", home)):
        runner.sh(script, *options, cwd=place.work)
        place.check(not os.path.exists(os.path.join(home, ".config/paddock/config.toml")), "no settings were made with %s" % (options,))
        done = runner.sh("ls %s && echo SEEN; echo $IS_SANDBOX" % place.outside, cwd=place.work)
        place.equal(done.text, "1\n", "a repository file that it made opens nothing, with %s" % (options,), done)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(place.work, ".paddock.toml"))
    os.unlink(state)
    forget(place)


# The machine's ceiling.

def T30_nobody_exceeds_the_ceiling(runner, place):
    if os.getuid() != 0:
        return place.skip("a ceiling is root's to make")
    place.write("keys/a", "MASKED\n")
    place.write("deploy/run.sh", "before\n")
    data = place.write(os.path.join(place.outside, "data/x"), "OUTSIDE\n")
    text = ('[network]\nmode = "off"\n[filesystem]\nmask = ["keys"]\nprotect = ["deploy/"]\nread = ["/usr", "%s"]\nwrite = []\n[environment]\npass = ["ALLOWED"]\n[limits]\nwall_time = "1h"\n'
            '[isolation]\nwithout = []\nrequire = ["network_none"]\n[ceiling]\nforbid = ["no_sandbox", "unprotected", "grant_*"]\n' % runner.programs)
    reads = "cat keys/a %s; echo evil > deploy/run.sh; echo $ALLOWED-$OTHER; %s && echo NETWORK; echo done" % (data, HOST_NETWORK)
    with ceiling(place, text):
        done = runner.sh(reads, "--env", "ALLOWED=yes", cwd=place.work)
        place.check("MASKED" not in done.text and "NETWORK" not in done.text and "yes-\n" in done.text and "done" in done.text, "a plain run is brought under it", done)
        place.equal(place.read("deploy/run.sh"), "before\n", "what it protects", done)
        place.check("network.mode: on (profile balanced) is beyond the ceiling" in done.words and "/etc/paddock/config.toml:2" in done.words, "and told so", done)
        for flags in (["--net", "on"], ["--ro", place.outside], ["--rw", place.outside], ["--env", "OTHER=x"], ["--without", "calls_filtered"], ["--timeout", "2h"],
                      ["--protect", "!.envrc"], ["--protect", "!deploy"], ["--ro", os.path.join(place.work, "keys/a")], ["--rw", os.path.join(place.work, "deploy")]):
            done = runner.sh("echo RAN", *flags, cwd=place.work)
            place.check(done.code == 125 and not done.out and "/etc/paddock/config.toml:" in done.words, "a flag is refused: %s" % flags, done)
        done = runner.execute([runner.paddock, "run", "--no-sandbox", "--", "echo", "RAN"], cwd=place.work)
        place.check(done.code == 125 and not done.out and "no_sandbox" in done.words, "no sandbox is refused", done)
        config(place, '[network]\nmode = "on"\n[sandbox]\nenabled = false\n[filesystem]\nread = ["%s"]\nwrite = ["%s"]\n[environment]\nset = { OTHER = "x" }\n[isolation]\nwithout = ["calls_filtered"]\n[limits]\nwall_time = "5h"\n' % (place.outside, place.outside))
        config(place, 'extends = "dev"\n[filesystem]\nread = ["%s"]\n' % place.outside, "profiles/mine.toml")
        for flags in ((), ("--profile", "mine")):
            done = runner.sh(reads, "--env", "ALLOWED=yes", *flags, cwd=place.work)
            place.check("OUTSIDE" not in done.text and "NETWORK" not in done.text and "yes-\n" in done.text and "MASKED" not in done.text, "the person's settings %s" % (flags,), done)
        done = runner.execute([runner.paddock, "run", "--", "sh", "-c", "echo [$IS_SANDBOX]"], cwd=place.work)
        place.equal(done.text, "[1]\n", "settings do not turn the sandbox off", done)
        settings = merged(runner, place)
        place.equal((value(settings, "network.mode"), value(settings, "filesystem.write"), value(settings, "isolation.without"), value(settings, "limits.wall_time")), ("off", [], [], "1h"), "what is merged")
        keys = {one["key"] for one in settings["lowered"]}
        place.check({"network.mode", "no_sandbox", "filesystem.read", "filesystem.write", "environment", "isolation.without", "limits.wall_time"} <= keys, "and every lowered key", keys)
        place.check(all(one["ceiling"]["where"].startswith("/etc/paddock/config.toml:") for one in settings["lowered"]), "with the ceiling's line")
        forget(place)
        repository(place, '[network]\nmode = "on"\n[filesystem]\nread = ["%s"]\n' % place.outside)
        done = paddock(runner, place, "trust", "--yes")
        place.check("ceiling" in done.text, "trust shows what stands over it", done)
        done = runner.sh(reads, cwd=place.work)
        place.check("OUTSIDE" not in done.text and "NETWORK" not in done.text, "a grant does not exceed it", done)
        forget(place)


def T31_the_ceiling_is_judged_by_what_is_there(runner, place):
    if os.getuid() != 0:
        return place.skip("a ceiling is root's to make")
    allowed, secret = os.path.join(place.outside, "allowed"), os.path.join(place.outside, "secret")
    place.write(os.path.join(allowed, "x"), "ALLOWED\n")
    place.write(os.path.join(secret, "x"), "HIDDEN\n")
    os.symlink(secret, os.path.join(allowed, "way"))
    place.own()
    with ceiling(place, '[filesystem]\nread = ["%s", "%s"]\nmask = ["%s"]\n[ceiling]\nworkspaces = ["%s"]\n' % (allowed, runner.programs, secret, place.home)):
        done = runner.sh("cat %s/x" % allowed, "--ro", allowed, cwd=place.work)
        place.equal(done.text, "ALLOWED\n", "a listed place", done)
        for path in (os.path.join(allowed, "way"), os.path.join(allowed, "way/x"), os.path.join(allowed, "../secret")):
            done = runner.sh("cat %s %s/x" % (path, path), "--ro", path, cwd=place.work)
            place.check(done.code == 125 and "HIDDEN" not in done.text, "not through a link: %s" % os.path.relpath(path, place.outside), done)
        done = runner.sh("echo RAN", "--sandbox-workspace", allowed, cwd=place.work)
        place.check(done.code == 125 and not done.out and "workspace" in done.words, "a workspace elsewhere", done)
        done = runner.sh("echo RAN", "--sandbox-workspace", secret, cwd=place.work)
        place.check(done.code == 125 and not done.out, "a workspace that is hidden", done)
        # A harness of the person's own brings directories along.
        state = os.path.join(place.home, "mystate")
        os.makedirs(state)
        place.write(os.path.join(place.home, "bin/myagent"), "#!/bin/sh\nls -a ~/mystate\n", 0o755)
        config(place, 'name = "myagent"\nbinary = ["myagent"]\n[[state]]\npath = "~/mystate"\n', "harnesses/myagent.toml")
        done = runner.execute([runner.paddock, "run", "myagent"], cwd=place.work, env={"PATH": place.home + "/bin:/usr/bin:/bin"})
        place.check(done.code != 0 and not done.out, "a harness of one's own does not bring directories past it", done)
        shutil.rmtree(state)
        shutil.rmtree(os.path.join(place.home, "bin"))
    forget(place)


def T32_a_ceiling_that_is_not_in_order_stops_everything(runner, place):
    if os.getuid() != 0:
        return place.skip("a ceiling is root's to make")
    fine = '[network]\nmode = "off"\n'

    def refused(what, *words, **how):
        with ceiling(place, how.pop("text", fine), **how):
            done = runner.sh("echo RAN", cwd=place.work)
            place.check(done.code == 125 and not done.out and "/etc/paddock" in done.words and all(word in done.words for word in words), what + ": nothing starts", done)
            done = runner.execute([runner.paddock, "run", "--no-sandbox", "--", "echo", "RAN"], cwd=place.work)
            place.check(done.code == 125 and not done.out, what + ": not without a sandbox either", done)
    refused("of another owner", "root", owner=4242)
    refused("writable by all", "root", mode=0o666)
    refused("in a directory that is writable by all", "root", directory_mode=0o777)
    if not runner.who.is_root:
        refused("that cannot be read", mode=0o600)
    for text, word in (("[network\n", ""), ("netwrok = 1\n", "netwrok"), ('[network]\nmode = "of"\n', "of"), ('[ceiling]\nforbid = ["grant_hom"]\n', "grant_home"), ('[ceiling]\nforbit = []\n', "forbid"),
                       ('[sandbox]\nenabled = true\n', "no_sandbox"), ('profile = "strict"\n', "profile"), ('[filesystem]\nprotect = ["!.envrc"]\n', "envrc")):
        refused("malformed %r" % text, word, text=text)
    with ceiling(place, fine):
        place.equal(runner.sh("echo RAN", cwd=place.work).out, b"RAN\n", "one in order is fine")
        os.unlink("/etc/paddock/config.toml")
        os.mkfifo("/etc/paddock/config.toml")
        place.equal(runner.sh("echo RAN", cwd=place.work).code, 125, "a FIFO")
        os.unlink("/etc/paddock/config.toml")
        os.symlink(place.write(os.path.join(place.home, "mine.toml"), fine), "/etc/paddock/config.toml")
        place.equal(runner.sh("echo RAN", cwd=place.work).code, 125 if not runner.who.is_root else 0, "a link to a file of a person's own")
        os.unlink("/etc/paddock/config.toml")
        place.equal(runner.sh("echo RAN", cwd=place.work).out, b"RAN\n", "none is fine")


def T33_required_is_required(runner, place):
    for required, flags, starts in (("network_none", [], False), ("network_none", ["--net", "off"], True), ("workspace_read_only", [], False), ("workspace_read_only", ["--fs", "ro"], True),
                                    ("limit_time", [], False), ("limit_time", ["--timeout", "1m"], True), ("calls_filtered", [], True), ("masks_hidden", [], True)):
        repository(place, '[isolation]\nrequire = ["%s"]\n' % required)
        done = runner.sh("echo RAN", *flags, cwd=place.work)
        place.check((done.code == 0) == starts and (starts or (done.code == 125 and required in done.words)), "%s with %s" % (required, flags), done)
    forget(place)


# Showing it.

def T40_config_shows_everything_with_its_origin(runner, place):
    config(place, 'profile = "dev"\n[filesystem]\nmask = ["a"]\n[environment]\nset = { KEY = "valuesecret" }\n[limits]\nmemory = "2G"\ncpus = 1.5\n')
    done = paddock(runner, place, "config", "--mask", "b")
    place.equal(done.code, 0, "words", done)
    for words in (("profile", "dev", "config.toml:1"), ("filesystem.mask", "a", "config.toml:3"), ("network.mode", "on", "profile dev"), ("limits.memory", "2G", "config.toml:7"), ("limits.cpus", "1.5"),
                  ("environment ", "KEY=..."), ("b", "--mask"), ("ceiling", "absent"), ("user", "read"), ("repository", "absent")):
        place.check(any(all(word in line for word in words) for line in done.text.splitlines()), "a line with %s" % (words,), done)
    place.check("valuesecret" not in done.text, "no value of a variable", done)
    settings = merged(runner, place)
    place.check("valuesecret" not in json.dumps(settings), "nor in the JSON")
    place.equal(sorted(settings), sorted(["schema", "workspace", "tiers", "profile", "sandbox", "values", "backends", "ignored", "lowered", "ceiling"]), "its keys")
    place.equal(settings["schema"], "paddock.config/1", "its schema")
    place.equal(paddock(runner, place, "config", "x").code, 2, "no words")
    place.equal(paddock(runner, place, "config", "--json", "--path").code, 2, "one or the other")
    done = paddock(runner, place, "config", cwd=place.home)
    place.check(done.code == 125 and "home" in done.words, "where no project can be", done)
    forget(place)


def T41_profile_show(runner, place):
    config(place, 'description = "mine"\nextends = "dev"\n[network]\nmode = "off"\n[filesystem]\nmask = ["x"]\n', "profiles/mine.toml")
    done = paddock(runner, place, "profile", "show", "mine")
    for words in (("mine",), ("extends dev",), ("network.mode", "off", "profile mine:4"), ("filesystem.dotfiles", "listed", "profile dev"), ("filesystem.mask", "x", "profile mine:6")):
        place.check(any(all(word in line for word in words) for line in done.text.splitlines()), "a line with %s" % (words,), done)
    shown = json.loads(paddock(runner, place, "profile", "show", "mine", "--json").out)
    place.equal((shown["schema"], shown["name"], shown["extends"], value(shown, "network.mode"), origin(shown, "network.mode")), ("paddock.profile/1", "mine", "dev", "off", "profile mine:4"), "as JSON")
    listed = json.loads(paddock(runner, place, "profile", "list", "--json").out)
    place.equal([one["name"] for one in listed["profiles"]], ["strict", "balanced", "dev", "mine"], "the list as JSON")
    done = paddock(runner, place, "profile", "show", "min")
    place.check(done.code == 2 and "mine" in done.words, "an unknown one, with a suggestion", done)
    place.equal(paddock(runner, place, "profile", "check", "mine", "--json").code, 2, "check has no JSON")
    forget(place)


CASES = [found for name, found in sorted(globals().items()) if name[0] in "CT" and name[1:3].isdigit() and callable(found)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
