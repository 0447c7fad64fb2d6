"""The update gap: what a person sees between an update and its first launch, and what a release is told beforehand."""

import json
import subprocess

import pytest

from longpress import BINARY, item


@pytest.fixture
def mail(server, app):
    """1.0 has two items; 2.0 brings a static one, renames the first and retires the second."""
    server.admin("PATCH", f"/apps/{app}", {"fallbackURL": "mail://inbox"})
    releases = {"1.0": {"urlSchemes": ["mail"]}, "2.0": {
        "build": "7", "urlSchemes": ["mail"], "staticItems": [{"type": "search", "title": "SEARCH"}]}}
    for version, document in releases.items():
        assert server.admin("PUT", f"/apps/{app}/releases/{version}", document).status == 201
    sets = {
        "1.0": {"items": [item("compose", {"en": "Compose", "ko": "쓰기"}), item("drafts", {"en": "Drafts", "ko": "임시"}, enabled=True)]},
        "2.0": {"items": [item("new-message", {"en": "New Message", "ko": "새 메시지"}, replaces=["compose"], url="mail://compose")],
                "retired": [{"id": "drafts", "url": "mail://drafts"}]},
    }
    for version, document in sets.items():
        answer = server.admin("PUT", f"/apps/{app}/sets/{version}", document)
        assert answer.status == 201 and answer.warnings == set(), answer.body
    return app


def simulate(server, app, query, **fields):
    return server.admin("GET", f"/apps/{app}/simulate{query}", **fields)


def rows(menu):
    return [(entry["kind"], entry["id"], entry["title"], entry["tap"]["outcome"], entry["tap"]["item"]) for entry in menu]


def test_between_update_and_first_launch_new_static_items_stand_before_old_dynamic_ones(server, mail):
    answer = simulate(server, mail, "?from=1.5&to=2.0&lang=ko")
    assert answer.status == 200 and answer.fields["content-type"] == "application/json"
    told = answer.json
    assert rows(told["menu"]) == [
        ("static", None, "SEARCH", "static", None), ("dynamic", "compose", "쓰기", "replaced", "new-message"),
        ("dynamic", "drafts", "임시", "retired", None)]
    assert told["menu"][2]["tap"] == {"outcome": "retired", "origin": "past", "item": None, "url": "mail://drafts", "refresh": True}
    assert all(entry["visible"] for entry in told["menu"]) and told["hidden"] == []
    assert told["positions"] == {"top": ["SEARCH", "쓰기", "임시"], "bottom": ["임시", "쓰기", "SEARCH"]}
    after = told["afterLaunch"]
    assert rows(after["menu"]) == [("static", None, "SEARCH", "static", None), ("dynamic", "new-message", "새 메시지", "current", "new-message")]
    assert (after["added"], after["removed"], after["changed"]) == (["new-message"], ["compose", "drafts"], [])


def test_the_simulated_tap_is_what_the_client_plane_answers(server, mail):
    told = simulate(server, mail, "?from=1.5%2B3&to=2.0.0+7").json
    assert (told["from"], told["to"]) == ("1.5.0+3", "2.0.0+7")
    served = server.shortcuts(mail, "1.5", "?build=3").json["items"]
    for entry, registered in zip([entry for entry in told["menu"] if entry["kind"] == "dynamic"], served, strict=True):
        tap = {"type": registered["type"], "userInfo": registered["userInfo"], "build": "7"}
        answer = server.tap(mail, "2.0", tap).json
        acted = (answer["item"] or {}).get("userInfo", {}).get("longpress.item")
        assert entry["tap"] == {**{name: answer[name] for name in ("outcome", "origin", "url", "refresh")}, "item": acted}


@pytest.mark.parametrize(("query", "status", "code", "word"), [
    ("?to=2.0", 400, "invalid-parameter", "from"), ("?from=2.0", 400, "invalid-parameter", "to"),
    ("", 400, "invalid-parameter", "from and to"), ("?from=2.0&to=", 400, "invalid-version", "to"),
    ("?from=2.0-beta&to=3", 400, "invalid-version", "2.0-beta"), ("?from=1&to=2&lang=!", 400, "invalid-parameter", "lang"),
    ("?from=1&to=2&audience=A", 400, "invalid-parameter", "audience"), ("?from=1&to=2&x=1", 400, "invalid-parameter", "x"),
    ("?from=1&from=2&to=2", 400, "invalid-parameter", "from"),
])
def test_a_simulation_that_cannot_be_read_is_refused(server, mail, query, status, code, word):
    answer = simulate(server, mail, query)
    assert (answer.status, answer.code) == (status, code)
    assert word in answer.json["detail"]


def test_a_simulation_is_drawn_on_request(server, mail):
    answer = simulate(server, mail, "?from=1.0&to=2.0", Accept="text/plain")
    assert answer.fields["content-type"] == "text/plain; charset=utf-8"
    text = answer.body.decode()
    assert "2. Compose: replaced, acts on new-message (New Message), which took it over" in text
    assert text.index("├ Compose") < text.index("└ Drafts") < text.index("┌ Drafts") < text.rindex("├ Compose")
    assert simulate(server, mail, "?from=1.0&to=2.0", Accept="image/png").code == "not-acceptable"
    assert simulate(server, "com.example.nowhere", "?from=1.0&to=2.0").code == "unknown-app"
    assert simulate(server, mail, "?from=1.0&to=2.0", token=None).status == 401


def command(server, *arguments, database=None):
    done = subprocess.run([str(BINARY), *arguments, "--database", str(database or server.database)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_bundle_is_what_the_client_plane_answers(server, mail):
    ask = ("bundle", "--app", mail, "--version", "2.0", "--build", "7")
    status, out, _ = command(server, *ask)
    assert status == 0 and command(server, *ask)[1] == out
    bundle = json.loads(out)
    assert (bundle["app"], bundle["version"], bundle["audience"], bundle["revision"], bundle["defaultLanguage"]) == (
        mail, "2.0.0", "default", 2, "en")
    assert list(bundle["shortcuts"]) == ["en", "ko"]
    for language, menu in bundle["shortcuts"].items():
        assert menu == server.shortcuts(mail, "2.0", f"?lang={language}&build=7").json
    assert bundle["continuity"] == server.get(f"/v1/apps/{mail}/versions/2.0/continuity").json
    status, out, err = command(server, "bundle", "--app", mail, "--version", "0.1")
    assert (status, out) == (1, "") and "0.1.0" in err
