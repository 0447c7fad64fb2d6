"""Soaks a server for some minutes: fetches, taps, publishes and webhooks, while it is killed, its disk fills, its store is locked, clients
and consumers hang. Afterwards: no acknowledged write is lost, and memory and descriptors do not grow.

soak.py MINUTES [SEED]"""

import contextlib
import http.client
import os
import pathlib
import random
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from target import Longpress, item

from consumer import Consumer
from standardwebhooks.webhooks import WebhookVerificationError

MINUTES = float(sys.argv[1]) if len(sys.argv) > 1 else 10
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
APPS = [f"com.example.app{number}" for number in range(4)]
NETWORK_FAILURES = (OSError, http.client.HTTPException)


class Soak:
    def __init__(self, server, disk):
        self.server, self.disk = server, disk
        self.random = random.Random(SEED)
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.acknowledged = []  # (app, version, revision)
        self.announced = set()  # (app, revision)
        self.counts = {"fetches": 0, "taps": 0, "publishes": 0, "refused writes": 0, "cut off": 0}
        self.surprises = []
        self.faults = []

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def work(self, step):
        number = 0
        while not self.stop.is_set():
            number += 1
            try:
                step(number)
            except NETWORK_FAILURES:
                self.count("cut off")
                time.sleep(0.05)

    def verify(self, consumer):
        """Called repeatedly, because a signature is too old after five minutes."""
        count = 0
        while True:
            deliveries = consumer.received[count:]
            count += len(deliveries)
            try:
                events = consumer.checked(deliveries)
            except WebhookVerificationError as error:
                self.surprises.append(f"a webhook: {error}")
                continue
            self.announced |= {(e["data"]["app"], e["data"]["revision"]) for _, e in events if e["type"] == "shortcuts.published"}
            time.sleep(0.5)

    def fetch(self, number):
        app = APPS[number % len(APPS)]
        answer = self.server.shortcuts(app, f"1.{number % 50}", f"?lang={'en' if number % 2 else 'ko'}", timeout=5)
        self.expect(answer, 200, "fetch")
        self.count("fetches")
        time.sleep(0.002)

    def tap(self, number):
        document = {"type": "com.example.compose", "userInfo": {}}
        self.expect(self.server.tap(APPS[number % len(APPS)], f"1.{number % 50}", document), 200, "tap")
        self.count("taps")
        time.sleep(0.02)

    def publish(self, app, number):
        # Few versions, replaced often, so that the number of documents to read stays constant.
        version = f"{2 + number % 20}.0"
        answer = self.server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": [item(f"i{number}-{time.monotonic_ns()}")]})
        if answer.status in (200, 201):
            with self.lock:
                self.acknowledged.append((app, version, answer.json["revision"]))
                self.counts["publishes"] += 1
        elif (answer.status, answer.code) == (503, "storage-unavailable"):
            self.count("refused writes")
        else:
            self.expect(answer, 200, "publish")
        time.sleep(0.05)

    def expect(self, answer, status, what):
        if answer.status != status:
            with self.lock:
                self.surprises.append(f"{what}: {answer.status} {answer.body[:200]!r}")

    # Faults

    def kill(self):
        self.server.restart(signal.SIGKILL)

    def lock_store(self):
        with contextlib.closing(sqlite3.connect(self.server.database, isolation_level=None, timeout=60)) as other:
            other.execute("BEGIN EXCLUSIVE")
            time.sleep(1)
            other.execute("COMMIT")

    def fill_disk(self):
        ballast = self.disk / "ballast"
        with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        time.sleep(2)
        ballast.unlink()

    def hang(self):
        held = []
        for number in range(200):
            connection = socket.create_connection(self.server.address, timeout=5)
            connection.sendall(b"GET /v1/apps/" if number % 2 else b"POST /v1/apps/a/versions/1/taps HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
            held.append(connection)
        time.sleep(2)
        for connection in held:
            connection.close()

    def inflict(self, faults, until):
        while time.monotonic() < until:
            fault = self.random.choice(faults)
            self.faults.append(fault.__name__)
            try:
                fault()
            except (*NETWORK_FAILURES, sqlite3.OperationalError) as error:
                self.surprises.append(f"{fault.__name__} could not be inflicted: {error!r}")
            time.sleep(self.random.uniform(1, 4))

    def sample(self):
        """Resident KiB and open descriptors, after the connections of the faults have ended."""
        process = pathlib.Path(f"/proc/{self.server.process.pid}")
        resident = next(line for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
        return int(resident.split()[1]), len(os.listdir(process / "fd"))


def hanging_consumer():
    """Accepts connections and never answers."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    held = []

    def accept():
        with contextlib.suppress(OSError):
            while True:
                held.append(listener.accept()[0])

    threading.Thread(target=accept, daemon=True).start()
    return listener


def judge(soak, consumer, samples):
    """The problems, in words."""
    wrong = list(soak.surprises[:10])
    server = soak.server
    last = {}
    for app, version, revision in soak.acknowledged:
        last[app, version] = max(revision, last.get((app, version), 0))
    for (app, version), revision in last.items():
        etag = server.admin("GET", f"/apps/{app}/sets/{version}").fields.get("etag", "none")
        # A write without an answer may have been committed later.
        if not etag.strip('"').isdigit() or int(etag.strip('"')) < revision:
            wrong.append(f"{app} {version}: revision {revision} was acknowledged and {etag} is there")
    wanted = {(app, revision) for app, _, revision in soak.acknowledged}
    deadline = time.monotonic() + 60
    missing = wanted
    while missing and time.monotonic() < deadline:
        missing = wanted - soak.announced
        time.sleep(0.5)
    if missing:
        wrong.append(f"{len(missing)} of {len(wanted)} acknowledged publishes were never announced, such as {sorted(missing)[:3]}")
    third = max(1, len(samples) // 3)
    early, late = samples[third:2 * third], samples[-third:]
    memory = [statistics.median(resident for resident, _ in part) for part in (early, late)]
    descriptors = [statistics.median(count for _, count in part) for part in (early, late)]
    print(f"memory {memory[0] / 1024:.1f} MiB, later {memory[1] / 1024:.1f} MiB; descriptors {descriptors[0]:.0f}, later {descriptors[1]:.0f}")
    if memory[1] > memory[0] * 1.1 + 8 * 1024:
        wrong.append("memory grows")
    if descriptors[1] > descriptors[0] + 16:
        wrong.append("descriptors grow")
    with contextlib.closing(sqlite3.connect(server.database)) as database:
        if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            wrong.append("the database is damaged")
    return wrong


def run(folder, has_small_disk):
    soak = Soak(Longpress(folder, "--webhook-timeout", "1s"), pathlib.Path(folder))
    server = soak.server
    consumer, hanging = Consumer(), hanging_consumer()
    consumer.server.handle_error = lambda *_: None  # a sender that is killed resets its connections
    for app in APPS:
        server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
        server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose", {"en": "Compose", "ko": "쓰기"})]})
    consumer.subscribe(server)
    threading.Thread(target=soak.verify, args=(consumer,), daemon=True).start()
    server.admin("POST", "/webhooks", {"url": f"http://127.0.0.1:{hanging.getsockname()[1]}/", "apps": [APPS[0]]})
    steps = [soak.fetch, soak.fetch, soak.tap, *(lambda number, app=app: soak.publish(app, number) for app in APPS)]
    workers = [threading.Thread(target=soak.work, args=(step,)) for step in steps]
    for worker in workers:
        worker.start()
    begun = time.monotonic()
    faults = [soak.lock_store, soak.hang] + ([soak.fill_disk] if has_small_disk else [])
    # Killed only in the first half. In the second half, one process survives everything else and is measured.
    soak.inflict([*faults, soak.kill, soak.kill], begun + MINUTES * 30)
    samples = []
    while time.monotonic() < begun + MINUTES * 60:
        soak.inflict(faults, time.monotonic() + 0.1)
        samples.append(soak.sample())
    soak.stop.set()
    for worker in workers:
        worker.join()
    wrong = judge(soak, consumer, samples)
    tally = {name: soak.faults.count(name) for name in sorted(set(soak.faults))}
    print(f"{MINUTES:g} minutes, seed {SEED}: {soak.counts}; faults {tally}; {len(consumer.received)} webhooks received")
    server.stop()
    return wrong


with tempfile.TemporaryDirectory(prefix="longpress-") as folder:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", folder], capture_output=True, check=False).returncode == 0
    if not mounted:
        print("soak: a small disk cannot be mounted here, so that none is filled (root can)")
    try:
        wrong = run(folder, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=False)
for sentence in wrong:
    print("soak:", sentence)
print("soak: " + ("something is wrong" if wrong else "nothing lost, memory flat, descriptors flat"))
sys.exit(1 if wrong else 0)
