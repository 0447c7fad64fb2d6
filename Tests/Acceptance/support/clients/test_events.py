"""`webhooks:` of openapi.yaml describes the deliveries: every event, its members and its header fields, and no others."""

import json

import jsonschema
import pytest

import generators
from contract import DOCUMENT, name_of, resolved
from longpress import eventually, instant, item, pass_time

EVENTS = DOCUMENT["webhooks"]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return generators.datamodel_code_generator(tmp_path_factory.mktemp("models"))


def cause_all(server, app, hook):
    """Causes every event."""
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    server.admin("PUT", f"/apps/{app}/releases/1.0", {"build": "7"})
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("b")]})
    server.admin("PUT", f"/apps/{app}/sets/3.0/draft", {"items": [item("a")]})
    server.admin("POST", f"/apps/{app}/sets/3.0/draft/review", {"state": "requested", "comment": "Check it"})
    assert server.admin("POST", f"/apps/{app}/sets/3.0/publish", {"at": instant(3600)}).status == 202
    # It gives an id of the draft another meaning.
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [], "retired": [{"id": "a"}]})
    pass_time(server, app, 3600)
    assert server.admin("PUT", f"/apps/{app}/sets/1.0/candidate?share=12.5", {"items": []}).status == 200
    assert server.admin("POST", f"/apps/{app}/sets/1.0/candidate/stop").status == 200
    server.admin("DELETE", f"/apps/{app}/sets/1.0")
    server.admin("DELETE", f"/apps/{app}/releases/1.0")
    server.admin("PATCH", f"/apps/{app}", {"approvals": 1})
    server.admin("PUT", f"/apps/{app}/sets/9.0?override=In+haste", {"items": []})
    assert server.admin("POST", f"/webhooks/{hook}/ping").status == 202
    other = server.admin("POST", "/webhooks", {"url": "http://127.0.0.1:9/", "apps": [app]}).json["id"]
    assert server.admin("PATCH", f"/webhooks/{other}", {"enabled": False}).status == 200


def test_every_event_is_sent_as_described(server, consumer, models):
    app = "com.example.events"
    hook = consumer.subscribe(server, apps=[app])["id"]
    cause_all(server, app, hook)

    def received():
        return {json.loads(body)["type"]: (fields, body) for fields, body in list(consumer.received)}

    eventually(lambda: "shortcuts.schedule-failed" in received())
    assert server.admin("DELETE", f"/apps/{app}").status == 204
    eventually(lambda: received().keys() >= EVENTS.keys())
    assert received().keys() == EVENTS.keys() == set(DOCUMENT["components"]["schemas"]["EventType"]["enum"])
    for kind, (fields, body) in received().items():
        described = EVENTS[kind]["post"]
        schema = described["requestBody"]["content"]["application/json"]["schema"]
        jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(json.loads(body))
        model = getattr(models, name_of(schema)).model_validate_json(body)
        assert model.type == kind
        lower = {name.lower(): value for name, value in fields.items()}
        for parameter in map(resolved, described["parameters"]):
            if (value := lower.get(parameter["name"])) is None:
                assert not parameter.get("required"), parameter["name"]
                continue
            typed = int(value) if parameter["schema"]["type"] == "integer" else value
            jsonschema.Draft202012Validator(parameter["schema"]).validate(typed)
