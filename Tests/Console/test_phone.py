"""The drawn menu equals the menu that a phone is served, and the phone looks like a phone in every size."""

import random

import pytest

from longpress import item
from playwright.sync_api import expect
from rooms import editor, entered, menu


def random_menu(chance):
    tags = ["en", "ko", "pt-BR", "zh-Hant", "ar"]

    def item(number):
        title = {"en": f"T{number}"} | {tag: f"T{number} {tag}" for tag in tags[1:] if chance.random() < 0.5}
        made = {"id": f"i{number}", "type": "t", "title": title}
        if chance.random() < 0.4:
            made["subtitle"] = {tag: f"S{number} {tag}" for tag in tags if chance.random() < 0.5}
        if chance.random() < 0.2:
            made["enabled"] = False
        return made

    statics = [{"type": "s", "title": f"Static {number}"} for number in range(chance.choice((0, 0, 1, 2, 4, 5)))]
    return {"items": [item(number) for number in range(chance.randint(0, 7))]}, statics


@pytest.mark.parametrize("seed", range(4))
def test_the_phone_equals_what_is_served_and_simulated(seed, enter, console, server, app):
    chance = random.Random(seed)
    page = enter()
    for number in range(1, 6):
        version = f"{number}.0.0"
        document, statics = random_menu(chance)
        assert server.admin("PUT", f"/apps/{app}/sets/{version}", document).status == 201
        server.admin("PUT", f"/apps/{app}/releases/{version}", {"staticItems": statics})
        page.goto(editor(console, app, version))
        entered(page)
        preview = page.get_by_role("region", name="Preview")
        languages = preview.get_by_role("combobox", name="Language")
        for tag in languages.locator("option").all_inner_texts():
            languages.select_option(tag)
            served = server.shortcuts(app, version, f"?lang={tag}").json["items"]
            visible = [item["title"] for item in statics][:4] + [item["localizedTitle"] for item in served if item["visible"]]
            assert menu(page) == visible, (document, tag)
            simulated = server.admin("GET", f"/apps/{app}/simulate?from={version}&to={version}&lang={tag}").json
            assert [row["title"] for row in simulated["menu"]] == visible
        preview.get_by_role("button", name="At the bottom").click()
        assert menu(page) == server.admin("GET", f"/apps/{app}/simulate?from={version}&to={version}&lang={tag}").json["positions"]["bottom"]


def box(locator):
    return locator.evaluate("(element) => { const { x, y, width, height } = element.getBoundingClientRect(); return { x, y, width, height }; }")


def test_the_phone_is_the_same_picture_in_every_size(enter, server, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default", viewport={"width": 1280, "height": 1000})
    phone = page.locator("lp-phone")
    phone.locator(".title").first.wait_for()
    pictures = []
    for width in (240, 393):
        phone.evaluate("(phone, width) => { phone.style.width = `${width}px`; }", width)
        screen = box(phone.locator(".screen"))
        assert screen["height"] / screen["width"] == pytest.approx(852 / 393, 0.01)
        point = screen["width"] / 393
        parts = [box(phone.locator(name).first) for name in (".app-icon", ".menu", ".menu-row", ".system-row")]
        pictures.append([(part[side] - screen.get(side, 0) * (side in "xy")) / point for part in parts for side in ("x", "y", "width", "height")])
        assert parts[1]["width"] / point == pytest.approx(250, 0.01)
        title = phone.locator(".title").first
        assert float(title.evaluate("(title) => getComputedStyle(title).fontSize").removesuffix("px")) / point == pytest.approx(17, 0.01)
    assert pictures[0] == pytest.approx(pictures[1], abs=1)


def test_the_rows_of_ios_are_behind_the_menu_in_the_phones_language(enter, server, app):
    set = {"items": [item("a", {"en": "A", "de": "Ä", "ar": "ا"}), item("b", {"en": "B"})]}
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", set).status == 201
    page = enter(place=f"#/apps/{app}/sets/1.0.0/default")
    preview = page.get_by_role("region", name="Preview")
    rows = preview.locator(".system-row")
    assert rows.all_inner_texts() == ["Edit Home Screen", "Share App", "Remove App"]
    assert box(rows.first)["y"] > box(preview.locator(".menu-row").last)["y"]
    preview.get_by_role("button", name="At the bottom").click()
    preview.get_by_role("combobox", name="Language").select_option("de")
    assert rows.all_inner_texts() == ["App entfernen", "App teilen", "Home-Bildschirm bearbeiten"]
    assert box(rows.last)["y"] < box(preview.locator(".menu-row").first)["y"]
    assert menu(page) == ["B", "Ä"]
    # The Home Screen is mirrored for Arabic.
    screen, icon = box(preview.locator(".screen")), box(preview.locator(".app-icon"))
    preview.get_by_role("combobox", name="Language").select_option("ar")
    mirrored = box(preview.locator(".app-icon"))
    assert icon["x"] - screen["x"] == pytest.approx(screen["x"] + screen["width"] - mirrored["x"] - mirrored["width"], abs=1)


def test_symbols_are_drawn_or_named(enter, server, app):
    symbols = {"a": "star.fill", "b": "scooter", "c": "bell.badge"}
    items = [item(id, {"en": id}, icon={"symbol": symbol}) for id, symbol in symbols.items()]
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": items}).status == 201
    page = enter(place=f"#/apps/{app}/sets/1.0.0/default")
    preview = page.get_by_role("region", name="Preview")
    expect(preview).to_contain_text("star.fill\u2069 and \u2068bell.badge\u2069 are drawn with the nearest icon of Bootstrap Icons.")
    expect(preview).to_contain_text("There is no picture of \u2068scooter\u2069 here.")
    assert [row.locator("svg text").count() for row in preview.locator(".menu-row").all()] == [0, 1, 0]
    # The dialog offers symbols with pictures.
    page.get_by_role("button", name="Icon: scooter").click()
    dialog = page.get_by_role("dialog", name="Icon of b")
    dialog.get_by_role("textbox", name="Symbol").fill("cart")
    dialog.get_by_role("group", name="Symbols with pictures").get_by_role("button", name="cart", exact=True).wait_for(state="detached")
    dialog.get_by_role("textbox", name="Symbol").fill("mag")
    dialog.get_by_role("button", name="magnifyingglass").click()
    expect(dialog.get_by_role("textbox", name="Symbol")).to_have_value("magnifyingglass")
    dialog.get_by_role("button", name="Use").click()
    expect(preview.locator(".menu-row").nth(1).locator(".picture")).to_have_attribute("title", "magnifyingglass")


def test_the_picture_of_the_app_is_shown(enter, server, app):
    # 1 × 1 pixel.
    picture = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cfc0f01f00050001ff89993d1d0000000049454e44ae426082")
    page = enter()
    page.route(f"**/admin/v1/apps/{app}", lambda route: route.fulfill(json={**route.fetch().json(), "icon": "abc"}))
    page.route(f"**/admin/v1/apps/{app}/icon?v=abc", lambda route: route.fulfill(body=picture, content_type="image/png"))
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a")]})
    page.goto(f"{page.url.split('#')[0]}#/apps/{app}/sets/1.0.0/default")
    entered(page)
    icon = page.locator("lp-phone img.app-icon")
    expect(icon).to_have_js_property("naturalWidth", 1)
