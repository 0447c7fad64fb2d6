"""Approvals: nothing is published that nobody else has seen."""

import pytest

from browser import Browser
from longpress import eventually, instant, item, pass_time, unique


@pytest.fixture
def team(server, app):
    """Tokens by their names, of an app that requires one approval."""
    roles = {"editor": "editor", "ana": "publisher", "ben": "publisher", "olga": "owner"}
    tokens = {
        name: server.admin("POST", "/tokens", {"name": unique(name), "role": role, "apps": [app]}).json["token"] for name, role in roles.items()}
    assert server.admin("PATCH", f"/apps/{app}", {"approvals": 1}).json["approvals"] == 1
    return tokens


def menu(title):
    return {"items": [item("a", title)]}


def save(server, app, title, token):
    answer = server.admin("PUT", f"/apps/{app}/sets/1.0/draft", menu(title), token)
    assert answer.status in (200, 201), answer.body
    return answer.fields["etag"]


def approve(server, app, token, **fields):
    return server.admin("POST", f"/apps/{app}/sets/1.0/draft/approve", token=token, **fields)


def publish(server, app, token, body=None, query=""):
    return server.admin("POST", f"/apps/{app}/sets/1.0/publish{query}", body or {}, token)


def test_an_editor_edits_somebody_approves_somebody_publishes(server, app, team):
    draft = f"/apps/{app}/sets/1.0/draft"
    tag = save(server, app, "Draft", team["editor"])
    refused = publish(server, app, team["ana"])
    assert (refused.status, refused.code) == (409, "approval-missing") and "1 is missing" in refused.json["detail"]
    assert server.admin("GET", draft).fields["longpress-approvals"] == "0/1"
    assert approve(server, app, team["editor"], If_Match=tag).code == "forbidden"
    assert (approve(server, app, team["ben"]).status, approve(server, app, team["ben"]).code) == (428, "precondition-required")
    assert approve(server, app, team["ben"], If_Match="*").status == 428
    assert approve(server, app, team["ben"], If_Match='"draft-other"').status == 412
    for _ in range(2):
        approved = approve(server, app, team["ben"], If_Match=tag)
        assert (approved.status, approved.json) == (200, {"approvals": 1, "needed": 1})
    read = server.admin("GET", draft)
    assert (read.fields["longpress-approvals"], read.fields["etag"]) == ("1/1", tag)
    assert server.admin("GET", draft, If_None_Match=tag).fields["longpress-approvals"] == "1/1"
    (listed,) = server.admin("GET", f"/apps/{app}/drafts").json["items"]
    (approval,) = listed["approvals"]
    assert approval["token"].startswith("ben ") and approval["owner"] == approval["token"] and set(approval) == {"token", "owner", "at"}
    assert publish(server, app, team["ana"]).json["revision"] == 1


def test_what_is_saved_after_an_approval_is_not_approved(server, app, team):
    approve(server, app, team["ben"], If_Match=save(server, app, "Seen", team["ana"]))
    assert approve(server, app, team["ana"], If_Match=save(server, app, "Seen", team["editor"])).status == 403
    tag = save(server, app, "Not seen", team["editor"])
    assert publish(server, app, team["ana"]).code == "approval-missing"
    assert approve(server, app, team["ben"], If_Match=tag).json["approvals"] == 1
    assert server.admin("DELETE", f"/apps/{app}/sets/1.0/draft/approve", token=team["ben"]).status == 204
    assert server.admin("DELETE", f"/apps/{app}/sets/1.0/draft/approve", token=team["ben"]).status == 204
    assert publish(server, app, team["ana"]).code == "approval-missing"


