#!/usr/bin/env python3
"""Compares the reference pages with the code: check_reference.py [ROOT] prints what does not fit.

docs/errors.md has a row for each error and warning code, docs/endpoints.md one for each operation of openapi.yaml with the role that
its route requires, docs/settings.md one for each setting with its default, docs/limits.md names only settings that exist, and
ARCHITECTURE.md only source files that exist."""

import pathlib
import re
import sys

import yaml

METHODS = {"get", "put", "post", "patch", "delete"}


def rows(page, heading=None):
    """The cells of each row of the page's tables, or of those below a heading. The first row of a table and its line are left out."""
    if heading:
        page = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    for table in re.findall(r"(?:^\|.*\n)+", page, re.M):
        for line in table.splitlines()[2:]:
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


class Reference:
    def __init__(self, root):
        self.root = root
        self.findings = []
        self.openapi = yaml.safe_load(self.text("openapi.yaml"))

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def sources(self, folder):
        return "\n".join(path.read_text(encoding="utf-8") for path in sorted((self.root / "Sources" / folder).rglob("*.swift")))

    def compare(self, page, kind, known, listed):
        if repeated := sorted({name for name in listed if listed.count(name) > 1}):
            self.findings.append(f"{page}: rows that occur twice: {', '.join(repeated)}")
        if missing := sorted(known - set(listed)):
            self.findings.append(f"{page}: {kind} without a row: {', '.join(missing)}")
        if unknown := sorted(set(listed) - known):
            self.findings.append(f"{page}: rows of {kind} that do not exist: {', '.join(unknown)}")

    def check(self):
        self.check_errors()
        self.check_warnings()
        self.check_endpoints()
        self.check_settings()
        self.check_architecture()
        return self.findings

    def check_errors(self):
        """Codes and statuses: the cases of Failure.Code, and the problem types that the server answers itself."""
        names = dict(re.findall(r"let (\w+) = Status\((\d+),", self.text("Sources/HTTP/Messages/Status.swift")))
        server = self.text("Sources/HTTP/Messages/ProblemType.swift")
        statuses = {code: names[status] for code, status in re.findall(r'code: "([\w-]+)", status: \.(\w+)', server)}
        codes = self.text("Sources/Shortcuts/Failures/Failure.swift").partition("enum Code")[2].partition("}")[0]
        mapping = self.text("Sources/API/Problems/Failure+ProblemType.swift")
        for case, code in re.findall(r'case (\w+)(?: = "([\w-]+)")?', codes):
            status = re.search(rf"case \.{case}:\s*type\(\s*\.(\w+)", mapping)
            statuses.setdefault(code or case, names[status[1]] if status else "unknown")
        page = list(rows(self.text("docs/errors.md"), "Errors"))
        self.compare("docs/errors.md", "errors", set(statuses), [row[0].strip("`") for row in page])
        for code, status, *_ in page:
            if statuses.get(code.strip("`"), status) != status:
                self.findings.append(f"docs/errors.md: {code} has the status {statuses[code.strip('`')]}, not {status}")

    def check_warnings(self):
        source = self.sources("Shortcuts")
        codes = re.findall(r'\bwarn\(\s*"([\w-]+)"|\bWarning\(\s*path: [^\n]*?, code: "([\w-]+)"|flaws\.append\(\s*\("([\w-]+)"', source)
        known = {code for found in codes for code in found if code}
        described = set(self.openapi["components"]["schemas"]["WarningCode"]["enum"])
        if known != described:
            self.findings.append(f"openapi.yaml: WarningCode and the source differ in {', '.join(sorted(known ^ described))}")
        self.compare("docs/errors.md", "warnings", known, [row[0].strip("`") for row in rows(self.text("docs/errors.md"), "Warnings")])

    def check_endpoints(self):
        operations = {
            f"{method.upper()} {path}": item[method]["operationId"]
            for path, item in self.openapi["paths"].items() for method in METHODS & item.keys()
        }
        roles = dict(re.findall(r'"(\w+)", \.(?:get|put|post|patch|delete), [^,\n]+, \.(\w+)', self.sources("API/Admin")))
        page = [row for row in rows(self.text("docs/endpoints.md")) if row[0].startswith("`")]
        self.compare("docs/endpoints.md", "operations", set(operations), [row[0].strip("`") for row in page])
        for operation, who, *_ in page:
            role = roles.get(operations.get(operation.strip("`")), "anyone")
            if not who.startswith(role):
                self.findings.append(f"docs/endpoints.md: {operation} is for {role}, not {who}")

    def check_settings(self):
        """Names and defaults: the table of Setting.swift, whose help has the default in the last parentheses."""
        table = re.findall(r'Row\(\s*"([\w-]+)",\s*"([^"]*)"', self.text("Sources/Service/Configuration/Setting.swift"))
        defaults = {f"--{name}": (re.findall(r"\(([^)]*)\)", text) or [""])[-1] for name, text in table}
        page = list(rows(self.text("docs/settings.md")))
        self.compare("docs/settings.md", "settings", set(defaults), [row[0].strip("`") for row in page])
        for name, default, *_ in page:
            known = defaults.get(name.strip("`"), "")
            if (value := re.match("`([^`]+)`", default)) and not known.startswith(value[1]):
                self.findings.append(f"docs/settings.md: the default of {name} is {known}, not {default}")
        named = set(re.findall(r"`(--[\w-]+)`", self.text("docs/limits.md")))
        if unknown := sorted(named - defaults.keys()):
            self.findings.append(f"docs/limits.md: settings that do not exist: {', '.join(unknown)}")

    def check_architecture(self):
        """Paths may begin at the repository's root or in Sources."""
        page = self.text("ARCHITECTURE.md")
        named = set(re.findall(r"`((?:Sources/)[^`\s]+|[\w+/]+\.swift)`", page) + re.findall(r"\]\((Sources/[^)#\s]+)\)", page))
        missing = [name for name in named if not (self.root / "Sources" / name.removeprefix("Sources/")).exists()]
        if missing:
            self.findings.append(f"ARCHITECTURE.md: files that do not exist: {', '.join(sorted(missing))}")


def main(root):
    findings = Reference(pathlib.Path(root)).check()
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent))
