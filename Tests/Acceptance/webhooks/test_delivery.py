"""Webhooks: every commit is announced."""

import signal

from consumer import Consumer
from longpress import eventually, item


def publish(server, app, version, *ids):
    answer = server.admin("PUT", f"/apps/{app}/sets/{version}", {"items": [item(id) for id in ids]})
    assert answer.status in (200, 201), answer.body
    return answer.json["revision"]


def published(consumer):
    return [event["data"] for _, event in consumer.verified() if event["type"] == "shortcuts.published"]


def test_every_publish_is_announced_signed_and_says_what_changed(own):
    consumer = Consumer()
    consumer.subscribe(own)
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    publish(own, "a", "1.0", "x", "y")
    publish(own, "a", "1.0", "y", "z")
    publish(own, "a", "1.0", "y", "z")
    # An unordered endpoint may get the second event before the first.
    eventually(lambda: len(consumer.received) == 3)
    events = sorted(published(consumer), key=lambda event: event["revision"])
    assert (events[1]["added"], events[1]["removed"], events[1]["previousRevision"]) == (["z"], ["x"], 1)
    menu = own.get(events[1]["url"].split("/", 3)[3].join(["/", ""]))
    assert menu.fields["etag"] == events[1]["etag"]
    assert {event["type"] for _, event in consumer.verified()} == {"app.created", "shortcuts.published"}
    fields = {name.lower(): value for name, value in consumer.received[0][0].items()}
    assert fields["content-type"] == "application/json" and fields["user-agent"].startswith("Longpress/")
    consumer.stop()


def test_a_consumer_that_was_down_gets_everything_once_it_is_back_with_the_same_id_and_bytes(own):
    consumer = Consumer()
    consumer.answers = [500, 500, 301]
    consumer.subscribe(own)
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    eventually(lambda: len(consumer.received) == 4)
    assert len({id for id, _ in consumer.verified()}) == 1 and len({body for _, body in consumer.received}) == 1
    port = consumer.port
    consumer.stop()
    revision = publish(own, "a", "1.0", "x")
    back = Consumer(port)
    back.secret = consumer.secret
    assert eventually(lambda: published(back))[0]["revision"] == revision
    back.stop()


def test_a_kill_between_commit_and_delivery_loses_nothing(own):
    consumer = Consumer()
    consumer.subscribe(own)
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    acknowledged = set()
    for number in range(20):
        acknowledged.add(publish(own, "a", f"{number + 1}.0", "x"))
        if number % 5 == 4:
            own.restart(signal.SIGKILL)
    eventually(lambda: {event["revision"] for event in published(consumer)} >= acknowledged)
    consumer.stop()


def test_a_ping_reaches_its_endpoint_only(own):
    one, other = Consumer(), Consumer()
    endpoint = one.subscribe(own, types=["release.imported"])
    other.subscribe(own)
    answer = own.admin("POST", f"/webhooks/{endpoint['id']}/ping")
    assert answer.status == 202
    eventually(lambda: one.received)
    assert one.verified()[0][1]["type"] == "webhook.ping" and "app" not in one.verified()[0][1]["data"]
    assert other.received == []
    assert "secret" not in own.admin("GET", f"/webhooks/{endpoint['id']}").json
    one.stop()
    other.stop()
