"""The running program beside the model of the contract, over random timelines, requests and taps.

`make differential` compares more: LONGPRESS_DIFFERENTIAL is the number of timelines, LONGPRESS_SEED where they begin.
"""

import collections
import copy
import http.client
import json
import os
import random
import urllib.parse

from longpress import OWNER, Answer
from model import App, Client, Release, canonical_json, numbers, version_text
from model_publishing import Check, Publisher
from random_cases import (
    ASKED, AUDIENCES, BAD_BUILDS, BUILDS, FALLBACKS, INVALID, RANGES, SCHEMES, TYPES, VERSIONS, WORDS, Random, every_id, raw,
)  # fmt: skip

TIMELINES = int(os.environ.get("LONGPRESS_DIFFERENTIAL", 40))
SEED = int(os.environ.get("LONGPRESS_SEED", 1))
DEFAULTS = ["en", "en", "ko", "zh-Hant", "pt-BR", "zh"]

# Every one of these must have come about, or the run has shown less than it says.
EXPECTED = {
    *(f"tap {outcome}" for outcome in "current equivalent changed replaced retired removed static untagged unknown".split()),
    *(f"origin {origin}" for origin in "same past future unknown".split()),
    *(f"continuity {outcome}" for outcome in "current replaced retired removed".split()),
    *(f"put {status}" for status in (200, 201, 409, 422)), "put identical", "delete 200", "delete 404", "restore 200", "restore 409",
    "fetch 200", "fetch 404", "fetch 400", "fetch empty", "fetch fallen back", "fetch hidden", "continuity agrees", "diff",
    "chain", "downgrade", "tap disabled", "tap below", "tap other language",
    *(f"warns {code}" for code in (
        "over-budget title-emoji title-app-name static-twin asset-missing scheme-undeclared id-dropped unknown-id").split()),
    *(f"refused {code}" for code in (
        "userinfo-null userinfo-key-reserved userinfo-too-deep userinfo-too-large marker-invalid date-invalid data-invalid "
        "integer-out-of-range real-out-of-range text-invalid required type-mismatch unknown-member duplicate-id id-invalid type-invalid "
        "title-missing title-empty title-too-long subtitle-too-long language-invalid duplicate-language icon-type-unknown url-invalid "
        "url-too-long url-scheme too-many-items replaces-conflict").split()),
}  # fmt: skip


