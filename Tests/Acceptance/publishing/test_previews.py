"""Preview links: a phone sees a draft in its real menu, and nobody else does."""

import json
import subprocess
import time

import pytest

from browser import Browser
from cluster import Cluster
from longpress import BINARY, ON_POSTGRES, OWNER, eventually, instant, item, sql, stored, unique
from wire import exchange, statuses

TOKENS = set()


@pytest.fixture
def menu(server, app):
    """An app whose 1.0.0 is live, with a draft that adds an item, and a release with a scheme."""
    assert server.admin("PUT", f"/apps/{app}/releases/1.0", {"staticItems": [], "urlSchemes": ["mail"]}).status == 201
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", "Live")]}).status == 201
    save(server, app, "Draft")
    return app


def save(server, app, *titles, audience="default", version="1.0"):
    items = [item(f"i{index}", title, url=f"mail://{index}") for index, title in enumerate(titles)]
    answer = server.admin("PUT", f"/apps/{app}/sets/{version}/draft?audience={audience}", {"items": items})
    assert answer.status in (200, 201), answer.body


def create(server, app, token=OWNER, **document):
    made = server.admin("POST", f"/apps/{app}/previews", document, token=token)
    assert made.status == 201, made.body
    TOKENS.add(made.json["token"])
    return made.json


def fetch(server, app, link, version="1.5", query="", token=None, **fields):
    answer = server.shortcuts(app, version, f"?preview={link['id']}{query}", Authorization=f"Bearer {token or link['token']}", **fields)
    assert answer.fields["cache-control"] == "private, no-store", answer.fields
    return answer


def shown(answer):
    """What a preview shows: draft or live, and its titles."""
    assert answer.status == 200, answer.body
    return answer.fields["longpress-preview"], [entry["localizedTitle"] for entry in answer.json["items"]]


def titles(answer):
    assert answer.status == 200 and "longpress-preview" not in answer.fields and answer.fields["cache-control"].startswith("public")
    return [entry["localizedTitle"] for entry in answer.json["items"]]


def ended(answer):
    return answer.status == 404 and answer.code == "unknown-preview"


def test_a_draft_is_followed_from_saving_to_publishing_and_no_fetch_without_the_link_sees_it(server, menu):
    link = create(server, menu, version="1.0", audience="default", expiresIn="2h")
    assert link["link"] == f"mail://longpress-preview?id={link['id']}&token={link['token']}"
    assert shown(fetch(server, menu, link)) == ("draft", ["Draft"])
    tag = fetch(server, menu, link).fields["etag"]
    assert fetch(server, menu, link, if_none_match=tag).status == 304
    for number in range(5):
        save(server, menu, f"Draft {number}")
        start = time.monotonic()
        changed = eventually(lambda: (answer := fetch(server, menu, link, if_none_match=tag)).status == 200 and answer)
        assert time.monotonic() - start < 2 and shown(changed) == ("draft", [f"Draft {number}"])
        tag = changed.fields["etag"]
        # The same URL without the link, before and after the caches have it, in every coding.
        for fields in ({}, {}, {"accept_encoding": "gzip"}):
            answer = server.shortcuts(menu, "1.5", **fields)
            assert b"Draft" not in answer.body and ("accept_encoding" in fields or titles(answer) == ["Live"])
    preview = fetch(server, menu, link).json
    published = server.admin("POST", f"/apps/{menu}/sets/1.0/publish").json["revision"]
    live = fetch(server, menu, link)
    assert shown(live) == ("live", ["Draft 4"]) and live.body == server.shortcuts(menu, "1.5").body
    assert preview["revision"] == 0 and preview["items"][0]["userInfo"]["longpress.revision"] == 0
    preview["revision"] = preview["items"][0]["userInfo"]["longpress.revision"] = published
    assert preview == live.json


def test_a_deleted_draft_shows_what_is_live(server, menu):
    link = create(server, menu)
    assert shown(fetch(server, menu, link)) == ("draft", ["Draft"])
    assert server.admin("DELETE", f"/apps/{menu}/sets/1.0/draft").status == 204
    assert shown(fetch(server, menu, link)) == ("live", ["Live"])


