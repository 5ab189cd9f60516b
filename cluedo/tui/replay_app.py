"""``cluedo replay`` on the whole screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.timer import Timer
from textual.types import CSSPathType
from textual.widgets import ContentSwitcher, Input, OptionList, Static

from cluedo.engine.walks import way
from cluedo.language import tr
from cluedo.session.house import on_colour, pawn_chip
from cluedo.session.timeline import Tape
from cluedo.tui.action_bar import Action, ActionBar
from cluedo.tui.bits_bar import Bar, BitsBar
from cluedo.tui.board_view import BoardView
from cluedo.tui.drawing import Pieces
from cluedo.tui.log_view import Line, LogView
from cluedo.tui.play_sheet import columns, open_cells
from cluedo.tui.seat_bar import SeatBar
from cluedo.tui.sheet_view import Cell, SheetView

__all__ = ["ReplayApp", "replay_on_screen"]

_SPEEDS = (0.5, 1.0, 2.0, 5.0)
_TURN_S = 1.2
"""How long a turn is looked at, at speed 1."""


def replay_on_screen(tape: Tape, reviews: Mapping[int | None, Sequence[str]], turn: int) -> int:
    """Show a tape until whoever looks at it leaves; returns the exit code.

    Args:
        tape: the game.
        reviews: by view of the tape, the review in paragraphs.
        turn: where to begin.
    """
    return ReplayApp(tape, reviews, turn).run() or 0


class ReplayApp(App[int]):
    """One screen, light or dark."""

    CSS_PATH: ClassVar[CSSPathType | None] = [
        Path(__file__).with_name(name) for name in ("widgets.tcss", "replay.tcss")
    ]
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Cluedo"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q", "leave(0)", show=False),
        Binding("ctrl+c", "leave(130)", show=False, priority=True),
        Binding("t", "turn_light", show=False),
    ]

    def __init__(self, tape: Tape, reviews: Mapping[int | None, Sequence[str]], turn: int = 0):
        super().__init__()
        self._opening = ReplayScreen(tape, reviews, turn)

    def on_mount(self) -> None:
        """Show the game."""
        self.push_screen(self._opening)

    def action_turn_light(self) -> None:
        """Light or dark."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

    def action_leave(self, code: int) -> None:
        """Leave."""
        self.exit(code)


