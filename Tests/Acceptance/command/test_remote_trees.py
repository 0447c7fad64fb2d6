"""Menus as files: pull, plan and apply against a running service, as a team's continuous integration uses them."""

import json
import os
import pathlib
import plistlib
import signal
import subprocess

import pytest

from longpress import BINARY, OWNER, eventually, info_plist, item, unique
from remote import remote


def token(server, role, *apps):
    return server.admin("POST", "/tokens", {"name": unique(role), "role": role, **({"apps": list(apps)} if apps else {})}).json["token"]


def catalog(**keys):
    def unit(text):
        return {"stringUnit": {"state": "translated", "value": text}}
    strings = {key: {"localizations": {language: unit(text) for language, text in texts.items()}} for key, texts in keys.items()}
    return json.dumps({"sourceLanguage": "en", "version": "1.0", "strings": strings}, ensure_ascii=False)


class Tree:
    """A folder of files."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def write(self, name, document):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document if isinstance(document, bytes) else json.dumps(document, ensure_ascii=False).encode())
        return path

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    @property
    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file()}


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path / "menus")


def everything(server, *apps):
    """The export of some apps, or of all: other tests schedule changes of theirs on a shared server."""
    return server.admin("GET", "/export?" + "&".join(f"app={app}" for app in apps)).body


def test_the_story_from_git_to_the_service(server, mail, tree, tmp_path):
    """A pull, a change of two sets and of a key's text, a plan, another person's publish, a plan that shows both."""
    assert remote(server, "pull", tree.folder, "--app", mail)[0] == 0
    one, two = f"{mail}/sets/1.0.0.json", f"{mail}/sets/2.0.0.json"
    assert {*tree.files} == {f"{mail}/app.json", one, two, f"{mail}/releases/1.0.0.json", f"{mail}/releases/2.0.0+7.json"}
    changed = tree.read(one)
    changed["items"][1]["title"] = {"key": "drafts"}
    tree.write(one, changed)
    tree.write(two, {**tree.read(two), "fallbackURL": "mail://home"})
    strings = tmp_path / "Localizable.xcstrings"
    strings.write_text(catalog(drafts={"en": "Drafts", "ko": "임시 보관함"}))
    ask = (tree.folder, "--strings", strings)
    reader, publisher = token(server, "reader"), token(server, "publisher", mail)
    before = everything(server, mail)
    status, plan, err = remote(server, "plan", *ask, "--out", tmp_path / "plan.json", token=reader)
    assert (status, err) == (2, "") and plan == f"""\
{mail} (revision 2)
~ set 1.0.0
~     drafts.title.ko: "임시" → "임시 보관함"
~ set 2.0.0
+     fallbackURL: "mail://home"

