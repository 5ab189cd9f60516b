"""``cluedo play`` on the whole screen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.types import CSSPathType

from cluedo.language import tr
from cluedo.session.game import GameSession
from cluedo.tui.action_bar import Action
from cluedo.tui.play_dialogs import Confirm
from cluedo.tui.play_start import StartScreen
from cluedo.tui.play_table import TableScreen

__all__ = ["PlayApp", "Played", "play_on_screen"]

_INTERRUPTED = 130
_SWITCH_S = 0.001
"""So soon a level that thinks hard lets go of the interpreter, for keys to be answered; Python's own is 5 ms."""


class Played(NamedTuple):
    """The games played, and the code to end with."""

    sessions: list[GameSession]
    code: int


def play_on_screen(session: GameSession | None, *, speed: float, hints: bool, think_limit: float) -> Played:
    """Play a game, or choose one first; raises what stopped a game."""
    app = PlayApp(session, speed=speed, hints=hints, think_limit=think_limit)
    code = app.run() or 0
    if app.error is not None:
        raise app.error
    return Played([table.session for table in app.tables], code)


class PlayApp(App[int]):
    """One game after another; the first is given, or chosen on the start screen.

    Attributes:
        tables: the games so far.
        error: what broke the match down, if anything did.
    """

    CSS_PATH: ClassVar[CSSPathType | None] = [Path(__file__).with_name(name) for name in ("widgets.tcss", "play.tcss")]
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Cluedo"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q", "leave(0)", show=False),
        Binding("ctrl+c", f"leave({_INTERRUPTED})", show=False, priority=True),
        Binding("t", "turn_light", show=False),
    ]

    def __init__(self, session: GameSession | None, *, speed: float, hints: bool, think_limit: float):
        super().__init__()
        self._session = session
        self._speed, self._hints, self._think_limit = speed, hints, think_limit
        self.tables: list[TableScreen] = []
        self.error: BaseException | None = None
        self._usual_switch_s = sys.getswitchinterval()

    def on_mount(self) -> None:
        """Sit down, or choose a game first."""
        sys.setswitchinterval(_SWITCH_S)
        if self._session is not None:
            self._sit(self._session)
        else:
            self._choose()

    def on_unmount(self) -> None:
        """Leave the interpreter as it was."""
        sys.setswitchinterval(self._usual_switch_s)

    def _choose(self) -> None:
        chooser = StartScreen(self._think_limit)
        self.push_screen(chooser, lambda chosen: self._sit(chosen) if chosen is not None else None)

    def _sit(self, session: GameSession) -> None:
        table = TableScreen(session, speed=self._speed, hints=self._hints)
        self.tables.append(table)
        self.push_screen(table)

    def closing_actions(self) -> list[Action]:
        """What can be done when a game is over."""
        return [Action("n", tr("new game"), None), Action("q", tr("leave"), None)]

    def close_game(self, key: str) -> None:
        """Do one of these."""
        if key == "n":
            self.pop_screen()
            self.call_later(self._choose)  # by the app: the table, which asks for it, will not be there for the answer
        else:
            self.action_leave(0)

    def failed(self, error: BaseException) -> None:
        """Leave because of an error, which is raised when the screen is gone."""
        self.error = error
        self.exit(1)

    def action_turn_light(self) -> None:
        """Light or dark."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

    @work(exclusive=True, group="leave")
    async def action_leave(self, code: int) -> None:
        """Leave; while a game is on, ask once whether that is meant. A second Ctrl-C does not wait for the answer."""
        asked = isinstance(self.screen, Confirm)
        if self._on and not asked and not await self.push_screen_wait(Confirm(tr("Leave the game? It is kept."))):
            return
        for table in self.tables:
            await table.leave()
        self.exit(code)

    @property
    def _on(self) -> bool:
        """Whether a game is being played."""
        return bool(self.tables) and not self.tables[-1].over
