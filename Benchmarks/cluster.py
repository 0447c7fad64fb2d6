"""Three nodes on one PostgreSQL (fsync on), all on the same two cores: what docs/cluster.md promises, measured in one run.

Prints Markdown; talks to 127.0.0.1 only, ends what it started. The kills are tests: make test-cluster.
"""

import concurrent.futures
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from bench import IS_SMOKE, ROUNDS, SECONDS, admin, fill, longpress, median, menu, percentile, table, target, wrk
from writes import SCRIPT, TOKEN
from webhooks import Program

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Acceptance/support"))
from postgres import Postgres  # noqa: E402  (the tests' own server)

HERE = pathlib.Path(__file__).resolve().parent
NODES = 3
PUBLISHES = 50 if IS_SMOKE else 1000
DELIVERIES = 600 if IS_SMOKE else 20_000
APPS = 50 if IS_SMOKE else 10_000


@contextlib.contextmanager
def cluster(postgres, *options, count=NODES, uri=None):
    uri = uri or postgres.database()
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(longpress("--node", f"n{number}", "--webhook-allow", "127.0.0.1/32", *options, database=uri, core="0,1", loops=1))
            for number in range(count)
        ]


def fetches(postgres):
    """CPU a fetch from memory, on a node and on a file, in alternating rounds."""
    uri, results = postgres.database(), {"SQLite": [], "PostgreSQL": []}
    with tempfile.TemporaryDirectory() as folder:
        for database in (f"{folder}/store.sqlite", uri):
            with longpress(database=database) as server:
                connection = server.connect()
                admin(connection, "PUT", "/apps/com.example.app0", {"defaultLanguage": "en"})
                admin(connection, "PUT", "/apps/com.example.app0/sets/1.0.0", menu())
        with longpress(database=f"{folder}/store.sqlite") as one, longpress("--node", "n", database=uri) as other:
            for _ in range(ROUNDS):
                for name, server in (("SQLite", one), ("PostgreSQL", other)):
                    results[name].append(wrk(server, target("com.example.app0")))
    return results


def publishes(postgres):
    """Acknowledged publishes a second, 16 writers over the nodes."""
    with cluster(postgres) as nodes, tempfile.TemporaryDirectory() as folder:
        admin(nodes[0].connect(), "PUT", "/apps/com.example.app0", {"defaultLanguage": "en"})
        # Another text from each node: what is the same as what stands is no new revision.
        scripts = [pathlib.Path(folder) / f"publish{number}.lua" for number in range(NODES)]
        for number, script in enumerate(scripts):
            script.write_text(SCRIPT % (json.dumps(menu(f"{number}-NUMBER"), ensure_ascii=False), 1))
        headers = ["-H", f"Authorization: Bearer {TOKEN}", "-H", "Content-Type: application/json"]
        with concurrent.futures.ThreadPoolExecutor(NODES) as pool:
            results = list(pool.map(
                lambda run: wrk(run[0], "/", *headers, connections=run[1], seconds=1 if IS_SMOKE else 10, script=run[2], core="0,1"),
                zip(nodes, (6, 5, 5), scripts)))
        newest = json.loads(admin(nodes[0].connect(), "GET", "/apps/com.example.app0/revisions?limit=1"))["items"][0]["revision"]
        acknowledged = sum(result["requests"] - result["errors"] for result in results)
        if newest < acknowledged:
            raise SystemExit(f"{acknowledged} publishes were acknowledged and {newest} are there")
        return (sum(result["rate"] for result in results), statistics.median(result["p50"] for result in results),
                max(result["p99"] for result in results), sum(result["errors"] for result in results))


def freshness(postgres, *options, count):
    """Milliseconds from the acknowledgement on one node until the slowest of the others shows it."""
    waits = []
    with cluster(postgres, *options) as nodes:
        writer, readers = nodes[0].connect(), [node.connect() for node in nodes[1:]]
        admin(writer, "PUT", "/apps/com.example.app0", {"defaultLanguage": "en"})
        for number in range(count):
            revision = json.loads(admin(writer, "PUT", "/apps/com.example.app0/sets/1.0.0", menu(number)))["revision"]
            begun, slowest = time.perf_counter(), 0
            for reader in readers:
                while True:
                    reader.request("GET", target("com.example.app0"))
                    answer = reader.getresponse()
                    body = answer.read()
                    if answer.status == 200 and json.loads(body)["revision"] >= revision:
                        break
                slowest = (time.perf_counter() - begun) * 1000
            waits.append(slowest)
            time.sleep(0.005)
    return waits


