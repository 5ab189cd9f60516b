"""The graph of a review."""

from __future__ import annotations

import re

import pytest
from helpers.support import drawn_game

from cluedo.engine.board import Board
from cluedo.session.review_text import KnowledgeCurve
from cluedo.web.replay_page import knowledge_graph


@pytest.mark.parametrize("turns", [1, 12, 13, 144, 1_201, 99_999])
def test_a_game_of_any_length_has_a_dozen_round_numbers_below(turns):
    table = drawn_game(Board.load("tiny"), 3, seed=0).table
    graph = str(knowledge_graph([KnowledgeCurve(0, "Ann", (8.0,) * (turns + 1))], table))
    below = [int(text) for text in re.findall(r'text-anchor="middle">(\d+)<', graph)]
    step = below[1] - below[0]
    assert below == list(range(0, turns + 1, step))
    assert len(below) <= 13
    assert str(step).strip("0") in ("1", "2", "5")


def test_who_cannot_see_the_graph_is_told_from_where_to_where_each_line_goes():
    table = drawn_game(Board.load("tiny"), 3, seed=0).table
    curves = [KnowledgeCurve(0, "Ann", (144.0, 12.0, 1.0)), KnowledgeCurve(1, "Bob", (144.0, 100.0, 60.2))]
    assert 'aria-label="Ann: 144 → 1. Bob: 144 → 60"' in str(knowledge_graph(curves, table))


def test_who_sees_no_colours_tells_the_lines_apart_as_in_the_legend():
    table = drawn_game(Board.load("tiny"), 3, seed=0).table
    graph = str(knowledge_graph([KnowledgeCurve(seat, "ABC"[seat], (8.0, 2.0)) for seat in range(3)], table))
    named, drawn = (re.findall('stroke-dasharray="(.*?)"', part) for part in graph.split("</figcaption>"))
    assert named == drawn
    assert len(set(drawn)) == 3
