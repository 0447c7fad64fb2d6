"""Export and import: the menus in git, applied by CI."""

import json
import subprocess

import pytest

from longpress import BINARY, Longpress, eventually, item, unique
from remote import remote


@pytest.fixture
def filled(own):
    """A server with two apps, one of which is deleted."""
    own.admin("PUT", "/apps/com.example.notes", {"defaultLanguage": "en", "fallbackURL": "notes://home"})
    own.admin("PUT", "/apps/com.example.notes/releases/1.0+7", {"urlSchemes": ["notes"], "assets": {"images": ["Pen"]}})
    rich = item("a", {"en": "A", "ko": "가"}, userInfo={"n": [1, 1.0, True, {"$date": "2026-01-31T09:00:00Z"}]}, icon={"type": 5})
    own.admin("PUT", "/apps/com.example.notes/sets/1.0", {"items": [rich]})
    own.admin("PUT", "/apps/com.example.notes/sets/2.0?audience=guest", {"items": [item("b")]})
    own.admin("PUT", "/apps/com.example.notes/sets/3.0/draft", {"items": [item("c")]})
    own.admin("POST", "/apps/com.example.notes/sets/3.0/publish", {"at": "2099-01-01T00:00:00Z", "until": "2099-02-01T00:00:00Z"})
    own.admin("PUT", "/apps/com.example.notes/sets/3.0/draft", {"items": [item("d")]})
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
    expected = {"app": "com.example.notes", "releases": 1, "sets": 2, "drafts": 1, "schedule": 2, "revisions": 2, "lastRevision": 2,
                "warnings": []}
    assert (rehearsed.status, rehearsed.json) == (200, {"dryRun": True, "apps": [expected]})
    assert fresh.admin("GET", "/apps").json["items"] == []
    assert fresh.admin("POST", "/import", body=document).json == {"dryRun": False, "apps": [expected]}
    assert exported(fresh) == document
    for version, query in [("1.0", ""), ("1.0", "?lang=ko"), ("2.1", "?audience=guest")]:
        old, new = (server.shortcuts("com.example.notes", version, query) for server in (filled, fresh))
        assert (new.status, new.body, new.fields["etag"]) == (200, old.body, old.fields["etag"])
    schedule, drafts = (fresh.admin("GET", f"/apps/com.example.notes/{what}").json["items"] for what in ("schedule", "drafts"))
    assert [(entry["at"], entry["kind"]) for entry in schedule] == [("2099-01-01T00:00:00Z", "publish"), ("2099-02-01T00:00:00Z", "delete")]
    assert schedule[0]["set"] == {"items": [item("c")]} and [draft["version"] for draft in drafts] == ["3.0.0"]
    fresh.admin("PUT", "/apps/com.example.gone", {"defaultLanguage": "en"})
    assert fresh.admin("PUT", "/apps/com.example.gone/sets/1.0", {"items": []}).json["revision"] == 2


def test_an_export_of_the_first_schema_is_imported(filled, fresh):
    """In the first schema, a draft had the time at which it is published."""
    document = json.loads(exported(filled))
    document["schema"] = 1
    for app in document["apps"]:
        del app["schedule"], app["approvals"]
        app["drafts"].append({**app["drafts"][0], "version": "4.0.0", "at": "2099-01-01T00:00:00.000Z", "scheduledBy": "ben"})
    assert fresh.admin("POST", "/import", document).status == 200
    (entry,) = fresh.admin("GET", "/apps/com.example.notes/schedule").json["items"]
    assert (entry["at"], entry["kind"], entry["version"], entry["by"]) == ("2099-01-01T00:00:00Z", "publish", "4.0.0", "admin-token")
    assert [draft["version"] for draft in fresh.admin("GET", "/apps/com.example.notes/drafts").json["items"]] == ["3.0.0"]
    assert fresh.admin("POST", "/import?dryRun=true", {**document, "schema": 5}).violations == {("schema", "schema-unknown")}


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
        assert all("?replace=true" in violation["message"] for violation in refused.json["violations"])
    assert exported(filled) == document


# Apps that must become as in the document


def history(server, app):
    return [(entry["revision"], entry["kind"], entry["version"]) for entry in server.admin("GET", f"/apps/{app}/revisions").json["items"]]


