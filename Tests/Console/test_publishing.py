"""The publish dialog, scheduled changes, undoing and restoring."""

import datetime
import re

import pytest

from longpress import item, unique
from test_accessibility import violations
from playwright.sync_api import expect
from rooms import decision, item_of, publish, published_revision, saved, write


@pytest.fixture
def succeeded(server, published):
    """An app whose 1.0.0 has the items a, b and c, and whose 2.0.0 is a draft that replaces a, retires b and has no rule for c."""
    document = {"items": [item("z", {"en": "Zed", "ko": "제드"}, url="mail://z", replaces=["a"])], "retired": [{"id": "b"}]}
    assert server.admin("PUT", f"/apps/{published}/sets/2.0/draft", document).status == 201
    return published


def open_dialog(page):
    page.get_by_role("button", name="Publish…").click()
    dialog = page.get_by_role("dialog", name="Publish")
    dialog.wait_for()
    return dialog


def listen(page):
    """Records the texts of the status region in `heard`."""
    page.evaluate("""() => {
        window.heard = [];
        const status = document.querySelector("[role=status]");
        new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true, subtree: true, characterData: true });
    }""")


def schedule(page, at):
    dialog = open_dialog(page)
    dialog.get_by_role("textbox", name="At", exact=True).fill(at)
    dialog.get_by_role("button", name="Schedule").click()


def test_a_first_set_of_a_version_is_compared_with_the_set_that_ruled_there(enter, server, succeeded):
    page = enter(place=f"#/apps/{succeeded}/sets/2.0.0/default")
    page.get_by_role("region", name="Preview").get_by_role("combobox", name="Language").select_option("ko")
    dialog = open_dialog(page)
    expect(dialog.get_by_role("heading", level=2, name="Publish")).to_be_focused()
    before, after = dialog.get_by_role("figure").all()
    expect(before).to_have_accessible_name("Before: menu of 1.0.0, revision 1, in Korean")
    assert [text.split("\n")[0] for text in before.get_by_role("listitem").all_inner_texts()] == ["a-ko", "b-ko", "c-ko"]
    assert [text.split("\n")[0] for text in after.get_by_role("listitem").all_inner_texts()] == ["제드"]
    lines = dialog.get_by_role("list", name="Difference").get_by_role("listitem")
    assert lines.all_inner_texts() == [
        "a-ko → 제드", "b-ko is removed. A tap on it opens the app.", "c-ko is removed. A tap on it opens the app.",
    ]
    expect(lines.first.locator("bdi").last).to_have_attribute("lang", "ko")
    expect(dialog.get_by_text("For versions from 2.0.0 on.")).to_be_visible()


def test_what_a_revision_changed_is_said_by_titles(enter, server, published):
    document = server.admin("GET", f"/apps/{published}/sets/1.0").json
    document["items"] = [document["items"][place] for place in (2, 0, 1)]
    document["items"][1]["title"]["de"] = "Ah"
    document["items"][1]["enabled"] = False
    document["items"][2]["icon"] = {"type": "mail"}
    document["fallbackURL"] = "mail://home"
    assert server.admin("PUT", f"/apps/{published}/sets/1.0", document).status == 200
    page = enter(place=f"#/apps/{published}/revisions/2")
    lines = page.get_by_role("list", name="Difference").get_by_role("listitem")
    assert sorted(lines.all_inner_texts()) == sorted([
        "German title of A: “Ah”", "A is no longer shown.", "Icon of B: “mail”", "C is now number 1.", "Fallback URL: “mail://home”",
    ])


def test_a_long_difference_is_folded(enter, server, app):
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item(f"i{n}", {"en": f"Item {n}"}) for n in range(20)]}).status == 201
    page = enter(place=f"#/apps/{app}/revisions/1")
    lines = page.get_by_role("list", name="Difference").get_by_role("listitem")
    expect(lines).to_have_count(13)
    page.get_by_role("button", name="8 more").click()
    expect(lines).to_have_count(20)
    expect(lines.nth(12)).to_be_focused()


