"""The menu on other platforms, and the static items for the bundle."""

import gzip
import plistlib

import pytest

from longpress import item, unique
from test_openapi import validate

WEB = "application/manifest+json"
ANDROID = "application/vnd.longpress.android+json"
FAMILY = "👩‍👩‍👧‍👦"


@pytest.fixture
def menu(server, app):
    rich = item("rich", {"en": "New Document", "ko": "새 문서"}, subtitle={"en": "From a template"}, icon={"symbol": "doc"},
                url="https://app.example/docs/new", targetContentIdentifier="docs",
                userInfo={"s": "\"\n", "i": 1, "r": 1.0, "b": True, "when": {"$date": "2026-01-31T09:00:00Z"}, "raw": {"$data": "AAE="},
                          "list": [1], "a.b": {"k": 1}})
    items = [rich, item("scheme", "Scheme", url="notes://new"), item("off", "Off", url="https://app.example/off", enabled=False),
             item("plain", FAMILY * 11), item("other", "Other", url="https://other.example/?a#b/c")]
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": items}).status == 201
    return app


def omissions(document):
    assert all(entry["reason"].endswith(".") for entry in document["omitted"])
    return [(entry["item"], entry["member"]) for entry in document["omitted"]]


def test_a_web_manifest_has_what_lies_within_its_scope(server, menu):
    answer = server.shortcuts(menu, "2.1", "?scope=https://APP.example:443/docs/", Accept=WEB)
    assert (answer.status, answer.fields["content-type"]) == (200, WEB)
    validate("GET", f"/v1/apps/{menu}/versions/2.1/shortcuts", answer)
    assert answer.json["shortcuts"] == [
        {"name": "New Document", "short_name": "New Document", "description": "From a template", "url": "https://app.example/docs/new"}]
    assert omissions(answer.json) == [
        ("rich", "icon"), ("rich", "userInfo"), ("rich", "targetContentIdentifier"), ("scheme", None), ("plain", None), ("other", None)]
    unscoped = server.shortcuts(menu, "2.1", "?lang=ko", Accept=WEB).json["shortcuts"]
    assert [entry["name"] for entry in unscoped] == ["새 문서", "Other"] and "description" not in unscoped[0]
    assert unscoped[1]["url"] == "https://other.example/?a#b/c"


@pytest.mark.parametrize("scope", ["http://app.example/", "/docs/", "notes://x", "", "https://"])
@pytest.mark.parametrize("accept", [WEB, "application/json", "text/html"])
def test_a_bad_scope_is_told(server, menu, scope, accept):
    answer = server.shortcuts(menu, "2.1", f"?scope={scope}", Accept=accept)
    assert (answer.status, answer.code) == (400, "invalid-parameter") and f'"{scope}"' in answer.json["detail"]
    assert server.shortcuts(menu, "2.1", "?scope=https://a.example&scope=https://a.example", Accept=accept).code == "invalid-parameter"


def test_android_is_given_what_its_shortcuts_take(server, menu):
    answer = server.shortcuts(menu, "2.1", "?build=7", Accept=ANDROID)
    assert (answer.status, answer.fields["content-type"]) == (200, ANDROID)
    validate("GET", f"/v1/apps/{menu}/versions/2.1/shortcuts", answer)
    told = answer.json
    served = server.shortcuts(menu, "2.1", "?build=7").json["items"]
    assert [entry["id"] for entry in told["shortcuts"]] == [entry["userInfo"]["longpress.item"] for entry in served]
    assert [entry["rank"] for entry in told["shortcuts"]] == [0, 1, 2, 3]
    rich, _, plain, other = told["shortcuts"]
    assert other["intent"]["data"] == "https://other.example/?a#b/c"
    assert (rich["shortLabel"], rich["longLabel"]) == ("New Docum…", "New Document")
    assert (rich["intent"]["action"], rich["intent"]["data"]) == ("android.intent.action.VIEW", "https://app.example/docs/new")
    lost = {"when", "raw", "list", "a.b"}
    assert rich["intent"]["extras"] == {key: value for key, value in served[0]["userInfo"].items() if key not in lost}
    assert isinstance(rich["intent"]["extras"]["r"], float) and rich["intent"]["extras"]["b"] is True
    assert (plain["shortLabel"], plain["longLabel"]) == (FAMILY * 9 + "…", FAMILY * 11)
    assert (plain["intent"]["action"], plain["intent"]["data"]) == ("android.intent.action.MAIN", None)
    assert omissions(told) == [
        ("rich", "shortLabel"), ("rich", "subtitle"), ("rich", "icon"), ("rich", 'userInfo["a.b"]'), ("rich", "userInfo.list"),
        ("rich", "userInfo.raw"), ("rich", "userInfo.when"), ("rich", "targetContentIdentifier"), ("plain", "shortLabel")]


