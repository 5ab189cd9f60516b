"""What one may do now, in a row: each with its key, to be pressed, clicked, or walked to with the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from cluedo.session.actions import Action

__all__ = ["ActionBar"]


_SIGNS = {"enter": "⏎", "escape": "Esc"}
"""Keys by their names in Textual, as they are shown where that is different."""


class ActionBar(Static, can_focus=True):
    """A row of actions; the first is the one that Enter does, until the arrow keys go elsewhere.

    Attributes:
        actions: what is offered.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", show=False),
        Binding("right", "go(1)", show=False),
        Binding("enter", "do", show=False),
    ]

    @dataclass
    class Done(Message):
        """An action was chosen."""

        action: Action[object]

    def __init__(self, actions: Sequence[Action[object]] = (), *, id: str | None = None):
        super().__init__(id=id)
        self.actions = list(actions)
        self._at = 0

    def offer(self, actions: Sequence[Action[object]]) -> None:
        """Offer these, the usual one first."""
        self.actions, self._at = list(actions), 0
        self.refresh(layout=True)

    def do_key(self, key: str) -> bool:
        """Do the action of a key; False if none has it."""
        for action in self.actions:
            if action.key == key:
                self.post_message(self.Done(action))
                return True
        return False

    def action_go(self, step: int) -> None:
        """Walk to another action."""
        if self.actions:
            self._at = (self._at + step) % len(self.actions)
            self.refresh()

    def action_do(self) -> None:
        """Do the one walked to."""
        if self.actions:
            self.post_message(self.Done(self.actions[self._at]))

    def action_pick(self, index: int) -> None:
        """Do the one that was clicked."""
        if index < len(self.actions):
            self.post_message(self.Done(self.actions[index]))

    def render(self) -> Content:
        """The row; the action that Enter does is marked while the keys come here."""
        parts: list[Content] = []
        for index, action in enumerate(self.actions):
            here = self.has_focus and index == self._at
            click = Style.from_meta({"@click": f"pick({index})"})
            # Words of one action stay together where the row is broken.
            label = f" {action.sentence} ".replace(" ", "\N{NO-BREAK SPACE}")
            sign = f"\N{NO-BREAK SPACE}{_SIGNS.get(action.key, action.key)}\N{NO-BREAK SPACE}"
            parts.append(Content.styled(sign, "bold $text-primary on $primary-muted").stylize(click))
            parts.append(Content.styled(label, "reverse bold" if here else "").stylize(click))
            parts.append(Content(" "))
        return Content.assemble(*parts)
