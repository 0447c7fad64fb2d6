"""Personal items: the service has the wording, the device has the values."""

import http.client
import json
import pathlib
import random

import pytest

from longpress import eventually, item

PERSONAL = {"source": "recent-contact", "limit": 2, "sample": {"name": "SampleName", "address": "sample@example.com"}}


def personal(id="message", **more):
    titles = {"en": "Message {name}", "ko": "{name}에게 쓰기"}
    members = {"url": "mail://compose?to={address}", "userInfo": {"who": "{address}"}, "personal": PERSONAL, **more}
    return item(id, **{"title": titles, **members})


def with_values(server):
    for line in server.get("/metrics").body.decode().splitlines():
        if line.startswith("longpress_taps_with_values_total"):
            return int(line.split()[-1])
    raise AssertionError("no such metric")


@pytest.fixture
def contacts(server, app):
    """Two audiences, a personal item between others, and a disabled one."""
    server.admin("PATCH", f"/apps/{app}", {"fallbackURL": "mail://inbox"})
    items = [item("compose"), personal(), item("search"), personal("old", enabled=False)]
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": items}).status == 201
    assert server.admin("PUT", f"/apps/{app}/sets/1.0?audience=member", {"items": [personal("m")]}).status == 201
    assert server.admin("PUT", f"/apps/{app}/sets/9.0?audience=vip", {"items": []}).status == 201
    return app


def test_a_menu_lists_templates_apart(server, contacts):
    menu = server.shortcuts(contacts, "1.0", "?lang=ko").json
    assert [each["userInfo"]["longpress.item"] for each in menu["items"]] == ["compose", "search"]
    [template] = menu["personal"]
    assert (template["at"], template["source"], template["limit"]) == (1, "recent-contact", 2)
    assert template["localizedTitle"] == "{name}에게 쓰기"
    assert template["userInfo"]["longpress.url"] == "mail://compose?to={address}" and template["userInfo"]["who"] == "{address}"


@pytest.mark.parametrize("resource, accept", [
    ("shortcuts", "application/json"), ("shortcuts", "application/x-plist"), ("shortcuts", "application/manifest+json"),
    ("shortcuts", "application/vnd.longpress.android+json"), ("continuity", "application/json"), ("bundle", "application/json"),
    ("bundle?audience=*", "application/json"),
])  # fmt: skip
def test_sample_values_are_never_served(server, contacts, resource, accept):
    answer = server.get(f"/v1/apps/{contacts}/versions/1.0/{resource}", Accept=accept)
    assert answer.status == 200 and b"ample" not in answer.body.replace(b"com.example", b"")


def test_other_platforms_name_what_they_omit(server, contacts):
    for accept in ("application/manifest+json", "application/vnd.longpress.android+json"):
        answer = server.get(f"/v1/apps/{contacts}/versions/1.0/shortcuts", Accept=accept).json
        assert {"item": "message", "member": None} in [{k: each[k] for k in ("item", "member")} for each in answer["omitted"]]
        assert "{name}" not in json.dumps(answer["shortcuts"])


@pytest.mark.parametrize("values", [
    {"values": {"name": "SECRETNAME"}}, {"longpress.values": "SECRETNAME"},
    {"userInfo": {"longpress.values": '{"name":"SECRETNAME"}'}}, {"userInfo": {"longpress.values": {"name": ["SECRETNAME"] * 200}}},
])  # fmt: skip
def test_values_in_a_tap_are_ignored_counted_and_never_kept(server, contacts, values):
    before = with_values(server)
    [template] = server.shortcuts(contacts, "1.0").json["personal"]
    user_info = {**template["userInfo"], **values.get("userInfo", {})}
    answer = server.tap(contacts, "1.0", {"type": template["type"], **values, "userInfo": user_info})
    assert answer.status == 200 and answer.json["outcome"] == "current"
    assert answer.json["item"] is None and answer.json["url"] == "mail://inbox" and answer.json["personal"] == template
    assert "SECRETNAME" not in answer.body.decode() and answer.json["tapped"] == {"who": "{address}"}
    assert with_values(server) == before + 1
    assert "SECRETNAME" not in "".join(server.log)
    assert "SECRETNAME" not in server.admin("GET", f"/apps/{contacts}/taps").body.decode()
    assert "SECRETNAME" not in server.admin("GET", "/audit").body.decode()


def test_a_tap_on_a_disabled_template(server, contacts):
    tag = {"longpress.schema": 1, "longpress.item": "old", "longpress.version": "1.0"}
    answer = server.tap(contacts, "1.0", {"type": "x", "userInfo": tag}).json
    assert answer["item"] is None and answer["url"] == "mail://inbox" and "at" not in answer["personal"]


