"""The update gap: the menu between an update and its first launch, and the findings about a release before it ships."""

import base64
import json
import plistlib

import pytest

from longpress import info_plist, item, unique


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
    assert told == simulate(server, mail, "?from=1.5%203&to=2.0.0%2B7").json
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
    assert "2. Compose: replaced, acts on new-message (New Message), which replaces it" in text
    assert text.index("├ Compose") < text.index("└ Drafts") < text.index("┌ Drafts") < text.rindex("├ Compose")
    assert simulate(server, mail, "?from=1.0&to=2.0", Accept="image/png").code == "not-acceptable"
    assert simulate(server, "com.example.nowhere", "?from=1.0&to=2.0").code == "unknown-app"
    assert simulate(server, mail, "?from=1.0&to=2.0", token=None).status == 401


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
    # The warnings of a PUT, and one about languages.
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


def test_a_draft_is_what_is_about_to_go_out(server, mail):
    def found(version):
        return server.admin("POST", f"/apps/{mail}/check", {"version": version}).warnings

    assert found("2.0") == set()
    server.admin("PUT", f"/apps/{mail}/sets/3.0/draft", {"items": []})
    assert found("2.0") == set() and found("3.1") == {("items", "id-dropped")}
    server.admin("PUT", f"/apps/{mail}/sets/4.0", {"items": [], "retired": [{"id": "new-message"}]})
    assert found("3.1") == {("items", "id-dropped")} and found("4.0") == set()


@pytest.mark.parametrize(("document", "path", "code"), [
    ({}, "version", "required"), ({"version": "x"}, "version", "invalid-version"), ({"version": "1", "y": 1}, "y", "unknown-member"),
    ({"version": "1", "infoPlist": "*"}, "infoPlist", "data-invalid"),
])
def test_a_check_that_cannot_be_read_is_refused(server, mail, document, path, code):
    answer = check(server, mail, document)
    assert answer.status == 422 and (path, code) in answer.violations


def test_readers_may_check_and_a_large_plist_fits(server, mail):
    made = server.admin("POST", "/tokens", {"name": unique("gate"), "role": "reader", "apps": [mail]}).json
    plist = plistlib.dumps(info_plist(mail, "2.0", Junk=b"x" * (3 << 20)), fmt=plistlib.FMT_BINARY)
    body = {"version": "2.0", "infoPlist": base64.b64encode(plist).decode()}
    assert check(server, mail, body, token=made["token"]).json == {"violations": [], "warnings": []}
    assert check(server, "com.example.other", body, token=made["token"]).status == 403