@pytest.mark.parametrize("accept", [WEB, ANDROID])
def test_the_renderings_are_cached_like_the_menu(server, menu, accept):
    target, query = f"/v1/apps/{menu}/versions/2.1/shortcuts", "?lang=en&scope=https://app.example/docs/%3Fa%26b"
    plain = server.get(target + query, Accept=accept)
    assert plain.fields["vary"] == "Accept-Encoding, Accept" and plain.fields["content-language"] == "en"
    assert plain.fields["surrogate-key"] == f"app/{menu}" and "stale-if-error" in plain.fields["cache-control"]
    for _ in range(2):
        again = server.get(target + query, Accept=accept, If_None_Match=plain.fields["etag"])
        assert (again.status, again.body, again.fields["etag"]) == (304, b"", plain.fields["etag"])
    packed = server.get(target + query, Accept=accept, Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == plain.body and packed.fields["etag"] != plain.fields["etag"]
    head = server.request("HEAD", target + query, fields={"Accept": accept})
    assert (head.status, head.body, head.fields["content-length"]) == (200, b"", str(len(plain.body)))
    assert head.fields["etag"] == plain.fields["etag"] and head.fields["content-type"] == accept
    assert server.get(plain.fields["content-location"], Accept=accept).body == plain.body
    assert server.get(target + "?lang=en", Accept="application/json").fields["content-type"] == "application/json"
    changed = {"items": [item("new", "New", url="https://app.example/docs/")]}
    assert server.admin("PUT", f"/apps/{menu}/sets/1.0", changed).status == 200
    assert server.get(target + query, Accept=accept, If_None_Match=plain.fields["etag"]).status == 200


@pytest.mark.parametrize(("accept", "type"), [
    ("*/*", "application/json"), ("application/*", "application/json"), (f"{WEB}, application/json;q=0.9", WEB),
    (f"application/*;q=0.1, {ANDROID}", ANDROID), (f"{ANDROID};q=0, application/x-plist", "application/x-plist"),
])
def test_the_representation_is_the_one_asked_for(server, menu, accept, type):
    assert server.shortcuts(menu, "2.1", Accept=accept).fields["content-type"] == type


def test_what_there_is_not_names_what_there_is(server, menu):
    for accept in ["text/html", "application/manifest", "application/vnd.longpress.android+json;q=0"]:
        answer = server.shortcuts(menu, "2.1", Accept=accept)
        assert (answer.status, answer.code) == (406, "not-acceptable")
        for offer in ["application/json", "application/x-plist", WEB, ANDROID]:
            assert offer in answer.json["detail"]
    assert server.shortcuts(menu, "0.1", Accept=WEB).code == "no-shortcut-set"


STATIC = [
    {"UIApplicationShortcutItemType": "search", "UIApplicationShortcutItemTitle": "SEARCH", "UIApplicationShortcutItemSubtitle": 'a "b"\\\n',
     "UIApplicationShortcutItemIconType": "UIApplicationShortcutIconTypeSearch", "UIApplicationShortcutItemIconFile": "F",
     "UIApplicationShortcutItemIconSymbolName": "magnifyingglass",
     "UIApplicationShortcutItemUserInfo": {"n": 1, "r": 1.5, "b": True, "d": b"\0\1", "l": ["<&>"]}},
    {"UIApplicationShortcutItemType": "t", "UIApplicationShortcutItemTitle": "T"},
]


@pytest.fixture
def released(server, app):
    for build, items in [("511", []), ("512", STATIC)]:
        plist = {"CFBundleIdentifier": app, "CFBundleShortVersionString": "2.1", "CFBundleVersion": build, "UIApplicationShortcutItems": items}
        answer = server.admin("PUT", f"/apps/{app}/releases/2.1", body=plistlib.dumps(plist), type="application/x-plist")
        assert answer.status == 201, answer.body
    search = {**item("s", {"en": "Search", "ko": "검색"}), "type": "search"}
    assert server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [search]}).status == 201
    return app


