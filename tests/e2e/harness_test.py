#!/usr/bin/env python3
"""What Paddock does for a harness, with a small script in the place of an agent: flags checked against its help, state
directories, stand-ins, what is told afterwards. The real agents are agents_test.py's.

    harness_test.py --paddock PATH [--identity root|ordinary|unnamed] [WORD]...
"""

import json
import os
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))

import product  # noqa: E402

MANIFEST = """
schema = 1
id = "fake"
display = "Fake"
bins = ["fake-agent"]
hosted_model = true
[arguments]
skip_permissions = ["--yolo"]
confined = ["--trust", "{directory}"]
[[help]]
command = ["--help"]
flags = ["--yolo", "--trust"]
[environment]
pass = ["FAKE_API_KEY"]
[[state]]
path = "~/.fake"
override = "FAKE_HOME"
export = "moved"
secrets = ["auth.json"]
code = [
  { path = "settings.json", kind = "file", absent = "hold", content = "{}\\n" },
  { path = "hooks", kind = "directory", absent = "hold" },
  { path = "late.json", kind = "file", absent = "check" },
  { path = "snapshots", kind = "directory", inside = "private", absent = "hold" },
]
data = ["log", "state.json", "state.json.*"]
watch = [{ path = "state.json", format = "json", keys = ["account", "projects.*.servers"] }]
[[seed]]
path = "{state}/state.json"
content = '{"seen":true}'
"""

# `sh -c WORD` for the last word; --help names what it knows; anything else is shown.
AGENT = """#!/bin/sh
if [ "$1" = --help ]; then
  echo "  --trust DIR   and nothing else%s"
  exit 0
fi
[ "$1" = --version ] && exit 0  # before its first run in a new kind of sandbox
echo "ARGS $*"
for last; do :; done
eval "$last"
"""


