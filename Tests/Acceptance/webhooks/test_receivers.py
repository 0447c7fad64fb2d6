"""Deliveries to difficult receivers: answers of every kind, odd addresses, TLS, and changes in flight."""

import contextlib
import datetime
import re
import secrets
import signal
import socket
import struct
import subprocess
import threading
import time

import pytest
from standardwebhooks import Webhook

from consumer import Consumer
from longpress import BINARY, Longpress, eventually, source
from test_webhooks import apps, deliveries, event, patch, recover, resend, settled, subscribe

pytestmark = pytest.mark.any_engine

TWO_ATTEMPTS = ("--webhook-schedule", "0s,50ms")
TWO_SECONDS = (*TWO_ATTEMPTS, "--webhook-timeout", "2s", "--webhook-connect-timeout", "1s")


class Raw:
    """A receiver that answers with raw bytes. After each complete request, `answer` gets the connection and the request's number. The
    connection is closed unless `answer` says to continue."""

    def __init__(self, answer, host="127.0.0.1"):
        self.requests, self.answer, self.most, self.running = [], answer, 0, 0
        self.lock = threading.Lock()
        self.listener = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=128)
        self.port = self.listener.getsockname()[1]
        self.path = f"/hook-{secrets.token_hex(8)}"
        self.url = f"http://[{host}]:{self.port}{self.path}" if ":" in host else f"http://{host}:{self.port}{self.path}"
        self.connections = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as stream:
            while line := stream.readline():
                fields = {}
                while field := stream.readline().rstrip(b"\r\n"):
                    name, _, value = field.decode().partition(":")
                    fields[name.lower()] = value.strip()
                body = stream.read(int(fields["content-length"]))
                if line.startswith(b"POST /hook-") and self.path.encode() not in line:  # of an earlier receiver that had this port
                    return
                with self.lock:
                    self.requests.append((line.decode().rstrip(), fields, body))
                    self.running += 1
                    self.most = max(self.most, self.running)
                try:
                    if not self.answer(connection, len(self.requests)):
                        return
                finally:
                    with self.lock:
                        self.running -= 1

    def stop(self):
        self.listener.close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    """A server with two attempts of two seconds each."""
    server = Longpress(
        tmp_path_factory.mktemp("hasty"), *TWO_SECONDS, "--webhook-allow", "127.0.0.1/32,::1/128", "--log-level", "debug")
    yield server
    assert server.stop() == 0


@pytest.fixture
def raw():
    made = []

    def make(answer, **options):
        made.append(Raw(answer, **options))
        return made[-1]

    yield make
    for receiver in made:
        receiver.stop()


def hook(server, url, **members):
    answer = server.admin("POST", "/webhooks", {"url": url, "types": ["app.created"], **members})
    assert answer.status == 201, answer.body
    return answer.json


def says(text):
    def answer(connection, _):
        connection.sendall(text if isinstance(text, bytes) else text.encode())
        return False
    return answer


OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
CHUNKS = "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n"


@pytest.mark.parametrize(("answer", "status", "response"), [
    (OK, 200, ""), ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""), (CHUNKS, 202, "abcde"),
    ("HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\nok", 299, "ok"), ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
    ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end", 200, "until the end"),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + OK, 200, ""),
    ("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n" + "x" * 40_000, 200, "x" * 16_384),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na\0\xff", 200, "a\ufffd\ufffd"),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nno", 200, "no"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n" + "x" * 200_000, 200, "x" * 16_384),
])
def test_any_2xx_however_it_is_framed_is_a_success(hasty, raw, answer, status, response):
    receiver = raw(says(answer))
    endpoint = hook(hasty, receiver.url)
    event(hasty)
    [attempt] = settled(hasty, endpoint, "delivered")["attempts"]
    assert (attempt["status"], attempt["error"], attempt["response"]) == (status, None, response)
    assert len(receiver.requests) == 1


def reset(connection, _):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False


def hang(connection, _):
    connection.recv(1)
    return False


def drip(connection, _):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(100):
        connection.sendall(b".")
        time.sleep(0.1)
    return False


