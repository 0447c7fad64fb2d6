"""The fetch path beside nginx answering the same bytes from memory: alternating rounds, one run, one server core.

Prints a Markdown table of medians: requests a second, server CPU microseconds a request, and the ratio to nginx.
Needs wrk and nginx; `make bench` installs them. Talks to 127.0.0.1 only and stops by itself.
"""

import http.client
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = ROOT / ".build/release/longpress"
TARGET = "/v1/apps/com.example.notes/versions/2.1.0/shortcuts?lang=ko"
LONGPRESS, NGINX = 18480, 18481
SECONDS = int(os.environ.get("SECONDS_A_ROUND", "3"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))


def on_core(core, command, **options):
    return subprocess.Popen(["taskset", "-c", str(core), *map(str, command)], **options)


def fetch(port, fields={}):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", TARGET, headers=fields)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


def wait_for(port):
    for _ in range(500):
        try:
            return fetch(port)
        except OSError:
            time.sleep(0.01)
    raise SystemExit(f"nothing answers on port {port}")


def nginx_configuration(folder, fields, body):
    lines = "".join(
        f"add_header {name} '{value}';" for name, value in fields.items()
        if name not in ("Date", "Content-Type", "Content-Length", "Server", "Connection"))
    text = body.decode().replace("'", "\\'").replace("$", "${dollar}")
    path = pathlib.Path(folder) / "nginx.conf"
    path.write_text(
        f"worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        "events { worker_connections 1024; }\n"
        "http { access_log off; keepalive_requests 1000000000; server_tokens off;\n"
        "geo $dollar { default '$'; }\n"
        f"server {{ listen 127.0.0.1:{NGINX}; location / {{ default_type application/json; {lines} return 200 '{text}'; }} }} }}\n")
    return path


def cpu_seconds(pids):
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def load(port, pids, *fields):
    before = cpu_seconds(pids)
    headers = [part for field in fields for part in ("-H", field)]
    output = subprocess.run(
        ["taskset", "-c", "1", "wrk", "-t1", "-c64", f"-d{SECONDS}s", "--latency", *headers, f"http://127.0.0.1:{port}{TARGET}"],
        capture_output=True, text=True, check=True).stdout
    requests = int(re.search(r"(\d+) requests in", output)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    p99 = re.search(r"99%\s+(\S+)", output)[1]
    return rate, (cpu_seconds(pids) - before) / requests * 1e6, p99


def main():
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        longpress = on_core(0, [BINARY, "demo", "--listen", f"127.0.0.1:{LONGPRESS}", "--event-loops", "1"], **quiet)
        nginx = None
        try:
            _, fields, body = wait_for(LONGPRESS)
            nginx = on_core(0, ["nginx", "-c", nginx_configuration(folder, fields, body)], **quiet)
            if wait_for(NGINX)[2] != body:
                raise SystemExit("nginx answers other bytes than Longpress")
            workers = subprocess.run(["pgrep", "-P", str(nginx.pid)], capture_output=True, text=True).stdout.split()
            condition = "If-None-Match: " + fields["ETag"]
            peers = {
                "Longpress 200": (LONGPRESS, [longpress.pid], []), "Longpress 304": (LONGPRESS, [longpress.pid], [condition]),
                "nginx from memory 200": (NGINX, workers, []),
            }
            rounds = {name: [] for name in peers}
            for _ in range(ROUNDS):
                for name, (port, pids, headers) in peers.items():
                    rounds[name].append(load(port, pids, *headers))
            report(rounds, len(body))
        finally:
            for process in (longpress, nginx):
                if process:
                    process.send_signal(signal.SIGTERM)
                    process.wait(timeout=30)


def report(rounds, size):
    medians = {name: [statistics.median(r[i] for r in results) for i in (0, 1)] for name, results in rounds.items()}
    base = medians["nginx from memory 200"]
    print(f"{ROUNDS} alternating rounds of {SECONDS} s, 64 connections, one server core, a body of {size} bytes; medians\n")
    print("| | requests/s | to nginx | CPU µs a request | to nginx | p99, rounds |\n|---|---|---|---|---|---|")
    for name, (rate, cpu) in medians.items():
        slowest = ", ".join(r[2] for r in rounds[name])
        print(f"| {name} | {rate:,.0f} | {rate / base[0]:.2f} | {cpu:.2f} | {cpu / base[1]:.2f} | {slowest} |")


if __name__ == "__main__":
    sys.exit(main())
