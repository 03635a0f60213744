#!/usr/bin/env python3
"""`paddock doctor` on machines that are broken in one way each: the right check is named, with cause and fix, and the rest is shown.

    doctor_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import json
import os
import shutil
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../conformance"))

import cases  # noqa: E402
import machine  # noqa: E402
from refusals_test import in_container, in_namespace, lame  # noqa: E402

KEYS = {"id", "group", "status", "required", "summary", "cause", "fix", "details", "facts", "doc"}


def ask(runner, place, *words, how=None, **more):
    """The answer as JSON and how it ended."""
    argv = [runner.paddock, "doctor", "--json", *words]
    done = how(argv) if how else runner.execute(argv, cwd=more.pop("cwd", place.work), **more)
    try:
        answer = json.loads(done.text)
    except ValueError:
        place.check(False, "doctor --json gives one object", done)
        return done, {}, {}
    return done, answer, {check["id"]: check for check in answer["checks"]}


def faults(checks):
    return {name: check["status"] for name, check in checks.items() if check["status"] in ("warn", "fail")}


def D01_a_machine_that_works(runner, place):
    runner.repository(place.work)
    done, answer, checks = ask(runner, place)
    place.check(done.code == 0 and answer.get("fit") is True, "it is fit", done)
    place.equal(answer.get("schema"), "paddock.doctor/1", "the schema is named")
    for name, check in checks.items():
        place.equal(set(check), KEYS, "every key is there: " + name)
        place.check(check["status"] in ("ok", "skip") or check["cause"], "a fault has a cause: " + name, check)
    place.equal(answer["counts"], {status: sum(1 for check in checks.values() if check["status"] == status) for status in ("ok", "warn", "fail", "skip")}, "the counts are right")
    for name in ("backend.default", "backend.bubblewrap", "git.program", "storage.state", "install.warden", "userns.allowed", "kernel.version"):
        place.equal(checks.get(name, {}).get("status"), "ok" if name != "backend.bubblewrap" or machine.landlock_abi() >= 6 else "warn", name, checks.get(name))
    place.check("facts" in checks["backend.bubblewrap"] and checks["backend.bubblewrap"]["facts"]["version"], "the backend's version is known", checks["backend.bubblewrap"])
    words = runner.execute([runner.paddock, "doctor"], cwd=place.work)
    place.check(words.code == 0 and "\x1b" not in words.text and "Ready" in words.text and not words.err, "in words, without colour on a pipe", words)
    place.equal(runner.execute([runner.paddock, "doctor", "more"], cwd=place.work).code, 2, "a word too many is a usage error")
    closed = runner.execute(["sh", "-c", '"$0" doctor --json 2>&-', runner.paddock], cwd=place.work)
    place.check(closed.code == 0 and json.loads(closed.text), "with stderr closed", closed)


def D02_namespaces_denied(runner, place):
    if runner.who.is_root:
        return place.skip("for ordinary users")
    for setting, check, code in (("user.max_user_namespaces", "userns.allowed", 1), ("user.max_net_namespaces", "userns.kinds", 0), ("user.max_pid_namespaces", "userns.kinds", 1)):
        done, answer, checks = ask(runner, place, how=lambda argv: in_namespace(runner, place, [setting + "=0"], argv))
        place.equal(done.code, code, setting + ": the exit code", done)
        found = checks.get(check, {})
        place.check(found.get("status") == ("fail" if code else "warn") and setting in found["cause"] and setting in found["fix"], setting + ": the step and the setting are named", found)
        backend = checks.get("backend.bubblewrap", {})
        place.check(backend.get("status") == ("fail" if code else "warn") and setting in backend["cause"], setting + ": the backend is marked", backend)
        place.equal(checks.get("git.program", {}).get("status"), "ok", setting + ": the rest is shown")


def D03_no_new_proc(runner, place):
    if runner.who.is_root:
        return place.skip("for ordinary users")
    done, answer, checks = ask(runner, place, how=lambda argv: in_container(runner, place, argv))
    place.equal(done.code, 1, "not fit", done)
    found = checks.get("userns.proc", {})
    place.check(found.get("status") == "fail" and "/proc/cmdline" in found["cause"], "the cause is named", found)
    place.check("--without processes_hidden" in found["fix"], "and both ways out", found)


def D04_backends(runner, place):
    for mode, word in (("hang", "gave no answer"), ("old", "too old"), ("refuse-seccomp", "system call filter"), ("skip-unshare-pid", "pid namespace")):
        with lame(runner, place, mode):
            begun = time.monotonic()
            done, answer, checks = ask(runner, place)
            place.equal(done.code, 1, mode + ": not fit", done)
            found = checks.get("backend.bubblewrap", {})
            place.check(found.get("status") == "fail" and word in found["cause"], mode + ": the cause is named", found)
            place.check("storage.state" in checks and "git.program" in checks, mode + ": the rest is shown", done)
            place.check(checks.get("backend.default", {}).get("cause", "").find(word) >= 0, mode + ": the default names it", checks.get("backend.default"))
    program = os.path.join(runner.programs, "bwrap")
    shutil.copy("/usr/bin/bwrap", program)
    os.chmod(program, 0o4755)
    place.write(os.path.join(place.home, ".config/paddock/config.toml"), '[backends.bubblewrap]\nprogram = "%s"\n' % program)
    done, answer, checks = ask(runner, place)
    place.check(done.code == 1 and "setuid" in checks["backend.bubblewrap"]["cause"], "a setuid one is declined", checks.get("backend.bubblewrap"))
    os.unlink(program)
    done, answer, checks = ask(runner, place)
    place.check(done.code == 1 and checks["backend.bubblewrap"]["status"] == "fail", "one that is not there is told", checks.get("backend.bubblewrap"))
    os.unlink(os.path.join(place.home, ".config/paddock/config.toml"))
    done, answer, checks = ask(runner, place, env={"PATH": runner.programs})
    place.check("is not installed" in checks["backend.bubblewrap"]["cause"] and "install bubblewrap" in checks["backend.bubblewrap"]["fix"], "without one the package is named", checks.get("backend.bubblewrap"))
    place.check(done.code == 1 and checks["git.program"]["status"] == "fail" and "git" in checks["git.program"]["fix"], "and git's", checks.get("git.program"))


def D05_the_cache(runner, place):
    with lame(runner, place, "hang", later=True) as from_now_on:
        place.equal(ask(runner, place)[0].code, 0, "it works and is kept")
        from_now_on()
        place.equal(ask(runner, place)[0].code, 0, "what is kept is used")
        done, answer, checks = ask(runner, place, "--recheck")
        place.check(done.code == 1 and checks["backend.bubblewrap"]["status"] == "fail", "--recheck asks again", checks.get("backend.bubblewrap"))
        place.equal(ask(runner, place)[0].code, 1, "and what it found is not forgotten for a good answer")


def D06_storage(runner, place):
    file = place.write("not-a-directory", "x")
    done, answer, checks = ask(runner, place, env={"XDG_STATE_HOME": file})
    place.check(done.code == 1 and checks["storage.state"]["status"] == "fail", "a file in its place", checks.get("storage.state"))
    closed = os.path.join(place.work, "closed")
    os.mkdir(closed)
    place.own()
    os.chmod(closed, 0o500)
    done, answer, checks = ask(runner, place, env={"XDG_STATE_HOME": closed, "XDG_CACHE_HOME": closed})
    if runner.who.is_root:
        place.skip("root writes everywhere")
    else:
        place.check(done.code == 1 and checks["storage.state"]["status"] == "fail" and checks["storage.cache"]["status"] == "fail", "one that cannot be written", checks.get("storage.state"))
    os.chmod(closed, 0o700)
    done, answer, checks = ask(runner, place, env={"XDG_CACHE_HOME": "/proc/1/nothing"})
    place.check(done.code == 0 and checks["storage.cache"]["status"] == "fail", "only the state directory is required", checks.get("storage.cache"))
    place.equal([name for name in os.listdir(closed) if name.startswith(".paddock-doctor")], [], "nothing is left of the attempt to write")


def D07_git(runner, place):
    runner.repository(place.work)
    _, _, checks = ask(runner, place)
    place.check(checks["git.repository"]["status"] == "ok" and place.work in checks["git.repository"]["summary"], "the repository is found", checks["git.repository"])
    place.check("A Person" in checks["git.identity"]["summary"], "its own identity counts", checks["git.identity"])
    place.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
    _, _, checks = ask(runner, place)
    place.equal(checks["git.lfs"]["status"], "warn", "large files are told of", checks["git.lfs"])
    elsewhere = os.path.join(place.work, "copied")
    os.mkdir(elsewhere)
    place.write("copied/.git", "gitdir: /nowhere/at/all\n")
    _, _, checks = ask(runner, place, cwd=elsewhere)
    place.check(checks["git.repository"]["status"] in ("warn", "ok"), "a broken pointer does not stop it", checks["git.repository"])
    fake = place.write(os.path.join(place.home, "fake/git"), "#!/bin/sh\nprintf 'git version \\033]0;owned\\007 9\\n'\n", 0o755)
    done = runner.execute([runner.paddock, "doctor"], cwd=place.work, env={"PATH": os.path.dirname(fake) + ":/usr/bin:/bin"})
    place.check("\x1b" not in done.text and "\x07" not in done.text, "what programs say is never obeyed by the terminal", done)
    own = place.write("own/git", "#!/bin/sh\ntouch %s/RAN\n" % place.work, 0o755)
    done, answer, checks = ask(runner, place, env={"PATH": os.path.dirname(own) + ":own:/usr/bin:/bin"})
    place.check(checks["git.program"]["status"] == "fail" and not os.path.exists(os.path.join(place.work, "RAN")), "one of the project itself is not run", checks["git.program"])
    slow = place.write(os.path.join(place.home, "slow/git"), "#!/bin/sh\nsleep 1000 & sleep 1000\n", 0o755)
    done, answer, checks = ask(runner, place, env={"PATH": os.path.dirname(slow) + ":/usr/bin:/bin"})
    place.check(done.code == 1 and "no answer" in checks["git.program"]["cause"], "one that hangs is left", checks["git.program"])


def D08_environment(runner, place):
    secret = "s3cr3t-" + os.urandom(4).hex()
    certificate = place.write(os.path.join(place.home, "company.pem"), "x")
    env = {"HTTPS_PROXY": "http://user:%s@proxy.invalid:3128" % secret, "NODE_EXTRA_CA_CERTS": certificate, "ANTHROPIC_API_KEY": secret, "SSL_CERT_FILE": "/gone/%s.pem" % "file"}
    done, answer, checks = ask(runner, place, env=env)
    place.check(secret not in done.text and secret not in done.words, "no secret is shown", done)
    place.check("HTTPS_PROXY" in checks["network.proxy"]["fix"], "a proxy is named", checks["network.proxy"])
    found = checks["network.certificates"]
    place.check(found["status"] == "warn" and any("NODE_EXTRA_CA_CERTS" in text for text in (found["cause"], *(d["why"] for d in found["details"]))), "certificates that stay outside are named", found)
    words = runner.execute([runner.paddock, "doctor"], cwd=place.work, env=env)
    place.check(secret not in words.text, "in words neither", words)


def D09_configuration(runner, place):
    path = place.write(os.path.join(place.home, ".config/paddock/config.toml"), "netwrok = 1\n")
    done, answer, checks = ask(runner, place)
    place.check(done.code == 1 and checks["config.user"]["status"] == "fail" and "netwrok" in checks["config.user"]["cause"], "the key is named", checks.get("config.user"))
    place.check("storage.state" in checks, "the rest is shown")
    os.unlink(path)


def D10_installed_pieces(runner, place):
    programs = os.path.join(runner.who.base, "half")
    os.makedirs(programs, exist_ok=True)
    alone = shutil.copy(runner.paddock, programs)
    done = runner.execute([alone, "doctor", "--json"], cwd=place.work)
    checks = {check["id"]: check for check in json.loads(done.text)["checks"]}
    place.check(done.code == 1 and checks["install.warden"]["summary"] == "not found", "without its warden", checks["install.warden"])
    with open(os.path.join(programs, "paddock-warden"), "w") as file:
        file.write("#!/bin/sh\necho paddock-warden 0.0.1\n")
    os.chmod(os.path.join(programs, "paddock-warden"), 0o755)
    done = runner.execute([alone, "doctor", "--json"], cwd=place.work)
    checks = {check["id"]: check for check in json.loads(done.text)["checks"]}
    place.check(checks["install.warden"]["status"] == "fail" and "0.0.1" in checks["install.warden"]["cause"], "with one of another version", checks["install.warden"])
    shutil.rmtree(programs)


def D11_warm(runner, place):
    """With everything kept, doctor takes a small multiple of what it takes to start one sandbox."""
    ask(runner, place)
    runner.sh("true", cwd=place.work)
    single = min(runner.sh("true", cwd=place.work).seconds for _ in range(5))
    warm = min(runner.execute([runner.paddock, "doctor", "--json"], cwd=place.work).seconds for _ in range(5))
    place.check(warm < 20 * single, "warm, it is quick", "doctor %.3f s, one sandbox %.3f s" % (warm, single))
    runner_note = "%s: doctor %.0f ms warm, %.1f times one sandbox" % (runner.who.label, warm * 1000, warm / single)
    place.report.note(runner_note)


CASES = [value for name, value in sorted(globals().items()) if name[0] == "D" and name[1].isdigit() and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
