"""A harness around the product: asks `paddock wrap`, holds every answer to the published schema, and starts what it gives."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

import product  # noqa: E402
import report as reporting  # noqa: E402

try:
    import jsonschema
except ImportError:
    reporting.skip_suite("no jsonschema module for %s (Debian package python3-jsonschema)" % sys.executable)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
with open(os.path.join(ROOT, "docs/wrap.schema.json")) as _file:
    SCHEMA = json.load(_file)
# Nothing that a start could lean on.
NOTHING = {"PATH": None, "HOME": None, "TERM": None, "LANG": None, "SHELL": None, "USER": None, "LOGNAME": None}


def conforms(value, part):
    """What is wrong with it by the schema; empty when nothing is."""
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/" + part, "$defs": SCHEMA["$defs"]})
    return "\n".join(error.message[:400] for error in validator.iter_errors(value))


class Harness:
    def __init__(self, runner, report):
        self.runner, self.report, self.label = runner, report, runner.who.label
        self.work = os.path.join(runner.home, "work/project")
        self.scratch = os.path.join(runner.home, "scratch")
        for place in (self.work, self.scratch):
            os.makedirs(place, exist_ok=True)
        runner.who.own(runner.home)
        self.state = os.path.join(runner.home, ".local/state/paddock/wrap")

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.work, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        self.runner.who.own(self.runner.home)
        return path

    def request(self, *command, **more):
        return {"command": list(command), "cwd": self.work, "workspace_root": self.work, "mode": "workspace-write", "network": "none", **more}

    def ask(self, request, env=None, options=()):
        """(what ran, the reply or None)."""
        text = request if isinstance(request, bytes) else json.dumps(request).encode()
        done = self.runner.execute([self.runner.paddock, "wrap", *options], input=text, env=env)
        try:
            reply = json.loads(done.out)
        except ValueError:
            reply = None
        if reply is not None:
            wrong = conforms(reply, "reply")
            self.report.check(not wrong, "%s: the reply is as the schema says" % self.label, "%s\n%s" % (wrong, done))
        return done, reply

    def wrap(self, *command, **more):
        """The reply to a request that must succeed; None and a failed check otherwise."""
        done, reply = self.ask(self.request(*command, **more))
        good = done.code == 0 and reply is not None and reply["error"] is None
        self.report.check(good, "%s: wrapped: %s" % (self.label, " ".join(command)[:60]), done)
        self.report.equal(done.err, b"", "%s: nothing on stderr" % self.label)
        return reply if good else None

    def start(self, reply, cwd="/", env=NOTHING, **how):
        return self.runner.execute(reply["argv"], cwd=cwd, env=env, **how)

    def run(self, *command, **more):
        """Wrapped and started with nothing to lean on."""
        how = {name: more.pop(name) for name in ("input", "timeout") if name in more}
        reply = self.wrap(*command, **more)
        return self.start(reply, **how) if reply else product.Finished(command, -1, b"", b"not wrapped", 0)

    def sh(self, script, **more):
        return self.run("sh", "-c", script, **more)

    def check(self, holds, name, detail=""):
        return self.report.check(holds, "%s: %s" % (self.label, name), detail)

    def equal(self, found, wanted, name, detail=""):
        return self.report.equal(found, wanted, "%s: %s" % (self.label, name), detail)


def did_not_run(reply, done):
    failure = reply["runner_failure"]
    return done.code in failure["exit_codes"] and any(line.startswith(failure["stderr_line_begins_with"]) for line in done.words.splitlines())


def main(description, tests):
    def body(runner, report):
        for test in tests:
            if report.wants(test.__name__):
                test(Harness(runner, report))
    product.for_each_identity(product.arguments(description).parse_args(), body)
