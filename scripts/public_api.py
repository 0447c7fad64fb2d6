"""The public API and the documentation of the two libraries, from their symbol graphs.

    public_api.py check        compares the public API with Tests/PublicAPI; exit 1 with what was removed, changed and added
    public_api.py accept       writes Tests/PublicAPI anew
    public_api.py docs FOLDER  builds both DocC catalogs into FOLDER; a warning, and a public symbol without a comment, is an error

The modules must have been built in debug from the sources as they are, since comments are read from the sources at the lines that the build
has recorded (`make api` and `make docs` build first). LongpressKit's is the one beside the doubles of UIKit and
SwiftUI, so that what only an app sees is in it. `swift-symbolgraph-extract` and `docc` are the toolchain's: nothing is fetched.
"""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASELINES = ROOT / "Tests/PublicAPI"
# Where the compiled module of each library is.
MODULES = {
    "LongpressKit": ROOT / "Tests/UIKitDouble/.build/debug/Modules",
    "LongpressWebhooks": ROOT / ".build/debug/Modules",
}
# What every type has, or a type gets without saying so.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}
# What the Foundation of Linux says of every NSObject.
OF_NSOBJECT = {"CVarArg", "CustomDebugStringConvertible", "CustomStringConvertible", "Equatable", "Hashable", "NSObjectProtocol"}


def tool(name):
    found = shutil.which(name)
    if not found:
        sys.exit(f"public_api: {name} is not on the PATH; it is part of a Swift toolchain")
    return found


def extract(module, folder):
    """Writes the module's symbol graphs into the folder: one of its own, and one for each module that it extends."""
    modules = MODULES[module]
    if not (modules / f"{module}.swiftmodule").exists():
        sys.exit(f"public_api: {modules} has no {module}.swiftmodule; build it first (make api)")
    target = json.loads(subprocess.run([tool("swiftc"), "-print-target-info"], capture_output=True, check=True).stdout)["target"]["triple"]
    subprocess.run(
        [tool("swift-symbolgraph-extract"), "-module-name", module, "-I", modules, "-target", target, "-output-dir", folder,
         "-minimum-access-level", "public", "-skip-synthesized-members", "-emit-extension-block-symbols",
         "-module-cache-path", folder / "cache"], check=True)
    return sorted(folder.glob(f"{module}*.symbols.json"))


def declarations(graphs):
    """A line for each public symbol and each conformance: its path, and how it is declared."""
    symbols, lines, parents = {}, set(), collections.defaultdict(set)
    for graph in graphs:
        for symbol in graph["symbols"]:
            symbols[symbol["identifier"]["precise"]] = symbol
    relations = [relation for graph in graphs for relation in graph["relationships"]]
    requirements = {relation["source"] for relation in relations if relation["kind"] == "requirementOf"}
    with_default = {relation["target"] for relation in relations if relation["kind"] == "defaultImplementationOf"}
    for relation in relations:
        if relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in symbols:
            known = symbols.get(relation["target"])
            name = ".".join(known["pathComponents"]) if known else relation.get("targetFallback", relation["target"]).rpartition(".")[2]
            parents[relation["source"]].add(name)
    for precise, symbol in symbols.items():
        path = ".".join(symbol["pathComponents"])
        if symbol["kind"]["identifier"] == "swift.extension":
            continue
        text = " ".join("".join(part["spelling"] for part in symbol.get("declarationFragments", [])).split())
        words = [word for word in ("open",) if symbol["accessLevel"] == word]
        words += ["requirement"] if precise in requirements - with_default else []
        lines.add(" ".join([f"{path}:", *words, text]))
        conformances = parents[precise] - IMPLIED
        if conformances & {"UIResponder", "NSObject"}:
            conformances -= OF_NSOBJECT
        lines |= {f"{path}: conforms to {name}" for name in conformances}
    return sorted(lines)


def compare(accepted, current):
    """What differs, as (kind, line or lines) where kind is removed, changed, added, or breaking for an addition that breaks a `switch` or a
    type of a user's own."""
    def by_path(lines):
        found = collections.defaultdict(list)
        for line in lines:
            found[line.partition(": ")[0]].append(line)
        return found

    old, new = by_path(accepted), by_path(current)
    for path in sorted({*old, *new}):
        gone = [line for line in old[path] if line not in new[path]]
        came = [line for line in new[path] if line not in old[path]]
        while gone and came:
            yield "changed", gone.pop(0), came.pop(0)
        for line in gone:
            yield "removed", line
        for line in came:
            parent = path.rpartition(".")[0]
            rest = line.partition(": ")[2]
            breaks = parent in old and (rest.startswith("case ") or rest.startswith("requirement "))
            yield "breaking" if breaks else "added", line


def report(module, differences):
    print(f"{module}: the public API differs from {(BASELINES / module).relative_to(ROOT)}.txt")
    for kind, *lines in differences:
        if kind == "changed":
            print(f"  changed  {lines[0]}\n       to  {lines[1]}")
        else:
            print(f"  {'added' if kind == 'breaking' else kind:8} {lines[0]}")
        if kind == "breaking":
            print("           (an exhaustive switch, or a type that conforms to the protocol, does not compile any more)")
    if {kind for kind, *_ in differences} - {"added"}:
        print("Programs that use the library may not compile any more. If that is meant, say so in CHANGELOG.md")
        print("and raise the major version (the minor one before 1.0); then accept it with `make accept-api`.")
    else:
        print("Nothing was taken away. `make accept-api` guards what is new from now on.")


def graphs_of(module, folder):
    return [json.loads(path.read_text()) for path in extract(module, folder)]


def check(accept):
    failed = False
    for module in MODULES:
        with tempfile.TemporaryDirectory() as folder:
            current = declarations(graphs_of(module, pathlib.Path(folder)))
        baseline = BASELINES / f"{module}.txt"
        if accept:
            baseline.write_text("\n".join(current) + "\n")
            continue
        differences = list(compare(baseline.read_text().splitlines(), current))
        if differences:
            report(module, differences)
            failed = True
    return failed


def undocumented(graphs):
    """The public symbols without a comment, but for what an inherited page explains."""
    inherited = {
        relation["source"] for graph in graphs for relation in graph["relationships"]
        if relation["kind"] in ("overrides", "defaultImplementationOf") or "sourceOrigin" in relation
    }
    return sorted(
        ".".join(symbol["pathComponents"]) for graph in graphs for symbol in graph["symbols"]
        if "docComment" not in symbol and symbol["kind"]["identifier"] != "swift.extension"
        and symbol["identifier"]["precise"] not in inherited)


def document(out):
    failed = False
    out.mkdir(parents=True, exist_ok=True)
    for module in MODULES:
        with tempfile.TemporaryDirectory() as folder:
            missing = undocumented(graphs_of(module, pathlib.Path(folder)))
            for name in missing:
                print(f"{module}: {name} has no documentation comment")
            done = subprocess.run(
                [tool("docc"), "convert", ROOT / f"Sources/{module}/{module}.docc", "--additional-symbol-graph-dir", folder,
                 "--fallback-display-name", module, "--fallback-bundle-identifier", f"longpress.{module}",
                 "--warnings-as-errors", "--output-path", out / f"{module}.doccarchive"])
            failed |= bool(missing) or done.returncode != 0
    return failed


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["check"]:
            sys.exit(check(accept=False))
        case ["accept"]:
            sys.exit(check(accept=True))
        case ["docs", out]:
            sys.exit(document(pathlib.Path(out)))
        case _:
            sys.exit(__doc__)
