"""A run killed at any moment, again and again: the rows in the end are those of a run left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import duckdb
import pytest
from helpers.cases import cases
from helpers.chunk_work import HANGS_S, wait_until
from helpers.laboratory import rows_of

from cluedo.experiments.read.score import read_score

KILLS = cases(30, 3)
GAMES = cases(60_000, 3_000)
CHUNK = GAMES // 60
SEATS = 3

EXPERIMENT = f"""
name = "kills"
maps = ["tiny"]
line_ups = [["random", "easy", "random"]]
games = {GAMES}
chunk = {CHUNK}
seed = 3
record = "results"

[rules]
max_turns = 8
"""
# Workers are called after the first chunk, however little is left.
PROGRAM = """
from cluedo.cli import main
from cluedo.experiments.play import run

run._PROBE_S = run._WORTH_S = 0
main()
"""


@contextmanager
def running(out: Path, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """The experiment, played into a folder by two workers."""
    file = out.with_name("kills.toml")
    file.write_text(EXPERIMENT, encoding="utf-8")
    program = [sys.executable, "-c", PROGRAM, "experiment", "run", str(file), "--out", str(out), "--workers", "2"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen([*program, *more], **pipes, start_new_session=True) as process:
        try:
            yield process
        finally:
            process.kill()


def ends_well(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a run."""
    _, told = process.communicate(timeout=HANGS_S)
    assert process.returncode == 0, told.decode()


def stored(out: Path) -> int:
    """How many chunks are there."""
    return len([*out.glob("chunks/*.parquet")])


def has_stored(process: subprocess.Popen[bytes], out: Path, chunks: int) -> bool:
    """Wait until so many chunks are there; whether that was before the end of the run."""
    wait_until(lambda: stored(out) >= chunks or process.poll() is not None)
    return process.poll() is None


def comes_to_a_random_moment(process: subprocess.Popen[bytes], out: Path, random: Random) -> bool:
    """Wait until it is still beginning, or has played on for some chunks; whether it has not ended by then."""
    if random.random() < 0.3:
        time.sleep(random.uniform(0, 1.5))
        return process.poll() is None
    return has_stored(process, out, stored(out) + random.randrange(1, 20))


def counted(out: Path) -> int:
    """How many rows there are by the score of what is stored."""
    return sum(tally.games * SEATS for tally in read_score(out).tallies) if (out / "manifest.json").exists() else 0


def differing(one: Path, two: Path) -> tuple[int, int]:
    """How many rows one folder has, and how many stand in one of the two alone; thinking times differ each time."""
    with duckdb.connect() as connection:
        for name, path in (("one", one), ("two", two)):
            connection.execute(f"CREATE VIEW {name} AS SELECT * EXCLUDE (think_ms) FROM '{path}/chunks/*.parquet'")
        apart = "((FROM one EXCEPT ALL FROM two) UNION ALL (FROM two EXCEPT ALL FROM one))"
        found = connection.execute(f"SELECT (SELECT count(*) FROM one), (SELECT count(*) FROM {apart})").fetchone()
    assert found is not None
    return found


@pytest.mark.slow
def test_a_run_killed_at_any_moment_and_resumed_has_the_rows_of_one_left_alone(tmp_path):
    undisturbed, random = tmp_path / "undisturbed", Random(1)
    with running(undisturbed) as process:
        ends_well(process)
    kills = runs = 0
    while kills < KILLS:
        runs += 1
        out = tmp_path / str(runs)
        while not (out / "summary.json").exists():
            with running(out, *(["--resume"] if out.exists() else [])) as process:
                if kills < KILLS and comes_to_a_random_moment(process, out, random):
                    random.choice([os.kill, os.killpg])(process.pid, signal.SIGKILL)  # with its workers or without
                    process.wait()
                    kills += 1
                else:
                    ends_well(process)
            assert counted(out) == (len(rows_of(out, "game")) if stored(out) else 0)
        assert differing(out, undisturbed) == (SEATS * GAMES, 0)
    print(f"\n  {kills} kills of {runs} runs")
