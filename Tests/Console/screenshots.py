"""Takes the pictures of docs/images: the editor and the update gap of a sample app, light and dark.

    make screenshots
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Acceptance/support"))

from longpress import OWNER, ROOT, Longpress  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from rooms import entered  # noqa: E402

APP = "com.example.notes"
IMAGES = ROOT / "docs/images"
SEARCH = {"type": "com.example.notes.search", "title": "Search", "icon": {"type": "search"}}
ROOMS = {
    "console-timeline": f"#/apps/{APP}?version=3.0.0",
    "console-editor": f"#/apps/{APP}/sets/2.0.0/default",
    "console-update-gap": f"#/apps/{APP}/gap?from=1.0.0&to=3.0.0",
}


def item(id, icon, title, **more):
    return {"id": id, "type": "com.example.notes.open", "icon": {"type": icon}, "title": title, **more}


SETS = {
    "1.0.0": {"items": [
        item("compose", "compose", {"en": "Compose", "ko": "쓰기"}, url="notes://compose"),
        item("inbox", "mail", {"en": "Inbox", "ko": "받은 메모"}),
        item("drafts", "time", {"en": "Drafts", "ko": "임시 보관함"}),
    ]},
    "2.0.0": {"items": [
        item("new-note", "compose", {"en": "New Note", "de": "Neue Notiz", "ko": "새 메모"}, subtitle={"en": "Start blank", "ko": "빈 메모로 시작"},
             url="notes://notes/new", replaces=["compose"]),
        item("inbox", "mail", {"en": "Inbox", "de": "Eingang", "ko": "받은 메모"}, userInfo={"folder": "inbox"}),
        item("today", "date", {"en": "Today", "de": "Heute"}),
        item("favourites", "favorite", {"en": "Favourites", "de": "Favoriten", "ko": "즐겨찾기"}),
    ], "retired": [{"id": "drafts", "url": "notes://drafts"}]},
    "3.0.0": {"items": [item("new-page", "compose", {"en": "New Page", "ko": "새 페이지"}, replaces=["new-note"]), item("today", "date", {"en": "Today"})]},
    "2.0.0?audience=member": {"items": [item("club", "love", {"en": "Club"})]},
}


def main():
    for name in [name for name in os.environ if name.startswith("LONGPRESS_") and name != "LONGPRESS_BINARY"]:
        del os.environ[name]
    IMAGES.mkdir(exist_ok=True)
    server = Longpress(tempfile.mkdtemp())
    front = None
    try:
        address = "{}:{}".format(*server.address)
        console = f"http://{address}/console/"
        if program := os.environ.get("CONSOLE_FRONT"):
            front = subprocess.Popen([program, address, OWNER], stdout=subprocess.PIPE, text=True)
            console = front.stdout.readline().strip()
        fill(server)
        with sync_playwright() as engine:
            browser = engine.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])
            for scheme in ("light", "dark"):
                take(browser, console, scheme)
            browser.close()
    finally:
        if front:
            front.terminate()
        server.stop()


def fill(server):
    server.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en", "name": "Notes", "fallbackURL": "notes://home"})
    for version, statics in {"1.0.0": [], "2.0.0": [SEARCH], "3.0.0": [SEARCH]}.items():
        server.admin("PUT", f"/apps/{APP}/releases/{version}", {"build": "210", "staticItems": statics, "urlSchemes": ["notes"]})
    for place, document in SETS.items():
        assert server.admin("PUT", f"/apps/{APP}/sets/{place}", document).status == 201


def take(browser, console, scheme):
    context = browser.new_context(viewport={"width": 1280, "height": 860}, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(console)
    page.get_by_label("Token").fill(OWNER)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", level=1, name="Apps").wait_for()
    for name, place in ROOMS.items():
        page.goto(console + place)
        entered(page)
        page.screenshot(path=IMAGES / f"{name}-{scheme}.png")
    context.close()


main()
