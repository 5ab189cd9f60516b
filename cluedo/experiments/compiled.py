"""Playing games of a plan on the compiled engine: the same deals and dice, a few players, and many times the speed.

Rows of results come straight from its arrays. Where records or observers are wanted, the referee plays each game again
from what it tells, so that they see what they always see.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import Fault
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds
from cluedo.engine.game import Game
from cluedo.experiments.games import GameRoom
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.observer import ObserverSpec
from cluedo.experiments.plan import Plan, PlannedGame
from cluedo.experiments.rows import ResultRows

__all__ = ["CompiledRoom", "room_for"]


class CompiledRoom(GameRoom):
    """A board and compiled players, laid out once for many games of one plan.

    Its arguments are those of a :class:`~cluedo.experiments.games.GameRoom`; nobody here thinks for long.
    """

    def _read_line_up(self) -> list[PlayerSpec]:
        from cluedo.ai.playouts.batch import CompiledTable  # numba and the detective are slow to import
        from cluedo.ai.playouts.players import compiled_line_up

        plan = self.plan
        players = compiled_line_up(plan.line_up)
        self._table = CompiledTable(self.board, plan.rules, players, plan.seed, plan.seed_secret)
        return []

    def rows(self, games: range, interrupt: Interrupt) -> ResultRows | None:
        """The results of some consecutive games; None if it was interrupted. Time is shared evenly by turns."""
        if self.watched:
            results = self.play(games, interrupt)
            return ResultRows.of(self.plan, results) if len(results) == len(games) else None
        if interrupt.wanted():
            return None
        began = perf_counter()
        played = self._table.play(games)
        ms_a_turn = 1000 * (perf_counter() - began) / played.turns.sum()
        number, seats = np.array(games), self.plan.seats
        rotation = number % seats
        place = (np.arange(seats) + rotation[:, None]) % seats
        by_game = {
            "game": number,
            "rotation": rotation,
            "first": played.first,
            "winner_seat": played.winner,
            "winner": np.where(played.winner < 0, -1, (played.winner + rotation) % seats),
            "reason": played.reason,
            "turns": played.turns,
        }
        by_seat = {
            "place": place,
            "hand_size": played.hand_sizes,
            "own_turns": played.own_turns,
            "hypotheses": played.hypotheses,
            "accused": played.accusations,
            "faults": np.zeros_like(place),
            "think_ms": ms_a_turn * played.own_turns,
        }
        return ResultRows(by_game, by_seat, {}, ())

    def _finish(
        self,
        game: Game,
        planned: PlannedGame,
        seeds: Seeds,  # noqa: ARG002 - the table draws from the same
        interrupt: Interrupt,  # noqa: ARG002 - a game takes no time
    ) -> tuple[list[Fault], list[float]]:
        from cluedo.ai.playouts.traces import commands_of  # as above

        began = perf_counter()
        trace = self._table.play(range(planned.game, planned.game + 1), traced=True).trace
        seconds = perf_counter() - began
        for command in commands_of(trace):
            game.execute(command)
        return [], [seconds / self.plan.seats] * self.plan.seats


def room_for(
    plan: Plan,
    think_limit: float | None,
    *,
    records: bool = False,
    observers: Sequence[ObserverSpec] = (),
    board: Board | None = None,
) -> GameRoom:
    """A room on the engine of a plan; raises CluedoError, in one sentence, if such games cannot be played."""
    kind = CompiledRoom if plan.engine == "compiled" else GameRoom
    return kind(plan, think_limit, records=records, observers=observers, board=board)
