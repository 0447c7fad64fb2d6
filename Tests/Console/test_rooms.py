"""The pages of an app: they show the API's data and ask before changes."""

import base64
import os
import plistlib
import random
import re

import pytest

from longpress import Longpress, OWNER, eventually, info_plist, item, sql, unique
from playwright.sync_api import expect
from rooms import published_revision, saved, write

SEED = int(os.environ.get("LONGPRESS_SEED", "0")) or random.randrange(1 << 32)


def named(id, **more):
    return item(id, {"en": id.upper()}, **more)


def put(server, app, version, *items, audience="default", **members):
    answer = server.admin("PUT", f"/apps/{app}/sets/{version}?audience={audience}", {"items": list(items), **members})
    assert answer.status in (200, 201), answer.text
    return answer.json["revision"]


def token(server, role, **more):
    return server.admin("POST", "/tokens", {"name": unique(role), "role": role, **more}).json["token"]


# Settings


def test_the_settings_of_an_app_are_changed(enter, server, app):
    page = enter(place=f"#/apps/{app}")
    page.get_by_role("link", name="Settings").click()
    for name, text in {"Name": "Post", "Fallback URL": "post://home", "Approvals": "2"}.items():
        page.get_by_label(name, exact=True).fill(text)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Settings saved.")
    read = server.admin("GET", f"/apps/{app}").json
    assert (read["name"], read["defaultLanguage"], read["fallbackURL"], read["approvals"]) == ("Post", "en", "post://home", 2)
    page.get_by_label("Fallback URL", exact=True).fill("http://example.com")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Fallback URL", exact=True)).to_have_attribute("aria-invalid", "true")
    assert server.admin("GET", f"/apps/{app}").json["fallbackURL"] == "post://home"


def test_settings_that_somebody_else_has_changed_are_not_overwritten(enter, server, app):
    page = enter(place=f"#/apps/{app}/settings")
    server.admin("PATCH", f"/apps/{app}", {"fallbackURL": "mail://theirs"})
    page.get_by_label("Name", exact=True).fill("Mine")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Someone else changed the settings")
    expect(page.get_by_label("Fallback URL", exact=True)).to_have_value("mail://theirs")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Settings saved.")
    read = server.admin("GET", f"/apps/{app}").json
    assert (read["name"], read["fallbackURL"]) == ("Mine", "mail://theirs")


def test_an_app_is_deleted_by_who_writes_its_id(enter, server, published):
    page = enter(place=f"#/apps/{published}/settings")
    page.get_by_role("button", name="Delete app…").click()
    dialog = page.get_by_role("dialog", name=f"Delete {published}")
    expect(dialog).to_contain_text("1 menu, 0 drafts and 0 releases")
    dialog.get_by_role("textbox", name="App id").fill("com.example.other")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(dialog.get_by_role("textbox", name="App id")).to_have_attribute("aria-invalid", "true")
    assert server.admin("GET", f"/apps/{published}").status == 200
    dialog.get_by_role("textbox", name="App id").fill(published)
    dialog.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("heading", level=1, name="Apps").wait_for()
    assert server.admin("GET", f"/apps/{published}").status == 404


def test_settings_are_for_owners_and_say_so(enter, server, app):
    page = enter(token(server, "publisher"), place=f"#/apps/{app}/settings")
    expect(page.get_by_text("Only owners can do this. You are signed in as a publisher.")).to_be_visible()
    for button in ("Save", "Delete app…", "Choose a picture"):
        expect(page.get_by_role("button", name=button)).to_have_count(0)
    expect(page.get_by_label("Name", exact=True)).not_to_be_editable()


PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")


