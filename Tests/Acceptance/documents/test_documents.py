"""The blocks of README and the other pages work unchanged: every block is run, compiled or parsed, or is listed with the reason why not."""

import json
import re
import subprocess

import pytest
import yaml

from documents import Shell, blocks, commands, pages
from longpress import BINARY, ROOT, eventually
from postgres import SUPERUSER, Postgres
from tools import free_ports

pytestmark = pytest.mark.any_engine

# Shell blocks that are not run, by their first line.
NOT_RUN = {
    "make run     # installs libraries, builds, serves a sample app on 127.0.0.1:8080 and prints commands to try": "it serves until it is stopped: the demonstration that the other blocks are pasted beside is what it starts",
    "longpress serve --database 'postgres://longpress@db.internal/longpress?sslmode=verify-full'": "the server is the reader's; test_cluster_tls.py has one with TLS, docs/cluster.md one to serve from",
    "docker build -t longpress -f deploy/Dockerfile .": "an image; the demo that it runs is the one that the other blocks are pasted beside",
    "make deb                                          # prints the path of the package": "scripts/test-deb installs the package in a chroot",
    "make dist                                         # prints the path of the tarball": "scripts/test-dist builds it twice",
    "sudo apt install ca-certificates libcurl4 libpq5 libsqlite3-0 libssl3 libstdc++6 zlib1g": "the tests are no reason to install packages",
    "sudo runuser -u longpress -- longpress token list --database /var/lib/longpress/longpress.sqlite": "scripts/test-deb runs commands as that user",
    "make run      # the service with a sample app": "the makefile's own targets, which continuous integration runs",
}
# Blocks without a language are drawings and formats; each is listed here by its first line.
DRAWINGS = {
    "   editor ── PUT set, Info.plist ──▶ ┌───────────┐ ── signed webhook ──▶ your consumer",
    "POST /longpress HTTP/1.1",
    "retry: 3000",
    "event: ended",
    "state",
    "menus/",
    "app com.example.mail                                    (default language, name, fallbackURL)",
}
# The test for each language: shell blocks and their output here, json and yaml below, the rest in the named files.
TRIED = {"sh", "text", "json", "yaml"}
TRIED_ELSEWHERE = {
    "docs/ci.md": {"bash", "ruby"},  # test_documents_ci.py
    "README.md": {"swift"},  # test_uikit.py
    "docs/client.md": {"swift"},  # test_uikit.py
    "docs/ios.md": {"swift"},  # test_uikit.py
    "docs/ios-without-package.md": {"swift"},  # test_documents_ios.py
    "docs/rollouts.md": {"python", "js", "kotlin", "go"},  # test_documents_rollouts.py
    "docs/stream.md": {"python", "js"},  # test_documents_stream.py
    "docs/webhooks.md": {"python", "js", "go", "swift"},  # test_documents_webhooks.py
}


def first_line(block):
    return block.text.partition("\n")[0]


def is_run(block):
    return first_line(block) not in NOT_RUN


