"""Webhooks are never lost: the log, resending, recovering, rotating, pausing, and changes of the endpoint."""

import datetime
import itertools
import re
import subprocess

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from consumer import Consumer
from longpress import BINARY, ROOT, Longpress, eventually, instant, source, sql, unique

names = itertools.count(1)


@pytest.fixture(scope="module")
def brief(tmp_path_factory):
    """A server that gives up after two attempts."""
    server = Longpress(tmp_path_factory.mktemp("brief"), "--webhook-schedule", "0s,50ms")
    yield server
    assert server.stop() == 0


def event(server):
    """Creates an app, which is an event. Returns the app's name."""
    name = f"com.example.event{next(names)}"
    assert server.admin("PUT", f"/apps/{name}", {"defaultLanguage": "en"}).status == 201
    return name


def subscribe(server, consumer, **members):
    """Subscribes only to these events, because other tests cause more."""
    return consumer.subscribe(server, **{"types": ["app.created"], **members})


def deliveries(server, hook, query=""):
    answer = server.admin("GET", f"/webhooks/{hook['id']}/deliveries{query}")
    assert answer.status == 200, answer.body
    return answer.json["items"]


def settled(server, hook, state):
    """The newest delivery, as soon as it is in that state."""
    def newest():
        items = deliveries(server, hook)
        return items and items[0]["state"] == state and items[0]
    return eventually(newest)


def patch(server, hook, **members):
    answer = server.admin("PATCH", f"/webhooks/{hook['id']}", members)
    assert answer.status == 200, answer.body
    return answer.json


def recover(server, hook, document=None):
    answer = server.admin("POST", f"/webhooks/{hook['id']}/recover", document)
    assert answer.status == 202, answer.body
    return answer.json["recovered"]


def resend(server, delivery):
    answer = server.admin("POST", f"/deliveries/{delivery['id']}/resend")
    assert answer.status == 202, answer.body
    assert answer.json["id"] == delivery["id"] and answer.json["webhookId"] == delivery["webhookId"]
    return answer.json


def apps(consumer):
    return [payload["data"].get("app") for _, payload in consumer.verified()]


def exhausted(server, consumer, **members):
    """An endpoint whose two attempts of one event have failed."""
    consumer.answers = [500, 500]
    hook = subscribe(server, consumer, **members)
    event(server)
    return hook, settled(server, hook, "exhausted")


def test_the_log_tells_every_delivery_and_attempt(brief, consumer):
    consumer.answers = [503]
    hook = subscribe(brief, consumer)
    app = event(brief)
    delivery = settled(brief, hook, "delivered")
    assert set(delivery) == {"id", "webhookId", "type", "app", "state", "createdAt", "nextAttemptAt", "attempts", "payload"}
    assert (delivery["type"], delivery["app"], delivery["nextAttemptAt"]) == ("app.created", app, None)
    # The log has the sent body, byte for byte, on request.
    assert {entry["body"].encode() for entry in deliveries(brief, hook, "?body=true")} == {body for _, body in consumer.received}
    assert deliveries(brief, hook, "?body=false") == [delivery]
    assert brief.admin("GET", f"/webhooks/{hook['id']}/deliveries?body=yes").code == "invalid-parameter"
    assert {id for id, _ in consumer.verified()} == {delivery["webhookId"]}
    first, second = delivery["attempts"]
    assert all(set(attempt) == {"at", "durationMs", "status", "error", "response"} for attempt in delivery["attempts"])
    assert (first["status"], first["response"], second["status"], second["error"]) == (503, "", 204, None)
    assert first["error"].endswith(".") and first["at"] < second["at"] and first["durationMs"] >= 0
    newest = [event(brief) for _ in range(4)]
    eventually(lambda: set(newest) <= set(apps(consumer)))
    eventually(lambda: len(deliveries(brief, hook, "?state=delivered")) == 5)
    listed, cursor = [], ""
    while cursor is not None:
        page = brief.admin("GET", f"/webhooks/{hook['id']}/deliveries?limit=2{cursor and '&cursor=' + cursor}").json
        assert len(page["items"]) <= 2
        listed, cursor = listed + page["items"], page["next"]
    assert [entry["id"] for entry in listed] == [entry["id"] for entry in deliveries(brief, hook)]
    assert listed[-1]["id"] == delivery["id"]
    assert [entry["createdAt"] for entry in listed] == sorted((entry["createdAt"] for entry in listed), reverse=True)
    assert deliveries(brief, hook, "?state=held") == []
    assert brief.admin("GET", f"/webhooks/{hook['id']}/deliveries?state=lost").code == "invalid-parameter"
    assert brief.admin("GET", f"/webhooks/{hook['id']}/deliveries?cursor=lost").code == "invalid-parameter"
    assert brief.admin("GET", "/webhooks/none/deliveries").code == "unknown-resource"


