"""The editor of a set: edits that cannot be saved, the layout, moving items, and publishing."""

import re

import pytest

from longpress import eventually, item, unique
from playwright.sync_api import expect
from rooms import add_item, advanced, decision, item_of, menu, publish, published_revision, saved, write

PLACE = "#/apps/{}/sets/1.0.0/default"


def title(page, id, tag="en"):
    return item_of(page, id).get_by_role("textbox", name=f"Title ({tag})", exact=True)


def draft(server, app, version="1.0"):
    return server.admin("GET", f"/apps/{app}/sets/{version}/draft")


def add_language(page, tag):
    page.get_by_role("button", name="Add language").click()
    dialog = page.get_by_role("dialog", name="Add language")
    dialog.get_by_role("textbox", name="Language", exact=True).fill(tag)
    dialog.get_by_role("button", name="Add", exact=True).click()


# Edits that cannot be saved


def end_session(enter, server, app, text):
    """Writes a text, and revokes the token before the first request that has the text."""
    made = server.admin("POST", "/tokens", {"name": unique("Ada"), "owner": "Ada", "role": "editor"}).json
    page = enter(made["token"], PLACE.format(app))

    def revoke(route):
        if route.request.method != "GET":
            server.admin("DELETE", f"/tokens/{made['id']}")
        route.continue_()

    page.route("**/sets/*/draft*", revoke)
    write(page, "a", "Title (en)", text)
    page.get_by_label("Token").wait_for()
    assert draft(server, app).status == 404
    page.unroute("**/sets/*/draft*")
    return page


def sign_in(page, server, name):
    page.get_by_label("Token").fill(server.admin("POST", "/tokens", {"name": unique(name), "owner": name, "role": "editor"}).json["token"])
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize("name", ["Ada", "Grace"])
def test_nothing_is_lost_when_the_session_ends_in_the_middle_of_a_word(name, enter, server, published):
    page = end_session(enter, server, published, "Half a word")
    sign_in(page, server, name)
    expect(title(page, "a")).to_have_value("Half a word")
    eventually(lambda: draft(server, published).json.get("items", [{"title": {}}])[0]["title"].get("en") == "Half a word")
    page.get_by_role("button", name="Undo").click()
    expect(title(page, "a")).to_have_value("A")


def test_what_was_not_saved_is_merged_with_what_came_meanwhile(enter, server, published):
    page = end_session(enter, server, published, "Mine")
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/b", {"title": {"en": "Theirs"}})
    sign_in(page, server, "Ada")
    expect(title(page, "a")).to_have_value("Mine")
    expect(title(page, "b")).to_have_value("Theirs")


def test_what_is_refused_is_there_after_a_look_at_another_room(enter, server, published):
    page = enter(place=PLACE.format(published))
    write(page, "a", "Title (en)", "long " * 4000)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("status")).to_contain_text("Your edits stay in this tab.")
    page.go_back()
    expect(title(page, "a")).to_have_value("long " * 4000)
    expect(title(page, "a")).to_have_attribute("aria-invalid", "true")
    assert draft(server, published).status == 404
    page.get_by_role("button", name="Undo").click()
    expect(title(page, "a")).to_have_value("A")


def test_a_save_is_tried_again_when_the_service_is_back(enter, server, published):
    page = enter(place=PLACE.format(published))
    page.context.set_offline(True)
    write(page, "a", "Title (en)", "Typed in a tunnel")
    expect(page.locator(".saving")).to_contain_text("Trying again")
    page.context.set_offline(False)
    saved(page)
    assert draft(server, published).json["items"][0]["title"]["en"] == "Typed in a tunnel"


def test_the_browser_asks_before_an_unsaved_text_is_closed(enter, published):
    page = enter(place=PLACE.format(published))
    page.context.set_offline(True)
    title(page, "a").press("x")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.close(run_before_unload=True)
    page.wait_for_event("close")
    assert asked == ["beforeunload"]


