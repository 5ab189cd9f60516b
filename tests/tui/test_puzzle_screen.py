"""``cluedo puzzle`` on the whole screen: by pilot, and in a real terminal."""

from __future__ import annotations

import sys
from datetime import date

import pytest
from helpers.screen_driver import beginning, came, driven, frame, handled, pressed, until
from helpers.tmux_pane import needs_tmux
from textual.pilot import Pilot
from textual.widgets import Static

from cluedo.session.puzzle import puzzle_of
from cluedo.tui.app import CluedoApp
from cluedo.tui.choosers import CardChooser
from cluedo.tui.play_dialogs import Confirm
from cluedo.tui.puzzle_screen import PuzzleScreen
from cluedo.tui.sections_text import SectionsText
from cluedo.tui.sheet_view import SheetView

DAY = date(2026, 11, 26)
"""Candlestick is in the envelope: four other weapons are one's own, and the fifth was shown."""


def puzzle_screen() -> PuzzleScreen:
    return PuzzleScreen(puzzle_of(DAY, "classic"), DAY)


solving = beginning(puzzle_screen)


def told(app: CluedoApp) -> str:
    return str(app.screen.query_one("#told", SectionsText).render())


def status(app: CluedoApp) -> str:
    return str(app.screen.query_one("#status", Static).render())


def go_to(app: CluedoApp, card: str, column: int) -> None:
    sheet = app.screen.query_one(SheetView)
    sheet._put_cursor(sheet.deck.id(card), column)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
def test_the_position_the_sheet_and_the_task_are_there_at_every_size(size):
    async def act(app: CluedoApp, pilot: Pilot[int]) -> None:
        assert "You are Ann and hold" in str(app.screen.query_one("#position-text", SectionsText).render())
        assert " ".join(told(app).split()).startswith("Difficulty 2 of 5. One thing about the cards")
        assert all(part.size.width >= 20 and part.size.height >= 2 for part in app.screen.query(SectionsText))
        assert app.screen.query_one(SheetView).size.width >= 36

    driven(act, puzzle_screen(), size=size)


def test_the_score_is_whole_where_the_window_is_narrow():
    async def act(app: CluedoApp, pilot: Pilot[int]) -> None:
        await pilot.pause()
        assert frame(app).split()[: len(status(app).split())] == status(app).split()

    driven(act, puzzle_screen(), size=(70, 24))


@solving
async def test_what_is_stated_on_the_sheet_is_found_and_shown_there(app, pilot):
    go_to(app, "Candlestick", 1)
    await pressed(pilot, "v")
    assert told(app) == "The opposite is on the sheet already."
    go_to(app, "Candlestick", 0)
    await pressed(pilot, "enter")
    assert told(app).startswith("Press v if")
    await pressed(pilot, "v")
    assert told(app).startswith("Right!")
    sheet = app.screen.query_one(SheetView)
    assert sheet.cells[sheet.cursor].text == "✓"
    assert status(app).endswith("1 of 1 proved; 0 wrong statements; 0 hints.")
    go_to(app, "Plum", 0)
    await pressed(pilot, "x")
    assert told(app).startswith("That is not proved.")


@solving
async def test_hints_and_the_solution_come_by_keys(app, pilot):
    await pressed(pilot, "h")
    assert told(app) == "There is a proof from 5 facts."
    await pressed(pilot, "h")
    assert told(app) == "It is about Candlestick."
    await pressed(pilot, "s", "enter")  # no
    assert told(app) == "It is about Candlestick."
    puzzle = app.screen
    await came(pilot, Confirm, "s")
    puzzle.action_solve()  # of a second key, which was on its way
    await handled(pilot)
    assert sum(isinstance(screen, Confirm) for screen in app.screen_stack) == 1, "it is asked once"
    await pressed(pilot, "y")
    await until(pilot, lambda: isinstance(app.screen, PuzzleScreen) and "The best question: " in told(app))
    await pressed(pilot, "h", "s")
    await until(pilot, lambda: "The best question: " in told(app))  # it is over, and nothing is asked any more


@solving
async def test_a_question_is_chosen_from_three_lists_and_nothing_is_stated_meanwhile(app, pilot):
    await pressed(pilot, "a", "v")
    assert " ".join(told(app).split()).startswith("Difficulty 2 of 5.")
    assert app.screen.query_one(CardChooser).display
    assert status(app).endswith("What would this question tell?")
    await pressed(pilot, "escape")
    assert not app.screen.query_one(CardChooser).display
    assert status(app).endswith("0 hints.")
    await pressed(pilot, "a", "enter", "enter", "enter")
    assert "Scarlett, Candlestick, Study: on average" in " ".join(told(app).split())


@needs_tmux
@pytest.mark.slow
@pytest.mark.parametrize(
    "pane", [(80, 24, f"{sys.executable} -m cluedo puzzle --date {DAY}; echo the end")], indirect=True
)
def test_in_a_real_terminal_the_keys_are_in_the_last_line_and_the_score_is_told_at_the_end(pane):
    pane.wait_for("Difficulty 2 of 5.")
    pane.wait_for("v is there x is not h hint a question p position s solution ? keys q leave")
    pane.press("h")
    pane.wait_for("There is a proof from 5 facts.")
    pane.press("q")
    assert pane.wait_for("the end").startswith("0 of 1 proved; 0 wrong statements; 1 hint.")
