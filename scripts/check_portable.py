"""That the command's portable part builds where Foundation does: what it may import, and what its targets depend on.

usage: swift package dump-package | check_portable.py"""

import json
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[1] / "Sources"
# What each may import: nothing of Linux, of a database, or of a C library.
ALLOWED = {
    "QuickActions": set(),
    "Platform": {"Foundation"},
    "Remote": {"Foundation", "FoundationNetworking", "Security", "QuickActions"},
    "longpress": {"ArgumentParser", "Foundation", "Platform", "QuickActions", "Remote"},
}
# Package.swift leaves these out elsewhere, with the C libraries they import.
ON_LINUX = ["longpress/Server", "Platform/Threads", "Remote/Connection/CurlTransport.swift"]
C_LIBRARIES = {"CLinux", "CCurl"}
IMPORT = re.compile(r"^\s*(?:@\w+ )?(?:(?:public|package|internal|fileprivate|private) )?import (?:(?:struct|class|enum|func|protocol) )?(\w+)")


def imports(path):
    """The modules that a file imports where SERVER is not defined."""
    skipping = []
    for line in path.read_text().splitlines():
        word = line.strip()
        if word.startswith("#if "):
            skipping.append(word == "#if SERVER")
        elif word.startswith(("#else", "#elseif")):
            skipping[-1] = False
        elif word == "#endif":
            skipping.pop()
        elif not any(skipping) and (found := IMPORT.match(line)):
            yield found[1]


def closure(targets, name):
    """The names of a target's dependencies, and of theirs."""
    found = set()
    for dependency in targets[name]["dependencies"]:
        [(kind, value)] = dependency.items()
        found |= {value[0]} | (closure(targets, value[0]) if kind != "product" and value[0] in targets else set())
    return found


def main():
    wrong = []
    for target, allowed in ALLOWED.items():
        for path in sorted((SOURCES / target).rglob("*.swift")):
            if any(path.is_relative_to(SOURCES / part) for part in ON_LINUX):
                continue
            wrong += [f"{path.relative_to(SOURCES.parent)} imports {name}" for name in imports(path) if name not in allowed]
    targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
    for name in ["QuickActions", "Platform", "Remote"]:
        wrong += [f"{name} depends on {other}" for other in sorted(closure(targets, name) - ALLOWED[name] - C_LIBRARIES)]
    for line in wrong:
        print(f"check_portable: {line}, which is not on every system", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