class Scene:
    """One identity with a project and the script on PATH."""

    def __init__(self, runner, report):
        self.runner, self.report, self.home = runner, report, runner.home
        self.bin = os.path.join(runner.who.base, "bin")
        os.mkdir(self.bin, 0o755)
        self.project = os.path.join(self.home, "project")
        runner.repository(self.project)
        manifests = os.path.join(self.home, ".config/paddock/harnesses")
        os.makedirs(manifests, exist_ok=True)
        with open(os.path.join(manifests, "fake.toml"), "w") as file:
            file.write(MANIFEST)
        runner.who.own(os.path.join(self.home, ".config"))
        self.install(", --yolo too")

    def install(self, more):
        path = os.path.join(self.bin, "fake-agent")
        with open(path + ".new", "w") as file:
            file.write(AGENT % more)
        os.chmod(path + ".new", 0o755)
        os.rename(path + ".new", path)

    def environment(self, more=None):
        return {"PATH": self.bin + ":" + product.PATH, **(more or {})}

    def argv(self, script, *options):
        return [self.runner.paddock, "run", *options, "fake", script]

    def run(self, script, *options, env=None):
        return self.runner.execute(self.argv(script, *options), cwd=self.project, env=self.environment(env))

    def start(self, script, *options):
        return self.runner.start(self.argv(script, *options), cwd=self.project, env=self.environment(),
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def path(self, *names):
        return os.path.join(self.home, *names)

    def text(self, *names):
        try:
            with open(self.path(*names)) as file:
                return file.read()
        except OSError:
            return None

    def write(self, content, *names):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        with open(self.path(*names), "w") as file:
            file.write(content)
        self.runner.who.own(self.path(names[0].split("/")[0]))

    def check(self, holds, what, detail=""):
        return self.report.check(holds, "%s: %s" % (self.runner.who.label, what), detail)


def first_start(scene):
    run = scene.run("echo $FAKE_HOME; echo planted > ~/.fake/snapshots/script; stat -c %a ~/.fake ~/.fake/snapshots")
    scene.check(run.code == 0, "a first start with an empty home works", run)
    scene.check("--yolo --trust %s" % scene.project in run.text, "permissions are skipped and the directory trusted", run)
    scene.check(oct(os.stat(scene.path(".fake")).st_mode & 0o7777) == "0o700", "the state directory is 0700")
    scene.check(scene.text(".fake/state.json") == '{"seen":true}', "the first file is there")
    scene.check(os.listdir(scene.path(".fake/snapshots")) == [], "a private directory is private in the first run too",
                os.listdir(scene.path(".fake/snapshots")))
    scene.check(sorted(os.listdir(scene.path(".fake"))) == ["snapshots", "state.json"], "no stand-in is left",
                os.listdir(scene.path(".fake")))


def flags(scene):
    kept = scene.path(".local/state/paddock/help-fake")
    scene.run("true")
    scene.check(os.path.exists(kept), "the answer is kept")
    before = os.stat(kept).st_mtime_ns
    scene.run("true")
    scene.check(os.stat(kept).st_mtime_ns == before, "and not asked for again")
    scene.install("")
    run = scene.run("true")
    scene.check("ARGS --trust" in run.text and "--yolo" not in run.text, "an unknown flag is left out", run)
    scene.check("does not know --yolo: it will ask for permission" in run.words, "and that is said", run)
    again = scene.run("true")
    scene.check("--yolo" not in again.text and "does not know --yolo" in again.words, "with a kept answer too", again)
    scene.install(", --yolo too")
    run = scene.run("true")
    scene.check("--yolo" in run.text, "another program is asked again", run)
    ask = scene.run("true", "--permissions", "ask")
    scene.check("--yolo" not in ask.text and "--trust" in ask.text, "--permissions ask adds no such flag", ask)
    with open(os.path.join(scene.bin, "fake-agent"), "a") as file:
        file.write("\n")
    off = scene.run("true", "--net", "off")
    scene.check([line for line in off.words.splitlines() if "hosted model" in line][1:] == [] and "hosted model" in off.words,
                "--net off says in one line that a model is needed", off)


def help_is_sandboxed(scene):
    path = os.path.join(scene.bin, "fake-agent")
    with open(path, "w") as file:
        file.write("#!/bin/sh\nif [ \"$1\" = --help ]; then touch %s %s 2>&1; echo --yolo --trust; fi\n"
                   % (scene.path("project/HELP-RAN"), scene.path("HELP-RAN")))
    run = scene.run("true")
    scene.check(run.code == 0, "it runs", run)
    scene.check(not os.path.exists(scene.path("project/HELP-RAN")) and not os.path.exists(scene.path("HELP-RAN")),
                "its help was asked for where it cannot write")
    with open(path, "w") as file:
        file.write("#!/bin/sh\nif [ \"$1\" = --help ]; then exit 3; fi\necho ARGS $*\n")
    run = scene.run("true")
    scene.check(run.code == 0 and "--yolo" in run.text and "could not be asked" in run.words,
                "one that says nothing is taken at its manifest's word, and that is said", run)


def held(scene):
    script = ("for f in settings.json hooks/x; do echo planted > ~/.fake/$f; done; rm -f ~/.fake/settings.json; "
              "mv ~/.fake/hooks ~/.fake/aside; mv ~/.fake ~/.away; echo planted > ~/.fake/new.json; "
              "mv ~/.fake/new.json ~/.fake/settings.json; cat ~/.fake/settings.json; "
              "echo one > ~/.fake/state.json.tmp && mv ~/.fake/state.json.tmp ~/.fake/state.json && echo SAVED")
    run = scene.run(script)
    scene.check("{}\nSAVED" in run.text, "stand-ins refuse every write, and a save by rename works", run)
    scene.check(scene.text(".fake/settings.json") is None and not os.path.exists(scene.path(".fake/hooks")),
                "and are gone afterwards", os.listdir(scene.path(".fake")))
    scene.check(scene.text(".fake/state.json") == "one\n", "what was saved is on the host")
    scene.check("new.json is new and of no known kind" in run.words and scene.text(".fake/new.json") is None,
                "a name that no list holds is moved aside", run)


def told(scene):
    scene.write(json.dumps({"account": "a", "projects": {"/w": {"servers": []}}}), ".fake/state.json")
    content = json.dumps({"account": "b", "projects": {"/w": {"servers": [1]}, "/x": {"servers": []}}})
    run = scene.run("echo x > ~/.fake/late.json; printf %%s '%s' > ~/.fake/state.json" % content)
    scene.check("state.json: account has changed" in run.words and "projects./w.servers has changed" in run.words
                and "/x" not in run.words, "changed keys are told of, empty ones are not", run)
    scene.check("late.json was new" in run.words and scene.text(".fake/late.json") is None, "a checked name is moved aside", run)
    scene.write("old", ".fake/unknown.bin")
    run = scene.run("echo new > ~/.fake/unknown.bin; true")
    scene.check(scene.text(".fake/unknown.bin") == "old", "an existing name that no list holds is protected", run)
    os.unlink(scene.path(".fake/unknown.bin"))


def credentials(scene):
    scene.write("secret\n", ".fake/auth.json")
    script = "cat ~/.fake/auth.json; echo changed > ~/.fake/auth.json; echo KEY=$FAKE_API_KEY; echo x > ~/.fake/log"
    profile = scene.path(".config/paddock/profiles")
    os.makedirs(profile, exist_ok=True)
    for mode in ("minimal", "none", "login", "private"):
        with open(os.path.join(profile, "with-%s.toml" % mode), "w") as file:
            file.write('extends = "balanced"\n[credentials]\nmode = "%s"\n' % mode)
    scene.runner.who.own(profile)
    key = {"FAKE_API_KEY": "k1"}

    run = scene.run(script, "--profile", "with-minimal", env=key)
    scene.check("secret" in run.text and "KEY=k1" in run.text and scene.text(".fake/auth.json") == "secret\n" and scene.text(".fake/log") == "x\n",
                "minimal: secrets can be read and not written, other state can", run)
    os.unlink(scene.path(".fake/log"))
    run = scene.run(script + "; cat ~/.fake/state.json", "--profile", "with-none", env=key)
    scene.check("secret" not in run.text and "KEY=\n" in run.text and scene.text(".fake/log") is None, "none: no state, no key", run)
    scene.check('{"seen":true}' in run.text, "none: the first file is there all the same", run)
    run = scene.run(script, "--profile", "with-private", env=key)
    scene.check("secret" not in run.text and scene.text(".fake/log") is None, "private: not the host's state", run)
    run = scene.run("cat ~/.fake/log", "--profile", "with-private", env=key)
    scene.check(run.text.endswith("\nx\n"), "private: kept for this project", run)
    run = scene.run(script, "--profile", "with-login", env=key)
    scene.check(scene.text(".fake/auth.json") == "changed\n", "login: secrets can be renewed", run)


def places(scene):
    os.makedirs(scene.path("dotfiles/real-fake"))
    os.symlink("dotfiles/real-fake", scene.path(".linked"))
    os.symlink("dotfiles", scene.path("dots"))
    scene.runner.who.own(scene.path("dotfiles"))
    for where in (".linked", "dots/real-fake", "elsewhere"):
        place = scene.path(where)
        run = scene.run("echo 1 > $FAKE_HOME/log.tmp; echo DIR=$FAKE_HOME; echo kept > $FAKE_HOME/log; echo p > $FAKE_HOME/settings.json; true",
                        env={"FAKE_HOME": place})
        scene.check("DIR=%s\n" % place in run.text and scene.text(where, "log") == "kept\n", "state at %s" % where, run)
        scene.check(scene.text(where, "settings.json") is None, "protected at %s" % where, run)
        if scene.text(where, "log"):
            os.unlink(os.path.join(place, "log"))


def ready(process):
    line = b""
    while b"READY" not in line:
        line = process.stdout.readline()
        if not line:
            return False
    return True


def concurrent(scene):
    waiting = "echo READY; read line; echo planted > ~/.fake/settings.json; mkdir -p ~/.fake/hooks/x; cat ~/.fake/settings.json"
    first, second = scene.start(waiting), scene.start(waiting)
    scene.check(ready(first) and ready(second), "two runs at once")
    first.stdin.write(b"go\n")
    out, err = first.communicate(timeout=60)
    scene.check(out.endswith(b"{}\n"), "the first cannot write a held name", out + err)
    scene.check(scene.text(".fake/settings.json") == "{}\n", "which stays while the second lives")
    out, err = second.communicate(b"go\n", timeout=60)
    scene.check(out.endswith(b"{}\n"), "nor can the second", out + err)
    scene.check(scene.text(".fake/settings.json") is None and not os.path.exists(scene.path(".fake/hooks")), "and goes with it",
                os.listdir(scene.path(".fake")))


def killed(scene):
    run = scene.start("echo READY; read line")
    scene.check(ready(run), "a run to be killed")
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=60)
    scene.check(scene.text(".fake/settings.json") == "{}\n", "a killed run leaves its stand-ins, which are inert")
    after = scene.run("echo AGAIN; cat ~/.fake/settings.json")
    scene.check(after.code == 0 and "AGAIN\n{}" in after.text, "the next run starts all the same", after)
    scene.check(scene.text(".fake/settings.json") is None, "and clears them away")
    run = scene.start("echo READY; read line")
    ready(run)
    run.send_signal(signal.SIGKILL)
    run.communicate(timeout=60)
    scene.runner.run("--", "true", cwd=scene.project)
    scene.check(scene.text(".fake/settings.json") is None, "any other command does too")


