"""The code generators, run as in their documentation: without configuration, and without changes to their output."""

import importlib
import os
import re
import subprocess
import sys

from contract import PATH

# : Remarks of a generator about itself on standard error. Every other remark is about the document and fails the test.
ABOUT_ITSELF = (
    "OpenAPI 3.1 support is still in beta",
    "Failed to get the schema name: null",  # For any document of 3.1, a different number of times in each run.
    "From (reserved word) cannot be used as model name",  # A query parameter; it becomes no model.
)  # fmt: skip


def run(tool, *arguments):
    # Beside this Python: its virtual environment has the tools and the programs that they call.
    folder = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
    done = subprocess.run([os.path.join(folder, tool), *arguments], capture_output=True, text=True, env=environment, timeout=300)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-4000:]
    remarks = [line for line in said.splitlines() if re.search(r"\b(WARN|WARNING|FutureWarning|ERROR|omitted)\b", line)]
    assert [line for line in remarks if not any(known in line for known in ABOUT_ITSELF)] == []


def imported(folder, package):
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(package)
    finally:
        sys.path.remove(str(folder))


def openapi_python_client(folder):
    """Classes of attrs, in a package named by the document's title."""
    run("openapi-python-client", "generate", "--path", str(PATH), "--output-path", str(folder / "attrs"), "--fail-on-warning")
    return imported(folder / "attrs", "longpress_client")


def openapi_generator(folder):
    """Classes of pydantic, which validate themselves; the generator is a Java program."""
    run("openapi-generator-cli", "generate", "-g", "python", "-i", str(PATH), "-o", str(folder / "pydantic"))
    return imported(folder / "pydantic", "openapi_client")


def datamodel_code_generator(folder):
    """Models only: pydantic classes for every schema, in one module."""
    run("datamodel-codegen", "--input", str(PATH), "--output", str(folder / "longpress_models.py"),
        "--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin")  # fmt: skip
    return imported(folder, "longpress_models")
