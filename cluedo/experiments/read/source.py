"""Opens the results of experiments: finds the folders and files that hold them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cluedo.bots.naming import is_level
from cluedo.engine.file_io import Unreadable, read_text
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import MAX_SEATS
from cluedo.experiments.rows.observer import ObservedColumn
from cluedo.experiments.rows.result_rows import COLUMNS, ResultColumn, all_columns
from cluedo.experiments.store.columns import (
    chunk_in,
    identifiers,
    literal,
    of_line_ups,
    readable,
    sql_list,
    sql_text,
    wrong_rows,
    wrong_value,
)
from cluedo.experiments.store.folder import (
    CHUNKS,
    EXPERIMENT,
    PLAYED_AGAIN,
    ResultsError,
    check_chunk,
    command_to_continue,
    read_checksums,
)
from cluedo.experiments.store.manifest import Manifest

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = [
    "GAME_COLUMNS",
    "SEAT_COLUMNS",
    "UNREADABLE",
    "Source",
    "attach",
    "check_apart",
    "load",
    "load_rows",
    "observed_in",
    "results_errors",
]

GAME_COLUMNS: Final = tuple(name for name, column in COLUMNS.items() if column.per == "game")
"""The columns that belong to a game."""
SEAT_COLUMNS: Final = tuple(name for name, column in COLUMNS.items() if column.per == "seat" and name != "record")
"""The columns that belong to a seat, but for the record."""

_READ: Final = {"UTINYINT": "{0}::INTEGER AS {0}", "FLOAT": "round({0}::DOUBLE, 4) AS {0}"}
"""By type, how columns are read that are stored shorter than people want them: without a sign, ``seat - first``
would be an error in DuckDB."""

_WIDEST: Final = ("float", "int", "bool")
"""The types of observers' columns; DuckDB makes one of two experiments' that which comes first."""

UNREADABLE: Final = Phrase("the results cannot be read")

_AT_ONCE: Final = 8
"""How many files of results are looked through together."""


@dataclass(frozen=True, slots=True)
class Source:
    """An experiment whose results are read.

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
        """Whether all planned games are played, or a sequential test has ended the experiment."""
        decided = any(test.verdict for test in self.manifest.stopped)
        return self.manifest.elapsed_s is not None and (decided or self.games >= self.manifest.experiment.total)


@contextmanager
def results_errors(what: str) -> Iterator[None]:
    """An error that DuckDB raises inside the ``with`` becomes a :class:`ResultsError` of one sentence."""
    import duckdb

    try:
        yield
    except UnicodeDecodeError:
        raise ResultsError("{what}: a text is not UTF-8", what=what) from None
    except duckdb.Error as error:
        told = str(error).split("\n\nLINE")[0]
        raise ResultsError("{what}: {names}", what=what, names=" ".join(told.split())) from None


def attach(connection: DuckDBPyConnection, folders: Sequence[Path]) -> list[Source]:
    """Make the views ``rows`` and ``observed_rows`` of the results in some folders, and lock out all else.

    Either has a row for each seat of each game; in ``rows`` it is without what observers noted, for a name of theirs
    must not be taken for one in a question of ours.

    Raises:
        ResultsError: a folder that is missing, holds no results yet, or holds something else than it should.
    """
    with results_errors(UNREADABLE):
        each_once = {os.path.realpath(folder): folder for folder in folders}.values()
        sources = _with_names([_source(connection, folder) for folder in each_once])
        _view_rows(connection, sources)
        connection.execute(f"CREATE VIEW rows AS SELECT experiment, {', '.join(COLUMNS)}, players FROM observed_rows")
        _lock(connection, sources)
    return sources


