#!/usr/bin/env python3
"""What is stored of a wrapped command: how long it lives, that nobody changes it, and that a machine which has changed is
refused and never weakened.

    plans_test.py --paddock PROGRAM [--identity root|ordinary|unnamed]... [WORD]...
"""

import hashlib
import json
import os
import shutil
import socket
import sys
import time

sys.dont_write_bytecode = True

import harness  # noqa: E402

DAY = 24 * 60 * 60


def stored(reply):
    return reply["argv"][4]


def refused(h, reply, what, word):
    done = h.start(reply)
    h.check(done.code == 125 and harness.did_not_run(reply, done) and not done.out, what + ": refused as a failure of ours", done)
    h.check(word in done.words, "%s: the words say %s" % (what, word), done)


def expiry(h):
    reply = h.wrap("echo", "RAN")
    left = reply["expires_at"] - time.time()
    h.check(DAY - 300 < left <= DAY + 5, "it lives for a day", left)
    then = time.time() - DAY + 60
    os.utime(stored(reply), (then, then))
    h.equal(h.start(reply).out, b"RAN\n", "to its last minute")
    then = time.time() - DAY - 1
    os.utime(stored(reply), (then, then))
    refused(h, reply, "expired", "expired")
    h.equal(h.start(h.wrap("echo", "RAN")).out, b"RAN\n", "wrapped again, it lives again")
    h.equal(h.start(reply).out, b"RAN\n", "under its old name too")
    os.unlink(stored(reply))
    refused(h, reply, "gone", "expired")


def clearing_up(h):
    keep = h.wrap("true")
    old = [os.path.join(h.state, "%064x" % i) for i in range(3)] + [os.path.join(h.state, "%064x.findings" % 7), os.path.join(h.state, "%064x.Ab12Cd" % 8)]
    others = [os.path.join(h.state, name) for name in ("somebody's", "notes.txt")]
    for path in old + others:
        with open(path, "w") as file:
            file.write("x")
        os.utime(path, (1, 1))
    stamp = os.path.join(h.state, "collected")
    if os.path.exists(stamp):
        os.utime(stamp, (1, 1))
    h.runner.who.own(h.runner.home)
    h.wrap("true", network="all")
    h.equal([os.path.exists(path) for path in old], [False] * len(old), "a later command removes what has expired")
    h.equal([os.path.exists(path) for path in others + [stored(keep)]], [True] * 3, "and nothing else")


def tampering(h):
    def changed(text):
        return text.replace('"mode":1', '"mode":2') if '"mode":1' in text else text + " "

    def rewrite(path, text):
        with open(path, "w") as file:
            file.write(text)

    def with_other(path, text):
        os.unlink(path)
        os.symlink(os.path.join(h.state, "elsewhere"), path)
        rewrite(os.path.join(h.state, "elsewhere"), text)
        os.chmod(os.path.join(h.state, "elsewhere"), 0o600)

    for what, change, word in (("changed", lambda path, text: rewrite(path, changed(text)), "not what was stored"), ("emptied", lambda path, text: rewrite(path, ""), "not what was stored"),
                               ("readable by others", lambda path, text: os.chmod(path, 0o644), "others"), ("a link", with_other, "wrapped command"),
                               ("a directory", lambda path, text: (os.unlink(path), os.mkdir(path, 0o700)), "others"),
                               ("in a directory of everybody's", lambda path, text: os.chmod(h.state, 0o777), "only you")):
        reply = h.wrap("echo", "RAN")
        with open(stored(reply)) as file:
            text = file.read()
        change(stored(reply), text)
        h.runner.who.own(h.runner.home)
        refused(h, reply, what, word)
        os.chmod(h.state, 0o700)
        if os.path.isdir(stored(reply)):
            os.rmdir(stored(reply))
    reply = h.wrap("echo", "RAN")
    copy = os.path.join(h.work, "wrap", os.path.basename(stored(reply)))
    os.makedirs(os.path.dirname(copy), 0o700, exist_ok=True)
    shutil.copy(stored(reply), copy)
    os.chmod(copy, 0o600)
    h.runner.who.own(h.runner.home)
    elsewhere = {**reply, "argv": reply["argv"][:4] + [copy] + reply["argv"][5:]}
    refused(h, elsewhere, "a copy where a command could write", "moved")
    for reference in ("", "x", "/etc/passwd", "/", stored(reply) + "x", "/dev/stdin"):
        refused(h, {**reply, "argv": reply["argv"][:4] + [reference] + reply["argv"][5:]}, "a reference %r" % reference, "wrap")
    for words in ([], [stored(reply)], [stored(reply), "--"], [stored(reply), "echo", "RAN"], [stored(reply), "--", ""]):
        done = h.runner.execute([*reply["argv"][:4], *words])
        h.check(done.code == 2 and not done.out, "incomplete: %d words" % len(words), done)


