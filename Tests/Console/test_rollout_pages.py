"""Roll-outs: starting one in the publish dialog, its page, and how the other pages show it."""

import datetime
import re
import uuid

import pytest

from longpress import eventually, instant, item
from playwright.sync_api import expect
from rooms import entered, item_of, saved, write
from test_accessibility import violations
from test_publishing import open_dialog


LOST, WORSE = "Stop if lost taps exceed (%)", "Stop if phones that tap fall below (%)"


@pytest.fixture
def place(published):
    return f"/apps/{published}/sets/1.0"


def start(server, place, *items, share=10, **plan):
    """Starts a roll-out of a draft with these items. The answer is the running roll-out."""
    document = {"items": [item(id, {"en": id.upper()}) for id in items or ("a", "b", "z")]}
    assert server.admin("PUT", f"{place}/draft", document).status == 201
    answer = server.admin("POST", f"{place}/publish", {"share": share, **plan})
    assert answer.status == 200, answer.body
    return running(server, place)


def running(server, place):
    answer = server.admin("GET", f"{place}/candidate")
    return answer.json if answer.status == 200 else None


def tap(server, place, rollout, arm, count, item="a", outcome="current"):
    """Reports first taps of phones."""
    entry = {"item": item, "type": "t", "outcome": outcome, "count": count, "rollout": {"id": rollout["id"], "arm": arm, "threshold": 1000}}
    answer = server.report(place.split("/")[2], "1.0.0", {"batch": str(uuid.uuid4()), "counts": [entry]})
    assert answer.status == 202, answer.body


def draft(page, title="Draft"):
    write(page, "a", "Title (en)", title)
    saved(page)


def edited(enter, app, **options):
    page = enter(place=f"#/apps/{app}/sets/1.0.0/default", **options)
    draft(page)
    return page


def box(within, name):
    return within.get_by_role("textbox", name=name, exact=True)


def room(app):
    return f"#/apps/{app}/rollouts/1.0.0/default"


def test_a_draft_is_published_to_a_share_with_steps_and_a_guard(enter, server, published, place):
    page = edited(enter, published, timezone_id="Europe/Berlin")
    dialog = open_dialog(page)
    expect(dialog.get_by_role("group", name="Publish to").get_by_role("radio", name="Everyone")).to_be_checked()
    expect(box(dialog, "Percent")).to_have_count(0)
    dialog.get_by_role("radio", name="A share of phones").check()
    expect(box(dialog, "Percent")).to_have_value("10")
    expect(dialog.get_by_role("button", name="Publish to 10 %")).to_have_class(re.compile("primary"))
    expect(dialog.get_by_role("button", name="Schedule")).to_have_count(0)
    box(dialog, "Percent").fill("abc")
    expect(dialog.get_by_role("button", name="Publish to a share", exact=True)).to_be_visible()
    box(dialog, "Percent").fill("12,5")
    for number, (at, share) in enumerate([("tomorrow 9:00", "25"), ("in 2 weeks", "100")], 1):
        dialog.get_by_role("button", name="Add a step").click()
        step = dialog.get_by_role("group", name=f"Step {number}")
        expect(box(step, "At")).to_be_focused()
        box(step, "At").fill(at)
        box(step, "Percent").fill(share)
    expect(box(dialog.get_by_role("group", name="Step 1"), "At")).to_have_accessible_description(re.compile("09:00 .Europe/Berlin"))
    box(dialog, LOST).fill("1")
    box(dialog, WORSE).fill("5")
    expect(box(dialog, WORSE)).to_have_accessible_description("This stops it only below 5 %. 90 means 90 %.")
    box(dialog, WORSE).fill("90")
    expect(box(dialog, WORSE)).to_have_accessible_description(re.compile("^For example 90: fewer than 90 phones tap for every 100"))
    box(dialog, "Message").fill("Try it")
    dialog.get_by_role("button", name="Publish to 12.5 %").click()
    page.wait_for_url(f"**/{room(published)}")
    expect(page.get_by_role("status")).to_have_text("The roll-out has started: 12.5 % get revision 2.")
    found = running(server, place)
    assert (found["share"], found["guard"]) == (12.5, {"lost": 1, "worse": 90})
    assert [entry["share"] for entry in found["scheduled"]] == [25, 100]
    revision = server.admin("GET", f"/apps/{published}/revisions/2").json
    assert (revision["kind"], revision["message"], revision["set"]["items"][0]["title"]["en"]) == ("candidate", "Try it", "Draft")
    assert server.admin("GET", f"{place}/draft").status == 404


