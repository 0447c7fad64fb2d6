"""The follower of docs/stream.md keeps its menus, as it stands."""

import json
import subprocess
import sys
import threading

import pytest

from documents import blocks
from longpress import eventually
from test_stream import publish


@pytest.fixture
def follower(own, tmp_path):
    """The menus that the page's follower holds, printed at the end of each stream."""
    program = tmp_path / "follow.py"
    (block,) = blocks("docs/stream.md", "python")
    program.write_text(block.text)
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    publish(own, "a", "1.0", "A")
    started = []

    def start():
        base = "http://%s:%d" % own.address
        process = subprocess.Popen([sys.executable, program, base, "a", "1.5", "2.5"], stdout=subprocess.PIPE, text=True)
        lines = []
        threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True).start()
        started.append(process)
        return lines

    yield start
    for process in started:
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()


def test_the_follower_of_the_page_keeps_its_menus(own, follower):
    lines = follower()
    streams = lambda: b"longpress_streams 1\n" in own.get("/metrics").body
    eventually(streams)
    publish(own, "a", "2.0", "B")
    publish(own, "a", "1.0", "C")
    fetched = lambda: b'route="getShortcuts",status="200"} 4\n' in own.get("/metrics").body
    # Each version at the state, then the one that each change concerns.
    eventually(fetched)
    own.stop()
    eventually(lambda: lines)
    assert json.loads(lines[0]) == {"1.5": 3, "2.5": 2}
