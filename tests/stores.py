"""Results of experiments for tests: real games, written as a run would write them, or rows made up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from cluedo import __version__
from cluedo.experiments.games import GameResult, GameRoom
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plan import Plan
from cluedo.rules import Rules

COLUMNS = {
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
    "turns": "USMALLINT",
    "seat": "UTINYINT",
    "level": "VARCHAR",
    "hand_size": "UTINYINT",
    "started": "BOOLEAN",
    "own_turns": "USMALLINT",
    "hypotheses": "USMALLINT",
    "accused": "UTINYINT",
    "won": "BOOLEAN",
    "faults": "UINTEGER",
    "think_ms": "FLOAT",
    "fault": "VARCHAR",
    "fault_turn": "USMALLINT",
    "record": "VARCHAR",
}

Row = dict[str, Any]


def write_chunk(path: Path, rows: Sequence[Row]) -> None:
    """A Parquet file of these rows; a column that a row lacks is null."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.with_suffix(".jsonl")
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    columns = ", ".join(f"{name}: '{kind}'" for name, kind in COLUMNS.items())
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT * FROM read_json('{lines}', format='newline_delimited', columns={{{columns}}})) "
            f"TO '{path}' (FORMAT parquet)"
        )
    lines.unlink()


def rows_of(plan: Plan, result: GameResult, first_game: int = 0, *, records: bool = False) -> list[Row]:
    """What a run keeps of one game, counted from its record."""
    assert result.record is not None
    record = json.loads(result.record)
    seats, rotation = plan.seats, record["rotation"]
    levels = [plan.line_up[(seat + rotation) % seats] for seat in range(seats)]
    winner = record["result"]["winner"]
    faults = {place: (turn, text) for place, turn, text in result.first_faults}
    rows = []
    for seat, level in enumerate(levels):
        place = (seat + rotation) % seats
        turn, text = faults.get(place, (None, None))
        mine = [event["type"] for event in record["events"] if event["seat"] == seat]
        rows.append(
            {
                "game": first_game + result.game,
                "map": plan.map,
                "line_up": ",".join(plan.line_up),
                "deal": record["deal"],
                "rotation": rotation,
                "seed": plan.seed,
                "first": record["first"],
                "winner_seat": winner,
                "winner": None if winner is None else levels[winner],
                "reason": result.reason,
                "turns": result.turns,
                "seat": seat,
                "level": level,
                "hand_size": len(record["players"][seat]["hand"]),
                "started": seat == record["first"],
                "own_turns": mine.count("end_turn") + (seat == winner),
                "hypotheses": mine.count("hypothesis"),
                "accused": mine.count("accusation"),
                "won": seat == winner,
                "faults": result.faults[place],
                "think_ms": 1000 * result.think_s[place],
                "fault": text,
                "fault_turn": turn,
                "record": result.record if records and seat == 0 else None,
            }
        )
    return rows


def write_store(
    folder: Path,
    plans: Sequence[Plan],
    *,
    name: str = "trial",
    records: bool = False,
    played: Sequence[int] | None = None,
    finished: bool = True,
    **manifest: Any,
) -> list[Row]:
    """Play plans that share rules and seed, and store them as one experiment; returns its rows.

    ``played`` says how many games of each plan are played, where that is not all of them.
    """
    rows: list[Row] = []
    parts, first_game = [], 0
    for k, plan in enumerate(plans):
        room = GameRoom(plan, 10.0, records=True)
        games = plan.games if played is None else played[k]
        own = [
            row
            for result in room.play(range(games), Interrupt())
            for row in rows_of(plan, result, first_game, records=records)
        ]
        if own:
            write_chunk(folder / "chunks" / f"{k:04}.parquet", own)
        rows += own
        parts.append({"map": plan.map, "line_up": list(plan.line_up), "games": plan.games, "first_game": first_game})
        first_game += plan.games
    write_manifest(
        folder,
        parts,
        name=name,
        rules=plans[0].rules,
        seed=plans[0].seed,
        records=records,
        finished=finished,
        **manifest,
    )
    return rows


def write_manifest(
    folder: Path,
    parts: Sequence[dict[str, Any]],
    *,
    name: str = "trial",
    rules: Rules | None = None,
    seed: int = 0,
    records: bool = False,
    finished: bool = True,
    **more: Any,
) -> None:
    """The manifest of an experiment of these parts."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {
        "format": 1,
        "name": name,
        "hash": "0" * 16,
        "cluedo": __version__,
        "python": "3.11.2",
        "machine": {"system": "Linux", "machine": "x86_64", "cpus": 2},
        "command": f"cluedo experiment run {name}.toml --out {name}",
        "games": sum(part["games"] for part in parts),
        "experiment": {
            "name": name,
            "maps": sorted({part["map"] for part in parts}),
            "line_ups": [part["line_up"] for part in parts],
            "games": parts[0]["games"] if parts else 0,
            "seed": seed,
            "record": "full" if records else "results",
            "rules": (rules or Rules()).model_dump(),
            "stop": None,
        },
        "parts": list(parts),
    }
    if finished:
        manifest["elapsed_s"] = 12.5
    (folder / "manifest.json").write_text(json.dumps(manifest | more, indent=2), encoding="utf-8")
    if finished:
        (folder / "summary.json").write_text("{}\n", encoding="utf-8")


def made_up(
    line_up: Sequence[str],
    outcomes: Sequence[tuple[int, int | None]],
    *,
    board: str = "manoir",
    first_game: int = 0,
    seed: int = 0,
    **more: Any,
) -> list[Row]:
    """Rows of games that nobody played, in the order of a plan: for each, the turns and the seat of the winner."""
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
    parts = []
    for k, line_up in enumerate(line_ups):
        own = made_up(line_up, outcomes, first_game=k * len(outcomes), **more)
        write_chunk(folder / "chunks" / f"{k:08}.parquet", own)
        parts.append(
            {"map": own[0]["map"], "line_up": list(line_up), "games": len(outcomes), "first_game": k * len(outcomes)}
        )
        rows += own
    write_manifest(folder, parts, name=name)
    return rows
