"""Two editors at once: no edit is lost, and only conflicts need a decision."""

import contextlib

from playwright.sync_api import TimeoutError, expect
from longpress import eventually, unique
from rooms import add_item, decision, item_of, publish, published_revision, saved, write


def editors(enter, server, app):
    """Two people in the same editor, with different tokens."""
    tokens = [server.admin("POST", "/tokens", {"name": unique(name), "role": "publisher"}).json["token"] for name in ("Ada", "Grace")]
    return [enter(token, place=f"#/apps/{app}/sets/1.0.0/default") for token in tokens]


def standing(server, app):
    return server.admin("GET", f"/apps/{app}/sets/1.0").json


def publish_into_conflict(page):
    """The conflict may come to light before the second click, and then replaces the dialog."""
    page.get_by_role("button", name="Publish…").click()
    with contextlib.suppress(TimeoutError):
        page.get_by_role("dialog", name="Publish").get_by_role("button", name="Publish now").click(timeout=5000)
    page.get_by_role("dialog", name="Merge changes").wait_for()


def test_what_does_not_collide_is_merged_without_a_question(enter, server, published):
    ada, grace = editors(enter, server, published)
    write(grace, "b", "Title (ko)", "새")
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "From outside"}})
    publish(grace)
    published_revision(grace)
    items = standing(server, published)["items"]
    assert items[0]["title"]["en"] == "From outside" and items[1]["title"]["ko"] == "새"


def test_a_click_before_the_conflict_is_asked_publishes_nothing(enter, server, published):
    _, grace = editors(enter, server, published)
    write(grace, "a", "URL", "mail://mine")
    saved(grace)
    grace.get_by_role("button", name="Publish…").click()
    now = grace.get_by_role("dialog", name="Publish").get_by_role("button", name="Publish now")
    expect(now).to_be_enabled()
    reads = []

    def hold_the_second(route):
        reads.append(route)
        if len(reads) != 2:
            route.continue_()

    grace.route("**/sets/1.0.0/draft*", hold_the_second)
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"url": "mail://theirs"})
    eventually(lambda: grace.wait_for_timeout(50) or len(reads) == 2)
    now.click()
    reads[1].continue_()
    dialog = grace.get_by_role("dialog", name="Merge changes")
    dialog.get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Merge").click()
    saved(grace)
    publish(grace)
    published_revision(grace)
    assert standing(server, published)["items"][0]["url"] == "mail://mine"


def test_what_collides_is_asked_for_side_by_side(enter, server, published):
    ada, grace = editors(enter, server, published)
    write(grace, "a", "Title (en)", "Mine")
    write(grace, "a", "URL", "mail://mine")
    saved(grace)
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Theirs", "ko": "그"}, "url": "mail://theirs"})
    publish_into_conflict(grace)
    dialog = grace.get_by_role("dialog", name="Merge changes")
    expect(dialog.get_by_role("radiogroup")).to_have_count(2)
    dialog.get_by_role("radiogroup", name="Mine: Title in English", exact=True).get_by_role("radio", name="Theirs").check()
    dialog.get_by_role("radiogroup", name="Mine: URL", exact=True).get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Merge").click()
    saved(grace)
    publish(grace)
    published_revision(grace)
    first = standing(server, published)["items"][0]
    assert (first["title"], first["url"]) == ({"en": "Theirs", "ko": "그"}, "mail://mine")


def test_two_who_save_one_draft_are_merged(enter, server, published):
    ada, grace = editors(enter, server, published)
    write(ada, "a", "Title (en)", "Ada")
    saved(ada)
    write(grace, "b", "Title (en)", "Grace")
    draft = eventually(lambda: (found := server.admin("GET", f"/apps/{published}/sets/1.0/draft").json)["items"][1]["title"]["en"] == "Grace" and found)
    assert draft["items"][0]["title"]["en"] == "Ada"
    write(ada, "b", "Title (en)", "Ada, too")
    dialog = ada.get_by_role("dialog", name="Merge changes")
    dialog.get_by_role("radiogroup", name="Ada, too: Title in English", exact=True).get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Merge").click()
    eventually(lambda: server.admin("GET", f"/apps/{published}/sets/1.0/draft").json["items"][1]["title"]["en"] == "Ada, too")


