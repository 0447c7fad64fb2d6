"""docs/rollouts.md: every language chooses the same arms as the Swift sources, and the test vectors hold."""

import hashlib
import pathlib
import random
import re
import shutil
import string
import subprocess
import sys

import pytest

from documents import blocks
from longpress import ROOT

pytestmark = pytest.mark.any_engine

PAGE = "docs/rollouts.md"
DRIVERS = ROOT / "Tests/Documents/Rollouts"
VECTORS = [(rollout, unit, int(number)) for rollout, unit, number in
           re.findall(r"^\| `(\w+)` \| `(.+)` \| (\d+) \|$", (ROOT / PAGE).read_text(encoding="utf-8"), re.M)]
SOURCES = ["Rollouts/RolloutArm.swift", "Rollouts/RolloutShare.swift", "Values/SHA256.swift"]
LANGUAGES = {"python": "py", "js": "js", "kotlin": "kt", "go": "go", "swift": "swift"}
DICE = random.Random(22)


def rollouts(thresholds):
    return [("r4cX9" + "".join(DICE.choices(string.ascii_letters + string.digits, k=22)), threshold) for threshold in thresholds]


def units(count):
    """Installation ids and user ids of every kind."""
    characters = string.ascii_letters + string.digits + " .-_@+éß한글漢字🙂\u0301\u2028"
    kinds = [
        lambda: f"{DICE.getrandbits(128):032x}",
        lambda: str(DICE.randrange(10**9)),
        lambda: f"{''.join(DICE.choices(string.ascii_lowercase, k=9))}@example.com",
        lambda: "".join(DICE.choices(characters, k=DICE.randrange(100))),
    ]
    return [kinds[number % len(kinds)]() for number in range(count)]


def succeed(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def program(name):
    return shutil.which(name) or pytest.skip(f"{name} is not on this machine")


@pytest.fixture(scope="session", params=LANGUAGES)
def choose(request, tmp_path_factory):
    """Chooses the arms of units: a string of 1 (candidate) and 0 for each roll-out."""
    folder, language = tmp_path_factory.mktemp(request.param), request.param
    driver = pathlib.Path(shutil.copy(DRIVERS / f"choose.{LANGUAGES[language]}", folder)) if language != "swift" else DRIVERS / "main.swift"
    snippet, built = folder / f"snippet.{LANGUAGES[language]}", folder / "choose"
    if language == "swift":
        sources = [ROOT / "Sources/QuickActions" / name for name in SOURCES]
        succeed("swiftc", "-O", "-swift-version", "6", "-package-name", "longpress", *sources, driver, "-o", built)
        command = [built]
    else:
        block, = blocks(PAGE, language)
        snippet.write_text(block.text, encoding="utf-8")
    if language == "kotlin":
        succeed(program("kotlinc"), snippet, driver, "-include-runtime", "-d", folder / "choose.jar")
        command = ["java", "-jar", folder / "choose.jar"]
    elif language == "go":
        succeed(program("go"), "build", "-o", built, snippet, driver)
        command = [built]
    elif language in ("python", "js"):
        driver.write_text(block.text + driver.read_text(encoding="utf-8"), encoding="utf-8")
        command = [sys.executable if language == "python" else program("node"), driver]

    def run(rollouts, units):
        files = folder / "rollouts", folder / "units"
        files[0].write_text("\n".join(f"{id} {threshold}" for id, threshold in rollouts), encoding="utf-8")
        files[1].write_text("\n".join(units), encoding="utf-8")
        return succeed(*command, *files).split()

    return run


def number(rollout, unit):
    return int.from_bytes(hashlib.sha256(f"{rollout}.{unit}".encode()).digest()[:8], "big") % 10_000


CASES = rollouts([1, 50, 100, 999, 1000, 2500, 3333, 5000, 5001, 7500, 9000, 9950, 9999, 0, 10_000, 1000, 2000, 4000, 6000, 8000])
UNITS = units(10_000)
EXPECTED = ["".join(str(int(number(id, unit) < threshold)) for unit in UNITS) for id, threshold in CASES]


def test_every_language_chooses_the_same_arms(choose):
    assert len(CASES) == 20 and choose(CASES, UNITS) == EXPECTED


def test_every_language_holds_the_test_vectors(choose):
    assert len(VECTORS) == 10
    units = [unit for _, unit, _ in VECTORS]
    below, above = (choose([(rollout, number + more) for rollout, _, number in VECTORS], units) for more in (0, 1))
    for index, vector in enumerate(VECTORS):
        assert (below[index][index], above[index][index]) == ("0", "1"), vector


MILLION = 1_000_000


def test_a_million_units_get_the_candidate_by_their_share():
    """The numbers are those of the test above, in which every language agrees."""
    found = [0] * 10_000
    (id, _), = rollouts([0])
    for index in range(MILLION):
        found[number(id, f"{index:032x}")] += 1
    for threshold in (100, 1000, 5000, 9999):
        share = threshold / 10_000
        assert abs(sum(found[:threshold]) - MILLION * share) <= 4 * (MILLION * share * (1 - share)) ** 0.5, threshold
    # Chi-squared with 9,999 degrees of freedom, 4 standard deviations.
    assert abs(sum((count - 100) ** 2 / 100 for count in found) - 9_999) < 4 * (2 * 9_999) ** 0.5


def test_two_rollouts_choose_independently():
    (first, _), (second, _) = rollouts([0, 0])
    found = [[0] * 100 for _ in range(100)]
    for index in range(MILLION):
        unit = f"{index:032x}"
        found[number(first, unit) // 100][number(second, unit) // 100] += 1
    for size in (1, 10, 50):
        both = sum(sum(row[:size]) for row in found[:size])
        one, other = sum(sum(row) for row in found[:size]), sum(sum(row[:size]) for row in found)
        table = [both, one - both, other - both, MILLION - one - other + both]
        expected = [one * other / MILLION, one * (MILLION - other) / MILLION, (MILLION - one) * other / MILLION,
                    (MILLION - one) * (MILLION - other) / MILLION]
        # One degree of freedom: 16 is 4 standard deviations.
        assert sum((seen - mean) ** 2 / mean for seen, mean in zip(table, expected)) < 16, size
    rows, columns = [sum(row) for row in found], [sum(column) for column in zip(*found)]
    cells = [(found[i][j], rows[i] * columns[j] / MILLION) for i in range(100) for j in range(100)]
    assert abs(sum((seen - mean) ** 2 / mean for seen, mean in cells) - 99 * 99) < 4 * (2 * 99 * 99) ** 0.5
