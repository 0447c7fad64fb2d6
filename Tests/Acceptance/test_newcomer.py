"""What somebody meets who tries the service by hand: where to begin, and errors that say what to do."""

import gzip
import re

import pytest

from contract import DOCUMENT
from longpress import Longpress, eventually, item

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
MENUS = "/v1/apps/{app}/versions/{version}/shortcuts"
TYPES = [reference.removeprefix("/problems/") for reference in DOCUMENT["components"]["schemas"]["ProblemType"]["enum"]]


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
