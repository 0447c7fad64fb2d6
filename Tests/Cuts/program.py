"""The real program: its commands, a service, and what its databases contain."""

import base64
import http.client
import json
import os
import pathlib
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = ROOT / os.environ.get("LONGPRESS_BINARY", ".build/debug/longpress")
OWNER = "owner-token-of-the-cuts-0123456789"
MIGRATIONS = sorted((ROOT / "migrations/sqlite").glob("*.sql"))
# Only a hang takes longer.
LONGEST = 120


class Broken(AssertionError):
    """A boundary that did not hold, in a sentence."""


def expect(condition, sentence):
    if not condition:
        raise Broken(sentence)


def command(*arguments, environment=None, cwd=None):
    run = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=LONGEST, env=environment, cwd=cwd)
    return run.returncode, run.stdout, run.stderr


class Service:
    """`longpress serve`. `listening` is false if it ended at its start."""

    def __init__(self, database, *flags, environment=None, token=OWNER):
        arguments = [BINARY, "serve", "--listen", "127.0.0.1:0", "--database", database, "--webhook-schedule", "0s,1h",
                     "--webhook-allow", "127.0.0.1/32", *flags]
        if token:
            arguments += ["--admin-token", token]
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment, cwd=database.parent)
        self.token, self.log, self.address = token, [], None
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"listening.*address=([\d.]+):(\d+)", line):
                self.address = (found[1], int(found[2]))
                break
        self.listening = self.address is not None
        if self.listening:
            self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
            self.reader.start()
        else:
            self.status = self.process.wait(LONGEST)

    @property
    def said(self):
        return "".join(self.log)

    def request(self, method, path, document=None, token=None, **fields):
        connection = http.client.HTTPConnection(*self.address, timeout=LONGEST)
        try:
            body = None if document is None else json.dumps(document)
            head = {"Authorization": f"Bearer {token or self.token}", "Content-Type": "application/json", **fields}
            connection.request(method, path, body, head)
            answer = connection.getresponse()
            content = answer.read()
            is_json = answer.headers.get_content_type().endswith("json")
            return answer.status, json.loads(content) if content and is_json else None, dict(answer.getheaders())
        finally:
            connection.close()

    def admin(self, method, path, document=None, **more):
        return self.request(method, "/admin/v1" + path, document, **more)

    def publish(self, version, title, **more):
        """The status and the answer, or (None, None) if the service ended."""
        try:
            return self.admin("PUT", f"/apps/a/sets/{version}", menu(title, **more))[:2]
        except (OSError, http.client.HTTPException):
            return None, None

    def menu(self, version):
        status, answer, _ = self.request("GET", f"/v1/apps/a/versions/{version}/shortcuts")
        return answer["items"][0]["localizedTitle"] if status == 200 else status

    def end(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.status = self.process.wait(LONGEST)
        if self.listening:
            self.reader.join(LONGEST)
        return self.status


def menu(title, retired=0):
    """`retired`: the number of retired ids, of 100 bytes each."""
    return {"items": [{"id": "i", "type": "com.example.i", "title": {"en": title}}],
            "retired": [{"id": f"{n:04}".ljust(100, "x")} for n in range(retired)]}


def eventually(check, sentence):
    deadline = time.monotonic() + 60
    while not (found := check()):
        expect(time.monotonic() < deadline, sentence)
        time.sleep(0.01)
    return found


# Databases


def opened(path, work):
    """What `work` reads from a database, which is not changed: SQLite opens a copy of its files."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        copy = pathlib.Path(folder) / "copy"
        for suffix in ("", "-wal", "-journal"):
            if os.path.exists(f"{path}{suffix}"):
                shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
        connection = sqlite3.connect(copy)
        try:
            return work(connection)
        finally:
            connection.close()


def require_whole(path):
    try:
        verdict = opened(path, lambda connection: connection.execute("PRAGMA integrity_check").fetchall())
    except sqlite3.Error as error:
        raise Broken(f"{path.name} is damaged: {error}") from None
    expect(verdict == [("ok",)], f"{path.name} is damaged: {verdict}")


def rows(path, statement, *values):
    return opened(path, lambda connection: connection.execute(statement, values).fetchall())


def content(path, without=()):
    """The rows of every table."""
    def read(connection):
        names = [name for name, in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in names if name not in without}
    return opened(path, read)


def published(path):
    """The titles that were published, each with how often."""
    found = {}
    for document, in rows(path, "SELECT document FROM revisions"):
        if document:
            title = json.loads(document)["items"][0]["title"]["en"]
            found[title] = found.get(title, 0) + 1
    return found


# Templates, made once


SCRATCH = None
TEMPLATES = None


def make_templates(folder):
    """Databases from which cases begin. `killed`: with a write-ahead log, as a kill leaves it; `stopped`: without one."""
    global SCRATCH, TEMPLATES
    SCRATCH, TEMPLATES = folder / "scratch", folder / "templates"
    for name in ("scratch", "templates", "templates/killed", "templates/stopped", "templates/older", "templates/nearly-full"):
        (folder / name).mkdir()
    database = TEMPLATES / "killed/longpress.sqlite"
    service = Service(database)
    expect(service.listening, "The service did not start: " + service.said)
    expect(service.admin("PUT", "/apps/a", {"defaultLanguage": "en"})[0] == 201, "no app")
    expect(service.admin("PUT", "/apps/a/releases/1.0", {"build": "7"})[0] == 201, "no release")
    # Nothing listens there: each publish has an attempt that fails, which is written without waiting for the disk.
    expect(service.admin("POST", "/webhooks", {"url": "http://127.0.0.1:1/hook"})[0] == 201, "no webhook")
    expect(service.admin("POST", "/tokens", {"name": "ci", "role": "reader"})[0] == 201, "no token")
    for number in range(3):
        expect(service.publish(f"{number + 1}.0", f"first {number}")[0] == 201, "not published")
    service.end()
    shutil.copytree(TEMPLATES / "killed", TEMPLATES / "stopped", dirs_exist_ok=True)
    service = Service(TEMPLATES / "stopped/longpress.sqlite")
    expect(service.end(signal.SIGTERM) == 0, "not stopped")
    status, _, said = command("backup", TEMPLATES / "backup.sqlite", "--database", TEMPLATES / "stopped/longpress.sqlite")
    expect(status == 0, said)
    (TEMPLATES / "stopped/longpress.sqlite-backup").unlink()
    status, _, said = command("export", "--output", TEMPLATES / "export.json", "--database", TEMPLATES / "stopped/longpress.sqlite")
    expect(status == 0, said)
    # A log that is about to be moved into the database: SQLite does it at 1,000 pages.
    shutil.copytree(TEMPLATES / "killed", TEMPLATES / "nearly-full", dirs_exist_ok=True)
    database = TEMPLATES / "nearly-full/longpress.sqlite"
    service = Service(database)
    number = 0
    while os.path.getsize(f"{database}-wal") < 970 * 4120:
        number += 1
        expect(service.publish("9.0", f"filling {number}", retired=number % 2)[0] in (200, 201), "not published")
    service.end()
    make_older(TEMPLATES / "older/longpress.sqlite")
    keys()
    for extra in TEMPLATES.glob("*/longpress.sqlite-shm"):
        extra.unlink()


def make_older(path):
    """A database of the eleventh migration, with an app."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(
        "CREATE TABLE schema_migrations (version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)")
    for number, script in enumerate(MIGRATIONS[:11], 1):
        connection.executescript(script.read_text())
        connection.execute("INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, 0)", (number, script.stem[5:]))
    connection.execute(
        "INSERT INTO tokens (id, name, hash, hash_prefix, role, created_at) VALUES ('t', 'ana', x'00', x'00', 'owner', 0)")
    connection.commit()
    connection.close()


def keys():
    for name in ("first", "second"):
        (TEMPLATES / f"{name}.key").touch(0o600)
        (TEMPLATES / f"{name}.key").write_text(base64.b64encode((name * 32)[:32].encode()).decode() + "\n")


def copied(template, folder):
    folder.mkdir(parents=True)
    for path in (TEMPLATES / template).iterdir():
        shutil.copy(path, folder)
    return folder / "longpress.sqlite"
