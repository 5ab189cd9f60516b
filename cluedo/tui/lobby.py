"""The start page of a visit: what one can do in the house. Also the program that each visit runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.types import CSSPathType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cluedo.ai.match import DEFAULT_THINK_LIMIT
from cluedo.language import speak, tr
from cluedo.tui import visit
from cluedo.tui.play_app import PlayApp

if TYPE_CHECKING:
    from cluedo.session.case.setting import Setting

__all__ = ["House", "main"]


class _Door(NamedTuple):
    """A way on from the lobby: what it is called, a line about what is behind it, and how to go there."""

    name: str
    about: str
    enter: Callable[[], None]


class Lobby(Screen[None]):
    """Shows the doors."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.leave(0)", show=False)]
    CSS = """
    Lobby { align: center middle; }
    Lobby Vertical { width: 60; max-width: 100%; height: auto; }
    Lobby #house { text-align: center; text-style: bold; color: $accent; margin: 1 0; }
    Lobby OptionList { height: auto; border: round $accent; padding: 1; background: transparent; }
    Lobby #keys { text-align: center; color: $text-muted; margin: 1 0; }
    """

    def __init__(self, doors: list[_Door]):
        super().__init__()
        self._doors = doors

    def compose(self) -> ComposeResult:
        """The title, the doors, and the keys."""
        with Vertical():
            yield Static("C L U E D O", id="house", markup=False)
            yield OptionList(*[Option(f"[b]{door.name}[/b]\n  [dim]{door.about}[/dim]") for door in self._doors])
            yield Static(tr("Arrows to walk, Enter to choose, q to leave."), id="keys", markup=False)

    def on_mount(self) -> None:
        """The arrow keys work at once."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go through a door."""
        self._doors[event.option_index].enter()


class House(PlayApp):
    """All that a visitor can do, one after the other; whoever leaves a screen is in the lobby again."""

    CSS_PATH: ClassVar[CSSPathType | None] = [
        Path(__file__).with_name(name) for name in ("widgets.tcss", "play.tcss", "replay.tcss", "assist.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+t", "turn_light", show=False)]

    def __init__(self) -> None:
        super().__init__(None, speed=1.0, hints=True, think_limit=DEFAULT_THINK_LIMIT)

    # Textual calls the on_mount of every class, and hands over the event where it is asked for.
    def on_mount(self, event: events.Mount) -> None:  # type: ignore[override]
        """Begin in the lobby, not with a game."""
        event.prevent_default()
        doors = [
            _Door(tr("Play a game"), tr("against the levels, or with others at one screen"), self._choose),
            _Door(tr("Watch a game"), tr("one that the levels played, turn by turn, with a review"), self._watch),
            _Door(tr("Assist"), tr("help at a real table: note what is said, be told the rest"), self._open_case),
        ]
        self.push_screen(Lobby(doors))

    def exit(self, result: int | None = None, return_code: int = 0, message: Any = None) -> None:
        """Leave the house, if this is the lobby; a screen that would leave leads to the lobby."""
        if isinstance(self.screen, Lobby):
            super().exit(result, return_code, message)
            return
        for table in self.tables:
            self.run_worker(table.leave())
        self.tables.clear()
        while not isinstance(self.screen, Lobby):
            self.pop_screen()

    def failed(self, error: BaseException) -> None:
        """Say what went wrong with a game, in the lobby."""
        super().failed(error)
        self.notify(str(error), severity="error", markup=False)

    def _open_case(self) -> None:
        from cluedo.tui.assist_start import AssistStart  # the engines are slow to import

        self.push_screen(AssistStart(files=visit.current().files), self._take_case)

    def _take_case(self, setting: Setting | None) -> None:
        from cluedo.session.case.store import CaseStore
        from cluedo.tui.assist_table import AssistScreen

        if setting is not None:
            self.push_screen(AssistScreen(CaseStore(None, "choice").new(setting), files=visit.current().files))

    def _watch(self) -> None:
        self.notify(tr("The players sit down …"), timeout=2)
        self._play_sample()

    @work(thread=True, exclusive=True, group="sample")
    def _play_sample(self) -> None:
        """Let the levels play, which takes a second, and show it."""
        from cluedo.tui.replay_app import ReplayScreen
        from cluedo.tui.sample import sample_game

        tape, reviews = sample_game()

        def show() -> None:
            if isinstance(self.screen, Lobby):  # else somebody has gone on meanwhile
                self.push_screen(ReplayScreen(tape, reviews, 0))

        self.call_from_thread(show)


def main(folder: str, language: str) -> None:
    """Run a visit: a process in a fence, whose private folder is ``folder``."""
    speak(language)
    visit.begin(Path(folder))
    House().run()


if __name__ == "__main__":
    main(*sys.argv[1:])
