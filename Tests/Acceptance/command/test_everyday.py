"""The commands for everyday work against a running service: drafts, approvals, publishing, the schedule, the history."""

import json
import os
import pty
import subprocess

import pytest

from longpress import BINARY, ON_POSTGRES, OWNER, eventually, instant, item, pass_time
from remote import remote


@pytest.fixture
def desk(own, tmp_path):
    """A service with an app that requires an approval, and the tokens of two people."""
    return Desk(own, tmp_path)


class Desk:
    app = "com.example.mail"
    set = "com.example.mail/2.0.0"

    def __init__(self, server, folder):
        self.server, self.folder = server, folder
        # On the database: the service would record that the owner's token created them.
        self.ana, self.ben = self.token("ana", "publisher"), self.token("ben", "publisher")
        self.do("app", "create", self.app, "--language", "en", token=OWNER)

    def token(self, name, role):
        create = [BINARY, "token", "create", "--name", name, "--role", role, "--database", str(self.server.database)]
        return subprocess.run(create, capture_output=True, text=True, check=True).stdout.strip()

    def run(self, *arguments, token=None, **more):
        return remote(self.server, *arguments, token=token or self.ana, **{"stdin": subprocess.DEVNULL, **more})

    def do(self, *arguments, **more):
        """The output of a command that succeeds."""
        status, out, err = self.run(*arguments, **more)
        assert status == 0, (arguments, out, err)
        return out

    def json(self, *arguments, **more):
        """The document that a command prints with --json."""
        return json.loads(self.do(*arguments, "--json", **more))

    def fails(self, *arguments, status=1, **more):
        """The message of a command that fails."""
        ended, out, err = self.run(*arguments, **more)
        assert (ended, out) == (status, ""), (arguments, out, err)
        return err

    def file(self, document, name="menu.json"):
        path = self.folder / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def editor(self, script):
        """The environment with an editor that is a shell script; $1 is the file."""
        path = self.folder / "my editor"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return {**os.environ, "EDITOR": f"'{path}'", "VISUAL": ""}

    def edit(self, script, status=0):
        address = f"http://{self.server.address[0]}:{self.server.address[1]}"
        environment = {**self.editor(script), "LONGPRESS_SERVER": address, "LONGPRESS_TOKEN": self.ana, "TMPDIR": str(self.folder)}
        done = subprocess.run([BINARY, "draft", "edit", self.set], capture_output=True, text=True, timeout=120, env=environment)
        assert done.returncode == status, done
        return done

    @property
    def edits(self):
        """The files that were kept."""
        return [path for path in self.folder.glob("longpress-*/*.json") if not path.name.startswith("replaced")]

    @property
    def replaced(self):
        """The drafts that other drafts replaced."""
        return [json.loads(path.read_text()) for path in self.folder.glob("longpress-*/replaced-*.json")]


def menu(*titles):
    return {"items": [item(title.lower(), title) for title in titles]}


