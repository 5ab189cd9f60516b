"""Two letters for each pawn and each weapon, so that nobody has to tell them apart by colour alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from cluedo.engine.cards import Deck

__all__ = ["is_narrow", "pawn_codes", "weapon_codes"]


def pawn_codes(deck: Deck) -> tuple[str, ...]:
    """Two letters for each suspect, all different: the first two of the name where that will do."""
    return _codes(deck.names[card] for card in deck.suspects)


def weapon_codes(deck: Deck) -> tuple[str, ...]:
    """Two small letters for each weapon, all different."""
    return tuple(code.lower() for code in _codes(deck.names[card] for card in deck.weapons))


def is_narrow(letter: str) -> bool:
    """Whether a letter takes one column of a terminal."""
    return not unicodedata.combining(letter) and unicodedata.east_asian_width(letter) not in "WF"


def _codes(names: Iterable[str]) -> tuple[str, ...]:
    codes: list[str] = []
    for name in names:
        letters = [letter for letter in name if letter.isalnum() and is_narrow(letter)] or ["?"]
        tried = [letters[0].upper() + letter.lower() for letter in [*letters[1:], *"0123456789"]]
        codes.append(next((code for code in tried if code not in codes), f"{len(codes):02}"))
    return tuple(codes)
