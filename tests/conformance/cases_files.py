#!/usr/bin/env python3
"""Cases about files: what is shown, hidden, masked and protected, on odd hosts and with odd names."""

import os
import resource
import shutil
import time
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import cases  # noqa: E402
import leftovers  # noqa: E402

RUN_AS_ROOT_ONLY = "needs a private mount namespace, so root"


def copy_etc(target):
    """A copy of /etc, taken again when another suite adds or removes a user meanwhile."""
    for left in range(9, -1, -1):
        try:
            return shutil.copytree("/etc", target, symlinks=True, ignore_dangling_symlinks=True, ignore=shutil.ignore_patterns("*.lock", "*+"))
        except shutil.Error:
            shutil.rmtree(target)
            if not left:
                raise
            time.sleep(0.2)


def C001_resolver_is_a_link_to_a_directory_that_is_not_carried(runner, place):
    if os.getuid() != 0:
        return place.skip(RUN_AS_ROOT_ONLY)
    wanted = "nameserver 192.0.2.53\n"
    for first, chain in (("/run", 1), ("/mnt", 1), ("/run", 2)):
        stage = os.path.join(place.outside, "stage%s%d" % (first.replace("/", "-"), chain))
        os.makedirs(os.path.join(stage, "rtest"))
        with open(os.path.join(stage, "rtest/stub.conf"), "w") as file:
            file.write(wanted)
        with open(os.path.join(stage, "other-of-run"), "w") as file:
            file.write("x")
        link = os.path.join(stage, "resolv.conf")
        os.symlink("%s/rtest/stub.conf" % first, link)
        if chain == 2:
            os.symlink("%s/resolv.conf" % first, link + ".first")
            link += ".first"
        etc = os.path.join(stage, "etc")
        copy_etc(etc)
        if os.path.lexists(os.path.join(etc, "resolv.conf")):
            os.unlink(os.path.join(etc, "resolv.conf"))
        os.symlink(os.readlink(link), os.path.join(etc, "resolv.conf"))
        with cases.private_mounts((stage, first), (etc, "/etc")):
            done = runner.sh("cat /etc/resolv.conf; ls %s" % first, cwd=place.work)
            off = runner.sh("echo started", "--net", "off", cwd=place.work)
        what = "%s, %d links" % (first, chain)
        place.check(done.text.startswith(wanted), what + ": the same lines", done)
        place.check("other-of-run" not in done.text, what + ": nothing else of it", done)
        place.equal(off.text, "started\n", what + ": starts with the network off", off)


def C003_mask_target_is_absent_or_impossible(runner, place):
    place.write("file", "x")
    for masks in (["~/.aws", "~/a/b/c", "a/b/c"], ["file/below"], ["/etc/no/such"], ["**/nothing"]):
        options = [word for mask in masks for word in ("--mask", mask)]
        done = runner.sh("echo ok", *options, cwd=place.work)
        place.equal((done.code, done.text), (0, "ok\n"), "masks %s" % masks, done)
        told = runner.execute([runner.paddock, "explain", *options], cwd=place.work)
        place.check(told.code == 0 and all(mask in told.text for mask in masks), "explain tells what became of %s" % masks, told)
    os.chmod(place.home, 0o500)
    done = runner.sh("echo ok", "--mask", "~/.aws", cwd=place.work)
    os.chmod(place.home, 0o700)
    place.check(done.text == "ok\n" or done.code == 125 and ".local" in done.words, "a read-only home", done)


def C005_masked_directory_refuses_writes(runner, place):
    place.write("s/key", "k\n")
    done = runner.sh("ls -A s; echo x > s/f; echo rc=$?", "--mask", "s", cwd=place.work)
    place.check("rc=0" not in done.text and "key" not in done.text, "empty and not writable", done)
    place.equal((os.listdir(os.path.join(place.work, "s")), place.read("s/key")), (["key"], "k\n"), "the host's directory is unchanged")


