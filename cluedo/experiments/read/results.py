"""Reading the results of experiments: DuckDB over their Parquet files, and what a report counts in them.

All counting is done by SQL, file by file, so that memory does not grow with the number of games.
Two tables are for everybody: ``games`` has a row for each game, ``seats`` a row for each seat of each
game. Whoever asks by SQL of their own can read these and nothing else.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from cluedo.engine.ctrl_c import postpone_interrupt
from cluedo.engine.file_io import writable
from cluedo.experiments.read.counts import (
    Deals,
    Groups,
    LevelFault,
    LevelPlay,
    ObservedMeans,
    SampledGame,
    Share,
    Standing,
)
from cluedo.experiments.read.source import (
    GAME_COLUMNS,
    SEAT_COLUMNS,
    UNREADABLE,
    Source,
    attach,
    load,
    observed_in,
    results_errors,
)
from cluedo.experiments.read.stats import SHARES, Estimate, RatioSums, clustered_mean
from cluedo.experiments.rows.observer import ObservedColumn
from cluedo.experiments.store.columns import identifiers, sql_text
from cluedo.experiments.store.folder import ResultsError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, Statement

__all__ = ["Results"]

_DEAL: Final = "deal, seed, players"
"""The columns that tell which deal it is, whatever the map and the line-up; by them deals come in the order of play."""

_BATCH: Final = 10_000
"""Rows of CSV made at once."""


class Results:
    """The results of some experiments, open for reading; a context manager.

    It answers one question at a time: the pieces of CSV end where the next question is asked.

    Attributes:
        sources: the experiments.
    """

    def __init__(self, sources: Sequence[Source], connection: DuckDBPyConnection):
        self.sources = tuple(sources)
        self._connection = connection
        self._memory: DuckDBPyConnection | None = None

    @classmethod
    def open(cls, folders: Sequence[Path]) -> Self:
        """Open the results in some folders.

        Raises:
            ResultsError: a folder that is missing, holds no results yet, or holds something else than it should.
        """
        connection = _connected()
        try:
            sources = attach(connection, folders)
        except BaseException:
            connection.close()
            raise
        return cls(sources, connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()
        if self._memory is not None:
            self._memory.close()

    # For whoever asks by SQL, or wants all of it.

    def query(self, sql: str) -> Iterator[str]:
        """The answer to an SQL query on ``games`` and ``seats``: pieces of CSV, the head first.

        The results are read into memory for it, so that no file is in reach of the question.

        Raises:
            ResultsError: at once, for what is no SQL, asks nothing, or would do more than read.
        """
        if not writable(sql):
            raise ResultsError("--query takes a statement in UTF-8")
        with results_errors("--query"):
            statements = self._connection.extract_statements(sql)
            if len(statements) != 1:
                raise ResultsError("--query takes one SQL statement, not {count}", count=len(statements))
            self._check_reads(statements[0])
            asked = self._loaded()
            asked.execute(statements[0].query)
        return _csv(asked)

    def _check_reads(self, statement: Statement) -> None:
        """Raise :class:`ResultsError` unless a statement is a query."""
        import duckdb

        if statement.type == duckdb.StatementType.MULTI:
            # A PIVOT, which DuckDB cuts in two, or something made of one: only the former can stand in a FROM.
            with suppress(duckdb.ParserException):
                self._connection.extract_statements(f"FROM ({statement.query.rstrip('; ')}\n)")
                return
        if statement.type != duckdb.StatementType.SELECT:
            raise ResultsError("--query only reads: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW, PIVOT or UNPIVOT")

    def _loaded(self) -> DuckDBPyConnection:
        """The results as tables in memory, for queries by users."""
        if self._memory is None:
            self._memory = _connected()
            load(self._memory, self.sources)
        return self._memory

    def csv(self) -> Iterator[str]:
        """One row for each seat of each game, in the order of the games: pieces of CSV, the head first."""
        observed = identifiers(column for per in ("game", "seat") for column in observed_in(self.sources, per))
        columns = ", ".join(("experiment", *GAME_COLUMNS, *SEAT_COLUMNS, *observed))
        with results_errors(UNREADABLE):
            self._connection.execute(f"SELECT {columns} FROM observed_rows")
        return _csv(self._connection)

    # What a report counts.

    def games(self) -> int:
        """How many games are stored."""
        return sum(source.games for source in self.sources)

    def numbers(self, experiment: str) -> frozenset[int]:
        """The numbers of the games of an experiment that are stored."""
        rows = self._all(f"SELECT game FROM rows WHERE seat = 0 AND experiment = {sql_text(experiment)}")
        return frozenset(number for (number,) in rows)

    def standings(self) -> list[Standing]:
        """How each level did, the best first: by win rate against its fair share, then by name."""
        # Sums of whole numbers are exact, in whatever order the threads add them.
        won = self._shares("level")
        rows = self._all(f"SELECT level, sum({SHARES} // players), sum(faults) FROM rows GROUP BY level")
        found = [Standing.of(level, won[level,], int(fair), int(faults)) for level, fair, faults in rows]
        return sorted(found, key=lambda standing: (-standing.multiple, standing.level))

    def play(self) -> dict[str, LevelPlay]:
        """How each level played."""
        rows = self._all(
            "SELECT level, avg(hypotheses), sum(accused) - count_if(won AND reason = 'solved'), "
            "sum((1e4 * think_ms)::BIGINT) / 1e4 / nullif(sum(own_turns) FILTER (think_ms > 0), 0) "
            "FROM rows GROUP BY level"
        )
        return {level: LevelPlay(hypotheses, int(wrong), float(think or 0)) for level, hypotheses, wrong, think in rows}

    def standings_by_map(self) -> dict[str, dict[str, Share]]:
        """By map, then by level: seats, and how many won."""
        table: dict[str, dict[str, Share]] = {}
        for (name, level), share in self._shares("map, level").items():
            table.setdefault(name, {})[level] = share
        return table

    def _shares(self, by: str, what: str = "won", rows: str = "true") -> dict[tuple[str, ...], Share]:
        """By the columns named, in their order: seats, and how many won; or what is true of other rows."""
        strata: dict[tuple[str, ...], list[RatioSums]] = {}
        for *key, _, deals, wins, seats, squared, mixed, seats_squared in self._all(
            f"WITH deals AS (SELECT {by}, {_DEAL}, count_if({what}) AS w, count(*) AS n FROM observed_rows "
            f"WHERE {rows} AND {what} IS NOT NULL GROUP BY ALL) "
            f"SELECT {by}, players, count(*), sum(w), sum(n), sum(w * w), sum(w * n), sum(n * n) FROM deals "
            "GROUP BY ALL ORDER BY ALL"
        ):
            strata.setdefault(tuple(key), []).append(RatioSums(deals, wins, seats, squared, mixed, seats_squared))
        return {key: Share.of(several) for key, several in strata.items()}

    def line_ups(self) -> list[tuple[str, ...]]:
        """The line-ups that played, sorted."""
        return sorted(tuple(text.split(",")) for (text,) in self._all("SELECT DISTINCT line_up FROM rows"))

    def lengths(self) -> dict[str, Counter[int]]:
        """By reason of the end, how many games took how many turns."""
        found: dict[str, Counter[int]] = {}
        for reason, turns, games in self._all(
            "SELECT reason, turns, count(*) FROM rows WHERE seat = 0 GROUP BY ALL ORDER BY ALL"
        ):
            found.setdefault(reason, Counter())[turns] = games
        return found

    def by_order(self) -> list[Groups]:
        """For each number of players: games won from each place in the order of play; 1 starts."""
        return self._groups("(seat + players - first) % players + 1")

    def by_hand_size(self) -> list[Groups]:
        """For each number of players and of cards that are dealt to them: games won with each number of cards in hand.

        Where other decks are dealt, the same number may be that of the larger hands or of the smaller ones.
        """
        dealt = "SELECT experiment, map, players, sum(hand_size) // count_if(seat = 0) AS dealt FROM rows GROUP BY ALL"
        return self._groups("hand_size", "dealt", f"rows JOIN ({dealt}) USING (experiment, map, players)")

    def first_faults(self) -> list[LevelFault]:
        """The first fault of each level that has any."""
        rows = self._all(
            "SELECT level, experiment, game, fault_turn, fault FROM rows WHERE fault IS NOT NULL "
            "QUALIFY row_number() OVER (PARTITION BY level ORDER BY experiment, game, seat) = 1 ORDER BY level"
        )
        return [LevelFault(*row) for row in rows]

    def deals(self) -> Deals:
        """The results of each level by deal and line-up."""
        found = self._arrays(
            f"SELECT dense_rank() OVER (ORDER BY {_DEAL}) - 1 AS deal, line_up, level, "
            f"count_if(won) AS wins, count(*) AS seats FROM rows GROUP BY {_DEAL}, line_up, level ORDER BY ALL"
        )
        levels, level = np.unique(found["level"].astype(str), return_inverse=True)
        line_ups, line_up = np.unique(found["line_up"].astype(str), return_inverse=True)
        numbers = found["deal"], line_up, level, found["wins"], found["seats"]
        return Deals(
            tuple(map(str, levels)),
            tuple(tuple(text.split(",")) for text in line_ups),
            *(np.asarray(values, np.int64) for values in numbers),
        )

    def sample(self, most: int) -> list[SampledGame]:
        """Some games for a closer look, at most ``most``.

        One of every map and line-up in turn, by the MD5 sum of the game's number, so that the choice
        depends on nothing but which games are stored.
        """
        rows = self._all(
            "WITH ranked AS (SELECT experiment, game, md5(game::VARCHAR) AS lot, "
            "row_number() OVER (PARTITION BY map, line_up ORDER BY md5(game::VARCHAR), experiment) AS round "
            "FROM rows WHERE seat = 0), "
            f"chosen AS (SELECT * FROM ranked ORDER BY round, lot, experiment LIMIT {most}) "
            "SELECT experiment, game, any_value(turns), any_value(winner_seat), sum(think_ms), any_value(record) "
            "FROM rows JOIN chosen USING (experiment, game) GROUP BY experiment, game, round, lot "
            "ORDER BY round, lot, experiment"
        )
        return [SampledGame(*row) for row in rows]

    def observed(self) -> list[ObservedMeans]:
        """The means of the observers' columns: those by seat, then those by game."""
        return [
            ObservedMeans(column.name, per, self._means(column, whose, rows))
            for per, whose, rows in (("seat", "level", "true"), ("game", "line_up", "seat = 0"))
            for column in observed_in(self.sources, per)
        ]

    def _means(self, column: ObservedColumn, whose: str, rows: str) -> dict[str, Estimate]:
        (value,) = identifiers([column])
        if column.type == "bool":
            return {group: share.rate for (group,), share in self._shares(whose, value, rows).items()}
        found = self._arrays(
            f"SELECT {whose}, fsum({value}::DOUBLE) AS sums, count({value}) AS counts FROM observed_rows "
            f"WHERE {rows} AND {value} IS NOT NULL GROUP BY {whose}, {_DEAL} ORDER BY ALL"
        )
        groups = found[whose].astype(str)
        return {
            str(group): clustered_mean(found["sums"][groups == group], found["counts"][groups == group])
            for group in np.unique(groups)
        }

    def _groups(self, what: str, apart: str = "0", rows: str = "rows") -> list[Groups]:
        """Groups of seats by ``what``, for each number of players and of what else is to be kept ``apart``."""
        found = self._arrays(
            f"SELECT players, ({apart})::INTEGER AS apart, ({what})::INTEGER AS value, count_if(won) AS wins, "
            f"dense_rank() OVER (PARTITION BY players, apart ORDER BY {_DEAL}) - 1 AS deal, count(*) AS games "
            f"FROM {rows} GROUP BY {_DEAL}, apart, value"
        )
        tables = np.stack([found["players"], found["apart"]], axis=1)
        return [
            Groups.of(int(table[0]), {name: column[(tables == table).all(axis=1)] for name, column in found.items()})
            for table in np.unique(tables, axis=0)
        ]

    def _arrays(self, sql: str) -> dict[str, Any]:
        """The answer as arrays, by the name of the column."""
        with results_errors(UNREADABLE):
            return self._connection.execute(sql).fetchnumpy()

    def _all(self, sql: str) -> list[Any]:
        with results_errors(UNREADABLE):
            return self._connection.execute(sql).fetchall()


def _connected() -> DuckDBPyConnection:
    with postpone_interrupt():  # as in the store
        import duckdb

    # A name in SQL must not find a variable of ours.
    connection = duckdb.connect(config={"python_enable_replacements": "false"})
    connection.execute("SET enable_progress_bar = false")  # on in a notebook, amid our own output
    return connection


def _csv(asked: DuckDBPyConnection) -> Iterator[str]:
    """The answer to a query as pieces of CSV, the head first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows: Sequence[Sequence[Any]] = [[column[0] for column in asked.description or ()]]
    while rows:
        writer.writerows([[_plain(value) for value in row] for row in rows])
        yield text.getvalue()
        text.seek(0)
        text.truncate()
        with results_errors("--query"):
            rows = asked.fetchmany(_BATCH)


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
