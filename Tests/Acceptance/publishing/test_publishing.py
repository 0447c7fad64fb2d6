"""Drafts, schedules, history: publishing that a team can trust."""

import datetime
import random
import re
import signal
import socket
import time
import uuid

import pytest

from longpress import OWNER, Longpress, eventually, instant, item, pass_time, source, sql, unique


def max_age(answer):
    return int(answer.fields["cache-control"].split("max-age=")[1].split(",")[0])


def token(server, role, *apps):
    return server.admin("POST", "/tokens", {"name": unique(role), "role": role, "apps": list(apps) or None}).json["token"]


def titles(server, app, version="1.0"):
    return [i["localizedTitle"] for i in server.shortcuts(app, version).json.get("items", [])]


# Messages


def test_a_message_is_stored_with_the_revision(server, app):
    place = f"/apps/{app}/sets/1.0"
    assert server.admin("PUT", place + "?message=The%20first%20menu", {"items": [item("a")]}).status == 201
    server.admin("PATCH", place + "/items/a?message=Better", {"title": {"en": "B"}})
    server.admin("PUT", place + "/draft", {"items": [item("c")]})
    assert server.admin("POST", place + "/publish", {"message": "From a draft"}).status == 200
    server.admin("POST", f"/apps/{app}/revisions/1/restore", {"message": "새 메모 was better"})
    server.admin("DELETE", place + "?message=Not%20needed")
    applied = server.admin("POST", "/apply", {"apps": {app: {"sets": {"1.0": {"items": [item("d")]}}}}, "message": "Merge 7"})
    assert applied.status == 200
    server.admin("PUT", place, {"items": [item("e")]})
    revisions = server.admin("GET", f"/apps/{app}/revisions").json["items"]
    assert [revision.get("message") for revision in revisions] == [
        None, "Merge 7", "Not needed", "새 메모 was better", "From a draft", "Better", "The first menu"]
    assert server.admin("GET", f"/apps/{app}/revisions/3").json["message"] == "From a draft"
    assert server.admin("GET", f"/apps/{app}/diff?from=1&to=3").json["to"]["message"] == "From a draft"
    audit = server.admin("GET", f"/audit?app={app}").json["items"]
    assert {"Merge 7", "Not needed", "Better"} <= {entry.get("message") for entry in audit}


def test_a_message_is_one_short_line(server, app):
    place = f"/apps/{app}/sets/1.0"
    refused = server.admin("PUT", place + "?message=a%0Ab", {"items": []})
    assert (refused.status, refused.code) == (400, "invalid-parameter")
    assert refused.json["detail"] == (
        'message: "a\\nb" is not a valid message. Write one line of 1 to 200 characters, without control characters, or leave the message out.')
    server.admin("PUT", place + "/draft", {"items": []})
    for message in ["", " ", "x" * 201, 7]:
        assert server.admin("POST", place + "/publish", {"message": message}).status == 422
        applied = server.admin("POST", "/apply", {"apps": {app: {}}, "message": message})
        assert applied.status == 422 and [violation["path"] for violation in applied.json["violations"]] == ["message"]
    assert server.admin("POST", place + "/publish", {"message": "x" * 200}).status == 200


# Drafts


def test_an_editor_drafts_and_a_publisher_publishes(server, app):
    editor, publisher, reader = (token(server, role, app) for role in ("editor", "publisher", "reader"))
    place = f"/apps/{app}/sets/1.0"
    document = {"items": [item("a", "Draft")]}
    assert server.admin("PUT", place + "/draft", document, reader).status == 403
    saved = server.admin("PUT", place + "/draft", document, editor)
    assert (saved.status, saved.json) == (201, {"warnings": []})
    assert server.admin("GET", place + "/draft", token=reader).json == document
    assert server.shortcuts(app, "1.0").status == 404
    assert server.admin("POST", place + "/publish", token=editor).status == 403
    published = server.admin("POST", place + "/publish", {}, publisher)
    assert (published.status, published.json, published.fields["etag"]) == (200, {"revision": 1, "warnings": []}, '"1"')
    assert titles(server, app) == ["Draft"]
    assert server.admin("GET", place + "/draft").code == "unknown-resource"
    assert server.admin("POST", place + "/publish").code == "unknown-resource"


