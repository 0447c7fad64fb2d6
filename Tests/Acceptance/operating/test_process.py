"""The process and what starts and stops it: signals, systemd."""

import http.client
import json
import os
import re
import shlex
import signal
import socket
import subprocess

import pytest

from consumer import Consumer
from longpress import BINARY, ROOT, Longpress, eventually
from test_operating import new_app, said


def audited_address(server, forwarded):
    """The client address that the audit records for a write."""
    name = new_app(server)
    assert server.admin("PATCH", f"/apps/{name}", {"name": "x"}, X_Forwarded_For=forwarded).status == 200
    return server.admin("GET", f"/audit?app={name}&limit=1").json["items"][0]["address"]


def configured(tmp_path, settings, *flags):
    """A server with these settings in its configuration file, and a function that changes them."""
    file = tmp_path / "longpress.json"
    file.write_text(json.dumps(settings))
    server = Longpress(tmp_path, "--config", file, "--log-format", "json", *flags)

    def reread(settings, message="the configuration was reloaded"):
        seen = len([line for line in server.log if message in line])
        file.write_text(settings if isinstance(settings, str) else json.dumps(settings))
        server.process.send_signal(signal.SIGHUP)
        return eventually(lambda: [json.loads(line) for line in server.log if message in line][seen:])[0]

    return server, reread


def test_sighup_rereads_the_configuration_and_stops_nothing(tmp_path):
    server, reread = configured(tmp_path, {})
    assert reread({})["changed"] == 0
    assert audited_address(server, "203.0.113.7") == "127.0.0.1"
    assert reread({"log-level": "debug", "trusted-proxies": "127.0.0.0/8", "workers": 3})["changed"] == 3
    for setting, value, effect in [("log-level", "debug", "now"), ("trusted-proxies", "127.0.0.0/8", "now"), ("workers", "3", "at the next start")]:
        assert said(server, "setting changed", setting=setting)["value"] == value
        assert said(server, "setting changed", setting=setting)["takesEffect"] == effect
    assert audited_address(server, "203.0.113.7") == "203.0.113.7"
    server.get("/healthz")
    said(server, "request", route="getHealth")
    assert reread({"log-level": "info"})["changed"] == 3
    server.get("/readyz")
    assert audited_address(server, "203.0.113.7") == "127.0.0.1"
    assert not any('"getReadiness"' in line for line in server.log)
    assert server.stop() == 0


@pytest.mark.parametrize("wrong", ['{"log-level": "loud"}', '{"what": 1}', "{"])
def test_a_configuration_with_errors_is_said_and_changes_nothing(tmp_path, wrong):
    server, reread = configured(tmp_path, {"trusted-proxies": "127.0.0.0/8", "public-url": "https://u:nobody-may-read@h"})
    line = reread(wrong, "the configuration has errors and was not reloaded")
    assert line["level"] == "error" and "longpress.json" in line["cause"] or "--log-level" in line["cause"]
    assert audited_address(server, "203.0.113.7") == "203.0.113.7"
    assert reread({"trusted-proxies": "127.0.0.0/8", "public-url": "https://v:nobody-may-read@h"})["changed"] == 1
    assert said(server, "setting changed", setting="public-url")["value"] == "https://***@h"
    assert not any("nobody-may-read" in line for line in server.log)
    assert server.stop() == 0


def test_sighup_rereads_the_authorities_of_webhooks(tmp_path):
    for name in ["old", "new"]:
        openssl = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        openssl += ["-addext", "subjectAltName=DNS:localhost", "-keyout", f"{name}.key", "-out", f"{name}.pem"]
        subprocess.run(openssl, cwd=tmp_path, check=True, capture_output=True)
    authorities = tmp_path / "authorities.pem"
    authorities.write_bytes((tmp_path / "old.pem").read_bytes())
    consumer = Consumer(certificate=(tmp_path / "new.pem", tmp_path / "new.key"))
    server, reread = configured(tmp_path, {"webhook-ca": str(authorities)})
    hook = consumer.subscribe(server, types=["app.created"])
    new_app(server)
    deliveries = f"/webhooks/{hook['id']}/deliveries"
    eventually(lambda: any(attempt["error"] for delivery in server.admin("GET", deliveries).json["items"] for attempt in delivery["attempts"]))
    authorities.write_bytes((tmp_path / "new.pem").read_bytes())
    assert reread({"webhook-ca": str(authorities)})["changed"] == 1
    eventually(lambda: consumer.received)
    assert server.stop() == 0
    consumer.stop()


