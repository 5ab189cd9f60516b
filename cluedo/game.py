"""A game: a deal, an ordered log of commands, and the state that follows from them."""

from __future__ import annotations

from typing import NamedTuple

from cluedo import commands
from cluedo.board import Board
from cluedo.commands import Command
from cluedo.deal import Deal
from cluedo.errors import IllegalCommand, SetupError
from cluedo.events import Event, Shown, as_seen_by
from cluedo.rules import Rules
from cluedo.state import Reason, State, Step, Table
from cluedo.view import PlayerView, SeatLog

__all__ = ["Game", "Result"]

_KINDS = frozenset(commands.KINDS)


class Result(NamedTuple):
    """How a game ended: the winning seat or None, why, and how many turns were begun."""

    winner: int | None
    reason: Reason
    turns: int


class _TurnStart(NamedTuple):
    """A turn's first moment, kept for undo."""

    commands: int
    events: int
    state: State


class Game:
    """The referee: it alone holds the state, checks each command and tells what happened.

    Attributes:
        table: the public side of the game.
        state: the whole state, open; players get a :meth:`view` instead.
        commands: the commands executed so far.
        events: the events so far, open.
    """

    def __init__(self, board: Board, rules: Rules, deal: Deal):
        if not board.has_grid and not rules.free:
            raise SetupError(f"the map {board.source} has no grid to walk on; play it with movement=free")
        self.table = Table.of(board, rules, deal)
        self.state = State.start(self.table, deal)
        self.commands: list[Command] = []
        self.events: list[Event] = []
        self._public: list[Event] = []
        self._private: list[dict[int, Shown]] = [{} for _ in deal.hands]
        self._logs = [SeatLog(self._public, private) for private in self._private]
        self._turns = [_TurnStart(0, 0, self.state.copy())]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.step is Step.OVER

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it goes on."""
        state = self.state
        return None if state.reason is None else Result(state.winner, state.reason, state.turn)

    def legal(self) -> list[Command]:
        """Every command that the seat to act may give now; empty once the game is over."""
        return commands.legal(self.state)

    def verify(self, command: Command) -> None:
        """Raise :class:`IllegalCommand`, in a sentence that names the rule, unless the command is allowed now."""
        if type(command) not in _KINDS:
            raise IllegalCommand(f"{command!r} is no command")
        command.verify(self.state)

    def execute(self, command: Command) -> tuple[Event, ...]:
        """Check the command, do it, and tell what happened; an illegal one changes nothing."""
        self.verify(command)
        return self._do(command)

    def undo(self) -> Command:
        """Take the last command back and return it; chance is put back with it.

        A turn's first moment is kept and the rest of the turn done again, so that no command needs
        an inverse. Raises :class:`IllegalCommand` when nothing has been done.
        """
        if not self.commands:
            raise IllegalCommand("nothing has been done yet")
        start = self._turns.pop()
        if start.commands == len(self.commands):
            start = self._turns.pop()
        *again, undone = self.commands[start.commands :]
        self.state = start.state
        self._turns.append(start._replace(state=start.state.copy()))
        del self.commands[start.commands :], self.events[start.events :]
        # Views given out before still read the old lists, so the shortened ones are new.
        self._public = self._public[: start.events]
        self._private = [{k: e for k, e in seen.items() if k < start.events} for seen in self._private]
        self._logs = [SeatLog(self._public, private) for private in self._private]
        for command in again:
            self._do(command)
        return undone

    def _do(self, command: Command) -> tuple[Event, ...]:
        turn = self.state.turn
        happened = command.apply(self.state)
        self.commands.append(command)
        for event in happened:
            if type(event) is Shown:
                k = len(self.events)
                self._private[event.seat][k] = self._private[event.asker][k] = event
                self._public.append(as_seen_by(event, None))
            else:
                self._public.append(event)
            self.events.append(event)
        if self.state.turn != turn:
            self._turns.append(_TurnStart(len(self.commands), len(self.events), self.state.copy()))
        return happened

    def view(self, seat: int) -> PlayerView:
        """What a seat may know now."""
        state = self.state
        shown = state.card_shown
        if shown is not None and seat != state.active and seat != state.refuted_by:
            shown = None
        return PlayerView(
            self.table,
            seat,
            state.deal.hands[seat],
            state.turn,
            state.active,
            state.to_act,
            state.step,
            state.dice,
            state.reach,
            tuple(state.pawns),
            tuple(state.weapons),
            tuple(state.used),
            state.eliminated,
            state.hypothesis,
            state.refuted_by,
            shown,
            state.winner,
            state.reason,
            self._logs[seat],
            len(self.events),
        )