class Session:
    """One connection that stays open; thousands of requests go over it."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection(*server.address, timeout=15)

    def request(self, method, target, text=None, **fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items() if value is not None}
        if text is not None:
            fields["Content-Type"] = "application/json"
        self.connection.request(method, urllib.parse.quote(target, safe="/?&=%+*"), text and text.encode(), fields)
        return Answer(self.connection.getresponse())

    def admin(self, method, target, text=None):
        return self.request(method, "/admin/v1" + target, text, Authorization="Bearer " + OWNER)


class Timeline:
    """One random app, in the program and in the model."""

    def __init__(self, session, seed, counts):
        self.session, self.seed, self.counts = session, seed, counts
        self.random = random.Random(seed)
        self.cases = Random(self.random, turn=4 * seed)
        pick, chance = self.cases.pick, self.cases.chance
        self.app = App(f"com.example.model{seed}", pick(DEFAULTS), pick([None, "Notes"]), pick([None, FALLBACKS[0]]))
        self.publisher = Publisher(self.app)
        self.place = f"/apps/{self.app.id}"
        document = {"defaultLanguage": self.app.default_language, "name": self.app.name, "fallbackURL": self.app.fallback}
        assert self.session.admin("PUT", self.place, json.dumps(document)).status == 201
        self.audiences = ["default", "guest"] if chance(0.5) else ["default"]

    def run(self):
        pick = self.cases.pick
        for _ in range(self.random.randint(0, 3)):
            self.release()
        for version in sorted(self.random.sample(VERSIONS, self.random.randint(0, 5)), key=numbers):
            self.put(version=version)
        others = [self.put, self.put, self.put_again, self.delete, self.restore]
        changes = [self.spoilt] * 4 + [pick(others) for _ in range(8)]
        self.random.shuffle(changes)
        for change in changes:
            change()
        for _ in range(2):
            self.release()
        for _ in range(3):
            self.difference()
        for _ in range(25):
            self.fetch()
        for _ in range(5):
            self.continuity()
        for _ in range(60):
            self.tap()

    def agree(self, what, sent, told, expected):
        self.counts["compared"] += 1
        assert canonical_json(told) == canonical_json(expected), "\n".join([
            f"seed {self.seed}: {what}", f"  sent     {sent}", f"  program  {canonical_json(told)}",
            f"  model    {canonical_json(expected)}", f"  timeline {self.told()}"])  # fmt: skip

    def told(self):
        lines = self.app.timelines.items()
        sets = {audience: {version_text(at): each.set for at, each in sorted(line.items())} for audience, line in lines}
        return canonical_json(sets) + " releases " + repr(list(self.app.releases.values()))

    # The admin plane

    def release(self):
        cases, pick = self.cases, self.cases.pick
        version, build = pick(VERSIONS), pick([None, "7", "300", "512.0"])
        statics = [{"type": pick(TYPES), "title": pick(WORDS)} for _ in range(pick([0, 0, 1, 1, 2, 3, 5]))]
        assets = pick([None, None, {"images": cases.some(["Compose", "plus"], 2), "symbols": cases.some(["star", "plus"], 2)}])
        document = {"build": build, "staticItems": statics, "urlSchemes": cases.some([*SCHEMES, "NOTES"], 3), "assets": assets}
        if cases.chance(0.2):
            document["displayName"] = "Inbox"
        answer = self.session.admin("PUT", f"{self.place}/releases/{version}", json.dumps(document))
        read = Release(numbers(version), numbers(build), statics, document["urlSchemes"], assets, document.get("displayName"))
        self.agree("release", document, answer.status, 200 if (read.version, read.build) in self.app.releases else 201)
        self.app.releases[read.version, read.build] = read

    def spot(self, version=None):
        audience, version = self.cases.pick(self.audiences), version or self.cases.pick(VERSIONS)
        return f"{self.place}/sets/{version}" + (f"?audience={audience}" if audience != "default" else ""), numbers(version), audience

    def put(self, spoils=0, version=None):
        target, version, audience = self.spot(version)
        below = self.app.effective(self.app.timeline(audience)[1] if self.app.timelines.get(audience) else [], version)
        document = copy.deepcopy(self.cases.content(self.app, below))
        for _ in range(spoils):
            if isinstance(document["items"], list):
                self.cases.spoil(document, self.app.default_language)
        self.publish(target, version, audience, raw(document))

    def spoilt(self):
        self.put(spoils=self.cases.pick([1, 1, 1, 2, 3]))

    def put_again(self):
        """What stands, in another spelling."""
        target, version, audience = self.spot()
        if version in self.app.timelines.get(audience, {}):
            document = copy.deepcopy(self.app.timelines[audience][version].set)
            for item in document["items"]:
                item["title"] = {self.cases.language_spelling(tag): text for tag, text in reversed(item["title"].items())}
                item.setdefault("enabled", True)
                if "type" in item.get("icon", {}):
                    name = item["icon"]["type"]
                    item["icon"]["type"] = "UIApplicationShortcutIconType" + name[0].upper() + name[1:]
            before = len(self.app.revisions)
            self.publish(target, version, audience, json.dumps(document))
            assert len(self.app.revisions) == before, f"seed {self.seed}: the model published what stood"
            self.counts["put identical"] += 1

    def publish(self, target, version, audience, text):
        check = Check(json.loads(text), self.app.default_language)
        answer = self.session.admin("PUT", target, text)
        if check.violations:
            self.counts.update({f"refused {code}" for _, code in check.violations})
            told = [answer.status, sorted(answer.violations) if answer.status == 422 else answer.json]
            expected = [422, sorted(check.violations)]
        else:
            warnings = self.publisher.warnings(version, audience, check.set)
            status, said = self.publisher.put(version, audience, check.set)
            expected, told = [status, said, sorted(warnings)], self.published(answer)
            if status == 409:
                expected[2:] = []
            else:
                self.counts.update({f"warns {code}" for _, code in warnings})
        self.counts[f"put {expected[0]}"] += 1
        self.agree("publish", target + " " + text, told, expected)
        if expected[0] in (200, 201):
            self.agree("set as it stands", target, self.session.admin("GET", target).json, check.set)

    @staticmethod
    def published(answer):
        if answer.status >= 400:
            return [answer.status, answer.code]
        return [answer.status, answer.json["revision"], sorted(answer.warnings)]

    def delete(self):
        target, version, audience = self.spot()
        expected = list(self.publisher.delete(version, audience))
        answer = self.session.admin("DELETE", target)
        self.counts[f"delete {expected[0]}"] += 1
        self.agree("delete", target, self.published(answer)[:2], expected)

    def restore(self):
        number = self.random.randint(1, len(self.app.revisions) + 1)
        expected = list(self.publisher.restore(number))
        answer = self.session.admin("POST", f"{self.place}/revisions/{number}/restore")
        self.counts[f"restore {expected[0]}"] += 1
        self.agree("restore", number, self.published(answer)[:2], expected)

    def difference(self):
        if len(self.app.revisions) < 2:
            return
        old, new = (self.random.randint(1, len(self.app.revisions)) for _ in range(2))
        told = self.session.admin("GET", f"{self.place}/diff?from={old}&to={new}").json
        self.counts["diff"] += 1
        told = {"changed": {each["id"]: each["fields"] for each in told["changed"]}, "moved": len(told["moved"]),
                **{name: told[name] for name in ("added", "removed", "set")}}  # fmt: skip
        self.agree("diff", (old, new), told, self.publisher.difference(old, new))

    # The client plane

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
        answer = self.session.request("GET", self.asked(client, "shortcuts"), Accept_Language=client.accept)
        self.counts[f"fetch {200 if menu else 404}"] += 1
        if menu is None:
            self.agree("fetch", client, [answer.status, answer.code], [404, "no-shortcut-set"])
            return
        self.counts["fetch empty"] += menu["items"] == []
        self.counts["fetch hidden"] += any(not item["visible"] for item in menu["items"])
        self.counts["fetch fallen back"] += any(item["userInfo"]["longpress.language"] != menu["language"] for item in menu["items"])
        self.agree("fetch", client, answer.json, menu)

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

    def first_tap(self, client, id, entry):
        """A tap on an older registration comes out as the table says."""
        info = {"longpress.schema": 1, "longpress.item": id, "longpress.version": "0", "longpress.action": entry["action"]}
        body = {"type": "x", "userInfo": info, "audience": client.audience}
        told = self.session.request("POST", self.asked(client, "taps"), json.dumps(body)).json
        item = (told["item"] or {}).get("userInfo", {})
        outcome = "current" if told["outcome"] == "equivalent" else told["outcome"]
        found = {"outcome": outcome, "item": item.get("longpress.item"), "action": item.get("longpress.action"), "url": told["url"]}
        self.counts["continuity agrees"] += 1
        self.agree("continuity and tap", (client, id), found, entry)

    def tap(self):
        client, pick, chance = self.client(), self.cases.pick, self.cases.chance
        served = self.app.menu(self.client())
        if served and served["items"] and chance(0.5):
            info = dict(pick(served["items"])["userInfo"])
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
        self.counts["tap disabled"] += bool(told["item"]) and not any(
            item["id"] == told["item"]["userInfo"]["longpress.item"] for item in standing.enabled)  # fmt: skip
        self.counts["tap other language"] += told["outcome"] == "equivalent"
        if told["outcome"] == "replaced":
            landed = standing.item(told["item"]["userInfo"]["longpress.item"])
            self.counts["downgrade"] += told["origin"] == "future" and info["longpress.item"] not in landed.get("replaces", [])
            self.counts["chain"] += told["origin"] == "past" and info["longpress.item"] not in landed.get("replaces", [])


def test_the_program_and_the_contract_agree(server):
    counts = collections.Counter()
    session = Session(server)
    for seed in range(SEED, SEED + TIMELINES):
        Timeline(session, seed, counts).run()
    print(*(f"{what}: {count}" for what, count in sorted(counts.items())), sep="\n")
    assert {what for what in EXPECTED if not counts[what]} == set()
