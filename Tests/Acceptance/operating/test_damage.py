"""Rows that this program cannot read, or that a newer one has stored: everything else works, and nothing is lost."""

import json
import re

import pytest

from longpress import eventually, instant, item, pass_time, soon, sql

APP = "com.example.mail"


@pytest.fixture
def mail(own):
    """An app with a set that has an item and a retired id."""
    assert own.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en"}).status == 201
    assert own.admin("PUT", f"/apps/{APP}/sets/1.0", {"items": [item("a"), item("b")], "retired": [{"id": "z"}]}).status == 201
    return own


def metric(server, name):
    return float(re.search(rf"^{re.escape(name)} (.*)$", server.get("/metrics").body.decode(), re.MULTILINE)[1])


def scheduled(server, version, ids, **times):
    path = f"/apps/{APP}/sets/{version}"
    assert server.admin("PUT", f"{path}/draft", {"items": [item(id) for id in ids]}).status in (200, 201)
    answer = server.admin("POST", f"{path}/publish", times)
    assert answer.status == 202, answer.body


def test_a_damaged_entry_of_the_schedule_is_quarantined(mail):
    times = {"at": instant(3600)}
    scheduled(mail, "2.0", "c", **times)
    scheduled(mail, "3.0", "d", **times)
    bad, good = (entry["id"] for entry in mail.admin("GET", f"/apps/{APP}/schedule").json["items"])
    sql(mail, f"UPDATE schedule SET document = '{{' WHERE id = '{bad}'")
    assert [entry["id"] for entry in mail.admin("GET", f"/apps/{APP}/schedule").json["items"]] == [good]
    pass_time(mail, APP, 3600)
    eventually(lambda: mail.admin("GET", f"/apps/{APP}/sets/3.0").status == 200)
    eventually(lambda: metric(mail, 'longpress_quarantined{kind="schedule"}') == 1)
    assert metric(mail, "longpress_unreadable_rows_total") >= 1
    assert mail.admin("GET", f"/apps/{APP}/sets/2.0").status == 404
    lines = [line for line in mail.log if " quarantined:" in line or "quarantined" in line]
    assert len(lines) == 1 and bad in lines[0]
    assert "max-age=60" in mail.shortcuts(APP, "1.0").fields["cache-control"]
    # A start retries it, and it can be cancelled.
    mail.restart()
    eventually(lambda: any("quarantined" in line for line in mail.log))
    assert mail.admin("DELETE", f"/apps/{APP}/schedule/{bad}").status == 204
    assert metric(mail, 'longpress_quarantined{kind="schedule"}') == 0


def test_a_damaged_delivery_is_quarantined(mail, consumer):
    hook = consumer.subscribe(mail, types=["shortcuts.published"])
    mail.admin("PATCH", f"/webhooks/{hook['id']}", {"enabled": False})
    mail.admin("PUT", f"/apps/{APP}/sets/2.0", {"items": []})
    held, = mail.admin("GET", f"/webhooks/{hook['id']}/deliveries").json["items"]
    sql(mail, f"UPDATE events SET app = '-' WHERE id = '{held['webhookId']}'")
    mail.admin("PATCH", f"/webhooks/{hook['id']}", {"enabled": True, "recover": True})
    mail.admin("PUT", f"/apps/{APP}/sets/3.0", {"items": []})
    eventually(lambda: consumer.received)
    eventually(lambda: metric(mail, 'longpress_quarantined{kind="delivery"}') == 1)
    assert any("quarantined" in line and held["id"] in line for line in mail.log)
    sql(mail, f"UPDATE events SET app = '{APP}' WHERE id = '{held['webhookId']}'")
    mail.restart()
    # The kill may have repeated the other delivery.
    eventually(lambda: {event["data"]["version"] for _, event in consumer.verified()} == {"2.0.0", "3.0.0"})


def test_a_damaged_endpoint_stops_neither_publishes_nor_others(mail, consumer):
    hook = consumer.subscribe(mail, types=["shortcuts.published"])
    bad = mail.admin("POST", "/webhooks", {"url": "https://hooks.example.com/"}).json["id"]
    sql(mail, f"UPDATE endpoints SET headers = 'Secret' WHERE id = '{bad}'")
    assert mail.admin("PUT", f"/apps/{APP}/sets/2.0", {"items": []}).status == 201
    eventually(lambda: consumer.received)
    assert [endpoint["id"] for endpoint in mail.admin("GET", "/webhooks").json["items"]] == [hook["id"]]
    assert not any("Secret" in line for line in mail.log)


