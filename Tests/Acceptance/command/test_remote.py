"""The command against a running service: what it requires, what it never does, and its errors for servers that are not Longpress."""

import json
import plistlib
import subprocess

import pytest

from longpress import BINARY, OWNER, info_plist, item
from remote import Impostor, answers, authority, remote


@pytest.fixture
def impostor():
    """Starts servers for one test."""
    started = []

    def start(answer, **more):
        started.append(Impostor(answer, **more))
        return started[-1]
    yield start
    for one in started:
        one.stop()


def test_the_gate_needs_no_database(server, mail, tmp_path):
    def check(*arguments):
        return remote(server, "check", "--app", mail, *arguments, cwd=tmp_path)

    assert check("--version", "2.0") == (0, f"{mail} 2.0.0: no violations, no warnings\n", "")
    document = tmp_path / "set.json"
    document.write_text(json.dumps({"items": [item("new-message"), item("more", icon={"file": "Pen"})]}))
    (tmp_path / "names.txt").write_text("Paper\n")
    ask = ("--version", "3.0", "--set", document, "--assets", tmp_path / "names.txt")
    status, out, _ = check(*ask)
    assert status == 0 and "[asset-missing]" in out and out.endswith("no violations, 1 warning\n")
    assert check(*ask, "--strict")[0] == 2
    document.write_text(json.dumps({"items": [item("compose")]}))
    status, out, _ = check("--version", "3.0", "--set", document, "--format", "json")
    assert status == 2 and [found["code"] for found in json.loads(out)["violations"]] == ["id-reused"]
    document.write_text("{")
    status, out, _ = check("--version", "3.0", "--set", document, "--format", "github")
    assert status == 2 and out.startswith(f"::error file={document},title=malformed-json::")
    for format in (plistlib.FMT_XML, plistlib.FMT_BINARY):
        (tmp_path / "Info.plist").write_bytes(plistlib.dumps(info_plist(mail, "2.0"), fmt=format))
        assert check("--plist", "Info.plist") == (0, f"{mail} 2.0.0+9: no violations, no warnings\n", "")
    status, out, _ = check("--plist", "Info.plist", "--version", "3.1", "--set", document.rename(tmp_path / "other.json"))
    assert status == 2 and "malformed-json" in out
    (tmp_path / "other.json").write_text(json.dumps({"items": [item("a b")]}))
    status, out, _ = check("--plist", "Info.plist", "--version", "3.1", "--set", "other.json", "--format", "github")
    assert status == 2 and [line.split(",")[0] for line in out.splitlines()] == ["::error file=Info.plist", "::error file=other.json"]


def test_a_service_says_what_a_database_says(server, mail):
    for arguments in [("bundle", "--app", mail, "--version", "2.0", "--build", "7"), ("export", "--app", mail),
                      ("check", "--app", mail, "--version", "2.0", "--format", "json")]:
        local = subprocess.run([BINARY, *arguments, "--database", server.database], capture_output=True, text=True)
        assert local.returncode == 0 and remote(server, *arguments) == (0, local.stdout, "")
        # A database on the command line wins over the environment.
        assert remote("http://127.0.0.1:1", *arguments, "--database", server.database) == (0, local.stdout, "")
    assert remote(server, "bundle", "--app", mail, "--version", "2.0", token=None)[0] == 0, "no token is needed"
    status, out, _ = remote(server, "simulate", "--app", mail, "--from", "1.0", "--to", "2.0")
    assert status == 0 and out.encode() == server.admin("GET", f"/apps/{mail}/simulate?from=1.0&to=2.0", Accept="text/plain").body
    status, out, _ = remote(server, "simulate", "--app", mail, "--from", "1.0", "--to", "2.0", "--lang", "ko", "--format", "json")
    assert status == 0 and json.loads(out) == server.admin("GET", f"/apps/{mail}/simulate?from=1.0&to=2.0&lang=ko").json


