"""A real terminal, looked at from outside: the fixture ``pane`` is given columns, lines and a command."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

TMUX = shutil.which("tmux")

needs_tmux = pytest.mark.skipif(TMUX is None, reason="tmux is needed for a real terminal")


class Pane:
    """A terminal of its own."""

    def __init__(self, folder: Path, columns: int, lines: int, command: str):
        self.base = [str(TMUX), "-S", str(folder / "tmux"), "-f", "/dev/null"]
        # Readline, where a test before has loaded it, puts a size of its own into the environment.
        environment = "unset COLUMNS LINES; export COLORTERM=truecolor LC_ALL=C.UTF-8"
        shell = f"{environment}; {command}; sleep 60"
        self.run("new-session", "-d", "-x", str(columns), "-y", str(lines), "-c", str(folder), shell)

    def run(self, *words: str) -> str:
        """A command of tmux."""
        return subprocess.run([*self.base, *words], capture_output=True, text=True, timeout=300, check=True).stdout

    def type(self, text: str) -> None:
        """A line."""
        self.run("send-keys", "-l", text)
        self.run("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        """Keys by their names."""
        self.run("send-keys", *keys)

    def text(self, *options: str) -> str:
        """Screen and scrollback."""
        return self.run("capture-pane", "-p", "-S", "-", *options)

    def wait_for(self, word: str, seconds: float = 120, *, times: int = 1) -> str:
        """The text, once the word is in it, or has come so many times."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            text = self.text()
            if text.count(word) >= times:
                return text
            time.sleep(0.05)
        raise AssertionError(f"{word!r} has not come:\n{self.text()}")

    def close(self) -> None:
        """End it, and what runs in it."""
        self.run("kill-server")


@pytest.fixture
def pane(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Pane]:
    columns, lines, command = request.param
    opened = Pane(tmp_path, columns, lines, command)
    yield opened
    opened.close()
