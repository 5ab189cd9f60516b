"""The boards that people play on: the default one, and a cache so that each is loaded once."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cluedo.engine.board import Board
from cluedo.language import current

__all__ = ["SEEDED_MAP", "default_map", "loaded_board"]

SEEDED_MAP: Final = "manoir"
"""The board of games that a seed fixes: the same arguments give the same games, in whatever language."""

_OF_LANGUAGES: Final = {"en": "classic", "fr": "manoir"}


def default_map() -> str:
    """The board whose cards are named in the language spoken; the English one for a language without a board."""
    return _OF_LANGUAGES.get(current(), _OF_LANGUAGES["en"])


@lru_cache(maxsize=16)
def loaded_board(source: str) -> Board:
    """The board of a shipped map by name, or of a map file by path; raises :class:`MapError`."""
    return Board.load(source)
