"""A consumer's answer ends at every byte, and every way in which a connection fails: the delivery is repeated, in order, and recorded."""

import collections
import pathlib
import socket
import ssl
import struct
import subprocess
import threading
import time

import program
from program import Broken, Service, eventually, expect

ANSWERS = {
    "a body with its length": b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nreceived\n",
    "a chunked body": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nrece\r\n5\r\nived\n\r\n0\r\n\r\n",
    "no body": b"HTTP/1.1 204 No Content\r\nServer: example\r\n\r\n",
}
ENDS = ["close", "reset", "silence", "the rest late"]
# Answers that libcurl rejects, and answers that are not a success.
BAD = {
    "a redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%d/moved\r\nContent-Length: 0\r\n\r\n",
    "a permanent redirect": b"HTTP/1.1 308 Permanent Redirect\r\nLocation: http://127.0.0.1:%d/moved\r\nContent-Length: 0\r\n\r\n",
    "no HTTP": b"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/0.9": b"received\n", "an unknown version": b"HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
    "a wrong chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a wrong length": b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 900\r\n\r\nhello",
    "an unknown coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13\r\n\r\n",
    "endless fields": b"HTTP/1.1 200 OK\r\n" + b"X-Padding: %s\r\n" % (b"x" * 1000) * 100,
    "one endless field": b"HTTP/1.1 200 OK\r\nX-Padding: " + b"x" * 200_000,
    "only informational answers": b"HTTP/1.1 103 Early Hints\r\n\r\n" * 5,
    "a NUL": b"HTTP/1.1 200 OK\r\nX: \0\r\nContent-Length: 0\r\n\r\n",
    "400": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "500": b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
    "429": b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n",
    "503 in a while": b"HTTP/1.1 503 Later\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    "503 in no time": b"HTTP/1.1 503 Later\r\nRetry-After: soon\r\nContent-Length: 0\r\n\r\n",
}
# An unknown coding ends with the connection, as libcurl reads it: the status is not in doubt.
ACCEPTED = {"an unknown coding"}
GOOD = b"HTTP/1.1 204 No Content\r\n\r\n"
# In seconds. A busy machine answers within it.
TIMEOUT = 10


class Consumer:
    """Listens on loopback. The first request of a path gets `answers[path]`, a function of the connection; later ones succeed."""

    def __init__(self, context=None):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        self.context, self.answers, self.lock = context, {}, threading.Lock()
        self.received = collections.defaultdict(list)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.settimeout(60)
        try:
            with self.context.wrap_socket(connection, server_side=True) if self.context else connection as stream:
                while request := read_request(stream):
                    path, id, body = request
                    with self.lock:
                        count = len(self.received[path])
                        self.received[path].append((id, body))
                    answer = self.answers.get(path)
                    if count > 0 or answer is None:
                        stream.sendall(GOOD)
                    elif not answer(stream):
                        return
        except (OSError, ValueError):
            pass

    def stop(self):
        self.listener.close()


def read_request(stream):
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := stream.recv(65536)):
            return None
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    fields = {name.lower(): value.strip() for name, value in (line.split(b":", 1) for line in head.split(b"\r\n")[1:])}
    while len(body) < int(fields[b"content-length"]):
        if not (more := stream.recv(65536)):
            return None
        body += more
    return head.split(b" ")[1].decode(), fields[b"webhook-id"].decode(), body


def cut(answer, count, end):
    """Sends the first bytes of an answer, and then ends it this way."""
    def send(stream):
        stream.sendall(answer[:count])
        if end == "reset":
            time.sleep(0.02)  # So that the bytes are read before the reset discards them.
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif end == "silence":
            stream.recv(1)
        elif end == "the rest late":
            time.sleep(0.1)
            stream.sendall(answer[count:])
            return True
        return False
    return send


def fails(answer, count, end):
    """Whether an answer that is cut fails the attempt; nil if it may, because libcurl does not miss the empty line after all chunks."""
    if end == "the rest late" or count == len(answer):
        return False
    return None if b"\r\n0\r\n" in answer[:count] else True


class Batch:
    """Cases that run at once: an ordered endpoint for each, and two events for all of them."""

    def __init__(self, service, app):
        self.service, self.app, self.endpoints = service, app, {}
        expect(service.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})[0] == 201, "no app")

    def add(self, case, url):
        status, answer, _ = self.service.admin("POST", "/webhooks", {"url": url, "apps": [self.app], "ordered": True})
        expect(status == 201, f"{case}: {answer}")
        self.endpoints[case] = answer["id"]

    def publish(self):
        for title in ("one", "two"):
            status, answer, _ = self.service.admin("PUT", f"/apps/{self.app}/sets/1.0", program.menu(title))
            expect(status in (200, 201), answer)

    def deliveries(self, case):
        """The two deliveries, the older one first."""
        items = self.service.admin("GET", f"/webhooks/{self.endpoints[case]}/deliveries")[1]["items"]
        return items[::-1]

    def settled(self, case):
        def find():
            found = self.deliveries(case)
            return len(found) == 2 and all(delivery["state"] == "delivered" for delivery in found) and found
        return eventually(find, f"It is not delivered: {[(d['state'], d['attempts']) for d in self.deliveries(case)]}")

    def close(self):
        for id in self.endpoints.values():
            self.service.admin("DELETE", f"/webhooks/{id}")


