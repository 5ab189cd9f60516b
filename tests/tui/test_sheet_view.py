"""The sheet on the screen: how wide it is, and where a click leads."""

from __future__ import annotations

import pytest
from helpers.screen_driver import (
    driven,
    frame,
    lines_alone,
    session,
    settled,
)

from cluedo.engine.board import Board
from cluedo.tui.sheet_view import Cell, Column, SheetView


@pytest.mark.parametrize("columns", [20, 31, 50, 100])
def test_a_sheet_fits_its_width(columns):
    deck = Board.load("manoir").deck
    sheet = SheetView(deck, [Column("En", "Envelope"), *(Column(name[:2], name) for name in deck.names[:4])])
    sheet.show({(card, column): Cell.seen(True) for card in range(deck.size) for column in range(5)})
    ticked = [line for line in lines_alone(sheet, (columns, 30)) if "✓" in line]
    assert len(ticked) == deck.size
    assert {line.count("✓") for line in ticked} == {5 if columns >= 24 else ticked[0].count("✓")}


@pytest.mark.parametrize(("size", "players"), [((160, 40), 6), ((160, 40), 3), ((100, 30), 3)])
def test_heads_of_a_sheet_are_whole_where_there_is_room_for_them(size, players):
    async def script(app, pilot):
        await settled(app, pilot)
        sheet = app.screen.query_one("#sheet", SheetView)
        head = next(line for line in frame(app).splitlines() if "Envelope" in line)
        assert all(column.name in head for column in sheet.columns)
        card, column = sheet.deck.suspects[2], len(sheet.columns) - 1
        at = head.index(sheet.columns[column].name) - sheet.region.x
        lines = [line[sheet.region.x :] for line in frame(app).splitlines()]
        row = next(y for y, line in enumerate(lines) if line.startswith(sheet.deck.names[card]))
        await pilot.click(sheet, offset=(at + 1, row - sheet.region.y))
        await pilot.pause()
        assert sheet.cursor == (card, column), "a click meets the cell that is drawn there"

    driven(script, session(",".join(["human", *["easy"] * (players - 1)]), "classic"), size=size)