@pytest.fixture
def moved_on(own, consumer):
    """An app that was changed after its export: 1.0 changed, 2.0 was added (revision 6), 3.0 was deleted; and its consumer."""
    for version in ("1.0", "3.0", "4.0"):
        own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
        own.admin("PUT", f"/apps/a/sets/{version}", {"items": [item("old" + version)]})
    document = exported(own)
    own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("new1.0")]})
    own.admin("DELETE", "/apps/a/sets/3.0")
    own.admin("PUT", "/apps/a/sets/2.0", {"items": [item("new2.0")]})
    own.admin("PUT", "/apps/a/releases/9.0", {"build": "1"})
    own.admin("PUT", "/apps/a/sets/5.0/draft", {"items": [item("draft")]})
    own.admin("POST", "/apps/a/sets/5.0/publish", {"at": "2099-01-01T00:00:00Z"})
    consumer.subscribe(own)
    return own, document, consumer


def test_a_replaced_app_is_as_the_document_says_and_its_numbers_go_on(moved_on):
    own, document, consumer = moved_on
    former = own.admin("GET", "/apps/a/sets/1.0").fields["etag"]
    kept = own.admin("GET", "/apps/a/sets/4.0").fields["etag"]
    before = exported(own)
    expected = [{"app": "a", "published": 2, "deleted": 1, "lastRevision": 9}]
    rehearsed = own.admin("POST", "/import?dryRun=true&replace=true", body=document)
    assert (rehearsed.status, rehearsed.json["replaced"]) == (200, expected) and exported(own) == before
    assert own.admin("POST", "/import?replace=true", body=document).json["replaced"] == expected
    # The document's history, followed by a revision for each set with other content.
    assert history(own, "a") == [
        (9, "published", "3.0.0"), (8, "published", "1.0.0"), (7, "deleted", "2.0.0"),
        (3, "published", "4.0.0"), (2, "published", "3.0.0"), (1, "published", "1.0.0")]
    assert own.shortcuts("a", "1.0").json["items"][0]["type"] == "com.example.old1.0" and own.shortcuts("a", "1.0").json["revision"] == 8
    assert own.shortcuts("a", "2.5").json["revision"] == 8 and own.shortcuts("a", "3.0").json["revision"] == 9
    # An unchanged set keeps its number and its tag. A client that has read a deleted set cannot overwrite anything.
    assert own.admin("GET", "/apps/a/sets/4.0").fields["etag"] == kept == '"3"'
    assert own.admin("PUT", "/apps/a/sets/1.0", {"items": []}, If_Match=former).status == 412
    assert own.admin("PUT", "/apps/a/sets/1.0", {"items": []}, If_Match='"1"').status == 412
    assert not any(own.admin("GET", f"/apps/a/{what}").json["items"] for what in ("drafts", "schedule", "releases"))
    assert [entry["action"] for entry in own.admin("GET", "/audit?limit=1").json["items"]] == ["store.imported"]
    told = eventually(lambda: (events := [event for _, event in consumer.checked(list(consumer.received))]) and len(events) == 3 and events)
    assert [(event["type"], event["data"]["revision"]) for event in sorted(told, key=lambda event: event["data"]["revision"])] == [
        ("shortcuts.deleted", 7), ("shortcuts.published", 8), ("shortcuts.published", 9)]
    first = next(event["data"] for event in told if event["data"]["revision"] == 8)
    assert (first["previousRevision"], first["added"], first["removed"]) == (4, ["old1.0"], ["new1.0"])
    assert own.admin("PUT", "/apps/a/sets/6.0", {"items": []}).json["revision"] == 10
    # Ids that only the previous history had are still known.
    for id, codes in [("new2.0", set()), ("never", {"unknown-id"})]:
        answer = own.admin("PUT", "/apps/a/sets/7.0", {"items": [item("x-" + id, replaces=[id])]})
        assert {code for _, code in answer.warnings} & {"unknown-id"} == codes


def test_what_is_as_the_document_says_is_replaced_without_a_revision_or_an_event(moved_on):
    own, _, consumer = moved_on
    document = exported(own)
    replaced = own.admin("POST", "/import?replace=true", body=document).json["replaced"]
    assert replaced == [{"app": "a", "published": 0, "deleted": 0, "lastRevision": 6}] and exported(own) == document
    own.admin("PUT", "/apps/a/sets/8.0", {"items": []})
    eventually(lambda: consumer.received)
    assert [event["data"]["revision"] for _, event in consumer.checked(list(consumer.received))] == [7]


def test_a_deleted_app_comes_back_above_its_numbers_and_a_living_one_is_never_taken_away(own):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("i")]})
    document = exported(own)
    own.admin("DELETE", "/apps/a")
    without = exported(own)
    assert own.admin("POST", "/import", body=document).code == "conflict"
    assert own.admin("POST", "/import?replace=true", body=document).status == 200
    assert own.shortcuts("a", "1.0").json["revision"] == 2
    refused = own.admin("POST", "/import?replace=true", body=without)
    assert refused.code == "conflict" and "Delete it first" in refused.json["detail"]
    assert own.shortcuts("a", "1.0").json["revision"] == 2


