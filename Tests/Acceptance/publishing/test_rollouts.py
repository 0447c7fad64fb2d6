"""Roll-outs: a candidate for a share of the installations, beside the set, in one answer for everyone."""

import concurrent.futures

import pytest

from longpress import eventually, instant, item, pass_time


@pytest.fixture
def place(server, app):
    path = f"/apps/{app}/sets/1.0"
    server.admin("PUT", path, {"items": [item("compose"), item("search")]})
    return path


def start(server, place, *items, share="10", extra=""):
    return server.admin("PUT", f"{place}/candidate?share={share}{extra}", {"items": [item(*each) for each in items]})


def titles(items):
    return [each["localizedTitle"] for each in items]


def test_a_candidate_is_served_beside_the_set(server, app, place):
    before = server.shortcuts(app, "1.0")
    assert "rollout" not in before.json
    started = start(server, place, ("write", {"en": "Write"}), share="12.5")
    assert (started.status, started.json["revision"]) == (200, 2), started.body
    after = server.shortcuts(app, "1.0")
    menu = after.json
    rollout = menu.pop("rollout")
    assert menu == before.json
    assert (rollout["threshold"], rollout["revision"], titles(rollout["items"])) == (1250, 2, ["Write"])
    assert rollout["items"][0]["userInfo"]["longpress.revision"] == 2
    assert after.fields["etag"] != before.fields["etag"]
    state = server.admin("GET", f"{place}/candidate").json
    assert (state["id"], state["share"], state["revision"]) == (rollout["id"], 12.5, 2)
    assert state["set"]["items"][0]["id"] == "write"
    listed, = server.admin("GET", f"/apps/{app}/sets").json["items"]
    assert (listed["revision"], listed["rollout"]) == (1, {"id": rollout["id"], "share": 12.5, "revision": 2})
    revision = server.admin("GET", f"/apps/{app}/revisions/2").json
    assert (revision["kind"], revision["rollout"]) == ("candidate", rollout["id"])
    assert server.admin("GET", place).json["items"][0]["id"] == "compose"
    assert rollout["id"].encode() in server.shortcuts(app, "1.0", Accept="application/x-plist").body


def test_a_share_changes_without_a_revision(server, app, place):
    start(server, place, ("write",))
    assert server.admin("PATCH", f"{place}/candidate", {"share": 25}).json["share"] == 25
    assert server.shortcuts(app, "1.0").json["rollout"]["threshold"] == 2500
    assert server.admin("PATCH", f"{place}/candidate", {"share": 0.01}).json["share"] == 0.01
    assert server.admin("GET", f"/apps/{app}/revisions").json["items"][0]["revision"] == 2
    actions = [entry["action"] for entry in server.admin("GET", f"/audit?app={app}").json["items"]]
    assert actions[:3] == ["rollout.changed", "rollout.changed", "rollout.started"]


def test_a_promoted_candidate_is_the_set(server, app, place):
    start(server, place, ("write", {"en": "Write"}))
    promoted = server.admin("POST", f"{place}/candidate/promote")
    assert (promoted.status, promoted.json["revision"]) == (200, 3), promoted.body
    menu = server.shortcuts(app, "1.0").json
    assert ("rollout" in menu, titles(menu["items"]), menu["revision"]) == (False, ["Write"], 3)
    assert server.admin("POST", f"{place}/candidate/promote").status == 404
    assert server.admin("POST", f"{place}/candidate/stop").status == 404
    assert [each["kind"] for each in server.admin("GET", f"/apps/{app}/revisions").json["items"]] == ["published", "candidate", "published"]


def test_a_stopped_candidate_is_gone(server, app, place):
    before = server.shortcuts(app, "1.0").json
    first = start(server, place, ("write",))
    assert first.status == 200
    stopped = server.admin("POST", f"{place}/candidate/stop")
    assert (stopped.status, stopped.json["revision"]) == (200, 2)
    assert server.shortcuts(app, "1.0").json == before
    gone = server.admin("GET", f"{place}/candidate")
    assert (gone.status, gone.code) == (404, "unknown-resource")
    # A new roll-out has a new id.
    start(server, place, ("write",))
    assert server.admin("GET", f"{place}/candidate").json["id"] != stopped.json["id"]


