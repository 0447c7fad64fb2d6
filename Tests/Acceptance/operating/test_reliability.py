"""The store is slow, locked, full, missing or damaged, the clock jumps, descriptors run out: fetches continue, writes report errors, and
the service recovers without a restart. docs/reliability.md has the results."""

import http.client
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

import pytest

from longpress import BINARY, OWNER, Longpress, eventually, item, on_sqlite, requires_user

MENU = {"items": [item("compose", {"en": "Compose", "ko": "쓰기"})]}


def published(server):
    """A server whose app `a` has a menu, which was fetched in English."""
    assert server.admin("PUT", "/apps/a", {"defaultLanguage": "en"}).status == 201
    assert server.admin("PUT", "/apps/a/sets/1.0", MENU).status == 201
    assert server.shortcuts("a", "1.0", "?lang=en").status == 200
    return server


def publish(server, version="2.0", **more):
    return server.admin("PUT", f"/apps/a/sets/{version}", {**MENU, **more})


def assert_refused(answer):
    assert (answer.status, answer.code) == (503, "storage-unavailable"), answer.body
    assert int(answer.fields["retry-after"]) > 0 and "Nothing was written" in answer.json["detail"]
    assert "sqlite" not in answer.body.decode().lower()


def assert_fetches_go_on(server):
    """Fetches a cached answer, renders a new one, and posts taps."""
    etag = server.shortcuts("a", "1.0", "?lang=en").fields["etag"]
    assert server.shortcuts("a", "1.0", "?lang=en", If_None_Match=etag).status == 304
    # A new target has to be rendered.
    assert server.shortcuts("a", f"1.{time.monotonic_ns() % 10**9}", "?lang=ko").json["items"][0]["localizedTitle"] == "쓰기"
    assert server.tap("a", "1.0", {"type": "com.example.compose", "userInfo": {}}).json["outcome"] == "untagged"
    assert server.get("/v1/apps/a/versions/1.0/continuity").status == 200
    assert server.get("/healthz").status == 200


def run_refused(database, **process):
    """Runs `serve` on a database that it must not open: exit 1, a sentence that names the file, and an unchanged file."""
    before = database.read_bytes()
    run = subprocess.run(
        [BINARY, "serve", "--listen", "127.0.0.1:0", "--database", database, "--admin-token", OWNER],
        capture_output=True, text=True, timeout=120, **process)
    assert run.returncode == 1 and str(database) in run.stderr, run
    assert database.read_bytes() == before
    assert "Fatal" not in run.stderr and "SQLite error" not in run.stderr
    return run.stderr


# The store exists and cannot be written


@on_sqlite
def test_another_process_keeps_the_store_to_itself(own):
    published(own)
    other = sqlite3.connect(own.database, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    def reads_beside_writes():
        answers = []
        writers = [threading.Thread(target=lambda n=n: answers.append(publish(own, f"3.{n}"))) for n in range(3)]
        for writer in writers:
            writer.start()
        assert_fetches_go_on(own)
        have_waited = bool(answers)
        for writer in writers:
            writer.join()
        for answer in answers:
            assert_refused(answer)
        return not have_waited

    # On a loaded machine a round of reads may take longer than a write waits.
    eventually(reads_beside_writes)
    other.execute("COMMIT")
    assert publish(own).status == 201


@on_sqlite
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_the_disk_is_full(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", disk], capture_output=True).returncode != 0:
        pytest.skip("a disk cannot be mounted here")
    try:
        server = published(Longpress(disk))
        try:
            with open(disk / "ballast", "wb", buffering=0) as ballast, pytest.raises(OSError):
                while True:
                    ballast.write(bytes(512))
            refused = None
            for number in range(50):  # uses up the allocated space first
                refused = publish(server, f"4.{number}", retired=[{"id": f"r{number}-{n}-" + "x" * 100} for n in range(100)])
                if refused.status != 201:
                    break
            assert_refused(refused)
            assert_fetches_go_on(server)
            (disk / "ballast").unlink()
            assert publish(server).status == 201
            assert server.admin("GET", f"/apps/a/sets/4.{number}").status == 404
            server.restart()
            assert server.admin("GET", "/apps/a/sets/2.0").status == 200
        finally:
            server.stop(signal.SIGKILL)
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


@on_sqlite
def test_a_file_reaches_the_largest_size_it_may_have(tmp_path):
    server = published(Longpress(tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_200_000, 1_200_000))))
    refused = None
    for number in range(200):
        refused = publish(server, f"4.{number}", retired=[{"id": f"r{number}-{n}-" + "x" * 100} for n in range(100)])
        if refused.status != 201:
            break
    assert_refused(refused)
    assert_fetches_go_on(server)
    assert server.stop() == 0