@pytest.mark.parametrize(("answer", "status", "words"), [
    (says(""), None, "closed the connection without an answer"), (reset, None, "reset"), (hang, None, "No answer came within 2s"),
    (drip, 200, "did not end within 2s"), (says("SSH-2.0-nonsense\r\n\r\n"), None, "not HTTP"),
    (says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), 200, "middle of its answer"),
    (says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 200, "."),
    (says("HTTP/1.1 200 OK\r\n" + f"X: {'y' * 900}\r\n" * 100 + "\r\n"), 200, "header fields"),
    (says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), 101, "."),
    *[(says(f"HTTP/1.1 {code} X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 2\r\n\r\nno"), code, f"answered {code}")
      for code in (301, 302, 303, 307, 308, 400, 401, 404, 429, 500, 502, 503, 304)],
])
def test_everything_else_is_a_failure_said_in_words_and_tried_again(hasty, raw, answer, status, words):
    receiver = raw(answer)
    endpoint = hook(hasty, receiver.url)
    event(hasty)
    attempts = settled(hasty, endpoint, "exhausted")["attempts"]
    assert len(attempts) == 2 == len(receiver.requests)
    for attempt in attempts:
        assert attempt["status"] == status and words in attempt["error"] and attempt["error"].endswith("."), attempt
    assert len({(fields["webhook-id"], body) for _, fields, body in receiver.requests}) == 1


def test_the_request_is_what_the_contract_says(hasty, raw):
    receiver = raw(says(OK))
    headers = {"X-Token": "a  b\tc", "Authorization": "Bearer x", "X-Empty": "", "Expect": "100-continue"}
    endpoint = hook(hasty, f"http://127.0.0.1:{receiver.port}?a=b&c=%20d", headers=headers)
    app = event(hasty)
    settled(hasty, endpoint, "delivered")
    [(line, fields, body)] = receiver.requests
    assert line == "POST /?a=b&c=%20d HTTP/1.1"
    assert fields.keys() - headers.keys() >= {"host", "content-type", "content-length", "user-agent"}
    assert fields.keys().isdisjoint({"expect", "transfer-encoding", "accept", "cookie", "accept-encoding", "connection"})
    assert (fields["x-token"], fields["authorization"], fields["x-empty"]) == ("a  b\tc", "Bearer x", "")
    assert fields["content-type"] == "application/json" and fields["content-length"] == str(len(body))
    assert re.fullmatch(r"Longpress/\d+\.\d+\.\d+", fields["user-agent"]) and fields["host"] == f"127.0.0.1:{receiver.port}"
    assert re.fullmatch(r"[!-\-/-~]+", fields["webhook-id"])
    assert re.fullmatch(r"\d{10}", fields["webhook-timestamp"]) and abs(int(fields["webhook-timestamp"]) - time.time()) < 300
    assert re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", fields["webhook-signature"])
    payload = Webhook(endpoint["secret"]).verify(body, fields)
    assert set(payload) == {"type", "timestamp", "data"} and payload["data"] == {"app": app} | source("app", app)
    assert datetime.datetime.fromisoformat(payload["timestamp"]).tzinfo and len(body) < 20_000


def test_every_attempt_has_its_own_timestamp_and_the_same_bytes(server, raw):
    receiver = raw(says("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"))
    endpoint = hook(server, receiver.url)
    event(server)
    eventually(lambda: len({fields["webhook-timestamp"] for _, fields, _ in receiver.requests}) > 1)
    assert len({(fields["webhook-id"], body) for _, fields, body in receiver.requests}) == 1
    for _, fields, body in receiver.requests:
        Webhook(endpoint["secret"]).verify(body, fields)
    server.admin("DELETE", f"/webhooks/{endpoint['id']}")


@pytest.mark.parametrize("headers", [
    {"Webhook-Id": "x"}, {"HOST": "x"}, {"content-length": "1"}, {"Content-Encoding": "x"}, {"Connection": "close"},
    {"Transfer-Encoding": "chunked"}, {"X-A": "a\r\nX-B: b"}, {"X-A\r\n": "a"}, {"X-A": "ü"}, {"X A": "a"},
    {f"X-{n}": "a" for n in range(21)},
])
def test_header_fields_that_would_change_the_message_are_refused(server, headers):
    answer = server.admin("POST", "/webhooks", {"url": "https://example.com/", "headers": headers})
    assert answer.status == 422 and all(path.startswith("headers") for path, _ in answer.violations)


def test_an_ipv6_receiver_is_delivered_to_and_others_are_refused(hasty, raw):
    receiver = raw(says(OK), host="::1")
    endpoint = hook(hasty, receiver.url)
    event(hasty)
    settled(hasty, endpoint, "delivered")
    for url in ("http://[::2]/", "http://[::ffff:127.0.0.2]/", "http://[fe80::1]/"):
        assert hasty.admin("POST", "/webhooks", {"url": url}).violations == {("url", "address-blocked")}


