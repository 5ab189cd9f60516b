"""A match: asks the players of a game for their choices, one after another, until the game is over.

The match stands between players and game. A player that raises, answers nonsense, answers what the
rules forbid, or thinks for too long loses that one choice to a default that is always legal, and the
match goes on: the fault is noted, and neither the game nor its record is harmed.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar, TypeVarTuple

import cluedo
from cluedo.ai.absent import Absent
from cluedo.ai.player import USUAL_CLOCK, Clock, Player
from cluedo.ai.watchdog import OutOfTime, Watchdog
from cluedo.engine.commands import Command, EndTurn
from cluedo.engine.errors import IllegalCommand, SetupError, safe_repr
from cluedo.engine.events import Event, as_seen_by
from cluedo.engine.game import Game, Result
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import END, OVER
from cluedo.engine.turn import questions_by_step
from cluedo.engine.view import PlayerView

__all__ = ["Fault", "Match", "describe_frames"]

_FRAMES: Final = 3
"""Frames of a fault that are told."""

_PACKAGE: Final = str(Path(cluedo.__file__).parent)

Args = TypeVarTuple("Args")
T = TypeVar("T")

_END_TURN = EndTurn()
_FAULT: Any = object()
"""Stands for an answer that was not given."""


def _in_main_thread() -> bool:
    return current_thread() is main_thread()


class Fault(NamedTuple):
    """A choice that a seat lost: in which turn, what it did instead of choosing, and where in its code, if known."""

    seat: int
    turn: int
    text: str
    where: str = ""


class Match:
    """One game between players, from its deal or from wherever it stands.

    Players are made anew for each match: in a game that is under way they sit down at the deal, like in
    any other, and are told what has happened since. :meth:`play` plays to the end; :meth:`advance` one choice at a
    time, for a game with people in it, whose commands :meth:`execute` takes.

    Args:
        players: by seat; None where a person sits, who is not asked here.
        clock: the time that the players have.
        interrupted: whether a KeyboardInterrupt that comes while a player thinks is a person's, where that can
            be known (Ctrl-C comes to the main thread alone); one that is not is the player's own, and a fault.
        watchdog: one with the limit of the clock that is armed already, for many matches in a row.

    Attributes:
        game: the game, at any moment of it.
        players: by seat.
        faults: the choices lost so far.
        think_s: by seat, the seconds spent thinking.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player | None],
        randoms: Sequence[Random],
        clock: Clock = USUAL_CLOCK,
        *,
        interrupted: Callable[[], bool] = _in_main_thread,
        watchdog: Watchdog | None = None,
    ):
        if len(players) != game.table.seats or len(randoms) != len(players):
            raise SetupError("{seats} seats need as many players and generators", seats=game.table.seats)
        self.game = game
        self.players = list(players)
        self.faults: list[Fault] = []
        self.think_s = [0.0] * len(players)
        self._watchdog = watchdog or Watchdog(clock.limit_s)
        self._clock = clock
        self._limit = clock.limit_s
        self._banks = [inf if player and type(player).keeps_time else clock.time_bank for player in players]
        self._interrupted = interrupted
        self._questions = questions_by_step(game.table)
        # Only those who listen are told: most levels look at their view when they are asked.
        self._listeners = [seat for seat, p in enumerate(players) if p and type(p).notice is not Player.notice]
        self._until_over = [seat for seat, p in enumerate(players) if p and type(p).over is not Player.over]
        self._seated = False
        self._randoms = list(randoms)

    def play(self) -> Result:
        """Play to the end."""
        self.sit_down()
        with self._watchdog:
            while self.game.state.step is not OVER:
                self._choose()
            self._tell_if_over()
        result = self.game.result
        assert result is not None
        return result

    def sit_down(self) -> None:
        """Begin the players at the deal, and tell them what has happened since; only the first call does anything."""
        if self._seated:
            return
        self._seated = True
        game = self.game
        seated = [(seat, player) for seat, player in enumerate(self.players) if player is not None]
        for seat, player in seated:
            try:
                player.prepare()
            except BaseException as error:  # as below
                self._note_raised(seat, error)
        with self._watchdog:
            for seat, player in seated:
                self._call(seat, self._begin, player, game.dealt(seat), self._randoms[seat])
            if self._listeners:
                for event in game.events:
                    self._tell((event,))

    def _begin(self, player: Player, dealt: PlayerView, random: Random) -> None:
        player.clock = self._clock
        player.begin(dealt, random)

    def advance(self) -> None:
        """Let the player that the game waits for choose once; to neither ask nor accuse ends the turn (rule 4)."""
        self.sit_down()
        with self._watchdog:
            self._choose()
            self._tell_if_over()

    def execute(self, command: Command) -> None:
        """Do what a person chose, and tell the players; raises :class:`IllegalCommand`."""
        self.sit_down()
        with self._watchdog:
            self._tell(self.game.execute(command))
            if self.game.state.step is END:
                self._tell(self.game.execute(_END_TURN))
            self._tell_if_over()

    def _choose(self) -> None:
        """Let a player choose once, or do the default after a fault; end the turn if nothing is left to choose."""
        game = self.game
        state = game.state
        seat = state.to_act
        player = self.players[seat]
        assert player is not None, "a person's choice is not made here"
        for question in self._questions[state.step]:
            obstacle = question.obstacle
            if obstacle is not None and obstacle(state) is not None:
                continue
            answer = self._call(seat, player.answer, question, game.view(seat))
            happened: tuple[Event, ...] = ()
            if type(answer) in question.kinds:
                if answer is None:
                    continue
                try:
                    happened = game.execute(answer)
                except Exception as error:
                    self._blame_command(seat, answer, error)
            elif answer is not _FAULT:
                told = safe_repr(answer)
                self._blame(seat, Phrase("asked for {what}, answered {answer}", what=question.what, answer=told))
            if not happened:
                default = question.default(state)
                if default is None:
                    continue
                happened = game.execute(default)
            self._tell(happened)
            if state.step is END:
                break
            return
        self._tell(game.execute(_END_TURN))

    def _call(self, seat: int, method: Callable[[*Args], T], *args: *Args) -> T:
        """Call a method of a player within its time; returns its answer, or :data:`_FAULT` if it failed."""
        watchdog = self._watchdog
        limit = self._limit + self._banks[seat]
        answer: T = _FAULT
        asked_at = perf_counter()
        try:
            watchdog.deadline = asked_at + limit
            answer = method(*args)
            watchdog.deadline = inf
        except BaseException as error:  # a bot may raise anything, SystemExit included
            watchdog.deadline = inf
            self._note_raised(seat, error)
        taken = perf_counter() - asked_at
        self.think_s[seat] += taken
        if taken > self._limit:
            self._banks[seat] = max(0.0, limit - taken)
            if taken > limit and answer is not _FAULT:  # where nothing could interrupt it
                self._note_raised(seat, OutOfTime())
                answer = _FAULT
        return answer

    def _note_raised(self, seat: int, error: BaseException) -> None:
        """Note what a player raised as a fault; errors that have to end the match are raised again."""
        if isinstance(error, KeyboardInterrupt) and self._interrupted():
            raise error
        if isinstance(error, Absent):  # raised by ourselves for a bot that is elsewhere
            self._blame(seat, error.phrase)
            return
        if isinstance(error, OutOfTime):
            text = Phrase("took longer than {seconds:g} s", seconds=self._limit)
        else:
            text = Phrase("raised {error}", error=safe_repr(error))
        frames = [(f.f_code.co_filename, line, f.f_code.co_name) for f, line in traceback.walk_tb(error.__traceback__)]
        self._blame(seat, text, describe_frames(reversed(frames)))

    def _tell(self, happened: Sequence[Event]) -> None:
        for seat in self._listeners:
            player = self.players[seat]
            assert player is not None
            for event in happened:
                self._call(seat, player.notice, as_seen_by(event, seat))

    def _tell_if_over(self) -> None:
        if self.game.state.step is OVER:
            for seat in self._until_over:
                player = self.players[seat]
                assert player is not None
                self._call(seat, player.over, self.game.view(seat))

    def _blame_command(self, seat: int, command: Command, error: Exception) -> None:
        """Note a command that could not be executed as a fault."""
        if isinstance(error, IllegalCommand):
            self._blame(seat, Phrase("answered {answer}: {error}", answer=safe_repr(command), error=error.phrase))
        else:  # one made by tricks, without its fields
            kind, why = type(command).__name__, safe_repr(error)
            self._blame(seat, Phrase("answered a {kind} that cannot be read: {error}", kind=kind, error=why))

    def _blame(self, seat: int, text: str, where: str = "") -> None:
        self.faults.append(Fault(seat, self.game.state.turn, text, where))


def describe_frames(frames: Iterable[tuple[str, int, str]]) -> str:
    """The innermost places outside the package, as text, from frames (file, line, function), the innermost first."""
    not_theirs = _PACKAGE, "<"
    theirs = (f"{Path(file).name}:{line} in {name}" for file, line, name in frames if not file.startswith(not_theirs))
    return ", called at ".join(islice(theirs, _FRAMES))
