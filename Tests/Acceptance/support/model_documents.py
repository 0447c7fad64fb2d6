"""The rules for a set: a document as it was sent, its violations and its canonical form."""

import base64
import datetime
import json
import plistlib
import re
import unicodedata
import urllib.parse

from model import ITEM_ID
from model_values import GRANDFATHERED, canonical_language, language

SYSTEM_ICONS = (
    "compose play pause add location search share prohibit contact home markLocation favorite love cloud invitation confirmation "
    "mail message date time capturePhoto captureVideo task taskCompleted alarm bookmark shuffle audio update"
).split()
REFUSED_SCHEMES = {"http", "javascript", "data", "file", "about", "blob"}
ITEM_MEMBERS = {"id", "type", "title", "subtitle", "icon", "url", "userInfo", "targetContentIdentifier", "enabled", "replaces", "personal"}
LANGUAGE = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*")
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([a-z][A-Za-z0-9]{0,31})\}|[{}]")
URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?:#.*)?")


def placeholders(text):
    """The names in a template; None for a brace alone."""
    found = list(PLACEHOLDER.finditer(text))
    return None if any(each[0] in "{}" for each in found) else [each[1] for each in found if each[1]]


def filled(url, values):
    """The URL with percent-encoded values; None without a value."""
    if any(name not in values for name in placeholders(url)):
        return None
    braces = {"{{": "%7B", "}}": "%7D"}
    return PLACEHOLDER.sub(lambda part: braces.get(part[0]) or urllib.parse.quote(values[part[1]], safe=""), url)


def control(text):
    return any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in text)


