"""Batches in which bots mean harm: they end, the culprit is named, and nobody else's games change."""

from __future__ import annotations

import hashlib
import json

import pytest
from helpers.batches import Batch
from helpers.cases import some
from helpers.hostile_bots import HEAD, HOSTILE, LOSES_ALL, PLAYS_ON
from helpers.programs import cluedo

START = """
import sys
from cluedo.experiments.play import supervisor
supervisor.LOADING_S = supervisor._IDLE_S = 4.0
from cluedo.cli import main
main()
"""
"""The command line, with less patience where that is minutes."""

BATCH = Batch("bot.py:Bot", "chunk = 6\nthink_limit = 0.5\n", START)


def contents(folder):
    """Every file below a folder and its digest, but for what bots leave and for results."""
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".state", ".pyc") and "out" not in path.relative_to(folder).parts
    }


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return BATCH.models(tmp_path_factory.mktemp("models"), LOSES_ALL, PLAYS_ON)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["written_output", "written_channels", "no_output", "exit_0", "noisy_threads"])
def test_what_a_bot_writes_does_not_damage_the_json(name, tmp_path):
    folder = BATCH.written(tmp_path / "here", HEAD + HOSTILE[name].text)
    line_up = ["--map", "tiny", "--players", "bot.py:Bot,easy,easy", "--rule", "max_turns=9"]
    code, out, err = cluedo(folder, "autoplay", *line_up, "--games", "3", "--workers", "1", "--json", start=START)
    assert code == 0
    assert json.loads(out)["games"] == 3
    assert ("noise" in err) == (name == "written_output")


@pytest.mark.slow
@pytest.mark.parametrize("name", some(HOSTILE, 12))
def test_a_hostile_bot_ends_no_batch_and_harms_nobody_else(name, tmp_path, models):
    bot = HOSTILE[name]
    folder = BATCH.written(tmp_path / "here", HEAD + bot.text)
    (folder / "own.txt").write_text("somebody's own", encoding="utf-8")
    before = contents(folder)
    BATCH.check(folder, bot, models)
    assert contents(folder) == before
