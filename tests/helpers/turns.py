"""Turns of a game, in a word each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cluedo.engine.commands import Hypothesis, Stay
from cluedo.engine.errors import IllegalCommand
from cluedo.engine.events import Event
from cluedo.engine.game import Game
from helpers.support import accuse, ask, finish_turn, kinds


def refused(do: Callable[..., object], *what: object) -> str:
    """Why doing something, such as ``game.execute`` with a command, is not allowed."""
    with pytest.raises(IllegalCommand) as refusal:
        do(*what)
    return str(refusal.value)


def may_ask(game: Game) -> bool:
    """Whether a hypothesis is allowed now."""
    return Hypothesis in kinds(game)


def stay(game: Game) -> bool:
    """Stay; whether one may then ask."""
    game.execute(Stay())
    return may_ask(game)


def stay_and_ask(game: Game, *names: str) -> tuple[Event, ...]:
    """Stay, and make a hypothesis."""
    game.execute(Stay())
    return ask(game, *names)


def stay_and_accuse(game: Game, *names: str) -> tuple[Event, ...]:
    """Stay, and accuse."""
    game.execute(Stay())
    return accuse(game, *names)


def next_turn_of(game: Game, seat: int) -> None:
    """End this turn, and let everybody else pass until it is the seat's turn."""
    finish_turn(game)
    while game.state.active != seat:
        finish_turn(game)
