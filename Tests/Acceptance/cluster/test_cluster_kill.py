"""Nodes and their PostgreSQL are killed at random moments under load: no acknowledged write is lost, and no event is sent with two
contents.

KILLS sets how often a node is killed, RESTARTS how often PostgreSQL is, TERMINATIONS how often all connections are ended, CUTS how many
answers to COMMITs are lost
(`make kill-cluster KILLS=200 RESTARTS=20` for the long run); SEED repeats a run's moments.
"""

import os
import random
import signal
import threading
import time

import pytest

from cluster import Cluster
from longpress import eventually
from workload import Fetcher, Ledger, Writer, committed

pytestmark = pytest.mark.any_engine

KILLS = int(os.environ.get("KILLS", "6"))
RESTARTS = int(os.environ.get("RESTARTS", "3"))
TERMINATIONS = int(os.environ.get("TERMINATIONS", "30"))
CUTS = int(os.environ.get("CUTS", "15"))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
APPS = ("a", "b")


class Load:
    """Six writers, three fetchers and two consumers, one of them ordered, over three nodes."""

    def __init__(self, cluster):
        self.cluster, self.nodes = cluster, cluster.nodes
        # How often each node was started or killed: odd while it is down.
        self.lives = {node: 0 for node in self.nodes}
        self.plain, self.ordered = Ledger(), Ledger()
        self.consumers = [self.plain, self.ordered]
        self.plain.subscribe(self.nodes[0])
        self.endpoint = self.ordered.subscribe(self.nodes[0], ordered=True)["id"]
        for app in APPS:
            assert self.nodes[0].admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"}).status == 201
        self.writers = [Writer(self.nodes[number % 3], number, APPS, pause=0.02) for number in range(6)]
        for writer in self.writers:
            writer.step()
        assert [len(writer.acknowledged) for writer in self.writers] == [1] * 6
        self.fetchers = [Fetcher(node, "/v1/apps/a/versions/1.1/shortcuts", self.life(node), pause=0.02) for node in self.nodes]
        for worker in self.writers + self.fetchers:
            worker.start()

    def life(self, node):
        """A number that differs for each run of the node; None while it is down."""
        return lambda: None if self.lives[node] % 2 else f"life {self.lives[node]}"

    def kill(self, node):
        self.lives[node] += 1
        node.stop(signal.SIGKILL)

    def revive(self, node):
        # With a new name, as for a node without --node. With the same name, it would first wait to see whether the previous process lives.
        node.flags = ("--node", f"{node.flags[1].split('-')[0]}-{self.lives[node]}")
        node.start()
        self.lives[node] += 1

    def absorb(self):
        for consumer in self.consumers:
            consumer.absorb()

    def end(self):
        for worker in self.writers + self.fetchers:
            worker.end()

    def check(self, seconds):
        """After the end: every acknowledged revision exists, and every revision was announced, in order by the ordered webhook. `seconds`:
        how long the consumers may take."""
        acknowledged = [revision for writer in self.writers for revision in writer.acknowledged]
        assert len(acknowledged) == len(set(acknowledged)), "a revision was acknowledged twice"
        for node in self.nodes:
            everything = committed(node, APPS)
            assert set(acknowledged) <= everything, set(acknowledged) - everything
        try:
            for consumer in self.consumers:
                eventually(lambda: everything <= consumer.absorb().keys(), seconds)
        except AssertionError:
            missing = [len(everything - consumer.revisions.keys()) for consumer in self.consumers]
            raise AssertionError(f"{missing} of {len(everything)} were not announced in {seconds} s\n" + self.under_way())
        assert self.ordered.revisions == self.plain.revisions, "one event has one id for every endpoint"
        published = self.cluster.sql("SELECT count(*) - count(DISTINCT (app, version, document)) FROM revisions "
                                     "WHERE published_at > 0 AND kind = 'published'")
        order = self.cluster.sql(f"SELECT event FROM deliveries WHERE endpoint = '{self.endpoint}' ORDER BY sequence").split("\n")
        assert list(self.ordered.bodies) == order, "the ordered endpoint's order is another than that of the commits"
        assert published == "0", "something was published twice"
        return (f"{len(acknowledged)} publishes acknowledged, {len(everything)} committed, "
                + ", ".join(f"{consumer.deliveries} deliveries of {len(consumer.bodies)} events" for consumer in self.consumers)
                + f", {sum(f.answered for f in self.fetchers)} fetches, the slowest {max(f.slowest for f in self.fetchers):.2f} s")

    def under_way(self):
        return self.cluster.sql(
            "SELECT endpoint, state, lease_node, count(*), min(sequence) FROM deliveries WHERE state <> 'delivered' GROUP BY 1, 2, 3")

    def stop(self):
        for consumer in self.consumers:
            consumer.stop()


