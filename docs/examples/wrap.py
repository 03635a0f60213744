#!/usr/bin/env python3
"""A harness's seam to `paddock wrap`, and a small program around it: runs one command confined and says how it ended.

  wrap.py [--mode read-only|workspace-write|unrestricted] [--network all|none|local] [--mask PATH]... COMMAND [ARGS...]
"""

import argparse
import json
import os
import subprocess
import sys

PADDOCK = os.environ.get("PADDOCK", "paddock")


class Refused(Exception):
    """Nothing may run: `kind` is invalid, unsupported, forbidden or failed."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.kind, self.error = error["kind"], error

    def __str__(self):
        reasons = ["%s: %s" % (backend["name"], reason["why"]) for backend in self.error["backends"] for reason in backend["reasons"]]
        return "\n  ".join([self.error["message"], *reasons, *self.error["breaches"]])


def wrap(command, *, cwd, workspace_root, mode="workspace-write", network="none", **more):
    """The reply: start reply["argv"] wherever the command would have been started. Raises Refused; there is no other way out."""
    request = {"command": command, "cwd": cwd, "workspace_root": workspace_root, "mode": mode, "network": network, **more}
    done = subprocess.run([PADDOCK, "wrap"], input=json.dumps(request), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        reply = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError("%s wrap: exit %d: %s" % (PADDOCK, done.returncode, done.stderr.strip())) from None
    if reply["error"] is not None:
        raise Refused(reply["error"])
    return reply


def did_not_run(reply, code, stderr):
    """paddock failed, and the command never ran. The exit code alone does not prove that: a command may exit 125 too."""
    failure = reply["runner_failure"]
    return code in failure["exit_codes"] and any(line.startswith(failure["stderr_line_begins_with"]) for line in stderr.splitlines())


def denials(reply, stderr):
    """What the output says of actions that were refused. A hint for the user, never a proof: the command writes it."""
    return [signature for signature in reply["denial_signatures"] if signature["text"] in stderr]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mode", default="workspace-write")
    parser.add_argument("--network", default="none")
    parser.add_argument("--mask", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    here = os.getcwd()
    try:
        reply = wrap(options.command, cwd=here, workspace_root=here, mode=options.mode, network=options.network,
                     mask_paths=[os.path.abspath(path) for path in options.mask])
    except Refused as refused:
        print("refused (%s): %s" % (refused.kind, refused), file=sys.stderr)
        return 3
    done = subprocess.run(reply["argv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    if did_not_run(reply, done.returncode, done.stderr):
        print("did not run", file=sys.stderr)
        return 4
    for denial in denials(reply, done.stderr) if done.returncode else []:
        print("denied: %s (%s)" % (denial["of"], denial["errno"]), file=sys.stderr)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


if __name__ == "__main__":
    sys.exit(main())
