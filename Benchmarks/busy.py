"""Fetch latency while an editor publishes and consumers are told, beside fetch latency when all is quiet.

100 publishes/s to ten endpoints are 1,000 deliveries/s. One client fetches 500 times a second: the menu that is published, then one
of an app that is left alone.
"""

import contextlib
import itertools
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

from bench import IS_SMOKE, ROOT, ROUNDS, Server, admin, free_port, longpress, menu, on_core, stop, table, target

SECONDS = 1 if IS_SMOKE else 5
ENDPOINTS, PUBLISHES, FETCHES = 10, 100, 500
APP, OTHER = "com.example.app0", "com.example.app1"


@contextlib.contextmanager
def sink(folder):
    """Answers every delivery with 200."""
    program, head, body = (pathlib.Path(folder) / name for name in ("sink", "head", "body"))
    subprocess.run(["cc", "-O2", "-o", program, ROOT / "Benchmarks/limit/limit.c"], check=True)
    head.write_bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    body.write_bytes(b"")
    port = free_port()
    process = on_core("0,1", [program, port, head, body])
    try:
        Server(process, port).wait()
        yield port
    finally:
        stop(process)


def paced(rate, seconds, act):
    begun = time.perf_counter()
    for number in range(int(rate * seconds)):
        time.sleep(max(0, begun + number / rate - time.perf_counter()))
        act(number)


def fetches(server, client, app):
    """p50 and p99 in milliseconds."""
    command = [client, server.port, target(app), FETCHES, SECONDS]
    return [float(time) for time in subprocess.run(map(str, command), capture_output=True, text=True, check=True).stdout.split()]


def delivered(server):
    connection = server.connect()
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
               if line.startswith("longpress_webhook_attempts_total") and "delivered" in line)


def measure(server, client, connection, app, numbers):
    """A row for a quiet time and one for a busy one, in which the app `APP` is published and the given one fetched."""
    rows = []
    for is_busy in (False, True):
        before, editor = delivered(server), None
        publish = lambda _: admin(connection, "PUT", f"/apps/{APP}/sets/1.0.0", menu(next(numbers)))
        begun = time.perf_counter()
        if is_busy:
            editor = threading.Thread(target=paced, args=(PUBLISHES, SECONDS, publish))
            editor.start()
        times = fetches(server, client, app)
        if editor:
            editor.join()
        taken = time.perf_counter() - begun
        rows.append(times + [PUBLISHES * SECONDS / taken if is_busy else 0, (delivered(server) - before) / taken])
    return rows


def main():
    with tempfile.TemporaryDirectory() as folder, sink(folder) as port, \
            longpress("--webhook-allow", "127.0.0.1/32", core="0,1", loops=2) as server:
        client = pathlib.Path(folder) / "paced"
        subprocess.run(["cc", "-O2", "-o", client, ROOT / "Benchmarks/paced.c"], check=True)
        connection = server.connect()
        for app in (APP, OTHER):
            admin(connection, "PUT", f"/apps/{app}", {"defaultLanguage": "en"})
            admin(connection, "PUT", f"/apps/{app}/sets/1.0.0", menu())
        for number in range(ENDPOINTS):
            admin(connection, "POST", "/webhooks", {"url": f"http://127.0.0.1:{port}/{number}"})
        rows, numbers = [["fetched", "", "p50 ms", "p99 ms", "vs. quiet", "publishes/s", "deliveries/s"]], itertools.count(1)
        for name, app in (("the published app", APP), ("another app", OTHER)):
            rounds = [measure(server, client, connection, app, numbers) for _ in range(ROUNDS)]
            quiet, busy = ([statistics.median(values) for values in zip(*(pair[index] for pair in rounds))] for index in (0, 1))
            for state, (p50, p99, published, sent) in (("quiet", quiet), ("busy", busy)):
                rows.append([name, state, f"{p50:.3f}", f"{p99:.3f}", f"{p99 / quiet[1]:.2f}", f"{published:,.0f}", f"{sent:,.0f}"])
    print(f"Server, editor, consumer and client on the same two cores; {FETCHES} fetches per second; medians of {ROUNDS} rounds of {SECONDS} s.\n")
    print(table(*rows))


if __name__ == "__main__":
    main()
