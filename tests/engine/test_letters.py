"""Pawns and weapons are told apart without colours: by two letters each, which differ on every board."""

from __future__ import annotations

import re

import pytest
from helpers.support import board_of

from cluedo.engine.board_svg import board_svg
from cluedo.engine.mapfile import map_names


@pytest.mark.parametrize("name", map_names())
@pytest.mark.parametrize("kind", ["pawn", "weapon"])
def test_no_two_pieces_of_a_drawing_have_the_same_letters(name, kind):
    board = board_of(name)
    if not board.has_grid:
        pytest.skip("nothing is drawn")
    letters = re.findall(rf'<g class="{kind}".*?<text[^>]*>([^<]*)</text>', board_svg(board))
    assert len(letters) == len(board.map.suspects if kind == "pawn" else board.map.weapons)
    assert len(set(letters)) == len(letters)
