"""Finds phrases that readers stumble over, and says what to write instead (scripts/banned-phrases).

usage: check_words.py [FILE ...]

Searches the documents, the API description, the console's texts, and the comments and strings of the Swift sources. Code blocks and
text between backticks are skipped. Exits with 1 if a phrase is found."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENTS = ["*.md", "docs/*.md", "docs/decisions/*.md", "deploy/*.md", "Examples/*/*.md", "Sources/**/*.docc/*.md"]
CONSOLE = "Sources/API/Console/Files/strings.js"
BREAK = "\0"  # In place of text that is not searched: no phrase spans it.

FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2[^\n]*$", re.M | re.S)
CODE = re.compile(r"(`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)\1(?!`)", re.S)
TARGET = re.compile(r"\]\([^)\n]*\)|<https?:[^>\n]*>|https?://\S+")
EMPTY_LINE = re.compile(r"\n(?=[ \t]*\n)")
SWIFT = re.compile(r'//[^\n]*|""".*?"""|#*"(?:\\.|[^"\\\n])*"', re.S)
SCRIPT = re.compile(r"//[^\n]*|/\*.*?\*/|`(?:\\.|[^`\\])*`|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
INTERPOLATION = re.compile(r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{[^{}]*\}")
MARK = re.compile(r"^[ \t]*(///?|\*)", re.M)


def blank(match):
    """As many characters that no phrase contains, so that offsets and line numbers stay the same."""
    return re.sub(r"[^\n]", BREAK, match[0])


def prose(text):
    """The text of a document, without its code."""
    for code in (FENCE, CODE, TARGET):
        text = code.sub(blank, text)
    return EMPTY_LINE.sub(BREAK, text)


def literals(text, pattern):
    """The comments and strings of a source file, without code in them."""
    parts, end = [], 0
    for match in pattern.finditer(text):
        gap = text[end : match.start()]
        # Comments on adjacent lines are one text.
        parts.append(gap if match[0].startswith("//") and not gap.strip() else re.sub(r"[^\n]", BREAK, gap))
        literal = INTERPOLATION.sub(blank, match[0])
        parts.append(CODE.sub(blank, literal) if literal[0] != "`" else literal)
        end = match.end()
    return MARK.sub(lambda mark: " " * len(mark[0]), "".join(parts) + BREAK * (len(text) - end))


def compiled(pattern):
    return re.compile(rf"\b(?<!-)(?:{pattern})(?![\w-])", re.I)


def phrases():
    """The list by section: a pattern and better words for each phrase."""
    sections, section = {}, None
    for line in (ROOT / "scripts/banned-phrases").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), [])
            continue
        pattern, better = line.split("\t")
        section.append((pattern.replace(" ", r"\s+"), better))
    return sections


def searched(path, text):
    """The text of a file that is searched, and the sections of the list that apply to it."""
    if path.suffix == ".swift":
        return literals(text, SWIFT), ["all"]
    if path.suffix == ".js":
        return literals(text, SCRIPT), ["all", "prose", "console"]
    return prose(text), ["all", "prose"]


def files():
    names = [name for pattern in DOCUMENTS for name in sorted(ROOT.glob(pattern))]
    return names + [ROOT / "openapi.yaml", ROOT / CONSOLE, *sorted((ROOT / "Sources").rglob("*.swift"))]


def findings(path, sections):
    text = path.read_text()
    visible, names = searched(path, text)
    listed = [phrase for name in names for phrase in sections.get(name, [])]
    # One search for all of them is ten times faster, and mostly finds nothing.
    if not compiled("|".join(pattern for pattern, _ in listed)).search(visible):
        return
    for pattern, better in listed:
        for match in compiled(pattern).finditer(visible):
            line = text.count("\n", 0, match.start()) + 1
            yield line, " ".join(match[0].split()), better


def main(names):
    sections = phrases()
    found = False
    for path in [pathlib.Path(name).resolve() for name in names] or files():
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for line, phrase, better in sorted(findings(path, sections)):
            print(f'{shown}:{line}: "{phrase}": say "{better}"')
            found = True
    return 1 if found else 0


sys.exit(main(sys.argv[1:]))
