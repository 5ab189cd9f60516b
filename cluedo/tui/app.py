"""The full screen: one application for playing, replaying, the assistant and puzzles, with or without a main menu."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.screen import Screen
from textual.types import CSSPathType

from cluedo.ai.match import DEFAULT_THINK_LIMIT
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.session.game_session import GameSession
from cluedo.session.narration import as_sentence
from cluedo.tui.aside import run_aside
from cluedo.tui.keys import KeyCommands, KeysHelp, Part, keys_of
from cluedo.tui.play_dialogs import Confirm
from cluedo.tui.play_start import StartScreen
from cluedo.tui.play_table import TableScreen

if TYPE_CHECKING:
    from cluedo.ai.knowledge.caselog import Setting
    from cluedo.session.case.case import Case
    from cluedo.session.case.case_store import CaseStore
    from cluedo.session.puzzle import Puzzle
    from cluedo.session.review_text import ReviewText
    from cluedo.session.timeline import Timeline
    from cluedo.tui.assist_start import AssistStart

__all__ = [
    "CluedoApp",
    "Played",
    "Settings",
    "assist_on_screen",
    "play_on_screen",
    "puzzle_on_screen",
    "replay_on_screen",
]

_INTERRUPTED = 130
_BOTTOM = 2
"""Screens below those that one goes back from: Textual's own, and the first of ours."""
_SWITCH_S = 0.001
"""So soon a level that thinks hard lets go of the interpreter, for keys to be answered; Python's own is 5 ms."""


class Settings(NamedTuple):
    """How games are played: how fast others move, whether one may ask the detective, how long levels may think."""

    speed: float = 1.0
    hints: bool = True
    think_limit: float = DEFAULT_THINK_LIMIT


class Played(NamedTuple):
    """The games played, and the code to end with."""

    sessions: list[GameSession]
    code: int


def play_on_screen(session: GameSession | None, settings: Settings) -> Played:
    """Play a game, or choose one first, and perhaps others after it; raises what stopped a game."""
    opening = StartScreen(settings.think_limit) if session is None else None
    app = CluedoApp(opening, settings=settings, session=session)
    code = app.run() or 0
    if app.error is not None:
        raise app.error
    return Played([table.session for table in app.tables], code)


def replay_on_screen(timeline: Timeline, reviews: Sequence[ReviewText], turn: int) -> int:
    """Show a game until whoever looks at it leaves; returns the exit code.

    Args:
        timeline: the game.
        reviews: for each view of the timeline, the review.
        turn: where to begin.
    """
    from cluedo.tui.replay_screen import ReplayScreen

    return CluedoApp(ReplayScreen(timeline, reviews, turn)).run() or 0


def assist_on_screen(store: CaseStore, case: Case | None) -> int:
    """Run the assistant; gives the code to end with, 130 for Ctrl-C."""
    return CluedoApp(store=store, case=case).run() or 0


def puzzle_on_screen(puzzle: Puzzle, day: date) -> int:
    """Show the puzzle of a day; gives the code to end with, 130 for Ctrl-C."""
    from cluedo.tui.puzzle_screen import PuzzleScreen

    return CluedoApp(PuzzleScreen(puzzle, day)).run() or 0


