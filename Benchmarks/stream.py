"""The live stream: what so many open streams take, how soon all of them hear of a publish, what a fetch beside them takes, and what
readers miss that come back after a restart."""

import contextlib
import http.client
import json
import pathlib
import signal
import statistics
import subprocess
import tempfile
import threading
import time

from bench import BINARY, IS_SMOKE, ROOT, TOKEN, Server, admin, free_port, longpress, menu, on_core, percentile, stop, table, target

STREAMS = 200 if IS_SMOKE else 10_000
PUBLISHES = 5 if IS_SMOKE else 50
SECONDS = 1 if IS_SMOKE else 10
FETCHES = 500
RESTARTS = 3 if IS_SMOKE else 100
READERS = 4 if IS_SMOKE else 10
APP, OTHER = "com.example.app0", "com.example.app1"
OPTIONS = ("--max-streams", "11000", "--max-streams-per-address", "0", "--idle-timeout", "600s")
GOALS = {"memory": "≤ 10 MiB", "heard": "p99 ≤ 250 ms", "beside": "p99 ≤ 1.5", "missed": "0"}


def compiled(folder, name):
    program = pathlib.Path(folder) / name
    subprocess.run(["cc", "-O2", "-o", program, ROOT / f"Benchmarks/{name}.c"], check=True)
    return program


@contextlib.contextmanager
def streams(program, server, core, count=STREAMS):
    """So many open streams of APP, and the lines of who reads them."""
    process = on_core(core, [program, server.port, f"/v1/stream?app={APP}", target(APP), count], stdout=subprocess.PIPE, text=True)
    try:
        if process.stdout.readline() != "open\n":
            raise SystemExit("the streams could not be opened")
        yield process.stdout
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        process.stdout.close()


def publish(connection, number, app=APP):
    return json.loads(admin(connection, "PUT", f"/apps/{app}/sets/1.0.0", menu(number)))["revision"]


