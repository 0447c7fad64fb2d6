"""The process is killed at random moments under load, again and again: nothing that was committed goes unannounced.

KILLS sets how often (`make kill KILLS=200` for the long one), SEED repeats a run's moments.
"""

import http.client
import os
import random
import threading
import time

from consumer import Consumer
from longpress import eventually, item

KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
APPS, WRITERS = ("a", "b"), 4


class Ledger(Consumer):
    """A consumer that checks each signature soon after it came (one is good for five minutes) and keeps what it said."""

    def __init__(self):
        super().__init__()
        self.bodies, self.revisions, self.deliveries = {}, {}, 0
        self.server.handle_error = lambda *_: None  # Connections of a killed sender break.

    def absorb(self):
        fresh = self.received[self.deliveries:]
        self.deliveries += len(fresh)
        for (id, event), (_, body) in zip(self.checked(fresh), fresh):
            assert self.bodies.setdefault(id, body) == body, "a duplicate has other bytes"
            if event["type"] == "shortcuts.published":
                revision = (event["data"]["app"], event["data"]["revision"])
                assert self.revisions.setdefault(revision, id) == id, "a revision was announced under two ids"
        return self.revisions


class Writer(threading.Thread):
    """Publishes until told to stop; what fails is tried again as something new."""

    def __init__(self, server, number):
        super().__init__(daemon=True)
        self.server, self.number = server, number
        self.acknowledged, self.refused, self.is_over = [], [], False

    def run(self):
        app, published = APPS[self.number % len(APPS)], 0
        while not self.is_over:
            published += 1
            try:
                answer = self.server.admin(
                    "PUT", f"/apps/{app}/sets/{self.number + 1}.{published % 20}", {"items": [item(f"i{self.number}-{published}")]})
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
                continue
            if answer.status in (200, 201):
                self.acknowledged.append((app, answer.json["revision"]))
            else:
                self.refused.append(answer.body)


def revisions(server, app):
    found, cursor = [], ""
    while True:
        page = server.admin("GET", f"/apps/{app}/revisions?limit=200{cursor}").json
        found += [entry["revision"] for entry in page["items"]]
        if not page["next"]:
            return found
        cursor = "&cursor=" + page["next"]


def test_no_kill_at_whatever_moment_loses_an_event_or_changes_one(own):
    moments, consumers = random.Random(SEED), [Ledger(), Ledger()]
    for consumer in consumers:
        consumer.subscribe(own)
    for app in APPS:
        own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    writers = [Writer(own, number) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for _ in range(KILLS):
        time.sleep(moments.uniform(0, 0.3))
        own.restart()
        for consumer in consumers:
            consumer.absorb()
    time.sleep(0.1)
    for writer in writers:
        writer.is_over = True
        writer.join()
    assert [writer.refused for writer in writers] == [[]] * WRITERS
    acknowledged = {revision for writer in writers for revision in writer.acknowledged}
    committed = set()
    for app in APPS:
        numbers = revisions(own, app)
        assert numbers == list(range(len(numbers), 0, -1)), "the revisions have a gap"
        committed |= {(app, number) for number in numbers}
    assert acknowledged and acknowledged <= committed
    for consumer in consumers:
        eventually(lambda: committed <= consumer.absorb().keys(), seconds=60)
        assert consumer.revisions == consumers[0].revisions, "one event has one id for every endpoint"
        consumer.stop()
    deliveries, events = sum(c.deliveries for c in consumers), sum(len(c.bodies) for c in consumers)
    print(f"{KILLS} kills (SEED={SEED}), {len(acknowledged)} publishes acknowledged, {len(committed)} committed, "
          f"{events} events received, {deliveries - events} of them more than once, 0 lost")
