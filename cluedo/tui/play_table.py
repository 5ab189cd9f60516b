"""The table: board, sheet, log, whose turn it is, and what one may do now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.screen import ModalScreen, Screen
from textual.widgets import ContentSwitcher, Static

from cluedo.engine.commands import Command
from cluedo.engine.events import Event
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.game import Sitting
from cluedo.session.narration import Story, place_name
from cluedo.tui.action_bar import ActionBar
from cluedo.tui.board_view import BoardView
from cluedo.tui.card_chooser import CardChooser
from cluedo.tui.drawing import Pieces, signs
from cluedo.tui.hints_pane import HintsPane
from cluedo.tui.log_view import LogView
from cluedo.tui.marked_sheet import MarkedSheet
from cluedo.tui.play_desk import Ask, Desk, News, Over, Question
from cluedo.tui.play_dialogs import Confirm, HandOver, KeysHelp
from cluedo.tui.play_pace import Pace
from cluedo.tui.play_questions import Offer, offer_for
from cluedo.tui.play_sheet import SeatSheet, open_cells, read_sheets, written_sheets
from cluedo.tui.play_telling import Teller
from cluedo.tui.seat_bar import SeatBar

__all__ = ["TableScreen"]


class TableScreen(Screen[None]):
    """One game, seen by whoever of the people sits before the screen: the seat in *front*.

    Everything shown comes from the view of that seat. The match runs beside (:class:`Desk`); what it
    posts is shown in order, and the match waits only for the answers of people.

    Args:
        sitting: the game.
        speed: how fast the others' moves are shown; 0 shows none.
        hints: whether one may ask the detective.
        think_limit: seconds for each answer of a level.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide")]  # noqa: RUF012 - Textual has it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hints", show=False),
        Binding("l", "log", show=False),
        Binding("m", "sheet", show=False),
        Binding("question_mark,f1", "keys", show=False),
        Binding("space", "skip", show=False),
        Binding("enter", "do('enter')", show=False),
        Binding("escape", "do('escape')", show=False),
    ]

    def __init__(self, sitting: Sitting, *, speed: float, hints: bool, think_limit: float):
        super().__init__()
        self.sitting = sitting
        self._table = sitting.game.table
        self._hints = hints
        self._items: asyncio.Queue[News | Question | Over] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self.desk = Desk(sitting, think_limit, self._post)
        self._shared = len(sitting.people) > 1
        self._front: int | None = None if self._shared else sitting.people[0]
        self._views: dict[int, PlayerView] = {}
        self._sheets = {seat: SeatSheet(self._keep_sheets) for seat in sitting.people}
        if sitting.game.commands:  # it is gone on with
            read_sheets(sitting.keeper.sheets(), self._table.deck, self._sheets)
        self._teller = Teller(self._table, self._front)
        self._question: Question | None = None
        self._offer: Offer | None = None
        self._pace = Pace(speed)
        self.over = False

    def compose(self) -> ComposeResult:
        yield SeatBar(self._table, id="seats")
        yield Static(id="hand", markup=False)
        with Horizontal(id="middle"):
            with Container(id="left"):
                yield BoardView(self._table.board, id="board")
                yield CardChooser(self._table.deck, id="chooser")
                yield Static(signs(self._table.board), id="signs", markup=False)
            with Container(id="right"):
                yield MarkedSheet(self._table, id="sheet")
                with ContentSwitcher(id="side", initial="log"):
                    yield LogView(id="log")
                    yield HintsPane(id="hints")
        yield Static(id="news", markup=False)
        yield Static(tr("The players sit down …"), id="prompt", markup=False)
        yield ActionBar(id="actions")

    def on_mount(self) -> None:
        """Lay the table and let the match begin."""
        self._seat_bar.call([self.sitting.called(seat) for seat in range(self._table.seats)])
        self._chooser.display = False
        self._listen()
        self.desk.start()

    # ---- the parts -------------------------------------------------------------------------

    @property
    def _seat_bar(self) -> SeatBar:
        return self.query_one("#seats", SeatBar)

    @property
    def _board(self) -> BoardView:
        return self.query_one("#board", BoardView)

    @property
    def _chooser(self) -> CardChooser:
        return self.query_one("#chooser", CardChooser)

    @property
    def _sheet(self) -> MarkedSheet:
        return self.query_one("#sheet", MarkedSheet)

    @property
    def _log(self) -> LogView:
        return self.query_one("#log", LogView)

    @property
    def _hints_pane(self) -> HintsPane:
        return self.query_one("#hints", HintsPane)

    @property
    def _actions(self) -> ActionBar:
        return self.query_one("#actions", ActionBar)

    def _say(self, where: str, text: str) -> None:
        self.query_one(f"#{where}", Static).update(text)

    # ---- what comes from the match ---------------------------------------------------------

    def _post(self, item: News | Question | Over) -> None:
        """Called in the match's thread; raises RuntimeError when the screen has gone, and its loop."""
        self._loop.call_soon_threadsafe(self._items.put_nowait, item)

    @work(exclusive=True, group="listen")
    async def _listen(self) -> None:
        while True:
            match await self._items.get():
                case News() as news:
                    await self._hear(news)
                case Question() as question:
                    await self._pose(question)
                case Over(error):
                    self._end(error)

    def _keep_sheets(self) -> None:
        self.sitting.keeper.keep_sheets(written_sheets(self._table.deck, self._sheets))

    async def _hear(self, news: News) -> None:
        """Show what happened to the seat in front."""
        for seat in news.faults:
            lost = tr("{who} lost a choice; what went wrong is told at the end.", who=self.sitting.called(seat))
            self.notify(lost, severity="warning", markup=False)
        if news.afresh:
            for sheet in self._sheets.values():
                sheet.forget()
        before = self._views.get(self._front) if self._front is not None else None
        self._views |= news.views
        if self._front is None:
            return
        view = self._views[self._front]
        if news.afresh or before is None:
            self._show_afresh(view)
            return
        for event in view.events_since(self._teller.told):
            self._tell(event)
            self._seat_bar.show(view.turn, event.seat, view.eliminated, view.seat)
            await self._pace.watch(event, before, view, self._board)
        self._show(view)

    def _show_afresh(self, view: PlayerView) -> None:
        """Everything from the first event on, at once."""
        self._teller = Teller(self._table, view.seat)
        lines = [self._teller.line(event) for event in view.events]
        self._log.reset([line for line in lines if line is not None])
        self._show(view)

    def _tell(self, event: Event) -> None:
        """One event more."""
        line = self._teller.line(event)
        if line is not None:
            self._log.tell([line])
            self._show_news()

    def _show(self, view: PlayerView) -> None:
        """The table as it stands."""
        self._board.put(Pieces(view.pawns, view.weapons))
        self._seat_bar.show(view.turn, view.active, view.eliminated, view.seat)
        self._say("hand", tr("You hold: {cards}", cards=", ".join(view.deck.names_in(view.hand))))
        self._sheet.open(self._sheets[view.seat], view)
        self._show_news()
        if self._question is None:
            self._board.follow(view.place)
            self._say("prompt", tr("{who} plays …", who=self.sitting.called(view.to_act)))

    def _show_news(self) -> None:
        self._say("news", self._teller.news(2 * max(20, self.size.width - 2)))

    # ---- questions -------------------------------------------------------------------------

    async def _pose(self, question: Question) -> None:
        view = question.view
        self._pace.resume()
        if self._front != view.seat:
            await self._hand_over(question)
        self._question = question
        self._views[view.seat] = view
        self._show(view)
        self._present(offer_for(question, self))
        if self._hints_shown:
            self._hints_pane.ask(view)

    async def _hand_over(self, question: Question) -> None:
        """Hide everything until the one who is asked sits before the screen."""
        seat = question.view.seat
        whys = {
            Ask.MOVE: tr("it is your turn"),
            Ask.HYPOTHESIS: tr("you may ask"),
            Ask.CARD: tr("show a card"),
            Ask.ACCUSATION: tr("the end of your turn"),
        }
        while isinstance(self.app.screen, ModalScreen):
            self.app.screen.dismiss(None)  # a note of whoever sat here is nobody else's to see
        self._front = None
        self._wipe()
        await self.app.push_screen_wait(HandOver(self.sitting.called(seat), seat + 1, whys[question.ask]))
        self._front = seat
        self._show_afresh(question.view)

    def _wipe(self) -> None:
        """Leave nothing of anybody's on the table: it is seen for a moment before and after a hand-over."""
        self._sheet.close()
        self._log.reset([])
        self._hints_pane.forget()
        for name in ("hand", "news", "prompt"):
            self._say(name, "")
        self._show_side("log", side=False)
        self._seat_bar.show(0, -1, 0, None)

    def _present(self, offer: Offer) -> None:
        """Show what can be done, and put the focus where it is done."""
        self._offer = offer
        self._say("prompt", offer.prompt)
        self._board.display = offer.fixed is None
        self._chooser.display = offer.fixed is not None
        self._board.light(offer.lit, offer.cursor)
        self._actions.offer(offer.actions)
        if offer.fixed is not None:
            self._chooser.offer(offer.fixed, self._remark)
        elif offer.lit:
            self.set_focus(self._board)
        else:
            self.set_focus(self._actions)

    def _remark(self, card: int) -> Text:
        """What the sheet says of a card and the envelope."""
        cell = self._sheet.cells.get((card, 0))
        return Text(cell.text, cell.style) if cell else Text(" ")

    def answer(self, command: Command | None) -> None:
        """Answer the question, if the game allows it; else say why not."""
        if self._question is None:
            return
        reason = command.why_not(self._question.view) if command is not None else None
        if reason is not None:
            why = tr("Not possible: {why}.", why=tr(reason))
            self.query_one("#news", Static).update(Text(why, style="bold red"))
            return
        self._close()
        self.desk.answer(command)

    def take_back(self) -> None:
        """Take the last move back."""
        if self._question is not None and self.desk.may_take_back():
            self._close()
            self.desk.take_back()

    def offer_again(self, question: Question, *, accusing: bool = False) -> None:
        """Show another side of the same question: naming an accusation, or going back from it."""
        self._present(offer_for(question, self, accusing=accusing))

    def _close(self) -> None:
        self._question = self._offer = None
        self._board.display = True
        self._chooser.display = False
        self._board.light(0)
        self._actions.offer([])
        self.set_focus(self._actions)
        self._say("prompt", "")

    def on_action_bar_done(self, event: ActionBar.Done) -> None:
        """Do what was chosen."""
        if callable(event.action.value):
            event.action.value()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Walk there."""
        if self._offer is not None and self._offer.go is not None:
            self._offer.go(event.place)

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Say what is there."""
        if self._question is not None and self._offer is not None and self._offer.lit:
            there = "" if event.place is None else f"  → {place_name(self._table.board, event.place)}"
            self._say("prompt", self._offer.prompt + there)

    def on_card_chooser_changed(self) -> None:
        """Say which cards would be named."""
        if self._offer is not None and self._offer.fixed is not None:
            names = ", ".join(self._table.deck.names[card] for card in self._chooser.cards)
            self._say("prompt", f"{self._offer.prompt}  → {names}")

    def on_card_chooser_chosen(self, event: CardChooser.Chosen) -> None:
        """Name these cards."""
        self.name_cards(event.cards)

    def name_cards(self, cards: tuple[int, ...] | None = None) -> None:
        """Ask about, or accuse with, the cards chosen; those under the cursors, if none are given."""
        if self._offer is not None and self._offer.name is not None:
            self._offer.name(cards or self._chooser.cards)

    @work(exclusive=True, group="confirm")
    async def confirm(self, question: str, then: Callable[[], None]) -> None:
        """Do something after asking whether one is sure."""
        if await self.app.push_screen_wait(Confirm(question)):
            then()

    def may_take_back(self) -> bool:
        """Whether a move can be taken back now."""
        return self.desk.may_take_back()

    def called(self, seat: int) -> str:
        """What a seat is called."""
        return self.sitting.called(seat)

    # ---- the end ---------------------------------------------------------------------------

    def _end(self, error: BaseException | None) -> None:
        """The game is over: all cards are open; or the match broke down."""
        if error is not None:
            self.app.failed(error)  # type: ignore[attr-defined]
            return
        game = self.sitting.game
        self.over = True
        self._close()
        eyes = None if self._shared else self._front
        story = Story(self._table, eyes)
        assert game.result is not None
        self._front = None
        self._sheet.close()
        self._sheet.show(open_cells(self._table, game.state.deal))
        self._say("hand", tr("The envelope held {cards}.", cards=story.cards(game.state.deal.envelope)))
        self._say("prompt", story.ending(game.result))
        self._seat_bar.show(game.state.turn, -1, game.state.eliminated, eyes)
        self._actions.offer(self.app.closing_actions())  # type: ignore[attr-defined]
        self.set_focus(self._actions)

    # ---- keys ------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A letter or digit of an action."""
        if event.is_printable and self._actions.do_key(event.key):
            event.stop()

    def action_do(self, key: str) -> None:
        """A key of an action that the widgets use, too: it is an action only where they do not want it."""
        self._actions.do_key(key)

    def action_skip(self) -> None:
        """Show no more moves until somebody is asked."""
        if self._question is None:
            self._pace.skip()

    def action_keys(self) -> None:
        """Show the keys."""
        self.app.push_screen(KeysHelp(self._table.board, hints=self._hints))

    def action_sheet(self) -> None:
        """Go to the sheet."""
        self._show_side("log", side=False)
        self.set_focus(self._sheet)

    def action_log(self) -> None:
        """Show the log, or hide it where there is room for one thing only."""
        shown = self.has_class("side") and self.query_one("#side", ContentSwitcher).current == "log"
        self._show_side("log", side=not shown)
        if not shown:
            self.set_focus(self._log)

    def _show_side(self, what: str, *, side: bool) -> None:
        self.query_one("#side", ContentSwitcher).current = what
        self.set_class(side, "side")

    def action_hints(self) -> None:
        """Ask the detective, or send him away."""
        if not self._hints or self._front is None or self._front not in self._views:
            return
        if self._hints_shown:
            self._show_side("log", side=False)
        else:
            self._show_side("hints", side=True)
            self._hints_pane.ask(self._views[self._front])

    @property
    def _hints_shown(self) -> bool:
        return self.query_one("#side", ContentSwitcher).current == "hints"
