#!/usr/bin/env python3
"""What is masked, hidden or not granted, by mounts, links, handles, aliases and the disk itself."""

import os
import sys

sys.dont_write_bytecode = True

import escape  # noqa: E402
import host as fixture  # noqa: E402
import machine  # noqa: E402


def prepare(host, runner):
    """Masked things in the project, each with another way to it."""
    project = host.project
    for name in ("masked/key", "masked/deep/key", "one.pem", "sub/two.pem", "outer/inner/key", "plain.key"):
        path = os.path.join(project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(host.canary + "\n")
    os.symlink("masked", os.path.join(project, "link-to-masked"))
    os.symlink("one.pem", os.path.join(project, "link-to-one"))
    os.symlink(host.secrets[0], os.path.join(project, "link-to-home"))
    os.makedirs(os.path.join(project, "scratch"), exist_ok=True)
    runner.who.own(project)


def body(runner, report):
    with fixture.host(runner) as host:
        prepare(host, runner)
        project = host.project
        words = ["canary=" + host.canary, "scratch=" + os.path.join(project, "scratch")]
        words += ["masked=" + os.path.join(project, name) for name in ("masked", "one.pem", "sub/two.pem", "outer/inner")]
        words += ["hidden=" + path for path in (host.secrets[0], host.other, host.others_file)]
        words += ["alias=" + os.path.join(project, name) for name in ("link-to-masked", "link-to-one", "link-to-home", "masked/../masked/key")]
        # The same directory once more, by another path: what is masked in one is masked in the other.
        alias = os.path.join(runner.who.base, "alias")
        os.symlink(project, alias)
        words += ["alias=" + os.path.join(alias, name) for name in ("masked", "one.pem")]
        handles = [machine.file_handle(path) for path in (host.secrets[0], os.path.join(project, "masked/key"), "/etc/shadow")]
        words += ["handle=" + handle for handle in handles if handle]
        masks = ["--mask", "masked", "--mask", "**/*.pem", "--mask", "outer/inner", "--mask", "plain.key"]
        for profile in escape.PROFILES:
            for access in ("--ro", "--rw"):
                with escape.Unchanged(report, "%s maskback %s %s" % (runner.who.label, profile, access), [project], ["scratch"]):
                    escape.run(runner, report, "maskback", *words, options=["--profile", profile, access, alias, *masks], cwd=project)
        # Everything is in view there: what is to be hidden is masked, by every kind of path.
        whole = ["--profile", escape.write_host_world(runner, host.home), "--mask", host.secrets[0], "--mask", host.other, "--mask", host.others_file]
        for access in ("rw", "ro"):
            scratch = ["scratch=" + os.path.join(project, "scratch")] if access == "rw" else ["scratch=/tmp"]
            with escape.Unchanged(report, "%s maskback whole %s" % (runner.who.label, access), [project], ["scratch"]):
                escape.run(runner, report, "maskback", *[word for word in words if not word.startswith("scratch=")], *scratch, options=[*whole, "--fs", access, *masks], cwd=project)
        # A masked file with another name: hidden too, refused, or said.
        os.link(os.path.join(project, "plain.key"), os.path.join(project, "other-name"))
        done = runner.sh("cat other-name", *masks, cwd=project)
        said = "plain.key" in done.words and "hard" in done.words
        report.check(host.canary not in done.text or said, "%s maskback: a hard link of a masked file is hidden or said" % runner.who.label,
                     done)
        # Two grants of one directory: the mask of one holds in the other.
        for place in (os.path.join(project, "masked"), os.path.join(project, "sub")):
            second = os.path.join(runner.who.base, "second-" + os.path.basename(place))
            os.symlink(place, second)
            done = runner.sh("cat %s/* %s/*" % (second, place), "--ro", second, "--mask", place, cwd=project)
            report.check(host.canary not in done.text, "%s maskback: a grant by another name does not uncover: %s" % (runner.who.label, os.path.basename(place)), done)
        escape.nothing_left(runner, report, "maskback", {host.bystander})


if __name__ == "__main__":
    escape.main(__doc__, body)