def carriable(text):
    """ "A character XML 1.0 cannot carry is `text-invalid`." """
    return not re.search("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)


def clusters(text):
    """Counts grapheme clusters of generated texts: letters with combining marks, and emoji joined by U+200D."""
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
    """Checks a document as it was sent: `violations` lists all violations, `set` is the canonical form if there are none."""

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
            self.duplicates("retired", document["retired"])
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
            "targetContentIdentifier": lambda _, text: text, "replaces": self.replaces, "personal": self.personal,
        }  # fmt: skip
        if item.get("personal") is not None:
            readers["url"] = self.template_url
            self.templates(path, item)
        said = {
            "id": self.id(path + ".id", item.get("id")), "type": self.type(path + ".type", item.get("type")),
            "title": self.title(path + ".title", item.get("title")),
        }  # fmt: skip
        for name, read in readers.items():
            if item.get(name) is not None:
                value = read(f"{path}.{name}", item[name])
                # A default value is equal to an absent member: no icon, no payload, nothing replaced, enabled.
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
        """Reads one text per language; "one language under two spellings is `duplicate-language`"."""
        if not isinstance(texts, dict):
            self.say(path, "type-mismatch")
            return {}
        said = {}
        for tag, text in texts.items():
            place = member(path, tag)
            if not LANGUAGE.fullmatch(tag) and canonical_language(tag) not in GRANDFATHERED:
                self.say(place, "language-invalid")
            elif text is None:
                continue
            elif language(canonical_language(tag)) in map(language, said):
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

    # Personal items

    def personal(self, path, rule):
        """`source` is `[a-z][a-z0-9-]{0,31}`, `limit` 1 to 4 (default 1), `sample` texts of 1 to 255 characters by placeholder."""
        if not isinstance(rule, dict):
            self.say(path, "type-mismatch")
            return {}
        self.unknown(path, rule, {"source", "limit", "sample"})
        said = {}
        if rule.get("source") is None:
            self.say(path + ".source", "required")
        elif not isinstance(rule["source"], str):
            self.say(path + ".source", "type-mismatch")
        else:
            said["source"] = rule["source"]
            if not re.fullmatch(r"[a-z][a-z0-9-]{0,31}", rule["source"]):
                self.say(path + ".source", "source-invalid")
        limit = rule.get("limit", 1)
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
            self.say(path + ".limit", "type-mismatch")
        elif limit not in (None, 1):
            said["limit"] = limit
            if not 1 <= limit <= 4:
                self.say(path + ".limit", "integer-out-of-range")
        if sample := self.sample(path + ".sample", rule.get("sample")):
            said["sample"] = sample
        return said

    def sample(self, path, sample):
        if sample is not None and not isinstance(sample, dict):
            self.say(path, "type-mismatch")
            return {}
        said = {name: text for name, text in (sample or {}).items() if text is not None}
        if len(sample or {}) > 20:
            self.say(path, "too-many-items")
        for name, text in said.items():
            if not re.fullmatch(r"[a-z][A-Za-z0-9]{0,31}", name):
                self.say(member(path, name), "placeholder-invalid")
            elif not isinstance(text, str):
                self.say(member(path, name), "type-mismatch")
            elif not 1 <= clusters(text) <= 255 or len(text.encode()) > 2048 or control(text) or not carriable(text):
                self.say(member(path, name), "text-invalid")
        return said

    def templates(self, path, item):
        """"Every language of a title uses the same placeholders", and each placeholder has a sample value, each sample value a
        placeholder."""
        used = [name for field in ("title", "subtitle") for name in self.rows(f"{path}.{field}", item.get(field))]
        if isinstance(item.get("url"), str):
            used += placeholders(item["url"]) or []
        used += self.strings(path + ".userInfo", item.get("userInfo"))
        rule = item["personal"]
        sample = rule.get("sample") if isinstance(rule, dict) else []
        if not isinstance(sample := {} if sample is None else sample, dict):
            return
        given = {name for name, text in sample.items() if text is not None}
        for name in set(used) - given:
            self.say(f"{path}.personal.sample.{name}", "placeholder-undeclared")
        for name in given - set(used):
            if re.fullmatch(r"[a-z][A-Za-z0-9]{0,31}", name):
                self.say(f"{path}.personal.sample.{name}", "placeholder-unused")

    def rows(self, path, texts):
        rows = {}
        for tag, text in texts.items() if isinstance(texts, dict) else ():
            if isinstance(text, str):
                rows[tag] = placeholders(text)
                if rows[tag] is None:
                    self.say(member(path, tag), "placeholder-invalid")
        rows = {tag: set(names) for tag, names in rows.items() if names is not None}
        first = next((names for tag, names in rows.items() if canonical_language(tag) == self.default_language), None)
        first = next(iter(rows.values()), set()) if first is None else first
        for tag, names in rows.items():
            if names != first:
                self.say(member(path, tag), "placeholders-differ")
        return [name for names in rows.values() for name in names]

    def strings(self, path, value):
        if isinstance(value, str):
            names = placeholders(value)
            if names is None:
                self.say(path, "placeholder-invalid")
            return names or []
        if isinstance(value, list):
            return [name for index, each in enumerate(value) for name in self.strings(f"{path}[{index}]", each)]
        if isinstance(value, dict) and not value.keys() & {"$date", "$data"}:
            return [name for key, each in value.items() for name in self.strings(member(path, key), each)]
        return []

    def template_url(self, path, url):
        """ "No placeholder in a URL's scheme or authority", whatever the values are."""
        if not isinstance(url, str) or len(url.encode()) > 2048:
            return self.url(path, url)
        if placeholders(url) is None:
            self.say(path, "placeholder-invalid")
            return url
        empty, dashed = (filled(url, dict.fromkeys(placeholders(url), value)) for value in ("", "-"))
        front = re.match(r"[^:/?#]*(:(//[^/?#]*)?)?", url)[0]
        if re.search("[{}]", front) or re.match(r"[^:/?#]*(:(//[^/?#]*)?)?", empty)[0] != front:
            self.say(path, "placeholder-misplaced")
            return url
        before = len(self.violations)
        self.url(path, empty)
        if len(self.violations) == before:
            self.url(path, dashed)
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
    """A payload as plistlib accepts it."""
    if isinstance(value, dict) and len(value) == 1:
        if "$date" in value:
            return readable(value["$date"])
        if "$data" in value:
            return base64.b64decode(value["$data"])
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value
