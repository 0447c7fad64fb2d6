"""Runs SilenceTests and CutDefaultsTests, which cut the connections of real drivers to PostgreSQL, and reads what they print."""

import os
import re
import subprocess
import time

from program import ROOT

# With more failed boundaries, the machine is not the cause.
MOST_REPEATED = 10
SUITES = "StorageTests.(SilenceTests|CutDefaultsTests)"


def start(lanes, at):
    environment = {**os.environ, "LONGPRESS_CUTS": lanes, **({"LONGPRESS_CUTS_AT": at} if at else {})}
    environment.pop("LONGPRESS_BINARY", None)
    return subprocess.Popen(
        [os.environ.get("SWIFT", "swift"), "test", "--skip-build", "--filter", SUITES], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace")


def holds_alone(lane, at):
    """All lanes run at once, and a busy machine may exceed their time limits. The boundary itself is the same each time."""
    tests = start(lane, at)
    tests.communicate()
    return tests.returncode == 0


def run(table, lanes="all", at=None):
    """`lanes`: the beginning of their names."""
    begin, sums, failed = time.monotonic(), {}, {}
    tests = start(lanes, at)
    said = []
    for line in tests.stdout:
        said.append(line)
        if line.startswith("make cuts CASE="):
            name, lane, boundary = line.split('"')[1].split(": ", 2)
            failed.setdefault((name, lane, boundary), line.split('"', 2)[2].strip())
        elif found := re.match(r"cuts: (.*?)(?:, part \d+ of \d+)?: (\d+) of (\d+) boundaries held", line):
            held, count = sums.get(found[1], (0, 0))
            sums[found[1]] = held + int(found[2]), count + int(found[3])
    status = tests.wait()
    for (name, lane, boundary), problem in failed.items():
        if at is None and len(failed) <= MOST_REPEATED and lane in sums and holds_alone(lane, boundary):
            print(f"PostgreSQL, {lane}: {boundary} held when it was repeated alone. Before {problem}", flush=True)
            sums[lane] = sums[lane][0] + 1, sums[lane][1]
        else:
            table.fail(name, lane, boundary, "", problem)
    for name, (held, count) in sorted(sums.items()):
        # The lanes run at once.
        table.add("PostgreSQL, " + name.rsplit(", ", 2)[0], ", ".join(name.rsplit(", ", 2)[1:]), held, count, time.monotonic() - begin)
    if status and not failed and all(held == count for held, count in sums.values()):
        table.add("PostgreSQL", "the tests fail:\n" + "".join(said[-40:]), 0, 1, time.monotonic() - begin)
    return status == 0