def test_an_app_has_languages_and_an_icon(enter, app):
    page = enter(place=f"#/apps/{app}/settings")
    languages = page.get_by_label("Languages", exact=True)
    languages.fill("English, 한국어, klingonese?")
    page.get_by_role("button", name="Save").click()
    expect(languages).to_have_accessible_description(re.compile("^“klingonese\\?” is not a language tag."))
    languages.fill("English, 한국어, pt-br")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Settings saved.")
    expect(languages).to_have_value("English, Korean, Brazilian Portuguese")
    chooser = page.get_by_label("Icon", exact=True)
    chooser.set_input_files({"name": "big.png", "mimeType": "image/png", "buffer": bytes(131_073)})
    expect(page.get_by_role("alert")).to_contain_text("big.png is not a PNG of at most 128 kB.")
    chooser.set_input_files({"name": "icon.png", "mimeType": "image/png", "buffer": PNG})
    icon = page.get_by_role("img", name="Icon")
    expect(icon).to_have_js_property("naturalWidth", 1)
    expect(page.get_by_role("alert")).to_have_count(0)
    # The event of the removal arrives while the answer is slow.
    page.evaluate("{ const ask = fetch; window.fetch = async (...asked) => { await new Promise((done) => setTimeout(done, 500)); return ask(...asked); }; }")
    page.get_by_role("button", name="Remove icon").click()
    expect(icon).to_have_count(0)


# Update gap


def test_a_scheduled_decision_is_part_of_the_update_gap(enter, server, app):
    put(server, app, "1.0", named("a"), named("b"), named("c"))
    put(server, app, "2.0", named("a"))
    decided = {"items": [named("a")], "retired": [{"id": "b", "url": "mail://b"}]}
    assert server.admin("PUT", f"/apps/{app}/sets/2.0/draft", decided).status == 201
    assert server.admin("POST", f"/apps/{app}/sets/2.0/publish", {"at": "2099-01-01T09:00:00Z"}).status == 202
    page = enter(place=f"#/apps/{app}/gap?from=1.0.0&to=2.0.0", timezone_id="UTC")
    b, c = (page.get_by_role("list", name="On screen").get_by_role("listitem").filter(has_text=title) for title in "BC")
    expect(b).to_contain_text("the tap is lost until 1 Jan 2099, 09:00")
    expect(b).to_contain_text("Opens mail://b. Decided in the menu of 2.0.0 that is scheduled for 1 Jan 2099, 09:00.")
    expect(b.get_by_role("button")).to_have_count(0)
    expect(c.get_by_role("button", name="Decide…")).to_be_visible()
    expect(page.get_by_text("Taps on 2 of 3 items are lost, on 1 of them only until 1 Jan 2099, 09:00.")).to_be_visible()
    causes = page.get_by_role("list", name="Why taps are lost").get_by_role("listitem")
    expect(causes.filter(has_text="B was removed")).to_contain_text("Decided in the menu of 2.0.0")
    expect(causes.filter(has_text="B was removed").get_by_role("link")).to_have_count(0)
    expect(causes.filter(has_text="C was removed").get_by_role("link", name="Decide once")).to_be_visible()


def random_timeline(server, app, dice):
    """Sets whose items are replaced, retired, removed, disabled and restored, and releases with static items."""
    alive, gone, fresh = [], [], iter(range(1000))
    for version in range(1, 8):
        items, retired = [], []
        for id in alive:
            fate = dice.random()
            if fate < 0.5:
                items.append(named(id, enabled=dice.random() < 0.8))
            elif fate < 0.65:
                items.append(named(f"i{next(fresh)}", replaces=[id]))
                gone.append(id)
            elif fate < 0.75:
                retired.append({"id": id})
                gone.append(id)
        items += [named(f"i{next(fresh)}") for _ in range(dice.randint(0, 3))]
        dice.shuffle(items)
        put(server, app, f"{version}.0", *items[:8], retired=retired)
        alive = [each["id"] for each in items[:8]] + ([dice.choice(alive)] if alive and dice.random() < 0.3 else [])
        alive = [id for id in dict.fromkeys(alive) if id not in gone]
        if dice.random() < 0.6:
            statics = [{"type": f"s{number}", "title": f"Static {number}"} for number in range(dice.randint(0, 3))]
            place = f"/apps/{app}/releases/{version}.{dice.randint(0, 1)}"
            assert server.admin("PUT", place, {"build": "1", "staticItems": statics, "urlSchemes": []}).status == 201


