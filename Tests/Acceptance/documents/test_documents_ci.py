"""The recipes of docs/ci.md, run with stand-ins for programs that only the CI hosts have: gh, xcrun, the compiler's build."""

import hashlib
import json
import os
import plistlib
import re
import shlex
import shutil
import subprocess

import pytest
import yaml

from documents import blocks
from longpress import BINARY, OWNER, ROOT, info_plist, item
from test_remote_trees import catalog, everything, token

PAGE = "docs/ci.md"
APP = "com.example.mail"

SCRIPTS = ROOT / "Examples/CI"

# The part of GitHub's command that the workflow uses: a folder stands for GitHub.
GH = """#!/bin/sh
set -eu
[ "$1 $2 $3 $4 $5 $6" = "pr comment 7 --edit-last --create-if-none --body-file" ]
cp "$7" "$GITHUB/comment.md"
"""
SWIFT = """#!/bin/sh
set -eu
[ "$1 $2 $4 $5 $6 $7" = "build --package-path -c release --product longpress" ] && [ -e "$3/marker" ]
mkdir -p "$3/.build/release"
cp "$BINARY" "$3/.build/release/longpress"
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
        "LONGPRESS_TOKEN": OWNER, "GITHUB": str(tmp_path / "github"), "GITHUB_PATH": str(tmp_path / "github/path"), "PULL_REQUEST": "7",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "github/summary.md"), "BINARY": str(BINARY), "MESSAGE": "Rename compose\n\nFor the spring.",
    }

    def run(*command, folder, **more):
        return subprocess.run(command, cwd=folder, env={**environment, **more}, capture_output=True, text=True, timeout=120)
    return run


@pytest.fixture
def source(tmp_path):
    """A repository of Longpress, and its commit."""
    folder = tmp_path / "source"
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "marker").write_text("")
    subprocess.run(["git", "-C", folder, "add", "."], check=True)
    subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a"], check=True)
    commit = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    return f"file://{folder}", commit


@pytest.fixture
def repository(tmp_path):
    """The team's repository, with the scripts as they are."""
    folder = tmp_path / "repository"
    shutil.copytree(SCRIPTS, folder / "ci")
    return folder


def test_the_page_shows_the_scripts():
    assert sorted(block.text for block in blocks(PAGE, "bash")) == sorted(path.read_text() for path in SCRIPTS.iterdir())
    for path in SCRIPTS.iterdir():
        subprocess.run(["sh", "-n", path], check=True)


def test_no_workflow_can_drop_a_publish():
    plan, apply = [yaml.safe_load(block.text) for block in blocks(PAGE, "yaml")]
    assert plan["concurrency"] == {"group": "menus-plan-${{ github.event.number }}", "cancel-in-progress": True}
    assert apply["concurrency"] == {"group": "menus-apply", "cancel-in-progress": False, "queue": "max"}
    assert apply["jobs"]["apply"]["needs"] == "plan" and apply["jobs"]["apply"]["environment"] == "menus"
    assert "READER" in plan["jobs"]["plan"]["env"]["LONGPRESS_TOKEN"] and "concurrency" not in apply["jobs"]["apply"]


def test_the_workflows_plan_a_pull_request_and_apply_main(own, host, tmp_path, repository, source):
    plan, apply = [yaml.safe_load(block.text) for block in blocks(PAGE, "yaml")]
    github = tmp_path / "github"
    tokens = {"LONGPRESS_READER": token(own, "reader", APP), "LONGPRESS_PUBLISHER": token(own, "publisher", APP)}

    def job(workflow, name):
        """The status of the first failing step, or 0, as the runner does it."""
        described = workflow["jobs"][name]
        secret = re.fullmatch(r"\$\{\{ secrets\.(\w+) \}\}", described["env"]["LONGPRESS_TOKEN"])[1]
        failed = None
        for step in described["steps"]:
            if failed and "cancelled" not in step.get("if", ""):
                continue
            if "run" in step:
                done = host("bash", "-e", "-c", step["run"], folder=repository, LONGPRESS_TOKEN=tokens[secret],
                            LONGPRESS_REPOSITORY=source[0], LONGPRESS_COMMIT=source[1])
                if done.returncode:
                    failed = failed or (done.returncode, done.stderr)
            elif step["uses"].startswith("actions/upload-artifact"):
                shutil.copy(repository / step["with"]["path"], github)
            elif step["uses"].startswith("actions/download-artifact"):
                shutil.copy(github / "plan.json", repository)
        return failed or (0, "")

    strings = repository / "App/Localizable.xcstrings"
    strings.parent.mkdir()
    strings.write_text(catalog(compose={"en": "Compose", "ko": "쓰기"}))
    assert host("longpress", "pull", "menus", "--strings", strings, folder=repository).returncode == 0
    assert job(plan, "plan") == (0, "") and "Nothing changes." in (github / "comment.md").read_text()
    assert (github / "path").read_text() == f"{repository}/.longpress\n"

    path = repository / f"menus/{APP}/sets/2.0.0.json"
    document = json.loads(path.read_text())
    document["items"][0]["title"] = {"key": "compose"}
    path.write_text(json.dumps(document))
    strings.write_text(catalog(compose={"en": "Compose", "ko": "작성"}))
    assert job(plan, "plan") == (0, "")
    assert "- Title `ko` of `Compose`: ~~`쓰기`~~ → `작성`\n" in (github / "comment.md").read_text()

    # Somebody publishes while the run waits for its approval: nothing is written. The next run's plan shows both.
    assert job(apply, "plan") == (0, "")
    own.admin("PATCH", f"/apps/{APP}/sets/2.0/items/compose", {"url": "mail://compose"})
    before = everything(own)
    status, err = job(apply, "apply")
    assert status == 1 and "revision 2" in err and everything(own) == before
    (github / "summary.md").unlink()
    assert job(apply, "plan") == (0, "")
    assert "Title `ko` of `Compose`" in (github / "summary.md").read_text()
    assert job(apply, "apply") == (0, "")
    assert own.shortcuts(APP, "2.0", "?lang=ko").json["items"][0]["localizedTitle"] == "작성"
    assert own.admin("GET", f"/apps/{APP}/revisions").json["items"][0]["message"] == "Rename compose"

    # A conflict fails the job, and the comment has both sides.
    strings.write_text(catalog(compose={"en": "Compose", "ko": "깃"}))
    own.admin("PATCH", f"/apps/{APP}/sets/2.0/items/compose", {"title": {"ko": "콘솔"}})
    status, err = job(plan, "plan")
    assert status == 1 and "decide the conflicts" in err
    assert "was `작성`, is `깃` in git and `콘솔` on the service" in (github / "comment.md").read_text()

    # The comment contains the errors of the tree, and the job fails.
    path.write_text("{")
    status, _ = job(plan, "plan")
    assert status == 1 and "is not JSON" in (github / "comment.md").read_text()