def test_another_origin_gets_neither_the_secret_nor_the_header_values(brief, consumer):
    """As an owner of some apps who does not know the credentials would try."""
    app = event(brief)
    mine = brief.admin("POST", "/tokens", {"name": f"owner of {app}", "role": "owner", "apps": [app]}).json["token"]
    members = {"url": "http://127.0.0.1:9/", "types": ["webhook.ping"], "apps": [app], "headers": {"Authorization": "credential"}}
    hook = brief.admin("POST", "/webhooks", members).json
    place = f"/webhooks/{hook['id']}"
    for headers in ({}, {"headers": {}}, {"headers": {"Authorization": "***"}}, {"headers": {"authorization": "mine"}}):
        refused = brief.admin("PATCH", place, {"url": consumer.url, **headers}, token=mine)
        assert refused.violations == {("headers.Authorization", "header-value-missing")}, refused.body
    changed = brief.admin("PATCH", place, {"url": consumer.url, "headers": {"Authorization": "mine"}}, token=mine).json
    assert changed["secret"] != hook["secret"] and changed["secret"].startswith("whsec_")
    assert "secret" not in brief.admin("GET", place).json
    # At the same origin both stay.
    assert "secret" not in brief.admin("PATCH", place, {"url": consumer.url + "?other"}, token=mine).json
    assert brief.admin("POST", place + "/ping", token=mine).status == 202
    fields, body = eventually(lambda: consumer.received and consumer.received[0])
    assert fields["Authorization"] == "mine" and len(fields["webhook-signature"].split()) == 1
    Webhook(changed["secret"]).verify(body, dict(fields))


def test_the_values_of_header_fields_are_sent_and_never_shown(brief, consumer):
    values = {"Authorization": "Bearer credential-1", "X-Plain": "credential-2"}
    answer = brief.admin("POST", "/webhooks", {"url": consumer.url, "types": ["app.created"], "headers": values})
    hook = answer.json
    assert hook["headers"] == {name: "***" for name in values}
    for shown in [brief.admin("GET", f"/webhooks/{hook['id']}"), brief.admin("GET", "/webhooks?limit=200"),
                  brief.admin("PATCH", f"/webhooks/{hook['id']}", {"description": "d"}), answer]:
        assert b"credential" not in shown.body and b"***" in shown.body
    # The shown document can be sent back: only the changed value changes.
    shown = brief.admin("GET", f"/webhooks/{hook['id']}").json["headers"]
    patch(brief, hook, headers={**shown, "X-Plain": "credential-3"})
    event(brief)
    fields = eventually(lambda: consumer.received and consumer.received[0][0])
    assert (fields["Authorization"], fields["X-Plain"]) == ("Bearer credential-1", "credential-3")
    for target, document in [("/webhooks", {"url": consumer.url, "headers": {"X-New": "***"}}), (f"/webhooks/{hook['id']}", {"headers": {"X-New": "***"}})]:
        refused = brief.admin("POST" if target == "/webhooks" else "PATCH", target, document)
        assert refused.violations == {("headers.X-New", "header-value-missing")}, refused.body
    assert patch(brief, hook, headers={"X-Plain": None})["headers"] == {"Authorization": "***"}
    assert not any("credential" in line for line in brief.log)


def test_what_cannot_be_reached_has_an_attempt_without_a_status(brief, consumer):
    hook = subscribe(brief, consumer)
    consumer.stop()
    event(brief)
    attempts = settled(brief, hook, "exhausted")["attempts"]
    assert [attempt["status"] for attempt in attempts] == [None, None]
    assert all(attempt["error"].endswith(".") and attempt["response"] is None for attempt in attempts)


