"""Widgets to choose with: a row of actions, and lists of cards for a suspect, a weapon and a room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click, DescendantFocus
from textual.geometry import Size
from textual.message import Message
from textual.style import Style
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from cluedo.engine.cards import Deck
from cluedo.language import tr
from cluedo.session.actions import Action

__all__ = ["ActionBar", "CardChooser"]

_SIGNS = {"enter": "⏎", "escape": "Esc"}
"""Keys by their names in Textual, as they are shown where that is different."""
_MORE = "…"
"""Before the first row, or behind the last, where there are others."""


class ActionBar(Static, can_focus=True):
    """A row of actions; Enter does the marked one, at first the first, and the arrow keys move the mark.

    Args:
        actions: what is offered, the usual one first.
        aside: widgets that have Enter for themselves: while one of them has the focus, Escape leads back from it.
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

    def __init__(self, actions: Sequence[Action[object]] = (), *, aside: Sequence[Widget] = (), id: str | None = None):
        super().__init__(id=id)
        self._offered = list(actions)
        self._aside = aside
        self._at = 0

    @property
    def away(self) -> bool:
        """Whether the focus is where Enter means something else; keys may come before there is a screen."""
        return self.is_attached and self.screen.focused in self._aside

    @property
    def actions(self) -> list[Action[object]]:
        """What can be done by the keys that are shown."""
        if not self.away:
            return self._offered
        others = [action for action in self._offered if action.key not in _SIGNS]
        return [Action("escape", tr("back"), "back"), *others]

    def offer(self, actions: Sequence[Action[object]]) -> None:
        """Offer these, the usual one first."""
        self._offered, self._at = list(actions), 0
        self.refresh(layout=True)

    def rename(self, key: str, sentence: str) -> None:
        """Say in other words what a key does now."""
        renamed = [action._replace(sentence=sentence) if action.key == key else action for action in self._offered]
        if renamed != self._offered:
            self._offered = renamed
            self.refresh(layout=True)

    def do_key(self, key: str) -> bool:
        """Do the action of a key; False if none has it."""
        for action in self.actions:
            if action.key == key:
                self.post_message(self.Done(action))
                return True
        return False

    def action_go(self, step: int) -> None:
        """Mark another action."""
        if self.actions:
            self._at = (self._at + step) % len(self.actions)
            self.refresh()

    def action_do(self) -> None:
        """Do the marked action."""
        if self.actions:
            self.post_message(self.Done(self.actions[self._at]))

    def action_pick(self, index: int) -> None:
        """Do the clicked action."""
        if index < len(self.actions):
            self.post_message(self.Done(self.actions[index]))

    def render(self) -> Content:
        """The rows that there is room for, the marked action among them; it is marked while the keys come here."""
        rows = self._rows(self.content_size.width)
        at = next((number for number, row in enumerate(rows) if self._at in row), 0)
        height = max(1, self.content_size.height)
        first = max(0, min(at, len(rows) - height))
        shown = [Content(" ").join(map(self._content, row)) for row in rows[first : first + height]]
        if first:
            shown[0] = Content.assemble(f"{_MORE} ", shown[0])
        if first + height < len(rows):
            shown[-1] = Content.assemble(shown[-1], f" {_MORE}")
        return Content("\n").join(shown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as in Textual
        """As many lines as the actions take."""
        return max(1, len(self._rows(width)))

    def _rows(self, width: int) -> list[list[int]]:
        """The actions by row, by their numbers: none of them is broken, as Textual would at any space."""
        rows: list[list[int]] = []
        left = 0
        for index in range(len(self.actions)):
            needed = self._content(index).cell_length + 1
            if not rows or needed > left:
                rows.append([])
                left = width - 2 * len(_MORE) - 1
            rows[-1].append(index)
            left -= needed
        return rows

    def _content(self, index: int) -> Content:
        action = self.actions[index]
        here = self.has_focus and index == self._at
        click = Style.from_meta({"@click": f"pick({index})"})
        sign = Content.styled(f" {_SIGNS.get(action.key, action.key)} ", "bold $text-primary on $primary-muted")
        label = Content.styled(f" {action.sentence} ", "reverse bold" if here else "")
        return Content.assemble(sign, label).stylize(click)


class _CardList(OptionList):
    """The cards of a category.

    Attributes:
        settled: whether its card was chosen or proposed.
        placed: where the program has put the cursor; None once somebody has chosen.
    """

    settled = False
    placed: int | None = 0

    def choose(self) -> None:
        """Settle for the card under the cursor."""
        self.settled, self.placed = True, None

    def on_click(self, event: Click) -> None:
        """Change a card that is settled, and nothing else: what Enter does now is said before it is done."""
        clicked = event.style.meta.get("option")
        if self.settled and clicked not in (None, self.highlighted):
            event.prevent_default()
            self.highlighted = clicked


class CardChooser(Horizontal):
    """Lists of cards; arrow keys move in and between them, Enter or a click chooses a card.

    It goes on to the next list whose card was neither chosen nor proposed. Behind the last of them all are chosen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", show=False),
        Binding("right", "go(1)", show=False),
    ]

    class Changed(Message):
        """Other cards are under the cursors, or Enter does something else."""

    @dataclass
    class Chosen(Message):
        """The cards are chosen."""

        cards: tuple[int, ...]

    def __init__(self, deck: Deck, *, id: str | None = None):
        super().__init__(id=id)
        self.deck = deck
        self._lists = [_CardList(id=f"cards-{k}", markup=False) for k in range(3)]
        self._fixed: tuple[int, ...] = ()
        self._here = 0  # the list that has the focus, or had it last

    def compose(self) -> ComposeResult:
        yield from self._lists

    def offer(self, fixed: Sequence[int], remark: Callable[[int], Text]) -> None:
        """Ask for the categories that are not fixed.

        Args:
            fixed: the last cards, such as the room one is in.
            remark: what stands before a card, one letter wide.
        """
        self._fixed = tuple(fixed)
        for k, cards in enumerate(self._lists):
            offered = k < 3 - len(self._fixed)
            cards.display, cards.settled, cards.placed = offered, False, 0
            cards.clear_options()
            if offered:
                cards.add_options(
                    Option(Text.assemble(remark(card), " ", self.deck.names[card])) for card in self.deck.ids[k]
                )
                cards.highlighted = 0

    def take_focus(self) -> None:
        """Go to the first list whose card was neither chosen nor proposed, or to the last."""
        following = self._next(-1)
        self._focus(len(self._offered) - 1 if following is None else following)

    def go_on(self) -> None:
        """Choose the card under the cursor, as Enter does, and go on to the next list; from the last all are chosen."""
        self._offered[self._here].choose()
        following = self._next(self._here)
        if following is None:
            self.post_message(self.Chosen(self.cards))
        else:
            self._focus(following)

    def _focus(self, k: int) -> None:
        self._here = k
        self.screen.set_focus(self._offered[k])

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards under the cursors, and those that are fixed."""
        picked = [self.deck.ids[k].start + (cards.highlighted or 0) for k, cards in enumerate(self._offered)]
        return (*picked, *self._fixed)

    def propose(self, proposed: Iterable[int]) -> None:
        """Put the cursors on these cards, where Enter need not be pressed then.

        Who has begun to choose goes on: a proposal that comes late would name other cards than theirs.
        """
        if any(cards.highlighted != cards.placed for cards in self._offered):
            return
        for card in proposed:
            k = self.deck.category(card)
            if k < len(self._offered):
                cards = self._lists[k]
                cards.highlighted = cards.placed = card - self.deck.ids[k].start
                cards.settled = True
        self.post_message(self.Changed())

    @property
    def completes(self) -> bool:
        """Whether Enter would choose all cards now, and not lead to another list."""
        return self._next(self._here) is None

    def _next(self, here: int) -> int | None:
        """The list that Enter leads to from another: to the right of it, else from the left on."""
        lists = self._offered
        return next((k for k in (*range(here + 1, len(lists)), *range(here)) if not lists[k].settled), None)

    @property
    def _offered(self) -> list[_CardList]:
        return self._lists[: 3 - len(self._fixed)]

    def action_go(self, step: int) -> None:
        """Walk to the list beside; whoever walks on has chosen a card in this one."""
        if step > 0:
            self._offered[self._here].choose()
        self._focus(max(0, min(len(self._offered) - 1, self._here + step)))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say that the cards are others."""
        event.stop()
        self.post_message(self.Changed())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on from the list that has the focus: it may be another than that which quick keys have reached."""
        event.stop()
        self.go_on()

    @on(DescendantFocus)
    def _focus_came(self) -> None:
        """Say that Enter may do something else."""
        self._here = next((k for k, cards in enumerate(self._offered) if cards.has_focus), self._here)
        self.post_message(self.Changed())
