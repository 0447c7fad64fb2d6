"""Load for the tests that kill processes: writers, fetchers and consumers, each of which records its answers."""

import http.client
import threading
import time

from consumer import Consumer
from longpress import item

FAILURES = (OSError, http.client.HTTPException)


class Ledger(Consumer):
    """A consumer that checks each signature soon after its arrival (one is valid for five minutes) and records the payload."""

    def __init__(self):
        super().__init__()
        # `bodies` has the events in the order of their first occurrence.
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


class Worker(threading.Thread):
    """Repeats one action until it is stopped."""

    def __init__(self, pause=0):
        super().__init__(daemon=True)
        self.pause, self.is_over = pause, False

    def run(self):
        while not self.is_over:
            self.step()
            time.sleep(self.pause)

    def end(self):
        self.is_over = True
        self.join()


class Writer(Worker):
    """Publishes. After a failure, it publishes new content."""

    def __init__(self, server, number, apps, pause=0):
        super().__init__(pause)
        self.server, self.number, self.app = server, number, apps[number % len(apps)]
        # (app, revision) of each acknowledged publish; the bodies of errors; the time of each acknowledgement.
        self.acknowledged, self.refused, self.times = [], [], []
        self.published = 0

    def step(self):
        self.published += 1
        try:
            answer = self.server.admin(
                "PUT", f"/apps/{self.app}/sets/{self.number + 1}.{self.published % 20}", {"items": [item(f"i{self.number}-{self.published}")]})
        except FAILURES:
            time.sleep(0.01)
            return
        if answer.status in (200, 201):
            self.acknowledged.append((self.app, answer.json["revision"]))
            self.times.append(time.monotonic())
        else:
            self.refused.append(answer)


class Fetcher(Worker):
    """Fetches one menu. `is_up`: whether the node must answer at the moment. An error during that time is recorded with its time."""

    def __init__(self, server, path, is_up=lambda: True, pause=0.01):
        super().__init__(pause)
        self.server, self.path, self.is_up = server, path, is_up
        self.answered, self.slowest, self.refused = 0, 0, []

    def step(self):
        before, start = self.is_up(), time.monotonic()
        try:
            answer = self.server.get(self.path)
            failure = None if answer.status == 200 else answer.body
        except FAILURES as error:
            failure = repr(error)
        seconds = time.monotonic() - start
        if failure is None:
            self.answered += 1
            self.slowest = max(self.slowest, seconds)
        elif before and before == self.is_up():
            self.refused.append((self.server.address, failure, seconds))


def revisions(server, app):
    return [entry["revision"] for entry in server.listed(f"/apps/{app}/revisions")]


def committed(server, apps):
    """All (app, revision), after a check that none is missing or duplicated."""
    found = set()
    for app in apps:
        numbers = revisions(server, app)
        assert numbers == list(range(len(numbers), 0, -1)), "the revisions have a gap"
        found |= {(app, number) for number in numbers}
    return found