def test_a_personal_item_needs_a_sample_for_each_placeholder(enter, server, published):
    page = enter(place=PLACE.format(published))
    write(page, "a", "URL", "mail://a?to={address}")
    within = item_of(page, "a")
    expect(within.get_by_role("textbox", name="URL")).to_have_attribute("aria-invalid", "true")
    within.get_by_role("checkbox", name="Personal item").check()
    expect(within.get_by_text("such as recent-contact. Begin with a letter.")).to_be_visible()
    write(page, "a", "Source", "recent-contact")
    write(page, "a", "Title (en)", "Write to {name}")
    expect(within.get_by_text("Enter a sample value for {name}.")).to_be_visible()
    expect(within.get_by_text("Enter a sample value for {address}.")).to_be_visible()
    expect(within.get_by_text("Use the same placeholders in every language.")).to_be_visible()
    write(page, "a", "Title (ko)", "{name}에게 쓰기")
    write(page, "a", "Sample for {name}", "Ann")
    write(page, "a", "Sample for {address}", "ann@example.com")
    within.get_by_role("combobox", name="Maximum").select_option("2")
    saved(page)
    assert menu(page)[0] == "Write to Ann"
    assert draft(server, published).json["items"][0]["personal"] == {
        "source": "recent-contact", "limit": 2, "sample": {"name": "Ann", "address": "ann@example.com"}}
    # A value that no text uses can be removed.
    write(page, "a", "Title (en)", "Write")
    write(page, "a", "Title (ko)", "쓰기")
    expect(within.get_by_text("No text uses this placeholder. Remove the value.")).to_be_visible()
    within.get_by_role("button", name="Remove the sample for {name}").click()
    saved(page)
    publish(page)
    published_revision(page)
    assert server.shortcuts(published, "1.0").json["personal"][0]["source"] == "recent-contact"


# Changes by others


def test_a_set_that_somebody_deletes_is_said_to_be_gone(enter, server, published):
    page = enter(place=PLACE.format(published))
    # Waits until the stream is open.
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/b", {"title": {"en": "Heard"}})
    expect(title(page, "b")).to_have_value("Heard")
    server.admin("DELETE", f"/apps/{published}/sets/1.0")
    expect(page.get_by_role("status")).to_have_text("Someone deleted this menu.")
    expect(page.get_by_text("This menu is empty")).to_be_visible()


def test_what_was_edited_in_a_deleted_set_is_asked_for(enter, server, published):
    page = enter(place=PLACE.format(published))
    write(page, "a", "Title (en)", "Still wanted")
    saved(page)
    server.admin("DELETE", f"/apps/{published}/sets/1.0")
    dialog = page.get_by_role("dialog", name="Merge changes")
    group = dialog.get_by_role("radiogroup", name="Still wanted: Keep or remove", exact=True)
    group.get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Merge").click()
    expect(item_of(page, "a").locator(".fold")).to_be_focused()
    publish(page)
    published_revision(page)
    assert [found["id"] for found in server.admin("GET", f"/apps/{published}/sets/1.0").json["items"]] == ["a"]


def test_an_edit_of_a_deleted_app_says_so_and_stays(enter, server, published):
    page = enter(place=PLACE.format(published))
    server.admin("DELETE", f"/apps/{published}")
    write(page, "a", "Title (en)", "Too late")
    expect(page.locator(".saving.unsaved")).to_contain_text("Not saved.")
    expect(title(page, "a")).to_have_value("Too late")


def test_a_reader_sees_what_somebody_else_publishes(enter, server, published):
    page = enter(server.admin("POST", "/tokens", {"name": unique("Reads"), "role": "reader"}).json["token"], PLACE.format(published))
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/b", {"title": {"en": "Seen"}})
    expect(title(page, "b")).to_have_value("Seen")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert draft(server, published).status == 404


# Items and languages


def test_a_language_is_added_with_the_cursor_in_it_and_undone(enter, published):
    page = enter(place=PLACE.format(published))
    write(page, "a", "Title (en)", "Written before")
    add_language(page, "pt_br")
    expect(title(page, "a", "pt-BR")).to_be_focused()
    expect(title(page, "c", "pt-BR")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(title(page, "a", "pt-BR")).to_have_count(0)
    expect(title(page, "a")).to_have_value("Written before")
    page.get_by_role("button", name="Redo").click()
    expect(title(page, "a", "pt-BR")).to_have_count(1)


def test_a_row_stays_while_its_last_text_is_replaced(enter, server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("only", {"en": "Only", "ko": "하나"})]})
    page = enter(place=PLACE.format(app))
    write(page, "only", "Title (ko)", "")
    expect(title(page, "only", "ko")).to_be_focused()
    title(page, "only", "ko").press_sequentially("둘")
    saved(page)
    assert draft(server, app).json["items"][0]["title"]["ko"] == "둘"


