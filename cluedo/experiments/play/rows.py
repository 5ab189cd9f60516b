"""What is kept of games: one by one, and as columns, a row for each seat of each game, in numpy arrays.

As columns they travel from workers, are counted and are stored, many games at a time; the store's Parquet
files have the same columns (see :data:`COLUMNS`), with texts in place of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from cluedo.engine.state import Reason
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.observer import Values

__all__ = ["COLUMNS", "REASONS", "Column", "GameResult", "ResultRows"]

Column: TypeAlias = npt.NDArray[Any]

REASONS: Final[tuple[Reason, ...]] = ("solved", "unsolved", "unfinished")
"""The ways a game may end; a row holds the index."""

COLUMNS: Final[dict[str, str]] = {
    "game": "BIGINT",
    "map": "VARCHAR",
    "line_up": "VARCHAR",
    "deal": "INTEGER",
    "rotation": "UTINYINT",
    "seed": "UBIGINT",
    "first": "UTINYINT",
    "winner_seat": "UTINYINT",
    "winner": "VARCHAR",
    "reason": "VARCHAR",
    "turns": "INTEGER",
    "seat": "UTINYINT",
    "level": "VARCHAR",
    "hand_size": "UTINYINT",
    "started": "BOOLEAN",
    "own_turns": "INTEGER",
    "hypotheses": "INTEGER",
    "accused": "UTINYINT",
    "won": "BOOLEAN",
    "faults": "INTEGER",
    "think_ms": "FLOAT",
    "fault": "VARCHAR",
    "fault_turn": "INTEGER",
    "record": "VARCHAR",
}
"""The columns of a stored row, in order, and their types in DuckDB.

The first eleven belong to the game and are the same in all its rows: ``game`` is its number in the
experiment; ``line_up`` the levels, by commas; ``deal`` and ``rotation`` its place in the plan;
``winner_seat`` and ``winner`` (a level) are NULL if nobody won. The rest belong to the seat:
``think_ms`` milliseconds spent thinking, ``accused`` the accusations made, ``fault`` and
``fault_turn`` its first fault if it had any. ``record`` is the game's record, in the row of seat 0,
where records are kept.
"""


class GameResult(NamedTuple):
    """What is kept of a game, by seat; the plan says who of the line-up had which.

    Attributes:
        game: its number in the part.
        first: the seat that began.
        winner: the seat that won, or None.
        reason: ``solved``, ``unsolved`` or ``unfinished``.
        turns: turns begun.
        hand_sizes: by seat, the cards held.
        own_turns, hypotheses, accusations: by seat, how many it had or made.
        faults: by seat, how many choices were lost by misbehaving.
        first_faults: of each seat with faults: seat, turn and text of its first one, with the place in its code.
        think_s: by seat, seconds spent thinking (the one thing here that is not the same each time).
        record: the game's record as a line of JSON without its line end, or None if not asked for.
        observed: what observers noted, by column: a value, or a list of values by seat.
    """

    game: int
    first: int
    winner: int | None
    reason: Reason
    turns: int
    hand_sizes: tuple[int, ...]
    own_turns: list[int]
    hypotheses: list[int]
    accusations: list[int]
    faults: list[int]
    first_faults: list[tuple[int, int, str]]
    think_s: list[float]
    record: str | None
    observed: Values


@dataclass(frozen=True, slots=True)
class ResultRows:
    """The results of some games of one part.

    Attributes:
        by_game: ``game`` (in the part), ``rotation``, ``first``, ``winner_seat`` (-1: nobody), ``winner``
            (its place in the line-up, or -1), ``reason`` (an index of :data:`REASONS`), ``turns``; each of
            shape (games,).
        by_seat: ``place`` in the line-up, ``hand_size``, ``own_turns``, ``hypotheses``, ``accused``,
            ``faults``, ``think_ms``; each of shape (games, seats). In either, what observers noted, under
            the names of their columns: floats, NaN for NULL.
        fault_texts: by row (index of the game here, seat), turn and text of a first fault.
        records: the games' records, or empty.
    """

    by_game: dict[str, Column]
    by_seat: dict[str, Column]
    fault_texts: dict[tuple[int, int], tuple[int, str]]
    records: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan, results: Sequence[GameResult]) -> ResultRows:
        """The results of consecutive games of a part, at least one."""
        by_game = {
            "game": np.array([result.game for result in results]),
            "first": np.array([result.first for result in results]),
            "winner_seat": np.array([-1 if result.winner is None else result.winner for result in results]),
            "reason": np.array([REASONS.index(result.reason) for result in results]),
            "turns": np.array([result.turns for result in results]),
        }
        by_seat = {
            "hand_size": np.array([result.hand_sizes for result in results]),
            "own_turns": np.array([result.own_turns for result in results]),
            "hypotheses": np.array([result.hypotheses for result in results]),
            "accused": np.array([result.accusations for result in results]),
            "faults": np.array([result.faults for result in results]),
            "think_ms": 1000 * np.array([result.think_s for result in results]),
        }
        for name in results[0].observed:
            values = np.array([result.observed[name] for result in results], dtype=float)  # None is NaN
            (by_seat if values.ndim == 2 else by_game)[name] = values
        fault_texts = {
            (k, seat): (turn, text) for k, result in enumerate(results) for seat, turn, text in result.first_faults
        }
        records = tuple(result.record for result in results if result.record is not None)
        return cls.placed(plan.seats, by_game, by_seat, fault_texts, records)

    @classmethod
    def placed(
        cls,
        seats: int,
        by_game: dict[str, Column],
        by_seat: dict[str, Column],
        fault_texts: dict[tuple[int, int], tuple[int, str]],
        records: tuple[str, ...] = (),
    ) -> ResultRows:
        """Rows with what follows from the games' numbers: who of the line-up had which seat, see :meth:`Plan.game`."""
        rotation = by_game["game"] % seats
        winner_seat = by_game["winner_seat"]
        winner = np.where(winner_seat < 0, -1, (winner_seat + rotation) % seats)
        place = (np.arange(seats) + rotation[:, None]) % seats
        return cls(by_game | {"rotation": rotation, "winner": winner}, by_seat | {"place": place}, fault_texts, records)

    @property
    def games(self) -> int:
        """How many games they are."""
        return len(self.by_game["game"])

    def wins_by_deal(self, seats: int, places: Sequence[int]) -> Column:
        """By deal, in order, the games won from some places of the line-up."""
        deal = self.by_game["game"] // seats
        won = np.isin(self.by_game["winner"], places)
        return np.bincount(deal - deal[0], weights=won).astype(int)
