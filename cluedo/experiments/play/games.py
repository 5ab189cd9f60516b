"""Playing games of a part in one process, by either engine.

The compiled engine has the same deals and dice, a few players, and many times the speed. Rows of results come straight
from its arrays. Where records or observers are wanted, the referee plays each game again from what it tells, so that
they see what they always see.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from math import inf
from time import perf_counter

import numpy as np

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import Fault, Match, seat_players
from cluedo.ai.watchdog import Watchdog
from cluedo.bots.naming import ProgramSpec, read_line_up
from cluedo.engine.board import Board
from cluedo.engine.deal import Deal, Seeds, check_seats, draw_deal
from cluedo.engine.game import Game
from cluedo.engine.phrase import Phrase
from cluedo.engine.record import RecordWriter
from cluedo.experiments.plan.part import Conditions, Part, PlannedGame
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.rows.observer import DealtGame, Values
from cluedo.experiments.rows.observers import parse_observer
from cluedo.experiments.rows.result_rows import COLUMNS, GameResult, ResultRows

__all__ = ["CompiledRunner", "GameRunner"]

_USUAL = Conditions()
_FAULT_LENGTH = 200
"""Characters of a fault's text that are kept: a bot may say anything, in every game."""


class GameRunner:
    """Plays games of one part, with a board, players and what writes records made once for many of them.

    Args:
        part: what is played; its map, rules and players are checked here.
        conditions: how; its observers are loaded here.

    Attributes:
        part, conditions: as given.
        board: the part's.
        players: those of the line-up, by place; none where the compiled engine plays.
        observers: those of the conditions.

    Raises:
        CluedoError: in one sentence, if such games cannot be played.
    """

    def __init__(self, part: Part, conditions: Conditions = _USUAL):
        self.part, self.conditions = part, conditions
        self.board = Board.load(part.map)
        check_seats(self.board.deck, part.rules, part.seats)
        self.players = self._read_line_up()
        self._watchdog = Watchdog(conditions.clock.limit_s)
        self.observers = [parse_observer(text) for text in conditions.observers]
        self._writer = RecordWriter(self.board, part.rules) if conditions.records else None
        Game(self.board, part.rules, self._deal(part.seeds(0)))  # says so if map and rules do not fit

    def play(self, games: range, interrupt: Interrupt) -> list[GameResult]:
        """Play some consecutive games, in order.

        Args:
            games: their numbers.
            interrupt: once it is wanted, the games finished so far are returned.
        """
        for spec in self.players:
            if isinstance(spec, ProgramSpec):
                spec.bot.forget_failures()
        results: list[GameResult] = []
        # What a bot prints must not end up amid our own output.
        with self._watchdog, contextlib.redirect_stdout(sys.stderr):
            for number in games:
                planned = self.part.game(number)
                if not planned.rotation or number == games.start:
                    # Rotations share the deal: its dice give the k-th roll however often it is asked for.
                    seeds = self.part.seeds(planned.deal)
                    deal = self._deal(seeds)
                if interrupt.wanted():
                    break
                try:
                    with interrupt.at_once():
                        result = self._play(planned, seeds, deal, interrupt)
                except KeyboardInterrupt:
                    if interrupt.armed:
                        break
                    raise
                for spec in self.players:
                    spec.check_budget()  # what was played beyond it does not count
                if interrupt.wanted():
                    break  # it may have disturbed a player, so this game does not count
                results.append(result)
        return results

    def rows(self, games: range, interrupt: Interrupt) -> ResultRows | None:
        """The results of some consecutive games as rows; None if it was interrupted."""
        results = self.play(games, interrupt)
        return ResultRows.of(self.part, results) if len(results) == len(games) else None

    def _read_line_up(self) -> list[PlayerSpec]:
        part, conditions = self.part, self.conditions
        specs = read_line_up(part.line_up, trusted=conditions.trusted, exchanges=conditions.exchanges, table=part.table)
        for spec in specs:
            spec.check(self.board.deck, self.part.rules, self.part.seats)
        return specs

    def _deal(self, seeds: Seeds) -> Deal:
        return draw_deal(seeds, self.board.deck, self.part.rules)

    def _play(self, planned: PlannedGame, seeds: Seeds, deal: Deal, interrupt: Interrupt) -> GameResult:
        number, _, rotation, places = planned
        game = Game(self.board, self.part.rules, deal)
        faults, think_s = self._finish(game, planned, seeds, interrupt)
        assert game.result is not None
        winner, reason, turns = game.result
        right = winner if reason == "solved" else None  # by rule 21 the last one wins without accusing
        record = None
        if self._writer is not None:
            names = [self.part.line_up[place] for place in places]
            seed = seeds.seed if self.part.seed_secret is None else None  # alone it would not give this deal again
            record = self._writer.line(game, names, seed=seed, number=number, deal=seeds.deal, rotation=rotation)
        table, state = game.table, game.state
        return GameResult(
            number,
            table.first,
            winner,
            reason,
            turns,
            table.hand_sizes,
            tuple(state.begun),
            tuple(state.asked),
            tuple([int(seat == right or state.eliminated >> seat & 1) for seat in range(table.seats)]),
            *_faults(faults, table.seats),
            tuple(think_s),
            record,
            self._observed(planned, game, deal, interrupt) if self.observers else {},
        )

    def _finish(
        self, game: Game, planned: PlannedGame, seeds: Seeds, interrupt: Interrupt
    ) -> tuple[list[Fault], list[float]]:
        """Play a game to its end; the faults, and by seat the seconds of thought."""
        match = Match(
            game,
            *seat_players(self.players, seeds, planned.rotation),
            self.conditions.clock,
            watchdog=self._watchdog,
            interrupted=interrupt.by_a_person,
        )
        match.play()
        return match.faults, match.think_s

    def _observed(self, planned: PlannedGame, game: Game, deal: Deal, interrupt: Interrupt) -> Values:
        """The values of the observers for a game; together they have as much time as a player has for one answer."""
        dealt = DealtGame(game.table, deal, tuple(self.part.line_up[place] for place in planned.places))
        values: Values = {}
        watchdog = self._watchdog
        watchdog.deadline = perf_counter() + watchdog.limit
        for observer in self.observers:
            try:
                values |= observer.watch(dealt, game)
            except BaseException as error:  # it may raise anything, SystemExit included
                watchdog.deadline = inf
                if isinstance(error, KeyboardInterrupt) and interrupt.by_a_person():
                    raise
                line_up = ",".join(self.part.line_up)
                where = Phrase(
                    "game {game} of {line_up} on {map}", game=planned.game, line_up=line_up, map=self.part.map
                )
                raise observer.error_for(error, where) from None
        watchdog.deadline = inf
        return values


