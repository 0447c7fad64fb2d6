"""Restoring a backup: complete, durable, never under a running service, and no revision number is given twice."""

import os
import shutil
import sqlite3
import stat
import subprocess

import pytest

from longpress import BINARY, item, on_sqlite

pytestmark = on_sqlite


def longpress(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture
def backed_up(own, tmp_path):
    """A server with a backup in which app `a` has one revision, `gone` two and `new` none. All of them changed after it."""
    for app in ("a", "gone", "new"):
        own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("before")]})
    for number in (1, 2):
        own.admin("PUT", f"/apps/gone/sets/{number}.0", {"items": []})
    own.admin("DELETE", "/apps/gone")
    copy = tmp_path / "copy.sqlite"
    assert longpress("backup", copy, "--database", own.database).returncode == 0
    own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("after")]})
    return own, copy


def files(folder):
    """All files except the lock file, which readers use too."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and not path.name.endswith("-shm")}


def test_revision_numbers_go_on_above_those_that_were_given_after_the_backup(backed_up):
    own, copy = backed_up
    before = copy.read_bytes()
    own.stop()
    run = longpress("restore", "--drop-tokens", copy, "--database", own.database)
    assert (run.returncode, run.stdout) == (0, "") and "1000 higher" in run.stderr, run
    own.start()
    assert own.shortcuts("a", "1.0").json["items"][0]["type"] == "com.example.before"
    own.admin("PUT", "/apps/gone", {"defaultLanguage": "en"})
    for app, revision in [("a", 1002), ("gone", 1003), ("new", 1001)]:
        assert own.admin("PUT", f"/apps/{app}/sets/2.0", {"items": []}).json["revision"] == revision
    entries = [entry for entry in own.admin("GET", "/audit").json["items"] if entry["action"] == "store.restored"]
    assert [(entry["token"], entry["address"]) for entry in entries] == [("command-line", "local")]
    assert copy.read_bytes() == before
    # The previous database is beside it, complete.
    former = [path for path in own.database.parent.glob("longpress.sqlite.former-*") if not path.name.endswith(("-wal", "-shm"))]
    assert len(former) == 1 and str(former[0]) in run.stderr
    document = longpress("export", "--database", former[0]).stdout
    assert "after" in document and not list(own.database.parent.glob("*.partial*"))


@pytest.fixture
def tokens(own, tmp_path):
    """Two tokens in a backup, one of which was revoked after it, and a cookie."""
    made = {name: own.admin("POST", "/tokens", {"name": name, "role": "owner"}).json for name in ("stays", "stolen")}
    cookie = own.admin("POST", "/sessions", {"token": made["stays"]["token"]}, token=None, Sec_Fetch_Site="same-origin").fields["set-cookie"]
    copy = tmp_path / "copy.sqlite"
    assert longpress("backup", copy, "--database", own.database).returncode == 0
    assert own.admin("DELETE", f"/tokens/{made['stolen']['id']}", token=made["stays"]["token"]).status == 204
    return own, copy, made, cookie.split(";")[0]


def status(server, token=None, cookie=None):
    return server.admin("GET", "/apps", token=token, **({"Cookie": cookie} if cookie else {})).status


def test_who_restores_says_what_becomes_of_the_tokens(tokens):
    own, copy, _, _ = tokens
    own.stop()
    before = files(own.database.parent)
    run = longpress("restore", copy, "--database", own.database)
    assert run.returncode == 64 and "Add --drop-tokens or --keep-tokens. " in run.stderr, run
    assert longpress("restore", copy, "--drop-tokens", "--keep-tokens", "--database", own.database).returncode == 64
    assert files(own.database.parent) == before


def test_tokens_and_sessions_can_be_dropped(tokens):
    own, copy, made, cookie = tokens
    own.stop()
    run = longpress("restore", copy, "--drop-tokens", "--database", own.database)
    assert run.returncode == 0 and "All sessions and tokens were removed. " in run.stderr, run
    own.start()
    assert [status(own, token["token"]) for token in made.values()] == [401, 401] and status(own, cookie=cookie) == 401
    entries = own.admin("GET", "/audit?action=token.revoked").json["items"]
    assert {(entry["token"], entry["target"]["name"]) for entry in entries} >= {("command-line", "stays"), ("command-line", "stolen")}


def test_tokens_that_are_kept_although_they_were_revoked_are_listed(tokens):
    own, copy, made, cookie = tokens
    own.stop()
    run = longpress("restore", copy, "--keep-tokens", "--database", own.database)
    listed = [line.split() for line in run.stderr.splitlines() if line.startswith("  ")]
    assert run.returncode == 0 and [line[:3] + line[4:] for line in listed] == [[made["stolen"]["id"], "stolen", "revoked", "by", "stays"]], run
    assert f"longpress token revoke ID --database {own.database}" in run.stderr
    own.start()
    assert [status(own, token["token"]) for token in made.values()] == [200, 200] and status(own, cookie=cookie) == 401


def test_revocations_by_an_earlier_restore_are_listed_too(tokens):
    own, copy, made, _ = tokens
    own.stop()
    assert longpress("restore", copy, "--drop-tokens", "--database", own.database).returncode == 0
    run = longpress("restore", copy, "--keep-tokens", "--database", own.database)
    assert all(token["id"] in run.stderr for token in made.values()), run


@pytest.mark.parametrize("replaced", ["the same", "nothing", "a damaged one"])
def test_where_no_revocation_can_be_known_it_is_said(tokens, tmp_path, replaced):
    own, copy, _, _ = tokens
    own.stop()
    target = tmp_path / "other.sqlite"
    if replaced != "nothing":
        shutil.copy(copy, target)
    if replaced == "a damaged one":
        content = bytearray(target.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        target.write_bytes(content)
    run = longpress("restore", copy, "--keep-tokens", "--database", target)
    said = {"the same": "No revoked token became valid again."}.get(replaced, "No replaced database shows which")
    assert run.returncode == 0 and said in run.stderr, run


def test_a_running_service_keeps_its_database(backed_up):
    own, copy = backed_up
    names = {path.name for path in own.database.parent.iterdir()}
    run = longpress("restore", "--drop-tokens", copy, "--database", own.database)
    assert run.returncode == 1 and "is in use. Stop the service" in run.stderr
    assert {path.name for path in own.database.parent.iterdir()} == names
    assert own.admin("PUT", "/apps/a/sets/3.0", {"items": []}).json["revision"] == 3


@pytest.mark.parametrize("instead", ["nothing", "a copy"])
def test_a_running_service_whose_database_was_deleted_or_replaced_keeps_its_log(backed_up, instead):
    own, copy = backed_up
    own.database.unlink()
    if instead == "a copy":
        shutil.copy(copy, own.database)
    before = files(own.database.parent)
    run = longpress("restore", "--drop-tokens", copy, "--database", own.database)
    assert run.returncode == 1 and "Stop the service first" in run.stderr, run
    assert files(own.database.parent) == before
    own.stop(9)
    assert longpress("restore", "--drop-tokens", copy, "--database", own.database).returncode == 0
    own.start()
    assert own.shortcuts("a", "1.0").json["items"][0]["type"] == "com.example.before"


@pytest.mark.parametrize("kind", ["a pipe", "a text", "a short text", "a folder", "a link to a text"])
def test_only_a_database_is_replaced(backed_up, tmp_path, kind):
    _, copy = backed_up
    (tmp_path / "other").mkdir()
    target = tmp_path / "other" / "target"
    if kind == "a pipe":
        os.mkfifo(target)
    elif kind == "a folder":
        target.mkdir()
    elif kind == "a link to a text":
        (tmp_path / "other" / "text").write_text("my letters\n" * 9)
        target.symlink_to("text")
    else:
        target.write_text("SQLite" if kind == "a short text" else "my letters\n" * 9)
    before = {path.name: (path.lstat().st_mode, path.lstat().st_ino) for path in target.parent.iterdir()}
    run = longpress("restore", "--drop-tokens", copy, "--database", target)
    assert run.returncode == 1 and "was not replaced" in run.stderr and run.stderr.count("Nothing was restored.") == 1, run
    assert {path.name: (path.lstat().st_mode, path.lstat().st_ino) for path in target.parent.iterdir()} == before


@pytest.mark.skipif(os.geteuid() != 0, reason="making a device needs root")
def test_a_device_is_not_replaced(backed_up, tmp_path):
    _, copy = backed_up
    device = tmp_path / "full"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
    except PermissionError:
        pytest.skip("this system makes no devices")
    run = longpress("restore", "--drop-tokens", copy, "--database", device)
    assert run.returncode == 1 and "is not a regular file" in run.stderr and stat.S_ISCHR(device.lstat().st_mode)


def test_an_empty_file_is_replaced(backed_up, tmp_path):
    _, copy = backed_up
    target = tmp_path / "empty.sqlite"
    target.touch()
    assert longpress("restore", "--drop-tokens", copy, "--database", target).returncode == 0
    assert "before" in longpress("export", "--database", target).stdout


def test_a_log_that_a_kill_left_is_not_mixed_with_the_copy(backed_up):
    own, copy = backed_up
    own.stop(9)
    assert own.database.with_name("longpress.sqlite-wal").stat().st_size > 0
    assert longpress("restore", "--drop-tokens", copy, "--database", own.database).returncode == 0
    assert not own.database.with_name("longpress.sqlite-wal").exists() and not own.database.with_name("longpress.sqlite-shm").exists()
    own.start()
    assert own.shortcuts("a", "1.0").json["items"][0]["type"] == "com.example.before"
    former = next(path for path in own.database.parent.glob("*.former-*") if path.name.endswith("Z"))
    assert "after" in longpress("export", "--database", former).stdout


def test_a_log_without_its_database_is_put_aside_too(backed_up):
    own, copy = backed_up
    own.stop(9)
    own.database.unlink()
    run = longpress("restore", "--drop-tokens", copy, "--database", own.database)
    assert run.returncode == 0
    # Only existing files are named.
    former = [path for path in own.database.parent.glob("*.former-*")]
    assert [path.name[-5:] for path in former] == ["Z-wal"] and f" {former[0]}.\n" in run.stderr
    own.start()
    assert own.shortcuts("a", "1.0").json["items"][0]["type"] == "com.example.before"


def test_it_is_restored_where_nothing_is_for_its_owner_only(backed_up, tmp_path):
    _, copy = backed_up
    (tmp_path / "other").mkdir()
    target = tmp_path / "other" / "store.sqlite"
    assert longpress("restore", "--drop-tokens", copy, "--database", target).returncode == 0
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["store.sqlite"] and target.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="giving a file to another user needs root")
def test_what_root_restores_belongs_to_whom_it_belonged(backed_up):
    own, copy = backed_up
    own.stop()
    os.chown(own.database, 65534, 65534)
    assert longpress("restore", "--drop-tokens", copy, "--database", own.database).returncode == 0
    assert (own.database.stat().st_uid, own.database.stat().st_gid) == (65534, 65534)


@pytest.mark.parametrize("damage, reason", [
    ("absent", "There is no backup"), ("text", "damaged"), ("a page", "damaged"), ("foreign", "another program"), ("newer", "newer version of Longpress"),
    ("empty", "is not a database of Longpress"), ("itself", "is the database itself"),
])
def test_what_is_no_whole_backup_is_refused_and_nothing_is_touched(backed_up, damage, reason):
    own, copy = backed_up
    own.stop()
    if damage == "absent":
        copy.unlink()
    elif damage == "text":
        copy.write_text("this is a letter to my aunt\n" * 500)
    elif damage == "a page":
        content = bytearray(copy.read_bytes())
        content[8192:12288] = os.urandom(4096)
        copy.write_bytes(content)
    elif damage == "itself":
        copy = own.database
    else:
        statement = {
            "foreign": "CREATE TABLE songs (id)", "empty": "VACUUM",
            "newer": "INSERT INTO schema_migrations (version, name, applied_at) VALUES (9999, 'future', 0)"}[damage]
        if damage != "newer":
            copy.unlink()
        connection = sqlite3.connect(copy)
        connection.execute(statement)
        connection.commit()
        connection.close()
    before = files(own.database.parent)
    run = longpress("restore", "--drop-tokens", copy, "--database", own.database)
    assert run.returncode == 1 and reason in run.stderr, run
    assert files(own.database.parent) == before


def test_a_raw_copy_with_its_log_is_restored_with_what_is_in_the_log(backed_up, tmp_path):
    own, _ = backed_up
    (tmp_path / "raw").mkdir()
    own.process.send_signal(19)  # stopped, so that both files have the same state
    try:
        for suffix in ("", "-wal"):
            shutil.copy(f"{own.database}{suffix}", tmp_path / "raw" / f"store.sqlite{suffix}")
    finally:
        own.process.send_signal(18)
    target = tmp_path / "raw" / "restored.sqlite"
    assert longpress("restore", "--drop-tokens", tmp_path / "raw" / "store.sqlite", "--database", target).returncode == 0
    assert "after" in longpress("export", "--database", target).stdout


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_kill_at_whatever_step_leaves_the_former_database_or_the_restored_one(backed_up, tmp_path):
    own, copy = backed_up
    own.stop(9)
    seen = set()
    for step in range(1, 30):
        folder = tmp_path / str(step)
        folder.mkdir()
        for path in own.database.parent.glob(own.database.name + "*"):
            shutil.copy(path, folder)
        target = folder / own.database.name
        # Every change of a name in the folder is a step.
        kill = f"inject=rename,renameat,renameat2,link,linkat:signal=KILL:when={step}"
        run = subprocess.run(
            ["strace", "-f", "-qq", "-e", "trace=rename,renameat,renameat2,link,linkat", "-e", kill, "-o", "/dev/null", BINARY, "restore", "--drop-tokens",
             copy, "--database", target], capture_output=True, text=True, timeout=120)
        document = longpress("export", "--database", target).stdout
        assert "before" in document
        seen.add((run.returncode == 0, "after" in document))
        if run.returncode == 0:
            break
    # After a kill, the previous database is complete and in its place, unless it was the last step. After success, the restored one is.
    assert {(False, True), (True, False)} <= seen and (True, True) not in seen
    assert step > 3
