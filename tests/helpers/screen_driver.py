"""The full screen, driven by keys alone and read as a person reads it: what is shown, not what is behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from cluedo import Board, Rules
from cluedo.ai.player import USUAL_CLOCK
from cluedo.session.autosave import Autosave
from cluedo.session.case.case import Case
from cluedo.session.game_session import GameSession
from cluedo.session.line_up import parse_line_up
from cluedo.tui.app import CluedoApp, Settings
from cluedo.tui.board_view import BoardView
from cluedo.tui.choosers import ActionBar, CardChooser
from cluedo.tui.play_dialogs import Confirm, HandOver
from cluedo.tui.play_start import StartScreen
from cluedo.tui.play_table import TableScreen
from cluedo.tui.sheet_view import SheetView


def session(
    players: str = "human,easy,easy", map_: str = "tiny", seed: int = 5, record: Path | None = None, **options: Any
) -> GameSession:
    """A new game."""
    rules, autosave = Rules.from_options(options.pop("rule", ())), Autosave.new(record, map_)
    return GameSession.begin(parse_line_up(players), Board.load(map_), rules, autosave, seed=seed, **options)


def driven(
    script: Callable[[CluedoApp, Pilot[int]], Awaitable[object]],
    opening: Screen[Any] | GameSession | Case | None,
    *,
    size: tuple[int, int] = (80, 24),
    speed: float = 0.0,
    hints: bool = True,
    kind: type[CluedoApp] = CluedoApp,
) -> CluedoApp:
    """Run a script on the app, which begins with the choice of a game if nothing is given; gives the app at the end."""

    async def run() -> CluedoApp:
        app = kind(StartScreen(USUAL_CLOCK) if opening is None else opening, Settings(speed, hints))
        async with app.run_test(size=size, notifications=True) as pilot:
            try:
                await pilot.pause()
                await script(app, pilot)
            finally:
                for table in app.tables:
                    await table.leave()
        return app

    return asyncio.run(run())


def as_test(script: Callable[..., Any], given: int, run: Callable[[Callable[..., Any]], object]) -> Callable[..., None]:
    """A test of a script: ``run`` gives it its first parameters, so many as are ``given``; the others are fixtures."""

    @wraps(script)
    def test(**fixtures: Any) -> None:
        run(partial(script, **fixtures))

    whole = signature(script)
    test.__signature__ = whole.replace(parameters=[*whole.parameters.values()][given:])  # type: ignore[attr-defined]
    return test


def playing(
    players: str = "human,easy,easy",
    map_: str = "tiny",
    seed: int = 5,
    *,
    game: Callable[[], GameSession] | None = None,
    size: tuple[int, int] = (80, 24),
    speed: float = 0.0,
    hints: bool = True,
    **options: Any,
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Decorate a script of an app and its pilot: a test that begins when somebody is asked, in this new game."""

    def run(script: Callable[..., Any]) -> None:
        async def asked_first(app: CluedoApp, pilot: Pilot[int]) -> None:
            await settled(app, pilot)
            await script(app, pilot)

        begun = game() if game else session(players, map_, seed, **options)
        driven(asked_first, begun, size=size, speed=speed, hints=hints)

    return lambda script: as_test(script, 2, run)


