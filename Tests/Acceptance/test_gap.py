"""The update gap: what a person sees between an update and its first launch, and what a release is told beforehand."""

import base64
import json
import plistlib
import subprocess

import pytest

from longpress import BINARY, item


@pytest.fixture
def mail(server, app):
    """1.0 has two items; 2.0 brings a static one, renames the first and retires the second."""
    server.admin("PATCH", f"/apps/{app}", {"fallbackURL": "mail://inbox"})
    releases = {"1.0": {"urlSchemes": ["mail"]}, "2.0": {
        "build": "7", "urlSchemes": ["mail"], "staticItems": [{"type": "search", "title": "SEARCH"}]}}
    for version, document in releases.items():
        assert server.admin("PUT", f"/apps/{app}/releases/{version}", document).status == 201
    sets = {
        "1.0": {"items": [item("compose", {"en": "Compose", "ko": "쓰기"}), item("drafts", {"en": "Drafts", "ko": "임시"}, enabled=True)]},
        "2.0": {"items": [item("new-message", {"en": "New Message", "ko": "새 메시지"}, replaces=["compose"], url="mail://compose")],
                "retired": [{"id": "drafts", "url": "mail://drafts"}]},
    }
    for version, document in sets.items():
        answer = server.admin("PUT", f"/apps/{app}/sets/{version}", document)
        assert answer.status == 201 and answer.warnings == set(), answer.body
    return app


def simulate(server, app, query, **fields):
    return server.admin("GET", f"/apps/{app}/simulate{query}", **fields)


def rows(menu):
    return [(entry["kind"], entry["id"], entry["title"], entry["tap"]["outcome"], entry["tap"]["item"]) for entry in menu]


def test_between_update_and_first_launch_new_static_items_stand_before_old_dynamic_ones(server, mail):
    answer = simulate(server, mail, "?from=1.5&to=2.0&lang=ko")
    assert answer.status == 200 and answer.fields["content-type"] == "application/json"
    told = answer.json
    assert rows(told["menu"]) == [
        ("static", None, "SEARCH", "static", None), ("dynamic", "compose", "쓰기", "replaced", "new-message"),
        ("dynamic", "drafts", "임시", "retired", None)]
    assert told["menu"][2]["tap"] == {"outcome": "retired", "origin": "past", "item": None, "url": "mail://drafts", "refresh": True}
    assert all(entry["visible"] for entry in told["menu"]) and told["hidden"] == []
    assert told["positions"] == {"top": ["SEARCH", "쓰기", "임시"], "bottom": ["임시", "쓰기", "SEARCH"]}
    after = told["afterLaunch"]
    assert rows(after["menu"]) == [("static", None, "SEARCH", "static", None), ("dynamic", "new-message", "새 메시지", "current", "new-message")]
    assert (after["added"], after["removed"], after["changed"]) == (["new-message"], ["compose", "drafts"], [])


def test_the_simulated_tap_is_what_the_client_plane_answers(server, mail):
    told = simulate(server, mail, "?from=1.5%2B3&to=2.0.0+7").json
    assert (told["from"], told["to"]) == ("1.5.0+3", "2.0.0+7")
    served = server.shortcuts(mail, "1.5", "?build=3").json["items"]
    for entry, registered in zip([entry for entry in told["menu"] if entry["kind"] == "dynamic"], served, strict=True):
        tap = {"type": registered["type"], "userInfo": registered["userInfo"], "build": "7"}
        answer = server.tap(mail, "2.0", tap).json
        acted = (answer["item"] or {}).get("userInfo", {}).get("longpress.item")
        assert entry["tap"] == {**{name: answer[name] for name in ("outcome", "origin", "url", "refresh")}, "item": acted}