@pytest.mark.parametrize("turn", range(4))
def test_all_pairs_are_judged_as_the_simulation_does(turn, enter, server, app):
    dice = random.Random(SEED + turn)
    random_timeline(server, app, dice)
    page = enter(place=f"#/apps/{app}/gap")
    heading = page.get_by_text("All pairs of versions")
    expect(heading).to_be_visible()
    versions = page.get_by_role("combobox", name="From", exact=True).get_by_role("option").all_inner_texts()
    expected = {}
    for place, old in enumerate(versions):
        for new in versions[place + 1:]:
            menu = server.admin("GET", f"/apps/{app}/simulate?from={old}&to={new}").json["menu"]
            expected[f"{old} {new}"] = sum(row["tap"]["outcome"] == "removed" for row in menu)
    heading.click()
    while page.get_by_role("button", name="Show more").is_visible():
        page.get_by_role("button", name="Show more").click()
    told = page.locator("[data-pair]").evaluate_all(
        "(pairs) => pairs.map((pair) => [pair.dataset.pair, Number(pair.querySelector('.lost-count')?.textContent.match(/\\d+/) ?? 0)])")
    assert dict(told) == expected, SEED + turn
    counts = [count for _, count in told]
    assert counts == sorted(counts, reverse=True)
    losing = sum(count > 0 for count in counts)
    if losing:
        expect(page.get_by_text(f"{losing} of {len(expected)} pairs lose")).to_have_count(1)
        # The first pair is shown.
        expect(page.locator(".verdict")).to_contain_text(f"Taps on {counts[0]} of ")
    else:
        expect(page.get_by_text("No pair of versions loses a tap.")).to_be_visible()


def test_the_arrow_keys_walk_and_say_what_is_lost(enter, server, app):
    put(server, app, "1.0", named("a"), named("b"))
    put(server, app, "2.0", named("a"), named("b"))
    put(server, app, "3.0", named("c", replaces=["a"]))
    page = enter(place=f"#/apps/{app}/gap")
    expect(page.locator(".verdict")).to_have_text("Taps on 1 of 2 items are lost.")
    assert page.get_by_role("combobox", name="From", exact=True).input_value() == "2.0.0"
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status")).to_have_text("From 1.0.0 to 3.0.0. Pair 2 of 3. 2 pairs lose a tap. Taps on 1 of 2 items are lost.")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".verdict")).to_have_text("No tap is lost.")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("combobox", name="From", exact=True)).to_have_value("2.0.0")
    # Lines of two rows to the second phone, to their sentences, and of one to the third phone.
    expect(page.locator(".gap > .joins path")).to_have_count(5)
    # A click on the red line.
    entry = page.get_by_role("list", name="On screen").locator(".tap.lost")
    page.locator(".gap > .joins path.lost").click(force=True)
    choice = page.get_by_role("combobox", name="A tap on B")
    expect(choice).to_be_focused()
    # The line follows the entry, which is higher now.
    middle = "(each) => { const { top, height } = each.getBoundingClientRect(); return Math.round(top + height / 2); }"
    eventually(lambda: page.locator(".gap > .joins circle.lost").last.evaluate(middle) == entry.evaluate(middle))
    choice.select_option(label="Same as C")
    page.get_by_role("list", name="On screen").get_by_role("button", name="Save").click()
    decided = page.get_by_text("Decided in the draft of 3.0.0, not published.")
    expect(decided.and_(page.locator(".gap-decision"))).to_be_visible()
    page.reload()
    expect(decided.and_(page.locator(".gap-decision"))).to_be_visible()


def test_the_update_gap_of_an_audience(enter, server, app):
    put(server, app, "1.0", named("a"))
    put(server, app, "1.0", named("m"), audience="member")
    put(server, app, "2.0", named("n"), audience="member")
    page = enter(place=f"#/apps/{app}/gap?from=1.0.0&to=2.0.0")
    lines = page.get_by_role("list", name="On screen").get_by_role("listitem")
    expect(lines).to_have_count(1)
    expect(lines.first).to_contain_text("A")
    expect(page.get_by_text("No pair of versions loses a tap.")).to_be_visible()
    page.get_by_role("combobox", name="Audience").select_option("member")
    expect(lines.first).to_contain_text("M Just opens the app: the tap is lost")
    expect(page.get_by_text("The only pair of versions loses a tap.")).to_be_visible()


# Revisions


