"""A second implementation of the contract's rules, written from its sentences (quoted above each rule) without reading the sources.

test_differential.py compares the running program with it. If the two disagree, the contract decides.
"""

import re
from dataclasses import dataclass, field

from model_values import action, matched, stamp, version_text

ITEM_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")

@dataclass
class Release:
    version: tuple
    build: tuple | None
    statics: list = field(default_factory=list)
    schemes: list = field(default_factory=list)
    assets: dict | None = None
    display_name: str | None = None

    @property
    def place(self):
        """ "(version, build) is compared, never the build alone. Between releases a missing build sorts first." """
        return (self.version, self.build is not None, self.build or ())


@dataclass
class Standing:
    """A published set of a timeline, in its canonical form."""

    version: tuple
    revision: int
    set: dict

    @property
    def items(self):
        return self.set["items"]

    def item(self, id):
        return next((item for item in self.items if item["id"] == id), None)

    def retired(self, id):
        return next((entry for entry in self.set.get("retired", []) if entry["id"] == id), None)

    def heir(self, id):
        return next((item for item in self.items if id in item.get("replaces", [])), None)

    @property
    def enabled(self):
        """ "A disabled item stays known and is not served." """
        return [item for item in self.items if item.get("enabled", True)]


@dataclass
class Client:
    """A client: a version, perhaps a build, a language and an audience."""

    version: tuple
    build: tuple | None = None
    lang: str | None = None
    accept: str | None = None
    audience: str | None = None


