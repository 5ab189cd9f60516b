"""A chunk that was damaged after it was written is told, by whatever it is read; a folder without checksums is read."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.examples import examples
from helpers.stores import play
from hypothesis import given, strategies as st

from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.play.backends import Backend
from cluedo.experiments.play.chunks import ChunkRunner
from cluedo.experiments.play.run import Run
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.score import read_score
from cluedo.experiments.store.folder import ResultsError
from cluedo.experiments.store.store import Store


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """Three chunks of results."""
    folder = tmp_path_factory.mktemp("whole")
    play(folder, [["random", "random", "random"]], 9, chunk=3, record="full")
    return folder


def chunk_of(folder: Path) -> Path:
    return folder / "chunks" / "00000001.parquet"


def counted(folder: Path) -> tuple[object, int]:
    """What both ways of reading results count."""
    with Results.open([folder]) as results:
        return read_score(folder).summary(), results.games()


@examples(10)
@given(data=st.data())
def test_no_changed_byte_of_a_chunk_is_read(whole, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("damaged")
    shutil.copytree(whole, folder, dirs_exist_ok=True)
    chunk = chunk_of(folder)
    written = bytearray(chunk.read_bytes())
    at = data.draw(st.integers(0, len(written) - 1))
    written[at] ^= data.draw(st.integers(1, 255))
    chunk.write_bytes(written)
    told = r"00000001\.parquet: damaged since it was written; remove it to have it played again"
    with pytest.raises(ResultsError, match=told):
        read_score(folder)
    with pytest.raises(ResultsError, match=told):
        Results.open([folder])


def test_checksums_are_those_of_sha256sum(whole):
    lines = (whole / "chunks" / "SHA256SUMS").read_text().splitlines()
    files = sorted((whole / "chunks").glob("*.parquet"))
    assert sorted(lines) == sorted(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files)
    assert len(lines) == 3


def test_results_without_checksums_are_read_and_half_a_line_harms_none(whole, tmp_path):
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    sums = tmp_path / "chunks" / "SHA256SUMS"
    for text in ("", f"0123abcd{sums.read_text()}", f"{sums.read_text()}0123"):
        sums.write_text(text)
        assert counted(tmp_path) == counted(whole)
    sums.unlink()
    assert counted(tmp_path) == counted(whole)


def test_checksums_are_those_of_sha256sum_after_a_chunk_was_played_again(whole, tmp_path):
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    chunks = tmp_path / "chunks"
    chunk_of(tmp_path).unlink()
    (chunks / "SHA256SUMS").write_text((chunks / "SHA256SUMS").read_text() + f"{'0' * 64}  99999999.parquet\n")
    with Store(tmp_path, Experiment.load(tmp_path / "experiment.toml"), command="cluedo", resume=True) as store:
        run = Run(store, ChunkRunner.of(store.experiment), Backend("local", None, 1))
        run.play_all()
        run.finish()
    assert subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=chunks).returncode == 0
    assert counted(tmp_path) == counted(whole)
