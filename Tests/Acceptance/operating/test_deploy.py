"""The samples of deploy/ with the program. These tests check what needs no container engine."""

import fnmatch
import http.client
import json
import pathlib
import re
import socket
import ssl
import subprocess

import pytest
import yaml

from event_stream import EventStream
from front import Front
from longpress import BINARY, OWNER, ROOT, Answer, Longpress, eventually, item, postgres_server
from tools import free_ports

pytestmark = pytest.mark.any_engine

DEPLOY = ROOT / "deploy"


SAMPLES = ["kubernetes.yaml", "kubernetes.cluster.yaml"]


def manifests(sample):
    return {manifest["kind"] + "/" + manifest["metadata"]["name"]: manifest for manifest in yaml.safe_load_all((DEPLOY / sample).read_text())}


def pod(sample):
    return manifests(sample)["Deployment/longpress"]["spec"]["template"]["spec"]


def settings(container):
    return {entry["name"]: entry.get("value") for entry in container["env"]}


def compose(name):
    return yaml.safe_load((DEPLOY / name).read_text())["services"]


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", text)[1])


@pytest.mark.parametrize("path", sorted(path.name for path in DEPLOY.iterdir() if path.suffix in (".yaml", ".yml")))
def test_every_yaml_file_can_be_read(path):
    assert all(yaml.safe_load_all((DEPLOY / path).read_text()))


def test_images_are_of_this_version_and_not_pulled_at_every_start():
    version = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    for sample in SAMPLES:
        [container] = pod(sample)["containers"]
        assert container["image"] == f"longpress:{version}" and container["imagePullPolicy"] == "IfNotPresent"
    services = [*compose("compose.yaml").values(), *compose("compose.cluster.yaml").values()]
    assert [service["image"] for service in services if "build" in service] == [f"longpress:{version}"] * 4
    others = [service["image"] for service in services if "build" not in service]
    for image in others + re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE):
        assert re.search(r":(?!latest).*(\d|bookworm)", image), image
    assert re.search(r"Litestream \d+\.\d+\.\d+", (DEPLOY / "litestream.yml").read_text())


def test_every_setting_that_a_sample_gives_is_one():
    known = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    for path in filter(pathlib.Path.is_file, DEPLOY.rglob("*")):
        for name in re.findall(r"\bLONGPRESS_([A-Z_]+)", path.read_text()):
            assert f"--{name.lower().replace('_', '-')} " in known, (path.name, name)
    given = re.findall(r"--([a-z-]+)", (DEPLOY / "oauth2-proxy.cfg").read_text().split("and Longpress with")[1].split("In nginx.conf")[0])
    assert len(given) == 7 and all(f"--{name} " in known for name in given)


def test_the_settings_of_the_debian_package_are_settings():
    known = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    assert all(f"--{name} " in known for name in json.loads((DEPLOY / "debian/longpress.json").read_text()))


def test_the_debian_package_changes_the_unit_where_it_says():
    unit, changes = (DEPLOY / "longpress.service").read_text(), (ROOT / "scripts/build-deb").read_text()
    patterns = re.findall(r"-e 's\|(\^[A-Z][^|]*)\|", changes)
    assert len(patterns) == 3 and all(len(re.findall(pattern, unit, re.MULTILINE)) == 1 for pattern in patterns)


