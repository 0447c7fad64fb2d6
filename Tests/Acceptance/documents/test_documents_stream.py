"""The followers of docs/stream.md are those of Examples/Followers, and keep their menus whatever happens to the service."""

import re
import shutil
import socket
import subprocess
import sys
import threading

import pytest

from documents import blocks
from longpress import ROOT, eventually
from test_stream import publish

FOLDER = ROOT / "Examples/Followers"
FILES = {"python": "follow.py", "js": "follow.mjs", "go": "follow.go", "swift": "follow.swift"}


# The page shows these followers and links the others.
@pytest.mark.parametrize("language", ["python", "js"])
def test_the_page_has_the_followers_as_they_are(language):
    (block,) = blocks("docs/stream.md", language)
    assert block.text == (FOLDER / FILES[language]).read_text()


class Front:
    """A proxy with a fixed address before a server whose address changes at each start. Each connection has one request."""

    def __init__(self, server):
        self.server = server
        self.refusals = []
        self.forgets_ids = False
        self.requests = []
        self.pairs = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def refuse(self, path, status, seconds):
        """Answers the next request for the path with a status and Retry-After."""
        self.refusals.append((path, status, seconds))

    def serve(self, client):
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                received = client.recv(1 << 16)
                if not received:
                    return client.close()
                head += received
            line = head.split(b"\r\n")[0].decode()
            self.requests.append(line)
            for refusal in self.refusals:
                if refusal[0] in line:
                    self.refusals.remove(refusal)
                    client.sendall(b"HTTP/1.1 %d No\r\nRetry-After: %d\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % refusal[1:])
                    return client.close()
            head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            if self.forgets_ids:
                head = re.sub(rb"(?i)(\r\nlast-event-id: )[^\r]*", rb"\1nobody.1", head)
            server = socket.create_connection(self.server.address, timeout=120)
            server.settimeout(None)
            self.pairs.append((client, server))
            server.sendall(head)
            while data := server.recv(1 << 16):
                client.sendall(data)
        except OSError:
            pass
        client.close()

    def cut(self):
        """Cuts open connections, as a network does."""
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for one in pair:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def stop(self):
        self.listener.close()
        self.cut()


@pytest.fixture(scope="session", params=FILES)
def command(request, tmp_path_factory):
    """The command that runs the follower in a language. A compiled one is built once."""
    file, built = FOLDER / FILES[request.param], tmp_path_factory.mktemp("follower") / "follow"
    if request.param == "python":
        return [sys.executable, file]
    if request.param == "js":
        return [shutil.which("node") or pytest.skip("node is not on this machine"), file]
    if request.param == "swift":
        build = ["swiftc", "-swift-version", "6", "-warnings-as-errors", file, "-o", built]
    else:
        if not shutil.which("go"):
            subprocess.run([ROOT / "scripts/install-packages", "golang-go"], capture_output=True)
        build = [shutil.which("go") or pytest.skip("golang-go cannot be installed on this machine"), "build", "-o", built, file]
    done = subprocess.run(build, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return [built]


@pytest.fixture
def front(own):
    front = Front(own)
    yield front
    front.stop()


@pytest.fixture
def follow(command, front):
    """Starts the follower and returns the lines that it prints."""
    started = []

    def start(*held):
        process = subprocess.Popen([*command, front.url, *held], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines = []
        threading.Thread(target=lambda: lines.extend(line.rstrip("\n") for line in process.stdout), daemon=True).start()
        started.append(process)
        return lines

    yield start
    for process in started:
        assert process.poll() is None, "the follower has ended by itself"
        process.kill()
        process.wait(timeout=120)


def test_a_follower_keeps_its_menus_whatever_happens(own, front, follow):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    publish(own, "a", "1.0", "A")
    lines = follow("a/1.5", "a/2.5", "b/1.0")

    def said(*expected):
        """Waits until the lines since the last call are these, in any order, besides those that explain why it waits."""
        def news():
            return [line for line in lines if not line.startswith("waiting")]

        try:
            eventually(lambda: len(news()) >= len(expected))
            assert sorted(news()) == sorted(expected), lines
        except AssertionError:
            raise AssertionError(f"{lines} is not {expected}") from None
        waited = [line for line in lines if line.startswith("waiting")]
        lines.clear()
        return waited

    said("state", "b is missing", "a/1.5 revision 1", "a/2.5 revision 1")
    # A missing app is created.
    own.admin("PUT", "/apps/b", {"defaultLanguage": "en"})
    said("b changed, revision 0", "b/1.0 has no menu")
    publish(own, "b", "1.0", "B")
    said("b changed, revision 1", "b/1.0 revision 1")
    # Only the affected menus are fetched.
    publish(own, "a", "2.0", "A2")
    said("a changed, revision 2", "a/2.5 revision 2")
    publish(own, "a", "2.0", "Member", "?audience=member")
    said("a changed, revision 3", "a changed, revision 3", "a/1.5 unchanged", "a/2.5 unchanged")
    # A menu that cannot be fetched is fetched later.
    for status in (503, 429):
        front.refuse("/shortcuts", status, 1)
        front.refuse("/stream", status, 1)
    revision = publish(own, "a", "1.0", "A3")
    waited = said(*[f"a changed, revision {revision}"] * 3, f"a/1.5 revision {revision}")
    assert len(waited) == 4 and all(line.startswith("waiting 1.0 s: ") for line in waited), waited
    # The service is down. Changes in the meantime are not missed.
    own.stop()
    own.start()
    revision = publish(own, "a", "2.0", "A4")
    said(f"a changed, revision {revision}", f"a/2.5 revision {revision}")
    # The network is down, and the last id is lost.
    front.forgets_ids = True
    front.cut()
    said("state, resync", "a/1.5 unchanged", "a/2.5 unchanged", "b/1.0 unchanged")
    front.forgets_ids = False
    own.admin("DELETE", "/apps/b")
    said("b deleted")
    # The stream of the other apps continues, also after a reconnection.
    front.cut()
    said("b deleted")
    revision = publish(own, "a", "1.0", "A5")
    said(f"a changed, revision {revision}", f"a/1.5 revision {revision}")
    own.admin("DELETE", "/apps/a")
    said("a deleted")


def test_a_follower_waits_for_its_app_and_comes_back_when_the_service_has_said(own, front, follow):
    front.refuse("/stream", 429, 1)
    lines = follow("a/1.0")
    eventually(lambda: len(lines) >= 2)
    assert lines[0].startswith("waiting 1.0 s: ") and lines[1].startswith("waiting") and "none of the apps exists" in lines[1]
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    publish(own, "a", "1.0", "A")
    eventually(lambda: lines[-2:] == ["state", "a/1.0 revision 1"])
