"""The players of compiled games: turns a player's text into a row of numbers. No numba in here."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.ai.levels import COMPILED_LEVELS, parse_player
from cluedo.ai.parameters import arguments, check_number
from cluedo.ai.playouts import arrays as at
from cluedo.engine.errors import PlayerError

__all__ = ["Blueprint", "compiled_line_up", "compiled_player"]

_POLICIES: Final = {"random": at.RANDOM, "easy": at.EASY, "medium": at.MEDIUM, "hard": at.HARD}

_MOST: Final = 1000
"""The greatest weight of a habit."""

_DEDUCTIONS: Final = ("sight", "passes", "notebook", "trials")


class Blueprint:
    """A note-taker with habits that can be set, in compiled games only.

    It accuses on proof, unless it is told to guess.

    Args:
        deduction: how completely it reasons: from the cards it saw (sight), from passes and full hands too (passes),
            by all rules of a notebook (notebook), or by trial and error on top of them (trials).
        own: how likely it is to name a card of its own, compared to one that is open; 0 is never.
        again: how likely it is to name a card that it knows in somebody else's hand, compared to one that is open.
        care: how often it asks what promises most; else it asks by habit alone.
        guess: it accuses once it considers an envelope at least this probable; 1 is proof.

    Raises:
        PlayerError: a number is out of its range.
    """

    def __init__(
        self,
        *,
        deduction: Literal["sight", "passes", "notebook", "trials"] = "notebook",
        own: float = 0.3,
        again: float = 0.0,
        care: float = 1.0,
        guess: float = 1.0,
    ):
        for name, value in (("own", own), ("again", again), ("care", care), ("guess", guess)):
            check_number(name, value, 0, 1 if name in ("care", "guess") else _MOST)
        self.row: Floats = np.zeros(at.COLUMNS)
        self.row[at.POLICY] = at.BLUEPRINT
        self.row[at.DEDUCTION] = _DEDUCTIONS.index(deduction)
        self.row[at.OWN], self.row[at.AGAIN], self.row[at.CARE], self.row[at.GUESS] = own, again, care, guess


def compiled_player(text: str) -> Floats:
    """A row of ``PlayerArrays.columns`` for a player's text; raises :class:`PlayerError` for one that cannot play."""
    name, *options = text.strip().split(":")
    if name == "blueprint":
        habits = dict(arguments(text, Blueprint, options))
        with PlayerError.around("{what}: {error}", what=text):
            return Blueprint(**habits).row
    if name not in _POLICIES:
        raise PlayerError(
            "{player}: compiled games are played by {names} alone; others need the engine python",
            player=text,
            names=", ".join(COMPILED_LEVELS),
        )
    row = np.zeros(at.COLUMNS)
    row[at.POLICY] = _POLICIES[name]
    set_to = dict(parse_player(text).arguments)
    if name == "hard":
        row[at.DEDUCTION], row[at.OWN] = at.NOTEBOOK, set_to.get("own_cards") != "never"
    else:
        row[at.ORIGINAL] = set_to.get("original", False)
    return row


def compiled_line_up(texts: tuple[str, ...]) -> Floats:
    """The rows of a line-up: (place, column); raises :class:`PlayerError`."""
    return np.array([compiled_player(text) for text in texts])
