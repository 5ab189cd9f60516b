"""Chairs at a table that nobody sits on: their choices are lost, each as a fault, and the match goes on."""

from __future__ import annotations

from typing import NoReturn

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Movement, Player
from cluedo.engine.commands import Accusation, Hypothesis, Peek, ShowCard
from cluedo.engine.errors import PlayerError, by_a_person, in_short
from cluedo.engine.phrase import Phrase
from cluedo.engine.view import PlayerView

__all__ = ["Absent", "EmptyChair", "seated"]


class Absent(PlayerError):
    """Nobody is there to answer; the text says why."""


class EmptyChair(Player):
    """Sits in for a player that cannot play.

    Args:
        why: what its faults say.
    """

    def __init__(self, why: str):
        self._why = why

    def _leave(self) -> NoReturn:
        raise Absent(self._why)

    def choose_move(self, view: PlayerView) -> Movement:  # noqa: ARG002 - whatever is asked
        self._leave()

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:  # noqa: ARG002
        self._leave()

    def choose_card(self, view: PlayerView) -> ShowCard:  # noqa: ARG002
        self._leave()

    def choose_accusation(self, view: PlayerView) -> Accusation | None:  # noqa: ARG002
        self._leave()

    def choose_peek(self, view: PlayerView) -> Peek | None:  # noqa: ARG002
        self._leave()


def seated(spec: PlayerSpec) -> Player:
    """A new player, or an empty chair if its constructor raises."""
    try:
        return spec.make()
    except BaseException as error:
        if by_a_person(error):
            raise
        return EmptyChair(Phrase("the player cannot be made: {error}", error=in_short(error)))