def test_a_name_goes_to_its_allowed_addresses_only_and_is_refused_for_good_without(own, consumer):
    """localhost is ::1 and 127.0.0.1, or only the latter; the flag exempts 127.0.0.1."""
    url = consumer.url.replace("127.0.0.1", "localhost")
    hook(own, url)
    app = event(own)
    eventually(lambda: len(consumer.received) == 1)
    own.stop()
    own.flags = ("--webhook-allow", "10.1.2.3")
    own.start()
    refused = hook(own, url)
    event(own)
    [attempt] = settled(own, refused, "exhausted")["attempts"]
    assert attempt["status"] is None and "not sent to" in attempt["error"]
    assert own.admin("POST", f"/webhooks/{refused['id']}/ping").status == 202
    eventually(lambda: [entry["state"] for entry in deliveries(own, refused)] == ["exhausted", "exhausted"])
    assert app and len(consumer.received) == 1


def test_what_was_registered_under_other_rules_is_judged_at_the_attempt(own, consumer):
    endpoint = subscribe(own, consumer)
    own.stop()
    own.flags = ("--webhook-allow", "10.1.2.3")
    own.start()
    event(own)
    [attempt] = settled(own, endpoint, "exhausted")["attempts"]
    assert attempt["status"] is None and consumer.received == []


def test_proxies_and_credentials_of_the_environment_are_ignored(tmp_path, consumer, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    server = Longpress(tmp_path)
    subscribe(server, consumer)
    event(server)
    [(fields, _)] = eventually(lambda: consumer.received)
    assert "authorization" not in {name.lower() for name in fields}
    server.stop()


@pytest.mark.parametrize("blocks", ["127.0.0.1/33", "nonsense", "10.0.0.1/8", "127.0.0.1,", "0x7f000001"])
def test_a_malformed_block_refuses_to_start(tmp_path, blocks):
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--database", tmp_path / "l.sqlite", "--webhook-allow", blocks]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 2 and "--webhook-allow" in run.stderr


def certificate(folder, name, *, expired=False):
    """A certificate for that name with a new key, and the authority that signed it."""
    folder.mkdir()

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *curve, "-days", "9", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", *curve, "-subj", f"/CN={name}", "-keyout", "key.pem", "-out", "request.pem")
    (folder / "extensions").write_text(f"subjectAltName=DNS:{name}\n")
    (folder / "ca.cnf").write_text(
        "[ca]\ndefault_ca=a\n[a]\ndatabase=index\nnew_certs_dir=.\nserial=serial\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n")
    (folder / "index").touch()
    (folder / "serial").write_text("01\n")
    start, end = ("20200101000000Z", "20200201000000Z") if expired else ("20200101000000Z", "20990101000000Z")
    openssl("ca", "-batch", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key", "-in", "request.pem", "-out", "cert.pem",
            "-startdate", start, "-enddate", end, "-extfile", "extensions")
    return folder / "cert.pem", folder / "key.pem"


@pytest.mark.parametrize(("name", "expired", "is_trusted", "state"), [
    ("localhost", False, True, "delivered"), ("localhost", False, False, "exhausted"), ("localhost", True, True, "exhausted"),
    ("elsewhere.example", False, True, "exhausted"),
])
def test_tls_is_always_verified(tmp_path, name, expired, is_trusted, state):
    pair = certificate(tmp_path / "tls", name, expired=expired)
    consumer = Consumer(certificate=pair)
    consumer.server.handle_error = lambda *_: None
    server = Longpress(tmp_path, *TWO_ATTEMPTS, *(("--webhook-ca", pair[0].parent / "ca.pem") if is_trusted else ()))
    endpoint = subscribe(server, consumer)
    event(server)
    attempts = settled(server, endpoint, state)["attempts"]
    assert all("certificate" in attempt["error"] for attempt in attempts if state == "exhausted")
    assert bool(consumer.received) == (state == "delivered")
    server.stop()
    consumer.stop()


def behind(gate):
    def answer(connection, _):
        gate.wait(10)
        connection.sendall(OK.encode())
        return True
    return answer


def test_at_most_eight_attempts_run_at_once_to_an_endpoint_and_one_to_an_ordered(server, raw):
    gate = threading.Event()
    many, ordered = raw(behind(gate)), raw(behind(gate))
    endpoints = [hook(server, many.url), hook(server, ordered.url, ordered=True)]
    made = [event(server) for _ in range(30)]
    eventually(lambda: (many.running, ordered.running) == (8, 1))
    quick = raw(says(OK))
    hook(server, quick.url)
    made.append(event(server))
    eventually(lambda: quick.requests)
    assert (len(many.requests), len(ordered.requests)) == (8, 1)
    gate.set()
    for endpoint in endpoints:
        eventually(lambda: len(deliveries(server, endpoint, "?state=delivered&limit=200")) == 31)
    assert ordered.most == 1
    assert [Webhook(endpoints[1]["secret"]).verify(body, fields)["data"]["app"] for _, fields, body in ordered.requests] == made


def test_nothing_overtakes_in_an_ordered_endpoint_when_one_fails(server, consumer):
    consumer.answers = [204, 500, 500, 500]
    subscribe(server, consumer, ordered=True)
    made = [event(server) for _ in range(4)]
    eventually(lambda: len(consumer.received) == 7)
    assert apps(consumer) == [made[0]] + [made[1]] * 4 + made[2:]


@pytest.mark.parametrize(("status", "wait"), [(429, "1"), (503, "1"), (429, "date"), (503, "date")])
def test_retry_after_holds_everything_to_that_endpoint(server, raw, status, wait):
    times = []

    def answer(connection, number):
        times.append(time.time())
        after = wait if wait != "date" else time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 2))
        connection.sendall((f"HTTP/1.1 {status} Later\r\nRetry-After: {after}\r\nContent-Length: 0\r\n\r\n" if number == 1 else OK).encode())
        return True

    receiver = raw(answer)
    endpoint = hook(server, receiver.url)
    event(server)
    eventually(lambda: deliveries(server, endpoint)[0]["attempts"])
    event(server)
    eventually(lambda: len(deliveries(server, endpoint, "?state=delivered")) == 2)
    assert len(times) == 3 and min(times[1:]) - times[0] >= 0.99
    server.admin("DELETE", f"/webhooks/{endpoint['id']}")