def test_a_days_work(desk):
    app, name, document = desk.app, desk.set, desk.file(menu("Compose"))
    desk.do("draft", "save", name, document)
    desk.do("publish", name)
    desk.do("app", "set", app, "--approvals", "1", token=OWNER)
    desk.file(menu("Compose", "Gifts"))
    assert desk.do("draft", "save", name, document) == f"Saved the draft of {name}.\n"
    assert desk.do("draft", "list").startswith(f"{name}  ") and desk.do("draft", "list").endswith("  by ana\n")
    out = desk.do("diff", name)
    assert '+     gifts.title.en: "Gifts"\n' in out and "compose" not in out
    tag = out.split()[-1].rstrip(".")
    assert "1. Compose (compose)\n2. Gifts (gifts)\n" in desk.do("preview", "--app", app, "--version", "2.1", "--draft")
    err = desk.fails("publish", name)
    assert "1 is missing" in err and f"longpress approve {name}" in err and "PUT" not in err
    assert "has edited this draft" in desk.fails("approve", name, "--if-match", tag)
    assert desk.do("approve", name, "--if-match", tag, token=desk.ben) == f"Approved the draft of {name}. It has 1 of 1 approvals.\n"
    assert desk.do("draft", "list").endswith("  approved by ben\n")
    desk.do("withdraw", name, token=desk.ben)
    assert "approved" not in desk.do("draft", "list")
    desk.do("approve", name, "--yes", token=desk.ben)
    heard = desk.folder / "heard"
    with open(heard, "w") as output:
        address = f"http://{desk.server.address[0]}:{desk.server.address[1]}"
        watch = subprocess.Popen([BINARY, "watch", "--server", address, "--app", app], stdout=output)
    try:
        eventually(lambda: '"state"' in heard.read_text())
        out = desk.do("publish", name, "--at", "2h", "--until", "2d", "--message", "Gifts for the weekend")
        assert out.startswith(f"Scheduled {name} for ") and "It reverts automatically at " in out
        rows = [line.split() for line in desk.do("schedule", "list").splitlines()]
        assert [(row[1], row[2]) for row in rows] == [("publish", name), ("revert", name)]
        assert f"longpress schedule cancel {rows[0][3]} --app {app}\n" in out
        assert desk.do("schedule", "list").splitlines()[0].endswith("  by ana  Gifts for the weekend")
        pass_time(desk.server, app, 2 * 3600 + 1)
        eventually(lambda: '"changed"' in heard.read_text())
    finally:
        watch.terminate()
        watch.wait(timeout=120)
    eventually(lambda: len(desk.do("history", name).splitlines()) == 2)
    assert [line.split()[:2] for line in desk.do("history", app).splitlines()] == [["2", name], ["1", name]]
    assert desk.do("history", name).splitlines()[0].endswith("  by ana  Gifts for the weekend")
    assert '+     gifts.title.en: "Gifts"\n' in desk.do("diff", "1", "2", "--app", app)
    out = desk.do("restore", "1", "--app", app)
    assert out.startswith(f"Published revision 1 of {app} as revision 3.\n!     items: \"gifts\" was in") and out.endswith("[id-dropped]\n")
    assert "Nothing changed." in desk.do("restore", "3", "--app", app)
    assert desk.do("restore", "2", "--app", app, "--at", "3d").startswith(f"Scheduled revision 2 of {app} for ")
    status, out, err = desk.run("schedule", "cancel", desk.do("schedule", "list", "--app", app).split()[-3], "--app", app)
    assert (status, out) == (0, "") and "was cancelled" in err


def test_a_days_work_as_json(desk):
    app, name, document = desk.app, desk.set, desk.file(menu("Compose"))
    assert desk.json("draft", "save", name, document) == {"warnings": []}
    assert desk.json("publish", name) == {"revision": 1, "warnings": []}
    assert desk.json("app", "set", app, "--approvals", "1", token=OWNER)["approvals"] == 1
    desk.file(menu("Compose", "Gifts"))
    desk.json("draft", "save", name, document)
    assert desk.json("draft", "show", name) == menu("Compose", "Gifts") == json.loads(desk.do("draft", "show", name))
    [draft] = desk.json("draft", "list", "--app", app)["items"]
    assert (draft["app"], draft["version"], draft["by"], draft["approvals"]) == (app, "2.0.0", "ana", [])
    difference = desk.json("diff", name)
    assert difference["added"] == ["gifts"] and difference["from"]["revision"] == 1
    assert len(desk.json("preview", "--app", app, "--version", "2.1", "--draft")["menu"]) == 2
    assert desk.json("approve", name, "--if-match", difference["tag"], token=desk.ben) == {"approvals": 1, "needed": 1}
    assert desk.json("withdraw", name, token=desk.ben) == {}
    assert desk.json("approve", name, "--yes", token=desk.ben) == {"approvals": 1, "needed": 1}
    begin, end = instant(3600), instant(7200)
    entry = desk.json("publish", name, "--at", begin, "--until", end, "--message", "Gifts")
    assert entry["message"] == "Gifts"
    listed = desk.json("schedule", "list")["items"]
    assert listed[0] == {"app": app, **entry} and [one["kind"] for one in listed] == ["publish", "restore"]
    assert desk.json("schedule", "cancel", entry["id"], "--app", app) == {}
    assert desk.json("schedule", "list") == {"items": []}
    assert desk.json("draft", "show", name) == menu("Compose", "Gifts"), "the cancelled publish is a draft again"
    desk.json("approve", name, "--yes", token=desk.ben)
    assert desk.json("publish", name)["revision"] == 2
    assert [one["revision"] for one in desk.json("history", name)["items"]] == [2, 1]
    assert desk.json("diff", "1", "2", "--app", app)["added"] == ["gifts"]
    assert desk.json("restore", "1", "--app", app, "--message", "Too many gifts")["revision"] == 3
    assert desk.json("history", app)["items"][0]["message"] == "Too many gifts"
    assert desk.json("restore", "2", "--app", app, "--at", "3d")["kind"] == "restore"
    desk.json("draft", "save", name, document)
    assert desk.json("draft", "discard", name) == {}
    assert desk.json("draft", "list") == {"items": []}


