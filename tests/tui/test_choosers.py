"""The row of actions: none is broken, and the marked one is always in sight."""

from __future__ import annotations

import pytest
from helpers.screen_driver import lines_alone

from cluedo.session.actions import Action
from cluedo.tui.choosers import ActionBar

ROOMS = ["Courtyard", "Drawing Room", "Carriage House", "Trophy Room", "Billiard Room", "Secret Passage"]


def lines_of(width: int, lines: int, *keys: str) -> list[str]:
    """A row of actions, in so many lines at most, after some keys."""
    bar = ActionBar([Action(str(number), room, number) for number, room in enumerate(ROOMS, 1)])
    bar.styles.height, bar.styles.max_height = "auto", lines
    shown = [line.rstrip() for line in lines_alone(bar, (width, 10), *keys)]
    return [line for line in shown if line]


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
