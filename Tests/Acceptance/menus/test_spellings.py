"""Fetches with the same answer share one cached answer, however they are spelled, and invented requests do not evict cached answers that
are used."""

import json
import random
import re
import zlib

import pytest

from longpress import item


@pytest.fixture(scope="module")
def large(server):
    """60 sets of 20 items: each set but the first reuses half of the previous one's ids."""
    app = "com.example.large"
    assert server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "fallbackURL": "x:home"}).status == 201
    for number in range(60):
        items = [
            item(f"i{number}-{place}", {"en": f"Title {number} {place}", "ko": f"제목 {number} {place}"}, userInfo={"place": place},
                 replaces=[f"i{number - 1}-{place}"] if number and place % 2 else [])
            for place in range(20)
        ]
        assert server.admin("PUT", f"/apps/{app}/sets/{number + 1}.0.0", {"items": items}).status == 201
    return app


def misses(server):
    return int(re.search(r"^longpress_cache_misses_total (\d+)", server.get("/metrics").body.decode(), re.MULTILINE)[1])


# What each request selects, and other spellings of it.
SPELLINGS = [
    ("?lang=ko", {}, [
        ("?lang=KO", {}), ("?lang=ko-KR", {}), ("?lang=ko_KR", {}), ("?x=1&lang=ko&y", {}), ("?lang=ko&audience=default", {}),
        ("?lang=ko&audience=nobody", {}), ("?la%6Eg=ko", {}), ("?lang=ko", {"Accept": "*/*"}),
        ("?lang=ko", {"Accept": "text/html;q=0.3, application/*"}), ("?lang=ko", {"Accept-Language": "fr"}),
        ("?lang=ko", {"Accept-Encoding": "br"}), ("?lang=ko", {"Accept-Encoding": "gzip;q=0"}),
    ]),
    ("", {"Accept-Language": "ko"}, [
        ("", {"Accept-Language": "ko-KR,ko;q=0.9,en;q=0.8"}), ("", {"Accept-Language": "ko_KR"}), ("?x=3", {"Accept-Language": "xx, KO;q=0.1"}),
        ("?audience=nobody", {"Accept-Language": "ko;q=0.5"}),
    ]),
    ("", {}, [("", {"Accept-Language": "fr, de;q=0.5"}), ("", {"Accept-Language": "en"}), ("?x", {"Accept-Language": ""})]),
    ("?build=512", {"Accept-Encoding": "gzip"}, [
        ("?build=0512.0", {"Accept-Encoding": "gzip, deflate, br"}), ("?z=1&build=512", {"Accept-Encoding": "x-gzip"}),
    ]),
    ("", {"Accept": "application/x-plist"}, [("?x=1", {"Accept": "application/x-plist;q=0.5, text/html"})]),
]


@pytest.mark.parametrize("query, fields, others", SPELLINGS)
def test_every_spelling_gets_the_kept_answer(server, mail, query, fields, others):
    def ask(version, query, fields):
        return server.request("GET", f"/v1/apps/{mail}/versions/{version}/shortcuts{query}", fields=fields)

    simple = [ask("1.5.0", query, fields) for _ in range(3)][-1]
    assert simple.status == 200
    # The first request with a new spelling builds the app's table.
    others = [("1.5", query, fields), *(("1.05.0", *each) for each in others)]
    assert ask(*others[0]).status == 200
    before = misses(server)
    for version, query, fields in others:
        answer = ask(version, query, fields)
        own = {"date": 0, "x-request-id": 0}
        assert (answer.body, {**answer.fields, **own}) == (simple.body, {**simple.fields, **own}), (version, query, fields)
        again = ask(version, query, {**fields, "If-None-Match": simple.fields["etag"]})
        assert (again.status, again.body) == (304, b"")
    assert misses(server) == before


def test_a_made_up_version_or_build_costs_no_look_at_the_store(server, large):
    def both(version, build):
        shortcuts = server.shortcuts(large, version, f"?lang=ko&build={build}")
        return shortcuts, server.get(f"/v1/apps/{large}/versions/{version}/continuity")

    for number in range(4):
        both(f"30.{number}", number)
    before = misses(server)
    for number in range(100, 200):
        shortcuts, continuity = both(f"30.{number}", number)
        assert shortcuts.json["version"] == f"30.{number}.0" == continuity.json["version"]
        assert shortcuts.json["items"][3]["userInfo"]["longpress.version"] == f"30.{number}.0+{number}"
        assert shortcuts.fields["content-location"].endswith(f"/30.{number}.0/shortcuts?lang=ko&build={number}")
    assert misses(server) == before


def test_continuity_is_the_same_whether_it_is_compressed_or_not(server, large):
    for number in range(6):
        target = f"/v1/apps/{large}/versions/59.{number}/continuity"
        plain, packed = server.get(target), server.get(target, Accept_Encoding="gzip")
        assert packed.fields["content-encoding"] == "gzip" and packed.fields["etag"] != plain.fields["etag"]
        assert zlib.decompress(packed.body, 31) == plain.body
        assert server.get(target, Accept_Encoding="gzip", If_None_Match=packed.fields["etag"]).status == 304
        table = json.loads(plain.body)
        assert table["version"] == f"59.{number}.0" and len(table["ids"]) == 59 * 20
        assert table["otherwise"] == {"outcome": "removed", "url": "x:home"}


