"""HTTP/1.1 in detail, over raw sockets."""

import re
import signal
import socket
import threading
import time

import pytest

from longpress import OWNER, Longpress, eventually
from wire import exchange, get, statuses


def test_pipelined_requests_are_answered_in_order(server, app):
    sent = get() + get("/nothing") + get(f"/v1/apps/{app}/versions/1/shortcuts") + get("/readyz", "Connection: close")
    received = exchange(server, sent)
    assert statuses(received) == [200, 404, 404, 200] and not received.endswith(b"<open>")
    assert received.index(b"ok\n") < received.index(b"unknown-resource") < received.index(b"no-shortcut-set") < received.index(b"ready\n")


def test_a_client_that_closes_its_half_is_answered(server, app):
    received = exchange(server, get() + get(f"/v1/apps/{app}/versions/1/shortcuts"), half_close=True)
    assert statuses(received) == [200, 404] and b"<" not in received[-8:]


@pytest.mark.parametrize(("request_bytes", "answers", "stays"), [
    (get(), [200], True),
    (get(version="1.0"), [200], False),
    (get("/healthz", "Connection: keep-alive", version="1.0"), [200], True),
    (get("/healthz", "Connection: close"), [200], False),
    (get(method="HEAD"), [200], True),
    (get(method="OPTIONS"), [204], True),
    (get("*", method="OPTIONS"), [204], True),
    (get(method="BREW"), [501], True),
    (get(method="PUT"), [405], True),
    (get("http://localhost/healthz"), [200], True),
    (get("/healthz", "Content-Length: 2") + b"hi" + get("/healthz"), [200, 200], True),
    (get("/healthz", "Content-Length: 0"), [200], True),
    (b"\r\n" + get(), [200], True),
    (b"GET /healthz HTTP/1.1\r\n\r\n", [400], False),
    (b"GET /healthz HTTP/1.1\nHost: a\n\n", [400], False),
    (get("/healthz", "Host: other"), [400], False),
    (get("/healthz", "Content-Length: 1", "Transfer-Encoding: chunked"), [400], False),
    (get("/healthz", "X : y"), [400], False),
    (get(version="2.0"), [505], False),
    (get("/healthz", "Expect: tea"), [417], False),
    (get("/" + "a" * 9000), [414], False),
    (get("/healthz", "X: " + "a" * 17000), [431], False),
    (get("/healthz", *["X: y"] * 101), [431], False),
    (get("/healthz", "Transfer-Encoding: gzip, chunked"), [501], False),
    (get("/healthz", "Transfer-Encoding: chunked") + b"2\r\nhi\r\n0\r\n\r\n", [200], True),
    (get("/healthz", "Transfer-Encoding: chunked") + b"2\nhi\r\n0\r\n\r\n", [400], False),
    (get("/healthz", f"Content-Length: {2 << 20}"), [413], False),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", [400], False),
])
def test_the_connection_stays_or_ends_as_it_should(server, request_bytes, answers, stays):
    received = exchange(server, request_bytes + get("/readyz", "Connection: close"))
    assert received.endswith(b"ready\n") == stays
    answers = answers + [200] * stays
    assert statuses(received) == answers, received
    assert received.count(b"\r\nDate: ") == received.count(b"\r\nX-Content-Type-Options: nosniff\r\n") == len(answers)
    ids = re.findall(rb"\r\nX-Request-ID: ([0-9a-f]{16})\r\n", received)
    assert len(set(ids)) == len(answers) and set(re.findall(rb'"instance":"([^"]+)"', received)) <= set(ids)
    if not stays and b"HTTP/1.0" not in request_bytes.split(b"\r\n")[0]:
        assert b"Connection: close" in received


def test_a_request_that_comes_byte_by_byte_is_the_same_request(server):
    sent = get("/healthz", "Content-Length: 2") + b"hi" + get("/readyz", "Connection: close")
    assert statuses(exchange(server, sent, pause=0.001)) == [200, 200]


