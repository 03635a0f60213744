#!/usr/bin/env python3
"""Every relaxation that the code can put into a plan has its name in src/policy/relaxation_names.h, where the ceiling finds it."""

import os
import re
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../src")
# A relaxation is made by one of these, its name being the first text in it.
MADE = re.compile(r'(?:(?:relaxations?_?|all)\.push_back\(\s*\{|\brelaxation\(|Relaxation\s*\{|Relaxation\w*\(\s*\{|\badd\([^;"]*?,)\s*(?:\w+\(\))?\s*"([a-z_]+)"')
TABLE = re.compile(r'"(grant_[a-z_]+)"')


def names_in(text):
    found = set(TABLE.findall(text))
    found.update(MADE.findall(text))
    return found


def main():
    with open(os.path.join(SOURCE, "policy/relaxation_names.h")) as file:
        known = set(re.findall(r'^\s+"([a-z_]+)",', file.read(), re.M))
    used = {}
    for directory, _, files in os.walk(SOURCE):
        for name in files:
            if name.endswith("_test.cc") or not name.endswith(".cc") or os.path.basename(directory) == "wrap":  # which makes none
                continue
            with open(os.path.join(directory, name)) as file:
                for found in names_in(file.read()):
                    used.setdefault(found, os.path.relpath(os.path.join(directory, name), SOURCE))
    used = {name: where for name, where in used.items() if not name.startswith("without_")}
    problems = ["%s makes the relaxation %s, which is not in the list" % (used[name], name) for name in sorted(set(used) - known)]
    problems += ["nothing makes the relaxation %s" % name for name in sorted(known - set(used))]
    if len(used) < 20:
        problems.append("only %d relaxations were found in the code: the expression no longer fits it" % len(used))
    print("\n".join(problems) or "%d relaxations" % len(used))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
