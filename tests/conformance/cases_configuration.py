#!/usr/bin/env python3
"""Cases about configuration and the command line: whatever is not understood is refused, and nothing runs."""

import os
import shutil
import sys

sys.dont_write_bytecode = True

import cases  # noqa: E402

BAD = {
    "unknown at the top": ("netwrok = 1\n", "netwrok"), "unknown in a section": ("[filesystem]\nmaskPath = []\n", "maskPath"),
    "unknown section": ("[filesytem]\nmask = []\n", "filesytem"), "wrong type for a list": ("[filesystem]\nmask = \"x\"\n", "mask"),
    "wrong type for a word": ("[network]\nmode = 1\n", "mode"), "wrong word": ("[network]\nmode = \"of\"\n", "of"), "duplicate key": ("[network]\nmode = \"off\"\nmode = \"on\"\n", "mode"),
    "trailing garbage": ("[network]\nmode = \"off\"\n!!!\n", None), "unclosed": ("[network\n", None), "not UTF-8": ("# \udcff\n[network]\nmode = \"off\"\n", None),
    "unknown guarantee": ("[isolation]\nwithout = [\"nonsense\"]\n", "nonsense"),
}


def _config(place, text, mode=0o644, name="config.toml"):
    path = os.path.join(place.home, ".config/paddock", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", errors="surrogateescape") as file:
        file.write(text)
    os.chmod(path, mode)
    place.own()
    return path


def C163_unknown_keys(runner, place):
    for what, (text, word) in BAD.items():
        path = _config(place, text)
        done = runner.sh("echo RAN", cwd=place.work)
        place.check(done.code in (2, 125) and not done.out, what + ": refused, nothing runs", done)
        place.check("config.toml" in done.words and (word is None or word in done.words), what + ": the file and the key are named", done)
        os.unlink(path)
        profile = _config(place, 'extends = "balanced"\n' + text, name="profiles/mine.toml")
        done = runner.sh("echo RAN", "--profile", "mine", cwd=place.work)
        place.check(done.code in (2, 125) and not done.out, what + " in a profile: refused", done)
        os.unlink(profile)
    path = _config(place, "")
    place.equal(runner.sh("echo RAN", cwd=place.work).out, b"RAN\n", "an empty file is no error")
    os.unlink(path)
    path = _config(place, "[network]\nmode = \"off\"\n", 0o000)
    done = runner.sh("echo RAN", cwd=place.work)
    place.check(done.code in (2, 125) and not done.out or runner.who.is_root, "a file that cannot be read: refused", done)
    os.unlink(path)
    os.makedirs(path)
    place.own()
    place.check(runner.sh("echo RAN", cwd=place.work).code in (2, 125), "a directory in its place: refused")
    os.rmdir(path)


EVIL = 'mkdir -p ~/.config/paddock/profiles ~/.local/state/paddock ~/.local/share/paddock; echo evil > ~/.config/paddock/config.toml; ' \
       'echo evil > ~/.config/paddock/profiles/balanced.toml; echo evil > ~/.local/state/paddock/evil; echo evil > ~/.local/share/paddock/evil'
WAYS = {
    "written": EVIL,
    "renamed away": "for d in .config .local .local/share .local/state .config/paddock; do mv ~/$d ~/$d.old; done; %s" % EVIL,
    "a link": "for d in .config .config/paddock .local/state/paddock; do rm -rf ~/$d; mkdir -p ~/planted; ln -s ~/planted ~/$d; done; %s" % EVIL,
    "renamed over": "mkdir -p ~/new/paddock; echo evil > ~/new/paddock/config.toml; mv -T ~/new/paddock ~/.config/paddock; mv -T ~/new ~/.config; true",
}


def C161own_what_confines_it_is_never_written(runner, place):
    home = place.home
    own = [os.path.join(home, name) for name in (".config/paddock", ".local/state/paddock", ".local/share/paddock")]

    def evil():
        def content(path):
            if os.path.islink(path):
                return b""
            with open(path, "rb") as file:
                return file.read()

        return [os.path.join(directory, name) for top in own for directory, _, names in os.walk(top) for name in names
                if content(os.path.join(directory, name)) == b"evil\n"]

    for is_there in (True, False):
        for grant in ([".config", ".local"], ["."]):
            for how, script in WAYS.items():
                for name in (".config", ".local", "planted", "new"):
                    shutil.rmtree(os.path.join(home, name), ignore_errors=True)
                for name in (".config", ".local/share", ".local/state"):
                    os.makedirs(os.path.join(home, name))
                for directory in own if is_there else ():
                    os.makedirs(directory)
                runner.who.own(home)
                words = [word for name in grant for word in ("--rw", os.path.normpath(os.path.join(home, name)))]
                done = runner.sh(script, *words, cwd=place.work)
                label = "%s, %s, %s" % (how, " ".join(grant), "there" if is_there else "absent")
                place.check(not evil() and not any(os.path.islink(name) for name in own + [os.path.join(home, ".config")]), label, "%s\n%s" % (evil(), done))
                again = runner.sh("echo CONFINED; touch ~/escaped", cwd=place.work)
                place.check("CONFINED" in again.text and not os.path.exists(os.path.join(home, "escaped")), label + ": the next run is confined", again)


def C165_empty_command(runner, place):
    for words in (["run", "--"], ["run"], ["run", ""], ["run", "--", ""], ["run", "--net", "off"], ["run", "--net", "off", "--"], ["run", "--profile", "strict", ""]):
        done = runner.execute([runner.paddock, *words], cwd=place.work)
        place.check(done.code == 2 and not done.out and done.words.strip(), "usage error: %r" % words, done)
    done = runner.execute([runner.paddock, "run", "--", "--net", "off"], cwd=place.work)
    place.check(done.code in (2, 127) and not done.out, "options after -- are a command that does not exist", done)
    script = "%s run --net off --\ntouch escaped-line\n" % runner.paddock
    done = runner.execute(["sh", "-ec", script], cwd=place.work)
    place.check(not os.path.exists(os.path.join(place.work, "escaped-line")), "the next line of a script does not run by itself", done)


def C159_conflicts(runner, place):
    for words in (["--no-sandbox", "--sandbox-type", "bubblewrap"], ["--no-sandbox", "--profile", "strict"], ["--no-sandbox", "--mask", "x"], ["--sandbox", "--no-sandbox"]):
        done = runner.execute([runner.paddock, "run", *words, "--", "echo", "RAN"], cwd=place.work)
        place.check(done.code == 2 and not done.out, "refused: %r" % words, done)
    for words in (["--sandbox-type", "docker"], ["--sandbox-type", "podman"], ["--sandbox-type", "landlock"], ["--net", "local"], ["--net", "ask"], ["--net", "open"], ["--fs", "cow"]):
        done = runner.execute([runner.paddock, "run", *words, "--", "echo", "RAN"], cwd=place.work)
        place.check(done.code == 125 and not done.out and done.words.strip(), "cannot be held here: %r" % words, done)
    done = runner.execute([runner.paddock, "run", "--no-sandbox", "--", "echo", "RAN"], cwd=place.work)
    place.check(done.text == "RAN\n" and "sandbox" in done.words.lower(), "the explicit way out says so", done)


def G21_grants_that_plant_code(runner, place):
    home = place.home
    for name in (".ssh/config", ".local/bin/tool", ".gnupg/x", ".config/autostart/x", ".config/systemd/user/x", ".bashrc", ".config/paddock/x", ".local/state/paddock/x", "tools/x"):
        place.write(os.path.join(home, name), "before\n")
    path = ":".join((os.path.join(home, "tools"), "/usr/bin", "/bin"))
    for name in (".ssh", ".local/bin", ".gnupg", ".config/autostart", ".config/systemd", ".bashrc", ".config/paddock", ".local/state/paddock", "tools"):
        done = runner.sh("echo evil > x", "--rw", os.path.join(home, name), cwd=place.work, env={"PATH": path})
        place.check(done.code == 125 and name.rsplit("/", 1)[-1] in done.words, "a writable %s is refused" % name, done)
    for name in (".ssh", ".gnupg"):
        done = runner.sh("true", "--ro", os.path.join(home, name), cwd=place.work)
        place.check(done.code == 0 and name in done.words, "a readable %s is warned about" % name, done)
    for name in (home, os.path.join(home, ".config"), os.path.join(home, ".local")):
        script = "for f in ~/.bashrc ~/.ssh/config ~/.local/bin/tool ~/.config/autostart/x ~/.config/systemd/user/x ~/.config/paddock/x; do echo evil > $f; done"
        done = runner.sh(script, "--rw", name, cwd=place.work)
        place.check(done.code == 125 or name in done.words or name != home, "%s is refused or warned about" % os.path.relpath(name, home), done)
        for kept in (".bashrc", ".ssh/config", ".local/bin/tool", ".config/autostart/x", ".config/systemd/user/x", ".config/paddock/x"):
            place.equal(place.read(os.path.join(home, kept)), "before\n", "with a writable %s: %s" % (os.path.relpath(name, home), kept), done)


CASES = [value for name, value in sorted(globals().items()) if name[0] in "CG" and name[1].isdigit() and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
