"""Three nodes on one PostgreSQL: a write on one is visible on all, whichever process dies."""

import concurrent.futures
import hashlib
import itertools
import signal
import statistics
import subprocess
import time

import pytest

from cluster import SLACK, Cluster, seconds_until, title
from longpress import BINARY, eventually, instant, item, wake_scheduler
from postgres import Postgres
from proxy import Proxy

pytestmark = pytest.mark.any_engine

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


@pytest.fixture
def app(cluster):
    name = f"com.example.cluster{next(numbers)}"
    assert cluster.nodes[0].admin("PUT", f"/apps/{name}", {"defaultLanguage": "en"}).status == 201
    return name


def publish(node, app, text, version="1.0", **fields):
    return node.admin("PUT", f"/apps/{app}/sets/{version}", {"items": [item("a", text)]}, **fields)


def test_a_publish_on_one_node_is_fetched_from_all(cluster, app):
    one, two, three = cluster.nodes
    delays = []
    for number in range(30):
        assert publish(one, app, f"Title {number}").status in (200, 201)
        assert title(one, app) == f"Title {number}"
        delays.append(max(seconds_until(lambda: title(node, app) == f"Title {number}") for node in (two, three)))
    assert statistics.median(delays) < 0.1 + SLACK and max(delays) < 2 + SLACK, delays


def test_what_is_made_on_one_node_is_there_on_all_at_once(cluster, app):
    one, two, three = cluster.nodes
    token = one.admin("POST", "/tokens", {"name": "publisher", "role": "publisher"}).json
    assert publish(two, app, "By the new token", token=token["token"]).status == 201
    assert three.admin("GET", f"/apps/{app}/sets/1.0").json["items"][0]["title"]["en"] == "By the new token"
    assert two.admin("DELETE", f"/tokens/{token['id']}").status == 204
    assert three.admin("GET", f"/apps/{app}", token=token["token"]).status == 401


def test_revisions_have_no_gaps_whoever_publishes(cluster, app):
    def write(number):
        answer = publish(cluster.nodes[number % 3], app, f"T{number}", version=f"{number % 5 + 1}.0")
        assert answer.status in (200, 201), answer.body
        return answer.json["revision"]

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        given = list(pool.map(write, range(120)))
    assert sorted(given) == list(range(1, 121))


def test_one_of_two_editors_with_the_same_tag_wins(cluster, app):
    publish(cluster.nodes[0], app, "First")
    for round in range(10):
        tag = cluster.nodes[0].admin("GET", f"/apps/{app}/sets/1.0").fields["etag"]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            statuses = list(pool.map(lambda node: publish(node, app, f"{round} {node.address}", If_Match=tag).status, cluster.nodes))
        assert sorted(statuses) == [200, 412, 412], statuses


def test_a_node_reads_the_revision_that_an_event_named(cluster, app):
    one, two, _ = cluster.nodes
    for number in range(50):
        revision = publish(one, app, f"Title {number}").json["revision"]
        assert title(two, app, query=f"?revision={revision}") == f"Title {number}"
    assert title(two, app, query="?revision=100000") == "Title 49"
    assert two.shortcuts(app, "1.0", "?revision=soon").code == "invalid-parameter"


def test_menus_are_fresh_within_two_seconds_without_any_notification(cluster, app):
    deaf = cluster.node(4, "--database-listen", "none")
    try:
        for number in range(5):
            publish(cluster.nodes[0], app, f"Title {number}")
            assert seconds_until(lambda: title(deaf, app) == f"Title {number}") <= 2 + SLACK
    finally:
        deaf.stop()


def test_a_half_open_listening_connection_is_found_out(cluster, app):
    proxy = Proxy(cluster.postgres.port)
    name = cluster.uri.rsplit("/", 1)[1]
    node = cluster.node(5, "--database-listen", cluster.postgres.uri(name, proxy.port))
    try:
        publish(cluster.nodes[0], app, "Before")
        assert seconds_until(lambda: title(node, app) == "Before") <= 2 + SLACK
        proxy.silence()
        for number in range(8):
            publish(cluster.nodes[0], app, f"Title {number}")
            assert seconds_until(lambda: title(node, app) == f"Title {number}") <= 2 + SLACK
        proxy.speak()
        publish(cluster.nodes[0], app, "After")
        assert seconds_until(lambda: title(node, app) == "After") <= 2 + SLACK
    finally:
        node.stop()
        proxy.stop()


def test_a_commit_whose_answer_is_lost_is_settled_by_asking(cluster, app):
    proxy = Proxy(cluster.postgres.port)
    name = cluster.uri.rsplit("/", 1)[1]
    node = cluster.node(6, "--database-listen", cluster.uri, uri=cluster.postgres.uri(name, proxy.port))
    try:
        publish(node, app, "First")
        for number in range(10):
            proxy.cut_commits()
            answer = publish(node, app, f"Title {number}")
            assert answer.status == 200, answer.body
            assert answer.json["revision"] == number + 2
            assert title(cluster.nodes[0], app, query=f"?revision={number + 2}") == f"Title {number}"
        assert proxy.cut >= 5
        revisions = [entry["revision"] for entry in node.admin("GET", f"/apps/{app}/revisions?limit=100").json["items"]]
        assert revisions == list(range(11, 0, -1))
    finally:
        node.stop()
        proxy.stop()