@pytest.mark.parametrize("width, count, opened", [(1280, 8, 8), (1280, 9, 1), (360, 3, 3), (360, 4, 1)])
def test_long_lists_are_folded_but_for_the_first_item(width, count, opened, enter, server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item(f"i{number}", f"Number {number}") for number in range(count)]})
    page = enter(place=PLACE.format(app), viewport={"width": width, "height": 800})
    assert page.locator(".fold[aria-expanded=true]").count() == opened
    page.get_by_role("button", name="Add item").click()
    new = page.get_by_role("group", name="New item").get_by_role("textbox", name="Title (en)", exact=True)
    expect(new).to_be_focused()
    expect(new).to_be_in_viewport()


def test_what_is_wrong_in_a_folded_item_is_counted_and_shown_before_a_publish(enter, published):
    page = enter(place=PLACE.format(published))
    write(page, "b", "URL", "http://refused")
    fold = item_of(page, "b").locator(".fold")
    fold.click()
    expect(item_of(page, "b").get_by_text("1 to correct")).to_be_visible()
    page.get_by_role("button", name="Publish…").click()
    expect(item_of(page, "b").get_by_role("textbox", name="URL")).to_be_focused()
    expect(fold).to_have_attribute("aria-expanded", "true")


def test_what_is_wrong_in_user_info_stands_at_its_row(enter, server, app):
    info = {"list": [1, {"deep": {"$date": "2026-01-31T09:00:00Z"}}]}
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", "A", userInfo=info)]})
    page = enter(place=PLACE.format(app))
    more = item_of(page, "a").locator("details")
    more.locator("summary").click()
    value = more.get_by_role("textbox", name="Value of list.1.deep")
    value.fill("tomorrow")
    more.locator("summary").click()
    expect(value).to_have_attribute("aria-invalid", "true")
    expect(value).to_have_accessible_description("Enter a date such as 2026-01-31T09:00:00Z.")
    value.fill("2026-02-01T09:00:00Z")
    expect(value).not_to_have_attribute("aria-invalid", "true")


def test_the_focus_stays_near_what_was_removed(enter, published):
    page = enter(place=PLACE.format(published))
    for id, then in (("b", "c"), ("c", "a")):
        item_of(page, id).get_by_role("button", name="Remove").click()
        expect(item_of(page, then).locator(".fold")).to_be_focused()
    item_of(page, "a").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Add item")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(item_of(page, "a")).to_be_visible()


def test_an_item_is_dragged_with_a_finger_and_given_up_with_escape(enter, published):
    page = enter(place=PLACE.format(published), viewport={"width": 1280, "height": 2000}, has_touch=True)
    touch = page.context.new_cdp_session(page)
    centre = lambda id: (lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))(item_of(page, id).locator(".handle").bounding_box())

    def send(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    start, end = centre("c"), centre("a")
    send("touchStart", start)
    send("touchMove", (start[0], start[1] - 20))
    send("touchMove", end)
    send("touchEnd")
    assert menu(page) == ["C", "A", "B"]
    x, y = centre("b")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*centre("c"), steps=3)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert menu(page) == ["C", "A", "B"]


def test_a_new_item_is_saved_without_a_title_but_not_published(enter, server, published):
    page = enter(place=PLACE.format(published))
    page.get_by_role("button", name="Add item").click()
    new = page.get_by_role("group", name="New item")
    field = new.get_by_role("textbox", name="Title (en)", exact=True)
    expect(field).to_be_focused()
    saved(page)
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(new.get_by_text("Needs a title in English")).to_have_count(0)
    page.keyboard.press("Tab")
    expect(new.get_by_text("Needs a title in English")).to_be_visible()
    expect(field).to_have_accessible_description("Add a title in English.")
    expect(page.locator(".saving.saved")).to_have_text("Draft saved, 1 error to correct before publishing.")
    assert len(draft(server, published).json["items"]) == 4
    page.get_by_role("button", name="Publish…").click()
    expect(field).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("Not published: 1 error to correct.")
    page.reload()
    expect(new.get_by_text("Needs a title in English")).to_be_visible()
    field.fill("Find a bike")
    page.keyboard.press("Tab")
    expect(title(page, "find-a-bike")).to_have_value("Find a bike")
    expect(page.locator(".saving.saved")).to_have_text("Draft saved.")


