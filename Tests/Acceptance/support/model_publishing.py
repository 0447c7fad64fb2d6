"""Publishing and its warnings: how an App of model.py changes."""

import copy
import re
import unicodedata

from model import Client, Standing, known_ids
from model_documents import Check, member
from model_values import canonical_json, canonical_language

EMOJI = re.compile("[\U0001f300-\U0001faff]")


def closes(text):
    """Whether every embedding and isolate is closed in order, and there are no overrides (UAX #9)."""
    kept = "".join(each for each in text or "" if each in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    while (shorter := re.sub("[\u202a\u202b]\u202c|[\u2066-\u2068]\u2069", "", kept)) != kept:
        kept = shorter
    return not kept


def reused(standings):
    """Whether an id that a set replaces or retires is an item of a later set."""
    gone = set()
    for each in sorted(standings, key=lambda each: each.version):
        if any(item["id"] in gone for item in each.items):
            return True
        gone |= {old for item in each.items for old in item.get("replaces", [])} | {entry["id"] for entry in each.set.get("retired", [])}
    return False


class Publisher:
    """Publishes into an App of the model. Every method returns (status, revision or code)."""

    def __init__(self, app):
        self.app = app

    def put(self, version, audience, content):
        """ "Publishing makes an immutable revision, an integer that grows by one per app with every publish, whatever the set.
        Publishing what is already published (equal after canonicalisation) changes nothing." """
        timeline = self.app.timelines.setdefault(audience, {})
        standing = timeline.get(version)
        if standing and canonical_json(standing.set) == canonical_json(content):
            return 200, standing.revision
        if self.would_reuse(version, audience, content):
            return 409, "id-reused"
        revision = self.record("published", version, audience, content)
        timeline[version] = Standing(version, revision, content)
        return (200 if standing else 201), revision

    def would_reuse(self, version, audience, content):
        others = [each for each in self.app.timelines.get(audience, {}).values() if each.version != version]
        return reused([*others, Standing(version, 0, content)])

    def record(self, kind, version, audience, content):
        self.app.revisions.append((kind, version, audience, content))
        return len(self.app.revisions)

    def delete(self, version, audience):
        """ "Deleting a set is a revision too. What a deleted set said is forgotten." """
        if version not in self.app.timelines.get(audience, {}):
            return 404, "unknown-resource"
        del self.app.timelines[audience][version]
        return 200, self.record("deleted", version, audience, None)

    def unresolvable(self, version, audience):
        """The warnings of a deletion: "Deleting one warns of the ids that become unresolvable", at some version from the set's on, where a
        tap on them resolved before."""
        timeline, lost = self.app.timelines[audience], set()
        standing = timeline[version]
        places = [other for line in (timeline, self.app.timelines.get("default", {})) for other in line if other >= version]
        before = {place: self.outcomes(audience, place) for place in places}
        del timeline[version]
        for place in places:
            after = self.outcomes(audience, place)
            lost |= {id for id, outcome in before[place].items() if outcome != "removed" and after.get(id, "removed") == "removed"}
        timeline[version] = standing
        return lost

    def outcomes(self, audience, version):
        table = self.app.continuity(Client(version, audience=audience))
        return {id: entry["outcome"] for id, entry in table["ids"].items()} if table else {}

    def patched(self, version, audience, id, patch):
        """The set with one item patched by RFC 7396; None if the item does not exist. "An item's id cannot be changed; null removes";
        languages are read like those of a set (decision 2)."""
        standing = self.app.timelines.get(audience, {}).get(version)
        if standing is None or standing.item(id) is None:
            return None
        document = copy.deepcopy(standing.set)
        place = standing.items.index(standing.item(id))
        patch = dict(patch)
        for name in ("title", "subtitle"):
            if isinstance(patch.get(name), dict):
                patch[name] = {canonical_language(tag): text for tag, text in patch[name].items()}
        document["items"][place] = merged(document["items"][place], patch)
        check = Check(document, self.app.default_language)
        if document["items"][place].get("id") != id:
            check.violations = {each for each in check.violations if each[0] != f"items[{place}].id"}
            check.say(f"items[{place}].id", "id-invalid")
        return check

    def change_default_language(self, tag):
        """Answers 409 if a published item would have no title (decision 2)."""
        standing = [each for line in self.app.timelines.values() for each in line.values()]
        if any(tag not in item["title"] for each in standing for item in each.items):
            return 409
        self.app.default_language = tag
        return 200

    def delete_release(self, version, build):
        """ "`DELETE` without a build means the last one." """
        known = [each for each in self.app.releases.values() if each.version == version and build in (None, each.build)]
        if not known:
            return 404
        last = max(known, key=lambda release: release.place)
        del self.app.releases[last.version, last.build]
        return 200

    def restore(self, number):
        """Restores a revision. "A roll-back publishes an old content as a new revision." A deletion has no content (decision 2), and the
        content may lack a title in a new default language."""
        if not 1 <= number <= len(self.app.revisions):
            return 404, "unknown-resource"
        kind, version, audience, content = self.app.revisions[number - 1]
        if kind == "deleted":
            return 409, "conflict"
        if any(self.app.default_language not in item["title"] for item in content["items"]):
            return 422, "invalid-document"
        status, said = self.put(version, audience, content)
        return (200 if status == 201 else status), said

    def difference(self, old, new):
        """The added and removed ids, the changed members, and the smallest number of moved items."""
        before, after = (self.app.revisions[number - 1][3] or {"items": []} for number in (old, new))
        olds, news = ({item["id"]: item for item in content["items"]} for content in (before, after))
        both = [id for id in news if id in olds]
        return {
            "added": [id for id in news if id not in olds], "removed": [id for id in olds if id not in news],
            "moved": len(both) - common([id for id in olds if id in news], both),
            "changed": {id: fields for id in both if (fields := changes(olds[id], news[id]))},
            "set": changes({**before, "items": 0}, {**after, "items": 0}),
        }  # fmt: skip

    # Warnings. They are computed before the publish.

    def warnings(self, version, audience, content):
        """The (path, code, new) of each. "Warnings, never errors, each `{path, code, message, new}` (`new`: what stands does not have it),
        taken against every known release of the set's stretch." `new` compares with the published set of the same version and audience. Two
        warnings are the same if they are about the same thing (decision 2)."""
        standing = self.app.timelines.get(audience, {}).get(version)
        known = {(code, *about) for _, code, *about in self.found(version, audience, standing.set)} if standing else set()
        found = self.found(version, audience, content)
        return {(path, code, (code, *about) not in known) for path, code, *about in found}

    def found(self, version, audience, content):
        """The (path, code, subject…) of each."""
        return {
            *self.of_menus(version, audience, content), *self.of_titles(version, audience, content),
            *self.of_releases(version, audience, content), *self.of_ids(version, audience, content),
        }  # fmt: skip

    def stretch(self, version, audience):
        """The releases whose version the set covers. If none has the set's first version, also those with the version before it (decision
        2)."""
        end = min((other for other in self.app.timelines.get(audience, {}) if other > version), default=None)
        releases = sorted(self.app.releases.values(), key=lambda release: release.place)
        within = [each for each in releases if version <= each.version and (end is None or each.version < end)]
        before = [] if any(each.version == version for each in within) else [each for each in releases if each.version < version][-1:]
        return within, before + within

    def of_menus(self, version, audience, content):
        """ "`over-budget`; `static-twin` (same type and title as a static item)" """
        _, shown = self.stretch(version, audience)
        budget = min([4, *(max(0, 4 - len(release.statics)) for release in shown)])
        if sum(item.get("personal", {}).get("limit", 1) for item in content["items"] if item.get("enabled", True)) > budget:
            yield "items", "over-budget"
        for index, item in enumerate(content["items"]):
            for release in shown:
                twins = {(static["type"], static["title"]) for static in release.statics}
                if any((item["type"], title) in twins for title in item["title"].values()):
                    yield f"items[{index}]", "static-twin", item["id"], release.place

    def of_titles(self, version, audience, content):
        """ "`title-emoji`, `title-app-name`, `title-invisible`, `text-direction`" """
        within, _ = self.stretch(version, audience)
        names = {self.app.name, *(release.display_name for release in within)} - {None}
        for index, item in enumerate(content["items"]):
            for tag, title in item["title"].items():
                if EMOJI.search(title):
                    yield member(f"items[{index}].title", tag), "title-emoji", item["id"], tag
                if any(name.lower() in title.lower() for name in names):
                    yield member(f"items[{index}].title", tag), "title-app-name", item["id"], tag
            for name in ("title", "subtitle"):
                for tag, text in (item.get(name) or {}).items():
                    if text and all(unicodedata.category(each) in ("Cc", "Cf", "Zs", "Zl", "Zp") for each in text):
                        yield member(f"items[{index}].{name}", tag), "title-invisible", item["id"], name, tag
                    if not closes(text):
                        yield member(f"items[{index}].{name}", tag), "text-direction", item["id"], name, tag

    def of_releases(self, version, audience, content):
        """Warnings about releases: "`asset-missing`; `scheme-undeclared`"; "a release whose assets are not known warns of none"; schemes
        are compared "case-insensitively"."""
        within, _ = self.stretch(version, audience)
        urls = [(f"items[{index}].url", item["id"], item.get("url")) for index, item in enumerate(content["items"])]
        urls += [(f"retired[{index}].url", entry["id"], entry.get("url")) for index, entry in enumerate(content.get("retired", []))]
        urls += [("fallbackURL", None, content.get("fallbackURL"))]
        for release in within:
            declared = {"https", *(scheme.lower() for scheme in release.schemes)}
            for path, owner, url in urls:
                if url and (scheme := url.partition(":")[0].lower()) not in declared:
                    yield path, "scheme-undeclared", owner, scheme, release.place
            if release.assets is not None:
                images, symbols = (set(release.assets.get(kind, [])) for kind in ("images", "symbols"))
                for index, item in enumerate(content["items"]):
                    for kind, there in (("symbol", symbols), ("file", images | symbols)):
                        if (name := item.get("icon", {}).get(kind)) is not None and name not in there:
                            yield f"items[{index}].icon.{kind}", "asset-missing", item["id"], name, release.place

    def resolved(self, version, audience, content):
        """The ids that resolve at this version or a later one if the content is published."""
        timelines = self.app.timelines
        self.app.timelines = {**timelines, audience: {**timelines.get(audience, {}), version: Standing(version, 0, content)}}
        tables = [self.outcomes(audience, other) for other in self.app.timelines[audience] if other >= version]
        self.app.timelines = timelines
        return {id for outcomes in tables for id, outcome in outcomes.items() if outcome != "removed"}

    def of_ids(self, version, audience, content):
        """Warnings about ids: "`id-dropped` (an id that was in the previous revision or the previous version's set and is neither here,
        replaced nor retired)", and "every id that this timeline ever served and that nothing resolves", at this version or a later one;
        "`unknown-id`." """
        timeline = self.app.timelines.get(audience, {})
        below = max((other for other in timeline if other < version), default=None)
        former = {item["id"] for place in (version, below) if place in timeline for item in timeline[place].items}
        seen = {item["id"] for _, _, where, old in self.app.revisions if old and where == audience for item in old["items"]}
        for id in (former - known_ids([Standing(version, 0, content)])) | (seen - self.resolved(version, audience, content)):
            yield "items", "id-dropped", id
        for index, item in enumerate(content["items"]):
            for place, old in enumerate(item.get("replaces", [])):
                if old not in seen:
                    yield f"items[{index}].replaces[{place}]", "unknown-id", old
        for index, entry in enumerate(content.get("retired", [])):
            if entry["id"] not in seen:
                yield f"retired[{index}].id", "unknown-id", entry["id"]


def changes(old, new):
    """Old and new value by member; null if absent."""
    names = {name for name in old.keys() | new.keys() if canonical_json(old.get(name)) != canonical_json(new.get(name))}
    return {name: {"old": old.get(name), "new": new.get(name)} for name in names}


def common(old, new):
    """The length of a longest common subsequence."""
    lengths = [0] * (len(new) + 1)
    for left in old:
        former = lengths[:]
        for index, right in enumerate(new):
            lengths[index + 1] = former[index] + 1 if left == right else max(former[index + 1], lengths[index])
    return lengths[-1]


def merged(target, patch):
    """JSON Merge Patch, RFC 7396 section 2."""
    if not isinstance(patch, dict):
        return patch
    said = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            said.pop(name, None)
        else:
            said[name] = merged(said.get(name), value)
    return said
