"""The program under test, started as a real process and reached over a socket."""

import atexit
import contextlib
import datetime
import functools
import http.client
import itertools
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("LONGPRESS_BINARY", ROOT / ".build/debug/longpress"))
if not BINARY.is_absolute():
    BINARY = ROOT / BINARY
# The engine of servers without an explicit database: make test-cluster also runs the suite on PostgreSQL.
ON_POSTGRES = os.environ.get("LONGPRESS_ENGINE") == "postgres"
on_sqlite = pytest.mark.skipif(ON_POSTGRES, reason="it is about the file of SQLite")
OWNER = "owner-token-of-the-acceptance-tests-0123456789"


@functools.cache
def postgres_server():
    from postgres import Postgres

    server = Postgres()
    atexit.register(server.stop)
    return server


@functools.cache
def postgres_database(folder):
    """The PostgreSQL database that belongs to a folder, in place of the SQLite file in it."""
    return postgres_server().database()


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.fields = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()
        if self.body and self.fields.get("content-type", "").endswith("json") and "content-encoding" not in self.fields:
            assert self.body.endswith(b"\n"), f"JSON that does not end in a line feed: {self.body[-80:]}"

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The code of a problem."""
        return self.json["type"].removeprefix("/problems/")

    @property
    def violations(self):
        return {(v["path"], v["code"]) for v in self.json["violations"]}

    @property
    def warnings(self):
        return {(w["path"], w["code"]) for w in self.json["warnings"]}

    @property
    def marked_warnings(self):
        """The warnings, each with whether it is new."""
        return {(w["path"], w["code"], w["new"]) for w in self.json["warnings"]}


class Longpress:
    """A running `longpress serve`, by default on a database file. It is ended by its process id."""

    def __init__(self, folder, *flags, through=(), database=None, **process):
        """`through`: a command that starts it; `process`: more arguments for Popen, such as the environment."""
        self.database = database or (postgres_database(folder) if ON_POSTGRES else pathlib.Path(folder) / "longpress.sqlite")
        self.flags = flags
        self.through, self.options = through, process
        self.start()

    def start(self):
        command = [
            *self.through, str(BINARY), "serve", "--listen", "127.0.0.1:0", "--database", str(self.database), "--admin-token", OWNER,
            "--webhook-allow", "127.0.0.1/32", "--webhook-schedule", "0s," + ",".join(["100ms"] * 60), *self.flags,
        ]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **self.options)
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r'listening.*address"?[=:]"?([\d.]+):(\d+)', line):
                self.address = (found[1], int(found[2]))
                break
        else:
            raise RuntimeError("longpress did not start:\n" + "".join(self.log))
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        status = self.process.wait(timeout=120)
        if status not in (0, -signal.SIGKILL):
            raise AssertionError(f"longpress ended with {status}:\n" + "".join(self.log[-20:]))
        self.process.stdout.close()
        return status

    def restart(self, how=signal.SIGKILL):
        self.stop(how)
        self.start()

    def request(self, method, target, body=None, fields=None, timeout=120):
        connection = http.client.HTTPConnection(*self.address, timeout=timeout)
        try:
            connection.request(method, target, body, fields or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, target, **fields):
        return self.request("GET", target, fields={name.replace("_", "-"): value for name, value in fields.items()})

    def admin(self, method, target, document=None, token=OWNER, body=None, type="application/json", **fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if token:
            fields["Authorization"] = "Bearer " + token
        if document is not None:
            body = json.dumps(document)
        if body is not None:
            fields["Content-Type"] = type
        return self.request(method, "/admin/v1" + target, body, fields)

    def listed(self, target):
        """The items of all pages."""
        items, cursor = [], ""
        while True:
            page = self.admin("GET", f"{target}?limit=200{cursor}").json
            items += page["items"]
            if not page["next"]:
                return items
            cursor = "&cursor=" + page["next"]

    def shortcuts(self, app, version, query="", timeout=120, **fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        return self.request("GET", f"/v1/apps/{app}/versions/{version}/shortcuts{query}", fields=fields, timeout=timeout)

    def tap(self, app, version, document, query="", **fields):
        fields = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in fields.items()}}
        return self.request("POST", f"/v1/apps/{app}/versions/{version}/taps{query}", json.dumps(document), fields)

    def report(self, app, version, document, body=None, **fields):
        """Sends a batch of counted taps."""
        fields = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in fields.items()}}
        body = json.dumps(document) if body is None else body
        return self.request("POST", f"/v1/apps/{app}/versions/{version}/taps/counts", body, fields)


def sql(server, statement):
    """The result of a statement on the server's database, as psql prints it."""
    if ON_POSTGRES:
        return postgres_server().sql(statement, server.database)
    with contextlib.closing(sqlite3.connect(server.database)) as database, database:
        return "\n".join("|".join(map(str, row)) for row in database.execute(statement))


def stored(server):
    """The whole content of the server's database, as bytes."""
    if ON_POSTGRES:
        return subprocess.run([postgres_server().programs / "pg_dump", server.database], capture_output=True, check=True, cwd="/").stdout
    return b"".join(path.read_bytes() for path in server.database.parent.iterdir())


def requires_user(user):
    """Skips a test if another user cannot run the program, because the program's folder is closed to others."""
    try:
        subprocess.run([BINARY, "--version"], user=user, capture_output=True, check=True, cwd="/")
    except (PermissionError, subprocess.CalledProcessError):
        pytest.skip(f"user {user} may not run {BINARY}")


def item(id, title="Title", **more):
    return {"id": id, "type": "com.example." + id, "title": title if isinstance(title, dict) else {"en": title}, **more}


def eventually(check, seconds=120):
    """The result of `check` as soon as it is true. Only a hang takes longer than `seconds`."""
    deadline = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < deadline, "it did not come to pass in time"
        time.sleep(0.02)
    return found


def instant(seconds):
    """This many seconds from now, in a form for documents and queries."""
    return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def soon(ask):
    """The answer to `ask(time)`, with the next time that the server does not refuse as past."""
    for seconds in (1, 5, 30, 120):
        if (answer := ask(instant(seconds))).status != 422:
            break
    return answer


def pass_time(server, app, seconds):
    """Lets time pass for the app's schedule."""
    sql(server, f"UPDATE schedule SET due_at = due_at - {1000 * seconds} WHERE app = '{app}'")
    wake_scheduler(server)


def wake_scheduler(server):
    """Adds an entry for another app."""
    server.admin("PUT", "/apps/clock", {"defaultLanguage": "en"})
    added = server.admin("PUT", f"/apps/clock/sets/1.0?until={instant(3600)}", {"items": [item("tick", unique("Tick"))]})
    assert added.status in (200, 201), added.body


_names = itertools.count(1)


def unique(name):
    """Makes a name unique. Tests share a server, and names of tokens are unique on it."""
    return f"{name} {next(_names)}"


def source(kind, id, name=None):
    """The `source` of an event for a write with the configured token."""
    return {"by": "admin-token", "owner": "admin-token", "target": {"kind": kind, "id": id, "name": name}}


def info_plist(app, version, **more):
    return {"CFBundleIdentifier": app, "CFBundleShortVersionString": version, "CFBundleVersion": "9", "CFBundlePackageType": "APPL",
            "CFBundleURLTypes": [{"CFBundleURLSchemes": ["mail"]}], **more}


@pytest.fixture(scope="session", autouse=True)
def settings():
    """The environment without the variables for tests (LONGPRESS_BINARY and others), because the program warns of unknown settings."""
    for name in [name for name in os.environ if name.startswith("LONGPRESS_")]:
        del os.environ[name]