2 to change.
"""
    status, _, err = remote(server, "apply", *ask, token=reader)
    assert status == 1 and "publisher" in err and everything(server, mail) == before
    # Somebody publishes in between.
    assert server.admin("PATCH", f"/apps/{mail}/sets/2.0.0/items/new-message", {"title": {"ko": "다른 메시지"}}).status == 200
    before = everything(server, mail)
    for arguments in [("--plan", tmp_path / "plan.json"), (*ask, "--plan", tmp_path / "plan.json")]:
        status, out, err = remote(server, "apply", *arguments, token=publisher)
        assert (status, out) == (1, "") and "revision 3" in err and everything(server, mail) == before
    status, plan, _ = remote(server, "plan", *ask, "--out", tmp_path / "plan.json", token=reader)
    assert status == 2 and '~     new-message.title.ko: "다른 메시지" → "새 메시지"' in plan and "drafts.title.ko" in plan
    status, out, err = remote(server, "apply", "--plan", tmp_path / "plan.json", token=publisher)
    assert status == 0 and "2 changed." in out and err.startswith("Applied to http://")
    assert server.shortcuts(mail, "1.0", "?lang=ko").json["items"][1]["localizedTitle"] == "임시 보관함"
    assert remote(server, "plan", *ask, token=reader) == (0, "Nothing changes.\n", "")
    before, standing = tree.files, everything(server, mail)
    assert remote(server, "apply", *ask)[0] == 0 and everything(server, mail) == standing, "what is the same is not written"
    assert remote(server, "pull", *ask, "--app", mail)[0] == 0 and tree.files == before, "pull after apply changes no byte"


def test_a_campaign_and_an_edit_in_the_console_stay(own, tree):
    """A sale runs until tomorrow and somebody edits a title, while git changes another menu."""
    app = "com.example.shop"
    tree.write(f"{app}/app.json", {"defaultLanguage": "en"})
    for version in ["1.0.0", "2.0.0", "3.0.0"]:
        tree.write(f"{app}/sets/{version}.json", {"items": [item("a", "A"), item("b", "B")]})
    assert remote(own, "apply", tree.folder)[0] == 0
    own.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a", "Sale"), item("b", "B")]})
    assert own.admin("POST", f"/apps/{app}/sets/1.0/publish", {"until": "2999-01-01T00:00:00Z"}).status == 200
    own.admin("PATCH", f"/apps/{app}/sets/2.0/items/a", {"title": {"en": "Console"}})
    tree.write(f"{app}/sets/3.0.0.json", {"items": [item("a", "Git"), item("b", "B")]})
    plan = tree.folder.parent / "plan.json"
    status, out, _ = remote(own, "plan", tree.folder, "--out", plan)
    assert status == 2 and "1 to change. 1 set changed on the service, which longpress pull brings into the tree." in out
    assert "= set 1.0.0: changed on the service by admin-token in revision 4 at " in out and "= set 2.0.0: changed" in out
    assert "=     A campaign. It reverts automatically at 2999-01-01T00:00:00" in out and '=     a.title.en: "A" → "Console"' in out
    # Somebody publishes another menu meanwhile: the plan is still valid.
    own.admin("PATCH", f"/apps/{app}/sets/2.0/items/a", {"title": {"en": "Later"}})
    assert remote(own, "apply", "--plan", plan)[0] == 0
    titles = {version: own.shortcuts(app, version).json["items"][0]["localizedTitle"] for version in ["1.0", "2.0", "3.0"]}
    assert titles == {"1.0": "Sale", "2.0": "Later", "3.0": "Git"}
    status, out, _ = remote(own, "plan", tree.folder)
    assert status == 0 and out.endswith("Nothing changes. 1 set changed on the service, which longpress pull brings into the tree.\n")
    # A pull does not bring the campaign into git, where it would be published again after its end, for good.
    status, _, err = remote(own, "pull", tree.folder)
    assert status == 0 and f"{app}/sets/1.0.0.json was not changed, because a campaign runs until 2999-01-01T00:00:00" in err
    assert tree.read(f"{app}/sets/1.0.0.json")["items"][0]["title"]["en"] == "A"
    fresh = Tree(tree.folder.parent / "fresh")
    status, _, err = remote(own, "pull", fresh.folder)
    assert status == 0 and "gets the set that is published then" in err
    assert fresh.read(f"{app}/sets/1.0.0.json")["items"][0]["title"]["en"] == "A"
    assert tree.read(f"{app}/sets/2.0.0.json")["items"][0]["title"]["en"] == "Later"

    # Another member of a changed set is merged, the same one is a conflict.
    own.admin("PATCH", f"/apps/{app}/sets/3.0/items/a", {"title": {"en": "Console"}})
    tree.write(f"{app}/sets/3.0.0.json", {"items": [item("a", "Git"), item("b", "New B")]})
    status, out, _ = remote(own, "apply", tree.folder)
    assert status == 0 and "~ set 3.0.0, merged with changes on the service" in out
    assert [each["localizedTitle"] for each in own.shortcuts(app, "3.0").json["items"]] == ["Console", "New B"]
    tree.write(f"{app}/sets/3.0.0.json", {"items": [item("a", "Mine"), item("b", "New B")]})
    status, out, _ = remote(own, "plan", tree.folder)
    assert status == 2 and 'x     a.title.en: was "Git", is "Mine" here and "Console" on the service' in out
    assert f"--use-git {app}/3.0.0 or --use-live {app}/3.0.0." in out and "1 conflict to decide." in out
    before = everything(own)
    status, out, err = remote(own, "apply", tree.folder)
    assert (status, out) == (1, "") and f"{app}/sets/3.0.0.json" in err and everything(own) == before
    assert "Decide with --use-git SET or --use-live SET." in err
    assert remote(own, "apply", tree.folder, "--use-git", f"{app}/4.0.0")[0] == 1
    assert remote(own, "apply", tree.folder, "--use-git", f"{app}/3.0.0")[0] == 0
    assert own.shortcuts(app, "3.0").json["items"][0]["localizedTitle"] == "Mine"
    assert remote(own, "plan", tree.folder)[0] == 0

    own.admin("PATCH", f"/apps/{app}/sets/3.0/items/a", {"title": {"en": "Console"}})
    assert remote(own, "apply", tree.folder, "--overwrite")[0] == 0
    assert own.shortcuts(app, "3.0").json["items"][0]["localizedTitle"] == "Mine"
    own.admin("DELETE", f"/apps/{app}")
    for command in ["plan", "apply"]:
        status, _, err = remote(own, command, tree.folder)
        assert status == 1 and f'The app "{app}" was deleted by "admin-token" at ' in err and "--recreate" in err
    assert remote(own, "apply", tree.folder, "--recreate")[0] == 0
    assert own.shortcuts(app, "3.0").json["items"][0]["localizedTitle"] == "Mine"


def test_pull_leaves_alone_what_means_the_same(server, mail, tree, tmp_path):
    strings = tmp_path / "Localizable.xcstrings"
    strings.write_text(catalog(write={"en": "New Message", "ko": "새 메시지"}, search={"ko": "찾기"}))
    tree.write(f"{mail}/app.json", {"fallbackURL": "mail://inbox", "name": None, "defaultLanguage": "EN"})
    tree.write(f"{mail}/sets/1.json", b'\n{"retired":[],\t"items":\n' + json.dumps([
        {"title": {"KO": "쓰기", "en": "Compose"}, "type": "com.example.compose", "id": "compose", "userInfo": {}},
        item("drafts", {"en": "Drafts", "ko": "임시"}, icon={"type": "UIApplicationShortcutIconTypeMail"})]).encode() + b"}")
    tree.write(f"{mail}/sets/02.0@default.json", {
        "items": [item("new-message", "", replaces=["compose"], url="mail://compose") | {"title": {"key": "write"}, "subtitle": {"key": "search"}}],
        "retired": [{"url": "mail://drafts", "id": "drafts"}]})
    tree.write(f"{mail}/releases/2.0.plist", plistlib.dumps(info_plist(mail, "2.0"), fmt=plistlib.FMT_BINARY))
    tree.write(f"{mail}/README.md", b"# Ours")
    pull = ("pull", tree.folder, "--app", mail, "--strings", strings)
    assert remote(server, "apply", tree.folder, "--strings", strings)[0] == 0
    before = tree.files
    status, out, err = remote(server, *pull)
    assert status == 0 and {line.split()[1] for line in out.splitlines()} == {
        f"{tree.folder}/{mail}/releases/1.0.0.json", f"{tree.folder}/{mail}/releases/2.0.0+7.json"}, out
    assert {name: tree.files[name] for name in before} == before
    before = tree.files
    status, out, err = remote(server, *pull)
    assert (status, out) == (0, "") and " is up to date with http://" in err and tree.files == before

    # One set is changed, one is added, one is deleted; a plist differs from the service's release.
    server.admin("PATCH", f"/apps/{mail}/sets/2.0/items/new-message", {"url": None, "subtitle": {"ko": "검색"}})
    server.admin("PUT", f"/apps/{mail}/sets/3.0?audience=member", {"items": []})
    server.admin("DELETE", f"/apps/{mail}/sets/1.0")
    server.admin("PUT", f"/apps/{mail}/releases/2.0+9", {"urlSchemes": ["mailto"]})
    # The service stores no earlier releases, so it is unknown whether the file's was applied.
    def steps(out):
        return {tuple(line.replace(str(tree.folder) + "/" + mail, "").rsplit(maxsplit=1)) for line in out.splitlines()}
    status, out, err = remote(server, *pull, "--dry-run")
    sets = {("write", "/sets/02.0@default.json"), ("write", "/sets/3.0.0@member.json"), ("remove", "/sets/1.json")}
    assert (status, steps(out), tree.files) == (2, {(f"would {word}", path) for word, path in sets} | {
        ("would write", "/releases/2.0.plist.theirs"), ("conflict", "/releases/2.0.plist")}, before)
    status, out, err = remote(server, *pull)
    assert status == 2 and tree.read(f"{mail}/releases/2.0.plist.theirs")["urlSchemes"] == ["mailto"]
    assert tree.files[f"{mail}/releases/2.0.plist"] == before[f"{mail}/releases/2.0.plist"]
    status, out, err = remote(server, *pull, "--overwrite", f"{mail}/releases/2.0.plist")
    assert status == 0 and steps(out) == {("removed", "/releases/2.0.plist"), ("wrote", "/releases/2.0.json")}
    written = tree.read(f"{mail}/sets/02.0@default.json")["items"][0]
    # A key is restored if its texts equal the service's.
    assert written["title"] == {"key": "write"} and written["subtitle"] == {"en": "search", "ko": "검색"} and "url" not in written
    assert tree.read(f"{mail}/releases/2.0.json")["urlSchemes"] == ["mailto"]
    assert remote(server, "plan", tree.folder, "--strings", strings)[0] == 0
    before = tree.files
    assert remote(server, *pull)[:2] == (0, "") and tree.files == before
    status, out, err = remote(server, "pull", tree.folder, "--app", mail)
    assert (status, out) == (1, "") and "02.0@default.json: items[0].title" in err and tree.files == before


def test_pull_mends_a_tree_whose_documents_the_service_would_refuse(server, mail, tree):
    pull = ("pull", tree.folder, "--app", mail)
    assert remote(server, *pull)[0] == 0
    before = tree.files
    # An invalid document, one that reuses an id, and one in another layout with the same meaning.
    tree.write(f"{mail}/sets/1.0.0.json", {"items": [item("compose", url="javascript:x")]})
    tree.write(f"{mail}/sets/2.0.0.json", {"items": [], "retired": [{"id": "compose"}]})
    same = tree.write(f"{mail}/releases/1.0.0.json", {"urlSchemes": ["mail"]}).read_bytes()
    new = tree.write(f"{mail}/sets/7.0.0.json", {"items": [item("compose")]}).read_bytes()
    written = tree.files
    theirs = {f"{mail}/sets/1.0.0.json.theirs": before[f"{mail}/sets/1.0.0.json"]}
    status, out, err = remote(server, *pull)
    assert status == 2 and tree.files == {**written, **theirs} and f"{mail}/sets/2.0.0.json has changes" in err
    status, _, err = remote(server, *pull, "--overwrite", "1.0.0", "--overwrite", f"{mail}/2.0.0")
    assert status == 0, err
    assert tree.files == {**before, **theirs, f"{mail}/releases/1.0.0.json": same, f"{mail}/sets/7.0.0.json": new}


def test_a_pull_loses_nothing_that_was_never_applied(server, mail, tree):
    """Edits are merged or stay. A file whose content was once published is updated, or removed with its set."""
    pull = ("pull", tree.folder, "--app", mail)
    for version in ("3.0", "4.0", "5.0", "6.0"):
        server.admin("PUT", f"/apps/{mail}/sets/{version}", {"items": [item("new-message", "Old")]})
    assert remote(server, *pull)[0] == 0 and remote(server, "apply", tree.folder)[0] == 0
    one, two, three, four, five, six = (f"{mail}/sets/{number}.0.0.json" for number in range(1, 7))
    fresh = f"{mail}/sets/5.0.0@member.json"
    # Edited, and another member changed on the service; not edited, and changed; edited, and deleted; not edited, and deleted; edited;
    # edited, and the same member changed; new.
    tree.write(one, {**tree.read(one), "fallbackURL": "mail://mine"})
    server.admin("PATCH", f"/apps/{mail}/sets/1.0/items/compose", {"title": {"en": "Theirs"}})
    server.admin("PATCH", f"/apps/{mail}/sets/2.0/items/new-message", {"title": {"en": "Theirs"}})
    tree.write(three, {"items": [item("new-message", "Mine")]})
    server.admin("DELETE", f"/apps/{mail}/sets/3.0")
    server.admin("DELETE", f"/apps/{mail}/sets/4.0")
    tree.write(five, {"items": [item("new-message", "Mine")]})
    tree.write(six, {"items": [item("new-message", "Mine")]})
    server.admin("PATCH", f"/apps/{mail}/sets/6.0/items/new-message", {"title": {"en": "Theirs"}})
    tree.write(fresh, {"items": [item("new-message", "New")]})
    tree.write(f"{mail}/app.json", {**tree.read(f"{mail}/app.json"), "name": "Mine"})
    server.admin("PATCH", f"/apps/{mail}", {"fallbackURL": "mail://theirs"})
    before = tree.files
    status, out, err = remote(server, *pull)
    assert status == 2 and {tuple(line.replace(str(tree.folder) + "/", "").split()) for line in out.splitlines()} == {
        ("wrote", f"{mail}/app.json"), ("wrote", one), ("wrote", two), ("conflict", three), ("removed", four),
        ("wrote", f"{six}.theirs"), ("conflict", six)}
    merged, app = tree.read(one), tree.read(f"{mail}/app.json")
    assert (merged["fallbackURL"], merged["items"][0]["title"]["en"]) == ("mail://mine", "Theirs")
    assert (app["name"], app["fallbackURL"]) == ("Mine", "mail://theirs")
    assert tree.read(two)["items"][0]["title"]["en"] == tree.read(f"{six}.theirs")["items"][0]["title"]["en"] == "Theirs"
    assert all(tree.files[name] == before[name] for name in (three, five, six, fresh))
    assert f"{five} has changes that were not applied" in err and f"has deleted the set of {tree.folder}/{three}" in err
    # A pull can be repeated. An unknown name is an error.
    written = tree.files
    assert remote(server, *pull)[0] == 2 and tree.files == written
    status, out, err = remote(server, *pull, "--overwrite", "9.0")
    assert status == 1 and '"9.0"' in err and tree.files == written
    overwritten = [word for name in ("3.0", tree.folder / five, f"{mail}/6.0") for word in ("--overwrite", name)]
    status, out, err = remote(server, *pull, *overwritten)
    assert status == 0 and {tuple(line.replace(str(tree.folder) + "/", "").split()) for line in out.splitlines()} == {
        ("wrote", five), ("wrote", six), ("removed", three)}


def test_a_pull_that_cannot_be_done_whole_writes_nothing(server, mail, tree):
    tree.write("com.example.elsewhere/app.json", {"defaultLanguage": "en"})
    (tree.folder / "stray").write_text("")
    status, out, err = remote(server, "pull", tree.folder)
    assert (status, out) == (1, "") and f"{tree.folder}/stray is a file" in err and len(tree.files) == 2
    (tree.folder / "stray").unlink()
    status, out, err = remote(server, "pull", tree.folder, token=token(server, "reader", mail))
    assert status == 0 and "com.example.elsewhere" in err and f"{mail}/app.json" in tree.files, "what is not there is left as it is"
    assert "com.example.elsewhere/app.json" in tree.files
    status, out, err = remote(server, "pull", tree.folder, "--app", "com.example.nowhere")
    assert (status, out) == (1, "") and "com.example.nowhere" in err
    assert remote(server, "pull", tree.folder, "--app", "a b")[0] == 64


def test_what_the_service_refuses_is_named_by_its_file(server, mail, app, tree):
    tree.write(f"{mail}/sets/3.json", {"items": [item("new-message", {"ko": "x"}, url="http://x")]})
    tree.write(f"{app}/sets/1@member.json", {"items": [item("a b")], "more": 1})
    before = everything(server, mail, app)
    for command in ["plan", "apply"]:
        status, out, err = remote(server, command, tree.folder)
        assert (status, out) == (1, "") and "apps[" not in err
        assert err.count(f"{tree.folder}/{mail}/sets/3.json: items[0].") == 2 and err.count(f"{tree.folder}/{app}/sets/1@member.json: ") == 2
    assert everything(server, mail, app) == before
    tree.write(f"{mail}/sets/3.json", {"items": [item("compose")]})
    (tree.folder / app / "sets/1@member.json").unlink()
    status, _, err = remote(server, "plan", tree.folder)
    assert status == 1 and "compose" in err and f"{mail}/sets/3.json" in err
    tree.write("com.example.new/sets/1.json", {"items": []})
    status, _, err = remote(server, "plan", tree.folder)
    assert status == 1 and "com.example.new" in err and "app.json" in err


def test_a_tree_makes_apps_and_prunes_sets(own, tree):
    tree.write("com.example.new/app.json", {"defaultLanguage": "en", "name": "New"})
    tree.write("com.example.new/sets/1.json", {"items": [item("a")]})
    tree.write("com.example.new/sets/2@member.json", {"items": [item("b")]})
    status, out, _ = remote(own, "apply", tree.folder)
    assert status == 0 and "3 created." in out
    (tree.folder / "com.example.new/sets/1.json").unlink()
    assert remote(own, "plan", tree.folder)[0] == 0
    plan = tree.folder.parent / "plan.json"
    status, out, _ = remote(own, "plan", tree.folder, "--prune", "--out", plan, "--format", "json")
    assert status == 2 and [change["action"] for change in json.loads(out)["apps"]["com.example.new"]["changes"]] == ["delete"]
    assert remote(own, "apply", tree.folder, "--plan", plan, "--prune")[0] == 64
    assert remote(own, "apply", "--plan", plan)[0] == 0
    assert own.admin("GET", "/apps/com.example.new/sets/1.0.0").status == 404
    assert own.admin("GET", "/apps/com.example.new/sets/2.0.0?audience=member").status == 200


def test_apps_are_applied_one_by_one_and_a_failure_can_be_continued(own, tree, tmp_path):
    """A tree of 200 apps; the service has changed one in the middle meanwhile."""
    apps = [f"com.example.a{number}" for number in range(100, 300)]
    for app in apps:
        tree.write(f"{app}/app.json", {"defaultLanguage": "en"})
        tree.write(f"{app}/sets/1.0.0.json", {"items": [item("a", app)]})
    plan = tmp_path / "plan.json"
    # An option selects apps, and other apps are not even read.
    broken = tree.write(f"{apps[1]}/sets/2.0.0.json", b"{")
    status, out, _ = remote(own, "plan", tree.folder, "--app", apps[0])
    assert status == 2 and out.startswith(f"{apps[0]} (revision 0)") and apps[1] not in out
    assert remote(own, "apply", tree.folder, "--app", apps[0], "--message", "First\n\nBody")[0] == 0
    assert [revision["message"] for revision in own.admin("GET", f"/apps/{apps[0]}/revisions").json["items"]] == ["First"]
    broken.unlink()
    status, _, err = remote(own, "plan", tree.folder, "--app", "com.example.none")
    assert status == 1 and 'has no app "com.example.none"' in err
    assert remote(own, "plan", tree.folder, "--app", "a b")[0] == 64

    status, out, _ = remote(own, "plan", tree.folder, "--out", plan)
    assert status == 2 and "398 to create." in out and len(json.loads(plan.read_text())["apps"]) == 200
    middle = apps[120]
    own.admin("PUT", f"/apps/{middle}", {"defaultLanguage": "en"})
    own.admin("PUT", f"/apps/{middle}/sets/1.0", {"items": [item("x")]})
    status, out, err = remote(own, "apply", "--plan", plan)
    assert (status, out) == (1, "") and f"{middle} was not applied. Applied before it: {', '.join(apps[:120])}. 79 apps after it were not tried." in err
    assert own.admin("GET", f"/apps/{apps[119]}/sets/1.0").status == 200 and own.admin("GET", f"/apps/{apps[121]}").status == 404
    # The same command continues once the app is as it was planned.
    assert remote(own, "apply", "--plan", plan)[0] == 1
    own.admin("DELETE", f"/apps/{middle}/sets/1.0")
    before = own.admin("GET", f"/apps/{apps[0]}/revisions").body
    status, out, err = remote(own, "apply", "--plan", plan, "--app", middle)
    assert status == 0 and "1 created" in out, err
    assert remote(own, "apply", "--plan", plan)[0] == 0
    assert remote(own, "plan", tree.folder)[:2] == (0, "Nothing changes.\n")
    assert own.admin("GET", f"/apps/{apps[0]}/revisions").body == before

    # A plan lists the errors of all apps.
    for app in [apps[3], apps[7]]:
        tree.write(f"{app}/sets/1.0.0.json", {"items": [{"id": "a"}]})
    status, _, err = remote(own, "plan", tree.folder)
    assert status == 1 and f"{apps[3]}/sets/1.0.0.json: " in err and f"{apps[7]}/sets/1.0.0.json: " in err


def test_a_plan_is_of_one_service_and_of_one_tree(server, mail, own, tree, tmp_path):
    tree.write(f"{mail}/sets/3.json", {"items": [item("new-message")]})
    plan = tmp_path / "plan.json"
    assert remote(server, "plan", tree.folder, "--out", plan)[0] == 2
    before = everything(own)
    status, out, err = remote(own, "apply", "--plan", plan)
    assert (status, out) == (1, "") and f"{plan} was created for http://" in err and everything(own) == before
    before = everything(server, mail)
    tree.write(f"{mail}/sets/3.json", {"items": [item("new-message", "Another")]})
    status, out, err = remote(server, "apply", tree.folder, "--plan", plan)
    assert (status, out) == (1, "") and f"{tree.folder} has changed since {plan} was created" in err
    plan.write_text("{}")
    status, out, err = remote(server, "apply", "--plan", plan)
    assert (status, out) == (1, "") and f"{plan} is not a plan" in err and everything(server, mail) == before
    for arguments in [("apply",), ("plan", tree.folder / "nowhere"), ("plan", tmp_path / "menus" / mail)]:
        assert remote(server, *arguments)[0] in (1, 64)
    (tmp_path / "empty").mkdir()
    status, _, err = remote(server, "plan", tmp_path / "empty", "--prune")
    assert status == 1 and "has no app" in err


def test_watching_goes_on_over_a_restart_and_misses_nothing(own, tmp_path):
    app = "com.example.watched"
    own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en"})
    heard = tmp_path / "heard"
    address = f"{own.address[0]}:{own.address[1]}"
    # The same port, like a service that is restarted.
    own.flags = (*own.flags, "--listen", address)
    with open(heard, "w") as output:
        watch = subprocess.Popen([BINARY, "watch", "--server", f"http://{address}", "--app", app], stdout=output, stderr=subprocess.PIPE)

    def events():
        return [json.loads(line) for line in heard.read_text().splitlines()]

    def revisions():
        return [event["data"]["revision"] for event in events() if event["event"] == "changed" and event["data"].get("audience")]
    try:
        eventually(lambda: [event["event"] for event in events()] == ["state"])
        for number in range(1, 4):
            own.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", f"Title {number}")]})
        eventually(lambda: revisions() == [1, 2, 3])
        own.stop(signal.SIGKILL)
        own.start()
        for number in range(4, 6):
            own.admin("PUT", f"/apps/{app}/sets/1.0", {"items": [item("a", f"Title {number}")]})
        # Of the missed changes, the replay has the newest of each set.
        eventually(lambda: revisions()[-1] == 5)
        assert revisions() == sorted(set(revisions()))
        assert watch.poll() is None
    finally:
        watch.terminate()
        watch.communicate(timeout=120)
    status, out, err = remote(own, "watch", "--app", "com.example.nowhere")
    assert (status, out) == (1, "") and "com.example.nowhere" in err
    status, out, err = remote("http://127.0.0.1:1", "watch", "--app", app)
    assert status == 1 and "cannot be reached" in err


def test_the_audit_is_followed_over_a_restart_and_each_entry_printed_once(own, tmp_path):
    printed = tmp_path / "printed"
    address = f"{own.address[0]}:{own.address[1]}"
    own.flags = (*own.flags, "--listen", address)
    own.admin("PUT", "/apps/com.example.before", {"defaultLanguage": "en"})
    [newest] = own.admin("GET", "/audit?limit=1").json["items"]
    environment = {**os.environ, "LONGPRESS_TOKEN": OWNER}
    follow = [BINARY, "audit", "--follow", "--json", "--server", f"http://{address}", "--after", newest["id"]]

    def apps():
        return [json.loads(line)["app"] for line in printed.read_text().splitlines()]
    with open(printed, "w") as output:
        process = subprocess.Popen(follow, stdout=output, stderr=subprocess.PIPE, env=environment)
    try:
        for number in range(3):
            own.admin("PUT", f"/apps/com.example.a{number}", {"defaultLanguage": "en"})
        eventually(lambda: apps() == [f"com.example.a{number}" for number in range(3)])
        own.stop(signal.SIGKILL)
        own.start()
        own.admin("PUT", "/apps/com.example.a3", {"defaultLanguage": "en"})
        eventually(lambda: apps() == [f"com.example.a{number}" for number in range(4)])
        assert process.poll() is None
    finally:
        process.terminate()
        process.communicate(timeout=120)
    status, out, _ = remote(own, "audit", "--app", "com.example.a3")
    assert status == 0 and out.endswith(" app.created com.example.a3, by admin-token from 127.0.0.1\n")
    assert remote(own, "audit", "--follow", "--to", "2026-01-01T00:00:00Z")[0] == 64
    status, out, err = remote("http://127.0.0.1:1", "audit", "--follow", "--after", "1")
    assert status == 1 and "cannot be reached" in err


def test_a_tree_of_many_sets_goes_there_and_back(own, tree):
    """More than a page of the service's lists."""
    app = "com.example.many"
    tree.write(f"{app}/app.json", {"defaultLanguage": "en"})
    for number in range(1, 206):
        tree.write(f"{app}/sets/{number}.0.0.json", {"items": [item("a", f"Title {number}")]})
    status, out, _ = remote(own, "apply", tree.folder)
    assert status == 0 and "206 created." in out
    before = tree.files
    assert remote(own, "pull", tree.folder)[:2] == (0, "") and tree.files == before
    there = Tree(tree.folder.parent / "there")
    assert remote(own, "pull", there.folder)[0] == 0
    assert {*there.files} == {*before} and all(json.loads(there.files[name]) == json.loads(text) for name, text in before.items() if "sets" in name)
    assert remote(own, "plan", there.folder, "--prune")[0] == 0


