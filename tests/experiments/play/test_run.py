"""About how long an experiment takes: by a clock on which every look takes a 256th of a second, as floats hold it."""

from __future__ import annotations

from itertools import count, product

import pytest
from helpers.laboratory import small

from cluedo.cli.running import duration, ready_runner
from cluedo.experiments.play import run
from cluedo.experiments.play.games import CompiledRunner
from cluedo.experiments.play.run import expected_time


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    ticks = count()
    monkeypatch.setattr(run, "perf_counter", lambda: next(ticks) / 256)


def test_twice_as_many_games_take_twice_as_long():
    one, two = (expected_time(small(("random", "easy", "random"), games=games)) for games in (300, 600))
    assert two.seconds == pytest.approx(2 * one.seconds, rel=0.01)
    assert one.games == two.games >= 1


def test_a_game_that_is_broken_off_counts_as_the_part_that_was_played(monkeypatch):
    """Five looks at the clock end it: one for each choice, of which a turn has one to three."""
    expected = expected_time(small(("medium", "medium", "medium", "medium"), games=100, board="classic"))
    assert 0.025 * 100 * 25 / 5 < expected.seconds < 0.05 * 100 * 25
    assert expected.games == 1


def test_a_few_line_ups_of_many_are_tried(monkeypatch):
    tried = []
    monkeypatch.setattr(run, "_measured", lambda part, _: tried.append(part.line_up) or (1.0, 2.0))
    kinds = product(("random", "medium", "hard"), ("never", "probe"), range(1, 6))
    line_ups = tuple((level, f"hard:own_cards={own}", f"habit:guess=0.{tenths}") for level, own, tenths in kinds)
    expected = expected_time(small(line_ups[0], line_ups=line_ups, games=10))
    assert len(tried) == len(set(tried)) == 20
    assert tried[0] == line_ups[0]
    assert tried[-1] == line_ups[-1]
    assert expected == (150.0, 40)


def test_the_compiled_engine_is_measured_by_what_a_run_does_with_it(monkeypatch):
    """Forty games at each look at the clock; the referee, which would take much longer, is not asked."""
    monkeypatch.setattr(CompiledRunner, "play", lambda *_: pytest.fail("the games were played again"))
    expected = expected_time(small(("easy", "random", "easy"), games=1000, engine="compiled", record="results"))
    assert expected.games == 240
    assert expected.seconds == 7 / 256 * 1000 / 240


def test_the_compiled_engine_is_ready_before_it_is_measured(monkeypatch):
    played = []
    monkeypatch.setattr(CompiledRunner, "play", lambda _, games, interrupt: played.append(games))
    ready_runner(small(("easy", "random", "easy"), engine="compiled"))
    assert played == [range(1)]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (3, "less than a minute"), (31, "about 1 minute"), (600, "about 10 minutes"), (3 * 3600, "about 3 hours"),
        (3 * 86_400, "about 3 days"),
    ],
)  # fmt: skip
def test_a_time_is_told_in_words(seconds, told):
    assert duration(seconds) == told