def test_a_roll_out_is_offered_only_beside_a_published_menu(enter, server, app):
    assert server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a")]}).status == 201
    page = enter(place=f"#/apps/{app}/sets/1.0.0/default")
    dialog = open_dialog(page)
    expect(dialog.get_by_role("button", name="Publish now")).to_be_visible()
    expect(dialog.get_by_role("group", name="Publish to")).to_have_count(0)
    expect(dialog.get_by_text("The first menu of a version goes to everyone. Later ones can go to a share of the phones first.")).to_be_visible()


def test_a_roll_out_starts_at_a_time(enter, server, published, place):
    page = edited(enter, published, timezone_id="UTC")
    dialog = open_dialog(page)
    dialog.get_by_role("radio", name="A share of phones").check()
    start = dialog.get_by_role("group", name="Start")
    expect(box(start, "At")).to_have_accessible_description("Leave it empty to start now. Your time zone is UTC.")
    publish_it = dialog.get_by_role("button", name=re.compile("^(Publish to|Schedule for) "))
    for field, text, message in [
        ("At", "2020-01-01 09:00", "Enter a time in the future."), ("At", "soon", "Enter a time like"),
        ("Percent", "0", "A step raises the share. Enter more than 0."),
    ]:
        box(start, "At").fill("2099-01-01 09:00")
        box(start, "Percent").fill("10")
        box(start, field).fill(text)
        publish_it.click()
        expect(box(start, field)).to_be_focused()
        expect(box(start, field)).to_have_accessible_description(re.compile("^" + re.escape(message)))
    box(start, "Percent").fill("10")
    dialog.get_by_role("button", name="Add a step").click()
    step = dialog.get_by_role("group", name="Step 1")
    box(step, "Percent").fill("50")
    box(step, "At").fill("2099-01-01 08:00")
    publish_it.click()
    expect(box(step, "At")).to_have_accessible_description(re.compile("^A step must be later than the step before it."))
    box(step, "At").fill("2099-01-02 09:00")
    publish_it.click()
    page.wait_for_url(f"**/{room(published)}")
    expect(page.get_by_role("status")).to_have_text("The roll-out is scheduled.")
    for place_of in (room(published), f"#/apps/{published}"):
        page.goto(page.url.split("#")[0] + place_of)
        expect(page.get_by_text(re.compile("No phone gets revision 2 yet")).first).to_be_visible()
    page.goto(page.url.split("#")[0] + room(published))
    expect(page.locator(".summary")).to_have_text("Starts on 1 Jan 2099 at 09:00 with 10 %.")
    expect(page.get_by_text("No phone gets revision 2 yet. Made by admin-token, just now.")).to_be_visible()
    found = running(server, place)
    assert (found["share"], [(each["at"], each["share"]) for each in found["scheduled"]]) == (
        0, [("2099-01-01T09:00:00Z", 10), ("2099-01-02T09:00:00Z", 50)])


