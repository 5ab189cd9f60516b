"""What is said of compiling, once after installation."""

from __future__ import annotations

import io
import re
import sys
from threading import Timer

import pytest
from helpers.programs import python

from cluedo.ai.level_expert import ExpertPlayer
from cluedo.ai.level_hard import HardPlayer
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Player
from cluedo.bots.naming import ProgramSpec, any_player
from cluedo.cli import compiling
from cluedo.cli.compiling import FAST_ENGINE, prepare, tell_compiling
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.play.chunks import ChunkRunner


@pytest.fixture(autouse=True)
def said_nothing(monkeypatch):
    """This process has said nothing yet."""
    monkeypatch.setattr(compiling, "_told", set())


def test_compiling_is_said_once(capsys):
    from numba import njit

    for _ in range(2):  # two hints, say
        with tell_compiling():
            assert njit(lambda x: x + 1)(1) == 2
            assert njit(lambda x: x + 2)(1) == 3
    with tell_compiling(FAST_ENGINE):
        assert njit(lambda x: x + 2)(1) == 3
    assert capsys.readouterr().err.splitlines() == [
        "cluedo: compiling the detective's arithmetic, once after installation",
        "cluedo: compiling the fast engine, once after installation",
    ]
    assert njit(lambda x: x + 3)(1) == 4
    assert capsys.readouterr().err == ""


class Screen(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self):
        return True


def test_on_a_terminal_a_bar_shows_how_far_compiling_is_and_then_how_long_it_took(monkeypatch):
    from numba import njit

    class Slow(Player):
        """Compiles something before it plays."""

        @classmethod
        def prepare(cls):
            assert njit(lambda x: x + 4)(1) == 5

    monkeypatch.setattr(sys, "stderr", screen := Screen())
    monkeypatch.setenv("TERM", "xterm")
    prepare([PlayerSpec("slow", Slow, ())])
    first, *bar, last = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen.getvalue()).splitlines()
    assert first.startswith("cluedo: compiling the detective's arithmetic, ")
    assert re.search(r"━.* 0:00:0\d", "\n".join(bar))
    assert re.search(r"cluedo: compiled in \d+ seconds$", last)


def test_the_bar_shows_what_share_is_done_and_goes_away_with_the_whole(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Screen())
    progress = compiling._Compiling(FAST_ENGINE)
    for share in (0.0, 0.25, 0.5):
        progress.tell(share)
    assert progress._bar.tasks[0].percentage == 50
    assert progress._bar.live.is_started
    progress.tell(1.0)
    assert not progress._bar.live.is_started
    assert progress.seconds > 0.0


def test_levels_are_prepared_before_bots_are_started_in_limited_time(monkeypatch):
    order = []
    monkeypatch.setattr(HardPlayer, "prepare", classmethod(lambda cls: order.append("hard")))
    monkeypatch.setattr(ProgramSpec, "prepare", lambda self: order.append(self.text))
    line_up = "examples/my_bot.py:MyBot", "hard", "easy"
    ChunkRunner.of(Experiment.of(name="x", maps=("tiny",), line_ups=(line_up,), games=3), prepare)
    assert order == ["hard", line_up[0]]


@pytest.mark.parametrize(
    ("observer", "prepared"), [("examples/first_proof.py:FirstProof", ["expert"]), ("unrefuted", [])]
)
def test_the_detective_is_compiled_before_an_observer_asks_it_in_limited_time(observer, prepared, monkeypatch):
    order = []
    monkeypatch.setattr(ExpertPlayer, "prepare", classmethod(lambda cls: order.append("expert")))
    games = {"name": "x", "maps": ("tiny",), "line_ups": (("easy",) * 3,), "games": 3}
    ChunkRunner.of(Experiment.of(**games, observers=(observer,)), prepare)
    assert order == prepared


@pytest.mark.parametrize("late", [True, False])
def test_a_program_that_takes_long_to_start_is_waited_for_in_so_many_words(late, monkeypatch, capsys):
    class Clock(Timer):
        """Time that passes at once, or not at all."""

        def start(self):
            if late:
                self.function(*self.args)

    monkeypatch.setattr(compiling, "Timer", Clock)
    monkeypatch.setattr(ProgramSpec, "prepare", lambda _: None)
    prepare([any_player("examples/my_bot.py:MyBot")])
    told = "cluedo: waiting for examples/my_bot.py:MyBot to start\n"
    assert capsys.readouterr().err == (told if late else "")


@pytest.mark.slow
def test_the_first_answer_compiles_only_what_goes_through_thousands_of_deals(tmp_path):
    solved = python("-m", "cluedo", "solve", "examples/case.json", NUMBA_CACHE_DIR=str(tmp_path))
    assert solved.stderr == "cluedo: compiling the detective's arithmetic, once after installation\n"
    made = {path.name.partition("-")[0] for path in tmp_path.rglob("*.nbi") if ".entry-" in path.name}
    assert made == {"solve.mixed_sample.entry", "scores.score_first.entry"}
