"""Text from editors is shown as text everywhere."""

import re

import pytest

from playwright.sync_api import expect
from longpress import item
from rooms import entered, item_of, saved, write

MARKUP = "<img src=x onerror=document.title='taken'>"
TEXTS = [MARKUP, "</script><script>document.title='taken'</script>", "\u202egnp.exe\u2066", "javascript:alert(1)", "{{7*7}}", "\u0301\u0301\u0301 zalgo", "👩‍👩‍👧‍👦" * 20]
ROOMS = ["", "/gap", "/history", "/releases", "/taps", "/sets/1.0.0/default", "/revisions/1"]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:12].encode("ascii", "backslashreplace").decode())
def test_an_editors_text_is_shown_as_text(text, enter, console, server, app):
    document = {"items": [item("a", text, type=text, subtitle={"en": text}, userInfo={text: text, "__proto__": {"x": text}}, targetContentIdentifier=text, icon={"symbol": text})]}
    answer = server.admin("PUT", f"/apps/{app}/sets/1.0", document)
    assert answer.status == 201, answer.body
    server.admin("PATCH", f"/apps/{app}", {"name": text})
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": []})
    server.admin("PUT", f"/apps/{app}/releases/1.0", {"staticItems": [{"type": text, "title": text, "subtitle": text}], "displayName": text})
    page = enter()
    for room in ROOMS:
        page.goto(console + f"#/apps/{app}{room}")
        entered(page)
        assert "taken" not in page.title()
        assert page.locator("main img, main script, main iframe").count() == 0
    page.goto(console + f"#/apps/{app}/sets/1.0.0/default")
    expect(item_of(page, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value(text)


def test_user_info_goes_through_the_editor_unharmed(enter, server, app):
    body = '{"items": [{"id": "a", "type": "t", "title": {"en": "A"}, "userInfo": {"__proto__": 1, "big": 9007199254740993, "one": 1, "real": 1.0, "tiny": 1e-7, "on": true}}]}'
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", body=body).status == 201
    before = re.search(rb'"userInfo":\{[^}]*\}', server.admin("GET", f"/apps/{app}/sets/1.0").body)[0]
    page = enter(place=f"#/apps/{app}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "B")
    saved(page)
    draft = server.admin("GET", f"/apps/{app}/sets/1.0/draft").body
    assert re.search(rb'"userInfo":\{[^}]*\}', draft)[0] == before


def test_long_titles_are_refused_in_words(enter, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "long " * 4000)
    expect(item_of(page, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("status")).to_contain_text("to correct")


def test_scripts_and_markup_have_no_way_in(enter, console):
    page = enter()
    attempts = ["document.body.innerHTML = '<b>x</b>'", "document.createElement('script').text = '1'", "document.body.setAttribute('onclick', '1')", "setTimeout('1')"]
    for attempt in attempts:
        assert page.evaluate(f"() => {{ try {{ {attempt}; return false }} catch {{ return true }} }}"), attempt
    enter.errors.clear()


def test_a_token_never_stands_in_an_address(enter, console):
    page = enter()
    for address in (page.url, *(entry for entry in page.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => name)"))):
        assert "owner-token" not in address
    assert page.evaluate("() => Object.keys(localStorage).length + Object.keys(sessionStorage).length") == 0
    assert page.evaluate("() => document.cookie") == ""
