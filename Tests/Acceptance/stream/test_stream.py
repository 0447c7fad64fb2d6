"""The live stream: the events of a change, and who gets them."""

import pytest

from event_stream import EventStream
from longpress import item


def publish(server, app, version, title, query=""):
    answer = server.admin("PUT", f"/apps/{app}/sets/{version}{query}", {"items": [item("compose", title)]})
    assert answer.status in (200, 201), answer.body
    return answer.json["revision"]


def url(server, app, version, revision, query=""):
    return "http://%s:%d" % server.address + f"/v1/apps/{app}/versions/{version}/shortcuts?{query}revision={revision}"


def test_a_stream_begins_with_the_state_of_its_apps(server, app):
    publish(server, app, "1.0", "A")
    with EventStream(server, app, app) as stream:
        assert stream.status == 200
        assert stream.fields["content-type"] == "text/event-stream"
        assert stream.fields["cache-control"] == "no-store"
        assert stream.fields["x-accel-buffering"] == "no"
        assert "content-encoding" not in stream.fields
        event = stream.next()
        assert (event.name, event.data) == ("state", {"apps": {app: {"revision": 1}}})
        assert stream.retry == 3000 and event.id


def test_each_change_is_told_with_the_stretch_of_versions_that_it_concerns(server, app):
    with EventStream(server, app) as stream:
        assert stream.next().data == {"apps": {app: {"revision": 0}}}
        publish(server, app, "3.0", "A")
        publish(server, app, "2", "A")
        publish(server, app, "2", "A")  # is already published
        publish(server, app, "3.0", "B")
        server.admin("DELETE", f"/apps/{app}/sets/2.0.0")
        server.admin("PATCH", f"/apps/{app}", {"name": "N"})
        server.admin("PUT", f"/apps/{app}/releases/2.0", {"staticItems": []})
        server.admin("DELETE", f"/apps/{app}/releases/2.0")
        server.admin("DELETE", f"/apps/{app}")
        events = stream.until(lambda event: event.name == "deleted")
    stretches = [("3.0.0", None), ("2.0.0", "3.0.0"), ("3.0.0", None), ("2.0.0", "3.0.0")]
    assert [event.data for event in events] == [
        *({"app": app, "revision": revision, "audience": "default", "from": start, "until": end, "url": url(server, app, start, revision)}
          for revision, (start, end) in enumerate(stretches, 1)),
        *[{"app": app, "revision": 4}] * 3,
        {"app": app},
    ]
    assert [event.name for event in events] == ["changed"] * 7 + ["deleted"]
    assert len({event.id for event in events}) == len(events)


@pytest.mark.parametrize("query, status, code", [
    ("", 400, "invalid-parameter"),
    ("?app=", 404, "unknown-app"),
    ("?app=com.example.none", 404, "unknown-app"),
    ("?app=com.example.none&app=a%20b", 404, "unknown-app"),
    ("?app=a%20b", 404, "unknown-app"),
    ("?app={app}&lang=en&lang=en", 400, "invalid-parameter"),
    ("?" + "&".join(f"app=com.example.x{number}" for number in range(51)), 400, "invalid-parameter"),
])  # fmt: skip
def test_what_is_no_stream_is_refused(server, app, query, status, code):
    answer = server.get("/v1/stream" + query.format(app=app))
    assert (answer.status, answer.code) == (status, code)


def test_an_app_that_is_not_there_is_reported_and_told_of_once_it_is(server, app):
    missing = f"{app}.del"
    with EventStream(server, app, missing, "a%20b", "") as stream:
        assert stream.status == 200
        event = stream.next()
        assert (event.name, event.data) == ("state", {"apps": {app: {"revision": 0}, missing: None, "a b": None, "": None}})
        revision = publish(server, app, "1.0", "A")
        assert stream.next().data["revision"] == revision
        server.admin("PUT", f"/apps/{missing}", {"defaultLanguage": "en"})
        event = stream.next()
        assert (event.name, event.data) == ("changed", {"app": missing, "revision": 0})
        server.admin("DELETE", f"/apps/{missing}")
        event = stream.next()
        assert (event.name, event.data) == ("deleted", {"app": missing})


def test_a_stream_is_text_event_stream_and_nothing_else(server, app):
    assert server.get(f"/v1/stream?app={app}", Accept="application/json").code == "not-acceptable"


def test_the_head_is_answered_alone(server, app):
    answer = server.request("HEAD", f"/v1/stream?app={app}")
    assert (answer.status, answer.fields["content-type"], answer.body) == (200, "text/event-stream", b"")
    assert "content-length" not in answer.fields
