"""The row of actions, of which none is broken and the marked one always in sight; and lists of cards by the mouse."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from helpers.screen_driver import lines_alone
from helpers.tables import board_of
from rich.text import Text
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from cluedo.session.actions import Action
from cluedo.tui.choosers import ActionBar, CardChooser

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


DECK = board_of("tiny").deck
ROOM = DECK.rooms.start


class Asking(App[None]):
    """A question about two cards in a room; ``named`` is what was asked."""

    named: tuple[int, ...] | None = None

    def compose(self) -> ComposeResult:
        yield CardChooser(DECK)

    def on_mount(self) -> None:
        self.chooser = self.query_one(CardChooser)
        self.chooser.offer([ROOM], lambda _: Text(" "))
        self.chooser.take_focus()

    def on_card_chooser_chosen(self, event: CardChooser.Chosen) -> None:
        self.named = event.cards

    async def click(self, pilot: Pilot[None], card: int) -> None:
        """Click a card in its list."""
        k = DECK.category(card)
        await pilot.click(f"#cards-{k}", offset=(3, 1 + card - DECK.ids[k].start))


def asked_by_mouse(script: Callable) -> None:
    async def run() -> None:
        app = Asking()
        async with app.run_test() as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(run())


def test_whoever_clicks_the_weapon_first_is_asked_for_the_suspect():
    suspect, weapon = DECK.suspects.start + 2, DECK.weapons.start + 1

    async def script(app, pilot):
        await app.click(pilot, weapon)
        assert app.named is None
        await app.click(pilot, suspect)
        assert app.named == (suspect, weapon, ROOM)

    asked_by_mouse(script)


def test_a_click_on_another_card_than_the_proposed_one_asks_nothing_yet():
    suspect, weapon = DECK.suspects.start, DECK.weapons.start

    async def script(app, pilot):
        for card in (suspect, weapon):
            app.chooser.point(card)
        await app.click(pilot, suspect + 1)
        await app.click(pilot, weapon + 2)
        assert app.named is None
        await app.click(pilot, weapon + 2)
        assert app.named == (suspect + 1, weapon + 2, ROOM)

    asked_by_mouse(script)
