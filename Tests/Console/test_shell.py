"""The frame of the pages: ended sessions, an unreachable service, search, keys, focus, titles, and the pages without an app."""

import contextlib
import http.server
import json
import re
import socket
import threading

import pytest
from playwright.sync_api import expect

from longpress import OWNER, Longpress, eventually, unique
from rooms import entered, item_of, saved, write
from test_people import EMAIL, flags


@pytest.fixture
def endpoint():
    """The URL of a server that answers `/<status>` with that status."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            body = b"<b>cannot</b>" if self.path != "/204" else b""
            self.send_response(int(self.path[1:]))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{receiver.server_address[1]}"
    receiver.shutdown()
    receiver.server_close()


def token_of(server, owner, role="publisher", **more):
    return server.admin("POST", "/tokens", {"name": unique(owner), "owner": owner, "role": role, **more}).json


def sign_in(page, token):
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.locator(".sign-in").wait_for(state="detached")


def end_sessions(server, token):
    """Revokes the token, and creates one with the same owner and role."""
    server.admin("DELETE", f"/tokens/{token['id']}")
    return token_of(server, token["owner"], token["role"])


def test_the_form_takes_the_token_before_the_script_is_there(browser, console):
    context = browser.new_context()
    page = context.new_page()
    held = []
    page.route("**/main.js", lambda route: held.append(route))
    page.goto(console, wait_until="commit")
    expect(page.get_by_label("Token")).to_be_focused()
    page.keyboard.type(OWNER)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Sign in")).to_be_disabled()
    assert "token" not in page.url
    eventually(lambda: held)
    held[0].continue_()
    expect(page.get_by_role("button", name="Sign in")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Apps")).to_be_visible()
    context.close()


def test_with_a_session_the_form_is_never_shown(enter, console):
    page = enter()
    page.route("**/main.js", lambda route: route.abort())
    page.reload(wait_until="commit")
    expect(page.get_by_label("Token")).to_be_attached()
    expect(page.get_by_label("Token")).to_be_hidden()
    page.unroute("**/main.js")
    page.reload()
    expect(page.get_by_role("heading", name="Apps")).to_be_visible()
    # The service no longer knows the session.
    page.context.add_cookies([{**cookie, "value": "x" * 43} for cookie in page.context.cookies()])
    page.reload()
    expect(page.get_by_label("Token")).to_be_focused()


def test_whom_a_proxy_names_goes_on_without_a_token(browser, tmp_path):
    server = Longpress(tmp_path, *flags(tmp_path, {"address": "ana@example.com", "role": "editor"}))
    context = browser.new_context(extra_http_headers={EMAIL: "ana@example.com"})
    page = context.new_page()
    page.goto("http://%s:%d/console/" % server.address)
    page.get_by_role("button", name="Continue as ana@example.com").click()
    expect(page.locator(".who")).to_contain_text("ana@example.com")
    page.get_by_role("button", name="Sign out").click()
    context.set_extra_http_headers({EMAIL: "eve@example.com"})
    page.reload()
    page.get_by_role("button", name="Continue as eve@example.com").click()
    expect(page.get_by_role("alert")).to_contain_text("Your account has no role here.")
    context.set_extra_http_headers({})
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
    context.close()
    assert server.stop() == 0


@pytest.mark.parametrize("place", ["#/apps", "#/webhooks", "#/tokens", "#/about"])
def test_an_idle_page_of_a_revoked_token_is_out_at_once(place, enter, server):
    token = token_of(server, "idle", "owner")
    page = enter(token["token"], place)
    page.wait_for_timeout(300)
    server.admin("DELETE", f"/tokens/{token['id']}")
    page.get_by_label("Token").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("the token was revoked")
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()


def test_an_edit_outlives_the_session(enter, server, published):
    token = token_of(server, "Ana")
    page = enter(token["token"], f"#/apps/{published}/sets/1.0.0/default")
    title = item_of(page, "a").get_by_role("textbox", name="Title (en)", exact=True)
    title.fill("long " * 4000)
    page.get_by_text("Not saved").first.wait_for()
    again = end_sessions(server, token)
    page.get_by_label("Token").wait_for()
    sign_in(page, again["token"])
    expect(title).to_have_value("long " * 4000)
    title.fill("Kept")
    saved(page)
    assert server.admin("GET", f"/apps/{published}/sets/1.0.0/draft").json["items"][0]["title"]["en"] == "Kept"


def test_somebody_else_does_not_get_what_was_being_edited(enter, server, published):
    token = token_of(server, "Ana")
    page = enter(token["token"], f"#/apps/{published}/sets/1.0.0/default")
    title = item_of(page, "a").get_by_role("textbox", name="Title (en)", exact=True)
    server.admin("DELETE", f"/tokens/{token['id']}")
    page.get_by_label("Token").wait_for()
    sign_in(page, OWNER)
    entered(page)
    expect(title).to_have_value("A")


def test_an_open_dialog_outlives_the_session(enter, server):
    token = token_of(server, "owner-of-dialogs", "owner")
    page = enter(token["token"], "#/webhooks")
    page.get_by_role("button", name="Add webhook").click()
    dialog = page.get_by_role("dialog", name="Add webhook")
    dialog.get_by_role("textbox", name="URL").fill("https://example.com/kept")
    again = end_sessions(server, token)
    page.get_by_label("Token").wait_for()
    expect(dialog).to_be_hidden()
    sign_in(page, again["token"])
    expect(dialog.get_by_role("textbox", name="URL")).to_have_value("https://example.com/kept")


def test_a_window_notices_that_somebody_else_has_signed_in(enter, server, console):
    page = enter(token_of(server, "Ana")["token"], "#/about")
    other = page.context.new_page()
    other.goto(console)
    entered(other)
    other.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()
    sign_in(other, token_of(server, "Bob")["token"])
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    # Ana's window does not continue as Bob.
    expect(page.get_by_label("Token")).to_be_visible()


def test_eight_windows_of_a_browser_work_side_by_side(enter, server, console, published):
    """A browser has six connections to a host, which a stream for each window would use up."""
    page = enter(place=f"#/apps/{published}")
    windows = [page.context.new_page() for _ in range(7)]
    for window in windows:
        window.goto(console + f"#/apps/{published}/history")
        window.get_by_role("heading", level=1, name="History").wait_for()
    windows[-1].get_by_role("link", name="Tokens").click()
    windows[-1].get_by_role("button", name="New token").wait_for()
    assert page.evaluate("async () => (await navigator.locks.query()).held.length") == 4
    windows[-1].get_by_role("button", name="Sign out").click()
    # Windows with a stream are signed out at once.
    page.get_by_label("Token").wait_for()


def test_a_link_leads_to_its_place_after_the_sign_in(browser, console, server, published):
    context = browser.new_context()
    page = context.new_page()
    page.goto(console + f"#/apps/{published}/history")
    expect(page.get_by_label("Token")).to_be_focused()
    expect(page.get_by_label("Token")).to_have_attribute("autocomplete", "current-password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Enter a token.")
    page.get_by_label("Token").fill("lp_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Token")).to_have_attribute("aria-invalid", "true")
    sign_in(page, OWNER)
    heading = page.get_by_role("heading", level=1, name="History")
    heading.wait_for()
    expect(heading).to_be_focused()
    assert page.title() == f"History · {published} · Longpress"
    context.close()


def test_a_service_that_goes_away_is_missed_and_comes_back(browser, tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Longpress(tmp_path, "--listen", f"127.0.0.1:{port}")
    context = browser.new_context()
    try:
        server.admin("PUT", "/apps/com.example.away", {"defaultLanguage": "en"})
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/console/#/apps")
        sign_in(page, OWNER)
        entered(page)
        server.stop()
        page.get_by_text("The service cannot be reached. This page may be out of date").wait_for()
        page.get_by_role("link", name="Webhooks").click()
        page.get_by_role("alert").first.wait_for()
        server.start()
        expect(page.get_by_role("status")).to_have_text("The service is back.")
        # The page that could not be read is read again.
        page.get_by_role("button", name="Add webhook").wait_for()
        page.get_by_role("link", name="Apps", exact=True).click()
        page.get_by_role("link", name="com.example.away").wait_for()
    finally:
        context.close()
        with contextlib.suppress(AssertionError):
            server.stop()


def test_rooms_of_an_app_say_who_published_and_keep_the_keyboard(enter, server, published):
    by = token_of(server, "Robin")["token"]
    for place, control in {"history": "Restore", "": "New menu", "gap": "New menu"}.items():
        page = enter(place=f"#/apps/{published}/{place}".rstrip("/"))
        focused = page.get_by_role("button", name=control).first
        focused.focus()
        page.wait_for_timeout(300)
        made = server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": f"From {place or 'timeline'}"}}, token=by).json
        expect(page.get_by_role("status")).to_contain_text(re.compile(f"Robin \\d+.? published revision {made['revision']} of 1.0.0"))
        expect(focused).to_be_focused()


def test_search_finds_places_versions_items_webhooks_and_tokens_of_all_apps(enter, server, published):
    server.admin("POST", "/webhooks", {"url": "https://findable.example.com/"})
    token_of(server, "Findable Token", "reader", name="Findable Token")
    page = enter(place="#/about")
    search, results = page.get_by_role("searchbox", name="Search"), page.get_by_role("list", name="Results")
    for words, result in {
        f"1.0.0 {published}": "1.0.0", f"b-ko {published}": "b-ko 1.0.0, Mail", "FINDABLE.example": "https://findable", "findable tok": "Findable Token", "Nodes": "Nodes",
    }.items():
        page.keyboard.press("Escape")
        page.get_by_role("heading", level=1).focus()
        page.keyboard.press("/")
        search.fill(words)
        expect(results.get_by_role("link").filter(has_text=result).first).to_be_visible()
    search.fill("nothing is called so")
    expect(page.get_by_text("Nothing found.")).to_be_visible()


def test_search_says_how_many_there_are(enter, server, app):
    for version in range(1, 51):
        items = [{"id": f"many-{version}-{place}", "type": "t", "title": {"en": f"Haystack {version}-{place}"}} for place in range(20)]
        assert server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": items}).status == 201
    page = enter(place=f"#/apps/{app}")
    page.get_by_role("searchbox", name="Search").fill("haystack")
    expect(page.get_by_text("1000 results, 20 shown. Add words to narrow the search.")).to_be_visible()


def test_keys_are_keys_on_any_layout_and_text_in_fields(enter, server):
    page = enter(place="#/apps")
    press = "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true}))"
    for key in (["п", "KeyG"], ["е", "KeyT"]):
        page.evaluate(press, key)
    page.get_by_role("heading", level=1, name="Tokens").wait_for()
    page.get_by_role("searchbox", name="Search").focus()
    page.keyboard.type("g?a/")
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("g?a/")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New token").click()
    page.get_by_role("dialog").get_by_role("combobox").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.keyboard.press("Escape")


def test_single_keys_can_be_switched_off_and_on(enter):
    page = enter(place="#/about")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    dialog.get_by_role("checkbox").uncheck()
    dialog.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_role("checkbox").check()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    dialog.wait_for()


def unfold(page, listed):
    """Shows more of a list until it has something. Other tests may have made more tokens than a page lists."""
    more = page.get_by_role("button", name="Show more")
    listed.or_(more).last.wait_for()
    while not listed.is_visible():
        more.click()
        page.wait_for_timeout(500)


def test_a_toast_is_shown_each_time(enter, server):
    page = enter(place="#/tokens")
    for name in ("first", "second"):
        token_of(server, "toast", "reader", name=f"toast-{name}")
    page.reload()
    for name in ("first", "second"):
        revoke = page.get_by_role("button", name=f"Revoke toast-{name}")
        unfold(page, revoke)
        revoke.click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        toast = page.get_by_role("status").get_by_text(f"Token toast-{name} was revoked.")
        toast.wait_for()
        assert toast.evaluate("(toast) => Number(getComputedStyle(toast).opacity)") > 0.9
        expect(toast).to_have_css("opacity", "0")


def test_a_message_stays_in_its_room(enter, server):
    token_of(server, "left", "reader", name="left-behind")
    page = enter(place="#/tokens")
    revoke = page.get_by_role("button", name="Revoke left-behind")
    unfold(page, revoke)
    revoke.click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("status")).to_have_text("Token left-behind was revoked.")
    page.wait_for_timeout(1500)
    page.get_by_role("link", name="Nodes").click()
    page.get_by_role("heading", level=1, name="Nodes").wait_for()
    expect(page.get_by_role("status")).to_be_empty()


def test_a_webhook_is_added_pinged_shown_and_deleted(enter, server, endpoint, published):
    page = enter(place="#/webhooks")
    page.get_by_role("button", name="Add webhook").click()
    dialog = page.get_by_role("dialog", name="Add webhook")
    # What it is for comes first, and words come before ids.
    expect(dialog.get_by_role("textbox").first).to_have_accessible_name("Description")
    expect(dialog.get_by_text("Menu published", exact=True)).to_be_visible()
    expect(dialog.get_by_role("checkbox", name=published)).to_have_accessible_description("Mail")
    dialog.get_by_role("textbox", name="URL").fill("ftp://example.com")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("textbox", name="URL")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_role("textbox", name="URL").fill(f"{endpoint}/204")
    dialog.get_by_role("checkbox", name="shortcuts.published").check()
    dialog.get_by_role("checkbox", name=published).check()
    dialog.get_by_role("button", name="Add").click()
    secret = page.get_by_role("dialog", name="Signing secret")
    expect(secret.get_by_role("textbox", name="Secret")).to_have_value(re.compile("^whsec_"))
    secret.get_by_role("button", name="Done").click()
    webhook = page.url.rsplit("/", 1)[1]
    assert server.admin("GET", f"/webhooks/{webhook}").json["apps"] == [published]
    assert server.admin("GET", f"/webhooks/{webhook}").json["types"] == ["shortcuts.published"]
    page.get_by_role("button", name="Ping", exact=True).click()
    expect(page.get_by_role("status")).to_have_text(re.compile(r"The ping was answered: 204 after \d+ ms\."))
    # The list shows an event of a publish elsewhere.
    server.admin("PATCH", f"/apps/{published}/sets/1.0/items/a", {"title": {"en": "Told"}})
    expect(page.get_by_role("list", name="Deliveries")).to_contain_text("shortcuts.published")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("dialog", name="Edit").get_by_role("textbox", name="URL").fill(f"{endpoint}/500")
    page.get_by_role("dialog", name="Edit").get_by_role("button", name="Save").click()
    page.get_by_role("heading", level=1, name=f"{endpoint}/500").wait_for()
    page.get_by_role("button", name="Ping", exact=True).click()
    entry = page.get_by_role("list", name="Deliveries").locator("> li").first
    expect(entry).to_contain_text("61 attempts")
    entry.locator("summary").click()
    expect(entry.get_by_text("<b>cannot</b>")).to_be_visible()
    entry.get_by_role("button", name="Show the payload").click()
    expect(entry.get_by_text('"type": "webhook.ping"')).to_be_visible()
    page.get_by_role("combobox", name="State").select_option("exhausted")
    expect(page.get_by_role("list", name="Deliveries").locator("> li")).to_have_count(1)
    expect(page.get_by_role("combobox", name="State").get_by_role("option", name="failed (1)")).to_have_count(1)
    page.get_by_role("button", name="1 failed: send all again").click()
    expect(page.get_by_role("status")).to_have_text("1 delivery will be sent again.")
    eventually(lambda: server.admin("GET", f"/webhooks/{webhook}/deliveries?state=exhausted").json["items"])
    page.get_by_role("button", name="Recover").click()
    page.get_by_role("dialog", name="Recover").get_by_role("textbox", name="Since").fill("yesterday")
    page.get_by_role("dialog", name="Recover").get_by_role("button", name="Recover").click()
    expect(page.get_by_role("dialog", name="Recover").get_by_role("textbox", name="Since")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("dialog", name="Recover").get_by_role("textbox", name="Since").fill("2026-01-01 00:00")
    page.get_by_role("dialog", name="Recover").get_by_role("button", name="Recover").click()
    expect(page.get_by_role("status")).to_have_text("1 delivery will be sent again.")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_role("heading", level=1, name="Webhooks").wait_for()
    assert server.admin("GET", f"/webhooks/{webhook}").status == 404


def test_an_endpoint_that_is_gone_says_why_and_what_to_do(enter, server, endpoint):
    webhook = server.admin("POST", "/webhooks", {"url": f"{endpoint}/410"}).json["id"]
    page = enter(place=f"#/webhooks/{webhook}")
    page.get_by_role("button", name="Ping", exact=True).click()
    expect(page.get_by_text("It answered 410 Gone,")).to_be_visible()
    page.get_by_text("choose Enable, then Recover").wait_for()
    server.admin("PATCH", f"/webhooks/{webhook}", {"url": f"{endpoint}/204"})
    page.get_by_role("button", name="Enable").click()
    expect(page.get_by_role("status")).to_have_text("Webhook enabled.")
    server.admin("DELETE", f"/webhooks/{webhook}")


@pytest.mark.parametrize("role", ["reader", "editor"])
def test_rooms_of_owners_say_why_not(role, enter, server):
    page = enter(token_of(server, f"curious {role}", role)["token"], "#/webhooks")
    reason = re.compile("^Only owners can do this. You are signed in as an? " + role + ".$")
    for place in ("Webhooks", "Tokens", "Nodes"):
        page.get_by_role("link", name=place).click()
        page.get_by_role("heading", level=1, name=place).wait_for()
        expect(page.get_by_text(reason)).to_be_visible()
        expect(page.locator("main").get_by_role("button")).to_have_count(0)
    page.get_by_role("link", name="About").click()
    expect(page.get_by_text("Migration", exact=True)).to_be_visible()


def test_a_token_is_made_for_an_app_and_a_time(enter, server, app):
    page = enter(place="#/tokens", timezone_id="UTC")
    page.get_by_role("button", name="New token").click()
    dialog = page.get_by_role("dialog", name="New token")
    dialog.get_by_role("textbox", name="Name").fill("Guest")
    dialog.get_by_role("combobox", name="Role").select_option("editor")
    dialog.get_by_role("checkbox", name=app, exact=True).check()
    dialog.get_by_role("textbox", name="Expires").fill("2099-12-31 18:00")
    dialog.get_by_role("button", name="Create").click()
    shown = page.get_by_role("dialog", name="Token of Guest").get_by_role("textbox", name="Secret")
    expect(shown).to_have_value(re.compile("^lp_"))
    page.keyboard.press("Escape")
    made = next(token for token in server.listed("/tokens") if token["name"] == "Guest")
    assert (made["role"], made["apps"], made["expiresAt"]) == ("editor", [app], "2099-12-31T18:00:00Z")
    guest = page.get_by_role("row", name="Guest")
    page.reload()
    unfold(page, guest)
    expect(guest).to_contain_text("31 Dec 2099, 18:00")


def test_places_that_are_none_say_so(enter, server, console, app):
    page = enter(place="#/nowhere")
    assert page.title() == "Page not found · Longpress"
    for place in ("#/apps/com.example.never/history", "#/webhooks/never", "#/apps/%2e%2e/history", f"#/apps/{app}/revisions/99"):
        page.goto(console + place)
        entered(page)
        expect(page.get_by_role("alert")).to_have_count(1)
        expect(page.get_by_role("link", name="All apps")).to_be_visible()
    server.admin("DELETE", f"/apps/{app}")


def test_the_header_takes_two_rows_on_a_telephone(enter):
    page = enter(viewport={"width": 360, "height": 740})
    assert page.get_by_role("banner").bounding_box()["height"] <= 100
    for name in ("Apps", "Webhooks", "Tokens", "Nodes", "About"):
        expect(page.get_by_role("navigation", name="Main").get_by_role("link", name=name)).to_be_in_viewport()
    expect(page.get_by_role("searchbox", name="Search")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Sign out")).to_be_in_viewport()


def test_an_unknown_problem_is_reported_with_the_id_of_its_request(enter, published):
    problem = {"type": "/problems/never-heard-of", "title": "Title", "status": 400, "detail": "items[2] of GET …/taps", "instance": "request-7"}
    page = enter(place=f"#/apps/{published}")
    page.route("**/taps?*", lambda route: route.fulfill(status=400, content_type="application/problem+json", body=json.dumps(problem)))
    page.get_by_role("link", name="Taps").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Something went wrong. Reload the page and try again. If it happens again, report this request id: request-7")
