"""Run every command and every Python example of the README and of the pages in docs/, and compare what they print.

Each page runs from top to bottom in a fresh copy of the tree. A fenced block marked ``console`` holds
commands after ``$``, each followed by what it prints; one marked ``python`` is run as a script, and a
block marked ``text`` right after it is what it prints. In what is printed, ``…`` stands for anything within
a line, or for any number of lines if it stands alone.
A comment before a block says how it is run here:

    <!-- ci: games=40 -->      with fewer games; what it prints is not compared
    <!-- ci: varies -->        what it prints is not compared: times, dates, folders
    <!-- ci: input=quit -->    an interactive one: through a pipe, with these lines (separated by |, with _ for spaces)
    <!-- ci: until=http -->    one that does not end: it is ended when it has printed this
    <!-- ci: fresh -->         in another fresh copy of its own, without the environment that the others share
    <!-- ci: needs=node -->    only where this program is installed; elsewhere it is said that it was left out
    <!-- ci: skip -->          not run: only for what needs a cluster, a display or a network

Usage: check_docs.py [PAGE …]    without pages: all of them, and every file of examples/ has to be used by one
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(
    r"(?:<!-- ci: (?P<how>[^\n]*?) -->\n)?```(?P<kind>console|python)\n(?P<body>.*?)^```"
    r"(?:\n+```text\n(?P<printed>.*?)^```)?",
    re.S | re.M,
)
UNCOMPARED = {"games", "varies", "input", "until"}
TIMEOUT = 900


@dataclass(frozen=True)
class Example:
    """One command or script of a page."""

    page: str
    line: int
    block: str
    how: dict[str, str]
    kind: str
    command: str
    printed: str

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def typed(self) -> str:
        return self.how.get("input", "").replace("|", "\n").replace("_", " ") + "\n"


def main() -> None:
    """Run the examples of the pages named, or of all, side by side; end with what a page says wrongly."""
    pages = sys.argv[1:] or ["README.md", *sorted(name for name in tracked() if is_page(name))]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        home = Path(scratch)
        # uv is not ours to require; the documentation shows it, so it is tried.
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "uv"], check=True)
        ran = list(planned(pages))
        by_page = [list(group) for _, group in groupby(ran, key=lambda example: example.page)]
        # What takes longest comes first: pages that install, then those with most examples.
        by_page.sort(key=lambda page: (all("fresh" not in example.how for example in page), -len(page)))
        done = [pool.submit(run_page, examples, home) for examples in by_page]
        try:
            for page in as_completed(done):
                page.result()
        finally:
            pool.shutdown(cancel_futures=True)
    if not sys.argv[1:]:
        check_all_used(ran)
    print(f"{len(ran)} commands and examples of {len(by_page)} pages ran")


def planned(pages: list[str]) -> Iterator[Example]:
    """The examples to be run; of installations that several pages show, the first page's."""
    installed: dict[str, str] = {}
    for page in pages:
        for example in examples(page):
            known = "fresh" in example.how and installed.setdefault(example.block, page) != page
            if not known and "skip" not in example.how:
                yield example


def run_page(examples: list[Example], home: Path) -> None:
    """Run the examples of one page, one after the other, in copies of their own."""
    page = examples[0].page.replace("/", "-")
    copy = fresh_copy(home / page)
    for example in examples:
        if (needed := example.how.get("needs")) and shutil.which(needed) is None:
            print(f"{example.where}: left out, for {needed} is not installed")
            continue
        own = fresh_copy(home / f"{page}-{hash(example.block)}") if "fresh" in example.how else None
        run(example, own or copy, environment(home / f"{page}-state", own))


def is_page(name: str) -> bool:
    """Whether a file of the project is a page of the documentation."""
    return name.endswith(".md") and name != "README.md"


