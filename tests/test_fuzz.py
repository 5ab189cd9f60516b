"""Whatever is typed and whatever a file holds: a sentence, the right exit code, soon, and nobody's files lost.

``CLUEDO_FUZZ=7`` draws other tries, from seed 7; ``CLUEDO_FUZZ=7:123`` makes try 123 of them alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import selectors
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.cases import cases
from helpers.fuzz_commands import Line, commands, draw_line, draw_reading
from helpers.fuzz_mutations import mutate
from helpers.fuzz_samples import make_samples

from cluedo.engine.board import Board
from cluedo.session.seat_sheet import SeatSheet, read_sheets, written_sheets

SEED, _, ONLY = os.environ.get("CLUEDO_FUZZ", "0").partition(":")
TRIES = cases(2000, 120)
BLOCKS, ALONE = 8, 41
"""So many tries, in so many blocks, one of so many in a process of its own."""
READINGS = 0.6
"""The share of the tries in which nothing is odd but one place in a file."""
LIMIT_S = 120.0
PATIENCE_S = 4.0
CODES = {0, 1, 2, 130}
COMMANDS = list(commands())
WEIGHTS = [{"levels": 1, "list": 1, "serve": 2, "maps": 1}.get(name[-1], 10) for name, _ in COMMANDS]
"""How often each is drawn: most of them read files, which can be wrong in more ways than a line."""


class Worker:
    """A process that runs commands, and is made anew when one of them does not end."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(
        self, arguments: list[str], folder: Path, typed: str, *, own: bool = False, limit: float = LIMIT_S
    ) -> dict[str, Any] | None:
        """What became of a command, or None if it had not ended after ``limit`` seconds.

        A contest may go on for as long as it was told to; it is interrupted after a while.
        """
        if self._process is None or self._process.poll() is not None:
            program = [sys.executable, str(Path(__file__).with_name("helpers") / "fuzz_worker.py")]
            self._process = subprocess.Popen(program, stdin=-1, stdout=-1, text=True, start_new_session=True)
        assert self._process.stdin is not None
        order = {"arguments": arguments, "folder": str(folder), "typed": typed, "own": own}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        may_go_on = {"autoplay", "positions", "run"} & set(arguments[:2]) and limit == LIMIT_S
        if may_go_on and not self._answers(PATIENCE_S * (3 if own else 1)):
            os.killpg(self._process.pid, signal.SIGINT)
        if self._answers(limit):
            assert self._process.stdout is not None
            answer = self._process.stdout.readline()
            if answer:
                return json.loads(answer)
        self.end()
        return None

    def _answers(self, seconds: float) -> bool:
        """Whether there is an answer before so many seconds have passed."""
        assert self._process is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            return bool(waiting.select(seconds))

    def end(self) -> None:
        """End the process and all that it started."""
        if self._process is not None:
            with self._process:  # it is waited for, but nobody else who holds its pipes
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process = None


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.end()


@pytest.fixture(scope="module")
def samples(worker: Worker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a right file of every kind."""
    folder = tmp_path_factory.mktemp("samples") / "work"
    folder.mkdir()

    def cluedo(*arguments: str, typed: str = "") -> str:
        ran = worker.run(list(arguments), folder, typed, limit=300)
        assert ran is not None
        assert ran["code"] == 0, ran
        return ran["out"]

    make_samples(folder, cluedo)
    return folder


def contents(folder: Path) -> dict[str, str]:
    """Of every file in it and its folders that can be read, a digest."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if stat.S_ISREG(path.lstat().st_mode) and os.access(path, os.R_OK)
    }


def faults(line: Line, ran: dict[str, Any] | None, before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """What is wrong with how a command ended."""
    if ran is None:
        yield f"it had not ended after {LIMIT_S:g} s"
        return
    code, told = ran["code"], ran["out"] + ran["err"]
    if "Traceback (most recent call last)" in told or code not in CODES:
        yield f"exit code {code}: {told[-1500:]}"
    elif code == 2 and not re.search(r"^(cluedo: .+|Usage: .+|╭─ Error)", ran["err"], re.MULTILINE):
        yield f"exit code 2 without a sentence: {told[-500:]!r}"
    lost = [name for name, digest in before.items() if after.get(name) != digest]
    if code != 0 and lost:
        yield f"exit code {code}, and yet changed: {lost}; {ran['err'][-300:]}"
    foreign = [name for name in lost if not any(own and f"{name}/".startswith(f"{own}/") for own in line.outputs)]
    if foreign:
        yield f"changed without being asked to: {foreign}"
    kept = [name for name in lost if name.startswith("photos/")]
    if kept:
        yield f"changed what is not its own: {kept}"


def attempt(worker: Worker, samples: Path, place: Path, number: int) -> list[str]:
    """Make one try; gives what was wrong with it."""
    rng = Random(f"{SEED}/{number}")
    folder = place / "work"
    shutil.copytree(samples, folder)
    for ending in ("", ".png", ".html", ".gif", ".csv"):
        os.mkfifo(folder / f"pipe{ending}")
        (folder / f"full{ending}").symlink_to("/dev/full")
    try:
        if rng.random() < READINGS:
            line = draw_reading(rng, folder)
        else:
            line = draw_line(rng, folder, *rng.choices(COMMANDS, WEIGHTS)[0])
        before = contents(folder)
        ran = worker.run(line.arguments, folder, line.typed, own=number % ALONE == 0)
        called = " ".join(map(repr, line.arguments))[:600]
        found = faults(line, ran, before, contents(folder))
        return [f"CLUEDO_FUZZ={SEED}:{number} {called}\n    {fault}" for fault in found]
    finally:
        shutil.rmtree(place)
        place.mkdir()


@pytest.mark.slow
@pytest.mark.parametrize("block", range(1 if ONLY else BLOCKS))
def test_whatever_is_typed_it_ends_in_a_sentence_and_nothing_is_lost(worker, samples, tmp_path, block):
    numbers = [int(ONLY)] if ONLY else range(block, TRIES, BLOCKS)
    place = tmp_path / "try"
    place.mkdir()
    found = [fault for number in numbers for fault in attempt(worker, samples, place, number)]
    assert not found, f"{len(found)} faults:\n" + "\n".join(found)


def test_every_command_is_tried():
    """The fuzzer asks the commands what they take: none can be forgotten."""
    names = {" ".join(name) for name, _ in COMMANDS}
    assert {"play", "autoplay", "experiment run", "experiment status", "maps", "maps show", "replay", "solve"} <= names


def test_whatever_a_file_of_sheets_holds_the_game_goes_on(tmp_path):
    deck = Board.load("tiny").deck
    right = SeatSheet()
    right.mark(0, 1, "?")
    right.note(2, "perhaps")
    path = tmp_path / "game.json.sheets"
    for number in range(300):
        path.write_text(written_sheets(deck, {0: right, 1: SeatSheet()}), encoding="utf-8")
        mutate(Random(f"{SEED}/{number}"), path)
        read_sheets(path.read_text(encoding="utf-8", errors="surrogateescape"), deck, {0: SeatSheet(), 1: SeatSheet()})
