"""Names in pictures: short, told apart, and broken between their parts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, strategies as st

from cluedo.experiments.draw.labels import short_names, wrap_name
from cluedo.experiments.draw.theme import named_rows


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60), max_size=8))
def test_short_names_are_short_and_differ(levels):
    names = short_names(levels)
    assert set(names) == set(levels)
    assert len(set(names.values())) == len(set(levels))
    assert all(len(name) <= 38 for name in names.values())


def test_short_names_keep_what_tells_bots_apart():
    assert short_names(["a/b/bot.py:X", "hard"]) == {"a/b/bot.py:X": "bot.py:X", "hard": "hard"}
    assert short_names(["a/bot.py:X", "b/bot.py:X"]) == {"a/bot.py:X": "a/bot.py:X", "b/bot.py:X": "b/bot.py:X"}
    long = ["x" * 50 + "/bot.py:X:k=1", "x" * 50 + "/bot.py:X:k=2"]
    assert [name[-3:] for name in short_names(long).values()] == ["k=1", "k=2"]


def test_a_line_up_is_broken_between_its_players():
    lines = wrap_name("medium, medium, medium, hard:own_cards=never, bots/of_mine.py:First").split("\n")
    assert lines == ["medium, medium,", "medium,", "hard:own_cards=never,", "bots/of_mine.py:", "First"]
    assert wrap_name("easy, own_bot_with_a_long_name") == "easy,\nown_bot_with_a_long_\nname"
    assert wrap_name("x" * 45) == "\n".join(["x" * 20, "x" * 20, "x" * 5])


def test_names_of_several_lines_do_not_meet():
    made, axes = named_rows(["a", "b\n" * 5 + "b", "c\n" * 5 + "c", "d", "e", "f"])
    made.draw_without_rendering()
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert all(above.y0 > below.y1 for above, below in pairwise(boxes))