def prepared(server):
    connection = server.connect()
    for app in (APP, OTHER):
        admin(connection, "PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        publish(connection, 0, app)
    return connection


def memory(program):
    """MiB that the streams take, private and resident, and the same for as many idle connections that have fetched."""
    with longpress(*OPTIONS, core="0,1", loops=2) as server:
        prepared(server)
        with streams(program, server, "0,1", 1):
            before = server.memory()
            with streams(program, server, "0,1"):
                more = server.memory()
                more.subtract(before)
    return [more[kind] / 2**20 for kind in ("Private_Dirty", "Rss")]


def heard(program):
    """Of each publish: milliseconds from its sending until the median stream, 99 in a hundred and all have heard of it; how often a fetch
    saw less than the event said."""
    times, stale = [], 0
    with longpress(*OPTIONS, core="0,1", loops=2) as server:
        connection = prepared(server)
        with streams(program, server, "0,1") as lines:
            for number in range(1, PUBLISHES + 1):
                begun = time.monotonic_ns()
                revision = publish(connection, number)
                numbers = [int(word) for word in lines.readline().split()]
                if numbers[0] != revision:
                    raise SystemExit(f"revision {revision} was published, {numbers[0]} heard of")
                times.append([(moment - begun) / 1e6 for moment in numbers[1:4]])
                stale += numbers[4] < revision
                time.sleep(0.1)
    return times, stale


def fetches(server, client, app=OTHER):
    """p50 and p99 in milliseconds."""
    command = [client, server.port, target(app), FETCHES, SECONDS]
    return [float(word) for word in subprocess.run(map(str, command), capture_output=True, text=True, check=True).stdout.split()]


def beside(program, client, rounds):
    """p50 and p99 of a fetch: without streams, beside them, and beside them while APP is published once a second; medians."""
    found = [[], [], []]
    for _ in range(rounds):
        with longpress(*OPTIONS, core="0,1", loops=2) as server:
            connection = prepared(server)
            fetches(server, client)
            found[0].append(fetches(server, client))
            with streams(program, server, "0,1") as lines:
                found[1].append(fetches(server, client))
                is_over = threading.Event()

                def edit():
                    number = 0
                    while not is_over.wait(1):
                        number += 1
                        publish(connection, number)
                        lines.readline()

                editor = threading.Thread(target=edit)
                editor.start()
                found[2].append(fetches(server, client))
                is_over.set()
                editor.join()
    return [[statistics.median(values) for values in zip(*each)] for each in found]


class Reader(threading.Thread):
    """Comes back with the last id whenever its stream ends."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.heard, self.openings, self.resyncs, self.is_over = port, set(), 0, 0, False

    def run(self):
        last = None
        while not self.is_over:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
            try:
                connection.request("GET", f"/v1/stream?app={APP}", headers={"Last-Event-ID": last} if last else {})
                answer = connection.getresponse()
                if answer.status == 200:
                    self.openings += 1
                    while line := answer.readline():
                        field, _, value = line.decode().strip().partition(": ")
                        if field == "id":
                            last = value
                        elif field == "data":
                            data = json.loads(value)
                            self.resyncs += "resync" in data
                            self.heard.add(data.get("revision"))
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.01)
            finally:
                connection.close()


def restarts():
    """How many publishes there were, were acknowledged and were missed by a reader, and how often readers came back."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        def start():
            command = [BINARY, "serve", "--listen", f"127.0.0.1:{port}", "--database", f"{folder}/store.sqlite", "--admin-token", TOKEN,
                       "--log-level", "error"]
            process = on_core("0,1", command)
            Server(process, port).wait("/readyz")
            return process

        process, acknowledged, is_over = start(), set(), False
        prepared(Server(process, port))
        readers = [Reader(port) for _ in range(READERS)]
        for reader in readers:
            reader.start()

        def write():
            number = 0
            while not is_over:
                number += 1
                try:
                    acknowledged.add(publish(Server(process, port).connect(), number))
                except (OSError, http.client.HTTPException, ValueError):
                    time.sleep(0.01)

        while not all(reader.openings for reader in readers):
            time.sleep(0.01)
        writer = threading.Thread(target=write)
        writer.start()
        for number in range(RESTARTS):
            time.sleep(0.1)
            process.send_signal(signal.SIGKILL if number % 2 else signal.SIGTERM)
            process.wait()
            process = start()
        is_over = True
        writer.join()
        newest = json.loads(admin(Server(process, port).connect(), "GET", f"/apps/{APP}/revisions?limit=1"))["items"][0]["revision"]
        wanted = set(range(2, newest + 1))
        deadline = time.monotonic() + 30
        while any(wanted - reader.heard for reader in readers) and time.monotonic() < deadline:
            time.sleep(0.05)
        for reader in readers:
            reader.is_over = True
        stop(process)
        missed = sum(len(wanted - reader.heard) for reader in readers)
        return len(wanted), len(acknowledged), missed, sum(reader.openings for reader in readers), sum(reader.resyncs for reader in readers)


def main():
    with tempfile.TemporaryDirectory() as folder:
        program, client = compiled(folder, "streams"), compiled(folder, "paced")
        private, resident = memory(program)
        times, stale = heard(program)
        quiet, idle, told = beside(program, client, 1 if IS_SMOKE else 3)
    published, acknowledged, missed, openings, resyncs = restarts()
    medians, most, last = (sorted(values) for values in zip(*times))
    print(f"{STREAMS:,} streams of one app; server, readers and fetches on the same two cores.\n")
    print(table(
        ["measure", "figure", "goal"],
        [f"{STREAMS:,} open streams", f"{resident:.1f} MiB more resident, {private:.1f} MiB private", GOALS["memory"]],
        [f"publish → received by all, {len(times)} publishes", f"p50 {percentile(last, 0.5):.0f} ms, p99 {percentile(last, 0.99):.0f} ms; "
         f"the median stream p50 {percentile(medians, 0.5):.0f} ms", GOALS["heard"]],
        ["fetches after the first event that returned older content", stale, 0],
        ["a fetch beside them", f"p50 {idle[0]:.3f} ms, p99 {idle[1]:.3f} ms; {idle[1] / quiet[1]:.2f} × quiet ({quiet[0]:.3f}, {quiet[1]:.3f})",
         GOALS["beside"]],
        ["the same, with one publish per second", f"p50 {told[0]:.3f} ms, p99 {told[1]:.3f} ms; {told[1] / quiet[1]:.2f} × quiet", ""],
        [f"{RESTARTS} restarts, half of them kills", f"{missed} of {published:,} publishes ({acknowledged:,} acknowledged) missed by {READERS} "
         f"readers that reconnected {openings:,} times, {resyncs} of them without knowing what they missed", GOALS["missed"]]))


if __name__ == "__main__":
    main()
