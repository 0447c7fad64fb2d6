"""Each threat of SECURITY.md that no other test covers."""

import os
import pathlib
import signal
import socket
import subprocess
import tempfile

import pytest

from consumer import Consumer
from longpress import BINARY, OWNER, Longpress, eventually, item, on_sqlite, requires_user, stored
from wire import exchange, get, statuses

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="another user's name and a file system need root to be taken")


@pytest.mark.parametrize("format", ["text", "json"])
def test_secrets_are_shown_once_and_found_nowhere_else(tmp_path, format):
    server = Longpress(tmp_path, "--log-level", "trace", "--log-format", format)
    said = []

    def ask(method, target, document=None, **more):
        answer = server.admin(method, target, document, **more)
        said.append(answer.body + repr(answer.fields).encode())
        return answer

    made = server.admin("POST", "/tokens", {"name": "ci", "role": "owner"}).json
    token = made["token"]
    consumer = Consumer()
    consumer.answers = [500, 410]
    endpoint = consumer.subscribe(server)
    header = "Bearer of-a-header-0123456789"
    secret, ask_as = endpoint["secret"], {"token": token}
    ask("PATCH", f"/webhooks/{endpoint['id']}", {"headers": {"X-Api-Key": "plain"}}, **ask_as)
    ask("PUT", "/apps/a", {"defaultLanguage": "en"}, **ask_as)
    ask("PUT", "/apps/a/sets/1.0", {"items": [item("compose")]}, **ask_as)
    eventually(lambda: len(consumer.received) >= 2)
    # Each of these requests causes an error that quotes a part of the request.
    ask("PUT", "/apps/a/sets/1.0", {"itemz": []}, **ask_as)
    ask("PUT", "/apps/a/sets/1.0", body="{", **ask_as)
    ask("GET", "/apps/a/sets/1.0?what=1", **ask_as)
    ask("GET", "/nowhere", **ask_as)
    ask("GET", "/apps", token=token + "x")
    ask("GET", "/apps", token=token[:-1])
    for request in [
        get("/admin/v1/apps", f"Authorization: Bearer {token}", "Bad Name: x"), get("/admin/v1/apps", f"Authorization: Basic {token}"),
        get("/admin/v1/apps", f"Authorization: {token}"), get("/admin/v1/apps", f"Authorization: Bearer {token}", "Content-Length: x"),
        get(f"/healthz?token={token}"),
    ]:
        said.append(exchange(server, request, half_close=True))
    for target in ["/tokens", "/webhooks", f"/webhooks/{endpoint['id']}", "/audit", "/apps", "/apps/a/revisions"]:
        ask("GET", target, **ask_as)
    said.append(server.get("/metrics").body)
    listed = subprocess.run([BINARY, "token", "list", "--database", server.database], capture_output=True, check=True)
    assert made["id"].encode() in listed.stdout
    said.append(listed.stdout + listed.stderr)
    consumer.stop()
    assert server.stop() == 0
    said.append("".join(server.log).encode())
    for name, hidden in [("a token", token), ("the configured token", OWNER), ("a signing secret", secret), ("a field", header)]:
        for text in said:
            assert hidden.encode() not in text, (name, text)
    # The database has only the hash of a token.
    content = stored(server)
    assert made["id"].encode() in content
    assert token.encode() not in content and token.removeprefix("lp_").encode() not in content and OWNER.encode() not in content


def test_a_configuration_that_is_wrong_does_not_show_the_token(tmp_path):
    run = subprocess.run(
        [BINARY, "serve", "--admin-token", "too-short-secret", "--listen", "nowhere"], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert run.returncode != 0 and "--listen" in run.stderr and "too-short-secret" not in run.stderr + run.stdout


@pytest.mark.parametrize("text", ["x%0d%0aX-Injected:%201", "x%0aX-Injected:%201", "x%0d%0a%0d%0a<html>", "x%00y", "%e2%80%a8"])
def test_what_is_asked_for_never_becomes_a_field(server, app, text):
    server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("compose")]})
    for target in [
        f"/v1/apps/{text}/versions/1.0/shortcuts", f"/v1/apps/{app}/versions/{text}/shortcuts", f"/v1/apps/{app}/versions/1.0/shortcuts?lang={text}",
        f"/v1/apps/{app}/versions/1.0/shortcuts?audience={text}", f"/v1/apps/{app}/versions/1.0/shortcuts?build={text}",
        f"/admin/v1/apps/{text}", f"/{text}",
    ]:
        received = exchange(server, get(target, f"Authorization: Bearer {OWNER}", "Connection: close"))
        head = received.partition(b"\r\n\r\n")[0]
        assert len(statuses(received)) == 1 and statuses(received)[0] < 500, received
        assert b"x-injected" not in head.lower() and b"<html>" not in head


