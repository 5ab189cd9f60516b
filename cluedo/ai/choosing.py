"""Choices left to chance, as the simple levels make them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cluedo.engine.cards import bits
from cluedo.engine.commands import ShowCard
from cluedo.engine.view import PlayerView

__all__ = ["pick", "pick_card"]


def pick(random: Random, choices: Sequence[int]) -> int:
    """One of the choices, each as likely; half the time of ``random.choice``, which hot paths feel."""
    return choices[int(random.random() * len(choices))]


def pick_card(random: Random, view: PlayerView) -> ShowCard:
    """One of the cards that may be shown now, each as likely."""
    return ShowCard(pick(random, bits(ShowCard.choices(view))))
