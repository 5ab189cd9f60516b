"""The screen of a replay: turn by turn, as any seat saw it, with the review."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Input, OptionList, Static

from cluedo.engine.phrase import Phrase
from cluedo.language import tr
from cluedo.session.board_glyphs import pawn_chip
from cluedo.session.review_text import ReviewText, review_paragraphs
from cluedo.session.timeline import Timeline
from cluedo.tui.board_view import BoardView
from cluedo.tui.keys import Dialog, KeyBar, KeyedScreen, way_back
from cluedo.tui.sheet_view import Cell, SheetView, chance_cells, columns, open_cells
from cluedo.tui.table_panes import LogView, NewsLines, SeatBar

__all__ = ["Bar", "EnvelopesBar", "ReplayScreen"]

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_FIGURE = 10
"""Columns of the figure at the end, such as ``324 left``."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Who, in which style, and how many envelopes are left; None where that is not known."""

    name: str
    style: str
    envelopes: int | None


class EnvelopesBar(Static):
    """One bar below another, on a logarithmic scale; a full one is ``most`` envelopes, as many as at the start.

    Attributes:
        bars: what is shown.
    """

    def __init__(self, most: int, *, id: str | None = None):
        super().__init__(id=id)
        self.most = most
        self.bars: Sequence[Bar] = ()

    def show(self, bars: Sequence[Bar]) -> None:
        """Show these bars."""
        self.bars = list(bars)
        self.refresh(layout=True)

    def render(self) -> Text:
        """The bars as text, as wide as the widget."""
        names = min(12, max((cell_len(bar.name) for bar in self.bars), default=0))
        across = max(4, self.size.width - names - _FIGURE - 2)
        return Text("\n").join(self._drawn(bar, names, across) for bar in self.bars)

    def _drawn(self, bar: Bar, names: int, across: int) -> Text:
        line = Text.assemble((set_cell_size(bar.name, names), bar.style), " ")
        if bar.envelopes is None:
            return line.append("?".ljust(across + 1), "dim")
        share = math.log(bar.envelopes) / math.log(max(self.most, 2))
        eighths = round(8 * across * min(1.0, share))
        full, part = divmod(eighths, 8)
        drawn = _EIGHTHS[8] * full + (_EIGHTHS[part] if part else "")
        line.append(drawn, "cyan").append("╌" * (across - len(drawn)), "dim")
        return line.append(tr("{count:,} left", count=bar.envelopes).rjust(_FIGURE))


_SPEEDS = (0.5, 1.0, 2.0, 5.0)
_TURN_S = 1.2
"""How long a turn is looked at, at speed 1."""


