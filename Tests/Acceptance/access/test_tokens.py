"""Tokens that expire, on the admin plane and on the command line."""

import datetime
import re
import subprocess
import time
import unicodedata

import pytest

from longpress import BINARY, OWNER, Longpress, eventually, soon, sql, unique
from wire import exchange, statuses


def rfc3339(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def within(**duration):
    return rfc3339(datetime.datetime.now(datetime.UTC) + datetime.timedelta(**duration))


def command(server, *arguments):
    return subprocess.run([BINARY, "token", *arguments, "--database", server.database], capture_output=True, text=True, timeout=120)


def test_a_stored_token_writes_so_often_a_second_and_the_configured_one_as_often_as_it_likes(tmp_path):
    server = Longpress(tmp_path, "--token-writes", "5")
    server.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    editor = server.admin("POST", "/tokens", {"name": "hasty", "role": "editor"}).json["token"]

    def put(token):
        # 100 in a row would take 20 seconds if none were rejected.
        return exchange(server, (
            "PUT /admin/v1/apps/a/sets/1.0/draft HTTP/1.1\r\nHost: localhost\r\n"
            f'Authorization: Bearer {token}\r\nContent-Length: 12\r\n\r\n{{"items":[]}}').encode() * 100, half_close=True)

    begun = time.monotonic()
    refused = put(editor)
    most = 10 + 5 * (time.monotonic() - begun)
    assert statuses(refused).count(429) >= 100 - most and set(statuses(refused)) <= {200, 201, 429}
    assert b"/problems/too-many-requests" in refused and b"\r\nRetry-After: 1\r\n" in refused and b"has made 5 writes within a second, the limit of --token-writes." in refused
    assert 429 not in statuses(put(OWNER))
    assert eventually(lambda: server.admin("PUT", "/apps/a/sets/1.0/draft", {"items": []}, token=editor).status == 200)
    # One line a second is logged.
    lines = [line for line in server.log if "code=too-many-requests" in line and "token=hasty" in line]
    assert 1 <= len(lines) < 10 + time.monotonic() - begun
    assert server.stop() == 0


def test_a_token_is_refused_from_its_expiry_on(server, app):
    made = soon(lambda at: server.admin("POST", "/tokens", {"name": "guest", "role": "reader", "apps": [app], "expiresAt": at}))
    assert made.status == 201 and made.json["expiresAt"].endswith("Z")

    def refusal():
        answer = server.admin("GET", f"/apps/{app}", token=made.json["token"])
        return answer.status == 401 and answer

    refused = eventually(refusal)
    assert refused.code == "unauthenticated" and refused.fields["www-authenticate"] == "Bearer"
    assert f'"guest" expired at {made.json["expiresAt"]}' in refused.json["detail"]
    # The operator sees which token it was.
    assert eventually(lambda: any("refused" in line and refused.json["instance"] in line and "token=guest" in line for line in server.log))
    counted = re.search(r'^longpress_token_refusals_total{reason="expired"} (\d+)$', server.get("/metrics").body.decode(), re.MULTILINE)
    assert int(counted[1]) >= 1
    # It stays listed until it is revoked, so that an owner sees that it expired.
    listed = {token["id"]: token for token in server.listed("/tokens")}
    assert listed[made.json["id"]]["expiresAt"] == made.json["expiresAt"]
    listed = next(line for line in command(server, "list").stdout.splitlines() if made.json["id"] in line)
    assert f"  reader  {app}  expired {made.json['expiresAt']}  " in listed and listed.endswith("  guest")
    assert server.admin("DELETE", f"/tokens/{made.json['id']}").status == 204


def test_a_token_without_an_expiry_holds(server):
    made = server.admin("POST", "/tokens", {"name": "for ever", "role": "reader"}).json
    assert made["expiresAt"] is None and server.admin("GET", "/apps", token=made["token"]).status == 200
    assert f"{made['id']}  reader  all apps  no expiry  " in command(server, "list").stdout


def test_a_token_says_when_and_from_where_it_was_last_used(server):
    used, other = (server.admin("POST", "/tokens", {"name": name, "role": "reader"}).json for name in ("used at last", "never used at all"))
    browser = server.admin("POST", "/sessions", {"token": used["token"]}, token=None, Sec_Fetch_Site="same-origin")
    before = datetime.datetime.now(datetime.UTC)
    assert browser.status == 201

    def listed():
        tokens = {token["id"]: token for token in server.listed("/tokens")}
        return tokens[used["id"]]["lastUsedAt"] and tokens

    tokens = eventually(listed)
    hours = {time.strftime("%Y-%m-%dT%H:00:00Z") for time in (before, datetime.datetime.now(datetime.UTC))}
    assert tokens[used["id"]]["lastUsedAt"] in hours and tokens[used["id"]]["lastUsedFrom"] == "127.0.0.1"
    assert (tokens[other["id"]]["lastUsedAt"], tokens[other["id"]]["lastUsedFrom"]) == (None, None)
    lines = command(server, "list").stdout
    assert f"  used {tokens[used['id']]['lastUsedAt']} from 127.0.0.1  used at last" in lines and "  never used  never used at all" in lines


def test_tokens_live_as_long_as_the_service_allows(tmp_path):
    server = Longpress(tmp_path, "--max-token-age", "2160h")
    try:
        made = [server.admin("POST", "/tokens", {"name": name, "role": "reader"}).json for name in ("old", "new")]
        in_90_days = [within(days=90, seconds=seconds) for seconds in (-60, 60)]
        assert all(in_90_days[0] < token["expiresAt"] < in_90_days[1] for token in made)
        too_late = server.admin("POST", "/tokens", {"name": "later", "role": "reader", "expiresAt": within(days=91)})
        assert (too_late.status, too_late.violations) == (422, {("expiresAt", "time-too-late")})
        # Like a token from before the limit, with a clock that has advanced.
        day = 86_400_000
        sql(server, f"UPDATE tokens SET expires_at = NULL, created_at = created_at - {90 * day} WHERE name = 'old'")
        refused = server.admin("GET", "/apps", token=made[0]["token"])
        assert refused.status == 401 and "older than --max-token-age allows" in refused.json["detail"]
        assert server.admin("GET", "/apps", token=made[1]["token"]).status == 200

        def expiring():
            return int(re.search(r"^longpress_tokens_expiring (\d+)$", server.get("/metrics").body.decode(), re.MULTILINE)[1])

        assert expiring() == 0
        sql(server, f"UPDATE tokens SET created_at = created_at - {84 * day} WHERE name = 'new'")
        assert expiring() == 1
        doctor = subprocess.run(
            [BINARY, "doctor", "--max-token-age", "2160h", "--database", server.database], capture_output=True, text=True, timeout=120)
        assert doctor.returncode == 0 and "warning: tokens: Tokens that expire within 7 days: 1." in doctor.stdout, doctor
        listed = {token["name"]: token["expiresAt"] for token in server.listed("/tokens")}
        assert listed["old"] < within() < listed["new"] < within(days=7)
    finally:
        server.stop()


def test_a_token_that_expires_makes_none_that_outlasts_it(server):
    own, later = within(hours=1), within(hours=2)
    guest = server.admin("POST", "/tokens", {"name": "guest owner", "role": "owner", "expiresAt": own}).json
    for member in ({}, {"expiresAt": None}, {"expiresAt": later}):
        refused = server.admin("POST", "/tokens", {"name": "x", "role": "owner"} | member, token=guest["token"])
        assert (refused.status, refused.code) == (403, "forbidden") and guest["expiresAt"] in refused.json["detail"], member
    for end in (own, within(minutes=30)):
        made = server.admin("POST", "/tokens", {"name": unique("x"), "role": "owner", "expiresAt": end}, token=guest["token"])
        assert made.status == 201 and made.json["expiresAt"] <= guest["expiresAt"]
        # The tokens that it creates do not outlive the limit either.
        assert server.admin("POST", "/tokens", {"name": "y", "role": "reader"}, token=made.json["token"]).status == 403
    # The configured token has no limit, and neither has a token that is valid until it is revoked.
    free = server.admin("POST", "/tokens", {"name": "free", "role": "owner"}).json
    assert server.admin("POST", "/tokens", {"name": "z", "role": "reader", "expiresAt": later}, token=free["token"]).status == 201


@pytest.mark.parametrize(("member", "violation"), [
    ({"expiresAt": "2020-01-01T00:00:00Z"}, ("expiresAt", "time-past")), ({"expiresAt": "90d"}, ("expiresAt", "date-invalid")),
    ({"apps": []}, ("apps", "apps-empty")), ({"apps": ["-"]}, ("apps[0]", "id-invalid")),
])
def test_a_token_that_could_do_nothing_is_refused(server, member, violation):
    answer = server.admin("POST", "/tokens", {"name": "x", "role": "reader"} | member)
    assert (answer.status, answer.violations) == (422, {violation})


@pytest.mark.parametrize(("expires", "about"), [
    ("2099-01-01T00:00:00Z", None), ("90d", datetime.timedelta(days=90)), ("12h", datetime.timedelta(hours=12)),
])
def test_the_command_line_makes_tokens_that_end(server, expires, about):
    made = command(server, "create", "--name", f"until {expires}", "--role", "reader", "--expires", expires)
    assert made.returncode == 0 and server.admin("GET", "/apps", token=made.stdout.strip()).status == 200
    (token,) = [token for token in server.listed("/tokens") if token["name"] == f"until {expires}"]
    if about is None:
        assert token["expiresAt"] == expires
    else:
        left = datetime.datetime.fromisoformat(token["expiresAt"]) - datetime.datetime.now(datetime.UTC)
        assert about - datetime.timedelta(minutes=5) < left <= about


@pytest.mark.parametrize("expires", ["2020-01-01T00:00:00Z", "0d", "-1d", "soon", "2w", "99999999999999999999d", "d"])
def test_the_command_line_refuses_an_expiry_that_is_none(server, expires):
    refused = command(server, "create", "--name", "x", "--role", "reader", f"--expires={expires}")
    assert (refused.returncode, refused.stdout) == (1, "") and refused.stderr.strip().endswith(".")
    if expires in ("soon", "2w", "d"):
        assert "such as 90d or 12h" in refused.stderr


@pytest.mark.parametrize("name", ["types", "apps"])
def test_an_endpoint_that_would_hear_nothing_is_refused(server, name):
    answer = server.admin("POST", "/webhooks", {"url": "http://127.0.0.1:9/", name: []})
    assert (answer.status, answer.violations) == (422, {(name, f"{name}-empty")})
    made = server.admin("POST", "/webhooks", {"url": "http://127.0.0.1:9/", "types": ["app.created"], "apps": ["a"]})
    assert server.admin("PATCH", f"/webhooks/{made.json['id']}", {name: []}).violations == {(name, f"{name}-empty")}
    assert server.admin("PATCH", f"/webhooks/{made.json['id']}", {name: None}).json[name] is None
    assert server.admin("DELETE", f"/webhooks/{made.json['id']}").status == 204


# Names and owners


def create(server, name, **more):
    token = {"token": more.pop("by")} if "by" in more else {}
    return server.admin("POST", "/tokens", {"name": name, "role": "reader"} | more, **token)


def test_a_name_is_one_tokens_and_rests_after_it(server):
    name = unique("Zoë")
    made = create(server, name)
    assert (made.status, made.json["owner"], made.json["createdBy"]) == (201, name, "admin-token")
    for taken in (name, name.upper(), unicodedata.normalize("NFD", name)):
        refused = create(server, taken)
        assert (refused.status, refused.code) == (409, "conflict") and "Choose another name" in refused.json["detail"]
    assert server.admin("DELETE", f"/tokens/{made.json['id']}").status == 204
    refused = create(server, name)
    assert refused.status == 409 and "was revoked at" in refused.json["detail"] and "is reserved until" in refused.json["detail"]
    for reserved in ("admin-token", "Admin-Token", "command-line"):
        assert create(server, reserved).status == 409


def test_an_owner_is_said_in_lists_and_never_changes(server):
    first = create(server, unique("laptop"), owner="ana@example.com", role="owner").json
    second = create(server, unique("phone"), owner="ana@example.com", by=first["token"]).json
    assert (second["owner"], second["createdBy"]) == ("ana@example.com", first["id"])
    listed = {token["id"]: token for token in server.listed("/tokens")}
    assert [listed[token["id"]]["owner"] for token in (first, second)] == ["ana@example.com"] * 2
    assert listed[second["id"]]["createdBy"] == first["id"]
    assert create(server, unique("x"), owner="").violations == {("owner", "text-invalid")}
    name = unique("made")
    made = command(server, "create", "--name", name, "--role", "reader", "--owner", "Ben")
    assert made.returncode == 0
    again = command(server, "create", "--name", name, "--role", "reader")
    assert again.returncode == 1 and "Choose another name" in again.stderr
    assert any(line.endswith(f"  {name}  Ben") for line in command(server, "list").stdout.splitlines())
    (listed,) = [token for token in server.listed("/tokens") if token["name"] == name]
    assert (listed["owner"], listed["createdBy"]) == ("Ben", None)


def test_tokens_of_one_name_are_renamed_at_the_next_start(own):
    """As programs before 0.9 left them."""
    ids = [create(own, name).json["id"] for name in ("ci", "other")]
    sql(own, f"UPDATE tokens SET name = 'ci', owner = NULL WHERE id = '{ids[1]}'")
    own.restart()
    listed = {token["id"]: (token["name"], token["owner"]) for token in own.admin("GET", "/tokens").json["items"]}
    assert listed == {ids[0]: ("ci", "ci"), ids[1]: ("ci-2", "ci")}
    assert eventually(lambda: any("token.renamed" in line and ids[1] in line and "ci-2" in line for line in own.log))
    entry = own.admin("GET", "/audit?limit=1").json["items"][0]
    assert (entry["action"], entry["token"], entry["target"]["id"]) == ("token.renamed", None, ids[1])
    assert (entry["before"], entry["after"]) == ({"name": "ci"}, {"name": "ci-2"})
