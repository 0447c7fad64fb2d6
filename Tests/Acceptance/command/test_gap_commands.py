"""`longpress check` and `longpress bundle`: the real program on a database that a service uses."""

import json
import plistlib
import subprocess

import pytest

from longpress import BINARY, info_plist, item
from remote import remote


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
    assert gate(warned, "--strict")[0] == 2
    # The published set has the same title. The report lists it, but a pull request is not annotated with a warning.
    old, new = item("new-message", "N 📝"), item("more", "M 📝")
    server.admin("PUT", f"/apps/{mail}/sets/3.0", {"items": [old]})
    status, out, _ = gate({"items": [old, new]})
    assert "title-emoji, not new]" in out and "[title-emoji]" in out and out.endswith("no violations, 2 warnings (1 new)\n")
    assert gate({"items": [old]})[1].endswith("no violations, 1 warning (none new)\n") and gate({"items": [old]}, "--strict")[0] == 2
    assert gate({"items": [old]}, "--strict=new")[0] == 0 and gate({"items": [old, new]}, "--strict=new")[0] == 2
    assert [found["new"] for found in json.loads(gate({"items": [old, new]}, "--format", "json")[1])["warnings"]] == [False, True]
    annotations = gate({"items": [old, new]}, "--format", "github")[1].splitlines()
    assert [line.split(" ")[0] for line in annotations] == ["::notice", "::warning"]
    server.admin("DELETE", f"/apps/{mail}/sets/3.0")
    status, out, _ = gate({"items": [item("compose")]}, "--format", "json")
    assert status == 2 and [found["code"] for found in json.loads(out)["violations"]] == ["id-reused"]
    plist = tmp_path / "Info.plist"
    plist.write_bytes(plistlib.dumps(info_plist(mail, "3.1")))
    status, out, _ = gate(GOOD, "--plist", str(plist), "--format", "github")
    assert status == 2 and out.startswith(f"::error file={plist},title=version-mismatch::CFBundleShortVersionString: The Info.plist has")


def test_annotations_are_escaped(gate, tmp_path):
    status, out, _ = gate({"items": [item("a%b\r\nc")]}, "--format", "github", name="a,b:100%\r\n\r\n.json")
    file = str(tmp_path).replace(":", "%3A").replace(",", "%2C") + "/a%2Cb%3A100%25%0D%0A%0D%0A.json"
    assert status == 2
    first = out.splitlines()[0]
    assert first.startswith(f"::error file={file},title=id-invalid::items[0].id: ") and "a%25b" in first
    status, out, _ = gate('{"items": [', "--format", "github")
    assert status == 2 and out.startswith("::error file=") and ",title=malformed-json::" in out


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
    assert status == 2 and '"2.0-beta" is not a version' in out


def test_what_is_wrong_with_a_plist_is_a_sentence(server, mail, tmp_path):
    plist = tmp_path / "Info.plist"
    whole = plistlib.dumps(info_plist(mail, "2.0"))
    damaged = [
        (b"bplist00\xff\xff", "is not a property list", "cannot be read as a property list"),
        (whole[:-20], "is not a property list", "cannot be read as a property list"), (b"", "is not a property list", "cannot be"),
        (plistlib.dumps(["a"]), "is not a property list", "is not a dictionary"),
        (plistlib.dumps({"CFBundleIdentifier": mail}), "has no CFBundleShortVersionString", "CFBundleShortVersionString is missing"),
        (plistlib.dumps(info_plist(mail, "$(MARKETING_VERSION)")), "not of the project", "unexpanded build setting"),
        (plistlib.dumps(info_plist(mail, 2.0)), "has no CFBundleShortVersionString", "CFBundleShortVersionString must be a string"),
    ]
    for content, unnamed, sentence in damaged:
        plist.write_bytes(content)
        status, out, err = command(server, "check", "--app", mail, "--plist", str(plist))
        assert (status, out) == (1, "") and unnamed in err and err.startswith("longpress: "), (content, err)
        status, out, err = command(server, "check", "--app", mail, "--version", "2.0", "--plist", str(plist))
        assert (status, err) == (2, "") and out.startswith("violation") and sentence in out, (content, out)
    extension = plistlib.dumps(info_plist(mail, "2.0", NSExtension={}), fmt=plistlib.FMT_BINARY)
    plist.write_bytes(extension)
    status, out, _ = command(server, "check", "--app", mail, "--plist", str(plist), "--format", "json")
    assert status == 2 and [found["code"] for found in json.loads(out)["violations"]] == ["not-an-app"]