class ReplayScreen(KeyedScreen[None]):
    """Board, bars, sheet, log and review after a turn, as one seat saw it or with all cards open.

    Attributes:
        turn: how many turns are played.
        view: the seat as which the game is seen, or None for all cards open.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide")]  # noqa: RUF012 - Textual has it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (38, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,p", "step(-1)", Phrase("back"), tooltip=Phrase("a turn back"), priority=True),
        Binding("right,n", "step(1)", Phrase("forward"), tooltip=Phrase("a turn forward"), priority=True),
        Binding("pageup", "step(-5)", Phrase("five turns back"), show=False, priority=True),
        Binding("pagedown", "step(5)", Phrase("five turns forward"), show=False, priority=True),
        Binding("home", "go(0)", Phrase("to the deal"), show=False, priority=True),
        Binding("end", "go(-1)", Phrase("to the end"), show=False, priority=True),
        Binding("space", "play", Phrase("play"), tooltip=Phrase("let it play, or stop it"), priority=True),
        Binding("plus,equals_sign", "speed(1)", Phrase("faster"), show=False),
        Binding("minus", "speed(-1)", Phrase("slower"), show=False),
        Binding("m", "sheet", Phrase("sheet"), tooltip=Phrase("the sheet: who holds what")),
        Binding("l", "side('log')", Phrase("log"), tooltip=Phrase("the log; Enter goes to the turn of a line")),
        Binding("r", "side('review')", Phrase("review"), tooltip=Phrase("the review: questions, luck, turning point")),
        Binding("v", "view", Phrase("view"), tooltip=Phrase("see it as the next player saw it")),
        Binding("j", "jump", Phrase("jump"), tooltip=Phrase("jump to a turn")),
    ]

    def __init__(self, timeline: Timeline, reviews: Sequence[ReviewText], turn: int):
        super().__init__()
        self._timeline = timeline
        self._reviews = dict(zip(timeline.views, review_paragraphs(reviews), strict=True))
        self.turn = min(turn, timeline.turns)
        self.view = timeline.views[0]
        self._speed = _SPEEDS.index(1.0)
        self._timer: Timer | None = None
        self._first_lines: list[int] = []

    def compose(self) -> ComposeResult:
        table = self._timeline.table
        yield SeatBar(table, id="seats")
        with Horizontal(id="middle"):
            with Container(id="left"):
                yield BoardView(table.board, id="board")
            with Vertical(id="right"):
                yield EnvelopesBar(self._most_envelopes(), id="bars")
                with Container(id="below"):
                    with Container(id="known"):
                        yield SheetView(table.deck, columns(table, self.view), id="sheet")
                    with ContentSwitcher(id="side", initial="log"):
                        yield LogView(table, id="log")
                        with VerticalScroll(id="review"):
                            yield Static(id="review-text", markup=False)
        yield NewsLines(id="news")
        yield Static(id="status", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the first view."""
        self.query_one("#board").can_focus = False
        self._show_view()
        self.query_one("#log").focus()

    def _most_envelopes(self) -> int:
        seats = [view for view in self._timeline.views if view is not None]
        return max((self._timeline.known(seat, 0).envelopes or 1 for seat in seats), default=1)

    # ---- what is shown ---------------------------------------------------------------------

    def _show_view(self) -> None:
        """Show what depends on the view: the log, the review, the heads of the sheet."""
        timeline = self._timeline
        log = timeline.log(self.view)
        self._first_lines = []
        for number, said in enumerate(log):
            while len(self._first_lines) <= said.turn:
                self._first_lines.append(number)
        self.query_one("#log", LogView).reset(log)
        self.query_one("#sheet", SheetView).rename(columns(timeline.table, self.view))
        self.query_one("#review-text", Static).update("\n\n".join(self._reviews[self.view]))
        self._show()

    def _show(self) -> None:
        """Show what depends on the turn."""
        timeline, turn = self._timeline, self.turn
        snapshot = timeline.snapshots[turn]
        self._show_board()
        active = -1 if snapshot.who is None else snapshot.who
        self.query_one("#seats", SeatBar).show(turn, active, snapshot.eliminated, self.view)
        self._show_known()
        self.query_one("#log", LogView).point(self._first_lines[min(turn, len(self._first_lines) - 1)])
        self.query_one("#news", NewsLines).tell([said.text for said in timeline.log(self.view) if said.turn == turn])
        self._show_status()

    def _show_status(self) -> None:
        """The turn, the view, and how fast it goes on, if it does."""
        timeline, turn = self._timeline, self.turn
        status = tr(
            "{heading} ({turn} of {turns})   speed {speed:g}×   view: {view}",
            heading=timeline.heading(turn),
            turn=turn,
            turns=timeline.turns,
            view=timeline.view_name(self.view),
            speed=_SPEEDS[self._speed],
        )
        playing = "▶ " if self._timer is not None else ""
        self.query_one("#status", Static).update(playing + status)

    def _show_board(self) -> None:
        """The pieces, and the way of the pawn whose turn it was."""
        timeline, turn = self._timeline, self.turn
        board, snapshot = self.query_one("#board", BoardView), timeline.snapshots[turn]
        if snapshot.who is not None:
            board.follow(snapshot.pawns[timeline.table.suspects[snapshot.who]])
        trail = () if snapshot.walk is None else timeline.table.board.way(*snapshot.walk)
        board.put(snapshot.pawns, snapshot.weapons, trail)

    def _show_known(self) -> None:
        timeline, table = self._timeline, self._timeline.table
        seats = range(table.seats) if self.view is None else [self.view]
        bars = []
        for seat in seats:
            _, style = pawn_chip(table.board, table.suspects[seat])
            bars.append(Bar(table.name(seat), style, timeline.known(seat, self.turn).envelopes))
        self.query_one("#bars", EnvelopesBar).show(bars)
        self.query_one("#sheet", SheetView).show(self._cells())

    def _cells(self) -> dict[tuple[int, int], Cell]:
        """The sheet of the view: what is proved and the odds of the rest, or where every card is."""
        timeline = self._timeline
        if self.view is None:
            assert timeline.deal is not None, "a timeline with all cards open has the deal"
            return open_cells(timeline.table, timeline.deal)
        odds = timeline.known(self.view, self.turn).odds
        if odds is None:
            return {}
        return chance_cells(odds.tolist())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer another view only if there is one."""
        return action != "view" or len(self._timeline.views) > 1

    # ---- what one may do -------------------------------------------------------------------

    def action_step(self, turns: int) -> None:
        """Go a number of turns forward, or back."""
        self._pause()
        self._go(self.turn + turns)

    def action_go(self, turn: int) -> None:
        """Go to a turn; -1 is the last."""
        self._pause()
        self._go(turn if turn >= 0 else self._timeline.turns)

    def action_play(self) -> None:
        """Start or stop playing the turns automatically."""
        if self._timer is not None:
            self._pause()
        else:
            if self.turn == self._timeline.turns:
                self.turn = 0
            self._timer = self.set_interval(_TURN_S / _SPEEDS[self._speed], self._tick)
        self._show()

    def action_speed(self, step: int) -> None:
        """Go to the next speed; after the fastest comes the slowest."""
        self._speed = (self._speed + step) % len(_SPEEDS)
        if self._timer is not None:
            self._timer.stop()
            self._timer = self.set_interval(_TURN_S / _SPEEDS[self._speed], self._tick)
        self._show()

    def action_view(self) -> None:
        """Go to the next view."""
        views = self._timeline.views
        self.view = views[(views.index(self.view) + 1) % len(views)]
        self._show_view()

    def action_jump(self) -> None:
        """Ask for a turn and go there."""
        self._pause()
        self.app.push_screen(Jump(self._timeline.turns), lambda turn: None if turn is None else self._go(turn))

    def action_sheet(self) -> None:
        """Show the sheet where there is room for one thing only."""
        self.remove_class("side")
        self.query_one("#sheet").focus()

    def action_side(self, what: str) -> None:
        """Show the log or the review."""
        self.add_class("side")
        self.query_one("#side", ContentSwitcher).current = what
        self.query_one(f"#{what}").focus()

    @on(OptionList.OptionSelected, "#log")
    def _chosen(self, message: OptionList.OptionSelected) -> None:
        """A line of the log was chosen: go to its turn."""
        self._pause()
        self._go(self._timeline.log(self.view)[message.option_index].turn)

    def _tick(self) -> None:
        if self._timer is None:
            return  # it was on its way when somebody paused
        self._go(self.turn + 1)
        if self.turn == self._timeline.turns:
            self._pause()
            self._show()

    def _pause(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._show_status()

    def _go(self, turn: int) -> None:
        self.turn = max(0, min(turn, self._timeline.turns))
        self._show()


class Jump(Dialog[int | None]):
    """Asks for the number of a turn."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, turns: int):
        super().__init__()
        self._turns = turns

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_subtitle = way_back()
            yield Static(tr("Jump to which turn? (0 to {turns})", turns=self._turns), markup=False)
            yield Input(type="integer", max_length=7, id="turn")
            yield Static(id="trouble", markup=False)

    @on(Input.Submitted)
    def _entered(self, message: Input.Submitted) -> None:
        text = message.value.strip()
        if text.isdecimal() and int(text) <= self._turns:
            self.dismiss(int(text))
        else:
            self.query_one("#trouble", Static).update(tr("A turn is a number from 0 to {turns}.", turns=self._turns))
