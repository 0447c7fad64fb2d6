"""What somebody meets who tries the service by hand: where to begin, and errors that say what to do."""

import gzip
import re

import pytest

from contract import DOCUMENT
from longpress import Longpress, eventually, item

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
MENUS = "/v1/apps/{app}/versions/{version}/shortcuts"
TYPES = [reference.removeprefix("/problems/") for reference in DOCUMENT["components"]["schemas"]["ProblemType"]["enum"]]


@pytest.mark.parametrize("tag, hint", [
    ("english", "use en for English"), ("English", "use en for English"), ("Portuguese", "use pt for Portuguese"), ("thai", "use th"),
    ("Base", "for example en"), ("klingonese", "for example en"), ("english-US", "for example en"), ("e", "for example en"),
])
def test_a_language_that_does_not_exist_is_refused_with_what_to_write(server, app, tag, hint):
    for refused, path in [
        (server.admin("PUT", "/apps/com.example.new", {"defaultLanguage": tag}), "defaultLanguage"),
        (server.admin("PATCH", f"/apps/{app}", {"defaultLanguage": tag}), "defaultLanguage"),
        (server.admin("POST", "/apply", {"apps": {app: {"app": {"defaultLanguage": tag}}}}), f'apps["{app}"].app.defaultLanguage'),
        (server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", {"en": "A", tag: "B"})]}), None),
        (server.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a", {"en": "A"}) | {"subtitle": {tag: "B"}}]}), None),
    ]:
        [violation] = refused.json["violations"]
        assert (refused.status, violation["code"]) == (422, "language-invalid") and path in (None, violation["path"])
        assert f'"{tag}" is not ' in violation["message"] and hint in violation["message"]


@pytest.mark.parametrize("tag", ["en", "yue", "zh-Hant", "i-klingon", "x-ours", "en-GB-oed", "de-1996", "sr-Latn-RS"])
def test_a_language_that_may_exist_is_taken(server, app, tag):
    assert server.admin("PATCH", f"/apps/{app}", {"defaultLanguage": tag}).status == 200
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", {tag: "A"})]}).status == 201


def test_an_app_of_an_earlier_version_opens_and_can_be_led_to_another_language(own):
    own.admin("PUT", "/apps/a.b", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/a.b/sets/1.0", {"items": [item("a", {"en": "A", "ko": "B"})]})
    export = own.admin("GET", "/export").body.decode().replace('"defaultLanguage": "en"', '"defaultLanguage": "english"')
    export = export.replace('"en": "A"', '"english": "A"')
    assert own.admin("POST", "/import?replace=true", body=export).status == 200
    own.restart()
    served = own.shortcuts("a.b", "1.0")
    assert (served.json["language"], served.json["items"][0]["localizedTitle"]) == ("english", "A")
    assert own.shortcuts("a.b", "1.0", "?lang=english").status == 200
    assert own.tap("a.b", "1.0", {"type": "a", "lang": "english"}).status == 200
    assert own.admin("PATCH", "/apps/a.b", {"name": "B"}).status == 200
    assert own.admin("PATCH", "/apps/a.b/sets/1.0/items/a", {"title": {"en": "A"}}).status == 200
    assert own.admin("PATCH", "/apps/a.b", {"defaultLanguage": "en"}).status == 200
    assert own.admin("PATCH", "/apps/a.b/sets/1.0/items/a", {"title": {"english": None}}).status == 200
    assert own.admin("GET", "/apps/a.b/sets/1.0").json["items"][0]["title"] == {"en": "A", "ko": "B"}


@pytest.mark.parametrize("name", ["If-Match", "If-None-Match"])
@pytest.mark.parametrize("value, says", [
    ("8", 'The quotes are missing in {name}: 8. Send the ETag as it was answered, quotes included: {name}: "8".'),
    ("draft-0b8a6f", "The quotes are missing"), ('"8', "is not a list of entity tags"), ("8, 9", "is not a list of entity tags"),
])
def test_an_entity_tag_without_quotes_is_said_to_lack_them(server, app, name, value, says):
    place = f"/apps/{app}/sets/1.0"
    menu = {"items": [item("a", {"en": "A"})]}
    assert server.admin("PUT", place, menu).status == 201
    revision = server.admin("GET", place).fields["etag"]
    for method, target, document in [
        ("PUT", place, {"items": []}), ("PATCH", place + "/items/a", {"enabled": False}), ("DELETE", place, None),
        ("PUT", place + "/draft", menu), ("POST", place + "/draft/approve", None), ("PATCH", f"/apps/{app}", {"name": "N"}),
        ("DELETE", f"/apps/{app}", None), ("PUT", f"/apps/{app}/releases/1.0", {"build": "1"}),
    ]:
        refused = server.admin(method, target, document, **{name.replace("-", "_"): value})
        assert (refused.status, refused.code) == (400, "bad-request") and says.format(name=name) in refused.json["detail"], target
    assert server.admin("GET", place).fields["etag"] == revision
    assert server.admin("GET", place, If_None_Match=value).status == 200
    assert server.shortcuts(app, "1.0", If_None_Match=value).status == 200


def test_an_endpoint_for_an_app_that_does_not_exist_is_warned_of(server, app):
    hook = {"url": "https://hooks.example.com/a", "apps": [app, "com.example.mial"]}
    made = server.admin("POST", "/webhooks", hook)
    assert made.status == 201 and made.marked_warnings == {("apps[1]", "unknown-app", True)}
    assert '"com.example.mial"' in made.json["warnings"][0]["message"]
    place = f"/webhooks/{made.json['id']}"
    assert server.admin("PATCH", place, {"description": "d"}).marked_warnings == {("apps[1]", "unknown-app", False)}
    assert server.admin("PATCH", place, {"apps": ["com.example.mial.too"]}).marked_warnings == {("apps[0]", "unknown-app", True)}
    assert server.admin("PATCH", place, {"apps": [app]}).json["warnings"] == []
    assert server.admin("PATCH", place, {"apps": None}).json["warnings"] == []
    assert "warnings" not in server.admin("GET", place).json


def test_a_ping_to_a_disabled_endpoint_says_so(server):
    hook = server.admin("POST", "/webhooks", {"url": "https://hooks.example.com/b", "enabled": False}).json["id"]
    pinged = server.admin("POST", f"/webhooks/{hook}/ping")
    assert pinged.status == 202 and pinged.marked_warnings == {("enabled", "endpoint-disabled", True)}
    assert "disabled" in pinged.json["warnings"][0]["message"]
    [delivery] = server.admin("GET", f"/webhooks/{hook}/deliveries").json["items"]
    assert (delivery["id"], delivery["state"]) == (pinged.json["id"], "held")
    server.admin("PATCH", f"/webhooks/{hook}", {"enabled": True, "url": "http://127.0.0.1:9/"})
    assert server.admin("POST", f"/webhooks/{hook}/ping").json["warnings"] == []


@pytest.mark.parametrize("resource, accept", [
    ("shortcuts", "application/json"), ("shortcuts", "application/manifest+json"), ("shortcuts", "application/vnd.longpress.android+json"),
    ("continuity", "application/json"), ("bundle", "application/json"),
])
def test_every_json_answer_of_the_client_plane_ends_in_a_line_feed(server, mail, resource, accept):
    target = f"/v1/apps/{mail}/versions/2.0/{resource}"
    for _ in range(3):  # rendered, and from each cache
        answer = server.get(target, Accept=accept)
        assert answer.body.endswith(b"}\n") and answer.fields["content-length"] == str(len(answer.body))
    assert gzip.decompress(server.get(target, Accept=accept, Accept_Encoding="gzip").body) == answer.body
    assert server.get(target, Accept=accept, If_None_Match=answer.fields["etag"]).status == 304
