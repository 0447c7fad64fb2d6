"""Versions, languages and canonical JSON as the contract has them: what the model in model.py is made of."""

import hashlib
import json
import re


# Versions


def numbers(text):
    """The three numbers of a version or build, None where it is none.

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
    """The (version, build) of `2.1.0+512`, None where it is none."""
    version, plus, build = text.partition("+") if isinstance(text, str) else ("", "", "")
    read = (numbers(version), numbers(build) if plus else None)
    return None if read[0] is None or (plus and read[1] is None) else read


# Languages


def canonical_language(text):
    """ "BCP 47 tags, case-insensitive, `_` read as `-`; stored and served in canonical case (`zh-Hant`, `pt-BR`)." """
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


# "`zh-TW`, `zh-HK`, `zh-MO` → `zh-Hant`; `zh`, `zh-CN`, `zh-SG` → `zh-Hans`"
CHINESE = {"zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-MO": "zh-Hant", "zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-SG": "zh-Hans"}


def candidates(wanted):
    """What RFC 4647 section 3.4 tries for a range, the script of a Chinese region before the truncation of it; only a range
    that says `zh` itself means `zh-Hans` (decision 2: a script is not guessed)."""
    subtags = canonical_language(wanted).split("-")
    whole = True
    while subtags:
        tag = "-".join(subtags)
        yield tag
        if tag in CHINESE and (whole or tag != "zh"):
            yield CHINESE[tag]
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()
        whole = False


def weighted(accept):
    """The ranges of an Accept-Language field with their weights (RFC 9110 section 12.5.4)."""
    for element in accept.split(","):
        wanted, *parameters = [part.strip() for part in element.split(";")]
        weight = next((float(p[2:]) for p in parameters if p.lower().startswith("q=")), 1.0)
        if wanted:
            yield wanted, weight


def matched(available, default, lang=None, accept=None):
    """ "From `?lang=` (one range and the last word: no match is the default language) or else `Accept-Language` with its
    weights, else the app's default language." A `*` says nothing about which one (RFC 4647 section 3.4)."""
    ranges = [(lang, 1.0)] if lang is not None else list(weighted(accept or ""))
    refused = {canonical_language(wanted) for wanted, weight in ranges if weight == 0}
    for wanted, weight in sorted(ranges, key=lambda range: -range[1]):
        if weight > 0 and wanted != "*":
            for tag in candidates(wanted):
                if tag in available and tag not in refused:
                    return tag
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
    return hashlib.sha256(canonical_json(hashed).encode()).hexdigest()[:16]
