"""`longpress copy`: from a file to PostgreSQL and back, with everything that a service needs to continue."""

import pathlib
import subprocess

import pytest

from longpress import BINARY, OWNER, Longpress, eventually, item
from postgres import Postgres

pytestmark = pytest.mark.any_engine


@pytest.fixture(scope="module")
def postgres():
    server = Postgres()
    yield server
    server.stop()


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=120)


def export(database):
    done = run("export", "--database", str(database))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_store_goes_over_to_postgres_and_back(tmp_path, postgres, consumer):
    own = Longpress(tmp_path)
    consumer.subscribe(own)
    own.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    for number in range(5):
        own.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a", f"Title {number}")]})
    token = own.admin("POST", "/tokens", {"name": "reader", "role": "reader"}).json["token"]
    eventually(lambda: len(consumer.received) >= 6)
    file, uri = own.database, postgres.database()
    # While a service uses it.
    done = run("copy", str(file), uri)
    assert done.returncode == 0, done.stderr
    assert "The newest revision is 5 of app" in done.stderr
    own.stop()
    assert export(uri) == export(file)
    node = Longpress(tmp_path, database=uri)
    assert node.admin("GET", "/apps/app", token=token).status == 200
    log = node.admin("GET", "/webhooks").json["items"]
    assert len(log) == 1
    before = len(consumer.received)
    assert node.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a", "Over there")]}).json["revision"] == 6
    eventually(lambda: len(consumer.received) > before)
    assert consumer.verified()[-1][1]["data"]["revision"] == 6
    node.stop()
    back = tmp_path / "back.sqlite"
    done = run("copy", uri, f"sqlite:{back}")
    assert done.returncode == 0, done.stderr
    assert export(back) == export(uri)


def test_a_target_that_holds_something_is_left_alone(tmp_path, postgres):
    uri, file = postgres.database(), tmp_path / "full.sqlite"
    for database in (uri, str(file)):
        assert run("token", "create", "--database", database, "--name", "n", "--role", "owner").returncode in (0, 1)
        run("migrate", "--database", database)
        assert run("token", "create", "--database", database, "--name", "m", "--role", "owner").returncode == 0
    done = run("copy", str(file), uri)
    assert done.returncode == 1 and "is not empty: it has rows in tokens" in done.stderr
    done = run("copy", uri, uri)
    assert done.returncode == 1 and "source and the target" in done.stderr
    missing = tmp_path / "missing.sqlite"
    done = run("copy", str(missing), str(tmp_path / "new.sqlite"))
    assert done.returncode == 1 and not missing.exists() and not (tmp_path / "new.sqlite").exists()


def test_no_message_shows_a_password(tmp_path):
    done = run("copy", "postgres://u:secretpw@127.0.0.1:1/x", str(tmp_path / "new.sqlite"))
    assert done.returncode == 1 and "secretpw" not in done.stdout + done.stderr and "cannot be reached" in done.stderr
    assert "Connection refused" in done.stderr, "what libpq said tells what to do"
    assert not pathlib.Path(tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize("uri", ["postgres://u:hunter%zz2@127.0.0.1:1/x", "postgres://u:hunter2@[::1/x", "postgres://127.0.0.1:1/x?password=hunter%zz2",
                                 "postgres://u:hunter%002@127.0.0.1:1/x", "postgres://u:p@127.0.0.1:hunter2@h/x"])
def test_no_refusal_of_a_uri_shows_a_password(uri):
    done = run("migrate", "--database", uri)
    assert done.returncode == 1 and "hunter" not in done.stdout + done.stderr, done.stderr