def test_a_bundle_carries_every_audience(server, contacts):
    path = f"/v1/apps/{contacts}/versions/1.0/bundle"
    alone, everything = server.get(path), server.get(path + "?audience=*")
    assert everything.fields["content-location"].endswith("/versions/1.0.0/bundle?audience=*")
    audiences = everything.json["audiences"]
    assert {name: each for name, each in everything.json.items() if name != "audiences"} == alone.json
    assert audiences == {"member": server.get(path + "?audience=member").json, "vip": None}
    assert alone.json["disabledPersonal"]["en"][0]["userInfo"]["longpress.item"] == "old"
    assert "disabledPersonal" not in audiences["member"] and alone.json["disabled"]["en"] == []
    assert server.get(path + "?audience=*", **{"If-None-Match": everything.fields["etag"]}).status == 304
    server.admin("PUT", f"/apps/{contacts}/sets/1.0?audience=member", {"items": []})
    assert server.get(path + "?audience=*").json["audiences"]["member"]["shortcuts"]["en"]["items"] == []


def test_violations_are_listed_together(server, app):
    bad = personal(title={"en": "{name}", "ko": "{", "fr": "x"}, url="{address}://x", personal={"source": "A", "limit": 5})
    answer = server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [bad]})
    assert answer.status == 422
    assert [(each["path"].removeprefix("items[0]."), each["code"]) for each in answer.json["violations"]] == [
        ("url", "placeholder-misplaced"), ("personal.source", "source-invalid"), ("personal.limit", "integer-out-of-range"),
        ("title.ko", "placeholder-invalid"), ("title.fr", "placeholders-differ"),
        ("personal.sample.name", "placeholder-undeclared"), ("personal.sample.address", "placeholder-undeclared"),
    ]  # fmt: skip


def test_the_document_makes_every_round_trip(server, contacts):
    document = server.admin("GET", f"/apps/{contacts}/sets/1.0").json
    assert document["items"][1]["personal"] == PERSONAL
    assert server.admin("PUT", f"/apps/{contacts}/sets/1.0", document).status == 200
    changed = server.admin("PATCH", f"/apps/{contacts}/sets/1.0/draft/items/message", {"personal": {"limit": None}})
    assert changed.status in (200, 201)
    draft = server.admin("GET", f"/apps/{contacts}/sets/1.0/draft").json
    assert "limit" not in draft["items"][1]["personal"]
    difference = server.admin("GET", f"/apps/{contacts}/sets/1.0/diff?to=draft").json
    assert difference["changed"][0]["fields"]["personal"]["new"] == draft["items"][1]["personal"]
    assert server.admin("POST", f"/apps/{contacts}/sets/1.0/publish", {}).status == 200
    export = server.admin("GET", f"/export?app={contacts}").json
    assert server.admin("POST", "/import?replace=true", export).status == 200
    assert server.admin("GET", f"/apps/{contacts}/sets/1.0").json == draft
    assert server.shortcuts(contacts, "1.0").json["personal"][0]["limit"] == 1
    preview = server.admin("GET", f"/apps/{contacts}/preview?version=1.0").json
    assert [each["title"] for each in preview["menu"]] == ["Title", "Message SampleName", "Title"]
    assert preview["menu"][1]["url"] == "mail://compose?to=sample%40example.com"
    merged = server.admin("POST", "/merge", {"base": draft, "mine": document, "theirs": draft}).json
    assert merged["set"] == document and merged["conflicts"] == []


def test_values_of_taps_are_stored_logged_and_answered_nowhere(server, contacts):
    """10,000 taps, as somebody would send them who does not use the library."""
    connection = http.client.HTTPConnection(*server.address, timeout=60)
    dice = random.Random(3)
    before = with_values(server)
    for number in range(10_000):
        secret = f"confidential{dice.getrandbits(60)}"
        values = json.dumps({"name": secret, "address": secret + "@example.com"})
        tag = {"longpress.schema": 1, "longpress.item": dice.choice(["message", "old", "m", "x"]), "longpress.version": "1.0.0"}
        tap = {"type": "t", "userInfo": {**tag, "longpress.values": dice.choice([values, secret, {"name": secret}, [secret]])}}
        if number % 3 == 0:
            tap["values"] = {"name": secret}
        connection.request("POST", f"/v1/apps/{contacts}/versions/1.0/taps", json.dumps(tap), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200 and b"confidential" not in body, body
    assert with_values(server) - before == 10_000
    # The counts are written in the background.
    eventually(lambda: server.admin("GET", f"/apps/{contacts}/taps").json["items"])
    assert "confidential" not in "".join(server.log)
    if isinstance(server.database, pathlib.Path):
        for path in server.database.parent.glob(server.database.name + "*"):
            assert b"confidential" not in path.read_bytes(), path
