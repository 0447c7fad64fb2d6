"""The dashboard and the alerts of deploy/, compared with the metrics of the running program."""

import json
import re
import subprocess
import time

import pytest
import yaml

from longpress import BINARY, ROOT, Longpress, item, on_sqlite, postgres_server
from tools import run

DASHBOARD = json.loads((ROOT / "deploy/grafana-dashboard.json").read_text())
RULES = [rule for group in yaml.safe_load((ROOT / "deploy/prometheus-alerts.yaml").read_text())["groups"] for rule in group["rules"]]
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [target["expr"] for panel in PANELS for target in panel["targets"]]


def exposed_by(server):
    assert server.admin("PUT", "/apps/com.example.watched", {"defaultLanguage": "en"}).status in (200, 201)
    server.admin("PUT", "/apps/com.example.watched/sets/1.0", {"items": [item("compose")]})
    server.shortcuts("com.example.watched", "1.0")
    return server.get("/metrics").body.decode()


@pytest.fixture
def metrics(tmp_path):
    """The metrics of a node on PostgreSQL, which has a few more than SQLite."""
    node = Longpress(tmp_path, database=postgres_server().database())
    yield exposed_by(node)
    node.stop()


@on_sqlite
def test_a_server_on_sqlite_has_the_metrics_of_a_node_but_for_those_of_the_shared_database(server, metrics):
    described = [set(re.findall(r"^# HELP (\S+) ", text, re.MULTILINE)) for text in (exposed_by(server), metrics)]
    assert described[1] - described[0] == {"longpress_change_lag_seconds", "longpress_database_connections", "longpress_database_reconnects_total",
                                           "longpress_change_notifications_total"}


@on_sqlite
def test_the_files_of_the_database_and_the_age_of_its_backup_are_measured(tmp_path):
    server = Longpress(tmp_path)

    def measured(name):
        found = re.search(rf"^{name} (\S+)$", server.get("/metrics").body.decode(), re.MULTILINE)
        return float(found[1]) if found else None

    assert measured("longpress_last_backup_timestamp_seconds") is None
    for number in (1, 2):
        before = int(time.time())
        subprocess.run([BINARY, "backup", tmp_path / f"copy{number}.sqlite", "--database", server.database], check=True, capture_output=True)
        assert before <= measured("longpress_last_backup_timestamp_seconds") <= time.time()
    assert measured("longpress_database_bytes") % 4096 == 0 < measured("longpress_database_bytes")
    assert measured("longpress_database_wal_bytes") > 0 and measured("longpress_database_free_bytes") > 0
    assert 0 < measured("process_open_fds") < measured("process_max_fds") and measured("longpress_log_lines_lost_total") == 0
    assert measured("longpress_max_connections") >= measured("longpress_max_streams") > 0 and measured("longpress_clock_offset_seconds") == 0
    assert server.stop() == 0


def test_the_metrics_are_as_prometheus_likes_them(metrics):
    assert run("promtool", "check", "metrics", input=metrics) == ""
    described = re.findall(r"^# HELP (\S+) .+\.$", metrics, re.MULTILINE)
    assert len(set(described)) == len(described) and set(described) == set(re.findall(r"^# TYPE (\S+) ", metrics, re.MULTILINE))


def test_what_is_watched_is_there_to_be_watched(metrics, tmp_path):
    # SQLite has metrics that PostgreSQL lacks, one of them only after a backup.
    own = Longpress(tmp_path, database=tmp_path / "longpress.sqlite")
    subprocess.run([BINARY, "backup", tmp_path / "copy.sqlite", "--database", own.database], check=True, capture_output=True)
    exposed = set(re.findall(r"^([a-z_]+)[{ ]", metrics + own.get("/metrics").body.decode(), re.MULTILINE))
    assert own.stop() == 0
    variables = [str(variable.get("definition", "")) for variable in DASHBOARD["templating"]["list"]]
    watched = {name for query in QUERIES + [rule["expr"] for rule in RULES] + variables for name in re.findall(r"\b(?:longpress|process)_\w+", query)}
    assert watched - exposed == set()


def test_what_is_asked_of_a_label_is_a_value_that_it_has(metrics):
    for query in QUERIES + [rule["expr"] for rule in RULES]:
        for name, label, wanted in re.findall(r'(longpress_\w+)\{[^}]*?\b(reason|outcome|state|source)=~?"([^"$]+)"', query):
            values = re.findall(rf'^{name}\{{.*?{label}="(\w+)"', metrics, re.MULTILINE)
            assert set(wanted.split("|")) <= set(values), (name, wanted)


def test_the_alerts_fire_for_what_they_are_there_for():
    folder = ROOT / "deploy"
    assert "SUCCESS" in run("promtool", "check", "rules", "prometheus-alerts.yaml", cwd=folder)
    assert "SUCCESS" in run("promtool", "test", "rules", "prometheus-alerts.test.yaml", cwd=folder)
    tested = (folder / "prometheus-alerts.test.yaml").read_text()
    manual = (ROOT / "docs/operating.md").read_text()
    for rule in RULES:
        assert f'alertname="{rule["alert"]}"' in tested and f"\n### {rule['alert']}\n" in manual, rule["alert"]
        assert rule["labels"]["severity"] in ("critical", "warning") and set(rule["annotations"]) == {"summary", "description"}
    assert set(re.findall(r"^### (Longpress\w+)$", manual, re.MULTILINE)) == {rule["alert"] for rule in RULES}


def test_every_route_that_writes_is_watched_for_writes_that_fail():
    (rule,) = [rule for rule in RULES if rule["alert"] == "LongpressWritesFailing"]
    pattern = re.search(r'route=~"([^"]+)"', rule["expr"])[1]
    paths = yaml.safe_load((ROOT / "openapi.yaml").read_text())["paths"]
    operations = [(method, operation["operationId"]) for path in paths.values() for method, operation in path.items() if method in
                  ("get", "put", "post", "patch", "delete")]
    writing = {name for method, name in operations if method != "get"} - {"checkRelease", "simulateUpdate", "resolveTap", "mergeSets"}
    # Anybody can send it, and clients repeat it.
    writing -= {"reportTaps"}
    # They also get 503 when --admin-budget is used up, which has another alert.
    writing -= {"applyTrees", "importStore"}
    assert {name for _, name in operations if re.fullmatch(pattern, name)} == writing


def test_the_dashboard_can_be_imported_and_its_queries_are_queries(tmp_path):
    assert DASHBOARD["uid"] and DASHBOARD["schemaVersion"] >= 36 and "id" not in DASHBOARD
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    taken = set()
    for place in (panel["gridPos"] for panel in DASHBOARD["panels"]):
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken and max(x for x, _ in cells) < 24
        taken |= cells
    for panel in PANELS:
        assert panel["title"] and panel["fieldConfig"]["defaults"]["unit"]
        # The panels use the chosen data source and not the one with which they were drawn.
        assert {part["datasource"]["uid"] for part in [panel, *panel["targets"]]} == {"${datasource}"}
    queries = [query.replace("$__rate_interval", "5m").replace("$job", "longpress").replace("$instance", ".*") for query in QUERIES]
    rules = tmp_path / "queries.yaml"
    rules.write_text(yaml.safe_dump({"groups": [{"name": "q", "rules": [{"record": f"q{n}", "expr": q} for n, q in enumerate(queries)]}]}))
    assert f"{len(queries)} rules found" in run("promtool", "check", "rules", str(rules))
