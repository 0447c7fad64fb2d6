"""A synchronous standby is promoted under load: both servers are in the URI, and nothing needs a restart."""

import concurrent.futures
import subprocess
import threading
import time

import pytest

from cluster import SLACK, seconds_until
from longpress import Longpress, eventually, item
from postgres import Postgres

pytestmark = pytest.mark.any_engine


class Standby(Postgres):
    """A server that replicates another one, and becomes the primary by `promote`. Its own initdb is discarded."""

    def __init__(self, primary):
        super().__init__()
        super().kill()
        subprocess.run(["find", self.data, "-mindepth", "1", "-delete"], check=True)
        primary.sql("SELECT pg_create_physical_replication_slot('standby')", "postgres")
        rules = primary.data / "pg_hba.conf"
        rules.write_text("host replication all 127.0.0.1/32 trust\n" + rules.read_text())
        primary.sql("SELECT pg_reload_conf()", "postgres")
        self.data.chmod(0o700)
        subprocess.run(
            [self.programs / "pg_basebackup", "-h", "127.0.0.1", "-p", str(primary.port), "-U", "postgres", "-D", self.data, "-R", "-S", "standby"],
            check=True, capture_output=True, cwd="/", **self.user)
        with open(self.data / "postgresql.auto.conf", "a") as file:
            file.write(f"port = {self.port}\nunix_socket_directories = '{self.folder}'\n")
        self.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'", "postgres")
        primary.sql("SELECT pg_reload_conf()", "postgres")
        assert seconds_until(lambda: primary.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "postgres") == "1") <= 10 + SLACK

    def promote(self):
        self.sql("ALTER SYSTEM SET synchronous_standby_names = ''", "postgres")
        subprocess.run([self.programs / "pg_ctl", "promote", "-w", "-D", self.data], check=True, capture_output=True, cwd="/", **self.user)
        self.sql("SELECT pg_reload_conf()", "postgres")


@pytest.fixture
def servers():
    primary = Postgres()
    servers = [primary]
    try:
        servers.append(Standby(primary))
        yield servers
    finally:
        for server in servers:
            server.stop()


@pytest.fixture
def nodes(servers, tmp_path):
    primary, standby = servers
    place = f"127.0.0.1:{primary.port}"
    uri = primary.database().replace(place, f"{place},127.0.0.1:{standby.port}") + "?target_session_attrs=read-write"
    nodes = [Longpress(tmp_path, "--node", name, database=uri) for name in ("n1", "n2")]
    yield nodes
    for node in nodes:
        node.stop()


def every_revision(node):
    """All revisions, newest first."""
    revisions, cursor = [], ""
    while cursor is not None:
        page = node.admin("GET", f"/apps/app/revisions?limit=100{cursor and '&cursor=' + cursor}").json
        revisions += [entry["revision"] for entry in page["items"]]
        cursor = page["next"]
    return revisions


def test_a_standby_is_promoted_and_everything_goes_on(servers, nodes):
    (primary, standby), (one, two) = servers, nodes
    assert one.admin("PUT", "/apps/app", {"defaultLanguage": "en"}).status == 201
    assert one.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a", "First")]}).status == 201
    assert seconds_until(lambda: two.shortcuts("app", "1.0").status == 200) <= 3 + SLACK
    ended, acknowledged = threading.Event(), []

    def publish(node):
        number = 0
        while not ended.is_set():
            number += 1
            answer = node.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a", f"{node.address[1]} {number}")]})
            if answer.status == 200:
                acknowledged.append(answer.json["revision"])
            else:
                assert answer.status == 503 and answer.fields["retry-after"], answer.body
            time.sleep(0.05)

    def fetch(node):
        statuses = set()
        while not ended.is_set():
            statuses.add(node.shortcuts("app", "1.0").status)
            time.sleep(0.02)
        return statuses

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        published, fetched = [pool.submit(publish, node) for node in nodes], [pool.submit(fetch, node) for node in nodes]
        try:
            eventually(lambda: len(acknowledged) > 20)
            primary.kill()
            eventually(lambda: all(node.get("/readyz?plane=admin").status == 503 for node in nodes))
            standby.promote()
            for node in nodes:
                assert seconds_until(lambda: node.get("/readyz?plane=admin").status == 200 and node.admin("PUT", "/apps/app/sets/2.0", {
                    "items": [item("b", str(node.address[1]))]}).status in (200, 201)) <= 8 + SLACK
        finally:
            ended.set()
    assert [task.result() for task in published + fetched] == [None, None, {200}, {200}]
    assert len(acknowledged) == len(set(acknowledged))
    there = every_revision(two)
    assert there == list(range(len(there), 0, -1)) and set(acknowledged) <= set(there)
    # Both nodes listen on the new primary.
    assert seconds_until(lambda: standby.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'longpress listen'", "postgres") == "2") <= 10 + SLACK
