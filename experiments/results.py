"""Reading the results of experiments: DuckDB over their Parquet files, and what a report counts in them.

All counting is done by SQL, file by file, so that memory does not grow with the number of games.
Two views are for everybody: ``games`` has a row for each game, ``seats`` a row for each seat of each
game. Whoever asks by SQL of their own can read these and nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cluedo.errors import CluedoError
from cluedo.experiments.stats import wilson_interval
from cluedo.mapfile import sentence
from cluedo.rules import Rules

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["Deals", "Fault", "LineUpCount", "Manifest", "Results", "ResultsError", "Share", "Source", "Standing"]

_MANIFEST: Final = "manifest.json"
_CHUNKS: Final = "chunks"
_FORMAT: Final = 1

_GAME: Final = (
    "game", "map", "line_up", "deal", "rotation", "seed", "first", "winner_seat", "winner", "reason", "turns",
)  # fmt: skip
_SEAT: Final = (
    "seat", "level", "hand_size", "started", "own_turns", "hypotheses", "accused", "won", "faults", "think_ms",
    "fault", "fault_turn",
)  # fmt: skip
_COLUMNS: Final = (*_GAME, *_SEAT, "record")

_SIGNED: Final = frozenset(
    ("rotation", "first", "winner_seat", "turns", "seat", "hand_size", "own_turns", "hypotheses", "accused", "faults",
     "fault_turn")
)  # fmt: skip
"""Stored without a sign, which in DuckDB would make an error of ``seat - first``."""

_BATCH: Final = 10_000
"""Rows of CSV made at once."""


class ResultsError(CluedoError):
    """Results that cannot be read, or a question about them that cannot be answered."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)
    map: str
    line_up: tuple[str, ...]
    games: int
    first_game: int


class _Played(BaseModel):
    model_config = ConfigDict(frozen=True)
    seed: int = 0
    record: str = "results"
    rules: Rules = Rules()
    title: str = ""


class Manifest(BaseModel):
    """What a report needs of ``manifest.json``.

    Attributes:
        games: how many are planned.
        parts: each line-up on each map, with the number of its first game.
        experiment: seed, rules and what is kept of games.
        stopped: verdicts of sequential tests, which ended their parts early.
        elapsed_s: how long the run took; None while it is not over.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    cluedo: str = "?"
    python: str = "?"
    machine: dict[str, Any] = Field(default_factory=dict)
    command: str = ""
    games: int = 0
    experiment: _Played = _Played()
    parts: tuple[_Part, ...] = ()
    stopped: tuple[dict[str, Any], ...] = ()
    elapsed_s: float | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One experiment that is read.

    Attributes:
        path: its folder.
        name: its name, made unique among those read together.
        manifest: what its run wrote down.
        toml: the experiment's file, or an empty text.
        games: how many are stored.
        files: the Parquet files, in the order of their games.
    """

    path: Path
    name: str
    manifest: Manifest
    toml: str
    games: int
    files: tuple[Path, ...]

    @property
    def over(self) -> bool:
        """Whether the run has come to its end, by itself or by a stopping rule."""
        return self.manifest.elapsed_s is not None


class Share(NamedTuple):
    """Some of a number, such as games won of games played."""

    wins: int
    trials: int

    @property
    def rate(self) -> float:
        """The share, from 0 to 1; NaN of nothing."""
        return self.wins / self.trials if self.trials else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the rate; from 0 to 1 of nothing."""
        return wilson_interval(self.wins, self.trials) if self.trials else (0.0, 1.0)


class Standing(NamedTuple):
    """How a level did.

    Attributes:
        level: its text.
        won: its seat-games, and how many of them won.
        fair: the mean over its seat-games of one over the number of players.
        hypotheses: how many it made, a seat-game.
        wrong: accusations that were wrong.
        faults: choices lost by misbehaving.
        think_ms: milliseconds of thought for one turn of its own, on average.
    """

    level: str
    won: Share
    fair: float
    hypotheses: float
    wrong: int
    faults: int
    think_ms: float


class LineUpCount(NamedTuple):
    """How often somebody (or nobody: None) won with one line-up on one map."""

    map: str
    line_up: tuple[str, ...]
    winner: str | None
    games: int


class Fault(NamedTuple):
    """A level's first fault: in which experiment, game and turn, and what it was."""

    level: str
    experiment: str
    game: int
    turn: int
    text: str


