"""The store of an experiment's results: a folder with one Parquet file for each chunk of games.

    DIR/manifest.json       what is played, its hash, by which versions on which machine
    DIR/experiment.toml     the experiment, as a file that plays it again
    DIR/chunks/*.parquet    the results, a row for each seat of each game (`rows/result_rows.py`)
    DIR/chunks/SHA256SUMS   the checksums of these files (see :mod:`.folder`)
    DIR/summary.json        how it went, once it is over

A file is written beside its place and renamed into it, so that what stands there is whole: whoever is
killed loses the chunks under way and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from cluedo import __version__
from cluedo.engine.ctrl_c import postpone_interrupt
from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import PART, atomic_write, writable
from cluedo.engine.phrase import one_of
from cluedo.experiments.plan.experiment import Chunk, Experiment
from cluedo.experiments.rows.observer import ObservedColumn
from cluedo.experiments.rows.observers import columns_of
from cluedo.experiments.rows.result_rows import ResultRows, all_columns
from cluedo.experiments.store.columns import (
    chunk_in,
    column_arrays,
    copy,
    literal,
    of_part,
    readable,
    reason_of,
    row_expressions,
    rows_of,
    wrong_rows,
    wrong_value,
)
from cluedo.experiments.store.folder import (
    CHECKSUMS,
    CHUNKS,
    EXPERIMENT,
    GAMES,
    HEAD,
    MANIFEST,
    PICTURE,
    PLAYED_AGAIN,
    SUMMARY,
    ResultsError,
    add_checksum,
    check_begun,
    check_chunk,
    check_ours,
    command_to_continue,
    read_checksums,
    remove_results,
    store_errors,
    write_checksums,
)
from cluedo.experiments.store.manifest import Manifest, manifest_object, new_manifest

__all__ = ["ResultsThere", "Store", "StoreReader"]


_AT_THE_END: Final = (SUMMARY, GAMES, PICTURE)
"""What a run writes when it is over, in place of what stands there."""


class StoreReader:
    """Reads the results of one experiment; a context manager.

    Attributes:
        path: the folder.
        experiment: what is played.
        observed: the columns of its observers.
    """

    def __init__(self, path: Path, experiment: Experiment, observed: tuple[ObservedColumn, ...]):
        with postpone_interrupt():  # a KeyboardInterrupt from in there aborts the process
            import duckdb

        self.path = path
        self.experiment = experiment
        self.observed = observed
        self._columns = all_columns(observed)
        self._chunks = path / CHUNKS
        self._checksums = read_checksums(self._chunks)
        self._duckdb = duckdb.connect(config={"threads": 1, "memory_limit": "256MB"})

    @classmethod
    def open(cls, path: Path) -> StoreReader:
        """The results in a folder, of whatever experiment; raises :class:`ResultsError`."""
        manifest = Manifest.read(path)
        return StoreReader(path, manifest.experiment, manifest.columns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._duckdb.close()

    def stored_numbers(self) -> set[int]:
        """The numbers of the chunks that are stored."""
        return {int(path.stem) for path in self._chunks.glob("*.parquet") if path.stem.isdecimal() and path.is_file()}

    def read(self, chunk: Chunk) -> ResultRows:
        """A stored chunk, without its records; raises :class:`ResultsError`."""
        path, again = self._file(chunk.number), PLAYED_AGAIN
        part, first_game = chunk.part, self.experiment.first_game(chunk.part_number)
        check_chunk(path, self._checksums)
        with readable(path):
            found = chunk_in(self._duckdb, path, self._columns)
            others = found.filter(wrong_rows(of_part(part, first_game), self._columns)).limit(1).fetchall()
            if others and (told := wrong_value(found, self._columns)) is not None:
                raise ResultsError("{path}: {told}; {again}", path=path, told=told, again=again)
            read = found.project(row_expressions(part, first_game, self._columns)).order("game, seat").fetchnumpy()
        whole = np.array_equal(read["game"], np.repeat(chunk.games, part.seats)) and np.array_equal(
            read["seat"], np.tile(np.arange(part.seats), len(chunk.games))
        )
        if others or not whole:
            raise ResultsError("{path}: holds other games than it should; {again}", path=path, again=again)
        return rows_of(read, part.seats, self._columns)

    def records(self) -> Iterator[str]:
        """The records of all games that are stored, where records are kept, chunk by chunk."""
        for chunk in self._chunks_there():
            path = self._file(chunk.number)
            check_chunk(path, self._checksums)
            with readable(path):
                found = self._duckdb.read_parquet(literal(path)).filter("record IS NOT NULL")
                records = found.order("game").project("record").fetchall()
            for (record,) in records:
                yield record

    def stored(self) -> Iterator[tuple[Chunk, ResultRows]]:
        """The chunks that are stored, in the order of the experiment."""
        return ((chunk, self.read(chunk)) for chunk in self._chunks_there())

    def _chunks_there(self) -> Iterator[Chunk]:
        there = self.stored_numbers()
        return (chunk for chunk in self.experiment.chunks() if chunk.number in there)

    def _file(self, number: int) -> Path:
        return self._chunks / f"{number:08d}.parquet"


class ResultsThere(ResultsError):
    """A folder holds results, which are to be neither continued nor replaced."""


class Store(StoreReader):
    """Reads and writes the results of an experiment while it is played. The caller must hold the folder's lock.

    Args:
        path: the folder, which exists.
        experiment: what is played.
        command: the command that plays it, for people.
        resume: continue what is there, which has to be the same experiment.
        replace: remove results of ours that are there, of whatever experiment, once nothing else can be refused.

    Attributes:
        replaced: the names of what was removed.
        last_timing: how many games the last run that came to an end played, and the seconds; zeros before any did.

    Raises:
        ResultsThere: it holds results, and nobody has said what is to become of them.
        ResultsError: the folder cannot be written, or holds something that is not ours, or results that would be mixed
            with these.
    """

    def __init__(
        self, path: Path, experiment: Experiment, *, command: str, resume: bool = False, replace: bool = False
    ):
        if with_comma := next((level for level in experiment.levels if "," in level), None):
            raise ResultsError("results separate players by commas, and {text} has one of its own", text=with_comma)
        if not writable(command):
            raise ResultsError(
                "results keep their command, so all names in it must be UTF-8: {command}", command=command
            )
        observed = columns_of(experiment.observers)
        manifest = new_manifest(experiment, observed, command)
        self.replaced = remove_results(path) if replace else []
        self.last_timing = (0, 0.0)
        super().__init__(path, experiment, observed)
        with store_errors(path):
            if begun := check_begun(path):
                check_ours(path, _AT_THE_END)
                self.last_timing = self._continued(resume).timing
            else:
                check_ours(path)
            self._chunks.mkdir(exist_ok=True)
            for left in (*path.glob(PART), *self._chunks.glob(PART)):
                left.unlink()
            if not begun:
                _write_whole(path / EXPERIMENT, HEAD + experiment.to_toml())
                _write_whole(path / MANIFEST, _json(manifest))

    def add(self, chunk: Chunk, rows: ResultRows) -> None:
        """Store a chunk, whole or not at all; raises :class:`ResultsError`."""
        import duckdb

        path = self._file(chunk.number)
        columns = column_arrays(rows, chunk.part.seats)  # noqa: F841 - DuckDB finds it by its name; registering costs more
        try:
            with store_errors(path), atomic_write(path) as new:
                first_game = self.experiment.first_game(chunk.part_number)
                self._duckdb.execute(copy(chunk.part, first_game, new, self._columns))
                self._checksums[path.name] = add_checksum(self._chunks, path.name, new)
        except duckdb.Error as error:
            raise ResultsError("{path}: cannot be written: {error}", path=path, error=reason_of(error)) from None

    def remove(self, chunks: Iterable[Chunk]) -> None:
        """Remove stored chunks, if they exist."""
        with store_errors(self.path):
            for chunk in chunks:
                self._file(chunk.number).unlink(missing_ok=True)

    def write_records(self, draw: Callable[[Path], None]) -> None:
        """Write what a batch has beside its results: the records of its games in one file, and a picture.

        Args:
            draw: writes the picture of the win rates, as PNG, to the path that it is given.
        """
        with store_errors(self.path):
            check_ours(self.path, _AT_THE_END)  # somebody may have put something there meanwhile
            with atomic_write(self.path / GAMES) as part, part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(record + "\n" for record in self.records())
            with atomic_write(self.path / PICTURE) as part:
                draw(part)

    def finish(self, summary: dict[str, Any], facts: dict[str, Any]) -> bool:
        """Write the summary, and facts that are known at the end into the manifest.

        Returns:
            Whether every file that decides the games is still what it was when they began; if not, which of its
            versions played is not known, and the manifest says ``"changed": true``.
        """
        manifest = manifest_object(self.path)
        same = self._is_played(manifest["hash"])
        with store_errors(self.path):
            check_ours(self.path, _AT_THE_END)
            write_checksums(self._chunks, self._checksums)
            _write_whole(self.path / MANIFEST, _json(manifest | facts | ({} if same else {"changed": True})))
            _write_whole(self.path / SUMMARY, _json(summary))
            if self.experiment.record == "none":
                self.remove(self.experiment.chunks())
                (self._chunks / CHECKSUMS).unlink(missing_ok=True)
                with suppress(OSError):  # somebody has put something in there
                    self._chunks.rmdir()
        return same

    def _is_played(self, digest: str) -> bool:
        """Whether this is the digest of the experiment, and of its files as they are now."""
        try:
            return self.experiment.digest() == digest
        except CluedoError:  # one of them is gone
            return False

    def _continued(self, resume: bool) -> Manifest:
        """The manifest of the results that are there; raises :class:`ResultsError` unless they may be continued."""
        manifest = Manifest.read(self.path)
        if not resume:
            if self.stored_numbers() >= {chunk.number for chunk in manifest.experiment.chunks()}:
                raise ResultsThere("{path} holds the results of a finished run; give another folder", path=self.path)
            raise ResultsThere(
                "{path} holds results already; continue with `{command}`, or give another folder",
                path=self.path,
                command=command_to_continue(self.path),
            )
        if manifest.hash != self.experiment.digest():
            files = self.experiment.own_files()
            if files and manifest.experiment == self.experiment:
                raise ResultsError(
                    "a file has changed since the games in {path} were begun ({files}); give another folder",
                    path=self.path,
                    files=one_of(list(map(str, files))),
                )
            raise ResultsError(
                "{path} holds results of another experiment, or of one that has been changed since "
                "({manifest}); give another folder",
                path=self.path,
                manifest=manifest.experiment.name,
            )
        if manifest.cluedo != __version__:
            raise ResultsError(
                "{path} holds results of version {manifest} of cluedo, and this is {version}, which may play "
                "differently; give another folder",
                path=self.path,
                manifest=manifest.cluedo,
                version=__version__,
            )
        if self.experiment.record == "none" and (self.path / SUMMARY).exists():
            raise ResultsError("{path} holds the summary of a finished experiment; give another folder", path=self.path)
        return manifest


def _write_whole(path: Path, text: str) -> None:
    with atomic_write(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
