"""Runs slowhttptest's three attacks with a thousand connections each, while others fetch and publish: every fetch and publish is
answered."""

import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from target import APP, item, serving

MODES = {
    "slow headers": ["-H", "-i", "3"],
    "slow body": ["-B", "-i", "3", "-s", "8192"],
    "slow read": ["-X", "-k", "10", "-w", "10", "-y", "20", "-n", "5", "-z", "5"],
}
SECONDS = 30
CONNECTIONS = 1000


def probe(server, stop, times, failures):
    number = 0
    while not stop.is_set():
        number += 1
        start = time.monotonic()
        try:
            fetched = server.shortcuts(APP, f"1.{number}", timeout=5).status
            written = server.admin("PUT", f"/apps/{APP}/sets/{number + 1}.0", {"items": [item(f"i{number}")]}).status
            if (fetched, written) not in ((200, 200), (200, 201)):
                failures.append(f"answered {fetched} and {written}")
        except OSError as error:
            failures.append(repr(error))
        times.append(time.monotonic() - start)
        stop.wait(0.1)


def attack(server, name, options, folder):
    path = f"/v1/apps/{APP}/versions/1.0/" + ("taps" if name == "slow body" else "shortcuts")
    stop, times, failures = threading.Event(), [], []
    prober = threading.Thread(target=probe, args=(server, stop, times, failures))
    prober.start()
    command = [
        "slowhttptest", *options, "-c", str(CONNECTIONS), "-r", "200", "-l", str(SECONDS), "-p", "3", "-g", "-o", str(folder / "report"),
        "-u", "http://%s:%d%s" % (*server.address, path),
    ]
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False).stdout
    stop.set()
    prober.join()
    if len(times) < 10:
        failures.append(f"only {len(times)} requests were answered; slowhttptest said: {said[-500:]}")
    # The report has a line a second; the last column says whether slowhttptest's own probe was answered.
    lines = (folder / "report.csv").read_text().splitlines()[1:]
    lost = sum(1 for line in lines if re.search(r",0\s*$", line))
    if not lines or lost:
        failures.append(f"slowhttptest found the service unavailable in {lost} of {len(lines)} seconds")
    times.sort()
    print(
        f"{name}: {len(times)} fetches with publishes beside {CONNECTIONS} slow connections, the slowest {times[-1] * 1000:.0f} ms, "
        f"unavailable in {lost} of {len(lines)} seconds" + (f"; {failures[:3]}" if failures else ""), flush=True)
    return not failures


with tempfile.TemporaryDirectory() as folder, serving("--max-connections", "10000") as server:
    # Runs all of them, even if one fails.
    passed = [attack(server, name, options, pathlib.Path(folder)) for name, options in MODES.items()]
    if server.get("/healthz").status != 200:
        sys.exit("slowhttptest: the server is gone")
sys.exit(0 if all(passed) else 1)
