"""What is said of compiling, once after installation."""

from __future__ import annotations

import io
import re
import sys

from cluedo.ai.level_hard import HardPlayer
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Player
from cluedo.bots.naming import ProgramSpec
from cluedo.cli import compiling
from cluedo.cli.compiling import prepare, tell_compiling
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.play.playing import ChunkPlayer


def test_compiling_is_said_once(capsys):
    from numba import njit

    with tell_compiling():
        assert njit(lambda x: x + 1)(1) == 2
        assert njit(lambda x: x + 2)(1) == 3
    assert capsys.readouterr().err.count("compiling the detective's arithmetic") == 1
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


def test_the_bar_counts_functions_of_this_program_alone(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Screen())
    monkeypatch.setattr(compiling, "_functions", lambda: 4)
    bar = compiling._Bar()
    bar.show()
    for function in (prepare, prepare, re.search, tell_compiling):
        bar.done(function)
    bar.hide()
    assert bar._progress.tasks[0].percentage == 50


def test_the_functions_to_be_compiled_are_those_of_the_modules_imported():
    import cluedo.ai.knowledge.solve

    assert cluedo.ai.knowledge.solve.solve.py_func.__module__ == "cluedo.ai.knowledge.solve"
    assert compiling._functions() > 20


def test_levels_are_prepared_before_bots_are_started_in_limited_time(monkeypatch):
    order = []
    monkeypatch.setattr(HardPlayer, "prepare", classmethod(lambda cls: order.append("hard")))
    monkeypatch.setattr(ProgramSpec, "prepare", lambda self: order.append(self.text))
    line_up = "examples/my_bot.py:MyBot", "hard", "easy"
    ChunkPlayer.of(Experiment.of(name="x", maps=("tiny",), line_ups=(line_up,), games=3), prepare)
    assert order == ["hard", line_up[0]]
