"""The console's files in the repository."""

import itertools
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "Sources/API/Console/Files"

# The console shows its general sentence for these codes, because it does not send requests that cause them.
GENERAL_PROBLEMS = set("""
    malformed-json invalid-version invalid-parameter bad-request no-shortcut-set unknown-preview method-not-allowed not-acceptable unsupported-media-type
    precondition-required target-too-long expectation-failed not-implemented http-version-not-supported internal-error request-timeout
    fields-too-large
""".split())
GENERAL_FINDINGS = set("""
    format-unknown schema-unknown revision-order revision-content kind-unknown schedule-entry unknown-member
    title-language-missing shown-unapproved version-mismatch unknown-app endpoint-disabled type-unknown state-unknown header-name-invalid header-reserved
    too-many-headers apps-empty role-unknown duration-invalid duration-too-long icon-type-unknown userinfo-null
    audience-invalid symbol-unknown symbol-too-new bundled-outdated bundled-mismatch unknown-audience conflicting-members
""".split())
# Texts in the same sources that look like codes.
NO_CODES = set("longpress-export max-releases max-sets max-app-size admin-token first-token first-start command-line transfer-encoding".split())


def imports(file):
    """The modules that a module imports."""
    return [(file.parent / name).resolve() for name in re.findall(r'^import (?:[^;]*? from )?"([^"]+)";$', file.read_text(), re.M)]


def reached_from(*modules):
    found, waiting = set(), [FILES / module for module in modules]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imports(module)
    return {str(module.relative_to(FILES)) for module in found}


def test_every_module_is_used():
    assert reached_from("main.js") == {str(file.relative_to(FILES)) for file in FILES.rglob("*.js")}


def test_one_script_and_one_style_sheet_are_served(server):
    """The page names all files, and nothing else of the folder is served. The limit is the budget for all pages, in Brotli."""
    page, packed = server.get("/console/"), server.get("/console/", accept_encoding="gzip, br")
    named = sorted(set(re.findall(r'(?:src|href)="(files/[^"]+)"', page.body.decode())))
    assert sorted(name.rsplit("/")[-1] for name in named) == ["console.css", "icon.svg", "main.js"]
    sizes = {}
    for name, (coding, program) in itertools.product(named, {"br": "brotli", "gzip": "gzip"}.items()):
        answer = server.get(f"/console/{name}", accept_encoding=coding)
        assert (answer.status, answer.fields["content-encoding"]) == (200, coding)
        plain = subprocess.run([program, "-dc"], input=answer.body, capture_output=True, check=True).stdout
        assert plain == server.get(f"/console/{name}").body
        sizes[coding] = sizes.get(coding, len(packed.body)) + len(answer.body)
    assert sizes["br"] <= 97_000
    folder = named[0].rsplit("/", 1)[0]
    for other in ("shell/shell.js", "main.js.map"):
        assert server.get(f"/console/{folder}/{other}").status == 404


def test_lines_are_short():
    for file in FILES.rglob("*.js"):
        assert max(map(len, file.read_text().splitlines())) <= 120, file


def mapped(section):
    """The codes that have a sentence in strings.js."""
    block = re.search(rf"^    {section}: {{\n(.*?)^    }},", (FILES / "strings.js").read_text(), re.S | re.M)[1]
    return set(re.findall(r'^      "?([a-z-]+)"?:\s', block, re.M))


def listed(schema):
    """The values of an enum in openapi.yaml."""
    block = re.search(rf"^    {schema}:\n(.*?)^    \w", (ROOT / "openapi.yaml").read_text(), re.S | re.M)[1]
    return set(re.findall(r"^        - (?:/problems/)?([a-z-]+)$", block, re.M))


def codes_in_sources():
    """The codes of violations and warnings: every text of lower-case words with hyphens in the code that validates documents."""
    folders = ["Admin", "Applying", "Archive", "Documents", "Drafts", "Gap", "Releases", "Rollouts", "Timelines", "Values", "Webhooks"]
    files = [file for folder in folders for file in (ROOT / "Sources/Shortcuts" / folder).glob("*.swift")]
    files += (ROOT / "Sources/Webhooks/Endpoints").glob("*.swift")
    found = {"required"}
    for file in files:
        code = re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.M)
        found |= set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', code))
    return found - NO_CODES


def test_every_problem_of_the_api_has_a_sentence():
    problems = listed("ProblemType")
    assert len(problems) > 25
    assert problems - GENERAL_PROBLEMS == mapped("codes")
    assert GENERAL_PROBLEMS <= problems


def test_every_violation_and_warning_has_a_sentence():
    codes = codes_in_sources()
    assert len(codes) > 60 and listed("WarningCode") <= codes | GENERAL_FINDINGS
    assert codes - GENERAL_FINDINGS - mapped("findings") == set()
    assert mapped("findings") - codes == set()


def test_no_sentence_of_the_api_is_shown():
    """The messages of violations and the detail of problems name paths and codes, so that only problem.js reads them."""
    for file in FILES.rglob("*.js"):
        read = re.findall(r"\bbody\.(?:violations|warnings|detail|title)\b", file.read_text())
        assert not read or file.name in ("apps.js", "webhook.js"), (file.name, read)


def test_every_text_is_one_that_is_there_and_is_used():
    strings = (FILES / "strings.js").read_text()
    sections = dict(re.findall(r"^  (\w+): \{(.*?)(?=^  \w+: \{|^\};)", strings, re.S | re.M))
    for file in FILES.rglob("*.js"):
        for section, name in re.findall(r"\bstrings\.(\w+)\.(\w+)", file.read_text()):
            assert re.search(rf"(^|[\s,{{]){name}:", sections[section]), (file.name, section, name)


def test_rules_know_neither_the_page_nor_the_network():
    for folder, allowed in {"values": {"values"}, "menus": {"menus", "values"}}.items():
        for file in (FILES / folder).glob("*.js"):
            assert {module.parent.name for module in imports(file)} <= allowed | ({"Files"} if folder == "menus" else set()), file.name
            assert not re.search(r"\b(document\.(create|query|body)|fetch\(|window\b)", file.read_text()), file.name


def test_no_text_becomes_markup():
    for file in FILES.rglob("*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function|srcdoc", file.read_text()), file.name