def test_comments_stay_with_the_draft_until_its_end(server, app, team):
    place = f"/apps/{app}/sets/1.0/draft"

    def ask(state, comment, name):
        answer = server.admin("POST", f"{place}/review", {"state": state, "comment": comment}, team[name])
        assert answer.status == 200, answer.body
        return answer.json["comments"]

    def comments():
        found = server.admin("GET", f"{place}/review", token=team["editor"]).json["comments"]
        assert all(set(each) == {"by", "at", "comment"} for each in found)
        return [(each["by"].split(" ")[0], each["comment"]) for each in found]

    save(server, app, "Draft", team["editor"])
    assert comments() == []
    assert [each["comment"] for each in ask("requested", "For Saturday", "editor")] == ["For Saturday"]
    server.admin("POST", f"{place}/review", {"state": "requested"}, team["editor"])
    ask("changes", "Too long", "ben")
    save(server, app, "Short", team["editor"])
    assert comments() == [("editor", "For Saturday"), ("ben", "Too long")]
    for number in range(25):
        ask("requested", f"Try {number}", "editor")
    assert comments() == [("editor", f"Try {number}") for number in range(5, 25)]
    assert server.admin("DELETE", place, token=team["editor"]).status == 204
    tag = save(server, app, "Another", team["editor"])
    assert comments() == []
    ask("requested", "For Sunday", "editor")
    approve(server, app, team["ben"], If_Match=tag)
    assert publish(server, app, team["ana"], {"at": instant(3600)}).status == 202
    save(server, app, "The next", team["editor"])
    assert comments() == []


def test_no_other_way_leads_past_approvals(server, app, team):
    save(server, app, "Draft", team["editor"])
    place = f"/apps/{app}/sets/1.0"
    calls = [("PUT", place, menu("Direct")), ("POST", place + "/publish", {"at": instant(60)}), ("POST", place + "/publish", {"until": instant(60)})]
    for method, target, body in calls:
        for name in ("ana", "olga"):
            assert server.admin(method, target, body, team[name]).code == "approval-missing"
    assert server.admin("PUT", place + "?override=Haste", menu("Direct"), team["ana"]).code == "forbidden"
    server.admin("PUT", place + "?override=Haste", menu("Direct"), team["olga"])
    assert server.admin("PATCH", place + "/items/a", {"enabled": False}, team["ana"]).code == "approval-missing"
    assert server.admin("DELETE", place, token=team["ana"]).code == "approval-missing"
    assert server.admin("PUT", place, menu("Direct"), team["ana"]).json["revision"] == 1
    assert server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"}).json["approvals"] == 1
    for wrong in (6, -1, "2", True):
        assert {code for _, code in server.admin("PATCH", f"/apps/{app}", {"approvals": wrong}).violations} <= {
            "integer-out-of-range", "type-mismatch"}


def test_the_way_back_is_free(server, app, team):
    server.admin("PATCH", f"/apps/{app}?override=Test", {"approvals": 0})
    server.admin("PUT", f"/apps/{app}/sets/1.0", menu("Good"))
    server.admin("PUT", f"/apps/{app}/sets/1.0?until={instant(3600)}", menu("Bad"))
    server.admin("PATCH", f"/apps/{app}", {"approvals": 5})
    pass_time(server, app, 3600)
    eventually(lambda: server.admin("GET", f"/apps/{app}/sets/1.0").json == menu("Good"))
    assert server.admin("POST", f"/apps/{app}/revisions/2/restore", token=team["ana"]).json["revision"] == 4


@pytest.mark.parametrize("reason", ["", "%20%20", "x" * 201, "a%0Ab"])
def test_a_reason_that_is_none_is_refused(server, app, team, reason):
    answer = server.admin("PUT", f"/apps/{app}/sets/1.0?override={reason}", menu("Direct"), team["olga"])
    assert (answer.status, answer.code) == (400, "invalid-parameter")


