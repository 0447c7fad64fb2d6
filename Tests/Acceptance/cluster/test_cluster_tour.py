"""README's tour through the nginx of deploy/ with three nodes on PostgreSQL, and the requests that nginx repeats when a node is down."""

import concurrent.futures
import http.client
import json
import shlex
import signal
import threading

import pytest

from cluster import Cluster
from documents import Shell, blocks
from front import Front
from longpress import BINARY, OWNER
from test_documents import is_run
from tools import free_ports

pytestmark = pytest.mark.any_engine

PLACES = ["172.30.14.11:8080", "172.30.14.12:8080", "172.30.14.13:8080"]


@pytest.fixture
def cluster(tmp_path):
    [port] = free_ports(1)
    cluster = Cluster(tmp_path, 3, "--public-url", f"http://127.0.0.1:{port}")
    cluster.port = port
    (tmp_path / "front").mkdir()
    replaced = [(place, "{}:{}".format(*node.address)) for place, node in zip(PLACES, cluster.nodes)]
    cluster.front = Front(tmp_path / "front", "nginx.cluster.conf", [*replaced, ("listen 8080;", f"listen 127.0.0.1:{port};")], [port])
    yield cluster
    cluster.front.stop()
    cluster.stop()


def ask(cluster, method, target, document=None):
    connection = http.client.HTTPConnection("127.0.0.1", cluster.port, timeout=120)
    connection.request(method, target, document and json.dumps(document), {"Authorization": f"Bearer {OWNER}", "Content-Type": "application/json"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def test_the_tour_works_over_three_nodes_behind_nginx(cluster, tmp_path):
    session = tmp_path / "session"
    session.write_text(f"""export B=http://127.0.0.1:{cluster.port} TOKEN={OWNER} LONGPRESS_DATABASE={shlex.quote(str(cluster.uri))}
export PATH={shlex.quote(str(BINARY.parent.resolve()))}:"$PATH"
""")
    shell = Shell(tmp_path)
    try:
        for block in blocks("README.md", "sh"):
            block.text = block.text.replace(". .build/demo.env", f". {shlex.quote(str(session))}")
            if is_run(block):
                shell.paste(block)
    finally:
        shell.close()
    answered = [any(f'status="{status}"' in line and not line.endswith(" 0") for line in node.get("/metrics").body.decode().splitlines() for
                    status in ("200", "201")) for node in cluster.nodes]
    assert answered == [True] * 3


def test_a_node_that_is_killed_costs_no_fetch_and_no_write_is_made_twice(cluster):
    assert ask(cluster, "PUT", "/admin/v1/apps/app", {"defaultLanguage": "en"})[0] == 201
    item = {"id": "a", "type": "a", "title": {"en": "A"}}
    assert ask(cluster, "PUT", "/admin/v1/apps/app/sets/1.0", {"items": [item]})[0] == 201
    cluster.nodes[2].stop(signal.SIGKILL)
    assert {ask(cluster, "GET", "/v1/apps/app/versions/1.0/shortcuts")[0] for _ in range(60)} == {200}
    answers = [ask(cluster, "PUT", "/admin/v1/apps/app/sets/1.0", {"items": [{**item, "title": {"en": f"A{number}"}}]})[0] for number in range(30)]
    # One request to the dead node is 502; then nginx skips that node.
    assert set(answers) <= {200, 502} and answers.count(502) <= 2, answers
    revisions = json.loads(ask(cluster, "GET", "/admin/v1/apps/app/revisions?limit=100")[1])["items"]
    assert [revision["revision"] for revision in revisions] == list(range(answers.count(200) + 1, 0, -1))
    assert ask(cluster, "GET", "/metrics")[0] == 404


def test_nodes_are_replaced_one_after_another_without_a_refused_request(cluster):
    assert ask(cluster, "PUT", "/admin/v1/apps/app", {"defaultLanguage": "en"})[0] == 201
    ended = threading.Event()

    def put(number):
        return ask(cluster, "PUT", "/admin/v1/apps/app/sets/1.0", {"items": [{"id": "a", "type": "a", "title": {"en": f"A{number}"}}]})[0]

    assert put(0) == 201

    def publish():
        statuses = []
        while not ended.is_set():
            statuses.append(put(len(statuses) + 1))
        return statuses

    def fetch():
        statuses = []
        while not ended.is_set():
            statuses.append(ask(cluster, "GET", "/v1/apps/app/versions/1.0/continuity")[0])
        return statuses

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        published, fetched = pool.submit(publish), pool.submit(fetch)
        try:
            for number, node in enumerate(cluster.nodes):
                server = "server {}:{} ".format(*node.address)
                cluster.front.reload(server, server + "down ")
                node.stop()
                cluster.nodes[number] = cluster.node(number + 1)
                cluster.front.reload(server + "down ", "server {}:{} ".format(*cluster.nodes[number].address))
        finally:
            ended.set()
    assert set(published.result()) == {200} and len(published.result()) > 10
    assert set(fetched.result()) == {200} and len(fetched.result()) > 10
    revisions = json.loads(ask(cluster, "GET", "/admin/v1/apps/app/revisions?limit=1")[1])["items"]
    assert revisions[0]["revision"] == len(published.result()) + 1