@pytest.mark.parametrize(("query", "status", "code", "word"), [
    ("?to=2.0", 400, "invalid-parameter", "from"), ("?from=2.0", 400, "invalid-parameter", "to"),
    ("", 400, "invalid-parameter", "from and to"), ("?from=2.0&to=", 400, "invalid-version", "to"),
    ("?from=2.0-beta&to=3", 400, "invalid-version", "2.0-beta"), ("?from=1&to=2&lang=!", 400, "invalid-parameter", "lang"),
    ("?from=1&to=2&audience=A", 400, "invalid-parameter", "audience"), ("?from=1&to=2&x=1", 400, "invalid-parameter", "x"),
    ("?from=1&from=2&to=2", 400, "invalid-parameter", "from"),
])
def test_a_simulation_that_cannot_be_read_is_refused(server, mail, query, status, code, word):
    answer = simulate(server, mail, query)
    assert (answer.status, answer.code) == (status, code)
    assert word in answer.json["detail"]


def test_a_simulation_is_drawn_on_request(server, mail):
    answer = simulate(server, mail, "?from=1.0&to=2.0", Accept="text/plain")
    assert answer.fields["content-type"] == "text/plain; charset=utf-8"
    text = answer.body.decode()
    assert "2. Compose: replaced, acts on new-message (New Message), which took it over" in text
    assert text.index("├ Compose") < text.index("└ Drafts") < text.index("┌ Drafts") < text.rindex("├ Compose")
    assert simulate(server, mail, "?from=1.0&to=2.0", Accept="image/png").code == "not-acceptable"
    assert simulate(server, "com.example.nowhere", "?from=1.0&to=2.0").code == "unknown-app"
    assert simulate(server, mail, "?from=1.0&to=2.0", token=None).status == 401


def info_plist(app, version, **more):
    return {"CFBundleIdentifier": app, "CFBundleShortVersionString": version, "CFBundleVersion": "9", "CFBundlePackageType": "APPL",
            "CFBundleURLTypes": [{"CFBundleURLSchemes": ["mail"]}], **more}


def check(server, app, document, **more):
    return server.admin("POST", f"/apps/{app}/check", document, **more)


def test_a_release_is_judged_as_if_it_were_the_newest(server, mail):
    judged = check(server, mail, {"version": "2.0"})
    assert (judged.status, judged.json) == (200, {"violations": [], "warnings": []})
    statics = [{"UIApplicationShortcutItemType": f"s{n}", "UIApplicationShortcutItemTitle": f"S{n}"} for n in range(4)]
    for format in (plistlib.FMT_XML, plistlib.FMT_BINARY):
        plist = plistlib.dumps(info_plist(mail, "2.0", UIApplicationShortcutItems=statics, CFBundleURLTypes=[]), fmt=format)
        judged = check(server, mail, {"version": "2.0", "infoPlist": base64.b64encode(plist).decode()})
        assert judged.json["violations"] == []
        assert judged.warnings == {
            ("items", "over-budget"), ("items[0].url", "scheme-undeclared"), ("retired[0].url", "scheme-undeclared")}
    other = plistlib.dumps(info_plist("com.example.other", "2.1"))
    judged = check(server, mail, {"version": "2.0", "infoPlist": base64.b64encode(other).decode()})
    assert judged.status == 200
    assert judged.violations == {("CFBundleIdentifier", "bundle-mismatch"), ("CFBundleShortVersionString", "version-mismatch")}