def test_resend_sends_what_was_delivered_once_more_with_the_same_id_and_bytes(brief, consumer):
    hook = subscribe(brief, consumer)
    event(brief)
    delivery = settled(brief, hook, "delivered")
    assert resend(brief, delivery)["state"] == "pending"
    eventually(lambda: len(consumer.received) == 2)
    assert len({body for _, body in consumer.received}) == 1
    assert {id for id, _ in consumer.verified()} == {delivery["webhookId"]}
    after = eventually(lambda: len((found := settled(brief, hook, "delivered"))["attempts"]) == 2 and found)
    assert ["manual" in attempt for attempt in after["attempts"]] == [False, True] and after["attempts"][1]["manual"] is True


def test_resend_of_what_is_exhausted_is_one_attempt_and_no_more(brief, consumer):
    hook, delivery = exhausted(brief, consumer)
    consumer.answers = [500]
    resend(brief, delivery)
    after = eventually(lambda: len((found := settled(brief, hook, "exhausted"))["attempts"]) == 3 and found)
    assert [attempt.get("manual", False) for attempt in after["attempts"]] == [False, False, True]
    resend(brief, delivery)
    assert len(settled(brief, hook, "delivered")["attempts"]) == 4
    assert len(consumer.received) == 4


def test_resend_as_soon_as_the_consumer_has_it_is_one_more(brief, consumer):
    hook = subscribe(brief, consumer)
    event(brief)
    for count in range(1, 6):
        eventually(lambda: len(consumer.received) == count)
        resend(brief, deliveries(brief, hook)[0])
    eventually(lambda: len(consumer.received) == 6)
    eventually(lambda: len(settled(brief, hook, "delivered")["attempts"]) == 6)


def test_resend_sends_what_is_held_or_cancelled(brief, consumer):
    hook = subscribe(brief, consumer)
    patch(brief, hook, enabled=False)
    held, cancelled = event(brief), None
    delivery = settled(brief, hook, "held")
    patch(brief, hook, enabled=True)
    assert settled(brief, hook, "held") and consumer.received == []
    resend(brief, delivery)
    eventually(lambda: apps(consumer) == [held])
    patch(brief, hook, enabled=False)
    cancelled = event(brief)
    delivery = settled(brief, hook, "held")
    patch(brief, hook, types=["app.deleted"], enabled=True)
    settled(brief, hook, "cancelled")
    resend(brief, delivery)
    eventually(lambda: apps(consumer) == [held, cancelled])


def test_resend_of_nothing_is_404_and_a_body_is_refused(brief, consumer):
    assert brief.admin("POST", "/deliveries/none/resend").code == "unknown-resource"
    hook = subscribe(brief, consumer)
    event(brief)
    delivery = settled(brief, hook, "delivered")
    assert brief.admin("POST", f"/deliveries/{delivery['id']}/resend", {"times": 2}).violations == {("times", "unknown-member")}
    assert brief.admin("POST", f"/deliveries/{delivery['id']}/resend", {}).status == 202


def test_recover_sends_exhausted_and_held_again_with_the_same_id_and_bytes(brief, consumer):
    hook, delivery = exhausted(brief, consumer)
    patch(brief, hook, enabled=False)
    held = event(brief)
    assert settled(brief, hook, "held")["attempts"] == []
    patch(brief, hook, enabled=True)
    consumer.answers = [500, 500]
    assert recover(brief, hook) == 2
    eventually(lambda: {entry["state"] for entry in deliveries(brief, hook)} <= {"delivered", "exhausted"})
    # It depends on chance whether one delivery got both failures or two got one each.
    failed = len(deliveries(brief, hook, "?state=exhausted"))
    assert recover(brief, hook, {}) == failed
    eventually(lambda: [entry["state"] for entry in deliveries(brief, hook)] == ["delivered", "delivered"])
    assert held in apps(consumer)
    same = [body for fields, body in consumer.received if {k.lower(): v for k, v in fields.items()}["webhook-id"] == delivery["webhookId"]]
    assert len(same) >= 3 and len(set(same)) == 1
    assert len(deliveries(brief, hook)[1]["attempts"]) == len(same)
    assert recover(brief, hook) == 0


