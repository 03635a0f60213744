#!/usr/bin/env python3
"""./paddock install and uninstall: where things go, over a running program, from a checkout with a space in its path.

    install_test.py --paddock PROGRAM [--identity root|ordinary]... [WORD]...

The trees that cmake would install are made once; a stand-in for cmake and ninja then gives them to the scripts.
"""

import os
import shutil
import stat
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))

import product  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
COMPONENTS = ("program", "local")

CMAKE = r"""#!/bin/sh
# cmake --install DIRECTORY --prefix PREFIX --component COMPONENT --strip
[ "$1" = --install ] || exit 0
mkdir -p "$4" && cp -R "$STAGED/$6/." "$4/"
"""


def staged(paddock, place):
    """What cmake installs, a directory for each component; None when the release tree cannot say."""
    tree = os.path.dirname(os.path.dirname(paddock))
    if not os.path.exists(os.path.join(tree, "documents/written")):
        return None
    for component in COMPONENTS:
        subprocess.run(["cmake", "--install", tree, "--prefix", os.path.join(place, component), "--component", component, "--strip"],
                       stdout=subprocess.DEVNULL, check=True, timeout=300)
    return place


class Checkout:
    """The scripts in a directory with a space in its name, and programs that stand in for the build."""

    def __init__(self, runner, trees):
        self.runner = runner
        self.root = os.path.join(runner.who.base, "a check out")
        self.programs = os.path.join(runner.who.base, "stand-ins")
        os.makedirs(os.path.join(self.root, "build/release"))
        os.mkdir(self.programs)
        shutil.copy(os.path.join(ROOT, "paddock"), self.root)
        shutil.copytree(os.path.join(ROOT, "scripts"), os.path.join(self.root, "scripts"))
        for name in ("build.ninja", "CMakeCache.txt"):
            open(os.path.join(self.root, "build/release", name), "w").close()
        self.write("cmake", CMAKE)
        for name in ("ninja", "apt-cache", "sudo"):
            self.write(name, "#!/bin/sh\nexit 0\n")
        # Nothing is missing, whatever this machine has.
        self.write("dpkg-query", "#!/bin/sh\nprintf installed\n")
        runner.who.own(self.root)
        self.environment = {"STAGED": trees, "PATH": self.programs + ":" + product.PATH}

    def write(self, name, text):
        path = os.path.join(self.programs, name)
        with open(path, "w") as out:
            out.write(text)
        os.chmod(path, 0o755)

    def run(self, *words, alone=False, cwd=None):
        """`alone`: with an empty /usr/local of its own, gone at the end; then `sh -c` in it too, as the last word."""
        argv = [os.path.join(self.root, "paddock"), *words]
        if alone:
            argv = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
                    "mount -t tmpfs none /usr/local; \"$0\" install && eval \"$1\"", argv[0], words[-1]]
        return self.runner.execute(argv, env=self.environment, cwd=cwd)


def files_below(place):
    found = {}
    for directory, _, names in os.walk(place):
        for name in names:
            path = os.path.join(directory, name)
            found[os.path.relpath(path, place)] = os.lstat(path)
    return found


WANTED = ["bin/paddock", "lib/paddock/paddock-warden", "share/bash-completion/completions/paddock", "share/fish/vendor_completions.d/paddock.fish",
          "share/zsh/site-functions/_paddock", "share/man/man1/paddock.1", "share/man/man1/paddock-run.1", "share/doc/paddock/README.md",
          "share/doc/paddock/docs/profiles.md", "share/doc/paddock/LICENSE", "share/doc/paddock/NOTICE", "share/doc/paddock/SHIPPED",
          "share/doc/paddock/notices/glibc.txt"]


def project(runner):
    path = os.path.join(runner.home, "project")
    os.makedirs(path, exist_ok=True)
    runner.who.own(path)
    return path


def check_installed(runner, prefix, report, name):
    found = files_below(prefix)
    report.check(not set(WANTED) - set(found), name + "/files", sorted(set(WANTED) - set(found)))
    report.check(not [path for path in found if path.endswith(".paddock-new")], name + "/no_leftovers", sorted(found))
    for path, status in found.items():
        if path.startswith("state/"):  # the program's own, once it has run
            continue
        mode = 0o755 if path.startswith(("bin/", "lib/paddock/")) and path != "lib/paddock/installed-files" else 0o644
        if stat.S_IMODE(status.st_mode) != mode or not stat.S_ISREG(status.st_mode):
            report.check(False, name + "/mode", "%s %o" % (path, status.st_mode))
    program = os.path.join(prefix, "bin/paddock")
    report.check(runner.execute([program, "version"]).code == 0, name + "/version")
    done = runner.execute([program, "run", "--", "sh", "-c", "echo hello from $(pwd)"], cwd=project(runner))
    report.equal((done.code, done.text), (0, "hello from %s\n" % project(runner)), name + "/run", done)


def check_found(runner, prefix, report, name):
    """What the installation's files are for, found by the programs that look for them."""
    path = {"PATH": os.path.join(prefix, "bin") + ":" + product.PATH, "XDG_DATA_HOME": os.path.join(prefix, "share"), "MANPATH": None}
    if shutil.which("man"):
        done = runner.execute(["man", "-w", "paddock-run"], env=path)
        report.check(done.text.strip() == os.path.join(prefix, "share/man/man1/paddock-run.1"), name + "/man", done)
    else:
        report.skip(name + "/man", "man is not installed")
    if shutil.which("fish"):
        done = runner.execute(["fish", "-c", "complete -C 'paddock run --ne'"], env=path)
        report.check("--net" in done.text, name + "/fish", done)
    else:
        report.skip(name + "/fish", "fish is not installed")
    if os.path.exists("/usr/share/bash-completion/bash_completion"):
        script = "source /usr/share/bash-completion/bash_completion; _completion_loader paddock; complete -p paddock"
        done = runner.execute(["bash", "--norc", "-c", script], env=path)
        report.check("-F _paddock paddock" in done.text, name + "/bash", done)
    else:
        report.skip(name + "/bash", "bash-completion is not installed")