def examples(page: str) -> Iterator[Example]:
    """The commands and scripts of a page, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        how = dict(part.partition("=")[::2] for part in (block["how"] or "").split())
        line = text.count("\n", 0, block.start("body")) + 1
        if block["kind"] == "python":
            yield Example(page, line, block["body"], how, "python", block["body"], block["printed"] or "")
            continue
        for shift, command, printed in commands(block["body"]):
            short = re.sub(r"--games \d+", f"--games {how['games']}", command) if "games" in how else command
            yield Example(page, line + shift, block["body"], how, "console", short, printed)


def commands(body: str) -> Iterator[tuple[int, str, str]]:
    """The commands of a block: the line of each within it, the command, and what it is said to print."""
    lines = body.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start, lines[start][2:], "\n".join(lines[start + 1 : end])


def environment(state: Path, fresh: Path | None) -> dict[str, str]:
    """The variables of a command whose games are kept in ``state``; ``fresh`` has an environment of its own."""
    ours = str(ROOT / ".venv" / "bin")
    # Another environment's Python must not be found first, or `python3 -m venv` would copy it.
    path = [ours, os.environ["PATH"]] if fresh is None else [str(fresh / ".venv" / "bin"), os.environ["PATH"], ours]
    # What runs but once is not worth compiling; PIP_NO_COMPILE=1 would say the opposite.
    plain = {"TERM": "dumb", "LC_ALL": "C", "PIP_COMPILE": "0"}
    return os.environ | plain | {"PATH": os.pathsep.join(path), "XDG_STATE_HOME": str(state)}


def run(example: Example, at: Path, variables: dict[str, str]) -> None:
    """Run one in a folder; end the program where it fails or prints something else than its page says."""
    began = time.monotonic()
    if "until" in example.how:
        run_until(example, at, variables)
    else:
        # -P: the environment's cluedo, not the copy in the working directory, which is not compiled yet
        runner = ["bash", "-c"] if example.kind == "console" else ["python", "-P", "-W", "error", "-c"]
        done = subprocess.run(
            [*runner, example.command],
            cwd=at,
            env=variables,
            input=example.typed,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"\n{example.where}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
        compare(example, done.stdout)
    shown = example.command if example.kind == "console" else "(a Python example)"
    print(f"{example.where}: {shown}  ({time.monotonic() - began:.1f} s)", flush=True)


def compare(example: Example, printed: str) -> None:
    """What a page says that a command prints is what it prints."""
    if not example.printed.strip() or UNCOMPARED & example.how.keys():
        return
    said, got = tidy(example.printed), tidy(printed)
    pattern = re.escape(said).replace(re.escape("\n…\n"), "\n(?:.*\n)*").replace("…", "[^\n]*")
    if not re.fullmatch(pattern, got):
        sys.exit(f"\n{example.where}: the page says that it prints\n{said}\nbut it prints\n{got}")


def tidy(text: str) -> str:
    """Without blank lines at either end, and without spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()).strip("\n") + "\n"


def run_until(example: Example, at: Path, variables: dict[str, str]) -> None:
    """Run what does not end until it has printed a sign, then end it."""
    process = subprocess.Popen(
        ["bash", "-c", example.command],
        cwd=at,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(line)
        if example.how["until"] in line:
            break
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate(timeout=30)
    if not told or example.how["until"] not in told[-1]:
        sys.exit(f"\n{example.where}: ended without {example.how['until']}: {''.join(told)}")


def check_all_used(ran: list[Example]) -> None:
    """Every file of examples/ is run by a page."""
    unused = [
        name
        for name in tracked()
        if name.startswith("examples/") and not any(name in example.command for example in ran)
    ]
    if unused:
        sys.exit(f"no page runs {', '.join(unused)}")


def tracked() -> list[str]:
    """What is committed and what is not yet, without what git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    return [name for name in listed if name]


def fresh_copy(where: Path) -> Path:
    """A copy of the tree, made if it is not there."""
    if where.exists():
        return where
    for name in tracked():
        source, target = ROOT / name, where / name
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target, follow_symlinks=False)
    return where


if __name__ == "__main__":
    main()
