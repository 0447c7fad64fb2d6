"""Roll-outs on the command line."""

import json

import pytest

from longpress import eventually, item, pass_time
from test_everyday import Desk

SET = Desk.set


@pytest.fixture
def desk(own, tmp_path):
    desk = Desk(own, tmp_path)
    desk.server.admin("PUT", f"/apps/{Desk.app}/sets/2.0", {"items": [item("compose")]})
    desk.do("draft", "save", SET, desk.file({"items": [item("write", replaces=["compose"])]}))
    return desk


def threshold(desk):
    return desk.server.shortcuts(Desk.app, "2.0").json["rollout"]["threshold"]


def test_a_draft_is_published_to_a_share(desk):
    said = desk.do("publish", SET, "--share", "12.5", "--step", "1h=25", "--step", "2d=100", "--stop-if-lost", "1", "--stop-if-below", "90")
    assert said == f"Revision 2 of {SET} is rolled out to 12.5 % of the installations.\n"
    assert threshold(desk) == 1250
    shown = desk.do("rollout", "show", SET).splitlines()
    assert shown[0].startswith(f"{SET}: revision 2 is rolled out to 12.5 % of the installations since ")
    assert [line.split(" at ")[0] for line in shown[1:3]] == ["25 %", "100 %"]
    assert shown[3] == (
        "It stops automatically if more than 1 % of first taps are lost, or if fewer than 90 % as many phones tap as with the current menu.")
    assert shown[4] == "Too early to tell. First taps: 0 with the candidate (0 lost), 0 with the set."
    listed = desk.do("schedule", "list", "--app", Desk.app)
    assert "share" in listed and "25 %" in listed
    pass_time(desk.server, Desk.app, 3600)
    eventually(lambda: threshold(desk) == 2500)


def test_its_share_changes_and_it_is_promoted(desk):
    desk.do("publish", SET, "--share", "10")
    assert "rolled out to 25 %" in desk.do("rollout", "share", SET, "25", "--step", "1d=50")
    assert threshold(desk) == 2500
    assert desk.json("rollout", "share", SET, "--stop-if-lost", "2")["guard"] == {"lost": 2}
    assert "Scheduled" in desk.do("rollout", "promote", SET, "--at", "12h", "--message", "For all")
    assert desk.do("rollout", "promote", SET) == f"Published {SET} as revision 3.\n"
    assert "rollout" not in desk.server.shortcuts(Desk.app, "2.0").json
    assert "was promoted by ana at" in desk.do("rollout", "show", SET)


def test_it_is_stopped(desk):
    desk.do("publish", SET, "--share", "10")
    assert "ends at" in desk.do("rollout", "stop", SET, "--at", "1d")
    assert desk.do("rollout", "stop", SET) == f"The roll-out of {SET} has ended. Everyone gets the set again.\n"
    assert "Start a roll-out with longpress publish" in desk.fails("rollout", "stop", SET)


@pytest.mark.parametrize("arguments, words", [
    (["publish", SET, "--share", "ten"], "ten is not a share"),
    (["publish", SET, "--share", "101"], "percentage from 0 to 100"),
    (["publish", SET, "--step", "1h=25"], "Add --share"),
    (["publish", SET, "--share", "10", "--at", "1h"], "begins now"),
    (["publish", SET, "--share", "10", "--step", "25"], "is not a step"),
    (["publish", SET, "--share", "10", "--step", "soon=25"], "is not a time"),
    (["rollout", "share", SET], "Add the percentage"),
])
def test_a_bad_argument_is_explained(desk, arguments, words):
    assert words in desk.fails(*arguments, status=64)
    assert "rollout" not in desk.server.shortcuts(Desk.app, "2.0").json


def test_a_plan_names_it(desk):
    desk.do("publish", SET, "--share", "10")
    folder = desk.folder / "tree"
    desk.do("pull", folder, "--app", Desk.app)
    path = next(folder.rglob("2.0.0.json"))
    path.write_text(json.dumps({"items": [item("compose", {"en": "Write now"})]}))
    status, plan, _ = desk.run("plan", folder)
    assert status == 2, "there are changes"
    assert "Revision 2 is rolled out to 10 % of the installations. Promote or stop it before you apply." in plan
    assert "Revision 2 is rolled out" in desk.fails("apply", folder)
