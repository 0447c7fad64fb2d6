"""Fetch latency while an editor publishes and consumers are told, beside fetch latency when all is quiet.

100 publishes/s to ten endpoints are 1,000 deliveries/s. One client fetches 500 times a second, from memory and not.
"""

import contextlib
import json
import pathlib
import subprocess
import tempfile
import threading
import time

from bench import IS_SMOKE, ROOT, Server, admin, free_port, longpress, menu, on_core, percentile, stop, table, target

SECONDS = 1 if IS_SMOKE else 10
ENDPOINTS, PUBLISHES, FETCHES = 10, 100, 500
APP = "com.example.app0"


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


def fetches(server):
    """Milliseconds each."""
    connection, times = server.connect(), []

    def fetch(_):
        begun = time.perf_counter()
        connection.request("GET", target(APP))
        connection.getresponse().read()
        times.append((time.perf_counter() - begun) * 1000)

    paced(FETCHES, SECONDS, fetch)
    return times


def delivered(server):
    connection = server.connect()
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
               if line.startswith("longpress_webhook_attempts_total") and "delivered" in line)


def main():
    with tempfile.TemporaryDirectory() as folder, sink(folder) as port, \
            longpress("--webhook-allow", "127.0.0.1/32", core="0,1", loops=2) as server:
        connection = server.connect()
        admin(connection, "PUT", f"/apps/{APP}", {"defaultLanguage": "en"})
        admin(connection, "PUT", f"/apps/{APP}/sets/1.0.0", menu())
        for number in range(ENDPOINTS):
            admin(connection, "POST", "/webhooks", {"url": f"http://127.0.0.1:{port}/{number}"})
        rows, published = [["", "p50 ms", "p99 ms", "publishes/s", "deliveries/s"]], 0
        for name in ("quiet", "busy", "quiet", "busy"):
            before, editor = delivered(server), None
            if name == "busy":
                first, published = published, published + PUBLISHES * SECONDS
                publish = lambda number: admin(connection, "PUT", f"/apps/{APP}/sets/1.0.0", menu(first + number + 1))
                editor = threading.Thread(target=paced, args=(PUBLISHES, SECONDS, publish))
                editor.start()
            begun = time.perf_counter()
            times = fetches(server)
            if editor:
                editor.join()
            taken = time.perf_counter() - begun
            rows.append([name, f"{percentile(times, 0.5):.2f}", f"{percentile(times, 0.99):.2f}",
                         f"{PUBLISHES * SECONDS / taken if editor else 0:,.0f}", f"{(delivered(server) - before) / taken:,.0f}"])
    print("Server, editor, consumer and client on the same two cores; times include the Python client's own.\n")
    print(table(*rows))


if __name__ == "__main__":
    main()