class Deals(NamedTuple):
    """What each level made of each deal. Games of one deal are related, so deals are what is drawn at random.

    Attributes:
        levels: the columns.
        wins, seats: arrays (deals, levels): games won, and seat-games.
    """

    levels: tuple[str, ...]
    wins: NDArray[np.int64]
    seats: NDArray[np.int64]


class Results:
    """The results of some experiments, open for reading; a context manager.

    Attributes:
        sources: the experiments.
    """

    def __init__(self, sources: Sequence[Source], connection: DuckDBPyConnection):
        self.sources = tuple(sources)
        self._connection = connection

    @classmethod
    def open(cls, folders: Sequence[Path]) -> Self:
        """Open the results in some folders.

        Raises:
            ResultsError: a folder that is missing, holds no results, none yet, or something else.
        """
        import duckdb

        connection = duckdb.connect(config={"python_enable_replacements": "false"})
        try:
            with _sentences("the results cannot be read"):
                sources = [_source(connection, folder) for folder in dict.fromkeys(folders)]
                named = [source for source in _with_names(sources) if source.files]
                _make_views(connection, named)
                _lock(connection, named)
        except BaseException:
            connection.close()
            raise
        return cls(named, connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()

    # For whoever asks by SQL, or wants all of it.

    def query(self, sql: str) -> Iterator[str]:
        """The answer to one SQL question about ``games`` and ``seats``: pieces of CSV, the head first.

        Raises:
            ResultsError: at once, for what is no SQL, asks nothing, or would do more than read.
        """
        import duckdb

        with _sentences("--query"):
            statements = self._connection.extract_statements(sql)
            if len(statements) != 1:
                raise ResultsError(f"--query takes one SQL statement, not {len(statements)}")
            if statements[0].type not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
                raise ResultsError("--query only reads: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE or EXPLAIN")
            cursor = self._connection.cursor()
            cursor.execute(statements[0])
        return _csv(cursor)

    def csv(self) -> Iterator[str]:
        """One row for each seat of each game, in the order of the games: pieces of CSV, the head first."""
        columns = ", ".join(("experiment", *_GAME, *_SEAT))
        with _sentences("the results cannot be read"):
            cursor = self._connection.cursor()
            cursor.execute(f"SELECT {columns} FROM store")
        return _csv(cursor)

    # What a report counts.

    def games(self) -> int:
        """How many games are stored."""
        return sum(source.games for source in self.sources)

    def levels(self) -> list[str]:
        """The levels, the one with the highest win rate first."""
        return [standing.level for standing in self.standings()]

    def standings(self) -> list[Standing]:
        """How each level did, the best first: by win rate against its fair share, then by name."""
        rows = self._all(
            "SELECT level, count_if(won), count(*), favg(1.0 / players), avg(hypotheses), "
            "sum(accused) - count_if(won), sum(faults), sum(think_ms) / greatest(sum(own_turns), 1) "
            "FROM store GROUP BY level"
        )
        found = [
            Standing(level, Share(wins, seats), fair, hypotheses, int(wrong), int(faults), float(think or 0))
            for level, wins, seats, fair, hypotheses, wrong, faults, think in rows
        ]
        return sorted(found, key=lambda entry: (-entry.won.rate / entry.fair, entry.level))

    def standings_by_map(self) -> dict[str, dict[str, Share]]:
        """By map, then by level: seat-games, and how many won."""
        table: dict[str, dict[str, Share]] = {}
        for name, level, wins, seats in self._all(
            "SELECT map, level, count_if(won), count(*) FROM store GROUP BY ALL ORDER BY map, level"
        ):
            table.setdefault(name, {})[level] = Share(wins, seats)
        return table

    def line_ups(self) -> list[LineUpCount]:
        """How often who won, by map and line-up."""
        rows = self._all(
            "SELECT map, line_up, winner, count(*) FROM store WHERE seat = 0 GROUP BY ALL ORDER BY ALL NULLS LAST"
        )
        return [LineUpCount(name, tuple(text.split(",")), winner, games) for name, text, winner, games in rows]

    def lengths(self) -> dict[str, Counter[int]]:
        """By reason of the end, how many games took how many turns."""
        found: dict[str, Counter[int]] = {}
        for reason, turns, games in self._all(
            "SELECT reason, turns, count(*) FROM store WHERE seat = 0 GROUP BY ALL ORDER BY ALL"
        ):
            found.setdefault(reason, Counter())[turns] = games
        return found

    def by_order(self) -> dict[int, dict[int, Share]]:
        """By number of players, then by place in the order of play (0 starts): games, and how many won."""
        return self._by_players("(seat - first + players) % players")

    def by_hand_size(self) -> dict[int, dict[int, Share]]:
        """By number of players, then by cards held: seat-games, and how many won."""
        return self._by_players("hand_size")

    def first_faults(self) -> list[Fault]:
        """The first fault of each level that has any."""
        rows = self._all(
            "SELECT level, arg_min((experiment, game, fault_turn, fault), (experiment, game, seat)) FROM store "
            "WHERE fault IS NOT NULL GROUP BY level ORDER BY level"
        )
        return [Fault(level, *entry.values()) if isinstance(entry, dict) else Fault(level, *entry) for level, entry in rows]

    def deals(self) -> Deals:
        """Games won and seat-games of each level in each deal, whatever the line-ups that met it."""
        with _sentences("the results cannot be read"):
            found = self._connection.execute(
                "SELECT dense_rank() OVER (ORDER BY map, players, seed, deal) - 1 AS deal, level, "
                "count_if(won) AS wins, count(*) AS seats FROM store GROUP BY map, players, seed, store.deal, level"
            ).fetchnumpy()
        levels, column = np.unique(found["level"].astype(str), return_inverse=True)
        shape = (int(found["deal"].max()) + 1, len(levels))
        wins, seats = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        wins[found["deal"], column] = found["wins"]
        seats[found["deal"], column] = found["seats"]
        return Deals(tuple(map(str, levels)), wins, seats)

    def sample(self, most: int) -> list[tuple[str, int, str | None]]:
        """Some games for a closer look: (experiment, game, record if it was kept), at most ``most``.

        As many of every map and line-up as possible, chosen by the MD5 sum of the game's number, so
        that the choice depends on nothing but which games are stored.
        """
        return self._all(
            "WITH ranked AS (SELECT experiment, game, md5(game::VARCHAR) AS lot, "
            "row_number() OVER (PARTITION BY map, line_up ORDER BY md5(game::VARCHAR), experiment) AS turn "
            "FROM store WHERE seat = 0), "
            f"chosen AS (SELECT experiment, game FROM ranked ORDER BY turn, lot, experiment LIMIT {most}) "
            "SELECT experiment, game, record FROM store SEMI JOIN chosen USING (experiment, game) WHERE seat = 0 "
            "ORDER BY experiment, game"
        )

    def _by_players(self, what: str) -> dict[int, dict[int, Share]]:
        table: dict[int, dict[int, Share]] = {}
        for players, value, wins, seats in self._all(
            f"SELECT players, {what} AS value, count_if(won), count(*) FROM store GROUP BY ALL ORDER BY players, value"
        ):
            table.setdefault(players, {})[value] = Share(wins, seats)
        return table

    def _all(self, sql: str) -> list[Any]:
        with _sentences("the results cannot be read"):
            return self._connection.execute(sql).fetchall()


@contextmanager
def _sentences(what: str) -> Iterator[None]:
    """Whatever DuckDB has to say becomes one sentence."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        told = str(error).split("\n\nLINE")[0]
        raise ResultsError(f"{what}: {' '.join(told.split())}") from None


def _csv(cursor: DuckDBPyConnection) -> Iterator[str]:
    """The rows of a cursor as pieces of CSV, the head first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows: Sequence[Sequence[Any]] = [[column[0] for column in cursor.description or ()]]
    while rows:
        writer.writerows([[_plain(value) for value in row] for row in rows])
        yield text.getvalue()
        text.seek(0)
        text.truncate()
        with _sentences("--query"):
            rows = cursor.fetchmany(_BATCH)


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


# Opening.


def _source(connection: DuckDBPyConnection, folder: Path) -> Source:
    manifest = _manifest(folder)
    files = tuple(sorted((folder / _CHUNKS).glob("*.parquet")))
    if not files:
        if manifest.experiment.record == "none" and manifest.elapsed_s is not None:
            raise ResultsError(
                f'{folder} keeps no game, by its record = "none"; play it again with record = "results" for a report'
            )
        raise ResultsError(f"{folder} holds no games yet; wait until some are finished, or go on with it by --resume")
    _check_columns(connection, files)
    first: dict[str, int] = {}
    games = 0
    for name, least, count in connection.execute(
        f"SELECT filename, min(game), count_if(seat = 0) FROM read_parquet({_pattern(files)}, filename = true) GROUP BY ALL"
    ).fetchall():
        first[name] = least
        games += count
    try:
        toml = (folder / "experiment.toml").read_text(encoding="utf-8")
    except (OSError, ValueError):
        toml = ""  # the manifest holds the same; the file is for people
    ordered = tuple(sorted((path for path in files if str(path) in first), key=lambda path: first[str(path)]))
    return Source(folder, manifest.name, manifest, toml, games, ordered)


def _manifest(folder: Path) -> Manifest:
    path = folder / _MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        told = f"it has no {_MANIFEST}" if folder.is_dir() else "there is no such folder"
        raise ResultsError(f"{folder} is no folder of results: {told}") from None
    except NotADirectoryError:
        raise ResultsError(f"{folder} is a file; the folder of an experiment's results is wanted") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ResultsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not JSON'}") from None
    version = data.get("format", _FORMAT) if isinstance(data, dict) else _FORMAT
    if isinstance(version, int) and version > _FORMAT:
        raise ResultsError(f"{path}: format {version} is newer than this program knows (it reads {_FORMAT})")
    try:
        return Manifest.model_validate(data)
    except ValidationError as error:
        raise ResultsError(f"{path}: not the manifest of an experiment: {sentence(error)}") from None


def _check_columns(connection: DuckDBPyConnection, files: Sequence[Path]) -> None:
    """Every file has to be whole, and to have our columns."""
    import duckdb

    try:
        found = connection.execute(
            f"SELECT file_name, list(name) FROM parquet_schema({_pattern(files)}) GROUP BY file_name"
        ).fetchall()
    except duckdb.Error as error:
        raise ResultsError(_damaged(connection, files) or str(error).splitlines()[0]) from None
    for name, columns in found:
        lacking = [column for column in _COLUMNS if column not in columns]
        if lacking:
            raise ResultsError(f"{name}: not a file of results: it has no column {lacking[0]!r}")


def _damaged(connection: DuckDBPyConnection, files: Sequence[Path]) -> str | None:
    """Which of the files cannot be read, as a sentence."""
    import duckdb

    for path in files:
        try:
            connection.execute(f"SELECT * FROM parquet_schema({_pattern([path])})").fetchall()
        except duckdb.Error:
            return f"{path}: not a whole Parquet file; remove it and go on with the experiment by --resume"
    return None


def _with_names(sources: Sequence[Source]) -> list[Source]:
    """The same, with names made unique: by the folder's, by its path, in the end by a number."""
    taken: set[str] = set()
    named = []
    several = Counter(source.name for source in sources)
    for source in sources:
        name = source.name
        if several[name] > 1:
            tries = [source.path.resolve().name, str(source.path), *(f"{name} {k}" for k in range(2, len(sources) + 2))]
            name = next(text for text in tries if text not in taken)
        taken.add(name)
        named.append(Source(source.path, name, source.manifest, source.toml, source.games, source.files))
    return named


def _make_views(connection: DuckDBPyConnection, sources: Sequence[Source]) -> None:
    columns = ", ".join(f"{name}::INTEGER AS {name}" if name in _SIGNED else name for name in _COLUMNS)
    stored = " UNION ALL ".join(
        f"SELECT {_quoted(source.name)} AS experiment, {columns}, len(string_split(line_up, ',')) AS players "
        f"FROM read_parquet({_pattern(source.files)})"
        for source in sources
    )
    connection.execute(f"CREATE VIEW store AS {stored}")
    connection.execute(f"CREATE VIEW games AS SELECT experiment, {', '.join(_GAME)} FROM store WHERE seat = 0")
    connection.execute(f"CREATE VIEW seats AS SELECT experiment, game, {', '.join(_SEAT)} FROM store")


def _lock(connection: DuckDBPyConnection, sources: Sequence[Source]) -> None:
    """From here on only these files can be reached, and nobody can change that."""
    files = [path for source in sources for path in source.files]
    connection.execute(f"SET allowed_paths = {_list(files)} || {_pattern(files)}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _list(files: Sequence[Path]) -> str:
    return "[" + ", ".join(_quoted(str(path)) for path in files) + "]"


def _pattern(files: Sequence[Path]) -> str:
    """The same where DuckDB would read a name as a pattern: its signs stand for themselves."""
    return "[" + ", ".join(_quoted(re.sub(r"[[*?]", r"[\g<0>]", str(path))) for path in files) + "]"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