def test_bad_input_is_said_at_its_field_and_stays(enter, server, published, place):
    dialog = open_dialog(edited(enter, published))
    dialog.get_by_role("radio", name="A share of phones").check()
    dialog.get_by_role("button", name="Add a step").click()
    step = dialog.get_by_role("group", name="Step 1")
    percent, at, share = dialog.get_by_role("textbox", name="Percent", exact=True).first, box(step, "At"), box(step, "Percent")
    lost = box(dialog, LOST)
    wrong = [
        (percent, "100.5", "Enter a number from 0 to 100, with at most two decimals."), (percent, "1.234", "Enter a number from 0 to 100"),
        (percent, "", "Enter a number from 0"), (at, "soon", "Enter a time like"), (at, "2020-01-01 09:00", "Enter a time in the future."),
        (share, "10", "A step raises the share. Enter more than 10."), (share, "", "Enter a number from 0"), (lost, "0", "Enter a number above 0"),
    ]
    right = {percent: "10", at: "tomorrow 9:00", share: "25", lost: "1"}
    for field, text, message in wrong:
        for each, value in right.items():
            each.fill(value)
        field.fill(text)
        dialog.get_by_role("button", name=re.compile("^Publish to")).click()
        expect(field).to_be_focused()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(re.escape(message)))
        expect(dialog.locator("[aria-invalid]")).to_have_count(1)
        expect(field).to_have_value(text)
    dialog.get_by_role("button", name="Add a step").click()
    for each, value in right.items():
        each.fill(value)
    later = dialog.get_by_role("group", name="Step 2")
    box(later, "At").fill("tomorrow 8:00")
    box(later, "Percent").fill("50")
    dialog.get_by_role("button", name="Publish to 10 %").click()
    expect(box(later, "At")).to_have_accessible_description("A step must be later than the step before it.")
    step.get_by_role("button", name="Remove").click()
    expect(dialog.get_by_role("button", name="Add a step")).to_be_focused()
    expect(box(dialog.get_by_role("group", name="Step 1"), "Percent")).to_have_value("50")
    expect(later).to_have_count(0)
    assert running(server, place) is None
    dialog.get_by_role("radio", name="Everyone").check()
    expect(dialog.get_by_role("button", name="Publish now")).to_have_class(re.compile("primary"))


def test_errors_of_the_service_are_shown_at_their_fields(enter, published):
    page = edited(enter, published)
    # The clock of this browser is slow, so that only the service knows that the time is past.
    page.clock.set_system_time(datetime.datetime.now() - datetime.timedelta(days=400))
    dialog = open_dialog(page)
    dialog.get_by_role("radio", name="A share of phones").check()
    dialog.get_by_role("button", name="Add a step").click()
    step = dialog.get_by_role("group", name="Step 1")
    box(step, "At").fill("tomorrow 9:00")
    box(step, "Percent").fill("25")
    dialog.get_by_role("button", name="Publish to 10 %").click()
    expect(box(step, "At")).to_have_accessible_description(re.compile("Enter a time in the future"))
    expect(box(step, "At")).to_be_focused()
    expect(dialog.get_by_role("alert")).to_have_count(0)
    expect(box(step, "Percent")).to_have_value("25")


