"""openapi.yaml describes the answers: real answers are validated against its schemas."""

import re

import jsonschema
import pytest
import yaml

from contract import DOCUMENT, resolved
from longpress import item


def operation(method, target):
    """The operation that describes a request, found by its path."""
    for path, methods in DOCUMENT["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/?]+", path), target.split("?")[0]) and method.lower() in methods:
            return methods[method.lower()]
    raise AssertionError(f"{method} {target} is not described")


def validate(method, target, answer):
    responses = operation(method, target)["responses"]
    response = resolved(responses.get(str(answer.status)) or responses["default"])
    if answer.status == 204 or "content" not in response:
        assert answer.body == b""
        return
    media = answer.fields["content-type"].split(";")[0]
    assert media in response["content"], f"{answer.status} {media} is not described for {method} {target}"
    if media.endswith("json"):
        schema = {**response["content"][media]["schema"], "components": DOCUMENT["components"]}
        jsonschema.Draft202012Validator(schema).validate(answer.json)


@pytest.fixture
def furnished(server, app):
    """An app with a little of everything, and the requests that read it."""
    release = {"build": "7", "staticItems": [{"type": "t", "title": "T", "icon": {"type": 5}}], "assets": {"images": [], "symbols": []}}
    rich = item("a", icon={"file": "A", "type": "search"}, subtitle={"en": "S"}, url="x://y", userInfo={"n": [1, 1.5]})
    token = {"name": "ci", "role": "editor", "apps": [app]}
    hook = {"url": "http://127.0.0.1:9/", "headers": {"X-Key": "v"}, "types": ["app.created"], "enabled": False}
    requests = [
        ("PUT", f"/apps/{app}", {"defaultLanguage": "en", "name": "N"}), ("PATCH", f"/apps/{app}", {"name": None}),
        ("GET", f"/apps/{app}", None), ("GET", "/apps", None),
        ("PUT", f"/apps/{app}/releases/1.0", release), ("GET", f"/apps/{app}/releases/1.0", None), ("GET", f"/apps/{app}/releases", None),
        ("PUT", f"/apps/{app}/sets/1.0", {"items": [rich], "retired": [{"id": "z"}], "fallbackURL": "https://a/b"}),
        ("PUT", f"/apps/{app}/sets/2.0", {"items": []}), ("GET", f"/apps/{app}/sets/1.0", None), ("GET", f"/apps/{app}/sets", None),
        ("DELETE", f"/apps/{app}/sets/2.0", None), ("GET", f"/apps/{app}/revisions", None), ("GET", f"/apps/{app}/revisions/1", None),
        ("GET", f"/apps/{app}/revisions/3", None),
        ("POST", f"/apps/{app}/check", {"version": "1.0", "set": {"items": [{}]}}), ("POST", f"/apps/{app}/check", {}),
        ("GET", f"/apps/{app}/simulate?from=1.0&to=2.0", None), ("GET", f"/apps/{app}/simulate?from=1.0", None),
        ("POST", "/tokens", token), ("GET", "/tokens", None), ("POST", "/webhooks", hook), ("GET", "/webhooks", None), ("GET", "/audit", None),
        ("PUT", f"/apps/{app}/sets/x", {"items": []}), ("PUT", f"/apps/{app}/sets/1.0", {"items": [{}]}), ("GET", "/apps?x=1", None),
        ("DELETE", f"/apps/{app}/releases/1.0", None), ("DELETE", f"/apps/{app}/releases/1.0", None), ("DELETE", "/tokens/none", None),
    ]
    return app, requests


def test_every_answer_of_the_admin_plane_is_as_described(server, furnished):
    app, requests = furnished
    for method, target, document in requests:
        validate(method, "/admin/v1" + target, server.admin(method, target, document))
    hook = server.admin("GET", "/webhooks").json["items"][-1]["id"]
    for method, target, document in [
        ("GET", f"/webhooks/{hook}", None), ("PATCH", f"/webhooks/{hook}", {"description": "d"}), ("POST", f"/webhooks/{hook}/ping", None),
        ("GET", f"/webhooks/{hook}/deliveries?body=true", None), ("GET", f"/webhooks/{hook}/deliveries?state=x", None),
        ("POST", f"/webhooks/{hook}/recover", {}), ("POST", f"/webhooks/{hook}/recover", {"since": 1}),
        ("POST", f"/webhooks/{hook}/rotate-secret", {"overlap": "1h"}), ("POST", f"/webhooks/{hook}/rotate-secret", {"overlap": ""}),
        ("POST", "/deliveries/none/resend", None),
        ("DELETE", f"/webhooks/{hook}", None), ("DELETE", f"/apps/{app}", None), ("GET", f"/apps/{app}", None),
    ]:
        validate(method, "/admin/v1" + target, server.admin(method, target, document))
    validate("GET", "/admin/v1/apps", server.admin("GET", "/apps", token=None))


def test_every_answer_of_the_client_plane_is_as_described(server, app):
    rich = item("a", icon={"symbol": "s", "file": "A", "type": "search"}, subtitle={"en": "S"}, url="x://y", targetContentIdentifier="t")
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [rich]})
    for target in [f"/v1/apps/{app}/versions/{version}/shortcuts" for version in ("1", "0.1", "x")]:
        validate("GET", target, server.get(target))
    tap = {"type": "com.example.a"}
    validate("POST", f"/v1/apps/{app}/versions/1/taps", server.tap(app, "1", tap))
    report = {"batch": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "counts": [tap | {"outcome": "untagged", "count": 60}]}
    for batch in (report, report | {"batch": "3f2504e0-4f89-41d3-9a0c-0305e82c3302"}, {}):
        validate("POST", f"/v1/apps/{app}/versions/1/taps/counts", server.report(app, "1", batch))
    validate("GET", f"/admin/v1/apps/{app}/taps", server.admin("GET", f"/apps/{app}/taps?bucket=day&by=audience,revision,day"))
    for target in ("/healthz", "/readyz", "/readyz?plane=admin", "/readyz?plane=x", "/metrics", "/openapi.yaml"):
        validate("GET", target, server.get(target))


def test_the_served_document_is_this_one(server):
    assert yaml.safe_load(server.get("/openapi.yaml").body) == DOCUMENT
