"""The fetch path beside its peers, all on one core and loaded from another, in alternating rounds of one run.

Every peer sends the same body and the same fields (nginx's static file has validators of its own).
"""

import contextlib
import pathlib
import re
import subprocess
import tempfile

from bench import (
    IS_SMOKE, LOAD_CORE, ROOT, ROUNDS, SECONDS, SERVER_CORE, Server, admin, free_port, longpress, median, menu, on_core, stop, table, target,
    wrk)

BASE = "nginx from memory 200"
OWN_FIELDS = ("Date", "Content-Type", "Content-Length", "Server", "Connection")
TARGET = target("com.example.app0")
FIXED_ANSWER = ROOT / "Benchmarks/FixedAnswer/.build/release/fixed-answer"


def fetch(server, fields={}):
    connection = server.connect()
    connection.request("GET", TARGET, headers=fields)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


@contextlib.contextmanager
def peer(command, port, children=False):
    process = on_core(SERVER_CORE, command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        server = Server(process, port)
        server.wait(TARGET)
        if children:
            server.pids = [int(pid) for pid in subprocess.check_output(["pgrep", "-P", str(process.pid)]).split()]
        yield server
    finally:
        stop(process)


def nginx(folder, name, fields, location):
    port = free_port()
    lines = "".join(f"add_header {name} '{value}';" for name, value in fields.items() if name not in OWN_FIELDS)
    path = pathlib.Path(folder) / f"{name}.conf"
    path.write_text(
        f"user root; worker_processes 1; daemon off; pid {folder}/{name}.pid; error_log {folder}/{name}.log;\n"
        "events { worker_connections 1024; }\n"
        "http { access_log off; keepalive_requests 1000000000; server_tokens off;\n"
        "geo $dollar { default '$'; }\n"
        f"server {{ listen 127.0.0.1:{port}; location / {{ default_type application/json; {lines} {location} }} }} }}\n")
    return peer(["nginx", "-c", path], port, children=True)


def fixed(folder, command, fields, body):
    port = free_port()
    head, content = pathlib.Path(folder) / "head", pathlib.Path(folder) / "body"
    content.write_bytes(body)
    head.write_text("".join(f"{name}: {value}\n" for name, value in fields.items()
                            if name not in ("Date", "Content-Length", "Connection")))
    return peer([command, port, head, content], port)


def bare(folder, fields, body):
    port = free_port()
    program = pathlib.Path(folder) / "limit"
    subprocess.run(["cc", "-O2", "-o", program, ROOT / "Benchmarks/limit/limit.c"], check=True)
    head, content = pathlib.Path(folder) / "bare-head", pathlib.Path(folder) / "bare-body"
    content.write_bytes(body)
    head.write_bytes(("HTTP/1.1 200 OK\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n").encode())
    return peer([program, port, head, content], port)


def condition(server):
    return ["-H", "If-None-Match: " + fetch(server)[1]["ETag"]]


def h2load(server, headers):
    """The other load generator's word: requests a second and server CPU µs per request."""
    before = server.cpu_seconds()
    output = subprocess.run(
        ["taskset", "-c", LOAD_CORE, "h2load", "--h1", "-t1", "-c64", f"-D{max(1, round(SECONDS))}", *headers,
         f"http://127.0.0.1:{server.port}{TARGET}"], capture_output=True, text=True, check=True).stdout
    done = int(re.search(r"(\d+) done", output)[1])
    return float(re.search(r"([\d.]+) req/s", output)[1]), (server.cpu_seconds() - before) / max(1, done) * 1e6


def main():
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        ours = stack.enter_context(longpress())
        connection = ours.connect()
        admin(connection, "PUT", "/apps/com.example.app0", {"defaultLanguage": "en"})
        admin(connection, "PUT", "/apps/com.example.app0/sets/1.0.0", menu())
        _, fields, body = fetch(ours)
        text = body.decode().replace("'", "\\'").replace("$", "${dollar}")
        memory = stack.enter_context(nginx(folder, "memory", fields, f"return 200 '{text}';"))
        (pathlib.Path(folder) / "menu").write_bytes(body)
        pathlib.Path(folder).chmod(0o755)
        own_validators = {name: value for name, value in fields.items() if name != "ETag"}
        static = stack.enter_context(nginx(folder, "static", own_validators, f"root {folder}; rewrite ^ /menu break;"))
        limit = stack.enter_context(bare(folder, fields, body))
        peers = {
            "Longpress 200": (ours, []), "Longpress 304": (ours, condition(ours)), BASE: (memory, []),
            "nginx static file 200": (static, []), "nginx static file 304": (static, condition(static)),
        }
        if FIXED_ANSWER.exists():
            peers["Hummingbird 200"] = (stack.enter_context(fixed(folder, FIXED_ANSWER, fields, body)), [])
        peers["bare event loop, a fixed answer"] = (limit, [])
        for name, (server, headers) in peers.items():
            answered = fetch(server, dict([headers[1].split(": ", 1)]) if headers else {})
            if answered[0] != (304 if "304" in name else 200) or answered[2] != (b"" if "304" in name else body):
                raise SystemExit(f"{name} answers other bytes than Longpress: {answered}")
        rounds = {name: [] for name in peers}
        for _ in range(ROUNDS):
            for name, (server, headers) in peers.items():
                rounds[name].append(wrk(server, TARGET, *headers))
        second = {name: h2load(server, headers) for name, (server, headers) in peers.items()}
        report(rounds, second, len(body))


def report(rounds, second, size):
    medians = {name: {part: median(results, part) for part in ("rate", "cpu", "p50", "p99")} for name, results in rounds.items()}
    base = medians[BASE]
    print(f"{ROUNDS} alternating rounds of {SECONDS:g} s, 64 connections, one server core and one generator core, a body of {size} bytes; "
          "medians. CPU is user and system time of the server.\n")
    rows = [["", "requests/s", "vs. nginx", "CPU µs per request", "vs. nginx", "p50 ms", "p99 ms", "h2load: requests/s", "CPU µs"]]
    for name, result in medians.items():
        rows.append([
            name, f"{result['rate']:,.0f}", f"{result['rate'] / base['rate']:.2f}", f"{result['cpu']:.2f}",
            f"{result['cpu'] / base['cpu']:.2f}", f"{result['p50']:.2f}", f"{result['p99']:.2f}", f"{second[name][0]:,.0f}",
            f"{second[name][1]:.2f}"])
    print(table(*rows))
    if "Hummingbird 200" not in medians and not IS_SMOKE:
        print("\nHummingbird is missing: `swift build -c release --package-path Benchmarks/FixedAnswer` failed or was not run.")


if __name__ == "__main__":
    main()