def test_the_timeline_shows_it_and_leads_to_its_page(enter, server, published, place):
    page = enter(place=f"#/apps/{published}")
    link = page.get_by_role("link", name="10 % get revision 2", exact=True)
    expect(link).to_have_count(0)
    start(server, place)
    expect(link).to_have_accessible_description("Roll-out of 1.0.0")
    server.admin("PATCH", f"{place}/candidate", {"share": 25})
    page.get_by_role("link", name="25 % get revision 2", exact=True).wait_for()
    for share, title in ((75, "C"), (25, "Z")):
        arm = page.locator(".served-now").filter(has_text=f"On {share} % of the phones, after the first launch")
        expect(arm.locator(".title").last).to_have_text(title)
    page.set_viewport_size({"width": 360, "height": 800})
    expect(page.get_by_text("A roll-out is running: 25 % get revision 2.")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("link", name="25 % get revision 2", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Roll-out of 1.0.0")).to_be_visible()
    page.go_back()
    server.admin("POST", f"{place}/candidate/stop")
    page.get_by_role("link", name="1.0.0", exact=True).wait_for()
    expect(page.get_by_role("link", name=re.compile("get revision"))).to_have_count(0)


def test_scheduled_changes_are_listed_and_cancelled(enter, server, published, place):
    start(server, place, steps=[{"at": "2099-01-01T09:00:00Z", "share": 25}])
    for end in ("promote", "stop"):
        assert server.admin("POST", f"{place}/candidate/{end}", {"at": "2099-01-02T09:00:00Z"}).status == 202
    page = enter(place=f"#/apps/{published}", timezone_id="UTC")
    expect(page.get_by_role("link", name="10 % get revision 2, 25 % on 1 Jan 2099 at 09:00", exact=True)).to_be_visible()
    link = page.get_by_role("link", name="Raise the roll-out of 1.0.0 to 25 % on 1 Jan 2099 at 09:00, by admin-token")
    expect(link).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^Promote the new menu of 1.0.0 on 2 Jan 2099 at 09:00"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^Stop the roll-out of 1.0.0 on 2 Jan 2099 at 09:00"))).to_be_visible()
    for word, left in (("stop", 2), ("promotion", 1), ("step", 0)):
        page.get_by_role("button", name=f"Cancel {word}").click()
        dialog = page.get_by_role("dialog", name=f"Cancel {word}")
        expect(dialog).to_contain_text("Other steps stay.")
        expect(dialog.get_by_role("button", name="Go back")).to_be_visible()
        dialog.get_by_role("button", name=f"Cancel {word}").click()
        expect(page.get_by_role("status")).to_have_text("Cancelled.")
        expect(page.get_by_role("button", name=re.compile("^Cancel"))).to_have_count(left)
    assert running(server, place)["scheduled"] == []
    assert server.admin("GET", f"/apps/{published}/schedule").json["items"] == []


def test_the_editor_says_that_one_runs(enter, server, published, place):
    start(server, place, steps=[{"at": "2099-01-01T09:00:00Z", "share": 25}])
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default", timezone_id="UTC")
    expect(page.get_by_text("A roll-out is running: 10 % get revision 2.")).to_be_visible()
    expect(page.get_by_text("The share rises to 25 % on 1 Jan 2099 at 09:00, scheduled by admin-token.")).to_be_visible()
    page.get_by_role("link", name="Open the roll-out").click()
    expect(page.get_by_role("heading", level=1, name="Roll-out of 1.0.0")).to_be_visible()


def test_a_publish_while_one_runs_stops_it_or_leads_to_it(enter, server, published, place):
    page = edited(enter, published)
    dialog = open_dialog(page)
    # It begins while the dialog is open.
    candidate = server.admin("PUT", f"{place}/candidate?share=10", {"items": [item("z", {"en": "Z"})]})
    assert candidate.status == 200
    dialog.get_by_role("button", name="Publish now").click()
    expect(dialog.get_by_role("alert")).to_have_text("A roll-out is running. Promote or stop it first.")
    expect(dialog.get_by_text("A roll-out is running: 10 % get revision 2.")).to_be_visible()
    now = dialog.get_by_role("button", name="Publish now")
    expect(now).to_have_accessible_description("A roll-out is running. To publish now, stop it.")
    ends = dialog.get_by_text("This ends the roll-out.")
    expect(ends).to_have_count(1)
    expect(ends).to_be_hidden()
    box(dialog, "At").fill("tomorrow 9:00")
    expect(ends).to_be_visible()
    dialog.get_by_role("link", name="Open the roll-out").click()
    expect(page.get_by_role("heading", level=1, name="Roll-out of 1.0.0")).to_be_visible()
    expect(dialog).to_have_count(0)
    assert server.admin("POST", f"{place}/publish", {"at": "2099-01-01T09:00:00Z"}).status == 202
    page.reload()
    expect(page.get_by_role("button", name=re.compile("^Publish 1.0.0 on 1 Jan 2099"))).to_be_visible()
    expect(page.get_by_text("A scheduled publish ends it, too.")).to_be_visible()
    page.get_by_role("button", name="Cancel publish").click()
    expect(page.get_by_role("button", name="Cancel publish")).to_have_count(0)
    page.get_by_role("link", name="Open in the editor").click()
    dialog = open_dialog(page)
    expect(dialog.get_by_role("group", name="Publish to")).to_have_count(0)
    expect(now).to_have_attribute("aria-disabled", "true")
    dialog.get_by_role("checkbox", name="Stop the roll-out and publish this menu to everyone").check()
    now.click()
    page.wait_for_url("**/revisions/3*")
    assert running(server, place) is None
    assert server.shortcuts(published, "1.0").json["items"][0]["localizedTitle"] == "Draft"


