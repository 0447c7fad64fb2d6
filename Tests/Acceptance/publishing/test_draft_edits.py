"""Drafts that are edited in parts, their difference from what is published, and dry runs of writes."""

import pytest

from longpress import item, unique

MERGE = "application/merge-patch+json"


def path(app, version="1.0", rest=""):
    return f"/apps/{app}/sets/{version}{rest}"


@pytest.fixture
def published(server, app):
    server.admin("PUT", path(app), {"items": [item("a", {"en": "A", "ko": "가"}), item("b")]})
    return app


def test_a_patch_begins_the_draft_with_what_is_published(server, published):
    begun = server.admin("PATCH", path(published, rest="/draft/items/a"), {"title": {"ko": "새"}}, type=MERGE)
    assert (begun.status, begun.json) == (201, {"warnings": []})
    again = server.admin("PATCH", path(published, rest="/draft/items/b"), {"enabled": False})
    assert again.status == 200 and again.fields["etag"] != begun.fields["etag"]
    draft = server.admin("GET", path(published, rest="/draft"))
    assert draft.fields["etag"] == again.fields["etag"]
    assert draft.json["items"] == [item("a", {"en": "A", "ko": "새"}), item("b", enabled=False)]
    # The published set does not change.
    assert server.admin("GET", path(published)).json["items"][0]["title"]["ko"] == "가"


def test_a_patch_of_the_set_replaces_arrays_and_removes_members(server, published):
    server.admin("PATCH", path(published, rest="/draft"), {"fallbackURL": "notes://home", "retired": [{"id": "z"}]})
    server.admin("PATCH", path(published, rest="/draft"), {"items": [item("b")], "retired": None})
    assert server.admin("GET", path(published, rest="/draft")).json == {"items": [item("b")], "fallbackURL": "notes://home"}


def test_the_same_again_keeps_the_draft(server, published):
    first = server.admin("PATCH", path(published, rest="/draft"), {"fallbackURL": "notes://home"})
    second = server.admin("PATCH", path(published, rest="/draft"), {"fallbackURL": "notes://home"})
    assert (second.status, second.fields["etag"]) == (200, first.fields["etag"])


def test_preconditions_of_a_patch(server, published):
    edit, place = {"fallbackURL": "notes://home"}, path(published, rest="/draft")
    revision = server.admin("GET", path(published)).fields["etag"]
    assert server.admin("PATCH", place, edit, If_Match='"draft-none"').status == 412
    assert server.admin("GET", place).status == 404
    begun = server.admin("PATCH", place, edit, If_Match=revision)
    assert begun.status == 201
    # The draft now has its own tag.
    assert server.admin("PATCH", place, {"fallbackURL": None}, If_Match=revision).status == 412
    assert server.admin("PATCH", place, {"fallbackURL": None}, If_Match=begun.fields["etag"]).status == 200
    assert server.admin("PATCH", place, edit, If_None_Match="*").status == 412
    # A PUT replaces, so the draft contains nothing of the published set.
    assert server.admin("PUT", path(published, "2.0", "/draft"), {"items": []}, If_Match=revision).status == 412


@pytest.mark.parametrize(
    "rest, patch, status, code",
    [
        ("/draft/items/a", {"id": "z"}, 422, "invalid-document"), ("/draft/items/z", {"enabled": False}, 404, "unknown-resource"),
        ("/draft/items/%20", {}, 404, "unknown-resource"), ("/draft", {"items": None}, 422, "invalid-document"),
        ("/draft", {"colour": 1}, 422, "invalid-document"), ("/draft", [], 422, "invalid-document"),
    ],
)  # fmt: skip
def test_what_a_patch_refuses(server, published, rest, patch, status, code):
    refused = server.admin("PATCH", path(published, rest=rest), patch)
    assert (refused.status, refused.code) == (status, code)
    assert server.admin("GET", path(published, rest="/draft")).status == 404


def test_where_there_is_nothing_to_patch(server, published):
    refused = server.admin("PATCH", path(published, "1.5", "/draft"), {"fallbackURL": None})
    assert (refused.status, refused.code) == (404, "unknown-resource")