def stops_writes(path):
    """Whether `chattr +i` stops writes through a descriptor that is open."""
    with open(path, "wb", buffering=0) as probe:
        if subprocess.run(["chattr", "+i", path], capture_output=True).returncode != 0:
            return False
        try:
            probe.write(b"x")
        except PermissionError:
            return True
        finally:
            subprocess.run(["chattr", "-i", path], check=True)
    return False


@on_sqlite
@pytest.mark.skipif(os.geteuid() != 0, reason="a file that root may not write needs root to be made")
def test_a_file_becomes_read_only(own):
    published(own)
    files = [f"{own.database}{suffix}" for suffix in ("", "-wal")]
    if not stops_writes(own.database.with_name("probe")):
        pytest.skip("this file system has no files that cannot be changed, such as tmpfs, where a file that is open can")
    subprocess.run(["chattr", "+i", *files], check=True)
    try:
        assert_refused(publish(own))
        assert_fetches_go_on(own)
    finally:
        subprocess.run(["chattr", "-i", *files], check=True)
    assert publish(own).status == 201


@on_sqlite
@pytest.mark.skipif(os.geteuid() != 0, reason="becoming a user who may not write needs root")
def test_a_file_that_may_not_be_written_is_refused_at_start(own):
    requires_user(65534)
    own.stop()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copy = pathlib.Path(shutil.copy(own.database, folder))
        copy.chmod(0o444)
        assert "cannot be opened for writing" in run_refused(copy, user=65534)


# The store was changed


@on_sqlite
def test_the_file_is_moved_away_and_comes_back(own):
    published(own)
    assert_writes_can_be_had(own)
    own.database.rename(own.database.with_suffix(".moved"))
    assert_no_writes_can_be_had(own)
    assert "longpress_store_writable 0\n" in own.get("/metrics").body.decode()
    assert_refused(publish(own))
    assert_fetches_go_on(own)
    eventually(lambda: told(own))
    own.database.with_suffix(".moved").rename(own.database)
    assert_writes_can_be_had(own)
    assert publish(own).status == 201
    eventually(lambda: len(told(own)) == 2)
    assert "warning" in told(own)[0] and "was moved" in told(own)[0] and " info " in told(own)[1]


@on_sqlite
def test_another_file_in_its_place_is_told_by_the_admin_planes_readiness_on_either_listener(tmp_path):
    own = Longpress(tmp_path, "--admin-listen", "127.0.0.1:0")
    found = eventually(lambda: re.search(r"address=(\S+):(\d+) .*plane=admin", "".join(own.log)))
    shutil.copy(own.database, tmp_path / "copy.sqlite")
    (tmp_path / "copy.sqlite").rename(own.database)
    assert_no_writes_can_be_had(own)
    own.address = (found[1], int(found[2]))  # the listener of the admin plane
    assert_no_writes_can_be_had(own)
    assert own.stop() == 0


@on_sqlite
def test_a_write_that_was_refused_is_told_by_readiness_until_the_store_can_be_written_again(tmp_path):
    server = published(Longpress(tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_200_000, resource.RLIM_INFINITY))))
    for number in range(200):
        if publish(server, f"4.{number}", retired=[{"id": f"r{number}-{n}-" + "x" * 100} for n in range(100)]).status != 201:
            break
    assert_no_writes_can_be_had(server)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    # There are no writes: the service notices the recovery on its own.
    eventually(lambda: server.get("/readyz?plane=admin").status == 200)
    assert server.stop() == 0


def told(server):
    """The log lines about it."""
    return [line for line in server.log if re.search("the database (does not accept|accepts) writes", line)]


def assert_no_writes_can_be_had(server):
    answer = server.get("/readyz?plane=admin")
    assert (answer.status, answer.code) == (503, "storage-unavailable") and int(answer.fields["retry-after"]) > 0
    assert server.get("/readyz").status == 200 and server.get("/readyz?plane=client").status == 200


def assert_writes_can_be_had(server):
    assert server.get("/readyz?plane=admin").status == 200
    for query in ("plane=both", "plan=admin", "plane=admin&x=1"):
        assert server.get("/readyz?" + query).code == "invalid-parameter"
    assert "longpress_store_writable 1\n" in server.get("/metrics").body.decode()


@on_sqlite
def test_what_was_acknowledged_after_the_write_ahead_log_was_deleted_survives_a_kill(own):
    published(own)
    for suffix in ("-wal", "-shm"):
        os.unlink(f"{own.database}{suffix}")
    assert publish(own, "5.0").status == 201
    assert_fetches_go_on(own)
    own.restart(signal.SIGKILL)
    assert own.admin("GET", "/apps/a/sets/5.0").status == 200
    assert publish(own, "6.0").status == 201