def test_one_hears_of_the_own_publish_once_and_of_nobody_else(enter, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    listen(page)
    write(page, "a", "Title (en)", "Mine")
    saved(page)
    page.evaluate("() => void (heard.length = 0)")
    publish(page)
    assert published_revision(page) == 2
    # Long enough for the stream's event about the revision.
    page.wait_for_timeout(1000)
    assert page.evaluate("() => heard.filter(Boolean)") == ["Published as revision 2."]


def test_a_warning_names_its_item(enter, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "b", "Title (en)", "Party 🎉")
    saved(page)
    warning = open_dialog(page).get_by_role("list", name="Warnings").get_by_role("listitem")
    expect(warning).to_have_text("“\u2068Party 🎉\u2069”: The title in English has an emoji. Apple recommends an icon instead.")


def test_a_time_makes_schedule_the_main_button_and_a_past_one_stands_at_its_field(enter, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default", timezone_id="Europe/Berlin")
    write(page, "a", "Title (en)", "Later")
    dialog = open_dialog(page)
    at, now, later = dialog.get_by_role("textbox", name="At", exact=True), dialog.get_by_role("button", name="Publish now"), dialog.get_by_role("button", name="Schedule")
    expect(now).to_have_class(re.compile("primary"))
    at.fill("2020-01-01 10:00")
    expect(later).to_have_class(re.compile("primary"))
    expect(now).not_to_have_class(re.compile("primary"))
    expect(at).to_have_accessible_description(re.compile("1 Jan 2020, 10:00.*Europe/Berlin"))
    later.click()
    expect(at).to_have_attribute("aria-invalid", "true")
    expect(at).to_have_accessible_description(re.compile("Enter a time in the future"))
    expect(dialog.get_by_role("alert")).to_have_count(0)
    expect(at).to_be_focused()


def test_calling_a_publish_off_keeps_the_work(enter, server, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "Work")
    saved(page)
    schedule(page, "2099-12-24 18:00")
    page.wait_for_url(re.compile("#/apps/[^/]+(\\?|$)"))
    entry = page.get_by_role("button", name=re.compile("^Publish 1.0.0 on 24 Dec 2099 at 18:00"))
    entry.click()
    expect(page.get_by_role("dialog").get_by_role("list", name="Difference").get_by_role("listitem")).to_have_text("English title of Work: “A” → “Work”")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Cancel publish").click()
    expect(page.get_by_role("status")).to_have_text("Cancelled. Its menu is a draft again.")
    assert server.admin("GET", f"/apps/{published}/schedule").json["items"] == []
    assert server.admin("GET", f"/apps/{published}/sets/1.0/draft").json["items"][0]["title"]["en"] == "Work"


def test_calling_a_publish_off_beside_another_draft_asks_first(enter, server, published):
    document = server.admin("GET", f"/apps/{published}/sets/1.0").json
    for title in ("Scheduled", "Another"):
        document["items"][0]["title"]["en"] = title
        assert server.admin("PUT", f"/apps/{published}/sets/1.0/draft", document).status == 201
        if title == "Scheduled":
            assert server.admin("POST", f"/apps/{published}/sets/1.0/publish", {"at": "2099-01-01T00:00:00Z"}).status == 202
    page = enter(place=f"#/apps/{published}")
    page.get_by_role("button", name="Cancel publish").click()
    dialog = page.get_by_role("dialog", name="Cancel publish")
    expect(dialog).to_contain_text("1.0.0 has another draft")
    assert len(server.admin("GET", f"/apps/{published}/schedule").json["items"]) == 1
    dialog.get_by_role("button", name="Cancel publish").click()
    expect(page.get_by_role("status")).to_have_text("Cancelled.")
    assert server.admin("GET", f"/apps/{published}/schedule").json["items"] == []
    assert server.admin("GET", f"/apps/{published}/sets/1.0/draft").json["items"][0]["title"]["en"] == "Another"


def test_a_campaign_beside_another_draft_is_cancelled_after_one_question(enter, server, published):
    place = f"/apps/{published}/sets/1.0"
    document = server.admin("GET", place).json
    for title in ("Scheduled", "Another"):
        document["items"][0]["title"]["en"] = title
        assert server.admin("PUT", f"{place}/draft", document).status == 201
        if title == "Scheduled":
            when = {"at": "2099-01-01T00:00:00Z", "until": "2099-01-02T00:00:00Z"}
            assert server.admin("POST", f"{place}/publish", when).status == 202
    page = enter(place=f"#/apps/{published}")
    words = page.locator(".schedule").get_by_role("button").first
    assert words.evaluate("(node) => getComputedStyle(node).textAlign") == "start"
    page.get_by_role("button", name="Cancel campaign").click()
    dialog = page.get_by_role("dialog", name="Cancel campaign")
    expect(dialog).to_contain_text("1.0.0 has another draft. Cancelling this publish deletes the scheduled menu.")
    dialog.get_by_role("button", name="Cancel campaign").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("status")).to_have_text("Cancelled.")
    assert server.admin("GET", f"/apps/{published}/schedule").json["items"] == []


def test_the_editor_says_what_waits_for_its_set(enter, server, published):
    document = server.admin("GET", f"/apps/{published}/sets/1.0").json
    document["items"].pop()
    assert server.admin("PUT", f"/apps/{published}/sets/1.0/draft", document).status == 201
    assert server.admin("POST", f"/apps/{published}/sets/1.0/publish", {"at": "2099-01-01T00:00:00Z"}).status == 202
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default", timezone_id="UTC")
    expect(page.get_by_text(re.compile("has scheduled a new menu on 1 Jan 2099 at 00:00"))).to_be_visible()
    page.get_by_role("button", name="Show change").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel publish").click()
    expect(page.get_by_role("status")).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Show change")).to_have_count(0)
    expect(item_of(page, "c")).to_have_count(0)
    expect(page.get_by_role("button", name="Publish…")).not_to_have_attribute("aria-disabled", "true")


def test_a_look_at_a_draft_that_was_overtaken_saves_nothing(enter, server, published):
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    tokens = {name: server.admin("POST", "/tokens", {"name": unique(name), "role": role}).json["token"] for name, role in {"writes": "editor", "approves": "publisher"}.items()}
    document = server.admin("GET", f"/apps/{published}/sets/1.0").json
    document["items"][0]["title"]["en"] = "Draft"
    assert server.admin("PUT", f"/apps/{published}/sets/1.0/draft", document, token=tokens["writes"]).status == 201
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/b?override=test", {"title": {"en": "Published"}})
    tag = server.admin("GET", f"/apps/{published}/sets/1.0/draft").fields["etag"]
    page = enter(tokens["approves"], place=f"#/apps/{published}/sets/1.0.0/default")
    expect(item_of(page, "b").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Published")
    expect(page.get_by_text("Merged with revision 2, not saved.")).to_be_visible()
    expect(open_dialog(page).get_by_role("button", name="Approve")).to_have_accessible_description(re.compile("must choose Save before it can be approved"))
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Timeline").click()
    page.get_by_role("heading", level=1, name=published).wait_for()
    assert server.admin("GET", f"/apps/{published}/sets/1.0/draft").fields["etag"] == tag
    writer = enter(tokens["writes"], place=f"#/apps/{published}/sets/1.0.0/default")
    writer.get_by_role("button", name="Save", exact=True).click()
    expect(writer.get_by_role("status")).to_have_text("Draft saved.")
    assert [found["title"]["en"] for found in server.admin("GET", f"/apps/{published}/sets/1.0/draft").json["items"]] == ["Draft", "Published", "C"]


def test_taking_a_first_publish_back_says_what_is_served_and_keeps_the_work(enter, server, succeeded):
    page = enter(place=f"#/apps/{succeeded}/sets/2.0.0/default")
    publish(page)
    assert published_revision(page) == 2
    back = page.get_by_role("button", name="Restore revision 1")
    expect(back).to_have_accessible_description(re.compile("The menu of 1.0.0 applies again.*stays as a draft"))
    back.click()
    dialog = page.get_by_role("dialog", name="Restore revision 1")
    expect(dialog.get_by_role("figure")).to_have_count(2)
    dialog.get_by_role("button", name="Restore").click()
    page.wait_for_url("**/revisions/3*")
    expect(page.locator("main").get_by_text("Revision 1 is live again.")).to_be_visible()
    expect(page.get_by_text("The menu of 1.0.0 now applies to 2.0.0.")).to_be_visible()
    assert [found["id"] for found in server.admin("GET", f"/apps/{succeeded}/sets/2.0/draft").json["items"]] == ["z"]
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("dialog", name="Restore revision 2").get_by_role("button", name="Restore").click()
    page.wait_for_url("**/revisions/4*")
    assert server.shortcuts(succeeded, "2.0").json["items"][0]["localizedTitle"] == "Zed"


def test_messages_are_written_and_shown(enter, server, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "Again")
    saved(page)
    dialog = open_dialog(page)
    dialog.get_by_role("textbox", name="Message", exact=True).fill(" <b>새 메뉴</b> for @all ")
    dialog.get_by_role("button", name="Publish now").click()
    assert published_revision(page) == 2
    expect(page.get_by_text("<b>새 메뉴</b> for @all")).to_be_visible()
    page.get_by_role("button", name="Restore revision 1").click()
    dialog = page.get_by_role("dialog", name="Restore revision 1")
    dialog.get_by_role("textbox", name="Message", exact=True).fill("It was better")
    dialog.get_by_role("button", name="Restore").click()
    page.wait_for_url("**/revisions/3*")
    listed = server.admin("GET", f"/apps/{published}/revisions").json["items"]
    assert [revision.get("message") for revision in listed] == ["It was better", "<b>새 메뉴</b> for @all", None]
    page = enter(place=f"#/apps/{published}/history")
    rows = page.get_by_role("table", name="Revisions").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("It was better")
    expect(rows.nth(2)).to_contain_text("<b>새 메뉴</b> for @all")
    expect(page.get_by_role("table", name="Audit").get_by_role("row").nth(1)).to_contain_text("It was better")
    assert violations(page) == []


def test_a_restore_cannot_be_clicked_away(enter, server, published):
    good = server.admin("GET", f"/apps/{published}/sets/1.0").json
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Bad"}})
    page = enter(place=f"#/apps/{published}/revisions/2")
    page.get_by_role("button", name="Restore revision 1").click()
    dialog = page.get_by_role("dialog", name="Restore revision 1")
    expect(dialog.get_by_role("figure")).to_have_count(2)
    confirm = dialog.get_by_role("button", name="Restore")
    box = confirm.bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*place, click_count=2)
    page.wait_for_url("**/revisions/3*")
    expect(page.locator("main").get_by_text("Revision 1 is live again.")).to_be_visible()
    page.mouse.click(*place)
    expect(page.get_by_role("button", name=re.compile("Restore|Undo publish"))).to_have_count(0)
    assert server.admin("GET", f"/apps/{published}/revisions").json["items"][0]["revision"] == 3
    assert server.admin("GET", f"/apps/{published}/sets/1.0").json == good


def test_a_restore_is_of_what_was_shown(enter, server, published):
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Bad"}})
    page = enter(place=f"#/apps/{published}/revisions/2")
    page.get_by_role("button", name="Restore revision 1").click()
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Better"}})
    dialog = page.get_by_role("dialog", name="Restore revision 1")
    dialog.get_by_role("button", name="Restore").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    assert server.admin("GET", f"/apps/{published}/sets/1.0").fields["etag"] == '"3"'


def test_lost_taps_are_reviewed_before_a_publish(enter, server, succeeded):
    page = enter(place=f"#/apps/{succeeded}/sets/2.0.0/default")
    dialog = open_dialog(page)
    lines = dialog.get_by_role("list", name="On screen").get_by_role("listitem")
    kinds = [re.search("taken|landed|lost", line.get_attribute("class"))[0] for line in lines.all()]
    assert kinds == ["taken", "landed", "lost"]
    expect(dialog.locator(".joins circle")).to_have_count(8)
    review, now = dialog.get_by_role("button", name="Review 1 lost tap"), dialog.get_by_role("button", name="Publish now")
    expect(review).to_have_class("primary")
    expect(now).not_to_have_class("primary")
    expect(dialog.get_by_role("list", name="Warnings")).to_contain_text("Taps on “\u2068C\u2069” are lost.")
    assert violations(page) == []
    review.click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("combobox", name="A tap on C")).to_be_focused()
    # A click on the red line and on its entry does the same.
    for place in ("path.lost", ".tap.lost .sentence"):
        dialog = open_dialog(page)
        dialog.locator(place).first.click(force=place == "path.lost")
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("combobox", name="A tap on C")).to_be_focused()


