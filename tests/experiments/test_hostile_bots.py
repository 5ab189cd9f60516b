"""Batches in which bots mean harm: they end, the culprit is named, and nobody else's games change."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import pytest
from helpers.cases import some
from helpers.hostile_bots import HEAD, HOSTILE, LOSES_ALL, PLAYS_ON, End
from helpers.laboratory import rows_of

START = """
import sys
from cluedo.experiments import supervisor
supervisor.LOADING_S = supervisor._IDLE_S = 4.0
from cluedo.cli import main
main()
"""
"""The command line, with less patience where that is minutes."""

EXPERIMENT = """
name = "hostile"
maps = ["tiny"]
line_ups = [["{bot}", "easy", "easy"], ["medium", "easy", "random"]]
games = 6
chunk = 6
think_limit = 0.5
rules = {{max_turns = 9}}
"""

TIMED = {"think_ms", "fault", "fault_turn"}
"""Columns that may differ between a bot that is absent and one that loses all its choices otherwise."""

LONGEST_S = 90.0


def cluedo(folder, *arguments):
    """Run a command in a folder; gives exit code, output and error output."""
    done = subprocess.run(
        [sys.executable, "-c", START, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def written(folder, text):
    """A folder with a bot and an experiment that it plays in."""
    folder.mkdir()
    (folder / "bot.py").write_text(text, encoding="utf-8")
    (folder / "experiment.toml").write_text(EXPERIMENT.format(bot="bot.py:Bot"), encoding="utf-8")
    (folder / "own.txt").write_text("somebody's own", encoding="utf-8")
    return folder


def rows(out):
    """What is stored of all games, without what may differ."""
    return rows_of(out, f"* EXCLUDE ({', '.join(sorted(TIMED))})")


def contents(folder):
    """Every file below a folder and its digest, but for what bots leave and for results."""
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".state", ".pyc") and "out" not in path.relative_to(folder).parts
    }


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The rows of an experiment with a bot that loses all, and with one that plays on."""
    found = {}
    for end, text in ((End.ABSENT, LOSES_ALL), (End.HARMLESS, PLAYS_ON)):
        folder = written(tmp_path_factory.mktemp("models") / end.name, text)
        assert cluedo(folder, "experiment", "run", "experiment.toml", "--out", "out", "--workers", "1")[0] == 0
        found[end] = rows(folder / "out")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["written_output", "written_channels", "no_output", "exit_0", "noisy_threads"])
def test_what_a_bot_writes_does_not_damage_the_json(name, tmp_path):
    folder = written(tmp_path / "here", HEAD + HOSTILE[name].text)
    line_up = ["--map", "tiny", "--players", "bot.py:Bot,easy,easy", "--rule", "max_turns=9"]
    code, out, err = cluedo(folder, "autoplay", *line_up, "--games", "3", "--workers", "1", "--json")
    assert code == 0
    assert json.loads(out)["games"] == 3
    assert ("noise" in err) == (name == "written_output")


@pytest.mark.slow
@pytest.mark.parametrize("name", some(HOSTILE, 12))
def test_a_hostile_bot_ends_no_batch_and_harms_nobody_else(name, tmp_path, models):
    end, told, text = HOSTILE[name]
    folder = written(tmp_path / "here", HEAD + text)
    before = contents(folder)
    code, out, err = cluedo(folder, "experiment", "run", "experiment.toml", "--out", "out", "--workers", "1")
    assert "cluedo/cli/app.py" not in err, "a traceback of ours"
    assert contents(folder) == before
    if end is End.REFUSED:
        assert (code, out) == (2, "")
        assert err.splitlines()[-1].startswith("cluedo: ")
        assert "bot.py" in err.splitlines()[-1]
        assert told in err
        assert not (folder / "out").exists()
        return
    assert code == 0, err
    assert "12 games of 2 line-ups" in out
    faults = [line for line in err.splitlines() if line.startswith("cluedo: ")]
    if end is End.HARMLESS:
        assert faults == []
    else:
        assert len(faults) == 1, faults
        assert faults[0].startswith("cluedo: bot.py:Bot lost ")
        assert told in faults[0]
    found = rows(folder / "out")
    if end is not End.FAULTY:
        assert found == models[end]
    assert len(found) == 36
    assert found[18:] == models[End.HARMLESS][18:]