def test_a_link_ends_when_it_is_deleted_or_expires_or_its_creator_does(server, menu):
    deleted, short, kept = create(server, menu), create(server, menu, expiresIn="1s"), create(server, menu)
    assert server.admin("DELETE", f"/apps/{menu}/previews/{deleted['id']}").status == 204
    assert ended(fetch(server, menu, deleted))
    eventually(lambda: ended(fetch(server, menu, short)))
    assert [link["id"] for link in server.listed(f"/apps/{menu}/previews")] == [kept["id"]]
    assert server.admin("GET", f"/apps/{menu}/previews/{short['id']}").code == "unknown-resource"

    ana = server.admin("POST", "/tokens", {"name": unique("ana"), "role": "editor"}).json
    browser = Browser(server)
    assert browser.sign_in(ana["token"]).status == 201
    made = browser.ask("POST", f"/apps/{menu}/previews", {"expiresIn": "48h"})
    assert made.status == 201
    TOKENS.add(made.json["token"])
    links = [made.json, create(server, menu, token=ana["token"])]
    # A person signs out in the evening.
    assert browser.ask("DELETE", "/sessions/current").status == 204
    assert [shown(fetch(server, menu, link))[0] for link in links] == ["draft", "draft"]
    assert server.admin("DELETE", f"/tokens/{ana['id']}").status == 204
    assert all(ended(fetch(server, menu, link)) for link in links)
    assert shown(fetch(server, menu, kept))[0] == "draft"

    end = instant(3600)
    ben = server.admin("POST", "/tokens", {"name": unique("ben"), "role": "editor", "expiresAt": end}).json
    assert create(server, menu, token=ben["token"], expiresIn="48h")["expiresAt"][:19] == end[:19]


def test_a_link_of_the_configured_token_ends_with_it(own):
    app = "com.example.mail"
    own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    save(own, app, "Draft")
    link = create(own, app)
    assert link["link"] is None and shown(fetch(own, app, link)) == ("draft", ["Draft"])
    own.restart()
    assert shown(fetch(own, app, link)) == ("draft", ["Draft"])
    sql(own, "UPDATE preview_links SET configured = " + ("'\\x00'" if ON_POSTGRES else "x'00'"))
    assert ended(fetch(own, app, link))


def test_twenty_links_and_all_violations_at_once(server, menu):
    links = [create(server, menu) for _ in range(20)]
    refused = server.admin("POST", f"/apps/{menu}/previews", {})
    assert (refused.status, refused.code) == (422, "quota-exceeded") and "20 previews" in refused.json["detail"]
    assert server.admin("DELETE", f"/apps/{menu}/previews/{links[3]['id']}").status == 204
    create(server, menu)
    page = server.admin("GET", f"/apps/{menu}/previews?limit=15").json
    rest = server.admin("GET", f"/apps/{menu}/previews?limit=15&cursor={page['next']}").json
    assert (len(page["items"]), len(rest["items"]), rest["next"]) == (15, 5, None)
    wrong = server.admin("POST", f"/apps/{menu}/previews", {"version": "one", "audience": "A b", "expiresIn": "192h", "token": "x"})
    assert wrong.violations == {
        ("version", "invalid-version"), ("audience", "audience-invalid"), ("expiresIn", "duration-too-long"), ("token", "unknown-member")}


def test_wrong_requests_are_one_404_and_reveal_nothing(server, menu):
    link, other = create(server, menu), create(server, menu)
    assert ended(server.shortcuts(menu, "1.5", f"?preview={link['id']}"))
    wrong = [other["token"], OWNER, "", "lpv_", link["token"][:-1], link["token"] + "x", link["token"].upper(), "lpv_" + "é" * 43, "\0", "a" * 6000]
    for token in wrong:
        answer = server.shortcuts(menu, "1.5", f"?preview={link['id']}", Authorization=f"Bearer {token}".encode())
        assert ended(answer) or answer.status in (400, 431), (token, answer.status)
    bodies = set()
    for id in (other["id"], link["token"], "x", "%00", "%FF", "..%2F", "a" * 3000, "' OR 1=1 --".replace(" ", "%20")):
        answer = server.shortcuts(menu, "1.5", f"?preview={id}", Authorization=f"Bearer {link['token']}")
        assert ended(answer) or answer.status in (400, 414), (id, answer.status)
        if ended(answer):
            bodies.add(json.dumps({**answer.json, "instance": ""}))
    assert len(bodies) == 1
    twice = server.shortcuts(menu, "1.5", f"?preview={link['id']}&preview={link['id']}", Authorization=f"Bearer {link['token']}")
    assert (twice.status, twice.code) == (400, "invalid-parameter")
    name = "com.example.elsewhere"
    server.admin("PUT", f"/apps/{name}", {"defaultLanguage": "en"})
    assert ended(fetch(server, name, link))
    head = f"/v1/apps/{menu}/versions/1.5/shortcuts?preview={link['id']}"
    raw = f"GET {head} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {link['token']}\r\nAuthorization: Bearer {link['token']}\r\nConnection: close\r\n\r\n"
    assert statuses(exchange(server, raw.encode())) == [404]
    got = server.request("HEAD", head, fields={"Authorization": f"Bearer {link['token']}"})
    assert (got.status, got.body, got.fields["longpress-preview"]) == (200, b"", "draft")


