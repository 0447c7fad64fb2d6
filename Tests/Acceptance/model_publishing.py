"""What may be published and what is warned of: the second half of the model in model.py."""

import base64
import datetime
import json
import plistlib
import re
import unicodedata

from model import ITEM_ID, Standing, canonical_json, canonical_language, known_ids

SYSTEM_ICONS = (
    "compose play pause add location search share prohibit contact home markLocation favorite love cloud invitation confirmation "
    "mail message date time capturePhoto captureVideo task taskCompleted alarm bookmark shuffle audio update"
).split()
REFUSED_SCHEMES = {"http", "javascript", "data", "file", "about", "blob"}
ITEM_MEMBERS = {"id", "type", "title", "subtitle", "icon", "url", "userInfo", "targetContentIdentifier", "enabled", "replaces"}
LANGUAGE = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*")
URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?:#.*)?")
EMOJI = re.compile("[\U0001f300-\U0001faff]")


def control(text):
    return any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in text)


def carriable(text):
    """ "A character XML 1.0 cannot carry is `text-invalid`." """
    return not re.search("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)


def clusters(text):
    """Grapheme clusters of the texts made here: letters with their combining marks, and emoji joined by U+200D."""
    count, joined = 0, False
    for character in text:
        count += not (joined or unicodedata.combining(character) or character in "\u200d\ufe0f")
        joined = character == "\u200d"
    return count


def member(path, key):
    """ "Keys outside `[A-Za-z0-9_$-]` are written `userInfo["a.b"]`." """
    if not re.fullmatch(r"[A-Za-z0-9_$-]+", key):
        return f"{path}[{json.dumps(key, ensure_ascii=False)}]"
    return f"{path}.{key}" if path else key


class Check:
    """Reads a document as it was sent: `violations` are all that is wrong, `set` is the canonical form where nothing is."""

    def __init__(self, document, default_language):
        self.default_language = default_language
        self.violations = set()
        self.set = self.read(document)
        self.conflicts()

    def say(self, path, code):
        self.violations.add((path, code))

    def read(self, document):
        self.unknown("", document, {"items", "retired", "fallbackURL"})
        said = {"items": []}
        items = document.get("items")
        if items is None:
            self.say("items", "required")
        elif not isinstance(items, list):
            self.say("items", "type-mismatch")
        else:
            if len(items) > 20:
                self.say("items", "too-many-items")
            said["items"] = [self.item(f"items[{index}]", item) for index, item in enumerate(items)]
            self.duplicates("items", items)
        if document.get("retired"):
            said["retired"] = [self.retired(f"retired[{index}]", entry) for index, entry in enumerate(document["retired"])]
        if document.get("fallbackURL") is not None:
            said["fallbackURL"] = self.url("fallbackURL", document["fallbackURL"])
        return said

    def unknown(self, path, document, members):
        for name in document.keys() - members:
            self.say(member(path, name), "unknown-member")

    def duplicates(self, path, items):
        ids = [item.get("id") for item in items]
        for index, id in enumerate(ids):
            if isinstance(id, str) and id in ids[:index]:
                self.say(f"{path}[{index}].id", "duplicate-id")

    def retired(self, path, entry):
        self.unknown(path, entry, {"id", "url"})
        said = {"id": self.id(path + ".id", entry.get("id"))}
        if entry.get("url") is not None:
            said["url"] = self.url(path + ".url", entry["url"])
        return said

    def id(self, path, id):
        if id is None:
            self.say(path, "required")
        elif not isinstance(id, str):
            self.say(path, "type-mismatch")
        elif not ITEM_ID.fullmatch(id):
            self.say(path, "id-invalid")
        return id if isinstance(id, str) else None

    def item(self, path, item):
        """ "`null` for an optional member outside `userInfo` means absent." """
        self.unknown(path, item, ITEM_MEMBERS)
        readers = {
            "subtitle": self.subtitle, "icon": self.icon, "url": self.url, "userInfo": self.user_info, "enabled": self.enabled,
            "targetContentIdentifier": lambda _, text: text, "replaces": self.replaces,
        }  # fmt: skip
        said = {
            "id": self.id(path + ".id", item.get("id")), "type": self.type(path + ".type", item.get("type")),
            "title": self.title(path + ".title", item.get("title")),
        }  # fmt: skip
        for name, read in readers.items():
            if item.get(name) is not None:
                value = read(f"{path}.{name}", item[name])
                # What says nothing is what its absence says: no icon, no payload, nothing replaced, enabled.
                if not (value in ({}, []) or (name == "enabled" and value is True)):
                    said[name] = value
        return said

    def type(self, path, type):
        """ "1-255 characters, no control characters" """
        if type is None:
            self.say(path, "required")
        elif not isinstance(type, str):
            self.say(path, "type-mismatch")
        elif not 1 <= clusters(type) <= 255 or control(type):
            self.say(path, "type-invalid")
        return type

    def texts(self, path, texts, read):
        """One text a language; "one language under two spellings is `duplicate-language`"."""
        if not isinstance(texts, dict):
            self.say(path, "type-mismatch")
            return {}
        said = {}
        for tag, text in texts.items():
            place = member(path, tag)
            if not LANGUAGE.fullmatch(tag):
                self.say(place, "language-invalid")
            elif text is None:
                continue
            elif canonical_language(tag) in said:
                self.say(place, "duplicate-language")
            else:
                said[canonical_language(tag)] = text
                read(place, text) if isinstance(text, str) else self.say(place, "type-mismatch")
        return said

    def title(self, path, title):
        """ "Title 1-100 characters (grapheme clusters), not all white space, present in the app's default language; no control
        characters or line breaks; at most 1,024 bytes." """
        if title is None:
            self.say(path, "required")
            return {}
        said = self.texts(path, title, self.title_text)
        if isinstance(title, dict) and self.default_language not in said:
            self.say(member(path, self.default_language), "title-missing")
        return said

    def title_text(self, path, text):
        if not text.strip():
            self.say(path, "title-empty")
        if clusters(text) > 100 or len(text.encode()) > 1024:
            self.say(path, "title-too-long")
        if control(text) or not carriable(text):
            self.say(path, "text-invalid")

    def subtitle(self, path, subtitle):
        def read(place, text):
            if clusters(text) > 200 or len(text.encode()) > 2048:
                self.say(place, "subtitle-too-long")
            if control(text) or not carriable(text):
                self.say(place, "text-invalid")

        return self.texts(path, subtitle, read)

    def icon(self, path, icon):
        """ "Accepts `search`, `UIApplicationShortcutIconTypeSearch` or the raw number; stored as `search`." """
        if not isinstance(icon, dict):
            self.say(path, "type-mismatch")
            return {}
        self.unknown(path, icon, {"symbol", "file", "type"})
        said = {name: value for name, value in icon.items() if value is not None}
        if "type" in said:
            said["type"] = self.icon_type(path + ".type", said["type"])
        return said

    def icon_type(self, path, type):
        if isinstance(type, bool) or not isinstance(type, (int, str)):
            self.say(path, "type-mismatch")
            return None
        long = {"UIApplicationShortcutIconType" + name[0].upper() + name[1:]: name for name in SYSTEM_ICONS}
        known = dict(enumerate(SYSTEM_ICONS)) | long | {name: name for name in SYSTEM_ICONS}
        if type not in known:
            self.say(path, "icon-type-unknown")
        return known.get(type)

    def url(self, path, url):
        """ "An absolute URI, at most 2,048 bytes; https or a custom scheme; `http`, `javascript`, `data`, `file`, `about`, `blob`
        are refused." """
        if not isinstance(url, str):
            self.say(path, "type-mismatch")
        elif len(url.encode()) > 2048:
            self.say(path, "url-too-long")
        elif not (read := URI.fullmatch(url)):
            self.say(path, "url-invalid")
        elif read[1].lower() in REFUSED_SCHEMES:
            self.say(path, "url-scheme")
        return url

    def enabled(self, path, value):
        if not isinstance(value, bool):
            self.say(path, "type-mismatch")
        return value

    def replaces(self, path, ids):
        if not isinstance(ids, list):
            self.say(path, "type-mismatch")
            return []
        for index, id in enumerate(ids):
            if id in ids[:index]:
                self.say(f"{path}[{index}]", "duplicate-id")
        return [self.id(f"{path}[{index}]", id) for index, id in enumerate(ids)]

    # userInfo

    def user_info(self, path, info):
        """ "Property-list dictionary, at most 4,096 bytes as a binary plist; top-level keys that start with `longpress.` are
        reserved." """
        if not isinstance(info, dict):
            self.say(path, "type-mismatch")
            return {}
        for key in info:
            if key.startswith("longpress."):
                self.say(member(path, key), "userinfo-key-reserved")
        before = len(self.violations)
        self.value(path, info, 1)
        if len(self.violations) == before and len(plistlib.dumps(plain(info), fmt=plistlib.FMT_BINARY)) > 4096:
            self.say(path, "userinfo-too-large")
        return info

    def value(self, path, value, depth):
        """ "Containers nested at most 8 deep counting userInfo as 1, integers in Int64, finite reals"; there is no null."""
        if value is None:
            self.say(path, "userinfo-null")
        elif isinstance(value, str):
            if not carriable(value):
                self.say(path, "text-invalid")
        elif isinstance(value, float):
            if value in (float("inf"), float("-inf")):
                self.say(path, "real-out-of-range")
        elif isinstance(value, int) and not isinstance(value, bool):
            if not -(2**63) <= value < 2**63:
                self.say(path, "integer-out-of-range")
        elif isinstance(value, dict) and depth > 1 and value.keys() & {"$date", "$data"}:
            self.marker(path, value)
        elif isinstance(value, (dict, list)):
            self.container(path, value, depth)

    def container(self, path, value, depth):
        if depth > 8:
            self.say(path, "userinfo-too-deep")
        elif isinstance(value, list):
            for index, each in enumerate(value):
                self.value(f"{path}[{index}]", each, depth + 1)
        else:
            for key, each in value.items():
                if not carriable(key):
                    self.say(member(path, key), "text-invalid")
                self.value(member(path, key), each, depth + 1)

    def marker(self, path, value):
        """ "Dates as `{"$date": "2026-01-31T09:00:00Z"}` (whole seconds, `Z`), data as `{"$data": "base64"}`, each the sole key, else
        `marker-invalid`." """
        ((name, text),) = list(value.items())[:1]
        date = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
        encoded = r"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
        if len(value) != 1:
            self.say(path, "marker-invalid")
        elif name == "$date" and not (isinstance(text, str) and re.fullmatch(date, text) and readable(text)):
            self.say(path + ".$date", "date-invalid")
        elif name == "$data" and not (isinstance(text, str) and re.fullmatch(encoded, text)):
            self.say(path + ".$data", "data-invalid")

    # Within one set

    def conflicts(self):
        """ "An item that replaces itself or a sibling, an id both retired and present, two heirs of one id, an id replaced and
        retired are 422 `replaces-conflict`." """
        present = {item["id"] for item in self.set["items"]} - {None}
        heirs = set()
        for index, item in enumerate(self.set["items"]):
            replaced = item.get("replaces", [])
            for place, old in enumerate(replaced):
                if old in present | heirs:
                    self.say(f"items[{index}].replaces[{place}]", "replaces-conflict")
            heirs.update(set(replaced) - {None})
        for index, entry in enumerate(self.set.get("retired", [])):
            if entry["id"] in present | heirs:
                self.say(f"retired[{index}].id", "replaces-conflict")


def readable(date):
    try:
        return datetime.datetime.strptime(date, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None


def plain(value):
    """A payload as plistlib takes it."""
    if isinstance(value, dict) and len(value) == 1:
        if "$date" in value:
            return readable(value["$date"])
        if "$data" in value:
            return base64.b64decode(value["$data"])
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def reused(standings):
    """Whether, read from its first version up, an id that a set replaces or retires is an item of a later set."""
    gone = set()
    for each in sorted(standings, key=lambda each: each.version):
        if any(item["id"] in gone for item in each.items):
            return True
        gone |= {old for item in each.items for old in item.get("replaces", [])} | {entry["id"] for entry in each.set.get("retired", [])}
    return False


class Publisher:
    """Publishing into an App of the model; every method gives (status, revision or code)."""

    def __init__(self, app):
        self.app = app

    def put(self, version, audience, content):
        """ "Publishing makes an immutable revision, an integer that grows by one per app with every publish, whatever the set.
        Publishing what is already published (equal after canonicalisation) changes nothing." """
        timeline = self.app.timelines.setdefault(audience, {})
        standing = timeline.get(version)
        if standing and canonical_json(standing.set) == canonical_json(content):
            return 200, standing.revision
        if reused([each for each in timeline.values() if each.version != version] + [Standing(version, 0, content)]):
            return 409, "id-reused"
        revision = self.record("published", version, audience, content)
        timeline[version] = Standing(version, revision, content)
        return (200 if standing else 201), revision

    def record(self, kind, version, audience, content):
        self.app.revisions.append((kind, version, audience, content))
        return len(self.app.revisions)

    def delete(self, version, audience):
        """ "Deleting a set is a revision too. What a deleted set said is forgotten." """
        if version not in self.app.timelines.get(audience, {}):
            return 404, "unknown-resource"
        del self.app.timelines[audience][version]
        return 200, self.record("deleted", version, audience, None)

    def restore(self, number):
        """ "A roll-back publishes an old content as a new revision." A deletion has no content (decision 2)."""
        if not 1 <= number <= len(self.app.revisions):
            return 404, "unknown-resource"
        kind, version, audience, content = self.app.revisions[number - 1]
        status, said = (409, "conflict") if kind == "deleted" else self.put(version, audience, content)
        return (200 if status == 201 else status), said

    def difference(self, old, new):
        """The ids added and removed, the members that changed, and how few items must move."""
        before, after = (self.app.revisions[number - 1][3] or {"items": []} for number in (old, new))
        olds, news = ({item["id"]: item for item in content["items"]} for content in (before, after))
        both = [id for id in news if id in olds]
        return {
            "added": [id for id in news if id not in olds], "removed": [id for id in olds if id not in news],
            "moved": len(both) - common([id for id in olds if id in news], both),
            "changed": {id: fields for id in both if (fields := changes(olds[id], news[id]))},
            "set": changes({**before, "items": 0}, {**after, "items": 0}),
        }  # fmt: skip

    # Warnings, to be taken before the publish

    def warnings(self, version, audience, content):
        """The (path, code) of each. "Warnings, never errors, taken against every known release of the set's stretch." """
        return {
            *self.of_menus(version, audience, content), *self.of_titles(version, audience, content),
            *self.of_releases(version, audience, content), *self.of_ids(version, audience, content),
        }  # fmt: skip

    def stretch(self, version, audience):
        """The releases with a version in it, and those with the one before, where none starts with the set (decision 2)."""
        end = min((other for other in self.app.timelines.get(audience, {}) if other > version), default=None)
        releases = sorted(self.app.releases.values(), key=lambda release: release.place)
        within = [each for each in releases if version <= each.version and (end is None or each.version < end)]
        before = [] if any(each.version == version for each in within) else [each for each in releases if each.version < version][-1:]
        return within, before + within

    def of_menus(self, version, audience, content):
        """ "`over-budget`; `static-twin` (same type and title as a static item)" """
        _, shown = self.stretch(version, audience)
        budget = min([4, *(max(0, 4 - len(release.statics)) for release in shown)])
        if sum(item.get("enabled", True) for item in content["items"]) > budget:
            yield "items", "over-budget"
        twins = {(static["type"], static["title"]) for release in shown for static in release.statics}
        for index, item in enumerate(content["items"]):
            if any((item["type"], title) in twins for title in item["title"].values()):
                yield f"items[{index}]", "static-twin"

    def of_titles(self, version, audience, content):
        """ "`title-emoji`, `title-app-name`" """
        within, _ = self.stretch(version, audience)
        names = {self.app.name, *(release.display_name for release in within)} - {None}
        for index, item in enumerate(content["items"]):
            for tag, title in item["title"].items():
                if EMOJI.search(title):
                    yield member(f"items[{index}].title", tag), "title-emoji"
                if any(name.lower() in title.lower() for name in names):
                    yield member(f"items[{index}].title", tag), "title-app-name"

    def of_releases(self, version, audience, content):
        """ "`asset-missing`; `scheme-undeclared`"; "a release whose assets are not known warns of none"; schemes are compared
        "case-insensitively"."""
        within, _ = self.stretch(version, audience)
        urls = [(f"items[{index}].url", item.get("url")) for index, item in enumerate(content["items"])]
        urls += [(f"retired[{index}].url", entry.get("url")) for index, entry in enumerate(content.get("retired", []))]
        urls += [("fallbackURL", content.get("fallbackURL"))]
        for release in within:
            declared = {"https", *(scheme.lower() for scheme in release.schemes)}
            yield from ((path, "scheme-undeclared") for path, url in urls if url and url.partition(":")[0].lower() not in declared)
            if release.assets is not None:
                images, symbols = (set(release.assets.get(kind, [])) for kind in ("images", "symbols"))
                for index, item in enumerate(content["items"]):
                    for kind, there in (("symbol", symbols), ("file", images | symbols)):
                        if (name := item.get("icon", {}).get(kind)) is not None and name not in there:
                            yield f"items[{index}].icon.{kind}", "asset-missing"

    def of_ids(self, version, audience, content):
        """ "`id-dropped` (an id that was in the previous revision or the previous version's set and is neither here, replaced nor
        retired); `unknown-id`." """
        timeline = self.app.timelines.get(audience, {})
        below = max((other for other in timeline if other < version), default=None)
        former = {item["id"] for place in (version, below) if place in timeline for item in timeline[place].items}
        if former - known_ids([Standing(version, 0, content)]):
            yield "items", "id-dropped"
        seen = {item["id"] for _, _, where, old in self.app.revisions if old and where == audience for item in old["items"]}
        for index, item in enumerate(content["items"]):
            for place, old in enumerate(item.get("replaces", [])):
                if old not in seen:
                    yield f"items[{index}].replaces[{place}]", "unknown-id"


def changes(old, new):
    """By member; null where it was not there."""
    names = {name for name in old.keys() | new.keys() if canonical_json(old.get(name)) != canonical_json(new.get(name))}
    return {name: {"old": old.get(name), "new": new.get(name)} for name in names}


def common(old, new):
    """The length of the longest common order."""
    lengths = [0] * (len(new) + 1)
    for left in old:
        former = lengths[:]
        for index, right in enumerate(new):
            lengths[index + 1] = former[index] + 1 if left == right else max(former[index + 1], lengths[index])
    return lengths[-1]
