"""The client plane in lockstep: fetches in JSON and as property lists, continuity, taps."""

import base64
import datetime
import json
import plistlib
import urllib.parse

from lockstep import Lockstep
from model import Client
from model_values import numbers, version_text
from random_cases import ASKED, AUDIENCES, BAD_BUILDS, BUILDS, INVALID, RANGES, TYPES, every_id


class ClientLockstep(Lockstep):
    def client(self):
        pick = self.cases.pick
        lang = pick(RANGES) if self.cases.chance(0.4) else None
        return Client(numbers(pick(ASKED)), numbers(pick(BUILDS)), lang, self.cases.accept(), pick(AUDIENCES))

    def query(self, client):
        build = ".".join(map(str, client.build)) if client.build else None
        said = {"lang": client.lang, "audience": client.audience, "build": build}
        return urllib.parse.urlencode({name: value for name, value in said.items() if value is not None})

    def asked(self, client, what):
        version = version_text(client.version)
        return f"/v1{self.place}/versions/{version}/{what}?{self.query(client)}"

    def fetch(self):
        client = self.client()
        if self.cases.chance(0.05):
            bad, build = self.cases.pick([(self.cases.pick(INVALID), "1"), ("1.0", self.cases.pick(BAD_BUILDS))])
            answer = self.session.request("GET", f"/v1{self.place}/versions/{bad}/shortcuts?build={build}")
            self.counts["fetch 400"] += 1
            self.agree("version", (bad, build), [answer.status, answer.code], [400, "invalid-version"])
            return
        menu = self.app.menu(client)
        accept = self.cases.pick([None, None, "application/x-plist"])
        answer = self.session.request("GET", self.asked(client, "shortcuts"), Accept_Language=client.accept, Accept=accept)
        self.counts[f"fetch {200 if menu else 404}"] += 1
        if menu is None:
            self.agree("fetch", client, [answer.status, answer.code], [404, "no-shortcut-set"])
            return
        self.counts["fetch empty"] += menu["items"] == []
        self.counts["fetch hidden"] += any(not item["visible"] for item in menu["items"])
        self.counts["fetch fallen back"] += any(item["userInfo"]["longpress.language"] != menu["language"] for item in menu["items"])
        self.counts["fetch property list"] += accept is not None
        self.counts["fetch personal"] += "personal" in menu
        self.agree("fetch", client, with_markers(plistlib.loads(answer.body)) if accept else answer.json, menu)

    def continuity(self):
        client = self.client()
        table = self.app.continuity(client)
        answer = self.session.request("GET", self.asked(client, "continuity"))
        if table is None:
            self.agree("continuity", client, [answer.status, answer.code], [404, "no-shortcut-set"])
            return
        self.counts.update(f"continuity {entry['outcome']}" for entry in table["ids"].values())
        self.agree("continuity", client, answer.json, table)
        for id, entry in table["ids"].items():
            self.first_tap(client, id, entry)

    def first_tap(self, client, id, entry, **choice):
        """Checks that a tap on an older registration resolves as the table says."""
        info = {"longpress.schema": 1, "longpress.item": id, "longpress.version": "0", "longpress.action": entry["action"]}
        body = {"type": "x", "userInfo": info, "audience": client.audience} | choice
        told = self.session.request("POST", self.asked(client, "taps"), json.dumps(body)).json
        item = (told["item"] or told.get("personal") or {}).get("userInfo", {})
        outcome = "current" if told["outcome"] == "equivalent" else told["outcome"]
        found = {"outcome": outcome, "item": item.get("longpress.item"), "action": item.get("longpress.action"), "url": told["url"]}
        self.counts["continuity agrees"] += 1
        self.agree("continuity and tap", (client, id, choice), found, entry)

    def tap(self):
        client, pick, chance = self.client(), self.cases.pick, self.cases.chance
        served = self.app.menu(self.client())
        shown = served["items"] + served.get("personal", []) if served else []
        if shown and chance(0.5):
            info = dict(pick(shown)["userInfo"]) | ({"longpress.values": '{"name":"x"}'} if chance(0.1) else {})
            if chance(0.5):
                client.version, client.audience = numbers(served["version"]), served["audience"]
                client.lang = served["language"] if chance(0.5) else client.lang
        else:
            info = self.cases.tag(every_id(self.app)) if chance(0.8) else self.cases.payload()
        if chance(0.3):
            info = self.cases.odd(info)
        type = pick(TYPES)
        self.count(client, info, expected := self.app.tap(client, type, info))
        body = {"type": type, "userInfo": info, "audience": client.audience, "lang": client.lang, "more": 1}
        body |= {"build": ".".join(map(str, client.build))} if client.build else {}
        target = f"/v1{self.place}/versions/{version_text(client.version)}/taps"
        answer = self.session.request("POST", target, json.dumps(body), Accept_Language=client.accept)
        self.agree("tap", f"{target} {body} {client.accept}", answer.json, expected)

    def count(self, client, info, told):
        _, timeline = self.app.timeline(client.audience or info.get("longpress.audience"))
        standing = self.app.effective(timeline, client.version)
        self.counts[f"tap {told['outcome']}"] += 1
        self.counts[f"origin {told['origin']}"] += 1
        self.counts["tap below"] += standing is None
        target = told["item"] or told.get("personal")
        self.counts["tap personal"] += "personal" in told
        self.counts["tap disabled"] += bool(target) and not any(
            item["id"] == target["userInfo"]["longpress.item"] for item in standing.enabled)  # fmt: skip
        self.counts["tap other language"] += told["outcome"] == "equivalent"
        if told["outcome"] == "replaced":
            landed = standing.item(target["userInfo"]["longpress.item"])
            self.counts["downgrade"] += told["origin"] == "future" and info["longpress.item"] not in landed.get("replaces", [])
            self.counts["chain"] += told["origin"] == "past" and info["longpress.item"] not in landed.get("replaces", [])


def with_markers(value):
    """A property list in its JSON form."""
    if isinstance(value, datetime.datetime):
        return {"$date": value.strftime("%Y-%m-%dT%H:%M:%SZ")}
    if isinstance(value, bytes):
        return {"$data": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {name: with_markers(each) for name, each in value.items()}
    return [with_markers(each) for each in value] if isinstance(value, list) else value
