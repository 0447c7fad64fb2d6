"""How much memory the program takes at most under what it admits, each on a fresh server: what limits of containers have to hold.

memory.py"""

import base64
import concurrent.futures
import json
import os
import pathlib
import re
import socket

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
    """Menus that cannot be packed, until their budget of 64 MiB is used."""
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
    """The largest bodies of senders with a token that never come to their end: as many as there is room for."""
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
    """A document of an import, of about so many MiB."""
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


LOADS = [
    ("nothing", nothing), ("the cache full", full_cache), ("64 taps of 1 MiB at once", large_taps),
    ("32 sets of 1 MiB at once, refused", large_documents), ("200 bodies of 1 MiB held back", held_bodies),
    ("an import of 8 MiB", archive(8)), ("an import of 60 MiB", archive(60)),
]

for name, load in LOADS:
    with serving() as server:
        load(server)
        print(f"{name}: {memory(server, 'VmHWM'):.0f} MiB at most, {memory(server, 'VmRSS'):.0f} MiB after it", flush=True)
