"""Acknowledged writes survive, whatever happens."""

import http.client
import signal
import sqlite3
import subprocess
import threading

from longpress import BINARY, item, on_sqlite


def test_a_kill_in_the_middle_of_a_hundred_writes_loses_none_that_was_acknowledged(own):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    acknowledged = []

    def write(numbers):
        for number in numbers:
            try:
                answer = own.admin("PUT", f"/apps/a/sets/{number}.0", {"items": [item(f"i{number}")]})
            except (OSError, http.client.HTTPException):
                return
            if answer.status == 201:
                acknowledged.append((number, answer.json["revision"]))

    writers = [threading.Thread(target=write, args=(range(start, 101, 4),)) for start in range(1, 5)]
    for writer in writers:
        writer.start()
    while len(acknowledged) < 40:
        pass
    own.stop(signal.SIGKILL)
    for writer in writers:
        writer.join()
    own.start()
    assert len(acknowledged) < 100
    for number, revision in acknowledged:
        answer = own.admin("GET", f"/apps/a/sets/{number}.0")
        assert answer.fields["etag"] == f'"{revision}"' and answer.json["items"][0]["id"] == f"i{number}"
    revisions = [entry["revision"] for entry in own.admin("GET", "/apps/a/revisions?limit=200").json["items"]]
    assert revisions == list(range(max(revisions), 0, -1))


def test_of_two_editors_with_the_same_tag_one_gets_412_and_nothing_of_theirs_is_written(own):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/a/sets/1.0", {"items": []})
    for _ in range(10):
        tag = own.admin("GET", "/apps/a/sets/1.0").fields["etag"]
        answers = {}

        def edit(name):
            answers[name] = own.admin("PUT", "/apps/a/sets/1.0", {"items": [item(name + tag.strip('"'))]}, If_Match=tag)

        editors = [threading.Thread(target=edit, args=(name,)) for name in ("left", "right")]
        for editor in editors:
            editor.start()
        for editor in editors:
            editor.join()
        winner, loser = sorted(answers, key=lambda name: answers[name].status)
        assert (answers[winner].status, answers[loser].status) == (200, 412)
        assert answers[loser].code == "precondition-failed"
        assert own.admin("GET", "/apps/a/sets/1.0").json["items"][0]["id"].startswith(winner)


@on_sqlite
def test_a_backup_made_while_serving_is_whole(own, tmp_path):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    copy = tmp_path / "copy.sqlite"
    command = [BINARY, "backup", copy, "--database", own.database]
    assert subprocess.run(command).returncode == 0
    assert sqlite3.connect(copy).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 1 and "copy.sqlite" in again.stderr


@on_sqlite
def test_a_database_of_a_newer_longpress_is_refused_and_untouched(own):
    assert own.stop() == 0
    connection = sqlite3.connect(own.database)
    table = connection.execute("SELECT name FROM sqlite_master WHERE name LIKE '%migration%'").fetchone()[0]
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = [9999 if "version" in c or c.endswith("_at") else "9999_future" for c in columns]
    connection.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(columns))})", values)
    connection.commit()
    connection.close()
    run = subprocess.run([BINARY, "serve", "--database", own.database, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 1 and "newer" in run.stderr.lower()
