"""A PostgreSQL server for tests, which create, start, kill and remove it. They never touch another server of the machine."""

import glob
import itertools
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

numbers = itertools.count(1)
SUPERUSER = "postgres"


def programs():
    """The folder with initdb and postgres, of the newest installed version."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if not found and (path := shutil.which("initdb")):
        found = [os.path.dirname(os.path.realpath(path))]
    if not found:
        raise RuntimeError("PostgreSQL is not installed: make setup-test installs it")
    return pathlib.Path(found[-1])


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Postgres:
    """A database cluster in a temporary folder, with fsync, on a Unix socket and a loopback port."""

    def __init__(self, **settings):
        self.programs = programs()
        # PostgreSQL does not run as root.
        self.user = {"user": "nobody", "group": "nogroup"} if os.geteuid() == 0 else {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lp-pg-", dir="/tmp"))
        self.folder.chmod(0o711)
        self.data, self.port = self.folder / "data", free_port()
        self.data.mkdir()
        if self.user:
            shutil.chown(self.folder, "nobody", "nogroup")
            shutil.chown(self.data, "nobody", "nogroup")
        subprocess.run([self.programs / "initdb", "-D", self.data, "-U", SUPERUSER, "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust", "-N"],
                       check=True, capture_output=True, cwd="/", **self.user)
        settings = {"listen_addresses": "'127.0.0.1'", "port": self.port, "unix_socket_directories": f"'{self.folder}'",
                    "max_connections": 200, "fsync": "on", "logging_collector": "off", **settings}
        with open(self.data / "postgresql.auto.conf", "a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())
        self.start()

    def start(self):
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen([self.programs / "postgres", "-D", self.data], stdout=self.log, stderr=self.log, cwd="/", **self.user)
        deadline = time.monotonic() + 120
        while subprocess.run([self.programs / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port)], cwd="/").returncode != 0:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL did not start:\n" + (self.folder / "log").read_text()[-2000:])
            time.sleep(0.05)

    def kill(self):
        """Simulates a crash: kills the postmaster and, through it, every process of the server."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(timeout=30)

    def restart(self):
        self.kill()
        self.start()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self, name=None):
        """Creates an empty database and returns its URI."""
        name = name or f"longpress{next(numbers)}"
        self.sql(f'CREATE DATABASE "{name}"', "postgres")
        return self.uri(name)

    def uri(self, name, port=None):
        return f"postgres://{SUPERUSER}@127.0.0.1:{port or self.port}/{name}"

    def sql(self, statement, database):
        """The output of psql: rows, with columns separated by |. `database`: a name or a URI."""
        target = self.uri(database) if "://" not in database else database
        done = subprocess.run([self.programs / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", target, "-c", statement],
                              capture_output=True, text=True, cwd="/")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def terminate(self, condition="true"):
        """Ends connections of Longpress as an administrator would, and returns their number."""
        return int(self.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'longpress%' AND " + condition, "postgres"))
