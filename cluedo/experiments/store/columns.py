"""Rows as DuckDB takes and gives them, and whether what it gives is what was stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from cluedo.engine.rules import MAX_SEATS, MIN_SEATS, MOST_TURNS
from cluedo.experiments.plan.plan import Plan
from cluedo.experiments.play.observer import ObservedColumn
from cluedo.experiments.play.rows import COLUMNS, REASONS, ResultRows

__all__ = [
    "amiss",
    "copy",
    "flat",
    "identifiers",
    "kinds",
    "literal",
    "of_line_ups",
    "of_plan",
    "rows_of",
    "sql_text",
    "wrong_column",
]


def kinds(observed: Iterable[ObservedColumn]) -> dict[str, str]:
    """All columns of a row, those of observers last, and their types in DuckDB."""
    return COLUMNS | {column.name: column.kind for column in observed}


def identifiers(names: Iterable[str]) -> list[str]:
    """Names of columns in SQL, where that of an observer's may be a word of SQL."""
    return [f'"{name}"' for name in names]


def copy(plan: Plan, path: Path, observed: Sequence[ObservedColumn]) -> str:
    """The statement that writes columns to a file. Constants stand in it: as parameters they cost twice the time."""
    levels = f"[{', '.join(map(sql_text, plan.line_up))}]"
    made = {
        "map": sql_text(plan.map),
        "line_up": sql_text(",".join(plan.line_up)),
        "seed": str(plan.fingerprint),
        "winner_seat": "nullif(winner_seat, -1)",
        "winner": f"{levels}[winner + 1]",
        "reason": f"[{', '.join(map(sql_text, REASONS))}][reason + 1]",
        "level": f"{levels}[place + 1]",
        "fault_turn": "nullif(fault_turn, -1)",
    } | {column.name: f'CASE WHEN isnan("{column.name}") THEN NULL ELSE "{column.name}" END' for column in observed}
    columns = ", ".join(f'({made.get(name, name)})::{kind} AS "{name}"' for name, kind in kinds(observed).items())
    how = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
    return f"COPY (SELECT {columns} FROM columns) TO {sql_text(str(path))} ({how})"