def clean_tree(scene):
    run = scene.run("git status --porcelain; echo STATUS-END")
    scene.check("%s\nSTATUS-END" % run.text.splitlines()[0] in run.text, "git sees no stand-in inside", run)
    status = scene.runner.git("status", "--porcelain", cwd=scene.project)
    scene.check(status.text == "", "nor outside", status)


def commands(scene):
    ask = lambda *words: scene.runner.execute([scene.runner.paddock, "harness", *words], cwd=scene.project, env=scene.environment())
    path = os.path.join(scene.bin, "fake-agent")
    rows = {row["id"]: row for row in json.loads(ask("list", "--json").text)["harnesses"]}
    scene.check(rows["fake"]["installed"] == path and rows["fake"]["origin"].endswith("harnesses/fake.toml")
                and rows["claude"]["origin"] == "share/harnesses/claude.toml" and "generic" not in rows, "list tells of all", rows)
    words = ask("show", "fake")
    scene.check("--yolo, unless --permissions ask" in words.text and "~/.fake (state, read and write, moved by FAKE_HOME)" in words.text
                and "count as code" in words.text, "show tells what a manifest says", words)
    scene.check(json.loads(ask("show", "fake", "--json").text)["added"]["skip_permissions"][0]["words"] == ["--yolo"], "in JSON too")

    scene.write("secret\n", ".fake/auth.json")
    scene.write("x\n", ".fake/strange")
    with open(path, "w") as file:
        file.write('#!/bin/sh\ncase "$1" in --help) echo --yolo --trust;; --version) echo "fake 1.2.3 (x)";; esac\n')
    run = ask("check", "fake", "--json")
    said = json.loads(run.text)
    scene.check(run.code == 0 and said["ok"] and said["version"]["version"] == "1.2.3" and said["program"]["interpreter"] == "/bin/sh"
                and said["flags"] == {"answered": "yes", "missing": [], "problem": ""}, "check says yes", run)
    names = said["state"][0]["names"]
    scene.check(names["unknown"] == ["strange"] and names["secret"] == ["auth.json"] and said["login"]["files"] == [scene.path(".fake/auth.json")],
                "with the class of each name, and the login", names)
    for script, wanted, code in (('case "$1" in --help) echo --trust;; *) echo 1.2;; esac', "does not know --yolo", 1),
                                 ('case "$1" in --help) echo --yolo --trust;; *) exit 3;; esac', "does not say its version: --version ends with status 3", 1),
                                 ('case "$1" in --help) echo --yolo --trust;; *) sleep 30;; esac', "within 2 s", 0),
                                 ('exit 4', "cannot be asked which options it knows", 1)):
        with open(path, "w") as file:
            file.write("#!/bin/sh\n%s\n" % script)
        run = ask("check", "fake")
        scene.check(run.code == code and wanted in run.text, "check tells: %s" % wanted, run)
    with open(path, "w") as file:
        file.write("#!/no/such/node\n")
    run = ask("check", "fake")
    scene.check(run.code == 1 and "needs /no/such/node" in run.text, "check tells of a missing interpreter", run)
    os.unlink(path)
    run = ask("check", "fake")
    scene.check(run.code == 1 and "not installed" in run.text and ask("check").code == 0, "a program that is not there is a no where it is asked for", run)
    os.unlink(scene.path(".fake/strange"))
    os.unlink(scene.path(".fake/auth.json"))

    bad = scene.path(".config/paddock/harnesses/bad.toml")
    with open(bad, "w") as file:
        file.write('schema = 1\nid = "bad"\nbinz = []\n"\\u001b[31m" = 1\n')
    scene.runner.who.own(bad)
    run = ask("check", "bad")
    scene.check(run.code == 2 and 'bad.toml:3: unknown key "binz"' in run.words and 'did you mean "bins"' in run.words,
                "a bad file: its line and a suggestion", run)
    run = ask("list")
    scene.check(run.code == 0 and "bad          cannot be read" in run.text and "claude" in run.text and "\x1b" not in run.text, "does not hide the others", run)
    scene.check(ask("check").code == 1 and not json.loads(ask("check", "--json").text)["ok"], "and is a no among all")
    os.unlink(bad)
    run = ask("show", "fakke")
    scene.check(run.code == 2 and "did you mean fake?" in run.words, "an unknown name has a suggestion", run)
    scene.check(ask("check", "../fake").code == 2 and ask("dance").code == 2, "other words are usage errors")


STEPS = (first_start, flags, help_is_sandboxed, held, told, credentials, places, concurrent, killed, clean_tree, commands)


def body(runner, report):
    scene = Scene(runner, report)
    for step in STEPS:
        if report.wants(step.__name__):
            scene.install(", --yolo too")
            step(scene)


if __name__ == "__main__":
    product.for_each_identity(product.arguments(__doc__).parse_args(), body)
