"""The main job, from an upload to a tap, on real input."""

import gzip
import hashlib
import json
import plistlib

import pytest

from longpress import item

APP = "com.example.notes"


def info_plist(version, build, **more):
    return {
        "CFBundleIdentifier": APP, "CFBundleShortVersionString": version, "CFBundleVersion": build,
        "CFBundlePackageType": "APPL", "CFBundleDisplayName": "Notes", "MinimumOSVersion": "15.0",
        "CFBundleURLTypes": [{"CFBundleURLSchemes": ["notes"]}],
        "UIApplicationShortcutItems": [
            {"UIApplicationShortcutItemType": "search", "UIApplicationShortcutItemTitle": "SEARCH",
             "UIApplicationShortcutItemIconType": "UIApplicationShortcutIconTypeSearch"}
        ],
        **more,
    }


def titles(en, ko, ja):
    return {"en": en, "ko": ko, "ja": ja}


@pytest.fixture(scope="module")
def notes(server):
    assert server.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en", "fallbackURL": "notes://home"}).status == 201
    for version, build, format in [("2.0.0", "210", plistlib.FMT_XML), ("3.0.0", "512", plistlib.FMT_BINARY)]:
        body = plistlib.dumps(info_plist(version, build), fmt=format)
        answer = server.admin("PUT", f"/apps/{APP}/releases/{version}", body=body, type="application/x-plist")
        assert answer.status == 201, answer.body
        assert answer.json["build"] == build and answer.json["urlSchemes"] == ["notes"]
        assert answer.json["minimumOSVersion"] == "15.0"
        assert answer.json["staticItems"] == [{"type": "search", "title": "SEARCH", "icon": {"type": "search"}}]
    sets = {
        "1.0.0": {"items": [item("compose", titles("Compose", "쓰기", "書く")), item("inbox", titles("Inbox", "받은 메모", "受信箱"))]},
        "2.0.0": {"items": [
            item("new-note", titles("New Note", "새 메모", "新規"), replaces=["compose"], url="notes://new",
                 userInfo={"count": 1, "ratio": 1.0, "on": True, "when": {"$date": "2026-01-31T09:00:00Z"}, "raw": {"$data": "AAE="}}),
            item("inbox", titles("Inbox", "받은 메모", "受信箱"))]},
        "3.0.0": {"items": [item("new-page", titles("New Page", "새 페이지", "新規"), replaces=["new-note"], url="notes://page")],
                  "retired": [{"id": "inbox", "url": "notes://library"}]},
    }
    for version, document in sets.items():
        answer = server.admin("PUT", f"/apps/{APP}/sets/{version}", document)
        assert answer.status == 201, answer.body
        assert answer.warnings == set(), answer.body
    return server


@pytest.mark.parametrize(("version", "query", "status", "start"), [
    ("0.9", "", 404, None), ("1.5", "", 200, "1.0.0"), ("2.1.0", "", 200, "2.0.0"), ("2.1.0", "?build=512", 200, "2.0.0"),
    ("9.9", "", 200, "3.0.0"),
])
def test_a_backend_fetches_the_set_in_effect_with_its_own_version_in_every_item(notes, version, query, status, start):
    answer = notes.shortcuts(APP, version, query)
    assert answer.status == status
    if status == 404:
        assert answer.code == "no-shortcut-set" and answer.fields["cache-control"] == "public, max-age=60"
        return
    menu = answer.json
    assert menu["effectiveFrom"] == start
    stamped = ".".join((version.split(".") + ["0", "0"])[:3]) + ("+512" if query else "")
    assert {entry["userInfo"]["longpress.version"] for entry in menu["items"]} == {stamped}
    again = notes.shortcuts(APP, version, query, If_None_Match=answer.fields["etag"])
    assert (again.status, again.body) == (304, b"")
    for name in ["etag", "cache-control", "vary", "content-location"]:
        assert again.fields[name] == answer.fields[name]


def test_a_version_with_a_build_in_the_path_is_no_version(notes):
    for path in ["2.1.0+512", "2.1.0%2B512"]:
        assert notes.shortcuts(APP, path).code == "invalid-version"