def test_a_bundle_is_cacheable_and_made_once_for_all_versions(server, large):
    target = f"/v1/apps/{large}/versions/59.{{}}.0/bundle"
    for number in (0, 1, 2):
        first = server.get(target.format(number) + f"?build={number}")
    before = misses(server)
    for number in range(10, 30):
        answer = server.get(target.format(number) + f"?build=0{number}&audience=nobody")
        assert answer.body.endswith(b"}\n") and (answer.json["version"], answer.json["continuity"]["version"]) == (f"59.{number}.0",) * 2
        menus = answer.json["shortcuts"]
        stamps = {each["userInfo"]["longpress.version"] for menu in menus.values() for each in menu["items"]}
        assert list(menus) == ["en", "ko"] and stamps == {f"59.{number}.0+{number}"}
        assert answer.fields["content-location"].endswith(f"/59.{number}.0/bundle?build={number}")
        assert answer.fields["vary"] == "Accept-Encoding, Accept" and "content-language" not in answer.fields
    assert misses(server) == before
    packed = server.get(target.format(7), Accept_Encoding="gzip")
    assert zlib.decompress(packed.body, 31) == server.get(target.format(7)).body
    assert server.get(target.format(7), Accept_Encoding="gzip", If_None_Match=packed.fields["etag"]).status == 304
    head = server.request("HEAD", target.format(2) + "?build=2")
    assert (head.status, head.body, head.fields["etag"]) == (200, b"", first.fields["etag"])
    assert server.get(f"/v1/apps/{large}/versions/0.9/bundle").code == "no-shortcut-set"
    assert server.get(f"/v1/apps/{large}/versions/1.x/bundle").code == "invalid-version"
    assert '"build"' in server.get(target.format(2) + "?buildnumber=2").fields["longpress-notice"]


def test_what_a_version_is_stamped_with_is_its_own(server, mail):
    """Versions and builds of every length, fetched often enough to be served from a template."""
    dice = random.Random(7)
    for _ in range(60):
        version = ".".join(str(dice.randrange(10 ** dice.randrange(1, 12))) for _ in range(3))
        version = "1." + version.partition(".")[2]
        build = str(dice.randrange(10 ** dice.randrange(1, 10)))
        answer = server.shortcuts(mail, version, f"?build={build}", Accept_Encoding=dice.choice(["gzip", "identity"]))
        menu = json.loads(zlib.decompress(answer.body, 31) if "content-encoding" in answer.fields else answer.body)
        canonical = ".".join(str(int(part)) for part in version.split("."))
        assert menu["version"] == canonical
        assert {each["userInfo"]["longpress.version"] for each in menu["items"]} == {f"{canonical}+{int(build)}"}


def test_a_publish_is_seen_through_every_spelling(server, mail):
    for number in range(4):
        asked = [("1.9", f"?lang=ko&x={number}", {}), ("1.9.0", "", {"Accept-Language": "ko-KR, en;q=0.1"}), ("1.9.00", "?lang=KO", {})]
        title = f"제목 {number}"
        assert server.admin("PUT", f"/apps/{mail}/sets/1.0", {"items": [item("compose", {"en": "Compose", "ko": title})]}).status == 200
        for _ in range(3):
            for version, query, fields in asked:
                answer = server.request("GET", f"/v1/apps/{mail}/versions/{version}/shortcuts{query}", fields=fields)
                assert answer.json["items"][0]["localizedTitle"] == title


def test_a_parameter_that_looks_like_ours_is_told(server, mail):
    for _ in range(3):
        answer = server.shortcuts(mail, "1.0", "?language=ko")
        assert answer.status == 200 and '"lang"' in answer.fields["longpress-notice"]
        assert "longpress-notice" not in server.shortcuts(mail, "1.0", "?x=ko").fields
        assert "longpress-notice" not in server.shortcuts(mail, "1.0").fields
    assert '"audience"' in server.get(f"/v1/apps/{mail}/versions/1.0/continuity?audiance=guest").fields["longpress-notice"]


def test_a_tap_has_at_most_16_kib(server, mail):
    def tap(size):
        body = json.dumps({"type": "x", "userInfo": {"a": ""}}).replace('"a": ""', '"a": "' + "x" * (size - 40) + '"')
        return server.request("POST", f"/v1/apps/{mail}/versions/1.0/taps", body + " " * (size - len(body)), {"Content-Type": "application/json"})

    assert tap(16 << 10).status == 200
    assert (tap((16 << 10) + 1).status, tap(1 << 20).status) == (413, 413)


def test_an_apps_name_is_never_taken_for_a_place_in_a_template(server):
    app = str(2**63 - 1)
    assert server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"}).status == 201
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose")]}).status == 201
    for _ in range(3):
        answer = server.shortcuts(app, "1.0")
        assert answer.fields["surrogate-key"] == f"app/{app}" and int(answer.fields["content-length"]) == len(answer.body)
