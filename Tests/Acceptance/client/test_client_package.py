"""LongpressKit as an app or a backend uses it: a package outside of the repository that depends on the product by its path."""

import http.server
import json
import os
import re
import shutil
import subprocess
import threading
import time

import pytest

from longpress import BINARY, ROOT, item

pytestmark = pytest.mark.any_engine

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Fresh",
    dependencies: [.package(name: "longpress", path: "%s")],
    targets: [.executableTarget(name: "Fresh", dependencies: [.product(name: "LongpressKit", package: "longpress")])],
    swiftLanguageModes: [.v6]
)
"""


@pytest.fixture(scope="session")
def fresh(tmp_path_factory):
    """The package, built as for shipping."""
    folder = tmp_path_factory.mktemp("fresh")
    (folder / "Sources/Fresh").mkdir(parents=True)
    (folder / "Package.swift").write_text(MANIFEST % ROOT)
    shutil.copy(ROOT / "Tests/Documents/Client/main.swift", folder / "Sources/Fresh")
    # The build downloads nothing, so it works without a network.
    environment = os.environ | {"https_proxy": "http://127.0.0.1:9"}
    begun = time.monotonic()
    done = subprocess.run(["swift", "build", "-c", "release"], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    print(f"built in {time.monotonic() - begun:.0f} s")
    return folder


@pytest.fixture(scope="session")
def run(fresh):
    def run(*arguments):
        done = subprocess.run([fresh / ".build/release/Fresh", *map(str, arguments)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_it_builds_alone(fresh):
    assert not (fresh / ".build/checkouts").exists() or not list((fresh / ".build/checkouts").iterdir())
    assert not (fresh / ".build/repositories").exists() or not list((fresh / ".build/repositories").iterdir())
    built = {folder.name for folder in (fresh / ".build/release").glob("*.build")}
    # A build includes every library product of a dependency.
    assert {name.removesuffix(".build") for name in built} - {"LongpressWebhooks"} == {"Fresh", "LongpressKit", "QuickActions"}
    # The direct dependencies of the binary. The toolchain's FoundationNetworking brings libcurl for URLSession on Linux.
    wanted = set(re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(
        ["readelf", "-d", fresh / ".build/release/Fresh"], capture_output=True, text=True, check=True).stdout))
    assert not [name for name in wanted if re.search(r"sqlite|curl|libpq|crypto|ssl|libz", name)], wanted


def address(server):
    return "http://{}:{}".format(*server.address)


@pytest.fixture
def notes(server, app):
    """1.0 and 3.0 of an app, with every way in which an id can resolve."""
    server.admin("PATCH", f"/apps/{app}", {"fallbackURL": "notes://home"})
    server.admin("PUT", f"/apps/{app}/releases/3.0", {"staticItems": [{"type": "search", "title": "SEARCH"}]})
    userInfo = {"when": {"$date": "2026-01-31T09:00:00Z"}, "key": {"$data": "AAEC"}, "n": 1, "deep": [{"a": 1.5}, True]}
    sets = {
        "1.0": [item(name) for name in ("old", "gone", "lost", "hidden", "edited")] + [item("kept", userInfo=userInfo)],
        "3.0": [
            item("kept", {"en": "Kept", "ko": "유지"}, userInfo=userInfo, icon={"type": "search"}),
            item("new", replaces=["old"], url="notes://new"), item("edited", url="notes://edited"), item("hidden", enabled=False),
        ],
    }
    for version, items in sets.items():
        retired = {"retired": [{"id": "gone", "url": "notes://gone"}]} if version == "3.0" else {}
        assert server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": items, **retired}).status == 201
    return app


def test_every_tap_is_told_offline_as_the_service_tells_it(run, server, notes, tmp_path):
    bundle = tmp_path / "longpress.json"
    bundle.write_bytes(server.get(f"/v1/apps/{notes}/versions/3.0/bundle?audience=*").body)
    assert bundle.read_bytes() == subprocess.run(
        [BINARY, "bundle", "--app", notes, "--version", "3.0", "--database", server.database], capture_output=True, check=True).stdout
    lines = run("taps", address(server), notes, "1.0", "3.0", tmp_path, bundle)
    told = [lines[place:place + 3] for place in range(0, len(lines), 3)]
    assert [online["outcome"] for online, _, _ in told] == [
        "replaced", "retired", "removed", "equivalent", "changed", "equivalent", "static", "untagged", "unknown"]
    for online, carried, kept in told:
        assert (online["source"], carried["source"]) in (("server", "continuity"), ("none", "none"))
        assert {**online, "source": ""} == {**carried, "source": ""} == {**kept, "source": ""}
    assert told[0][0]["item"] == "new" and told[0][0]["url"] == "notes://new" and told[1][1]["url"] == "notes://gone"


def test_it_fetches_with_an_entity_tag_and_is_fresh_for_a_while(run, server, notes, tmp_path):
    assert run("refresh", address(server), notes, "3", tmp_path, 2) == [
        {"refresh": "changed kept=유지 new=Title edited=Title", "menu": "ko"}, {"refresh": "unchanged", "menu": "ko"}]
    # Another process, and an unreachable service.
    assert run("refresh", "http://127.0.0.1:9", notes, "3.0", tmp_path, 1) == [{"refresh": "unchanged", "menu": "ko"}]
    assert run("refresh", address(server), notes, "0.1", tmp_path, 1) == [{"refresh": "keep", "menu": ""}]
    assert run("refresh", address(server), "com.example.nobody", "1.0", tmp_path, 1) == [{"refresh": "status(404)", "menu": ""}]


def test_a_tap_as_served_takes_no_request(run, server, notes, tmp_path):
    def requests():
        return sum(map(float, re.findall(r"^longpress_http_requests_total{.*} (.*)$", server.get("/metrics").body.decode(), re.MULTILINE)))

    before = requests()
    [line] = run("time", address(server), notes, "3.0", tmp_path)
    # The menu, its continuity document, and the two readings of the metrics; the client resolves 20,000 taps.
    assert line["outcome"] == "current" and requests() - before < 10


class Odd(http.server.BaseHTTPRequestHandler):
    """Answers by the first segment of the path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        kind = self.path.split("/")[1]
        if kind == "html":
            self.answer(200, b"<html>Welcome to our hotel</html>")
        elif kind == "redirect":
            self.answer(302, b"", Location="/html/")
        elif kind == "short":
            self.answer(200, b'{"app": ', length=1000)
        elif kind == "endless":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.server.sent = 0
            try:
                while self.server.sent < 256 << 20:
                    self.wfile.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
                    self.server.sent += 0x10000
                    time.sleep(0.002)  # as fast as a good network
            except OSError:
                pass
            self.close_connection = True
        elif kind == "announced":
            self.answer(200, b" " * 100, length=2 << 20)
        elif kind == "hangup":
            self.close_connection = True
        elif kind == "slow":
            self.server.released.wait(20)
            self.close_connection = True
        else:
            self.answer(int(kind), b"{}")

    do_POST = do_GET

    def answer(self, status, body, length=None, **fields):
        self.send_response(status)
        for name, value in {"Content-Length": str(length or len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_):
        pass


@pytest.fixture
def odd():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    server.released = threading.Event()
    threading.Thread(target=server.serve_forever).start()
    yield server
    server.released.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("kind, expected", [
    ("html", "invalidResponse"), ("redirect", "invalidResponse"), ("short", "unreachable"), ("endless", "tooLarge"), ("announced", "tooLarge"),
    ("hangup", "unreachable"), ("500", "status(500)"), ("503", "status(503)"), ("401", "status(401)"), ("200", "invalidResponse"),
])
def test_an_odd_answer_is_told_and_what_is_known_stays(run, server, notes, odd, tmp_path, kind, expected):
    [first] = run("refresh", address(server), notes, "1.0", tmp_path / "known", 1)
    url = f"http://127.0.0.1:{odd.server_port}/{kind}"
    told = run("refresh", url, notes, "1.0", tmp_path / "nothing", 2)
    assert told[0]["refresh"].startswith(expected) and told[0]["menu"] == ""
    assert told[1]["refresh"].startswith("backingOff")
    # The last answer is fresh.
    assert run("refresh", url, notes, "1.0", tmp_path / "known", 1) == [{"refresh": "unchanged", "menu": first["menu"]}]
    if kind == "endless":
        assert odd.sent < 64 << 20


def test_a_fetch_that_is_not_answered_is_given_up(run, odd, tmp_path):
    begun = time.monotonic()
    [line] = run("refresh", f"http://127.0.0.1:{odd.server_port}/slow", "com.example.a", "1.0", tmp_path, 1)
    assert line["refresh"].startswith("unreachable") and time.monotonic() - begun > 14


def test_a_tap_waits_no_longer_than_a_person_does(run, odd, tmp_path):
    [line] = run("slow", f"http://127.0.0.1:{odd.server_port}/slow", "com.example.a", "1.0", tmp_path)
    assert (line["outcome"], line["source"]) == ("unknown", "none") and float(line["seconds"]) > 0.7
