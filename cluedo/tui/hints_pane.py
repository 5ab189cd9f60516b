"""The pane in which the detective answers; he thinks in a thread that nobody has to wait for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Thread

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from cluedo.engine.errors import CluedoError
from cluedo.engine.view import PlayerView
from cluedo.language import tr

__all__ = ["HintsPane"]


class HintsPane(VerticalScroll):
    """Hints for one view at a time; what was asked before is forgotten."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._asked: PlayerView | None = None

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def ask(self, view: PlayerView) -> None:
        """Let the detective think about a view, unless that is what he does."""
        if view == self._asked:
            return
        self._asked = view
        self._say(tr("The detective thinks … (the first time it takes a while)"))
        thinking = (view, asyncio.get_running_loop())
        Thread(target=self._think, args=thinking, name="detective", daemon=True).start()

    def forget(self) -> None:
        """Say nothing any more."""
        self._asked = None
        self._say("")

    def _think(self, view: PlayerView, loop: asyncio.AbstractEventLoop) -> None:
        from cluedo.tui.play_hints import find_hints, told_hints  # the engines are slow to import

        try:
            found: RenderableType = told_hints(find_hints(view), view)
        except (CluedoError, MemoryError):
            found = tr("The deals are too many to count exactly.")
        with suppress(RuntimeError):  # the screen has gone meanwhile
            loop.call_soon_threadsafe(self._answer, view, found)

    def _answer(self, view: PlayerView, found: RenderableType) -> None:
        if view == self._asked:
            self._say(found)

    def _say(self, text: RenderableType) -> None:
        self.query_one(Static).update(text)