class ReplayScreen(Screen[None]):
    """Board, bars, sheet, log and review after the turn that is looked at, through one pair of eyes.

    Attributes:
        turn: how many turns are played.
        view: whose eyes: a seat, or None for all cards open.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide")]  # noqa: RUF012 - Textual has it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (38, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,p", "step(-1)", show=False, priority=True),
        Binding("right,n", "step(1)", show=False, priority=True),
        Binding("pageup", "step(-5)", show=False, priority=True),
        Binding("pagedown", "step(5)", show=False, priority=True),
        Binding("home", "go(0)", show=False, priority=True),
        Binding("end", "go(-1)", show=False, priority=True),
        Binding("space", "play", show=False, priority=True),
        Binding("plus,equals_sign", "speed(1)", show=False),
        Binding("minus", "speed(-1)", show=False),
        Binding("e", "eyes", show=False),
        Binding("j", "jump", show=False),
        Binding("m", "sheet", show=False),
        Binding("l", "side('log')", show=False),
        Binding("r", "side('review')", show=False),
    ]

    def __init__(self, tape: Tape, reviews: Mapping[int | None, Sequence[str]], turn: int):
        super().__init__()
        self._tape, self._reviews = tape, reviews
        self.turn = min(turn, tape.turns)
        self.view = tape.views[0]
        self._speed = _SPEEDS.index(1.0)
        self._timer: Timer | None = None
        self._first_lines: list[int] = []

    def compose(self) -> ComposeResult:
        table = self._tape.table
        yield SeatBar(table, id="seats")
        with Horizontal(id="middle"):
            with Container(id="left"):
                yield BoardView(table.board, id="board")
            with Vertical(id="right"):
                yield BitsBar(self._most_bits(), id="bars")
                with Container(id="below"):
                    with Container(id="known"):
                        yield SheetView(table.deck, columns(table, self.view), narrowest=4, id="sheet")
                    with ContentSwitcher(id="side", initial="log"):
                        yield LogView(id="log")
                        with VerticalScroll(id="review"):
                            yield Static(id="review-text", markup=False)
        yield Static(id="news", markup=False)
        yield Static(id="status", markup=False)
        yield ActionBar(id="actions")

    def on_mount(self) -> None:
        """Look through the first pair of eyes."""
        self.query_one("#board").can_focus = False
        self.query_one("#actions").can_focus = False
        self._look_through()
        self.query_one("#log").focus()

    def _most_bits(self) -> float:
        seats = [view for view in self._tape.views if view is not None]
        return max((self._tape.known(seat, 0).bits or 0.0 for seat in seats), default=0.0)

    # ---- what is shown ---------------------------------------------------------------------

    def _look_through(self) -> None:
        """Everything that differs from eyes to eyes: the log, the review, the heads of the sheet."""
        tape = self._tape
        lines: list[Line] = []
        self._first_lines = []
        for said in tape.log(self.view):
            while len(self._first_lines) <= said.turn:
                self._first_lines.append(len(lines))
            chip = None if said.seat is None else pawn_chip(tape.table.board, tape.table.suspects[said.seat])
            lines.append(Line(said.turn, chip, said.text))
        self.query_one("#log", LogView).reset(lines)
        self.query_one("#sheet", SheetView).rename(columns(tape.table, self.view))
        self.query_one("#review-text", Static).update("\n\n".join(self._reviews[self.view]))
        self._show()

    def _show(self) -> None:
        """Everything that differs from turn to turn."""
        tape, turn = self._tape, self.turn
        position = tape.positions[turn]
        self._show_board()
        active = -1 if position.who is None else position.who
        self.query_one("#seats", SeatBar).show(turn, active, position.eliminated, self.view)
        self._show_known()
        log = self.query_one("#log", LogView)
        log.point(self._first_lines[min(turn, len(self._first_lines) - 1)])
        self.call_after_refresh(log.scroll_to_highlight, top=True)
        news = [said.text for said in tape.log(self.view) if said.turn == turn]
        self.query_one("#news", Static).update(" ".join(news))
        status = tr(
            "{heading} ({turn} of {turns})   seen by: {view}   speed {speed:g}×",
            heading=tape.heading(turn),
            turn=turn,
            turns=tape.turns,
            view=tape.view_name(self.view),
            speed=_SPEEDS[self._speed],
        )
        self.query_one("#status", Static).update(status)
        self.query_one("#actions", ActionBar).offer(self._actions())

    def _show_board(self) -> None:
        """The pieces, and the way of the pawn whose turn it was."""
        tape, turn = self._tape, self.turn
        board, position = self.query_one("#board", BoardView), tape.positions[turn]
        trail: list[int] = []
        if position.who is not None:
            mine = tape.table.suspects[position.who]
            board.follow(position.pawns[mine])
            if position.walk is not None:
                before = enumerate(tape.positions[turn - 1].pawns)
                others = {place for pawn, place in before if pawn != mine}
                trail = way(tape.table.board, *position.walk, sum(1 << place for place in others))
        board.put(Pieces(position.pawns, position.weapons), tuple(trail))

    def _show_known(self) -> None:
        tape, table = self._tape, self._tape.table
        seats = range(table.seats) if self.view is None else [self.view]
        bars = [
            Bar(
                table.name(seat),
                on_colour(table.board.map.suspects[table.suspects[seat]].colour, bold=True),
                tape.known(seat, self.turn).bits,
            )
            for seat in seats
        ]
        self.query_one("#bars", BitsBar).show(bars)
        self.query_one("#sheet", SheetView).show(self._cells())

    def _cells(self) -> dict[tuple[int, int], Cell]:
        """The sheet of whoever looks: what is proved, and the odds of the rest; or where every card is."""
        tape = self._tape
        if self.view is None:
            assert tape.deal is not None, "a tape with all cards open has the deal"
            return open_cells(tape.table, tape.deal)
        odds = tape.known(self.view, self.turn).odds
        if odds is None:
            return {}
        seats = tape.table.seats
        return {
            (card, column): Cell.seen(bool(row[place])) if row[place] in (0.0, 1.0) else Cell.odds(float(row[place]))
            for card, row in enumerate(odds)
            for column, place in enumerate([seats, *range(seats)])
        }

    def _actions(self) -> list[Action]:
        space = tr("space")
        return [
            Action("←", tr("back"), "step(-1)"),
            Action("→", tr("forward"), "step(1)"),
            Action(space, tr("pause") if self._timer else tr("play"), "play"),
            Action("+-", tr("speed"), "speed(1)"),
            Action("j", tr("jump"), "jump"),
            *([Action("e", tr("other eyes"), "eyes")] if len(self._tape.views) > 1 else []),
            Action("m", tr("sheet"), "sheet"),
            Action("l", tr("log"), "side('log')"),
            Action("r", tr("review"), "side('review')"),
            Action("q", tr("leave"), "app.leave(0)"),
        ]

    # ---- what one may do -------------------------------------------------------------------

    def action_step(self, turns: int) -> None:
        """Go so many turns on, or back."""
        self._pause()
        self._go(self.turn + turns)

    def action_go(self, turn: int) -> None:
        """Go to a turn; -1 is the last."""
        self._pause()
        self._go(turn if turn >= 0 else self._tape.turns)

    def action_play(self) -> None:
        """Go on by itself, or stop to."""
        if self._timer is not None:
            self._pause()
        else:
            if self.turn == self._tape.turns:
                self.turn = 0
            self._timer = self.set_interval(_TURN_S / _SPEEDS[self._speed], self._tick)
        self._show()

    def action_speed(self, step: int) -> None:
        """Faster or slower; beyond the fastest the slowest comes."""
        self._speed = (self._speed + step) % len(_SPEEDS)
        if self._timer is not None:
            self._timer.stop()
            self._timer = self.set_interval(_TURN_S / _SPEEDS[self._speed], self._tick)
        self._show()

    def action_eyes(self) -> None:
        """Look through the next pair of eyes."""
        views = self._tape.views
        self.view = views[(views.index(self.view) + 1) % len(views)]
        self._look_through()

    def action_jump(self) -> None:
        """Ask for a turn and go there."""
        self._pause()
        self.app.push_screen(Jump(self._tape.turns), lambda turn: None if turn is None else self._go(turn))

    def action_sheet(self) -> None:
        """Show the sheet where there is room for one thing only."""
        self.remove_class("side")
        self.query_one("#sheet").focus()

    def action_side(self, what: str) -> None:
        """Show the log or the review."""
        self.add_class("side")
        self.query_one("#side", ContentSwitcher).current = what
        self.query_one(f"#{what}").focus()

    @on(ActionBar.Done)
    async def _do(self, message: ActionBar.Done) -> None:
        """Something was clicked."""
        await self.run_action(str(message.action.value))

    @on(OptionList.OptionSelected, "#log")
    def _chosen(self, message: OptionList.OptionSelected) -> None:
        """A line of the log was chosen: go to its turn."""
        self._pause()
        self._go(self._tape.log(self.view)[message.option_index].turn)

    def _tick(self) -> None:
        self._go(self.turn + 1)
        if self.turn == self._tape.turns:
            self._pause()
            self._show()

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _go(self, turn: int) -> None:
        self.turn = max(0, min(turn, self._tape.turns))
        self._show()


class Jump(ModalScreen[int | None]):
    """Asks for the number of a turn."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, turns: int):
        super().__init__()
        self._turns = turns

    def compose(self) -> ComposeResult:
        with Vertical(id="jump"):
            yield Static(tr("Jump to which turn? (0 to {turns})", turns=self._turns), markup=False)
            yield Input(type="integer", id="turn")
            yield Static(id="trouble", markup=False)

    @on(Input.Submitted)
    def _entered(self, message: Input.Submitted) -> None:
        text = message.value.strip()
        if text.isdecimal() and int(text) <= self._turns:
            self.dismiss(int(text))
        else:
            self.query_one("#trouble", Static).update(tr("A turn is a number from 0 to {turns}.", turns=self._turns))
