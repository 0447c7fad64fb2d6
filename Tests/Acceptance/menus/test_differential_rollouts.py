"""Compares the running program with the model of the contract while roll-outs begin, are promoted and end: in an arm, everything is as if the
candidate were the set. LONGPRESS_DIFFERENTIAL and LONGPRESS_SEED are those of test_differential.py."""

import copy
import json

from lockstep import TIMELINES
from lockstep_client import ClientLockstep
from lockstep_publishing import PublishingLockstep
from model import Standing
from model_documents import Check
from model_publishing import Publisher
from model_values import numbers, version_text
from random_cases import ASKED, AUDIENCES, TYPES, VERSIONS, every_id

EXPECTED = {
    "start 200", "start 409", "promote", "stop", "candidate fetched", "downgrade", "continuity agrees",
    *(f"{arm} {outcome}" for arm in ("candidate", "control") for outcome in ("current", "equivalent", "replaced", "retired", "removed")),
}  # fmt: skip


class Rollouts(PublishingLockstep, ClientLockstep):
    def run(self):
        self.rollouts = {}
        for version in self.random.sample(VERSIONS, self.random.randint(3, 6)):
            self.put(version=version)
        for _ in range(3):
            for _ in range(4):
                self.start()
            self.ask()
            for change in (self.promote, self.stop):
                change()
            self.ask()

    def start(self):
        places = [(audience, version) for audience, line in self.app.timelines.items() for version in line]
        place = self.cases.pick(places)
        audience, version = place
        if place in self.rollouts:
            return
        below = self.app.effective(self.app.timeline(audience)[1], version)
        content = copy.deepcopy(self.cases.content(self.app, below))
        check = Check(content, self.app.default_language)
        if check.violations or check.set == self.app.timelines[audience][version].set:
            return
        answer = self.session.admin("PUT", f"{self.candidate(place)}&share=50", content)
        # Both menus of every roll-out obey the rules of ids.
        other = self.arms([each for each in self.rollouts if each[0] == audience])
        reused = any(Publisher(app).would_reuse(version, audience, check.set) for app in (self.app, other))
        self.counts[f"start {answer.status}"] += 1
        if answer.status == 409:
            assert answer.code == "id-reused" and reused, (self.seed, content, answer.body)
            return
        assert not reused and answer.status == 200, (self.seed, content, answer.body)
        revision = self.publisher.record("candidate", version, audience, check.set)
        self.agree("candidate", content, answer.json["revision"], revision)
        self.rollouts[place] = (self.session.admin("GET", self.candidate(place)).json["id"], Standing(version, revision, check.set))

    def candidate(self, place, what=""):
        audience, version = place
        return f"{self.place}/sets/{version_text(version)}/candidate{what}?audience={audience}"

    def arms(self, places):
        """The model in which these candidates are the sets."""
        seen = copy.copy(self.app)
        seen.timelines = {audience: dict(line) for audience, line in self.app.timelines.items()}
        for audience, version in places:
            seen.timelines[audience][version] = self.rollouts[audience, version][1]
        return seen

    def promote(self):
        if self.rollouts:
            place = self.cases.pick(sorted(self.rollouts))
            content = self.rollouts.pop(place)[1].set
            answer = self.session.admin("POST", self.candidate(place, "/promote"))
            self.agree("promote", place, [answer.status, answer.json["revision"]], list(self.publisher.put(place[1], place[0], content)))
            self.counts["promote"] += 1

    def stop(self):
        if self.rollouts:
            place = self.cases.pick(sorted(self.rollouts))
            del self.rollouts[place]
            assert self.session.admin("POST", self.candidate(place, "/stop")).status == 200
            self.counts["stop"] += 1

    def ask(self):
        for _ in range(8):
            self.fetch_arms()
        for place in sorted(self.rollouts):
            for _ in range(12):
                self.tap_in_an_arm(place)

    def place_of(self, client):
        audience, timeline = self.app.timeline(client.audience)
        standing = self.app.effective(timeline, client.version)
        return (audience, standing.version) if standing else None

    def fetch_arms(self):
        """The answer and the continuity document have both menus, and what the second one says is what taps answer."""
        client = self.client()
        place = self.place_of(client)
        for what, model in (("shortcuts", "menu"), ("continuity", "continuity")):
            answer = self.session.request("GET", self.asked(client, what), Accept_Language=client.accept)
            expected = getattr(self.app, model)(client)
            if expected is None:
                assert answer.status == 404
                continue
            document = answer.json
            rollout = document.pop("rollout", None)
            self.agree(what, client, document, expected)
            assert (rollout is None) == (place not in self.rollouts), (self.seed, client, rollout)
            if rollout is None:
                continue
            self.counts["candidate fetched"] += 1
            id, standing = self.rollouts[place]
            # The answer has one language.
            spoken = copy.copy(client)
            if what == "shortcuts":
                spoken.lang, spoken.accept = expected["language"], None
            seen = getattr(self.arms([place]), model)(spoken)
            told = {"id": id, "threshold": 5000, "revision": standing.revision}
            kept = ("items", "personal") if what == "shortcuts" else ("ids", "otherwise")
            self.agree(f"candidate in {what}", client, rollout, told | {name: seen[name] for name in kept if name in seen})
            if what == "continuity":
                for item, entry in rollout["ids"].items():
                    self.first_tap(client, item, entry, rollout={"id": id, "arm": "candidate"})

    def tap_in_an_arm(self, place):
        pick, chance = self.cases.pick, self.cases.chance
        arm = pick(["candidate", "control"])
        seen = self.arms([place]) if arm == "candidate" else self.app
        client = self.client()
        if chance(0.5):
            client.version, client.audience = max(numbers(pick(ASKED)), place[1]), place[0]
        served = self.arms([place]).menu(client)
        shown = served["items"] + served.get("personal", []) if served else []
        info = dict(pick(shown)["userInfo"]) if shown and chance(0.6) else self.cases.tag(every_id(self.arms([place])))
        if chance(0.5):
            client.version, client.audience = numbers(pick(ASKED)), pick(AUDIENCES)
        type = pick(TYPES)
        expected = seen.tap(client, type, info)
        body = {"type": type, "userInfo": info, "audience": client.audience, "lang": client.lang}
        body |= {"build": ".".join(map(str, client.build))} if client.build else {}
        body["rollout"] = {"id": self.rollouts[place][0], "arm": arm}
        target = f"/v1{self.place}/versions/{version_text(client.version)}/taps"
        answer = self.session.request("POST", target, json.dumps(body), Accept_Language=client.accept)
        self.counts[f"{arm} {expected['outcome']}"] += 1
        self.counts["downgrade"] += expected["origin"] == "future"
        self.counts["triples"] += 1
        self.agree("tap in an arm", f"{target} {body} {client.accept}", answer.json, expected)


def test_each_arm_is_as_if_its_menu_were_the_set(server):
    assert Rollouts.run_all(server, EXPECTED)["triples"] >= 2000 * TIMELINES // 60