def test_a_restore_says_that_it_stops_the_roll_out(enter, server, published, place):
    document = server.admin("GET", place).json
    document["items"].pop()
    assert server.admin("PUT", place, document).status == 200
    start(server, place)
    page = enter(place=f"#/apps/{published}/revisions/2")
    page.get_by_role("button", name="Restore revision 1").click()
    dialog = page.get_by_role("dialog", name="Restore revision 1")
    # The phones in the roll-out show an item that no other menu has.
    expect(dialog.get_by_text("Taps on 1 of 3 items are lost.")).to_be_visible()
    expect(dialog.get_by_text("No tap is lost.")).to_have_count(0)
    expect(dialog.get_by_text("A roll-out is running: 10 % get revision 3.")).to_contain_text("Restoring a menu stops it.")
    dialog.get_by_role("button", name="Restore").click()
    page.wait_for_url("**/revisions/4*")
    assert running(server, place) is None
    page = enter(place=f"#/apps/{published}/history")
    page.locator("[data-revision='3']").get_by_role("button", name="Restore").click()
    expect(page.get_by_role("dialog")).to_contain_text("Everyone gets it.")
    page = enter(place=room(published))
    expect(page.get_by_text(re.compile("^The menu was changed by .*, which stopped the roll-out"))).to_be_visible()


def test_the_page_shows_result_taps_and_both_menus(enter, server, published, place):
    rollout = start(server, place, guard={"lost": 50})
    tap(server, place, rollout, "candidate", 3, "z")
    tap(server, place, rollout, "candidate", 1, "c", "removed")
    tap(server, place, rollout, "control", 20)
    page = enter(place=room(published))
    main = page.get_by_role("main")
    expect(main.get_by_text("Too early to tell")).to_be_visible()
    expect(main.get_by_text("10 % get revision 2. Started by admin-token,")).to_be_visible()
    expect(main.get_by_text("It stops if more than 50 % of the first taps are lost.")).to_be_visible()
    expect(main.locator("dd").first).to_contain_text("4, 1 of them lost (25 %, between ")
    expect(main.locator("dd").last).to_have_text("20")
    assert main.locator("dt").all_inner_texts() == ["New menu (10 % of phones now)", "Current menu (90 % of phones now)"]
    expect(main.get_by_text("At 100 %, the roll-out still runs until you promote it.")).to_be_visible()
    rows = main.get_by_role("table", name="Taps by item").get_by_role("row")
    assert [row.get_by_role("cell").all_inner_texts() for row in rows.all()[1:]] == [["Unchanged", "0", "20"], ["Unchanged", "3", "0"], ["Removed, nothing decided", "1", "0"]]
    expect(rows.nth(1).get_by_role("rowheader")).to_have_text("A")
    control, candidate = main.get_by_role("figure").filter(has=page.locator("lp-phone")).all()
    expect(control).to_have_accessible_name("Current menu: revision 1")
    expect(candidate).to_have_accessible_name("New menu: revision 2")
    assert [text.split("\n")[0] for text in candidate.get_by_role("listitem").all_inner_texts()] == ["A", "B", "Z"]
    expect(main.get_by_role("list", name="Difference")).to_contain_text("Z is new.")
    chart = main.get_by_role("figure", name="Ratio over time")
    assert "NaN" not in chart.locator("svg").inner_html()
    # One look is a dot with a bar, at one time that is not in the future.
    expect(chart.locator("path.one")).to_have_count(2)
    expect(chart.locator("svg text", has_text=":")).to_have_count(1)
    # The service gives the end of the hour.
    assert chart.locator("time").first.get_attribute("datetime") <= instant(0)
    chart.get_by_text("As a table").click()
    expect(chart.get_by_role("table", name="Ratio over time").get_by_role("cell").first).to_have_text("24")
    # Taps that arrive are shown without a reload.
    tap(server, place, rollout, "control", 1)
    expect(main.locator("dd").last).to_have_text("21")
    expect(chart.get_by_role("table", name="Ratio over time")).to_be_visible()


