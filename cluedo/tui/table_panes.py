"""What is seen of a table: the widgets, from the board to what one may do, and how they are filled."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.widgets import ContentSwitcher, Footer, Static

from cluedo.engine.events import Event, TurnEnded
from cluedo.engine.game import Game
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.actions import Action, Naming, Offer
from cluedo.session.narration import Sentence, Story
from cluedo.session.seat_sheet import SeatSheet
from cluedo.tui.action_bar import ActionBar
from cluedo.tui.board_view import BoardView
from cluedo.tui.card_chooser import CardChooser
from cluedo.tui.drawing import Pieces, signs
from cluedo.tui.hints_pane import HintsPane
from cluedo.tui.log_view import LogView
from cluedo.tui.marked_sheet import MarkedSheet
from cluedo.tui.play_sheet import open_cells
from cluedo.tui.seat_bar import SeatBar

__all__ = ["TablePanes"]


class TablePanes:
    """The widgets of the table, which show what one seat may know, or what everybody may at the end.

    Args:
        table: who sits there, and what is played on.
        called: by seat, what the players are called.

    Attributes:
        seats, board, chooser, sheet, log, hints, actions: those that are used, and not only looked at.
        told: how many events the log tells.
    """

    def __init__(self, table: Table, called: Sequence[str]):
        self._table = table
        self._story = Story(table)
        self.told, self._turn = 0, 1  # events told, and the turn of the next
        self.seats = SeatBar(table, called, id="seats")
        self.board = BoardView(table.board, id="board")
        self.chooser = CardChooser(table.deck, id="chooser")
        self.chooser.display = False
        self.sheet = MarkedSheet(table, id="sheet")
        self.log = LogView(table, id="log")
        self.hints = HintsPane(id="hints")
        self.actions = ActionBar(id="actions")
        self._side = ContentSwitcher(self.log, self.hints, id="side", initial="log")
        self._hand = Static(id="hand", markup=False)
        self._news = Static(id="news", markup=False)
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
        yield Footer(compact=True, show_command_palette=False)

    # ---- what a seat sees --------------------------------------------------------------------

    def tell_afresh(self, view: PlayerView) -> None:
        """Tell a seat everything from the first event on, at once."""
        self._story = Story(self._table, view.seat)
        self.told, self._turn = view.time, view.turn
        self.log.reset(list(self._story.sentences(view.events)))

    def tell(self, event: Event) -> None:
        """Tell one event more."""
        self.told += 1
        if isinstance(event, TurnEnded):
            self._turn += 1
        else:
            self.log.tell([Sentence(self._turn, event.seat, self._story.tell(event))])
            self._show_news()

    def show(self, view: PlayerView, sheet: SeatSheet) -> None:
        """Show the table as it stands."""
        self.board.put(Pieces(view.pawns, view.weapons))
        self.seats.show(view.turn, view.active, view.eliminated, view.seat)
        held = tr("You hold: {cards}", cards=", ".join(view.deck.names_in(view.hand)))
        face_up = tr("Face up: {cards}", cards=", ".join(view.deck.names_in(view.face_up)))
        self._hand.update(f"{held}  {face_up}" if view.face_up else held)
        self.sheet.open(sheet, view)
        self._show_news()

    def _show_news(self) -> None:
        self._news.update(self.log.news(2 * max(20, self._news.screen.size.width - 2)))

    def clear(self) -> None:
        """Leave nothing of anybody's on the table: it is seen for a moment before and after a hand-over."""
        self.sheet.close()
        self.log.reset([])
        self.hints.forget()
        for pane in (self._hand, self._news, self._prompt):
            pane.update("")
        self.show_side("log", side=False)
        self.seats.show(0, -1, 0, None)

    def show_end(self, game: Game, eyes: int | None) -> None:
        """Show all cards of a game that is over, and how it ended, told to the seat ``eyes`` or to nobody."""
        assert game.result is not None
        self.sheet.close()
        self.sheet.show(open_cells(self._table, game.state.deal))
        self._hand.update(tr("The envelope held {cards}.", cards=self._table.deck.listed(game.state.deal.envelope)))
        self._prompt.update(Story(self._table, eyes).ending(game.result))
        self.seats.show(game.state.turn, -1, game.state.eliminated, eyes)

    # ---- what one may do ---------------------------------------------------------------------

    def ask(self, prompt: str) -> None:
        """Say what is asked, or what is waited for."""
        self._prompt.update(prompt)

    def refuse(self, reason: str) -> None:
        """Say why something is not possible."""
        self._news.update(Text(tr("Not possible: {why}.", why=reason), style="bold red"))

    def offer(self, offer: Offer, naming: Naming | None, *, accusing: bool) -> None:
        """Show what can be done, and put the focus where it is done; ``naming`` is what cards are named for now."""
        self.board.display = naming is None
        self.chooser.display = naming is not None
        self.board.light(0 if naming else offer.walk)
        if accusing:
            stop = Action("escape", tr("do not accuse"), None)
            self.actions.offer([Action("enter", tr("accuse"), naming), stop])
        else:
            self.actions.offer([action for action in offer.actions if action.key])
        if naming is not None:
            self.chooser.offer(() if naming.room is None else (naming.room,), self._remark)
        else:
            self.actions.screen.set_focus(self.board if offer.walk else self.actions)

    def _remark(self, card: int) -> Text:
        """What the sheet says of a card and the envelope."""
        cell = self.sheet.cells.get((card, 0))
        return Text(cell.text, cell.style) if cell else Text(" ")

    def close(self) -> None:
        """Offer nothing any more."""
        self.board.display = True
        self.chooser.display = False
        self.board.light(0)
        self.actions.offer([])
        self.actions.screen.set_focus(self.actions)
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
