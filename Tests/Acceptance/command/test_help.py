"""The help of the command: topics, manual pages, and completions in real shells."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

from longpress import BINARY, ROOT

TOPICS = {"exit-codes": "a conflict must be decided", "tree": "sets/2.0.0@member.json", "settings": "LONGPRESS_LISTEN"}


def longpress(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_explained(topic):
    run = longpress("help", topic)
    assert (run.returncode, run.stderr) == (0, "") and TOPICS[topic] in run.stdout
    assert all(len(line) <= 140 for line in run.stdout.splitlines())
    assert topic in longpress("--help").stdout


def test_the_help_of_commands_stays():
    assert "USAGE: longpress plan" in longpress("help", "plan").stdout
    assert longpress("help").stdout == longpress("--help").stdout


def test_manual_pages_are_of_commands_and_topics(tmp_path):
    subprocess.run([ROOT / "scripts/manual-pages", BINARY, "2026-01-31", tmp_path], check=True, timeout=120)
    pages = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert {"longpress.1", "longpress-plan.1", "longpress-serve.1"} <= {*pages}
    assert {name for name in pages if name.endswith(".7")} == {f"longpress-{topic}.7" for topic in TOPICS}
    if shutil.which("man"):
        for topic, words in TOPICS.items():
            shown = subprocess.run(["man", "-l", tmp_path / f"longpress-{topic}.7"], check=True, capture_output=True, text=True,
                                   env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "140", "MAN_KEEP_FORMATTING": ""}).stdout
            assert words in shown


@pytest.fixture
def scripts(tmp_path):
    """The completion scripts, as docs/command.md installs them, and the command on the PATH."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/longpress").symlink_to(BINARY)
    for shell, name in {"bash": "longpress", "zsh": "_longpress", "fish": "longpress.fish"}.items():
        made = longpress("--generate-completion-script", shell)
        assert made.returncode == 0
        (tmp_path / name).write_text(made.stdout)
    return tmp_path


class Terminal:
    """A shell at a terminal."""

    def __init__(self, folder, *command):
        self.process, self.master, self.heard = None, None, ""
        child, self.master = pty.fork()
        if child == 0:
            os.chdir(folder)
            path = f"{folder}/bin:{os.environ['PATH']}"
            os.execvpe(command[0], command, {"PATH": path, "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8", "PS1": "", "PS2": ""})
        self.process = child

    def type(self, text):
        os.write(self.master, text.encode())

    def hear(self, pattern):
        """Waits until the terminal shows the pattern."""
        deadline = time.monotonic() + 120
        while not (found := re.search(pattern, self.heard)):
            assert time.monotonic() < deadline, self.heard
            if select.select([self.master], [], [], 1)[0]:
                self.heard += os.read(self.master, 4096).decode(errors="replace")
        self.heard = self.heard[found.end():]

    def close(self):
        os.close(self.master)
        os.waitpid(self.process, 0)


@pytest.mark.parametrize("shell, command, setup", [
    ("bash", ["bash", "--norc", "--noprofile", "-i"], "source ./longpress"),
    ("zsh", ["zsh", "-f", "-i"], "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -d ./dump"),
])
def test_a_shell_completes_subcommands_and_options(scripts, shell, command, setup):
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    terminal = Terminal(scripts, *command)
    try:
        # The marker is only shown once the setup has run.
        terminal.type(f"{setup}; echo rea''dy\n")
        terminal.hear(r"ready\s")
        terminal.type("longpress pla\t")
        terminal.hear(r"longpress plan\s")
        # zsh lists the option with its description.
        terminal.type("--form\t")
        terminal.hear(r"--format\s")
        terminal.type("\x03")
        terminal.type("exit\n")
    finally:
        terminal.close()


def test_fish_completes_subcommands_and_options(scripts):
    if not shutil.which("fish"):
        pytest.skip("there is no fish here")

    def completed(line):
        path = f"{scripts}/bin:{os.environ['PATH']}"
        run = subprocess.run(["fish", "--no-config", "-c", f"source longpress.fish; complete -C '{line}'"], cwd=scripts, capture_output=True,
                             text=True, timeout=120, env={"PATH": path, "HOME": str(scripts), "LC_ALL": "C.UTF-8"})
        return {text.split("\t")[0] for text in run.stdout.splitlines()}
    assert "plan" in completed("longpress pla") and "--format" in completed("longpress plan --form")
