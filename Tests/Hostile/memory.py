"""Measures the maximum memory of the program under admitted load, each case on a fresh server: the limits of containers must be above it.

memory.py [NAME…]: the cases whose names begin so."""

import base64
import concurrent.futures
import json
import os
import pathlib
import re
import socket
import sys
import time

from target import APP, OWNER, item, serving

MIB = 1 << 20


def memory(server, field):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split(field + ":")[1].split()[0]) / 1024


def at_once(server, count, method, target, document):
    body = json.dumps(document)
    fields = {"Authorization": "Bearer " + OWNER, "Content-Type": "application/json"}
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        list(pool.map(lambda _: server.request(method, target, body, fields, timeout=600), range(count)))


def nothing(_):
    pass


def full_cache(server):
    """Large menus, in the cache's budget of 256 MiB."""
    for number in range(1500):
        app = f"com.example.full{number}"
        server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        items = [item(f"i{index}", userInfo={"text": base64.b64encode(os.urandom(2700)).decode()}) for index in range(20)]
        server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": items})
        server.shortcuts(app, "1.0")
    kept = float(re.search(r"^longpress_cache_bytes (\S+)", server.get("/metrics").body.decode(), re.MULTILINE)[1])
    assert kept > 50 * MIB, f"{kept / MIB} MiB are kept"


def large_taps(server):
    at_once(server, 64, "POST", f"/v1/apps/{APP}/versions/1.0/taps", {"type": "t", "userInfo": {"text": "x" * (MIB - 100)}})


def large_documents(server):
    at_once(server, 32, "PUT", f"/admin/v1/apps/{APP}/sets/2.0", {"items": [{"id": [0] * 340_000}]})


def held_bodies(server):
    """Incomplete bodies of maximum size, from senders with a token, as many as fit."""
    head = f"PUT /admin/v1/apps/{APP}/sets/2.0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {OWNER}\r\nContent-Length: {MIB}\r\n\r\n"
    connections = [socket.create_connection(server.address) for _ in range(200)]
    for connection in connections:
        try:
            connection.sendall(head.encode() + b"x" * (MIB - 1))
        except OSError:
            pass  # No room for this one.
    for connection in connections:
        connection.close()


def archive(size):
    """The document of an import, of about `size` MiB."""
    languages = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "nb", "pl", "cs", "sk", "hu", "ro", "bg", "el", "tr", "uk"]
    revision = {"items": [item(f"i{index}", {tag: f"Title {index}" for tag in languages}) for index in range(20)]}

    def load(server):
        server.admin("PUT", "/apps/com.example.large", {"defaultLanguage": "en"})
        server.admin("PUT", "/apps/com.example.large/sets/1.0", revision)
        document = server.admin("GET", "/export").json
        large = next(app for app in document["apps"] if app["app"] == "com.example.large")
        count = size * MIB // len(json.dumps(large))
        document["apps"] = [json.loads(json.dumps(large).replace("com.example.large", f"com.example.n{number}")) for number in range(count)]
        answer = server.request("POST", "/admin/v1/import", json.dumps(document), {
            "Authorization": "Bearer " + OWNER, "Content-Type": "application/json"}, timeout=600)
        assert answer.status == 200, answer.body[:500]
    return load


LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "nb", "pl", "cs", "sk", "hu", "ro", "bg", "el", "tr", "uk"]


def menus(size, make):
    """About `size` MiB of sets for an apply; `make` returns the items of the set with a number."""
    sets = {f"{1 + number // 100}.{number % 100}": {"items": make(number)} for number in range(990)}
    names = list(sets)[:size * MIB // (len(json.dumps(sets)) // 990)]
    return {"apps": {APP: {"sets": {name: sets[name] for name in names}}}}


def titled(number):
    return [item(f"i{index}", {tag: f"Title {index}" for tag in LANGUAGES}) for index in range(20)]


def forgotten(number):
    """Each set forgets the ids of all others."""
    return [item(f"{'i' * 40}-{number}-{index}", {tag: "Title" for tag in LANGUAGES}) for index in range(20)]


def hold_health(server, work):
    """Runs the work, and checks the service's health while it runs."""
    times = []
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        done = pool.submit(work)
        while not done.done():
            begin = time.monotonic()
            assert server.get("/healthz").status == 200
            times.append(time.monotonic() - begin)
            time.sleep(0.01)
        done.result()
    times.sort()
    print(f"/healthz: {times[len(times) // 2] * 1000:.0f} ms, one in a hundred {times[len(times) * 99 // 100] * 1000:.0f} ms", flush=True)


def dry_runs(make):
    """Three readers at once, with some 8 MiB each."""
    def load(server):
        tokens = [server.admin("POST", "/tokens", {"name": f"reader {number}", "role": "reader"}).json["token"] for number in range(3)]
        body = json.dumps(menus(8, make))

        def plan(token):
            answer = server.request("POST", "/admin/v1/apply?dryRun=true", body, {
                "Authorization": "Bearer " + token, "Content-Type": "application/json"}, timeout=600)
            assert answer.status in (200, 503), answer.body[:500]
            return answer.status

        def work():
            with concurrent.futures.ThreadPoolExecutor(3) as pool:
                statuses = list(pool.map(plan, tokens))
            assert 200 in statuses
            print(f"dry runs of {len(body) / MIB:.1f} MiB: {statuses}", flush=True)
        hold_health(server, work)
    return load


def exports_and_lists(server):
    text = "x" * 3900
    for part in range(8):
        sets = {f"{part + 1}.{number}": {"items": [item(f"i{index}", userInfo={"a": text}) for index in range(12)]} for number in range(60)}
        at_once(server, 1, "POST", "/admin/v1/apply", {"apps": {APP: {"sets": sets}}})
    targets = ["/admin/v1/export", f"/admin/v1/apps/{APP}/revisions?limit=200", f"/admin/v1/apps/{APP}/sets?limit=200"] * 4

    def work():
        with concurrent.futures.ThreadPoolExecutor(len(targets)) as pool:
            for answer in pool.map(lambda target: server.request("GET", target, None, {"Authorization": "Bearer " + OWNER}, timeout=600), targets):
                assert answer.status in (200, 503)
    hold_health(server, work)


LOADS = [
    ("nothing", nothing), ("the cache full", full_cache), ("64 taps of 1 MiB at once", large_taps),
    ("32 sets of 1 MiB at once, refused", large_documents), ("200 bodies of 1 MiB held back", held_bodies),
    ("an import of 8 MiB", archive(8)), ("an import of 60 MiB", archive(60)),
    ("three dry runs of 8 MiB", dry_runs(titled)), ("three dry runs of 8 MiB with many warnings", dry_runs(forgotten)),
    ("four exports of 22 MiB and eight lists", exports_and_lists),
]

for name, load in LOADS:
    if not name.startswith(tuple(sys.argv[1:]) or ""):
        continue
    with serving() as server:
        load(server)
        print(f"{name}: {memory(server, 'VmHWM'):.0f} MiB at most, {memory(server, 'VmRSS'):.0f} MiB after it", flush=True)