def changed_machine(h):
    def again(name, **more):
        place = os.path.join(h.runner.home, "changed", name)
        for part in ("ws", "root", "keys"):
            os.makedirs(os.path.join(place, part), exist_ok=True)
        h.write(os.path.join(place, "keys/id"), "HIDDEN\n")
        os.symlink("../keys", os.path.join(place, "ws/link"))
        h.runner.who.own(h.runner.home)
        ws = os.path.join(place, "ws")
        return place, h.wrap("sh", "-c", "echo RAN; cat ../keys/id; touch root 2>/dev/null", cwd=ws, workspace_root=ws, writable_roots=[os.path.join(place, "root")],
                             mask_paths=[os.path.join(ws, "link")], **more)

    place, reply = again("same")
    h.equal(h.start(reply).out, b"RAN\n", "nothing has changed")
    place, reply = again("replaced")
    os.rename(os.path.join(place, "root"), os.path.join(place, "old"))
    os.mkdir(os.path.join(place, "root"))
    h.runner.who.own(h.runner.home)
    refused(h, reply, "another directory in a root's place", "root")
    os.rmdir(os.path.join(place, "root"))
    refused(h, reply, "a root that is gone", "root")
    os.symlink(h.runner.home, os.path.join(place, "root"))
    refused(h, reply, "a link in a root's place", h.runner.home)
    place, reply = again("workspace")
    os.rename(os.path.join(place, "ws"), os.path.join(place, "old"))
    os.symlink(h.runner.home, os.path.join(place, "ws"))
    refused(h, reply, "a link in the workspace's place", h.runner.home)
    place, reply = again("masked")
    os.unlink(os.path.join(place, "ws/link"))
    os.symlink("/dev/null", os.path.join(place, "ws/link"))
    refused(h, reply, "a masked link that now leads elsewhere", "keys")
    shutil.rmtree(os.path.join(place, "keys"))
    h.equal(h.start(reply).out, b"RAN\n", "what has gone needs no mask")


def what_comes_later(h):
    later = os.path.join(h.work, "later")
    reply = h.wrap("sh", "-c", "cat later/key; ls later", mask_paths=[later])
    h.check("No such" in h.start(reply).words, "a masked path that is absent")
    os.makedirs(later)
    h.write("later/key", "HIDDEN\n")
    done = h.start(reply)
    h.check("HIDDEN" not in done.text and not done.text.strip(), "is hidden once it is there", done)
    path = os.path.join(h.runner.home, "s")
    reply = h.wrap("/usr/bin/python3", "-c", "import socket; socket.socket(socket.AF_UNIX).connect(%r)" % path)
    h.check("No such file" in h.start(reply).words, "a socket that is absent")
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    os.chmod(path, 0o777)
    server.listen(8)
    done = h.start(reply)
    h.check(done.code == 1 and ("refused" in done.words or "denied" in done.words), "is masked once it is there", done)
    server.close()
    os.unlink(path)


def state_directory(h):
    """A root that holds the state directory: it stays out of sight, and in its place."""
    own = os.path.dirname(h.state)
    reply = h.wrap("sh", "-c", "ls -a ~/.local/state/paddock; cat ~/.local/state/paddock/wrap/*; mv ~/.local ~/moved; mv ~/.local/state ~/moved; rm -rf ~/.local/state/paddock; rmdir ~/.local/state; "
                   "mkdir -p ~/.local/state/paddock/wrap; echo x > ~/.local/state/paddock/wrap/%s" % ("0" * 64), workspace_root=h.runner.home)
    before = sorted(os.listdir(h.state))
    done = h.start(reply)
    h.equal(done.text.split(), [".", ".."], "the state directory is empty inside, and cannot be moved", done)
    h.equal(sorted(os.listdir(h.state)), before, "and as it was outside")
    copied = [name for _, _, names in os.walk(os.path.join(h.runner.home, "moved")) for name in names]
    h.equal(copied, [], "nothing of it could be copied")
    h.equal(h.start(reply).text.split(), [".", ".."], "and the same the next time")
    _, reply = h.ask(h.request("true", writable_roots=[own]))
    h.check(reply and reply["error"] and reply["error"]["kind"] == "unsupported" and "Paddock's own" in reply["error"]["message"], "it is no root itself", reply)


