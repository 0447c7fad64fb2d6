"""Webhooks beside a plain libcurl loop that posts the same bytes to the same sink: alternating rounds, one run.

Prints Markdown tables of medians: deliveries a second from a backlog until every outcome is in the store, CPU
microseconds a delivery and the share of reused connections; then the time from a publish's answer to the request at the
receiver, alone and beside endpoints that misbehave. Needs cc and libcurl; `make bench-webhooks` installs them. Talks to
127.0.0.1 only and stops by itself.
"""

import concurrent.futures
import contextlib
import http.client
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BINARY = pathlib.Path(os.environ.get("LONGPRESS_BINARY", HERE.parent / ".build/release/longpress"))
TOKEN = "owner-token-of-the-webhook-benchmark-0123456789"
ROUNDS = int(os.environ.get("ROUNDS", "3"))
DELIVERIES = int(os.environ.get("DELIVERIES", "20000"))
SECONDS = int(os.environ.get("SECONDS_A_ROUND", "10"))
RATE = 50
IN_FLIGHT = 8


def ask(port, method, target, document=None, connection=None):
    connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    fields = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"}
    connection.request(method, target, json.dumps(document) if document is not None else None, fields)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status >= 300:
        raise SystemExit(f"{method} {target}: {answer.status} {body.decode()}")
    return body


class Program:
    """A process that prints where it is first; ended by its own id."""

    def __init__(self, *command):
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
        self.greeting = self.process.stdout.readline()

    @property
    def port(self):
        return int(self.greeting)

    def ask(self, target):
        return ask(self.port, "GET", target).decode()

    def counts(self):
        return [int(number) for number in self.ask("/counts").split()]


class Longpress:
    def __init__(self, folder):
        self.database = pathlib.Path(folder) / "longpress.sqlite"
        self.process = subprocess.Popen(
            [str(BINARY), "serve", "--listen", "127.0.0.1:0", "--database", str(self.database), "--admin-token", TOKEN,
             "--webhook-allow", "127.0.0.1/32"], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"listening.*address=\"?[\d.]+:(\d+)", line):
                self.port = int(found[1])
                break
        else:
            raise SystemExit("longpress did not start")
        ask(self.port, "PUT", "/admin/v1/apps/a", {"defaultLanguage": "en"})

    def subscribe(self, url, connection=None, **members):
        return json.loads(ask(self.port, "POST", "/admin/v1/webhooks", {"url": url, **members}, connection))

    def publish(self, number, connection=None):
        """When the publish was answered, and its revision."""
        items = [{"id": f"i{number}", "type": "com.example.open", "title": {"en": f"Open {number}"}}]
        answer = ask(self.port, "PUT", f"/admin/v1/apps/a/sets/{number % 10 + 1}.0", {"items": items}, connection)
        return time.monotonic_ns(), json.loads(answer)["revision"]

    def pending(self):
        return int(re.search(r"longpress_outbox_depth (\d+)", ask(self.port, "GET", "/metrics").decode())[1])

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running(*programs):
    try:
        yield
    finally:
        for program in programs:
            program.process.terminate()
            program.process.wait(timeout=60)


def drain(longpress, sink, endpoints, events, idle):
    """Queues events behind a hold that the endpoints ask for, lifts it, and waits until every outcome is recorded.
    `idle`: how many more endpoints there are, which nothing is for."""
    connection = http.client.HTTPConnection("127.0.0.1", longpress.port, timeout=60)
    for number in range(idle):
        longpress.subscribe(f"http://127.0.0.1:{sink.port}/idle{number}", connection, types=["app.deleted"])
    sink.ask("/busy")
    hooks = [longpress.subscribe(f"http://127.0.0.1:{sink.port}/{number}") for number in range(endpoints)]
    for number, hook in enumerate(hooks):
        if sink.process.args[0] == sys.executable:
            sink.ask(f"/secret?/{number}={hook['secret']}")
        ask(longpress.port, "POST", f"/admin/v1/webhooks/{hook['id']}/ping")
    with concurrent.futures.ThreadPoolExecutor(4) as writers:
        list(writers.map(longpress.publish, range(events)))
    if longpress.pending() != endpoints * (events + 1):
        raise SystemExit("the backlog did not stay behind its hold")
    sink.ask("/open")
    started, cpu = time.monotonic(), longpress.cpu_seconds()
    for hook in hooks:
        ask(longpress.port, "PATCH", f"/admin/v1/webhooks/{hook['id']}", {"enabled": True})
    while longpress.pending() > endpoints:
        if time.monotonic() > started + 120:
            raise SystemExit(f"{longpress.pending()} deliveries are still pending")
        time.sleep(0.02)
    took, cpu = time.monotonic() - started, longpress.cpu_seconds() - cpu
    posts, connections, _ = sink.counts()
    if posts < endpoints * events:
        raise SystemExit(f"{posts} of {endpoints * events} deliveries came")
    return posts / took, cpu / posts * 1e6, 1 - connections / posts


