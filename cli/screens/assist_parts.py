"""Parts of the assistant's screen: the line to type in, and what it may go on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Input, OptionList, Static

from cluedo.cli.assist.grammar import Completion
from cluedo.cli.language import tr

__all__ = ["Completions", "EntryLine", "History"]


class EntryLine(Input):
    """The line for entries; Tab goes on with the first completion, the arrow keys to what was entered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False),
        Binding("up", "screen.entries", show=False),
        Binding("down,shift+tab", "screen.sheet", show=False),
    ]

    class Completed(Message):
        """Tab was pressed."""

    def action_complete(self) -> None:
        """Ask for the first completion."""
        self.post_message(self.Completed())


class Completions(Static):
    """Words that the line may go on with; a click takes one, Tab the first."""

    class Taken(Message):
        """The line is to be this, and if ``whole`` to be entered."""

        def __init__(self, line: str, *, whole: bool):
            super().__init__()
            self.line, self.whole = line, whole

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._offered: Sequence[Completion] = ()
        self._line = ""

    @property
    def offered(self) -> Sequence[Completion]:
        """What is shown."""
        return self._offered

    def offer(self, line: str, completions: Sequence[Completion], *, whole: bool) -> None:
        """Show these; and, if the line is ``whole``, that it can be entered as it is."""
        self._line, self._offered = line, completions
        parts = []
        if whole:
            enter = Content.styled(f" {tr('Enter')} ", "bold $text-success on $success-muted")
            parts += [enter.stylize(Style.from_meta({"@click": "enter()"})), Content(" ")]
        for index, completion in enumerate(completions):
            word = Content.styled(completion.word.replace(" ", "\N{NO-BREAK SPACE}"), "bold" if index == 0 else "")
            parts += [word.stylize(Style.from_meta({"@click": f"take({index})"})), Content("  ")]
        self.update(Content.assemble(*parts))

    def action_take(self, index: int) -> None:
        """Take the one that was clicked."""
        if index < len(self._offered):
            self.post_message(self.Taken(self._offered[index].line, whole=False))

    def action_enter(self) -> None:
        """Enter the line."""
        self.post_message(self.Taken(self._line, whole=True))


class History(OptionList):
    """The entries by number; Enter edits one, ``i`` puts one before it, Delete takes it out."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "change('insert')", show=False),
        Binding("delete,d,backspace", "change('drop')", show=False),
        Binding("tab,shift+tab", "screen.entry", show=False),
    ]

    class Changing(Message):
        """An entry is to be changed: ``edit``, ``insert`` or ``drop`` the one of this number."""

        def __init__(self, command: str, number: int):
            super().__init__()
            self.command, self.number = command, number

    def show(self, lines: Sequence[str], clashing: Sequence[int] = ()) -> None:
        """Show the entries, those that clash in colour, the last in sight."""
        self.clear_options()
        self.add_options(
            Content.styled(f"{number:>3} {line}", "$text-error" if number in clashing else "")
            for number, line in enumerate(lines, 1)
        )
        if lines:
            self.highlighted = len(lines) - 1

    def action_change(self, command: str) -> None:
        """Change the highlighted entry."""
        if self.highlighted is not None:
            self.post_message(self.Changing(command, self.highlighted + 1))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Edit the one chosen."""
        event.stop()
        self.post_message(self.Changing("edit", event.option_index + 1))