def test_what_a_newer_node_has_stored_is_read_and_kept(mail, consumer):
    later = {"id": "b", "icon": {"type": "hologram"}, "shape": {"corners": 4}}
    added = [('"items":', '"later":true,"items":'), ('"com.example.b"', '"com.example.b","icon":{"type":"hologram"},"shape":{"corners":4}')]
    document = "document"
    for old, new in added:
        document = f"replace({document}, '{old}', '{new}')"

    def newer(table):
        sql(mail, f"UPDATE {table} SET document = {document}")
        mail.restart()

    def kept(set):
        return set["later"] is True and next(entry for entry in set["items"] if entry["id"] == "b").items() >= later.items()

    mail.admin("PUT", f"/apps/{APP}/releases/1.0", {"urlSchemes": ["mail"]})
    hook = consumer.subscribe(mail, types=["shortcuts.published"])
    newer("revisions")
    sql(mail, "UPDATE releases SET document = replace(document, '\"urlSchemes\":', '\"later\":1,\"urlSchemes\":')")
    sql(mail, f"UPDATE endpoints SET types = 'moon.phase shortcuts.published' WHERE id = '{hook['id']}'")
    sql(mail, "UPDATE audit SET action = 'moon.observed' WHERE action = 'app.created'")
    mail.restart()
    # Fetched, read, listed, compared.
    menu = mail.shortcuts(APP, "1.0")
    assert menu.status == 200 and b"hologram" not in menu.body and b"corners" not in menu.body
    for path in ("continuity", "bundle"):
        assert mail.get(f"/v1/apps/{APP}/versions/1.0/{path}").status == 200
    assert kept(mail.admin("GET", f"/apps/{APP}/sets/1.0").json)
    for path in (f"/apps/{APP}/sets", f"/apps/{APP}/revisions", f"/apps/{APP}/releases", "/audit", "/webhooks", "/export"):
        assert mail.admin("GET", path).status == 200, path
    assert any(entry["action"] == "moon.observed" for entry in mail.admin("GET", "/audit").json["items"])
    assert mail.admin("GET", f"/webhooks/{hook['id']}").json["types"] == ["moon.phase", "shortcuts.published"]
    assert mail.admin("PATCH", f"/webhooks/{hook['id']}", {"description": "d"}).json["types"] == ["moon.phase", "shortcuts.published"]
    assert mail.admin("GET", f"/apps/{APP}/releases/1.0").json["later"] == 1
    assert "hologram" in mail.admin("GET", "/export").body.decode()
    # Written again.
    assert mail.admin("PATCH", f"/apps/{APP}/sets/1.0/items/a", {"enabled": False}).status == 200
    assert kept(mail.admin("GET", f"/apps/{APP}/sets/1.0").json)
    difference = mail.admin("GET", f"/apps/{APP}/diff?from=1&to=2").json
    assert [change["id"] for change in difference["changed"]] == ["a"] and difference["set"] == {}
    assert soon(lambda at: mail.admin("POST", f"/apps/{APP}/revisions/1/restore", {"at": at})).status == 202
    eventually(lambda: mail.admin("GET", f"/apps/{APP}/revisions?limit=1").json["items"][0]["revision"] == 3)
    assert kept(mail.admin("GET", f"/apps/{APP}/sets/1.0").json)
    assert mail.admin("PUT", f"/apps/{APP}/sets/2.0", {"items": [item("b", "Draft")]}).status == 201
    # Delivered, whatever its type.
    eventually(lambda: len(consumer.received) == 3)
    sql(mail, "UPDATE events SET type = 'moon.phase'")
    delivery = mail.admin("GET", f"/webhooks/{hook['id']}/deliveries").json["items"][0]
    assert delivery["type"] == "moon.phase"
    assert mail.admin("POST", f"/deliveries/{delivery['id']}/resend").status == 202
    eventually(lambda: len(consumer.received) == 4)
    # Requests are still read strictly.
    assert mail.admin("PUT", f"/apps/{APP}/sets/1.0", {"items": [], "later": True}).status == 422
    assert mail.admin("PATCH", f"/webhooks/{hook['id']}", {"types": ["moon.rise"]}).status == 422
    assert json.loads(mail.admin("GET", f"/apps/{APP}/revisions/1").body)["revision"] == 1
