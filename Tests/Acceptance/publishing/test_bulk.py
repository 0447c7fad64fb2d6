"""Large imports and applies, while others publish, and killed in the middle."""

import json
import signal
import threading

import pytest

from longpress import OWNER, eventually, item
from workload import Writer

APPS = 1000


def archived(number):
    """An app with two revisions, in the form of an export."""
    place = {"version": "1.0.0", "audience": "default"}
    revisions = [
        place | {"revision": revision, "kind": "published", "publishedAt": "2026-01-31T09:00:00Z", "by": "ana",
                 "set": {"items": [item("a", f"Title {revision}"), item("b")]}}
        for revision in (1, 2)]
    return {"app": f"com.example.bulk{number:05}", "name": None, "defaultLanguage": "en", "fallbackURL": None, "lastRevision": 2, "releases": [],
            "sets": [place | {"revision": 2}], "drafts": [], "schedule": [], "revisions": revisions}


def document(count=APPS):
    return json.dumps({"format": "longpress-export", "schema": 2, "apps": [archived(number) for number in range(count)], "deletedApps": []})


def trees(count=APPS, title="Applied"):
    return json.dumps({"apps": {
        f"com.example.bulk{number:05}": {"app": {"defaultLanguage": "en"}, "sets": {"1.0": {"items": [item("a", title)]}}} for number in range(count)}})


@pytest.fixture
def writers(own):
    """Two writers, each of which publishes to its app, one revision after the other."""
    apps = ["com.example.live0", "com.example.live1"]
    for app in apps:
        own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    writers = [Writer(own, number, apps) for number in range(2)]
    for writer in writers:
        writer.start()
    eventually(lambda: all(writer.acknowledged for writer in writers))
    yield writers
    for writer in writers:
        writer.end()


def apps(server):
    return sum(entry["app"].startswith("com.example.bulk") for entry in json.loads(server.admin("GET", "/export").body)["apps"])


@pytest.mark.parametrize("path, body, expected", [
    ("/import", document, APPS), ("/apply", trees, APPS), ("/import?replace=true", document, APPS),
])
def test_many_apps_are_written_while_others_publish(own, writers, path, body, expected):
    if "replace" in path:
        assert send(own, "/apply", trees()).status == 200
    before = [len(writer.acknowledged) for writer in writers]
    answer = send(own, path, body())
    assert answer.status == 200, answer.body
    assert all(len(writer.acknowledged) > count for writer, count in zip(writers, before))
    for writer in writers:
        writer.end()
    # A loaded machine may let a publish wait for too long; `make bench-bulk` measures the waits.
    assert {answer.code for writer in writers for answer in writer.refused} <= {"storage-unavailable"}
    assert apps(own) == expected and own.shortcuts("com.example.bulk00999", "1.0").status == 200
    # Numbers without gaps, whatever happened in between.
    for writer in writers:
        assert [revision for _, revision in writer.acknowledged] == list(range(1, len(writer.acknowledged) + 1))


def send(server, path, body):
    return server.request("POST", "/admin/v1" + path, body, {"Authorization": "Bearer " + OWNER, "Content-Type": "application/json"}, timeout=600)


@pytest.mark.parametrize("publishes", [1, 10, 30])
def test_an_import_that_is_killed_leaves_all_or_nothing(own, writers, publishes):
    answers = []

    def work():
        try:
            answers.append(send(own, "/import", document()).status)
        except OSError:
            pass

    thread = threading.Thread(target=work)
    before = len(writers[0].acknowledged)
    thread.start()
    eventually(lambda: len(writers[0].acknowledged) >= before + publishes or answers)
    for writer in writers:
        writer.is_over = True
    own.stop(signal.SIGKILL)
    thread.join()
    own.start()
    assert apps(own) in ([APPS] if answers else [0, APPS])
    assert send(own, "/import?replace=true", document()).status == 200 and apps(own) == APPS
