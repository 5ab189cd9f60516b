"""The board on the screen: its places and the cursor."""

from __future__ import annotations

import pytest
from helpers.support import board_from, deck_alone
from rich.cells import cell_len

from cluedo.engine.board import Board
from cluedo.tui.board_view import Look, draw


@pytest.mark.parametrize("name", ["manoir", "classic", "tiny"])
def test_every_place_has_a_spot_and_the_cursor_reaches_all(name):
    board = Board.load(name)
    drawing = draw(board)
    places = [place for place in range(board.places) if board.is_room(place) or board.squares >> place & 1]
    for place in places:
        assert drawing.place(drawing.spot(place)) == place
    rows = drawing.rows(Look(board.starts, board.weapon_starts, lit=board.all_rooms))
    assert len(rows) == drawing.height
    assert {sum(len(text) for text, _ in row) for row in rows} == {drawing.width}
    for y, row in enumerate(rows):
        for x, _ in enumerate(row):
            spot = drawing.spot_at(x, y)
            assert spot is None or drawing.place(spot) is not None
    reached, edge = set(), [drawing.spot(places[0])]
    while edge:
        spot = edge.pop()
        if spot not in reached:
            reached.add(spot)
            edge += [drawing.onward(spot, dx, dy) for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    assert {drawing.place(spot) for spot in reached} == set(places)


def test_pawns_of_a_deck_stand_in_line_whatever_the_width_of_letters():
    data = deck_alone(3, 3, 3)
    data["rooms"][0]["name"] = "食堂"
    board = board_from(data)
    rows = draw(board).rows(Look(board.weapon_starts, board.weapon_starts))
    lines = ["".join(text for text, _ in row) for row in rows]
    assert len({cell_len(line[: line.index(f"S{k}")]) for k, line in enumerate(lines[:3])}) == 1