def test_an_export_goes_from_one_service_to_another(server, mail, own, tmp_path):
    everything = tmp_path / "everything.json"
    assert remote(server, "export", "--output", everything)[0] == 0
    document = json.loads(everything.read_text())
    apps = document["apps"]
    for app in apps:
        app["schedule"] = []  # the other service would publish what is due
    everything.write_text(json.dumps(document))
    status, out, err = remote(own, "import", everything, "--dry-run")
    assert status == 0 and len(out.splitlines()) == len(apps) and err == "Nothing was written.\n"
    assert remote(own, "import", everything)[0] == 0
    assert json.loads(remote(own, "export")[1]) == document
    status, out, err = remote(own, "import", everything)
    assert (status, out) == (1, "") and "--replace" in err
    status, out, _ = remote(own, "import", everything, "--replace", "--dry-run")
    assert status == 0 and "replaced: 0 sets published" in out
    everything.write_text("{")
    status, _, err = remote(own, "import", everything)
    assert status == 1 and f"{everything} is not JSON" in err


def test_what_is_missing_to_ask_a_service_is_said(server, mail, tmp_path):
    ask = ("check", "--app", mail, "--version", "2.0")
    (tmp_path / "token").write_text(OWNER + "\n")
    assert remote(server, *ask, "--token-file", tmp_path / "token", token="another")[0] == 0
    (tmp_path / "empty").write_text("\n")
    wrong = {
        (): ("LONGPRESS_TOKEN", None), ("--token-file", tmp_path / "empty"): ("is empty", None),
        ("--token-file", tmp_path / "nowhere"): ("No such file", None), ("--ca", tmp_path / "token"): ("no certificate", OWNER),
    }
    for flags, (word, token) in wrong.items():
        status, out, err = remote(server, *ask, *flags, token=token)
        assert (status, out) == (1, "") and word in err, err
    assert remote(server, *ask, token="no such token")[0] == 1 and remote(server, *ask, token="no-such-token")[0] == 1
    for address in ["ftp://menus.example.com", "menus.example.com", "http://", "http://user:hush@menus.example.com", "http://a/?b", "http://a b"]:
        status, out, err = remote(address, *ask)
        assert (status, out) == (1, "") and "for example" in err or "--token-file" in err, err
        assert "hush" not in err
    status, _, err = remote(None, "simulate", "--app", mail, "--from", "1", "--to", "2")
    assert status == 1 and "--server" in err
    assert remote(server, *ask, "--server", "http://127.0.0.1:1", "--database", "x")[0] == 64


def test_what_is_not_longpress_is_said(mail, server, impostor):
    problem = json.dumps({"type": "/problems/forbidden", "status": 403, "detail": "It is not yours. Ask its owner."})
    said = {
        answers(200, "text/html", "<h1>Welcome"): "is not Longpress",
        answers(200, "application/json", "[]"): "is not Longpress",
        answers(200, "application/json", "{"): "is not Longpress",
        answers(404, "application/json", "{}"): "answered 404",
        answers(502, "text/html", "Bad Gateway"): "answered 502",
        answers(403, "application/problem+json", problem): "It is not yours. Ask its owner.",
        answers(401, "text/html", "", **{"WWW-Authenticate": 'Basic realm="a"'}): "answered 401",
    }
    for answer, word in said.items():
        for ask in [("check", "--app", mail, "--version", "2.0"), ("bundle", "--app", mail, "--version", "2.0"), ("export",)]:
            status, out, err = remote(impostor(answer).origin, *ask)
            assert (status, out) == (1, "") and word in err and "Traceback" not in err, (word, ask, err)
    status, _, err = remote("http://127.0.0.1:1", "export")
    assert status == 1 and err == "longpress: http://127.0.0.1:1 cannot be reached: nothing listens at this address.\n"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_never_gets_the_token(server, mail, impostor, status):
    target = impostor(answers(200, "application/json", '{"apps": []}'))
    front = impostor(answers(status, "text/html", "", Location=target.origin + "/admin/v1/export"))
    for ask in [("export",), ("check", "--app", mail, "--version", "2.0"), ("bundle", "--app", mail, "--version", "2.0")]:
        ended, out, err = remote(front.origin, *ask)
        assert (ended, out) == (1, "") and target.origin in err, err
    assert target.requests == [] and len(front.requests) == 3
    assert ["Authorization" in fields for _, _, fields in front.requests] == [True, True, False], "the client plane is given no token"


