"""Longpress-Base: the revision from which a draft was made, so that a draft does not overwrite a newer publish."""

import pytest

from longpress import item


@pytest.fixture
def draft(server, app):
    """Requests the draft of version 1.0."""

    def ask(method, document=None, at="/draft", **fields):
        return server.admin(method, f"/apps/{app}/sets/1.0{at}", document, **fields)

    return ask


def test_a_draft_knows_what_it_was_made_from(draft):
    assert draft("PUT", {"items": [item("a")]}).status == 201
    assert draft("GET").fields["longpress-base"] == "0"
    published = draft("PUT", {"items": [item("b")]}, at="").json["revision"]
    assert draft("PUT", {"items": [item("a", "Other")]}).status == 200
    read = draft("GET")
    assert read.fields["longpress-base"] == "0"
    refused = draft("POST", {}, at="/publish", Longpress_Base="0", If_Match=read.fields["etag"])
    assert (refused.status, refused.code) == (412, "precondition-failed") and f"revision {published}" in refused.json["detail"]
    merged = draft("PUT", read.json, Longpress_Base=str(published), If_Match=read.fields["etag"])
    assert merged.status == 200 and merged.fields["etag"] == read.fields["etag"]
    again = draft("GET", If_None_Match=read.fields["etag"])
    assert (again.status, again.fields["longpress-base"]) == (304, str(published))
    done = draft("POST", {}, at="/publish", Longpress_Base=str(published), If_Match=read.fields["etag"])
    assert done.status == 200 and done.json["revision"] == published + 1


@pytest.mark.parametrize("base", ["-1", "x", "", "1.0", "99999999999999999999", "+1"])
def test_what_is_no_revision_is_refused(draft, base):
    refused = draft("PUT", {"items": []}, Longpress_Base=base)
    assert (refused.status, refused.code) == (400, "invalid-parameter")


def test_what_waits_in_the_schedule_knows_its_base_too(server, app, draft):
    published = draft("PUT", {"items": [item("b")]}, at="").json["revision"]
    draft("PUT", {"items": [item("a")]})
    entry = draft("POST", {"at": "2099-01-01T00:00:00Z"}, at="/publish").json["id"]
    assert server.admin("GET", f"/apps/{app}/schedule/{entry}").fields["longpress-base"] == str(published)
