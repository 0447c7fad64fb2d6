"""A reader of GET /v1/stream and of GET /admin/v1/stream, by WHATWG HTML section 9.2."""

import contextlib
import dataclasses
import http.client
import json
import socket
import threading
import time

from workload import FAILURES


@dataclasses.dataclass
class Event:
    name: str
    id: str
    data: dict


class EventStream:
    """An open stream, read line by line. Reading waits at most `timeout` seconds."""

    def __init__(self, server, *apps, last=None, timeout=120, query="", connection=None, path="/v1/stream", **fields):
        """`connection`: an existing connection to use; `fields`: more fields of the request."""
        self.connection = connection or http.client.HTTPConnection(*server.address, timeout=timeout)
        fields |= {"Accept": "text/event-stream"} | ({"Last-Event-ID": last} if last else {})
        self.connection.request("GET", path + "?" + "&".join(f"app={app}" for app in apps) + query, headers=fields)
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        self.status = self.response.status
        self.fields = {name.lower(): value for name, value in self.response.getheaders()}
        # : The last id, with which the stream can be resumed.
        self.last = last
        self.retry = None
        self.comments = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.response.close()
        self.connection.close()

    def next(self):
        """The next event; None at the clean end of the stream. Any other end raises http.client.IncompleteRead or OSError."""
        name, data = "message", []
        while line := self.response.readline():
            text = line.decode().rstrip("\n")
            field, _, value = text.partition(": ")
            match field:
                case "" if data:
                    return Event(name, self.last, json.loads("\n".join(data)))
                case "event":
                    name = value
                case "data":
                    data.append(value)
                case "id":
                    self.last = value
                case "retry":
                    self.retry = int(value)
                case _ if text.startswith(":"):
                    self.comments += 1
        return None

    def until(self, wanted):
        """The events up to and including the wanted one."""
        events = []
        while not events or not wanted(events[-1]):
            event = self.next()
            assert event, f"the stream has ended after {events}"
            events.append(event)
        return events


class Follower(threading.Thread):
    """Follows the changes of some apps as a backend does: reconnects with the last id when a stream ends, and fetches what an event names
    from the node that sent the event."""

    def __init__(self, choose, *apps):
        """`choose`: returns the server for the next request."""
        super().__init__(daemon=True)
        self.choose, self.apps = choose, apps
        self.events, self.seen, self.openings = [], set(), 0
        self.faults, self.is_over, self.stream = [], False, None

    def run(self):
        last = None
        while not self.is_over:
            server = self.choose()
            try:
                with EventStream(server, *self.apps, last=last, timeout=5) as stream:
                    if stream.status != 200:
                        time.sleep(0.02)
                        continue
                    self.openings, self.stream = self.openings + 1, stream
                    while event := stream.next():
                        last = event.id
                        self.take(event, server)
            except FAILURES + (ValueError,):  # of a socket that `end` has shut down
                time.sleep(0.01)

    def take(self, event, server):
        self.events.append(event)
        if event.name == "state" and len(self.events) > 1:
            self.faults.append(event)
        if event.name != "changed" or "audience" not in event.data:
            return
        app, revision = event.data["app"], event.data["revision"]
        if (app, revision) in self.seen:
            self.faults.append(("twice", event))
        self.seen.add((app, revision))
        try:
            answer = server.shortcuts(app, event.data["from"], timeout=5)
        except FAILURES:
            return
        if answer.status != 200 or answer.json["revision"] < revision:
            self.faults.append((event, answer.status, answer.body))

    def end(self):
        self.is_over = True
        if self.stream:
            with contextlib.suppress(OSError):
                self.stream.socket.shutdown(socket.SHUT_RDWR)
        self.join(timeout=120)
        assert not self.is_alive()
