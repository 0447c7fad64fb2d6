"""The schedule: scheduled changes of sets, and automatic reverts."""

import json
import random
import signal
import time

import pytest

from longpress import eventually, instant, item, pass_time

MERGE = {"type": "application/merge-patch+json"}


def titles(server, app, version="1.0", query=""):
    return [entry["localizedTitle"] for entry in server.shortcuts(app, version, query).json.get("items", [])]


def schedule(server, app):
    return server.admin("GET", f"/apps/{app}/schedule").json["items"]


def put(server, app, title, query=""):
    answer = server.admin("PUT", f"/apps/{app}/sets/1.0{query}", {"items": [item("a", title)]})
    assert answer.status in (200, 201), answer.body
    return answer.json["revision"]


def test_one_title_says_something_else_for_a_while(server, app, consumer):
    """One call, with only the title as JSON."""
    consumer.subscribe(server, apps=[app])
    put(server, app, {"en": "Compose", "ko": "쓰기"})
    changed = server.admin("PATCH", f"/apps/{app}/sets/1.0/items/a?until={instant(3600)}", {"title": {"ko": "새해 인사"}}, **MERGE)
    assert (changed.status, changed.json["revision"]) == (200, 2)
    assert titles(server, app, query="?lang=ko") == ["새해 인사"] and titles(server, app) == ["Compose"]
    (entry,) = schedule(server, app)
    assert (entry["kind"], entry["version"], entry["audience"], entry["revision"]) == ("restore", "1.0.0", "default", 1)
    assert entry["set"]["items"][0]["title"] == {"en": "Compose", "ko": "쓰기"}
    assert server.admin("GET", f"/apps/{app}/schedule/{entry['id']}").json == entry
    pass_time(server, app, 3600)
    eventually(lambda: titles(server, app, query="?lang=ko") == ["쓰기"])
    assert schedule(server, app) == [] and server.admin("GET", f"/apps/{app}/sets/1.0").fields["etag"] == '"3"'
    eventually(lambda: len(consumer.received) >= 4)
    # Two of them are of one commit, and may arrive in either order.
    assert sorted(event["type"] for _, event in consumer.verified()) == ["shortcuts.published"] * 3 + ["shortcuts.scheduled"]


def test_a_set_that_was_not_there_is_gone_again(server, app):
    put(server, app, "Offer", f"?until={instant(3600)}")
    assert [(entry["kind"], entry["set"]) for entry in schedule(server, app)] == [("delete", None)]
    pass_time(server, app, 3600)
    eventually(lambda: server.shortcuts(app, "1.0").status == 404)


def test_a_newer_publish_is_not_run_over(server, app, consumer):
    put(server, app, "Before")
    put(server, app, "Offer", f"?until={instant(3600)}")
    put(server, app, "Newer")
    consumer.subscribe(server, apps=[app], types=["shortcuts.schedule-failed"])
    pass_time(server, app, 3600)
    eventually(lambda: consumer.received)
    ((_, event),) = consumer.verified()
    (violation,) = event["data"]["violations"]
    assert violation["code"] == "superseded" and "revision 3" in violation["message"]
    assert titles(server, app) == ["Newer"] and schedule(server, app) == []


def test_a_draft_goes_out_for_a_while(server, app):
    put(server, app, "Before")
    server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a", "Offer")]})
    times = {"at": instant(3600), "until": instant(7200)}
    planned = server.admin("POST", f"/apps/{app}/sets/1.0/publish", times)
    assert planned.status == 202
    first, second = schedule(server, app)
    assert first == planned.json and (second["kind"], second["revision"], second["set"]) == ("restore", None, None)
    put(server, app, "Meanwhile")
    pass_time(server, app, 3600)
    eventually(lambda: titles(server, app) == ["Offer"])
    assert schedule(server, app)[0]["revision"] == 2
    pass_time(server, app, 3600)
    eventually(lambda: titles(server, app) == ["Meanwhile"])


def test_a_draft_that_is_published_now_may_have_an_end(server, app):
    put(server, app, "Before")
    server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a", "Offer")]})
    published = server.admin("POST", f"/apps/{app}/sets/1.0/publish", {"until": instant(60)})
    assert (published.status, published.json["revision"]) == (200, 2)
    assert [entry["revision"] for entry in schedule(server, app)] == [1]


