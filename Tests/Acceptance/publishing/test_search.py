"""The search over apps, published menus and drafts."""

import base64
import itertools
import json
import time
import urllib.parse
import uuid

import pytest
from longpress import OWNER, item, unique
from remote import remote

LANGUAGES = ["en", "ko", "de", "fr", "ja"]


@pytest.fixture
def mail(server, app):
    """An app with two versions, a member's menu and a draft. All of its ids contain its word."""
    server.admin("PATCH", f"/apps/{app}", {"name": "Póst", "fallbackURL": "mail://home"})
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose", {"en": "New Message", "ko": "새 메시지"}, url="mail://compose")]})
    server.admin("PUT", f"/apps/{app}/sets/2.0", {
        "items": [item("write", {"en": "Write", "de": "Straße"}, type="com.example.Kind", subtitle={"en": "to \"a\" friend"}, replaces=["compose"])],
        "retired": [{"id": "old-drafts", "url": "mail://drafts"}]})  # fmt: skip
    server.admin("PUT", f"/apps/{app}/sets/2.0?audience=member", {"items": [item("inbox", {"en": "Cafe\u0301"})]})
    server.admin("PUT", f"/apps/{app}/sets/3.0/draft", {"items": [item("planned", {"en": "Planned"}), item("write", {"en": "Write"})]})
    return app


def search(server, q, app=None, limit=None, token=OWNER):
    """All results, page by page."""
    items, cursor = [], None
    while True:
        given = {"q": q, "app": app, "limit": limit, "cursor": cursor}
        answer = server.admin("GET", "/search?" + urllib.parse.urlencode({name: each for name, each in given.items() if each}), token=token)
        assert answer.status == 200, answer.body
        page = answer.json
        assert len(page["items"]) <= (limit or 50)
        items += page["items"]
        cursor = page["next"]
        if cursor is None:
            return items


def told(results):
    return [(each["in"], each["version"], each["audience"], each["item"], each["member"], each["text"]) for each in results]


@pytest.mark.parametrize(("q", "expected"), [
    ("NEW MESS", [("set", "1.0.0", "default", "compose", "title.en", "New Message")]),
    ("새 메", [("set", "1.0.0", "default", "compose", "title.ko", "새 메시지")]),
    ("message 1.0.0", [("set", "1.0.0", "default", "compose", "title.en", "New Message")]),
    ("STRASSE", [("set", "2.0.0", "default", "write", "title.de", "Straße")]),
    ("com.example.kind", [("set", "2.0.0", "default", "write", "type", "com.example.Kind")]),
    ('"a" Friend', [("set", "2.0.0", "default", "write", "subtitle.en", 'to "a" friend')]),
    ("mail://compose", [("set", "1.0.0", "default", "compose", "url", "mail://compose")]),
    ("old-dr", [("set", "2.0.0", "default", "old-drafts", "retired[0].id", "old-drafts")]),
    ("CAFÉ", [("set", "2.0.0", "member", "inbox", "title.en", "Cafe\u0301")]),
    ("cafe", [("set", "2.0.0", "member", "inbox", "title.en", "Cafe\u0301")]),
    ("compose", [("set", "2.0.0", "default", "write", "replaces[0]", "compose"), ("set", "1.0.0", "default", "compose", "id", "compose")]),
    ("planned", [("draft", "3.0.0", "default", "planned", "id", "planned")]),
    ("write", [("set", "2.0.0", "default", "write", "id", "write"), ("draft", "3.0.0", "default", "write", "id", "write")]),
    ("member", [("set", "2.0.0", "member", None, "audience", "member")]),
    ("1.0.0", [("set", "1.0.0", "default", None, "version", "1.0.0")]),
    ("POST", [("app", None, None, None, "name", "Póst")]), ("mail://home", [("app", None, None, None, "fallbackURL", "mail://home")]),
    ("nothing is called so", []), ("%", []), ("_", []),
])  # fmt: skip
def test_what_is_found(server, mail, q, expected):
    results = search(server, q, mail)
    assert told(results) == expected
    assert all(each["app"] == mail and each["name"] == "Póst" for each in results)
    assert all((each["revision"] is None) == (each["in"] != "set") for each in results)


