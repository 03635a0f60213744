#!/usr/bin/env python3
"""Holds every #include under src/ to src/LAYERS, and a few habits that the compiler does not see."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINES_MAX = 600


def read_layers():
    layers = {}
    for line in (ROOT / "src/LAYERS").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, allowed = line.partition(":")
            layers[name.strip()] = {name.strip(), *allowed.split()}
    return layers


def transitive(layers, name):
    seen, queue = set(), [name]
    while queue:
        layer = queue.pop()
        if layer not in seen:
            seen.add(layer)
            queue.extend(layers[layer])
    return seen


def includes(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if found:
            yield number, found.group(1)


def main():
    layers = read_layers()
    faults = []
    sources = sorted(p for p in (ROOT / "src").rglob("*") if p.suffix in (".h", ".cc"))
    if len(sources) < 50:
        faults.append(f"only {len(sources)} sources were found: the test looks in the wrong place")
    for path in sources:
        where = path.relative_to(ROOT)
        layer = where.parts[1]
        if layer not in layers:
            faults.append(f"{where}: no line in src/LAYERS for {layer}")
            continue
        for number, name in includes(path):
            other = name.split("/")[0]
            if other in layers and other not in layers[layer]:
                faults.append(f"{where}:{number}: {layer} may not include {name}")
        if len(path.read_text(errors="replace").splitlines()) > LINES_MAX:
            faults.append(f"{where}: over {LINES_MAX} lines")
        text = path.read_text(errors="replace")
        starts_processes = re.search(r"\b(fork|vfork|posix_spawn\w*|clone|system|popen)\s*\(", text)
        is_test = path.name.endswith("_test.cc")
        allowed = {"src/base/clone.cc", "src/sys/calls.h", "src/sys/vfork.cc", "src/warden/payload.cc"}
        if starts_processes and not is_test and str(where) not in allowed:
            code = re.sub(r"//[^\n]*", "", text)
            if re.search(r"(?<![\w.>:])(::)?(fork|vfork|posix_spawn\w*|clone|system|popen)\s*\(", code):
                faults.append(f"{where}: makes a process; base/clone.cc is the one place")
    for layer in layers:
        for below in transitive(layers, layer) - {layer}:
            if layer in transitive(layers, below):
                faults.append(f"src/LAYERS: {layer} and {below} include each other")
    for fault in faults:
        print(fault)
    print(f"{len(sources)} files, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
