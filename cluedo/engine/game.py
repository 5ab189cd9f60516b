"""A game: a deal, an ordered log of commands, and the state that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from cluedo.engine import commands
from cluedo.engine.board import Board
from cluedo.engine.commands import Command
from cluedo.engine.deal import Deal, Seeds, draw_deal
from cluedo.engine.errors import IllegalCommand, SetupError, safe_repr, short_repr
from cluedo.engine.events import Event, Peeked, Secret, Shown, as_seen_by
from cluedo.engine.rules import Rules
from cluedo.engine.state import OVER, Reason, State, Table
from cluedo.engine.validation import whole_number
from cluedo.engine.view import BLOCK, Past, PlayerView, Seen, last_events

__all__ = ["Game", "Result"]

_SECRET = {kind: kind.secret for kind in commands.COMMANDS}


class Result(NamedTuple):
    """How a game ended: the winning seat or None, why, and how many turns were begun."""

    winner: int | None
    reason: Reason
    turns: int


class Game:
    """A game and its referee: it holds the state, checks each command, and returns the events.

    Attributes:
        table: the public side of the game.
        state: the whole state, open; players get a :meth:`view` instead.
        commands: the commands executed so far.

    >>> from cluedo import Board, EndTurn, Roll, Rules, Seeds
    >>> game = Game.begin(Board.load("classic"), Rules.from_options(["dice=1"]), Seeds(1, 0, 3))
    >>> game.legal()
    [Roll(), Stay()]
    >>> game.execute(EndTurn())
    Traceback (most recent call last):
        ...
    cluedo.engine.errors.IllegalCommand: the end of the turn is not possible now: the turn waits for a move (rule 4)
    >>> game.execute(Roll())
    (Rolled(seat=1, dice=(6,)),)
    >>> game.undo()
    Roll()
    """

    def __init__(self, board: Board, rules: Rules, deal: Deal):
        board.check_movement(rules)
        sizes = tuple([hand.bit_count() for hand in deal.hands])
        self.table = Table(board, rules, deal.suspects, sizes, deal.first, len(deal.pool), deal.open_cards)
        self._begin(deal)

    @classmethod
    def begin(cls, board: Board, rules: Rules, seeds: Seeds, suspects: Sequence[int] | None = None) -> Self:
        """A new game whose deal follows from the seeds; ``suspects`` by seat, the map's first ones if left out."""
        for given, kind in ((board, Board), (rules, Rules), (seeds, Seeds)):
            if not isinstance(given, kind):
                raise SetupError(
                    "a game begins with a Board, Rules and Seeds: {what} is no {kind}",
                    what=short_repr(given),
                    kind=kind.__name__,
                )
        return cls(board, rules, draw_deal(seeds, board.deck, rules, suspects))

    def _begin(self, deal: Deal) -> None:
        self.state = State.start(self.table, deal)
        self.commands: list[Command] = []
        self._past: Past = ()
        self._recent: tuple[Event, ...] = ()
        self._time_past = 0
        self._shown: list[tuple[int, Secret]] = []
        self._seen: list[Seen] = [()] * len(deal.hands)

    def __repr__(self) -> str:
        state = self.state
        return f"<game on {self.table.board.map.name}: turn {state.turn}, seat {state.to_act}, {state.step.name}>"

    def _repr_svg_(self) -> str | None:
        """The drawing of the board as it stands, for a notebook; None for a deck alone."""
        from cluedo.engine.board_svg import board_svg

        board = self.table.board
        return board_svg(board, self.state.pawns, self.state.weapons) if board.has_grid else None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far, with all cards open."""
        return last_events(self._past, self._recent, self._shown, self._time_past + len(self._recent), 0)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.step is OVER

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it goes on."""
        state = self.state
        return None if state.reason is None else Result(state.winner, state.reason, state.turn)

    def legal(self) -> list[Command]:
        """Every command that the seat to act may give now; empty once the game is over."""
        return commands.legal(self.state)

    def execute(self, command: Command) -> tuple[Event, ...]:
        """Check the command, do it, and return the events.

        Raises:
            IllegalCommand: in a sentence that names the rule; nothing has changed.
        """
        secret = _SECRET.get(type(command))
        if secret is None:
            raise IllegalCommand("{command} is not a command", command=safe_repr(command))
        state = self.state
        reason = command.why_not(state)
        if reason is not None:
            raise IllegalCommand(reason)
        happened = command.apply(state)
        self.commands.append(command)
        self._recent = recent = self._recent + (self._hidden(happened) if secret else happened)
        if len(recent) >= BLOCK:
            self._past, self._recent = (*self._past, recent), ()
            self._time_past += len(recent)
        return happened

    def undo(self) -> Command:
        """Take the last command back and return it; chance is put back with it.

        All commands but the last are executed again from the deal, so that none needs an inverse; a
        long game takes a millisecond. Views given out before stay as they are. Raises
        :class:`IllegalCommand` when nothing has been done.
        """
        if not self.commands:
            raise IllegalCommand("nothing has been done yet")
        *again, undone = self.commands
        self._begin(self.state.deal)
        for command in again:
            self.execute(command)
        return undone

    @property
    def revocable(self) -> bool:
        """Whether the last command may be taken back: nobody has learnt anything from it.

        So it is after a move alone: dice, answers, cards and verdicts, once seen, cannot be unseen.
        """
        return bool(self.commands) and self.commands[-1].silent

    def _hidden(self, happened: tuple[Event, ...]) -> tuple[Event, ...]:
        """The events for the other seats: a card that only some have seen is left out (rules 9 and 15)."""
        secret = happened[0]
        assert type(secret) is Shown or type(secret) is Peeked
        noted = ((self._time_past + len(self._recent), secret),)
        self._shown += noted
        for seat in secret.viewers:
            self._seen[seat] += noted
        return (as_seen_by(secret, None), *happened[1:])

    def at_deal(self) -> Game:
        """Another game that begins with the same deal."""
        return Game(self.table.board, self.table.rules, self.state.deal)

    def dealt(self, seat: int) -> PlayerView:
        """The view of a seat at the deal, before anything happens."""
        game = self.at_deal() if self.commands else self
        return game.view(seat)

    def _checked(self, seat: object) -> int:
        """A seat, perhaps numpy's, as a Python int."""
        most = len(self._seen) - 1
        if (number := whole_number(seat, 0, most)) is not None:
            return number
        raise SetupError("a seat is a number from 0 to {most}, not {seat}", most=most, seat=safe_repr(seat))

    def view(self, seat: int) -> PlayerView:
        """The view of a seat now; raises :class:`SetupError` for a seat that there is not."""
        if type(seat) is not int or not 0 <= seat < len(self._seen):
            seat = self._checked(seat)
        state = self.state
        shown = state.card_shown
        if shown is not None and seat != state.active and seat != state.refuted_by:
            shown = None
        fields = (
            self.table,
            seat,
            state.deal.hands[seat],
            state.turn,
            state.active,
            state.to_act,
            state.step,
            state.dice,
            state.reach,
            state.place,
            state.pawns,
            state.weapons,
            state.taken,
            state.used,
            state.eliminated,
            state.hypothesis,
            state.refuted_by,
            shown,
            state.peeked,
            state.face_up,
            state.winner,
            state.reason,
            self._past,
            self._recent,
            self._seen[seat],
            self._time_past + len(self._recent),
        )
        return tuple.__new__(PlayerView, fields)  # PlayerView(*fields) without a second call