def approve(server, app, version, token):
    """Approves the draft."""
    place = f"/apps/{app}/sets/{version}/draft"
    return server.admin("POST", place + "/approve", token=token, If_Match=server.admin("GET", place).fields["etag"])


def test_where_approvals_are_needed_drafts_are_saved(own, tree):
    app = "com.example.careful"
    own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "approvals": 1})
    own.admin("PUT", f"/apps/{app}/sets/1.0?override=The%20first%20one", {"items": [item("a")]})
    assert remote(own, "pull", tree.folder)[0] == 0
    assert tree.read(f"{app}/app.json")["approvals"] == 1
    tree.write(f"{app}/sets/1.0.0.json", {"items": [item("a", "Another")]})
    tree.write(f"{app}/sets/2.0.0.json", {"items": [item("b")]})
    publisher, other = token(own, "publisher"), token(own, "publisher")
    status, out, err = remote(own, "plan", tree.folder, token=publisher)
    assert status == 2 and "com.example.careful (revision 1), as drafts that need the approval of 1 publisher who did not edit them\n" in out, (out, err)
    status, out, err = remote(own, "apply", tree.folder, token=publisher)
    assert status == 0 and "drafts" in err and "revision 1)" in out, (out, err)
    assert own.shortcuts(app, "1.0").json["items"][0]["localizedTitle"] == "Title", "nothing is published"
    assert [draft["version"] for draft in own.admin("GET", f"/apps/{app}/drafts").json["items"]] == ["1.0.0", "2.0.0"]
    # Another person approves one, and it can be published.
    assert approve(own, app, "2.0.0", publisher).status == 403 and approve(own, app, "2.0.0", other).status == 200
    assert own.admin("POST", f"/apps/{app}/sets/2.0.0/publish", token=publisher).status == 200
    # A deletion cannot be a draft; an owner may bypass the approvals.
    (tree.folder / app / "sets/2.0.0.json").unlink()
    status, out, err = remote(own, "apply", tree.folder, "--prune", token=publisher)
    assert (status, out) == (1, "") and own.admin("GET", f"/apps/{app}/sets/2.0.0").status == 200
    assert remote(own, "apply", tree.folder, "--prune", "--override", "Nobody is here", token=publisher)[0] == 1
    status, out, err = remote(own, "apply", tree.folder, "--prune", "--override", "Nobody is here")
    assert status == 0 and "1 changed, 1 deleted; 2 warnings." in out and err.startswith("Applied to")
    assert own.admin("GET", f"/apps/{app}/sets/2.0.0").status == 404
    assert own.admin("GET", "/audit").json["items"][0]["reason"] == "Nobody is here"


