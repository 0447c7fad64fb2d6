"""One random app, in the program and in the model at the same time."""

import collections
import http.client
import json
import os
import random
import urllib.parse

from longpress import OWNER, Answer
from model import App
from model_publishing import Publisher
from model_values import canonical_json, version_text
from random_cases import FALLBACKS, Random

TIMELINES = int(os.environ.get("LONGPRESS_DIFFERENTIAL", 60))
SEED = int(os.environ.get("LONGPRESS_SEED", 1))
DEFAULTS = ["en", "en", "ko", "zh-Hant", "pt-BR", "zh"]


class Session:
    """One persistent connection for thousands of requests."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection(*server.address, timeout=120)

    def request(self, method, target, text=None, type="application/json", **fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items() if value is not None}
        if text is not None:
            fields["Content-Type"] = type
        self.connection.request(method, urllib.parse.quote(target, safe="/?&=%+*"), text and text.encode(), fields)
        return Answer(self.connection.getresponse())

    def admin(self, method, target, document=None, **more):
        text = document if document is None or isinstance(document, str) else json.dumps(document)
        return self.request(method, "/admin/v1" + target, text, Authorization="Bearer " + OWNER, **more)


class Lockstep:
    @classmethod
    def run_all(cls, server, expected):
        """Runs the random timelines.

        :param expected: what must have occurred, or the run has covered too little.
        :return: how often each thing occurred.
        """
        counts = collections.Counter()
        session = Session(server)
        for seed in range(SEED, SEED + TIMELINES):
            cls(session, seed, counts).run()
        print(*(f"{what}: {count}" for what, count in sorted(counts.items())), sep="\n")
        assert {what for what in expected if not counts[what]} == set()
        return counts

    def __init__(self, session, seed, counts):
        self.session, self.seed, self.counts = session, seed, counts
        self.random = random.Random(seed)
        self.cases = Random(self.random, turn=4 * seed)
        pick = self.cases.pick
        self.app = App(f"com.example.{type(self).__name__.lower()}{seed}", pick(DEFAULTS), pick([None, "Notes"]), pick([None, FALLBACKS[0]]))
        self.publisher = Publisher(self.app)
        self.place = f"/apps/{self.app.id}"
        self.audiences = pick([["default"], ["default", "guest"]])
        self.drafts = {}
        self.make()

    def make(self):
        document = {"defaultLanguage": self.app.default_language, "name": self.app.name, "fallbackURL": self.app.fallback}
        assert self.session.admin("PUT", self.place, document).status == 201

    def agree(self, what, sent, told, expected):
        self.counts["compared"] += 1
        assert canonical_json(told) == canonical_json(expected), "\n".join([
            f"seed {self.seed}: {what}", f"  sent     {sent}", f"  program  {canonical_json(told)}",
            f"  model    {canonical_json(expected)}", f"  timeline {self.told()}"])  # fmt: skip

    def told(self):
        lines = self.app.timelines.items()
        sets = {audience: {version_text(at): each.set for at, each in sorted(line.items())} for audience, line in lines}
        return canonical_json(sets) + " releases " + repr(list(self.app.releases.values()))
