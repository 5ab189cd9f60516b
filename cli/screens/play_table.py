"""The table: board, sheet, log, whose turn it is, and what one may do now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Static

from cluedo.cli.board_text import pawn_chip, place_name
from cluedo.cli.language import tr
from cluedo.cli.screens.action_bar import ActionBar
from cluedo.cli.screens.board_view import BoardView
from cluedo.cli.screens.card_chooser import CardChooser
from cluedo.cli.screens.drawing import Pieces
from cluedo.cli.screens.log_view import Line, LogView
from cluedo.cli.screens.play_desk import Ask, Desk, News, Over, Question
from cluedo.cli.screens.play_dialogs import HandOver, KeysHelp, NoteInput
from cluedo.cli.screens.play_questions import Offer, offer_for
from cluedo.cli.screens.play_sheet import SeatSheet, columns, open_cells
from cluedo.cli.screens.seat_bar import SeatBar
from cluedo.cli.screens.sheet_view import SheetView
from cluedo.cli.screens.walks import way
from cluedo.cli.sitting import Sitting
from cluedo.cli.story import Story
from cluedo.commands import Command
from cluedo.events import Accused, Event, HypothesisMade, Moved, Passed, Rolled, Shown, TurnEnded
from cluedo.view import PlayerView

__all__ = ["TableScreen"]

_PAUSES_S: dict[type, float] = {Rolled: 0.4, HypothesisMade: 1.0, Passed: 0.3, Shown: 0.8, Accused: 1.5}
_OTHER_PAUSE_S = 0.3
_STEP_S = 0.06
"""How long things that others do are looked at, at speed 1, before the next."""


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
    ]

    def __init__(self, sitting: Sitting, *, speed: float, hints: bool, think_limit: float):
        super().__init__()
        self.sitting = sitting
        self._table = sitting.game.table
        self._speed, self._hints = speed, hints
        self._items: asyncio.Queue[News | Question | Over] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self.desk = Desk(sitting, think_limit, self._post)
        self._shared = len(sitting.people) > 1
        self._front: int | None = None if self._shared else sitting.people[0]
        self._views: dict[int, PlayerView] = {}
        self._sheets = {seat: SeatSheet() for seat in sitting.people}
        self._story = Story(self._table, self._front)
        self._seen = 0
        self._turn = 1
        self._recent: list[str] = []
        self._question: Question | None = None
        self._offer: Offer | None = None
        self._skip = asyncio.Event()
        self.over = False

    def compose(self) -> ComposeResult:
        yield SeatBar(self._table, id="seats")
        yield Static(id="hand", markup=False)
        with Horizontal(id="middle"):
            with Container(id="left"):
                yield BoardView(self._table.board, id="board")
                yield CardChooser(self._table.deck, id="chooser")
            with Container(id="right"):
                yield SheetView(self._table.deck, columns(self._table, self._front), id="sheet")
                with ContentSwitcher(id="side", initial="log"):
                    yield LogView(id="log")
                    with VerticalScroll(id="hints"):
                        yield Static(id="hints-text", markup=False)
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
    def _sheet(self) -> SheetView:
        return self.query_one("#sheet", SheetView)

    @property
    def _log(self) -> LogView:
        return self.query_one("#log", LogView)

    @property
    def _actions(self) -> ActionBar:
        return self.query_one("#actions", ActionBar)

    def _say(self, where: str, text: str) -> None:
        self.query_one(f"#{where}", Static).update(text)

    # ---- what comes from the match ---------------------------------------------------------

    def _post(self, item: News | Question | Over) -> None:
        """Called in the match's thread."""
        try:
            self._loop.call_soon_threadsafe(self._items.put_nowait, item)
        except RuntimeError:  # the screen has gone, and its loop
            self.desk.answer(None)

    @work(exclusive=True, group="listen")
    async def _listen(self) -> None:
        while True:
            match await self._items.get():
                case News() as news:
                    await self._tell(news)
                case Question() as question:
                    await self._pose(question)
                case Over(error):
                    self._end(error)

    async def _tell(self, news: News) -> None:
        """Show what happened to the seat in front."""
        for fault in news.faults:
            self.notify(fault, severity="warning", markup=False)
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
        for event in view.events_since(self._seen):
            self._add(event)
            await self._watch(event, before, view)
        self._show(view)

    def _show_afresh(self, view: PlayerView) -> None:
        """Everything from the first event on, at once."""
        self._story = Story(self._table, view.seat)
        self._sheet.rename(columns(self._table, view.seat))
        self._log.reset([])
        self._seen, self._turn, self._recent = 0, 1, []
        lines = []
        for event in view.events:
            line = self._line(event)
            lines += [line] if line is not None else []
        self._log.tell(lines)
        self._show(view)

    def _add(self, event: Event) -> None:
        line = self._line(event)
        if line is not None:
            self._log.tell([line])
            self._show_news()

    def _line(self, event: Event) -> Line | None:
        """The next event as a line of the log, and among the news."""
        self._seen += 1
        if isinstance(event, TurnEnded):
            self._turn += 1
            return None
        text = self._story.tell(event)
        if isinstance(event, Rolled) or (self._recent and self._recent[0] != str(self._turn)):
            self._recent = []
        self._recent = self._recent or [str(self._turn)]
        self._recent.append(text)
        return Line(self._turn, pawn_chip(self._table.board, self._table.suspects[event.seat]), text)

    def _show(self, view: PlayerView) -> None:
        """The table as it stands."""
        self._board.put(Pieces(view.pawns, view.weapons))
        self._seat_bar.show(view.turn, view.active, view.eliminated, view.seat)
        self._say("hand", tr("You hold: {cards}", cards=", ".join(view.deck.names_in(view.hand))))
        self._show_sheet(view)
        self._show_news()
        if self._question is None:
            self._board.follow(view.place)
            self._say("prompt", tr("{who} plays …", who=self.sitting.called(view.to_act)))

    def _show_sheet(self, view: PlayerView) -> None:
        sheet = self._sheets[view.seat]
        self._sheet.show(sheet.read(view), sheet.notes)

    def _show_news(self) -> None:
        """What happened last, as much as two lines hold."""
        room = 2 * max(20, self.size.width - 2)
        told = self._recent[1:]
        while len(told) > 1 and len(" ".join(told)) > room:
            told = told[1:]
        self._say("news", " ".join(told))

    # ---- watching the others ---------------------------------------------------------------

    async def _watch(self, event: Event, before: PlayerView, after: PlayerView) -> None:
        """Let what somebody else does be seen for a moment."""
        if event.seat == after.seat and not isinstance(event, HypothesisMade):
            return
        if isinstance(event, Moved) and event.seat != after.seat:
            await self._walk(event, before, after)
        elif not isinstance(event, TurnEnded):
            self._seat_bar.show(after.turn, event.seat, after.eliminated, after.seat)
            await self._pause(_PAUSES_S.get(type(event), _OTHER_PAUSE_S))

    async def _walk(self, event: Moved, before: PlayerView, after: PlayerView) -> None:
        """Let a pawn walk, square by square."""
        suspect = self._table.suspects[event.seat]
        start = before.pawns[suspect]
        taken = before.taken & ~(1 << start)
        steps = way(self._table.board, start, event.to, taken)
        for k in range(1, len(steps)):
            if self._hurried:
                return
            pawns = (*before.pawns[:suspect], steps[k], *before.pawns[suspect + 1 :])
            self._board.put(Pieces(pawns, after.weapons), trail=tuple(steps[:k]))
            self._board.follow(steps[k])
            await self._pause(_STEP_S)
        await self._pause(_OTHER_PAUSE_S)

    @property
    def _hurried(self) -> bool:
        return not self._speed or self._skip.is_set()

    async def _pause(self, seconds: float) -> None:
        if self._hurried:
            await asyncio.sleep(0)  # keys are still answered between two events
            return
        try:
            await asyncio.wait_for(self._skip.wait(), seconds / self._speed)
        except TimeoutError:
            return

    def action_skip(self) -> None:
        """Show no more moves until somebody is asked."""
        if self._question is None:
            self._skip.set()

    # ---- questions -------------------------------------------------------------------------

    async def _pose(self, question: Question) -> None:
        view = question.view
        self._skip.clear()
        if self._front != view.seat:
            await self._hand_over(question)
        self._question = question
        self._views[view.seat] = view
        self._show(view)
        self._present(offer_for(question, self))
        if self.query_one("#side", ContentSwitcher).current == "hints":
            self._ask_detective()

    async def _hand_over(self, question: Question) -> None:
        """Hide everything until the one who is asked sits before the screen."""
        seat = question.view.seat
        whys = {
            Ask.MOVE: tr("it is your turn"),
            Ask.HYPOTHESIS: tr("you may ask"),
            Ask.CARD: tr("show a card"),
            Ask.ACCUSATION: tr("the end of your turn"),
        }
        self._front = None
        await self.app.push_screen_wait(HandOver(self.sitting.called(seat), seat + 1, whys[question.ask]))
        self._front = seat
        self._show_side("log", side=False)
        self._show_afresh(question.view)

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
            self._board.focus()
        else:
            self._actions.focus()

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
            self.notify(tr("Not possible: {why}.", why=tr(reason)), severity="warning", markup=False)
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
        self._actions.focus()
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
        from cluedo.cli.screens.play_dialogs import Confirm

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
            self.app.exit(return_code=1, message=None)
            self.app.failed(error)  # type: ignore[attr-defined]
            return
        game = self.sitting.game
        self.over = True
        self._close()
        eyes = None if self._shared else self._front
        story = Story(self._table, eyes)
        assert game.result is not None
        self._front = None
        self._sheet.rename(columns(self._table, eyes))
        self._sheet.show(open_cells(self._table, game.state.deal))
        self._say("hand", tr("The envelope held {cards}.", cards=story.cards(game.state.deal.envelope)))
        self._say("prompt", story.ending(game.result))
        self._seat_bar.show(game.state.turn, -1, game.state.eliminated, eyes)
        self._actions.offer(self.app.closing_actions())  # type: ignore[attr-defined]
        self._actions.focus()

    # ---- keys ------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A key of an action, or a mark on the sheet."""
        if (self._sheet.has_focus and self._mark_by(event)) or self._actions.do_key(event.key):
            event.stop()

    def _mark_by(self, event: events.Key) -> bool:
        signs = {"v": "✓", "x": "✗", "question_mark": "?", "delete": "", "backspace": ""}
        if self._front is None or event.key not in (*signs, "e"):
            return False
        card, column = self._sheet.cursor
        if event.key == "e":
            self._edit_note(card)
        else:
            self._sheets[self._front].mark(card, column, signs[event.key])
            self._show_sheet(self._views[self._front])
        return True

    def on_sheet_view_chosen(self, event: SheetView.Chosen) -> None:
        """The next sign in a cell."""
        if self._front is not None:
            self._sheets[self._front].cycle(event.card, event.column)
            self._show_sheet(self._views[self._front])

    @work(exclusive=True, group="note")
    async def _edit_note(self, card: int) -> None:
        front = self._front
        assert front is not None
        sheet = self._sheets[front]
        text = await self.app.push_screen_wait(NoteInput(self._table.deck.names[card], sheet.notes.get(card, "")))
        if text is not None and self._front == front:
            sheet.note(card, text)
            self._show_sheet(self._views[front])

    def action_keys(self) -> None:
        """Show the keys."""
        self.app.push_screen(KeysHelp(hints=self._hints))

    def action_sheet(self) -> None:
        """Go to the sheet."""
        self._show_side("log", side=False)
        self._sheet.focus()

    def action_log(self) -> None:
        """Show the log, or hide it where there is room for one thing only."""
        shown = self.has_class("side") and self.query_one("#side", ContentSwitcher).current == "log"
        self._show_side("log", side=not shown)
        if not shown:
            self._log.focus()

    def _show_side(self, what: str, *, side: bool) -> None:
        self.query_one("#side", ContentSwitcher).current = what
        self.set_class(side, "side")

    def action_hints(self) -> None:
        """Ask the detective, or send him away."""
        if not self._hints or self._front is None or self._front not in self._views:
            return
        if self.query_one("#side", ContentSwitcher).current == "hints":
            self._show_side("log", side=False)
            return
        self._show_side("hints", side=True)
        self._ask_detective()

    def _ask_detective(self) -> None:
        """Let him think, in a thread that nobody has to wait for."""
        assert self._front is not None
        self._say("hints-text", tr("The detective thinks … (the first time it takes a while)"))
        Thread(target=self._think, args=(self._views[self._front],), name="detective", daemon=True).start()

    def _think(self, view: PlayerView) -> None:
        from cluedo.cli.screens.play_hints import find_hints, told_hints  # the engines are slow to import

        found = told_hints(find_hints(view), view)
        with suppress(RuntimeError):  # the screen has gone meanwhile
            self._loop.call_soon_threadsafe(self._show_hints, view, found)

    def _show_hints(self, view: PlayerView, found: Group) -> None:
        """Show them, if the one who asked is still there, and nothing has happened since."""
        if self._front is not None and self._views[self._front] == view:
            self.query_one("#hints-text", Static).update(found)
