"""Bodies cost memory: who may not send one is told before it comes, and all of them together have a bound."""

import concurrent.futures
import json
import socket

import pytest

from longpress import OWNER, eventually, item
from wire import answers, exchange, get

IMPORT = "/admin/v1/import"
LARGE = f"Content-Length: {64 << 20}"


def authorization(token):
    return [f"Authorization: Bearer {token}"] if token else []


@pytest.fixture(scope="module")
def tokens(server):
    server.admin("PUT", "/apps/bodies", {"defaultLanguage": "en"})

    def made(name, role, **more):
        return server.admin("POST", "/tokens", {"name": name, "role": role, **more}).json["token"]

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
    received = exchange(server, get(target, *authorization(tokens[who]), "Content-Type: application/json", framing, method=method), wait=10)
    assert [m.status for m in answers(received)] == [status], received
    assert answers(received)[0].fields["connection"] == "close"


def resident(server):
    with open(f"/proc/{server.process.pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) << 10


def test_bodies_of_strangers_are_thrown_away(own):
    before = resident(own)
    piece = b" " * (1 << 20)
    for _ in range(8):
        with socket.create_connection(own.address, timeout=10) as connection:
            connection.sendall(get(IMPORT, LARGE, "Content-Type: application/json", method="POST"))
            try:
                for _ in range(64):
                    connection.sendall(piece)
            except OSError:
                pass  # cut off: a stranger is listened to for a while only
    assert resident(own) - before < 16 << 20


def test_imports_that_come_together_do_not_add_up(own):
    """Each sends all of its 64 MiB but the last byte, so that what was taken is still held."""
    begin = get(IMPORT, *authorization(OWNER), LARGE, "Content-Type: application/json", "Expect: 100-continue", method="POST")
    connections = []
    try:
        said = []
        for _ in range(12):
            connections.append(socket.create_connection(own.address, timeout=20))
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
        connections.append(socket.create_connection(own.address, timeout=20))
        connections[-1].sendall(begin)
        assert connections[-1].recv(1000) == said[0]
    finally:
        for connection in connections:
            connection.close()


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
