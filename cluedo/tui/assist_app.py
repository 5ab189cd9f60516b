"""``cluedo assist`` on the whole screen."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.types import CSSPathType

from cluedo.engine.errors import CluedoError
from cluedo.session.case.case import Case
from cluedo.session.case.interpreter import as_sentence
from cluedo.session.case.setting import Setting
from cluedo.session.case.store import CaseStore, kept_cases
from cluedo.tui.assist_start import AssistStart
from cluedo.tui.assist_table import AssistScreen

__all__ = ["AssistApp", "assist_on_screen"]

_INTERRUPTED = 130


class AssistApp(App[int]):
    """One case, which is given, or whose table is chosen first.

    Args:
        store: begins cases, and goes on with those that are kept.
        case: the case, if there is one already.
        files: whether files may be read and written where somebody says so on the screen.
    """

    CSS_PATH: ClassVar[CSSPathType | None] = [
        Path(__file__).with_name(name) for name in ("widgets.tcss", "assist.tcss")
    ]
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Cluedo"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave(0)", show=False, priority=True),
        Binding("ctrl+c", f"leave({_INTERRUPTED})", show=False, priority=True),
        Binding("ctrl+t", "turn_light", show=False),
    ]

    def __init__(self, store: CaseStore, case: Case | None = None, *, files: bool = True):
        super().__init__()
        self._store = store
        self._case = case
        self._files = files

    def on_mount(self) -> None:
        """Go on with the case, or ask for its table first."""
        if self._case is not None:
            self._sit(self._case)
        else:
            self.push_screen(AssistStart(files=self._files, kept=kept_cases()), self._start)

    def _start(self, setting: Setting | None) -> None:
        if setting is None:
            return
        try:
            case = self._store.new(setting)
        except CluedoError as error:
            self.exit(1, message=as_sentence(str(error)))
        else:
            self._sit(case)

    def on_assist_start_kept(self, event: AssistStart.Kept) -> None:
        """Go on with a case that was kept, if it still is one."""
        try:
            case = self._store.resume(event.path)
        except CluedoError as error:
            assert isinstance(self.screen, AssistStart)
            self.screen.say_trouble(as_sentence(str(error)))
        else:
            self._sit(case)

    def _sit(self, case: Case) -> None:
        self.push_screen(AssistScreen(case, files=self._files))

    def action_turn_light(self) -> None:
        """Light or dark."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

    def action_leave(self, code: int) -> None:
        """Leave: the case is kept."""
        self.exit(code)


def assist_on_screen(store: CaseStore, case: Case | None) -> int:
    """Run the screen; gives the code to end with, 130 for Ctrl-C."""
    return AssistApp(store, case).run() or 0
