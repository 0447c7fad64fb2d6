"""Export and import: the menus in git, applied by CI."""

import json
import subprocess

import pytest

from longpress import BINARY, Longpress, item


@pytest.fixture
def filled(own):
    """A server with two apps, one of which is gone again."""
    own.admin("PUT", "/apps/com.example.notes", {"defaultLanguage": "en", "fallbackURL": "notes://home"})
    own.admin("PUT", "/apps/com.example.notes/releases/1.0+7", {"urlSchemes": ["notes"], "assets": {"images": ["Pen"]}})
    rich = item("a", {"en": "A", "ko": "가"}, userInfo={"n": [1, 1.0, True, {"$date": "2026-01-31T09:00:00Z"}]}, icon={"type": 5})
    own.admin("PUT", "/apps/com.example.notes/sets/1.0", {"items": [rich]})
    own.admin("PUT", "/apps/com.example.notes/sets/2.0?audience=guest", {"items": [item("b")]})
    own.admin("PUT", "/apps/com.example.notes/sets/3.0/draft", {"items": [item("c")]})
    own.admin("POST", "/apps/com.example.notes/sets/3.0/publish", {"at": "2099-01-01T00:00:00Z"})
    own.admin("PUT", "/apps/com.example.gone", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/com.example.gone/sets/1.0", {"items": []})
    own.admin("DELETE", "/apps/com.example.gone")
    return own


@pytest.fixture
def fresh(tmp_path):
    (tmp_path / "other").mkdir()
    server = Longpress(tmp_path / "other")
    yield server
    server.stop()


def exported(server, **more):
    answer = server.admin("GET", "/export", **more)
    assert answer.status == 200 and answer.fields["content-type"] == "application/json"
    return answer.body


def test_export_import_export_is_identical_and_serves_alike(filled, fresh):
    document = exported(filled)
    rehearsed = fresh.admin("POST", "/import?dryRun=true", body=document)
    expected = {"app": "com.example.notes", "releases": 1, "sets": 2, "drafts": 1, "revisions": 2, "lastRevision": 2}
    assert (rehearsed.status, rehearsed.json) == (200, {"dryRun": True, "apps": [expected]})
    assert fresh.admin("GET", "/apps").json["items"] == []
    assert fresh.admin("POST", "/import", body=document).json == {"dryRun": False, "apps": [expected]}
    assert exported(fresh) == document
    for version, query in [("1.0", ""), ("1.0", "?lang=ko"), ("2.1", "?audience=guest")]:
        old, new = (server.shortcuts("com.example.notes", version, query) for server in (filled, fresh))
        assert (new.status, new.body, new.fields["etag"]) == (200, old.body, old.fields["etag"])
    assert fresh.admin("GET", "/apps/com.example.notes/drafts").json["items"][0]["at"] == "2099-01-01T00:00:00Z"
    fresh.admin("PUT", "/apps/com.example.gone", {"defaultLanguage": "en"})
    assert fresh.admin("PUT", "/apps/com.example.gone/sets/1.0", {"items": []}).json["revision"] == 2


def test_an_export_holds_no_secret_and_reads_in_a_diff(filled):
    secret = filled.admin("POST", "/tokens", {"name": "ci", "role": "reader"}).json["token"]
    filled.admin("POST", "/webhooks", {"url": "https://hooks.example.com/"})
    before = exported(filled)
    assert secret.encode() not in before and b"whsec_" not in before and b"hooks.example.com" not in before
    filled.admin("PATCH", "/apps/com.example.notes", {"name": "Notes"})
    lines = before.decode().splitlines(), exported(filled).decode().splitlines()
    assert [(a, b) for a, b in zip(*lines) if a != b] == [('      "name": null,', '      "name": "Notes",')]


def test_what_is_there_is_never_overwritten(filled):
    document = exported(filled)
    for query in ("", "?dryRun=true"):
        refused = filled.admin("POST", "/import" + query, body=document)
        assert refused.code == "conflict" and len(refused.json["violations"]) == 2
    assert exported(filled) == document


def test_a_broken_export_leaves_nothing(filled, fresh):
    document = json.loads(exported(filled))
    document["apps"][0]["revisions"][1]["set"]["items"][0]["title"] = {}
    document["apps"][0]["sets"][0]["revision"] = 7
    document["apps"].append({"app": "com.example.second"})
    refused = fresh.admin("POST", "/import", document)
    assert refused.status == 422 and len(refused.violations) >= 4
    assert fresh.admin("GET", "/apps").json["items"] == []
    assert fresh.admin("GET", "/audit").json["items"] == []
    assert fresh.admin("POST", "/import", body=b"{").code == "malformed-json"
    assert fresh.admin("POST", "/import?dryRun=maybe", document).code == "invalid-parameter"


def test_owners_only_and_within_their_scope(filled, fresh):
    publisher = filled.admin("POST", "/tokens", {"name": "p", "role": "publisher"}).json["token"]
    assert filled.admin("GET", "/export", token=publisher).status == 403
    scoped = filled.admin("POST", "/tokens", {"name": "s", "role": "owner", "apps": ["com.example.other"]}).json["token"]
    assert json.loads(exported(filled, token=scoped))["apps"] == []
    scoped = fresh.admin("POST", "/tokens", {"name": "s", "role": "owner", "apps": ["com.example.other"]}).json["token"]
    assert fresh.admin("POST", "/import", body=exported(filled), token=scoped).status == 403


def test_the_command_does_the_same(filled, tmp_path):
    def run(*arguments):
        return subprocess.run([BINARY, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60)

    made = run("export", "--database", filled.database, "--output", "menus.json")
    assert (made.returncode, made.stderr) == (0, "The export is at menus.json.\n")
    assert (tmp_path / "menus.json").read_bytes() == exported(filled)
    tried = run("import", "menus.json", "--database", "copy.sqlite", "--dry-run")
    line = "com.example.notes  2 sets, 1 drafts, 1 releases, revisions to 2\n"
    assert (tried.returncode, tried.stdout, tried.stderr) == (0, line, "Nothing was written.\n")
    assert not (tmp_path / "copy.sqlite").exists()
    assert run("import", "menus.json", "--database", "copy.sqlite").returncode == 0
    assert run("export", "--database", "copy.sqlite").stdout.encode() == exported(filled)
    again = run("import", "menus.json", "--database", "copy.sqlite")
    assert again.returncode == 1 and "is here already" in again.stderr
    assert run("import", "nowhere.json").returncode != 0


@pytest.mark.parametrize("arguments", [("export",), ("export", "--output", "menus.json"), ("token", "list"), ("token", "revoke", "id")])
def test_a_mistyped_database_is_not_taken_for_an_empty_one(tmp_path, arguments):
    command = [BINARY, *arguments, "--database", "mistyped.sqlite"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (1, "") and "There is no database at mistyped.sqlite" in run.stderr
    assert list(tmp_path.iterdir()) == []
