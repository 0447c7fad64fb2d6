"""Versions, languages and canonical JSON by the contract. The model in model.py is built from them."""

import hashlib
import json
import re


# Versions


def numbers(text):
    """The three numbers of a version or build; None if it is invalid.

    "One to three period-separated non-negative decimal integers (ASCII digits). Missing parts are zero, leading zeros do not
    count." "Parts of up to 18 digits are valid; longer, empty, signed, full-width or non-numeric parts are `invalid-version`."
    """
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]{1,18}(\.[0-9]{1,18}){0,2}", text):
        return None
    parts = [int(part) for part in text.split(".")]
    return tuple(parts + [0] * (3 - len(parts)))


def version_text(version, build=None):
    """ "Canonical text: three parts, `2.1.0`." "Without trailing `.0`: `512`, `1.2`. Written `2.1.0+512`." """
    text = ".".join(map(str, version))
    return text if build is None else f"{text}+{build_text(build)}"


def build_text(build):
    return re.sub(r"(\.0){1,2}$", "", ".".join(map(str, build)))


def stamp(text):
    """The (version, build) of `2.1.0+512`; None if it is invalid."""
    version, plus, build = text.partition("+") if isinstance(text, str) else ("", "", "")
    read = (numbers(version), numbers(build) if plus else None)
    return None if read[0] is None or (plus and read[1] is None) else read


# Languages


def canonical_language(text):
    """ "BCP 47 tags (grandfathered ones too), case-insensitive, `_` read as `-`; stored and served in canonical case (`zh-Hant`,
    `pt-BR`)." """
    subtags = text.replace("_", "-").lower().split("-")
    said = [subtags[0]]
    for before, subtag in zip(subtags, subtags[1:]):
        if len(before) == 1 or any(len(each) == 1 for each in said):
            said.append(subtag)
        elif len(subtag) == 4 and subtag.isalpha():
            said.append(subtag.title())
        else:
            said.append(subtag.upper() if len(subtag) == 2 else subtag)
    return "-".join(said)


# RFC 5646 section 2.2.8, with the values that the IANA registry prefers today (decision 2: the tags are stored as sent, and looked up by
# the preferred value too).
GRANDFATHERED = {
    "en-GB-oed": "en-GB-oxendict", "i-ami": "ami", "i-bnn": "bnn", "i-default": None, "i-enochian": None, "i-hak": "hak",
    "i-klingon": "tlh", "i-lux": "lb", "i-mingo": None, "i-navajo": "nv", "i-pwn": "pwn", "i-tao": "tao", "i-tay": "tay", "i-tsu": "tsu",
    "sgn-BE-FR": "sfb", "sgn-BE-NL": "vgt", "sgn-CH-DE": "sgg", "art-lojban": "jbo", "cel-gaulish": None, "no-bok": "nb",
    "no-nyn": "nn", "zh-guoyu": "cmn", "zh-hakka": "hak", "zh-min": None, "zh-min-nan": "nan", "zh-xiang": "hsn",
}  # fmt: skip


def language(tag):
    """The language of a tag: "one language under two spellings"."""
    return GRANDFATHERED.get(tag) or tag


# "`zh-TW`, `zh-HK`, `zh-MO` → `zh-Hant`; `zh`, `zh-CN`, `zh-SG` → `zh-Hans`"
CHINESE = {"zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-MO": "zh-Hant", "zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-SG": "zh-Hans"}


def candidates(wanted):
    """The candidates of RFC 4647 section 3.4 for a range. For a Chinese region, the script comes before the truncated range. If the range
    names a script, no other is tried (decision 2: a script is not guessed)."""
    subtags = canonical_language(wanted).split("-")
    tried = []
    while subtags:
        tried.append("-".join(subtags))
        if tried[-1] in CHINESE and not any(tag.startswith(("zh-Hant", "zh-Hans")) for tag in tried):
            tried.append(CHINESE[tried[-1]])
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return tried


def weighted(accept):
    """The ranges of an Accept-Language field with their weights (RFC 9110 section 12.5.4)."""
    for element in accept.split(","):
        wanted, *parameters = [part.strip() for part in element.split(";")]
        weight = next((float(p[2:]) for p in parameters if p.lower().startswith("q=")), 1.0)
        if wanted:
            yield wanted, weight


def matched(available, default, lang=None, accept=None):
    """The chosen language: "From `?lang=` (one range and the last word: no match is the default language) or else `Accept-Language` with
    its weights, else the app's default language." A `*` does not select a language (RFC 4647 section 3.4)."""
    ranges = [(lang, 1.0)] if lang is not None else list(weighted(accept or ""))
    refused = {canonical_language(wanted) for wanted, weight in ranges if weight == 0}
    for wanted, weight in sorted(ranges, key=lambda range: -range[1]):
        if weight > 0 and wanted != "*":
            for tag in candidates(wanted):
                same = [tag] if tag in available else sorted(each for each in available if language(each) == language(tag))
                if same and same[0] not in refused:
                    return same[0]
    return default


# Documents


def canonical_json(value):
    """ "UTF-8, no white space, members sorted by their UTF-8 bytes, integers in decimal, reals as the shortest round trip with a
    point or an exponent, absent members left out." """
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode())
        return "{" + ",".join(f"{canonical_json(name)}:{canonical_json(each)}" for name, each in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def action(item):
    """ "First 16 hex digits of SHA-256 over the canonical JSON of `{type, url, userInfo, targetContentIdentifier}`"; "an empty
    `userInfo` = absent"."""
    hashed = {name: item[name] for name in ("type", "url", "targetContentIdentifier") if name in item}
    if item.get("userInfo"):
        hashed["userInfo"] = item["userInfo"]
    if "personal" in item:
        hashed["personal"] = {"source": item["personal"]["source"]}
    return hashlib.sha256(canonical_json(hashed).encode()).hexdigest()[:16]
