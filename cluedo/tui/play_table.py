"""The screen of a game: it shows the table to the person whose turn it is, and takes what they choose."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from cluedo.engine.commands import Accusation, Command, Move
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import MOVE, REFUTE, WALK
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.actions import Action, CardChoice, Offer, PersonCommand, TakeBack, waiting_for
from cluedo.session.game_session import GameSession
from cluedo.session.hints import proved_envelope
from cluedo.session.seat_sheet import SeatSheet, read_sheets, written_sheets
from cluedo.session.sections import Tone
from cluedo.tui.background import run_in_thread, wait_a_moment
from cluedo.tui.board_view import BoardView, signs
from cluedo.tui.choosers import ActionBar, CardChooser
from cluedo.tui.keys import HelpPart, KeyedScreen
from cluedo.tui.play_dialogs import Confirm, HandOver
from cluedo.tui.play_pace import Pace
from cluedo.tui.table_panes import TablePanes
from cluedo.words.narration import place_name, turns_of
from cluedo.words.rule_text import house_rules, rule_lines

__all__ = ["TableScreen"]


class TableScreen(KeyedScreen[None]):
    """The screen of one game, for the person at the screen: the seat in *front*.

    Everything shown comes from the view of that seat. Levels think beside the screen, which answers keys meanwhile.

    Args:
        session: the game.
        speed: how fast the others' moves are shown; 0 shows none.
        hints: whether one may ask the detective.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide"), (160, "-broad")]  # noqa: RUF012 - Textual has it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hints", Phrase("hints"), tooltip=Phrase("what the detective would do now, and why")),
        Binding("l", "log", Phrase("log"), tooltip=Phrase("the log of all that was said and shown")),
        Binding("m", "sheet", Phrase("sheet"), tooltip=Phrase("your sheet, to write on")),
        Binding("b", "figures", Phrase("bits"), tooltip=Phrase("the hints' figures for experts, in bits"), show=False),
        Binding("space", "skip", Phrase("skip"), tooltip=Phrase("skip to where it is your turn")),
        Binding("enter", "enter", show=False),
        Binding("escape", "back", Phrase("back"), tooltip=Phrase("back to what you are asked")),
    ]

    def __init__(self, session: GameSession, *, speed: float, hints: bool):
        super().__init__()
        self.session = session
        self._table = session.game.table
        self._hints = hints
        self._shared = len(session.people) > 1
        self._view: PlayerView | None = None  # of the seat in front; None while the screen is nobody's
        self._sheets = {seat: SeatSheet(self._save_sheets) for seat in session.people}
        if session.game.commands:  # it is continued
            read_sheets(session.autosave.sheets(), self._table.deck, self._sheets)
        self._offer: Offer | None = None
        self._naming: CardChoice | None = None
        self._chosen: asyncio.Future[Command | TakeBack] | None = None
        self._faults = 0
        self._thinks = False
        self._pace = Pace(speed)
        self.over = False
        self._panes = TablePanes(self._table, session.called)

    def compose(self) -> ComposeResult:
        return self._panes.compose()

    def on_mount(self) -> None:
        """Let the match begin."""
        self._play()

    # ---- the game ----------------------------------------------------------------------------

    @work(exclusive=True, group="play")
    async def _play(self) -> None:
        """Play to the end, or until the screen has gone."""
        try:
            if not self._shared:
                self._show_afresh(self.session.view(self.session.people[0]))
            while not self.session.game.over:
                if (seat := self.session.person_to_act) is not None:
                    await self._answered(seat)
                else:
                    await self._advance()
                self._tell_faults()
                self._tell_unsaved()
        except Exception as error:
            if self.is_attached:  # else the app is being left, and there is nothing to be shown on
                self.app.failed(error)  # type: ignore[attr-defined]
            return
        self._end()

    async def _advance(self) -> None:
        """Let a level choose."""
        self._thinks = True
        try:
            await run_in_thread(self.session.advance)
        finally:
            self._thinks = False
        await self._hear()

    async def _answered(self, seat: int) -> None:
        """Ask a person, and do what they choose."""
        await self._pose(seat)
        self._chosen = asyncio.get_running_loop().create_future()
        command = await self._chosen
        self.session.do(seat, command)
        if isinstance(command, TakeBack):
            for sheet in self._sheets.values():
                sheet.forget()
            self._panes.hints.forget()
            self._show_afresh(self.session.view(seat))
        else:
            await self._hear()

    @property
    def _front(self) -> int | None:
        """The seat of the person before the screen; None while it is handed over, and at the end."""
        return None if self._view is None else self._view.seat

    async def leave(self) -> None:
        """Wait a moment for a level that is thinking, so that its move is kept; one that is lost in thought is left."""
        await wait_a_moment(lambda: self._thinks)
        for worker in self.workers:
            worker.cancel()

    def _save_sheets(self) -> None:
        self.session.autosave.save_sheets(written_sheets(self._table.deck, self._sheets))

    def _tell_faults(self) -> None:
        faults = self.session.faults
        for fault in faults[self._faults :]:
            lost = tr("{who} lost a choice; what went wrong is listed at the end.", who=self.session.called[fault.seat])
            self.notify(lost, severity="warning", markup=False)
        self._faults = len(faults)

    def _tell_unsaved(self) -> None:
        if trouble := self.session.autosave.new_trouble():
            told = tr("This game is not being saved: {error}.", error=trouble)
            self.notify(told, severity="warning", timeout=10, markup=False)

    async def _hear(self) -> None:
        """Show what happened to the seat in front."""
        before = self._view
        if before is None:
            return
        self._view = view = self.session.view(before.seat)
        for turn, whose, event in list(turns_of(view.events))[before.time :]:
            self._panes.tell(event, turn)
            self._panes.seats.show(turn, whose, view.eliminated, view.seat)
            await self._pace.watch(event, before, view, self._panes.board)
        self._show(view)

    def _show_afresh(self, view: PlayerView) -> None:
        """Everything from the first event on, at once."""
        self._view = view
        self._panes.tell_afresh(view.seat, view.events)
        self._show(view)

    def _show(self, view: PlayerView) -> None:
        """The table as it stands."""
        self._panes.show(view, self._sheets[view.seat])
        if self._offer is None:
            self._panes.board.follow(view.place)
            self._panes.ask(waiting_for(view, self.session.called))

    # ---- what one may do -------------------------------------------------------------------

    async def _pose(self, seat: int) -> None:
        """Show a person what they may do."""
        view = self.session.view(seat)
        self._pace.resume()
        if self._front != seat:
            await self._hand_over(view)
        self._offer = self.session.offer(seat)
        self._view = view
        self._show(view)
        self._present()
        if self._panes.hints_shown:
            self._panes.hints.ask(view)

    async def _hand_over(self, view: PlayerView) -> None:
        """Hide everything until the one who is asked sits before the screen."""
        whys = {MOVE: tr("it is your turn"), WALK: tr("it is your turn"), REFUTE: tr("show a card")}
        why = whys.get(view.step, tr("the end of your turn"))
        while isinstance(self.app.screen, ModalScreen):
            self.app.screen.dismiss(None)  # a note of whoever sat here is nobody else's to see
        self._view = None
        self._panes.clear()
        await self.app.push_screen_wait(HandOver(self.session.called[view.seat], view.seat + 1, why))
        self._show_afresh(view)

    def _present(self, naming: CardChoice | None = None) -> None:
        """Show what can be done, and put the focus where it is done; ``naming`` is what cards are named for now."""
        offer = self._offer
        assert offer is not None
        self._naming = naming or offer.naming()
        self._panes.ask(self._question)
        self._panes.offer(offer, self._naming)
        if self._accusing:
            self._point_at_proofs()
        self.on_hints_pane_told()

    @property
    def _accusing(self) -> bool:
        """Whether cards are named for an accusation now."""
        return self._naming is not None and self._naming.kind is Accusation

    @property
    def _question(self) -> str:
        """What is asked now; there is an offer."""
        assert self._offer is not None
        return tr("What is in the envelope?") if self._accusing else self._offer.prompt

    def on_hints_pane_told(self) -> None:
        """Put the cursors on what a hint of this turn has proposed: the place to walk to, or the cards to name."""
        turn, hint = self._panes.hints.proposed
        if self._offer is None or self._view is None or turn != self._view.turn:
            return
        if self._naming is None:
            if isinstance(hint.do, Move) and self._offer.walk >> hint.do.to & 1:
                self._panes.board.propose(hint.do.to)
        elif hint.proposed and self._naming.room in (None, hint.proposed[2]):
            accuses = hint.tone is not Tone.PLAIN  # a question is neither proved nor a gamble
            if accuses is self._accusing:
                self._panes.chooser.propose(hint.proposed)

    @work(exclusive=True, group="proofs")
    async def _point_at_proofs(self) -> None:
        """Put the cursors on the cards that are proved to be in the envelope."""
        view = self._view
        assert view is not None
        proved = await run_in_thread(lambda: proved_envelope(view))
        if self._accusing and self._front == view.seat:
            self._panes.chooser.propose(proved)

    def _do(self, command: PersonCommand) -> None:
        """Do what was chosen, if the game allows it; else say why not."""
        if self._offer is None or self._view is None or self._chosen is None or self._chosen.done():
            return
        if isinstance(command, CardChoice):
            if command == self._naming:
                self._panes.chooser.go_on()
            else:
                self._present(command)
            return
        reason = command.why_not(self._view) if isinstance(command, Command) else None
        if reason is not None:
            self._panes.refuse(tr(reason))
            return
        self._close()
        self._chosen.set_result(command)

    def _close(self) -> None:
        self._offer = self._naming = None
        self._panes.close()

    async def on_action_bar_done(self, event: ActionBar.Done) -> None:
        """Do what was chosen, an action of a screen by its name; what has nothing to be done goes back to the rest."""
        match event.action.value:
            case str(name):
                if self.is_active:  # the key before may have led away
                    await self.run_action(name)
            case None:
                self._present()
            case command:
                self._do(command)  # type: ignore[arg-type]

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Walk there."""
        if self._offer is not None and self._offer.walk:
            self._do(Move(event.place))

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Say what is there."""
        if self._offer is not None and self._naming is None and self._offer.walk:
            board = self._table.board
            room = event.place is not None and board.is_room(event.place)
            there = f"  → {place_name(board, event.place)}" if room and event.place is not None else ""
            self._panes.ask(self._question + there)

    def on_card_chooser_changed(self) -> None:
        """Say which cards would be named, and what Enter does."""
        if self._offer is not None and self._naming is not None:
            self._panes.say_what_enter_does(self._naming)
            self._panes.ask(f"{self._question}  → {self._table.deck.listed(self._panes.chooser.cards)}")

    def on_card_chooser_chosen(self, event: CardChooser.Chosen) -> None:
        """Name these cards."""
        self._name_cards(event.cards)

    def _name_cards(self, cards: tuple[int, ...]) -> None:
        """Ask about these cards, or accuse after one more question."""
        if self._naming is None or not self.is_active:  # or a key before has asked whether one is sure
            return
        command = self._naming.command(cards)
        if isinstance(command, Accusation):
            self._confirm(command)
        else:
            self._do(command)

    @work(exclusive=True, group="confirm")
    async def _confirm(self, accusation: Accusation) -> None:
        """Accuse after asking whether one is sure."""
        named = self._table.deck.listed(accusation.cards)
        sure = tr("You are about to accuse {cards}. If you are wrong, you are out. Accuse?", cards=named)
        if await self.app.push_screen_wait(Confirm(sure)):
            self._do(accusation)

    # ---- the end ---------------------------------------------------------------------------

    def _end(self) -> None:
        """The game is over: all cards are open."""
        self.over = True
        self._close()
        self._panes.show_end(self.session.game, None if self._shared else self._front)
        self._view = None
        self._panes.actions.offer(
            [
                Action("v", tr("replay and review"), "app.replay"),
                Action("r", tr("rematch"), "app.rematch"),
                Action("n", tr("new game"), "app.new_game"),
            ]
        )
        self.set_focus(self._panes.actions)
        self.refresh_bindings()

    # ---- keys ------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A letter or digit of an action."""
        if event.is_printable and self._panes.actions.do_key(event.key):
            event.stop()

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        """Show what the keys do from here."""
        self._panes.actions.refresh(layout=True)

    def action_enter(self) -> None:
        """The action of a key that the widgets use, too: it is one only where they do not want it."""
        self._panes.actions.do_key("enter")

    def action_back(self) -> None:
        """Back from the sheet or the log to what is asked, or from an accusation to what else can be done."""
        if self._panes.actions.away:
            self._panes.take_focus()
        else:
            self._panes.actions.do_key("escape")

    def action_walk(self) -> None:
        """Walk to the place under the cursor."""
        self._panes.board.action_choose()

    def action_skip(self) -> None:
        """Show no more moves until somebody is asked."""
        if self._offer is None:
            self._pace.skip()

    @property
    def help_parts(self) -> list[HelpPart]:
        """What there is to say beside the keys."""
        turn = tr(
            "Roll and walk, take a secret passage, or stay. In a room you may then ask the others about a "
            "suspect, a weapon and that room. At the end you may accuse, once a game: wrong, and you are out."
        )
        told = house_rules(self._table)
        return [
            HelpPart(tr("Signs"), signs(self._table.board)),
            HelpPart(tr("A turn"), turn),
            *([HelpPart(tr("House rules"), "\n".join(told))] if told else []),
            HelpPart(tr("All rules, by number"), "\n".join(rule_lines())),
        ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """No hints where they are switched off or the game is over, and no way back where there is none to go."""
        away, advised = self._panes.actions.away or self._accusing, self._hints and not self.over
        return {"hints": advised, "figures": advised, "skip": not self.over, "back": away}.get(action, True)

    def action_sheet(self) -> None:
        """Go to the sheet, or back from it."""
        if self.focused is self._panes.sheet:
            self._panes.take_focus()
        else:
            self._panes.show_side("log", side=False)
            self.set_focus(self._panes.sheet)

    def action_log(self) -> None:
        """Show the log, or hide it where there is room for one thing only."""
        shown = self.has_class("side") and not self._panes.hints_shown
        self._panes.show_side("log", side=not shown)
        if shown:
            self._panes.take_focus()
        else:
            self.set_focus(self._panes.log)
            self.call_after_refresh(self._panes.log.show_latest)

    def action_hints(self) -> None:
        """Ask the detective, or send him away."""
        if self._view is None:
            return
        if self._panes.hints_shown:
            self._panes.show_side("log", side=False)
        else:
            self._panes.show_side("hints", side=True)
            self._panes.hints.ask(self._view)

    def action_figures(self) -> None:
        """Show the hints' figures, or hide them."""
        if self._panes.hints_shown:
            self._panes.hints.show_figures()
