"""Programs that tests run beside the one under test. `make setup-test` installs them."""

import pathlib
import shutil
import socket
import subprocess
import sys

import pytest


def tool(name):
    """Its path. Without `make`, a test that needs a missing program is skipped."""
    beside = pathlib.Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name, path="/usr/local/sbin:/usr/sbin:/usr/bin:/bin")
    return found or pytest.skip(f"{name} is not here: make setup-test puts it beside Python")


def run(name, *arguments, **more):
    """Its output; it must exit with 0."""
    done = subprocess.run([tool(name), *arguments], capture_output=True, text=True, timeout=120, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [taken.getsockname()[1] for taken in sockets]
    for taken in sockets:
        taken.close()
    return ports