def beginning(opening: Callable[[], Screen[Any] | None]) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Decorate a script of an app and its pilot: a test that begins on this screen, or where a game is chosen."""
    return lambda script: as_test(script, 2, lambda script: driven(script, opening()))


def lines_alone(widget: Widget, size: tuple[int, int], *keys: str) -> list[str]:
    """The lines of a screen with this widget alone on it, after some keys."""

    class Alone(App[None]):
        def compose(self) -> ComposeResult:
            yield widget

    async def run() -> list[str]:
        async with Alone().run_test(size=size) as pilot:
            widget.focus()
            await pilot.pause()
            await pilot.press(*keys)
            return frame(pilot.app).splitlines()

    return asyncio.run(run())


def frame(app: App[Any]) -> str:
    """All the text on the screen now."""
    lines = [strip.text for strip in app.screen._compositor.render_strips()]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


async def still(app: CluedoApp, pilot: Pilot[int]) -> str:
    """All the text on the screen once it rests: lists scroll a refresh later, which a busy machine delays."""
    text, looks = "", 0
    while looks < 3:
        await handled(pilot)
        await pilot.pause()
        text, looks = (text, looks + 1) if text == (now := frame(app)) else (now, 0)
    return text


def shown(app: CluedoApp, name: str) -> str:
    """The text of a line of the screen."""
    return str(app.screen.query_one(f"#{name}", Static).content)


def actions(app: CluedoApp) -> dict[str, str]:
    """What can be done, by key."""
    return {action.key: action.sentence for action in app.screen.query_one("#actions", ActionBar).actions}


async def until(pilot: Pilot[int], what: Callable[[], bool]) -> None:
    """Wait for something to show."""
    end = monotonic() + 120  # however busy the machine is
    while not what():
        assert monotonic() < end, f"it did not come to pass:\n{frame(pilot.app)}"
        await asyncio.sleep(0.002)


async def came(pilot: Pilot[int], kind: type, *keys: str) -> None:
    """Press keys, and wait for a screen of a kind."""
    await pressed(pilot, *keys)
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    await pilot.pause()


def asked(app: CluedoApp) -> bool:
    """Whether somebody can do something: a question, a hand-over, or the end."""
    screen = app.screen
    if isinstance(screen, TableScreen):
        return any(bar._offered for bar in screen.query(ActionBar))  # none before it is laid out
    return isinstance(screen, HandOver)


async def settled(app: CluedoApp, pilot: Pilot[int], *keys: str) -> None:
    """Press keys, and wait until somebody is asked."""
    await pressed(pilot, *keys)
    before = app.screen
    await until(pilot, lambda: asked(app))
    if app.screen is not before:
        await pilot.pause()
    await handled(pilot)


async def pressed(pilot: Pilot[int], *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        pilot.app.simulate_key(key)
        await handled(pilot)


async def handled(pilot: Pilot[int]) -> None:
    """Wait until a key has gone through app, widget, screen and back.

    ``Pilot.press`` rests for 20 ms and more at each key, which a whole game would feel.
    """
    for _ in range(3):
        done = asyncio.Event()
        if not pilot.app.call_later(done.set):
            return  # it is leaving
        for _ in range(24):
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), 5)
                break
            if not pilot.app.is_running:
                return  # it has left
        await pilot._wait_for_screen()


class Detective:
    """Plays by pressing keys, with what the sheet shows in its head; each person at the table needs their own."""

    def __init__(self, app: CluedoApp, pilot: Pilot[int]):
        self.app, self.pilot = app, pilot
        self.random = Random(1)

    async def play(self, turns: int = 10_000) -> None:
        """Answer question after question until the game is over, or some turns are played."""
        for _ in range(turns):
            await settled(self.app, self.pilot)
            if isinstance(self.app.screen, HandOver):
                await pressed(self.pilot, "enter")
                await self.pilot.pause()
                continue
            assert isinstance(self.app.screen, TableScreen)
            if self.app.screen.over:
                return
            await self.answer()

    async def answer_until(self, what: Callable[[], bool]) -> None:
        """Answer questions until something is so."""
        while not what():
            await until(self.pilot, lambda: asked(self.app) or what())
            if not what():
                await self.answer()

    async def answer(self) -> None:
        """Answer one question."""
        keys = actions(self.app)
        board = self.app.screen.query_one("#board", BoardView)
        if "r" in keys:
            await pressed(self.pilot, "r")
        elif board.look.lit:
            await self.walk(keys, board)
        elif "a" in keys and all(self.envelope()):
            await self.accuse()
        elif "enter" in keys:
            await self.ask()
        elif "e" in keys:
            await pressed(self.pilot, "e")
        else:
            await pressed(self.pilot, "enter")

    async def walk(self, keys: dict[str, str], board: BoardView) -> None:
        """Into a room that may be in the envelope, or else anywhere, by the arrow keys."""
        rooms = [key for key in keys if key.isdigit()]
        open_ = [key for key in rooms if keys[key] in self.open_names(2)]
        if open_ or rooms:
            await pressed(self.pilot, self.random.choice(open_ or rooms))
            return
        for _ in range(self.random.randrange(1, 12)):
            await pressed(self.pilot, self.random.choice(("up", "down", "left", "right")))
        lit = board.pointed is not None and board.look.lit >> board.pointed & 1
        await pressed(self.pilot, *(("enter",) if lit else ("full_stop", "enter")))

    async def ask(self) -> None:
        """About cards that may be in the envelope."""
        chooser = self.app.screen.query_one("#chooser", CardChooser)
        for k in range(2):
            await self.choose(chooser, k, self.random.choice(self.open_cards(k)))

    async def accuse(self) -> None:
        """What is left."""
        sure = self.envelope()
        await pressed(self.pilot, "a")
        chooser = self.app.screen.query_one("#chooser", CardChooser)
        for k, card in enumerate(sure):
            assert card is not None
            on = "enter" if k == len(sure) - 1 else "right"  # a single Enter accuses where the cards are proposed
            await self.choose(chooser, k, card, on)
        await until(self.pilot, lambda: isinstance(self.app.screen, Confirm))
        await self.pilot.pause()
        await pressed(self.pilot, "y")

    async def choose(self, chooser: CardChooser, k: int, card: int, on: str = "enter") -> None:
        """Walk down a list to a card, and on."""
        steps = card - chooser.cards[k]
        await pressed(self.pilot, *(["down" if steps > 0 else "up"] * abs(steps)), on)

    def open_cards(self, k: int) -> list[int]:
        """The cards of a category that may be in the envelope, by the sheet."""
        sheet = self.app.screen.query_one("#sheet", SheetView)
        seats = range(1, len(sheet.columns))
        ids = sheet.deck.ids[k]

        def sign(card: int, column: int) -> str:
            cell = sheet.cells.get((card, column))
            return cell.text if cell else ""

        held_by_nobody = [card for card in ids if all(sign(card, seat) == "✗" for seat in seats)]
        return held_by_nobody[:1] or [card for card in ids if sign(card, 0) != "✗"]

    def open_names(self, k: int) -> list[str]:
        """Their names."""
        deck = self.app.screen.query_one("#sheet", SheetView).deck
        return [deck.names[card] for card in self.open_cards(k)]

    def envelope(self) -> list[int | None]:
        """The cards of the envelope, where only one is left."""
        return [cards[0] if len(cards) == 1 else None for cards in map(self.open_cards, range(3))]
