"""Random timelines, requests and taps for the differential test, all from one seeded generator."""

import copy
import json
import plistlib

from model import known_ids
from model_documents import SYSTEM_ICONS

VERSIONS = ["1", "1.5", "2.0", "2.1.0", "2.10", "3.0.1", "20260131.1"]
ASKED = [
    *VERSIONS, "0.9", "01.0", "2.01", "2.9", "2.10.1", "3", "0", "1.5.0", "999999999999999999", "9.0.999999999999999999",
]  # fmt: skip
INVALID = ["1.2.3.4", "1..2", "-1", "1.", ".1", "2.1-beta", "%EF%BC%91.0", "1%20", "1000000000000000000", "+1", "1.0+5", "1.x", "0x1"]
BUILDS = [None, None, "7", "007", "512", "512.0", "1.2", "1.0.2", "0", "999999999999999999"]
BAD_BUILDS = ["x", "1.2.3.4", "-1", "1000000000000000000", "1.", "%D9%A1"]
LANGUAGES = ["en", "ko", "ja", "zh-Hans", "zh-Hant", "zh", "zh-TW", "pt", "pt-BR", "fr-CA", "en-GB", "sr-Latn", "es-419", "i-klingon"]
RANGES = [
    "en", "EN_us", "en-GB", "ko-KR", "ko", "ja-JP", "zh", "zh-TW", "zh_hk", "zh-MO", "zh-CN", "zh-SG", "zh-Hant-TW", "zh-Hans-CN",
    "zh-Hant", "pt-PT", "pt", "PT-br", "fr-CA", "fr", "fr-CA-x-private", "sr-Latn-RS", "sr", "es-419", "es-MX", "de", "en-GB-oxendict",
    "zh-TW-x-a", "zh-yue", "tlh", "I_Klingon", "en-GB-oed", "sgn-BE-FR", "zh_min_nan",
]  # fmt: skip
AUDIENCES = [None, None, "default", "guest", "member", "nobody"]
IDS = [*"abcdefghijkl", "a.b", "A", "new-note_1"]
FRESH = [f"heir-{number}" for number in range(30)]
TYPES = ["open", "search", "compose", "com.example.x", "소식"]
WORDS = ["Compose", "새 메모", "書く", "e\u0301te\u0301", "\u00e9t\u00e9", "Inbox 🎉", "Notes", "My notes", "SEARCH", "Open 3", "\u200b",
         "a\u202eb", "\u2067a\u2069"]
PERSONAL_FAULTS = [
    {}, [], "s", {"source": "S"}, {"source": 1}, {"source": "a" * 33, "limit": 0}, {"source": "s", "limit": 5}, {"source": "s", "limit": 1.0},
    {"source": "s", "limit": True}, {"source": "s", "limit": 10**30}, {"source": "s", "x": 1}, {"source": "s", "sample": []},
    {"source": "s", "sample": {"name": ""}}, {"source": "s", "sample": {"name": 1, "Name": "x"}}, {"source": "s", "sample": {"name": "x" * 256}},
    {"source": "s", "sample": {"other": "x", "name": None}}, {"source": "s", "sample": {f"a{n}": "x" for n in range(21)}},
]  # fmt: skip
SCHEMES = ["notes", "mail", "openMyCardWidget"]
FALLBACKS = ["notes://home", "https://example.com/", "mail:inbox?a=%C3%A9"]
SPECIAL = '\\":/\n\t\r\u2028\u007f😀'