def test_entries_are_called_off_one_by_one(server, app):
    for number in (3, 1, 2):
        server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a", f"Entry {number}")]})
        server.admin("POST", f"/apps/{app}/sets/1.0/publish", {"at": instant(60 * number), "until": instant(60 * number + 30)})
    listed = schedule(server, app)
    assert [entry["set"] and entry["set"]["items"][0]["title"]["en"] for entry in listed] == ["Entry 1", None, "Entry 2", None, "Entry 3", None]
    pages, cursor = [], ""
    while cursor is not None:
        page = server.admin("GET", f"/apps/{app}/schedule?limit=2{cursor and '&cursor=' + cursor}").json
        pages, cursor = pages + page["items"], page["next"]
    assert pages == listed
    for index, left in ((2, [0, 1, 4, 5]), (1, [0, 4, 5])):
        assert server.admin("DELETE", f"/apps/{app}/schedule/{listed[index]['id']}").status == 204
        assert schedule(server, app) == [listed[kept] for kept in left]
    gone = server.admin("DELETE", f"/apps/{app}/schedule/{listed[2]['id']}")
    assert gone.code == "unknown-resource" and listed[2]["id"] in gone.json["detail"]
    assert server.admin("GET", f"/apps/{app}/schedule/made-up").code == "unknown-resource"


def test_a_revision_is_restored_at_a_time(server, app):
    put(server, app, "Old")
    put(server, app, "New")
    planned = server.admin("POST", f"/apps/{app}/revisions/1/restore", {"at": instant(3600)})
    assert (planned.status, planned.json["kind"], planned.json["revision"]) == (202, "restore", 1)
    assert server.admin("POST", f"/apps/{app}/revisions/1/restore", {"at": instant(3600)}, If_Match='"1"').status == 412
    pass_time(server, app, 3600)
    eventually(lambda: titles(server, app) == ["Old"])
    server.admin("DELETE", f"/apps/{app}/sets/1.0")
    assert server.admin("POST", f"/apps/{app}/revisions/4/restore", {"at": instant(3600)}).code == "conflict"


@pytest.mark.parametrize("until, status, expected", [
    ("2020-01-01T00:00:00Z", 422, {("until", "time-past")}), ("soon", 400, set()), ("", 400, set()),
])  # fmt: skip
def test_an_end_that_cannot_be_is_refused(server, app, until, status, expected):
    put(server, app, "Before")
    for method, place, body in [("PUT", "", {"items": []}), ("PATCH", "/items/a", {"enabled": False})]:
        answer = server.admin(method, f"/apps/{app}/sets/1.0{place}?until={until}", body)
        assert (answer.status, answer.violations) == (status, expected)
    assert schedule(server, app) == [] and titles(server, app) == ["Before"]


def test_all_that_is_wrong_comes_at_once(server, app):
    answer = server.admin("PUT", f"/apps/{app}/sets/1.0?until=2020-01-01T00:00:00Z", {"items": [{"id": "a"}]})
    assert {("until", "time-past"), ("items[0].type", "required")} <= answer.violations
    put(server, app, "Before")
    wrong = {"type": 5, "title": None}
    for query in ("", "&dryRun=true"):
        answer = server.admin("PATCH", f"/apps/{app}/sets/1.0/items/a?until=2020-01-01T00:00:00Z{query}", wrong, **MERGE)
        assert {path for path, _ in answer.violations} == {"until", "items[0].type", "items[0].title"}, answer.body
    answer = server.admin("PATCH", f"/apps/{app}/sets/1.0/items/none?until=2020-01-01T00:00:00Z", {"enabled": False}, **MERGE)
    assert (answer.status, answer.violations) == (422, {("until", "time-past")})
    server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": []})
    at = instant(60)
    answer = server.admin("POST", f"/apps/{app}/sets/1.0/publish", {"at": at, "until": at})
    assert (answer.status, answer.violations) == (422, {("until", "time-past")})


def test_an_end_of_what_changes_nothing_makes_no_entry(server, app):
    put(server, app, "Same")
    put(server, app, "Same", f"?until={instant(60)}")
    assert schedule(server, app) == []


def test_what_was_to_come_back_comes_back_once_whatever_is_killed(own):
    own.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    put(own, "app", "Before")
    moments = random.Random(7)
    for number in range(5):
        put(own, "app", f"Offer {number}", f"?until={instant(3600)}")
        pass_time(own, "app", 3600)
        time.sleep(moments.uniform(0, 0.02))
        own.restart(signal.SIGKILL)
        eventually(lambda: titles(own, "app") == ["Before"])
    history = own.admin("GET", "/apps/app/revisions").json["items"]
    shown = [entry["set"]["items"][0]["title"]["en"] for entry in reversed(history)]
    assert shown == ["Before"] + [title for number in range(5) for title in (f"Offer {number}", "Before")]


def test_drafts_with_a_time_become_entries(own):
    """Imports an export of the first schema and exports it again: the times are in the schedule."""
    own.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/app/sets/1.0/draft", {"items": [item("a", "Then")]})
    document = json.loads(own.admin("GET", "/export").body)
    app = document["apps"][0]
    for draft in app["drafts"]:
        draft.update({"at": instant(0.5), "scheduledBy": "ben"})
    document["schema"] = 1
    del app["schedule"], app["approvals"]
    assert own.admin("POST", "/import?replace=true", document).status == 200
    eventually(lambda: titles(own, "app") == ["Then"])
    assert own.admin("GET", "/apps/app/revisions/1").json["by"] == "admin-token"