def test_a_cancelled_publish_is_a_draft_again(desk):
    desk.server.admin("PUT", f"/apps/{desk.app}/sets/2.0", menu("Before"))

    def schedule():
        desk.do("draft", "save", desk.set, desk.file(menu("Later")))
        return desk.json("publish", desk.set, "--at", "1h")["id"]
    id = schedule()
    status, out, err = desk.run("schedule", "cancel", id, "--app", desk.app)
    assert (status, out) == (0, "") and "is a draft again" in err and desk.json("draft", "show", desk.set) == menu("Later")
    assert desk.server.admin("GET", f"/apps/{desk.app}/sets/2.0/draft").fields["longpress-base"] == "1"
    id = schedule()
    desk.do("draft", "save", desk.set, desk.file(menu("Other")))
    assert "has another draft" in desk.fails("schedule", "cancel", id, "--app", desk.app)
    assert len(desk.json("schedule", "list")["items"]) == 1
    desk.do("schedule", "cancel", id, "--app", desk.app, "--discard")
    assert desk.json("schedule", "list")["items"] == [] and desk.json("draft", "show", desk.set) == menu("Other")
    # An automatic revert has nothing to keep.
    desk.do("publish", desk.set, "--until", "1h")
    desk.do("schedule", "cancel", desk.json("schedule", "list")["items"][0]["id"], "--app", desk.app)
    assert desk.run("draft", "list")[1:] == ("", "No drafts.\n")


def test_an_audience_is_part_of_the_name(desk):
    member = f"{desk.app}/2@member"
    desk.do("draft", "save", member, "-", stdin=None, input=json.dumps(menu("Club")))
    assert desk.do("draft", "list").startswith(f"{desk.app}/2.0.0@member  ")
    assert "club" in desk.do("diff", member)
    desk.do("publish", member)
    assert "@member" in desk.do("history", member) and desk.run("history", desk.set)[2] == f"{desk.set} has no revisions.\n"
    assert desk.do("preview", "--app", desk.app, "--version", "2.1", "--audience", "member").startswith("1. Club (club)")
    assert "No set is in effect" in desk.do("preview", "--app", desk.app, "--version", "1.0")


def test_a_list_is_read_to_its_end(desk):
    for number in range(205):
        desk.server.admin("PUT", f"/apps/{desk.app}/sets/2.0", menu(f"Compose{number}", "More"))
    assert [int(line.split()[0]) for line in desk.do("history", desk.set).splitlines()] == list(range(205, 0, -1))
    assert len(desk.json("history", desk.app)["items"]) == 205


def test_an_edit_is_saved(desk):
    done = desk.edit("""sed -i 's/"items": \\[\\]/"items": [{"id": "a", "type": "a", "title": {"en": "One"}}]/' "$1" """)
    assert done.stdout == f"Saved the draft of {desk.set}.\n"
    assert desk.json("draft", "show", desk.set)["items"][0]["title"] == {"en": "One"}, "it began with an empty set"
    desk.do("publish", desk.set)
    desk.edit("""sed -i s/One/Two/ "$1" """)
    assert desk.json("draft", "show", desk.set)["items"][0]["title"] == {"en": "Two"}, "it began with the published set"
    desk.edit("""sed -i s/Two/Three/ "$1" """)
    assert desk.json("draft", "show", desk.set)["items"][0]["title"] == {"en": "Three"}, "it began with the draft"
    done = desk.edit("""grep -q Three "$1" && [ "$(stat -c %a "$(dirname "$1")")" = 700 ]""")
    assert "changed nothing" in done.stderr and desk.edits == []


