"""What somebody meets who tries the service by hand: where to begin, and errors that say what to do."""

import gzip
import re

import pytest

from contract import DOCUMENT
from longpress import Longpress, eventually, item

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
MENUS = "/v1/apps/{app}/versions/{version}/shortcuts"
TYPES = [reference.removeprefix("/problems/") for reference in DOCUMENT["components"]["schemas"]["ProblemType"]["enum"]]


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
