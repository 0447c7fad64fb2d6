"""Runs SilenceTests and CutDefaultsTests, which cut the connections of real drivers to PostgreSQL, and reads what they print."""

import os
import re
import subprocess
import time

from program import ROOT

SUITES = "StorageTests.(SilenceTests|CutDefaultsTests)"


def run(table, lanes="all", at=None):
    """`lanes`: the beginning of their names."""
    start, sums = time.monotonic(), {}
    environment = {**os.environ, "LONGPRESS_CUTS": lanes, **({"LONGPRESS_CUTS_AT": at} if at else {})}
    environment.pop("LONGPRESS_BINARY", None)
    tests = subprocess.Popen(
        [os.environ.get("SWIFT", "swift"), "test", "--skip-build", "--filter", SUITES], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace")
    said = []
    for line in tests.stdout:
        said.append(line)
        if line.startswith("make cuts CASE="):
            case = line.split('"')[1]
            table.fail(*case.split(": ", 2)[:2], case.rsplit(": ", 1)[1], "", line.split('"', 2)[2].strip())
        elif found := re.match(r"cuts: (.*?)(?:, part \d+ of \d+)?: (\d+) of (\d+) boundaries held", line):
            held, count = sums.get(found[1], (0, 0))
            sums[found[1]] = held + int(found[2]), count + int(found[3])
    status = tests.wait()
    for name, (held, count) in sorted(sums.items()):
        # The lanes run at once.
        table.add("PostgreSQL, " + name.rsplit(", ", 2)[0], ", ".join(name.rsplit(", ", 2)[1:]), held, count, time.monotonic() - start)
    if status and all(held == count for held, count in sums.values()):
        table.add("PostgreSQL", "the tests fail:\n" + "".join(said[-40:]), 0, 1, time.monotonic() - start)
    return status == 0