@pytest.mark.parametrize("share", ["-1", "100.001", "1e9", "ten", "", "NaN", "%2210%22", "10%25"])
def test_a_share_that_is_none_is_refused(server, place, share):
    refused = start(server, place, ("write",), share=share)
    assert (refused.status, refused.code) == (400, "invalid-parameter")
    assert "percentage from 0 to 100" in refused.json["detail"]


@pytest.mark.parametrize("share", [-1, 100.001, "10", None, True])
def test_a_changed_share_that_is_none_is_refused(server, place, share):
    start(server, place, ("write",))
    refused = server.admin("PATCH", f"{place}/candidate", {"share": share})
    assert (refused.status, refused.json["violations"][0]["path"]) == (422, "share")
    assert server.admin("GET", f"{place}/candidate").json["share"] == 10


def test_a_candidate_needs_a_set_and_another_content(server, app, place):
    assert start(server, f"/apps/{app}/sets/2.0", ("write",)).status == 404
    same = start(server, place, ("compose",), ("search",))
    assert (same.status, same.code) == (409, "conflict")
    missing = server.admin("PUT", f"{place}/candidate", {"items": []})
    assert "share is missing" in missing.json["detail"]


def test_a_running_candidate_keeps_the_set(server, app, place):
    start(server, place, ("write",))
    changes = [
        ("PUT", place, {"items": [item("other")]}), ("DELETE", place, None), ("PATCH", f"{place}/items/compose", {"title": {"en": "C"}}),
        ("PUT", f"{place}/candidate?share=5", {"items": [item("third")]}),
        ("POST", "/apply", {"apps": {app: {"sets": {"1.0": {"items": [item("other")]}}}}}),
    ]
    for method, path, document in changes:
        refused = server.admin(method, path, document)
        assert (refused.status, refused.code) == (409, "candidate-running"), (method, path, refused.body)
    server.admin("PUT", f"{place}/draft", {"items": [item("other")]})
    assert server.admin("POST", f"{place}/publish").code == "candidate-running"
    assert server.admin("PUT", place + "?stop=true", {"items": [item("other")]}).status == 200
    menu = server.shortcuts(app, "1.0").json
    assert ("rollout" in menu, menu["items"][0]["type"]) == (False, "com.example.other")


def test_a_draft_is_published_instead_of_a_running_candidate(server, app, place):
    start(server, place, ("write",))
    server.admin("PUT", f"{place}/draft", {"items": [item("other")]})
    assert server.admin("POST", f"{place}/publish?stop=true").status == 200
    menu = server.shortcuts(app, "1.0").json
    assert ("rollout" in menu, menu["items"][0]["type"]) == (False, "com.example.other")


def test_another_candidate_takes_its_place(server, app, place):
    start(server, place, ("write",))
    assert start(server, place, ("third",)).code == "candidate-running"
    assert start(server, place, ("third",), extra="&stop=true").status == 200
    server.admin("PUT", f"{place}/draft", {"items": [item("fourth")]})
    assert server.admin("POST", f"{place}/publish?stop=true", {"share": 20}).status == 200
    rollout = server.shortcuts(app, "1.0").json["rollout"]
    assert (rollout["threshold"], rollout["items"][0]["type"]) == (2000, "com.example.fourth")


def test_a_restore_stops_it(server, app, place):
    server.admin("PUT", place, {"items": [item("second")]})
    start(server, place, ("write",))
    assert server.admin("POST", f"/apps/{app}/revisions/1/restore").status == 200
    assert "rollout" not in server.shortcuts(app, "1.0").json