def test_a_title_makes_the_id_and_the_type(enter, server, published):
    page = enter(place=PLACE.format(published))
    page.get_by_role("button", name="Add item").click()
    page.keyboard.type("A")
    page.keyboard.press("Tab")
    # The menu has the item a.
    fields = advanced(page, "a-2")
    expect(fields.get_by_role("textbox", name="Id", exact=True)).to_have_value("a-2")
    expect(fields.get_by_role("textbox", name="Type", exact=True)).to_have_value("com.example.a-2")
    expect(item_of(page, "a-2").get_by_role("textbox", name="Subtitle (en)", exact=True)).to_be_visible()
    fields.get_by_role("textbox", name="Id", exact=True).fill("not an id")
    page.keyboard.press("Enter")
    expect(fields.get_by_role("textbox", name="Id", exact=True)).to_have_attribute("aria-invalid", "true")
    fields.get_by_role("textbox", name="Id", exact=True).fill("other")
    page.keyboard.press("Enter")
    expect(advanced(page, "other").get_by_role("textbox", name="Type", exact=True)).to_have_value("com.example.other")
    # The title does not change the id again.
    write(page, "other", "Title (en)", "Again")
    page.keyboard.press("Tab")
    saved(page)
    assert draft(server, published).json["items"][3] == {"id": "other", "type": "com.example.other", "title": {"en": "Again"}}
    page.get_by_role("button", name="Undo").click()
    expect(title(page, "other")).to_have_value("A")
    publish(page)
    published_revision(page)
    page.go_back()
    expect(advanced(page, "other").get_by_role("textbox", name="Id", exact=True)).not_to_be_editable()


def test_a_title_without_latin_letters_has_a_numbered_id(enter, published):
    page = enter(place=PLACE.format(published))
    add_item(page, "写邮件", "item-1")
    add_item(page, "اكتب", "item-2")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("group", name="New item")).to_be_visible()


@pytest.mark.parametrize("typed, tag", [("Korean", "ko"), ("한국어", "ko"), ("zh_hant", "zh-Hant"), ("Brazilian Portuguese", "pt-BR")])
def test_a_language_is_named_by_tag_or_name(typed, tag, enter, app, server):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", "A"), item("b", {"en": "B", "de": "B"})]})
    page = enter(place=PLACE.format(app))
    add_language(page, typed)
    expect(title(page, "a", tag)).to_be_focused()
    for id in ("a", "b"):
        tags = [name.split("\n")[0] for name in item_of(page, id).locator(".tag").all_inner_texts()]
        assert tags == ["en", "de", tag]


def test_a_word_that_is_no_language_is_refused(enter, published):
    page = enter(place=PLACE.format(published))
    add_language(page, "klingonese")
    field = page.get_by_role("dialog", name="Add language").get_by_role("textbox", name="Language", exact=True)
    expect(field).to_have_accessible_description(re.compile("“klingonese” is not a language tag"))