class App:
    def __init__(self, id, default_language, name=None, fallback=None):
        self.id, self.default_language, self.name, self.fallback = id, default_language, name, fallback
        self.releases = {}
        self.timelines = {}
        self.revisions = []

    # What is in effect

    def timeline(self, audience):
        """ "A client that asks for an audience without a timeline is served the default one, and the answer says which audience
        it got. Whether an audience has a timeline does not depend on the version." """
        if not self.timelines.get(audience or "default"):
            audience = "default"
        return audience or "default", sorted(self.timelines.get(audience or "default", {}).values(), key=lambda each: each.version)

    @staticmethod
    def effective(timeline, version):
        """ "The effective set is the one with the greatest starting version that is not above it." """
        return next((each for each in reversed(timeline) if each.version <= version), None)

    def release(self, client):
        """The release of a client. "Of the release with the greatest (version, build) not above it"; "where only one of two sides names a
        build, builds are not compared"."""

        def above(release):
            if release.version != client.version or client.build is None or release.build is None:
                return release.version > client.version
            return release.build > client.build

        known = [release for release in self.releases.values() if not above(release)]
        return max(known, key=lambda release: release.place, default=None)

    def budget(self, client):
        """ "`visibleBudget = max(0, 4 - static)`"; "with none known, none are assumed and the budget is 4"."""
        release = self.release(client)
        return max(0, 4 - len(release.statics)) if release else 4

    # What is served

    def language(self, standing, client):
        """ "Over the title languages of the set's enabled items." """
        return matched({tag for item in standing.enabled for tag in item["title"]}, self.default_language, client.lang, client.accept)

    def served(self, standing, item, client, audience):
        """ "Where the chosen one lacks an item's title the default language's row (title and subtitle together) is served; where
        it lacks only the subtitle, there is none." """
        chosen = self.language(standing, client)
        row = chosen if chosen in item["title"] else self.default_language
        tag = {
            "longpress.schema": 1, "longpress.item": item["id"], "longpress.version": version_text(client.version, client.build),
            "longpress.revision": standing.revision, "longpress.language": row, "longpress.action": action(item),
        }  # fmt: skip
        if audience != "default":
            tag["longpress.audience"] = audience
        if "url" in item:
            tag["longpress.url"] = item["url"]
        answer = {"type": item["type"], "localizedTitle": item["title"][row]}
        if rule := item.get("personal"):
            answer |= {"source": rule["source"], "limit": rule.get("limit", 1)}
            if item in standing.enabled:
                answer["at"] = standing.enabled.index(item)
        else:
            plain = [each for each in standing.enabled if "personal" not in each]
            answer["visible"] = item in plain and plain.index(item) < self.budget(client)
        answer["userInfo"] = item.get("userInfo", {}) | tag
        if row in item.get("subtitle", {}):
            answer["localizedSubtitle"] = item["subtitle"][row]
        if "icon" in item:
            names = {"symbol": "systemImageName", "file": "templateImageName", "type": "type"}
            answer["icon"] = {names[kind]: name for kind, name in item["icon"].items()}
        if "targetContentIdentifier" in item:
            answer["targetContentIdentifier"] = item["targetContentIdentifier"]
        return answer

    def menu(self, client):
        """The answer to a fetch; None for "404 `no-shortcut-set`, a client older than every set"."""
        audience, timeline = self.timeline(client.audience)
        standing = self.effective(timeline, client.version)
        if standing is None:
            return None
        personal = [self.served(standing, item, client, audience) for item in standing.enabled if "personal" in item]
        return ({"personal": personal} if personal else {}) | {
            "app": self.id, "version": version_text(client.version), "audience": audience, "revision": standing.revision,
            "effectiveFrom": version_text(standing.version), "language": self.language(standing, client),
            "visibleBudget": self.budget(client),
            "items": [self.served(standing, item, client, audience) for item in standing.enabled if "personal" not in item],
        }  # fmt: skip

    # What a tap means

    def walk(self, timeline, standing, id):
        """ "Walk the timeline as it stands from its first set up to the effective one: an item that `replaces` the id gives its
        own id, `retired` ends the walk. Landing in the effective set → `replaced`; ended → `retired`." """
        for each in timeline:
            if each.version > standing.version:
                break
            if heir := each.heir(id):
                id = heir["id"]
            elif entry := each.retired(id):
                return "retired", entry
        found = standing.item(id)
        return ("replaced", found) if found else ("removed", None)

    def walk_back(self, timeline, standing, id, version):
        """ "After a downgrade walk back from the set in effect at the tag's version: an item's id gives the first of those it
        `replaces` that the effective set has, else the first; stop as soon as the effective set has it." """
        for each in reversed([each for each in timeline if standing.version < each.version <= version]):
            former = (each.item(id) or {}).get("replaces", [])
            if former:
                id = next((old for old in former if standing.item(old)), former[0])
            if found := standing.item(id):
                return "replaced", found
        return "removed", None

    def resolve(self, timeline, standing, id, future_version=None):
        """The resolution of an id that the effective set does not have: first through successors, then through predecessors (decision
        2)."""
        outcome, found = self.walk(timeline, standing, id)
        if outcome == "removed" and future_version:
            outcome, found = self.walk_back(timeline, standing, id, future_version)
        return outcome, found

    def nearest(self, standing, entry=None):
        """ "The nearest fallback: the retired entry's url, the effective set's, the app's, or null." """
        return (entry or {}).get("url") or (standing.set.get("fallbackURL") if standing else None) or self.fallback

    def tap(self, client, type, info):
        """The answer to a tap. "The audience: the body's, else the tag's, else `default`." """
        audience, timeline = self.timeline(client.audience or text_or_none(info.get("longpress.audience")))
        standing = self.effective(timeline, client.version)
        tapped = {key: value for key, value in info.items() if not key.startswith("longpress.")}
        tag = usable(info)
        origin = compared(tag[1], client) if tag else "unknown"

        def answer(outcome, item=None, url=None):
            """ "`refresh` is false only for `current` with origin `same`, and for `static`." """
            refresh = not (outcome == "static" or (outcome == "current" and origin == "same"))
            shown = self.served(standing, item, client, audience) if item else None
            if item and "personal" in item:  # "`item: null`, the fallback as `url`, and the template in `personal`"
                told = {"item": None, "url": self.nearest(standing), "personal": shown}
                return told | {"outcome": outcome, "origin": origin, "refresh": refresh, "tapped": tapped}
            return {"outcome": outcome, "origin": origin, "item": shown, "url": url, "refresh": refresh, "tapped": tapped}

        if tag is None:
            return self.untagged(client, type, standing, answer)
        if standing is None:  # "Installed below every set: 200, `removed` with a tag."
            return answer("removed", url=self.nearest(None))
        if item := standing.item(tag[0]):
            return answer(self.sameness(self.served(standing, item, client, audience)["userInfo"], info), item)
        outcome, found = self.resolve(timeline, standing, tag[0], tag[1][0] if origin == "future" else None)
        return answer(outcome, found) if outcome == "replaced" else answer(outcome, url=self.nearest(standing, found))

    def untagged(self, client, type, standing, answer):
        """ "No usable tag: a static item of the release with that type → `static`; exactly one enabled item of the effective set
        with that type → `untagged`, with it; else `unknown`." """
        release = self.release(client)
        if release and any(static["type"] == type for static in release.statics):
            return answer("static")
        alike = [item for item in standing.enabled if item["type"] == type] if standing else []
        return answer("untagged", alike[0]) if len(alike) == 1 else answer("unknown", url=self.nearest(standing))

    @staticmethod
    def sameness(served, info):
        """ "Same action hash → `current` when revision and language are the served ones, else `equivalent`; another or no hash →
        `changed`." """
        if info.get("longpress.action") != served["longpress.action"]:
            return "changed"
        alike = info.get("longpress.language") == served["longpress.language"]
        return "current" if alike and integer(info.get("longpress.revision")) == served["longpress.revision"] else "equivalent"

    # The whole table

    def continuity(self, client):
        """ "Every id known up to a version and what becomes of it, with the action hash of the live ones." """
        audience, timeline = self.timeline(client.audience)
        standing = self.effective(timeline, client.version)
        if standing is None:
            return None
        table = {}
        for id in known_ids([each for each in timeline if each.version <= standing.version]):
            outcome, found = ("current", standing.item(id)) if standing.item(id) else self.resolve(timeline, standing, id)
            if outcome in ("current", "replaced"):
                table[id] = {"outcome": outcome, "item": found["id"], "action": action(found)}
                table[id]["url"] = self.nearest(standing) if "personal" in found else None
            else:
                table[id] = {"outcome": outcome, "item": None, "action": None, "url": self.nearest(standing, found)}
        told = {"app": self.id, "version": version_text(client.version), "audience": audience}
        otherwise = {"outcome": "removed", "url": self.nearest(standing)}
        return told | {"revision": standing.revision, "ids": table, "otherwise": otherwise}


def known_ids(timeline):
    """All ids in the sets: of items, replaced and retired."""
    return {
        id for each in timeline for id in [item["id"] for item in each.items]
        + [old for item in each.items for old in item.get("replaces", [])] + [entry["id"] for entry in each.set.get("retired", [])]
    }  # fmt: skip


def text_or_none(value):
    return value if isinstance(value, str) else None


def integer(value):
    """ "Integers are also read from their decimal text." """
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def usable(info):
    """The (id, (version, build)) of a tag. "A tag is usable when `longpress.schema` is 1, the item fits the id pattern and the
    version parses. An odd revision, language, url or action is never an error." """
    id, version = info.get("longpress.item"), stamp(info.get("longpress.version"))
    if integer(info.get("longpress.schema")) != 1 or not isinstance(id, str) or not ITEM_ID.fullmatch(id) or version is None:
        return None
    return id, version


def compared(tagged, client):
    """ "`same`, `past`, `future` by comparing the tag's version with the installed one"; "a tap's origin then compares versions
    only" where one side names no build."""
    both = tagged[1] is not None and client.build is not None
    tag, installed = (tagged, (client.version, client.build)) if both else (tagged[0], client.version)
    return "same" if tag == installed else "past" if tag < installed else "future"
