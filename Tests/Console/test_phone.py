"""The drawn menu equals the menu that a phone is served."""

import random

import pytest

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