def test_a_lost_item_that_ios_does_not_show_is_reviewed_too(enter, server, app):
    items = [{"id": id, "type": "t", "title": {"en": id.upper()}} for id in "abcde"]
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": items}).status == 201
    assert server.admin("PUT", f"/apps/{app}/sets/2.0/draft", {"items": items[:4]}).status == 201
    dialog = open_dialog(enter(place=f"#/apps/{app}/sets/2.0.0/default"))
    expect(dialog.get_by_role("list", name="Warnings")).to_contain_text("Taps on “\u2068E\u2069” are lost.")
    expect(dialog).to_contain_text("Taps on 1 of 5 items are lost.")
    expect(dialog.get_by_role("button", name="Review 1 lost tap")).to_have_class("primary")


def test_an_end_follows_its_start(enter, server, published):
    server.admin("PUT", f"/apps/{published}/sets/1.0/draft", {"items": []})
    dialog = open_dialog(enter(place=f"#/apps/{published}/sets/1.0.0/default", timezone_id="UTC"))
    at, until = (dialog.get_by_role("textbox", name=name, exact=True) for name in ("At", "Until"))
    until.fill("sunday 20:00")
    at.fill("2099-01-03 09:00")
    expect(until).to_have_accessible_description(re.compile("4 Jan 2099, 20:00"))
    expect(until).not_to_have_attribute("aria-invalid", "true")