def test_share_steps_and_guard_are_changed(enter, server, published, place):
    start(server, place, guard={"lost": 1, "worse": 90}, steps=[{"at": "2099-01-01T09:00:00.500Z", "share": 25}, {"at": "2099-01-02T09:00:00Z", "share": 100}])
    page = enter(place=room(published), timezone_id="UTC")
    expect(page.get_by_text("Raise the roll-out of 1.0.0 to 25 % on 1 Jan 2099 at 09:00, by admin-token")).to_be_visible()
    page.get_by_role("button", name="Change…").click()
    dialog = page.get_by_role("dialog", name="Change the roll-out")
    expect(box(dialog, "Percent").first).to_be_focused()
    expect(box(dialog.get_by_role("group", name="Step 2"), "At")).to_have_value("2099-01-02 09:00")
    page.keyboard.press("Control+a")
    page.keyboard.type("20")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Roll-out changed.")
    found = running(server, place)
    # A step that nobody edits keeps its exact time.
    assert (found["share"], [entry["at"] for entry in found["scheduled"]]) == (20, ["2099-01-01T09:00:00.500Z", "2099-01-02T09:00:00Z"])
    page.get_by_role("button", name="Change…").click()
    dialog.get_by_role("group", name="Step 1").get_by_role("button", name="Remove").click()
    box(dialog, WORSE).fill("")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("20 % get revision 2. It stops if more than 1 % of the first taps are lost.")).to_be_visible()
    found = running(server, place)
    assert (found["guard"], [entry["share"] for entry in found["scheduled"]]) == ({"lost": 1}, [100])
    page.get_by_role("button", name="Change…").click()
    box(dialog, "Percent").first.fill("100")
    dialog.get_by_role("button", name="Save").click()
    expect(box(dialog.get_by_role("group", name="Step 1"), "Percent")).to_have_accessible_description("Remove the step: the share is 100 % already.")
    dialog.get_by_role("group", name="Step 1").get_by_role("button", name="Remove").click()
    box(dialog, LOST).fill("")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("100 % get revision 2. No limit stops it.")).to_be_visible()
    assert "guard" not in running(server, place)