def test_the_documents_counter_counts_where_it_is_the_higher_one(own):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    document = json.loads(exported(own))
    document["apps"][0]["lastRevision"] = 10**15
    assert own.admin("POST", "/import?replace=true", document).status == 200
    assert own.admin("PUT", "/apps/a/sets/1.0", {"items": []}).json["revision"] == 10**15 + 1
    for number in (10**15 + 1, 2**53 - 1, 2**63 - 1):
        document["apps"][0]["lastRevision"] = number
        refused = own.admin("POST", "/import?replace=true", document)
        assert refused.violations == {("apps[0].lastRevision", "integer-out-of-range")} and str(10**15) in refused.json["violations"][0]["message"]
    assert own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("i")]}).json["revision"] == 10**15 + 2
    assert json.loads(exported(own))["apps"][0]["lastRevision"] == 10**15 + 2


def test_replacing_takes_an_owner_and_stays_within_its_scope(moved_on):
    own, document, _ = moved_on
    publisher = own.admin("POST", "/tokens", {"name": unique("p"), "role": "publisher"}).json["token"]
    scoped = own.admin("POST", "/tokens", {"name": unique("s"), "role": "owner", "apps": ["b"]}).json["token"]
    before = exported(own)
    for token in (publisher, scoped):
        assert own.admin("POST", "/import?replace=true", body=document, token=token).status == 403
    assert exported(own) == before


def test_an_import_warns_of_text_that_is_not_shown_as_it_is_written(filled, fresh):
    document = json.loads(exported(filled))
    app = document["apps"][0]
    number = app["sets"][0]["revision"]
    index = next(index for index, revision in enumerate(app["revisions"]) if revision["revision"] == number)
    app["revisions"][index]["set"]["items"][0]["title"]["en"] = "\u200b"
    app["releases"][0]["staticItems"] = [{"type": "t", "title": "T\u202e"}]
    warnings = fresh.admin("POST", "/import?dryRun=true", document).json["apps"][0]["warnings"]
    assert {(warning["path"], warning["code"]) for warning in warnings} == {
        ("releases[0].staticItems[0].title", "text-direction"), (f"revisions[{index}].set.items[0].title.en", "title-invisible")}


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
    publisher = filled.admin("POST", "/tokens", {"name": unique("p"), "role": "publisher"}).json["token"]
    assert filled.admin("GET", "/export", token=publisher).status == 403
    scoped = filled.admin("POST", "/tokens", {"name": unique("s"), "role": "owner", "apps": ["com.example.other"]}).json["token"]
    assert json.loads(exported(filled, token=scoped))["apps"] == []
    scoped = fresh.admin("POST", "/tokens", {"name": unique("s"), "role": "owner", "apps": ["com.example.other"]}).json["token"]
    assert fresh.admin("POST", "/import", body=exported(filled), token=scoped).status == 403