def test_an_endless_answer_is_not_read_to_its_end(impostor):
    read = []

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        try:
            while len(read) < 1000:
                handler.wfile.write(b" " * (1 << 20))
                read.append(1)
        finally:
            read.append("end")
    status, _, err = remote(impostor(answer).origin, "export")
    assert status == 1 and "64 MiB" in err and len(read) < 300


def test_tls_is_verified_and_an_authority_can_be_added(server, mail, impostor, tmp_path):
    ca, pair = authority(tmp_path / "tls")
    problem = json.dumps({"type": "/problems/unauthenticated", "status": 401, "detail": "It has been heard."})
    secure = impostor(answers(401, "application/problem+json", problem), certificate=pair)
    ask = ("export", "--server", secure.origin)
    status, _, err = remote(None, *ask)
    assert status == 1 and "not trusted. Pass its authority with --ca FILE." in err and secure.requests == []
    status, _, err = remote(None, *ask, "--ca", ca)
    assert status == 1 and err == "longpress: It has been heard.\n" and len(secure.requests) == 1
    other, _ = authority(tmp_path / "other")
    status, _, err = remote(None, *ask, "--ca", other)
    assert status == 1 and "not trusted" in err and len(secure.requests) == 1
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n")
    status, _, err = remote(None, *ask, "--ca", broken)
    assert status == 1 and f"{broken} has a certificate that cannot be read" in err and len(secure.requests) == 1
    # The certificate is only for localhost.
    status, _, err = remote(None, "export", "--server", secure.origin.replace("localhost", "127.0.0.1"), "--ca", ca)
    assert status == 1 and "not trusted" in err and len(secure.requests) == 1


def test_a_pipe_gets_no_progress_line(server, mail):
    status, out, err = remote(server, "export")
    assert status == 0 and err == "" and "\x1b" not in out
    # `script` provides a terminal.
    done = subprocess.run(["script", "-qec", f"{BINARY} export --output /dev/null", "/dev/null"], capture_output=True, text=True,
                          env={"LONGPRESS_SERVER": f"http://{server.address[0]}:{server.address[1]}", "LONGPRESS_TOKEN": OWNER, "TERM": "xterm"})
    assert done.returncode == 0 and "Reading http://" in done.stdout and "\x1b[K" in done.stdout


def test_watching_outlasts_a_proxy_that_has_nothing_behind_it(impostor, tmp_path):
    state = 'retry: 100\n\n: hello\nid: x.1\nevent: state\ndata: {"apps":{}}\n\n'
    changed = 'id: x.2\nevent: changed\ndata: {"revision":2}\n\n'
    said = [answers(200, "text/event-stream", state), answers(502, "text/html", "Bad Gateway"),
            answers(503, "application/problem+json", json.dumps({"type": "/problems/overloaded", "detail": "Later."})),
            answers(200, "text/event-stream", changed), answers(403, "text/html", "")]
    front = impostor(lambda handler: said[len(front.requests) - 1](handler))
    status, out, err = remote(front.origin, "watch", "--app", "a", "--app", "b")
    assert status == 1 and "answered 403" in err
    assert [json.loads(line) for line in out.splitlines()] == [
        {"event": "state", "id": "x.1", "data": {"apps": {}}}, {"event": "changed", "id": "x.2", "data": {"revision": 2}}]
    assert [fields.get("Last-Event-ID") for _, _, fields in front.requests] == [None, "x.1", "x.1", "x.1", "x.2"]
    assert all(path == "/v1/stream?app=a&app=b" and "Authorization" not in fields for _, path, fields in front.requests)
    # An error at the first connection does not count as a restart of the service.
    assert remote(impostor(answers(502, "text/html", "")).origin, "watch", "--app", "a")[0] == 1