def test_sighup_rereads_the_file_of_the_admin_token(tmp_path):
    old, new = "the-former-token-of-the-operator-0123456789", "the-next-token-of-the-operator-0123456789"
    secret, file = tmp_path / "token", tmp_path / "longpress.json"
    secret.write_text(old + "\n")
    secret.chmod(0o600)
    file.write_text(json.dumps({"listen": "127.0.0.1:0", "database": str(tmp_path / "l.sqlite"), "admin-token-file": str(secret), "log-format": "json"}))
    process = subprocess.Popen([BINARY, "serve", "--config", file], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    log = []
    address = next(json.loads(line)["address"] for line in process.stderr if log.append(line) or '"listening"' in line)

    def ask(target="/admin/v1/apps", method="GET", body=None, **fields):
        connection = http.client.HTTPConnection(address, timeout=120)
        connection.request(method, target, body, {name.replace("_", "-"): value for name, value in fields.items()})
        return connection.getresponse()

    def status(token):
        return ask(Authorization=f"Bearer {token}").status

    def reread():
        """The log lines about the reload, up to the last one."""
        process.send_signal(signal.SIGHUP)
        lines = []
        for line in process.stderr:
            log.append(line)
            lines.append(json.loads(line))
            if "reloaded" in lines[-1]["message"]:
                return lines

    assert (status(old), status(new)) == (200, 401)
    page = {"Sec_Fetch_Site": "same-origin", "Content_Type": "application/json"}
    cookie = ask("/admin/v1/sessions", "POST", json.dumps({"token": old}), **page).getheader("Set-Cookie").split(";")[0]
    streams = [ask("/admin/v1/stream", Cookie=cookie), ask("/admin/v1/stream", Authorization=f"Bearer {old}")]
    secret.write_text(new + "\n")
    changed = next(line for line in reread() if line["message"] == "setting changed")
    assert (changed["setting"], changed["takesEffect"]) == ("admin-token-file", "now")
    assert (status(old), status(new), ask(Cookie=cookie).status) == (401, 200, 401)
    assert all(stream.read().endswith(b'event: ended\ndata: {"reason":"token-revoked"}\n\n') for stream in streams)
    # Files that cannot be read change nothing, and are logged.
    for spoil in [lambda: secret.write_text("short\n"), lambda: secret.chmod(0o644), secret.unlink]:
        spoil()
        (*_, line) = reread()
        assert line["level"] == "error" and "--admin-token-file" in line["cause"] and status(new) == 200
    process.terminate()
    assert process.wait(timeout=120) == 0 and not any(token in "".join(log) for token in (old, new))
    process.stderr.close()


def test_other_signals_are_ignored_and_said(tmp_path):
    server = Longpress(tmp_path, "--log-format", "json")
    for number in [signal.SIGUSR1, signal.SIGUSR2]:
        server.process.send_signal(number)
        said(server, "ignored a signal", signal=number.name)
    assert server.get("/readyz").status == 200 and server.stop() == 0


def test_a_second_stop_ends_the_delay_of_the_first(tmp_path):
    server = Longpress(tmp_path, "--drain-delay", "10m", "--log-format", "json")
    server.process.send_signal(signal.SIGTERM)
    said(server, "not ready")
    for number in [signal.SIGHUP, signal.SIGUSR1]:
        server.process.send_signal(number)
    said(server, "ignored a signal")
    assert server.get("/healthz").status == 200
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=120) == 0


def test_a_demo_ends_with_its_terminal():
    demo = subprocess.Popen([BINARY, "demo", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert any("listening" in line for line in demo.stderr)
    demo.send_signal(signal.SIGHUP)
    assert demo.wait(timeout=120) == 0
    demo.stdout.close()
    demo.stderr.close()


UNIT = (ROOT / "deploy/longpress.service").read_text()


@pytest.mark.parametrize("is_abstract", [False, True])
def test_systemd_is_told_when_it_serves_what_it_does_and_that_it_lives(tmp_path, is_abstract):
    assert re.search(r"^Type=notify$", UNIT, re.MULTILINE) and re.search(r"^WatchdogSec=\d+$", UNIT, re.MULTILINE)
    assert "StartLimitIntervalSec=0" in UNIT.split("[Service]")[0] and re.search(r"^RestartSec=", UNIT, re.MULTILINE)
    program, *arguments = shlex.split(re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[1])
    assert program.endswith("/longpress")
    name = f"@longpress-test-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" + name[1:] if is_abstract else name)
        manager.settimeout(30)

        def told(expected):
            """The log lines up to and including the expected message."""
            messages = []
            while not messages or expected not in messages[-1]:
                messages.append(manager.recv(4096).decode().split("\n"))
            return messages

        environment = {**os.environ, "NOTIFY_SOCKET": name, "WATCHDOG_USEC": "400000", "LONGPRESS_DATABASE": str(tmp_path / "l.sqlite"),
                       "LONGPRESS_LISTEN": "127.0.0.1:0", "LONGPRESS_ADMIN_TOKEN": "a-token-of-systemd-s-tests-0123456789"}
        process = subprocess.Popen([BINARY, *arguments], env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        first, *_, ready = told("READY=1")
        assert "EXTEND_TIMEOUT_USEC=60000000" in first and any(line.startswith("STATUS=Serving at 127.0.0.1:") for line in ready)
        told("WATCHDOG=1")
        told("WATCHDOG=1")
        process.send_signal(signal.SIGHUP)
        assert re.fullmatch(r"MONOTONIC_USEC=\d+", told("RELOADING=1")[-1][1])
        told("READY=1")
        process.terminate()
        told("STOPPING=1")
        assert process.wait(timeout=120) == 0
        process.stderr.close()


def test_a_watchdog_of_another_process_is_not_fed(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000", "WATCHDOG_PID": "1"}
        server = Longpress(tmp_path, env=environment)
        assert server.stop() == 0
        manager.setblocking(False)
        said = []
        while not said or "STOPPING=1" not in said[-1]:
            said.append(manager.recv(4096).decode())
        assert not any("WATCHDOG" in message for message in said)


def test_a_limit_of_open_files_below_the_connections_is_said(tmp_path):
    server = Longpress(tmp_path, "--log-format", "json", through=("prlimit", "--nofile=512:512"))
    line = said(server, "the limit of open files is too low for --max-connections")
    assert line["level"] == "warning" and "384 of 20000" in line["cause"] and "LimitNOFILE" in line["cause"]
    assert server.stop() == 0
