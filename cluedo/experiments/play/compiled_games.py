"""Playing games of a plan on the compiled engine: the same deals and dice, a few players, and many times the speed.

Rows of results come straight from its arrays. Where records or observers are wanted, the referee plays each game again
from what it tells, so that they see what they always see.
"""

from __future__ import annotations

import numpy as np

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import Fault
from cluedo.engine.deal import Seeds
from cluedo.engine.game import Game
from cluedo.experiments.plan.plan import PlannedGame
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.rows.result_rows import COLUMNS, ResultRows

__all__ = ["CompiledRunner"]


class CompiledRunner(GameRunner):
    """Plays games of one plan on the compiled engine, with a board and players made once.

    Its arguments are those of a :class:`~cluedo.experiments.play.games.GameRunner`; nobody here thinks for long.
    """

    def _read_line_up(self) -> list[PlayerSpec]:
        from cluedo.ai.playouts.batch import CompiledTable  # numba and the detective are slow to import
        from cluedo.ai.playouts.players import compiled_line_up

        plan = self.plan
        players = compiled_line_up(plan.line_up)
        self._table = CompiledTable(self.board, plan.rules, players, plan.seed, plan.seed_secret)
        return []

    def rows(self, games: range, interrupt: Interrupt) -> ResultRows | None:
        """The results of some consecutive games as rows, without thinking times; None if interrupted."""
        if self.conditions.records or self.conditions.observers:
            return super().rows(games, interrupt)
        if interrupt.wanted():
            return None
        played = self._table.play(games)
        arrays = {
            column.name: getattr(played, column.taken) for column in COLUMNS.values() if column.taken in played._fields
        } | {
            "game": np.array(games),
            "faults": np.zeros_like(played.own_turns),
            "fault": np.full(played.own_turns.shape, None),
            "fault_turn": np.full(played.own_turns.shape, -1),
            "think_ms": np.zeros(played.own_turns.shape),
        }
        return ResultRows.placed(self.plan.seats, arrays)

    def _finish(
        self,
        game: Game,
        planned: PlannedGame,
        seeds: Seeds,  # noqa: ARG002 - the table draws from the same
        interrupt: Interrupt,  # noqa: ARG002 - a game takes no time
    ) -> tuple[list[Fault], list[float]]:
        from cluedo.ai.playouts.batch import commands_of  # as above

        trace = self._table.play(range(planned.game, planned.game + 1), traced=True).trace
        for command in commands_of(trace):
            game.execute(command)
        return [], [0.0] * self.plan.seats
