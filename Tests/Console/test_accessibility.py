"""Every page, light and dark, narrow and wide: axe finds no violation, and nothing is wider than the screen."""

import pytest

from longpress import item
from rooms import entered

ROOMS = {
    "apps": "#/apps", "timeline": "#/apps/{app}", "an empty timeline": "#/apps/{empty}", "update gap": "#/apps/{app}/gap", "history": "#/apps/{app}/history",
    "taps": "#/apps/{app}/taps", "releases": "#/apps/{app}/releases", "settings": "#/apps/{app}/settings",
    "a revision": "#/apps/{app}/revisions/2", "a roll-out": "#/apps/{app}/rollouts/2.0.0/member", "editor": "#/apps/{app}/sets/2.0.0/default",
    "translations": "#/apps/{app}/sets/2.0.0/default?view=translations",
    "webhooks": "#/webhooks", "a webhook": "#/webhooks/{webhook}", "tokens": "#/tokens", "nodes": "#/nodes", "about": "#/about", "nowhere": "#/nowhere",
}


@pytest.fixture(scope="module")
def names(server):
    """An app with data on each page, and an empty app."""
    app, empty = "com.example.rooms", "com.example.rooms-empty"
    for name in (app, empty):
        server.admin("PUT", f"/apps/{name}", {"defaultLanguage": "en", "name": "Mail", "fallbackURL": "mail://home"})
    static = {"type": "search", "title": "Search", "icon": {"type": "search"}}
    for version, statics in {"1.0": [], "2.0": [static]}.items():
        server.admin("PUT", f"/apps/{app}/releases/{version}", {"build": "7", "staticItems": statics, "urlSchemes": ["mail"]})
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("old", "Old"), item("gone", "Gone")]})
    texts = {"en": "New", "ko": "새 메시지", "de": "Donaudampfschifffahrtsgesellschaftskapitänsnachricht", "ar": "رسالة جديدة"}
    items = [item("new", texts, subtitle={"de": "Ohne Vorlage " * 8}, icon={"type": "compose"}, replaces=["old"], userInfo={"when": {"$date": "2026-01-31T09:00:00Z"}, "list": [1, 1.5, True]})]
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": items + [item(f"n{place}", f"Number {place}", icon={"symbol": "star"}) for place in range(5)], "retired": [{"id": "gone"}]})
    server.admin("PUT", f"/apps/{app}/sets/2.0?audience=member", {"items": [item("club", "Club")]})
    server.admin("PUT", f"/apps/{app}/sets/2.0/candidate?audience=member&share=10", {"items": [item("club", "Our club")]})
    server.admin("PUT", f"/apps/{app}/sets/3.0/draft", {"items": []})
    for id in ("old", "gone", "lost"):
        server.tap(app, "2.0", {"type": "t", "userInfo": {"longpress.schema": 1, "longpress.item": id, "longpress.version": "1.0.0"}})
    webhook = server.admin("POST", "/webhooks", {"url": "http://127.0.0.1:9/closed", "apps": [app]}).json["id"]
    server.admin("POST", f"/webhooks/{webhook}/ping")
    server.admin("POST", "/tokens", {"name": "Team", "role": "reader"})
    return {"app": app, "empty": empty, "webhook": webhook}


def violations(page):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_rooms_have_no_violation(width, scheme, enter, console, names):
    page = enter(viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    found = {}
    for room, place in ROOMS.items():
        page.goto(console + place.format(**names))
        entered(page)
        if wrong := violations(page):
            found[room] = wrong
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, room
        assert page.locator("h1").count() == 1, room
    assert found == {}


SMALL = """
() => [...document.querySelectorAll("a, button, input, select, summary, [tabindex='0']")].flatMap((target) => {
  const box = target.getBoundingClientRect();
  const isShown = target.checkVisibility() && box.width > 1 && box.height > 1;
  return isShown && (box.width < 23.9 || box.height < 23.9) ? [`${target.outerHTML.slice(0, 80)} ${box.width}x${box.height}`] : [];
})
"""
# What is drawn at the middle of the focused element is the element or a part of it.
COVERED = """
() => {
  const focused = document.activeElement;
  const box = focused.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height, 40) / 2];
  const drawn = document.elementFromPoint(x, y);
  return focused === document.body || focused.closest(".skip") || (drawn && (focused.contains(drawn) || drawn.contains(focused)))
    ? null : `${focused.outerHTML.slice(0, 80)} at ${x},${y} below ${drawn?.outerHTML.slice(0, 80)}`;
}
"""


def test_targets_are_large_enough_on_a_telephone(enter, console, names):
    page = enter(viewport={"width": 360, "height": 800})
    found = {}
    for room, place in ROOMS.items():
        page.goto(console + place.format(**names))
        entered(page)
        if small := page.evaluate(SMALL):
            found[room] = small
    assert found == {}


@pytest.mark.parametrize("room", ["editor", "history"])
def test_the_focus_is_never_covered(room, enter, console, names):
    page = enter(viewport={"width": 360, "height": 500}, reduced_motion="reduce")
    page.goto(console + ROOMS[room].format(**names))
    entered(page)
    found = []
    for key in ["Tab"] * 45 + ["Shift+Tab"] * 30:
        page.keyboard.press(key)
        if covered := page.evaluate(COVERED):
            found.append(covered)
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_in_and_dialogs_have_no_violation(scheme, browser, enter, console, names):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(console)
    page.get_by_label("Token").wait_for()
    assert violations(page) == []
    context.close()
    page = enter(color_scheme=scheme, reduced_motion="reduce")
    page.get_by_role("button", name="Add app").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.goto(console + f"#/apps/{names['app']}/sets/2.0.0/default")
    page.get_by_role("group", name="Item new").get_by_role("button", name="Icon").click()
    page.get_by_role("dialog", name="Icon of New").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("group", name="Item new").get_by_role("textbox", name="Title (en)", exact=True).fill("Newer")
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("dialog", name="Publish").wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("width", [640, 2560])
def test_rooms_work_zoomed_and_on_a_wide_screen(width, enter, console, names):
    """200 % on 1,280 px is 640 px of CSS."""
    page = enter(viewport={"width": width, "height": 1000})
    for room, place in ROOMS.items():
        page.goto(console + place.format(**names))
        entered(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, room
