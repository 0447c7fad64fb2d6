"""A first start that is killed at any moment: the next one succeeds without help.

KILLS sets how often a real one is killed, SEED repeats a run's moments.
"""

import datetime
import http.client
import json
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import socket
import sqlite3
import stat
import struct
import subprocess
import time

import pytest

from longpress import BINARY, Longpress, on_sqlite, postgres_server
from recorded_start import recorded_start

KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))


def longpress(*arguments, **more):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def half_switched(database):
    """A new file of a process that was killed while it switched to WAL mode: one page, and the journal that undoes it."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert database.stat().st_size == 4096
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">5I", 0, 1, 0, 512, 4096)
    pathlib.Path(f"{database}-journal").write_bytes(header.ljust(512, b"\0"))


@pytest.mark.parametrize("command, status", [
    (["migrate"], 0), (["export"], 0), (["token", "list"], 0), (["backup", "copy.sqlite"], 0),
    (["check", "--app", "a", "--version", "1"], 1), (["bundle", "--app", "a", "--version", "1"], 1),
])
def test_every_command_opens_a_file_that_was_killed_on_its_way_to_wal_mode(tmp_path, command, status):
    half_switched(tmp_path / "longpress.sqlite")
    run = longpress(*command, cwd=tmp_path)
    assert run.returncode == status and "cannot be" not in run.stderr, run
    assert longpress("migrate", cwd=tmp_path).returncode == 0


@on_sqlite
def test_no_kill_at_whatever_moment_of_a_first_start_keeps_the_next_from_coming_up(tmp_path):
    moments, longest = random.Random(SEED), 0.5
    for number in range(KILLS):
        database = tmp_path / f"{number}.sqlite"
        command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--database", database]
        start = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0, longest))
        start.send_signal(signal.SIGKILL)
        start.wait()
        service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            log = next((line for line in service.stderr if "listening" in line), "")
            assert log, f"SEED={SEED}: {service.stderr.read()}"
            service.terminate()
            service.communicate(timeout=120)
        finally:
            service.kill()
            service.wait()
        # Signing in is possible even if the killed start had stored a token.
        assert opens(database, first_token(database).read_text().strip()), f"SEED={SEED}"


def opens(database, token):
    """Whether the service accepts the token."""
    folder = database.with_suffix("")
    folder.mkdir()
    for file in database.parent.glob(database.name + "*"):
        file.rename(folder / file.name.replace(database.name, "longpress.sqlite"))
    server = Longpress(folder)
    try:
        return server.admin("GET", "/tokens", token=token).status == 200
    finally:
        server.stop()


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_no_power_cut_in_a_first_start_keeps_the_next_from_coming_up(tmp_path):
    (tmp_path / "start").mkdir()
    states = []
    for files in recorded_start(tmp_path / "start"):
        states += [state for state in (files.killed(), files.cut()) if state not in states]
    # The states begin with the switch to WAL mode. Of the many pages of the migrations, a few are tried.
    assert len(states) > 50
    for number in sorted({*range(40), *range(40, len(states), max(1, len(states) // KILLS))}):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in states[number].items():
            (folder / name).write_bytes(content)
        run = longpress("token", "list", "--database", folder / "recorded.sqlite")
        assert run.returncode == 0 or states[number] == {}, (number, run.stderr)


# The token of the first start


def test_a_start_whose_address_is_taken_makes_no_token(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        run = longpress("serve", "--listen", "127.0.0.1:%d" % taken.getsockname()[1], "--database", "a.sqlite", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (1, "") and "Cannot listen on" in run.stderr
    assert longpress("token", "list", "--database", "a.sqlite", cwd=tmp_path).stdout == ""


def first_token(database):
    return database.with_name(database.name + ".first-token")


def started(*arguments, **process):
    """A listening service, with its log up to then."""
    service = subprocess.Popen([BINARY, "serve", "--listen", "127.0.0.1:0", *map(str, arguments)], stderr=subprocess.PIPE, text=True, **process)
    log = []
    for line in service.stderr:
        log.append(line)
        if "listening" in line:
            return service, log, re.search(r'address"?[=:]"?([\d.:]+)', line)[1]
    service.wait()
    raise AssertionError("".join(log))


def stopped(service):
    service.terminate()
    rest = service.communicate(timeout=120)[1]
    assert service.returncode == 0, rest
    return rest


def status(address, token):
    """The status of a request for the list of apps."""
    return answer(address, token, "GET", "/apps")[0]


def answer(address, token, method, path, document=None):
    connection = http.client.HTTPConnection(address, timeout=120)
    body = document and json.dumps(document)
    connection.request(method, f"/admin/v1{path}", body, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


@on_sqlite
def test_the_first_token_is_in_a_file_and_not_in_the_log(tmp_path):
    database = tmp_path / "a.sqlite"
    service, log, address = started("--database", database, "--log-level", "trace")
    path = first_token(database)
    token = path.read_text().removesuffix("\n")
    assert token.startswith("lp_") and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert status(address, token) == 200
    [line] = [line for line in log if "created an owner token" in line]
    assert f"file={path}" in line and "expires=" in line
    listed = longpress("token", "list", "--database", database).stdout
    end = datetime.datetime.fromisoformat(re.search(r"expires (\S+)", listed)[1]) - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta(hours=23) < end <= datetime.timedelta(hours=24) and "  first-token" in listed
    # It was used, so the next start does not replace it.
    assert token not in "".join(log) + stopped(service)
    service, log, address = started("--database", database)
    assert not any("created an owner token" in line for line in log) and status(address, token) == 200 and path.read_text() == token + "\n"
    stopped(service)


@on_sqlite
def test_the_first_token_makes_tokens_that_outlast_it(tmp_path):
    service, _, address = started("--database", tmp_path / "a.sqlite")
    made_by = {"first": first_token(tmp_path / "a.sqlite").read_text().strip()}
    for name, maker, document, expected in [
        ("ana", "first", {"role": "owner"}, 201), ("guest", "first", {"role": "owner", "expiresAt": "2999-01-01T00:00:00Z"}, 201),
        ("later", "guest", {"role": "owner"}, 403), ("other", "ana", {"role": "owner"}, 201),
    ]:
        code, made = answer(address, made_by[maker], "POST", "/tokens", {"name": name, **document})
        assert code == expected, made
        made_by[name] = made.get("token")
    stopped(service)


@on_sqlite
def test_a_first_token_that_nobody_used_is_replaced_by_the_next_start(tmp_path):
    database = tmp_path / "a.sqlite"
    tokens = []
    for _ in range(2):
        service, _, address = started("--database", database)
        tokens.append(first_token(database).read_text().strip())
        if len(tokens) < 2:
            stopped(service)
    assert [status(address, token) for token in tokens] == [401, 200]
    stopped(service)
    assert longpress("token", "list", "--database", database).stdout.count("\n") == 1


@on_sqlite
@pytest.mark.parametrize("arguments", [["--role", "reader"], ["--role", "owner", "--expires", "1h"]])
def test_beside_another_token_no_first_token_is_made_or_replaced(tmp_path, arguments):
    database = tmp_path / "a.sqlite"
    service, _, _ = started("--database", database)
    token = first_token(database).read_text()
    stopped(service)
    assert longpress("token", "create", "--name", "ana", *arguments, "--database", database).returncode == 0
    service, _, address = started("--database", database)
    assert first_token(database).read_text() == token and status(address, token.strip()) == 200
    stopped(service)


@on_sqlite
def test_with_a_configured_token_no_first_token_is_made(tmp_path):
    database = tmp_path / "a.sqlite"
    service, _, _ = started("--database", database, env={**os.environ, "LONGPRESS_ADMIN_TOKEN": "t" * 40})
    stopped(service)
    assert not first_token(database).exists() and longpress("token", "list", "--database", database).stdout == ""


@on_sqlite
def test_on_a_terminal_the_first_token_is_printed_and_not_written(tmp_path):
    terminal, other = pty.openpty()
    try:
        service = subprocess.Popen([BINARY, "serve", "--listen", "127.0.0.1:0"], cwd=tmp_path, stderr=other, stdout=subprocess.PIPE)
        said = b""
        while b"listening" not in said:
            said += os.read(terminal, 4096)
        service.terminate()
        assert service.communicate(timeout=120)[0] == b""
    finally:
        os.close(terminal)
        os.close(other)
    assert re.search(rb"Owner token, valid until \S+Z and shown only once: lp_\S+", said)
    assert not first_token(tmp_path / "longpress.sqlite").exists()


@pytest.mark.parametrize("has_state_directory", [True, False])
def test_on_postgresql_the_first_token_is_in_the_state_directory_or_the_working_directory(tmp_path, has_state_directory):
    (tmp_path / "state").mkdir()
    environment = {**os.environ} | ({"STATE_DIRECTORY": str(tmp_path / "state")} if has_state_directory else {})
    service, log, address = started("--database", postgres_server().database(), cwd=tmp_path, env=environment)
    path = (tmp_path / "state" if has_state_directory else tmp_path) / "longpress.first-token"
    assert status(address, path.read_text().strip()) == 200 and any(f"file={path}" in line for line in log)
    stopped(service)


@on_sqlite
def test_a_token_that_could_not_be_shown_is_not_there(tmp_path):
    first_token(tmp_path / "longpress.sqlite").mkdir()
    run = longpress("serve", "--listen", "127.0.0.1:0", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (1, "") and "longpress.sqlite.first-token cannot be written: Is a directory. It is" in run.stderr, run
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [BINARY, "token", "create", "--name", "a", "--role", "owner"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=120)
    assert run.returncode == 1 and "No space left" in run.stderr
    assert longpress("token", "list", cwd=tmp_path).stdout == ""
