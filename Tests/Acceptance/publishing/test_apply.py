"""Whole apps in one request, as a team keeps them in git: planned, applied, and rejected as a whole."""

import base64
import plistlib

import pytest

from longpress import OWNER, Longpress, eventually, item, source, unique
from wire import exchange, get

APP = "com.example.notes"
OTHER = "com.example.mail"
ENGLISH = {"defaultLanguage": "en"}


def menu(*ids, **more):
    return {"items": [item(each) for each in ids], **more}


def apply(server, apps, query="", base=None, **more):
    document = {"apps": apps} if base is None else {"base": base, "apps": apps}
    return server.admin("POST", "/apply" + query, document, **more)


def changes(answer, app=APP):
    """Each change as `kind version@audience action`."""
    assert answer.status == 200, answer.body
    found = answer.json["apps"][app]["changes"]
    return [" ".join(filter(None, [
        each["kind"], each.get("version", "") + ("@" + each["audience"] if "audience" in each else ""), each["action"]])) for each in found]


def revision(answer, app=APP):
    return answer.json["apps"][app]["revision"]


def token(server, role, apps=None):
    return server.admin("POST", "/tokens", {"name": unique(role), "role": role} | ({"apps": apps} if apps else {})).json["token"]


def everything(server):
    return server.admin("GET", "/export").body, server.admin("GET", "/audit?limit=200").json["items"]


@pytest.fixture
def notes(own):
    own.admin("PUT", f"/apps/{APP}", ENGLISH)
    own.admin("PUT", f"/apps/{APP}/sets/1.0", menu("a", "b"))
    return own


def test_a_tree_is_planned_applied_and_then_the_same(own):
    tree = {APP: {
        "app": {**ENGLISH, "name": "Notes"}, "sets": {"1": menu("a"), "2.0.0@member": menu("b")},
        "releases": {"1.0+7": {"urlSchemes": ["notes"]}}}}  # fmt: skip
    expected = ["app create", "release 1.0.0+7 create", "set 1.0.0@default create", "set 2.0.0@member create"]
    plan = apply(own, tree, "?dryRun=true")
    assert changes(plan) == expected and plan.json["applied"] is False and revision(plan) == 0
    assert own.admin("GET", f"/apps/{APP}").status == 404
    done = apply(own, tree, base={APP: 0})
    assert changes(done) == expected and done.json["applied"] is True and revision(done) == 2
    assert own.shortcuts(APP, "1.5").json["items"][0]["userInfo"]["longpress.item"] == "a"
    assert own.shortcuts(APP, "2.0", "?audience=member&revision=2").json["items"][0]["userInfo"]["longpress.item"] == "b"
    before = everything(own)
    again = apply(own, tree, base={APP: 2})
    assert again.json == {"apps": {APP: {"revision": 2, "changes": []}}, "applied": True}
    assert everything(own) == before
    assert [each["action"] for each in before[1]] == ["store.applied"]
    listed = [(each["app"], each["kind"], each["action"]) for each in before[1][0]["changes"]]
    assert listed == [(APP, "app", "create"), (APP, "release", "create"), (APP, "set", "create"), (APP, "set", "create")]


def test_a_change_is_told_by_item_and_member(notes):
    changed = menu("b", "a", "c", fallbackURL="notes://home")
    changed["items"][0]["title"] = {"en": "Better"}
    answer = apply(notes, {APP: {"app": {**ENGLISH, "name": "Memo"}, "sets": {"1.0.0": changed}}}, "?dryRun=true")
    app, one = answer.json["apps"][APP]["changes"]
    assert app == {"kind": "app", "action": "update", "fields": {"name": {"old": None, "new": "Memo"}}}
    assert one["difference"]["added"] == ["c"] and len(one["difference"]["moved"]) == 1
    title = {"old": notes.admin("GET", f"/apps/{APP}/sets/1.0").json["items"][1]["title"], "new": {"en": "Better"}}
    assert one["difference"]["changed"] == [{"id": "b", "fields": {"title": title}}]
    assert one["difference"]["set"] == {"fallbackURL": {"old": None, "new": "notes://home"}}


def test_somebody_else_was_there_first(notes):
    planned = revision(apply(notes, {APP: {"sets": {"1.0": menu("a", "c")}}}, "?dryRun=true"))
    notes.admin("PUT", f"/apps/{APP}/sets/1.0", menu("a", "b", "d"))
    before = everything(notes)
    refused = apply(notes, {APP: {"sets": {"1.0": menu("a", "c")}}}, base={APP: planned})
    assert (refused.status, refused.code) == (412, "precondition-failed") and everything(notes) == before
    assert changes(apply(notes, {APP: {"sets": {"1.0": menu("a", "c")}}}, "?dryRun=true")) == ["set 1.0.0@default update"]
    assert apply(notes, {APP: {}}, base={APP: 0}).status == 412
    assert apply(notes, {OTHER: {"app": ENGLISH}}, base={OTHER: 3}).status == 412
    # Without a base the last apply wins.
    assert changes(apply(notes, {APP: {"sets": {"1.0": menu("a", "c")}}})) == ["set 1.0.0@default update"]


