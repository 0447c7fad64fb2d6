"""The live stream of the admin plane: who may read it, and what ends it."""

import http.client
import subprocess
import time

import pytest

from browser import Browser
from cluster import Cluster
from event_stream import EventStream
from longpress import BINARY, OWNER, Longpress, eventually, instant, sql
from test_sessions import refused, token
from test_stream import publish
from test_stream_ends import metric

PATH = "/admin/v1/stream"


def follow(server, *apps, by=OWNER, **more):
    """Opens a stream. `by`: a token, or a browser that is signed in."""
    field = {"Cookie": by.cookie} if isinstance(by, Browser) else {"Authorization": f"Bearer {by}"}
    return EventStream(server, *apps, path=PATH, **more, **field)


def signed_in(server, made=OWNER):
    browser = Browser(server)
    assert browser.sign_in(made).status == 201
    return browser


def ended(stream):
    """The reason in the stream's next event, which must be its end."""
    event = stream.next()
    assert event.name == "ended" and stream.next() is None, event
    return event.data["reason"]


@pytest.mark.parametrize("role", ["reader", "editor", "publisher", "owner"])
def test_the_admin_plane_tells_what_the_client_plane_tells(server, app, role):
    made = token(server, role)["token"]
    for by in (made, signed_in(server, made)):
        with follow(server, app, by=by) as stream, EventStream(server, app) as public:
            assert stream.status == 200 and stream.fields["content-type"] == "text/event-stream"
            assert stream.fields["cache-control"] == "no-store" and stream.fields["x-accel-buffering"] == "no"
            assert stream.next() == public.next()
            revision = publish(server, app, "1.0", f"{role} {time.monotonic()}")
            told = stream.next()
            assert told == public.next() and told.data["revision"] == revision
        missed = publish(server, app, "1.0", f"missed by {role} {time.monotonic()}")
        with follow(server, app, by=by, last=told.id) as again:
            assert again.next().data["revision"] == missed


@pytest.mark.parametrize("fields", [{}, {"Authorization": "Bearer lp_unknown"}, {"Cookie": "longpress=" + "A" * 43}])
def test_nobody_else_reads_it(server, app, fields):
    answer = server.request("GET", f"{PATH}?app={app}", fields=fields)
    assert refused(answer) == (401, "unauthenticated") and answer.fields["www-authenticate"] == "Bearer"


def test_apps_out_of_reach_are_not_told_of(server, app):
    mine = token(server, "reader", apps=[app])["token"]
    server.admin("PUT", f"/apps/{app}.other", {"defaultLanguage": "en"})
    for apps in ([app + ".other"], [app + ".none"], [app, app + ".other"], ["not an id"]):
        query = "&".join("app=" + name.replace(" ", "%20") for name in apps)
        assert refused(server.admin("GET", f"/stream?{query}", token=mine)) == (403, "forbidden")
    assert refused(server.admin("GET", f"/stream?app={app}.none")) == (404, "unknown-app")
    with follow(server, app, app + ".none") as stream:
        assert stream.next().data["apps"] == {app: {"revision": 0}, app + ".none": None}
    with follow(server, app, by=mine) as stream:
        assert stream.next().data["apps"].keys() == {app}
        publish(server, app + ".other", "1.0", "Other")
        revision = publish(server, app, "1.0", "Mine")
        assert stream.next().data["revision"] == revision


@pytest.mark.parametrize("query", ["app=a&colour=red", "&".join(f"app=a{number}" for number in range(51))])
def test_what_it_does_not_understand_is_refused(server, query):
    assert refused(server.admin("GET", f"/stream?{query}")) == (400, "invalid-parameter")


def test_without_apps_there_is_only_the_end(server, app):
    made = token(server)
    with follow(server, by=made["token"]) as stream:
        assert stream.next().data == {"apps": {}}
        publish(server, app, "1.0", "A")
        server.admin("DELETE", f"/tokens/{made['id']}")
        assert ended(stream) == "token-revoked"


def test_a_stream_ends_with_its_token_and_the_sessions_of_it(server, app):
    made, other = token(server), token(server)
    with (follow(server, app, by=made["token"]) as one, follow(server, app, by=signed_in(server, made["token"])) as two,
          follow(server, app, by=other["token"]) as three, EventStream(server, app) as public):
        for stream in (one, two, three, public):
            assert stream.next().name == "state"
        before = metric(server, 'longpress_streams_closed_total{reason="access"}')
        assert server.admin("DELETE", f"/tokens/{made['id']}").status == 204
        assert [ended(stream) for stream in (one, two)] == ["token-revoked", "token-revoked"]
        assert metric(server, 'longpress_streams_closed_total{reason="access"}') - before == 2
        revision = publish(server, app, "1.0", "After")
        assert [stream.next().data["revision"] for stream in (three, public)] == [revision, revision]
    assert refused(server.admin("GET", f"/stream?app={app}", token=made["token"])) == (401, "unauthenticated")


def test_a_stream_ends_with_its_session(server, app):
    leaving, staying, anew = (signed_in(server) for _ in range(3))
    with follow(server, app, by=leaving) as one, follow(server, app, by=staying) as two, follow(server, app, by=anew) as three:
        for stream in (one, two, three):
            assert stream.next().name == "state"
        cookies = dict(leaving.cookies)
        assert leaving.ask("DELETE", "/sessions/current").status == 204
        assert ended(one) == "session-ended"
        # Signing in again ends the browser's previous session.
        assert anew.sign_in().status == 201
        assert ended(three) == "session-ended"
        revision = publish(server, app, "1.0", "After")
        assert two.next().data["revision"] == revision
    leaving.cookies = cookies
    assert refused(leaving.ask("GET", f"/stream?app={app}")) == (401, "unauthenticated")


