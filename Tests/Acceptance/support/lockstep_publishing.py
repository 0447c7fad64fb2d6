"""The admin plane in lockstep: releases, publishes, drafts, deletions, patches, restores."""

import copy
import json
import re

from lockstep import Lockstep
from model import Release
from model_documents import Check
from model_values import build_text, numbers
from random_cases import FALLBACKS, SCHEMES, TYPES, VERSIONS, WORDS, raw


class PublishingLockstep(Lockstep):
    def release(self):
        cases, pick = self.cases, self.cases.pick
        version, build = pick(VERSIONS), pick([None, "7", "300", "512.0"])
        statics = [{"type": pick(TYPES), "title": pick(WORDS)} for _ in range(pick([0, 0, 1, 1, 2, 3, 5]))]
        assets = pick([None, None, {"images": cases.some(["Compose", "plus"], 2), "symbols": cases.some(["star", "plus"], 2)}])
        document = {"build": build, "staticItems": statics, "urlSchemes": cases.some([*SCHEMES, "NOTES"], 3), "assets": assets}
        if cases.chance(0.2):
            document["displayName"] = "Inbox"
        answer = self.session.admin("PUT", f"{self.place}/releases/{version}", document)
        read = Release(numbers(version), numbers(build), statics, document["urlSchemes"], assets, document.get("displayName"))
        self.agree("release", document, answer.status, 200 if (read.version, read.build) in self.app.releases else 201)
        self.app.releases[read.version, read.build] = read

    def spot(self, version=None):
        """Where to publish: (target, version, audience)."""
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
        """Publishes the current content in another spelling."""
        target, version, audience = self.spot()
        if version in self.app.timelines.get(audience, {}):
            document = copy.deepcopy(self.app.timelines[audience][version].set)
            for item in document["items"]:
                item["title"] = {self.cases.language_spelling(tag): text for tag, text in reversed(item["title"].items())}
                item.setdefault("enabled", True)
                if "userInfo" in item:
                    item["userInfo"] = dict(reversed(item["userInfo"].items()))
                if "type" in item.get("icon", {}):
                    name = item["icon"]["type"]
                    item["icon"]["type"] = "UIApplicationShortcutIconType" + name[0].upper() + name[1:]
            before = len(self.app.revisions)
            self.publish(target, version, audience, raw(document))
            assert len(self.app.revisions) == before, f"seed {self.seed}: the model published what stood"
            self.counts["put identical"] += 1

    def publish(self, target, version, audience, text):
        answer = self.session.admin("PUT", target, text)
        check = Check(json.loads(text), self.app.default_language)
        self.compare_publish("put", target + " " + text, answer, version, audience, check)
        if answer.status in (200, 201):
            self.agree("set as it stands", target, self.session.admin("GET", target).json, self.app.timelines[audience][version].set)

    def compare_publish(self, what, sent, answer, version, audience, check):
        """Compares the answer to any kind of publish. All but a PUT answer 200 even for a new set."""
        if check.violations:
            self.counts.update({f"refused {code}" for _, code in check.violations})
            told = [answer.status, sorted(answer.violations) if answer.status == 422 else answer.json]
            expected = [422, sorted(check.violations)]
        else:
            warnings = self.publisher.warnings(version, audience, check.set)
            status, said = self.publisher.put(version, audience, check.set)
            told = self.published(answer)
            expected = [status, said] if status == 409 else [status, said, sorted(warnings)]
            if what != "put" and status == 201:
                expected[0] = 200
            self.counts.update({f"warns {code}" for _, code, _ in warnings if status != 409})
            self.counts.update({"warns anew" if new else "warns again" for _, _, new in warnings})
        self.counts[f"{what} {expected[0]}"] += 1
        self.agree(what, sent, told, expected)
        return expected[0]

    @staticmethod
    def published(answer):
        if answer.status >= 400:
            return [answer.status, answer.code]
        return [answer.status, answer.json["revision"], sorted(answer.marked_warnings)]

    def delete(self):
        target, version, audience = self.spot()
        there = version in self.app.timelines.get(audience, {})
        lost = self.publisher.unresolvable(version, audience) if there else set()
        status, said = self.publisher.delete(version, audience)
        answer = self.session.admin("DELETE", target)
        self.counts[f"delete {status}"] += 1
        self.counts["delete warns"] += bool(lost)
        self.agree("delete", target, self.published(answer)[:2], [status, said])
        if there:
            told = sorted(re.match('"([^"]*)"', warning["message"])[1] for warning in answer.json["warnings"])
            self.agree("delete warns", target, told, sorted(lost))

    def patch(self):
        target, version, audience = self.spot()
        standing = self.app.timelines.get(audience, {}).get(version)
        id = self.cases.pick([item["id"] for item in standing.items]) if standing and standing.items else "a"
        patch = self.cases.patch(self.app.default_language)
        later = {item["id"] for each in self.app.timelines.get(audience, {}).values() if each.version > version for item in each.items}
        if later and self.cases.chance(0.3):
            patch = {"replaces": [self.cases.pick(sorted(later))]}
        check = self.publisher.patched(version, audience, id, patch)
        path, question, query = target.partition("?")
        where = f"{path}/items/{id}{question}{query}"
        answer = self.session.admin("PATCH", where, patch, type="application/merge-patch+json")
        if check is None:
            self.agree("patch", where, [answer.status, answer.code], [404, "unknown-resource"])
        else:
            self.compare_publish("patch", f"{where} {json.dumps(patch, ensure_ascii=False)}", answer, version, audience, check)

    def draft(self):
        """Saves a draft and publishes it, sometimes with another change in between."""
        target, version, audience = self.spot()
        path, question, query = target.partition("?")
        document = self.cases.content(self.app, self.app.effective(self.app.timeline(audience)[1], version))
        check = Check(document, self.app.default_language)
        place = f"{path}/draft{question}{query}"
        saved = self.session.admin("PUT", place, document)
        if check.violations or self.publisher.would_reuse(version, audience, check.set):
            self.agree("draft", place, saved.status, 422 if check.violations else 409)
            return
        told = [saved.status, sorted(saved.marked_warnings)]
        self.agree("draft", place, told, [201, sorted(self.publisher.warnings(version, audience, check.set))])
        self.agree("draft as saved", place, self.session.admin("GET", place).json, check.set)
        if self.cases.chance(0.3):
            self.put()
        elif check.set["items"] and self.cases.chance(0.5):
            self.undercut(version, audience, check.set)
        answer = self.session.admin("POST", f"{path}/publish{question}{query}")
        if self.compare_publish("draft", place, answer, version, audience, check) == 409:
            self.session.admin("DELETE", place)
        self.agree("draft is gone", place, self.session.admin("GET", place).status, 404)

    def undercut(self, version, audience, content):
        """Retires an id of the draft in a lower set."""
        lower = self.cases.pick(VERSIONS)
        if numbers(lower) < version:
            retiring = {"items": [], "retired": [{"id": self.cases.pick(content["items"])["id"]}]}
            query = f"?audience={audience}" if audience != "default" else ""
            self.publish(f"{self.place}/sets/{lower}{query}", numbers(lower), audience, json.dumps(retiring))

    def restore(self):
        number = self.random.randint(1, len(self.app.revisions) + 1)
        expected = list(self.publisher.restore(number))
        answer = self.session.admin("POST", f"{self.place}/revisions/{number}/restore")
        self.counts[f"restore {expected[0]}"] += 1
        self.agree("restore", number, self.published(answer)[:2], expected)

    def change_app(self):
        pick = self.cases.pick
        changes = {"name": pick([None, "Notes", "Inbox"]), "fallbackURL": pick([None, *FALLBACKS])}
        self.app.name, self.app.fallback = changes["name"], changes["fallbackURL"]
        self.agree("app", changes, self.session.admin("PATCH", self.place, changes).status, 200)
        tag = pick(["en", "ko", "ja"])
        status = self.publisher.change_default_language(tag)
        self.counts[f"default language {status}"] += 1
        answer = self.session.admin("PATCH", self.place, {"defaultLanguage": tag})
        self.agree("default language", tag, answer.status, status)

    def delete_release(self):
        version, build = self.cases.pick(VERSIONS), self.cases.pick([None, "7", "512"])
        status = self.publisher.delete_release(numbers(version), numbers(build))
        target = f"{self.place}/releases/{version}" + (f"+{build}" if build else "")
        self.counts[f"release {status}"] += 1
        self.agree("release deleted", target, self.session.admin("DELETE", target).status, status)

    def make_again(self):
        """ "An app name's counter never goes back, not even when the app is deleted and made again." """
        self.agree("app deleted", self.place, self.session.admin("DELETE", self.place).status, 204)
        self.app.timelines, self.app.releases = {}, {}
        self.make()
        self.counts["made again"] += 1

    def difference(self):
        if len(self.app.revisions) < 2:
            return
        old, new = (self.random.randint(1, len(self.app.revisions)) for _ in range(2))
        told = self.session.admin("GET", f"{self.place}/diff?from={old}&to={new}").json
        self.counts["diff"] += 1
        told = {"changed": {each["id"]: each["fields"] for each in told["changed"]}, "moved": len(told["moved"]),
                **{name: told[name] for name in ("added", "removed", "set")}}  # fmt: skip
        self.agree("diff", (old, new), told, self.publisher.difference(old, new))