def test_an_id_has_one_meaning_in_both_arms(server, app, place):
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("compose")]})
    refused = server.admin("PUT", f"{place}/candidate?share=10", {"items": [item("write", replaces=["compose"])]})
    assert (refused.status, refused.code) == (409, "id-reused")
    started = server.admin("PUT", f"{place}/candidate?share=10", {"items": [item("write", replaces=["search"])]})
    assert started.status == 200
    refused = server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("search")]})
    assert (refused.status, refused.code) == (409, "id-reused")


def test_an_item_of_a_candidate_is_lost_only_in_later_menus(server, app, place):
    """A phone with an earlier version never got the item. Publishing its version again, or a later one, loses it."""
    server.admin("PUT", f"/apps/{app}/sets/0.9", {"items": [item("compose")]})
    start(server, place, ("compose",), ("search",), ("write",))
    kept = {"items": [item("compose"), item("search")]}
    for version, query, warned in (("0.9", "", set()), ("1.0", "&stop=true", {("items", "id-dropped")}), ("1.1", "", {("items", "id-dropped")})):
        answer = server.admin("PUT", f"/apps/{app}/sets/{version}?dryRun=true{query}", kept)
        assert (answer.status, answer.warnings) == (200, warned), (version, answer.body)


def test_a_tap_resolves_in_its_arm(server, app, place):
    start(server, place, ("write", {"en": "Write"}))
    rollout = server.shortcuts(app, "1.0").json["rollout"]
    tapped = {"type": rollout["items"][0]["type"], "userInfo": rollout["items"][0]["userInfo"]}
    candidate = {"id": rollout["id"], "arm": "candidate"}
    assert server.tap(app, "1.0", tapped | {"rollout": candidate}).json["outcome"] == "current"
    assert server.tap(app, "1.0", tapped | {"rollout": candidate | {"arm": "control"}}).json["outcome"] == "removed"
    assert server.tap(app, "1.0", tapped).json["outcome"] == "removed"
    assert server.tap(app, "1.0", tapped | {"rollout": {"id": "never", "arm": "candidate"}}).json["outcome"] == "removed"
    server.admin("POST", f"{place}/candidate/promote")
    assert server.tap(app, "1.0", tapped | {"rollout": candidate}).json["outcome"] == "equivalent"


def test_approvals_hold_for_a_candidate(server, app, place):
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "approvals": 1})
    assert start(server, place, ("write",)).code == "approval-missing"
    assert start(server, place, ("write",), extra="&override=Urgent").status == 200
    # What was approved needs no second approval.
    assert server.admin("POST", f"{place}/candidate/promote").status == 200


def test_an_export_keeps_the_roll_out(server, app, place):
    start(server, place, ("write",), share="25")
    export = server.admin("GET", f"/export?app={app}")
    copy = f"{app}.copy"
    imported = server.admin("POST", "/import", body=export.body.replace(app.encode(), copy.encode()))
    assert imported.status == 200, imported.body
    ours, theirs = (server.shortcuts(name, "1.0").json["rollout"] for name in (app, copy))
    assert (theirs["threshold"], theirs["revision"]) == (2500, 2)
    again = server.admin("GET", f"/export?app={app}")
    replaced = server.admin("POST", "/import?replace=true", body=again.body)
    assert replaced.status == 200, replaced.body
    assert server.shortcuts(app, "1.0").json["rollout"] == ours


def test_the_events_of_a_roll_out(server, app, place, consumer):
    consumer.subscribe(server, apps=[app])
    start(server, place, ("write",))
    server.admin("PATCH", f"{place}/candidate", {"share": 50})
    server.admin("POST", f"{place}/candidate/stop")
    start(server, place, ("third",))
    server.admin("POST", f"{place}/candidate/promote")
    eventually(lambda: len(consumer.received) == 5)
    events = [event for _, event in consumer.checked(consumer.received)]
    assert sorted(event["type"] for event in events) == [
        "shortcuts.published", "shortcuts.rollout-changed", "shortcuts.rollout-changed", "shortcuts.rollout-changed",
        "shortcuts.rollout-stopped"]
    stopped = next(event["data"] for event in events if event["type"] == "shortcuts.rollout-stopped")
    assert (stopped["share"], stopped["reason"], stopped["version"], stopped["revision"]) == (50, "stopped", "1.0.0", 2)


