"""The real agents of the end-to-end suites: which there are, how each is pointed at the scripted model, where they are
installed, and who runs them. agents_test.py, turns_test.py and screens_test.py are the suites.
"""

import contextlib
import fcntl
import json
import os
import platform
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
INSTALL_TIMEOUT_S = 600
RUN_TIMEOUT_S = 180
SKIPPED = 77
UID_WITHOUT_ENTRY = 54321
IDENTITIES = {"both": ("root", "ordinary"), "all": ("root", "ordinary", "unnamed")}
KEY = "key-canary-5f2c9e17"  # in the place of every agent's key
SCALE = float(os.environ.get("PADDOCK_TEST_SCALE", "1"))


class Skip(Exception):
    """This machine lacks something; the text says what."""


# --- The agents -----------------------------------------------------------------------------------------------------


class Agent:
    """How one agent is installed and pointed at the scripted model, and the files through which it could be made to run
    code. Functions of the port give what belongs to one model server."""

    def __init__(self, name, package, state, skip, environment, options=lambda port: [], oneshot=(), continued=None,
                 plants=lambda mark: [], files=lambda port: [], program=None, daily=False, beyond=None):
        self.name, self.package, self.program = name, package, program  # program: below node_modules, where npm links none
        self.state = state              # directories below home that a first start makes
        self.skip = skip                # what the product adds by itself, for runs without it
        self.environment = environment  # port -> variables
        self.options = options          # port -> options before the sub-command
        self.oneshot, self.continued = list(oneshot), continued
        self.plants = plants            # mark -> [(path, content)]; ~ is home, . the project. mark(name) is a command
        self.files = files              # port -> [(path below home, content)]: what its user would have set up before
        self.daily = daily              # attacked in every run of the suite
        self.beyond = beyond            # why it cannot complete a turn here, if so

    def argv(self, port, words, prompt, added=()):
        """`added` stands where the product would put it: behind a sub-command, before an option that takes the prompt."""
        if words and words[0].startswith("-"):
            words, added = [*added, *words], []
        return [self.name, *self.options(port), *words, *added, prompt]

    def set_up(self, port, home, identity):
        for path, content in self.files(port):
            place = os.path.join(home, path)
            for directory in (os.path.dirname(place),):
                if not os.path.isdir(directory):
                    os.mkdir(directory, 0o700)
                    os.chown(directory, identity.uid, identity.gid)
            with open(place, "w") as file:
                file.write(content)
            os.chown(place, identity.uid, identity.gid)


def claude():
    hook = lambda command: json.dumps({"hooks": {
        event: [{"hooks": [{"type": "command", "command": command}]}]
        for event in ("SessionStart", "UserPromptSubmit")}})
    return Agent(
        "claude", "@anthropic-ai/claude-code@2.1.197", [".claude"], ["--dangerously-skip-permissions"],
        lambda port: {"ANTHROPIC_BASE_URL": "http://127.0.0.1:%d" % port, "ANTHROPIC_API_KEY": KEY},
        oneshot=["-p"], continued=["-c", "-p"], daily=True, plants=lambda mark: [
            ("~/.claude/settings.json", hook(mark("user-settings"))),
            ("~/.claude/settings.local.json", hook(mark("user-local-settings"))),
            ("./.claude/settings.json", hook(mark("project-settings"))),
            ("./.claude/settings.local.json", hook(mark("project-local-settings"))),
            ("./.mcp.json", json.dumps({"mcpServers": {
                "planted": {"command": "sh", "args": ["-c", mark("project-mcp")]}}}))])


def codex():
    provider = ('model_providers.scripted={name="Scripted",base_url="http://127.0.0.1:%d/v1",'
                'wire_api="responses",env_key="CODEX_API_KEY"}')
    notify = lambda command: 'notify = ["sh", "-c", %s]\n' % json.dumps(command)
    return Agent(
        "codex", "@openai/codex@0.171.0", [".codex"], ["--dangerously-bypass-approvals-and-sandbox"],
        lambda port: {"CODEX_API_KEY": KEY},
        lambda port: ["-c", "model_provider=scripted", "-c", provider % port],
        ["exec"], ["exec", "resume", "--last"], daily=True, plants=lambda mark: [
            ("~/.codex/config.toml", notify(mark("user-config"))),
            ("~/.codex/hooks.json", json.dumps({"hooks": {"SessionStart": [
                {"hooks": [{"type": "command", "command": mark("user-hooks")}]}]}})),
            ("./.codex/config.toml", notify(mark("project-config")))])


