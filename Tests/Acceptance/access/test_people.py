"""People who sign in through a proxy: which proxies are trusted, which role a person gets, and what ends the session."""

import http.client
import json
import signal
import subprocess

import pytest

from browser import OURS, Browser
from longpress import BINARY, OWNER, Answer, Longpress, eventually, item, on_sqlite, unique
from test_admin_stream import ended, follow
from test_operating import said
from test_sessions import refused

EMAIL, GROUPS = "X-Forwarded-Email", "X-Forwarded-Groups"
ROLES = [
    {"address": "olga@example.com", "role": "owner"}, {"address": "ana@example.com", "role": "publisher"},
    {"address": "ben@example.com", "role": "publisher"}, {"address": "leaving@example.com", "role": "editor"},
    {"group": "mail team", "role": "editor", "apps": ["com.example.mail"]}, {"group": "staff", "role": "reader"},
]


def flags(folder, *roles):
    (folder / "roles.json").write_text(json.dumps({"roles": [*roles]}))
    return ["--sign-in-header", EMAIL, "--sign-in-groups-header", GROUPS, "--sign-in-proxies", "127.0.0.1/32,::1/128",
            "--sign-in-roles", str(folder / "roles.json"), "--log-format", "json"]


@pytest.fixture(scope="module")
def fronted(tmp_path_factory):
    """A server that trusts 127.0.0.1 as a sign-in proxy."""
    folder = tmp_path_factory.mktemp("fronted")
    server = Longpress(folder, *flags(folder, *ROLES))
    server.roles = folder / "roles.json"
    yield server
    assert server.stop() == 0


def enter(server, address, groups=None, document=None, **fields):
    """A browser behind the proxy, and the answer to its sign-in."""
    browser = Browser(server)
    fields = {EMAIL: address} | ({} if groups is None else {GROUPS: groups}) | fields

    def ask():
        # One person may sign in five times a second.
        answer = browser.ask("POST", "/sessions", {} if document is None else document, page=OURS | fields)
        return answer if answer.status != 429 else None

    return browser, eventually(ask)


def reread(server, text):
    seen = len(server.log)
    server.roles.write_text(text if isinstance(text, str) else json.dumps({"roles": text}))
    server.process.send_signal(signal.SIGHUP)
    return eventually(lambda: [json.loads(line) for line in server.log[seen:] if "reloaded" in line])[0]


def from_elsewhere(server, method, target, body=None, **fields):
    """Sends a request from an address that is not a proxy's."""
    connection = http.client.HTTPConnection(*server.address, source_address=("127.0.0.2", 0))
    connection.request(method, "/admin/v1" + target, body, {**OURS, **{name.replace("_", "-"): value for name, value in fields.items()}})
    answer = Answer(connection.getresponse())
    connection.close()
    return answer


def test_a_person_signs_in_works_and_signs_out(fronted):
    app = "com.example.people"
    fronted.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    assert Browser(fronted).ask("GET", "/sessions", page={EMAIL: "Ana@example.com"}).json == {"person": "Ana@example.com"}
    browser, entered = enter(fronted, "Ana@example.com")
    assert entered.status == 201 and len(browser.cookies) == 1
    assert entered.json == {"name": "Ana@example.com", "owner": "Ana@example.com", "role": "publisher", "apps": None, "expiresAt": entered.json["expiresAt"]}
    for named in [{}, {EMAIL: "ana@EXAMPLE.com"}]:
        assert browser.ask("GET", "/sessions/current", page=OURS | named).json == entered.json
    assert browser.ask("PUT", f"/apps/{app}/sets/1.0", {"items": []}).status == 201
    assert browser.ask("GET", f"/apps/{app}/revisions").json["items"][0]["by"] == "Ana@example.com"
    needed = browser.ask("GET", "/audit")
    assert refused(needed) == (403, "forbidden")
    assert needed.json["detail"] == 'This requires the role owner; "Ana@example.com" has publisher.'
    assert browser.ask("DELETE", "/sessions/current").status == 204 and browser.cookies == {}
    entries = fronted.admin("GET", "/audit?tokenID=person:ana@example.com").json["items"]
    assert [entry["action"] for entry in entries] == ["session.ended", "set.published", "session.created"]
    who = {"token": "Ana@example.com", "tokenID": "person:ana@example.com", "owner": "Ana@example.com", "role": "publisher", "address": "127.0.0.1"}
    (session,) = {entry["session"] for entry in entries}
    for entry in entries:
        assert who.items() <= entry.items() and entry["session"] == session == entries[0]["target"]["id"]
    assert said(fronted, "admin write", action="set.published", token="Ana@example.com")["owner"] == "Ana@example.com"