@pytest.mark.parametrize("way", ["Promote", "Stop"])
def test_it_is_promoted_or_stopped_after_a_confirmation(way, enter, server, published, place):
    start(server, place)
    page = enter(place=room(published))
    page.get_by_role("button", name=way, exact=True).click()
    dialog = page.get_by_role("dialog", name=way)
    if way == "Stop":
        expect(dialog).to_contain_text("Taps on \u2068Z\u2069 are lost on phones that still show an earlier menu.")
    consequence = {
        "Promote": "Everyone gets revision 2, as a new revision of 1.0.0. The roll-out ends.",
        "Stop": "Everyone gets revision 1 again. The history keeps the new menu as revision 2.",
    }
    expect(dialog).to_contain_text(consequence[way])
    page.keyboard.press("Escape")
    assert running(server, place)
    page.get_by_role("button", name=way, exact=True).focus()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name=way).press("Enter")
    expect(page.get_by_role("status")).to_have_text({"Promote": "Promoted as revision 3.", "Stop": "The roll-out has stopped."}[way])
    ended = {"Promote": "Promoted by \u2068admin-token\u2069: everyone gets the new menu.", "Stop": "Stopped by \u2068admin-token\u2069: everyone has the earlier menu."}
    expect(page.locator(".summary")).to_have_text(ended[way])
    expect(page.get_by_text("10 % got revision 2. Started by admin-token, just now. Ended just now.")).to_be_visible()
    expect(page.get_by_role("button", name=way, exact=True)).to_have_count(0)
    expect(page.get_by_role("figure").filter(has=page.locator("lp-phone"))).to_have_count(2)
    assert running(server, place) is None
    titles = [each["localizedTitle"] for each in server.shortcuts(published, "1.0").json["items"]]
    assert titles == (["A", "B", "Z"] if way == "Promote" else ["A", "B", "C"])
    # The page may be drawn again during the click.
    eventually(lambda: page.get_by_role("link", name="History").click() or "/history" in page.url)
    rows = page.get_by_role("table", name="Revisions").get_by_role("row")
    expect(rows.filter(has=page.get_by_role("link", name="Revision 2"))).to_contain_text("Roll-out by admin-token ended")
    page.get_by_role("link", name="Revision 2").click()
    expect(page.get_by_role("main")).to_contain_text("Roll-out by admin-token")
    page.get_by_role("link", name="Open the roll-out").click()
    expect(page.locator(".summary")).to_have_text(ended[way])
    if way == "Stop":
        # The page of a revision leads to its own roll-out.
        start(server, place)
        page = enter(place=f"#/apps/{published}/revisions/2")
        page.get_by_role("link", name="Open the roll-out").click()
        expect(page.locator(".summary")).to_have_text(ended[way])
        expect(page.get_by_role("button", name="Promote")).to_have_count(0)
        page = enter(place=room(published) + "?revision=1")
        expect(page.get_by_text("The result of this roll-out is no longer kept.")).to_be_visible()
        server.admin("POST", f"{place}/candidate/stop")
        # The menu of a roll-out that was stopped is the next draft, also in place of another one.
        page = enter(place=f"#/apps/{published}/revisions/2")
        page.get_by_role("button", name="Edit as a draft").click()
        page.wait_for_url("**/sets/1.0.0/default")
        expect(page.get_by_role("group", name="Item z", exact=True)).to_be_visible()
        assert [each["id"] for each in server.admin("GET", f"{place}/draft").json["items"]] == ["a", "b", "z"]
        page = enter(place=room(published))
        expect(page.get_by_text("It ended too early to tell a difference.")).to_be_visible()
        page.get_by_role("button", name="Edit as a draft").click()
        asked = page.get_by_role("dialog", name="Edit as a draft")
        expect(asked).to_contain_text("This replaces the draft that exists already.")
        asked.get_by_role("button", name="Edit as a draft").click()
        page.wait_for_url("**/sets/1.0.0/default")
        page.get_by_role("link", name="Apps", exact=True).click()
        page.get_by_role("searchbox", name="Filter").fill(published)
        card = page.get_by_role("listitem").filter(has_text=published)
        expect(card.get_by_text("Roll-out of 1.0.0 by")).to_contain_text("It has ended.")


