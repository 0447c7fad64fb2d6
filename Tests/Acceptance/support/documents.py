"""The blocks of the documents, and a bash into which they are pasted line by line."""

import json
import pathlib
import re
import subprocess

from longpress import ROOT

FENCE = re.compile(r"^( *)```(\S*)\n(.*?)^\1```$", re.M | re.S)


class Block:
    def __init__(self, page, language, text, line):
        self.page, self.language, self.text, self.line = page, language, text, line

    def __repr__(self):
        return f"{self.page}:{self.line}"


def pages():
    """Every page for readers, by its path in the repository."""
    paths = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")]
    return sorted(str(path.relative_to(ROOT)) for path in paths)


def blocks(page, *languages):
    text = (ROOT / page).read_text()
    found = [
        Block(page, match[2], re.sub(f"^{match[1]}", "", match[3], flags=re.M), text[: match.start()].count("\n") + 1)
        for match in FENCE.finditer(text)
    ]
    assert 2 * len(found) == len(re.findall(r"^\s*(?:```|~~~)", text, re.M)), f"{page} has a fence of another kind"
    return [block for block in found if not languages or block.language in languages]


def commands(text):
    """The commands of a block, each with its trailing comment. A command may have several lines."""
    pending = []
    for line in text.splitlines():
        if not pending and (not line.strip() or line.lstrip().startswith("#")):
            continue
        pending.append(line)
        command = "\n".join(pending)
        if line.endswith("\\") or subprocess.run(["bash", "-n"], input=command, capture_output=True, text=True).returncode:
            continue
        found = re.search(r"\s#\s+(.*)$", line)
        yield command, found[1] if found else ""
        pending = []
    assert not pending, f"this is no whole command: {pending}"


class Shell:
    """One bash, in the repository's folder. Every curl reports the status of the answer, so that a rejected request fails, unless the
    command's comment begins with that status."""

    WRAPPER = r"""
curl() { command curl -w '%{stderr}\nstatus=%{http_code}\n' "$@"; }
"""

    def __init__(self, folder):
        self.errors = pathlib.Path(folder) / "stderr"
        self.process = subprocess.Popen(
            ["bash", "--norc", "--noprofile"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.run(self.WRAPPER)

    def run(self, command):
        """The command's standard output, standard error and exit status."""
        end = "end-of-command-5f0c"
        self.process.stdin.write(f"{{\n{command}\n}} 2> {self.errors}\nended=$?; echo; echo {end} $ended\n")
        self.process.stdin.flush()
        printed = []
        for line in self.process.stdout:
            if line.startswith(end):
                return "".join(printed)[:-1], self.errors.read_text(), int(line.split()[1])
            printed.append(line)
        raise AssertionError(f"bash ended at: {command}")

    def paste(self, block):
        """Runs every command of the block and returns their output. A comment after a command is checked: the status of the answer, the
        exit status, or the JSON of the answer."""
        printed = []
        for command, comment in commands(block.text):
            output, errors, status = self.run(command)
            said = f"{block}: {command}\n{output}{errors}"
            promised = re.match(r"(?:exit (\d+)|(\d{3}))\b", comment)
            statuses = re.findall(r"^status=(\d+)$", errors, re.M)
            if promised and promised[2]:
                assert statuses and statuses[-1] == promised[2], f"it is not {promised[2]}: {said}"
            else:
                assert all(answer[0] in "23" for answer in statuses), f"it was refused: {said}"
            assert status == int(promised[1] if promised and promised[1] else 0), f"exit {status}: {said}"
            if comment.startswith("{") and "…" not in comment:
                assert json.loads(output) == json.loads(comment), said
            printed.append(output)
        return "".join(printed)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=120)
        self.process.stdout.close()
