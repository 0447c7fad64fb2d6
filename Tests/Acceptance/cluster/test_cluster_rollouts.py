"""Roll-outs on three nodes: one winner, one share, one count."""

import concurrent.futures
import time
import uuid

import pytest

from cluster import Cluster
from longpress import eventually, instant, item, wake_scheduler

pytestmark = pytest.mark.any_engine
PLACE = "/apps/a/sets/1.0"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("rollouts"), 3, "--trusted-proxies", "127.0.0.1/32")
    cluster.nodes[0].admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    cluster.nodes[0].admin("PUT", PLACE, {"items": [item("compose")]})
    yield cluster
    cluster.stop()


@pytest.fixture(autouse=True)
def running(cluster):
    started = cluster.nodes[0].admin("PUT", f"{PLACE}/candidate?share=50&stop=true", {"items": [item("write"), item(f"i{uuid.uuid4().hex}")]})
    assert started.status == 200, started.body


def thresholds(cluster):
    return [node.shortcuts("a", "1.0").json.get("rollout", {}).get("threshold") for node in cluster.nodes]


def test_a_share_is_on_all_nodes_within_the_freshness_bound(cluster):
    eventually(lambda: thresholds(cluster) == [5000] * 3)
    for number, share in enumerate((60, 70, 20, 80, 90)):
        assert cluster.nodes[number % 3].admin("PATCH", f"{PLACE}/candidate", {"share": share}).status == 200
        changed = time.monotonic()
        eventually(lambda: thresholds(cluster) == [100 * share] * 3)
        assert time.monotonic() - changed < 5


def test_promote_and_stop_on_two_nodes_have_one_winner(cluster):
    for _ in range(5):
        first, second, third = cluster.nodes
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            ends = [pool.submit(first.admin, "POST", f"{PLACE}/candidate/promote"), pool.submit(second.admin, "POST", f"{PLACE}/candidate/stop")]
            statuses = sorted(end.result().status for end in ends)
        assert statuses == [200, 404]
        assert third.admin("PUT", f"{PLACE}/candidate?share=50", {"items": [item(f"i{uuid.uuid4().hex}")]}).status == 200


def test_a_step_runs_once(cluster):
    cluster.nodes[1].admin("PATCH", f"{PLACE}/candidate", {"steps": [{"at": instant(3600), "share": 75}]})
    cluster.sql("UPDATE schedule SET due_at = due_at - 3600000 WHERE app = 'a'")
    wake_scheduler(cluster.nodes[0])
    eventually(lambda: thresholds(cluster) == [7500] * 3)
    changed = [entry for entry in cluster.nodes[2].admin("GET", "/audit?action=rollout.changed").json["items"] if entry["after"].get("share") == 75]
    assert len(changed) == 1


def test_first_taps_of_all_nodes_are_one_count_and_stop_it_once(cluster):
    cluster.nodes[0].admin("PATCH", f"{PLACE}/candidate", {"guard": {"lost": 5}})
    rollout = cluster.nodes[0].shortcuts("a", "1.0").json["rollout"]
    before = len(cluster.nodes[0].admin("GET", "/audit?action=rollout.stopped").json["items"])

    def report(number):
        entry = {
            "item": "write", "type": "t", "registeredBy": {"version": "1.0", "revision": 1}, "outcome": "removed", "count": 30,
            "rollout": {"id": rollout["id"], "arm": "candidate", "threshold": 5000},
        }
        node = cluster.nodes[number % 3]
        return node.report("a", "1.0", {"batch": str(uuid.uuid4()), "counts": [entry]}, X_Forwarded_For=f"192.0.2.{number}").status

    assert {report(number) for number in range(3)} == {202}
    assert cluster.nodes[0].admin("GET", f"{PLACE}/candidate/result").json["firstTaps"]["candidate"] == 90
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert set(pool.map(report, range(3, 9))) == {202}
    eventually(lambda: thresholds(cluster) == [None] * 3)
    stopped = cluster.nodes[1].admin("GET", "/audit?action=rollout.stopped").json["items"]
    assert len(stopped) == before + 1
    assert {node.admin("GET", f"{PLACE}/candidate/result").json["end"] for node in cluster.nodes} == {"lost"}