def test_another_address_is_not_believed(fronted):
    named = {"X_Forwarded_Email": "olga@example.com", "Content_Type": "application/json"}
    for body in ["{}", None]:
        answer = from_elsewhere(fronted, "POST", "/sessions", body, **named)
        assert refused(answer) == (401, "unauthenticated") and "set-cookie" not in answer.fields
        assert "--sign-in-proxies" in answer.json["detail"] and "olga" not in answer.json["detail"]
    assert from_elsewhere(fronted, "POST", "/sessions", "{}", X_Forwarded_For="127.0.0.1", Forwarded="for=127.0.0.1", **named).status == 401
    assert from_elsewhere(fronted, "GET", "/sessions", **named).json == {"person": None}
    assert from_elsewhere(fronted, "GET", "/apps", **named).status == 401
    # The client's token counts; its proxy field does not.
    answer = from_elsewhere(fronted, "POST", "/sessions", json.dumps({"token": OWNER}), **named)
    assert answer.status == 201 and answer.json["owner"] == "admin-token"
    browser, _ = enter(fronted, "ana@example.com")
    assert from_elsewhere(fronted, "GET", "/sessions/current", Cookie=browser.cookie, **named).json["owner"] == "ana@example.com"


def test_only_the_sign_in_takes_the_proxy_s_word(fronted):
    for method, target in [("GET", "/apps"), ("GET", "/sessions/current"), ("PUT", "/apps/x"), ("GET", "/stream")]:
        assert refused(Browser(fronted).ask(method, target, page=OURS | {EMAIL: "olga@example.com"})) == (401, "unauthenticated")


@pytest.mark.parametrize("lines", [
    [(EMAIL, "ana@example.com"), (EMAIL, "ana@example.com")], [(EMAIL, "ana@example.com"), ("x-forwarded-EMAIL", "eve@example.com")],
    [(EMAIL, "")], [(EMAIL, "ana@example.com,olga@example.com")], [(EMAIL, "ana@example.com olga@example.com")], [(EMAIL, "a" * 101)],
    [(EMAIL, "aña@example.com")], [(EMAIL, "ana@example.com"), (GROUPS, "staff"), (GROUPS, "owners")],
])
def test_a_proxy_names_one_person_once(fronted, lines):
    fronted_connection = http.client.HTTPConnection(*fronted.address)
    fronted_connection.putrequest("POST", "/admin/v1/sessions")
    for name, value in [*OURS.items(), ("Content-Type", "application/json"), ("Content-Length", "2"), *lines]:
        fronted_connection.putheader(name, value.encode())
    fronted_connection.endheaders(b"{}")
    answer = Answer(fronted_connection.getresponse())
    fronted_connection.close()
    # Ten of these within a minute are 429, like wrong tokens.
    assert refused(answer) in [(401, "unauthenticated"), (429, "too-many-requests")] and "set-cookie" not in answer.fields


def test_another_site_cannot_sign_a_person_in(fronted):
    for page in [{}, {"Sec-Fetch-Site": "cross-site"}]:
        assert refused(Browser(fronted).ask("POST", "/sessions", {}, page=page | {EMAIL: "ana@example.com"})) == (403, "cross-site")


def test_a_person_without_a_role_is_told_so(fronted):
    for address, groups in [("eve@example.com", None), ("eve@example.com", "mail,team,Staff"), ("mail team", None)]:
        browser, answer = enter(fronted, address.replace(" ", "-"), groups)
        assert refused(answer) == (403, "forbidden") and browser.cookies == {}
        assert answer.json["detail"].startswith(f'"{address.replace(" ", "-")}" has no role.')