@pytest.fixture(params=[False])
def load(tmp_path, request):
    cluster = Cluster(tmp_path, through_proxy=request.param)
    load = None
    try:
        load = Load(cluster)
        yield load
    finally:
        if load:
            load.end()
            load.stop()
        cluster.stop()


def test_no_node_that_is_killed_takes_anything_with_it(load):
    moments, reviving = random.Random(SEED), []
    for number in range(KILLS):
        time.sleep(moments.uniform(0, 0.5))
        # At least one node stays up, and mostly two.
        while sum(life % 2 for life in load.lives.values()) == 2:
            time.sleep(0.01)
        node = moments.choice([node for node, life in load.lives.items() if life % 2 == 0])
        load.kill(node)
        reviving.append(threading.Thread(target=load.revive, args=(node,)))
        reviving[-1].start()
        load.absorb()
    for thread in reviving:
        thread.join()
    time.sleep(0.2)
    load.end()
    refused = [(answer.status, answer.body) for writer in load.writers for answer in writer.refused]
    fetches = [refusal for fetcher in load.fetchers for refusal in fetcher.refused]
    # The leases of the nodes that were killed last are released after 15 seconds.
    found = load.check(60 + KILLS)
    print(f"\n{KILLS} kills (SEED={SEED}), {found}, {len(fetches)} refused")
    assert fetches == [] and refused == []


def test_no_kill_of_the_database_loses_what_was_acknowledged(load):
    moments, postgres = random.Random(SEED), load.cluster.postgres
    back = []
    for _ in range(RESTARTS):
        time.sleep(moments.uniform(0.5, 1.5))
        postgres.kill()
        time.sleep(moments.uniform(0, 3))
        postgres.start()
        returned = time.monotonic()
        for node in load.nodes:
            these = [writer for writer in load.writers if writer.server is node]
            eventually(lambda: any(writer.times[-1] > returned for writer in these))
            back.append(min(time_ for writer in these for time_ in writer.times if time_ > returned) - returned)
        load.absorb()
    time.sleep(0.2)
    load.end()
    refused = [answer for writer in load.writers for answer in writer.refused]
    fetches = [refusal for fetcher in load.fetchers for refusal in fetcher.refused]
    found = load.check(60 + RESTARTS)
    print(f"\n{RESTARTS} restarts of PostgreSQL (SEED={SEED}), writes back after {max(back):.2f} s at most, {found}, {len(fetches)} refused; "
          f"{len(refused)} publishes refused")
    assert fetches == []
    assert max(fetcher.slowest for fetcher in load.fetchers) < 4, "a fetch waits at most 2 s for the store"
    assert all(answer.status == 503 and "retry-after" in answer.fields for answer in refused)
    assert max(back) <= 5


def test_connections_that_are_ended_lose_nothing(load):
    moments, ended = random.Random(SEED), 0
    for _ in range(TERMINATIONS):
        time.sleep(moments.uniform(0, 0.1))
        ended += load.cluster.postgres.terminate()
        load.absorb()
    load.end()
    refused = [(answer.status, answer.body) for writer in load.writers for answer in writer.refused]
    fetches = [refusal for fetcher in load.fetchers for refusal in fetcher.refused]
    found = load.check(60)
    print(f"\n{ended} connections ended in {TERMINATIONS} turns (SEED={SEED}), {found}, {len(fetches)} refused; {len(refused)} publishes refused")
    assert fetches == [] and ended > 0
    assert all(status == 503 for status, _ in refused) and len(refused) <= TERMINATIONS


@pytest.mark.parametrize("load", [True], indirect=True)
def test_commits_whose_answers_are_lost_are_made_once(load):
    moments, proxy = random.Random(SEED), load.cluster.proxy
    while proxy.cut < CUTS:
        proxy.cut_commits(3)
        time.sleep(moments.uniform(0, 0.2))
        load.absorb()
    load.end()
    refused = [(answer.status, answer.body) for writer in load.writers for answer in writer.refused]
    fetches = [refusal for fetcher in load.fetchers for refusal in fetcher.refused]
    found = load.check(60)
    print(f"\n{proxy.cut} connections cut in place of the answer to a COMMIT (SEED={SEED}), {found}, {len(fetches)} refused; "
          f"{len(refused)} publishes refused")
    assert fetches == [] and refused == []
