"""Runs the simulator (README.md here).

    simulate.py run [SEED=7] [NODES=3] [STEPS=30] [TRACE=file] [SKIP=1,2]     one seed
    simulate.py run SECONDS=60 [SEED=7] [NODES=3] [STEPS=30]                  seeds from SEED on (default: a new one, printed first)
    simulate.py run COUNT=200 [SEED=7] [NODES=3] [STEPS=30]                   so many seeds
    simulate.py planted [ROTATE=5] [NAME …]                        finds the planted faults, or five that depend on the commit
"""
import concurrent.futures
import itertools
import os
import pathlib
import re
import resource
import secrets
import shutil
import subprocess
import sys
import time

import build

HERE = pathlib.Path(__file__).resolve().parent
# How many orders of threads are tried to leave a step out.
ORDERS = 4
# How many seeds one process runs.
AT_ONCE = 5
PROCESSES = int(os.environ.get("PROCESSES", os.cpu_count() or 2))
# How many planted faults are tried at once.
AT_ONCE_PLANTED = int(os.environ.get("PLANTED_AT_ONCE") or 1)


def execute(program, seed, limits=(), skipped=(), trace=None):
    """(the judge that fails or None, the output). `limits` is such as ["nodes=3", "steps=30"]."""
    command = [program, "run", str(seed), *limits]
    if skipped:
        command.append("skip=" + ",".join(map(str, sorted(skipped))))
    if trace:
        command.append(f"trace={trace}")
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    output = done.stdout + done.stderr
    if done.returncode == 0:
        return None, output
    if done.returncode != 1:
        return "crash", output[-4000:] + f"\nThe simulation ended with {done.returncode}."
    return output.splitlines()[-1].split(":")[0], output


def steps(program, seed, limits):
    lines = subprocess.run([program, "plan", str(seed), *limits], capture_output=True, text=True).stdout.splitlines()
    return {int(line.split()[0]): line for line in lines if line.strip()}


def shrink(program, seed, limits, judge, limit):
    """All steps, those that are left when as many as possible are removed and the same judge still fails, and the order of threads in
    which it does: without a step, a rare order becomes another one."""
    plan = steps(program, seed, limits)
    left, size, end, order = sorted(plan), max(1, len(plan) // 2), time.monotonic() + limit, 0
    while left and time.monotonic() < end:
        removed = False
        for start in range(0, len(left), size):
            if time.monotonic() > end:
                break
            rest = left[:start] + left[start + size:]
            found = next((other for other in (order, *range(1, ORDERS)) if time.monotonic() < end
                          and execute(program, seed, [*limits, f"order={other}"], set(plan) - set(rest))[0] == judge), None)
            if found is not None:
                left, removed, order = rest, True, found
                break
        if not removed:
            if size == 1:
                break
            size //= 2
    return plan, left, order


def explain(program, seed, limits, judge, output, limit=60):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE).stdout.strip()
    print(output.strip())
    print(f"Seed {seed} fails at commit {commit}. Removing steps for at most {limit} s …", flush=True)
    plan, left, order = shrink(program, seed, limits, judge, limit)
    limits = [*limits, f"order={order}"] if order else limits
    skipped = sorted(set(plan) - set(left))
    print(f"{len(left)} of {len(plan)} steps are left:")
    for number in left:
        print(f"  {plan[number]}")
    trace = build.REPOSITORY / ".build-simulation" / f"trace-{seed}"
    verdict, again = execute(program, seed, limits, skipped, trace)
    print(again.strip())
    print("The last 30 lines of its trace:")
    for line in trace.read_text().splitlines()[-30:] if trace.exists() else []:
        print(f"  {line[:220]}")
    print(f"Again: make simulate SEED={seed}" + "".join(f" {limit[:5].upper()}{limit[5:]}" for limit in limits) + f" SKIP={','.join(map(str, skipped))}")


def execute_each(program, seeds, limits):
    """The output of several seeds, one after another, and the one that failed or None. A process for many starts faster."""
    done = subprocess.run([str(part) for part in (program, "run", *seeds, *limits)], capture_output=True, text=True)
    last = re.findall(r"^seed (\d+)", done.stdout, re.MULTILINE)
    return done.stdout, int(last[-1]) if done.returncode and last else seeds[0] if done.returncode else None