def test_what_is_no_number_is_not_taken_for_a_text(enter, server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", "A", userInfo={"n": 3})]})
    page = enter(place=PLACE.format(app))
    item_of(page, "a").locator("summary").click()
    value = item_of(page, "a").get_by_role("textbox", name="Value of n", exact=True)
    value.fill("abc")
    expect(value).to_have_attribute("aria-invalid", "true")
    expect(value).to_have_accessible_description("“abc” is not an integer. The previous value is kept.")
    value.fill("4")
    expect(value).not_to_have_attribute("aria-invalid", "true")
    saved(page)
    assert draft(server, app).json["items"][0]["userInfo"] == {"n": 4}


def test_the_focus_stays_in_user_info(enter, app, server):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", "A")]})
    page = enter(place=PLACE.format(app))
    group = item_of(page, "a")
    group.locator("summary").click()
    group.get_by_role("button", name="Add a key").click()
    expect(group.get_by_role("textbox", name="Key key1")).to_be_focused()
    group.get_by_role("combobox", name="Kind of key1").focus()
    page.keyboard.press("ArrowDown")
    expect(group.get_by_role("combobox", name="Kind of key1")).to_be_focused()
    group.get_by_role("button", name="Remove key1").click()
    expect(group.get_by_role("button", name="Add a key")).to_be_focused()


def test_a_tap_on_a_removed_item_is_decided(enter, server, published):
    server.admin("PUT", f"/apps/{published}/sets/2.0", {"items": [item("b", "B"), item("new", "New")], "retired": [{"id": "a", "url": "mail://a"}]})
    page = enter(place=f"#/apps/{published}/sets/3.0.0/default?removed=c")
    expect(decision(page, "C")).to_be_focused()
    rows = page.get_by_role("table", name="Removed items").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("in 1.0.0, 2.0.0")
    expect(decision(page, "A").locator("option").first).to_have_text("Opens mail://a, as before")
    expect(page.get_by_text("Taps on 3 removed items are lost. Choose what they do.")).to_be_visible()
    add_item(page, "Page", "page")
    decision(page, "C").select_option("Same as Page")
    decision(page, "New").select_option("Just opens the app")
    decision(page, "B").select_option("Opens a URL")
    url = page.get_by_role("textbox", name="URL for B")
    expect(url).to_be_focused()
    url.fill("http://b")
    expect(url).to_have_accessible_description("Use https or a URL scheme of the app.")
    url.fill("mail://b")
    saved(page)
    expect(page.get_by_text("No tap is lost.")).to_be_visible()
    document = draft(server, published, "3.0").json
    assert document["items"][0]["replaces"] == ["c"]
    assert document["retired"] == [{"id": "new"}, {"id": "b", "url": "mail://b"}]
    item_of(page, "page").get_by_role("button", name="Remove").click()
    expect(decision(page, "C")).to_have_value("")


def test_a_new_set_has_the_languages_of_the_one_before(enter, published):
    page = enter(place=f"#/apps/{published}/sets/2.0.0/default")
    add_item(page, "new")
    expect(title(page, "new", "ko")).to_be_visible()


def test_a_removed_item_is_brought_back_beside_the_announcement(enter, published):
    page = enter(place=PLACE.format(published))
    item_of(page, "b").get_by_role("button", name="Remove").click()
    expect(page.locator(".status")).to_contain_text("B was removed.")
    write(page, "a", "Title (en)", "Edited since")
    page.locator(".status").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_have_text("Undone. B is back.")
    expect(item_of(page, "b").locator(".fold")).to_be_focused()
    assert menu(page) == ["Edited since", "B", "C"]


def test_an_owner_adds_a_language_to_the_app_and_an_editor_to_the_menu(enter, server, published):
    page = enter(place=PLACE.format(published))
    add_language(page, "de")
    eventually(lambda: server.admin("GET", f"/apps/{published}").json["languages"] == ["en", "ko", "de"])
    page.get_by_role("button", name="Undo").click()
    eventually(lambda: "de" not in server.admin("GET", f"/apps/{published}").json["languages"])
    editor = enter(server.admin("POST", "/tokens", {"name": unique("Writes"), "role": "editor"}).json["token"], PLACE.format(published))
    add_language(editor, "fr")
    write(editor, "a", "Title (fr)", "Le A")
    saved(editor)
    assert "fr" not in server.admin("GET", f"/apps/{published}").json["languages"]
    assert draft(server, published).json["items"][0]["title"]["fr"] == "Le A"


def test_translations_are_typed_in_a_table_that_shows_what_is_missing_or_too_long(enter, server, published):
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/c", {"title": {"ko": None}})
    page = enter(place=PLACE.format(published))
    page.get_by_role("button", name="Translations").click()
    table = page.get_by_role("table", name="Translations")
    expect(table.get_by_role("columnheader")).to_have_text(["English: 3 of 3", "Korean: 2 of 3"])
    cell = table.get_by_role("textbox", name="C: Korean")
    expect(cell).to_have_attribute("placeholder", "Not translated: shows “C”")
    cell.fill("씨")
    expect(table.get_by_role("columnheader").nth(1)).to_have_text("Korean: 3 of 3")
    assert menu(page) == ["a-ko", "b-ko", "씨"]
    cell.press("ArrowUp")
    above = table.get_by_role("textbox", name="B: Korean")
    expect(above).to_be_focused()
    above.fill("이 제목은 아이폰의 메뉴에 두 줄로도 들어가지 않을 만큼 아주 길고 또 깁니다")
    expect(above).to_have_accessible_description("Too long: iPhones with a narrow screen cut it off.")
    saved(page)
    page.reload()
    expect(table).to_be_visible()
    page.get_by_role("button", name="Translations").click()
    expect(title(page, "c", "ko")).to_have_value("씨")


def test_the_phone_follows_the_field_with_the_cursor(enter, published):
    page = enter(place=PLACE.format(published))
    title(page, "b", "ko").focus()
    assert menu(page) == ["a-ko", "b-ko", "c-ko"]
    rows = page.get_by_role("region", name="Preview").get_by_role("list", name="Menu").get_by_role("listitem")
    expect(rows.nth(1)).to_have_class(re.compile("edited"))
    item_of(page, "c").get_by_role("textbox", name="URL").focus()
    assert menu(page) == ["A", "B", "C"]
    expect(rows.nth(2)).to_have_class(re.compile("edited"))


def test_undo_says_what_came_back(enter, published):
    page = enter(place=PLACE.format(published))
    item_of(page, "b").get_by_role("button", name="Remove").click()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("status")).to_have_text("Undone. B is back.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status")).to_have_text("Nothing to publish. This is revision 1.")