def test_groups_have_roles_and_the_first_entry_counts(fronted):
    for address, groups, role, apps in [
        ("eve@example.com", "staff", "reader", None), ("eve@example.com", "x, staff ,mail team", "editor", ["com.example.mail"]),
        ("ana@example.com", "staff", "publisher", None),
    ]:
        _, entered = enter(fronted, address, groups)
        assert (entered.status, entered.json["role"], entered.json["apps"]) == (201, role, apps)
    browser, _ = enter(fronted, "eve@example.com", "mail team")
    assert refused(browser.ask("GET", "/apps/com.example.other")) == (403, "forbidden")
    # The groups are those at the time of the sign-in.
    assert browser.ask("GET", "/sessions/current", page={EMAIL: "eve@example.com", GROUPS: "staff"}).json["role"] == "editor"


def test_a_session_is_over_where_the_proxy_names_somebody_else(fronted):
    browser, _ = enter(fronted, "ana@example.com")
    for named in ["olga@example.com", "eve@example.com", ""]:
        answer = browser.ask("GET", "/sessions/current", page=OURS | {EMAIL: named})
        assert refused(answer) == (401, "unauthenticated") and "another person" in answer.json["detail"]
    # The next sign-in ends the session that the browser had.
    former = dict(browser.cookies)
    assert browser.ask("POST", "/sessions", {}, page=OURS | {EMAIL: "ben@example.com"}).json["owner"] == "ben@example.com"
    browser.cookies = former
    assert browser.ask("GET", "/sessions/current").status == 401
    # The session of a token has the rights of the token.
    browser = Browser(fronted)
    assert browser.sign_in(page=OURS | {EMAIL: "ana@example.com"}).json["owner"] == "admin-token"
    assert browser.ask("GET", "/sessions/current", page=OURS | {EMAIL: "eve@example.com"}).status == 200


def test_a_role_that_is_removed_ends_session_and_streams(fronted):
    browser, _ = enter(fronted, "leaving@example.com")
    stays, _ = enter(fronted, "ana@example.com")
    fronted.admin("PUT", "/apps/com.example.told", {"defaultLanguage": "en"})
    with follow(fronted, "com.example.told", by=browser) as stream, follow(fronted, "com.example.told", by=stays) as other:
        assert stream.next().name == other.next().name == "state"
        refused_roles = reread(fronted, '{"roles": [{"address": "leaving@example.com", "role": "king"}]}')
        assert refused_roles["message"] == "the configuration has errors and was not reloaded"
        assert browser.ask("GET", "/sessions/current").json["role"] == "editor"
        left = [entry for entry in ROLES if entry.get("address") != "leaving@example.com"]
        assert reread(fronted, left)["changed"] == 1
        assert said(fronted, "setting changed", setting="sign-in-roles")["takesEffect"] == "now"
        assert ended(stream) == "rights-changed"
        gone = browser.ask("GET", "/sessions/current")
        assert refused(gone) == (401, "unauthenticated") and "leaving@example.com" in gone.json["detail"]
        assert enter(fronted, "leaving@example.com")[1].status == 403
        assert reread(fronted, ROLES)["changed"] == 1
        # The same session, with the current role.
        assert browser.ask("GET", "/sessions/current").json["role"] == "editor"
        stays.ask("PUT", "/apps/com.example.told/sets/1.0", {"items": []})
        assert other.next().data["revision"] == 1