def judge(deliveries, received, fails):
    """`fails`: whether the first attempt fails; nil if both are right."""
    first, second = deliveries
    errors = [attempt["error"] for attempt in first["attempts"]]
    fails = bool(errors[0]) if fails is None else fails
    expect(bool(errors[0]) == fails, f"The first attempt has the error {errors[0]!r}.")
    expect(not fails or errors[0].endswith("."), f"{errors[0]!r} is not a sentence.")
    expect(errors[-1] is None and None not in errors[:-1], f"The attempts have the errors {errors}.")
    ids = [id for id, _ in received]
    # libcurl repeats a request by itself if a connection that it reuses is closed without a byte.
    expect(ids == sorted(ids, key=[first["webhookId"], second["webhookId"]].index), f"The order is {ids}.")
    expect(set(ids) == {first["webhookId"], second["webhookId"]} and ids.count(second["webhookId"]) >= 1, f"Received were {ids}.")
    expect(len({body for id, body in received if id == first["webhookId"]}) == 1, "The body of a repetition differs.")
    expect(ids.count(first["webhookId"]) >= (2 if fails else 1), "It was not repeated.")


def certificate(folder, name="localhost"):
    """A self-signed certificate and its key."""
    paths = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
         "-addext", f"subjectAltName=DNS:{name}", "-out", paths[0], "-keyout", paths[1]], check=True, capture_output=True)
    return paths


class CutTLS:
    """Forwards to a server until `counts` bytes of its answer have passed on a connection; after that one, all bytes."""

    def __init__(self, target, count, end):
        self.target, self.count, self.end, self.total = target, count, end, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        is_first = True
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            limit = self.count if is_first else None
            is_first = False
            threading.Thread(target=self.forward, args=(client, server, None), daemon=True).start()
            threading.Thread(target=self.forward, args=(server, client, limit), daemon=True).start()

    def forward(self, source, sink, limit):
        try:
            passed = 0
            while data := source.recv(65536):
                if limit is not None and passed + len(data) >= limit:
                    sink.sendall(data[:limit - passed])
                    self.is_cut = True
                    if self.end == "silence":
                        while source.recv(65536):
                            pass
                    break
                passed += len(data)
                sink.sendall(data)
                if limit is not None:
                    self.total = max(self.total, passed)
        except OSError:
            pass
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()


