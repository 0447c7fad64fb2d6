"""The recipes of docs/ci.md, run with stand-ins for programs that only the CI hosts have: gh, xcrun, the compiler's build."""

import json
import os
import plistlib
import re
import shlex
import subprocess

import pytest
import yaml

from documents import blocks
from longpress import BINARY, OWNER, info_plist, item
from test_remote_trees import catalog, everything, token

PAGE = "docs/ci.md"
APP = "com.example.mail"

# The parts of GitHub's command that the workflow uses: a folder stands for GitHub.
GH = """#!/bin/sh
set -eu
case "$1 $2" in
"pr comment") [ "$3 $4 $5 $6" = "7 --edit-last --create-if-none --body-file" ]; cp "$7" "$GITHUB/comment.md" ;;
"pr list") case "$*" in *"--state merged --search $GITHUB_SHA"*) echo 4e3f ;; *) exit 1 ;; esac ;;
"run list") case "$*" in *"--workflow menus.yml --event pull_request --commit 4e3f"*) echo 42 ;; *) exit 1 ;; esac ;;
"run download") [ "$3 $4 $5" = "42 --name plan" ]; cp "$GITHUB/plan.json" . ;;
*) exit 1 ;;
esac
"""
SWIFT = """#!/bin/sh
[ "$*" = "build --package-path $PACKAGE -c release --product longpress" ]
"""
XCRUN = """#!/bin/sh
[ "$1 $2" = "assetutil --info" ] && [ -f "$3" ] && echo '[{"Name": "Pen", "AssetType": "Image"}]'
"""


