"""What stands before the table for a moment: a hand-over, a question to be sure, the keys, a note."""

from __future__ import annotations

from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from cluedo.engine.board import Board
from cluedo.language import tr
from cluedo.tui.action_bar import Action, ActionBar
from cluedo.tui.drawing import signs

__all__ = ["Confirm", "HandOver", "KeysHelp", "NoteInput"]


class HandOver(Screen[None]):
    """Hides everything until the right person sits before the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss", show=False)]

    def __init__(self, name: str, number: int, why: str):
        super().__init__()
        self._who, self._number, self._why = name, number, why

    def compose(self) -> ComposeResult:
        with Vertical(classes="middle"):
            place = {"name": self._who, "number": self._number, "why": self._why}
            yield Static(tr("Hand over to {name} (player {number}): {why}", **place), markup=False, classes="title")
            yield Static(tr("{name}, press Enter when nobody else is looking.", name=self._who), markup=False)
            yield ActionBar([Action("enter", tr("I am {name}", name=self._who), None)])

    def on_action_bar_done(self) -> None:
        """Show what is mine."""
        self.dismiss()


class Confirm(ModalScreen[bool]):
    """Asks whether one is sure; Escape means no, and so does Enter at first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n", "say(False)", show=False),
        Binding("y,o", "say(True)", show=False),
    ]

    def __init__(self, question: str):
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            yield ActionBar([Action("n", tr("no"), False), Action("y", tr("yes"), True)])

    def on_action_bar_done(self, event: ActionBar.Done) -> None:
        """Go back with the answer."""
        self.dismiss(event.action.value is True)

    def action_say(self, sure: bool) -> None:
        """Answer by a key."""
        self.dismiss(sure)


class KeysHelp(ModalScreen[None]):
    """The keys, the signs and the turn, in short."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,question_mark,f1,q", "dismiss", show=False)]

    def __init__(self, board: Board, *, hints: bool):
        super().__init__()
        self._board, self._hints = board, hints

    def compose(self) -> ComposeResult:
        keys = [
            (tr("arrows, Enter"), tr("walk over board, cards and sheet; choose")),
            (". ,", tr("the next and the last place that can be reached")),
            ("Tab", tr("from the board to the sheet, the log and what can be done")),
            ("m", tr("your sheet: Space, v, x or ? write a mark, Delete wipes it, e writes a note")),
            ("l", tr("the log of all that was said and shown")),
            *([("h", tr("what the detective would say: proofs, odds, the best question"))] if self._hints else []),
            ("u", tr("take back a move, while nothing has come of it")),
            (tr("Space"), tr("skip to where it is your turn")),
            ("t", tr("light or dark")),
            ("q, Ctrl-C", tr("leave; the game is kept")),
        ]
        with VerticalScroll(classes="dialog"):
            yield Static(tr("Keys"), classes="title")
            grid = Table.grid(padding=(0, 2, 0, 0))
            for key, text in keys:
                grid.add_row(Text(key, style="bold", no_wrap=True), text)
            yield Static(grid)
            yield Static(tr("Signs"), classes="title further")
            yield Static(signs(self._board), markup=False)
            yield Static(tr("A turn"), classes="title further")
            yield Static(
                tr(
                    "Roll and walk, take a secret passage, or stay. In a room you may then ask the others about a "
                    "suspect, a weapon and that room. At the end you may accuse, once a game: wrong, and you are out."
                ),
                markup=False,
            )


class NoteInput(ModalScreen[str | None]):
    """Takes a note about a card; Escape leaves it as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, card: str, note: str):
        super().__init__()
        self._card, self._note = card, note

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(tr("A note about {card}:", card=self._card), markup=False)
            yield Input(self._note, max_length=200)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go back with the note."""
        self.dismiss(event.value)