@pytest.mark.parametrize("drafted", [True, False])
def test_an_edit_never_overwrites_another_one(desk, drafted):
    other = desk.file(menu("Other"), "other.json")
    desk.server.admin("PUT", f"/apps/{desk.app}/sets/2.0" + ("/draft" if drafted else ""), menu("Before"))
    done = desk.edit(f"""'{BINARY}' draft save {desk.set} '{other}' && sed -i s/Before/Mine/ "$1" """, status=1)
    assert desk.json("draft", "show", desk.set) == menu("Other")
    [edit] = desk.edits
    assert "Somebody saved the draft" in done.stderr and f"longpress draft save {desk.set} {edit}" in done.stderr
    assert "Mine" in edit.read_text()
    desk.do("draft", "save", desk.set, edit)
    assert desk.replaced == ([menu("Before")] if drafted else [])
    assert desk.json("draft", "show", desk.set)["items"][0]["title"] == {"en": "Mine"}


def test_an_edit_of_a_set_that_was_published_meanwhile_is_kept(desk):
    desk.server.admin("PUT", f"/apps/{desk.app}/sets/2.0", menu("Before", "And"))
    other = desk.file(menu("Other", "And"), "other.json")
    both = f"'{BINARY}' draft save {desk.set} '{other}' && '{BINARY}' publish {desk.set}"
    done = desk.edit(f"""{both} && sed -i s/Before/Mine/ "$1" """, status=1)
    [edit] = desk.edits
    assert str(edit) in done.stderr and "Mine" in edit.read_text() and desk.json("draft", "list")["items"] == []


@pytest.mark.parametrize("script, words, kept", [
    ("""echo '{' > "$1" """, "is not JSON", True),
    ("""echo '{"items": [{"id": "a b"}]}' > "$1" """, 'items[0].id: "a b" is not an id', True),
    ("""echo '{}' > "$1"; exit 3""", "ended with status 3", True),
    ("exit 3", "ended with status 3", False),
    ("kill -TERM $$", "ended with status 143", False),
])
def test_an_edit_that_cannot_be_saved_is_kept(desk, script, words, kept):
    done = desk.edit(script, status=1)
    assert words in done.stderr and desk.json("draft", "list")["items"] == []
    assert len(desk.edits) == kept and all(f"longpress draft save {desk.set} {path}" in done.stderr for path in desk.edits)


def test_an_editor_is_necessary(desk):
    environment = {name: value for name, value in os.environ.items() if name not in ("VISUAL", "EDITOR")}
    address = f"http://{desk.server.address[0]}:{desk.server.address[1]}"
    run = [BINARY, "draft", "edit", desk.set, "--server", address]
    done = subprocess.run(run, capture_output=True, text=True, env={**environment, "LONGPRESS_TOKEN": desk.ana})
    assert done.returncode == 1 and "Set VISUAL or EDITOR" in done.stderr
    done = subprocess.run(run, capture_output=True, text=True, env={**environment, "LONGPRESS_TOKEN": desk.ana, "VISUAL": "no-such-editor"})
    assert done.returncode == 1 and 'The editor "no-such-editor" ended with status 127' in done.stderr


