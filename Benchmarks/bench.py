"""What the measurements have in common: a server on core 0, a load generator on core 1, CPU time from /proc, Markdown tables.

Everything talks to 127.0.0.1 only and stops what it started.
"""

import collections
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = pathlib.Path(os.environ.get("LONGPRESS_BINARY", ROOT / ".build/release/longpress"))
TOKEN = "lp_" + "benchmark" * 4
SECONDS = float(os.environ.get("SECONDS_A_ROUND", "3"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))
# Fewer apps and shorter runs: shows that everything still works, not how fast it is.
IS_SMOKE = bool(os.environ.get("SMOKE"))
SERVER_CORE, LOAD_CORE = "0", "1"


def on_core(core, command, **options):
    return subprocess.Popen(["taskset", "-c", core, *map(str, command)], **options)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)


class Server:
    """A process that answers on a port, and those of its children that do the work."""

    def __init__(self, process, port, pids=None):
        self.process, self.port = process, port
        self.pids = pids or [process.pid]

    def cpu_seconds(self):
        """User and system time since the start."""
        # The clock of a process (clock_getcpuclockid(3)), which threads that have ended are part of.
        return sum(time.clock_gettime(~pid << 3 | 2) for pid in self.pids)

    def memory(self):
        """Bytes by kind (proc(5), smaps_rollup). `Rss`: what is mapped, the pages of the program's file and its libraries included.
        `Pss`: the same, with each page that others map too divided by their number. `Private_Dirty`: what only this process has
        and no file holds; so much is free when it ends."""
        bytes = collections.Counter()
        for pid in self.pids:
            for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
                kind, amount = line.split(":")
                bytes[kind] += int(amount.split()[0]) * 1024
        return bytes

    def connect(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def wait(self, target="/", since=None):
        """Seconds from `since` to the first answer."""
        since = since or time.perf_counter()
        while time.perf_counter() - since < 30:
            try:
                connection = self.connect()
                connection.request("GET", target)
                if connection.getresponse().read() is not None:
                    return time.perf_counter() - since
            except OSError:
                time.sleep(0.001)
        raise SystemExit(f"nothing answers on port {self.port}")


@contextlib.contextmanager
def longpress(*options, database=None, core=SERVER_CORE, loops=1, prefix=(), program=BINARY):
    """Longpress on a store of its own, or on the given one."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [
            *prefix, program, "serve", "--listen", f"127.0.0.1:{port}", "--database", database or f"{folder}/store.sqlite",
            "--admin-token", TOKEN, "--event-loops", loops, "--log-level", "warning", *options]
        process = on_core(core, command)
        server = Server(process, port)
        try:
            server.started = server.wait("/readyz", time.perf_counter())
            yield server
        finally:
            stop(process)


def admin(connection, method, path, document=None, expect=(200, 201, 204)):
    body = None if document is None else json.dumps(document)
    connection.request(method, "/admin/v1" + path, body, {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status not in expect:
        raise SystemExit(f"{method} {path}: {answer.status} {text.decode()}")
    return text


LANGUAGES = ["en", "ko", "de", "ja"]
VERSIONS = ["1.0.0", "2.0.0", "3.0.0"]


def menu(number=0, version="1.0.0"):
    """Three quick actions in four languages."""
    titles = {"compose": ["Compose", "새 메모", "Verfassen", "作成"], "search": ["Search", "검색", "Suchen", "検索"],
              "recent": ["Recent", "최근 항목", "Zuletzt", "最近"]}
    return {"items": [
        {"id": name, "type": f"com.example.app.{name}", "title": dict(zip(LANGUAGES, words)), "icon": {"symbol": "square.and.pencil"},
         "url": f"https://example.com/{name}/{version}/{number}"}
        for name, words in titles.items()]}


def target(app, version="2.1.0", language="ko"):
    return f"/v1/apps/{app}/versions/{version}/shortcuts?lang={language}"


def fill(server, apps, writers=16):
    """So many apps with three versions of a menu in four languages."""
    def write(first):
        connection = server.connect()
        for number in range(first, apps, writers):
            app = f"com.example.app{number}"
            admin(connection, "PUT", f"/apps/{app}", {"defaultLanguage": "en"})
            for version in VERSIONS:
                admin(connection, "PUT", f"/apps/{app}/sets/{version}", menu(number, version))

    with concurrent.futures.ThreadPoolExecutor(writers) as pool:
        list(pool.map(write, range(writers)))


@contextlib.contextmanager
def filled_store(apps):
    """The path of a database with so many apps; BENCH_DATABASE names one to keep between runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(os.environ.get("BENCH_DATABASE", f"{folder}/store.sqlite"))
        if not path.exists():
            with longpress(database=path, core=f"{SERVER_CORE},{LOAD_CORE}", loops=2) as server:
                fill(server, apps)
        yield path


def wrk(server, path, *options, connections=64, seconds=None, script=None, core=LOAD_CORE):
    """One run. Returns requests a second, server CPU µs per request, p50 and p99 in ms, and what was refused."""
    before = server.cpu_seconds()
    command = ["taskset", "-c", core, "wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds or SECONDS))}s", "--latency", *options]
    if script:
        command += ["-s", str(script)]
    output = subprocess.run([*command, f"http://127.0.0.1:{server.port}{path}"], capture_output=True, text=True, check=True).stdout
    cpu = server.cpu_seconds() - before
    requests = int(re.search(r"(\d+) requests in", output)[1])
    if requests == 0:
        # Other programs take the whole machine.
        assert (seconds or SECONDS) < 60, "wrk got no answer"
        longer = 4 * max(1, seconds or SECONDS)
        return wrk(server, path, *options, connections=connections, seconds=longer, script=script, core=core)
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    p50, p99 = (milliseconds(re.search(rf"^\s+{share}%\s+(\S+)", output, re.MULTILINE)[1]) for share in (50, 99))
    return {
        "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), "cpu": cpu / requests * 1e6,
        "p50": p50, "p99": p99,
        "errors": int(errors[1]) if errors else 0, "requests": requests,
    }


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit]


def median(results, name):
    return statistics.median(result[name] for result in results)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def table(*rows):
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def machine():
    model = re.search(r"model name\s*:\s*(.+)", pathlib.Path("/proc/cpuinfo").read_text())
    system = re.search(r'PRETTY_NAME="(.+)"', pathlib.Path("/etc/os-release").read_text())
    return f"{os.cpu_count()} cores of {model[1] if model else 'an unnamed processor'}, {system[1]}, Linux {os.uname().release}"
