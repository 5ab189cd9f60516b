"""``cluedo positions``: positions of played games, as puzzles for programs, people and language models."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from cluedo.ai.levels import split_players
from cluedo.bots.naming import read_line_up
from cluedo.cli.compiling import prepare, tell_compiling
from cluedo.cli.options import EditionName, SetRules, seeded_map
from cluedo.engine.board import Board
from cluedo.engine.editions import Edition
from cluedo.engine.errors import SetupError
from cluedo.engine.phrase import all_of
from cluedo.engine.rules import Rules
from cluedo.session.files import check_new, output_is_utf, write_new
from cluedo.words.position_text import position_text

if TYPE_CHECKING:  # the detective is slow to import
    from cluedo.ai.positions import ExactAnswer, Position

__all__ = ["positions"]

_MOST: Final = 100_000
_COUNT: Final = 10
_PLAYERS: Final = "hard,medium,medium,hard"
_MAP: Final = "classic"

_Pair: TypeAlias = "tuple[Position, ExactAnswer | None]"
"""A position, and its exact answer where that is wanted."""


def positions(
    count: Annotated[
        int | None,
        typer.Option(min=1, max=_MOST, help="How many positions.", show_default=f"{_COUNT}; all with --test-set"),
    ] = None,
    difficulty: Annotated[
        int | None,
        typer.Option(min=0, max=5, help="Only of this difficulty: 0 has nothing to prove, 5 needs 13 facts or more."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            help="Who plays the games: a line-up as for `cluedo autoplay`; it sets the number of seats.",
            show_default=_PLAYERS,
        ),
    ] = None,
    edition: EditionName = None,
    map_: Annotated[str | None, seeded_map(_MAP)] = None,
    rule: SetRules = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same positions.", show_default="0")
    ] = None,
    test_set: Annotated[
        bool,
        typer.Option(
            "--test-set",
            help="The 500 positions that come with the program, or those of a difficulty, instead of new ones.",
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the positions there, instead of printing them.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the exact answers there.")] = None,
) -> None:
    """Draw positions from played games, for programs, people and language models to answer.

    Each line is a position: what one player knows before a turn of their own, in words and as a case log. The exact
    answers are not in it; they go to the file of --key, which cluedo grade reads.

    The difficulty says how many facts the deepest proof needs: 2 or 3 (difficulty 1), 4 or 5 (2), 6 to 8 (3), 9 to 12
    (4), 13 or more (5). Where it is 0, there is nothing to prove but what was shown.
    """
    for path in filter(None, (out, key)):
        check_new(path)
    if out is not None and out == key:
        raise SetupError("--out and --key need two files")
    options = {"--players": players, "--edition": edition, "--map": map_, "--rule": rule or None, "--seed": seed}
    if test_set and (given := [name for name, value in options.items() if value is not None]):
        raise SetupError("the positions of --test-set are as they are: leave out {names}", names=all_of(given))
    exact = key is not None
    with tell_compiling():
        if test_set:
            pairs = _shipped(count, difficulty, exact)
        else:
            pairs = islice(_drawn(players, edition, map_, rule or (), seed or 0, difficulty, exact), count or _COUNT)
        _write(pairs, out, key)


def _write(pairs: Iterable[_Pair], out: Path | None, key: Path | None) -> None:
    """Print the positions one by one, or write all of them; and write their answers."""
    lines, answers = [], []
    for position, answer in pairs:
        told = position.to_json(position_text(position.log))
        if out is None:
            sys.stdout.write(_json(told, ensure_ascii=not output_is_utf()))
        else:
            lines.append(_json(told))
        if answer is not None:
            answers.append(_json(answer.to_json()))
    if out is not None:
        write_new(out, "".join(lines))
    if key is not None:
        write_new(key, "".join(answers))


def _shipped(count: int | None, difficulty: int | None, exact: bool) -> Iterable[_Pair]:
    """The first positions of the test set, of one difficulty or all."""
    from cluedo.ai.positions.shipped import shipped_answers, shipped_positions

    answers = shipped_answers() if exact else repeat(None)
    found = [
        pair for pair in zip(shipped_positions(), answers, strict=False) if difficulty in (None, pair[0].difficulty)
    ]
    if count is not None and count > len(found):
        raise SetupError("--count: --test-set has {most:,} such positions, not {count:,}", most=len(found), count=count)
    return found[:count]


def _drawn(
    players: str | None,
    edition: str | None,
    map_: str | None,
    rule: Sequence[str],
    seed: int,
    difficulty: int | None,
    exact: bool,
) -> Iterable[_Pair]:
    """New positions, without end, from the games that the options describe."""
    from cluedo.ai.positions import Picker

    chosen = Edition.chosen(edition, _MAP, map_)
    board = Board.load(chosen.map)
    usual = () if board.has_grid else ("movement=free",)
    rules = Rules.from_options((*usual, *rule), chosen.rules)
    line_up = read_line_up(split_players(chosen.line_up(_PLAYERS) if players is None else players))
    chosen.check_players(len(line_up))
    picker = Picker(board, line_up, seed, rules)
    prepare(line_up)
    return ((picked.position, picked.answer() if exact else None) for picked in picker.positions(difficulty))


def _json(data: Mapping[str, Any], *, ensure_ascii: bool = False) -> str:
    return json.dumps(data, ensure_ascii=ensure_ascii) + "\n"
