"""Results of experiments for tests: real games, written as a run would write them, or rows made up."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from cluedo import __version__
from cluedo.engine.rules import Rules
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.read.stats import Estimate, RatioSums, rate_of
from cluedo.experiments.rows.result_rows import COLUMNS
from helpers.laboratory import played

Row = dict[str, Any]


def write_chunk(path: Path, rows: Sequence[Row], observed: Mapping[str, str] | None = None) -> None:
    """A Parquet file of these rows; a column that a row lacks is null. ``observed``: more columns and their types."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.with_suffix(".jsonl")
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    kinds = {column.name: column.kind for column in COLUMNS.values()} | dict(observed or {})
    columns = ", ".join(f"{name}: '{kind}'" for name, kind in kinds.items())
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT * FROM read_json('{lines}', format='newline_delimited', columns={{{columns}}})) "
            f"TO '{path}' (FORMAT parquet)"
        )
    lines.unlink()


def play(
    folder: Path, line_ups: Sequence[Sequence[str]], games: int, maps: Sequence[str] = ("tiny",), **more: Any
) -> None:
    """Play and store real games: so many by each line-up on each map."""
    given = {"name": "trial", "maps": tuple(maps), "line_ups": tuple(map(tuple, line_ups)), "games": games, "seed": 5}
    played(Experiment.of(**given | {"record": "results"} | more), folder, finish=True)


def stored_rows(folder: Path) -> list[Row]:
    """The rows as they are stored, in the order of games and seats."""
    with duckdb.connect() as connection:
        found = connection.execute(f"FROM '{folder}/chunks/*.parquet' ORDER BY game, seat")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def won_of(rows: Iterable[Row]) -> Estimate:
    """The share of some rows that won, with its interval over deals, counted row by row."""
    strata: dict[int, dict[tuple[int, int], list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for row in rows:
        deal = strata[row["line_up"].count(",")][row["seed"], row["deal"]]
        deal[0] += row["won"]
        deal[1] += 1
    return rate_of([RatioSums.of(*np.array(list(deals.values())).T) for deals in strata.values()])


def write_manifest(
    folder: Path,
    line_ups: Sequence[Sequence[str]],
    games: int,
    *,
    maps: Sequence[str] = ("manoir",),
    name: str = "trial",
    rules: Rules | None = None,
    seed: int = 0,
    records: bool = False,
    stop: dict[str, Any] | None = None,
    finished: bool = True,
    **more: Any,
) -> None:
    """The manifest of an experiment of these line-ups, so many games each on each map."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {
        "format": 1,
        "name": name,
        "hash": "0" * 16,
        "cluedo": __version__,
        "python": "3.11.2",
        "machine": {"system": "Linux", "machine": "x86_64", "cpus": 2},
        "command": f"cluedo experiment run {name}.toml --out {name}",
        "experiment": {
            "name": name,
            "maps": list(maps),
            "line_ups": list(map(list, line_ups)),
            "games": games,
            "seed": seed,
            "record": "full" if records else "results",
            "rules": (rules or Rules()).model_dump(),
            "stop": stop,
        },
    }
    if finished:
        manifest |= {"elapsed_s": 12.5, "played": games * len(line_ups) * len(maps), "stopped": []}
    (folder / "manifest.json").write_text(json.dumps(manifest | more, indent=2), encoding="utf-8")
    if finished:
        (folder / "summary.json").write_text("{}\n", encoding="utf-8")


def change_manifest(folder: Path, *, experiment: Mapping[str, Any] | None = None, **changes: Any) -> None:
    """Let the manifest say something else, or of the experiment."""
    path = folder / "manifest.json"
    told = json.loads(path.read_text(encoding="utf-8")) | changes
    told["experiment"] |= experiment or {}
    path.write_text(json.dumps(told), encoding="utf-8")


def write_rows(folder: Path, rows: Sequence[Row], observed: Mapping[str, str] | None = None, **manifest: Any) -> None:
    """A store of one chunk of these rows, of an experiment that is over."""
    write_chunk(folder / "chunks" / "00000000.parquet", rows, observed)
    line_ups, maps = ({row[key]: None for row in rows} for key in ("line_up", "map"))
    games = len({row["game"] for row in rows}) // (len(line_ups) * len(maps))
    write_manifest(folder, [text.split(",") for text in line_ups], games, maps=list(maps), **manifest)


def made_up(
    line_up: Sequence[str],
    outcomes: Sequence[tuple[int, int | None]],
    *,
    board: str = "manoir",
    first_game: int = 0,
    seed: int = 0,
    **more: Any,
) -> list[Row]:
    """Rows of games that nobody played, in the order of a part: for each, the turns and the seat of the winner."""
    seats, rows = len(line_up), []
    for number, (turns, winner) in enumerate(outcomes):
        deal, rotation = divmod(number, seats)
        levels = [line_up[(seat + rotation) % seats] for seat in range(seats)]
        for seat, level in enumerate(levels):
            row = {
                "game": first_game + number, "map": board, "line_up": ",".join(line_up), "deal": deal,
                "rotation": rotation, "seed": seed, "first": deal % seats, "winner_seat": winner,
                "winner": None if winner is None else levels[winner],
                "reason": "unfinished" if winner is None else "solved", "turns": turns, "seat": seat, "level": level,
                "hand_size": 18 // seats + (seat < 18 % seats), "started": seat == deal % seats,
                "own_turns": max(1, turns // seats), "hypotheses": turns // 2, "accused": int(seat == winner),
                "won": seat == winner, "faults": 0, "think_ms": 1.5 * (seat + 1), "fault": None, "fault_turn": None,
                "record": None,
            }  # fmt: skip
            rows.append(row | more)
    return rows


def write_made_up(
    folder: Path, line_ups: Sequence[Sequence[str]], outcomes: Any, *, name: str = "trial", **more: Any
) -> list[Row]:
    """A store of games that nobody played: every line-up with the same outcomes."""
    rows: list[Row] = []
    for k, line_up in enumerate(line_ups):
        own = made_up(line_up, outcomes, first_game=k * len(outcomes), **more)
        write_chunk(folder / "chunks" / f"{k:08}.parquet", own)
        rows += own
    write_manifest(folder, line_ups, len(outcomes), maps=[rows[0]["map"]], name=name)
    return rows