def deliveries(postgres):
    """Deliveries a second of a backlog, by all nodes, until every outcome is in the store."""
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        sink_binary = pathlib.Path(folder) / "sink"
        subprocess.run(["cc", "-O2", "-o", sink_binary, HERE / "sink.c", "-lpthread"], check=True)
        uri = postgres.database()
        sink = Program(sink_binary)
        try:
            with cluster(postgres, uri=uri) as nodes:
                connection = nodes[0].connect()
                admin(connection, "PUT", "/apps/a", {"defaultLanguage": "en"})
                endpoints, events = 20, DELIVERIES // 20
                # An hour ahead: the deliveries are there before the first is attempted.
                hooks = [json.loads(admin(connection, "POST", "/webhooks", {"url": f"http://127.0.0.1:{sink.port}/{number}", "enabled": False}))
                         for number in range(endpoints)]

                def publish(first):
                    connection = nodes[first % NODES].connect()
                    for number in range(first, events, 6):
                        admin(connection, "PUT", f"/apps/a/sets/{number % 10 + 1}.0", menu(number))

                with concurrent.futures.ThreadPoolExecutor(6) as pool:
                    list(pool.map(publish, range(6)))
                before = sink.counts()[0]
                started = time.monotonic()
                for hook in hooks:
                    admin(connection, "PATCH", f"/webhooks/{hook['id']}", {"enabled": True})
                    admin(connection, "POST", f"/webhooks/{hook['id']}/recover", {}, expect=(202,))
                while int(postgres.sql("SELECT COUNT(*) FROM deliveries WHERE state <> 'delivered'", uri)) > 0:
                    if time.monotonic() > started + 180:
                        raise SystemExit("the backlog was not delivered in time")
                    time.sleep(0.1)
                return (sink.counts()[0] - before) / (time.monotonic() - started)
        finally:
            sink.process.terminate()
            sink.process.wait(timeout=30)


def starts(postgres):
    """Milliseconds from the start of a node to ready, on so many apps."""
    uri = postgres.database()
    with longpress("--node", "first", database=uri, core="0,1", loops=2) as server:
        fill(server, APPS)
    times = []
    for number in range(5):
        with longpress("--node", f"n{number}", database=uri) as server:
            times.append(server.started * 1000)
    return times


def main():
    postgres = Postgres()
    try:
        results = fetches(postgres)
        rows = [["a fetch from memory", "requests/s", "CPU µs per request", "vs. SQLite"]]
        for name, each in results.items():
            cpu = median(each, "cpu")
            rows.append([name, f"{median(each, 'rate'):,.0f}", f"{cpu:.2f}", f"{cpu / median(results['SQLite'], 'cpu'):.3f}"])
        print(f"{ROUNDS} alternating rounds of {SECONDS:.0f} s, both servers running.\n\n{table(*rows)}\n", flush=True)
        rate, p50, p99, errors = publishes(postgres)
        print(f"Publishes acknowledged, 16 writers over three nodes, one app: {rate:,.0f}/s, p50 {p50:.1f} ms, p99 of the slowest node {p99:.1f} ms, "
              f"{errors} refused.\n", flush=True)
        told = freshness(postgres, count=PUBLISHES)
        asked = freshness(postgres, "--database-listen", "none", count=5 if IS_SMOKE else 40)
        print("From an acknowledgement until the slowest node serves it: "
              f"p50 {percentile(told, 0.5):.1f} ms, p99 {percentile(told, 0.99):.1f} ms, longest {max(told):.1f} ms of {len(told)}; "
              f"without notifications p50 {percentile(asked, 0.5):.0f} ms, longest {max(asked):.0f} ms of {len(asked)}.\n", flush=True)
        print(f"Deliveries by three nodes from a backlog of {DELIVERIES:,} to 20 endpoints, until every outcome is stored: "
              f"{deliveries(postgres):,.0f}/s.\n", flush=True)
        times = starts(postgres)
        print(f"A node's start on {APPS:,} apps, to `/readyz`: {statistics.median(times):.0f} ms (5 starts, slowest {max(times):.0f} ms).")
    finally:
        postgres.stop()


if __name__ == "__main__":
    main()