def C007_mask_by_pattern_behind_a_link(runner, place):
    out = os.path.join(place.outside, "out")
    os.makedirs(os.path.join(out, "deep"))
    with open(os.path.join(out, "deep/.env"), "w") as file:
        file.write("SECRET-K\n")
    os.symlink(out, os.path.join(place.work, "link"))
    place.own()
    for more in ([], ["--ro", out], ["--rw", out]):
        done = runner.sh("echo up; cat link/deep/.env; cat %s/deep/.env" % out, "--mask", "**/.env", *more, cwd=place.work)
        place.check(done.text == "up\n", "hidden with %s" % more[:1], done)
    if os.getuid() == 0:
        with cases.private_mounts((out, out)):
            subprocess.run(["mount", "-o", "remount,bind,ro", out], check=True)
            done = runner.sh("echo up; cat link/deep/.env", "--mask", "**/.env", "--ro", out, cwd=place.work)
        place.equal(done.text, "up\n", "hidden on a read-only mount", done)


def C008_protected_path_is_a_link_to_a_directory(runner, place):
    project = runner.repository(os.path.join(place.work, "ws"))
    shutil.rmtree(os.path.join(project, ".git/hooks"))
    os.mkdir(os.path.join(project, "shared"))
    os.symlink("../shared", os.path.join(project, ".git/hooks"))
    place.own()
    done = runner.sh("echo up; echo x > .git/hooks/pre-commit; echo x > shared/pre-commit", cwd=project)
    place.check(done.text == "up\n" and done.code != 0, "starts, and the write fails", done)
    place.equal(os.listdir(os.path.join(project, "shared")), [], "nothing new on the host", done)


def C009_mask_matches_files_and_directories(runner, place):
    for name in ("id_a", "id_b", "id_dir/inner"):
        place.write(os.path.join(place.home, ".ssh", name), "SECRET\n", 0o600)
    for name in ("id_a", "id_dir/inner"):
        place.write("keys/" + name, "SECRET\n")
    for base, options in (("~/.ssh", []), ("keys", []), ("~/.ssh", ["--ro", os.path.join(place.home, ".ssh")])):
        shown = base.replace("~", "$HOME")
        done = runner.sh("cat %s/id_a; ls -A %s/id_dir; cat %s/id_dir/inner; echo done" % (shown, shown, shown), "--mask", base + "/id_*", *options, cwd=place.work)
        place.equal((done.code, done.text), (0, "done\n"), "%s %s" % (base, options[:1]), done)


def C012_workspace_below_tmp(runner, place):
    elsewhere = os.path.join(place.outside, "tmpdir")
    os.makedirs(elsewhere)
    place.own()
    for parent in ("/tmp", "/var/tmp", elsewhere):
        space = tempfile.mkdtemp(prefix="pdk-ws-", dir=parent)
        beside = tempfile.mkdtemp(prefix="pdk-beside-", dir=parent)
        try:
            runner.who.own(space)
            if runner.who.switch:
                os.chown(space, runner.who.uid, runner.who.gid)
            done = runner.sh("pwd; touch a; ls -A %s; ls -A /tmp" % parent, cwd=space, env={"TMPDIR": elsewhere})
            place.check(done.text.startswith(space + "\n") and os.path.exists(os.path.join(space, "a")), "the workspace in %s" % os.path.basename(parent), done)
            place.check(os.path.basename(beside) not in done.text, "its neighbours are hidden", done)
        finally:
            shutil.rmtree(space)
            shutil.rmtree(beside)


def C014_odd_names(runner, place):
    names = ["-a b\"q'*$(touch INJ)", "new\nline", " lead", "tab\there", "back\\slash", "semi;touch INJ", "\u00e4\u6f22", "[x]", "{a,b}", "a?b", "%s%n", "~", "trail "]
    for name in names:
        space = os.path.join(place.work, name)
        os.mkdir(space)
        place.own()
        done = runner.sh("pwd -P; touch ok", cwd=space)
        place.check(done.out == os.fsencode(space) + b"\n" and os.path.exists(os.path.join(space, "ok")), "in %r" % name, done)
        link = os.path.join(place.outside, "link to it")
        os.symlink(space, link)
        done = runner.run("--sandbox-workspace", link, "--", "sh", "-c", "pwd -P; touch linked", cwd=link)
        place.check(os.path.exists(os.path.join(space, "linked")), "through a link to %r" % name, done)
        os.unlink(link)
        inner = os.path.join(space, name)
        with open(inner, "w") as file:
            file.write("x")
        place.own()
        done = runner.run("--ro", inner, "--", "true", cwd=space)
        place.equal(done.code, 0, "granted by name: %r" % name, done)
    found = [directory for directory, _, files in os.walk(runner.who.base) if "INJ" in files]
    place.equal(found, [], "nothing was executed")