def test_the_first_revision_of_a_set_shows_what_its_version_was_served_before(enter, server, published):
    revision = put(server, published, "2.0", named("z", replaces=["a"]))
    page = enter(place=f"#/apps/{published}/revisions/{revision}")
    before = page.get_by_role("list", name="Before: revision 1, menu of 1.0.0")
    assert before.get_by_role("listitem").all_inner_texts() == ["A", "B", "C"]
    assert page.get_by_role("list", name="After: revision 2, menu of 2.0.0").get_by_role("listitem").all_inner_texts() == ["Z"]
    expect(page.get_by_text("Before it, the menu of 1.0.0 also applied to 2.0.0.")).to_be_visible()
    expect(page.get_by_role("list", name="Difference").get_by_role("listitem").filter(has_text="B is removed")).to_have_count(1)


def test_what_is_taken_back_at_first_stays_as_a_draft(enter, server, published):
    revision = put(server, published, "2.0", named("z"))
    page = enter(place=f"#/apps/{published}/revisions/{revision}")
    expect(page.get_by_text("deletes the menu of 2.0.0. The menu of 1.0.0 applies again")).to_be_visible()
    page.get_by_role("button", name="Restore revision 1").click()
    page.get_by_role("dialog", name="Restore revision 1").get_by_role("button", name="Restore").dblclick()
    page.wait_for_url("**/revisions/3*")
    assert [each["id"] for each in server.admin("GET", f"/apps/{published}/sets/2.0/draft").json["items"]] == ["z"]
    assert [each["localizedTitle"] for each in server.shortcuts(published, "2.0").json["items"]] == ["A", "B", "C"]
    page.get_by_role("link", name="Open in the editor").click()
    page.get_by_role("heading", level=1, name="2.0.0").wait_for()
    assert server.admin("GET", f"/apps/{published}/revisions").json["items"][0]["revision"] == 3


def test_taking_back_a_first_revision_where_approvals_are_needed(enter, server, published):
    revision = put(server, published, "2.0", named("z"))
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    place = f"#/apps/{published}/revisions/{revision}"
    publisher = enter(token(server, "publisher"), place)
    expect(publisher.get_by_role("button", name="Restore revision 1")).to_have_accessible_description(
        "This app requires approvals. Ask an owner to delete the menu with a reason.")
    owner = enter(place=place)
    owner.get_by_role("button", name="Restore revision 1").click()
    dialog = owner.get_by_role("dialog", name="Restore revision 1")
    dialog.get_by_role("textbox").fill("It was a mistake")
    dialog.get_by_role("button", name="Restore").click()
    owner.wait_for_url("**/revisions/3*")
    assert server.admin("GET", "/audit?limit=10").json["items"][1]["reason"] == "It was a mistake"


# History


def test_a_revision_says_why_approvals_were_missing(enter, server, published):
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    assert server.admin("PUT", f"/apps/{published}/sets/1.0?override=Legal+asked", {"items": [named("z")]}).status == 200
    page = enter(place=f"#/apps/{published}/revisions/1")
    page.get_by_role("heading", level=2, name="Difference").wait_for()
    expect(page.get_by_text("Reason for publishing without approvals")).to_have_count(0)
    page.goto(page.url.replace("revisions/1", "revisions/2"))
    expect(page.get_by_text("Reason for publishing without approvals: Legal asked")).to_be_visible()


def test_what_stands_and_what_was_deleted_cannot_be_restored(enter, server, published):
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Again"}})
    put(server, published, "2.0", named("z"))
    server.admin("DELETE", f"/apps/{published}/sets/2.0")
    page = enter(place=f"#/apps/{published}/history?from=1&to=2")
    reasons = {4: "This revision deleted the menu, so it cannot be restored.", 3: None, 2: "This is the current menu.", 1: None}
    for number, reason in reasons.items():
        restore = page.locator(f'tr[data-revision="{number}"]').get_by_role("button", name="Restore")
        if reason:
            expect(restore).to_have_attribute("aria-disabled", "true")
            expect(restore).to_have_accessible_description(reason)
        else:
            expect(restore).not_to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("list", name="Revision 2").get_by_role("listitem").first).to_have_text("Again")
    page.locator('tr[data-revision="3"]').get_by_role("button", name="Restore").click()
    page.get_by_role("dialog", name="Restore revision 3").get_by_role("button", name="Restore").click()
    assert published_revision(page) == 5
    assert [each["localizedTitle"] for each in server.shortcuts(published, "2.0").json["items"]] == ["Z"]


