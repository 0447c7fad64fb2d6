"""docs/webhooks.md: every event is as the program sends it, and the consumers pass their test vector."""

import json
import shutil
import subprocess

import jsonschema
import pytest

from documents import blocks
from longpress import ROOT, eventually, instant, item, pass_time
from test_openapi import DOCUMENT, resolved

pytestmark = pytest.mark.any_engine

EXAMPLES = {example["type"]: example for example in (json.loads(block.text) for block in blocks("docs/webhooks.md", "json"))}


def shape(value):
    """The members and their types, whatever their values."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


@pytest.fixture
def sent(own, consumer):
    """One received event of every type; of publishes the second one."""
    hook = consumer.subscribe(own)["id"]
    other = own.admin("POST", "/webhooks", {"url": "https://hooks.example.com/secret", "types": ["app.deleted"], "description": "CDN"}).json["id"]
    assert own.admin("PATCH", f"/webhooks/{other}", {"enabled": False}).status == 200
    app = "/apps/com.example.mail"
    first = [item("compose"), item("kept"), item("gone")]
    later = [item("new-message", replaces=["compose"]), item("kept", {"en": "Other"})]
    steps = [
        ("PUT", app, {"defaultLanguage": "en"}), ("PUT", f"{app}/releases/2.0", {"build": "200"}),
        ("PUT", f"{app}/sets/1.0", {"items": first}), ("PUT", f"{app}/sets/1.0", {"items": later}),
        # "kept" is retired before the scheduled draft with it is due.
        ("PUT", f"{app}/sets/3.0/draft", {"items": [item("kept")]}), ("POST", f"{app}/sets/3.0/publish", {"at": instant(3600)}),
        ("PUT", f"{app}/sets/2.0", {"items": [], "retired": [{"id": "kept"}]}),
        ("PUT", f"{app}/sets/4.0/draft", {"items": []}), ("POST", f"{app}/sets/4.0/draft/review", {"state": "changes", "comment": "Empty"}),
    ]
    for method, target, document in steps:
        assert own.admin(method, target, document).status in (200, 201, 202), target
    pass_time(own, "com.example.mail", 3600)
    eventually(lambda: any(event["type"] == "shortcuts.schedule-failed" for _, event in consumer.verified()))
    own.admin("PATCH", app, {"approvals": 1})
    assert own.admin("PUT", f"{app}/sets/1.0?override=Haste", {"items": first}).status == 200
    assert own.admin("PUT", f"{app}/sets/1.0/candidate?share=10&override=Haste", {"items": []}).status == 200
    assert own.admin("POST", f"{app}/sets/1.0/candidate/stop").status == 200
    for method, target in [("DELETE", f"{app}/releases/2.0+200"), ("DELETE", f"{app}/sets/2.0?override=Haste"), ("POST", f"/webhooks/{hook}/ping"), ("DELETE", app)]:
        assert own.admin(method, target).status in (200, 202, 204), target
    # In any order.
    eventually(lambda: {event["type"] for _, event in consumer.verified()} >= set(EXAMPLES))
    events = [event for _, event in consumer.verified()]
    published = next(event for event in events if event["type"] == "shortcuts.published" and event["data"]["previousRevision"])
    return {event["type"]: event for event in events} | {"shortcuts.published": published}


def test_every_event_is_described_as_it_is_sent(sent):
    assert set(EXAMPLES) == set(sent) == set(DOCUMENT["webhooks"])
    for type, example in EXAMPLES.items():
        real, told = shape(sent[type]), shape(example)
        # Which lists are empty depends on the event.
        for name in ("added", "changed", "removed", "shownDifferently"):
            real["data"].pop(name, None), told["data"].pop(name, None)
        assert told == real, type


@pytest.mark.parametrize("type", EXAMPLES)
def test_every_example_is_valid_by_openapi(type):
    body = resolved(DOCUMENT["webhooks"][type]["post"]["requestBody"])["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**body, "components": DOCUMENT["components"]}).validate(EXAMPLES[type])


def test_what_is_said_of_revisions_and_caches_holds(server, app, consumer):
    consumer.subscribe(server, apps=[app], types=["shortcuts.published"])
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", {"en": "A", "ko": "가"})]})
    (_, event), = eventually(consumer.verified)
    data, menu = event["data"], server.shortcuts(app, "1.0")
    assert (menu.fields["etag"], menu.json["revision"], menu.json["effectiveFrom"]) == (data["etag"], data["revision"], data["version"])
    other = server.shortcuts(app, "1.7", "?lang=ko")
    assert other.fields["etag"] != data["etag"] and other.json["revision"] == data["revision"]
    continuity = server.get(f"/v1/apps/{app}/versions/1.7/continuity")
    assert {answer.fields["surrogate-key"] for answer in (menu, other, continuity)} == {f"app/{app}"}


def test_the_consumer_in_python_holds_its_vector():
    for block in blocks("docs/webhooks.md", "python"):
        exec(block.text, {})


@pytest.mark.parametrize("language, program, run", [("js", "node", ["node"]), ("go", "go", ["go", "run"])])
def test_the_consumers_in_other_languages_hold_their_vector(language, program, run, tmp_path):
    if not shutil.which(program):
        pytest.skip(f"{program} is not on this machine")
    block, = blocks("docs/webhooks.md", language)
    file = tmp_path / f"consumer.{language}"
    file.write_text(block.text)
    done = subprocess.run([*run, file], capture_output=True, text=True)
    # console.assert only prints a failure, and continues.
    assert (done.returncode, done.stderr) == (0, "")


def test_the_consumer_in_swift_refuses_what_it_should():
    """Built with LongpressWebhooks once. The build is reused."""
    block, = blocks("docs/webhooks.md", "swift")
    package = ROOT / ".build/consumer"
    main = package / "Sources/Consumer/main.swift"
    main.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "Tests/Documents/Consumer/Package.swift", package)
    main.write_text(block.text)
    fetched = subprocess.run(["swift", "package", "resolve", "--package-path", package], capture_output=True, text=True)
    if fetched.returncode:
        pytest.skip(f"swift-crypto cannot be fetched: {fetched.stderr}")
    done = subprocess.run(["swift", "run", "--package-path", package], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