@on_sqlite
@pytest.mark.parametrize("damage", ["no header", "no schema", "a page", "half of it", "text"])
def test_a_damaged_database_is_refused_at_start(own, damage):
    published(own)
    own.stop()
    content = bytearray(own.database.read_bytes())
    if damage == "no header":
        content[:100] = bytes(100)
    elif damage == "no schema":
        content[100:4096] = os.urandom(3996)
    elif damage == "a page":
        content[8192:12288] = os.urandom(4096)
    elif damage == "half of it":
        del content[len(content) // 2:]
    else:
        content = bytearray(b"this is a letter to my aunt\n" * 500)
    own.database.write_bytes(content)
    assert "damaged" in run_refused(own.database)


@on_sqlite
def test_a_database_of_a_newer_version_is_refused(own):
    own.stop()
    with sqlite3.connect(own.database) as connection:
        connection.execute("INSERT INTO schema_migrations (version, name, applied_at) VALUES (9999, 'future', 0)")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert "newer" in run_refused(own.database)


# Time


@pytest.mark.skipif(shutil.which("faketime") is None, reason="faketime is not installed")
@pytest.mark.parametrize("jump", ["+2d", "-2d"])
def test_the_clock_jumps(tmp_path, jump):
    now = tmp_path / "now"
    now.write_text("+0d\n")
    library = next(str(path) for path in (
        "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1")
        if os.path.exists(path))
    clock = {
        "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(now), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    # A library that is preloaded first removes a Swift program's arguments. With env it is not first.
    server = published(Longpress(tmp_path, through=["env"], env={**os.environ, **clock}))
    connection = http.client.HTTPConnection(*server.address, timeout=120)
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    before = server.get("/healthz").fields["date"]
    now.write_text(jump + "\n")
    eventually(lambda: server.get("/healthz").fields["date"][:16] != before[:16])
    # A connection that was open before is not cut off, and its timeout is unchanged.
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    assert publish(server).status == 201 and publish(server, "3.0").status == 201
    assert_fetches_go_on(server)
    revisions = [entry["revision"] for entry in server.admin("GET", "/apps/a/revisions").json["items"]]
    assert revisions == [3, 2, 1]
    assert server.stop() == 0


# Descriptors and connections


def hold(server, count):
    """Opens silent connections."""
    held = []
    for _ in range(count):
        connection = socket.create_connection(server.address, timeout=120)
        held.append(connection)
    return held


def ask(connection):
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    return connection.recv(4096)


def test_no_descriptor_is_left(tmp_path):
    server = published(Longpress(
        tmp_path, "--event-loops", "1", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (96, 96))))
    first = socket.create_connection(server.address, timeout=120)
    assert ask(first).startswith(b"HTTP/1.1 200 ")
    held = hold(server, 150)
    assert ask(first).startswith(b"HTTP/1.1 200 ")
    for connection in held:
        connection.close()
    assert_fetches_go_on(server)
    assert publish(server).status == 201
    first.close()
    assert server.stop() == 0


def test_clients_wait_at_the_ceiling_and_come_in_when_others_go(tmp_path):
    server = Longpress(tmp_path, "--max-connections", "20", "--event-loops", "1")
    inside = hold(server, 20)
    for connection in inside:
        assert ask(connection).startswith(b"HTTP/1.1 200 ")
    outside = socket.create_connection(server.address, timeout=120)
    outside.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    # The loop has turned since.
    for connection in inside:
        assert ask(connection).startswith(b"HTTP/1.1 200 ")
    outside.settimeout(0)
    with pytest.raises(BlockingIOError):
        outside.recv(1)
    outside.settimeout(120)
    inside.pop().close()
    assert outside.recv(4096).startswith(b"HTTP/1.1 200 ")
    for connection in [outside, *inside]:
        connection.close()
    assert server.stop() == 0


def test_one_address_cannot_take_all_connections(tmp_path):
    server = Longpress(tmp_path, "--max-connections-per-address", "3")
    inside = hold(server, 3)
    for connection in inside:
        assert ask(connection).startswith(b"HTTP/1.1 200 ")
    turned_away = socket.create_connection(server.address, timeout=120).recv(4096)
    assert turned_away.startswith(b"HTTP/1.1 429 ") and b"/problems/too-many-requests" in turned_away
    # Another address has separate places.
    other = socket.create_connection(server.address, timeout=120, source_address=("127.0.0.2", 0))
    assert ask(other).startswith(b"HTTP/1.1 200 ")
    for connection in [other, *inside]:
        connection.close()
    eventually(lambda: ask(socket.create_connection(server.address, timeout=120)).startswith(b"HTTP/1.1 200 "))
    assert server.stop() == 0
