"""The public test set: 500 positions on the board `classic`, and their exact answers, which come with the package.

``make positions`` draws them again, byte for byte.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cluedo.ai.levels import parse_players
from cluedo.ai.positions.exact import LEAST_DEPTHS, ExactAnswer, Position
from cluedo.ai.positions.picking import PickedPosition, Picker
from cluedo.engine.board import Board

__all__ = ["shipped_answers", "shipped_pair", "shipped_picker", "shipped_positions"]

_MAP: Final = "classic"
_SEED: Final = 1
_LINE_UP: Final = ("hard", "medium", "medium", "hard", "medium", "medium")
_SEATS: Final = (3, 4, 5, 6)
_OF_DIFFICULTY: Final = {0: 5} | dict.fromkeys(range(1, len(LEAST_DEPTHS) + 1), 24)
"""Positions of each difficulty for each number of seats; difficulty 0 shows who claims to prove what nobody can."""

_POSITIONS, _KEY = "positions.jsonl.gz", "key.jsonl.gz"


def shipped_positions() -> list[Position]:
    """The positions, by difficulty."""
    return [_position(line, _MAP) for line in _lines(_POSITIONS)]


def shipped_answers() -> list[ExactAnswer]:
    """Their exact answers, in the same order."""
    return [ExactAnswer.from_json(json.loads(line)) for line in _lines(_KEY)]


def shipped_pair(difficulty: int, number: int, board: str) -> tuple[Position, ExactAnswer]:
    """A position of a difficulty, by number modulo how many there are, and its exact answer; quicker than reading all.

    On another board than ``classic``, with as many cards of each category, it is the same by other names. Raises
    CluedoError if that board cannot be read.
    """
    lines = _lines(_POSITIONS)
    alike = [at for at, line in enumerate(lines) if json.loads(line)["level"] == difficulty]
    at = alike[number % len(alike)]
    return _position(lines[at], board), ExactAnswer.from_json(_renamed(json.loads(_lines(_KEY)[at]), board))


def _position(line: str, board: str) -> Position:
    return Position.from_json(_renamed(json.loads(line), board), lambda _: Board.load(board))


def shipped_picker(seats: int) -> Picker:
    """The picker that draws the positions for a number of seats."""
    return Picker(Board.load(_MAP), parse_players(_LINE_UP[:seats]), _SEED)


def _drawn(seats: int) -> Iterator[PickedPosition]:
    """Draw positions until each difficulty has enough."""
    left = Counter(_OF_DIFFICULTY)
    for picked in shipped_picker(seats).positions():
        difficulty = picked.position.difficulty
        if left[difficulty]:
            left[difficulty] -= 1
            yield picked
            if not left.total():
                return


def _build(folder: Path) -> None:
    """Draw the test set and write its files; takes some minutes."""
    drawn = [picked for seats in _SEATS for picked in _drawn(seats)]
    drawn.sort(key=lambda picked: picked.position.difficulty)  # it keeps the order of those of one difficulty
    _write(folder / _POSITIONS, (picked.position.to_json() for picked in drawn))
    _write(folder / _KEY, (picked.answer().to_json() for picked in drawn))


def _write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def _lines(name: str) -> list[str]:
    return gzip.decompress(files("cluedo.ai.positions").joinpath(name).read_bytes()).decode().splitlines()


def _renamed(data: Any, board: str) -> Any:
    """A part of a line with the cards of another board."""
    if board == _MAP:
        return data
    names = {_MAP: board} | dict(zip(Board.load(_MAP).deck.names, Board.load(board).deck.names, strict=True))
    return _with_names(data, names)


def _with_names(data: Any, names: Mapping[str, str]) -> Any:
    if isinstance(data, str):
        return names.get(data, data)
    if isinstance(data, Mapping):
        return {names.get(key, key): _with_names(value, names) for key, value in data.items()}
    return [_with_names(value, names) for value in data] if isinstance(data, Sequence) else data


if __name__ == "__main__":
    _build(Path(sys.argv[1]))