def backlog(sink_command, endpoints, deliveries, idle=0):
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        longpress, sink = Longpress(folder), Program(*sink_command)
        with running(longpress, sink):
            return drain(longpress, sink, endpoints, deliveries // endpoints, idle)


def plain(tools, in_flight, deliveries):
    body = '{"type":"shortcuts.published","timestamp":"2026-11-21T08:00:00Z","data":{"app":"a","audience":"default",' \
        '"version":"5.0.0","revision":1234,"previousRevision":1224,"added":["i1234"],"changed":[],"removed":["i1224"],' \
        '"etag":"\\"0123456789abcdef0123456789abcdef\\"","url":"http://127.0.0.1:40000/v1/apps/a/versions/5.0.0/shortcuts"}}'
    fields = ["Content-Type: application/json", "webhook-id: msg_0123456789abcdefghijkl", "webhook-timestamp: 1795248000",
              "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "User-Agent: Longpress/0.2.0",
              "Accept:", "Expect:"]
    sink = Program(tools / "sink")
    path = tools / "body.json"
    path.write_text(body)
    with running(sink):
        command = [tools / "plain", f"http://127.0.0.1:{sink.port}/0", deliveries, in_flight, path, *fields]
        took, cpu = map(int, subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout.split())
        posts, connections, _ = sink.counts()
    return deliveries / took * 1e9, cpu / deliveries / 1e3, 1 - connections / posts


def latencies(longpress, sink):
    """Milliseconds from a publish's answer to its request at the receiver, at a steady rate."""
    connection = http.client.HTTPConnection("127.0.0.1", longpress.port, timeout=60)
    sink.ask("/times")
    answered, start = {}, time.monotonic()
    for number in range(RATE * SECONDS):
        time.sleep(max(0, start + number / RATE - time.monotonic()))
        at, revision = longpress.publish(number, connection)
        answered[revision] = at
    deadline = time.monotonic() + 30
    while sink.counts()[0] < len(answered) and time.monotonic() < deadline:
        time.sleep(0.05)
    arrived = dict(reversed([map(int, reversed(line.split())) for line in sink.ask("/times").splitlines()]))
    times = sorted((arrived[revision] - at) / 1e6 for revision, at in answered.items() if revision in arrived)
    return times[len(times) // 2], times[len(times) * 99 // 100], len(answered) - len(times)


def isolation(tools):
    """The good endpoint alone, then beside twenty bad ones."""
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        longpress, sink, bad = Longpress(folder), Program(tools / "sink"), Program(sys.executable, HERE / "misbehaving.py")
        with running(longpress, sink, bad):
            longpress.subscribe(f"http://127.0.0.1:{sink.port}/good")
            time.sleep(0.5)
            alone = latencies(longpress, sink)
            for number, base in zip(range(20), itertools.cycle(bad.greeting.split())):
                longpress.subscribe(f"{base}/{number}")
            return alone, latencies(longpress, sink)


def main():
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        tools = pathlib.Path(folder)
        for name, libraries in (("sink", []), ("plain", ["-lcurl"])):
            subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", tools / name, HERE / f"{name}.c", *libraries], check=True)
        sink, consumer = [tools / "sink"], [sys.executable, HERE / "consumer.py"]
        few = DELIVERIES // 4
        measures = {
            "to the C sink, 20 endpoints": lambda: backlog(sink, 20, DELIVERIES),
            "to the C sink, 1 endpoint": lambda: backlog(sink, 1, few),
            "to the C sink, 1 endpoint of 2,000": lambda: backlog(sink, 1, few, idle=1999),
            "to the Python consumer, 20 endpoints": lambda: backlog(consumer, 20, DELIVERIES),
            "plain libcurl to the C sink, 160 in flight": lambda: plain(tools, 20 * IN_FLIGHT, DELIVERIES),
            "plain libcurl to the C sink, 8 in flight": lambda: plain(tools, IN_FLIGHT, few),
        }
        chosen = {name: measure for name, measure in measures.items() if os.environ.get("ONLY", "") in name}
        rounds = {name: [] for name in chosen}
        apart = []
        for number in range(ROUNDS):
            for name, measure in chosen.items():
                rounds[name].append(measure())
            if not os.environ.get("ONLY"):
                apart.append(isolation(tools))
        report(rounds)
        if apart:
            report_latency(apart)


def report(rounds):
    medians = {name: [statistics.median(r[i] for r in results) for i in range(3)] for name, results in rounds.items()}
    print(f"{ROUNDS} alternating rounds of {DELIVERIES:,} deliveries (a quarter with 1 endpoint); medians\n")
    print("| | deliveries/s | vs. plain libcurl | CPU µs per delivery | reused connections |\n|---|---|---|---|---|")
    for name, (rate, cpu, reused) in medians.items():
        peer = medians.get("plain libcurl to the C sink, " + ("8" if "1 endpoint" in name or " 8 " in name else "160") + " in flight")
        print(f"| {name} | {rate:,.0f} | {rate / peer[0] if peer else float('nan'):.2f} | {cpu:.1f} | {reused:.2%} |")


def report_latency(apart):
    print(f"\n{RATE} publishes per second for {SECONDS} s, from the answer to a publish until the receiver has the request\n")
    print("| the good endpoint | p50 ms, rounds | p99 ms, rounds | missing |\n|---|---|---|---|")
    for index, name in enumerate(("alone", "beside 20 that misbehave")):
        results = [both[index] for both in apart]
        halves, tails = (", ".join(f"{result[i]:.2f}" for result in results) for i in (0, 1))
        print(f"| {name} | {halves} | {tails} | {sum(result[2] for result in results)} |")


if __name__ == "__main__":
    sys.exit(main())