def test_a_draft_is_checked_like_a_set(server, app):
    draft = f"/apps/{app}/sets/2.0/draft"
    refused = server.admin("PUT", draft, {"items": [{"id": "a"}, {"id": "a", "ulr": 1}]})
    assert refused.status == 422 and len(refused.violations) >= 5
    assert server.admin("GET", draft).status == 404
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a")], "retired": [{"id": "old"}]})
    assert server.admin("PUT", draft, {"items": [item("b")]}).warnings == {("items", "id-dropped")}
    assert server.admin("PUT", draft, {"items": [item("old")]}).code == "id-reused"


def test_an_id_of_a_former_revision_is_warned_of_until_something_resolves_it(server, app):
    place = f"/apps/{app}/sets/1.0"
    server.admin("PUT", place, {"items": [item("a"), item("b")]})
    told = [server.admin("PUT", place, {"items": [item("b", {"en": title})]}).json["warnings"] for title in "123"]
    assert [[(each["code"], each["new"]) for each in warnings] for warnings in told] == [[("id-dropped", new)] for new in (True, False, False)]
    assert all('"a"' in each["message"] for warnings in told for each in warnings)
    tried = server.admin("PUT", f"/apps/{app}/sets/2.0/draft?dryRun=true", {"items": [item("b")]})
    assert tried.warnings == {("items", "id-dropped")}
    assert not server.admin("PUT", place, {"items": [item("b", replaces=["a"])]}).warnings
    assert not server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("b")]}).warnings


def test_two_editors_of_a_draft_cannot_overwrite_each_other(server, app):
    draft = f"/apps/{app}/sets/1.0/draft"
    first = server.admin("PUT", draft, {"items": [item("a")]}, If_None_Match="*")
    assert server.admin("PUT", draft, {"items": [item("b")]}, If_None_Match="*").status == 412
    second = server.admin("PUT", draft, {"items": [item("b")]}, If_Match=first.fields["etag"])
    assert second.status == 200
    assert server.admin("PUT", draft, {"items": [item("c")]}, If_Match=first.fields["etag"]).status == 412
    assert server.admin("DELETE", draft, If_Match=first.fields["etag"]).status == 412
    assert server.admin("POST", f"/apps/{app}/sets/1.0/publish", If_Match=first.fields["etag"]).status == 412
    assert server.admin("POST", f"/apps/{app}/sets/1.0/publish", If_Match=second.fields["etag"]).status == 200


