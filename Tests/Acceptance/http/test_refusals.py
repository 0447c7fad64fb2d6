"""Errors that name a remedy, and answers that end with a line break for a shell's prompt."""

import plistlib

import pytest

from longpress import info_plist, item

EMPTY = "The body is empty. With curl, check that the file exists."


@pytest.fixture
def timeline(server, app):
    """Sets from 1.0 and 2.1 on, and a draft from 2.1 on."""
    for version in ("1.0", "2.1"):
        assert server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": [item("a", version)]}).status == 201
    assert server.admin("PUT", f"/apps/{app}/sets/2.1/draft", {"items": []}).status == 201
    return f"/apps/{app}/sets"


def test_an_empty_body_where_a_document_is_needed_is_told_as_that(server, timeline, app):
    for method, target in [
        ("PUT", f"/apps/{app}"), ("PATCH", f"/apps/{app}"), ("PUT", f"{timeline}/3.0"), ("PUT", f"{timeline}/3.0/draft"),
        ("PATCH", f"{timeline}/2.1/items/a"), ("PUT", f"/apps/{app}/releases/1.0"), ("POST", f"/apps/{app}/check"),
        ("POST", "/webhooks"), ("POST", "/tokens"), ("POST", "/import"),
    ]:
        refused = server.admin(method, target, body=b"")
        assert (refused.status, refused.code, refused.json["detail"]) == (400, "malformed-json", EMPTY), target
    refused = server.admin("PUT", f"/apps/{app}/releases/1.0", body=b"", type="application/x-plist")
    assert (refused.status, refused.code, refused.json["detail"]) == (400, "bad-request", EMPTY)
    refused = server.request("POST", f"/v1/apps/{app}/versions/2.1/taps", b"", {"Content-Type": "application/json"})
    assert (refused.status, refused.code, refused.json["detail"]) == (400, "malformed-json", EMPTY)


# The program has no tables of other encodings (docs/decisions/0013-icu.md).
@pytest.mark.parametrize("encoding", ["shift_jis", "koi8-r", "gb18030", "iso-2022-jp"])
def test_an_info_plist_in_another_encoding_is_told_to_be_in_utf_8(server, app, encoding):
    text = plistlib.dumps(info_plist(app, "2.0")).decode().replace('encoding="UTF-8"', f'encoding="{encoding}"')
    text = text.replace("<dict>", "<dict><key>CFBundleDisplayName</key><string>\u043f</string>", 1)
    refused = server.admin("PUT", f"/apps/{app}/releases/2.0", body=text.encode(encoding), type="application/x-plist")
    assert (refused.status, refused.code) == (400, "bad-request") and "not UTF-8" in refused.json["detail"]


def test_a_version_between_two_sets_is_told_which_set_serves_it(server, timeline):
    for method, target, document in [
        ("GET", "2.2", None), ("DELETE", "2.2", None), ("PATCH", "2.2/items/a", {"enabled": False}),
    ]:
        refused = server.admin(method, f"{timeline}/{target}", document)
        assert (refused.status, refused.code) == (404, "unknown-resource")
        assert "The set in effect for 2.2.0 starts at 2.1.0. Use …/sets/2.1.0" in refused.json["detail"]
    for method, target, document in [("GET", "2.2/draft", None), ("DELETE", "2.2/draft", None), ("POST", "2.2/publish", {}),
                                     ("POST", "2.2/publish", {"at": "2999-01-01T00:00:00Z"})]:
        refused = server.admin(method, f"{timeline}/{target}", document)
        assert (refused.status, refused.code) == (404, "unknown-resource")
        assert "The nearest lower draft starts at 2.1.0. Use …/sets/2.1.0/draft" in refused.json["detail"]


def test_where_nothing_is_in_effect_the_lists_are_named(server, timeline):
    for target, document, hint in [("0.9", None, "List the sets with GET"), ("0.9/draft", None, "Save a draft with PUT"),
                                   ("2.2?audience=guest", None, "List the sets with GET")]:
        refused = server.admin("GET", f"{timeline}/{target}", document)
        assert refused.status == 404 and "starts at 2.1.0" not in refused.json["detail"] and hint in refused.json["detail"]


def test_documents_problems_and_menus_end_with_a_line_feed(server, timeline, app):
    lines = [
        server.admin("GET", f"{timeline}/2.1"), server.admin("GET", "/apps"), server.admin("GET", "/export"),
        server.admin("GET", f"{timeline}/9.9.9.9"), server.get("/nothing"), server.request("BREW", "/healthz"),
        server.get("/" + "x" * 9000), server.tap(app, "2.1", {"type": "t"}), server.get("/readyz"), server.shortcuts(app, "2.1"),
    ]
    for answer in lines:
        assert answer.body.endswith(b"\n") and not answer.body.endswith(b"\n\n")
        assert int(answer.fields["content-length"]) == len(answer.body)
    head, whole = server.admin("HEAD", f"{timeline}/2.1"), lines[0]
    assert head.body == b"" and head.fields["content-length"] == whole.fields["content-length"]
