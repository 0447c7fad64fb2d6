"""Keeps menus up to date with the live stream: follow.py BASE APP/VERSION…"""

import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.request


class Later(Exception):
    """The request failed and can be repeated. `after`: the Retry-After in seconds, if the service sent one."""

    def __init__(self, reason, after=None):
        super().__init__(reason)
        self.after = after


def ask(url, timeout, fields):
    """The answer, which may be 304 or 404."""
    try:
        return urllib.request.urlopen(urllib.request.Request(url, headers=fields), timeout=timeout)
    except urllib.error.HTTPError as answer:
        if answer.code in (304, 404):
            return answer
        after = answer.headers.get("Retry-After", "")
        raise Later(f"{answer.code} {answer.reason}", int(after) if after.isdecimal() else None) from None


def parts_of(version):
    return tuple(int(part) for part in (version.split(".") + ["0", "0"])[:3])


def say(*words):
    print(*words, flush=True)


class Follower:
    def __init__(self, base, held):
        self.base, self.held = base, held
        self.menus = {}  # (app, version): (entity tag, menu)
        self.last, self.retry, self.failures = None, 3.0, 0

    def run(self):
        while True:
            try:
                self.follow()
                wait = self.retry
            except (Later, OSError, http.client.HTTPException) as error:
                # Random unless the server says when, so that clients do not reconnect together.
                longest = min(60, self.retry * 2**self.failures)
                wait = getattr(error, "after", None) or longest * random.uniform(0.5, 1)
                self.failures = min(self.failures + 1, 10)
                say(f"waiting {wait:.1f} s: {error}")
            time.sleep(wait)

    def follow(self):
        """Reads one stream to its end."""
        apps = sorted({app for app, _ in self.held})
        fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.last} if self.last else {})
        # A comment comes every 20 seconds: after 60 seconds of silence the connection is lost.
        with ask(f"{self.base}/v1/stream?" + "&".join(f"app={app}" for app in apps), 60, fields) as stream:
            if stream.status != 200:
                raise Later("none of the apps exists")
            name, data, id = "message", [], None
            for line in stream:
                field, _, value = line.decode().rstrip("\r\n").partition(":")
                value = value.removeprefix(" ")
                if field == "event":
                    name = value
                elif field == "data":
                    data.append(value)
                elif field == "id":
                    id = value
                elif field == "retry" and value.isdecimal():
                    self.retry = int(value) / 1000
                elif not field and not value:
                    if data:
                        self.hear(name, json.loads("\n".join(data)))
                        # Stored after the fetches: the service repeats an event whose fetches failed.
                        self.last, self.failures = id, 0
                    name, data = "message", []

    def hear(self, name, data):
        if name == "state":
            say("state, resync" if data.get("resync") else "state")
            for app, state in data["apps"].items():
                if state is None:
                    self.forget(app, "is missing")
                else:
                    self.fetch(app, state["revision"])
        elif name == "deleted":
            self.forget(data["app"], "deleted")
        elif name == "changed":
            say(data["app"], "changed, revision", data["revision"])
            # This program keeps menus of the default audience only.
            if data.get("audience", "default") == "default":
                self.fetch(data["app"], data["revision"], data.get("from"), data.get("until"))

    def forget(self, app, why):
        say(app, why)
        self.menus = {key: menu for key, menu in self.menus.items() if key[0] != app}

    def fetch(self, app, revision, start=None, end=None):
        """Fetches the app's menus again for the versions from `start` up to, not including, `end`."""
        for key in self.held:
            version = parts_of(key[1])
            if key[0] == app and (not start or parts_of(start) <= version) and (not end or version < parts_of(end)):
                self.fetch_menu(key, revision)

    def fetch_menu(self, key, revision):
        app, version = key
        tag = self.menus[key][0] if key in self.menus else None
        url = f"{self.base}/v1/apps/{app}/versions/{version}/shortcuts?revision={revision}"
        with ask(url, 15, {"If-None-Match": tag} if tag else {}) as answer:
            if answer.status == 200:
                self.menus[key] = (answer.headers["ETag"], json.load(answer))
                say(f"{app}/{version} revision", self.menus[key][1]["revision"])
            elif answer.status == 304:
                say(f"{app}/{version} unchanged")
            else:
                say(f"{app}/{version} has no menu")


if __name__ == "__main__":
    Follower(sys.argv[1], [tuple(name.split("/")) for name in sys.argv[2:]]).run()