def test_sets_that_only_fit_together_are_applied_together(notes):
    notes.admin("PUT", f"/apps/{APP}/sets/2.0", menu("b", "c"))
    first = menu("a", retired=[{"id": "c"}])
    alone = apply(notes, {APP: {"sets": {"1.0": first}}})
    assert (alone.status, alone.code) == (409, "id-reused")
    assert alone.violations == {(f'apps["{APP}"].sets["1.0"].retired[0].id', "id-reused")}
    together = apply(notes, {APP: {"sets": {"1.0": first, "2.0": menu("b", "d")}}})
    assert changes(together) == ["set 1.0.0@default update", "set 2.0.0@default update"]
    assert revision(together) == 4


def test_one_thing_wrong_refuses_all_of_it_and_all_is_said(notes):
    before = everything(notes)
    wrong = {"items": [item("a", {"en": ""}), item("b", url="http://x.example")]}
    refused = apply(notes, {
        APP: {"sets": {"2.0.0": menu("z"), "3.0.0": wrong}}, OTHER: {"app": ENGLISH, "sets": {"1": {}, "1.0": menu("a"), "x": menu()}}})  # fmt: skip
    assert (refused.status, refused.code) == (422, "invalid-document")
    assert refused.violations == {
        (f'apps["{APP}"].sets["3.0.0"].items[0].title.en', "title-empty"), (f'apps["{APP}"].sets["3.0.0"].items[1].url', "url-scheme"),
        (f'apps["{OTHER}"].sets.1.items', "required"), (f'apps["{OTHER}"].sets.x', "invalid-version"),
    }  # fmt: skip
    twice = apply(notes, {APP: {"sets": {"2": menu("a"), "2.0": menu("a")}}})
    assert twice.violations == {(f'apps["{APP}"].sets["2.0"]', "duplicate-id")}
    assert everything(notes) == before


def test_prune_deletes_sets_and_warns(notes):
    notes.admin("PUT", f"/apps/{APP}/sets/2.0", menu("c", retired=[{"id": "a"}]))
    notes.admin("PUT", f"/apps/{APP}/releases/1.0", {})
    assert changes(apply(notes, {APP: {"sets": {"1.0": menu("a", "b")}}})) == []
    answer = apply(notes, {APP: {"sets": {"1.0": menu("a", "b")}}}, "?prune=true")
    assert changes(answer) == ["set 2.0.0@default delete"] and revision(answer) == 3
    (deleted,) = answer.json["apps"][APP]["changes"]
    assert deleted["difference"]["removed"] == ["c"]
    assert {(each["path"], each["code"]) for each in deleted["warnings"]} == {("items", "id-dropped")}
    assert notes.admin("GET", f"/apps/{APP}/sets/2.0").status == 404
    assert notes.admin("GET", f"/apps/{APP}/releases/1.0").status == 200


def test_a_plist_is_a_release_and_keeps_what_is_known_of_its_assets(notes):
    notes.admin("PUT", f"/apps/{APP}/releases/3.0+512", {"assets": {"images": ["Pen"]}})
    document = {"CFBundleIdentifier": APP, "CFBundleShortVersionString": "3.0", "CFBundleVersion": "512", "CFBundleDisplayName": "Notes"}

    def release(**changed):
        return {APP: {"releases": {"3.0": {"infoPlist": base64.b64encode(plistlib.dumps(document | changed)).decode()}}}}

    assert changes(apply(notes, release())) == ["release 3.0.0+512 update"]
    assert notes.admin("GET", f"/apps/{APP}/releases/3.0").json["assets"] == {"images": ["Pen"], "symbols": []}
    assert changes(apply(notes, release())) == []
    wrong = apply(notes, release(CFBundleIdentifier=OTHER, CFBundleShortVersionString="4"))
    path = f'apps["{APP}"].releases["3.0"]'
    assert wrong.violations == {
        (f"{path}.infoPlist.CFBundleIdentifier", "bundle-mismatch"),
        (f"{path}.infoPlist.CFBundleShortVersionString", "version-mismatch")}  # fmt: skip