def opencode():
    config = lambda port: json.dumps({
        "model": "scripted/one", "small_model": "scripted/one", "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": "http://127.0.0.1:%d/v1" % port, "apiKey": "dummy"},
            "models": {"one": {"tool_call": True, "limit": {"context": 100000, "output": 8000}}}}}})
    plugin = lambda command: (
        'import { execSync } from "child_process";\n'
        'export const Planted = async () => { execSync(%s); return {}; };\n' % json.dumps(command))
    return Agent(
        "opencode", "opencode-ai@1.18.33", [".local/share/opencode", ".local/state/opencode"], ["--auto"],
        lambda port: {"OPENCODE_CONFIG_CONTENT": config(port), "OPENCODE_DISABLE_AUTOUPDATE": "1",
                      "OPENCODE_DISABLE_MODELS_FETCH": "1"},
        oneshot=["run"], continued=["run", "-c"], daily=True, plants=lambda mark: [
            ("~/.config/opencode/plugin/planted.js", plugin(mark("user-plugin"))),
            ("~/.config/opencode/opencode.json", json.dumps({"mcp": {"planted": {
                "type": "local", "command": ["sh", "-c", mark("user-config")], "enabled": True}}})),
            ("./.opencode/plugin/planted.js", plugin(mark("project-plugin")))])