def test_a_difference_that_an_address_names_is_found_beyond_the_first_page(enter, server, published):
    for number in range(55):
        server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": f"Title {number}"}})
    page = enter(place=f"#/apps/{published}/history?from=1&to=2")
    expect(page.get_by_role("region", name="Difference")).to_contain_text("“Title 0”")
    rows = page.get_by_role("table", name="Revisions").get_by_role("row")
    expect(rows).to_have_count(51)
    page.locator("main").get_by_role("button", name="Show more").first.click()
    expect(rows).to_have_count(57)
    expect(page.get_by_role("radio", name="Compare from 1", exact=True)).to_be_checked()


def test_saves_of_a_draft_are_one_line_of_the_audit(enter, server, published):
    for number in range(3):
        server.admin("PUT", f"/apps/{published}/sets/1.0/draft", {"items": [named(f"d{number}")]})
    page = enter(place=f"#/apps/{published}/history")
    expect(page.get_by_role("table", name="Audit").get_by_role("cell", name="Saved a draft, 3 times")).to_have_count(1)
    reader = enter(token(server, "reader"), f"#/apps/{published}/history")
    expect(reader.get_by_text("Only owners with access to all apps see the audit.")).to_be_visible()


# Taps


def test_taps_say_which_rules_may_go(enter, server, published):
    put(server, published, "2.0", named("z", replaces=["a"]), retired=[{"id": "b"}])
    page = enter(place=f"#/apps/{published}/taps")
    expect(page.get_by_text("No tap was counted in 30 days. Ask")).to_be_visible()
    page.get_by_role("combobox", name="Days").select_option("7")
    expect(page.get_by_text("No tap was counted in 7 days. Ask")).to_be_visible()
    expect(page.get_by_role("table", name="Rules for removed items")).to_contain_text("Unknown: no tap was counted")
    for id in ("a", "c", "never-seen"):
        for _ in range(3):
            server.tap(published, "2.0", {"type": "t", "userInfo": {"longpress.schema": 1, "longpress.item": id, "longpress.version": "1.0.0"}})
    expect_counted(server, published, 9)
    page.reload()
    rules = page.get_by_role("table", name="Rules for removed items").get_by_role("row")
    expect(rules.filter(has_text="same as")).to_contain_text("Still needed: phones with 1.0.0 show it.")
    expect(rules.filter(has_text="opens a URL or the app")).to_contain_text("Too early: taps are counted for less than 7 days.")
    for table in ("tap_counts", "tap_tallies"):
        sql(server, f"UPDATE {table} SET hour = hour - {6 * 86_400_000} WHERE app = '{published}'")
    page.reload()
    expect(rules.filter(has_text="opens a URL or the app")).to_contain_text("You may remove it: no tap in these days.")
    old = page.get_by_role("table", name="Old items that people still tap").get_by_role("row")
    expect(old.filter(has_text="Ids that no menu of this app has, counted together")).to_contain_text("Removed, nothing decided")
    assert "none" not in page.get_by_role("table", name="Old items that people still tap").inner_text()
    ranked = page.get_by_role("list", name="Most used items").locator("> li")
    expect(ranked).to_have_count(2)
    expect(ranked.filter(has_text="3 lost")).to_contain_text("C3 taps")
    ranked.first.locator("summary").click()
    expect(ranked.first.get_by_role("table", name="By version")).to_contain_text("2.0.03")
    old.filter(has_text="C1.0.0").get_by_role("link", name="Decide…").click()
    page.get_by_role("heading", level=1, name="2.0.0").wait_for()


def expect_counted(server, app, count):
    """Taps are written every few seconds."""

    assert eventually(lambda: sum(server.admin("GET", f"/apps/{app}/taps").json["outcomes"].values()) == count)


# Timeline


