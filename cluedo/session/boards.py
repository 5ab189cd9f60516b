"""The boards that people play on where they name none, and how pawns move there."""

from __future__ import annotations

from typing import Final

from cluedo.language import current, tr

__all__ = ["SEEDED_MAP", "default_map", "movements"]

SEEDED_MAP: Final = "manoir"
"""The board of games that a seed fixes: the same arguments give the same games, in whatever language."""

_OF_LANGUAGES: Final = {"en": "classic", "fr": "manoir"}


def default_map() -> str:
    """The board whose cards are named in the language spoken; the English one for a language without a board."""
    return _OF_LANGUAGES.get(current(), _OF_LANGUAGES["en"])


def movements() -> list[tuple[str, str]]:
    """The ways in which pawns can move, the usual one first: what is said of each where it is chosen, and its name."""
    return [(tr("with dice"), "walk"), (tr("free: any room"), "free")]
