"""Errors of the command, and warnings about useless arguments, as sentences."""

import json
import os
import pathlib
import re
import subprocess

import pytest

from longpress import BINARY, ON_POSTGRES, Longpress


def longpress(*arguments, environment={}, **more):
    return subprocess.run(
        [BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=120, env={**os.environ, **environment}, **more)


@pytest.fixture
def store(tmp_path):
    assert longpress("migrate", cwd=tmp_path).returncode == 0
    return tmp_path


@pytest.fixture
def filled(store):
    """A store with the app `a`."""
    exported = json.loads(longpress("export", cwd=store).stdout)
    plain = {"version": "1.0.0", "audience": "default", "revision": 1}
    published = {"kind": "published", "publishedAt": "2026-01-31T09:00:00.000Z", "by": "ana", "set": {"items": [], "retired": []}}
    exported["apps"] = [{
        "app": "a", "name": None, "defaultLanguage": "en", "fallbackURL": None, "lastRevision": 1, "releases": [], "sets": [plain],
        "drafts": [], "revisions": [plain | published]}]
    (store / "app.json").write_text(json.dumps(exported))
    made = longpress("import", "app.json", cwd=store)
    assert made.returncode == 0, made
    return store


@pytest.mark.parametrize("arguments, path, reason", [
    (["export", "--output", "/nowhere/x"], "/nowhere/x", "No such file or directory"),
    (["export", "--output", "/dev/full"], "/dev/full", "No space left on device"),
    (["export", "--output", "/proc/x"], "/proc/x", ""),
    (["backup", "/nowhere/x"], "/nowhere/x", "No such file or directory"),
    (["import", "/nowhere"], "/nowhere", "No such file or directory"),
    (["import", "/proc/self"], "/proc/self", "Is a directory"),
    (["serve", "--config", "/nowhere"], "/nowhere", "No such file or directory"),
    (["serve", "--webhook-ca", "/nowhere"], "/nowhere", "No such file or directory"),
    (["check", "--app", "a", "--plist", "/nowhere"], "/nowhere", "No such file or directory"),
])
def test_a_file_that_cannot_be_used_is_named_with_the_reason(store, arguments, path, reason):
    run = longpress(*arguments, cwd=store)
    assert run.returncode in (1, 2) and run.stdout == ""
    assert path in run.stderr and reason in run.stderr
    for raw in ("Domain", "Code=", "Error ", "Fatal", "errno"):
        assert raw not in run.stderr


@pytest.mark.parametrize("arguments", [
    ["export"], ["token", "create", "--name", "a", "--role", "owner"], ["--version"], ["--help"], ["help", "serve"], ["check", "--help"],
    ["--generate-completion-script", "zsh"],
])
def test_a_result_that_cannot_be_written_is_a_failure(store, arguments):
    with open("/dev/full", "w") as full:
        run = subprocess.run([BINARY, *arguments], cwd=store, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (1, "longpress: Standard output cannot be written: No space left on device.\n")


def test_an_export_keeps_the_permissions_and_the_links_of_what_it_replaces(store):
    (store / "menus.json").write_text("old")
    (store / "menus.json").chmod(0o640)
    (store / "link.json").symlink_to("menus.json")
    assert longpress("export", "--output", "link.json", cwd=store).returncode == 0
    assert (store / "link.json").is_symlink() and (store / "menus.json").stat().st_mode & 0o777 == 0o640
    assert json.loads((store / "menus.json").read_text())["apps"] == []
    assert not [path for path in store.iterdir() if path.name.endswith(".partial")]


def test_a_token_is_never_made_in_a_new_database(tmp_path):
    run = longpress("token", "create", "--name", "a", "--role", "owner", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (1, "") and list(tmp_path.iterdir()) == []
    assert f"There is no database at longpress.sqlite ({tmp_path}/longpress.sqlite)" in run.stderr and "longpress migrate" in run.stderr


@pytest.mark.parametrize("database", ["postgres:db", "postgresql:/db", "MySQL:x", "file:x?mode=memory", "sqlite://x", ":memory:", ""])
@pytest.mark.parametrize("command", [["serve", "--listen", "127.0.0.1:0"], ["migrate"], ["export"]])
def test_what_is_no_file_is_not_taken_for_a_path(tmp_path, command, database):
    run = longpress(*command, "--database", database, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "") and "--database (LONGPRESS_DATABASE)" in run.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [
    ["--database", "mysql://u:secretpw@h/db"], ["--database-listen", "mysql://u:secretpw@h/db?password=secretpw"], ["--database", "sqlite://u:secretpw@h/db"], ["--public-url", "ftp://u:secretpw@h/x"],
    ["--database", f"mysql://u:secretpw{'x' * 100}@h/db"], ["--public-url", "ftp://u:a secretpw/?#@h"], ["--listen", "http://u:secretpw@h:1"],
    ["--webhook-allow", "http://u:secretpw@h"], ["--webhook-schedule", "http://u:secretpw@h"], ["--webhook-ca", "https://u:secretpw@h/ca.pem"],
])
def test_the_password_of_a_url_is_not_quoted(tmp_path, options):
    run = longpress("serve", "--listen", "127.0.0.1:0", *options, cwd=tmp_path)
    assert run.returncode == 2 and "secretpw" not in run.stderr and "://***@h" in run.stderr, run


@pytest.mark.parametrize("command", [["backup"], ["restore", "--keep-tokens"]])
def test_postgresql_is_copied_with_its_own_tools(tmp_path, command):
    run = longpress(*command, "copy", "--database", "postgres://u:secretpw@h/db?password=secretpw", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (1, "") and "pg_" in run.stderr and "secretpw" not in run.stderr, run


@pytest.mark.parametrize("arguments, named, bound", [
    (["check", "--app", "a", "--plist", "FILE"], "FILE", 4), (["check", "--app", "a", "--version", "1", "--plist", "FILE"], "FILE", 4),
    (["check", "--app", "a", "--version", "1", "--set", "FILE"], "FILE", 1), (["check", "--app", "a", "--version", "1", "--assets", "FILE"], "FILE", 16),
    (["import", "FILE"], "FILE", 1024), (["import", "-"], "Standard input", 1024), (["serve", "--config", "FILE"], "FILE", 1),
    (["serve", "--webhook-ca", "FILE"], "FILE", 16),
])
def test_no_file_is_read_without_a_bound(filled, arguments, named, bound):
    with open("/dev/zero", "rb") as endless:
        run = longpress(*(word.replace("FILE", "/dev/zero") for word in arguments), cwd=filled, stdin=endless)
    assert run.returncode in (1, 2) and run.stdout == ""
    assert f"{named.replace('FILE', '/dev/zero')} is too large. The limit is {bound} MiB." in run.stderr, run


def test_a_pipe_is_read_to_its_end(filled):
    os.mkfifo(filled / "pipe")
    content = json.dumps({"items": []}) + " " * 200_000
    with subprocess.Popen([BINARY, "check", "--app", "a", "--version", "1", "--set", "pipe"], cwd=filled, stdout=subprocess.PIPE, text=True) as run:
        (filled / "pipe").write_text(content)
        assert "no violations" in run.communicate(timeout=120)[0] and run.returncode == 0


@pytest.mark.parametrize("arguments, status, stream", [
    (["import", "FILE"], 1, "stderr"), (["serve", "--config", "FILE"], 2, "stderr"),
    (["check", "--app", "a", "--version", "1", "--set", "FILE"], 2, "stdout"), (["check", "--app", "a", "--version", "1", "--assets", "FILE"], 1, "stderr"),
])
def test_a_file_that_is_not_json_is_named(filled, arguments, status, stream):
    (filled / "FILE").write_text("[x")
    run = longpress(*arguments, cwd=filled)
    assert run.returncode == status and "FILE is not JSON: at line 1, column 2, " in getattr(run, stream), run
    assert "body" not in run.stdout + run.stderr


def test_each_violation_of_an_import_names_its_file(store):
    (store / "menus.json").write_text('{"apps": 5}')
    run = longpress("import", "menus.json", cwd=store)
    assert run.returncode == 1 and all(line.removeprefix("longpress: ").startswith("menus.json: ") for line in run.stderr.splitlines()), run
    with open(store / "menus.json") as export:
        assert longpress("import", "-", cwd=store, stdin=export).stderr.startswith("longpress: Standard input: ")


@pytest.mark.parametrize("arguments", [["check", "--app", "a", "--version", "1"], ["bundle", "--app", "a", "--version", "1"], ["export"], ["token", "list"]])
def test_a_database_that_is_not_there_is_named_in_full_with_the_way_out(tmp_path, arguments):
    run = longpress(*arguments, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (1, "") and list(tmp_path.iterdir()) == []
    assert f"There is no database at longpress.sqlite ({tmp_path}/longpress.sqlite)" in run.stderr and "--database" in run.stderr


@pytest.mark.parametrize("database", ["sqlite:a.sqlite", "SQLITE:a.sqlite", "./post:gres", "0:0"])
def test_a_path_may_be_written_with_its_scheme_or_hold_a_colon(tmp_path, database):
    assert longpress("migrate", "--database", database, cwd=tmp_path).returncode == 0
    assert len(list(tmp_path.iterdir())) == 1


def test_a_database_named_for_the_demonstration_is_refused_and_one_of_the_environment_left_alone(store):
    run = longpress("demo", "--listen", "127.0.0.1:0", "--database", "longpress.sqlite", cwd=store)
    assert run.returncode == 2 and "Remove the option" in run.stderr
    (store / "config.json").write_text('{"database": "longpress.sqlite"}')
    assert longpress("demo", "--config", "config.json", cwd=store).returncode == 2
    run = longpress("demo", "--listen", "192.0.2.1:0", cwd=store, environment={"LONGPRESS_DATABASE": "longpress.sqlite"})
    assert run.returncode == 1 and "LONGPRESS_DATABASE is ignored" in run.stderr


def test_a_service_does_not_run_on_the_store_of_a_demonstration(tmp_path):
    """In a shell with its variables, neither while the demo runs nor afterwards."""
    session = tmp_path / "demo.env"
    demo = subprocess.Popen([BINARY, "demo", "--listen", "127.0.0.1:0", "--session", session], stdout=subprocess.PIPE, text=True)
    try:
        next(line for line in demo.stdout if "curl" in line)
        database = re.search("LONGPRESS_DATABASE='(.*)'", session.read_text())[1]
        environment = {"LONGPRESS_DATABASE": database}
        serve = ("serve", "--listen", "127.0.0.1:0")
        run = longpress(*serve, environment=environment)
        assert run.returncode == 2 and database in run.stderr and "unset LONGPRESS_DATABASE" in run.stderr
        assert longpress(*serve, "--database", f"sqlite:{database}").returncode == 2
        assert longpress("export", environment=environment).returncode == 0, "the tour exports it"
    finally:
        demo.terminate()
        demo.communicate(timeout=120)
    assert longpress(*serve, environment=environment).returncode == 2 and not pathlib.Path(database).exists()


def test_a_service_says_which_database_it_uses(tmp_path):
    service = Longpress(tmp_path)
    service.stop()
    name = "postgres" if ON_POSTGRES else str(service.database)
    line = next(line for line in service.log if "the database" in line)
    assert name in line and "listening" not in line


def test_a_variable_that_is_no_setting_is_told_with_the_nearest_name(store):
    of_kubernetes = {
        "LONGPRESS_SERVICE_HOST": "10.0.0.1", "LONGPRESS_SERVICE_PORT_HTTP": "80", "LONGPRESS_PORT": "tcp://10.0.0.1:80",
        "LONGPRESS_PORT_80_TCP": "tcp://10.0.0.1:80", "LONGPRESS_PORT_80_TCP_ADDR": "10.0.0.1"}
    run = longpress("token", "list", cwd=store, environment={"LONGPRESS_DATABSE": "x", "LONGPRESS_PORTS": "1", **of_kubernetes})
    assert run.returncode == 0 and run.stderr == (
        "longpress: LONGPRESS_DATABSE is not a setting and was ignored. Did you mean LONGPRESS_DATABASE?\n"
        "longpress: LONGPRESS_PORTS is not a setting and was ignored.\n")


def test_a_key_of_the_configuration_file_that_is_no_setting_is_refused_with_the_nearest_name(tmp_path):
    (tmp_path / "config.json").write_text('{"cache-maxage": "1s", "colour": "red"}')
    run = longpress("serve", "--config", "config.json", cwd=tmp_path)
    assert run.returncode == 2 and list(tmp_path.iterdir()) == [tmp_path / "config.json"]
    assert '"cache-maxage" is not a setting. Did you mean "cache-max-age"?' in run.stderr and '"colour" is not a setting.' in run.stderr


def test_doctor_says_what_is_wrong_and_what_to_do(store):
    def doctor(*arguments, **more):
        run = longpress("doctor", "--json", *arguments, cwd=store, **more)
        return run.returncode, json.loads(run.stdout)

    def found(report, check):
        return {(entry["state"], entry["found"]) for entry in report["checks"] if entry["check"] == check}

    status, report = doctor()
    assert status == 0 and report["healthy"] and {entry["state"] for entry in report["checks"]} <= {"ok", "warning"}
    assert {"configuration", "database", "clock", "machine", "proxies"} <= {entry["check"] for entry in report["checks"]}
    secret = {"LONGPRESS_ADMIN_TOKEN": "a-token-that-nobody-may-read-0123456789", "LONGPRESS_PUBLIC_URL": "https://u:nobody-may-read@h", "LONGPRESS_WHAT": "1"}
    status, report = doctor("--trusted-proxies", "0.0.0.0/0", environment=secret)
    assert status == 1 and "nobody-may-read" not in json.dumps(report) and report["settings"]["admin-token"] == "***"
    assert any(state == "error" for state, _ in found(report, "proxies"))
    assert any("LONGPRESS_WHAT" in text for _, text in found(report, "configuration"))
    status, report = doctor(environment={"LONGPRESS_PUBLIC_URL": "https://menus.example.com"})
    assert status == 0 and {state for state, _ in found(report, "proxies")} == {"warning"}
    status, report = doctor("--workers", "0", "--log-level", "loud")
    assert status == 1 and len([entry for entry in report["checks"] if entry["state"] == "error"]) == 2
    status, report = doctor("--database", "nowhere.sqlite")
    assert status == 0 and {state for state, _ in found(report, "database")} == {"warning"}
    (store / "broken.sqlite").write_text("this is not a database")
    status, report = doctor("--database", "broken.sqlite")
    assert status == 1 and {state for state, _ in found(report, "database")} == {"error"}
    text = longpress("doctor", cwd=store)
    assert text.returncode == 0 and all(re.match(r"(ok|warning): [a-z]+: ", line) for line in text.stdout.splitlines())
    assert sorted(path.name for path in store.iterdir()) == ["broken.sqlite", "longpress.sqlite"]
