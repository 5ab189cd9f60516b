"""The start page of a visit: what one can do in the house. Also the program that each visit runs."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from cluedo.cli.language import speak
from cluedo.cli.screens import visit

__all__ = ["Door", "Lobby", "main"]


class Door(NamedTuple):
    """A way on from the lobby.

    Attributes:
        name: what it is called.
        about: a line about what is behind it.
        open: makes the screen behind it.
    """

    name: str
    about: str
    open: Callable[[], Screen[None]]


class Lobby(App[None]):
    """Shows the doors; whoever leaves a screen behind one of them is here again."""

    TITLE = "Cluedo"
    ENABLE_COMMAND_PALETTE = False  # it offers to save pictures of the screen
    CSS = """
    VerticalScroll { align: center middle; }
    #title { width: auto; text-style: bold; margin: 1 0; }
    OptionList { width: 60; max-width: 100%; height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "quit")]

    def __init__(self, doors: list[Door]):
        super().__init__()
        self.doors = doors

    def compose(self) -> ComposeResult:
        """The title, the doors, and the keys."""
        with VerticalScroll():
            yield Static("C L U E D O", id="title")
            yield OptionList(*[Option(f"[b]{door.name}[/b]\n[dim]{door.about}[/dim]") for door in self.doors])
        yield Footer()

    def on_mount(self) -> None:
        """The arrow keys work at once."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go through a door."""
        self.push_screen(self.doors[event.option_index].open())


def _doors() -> list[Door]:
    return []


def main(folder: str, language: str) -> None:
    """Run a visit: a process in a fence, with a private folder inside ``folder`` that is gone afterwards."""
    speak(language)
    own = Path(tempfile.mkdtemp(dir=folder))
    visit.begin(own)
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    Lobby(_doors()).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
