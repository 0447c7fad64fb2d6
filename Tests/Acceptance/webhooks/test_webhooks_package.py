"""The package LongpressWebhooks in a Hummingbird receiver, with events of the running service."""

import os
import re
import socket
import subprocess
import threading

import pytest

from longpress import ROOT, eventually, instant, item, pass_time
from swift_packages import build

pytestmark = pytest.mark.any_engine

PACKAGE = ROOT / "Examples/HummingbirdReceiver"
PAGE = ROOT / "Sources/LongpressWebhooks/LongpressWebhooks.docc/LongpressWebhooks.md"


@pytest.fixture(scope="module")
def receiver_binary():
    """Built once. The build is reused."""
    done, folder = build(PACKAGE, scratch=ROOT / ".build/receiver")
    if "Failed to clone repository" in done.stderr:
        pytest.skip("Hummingbird cannot be fetched")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return folder / "HummingbirdReceiver"


def test_the_page_shows_the_example():
    """The Hummingbird block of the DocC page is part of the receiver, which the tests below run."""
    [block] = re.findall(r"### With Hummingbird.*?```swift\n(.*?)```", PAGE.read_text(), re.S)
    receiver = (PACKAGE / "Sources/HummingbirdReceiver/Receiver.swift").read_text()
    assert " ".join(block.split()) in " ".join(receiver.split())


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Receiver:
    def __init__(self, binary, port, secrets):
        self.lines = []
        self.port = port
        self.process = subprocess.Popen(
            [binary], env={**os.environ, "PORT": str(port), "SECRETS": ",".join(secrets)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        threading.Thread(target=lambda: self.lines.extend(line.strip() for line in self.process.stdout), daemon=True).start()

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def test_it_verifies_what_the_service_sends(own, receiver_binary):
    port = free_port()
    hook = own.admin("POST", "/webhooks", {"url": f"http://127.0.0.1:{port}/hooks"}).json
    receiver = Receiver(receiver_binary, port, [hook["secret"]])
    app = "/apps/com.example.mail"
    try:
        for method, target, document in [
            ("PUT", app, {"defaultLanguage": "en"}), ("PUT", f"{app}/releases/2.0", {"build": "200"}),
            ("PUT", f"{app}/sets/1.0", {"items": [item("compose"), item("kept")]}),
            ("PUT", f"{app}/sets/3.0/draft", {"items": [item("kept")]}), ("POST", f"{app}/sets/3.0/publish", {"at": instant(3600)}),
            ("PUT", f"{app}/sets/2.0", {"items": [], "retired": [{"id": "kept"}]}),
        ]:
            assert own.admin(method, target, document).status in (200, 201, 202), target
        pass_time(own, "com.example.mail", 3600)
        eventually(lambda: any(line.startswith("schedule-failed") for line in receiver.lines))
        assert own.admin("POST", f"/webhooks/{hook['id']}/ping").status == 202
        assert own.admin("DELETE", f"{app}/sets/2.0").status in (200, 204)
        rotated = own.admin("POST", f"/webhooks/{hook['id']}/rotate-secret", {"overlap": "1h"}).json["secret"]
        assert own.admin("DELETE", app).status == 204
        eventually(lambda: "deleted com.example.mail" in receiver.lines and {line.split()[0] for line in receiver.lines} == {
            "created", "deleted", "ping", "published", "release", "schedule-failed", "scheduled"})
        assert not any(line.startswith("unknown") for line in receiver.lines)
    finally:
        receiver.stop()
    # Receivers with only the new secret and with both verify a delivery that is signed with both.
    for secrets in ([rotated], [rotated, hook["secret"]]):
        receiver = Receiver(receiver_binary, port, secrets)
        try:
            assert own.admin("POST", f"/webhooks/{hook['id']}/ping").status == 202
            eventually(lambda: "ping" in receiver.lines)
        finally:
            receiver.stop()


def test_it_refuses_what_is_signed_with_another_secret(own, receiver_binary):
    port = free_port()
    hook = own.admin("POST", "/webhooks", {"url": f"http://127.0.0.1:{port}/hooks"}).json
    receiver = Receiver(receiver_binary, port, ["whsec_" + "A" * 43 + "="])
    try:
        assert own.admin("POST", f"/webhooks/{hook['id']}/ping").status == 202
        attempts = eventually(lambda: [
            attempt for delivery in own.admin("GET", f"/webhooks/{hook['id']}/deliveries").json["items"]
            for attempt in delivery["attempts"] if attempt["status"]])
        assert {attempt["status"] for attempt in attempts} == {400} and receiver.lines == []
    finally:
        receiver.stop()