def test_an_owner_who_goes_ahead_says_why(server, app, team, consumer):
    consumer.subscribe(server, apps=[app], types=["shortcuts.override"])
    save(server, app, "Now", team["editor"])
    assert publish(server, app, team["olga"], query="?override=The+old%20menu+crashes+%2B").json["revision"] == 1
    save(server, app, "Later", team["editor"])
    planned = publish(server, app, team["olga"], {"at": instant(3600)}, "?override=%F0%9F%8E%84%20Christmas")
    assert planned.status == 202
    pass_time(server, app, 3600)
    eventually(lambda: server.admin("GET", f"/apps/{app}/sets/1.0").json == menu("Later"))
    eventually(lambda: len(consumer.received) == 2)
    # Deliveries may overtake each other.
    first, second = sorted((event["data"] for _, event in consumer.verified()), key=lambda data: "revision" not in data)
    about = {"app": app, "audience": "default", "version": "1.0.0", "by": first["by"], "owner": first["by"], "target": {
        "kind": "set", "id": f"{app}/1.0.0/default", "name": None}}
    assert first == about | {"revision": 1, "reason": "The old menu crashes +"} and first["by"].startswith("olga ")
    assert second == about | {"reason": "🎄 Christmas"}
    entries = server.admin("GET", "/audit?limit=200", token=team["olga"]).json["items"]
    assert [(entry["action"], entry.get("reason")) for entry in entries[:5]] == [
        ("set.published", "🎄 Christmas"), ("draft.scheduled", "🎄 Christmas"), ("draft.saved", None), ("set.published", "The old menu crashes +"),
        ("draft.saved", None)]


def test_a_rule_that_was_tightened_stops_what_is_due(server, app, team, consumer):
    consumer.subscribe(server, apps=[app], types=["shortcuts.schedule-failed"])
    approve(server, app, team["ben"], If_Match=save(server, app, "Then", team["editor"]))
    assert publish(server, app, team["ana"], {"at": instant(3600)}).status == 202
    server.admin("PATCH", f"/apps/{app}", {"approvals": 2})
    pass_time(server, app, 3600)
    eventually(lambda: consumer.received)
    ((_, event),) = consumer.verified()
    assert [violation["code"] for violation in event["data"]["violations"]] == ["approval-missing"]
    draft = server.admin("GET", f"/apps/{app}/sets/1.0/draft")
    assert (draft.json, draft.fields["longpress-approvals"]) == (menu("Then"), "1/2")
    assert approve(server, app, team["ana"], If_Match=draft.fields["etag"]).json == {"approvals": 2, "needed": 2}
    assert publish(server, app, team["ana"]).status == 200


def test_a_revoked_tokens_approval_counts(server, app, team):
    made = server.admin("POST", "/tokens", {"name": unique("eve"), "role": "publisher"}).json
    approve(server, app, made["token"], If_Match=save(server, app, "Draft", team["editor"]))
    server.admin("DELETE", f"/tokens/{made['id']}")
    assert publish(server, app, team["ana"]).status == 200


# The approver


def make(server, name, by=None, **more):
    made = server.admin("POST", "/tokens", {"name": unique(name), "role": "owner"} | more, *([by["token"]] if by else []))
    assert made.status == 201, made.body
    return made.json


def refusals(server, app):
    entries = server.admin("GET", f"/audit?app={app}&limit=200").json["items"]
    return [entry for entry in entries if entry["action"] == "draft.approval-refused"]


