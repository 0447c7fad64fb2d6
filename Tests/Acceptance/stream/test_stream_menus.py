"""A backend that maintains its menus only with the live stream, during random changes: its menus always equal fetched ones."""

import os
import random

from event_stream import EventStream
from longpress import item

SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
CHANGES = 80
APP, MARK = "com.example.kept", "com.example.mark"
AUDIENCES = ("default", "member", "guest")
STARTS = ("1.0.0", "2.0.0", "3.0.0", "4.0.0")
VERSIONS = ("0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0", "9.9")


def parts(version):
    return tuple(int(part) for part in (version.split(".") + ["0", "0"])[:3])


class Backend:
    """Stores the answer for each audience and version, and fetches again only what an event names, as in docs/stream.md."""

    def __init__(self, server):
        self.server, self.held, self.fetches = server, {}, 0

    def fetched(self, audience, version):
        answer = self.server.shortcuts(APP, version, f"?audience={audience}")
        return answer.json if answer.status == 200 else answer.code

    def take(self, event):
        data = event.data
        for audience in AUDIENCES:
            for version in VERSIONS:
                if event.name == "deleted":
                    self.held[audience, version] = "unknown-app"
                elif "audience" not in data or self.concerns(data, audience, version):
                    self.held[audience, version] = self.fetched(audience, version)
                    self.fetches += 1

    def concerns(self, data, audience, version):
        is_within = parts(data["from"]) <= parts(version) and (data["until"] is None or parts(version) < parts(data["until"]))
        return data["audience"] in ("default", audience) and is_within


def change(server, moments, number):
    """Makes one change. Returns whether it had an effect."""
    audience, start = moments.choice(AUDIENCES), moments.choice(STARTS)
    place = f"/apps/{APP}/sets/{start}?audience={audience}"
    match moments.choices(["put", "delete", "release", "app", "end", "draft"], [8, 5, 1, 1, 0.3, 1])[0]:
        case "put":
            answer = server.admin("PUT", place, {"items": [item(f"i{number}", f"T{number}")]})
        case "delete":
            answer = server.admin("DELETE", place)
        case "release":
            answer = server.admin("PUT", f"/apps/{APP}/releases/{start}", {"build": str(number), "staticItems": [{"type": "s", "title": "S"}] * (number % 3)})
        case "app":
            answer = server.admin("PATCH", f"/apps/{APP}", {"fallbackURL": f"kept://{number}"})
        case "draft":
            draft = f"/apps/{APP}/sets/{start}/draft?audience={audience}"
            assert server.admin("PUT", draft, {"items": [item(f"d{number}")]}).status in (200, 201)
            answer = server.admin("POST", draft.replace("/draft", "/publish"), {})
        case "end":
            assert server.admin("DELETE", f"/apps/{APP}").status == 204
            answer = server.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en"})
    assert answer.status in (200, 201, 204, 404), answer.body
    return answer.status != 404


def test_what_a_backend_holds_is_what_would_be_fetched(server):
    moments = random.Random(SEED)
    for app in (APP, MARK):
        server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    backend, changes = Backend(server), 0
    with EventStream(server, APP, MARK) as stream:
        backend.take(stream.next())
        for number in range(CHANGES):
            if not change(server, moments, number):
                continue
            changes += 1
            # Every reader that got an event before this one got the change.
            server.admin("PATCH", f"/apps/{MARK}", {"name": str(number)})
            events = stream.until(lambda event: event.data["app"] == MARK)
            for event in events[:-1]:
                backend.take(event)
            for key, held in backend.held.items():
                assert held == backend.fetched(*key), (f"SEED={SEED}", number, key, [event.data for event in events])
    for app in (APP, MARK):
        server.admin("DELETE", f"/apps/{app}")
    assert changes > CHANGES / 3 and backend.fetches < changes * len(backend.held)
