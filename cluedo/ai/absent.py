"""A player that stands in for one that cannot play: each of its choices is lost, as a fault, and the match goes on."""

from __future__ import annotations

from typing import NoReturn

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Player, Proxy
from cluedo.engine.errors import PlayerError, by_a_person, in_short
from cluedo.engine.phrase import Phrase
from cluedo.engine.turn_questions import TurnQuestion
from cluedo.engine.view import PlayerView

__all__ = ["AbsentPlayer", "NoAnswer", "player_or_absent"]


class NoAnswer(PlayerError):
    """Raised in the place of an answer: the choice is lost, and the text says why."""


class AbsentPlayer(Proxy):
    """Stands in for a player that cannot play: raises :class:`NoAnswer` at every question.

    Args:
        why: what its faults say.
    """

    def __init__(self, why: str):
        self._why = why

    def answer(self, question: TurnQuestion, view: PlayerView) -> NoReturn:  # noqa: ARG002 - whatever is asked
        raise NoAnswer(self._why)


def player_or_absent(spec: PlayerSpec) -> Player:
    """A new player, or an absent one if its constructor raises."""
    try:
        return spec.make()
    except BaseException as error:
        if by_a_person(error):
            raise
        return AbsentPlayer(Phrase("the player cannot be made: {error}", error=in_short(error)))
