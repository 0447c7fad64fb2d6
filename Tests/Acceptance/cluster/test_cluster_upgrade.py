"""Nodes of this version and of the next one at the same time: the next has one more migration, which is compatible with this one."""

import os
import shutil
import subprocess
import threading

import pytest

import longpress
from cluster import Cluster, title
from longpress import BINARY, ROOT, Longpress, eventually, item

pytestmark = pytest.mark.any_engine

MIGRATION = """-- compatible-with: 6
-- A column that only the next version knows.
ALTER TABLE apps ADD COLUMN note TEXT;
"""


@pytest.fixture(scope="session")
def next_version():
    """The program with one more migration, built from a copy of the sources (some minutes the first time)."""
    if not os.environ.get("NEXT_VERSION"):
        pytest.skip("builds the program once more: make test-cluster does")
    folder = ROOT / ".build-next"
    folder.mkdir(exist_ok=True)
    for name in ("Package.swift", "Sources", "Plugins", "scripts", "migrations", "openapi.yaml"):
        source, copy = ROOT / name, folder / name
        if source.is_dir():
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(source, copy, symlinks=True)
        else:
            shutil.copy2(source, copy)
    (folder / "Tests").mkdir(exist_ok=True)
    number = len(list((ROOT / "migrations/postgres").glob("*.sql"))) + 1
    name = f"{number:04}_next.sql"
    for engine, file in (("postgres", "StoragePostgres/PostgresDatabase+Opening.swift"), ("sqlite", "StorageSQLite/SQLiteDatabase+Opening.swift")):
        (folder / "migrations" / engine / name).write_text(MIGRATION.replace("6", str(number - 1), 1))
        path = folder / "Sources" / file
        text = path.read_text()
        last = [line for line in text.splitlines() if line.strip().startswith("Migration(version:")][-1]
        path.write_text(text.replace(last, last + f'\n        Migration(version: {number}, name: "next", script: PackageResources._{name[1:].replace(".", "_")}),'))
    manifest = (folder / "Package.swift").read_text()
    (folder / "Package.swift").write_text(manifest[: manifest.index("        .testTarget(")] + "    ],\n    swiftLanguageModes: [.v6]\n)\n")
    subprocess.run(["swift", "build", "--product", "longpress"], cwd=folder, check=True)
    return folder / ".build/debug/longpress"


def test_nodes_are_upgraded_one_after_another_without_a_refused_request(tmp_path, next_version, monkeypatch):
    cluster = Cluster(tmp_path)
    try:
        one = cluster.nodes[0]
        one.admin("PUT", "/apps/app", {"defaultLanguage": "en"})
        one.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a", "Before")]})
        for node in cluster.nodes:
            eventually(lambda: title(node, "app") == "Before")
        refused, is_over = [], threading.Event()

        def fetch(number):
            while not is_over.is_set():
                # As a load balancer does: uses a node that accepts connections.
                for node in (cluster.nodes[number], cluster.nodes[(number + 1) % 3]):
                    try:
                        status = node.shortcuts("app", "1.0").status
                    except OSError:
                        continue
                    if status != 200:
                        refused.append(status)
                    break
                else:
                    refused.append("nobody answered")

        threads = [threading.Thread(target=fetch, args=(number,), daemon=True) for number in range(3)]
        for thread in threads:
            thread.start()
        for index in range(3):
            cluster.nodes[index].stop()
            monkeypatch.setattr(longpress, "BINARY", next_version)
            cluster.nodes[index] = Longpress(tmp_path, "--node", f"next{index}", database=cluster.uri)
            monkeypatch.setattr(longpress, "BINARY", BINARY)
            for number, node in enumerate(cluster.nodes):
                text = f"{index} {number}"
                assert node.admin("PUT", "/apps/app/sets/1.0", {"items": [item("a", text)]}).status == 200
                assert all(eventually(lambda: title(other, "app") == text) for other in cluster.nodes)
        # A node of this version can still start on the newer schema.
        old = cluster.node(9)
        assert title(old, "app") == "2 2"
        old.stop()
        is_over.set()
        for thread in threads:
            thread.join(timeout=120)
        assert refused == []
        versions = cluster.sql("SELECT COUNT(*) FROM schema_migrations WHERE compatible_with IS NOT NULL")
        assert int(versions) >= 1
    finally:
        cluster.stop()