def test_head_has_the_fields_of_get_and_no_body(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    target = f"/v1/apps/{app}/versions/1/shortcuts"
    own = ("date", "x-request-id")
    for _ in range(2):
        body = server.get(target)
        head = server.request("HEAD", target)
        assert head.body == b"" and head.status == 200
        assert {n: v for n, v in head.fields.items() if n not in own} == {n: v for n, v in body.fields.items() if n not in own}


def test_no_answer_may_be_taken_for_another_type_than_it_says(server, app):
    """Answers that are rendered, cached, unchanged, empty, or rejected by a route, by the router and before routing."""
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    menu = f"/v1/apps/{app}/versions/1/shortcuts"
    tag = server.get(menu).fields["etag"]
    kinds = [
        server.get(menu), server.request("HEAD", menu), server.get(menu, If_None_Match=tag), server.get(menu, If_Match='"x"'),
        server.get(f"/v1/apps/{app}/versions/0/shortcuts"), server.get(menu, Accept="text/html"), server.tap(app, "1", {"type": "a"}),
        server.tap(app, "1", {}), server.get(f"/v1/apps/{app}/versions/1/continuity"), server.get("/nothing"), server.get("/healthz"),
        server.get("/readyz"), server.get("/metrics"), server.get("/openapi.yaml"), server.request("OPTIONS", menu), server.request("PUT", menu),
        server.admin("GET", "/apps"), server.admin("GET", "/apps", token=None), server.admin("PUT", f"/apps/{app}", {}),
        server.admin("GET", f"/apps/{app}", If_None_Match=server.admin("GET", f"/apps/{app}").fields["etag"]),
        server.admin("DELETE", f"/apps/{app}"),
    ]  # fmt: skip
    assert [(kind.status, kind.fields.get("x-content-type-options")) for kind in kinds] == [(kind.status, "nosniff") for kind in kinds]
    assert {200, 204, 304, 401, 404, 405, 406, 412, 422} <= {kind.status for kind in kinds}


def test_100_continue_is_sent_where_the_body_is_wanted_and_not_where_it_is_refused(server, app):
    fields = [f"Authorization: Bearer {OWNER}", "Content-Type: application/json", "Expect: 100-continue"]
    with socket.create_connection(server.address, timeout=120) as connection:
        connection.sendall(get(f"/admin/v1/apps/{app}/sets/1.0", *fields, "Content-Length: 12", method="PUT"))
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b'{"items":[]}')
        assert statuses(connection.recv(10000)) == [201]
    refused = exchange(server, get(f"/admin/v1/apps/{app}/sets/1.0", *fields, f"Content-Length: {9 << 20}", method="PUT"))
    assert statuses(refused) == [413]


def test_whoever_is_late_is_cut_off_by_its_own_clock(tmp_path):
    server = Longpress(tmp_path, "--header-timeout", "300ms")
    late = exchange(server, b"GET / HT")
    assert statuses(late) == [408] and b"\r\nX-Content-Type-Options: nosniff\r\n" in late
    assert exchange(server, b"") == b""
    server.stop()
    server.flags = ("--body-timeout", "300ms", "--idle-timeout", "300ms")
    server.start()
    assert statuses(exchange(server, get("/healthz", "Content-Length: 5") + b"he")) == [408]
    begun = time.monotonic()
    assert statuses(exchange(server, get())) == [200] and time.monotonic() - begun >= 0.3
    server.stop()


def test_a_reader_that_does_not_read_holds_nobody_up(server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []})
    slow = socket.create_connection(server.address)
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.settimeout(0.2)
    request = get(f"/v1/apps/{app}/versions/1/shortcuts")
    sent = 0
    try:
        for _ in range(2_000):
            slow.sendall(request * 100)
            sent += 1
    except TimeoutError:
        pass
    assert sent < 2_000, "the server took everything from a client that reads nothing"
    assert server.get("/healthz").status == 200
    slow.close()


def test_a_stop_answers_what_has_begun_and_ends_with_0(tmp_path):
    server = Longpress(tmp_path)
    with socket.create_connection(server.address, timeout=120) as begun, socket.create_connection(server.address, timeout=120) as idle:
        begun.sendall(get("/healthz", "Content-Length: 5") + b"he")
        idle.sendall(get())
        assert statuses(idle.recv(1000)) == [200]
        waiter = threading.Thread(target=lambda: server.process.wait(timeout=120))
        server.process.send_signal(signal.SIGTERM)
        waiter.start()
        assert idle.recv(1000) == b""
        begun.sendall(b"llo")
        # The answer is complete and the connection closes after it. A loop that has not noticed the stop yet does not announce the close.
        assert statuses(b"".join(iter(lambda: begun.recv(1000), b""))) == [200]
    waiter.join()
    assert server.process.returncode == 0


def test_connections_that_wait_are_closed_without_a_trace(server):
    def open_connections():
        return int(re.search(r"longpress_open_connections (\d+)", server.get("/metrics").body.decode())[1])

    before = open_connections()
    crowd = [socket.create_connection(server.address) for _ in range(200)]
    eventually(lambda: open_connections() >= before + 200)
    for connection in crowd:
        connection.close()
    eventually(lambda: open_connections() <= before + 1)


def test_a_stop_right_after_the_start_is_heard(tmp_path):
    for _ in range(20):
        assert Longpress(tmp_path).stop() == 0
