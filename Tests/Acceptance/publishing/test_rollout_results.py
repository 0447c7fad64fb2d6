"""What the taps say about a roll-out: first taps, the ratio, and the guard that stops it."""

import uuid

import pytest

from longpress import Longpress, eventually, item


@pytest.fixture
def server(tmp_path):
    """A server that believes the addresses that a test names: an address adds at most 100 taps an hour."""
    server = Longpress(tmp_path, "--trusted-proxies", "127.0.0.1/32")
    server.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
    server.admin("PUT", "/apps/app/sets/1.0", {"items": [item("compose")]})
    assert server.admin("PUT", f"{PLACE}/candidate?share=50", {"items": [item("write")]}).status == 200
    yield server
    server.stop()


PLACE = "/apps/app/sets/1.0"


def result(server, revision=0):
    answer = server.admin("GET", f"{PLACE}/candidate/result?revision={revision}")
    assert answer.status == 200, answer.body
    return answer.json


def entry(arm, count=1, item="write", outcome="current", **rollout):
    return {
        "item": item, "type": "t", "registeredBy": {"version": "1.0", "revision": 1}, "outcome": outcome, "count": count,
        "rollout": {"arm": arm} | rollout,
    }


class Phones:
    """Each report comes from another address."""

    def __init__(self, server):
        self.server, self.address = server, 0
        self.rollout = server.shortcuts("app", "1.0").json["rollout"]

    def report(self, *counts):
        self.address += 1
        counts = [each | {"rollout": {"id": self.rollout["id"]} | each["rollout"]} for each in counts]
        address = f"192.0.{self.address // 250}.{self.address % 250}"
        answer = self.server.report("app", "1.0", {"batch": str(uuid.uuid4()), "counts": counts}, X_Forwarded_For=address)
        assert answer.status == 202, answer.body

    def first(self, candidate, control, outcome="current"):
        """First taps of a hundred phones."""
        threshold = self.rollout["threshold"]
        counts = [
            entry("candidate", candidate, outcome=outcome, threshold=threshold), entry("control", control, "compose", threshold=threshold)]
        self.report(*(each for each in counts if each["count"] > 0))


def test_first_taps_and_all_taps(server):
    phones = Phones(server)
    phones.report(
        entry("candidate", 3, threshold=5000), entry("candidate", 4), entry("control", 2, "compose", threshold=5000),
        entry("candidate", 1, "gone", "removed", threshold=5000), entry("control", 1, "made-up", threshold=4711))
    state = result(server)
    assert state["firstTaps"] == {"candidate": 4, "control": 2, "lost": 1}
    assert (state["summary"], state["share"], state["revision"], "end" in state) == ("Too early to tell", 50, 2, False)
    assert {(each["arm"], each["item"], each["outcome"]): each["count"] for each in state["items"]} == {
        ("candidate", "write", "current"): 7, ("control", "compose", "current"): 2, ("candidate", None, "removed"): 1,
        ("control", None, "current"): 1,
    }
    assert [point["firstTaps"] for point in state["history"]] == [6]
    # The statistics of the app know nothing of arms.
    assert server.admin("GET", "/apps/app/taps").json["outcomes"]["current"] == 10


def test_what_claims_another_roll_out_counts_in_none(server):
    Phones(server).report(entry("candidate", 5, id="never", threshold=5000))
    assert result(server)["firstTaps"] == {"candidate": 0, "control": 0, "lost": 0}
    assert server.admin("GET", "/apps/app/taps").json["outcomes"] == {"current": 5}
    refused = server.report("app", "1.0", {"batch": str(uuid.uuid4()), "counts": [entry("both", id="x")]})
    assert (refused.status, refused.json["violations"][0]["path"]) == (422, "counts[0].rollout.arm")


def test_an_arm_that_nobody_can_get_has_no_first_taps(server):
    phones = Phones(server)
    for share, threshold, arm in ((0, 0, "candidate"), (100, 10_000, "control")):
        assert server.admin("PATCH", f"{PLACE}/candidate", {"share": share, "guard": {"lost": 1}}).status == 200
        eventually(lambda: server.shortcuts("app", "1.0").json["rollout"]["threshold"] == threshold)
        phones.report(entry(arm, 100, outcome="removed", threshold=threshold))
    assert (result(server)["firstTaps"], "end" in result(server)) == ({"candidate": 0, "control": 0, "lost": 0}, False)


def test_a_resolved_tap_is_no_first_tap(server):
    rollout = server.shortcuts("app", "1.0").json["rollout"]
    tap = {"type": "com.example.write", "userInfo": rollout["items"][0]["userInfo"]}
    server.tap("app", "1.0", tap | {"rollout": {"id": rollout["id"], "arm": "candidate", "threshold": 5000}})
    eventually(lambda: result(server)["items"] == [{"arm": "candidate", "item": "write", "outcome": "current", "count": 1}])
    assert result(server)["firstTaps"]["candidate"] == 0


