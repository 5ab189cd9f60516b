"""Converts rows for DuckDB and back, and checks that stored chunks hold what games can give."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cluedo.engine.errors import one_line, os_reason
from cluedo.engine.phrase import Phrase
from cluedo.experiments.plan.part import Part
from cluedo.experiments.rows.observer import ObservedColumn
from cluedo.experiments.rows.result_rows import REASONS, ResultColumn, ResultRows
from cluedo.experiments.store.folder import PLAYED_AGAIN, ResultsError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

__all__ = [
    "chunk_in",
    "column_arrays",
    "copy",
    "identifiers",
    "literal",
    "of_line_ups",
    "of_part",
    "readable",
    "reason_of",
    "row_expressions",
    "rows_of",
    "sql_list",
    "sql_text",
    "wrong_rows",
    "wrong_value",
]


_ERRNO: Final = re.compile(r'"errno":"(\d+)"')
"""In an error of DuckDB's, which holds one of its own as JSON where a thread of its could not write."""


def identifiers(observed: Iterable[ObservedColumn]) -> list[str]:
    """The names of observers' columns in SQL, of which they may be words."""
    return [f'"{column.name}"' for column in observed]


def copy(part: Part, first_game: int, path: Path, columns: Iterable[ResultColumn]) -> str:
    """The statement that writes ``columns``, a variable where it is executed, to a file.

    Constants stand in it: as parameters they cost twice the time.
    """
    said = _part_sql(part, first_game)
    made = [(column, column.stored.format_map(said) or column.name) for column in columns]
    stored = ", ".join(f'({expression})::{column.kind} AS "{column.name}"' for column, expression in made)
    how = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
    return f"COPY (SELECT {stored} FROM columns) TO {sql_text(str(path))} ({how})"


def row_expressions(part: Part, first_game: int, columns: Iterable[ResultColumn]) -> str:
    """The SQL expressions that read the columns for :func:`rows_of` from stored rows."""
    said = _part_sql(part, first_game)
    read = {
        column.name: column.read.format_map(said) or column.name
        for column in columns
        if column.taken or column.name == "seat"
    }
    return ", ".join(f'{expression} AS "{name}"' for name, expression in read.items())


def _part_sql(part: Part, first_game: int) -> dict[str, str]:
    """The values of a part in SQL, by the names that :class:`ResultColumn` uses."""
    return {
        "seats": str(part.seats),
        "first_game": str(first_game),
        "map": sql_text(part.map),
        "line_up": sql_text(",".join(part.line_up)),
        "levels": sql_list(part.line_up),
        "seed": str(part.fingerprint),
        "reasons": sql_list(REASONS),
    }


def sql_text(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def sql_list(texts: Iterable[str]) -> str:
    """A list of texts in SQL."""
    return f"[{', '.join(map(sql_text, texts))}]"


def literal(path: Path) -> str:
    """A path that DuckDB takes as it is, not as a pattern."""
    return re.sub(r"[*?[]", r"[\g<0>]", str(path))


def column_arrays(rows: ResultRows, seats: int) -> dict[str, Any]:
    """One array for each column, one element for each seat of each game."""
    by_game = {name: np.repeat(column, seats) for name, column in rows.by_game.items()}
    by_seat = {name: column.ravel() for name, column in rows.by_seat.items()}
    record = np.full(rows.games * seats, None, dtype=object)
    if rows.records:
        record[::seats] = rows.records
    return by_game | by_seat | {"seat": np.tile(np.arange(seats), rows.games), "record": record}


def rows_of(read: dict[str, Any], seats: int, columns: Iterable[ResultColumn]) -> ResultRows:
    """The inverse of :func:`column_arrays`, without records; the rows are sound, in the order of game and seat."""
    arrays = {}
    for column in columns:
        if column.taken:
            values = np.asarray(read[column.name]).reshape(-1, seats)
            arrays[column.name] = values if column.per == "seat" else values[:, 0]
    return ResultRows.placed(seats, arrays)


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Raise a :class:`ResultsError` for a stored chunk that DuckDB cannot read inside the ``with``."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise ResultsError(
            "{path}: cannot be read: {reason}; {again}", path=path, reason=reason_of(error), again=PLAYED_AGAIN
        ) from None
    except UnicodeDecodeError:
        raise ResultsError(
            "{path}: cannot be read: a text in it is not UTF-8; {again}", path=path, again=PLAYED_AGAIN
        ) from None


def chunk_in(connection: DuckDBPyConnection, path: Path, columns: Iterable[ResultColumn]) -> DuckDBPyRelation:
    """A stored chunk; raises :class:`ResultsError` for a file without these columns."""
    found = connection.read_parquet(literal(path))
    types = dict(zip(found.columns, map(str, found.types), strict=True))
    for column in columns:
        name, kind = column.name, types.get(column.name)
        if kind == column.kind:
            continue
        wrong = Phrase("it has no column {name!r}", name=name)
        if kind is not None:
            wrong = Phrase("its column {name!r} is {found}, not {kind}", name=name, found=kind, kind=column.kind)
        raise ResultsError(
            "{path}: not a file of results: {wrong}; {again}", path=path, wrong=wrong, again=PLAYED_AGAIN
        )
    return found


def reason_of(error: Exception) -> str:
    """The essence of an error of DuckDB on one line; the system's own words if a write failed."""
    if (found := _ERRNO.search(str(error))) is not None:
        number = int(found[1])
        return os_reason(OSError(number, os.strerror(number)))
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    return first.partition("Error: ")[2] or first


def wrong_rows(where: str, columns: Iterable[ResultColumn]) -> str:
    """An SQL condition that is true for rows that no game can have, and for rows without the condition ``where``."""
    conditions = (where, *(condition for column in columns for condition in column.sound))
    return f"NOT coalesce({' AND '.join(f'({one})' for one in conditions)}, false)"


def wrong_value(rows: DuckDBPyRelation, columns: Iterable[ResultColumn]) -> Phrase | None:
    """Which value of some stored rows no game can have, as a part of a sentence; None if there is none."""
    for name, condition in ((column.name, condition) for column in columns for condition in column.sound):
        wrong = rows.filter(f"NOT coalesce({condition}, false)").project(f'"{name}", game, seat')
        for found in wrong.order("game, seat").limit(1).fetchall():
            value, game, seat = ("NULL" if one is None else one_line(str(one)) for one in found)
            return Phrase(
                "in the row of game {game}, seat {seat}, {column} is {value}, where {condition} must hold",
                game=game,
                seat=seat,
                column=name,
                value=value,
                condition=condition,
            )
    return None


def of_line_ups(line_ups: Iterable[tuple[str, str]]) -> str:
    """A condition in SQL: the row is of one of these maps with one of these line-ups, joined by commas."""
    return f"(map, line_up) IN ({', '.join(f'({sql_text(name)}, {sql_text(text)})' for name, text in line_ups)})"


def of_part(part: Part, first_game: int) -> str:
    """A condition in SQL: the row is of a game of this part, whose game 0 has this number in the experiment."""
    here = f"(game - {first_game})"
    return (
        f"{of_line_ups([(part.map, ','.join(part.line_up))])} AND seed = {part.fingerprint} "
        f"AND {here} BETWEEN 0 AND {part.games - 1} "
        f"AND deal = {here} // {part.seats} AND rotation = {here} % {part.seats} "
        f"AND level = {sql_list(part.line_up)}[(seat::INTEGER + rotation::INTEGER) % {part.seats} + 1]"
    )