@pytest.mark.parametrize("text", ["a' OR '1'='1", "a'; DROP TABLE apps; --", 'a"--', "a\\", "%", "_"])
def test_text_is_never_sql(server, app, text):
    quoted = "".join(f"%{byte:02x}" for byte in text.encode())
    before = server.admin("GET", "/apps?limit=200").json
    assert server.admin("GET", f"/apps/{quoted}").status == 404
    assert server.admin("PUT", f"/apps/{quoted}", {"defaultLanguage": "en"}).status in (400, 422)
    assert server.admin("DELETE", f"/apps/{quoted}").status == 404
    assert server.admin("DELETE", f"/tokens/{quoted}").status == 404
    assert server.admin("GET", f"/webhooks/{quoted}").status == 404
    assert server.admin("GET", f"/apps?cursor={quoted}").status == 400
    assert server.admin("GET", "/apps", token=text).status == 401
    # Where any text is allowed, it is stored unchanged.
    assert server.admin("PATCH", f"/apps/{app}", {"name": text}).json["name"] == text
    assert server.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", text)]}).status in (200, 201)
    assert server.shortcuts(app, "1.0").json["items"][0]["localizedTitle"] == text
    server.admin("PATCH", f"/apps/{app}", {"name": None})
    assert server.admin("GET", "/apps?limit=200").json == before


def test_the_admin_plane_is_out_of_reach_at_the_address_of_the_clients(tmp_path):
    server = Longpress(tmp_path, "--admin-listen", "127.0.0.1:0")
    client = server.address
    line = eventually(lambda: next((line for line in server.log if "plane=admin" in line), None))
    host, port = line.split("address=")[1].split()[0].strip('"').rsplit(":", 1)
    assert server.admin("GET", "/apps").status == 404
    assert server.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 404
    server.address = (host, int(port))
    assert server.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    assert server.shortcuts("a", "1.0").json["type"] == "/problems/unknown-resource"
    server.address = client
    assert server.shortcuts("a", "1.0").code == "no-shortcut-set"
    assert server.stop() == 0


@on_sqlite
def test_the_database_is_for_its_owner_only(own):
    assert own.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    for suffix in ("", "-wal", "-shm"):
        assert os.stat(f"{own.database}{suffix}").st_mode & 0o077 == 0


@ROOT_ONLY
def test_it_runs_as_nobody_on_a_file_system_that_cannot_be_written():
    """As in the container: not root, no capabilities, and only the volume of the database is writable."""
    requires_user(10001)
    with tempfile.TemporaryDirectory() as folder:
        volume = pathlib.Path(folder)
        confined = (
            'mount -t tmpfs -o mode=0700,uid=10001 none "$0" && mount -o remount,bind,ro / && '
            'exec setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs --bounding-set=-all -- "$@"')
        if subprocess.run(["unshare", "-m", "sh", "-c", "mount --make-rprivate / && mount --bind / / && mount -o remount,bind,ro /"],
                          capture_output=True).returncode != 0:
            pytest.skip("file systems cannot be mounted here")
        server = Longpress(volume, through=[
            "unshare", "-m", "sh", "-c", "mount --make-rprivate / && mount --bind / / && cd . && " + confined, str(volume)])
        try:
            status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
            assert "Uid:\t10001\t10001" in status and "NoNewPrivs:\t1" in status and "CapBnd:\t0000000000000000" in status
            assert server.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
            assert server.admin("PUT", "/apps/a/sets/1.0", {"items": [item("compose")]}).status == 201
            assert server.shortcuts("a", "1.0").status == 200
            assert server.stop() == 0
        finally:
            if server.process.poll() is None:
                server.stop(signal.SIGKILL)


def test_a_name_that_was_made_to_point_here_is_not_answered(tmp_path):
    server = Longpress(tmp_path, "--allowed-hosts", "console.example.com, menus.internal", "--public-url", "https://menus.example.com:8443/",
                       "--log-format", "json")
    guarded = ["/admin/v1/apps", "/metrics", "/openapi.yaml", "/console/", "/admin/v1/stream"]

    def ask(target, host, **more):
        return server.request("GET", target, fields={"Host": host, "Authorization": f"Bearer {OWNER}"}, **more)

    for target in guarded:
        answer = ask(target, "evil.example:8080")
        assert answer.status == 421 and answer.code == "misdirected-request" and "--allowed-hosts" in answer.json["detail"], target
        line = eventually(lambda: next((line for line in server.log if answer.json["instance"] in line), None))
        assert '"address":"127.0.0.1"' in line and "evil" not in line
    for target in guarded[:-1]:
        for host in ["127.0.0.1", "10.9.8.7:1", "[::1]", "localhost:80", "console.example.com", "menus.internal:99", "menus.example.com", socket.gethostname()]:
            assert ask(target, host).status == 200, (target, host)
    for target in ["/healthz", "/readyz", "/"]:
        assert ask(target, "evil.example").status == 200
    assert ask("/v1/apps/nobody/versions/1/shortcuts", "evil.example").code == "unknown-app"
    # A large body is rejected before it is read.
    head = f"PUT /admin/v1/apps/x HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer {OWNER}\r\nContent-Length: 500000\r\n\r\n"
    assert statuses(exchange(server, head.encode())) == [421]
    assert server.stop() == 0
