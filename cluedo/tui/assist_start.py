"""The screen that sets up a new case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.strip import Strip
from textual.widgets import Button, Input, Select, SelectionList, Static
from textual.widgets.selection_list import Selection

from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.board import Board
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules
from cluedo.language import tr
from cluedo.session.boards import default_map, movements
from cluedo.session.case.case import Case
from cluedo.session.case.case_store import CaseStore, saved_cases
from cluedo.session.case.setup import make_setting, read_players, read_rules
from cluedo.session.files import saved_at
from cluedo.tui.keys import KeyBar, KeyedScreen
from cluedo.tui.play_start import row
from cluedo.words.narration import as_sentence

__all__ = ["AssistStart"]

_FILE = "file"


class _Hand(SelectionList[int]):
    """The list of cards, in which those in the hand are ticked."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", Phrase("tick a card"))]

    def render_line(self, y: int) -> Strip:
        """A line with a tick in its box, or an empty one: by its colour alone nobody tells them apart everywhere."""
        strip = super().render_line(y)
        at = self.scroll_offset.y + y
        if at >= self.option_count:
            return strip
        tick = "✓" if self.get_option_at_index(at).value in self.selected else " "
        left, (_, style, *_), *rest = strip
        return Strip([left, Segment(tick, style), *rest])


class AssistStart(KeyedScreen[Case]):
    """Gives a new :class:`Case`, or one that was saved, when it is dismissed.

    Args:
        store: begins and continues cases.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", Phrase("next field")),
        Binding("ctrl+s", "start", Phrase("start"), priority=True),
        Binding("escape", "app.leave(0)", Phrase("leave")),
    ]

    def __init__(self, store: CaseStore):
        super().__init__()
        self._store = store
        self._board: Board | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="form"):
            if kept := [(saved_at(path), path) for path in saved_cases()]:
                yield row(tr("Continue"), Select(kept, compact=True, prompt=tr("a saved case"), id="kept"))
            yield Static(tr("A new case: the table"), classes="title", markup=False)
            boards = Select(self._boards(), value=default_map(), allow_blank=False, compact=True, id="map")
            yield row(tr("Board or deck"), boards)
            yield _text_row("file", tr("Its file"), "my-deck.json")
            yield row(tr("Movement"), Select(movements(), value="walk", allow_blank=False, compact=True, id="movement"))
            yield _text_row("rules", tr("House rules"), tr("usually none; for example: pool=4 peek=true"))
            yield _text_row("open", tr("Open cards"), tr("nothing, unless cards lie open for all"))
            yield _text_row("players", tr("Players, in order"), tr("Ann, Bob, Cy   or   Ann:5, Bob:5, Cy:4, Di:4"))
            yield _text_row("me", tr("Which are you?"), tr("nothing: a spectator"))
            yield Static(id="count", markup=False)
            yield _Hand(id="hand", compact=True)
            yield Static(id="trouble", markup=False)
            with Horizontal(classes="row"):
                yield Button(tr("Start"), compact=True, variant="primary", action="screen.start")
                yield Button(tr("Leave"), compact=True, action="app.leave(0)")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the first board's cards."""
        self.query_one("#file-row").display = False
        self._load(default_map())
        self.query_one("#players").focus()

    @on(Select.Changed, "#kept")
    def _choose_kept(self, event: Select.Changed) -> None:
        if isinstance(path := event.value, Path):
            self._give(lambda: self._store.resume(path))

    def _boards(self) -> list[tuple[str, str]]:
        boards = [(tr("{name}: {title}", name=name, title=Board.load(name).title), name) for name in map_names()]
        return [*boards, (tr("a file of my own"), _FILE)]

    @on(Select.Changed, "#map")
    def _choose_map(self, event: Select.Changed) -> None:
        own = event.value == _FILE
        self.query_one("#file-row").display = own
        if own:
            self.query_one("#file").focus()
        else:
            self._load(str(event.value))

    @on(Input.Submitted, "#file")
    def _choose_file(self, event: Input.Submitted) -> None:
        self._load(event.value.strip())

    @on(Input.Blurred, "#file")
    def _leave_file(self, event: Input.Blurred) -> None:
        if event.value.strip():
            self._load(event.value.strip())

    def _load(self, source: str) -> None:
        """Take a board, and show its cards."""
        before, self._board, trouble = self._board, None, ""
        try:
            self._board = Board.load(source)
        except CluedoError as error:
            trouble = as_sentence(tr(error))
        if self._board is not None and self._board is before:  # nor has its file changed
            return
        self._say_trouble(trouble)
        hand = self.query_one("#hand", SelectionList)
        hand.clear_options()
        if self._board is not None:
            hand.add_options(Selection(name, card) for card, name in enumerate(self._board.deck.names))
            hand.highlighted = 0
        self._count()

    @on(SelectionList.SelectedChanged)
    def _count(self) -> None:
        """Say how many cards are ticked."""
        ticked = len(self.query_one("#hand", SelectionList).selected)
        self.query_one("#count", Static).update(tr("Your cards ({count} ticked):", count=ticked))

    @on(Input.Submitted, "#players")
    @on(Input.Submitted, "#me")
    def _go_on(self) -> None:
        self.focus_next()

    def action_start(self) -> None:
        """Begin, if the table can be one."""
        if (board := self._board) is None:
            self._say_trouble(tr("Choose a board or a deck first."))
        else:
            self._give(lambda: self._store.new(self._setting(board)))

    def _give(self, make: Callable[[], Case]) -> None:
        """Dismiss with the case, or say what is wrong."""
        try:
            self.dismiss(make())
        except CluedoError as error:
            self._say_trouble(as_sentence(tr(error)))

    def _setting(self, board: Board) -> Setting:
        players, me = (self.query_one(f"#{name}", Input).value.strip() for name in ("players", "me"))
        held = [board.deck.names[card] for card in self.query_one("#hand", SelectionList).selected]
        usual = Rules.from_options([f"movement={self.query_one('#movement', Select).value}"])
        rules, face_up = (self.query_one(f"#{name}", Input).value.strip() for name in ("rules", "open"))
        house = read_rules(rules, Edition(name="", map=board.source, rules=usual))
        if not players:
            raise CluedoError("name the players, in turn order, with commas between them")
        if held and not me:
            raise CluedoError("you have ticked cards: whose are they? Choose which player you are, or untick the cards")
        return make_setting(
            board, read_players(players), me or None, held if me else None, edition=house, face_up=face_up
        )

    def _say_trouble(self, text: str) -> None:
        self.query_one("#trouble", Static).update(text)


def _text_row(name: str, label: str, example: str) -> Horizontal:
    """A line of the form in which something is typed."""
    return row(label, Input(compact=True, id=name, placeholder=example), id=f"{name}-row")
