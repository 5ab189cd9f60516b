"""A match: seats the players of a game, and asks them for their choices, one after another, until it is over.

The match stands between players and game. A player that raises, answers nonsense, answers what the
rules forbid, or thinks for too long loses that one choice to a default that is always legal, and the
match goes on: the fault is noted, and neither the game nor its record is harmed.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any, Final, NamedTuple, NoReturn

import cluedo
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import USUAL_CLOCK, Clock, Player, Proxy, check_clock
from cluedo.ai.watchdog import OutOfTime, Watchdog
from cluedo.engine.codec import command_text
from cluedo.engine.commands import Command, EndTurn
from cluedo.engine.deal import Seeds, places_by_seat
from cluedo.engine.errors import IllegalCommand, PlayerError, SetupError, by_a_person, in_short, safe_repr, short_repr
from cluedo.engine.events import Event, as_seen_by
from cluedo.engine.game import Game, Result
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import END, OVER
from cluedo.engine.turn_questions import QUESTIONS_BY_STEP, TurnQuestion
from cluedo.engine.view import PlayerView

__all__ = ["AbsentPlayer", "Fault", "Match", "NoAnswer", "player_or_absent", "seat_players", "where_raised"]


class NoAnswer(PlayerError):
    """Raised in the place of an answer: the choice is lost, and the text says why."""


class AbsentPlayer(Proxy):
    """Stands in for a player that cannot play: raises :class:`NoAnswer` at every question.

    Args:
        why: what its faults say.
    """

    def __init__(self, why: str):
        self._why = why

    def answer(self, question: TurnQuestion, view: PlayerView) -> NoReturn:  # noqa: ARG002 - whatever is asked
        raise NoAnswer(self._why)


def player_or_absent(spec: PlayerSpec) -> Player:
    """A new player, or an absent one if its constructor raises."""
    try:
        return spec.make()
    except BaseException as error:
        if by_a_person(error):
            raise
        return AbsentPlayer(Phrase("the player cannot be made: {error}", error=in_short(error)))


_FRAMES: Final = 3
"""Frames of a fault that are told."""

_PACKAGE: Final = str(Path(cluedo.__file__).parent)

_END_TURN = EndTurn()
_FAULT: Any = object()
"""Stands for an answer that was not given."""
_PERSONS: Final = Phrase("a person chooses here, and execute takes the command")


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
        game: begun, and perhaps under way.
        players: by seat; None where a person sits, who is not asked here.
        randoms: by seat, the generator that the player makes its random choices with.
        clock: the time that the players have.
        interrupted: whether a KeyboardInterrupt that comes while a player thinks is a person's, where that can
            be known (Ctrl-C comes to the main thread alone); one that is not is the player's own, and a fault.
        watchdog: one with the limit of the clock that is armed already, for many matches in a row.

    Attributes:
        game: the game, at any moment of it.
        players: by seat.
        faults: the choices lost so far, and what failed while it was told something.
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
        check_clock(clock)
        self.game = game
        self.players = list(players)
        self.faults: list[Fault] = []
        self.think_s = [0.0] * len(players)
        self._watchdog = watchdog or Watchdog(clock.limit_s)
        self._clock = clock
        self._limit = clock.limit_s
        self._interrupted = interrupted
        # By seat, the limit and what is left of the time bank.
        self._limits = [self._limit + clock.time_bank] * len(players)
        # Only those who listen are told: most levels look at their view when they are asked.
        self._listeners: list[int] = []
        self._until_over: list[int] = []
        for seat, player in enumerate(players):
            if player is None:
                continue
            kind = type(player)
            if not hasattr(kind, "keeps_time"):
                raise PlayerError("a match seats objects of Player, not {what}", what=short_repr(player))
            if kind.keeps_time:
                self._limits[seat] = inf
                player.blame = partial(self._blame, seat)
            if kind.notice is not Player.notice:
                self._listeners.append(seat)
            if kind.over is not Player.over:
                self._until_over.append(seat)
        self._seated = False
        self._randoms = list(randoms)

    def play(self) -> Result:
        """Play to the end; raises :class:`SetupError` where a person sits at the table."""
        if None in self.players:
            raise SetupError(_PERSONS)
        self.sit_down()
        with self._watchdog:
            self._let_choose()
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
            for seat, _ in seated:
                self._call(seat, "sit_down", (game.dealt(seat), self._randoms[seat], self._clock))
            if self._listeners:
                for event in game.events:
                    self._tell((event,))

    def advance(self) -> None:
        """Let the player that the game waits for choose once; to neither ask nor accuse ends the turn (rule 4).

        Raises:
            SetupError: the game waits for a person.
        """
        if self.players[self.game.state.to_act] is None:
            raise SetupError(_PERSONS)
        self.sit_down()
        with self._watchdog:
            self._let_choose(once=True)

    def execute(self, command: Command) -> None:
        """Do what a person chose, and tell the players; raises :class:`IllegalCommand`."""
        self.sit_down()
        with self._watchdog:
            self._tell(self.game.execute(command))
            if self.game.state.step is END:
                self._tell(self.game.execute(_END_TURN))
            self._tell_if_over()

    def _let_choose(self, *, once: bool = False) -> None:
        """Let players choose until the game is over, or one of them once; a turn with nothing left to choose ends."""
        game, listeners = self.game, self._listeners
        state = game.state
        while state.step is not OVER:
            seat = state.to_act
            for question in QUESTIONS_BY_STEP[state.step]:
                if (obstacle := question.obstacle) is not None and obstacle(state) is not None:
                    continue
                answer = self._call(seat, question.method, game.view(seat))
                happened = None
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
                if happened is None:
                    default = question.default(state)
                    if default is None:
                        continue
                    happened = game.execute(default)
                if listeners:
                    self._tell(happened)
                if state.step is not END:
                    break
            else:
                happened = game.execute(_END_TURN)
                if listeners:
                    self._tell(happened)
            if once:
                break
        self._tell_if_over()

    def _call(self, seat: int, method: str, told: object) -> Any:
        """Call a method of a player within its time; returns its answer, or :data:`_FAULT` if it failed."""
        watchdog, limits = self._watchdog, self._limits
        asked_at = perf_counter()
        try:
            watchdog.deadline = asked_at + limits[seat]
            answer = getattr(self.players[seat], method)(told)
            watchdog.deadline = inf
        except BaseException as error:  # a bot may raise anything, SystemExit included
            watchdog.deadline = inf
            answer = _FAULT
            self._note_raised(seat, error)
        taken = perf_counter() - asked_at
        self.think_s[seat] += taken
        if taken > self._limit:
            limit = limits[seat]
            limits[seat] = self._limit + max(0.0, limit - taken)
            if taken > limit and answer is not _FAULT:  # where nothing could interrupt it
                self._note_raised(seat, OutOfTime())
                answer = _FAULT
        return answer

    def _note_raised(self, seat: int, error: BaseException) -> None:
        """Note what a player raised as a fault; errors that have to end the match are raised again."""
        if isinstance(error, KeyboardInterrupt) and self._interrupted():
            raise error
        if isinstance(error, NoAnswer):  # raised by ourselves for a bot that is elsewhere
            self._blame(seat, error.phrase)
            return
        if isinstance(error, OutOfTime):
            text = Phrase("took longer than {seconds:g} s", seconds=self._limit)
        else:
            text = Phrase("raised {error}", error=safe_repr(error))
        self._blame(seat, text, where_raised(error))

    def _tell(self, happened: Sequence[Event]) -> None:
        for seat in self._listeners:
            for event in happened:
                self._call(seat, "notice", as_seen_by(event, seat))

    def _tell_if_over(self) -> None:
        if self.game.state.step is OVER:
            for seat in self._until_over:
                self._call(seat, "over", self.game.view(seat))

    def _blame_command(self, seat: int, command: Command, error: Exception) -> None:
        """Note a command that could not be executed as a fault."""
        if isinstance(error, IllegalCommand):
            answer = command_text(command, self.game.table.board)
            self._blame(seat, Phrase("answered {answer}: {error}", answer=answer, error=error.phrase))
        else:  # one made by tricks, without its fields
            kind, why = type(command).__name__, safe_repr(error)
            self._blame(seat, Phrase("answered a {kind} that cannot be read: {error}", kind=kind, error=why))

    def _blame(self, seat: int, text: str, where: str = "") -> None:
        self.faults.append(Fault(seat, self.game.state.turn, text, where))


def seat_players(
    line_up: Sequence[PlayerSpec | Player | None], seeds: Seeds, rotation: int = 0
) -> tuple[list[Player | None], list[Random]]:
    """The players and their generators by seat: ``Match(game, *seat_players(line_up, seeds))`` plays a game.

    Args:
        line_up: by place, a player, or how one is made, anew for each game; None for a person.
        seeds: of the deal; whoever sits on a place has the same chances on whatever seat.
        rotation: by how many seats the line-up is turned round the table.
    """
    players = [player_or_absent(who) if isinstance(who, PlayerSpec) else who for who in line_up]
    places = places_by_seat(len(players), rotation)
    return [players[place] for place in places], [seeds.for_player(rotation, place) for place in places]


def where_raised(error: BaseException) -> str:
    """The innermost lines of code outside the package by which an error was raised, as text."""
    codes = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    theirs = (
        f"{Path(code.co_filename).name}:{line} in {code.co_name}"
        for code, line in reversed(codes)
        if not code.co_filename.startswith((_PACKAGE, "<"))
    )
    return ", called at ".join(islice(theirs, _FRAMES))
