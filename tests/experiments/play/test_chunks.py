"""How chunks are played: on which CPUs, and until when."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest

from cluedo.bots.naming import read_line_up
from cluedo.engine.errors import SetupError
from cluedo.engine.rules import Rules
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.plan.part import Conditions, Part
from cluedo.experiments.play.chunks import ChunkRunner, _on_one_cpu
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

BOT = "from cluedo.ai.level_easy import EasyPlayer\nclass Bot(EasyPlayer): pass\n"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no CPU affinity")
@pytest.mark.parametrize(
    ("players", "one"),
    [("easy,bot.py:Bot,easy", True), ("easy,easy,easy", False), ("bot.py:Bot,exec:python3 bot.py,easy", False)],
)
def test_a_match_shares_one_cpu_with_bots_of_ours_and_gives_the_others_back(tmp_path, monkeypatch, players, one):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    before = os.sched_getaffinity(0)
    with suppress(KeyError), _on_one_cpu(read_line_up(players.split(","))):
        assert len(os.sched_getaffinity(0)) == (1 if one else len(before))
        raise KeyError
    assert os.sched_getaffinity(0) == before


def test_of_several_line_ups_the_one_that_cannot_be_played_is_named():
    line_ups = [["easy"] * 3, ["easy"] * 5]
    told = "easy,easy,easy,easy,easy on tiny: 5 players are too many for the 4 suspects of this map"
    with pytest.raises(SetupError) as caught:
        ChunkRunner.of(Experiment.of(name="x", maps=("tiny",), line_ups=line_ups, games=15))
    assert str(caught.value) == told


def test_a_game_whose_player_swallows_the_interrupt_does_not_count(tmp_path):
    """It may have disturbed the player."""
    (tmp_path / "bot.py").write_text(
        "import os, signal\n"
        + BOT.replace(": pass", ":")
        + "    pressed = []\n"
        + "    def choose_card(self, view):\n"
        + "        if not self.pressed:\n"
        + "            self.pressed.append(True)\n"
        + "            try: os.kill(os.getpid(), signal.SIGINT)\n"
        + "            except KeyboardInterrupt: pass\n"
        + "        return super().choose_card(view)\n",
        encoding="utf-8",
    )
    part = Part("tiny", Rules(), (f"{tmp_path / 'bot.py'}:Bot", "easy", "easy"), 3)
    runner = GameRunner(part, Conditions(trusted=True))
    with Interrupt() as interrupt:
        assert runner.play(range(3), interrupt) == []
        assert interrupt.wanted()