def test_recover_takes_what_was_created_since_then(brief, consumer):
    consumer.answers = [500] * 4
    hook = subscribe(brief, consumer)
    event(brief)
    first = settled(brief, hook, "exhausted")
    event(brief)
    second = eventually(lambda: (found := settled(brief, hook, "exhausted"))["id"] != first["id"] and found)
    later = datetime.datetime.fromisoformat(second["createdAt"]) + datetime.timedelta(milliseconds=1)
    assert recover(brief, hook, {"since": later.isoformat()}) == 0
    assert recover(brief, hook, {"since": second["createdAt"]}) == 1
    settled(brief, hook, "delivered")
    assert [entry["state"] for entry in deliveries(brief, hook)] == ["delivered", "exhausted"]
    answer = brief.admin("POST", f"/webhooks/{hook['id']}/recover", {"since": "yesterday", "until": "now"})
    assert answer.status == 422 and answer.violations == {("since", "date-invalid"), ("until", "unknown-member")}
    assert brief.admin("POST", "/webhooks/none/recover").code == "unknown-resource"


def test_recover_does_not_enable_and_nothing_is_sent_before_that(brief, consumer):
    consumer.answers = [410]
    hook = subscribe(brief, consumer)
    event(brief)
    gone = eventually(lambda: (found := brief.admin("GET", f"/webhooks/{hook['id']}").json)["disabledReason"] == "gone" and found)
    assert gone["enabled"] is False and gone["disabledAt"]
    assert settled(brief, hook, "exhausted")["attempts"][0]["status"] == 410
    event(brief)
    settled(brief, hook, "held")
    assert recover(brief, hook) == 2
    other = Consumer()
    subscribe(brief, other)
    event(brief)
    eventually(lambda: other.received)
    other.stop()
    assert brief.admin("GET", f"/webhooks/{hook['id']}").json["enabled"] is False and len(consumer.received) == 1
    enabled = patch(brief, hook, enabled=True)
    assert (enabled["enabled"], enabled["disabledReason"], enabled["disabledAt"]) == (True, None, None)
    eventually(lambda: len(consumer.received) == 3)
    assert [entry["state"] for entry in eventually(lambda: deliveries(brief, hook, "?state=held"))] == ["held"]


def test_pause_holds_and_says_so(brief, consumer):
    hook = subscribe(brief, consumer)
    paused = patch(brief, hook, enabled=False)
    assert (paused["enabled"], paused["disabledReason"]) == (False, "operator") and paused["disabledAt"]
    ping = brief.admin("POST", f"/webhooks/{hook['id']}/ping")
    assert ping.status == 202
    event(brief)
    assert [entry["state"] for entry in deliveries(brief, hook)] == ["held", "held"]
    assert [entry["type"] for entry in deliveries(brief, hook)] == ["app.created", "webhook.ping"]
    assert deliveries(brief, hook)[1]["id"] == ping.json["id"]
    patch(brief, hook, enabled=True)
    after = event(brief)
    eventually(lambda: apps(consumer) == [after])
    assert recover(brief, hook) == 2
    eventually(lambda: len(consumer.received) == 3)


def test_what_is_pending_when_the_endpoint_is_disabled_becomes_held(server, consumer):
    consumer.answers = [429]
    hook = subscribe(server, consumer)
    consumer.stop()
    event(server)
    eventually(lambda: deliveries(server, hook)[0]["attempts"])
    patch(server, hook, enabled=False)
    held = settled(server, hook, "held")
    assert held["nextAttemptAt"] is None


def test_a_new_url_holds_from_the_next_attempt(server, consumer):
    hook = subscribe(server, consumer)
    other = Consumer()
    consumer.answers = [500] * 1000
    app = event(server)
    eventually(lambda: consumer.received)
    other.secret = patch(server, hook, url=other.url)["secret"]
    eventually(lambda: apps(other) == [app])
    assert settled(server, hook, "delivered")["webhookId"] == other.verified()[0][0] == consumer.verified()[0][0]
    other.stop()


def test_a_type_or_app_taken_out_cancels_what_is_pending_for_it(server, consumer):
    hook = consumer.subscribe(server, types=["app.created", "app.deleted"])
    consumer.stop()
    one, other = event(server), event(server)
    eventually(lambda: len(deliveries(server, hook, "?state=pending")) == 2)
    patch(server, hook, apps=[other])
    eventually(lambda: [entry["state"] for entry in deliveries(server, hook)] == ["pending", "cancelled"])
    patch(server, hook, types=["app.deleted"])
    eventually(lambda: [entry["state"] for entry in deliveries(server, hook)] == ["cancelled", "cancelled"])
    assert all(entry["nextAttemptAt"] is None for entry in deliveries(server, hook))
    assert patch(server, hook, types=None, apps=None)["types"] is None