def test_taps_between_menus_are_those_of_the_simulation(enter, server, succeeded):
    """The dialog computes the update gap of a draft from the two menus."""
    simulated = server.admin("GET", f"/apps/{succeeded}/simulate?from=1.0&to=2.0&draft=true").json["menu"]
    page = enter(place=f"#/apps/{succeeded}/sets/2.0.0/default")
    lines = open_dialog(page).get_by_role("list", name="On screen").get_by_role("listitem")
    kinds = {"replaced": "taken", "retired": "landed", "removed": "lost"}
    assert [line.locator("strong").inner_text() for line in lines.all()] == [row["title"] for row in simulated]
    assert [re.search("taken|landed|lost", line.get_attribute("class"))[0] for line in lines.all()] == [kinds[row["tap"]["outcome"]] for row in simulated]


def test_languages_are_counted_and_warnings_are_grouped(enter, server, published):
    server.admin("PUT", f"/apps/{published}/sets/1.0/draft", {"items": [
        item("a", {"en": "A 🎉", "de": "A 🎉"}), item("b", {"en": "B 🎉"}), item("c", {"en": "C"})]})
    dialog = open_dialog(enter(place=f"#/apps/{published}/sets/1.0.0/default"))
    assert dialog.get_by_role("list", name="Languages").get_by_role("listitem").all_inner_texts() == [
        "English: 3 of 3", "German: 1 of 3. Missing: B 🎉, C. Phones show the English titles of these."]
    emoji = dialog.get_by_role("list", name="Warnings").get_by_role("listitem").filter(has_text="emoji")
    expect(emoji).to_have_count(1)
    expect(emoji).to_contain_text("“\u2068A 🎉\u2069” (German)")