def test_a_forged_approval_is_refused_and_stays_in_the_audit_and_the_log(server, app, team):
    """An owner edits, creates a token with the name of another person's token, approves with it and revokes it."""
    mallory, ana = make(server, "mallory"), make(server, "Ana", role="publisher")
    taken = server.admin("POST", "/tokens", {"name": ana["name"].lower(), "role": "publisher"}, mallory["token"])
    assert (taken.status, taken.code) == (409, "conflict")
    tag = save(server, app, "Mine", mallory["token"])
    forged = make(server, "Anna", mallory, role="publisher")
    hidden = make(server, "Anna", make(server, "boss", mallory), role="publisher", owner="somebody else")
    alias = make(server, "Anna", role="publisher", owner=mallory["owner"].upper())
    for token, named in [(forged, mallory), (hidden, mallory), (alias, mallory)]:
        refused = approve(server, app, token["token"], If_Match=tag)
        assert (refused.status, refused.code) == (403, "forbidden") and named["id"] in refused.json["detail"]
        assert server.admin("DELETE", f"/tokens/{token['id']}").status == 204
    assert publish(server, app, mallory["token"]).code == "approval-missing"
    found = refusals(server, app)
    assert [entry["tokenID"] for entry in found] == [alias["id"], hidden["id"], forged["id"]]
    for entry in found:
        assert entry["target"] == {"kind": "draft", "id": f"{app}/1.0.0/default", "name": None}
        assert mallory["id"] in entry["refusal"] and entry["role"] == "publisher" and entry["request"]
        assert eventually(lambda: any("draft.approval-refused" in line and entry["tokenID"] in line and mallory["id"] in line for line in server.log))
    # Another person may.
    assert approve(server, app, ana["token"], If_Match=tag).json == {"approvals": 1, "needed": 1}


def test_approvals_of_one_owner_count_once(server, app, team):
    server.admin("PATCH", f"/apps/{app}", {"approvals": 2})
    tag = save(server, app, "Draft", team["editor"])
    ben = [make(server, name, role="publisher", owner=owner) for name, owner in [("laptop", f"Ben {app}"), ("phone", f"BEN {app}")]]
    assert [approve(server, app, token["token"], If_Match=tag).json["approvals"] for token in ben] == [1, 1]
    assert publish(server, app, team["ana"]).code == "approval-missing"
    assert server.admin("DELETE", f"/apps/{app}/sets/1.0/draft/approve", token=ben[1]["token"]).status == 204
    assert server.admin("GET", f"/apps/{app}/sets/1.0/draft").fields["longpress-approvals"] == "0/2"


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_fewer_approvals_take_a_reason(server, app, team, consumer, method):
    consumer.subscribe(server, apps=[app], types=["shortcuts.override"])
    document = {"defaultLanguage": "en", "approvals": 0}
    refused = server.admin(method, f"/apps/{app}", document)
    assert (refused.status, refused.code) == (409, "approval-missing") and "?override=" in refused.json["detail"]
    assert server.admin(method, f"/apps/{app}?override=", document).code == "invalid-parameter"
    assert server.admin(method, f"/apps/{app}?override=Ben+is+away", document, team["olga"]).json["approvals"] == 0
    assert server.admin(method, f"/apps/{app}?override=Ben+is+back", document | {"approvals": 1}, team["olga"]).status == 200
    lowered = server.admin("GET", f"/audit?app={app}&action=app.updated", token=team["olga"]).json["items"][1]
    assert (lowered["before"], lowered["after"], lowered["reason"]) == ({"approvals": 1}, {"approvals": 0}, "Ben is away")
    eventually(lambda: consumer.received)
    ((_, event),) = consumer.verified()
    assert event["data"]["reason"] == "Ben is away" and event["data"]["target"] == {"kind": "app", "id": app, "name": None}


def test_a_session_is_named_in_the_audit_by_a_public_id(server, app):
    browser = Browser(server)
    token = make(server, "ana", role="publisher")
    assert browser.sign_in(token["token"]).status == 201
    assert browser.ask("PUT", f"/apps/{app}/sets/1.0", menu("Seen")).status == 201
    written, entered = server.admin("GET", f"/audit?tokenID={token['id']}").json["items"]
    assert [written["action"], entered["action"]] == ["set.published", "session.created"]
    assert written["session"] == entered["session"] == entered["target"]["id"] and written["session"] not in str(browser.cookies)
    assert (written["tokenID"], written["owner"], written["role"]) == (token["id"], token["owner"], "publisher")
    # Signing in again within the hour makes no other audit entry.
    assert Browser(server).sign_in(token["token"]).status == 201
    assert len(server.admin("GET", f"/audit?tokenID={token['id']}").json["items"]) == 2
