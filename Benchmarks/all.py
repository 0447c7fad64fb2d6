"""Runs the named measurements in order and writes them to RESULTS.md, with the machine. A smoke run only prints them."""

import contextlib
import datetime
import importlib
import io
import os
import pathlib
import sys

from bench import IS_SMOKE, machine

TITLES = {
    "fetch": "A fetch, compared with its peers", "instructions": "Instructions per fetch", "breadth": "Many menus", "writes": "Publishes",
    "busy": "While busy", "small": "Small", "strangers": "Requests without a token", "loops": "Two event loops",
    "stream": "The live stream",
}
RESULTS = pathlib.Path(__file__).with_name("RESULTS.md")
# A run keeps the text below this line, which is written by hand.
BY_HAND = "\n<!-- Below: not written by make bench. -->\n"
HEAD = """# Results

`make bench` runs all measurements and writes this file. `make bench-fetch` and similar commands run one measurement and print it.
Ratios and CPU time transfer to other machines better than rates do. The load generators run on the same machine.

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
        when = f"Measured on {datetime.date.today()} on {machine()}; load averages at the end {load}.\n\n"
        former = RESULTS.read_text() if RESULTS.exists() else ""
        kept = BY_HAND + former.split(BY_HAND, 1)[1] if BY_HAND in former else ""
        RESULTS.write_text(HEAD + when + "\n".join(sections) + kept)


if __name__ == "__main__":
    main(sys.argv[1:])
