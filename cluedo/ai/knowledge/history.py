"""How knowledge grows in a game: after each turn, how many bits each seat lacks about the envelope."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from cluedo.ai.knowledge.models import UNIFORM, Model
from cluedo.ai.knowledge.programme import Floats
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.engine.commands import Accusation
from cluedo.engine.game import Game

__all__ = ["after_each_turn", "uncertainty"]


def after_each_turn(game: Game) -> Iterator[Game]:
    """Replay a game: yields it as it was dealt, then after every turn, the last one even if that turn is not over.

    It is the same :class:`Game` object each time, further on. A right accusation is left out, so that the last
    position is what the seats knew before the solution was shown.
    """
    again = game.at_deal()
    yield again
    whole = True
    for command in game.commands:
        if isinstance(command, Accusation) and command.cards == game.state.deal.envelope:
            break
        turn = again.state.turn
        again.execute(command)
        whole = again.state.turn > turn or again.over
        if whole:
            yield again
    if not whole:
        yield again


def uncertainty(game: Game, model: Model = UNIFORM) -> Floats:
    """What each seat did not know of the envelope, in bits: an array (turns + 1, seats).

    Row 0 is the deal, row t what was known after turn t; a right accusation, which tells everybody everything, is
    left out of it. Every seat is judged by its own views. NaN where the deals that fit are too many to count.
    """
    rows: list[list[float]] = []
    seats = [SeatKnowledge.of(game.dealt(seat), model) for seat in range(game.table.seats)]
    for position in after_each_turn(game):
        row = []
        for seat, known in enumerate(seats):
            bits: float | None = 0.0
            if not rows or rows[-1][seat] != 0.0:  # what is proved stays proved
                known.read(position.view(seat))
                bits = known.bits
            row.append(math.nan if bits is None else bits)
        rows.append(row)
    return np.array(rows)
