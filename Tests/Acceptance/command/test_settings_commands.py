"""Apps, releases, webhooks and tokens, set up on a running service with the command."""

import json
import plistlib
import subprocess

import pytest

from longpress import BINARY, info_plist, unique
from remote import remote


@pytest.fixture
def do(server):
    """Runs a command that succeeds, and returns its output; with --json the document."""
    def run(*arguments, status=0, err="", **more):
        ended, out, message = remote(server, *arguments, **more)
        assert ended == status and err in message, (arguments, out, message)
        return json.loads(out) if "--json" in arguments else out
    return run


def test_apps_are_created_and_changed(server, do):
    app = f"com.example.{unique('created').replace(' ', '')}"
    assert do("app", "create", app, "--language", "en", "--name", "Mail") == f"Created {app}.\n"
    do("app", "create", app, "--language", "de", status=1, err=f"{app} exists already. Change it with longpress app set {app}.")
    do("app", "create", "a", "--language", "english language", "--fallback-url", "x y", status=1, err="defaultLanguage: ")
    assert do("app", "set", app, "--approvals", "1", "--fallback-url", "mail://inbox") == f"Changed {app}.\n"
    assert do("app", "set", app, "--name", "", "--json") == {
        "app": app, "name": None, "defaultLanguage": "en", "fallbackURL": "mail://inbox", "approvals": 1,
        "languages": ["en"], "icon": None}
    do("app", "set", app, "--approvals", "0", status=1)
    do("app", "set", app, "--approvals", "0", "--override", "It was a test")
    assert app in [one["app"] for one in do("app", "list", "--json")["items"]]
    assert [line.split() for line in do("app", "list").splitlines() if app in line] == [[app, "en", "0", "approvals", "mail://inbox"]]


def test_releases_are_imported_with_assets(server, do, mail, tmp_path):
    plist, names = tmp_path / "Info.plist", tmp_path / "names.txt"
    plist.write_bytes(plistlib.dumps(info_plist(mail, "3.0"), fmt=plistlib.FMT_BINARY))
    names.write_text("Pen\n")
    assert do("release", "put", plist, "--app", mail) == f"Imported release 3.0.0+9 of {mail}.\n"
    assert do("release", "put", plist, "--assets", names, "--json")["assets"]["images"] == ["Pen"]
    plist.write_bytes(plistlib.dumps(info_plist(mail, "3.0"), fmt=plistlib.FMT_XML))
    assert do("release", "put", plist, "--app", mail, "--json")["assets"]["images"] == ["Pen"], "an Info.plist keeps them"
    document = tmp_path / "release.json"
    document.write_text(json.dumps({"version": "4.0", "build": "1", "urlSchemes": ["mail"], "staticItems": [{"type": "a", "title": "A"}]}))
    # Another static item takes the place of an item of the menu.
    assert "Imported release 4.0.0+1" in do("release", "put", document, "--app", mail, "--assets", names)
    assert server.admin("GET", f"/apps/{mail}/releases/4.0").json["assets"]["images"] == ["Pen"]
    rows = [line.split() for line in do("release", "list", "--app", mail).splitlines()]
    listed = do("release", "list", "--app", mail, "--json")["items"]
    assert [row[1] for row in rows] == [one["version"] + (f"+{one['build']}" if one["build"] else "") for one in listed]
    assert [mail, "4.0.0+1", "1", "static", "item"] in rows
    assert do("release", "delete", "4.0", "--app", mail).startswith(f"Deleted the last release of version 4.0.0 of {mail}.\n")
    do("release", "delete", "4.0+1", "--app", mail, status=1, err=f"longpress release list --app {mail}")
    wrong = {b"": "is not", b"{}": "has no version", b'{"version": "x"}': "is not a version", b"<html>": "is not a property list", b"bplist00": "is not a"}
    for content, words in wrong.items():
        document.write_bytes(content)
        do("release", "put", document, "--app", mail, status=1, err=words)
    do("release", "put", plist, "--app", mail, "--version", "5.0", status=1, err="CFBundleShortVersionString")
    document.write_text('{"version": "6.0"}')
    do("release", "put", document, status=1, err="Add --app")
    do("release", "put", tmp_path / "nowhere", "--app", mail, status=1, err="No such file")
    do("release", "put", plist, "--app", "a b", "--version", "x", status=64, err="--version: ")


