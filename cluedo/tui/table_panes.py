"""The widgets of a table: seats, log, hints, sheet and board; and methods that fill them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.table import Table as Grid
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import ContentSwitcher, OptionList, Static
from textual.widgets.option_list import Option

from cluedo.engine.commands import Accusation
from cluedo.engine.events import Event, TurnEnded
from cluedo.engine.game import Game
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.actions import Action, CardChoice, Offer
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.hints import hint_sections
from cluedo.session.level_choice import PREPARING
from cluedo.session.seat_sheet import SeatSheet
from cluedo.session.sections import Section, for_readers, plain, switch_figures
from cluedo.tui.background import run_in_thread
from cluedo.tui.board_view import BoardView, signs
from cluedo.tui.choosers import ActionBar, CardChooser
from cluedo.tui.keys import KeyBar
from cluedo.tui.sections_text import SectionsText, Unbroken
from cluedo.tui.sheet_view import MarkedSheet, open_cells
from cluedo.words.narration import Sentence, Story
from cluedo.words.rule_text import house_rules

__all__ = ["HintsPane", "LogView", "NewsLines", "SeatBar", "TablePanes"]

_NEWS_LINES = 4
"""For news, as the style sheet has it."""

_NOTHING = 0, plain()
"""That no hint of a turn has proposed anything."""


class HintsPane(VerticalScroll):
    """A hint for one view at a time; what was asked before is forgotten, but for what it proposed in this turn.

    Attributes:
        proposed: the turn of the last hint, and what it proposed.
    """

    class Told(Message):
        """A hint is there."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._asked: PlayerView | None = None
        self._hint: list[Section] = []
        self.proposed = _NOTHING
        self._hinted_at = 0

    def compose(self) -> ComposeResult:
        yield SectionsText()

    def ask(self, view: PlayerView) -> None:
        """Start computing a hint for a view, unless that is already under way."""
        if view == self._asked:
            return
        self._asked, self._hint = view, []
        self._say(plain(tr("The detective is thinking …")))
        self._think(view)

    def forget(self) -> None:
        """Remove the hint."""
        self._asked, self._hint, self.proposed, self._hinted_at = None, [], _NOTHING, 0
        self._say()

    def show_figures(self) -> None:
        """Show bits, or hide them."""
        switch_figures()
        self._show()

    @work(exclusive=True)
    async def _think(self, view: PlayerView) -> None:
        loop = asyncio.get_running_loop()

        def tell(done: float) -> None:
            loop.call_soon_threadsafe(self._wait, view, done)

        def think() -> list[Section]:
            from cluedo.ai.knowledge.kernels.compiled import watching  # numba is slow to import
            from cluedo.ai.knowledge.kernels.detective_kernels import kernels_of_an_answer

            with watching(tell, kernels_of_an_answer):
                return hint_sections(view, since)

        since = self._hinted_at
        hint = await run_in_thread(think)
        if view == self._asked:
            self._hinted_at = view.time
            self._hint = hint
            self.proposed = view.turn, hint[0]
            self._show()
            self.post_message(self.Told())

    def _wait(self, view: PlayerView, done: float) -> None:
        """Tell how far the kernels are compiled for which the hint has to wait."""
        if view == self._asked and not self._hint:
            self._say(plain(tr(PREPARING, done=round(100 * done))))

    def _show(self) -> None:
        if self._hint:
            self._say(*for_readers(self._hint))

    def _say(self, *sections: Section) -> None:
        self.query_one(SectionsText).show(sections)


class LogView(OptionList):
    """The lines so far, the newest in sight.

    The highlighted line is the one that is looked at; ``OptionList.OptionSelected`` tells that one was
    chosen, by Enter or by mouse, and ``option_index`` which.

    Attributes:
        lines: what is shown.
    """

    def __init__(self, table: Table, *, id: str | None = None):
        super().__init__(id=id, markup=False)
        self._table = table
        self.lines: list[Sentence] = []

    def tell(self, lines: Sequence[Sentence]) -> None:
        """Add lines at the end and scroll there."""
        options = []
        before = self.lines[-1].turn if self.lines else 0
        for line in lines:
            options.append(Option(self._drawn(line, new_turn=line.turn != before)))
            before = line.turn
        self.lines += lines
        self.add_options(options)
        self.scroll_end(animate=False, force=True)

    @property
    def latest(self) -> list[str]:
        """The events of the latest turn."""
        return [line.text for line in self.lines if line.turn == self.lines[-1].turn]

    def show_latest(self) -> None:
        """Highlight the last line, and bring it into sight."""
        if self.lines:
            self.highlighted = len(self.lines) - 1
            self.scroll_end(animate=False, force=True)

    def reset(self, lines: Sequence[Sentence]) -> None:
        """Show these lines instead."""
        self.lines = []
        self.clear_options()
        self.tell(lines)

    def point(self, index: int) -> None:
        """Highlight a line, and bring it to the top."""
        self.highlighted = index
        self.call_after_refresh(self.scroll_to_highlight, top=True)

    def _drawn(self, line: Sentence, *, new_turn: bool) -> Grid:
        """Number of the turn, two letters of who did it, and words, so that long sentences wrap below themselves."""
        grid = Grid.grid(padding=(0, 1, 0, 0), expand=True)
        grid.add_column(width=3, justify="right", style="dim", no_wrap=True)
        grid.add_column(width=2, no_wrap=True)
        grid.add_column(ratio=1)
        turn = str(line.turn) if new_turn and line.turn else ""
        chip = Text() if line.seat is None else Text(*pawn_chip(self._table.board, self._table.suspects[line.seat]))
        grid.add_row(turn, chip, Unbroken(line.text))
        return grid


