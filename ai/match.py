"""A match: players at a table, asked in turn, until the game is over.

The match stands between players and game. A player that raises, answers nonsense, answers what the
rules forbid, or thinks for too long loses that one choice to a default that is always legal, and the
match goes on: the fault is noted, and neither the game nor its record is harmed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Final, NamedTuple, TypeVar, TypeVarTuple

from cluedo.ai.player import Player
from cluedo.ai.watchdog import OutOfTime, Watchdog
from cluedo.commands import Accusation, Command, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.errors import CluedoError, IllegalCommand
from cluedo.events import as_seen_by
from cluedo.game import Game, Result
from cluedo.state import Step
from cluedo.view import PlayerView

__all__ = ["DEFAULT_THINK_LIMIT", "Fault", "Match", "MatchStopped"]

DEFAULT_THINK_LIMIT: Final = 30.0
"""Seconds that a player may take for one answer."""

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_MOVES = (Roll, Move, SecretPassage, Stay)
_END_TURN = EndTurn()
_NoneType: Final = type(None)


class MatchStopped(BaseException):
    """Raised by a player, or by whoever sits in its place, to leave the match: no fault, not caught here."""


class Fault(NamedTuple):
    """A choice that a seat lost: in which turn, and what it did instead of choosing."""

    seat: int
    turn: int
    text: str


class Match:
    """One game between players.

    Attributes:
        game: the game, at any moment of it.
        players: by seat.
        faults: the choices lost so far.
        think_s: by seat, the seconds spent thinking.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        randoms: Sequence[Random],
        think_limit: float | None = DEFAULT_THINK_LIMIT,
    ):
        if len(players) != game.table.seats or len(randoms) != len(players):
            raise CluedoError(f"{game.table.seats} seats need as many players and generators")
        self.game = game
        self.players = list(players)
        self.faults: list[Fault] = []
        self.think_s = [0.0] * len(players)
        self._watchdog = Watchdog(think_limit)
        # Only those who listen are told: most levels look at their view when they are asked.
        self._listeners = [seat for seat, p in enumerate(players) if type(p).notice is not Player.notice]
        self._randoms = list(randoms)

    def play(self) -> Result:
        """Play to the end."""
        with self._watchdog:
            for seat, player in enumerate(self.players):
                self._ask(seat, player.begin, self.game.view(seat), self._randoms[seat])
            while self.game.state.step is not Step.OVER:
                self._turn()
        result = self.game.result
        assert result is not None
        return result

    def _turn(self) -> None:
        """One turn of the active seat (rule 4)."""
        state = self.game.state
        seat = state.active
        player = self.players[seat]
        self._decide(seat, player.choose_move, _MOVES, Stay())
        if state.step is Step.WALK:
            self._decide(seat, player.choose_move, _MOVES, Stay())
        if state.step is Step.ASK:
            self._decide(seat, player.choose_hypothesis, (Hypothesis, _NoneType), None)
            if state.step is Step.REFUTE:
                shower = state.to_act
                default = next(ShowCard.legal(state))
                self._decide(shower, self.players[shower].choose_card, (ShowCard,), default)
        self._decide(seat, player.choose_accusation, (Accusation, _NoneType), None)
        if state.step is not Step.OVER:
            self._execute(_END_TURN)

    def _decide(
        self,
        seat: int,
        choose: Callable[[PlayerView], Command | None],
        kinds: tuple[type, ...],
        default: Command | None,
    ) -> None:
        """Ask for a command and execute it; at fault, execute the default. None stands for doing nothing."""
        answered, command = self._ask(seat, choose, self.game.view(seat))
        if answered:
            if type(command) in kinds:
                if command is None:
                    return
                try:
                    self._execute(command)
                except IllegalCommand as error:
                    self._blame(seat, f"answered {command!r}: {error}")
                else:
                    return
            else:
                self._blame(seat, f"{choose.__name__} answered {command!r}"[:200])
        if default is not None:
            self._execute(default)

    def _ask(self, seat: int, question: Callable[[*Ts], T], *about: *Ts) -> tuple[bool, T | None]:
        """The player's answer to a question: ``(True, answer)``, or ``(False, None)`` at fault."""
        watchdog = self._watchdog
        fault = None
        answer = None
        watchdog.asked_at = asked_at = perf_counter()
        try:
            try:
                answer = question(*about)
            finally:
                watchdog.asked_at = None
        except OutOfTime:
            pass  # said below, as of an answer that came too late
        except (KeyboardInterrupt, MatchStopped):
            raise
        except BaseException as error:  # a bot may raise anything, SystemExit included
            fault = f"raised {type(error).__name__}: {error}"[:200]
        taken = perf_counter() - asked_at
        self.think_s[seat] += taken
        if watchdog.limit is not None and taken > watchdog.limit:
            fault = f"took longer than {watchdog.limit:g} s"
        if fault is None:
            return True, answer
        self._blame(seat, fault)
        return False, None

    def _execute(self, command: Command) -> None:
        happened = self.game.execute(command)
        for seat in self._listeners:
            for event in happened:
                self._ask(seat, self.players[seat].notice, as_seen_by(event, seat))

    def _blame(self, seat: int, text: str) -> None:
        self.faults.append(Fault(seat, self.game.state.turn, text))