class Demonstration:
    """`longpress demo` as `make run` starts it, on a port that the system chooses."""

    def __init__(self, folder):
        self.session = folder / "demo.env"
        self.process = subprocess.Popen(
            [BINARY, "demo", "--listen", "127.0.0.1:0", "--session", self.session], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.shell = Shell(folder)
        eventually(self.session.exists)
        eventually(lambda: "PATH" in self.session.read_text())

    def paste(self, block):
        # The only difference from the pasted text: the path of the session's file.
        block.text = block.text.replace(". .build/demo.env", f". '{self.session}'")
        return self.shell.paste(block)

    def stop(self):
        self.shell.close()
        self.process.terminate()
        assert self.process.wait(timeout=120) == 0
        self.process.stdout.close()
        assert not self.session.exists()


@pytest.fixture
def demonstration(tmp_path):
    demonstration = Demonstration(tmp_path)
    yield demonstration
    demonstration.stop()


def paste(demonstration, page):
    """Pastes the page's shell blocks in order. A `text` block is the output of the block before it."""
    printed = ""
    for block in blocks(page, "sh", "text"):
        if block.language == "text":
            assert block.text in printed, f"{block} is not what the block before it prints:\n{printed}"
        elif is_run(block):
            printed = demonstration.paste(block)


@pytest.mark.parametrize("page", pages())
def test_every_block_is_run_or_has_its_reason(page):
    for block in blocks(page):
        tried = block.language in TRIED | TRIED_ELSEWHERE.get(page, set()) or not block.language and first_line(block) in DRAWINGS
        assert tried, f"{block}: nothing tries this {block.language or 'nameless'} block"


def test_nothing_stays_in_the_lists_that_is_in_no_page():
    assert {*NOT_RUN, *DRAWINGS} <= {first_line(block) for page in pages() for block in blocks(page)}


def test_the_tour_of_the_readme_works_line_by_line(demonstration):
    paste(demonstration, "README.md")
    for sample in ("application/manifest+json", "android+json", "static.plist", "static.strings"):
        [command] = [command for block in blocks("README.md", "sh") for command, _ in commands(block.text) if sample in command]
        printed = demonstration.shell.run(command)[0]
        assert '"Help"' in printed.partition('"omitted"')[0] or "SEARCH_TITLE" in printed, f"{command} shows nothing: {printed}"


# Its lines need a server and run nodes beside the shell.
CLUSTER = "docs/cluster.md"


@pytest.mark.parametrize("page", [page for page in pages() if page not in ("README.md", CLUSTER) and any(map(is_run, blocks(page, "sh")))])
def test_the_lines_of_a_page_work_after_the_tour(demonstration, page):
    paste(demonstration, "README.md")
    paste(demonstration, page)


def test_the_lines_about_many_nodes_work_after_the_tour(demonstration):
    server = Postgres()
    shell = demonstration.shell
    try:
        nodes = " ".join(f"N{number}=127.0.0.1:{port}" for number, port in enumerate(free_ports(3), 1))
        shell.run(f"export {nodes} PGHOST=127.0.0.1 PGPORT={server.port} PGUSER={SUPERUSER} PATH={server.programs}:$PATH")
        paste(demonstration, "README.md")
        paste(demonstration, CLUSTER)
    finally:
        shell.run("kill $(jobs -p); wait")
        server.stop()


@pytest.mark.parametrize("page", [page for page in pages() if blocks(page, "json", "yaml")])
def test_documents_in_pages_can_be_read(page):
    for block in blocks(page, "json", "yaml"):
        (json.loads if block.language == "json" else yaml.safe_load)(block.text)


# The places with a version, each with a regular expression that finds it. The changelog has all versions.
VERSIONS = {
    r"^  version: (\S+)$": ["openapi.yaml"],
    r"\bversion: (\S+?),?\s+(?:startedAt|engine):": ["openapi.yaml"],
    r"\blongpress:(\d[\w.]*)": ["deploy/*.yaml", "deploy/*.md", "docs/*.md", "README.md"],
    r"longpress(?:\.git)?\", from: \"([^\"]+)\"": ["docs/*.md", "README.md", "Sources/*/*.docc/*.md"],
    r"\bLongpress/(\d+\.\d+\.\d+)": ["docs/*.md", "README.md", "openapi.yaml", "Benchmarks/*.py"],
}


def test_every_place_names_the_version_of_the_program():
    program = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    for expression, places in VERSIONS.items():
        texts = {path: path.read_text() for place in places for path in ROOT.glob(place)}
        found = {(str(path.relative_to(ROOT)), version) for path, text in texts.items() for version in re.findall(expression, text, re.M)}
        assert found and {version for _, version in found} == {program}, found


def promises():
    """The rows of the table of threats in SECURITY.md: the threat, and the tests that are named for it."""
    table = (ROOT / "SECURITY.md").read_text().partition("| threat |")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        threat, *_, tried_by = row.strip("| ").split(" | ")
        yield threat, re.findall(r"`([^`]+)`", tried_by)


def test_each_threat_of_the_security_page_names_tests_that_exist():
    files = [path for path in (ROOT / "Tests").rglob("*") if path.suffix in {".py", ".swift"}]
    names = {path.name for path in files} | {path.stem for path in files} | {path.name for path in (ROOT / "Fuzz/corpus").iterdir()}
    sources = "\n".join(path.read_text() for path in files)
    measured = (ROOT / "Makefile").read_text()

    def exists(name):
        if name.startswith("make "):
            target = name.removeprefix("make ")
            return re.search(rf"^{target}:|^MEASUREMENTS := .*\b{target.removeprefix('bench-')}\b", measured, re.M)
        return name in names or re.search(rf"(def |func `|(struct|class|actor) ){re.escape(name.rstrip('…'))}", sources)

    missing = [(threat, name) for threat, tests in promises() for name in tests or ["nothing"] if not exists(name)]
    assert not missing