def test_promote_and_stop_at_once_have_one_winner(server, app, place):
    for number in range(5):
        assert start(server, place, (f"write{number}",)).status == 200
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda what: server.admin("POST", f"{place}/candidate/{what}").status, ["promote", "stop"]))
        assert sorted(answers) == [200, 404]


def test_a_default_language_needs_the_candidate_s_titles_too(server, app, place):
    both = {"en": "Compose", "de": "Schreiben"}
    server.admin("PUT", place, {"items": [item("compose", both)]})
    start(server, place, ("write", {"en": "Write"}))
    refused = server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "de"})
    assert (refused.status, refused.code) == (409, "conflict")
    assert '"write"' in refused.json["violations"][0]["message"]
    assert server.shortcuts(app, "1.0").json["rollout"]["items"][0]["localizedTitle"] == "Write"


def test_drafts_are_applied_while_a_candidate_runs(server, app, place):
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "approvals": 1})
    start(server, place, ("write",), extra="&override=Urgent")
    applied = server.admin("POST", "/apply", {"apps": {app: {"sets": {"1.0": {"items": [item("other")]}}}}})
    assert applied.status == 200, applied.body
    assert server.admin("GET", f"{place}/draft").json["items"][0]["id"] == "other"
    assert "rollout" in server.shortcuts(app, "1.0").json


def test_a_dry_run_starts_nothing(server, app, place):
    tried = start(server, place, ("write",), extra="&dryRun=true")
    assert tried.status == 200 and tried.json.get("violations", []) == [], tried.body
    assert server.admin("GET", f"{place}/candidate").status == 404


def test_an_import_that_replaces_it_says_so(server, app, place, consumer):
    export = server.admin("GET", f"/export?app={app}")
    start(server, place, ("write",))
    consumer.subscribe(server, apps=[app], types=["shortcuts.rollout-stopped"])
    assert server.admin("POST", "/import?replace=true", body=export.body).status == 200
    assert "rollout" not in server.shortcuts(app, "1.0").json
    eventually(lambda: len(consumer.received) == 1)
    (_, event), = consumer.checked(consumer.received)
    assert (event["data"]["reason"], event["data"]["revision"]) == ("replaced", 2)


def test_a_deleted_app_takes_its_roll_out_along(server, app, place):
    start(server, place, ("write",))
    assert server.admin("DELETE", f"/apps/{app}").status == 204
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    server.admin("PUT", place, {"items": [item("compose")]})
    assert "rollout" not in server.shortcuts(app, "1.0").json


def test_a_scheduled_publish_ends_it(server, app, place):
    server.admin("PUT", f"{place}/draft", {"items": [item("sale")]})
    assert server.admin("POST", f"{place}/publish", {"at": instant(3600)}).status == 202
    start(server, place, ("write",))
    pass_time(server, app, 3600)
    eventually(lambda: server.shortcuts(app, "1.0").json["items"][0]["type"] == "com.example.sale")
    assert "rollout" not in server.shortcuts(app, "1.0").json


def test_continuity_has_both_arms(server, app, place):
    without = server.get(f"/v1/apps/{app}/versions/1.0/continuity")
    start(server, place, ("write", {"en": "Write"}))
    document = server.get(f"/v1/apps/{app}/versions/1.0/continuity").json
    rollout = document.pop("rollout")
    assert document == without.json
    assert (rollout["threshold"], rollout["revision"], list(rollout["ids"])) == (1000, 2, ["write"])
    assert rollout["otherwise"] == document["otherwise"]
    bundle = server.get(f"/v1/apps/{app}/versions/1.0/bundle").json
    assert bundle["continuity"]["rollout"] == rollout
    assert (bundle["shortcuts"]["en"]["rollout"]["disabled"], "disabled" in server.shortcuts(app, "1.0").json["rollout"]) == ([], False)
    server.admin("POST", f"{place}/candidate/stop")
    server.admin("PUT", f"{place}/candidate?share=10", {"items": [item("off", enabled=False)]})
    disabled, = server.get(f"/v1/apps/{app}/versions/1.0/bundle").json["shortcuts"]["en"]["rollout"]["disabled"]
    assert disabled["userInfo"]["longpress.item"] == "off"


