"""A first start that is cut off at whatever moment: the next one comes up by itself.

KILLS sets how often a real one is killed, SEED repeats a run's moments.
"""

import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import time

import pytest

from longpress import BINARY, Longpress, eventually, on_sqlite
from recorded_start import recorded_start

KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))


def longpress(*arguments, **more):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=60, **more)


def half_switched(database):
    """A new file that was killed on its way to WAL mode: one page, and the journal that undoes it."""
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
    moments, longest, printed = random.Random(SEED), 0.5, 0
    for number in range(KILLS):
        database = tmp_path / f"{number}.sqlite"
        command = [BINARY, "serve", "--listen", "127.0.0.1:0", "--database", database]
        start = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        time.sleep(moments.uniform(0, longest))
        start.send_signal(signal.SIGKILL)
        told = start.communicate()[0]
        service = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            log = next((line for line in service.stderr if "listening" in line), "")
            assert log, f"SEED={SEED}: {service.stderr.read()}"
            # Somebody can enter: by the token of the start that was killed, or by another.
            service.terminate()
            told += service.communicate(timeout=30)[0]
        finally:
            service.kill()
            service.wait()
        tokens = re.findall(r"Owner token, shown this once: (\S+)", told)
        printed += len(tokens)
        assert tokens and opens(database, tokens[-1]), f"SEED={SEED}: {told}"
    print(f"{KILLS} kills (SEED={SEED}), {printed} tokens printed")


def opens(database, token):
    """Whether the service takes the token."""
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
    # The switch to WAL mode is the beginning; of the many pages of the migrations a few stand for all.
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
    assert (run.returncode, run.stdout) == (1, "") and "cannot be listened on" in run.stderr
    assert longpress("token", "list", "--database", "a.sqlite", cwd=tmp_path).stdout == ""


def test_a_token_that_could_not_be_shown_is_not_there(tmp_path):
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [BINARY, "serve", "--listen", "127.0.0.1:0"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        assert (run.returncode, run.stderr.strip()) == (1, "longpress: Standard output cannot be written: No space left on device.")
        run = subprocess.run(
            [BINARY, "token", "create", "--name", "a", "--role", "owner"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=60)
    assert run.returncode == 1 and "No space left" in run.stderr
    assert longpress("token", "list", cwd=tmp_path).stdout == ""


def test_a_token_is_shown_before_it_is_stored(tmp_path):
    reading, writing = os.pipe2(os.O_NONBLOCK)
    try:
        while True:
            os.write(writing, bytes(4096))
    except BlockingIOError:
        os.set_blocking(writing, True)
    start = subprocess.Popen([BINARY, "serve", "--listen", "127.0.0.1:0"], cwd=tmp_path, stdout=writing, stderr=subprocess.DEVNULL)
    try:
        # It waits in write(1, ...): nobody has read the token yet.
        eventually(lambda: pathlib.Path(f"/proc/{start.pid}/syscall").read_text().split()[1:2] == ["0x1"])
    finally:
        start.kill()
        start.wait()
        os.close(reading)
        os.close(writing)
    assert longpress("token", "list", cwd=tmp_path).stdout == ""
