"""Sessions of the console: how to sign in, what a session may do, and what ends it."""

import datetime
import os
import pathlib
import time

import pytest

from browser import OURS, Browser
from cluster import Cluster
from longpress import OWNER, Longpress, eventually, instant, on_sqlite, sql, stored, unique
from wire import exchange, statuses


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that also has a host name."""
    server = Longpress(tmp_path_factory.mktemp("named"), "--allowed-hosts", "menus.example.com")
    yield server
    assert server.stop() == 0


def token(server, role="publisher", **more):
    made = server.admin("POST", "/tokens", {"name": unique(f"ana the {role}"), "role": role, **more})
    assert made.status == 201
    return made.json


def refused(answer):
    return (answer.status, answer.code)


def test_a_person_signs_in_works_and_signs_out(server, app):
    ana = token(server)
    browser = Browser(server)
    assert refused(browser.ask("GET", "/sessions/current")) == (401, "unauthenticated")
    entered = browser.sign_in(ana["token"])
    assert entered.status == 201 and entered.fields["cache-control"] == "no-store"
    end = entered.json["expiresAt"]
    assert entered.json == {"name": ana["name"], "owner": ana["name"], "role": "publisher", "apps": None, "expiresAt": end}
    left = datetime.datetime.fromisoformat(end) - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta(hours=11, minutes=59) < left <= datetime.timedelta(hours=12)
    assert browser.ask("GET", "/sessions/current").json == entered.json
    assert browser.ask("PUT", f"/apps/{app}/sets/1.0", {"items": []}).status == 201
    (revision,) = browser.ask("GET", f"/apps/{app}/revisions").json["items"]
    assert revision["by"] == ana["name"]
    assert refused(browser.ask("GET", "/audit")) == (403, "forbidden")
    assert browser.ask("DELETE", "/sessions/current").status == 204 and browser.cookies == {}
    actions = [entry["action"] for entry in server.admin("GET", "/audit?limit=200").json["items"] if entry["token"] == ana["name"]]
    assert actions == ["session.ended", "set.published", "session.created"]


@pytest.mark.parametrize(("host", "name", "secure"), [
    (None, "longpress", False), ("localhost:8080", "longpress", False), ("menus.example.com", "__Host-longpress", True),
])
def test_the_cookie_is_out_of_reach_of_scripts_other_sites_and_plain_connections(server, host, name, secure):
    browser = Browser(server, host)
    assert browser.sign_in().status == 201
    value, *attributes = browser.last_set.split("; ")
    assert value.startswith(name + "=") and len(value.split("=")[1]) == 43
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=43200"} | ({"Secure"} if secure else set())
    assert browser.ask("GET", "/sessions/current").status == 200
    # Under the other cookie name it does not count: a cookie that a plain http page has set is not accepted for a network host.
    value = browser.cookies.pop(name)
    browser.cookies = {"longpress" if secure else "__Host-longpress": value}
    assert browser.ask("GET", "/sessions/current").status == 401


def test_nothing_but_the_browser_has_the_sessions_secret(own):
    browser = Browser(own)
    made = browser.sign_in()
    (secret,) = browser.cookies.values()
    browser.ask("GET", "/sessions/current")
    browser.ask("PUT", "/apps/a", {"defaultLanguage": 5})
    metrics = own.get("/metrics").body
    assert b'{route="createSession",status="201"} 1' in metrics
    assert own.stop() == 0
    for place in (made.body, stored(own), "".join(own.log).encode(), metrics):
        assert secret.encode() not in place and OWNER.encode() not in place


def test_a_planted_cookie_does_not_become_a_session(server):
    thief, victim = Browser(server), Browser(server)
    thief.sign_in(token(server, "reader")["token"])
    victim.cookies = dict(thief.cookies)
    assert victim.sign_in(token(server, "publisher")["token"]).status == 201
    assert victim.cookies != thief.cookies
    assert thief.ask("GET", "/sessions/current").status == 401
    victim.cookies |= {"other": "1"}
    assert victim.ask("GET", "/sessions/current").json["role"] == "publisher"
    # A second cookie with the name may come from an attacker.
    theirs = "longpress=" + "A" * 43
    for cookies in (f"{theirs}; {victim.cookie}", f"{victim.cookie}; {theirs}"):
        assert server.request("GET", "/admin/v1/sessions/current", fields={"Cookie": cookies}).status == 401


PAGES = [
    ({}, False), ({"Sec-Fetch-Site": "cross-site"}, False), ({"Sec-Fetch-Site": "same-site"}, False), ({"Sec-Fetch-Site": "none"}, False),
    ({"Origin": "https://evil.example"}, False), ({"Origin": "null"}, False), ({"Origin": "http://127.0.0.1:1"}, False),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "ours"}, False), ({"Origin": "ours"}, True), (OURS, True),
]


@pytest.mark.parametrize(("page", "is_ours"), PAGES)
def test_another_site_can_neither_sign_in_nor_change_anything(server, app, page, is_ours):
    page = {name: "http://%s:%d" % server.address if value == "ours" else value for name, value in page.items()}
    browser = Browser(server)
    assert browser.sign_in().status == 201
    for method, target, document in [
        ("PUT", f"/apps/{app}/sets/1.0/draft", {"items": []}), ("POST", f"/apps/{app}/sets/1.0/publish", {}),
        ("PATCH", f"/apps/{app}", {"name": "Theirs"}), ("POST", "/sessions", {"token": OWNER}), ("DELETE", "/sessions/current", None),
    ]:
        answer = browser.ask(method, target, document, page=page)
        if is_ours:
            assert answer.status < 300
        else:
            assert refused(answer) == (403, "cross-site") and "set-cookie" not in answer.fields
    assert (server.admin("GET", f"/apps/{app}").json["name"] == "Theirs") is is_ours
    # A token works as before, whatever the page.
    assert server.admin("PATCH", f"/apps/{app}", {"name": "N"}, **page).status == 200


def test_a_session_ends_with_its_token(server):
    ana = token(server)
    browser = Browser(server)
    browser.sign_in(ana["token"])
    assert server.admin("DELETE", f"/tokens/{ana['id']}").status == 204
    gone = browser.ask("GET", "/sessions/current")
    assert refused(gone) == (401, "unauthenticated") and gone.fields["www-authenticate"] == "Bearer"
    assert refused(browser.sign_in(ana["token"])) == (401, "unauthenticated")
    assert sql(server, "SELECT COUNT(*) FROM sessions WHERE token = '%s'" % ana["id"]).strip() == "0"


def test_a_session_does_not_outlast_its_token(server):
    guest = token(server, expiresAt=instant(3600))
    browser = Browser(server)
    assert browser.sign_in(guest["token"]).json["expiresAt"] == guest["expiresAt"]
    assert 3000 < int(browser.last_set.split("; ")[2].removeprefix("Max-Age=")) <= 3600


LIBRARIES = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


@on_sqlite
@pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not installed")
def test_a_session_ends_after_twelve_hours(tmp_path):
    now = tmp_path / "now"
    now.write_text("+0d\n")
    clock = {
        "LD_PRELOAD": str(LIBRARIES[0]), "FAKETIME_TIMESTAMP_FILE": str(now), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    # A library that is preloaded first removes a Swift program's arguments. With env it is not first.
    server = Longpress(tmp_path, through=["env"], env={**os.environ, **clock})
    browser = Browser(server)
    browser.sign_in()
    now.write_text("+11h\n")
    assert browser.ask("GET", "/sessions/current").status == 200
    now.write_text("+13h\n")
    ended = eventually(lambda: (answer := browser.ask("GET", "/sessions/current")).status == 401 and answer)
    assert ended.json["detail"].startswith("The session ended at ")
    assert browser.sign_in().status == 201
    assert server.stop() == 0


def test_a_session_survives_a_restart_but_not_another_configured_token(own):
    browser = Browser(own)
    browser.sign_in()
    own.restart()
    browser.host = "%s:%d" % own.address
    assert browser.ask("GET", "/sessions/current").status == 200
    own.flags = ("--admin-token", "another-token-of-the-acceptance-tests-0123456789")
    own.restart()
    assert browser.ask("GET", "/sessions/current").status == 401
    own.flags = ()
    own.restart()
    assert browser.ask("GET", "/sessions/current").status == 200


def test_a_right_token_signs_in_five_times_a_second(own):
    reader = token(own, "reader")["token"]
    body = '{"token": "%s"}' % reader
    begun = time.monotonic()
    answers = exchange(own, (
        "POST /admin/v1/sessions HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}").encode() * 200, half_close=True)
    made = statuses(answers).count(201)
    most = 10 + 5 * (time.monotonic() - begun)
    assert 5 <= made <= most and statuses(answers).count(429) == 200 - made and (b"\r\nRetry-After: 1\r\n" in answers or made == 200)
    # Rejected sign-ins are not in the audit, and at most one a second is in the log.
    entries = own.admin("GET", "/audit?limit=200&token=ana+the+reader").json["items"]
    assert len(entries) <= made
    assert 1 <= sum("code=too-many-requests" in line for line in own.log) < most or made == 200
    assert eventually(lambda: Browser(own).sign_in(reader).status == 201)


def test_ten_wrong_tokens_and_further_ones_wait_but_a_right_one_signs_in(own):
    inside, outside = Browser(own), Browser(own)
    inside.sign_in()
    begin = time.monotonic()
    for attempt in range(10):
        assert refused(outside.sign_in(f"lp_guess-{attempt}")) == (401, "unauthenticated")
    answer = outside.sign_in("lp_guess-10")
    assert refused(answer) == (429, "too-many-requests") and outside.cookies == {}
    assert 60 - (time.monotonic() - begin) - 1 <= int(answer.fields["retry-after"]) <= 60
    # Other people's wrong guesses do not lock anyone out.
    assert Browser(own).sign_in().status == 201 and outside.sign_in().status == 201
    assert inside.ask("GET", "/sessions/current").status == 200 and own.admin("GET", "/apps").status == 200
    line = eventually(lambda: next((line for line in own.log if answer.json["instance"] in line), None))
    assert "code=too-many-requests" in line and "address=127.0.0.1" in line and "lp_guess" not in "".join(own.log)


@pytest.mark.parametrize(("options", "fields"), [
    ((), {"X-Forwarded-For": "198.51.100.9, 192.0.2.%d", "X-Forwarded-Proto": "https", "Forwarded": "for=203.0.113.5;proto=http"}),
    (("--forwarded-header", "forwarded"),
     {"Forwarded": 'for=198.51.100.9, for="192.0.2.%d:4711";proto=https', "X-Forwarded-For": "203.0.113.5", "X-Forwarded-Proto": "http"}),
])
def test_behind_a_trusted_proxy_each_client_counts_for_itself(tmp_path, options, fields):
    server = Longpress(tmp_path, "--trusted-proxies", "127.0.0.0/8, ::1", *options)

    def sign_in(client, secret):
        said = {name: value % client if "%d" in value else value for name, value in fields.items()}
        return server.request("POST", "/admin/v1/sessions", '{"token": "%s"}' % secret, {**OURS, "Content-Type": "application/json", **said})

    assert [sign_in(1, "lp_guess").status for _ in range(11)] == [401] * 10 + [429]
    assert sign_in(2, "lp_guess").status == 401
    entered = sign_in(1, OWNER)
    assert entered.status == 201 and "; Secure" in entered.fields["set-cookie"] and "__Host-" in entered.fields["set-cookie"]
    assert server.admin("GET", "/audit?limit=1").json["items"][0]["address"] == "192.0.2.1"
    eventually(lambda: any("code=too-many-requests" in line and "address=192.0.2.1" in line for line in server.log))
    # A client that writes the field before the proxy adds its element is not believed.
    assert "198.51.100.9" not in "".join(server.log) and "203.0.113.5" not in "".join(server.log)
    # A menu is the same for everyone.
    server.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    server.admin("PUT", "/apps/a/sets/1.0", {"items": []})
    plain, forwarded = (server.get("/v1/apps/a/versions/1.0/shortcuts", **more) for more in ({}, {"X_Forwarded_For": "192.0.2.9"}))
    assert (plain.body, plain.fields["etag"], plain.fields["vary"]) == (forwarded.body, forwarded.fields["etag"], forwarded.fields["vary"])
    assert server.stop() == 0


def test_a_peer_that_is_no_trusted_proxy_is_counted_by_its_own_address(tmp_path):
    server = Longpress(tmp_path, "--trusted-proxies", "10.0.0.0/8")
    for client in range(11):
        answer = server.request("POST", "/admin/v1/sessions", '{"token": "lp_guess"}', {
            **OURS, "Content-Type": "application/json", "X-Forwarded-For": f"192.0.2.{client}", "X-Forwarded-Proto": "https"})
    assert answer.status == 429
    assert server.stop() == 0


@pytest.mark.parametrize(("body", "type", "code"), [
    ('{"token": 5}', "application/json", (422, "invalid-document")), ('{"token": "a", "x": 1}', "application/json", (422, "invalid-document")),
    ("{", "application/json", (400, "malformed-json")), ('{"token": "a"}', "text/plain", (415, "unsupported-media-type")),
    ('{"token": "%s"}' % ("a" * 5000), "application/json", (413, "content-too-large")),
])
def test_what_is_no_sign_in_is_refused(server, body, type, code):
    answer = server.request("POST", "/admin/v1/sessions", body, {**OURS, "Content-Type": type})
    assert refused(answer) == code and "set-cookie" not in answer.fields
    assert refused(server.request("POST", "/admin/v1/sessions?token=a", '{"token": "a"}', OURS)) == (400, "invalid-parameter")


def test_every_node_knows_a_session_and_its_end(tmp_path):
    cluster = Cluster(tmp_path, 2)
    try:
        one, two = cluster.nodes
        ana = token(one)
        browser = Browser(one)
        browser.sign_in(ana["token"])

        def seen():
            browser.server, browser.host = two, "%s:%d" % two.address
            return browser.ask("GET", "/sessions/current").status

        assert seen() == 200
        assert one.admin("DELETE", f"/tokens/{ana['id']}").status == 204
        assert seen() == 401
    finally:
        cluster.stop()