def test_the_difference_to_what_is_published(server, published):
    assert server.admin("GET", path(published, rest="/diff?to=draft")).code == "unknown-resource"
    server.admin("PATCH", path(published, rest="/draft/items/a"), {"title": {"ko": "새"}})
    told = server.admin("GET", path(published, rest="/diff?to=draft")).json
    assert told["from"]["revision"] == 1 and told["to"]["by"] == "admin-token"
    old, new = {"en": "A", "ko": "가"}, {"en": "A", "ko": "새"}
    assert told["changed"] == [{"id": "a", "fields": {"title": {"old": old, "new": new}}}]
    server.admin("PUT", path(published, "2.0", "/draft"), {"items": [item("c")]})
    fresh = server.admin("GET", path(published, "2.0", "/diff?to=draft")).json
    assert (fresh["from"], fresh["added"]) == (None, ["c"])
    for query in ["", "?to=2", "?to=", "?to=draft&to=draft"]:
        assert server.admin("GET", path(published, rest="/diff" + query)).code == "invalid-parameter"


def test_a_dry_run_tells_what_the_write_would_and_writes_nothing(server, published):
    server.admin("PUT", path(published, "3.0"), {"items": [item("c")]})
    good = {"items": [item("a"), item("c")]}
    bad = {"items": [item("a", {"en": ""}), item("c", url="http://x.example")]}
    reused = {"items": [item("a")], "retired": [{"id": "c"}]}
    for method, place, document in [("PUT", path(published, "2.0"), good), ("PUT", path(published, "2.0", "/draft"), good)]:
        tried = server.admin(method, place + "?dryRun=true", document)
        assert tried.status == 200 and tried.json["violations"] == [] and tried.warnings == {("items", "id-dropped")}
        for wrong, found in [(bad, {("items[0].title.en", "title-empty"), ("items[1].url", "url-scheme")}), (reused, {("", "id-reused")})]:
            tried = server.admin(method, place + "?dryRun=true", wrong)
            assert (tried.status, tried.violations, tried.json["warnings"]) == (200, found, [])
            assert server.admin(method, place, wrong).violations == found
    for place in [path(published, rest="/items/a"), path(published, rest="/draft/items/a"), path(published, rest="/draft")]:
        patch = {"title": {"en": None}} if place.endswith("/a") else {"items": [item("a", {"ko": "가"})]}
        tried = server.admin("PATCH", place + "?dryRun=true", patch)
        assert (tried.status, tried.violations) == (200, {("items[0].title.en", "title-missing")})
    revisions = server.admin("GET", f"/apps/{published}/revisions").json["items"]
    assert len(revisions) == 2 and server.admin("GET", f"/apps/{published}/drafts").json["items"] == []


def test_a_dry_run_refuses_what_is_not_the_documents(server, published):
    assert server.admin("PUT", path(published) + "?dryRun=true", {"items": []}, If_Match='"9"').status == 412
    assert server.admin("PUT", path(published) + "?dryRun=perhaps", {"items": []}).code == "invalid-parameter"
    assert server.admin("PUT", path(published) + "?dryRun=true", body="{").code == "malformed-json"
    assert server.admin("PATCH", path(published, "1.5", "/items/a") + "?dryRun=true", {}).code == "unknown-resource"
    editor = server.admin("POST", "/tokens", {"name": unique("ed"), "role": "editor"}).json["token"]
    assert server.admin("PUT", path(published) + "?dryRun=true", {"items": []}, token=editor).status == 403
    assert server.admin("PUT", path(published, rest="/draft?dryRun=true"), {"items": []}, token=editor).status == 200


def test_what_lacks_approvals_is_told_by_a_dry_run(server, published):
    server.admin("PATCH", f"/apps/{published}", {"approvals": 1})
    tried = server.admin("PUT", path(published) + "?dryRun=true", {"items": []})
    assert (tried.status, tried.violations) == (200, {("", "approval-missing")})
    assert server.admin("PUT", path(published, rest="/draft?dryRun=true"), {"items": []}).json["violations"] == []