def processor_seconds():
    """What the ended child processes used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_seeds(program, seeds, limits, goes_on=lambda: True, quiet=False):
    """The first seed that fails as (seed, judge, output), or None; how many ran, and their virtual hours."""
    count, hours, failed = 0, 0.0, None
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        running = {}
        while True:
            while failed is None and len(running) < PROCESSES and goes_on():
                some = list(itertools.islice(seeds, AT_ONCE))
                if not some:
                    break
                running[pool.submit(execute_each, program, some, limits)] = some
            if not running:
                return failed, count, hours
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                del running[future]
                output, seed = future.result()
                ran = re.findall(r"^seed .*?([0-9.]+) virtual hours", output, re.MULTILINE)
                count += len(ran)
                hours += sum(map(float, ran))
                if seed is not None and (failed is None or seed < failed[0]):
                    failed = (seed, *execute(program, seed, limits))
                elif not quiet:
                    print(re.sub(r"(?m)^held\n", "", output), end="", flush=True)


def forever(first):
    while True:
        yield first
        first += 1


def find_planted(patch, seconds):
    """Applies the patch to a copy, builds it and runs seeds from 1 on. Whether it was found, and a line about it."""
    folder = build.REPOSITORY / ".build-simulation" / "planted" / patch.stem
    sources, output = folder / "sources", folder / "build"
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("Sources", "Tests/Simulation"):
        shutil.copytree(build.REPOSITORY / part, sources / part, symlinks=False)
    output.mkdir(parents=True)
    for path in (build.REPOSITORY / ".build-simulation").iterdir():
        if path.suffix in (".o", ".swiftmodule", ".state"):
            shutil.copy2(path, output / path.name)
    shutil.copytree(build.REPOSITORY / ".build-simulation" / "generated", output / "generated")
    applied = subprocess.run(["patch", "-p1", "-s", "-i", patch], cwd=sources, capture_output=True, text=True)
    if applied.returncode:
        return False, f"{patch.stem} does not apply: {applied.stdout}{applied.stderr}"
    begun = time.monotonic()
    try:
        program = build.build(sources, output, keeps_interfaces=True)
    except SystemExit as error:
        return False, f"{patch.stem}: {error}"
    built = time.monotonic() - begun
    begun, used = time.monotonic(), processor_seconds()
    # Of the processors, so that other work beside it takes nothing away. All patches that are tried at once share this count.
    budget = seconds * PROCESSES * AT_ONCE_PLANTED
    failed, count, _ = run_seeds(program, forever(1), [], lambda: processor_seconds() - used < budget, quiet=True)
    found = f"{time.monotonic() - begun:5.1f} s" if failed else "not found"
    shutil.rmtree(folder, ignore_errors=True)
    sentence = patch.read_text().splitlines()[0].lstrip("# ")
    line = f"{patch.stem:28} {found:>9}  {count:3} seeds, built in {built:3.0f} s  {sentence}"
    return failed is not None, line + (f"\n{'':28} {failed[2].strip().splitlines()[-1][:150]}" if failed else "")


def planted(names, some=None):
    seconds = float(os.environ.get("PLANTED_SECONDS") or 120)
    build.build()
    patches = [patch for patch in sorted((HERE / "planted").glob("*.patch")) if not names or patch.stem in names]
    if some:
        first = int(subprocess.check_output(["git", "rev-parse", "--short=8", "HEAD"], text=True, cwd=HERE), 16) % len(patches)
        patches = [patches[(first + number) % len(patches)] for number in range(some)]
    found = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE_PLANTED) as pool:
        for future in [pool.submit(find_planted, patch, seconds) for patch in patches]:
            is_found, line = future.result()
            found += is_found
            print(line, flush=True)
    print(f"{found} of {len(patches)} planted faults were found within {seconds:.0f} s of {PROCESSES} processors each.")
    # Two of thirty may be too rare, and either may be among few.
    return 0 if len(patches) - found <= max(len(patches) // 15, len(patches) > 1) else 1


def main(arguments):
    options = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    words = [argument for argument in arguments if "=" not in argument]
    options = {name: value for name, value in options.items() if value}
    if words[0] == "planted":
        return planted(words[1:], int(options.get("ROTATE", 0)))
    limits = [f"{name.lower()}={options[name]}" for name in ("NODES", "STEPS", "ORDER") if name in options]
    if "SECONDS" in options or "COUNT" in options:
        seed = int(options.get("SEED") or secrets.randbelow(1 << 40))
        print(f"The first seed is {seed}.", flush=True)
        program = build.build()
        begun = time.monotonic()
        seeds = range(seed, seed + int(options["COUNT"])) if "COUNT" in options else forever(seed)
        until = begun + float(options.get("SECONDS", "inf"))
        failed, ran, hours = run_seeds(program, iter(seeds), limits, lambda: time.monotonic() < until, quiet="COUNT" in options)
        print(f"{ran} seeds, {hours:.1f} virtual hours in {time.monotonic() - begun:.1f} s")
    else:
        program = build.build()
        seed = int(options.get("SEED") or 1)
        skipped = [int(number) for number in options.get("SKIP", "").split(",") if number]
        judge, output = execute(program, seed, limits, skipped, options.get("TRACE"))
        if judge is None or skipped:
            print(output.strip())
            return 1 if judge else 0
        failed = (seed, judge, output)
    if failed:
        explain(program, failed[0], limits, failed[1], failed[2], float(os.environ.get("SHRINK", 60)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