def test_all_apps_of_the_token_are_searched_and_no_other(server, mail):
    word = f"w{uuid.uuid4().hex[:12]}"
    others = [f"com.example.{word}.{name}" for name in "ab"]
    for other in others:
        server.admin("PUT", f"/apps/{other}", {"defaultLanguage": "en"})
        server.admin("PUT", f"/apps/{other}/sets/1.0", {"items": [item(f"{word}-item")]})
    assert [(each["app"], each["item"]) for each in search(server, word)] == [
        *((other, None) for other in others), *((other, f"{word}-item") for other in others)]  # fmt: skip
    scoped = server.admin("POST", "/tokens", {"name": unique("one app"), "role": "reader", "apps": [others[0]]}).json["token"]
    assert {each["app"] for each in search(server, word, token=scoped)} == {others[0]}
    assert server.admin("GET", f"/search?q=a&app={others[1]}", token=scoped).code == "forbidden"
    assert server.admin("GET", f"/search?q=a&app={others[0]}", token=scoped).status == 200
    assert server.get("/admin/v1/search?q=a").status == 401


def test_pages_neither_repeat_nor_drop_a_result(server, app):
    for version in range(1, 8):
        server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": [item(f"needle-{place}") for place in range(5)]})
    server.admin("PUT", f"/apps/{app}/sets/9/draft", {"items": [item("needle-9")]})
    whole = told(search(server, "needle", app, 200))
    assert len(whole) == 36 and len(set(whole)) == 36
    assert [version for version, _ in itertools.groupby(each[1] for each in whole)] == [f"{number}.0.0" for number in (7, 6, 5, 4, 3, 2, 1, 9)]
    for limit in (1, 4, 5, 36):
        assert told(search(server, "needle", app, limit)) == whole


@pytest.mark.parametrize("query", [
    "", "q=", "q=+", "q=%20%09", f"q={'x' * 201}", "q=a&limit=0", "q=a&limit=201", "q=a&cursor=x", "q=a&app=", "q=a&app=%20", "q=a&x=1",
])  # fmt: skip
def test_what_cannot_be_searched_is_refused(server, query):
    answer = server.admin("GET", f"/search?{query}")
    assert (answer.status, answer.code) == (400, "invalid-parameter")


def test_two_hundred_characters_may_be_searched(server, mail):
    assert search(server, "é" * 200, mail) == []


def test_a_cursor_that_somebody_made_up_does_no_harm(server, mail):
    for parts in ("9\n\n\n\n0", "1\na\nb\nc\n-5", f"1\n{mail}\ndefault\n\n9223372036854775807", "-1\n\n\n\n-9223372036854775808"):
        cursor = base64.urlsafe_b64encode(f"search\n{parts}".encode()).decode().rstrip("=")
        assert server.admin("GET", f"/search?q=compose&cursor={cursor}").status in (200, 400)


def test_six_hundred_menus_are_searched_quickly(server, app):
    def items(version):
        return [item(f"item-{place}", {tag: f"제목 Título {version}-{place} {tag}" for tag in LANGUAGES}) for place in range(20)]

    sets = {f"{version}.0": {"items": items(version)} for version in range(1, 601)}
    sets["300.0"]["items"][7]["title"]["fr"] = "Le dernier mot"
    for first in range(0, 600, 100):
        part = dict(itertools.islice(sets.items(), first, first + 100))
        assert server.admin("POST", "/apply?dryRun=false", {"apps": {app: {"sets": part}}}).status == 200
    began = time.monotonic()
    assert told(search(server, "DERNIER mot", app)) == [("set", "300.0.0", "default", "item-7", "title.fr", "Le dernier mot")]
    taken = time.monotonic() - began
    print(f"600 menus of 20 items in 5 languages take {taken:.3f} s")
    assert taken < 10
    # If everything matches, only one page is read.
    began = time.monotonic()
    assert len(server.admin("GET", f"/search?q=t%C3%ADtulo&app={app}&limit=200").json["items"]) == 200
    assert time.monotonic() - began < 10


def test_the_command_searches_a_service_and_a_database(server, mail):
    lines = f"{mail} 2.0.0 write id: write\n{mail} 3.0.0 write id: write (draft)\n"
    assert remote(server, "search", "Write", "--app", mail) == (0, lines, "")
    assert remote(None, "search", "write", "--app", mail, "--database", server.database) == (0, lines, "")
    status, document, _ = remote(server, "search", "cafe", "--app", mail, "--json")
    assert status == 0 and told(json.loads(document)["items"]) == [("set", "2.0.0", "member", "inbox", "title.en", "Cafe\u0301")]
    assert remote(None, "search", "nowhere", "to", "be", "found", "--database", server.database) == (0, "", "")
    assert remote(server, "search", " ")[0] == 1
