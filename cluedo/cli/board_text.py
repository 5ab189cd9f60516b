"""The board as text: rich ``Text`` that says the same with colours and without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from cluedo.engine.board import Board
from cluedo.language import tr
from cluedo.session.board_glyphs import MARK, MARKED, PASSAGE, Glyph, board_glyphs, pawn_chip
from cluedo.words.narration import place_name

__all__ = ["board_lines", "board_text"]

_LEGEND = 24
"""Columns that a legend needs beside the board; with fewer it goes below."""

_HEADING = "bold underline"


def board_text(
    board: Board,
    *,
    pawns: Sequence[int] | None = None,
    weapons: Sequence[int] | None = None,
    marks: int = 0,
    width: int = 80,
) -> Text:
    """The board and its legend, side by side where ``width`` columns suffice.

    Args:
        board: any, a deck alone included.
        pawns: by suspect, the place; the starts if left out.
        weapons: by weapon, the place.
        marks: the mask of the squares to mark as in reach.
        width: columns there are.
    """
    drawn = board_lines(board, pawns, marks)
    legend = _legend_lines(board, pawns, weapons, marked=bool(marks))
    across = max((line.cell_len for line in drawn), default=0)
    left_over = width - across - 1
    lines = []
    if drawn and left_over >= _LEGEND:
        for left, right in zip_longest(drawn, legend, fillvalue=Text()):
            right.truncate(left_over, overflow="ellipsis")
            gap = " " * (across - left.cell_len + 1) if right.plain else ""
            lines.append(Text.assemble(left, gap, right))
    else:
        lines = [*drawn, *([Text()] if drawn else []), *legend]
    return Text("\n").join(lines)


def board_lines(board: Board, pawns: Sequence[int] | None = None, marks: int = 0) -> list[Text]:
    """The board with its coordinates, line by line; empty for a deck alone."""
    if not board.has_grid:
        return []
    margin = max(2, len(str(board.height - 1)))
    axis = Text(f"{'':{margin}} " + "".join(f"{x:<4}" for x in range(0, board.width, 2)).rstrip(), style="dim")
    lines = [_line(glyphs) for glyphs in board_glyphs(board, pawns, marks=marks)]
    rows = [Text.assemble((f"{y:>{margin}} ", "dim"), line) for y, line in enumerate(lines)]
    return [axis, *rows, axis]


def _legend_lines(
    board: Board, pawns: Sequence[int] | None, weapons: Sequence[int] | None, *, marked: bool
) -> Iterator[Text]:
    """Who and what is where, the passages, and what the signs mean."""
    yield Text(tr("Pawns"), style=_HEADING)
    for k, (suspect, place) in enumerate(zip(board.map.suspects, pawns or board.starts, strict=True)):
        yield Text.assemble(pawn_chip(board, k), " ", _at(suspect.name, place_name(board, place)))
    yield Text(tr("Weapons"), style=_HEADING)
    for weapon, place in zip(board.map.weapons, weapons or board.weapon_starts, strict=True):
        yield Text(_at(weapon.name, place_name(board, place)))
    ways = [(here, there) for here, there in enumerate(board.passages) if here < there - board.rooms_at]
    if ways:
        yield Text(tr("Secret passages"), style=_HEADING)
        yield from (Text(f"{board.map.rooms[a].name} {PASSAGE} {place_name(board, b)}") for a, b in ways)
    if board.has_grid:
        yield Text(tr("Signs"), style=_HEADING)
        yield Text(tr("↑↓←→ door   ○ start"))
        if marked:
            yield Text.assemble((f"{MARK} ", MARKED), " ", tr("within reach"))


def _at(what: str, place: str) -> str:
    return tr("{what}: {place}", what=what, place=place)


def _line(glyphs: Sequence[Glyph]) -> Text:
    """A row as text, without trailing spaces."""
    line = Text.assemble(*glyphs)
    if not glyphs[-1][1]:
        line.rstrip()
    return line
