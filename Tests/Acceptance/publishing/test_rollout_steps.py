"""What is planned for a roll-out: steps, its end, its guard, and the draft that becomes a candidate."""

import pytest

from longpress import eventually, instant, item, pass_time


@pytest.fixture
def place(server, app):
    path = f"/apps/{app}/sets/1.0"
    server.admin("PUT", path, {"items": [item("compose")]})
    return path


@pytest.fixture
def running(server, place):
    assert server.admin("PUT", f"{place}/candidate?share=10", {"items": [item("write")]}).status == 200
    return f"{place}/candidate"


def steps(*shares):
    return [{"at": instant(3600 * (1 + index)), "share": share} for index, share in enumerate(shares)]


def planned(server, running):
    return [(step["kind"], step.get("share")) for step in server.admin("GET", running).json["scheduled"]]


def test_a_draft_becomes_a_candidate(server, app, place):
    server.admin("PUT", f"{place}/draft", {"items": [item("write")]})
    document = {"share": 10, "steps": steps(25, 100), "guard": {"lost": 1, "worse": 90}, "message": "New wording"}
    published = server.admin("POST", f"{place}/publish", document)
    assert (published.status, published.json["revision"]) == (200, 2), published.body
    assert server.shortcuts(app, "1.0").json["rollout"]["threshold"] == 1000
    assert server.admin("GET", f"{place}/draft").status == 404
    candidate = server.admin("GET", f"{place}/candidate").json
    assert candidate["guard"] == {"lost": 1, "worse": 90}
    assert [step["share"] for step in candidate["scheduled"]] == [25, 100]
    assert server.admin("GET", f"/apps/{app}/revisions/2").json["message"] == "New wording"


def test_steps_raise_the_share(server, app, running):
    changed = server.admin("PATCH", running, {"steps": steps(25, 99.99)})
    assert changed.status == 200, changed.body
    assert planned(server, running) == [("share", 25), ("share", 99.99)]
    entries = server.admin("GET", f"/apps/{app}/schedule").json["items"]
    assert [(entry["kind"], entry["share"], entry["set"]) for entry in entries] == [("share", 25, None), ("share", 99.99, None)]
    assert {entry["rollout"] for entry in entries} == {changed.json["id"]}
    pass_time(server, app, 3600)
    eventually(lambda: server.admin("GET", running).json["share"] == 25)
    assert server.shortcuts(app, "1.0").json["rollout"]["threshold"] == 2500
    pass_time(server, app, 3600)
    eventually(lambda: server.admin("GET", running).json["share"] == 99.99)
    assert server.admin("GET", f"/apps/{app}/revisions").json["items"][0]["revision"] == 2


def test_a_step_never_lowers_the_share(server, app, running):
    server.admin("PATCH", running, {"steps": steps(25)})
    assert server.admin("PATCH", running, {"share": 50}).status == 200
    pass_time(server, app, 3600)
    eventually(lambda: planned(server, running) == [])
    assert server.admin("GET", running).json["share"] == 50


def test_a_patch_changes_what_it_names(server, running):
    server.admin("PATCH", running, {"steps": steps(25), "guard": {"lost": 2, "worse": 80}})
    server.admin("PATCH", running, {"guard": {"lost": None}})
    state = server.admin("GET", running).json
    assert (state["guard"], planned(server, running)) == ({"worse": 80}, [("share", 25)])
    state = server.admin("PATCH", running, {"guard": None, "steps": None}).json
    assert ("guard" in state, state["scheduled"], state["share"]) == (False, [], 10)


@pytest.mark.parametrize("document, path", [
    ({"steps": [{"at": "2001-01-01T00:00:00Z", "share": 25}]}, "steps[0].at"),
    ({"steps": steps(5)}, "steps[0].share"),
    ({"steps": steps(10)}, "steps[0].share"),
    ({"steps": steps(50, 25)}, "steps[1].share"),
    ({"steps": list(reversed(steps(25, 50)))}, "steps[1].at"),
    ({"steps": steps(25, 100.001)}, "steps[1].share"),
    ({"steps": [{"share": 25}]}, "steps[0].at"),
    ({"steps": {}}, "steps"),
    ({"guard": {"lost": 0}}, "guard.lost"),
    ({"guard": {"worse": 101}}, "guard.worse"),
    ({"guard": {"lost": "1"}}, "guard.lost"),
    ({"guard": 5}, "guard"),
    ({"guards": {}}, "guards"),
    ({"share": None}, "share"),
])
def test_a_plan_that_makes_no_sense_is_refused(server, running, document, path):
    before = server.admin("GET", running).json
    refused = server.admin("PATCH", running, document)
    assert (refused.status, refused.code) == (422, "invalid-document"), refused.body
    assert path in [violation["path"] for violation in refused.json["violations"]]
    assert server.admin("GET", running).json == before