def test_what_the_command_cannot_do_is_said(server, mail, tmp_path):
    usage = {
        ("check", "--app", mail): "--version", ("check", "--version", "1"): "--app", ("check", "--app", mail, "--version", "x"): '"x" is not',
        ("check", "--app", "/", "--version", "1"): "bundle identifier", ("check", "--app", mail, "--version", "1", "--format", "xml"): "github",
        ("check", "--app", mail, "--version", "1", "--audience", "A"): "--audience", ("bundle", "--app", mail): "--version",
        ("bundle", "--app", mail, "--version", "1", "--build", "x"): "--build", ("bundle", "--app", mail, "--version", "1+"): "--version",
        ("check", "--app", mail, "--version", "1", "--loud"): "--loud", ("check", "--app", mail, "--version", "1", "--strict=old"): "old",
        ("check", "--app", mail, "--version", "1", "--strings", "x"): "tree", ("check", "menus", "--version", "1", "--set", "x"): "--set",
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
    served = server.get(f"/v1/apps/{mail}/versions/2.0/bundle?build=7&audience=*")
    assert (served.status, served.body.decode()) == (200, out) and bundle["audiences"] == {}
    served = server.get(f"/v1/apps/{mail}/versions/2.0/bundle?build=7")
    assert command(server, *ask, "--audience", "default")[:2] == (0, served.body.decode())
    assert server.admin("PUT", f"/apps/{mail}/sets/1.0?audience=member", {"items": []}).status == 201
    assert list(json.loads(command(server, *ask)[1])["audiences"]) == ["member"]
    assert json.loads(command(server, *ask, "--audience", "member")[1])["audience"] == "member"
    status, out, err = command(server, "bundle", "--app", mail, "--version", "0.1")
    assert (status, out) == (1, "") and "0.1.0" in err


def test_a_bundle_is_written_whole(server, mail, tmp_path):
    ask = ("bundle", "--app", mail, "--version", "2.0")
    file = tmp_path / "App" / "longpress.json"
    assert command(server, *ask, "--output", str(file)) == (0, "", "") and file.read_text() == command(server, *ask)[1]
    # A version without a menu leaves the file as it is.
    assert command(server, "bundle", "--app", mail, "--version", "0.1", "--output", str(file))[0] == 1
    assert file.read_text() == command(server, *ask)[1] and [path.name for path in file.parent.iterdir()] == ["longpress.json"]
    check = ("check", "--app", mail, "--version", "2.0", "--bundled", str(file))
    assert server.admin("PUT", f"/apps/{mail}/sets/1.0?audience=member", {"items": [item("m")]}).status == 201
    status, out, _ = command(server, *check)
    assert status == 0 and "bundled-outdated" in out and "nothing for the audience member" in out
    assert command(server, *ask, "--output", str(file))[0] == 0 and "bundled" not in command(server, *check)[1]
    assert command(server, *check) == (0, f"{mail} 2.0.0: no violations, no warnings\n", "")
    server.admin("PUT", f"/apps/{mail}/sets/2.0", {"items": [item("new-message", "Newer")], "retired": [{"id": "drafts"}]})
    status, out, _ = command(server, *check, "--format", "github")
    assert status == 0 and f"::warning file={file},title=bundled-outdated::" in out
    file.write_text('{"app": "com.example.other", "version": "1.0", "audience": "default", "revision": 1}')
    status, out, _ = command(server, *check)
    assert status == 2 and out.count("[bundled-mismatch]") == 2 and "longpress bundle" in out
    file.write_text("{}")
    status, out, err = command(server, *check)
    assert (status, out) == (1, "") and "is not a bundle" in err


@pytest.mark.parametrize("place", ["database", "server"])
def test_the_gate_of_a_real_app(server, mail, tmp_path, place):
    """SF Symbols, two audiences, a String Catalog, and one known warning; from the tree, before it is applied."""
    def check(*arguments):
        where = ["--database", server.database] if place == "database" else []
        return remote(None if where else server, "check", *arguments, *where, cwd=tmp_path)

    def write(name, document):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())

    def menu(url="mail://compose", symbol="square.and.pencil", retired=("drafts",)):
        return {"items": [{"id": "new-message", "type": "t", "title": {"key": "compose"}, "icon": {"symbol": symbol}, "url": url}],
                "retired": [{"id": id} for id in retired]}

    folder = f"menus/{mail}/sets"
    catalog = {"sourceLanguage": "en", "version": "1.0", "strings": {"compose": {}}}
    write("App.xcstrings", catalog)
    write("Info.plist", plistlib.dumps(info_plist(mail, "3.0", MinimumOSVersion="16.0")))
    write("Assets.xcassets/Own.symbolset/Contents.json", {})
    write(f"{folder}/3.0.json", menu())
    write(f"{folder}/3.0@member.json", menu(retired=()))
    # The app and the version are in the Info.plist.
    gate = ("menus", "--strings", "App.xcstrings", "--plist", "Info.plist", "--assets", "Assets.xcassets")
    assert check(*gate, "--strict") == (0, f"{mail} 3.0.0+9: no violations, no warnings\n", "")
    # The member's menu alone has a scheme that the app does not declare.
    write(f"{folder}/3.0@member.json", menu(url="other://x", retired=()))
    status, out, _ = check(*gate, "--strict")
    assert status == 2 and out.startswith("warning    3.0.0@member: items[0].url: ") and out.count("\n") == 2
    assert check(*gate, "--strict", "--audience", "default")[0] == 0
    status, out, err = check(*gate, "--audience", "membr")
    assert (status, out) == (1, "") and 'Did you mean "member"?' in err
    status, out, _ = check(*gate, "--format", "github")
    assert status == 0 and out.startswith(f"::warning file={folder}/3.0@member.json,title=scheme-undeclared::")
    # Known warnings are accepted, also for the next release.
    status, known, _ = check(*gate, "--format", "json")
    write("known.json", known.encode())
    write("Info.plist", plistlib.dumps(info_plist(mail, "3.1", MinimumOSVersion="16.0")))
    status, out, _ = check(*gate, "--strict", "--baseline", "known.json")
    assert (status, out) == (0, f"{mail} 3.1.0+9: no violations, no warnings, 1 accepted\n")
    write("none.json", {})
    assert "none.json is not a baseline" in check(*gate, "--baseline", "none.json")[2]
    # An own symbol of the catalog is known; a misspelt one and one that is too new are not.
    for symbol, code, hint in [("Own", None, ""), ("square.and.pencl", "symbol-unknown", "square.and.pencil"), ("service.dog", "symbol-too-new", "iOS 26.0")]:
        write(f"{folder}/3.0.json", menu(symbol=symbol))
        found = [found for found in json.loads(check(*gate, "--format", "json", "--audience", "default")[1])["warnings"]]
        assert [each["code"] for each in found] == ([code] if code else []) and all(hint in each["message"] for each in found)
    # Violations name the file of the tree.
    write(f"{folder}/3.0.json", {"items": [{"id": "new-message"}]})
    status, out, _ = check(*gate, "--format", "github")
    assert status == 2 and out.startswith(f"::error file={folder}/3.0.json,title=required::items[0].type ")
    # A text of the catalog with a format specifier.
    write(f"{folder}/3.0.json", menu())
    catalog["strings"]["compose"] = {"localizations": {"en": {"stringUnit": {"state": "translated", "value": "Write to %@"}}}}
    write("App.xcstrings", catalog)
    status, out, err = check(*gate)
    assert (status, out) == (1, "") and 'the key "compose" has the format specifier "%@" in en' in err
    status, out, err = check("menus", "--version", "3.0", "--app", "com.example.other", "--strings", "App.xcstrings")
    assert (status, out) == (1, "") and "compose" in err
    # Nothing was written.
    assert server.admin("GET", f"/apps/{mail}/sets").json["items"][-1]["version"] == "2.0.0"