def test_the_ratio_is_a_sentence(server):
    phones = Phones(server)
    for _ in range(10):
        phones.first(60, 40)
    state = result(server)
    assert state["firstTaps"] == {"candidate": 600, "control": 400, "lost": 0}
    assert state["ratio"]["estimate"] == 1.5 and 1 < state["ratio"]["lower"] < 1.5 < state["ratio"]["upper"] < 2.2
    assert state["summary"].startswith("1.5 × as many phones tapped (1.")


def test_a_ratio_of_one_says_nothing(server):
    phones = Phones(server)
    for _ in range(5):
        phones.first(50, 50)
    state = result(server)
    assert (state["summary"], state["ratio"]["estimate"]) == ("Too early to tell", 1)


@pytest.mark.parametrize("guard, candidate, outcome, reason", [
    ({"lost": 5}, 50, "removed", "lost"), ({"worse": 90}, 20, "current", "worse"),
])
def test_a_guard_stops_it(server, consumer, guard, candidate, outcome, reason):
    consumer.subscribe(server, types=["shortcuts.rollout-stopped"])
    server.admin("PATCH", f"{PLACE}/candidate", {"guard": guard})
    phones = Phones(server)
    for _ in range(4):
        phones.first(candidate, 100 - candidate, outcome)
    assert "rollout" not in server.shortcuts("app", "1.0").json
    state = result(server)
    assert (state["end"], state["guard"], "endedBy" in state) == (reason, guard, False)
    eventually(lambda: len(consumer.received) == 1)
    (_, event), = consumer.checked(consumer.received)
    assert (event["data"]["reason"], event["data"]["revision"], "by" in event["data"]) == (reason, 2, False)
    entry, = server.admin("GET", "/audit?action=rollout.stopped").json["items"]
    assert entry["after"]["reason"] == reason
    assert entry["after"]["firstTaps"]["candidate"] == candidate
    assert "longpress_rollouts_stopped_total 1" in server.get("/metrics").body.decode()


def test_a_guard_waits_for_a_hundred_first_taps(server):
    server.admin("PATCH", f"{PLACE}/candidate", {"guard": {"lost": 1}})
    phones = Phones(server)
    phones.first(90, 9, "removed")
    assert "end" not in result(server)
    phones.first(1, 1, "removed")
    assert result(server)["end"] == "lost"


def test_the_result_stays_after_the_end(server):
    phones = Phones(server)
    phones.first(10, 10)
    server.admin("POST", f"{PLACE}/candidate/promote")
    state = result(server)
    assert (state["end"], state["endedBy"], state["firstTaps"]["candidate"]) == ("promoted", "admin-token", 10)
    # Late reports change nothing.
    phones.first(10, 10)
    assert result(server)["firstTaps"]["candidate"] == 10
    assert server.admin("GET", "/apps/app/sets/2.0/candidate/result").status == 404
    assert server.admin("PUT", f"{PLACE}/candidate?share=5", {"items": [item("third")]}).status == 200
    assert (result(server)["share"], result(server)["firstTaps"]["candidate"]) == (5, 0)
    assert (result(server, 2)["end"], result(server, 2)["firstTaps"]["candidate"]) == ("promoted", 10)
    assert result(server, 4) == result(server)
    refused = server.admin("GET", f"{PLACE}/candidate/result?revision=3")
    assert (refused.status, refused.code) == (404, "unknown-resource") and "Revision 3 started no roll-out of 1.0.0" in refused.json["detail"]
    assert server.admin("GET", f"{PLACE}/candidate/result?revision=two").code == "invalid-parameter"
    assert "longpress_rollouts_running 1" in server.get("/metrics").body.decode()


def test_an_extreme_ratio_is_a_sentence_too(server):
    phones = Phones(server)
    phones.first(0, 100)
    assert result(server)["summary"].startswith("At most 0.0")
    for _ in range(3):
        phones.first(2, 98)
    assert result(server)["summary"].startswith("0.0") and " × as many phones tapped (0.0" in result(server)["summary"]


def test_a_limit_that_the_counts_exceed_stops_it_at_once(server):
    phones = Phones(server)
    for _ in range(3):
        phones.first(10, 90)
    assert "end" not in result(server)
    assert server.admin("PATCH", f"{PLACE}/candidate", {"guard": {"worse": 90}}).status == 200
    state = result(server)
    assert (state["end"], "endedBy" in state) == ("worse", False)


def test_a_part_of_a_batch_favours_no_arm(server):
    rollout = server.shortcuts("app", "1.0").json["rollout"]
    counts = [entry("candidate", 204, id=rollout["id"], threshold=5000), entry("control", 796, "compose", id=rollout["id"], threshold=5000)]
    report = {"batch": str(uuid.uuid4()), "counts": counts}
    assert server.report("app", "1.0", report, X_Forwarded_For="192.0.2.1").code == "too-many-requests"
    taps = result(server)["firstTaps"]
    assert taps["candidate"] + taps["control"] == 100 and 18 <= taps["candidate"] <= 23
    for number in range(2, 11):
        server.report("app", "1.0", report, X_Forwarded_For=f"192.0.2.{number}")
    assert result(server)["firstTaps"] == {"candidate": 204, "control": 796, "lost": 0}