def test_a_publish_of_a_draft_can_insist_on_the_set(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a")]})
    publish = f"/apps/{app}/sets/1.0/publish"
    assert server.admin("POST", publish, If_Match='"7"').status == 412
    assert server.admin("POST", publish, If_None_Match="*").status == 412
    assert server.admin("POST", publish, {"at": instant(60)}, If_Match='"7"').status == 412
    assert server.admin("POST", publish, If_Match='"1"').json["revision"] == 2


# Schedules


def test_a_scheduled_publish_takes_effect_by_itself(server, app, consumer):
    consumer.subscribe(server, apps=[app])
    place = f"/apps/{app}/sets/1.0"
    server.admin("PUT", place, {"items": [item("a", "Now")]})
    server.admin("PUT", place + "/draft", {"items": [item("a", "Then")]})
    planned = server.admin("POST", place + "/publish", {"at": instant(3600)})
    assert planned.status == 202 and server.admin("GET", f"/apps/{app}/drafts").json["items"] == []
    assert server.admin("GET", f"/apps/{app}/schedule").json == {"items": [planned.json], "next": None}
    assert planned.json == {"id": planned.json["id"], "at": planned.json["at"], "kind": "publish", "version": "1.0.0", "audience": "default",
                            "revision": None, "by": "admin-token", "set": {"items": [item("a", "Then")]}}
    assert titles(server, app) == ["Now"]
    pass_time(server, app, 3600)
    eventually(lambda: titles(server, app) == ["Then"])
    assert server.admin("GET", f"/apps/{app}/schedule").json["items"] == []
    assert server.admin("GET", f"/apps/{app}/revisions/2").json["by"] == "admin-token"
    eventually(lambda: len(consumer.received) >= 3)
    # Deliveries of a webhook without an order overtake each other.
    events = sorted((payload for _, payload in consumer.verified()), key=lambda payload: payload["type"])
    assert [e["type"] for e in events] == ["shortcuts.published", "shortcuts.published", "shortcuts.scheduled"]
    assert events[2]["data"] == {"app": app, "audience": "default", "version": "1.0.0", "at": planned.json["at"]} | source("schedule", planned.json["id"])


def test_no_answer_outlives_the_next_publish(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a")]})
    paths = [f"/v1/apps/{app}/versions/1.0/shortcuts", f"/v1/apps/{app}/versions/1.0/continuity", f"/v1/apps/{app}/versions/0.9/shortcuts"]
    for path in paths:
        assert max_age(server.get(path)) == 60
    server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": []})
    entry = server.admin("POST", f"/apps/{app}/sets/1.0/publish", {"at": instant(50)}).json
    at = datetime.datetime.fromisoformat(entry["at"]).timestamp()
    for path in paths:
        begun, answer = time.time(), server.get(path)
        assert at - time.time() - 2 < max_age(answer) <= at - begun + 0.1
        assert "stale-while-revalidate" not in answer.fields["cache-control"]
    assert server.admin("DELETE", f"/apps/{app}/schedule/{entry['id']}").status == 204
    later = server.admin("PUT", f"/apps/{app}/sets/1.0?until={instant(3000)}", {"items": [item("b")]})
    assert later.json["revision"] == 2
    assert max_age(server.get(paths[0])) == 60
    assert server.get(paths[0]).fields["cache-control"] == "public, max-age=60, stale-if-error=604800"
    (way_back,) = server.admin("GET", f"/apps/{app}/schedule").json["items"]
    assert server.admin("DELETE", f"/apps/{app}/schedule/{way_back['id']}").status == 204
    assert "stale-while-revalidate=86400" in server.get(paths[0]).fields["cache-control"]


@pytest.mark.parametrize("body, expected", [
    ({"at": "2020-01-01T00:00:00Z"}, {("at", "time-past")}), ({"at": "soon"}, {("at", "date-invalid")}), ({"on": 1}, {("on", "unknown-member")}),
])  # fmt: skip
def test_a_time_that_cannot_be_is_refused(server, app, body, expected):
    server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": []})
    answer = server.admin("POST", f"/apps/{app}/sets/1.0/publish", body)
    assert (answer.status, answer.violations) == (422, expected)
    assert len(server.admin("GET", f"/apps/{app}/drafts").json["items"]) == 1 and server.admin("GET", f"/apps/{app}/schedule").json["items"] == []


def test_an_editor_cannot_change_what_a_publisher_scheduled(server, app):
    editor = token(server, "editor", app)
    draft = f"/apps/{app}/sets/1.0/draft"
    server.admin("PUT", draft, {"items": []})
    server.admin("POST", f"/apps/{app}/sets/1.0/publish", {"at": instant(60)})
    (entry,) = server.admin("GET", f"/apps/{app}/schedule", token=editor).json["items"]
    assert server.admin("DELETE", f"/apps/{app}/schedule/{entry['id']}", token=editor).status == 403
    assert server.admin("PUT", draft, {"items": [item("a")]}, editor).status == 201
    assert server.admin("GET", f"/apps/{app}/schedule/{entry['id']}", token=editor).json == entry


def test_what_is_no_longer_valid_when_it_is_due_is_a_draft_again(server, app, consumer):
    consumer.subscribe(server, apps=[app], types=["shortcuts.schedule-failed"])
    server.admin("PUT", f"/apps/{app}/sets/3.0/draft", {"items": [item("a")]})
    assert server.admin("POST", f"/apps/{app}/sets/3.0/publish", {"at": instant(3600)}).status == 202
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [], "retired": [{"id": "a"}]})
    pass_time(server, app, 3600)
    eventually(lambda: consumer.received)
    ((_, event),) = consumer.verified()
    assert event["data"]["version"] == "3.0.0" and event["data"]["violations"][0]["code"] == "id-reused"
    assert server.admin("GET", f"/apps/{app}/sets/3.0/draft").json == {"items": [item("a")]}
    assert server.admin("GET", f"/apps/{app}/schedule").json["items"] == []
    assert server.admin("GET", f"/apps/{app}/sets/3.0").status == 404