def test_the_command_does_the_same(filled, tmp_path):
    def run(*arguments):
        return subprocess.run([BINARY, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=600)

    made = run("export", "--database", filled.database, "--output", "menus.json")
    assert (made.returncode, made.stderr) == (0, "The export is at menus.json.\n")
    assert (tmp_path / "menus.json").read_bytes() == exported(filled)
    tried = run("import", "menus.json", "--database", "copy.sqlite", "--dry-run")
    line = "com.example.notes  2 sets, 1 draft, 1 release, last revision 2\n"
    assert (tried.returncode, tried.stdout, tried.stderr) == (0, line, "Nothing was written.\n")
    assert not (tmp_path / "copy.sqlite").exists()
    assert run("import", "menus.json", "--database", "copy.sqlite").returncode == 0
    # The schedule is the importer's.
    assert run("export", "--database", "copy.sqlite").stdout.replace('"scheduledBy": "command-line"', '"scheduledBy": "admin-token"').encode() == exported(filled)
    again = run("import", "menus.json", "--database", "copy.sqlite")
    assert again.returncode == 1 and "already exists" in again.stderr and "--replace" in again.stderr
    for flags, message in [(["--dry-run"], "Nothing was written.\n"), ([], "Imported.\n")]:
        replaced = run("import", "menus.json", "--database", "copy.sqlite", "--replace", *flags)
        told = line + "com.example.notes  replaced: 0 sets published, 0 deleted, last revision 2\n"
        assert (replaced.returncode, replaced.stdout, replaced.stderr) == (0, told, message)
    assert run("import", "nowhere.json").returncode != 0


@pytest.mark.parametrize("arguments", [("export",), ("export", "--output", "menus.json"), ("token", "list"), ("token", "revoke", "id")])
def test_a_mistyped_database_is_not_taken_for_an_empty_one(tmp_path, arguments):
    command = [BINARY, *arguments, "--database", "mistyped.sqlite"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert (run.returncode, run.stdout) == (1, "") and "There is no database at mistyped.sqlite" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_a_command_writes_beside_the_service_is_noticed_within_seconds(own, tmp_path):
    """Cached answers, a draft with a time, and a waiting event: the service learns of the changes only from the file."""
    own.admin("PUT", "/apps/beside", {"defaultLanguage": "en"})
    own.admin("PUT", "/apps/beside/sets/1.0", {"items": [item("compose", "Before")]})
    for _ in range(3):
        assert own.shortcuts("beside", "1.0").json["items"][0]["localizedTitle"] == "Before"
    path = tmp_path / "changed.json"
    path.write_bytes(own.admin("GET", "/export").body.replace(b"Before", b"After"))
    done = subprocess.run(
        [BINARY, "import", path, "--replace", "--database", own.database], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    eventually(lambda: own.shortcuts("beside", "1.0").json["items"][0]["localizedTitle"] == "After")


# The importer


def test_a_revision_says_who_imported_it_and_a_draft_is_the_importers(filled, fresh):
    document = json.loads(exported(filled))
    (app,) = document["apps"]
    for revision in app["revisions"]:
        revision["by"] = "the boss"
    for draft in app["drafts"]:
        draft |= {"savedBy": "the boss", "savers": ["x"], "approvals": [{"id": "y", "token": "ben", "at": "2026-01-31T09:00:00Z"}]}
    carl = fresh.admin("POST", "/tokens", {"name": "carl", "role": "owner"}).json["token"]
    ben = fresh.admin("POST", "/tokens", {"name": "ben", "role": "publisher"}).json["token"]
    assert fresh.admin("POST", "/import", document, carl).status == 200
    revisions = fresh.admin("GET", "/apps/com.example.notes/revisions").json["items"]
    assert {(revision["by"], revision["importedBy"]) for revision in revisions} == {("the boss", "carl")}
    assert all(revision["importedAt"].endswith("Z") for revision in revisions)
    assert "importedBy" not in fresh.admin("GET", "/export").body.decode()
    place = "/apps/com.example.notes/sets/3.0/draft"
    read = fresh.admin("GET", place)
    assert read.fields["longpress-approvals"] == "0/0"
    for token, status in [(carl, 403), (ben, 200)]:
        assert fresh.admin("POST", place + "/approve", token=token, If_Match=read.fields["etag"]).status == status
    assert fresh.admin("PUT", "/apps/com.example.notes/sets/1.0", {"items": []}).status == 200
    assert "importedBy" not in fresh.admin("GET", "/apps/com.example.notes/revisions?limit=1").json["items"][0]


def test_an_import_that_lowers_approvals_takes_a_reason(own, consumer):
    consumer.subscribe(own, types=["shortcuts.override"])
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    document = exported(own)
    own.admin("PATCH", "/apps/a", {"approvals": 2})
    assert own.admin("POST", "/import?replace=true&dryRun=true", body=document).status == 200
    assert own.admin("POST", "/import?replace=true", body=document).code == "approval-missing"
    assert own.admin("GET", "/apps/a").json["approvals"] == 2
    assert own.admin("POST", "/import?replace=true&override=Test%20data", body=document).status == 200
    assert own.admin("GET", "/audit?limit=1").json["items"][0]["reason"] == "Test data"
    eventually(lambda: consumer.received)
    assert [event["data"]["reason"] for _, event in consumer.verified()] == ["Test data"]


# Partial exports


def test_some_apps_are_exported_and_no_history(filled, fresh):
    filled.admin("PUT", "/apps/com.example.other", {"defaultLanguage": "en"})
    for title in ("One", "Two"):
        filled.admin("PUT", "/apps/com.example.other/sets/1.0", {"items": [item("a", title)]})

    def export(query, **more):
        return filled.admin("GET", "/export" + query, **more)

    assert [entry["app"] for entry in export("?app=com.example.other").json["apps"]] == ["com.example.other"]
    both = export("?app=com.example.other&app=com.example.gone").json
    assert [entry["app"] for entry in both["apps"]] == ["com.example.other"] and [entry["app"] for entry in both["deletedApps"]] == ["com.example.gone"]
    assert export("?history=all").body == export("").body == export(
        "?app=com.example.notes&app=com.example.other&app=com.example.gone&app=com.example.gone").body
    short = export("?history=none")
    other = next(entry for entry in short.json["apps"] if entry["app"] == "com.example.other")
    assert ([revision["revision"] for revision in other["revisions"]], other["lastRevision"]) == ([2], 2)
    assert [(entry["lastRevision"], entry["revisions"]) for entry in short.json["deletedApps"]] == [(1, [])]
    assert fresh.admin("POST", "/import", body=short.body).status == 200
    for app, version in [("com.example.other", "1.0"), ("com.example.notes", "1.0")]:
        assert fresh.shortcuts(app, version).body == filled.shortcuts(app, version).body
    assert fresh.admin("PUT", "/apps/com.example.other/sets/1.0", {"items": []}).json["revision"] == 3
    assert len(fresh.admin("GET", "/apps/com.example.notes/schedule").json["items"]) == 2
    assert export("?app=com.example.nowhere").code == "unknown-app"
    for query in ("?app=a%20b", "?history=some", "?history=none&history=all", "?apps=a"):
        assert export(query).code == "invalid-parameter", query
    scoped = filled.admin("POST", "/tokens", {"name": unique("s"), "role": "owner", "apps": ["com.example.other"]}).json["token"]
    assert export("?app=com.example.notes", token=scoped).status == 403
    assert export("?app=com.example.other", token=scoped).status == 200


def test_the_command_exports_the_same_from_a_database_and_a_service(filled, tmp_path):
    for arguments, query in [((), ""), (("--history", "none"), "?history=none"), (("--app", "com.example.notes", "--app", "com.example.gone"),
                             "?app=com.example.notes&app=com.example.gone")]:
        document = filled.admin("GET", "/export" + query).body
        of_database = subprocess.run([BINARY, "export", "--database", str(filled.database), *arguments], capture_output=True, check=True)
        assert of_database.stdout == document and of_database.stderr == b""
        assert remote(filled, "export", *arguments)[:2] == (0, document.decode())
        output = tmp_path / "export.json"
        subprocess.run([BINARY, "export", "--database", str(filled.database), "--output", output, *arguments], capture_output=True, check=True)
        assert output.read_bytes() == document
    for source in (("--database", str(filled.database)), ()):
        status, out, err = remote(None if source else filled, "export", *source, "--app", "com.example.nowhere")
        assert (status, out) == (1, "") and "com.example.nowhere" in err
    assert remote(filled, "export", "--app", "a b")[0] == 64 and remote(filled, "export", "--history", "some")[0] == 64


def test_an_export_larger_than_an_import_over_http_is_told_and_a_database_takes_it(tmp_path):
    """Some 66 MiB, most of it in one app's history."""
    place = {"version": "1.0.0", "audience": "default"}
    padding = {"padding": "x" * 3900}
    revisions = [place | {"revision": revision, "kind": "published", "publishedAt": "2026-01-31T09:00:00.000Z", "by": "ana", "set": {
        "items": [item(f"i{number}", f"Title {revision}", userInfo=padding) for number in range(20)]}} for revision in range(1, 860)]
    app = {"app": "com.example.large", "name": None, "defaultLanguage": "en", "fallbackURL": None, "lastRevision": 859, "releases": [],
           "sets": [place | {"revision": 859}], "drafts": [], "schedule": [], "revisions": revisions}
    large = tmp_path / "large.json"
    large.write_text(json.dumps({"format": "longpress-export", "schema": 2, "apps": [app], "deletedApps": []}))
    assert large.stat().st_size > 64 << 20
    database = ("--database", tmp_path / "store.sqlite")
    status, out, err = remote(None, "import", large, *database)
    assert (status, err) == (0, "Imported.\n") and out == "com.example.large  1 set, 0 drafts, 0 releases, last revision 859\n"
    status, _, err = remote(None, "export", *database, "--output", tmp_path / "again.json")
    assert status == 0 and "64 MiB" in err and "--history none" in err
    assert (tmp_path / "again.json").stat().st_size > large.stat().st_size - (1 << 20)
    status, out, err = remote(None, "export", *database, "--history", "none")
    assert (status, err) == (0, "") and len(out) < 1 << 20
    status, out, err = remote("http://127.0.0.1:1", "import", large)
    assert (status, out) == (1, "") and "64 MiB" in err