def test_each_audience_has_its_menu_and_its_screen(enter, server, published):
    put(server, published, "2.0", named("z"))
    for number in range(4):
        put(server, published, "1.0", named(f"m{number}"), audience=f"group-{number}")
    page = enter(place=f"#/apps/{published}?version=2.0.0")
    assert page.get_by_role("list", name="Menu of 2.0.0, Everyone").get_by_role("listitem").all_inner_texts() == ["Z"]
    expect(page.get_by_role("list", name="On screen, Everyone").get_by_role("listitem").first).to_contain_text("A Just opens the app: the tap is lost")
    page.get_by_role("group").filter(has_text="group-3").locator("summary").click()
    assert page.get_by_role("list", name="Menu of 2.0.0, group-3").get_by_role("listitem").all_inner_texts() == ["M3"]
    expect(page.get_by_role("list", name="On screen, group-3").get_by_role("listitem")).to_have_text(["M3 Opens M3"])


def test_the_timeline_shows_what_is_to_come(enter, server, published):
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    server.admin("PUT", f"/apps/{published}/sets/2.0/draft", {"items": [named("z")]})
    server.admin("POST", f"/apps/{published}/revisions/1/restore", {"at": "2099-01-01T00:00:00Z"})
    page = enter(place=f"#/apps/{published}", timezone_id="UTC")
    expect(page.get_by_role("link", name="2.0.0", exact=True)).to_contain_text("draft")
    standing = page.get_by_role("link", name="1.0.0", exact=True)
    expect(standing).to_contain_text("scheduled")
    expect(standing).to_have_accessible_description(
        "From 1.0.0 on, for everyone. Revision 1, published by \u2068admin-token\u2069. "
        "Restore scheduled for 1 Jan 2099, 00:00 by \u2068admin-token\u2069")


def test_the_timeline_answers_what_any_version_sees(enter, server, published):
    put(server, published, "3.0", named("z"))
    put(server, published, "1.0", named("m"), audience="member")
    page = enter(place=f"#/apps/{published}")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Mail {published}")
    question = page.get_by_role("textbox", name="What does version")
    question.fill("2.x")
    expect(question).to_have_attribute("aria-invalid", "true")
    question.fill("2.5.1")
    expect(page.get_by_role("list", name="Menu of 2.5.1, Everyone").get_by_role("listitem")).to_have_text(["A", "B", "C"])
    page.get_by_role("combobox", name="Audience").select_option("member")
    expect(page.get_by_role("list", name="Menu of 2.5.1, member")).to_be_visible()
    expect(page.get_by_role("list", name="Menu of 2.5.1, Everyone")).to_have_count(0)
    page.get_by_role("link", name="Edit 3.0.0", exact=True).click()
    page.get_by_role("heading", level=1, name="3.0.0").wait_for()


def test_sixty_versions_are_walked_with_the_arrow_keys(enter, server, app):
    for number in range(60):
        put(server, app, f"1.{number}", named(f"i{number}"))
    page = enter(place=f"#/apps/{app}", viewport={"width": 1280, "height": 900})
    earlier, later = (page.get_by_role("button", name=name) for name in ("Earlier", "Later"))
    expect(later).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("button", name="1.59.0")).to_be_in_viewport()
    page.get_by_role("button", name="1.59.0").press("Home")
    expect(page.get_by_role("button", name="1.0.0")).to_be_focused()
    expect(page.get_by_role("button", name="1.0.0")).to_be_in_viewport()
    expect(earlier).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Version 1.1.0 sees")).to_be_visible()
    later.click()
    expect(earlier).not_to_have_attribute("aria-disabled", "true")
    # One stop of the Tab key for all versions.
    assert page.locator(".timeline .version[tabindex='0']").count() == 1


def test_an_app_with_releases_alone_shows_them(enter, server, app):
    page = enter(place=f"#/apps/{app}")
    expect(page.get_by_text("This app has no menu yet.")).to_be_visible()
    server.admin("PUT", f"/apps/{app}/releases/1.0", {"build": "1", "staticItems": [{"type": "s", "title": "Static"}], "urlSchemes": []})
    page.reload()
    expect(page.get_by_role("img", name="Release 1.0.0, build 1: 1 static item")).to_be_visible()
    expect(page.get_by_role("button", name="Create the first menu")).to_be_visible()
    page.goto(page.url.split("#")[0] + f"#/apps/{app}/gap")
    expect(page.get_by_text("An update needs two versions. Publish a second menu, or import a second release.")).to_be_visible()


# Apps


