"""The pane with the detective's advice, which is worked out in the background, so that nobody has to wait for it."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from cluedo.engine.errors import CluedoError
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.hints import Hint, find_hint
from cluedo.tui.background import run_aside

__all__ = ["HintsPane"]


class HintsPane(VerticalScroll):
    """A hint for one view at a time; what was asked before is forgotten.

    Attributes:
        figures: whether bits are shown, too.
    """

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._asked: PlayerView | None = None
        self._hint: Hint | None = None
        self.figures = False

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def ask(self, view: PlayerView) -> None:
        """Let the detective think about a view, unless it already does."""
        if view == self._asked:
            return
        self._asked, self._hint = view, None
        self.query_one(Static).update(tr("The detective is thinking … (the first time, this takes a while)"))
        self._think(view)

    def forget(self) -> None:
        """Say nothing any more."""
        self._asked = self._hint = None
        self.query_one(Static).update("")

    def show_figures(self) -> None:
        """Show bits, or hide them."""
        self.figures = not self.figures
        self._show()

    @work(exclusive=True)
    async def _think(self, view: PlayerView) -> None:
        try:
            hint = await run_aside(lambda: find_hint(view))
        except (CluedoError, MemoryError):
            self.query_one(Static).update(tr("There are too many deals to count exactly."))
            return
        if view == self._asked:
            self._hint = hint
            self._show()

    def _show(self) -> None:
        hint = self._hint
        if hint is None:
            return
        parts = [Text(hint.do, style="bold green" if hint.proved else "bold"), *map(Text, hint.why)]
        parts += [Text(tr("Chance of being in the envelope:"), style="bold"), *map(Text, hint.envelope)]
        if hint.found:
            parts += [Text(tr("Proved, though nobody showed it:"), style="bold"), *map(Text, hint.found)]
        if self.figures:
            parts += [Text(tr("For experts:"), style="bold"), *map(Text, hint.figures)]
        self.query_one(Static).update(Group(*parts))