@pytest.mark.parametrize("sample", SAMPLES)
def test_probes_ask_what_is_answered_where_they_ask(server, sample):
    [container] = pod(sample)["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    probes = {kind: container[kind + "Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")}
    assert {kind: probe["path"] for kind, probe in probes.items()} == {"startup": "/readyz", "readiness": "/readyz", "liveness": "/healthz"}
    assert all(probe["port"] == "http" and server.get(probe["path"]).status == 200 for probe in probes.values())
    assert settings(container)["LONGPRESS_ADMIN_LISTEN"].endswith(f":{ports['admin']}")
    assert manifests(sample)["Service/longpress"]["spec"]["ports"][0]["targetPort"] == "http"
    assert manifests(sample)["Service/longpress-admin"]["spec"]["ports"][0]["targetPort"] == "admin"
    annotations = manifests(sample)["Deployment/longpress"]["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(ports["admin"])


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_pod_may_do_nothing_but_write_its_volumes(sample):
    [container] = pod(sample)["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert pod(sample)["securityContext"]["runAsNonRoot"] and pod(sample)["automountServiceAccountToken"] is False
    user = re.search(r"^USER (\d+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)[1]
    assert pod(sample)["securityContext"]["runAsUser"] == int(user)
    memory = container["resources"]["limits"]["memory"]
    assert memory in (ROOT / "docs/operating.md").read_text() and set(container["resources"]["requests"]) == {"cpu", "memory"}


def test_replicas_of_kubernetes_end_one_after_another_and_have_the_time_for_it():
    deployment, budget = (manifests("kubernetes.cluster.yaml")[name] for name in ("Deployment/longpress", "PodDisruptionBudget/longpress"))
    [container] = pod("kubernetes.cluster.yaml")["containers"]
    given, labels = settings(container), deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["replicas"] == 3 and deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert budget["spec"] == {"maxUnavailable": 1, "selector": {"matchLabels": labels}}
    spread = pod("kubernetes.cluster.yaml")["topologySpreadConstraints"]
    assert all(constraint["labelSelector"]["matchLabels"] == labels for constraint in spread)
    delay, timeout = (seconds(given[name]) for name in ("LONGPRESS_DRAIN_DELAY", "LONGPRESS_DRAIN_TIMEOUT"))
    assert pod("kubernetes.cluster.yaml")["terminationGracePeriodSeconds"] > delay + timeout
    assert container["readinessProbe"]["periodSeconds"] * container["readinessProbe"]["failureThreshold"] < delay
    sources = {entry["name"]: entry["valueFrom"] for entry in container["env"] if "valueFrom" in entry}
    assert sources["LONGPRESS_NODE"]["fieldRef"]["fieldPath"] == "metadata.name" and "secretKeyRef" in sources["LONGPRESS_DATABASE"]
    # A node stores nothing.
    assert "PersistentVolumeClaim" not in (DEPLOY / "kubernetes.cluster.yaml").read_text()


def test_nodes_of_compose_have_names_and_the_addresses_of_the_front():
    services = compose("compose.cluster.yaml")
    nodes = [service for service in services.values() if "LONGPRESS_NODE" in service.get("environment", {})]
    assert len({node["environment"]["LONGPRESS_NODE"] for node in nodes}) == len(nodes) == 3
    front = (DEPLOY / "nginx.cluster.conf").read_text()
    addresses = {node["networks"]["inside"]["ipv4_address"] for node in nodes}
    assert set(re.findall(r"server ([\d.]+):8080 ", front)) == addresses
    proxy = services["nginx"]["networks"]["inside"]["ipv4_address"]
    assert {node["environment"]["LONGPRESS_TRUSTED_PROXIES"] for node in nodes} == {proxy + "/32"} and proxy not in addresses
    assert seconds(nodes[0]["stop_grace_period"]) > 20 and services["nginx"]["ports"] == ["127.0.0.1:8080:8080"]
    # The URI is valid; its server is replaced by the tests' server.
    server, [uri] = postgres_server(), {node["environment"]["LONGPRESS_DATABASE"] for node in nodes}
    database = services["postgres"]["networks"]["inside"]["ipv4_address"]
    assert uri == f"postgres://{services['postgres']['environment']['POSTGRES_USER']}@{database}/{services['postgres']['environment']['POSTGRES_DB']}"
    server.sql("CREATE ROLE longpress LOGIN", "postgres")
    server.sql("CREATE DATABASE longpress OWNER longpress", "postgres")
    subprocess.run([BINARY, "migrate", "--database", uri.replace(database, f"127.0.0.1:{server.port}")], check=True, capture_output=True)


def test_the_build_context_has_what_is_built_and_nothing_else():
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]

    def is_ignored(path):
        parts = path.split("/")
        heads = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        plain = [pattern for pattern in patterns if not pattern.startswith("**/")]
        return any(fnmatch.fnmatchcase(head, pattern) and head.count("/") == pattern.count("/") for head in heads for pattern in plain) or any(
            fnmatch.fnmatchcase(part, pattern.removeprefix("**/")) for part in parts for pattern in patterns if pattern.startswith("**/"))

    tracked = subprocess.run(["git", "ls-files", "Sources", "Tests", "migrations"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode != 0:
        pytest.skip("this is no clone")
    needed = [path for path in tracked.stdout.splitlines() if not path.endswith(".md")] + ["Package.swift", "Package.resolved", "openapi.yaml"]
    assert [path for path in needed if is_ignored(path)] == []
    for path in [".git/config", ".build/debug/longpress", ".build-x/y", ".venv/bin/python", "longpress.sqlite", "longpress.sqlite-wal",
                 "Tests/Acceptance/__pycache__/x.pyc", "data/longpress.sqlite", "Benchmarks/FixedAnswer/.build/release/x", ".env", "tls.key"]:
        assert is_ignored(path), path


def nginx_before(server, folder, *more):
    """nginx with the sample, whose addresses and folders are replaced. Returns it with its ports for http and https. The certificate is in
    the folder."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9", "-subj",
                    "/CN=menus.example.com", "-addext", "subjectAltName=DNS:menus.example.com,DNS:console.example.com", "-keyout", "privkey.pem",
                    "-out", "fullchain.pem"], cwd=folder, check=True, capture_output=True)
    plain, secure = free_ports(2)
    front = Front(folder, "nginx.conf", [
        ("    listen [::]:80;\n", ""), ("    listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"), ("listen 443 ", f"listen 127.0.0.1:{secure} "), ("127.0.0.1:8080", "{}:{}".format(*server.address)),
        ("/var/cache/longpress", f"{folder}/cache"), ("/etc/letsencrypt/live/menus.example.com", str(folder)), *more,
    ], [secure, plain])
    return front, plain, secure


@pytest.fixture
def front(server, tmp_path):
    """The ports for http and https of nginx with the sample, and the certificate."""
    front, plain, secure = nginx_before(server, tmp_path)
    yield plain, secure, tmp_path / "fullchain.pem"
    said = front.stop()
    assert "[warn]" not in said, said


def ask_front(folder, port, target, host="menus.example.com", method="GET", body=None, **fields):
    raw = socket.create_connection(("127.0.0.1", port), timeout=120)
    connection = http.client.HTTPConnection(host)
    connection.sock = ssl.create_default_context(cafile=folder / "fullchain.pem").wrap_socket(raw, server_hostname=host)
    try:
        connection.request(method, target, body, {name.replace("_", "-"): value for name, value in fields.items()})
        return Answer(connection.getresponse())
    finally:
        connection.close()


HIDDEN = [
    "/admin/v1/apps", "/%61dmin/v1/apps", "//admin/v1/apps", "/./admin/v1/apps", "/v1/../admin/v1/apps", "/v1/..%2fadmin/v1/apps",
    "/v1/%2e%2e/admin/v1/apps", "/v1/%2e%2e%2fadmin/v1/apps", "/admin/v1/apps/..%2f..%2f..%2fv1%2fx", "/admin/v1/apps/..%2F..%2F..%2Fv1%2Fstream",
    "/admin/v1/apps/%2e%2e/%2e%2e/%2e%2e/v1/x", "/admin/v1/apps/../../../v1/stream", "/admin/v1/apps/..%2f..%2f..%2f..%2fv1/", "/admin%2f..%2fv1/", "/v1%2f..%2fadmin/v1/apps",
    "/console/..%2fv1/", "/console/", "/metrics", "/%6detrics", "/metrics/..%2fv1/", "/openapi.yaml", "/readyz", "/healthz/..%2fadmin/v1/apps", "/",
    "/v1", "/V1/../admin/v1/apps", "/v1\\..\\admin\\v1\\apps", "/healthz?/v1/", "/admin/v1/apps?/v1/", "/admin/v1/apps#/v1/", "/problems/forbidden",
]


def test_no_spelling_of_a_path_leads_through_the_front_to_the_admin_plane(tmp_path):
    server = Longpress(tmp_path, "--trusted-proxies", "127.0.0.1", "--log-format", "json", "--log-level", "debug")
    front, _, secure = nginx_before(server, tmp_path)
    for target in HIDDEN:
        answer = ask_front(tmp_path, secure, target, Authorization=f"Bearer {OWNER}")
        assert answer.status in (400, 404) and b"nginx" in answer.body, (target, answer.status, answer.body)
    # The answer to the last request arrives after answers to the others would have arrived.
    last = ask_front(tmp_path, secure, "/v1/apps/nobody/versions/1.0/shortcuts?x=%2fadmin")
    eventually(lambda: any(last.fields["x-request-id"] in line for line in server.log))
    routes = {json.loads(line)["route"] for line in server.log if '"route"' in line}
    assert last.status == 404 and last.code == "unknown-app" and routes == {"getShortcuts"}
    front.stop()
    assert server.stop() == 0


def test_one_id_finds_a_request_in_the_front_s_log_the_answer_the_log_and_the_audit(tmp_path):
    server = Longpress(tmp_path, "--trusted-proxies", "127.0.0.1", "--allowed-hosts", "console.example.com", "--log-format", "json")
    front, _, secure = nginx_before(server, tmp_path, ("allow 10.0.0.0/8;", "allow 127.0.0.0/8;"))
    forged = {"X_Request_ID": "forged", "X_Forwarded_For": "203.0.113.5"}
    app = "com.example.behind"
    made = ask_front(tmp_path, secure, f"/admin/v1/apps/{app}", "console.example.com", "PUT", '{"defaultLanguage": "en"}',
                     Authorization=f"Bearer {OWNER}", Content_Type="application/json", **forged)
    entry = server.admin("GET", f"/audit?app={app}").json["items"][0]
    assert made.status == 201 and entry["request"] == made.fields["x-request-id"] and entry["address"] == "127.0.0.1"
    assert ask_front(tmp_path, secure, "/console/", "console.example.com").status == 200
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose")]})
    refused = ask_front(tmp_path, secure, f"/v1/apps/{app}/versions/1.0/taps", method="POST", body="{", Content_Type="application/json", **forged)
    assert refused.status == 400 and refused.json["instance"] == refused.fields["x-request-id"] != "forged"
    fetched = [ask_front(tmp_path, secure, f"/v1/apps/{app}/versions/1.0/shortcuts", **forged) for _ in range(3)]
    assert [answer.fields["x-cache"] for answer in fetched] == ["MISS", "HIT", "HIT"]
    ids = [answer.fields["x-request-id"] for answer in [made, refused, *fetched]]
    assert len(set(ids)) == 5
    eventually(lambda: all(id in (tmp_path / "longpress.log").read_text() for id in ids))
    eventually(lambda: all(any(id in line for line in server.log) for id in ids[:2]))
    front.stop()
    assert server.stop() == 0


def test_nobody_outside_says_who_signs_in(tmp_path):
    (tmp_path / "roles.json").write_text('{"roles": [{"group": "owners", "role": "owner"}]}')
    server = Longpress(tmp_path, "--sign-in-header", "X-Forwarded-Email", "--sign-in-groups-header", "X-Forwarded-Groups", "--sign-in-proxies", "127.0.0.1",
                       "--sign-in-roles", str(tmp_path / "roles.json"), "--allowed-hosts", "console.example.com")
    front, _, secure = nginx_before(server, tmp_path, ("allow 10.0.0.0/8;", "allow 127.0.0.0/8;"))
    said = {"X_Forwarded_Email": "ana@example.com", "X_Forwarded_Groups": "owners", "Sec_Fetch_Site": "same-origin", "Content_Type": "application/json"}
    assert ask_front(tmp_path, secure, "/admin/v1/sessions", "console.example.com", **said).json == {"person": None}
    answer = ask_front(tmp_path, secure, "/admin/v1/sessions", "console.example.com", "POST", "{}", **said)
    assert answer.status == 422 and "set-cookie" not in answer.fields
    # The field of a proxy on the way counts.
    front.reload('proxy_set_header X-Forwarded-Email "";', 'proxy_set_header X-Forwarded-Email "ben@example.com";')
    assert ask_front(tmp_path, secure, "/admin/v1/sessions", "console.example.com", **said).json == {"person": "ben@example.com"}
    answer = ask_front(tmp_path, secure, "/admin/v1/sessions", "console.example.com", "POST", "{}", **said)
    assert answer.code == "forbidden" and answer.json["detail"].startswith('"ben@example.com" has no role.')
    front.stop()
    assert server.stop() == 0


def test_the_front_shows_the_console_to_named_networks_only(server, tmp_path):
    front, _, secure = nginx_before(server, tmp_path)
    assert ask_front(tmp_path, secure, "/console/", "console.example.com").status == 403
    assert ask_front(tmp_path, secure, "/healthz").status == 200
    front.stop()


def test_the_front_bounds_the_streams_of_a_client(server, app, front):
    _, secure, certificate = front

    def open_stream():
        raw = socket.create_connection(("127.0.0.1", secure), timeout=120)
        stream = ssl.create_default_context(cafile=certificate).wrap_socket(raw, server_hostname="menus.example.com")
        stream.sendall(f"GET /v1/stream?app={app} HTTP/1.1\r\nHost: menus.example.com\r\n\r\n".encode())
        return stream, stream.recv(12)

    streams = [open_stream() for _ in range(17)]
    assert [head[9:12] for _, head in streams] == [b"200"] * 16 + [b"429"]
    for stream, _ in streams:
        stream.close()


def test_the_front_passes_each_event_of_a_stream_on_as_it_comes(server, app, front):
    _, secure, certificate = front
    raw = socket.create_connection(("127.0.0.1", secure), timeout=120)
    connection = http.client.HTTPConnection("menus.example.com")
    connection.sock = ssl.create_default_context(cafile=certificate).wrap_socket(raw, server_hostname="menus.example.com")
    with EventStream(server, app, connection=connection) as stream:
        assert stream.next().name == "state" and "x-cache" not in stream.fields
        for revision in (1, 2):
            server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose", str(revision))]})
            assert stream.next().data["revision"] == revision


def test_the_front_speaks_tls_caches_menus_and_hides_the_admin_plane(server, app, front):
    plain, secure, certificate = front
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose", {"en": "Compose", "ko": "쓰기"})]})

    def ask(method, target, body=None, **fields):
        answer = ask_front(certificate.parent, secure, target, "menus.example.com", method, body, **fields)
        return answer.status, answer.fields, answer.body

    target = f"/v1/apps/{app}/versions/1.0/shortcuts"
    for language, cached in [("en", "MISS"), ("en", "HIT"), ("ko", "MISS"), ("ko", "HIT"), ("en", "HIT")]:
        status, fields, body = ask("GET", target, Accept_Language=language)
        assert (status, fields["x-cache"], fields["content-language"]) == (200, cached, language)
        assert body == server.shortcuts(app, "1.0", Accept_Language=language).body
    assert ask("GET", target, Accept_Language="en", Accept_Encoding="gzip")[1]["content-encoding"] == "gzip"
    assert ask("GET", target, Accept_Language="en", If_None_Match=fields["etag"])[0] == 304
    status, _, body = ask("POST", f"/v1/apps/{app}/versions/1.0/taps", '{"type": "com.example.compose"}', Content_Type="application/json")
    assert status == 200 and b"untagged" in body
    for hidden in ["/admin/v1/apps", "/metrics", "/openapi.yaml", "/readyz"]:
        assert ask("GET", hidden)[0] == 404
    assert ask("GET", "/healthz")[0] == 200
    connection = http.client.HTTPConnection("127.0.0.1", plain, timeout=120)
    connection.request("GET", target, headers={"Host": "menus.example.com"})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, "https://menus.example.com" + target)
    connection.close()