def test_lost_taps_are_found_from_the_list_of_apps(enter, server):
    app = unique("com.example.finding").replace(" ", "")
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "name": "Finding"})
    put(server, app, "1.0", named("a"), named("b"))
    put(server, app, "2.0", named("b"))
    for _ in range(3):
        server.tap(app, "2.0", {"type": "t", "userInfo": {"longpress.schema": 1, "longpress.item": "a", "longpress.version": "1.0.0"}})
    expect_counted(server, app, 3)
    page = enter()
    page.get_by_role("searchbox", name="Filter").fill(app)
    apps = page.get_by_role("list", name="Apps").locator("> li")
    expect(apps).to_have_count(1)
    expect(apps.get_by_role("heading", name="Finding")).to_be_visible()
    # The list notices what happens elsewhere.
    server.tap(app, "2.0", {"type": "t", "userInfo": {"longpress.schema": 1, "longpress.item": "a", "longpress.version": "1.0.0"}})
    expect(apps.get_by_role("link", name="4 taps lost in 30 days")).to_be_visible()
    page.get_by_role("button", name="Needs attention").click()
    apps.get_by_role("link", name="4 taps lost in 30 days").click()
    causes = page.get_by_role("list", name="Why taps are lost").get_by_role("listitem")
    expect(causes).to_have_text(["A was removed in 2.0.0: 1 pair, 4 taps last month Decide once"])
    expect(causes.get_by_role("link", name="Decide once")).to_have_attribute("href", f"#/apps/{app}/sets/2.0.0/default?removed=a")
    page.go_back()
    expect(page.get_by_role("searchbox", name="Filter")).to_have_value(app)
    page.get_by_role("searchbox", name="Filter").fill("no app is called so")
    expect(page.get_by_text("No app matches.")).to_be_visible()


def test_without_apps_an_example_is_a_menu_in_a_minute(browser, console_of, tmp_path):
    server = Longpress(tmp_path)
    context = browser.new_context()
    page = context.new_page()
    page.goto(console_of(server))
    page.get_by_label("Token").fill(OWNER)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("list", name="On screen").get_by_role("listitem")).to_have_count(3)
    page.get_by_role("button", name="Make a menu from this example").click()
    page.get_by_role("heading", level=1, name="1.0.0").wait_for()
    assert [each["id"] for each in server.admin("GET", "/apps/com.example.notes/sets/1.0/draft").json["items"]] == ["new-note", "search", "favorites"]
    context.close()
    assert server.stop() == 0


def card(page, app):
    return page.get_by_role("list", name="Apps").locator("> li").filter(has=page.get_by_role("link", name=app, exact=True))


def test_a_card_says_what_stands_and_what_waits(enter, server, published):
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    for version in ("2.0", "3.0"):
        server.admin("PUT", f"/apps/{published}/sets/{version}/draft", {"items": [named("z")]})
    server.admin("POST", f"/apps/{published}/sets/2.0/draft/review", {"state": "requested"})
    server.admin("POST", f"/apps/{published}/sets/3.0/draft/review", {"state": "changes", "comment": "Shorter"})
    server.admin("POST", f"/apps/{published}/revisions/1/restore", {"at": "2099-01-01T00:00:00Z"})
    page = enter()
    show_all(page)
    mine = card(page, published)
    mine.scroll_into_view_if_needed()
    expect(mine).to_contain_text("Mail")
    expect(mine).to_contain_text("2 drafts, 1 to approve, 1 sent back, 1 scheduled")
    assert mine.get_by_role("list", name=f"Menu of {published}").get_by_role("listitem").all_inner_texts() == ["A", "B", "C"]


def show_all(page):
    more = page.locator("main").get_by_role("button", name="Show more")
    while more.is_visible():
        count = page.locator("main .card").count()
        more.click()
        expect(page.locator("main .card").nth(count)).to_be_attached()