@pytest.mark.parametrize("document, path", [
    ({"share": 10, "at": instant(60)}, "at"), ({"share": 10, "until": instant(60)}, "until"), ({"steps": steps(25)}, "share"),
    ({"guard": {"lost": 1}}, "share"), ({"share": 30, "steps": steps(25)}, "steps[0].share"), ({"share": "10"}, "share"),
])
def test_a_draft_with_a_bad_plan_stays_a_draft(server, place, document, path):
    server.admin("PUT", f"{place}/draft", {"items": [item("write")]})
    refused = server.admin("POST", f"{place}/publish", document)
    assert (refused.status, refused.code) == (422, "invalid-document"), refused.body
    assert path in [violation["path"] for violation in refused.json["violations"]]
    assert server.admin("GET", f"{place}/draft").status == 200
    assert server.admin("GET", f"{place}/candidate").status == 404


def test_a_promotion_at_a_time(server, app, running):
    server.admin("PATCH", running, {"steps": steps(25)})
    scheduled = server.admin("POST", f"{running}/promote", {"at": instant(1800), "message": "For all"})
    assert (scheduled.status, scheduled.json["kind"], scheduled.json["revision"]) == (202, "promote", 2), scheduled.body
    assert scheduled.json["set"]["items"][0]["id"] == "write"
    pass_time(server, app, 1800)
    eventually(lambda: server.shortcuts(app, "1.0").json["revision"] == 3)
    menu = server.shortcuts(app, "1.0").json
    assert ("rollout" in menu, menu["items"][0]["type"]) == (False, "com.example.write")
    assert server.admin("GET", f"/apps/{app}/revisions/3").json["message"] == "For all"
    # Its end removes its steps.
    assert server.admin("GET", f"/apps/{app}/schedule").json["items"] == []


def test_a_stop_at_a_time(server, app, running):
    scheduled = server.admin("POST", f"{running}/stop", {"at": instant(1800)})
    assert (scheduled.status, scheduled.json["kind"], scheduled.json["set"]) == (202, "stop", None), scheduled.body
    refused = server.admin("POST", f"{running}/stop", {"at": "2001-01-01T00:00:00Z"})
    assert refused.json["violations"][0]["code"] == "time-past"
    pass_time(server, app, 1800)
    eventually(lambda: "rollout" not in server.shortcuts(app, "1.0").json)
    actions = [entry["action"] for entry in server.admin("GET", f"/audit?app={app}").json["items"]]
    assert actions[:2] == ["rollout.stopped", "rollout.scheduled"]


def test_a_step_is_cancelled_like_every_entry(server, app, running):
    server.admin("PATCH", running, {"steps": steps(25, 50)})
    first = server.admin("GET", running).json["scheduled"][0]["id"]
    assert server.admin("DELETE", f"/apps/{app}/schedule/{first}").status == 204
    assert planned(server, running) == [("share", 50)]


def test_an_export_keeps_the_plan(server, app, running):
    server.admin("PATCH", running, {"steps": steps(25), "guard": {"lost": 1}})
    server.admin("POST", f"{running}/promote", {"at": instant(7200)})
    export = server.admin("GET", f"/export?app={app}")
    copy = f"{app}.copy"
    imported = server.admin("POST", "/import", body=export.body.replace(app.encode(), copy.encode()))
    assert imported.status == 200, imported.body
    theirs = running.replace(app, copy)
    assert planned(server, theirs) == [("share", 25), ("promote", None)]
    assert server.admin("GET", theirs).json["guard"] == {"lost": 1}
    replaced = server.admin("POST", "/import?replace=true", body=export.body)
    assert replaced.status == 200, replaced.body
    pass_time(server, app, 7200)
    eventually(lambda: server.shortcuts(app, "1.0").json["items"][0]["type"] == "com.example.write")


@pytest.mark.parametrize("end", ["promote", "stop"])
def test_an_end_leaves_nothing_that_shortens_freshness(server, app, running, end):
    before = server.shortcuts(app, "1.0").fields["cache-control"]
    server.admin("PATCH", running, {"steps": [{"at": instant(30), "share": 50}]})
    assert server.shortcuts(app, "1.0").fields["cache-control"] != before
    server.admin("POST", f"{running}/{end}")
    assert server.shortcuts(app, "1.0").fields["cache-control"] == before


def test_the_reason_of_a_stop_is_in_the_audit(server, app, running):
    assert server.admin("POST", f"{running}/stop", {"message": "Too loud"}, If_Match='"7"').code == "precondition-failed"
    assert server.admin("POST", f"{running}/stop", {"message": "Too loud"}, If_Match='"1"').status == 200
    stopped, = server.admin("GET", f"/audit?app={app}&action=rollout.stopped").json["items"]
    assert stopped["message"] == "Too loud"
