"""The console's first page in Chromium, from the start of the navigation: the first contentful paint, and when it can be used.

Beside it, in the same run and by turns, a page of one form that nginx serves as a file: what the browser itself takes on this machine.
"""

import contextlib
import os
import pathlib
import statistics
import subprocess
import tempfile

from bench import IS_SMOKE, TOKEN, admin, fill, free_port, longpress, percentile, stop, table, Server
from playwright.sync_api import sync_playwright

LOADS = 3 if IS_SMOKE else 20
APPS = 6
BOTH_CORES = "0,1"
NGINX = next(path for path in ["/usr/sbin/nginx", str(pathlib.Path(__file__).parents[1] / ".venv/bin/nginx")] if os.path.exists(path))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])

BARE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Bare</title></head>
<body><form><h1>Sign in</h1><label for="token">Token</label><input id="token" type="password" autofocus></form></body></html>
"""

# Notes when a page can be used: the form has the focus, the room has its heading, and each card of the first screen its drawing.
WATCH = """
(() => {
  const seen = (window.seen = {});
  const note = (name, is) => { if (is && !(name in seen)) seen[name] = performance.now(); };
  const look = () => {
    note("form", document.activeElement?.type === "password");
    note("room", document.querySelector("main lp-apps h1 ~ div"));
    const cards = [...document.querySelectorAll("main .card-details")];
    note("drawn", cards.length > 0 && cards.every((card) => card.childElementCount > 0));
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
  addEventListener("focusin", look, true);
  addEventListener("load", () => setTimeout(look));
})();
"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@contextlib.contextmanager
def nginx():
    """The bare page, as a file."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        os.chmod(folder, 0o755)
        pathlib.Path(folder, "index.html").write_text(BARE)
        pathlib.Path(folder, "nginx.conf").write_text(f"""
            daemon off; error_log stderr error; pid {folder}/pid; worker_processes 1;
            events {{}}
            http {{ access_log off; types {{ text/html html; }} client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                   fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
                   server {{ listen 127.0.0.1:{port}; root {folder}; }} }}""")
        server = Server(subprocess.Popen([NGINX, "-p", folder, "-c", f"{folder}/nginx.conf"]), port)
        try:
            server.wait()
            yield f"http://127.0.0.1:{port}/"
        finally:
            stop(server.process)


def times(context, address, usable):
    """Loads the address in a page of its own. Returns milliseconds to the paint and to each of what makes it usable."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(f"() => '{usable[-1]}' in window.seen && ({PAINT})()", timeout=15_000)
    found = page.evaluate(f"() => ({{...window.seen, paint: ({PAINT})()}})")
    page.close()
    return [found[name] for name in ["paint", *usable]]


class Case:
    """An address with what makes it usable, loaded with an empty cache and with a filled one."""

    def __init__(self, name, address, usable, cookies=()):
        self.name, self.address, self.usable, self.cookies = name, address, usable, list(cookies)
        self.cold, self.warm = [], []

    def load(self, browser):
        context = browser.new_context()
        context.add_init_script(WATCH)
        context.add_cookies(self.cookies)
        self.cold.append(times(context, self.address, self.usable))
        self.warm.append(times(context, self.address, self.usable))
        context.close()

    def rows(self):
        for cache, loads in [("empty", self.cold), ("filled", self.warm)]:
            for what, values in zip(["first contentful paint", *map(LABELS.get, self.usable)], zip(*loads)):
                yield [self.name, cache, what, f"{statistics.median(values):.0f}", f"{percentile(values, 0.9):.0f}"]


LABELS = {"form": "the form has the focus", "room": "the page is complete", "drawn": "every app shows its drawing"}


def session(browser, console):
    """The cookies of somebody who has signed in."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(console)
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Apps").wait_for()
    cookies = context.cookies()
    context.close()
    return cookies


def main():
    with longpress(core=BOTH_CORES, loops=2) as server, nginx() as bare, sync_playwright() as engine:
        fill(server, APPS)
        connection = server.connect()
        for number in range(APPS):
            app = f"com.example.app{number}"
            admin(connection, "PUT", f"/apps/{app}/releases/3.0.0", {"staticItems": [{"type": "search", "title": "Search"}]})
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        console = f"http://127.0.0.1:{server.port}/console/"
        cases = [Case("a bare form by nginx", bare, ["form"]), Case("sign-in", console, ["form"]),
                 Case("Apps, signed in", console + "#/apps", ["room", "drawn"], session(browser, console))]
        for case in cases:
            case.load(browser)
            case.cold, case.warm = [], []
        for _ in range(LOADS):
            for case in cases:
                case.load(browser)
        version = browser.version
        browser.close()
    print(f"From the start of the navigation, milliseconds in headless Chromium {version}; {LOADS} alternating loads of each page; "
          f"server and browser share two cores; {APPS} apps with three sets and a release each.\n")
    print(table(["page", "cache", "until", "median", "p90"], *(row for case in cases for row in case.rows())))


if __name__ == "__main__":
    main()
