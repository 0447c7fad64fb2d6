"""Imports of many apps and of large documents, and how long publishes of other apps take meanwhile, on both engines.

Four writers publish one after the other over HTTP, each to an app of its own. PostgreSQL has fsync on; everything shares two cores.
"""

import contextlib
import json
import pathlib
import sys
import threading
import time

from bench import IS_SMOKE, admin, longpress, menu, percentile, table

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/Acceptance/support"))
from postgres import Postgres  # noqa: E402  (the tests' own server)

WRITERS = 4
APPS = 100 if IS_SMOKE else 10_000
BYTES = (1 if IS_SMOKE else 64) << 20


def archived(number, size=0):
    """An app with a published menu, and with so many more bytes in it."""
    menu_of_app = menu(number)
    menu_of_app["items"][0]["userInfo"] = {"padding": "x" * size}
    place = {"version": "1.0.0", "audience": "default", "revision": 1}
    return {"app": f"com.example.bulk{number:05}", "name": None, "defaultLanguage": "en", "fallbackURL": None, "lastRevision": 1, "releases": [],
            "sets": [place], "drafts": [], "schedule": [],
            "revisions": [place | {"kind": "published", "publishedAt": "2026-01-31T09:00:00Z", "by": "bench", "set": menu_of_app}]}


def document(apps):
    return {"format": "longpress-export", "schema": 2, "apps": apps, "deletedApps": []}


def of_many_apps():
    return document([archived(number) for number in range(APPS)])


def of_many_bytes():
    size = 3000
    # Numbers have up to four more digits.
    each = len(json.dumps(archived(0, size))) + 2 + 4 * 3
    return document([archived(number, size) for number in range((BYTES - 1000) // each)])


def measure(server, body):
    """Seconds for the import; milliseconds of each publish meanwhile."""
    took, is_over = [], threading.Event()

    def publish(number):
        connection, count = server.connect(), 0
        while not is_over.is_set():
            count += 1
            begun = time.perf_counter()
            admin(connection, "PUT", f"/apps/com.example.live{number}/sets/1.0.0", menu(count))
            took.append((time.perf_counter() - begun) * 1000)

    connection = server.connect()
    for number in range(WRITERS):
        admin(connection, "PUT", f"/apps/com.example.live{number}", {"defaultLanguage": "en"})
    threads = [threading.Thread(target=publish, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    begun = time.perf_counter()
    admin(connection, "POST", "/import", body)
    seconds = time.perf_counter() - begun
    is_over.set()
    for thread in threads:
        thread.join()
    return seconds, took


def main():
    documents = {f"{APPS:,} apps": of_many_apps(), f"{BYTES >> 20} MiB": of_many_bytes()}
    rows = []
    with contextlib.ExitStack() as stack:
        postgres = Postgres()
        stack.callback(postgres.stop)
        for engine in ("SQLite", "PostgreSQL"):
            for name, body in documents.items():
                with longpress(database=postgres.database() if engine == "PostgreSQL" else None, core="0,1") as server:
                    seconds, took = measure(server, body)
                rows.append([
                    engine, name, f"{seconds:.1f} s", f"{len(took):,}", f"{percentile(took, 0.5):.0f} ms", f"{percentile(took, 0.99):.0f} ms",
                    f"{max(took):.0f} ms"])
    print(f"{WRITERS} writers publish to other apps while a document is imported over HTTP.\n")
    print(table(["engine", "document", "import", "publishes meanwhile", "p50", "p99", "slowest"], *rows))


if __name__ == "__main__":
    main()