def test_a_click_on_the_head_or_on_the_phone_opens_the_item(enter, published):
    page = enter(place=PLACE.format(published))
    head = item_of(page, "b").locator(".item-title")
    head.click()
    expect(title(page, "b")).to_be_hidden()
    preview = page.get_by_role("region", name="Preview")
    preview.get_by_role("combobox", name="Language").select_option("ko")
    preview.get_by_role("list", name="Menu").get_by_role("listitem").nth(1).click()
    expect(title(page, "b", "ko")).to_be_focused()


def test_a_link_leads_to_an_item(enter, server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item(f"i{number}", f"Number {number}") for number in range(20)]})
    page = enter(place=PLACE.format(app) + "?item=i17")
    expect(page.get_by_role("group", name="Item i17", exact=True).locator("[aria-expanded]").first).to_be_focused()
    expect(title(page, "i17")).to_be_in_viewport()
    assert page.url.endswith("/default")


def test_what_is_cut_is_said_at_the_item(enter, server, app):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item(f"i{number}", f"Number {number}") for number in range(6)]})
    page = enter(place=PLACE.format(app))
    assert [page.get_by_role("group", name=f"Item i{number}", exact=True).get_by_text("not shown").count() for number in range(6)] == [0, 0, 0, 0, 1, 1]
    expect(page.get_by_role("group", name="Not shown")).to_contain_text("Number 5")


def test_an_address_with_a_version_that_is_none_is_refused(enter, console, published):
    page = enter(place=f"#/apps/{published}/sets/1.0/default")
    page.wait_for_url("**/sets/1.0.0/default")
    page.goto(f"{console}#/apps/{published}/sets/../default")
    expect(page.get_by_role("alert")).to_contain_text("“..” is not a version")


# The phone


def test_on_a_small_screen_the_phone_is_below_the_items_and_can_be_kept_in_sight(enter, published):
    page = enter(place=PLACE.format(published), viewport={"width": 360, "height": 740})
    preview = page.get_by_role("region", name="Preview")
    assert preview.bounding_box()["y"] > item_of(page, "a").bounding_box()["y"]
    page.get_by_role("button", name="Phone", exact=True).click()
    write(page, "c", "Title (en)", "Last")
    title(page, "c").scroll_into_view_if_needed()
    expect(preview.get_by_role("list", name="Menu")).to_be_in_viewport()
    expect(title(page, "c")).to_be_in_viewport()
    assert menu(page)[-1] == "Last"
    assert page.locator("main").get_by_role("region", name="Preview").count() == 1


# Publishing


def open_publish(page, **texts):
    for field, text in texts.items():
        write(page, "a", field.replace("_", " "), text)
    page.get_by_role("button", name="Publish…").click()
    dialog = page.get_by_role("dialog", name="Publish")
    dialog.wait_for()
    return dialog


def test_before_is_what_the_version_was_served_before(enter, server, published):
    server.admin("PUT", f"/apps/{published}/sets/2.0/draft", {"items": [item("new", "New")]})
    page = enter(place=f"#/apps/{published}/sets/2.0.0/default")
    dialog = open_publish(page)
    pictures = dialog.locator("lp-phone")
    expect(dialog.get_by_role("figure").first).to_have_accessible_name("Before: menu of 1.0.0, revision 1")
    assert [row.inner_text() for row in pictures.nth(0).locator(".title").all()] == ["A", "B", "C"]
    assert [row.inner_text() for row in pictures.nth(1).locator(".title").all()] == ["New"]