def test_a_stream_ends_when_its_token_expires(server, app):
    for seconds in (1.5, 10, 60):
        end = instant(seconds)
        guest = token(server, expiresAt=end)["token"]
        browser = Browser(server)
        # A loaded machine opens no stream before an early end.
        if browser.sign_in(guest).status == 201:
            with follow(server, app, by=guest) as one, follow(server, app, by=browser) as two:
                if (one.status, two.status) == (200, 200):
                    assert one.next().name == two.next().name == "state"
                    assert ended(one) == ended(two) == "expired" and instant(0) >= end
                    return
    pytest.fail("no stream was opened")


def test_another_process_ends_streams_too(own):
    """Runs `longpress token revoke` beside the service."""
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    made = token(own)
    browser = signed_in(own, made["token"])
    with follow(own, "a", by=made["token"]) as one, follow(own, "a", by=browser) as two:
        assert one.next().name == two.next().name == "state"
        subprocess.run([BINARY, "token", "revoke", made["id"], "--database", str(own.database)], check=True, capture_output=True)
        assert [ended(stream) for stream in (one, two)] == ["token-revoked", "token-revoked"]


def test_what_ends_without_a_word_is_seen(own):
    """A row was deleted, and no commit of the service has reported it."""
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    with follow(own, "a", by=signed_in(own)) as stream:
        stream.next()
        sql(own, "DELETE FROM sessions")
        assert ended(stream) == "session-ended"


def test_every_node_ends_the_streams(tmp_path):
    cluster = Cluster(tmp_path, 3)
    try:
        one, *others = cluster.nodes
        one.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
        made = token(one)
        browser = signed_in(one, made["token"])
        streams = [follow(node, "a", by=by) for node in cluster.nodes for by in (made["token"], browser)]
        for stream in streams:
            assert stream.next().name == "state"
        assert one.admin("DELETE", f"/tokens/{made['id']}").status == 204
        assert {ended(stream) for stream in streams} == {"token-revoked"}
        again = signed_in(one)
        streams = [follow(node, by=again) for node in cluster.nodes]
        for stream in streams:
            assert stream.next().name == "state"
        assert again.ask("DELETE", "/sessions/current").status == 204
        assert {ended(stream) for stream in streams} == {"session-ended"}
    finally:
        cluster.stop()


def test_it_is_where_the_admin_plane_is(tmp_path):
    server = Longpress(tmp_path, "--admin-listen", "127.0.0.1:0")
    public = server.address
    eventually(lambda: any("plane=admin" in line for line in server.log))
    line = next(line for line in server.log if "plane=admin" in line)
    admin = ("127.0.0.1", int(line.split("address=127.0.0.1:")[1].split()[0]))
    assert server.get(PATH).status == 404
    server.address = admin
    assert server.get("/v1/stream?app=a").status == 404
    server.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    with follow(server, "a") as stream:
        stream.next()
        revision = publish(server, "a", "1.0", "A")
        assert stream.next().data["revision"] == revision
        # An expiry ends the stream, with the time to reconnect after.
        server.address = public
        assert server.stop() == 0 and stream.next() is None and stream.retry <= 10_000


def test_a_session_and_a_token_have_as_many_streams_as_they_may_have(tmp_path):
    server = Longpress(tmp_path, "--max-streams-per-address", "0")
    browsers = [signed_in(server) for _ in range(9)]
    streams = []

    def open_one(by):
        stream = follow(server, by=by)
        streams.append(stream)
        return stream.status

    for browser in browsers[:8]:
        assert [open_one(browser) for _ in range(16)] == [200] * 16
        answer = browser.ask("GET", "/stream")
        assert refused(answer) == (429, "too-many-requests") and answer.fields["retry-after"] == "5"
    # A token may have 128 streams, even with another session of it.
    assert refused(browsers[8].ask("GET", "/stream")) == (429, "too-many-requests")
    assert metric(server, "longpress_streams") == 128
    streams[0].close()
    eventually(lambda: metric(server, "longpress_streams") == 127)
    assert eventually(lambda: open_one(browsers[8]) == 200)
    # The rejected requests are not counted as streams.
    with EventStream(server, "none") as unknown:
        assert unknown.status == 404
    for stream in streams:
        stream.close()
    eventually(lambda: metric(server, "longpress_streams") == 0)
    assert server.stop() == 0


def test_streams_of_both_planes_share_the_limits(tmp_path):
    server = Longpress(tmp_path, "--max-streams", "2", "--max-streams-per-address", "0")
    server.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    with follow(server, "a"), EventStream(server, "a"):
        assert refused(server.admin("GET", "/stream")) == (503, "overloaded")
        assert refused(server.get("/v1/stream?app=a")) == (503, "overloaded")
    assert server.stop() == 0


def test_a_revocation_as_streams_are_opened_leaves_none(server, app):
    """Streams that are opened while their token is being revoked are rejected or end."""
    for _ in range(20):
        made = token(server)
        connections = [http.client.HTTPConnection(*server.address, timeout=120) for _ in range(4)]
        revocation = http.client.HTTPConnection(*server.address, timeout=120)
        for connection in connections + [revocation]:
            connection.connect()
        for number, connection in enumerate(connections):
            connection.request("GET", PATH, headers={"Authorization": f"Bearer {made['token']}"})
            if number == 1:
                revocation.request("DELETE", f"/admin/v1/tokens/{made['id']}", headers={"Authorization": f"Bearer {OWNER}"})
        assert revocation.getresponse().status == 204
        for connection in connections:
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 401 or body.endswith(b'event: ended\ndata: {"reason":"token-revoked"}\n\n'), body
            connection.close()
        revocation.close()
