"""Dialogs during a game: handing over the screen, a question with yes or no, and a note."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from cluedo.language import tr
from cluedo.session.actions import Action
from cluedo.tui.choosers import ActionBar
from cluedo.tui.keys import Dialog, LeftOnce, way_back

__all__ = ["Confirm", "HandOver", "NoteInput"]


class HandOver(LeftOnce[None]):
    """Hides everything until the right person sits before the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss", show=False)]

    def __init__(self, name: str, number: int, why: str):
        super().__init__()
        self._who, self._number, self._why = name, number, why

    def compose(self) -> ComposeResult:
        with Vertical(classes="middle"):
            place = {"name": self._who, "number": self._number, "why": self._why}
            yield Static(tr("Hand over to {name}, player {number}: {why}", **place), markup=False, classes="title")
            yield Static(tr("{name}, press Enter when nobody else is looking.", name=self._who), markup=False)
            yield ActionBar([Action("enter", tr("I am {name}", name=self._who), None)])

    def on_action_bar_done(self) -> None:
        """Show what is mine."""
        self.dismiss()


class Confirm(Dialog[bool]):
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
            yield ActionBar([Action("n", tr("no"), False), Action(tr("y"), tr("yes"), True)])

    def on_action_bar_done(self, event: ActionBar.Done) -> None:
        """Go back with the answer."""
        self.dismiss(event.action.value is True)

    def action_say(self, sure: bool) -> None:
        """Answer by a key."""
        self.dismiss(sure)


class NoteInput(Dialog[str | None]):
    """Takes a note about a card; Escape leaves it as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, card: str, note: str):
        super().__init__()
        self._card, self._note = card, note

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_subtitle = way_back()
            yield Static(tr("A note about {card}:", card=self._card), markup=False)
            yield Input(self._note, max_length=200)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go back with the note."""
        self.dismiss(event.value)