def C015_absent_grants(runner, place):
    done = runner.sh("echo ok", "--profile", "dev", cwd=place.work)
    place.equal((done.code, done.text), (0, "ok\n"), "an empty home with the profile's own grants", done)
    for option in ("--rw", "--ro"):
        done = runner.sh("echo RAN", option, "/no/such/place", cwd=place.work)
        place.check(done.code != 0 and "/no/such/place" in done.words and not done.out, "%s of an absent path is refused by name" % option, done)
        done = runner.sh("echo ok", option, "/no/such/place?", cwd=place.work)
        place.equal((done.code, done.text), (0, "ok\n"), "%s of an optional absent path" % option, done)


def C024_links_that_lead_outside(runner, place):
    target = os.path.join(place.outside, "f")
    with open(target, "w") as file:
        file.write("before\n")
    os.symlink(target, os.path.join(place.work, "l"))
    os.symlink("/root", os.path.join(place.work, "r"))
    os.symlink(place.home + "/.ssh", os.path.join(place.work, "s"))
    place.write(os.path.join(place.home, ".ssh/id_ed25519"), "SECRET\n", 0o600)
    done = runner.sh("echo p > l; ls r/; cat s/id_ed25519; cat l", cwd=place.work)
    with open(target) as file:
        place.equal(file.read(), "before\n", "the target is unchanged", done)
    place.check("SECRET" not in done.text and "before" not in done.text, "nothing is read through them", done)


