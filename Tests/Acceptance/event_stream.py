"""A reader of GET /v1/stream, as WHATWG HTML section 9.2 says."""

import dataclasses
import http.client
import json


@dataclasses.dataclass
class Event:
    name: str
    id: str
    data: dict


class EventStream:
    """An open stream. It is read line by line; reading waits at most `timeout` seconds."""

    def __init__(self, server, *apps, last=None, timeout=15, query="", method="GET"):
        self.connection = http.client.HTTPConnection(*server.address, timeout=timeout)
        fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last} if last else {})
        self.connection.request(method, "/v1/stream?" + "&".join(f"app={app}" for app in apps) + query, headers=fields)
        self.response = self.connection.getresponse()
        self.status = self.response.status
        self.fields = {name.lower(): value for name, value in self.response.getheaders()}
        #: The last id, with which the stream is opened again.
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
        """The next event; None at the clean end of the stream. What ends otherwise raises http.client.IncompleteRead or OSError."""
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
        """The events up to the first one that is wanted."""
        events = []
        while not events or not wanted(events[-1]):
            event = self.next()
            assert event, f"the stream has ended after {events}"
            events.append(event)
        return events