def test_a_release_is_brought_to_a_card_without_a_drag(enter, server, app):
    page = enter()
    show_all(page)

    def bring(name, content):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=f"Import an Info.plist for {app}", exact=True).click()
        chooser.value.set_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})

    bring("Info.plist", plistlib.dumps(info_plist("com.example.elsewhere", "1.5")))
    expect(page.get_by_role("alert")).to_contain_text("com.example.elsewhere")
    expect(page.get_by_role("alert")).not_to_contain_text("violation")
    # The alert may be in front of the button.
    page.get_by_role("button", name="Dismiss").click()
    bring("photo.png", b"\x89PNG")
    expect(page.get_by_role("alert")).to_contain_text("photo.png is not an Info.plist")
    page.get_by_role("button", name="Dismiss").click()
    bring("Info.plist", plistlib.dumps(info_plist(app, "1.5")))
    expect(page.get_by_role("status")).to_have_text("Release 1.5+9 was imported.")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert server.admin("GET", f"/apps/{app}/releases/1.5").status == 200


def test_an_id_that_is_no_bundle_identifier_is_warned_of(enter, server):
    page = enter()
    page.get_by_role("button", name="Add app").click()
    field = page.get_by_role("dialog", name="Add app").get_by_role("textbox", name="App id")
    field.fill("Ride")
    field.press("Tab")
    expect(field).to_have_accessible_description(re.compile("^“Ride” is not a bundle identifier. An example is com.example.mail."))
    field.fill("com.example/ride")
    page.get_by_role("dialog", name="Add app").get_by_role("button", name="Add", exact=True).click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("“com.example/ride” is not a bundle identifier. An example is com.example.mail.")
    # The error is removed while typing, so the button does not move under the pointer.
    field.fill("com.example.ride")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("dialog", name="Add app").get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url("**/#/apps/com.example.ride*")


def test_approvals_out_of_range_are_said_at_the_field(enter, server, app):
    page = enter(place=f"#/apps/{app}/settings")
    field = page.get_by_role("spinbutton", name="Approvals")
    field.fill("9")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description("Enter a whole number from 0 to 5.")
    field.fill("1")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Settings saved.")
    assert server.admin("GET", f"/apps/{app}").json["approvals"] == 1


def test_an_app_begins_with_the_languages_that_were_named(enter, server):
    page = enter(place="#/apps")
    page.get_by_role("button", name="Add app").click()
    dialog = page.get_by_role("dialog", name="Add app")
    app = "com.example.polyglot"
    dialog.get_by_role("textbox", name="App id").fill(app)
    other = dialog.get_by_role("textbox", name="Other languages")
    other.fill("German, Klingonisch")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(other).to_have_accessible_description(re.compile("“Klingonisch” is not a language tag."))
    other.fill("German, pt-br, en")
    dialog.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url(f"**/#/apps/{app}*")
    assert server.admin("GET", f"/apps/{app}").json["languages"] == ["en", "de", "pt-BR"]


def test_what_was_edited_is_what_the_rooms_show(enter, server, published):
    """The timeline shows a draft that was saved in the editor."""
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "Anew")
    saved(page)
    page.get_by_role("link", name="Timeline").click()
    expect(page.get_by_role("link", name="1.0.0", exact=True)).to_contain_text("draft")


@pytest.mark.parametrize("content", [
    b"<plist><key>CFBundleShortVersionString</key><string>" + b" " * 200_000 + b"<",
    b"<plist><key>CFBundleShortVersionString</key><string>..</string>",
    b"<plist><key>CFBundleShortVersionString</key><string>" + b"1" * 3_000_000 + b"</string>",
    # A dictionary of 10^15 entries with references of zero bytes.
    b"bplist00\xdf\x13" + (10 ** 15).to_bytes(8) + b"\x08" + bytes(6) + b"\x01\x00" + (1).to_bytes(8) + (0).to_bytes(8) + (18).to_bytes(8),
    b"bplist00\xdf\x13" + (10 ** 15).to_bytes(8) + b"\x08" + bytes(6) + b"\x01\x01" + (1).to_bytes(8) + (0).to_bytes(8) + (18).to_bytes(8),
    b"\0" * (4 * 1024 * 1024 + 1),
], ids=["blanks", "dots", "digits", "references of no size", "too many entries", "large"])
def test_a_hostile_info_plist_is_refused_at_once(content, enter, server, app):
    page = enter(place=f"#/apps/{app}/releases")
    page.locator("input[type=file]").set_input_files({"name": "Info.plist", "mimeType": "text/xml", "buffer": content})
    page.get_by_role("alert").wait_for()
    assert server.admin("GET", f"/apps/{app}/releases").json["items"] == []
