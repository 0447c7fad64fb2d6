"""The live stream of three nodes: the same events on every node, wherever a reader reconnects."""

import itertools
import os
import random
import signal
import time

import pytest

from cluster import IS_LONG, Cluster
from event_stream import EventStream, Follower
from longpress import eventually
from test_stream import publish
from workload import Writer, committed

pytestmark = pytest.mark.any_engine

KILLS = int(os.environ.get("RESTARTS", "30" if IS_LONG else "6"))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """For tests that stop none of its nodes."""
    cluster = Cluster(tmp_path_factory.mktemp("shared"), 3, "--public-url", "https://menus.example.com")
    assert cluster.nodes[0].admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    yield cluster
    cluster.stop()


def test_every_node_tells_the_same_under_the_same_ids(shared):
    nodes = shared.nodes
    streams = [EventStream(node, "a") for node in nodes]
    for stream in streams:
        assert stream.next().name == "state"
    turns = itertools.cycle(nodes)
    revisions = [publish(next(turns), "a", "1.0", f"T{number}") for number in range(30)]
    told = [stream.until(lambda event: event.data["revision"] == revisions[-1]) for stream in streams]
    assert told[0] == told[1] == told[2] and [event.data["revision"] for event in told[0]] == revisions
    for stream in streams:
        stream.close()


def test_an_event_is_sent_by_a_node_that_serves_the_change(shared):
    """The fetch has no ?revision=, which would make a node with older state ask the store."""
    writer, *readers = shared.nodes
    streams = [EventStream(node, "a") for node in readers]
    for stream in streams:
        stream.next()
    for number in range(50):
        revision = publish(writer, "a", "1.0", f"S{number}")
        for node, stream in zip(readers, streams):
            assert stream.next().data["revision"] == revision
            assert node.shortcuts("a", "1.0").json["revision"] == revision
    for stream in streams:
        stream.close()


def test_a_reader_goes_on_at_another_node(shared):
    first, second, third = shared.nodes
    with EventStream(first, "a") as stream:
        stream.next()
        publish(second, "a", "1.0", "X")
        last = stream.next().id
    revisions = [publish(third, "a", f"{number}.0", f"Y{number}") for number in range(5)]
    with EventStream(second, "a", last=last) as stream:
        assert [stream.next().data["revision"] for _ in revisions] == revisions


def test_no_node_that_dies_keeps_a_change_from_who_comes_back(tmp_path):
    moments = random.Random(SEED)
    cluster = Cluster(tmp_path, 3)
    try:
        nodes, apps = cluster.nodes, ("a", "b")
        for app in apps:
            nodes[0].admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        turns = itertools.cycle(range(len(nodes)))
        followers = [Follower(lambda: nodes[next(turns)], *apps) for _ in range(3)]
        writers = [Writer(node, number, apps, pause=0.01) for number, node in enumerate(nodes)]
        for follower in followers:
            follower.start()
        eventually(lambda: all(follower.events for follower in followers))
        for writer in writers:
            writer.start()
        for number in range(KILLS):
            time.sleep(moments.uniform(0, 0.3))
            place = moments.randrange(len(nodes))
            nodes[place].stop(signal.SIGKILL if number % 2 else signal.SIGTERM)
            # A new name: that of a killed node is in use for some seconds.
            nodes[place] = writers[place].server = cluster.node(10 + number)
        for writer in writers:
            writer.end()
        all_of_them = committed(nodes[0], apps)
        # A replay leaves out changes that a newer change of the same set has replaced.
        newest = {(app, max(revision for name, revision in all_of_them if name == app)) for app in apps}
        for follower in followers:
            eventually(lambda: newest <= follower.seen)
            follower.end()
            assert follower.faults == [] and follower.seen <= all_of_them, f"SEED={SEED}"
        print(f"{KILLS} ends of a node (SEED={SEED}), {len(all_of_them)} publishes, the newest missed by nobody")
    finally:
        cluster.stop()


def test_a_copy_that_was_put_back_ends_the_streams_and_is_another_life(tmp_path):
    cluster = Cluster(tmp_path, 2)
    try:
        first, second = cluster.nodes
        first.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
        tables = ("stream_journal", "changes", "change_counter")
        for table in tables:
            cluster.sql(f"CREATE TABLE kept_{table} AS SELECT * FROM {table}")
        with EventStream(second, "a") as stream:
            stream.next()
            # More commits than the nodes make themselves before the check.
            lost = [publish(first, "a", "1.0", f"A{number}") for number in range(20)]
            last = stream.until(lambda event: event.data["revision"] == lost[-1])[-1].id
            # The tables after an older state was restored under running nodes.
            cluster.sql("; ".join(f"DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept_{table}" for table in tables))
            assert stream.next() is None
        revision = publish(first, "a", "1.0", "B")
        with EventStream(second, "a", last=last) as stream:
            assert stream.next().data == {"apps": {"a": {"revision": revision}}, "resync": True}
            revision = publish(first, "a", "1.0", "C")
            assert stream.next().data["revision"] == revision
    finally:
        cluster.stop()