class Random:
    def __init__(self, random, turn=0):
        self.random, self.turn = random, turn

    def some(self, pool, most):
        return self.random.sample(pool, self.random.randint(0, min(most, len(pool))))

    def chance(self, part):
        return self.random.random() < part

    def pick(self, pool):
        return self.random.choice(pool)

    def language_spelling(self, tag):
        return self.pick([tag, tag, tag.lower(), tag.upper(), tag.replace("-", "_")])

    def url(self):
        return self.pick(["https://example.com/a?b=1#c", f"{self.pick(SCHEMES)}://?card=1", f"{self.pick(SCHEMES).upper()}:x/%20y"])

    # Payloads

    def scalar(self):
        return self.pick([
            0, 1, -1, 2**63 - 1, -(2**63), 1.0, 0.0, -0.0, 0.1, -2.5, 1e16, 1e15, 123456789012345680.0, 1e-4, 1e-5,
            1.7976931348623157e308, 5e-324, True, False, "", "text", "é", "e\u0301", SPECIAL, "2",
            {"$date": "2026-01-31T09:00:00Z"}, {"$date": "1969-12-31T23:59:59Z"},
            {"$data": ""}, {"$data": "AAE="}, {"$data": "/+8="},
        ])  # fmt: skip

    def payload(self, depth=1):
        keys = self.some(["a", "B", "é", "e\u0301", "z.z", "\uffe5", "😀", "", "$x", "count"], 4)
        return {key: self.payload_value(depth + 1) for key in keys}

    def payload_value(self, depth):
        if depth < 8 and self.chance(0.2):
            return self.payload(depth) if self.chance(0.5) else [self.payload_value(depth + 1) for _ in range(self.random.randint(0, 3))]
        return self.scalar()

    # Sets

    def texts(self, default, languages):
        chosen = {default, *self.some(languages, 4)}
        return {self.language_spelling(tag): self.pick(WORDS) + (f" {tag}" if self.chance(0.5) else "") for tag in sorted(chosen)}

    def item(self, id, default, languages):
        made = {"id": id, "type": self.pick(TYPES), "title": self.texts(default, languages)}
        if self.chance(0.4):
            made["subtitle"] = {tag: self.pick(WORDS) for tag in self.some(languages, 3)}
        if self.chance(0.5):
            names = {"symbol": ["star", "plus"], "file": ["Compose", "plus"], "type": self.icon_spelling()}
            made["icon"] = {kind: self.pick(names[kind]) for kind in self.some(list(names), 3)}
        if self.chance(0.4):
            made["url"] = self.url()
        if self.chance(0.6):
            made["userInfo"] = self.payload()
        if self.chance(0.2):
            made["targetContentIdentifier"] = self.pick(["scene-1", "é"])
        if self.chance(0.25):
            made["enabled"] = self.chance(0.3)
        if self.chance(0.2):
            self.personalize(made)
        if self.chance(0.1):
            made[self.pick(["subtitle", "icon", "url", "userInfo", "targetContentIdentifier", "enabled", "replaces"])] = None
        return made

    def personalize(self, made):
        made["title"] = {tag: self.pick(["{name} ", "{{{name}}} "]) + text for tag, text in made["title"].items()}
        used = {"name"}
        if self.chance(0.5):
            made["url"] = "notes:x?{address}"
            used.add("address")
        if self.chance(0.3):
            made["userInfo"] = {"who": ["{deep}"], "n": 1}
            used.add("deep")
        made["personal"] = {"source": self.pick(["recent", "files-2"]), "sample": {name: self.pick(WORDS) for name in used}}
        if self.chance(0.6):
            made["personal"]["limit"] = self.pick([1, 2, 3, 4, None])

    def icon_spelling(self):
        index = self.random.randrange(29)
        name = SYSTEM_ICONS[index]
        return [index, name, "UIApplicationShortcutIconType" + name[0].upper() + name[1:]]

    def content(self, app, below):
        """A set derived from `below`: items stay, are changed, replaced, retired or dropped, and some are new."""
        languages = LANGUAGES[:]
        items, retired, kept = [], [], []
        for old in below.items if below else []:
            fate = self.random.random()
            if fate < 0.35:
                items.append(copy.deepcopy(old) if self.chance(0.6) else self.item(old["id"], app.default_language, languages))
                items[-1].pop("replaces", None)
                if self.chance(0.3) and "replaces" in old:
                    items[-1]["replaces"] = old["replaces"]
                kept.append(old["id"])
            elif fate < 0.7:
                items.append(self.item(self.pick([*IDS, *FRESH]), app.default_language, languages) | {"replaces": [old["id"]]})
            elif fate < 0.9:
                retired.append({"id": old["id"]} | ({"url": self.url()} if self.chance(0.5) else {}))
        retired += [{"id": self.pick(IDS)}] if self.chance(0.1) else []
        items += [self.item(id, app.default_language, languages) for id in self.some(IDS, 3)]
        for made in items:
            if self.chance(0.1):
                made["replaces"] = (made.get("replaces") or []) + self.some(IDS, 2)
        self.random.shuffle(items)
        if not self.chance(0.15):
            items = unique(items)
            retired = [entry for entry in retired if entry["id"] not in {made["id"] for made in items}]
            clean(items, retired)
        made = {"items": items}
        if retired or self.chance(0.1):
            made["retired"] = retired
        if self.chance(0.3):
            made["fallbackURL"] = self.pick(FALLBACKS)
        return made

    def patch(self, default):
        """A merge patch of an item. A few make the set invalid."""
        return self.pick([
            {"enabled": self.chance(0.5)}, {"enabled": None}, {"title": {self.language_spelling(self.pick(LANGUAGES)): "T"}},
            {"title": {self.pick(LANGUAGES): None}}, {"title": {default: None}}, {"title": None}, {"subtitle": {"ko": None, "ja": "T"}},
            {"subtitle": None}, {"icon": {"type": "search", "file": None}}, {"icon": {"symbol": "star"}}, {"icon": None},
            {"url": self.url()}, {"url": None}, {"url": "http://x"}, {"userInfo": self.payload()}, {"userInfo": {"a": [None]}},
            {"userInfo": {"a": None, "count": {"z.z": 1.0, "q": None}}}, {"userInfo": {"a": {"$date": "2026-01-31T09:00:00Z"}}},
            {"userInfo": None}, {"id": "other"}, {"id": None},
            {"personal": {"source": "other"}}, {"personal": None}, {"personal": {"limit": 3}}, {"personal": {"limit": 9}},
            {"replaces": None}, {"type": self.pick(TYPES)}, {"type": None}, {"ulr": 1}, {"ulr": None}, {}, {"targetContentIdentifier": "x"},
            {"targetContentIdentifier": None}, *({"replaces": self.some(IDS, most)} for most in (1, 2, 3, 4)),
        ])  # fmt: skip

    # Faults

    def spoil(self, document, default):
        """Adds one violation; `"#…"` texts become bare JSON numbers in `raw`."""
        if not document["items"]:
            document["items"].append(self.item("a", default, LANGUAGES))
        item = self.pick(document["items"])
        info = item["userInfo"] = {**(item.get("userInfo") or {})}
        faults = [
            (info, "n", None), (info, "n", [1, {"x": None}]), (info, "longpress.x", 1), (info, "longpress.", {}),
            (info, "n", nested(8)), (info, "n", nested(7)), (info, "big", "x" * 5000),
            (item, "userInfo", filled(4096)), (item, "userInfo", filled(4097)),
            (info, "m", {"$date": "2026-01-31T09:00:00Z", "x": 1}), (info, "m", {"$data": 5}),
            (info, "m", {"$date": "2026-02-30T09:00:00Z"}), (info, "m", {"$date": "2026-01-31T09:00:00.5Z"}),
            (info, "m", {"$data": "!"}), (info, "m", {"$date": "2026-01-31T09:00:00+00:00"}), (info, "m", {"$data": "AAE"}),
            (info, "i", "#9223372036854775808"), (info, "i", "#-9223372036854775809"), (info, "r", "#1e400"), (info, "t", "\ufffe"),
            (info, "t\u0001", 1), (info, "t", "a\u0000"), (item, "id", None), (item, "id", 5), (item, "id", "-a"),
            (item, "id", "a" * 129), (item, "id", "a b"), (item, "id", ""), (item, "type", None), (item, "type", ""),
            (item, "type", "x" * 256), (item, "type", "x" * 255), (item, "type", "a\nb"), (item, "type", 1), (item, "title", None),
            (item, "title", "text"), (item, "title", {}), (item, "title", {"qq": "other"}), (item, "title", {default: " \u3000"}),
            (item, "title", {default: ""}), (item, "title", {default: "x" * 101}), (item, "title", {default: "e\u0301" * 100}),
            (item, "title", {default: "e\u0301" * 101}), (item, "title", {default: "👨\u200d👩\u200d👧\u200d👦" * 42}),
            (item, "title", {default: 5}), (item, "title", {default: "a\nb"}), (item, "title", {default: "a\u2028b"}),
            (item, "title", {default: "a\u0085b"}), (item, "title", {default: "\uffff"}),
            (item, "title", {"ar_EG": "b", default: "T", "AR-eg": "a"}), (item, "title", {default: "T", "AR-eg": "a", "ar_EG": "b"}),
            (item, "title", {default: "T", "e": "x"}), (item, "title", {default: "T", "en us": "x"}),
            (item, "title", {default: "T", "tlh": "x", "I-klingon": "y"}), (item, "title", {default: "T", "i-other": "x"}),
            (item, "title", {default: "T", "": "x"}), (item, "subtitle", {default: "x" * 201}), (item, "subtitle", {"ko": "가" * 200}),
            (item, "subtitle", {default: "a\rb"}), (item, "subtitle", []), (item, "icon", {"type": "serch"}),
            (item, "icon", {"type": 29}), (item, "icon", {"type": -1}), (item, "icon", {"type": True}), (item, "icon", "search"),
            (item, "icon", {"name": "x"}), (item, "url", "/relative"), (item, "url", "https://exa mple"), (item, "url", "notes://ü"),
            (item, "url", "notes://%zz"), (item, "url", "x://" + "y" * 2045), (item, "url", "x://" + "y" * 2044),
            (item, "url", "http://example.com"), (item, "url", "JavaScript:alert(1)"), (item, "url", 5), (item, "url", "blob:x"),
            (item, "url", ""), (item, "enabled", 1), (item, "enabled", "true"), (item, "ulr", 1), (item, "a.b", 1),
            (item, "replaces", "a"), (item, "replaces", ["-"]), (item, "replaces", [item["id"]]), (item, "replaces", [1]),
            *((item, "personal", rule) for rule in PERSONAL_FAULTS),
            *((document, "items", [{"id": "a", "type": "t", "title": {default: "{x}", "tlh": text}, "personal": {"source": "s", "sample": sample}}])
              for text, sample in (("x", {"x": "X"}), ("{x}{y}", {"x": "X"}), ("{x", {}))),
            *((item, "url", url) for url in ("notes://{name}/x", "notes:{name}//x", "{name}:x", "notes:x?{name", "notes:x?%{name}")),
            (item, "userInfo", []), (document, "retired", [{"id": item["id"]}]), (document, "retired", [{"id": "zz", "when": 1}]),
            (document, "retired", [{}]), (document, "fallbackURL", "nowhere"),
            (document, "retired", [{"id": "zz", "url": "file:///x"}]), (document, "items", None), (document, "items", {}),
            (document, "name", "x"), (document, "items", document["items"] + [copy.deepcopy(item)]),
            *((document, "items", [self.item(f"n{index}", default, ["en"]) for index in range(count)]) for count in (20, 21)),
        ]  # fmt: skip
        # In turn, so that a short run covers all.
        self.turn += 1
        place, name, value = faults[self.turn % len(faults)]
        place[name] = value

    # Taps

    def odd(self, info):
        """A tag as an old app, a bridge or a person with a proxy may have made it."""
        changes = [
            ("schema", "1"), ("schema", 2), ("schema", True), ("schema", "x"), ("schema", None), ("item", "com pose"), ("item", 5),
            ("item", ""), ("item", self.pick(IDS)), ("item", self.pick(IDS)), ("item", self.pick(IDS)), ("version", "junk"),
            ("version", "1.0+x"), ("version", 2), ("version", self.pick(VERSIONS)),
            ("version", self.pick(VERSIONS) + "+" + self.pick(["5", "512.0"])), ("version", self.pick(VERSIONS)), ("revision", "junk"),
            ("revision", str(info.get("longpress.revision"))), ("revision", 10**30), ("revision", -1), ("revision", 1.5),
            ("revision", {}), ("language", 5), ("language", "xx"), ("language", None), ("url", 5), ("action", "0" * 16), ("action", 5),
            ("action", None), ("audience", self.pick(["guest", "member", "nobody", "Not One", 5])), ("more", "x"),
        ]  # fmt: skip
        for _ in range(self.random.randint(1, 2)):
            name, value = self.pick(changes)
            info["longpress." + name] = value
            info |= {"null": None} if self.chance(0.2) else {}
            if value is None and self.chance(0.5):
                del info["longpress." + name]
        return info

    def tag(self, ids):
        return {
            "longpress.schema": 1, "longpress.item": self.pick(sorted(ids) or ["a"]), "longpress.revision": self.random.randint(1, 9),
            "longpress.version": self.pick(VERSIONS) + self.pick(["", "", "+7", "+512"]), "longpress.action": "0" * 16,
            "longpress.language": "en",
        }  # fmt: skip

    def accept(self):
        """An Accept-Language field, None for none."""
        if self.chance(0.5):
            return None
        weights = ["", "", ";q=1", ";q=0.5", "; q=0.8", ";q=0.123", ";q=0"]
        elements = [self.pick([*RANGES, "*"]) + self.pick(weights) for _ in range(self.random.randint(1, 4))]
        return self.pick([", ", ","]).join(elements)


def unique(items):
    return list({made["id"]: made for made in items}.values())


def clean(items, retired):
    """Removes the ids from `replaces` that would conflict within the set."""
    taken = {made["id"] for made in items} | {entry["id"] for entry in retired}
    for made in items:
        if "replaces" in made:
            made["replaces"] = [old for old in dict.fromkeys(made["replaces"] or []) if old not in taken]
            taken |= set(made["replaces"])


def filled(size):
    """A payload of a given size as a binary property list. No value occurs twice, because writers handle duplicates differently."""
    room = size - len(plistlib.dumps({"long": "x" * 1000}, fmt=plistlib.FMT_BINARY)) + 1000
    return {"long": "x" * room}


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value] if levels % 2 else {"k": value}
    return value


def raw(document):
    """JSON in which a text such as `"#1e400"` becomes the number that it names."""
    text = json.dumps(document, ensure_ascii=False)
    for number in ("9223372036854775808", "-9223372036854775809", "1e400"):
        text = text.replace(f'"#{number}"', number)
    return text


def every_id(app):
    return {id for timeline in app.timelines.values() for id in known_ids(timeline.values())}