def _faults(faults: Sequence[Fault], seats: int) -> tuple[tuple[int, ...], tuple[str | None, ...], tuple[int, ...]]:
    """By seat, the number of faults, and the text and the turn of the first."""
    counts, turns = [0] * seats, [-1] * seats
    texts: list[str | None] = [None] * seats
    for seat, turn, text, where in faults:
        if not counts[seat]:
            told = " ".join(text.split())[:_FAULT_LENGTH]
            texts[seat], turns[seat] = f"{told} ({where[:_FAULT_LENGTH]})" if where else told, turn
        counts[seat] += 1
    return tuple(counts), tuple(texts), tuple(turns)


class CompiledRunner(GameRunner):
    """Plays games of one part on the compiled engine, with a board and players made once.

    Arguments as of :class:`GameRunner`; nobody here thinks for long.
    """

    def _read_line_up(self) -> list[PlayerSpec]:
        from cluedo.ai.playouts.batch import CompiledTable  # numba and the detective are slow to import
        from cluedo.ai.playouts.players import compiled_line_up

        part = self.part
        players = compiled_line_up(part.line_up)
        self._table = CompiledTable(self.board, part.rules, players, part.seed, part.seed_secret)
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
        return ResultRows.placed(self.part.seats, arrays)

    def _finish(
        self,
        game: Game,
        planned: PlannedGame,
        seeds: Seeds,  # noqa: ARG002 - the table draws from the same
        interrupt: Interrupt,  # noqa: ARG002 - a game takes no time
    ) -> tuple[list[Fault], list[float]]:
        from cluedo.ai.playouts.arrays import commands_of  # as above

        trace = self._table.play(range(planned.game, planned.game + 1), traced=True).trace
        for command in commands_of(trace):
            game.execute(command)
        return [], [0.0] * self.part.seats