@pytest.mark.parametrize(("query", "accept", "language"), [
    ("?lang=ko", None, "ko"), ("?lang=ko-KR", None, "ko"), ("?lang=fr", "ja", "en"), ("", "fr, ja;q=0.5", "ja"), ("", None, "en"),
    ("?lang=ko_KR", None, "ko"), ("", "ko_KR", "ko"), ("", "fr_FR, JA_jp;q=0.5", "ja"), ("?lang=en-GB-oed", None, "en"),
    ("", "i-klingon, ko;q=0.1", "ko"),
])
def test_the_answer_is_in_the_language_that_fits(notes, query, accept, language):
    answer = notes.shortcuts(APP, "2.1", query, **({"Accept_Language": accept} if accept else {}))
    assert answer.fields["content-language"] == language == answer.json["language"]
    assert ("Accept-Language" in answer.fields["vary"]) == (not query)


def test_gzip_and_a_property_list_come_when_asked_for(notes):
    plain = notes.shortcuts(APP, "2.1")
    packed = notes.shortcuts(APP, "2.1", Accept_Encoding="gzip")
    assert packed.fields["content-encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body
    assert packed.fields["etag"] != plain.fields["etag"]
    listed = notes.shortcuts(APP, "2.1", Accept="application/x-plist")
    menu = plistlib.loads(listed.body)
    info = menu["items"][0]["userInfo"]
    assert info["when"].isoformat() == "2026-01-31T09:00:00" and info["raw"] == b"\0\1"
    assert (info["count"], info["ratio"], info["on"]) == (1, 1.0, True)
    assert isinstance(info["ratio"], float) and info["on"] is True
    assert notes.shortcuts(APP, "2.1", Accept="text/html").status == 406


def test_the_tag_holds_the_action_hash(notes):
    info = notes.shortcuts(APP, "2.1").json["items"][0]["userInfo"]
    canonical = (
        '{"type":"com.example.new-note","url":"notes://new","userInfo":{"count":1,"on":true,"ratio":1.0,"raw":{"$data":"AAE="},'
        '"when":{"$date":"2026-01-31T09:00:00Z"}}}'
    )
    assert info["longpress.action"] == hashlib.sha256(canonical.encode()).hexdigest()[:16]
    assert info["longpress.url"] == "notes://new" and info["longpress.schema"] == 1


def tag(id, version, **more):
    return {"longpress.schema": 1, "longpress.item": id, "longpress.version": version, **more}


@pytest.mark.parametrize(("installed", "tap", "outcome", "origin", "landing", "url", "refresh"), [
    ("3.0", {"type": "x", "userInfo": tag("compose", "1.0")}, "replaced", "past", "new-page", None, True),
    ("3.0", {"type": "x", "userInfo": tag("inbox", "2.0")}, "retired", "past", None, "notes://library", True),
    ("1.5", {"type": "x", "userInfo": tag("new-page", "3.0")}, "replaced", "future", "compose", None, True),
    ("2.5", {"type": "x", "userInfo": tag("inbox", "2.0")}, "changed", "past", "inbox", None, True),
    ("3.0", {"type": "search"}, "static", "unknown", None, None, False),
    ("1.0", {"type": "search"}, "unknown", "unknown", None, "notes://home", True),
    ("3.0", {"type": "com.example.new-page", "userInfo": {"longpress.schema": 2}}, "untagged", "unknown", "new-page", None, True),
    ("3.0", {"type": "gone", "userInfo": tag("never", "2.0")}, "removed", "past", None, "notes://home", True),
    ("3.0", {"type": "x", "userInfo": {**tag("compose", "1.0"), "longpress.schema": "1"}}, "replaced", "past", "new-page", None, True),
    ("3.0", {"type": "x", "userInfo": tag("com pose", "1.0")}, "unknown", "unknown", None, "notes://home", True),
    ("0.5", {"type": "x", "userInfo": tag("compose", "1.0")}, "removed", "future", None, "notes://home", True),
])
def test_a_tap_before_the_first_launch_lands_where_it_should(notes, installed, tap, outcome, origin, landing, url, refresh):
    answer = notes.tap(APP, installed, {**tap, "unknown": 1})
    assert answer.status == 200, answer.body
    told = answer.json
    assert (told["outcome"], told["origin"], told["url"], told["refresh"]) == (outcome, origin, url, refresh)
    assert (told["item"] or {}).get("userInfo", {}).get("longpress.item") == landing
    assert answer.fields["cache-control"] == "no-store"


def test_a_served_item_is_current_and_in_another_language_equivalent(notes):
    served = notes.shortcuts(APP, "2.1", "?lang=ko").json["items"][0]
    tap = {"type": served["type"], "userInfo": served["userInfo"], "lang": "ko"}
    told = notes.tap(APP, "2.1", tap).json
    assert (told["outcome"], told["origin"], told["refresh"]) == ("current", "same", False)
    assert told["tapped"] == {key: value for key, value in served["userInfo"].items() if not key.startswith("longpress.")}
    assert told["item"] == served
    assert notes.tap(APP, "2.1", {**tap, "lang": "en"}).json["outcome"] == "equivalent"
    changed = {**served["userInfo"], "longpress.action": "0" * 16}
    assert notes.tap(APP, "2.1", {**tap, "userInfo": changed}).json["outcome"] == "changed"


@pytest.mark.parametrize(("body", "status", "path", "code"), [
    (plistlib.dumps(info_plist("4.0", "1", NSExtension={})), 422, "NSExtension", "not-an-app"),
    (plistlib.dumps(info_plist("$(MARKETING_VERSION)", "1")), 422, "CFBundleShortVersionString", "build-setting"),
    (plistlib.dumps(info_plist("4.1", "1")), 422, "CFBundleShortVersionString", "version-mismatch"),
    (plistlib.dumps({**info_plist("4.0", "1"), "CFBundleIdentifier": "other"}), 422, "CFBundleIdentifier", "bundle-mismatch"),
    (plistlib.dumps(info_plist("4.0", "1"))[:300], 400, None, "bad-request"),
    (plistlib.dumps(info_plist("4.0", "1"), fmt=plistlib.FMT_BINARY)[:200], 400, None, "bad-request"),
    (plistlib.dumps(info_plist("4.0", "1", Junk=b"x" * (5 << 20))), 413, None, "content-too-large"),
])
def test_a_plist_that_is_not_the_release_changes_nothing(notes, body, status, path, code):
    answer = notes.admin("PUT", f"/apps/{APP}/releases/4.0", body=body, type="application/x-plist")
    assert answer.status == status, answer.body
    if path:
        assert (path, code) in answer.violations
    else:
        assert answer.code == code
    assert notes.admin("GET", f"/apps/{APP}/releases/4.0").status == 404


def test_a_set_reads_back_as_it_was_put(notes):
    answer = notes.admin("GET", f"/apps/{APP}/sets/2.0")
    put = notes.admin("PUT", f"/apps/{APP}/sets/2.0", body=answer.body)
    assert put.status == 200 and f'"{put.json["revision"]}"' == answer.fields["etag"] == put.fields["etag"]
    assert json.loads(answer.body)["items"][0]["userInfo"]["ratio"] == 1.0 and b'"ratio":1.0' in answer.body


def test_continuity_tells_what_became_of_every_id(notes):
    answer = notes.get(f"/v1/apps/{APP}/versions/3.0/continuity")
    assert answer.status == 200 and answer.json["revision"] == 3
    ids = answer.json["ids"]
    assert ids["compose"] == {"outcome": "replaced", "item": "new-page", "action": ids["new-page"]["action"], "url": None}
    assert ids["inbox"] == {"outcome": "retired", "item": None, "action": None, "url": "notes://library"}
    again = notes.get(f"/v1/apps/{APP}/versions/3.0/continuity", If_None_Match=answer.fields["etag"])
    assert again.status == 304
    assert notes.get(f"/v1/apps/{APP}/versions/0.1/continuity").code == "no-shortcut-set"
