"""The Swift code of docs/ios-without-package.md, compiled with a double of UIKit and run against the service."""

import json
import subprocess

import pytest

from documents import blocks
from longpress import ROOT, item
from swift_packages import UIKIT_DOUBLE

pytestmark = pytest.mark.any_engine

DOCUMENTS = ROOT / "Tests/Documents"
DOUBLE = sorted((UIKIT_DOUBLE / "Sources/UIKit").glob("*.swift"))


def swiftc(folder, *arguments):
    done = subprocess.run(["swiftc", "-swift-version", "6", "-warnings-as-errors", *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    """The Swift code of the page as one file."""
    file = tmp_path_factory.mktemp("ios") / "QuickActions.swift"
    file.write_text("\n".join(block.text for block in blocks("docs/ios-without-package.md", "swift")))
    return file


@pytest.fixture(scope="session")
def program(page, tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    library = ["-parse-as-library", "-emit-library", "-static", "-emit-module", "-module-name", "UIKit"]
    swiftc(folder, *library, *DOUBLE, DOCUMENTS / "NSSecureCoding.swift", "-o", folder / "libUIKit.a")
    swiftc(folder, "-parse-as-library", "-I", folder, "-L", folder, "-lUIKit", page, DOCUMENTS / "Main.swift", "-o", folder / "app")
    return folder / "app"


def test_it_compiles_with_the_types_of_apple(page, tmp_path, uikit_double):
    swiftc(tmp_path, "-parse-as-library", "-typecheck", "-I", uikit_double / "Modules", page)


@pytest.fixture
def notes(server, app):
    """1.0 and 3.0 of an app: every icon, dates and data, and every way in which an id can resolve."""
    server.admin("PATCH", f"/apps/{app}", {"fallbackURL": "notes://home"})
    userInfo = {"when": {"$date": "2026-01-31T09:00:00Z"}, "key": {"$data": "AAEC"}, "n": 1}
    sets = {
        "1.0": [item("old"), item("kept", userInfo=userInfo), item("gone"), item("lost"), item("hidden"), item("edited")],
        "3.0": [
            item("kept", {"en": "Kept", "ko": "유지"}, userInfo=userInfo, icon={"type": "search"}, targetContentIdentifier="inbox"),
            item("new", replaces=["old"], url="notes://new", icon={"file": "Pen", "type": "search"}),
            item("edited", url="notes://edited", icon={"symbol": "pencil", "file": "Pen"}), item("hidden", enabled=False),
        ],
    }
    for version, items in sets.items():
        retired = {"retired": [{"id": "gone", "url": "notes://gone"}]} if version == "3.0" else {}
        assert server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": items, **retired}).status == 201
    return app


def run(program, server, app, folder, taps):
    (folder / "taps").write_text("\n".join(map(json.dumps, taps)))
    address = "http://{}:{}".format(*server.address)
    done = subprocess.run([program, address, app, "3.0", folder / "taps"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_it_registers_what_the_menu_says_and_lands_every_tap(program, server, notes, tmp_path):
    old = {entry["userInfo"]["longpress.item"]: entry for entry in server.shortcuts(notes, "1.0").json["items"]}
    taps = [*old.values(), {"type": "com.example.new"}, {"type": "static"}, {"type": "nobody"}]
    never = {"longpress.schema": 1, "longpress.item": "never", "longpress.version": "1.0.0"}
    taps.append({"type": "t", "userInfo": never})
    versions, registered, *landings = run(program, server, notes, tmp_path, taps)

    assert versions == {"same": [True] * 4, "other": [False] * 3}
    kept, new, edited = registered["registered"]
    assert (kept["icon"], new["icon"], edited["icon"]) == ("type search", "image Pen", "symbol pencil")
    assert (kept["target"], kept["kinds"]["when"], kept["kinds"]["key"]) == ("inbox", "date", "data")

    told = dict(zip([*old, "untagged", "static", "unknown", "never"], landings))
    # The tap on "kept" sends a date and data back to the service.
    assert told["kept"] | {"kinds": None} == {"outcome": "changed", "item": "kept", "itemURL": "", "url": "", "kinds": None}
    assert told["kept"]["kinds"]["when"] == "date"
    assert [landing["outcome"] for landing in landings] == [
        "replaced", "changed", "retired", "removed", "equivalent", "changed", "untagged", "static", "unknown", "removed"]
    assert told["old"]["item"] == "new" and told["old"]["itemURL"] == "notes://new"
    assert told["gone"]["url"] == "notes://gone" and told["never"]["url"] == "notes://home"