def sql_text(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def literal(path: Path) -> str:
    """A path that DuckDB takes as it is, not as a pattern."""
    return re.sub(r"[*?[]", r"[\g<0>]", str(path))


def flat(rows: ResultRows, first_game: int, seats: int) -> dict[str, Any]:
    """One array for each column, one element for each seat of each game."""
    by_game = {name: np.repeat(column, seats) for name, column in rows.by_game.items()}
    by_seat = {name: column.ravel() for name, column in rows.by_seat.items()}
    seat = np.tile(np.arange(seats), rows.games)
    record = np.full(rows.games * seats, None, dtype=object)
    if rows.records:
        record[::seats] = rows.records
    fault = np.full(rows.games * seats, None, dtype=object)
    fault_turn = np.full(rows.games * seats, -1)
    for (game, at), (turn, text) in rows.fault_texts.items():
        fault[game * seats + at], fault_turn[game * seats + at] = text, turn
    own = {
        "game": by_game["game"] + first_game,
        "deal": by_game["game"] // seats,
        "seat": seat,
        "started": by_game["first"] == seat,
        "won": by_game["winner_seat"] == seat,
        "fault": fault,
        "fault_turn": fault_turn,
        "record": record,
    }
    return by_game | by_seat | own


def rows_of(columns: dict[str, Any], first_game: int, seats: int, observed: Iterable[ObservedColumn]) -> ResultRows:
    """The rows that :func:`flat` made columns of, but for their records; sound ones, in the order of game and seat."""
    count = len(columns["game"]) // seats
    by_game = {
        "game": columns["game"][::seats] - first_game,
        "first": columns["first"][::seats].astype(int),
        "winner_seat": np.ma.filled(columns["winner_seat"][::seats].astype(int), -1),
        "reason": np.array([REASONS.index(text) for text in columns["reason"][::seats]]),
        "turns": columns["turns"][::seats],
    }
    names = ("hand_size", "own_turns", "hypotheses", "accused", "faults", "think_ms")
    by_seat = {name: np.asarray(columns[name]).reshape(count, seats) for name in names}
    for column in observed:
        values = np.ma.filled(columns[column.name].astype(float), np.nan).reshape(count, seats)
        if column.per == "seat":
            by_seat[column.name] = values
        else:
            by_game[column.name] = values[:, 0]
    texts, turns = columns["fault"], columns["fault_turn"]
    faults = {divmod(int(k), seats): (int(turns[k]), str(texts[k])) for k in np.flatnonzero(by_seat["faults"].ravel())}
    return ResultRows.placed(seats, by_game, by_seat, faults)


def wrong_column(types: Mapping[str, str], observed: Iterable[ObservedColumn]) -> str | None:
    """What is wrong with the columns of a file, if anything is, as the end of a sentence.

    ``types`` are DuckDB's, by the name of the column.
    """
    for name, kind in kinds(observed).items():
        if name not in types:
            return f"it has no column {name!r}"
        if types[name] != kind:
            return f"its column {name!r} is {types[name]}, not {kind}"
    return None


_SOUND: Final = (
    f"reason IN ({', '.join(map(sql_text, REASONS))})",
    "(winner_seat IS NOT NULL) = (reason = 'solved')",
    "(winner IS NULL) = (winner_seat IS NULL)",
    "coalesce(winner_seat, 0) < len(string_split(line_up, ','))",
    "coalesce(list_contains(string_split(line_up, ','), winner), true)",
    "list_contains(string_split(line_up, ','), level)",
    f"len(string_split(line_up, ',')) BETWEEN {MIN_SEATS} AND {MAX_SEATS}",
    "first < len(string_split(line_up, ','))",
    "rotation < len(string_split(line_up, ','))",
    "seat < len(string_split(line_up, ','))",
    "won = coalesce(winner_seat = seat, false)",
    "started = (first = seat)",
    "(fault IS NULL) = (faults = 0)",
    "(fault_turn IS NULL) = (faults = 0)",
    f"turns BETWEEN 1 AND {MOST_TURNS}",
    "own_turns >= 0 AND hypotheses >= 0 AND faults >= 0 AND accused >= 0 AND hand_size >= 0 AND seed >= 0",
    "think_ms >= 0 AND isfinite(think_ms) AND game >= 0 AND deal >= 0",
)


def amiss(where: str, observed: Iterable[ObservedColumn]) -> str:
    """A condition in SQL, true of a row that no game has, or for which the condition ``where`` does not hold."""
    finite = (f'coalesce(isfinite("{column.name}"::DOUBLE), true)' for column in observed)
    return f"NOT coalesce({' AND '.join(f'({one})' for one in (where, *_SOUND, *finite))}, false)"


def of_line_ups(line_ups: Iterable[tuple[str, str]]) -> str:
    """A condition in SQL: the row is of one of these maps with one of these line-ups, joined by commas."""
    return f"(map, line_up) IN ({', '.join(f'({sql_text(name)}, {sql_text(text)})' for name, text in line_ups)})"


def of_plan(plan: Plan, first_game: int) -> str:
    """A condition in SQL: the row is of a game of this plan, whose game 0 has this number in the experiment."""
    here, levels = f"(game - {first_game})", ", ".join(map(sql_text, plan.line_up))
    return (
        f"{of_line_ups([(plan.map, ','.join(plan.line_up))])} AND seed = {plan.fingerprint} "
        f"AND {here} BETWEEN 0 AND {plan.games - 1} "
        f"AND deal = {here} // {plan.seats} AND rotation = {here} % {plan.seats} "
        f"AND level = [{levels}][(seat::INTEGER + rotation::INTEGER) % {plan.seats} + 1]"
    )
