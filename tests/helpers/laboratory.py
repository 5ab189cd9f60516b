"""Small experiments, played into a folder and read back."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cluedo import Rules
from cluedo.experiments.plan.experiment import Chunk, Experiment
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.chunks import ChunkRunner, PlayedChunk
from cluedo.experiments.play.run import Run
from cluedo.experiments.store.store import Store
from helpers.chunk_work import alive

MIXED = ("random", "easy", "medium", "medium:original=true")


@dataclass(frozen=True)
class Telling(ChunkRunner):
    """Plays chunks, and leaves the number of its process as a file in a folder."""

    pids: str = ""

    def __call__(self, chunk: Chunk) -> PlayedChunk:
        Path(self.pids, str(os.getpid())).touch()
        return super().__call__(chunk)


def small(line_up=MIXED, games=22, seed=5, board="tiny", record="full", chunk=8, **more: Any) -> Experiment:
    """One line-up on a small board, in several chunks."""
    rules = more.pop("rules", Rules())
    given = {"name": "small", "maps": (board,), "line_ups": (tuple(line_up),), "games": games, "seed": seed}
    return Experiment.of(**given | {"record": record, "chunk": chunk, "rules": rules} | more)


def played(experiment: Experiment, path: Path, *, backend=None, resume=False, finish=False) -> Run:
    """Play an experiment into a folder; ``finish``: the summary, too, as a command writes it."""
    path.mkdir(parents=True, exist_ok=True)
    with Store(path, experiment, command="cluedo", resume=resume) as store:
        run = Run(store, ChunkRunner.of(experiment), backend or Backend("local", None, 1))
        run.play_all()
        if finish:
            run.finish()
        return run


def contents(folder: Path, *, but: Iterable[str] = ()) -> dict[Path, bytes]:
    """Every file below a folder; without folders of these names right in it."""
    found = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if name.parts[0] not in but}


def on_a_small_disk(folder: Path, size: str, script: str) -> subprocess.CompletedProcess[str]:
    """Run a shell's script with a small file system of its own on a folder; skips where none can be made."""
    whole = f"mount -t tmpfs -o size={size} none {folder} || exit 77\n{script}"
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", whole]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or done.returncode == 77:
        pytest.skip("no file system of one's own can be made here")
    return done


def rows_of(path: Path, columns: str = "* EXCLUDE (think_ms)") -> list[tuple[Any, ...]]:
    """The rows of a folder, in the order of games and seats; without the times, which differ each time."""
    files = f"'{path}/chunks/*.parquet'"
    with duckdb.connect() as connection:
        return connection.execute(f"SELECT {columns} FROM {files} ORDER BY game, seat").fetchall()


def loses_no_game_when_workers_are_killed(backend: Backend, folder: Path) -> None:
    """Play an experiment, kill two of the workers on the way, and compare its rows with those of a run left alone."""
    pids, out, alone = (folder / name for name in ("pids", "out", "alone"))
    pids.mkdir()
    out.mkdir()
    experiment = small(games=100, chunk=4, record="results", line_ups=(MIXED, ("easy", "easy", "medium")))
    killed: set[int] = set()
    with Store(out, experiment, command="") as store:
        run = Run(store, Telling(experiment.conditions, pids=str(pids)), backend)
        for score in run.play():
            workers = {pid for path in pids.iterdir() if alive(pid := int(path.name))} - {os.getpid(), *killed}
            if len(killed) < 2 and score.games > 30 and workers:
                os.kill(pid := workers.pop(), signal.SIGKILL)
                killed.add(pid)
    assert len(killed) == 2
    assert run.score.finished
    assert len(list(pids.iterdir())) >= 3
    played(experiment, alone)
    assert rows_of(out) == rows_of(alone)
    assert len(rows_of(out)) == 100 * 7