def check_apart(sources: Sequence[Source]) -> None:
    """Raise :class:`ResultsError` where two experiments hold the same games, which would count twice."""
    found: dict[object, Source] = {}
    for source in sources:
        manifest = source.manifest
        for part in manifest.experiment.parts:
            ours = all(map(is_level, part.line_up))  # what is not may have changed
            played_by = manifest.cluedo if ours else manifest.hash
            game = (part.map, part.rules, part.line_up, part.seed, part.seed_secret)
            first = found.setdefault((game, played_by), source)
            if first is not source:
                raise ResultsError(
                    "{first} and {second} hold the same games, which would count twice: {line_up} on {map}, "
                    "seed {seed}; give one of the two",
                    first=first.path,
                    second=source.path,
                    line_up=",".join(part.line_up),
                    map=part.map,
                    seed=part.seed,
                )


def _source(connection: DuckDBPyConnection, folder: Path) -> Source:
    manifest = Manifest.read(folder)
    files = tuple(sorted(path for path in (folder / CHUNKS).glob("*.parquet") if path.is_file()))
    if not files:
        if manifest.experiment.record == "none" and manifest.elapsed_s is not None:
            raise ResultsError(
                '{folder} keeps no games, because of record = "none"; play it again with record = "results" for '
                "a report",
                folder=folder,
            )
        raise ResultsError(
            "{folder} holds no games yet; wait until some are finished, or continue with `{command}`",
            folder=folder,
            command=command_to_continue(folder),
        )
    checksums = read_checksums(folder / CHUNKS)
    for path in files:
        check_chunk(path, checksums)
    columns = all_columns(manifest.columns)
    known = [(part.map, ",".join(part.line_up)) for part in manifest.experiment.parts]
    first: dict[str, int] = {}
    games, last = 0, -1
    wrong = wrong_rows(of_line_ups(known), columns)
    for name, least, most, count, others in _ranges(connection, files, wrong, columns):
        if others or least <= last:
            rows = connection.sql(f"SELECT * FROM {_rows([Path(name)], columns)}")
            told = wrong_value(rows, columns) or Phrase("holds other games than it should")
            raise ResultsError("{path}: {told}; {again}", path=name, told=told, again=PLAYED_AGAIN)
        first[name], last = least, most
        games += count
    try:
        toml = read_text(folder / EXPERIMENT)
    except Unreadable:
        toml = ""  # the manifest holds the same; the file is for people
    ordered = tuple(sorted((path for path in files if str(path) in first), key=lambda path: first[str(path)]))
    return Source(folder, manifest.experiment.name, manifest, toml, games, ordered)


def _ranges(
    connection: DuckDBPyConnection, files: Sequence[Path], wrong: str, columns: Sequence[ResultColumn]
) -> list[tuple[str, int, int, int, int]]:
    """By file: its name, first and last game, how many games, and how many rows that are ``wrong`` or there twice."""
    import duckdb

    def ask(some: Sequence[Path]) -> list[Any]:
        return connection.execute(
            "SELECT filename, min(game), max(game), count_if(seat = 0), "
            f"count_if({wrong}) + count(*) - count(DISTINCT {MAX_SEATS} * game + seat) "
            f"FROM {_rows(some, columns)} GROUP BY filename"
        ).fetchall()

    try:
        # What is there once has to be held: a few files at a time, or memory would grow with the games.
        parts = [ask(files[at : at + _AT_ONCE]) for at in range(0, len(files), _AT_ONCE)]
        return sorted((found for part in parts for found in part), key=itemgetter(1))
    except (duckdb.Error, UnicodeDecodeError):
        for path in files:
            with readable(path):
                chunk_in(connection, path, columns)
                ask([path])
        raise


def _rows(files: Sequence[Path], columns: Iterable[ResultColumn]) -> str:
    """The rows of some files in SQL, the columns with their types, and the name of the file."""
    typed = ", ".join(f'"{column.name}"::{column.kind} AS "{column.name}"' for column in columns)
    return f"(SELECT filename, {typed} FROM read_parquet({_pattern(files)}, filename = true))"