def test_roles_and_scopes(notes):
    tree = {APP: {"sets": {"1.0": menu("z")}}}
    reader, editor, publisher = (token(notes, role) for role in ["reader", "editor", "publisher"])
    foreign = token(notes, "owner", [OTHER])
    before = notes.admin("GET", "/export").body
    assert apply(notes, tree, "?dryRun=true", token=reader).status == 200
    for who in [reader, editor]:
        assert apply(notes, tree, token=who).code == "forbidden"
        assert apply(notes, tree, "?dryRun=perhaps", token=who).code == "forbidden"
    assert apply(notes, tree, "?dryRun=true", token=foreign).code == "forbidden"
    assert apply(notes, {"no app": {}}, "?dryRun=true", token=foreign).code == "forbidden"
    assert apply(notes, {OTHER: {"app": ENGLISH}, **tree}, token=foreign).code == "forbidden"
    assert apply(notes, {APP: {"app": {**ENGLISH, "name": "Mine"}}}, token=publisher).code == "forbidden"
    assert apply(notes, {OTHER: {"app": ENGLISH}}, token=publisher).code == "forbidden"
    assert apply(notes, tree, "?override=now", token=publisher).code == "forbidden"
    assert apply(notes, tree, token=None).status == 401
    assert notes.admin("GET", "/export").body == before
    # An app.json that changes nothing needs no owner.
    assert changes(apply(notes, {APP: {"app": ENGLISH, **tree[APP]}}, token=publisher)) == ["set 1.0.0@default update"]


def test_the_order_of_refusals(notes):
    publisher = token(notes, "publisher")
    wrong = {"sets": {"1.0": {}}}
    stale = {APP: 7}
    reused = {"sets": {"1.0": menu("a", retired=[{"id": "b"}]), "2.0": menu("b")}}
    assert apply(notes, {APP: {"app": 5}, OTHER: {}}, "?prune=perhaps", token=publisher).code == "forbidden"
    assert apply(notes, {APP: wrong, OTHER: {}}, "?prune=perhaps").code == "unknown-app"
    assert apply(notes, {APP: wrong}, "?prune=perhaps").code == "invalid-parameter"
    assert apply(notes, {APP: wrong}, base=stale).code == "invalid-document"
    assert apply(notes, {APP: reused}, base=stale).code == "precondition-failed"
    assert apply(notes, {APP: reused}).code == "id-reused"
    assert notes.admin("POST", "/apply", body="{").code == "malformed-json"
    assert notes.admin("POST", "/apply", body='{"apps":{"a":{},"a":{}}}').code == "malformed-json"
    assert notes.admin("POST", "/apply?colour=red", {"apps": {}}).code == "invalid-parameter"
    assert apply(notes, {}, base={APP: 1}).violations == {(f'base["{APP}"]', "unknown-member")}


def test_sixty_four_mebibytes_are_taken_and_no_more(tmp_path):
    server = Longpress(tmp_path, "--body-timeout", "1h")
    padding = " " * ((64 << 20) - len('{"apps":{}}'))
    fields = {"Authorization": "Bearer " + OWNER, "Content-Type": "application/json"}
    assert server.request("POST", "/admin/v1/apply", '{"apps":{}}' + padding, fields, timeout=600).json == {"apps": {}, "applied": True}
    refused = get("/admin/v1/apply", *map(": ".join, fields.items()), f"Content-Length: {(64 << 20) + 1}", method="POST")
    assert b"/problems/content-too-large" in exchange(server, refused)
    server.stop()


def test_a_new_default_language_needs_titles_in_all_that_stands(notes):
    notes.admin("PUT", f"/apps/{APP}/sets/2.0", {"items": [item("b", {"en": "B", "ko": "비"})]})
    korean = {"app": {"defaultLanguage": "ko"}}
    refused = apply(notes, {APP: {**korean, "sets": {"2.0": {"items": [item("b", {"ko": "비"})]}}}})
    assert (refused.code, refused.violations) == ("conflict", {(f'apps["{APP}"].app.defaultLanguage', "title-missing")})
    both = {"1.0": {"items": [item("a", {"ko": "에이"})]}, "2.0": {"items": [item("b", {"ko": "비"})]}}
    assert changes(apply(notes, {APP: {**korean, "sets": both}})) == ["app update", "set 1.0.0@default update", "set 2.0.0@default update"]
    assert notes.shortcuts(APP, "1.0").json["language"] == "ko"


