"""Nodes start, stop, are suspended and have wrong clocks: names, leases, claims, schedules."""

import calendar
import datetime
import email.utils
import os
import pathlib
import signal
import threading
import time

import pytest

from cluster import IS_LONG, SLACK, Cluster, seconds_until, title
from consumer import Consumer
from longpress import Longpress, eventually, item, wake_scheduler

pytestmark = pytest.mark.any_engine



@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """For tests that stop none of its nodes."""
    yield from three(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def cluster(tmp_path):
    yield from three(tmp_path)


def three(folder):
    cluster = Cluster(folder)
    assert cluster.nodes[0].admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    yield cluster
    for node in cluster.nodes:
        if node.process.poll() is None:
            node.process.send_signal(signal.SIGCONT)
    cluster.stop()


class Slow(Consumer):
    """Takes `seconds` for each answer, and counts concurrent requests."""

    def __init__(self, seconds):
        super().__init__()
        self.lock, self.inside, self.most = threading.Lock(), 0, 0
        self.begun = []
        answer = self.server.RequestHandlerClass.do_POST
        consumer = self

        def do_POST(handler):
            with consumer.lock:
                consumer.inside += 1
                consumer.most = max(consumer.most, consumer.inside)
                consumer.begun.append(handler.headers["webhook-id"])
            time.sleep(consumer.seconds)
            with consumer.lock:
                consumer.inside -= 1
            answer(handler)

        self.seconds = seconds
        self.server.RequestHandlerClass.do_POST = do_POST
        self.server.handle_error = lambda *_: None


def publish(node, text, version="1.0", app="a"):
    answer = node.admin("PUT", f"/apps/{app}/sets/{version}", {"items": [item("a", text)]})
    assert answer.status in (200, 201), answer.body
    return answer


def ping(node, endpoint, count):
    for _ in range(count):
        assert node.admin("POST", f"/webhooks/{endpoint}/ping").status == 202


def let_claim_ahead(cluster, node, endpoint, consumer, seconds):
    """While the others are suspended, the node claims more for the endpoint than may be in flight, as it does after eight quick answers in
    a row. Then the consumer takes `seconds` for each. Returns the total number of pings; the last 40 are not finished."""
    others, sent = [other for other in cluster.nodes if other is not node], 0
    for other in others:
        other.process.send_signal(signal.SIGSTOP)
    try:
        for _ in range(4):
            ping(node, endpoint, 20)
            eventually(lambda: len(consumer.received) == sent + 20 and held(cluster) == 0)
            consumer.seconds = seconds
            ping(node, endpoint, 40)
            sent += 60
            eventually(lambda: consumer.inside == 8)
            if held(cluster) > 16:
                return sent
            # On a busy machine an answer was not quick.
            consumer.seconds = 0
            eventually(lambda: len(consumer.received) == sent)
        pytest.skip("no eight answers in a row were quick on this machine, so that the node claimed no more than may be in flight")
    finally:
        for other in others:
            other.process.send_signal(signal.SIGCONT)


def held(cluster, name="n1"):
    """The number of leases of the node."""
    return int(cluster.sql(f"SELECT count(*) FROM deliveries d JOIN nodes n ON d.lease_node = n.id WHERE lease_token IS NOT NULL "
                           f"AND name = '{name}'"))


def nodes(node):
    return {entry["node"]: entry for entry in node.admin("GET", "/nodes").json["items"]}


def instant(text):
    return datetime.datetime.fromisoformat(text).timestamp()


# Deliveries


def test_the_cluster_has_one_attempt_in_flight_to_an_ordered_endpoint_and_eight_to_another(shared):
    one, other = Slow(0.01), Slow(0.05)
    ordered = one.subscribe(shared.nodes[0], ordered=True, types=["webhook.ping"])["id"]
    plain = other.subscribe(shared.nodes[0], types=["webhook.ping"])["id"]
    count = 90
    pinging = [threading.Thread(target=ping, args=(node, endpoint, count // 3)) for node in shared.nodes for endpoint in (ordered, plain)]
    for thread in pinging:
        thread.start()
    for thread in pinging:
        thread.join()
    eventually(lambda: len(one.received) >= count and len(other.received) >= count)
    events = shared.sql(f"SELECT event FROM deliveries WHERE endpoint = '{ordered}' ORDER BY sequence").split("\n")
    assert one.begun == events and one.most == 1
    assert sorted(other.begun) == sorted(set(other.begun)) and 2 <= other.most <= 8, other.most
    one.stop()
    other.stop()


def test_a_node_that_stops_leaves_what_it_has_not_begun_to_the_others_at_once(cluster):
    node, other, _ = cluster.nodes
    slow = Slow(0)
    endpoint = slow.subscribe(other, types=["webhook.ping"])["id"]
    sent = let_claim_ahead(cluster, node, endpoint, slow, seconds=2)
    node.process.send_signal(signal.SIGTERM)
    assert seconds_until(lambda: held(cluster) <= 8) <= 1 + SLACK
    # The endpoint has eight in flight. Other nodes may claim more once these have ended.
    assert seconds_until(lambda: held(cluster, "n2") + held(cluster, "n3") > 0) <= 2 + SLACK
    slow.seconds = 0
    assert node.process.wait(timeout=120) == 0
    eventually(lambda: len(slow.received) == sent)
    assert sorted(slow.begun) == sorted(set(slow.begun)), "something was delivered twice, and no node died"
    assert set(nodes(other)) == {"n2", "n3"}
    slow.stop()


def test_a_node_that_drains_says_so_at_once_and_serves_on_for_as_long_as_it_was_told(shared):
    publish(shared.nodes[0], "Here", "7.0")
    node = shared.node(4, "--drain-delay", "5s")
    assert node.get("/readyz").status == 200
    node.process.send_signal(signal.SIGTERM)
    start = time.monotonic()
    assert seconds_until(lambda: node.get("/readyz").status == 503) <= SLACK
    for _ in range(5):
        assert title(node, "a", "7.0") == "Here"
        assert node.get("/readyz").status == 503
    assert node.process.wait(timeout=120) == 0
    assert time.monotonic() - start >= 4.9


@pytest.mark.skipif(not IS_LONG, reason="a node stands still for 25 seconds: make test-cluster")
def test_dead_and_frozen_nodes(cluster):
    """One node is suspended for 25 seconds with attempts in flight and other deliveries claimed. In the meantime, one is killed and one
    restarts under its name."""
    frozen, dead, living = cluster.nodes
    slow = Slow(0)
    endpoint = slow.subscribe(living, types=["webhook.ping"])["id"]
    publish(frozen, "Old")
    assert title(frozen, "a") == "Old"
    sent = let_claim_ahead(cluster, frozen, endpoint, slow, seconds=3)
    frozen.process.send_signal(signal.SIGSTOP)
    frozen_at = time.monotonic()
    claimed = held(cluster)
    slow.seconds = 0
    dead.stop(signal.SIGKILL)
    died_at = time.monotonic()
    # A process with the name of a living node fails with a sentence.
    refusal = refused_start(cluster, "n3")
    assert "Another process already uses the node name" in refusal and "n3" in refusal
    # A node with the dead node's name starts. This does not void any node's leases sooner.
    started = time.monotonic()
    cluster.nodes.append(cluster.node(2))
    assert time.monotonic() - started <= 6 + SLACK
    if time.monotonic() - frozen_at < 12:
        assert held(cluster) == claimed
    # After 15 seconds, other nodes have the leases of the suspended one.
    eventually(lambda: len(set(slow.begun)) == sent)
    assert 10 <= time.monotonic() - frozen_at <= 20 + SLACK
    eventually(lambda: [entry["node"] for entry in living.admin("GET", "/nodes").json["items"]] == ["n2", "n3"])
    assert time.monotonic() - died_at <= 20 + 2 + SLACK
    publish(living, "New")
    time.sleep(max(0, 25 - (time.monotonic() - frozen_at)))
    before = len(slow.begun)
    frozen.process.send_signal(signal.SIGCONT)
    resumed = time.monotonic()
    first = title(frozen, "a")
    assert first == "New", "what it remembers is too old to be served while the store answers"
    assert time.monotonic() - resumed <= 2 + SLACK
    # It does not start the attempts that it had claimed, and the outcomes of its attempts are ignored.
    eventually(lambda: "n1" in nodes(living))
    ping(frozen, endpoint, 3)
    eventually(lambda: len(set(slow.begun)) == sent + 3)
    eventually(lambda: cluster.sql("SELECT DISTINCT state, attempts_made FROM deliveries") == "delivered|1")
    assert cluster.sql("SELECT count(*) FROM attempts") == str(sent + 3)
    assert cluster.sql("SELECT count(*) FROM deliveries WHERE lease_token IS NOT NULL") == "0"
    assert len(slow.begun) - before == 3 and len(slow.begun) - sent - 3 <= 8
    slow.stop()


def refused_start(cluster, name):
    """The output of a process that fails to start."""
    try:
        node = Longpress(cluster.folder, "--node", name, database=cluster.uri)
    except RuntimeError as error:
        return str(error)
    node.stop()
    return "it started"


def test_a_name_is_one_living_node_s(shared):
    refusal = refused_start(shared, "n3")
    assert 'Another process already uses the node name "n3".' in refusal


def test_a_node_that_is_killed_again_and_again_comes_back_under_its_name(shared):
    """With the settings of deploy/compose.cluster.yaml, a crash loop ends when the crashes end."""
    compose = {"LONGPRESS_NODE": "node1", "LONGPRESS_MAX_STREAMS_PER_ADDRESS": "0"}
    node = Longpress(shared.folder, database=shared.uri, env={**os.environ, **compose})
    # At the fourth start, the first process has been dead for some 15 seconds and is still listed.
    for _ in range(12 if IS_LONG else 4):
        killed = time.monotonic()
        node.restart()
        assert time.monotonic() - killed <= 6 + SLACK
    assert "Another process already uses the node name" in refused_start(shared, "node1")
    node.stop()


def test_a_node_tells_how_many_changes_it_does_not_know(shared):
    slow = shared.node(4, "--database-listen", "none", "--database-poll", "2s")
    try:
        def is_behind():
            publish(shared.nodes[0], f"Title {time.monotonic()}")
            return nodes(shared.nodes[0])["n4"]["changesBehind"] > 0

        eventually(is_behind)
        eventually(lambda: nodes(shared.nodes[0])["n4"]["changesBehind"] == 0)
    finally:
        slow.stop()


# Schedules


def max_age(answer):
    return int(answer.fields["cache-control"].split("max-age=")[1].split(",")[0])


def schedule(node, at, text, version="1.0", app="a"):
    assert node.admin("PUT", f"/apps/{app}/sets/{version}/draft", {"items": [item("a", text)]}).status in (200, 201)
    at = datetime.datetime.fromtimestamp(at, datetime.timezone.utc).isoformat()
    answer = node.admin("POST", f"/apps/{app}/sets/{version}/publish", {"at": at})
    assert answer.status == 202, answer.body


def test_a_schedule_made_on_one_node_shortens_max_age_on_the_others(shared):
    assert shared.nodes[0].admin("PUT", "/apps/scheduled", {"defaultLanguage": "en"}).status == 201
    publish(shared.nodes[0], "Now", app="scheduled")
    for node in shared.nodes:
        eventually(lambda: title(node, "scheduled") == "Now")
        assert max_age(node.shortcuts("scheduled", "1.0")) == 60
    schedule(shared.nodes[0], time.time() + 59, "Later", app="scheduled")
    for node in shared.nodes:
        assert seconds_until(lambda: max_age(node.shortcuts("scheduled", "1.0")) < 60) <= 2 + SLACK


def test_drafts_that_are_due_while_nodes_die_are_published_once_and_in_time(cluster):
    count = 20 if IS_LONG else 5
    for number in range(count):
        schedule(cluster.nodes[0], time.time() + 3600, f"Scheduled {number}", f"{number + 1}.0")
    start = time.time() + 1
    for number in range(count):
        cluster.sql(f"UPDATE schedule SET due_at = {round((start + number * 0.7) * 1000)} WHERE version = '{number + 1}.0.0'")
    wake_scheduler(cluster.nodes[2])
    # One node after the other dies and restarts; one lives all the time.
    for number in range(count):
        time.sleep(max(0, start + number * 0.7 - 0.05 * (number % 3) - time.time()))
        node = cluster.nodes[number % 2]
        node.stop(signal.SIGKILL)
        node.flags = ("--node", f"n{number % 2 + 1}-{number}")
        node.start()
    last = cluster.nodes[2]
    entries = eventually(lambda: (found := last.admin("GET", "/apps/a/revisions?limit=100").json["items"]) and len(found) >= count and found)
    assert [entry["revision"] for entry in entries] == list(range(count, 0, -1))
    late = [instant(entry["publishedAt"]) - (start + number * 0.7) for number, entry in enumerate(reversed(entries))]
    assert all(-0.1 <= seconds <= 1 + SLACK for seconds in late), late


# Clocks


def preloaded():
    """libfaketime, which changes the time of a process."""
    found = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    return str(found[0]) if found else pytest.skip("libfaketime is not installed")


@pytest.mark.parametrize("hours", [1, -1] if IS_LONG else [1])
def test_a_node_whose_clock_is_an_hour_off_changes_nothing(cluster, hours):
    environment = {**os.environ, "LD_PRELOAD": preloaded(), "FAKETIME": f"{hours:+d}h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    # A library that is preloaded first removes a Swift program's arguments. With env it is not first.
    off = Longpress(cluster.folder, "--node", "off", database=cluster.uri, through=["env"], env=environment)
    cluster.nodes.append(off)
    assert abs(nodes(cluster.nodes[0])["off"]["clockOffsetMs"] + hours * 3_600_000) < 600_000
    date = calendar.timegm(email.utils.parsedate(off.get("/healthz").fields["date"]))
    assert abs(date - time.time() - hours * 3600) < 600, "Date is the node's own"
    assert abs(instant(nodes(off)["off"]["seenAt"]) - time.time()) < 600
    # Only this node delivers, because the others are suspended.
    consumer = Consumer()
    consumer.subscribe(off)
    for node in cluster.nodes[:3]:
        node.process.send_signal(signal.SIGSTOP)
    try:
        publish(off, "By the one that is off")
        received = eventually(lambda: list(consumer.received))
        fields = {name.lower(): value for name, value in received[-1][0].items()}
        assert abs(int(fields["webhook-timestamp"]) - time.time()) < 600
        assert all(abs(instant(event["timestamp"]) - time.time()) < 600 for _, event in consumer.checked(received))
    finally:
        for node in cluster.nodes[:3]:
            node.process.send_signal(signal.SIGCONT)
    entry = off.admin("GET", "/apps/a/revisions").json["items"][0]
    assert abs(instant(entry["publishedAt"]) - time.time()) < 600
    # A draft that is scheduled on it is published in time, by any node, and not earlier.
    at = time.time() + 3600
    schedule(off, at, "Later")
    at = time.time() + 2
    cluster.sql(f"UPDATE schedule SET due_at = {round(at * 1000)} WHERE app = 'a'")
    wake_scheduler(off)
    eventually(lambda: title(cluster.nodes[0], "a") == "Later")
    entry = off.admin("GET", "/apps/a/revisions").json["items"][0]
    assert -0.1 <= instant(entry["publishedAt"]) - at <= 1 + SLACK and entry["revision"] == 2
    # Neither it nor the other nodes treat each other as dead.
    assert set(nodes(off)) == {"n1", "n2", "n3", "off"}
    eventually(lambda: len(consumer.received) >= 2)
    assert len({fields["webhook-id"] for fields, _ in consumer.received}) == len(consumer.received)
    consumer.stop()
