"""The public API of the libraries is unchanged from the accepted one, and its documentation is complete (scripts/public_api.py)."""

import subprocess
import sys

import pytest

from longpress import ROOT

pytestmark = pytest.mark.any_engine

sys.path.insert(0, str(ROOT / "scripts"))
import public_api  # noqa: E402

ACCEPTED = ["Menu: struct Menu", "Menu.items: let items: [Item]", "Kind: enum Kind", "Kind.a: case a", "Store: protocol Store"]


def run(*arguments):
    done = subprocess.run([sys.executable, ROOT / "scripts/public_api.py", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_public_api_is_what_was_accepted(uikit_double):
    run("check")


def test_the_documentation_is_whole_and_builds_without_a_warning(uikit_double, tmp_path):
    run("docs", tmp_path)
    for module, article in [("LongpressKit", "onadevice"), ("LongpressWebhooks", "webhookverifier")]:
        pages = tmp_path / f"{module}.doccarchive/data/documentation/{module.lower()}"
        assert (pages / f"{article}.json").exists(), sorted(pages.iterdir())
    # API that only an app sees is documented too, though this machine has no UIKit.
    assert (tmp_path / "LongpressKit.doccarchive/data/documentation/longpresskit/longpress").is_dir()


@pytest.mark.parametrize("line, changed, expected", [
    ("Menu.items: let items: [Item]", None, [("removed", "Menu.items: let items: [Item]")]),
    ("Menu.items: let items: [Item]", "Menu.items: let items: [Item]?",
     [("changed", "Menu.items: let items: [Item]", "Menu.items: let items: [Item]?")]),
    (None, "Menu.count: var count: Int { get }", [("added", "Menu.count: var count: Int { get }")]),
    (None, "Menu: conforms to Hashable", [("added", "Menu: conforms to Hashable")]),
    (None, "Kind.b: case b", [("breaking", "Kind.b: case b")]),
    (None, "Store.drop(): requirement func drop()", [("breaking", "Store.drop(): requirement func drop()")]),
    (None, "Store.keep(): func keep()", [("added", "Store.keep(): func keep()")]),
])
def test_each_difference_is_named(line, changed, expected):
    current = [entry for entry in ACCEPTED if entry != line] + ([changed] if changed else [])
    assert list(public_api.compare(ACCEPTED, current)) == expected
    assert list(public_api.compare(ACCEPTED, ACCEPTED)) == []
