"""The row of actions: none is broken, and the marked one is always in sight."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import App, ComposeResult

from cluedo.session.actions import Action
from cluedo.tui.choosers import ActionBar

ROOMS = ["Courtyard", "Drawing Room", "Carriage House", "Trophy Room", "Billiard Room", "Secret Passage"]


class Bar(App[None]):
    """A row of actions alone, in so many lines at most."""

    def __init__(self, lines: int):
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        bar = ActionBar([Action(str(number), room, number) for number, room in enumerate(ROOMS, 1)])
        bar.styles.height, bar.styles.max_height = "auto", self._lines
        yield bar


def lines_of(width: int, lines: int, *keys: str) -> list[str]:
    """What stands there after some keys."""

    async def run() -> list[str]:
        app = Bar(lines)
        async with app.run_test(size=(width, 10)) as pilot:
            app.query_one(ActionBar).focus()
            await pilot.pause()
            await pilot.press(*keys)
            shown = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
        return [line for line in shown if line]

    return asyncio.run(run())


@pytest.mark.parametrize("width", [30, 40, 57, 80, 200])
def test_an_action_stays_whole_where_the_row_is_broken(width):
    lines = lines_of(width, 9)
    for number, room in enumerate(ROOMS, 1):
        assert sum(f" {number}  {room} " in f"{line} " for line in lines) == 1
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)


def test_where_there_is_no_room_for_all_the_marked_one_is_in_sight():
    assert lines_of(30, 2) == [" 1  Courtyard", " 2  Drawing Room  …"]
    assert lines_of(30, 2, *["right"] * 3) == ["…  4  Trophy Room", " 5  Billiard Room  …"]
    assert lines_of(30, 2, "left") == ["…  5  Billiard Room", " 6  Secret Passage"]
