"""Bodies cost memory: an unauthorized client gets its error before it sends the body, and all bodies together have a limit."""

import concurrent.futures
import json
import re
import socket

import pytest

from longpress import OWNER, Longpress, eventually, item, unique
from wire import answers, exchange, get

IMPORT = "/admin/v1/import"
LARGE = f"Content-Length: {64 << 20}"


def authorization(token):
    return [f"Authorization: Bearer {token}"] if token else []


@pytest.fixture(scope="module")
def tokens(server):
    server.admin("PUT", "/apps/bodies", {"defaultLanguage": "en"})

    def made(name, role, **more):
        return server.admin("POST", "/tokens", {"name": unique(name), "role": role, **more}).json["token"]

    return {"nobody": None, "stranger": "lp_unknown", "reader": made("reader", "reader"),
            "elsewhere": made("elsewhere", "owner", apps=["other"]), "owner": OWNER}


@pytest.mark.parametrize("framing", [LARGE, "Transfer-Encoding: chunked", "Content-Length: 9999999999", "Content-Length: 5\r\nExpect: 100-continue"])
@pytest.mark.parametrize(("who", "method", "target", "status"), [
    ("nobody", "POST", IMPORT, 401), ("stranger", "POST", IMPORT, 401), ("reader", "POST", IMPORT, 403),
    ("nobody", "PUT", "/admin/v1/apps/bodies/releases/1.0", 401), ("reader", "PUT", "/admin/v1/apps/bodies/releases/1.0", 403),
    ("elsewhere", "PUT", "/admin/v1/apps/bodies/releases/1.0", 403), ("owner", "PUT", "/admin/v1/apps/nothing/releases/1.0", 404),
    ("nobody", "POST", "/admin/v1/apps/bodies/check", 401), ("owner", "POST", IMPORT + "?what=1", 400),
    ("nobody", "PUT", "/admin/v1/apps/bodies/sets/1.0", 401), ("owner", "POST", "/admin/v1/nowhere", 404),
])
def test_who_may_not_send_a_body_is_told_before_it_comes(server, tokens, who, method, target, status, framing):
    received = exchange(server, get(target, *authorization(tokens[who]), "Content-Type: application/json", framing, method=method))
    assert [m.status for m in answers(received)] == [status], received
    assert answers(received)[0].fields["connection"] == "close"