@pytest.mark.parametrize("answer, approved", [("y", True), ("n", False), ("", False)])
def test_an_approval_on_a_terminal_is_asked_for(desk, answer, approved):
    desk.do("draft", "save", desk.set, desk.file(menu("Compose")))
    ours, theirs = pty.openpty()
    address = f"http://{desk.server.address[0]}:{desk.server.address[1]}"
    environment = {**os.environ, "LONGPRESS_TOKEN": desk.ben, "LONGPRESS_SERVER": address}
    run = subprocess.Popen([BINARY, "approve", desk.set], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    os.write(ours, f"{answer}\n".encode())
    out, err = run.communicate(timeout=120)
    os.close(ours), os.close(theirs)
    assert '+     compose.title.en: "Compose"' in err and "Approve this draft? [y/N]" in err
    assert (run.returncode == 0, "Approved" in out) == (approved, approved), err
    assert len(desk.json("draft", "list")["items"][0]["approvals"]) == approved


def test_an_outdated_approval_is_refused(desk):
    desk.do("draft", "save", desk.set, desk.file(menu("Compose")))
    seen = desk.json("diff", desk.set)["tag"]
    desk.do("draft", "save", desk.set, desk.file(menu("Other")))
    err = desk.fails("approve", desk.set, "--if-match", seen, token=desk.ben)
    assert f"Somebody saved the draft of {desk.set} after you read it." in err and f"longpress diff {desk.set}" in err
    assert "Nothing was saved." in desk.fails("draft", "save", desk.set, desk.file(menu("More")), "--if-match", seen)
    assert "Nothing was published." in desk.fails("publish", desk.set, "--if-match", seen)
    current = desk.json("diff", desk.set)["tag"]
    desk.do("draft", "save", desk.set, desk.file(menu("More")), "--if-match", current)
    desk.do("publish", desk.set, "--if-match", f'"{desk.json("diff", desk.set)["tag"]}"')
    desk.do("draft", "save", desk.set, desk.file(menu("Other")))
    assert "not a terminal" in desk.fails("approve", desk.set, status=64)


# Each command, with arguments that are valid but name an app that does not exist.
NOWHERE = "com.example.nowhere"
COMMANDS = [
    ("draft", "list", "--app", NOWHERE), ("draft", "show", f"{NOWHERE}/1.0"), ("draft", "save", f"{NOWHERE}/1.0", "-"),
    ("draft", "discard", f"{NOWHERE}/1.0"), ("draft", "edit", f"{NOWHERE}/1.0"), ("diff", f"{NOWHERE}/1.0"), ("diff", "1", "2", "--app", NOWHERE),
    ("approve", f"{NOWHERE}/1.0", "--yes"), ("approve", f"{NOWHERE}/1.0", "--if-match", "a"), ("withdraw", f"{NOWHERE}/1.0"),
    ("publish", f"{NOWHERE}/1.0"), ("schedule", "list", "--app", NOWHERE), ("schedule", "cancel", "a", "--app", NOWHERE), ("history", NOWHERE),
    ("history", f"{NOWHERE}/1.0"), ("restore", "1", "--app", NOWHERE), ("preview", "--app", NOWHERE, "--version", "1.0"),
    ("preview", "create", f"{NOWHERE}/1.0"), ("preview", "create", NOWHERE), ("preview", "list", "--app", NOWHERE),
    ("preview", "delete", "a", "--app", NOWHERE),
    ("app", "set", NOWHERE, "--approvals", "1"), ("release", "list", "--app", NOWHERE), ("release", "delete", "1.0", "--app", NOWHERE),
]
OTHERS = [
    ("app", "list"), ("app", "create", NOWHERE, "--language", "en"), ("webhook", "list"), ("webhook", "create", "https://a.example"), ("webhook", "test", "a"),
    ("webhook", "recover", "a"), ("token", "list"), ("token", "create", "--name", "a", "--role", "reader"), ("token", "revoke", "a"), ("search", "a"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_unknown_app_is_named(server, command, monkeypatch):
    monkeypatch.setenv("EDITOR", "true")
    status, out, err = remote(server, *command, input='{"items": []}')
    assert (status, out) == (1, "") and NOWHERE in err and "longpress app list" in err and "/admin/" not in err, err


@pytest.mark.parametrize("command", COMMANDS + OTHERS, ids=" ".join)
def test_a_wrong_token_and_a_service_that_is_down_are_named(server, command, monkeypatch):
    monkeypatch.setenv("EDITOR", "true")
    secret = "lp_wrong-token-of-the-acceptance-tests-0123456789"
    for arguments in (command, (*command, "--json")):
        status, out, err = remote(server, *arguments, token=secret, input='{"items": []}')
        assert (status, out) == (1, "") and "token" in err and secret not in err, err
        status, out, err = remote("http://127.0.0.1:1", *arguments, token=secret, input='{"items": []}')
        assert (status, out) == (1, "") and "cannot be reached" in err and secret not in err, err
    status, out, err = remote(server, *command, token=None, input='{"items": []}')
    assert (status, out) == (1, "") and "LONGPRESS_TOKEN" in err, err


@pytest.mark.parametrize("arguments, words", [
    (("publish", "com.example.mail", "--at", "soon", "--until", "2.0", "--message", "m" * 201),
     ["APP/VERSION", "--at: \"soon\" is not a time", "--until: \"2.0\" is not a time", "--message: The message has 201 characters. The limit is 200."]),
    (("publish", "a b/x@Y"), ["is not an app id", "is not a version", "is not an audience"]),
    (("draft", "show", "2.0.0"), ["APP/VERSION"]),
    (("restore", "one", "--app", "a b", "--at", "x"), ["is not the number of a revision", "--app: ", "--at: "]),
    (("restore", "1"), ["--app", "--drop-tokens"]),
    (("restore", "1", "--server", "http://127.0.0.1:1"), ["Add --app"]),
    (("restore", "copy.sqlite", "--keep-tokens", "--message", "m"), ["Add --app"]),
    (("restore", "1", "--app", "a", "--keep-tokens"), ["--app restores a revision"]),
    (("diff", "1", "2"), ["--app"]), (("diff", "a", "b", "--app", "c d"), ['"a" is not', '"b" is not', "--app: "]),
    (("history", "a b"), ["is not an app id"]), (("preview", "--app", "a b", "--version", "x"), ["--app: ", "--version: "]),
    (("preview", "create", "a b", "--expires-in", "soon"), ["is not an app id", "--expires-in: \"soon\" is not a duration"]),
    (("app", "set", "a"), ["Nothing would change"]), (("app", "create", "a b"), ["--language", "is not an app id"]),
    (("schedule", "cancel", "a", "--app", "b c"), ["--app: "]),
])
def test_all_wrong_arguments_are_named_together(server, arguments, words):
    status, out, err = remote(server, *arguments)
    assert (status, out) == (64, "") and all(word in err for word in words), err


@pytest.mark.parametrize("arguments, words", [
    ("pubish com.example.mail/2.0.0", "longpress publish"), ("draft sho", "longpress draft show"), ("help aprove", "longpress approve"),
    ("wehbook list", "longpress webhook"), ("help token lst", "longpress token list"), ("xyzzy", "longpress --help"),
])
def test_a_misspelt_command_names_the_nearest_one(arguments, words):
    done = subprocess.run([BINARY, *arguments.split()], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (64, "") and "is not a command of longpress" in done.stderr and words in done.stderr


def test_a_time_that_has_passed_and_an_invalid_document_are_sentences(desk):
    err = desk.fails("draft", "save", desk.set, desk.file({"items": [{"id": "a b", "type": ""}, 1]}))
    assert 'items[0].id: "a b" is not an id' in err and "items[1]" in err
    assert "is not JSON" in desk.fails("draft", "save", desk.set, desk.file("{"))
    assert "No such file" in desk.fails("draft", "save", desk.set, desk.folder / "nowhere")
    desk.do("draft", "save", desk.set, desk.file(menu("Compose")))
    err = desk.fails("publish", desk.set, "--at", "2020-01-01T00:00:00Z", "--until", "2020-01-01T00:00:00Z")
    assert "at: 2020" in err and "until: 2020" in err
    for arguments, words in {("restore", "7", "--app", desk.app): f"longpress history {desk.app}", ("draft", "show", f"{desk.app}/9"): "longpress draft list",
                             ("schedule", "cancel", "x", "--app", desk.app): f"longpress schedule list --app {desk.app}",
                             ("release", "delete", "9", "--app", desk.app): f"longpress release list --app {desk.app}"}.items():
        err = desk.fails(*arguments)
        assert words in err and "GET" not in err and "PUT" not in err, err


def test_a_revision_and_a_backup_are_restored_by_one_command(own, tmp_path):
    own.admin("PUT", "/apps/a", {"defaultLanguage": "en"})
    for title in ("One", "Two"):
        own.admin("PUT", "/apps/a/sets/1.0", {"items": [item("a", title)]})
    copy = tmp_path / "1"  # also the number of a revision
    if not ON_POSTGRES:
        assert remote(None, "backup", copy, "--database", own.database)[0] == 0
    assert remote(own, "restore", "1", "--app", "a", cwd=tmp_path) == (0, "Published revision 1 of a as revision 3.\n", "")
    status, out, err = remote(own, "restore", "1", cwd=tmp_path)
    assert (status, out) == (64, "") and "--app" in err and "--drop-tokens" in err
    if not ON_POSTGRES:
        status, out, err = remote(own, "restore", copy, "--keep-tokens", "--database", tmp_path / "restored.sqlite", token=OWNER)
        assert (status, out) == (0, "") and "1000 higher" in err


def test_what_changes_nothing_says_so(desk):
    desk.do("draft", "save", desk.set, desk.file(menu("Compose")))
    desk.do("publish", desk.set)
    for _ in range(2):
        assert "replaced" not in desk.run("draft", "save", desk.set, desk.file(menu("Compose")))[2]
    out = desk.do("publish", desk.set, "--until", "1h")
    assert "equals the published set" in out and "No automatic revert is scheduled." in out and desk.do("schedule", "list", "--app", desk.app) == ""
    revision = desk.json("history", desk.set)["items"][0]["revision"]
    assert "Nothing changed." in desk.do("restore", str(revision), "--app", desk.app)