def C027_certificates_behind_a_chain(runner, place):
    if os.getuid() != 0:
        return place.skip(RUN_AS_ROOT_ONLY)
    if shutil.which("openssl") is None:
        return place.skip("openssl is not installed")
    stage = os.path.join(place.outside, "store")
    os.makedirs(stage)
    key = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test", "-keyout", os.path.join(stage, "key"),
           "-out", os.path.join(stage, "real.pem")]
    subprocess.run(key, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copy(os.path.join(stage, "real.pem"), place.work)
    etc, ssl = os.path.join(place.outside, "etc"), "etc/ssl/certs"
    copy_etc(etc)
    shutil.rmtree(os.path.join(etc, "ssl/certs"), ignore_errors=True)
    os.makedirs(os.path.join(etc, "ssl/certs"))
    os.makedirs(os.path.join(etc, "castore"))
    os.symlink("../../castore/x.pem", os.path.join(etc, "ssl/certs/ca-certificates.crt"))
    os.symlink(os.path.join(stage, "real.pem"), os.path.join(etc, "castore/x.pem"))
    place.own()
    for path in (place.outside, stage, os.path.join(stage, "real.pem")):
        os.chmod(path, 0o755)
    with cases.private_mounts((etc, "/etc")):
        done = runner.sh("openssl verify -CAfile /etc/ssl/certs/ca-certificates.crt real.pem; ls -A %s" % stage, cwd=place.work)
    place.check("real.pem: OK" in done.text, "verifies", done)
    place.check("key" not in done.text, "only the bundle is exposed", done)


def C031_patterns_do_not_depend_on_the_directory(runner, place):
    home = place.home
    place.write(os.path.join(home, ".bashrc"), "before\n")
    place.write(os.path.join(home, "p/pk/.env"), "SECRET\n")
    place.write(os.path.join(home, "p/sub/x"), "")
    for where in ("", "p", "p/sub"):
        done = runner.sh("echo e >> ~/.bashrc; cat ~/p/pk/.env; touch ~/wrote", "--sandbox-workspace", home, "--rw", home, "--mask", "**/.env", cwd=os.path.join(home, where))
        with open(os.path.join(home, ".bashrc")) as file:
            place.equal(file.read(), "before\n", "from %r: startup files" % where, done)
        place.check("SECRET" not in done.text, "from %r: masks" % where, done)
        place.check(os.path.exists(os.path.join(home, "wrote")), "from %r: home is writable" % where, done)
        if os.path.exists(os.path.join(home, "wrote")):
            os.unlink(os.path.join(home, "wrote"))
    for name in (".bashrc", "p"):
        path = os.path.join(home, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def C032_nothing_appears_where_no_repository_is(runner, place):
    space = os.path.join(place.outside, "theirs")
    os.mkdir(space)
    place.own()
    project = runner.repository(os.path.join(space, "r"))
    if os.getuid() == 0:
        os.chown(space, 0, 0)
    os.chmod(space, 0o755)
    before = leftovers.tree(space)
    done = runner.sh("true", "--sandbox-workspace", project, cwd=space)
    place.equal(done.code, 0, "a repository in a directory of somebody else", done)
    place.check(leftovers.tree(space) == before, "nothing new there", leftovers.difference(before, leftovers.tree(space)))
    empty = os.path.join(place.home, "empty")
    os.mkdir(empty)
    place.own()
    done = runner.sh("true", cwd=empty)
    place.equal((done.code, os.listdir(empty)), (0, []), "an empty directory stays empty", done)
    new = [name for name in os.listdir(place.home) if name in (".git", ".claude", ".codex", ".config") or name.startswith(".opencode")]
    place.check(not set(new) & {".git", ".claude", ".codex"}, "no agent's directory appears in home", new)


def C033_mounts_cannot_be_undone(runner, place):
    secret = place.write("s/key", "SECRET\n")
    place.write("f", "before\n")
    script = "mount -o remount,bind,rw / ; mount -o remount,rw . ; echo b > f; umount s; umount -l s; cat s/key; grep Cap /proc/self/status"
    done = runner.sh(script, "--fs", "ro", "--mask", "s", cwd=place.work)
    place.check("SECRET" not in done.text, "the mask stays", done)
    place.equal(place.read("f"), "before\n", "the workspace stays read-only", done)
    for line in done.text.splitlines():
        if line.startswith("Cap"):
            place.check(set(line.split(":")[1].strip()) == {"0"}, "no capability: " + line.split(":")[0], done)
    place.equal(place.read(secret), "SECRET\n", "the host's file is unchanged")


def C154_four_thousand_grants(runner, place):
    tree = os.path.join(place.outside, "many")
    paths = []
    for n in range(4000):
        directory = os.path.join(tree, str(n // 50), str(n))
        os.makedirs(directory)
        paths.append(directory)
    place.own()
    config = place.write(os.path.join(place.home, ".config/paddock/profiles/many.toml"), 'extends = "balanced"\n[filesystem]\nread = [%s]\n' % ", ".join('"%s"' % path for path in paths))
    done = runner.sh("echo RAN", "--profile", "many", cwd=place.work, timeout=120)
    refused = done.code == 125 and any(word in done.words for word in ("4000", "9000", "mounts"))
    place.check(done.text == "RAN\n" or refused and not done.out, "works, or is refused naming the count", done)
    os.unlink(config)


def C156_big_tree(runner, place):
    if runner.who.label not in ("ordinary", "self"):
        return
    # A quarter of the case's size. The machine's speed is taken out: a warm start is compared, in processor time and in
    # turns, with a start in an empty project and a bare listing of the same tree.
    directories = 5000
    for n in range(directories):
        directory = os.path.join(place.work, "node_modules/p%d" % (n // 20), "d%d" % n)
        os.makedirs(directory)
        for name in range(5):
            os.mknod(os.path.join(directory, "f%d" % name), 0o644)
    place.write("src/.env", "SECRET\n")
    place.write("src/a.pem", "SECRET\n")
    os.symlink(".", os.path.join(place.work, "loop"))
    os.mkdir(os.path.join(place.work, "closed"), 0o000)
    os.chown(os.path.join(place.work, "closed"), runner.who.uid, runner.who.gid)
    empty = os.path.join(place.outside, "empty")
    os.mkdir(empty)
    place.own()
    masks = ("--mask", "**/.env", "--mask", "**/*.pem")
    starts, listings, plain = [], [], []
    for _ in range(5):
        spent, done = processor_time(lambda: runner.sh("cat src/.env src/a.pem loop/src/.env; true", *masks, cwd=place.work))
        place.check(done.code == 0 and not done.out, "hidden, with loops and closed directories", done)
        starts.append(spent)
        listings.append(processor_time(lambda: runner.execute(["find", ".", "-name", "none"], cwd=place.work))[0])
        plain.append(processor_time(lambda: runner.sh("true", *masks, cwd=empty))[0])
    bound = min(plain) + 3 * min(listings)
    os.chmod(os.path.join(place.work, "closed"), 0o700)
    place.check(min(starts[1:]) < bound, "a warm start costs no more than a plain one and three listings (%.0f ms)" % (bound * 1000), starts)


def processor_time(action):
    """What the processes that `action` started and waited for cost, in seconds, and its result."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result


def C164_deny_wins(runner, place):
    project = runner.repository(os.path.join(place.work, "ws"))
    for name in (".env", ".git/hooks/pre-commit"):
        with open(os.path.join(project, name), "w") as file:
            file.write("SECRET\n")
    place.own()
    for path in (".env", os.path.join(project, ".env")):
        done = runner.sh("cat .env; echo evil > .env", "--mask", path, "--rw", path, cwd=project)
        place.check("SECRET" not in done.text, "mask against a grant of the same path", done)
    done = runner.sh("echo evil > .git/hooks/pre-commit; echo evil > .git/hooks/new", "--protect", ".git/hooks", "--rw", ".git/hooks", cwd=project)
    with open(os.path.join(project, ".git/hooks/pre-commit")) as file:
        place.check(file.read() == "SECRET\n" and not os.path.exists(os.path.join(project, ".git/hooks/new")), "protection against a grant of the same path", done)
    done = runner.sh("cat .env", "--mask", ".env", "--protect", ".env", "--ro", ".env", cwd=project)
    place.check("SECRET" not in done.text, "mask beats protection", done)


def G31_what_holds_a_match_stays_in_its_place(runner, place):
    place.write("ci/deploy.sh", "before\n")
    done = runner.sh("mv ci c2; mkdir -p ci; echo evil > ci/deploy.sh; true", "--protect", "ci/*.sh", cwd=place.work)
    place.equal(place.read("ci/deploy.sh"), "before\n", "the directory of a protected match cannot be renamed away", done)
    place.write("deep/.aws/credentials", "SECRET\n")
    runner.sh("mv deep/.aws x; true", "--mask", "**/.aws/credentials", cwd=place.work)
    done = runner.sh("cat x/credentials deep/.aws/credentials", "--mask", "**/.aws/credentials", cwd=place.work)
    place.check("SECRET" not in done.text, "the directory that a mask names cannot be renamed away", done)


def G32_a_masked_link_leads_where_it_led(runner, place):
    place.write("sec/key", "SECRET\n")
    os.symlink("sec/key", os.path.join(place.work, ".env"))
    place.own()
    first = runner.sh("cat sec/key; ln -sfn /etc/hostname .env", "--mask", ".env", cwd=place.work)
    again = runner.sh("cat sec/key", "--mask", ".env", cwd=place.work)
    place.check("SECRET" not in first.text + again.text, "it hides the same the next time", "%s\n%s" % (first, again))


def G33_a_variable_grants_nothing(runner, place):
    os.makedirs(os.path.join(place.outside, "tree"))
    os.symlink(os.path.join(place.outside, "tree"), os.path.join(place.work, "tmpd"))
    place.own()
    place.write(os.path.join(place.home, ".config/paddock/profiles/open.toml"), 'extends = "balanced"\n[filesystem]\ntemp = "host"\n')
    done = runner.sh("echo x > %s/tree/made; echo RAN" % place.outside, "--profile", "open", cwd=place.work, env={"TMPDIR": os.path.join(place.work, "tmpd")})
    place.check("RAN" in done.text and not os.listdir(os.path.join(place.outside, "tree")), "a link that TMPDIR names opens nothing", done)
    shutil.rmtree(os.path.join(place.home, ".config"))


CASES = [value for name, value in sorted(globals().items()) if name[0] in "CG" and name[1].isdigit() and callable(value)]

if __name__ == "__main__":
    cases.main(__doc__, CASES)