def test_other_formats_say_that_they_show_the_set(server, app, place):
    start(server, place, ("write",))
    for kind in ("application/vnd.longpress.android+json", "application/manifest+json"):
        answer = server.shortcuts(app, "1.0", Accept=kind)
        omitted, = [each for each in answer.json["omitted"] if each["member"] == "rollout"]
        assert omitted["item"] is None and "shows the set" in omitted["reason"], answer.body


def test_a_preview_and_a_simulation_show_an_arm(server, app, place):
    start(server, place, ("write", {"en": "Write"}))
    for arm, ids in (("candidate", ["write"]), ("control", ["compose", "search"])):
        menu = server.admin("GET", f"/apps/{app}/preview?version=1.0&arm={arm}").json["menu"]
        assert [each["id"] for each in menu] == ids
        simulated = server.admin("GET", f"/apps/{app}/simulate?from=1.0&to=2.0&arm={arm}").json
        assert [each["id"] for each in simulated["menu"]] == ids
    refused = server.admin("GET", f"/apps/{app}/preview?version=1.0&arm=both")
    assert (refused.status, refused.code) == (400, "invalid-parameter")


def test_a_cached_answer_has_one_language(server, app, place):
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    start(server, place, ("write", {"en": "Write", "pt": "Escrever"}))
    answers = [server.shortcuts(app, "1.0", Accept_Language=language) for language in ("en", "pt", "pt-BR", "en", "pt")]
    assert {answer.json["language"] for answer in answers} == {"en"}
    assert {tuple(titles(answer.json["rollout"]["items"])) for answer in answers} == {("Write",)}
    assert len({answer.fields["etag"] for answer in answers}) == 1


def imported(server, app, change):
    export = server.admin("GET", f"/export?app={app}").json
    change(export["apps"][0])
    return server.admin("POST", "/import?replace=true", export)


def test_an_import_checks_candidates_like_sets(server, app, place):
    server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("compose")]})
    start(server, place, ("write",))
    server.admin("PUT", f"/apps/{app}/sets/2.0/candidate?share=10", {"items": [item("compose"), item("other")]})

    def revision(document, number):
        return next(each for each in document["revisions"] if each["revision"] == number)

    first = server.admin("GET", f"{place}/candidate").json
    changes = {
        "title-missing": lambda app: revision(app, first["revision"])["set"]["items"][0].update(title={"fr": "X"}),
        "id-reused": lambda app: revision(app, first["revision"])["set"]["items"][0].update(replaces=["other"]),
        "duplicate-id": lambda app: app["candidates"].append(app["candidates"][0]),
        "id-invalid": lambda app: app["candidates"][0].update(id="a b"),
        "revision-content": lambda app: revision(app, first["revision"]).update(set=revision(app, 1)["set"]),
    }
    for code, change in changes.items():
        refused = imported(server, app, change)
        assert (refused.status, refused.code) == (422, "invalid-document"), (code, refused.body)
        assert code in [violation["code"] for violation in refused.json["violations"]], (code, refused.body)
    assert imported(server, app, lambda app: None).status == 200


def test_an_import_keeps_results(server, app, place):
    start(server, place, ("write",))
    rollout = server.shortcuts(app, "1.0").json["rollout"]
    tap = {"type": "com.example.write", "userInfo": rollout["items"][0]["userInfo"], "rollout": {"id": rollout["id"], "arm": "candidate"}}
    server.tap(app, "1.0", tap)
    eventually(lambda: server.admin("GET", f"{place}/candidate/result").json["items"] != [])
    assert imported(server, app, lambda app: None).status == 200
    assert server.admin("GET", f"{place}/candidate/result").json["items"][0]["count"] == 1
    server.admin("POST", f"{place}/candidate/stop")
    assert imported(server, app, lambda app: None).status == 200
    assert server.admin("GET", f"{place}/candidate/result").json["end"] == "stopped"


