"""How knowledge grew in a game: what each seat did not know yet of the envelope, turn after turn."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.gains import entropy
from cluedo.ai.knowledge.models import UNIFORM, Model
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.ai.knowledge.reader import EvidenceReader
from cluedo.engine.commands import Accusation
from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game

__all__ = ["after_each_turn", "uncertainty"]


def after_each_turn(game: Game) -> Iterator[Game]:
    """The game played again: as it was dealt, then after every turn, the last one included even if it is not over.

    One and the same :class:`Game` is given each time, further on. An accusation that is right is left out, so that
    the last position is what the seats knew when they were told the solution.
    """
    again = Game(game.table.board, game.table.rules, game.state.deal)
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


def uncertainty(game: Game, model: Model = UNIFORM) -> NDArray[np.float64]:
    """What each seat did not know of the envelope, in bits: an array (turns + 1, seats).

    Row 0 is the deal, row t what was known after turn t; a right accusation, which tells everybody everything, is
    left out of it. Every seat is judged by its own views. NaN where the deals that fit are too many to count.
    """
    rows: list[list[float]] = []
    minds: list[_Mind] = []
    for position in after_each_turn(game):
        minds = minds or [_Mind(position, seat, model) for seat in range(game.table.seats)]
        rows.append([mind.bits(position) for mind in minds])
    return np.array(rows)


class _Mind:
    """One seat's uncertainty, brought up to date position by position."""

    def __init__(self, game: Game, seat: int, model: Model):
        self._seat = seat
        self._reader = EvidenceReader(game.view(seat))
        self._posterior = Posterior(self._reader.evidence, model)
        self._facts = -1
        self._bits = math.inf

    def bits(self, game: Game) -> float:
        """The uncertainty now; what is certain stays so, and where nothing is new nothing is computed."""
        facts = len(self._reader.read(game.view(self._seat)).facts)
        if facts != self._facts and self._bits != 0.0:
            self._facts = facts
            try:
                self._bits = _whole(entropy(self._posterior.joint))
            except (CluedoError, MemoryError):
                self._bits = math.nan
        return self._bits


def _whole(bits: float) -> float:
    """Nothing at all, instead of what rounding leaves of it."""
    return 0.0 if bits < 1e-9 else bits
