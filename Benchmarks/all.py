"""Takes the measurements named, one after the other, and writes them into RESULTS.md with the machine; a smoke run only prints."""

import contextlib
import datetime
import importlib
import io
import os
import pathlib
import sys

from bench import IS_SMOKE, machine

TITLES = {
    "fetch": "A fetch beside its peers", "instructions": "Instructions a fetch", "breadth": "Many menus", "writes": "Publishes",
    "busy": "While busy", "small": "Small", "strangers": "Strangers", "loops": "Two event loops",
    "stream": "The live stream",
}
RESULTS = pathlib.Path(__file__).with_name("RESULTS.md")
# What stands below this line was not written by a run, and stays.
BY_HAND = "\n<!-- Below: not written by make bench. -->\n"
HEAD = """# Results

`make bench` takes all of these in one run and writes this file; `make bench-fetch` and its like take one and print it. Ratios
and CPU time carry over to other machines better than rates do. The load generators run on the same machine.

"""


def main(names):
    sections = []
    for name in names:
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            importlib.import_module(name).main()
        sections.append(f"## {TITLES[name]}\n\n{text.getvalue().strip()}\n")
        print(sections[-1], flush=True)
    if not IS_SMOKE:
        load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
        when = f"Taken on {datetime.date.today()} on {machine()}; load averages at the end {load}.\n\n"
        former = RESULTS.read_text() if RESULTS.exists() else ""
        kept = BY_HAND + former.split(BY_HAND, 1)[1] if BY_HAND in former else ""
        RESULTS.write_text(HEAD + when + "\n".join(sections) + kept)


if __name__ == "__main__":
    main(sys.argv[1:])