def test_connections_that_are_ended_cost_no_request(cluster, app):
    one, two, three = cluster.nodes
    publish(one, app, "Before")
    refused = []
    for number in range(20):
        cluster.postgres.terminate()
        answer = publish(cluster.nodes[number % 3], app, f"Title {number}")
        if answer.status not in (200, 201):
            refused.append(answer.body)
        assert title(three, app) != 503
    assert refused == []
    assert seconds_until(lambda: title(three, app) == "Title 19") <= 2 + SLACK


def test_fetches_go_on_while_the_database_is_away(tmp_path):
    cluster = Cluster(tmp_path)
    try:
        one, two, _ = cluster.nodes
        one.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
        acknowledged = []
        for number in range(3):
            publish(one, "app", f"Title {number}")
            acknowledged.append(number)
            for node in cluster.nodes:
                eventually(lambda: title(node, "app") == f"Title {number}")
            cluster.postgres.kill()
            started = time.monotonic()
            for node in cluster.nodes:
                assert title(node, "app") == f"Title {number}"
            assert time.monotonic() - started < 7 + SLACK
            answer = publish(two, "app", "Lost")
            assert answer.status == 503 and answer.fields.get("retry-after"), answer.body
            assert one.shortcuts("app", "1.0", "?revision=1000").status == 503
            eventually(lambda: two.get("/readyz?plane=admin").status == 503)
            cluster.postgres.start()
            assert seconds_until(lambda: publish(two, "app", f"Back {number}").status in (200, 201)) <= 5 + SLACK
            for node in cluster.nodes:
                assert seconds_until(lambda: title(node, "app") == f"Back {number}") <= 3 + SLACK
            eventually(lambda: two.get("/readyz?plane=admin").status == 200)
        numbers = [entry["revision"] for entry in one.admin("GET", "/apps/app/revisions?limit=100").json["items"]]
        assert numbers == list(range(len(numbers), 0, -1))
    finally:
        cluster.stop()


def test_three_nodes_that_start_at_once_make_one_first_token(tmp_path):
    postgres = Postgres()
    try:
        uri = postgres.database()
        nodes = [subprocess.Popen([BINARY, "serve", "--listen", "127.0.0.1:0", "--database", uri], text=True, stderr=subprocess.PIPE,
                                  cwd=tmp_path) for _ in range(3)]
        told = []
        for node in nodes:
            told += itertools.takewhile(lambda line: "listening" not in line, node.stderr)
        for node in nodes:
            node.terminate()
            node.communicate(timeout=120)
        assert int(postgres.sql("SELECT COUNT(*) FROM tokens", uri)) == 1
        assert sum("created an owner token" in text for text in told) == 1, told
        secret = (tmp_path / "longpress.first-token").read_text().strip()
        assert postgres.sql("SELECT encode(hash, 'hex') FROM tokens", uri) == hashlib.sha256(secret.encode()).hexdigest()
    finally:
        postgres.stop()


def test_a_database_that_was_put_back_is_noticed(tmp_path):
    cluster = Cluster(tmp_path)
    try:
        one, two, three = cluster.nodes
        one.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
        publish(one, "app", "Of the copy")
        cluster.sql("CREATE TABLE copied AS SELECT last FROM change_counter")
        for number in range(5):
            publish(one, "app", f"Title {number}")
        for node in cluster.nodes:
            eventually(lambda: title(node, "app") == "Title 4")
        # The change log after pg_restore of an older copy.
        cluster.sql("UPDATE change_counter SET last = (SELECT last FROM copied); DELETE FROM changes WHERE number > (SELECT last FROM copied);"
                    "UPDATE sets SET revision = 1; DELETE FROM revisions WHERE number > 1; UPDATE revision_counters SET last_revision = 1;"
                    "UPDATE apps SET stamp = 'of the copy'; DROP TABLE copied")
        for node in cluster.nodes:
            assert seconds_until(lambda: title(node, "app") == "Of the copy") <= 3 + SLACK
        assert publish(two, "app", "After").json["revision"] == 2
        for node in cluster.nodes:
            assert seconds_until(lambda: title(node, "app") == "After") <= 3 + SLACK
    finally:
        cluster.stop()


def test_a_scheduled_publish_happens_once_whoever_dies(tmp_path):
    cluster = Cluster(tmp_path)
    try:
        one = cluster.nodes[0]
        one.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
        publish(one, "app", "Now")
        assert one.admin("PUT", "/apps/app/sets/1.0/draft", {"items": [item("a", "Later")]}).status == 201
        answer = one.admin("POST", "/apps/app/sets/1.0/publish", {"at": instant(3600)})
        assert answer.status == 202, answer.body
        one.stop(signal.SIGKILL)
        cluster.sql("UPDATE schedule SET due_at = due_at - 3600000")
        wake_scheduler(cluster.nodes[1])
        eventually(lambda: all(title(node, "app") == "Later" for node in cluster.nodes[1:]))
        revisions = cluster.nodes[1].admin("GET", "/apps/app/revisions").json["items"]
        assert [entry["revision"] for entry in revisions] == [2, 1]
    finally:
        cluster.stop()
