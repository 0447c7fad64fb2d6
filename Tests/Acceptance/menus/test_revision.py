"""A write that one node acknowledged can be read at once on every other node, if the reader names the revision."""

import os
import signal
import subprocess
import time

import pytest

from cluster import SLACK
from longpress import Longpress, item
from postgres import Postgres

pytestmark = pytest.mark.any_engine


@pytest.fixture(scope="module")
def server():
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture
def nodes(server, tmp_path):
    """Two nodes without notifications that poll rarely, so that the second one lags behind the first."""
    database, lagging = server.database(), ["--database-listen", "none", "--database-poll", "2s"]
    nodes = [Longpress(tmp_path, "--node", name, *lagging, database=database) for name in ("first", "second")]
    assert nodes[0].admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    yield nodes
    for node in nodes:
        node.stop(signal.SIGKILL)


def publish(node, revision):
    answer = node.admin("PUT", "/apps/a/sets/1.0", {"items": [item("compose", f"Title {revision}")]})
    assert answer.json["revision"] == revision


def timed(ask):
    began = time.monotonic()
    return ask(), time.monotonic() - began


def test_a_revision_that_one_node_has_acknowledged_is_read_on_the_other(nodes):
    first, second = nodes
    behind = 0
    for revision in range(1, 41):
        publish(first, revision)
        behind += revision > 1 and second.shortcuts("a", "1.0").json["revision"] < revision
        assert second.shortcuts("a", "1.0", f"?revision={revision}").json["revision"] == revision
    assert behind > 0, "The second node knew of each publish anyway, so that nothing was tried."
    assert second.shortcuts("a", "1.0", "?revision=1000").json["revision"] == 40
    assert [node["node"] for node in second.admin("GET", "/nodes").json["items"]] == ["first", "second"]


def test_without_the_database_an_old_menu_is_served_and_none_that_is_older_than_asked_for(server, nodes):
    first, second = nodes
    publish(first, 1)
    assert second.shortcuts("a", "1.0", "?revision=1").status == 200
    processes = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()
    processes = [server.process.pid, *map(int, processes)]
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        for _ in range(3):
            for query in ("", "?revision=1", "?lang=ko"):
                answer, seconds = timed(lambda: second.shortcuts("a", "1.0", query))
                assert answer.json["revision"] == 1 and seconds < 3 + SLACK, (query, seconds)
            refused, seconds = timed(lambda: second.shortcuts("a", "1.0", "?revision=2"))
            assert (refused.status, refused.code) == (503, "storage-unavailable") and "retry-after" in refused.fields
            assert seconds < 3 + SLACK
        assert second.tap("a", "1.0", {"type": "t", "userInfo": {}}).status == 200
        assert second.tap("a", "1.0", {"type": "t", "userInfo": {}}, "?revision=2").code == "storage-unavailable"
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