def test_deleting_drops_what_is_pending(server, consumer):
    hook = subscribe(server, consumer, headers={"X-Deleted": "yes"})
    port = consumer.port
    consumer.stop()
    event(server)
    pending = eventually(lambda: deliveries(server, hook))[0]
    assert server.admin("DELETE", f"/webhooks/{hook['id']}").status == 204
    assert server.admin("GET", f"/webhooks/{hook['id']}/deliveries").status == 404
    assert server.admin("POST", f"/deliveries/{pending['id']}/resend").status == 404
    for verb in ("recover", "rotate-secret", "ping"):
        assert server.admin("POST", f"/webhooks/{hook['id']}/{verb}").code == "unknown-resource"
    other = Consumer()
    subscribe(server, other)
    event(server)
    eventually(lambda: other.received)
    back = Consumer(port)
    event(server)
    eventually(lambda: len(other.received) == 2)
    # Another test's endpoint may have had this port.
    assert not any("X-Deleted" in fields for fields, _ in back.received)
    other.stop()
    back.stop()


def verifies(secret, received):
    fields, body = received
    try:
        Webhook(secret).verify(body, {name.lower(): value for name, value in fields.items()})
    except WebhookVerificationError:
        return False
    return True


def rotate(server, hook, document=None):
    answer = server.admin("POST", f"/webhooks/{hook['id']}/rotate-secret", document)
    assert answer.status == 200, answer.body
    assert set(answer.json) == {"secret", "previousExpiresAt"} and answer.json["secret"].startswith("whsec_")
    return answer.json


def test_in_the_overlap_every_attempt_carries_both_signatures_of_older_events_too(server, consumer):
    hook = subscribe(server, consumer)
    consumer.answers = [500] * 1000
    event(server)
    eventually(lambda: consumer.received)
    rotated = rotate(server, hook)
    left = datetime.datetime.fromisoformat(rotated["previousExpiresAt"]) - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta(hours=23, minutes=59) < left <= datetime.timedelta(hours=24)
    consumer.answers = []
    settled(server, hook, "delivered")
    event(server)
    eventually(lambda: len({id for id, _ in consumer.verified()}) == 2)
    for received in consumer.received[-2:]:
        assert verifies(consumer.secret, received) and verifies(rotated["secret"], received)
        signature = {name.lower(): value for name, value in received[0].items()}["webhook-signature"]
        assert [part[:3] for part in signature.split(" ")] == ["v1,", "v1,"]
    assert not verifies(rotated["secret"], consumer.received[0])


def test_without_an_overlap_and_after_it_the_former_secret_is_void(server, consumer):
    hook = subscribe(server, consumer)
    secrets = [consumer.secret, rotate(server, hook, {"overlap": "0s"})["secret"]]
    event(server)
    eventually(lambda: len(consumer.received) == 1)
    assert [verifies(secret, consumer.received[0]) for secret in secrets] == [False, True]
    rotated = rotate(server, hook, {"overlap": "1ms"})
    secrets.append(rotated["secret"])
    eventually(lambda: instant(0) > rotated["previousExpiresAt"])
    event(server)
    eventually(lambda: len(consumer.received) == 2)
    assert [verifies(secret, consumer.received[1]) for secret in secrets] == [False, False, True]
    assert "secret" not in server.admin("GET", f"/webhooks/{hook['id']}").json


@pytest.mark.parametrize(("document", "violation"), [
    ({"overlap": "a day"}, ("overlap", "duration-invalid")), ({"overlap": 5}, ("overlap", "type-mismatch")),
    ({"overlap": "721h"}, ("overlap", "duration-too-long")), ({"overlap": "9999999h"}, ("overlap", "duration-invalid")), ({"overlap": "-1h"}, ("overlap", "duration-invalid")),
    ({"grace": "1h"}, ("grace", "unknown-member")),
])
def test_what_is_no_overlap_changes_nothing(server, consumer, document, violation):
    hook = subscribe(server, consumer)
    answer = server.admin("POST", f"/webhooks/{hook['id']}/rotate-secret", document)
    assert answer.status == 422 and answer.violations == {violation}
    assert not violation[1].startswith("duration") or "720h" in answer.json["violations"][0]["message"]
    event(server)
    eventually(lambda: consumer.received)
    assert verifies(consumer.secret, consumer.received[0])


