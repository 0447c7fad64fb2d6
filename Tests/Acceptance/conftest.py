import itertools

import pytest

from consumer import Consumer
from longpress import Longpress

numbers = itertools.count(1)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for the tests that do not stop theirs."""
    server = Longpress(tmp_path_factory.mktemp("longpress"))
    yield server
    assert server.stop() == 0


@pytest.fixture
def own(tmp_path):
    """A server of the test's own, to be killed and restarted."""
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


@pytest.fixture
def consumer():
    """A receiver of webhooks of the test's own."""
    consumer = Consumer()
    yield consumer
    consumer.stop()