def test_each_set_that_changes_has_an_event_and_no_event_comes_before_its_revision(notes, consumer):
    consumer.subscribe(notes, types=["shortcuts.published", "shortcuts.deleted"])
    notes.admin("PUT", f"/apps/{APP}/sets/3.0", menu("c"))
    answer = apply(notes, {APP: {"sets": {"1.0": menu("a"), "2.0": menu("b", "d")}}}, "?prune=true")
    assert revision(answer) == 5
    eventually(lambda: len(consumer.received) == 4)
    heard = [payload for _, payload in consumer.verified()]
    told = {each["data"]["revision"]: (each["type"], each["data"]["version"]) for each in heard}
    assert told == {
        2: ("shortcuts.published", "3.0.0"), 3: ("shortcuts.deleted", "3.0.0"), 4: ("shortcuts.published", "1.0.0"),
        5: ("shortcuts.published", "2.0.0")}  # fmt: skip
    for each in heard:
        if each["data"]["revision"] in (4, 5):
            target = each["data"]["url"].split("/v1/", 1)[1]
            assert notes.get("/v1/" + target).fields["etag"] == each["data"]["etag"]


def test_where_approvals_are_needed_drafts_are_saved(notes):
    notes.admin("PATCH", f"/apps/{APP}", {"approvals": 1})
    tree = {APP: {"app": ENGLISH, "sets": {"1.0": menu("a", "b", "c")}}}
    publisher = token(notes, "publisher")
    plan = apply(notes, tree, "?dryRun=true", token=publisher)
    assert changes(plan) == ["set 1.0.0@default update"] and plan.json["applied"] is False
    assert plan.json["apps"][APP]["drafts"] is True
    overridden = apply(notes, tree, "?dryRun=true&override=Because")
    assert "drafts" not in overridden.json["apps"][APP]
    saved = apply(notes, tree, base={APP: revision(plan)}, token=publisher)
    assert saved.json == {**plan.json, "applied": "drafts"}
    assert notes.admin("GET", f"/apps/{APP}").json["approvals"] == 1
    draft = notes.admin("GET", f"/apps/{APP}/sets/1.0/draft")
    assert draft.json == tree[APP]["sets"]["1.0"] and notes.admin("GET", f"/apps/{APP}/sets/1.0").json == menu("a", "b")
    tag = draft.fields["etag"]
    assert notes.admin("POST", f"/apps/{APP}/sets/1.0/draft/approve", token=publisher, If_Match=tag).status == 403
    assert notes.admin("POST", f"/apps/{APP}/sets/1.0/draft/approve", If_Match=tag).status == 200
    # The same tree keeps the draft and its approvals.
    assert apply(notes, tree, token=publisher).json["applied"] == "drafts"
    assert notes.admin("GET", f"/apps/{APP}/sets/1.0/draft").fields["longpress-approvals"] == "1/1"
    assert notes.admin("POST", f"/apps/{APP}/sets/1.0/publish", {}, token=publisher).status == 200
    assert changes(apply(notes, tree, token=publisher)) == []


def test_a_deletion_is_no_draft(notes, consumer):
    notes.admin("PATCH", f"/apps/{APP}", {"approvals": 1})
    consumer.subscribe(notes, types=["shortcuts.override"])
    tree = {APP: {"sets": {"2.0": menu("c", retired=[{"id": "a"}, {"id": "b"}])}}}
    before = everything(notes)
    for query in ["?prune=true", "?prune=true&dryRun=true"]:
        refused = apply(notes, tree, query)
        assert (refused.status, refused.code) == (409, "approval-missing") and len(refused.violations) == 1
    assert everything(notes) == before
    assert apply(notes, tree, "?override=").code == "invalid-parameter"
    done = apply(notes, tree, "?prune=true&override=It%20crashes")
    assert changes(done) == ["set 1.0.0@default delete", "set 2.0.0@default create"] and done.json["applied"] is True
    entry = notes.admin("GET", "/audit?limit=1").json["items"][0]
    assert (entry["action"], entry["reason"], len(entry["changes"])) == ("store.applied", "It crashes", 2)
    eventually(lambda: consumer.received)
    assert [payload["data"] for _, payload in consumer.verified()] == [
        {"app": APP, "reason": "It crashes"} | source("app", APP)]


def test_a_publisher_merges_although_an_owner_changed_the_app(notes):
    """The document in git is unchanged, so nothing of the app would change."""
    publisher = token(notes, "publisher")
    tree = {APP: {"app": ENGLISH, "sets": {"1.0": menu("a", "b")}}}
    assert apply(notes, tree, "?mode=merge").status == 200
    assert notes.admin("PATCH", f"/apps/{APP}", {"name": "Renamed"}).status == 200
    tree[APP]["sets"]["1.0"] = menu("a")
    answer = apply(notes, tree, "?mode=merge", token=publisher)
    assert changes(answer) == ["set 1.0.0@default update"] and notes.admin("GET", f"/apps/{APP}").json["name"] == "Renamed"
    tree[APP]["app"] = {**ENGLISH, "fallbackURL": "notes://home"}
    assert apply(notes, tree, "?mode=merge", token=publisher).status == 403
    assert apply(notes, tree, "?mode=ours").code == "invalid-parameter"