def test_a_set_is_judged_and_nothing_is_written(server, mail):
    before = server.admin("GET", f"/apps/{mail}/revisions").json
    # What a PUT would warn of, and of languages beside it.
    document = {"items": [item("new-message", {"en": "N", "ja": "N"}, icon={"file": "F"}, replaces=["nothing"]), item("more")]}
    judged = check(server, mail, {"version": "3.0", "set": document, "assets": {"images": [], "symbols": []}})
    assert judged.json["violations"] == []
    assert judged.warnings == {
        ("items[0].icon.file", "asset-missing"), ("items[0].replaces[0]", "unknown-id"), ("items[1].title.ja", "title-language-missing")}
    document = {"items": [item("compose"), item("bad", url="javascript:x", userInfo={"a": None})]}
    judged = check(server, mail, {"version": "3.0", "set": document})
    refused = server.admin("PUT", f"/apps/{mail}/sets/3.0", document)
    assert judged.status == 200 and refused.status == 422 and judged.violations == refused.violations
    judged = check(server, mail, {"version": "3.0", "set": {"items": [item("compose")]}})
    assert judged.violations == {("items[0].id", "id-reused")}
    assert check(server, mail, {"version": "0.9"}).violations == {("", "no-shortcut-set")}
    assert server.admin("GET", f"/apps/{mail}/revisions").json == before
    assert server.admin("GET", f"/apps/{mail}/releases").json["items"][-1]["build"] == "7"


@pytest.mark.parametrize(("document", "path", "code"), [
    ({}, "version", "required"), ({"version": "x"}, "version", "invalid-version"), ({"version": "1", "y": 1}, "y", "unknown-member"),
    ({"version": "1", "infoPlist": "*"}, "infoPlist", "data-invalid"),
])
def test_a_check_that_cannot_be_read_is_refused(server, mail, document, path, code):
    answer = check(server, mail, document)
    assert answer.status == 422 and (path, code) in answer.violations


def test_readers_may_check_and_a_large_plist_fits(server, mail):
    made = server.admin("POST", "/tokens", {"name": "gate", "role": "reader", "apps": [mail]}).json
    plist = plistlib.dumps(info_plist(mail, "2.0", Junk=b"x" * (3 << 20)), fmt=plistlib.FMT_BINARY)
    body = {"version": "2.0", "infoPlist": base64.b64encode(plist).decode()}
    assert check(server, mail, body, token=made["token"]).json == {"violations": [], "warnings": []}
    assert check(server, "com.example.other", body, token=made["token"]).status == 403