def test_approvals_count_a_person_once_by_token_and_session(fronted):
    app = "com.example.approved"
    fronted.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "approvals": 2})
    draft = f"/apps/{app}/sets/1.0/draft"
    made = fronted.admin("POST", "/tokens", {"name": unique("ana's laptop"), "owner": "ANA@example.com", "role": "publisher"}).json["token"]
    ana, ben, olga = [enter(fronted, f"{name}@example.com")[0] for name in ["ana", "ben", "olga"]]
    editor = fronted.admin("POST", "/tokens", {"name": unique("editor"), "role": "editor"}).json["token"]
    tag = fronted.admin("PUT", draft, {"items": [item("a")]}, token=editor).fields["etag"]
    counts = [fronted.admin("POST", draft + "/approve", token=made, If_Match=tag), ana.ask("POST", draft + "/approve", If_Match=tag),
              ben.ask("POST", draft + "/approve", If_Match=tag)]
    assert [answer.json.get("approvals") for answer in counts] == [1, 1, 2], [answer.json for answer in counts]
    # Nobody approves their own work: neither with their token, nor with one that they created.
    tag = ana.ask("PUT", draft, {"items": [item("b")]}).fields["etag"]
    for answer in [ana.ask("POST", draft + "/approve", If_Match=tag), fronted.admin("POST", draft + "/approve", token=made, If_Match=tag)]:
        assert refused(answer) == (403, "forbidden") and "has edited this draft" in answer.json["detail"]
    fronted.admin("DELETE", draft)
    tag = fronted.admin("PUT", draft, {"items": [item("c")]}, token=made).fields["etag"]
    answer = ana.ask("POST", draft + "/approve", If_Match=tag)
    assert refused(answer) == (403, "forbidden") and answer.json["detail"].startswith('"ana@example.com" has edited this draft with the token ')
    fronted.admin("DELETE", draft)
    tag = olga.ask("PUT", draft, {"items": [item("d")]}).fields["etag"]
    hers = olga.ask("POST", "/tokens", {"name": unique("deputy"), "role": "publisher"}).json
    assert hers["createdBy"] == "person:olga@example.com"
    answer = fronted.admin("POST", draft + "/approve", token=hers["token"], If_Match=tag)
    assert refused(answer) == (403, "forbidden") and 'was created by "olga@example.com"' in answer.json["detail"]
    # The session survives the process in which it began.
    fronted.restart()
    assert ana.ask("POST", draft + "/approve", If_Match=tag).json["approvals"] == 1


def test_it_is_out_of_reach_at_the_address_of_the_clients(tmp_path):
    server = Longpress(tmp_path, *flags(tmp_path, *ROLES), "--admin-listen", "127.0.0.1:0")
    answer = enter(server, "olga@example.com")[1]
    assert answer.status == 404 and Browser(server).ask("GET", "/sessions", page={EMAIL: "olga@example.com"}).status == 404
    host, port = said(server, "listening", plane="admin")["address"].rsplit(":", 1)
    server.address = (host, int(port))
    assert enter(server, "olga@example.com")[1].status == 201
    assert server.stop() == 0


def test_without_the_settings_the_header_means_nothing(server):
    assert Browser(server).ask("GET", "/sessions", page={EMAIL: "ana@example.com"}).json == {"person": None}
    assert enter(server, "ana@example.com")[1].violations == {("token", "required")}


@on_sqlite
def test_what_is_wrong_is_said_at_the_start_and_by_doctor_together(tmp_path):
    roles = tmp_path / "roles.json"
    roles.write_text('{"roles": [{"address": "a b", "role": "king"}, {"group": "g", "role": "reader", "apps": []}]}')
    base = ["--database", str(tmp_path / "l.sqlite")]

    def run(command, *more):
        done = subprocess.run([BINARY, command, *base, *more], capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    wrong = ["--sign-in-header", "Authorization", "--sign-in-proxies", "0.0.0.0/0", "--sign-in-roles", str(roles), "--sign-in-groups-header", "a b"]
    for command in ["serve", "doctor"]:
        status, text = run(command, *wrong)
        assert status != 0
        for part in ["--sign-in-header", "--sign-in-proxies", "every address", "--sign-in-groups-header", "roles[0].address", '"king" is not a role', "roles[1].apps"]:
            assert part in text, (command, part, text)
    for given in [["--sign-in-header", EMAIL], ["--sign-in-roles", str(tmp_path / "none.json")], ["--sign-in-groups-header", GROUPS]]:
        status, text = run("doctor", *given)
        assert status != 0 and "It is not set." in text
    right = flags(tmp_path, *ROLES)[:-2]
    status, text = run("doctor", *right)
    assert status == 0 and "6 entries" in text and "--trusted-proxies is empty" in text and "Nobody is in a group" not in text
    status, text = run("doctor", *right[:2], *right[4:], "--trusted-proxies", "127.0.0.1")
    assert status == 0 and "Nobody is in a group" in text