class CluedoApp(App[int]):
    """Whatever is shown first, and what that leads to.

    Args:
        opening: the first screen; that of ``session`` or ``case``, or the choice of a case, if there is none.
        settings: how games are played.
        session: a game to be played first.
        store: begins cases, and continues saved ones.
        case: a case to continue.

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
        Binding("ctrl+c", f"leave({_INTERRUPTED})", show=False, priority=True),
        Binding("t,ctrl+t", "turn_light", Phrase("theme"), tooltip=Phrase("light or dark colours"), show=False),
    ]

    def __init__(
        self,
        opening: Screen[Any] | None = None,
        *,
        settings: Settings = Settings(),  # noqa: B008 - it does not change
        session: GameSession | None = None,
        store: CaseStore | None = None,
        case: Case | None = None,
    ):
        super().__init__()
        self._opening, self._session, self._case = opening, session, case
        self._settings, self._store = settings, store
        self.tables: list[TableScreen] = []
        self.error: BaseException | None = None
        self._usual_switch_s = sys.getswitchinterval()

    def on_mount(self) -> None:
        """Show what comes first."""
        sys.setswitchinterval(_SWITCH_S)
        if self._session is not None:
            self._sit(self._session)
        elif self._case is not None:
            self._show_case(self._case)
        elif self._opening is not None:
            self._show(self._opening)
        else:
            self.action_choose_case()

    def on_unmount(self) -> None:
        """Leave the interpreter as it was."""
        sys.setswitchinterval(self._usual_switch_s)

    def _show(self, screen: Screen[Any]) -> None:
        """Show a screen, and use what it returns."""
        self.push_screen(screen, self._take)

    def _take(self, chosen: GameSession | Setting | None) -> None:
        if isinstance(chosen, GameSession):
            self._sit(chosen)
        elif chosen is not None:
            self._begin_case(chosen)

    # ---- play --------------------------------------------------------------------------------

    def action_choose_game(self) -> None:
        """Choose a game."""
        self._show(StartScreen(self._settings.think_limit))

    def _sit(self, session: GameSession) -> None:
        table = TableScreen(session, speed=self._settings.speed, hints=self._settings.hints)
        self.tables.append(table)
        self.push_screen(table)

    def action_new_game(self) -> None:
        """Leave a game that is over for another one."""
        self.pop_screen()
        self.call_later(self.action_choose_game)  # by the app: the table will not be there for the answer

    def action_rematch(self) -> None:
        """The same players again, with other cards."""
        session = self.tables[-1].session.rematch()
        self.pop_screen()
        self.call_later(self._sit, session)

    def failed(self, error: BaseException) -> None:
        """Leave because of an error, which is raised then."""
        self.error = error
        self.exit(1)

    # ---- replay ------------------------------------------------------------------------------

    def action_replay(self) -> None:
        """Look at the game that is over, with its review."""
        self.notify(tr("The game is being reviewed …"), timeout=2)
        session = self.tables[-1].session
        self._replay_game(session)

    @work(exclusive=True, group="replay")
    async def _replay_game(self, session: GameSession) -> None:
        from cluedo.session.timeline import reviewed  # the engines are slow to import

        await self._open_replay(*await run_aside(lambda: reviewed(session.game, session.names)))

    async def _open_replay(self, timeline: Timeline, reviews: Sequence[ReviewText]) -> None:
        from cluedo.tui.replay_screen import ReplayScreen

        if isinstance(self.screen, TableScreen):  # else somebody has gone on meanwhile
            self.push_screen(ReplayScreen(timeline, reviews, 0))

    # ---- the assistant -----------------------------------------------------------------------

    def action_choose_case(self) -> None:
        """Choose the table of a case."""
        from cluedo.session.case.case_store import kept_cases  # the engines are slow to import
        from cluedo.tui.assist_start import AssistStart

        self._show(AssistStart(kept_cases()))

    @property
    def _case_store(self) -> CaseStore:
        from cluedo.session.case.case_store import CaseStore

        return self._store or CaseStore(None, "uniform")

    def _begin_case(self, setting: Setting) -> None:
        try:
            case = self._case_store.new(setting)
        except CluedoError as error:
            self.exit(1, message=as_sentence(tr(error)))
        else:
            self._show_case(case)

    def on_assist_start_kept(self, event: AssistStart.Kept) -> None:
        """Go on with a case that was kept, if it still is one."""
        try:
            case = self._case_store.resume(event.path)
        except CluedoError as error:
            self.screen.say_trouble(as_sentence(tr(error)))  # type: ignore[attr-defined]
        else:
            self._show_case(case)

    def _show_case(self, case: Case) -> None:
        from cluedo.tui.assist_table import AssistScreen

        self.push_screen(AssistScreen(case))

    # ---- everywhere --------------------------------------------------------------------------

    def action_keys(self) -> None:
        """Show the keys, and what else the screen has to say of itself."""
        parts: Sequence[Part] = getattr(self.screen, "help_parts", ())
        self.push_screen(KeysHelp(list(keys_of(self.screen)), parts))

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=tr("What do you want to do?"), id="--command-palette"))

    def action_turn_light(self) -> None:
        """Light or dark."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

    @work(exclusive=True, group="leave")
    async def action_leave(self, code: int) -> None:
        """Leave; while a game is on, ask once whether that is meant. A second Ctrl-C does not wait for the answer."""
        asked = isinstance(self.screen, Confirm)
        if self._on and not asked and not await self.push_screen_wait(Confirm(tr("Leave the game? It is saved."))):
            return
        for table in self.tables:
            await table.leave()
        if code == 0 and len(self.screen_stack) > _BOTTOM and not asked and not self._on:
            self.pop_screen()  # back to the game that was looked at
        else:
            self.exit(code)

    @property
    def _on(self) -> bool:
        """Whether a game is being played."""
        return bool(self.tables) and not self.tables[-1].over