def test_pictures_are_in_a_language_that_changes(enter, published):
    page = enter(place=PLACE.format(published))
    write(page, "a", "Title (ko)", "바뀐")
    dialog = open_publish(page)
    assert [picture.locator(".title").first.inner_text() for picture in dialog.locator("lp-phone").all()] == ["a-ko", "바뀐"]


@pytest.mark.parametrize("text, said", [
    ("2027-03-28 02:30", "This time does not exist in Europe/Berlin"),
    ("2027-02-30 10:00", "This time does not exist in Europe/Berlin"),
    ("soon", "Enter a time like"),
])
def test_a_time_that_is_none_is_refused_at_its_field(text, said, enter, published):
    page = enter(place=PLACE.format(published), timezone_id="Europe/Berlin")
    write(page, "a", "Title (en)", "Later")
    dialog = open_publish(page)
    at = dialog.get_by_role("textbox", name="At", exact=True)
    at.fill(text)
    dialog.get_by_role("button", name="Schedule").click()
    expect(at).to_have_accessible_description(re.compile(re.escape(said)))
    expect(at).to_be_focused()


def test_a_time_is_in_the_zone_as_it_is_then(enter, server, published):
    page = enter(place=PLACE.format(published), timezone_id="Europe/Berlin")
    write(page, "a", "Title (en)", "In summer")
    dialog = open_publish(page)
    at = dialog.get_by_role("textbox", name="At", exact=True)
    at.fill("2099-07-01 18:00")
    expect(at).to_have_accessible_description(re.compile(r"1 Jul 2099, 18:00.*Europe/Berlin, UTC\+2"))
    expect(dialog.get_by_role("button", name="Publish now")).to_have_accessible_description(re.compile("To publish now, clear the time"))
    dialog.get_by_role("textbox", name="Until", exact=True).fill("2099-12-01 18:00")
    at.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Scheduled for 1 Jul 2099, 18:00")
    entries = server.admin("GET", f"/apps/{published}/schedule").json["items"]
    assert sorted(entry["at"] for entry in entries) == ["2099-07-01T16:00:00Z", "2099-12-01T17:00:00Z"]


def test_a_time_in_the_past_is_refused_at_its_field(enter, published):
    page = enter(place=PLACE.format(published), timezone_id="UTC")
    write(page, "a", "Title (en)", "Yesterday")
    dialog = open_publish(page)
    at = dialog.get_by_role("textbox", name="At", exact=True)
    at.fill("2020-01-01 10:00")
    dialog.get_by_role("button", name="Schedule").click()
    expect(at).to_have_attribute("aria-invalid", "true")
    expect(at).to_have_accessible_description(re.compile("Enter a time in the future"))
    expect(dialog.get_by_role("alert")).to_have_count(0)


def test_approvals_that_are_switched_on_meanwhile_are_said_and_overridden_by_an_owner(enter, server, published):
    page = enter(place=PLACE.format(published))
    dialog = open_publish(page, **{"Title_(en)": "Urgent"})
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    dialog.get_by_role("button", name="Publish now").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Approvals are missing")
    dialog.get_by_role("textbox", name="Reason for publishing without approvals").fill("The shop closes")
    dialog.get_by_role("button", name="Publish now").click()
    assert published_revision(page) == 2
    assert server.admin("GET", "/audit?limit=1").json["items"][0]["reason"] == "The shop closes"


def test_who_has_approved_is_said(enter, server, published):
    server.admin("PATCH", f"/apps/{published}", {"approvals": 2})
    writer = server.admin("POST", "/tokens", {"name": unique("Writes"), "role": "editor"}).json["token"]
    made = server.admin("PUT", f"/apps/{published}/sets/1.0/draft", {"items": [item("a", "Anew")]}, writer)
    grace = server.admin("POST", "/tokens", {"name": unique("Grace"), "owner": "Grace", "role": "publisher"}).json["token"]
    tag = draft(server, published).fields["etag"]
    assert server.admin("POST", f"/apps/{published}/sets/1.0/draft/approve", token=grace, If_Match=tag).status == 200, made.body
    dialog = open_publish(enter(place=PLACE.format(published)))
    expect(dialog.get_by_role("button", name="Publish now")).to_have_accessible_description(re.compile("^1 approval missing"))
    expect(dialog.get_by_text(re.compile("Approved by Grace"))).to_be_visible()
