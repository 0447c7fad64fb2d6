"""Readers of the live stream that reconnect: after a kill, after a stop, after a long time, with an unknown id.

RESTARTS sets how often the service is ended.
"""

import os
import random
import signal
import subprocess
import time

import pytest

from event_stream import EventStream, Follower
from longpress import BINARY, eventually, item, on_sqlite, soon
from test_stream import publish
from workload import Writer, committed

RESTARTS = int(os.environ.get("RESTARTS", "10"))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
APPS = ("a", "b")


def test_no_restart_keeps_a_change_from_who_comes_back(own):
    moments = random.Random(SEED)
    for app in APPS:
        own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    followers = [Follower(lambda: own, *APPS) for _ in range(3)]
    for follower in followers:
        follower.start()
    eventually(lambda: all(follower.events for follower in followers))
    writers = [Writer(own, number, APPS, pause=0.005) for number in range(2)]
    for writer in writers:
        writer.start()
    for number in range(RESTARTS):
        time.sleep(moments.uniform(0, 0.2))
        own.restart(signal.SIGKILL if number % 2 else signal.SIGTERM)
    for writer in writers:
        writer.end()
    all_of_them = committed(own, APPS)
    assert {revision for writer in writers for revision in writer.acknowledged} <= all_of_them
    # A replay leaves out changes that a newer change of the same set has replaced.
    newest = {(app, max(revision for name, revision in all_of_them if name == app)) for app in APPS}
    for follower in followers:
        eventually(lambda: newest <= follower.seen)
        follower.end()
        assert follower.faults == [] and follower.seen <= all_of_them, f"SEED={SEED}"
        told = [event.data["revision"] for event in follower.events if event.data.get("app") == "a"]
        assert told == sorted(told)
    print(f"{RESTARTS} restarts (SEED={SEED}), {len(all_of_them)} publishes, the newest missed by none of {len(followers)} readers "
          f"that came back {sum(follower.openings for follower in followers)} times")


def test_what_was_missed_is_told_in_order_the_newest_of_each_set(server, app):
    with EventStream(server, app) as stream:
        first = stream.next().id
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "name": "Notes"})
    revisions = {}
    for number in range(300):
        version = f"{number % 150 + 1}.0"
        revisions[version] = publish(server, app, version, f"T{number}")
    with EventStream(server, app, last=first) as stream:
        told = stream.until(lambda event: event.data["revision"] == revisions["150.0"])
        assert [event.data.get("from") for event in told] == [None] + [f"{number + 1}.0.0" for number in range(150)]
        assert [event.data["revision"] for event in told[1:]] == list(revisions.values())
        # From here on, changes arrive as they happen.
        assert publish(server, app, "1.0", "next") == stream.next().data["revision"]


def test_who_has_missed_too_much_is_told_the_state(server, app):
    with EventStream(server, app) as stream:
        first = stream.next().id
    for number in range(1, 3):
        sets = {f"{version}.0": {"items": [item(f"i{number}")]} for version in range(1, 502)}
        last = server.admin("POST", "/apply", {"apps": {app: {"sets": sets}}}).json["apps"][app]["revision"]
    with EventStream(server, app, last=first) as stream:
        event = stream.next()
        assert (event.name, event.data) == ("state", {"apps": {app: {"revision": last}}, "resync": True})


def test_who_has_missed_nothing_is_told_nothing(server, app):
    with EventStream(server, app) as stream:
        last = stream.next().id
    with EventStream(server, app, last=last) as stream:
        revision = publish(server, app, "1.0", "A")
        assert stream.next().data["revision"] == revision


@pytest.mark.parametrize("made_up", ["abc.1", "0", "x", ".", "abc.99999999999999999999", "%00", "a" * 5000])
def test_an_id_that_nobody_gave_is_answered_with_the_state(server, app, made_up):
    with EventStream(server, app, last=made_up) as stream:
        event = stream.next()
        assert (event.name, event.data) == ("state", {"apps": {app: {"revision": 0}}, "resync": True})
        assert stream.last != made_up


def test_who_missed_the_end_of_an_app_is_told_of_it(server, app):
    with EventStream(server, app) as stream:
        last = stream.next().id
    server.admin("DELETE", f"/apps/{app}")
    with EventStream(server, app, last=last) as stream:
        event = stream.next()
        assert (event.name, event.data) == ("deleted", {"app": app})
        last = event.id
    assert EventStream(server, app).status == 404
    # A reader that knew the app continues to wait for it: somebody may create it again.
    with EventStream(server, app, last=last) as stream:
        event = stream.next()
        assert (event.name, event.data, event.id) == ("deleted", {"app": app}, last)
        server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        event = stream.next()
        assert (event.name, event.data) == ("changed", {"app": app, "revision": 0})


