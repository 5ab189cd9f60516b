"""Batches in which bots mean harm: they end, the culprit is named, and nobody else's games change."""

from __future__ import annotations

import json
import os
import sys

import pytest
from helpers.batches import BadBot, Batch, End
from helpers.cases import some
from helpers.chunk_work import wait_until
from helpers.command_line import ran
from helpers.hostile_bots import HEAD, HOSTILE, LOSES_ALL, PEEK, PLAYS_ON, deed
from helpers.laboratory import contents
from helpers.programs import LONGEST_S, START, alive, cluedo

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="a bot's process needs a Unix")]

BATCH = Batch("bot.py:Bot", "chunk = 6\n")
TRUSTED = Batch("bot.py:Bot", "chunk = 6\ntrusted = true\n", START)
ALONE = ("--players", "bot.py:Bot,easy,easy", "--map", "tiny", "--workers", "1")

PROMISED_OF_TRUSTED = {
    name: HOSTILE[name]
    for name in (
        "raises", "keyboard_interrupt", "constructor_that_raises_later", "import_that_raises", "notice_that_raises",
        "begin_that_raises", "over_that_raises", "no_such_class",
    )
} | {
    "endless_loop": BadBot(End.ABSENT, "took longer than 3 s (bot.py:", deed("while True: pass"), limit=3.0),
    "system_exit": BadBot(End.ABSENT, "raised SystemExit(0) (bot.py:", deed("sys.exit(0)")),
}  # fmt: skip


def untouched(folder):
    """Every file that no run may change: not what bots leave, results, and what is kept of bots."""
    found = contents(folder, but=("out", "state", "__pycache__"))
    return {name: text for name, text in found.items() if name.suffix != ".state"}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return BATCH.models(tmp_path_factory.mktemp("models"), LOSES_ALL, PLAYS_ON)


@pytest.mark.parametrize("name", some(HOSTILE, 8))
def test_a_hostile_bot_ends_no_batch_and_harms_nobody_else(name, tmp_path, models):
    bot = HOSTILE[name]
    folder = BATCH.written(tmp_path / "here", HEAD + bot.text, bot.limit)
    (folder / "own.txt").write_text("somebody's own", encoding="utf-8")
    before = untouched(folder)
    BATCH.check(folder, bot, models)
    assert untouched(folder) == before
    if sys.platform == "linux":
        wait_until(lambda: not alive(folder))


@pytest.mark.parametrize("name", some(PROMISED_OF_TRUSTED, 3))
def test_a_trusted_bot_that_lets_itself_be_interrupted_ends_no_batch(name, tmp_path, models):
    bot = PROMISED_OF_TRUSTED[name]
    TRUSTED.check(TRUSTED.written(tmp_path / "here", HEAD + bot.text, bot.limit), bot, models)


@pytest.mark.parametrize("more", [(), ("--trusted",)])
def test_what_a_bot_prints_does_not_damage_the_json(more, tmp_path):
    folder = BATCH.written(tmp_path / "here", HEAD + "print('noise')\n" + deed("print('noise', flush=True)"))
    code, out, err = cluedo(folder, "autoplay", *ALONE, "--rule", "max_turns=9", "--games", "3", "--json", *more)
    assert code == 0
    assert json.loads(out)["games"] == 3
    assert ("noise" in err) == bool(more)


def test_the_game_is_in_the_memory_of_trusted_bots_alone(tmp_path):
    folder = BATCH.written(tmp_path / "here", HEAD + PEEK)
    told = [cluedo(folder, "autoplay", *ALONE, "--games", "6", *more)[1] for more in (["--trusted"], [])]
    won = [int(text.split("bot.py:Bot")[1].split()[1]) for text in told]
    assert won[0] > won[1]


ASKS_FOR_NO_WEAPON = """
import cluedo
class Bot(Bot):
    def choose_hypothesis(self, view):
        return cluedo.Hypothesis(0, self.random.choice([0, -1]), 0)
"""


@pytest.mark.parametrize("text", [PLAYS_ON, HEAD + ASKS_FOR_NO_WEAPON])
def test_a_bot_plays_the_same_games_in_its_own_process_as_trusted(text, tmp_path, monkeypatch):
    folder = BATCH.written(tmp_path / "here", text)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("cluedo.cli.compiling._PATIENCE_S", LONGEST_S)  # else it is told that one waits
    players = ("--players", "bot.py:Bot,hard,bot.py:Bot", *ALONE[2:])
    told = []
    for out, more in (("here", ["--trusted"]), ("there", [])):
        done = ran("autoplay", *players, "--games", "6", "--out", out, *more)
        assert (done.code, "is not the id of a weapon of this deck" in done.err) == (0, text != PLAYS_ON)
        told.append(done.err)
    games = [(folder / out / "games.jsonl").read_bytes() for out in ("here", "there")]
    assert games[0] == games[1]
    assert told[0] == told[1]


def test_looking_at_results_and_records_runs_no_bot(tmp_path, monkeypatch):
    folder = BATCH.written(tmp_path / "here", HEAD + "Path(__file__).with_name('run').touch()\n")
    assert cluedo(folder, "autoplay", *ALONE, "--games", "3", "--out", "out")[0] == 0
    (folder / "run").unlink()
    monkeypatch.chdir(folder)
    for command in (
        ("replay", "out/games.jsonl", "--game", "0", "--plain"),
        ("replay", "out/games.jsonl", "--game", "0", "--review", "--plain"),
        ("experiment", "status", "out"),
        ("report", "out", "--query", "SELECT count(*) FROM games"),
    ):
        assert ran(*command).code == 0
    assert not (folder / "run").exists()