def test_who_may_not_have_the_webhook_may_not_have_its_deliveries(server, consumer):
    hook = subscribe(server, consumer)
    event(server)
    delivery = settled(server, hook, "delivered")
    requests = [("GET", f"/webhooks/{hook['id']}/deliveries"), ("POST", f"/deliveries/{delivery['id']}/resend")]
    requests += [("POST", f"/webhooks/{hook['id']}/{verb}") for verb in ("recover", "rotate-secret")]
    tokens = {}
    for role, scope in [("publisher", None), ("owner", ["com.example.scoped"])]:
        tokens[role] = server.admin("POST", "/tokens", {"name": unique(role), "role": role, "apps": scope}).json["token"]
    for method, target in requests:
        assert server.admin(method, target, token=None).status == 401
        assert server.admin(method, target, token=tokens["publisher"]).code == "forbidden"
        assert server.admin(method, target, token=tokens["owner"]).code == "unknown-resource"
    mine = subscribe(server, consumer, apps=["com.example.scoped"])
    assert server.admin("GET", f"/webhooks/{mine['id']}/deliveries", token=tokens["owner"]).json == {"items": [], "next": None}


def test_each_operation_leaves_one_entry_in_the_audit(own, consumer):
    hook = subscribe(own, consumer)
    event(own)
    delivery = settled(own, hook, "delivered")
    resend(own, delivery)
    recover(own, hook)
    rotate(own, hook)
    own.admin("POST", f"/webhooks/{hook['id']}/recover", {"since": 1})
    actions = [entry["action"] for entry in own.admin("GET", "/audit").json["items"]]
    assert actions[:3] == ["webhook.secret-rotated", "webhook.recovered", "delivery.resent"]
    assert len(actions) == 5


def test_metrics_tell_of_the_outbox(own, consumer):
    def metrics():
        lines = own.get("/metrics").body.decode().splitlines()
        return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))

    before = metrics()
    for outcome in ("delivered", "failed", "exhausted"):
        assert before[f'longpress_webhook_attempts_total{{outcome="{outcome}"}}'] == "0"
    consumer.answers = [500]
    hook = subscribe(own, consumer)
    event(own)
    settled(own, hook, "delivered")
    after = metrics()
    assert after['longpress_webhook_attempts_total{outcome="delivered"}'] == "1"
    assert after['longpress_webhook_attempts_total{outcome="failed"}'] == "1"
    assert after["longpress_webhook_attempt_duration_seconds_count"] == "2"
    assert (after["longpress_outbox_depth"], after["longpress_outbox_oldest_seconds"]) == ("0", "0")
    assert after["longpress_endpoints_held"] == "0" and float(after["longpress_database_bytes"]) > 100_000
    consumer.answers, consumer.retry_after = [503], 3600
    event(own)
    eventually(lambda: metrics()["longpress_endpoints_held"] == "1")
    held = metrics()
    assert held["longpress_outbox_depth"] == "1" and float(held["longpress_outbox_oldest_seconds"]) > 0


def test_a_delivery_carries_on_the_trace_of_the_request_that_caused_it(server, consumer):
    trace, app = "4bf92f3577b34da6a3ce929d0e0e4736", "com.example.carried"
    hook = subscribe(server, consumer, types=["app.created", "app.deleted"], apps=[app])
    consumer.answers = [500]
    sent = f"00-{trace}-00f067aa0ba902b7-00"
    server.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"}, traceparent=sent)
    settled(server, hook, "delivered")
    server.admin("DELETE", f"/apps/{app}")
    eventually(lambda: len(consumer.received) == 3)
    first, again, untraced = [{name.lower(): value for name, value in fields.items()}.get("traceparent") for fields, _ in consumer.received]
    assert untraced is None
    parents = {re.fullmatch(f"00-{trace}-([0-9a-f]{{16}})-00", value)[1] for value in (first, again)}
    assert len(parents) == 2 and "00f067aa0ba902b7" not in parents