class Consumers:
    def __init__(self, folder, table, select, every=1):
        self.table, self.select, self.every = table, select, every
        folder.mkdir()
        self.pem, self.key = certificate(folder)
        self.other = certificate(folder, "elsewhere.example")
        self.service = Service(
            folder / "longpress.sqlite", "--webhook-timeout", f"{TIMEOUT}s", "--webhook-connect-timeout", f"{TIMEOUT}s", "--webhook-ca", str(self.pem),
            "--webhook-schedule", "0s," + ",".join(["50ms"] * 40 + ["1s"] * 20))
        expect(self.service.listening, self.service.said)
        self.apps = 0

    def batch(self):
        self.apps += 1
        return Batch(self.service, f"app{self.apps}")

    def run(self):
        try:
            for name, answer in ANSWERS.items():
                for end in ENDS:
                    self.run_kind(f"{name}, then {end}", lambda: self.answers(answer, end))
            self.run_kind("other answers", self.bad_answers)
            self.run_kind("connections that fail", self.connections)
            for end in ("close", "silence"):
                self.run_kind(f"TLS, then {end}", lambda: self.tls(end))
        finally:
            self.service.end()

    def run_kind(self, kind, run):
        if not self.select("consumer", kind):
            return
        start, held = time.monotonic(), 0
        results = run()
        for at, problem in results.items():
            if problem:
                self.table.fail("consumer", kind, at, "", problem)
            held += not problem
        self.table.add("consumer", kind, held, len(results), time.monotonic() - start)

    def judged(self, batch, consumer, fails, urls):
        """The problem of each case, or None."""
        results = {}
        for case, path in urls.items():
            try:
                judge(batch.settled(case), consumer.received[path], fails(case))
                results[case] = None
            except Broken as error:
                results[case] = str(error)
        batch.close()
        return results

    def answers(self, answer, end):
        consumer, batch = Consumer(), self.batch()
        counts = range(0, len(answer) + 1, self.every)
        for count in counts:
            consumer.answers[f"/{count}"] = cut(answer, count, end)
            batch.add(count, f"http://127.0.0.1:{consumer.port}/{count}")
        batch.publish()
        try:
            return self.judged(
                batch, consumer, lambda count: fails(answer, count, end), {count: f"/{count}" for count in counts})
        finally:
            consumer.stop()

    def bad_answers(self):
        consumer, batch = Consumer(), self.batch()
        paths = {name: f"/{number}" for number, name in enumerate(BAD)}
        for name, path in paths.items():
            answer = BAD[name] % consumer.port if b"%d" in BAD[name] else BAD[name]
            consumer.answers[path] = cut(answer, len(answer), "close")
            batch.add(name, f"http://127.0.0.1:{consumer.port}{path}")
        batch.publish()
        try:
            results = self.judged(batch, consumer, lambda name: None if name in ACCEPTED else True, paths)
            if "/moved" in consumer.received:
                results["a redirect"] = "It was followed."
            return results
        finally:
            consumer.stop()

    def connections(self):
        """Endpoints that cannot be reached. Their URL is corrected then, and both events arrive in order."""
        good, batch = Consumer(), self.batch()
        context, plain = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), Consumer()
        context.load_cert_chain(*self.other)
        untrusted = Consumer(context)
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        old.load_cert_chain(self.pem, self.key)
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        outdated = Consumer(old)
        closed = socket.create_server(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        closed.close()
        silent = socket.create_server(("127.0.0.1", 0))
        urls = {
            "refused": f"http://127.0.0.1:{port}", "an unknown host": "http://nothing.invalid", "TLS of another host": f"https://localhost:{untrusted.port}",
            "an outdated TLS": f"https://localhost:{outdated.port}", "no TLS": f"https://localhost:{plain.port}",
            "TLS instead of HTTP": f"http://127.0.0.1:{untrusted.port}", "a silent listener": f"http://127.0.0.1:{silent.getsockname()[1]}",
            "a silent listener, TLS": f"https://localhost:{silent.getsockname()[1]}",
        }
        paths = {name: f"/{number}" for number, name in enumerate(urls)}
        for name, origin in urls.items():
            batch.add(name, origin + paths[name])
        batch.publish()
        for name in urls:
            eventually(lambda: batch.deliveries(name)[0]["attempts"], f"{name}: no attempt")
            status, answer, _ = self.service.admin(
                "PATCH", f"/webhooks/{batch.endpoints[name]}", {"url": f"http://127.0.0.1:{good.port}{paths[name]}"})
            expect(status == 200, answer)
        results = {}
        for name, path in paths.items():
            try:
                first, second = batch.settled(name)
                errors = [attempt["error"] for attempt in first["attempts"]]
                expect(errors[0] and errors[0].endswith(".") and errors[-1] is None, f"The attempts have the errors {errors}.")
                expect([id for id, _ in good.received[path]] == [first["webhookId"], second["webhookId"]], "It arrived out of order.")
                results[name] = None
            except Broken as error:
                results[name] = str(error)
        batch.close()
        for one in (good, plain, untrusted, outdated):
            one.stop()
        silent.close()
        return results

    def tls(self, end):
        """The connection ends at every byte that the consumer sends: of the handshake and of the encrypted answer."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.pem, self.key)
        consumer, results, last = Consumer(context), {}, 0
        probe = CutTLS(consumer.port, 1 << 30, end)
        batch = self.batch()
        batch.add("probe", f"https://localhost:{probe.port}/probe")
        batch.publish()
        batch.settled("probe")
        batch.close()
        probe.listener.close()
        # The second answer of the probe is as long as the first.
        last = probe.total - len(GOOD)
        consumer_good = {}
        counts = list(range(0, last, self.every))
        for start in range(0, len(counts), 200):
            batch, paths, proxies = self.batch(), {}, []
            for count in counts[start:start + 200]:
                proxy = CutTLS(consumer.port, count, end)
                proxies.append(proxy)
                paths[count] = f"/{end}/{count}"
                batch.add(count, f"https://localhost:{proxy.port}/{end}/{count}")
            batch.publish()
            for count, path in paths.items():
                try:
                    first, second = batch.settled(count)
                    ids = [id for id, _ in consumer.received[path]]
                    order = [first["webhookId"], second["webhookId"]]
                    expect(ids == sorted(ids, key=order.index) and set(ids) == set(order), f"The order is {ids}.")
                    errors = [attempt["error"] for attempt in first["attempts"]]
                    expect(errors[-1] is None and all(error and error.endswith(".") for error in errors[:-1]), f"The errors are {errors}.")
                    consumer_good[count] = len(errors)
                    results[count] = None
                except Broken as error:
                    results[count] = str(error)
            batch.close()
            for proxy in proxies:
                proxy.listener.close()
        consumer.stop()
        return results


def run(folder, table, select, every=1):
    Consumers(pathlib.Path(folder) / "consumers", table, select, every).run()
