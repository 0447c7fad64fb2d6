"""Preview on a phone: a link with a QR code, and how it ends."""

import shutil
import subprocess

import pytest

from longpress import item
from playwright.sync_api import expect
from rooms import saved, write
from test_accessibility import violations


@pytest.fixture
def drafted(server, published):
    """An app with a release that has a scheme, and a draft of 1.0.0."""
    assert server.admin("PUT", f"/apps/{published}/releases/1.0", {"staticItems": [], "urlSchemes": ["mail"]}).status == 201
    assert server.admin("PUT", f"/apps/{published}/sets/1.0/draft", {"items": [item("a", {"en": "Draft"})]}).status == 201
    return published


def open_link(page):
    page.get_by_role("button", name="Preview on a phone").click()
    dialog = page.get_by_role("dialog", name="Preview on a phone")
    dialog.wait_for()
    return dialog


def seen(server, app, link):
    """What the phone with the link is shown."""
    id, token = link.removeprefix("mail://longpress-preview?id=").split("&token=")
    answer = server.shortcuts(app, "1.5", f"?preview={id}", Authorization=f"Bearer {token}")
    return answer.json["items"][0]["localizedTitle"] if answer.status == 200 else answer.code


def test_a_phone_scans_the_code_and_follows_the_draft_until_the_link_ends(enter, server, drafted, tmp_path):
    page = enter(place=f"#/apps/{drafted}/sets/1.0.0/default")
    write(page, "a", "Title (en)", "Gifts")
    dialog = open_link(page)
    link = dialog.get_by_role("textbox", name="Link").input_value()
    code = dialog.get_by_role("img", name="QR code of the link")
    if shutil.which("zbarimg"):
        code.screenshot(path=tmp_path / "code.png")
        read = subprocess.run(["zbarimg", "--raw", "-q", tmp_path / "code.png"], capture_output=True, text=True, check=True)
        assert read.stdout.strip() == link
    # The edit was saved before the link was shown.
    assert seen(server, drafted, link) == "Gifts"
    assert "until the link ends tomorrow at" in dialog.inner_text()
    assert violations(page) == []
    dialog.get_by_role("button", name="Done").click()
    write(page, "a", "Title (en)", "Presents")
    saved(page)
    dialog = open_link(page)
    assert dialog.get_by_role("textbox", name="Link").input_value() == link and seen(server, drafted, link) == "Presents"
    dialog.get_by_role("button", name="End link").click()
    dialog.wait_for(state="detached")
    expect(page.get_by_role("status")).to_contain_text("The link has ended.")
    assert seen(server, drafted, link) == "unknown-preview"
    dialog = open_link(page)
    assert dialog.get_by_role("textbox", name="Link").input_value() != link


def test_links_of_others_are_listed_and_ended(enter, server, drafted):
    server.admin("POST", f"/apps/{drafted}/previews", {"version": "1.0", "audience": "default"})
    server.admin("POST", f"/apps/{drafted}/previews", {"version": "2.0"})
    page = enter(place=f"#/apps/{drafted}/sets/1.0.0/default")
    dialog = open_link(page)
    others = dialog.get_by_role("list", name="Other links to this draft").get_by_role("listitem")
    expect(others).to_have_count(1)
    others.get_by_role("button").click()
    expect(others).to_have_count(0)
    assert len(server.listed(f"/apps/{drafted}/previews")) == 2


def test_without_a_scheme_the_dialog_says_what_to_do(enter, server, published):
    page = enter(place=f"#/apps/{published}/sets/1.0.0/default")
    dialog = open_link(page)
    expect(dialog.get_by_text("Import the app's Info.plist under Releases")).to_be_visible()
    assert server.listed(f"/apps/{published}/previews") == []


def test_readers_cannot_make_links(enter, server, drafted):
    token = server.admin("POST", "/tokens", {"name": f"reader of {drafted}", "role": "reader"}).json["token"]
    page = enter(token, place=f"#/apps/{drafted}/sets/1.0.0/default")
    expect(page.get_by_text("You can view only.")).to_be_visible()
    expect(page.get_by_role("button", name="Preview on a phone")).to_have_count(0)
