"""For the operator: the content of the log, and where the metrics are."""

import datetime
import itertools
import json
import re
import signal
import socket
import time

import pytest

from consumer import Consumer
from longpress import ON_POSTGRES, OWNER, Longpress, eventually, instant, item, on_sqlite, pass_time, sql, unique
from wire import exchange, get

names = itertools.count(1)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A server with defaults, except for a log in JSON and two attempts a delivery."""
    server = Longpress(tmp_path_factory.mktemp("plain"), "--log-format", "json", "--webhook-schedule", "0s,10ms")
    yield server
    assert server.stop() == 0


def said(server, message, **members):
    """The log line with that message and these members, as soon as it is there."""
    def find():
        for line in map(json.loads, list(server.log)):
            if line["message"] == message and all(line.get(name) == value for name, value in members.items()):
                return line
    return eventually(find)


def new_app(server):
    name = f"com.example.operated{next(names)}"
    assert server.admin("PUT", f"/apps/{name}", {"defaultLanguage": "en"}).status == 201
    return name


def metric(server, name):
    return float(re.search(rf"^{re.escape(name)} (\S+)$", server.get("/metrics").body.decode(), re.MULTILINE)[1])


def test_each_write_is_said_as_the_audit_has_it(plain):
    app = new_app(plain)
    plain.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose")]})
    plain.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("drafts")]})
    made = plain.admin("POST", "/tokens", {"name": "ci", "role": "reader"}).json
    for entry in plain.admin("GET", "/audit?limit=4").json["items"]:
        line = said(plain, "admin write", request=entry["request"])
        assert line["level"] == "info" and line["token"] == "admin-token" and line["address"] == "127.0.0.1"
        for name in ["action", "app", "version", "audience", "revision", "tokenID", "owner", "role", "session"]:
            assert line.get(name) == entry[name], name
        assert line["target"] == {name: value for name, value in entry["target"].items() if value is not None}
        for name in ["before", "after"]:
            assert line.get(name) == (json.dumps(entry[name], separators=(",", ":")) if name in entry else None), name
    assert said(plain, "admin write", action="token.created")["target"] == {"kind": "token", "id": made["id"], "name": "ci"}
    published = said(plain, "admin write", app=app, action="set.published")
    assert published["revision"] == 1 and not isinstance(published["revision"], str)


@pytest.mark.parametrize("method, target, document, status", [
    ("GET", "/apps/{app}/sets/9", None, 404), ("GET", "/apps/{app}/sets/x", None, 400), ("GET", "/apps?what=1", None, 400),
    ("PUT", "/apps/{app}/sets/1.0", {"itemz": [], "items": 1}, 422), ("DELETE", "/apps/{app}/sets/9", None, 404),
    ("PUT", "/apps/{app}/sets/1.0", None, 400), ("POST", "/import", {}, 422)])
def test_a_refusal_of_the_admin_plane_is_found_by_its_instance(plain, method, target, document, status):
    app = new_app(plain)
    answer = plain.admin(method, target.format(app=app), document)
    assert answer.status == status
    line = said(plain, "refused", request=answer.json["instance"])
    assert line["level"] == "info" and line["status"] == status and line["code"] == answer.code and line["token"] == "admin-token"
    assert line.get("app") == (app if "{app}" in target else None) and line["method"] == method and line["milliseconds"] >= 0
    assert line.get("violations", 0) == len(answer.json["violations"]) and "detail" not in line


def test_refused_tokens_are_said_and_counted_by_reason(plain):
    app = new_app(plain)
    reader = plain.admin("POST", "/tokens", {"name": "the-reader", "role": "reader"}).json["token"]
    counted = {reason: metric(plain, f'longpress_token_refusals_total{{reason="{reason}"}}') for reason in ["missing", "unknown", "forbidden"]}
    for token, reason, status in [(None, "missing", 401), ("lp_not-one", "unknown", 401), (reader, "forbidden", 403)]:
        answer = plain.admin("PUT", f"/apps/{app}/sets/1.0", {"items": []}, token=token)
        line = said(plain, "refused", request=answer.json["instance"])
        assert answer.status == line["status"] == status and line["app"] == app and line["address"] == "127.0.0.1"
        assert line.get("token") == ("the-reader" if token == reader else None)
        assert metric(plain, f'longpress_token_refusals_total{{reason="{reason}"}}') == counted[reason] + 1


def test_a_refusal_on_the_client_plane_is_found_by_its_instance(plain):
    app = new_app(plain)
    plain.admin("PUT", f"/apps/{app}/sets/2.0", {"items": []})
    answers = [
        plain.shortcuts("nobody", "1.0"), plain.shortcuts(app, "x"), plain.shortcuts(app, "1.0"), plain.shortcuts(app, "2.0", Accept="image/png"),
        plain.shortcuts(app, "2.0", If_Match='"other"'), plain.tap(app, "2.0", {}), plain.request("DELETE", "/v1/apps/a/versions/1/shortcuts"),
        plain.get("/nowhere"), plain.get(f"/v1/apps/{app}/versions/1/continuity"), plain.request("POST", f"/v1/apps/{app}/versions/2.0/taps", "{"),
    ]
    assert {answer.status for answer in answers} == {400, 404, 405, 406, 412, 422}
    for answer in answers:
        line = said(plain, "refused", request=answer.json["instance"])
        assert line["code"] == answer.code and line["status"] == answer.status and "address" not in line


@pytest.mark.parametrize("sent, status", [
    (b"GET /\x01 HTTP/1.1\r\n\r\n", 400), (get("/" + "a" * 9000), 414), (get("/", "A: " + "a" * 17000), 431),
    (get("/v1/apps/a/versions/1/taps", "Content-Length: 99999999", method="POST"), 413), (get(version="3.0"), 505), (get("/", method="NONE"), 501),
    (get("/v1/apps/a/versions/1/taps", "Content-Length: 1", "Expect: much", method="POST"), 417)])
def test_a_request_that_the_server_refuses_itself_is_found_by_its_instance(plain, sent, status):
    received = exchange(plain, sent, half_close=True)
    instance = re.search(rb'"instance":"(\w+)"', received)[1].decode()
    assert received.startswith(b"HTTP/1.1 %d " % status), received
    assert said(plain, "refused", request=instance)["status"] == status


def test_too_many_and_too_late_are_found_by_their_instance(tmp_path):
    server = Longpress(tmp_path, "--log-format", "json", "--max-connections-per-address", "1", "--header-timeout", "1s")
    with socket.create_connection(server.address) as first:
        first.sendall(get())
        assert b" 200 " in first.recv(65536)
        first.sendall(b"GET / HT")
        turned_away = re.search(rb'429 .*"instance":"(\w+)"', exchange(server, b""), re.DOTALL)
        late = first.recv(65536)
    line = said(server, "refused", request=turned_away[1].decode())
    assert line["status"] == 429 and line["level"] == "info" and line["address"] == "127.0.0.1"
    assert said(server, "refused", request=re.search(rb'"instance":"(\w+)"', late)[1].decode())["status"] == 408
    assert server.stop() == 0


def test_a_request_is_found_by_the_id_and_the_trace_of_its_proxy(tmp_path):
    server = Longpress(tmp_path, "--trusted-proxies", "127.0.0.1", "--log-format", "json", "--log-level", "debug")
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    sent = {"X_Request_ID": "edge-1.a_B", "traceparent": f"00-{trace}-00f067aa0ba902b7-01", "X_Forwarded_For": "203.0.113.9"}
    made = server.admin("PUT", "/apps/com.example.traced", {"defaultLanguage": "en"}, **sent)
    assert made.status == 201 and made.fields["x-request-id"] == "edge-1.a_B"
    entry = server.admin("GET", "/audit?app=com.example.traced").json["items"][0]
    assert (entry["request"], entry["address"]) == ("edge-1.a_B", "203.0.113.9")
    assert said(server, "admin write", request="edge-1.a_B")["trace"] == trace
    refused = server.admin("GET", "/apps?what=1", **{**sent, "X_Request_ID": "edge-2"})
    assert refused.fields["x-request-id"] == refused.json["instance"] == "edge-2"
    line = said(server, "refused", request="edge-2")
    assert (line["trace"], line["address"]) == (trace, "203.0.113.9")
    server.admin("PUT", "/apps/com.example.traced/sets/1.0", {"items": [item("compose")]})
    for number in range(4):
        fetched = server.shortcuts("com.example.traced", "1.0", **{**sent, "X_Request_ID": f"fetch-{number}"})
        assert fetched.status == 200 and fetched.fields["x-request-id"] == f"fetch-{number}" and "max-age" in fetched.fields["cache-control"]
        said(server, "request", request=f"fetch-{number}", route="getShortcuts")
    unknown = {**sent, "X_Request_ID": "edge 3", "traceparent": "00-x"}
    made = server.get("/nowhere", **unknown).fields["x-request-id"]
    assert re.fullmatch("[0-9a-f]{16}", made) and "trace" not in said(server, "refused", request=made)
    assert server.stop() == 0


def test_strangers_cannot_fill_the_log_and_all_of_it_is_there_at_debug(tmp_path):
    for level, most in [("info", 160), ("debug", 10_000)]:
        begun = time.monotonic()
        server = Longpress(tmp_path, "--log-format", "json", "--log-level", level)
        for target, token in [("/nowhere", "Bearer none"), ("/admin/v1/apps", "Basic YTpi"), ("/admin/v1/apps", "Bearer lp_guessed")]:
            answer = exchange(server, get(target, f"Authorization: {token}") * 400, half_close=True)
            asked = {instance.decode() for instance in re.findall(rb'"instance":"(\w+)"', answer)}
            assert len(asked) == 400
            # Rejected requests with a valid token are always logged, after the others.
            refused = server.admin("GET", "/apps?wrong=1").json["instance"]
            said(server, "refused", request=refused)
            found = {line.get("request") for line in map(json.loads, server.log)} & asked
            # One more for each second.
            assert len(found) <= most + time.monotonic() - begun and (level == "info" or found == asked)
        assert server.stop() == 0


def test_nothing_that_is_asked_for_begins_a_line_of_its_own(tmp_path):
    server = Longpress(tmp_path, "--log-level", "trace")
    forged = "x%0a2026-01-01T00:00:00.000Z%20info%20forged%0d%1b[2J"
    for target in [f"/{forged}", f"/v1/apps/{forged}/versions/1/shortcuts", f"/admin/v1/apps/{forged}", f"/v1/apps/a/versions/1/shortcuts?lang={forged}"]:
        exchange(server, get(target, f"Authorization: Bearer {OWNER}"), half_close=True)
    assert server.admin("PUT", "/apps/a", {"defaultLanguage": "en", "name": "x"}, User_Agent="a").status == 201
    assert server.admin("POST", "/tokens", {"name": "x\u202eforged\u009b2J", "role": "reader"}).status in (201, 422)
    assert server.stop() == 0
    for line in server.log:
        assert re.match(r"\S+Z (trace|debug|info|notice|warning|error) [a-z]", line) and " info forged" not in line[:40]
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", line), line


def test_what_happens_without_a_request_is_said_and_counted(plain):
    consumer = Consumer()
    consumer.answers = [500, 500, 410]
    hook = consumer.subscribe(plain, types=["app.created"], headers={"Authorization": "Bearer hidden-in-a-header"})
    exhausted = metric(plain, "longpress_deliveries_exhausted_total")
    app = new_app(plain)
    line = said(plain, "delivery exhausted", endpoint=hook["id"], app=app)
    assert (line["type"], line["status"], line["attempts"], line["level"]) == ("app.created", 500, 2, "info") and line["error"]
    delivery = plain.admin("GET", f"/webhooks/{hook['id']}/deliveries").json["items"][0]
    assert (line["delivery"], line["webhookId"]) == (delivery["id"], delivery["webhookId"])
    assert metric(plain, "longpress_deliveries_exhausted_total") == exhausted + 1
    new_app(plain)
    assert said(plain, "endpoint disabled", endpoint=hook["id"])["reason"] == "gone"
    assert metric(plain, 'longpress_endpoints_disabled{reason="gone"}') == 1
    plain.admin("PATCH", f"/webhooks/{hook['id']}", {"enabled": True})
    plain.admin("PATCH", f"/webhooks/{hook['id']}", {"enabled": False})
    by_hand = said(plain, "endpoint disabled", endpoint=hook["id"], reason="operator")
    assert by_hand["token"] == "admin-token" and said(plain, "admin write", request=by_hand["request"])["action"] == "webhook.updated"
    assert metric(plain, 'longpress_endpoints_disabled{reason="gone"}') == 0
    plain.admin("DELETE", f"/webhooks/{hook['id']}")
    assert not any("hidden-in-a-header" in line or hook["secret"] in line for line in plain.log)
    consumer.stop()


def test_a_schedule_that_fails_is_said_with_the_request_that_made_it_and_counted(plain):
    app, failed = new_app(plain), metric(plain, "longpress_schedules_failed_total")
    plain.admin("PUT", f"/apps/{app}/sets/3.0/draft", {"items": [item("gone")]})
    assert plain.admin("POST", f"/apps/{app}/sets/3.0/publish", {"at": instant(3600)}).status == 202
    plain.admin("PUT", f"/apps/{app}/sets/2.0", {"items": [], "retired": [{"id": "gone"}]})
    pass_time(plain, app, 3600)
    line = said(plain, "schedule failed", app=app)
    assert (line["version"], line["code"], line["token"]) == ("3.0.0", "id-reused", "admin-token")
    assert said(plain, "admin write", request=line["request"])["action"] == "draft.scheduled"
    assert metric(plain, "longpress_schedules_failed_total") == failed + 1


def test_with_an_address_for_the_admin_plane_all_but_the_health_checks_is_there(tmp_path):
    server = Longpress(tmp_path, "--admin-listen", "127.0.0.1:0")
    client = server.address
    line = eventually(lambda: next((line for line in server.log if "plane=admin" in line), None))
    admin = ("127.0.0.1", int(re.search(r"address=127\.0\.0\.1:(\d+)", line)[1]))
    for target, at_client in [("/healthz", 200), ("/readyz", 200), ("/metrics", 404), ("/openapi.yaml", 404), ("/admin/v1/apps", 404)]:
        server.address = client
        assert server.get(target).status == at_client, target
        server.address = admin
        assert server.get(target).status in (200, 401), target
    assert metric(server, "longpress_endpoints_disabled{reason=\"operator\"}") == 0
    server.address = client
    assert server.stop() == 0


def test_the_metrics_say_what_is_running(plain):
    info = re.search(r"^longpress_build_info\{(.*)\} 1$", plain.get("/metrics").body.decode(), re.MULTILINE)[1]
    assert re.fullmatch(r'version="\d+\.\d+\.\d+",sqlite="3\.[\d.]+",libcurl="\d+\.[\d.]+.*"', info), info


def test_anybody_with_a_token_learns_what_is_running_on_which_database(plain):
    reader = plain.admin("POST", "/tokens", {"name": unique("r"), "role": "reader"}).json["token"]
    about = plain.admin("GET", "/about", token=reader).json
    info = plain.get("/metrics").body.decode()
    for label, version in [("version", about["version"]), *(item for item in about["libraries"].items() if item[0] != "libpq")]:
        assert f'{label}="{version}"' in info
    assert re.fullmatch(r"\d+\.\d+", about["libraries"]["libpq"])
    if ON_POSTGRES:
        assert about["engine"] == "postgres" and about["engineVersion"] == sql(plain, "SHOW server_version").split()[0]
    else:
        assert (about["engine"], about["engineVersion"]) == ("sqlite", about["libraries"]["sqlite"])
    rows = sql(plain, "SELECT version, name FROM schema_migrations ORDER BY version").split()
    assert [f"{step['number']}|{step['name']}" for step in about["database"]["migrations"]] == rows
    assert about["database"]["migration"] == int(rows[-1].split("|")[0]) >= 9
    assert all(datetime.datetime.fromisoformat(step["appliedAt"]).tzinfo for step in about["database"]["migrations"])
    assert plain.admin("GET", "/about", token=None).status == 401


def test_a_stop_serves_on_for_a_while_after_it_has_become_unready(tmp_path):
    server = Longpress(tmp_path, "--drain-delay", "1s", "--log-format", "json")
    app = new_app(server)
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose")]}).status == 201
    server.process.send_signal(signal.SIGTERM)
    eventually(lambda: server.get("/readyz").status == 503)
    assert server.shortcuts(app, "1.0").status == 200 and server.get("/healthz").status == 200
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("search")]}).status == 200
    assert server.process.wait(timeout=120) == 0
    assert said(server, "not ready")["drainsIn"] == "1s"


@on_sqlite
def test_the_one_node_of_a_database_is_listed_by_its_name(tmp_path):
    server = Longpress(tmp_path, "--node", "db-1.example", "--log-format", "json")
    answer = server.admin("GET", "/nodes")
    node = answer.json["items"][0]
    assert answer.status == 200 and len(answer.json["items"]) == 1 and answer.json["next"] is None
    version = re.search(r'longpress_build_info\{version="([^"]+)"', server.get("/metrics").body.decode())[1]
    assert (node["node"], node["version"], node["clockOffsetMs"], node["changesBehind"]) == ("db-1.example", version, 0, 0)
    assert node["startedAt"] <= node["seenAt"]
    assert metric(server, "longpress_nodes") == 1 and metric(server, 'longpress_node_info{node="db-1.example"}') == 1
    assert "longpress_database_connections" not in server.get("/metrics").body.decode()
    assert server.stop() == 0