def test_the_command_is_built_or_downloaded_once(host, repository, source, tmp_path):
    install = ["sh", "ci/install-longpress.sh", *source, ".longpress"]
    done = host(*install, folder=repository)
    assert done.returncode == 0 and done.stdout.startswith("longpress "), done.stderr
    # The next job finds it in the cache, and builds nothing.
    assert host(*install, folder=repository, BINARY="/nowhere").stdout == done.stdout
    packed = tmp_path / "longpress-1/longpress"
    packed.parent.mkdir()
    shutil.copy(BINARY, packed)
    subprocess.run(["tar", "-C", tmp_path, "-czf", tmp_path / "longpress.tar.gz", packed.parent.name], check=True)
    checksum = hashlib.sha256((tmp_path / "longpress.tar.gz").read_bytes()).hexdigest()
    url = f"file://{tmp_path}/longpress.tar.gz"
    assert host("sh", "ci/install-tarball.sh", url, "0" * 64, "bin", folder=repository).returncode != 0
    assert not (repository / "bin").exists()
    assert host("sh", "ci/install-tarball.sh", url, checksum, "bin", folder=repository).stdout == done.stdout
    (tmp_path / "longpress.tar.gz").unlink()
    assert host("sh", "ci/install-tarball.sh", url, checksum, "bin", folder=repository).stdout == done.stdout


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
    assert [len(words) for words in calls] == [1, 9, 8]

    def run():
        printed = ""
        for words in calls:
            # A single text is for a shell; several words are a program and its arguments.
            done = host(*(["sh", "-c", *words] if len(words) == 1 else words), folder=tmp_path)
            printed += done.stdout
            if done.returncode:
                break
        return done.returncode, printed
    status, out = run()
    assert status == 0 and out.startswith(f"{APP} 2.0.0+9: no violations, no warnings\n")
    assert own.admin("GET", f"/apps/{APP}/releases").json["items"][0]["assets"]["images"] == ["Pen"]
    own.admin("PATCH", f"/apps/{APP}/sets/2.0/items/compose", {"icon": {"file": "Pencil"}})
    status, out = run()
    assert status == 2 and "[asset-missing" in out


def test_the_scripts_of_xcode_cloud_judge_the_archive(host, archive, own, tmp_path, repository, source):
    cloud = {"CI_PRIMARY_REPOSITORY_PATH": str(repository), "CI_ARCHIVE_PATH": str(archive.parents[2]), "CI_BUNDLE_ID": APP,
             "CI_XCODEBUILD_ACTION": "archive", "LONGPRESS_REPOSITORY": source[0], "LONGPRESS_COMMIT": source[1], "VERSION": "2.0",
             "CI_DERIVED_DATA_PATH": str(tmp_path / "derived")}
    (repository / "App").mkdir()

    def run(script, **more):
        done = host("sh", str(repository / "ci" / script), folder=tmp_path, **{**cloud, **more})
        return done.returncode, done.stdout
    assert run("ci_post_clone.sh")[0] == 0
    bundled = repository / "App/longpress.json"
    assert json.loads(bundled.read_text())["app"] == APP
    shutil.copy(bundled, archive / "longpress.json")
    status, out = run("ci_post_xcodebuild.sh")
    assert status == 0 and out.startswith(f"{APP} 2.0.0+9: no violations, no warnings\n")
    assert own.admin("DELETE", f"/apps/{APP}/releases/2.0+9").status in (200, 204), "release put added it"
    own.admin("PATCH", f"/apps/{APP}/sets/2.0/items/compose", {"icon": {"file": "Pencil"}})
    assert run("ci_post_xcodebuild.sh")[0] == 2
    assert own.admin("GET", f"/apps/{APP}/releases").json["items"] == []
    assert run("ci_post_xcodebuild.sh", CI_XCODEBUILD_ACTION="build-for-testing") == (0, "")