def test_enabling_lifts_the_hold_also_with_other_members_and_other_changes_do_not(server, raw):
    busy, other = raw(says("HTTP/1.1 429 No\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n")), raw(says(OK))
    endpoint = hook(server, busy.url)
    event(server)
    eventually(lambda: deliveries(server, endpoint)[0]["attempts"])
    patch(server, endpoint, url=other.url)
    due = datetime.datetime.fromisoformat(deliveries(server, endpoint)[0]["nextAttemptAt"])
    assert due - datetime.datetime.now(datetime.UTC) > datetime.timedelta(minutes=50)
    patch(server, endpoint, description="lifted", enabled=True)
    eventually(lambda: len(other.requests) == 1)
    assert settled(server, endpoint, "delivered") and len(busy.requests) == 1


def quick_then_slow(gate):
    def answer(connection, number):
        if number > 10:
            gate.wait(10)
        connection.sendall(OK.encode())
        return True
    return answer


@pytest.mark.parametrize("change", ["disable", "delete", "url", "filter", "rotate"])
def test_no_attempt_begins_that_goes_by_what_the_endpoint_was(server, raw, change):
    """Forty deliveries wait behind eight in flight; more are claimed for an endpoint that has answered quickly."""
    gate = threading.Event()
    former, present = raw(quick_then_slow(gate)), raw(says(OK))
    endpoint = hook(server, former.url)
    for _ in range(10):
        event(server)
    eventually(lambda: len(deliveries(server, endpoint, "?state=delivered")) == 10)
    for _ in range(40):
        event(server)
    eventually(lambda: former.running == 8)
    secrets = [endpoint["secret"]]
    if change == "delete":
        assert server.admin("DELETE", f"/webhooks/{endpoint['id']}").status == 204
    elif change == "rotate":
        secrets.append(server.admin("POST", f"/webhooks/{endpoint['id']}/rotate-secret", {"overlap": "0s"}).json["secret"])
    else:
        patch(server, endpoint, **{"disable": {"enabled": False}, "url": {"url": present.url}, "filter": {"types": ["app.deleted"]}}[change])
    gate.set()
    eventually(lambda: former.running == 0)
    if change == "url":
        eventually(lambda: len(present.requests) == 32)
    if change == "rotate":
        eventually(lambda: len(former.requests) == 50)
        for number, (_, fields, body) in enumerate(former.requests):
            Webhook(secrets[number >= 18]).verify(body, fields)
        return
    assert len(former.requests) == 18
    if change == "disable":
        eventually(lambda: len(deliveries(server, endpoint, "?state=delivered&limit=200")) == 18)
        assert len(deliveries(server, endpoint, "?state=held&limit=200")) == 32
        patch(server, endpoint, enabled=True)
        assert recover(server, endpoint) == 32
        eventually(lambda: len(former.requests) == 50)
    if change == "filter":
        eventually(lambda: len(deliveries(server, endpoint, "?state=delivered&limit=200")) == 18)
        assert len(deliveries(server, endpoint, "?state=cancelled&limit=200")) == 32


