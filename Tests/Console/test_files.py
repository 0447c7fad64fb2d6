"""The console's files, as they are in the repository."""

import gzip
import pathlib
import re

FILES = pathlib.Path(__file__).resolve().parents[2] / "Sources/Console/Files"


def imports(file):
    """The modules that a module names, without those that it loads later."""
    return [(file.parent / name).resolve() for name in re.findall(r'^import[^;]*? from "([^"]+)";$', file.read_text(), re.M)]


def reached_from(*modules):
    found, waiting = set(), [FILES / module for module in modules]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imports(module)
    return {str(module.relative_to(FILES)) for module in found}


def test_what_the_first_page_needs_is_asked_for_at_once():
    """Each level of imports would be a round trip of its own."""
    preloaded = re.findall(r'rel="modulepreload" href="files/([^"]+)"', (FILES / "index.html").read_text())
    assert set(preloaded) == reached_from("main.js", "rooms/apps.js") and len(preloaded) == len(set(preloaded))


def test_every_module_is_used():
    later = re.findall(r'import\("\.\./(rooms/[^"]+)"\)', (FILES / "shell/routes.js").read_text())
    assert reached_from("main.js", *later) == {str(file.relative_to(FILES)) for file in FILES.rglob("*.js")}


def test_all_of_it_is_small(server):
    """On the wire, all files that the page can ask for."""
    page = server.get("/console/", accept_encoding="gzip")
    folder = re.search(r'src="(files/[^/]+/)main.js"', gzip.decompress(page.body).decode())[1]
    bodies = [page.body]
    for file in FILES.rglob("*"):
        if file.is_file() and file.name != "index.html":
            answer = server.get(f"/console/{folder}{file.relative_to(FILES)}", accept_encoding="gzip")
            assert answer.status == 200, file
            bodies.append(answer.body)
    assert sum(map(len, bodies)) <= 120_000


def test_what_is_served_is_what_is_there_without_comments(server):
    """Lines of code are served as they stand but for their indentation; a comment within a line too."""
    folder = re.search(r'src="(files/[^/]+/)main.js"', server.get("/console/").body.decode())[1]
    for file in FILES.rglob("*.js"):
        served = server.get(f"/console/{folder}{file.relative_to(FILES)}").body.decode().splitlines()
        source = re.sub(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$|^[ \t]*//[^\n]*$", "", file.read_text(), flags=re.M | re.S)
        assert [line for line in served if line] == [line.lstrip() for line in source.splitlines() if line.strip()], file


def test_no_text_goes_over_several_lines():
    """Its indentation would be lost."""
    for file in FILES.rglob("*.js"):
        for line in file.read_text().splitlines():
            assert line.lstrip().startswith(("*", "//", "/**")) or line.count("`") % 2 == 0, (file.name, line)


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
