"""The boards that people play on where they name none, those that strangers may name, and how pawns move there."""

from __future__ import annotations

from typing import Final

from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.language import current, tr

__all__ = ["BATCH_MAP", "default_map", "movements", "shipped_board"]

BATCH_MAP: Final = "manoir"
"""The board of batches where none is named: the same arguments give the same games, in whatever language."""

_OF_LANGUAGES: Final = {"en": "classic", "fr": "manoir"}


def default_map() -> str:
    """The board whose cards are named in the language spoken; the English one for a language without a board."""
    return _OF_LANGUAGES.get(current(), _OF_LANGUAGES["en"])


def shipped_board(name: str) -> Board:
    """A shipped board, for a stranger, who names no file of ours; raises :class:`CluedoError`."""
    if name not in map_names():
        names = ", ".join(map_names())
        raise CluedoError("the board {name!r} is not known here; known: {names}", name=name[:40], names=names)
    return Board.load(name)


def movements() -> list[tuple[str, str]]:
    """The ways in which pawns can move, the usual one first: what is said of each where it is chosen, and its name."""
    return [(tr("with dice"), "walk"), (tr("free: any room"), "free")]