def content(place):
    return {name: hashlib.sha256(open(os.path.join(place, name), "rb").read()).hexdigest() for name in sorted(os.listdir(place))}


def own_program(h):
    """An agent cannot replace the program that confines it, wherever that lies."""
    place = os.path.join(h.work, "bin")
    os.makedirs(place)
    for name in ("paddock", "paddock-warden"):
        shutil.copy(os.path.join(os.path.dirname(h.runner.paddock), name), place)
    h.runner.who.own(h.runner.home)
    done = h.runner.execute([os.path.join(place, "paddock"), "wrap"], input=json.dumps(h.request("true")).encode())
    reply = json.loads(done.out)
    h.check(done.code == 0 and reply["error"] is None, "it is held in its place", done)
    before = content(place)
    script = "echo evil > bin/paddock; echo evil > bin/paddock-warden; mv bin bin2; rm -f bin/paddock; cp /bin/true bin/paddock-warden; mkdir -p bin; cp /bin/true bin/paddock; true"
    reply = json.loads(h.runner.execute([os.path.join(place, "paddock"), "wrap"], input=json.dumps(h.request("sh", "-c", script)).encode()).out)
    done = h.start(reply)
    h.check(done.code == 0 and content(place) == before, "and cannot be replaced from inside", done)
    done = h.runner.execute([os.path.join(place, "paddock"), "wrap"], input=json.dumps(h.request("true", mode="read-only")).encode())
    h.check(json.loads(done.out)["error"] is None, "read-only it may lie there", done)
    shutil.rmtree(place)


def settings(h):
    config = os.path.join(h.runner.home, ".config/paddock/config.toml")
    h.write("kept/key", "HIDDEN\n")
    h.write(config, '[filesystem]\nmask = ["%s"]\nwrite = ["%s"]\n[network]\nmode = "on"\n[isolation]\nwithout = ["protect_existing"]\n' % (os.path.join(h.work, "kept"), h.scratch))
    reply = h.wrap("sh", "-c", "cat kept/key; touch %s/x; cat /proc/net/dev" % h.scratch)
    done = h.start(reply)
    h.check("HIDDEN" not in done.text and "protect_existing" in reply["guarantees"], "the user's masks hold here too", done)
    h.check(not os.path.exists(os.path.join(h.scratch, "x")) and "eth" not in done.text, "and nothing that the settings allow beyond the request", done)
    h.write(config, "")
    refused(h, reply, "a mask that the settings no longer have", "kept")
    h.write(config, "[nonsense\n")
    done, answer = h.ask(h.request("true"))
    h.check(done.code == 125 and answer and answer["error"]["kind"] == "failed" and "config.toml" in answer["error"]["message"], "settings that cannot be read: failed", done)
    os.unlink(config)


def findings(h):
    reply = h.wrap("sh", "-c", "mkdir -p sub/.git && echo done")
    done = h.start(reply)
    h.equal((done.out, done.err), (b"done\n", b""), "a new repository: nothing of ours in the streams")
    with open(reply["findings"]) as file:
        lines = [json.loads(line) for line in file]
    h.check(len(lines) == 1 and "sub/.git" in lines[0]["finding"] and abs(lines[0]["time"] - time.time()) < 300, "it stands in the file of findings", lines)
    h.equal(os.stat(reply["findings"]).st_mode & 0o777, 0o600, "which is its owner's")
    shutil.rmtree(os.path.join(h.work, "sub"))


def repositories_elsewhere(h):
    """Only what the request names is writable: not a worktree's repository."""
    main = h.runner.repository(os.path.join(h.runner.home, "main"))
    tree = os.path.join(h.runner.home, "tree")
    h.runner.git("worktree", "add", "-q", tree, cwd=main)
    done = h.sh("git status --short && git log --oneline | wc -l && git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m x", cwd=tree, workspace_root=tree)
    h.check(done.text.split() == ["1"] and done.code != 0, "it can be read", done)
    done = h.sh("git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m x; touch %s/.git/hooks/x" % main, cwd=tree, workspace_root=tree, writable_roots=[os.path.join(main, ".git")])
    h.check(not os.path.exists(os.path.join(main, ".git/hooks/x")), "named, what it executes stays as it is", done)


TESTS = [expiry, clearing_up, tampering, changed_machine, what_comes_later, state_directory, own_program, settings, findings, repositories_elsewhere]

if __name__ == "__main__":
    harness.main(__doc__, TESTS)