def command(server, *arguments, database=None):
    done = subprocess.run([str(BINARY), *arguments, "--database", str(database or server.database)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def gate(server, mail, tmp_path):
    """`longpress check` of 3.0 on a set that is put into a file."""
    def run(document, *flags, name="set.json", version="3.0"):
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return command(server, "check", "--app", mail, "--version", version, "--set", str(path), *flags)
    return run


GOOD = {"items": [item("new-message")]}


def test_the_command_is_a_gate(gate, server, mail, tmp_path):
    assert gate(GOOD) == (0, f"{mail} 3.0.0: no violations, no warnings\n", "")
    warned = {"items": [item("new-message", {"en": "N", "ja": "N"}), item("more")]}
    status, out, _ = gate(warned)
    assert status == 0 and "warning    items[1].title.ja is missing" in out and out.endswith("no violations, 1 warning\n")
    assert gate(warned, "--strict")[0] == 1
    status, out, _ = gate({"items": [item("compose")]}, "--format", "json")
    assert status == 1 and [found["code"] for found in json.loads(out)["violations"]] == ["id-reused"]
    plist = tmp_path / "Info.plist"
    plist.write_bytes(plistlib.dumps(info_plist(mail, "3.1")))
    status, out, _ = gate(GOOD, "--plist", str(plist), "--format", "github")
    assert status == 1 and out.startswith(f"::error file={plist},title=version-mismatch::CFBundleShortVersionString: The plist")


def test_annotations_are_escaped(gate, tmp_path):
    status, out, _ = gate({"items": [item("a%b\r\nc")]}, "--format", "github", name="a,b:100%.json")
    file = str(tmp_path).replace(":", "%3A").replace(",", "%2C") + "/a%2Cb%3A100%25.json"
    assert status == 1
    first = out.splitlines()[0]
    assert first.startswith(f"::error file={file},title=id-invalid::items[0].id: ") and "a%25b" in first
    status, out, _ = gate('{"items": [', "--format", "github")
    assert status == 1 and out.startswith("::error file=") and ",title=malformed-json::" in out


def test_the_version_may_be_what_the_plist_says(server, mail, tmp_path):
    plist = tmp_path / "Info.plist"
    ask = ("check", "--app", mail, "--plist", str(plist))
    for format in (plistlib.FMT_XML, plistlib.FMT_BINARY):
        plist.write_bytes(plistlib.dumps(info_plist(mail, "2.0"), fmt=format))
        assert command(server, *ask) == (0, f"{mail} 2.0.0+9: no violations, no warnings\n", "")
    plist.write_bytes(plistlib.dumps(info_plist(mail, "2.0-beta")))
    status, out, err = command(server, *ask)
    assert (status, out) == (1, "") and '"2.0-beta" is not a version' in err
    status, out, _ = command(server, *ask, "--version", "2.0")
    assert status == 1 and '"2.0-beta" is not a version' in out


def test_what_is_wrong_with_a_plist_is_a_sentence(server, mail, tmp_path):
    plist = tmp_path / "Info.plist"
    whole = plistlib.dumps(info_plist(mail, "2.0"))
    damaged = [
        (b"bplist00\xff\xff", "cannot be read as a property list"), (whole[:-20], "cannot be read as a property list"), (b"", "cannot be"),
        (plistlib.dumps(["a"]), "is not a dictionary"),
        (plistlib.dumps({"CFBundleIdentifier": mail}), "CFBundleShortVersionString is missing"),
        (plistlib.dumps(info_plist(mail, "$(MARKETING_VERSION)")), "unexpanded build setting"),
        (plistlib.dumps(info_plist(mail, 2.0)), "CFBundleShortVersionString must be a string"),
    ]
    for content, sentence in damaged:
        plist.write_bytes(content)
        status, out, err = command(server, "check", "--app", mail, "--plist", str(plist))
        assert (status, out) == (1, "") and sentence in err and err.startswith("longpress: "), (content, err)
        status, out, err = command(server, "check", "--app", mail, "--version", "2.0", "--plist", str(plist))
        assert (status, err) == (1, "") and out.startswith("violation") and sentence in out, (content, out)
    extension = plistlib.dumps(info_plist(mail, "2.0", NSExtension={}), fmt=plistlib.FMT_BINARY)
    plist.write_bytes(extension)
    status, out, _ = command(server, "check", "--app", mail, "--plist", str(plist), "--format", "json")
    assert status == 1 and [found["code"] for found in json.loads(out)["violations"]] == ["not-an-app"]


def test_what_the_command_cannot_do_is_said(server, mail, tmp_path):
    usage = {
        ("check", "--app", mail): "--version", ("check", "--version", "1"): "--app", ("check", "--app", mail, "--version", "x"): '"x" is not',
        ("check", "--app", "/", "--version", "1"): "bundle identifier", ("check", "--app", mail, "--version", "1", "--format", "xml"): "github",
        ("check", "--app", mail, "--version", "1", "--audience", "A"): "--audience", ("bundle", "--app", mail): "--version",
        ("bundle", "--app", mail, "--version", "1", "--build", "x"): "--build", ("bundle", "--app", mail, "--version", "1+"): "--version",
        ("check", "--app", mail, "--version", "1", "--loud"): "--loud",
    }
    for arguments, word in usage.items():
        status, out, err = command(server, *arguments)
        assert (status, out) == (64, "") and word in err, (arguments, err)
    done = subprocess.run([str(BINARY), "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("longpress ")
    ask = ("check", "--app", mail, "--version", "2.0")
    for flags in [("--set", "nowhere.json"), ("--plist", "nowhere.plist"), ("--assets", "nowhere")]:
        status, out, err = command(server, *ask, *flags)
        assert (status, out) == (1, "") and err == f"longpress: {flags[1]} cannot be read: check that it is there and that this user may read it.\n"
    status, out, err = command(server, "check", "--app", mail, "--plist", "nowhere.plist")
    assert (status, out) == (1, "") and "nowhere.plist cannot be read" in err
    missing = tmp_path / "missing.sqlite"
    for name in ("check", "bundle"):
        status, out, err = command(server, name, "--app", mail, "--version", "2.0", database=missing)
        assert (status, out) == (1, "") and "There is no database" in err and list(tmp_path.iterdir()) == []
        status, out, err = command(server, name, "--app", "com.example.nowhere", "--version", "1")
        assert (status, out) == (1, "") and "com.example.nowhere" in err


def test_assets_are_read_from_what_a_build_has(gate, tmp_path):
    catalog = tmp_path / "App" / "Assets.xcassets"
    for name in ["Plain.imageset", "Group/Inner.imageset", "Space/Named.imageset", "glyph.symbolset", "AppIcon.appiconset/No.imageset"]:
        (catalog / name).mkdir(parents=True)
    (catalog / "Space" / "Contents.json").write_text(json.dumps({"properties": {"provides-namespace": True}}))
    (tmp_path / "App" / "loose@2x~ipad.png").touch()
    (tmp_path / "App" / "notes.txt").touch()
    printed = tmp_path / "assets.json"
    printed.write_text(json.dumps([{"AssetStorageVersion": "x", "Timestamp": 1.5}, {"Name": "Compiled", "AssetType": "Image"},
                                   {"Name": "mark", "AssetType": "Vector Glyph"}, {"Name": "Tint", "AssetType": "Color"}]))
    listed = tmp_path / "names.txt"
    listed.write_text("either\n\n  square.and.pencil \r\n")
    sources = {
        str(tmp_path / "App"): (["Plain", "Inner", "Space/Named", "loose", "glyph"], ["glyph"], ["Named", "No", "notes", "Compiled"]),
        str(catalog): (["Plain"], ["glyph"], ["loose"]),
        str(printed): (["Compiled", "mark"], ["mark"], ["Tint", "Plain"]),
        str(listed): (["either"], ["either", "square.and.pencil"], ["Plain"]),
    }

    def warnings(assets, icon):
        document = {"items": [item("new-message", icon=icon)]}
        status, out, err = gate(document, *(word for path in assets for word in ("--assets", path)), "--format", "json")
        assert status == 0, err
        return [found["code"] for found in json.loads(out)["warnings"]]

    for path, (images, symbols, absent) in sources.items():
        for name in images:
            assert warnings([path], {"file": name}) == [], (path, name)
        for name in symbols:
            assert warnings([path], {"symbol": name}) == [], (path, name)
        for name in absent:
            assert warnings([path], {"file": name}) == ["asset-missing"], (path, name)
    assert warnings([str(printed), str(listed)], {"file": "Compiled", "symbol": "square.and.pencil"}) == []
    compiled = tmp_path / "Assets.car"
    compiled.write_bytes(b"BOMStore\0\0")
    status, _, err = gate(GOOD, "--assets", str(compiled))
    assert status == 1 and "assetutil --info" in err


def test_a_bundle_is_what_the_client_plane_answers(server, mail):
    ask = ("bundle", "--app", mail, "--version", "2.0", "--build", "7")
    status, out, _ = command(server, *ask)
    assert status == 0 and command(server, *ask)[1] == out
    bundle = json.loads(out)
    assert (bundle["app"], bundle["version"], bundle["audience"], bundle["revision"], bundle["defaultLanguage"]) == (
        mail, "2.0.0", "default", 2, "en")
    assert list(bundle["shortcuts"]) == ["en", "ko"]
    for language, menu in bundle["shortcuts"].items():
        assert menu == server.shortcuts(mail, "2.0", f"?lang={language}&build=7").json
    assert bundle["continuity"] == server.get(f"/v1/apps/{mail}/versions/2.0/continuity").json
    status, out, err = command(server, "bundle", "--app", mail, "--version", "0.1")
    assert (status, out) == (1, "") and "0.1.0" in err