def test_two_instants_in_one_second_keep_their_order(server, app):
    second = datetime.datetime.now(datetime.UTC).replace(microsecond=0) + datetime.timedelta(hours=1)
    for version, fraction in [("1.0", 700), ("2.0", 100), ("3.0", 400), ("4.0", 100)]:
        server.admin("PUT", f"/apps/{app}/sets/{version}/draft", {"items": []})
        at = (second + datetime.timedelta(milliseconds=fraction)).isoformat()
        assert server.admin("POST", f"/apps/{app}/sets/{version}/publish", {"at": at}).status == 202
    pass_time(server, app, 3601)
    history = eventually(lambda: len(found := server.admin("GET", f"/apps/{app}/revisions").json["items"]) == 4 and found)
    assert [r["version"] for r in reversed(history)] == ["2.0.0", "4.0.0", "3.0.0", "1.0.0"]


def test_what_came_due_while_nothing_ran_happens_at_the_start(own):
    own.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    for version, seconds in [("1.0", 3600), ("2.0", 3000)]:
        own.admin("PUT", f"/apps/app/sets/{version}/draft", {"items": [item("a")]})
        assert own.admin("POST", f"/apps/app/sets/{version}/publish", {"at": instant(seconds)}).status == 202
    own.stop(signal.SIGKILL)
    sql(own, "UPDATE schedule SET due_at = due_at - 3600000")
    own.start()
    eventually(lambda: titles(own, "app") == ["Title"])
    assert [r["version"] for r in own.admin("GET", "/apps/app/revisions").json["items"]] == ["1.0.0", "2.0.0"]


def test_a_kill_around_the_instant_leaves_exactly_one_revision_each(own):
    own.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    rounds = 8
    chance = random.Random(7)
    for number in range(1, rounds + 1):
        own.admin("PUT", f"/apps/app/sets/{number}.0/draft", {"items": [item("a", f"Round {number}")]})
        assert own.admin("POST", f"/apps/app/sets/{number}.0/publish", {"at": instant(3600)}).status == 202
        pass_time(own, "app", 3600)
        time.sleep(chance.uniform(0, 0.02))
        own.restart(signal.SIGKILL)
        eventually(lambda: titles(own, "app", f"{number}.0") == [f"Round {number}"])
    history = own.admin("GET", "/apps/app/revisions").json["items"]
    assert [(r["revision"], r["version"]) for r in reversed(history)] == [(n, f"{n}.0.0") for n in range(1, rounds + 1)]
    assert own.admin("GET", "/apps/app/schedule").json["items"] == []


# History


def test_an_old_content_is_restored_byte_for_byte(server, app):
    rich = item("a", userInfo={"n": [1, 1.0, True, {"$date": "2026-01-31T09:00:00Z"}]}, icon={"type": "search"})
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [rich], "fallbackURL": "https://example.com/"})
    before = server.admin("GET", f"/apps/{app}/sets/1.0").body
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    restored = server.admin("POST", f"/apps/{app}/revisions/1/restore")
    assert (restored.status, restored.json["revision"], restored.fields["etag"]) == (200, 3, '"3"')
    assert server.admin("GET", f"/apps/{app}/sets/1.0").body == before
    assert server.admin("POST", f"/apps/{app}/revisions/1/restore").json["revision"] == 3
    assert server.admin("POST", f"/apps/{app}/revisions/2/restore", If_Match='"2"').status == 412
    assert server.admin("POST", f"/apps/{app}/revisions/9/restore").code == "unknown-resource"
    assert server.admin("POST", f"/apps/{app}/revisions/1/restore", {"to": 1}).violations == {("to", "unknown-member")}