def _with_names(sources: Sequence[Source]) -> list[Source]:
    """The experiments with unique names: where several share one, the folder's name, its path, or a number is taken."""
    several = Counter(source.name for source in sources)
    taken = {name for name, times in several.items() if times == 1}
    named = []
    for source in sources:
        name = source.name
        if several[name] > 1:
            tries = [source.path.resolve().name, str(source.path), *(f"{name} {k}" for k in range(2, len(sources) + 2))]
            name = next(text for text in tries if text not in taken)
        taken.add(name)
        named.append(replace(source, name=name))
    return named


def load(connection: DuckDBPyConnection, sources: Sequence[Source]) -> None:
    """Make the tables ``games`` and ``seats`` in memory, and lock out every file, the results' too.

    For questions by others: DuckDB takes a COPY inside EXPLAIN ANALYZE and inside WITH, so what may be read as a
    file may also be overwritten.
    """
    with results_errors(UNREADABLE):
        _view_rows(connection, sources)
        by_game, by_seat = (identifiers(observed_in(sources, per)) for per in ("game", "seat"))
        of_game, of_seat = ", ".join((*GAME_COLUMNS, *by_game)), ", ".join((*SEAT_COLUMNS, *by_seat))
        connection.execute(f"CREATE TABLE games AS SELECT experiment, {of_game} FROM observed_rows WHERE seat = 0")
        connection.execute(f"CREATE TABLE seats AS SELECT experiment, game, {of_seat} FROM observed_rows")
        connection.execute("DROP VIEW observed_rows")
        connection.execute("SET temp_directory = ''")
        _lock(connection, [])
        connection.execute("BEGIN TRANSACTION READ ONLY")


def load_rows(connection: DuckDBPyConnection, folder: Path) -> None:
    """Make a table ``results`` in memory, a row for each seat of each game that a folder holds, for its reader alone.

    Raises:
        ResultsError: the folder holds no results, or something else than it should.
    """
    with results_errors(UNREADABLE):
        _view_rows(connection, [_source(connection, folder)])
        connection.execute(
            "CREATE TABLE results AS "
            "SELECT * EXCLUDE (experiment, players, record) FROM observed_rows ORDER BY game, seat"
        )
        connection.execute("DROP VIEW observed_rows")


def _view_rows(connection: DuckDBPyConnection, sources: Sequence[Source]) -> None:
    """Make the view ``observed_rows``: a row for each seat of each game, with all its columns."""
    columns = ", ".join(_READ.get(column.kind, "{0}").format(name) for name, column in COLUMNS.items())
    # By name: experiments may have been watched by different observers, whose columns are NULL in the others.
    stored = " UNION ALL BY NAME ".join(
        f"SELECT {sql_text(source.name)} AS experiment, {columns}, len(string_split(line_up, ',')) AS players"
        f"{''.join(f', {column}' for column in identifiers(source.manifest.columns))} "
        f"FROM {_rows(source.files, all_columns(source.manifest.columns))}"
        for source in sources
    )
    connection.execute(f"CREATE VIEW observed_rows AS {stored}")


def observed_in(sources: Sequence[Source], per: str) -> list[ObservedColumn]:
    """The columns of observers in some experiments, each name once, as ``observed_rows`` has them.

    One that is by seat in any of them is so, and of several types it has the one that holds all their values.
    """
    named: dict[str, list[ObservedColumn]] = {}
    for source in sources:
        for column in source.manifest.columns:
            named.setdefault(column.name, []).append(column)
    merged = (min(same, key=lambda column: _WIDEST.index(column.type)) for same in named.values())
    by_seat = {name for name, same in named.items() if any(column.per == "seat" for column in same)}
    return [column for column in merged if (column.name in by_seat) == (per == "seat")]


def _lock(connection: DuckDBPyConnection, sources: Sequence[Source]) -> None:
    """Let DuckDB read these files only, from now on and for good."""
    files = [path for source in sources for path in source.files]
    connection.execute(f"SET allowed_paths = {sql_list(map(str, files))} || {_pattern(files)}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _pattern(files: Sequence[Path]) -> str:
    """A list of files in SQL, for where DuckDB reads a name as a pattern: ``*``, ``?`` and ``[`` are escaped."""
    return sql_list(map(literal, files))
