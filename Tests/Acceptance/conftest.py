import itertools
import pathlib
import sys

import pytest

# The helpers, and tests that others import from.
sys.path[:0] = [str(folder) for folder in sorted(pathlib.Path(__file__).parent.iterdir()) if folder.is_dir()]

from consumer import Consumer  # noqa: E402
from longpress import Longpress, item, settings  # noqa: F401
from swift_packages import UIKIT_DOUBLE, build  # noqa: E402

numbers = itertools.count(1)


def pytest_configure(config):
    config.addinivalue_line("markers", "any_engine: the database does not matter, or the test starts its own; it runs once, on SQLite")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for the tests that do not stop it."""
    server = Longpress(tmp_path_factory.mktemp("longpress"))
    yield server
    assert server.stop() == 0


@pytest.fixture
def own(tmp_path):
    """A server for one test, which may kill and restart it."""
    server = Longpress(tmp_path)
    yield server
    if server.process.poll() is None:
        server.stop()


@pytest.fixture
def app(server):
    """A fresh app whose default language is English."""
    name = f"com.example.app{next(numbers)}"
    assert server.admin("PUT", f"/apps/{name}", {"defaultLanguage": "en"}).status == 201
    return name


@pytest.fixture(scope="session")
def uikit_double():
    """The folder with the build of Tests/UIKitDouble: LongpressKit with doubles of UIKit and SwiftUI, its tests, three apps."""
    done, folder = build(UIKIT_DOUBLE, "--build-tests")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return folder


@pytest.fixture
def consumer():
    """A receiver of webhooks for one test."""
    consumer = Consumer()
    yield consumer
    consumer.stop()


@pytest.fixture
def mail(server, app):
    """An app: 1.0 has two items; 2.0 adds a static one, renames the first and retires the second."""
    server.admin("PATCH", f"/apps/{app}", {"fallbackURL": "mail://inbox"})
    releases = {"1.0": {"urlSchemes": ["mail"]}, "2.0": {
        "build": "7", "urlSchemes": ["mail"], "staticItems": [{"type": "search", "title": "SEARCH"}]}}
    for version, document in releases.items():
        assert server.admin("PUT", f"/apps/{app}/releases/{version}", document).status == 201
    sets = {
        "1.0": {"items": [item("compose", {"en": "Compose", "ko": "쓰기"}), item("drafts", {"en": "Drafts", "ko": "임시"}, enabled=True)]},
        "2.0": {"items": [item("new-message", {"en": "New Message", "ko": "새 메시지"}, replaces=["compose"], url="mail://compose")],
                "retired": [{"id": "drafts", "url": "mail://drafts"}]},
    }
    for version, document in sets.items():
        answer = server.admin("PUT", f"/apps/{app}/sets/{version}", document)
        assert answer.status == 201 and answer.warnings == set(), answer.body
    return app
