"""The secrets of webhooks, encrypted at rest."""

import base64
import contextlib
import os
import sqlite3
import subprocess

from standardwebhooks import Webhook

from consumer import Consumer
from longpress import BINARY, ON_POSTGRES, Longpress, eventually, sql


def longpress(*arguments, **environment):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=120, env={**os.environ, **environment})


def key_file(path):
    path.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    path.chmod(0o600)
    return path


def pinged(server, hook, consumer):
    """The fields and the body of a ping, as soon as it arrives."""
    consumer.received.clear()
    assert server.admin("POST", f"/webhooks/{hook}/ping").status == 202
    return eventually(lambda: consumer.received and consumer.received[0])


def is_stored(server, *texts):
    rows = sql(server, "SELECT secret, previous_secret, headers FROM endpoints")
    return [text in rows for text in texts]


def test_secrets_are_encrypted_from_the_first_start_with_a_key_on(tmp_path):
    old, new = key_file(tmp_path / "old"), key_file(tmp_path / "new")
    consumer = Consumer()
    server = Longpress(tmp_path)
    try:
        members = {"url": consumer.url, "types": ["webhook.ping"], "headers": {"Authorization": "Bearer credential"}}
        made = server.admin("POST", "/webhooks", members).json
        assert is_stored(server, made["secret"], "credential") == [True, True]
        server.stop()
        server.flags = ("--secret-key-file", str(old))
        server.start()
        assert is_stored(server, made["secret"], "credential") == [False, False]
        fields, body = pinged(server, made["id"], consumer)
        Webhook(made["secret"]).verify(body, dict(fields))
        assert fields["Authorization"] == "Bearer credential"
        # Secrets that are created later are encrypted, too.
        server.admin("PATCH", f"/webhooks/{made['id']}", {"headers": {"Authorization": "***", "X-Later": "later"}})
        rotated = server.admin("POST", f"/webhooks/{made['id']}/rotate-secret", {"overlap": "1h"}).json["secret"]
        assert is_stored(server, made["secret"], rotated, "credential", "later") == [False] * 4
        fields, body = pinged(server, made["id"], consumer)
        for secret in (made["secret"], rotated):
            Webhook(secret).verify(body, dict(fields))
        assert (fields["Authorization"], fields["X-Later"]) == ("Bearer credential", "later")

        refused = longpress("rotate-key", "--new-secret-key-file", new, "--secret-key-file", old, "--database", server.database)
        assert refused.returncode == 1 and ("is in use" in refused.stderr or "Stop all nodes first" in refused.stderr), refused
        server.stop()
        for flags, said in [((), "are encrypted. Set the file of the key"), (("--secret-key-file", str(new)), "does not decrypt the secrets")]:
            start = longpress("serve", "--listen", "127.0.0.1:0", "--database", server.database, *flags)
            assert start.returncode == 1 and said in start.stderr, start
        doctor = longpress("doctor", "--database", server.database, "--secret-key-file", new)
        assert doctor.returncode == 1 and "error: webhooks: The key of --secret-key-file does not decrypt" in doctor.stdout, doctor
        assert longpress("doctor", "--database", server.database, "--secret-key-file", old).returncode == 0
        rotation = longpress("rotate-key", "--new-secret-key-file", new, "--database", server.database, LONGPRESS_SECRET_KEY_FILE=str(old))
        assert rotation.returncode == 0 and "The secrets of 1 webhooks are encrypted with the new key." in rotation.stderr, rotation
        server.flags = ("--secret-key-file", str(new))
        server.start()
        fields, body = pinged(server, made["id"], consumer)
        Webhook(rotated).verify(body, dict(fields))
        assert server.admin("GET", "/audit?action=store.key-rotated").json["items"][0]["token"] == "command-line"

        # A copy has them encrypted with the same key, and an export does not have them.
        assert longpress("copy", server.database, tmp_path / "copy.sqlite").returncode == 0
        start = longpress("serve", "--listen", "127.0.0.1:0", "--database", tmp_path / "copy.sqlite")
        assert start.returncode == 1 and "are encrypted. Set the file of the key" in start.stderr, start
        exported = longpress("export", "--database", server.database).stdout
        assert exported and "webhooks" not in exported and rotated not in exported
        # Without the key, only the secrets of webhooks are lost.
        server.stop()
        if ON_POSTGRES:
            sql(server, "DELETE FROM endpoints")
        else:
            with contextlib.closing(sqlite3.connect(server.database)) as database, database:
                database.execute("PRAGMA foreign_keys = ON")
                database.execute("DELETE FROM endpoints")
        server.flags = ()
        server.start()
        assert server.admin("GET", "/webhooks").json["items"] == []
    finally:
        if server.process.poll() is None:
            server.stop()


def test_a_key_has_32_bytes_and_is_not_for_every_user(tmp_path):
    for content, mode, said in [("short", 0o600, "is not a key of 32 bytes"), ("0" * 64, 0o644, "Every user of this machine can read")]:
        path = tmp_path / "key"
        path.write_text(content)
        path.chmod(mode)
        start = longpress("serve", "--secret-key-file", path, "--database", tmp_path / "a.sqlite")
        assert start.returncode == 2 and said in start.stderr, start
        rotation = longpress("rotate-key", "--new-secret-key-file", path, "--database", tmp_path / "a.sqlite")
        assert rotation.returncode == 1 and said in rotation.stderr, rotation