def static(server, app, what, version="2.1.0", **more):
    answer = server.admin("GET", f"/apps/{app}/releases/{version}/static.{what}", **more)
    validate("GET", f"/admin/v1/apps/{app}/releases/{version}/static.{what}", answer)
    return answer


def test_static_items_come_back_as_they_were_imported(server, released):
    answer = static(server, released, "plist")
    assert (answer.status, answer.fields["content-type"], answer.fields["cache-control"]) == (200, "application/x-plist", "no-store")
    fragment = plistlib.loads(answer.body)
    assert fragment == {"UIApplicationShortcutItems": STATIC}
    assert plistlib.loads(static(server, released, "plist", "2.1+511").body) == {"UIApplicationShortcutItems": []}
    again = {**fragment, "CFBundleIdentifier": released, "CFBundleShortVersionString": "2.1.0", "CFBundleVersion": "512"}
    put = server.admin("PUT", f"/apps/{released}/releases/2.1.0%2B512", body=plistlib.dumps(again), type="application/x-plist")
    assert put.status == 200 and static(server, released, "plist", "2.1.0%2B512").body == answer.body


def test_static_titles_are_translated_by_the_set_in_effect(server, released):
    korean = static(server, released, "strings?lang=ko")
    assert (korean.status, korean.fields["content-type"]) == (200, "text/plain; charset=utf-8")
    nothing = "/* No translation is known. */\n"
    subtitle = nothing + '"a \\"b\\"\\\\\\n" = "a \\"b\\"\\\\\\n";\n' + nothing + '"T" = "T";\n'
    assert korean.body.decode() == '"SEARCH" = "검색";\n' + subtitle
    for query in ["", "?lang=en", "?lang=en-GB", "?lang=*"]:
        assert static(server, released, "strings" + query).body.decode() == '"SEARCH" = "Search";\n' + subtitle
    assert static(server, released, "strings?lang=fr").body.decode() == nothing + '"SEARCH" = "SEARCH";\n' + subtitle
    assert static(server, released, "strings", "2.1+511").body == b""


def test_static_items_are_for_those_who_may_read_the_app(server, released):
    reader = server.admin("POST", "/tokens", {"name": unique("r"), "role": "reader", "apps": [released]}).json["token"]
    stranger = server.admin("POST", "/tokens", {"name": unique("s"), "role": "owner", "apps": ["com.example.else"]}).json["token"]
    for what in ["plist", "strings"]:
        assert static(server, released, what, token=reader).status == 200
        assert static(server, released, what, token=stranger).status == 403
        assert static(server, released, what, token=None).status == 401
        assert static(server, released, what, "2.1+9").code == static(server, released, what, "3.0").code == "unknown-resource"
        assert static(server, released, what, "x").code == "invalid-version"
        assert static(server, released, what + "?x=1").code == "invalid-parameter"
        assert static(server, "com.example.none", what).code == "unknown-app"
    assert static(server, released, "strings?lang=_").code == "invalid-parameter"