def test_what_waited_behind_a_410_is_recovered_at_once(server, raw):
    gate = threading.Event()

    def answer(connection, number):
        if number > 10:
            gate.wait(10)
        gone = 10 < number <= 18
        connection.sendall(b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n" if gone else OK.encode())
        return True

    receiver = raw(answer)
    endpoint = hook(server, receiver.url)
    for _ in range(10):
        event(server)
    eventually(lambda: len(deliveries(server, endpoint, "?state=delivered")) == 10)
    for _ in range(40):
        event(server)
    eventually(lambda: receiver.running == 8)
    gate.set()
    eventually(lambda: server.admin("GET", f"/webhooks/{endpoint['id']}").json["disabledReason"] == "gone")
    # The log also has the 410s after the first one. Each of them would disable the endpoint again.
    attempted = lambda: sum(delivery["attempts"] != [] for delivery in deliveries(server, endpoint, "?limit=200"))
    eventually(lambda: attempted() == 18)
    assert len(receiver.requests) == 18
    patch(server, endpoint, enabled=True)
    assert recover(server, endpoint) == 40
    eventually(lambda: len(deliveries(server, endpoint, "?state=delivered&limit=200")) == 50)


def test_many_endpoints_at_one_url_each_get_their_own_signature(server, raw):
    receiver = raw(says(OK))
    endpoints = [hook(server, receiver.url) for _ in range(5)]
    event(server)
    eventually(lambda: len(receiver.requests) == 5)
    assert len({(fields["webhook-id"], body) for _, fields, body in receiver.requests}) == 1
    assert len({fields["webhook-signature"] for _, fields, _ in receiver.requests}) == 5
    for endpoint in endpoints:
        server.admin("DELETE", f"/webhooks/{endpoint['id']}")


def test_a_stop_waits_for_what_runs_and_records_it_even_while_a_request_drags(own, raw):
    own.stop()
    own.flags = ("--drain-timeout", "4s")
    own.start()
    gate = threading.Event()
    receiver = raw(behind(gate))
    endpoint = hook(own, receiver.url)
    event(own)
    eventually(lambda: receiver.running == 1)
    with socket.create_connection(own.address) as dragging:
        dragging.sendall(b"PUT /admin/v1/apps/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
        own.process.send_signal(signal.SIGTERM)
        gate.set()
        assert own.process.wait() == 0
    own.start()
    [attempt] = settled(own, endpoint, "delivered")["attempts"]
    assert attempt["status"] == 200 and len(receiver.requests) == 1


def test_what_a_kill_cut_off_is_due_at_once_and_does_not_count(own, raw):
    gate = threading.Event()
    receiver = raw(behind(gate))
    endpoint = hook(own, receiver.url)
    event(own)
    eventually(lambda: receiver.running == 1)
    own.restart(signal.SIGKILL)
    gate.set()
    [attempt] = settled(own, endpoint, "delivered")["attempts"]
    assert attempt["status"] == 200 and len(receiver.requests) == 2
    assert len({(fields["webhook-id"], body) for _, fields, body in receiver.requests}) == 1


def test_an_endpoint_that_does_nothing_but_fail_is_disabled(tmp_path, consumer):
    server = Longpress(tmp_path, "--webhook-disable-after", "500ms")
    endpoint = subscribe(server, consumer)
    consumer.answers = [500] * 1000
    event(server)
    found = eventually(lambda: (now := server.admin("GET", f"/webhooks/{endpoint['id']}").json)["disabledReason"] and now)
    assert (found["enabled"], found["disabledReason"]) == (False, "failing") and found["disabledAt"]
    assert settled(server, endpoint, "held")["nextAttemptAt"] is None
    consumer.answers = []
    patch(server, endpoint, enabled=True)
    resend(server, deliveries(server, endpoint)[0])
    settled(server, endpoint, "delivered")
    server.stop()


def test_a_ping_takes_no_members(server, consumer):
    endpoint = subscribe(server, consumer)
    assert server.admin("POST", f"/webhooks/{endpoint['id']}/ping", {"loud": True}).violations == {("loud", "unknown-member")}
    assert server.admin("POST", f"/webhooks/{endpoint['id']}/ping", {}).status == 202