def check_first(checkout, prefix, report):
    done = checkout.run("install", "--prefix", prefix)
    report.check(done.code == 0 and not done.text, "install.code", done)
    report.check(prefix + "/bin is not on your PATH" in done.words, "install.path_hint", done)
    report.check("./paddock uninstall" in done.words, "install.uninstall_hint", done)
    check_installed(checkout.runner, prefix, report, "install")


def check_over_running(checkout, prefix, report):
    runner = checkout.runner
    program = os.path.join(prefix, "bin/paddock")
    before = os.stat(program).st_ino
    mark = os.path.join(project(runner), "goes-on")
    running = runner.start([program, "run", "--", "sh", "-c", "echo up > up; while [ ! -e goes-on ]; do sleep 0.05; done; exit 7"], cwd=project(runner))
    until = time.monotonic() + 60
    while not os.path.exists(os.path.join(project(runner), "up")) and time.monotonic() < until:
        time.sleep(0.02)
    stale = os.path.join(prefix, "share/doc/paddock/stale/old.md")
    os.makedirs(os.path.dirname(stale))
    kept = os.path.join(os.path.dirname(prefix), "kept")
    for path in (stale, kept):
        open(path, "w").close()
    with open(os.path.join(prefix, "lib/paddock/installed-files"), "a") as out:
        out.write("share/doc/paddock/stale/old.md\n../kept\nshare/../../kept\n%s\n" % kept)
    runner.who.own(os.path.dirname(prefix))
    done = checkout.run("install", "--prefix=" + prefix)
    report.check(done.code == 0, "again.code", done)
    report.check(os.stat(program).st_ino != before, "again.renamed_over")
    report.check(not os.path.exists(os.path.dirname(stale)), "again.stale_is_removed")
    report.check(os.path.exists(kept), "again.nothing_outside_is_removed")
    open(mark, "w").close()
    report.equal(running.wait(timeout=60), 7, "again.the_running_one_goes_on")
    check_installed(runner, prefix, report, "again")


def check_uninstall(checkout, prefix, report):
    own = os.path.join(prefix, "share/doc/paddock/mine.txt")
    open(own, "w").close()
    checkout.runner.who.own(prefix)
    done = checkout.run("uninstall", "--prefix", prefix)
    report.check(done.code == 0, "uninstall.code", done)
    report.equal(sorted(files_below(prefix)), ["share/doc/paddock/mine.txt"], "uninstall.files")
    report.check(not os.path.exists(os.path.join(prefix, "lib/paddock")), "uninstall.directory")
    done = checkout.run("uninstall", "--prefix", prefix)
    report.check(done.code == 1 and "nothing of Paddock is installed" in done.words, "uninstall.again", done)


def check_usage(checkout, report):
    for words in (["install", "--prefix"], ["install", "--perfix=/x"], ["uninstall", "extra"], ["package", "riscv"], ["install", "--prefix="]):
        done = checkout.run(*words)
        report.check(done.code == 2 and "usage:" in done.words, "usage/" + " ".join(words), done)


def check_own_places(checkout, report):
    """Without --prefix: /usr/local for root, ~/.local for everybody else."""
    if checkout.runner.who.is_root:
        done = checkout.run("cd %s; find /usr/local -name paddock -type f; PATH=/usr/local/bin:$PATH paddock run -- echo hello" % project(checkout.runner), alone=True)
        report.check(done.code == 0 and "/usr/local/bin/paddock\n" in done.text and done.text.endswith("hello\n"), "places.root", done)
        report.check("not on your PATH" not in done.words, "places.root_hint", done)
    else:
        done = checkout.run("install")
        report.check(done.code == 0, "places.ordinary", done)
        check_installed(checkout.runner, os.path.join(checkout.runner.home, ".local"), report, "places.ordinary")
        done = checkout.run("uninstall")
        report.equal((done.code, sorted(files_below(os.path.join(checkout.runner.home, ".local/bin")))), (0, []), "places.uninstall", done)
    relative = checkout.run("install", "--prefix", "relative", cwd=checkout.runner.home)
    prefix = os.path.join(checkout.runner.home, "relative")
    if report.check(os.path.exists(os.path.join(prefix, "bin/paddock")), "places.relative", relative):
        # (bash-completion 2.11 does not look below a directory with a space in its name.)
        check_found(checkout.runner, prefix, report, "found")


def body(runner, report):
    trees = staged(OPTIONS.paddock, os.path.join(runner.who.base, "staged"))
    if trees is None:
        return report.skip("install", "what is installed has not been built (ninja -C build/release installation)")
    checkout = Checkout(runner, trees)
    prefix = os.path.join(runner.who.base, "home/a place/of mine")
    check_first(checkout, prefix, report)
    check_over_running(checkout, prefix, report)
    check_uninstall(checkout, prefix, report)
    check_usage(checkout, report)
    check_own_places(checkout, report)


if __name__ == "__main__":
    OPTIONS = product.arguments(__doc__).parse_args()
    OPTIONS.paddock = os.path.abspath(OPTIONS.paddock)
    product.for_each_identity(OPTIONS, body, wanted=["root", "ordinary"])
