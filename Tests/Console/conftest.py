"""The console in a browser, beside a running service."""

import contextlib
import itertools
import os
import pathlib
import subprocess
import sys

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "Acceptance" / folder) for folder in ("support", "access", "stream", "operating")]

from longpress import OWNER, Longpress, item, settings  # noqa: E402, F401
from playwright.sync_api import expect  # noqa: E402
from rooms import entered  # noqa: E402

# Only a hang takes so long.
expect.set_options(timeout=60_000)

numbers = itertools.count(1)
# A program that gets the service's address and prints the address of its console, to try files without a build.
FRONT = os.environ.get("CONSOLE_FRONT")
# `BROWSER=firefox` uses the distribution's Firefox, which Playwright controls with WebDriver BiDi.
BROWSER = os.environ.get("BROWSER", "chromium")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FIREFOX = os.environ.get("FIREFOX", "/usr/bin/firefox-esr")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Longpress(tmp_path_factory.mktemp("console"))
    yield server
    assert server.stop() == 0


@pytest.fixture(scope="session")
def console_of():
    """The address of a server's console."""
    with contextlib.ExitStack() as fronts:

        def console_of(server):
            address = "{}:{}".format(*server.address)
            if not FRONT:
                return f"http://{address}/console/"
            front = fronts.enter_context(subprocess.Popen([FRONT, address, OWNER], stdout=subprocess.PIPE, text=True))
            fronts.callback(front.terminate)
            return front.stdout.readline().strip()

        yield console_of


@pytest.fixture(scope="session")
def console(server, console_of):
    return console_of(server)


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    program = {"chromium": CHROMIUM, "firefox": FIREFOX}[BROWSER]
    if not pathlib.Path(program).exists():
        pytest.skip(f"there is no {program} on this machine")
    with playwright.sync_playwright() as engine:
        if BROWSER == "firefox":
            browser = engine.firefox.launch(channel="moz-firefox", executable_path=pathlib.Path(__file__).with_name("firefox.py"))
        else:
            flags = ["--no-sandbox", "--disable-dev-shm-usage"] if os.geteuid() == 0 else ["--disable-dev-shm-usage"]
            browser = engine.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def enter(browser, console):
    """Signs in and opens a page: `enter(token, place="#/apps")`. The test fails if the page had an error."""
    contexts, errors = [], []

    def note(message):
        # The browser itself logs each answer 4xx.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            errors.append(message.text)

    def enter(token=OWNER, place="", **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(console + place)
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Sign in").click()
        page.locator(".sign-in").wait_for(state="detached")
        entered(page)
        return page

    enter.errors = errors
    yield enter
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def app(server):
    name = f"com.example.console{next(numbers)}"
    assert server.admin("PUT", f"/apps/{name}", {"defaultLanguage": "en", "name": "Mail"}).status == 201
    return name


@pytest.fixture
def published(server, app):
    """An app whose 1.0.0 has the items a, b and c."""
    items = [item(id, {"en": id.upper(), "ko": f"{id}-ko"}, url=f"mail://{id}") for id in "abc"]
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": items}).status == 201
    return app
