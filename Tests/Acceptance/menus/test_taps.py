"""Which old ids are still tapped: counted without any identifier of a person."""

import datetime
import urllib.parse

from longpress import eventually, item, stored


def tag(id, version):
    return {"longpress.schema": 1, "longpress.item": id, "longpress.version": version}


def hours_ago(hours):
    return (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=hours)).isoformat()


def metric(server, outcome):
    for line in server.get("/metrics").body.decode().splitlines():
        if line.startswith(f'longpress_taps_total{{outcome="{outcome}"}}'):
            return int(line.split()[-1])
    raise AssertionError("no such metric")


def test_taps_are_counted_by_kind(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("old"), item("dropped")]})
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("new", replaces=["old"])]})
    before = metric(server, "replaced")
    for _ in range(3):
        assert server.tap(app, "2.0", {"type": "x", "userInfo": tag("old", "1.0")}).json["outcome"] == "replaced"
    server.tap(app, "2.1", {"type": "x", "userInfo": tag("old", "1.5")})
    server.tap(app, "2.0", {"type": "x", "userInfo": tag("dropped", "1.0")})
    server.tap(app, "2.0", {"type": "x", "userInfo": tag("made-up", "1.0")})
    server.tap(app, "2.0", {"type": "com.example.new"})
    counted = server.admin("GET", f"/apps/{app}/taps").json
    assert counted["outcomes"] == {"replaced": 4, "removed": 2, "untagged": 1}

    def entry(item, tag_version, version, outcome, count):
        return {
            "item": item, "tagVersion": tag_version, "version": version, "outcome": outcome, "count": count, "resolved": count, "reported": 0}

    assert counted["items"][0] == entry("old", "1.0.0", "2.0.0", "replaced", 3)
    assert sorted(counted["items"][1:], key=str) == sorted([
        entry("old", "1.5.0", "2.1.0", "replaced", 1), entry("dropped", "1.0.0", "2.0.0", "removed", 1),
        entry(None, None, None, "removed", 1), entry("new", None, "2.0.0", "untagged", 1),
    ], key=str)  # fmt: skip
    assert metric(server, "replaced") == before + 4


def test_since_begins_an_hour(server, app):
    server.tap(app, "2.0", {"type": "x"})
    since = hours_ago(0)
    for text in (urllib.parse.quote(since), since, "2026-01-01T00:00:00Z"):
        answer = server.admin("GET", f"/apps/{app}/taps?since={text}".replace(" ", "%20"))
        assert answer.json["outcomes"] == {"unknown": 1} and answer.json["since"].endswith(":00:00Z")
    tomorrow = urllib.parse.quote(hours_ago(-24))
    assert server.admin("GET", f"/apps/{app}/taps?since={tomorrow}").json["outcomes"] == {}
    assert server.admin("GET", f"/apps/{app}/taps?since=yesterday").code == "invalid-parameter"


def test_a_period_and_its_buckets(server, app):
    server.tap(app, "2.0", {"type": "x"})
    now = urllib.parse.quote(hours_ago(0))
    answer = server.admin("GET", f"/apps/{app}/taps?since={urllib.parse.quote(hours_ago(48))}&until={now}&bucket=day").json
    assert answer["outcomes"] == {"unknown": 1} and len(answer["items"]) == 1
    (bucket,) = answer["buckets"]
    assert bucket["outcomes"] == {"unknown": 1} and bucket["since"].endswith("T00:00:00Z")
    # A period has whole hours.
    assert answer["until"].endswith(":00:00Z")
    (bucket,) = server.admin("GET", f"/apps/{app}/taps?bucket=hour").json["buckets"]
    assert bucket["since"].endswith(":00:00Z")
    earlier = server.admin("GET", f"/apps/{app}/taps?until={urllib.parse.quote(hours_ago(2))}&bucket=hour").json
    assert (earlier["outcomes"], earlier["buckets"]) == ({}, [])
    for query in ("bucket=week", "bucket=", "until=soon", f"since={now}&until={urllib.parse.quote(hours_ago(2))}"):
        assert server.admin("GET", f"/apps/{app}/taps?{query}").code == "invalid-parameter"


def test_versions_that_the_app_does_not_know_are_counted_together(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("old")]})
    server.admin("PUT", f"/apps/{app}/releases/2.0", {"build": "7"})
    for number in range(30):
        server.tap(app, f"7.0.{number}", {"type": "x", "userInfo": tag("old", f"8.{number}")})
    server.tap(app, "2.0", {"type": "x", "userInfo": tag("old", "1.0")}, "?build=7")
    assert [(entry["item"], entry["tagVersion"], entry["version"], entry["count"]) for entry in server.admin("GET", f"/apps/{app}/taps").json["items"]] == [
        ("old", None, None, 30), ("old", "1.0.0", "2.0.0", 1)]


def test_counts_outlive_a_restart_and_name_nobody(own):
    own.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    own.tap("app", "1.0", {"type": "secret-type", "userInfo": {"user": "jane@example.com"}})
    own.stop()
    own.start()
    assert own.admin("GET", "/apps/app/taps").json["outcomes"] == {"unknown": 1}
    own.tap("app", "1.0", {"type": "x"})
    eventually(lambda: b"secret-type" not in stored(own) and own.admin("GET", "/apps/app/taps").json["outcomes"])
    own.stop()
    assert b"jane@" not in stored(own) and b"secret-type" not in stored(own)
    own.start()