class NewsLines(Static):
    """The last events of a turn: whole ones, as many as there is room for; only one that is longer ends with "…"."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id, markup=False)
        self._events: list[str] = []

    def tell(self, events: Sequence[str]) -> None:
        """Show the last of these."""
        self._events = list(events)
        self._show()

    def say(self, what: str | Text) -> None:
        """Show this instead."""
        self._events = []
        self.update(what)

    def on_resize(self) -> None:
        """Fit into the new width."""
        if self._events:
            self._show()

    def _show(self) -> None:
        width = max(20, self.screen.size.width - 2)  # without what the style sheet leaves free at the sides
        told = self._events
        while len(told) > 1 and len(self._wrapped(told, width)) > _NEWS_LINES:
            told = told[1:]
        lines = self._wrapped(told, width)
        if len(lines) > _NEWS_LINES:
            lines = [*lines[: _NEWS_LINES - 1], f"{set_cell_size(lines[_NEWS_LINES - 1], width - 1).rstrip()}…"]
        self.update("\n".join(lines))

    def _wrapped(self, sentences: Sequence[str], width: int) -> list[str]:
        return [line.plain.rstrip() for line in Unbroken(" ".join(sentences)).wrap(self.app.console, width)]


class SeatBar(Static):
    """The seats clockwise, as they are ``called`` or by their suspects; where there is no room by two letters alone."""

    def __init__(self, table: Table, called: Sequence[str] | None = None, *, id: str | None = None):
        super().__init__(id=id)
        self.table = table
        self._shown: tuple[int, int, int, int | None] = (0, -1, 0, None)
        self._names = called or table.names

    def show(self, turn: int, active: int, eliminated: int, me: int | None) -> None:
        """The turn, the seat whose turn it is (-1 for nobody), the mask of those out, and the seat in front."""
        self._shown = turn, active, eliminated, me
        self.refresh()

    def render(self) -> Text:
        """The row, as wide as the widget."""
        for names in (True, False):
            text = self._row(names=names)
            if cell_len(text.plain) <= self.size.width:
                break
        return text

    def _row(self, *, names: bool) -> Text:
        turn, active, eliminated, me = self._shown
        text = Text(tr("Turn {turn}", turn=turn) if turn else "", style="bold")
        for seat, suspect in enumerate(self.table.suspects):
            text.append("  ▶" if seat == active else "   ", "bold")
            text.append(*pawn_chip(self.table.board, suspect))
            if names:
                out = eliminated >> seat & 1
                style = "strike dim" if out else "bold" if seat == active else ""
                you = "*" if seat == me else ""
                text.append(f" {self._names[seat]}{you}", style)
            elif eliminated >> seat & 1:
                text.append("✗")
        return text


class TablePanes:
    """The widgets of the table, which show what one seat may know, or what everybody may at the end.

    Args:
        table: who sits there, and what is played on.
        called: by seat, what the players are called.

    Attributes:
        seats, board, chooser, sheet, log, hints, actions: those that are used, and not only looked at.
    """

    def __init__(self, table: Table, called: Sequence[str]):
        self._table = table
        self._story = Story(table)
        self.seats = SeatBar(table, called, id="seats")
        self.board = BoardView(table.board, id="board")
        self.chooser = CardChooser(table.deck, id="chooser")
        self.chooser.display = False
        self.sheet = MarkedSheet(table, id="sheet")
        self.log = LogView(table, id="log")
        self.hints = HintsPane(id="hints")
        self.actions = ActionBar(aside=[self.sheet, self.log], id="actions")
        self._side = ContentSwitcher(self.log, self.hints, id="side", initial="log")
        self._hand = Static(id="hand", markup=False)
        self._news = NewsLines(id="news")
        self._prompt = Static(tr("The game is starting …"), id="prompt", markup=False)

    def compose(self) -> ComposeResult:
        """All of them, for the screen."""
        yield self.seats
        yield self._hand
        with Horizontal(id="middle"):
            with Container(id="left"):
                yield self.board
                yield self.chooser
                yield Static(signs(self._table.board), id="signs", markup=False)
            with Container(id="right"):
                yield self.sheet
                yield self._side
        yield self._news
        yield self._prompt
        yield self.actions
        yield KeyBar()

    # ---- what a seat sees --------------------------------------------------------------------

    def tell_afresh(self, viewer: int | None, events: Sequence[Event]) -> None:
        """Tell a seat, or everybody (None), everything from the house rules on, at once."""
        self._story = Story(self._table, viewer)
        rules = [Sentence(0, None, told) for told in house_rules(self._table)]
        self.log.reset([*rules, *self._story.sentences(events)])
        self._news.tell(self.log.latest)

    def tell(self, event: Event, turn: int) -> None:
        """Tell one event more, of this turn."""
        if not isinstance(event, TurnEnded):
            self.log.tell([Sentence(turn, event.seat, self._story.tell(event))])
            self._news.tell(self.log.latest)

    def show(self, view: PlayerView, sheet: SeatSheet) -> None:
        """Show the table as it stands."""
        self.board.put(view.pawns, view.weapons)
        self.seats.show(view.turn, view.active, view.eliminated, view.seat)
        held = tr("You hold: {cards}", cards=", ".join(view.deck.names_in(view.hand)))
        face_up = tr("Face up: {cards}", cards=", ".join(view.deck.names_in(view.face_up)))
        self._hand.update(f"{held}  {face_up}" if view.face_up else held)
        self.sheet.open(sheet, view)
        self._news.tell(self.log.latest)

    def clear(self) -> None:
        """Hide everything that only one player may know: the screen is visible briefly around a hand-over."""
        self.sheet.close()
        self.log.reset([])
        self.hints.forget()
        self._news.say("")
        for pane in (self._hand, self._prompt):
            pane.update("")
        self.show_side("log", side=False)
        self.seats.show(0, -1, 0, None)

    def show_end(self, game: Game, viewer: int | None) -> None:
        """Show all cards of a game that is over, and how it ended, told to the seat ``viewer`` or to nobody."""
        assert game.result is not None
        self.hints.forget()
        self.show_side("log", side=False)
        if viewer is None:  # several people look now, and "you" was one of them
            self.tell_afresh(None, game.events)
        self.sheet.close()
        self.sheet.show(open_cells(self._table, game.state.deal))
        self._hand.update(tr("The envelope held {cards}.", cards=self._table.deck.listed(game.state.deal.envelope)))
        self._prompt.update(Story(self._table, viewer).ending(game.result))
        self.seats.show(game.state.turn, -1, game.state.eliminated, viewer)

    # ---- what one may do ---------------------------------------------------------------------

    def ask(self, prompt: str) -> None:
        """Show the question, or what the game waits for."""
        self._prompt.update(prompt)

    def refuse(self, reason: str) -> None:
        """Say why something is not possible."""
        self._news.say(Text(tr("Not possible: {why}.", why=reason), style="bold red"))

    def offer(self, offer: Offer, naming: CardChoice | None) -> None:
        """Show what can be done, and put the focus where it is done; ``naming`` is what cards are named for now."""
        self.board.display = naming is None
        self.chooser.display = naming is not None
        self.board.light(0 if naming else offer.walk)
        if naming is not None and naming.kind is Accusation:
            stop = Action("escape", tr("do not accuse"), None)
            self.actions.offer([Action("enter", tr("accuse"), naming), stop])
        else:
            actions: list[Action[object]] = [action for action in offer.actions if action.key]
            if offer.walk & ~self._table.board.all_rooms:  # squares have no keys of their own
                actions.append(Action("enter", tr("walk to the mark (arrow keys)"), "walk"))
            self.actions.offer(actions)
        if naming is not None:
            self.chooser.offer(() if naming.room is None else (naming.room,), self.sheet.envelope_sign)
        self.take_focus()

    def take_focus(self) -> None:
        """Put the focus where what is offered is done, at once: keys may wait already."""
        if self.chooser.display:
            self.chooser.take_focus()
        else:
            self.actions.screen.set_focus(self.board if self.board.look.lit else self.actions)

    def say_what_enter_does(self, naming: CardChoice) -> None:
        """That it leads to another list, or names the cards."""
        doing = tr("accuse") if naming.kind is Accusation else tr("ask")
        self.actions.rename("enter", doing if self.chooser.completes else tr("next"))

    def close(self) -> None:
        """Remove the offered actions."""
        self.board.display = True
        self.chooser.display = False
        self.board.light(0)
        self.actions.offer([])
        self.take_focus()
        self.ask("")

    # ---- beside or below the sheet -----------------------------------------------------------

    @property
    def hints_shown(self) -> bool:
        """Whether the hints are shown, not the log."""
        return self._side.current == "hints"

    def show_side(self, what: str, *, side: bool) -> None:
        """Turn to the log or the hints; on ``side`` they take the sheet's place where there is room for one only."""
        self._side.current = what
        self._side.screen.set_class(side, "side")