@pytest.fixture
def host(own, tmp_path):
    """A machine with the stand-ins first on its PATH, and a service with an app."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, text in {"gh": GH, "swift": SWIFT, "xcrun": XCRUN}.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    (tools / "longpress").symlink_to(BINARY)
    own.admin("PUT", f"/apps/{APP}", {"defaultLanguage": "en"})
    own.admin("PUT", f"/apps/{APP}/sets/2.0", {"items": [item("compose", {"en": "Compose", "ko": "쓰기"}, icon={"file": "Pen"})]})
    (tmp_path / "github").mkdir()
    environment = {
        **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "LONGPRESS_SERVER": f"http://{own.address[0]}:{own.address[1]}",
        "LONGPRESS_TOKEN": OWNER, "GITHUB": str(tmp_path / "github"), "GITHUB_SHA": "9a8b", "GITHUB_PATH": str(tmp_path / "github/path"),
        "PULL_REQUEST": "7", "PACKAGE": ".longpress",
    }

    def run(*command, folder, **more):
        return subprocess.run(command, cwd=folder, env={**environment, **more}, capture_output=True, text=True, timeout=120)
    return run


def test_the_workflow_plans_on_a_pull_request_and_applies_on_main(own, host, tmp_path):
    [workflow] = [yaml.safe_load(block.text) for block in blocks(PAGE, "yaml")]
    repository, github = tmp_path / "repository", tmp_path / "github"
    repository.mkdir()
    tokens = {"LONGPRESS_READER": token(own, "reader", APP), "LONGPRESS_PUBLISHER": token(own, "publisher", APP)}

    def job(name):
        """The status of the first failing step, or 0, as the runner does it."""
        described = workflow["jobs"][name]
        secret = re.fullmatch(r"\$\{\{ secrets\.(\w+) \}\}", described["env"]["LONGPRESS_TOKEN"])[1]
        for step in described["steps"]:
            if "run" in step:
                done = host("bash", "-e", "-c", step["run"], folder=repository, LONGPRESS_TOKEN=tokens[secret])
                if done.returncode:
                    return done.returncode, done.stderr
            elif step["uses"].startswith("actions/upload-artifact"):
                (github / "plan.json").write_bytes((repository / step["with"]["path"]).read_bytes())
        return 0, ""

    strings = repository / "App/Localizable.xcstrings"
    strings.parent.mkdir()
    strings.write_text(catalog(compose={"en": "Compose", "ko": "쓰기"}))
    assert host("longpress", "pull", "menus", "--strings", strings, folder=repository).returncode == 0
    assert job("plan") == (0, "") and "Nothing changes." in (github / "comment.md").read_text()

    path = repository / f"menus/{APP}/sets/2.0.0.json"
    document = json.loads(path.read_text())
    document["items"][0]["title"] = {"key": "compose"}
    path.write_text(json.dumps(document))
    strings.write_text(catalog(compose={"en": "Compose", "ko": "작성"}))
    assert job("plan") == (0, "")
    comment = (github / "comment.md").read_text()
    assert comment.startswith("### Menus\n```diff\n") and '~     compose.title.ko: "쓰기" → "작성"' in comment and comment.endswith("```\n")

    # Somebody publishes in between: nothing is written, and the next plan shows both.
    own.admin("PATCH", f"/apps/{APP}/sets/2.0/items/compose", {"title": {"en": "Write"}})
    before = everything(own)
    status, err = job("apply")
    assert status == 1 and "revision 2" in err and everything(own) == before
    assert job("plan") == (0, "") and '"Write" → "Compose"' in (github / "comment.md").read_text()
    assert job("apply") == (0, "")
    assert own.shortcuts(APP, "2.0", "?lang=ko").json["items"][0]["localizedTitle"] == "작성"

    # The comment contains the errors of the tree, and the job fails.
    path.write_text("{")
    status, _ = job("plan")
    assert status == 1 and "2.0.0.json is not JSON" in (github / "comment.md").read_text()


@pytest.fixture
def archive(tmp_path):
    app = tmp_path / "Mail.xcarchive/Products/Applications/Mail.app"
    app.mkdir(parents=True)
    (app / "Assets.car").write_bytes(b"BOMStore")
    (app / "Info.plist").write_bytes(plistlib.dumps(info_plist(APP, "2.0"), fmt=plistlib.FMT_BINARY))
    return app


def test_the_lane_judges_the_archive(host, archive, own, tmp_path):
    [lane] = blocks(PAGE, "ruby")
    # Ruby and fastlane are not available: the arguments of each sh(), with the variables replaced.
    calls = [shlex.split(words.replace("#{app}", str(archive)).replace(",", " ")) for words in re.findall(r"^  sh\((.*)\)$", lane.text, re.M)]
    assert [len(words) for words in calls] == [1, 9]

    def run():
        for words in calls:
            # A single text is for a shell; several words are a program and its arguments.
            done = host(*(["sh", "-c", *words] if len(words) == 1 else words), folder=tmp_path)
            if done.returncode:
                break
        return done.returncode, done.stdout
    assert run() == (0, f"{APP} 2.0.0+9: no violations, no warnings\n")
    own.admin("PATCH", f"/apps/{APP}/sets/2.0/items/compose", {"icon": {"file": "Pencil"}})
    status, out = run()
    assert status == 2 and "[asset-missing" in out


def test_the_scripts_of_xcode_cloud_judge_the_archive(host, archive, own, tmp_path):
    clone, check = blocks(PAGE, "bash")
    repository, source = tmp_path / "repository", tmp_path / "source"
    repository.mkdir()
    subprocess.run(["git", "init", "-q", source], check=True)
    subprocess.run(["git", "-C", source, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "a"], check=True)
    cloud = {"CI_PRIMARY_REPOSITORY_PATH": str(repository), "CI_ARCHIVE_PATH": str(archive.parents[2]), "CI_BUNDLE_ID": APP,
             "CI_XCODEBUILD_ACTION": "archive", "LONGPRESS_REPOSITORY": f"file://{source}", "PACKAGE": f"{repository}/.longpress"}
    done = host("sh", "-c", clone.text, folder=tmp_path, **cloud)
    assert done.returncode == 0 and (repository / ".longpress/.git").exists(), done.stderr
    done = host("sh", "-c", check.text, folder=tmp_path, **cloud)
    assert (done.returncode, done.stdout) == (0, f"{APP} 2.0.0+9: no violations, no warnings\n"), done.stderr
    own.admin("PATCH", f"/apps/{APP}/sets/2.0/items/compose", {"icon": {"file": "Pencil"}})
    assert host("sh", "-c", check.text, folder=tmp_path, **cloud).returncode == 2
    done = host("sh", "-c", check.text, folder=tmp_path, **{**cloud, "CI_XCODEBUILD_ACTION": "build-for-testing"})
    assert (done.returncode, done.stdout) == (0, "")
