"""The part of the command that builds without Linux: compiled here without the rest, run against a service."""

import json
import re
import shutil
import subprocess

import pytest

from longpress import BINARY, ROOT, eventually, item
from remote import Impostor, answers, authority, remote

# The modules of the argument parser, which the program's build has compiled.
LIBRARIES = ["ArgumentParser", "ArgumentParserToolInfo"]
TARGETS = ["QuickActions", "Platform", "Remote"]
# Package.swift leaves these out where there is no Linux.
LINUX = [ROOT / "Sources/Platform/Threads", ROOT / "Sources/Remote/Connection/CurlTransport.swift"]


@pytest.fixture(scope="module")
def portable(tmp_path_factory):
    """`longpress` from its portable sources alone: the compiler cannot find other modules of the package."""
    folder, built = tmp_path_factory.mktemp("portable"), BINARY.parent
    if not all((built / "Modules" / f"{name}.swiftmodule").exists() for name in LIBRARIES):
        pytest.skip("the program under test was not built here")
    for name in LIBRARIES:
        shutil.copy(built / "Modules" / f"{name}.swiftmodule", folder)
    flags = ["-swift-version", "6", "-warnings-as-errors", "-package-name", "portable", "-parse-as-library", "-wmo", "-Onone", "-I", folder]

    def compile(*arguments):
        done = subprocess.run(["swiftc", *flags, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-6000:]

    for name in TARGETS:
        compile("-module-name", name, "-emit-module", "-emit-module-path", folder / f"{name}.swiftmodule", "-c", "-o", folder / f"{name}.o",
                *(path for path in (ROOT / "Sources" / name).rglob("*.swift") if not any(path.is_relative_to(part) for part in LINUX)))
    command = ROOT / "Sources/longpress"
    sources = [path for path in command.rglob("*.swift") if not path.is_relative_to(command / "Server")]
    objects = [path for name in LIBRARIES for path in (built / f"{name}.build").glob("*.o")]
    compile("-module-name", "longpress", "-o", folder / "longpress", *sources, *(folder / f"{name}.o" for name in TARGETS), *objects)
    return folder / "longpress"


def test_it_needs_swift_and_foundation_and_nothing_else(portable):
    needed = set(re.findall(r"NEEDED.*\[(.*?)\]", subprocess.run(["readelf", "-d", portable], capture_output=True, text=True).stdout))
    assert "libFoundation.so" in needed
    assert all(re.match(r"lib(swift|Foundation|_Foundation|dispatch|BlocksRuntime|m\.|c\.|gcc)", name) for name in needed), needed


def test_it_works_against_a_service(portable, server, mail, tmp_path):
    for arguments in [("check", "--app", mail, "--version", "2.0"), ("bundle", "--app", mail, "--version", "2.0"),
                      ("export", "--app", mail), ("check", "--app", mail, "--version", "0.1"), ("simulate", "--app", mail, "--from", "1.0", "--to", "2.0"),
                      ("check", "--app", "com.example.nowhere", "--version", "1.0"), ("bundle", "--app", mail, "--version", "0.1")]:
        assert remote(server, *arguments, program=portable) == remote(server, *arguments), arguments
    document = tmp_path / "draft.json"
    document.write_text(json.dumps({"items": [item("new-message")]}))
    name = f"{mail}/2.0"
    for arguments in [("draft", "save", name, document), ("diff", name), ("diff", name, "--json"), ("draft", "show", name), ("history", mail), ("app", "list"),
                      ("schedule", "list", "--app", mail), ("preview", "--app", mail, "--version", "2.0", "--draft"), ("token", "list", "--json"),
                      ("release", "list", "--app", mail), ("webhook", "list"), ("draft", "show", f"{mail}/9.0"), ("publish", "x", "--at", "y"), ("pubish",)]:
        ours, theirs = remote(server, *arguments, program=portable), remote(server, *arguments)
        assert ours == theirs, arguments
    assert remote(server, "publish", name, program=portable)[0] == 0
    edited = remote(server, "draft", "edit", name, program=portable, editor="""sed -i s/Title/Other/""")
    assert edited[0] == 0 and edited[1].startswith(f"Saved the draft of {mail}/2.0.0.\n")
    assert remote(server, "restore", "2", "--app", mail, program=portable)[1].startswith(f"Published revision 2 of {mail} as revision ")
    status, out, err = remote(server, "restore", "1", program=portable)
    assert (status, out) == (64, "") and "Add --app" in err and "backup" not in err
    assert remote(server, "draft", "discard", name, program=portable)[0] == 0
    menus = tmp_path / "menus"
    assert remote(server, "pull", menus, "--app", mail, program=portable)[0] == 0
    (menus / mail / "sets/3.json").write_text(json.dumps({"items": [item("new-message")]}))
    assert remote(server, "plan", menus, "--out", tmp_path / "plan.json", program=portable)[0] == 2
    assert remote(server, "apply", "--plan", tmp_path / "plan.json", program=portable)[0] == 0
    assert remote(server, "plan", menus, program=portable) == (0, "Nothing changes.\n", "")
    status, out, err = remote(None, "export", program=portable, cwd=tmp_path)
    assert (status, out) == (1, "") and "--server" in err, "it has no database to read"
    assert remote(server, "serve", program=portable)[0] == 64


def test_it_verifies_tls_and_follows_no_redirect(portable, mail, tmp_path):
    target = Impostor(answers(200, "application/json", '{"apps": []}'))
    problem = json.dumps({"type": "/problems/unauthenticated", "status": 401, "detail": "It has been heard."})
    said = {
        answers(307, "text/html", "", Location=target.origin + "/"): target.origin,
        answers(401, "text/html", "", **{"WWW-Authenticate": 'Basic realm="a"'}): "answered 401",
        answers(401, "application/problem+json", problem, **{"WWW-Authenticate": "Bearer"}): "It has been heard.",
        answers(200, "application/json", " " * (65 << 20)): "64 MiB",
    }
    for answer, words in said.items():
        front = Impostor(answer)
        status, out, err = remote(front.origin, "export", program=portable)
        assert (status, out) == (1, "") and words in err, err
        front.stop()
    assert target.requests == []
    target.stop()
    _, pair = authority(tmp_path / "tls")
    secure = Impostor(answers(200, "application/json", "{}"), certificate=pair)
    status, _, err = remote(None, "export", "--server", secure.origin, program=portable)
    assert status == 1 and "certificate" in err and secure.requests == []
    secure.stop()
    status, _, err = remote("http://127.0.0.1:1", "export", program=portable)
    assert status == 1 and err == "longpress: http://127.0.0.1:1 cannot be reached: nothing listens at this address.\n"


def test_it_follows_the_stream(portable, server, mail, tmp_path):
    heard = tmp_path / "heard"
    with open(heard, "w") as output:
        watch = subprocess.Popen([portable, "watch", "--server", f"http://{server.address[0]}:{server.address[1]}", "--app", mail], stdout=output)
    try:
        eventually(lambda: '"state"' in heard.read_text())
        server.admin("PUT", f"/apps/{mail}/sets/3.0", {"items": []})
        eventually(lambda: '"changed"' in heard.read_text())
    finally:
        watch.terminate()
        watch.wait(timeout=120)
