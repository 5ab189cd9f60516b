"""The application of the full screen, with all its screens: play, replay, the assistant and puzzles."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.screen import Screen
from textual.types import CSSPathType

from cluedo.ai.player import USUAL_CLOCK, Clock
from cluedo.engine.ctrl_c import INTERRUPTED
from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.session.game_session import GameSession
from cluedo.tui.background import run_in_thread
from cluedo.tui.keys import HelpPart, KeyCommands, KeyedScreen, KeysHelp, LeftOnce, keys_of
from cluedo.tui.play_dialogs import Confirm
from cluedo.tui.play_start import StartScreen
from cluedo.tui.play_table import TableScreen

if TYPE_CHECKING:
    from cluedo.session.case.case import Case

__all__ = ["AppResult", "CluedoApp", "Settings", "run_on_screen"]

_BOTTOM = 2
"""Screens below those that one goes back from: Textual's own, and the first of ours."""
_TERMINATED = 143
"""Exit code of a process that SIGTERM ended, as shells have it."""
_SWITCH_S = 0.001
"""So soon a level that thinks hard lets go of the interpreter, for keys to be answered; Python's own is 5 ms."""


class Settings(NamedTuple):
    """How games are played: how fast others move, whether one may ask the detective, the time that levels have."""

    speed: float = 1.0
    hints: bool = True
    clock: Clock = USUAL_CLOCK


_USUAL = Settings()


class AppResult(NamedTuple):
    """The games that were played, and the exit code: 130 after Ctrl-C, 143 after SIGTERM, 1 after another error."""

    sessions: list[GameSession]
    code: int


def run_on_screen(opening: Screen[Any] | GameSession | Case, settings: Settings = _USUAL) -> AppResult:
    """Run the full screen from a first screen, game or case until somebody leaves; raises what stopped a game."""
    app = CluedoApp(opening, settings)
    app.run()
    if app.error is not None:
        raise app.error
    return AppResult([table.session for table in app.tables], app.return_code or 0)


class _Palette(CommandPalette, LeftOnce[None]):
    """The command palette."""


class CluedoApp(App[None]):
    """The application: shows the first screen, and those that follow.

    Args:
        opening: the first screen, or the game or case that it is about.
        settings: how games are played.

    Attributes:
        tables: the games so far.
        error: what broke a game down, if anything did.
    """

    CSS_PATH: ClassVar[CSSPathType | None] = [
        Path(__file__).with_name(name)
        for name in ("widgets.tcss", "play.tcss", "replay.tcss", "assist.tcss", "puzzle.tcss")
    ]
    TITLE = "Cluedo"
    COMMANDS = {KeyCommands}  # noqa: RUF012 - Textual has it so
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "keys", Phrase("keys"), tooltip=Phrase("the keys and signs of this screen")),
        Binding("q", "leave(0)", Phrase("leave"), tooltip=Phrase("leave; games and cases are saved")),
        Binding("ctrl+q", "leave(0)", Phrase("leave"), tooltip=Phrase("leave; games and cases are saved"), show=False),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
        Binding("t,ctrl+t", "turn_light", Phrase("theme"), tooltip=Phrase("light or dark colours"), show=False),
    ]

    def __init__(self, opening: Screen[Any] | GameSession | Case, settings: Settings):
        super().__init__()
        self._opening, self._settings = opening, settings
        self.tables: list[TableScreen] = []
        self.error: BaseException | None = None
        self._usual_switch_s = sys.getswitchinterval()

    def on_mount(self) -> None:
        """Show what comes first."""
        sys.setswitchinterval(_SWITCH_S)
        if sys.platform != "win32":  # by itself SIGTERM would leave the terminal in the mode of a full screen
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit, None, _TERMINATED)
        # After Ctrl-Z and fg, Textual draws only what it takes for changed, at times the footer alone.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh())
        if isinstance(self._opening, Screen):
            self.push_screen(self._opening, self._take)
        else:
            self._take(self._opening)

    def on_unmount(self) -> None:
        """Undo what was changed in the interpreter."""
        sys.setswitchinterval(self._usual_switch_s)

    def _take(self, chosen: GameSession | Case | None) -> None:
        """Show the chosen game or case, if there is one."""
        if isinstance(chosen, GameSession):
            self._sit(chosen)
        elif chosen is not None:
            from cluedo.tui.assist_table import AssistScreen  # the detective is slow to import

            self.push_screen(AssistScreen(chosen))

    # ---- play --------------------------------------------------------------------------------

    def action_choose_game(self) -> None:
        """Choose a game."""
        self.push_screen(StartScreen(self._settings.clock), self._take)

    def _sit(self, session: GameSession) -> None:
        table = TableScreen(session, speed=self._settings.speed, hints=self._settings.hints)
        self.tables.append(table)
        self.push_screen(table)

    def action_new_game(self) -> None:
        """Leave a game that is over for another one."""
        self.pop_screen()
        self.call_later(self.action_choose_game)  # by the app: the table will not be there for the answer

    def action_rematch(self) -> None:
        """Play again with the same players and other cards."""
        session = self.tables[-1].session.rematch()
        self.pop_screen()
        self.call_later(self._sit, session)

    def failed(self, error: BaseException) -> None:
        """Leave because of an error, which :func:`run_on_screen` then raises."""
        self.error = error
        self.exit(return_code=1)

    # ---- replay ------------------------------------------------------------------------------

    def action_replay(self) -> None:
        """Replay the game that is over, with its review."""
        self.notify(tr("The game is being reviewed …"), timeout=2)
        self._replay_game(self.tables[-1])

    @work(exclusive=True, group="replay")
    async def _replay_game(self, table: TableScreen) -> None:
        from cluedo.session.timeline import review_game  # the detective is slow to import
        from cluedo.tui.replay_screen import ReplayScreen

        timeline, reviews = await run_in_thread(lambda: review_game(table.session.game, table.session.names))
        if table.is_active:  # else somebody has gone on meanwhile
            self.push_screen(ReplayScreen(timeline, reviews, 0))

    # ---- everywhere --------------------------------------------------------------------------

    def action_keys(self) -> None:
        """Show the keys of the screen, and its other help."""
        parts: Sequence[HelpPart] = getattr(self.screen, "help_parts", ())
        self.push_screen(KeysHelp(list(keys_of(self.screen)), parts))

    def get_key_display(self, binding: Binding) -> str:
        """The sign of a key, in the language spoken."""
        return tr("space") if binding.key == "space" else super().get_key_display(binding)

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(_Palette(placeholder=tr("What do you want to do?"), id="--command-palette"))

    def action_turn_light(self) -> None:
        """Switch between light and dark."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

    @work(exclusive=True, group="leave")
    async def action_leave(self, code: int) -> None:
        """Leave, after a question while a game is being played. A second Ctrl-C leaves at once."""
        asked = isinstance(self.screen, Confirm)
        if self._on and not asked and not await self.push_screen_wait(Confirm(self._question)):
            return
        for screen in self.screen_stack:
            if isinstance(screen, KeyedScreen):
                await screen.leave()
        if code == 0 and len(self.screen_stack) > _BOTTOM and not asked and not self._on:
            self.pop_screen()  # back to the game that was looked at
        else:
            self.exit(return_code=code)

    @property
    def _question(self) -> str:
        """What is asked of somebody who leaves a game."""
        if self.tables[-1].session.autosave.saved:
            return tr("Leave the game? It is saved.")
        return tr("Leave the game? It could not be saved.")

    @property
    def _on(self) -> bool:
        """Whether a game is being played."""
        return bool(self.tables) and not self.tables[-1].over
