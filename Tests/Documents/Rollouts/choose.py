"""Prints a line for each roll-out: 1 for each unit that gets the candidate, else 0. `gets_candidate` precedes this file."""
import pathlib
import sys

rollouts, units = (pathlib.Path(path).read_text(encoding="utf-8").split("\n") for path in sys.argv[1:])
for rollout in rollouts:
    id, threshold = rollout.split(" ")
    print("".join(str(int(gets_candidate(id, int(threshold), unit))) for unit in units))  # noqa: F821
