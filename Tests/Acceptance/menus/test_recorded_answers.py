"""Menus without personal items are answered byte for byte as before there were personal items.

The files in `recorded` were written by the program of commit 698d151e: RECORD_ANSWERS=1 pytest test_recorded_answers.py. Record again
only if an answer is meant to change."""

import json
import os
import pathlib

import pytest

from longpress import item

FOLDER = pathlib.Path(__file__).parent / "recorded"
APP = "com.example.recorded"
SETS = {
    "1.0": {"items": [
        item("compose", {"en": "New {Note}", "ko": "새 메모"}, subtitle={"ko": "{빈}"}, url="notes://compose?a=%7Bx%7D",
             icon={"symbol": "square.and.pencil", "file": "Compose", "type": "compose"}, targetContentIdentifier="{main}",
             userInfo={"text": "{name} }{ {{", "list": ["{", {"{k}": 1.0}], "date": {"$date": "2026-01-31T09:00:00Z"}, "values": {"name": "x"}}),
        item("page", "Page", url="https://app.example/page"), item("plain", "Plain"), item("four", "4"), item("five", "5"),
        item("off", {"en": "Off", "fr": "Éteint"}, enabled=False, url="notes://off"),
    ]},
    "2.0": {"items": [item("new-page", "New Page", replaces=["page"]), item("compose", {"en": "Compose"})],
            "retired": [{"id": "plain", "url": "notes://plain"}, {"id": "four"}], "fallbackURL": "notes://two"},
    "1.5@member": {"items": [item("inbox", {"en": "Inbox", "pt-BR": "Entrada"}, url="notes://inbox")]},
}  # fmt: skip

FETCHES = {
    "menu.json": ("1.2", "shortcuts", "", {}), "menu-ko.json": ("1.2", "shortcuts", "?lang=ko&build=7", {}),
    "menu-member.json": ("1.7", "shortcuts", "?audience=member", {"Accept-Language": "pt"}),
    "menu-guest.json": ("2.1", "shortcuts", "?audience=guest", {}), "menu.plist": ("1.2", "shortcuts", "", {"Accept": "application/x-plist"}),
    "menu.webmanifest": ("1.2", "shortcuts", "", {"Accept": "application/manifest+json"}),
    "menu-android.json": ("1.2", "shortcuts", "", {"Accept": "application/vnd.longpress.android+json"}),
    "continuity.json": ("2.0", "continuity", "", {}), "bundle.json": ("1.2", "bundle", "", {}),
    "bundle-member.json": ("2.0", "bundle", "?audience=member&build=3", {}),
}  # fmt: skip

TAPS = {
    "tap-compose.json": ("1.2", "compose", {"type": "com.example.compose"}), "tap-page.json": ("2.0", "page", {}),
    "tap-plain.json": ("2.0", "plain", {"lang": "ko"}), "tap-off.json": ("1.2", "off", {"audience": "default"}),
    "tap-inbox.json": ("2.0", "inbox", {"audience": "member"}), "tap-never.json": ("2.0", "never", {}),
    "tap-untagged.json": ("1.2", None, {"type": "com.example.plain"}), "tap-static.json": ("2.0", None, {"type": "static"}),
}  # fmt: skip


@pytest.fixture(scope="module")
def recorded(server):
    assert server.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en", "name": "Notes", "fallbackURL": "notes://app"}).status == 201
    release = {"staticItems": [{"type": "static", "title": "Static"}], "urlSchemes": ["notes"]}
    assert server.admin("PUT", f"/apps/{APP}/releases/2.0", release).status == 201
    for name, document in SETS.items():
        version, _, audience = name.partition("@")
        assert server.admin("PUT", f"/apps/{APP}/sets/{version}?audience={audience or 'default'}", document).status == 201
    yield server
    assert server.admin("DELETE", f"/apps/{APP}").status == 204


def compare(name, body):
    path = FOLDER / name
    if os.environ.get("RECORD_ANSWERS"):
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(body)
    assert body == path.read_bytes()


@pytest.mark.parametrize("name", FETCHES)
def test_a_fetch_is_answered_with_the_recorded_bytes(recorded, name):
    version, resource, query, fields = FETCHES[name]
    answer = recorded.get(f"/v1/apps/{APP}/versions/{version}/{resource}{query}", **fields)
    assert answer.status == 200
    compare(name, answer.body)


@pytest.mark.parametrize("name", TAPS)
def test_a_tap_is_answered_with_the_recorded_bytes(recorded, name):
    version, tapped, more = TAPS[name]
    user_info = {"own": {"values": {"name": "{x}"}}, "values": [1]}
    if tapped:
        menu = json.loads(recorded.get(f"/v1/apps/{APP}/versions/1.2/shortcuts").body)
        served = next((each["userInfo"] for each in menu["items"] if each["userInfo"]["longpress.item"] == tapped), None)
        user_info |= served or {"longpress.schema": 1, "longpress.item": tapped, "longpress.version": "1.0"}
    answer = recorded.tap(APP, version, {"type": "t", "userInfo": user_info, **more})
    assert answer.status == 200
    compare(name, answer.body)