def command_hook(event, command):
    return json.dumps({"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}})


def servers(command):
    return {"mcpServers": {"planted": {"command": "sh", "args": ["-c", command]}}}


def gemini():
    signed_in = lambda port: [(".gemini/settings.json", json.dumps(
        {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}))]
    return Agent(
        "gemini", "@google/gemini-cli@0.61.0", [".gemini"], ["--yolo", "--skip-trust"],
        lambda port: {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:%d" % port},
        # With the model named, none is asked which model to take.
        lambda port: ["-m", "gemini-2.5-pro"], ["-p"], ["-r", "latest", "-p"], files=signed_in, plants=lambda mark: [
            ("~/.gemini/settings.json", json.dumps(servers(mark("user-settings")))),
            ("~/.gemini/.env", "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/nonexistent\n"),
            ("~/.gemini/extensions/planted/gemini-extension.json", json.dumps(
                {"name": "planted", "version": "1.0.0", **servers(mark("user-extension"))})),
            ("./.gemini/settings.json", json.dumps(servers(mark("project-settings"))))])


def qwen():
    return Agent(
        "qwen", "@qwen-code/qwen-code@0.15.10", [".qwen"], ["--yolo"],
        lambda port: {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:%d/v1" % port,
                      "OPENAI_MODEL": "scripted"},
        lambda port: ["--auth-type", "openai"], ["-p"], ["-c", "-p"], plants=lambda mark: [
            ("~/.qwen/settings.json", json.dumps(servers(mark("user-settings")))),
            ("~/.qwen/extensions/planted/qwen-extension.json", json.dumps(
                {"name": "planted", "version": "1.0.0", **servers(mark("user-extension"))})),
            ("./.qwen/settings.json", json.dumps(servers(mark("project-settings"))))])


def copilot():
    return Agent(
        "copilot", "@github/copilot@1.0.102", [".copilot"], ["--allow-all"],
        lambda port: {"COPILOT_PROVIDER_BASE_URL": "http://127.0.0.1:%d/v1" % port, "COPILOT_MODEL": "scripted",
                      "COPILOT_PROVIDER_API_KEY": KEY, "COPILOT_OFFLINE": "true"},
        oneshot=["-p"], continued=["--continue", "-p"], plants=lambda mark: [
            ("~/.copilot/mcp-config.json", json.dumps(servers(mark("user-servers")))),
            ("~/.copilot/hooks/planted.json", json.dumps({"version": 1, "hooks": {
                "sessionStart": [{"type": "command", "bash": mark("user-hook")}]}})),
            ("./.github/hooks/planted.json", json.dumps({"version": 1, "hooks": {
                "sessionStart": [{"type": "command", "bash": mark("project-hook")}]}}))])


def droid():
    machine = {"aarch64": "arm64"}.get(platform.machine(), "x64")
    with_model = lambda port: [(".factory/settings.json", json.dumps({"customModels": [{
        "model": "scripted", "displayName": "Scripted", "baseUrl": "http://127.0.0.1:%d/v1" % port, "apiKey": "dummy",
        "provider": "generic-chat-completion-api", "maxOutputTokens": 8000}]}))]
    return Agent(
        "droid", "@factory/cli-linux-%s@0.225.2" % machine, [".factory"], ["--skip-permissions-unsafe"],
        lambda port: {"FACTORY_API_KEY": "fk-" + KEY},
        oneshot=["exec", "-m", "custom:scripted"], files=with_model,
        program="@factory/cli-linux-%s/bin/droid" % machine, plants=lambda mark: [
            ("~/.factory/mcp.json", json.dumps(servers(mark("user-servers")))),
            ("~/.factory/hooks.json", command_hook("SessionStart", mark("user-hooks"))),
            ("./.factory/mcp.json", json.dumps(servers(mark("project-servers"))))])


def amp():
    return Agent(
        "amp", "@sourcegraph/amp@0.0.1790142911-g7618fb", [".local/share/amp"], ["--dangerously-allow-all"],
        lambda port: {"AMP_API_KEY": KEY, "AMP_URL": "http://127.0.0.1:%d" % port}, oneshot=["-x"],
        beyond="its model, its tools' calls and its threads live on its own service, which no address can stand in for")


AGENTS = {agent.name: agent for agent in (claude(), codex(), opencode(), gemini(), qwen(), copilot(), droid(), amp())}
# Described by a manifest and not to be had from npm or Debian.
NOT_INSTALLABLE = {
    "crush": "its npm package downloads the program from elsewhere when it is installed",
    "kiro": "its installer downloads the program from elsewhere", "cursor": "its installer downloads the program from elsewhere",
    "goose": "its installer downloads the program from elsewhere", "aider": "it comes from Python's package index",
}


def has_program(directory, agent):
    """The pinned version is there, with its program."""
    name, version = agent.package.rsplit("@", 1)
    try:
        with open(os.path.join(directory, "node_modules", name, "package.json")) as file:
            there = json.load(file)["version"] == version
    except OSError:
        return False
    return there and os.path.exists(os.path.join(directory, "node_modules", ".bin", agent.name))


def install(directory, wanted):
    """The agents from npm, once a machine: the directory of their programs, and for each that is missing, why."""
    programs = os.path.join(directory, "node_modules", ".bin")
    if not shutil.which("node"):
        raise Skip("node is not installed")
    os.makedirs(directory, exist_ok=True)
    lacking = lambda: [agent for agent in wanted if not has_program(directory, agent)]
    missing = {}
    with contextlib.ExitStack() as stack:
        if lacking():
            lock = stack.enter_context(open(os.path.join(directory, ".lock"), "w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        for agent in lacking():
            if not shutil.which("npm"):
                raise Skip("npm is not installed")
            done = subprocess.run(["npm", "install", "--prefix", directory, "--no-audit", "--no-fund", "--save-exact",
                                   agent.package], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=INSTALL_TIMEOUT_S)
            link = os.path.join(programs, agent.name)
            if agent.program and os.path.exists(os.path.join(directory, "node_modules", agent.program)):
                with contextlib.suppress(FileExistsError):
                    os.symlink(os.path.join("..", agent.program), link)
            if not has_program(directory, agent):
                missing[agent.name] = "npm cannot install it: " + done.stdout.strip()[-400:]
    return programs, missing


# --- Identity, home, project ----------------------------------------------------------------------------------------


class Identity:
    """Who runs it. Commands get a small environment of their own."""

    def __init__(self, label, uid, gid, name, path):
        self.label, self.uid, self.gid, self.name, self.path = label, uid, gid, name, path
        self.switch = {} if uid == os.getuid() else {"user": uid, "group": gid, "extra_groups": []}

    def run(self, argv, home, cwd, more=None, timeout=RUN_TIMEOUT_S):
        environment = {"PATH": self.path, "HOME": home, "USER": self.name, "LOGNAME": self.name, "SHELL": "/bin/sh",
                       "TERM": "dumb", "LANG": "C.UTF-8", **(more or {})}
        child = subprocess.Popen(argv, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
                                 **self.switch)
        try:
            out, err = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            err += "\n(no end within %d s: killed)" % timeout
        return subprocess.CompletedProcess(argv, child.returncode, out, err)


@contextlib.contextmanager
def identity_and_base(label, path):
    """A base directory owned by whoever runs the test in it; for root's ordinary leg also a user."""
    base = tempfile.mkdtemp(prefix="paddock-e2e-", dir="/var/tmp")
    home = os.path.join(base, "home")
    os.mkdir(home, 0o700)
    user = None
    try:
        if label == "ordinary" and os.getuid() == 0:
            user = "pdk" + secrets.token_hex(4)
            subprocess.run(["useradd", "--no-create-home", "--home-dir", home, "--shell", "/bin/sh", user], check=True)
            entry = pwd.getpwnam(user)
            os.chmod(base, 0o755)
            os.chown(home, entry.pw_uid, entry.pw_gid)
        elif label == "unnamed":
            os.chmod(base, 0o755)
            os.chown(home, UID_WITHOUT_ENTRY, UID_WITHOUT_ENTRY)
            yield Identity(label, UID_WITHOUT_ENTRY, UID_WITHOUT_ENTRY, "unnamed", path), base, home
            return
        else:
            entry = pwd.getpwuid(os.getuid())
        yield Identity(label, entry.pw_uid, entry.pw_gid, entry.pw_name, path), base, home
    finally:
        remove_when_unused(user, base)


def remove_when_unused(user, base, patience_s=10):
    """What was started may need a moment to end."""
    end = time.monotonic() + patience_s
    while True:
        shutil.rmtree(base, ignore_errors=True)
        gone = not user or subprocess.run(["userdel", user], check=False, stdout=subprocess.DEVNULL,
                                          stderr=subprocess.DEVNULL).returncode == 0
        user = None if gone else user
        if (gone and not os.path.exists(base)) or time.monotonic() > end:
            return
        time.sleep(0.2)


SETUP = r"""
set -e
git config --global user.name 'A Person'
git config --global user.email person@example.invalid
git config --global init.defaultBranch main
mkdir -m 700 .ssh
printf '%s\n' "$KEY_CANARY" > .ssh/id_ed25519
chmod 600 .ssh/id_ed25519
mkdir other project
printf '%s\n' "$OTHER_CANARY" > other/notes.txt
cd project
git init -q .
printf 'echo 2\n' > sum.sh
printf 'test "$(sh sum.sh)" = 4 && echo TESTS-PASSED\n' > test.sh
git add -A
git commit -q -m 'Start'
"""


@contextlib.contextmanager
def model(turns, base, name):
    """A scripted model; yields its port and a function that reads its log."""
    script, log = os.path.join(base, name + ".json"), os.path.join(base, name + ".log")
    with open(script, "w") as file:
        json.dump(turns, file)
    server = subprocess.Popen([sys.executable, os.path.join(HERE, "model_server.py"), script, "--log", log],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def requests():
        if not os.path.exists(log):
            return []
        with open(log) as file:
            return [record for record in map(json.loads, file) if record["kind"] == "main"]

    try:
        yield int(server.stdout.readline()), requests
    finally:
        server.stdin.close()
        server.wait(timeout=10)
        server.stdout.close()


def shell(command):
    return {"tool": "shell", "command": command}


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


class Report:
    def __init__(self, label):
        self.label, self.failures = label, 0

    def check(self, holds, what, detail=""):
        print("%s %s: %s" % ("ok  " if holds else "FAIL", self.label, what), flush=True)
        if not holds:
            self.failures += 1
            for line in str(detail).strip()[-3000:].splitlines():
                print("     | %s" % line, flush=True)


def text_or_none(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return None


def last_results(requests):
    return [entry["text"] for entry in requests()[-1]["results"]] if requests() else []


# --- The program ----------------------------------------------------------------------------------------------------


def usable_by(identity, home, programs):
    for program in programs:
        if identity.run([program, "--version"], home, home).returncode != 0:
            return "%s cannot execute %s" % (identity.name, program)
    return None


def default_agents_directory():
    """Where an ordinary user of the machine can execute them too, when root tests as one."""
    if os.getuid() == 0:
        return "/var/cache/paddock-agents"
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "paddock-agents")


def each(options, paddock, body, default):
    """body(agent, identity, base, home, paddock, report) for every agent and identity that is wanted; the exit status."""
    names = options.agent or default
    programs, missing = install(os.path.abspath(options.agents), [AGENTS[name] for name in names])
    if paddock and not os.access(paddock, os.X_OK):
        raise Skip("there is no program at --paddock")
    wanted = IDENTITIES.get(options.identity, (options.identity,))
    labels = [label for label in wanted if os.getuid() == 0 or label == "ordinary"]
    path = os.pathsep.join([programs, os.path.dirname(shutil.which("node")), "/usr/local/bin", "/usr/bin", "/bin"])

    failures, ran = 0, 0
    skipped = ["%s: %s" % lack for lack in missing.items()]
    if not labels:
        skipped.append("only root can test as %s" % options.identity)
    for label in labels:
        for name in (name for name in names if name not in missing):
            started = time.monotonic()
            with identity_and_base(label, path) as (identity, base, home):
                reason = usable_by(identity, home, ["node"] + ([paddock] if paddock else []))
                if reason:
                    skipped.append("%s/%s: %s" % (name, label, reason))
                    continue
                report = Report("%s/%s" % (name, label))
                body(AGENTS[name], identity, base, home, paddock, report)
                failures += report.failures
                ran += 1
                print("     %s took %.1f s" % (report.label, time.monotonic() - started), flush=True)
    for reason in skipped:
        print("skip %s" % reason)
    if failures:
        return 1
    return 0 if ran else SKIPPED


