"""What LongpressKit costs an app: the build of a fresh package, bytes in a release binary, a tap with the tag as served."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time

from bench import ROOT, admin, longpress, menu

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Fresh",
    dependencies: [.package(name: "longpress", path: "%s")],
    targets: [
        .executableTarget(name: "Bare"),
        .executableTarget(name: "Linked", dependencies: [.product(name: "LongpressKit", package: "longpress")]),
        .executableTarget(name: "Fresh", dependencies: [.product(name: "LongpressKit", package: "longpress")]),
    ],
    swiftLanguageModes: [.v6]
)
"""
# Both use Foundation, as every program does that has a URL.
BARE = """import Foundation

print(URL(filePath: CommandLine.arguments[0]).absoluteString)
"""
LINKED = """import Foundation
import LongpressKit

let configuration = LongpressConfiguration(server: URL(filePath: CommandLine.arguments[0]), app: "com.example.mail", version: "1.0")
let client = LongpressClient(configuration)
_ = try? await client.refresh()
print(await client.resolve(QuickActionTap(type: "compose", userInfo: [:])).outcome, configuration.server.absoluteString)
"""


def build(folder, *arguments):
    """Seconds until it is built, and seconds of a processor."""
    def used():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before, begun = used(), time.monotonic()
    done = subprocess.run(["swift", "build", *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return time.monotonic() - begun, used() - before


def size(binary):
    stripped = binary.with_suffix(".stripped")
    subprocess.run(["strip", "-o", stripped, binary], check=True)
    return stripped.stat().st_size


def microseconds(program, server, folder):
    """As the program measures it, in a release build."""
    connection = server.connect()
    admin(connection, "PUT", "/apps/com.example.mail", {"defaultLanguage": "en"})
    admin(connection, "PUT", "/apps/com.example.mail/sets/1.0.0", menu())
    command = [program, "time", f"http://127.0.0.1:{server.port}", "com.example.mail", "1.0", folder]
    line = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    if line["outcome"] != "current":
        raise SystemExit(line)
    return float(line["microseconds"])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for target, text in [("Bare", BARE), ("Linked", LINKED)]:
            (folder / "Sources" / target).mkdir(parents=True)
            (folder / "Sources" / target / "main.swift").write_text(text)
        (folder / "Sources/Fresh").mkdir()
        shutil.copy(ROOT / "Tests/Documents/Client/main.swift", folder / "Sources/Fresh")
        (folder / "Package.swift").write_text(MANIFEST % ROOT)
        times = {}
        for configuration in ("debug", "release"):
            build(folder, "-c", configuration, "--product", "Bare")
            times[configuration] = build(folder, "-c", configuration, "--product", "Linked")
        build(folder, "-c", "release")
        os.sync()
        release = folder / ".build/release"
        added = size(release / "Linked") - size(release / "Bare")
        with longpress() as server:
            tap = microseconds(release / "Fresh", server, folder)
    for configuration, (elapsed, processor) in times.items():
        print(f"A program that links LongpressKit, `swift build -c {configuration}`: {elapsed:.0f} s, {processor:.0f} s of a processor; "
              "the same program without it is built before.")
    print(f"Added to a stripped release binary: {added / 2**20:.2f} MiB. A tap with the tag as served: {tap:.1f} µs, no request.")


if __name__ == "__main__":
    main()
