"""A fixed selection of what `make cuts` tries: a system call on the files of an operation fails, or the power is cut."""

import importlib
import pathlib
import shutil
import sys

import pytest

from longpress import BINARY, on_sqlite

pytestmark = [on_sqlite, pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")]

# How many boundaries are left out between two.
SELECTION = {
    "publish: fsync fails and forgets": 1, "publish, then a kill: fsync fails and forgets": 1, "publish: slow": 100,
    "start in an empty folder: power cut, lost": 20, "backup: I/O error once": 60, "restore: disk full": 100,
    "copy: killed in a write": 200,
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Cuts"))
    cases = importlib.import_module("cases")
    cases.program.BINARY = BINARY
    cases.program.make_templates(tmp_path_factory.mktemp("cuts"))
    return cases


@pytest.mark.parametrize("kind, every", SELECTION.items())
def test_every_boundary_holds(cases, kind, every):
    table = cases.Table()
    with cases.pool() as pool:
        cases.run_kind(pool, table, *kind.split(": "), every)
    assert table.close()


def test_an_answer_that_ends_at_any_byte_is_retried_or_complete(cases, tmp_path):
    table = cases.Table()
    cases.consumers.run(tmp_path, table, lambda _, kind: kind.endswith("then close") and "TLS" not in kind)
    assert table.close()
