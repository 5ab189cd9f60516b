"""The results of games: of one game, and of many as numpy columns with a row for each seat of each game.

As columns they travel from workers, are counted and are stored, many games at a time. :data:`COLUMNS` describes each
column once: the store, the checks of what is stored, SQL and the documentation follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from cluedo.engine.rules import MAX_SEATS, MIN_SEATS, MOST_TURNS
from cluedo.engine.state import Reason
from cluedo.experiments.plan.part import Part
from cluedo.experiments.rows.observer import GREATEST, ObservedColumn, Values

__all__ = ["COLUMNS", "REASONS", "Column", "GameResult", "ResultColumn", "ResultRows", "all_columns"]

Column: TypeAlias = npt.NDArray[Any]

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
"""The ways a game may end; a row holds the index."""


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of the results, one of ours or an observer's.

    Attributes:
        name: what it is called, in Parquet and in SQL.
        kind: its type in DuckDB.
        per: what has a value of its own; those of a game are the same in all its rows.
        meaning: what it is, as the documentation says it.
        taken: the attribute of a :class:`GameResult` that it is taken from, a number or numbers by seat;
            empty for a column that follows from others and from the part.
        number: makes an array of that attribute's values of many games, where these are no numbers.
        stored: in SQL, what is stored, from the columns taken; ``{seats}``, ``{first_game}``, ``{map}``, ``{line_up}``,
            ``{levels}``, ``{seed}`` and ``{reasons}`` stand for what the part says. Empty if it is the same.
        read: in SQL, what was taken, from what is stored. Empty if it is the same.
        sound: in SQL, conditions that are true of every row.
    """

    name: str
    kind: str
    per: Literal["game", "seat"]
    meaning: str
    taken: str = ""
    number: Callable[[Any], Any] | None = None
    stored: str = ""
    read: str = ""
    sound: tuple[str, ...] = ()

    @classmethod
    def of_observer(cls, observed: ObservedColumn) -> ResultColumn:
        """A column of an observer's: of floats, NaN for NULL, until it is stored with its own type."""
        name = f'"{observed.name}"'  # which may be a word of SQL
        return cls(
            observed.name,
            observed.kind,
            observed.per,
            "what an observer noted",
            taken="observed",
            stored=f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END",
            read=f"coalesce({name}::DOUBLE, 'nan')",
            sound=(f"{name} IS NULL OR abs({name}::DOUBLE) <= {GREATEST:g}",),
        )


_PLAYERS: Final = "len(string_split(line_up, ','))"


def _column(per: Literal["game", "seat"], name: str, kind: str, meaning: str, *sound: str, **how: Any) -> ResultColumn:
    return ResultColumn(name, kind, per, meaning, sound=sound, **how)


_game, _seat = partial(_column, "game"), partial(_column, "seat")

COLUMNS: Final[Mapping[str, ResultColumn]] = {column.name: column for column in (
    _game("game", "BIGINT", "the number of the game in the experiment", "game >= 0",
          taken="game", stored="columns.game + {first_game}", read="game - {first_game}"),
    _game("map", "VARCHAR", "where it was played", stored="{map}"),
    _game("line_up", "VARCHAR", "by whom: the levels, separated by commas",
          f"{_PLAYERS} BETWEEN {MIN_SEATS} AND {MAX_SEATS}", stored="{line_up}"),
    _game("deal", "INTEGER", "which deal of the line-up", "deal >= 0", stored="columns.game // {seats}"),
    _game("rotation", "UTINYINT", "which rotation of the line-up", f"rotation < {_PLAYERS}"),
    _game("seed", "UBIGINT", "the seed; if it has a secret part, a fingerprint of both", "seed >= 0", stored="{seed}"),
    _game("first", "UTINYINT", "the seat that had the first turn", f"first < {_PLAYERS}",
          taken="first", read="first::INTEGER"),
    _game("winner_seat", "UTINYINT", "the seat that won; NULL if nobody did",
          f"coalesce(winner_seat, 0) < {_PLAYERS}", "reason <> 'solved' OR winner_seat IS NOT NULL",
          "reason <> 'unfinished' OR winner_seat IS NULL",
          taken="winner", number=lambda winners: [-1 if winner is None else winner for winner in winners],
          stored="nullif(columns.winner_seat, -1)", read="coalesce(winner_seat::INTEGER, -1)"),
    _game("winner", "VARCHAR", "the level that won; NULL if nobody did", "(winner IS NULL) = (winner_seat IS NULL)",
          "coalesce(list_contains(string_split(line_up, ','), winner), true)", stored="{levels}[columns.winner + 1]"),
    _game("reason", "VARCHAR", "how it ended: `solved`, `unsolved` (all accused wrongly) or `unfinished`",
          f"reason IN {REASONS}", taken="reason", number=lambda reasons: list(map(REASONS.index, reasons)),
          stored="{reasons}[columns.reason + 1]", read="list_position({reasons}, reason) - 1"),
    _game("turns", "INTEGER", "turns of all players", f"turns BETWEEN 1 AND {MOST_TURNS}", taken="turns"),
    _seat("seat", "UTINYINT", "which seat the row is about", f"seat < {_PLAYERS}"),
    _seat("level", "VARCHAR", "who played it", "list_contains(string_split(line_up, ','), level)",
          stored="{levels}[place + 1]"),
    _seat("hand_size", "UTINYINT", "its number of cards", "hand_size >= 0", taken="hand_sizes"),
    _seat("started", "BOOLEAN", "whether it had the first turn", "started = (first = seat)",
          stored="columns.first = seat"),
    _seat("own_turns", "INTEGER", "its turns", "own_turns >= 0", taken="own_turns"),
    _seat("hypotheses", "INTEGER", "its questions", "hypotheses >= 0", taken="hypotheses"),
    _seat("accused", "UTINYINT", "its accusations", "accused >= 0", taken="accusations"),
    _seat("won", "BOOLEAN", "whether it won", "won = coalesce(winner_seat = seat, false)",
          stored="columns.winner_seat = seat"),
    _seat("faults", "INTEGER", "its faults: choices that it lost, and failures while it was told something",
          "faults >= 0", taken="faults"),
    _seat("think_ms", "FLOAT", "milliseconds spent thinking; 0 in compiled games",
          "think_ms >= 0 AND isfinite(think_ms)", taken="think_s", number=lambda seconds: 1000 * np.array(seconds)),
    _seat("fault", "VARCHAR", "what the first of its faults was; NULL without any", "(fault IS NULL) = (faults = 0)",
          taken="fault", number=lambda texts: np.array(texts, object)),
    _seat("fault_turn", "INTEGER", "in which turn that was", "(fault_turn IS NULL) = (faults = 0)",
          taken="fault_turn", stored="nullif(columns.fault_turn, -1)", read="coalesce(fault_turn, -1)"),
    _seat("record", "VARCHAR", "the record of the game, in the row of seat 0, if records are kept"),
)}  # fmt: skip
"""Our columns of a stored row by name, in order."""