def resident(server):
    with open(f"/proc/{server.process.pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) << 10


def test_bodies_of_strangers_are_thrown_away(own):
    before = resident(own)
    piece = b" " * (1 << 20)
    for _ in range(8):
        with socket.create_connection(own.address, timeout=120) as connection:
            connection.sendall(get(IMPORT, LARGE, "Content-Type: application/json", method="POST"))
            try:
                for _ in range(64):
                    connection.sendall(piece)
            except OSError:
                pass  # cut off: a request without a token has limited time
    assert resident(own) - before < 16 << 20


def test_imports_that_come_together_do_not_add_up(own):
    """Each client sends all of its 64 MiB but the last byte, so that the received bytes stay in memory."""
    begin = get(IMPORT, *authorization(OWNER), LARGE, "Content-Type: application/json", "Expect: 100-continue", method="POST")
    connections = []
    try:
        said = []
        for _ in range(12):
            connections.append(socket.create_connection(own.address, timeout=120))
            connections[-1].sendall(begin)
            said.append(connections[-1].recv(1000))
        assert said[0] == b"HTTP/1.1 100 Continue\r\n\r\n"
        for refusal in said[1:]:
            message = answers(refusal)[0]
            assert (message.status, message.fields["retry-after"], message.fields["connection"]) == (503, "1", "close")
            assert b"/problems/overloaded" in message.body
        before = resident(own)
        piece = b"]" * (1 << 20)
        for _ in range(63):
            connections[0].sendall(piece)
        connections[0].sendall(piece[1:])
        assert resident(own) - before < 160 << 20
        assert own.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
        connections[0].sendall(b"]")
        assert answers(connections[0].recv(1000))[0].status == 400
        connections.append(socket.create_connection(own.address, timeout=120))
        connections[-1].sendall(begin)
        assert connections[-1].recv(1000) == said[0]
    finally:
        for connection in connections:
            connection.close()


@pytest.fixture
def narrow(tmp_path):
    """A server with 1 MiB for large requests, and an app whose export is larger than socket buffers."""
    server = Longpress(tmp_path, "--admin-budget", "1MiB", "--workers", "1")
    server.admin("PUT", "/apps/wide", {"defaultLanguage": "en"})
    text = "x" * 3900
    menu = {"items": [item(f"i{number}", userInfo={"a": text}) for number in range(12)]}
    for part in range(4):
        sets = {f"{part + 1}.{number}": menu for number in range(60)}
        answer = server.request("POST", "/admin/v1/apply", json.dumps({"apps": {"wide": {"sets": sets}}}), {
            "Authorization": "Bearer " + OWNER, "Content-Type": "application/json"}, timeout=120)
        assert answer.status == 200
    yield server
    server.stop()


def budget(server):
    found = re.findall(r"^longpress_admin_budget_(bytes|waiting) (\d+)", server.get("/metrics").body.decode(), re.MULTILINE)
    return {name: int(number) for name, number in found}


def test_large_requests_wait_for_memory_without_holding_up_others(narrow):
    unread = socket.socket()
    unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    unread.connect(narrow.address)
    unread.sendall(get("/admin/v1/export", *authorization(OWNER)))
    assert unread.recv(12) == b"HTTP/1.1 200"
    # The answer holds its memory until it is sent.
    assert eventually(lambda: budget(narrow)["bytes"] > 1 << 20)
    refused = narrow.request("GET", "/admin/v1/export", fields={"Authorization": "Bearer " + OWNER}, timeout=120)
    assert (refused.status, refused.code, refused.fields["retry-after"]) == (503, "overloaded", "5") and "--admin-budget" in refused.json["detail"]
    assert budget(narrow)["waiting"] == 0
    tree = json.dumps({"apps": {"wide": {"sets": {f"9.{number}": {"items": []} for number in range(500)}}}})

    def plan(token):
        return narrow.request("POST", "/admin/v1/apply?dryRun=true", tree, {
            "Authorization": "Bearer " + token, "Content-Type": "application/json"}, timeout=120)

    planner, other = (narrow.admin("POST", "/tokens", {"name": name, "role": "reader"}).json["token"] for name in ("planner", "another"))
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        plans = [pool.submit(plan, planner) for _ in range(2)]
        assert eventually(lambda: budget(narrow)["waiting"] == 2)
        third = plan(planner)
        assert (third.status, third.code) == (429, "too-many-requests") and "2 dry runs" in third.json["detail"]
        plans.append(pool.submit(plan, other))
        plans += [pool.submit(narrow.request, "GET", "/admin/v1/export", None, {"Authorization": "Bearer " + OWNER}, 60) for _ in range(3)]
        assert eventually(lambda: budget(narrow)["waiting"] == 6)
        # More requests wait than there are workers.
        assert narrow.shortcuts("wide", "1.5").status == 200 and narrow.admin("GET", "/apps?limit=1").status == 200
        assert narrow.admin("PUT", "/apps/wide/sets/9.9", {"items": []}).status == 201
        unread.close()
        # Requests that get no turn within 10 seconds on this machine are 503.
        assert {each.result().status for each in plans} <= {200, 503}
    assert eventually(lambda: budget(narrow) == {"bytes": 0, "waiting": 0})
    assert plan(planner).status == 200


def test_memory_goes_back_after_large_bodies(own):
    own.admin("PUT", "/apps/large", {"defaultLanguage": "en"})
    assert own.admin("PUT", "/apps/large/sets/1.0", {"items": []}).status == 201
    before = resident(own)
    document = {"items": [item(f"i{number}", userInfo={"a": "x" * 40}) for number in range(2_500)]}
    assert 256 << 10 < len(json.dumps(document)) < 1 << 20
    with concurrent.futures.ThreadPoolExecutor(8) as senders:
        refusals = list(senders.map(lambda _: own.admin("PUT", "/apps/large/sets/1.0", document), range(24)))
    assert all(answer.violations >= {("items", "too-many-items")} for answer in refusals)
    eventually(lambda: resident(own) - before < 24 << 20)
