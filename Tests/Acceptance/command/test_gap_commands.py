"""`longpress check` and `longpress bundle`: the real program on a database that a service uses."""

import json
import plistlib
import subprocess

import pytest

from longpress import BINARY, info_plist, item


def command(server, *arguments, database=None):
    done = subprocess.run([str(BINARY), *arguments, "--database", str(database or server.database)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def gate(server, mail, tmp_path):
    """`longpress check` of 3.0 with a set in a file."""
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
    # The published set has the same title. The report lists it, but a pull request is not annotated with a warning.
    old, new = item("new-message", "N 📝"), item("more", "M 📝")
    server.admin("PUT", f"/apps/{mail}/sets/3.0", {"items": [old]})
    status, out, _ = gate({"items": [old, new]})
    assert "title-emoji, not new]" in out and "[title-emoji]" in out and out.endswith("no violations, 2 warnings (1 new)\n")
    assert gate({"items": [old]})[1].endswith("no violations, 1 warning (none new)\n") and gate({"items": [old]}, "--strict")[0] == 1
    assert [found["new"] for found in json.loads(gate({"items": [old, new]}, "--format", "json")[1])["warnings"]] == [False, True]
    annotations = gate({"items": [old, new]}, "--format", "github")[1].splitlines()
    assert [line.split(" ")[0] for line in annotations] == ["::notice", "::warning"]
    server.admin("DELETE", f"/apps/{mail}/sets/3.0")
    status, out, _ = gate({"items": [item("compose")]}, "--format", "json")
    assert status == 1 and [found["code"] for found in json.loads(out)["violations"]] == ["id-reused"]
    plist = tmp_path / "Info.plist"
    plist.write_bytes(plistlib.dumps(info_plist(mail, "3.1")))
    status, out, _ = gate(GOOD, "--plist", str(plist), "--format", "github")
    assert status == 1 and out.startswith(f"::error file={plist},title=version-mismatch::CFBundleShortVersionString: The Info.plist has")


def test_annotations_are_escaped(gate, tmp_path):
    status, out, _ = gate({"items": [item("a%b\r\nc")]}, "--format", "github", name="a,b:100%\r\n\r\n.json")
    file = str(tmp_path).replace(":", "%3A").replace(",", "%2C") + "/a%2Cb%3A100%25%0D%0A%0D%0A.json"
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
        assert (status, out) == (1, "") and err == f"longpress: {flags[1]} cannot be read: No such file or directory.\n"
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
    array = tmp_path / "names.json"
    array.write_text('["either", "square.and.pencil"]')
    sources = {
        str(tmp_path / "App"): (["Plain", "Inner", "Space/Named", "loose", "glyph"], ["glyph"], ["Named", "No", "notes", "Compiled"]),
        str(catalog): (["Plain"], ["glyph"], ["loose"]),
        str(printed): (["Compiled", "mark"], ["mark"], ["Tint", "Plain"]),
        str(listed): (["either"], ["either", "square.and.pencil"], ["Plain"]),
        str(array): (["either"], ["square.and.pencil"], ["Plain"]),
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
    assert list(bundle["shortcuts"]) == ["en", "ko"] and bundle["disabled"] == {"en": [], "ko": []}
    for language, menu in bundle["shortcuts"].items():
        assert menu == server.shortcuts(mail, "2.0", f"?lang={language}&build=7").json
    assert bundle["continuity"] == server.get(f"/v1/apps/{mail}/versions/2.0/continuity").json
    served = server.get(f"/v1/apps/{mail}/versions/2.0/bundle?build=7")
    assert (served.status, served.body.decode()) == (200, out)
    status, out, err = command(server, "bundle", "--app", mail, "--version", "0.1")
    assert (status, out) == (1, "") and "0.1.0" in err
