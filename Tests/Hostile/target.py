"""A server under attack: the program of the acceptance tests, with content to fetch."""

import contextlib
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Acceptance/support"))

from longpress import OWNER, ROOT, Longpress, item  # noqa: E402,F401

APP = "com.example.notes"


@contextlib.contextmanager
def serving(*flags):
    with tempfile.TemporaryDirectory(prefix="longpress-") as folder:
        server = Longpress(folder, *flags)
        try:
            server.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en"})
            server.admin("PUT", f"/apps/{APP}/sets/1.0", {"items": [item("compose", {"en": "Compose", "ko": "쓰기"})]})
            yield server
        finally:
            if server.process.poll() is None:
                server.stop()