def test_taps_of_all_earlier_versions_are_in_the_picture(enter, server, app):
    """An item that 2.0 removed, before a first menu of 3.0, and before a rule in 2.0."""
    for version, ids in {"1.0": "abc", "2.0": "ab"}.items():
        server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": [item(id, id.upper()) for id in ids]})
    server.admin("PUT", f"/apps/{app}/sets/3.0/draft", {"items": [item("a", "A"), item("b", "B")]})
    page = enter(place=f"#/apps/{app}/sets/3.0.0/default")
    dialog = open_dialog(page)
    expect(dialog.get_by_role("list", name="Also on phones with 1.0.0").get_by_role("listitem")).to_have_text(re.compile("^C.*the tap is lost"))
    expect(dialog.get_by_role("button", name="Review 1 lost tap")).to_be_visible()
    server.admin("PUT", f"/apps/{app}/sets/2.0/draft", {"items": [item("a", "A", replaces=["c"]), item("b", "B")]})
    page = enter(place=f"#/apps/{app}/sets/2.0.0/default")
    dialog = open_dialog(page)
    expect(dialog.get_by_role("list", name="Also on phones with 1.0.0").get_by_role("listitem")).to_have_text(re.compile("^C.*Opens A"))
    expect(dialog.get_by_text("No tap is lost.")).to_be_visible()
    # The end of a campaign takes the rule back.
    dialog.get_by_role("textbox", name="Until", exact=True).fill("2099-01-01 9:00")
    expect(dialog.get_by_text("Taps on 1 of 3 items are lost.")).to_be_visible()


def test_pictures_are_in_the_language_that_is_chosen(enter, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "a", "Title (ko)", "가")
    dialog = open_dialog(page)
    # The menus differ in Korean only.
    pictures = dialog.get_by_role("combobox", name="Pictures in")
    expect(pictures).to_have_value("ko")
    expect(dialog.locator("figcaption").last).to_contain_text("in Korean")
    pictures.select_option("en")
    expect(dialog.locator("figcaption").last).not_to_contain_text("in Korean")
    expect(pictures).to_have_value("en")