def test_removing_what_somebody_else_changed_is_asked_for(enter, server, published):
    ada, grace = editors(enter, server, published)
    item_of(grace, "b").get_by_role("button", name="Remove").click()
    saved(grace)
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/b", {"title": {"en": "Kept"}})
    publish_into_conflict(grace)
    dialog = grace.get_by_role("dialog", name="Merge changes")
    dialog.get_by_role("radiogroup", name="B: Keep or remove", exact=True).get_by_role("radio", name="Theirs").check()
    dialog.get_by_role("button", name="Merge").click()
    expect(item_of(grace, "b").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Kept")


def test_a_draft_that_is_reopened_after_a_publish_is_merged(enter, server, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "Draft")
    saved(page)
    page.goto(page.url.split("#")[0] + "#/about")
    page.get_by_role("heading", level=1, name="About").wait_for()
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/b", {"title": {"en": "Published"}})
    page.goto(page.url.split("#")[0] + f"#/apps/{published}/sets/1.0.0/default")
    expect(item_of(page, "b").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Published")
    expect(item_of(page, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Draft")


def test_an_order_that_both_changed_is_asked_for(enter, server, published):
    ada, grace = editors(enter, server, published)
    item_of(grace, "c").get_by_role("button", name="Move up").click()
    add_item(grace, "D", "d")
    saved(grace)
    document = standing(server, published)
    document["items"] = [document["items"][place] for place in (1, 0, 2)]
    assert server.admin("PUT", f"/apps/{published}/sets/1.0", document).status == 200
    publish_into_conflict(grace)
    dialog = grace.get_by_role("dialog", name="Merge changes")
    dialog.get_by_role("radiogroup", name="Order", exact=True).get_by_role("radio", name="Theirs").check()
    dialog.get_by_role("button", name="Merge").click()
    eventually(lambda: [found["id"] for found in server.admin("GET", f"/apps/{published}/sets/1.0/draft").json["items"]] == ["b", "a", "c", "d"])


def test_an_id_that_both_added_is_asked_for_by_member(enter, server, published):
    ada, grace = editors(enter, server, published)
    add_item(grace, "New", "new")
    write(grace, "new", "Title (en)", "Mine")
    saved(grace)
    document = standing(server, published)
    document["items"].append({"id": "new", "type": "com.example.new", "title": {"en": "Theirs", "ko": "그"}})
    assert server.admin("PUT", f"/apps/{published}/sets/1.0", document).status == 200
    dialog = grace.get_by_role("dialog", name="Merge changes")
    expect(dialog.get_by_role("radiogroup")).to_have_count(1)
    dialog.get_by_role("radiogroup", name="Mine: Title in English", exact=True).get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Merge").click()
    publish(grace)
    published_revision(grace)
    assert standing(server, published)["items"][3]["title"] == {"en": "Mine", "ko": "그"}


def test_a_language_that_one_removed_and_the_other_changed_is_asked_for(enter, server, published):
    ada, grace = editors(enter, server, published)
    write(grace, "a", "Title (ko)", "")
    saved(grace)
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"ko": "바뀐"}})
    dialog = grace.get_by_role("dialog", name="Merge changes")
    dialog.get_by_role("radiogroup", name="A: Title in Korean", exact=True).get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Merge").click()
    publish(grace)
    published_revision(grace)
    assert standing(server, published)["items"][0]["title"] == {"en": "A"}


def test_three_editors_one_after_the_other_lose_nothing(enter, server, published):
    """The first publishes, the second has a draft open, the third reopens it."""
    ada, grace = editors(enter, server, published)
    write(grace, "b", "Title (en)", "Grace")
    saved(grace)
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Published"}})
    expect(item_of(grace, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Published")
    edsger = enter(server.admin("POST", "/tokens", {"name": unique("Edsger"), "role": "publisher"}).json["token"], place=f"#/apps/{published}/sets/1.0.0/default")
    for id, text in {"a": "Published", "b": "Grace", "c": "C"}.items():
        expect(item_of(edsger, id).get_by_role("textbox", name="Title (en)", exact=True)).to_have_value(text)
    write(edsger, "c", "Title (en)", "Edsger")
    publish(edsger)
    published_revision(edsger)
    assert [found["title"]["en"] for found in standing(server, published)["items"]] == ["Published", "Grace", "Edsger"]
    expect(item_of(grace, "c").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Edsger")
    expect(grace.get_by_role("button", name="Publish…")).to_have_attribute("aria-disabled", "true")


def test_retired_ids_and_the_fallback_are_members_of_the_set(enter, server, published):
    server.admin("PUT", f"/apps/{published}/sets/2.0", {"items": [], "fallbackURL": "mail://old"})
    page = enter(place=f"#/apps/{published}/sets/2.0.0/default")
    page.get_by_role("textbox", name="Fallback URL").fill("mail://mine")
    decision(page, "A").select_option("app")
    saved(page)
    server.admin("PUT", f"/apps/{published}/sets/2.0", {"items": [], "fallbackURL": "mail://theirs", "retired": [{"id": "a", "url": "mail://a"}, {"id": "b"}]})
    dialog = page.get_by_role("dialog", name="Merge changes")
    dialog.get_by_role("radiogroup", name="A: Retired", exact=True).get_by_role("radio", name="Theirs").check()
    dialog.get_by_role("radiogroup", name="Fallback URL", exact=True).get_by_role("radio", name="Mine").check()
    dialog.get_by_role("button", name="Merge").click()
    publish(page)
    published_revision(page)
    found = server.admin("GET", f"/apps/{published}/sets/2.0").json
    assert (found["fallbackURL"], found["retired"]) == ("mail://mine", [{"id": "a", "url": "mail://a"}, {"id": "b"}])


def test_undo_takes_back_own_edits_only(enter, server, published):
    ada, grace = editors(enter, server, published)
    write(ada, "a", "Title (en)", "Ada")
    saved(ada)
    expect(grace.get_by_role("status")).to_contain_text("You see the new version.")
    expect(grace.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    write(grace, "b", "Title (en)", "Grace")
    saved(grace)
    expect(item_of(ada, "b").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value("Grace")
    write(ada, "c", "Title (en)", "Ada, too")
    saved(ada)
    for _ in range(2):
        ada.get_by_role("button", name="Undo").click()
    eventually(lambda: [each["title"]["en"] for each in server.admin("GET", f"/apps/{published}/sets/1.0/draft").json["items"]] == ["A", "Grace", "C"])
    expect(ada.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")


def test_a_draft_that_somebody_deletes_or_schedules_is_called_so(enter, server, published):
    ada, grace = editors(enter, server, published)
    for at, words in ((None, "Someone deleted this draft. You see the new version."), ("2099-01-01 9:00", "scheduled this draft. You see the new version.")):
        write(ada, "a", "Title (en)", f"At {at}")
        saved(ada)
        expect(item_of(grace, "a").get_by_role("textbox", name="Title (en)", exact=True)).to_have_value(f"At {at}")
        if at is None:
            ada.get_by_role("button", name="Delete draft").click()
            ada.get_by_role("dialog").get_by_role("button", name="Delete draft").click()
        else:
            ada.get_by_role("button", name="Publish…").click()
            dialog = ada.get_by_role("dialog", name="Publish")
            dialog.get_by_role("textbox", name="At", exact=True).fill(at)
            dialog.get_by_role("button", name="Schedule").click()
        expect(grace.get_by_role("status")).to_contain_text(words)