def test_taps_on_a_previewed_item_are_resolved_and_not_counted(server, menu):
    link = create(server, menu)
    entry = fetch(server, menu, link).json["items"][0]
    answer = server.tap(menu, "1.5", {"type": entry["type"], "userInfo": entry["userInfo"]})
    assert (answer.status, answer.json["outcome"]) == (200, "removed")
    server.admin("POST", f"/apps/{menu}/sets/1.0/publish")
    answer = server.tap(menu, "1.5", {"type": entry["type"], "userInfo": entry["userInfo"]})
    assert answer.json["outcome"] == "equivalent" and answer.json["item"]["localizedTitle"] == "Draft"
    live = server.shortcuts(menu, "1.5").json["items"][0]
    assert server.tap(menu, "1.5", {"type": live["type"], "userInfo": live["userInfo"]}).json["outcome"] == "current"
    taps = f"/apps/{menu}/taps?since=2026-01-01T00:00:00Z&until=2099-01-01T00:00:00Z"
    eventually(lambda: server.admin("GET", taps).json["outcomes"] == {"current": 1})


def test_the_command_creates_lists_and_deletes_links(server, menu):
    address = "http://{}:{}".format(*server.address)

    def run(*arguments):
        done = subprocess.run([BINARY, "preview", *arguments, "--server", address], capture_output=True, text=True,
                              env={"LONGPRESS_TOKEN": OWNER}, timeout=120)
        assert done.returncode == 0, done.stderr
        return done

    made = run("create", f"{menu}/1.0", "--expires-in", "2d")
    assert made.stdout.startswith("mail://longpress-preview?id=") and "ends at" in made.stderr
    id, token = made.stdout.strip().removeprefix("mail://longpress-preview?id=").split("&token=")
    TOKENS.add(token)
    assert shown(fetch(server, menu, {"id": id, "token": token})) == ("draft", ["Draft"])
    listed = run("list", "--app", menu)
    assert id in listed.stdout and f"{menu}/1.0.0@default  by admin-token" in listed.stdout and token not in listed.stdout
    assert json.loads(run("list", "--app", menu, "--json").stdout)["items"][0]["id"] == id
    assert "was deleted" in run("delete", id, "--app", menu).stderr
    everything = json.loads(run("create", menu, "--json").stdout)
    TOKENS.add(everything["token"])
    assert everything["version"] is None and shown(fetch(server, menu, everything))[0] == "draft"
    same = ["--app", menu, "--version", "1.5", "--draft"]
    assert run(*same).stdout == run("show", *same).stdout != ""


def test_nobody_writes_a_token(server, menu):
    """Runs last in this file: the tokens of all of its tests are in no log, audit, list or database."""
    link = create(server, menu)
    fetch(server, menu, link)
    ended(fetch(server, menu, link, token=link["token"][:-1] + "_"))
    server.admin("DELETE", f"/apps/{menu}/previews/{link['id']}")
    log, data = "".join(server.log), stored(server)
    audit = json.dumps(server.listed("/audit"))
    assert link["id"] in audit and {"preview.created", "preview.deleted"} <= {entry["action"] for entry in json.loads(audit)}
    for token in TOKENS:
        assert token not in log and token not in audit and token.encode() not in data


@pytest.mark.any_engine
def test_every_node_serves_a_draft_that_another_has_just_saved(tmp_path):
    cluster = Cluster(tmp_path, 2)
    try:
        one, two = cluster.nodes
        app = "com.example.mail"
        one.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        link = create(one, app)
        for number in range(5):
            save(one, app, f"Draft {number}")
            assert shown(fetch(two, app, link)) == ("draft", [f"Draft {number}"])
        one.admin("DELETE", f"/apps/{app}/previews/{link['id']}")
        assert ended(fetch(two, app, link))
    finally:
        cluster.stop()