def test_webhooks_are_created_tested_and_recovered(server, do, consumer, mail):
    status, out, err = remote(server, "webhook", "create", consumer.url, "--app", mail, "--type", "shortcuts.published", "--description", "cache")
    id = err.split()[-1].rstrip(".")
    assert status == 0 and out.startswith("whsec_") and len(out.split()) == 1
    listed = do("webhook", "list")
    row = next(line for line in listed.splitlines() if line.startswith(id))
    assert "  enabled  " in row and "  shortcuts.published  " in row and row.endswith("  cache") and mail in row
    assert out.strip() not in listed + json.dumps(do("webhook", "list", "--json")), "only the first answer has the secret"
    assert "Delivered: the answer was 204 after " in do("webhook", "test", id)
    assert do("webhook", "test", id, "--json")["state"] == "delivered"
    assert do("webhook", "recover", id) == "0 deliveries are retried.\n"
    assert do("webhook", "recover", id, "--since", "2026-01-01T00:00:00Z", "--json") == {"recovered": 0}
    created = do("webhook", "create", "http://127.0.0.1:1/", "--ordered", "--json")
    assert created["ordered"] and created["secret"].startswith("whsec_")
    assert do("webhook", "test", created["id"], status=1).startswith("Not delivered: ")
    err = "longpress webhook list"
    do("webhook", "test", "none", status=1, err=err), do("webhook", "recover", "none", status=1, err=err)
    do("webhook", "create", "nope", "--type", "b", "--app", "c d", status=1, err="apps[0]: ")
    do("webhook", "recover", id, "--since", "yesterday", status=64, err="--since: ")
    for webhook in (id, created["id"]):
        server.admin("DELETE", f"/webhooks/{webhook}")


@pytest.mark.parametrize("stored", ["service", "database"])
def test_tokens_are_created_listed_and_revoked(server, stored, mail):
    def token(*arguments, status=0):
        if stored == "service":
            ended, out, err = remote(server, "token", *arguments)
        else:
            done = subprocess.run([BINARY, "token", *arguments, "--database", str(server.database)], capture_output=True, text=True)
            ended, out, err = done.returncode, done.stdout, done.stderr
        assert ended == status, (arguments, out, err)
        return out, err
    name = unique("ci").replace(" ", "-")
    secret = token("create", "--name", name, "--role", "reader", "--app", mail, "--expires", "30d", "--owner", "ana")[0].strip()
    assert secret.startswith("lp_") and server.admin("GET", f"/apps/{mail}", token=secret).status == 200
    row = next(line for line in token("list")[0].splitlines() if name in line)
    assert mail in row and "  expires " in row and row.endswith("  ana")
    made = json.loads(token("create", "--name", unique("ci"), "--role", "owner", "--json")[0])
    assert made["token"].startswith("lp_") and made["role"] == "owner"
    listed = json.loads(token("list", "--json")[0])["items"]
    found = next(one for one in listed if one["name"] == name)
    assert found["apps"] == [mail] and found["owner"] == "ana" and secret not in json.dumps(listed)
    assert token("revoke", found["id"]) == ("", f"The token {found['id']} was revoked.\n")
    assert server.admin("GET", f"/apps/{mail}", token=secret).status == 401
    assert json.loads(token("revoke", made["id"], "--json")[0]) == {}
    assert made["id"] in token("revoke", made["id"], status=1)[1]
    assert "king" in token("create", "--name", "a", "--role", "king", status=1)[1]
    assert "--expires: " in token("create", "--name", "a", "--role", "reader", "--expires", "soon", status=1)[1]


def test_a_token_of_an_environment_with_a_service_can_still_be_made_in_a_database(server):
    """`--database` wins over LONGPRESS_SERVER, and both options exclude each other."""
    done = remote("http://127.0.0.1:1", "token", "create", "--name", unique("here"), "--role", "reader", "--database", server.database)
    assert done[0] == 0 and done[1].startswith("lp_")
    assert remote(server, "token", "list", "--server", "http://127.0.0.1:1", "--database", server.database)[0] == 64
