"""LongpressKit's UIKit and SwiftUI parts, compiled with doubles of both (Tests/UIKitDouble) and run: their tests, three whole apps
against the service, and the Swift code of the pages."""

import json
import os
import plistlib
import re
import shutil
import subprocess
import threading

import pytest

from documents import blocks
from longpress import BINARY, ROOT, eventually, item
from swift_packages import UIKIT_DOUBLE

pytestmark = pytest.mark.any_engine

APP = "com.example.mail"
# Declarations that the blocks of the pages use but do not show.
AROUND = """
import LongpressKit
import SwiftUI
struct ContentView: View { var body: some View { Text("") } }
@MainActor struct Router { func open(_ url: URL?) {} }
@MainActor let router = Router()
"""


def test_the_tests_beside_the_double_pass(uikit_double):
    done = subprocess.run(["swift", "test", "--skip-build", "--package-path", UIKIT_DOUBLE], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    ran = re.search(r"Test run with (\d+) tests", done.stdout + done.stderr)
    assert ran and int(ran[1]) > 10, done.stdout[-2000:]


class Phone:
    """An app in a folder, as on a phone. It runs until it is killed."""

    def __init__(self, program, folder, info, bundle):
        self.folder = folder / f"{program.name}.app"
        self.home = folder / "home"
        self.folder.mkdir(exist_ok=True), self.home.mkdir(exist_ok=True)
        shutil.copy(program, self.folder)
        (self.folder / "Info.plist").write_bytes(plistlib.dumps(info))
        (self.folder / "longpress.json").write_bytes(bundle)
        self.process = subprocess.Popen(
            [self.folder / program.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"HOME": str(self.home), "XDG_CACHE_HOME": str(self.home)})
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(map(json.loads, self.process.stdout)), daemon=True)
        self.reader.start()

    @property
    def states(self):
        """The states that the app showed, in order."""
        return [line["state"] for line in list(self.lines) if "state" in line]

    def do(self, line):
        """Performs a person's action. Returns the items that are registered afterwards."""
        count = sum("done" in line for line in list(self.lines))
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        eventually(lambda: sum("done" in line for line in list(self.lines)) > count)
        return [line["done"] for line in list(self.lines) if "done" in line][-1]

    def items(self):
        return self.do("items")["items"]

    def kill(self):
        self.process.stdin.close()
        self.process.wait(timeout=120)
        self.reader.join(timeout=120)
        self.process.stdout.close()


MANIFEST = {"UIApplicationSceneManifest": {"UISceneConfigurations": {"UIWindowSceneSessionRoleApplication": [
    {"UISceneConfigurationName": "Default", "UISceneDelegateClassName": "SceneDelegateApp.SceneDelegate"}]}}}


@pytest.fixture
def mail(own):
    """1.0 and 3.0 of the example app."""
    own.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en", "fallbackURL": "mail://inbox"})
    sets = {
        "1.0": {"items": [item("compose"), item("help")]},
        "3.0": {"items": [
            item("draft", replaces=["compose"], url="mail://drafts/new", icon={"symbol": "pencil"}, userInfo={
                "when": {"$date": "2026-01-31T09:00:00Z"}, "key": {"$data": "AAEC"}})],
            "retired": [{"id": "help", "url": "mail://help"}]},
    }
    for version, document in sets.items():
        assert own.admin("PUT", f"/apps/{APP}/sets/{version}", document).status == 201
    return own


@pytest.fixture
def phone(uikit_double, tmp_path):
    """Installs and starts an app. A second call starts its next launch."""
    running = []

    def start(name, server, bundle=b"none", **more):
        info = plistlib.loads((ROOT / "Examples/Mail/Info.plist").read_bytes())
        info["LongpressServer"] = "http://{}:{}".format(*server.address) if server else "http://127.0.0.1:9"
        running.append(Phone(uikit_double / name, tmp_path, info | more, bundle))
        return running[-1]

    yield start
    for app in running:
        if app.process.poll() is None:
            app.kill()


def tap_of(server, version, id):
    found = [entry for entry in server.shortcuts(APP, version).json["items"] if entry["userInfo"]["longpress.item"] == id]
    return "tap " + json.dumps({"type": found[0]["type"], "userInfo": found[0]["userInfo"]})


