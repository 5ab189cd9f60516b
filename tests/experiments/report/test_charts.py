"""The charts of a report: every text is there, legible, and meets no other."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from helpers.reports import NASTY, facts_of
from helpers.stores import made_up, write_made_up, write_rows
from hypothesis import given, strategies as st
from matplotlib.text import Text

from cluedo.experiments.report.growth import curve_of_games
from cluedo.experiments.report.page import charts_of
from cluedo.experiments.report.play_charts import _apart, draw_effect, draw_growth, draw_observed
from cluedo.experiments.report.strength_charts import draw_matrix, draw_thought
from cluedo.language import number, speaking


def side_by_side(texts):
    """Whether they stand in a row and none comes near the next."""
    boxes = [text.get_window_extent() for text in texts]
    return all(left.x1 + 4 < right.x0 for left, right in pairwise(boxes))


@given(st.lists(st.floats(0, 10), max_size=8))
def test_labels_are_moved_apart_in_their_order(values):
    placed = _apart(values, 0.7)
    assert len(placed) == len(values)
    order = sorted(range(len(values)), key=lambda k: values[k])
    assert all(placed[b] - placed[a] > 0.7 - 1e-9 for a, b in pairwise(order))
    if all(abs(values[a] - values[b]) > 0.7 for a, b in pairwise(order)):
        assert placed == pytest.approx(values)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_scale_of_a_picture_is_legible_beside_long_names(tmp_path, language):
    """Nothing is cut off, no two texts below meet, and what stands at a grid line is where it is."""
    line_up, column = (NASTY, NASTY + "2", "medium"), "x" * 30
    rows = made_up(line_up, [(5, 0), (5, 1), (6, 0)] * 4)
    for row in rows:
        row[column] = 1e-5 * row["deal"]
    write_rows(tmp_path, rows, {column: "DOUBLE"}, columns=[{"name": column, "type": "float", "per": "seat"}])
    facts = facts_of(tmp_path)
    with speaking(language):
        for name, _, draw, _ in charts_of(facts):
            if name in ("win_rates", "differences", "ratings", "matrix", "observed_1"):
                made = draw()
                made.draw_without_rendering()
                below = made._supxlabel.get_window_extent()
                assert 0 <= below.x0 < below.x1 <= made.bbox.x1, name
                assert name != "matrix" or re.search(r"\nbl(ue|eu)\b[^\n]*$", made._supxlabel.get_text())
                offset = made.axes[0].xaxis.get_offset_text().get_window_extent()
                assert offset.height == 0 or offset.y0 >= below.y1, name
            if name == "order":
                (axes,) = draw().axes
                axes.set_ylim(0.25, 0.4)
                axes.set_yticks([0.275, 0.3, 0.325])
                marks = [label.get_text().replace("\N{NO-BREAK SPACE}", " ") for label in axes.get_yticklabels()]
                assert marks == [f"{text} %" for text in (number(27.5, "g"), "30", number(32.5, "g"))]


def test_long_numbers_along_a_scale_do_not_meet(tmp_path):
    line_up = ("habit:guess=0.5", "hard:own_cards=never", "expert:caution=0.5")
    rows = made_up(line_up, [(5, 0), (5, 1), (6, 0)] * 4)
    for row in rows:
        row["near"] = 0.9988 + 2e-4 * row["deal"] + 1e-4 * line_up.index(row["level"])
    write_rows(tmp_path, rows, {"near": "DOUBLE"}, columns=[{"name": "near", "type": "float", "per": "seat"}])
    facts = facts_of(tmp_path)
    made = draw_observed(facts, facts.observed[0])
    made.draw_without_rendering()
    (axes,) = made.axes
    low, high = axes.get_xlim()
    labels = [label for label in axes.get_xticklabels() if low <= label.get_position()[0] <= high]
    assert len(labels) > 1
    assert side_by_side(labels)


def test_places_at_tables_of_many_sizes_do_not_meet(tmp_path):
    rows = [row for seats in (3, 4, 6, 10) for row in made_up(tuple("abababcbab"[:seats]), [(9, 1)] * 60)]
    rows = [row | {"game": 60 * row["line_up"].count(",") + row["game"]} for row in rows]
    write_rows(tmp_path, rows)
    made = draw_effect(facts_of(tmp_path).by_order, "place")
    made.draw_without_rendering()
    assert all(side_by_side(axes.get_xticklabels()) for axes in made.axes)


def test_no_name_is_written_over_the_scale_of_thinking_time(tmp_path):
    """Nor where several levels that never won take about as long."""
    times = {"hard": 81.0, "easy": 0.9, "medium:original=true": 1.1, "habit:own=1": 15.0}
    hard_wins = [(5, 0), (5, 3), (5, 2), (5, 1)] * 12
    rows = made_up(tuple(times), [(5, 3), *hard_wins[1:]])
    for row in rows:
        row["think_ms"] = times[row["level"]]
    write_rows(tmp_path, rows)
    made = draw_thought(facts_of(tmp_path))
    made.draw_without_rendering()
    (axes,) = made.axes
    assert len(axes.texts) == len(times)
    assert all(text.get_window_extent().y0 >= axes.bbox.y0 - 2 for text in axes.texts)


def test_no_cell_of_the_matrix_looks_like_none_or_all_that_is_not(tmp_path):
    hard_wins = [(9, 0), (9, 2), (9, 1)] * 100
    write_rows(tmp_path, made_up(("hard", "easy", "easy"), [(9, 1), *hard_wins[1:]]))
    (axes,) = draw_matrix(facts_of(tmp_path)).axes
    assert {text.get_text() for text in axes.texts} == {"99.7 %", "0.3 %"}


@pytest.mark.parametrize("count", [7, 30])
def test_labels_of_many_curves_have_room_and_no_line_runs_through_them(tmp_path, count):
    write_made_up(tmp_path, [("a", "b", "c")], [(9, 1)] * 3)
    facts = facts_of(tmp_path)
    curve = curve_of_games(np.linspace(4.0, 0.5, 20)[None], np.ones(1))
    many = {f"level_{k}": curve for k in range(count)}
    standings = [facts.standings[0]._replace(level=level) for level in many]
    growth = replace(facts.growth, curves=many)
    made = draw_growth(replace(facts, growth=growth, standings=standings, names={level: level for level in many}))
    made.draw_without_rendering()
    for name in made.axes[0].texts:
        assert name.arrow_patch.get_window_extent().x1 <= Text.get_window_extent(name).x0
    boxes = sorted((Text.get_window_extent(name) for name in made.axes[0].texts), key=lambda box: box.y0)
    assert boxes[0].y0 >= 0
    assert boxes[-1].y1 <= made.bbox.y1
    assert all(below.y1 <= above.y0 + 4 for below, above in pairwise(boxes))


def test_players_that_differ_in_one_number_are_named_in_full_and_not_joined(tmp_path):
    line_up = ("habit:own=1", "habit:own=0.5", "habit:own=0")
    write_rows(tmp_path, made_up(line_up, [(9, 0), (9, 1), (9, 2)] * 6))
    (axes,) = draw_thought(facts_of(tmp_path)).axes
    assert {text.get_text() for text in axes.texts} == set(line_up)
    assert all(len(line.get_xdata()) < 3 for line in axes.lines)
