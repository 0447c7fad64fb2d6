"""Fetches spread over many apps, versions and languages by Zipf's law, beside fetches of one of them; and what a miss costs."""

import itertools
import pathlib
import random
import tempfile
import time

from bench import IS_SMOKE, LANGUAGES, SECONDS, filled_store, longpress, percentile, table, target, wrk

APPS = 100 if IS_SMOKE else 10_000
VERSIONS = ["1.5.0", "2.5.0", "3.5.0"]
SCRIPT = """
math.randomseed(os.time())
local requests, order, place = {}, {}, 0
init = function()
  for line in io.lines('%s') do requests[#requests + 1] = wrk.format('GET', line) end
  for line in io.lines('%s') do order[#order + 1] = tonumber(line) end
  place = math.random(#order)  -- so that no run repeats the one before
end
request = function()
  place = place %% #order + 1
  return requests[order[place]]
end
"""


def targets():
    return [target(f"com.example.app{app}", version, language)
            for app, version, language in itertools.product(range(APPS), VERSIONS, LANGUAGES)]


def zipf(count, draws, exponent=1.0):
    """Ranks from 1 on, each as often as 1 / rank ** exponent says."""
    ranks = range(1, count + 1)
    return random.choices(ranks, weights=[rank ** -exponent for rank in ranks], k=draws)


def script(folder, name, all_targets, order):
    paths, places = pathlib.Path(folder) / "targets", pathlib.Path(folder) / f"{name}.order"
    paths.write_text("\n".join(all_targets) + "\n")
    places.write_text("\n".join(map(str, order)) + "\n")
    lua = pathlib.Path(folder) / f"{name}.lua"
    lua.write_text(SCRIPT % (paths, places))
    return lua


def counter(server, name):
    connection = server.connect()
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name))


def spread(database, folder, budget, all_targets, order):
    """The same generator for both, so that its own work is the same."""
    with longpress("--cache-budget", budget, database=database) as server:
        wide, narrow = script(folder, "wide", all_targets, order), script(folder, "narrow", all_targets, [1])
        empty = server.memory()["Rss"]
        # Every one once, and then until what is kept is what Zipf's law keeps.
        wrk(server, "/", script=script(folder, "each", all_targets, range(1, len(all_targets) + 1)), seconds=len(all_targets) / 2500)
        wrk(server, "/", script=wide, seconds=SECONDS if IS_SMOKE else 4 * SECONDS)
        hits, misses = (counter(server, f"longpress_cache_{name}_total") for name in ("hits", "misses"))
        rounds = [(wrk(server, "/", script=narrow), wrk(server, "/", script=wide)) for _ in range(3)]
        one, many = (sorted(pair[index]["cpu"] for pair in rounds)[1] for index in (0, 1))
        rates = [sorted(pair[index]["rate"] for pair in rounds)[1] for index in (0, 1)]
        hits, misses = (counter(server, f"longpress_cache_{name}_total") - before
                        for name, before in (("hits", hits), ("misses", misses)))
        narrow_requests = sum(pair[0]["requests"] for pair in rounds)
        share = (hits - narrow_requests) / (hits - narrow_requests + misses)
        grown, kept = server.memory()["Rss"] - empty, counter(server, "longpress_cache_bytes")
    return [budget, f"{rates[0]:,.0f}", f"{rates[1]:,.0f}", f"{rates[1] / rates[0]:.2f}", f"{one:.2f}", f"{many:.2f}", f"{share:.1%}",
            f"{kept / 2**20:.0f}", f"{grown / 2**20:.0f}"]


def misses(database, all_targets):
    """Milliseconds of fetches that nobody made before, one after the other; then of the same again."""
    with longpress(database=database) as server:
        connection = server.connect()
        first, again = [], []
        for times in (first, again):
            before = server.cpu_seconds()
            for path in random.Random(1).sample(all_targets, min(len(all_targets), 2000)):
                begun = time.perf_counter()
                connection.request("GET", path)
                connection.getresponse().read()
                times.append((time.perf_counter() - begun) * 1e6)
            times.append((server.cpu_seconds() - before) / len(times) * 1e6)
    return first, again


def main():
    random.seed(1)
    all_targets = targets()
    order = zipf(len(all_targets), 50_000 if IS_SMOKE else 500_000)
    random.shuffle(all_targets)
    with filled_store(APPS) as database, tempfile.TemporaryDirectory() as folder:
        print(f"{APPS:,} apps × 3 versions × 4 languages, Zipf with exponent 1 over all {len(all_targets):,}, one event loop; medians of 3.\n")
        rows = [["budget", "one, requests/s", "all, requests/s", "all vs. one", "one, CPU µs", "all, CPU µs", "hits, all",
                 "cached MiB", "added resident MiB"]]
        for budget in ["64MiB"] if IS_SMOKE else ["64MiB", "512MiB"]:
            rows.append(spread(database, folder, budget, all_targets, order))
        print(table(*rows))
        first, again = misses(database, all_targets)
        costs = [times.pop() for times in (first, again)]
        print(f"\nA miss over one connection: p50 {percentile(first, 0.5):.0f} µs, p99 {percentile(first, 0.99):.0f} µs, "
              f"{costs[0]:.0f} µs of server CPU; the same fetch again: p50 {percentile(again, 0.5):.0f} µs, {costs[1]:.0f} µs of CPU "
              "(both with the client's own time).")


if __name__ == "__main__":
    main()
