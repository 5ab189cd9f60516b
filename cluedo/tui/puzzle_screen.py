"""The screen of the puzzle of the day: the position, a sheet to mark what is proved, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cluedo.engine.phrase import Phrase
from cluedo.language import day_in_words, tr
from cluedo.session.puzzle import Puzzle
from cluedo.session.sections import Section, plain
from cluedo.tui.background import run_in_thread
from cluedo.tui.choosers import CardChooser
from cluedo.tui.keys import KeyBar, KeyedScreen
from cluedo.tui.play_dialogs import Confirm
from cluedo.tui.sections_text import SectionsText
from cluedo.tui.sheet_view import Cell, SheetView, setting_columns
from cluedo.words.position_text import position_text

__all__ = ["PuzzleScreen"]


class PuzzleScreen(KeyedScreen[None]):
    """One puzzle.

    Args:
        puzzle: the puzzle, as far as somebody has come with it.
        day: whose puzzle it is.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012 - Textual has it so
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "claim(True)", Phrase("is there"), tooltip=Phrase("say that the card is proved to be there")),
        Binding("x", "claim(False)", Phrase("is not"), tooltip=Phrase("say that the card is proved not to be there")),
        Binding("h", "hint", Phrase("hint"), tooltip=Phrase("a hint at the easiest proof that is left")),
        Binding("a", "ask", Phrase("question"), tooltip=Phrase("choose a question, and see what it would tell")),
        Binding("p", "read", Phrase("position"), tooltip=Phrase("to the position, to scroll it; Escape leads back")),
        Binding("s", "solve", Phrase("solution"), tooltip=Phrase("all proofs with their reasons")),
        Binding("escape", "back", Phrase("back"), tooltip=Phrase("to the sheet")),
    ]

    def __init__(self, puzzle: Puzzle, day: date):
        super().__init__()
        self._puzzle, self._day = puzzle, day

    def compose(self) -> ComposeResult:
        deck = self._puzzle.evidence.deck
        yield Static(id="status", markup=False)
        with Horizontal(id="middle"):
            with Container(id="left"):
                yield SheetView(deck, setting_columns(self._puzzle.position.log.setting), id="sheet")
                yield CardChooser(deck, id="chooser")
            with Container(id="side"):
                with VerticalScroll(id="position"):
                    yield SectionsText(deck.names, id="position-text")
                with VerticalScroll(id="pane"):
                    yield SectionsText(deck.names, id="told")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the position and what is to be done."""
        told = position_text(self._puzzle.position.log).splitlines()
        self.query_one("#position-text", SectionsText).show([plain(*told)])
        self._tell([plain(self._puzzle.task())])
        self.action_back()

    # ---- what one may do -------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Statements are about the cell under the cursor of the sheet; from elsewhere one goes back there."""
        on_sheet = isinstance(self.focused, SheetView)
        return {"claim": on_sheet, "back": not on_sheet}.get(action, True)

    def action_claim(self, there: bool) -> None:
        """Say that the card under the cursor is proved to be there, or not to be."""
        card, column = self.query_one(SheetView).cursor
        self._tell(self._puzzle.claim(card, self._place(column), there))

    @on(SheetView.Chosen)
    def _chosen(self) -> None:
        """A click is no statement yet."""
        self._tell([plain(tr("Press v if the card is proved to be there, x if it is proved not to be."))])

    def action_hint(self) -> None:
        """The next hint."""
        self.action_back()
        self._tell(self._puzzle.hint())

    def action_ask(self) -> None:
        """Choose a question in the place of the sheet."""
        self._choose(True)
        chooser = self.query_one(CardChooser)
        chooser.offer((), self.query_one(SheetView).envelope_sign)
        chooser.take_focus()

    @on(CardChooser.Chosen)
    def _asked(self, event: CardChooser.Chosen) -> None:
        suspect, weapon, room = event.cards
        self.action_back()
        self._tell(self._puzzle.ask((suspect, weapon, room)))

    def action_read(self) -> None:
        """To the position."""
        self.query_one("#position").focus()

    def action_back(self) -> None:
        """To the sheet."""
        self._choose(False)
        self.query_one(SheetView).focus()

    @work
    async def action_solve(self) -> None:
        """Everything, with reasons: to find them takes a moment."""
        if not self.is_active:  # a key before has asked whether one is sure
            return
        sure = Confirm(tr("Show all proofs with their reasons? That ends the puzzle."))
        if not (self._puzzle.over or await self.app.push_screen_wait(sure)):
            return
        self.action_back()
        self._tell(await run_in_thread(self._puzzle.solution))
        self.query_one("#pane").focus()

    # ---- what is shown ---------------------------------------------------------------------------

    def _tell(self, sections: Sequence[Section]) -> None:
        """Show an answer, and what it changes."""
        self.query_one("#told", SectionsText).show(sections)
        self.query_one("#pane").scroll_home(animate=False)
        deck, columns = self._puzzle.evidence.deck, range(len(self._puzzle.places))
        spots = ((card, column) for card in range(deck.size) for column in columns)
        known = {spot: self._puzzle.status(spot[0], self._place(spot[1])) for spot in spots}
        self.query_one(SheetView).show({spot: Cell.seen(there) for spot, there in known.items() if there is not None})
        self._show_status(self._puzzle.score())

    def _show_status(self, text: str) -> None:
        """The day, and how it goes or what is asked."""
        self.query_one("#status", Static).update(Content.assemble((day_in_words(self._day), "bold"), "  ·  ", text))

    def _choose(self, choosing: bool) -> None:
        self._show_status(tr("What would this question tell?") if choosing else self._puzzle.score())
        self.query_one(CardChooser).display = choosing
        self.query_one(SheetView).display = not choosing
        self.set_class(choosing, "choosing")

    def _place(self, column: int) -> int:
        return column - 1 if column else self._puzzle.evidence.envelope