def all_columns(observed: Iterable[ObservedColumn]) -> tuple[ResultColumn, ...]:
    """All columns of a stored row: ours, then those of observers."""
    return *COLUMNS.values(), *map(ResultColumn.of_observer, observed)


_TAKEN: Final = tuple(column for column in COLUMNS.values() if column.taken)


class GameResult(NamedTuple):
    """The result of a game, by seat; the part says which player had which seat.

    Its values are tuples, which Python's search for garbage soon leaves alone: each list that outlives a game or two
    brings the next search through everything nearer.

    Attributes:
        game: its number in the part.
        first: the seat that began.
        winner: the seat that won, or None.
        reason: ``solved``, ``unsolved`` or ``unfinished``.
        turns: turns begun.
        hand_sizes: by seat, the cards held.
        own_turns, hypotheses, accusations: by seat, how many it had or made.
        faults: by seat, how many: choices lost by misbehaving, and failures while it was told something.
        fault, fault_turn: by seat, the text of its first one, with the place in its code, and the turn; None and -1
            without any.
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
    own_turns: tuple[int, ...]
    hypotheses: tuple[int, ...]
    accusations: tuple[int, ...]
    faults: tuple[int, ...]
    fault: tuple[str | None, ...]
    fault_turn: tuple[int, ...]
    think_s: tuple[float, ...]
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
            ``faults``, ``think_ms``, ``fault`` (None without any), ``fault_turn`` (or -1); each of shape (games,
            seats). In either, what observers noted, under the names of their columns: floats, NaN for NULL.
        records: the games' records, or empty.
    """

    by_game: dict[str, Column]
    by_seat: dict[str, Column]
    records: tuple[str, ...]

    @classmethod
    def of(cls, part: Part, results: Sequence[GameResult]) -> ResultRows:
        """The results of consecutive games of a part, at least one."""
        arrays: dict[str, Column] = {}
        taken: dict[str, Any] = dict(zip(GameResult._fields, zip(*results, strict=True), strict=True))
        for column in _TAKEN:
            values = taken[column.taken]
            arrays[column.name] = np.array(values if column.number is None else column.number(values))
        for name in results[0].observed:
            arrays[name] = np.array([result.observed[name] for result in results], dtype=float)  # None is NaN
        records = tuple(result.record for result in results if result.record is not None)
        return cls.placed(part.seats, arrays, records)

    @classmethod
    def placed(cls, seats: int, arrays: Mapping[str, Column], records: tuple[str, ...] = ()) -> ResultRows:
        """Rows made of the recorded columns; adds the place in the line-up that had each seat.

        ``arrays`` are of shape (games,) or (games, seats), by the name of the column. See :meth:`Part.game`.
        """
        by_game = {name: column for name, column in arrays.items() if column.ndim == 1}
        by_seat = {name: column for name, column in arrays.items() if column.ndim == 2}
        rotation = by_game["game"] % seats
        winner_seat = by_game["winner_seat"]
        winner = np.where(winner_seat < 0, -1, (winner_seat + rotation) % seats)
        place = (np.arange(seats) + rotation[:, None]) % seats
        return cls(by_game | {"rotation": rotation, "winner": winner}, by_seat | {"place": place}, records)

    @property
    def games(self) -> int:
        """How many games they are."""
        return len(self.by_game["game"])

    def games_by_deal(self, seats: int) -> Column:
        """By deal, in order, the games of it."""
        deal = self.by_game["game"] // seats
        return np.bincount(deal - deal[0])

    def wins_by_deal(self, line_up: Sequence[str], level: str) -> Column:
        """By deal, in order, the games that a level of the line-up won."""
        deal = self.by_game["game"] // len(line_up)
        won = np.isin(self.by_game["winner"], [place for place, text in enumerate(line_up) if text == level])
        return np.bincount(deal - deal[0], weights=won).astype(int)