def test_what_is_over_is_forgotten_in_time_and_what_is_pending_is_not(own, consumer):
    hook = subscribe(own, consumer)
    for state in ("delivered", "held", "pending"):
        event(own)
        if state == "delivered":
            settled(own, hook, "delivered")
            patch(own, hook, enabled=False)
    assert recover(own, hook, {"since": deliveries(own, hook)[0]["createdAt"]}) == 1
    assert [entry["state"] for entry in deliveries(own, hook)] == ["pending", "held", "delivered"]
    own.stop()
    month = 31 * 24 * 3_600_000
    sql(own, f"UPDATE deliveries SET created_at = created_at - {month}")
    sql(own, f"UPDATE events SET occurred_at = occurred_at - {month}")
    own.start()
    eventually(lambda: [entry["state"] for entry in deliveries(own, hook)] == ["pending"])
    eventually(lambda: [sql(own, f"SELECT COUNT(*) FROM {table}") for table in ("events", "attempts")] == ["1", "0"])


def test_https_only_refuses_at_the_door_and_at_the_attempt(own, consumer):
    hook = subscribe(own, consumer)
    own.stop()
    own.flags = ("--webhook-https-only",)
    own.start()
    answer = own.admin("POST", "/webhooks", {"url": consumer.url})
    assert answer.status == 422 and answer.violations == {("url", "url-scheme")}
    event(own)
    attempts = settled(own, hook, "exhausted")["attempts"]
    assert len(attempts) == 1 and attempts[0]["status"] is None and "https" in attempts[0]["error"]
    assert consumer.received == []


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_authorities_that_cannot_be_read_refuse_to_start(tmp_path, content):
    bundle = tmp_path / "authorities.pem"
    if content:
        bundle.write_text(content)
    # A long path is shortened in the sentence.
    command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--database", "l.sqlite", "--webhook-ca", bundle.name]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.returncode == 2 and "authorities.pem" in run.stderr and "--webhook-ca" in run.stderr