def test_who_comes_back_is_told_of_apps_that_are_not_there_and_of_all_others(server, app):
    missing = f"{app}.del"
    with EventStream(server, app) as stream:
        last = stream.next().id
    revision = publish(server, app, "1.0", "A")
    with EventStream(server, app, missing, "a%20b", last=last) as stream:
        events = [stream.next() for _ in range(3)]
        assert [(event.name, event.data["app"]) for event in events] == [("deleted", missing), ("deleted", "a b"), ("changed", app)]
        assert [event.id for event in events[:2]] == [last] * 2 and events[2].data["revision"] == revision
    server.admin("PUT", f"/apps/{missing}", {"defaultLanguage": "en"})
    server.admin("DELETE", f"/apps/{missing}")
    with EventStream(server, app, missing, last=events[2].id) as stream:
        # The replay has only its newest change.
        assert stream.next().name == "deleted"
        revision = publish(server, app, "1.0", "B")
        assert stream.next().data["revision"] == revision
    with EventStream(server, app, missing, last="abc.1") as stream:
        assert stream.next().data == {"apps": {app: {"revision": revision}, missing: None}, "resync": True}


def test_a_stream_goes_on_where_its_app_comes_back(server, app):
    with EventStream(server, app) as stream:
        stream.next()
        server.admin("DELETE", f"/apps/{app}")
        server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        assert [stream.next().name, stream.next().name] == ["deleted", "changed"]


@on_sqlite
def test_a_backup_that_was_put_back_is_another_life(own, tmp_path):
    def longpress(*arguments):
        assert subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=120).returncode == 0

    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    with EventStream(own, "a") as stream:
        before = stream.next().id
        longpress("backup", tmp_path / "copy.sqlite", "--database", own.database)
        publish(own, "a", "1.0", "lost")
        lost = stream.next().id
    own.stop()
    longpress("restore", "--drop-tokens", tmp_path / "copy.sqlite", "--database", own.database)
    own.start()
    # The number of `lost` is given again.
    revision = publish(own, "a", "1.0", "A")
    with EventStream(own, "a", last=lost) as stream:
        assert stream.next().data == {"apps": {"a": {"revision": revision}}, "resync": True}
    with EventStream(own, "a", last=before) as stream:
        assert stream.next().data["revision"] == revision


@on_sqlite
def test_what_another_process_imports_is_told(own, tmp_path):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    publish(own, "a", "1.0", "A")
    document = tmp_path / "export.json"
    document.write_bytes(own.admin("GET", "/export").body)
    publish(own, "a", "1.0", "B")
    with EventStream(own, "a") as stream:
        assert stream.next().data["apps"] == {"a": {"revision": 2}}
        run = subprocess.run([BINARY, "import", document, "--replace", "--database", own.database], capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr
        events = stream.until(lambda event: event.data.get("from") == "1.0.0")
        assert events[0].data == {"app": "a", "revision": 3} and events[-1].data["revision"] == 3
        assert own.shortcuts("a", "1.0").json["items"][0]["localizedTitle"] == "A"


def test_the_first_set_of_an_audience_concerns_all_of_its_versions(server, app):
    publish(server, app, "1.0", "A")
    with EventStream(server, app) as stream:
        stream.next()
        publish(server, app, "2.0", "B", "?audience=member")
        events = [stream.next(), stream.next()]
        assert (events[0].data["audience"], events[0].data["from"]) == ("member", "2.0.0")
        assert events[0].data["url"].endswith("/shortcuts?audience=member&revision=2")
        # Until now, 1.0 was answered from the default sets.
        assert events[1].data == {"app": app, "revision": 2}
        assert server.shortcuts(app, "1.0", "?audience=member").status == 404
        publish(server, app, "3.0", "C", "?audience=member")
        assert stream.next().data["from"] == "3.0.0"


def test_a_scheduled_publish_is_told_when_it_happens(server, app):
    publish(server, app, "1.0", "A")
    with EventStream(server, app) as stream:
        stream.next()
        server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("compose", "B")]})
        planned = soon(lambda at: server.admin("POST", f"/apps/{app}/sets/1.0/publish", {"at": at}))
        assert planned.status == 202
        assert stream.next().data["revision"] == 2
        assert server.shortcuts(app, "1.0").json["items"][0]["localizedTitle"] == "B"
        assert server.admin("GET", f"/apps/{app}/revisions/2").json["publishedAt"] >= planned.json["at"]


def test_a_change_for_a_while_is_told_twice(server, app):
    publish(server, app, "1.0", "A")
    with EventStream(server, app) as stream:
        stream.next()
        answer = soon(lambda at: server.admin("PATCH", f"/apps/{app}/sets/1.0/items/compose?until={at}", {"title": {"en": "B"}}))
        assert answer.status == 200, answer.body
        for revision in (2, 3):
            assert stream.next().data["revision"] == revision
            menu = server.shortcuts(app, "1.0").json
            assert menu["revision"] >= revision and menu["items"][0]["localizedTitle"] == {2: "B", 3: "A"}[menu["revision"]]
