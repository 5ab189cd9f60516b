"""A sheet fills itself in with what its player has seen, and says what that shows; a kept one is read."""

import pytest
from helpers.support import drawn_game, make_match

from cluedo.engine.board import Board
from cluedo.session.seat_sheet import SeatSheet, read_sheets


@pytest.mark.parametrize(("seats", "rules"), [(3, {}), (2, {"pool": 2}), (3, {"leftover": "open"})])
def test_a_card_that_is_nowhere_else_is_ticked_in_the_envelope(seats, rules):
    board = Board.load("tiny")
    ticked = 0
    for seed in range(4):
        game = drawn_game(board, seats, seed, **rules)
        match = make_match(game, ["medium"] * seats)
        sheet = SeatSheet()
        while not game.over and game.state.turn < 25:
            match.advance()
            signs = {at: cell.sign for at, cell in sheet.read(game.view(0)).items()}
            columns = range(1, len(game.state.deal.places))
            for card in range(board.deck.size):
                elsewhere = {signs.get((card, column)) for column in columns}
                assert (signs.get((card, 0)) == "✓") == (elsewhere == {"✗"})
                if elsewhere == {"✗"}:
                    ticked += 1
                    assert card in game.state.deal.envelope
    assert ticked


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seats": 3}', '{"seats": {"0": {"marks": [[1]], "notes": {}}}}'])
def test_what_was_kept_of_a_sheet_and_is_damaged_is_left_out(text):
    sheet = SeatSheet()
    read_sheets(text, Board.load("tiny").deck, {0: sheet})
    assert (sheet.marks, sheet.notes) == ({}, {})