def test_each_change_has_a_precondition(server, app, place):
    first = start(server, place, ("write",))
    start(server, place, ("other",), extra="&stop=true")
    candidate = f"{place}/candidate"
    at = {"at": instant(3600)}
    seen = first.fields["etag"]
    changes = [("PATCH", "", {"share": 20}), ("POST", "/promote", at), ("POST", "/promote", None), ("POST", "/stop", None)]
    for method, path, body in changes:
        refused = server.admin(method, candidate + path, body, If_Match=seen)
        assert refused.code == "precondition-failed", path
        assert "The candidate is at revision 3, and the set at revision 1," in refused.json["detail"]
    assert server.admin("PATCH", candidate, {"share": 20}, If_Match='"3"').status == 200
    assert server.admin("POST", f"{candidate}/promote", at, If_Match='"1"').status == 202
    assert server.admin("POST", f"{candidate}/promote", If_Match='"3"').status == 200


def test_the_audit_says_what_was_planned_and_why_it_ended(server, app, place):
    start(server, place, ("write",), share="0")
    later, last = instant(3600), instant(7200)
    server.admin("PATCH", f"{place}/candidate", {"steps": [{"at": later, "share": 10}]})
    planned = server.admin("POST", f"{place}/candidate/promote", {"at": last}).json
    server.admin("PUT", f"{place}?stop=true", {"items": [item("new")]})
    found = server.admin("GET", f"/audit?app={app}").json["items"]
    entries = {each["action"]: each for each in found if each["action"].startswith("rollout.")}
    assert entries["rollout.started"]["after"] == {"share": 0, "steps": [], "guard": None}
    assert [entries["rollout.scheduled"]["after"][name] for name in ("kind", "at")] == ["promote", planned["at"]]
    assert entries["rollout.stopped"]["after"] == {"reason": "replaced"}


def test_an_import_tells_which_roll_outs_it_starts_and_changes(server, app, place, consumer):
    start(server, place, ("write",))
    consumer.subscribe(server, types=["shortcuts.rollout-changed"])
    export = server.admin("GET", f"/export?app={app}").json
    server.admin("PATCH", f"{place}/candidate", {"share": 70})
    assert server.admin("POST", "/import?replace=true", export).status == 200
    server.admin("POST", f"{place}/candidate/stop")
    assert server.admin("POST", "/import?replace=true", export).status == 200
    assert server.admin("POST", "/import?replace=true", export).status == 200
    eventually(lambda: len(consumer.received) == 3)
    assert sorted(event["data"]["share"] for _, event in consumer.checked(consumer.received)) == [10, 10, 70]
    actions = [each["action"] for each in server.admin("GET", f"/audit?app={app}").json["items"]]
    assert [each for each in actions if each.startswith("rollout.")] == [
        "rollout.started", "rollout.stopped", "rollout.changed", "rollout.changed", "rollout.started"]


def test_the_candidate_is_named_where_an_id_has_two_meanings(server, app, place):
    start(server, place, ("write",))
    server.admin("POST", f"{place}/candidate/stop")
    server.admin("PUT", f"{place}/candidate?share=10", {"items": [item("write", replaces=["compose"])]})
    refused = server.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [item("compose")]})
    assert refused.code == "id-reused"
    assert refused.json["detail"].endswith(
        "the candidate of 1.0.0 (revision 3) replaces or retires it. Give the item a new id, or stop the roll-out first.")


def test_a_share_of_null_is_no_share(server, app, place):
    server.admin("PUT", f"{place}/draft", {"items": [item("write")]})
    refused = server.admin("POST", f"{place}/publish", {"share": None})
    assert (refused.status, refused.json["violations"][0]["path"]) == (422, "share")
    assert server.shortcuts(app, "1.0").json["revision"] == 1
