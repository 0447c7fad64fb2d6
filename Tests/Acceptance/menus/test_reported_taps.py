"""Taps that apps count on the device: each tap of a batch counts once."""

import concurrent.futures
import datetime
import json
import random
import signal
import uuid

import pytest

from cluster import Cluster
from longpress import Longpress, eventually, item, sql, stored

SECRET = "jane@example.com"


def entry(id="a", count=1, outcome="current", **more):
    return {"item": id, "type": "com.example." + str(id), "registeredBy": {"version": "1.0", "revision": 1}, "outcome": outcome, "count": count, **more}


def batch(*counts, id=None, **more):
    return {"batch": id or str(uuid.uuid4()), "counts": list(counts), **more}


def statistics(server, app, query=""):
    return server.admin("GET", f"/apps/{app}/taps{query}").json


@pytest.fixture
def menu(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a"), item("b")]})
    return app


@pytest.fixture
def proxied(tmp_path):
    """A server that believes the addresses that this test names."""
    server = Longpress(tmp_path, "--trusted-proxies", "127.0.0.1/32", "--log-level", "debug")
    server.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    server.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a"), item("b")]})
    yield server
    if server.process.poll() is None:
        server.stop()


def test_a_batch_counts_once(server, menu):
    report = batch(entry("a", 3), entry("b", 2, "equivalent"), audience="member")
    for accepted in ("*/*", "application/json", "text/html"):
        answer = server.report(menu, "1.0", report, Accept=accepted)
        assert (answer.status, answer.body, answer.fields["cache-control"]) == (202, b"", "no-store")
    assert server.report(menu, "1.0", report | {"batch": report["batch"].upper()}).status == 202
    counted = statistics(server, menu, "?by=audience,revision,day&bucket=day")
    assert counted["outcomes"] == counted["reported"] == {"current": 3, "equivalent": 2} and counted["resolved"] == {}
    day = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT00:00:00Z")
    common = {"tagVersion": "1.0.0", "version": "1.0.0", "audience": "default", "revision": 1, "day": day, "resolved": 0}
    assert counted["items"] == [
        {"item": "a", "outcome": "current", "count": 3, "reported": 3} | common,
        {"item": "b", "outcome": "equivalent", "count": 2, "reported": 2} | common,
    ]  # fmt: skip
    assert counted["buckets"] == [{"since": day, "outcomes": counted["outcomes"], "resolved": {}, "reported": counted["outcomes"]}]


def test_a_tap_that_the_app_counts_is_resolved_and_not_counted(server, menu):
    tap = {"type": "com.example.a", "userInfo": {"longpress.schema": 1, "longpress.item": "a", "longpress.version": "1.0"}}
    plain = server.tap(menu, "1.0", tap)
    for counted in (False, True, None):
        assert server.tap(menu, "1.0", tap | {"counted": counted}).json == plain.json
    assert server.tap(menu, "1.0", tap | {"counted": 1}).violations == {("counted", "type-mismatch")}
    server.report(menu, "1.0", batch(entry("a", 5, "changed")))
    (row,) = statistics(server, menu)["items"]
    assert (row["count"], row["resolved"], row["reported"]) == (8, 3, 5)


def test_what_nobody_published_is_counted_together(server, menu):
    server.admin("PUT", f"/apps/{menu}/releases/1.0", {"build": "7"})
    for number in range(20):
        invented = entry(f"made-up-{number}", registeredBy={"version": f"9.{number}", "revision": 1000 + number})
        assert server.report(menu, f"8.{number}", batch(invented, audience=f"guest-{number}")).status == 202
    (row,) = statistics(server, menu, "?by=audience,revision")["items"]
    assert [row[name] for name in ("item", "tagVersion", "version", "audience", "revision", "count")] == [None, None, None, "default", None, 20]


HOSTILE = [
    (entry(count=0), "counts[0].count", "integer-out-of-range"), (entry(count=-1), "counts[0].count", "integer-out-of-range"),
    (entry(count=1001), "counts[0].count", "integer-out-of-range"), (entry(count=2**63), "counts[0].count", "integer-out-of-range"),
    (entry(count="1"), "counts[0].count", "type-mismatch"), (entry(count=1.0), "counts[0].count", "type-mismatch"),
    (entry(count=None), "counts[0].count", "required"), (entry(outcome="own"), "counts[0].outcome", "outcome-unknown"),
    (entry("../a"), "counts[0].item", "id-invalid"), (entry(type=7), "counts[0].type", "type-mismatch"),
    (entry(registeredBy={"version": "1.0; DROP"}), "counts[0].registeredBy.version", "invalid-version"), ([], "counts[0]", "type-mismatch"),
]  # fmt: skip


def test_hostile_documents_count_nothing(server, menu):
    for hostile, path, code in HOSTILE:
        answer = server.report(menu, "1.0", batch(hostile, entry("b")))
        assert (answer.status, answer.violations) == (422, {(path, code)})
    together = server.report(menu, "1.0", {"batch": "1", "audience": "!", "counts": [hostile for hostile, _, _ in HOSTILE[:2]]})
    assert together.violations == {("batch", "id-invalid"), ("audience", "audience-invalid"), *(
        (f"counts[{index}].count", "integer-out-of-range") for index in range(2))}
    assert server.report(menu, "1.0", batch(*[entry(f"a{number}") for number in range(101)])).violations == {("counts", "too-many-items")}
    for body in ("", "{", "\x00", '{"batch": "a", "batch": "b"}', "[" * 300 + "]" * 300):
        assert server.report(menu, "1.0", None, body).code == "malformed-json"
    assert server.report("com.example.none", "1.0", batch(entry())).code == "unknown-app"
    assert server.report(menu, "1.0-beta", batch(entry())).code == "invalid-version"
    assert server.report(menu, "1.0", batch(entry()), Content_Type="text/plain").code == "unsupported-media-type"
    assert server.report(menu, "1.0", batch(entry(values="x" * 100_000))).code == "content-too-large"
    assert server.get(f"/v1/apps/{menu}/versions/1.0/taps/counts").code == "method-not-allowed"
    assert statistics(server, menu)["outcomes"] == {}


def test_a_forged_batch_of_another_app_or_content_changes_nothing(server, menu):
    other = menu + ".other"
    server.admin("PUT", f"/apps/{other}", {"defaultLanguage": "en"})
    report = batch(entry("a", 2))
    assert server.report(other, "1.0", report).status == 202
    assert server.report(menu, "1.0", report).status == 202
    assert server.report(menu, "9.0", batch(entry("b", 90), id=report["batch"])).status == 202
    assert statistics(server, menu)["outcomes"] == statistics(server, other)["outcomes"] == {"current": 2}
    server.admin("DELETE", f"/apps/{other}")
    server.admin("PUT", f"/apps/{other}", {"defaultLanguage": "en"})
    assert statistics(server, other)["outcomes"] == {}
    assert server.report(other, "1.0", report).status == 202 and statistics(server, other)["outcomes"] == {"current": 2}


def test_an_address_adds_a_hundred_taps_an_hour(proxied):
    def send(report, address):
        return proxied.report("app", "1.0", report, X_Forwarded_For=address)

    large = batch(entry("a", 70), entry("b", 80))
    answer = send(large, "192.0.2.1")
    assert (answer.status, answer.code) == (429, "too-many-requests") and 3500 < int(answer.fields["retry-after"]) <= 3600
    assert "50 taps of the batch are not counted yet" in answer.json["detail"]
    assert statistics(proxied, "app")["outcomes"] == {"current": 100}
    assert send(large, "192.0.2.1").status == send(batch(entry()), "192.0.2.1").status == 429
    assert send(batch(entry("a", 10)), "2001:db8::1").status == 202
    # Another network goes on with the batch, as after a change from a mobile network to Wi-Fi.
    assert send(large, "2001:db8:0:1::1").status == 202
    assert {row["item"]: row["count"] for row in statistics(proxied, "app")["items"]} == {"a": 80, "b": 80}
    assert send(large, "192.0.2.1").status == 202
    assert send(batch(entry("a", 91)), "2001:db8::ffff").status == 429
    assert statistics(proxied, "app")["outcomes"] == {"current": 250}
    # Addresses are not stored.
    proxied.stop()
    assert b"192.0.2.1" not in stored(proxied) and b"2001:db8" not in stored(proxied)
    assert not [line for line in proxied.log if "192.0.2.1" in line]


def test_values_of_personal_items_are_kept_nowhere(proxied):
    values = {"values": {"address": SECRET}, "longpress.values": json.dumps({"address": SECRET})}
    tag = {"longpress.schema": 1, "longpress.item": "a", "longpress.version": "1.0", "longpress.values": json.dumps({"address": SECRET})}
    answers = [
        proxied.tap("app", "1.0", {"type": "com.example.a", "userInfo": {**tag, "mine": 1}, **values}),
        proxied.report("app", "1.0", batch(entry("a", 2, **values), **values)),
        proxied.report("app", "1.0", batch(entry("a", 0, **values), **values)),
        proxied.tap("app", "1.0", {"type": 1, "counted": "no", **values}),
        proxied.tap("app", "1.0", {"type": "t", "values": {"address": (SECRET + " ") * 6_000}}),
        proxied.report("app", "1.0", batch(entry("a", 2, values=(SECRET + " ") * 3_000))),
    ]
    assert [answer.status for answer in answers] == [200, 202, 422, 422, 413, 202]
    assert answers[0].json["tapped"] == {"mine": 1}
    assert not [answer for answer in answers if SECRET.encode() in answer.body]
    assert statistics(proxied, "app")["reported"] == {"current": 4}
    proxied.stop()
    assert SECRET.encode() not in stored(proxied) and not [line for line in proxied.log if SECRET in line]


def test_each_tap_counts_once_although_the_service_is_killed_and_answers_are_lost(own):
    """A client repeats each batch until it gets the answer. Half of the answers are lost, and the service is killed."""
    own.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a"), item("b")]})
    chance = random.Random(own.address[1])
    sent = {"a": 0, "b": 0}
    for turn in range(40):
        taps = {id: chance.randint(1, 2) for id in chance.sample(sorted(sent), chance.randint(1, 2))}
        report = batch(*[entry(id, count) for id, count in taps.items()])
        for id, count in taps.items():
            sent[id] += count
        while True:
            status = own.report("app", "1.0", report).status
            if turn % 10 == 9:
                own.restart(signal.SIGKILL)
                turn += 1
            elif status == 202 and chance.random() < 0.5:
                break
    assert {row["item"]: row["reported"] for row in statistics(own, "app")["items"]} == sent
    assert sql(own, "SELECT COUNT(*) FROM tap_batches") == "40"


@pytest.mark.any_engine
def test_the_same_batch_on_two_nodes_at_the_same_moment_counts_once(tmp_path):
    cluster = Cluster(tmp_path, 2)
    try:
        one, two = cluster.nodes
        one.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
        one.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a")]})
        eventually(lambda: two.shortcuts("app", "1.0").status == 200)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for _ in range(10):
                report = batch(entry("a", 2))
                answers = list(pool.map(lambda node, report=report: node.report("app", "1.0", report).status, [one, two] * 4))
                assert answers == [202] * 8
        assert statistics(one, "app")["outcomes"] == statistics(two, "app")["outcomes"] == {"current": 20}
    finally:
        cluster.stop()