def test_a_deleted_set_is_restored_from_before_its_deletion(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0?audience=guest", {"items": [item("a")]})
    server.admin("DELETE", f"/apps/{app}/sets/1.0?audience=guest")
    assert server.admin("POST", f"/apps/{app}/revisions/2/restore").code == "conflict"
    assert server.admin("POST", f"/apps/{app}/revisions/1/restore").json["revision"] == 3
    assert server.admin("GET", f"/apps/{app}/sets/1.0?audience=guest").json["items"][0]["id"] == "a"


def test_a_difference_is_told_by_item(server, app):
    first = {"items": [item("a", "A"), item("b"), item("c")]}
    second = {"items": [item("c"), item("a", "B", url="x://a"), item("d")], "retired": [{"id": "b"}]}
    server.admin("PUT", f"/apps/{app}/sets/1.0", first)
    server.admin("PUT", f"/apps/{app}/sets/1.0", second)
    difference = server.admin("GET", f"/apps/{app}/diff?from=1&to=2").json
    assert (difference["from"]["revision"], difference["to"]["version"]) == (1, "1.0.0")
    assert (difference["added"], difference["removed"]) == (["d"], ["b"])
    assert difference["moved"] == [{"id": "a", "from": 0, "to": 1}]
    assert difference["changed"] == [
        {"id": "a", "fields": {"title": {"old": {"en": "A"}, "new": {"en": "B"}}, "url": {"old": None, "new": "x://a"}}}
    ]
    assert difference["set"] == {"retired": {"old": None, "new": [{"id": "b"}]}}
    assert server.admin("GET", f"/apps/{app}/diff?from=1").code == "invalid-parameter"
    assert server.admin("GET", f"/apps/{app}/diff?from=1&to=x").code == "invalid-parameter"
    assert server.admin("GET", f"/apps/{app}/diff?from=1&to=9").code == "unknown-resource"


# Preconditions


@pytest.mark.parametrize("place, documents", [
    ("", [{"defaultLanguage": "en", "name": "A"}, {"defaultLanguage": "en", "name": "B"}]),
    ("/releases/1.0", [{"urlSchemes": ["a"]}, {"urlSchemes": ["b"]}]),
    ("/sets/1.0", [{"items": [item("a")]}, {"items": []}]),
    ("/sets/1.0/draft", [{"items": [item("a")]}, {"items": []}]),
])  # fmt: skip
def test_what_somebody_else_changed_is_not_overwritten(server, place, documents):
    target = f"/apps/com.example.{uuid.uuid4().hex}"
    if place:
        assert server.admin("PUT", target, {"defaultLanguage": "en"}).status == 201
    target += place
    assert server.admin("PUT", target, documents[0], If_Match="*").code == "precondition-failed"
    first = server.admin("PUT", target, documents[0], If_None_Match="*")
    assert first.status == 201
    assert server.admin("PUT", target, documents[1], If_None_Match="*").status == 412
    read = server.admin("GET", target)
    assert read.fields["etag"] == first.fields["etag"]
    again = server.admin("GET", target, If_None_Match=read.fields["etag"])
    assert (again.status, again.body, again.fields["etag"]) == (304, b"", read.fields["etag"])
    second = server.admin("PUT", target, documents[1], If_Match=read.fields["etag"])
    assert (second.status, second.fields["etag"] == read.fields["etag"]) == (200, False)
    assert server.admin("GET", target, If_None_Match=read.fields["etag"]).status == 200
    assert server.admin("PUT", target, documents[0], If_Match=read.fields["etag"]).status == 412
    assert server.admin("DELETE", target, If_Match=read.fields["etag"]).status == 412
    assert server.admin("GET", target).fields["etag"] == second.fields["etag"]
    assert server.admin("DELETE", target, If_Match=second.fields["etag"]).status in (200, 204)


def test_an_app_is_patched_by_one_of_two_editors(server, app):
    tag = server.admin("GET", f"/apps/{app}").fields["etag"]
    assert server.admin("PATCH", f"/apps/{app}", {"name": "A"}, If_Match=tag).status == 200
    assert server.admin("PATCH", f"/apps/{app}", {"name": "B"}, If_Match=tag).status == 412
    assert server.admin("GET", f"/apps/{app}").json["name"] == "A"


@pytest.mark.parametrize("fields", [
    b"Content-Type: application/json\r\nContent-Type: application/x-plist", b"Content-Type: application/json, text/plain",
    b"Content-Type: application/json\r\nContent-Encoding: gzip", b"Content-Type: application/json\r\nContent-Encoding: identity, br",
])  # fmt: skip
@pytest.mark.parametrize("place", ["", "/releases/1.0", "/sets/1.0"])
def test_a_body_that_is_something_else_is_refused(server, app, place, fields):
    head = f"PUT /admin/v1/apps/{app}{place} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {OWNER}\r\nContent-Length: 2\r\n"
    with socket.create_connection(server.address, timeout=120) as connection:
        connection.sendall(head.encode() + fields + b"\r\n\r\n{}")
        assert b" 415 " in connection.recv(65536).split(b"\r\n")[0]


@pytest.mark.parametrize("place", ["", "/releases/1.0", "/sets/1.0"])
def test_a_part_of_a_document_is_not_stored_as_all_of_it(server, app, place):
    answer = server.admin("PUT", f"/apps/{app}{place}", {"items": []}, Content_Range="bytes 0-11/90")
    assert (answer.status, answer.code) == (400, "bad-request")
    assert server.admin("GET", f"/apps/{app}/revisions").json["items"] == []


# One item


def test_one_item_is_patched(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", {"en": "A", "ko": "가"}, url="x://a"), item("b")]})
    merge = {"type": "application/merge-patch+json", "If_Match": '"1"'}
    patched = server.admin("PATCH", f"/apps/{app}/sets/1.0/items/a", {"title": {"ko": None}, "url": None, "enabled": False}, **merge)
    assert (patched.status, patched.json, patched.fields["etag"]) == (200, {"revision": 2, "warnings": []}, '"2"')
    assert server.admin("GET", f"/apps/{app}/sets/1.0").json["items"] == [item("a", "A", enabled=False), item("b")]
    assert server.admin("PATCH", f"/apps/{app}/sets/1.0/items/a", {"enabled": True}, **merge).status == 412
    assert server.admin("PATCH", f"/apps/{app}/sets/1.0/items/a", {"title": None}).violations == {("items[0].title", "required")}
    assert server.admin("PATCH", f"/apps/{app}/sets/1.0/items/a", {"id": "c"}).violations == {("items[0].id", "id-invalid")}
    assert server.admin("PATCH", f"/apps/{app}/sets/1.0/items/z", {}).code == "unknown-resource"
    assert server.admin("PATCH", f"/apps/{app}/sets/2.0/items/a", {}).code == "unknown-resource"
    assert server.admin("PATCH", f"/apps/{app}/sets/1.0/items/a", {}).json["revision"] == 2


def test_every_write_is_audited_once(server, app):
    place = f"/apps/{app}/sets/1.0"
    server.admin("PUT", place + "/draft", {"items": [item("a")]})
    server.admin("PUT", place + "/draft", {"items": [item("a")]})
    entry = server.admin("POST", place + "/publish", {"at": instant(60)}).json
    server.admin("DELETE", f"/apps/{app}/schedule/{entry['id']}")
    server.admin("PUT", place + "/draft", {"items": [item("a")]})
    server.admin("POST", place + "/publish")
    server.admin("PATCH", place + "/items/a", {"enabled": False})
    server.admin("POST", f"/apps/{app}/revisions/1/restore")
    server.admin("PUT", place + "/draft", {"items": []})
    server.admin("DELETE", place + "/draft")
    owner = token(server, "owner", app)
    entries = server.admin("GET", "/audit?limit=200", token=owner).json["items"]
    assert [(e["action"], e["revision"]) for e in reversed(entries)] == [
        ("app.created", None), ("draft.saved", None), ("draft.scheduled", None), ("schedule.cancelled", None),
        ("draft.saved", None), ("set.published", 1), ("set.published", 2),
        ("set.published", 3), ("draft.saved", None), ("draft.deleted", None),
    ]  # fmt: skip


def test_what_is_fetched_all_the_time_is_fetched_from_memory_through_a_publish(own):
    def misses():
        text = own.get("/metrics").body.decode()
        return int(re.search(r"^longpress_cache_misses_total (\d+)", text, re.MULTILINE)[1])

    own.admin("PUT", "/apps/fetched", {"defaultLanguage": "en"})
    wishes = [{}, {"Accept_Language": "ko"}, {"Accept_Encoding": "gzip"}, {"Accept": "application/x-plist"}]
    for number in range(5):
        title = {"en": f"Title {number}", "ko": f"제목 {number}"}
        own.admin("PUT", "/apps/fetched/sets/1.0.0", {"items": [item("compose", title)]})
        fresh = [own.shortcuts("fetched", "1.0.0", **wish) for wish in wishes]
        assert {answer.status for answer in fresh} == {200} and len({answer.fields["etag"] for answer in fresh}) == len(wishes)
        assert fresh[0].json["items"][0]["localizedTitle"] == title["en"]
        assert fresh[1].json["items"][0]["localizedTitle"] == title["ko"]
        assert f"Title {number}" in fresh[3].body.decode()
        for wish, first in zip(wishes, fresh):  # requested again
            again = own.shortcuts("fetched", "1.0.0", **wish)
            assert (again.body, again.fields["etag"]) == (first.body, first.fields["etag"])
        assert misses() == len(wishes)


def test_an_app_that_is_full_takes_no_more_and_stays_usable(tmp_path):
    own = Longpress(tmp_path, "--max-releases", "1", "--max-sets", "2", "--max-app-size", "16KiB")
    try:
        own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
        small, large = {"items": [item("i")]}, {"items": [item(f"i{number}", userInfo={"k": "v" * 3000}) for number in range(6)]}
        for version in ("1.0", "2.0"):
            assert own.admin("PUT", f"/apps/a/sets/{version}", small).status == 201
        assert own.admin("PUT", "/apps/a/releases/1.0", {}).status == 201
        for method, path, document, number in [
            ("PUT", "/apps/a/sets/3.0", small, "3 sets"), ("PUT", "/apps/a/sets/2.0", large, "bytes of releases and sets"),
            ("PUT", "/apps/a/releases/2.0", {}, "2 releases"), ("PUT", "/apps/a/sets/1.0/draft", large, "bytes of drafts"),
            ("POST", "/apply", {"apps": {"a": {"sets": {"4.0": small}}}}, "3 sets"),
            ("POST", "/apply?dryRun", {"apps": {"a": {"releases": {"4.0": {}}}}}, "2 releases"),
        ]:
            refused = own.admin(method, path, document)
            assert (refused.status, refused.code) == (422, "quota-exceeded"), (path, refused.body)
            assert number in refused.json["detail"] and "--max-" in refused.json["detail"], refused.body
        document = own.admin("GET", "/export").body.replace(b'"app": "a"', b'"app": "b"')
        assert own.admin("POST", "/import", body=document).status == 200
        assert own.admin("PUT", "/apps/a/sets/2.0", {"items": [item("j")]}).status == 200
        assert own.admin("DELETE", "/apps/a/sets/1.0").status == 200 and own.admin("DELETE", "/apps/a/releases/1.0").status == 200
        assert own.admin("PUT", "/apps/a/sets/3.0", small).status == 201
        # After an operator lowers the limits, existing content can be served, replaced and deleted.
        own.stop()
        own.flags = ("--max-sets", "1")
        own.start()
        assert own.shortcuts("a", "3.0").status == 200
        assert own.admin("PUT", "/apps/a/sets/3.0", {"items": [item("k")]}).status == 200
        assert own.admin("PUT", "/apps/a/sets/4.0", small).code == "quota-exceeded"
        assert own.admin("DELETE", "/apps/a/sets/2.0").status == 200
    finally:
        own.stop()


def test_a_release_is_announced_with_the_sets_that_it_shows_differently(server, app, consumer):
    consumer.subscribe(server, apps=[app], types=["release.imported", "release.deleted"])
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a"), item("b")]})
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("a")]})
    three = {"staticItems": [{"type": "t", "title": f"T{number}"} for number in range(3)]}
    shown = [{"version": "1.0.0", "audience": "default"}]
    answer = server.admin("PUT", f"/apps/{app}/releases/1.0", three)
    assert (answer.status, answer.json["shownDifferently"], answer.json["warnings"]) == (201, shown, [])
    server.admin("PATCH", f"/apps/{app}", {"approvals": 1})
    answer = server.admin("DELETE", f"/apps/{app}/releases/1.0")
    assert (answer.status, answer.json["shownDifferently"], answer.warnings) == (200, shown, {("staticItems", "shown-unapproved")})
    eventually(lambda: len(consumer.received) == 2)
    events = [event for _, event in consumer.checked(list(consumer.received))]
    assert [(event["type"], event["data"]["shownDifferently"]) for event in events] == [("release.imported", shown), ("release.deleted", shown)]