@pytest.mark.parametrize("name, manifest", [("Mail", {}), ("SceneDelegateApp", MANIFEST), ("AppDelegateApp", {})])
def test_an_app_registers_its_menu_and_gets_every_tap_once(phone, mail, name, manifest):
    old = [tap_of(mail, "1.0", id) for id in ("compose", "help")]
    bundle = mail.get(f"/v1/apps/{APP}/versions/3.0/bundle").body
    app = phone(name, mail, bundle, **manifest)
    # A cold tap on an item that 1.0 registered. Then warm taps: the same item, a newly registered one, a static one.
    app.do(old[0])
    eventually(lambda: app.states == ["mail://drafts/new"])
    eventually(lambda: app.items())
    [draft] = app.items()
    assert draft["icon"] == "symbol pencil"
    assert (draft["kinds"]["when"], draft["kinds"]["key"], draft["kinds"]["longpress.revision"]) == ("date", "data", "number")
    for line in [old[1], "tap 0", 'tap {"type": "search"}', old[1], old[1]]:
        app.do(line)
    expected = ["mail://drafts/new", "mail://help", "mail://drafts/new", "search", "mail://help", "mail://help"]
    eventually(lambda: len(app.states) >= len(expected))
    if name != "AppDelegateApp":
        app.do("disconnect")
        app.do("tap 0")
        app.do("close")
        app.do("tap 0")
        expected += ["mail://drafts/new"] * 2
        eventually(lambda: len(app.states) >= len(expected))
    calls = app.do("items")["calls"]
    assert app.states == expected
    assert "completed false" not in calls
    eventually(lambda: list(app.home.rglob(f"{APP}.bundle")))
    app.kill()

    # Its next launch has no service: the stored menu is registered, and resolves taps.
    again = phone(name, None, bundle, **manifest)
    again.do(old[1])
    eventually(lambda: again.states == ["mail://help"])
    eventually(lambda: again.items() == [draft])


def test_the_first_launch_of_the_example_needs_no_network(phone):
    app = phone("Mail", None, (ROOT / "Examples/Mail/longpress.json").read_bytes())
    tag = {"longpress.schema": 1, "longpress.item": "compose", "longpress.version": "1.0.0"}
    app.do("tap " + json.dumps({"type": "compose", "userInfo": tag}))
    eventually(lambda: app.states == ["mail://drafts/new"])
    eventually(lambda: app.items())
    assert [entry["title"] for entry in app.items()] == ["Draft"]


def test_the_examples_bundle_is_what_the_command_prints(own, tmp_path):
    tour = {
        "1.0": [{"id": "compose", "type": "compose", "title": {"en": "Compose", "ko": "쓰기"}, "icon": {"type": "compose"}}],
        "2.0": [{"id": "new-message", "type": "compose", "replaces": ["compose"], "url": "mail://compose",
                 "title": {"en": "New Message", "ko": "새 메시지"}},
                {"id": "help", "type": "help", "url": "https://mail.example.com/help", "title": {"en": "Help", "ko": "도움말"}},
                {"id": "search", "type": "search", "enabled": False, "title": {"en": "Search", "ko": "검색"}}],
    }
    own.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en", "fallbackURL": "mail://inbox"})
    for version in ("2.0", "3.0"):
        own.admin("PUT", f"/apps/{APP}/releases/{version}", body=(ROOT / f"Examples/{version}/Info.plist").read_bytes(), type="application/x-plist")
    for version, items in tour.items():
        own.admin("PUT", f"/apps/{APP}/sets/{version}", {"items": items})
    own.admin("PUT", f"/apps/{APP}/sets/3.0", json.loads((ROOT / "Examples/3.0/menu.json").read_text()))
    printed = subprocess.run(
        [BINARY, "bundle", "--app", APP, "--version", "3.0", "--database", own.database], capture_output=True, check=True).stdout
    assert json.loads(printed) == json.loads((ROOT / "Examples/Mail/longpress.json").read_text())


def test_the_privacy_manifest_says_that_nothing_is_collected(uikit_double):
    kept = list(uikit_double.glob("*LongpressKit.resources/PrivacyInfo.xcprivacy"))
    assert len(kept) == 1
    # https://developer.apple.com/documentation/bundleresources/privacy-manifest-files
    assert plistlib.loads(kept[0].read_bytes()) == {
        "NSPrivacyTracking": False, "NSPrivacyTrackingDomains": [], "NSPrivacyCollectedDataTypes": [], "NSPrivacyAccessedAPITypes": []}


PAGES = ["README.md", "docs/ios.md", "docs/client.md", *sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "Sources/LongpressKit/LongpressKit.docc").rglob("*.md"))]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "swift")])
def test_the_swift_of_a_page_compiles(uikit_double, page, tmp_path):
    for place, block in enumerate(blocks(page, "swift")):
        if block.text.lstrip().startswith(".package("):
            continue
        file = tmp_path / f"Page{place}.swift"
        file.write_text(AROUND + block.text)
        done = subprocess.run(
            ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-typecheck", "-I", uikit_double / "Modules", file],
            capture_output=True, text=True)
        assert done.returncode == 0, f"{block}\n{done.stderr}"
