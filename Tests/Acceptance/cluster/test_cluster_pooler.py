"""A node behind PgBouncer in transaction mode: no prepared statements, no session settings, and LISTEN directly to the server or not at
all."""

import contextlib
import pathlib
import socket
import subprocess
import sys

import pytest

from cluster import SLACK, Cluster, seconds_until, title
from longpress import eventually, item
from postgres import free_port

pytestmark = pytest.mark.any_engine

PROGRAM = pathlib.Path(sys.prefix) / "bin/pgbouncer"


@pytest.fixture
def cluster(tmp_path):
    if not PROGRAM.exists() or subprocess.run([PROGRAM, "--version"], capture_output=True).returncode != 0:
        pytest.skip("PgBouncer is not here: make test-cluster unpacks it")
    cluster = Cluster(tmp_path, count=1)
    yield cluster
    cluster.stop()


@pytest.fixture
def pooler(cluster):
    """Few server connections, so that transactions of one client are spread over several of them."""
    port, folder = free_port(), cluster.postgres.folder
    settings = folder / "pgbouncer.ini"
    settings.write_text(f"""
[databases]
* = host=127.0.0.1 port={cluster.postgres.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
""")
    settings.chmod(0o644)
    process = subprocess.Popen([PROGRAM, "-q", settings], cwd="/", stderr=subprocess.DEVNULL, **cluster.postgres.user)

    def listens():
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", port))

    eventually(listens).close()
    yield port
    process.terminate()
    process.wait(timeout=120)


@pytest.mark.parametrize("listening", ["direct", "none"])
def test_a_node_works_through_a_pooler_in_transaction_mode(cluster, pooler, consumer, listening):
    name = cluster.uri.rsplit("/", 1)[1]
    flags = ["--database-listen", cluster.uri if listening == "direct" else "none"]
    node = cluster.node(7, *flags, uri=cluster.postgres.uri(name, pooler))
    other = cluster.nodes[0]
    try:
        consumer.subscribe(node)
        node.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
        for number in range(30):
            writer, reader = (node, other) if number % 2 else (other, node)
            answer = writer.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a", f"Title {number}")]})
            assert answer.status in (200, 201) and answer.json["revision"] == number + 1, answer.body
            assert seconds_until(lambda: title(reader, "app") == f"Title {number}") <= 2 + SLACK
        eventually(lambda: len({event["data"].get("revision") for _, event in consumer.verified()} - {None}) == 30)
        listeners = int(cluster.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'longpress listen' AND query LIKE 'LISTEN%' "
                                    "OR application_name = 'longpress listen'"))
        assert listeners >= 1
    finally:
        node.stop()
