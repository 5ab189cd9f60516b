"""The main menu: what one can do."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from cluedo.language import tr
from cluedo.tui.keys import KeyedScreen

__all__ = ["MainMenu"]


class MainMenu(KeyedScreen[None]):
    """Leads to everything; each entry is an action of the app."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.leave(0)", show=False)]

    def compose(self) -> ComposeResult:
        entries = (
            ("choose_game", tr("Play a game"), tr("against the levels, or with others on one screen")),
            ("watch", tr("Watch a game"), tr("one that the levels played, turn by turn, with a review")),
            ("choose_case", tr("Assist"), tr("help at a real table: note what is said, see what follows")),
            ("puzzle", tr("Puzzle of the day"), tr("a position of a game: what can be proved?")),
        )
        with Vertical():
            yield Static("C L U E D O", id="name", markup=False)
            yield OptionList(*[Option(f"[b]{name}[/b]\n  [dim]{about}[/dim]", id=key) for key, name, about in entries])
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The arrow keys work at once."""
        self.query_one(OptionList).focus()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go there."""
        await self.run_action(f"app.{event.option_id}")