def test_a_branch_is_previewed_as_drafts_and_its_revert_withdraws_them(own, tree):
    app = "com.example.branch"
    own.admin("PUT", f"/apps/{app}", {"defaultLanguage": "en", "approvals": 2})
    own.admin("PUT", f"/apps/{app}/sets/1.0?override=first", {"items": [item("a")]})
    name = f"{app}/sets/1.0.0.json"
    editor = token(own, "editor", app)
    tree.write(name, {"items": [item("a"), item("b")]})
    tree.write(f"{app}/app.json", {"defaultLanguage": "en", "approvals": 1})
    status, out, _ = remote(own, "plan", tree.folder)
    assert status == 2 and "It lowers the approvals. Only an owner can apply it, with --override and a reason." in out
    status, out, err = remote(own, "plan", tree.folder, "--draft", token=editor)
    assert status == 2 and out.startswith(f"{app} (revision 1), as drafts that need the approval of 2 publishers who did not edit them\n~ set 1.0.0\n")
    status, _, err = remote(own, "apply", tree.folder, token=editor)
    assert status == 1 and "longpress plan requires the role reader, and --draft the role editor" in err
    status, out, err = remote(own, "apply", tree.folder, "--draft", token=editor)
    assert status == 0 and "Saved on " in err and own.admin("GET", f"/apps/{app}").json["approvals"] == 2
    preview = own.admin("GET", f"/apps/{app}/preview?version=1.0&draft=true").json
    assert [entry["id"] for entry in preview["menu"]] == ["a", "b"]
    assert remote(own, "plan", tree.folder, "--draft", token=editor)[0] == 0
    # A person's draft of the same menu is named before it is replaced.
    own.admin("PUT", f"/apps/{app}/sets/1.0/draft", {"items": [item("a"), item("c")]})
    status, out, _ = remote(own, "plan", tree.folder, "--draft", token=editor)
    assert "!     Replaces the draft that admin-token saved at " in out
    own.admin("DELETE", f"/apps/{app}/sets/1.0/draft")
    assert remote(own, "apply", tree.folder, "--draft", token=editor)[0] == 0
    # Main does not know of the branch: somebody publishes its draft, and main leaves the publish alone.
    main = Tree(tree.folder.parent / "main")
    main.write(name, {"items": [item("a")]})
    other = token(own, "publisher", app), token(own, "publisher", app)
    assert all(approve(own, app, "1.0", each).status == 200 for each in other)
    assert remote(own, "publish", f"{app}/1.0")[0] == 0
    status, out, _ = remote(own, "plan", main.folder)
    assert status == 0 and "= set 1.0.0: changed on the service" in out
    own.admin("PUT", f"/apps/{app}/sets/1.0?override=back", {"items": [item("a")]})
    assert remote(own, "apply", tree.folder, "--draft", token=editor)[0] == 0
    # The change is reverted in git.
    tree.write(name, {"items": [item("a")]})
    status, out, _ = remote(own, "plan", tree.folder, "--draft", token=editor)
    assert status == 2 and "- draft 1.0.0: saved by " in out and out.endswith("1 draft to withdraw.\n")
    status, out, _ = remote(own, "apply", tree.folder, "--draft", token=editor)
    assert status == 0 and out.endswith("1 draft withdrawn.\n") and own.admin("GET", f"/apps/{app}/drafts").json["items"] == []
    assert own.admin("GET", "/audit?limit=1").json["items"][0]["changes"][0]["action"] == "withdraw"
    for flag in ["--prune", "--overwrite", "--recreate"]:
        assert remote(own, "plan", tree.folder, "--draft", flag)[0] == 64
    status, _, err = remote(own, "plan", tree.folder, "--use-git", f"{app}/1.0.0", "--use-live", f"{app}/1.0.0")
    assert status == 1 and f"{app}/1.0.0 is named twice" in err
    status, _, err = remote(own, "plan", tree.folder / app)
    assert status == 1 and "is the folder of an app. Use the folder that contains it." in err
    for query in ["drafts=true", "drafts=true&mode=merge&prune=true", "drafts=true&mode=merge&override=x"]:
        assert own.admin("POST", f"/apply?{query}", {"apps": {}}).code == "invalid-parameter"
