"""Runs the simulator (README.md here).

    simulate.py run [SEED=7] [NODES=3] [STEPS=30] [TRACE=file] [SKIP=1,2]     one seed
    simulate.py run SECONDS=60 [SEED=7] [NODES=3] [STEPS=30]                  seeds from SEED on (default: a new one, printed first)
    simulate.py run COUNT=200 [SEED=7] [NODES=3] [STEPS=30]                   so many seeds
    simulate.py planted [NAME …]                                   finds the planted faults
"""
import concurrent.futures
import os
import pathlib
import secrets
import shutil
import subprocess
import sys
import time

import build

HERE = pathlib.Path(__file__).resolve().parent
PROCESSES = int(os.environ.get("PROCESSES", os.cpu_count() or 2))


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
    """The steps that are left when as many as possible are removed and the same judge still fails."""
    plan = steps(program, seed, limits)
    left, size, end = sorted(plan), max(1, len(plan) // 2), time.monotonic() + limit
    while left and time.monotonic() < end:
        removed = False
        for start in range(0, len(left), size):
            if time.monotonic() > end:
                break
            rest = left[:start] + left[start + size:]
            if execute(program, seed, limits, set(plan) - set(rest))[0] == judge:
                left, removed = rest, True
                break
        if not removed:
            if size == 1:
                break
            size //= 2
    return plan, left


def explain(program, seed, limits, judge, output, limit=60):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE).stdout.strip()
    print(output.strip())
    print(f"Seed {seed} fails at commit {commit}. Removing steps for at most {limit} s …", flush=True)
    plan, left = shrink(program, seed, limits, judge, limit)
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


def run_seeds(program, seeds, limits, until=None, quiet=False):
    """The first seed that fails as (seed, judge, output), or None; and how many ran."""
    count, hours, failed = 0, 0.0, None
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        running = {}
        while True:
            while failed is None and len(running) < PROCESSES and (until is None or time.monotonic() < until):
                seed = next(seeds, None)
                if seed is None:
                    break
                running[pool.submit(execute, program, seed, limits)] = seed
            if not running:
                return failed, count, hours
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                seed = running.pop(future)
                judge, output = future.result()
                count += 1
                words = output.split(" virtual hours")[0].split()
                hours += float(words[-1]) if words and words[-1].replace(".", "").isdigit() else 0
                if judge and (failed is None or seed < failed[0]):
                    failed = (seed, judge, output)
                elif not quiet and not judge:
                    print(output.splitlines()[0], flush=True)


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
    begun = time.monotonic()
    failed, count, _ = run_seeds(program, forever(1), [], begun + seconds, quiet=True)
    found = f"{time.monotonic() - begun:5.1f} s" if failed else "not found"
    shutil.rmtree(folder, ignore_errors=True)
    sentence = patch.read_text().splitlines()[0].lstrip("# ")
    line = f"{patch.stem:28} {found:>9}  {count:3} seeds, built in {built:3.0f} s  {sentence}"
    return failed is not None, line + (f"\n{'':28} {failed[2].strip().splitlines()[-1][:150]}" if failed else "")


def planted(names):
    seconds = float(os.environ.get("PLANTED_SECONDS") or 120)
    build.build()
    patches = [patch for patch in sorted((HERE / "planted").glob("*.patch")) if not names or patch.stem in names]
    found = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("PLANTED_AT_ONCE") or 1)) as pool:
        for future in [pool.submit(find_planted, patch, seconds) for patch in patches]:
            is_found, line = future.result()
            found += is_found
            print(line, flush=True)
    print(f"{found} of {len(patches)} planted faults were found within {seconds:.0f} s each.")
    return 0 if found * 30 >= len(patches) * 28 else 1


def main(arguments):
    options = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    words = [argument for argument in arguments if "=" not in argument]
    options = {name: value for name, value in options.items() if value}
    if words[0] == "planted":
        return planted(words[1:])
    limits = [f"{name.lower()}={options[name]}" for name in ("NODES", "STEPS") if name in options]
    if "SECONDS" in options or "COUNT" in options:
        seed = int(options.get("SEED") or secrets.randbelow(1 << 40))
        print(f"The first seed is {seed}.", flush=True)
        program = build.build()
        begun = time.monotonic()
        seeds = range(seed, seed + int(options["COUNT"])) if "COUNT" in options else forever(seed)
        until = begun + float(options["SECONDS"]) if "SECONDS" in options else None
        failed, ran, hours = run_seeds(program, iter(seeds), limits, until, quiet="COUNT" in options)
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
