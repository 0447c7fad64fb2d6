"""TLS and passwords for connections to PostgreSQL, with libpq's options as in docs/cluster.md."""

import os
import subprocess

import pytest

from longpress import BINARY
from postgres import Postgres

pytestmark = pytest.mark.any_engine


@pytest.fixture(scope="module")
def secured(tmp_path_factory):
    """A server with a certificate for localhost and a user with a password, the path of the authority, and the name of the database."""
    folder = tmp_path_factory.mktemp("tls")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for arguments in [
        ["req", "-x509", *key, "-days", "9", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem"],
        ["req", "-x509", *key, "-days", "9", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-CA", "ca.pem", "-CAkey", "ca.key",
         "-keyout", "server.key", "-out", "server.crt"],
    ]:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)
    server = Postgres()
    for name in ("server.key", "server.crt"):
        path = server.data / name
        path.write_bytes((folder / name).read_bytes())
        os.chown(path, server.data.stat().st_uid, server.data.stat().st_gid)
        path.chmod(0o600)
    server.sql("CREATE ROLE longpress LOGIN PASSWORD 'a b:c@d'", "postgres")
    server.sql("CREATE DATABASE longpress OWNER longpress", "postgres")
    rules = server.data / "pg_hba.conf"
    rules.write_text("hostssl longpress longpress all scram-sha-256\nhost longpress longpress all reject\n" + rules.read_text())
    server.sql("ALTER SYSTEM SET ssl = on", "postgres")
    server.restart()
    yield server, folder / "ca.pem"
    server.stop()


def migrate(uri, **environment):
    return subprocess.run([BINARY, "migrate", "--database", uri], capture_output=True, text=True, env={**os.environ, **environment})


def test_a_server_is_used_whose_name_and_authority_are_those_that_were_named(secured):
    server, authority = secured
    verified = f"sslmode=verify-full&sslrootcert={authority}"
    password = {"PGPASSWORD": "a b:c@d"}
    assert migrate(f"postgres://longpress@localhost:{server.port}/longpress?{verified}", **password).returncode == 0
    for uri in [
        f"postgres://longpress@127.0.0.1:{server.port}/longpress?{verified}",  # not the certificate's name
        f"postgres://longpress@localhost:{server.port}/longpress?sslmode=verify-full&sslrootcert=/nowhere.pem",
        f"postgres://longpress@localhost:{server.port}/longpress?sslmode=disable",
    ]:
        refused = migrate(uri, **password)
        assert refused.returncode == 1 and "cannot be reached" in refused.stderr, refused.stderr


def test_a_password_may_come_from_where_libpq_looks_and_is_not_shown(secured, tmp_path):
    server, _ = secured
    bare, file = f"localhost:{server.port}/longpress?sslmode=require", tmp_path / "pgpass"
    file.write_text("localhost:*:longpress:longpress:a b\\:c@d\n")
    file.chmod(0o600)
    first_line = tmp_path / "password"
    first_line.write_text("a b:c@d\nnot this\n")
    first_line.chmod(0o440)
    for done in [
        migrate(f"postgres://longpress@{bare}", LONGPRESS_DATABASE_PASSWORD_FILE=str(first_line)),
        migrate(f"postgres://longpress@{bare}", PGPASSWORD="a b:c@d"), migrate(f"postgres://longpress@{bare}", PGPASSFILE=str(file)),
        migrate(f"postgres://longpress:a%20b%3Ac%40d@{bare}"),
    ]:
        assert done.returncode == 0, done.stderr
    file.chmod(0o640)
    for done in [
        migrate(f"postgres://longpress@{bare}", PGPASSFILE=str(file)), migrate(f"postgres://longpress:wrong-one@{bare}"),
    ]:
        assert done.returncode == 1 and "wrong-one" not in done.stderr and "a b" not in done.stderr, done.stderr