def test_authorities_that_are_added_are_trusted(tmp_path):
    openssl = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj"]
    openssl += ["/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(openssl, cwd=tmp_path, check=True, capture_output=True)
    consumer = Consumer(certificate=(tmp_path / "cert.pem", tmp_path / "key.pem"))
    server = Longpress(tmp_path, "--webhook-ca", tmp_path / "cert.pem", "--webhook-https-only")
    hook = subscribe(server, consumer)
    app = event(server)
    settled(server, hook, "delivered")
    assert apps(consumer) == [app]
    server.stop()
    consumer.stop()


def test_the_consumer_of_the_documentation_takes_an_event_once_and_no_forgery(server, consumer):
    page = (ROOT / "docs/webhooks.md").read_text()
    sample = {}
    exec(page.split("```python\n")[1].split("```")[0], sample)  # Checks its test vector.
    subscribe(server, consumer)
    app = event(server)
    fields, body = eventually(lambda: consumer.received)[0]
    seen = set()
    assert sample["receive"](consumer.secret, fields, body.replace(app.encode(), b"other"), seen) == (401, None)
    status, payload = sample["receive"](consumer.secret, fields, body, seen)
    assert (status, payload["data"]) == (204, {"app": app} | source("app", app))
    assert sample["receive"](consumer.secret, fields, body, seen) == (204, None)


@pytest.mark.parametrize("way_out", ["recover", "enable and recover", "skip", "resend"])
def test_an_ordered_endpoint_waits_for_what_is_held(server, consumer, way_out):
    hook = subscribe(server, consumer, ordered=True)
    made = [event(server)]
    settled(server, hook, "delivered")
    assert apps(consumer) == made
    assert patch(server, hook, enabled=False)["waitsFor"] is None
    made += [event(server), event(server)]
    oldest = deliveries(server, hook)[1]
    members = {"recover": True} if way_out == "enable and recover" else {}
    enabled = patch(server, hook, enabled=True, **members)
    made.append(event(server))
    if members:
        assert enabled["waitsFor"] is None
    else:
        blocked = {"delivery": oldest["id"], "state": "held", "nextAttemptAt": None}
        assert enabled["waitsFor"] == blocked
        assert server.admin("GET", f"/webhooks/{hook['id']}").json["waitsFor"] == blocked
        listed = server.listed("/webhooks")
        assert [item["waitsFor"] for item in listed if item["id"] == hook["id"]] == [blocked]
        assert deliveries(server, hook)[0]["state"] == "pending" and apps(consumer) == made[:1]
    if way_out == "recover":
        assert recover(server, hook) == 2
    elif way_out == "skip":
        answer = server.admin("POST", f"/webhooks/{hook['id']}/skip")
        assert (answer.status, answer.json) == (202, {"skipped": 2})
        del made[1:3]
    elif way_out == "resend":
        for delivery in reversed(deliveries(server, hook, "?state=held")):
            assert server.admin("POST", f"/deliveries/{delivery['id']}/resend").status == 202
    eventually(lambda: apps(consumer) == made)
    assert deliveries(server, hook, "?state=held") == []
    assert server.admin("PATCH", f"/webhooks/{hook['id']}", {"recover": "yes"}).status == 422
    assert server.admin("POST", "/webhooks", {"url": consumer.url, "recover": True}).status == 422
    server.admin("DELETE", f"/webhooks/{hook['id']}")


def test_an_ordered_endpoint_says_which_failure_it_waits_for(tmp_path, consumer):
    server = Longpress(tmp_path, "--webhook-schedule", "0s,60s")
    consumer.answers = [500]
    hook = subscribe(server, consumer, ordered=True)
    event(server)
    waits = eventually(lambda: server.admin("GET", f"/webhooks/{hook['id']}").json["waitsFor"])
    failed = deliveries(server, hook)[0]
    assert waits == {"delivery": failed["id"], "state": "pending", "nextAttemptAt": failed["nextAttemptAt"]}
    server.stop()


def test_a_delivery_says_what_is_sent(server, consumer):
    hook = subscribe(server, consumer, types=["app.created", "app.deleted"])
    app = event(server)
    ping = server.admin("POST", f"/webhooks/{hook['id']}/ping").json["id"]
    eventually(lambda: len(consumer.received) == 2)
    answer = server.admin("GET", f"/deliveries/{ping}")
    assert (answer.status, answer.json["id"]) == (200, ping)
    assert answer.json["payload"] in [payload for _, payload in consumer.verified()]
    created, = deliveries(server, hook, "?type=app.created")
    assert created["payload"]["data"] == {"app": app} | source("app", app) and "body" not in created
    eventually(lambda: len(deliveries(server, hook, "?type=app.created&state=delivered")) == 1)
    assert deliveries(server, hook, "?type=app.created&state=held") == deliveries(server, hook, "?type=app.deleted") == []
    assert server.admin("POST", f"/deliveries/{ping}/resend").json["payload"] == answer.json["payload"]
    assert server.admin("GET", f"/webhooks/{hook['id']}/deliveries?type=moon").status == 400
    assert server.admin("GET", "/deliveries/nothing").status == 404
    token = server.admin("POST", "/tokens", {"name": unique("scoped"), "role": "owner", "apps": [app]}).json["token"]
    assert server.admin("GET", f"/deliveries/{ping}", token=token).status == 404
    server.admin("DELETE", f"/webhooks/{hook['id']}")


def test_others_hear_of_an_endpoint_that_disabled_itself(server, consumer):
    watcher = subscribe(server, consumer, types=["webhook.disabled"])
    gone = Consumer()
    gone.answers = [410]
    url = f"{gone.url}?key=1"
    hook = server.admin("POST", "/webhooks", {"url": url, "types": ["app.created"], "description": "CDN"}).json
    event(server)
    eventually(lambda: consumer.received)
    _, told = consumer.verified()[0]
    assert told["type"] == "webhook.disabled"
    assert told["data"] == {"id": hook["id"], "url": gone.origin, "description": "CDN", "reason": "gone", "target": {"kind": "webhook", "id": hook["id"], "name": "CDN"}}
    entry = server.admin("GET", "/audit?limit=1").json["items"][0]
    assert (entry["action"], entry["token"], entry["address"], entry["request"]) == ("webhook.disabled", None, None, None)
    for id in (watcher["id"], hook["id"]):
        server.admin("DELETE", f"/webhooks/{id}")
    gone.stop()
