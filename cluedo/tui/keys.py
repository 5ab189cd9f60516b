"""The keys of a screen: each is declared once, and shown in the footer, the help and the command palette."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, NamedTuple, TypeVar

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import ActiveBinding, Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static
from textual.widgets._footer import FooterKey

from cluedo.engine.phrase import Phrase
from cluedo.language import tr

__all__ = [
    "Dialog",
    "HelpPart",
    "Key",
    "KeyBar",
    "KeyCommands",
    "KeyedScreen",
    "KeysHelp",
    "LeftOnce",
    "keys_of",
    "way_back",
]

T = TypeVar("T")


class Key(NamedTuple):
    """A key as it is shown, what it does in a few words, and the action with the node that does it."""

    sign: str
    text: str
    active: ActiveBinding


class LeftOnce(Screen[T]):
    """A screen that is left once: of two keys that come together, Textual would let the second leave the one below."""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Go back, unless a key before has done so."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class Dialog(ModalScreen[T], LeftOnce[T]):
    """A screen above another one."""


class KeyedScreen(LeftOnce[T]):
    """A screen whose keys are said in the language spoken: descriptions and tooltips of bindings are phrases."""

    async def leave(self) -> None:
        """End what is going on; in most screens nothing is."""

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        return {
            key: active._replace(binding=_translated(active.binding), tooltip=tr(active.tooltip))
            for key, active in super().active_bindings.items()
        }


def _translated(binding: Binding) -> Binding:
    """The binding in the language spoken; what is not of this program, but of Textual, is not spoken of."""
    ours = isinstance(binding.description, Phrase)
    description, tooltip = tr(binding.description), tr(binding.tooltip)
    return replace(binding, description=description, tooltip=tooltip, system=binding.system or not ours)


def keys_of(screen: Screen[T]) -> Iterator[Key]:
    """What can be done by keys on a screen now; several keys of one action together."""
    actions: dict[str, list[ActiveBinding]] = {}
    for active in screen.active_bindings.values():
        if active.enabled and active.binding.description and not active.binding.system:
            actions.setdefault(active.binding.tooltip or active.binding.description, []).append(active)
    for text, found in actions.items():
        signs = dict.fromkeys(screen.app.get_key_display(active.binding) for active in found)
        yield Key(" ".join(signs), text, found[0])


class KeyBar(Footer):
    """The keys of the screen in one line, as many as fit; those that lead to the others and out are always there."""

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)
        self._columns = 0

    def compose(self) -> ComposeResult:
        """Leave out the last ones where there is no room."""
        self._columns = self.app.size.width
        keys = [key for key in super().compose() if isinstance(key, FooterKey)]
        for key in reversed([key for key in keys if key.action.removeprefix("app.") not in ("keys", "leave(0)")]):
            if sum(map(_key_width, keys)) <= self._columns:
                break
            keys.remove(key)
        yield from keys

    async def on_resize(self, event: Resize) -> None:
        """Fit the keys into the new width."""
        if self._columns != event.size.width:
            await self.recompose()


def _key_width(key: FooterKey) -> int:
    """The columns of a key and its description, with a space behind each."""
    return cell_len(key.key_display) + cell_len(key.description) + 2


class KeyCommands(Provider):
    """The keys of the screen as commands of the palette."""

    async def discover(self) -> Hits:
        for key in keys_of(self.screen):
            yield DiscoveryHit(f"{key.text}  ({key.sign})", partial(self._do, key.active))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for key in keys_of(self.screen):
            score = matcher.match(key.text)
            if score > 0:
                yield Hit(score, matcher.highlight(key.text), partial(self._do, key.active), text=key.text)

    async def _do(self, active: ActiveBinding) -> None:
        await self.app.run_action(active.binding.action, active.node)


def way_back() -> str:
    """What stands on the border of a dialog: a click there does what Escape does."""
    return f"[@click=screen.dismiss]Esc {tr('back')}[/]"


class HelpPart(NamedTuple):
    """A part of a help text: its title and its lines."""

    title: str
    text: str


class KeysHelp(Dialog[None]):
    """The keys of the screen below, and what else there is to say."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,question_mark,f1,q", "dismiss", show=False)]

    def __init__(self, keys: Sequence[Key], parts: Sequence[HelpPart]):
        super().__init__()
        self._keys, self._parts = keys, parts

    def compose(self) -> ComposeResult:
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True, style="bold")
        grid.add_column()
        for key in self._keys:
            grid.add_row(Text(key.sign), Text(key.text))
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_subtitle = way_back()
            yield Static(tr("Keys"), classes="title")
            yield Static(grid)
            for part in self._parts:
                yield Static(part.title, classes="title further", markup=False)
                yield Static(part.text, markup=False)
