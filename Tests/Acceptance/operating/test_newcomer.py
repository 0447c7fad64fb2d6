"""The first contact by hand: where to begin, and errors that say what to do."""

import gzip
import re

import pytest

from contract import DOCUMENT
from longpress import Longpress, eventually, item

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
MENUS = "/v1/apps/{app}/versions/{version}/shortcuts"
TYPES = [reference.removeprefix("/problems/") for reference in DOCUMENT["components"]["schemas"]["ProblemType"]["enum"]]


def test_the_start_points_to_the_console_and_the_documents(server):
    start = server.get("/")
    assert start.status == 200 and start.fields["content-type"] == "application/json" and "Accept" in start.fields["vary"]
    assert start.json == {
        "service": "Longpress", "console": "/console/", "docs": "/openapi.yaml", "menus": MENUS, "health": "/healthz"}
    assert all(server.get(start.json[name]).status == 200 for name in ("console", "docs", "health"))
    browsed = server.get("/", Accept=BROWSER)
    assert (browsed.status, browsed.fields["location"]) == (302, "./console/") and "Accept" in browsed.fields["vary"]
    assert {start.fields["cache-control"], browsed.fields["cache-control"]} == {"no-store"}
    assert server.request("HEAD", "/").fields["content-length"] == str(len(start.body))
    assert server.request("POST", "/").status == 405


@pytest.mark.parametrize("flags, plane, names", [
    (("--console", "off"), "client", {"service", "docs", "menus", "health"}),
    (("--admin-listen", "127.0.0.1:0"), "client", {"service", "menus", "health"}),
    (("--admin-listen", "127.0.0.1:0"), "admin", {"service", "console", "docs", "health"}),
    (("--admin-listen", "127.0.0.1:0", "--console", "off"), "admin", {"service", "docs", "health"}),
])
def test_the_start_names_only_what_is_served_at_its_address(tmp_path, flags, plane, names):
    server = Longpress(tmp_path, *flags)
    try:
        if plane == "admin":
            line = eventually(lambda: next((line for line in server.log if "plane=admin" in line), None))
            server.address = ("127.0.0.1", int(re.search(r"address=127\.0\.0\.1:(\d+)", line)[1]))
        start = server.get("/").json
        assert set(start) == names
        assert server.get("/", Accept=BROWSER).status == (302 if "console" in names else 200)
        assert server.get("/problems/unknown-app").status == 200
        assert all(server.get(start[name]).status == 200 for name in names & {"console", "docs", "health"})
    finally:
        server.stop()


@pytest.mark.parametrize("code", TYPES)
def test_a_problem_type_resolves(server, code):
    explained = server.get(f"/problems/{code}")
    assert explained.status == 200 and explained.json["type"] == f"/problems/{code}" and 400 <= explained.json["status"] < 600
    assert all(explained.json[name].endswith(".") for name in ("meaning", "remedy"))
    page = server.get(f"/problems/{code}", Accept=BROWSER)
    assert page.status == 200 and page.fields["content-type"] == "text/html; charset=utf-8"
    assert all(explained.json[name] in page.body.decode() for name in ("title", "meaning", "remedy"))


def test_an_unknown_problem_type_is_404_and_a_misspelt_one_is_told_the_nearest(server):
    refused = server.get("/problems/unknown-ap")
    assert (refused.status, refused.code) == (404, "unknown-resource") and 'Did you mean "unknown-app"?' in refused.json["detail"]
    assert server.get("/problems/%3Cb%3E", Accept=BROWSER).fields["content-type"] == "application/problem+json"


@pytest.mark.parametrize("ask", [
    ("GET", "/v1/apps/a.b/versions/1.0/shortcuts", None), ("GET", "/nothing", None), ("GET", "/admin/v1/apps", None),
    ("POST", "/v1/apps/a.b/versions/1.0/taps", "{"), ("DELETE", "/healthz", None), ("GET", "/readyz?plane=x", None),
])
def test_a_problem_has_the_title_and_the_status_of_its_type(server, ask):
    problem = server.request(*ask)
    explained = server.get(problem.json["type"]).json
    assert (problem.json["title"], problem.json["status"]) == (explained["title"], explained["status"]) == (explained["title"], problem.status)


@pytest.mark.parametrize("resource", ["shortcuts", "continuity", "bundle", "taps"])
def test_a_misspelt_app_is_named_to_clients_without_what_owners_do(server, resource):
    target = f"/v1/apps/com.example.mial/versions/1.0/{resource}"
    fields = {"Content-Type": "application/json"}
    refused = server.request(*("POST", target, '{"type": "a"}', fields) if resource == "taps" else ("GET", target))
    assert (refused.status, refused.code) == (404, "unknown-app")
    assert '"com.example.mial"' in refused.json["detail"] and "admin" not in refused.body.decode() and "PUT" not in refused.json["detail"]
    assert "PUT /admin/v1/apps/" in server.admin("GET", "/apps/com.example.mial").json["detail"]


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
    ("8", 'The quotes are missing in {name}: 8. Send the ETag of the answer with its quotes: {name}: "8".'),
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


def test_a_property_list_that_is_called_json_is_told_its_type(server, app):
    for body in ("<?xml version='1.0'?><plist/>", b"bplist00"):
        refused = server.admin("PUT", f"/apps/{app}/releases/1.0", body=body)
        assert (refused.status, refused.code) == (415, "unsupported-media-type") and "application/x-plist" in refused.json["detail"]


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
