#!/usr/bin/env python3
"""The payload of statecode: writes everything that it can into an agent's directories, in every way that it knows.

    statecode_plant.py PLAN.json        (as the last argument; what stands before it is the product's)

The plan: {"files": {PATH: TEXT}, "links": {PATH: TARGET}, "databases": {PATH: [STATEMENT]}}. Every write is tried plainly, by
replacing the name, by renaming a new file over it, and by putting a new directory in the place of the one above it.
Prints one line with what it could write.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import sys


def made(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)


def plainly(path, put):
    made(path)
    put(path)


def replacing(path, put):
    shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    put(path)


def over_it(path, put):
    put(path + ".new")
    os.rename(path + ".new", path)


def above_it(path, put):
    parent = os.path.dirname(path)
    os.rename(parent, parent + ".old")
    shutil.copytree(parent + ".old", parent, symlinks=True)
    with contextlib.suppress(OSError):
        os.unlink(path)
    put(path)


def written(path, put, is_there):
    for way in (plainly, replacing, over_it, above_it):
        with contextlib.suppress(OSError, shutil.Error, sqlite3.Error):
            way(path, put)
            if is_there(path):
                return True
    return False


def file(text):
    def put(path):
        with open(path, "w") as out:
            out.write(text)
        os.chmod(path, 0o755)
    return put, lambda path: not os.path.islink(path) and os.path.isfile(path) and open(path, errors="replace").read() == text


def link(target):
    return (lambda path: os.symlink(target, path)), (lambda path: os.path.islink(path) and os.readlink(path) == target)


def database(statements):
    # Where the host's own cannot be written, a changed copy is tried in its place.
    def put(path):
        source = os.path.dirname(path) + "/" + os.path.basename(path).removesuffix(".new")
        if path.endswith(".new") and os.path.exists(source):
            shutil.copy(source, path)
        with contextlib.closing(sqlite3.connect(path, timeout=1)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    def is_there(path):
        with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % path, uri=True)) as connection:
            return bool(connection.execute("SELECT count(*) FROM account WHERE email = 'evil@example.invalid'").fetchone()[0])
    return put, is_there


def main():
    if sys.argv[-1] == "--version":  # asked before the first run in a new kind of sandbox
        return print("1")
    with open(sys.argv[-1]) as plan_file:
        plan = json.load(plan_file)
    done = {"written": [], "refused": []}
    for kind, make in (("databases", database), ("files", file), ("links", link)):
        for path, what in plan.get(kind, {}).items():
            put, is_there = make(what)
            done["written" if written(path, put, is_there) else "refused"].append(path)
    print("PLANTED %d REFUSED %d" % (len(done["written"]), len(done["refused"])))
    print(json.dumps(done))


if __name__ == "__main__":
    if "--help" not in sys.argv:
        main()
