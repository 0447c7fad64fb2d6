"""Runs operations once for each boundary, several at once, and counts the boundaries that held."""

import concurrent.futures
import hashlib
import multiprocessing
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
import traceback

import consumers
import postgres
import program
from calls import FOREVER, SAID, Calls
from disk import Disk
from operations import OPERATIONS, Case

# What a kind is called: the fault, and whether later calls fail, too.
KINDS = {
    "disk full once": ("full", False), "disk full": ("full", True), "I/O error once": ("broken", False), "I/O errors": ("broken", True),
    "half a write": ("short", True), "killed": ("killed", False), "killed in a write": ("torn", False), "slow": ("stalled", False),
    "read error once": ("unreadable", False), "read errors": ("unreadable", True), "fsync fails and forgets": ("forgotten", False),
}
CUT = "power cut, "


def kinds(operation):
    return [name for name, (fault, _) in KINDS.items() if fault in operation.faults] + [CUT + name for name in Disk.CUTS]


def initial(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def replayed(contents, record, count=None):
    """The disk after `count` recorded calls, and what was said up to then."""
    disk, said = Disk(contents), b""
    for call, path, data, offset in record[:count]:
        if call == SAID:
            said += data
        else:
            disk.apply(call, path, data, offset)
    return disk, said.decode(errors="replace")


def prepared(operation, records):
    folder = pathlib.Path(tempfile.mkdtemp(dir=program.SCRATCH))
    operation.prepare(folder / "files")
    return folder, Calls(folder / "files", records)


def good_run(operation, fault=None):
    """The number of calls to which the fault applies, or the record."""
    folder, calls = prepared(operation, records=fault in (None, "forgotten"))
    try:
        contents = initial(calls.folder)
        case = Case(folder, calls, fault, FOREVER, FOREVER)
        case.initial = contents
        operation.run(case)
        return calls.count if fault else (contents, calls.recorded())
    finally:
        shutil.rmtree(folder)


def attempt(name, kind, at):
    """(whether the boundary was reached, the call, why it did not hold or None)."""
    operation = OPERATIONS[name]
    fault, lasts = KINDS[kind]
    folder, calls = prepared(operation, records=fault == "forgotten")
    problem = None
    try:
        case = Case(folder, calls, fault, at, FOREVER if lasts else at)
        case.initial = initial(calls.folder)
        operation.run(case)
    except program.Broken as error:
        problem = str(error)
    except Exception:
        problem = traceback.format_exc()
    finally:
        result = (calls.hits > 0, calls.call, problem)
        if not os.environ.get("KEEP"):
            shutil.rmtree(folder)
        else:
            print(folder)
    return result


def cut_states(contents, record, way):
    """(number of calls, what was said, files) for each state that differs from the one before."""
    disk, said, last = Disk(contents), b"", None
    for number, (call, path, data, offset) in enumerate(record, 1):
        if call == SAID:
            said += data
        else:
            disk.apply(call, path, data, offset)
        files = Disk.CUTS[way](disk)
        digest = hashlib.sha256(repr((sorted((name, hashlib.sha256(data).digest()) for name, data in files.items()), said)).encode()).digest()
        if digest != last:
            yield number, said.decode(errors="replace"), files
        last = digest


def attempt_cut(name, number, said, files):
    folder = pathlib.Path(tempfile.mkdtemp(dir=program.SCRATCH))
    try:
        (folder / "files").mkdir()
        for file, data in files.items():
            (folder / "files" / file).write_bytes(data)
        OPERATIONS[name].judge_cut(folder / "files", said)
    except program.Broken as error:
        return str(error)
    except Exception:
        return traceback.format_exc()
    finally:
        if not os.environ.get("KEEP"):
            shutil.rmtree(folder)
        else:
            print(folder)


class Table:
    """The counts, by operation."""

    def __init__(self):
        self.rows, self.told, self.cases = {}, {}, set()

    def add(self, operation, kind, held, count, seconds):
        self.rows.setdefault(operation, []).append((held, count))
        print(f"{operation}, {kind}: {held} of {count} boundaries held ({seconds:.0f} s)", flush=True)

    def fail(self, operation, kind, at, call, problem):
        # A cause mostly breaks many boundaries: its sentence is printed once.
        self.cases.add(f"{operation}: {kind}: {at}")
        cause = re.sub(r"[\w.]*(longpress-\w+[\w./-]*|\d+)", "…", problem)
        is_new = cause not in self.told
        self.told[cause] = True
        print(f'make cuts CASE="{operation}: {kind}: {at}"' + (f"   {call}: {problem.strip()}" if is_new else ""), flush=True)

    def close(self):
        width = max(len(name) for name in self.rows) + 2
        print()
        for name, counts in self.rows.items():
            print(f"{name.ljust(width)}{sum(held for held, _ in counts):>7,} of {sum(count for _, count in counts):>7,}")
        held, count = (sum(pair[index] for pairs in self.rows.values() for pair in pairs) for index in (0, 1))
        print(f"{held:,} of {count:,} boundaries held")
        return held == count


def run_kind(pool, table, name, kind, every):
    start, operation = time.monotonic(), OPERATIONS[name]
    if kind.startswith(CUT):
        contents, record = good_run(operation)
        states = list(cut_states(contents, record, kind.removeprefix(CUT)))[::every]
        futures = {pool.submit(attempt_cut, name, *state): state[0] for state in states}
        held = 0
        for future in concurrent.futures.as_completed(futures):
            if problem := future.result():
                table.fail(name, kind, futures[future], "", problem)
            else:
                held += 1
        return table.add(name, kind, held, len(states), time.monotonic() - start)
    count = good_run(operation, KINDS[kind][0])
    held = reached = 0
    first = 1
    # A run may make a few calls more than the good one.
    while first <= count:
        numbers = range(first, count + 1, every)
        futures = {pool.submit(attempt, name, kind, number): number for number in numbers}
        last_is_reached = False
        for future in concurrent.futures.as_completed(futures):
            is_reached, call, problem = future.result()
            number = futures[future]
            reached += is_reached
            last_is_reached |= is_reached and number == numbers[-1]
            if problem:
                table.fail(name, kind, number, call, problem)
                held -= not is_reached
            held += is_reached and not problem
        first = count + 1
        if last_is_reached and every == 1:
            count += 2
    table.add(name, kind, held, reached, time.monotonic() - start)


def pool(processes=None):
    """Each case mostly waits for programs that start."""
    return concurrent.futures.ProcessPoolExecutor(
        processes or 3 * (os.cpu_count() or 1), mp_context=multiprocessing.get_context("fork"))


def repeat(case):
    """Runs one case alone, as a failure prints it."""
    name, kind, at = case.split(": ")
    if name == "postgres":
        return postgres.run(Table(), kind, at)
    if name == "consumer":
        table = Table()
        consumers.run(program.SCRATCH, table, lambda _, other: other == kind)
        return f"{case}" not in table.cases
    if kind.startswith(CUT):
        contents, record = good_run(OPERATIONS[name])
        for state in cut_states(contents, record, kind.removeprefix(CUT)):
            if state[0] == int(at):
                problem = attempt_cut(name, *state)
    else:
        is_reached, call, problem = attempt(name, kind, int(at))
        print(f"{call or 'the boundary was not reached'}")
    print(problem or "It holds.")
    return not problem


def main(select=lambda name, kind: True, every=1, processes=None, postgres_lanes=()):
    with tempfile.TemporaryDirectory(prefix="longpress-cuts-") as folder:
        program.make_templates(pathlib.Path(folder))
        if case := os.environ.get("CASE"):
            return repeat(case)
        table = Table()
        with pool(processes) as workers:
            for name, operation in OPERATIONS.items():
                for kind in kinds(operation):
                    if select(name, kind):
                        run_kind(workers, table, name, kind, every)
        consumers.run(folder, table, select, every)
        for lanes in postgres_lanes:
            postgres.run(table, lanes)
        return table.close()


if __name__ == "__main__":
    words = sys.argv[1:]
    # "files": all but PostgreSQL. "PostgreSQL" or "PostgreSQL, claim": the lanes whose names begin like this.
    lanes = [word.removeprefix("PostgreSQL").lstrip(", ") or "all" for word in words if word.startswith("PostgreSQL")] if words else ["all"]
    sys.exit(not main(lambda name, kind: not words or "files" in words or any(f"{name}: {kind}".startswith(word) for word in words),
                      every=int(os.environ.get("EVERY", "1")), postgres_lanes=lanes))