def test_a_campaign_is_one_bar_with_its_message_as_its_name(enter, server, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default", timezone_id="UTC")
    write(page, "a", "Title (en)", "Offer")
    dialog = open_dialog(page)
    at, until = (dialog.get_by_role("textbox", name=name, exact=True) for name in ("At", "Until"))
    at.fill("24 nov 20")
    expect(at).to_have_accessible_description(re.compile("Enter a time like"))
    at.fill("24 nov 2098 9:00")
    expect(at).to_have_accessible_description(re.compile("24 Nov 2098, 09:00"))
    until.fill("24 nov 2098 8:00")
    expect(until).to_have_accessible_description(re.compile("The end must be after the start."))
    dialog.get_by_label("Until: choose a date and time").first.fill("2098-11-25T18:00")
    expect(until).not_to_have_attribute("aria-invalid", "true")
    dialog.get_by_role("heading", name="When the campaign ends").wait_for()
    expect(dialog.get_by_role("figure")).to_have_count(4)
    expect(until).to_have_value("2098-11-25 18:00")
    message = dialog.get_by_role("textbox", name="Message", exact=True)
    expect(message).to_have_accessible_description("The name of the campaign. The timeline and the history show it.")
    message.fill("Sale")
    dialog.get_by_role("button", name="Schedule").click()
    page.wait_for_url(re.compile("#/apps/[^/]+(\\?|$)"))
    bar = page.get_by_role("button", name="Sale, 24 to 25 Nov 2098", exact=True)
    expect(bar).to_have_accessible_description("Campaign of 1.0.0")
    expect(bar).to_have_attribute("title", "24 Nov 2098, 09:00 to 25 Nov 2098, 18:00")
    expect(page.get_by_role("button", name=re.compile("Sale, 24 to 25 Nov 2098: 1.0.0"))).to_have_count(1)
    expect(page.get_by_role("button", name="Cancel campaign")).to_have_count(1)
    bar.click()
    expect(page.get_by_role("dialog").get_by_role("figure")).to_have_count(2)
    page.get_by_role("dialog").get_by_role("button", name="Cancel campaign").click()
    asked = page.get_by_role("dialog", name="Cancel campaign")
    expect(asked).to_contain_text("Sale, 24 to 25 Nov 2098: the menu won't go live.")
    asked.get_by_role("button", name="Go back", exact=True).click()
    assert len(server.admin("GET", f"/apps/{published}/schedule").json["items"]) == 2
    page.get_by_role("dialog").get_by_role("button", name="Cancel campaign").click()
    asked.get_by_role("button", name="Cancel campaign").click()
    expect(bar).to_have_count(0)
    assert server.admin("GET", f"/apps/{published}/schedule").json["items"] == []


def test_a_conflict_replaces_the_publish_dialog_and_names_who_published(enter, server, published):
    page = enter(server.admin("POST", "/tokens", {"name": unique("Ada"), "role": "publisher"}).json["token"], place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "Mine")
    saved(page)
    dialog = open_dialog(page)
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/b", {"title": {"en": "Merged"}})
    expect(dialog.locator(".caution")).to_have_text(re.compile("admin-token published this menu at .* The draft now has both changes"))
    expect(dialog.get_by_role("figure").last.get_by_role("listitem").nth(1)).to_contain_text("Merged")
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Theirs"}})
    conflict = page.get_by_role("dialog", name="Merge changes")
    expect(conflict).to_contain_text(re.compile("admin-token published this menu at "))
    expect(dialog).to_have_count(0)
    conflict.get_by_role("radiogroup", name="Mine: Title in English").get_by_role("radio", name="Theirs").check()
    conflict.get_by_role("button", name="Merge").click()
    expect(item_of(page, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Theirs")


def test_history_says_what_was_restored(enter, server, published):
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Bad"}})
    lead = server.admin("POST", "/tokens", {"name": unique("release-lead"), "role": "publisher"}).json
    assert server.admin("POST", f"/apps/{published}/revisions/1/restore", token=lead["token"]).status == 200
    page = enter(place=f"#/apps/{published}/history")
    row = page.locator('tr[data-revision="3"]')
    expect(row).to_contain_text(f"Restored revision 1, by {lead['name']}")
    audit = page.get_by_role("table", name="Audit").get_by_role("row")
    expect(audit.nth(1)).to_contain_text("Restored revision 1")
    row.get_by_role("link", name="Revision 3").click()
    expect(page.get_by_text("Revision 1 is live again.")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Restore"))).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("dialog", name="Restore revision 2").get_by_role("figure")).to_have_count(2)


def test_a_draft_is_reviewed_changed_and_approved(enter, server, published):
    """Both people always see the draft's state, without a reload."""
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    team, qa = (server.admin("POST", "/tokens", {"name": unique(name), "role": role}).json for name, role in (("mobile-team", "editor"), ("qa", "publisher")))
    place = f"#/apps/{published}/sets/1.0.0/default"
    editor, reviewer = enter(team["token"], place), enter(qa["token"], place)
    write(editor, "a", "Title (en)", "Weekend")
    saved(editor)
    editor.get_by_role("button", name="Request approval").click()
    dialog = editor.get_by_role("dialog", name="Request approval")
    expect(dialog.get_by_role("textbox", name="Comment")).to_have_accessible_description(re.compile(" can approve this draft"))
    dialog.get_by_role("textbox", name="Comment").fill("For Saturday")
    dialog.get_by_role("button", name="Request approval").click()
    expect(editor.get_by_text(re.compile("^Waiting for .*You requested approval at .*For Saturday"))).to_be_visible()
    expect(reviewer.locator(".review")).to_contain_text(f"{team['name']} requested approval at ")
    assert violations(reviewer) == []
    reviewer.get_by_role("button", name="Review", exact=True).click()
    dialog = reviewer.get_by_role("dialog", name="Review")
    expect(dialog.get_by_role("figure")).to_have_count(2)
    expect(dialog.get_by_role("list", name="Difference")).to_contain_text("Weekend")
    comment = dialog.get_by_role("textbox", name="Comment")
    dialog.get_by_role("button", name="Request changes").click()
    expect(comment).to_have_accessible_description(re.compile("Say what should change."))
    comment.fill("Too long in Korean")
    dialog.get_by_role("button", name="Request changes").click()
    expect(editor.locator(".review")).to_contain_text(re.compile(f"{qa['name']} requested changes at .*Too long in Korean"))
    write(editor, "a", "Title (ko)", "주말")
    editor.locator(".saving.saved").wait_for()
    editor.get_by_role("button", name="Request approval").click()
    editor.get_by_role("dialog").get_by_role("button", name="Request approval").click()
    # The comment on the draft before stays readable, also for people who come later.
    for page in (editor, reviewer, enter(place=place), enter(team["token"], place)):
        comments = page.get_by_role("list", name="Earlier comments").get_by_role("listitem")
        expect(comments.last).to_have_text(re.compile(r"^(You|.?qa.*) at \d\d:\d\d: “.?Too long in Korean.?”$"))
    # Whoever edits now withdraws the request, and is told so.
    expect(editor.get_by_role("status")).to_have_text("Approval requested.")
    write(editor, "a", "Title (ko)", "주말!")
    expect(editor.get_by_role("status")).to_contain_text("Your edit withdrew the request.")
    editor.get_by_role("button", name="Request approval").click()
    editor.get_by_role("dialog").get_by_role("button", name="Request approval").click()
    reviewer.get_by_role("button", name="Review", exact=True).click()
    expect(dialog.get_by_role("figure").last).to_contain_text("Weekend")
    dialog.get_by_role("button", name="Approve").click()
    expect(editor.locator(".review")).to_contain_text(f"Approved by {qa['name']}")
    timeline = enter(team["token"], f"#/apps/{published}")
    expect(timeline.get_by_role("link", name="1.0.0", exact=True)).to_contain_text("approved")
    dialog = open_dialog(reviewer)
    expect(dialog.get_by_role("button", name="Publish now")).to_have_class("primary")


def test_a_reviewed_campaign_begins_and_ends_before_everybodys_eyes(enter, server, published):
    """An editor asks, a reviewer wants a change, the editor makes it, the reviewer approves and schedules: no page is reloaded."""
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    team, qa = (server.admin("POST", "/tokens", {"name": unique(name), "role": role}).json for name, role in (("mobile-team", "editor"), ("qa", "publisher")))
    place = f"#/apps/{published}/sets/1.0.0/default"
    editor, reviewer = enter(team["token"], place, timezone_id="UTC"), enter(qa["token"], place, timezone_id="UTC")
    timeline = enter(team["token"], f"#/apps/{published}", timezone_id="UTC")

    def ask(title):
        write(editor, "a", "Title (en)", title)
        editor.locator(".saving.saved").wait_for()
        editor.get_by_role("button", name="Request approval").click()
        editor.get_by_role("dialog").get_by_role("button", name="Request approval").click()
        expect(reviewer.locator(".review")).to_contain_text(f"{team['name']} requested approval")
        expect(timeline.get_by_role("link", name="1.0.0", exact=True)).to_contain_text("waiting for approval")
        reviewer.get_by_role("button", name="Review", exact=True).click()
        return reviewer.get_by_role("dialog", name="Review")

    dialog = ask("A weekend sale for everybody")
    dialog.get_by_role("textbox", name="Comment").fill("Shorter, please")
    dialog.get_by_role("button", name="Request changes").click()
    expect(editor.locator(".review")).to_contain_text("Shorter, please")
    expect(timeline.get_by_role("link", name="1.0.0", exact=True)).to_contain_text("changes requested")
    write(editor, "a", "Subtitle (en)", "Until Sunday")
    editor.locator(".saving.saved").wait_for()
    expect(editor.get_by_role("button", name="Request approval")).to_be_visible()
    # What was asked for stays in sight while it is done.
    expect(editor.locator(".review")).to_contain_text("Shorter, please")
    ask("Weekend sale").get_by_role("button", name="Approve").click()
    expect(editor.locator(".review")).to_contain_text(f"Approved by {qa['name']}")
    expect(timeline.get_by_role("link", name="1.0.0", exact=True)).to_contain_text("approved")
    dialog = open_dialog(reviewer)
    begins = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=20)
    ends = begins + datetime.timedelta(seconds=20)
    for name, time in (("At", begins), ("Until", ends)):
        dialog.get_by_role("textbox", name=name, exact=True).fill(f"{time:%Y-%m-%d %H:%M:%S}")
    dialog.get_by_role("textbox", name="Message", exact=True).fill("Weekend")
    dialog.get_by_role("button", name="Schedule").click()
    bar = timeline.get_by_role("button", name=re.compile(r"^Weekend, [^:]*, \d\d:\d\d to \d\d:\d\d$"))
    expect(bar).to_have_accessible_description("Campaign of 1.0.0")
    expect(editor.get_by_text(re.compile(f"{qa['name']} has scheduled the campaign “Weekend” today at"))).to_be_visible()
    assert server.admin("GET", f"/apps/{published}/sets/1.0").json["items"][0]["title"]["en"] == "A"
    expect(bar).to_have_accessible_description("Campaign of 1.0.0, live")
    expect(timeline.get_by_role("region", name="Menu of a version").get_by_text("Weekend sale").first).to_be_visible()
    expect(item_of(editor, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Weekend sale")
    expect(editor.get_by_text(re.compile("The menu reverts today at"))).to_be_visible()
    expect(bar).to_have_count(0)
    expect(timeline.get_by_role("region", name="Menu of a version").get_by_text("Weekend sale")).to_have_count(0)
    expect(item_of(editor, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("A")
    expect(editor.get_by_text(re.compile("The menu reverts"))).to_have_count(0)
    expect(editor.locator(".saving.saved")).to_have_text("Published as revision 3.")
    assert [revision["kind"] for revision in server.admin("GET", f"/apps/{published}/revisions").json["items"]] == ["published"] * 3


def test_choices_of_a_conflict_are_described_and_lead_on(enter, server, published):
    ada = enter(server.admin("POST", "/tokens", {"name": unique("Ada"), "role": "publisher"}).json["token"], place=f"#/apps/{published}/sets/1.0.0/default")
    write(ada, "a", "Title (ko)", "내것")
    saved(ada)
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"ko": "그것"}})
    group = ada.get_by_role("dialog", name="Merge changes").get_by_role("radiogroup", name="A: Title in Korean", exact=True)
    expect(group).to_have_accessible_description("Before: “a-ko”")
    theirs = group.get_by_role("radio", name="Theirs", exact=True)
    expect(theirs).to_have_accessible_description("“그것”")
    expect(group.locator("bdi[lang=ko]")).to_have_count(3)
    theirs.check()
    ada.keyboard.press("Escape")
    expect(ada.get_by_role("status")).to_contain_text("Choose which changes to keep in Merge changes, above the items.")
    group.get_by_role("radio", name="Theirs", exact=True).focus()
    ada.get_by_role("button", name="Merge").click()
    expect(group).to_have_count(0)
    expect(item_of(ada, "a").locator(":focus")).to_have_count(1)
    expect(item_of(ada, "a").get_by_role("textbox", name="Title (ko)", exact=True)).to_have_value("그것")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_what_waits_and_what_collides_have_no_violation(width, scheme, enter, server, succeeded):
    assert server.admin("POST", f"/apps/{succeeded}/sets/2.0/publish", {"at": "2099-01-01T00:00:00Z"}).status == 202
    page = enter(place=f"#/apps/{succeeded}", viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    page.get_by_role("button", name=re.compile("^Publish 2.0.0")).click()
    page.get_by_role("dialog").get_by_role("list", name="Difference").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.goto(page.url.split("#")[0] + f"#/apps/{succeeded}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "Mine")
    saved(page)
    server.admin("PATCH", f"/apps/{succeeded}/sets/1.0/items/a", {"title": {"en": "Theirs"}})
    page.get_by_role("dialog", name="Merge changes").wait_for()
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_every_page_says_that_a_restore_loses_taps(enter, server, published):
    """Phones of the same version may still show an item that the restored menu does not have."""
    place = f"/apps/{published}/sets/1.0"
    document = server.admin("GET", place).json
    document["items"].append(item("z", {"en": "Zed"}))
    assert server.admin("PUT", place, document).status == 200
    server.admin("PUT", f"/apps/{published}/releases/1.1.0", {"staticItems": []})
    page = enter(place=f"#/apps/{published}/revisions/2")
    page.get_by_role("button", name="Restore revision 1").click()
    dialog = page.get_by_role("dialog", name="Restore revision 1")
    expect(dialog.get_by_text("Taps on 1 of 4 items are lost.")).to_be_visible()
    expect(dialog.locator(".tap.lost")).to_have_text(re.compile("Zed.*the tap is lost"))
    dialog.get_by_role("button", name="Restore").click()
    page.wait_for_url("**/revisions/3*")
    page.get_by_role("link", name="Update gap").click()
    expect(page.get_by_text("Taps on \u2068Zed\u2069 are lost on phones that still show an earlier menu.")).to_be_visible()
    expect(page.get_by_text("No tap is lost.", exact=True)).to_have_count(0)
    page.locator(".gap .forgotten").get_by_role("link", name="Decide…").click()
    expect(decision(page, "Zed")).to_be_focused()
    write(page, "a", "Title (en)", "Again")
    saved(page)
    dialog = open_dialog(page)
    expect(dialog.get_by_text("Taps on 1 of 4 items are lost.")).to_be_visible()
    expect(dialog.get_by_role("list", name="Also on phones with an earlier menu")).to_have_text(re.compile("Zed.*the tap is lost"))
    dialog.get_by_role("button", name="Review 1 lost tap").click()
    decision(page, "Zed").select_option("Just opens the app")
    saved(page)
    expect(open_dialog(page).get_by_text("No tap is lost.")).to_be_visible()