@pytest.mark.parametrize("way, kind, waits", [
    ("Promote", "promote", "Everyone gets the new menu on 2 Jan 2099 at 09:00"), ("Stop", "stop", "The roll-out stops on 2 Jan 2099 at 09:00"),
])
def test_its_end_is_scheduled(way, kind, waits, enter, server, published, place):
    start(server, place)
    page = enter(place=room(published), timezone_id="UTC")
    page.get_by_role("button", name=way, exact=True).click()
    dialog = page.get_by_role("dialog", name=way)
    for text, message in (("2020-01-01 09:00", "Enter a time in the future."), ("soon", "Enter a time like")):
        box(dialog, "At").fill(text)
        dialog.get_by_role("button", name=way).click()
        expect(box(dialog, "At")).to_be_focused()
        expect(box(dialog, "At")).to_have_accessible_description(re.compile("^" + re.escape(message)))
    box(dialog, "At").fill("2099-01-02 09:00")
    dialog.get_by_role("button", name=way).click()
    expect(page.get_by_role("status")).to_have_text("Scheduled.")
    expect(page.get_by_role("main").get_by_role("listitem").filter(has_text="on 2 Jan 2099 at 09:00, by admin-token")).to_be_visible()
    entry, = server.admin("GET", f"/apps/{published}/schedule").json["items"]
    assert (entry["kind"], entry["at"]) == (kind, "2099-01-02T09:00:00Z")
    expect(page.get_by_text("At 100 %, the roll-out still runs")).to_have_count(0)
    server.admin("PATCH", f"{place}/candidate", {"steps": [{"at": "2099-01-03T09:00:00Z", "share": 50}]})
    expect(page.get_by_role("listitem").filter(has_text="to 50 % on 3 Jan 2099 at 09:00, by admin-token: the roll-out ends before")).to_be_visible()
    page.goto(page.url.split("#")[0] + f"#/apps/{published}/sets/1.0.0/default")
    expect(page.get_by_text(waits)).to_be_visible()
    assert running(server, place)


def test_a_guard_that_stopped_it_is_named(enter, server, published, place):
    rollout = start(server, place, guard={"lost": 1})
    page = enter(place=room(published))
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    tap(server, place, rollout, "candidate", 100, "c", "removed")
    expect(page.get_by_text("Stopped by its limit: more than 1 % of the first taps were lost.")).to_be_visible()
    expect(page.get_by_text("100, 100 of them lost (100 %, between ")).to_be_visible()
    assert running(server, place) is None


def test_a_menu_without_a_roll_out_says_how_to_start_one(enter, published):
    page = enter(place=room(published))
    expect(page.get_by_text("This menu never had a roll-out.")).to_be_visible()
    page.get_by_role("link", name="Open in the editor").click()
    item_of(page, "a").wait_for()


def test_readers_see_it_and_change_nothing(enter, server, published, place):
    start(server, place)
    for role, count in {"reader": 0, "editor": 3}.items():
        token = server.admin("POST", "/tokens", {"name": f"{role} of {published}", "role": role}).json["token"]
        page = enter(token, place=room(published))
        expect(page.get_by_text("Too early to tell")).to_be_visible()
        buttons = page.get_by_role("button", name=re.compile("^(Promote|Stop|Change…)$"))
        expect(buttons).to_have_count(count)
        assert all(button.get_attribute("aria-disabled") == "true" for button in buttons.all())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_and_its_dialogs_have_no_violation(width, scheme, enter, server, published, place):
    rollout = start(server, place, steps=[{"at": instant(90_000), "share": 25}])
    tap(server, place, rollout, "candidate", 10, "z")
    tap(server, place, rollout, "control", 50)
    page = enter(place=room(published), viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    page.get_by_text("As a table").click()
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Change…").click()
    page.get_by_role("dialog").get_by_role("group", name="Step 1").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    server.admin("POST", f"{place}/candidate/stop")
    page.goto(page.url.split("#")[0] + f"#/apps/{published}/sets/1.0.0/default")
    entered(page)
    draft(page)
    dialog = open_dialog(page)
    dialog.get_by_role("radio", name="A share of phones").check()
    dialog.get_by_role("button", name="Add a step").click()
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
