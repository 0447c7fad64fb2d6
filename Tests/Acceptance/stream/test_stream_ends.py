"""How a stream ends: its limits, slow readers, a service that stops."""

import socket

import pytest

from event_stream import EventStream
from longpress import Longpress, eventually
from test_stream import publish
from wire import get


@pytest.fixture
def limited(tmp_path):
    server = Longpress(tmp_path, "--max-streams", "3", "--max-streams-per-address", "2")
    server.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    yield server
    if server.process.poll() is None:
        server.stop()


def metric(server, name):
    text = server.get("/metrics").body.decode()
    return float(next(line for line in text.splitlines() if line.startswith(name + " ")).split()[-1])


def test_an_address_has_as_many_streams_as_it_may_have(limited):
    with EventStream(limited, "a") as first, EventStream(limited, "a") as second:
        assert (first.next().name, second.next().name) == ("state", "state")
        refusal = limited.get("/v1/stream?app=a")
        assert (refusal.status, refusal.code, refusal.fields["retry-after"]) == (429, "too-many-requests", "5")
        assert metric(limited, "longpress_streams") == 2
    eventually(lambda: metric(limited, "longpress_streams") == 0)
    assert metric(limited, 'longpress_streams_closed_total{reason="client"}') == 2
    with EventStream(limited, "a") as again:
        assert again.status == 200


def test_there_are_as_many_streams_as_there_may_be(tmp_path):
    server = Longpress(tmp_path, "--max-streams", "1", "--max-streams-per-address", "0")
    server.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    with EventStream(server, "a") as stream:
        assert stream.next()
        refusal = server.get("/v1/stream?app=a")
        assert (refusal.status, refusal.code) == (503, "overloaded") and int(refusal.fields["retry-after"]) > 0
    server.stop()


def test_a_stop_ends_streams_cleanly_and_not_all_of_their_readers_come_back_at_once(tmp_path):
    server = Longpress(tmp_path, "--max-streams-per-address", "0")
    server.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    streams = [EventStream(server, "a") for _ in range(30)]
    for stream in streams:
        assert stream.next().name == "state"
    assert server.stop() == 0
    # The end of the chunked body arrived: http.client would raise without it.
    assert [stream.next() for stream in streams] == [None] * 30
    retries = [stream.retry for stream in streams]
    assert all(0 <= retry <= 10_000 for retry in retries) and max(retries) - min(retries) > 3000 and len(set(retries)) > 20


def test_a_reader_that_does_not_keep_up_is_closed(tmp_path):
    server = Longpress(tmp_path)
    app = "a" * 150
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    with socket.socket() as slow, EventStream(server, app) as quick:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(server.address)
        slow.sendall(get(f"/v1/stream?app={app}"))
        eventually(lambda: metric(server, "longpress_streams") == 2)
        quick.next()
        for number in range(3000):
            server.admin("PATCH", f"/apps/{app}", {"name": str(number)})
            if metric(server, 'longpress_streams_closed_total{reason="slow"}'):
                break
        assert metric(server, 'longpress_streams_closed_total{reason="slow"}') == 1
        assert metric(server, "longpress_streams") == 1
        revision = publish(server, app, "1.0", "A")
        assert quick.until(lambda event: "audience" in event.data)[-1].data["revision"] == revision
    server.stop()


def test_a_reader_of_http_1_0_is_told_without_chunks(server, app):
    with socket.create_connection(server.address, timeout=120) as connection:
        connection.sendall(get(f"/v1/stream?app={app}", version="1.0"))
        received = b""
        while b'"revision":0}}}\n\n' not in received:
            received += connection.recv(65536)
        revision = publish(server, app, "1.0", "A")
        while b'"revision":%d,' % revision not in received:
            received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"Transfer-Encoding" not in head and b"Connection: close" in head
    assert body.startswith(b"retry: 3000\n\nid: ")


def test_what_a_reader_sends_behind_its_request_is_not_answered(server, app):
    with socket.create_connection(server.address, timeout=120) as connection:
        connection.sendall(get(f"/v1/stream?app={app}") + get("/healthz") * 100)
        received = b""
        while b'"revision":0}}}\n\n' not in received:
            received += connection.recv(65536)
        connection.sendall(get("/healthz") * 100)
        publish(server, app, "1.0", "A")
        while b"event: changed" not in received:
            received += connection.recv(65536)
    assert received.count(b"HTTP/1.1 200") == 1
