"""Unfavorable defaults of a server, a database and a role: acknowledged writes are preserved, and everything works."""

import concurrent.futures
import time

import pytest

from cluster import title
from consumer import Consumer
from longpress import Longpress, eventually, item
from postgres import SUPERUSER, Postgres

pytestmark = pytest.mark.any_engine


def serve(folder, postgres, uri, *flags):
    node = Longpress(folder, "--node", "n1", *flags, database=uri)
    assert node.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    return node


def is_listening(node):
    return 'connections{state="listening"} 1' in node.get("/metrics").body.decode()


def publish(node, text, version="1.0"):
    return node.admin("PUT", f"/apps/a/sets/{version}", {"items": [item("a", text)]})


@pytest.mark.parametrize("owner", ["server", "database", "role"])
def test_what_was_acknowledged_outlives_a_crash_of_the_server_whatever_the_default_of(tmp_path, owner):
    # A commit that is not flushed at once is flushed after ten seconds: a crash before that loses it.
    postgres = Postgres(wal_writer_delay="'10s'", wal_writer_flush_after="'1GB'")
    try:
        uri = postgres.database("menus")
        postgres.sql({"server": "ALTER SYSTEM SET synchronous_commit = off", "database": "ALTER DATABASE menus SET synchronous_commit = off",
                      "role": f"ALTER ROLE {SUPERUSER} SET synchronous_commit = off"}[owner], "postgres")
        if owner == "server":
            postgres.restart()
        node = serve(tmp_path, postgres, uri)
        for round in range(2):
            texts = [f"Title {round} {number}" for number in range(10)]
            revisions = [publish(node, text).json["revision"] for text in texts]
            postgres.restart()
            eventually(lambda: publish(node, texts[-1]).status == 200)
            kept = {entry["revision"]: entry for entry in node.admin("GET", "/apps/a/revisions?limit=100").json["items"]}
            assert set(revisions) <= set(kept), "an acknowledged revision is lost"
            assert title(node, "a") == texts[-1] and max(kept) == revisions[-1]
        node.stop()
    finally:
        postgres.stop()


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_node_warns_of_a_server_that_can_lose_what_it_has_acknowledged(tmp_path, setting):
    postgres = Postgres(**{setting: "off"})
    try:
        node = serve(tmp_path, postgres, postgres.database())
        warnings = [line for line in node.log if "can lose acknowledged writes" in line]
        assert len(warnings) == 1 and f"{setting} = off" in warnings[0], node.log
        node.stop()
    finally:
        postgres.stop()


def test_three_connections_are_enough_for_a_node(tmp_path):
    postgres = Postgres()
    try:
        postgres.sql("CREATE ROLE menus LOGIN CONNECTION LIMIT 3", "postgres")
        postgres.sql("CREATE DATABASE menus OWNER menus", "postgres")
        node = serve(tmp_path, postgres, postgres.uri("menus").replace(f"//{SUPERUSER}@", "//menus@"))
        consumer = Consumer()
        consumer.subscribe(node)
        for _ in range(2):
            consumer.received.clear()
            with concurrent.futures.ThreadPoolExecutor(24) as pool:
                answers = list(pool.map(lambda number: publish(node, f"Title {number}", f"{number}.0"), range(1, 41)))
            assert {answer.status for answer in answers} <= {200, 201}, [answer.body for answer in answers if answer.status > 201]
            assert all(title(node, "a", f"{number}.0") == f"Title {number}" for number in range(1, 41))
            eventually(lambda: len(consumer.received) >= 40)
            # After a restart, the pool and the listening connection share the available connections again.
            postgres.restart()
            eventually(lambda: publish(node, "Back", "1.0").status == 200)
            eventually(lambda: is_listening(node))
            # Transactions take the connection that the listener loses.
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                answers = [pool.submit(publish, node, f"Again {number}", f"{number % 40 + 1}.0") for number in range(200)]
                while not all(answer.done() for answer in answers):
                    postgres.terminate("application_name = 'longpress listen'")
                    time.sleep(0.05)
            eventually(lambda: is_listening(node))
            for number in range(1, 41):
                assert node.admin("DELETE", f"/apps/a/sets/{number}.0").status in (200, 204)
        node.stop()
        consumer.stop()
    finally:
        postgres.stop()
