"""The base class of players: the questions that a player answers, and what it is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import inf
from random import Random
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from cluedo.ai.choosing import new_peek
from cluedo.engine.cards import Deck
from cluedo.engine.commands import Accusation, Hypothesis, Move, Peek, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.errors import SetupError, short_repr
from cluedo.engine.events import Event
from cluedo.engine.rules import Rules
from cluedo.engine.turn_questions import QUESTIONS, TurnQuestion
from cluedo.engine.view import PlayerView

__all__ = [
    "DEFAULT_THINK_LIMIT",
    "LEAST_SECONDS",
    "MOST_SECONDS",
    "USUAL_CLOCK",
    "Clock",
    "Movement",
    "Player",
    "Proxy",
    "check_clock",
]

Movement: TypeAlias = Roll | Move | SecretPassage | Stay
"""A command that belongs to the move of a turn."""


DEFAULT_THINK_LIMIT: Final = 30.0
"""Seconds that a player may take for one answer."""

LEAST_SECONDS: Final = 0.001
"""The shortest think limit, as a timer that goes off more often leaves a player no time between its signals."""
MOST_SECONDS: Final = 86_400.0
"""Seconds of a day, which no think limit and no time bank may exceed; the system cannot wait for any number."""


class Clock(NamedTuple):
    """The time limits of a player, in seconds; None for no limit.

    Attributes:
        think_limit: for each answer.
        time_bank: for all of a game, what its answers may take beyond that.
    """

    think_limit: float | None = DEFAULT_THINK_LIMIT
    time_bank: float = 0.0

    @property
    def limit_s(self) -> float:
        """The seconds for each answer; infinite where there is no limit."""
        return inf if self.think_limit is None else self.think_limit


USUAL_CLOCK: Final = Clock()
"""That of games for which nothing else is said."""


def check_clock(clock: object) -> None:
    """Raise :class:`SetupError` unless it is a Clock with time for an answer."""
    if not isinstance(clock, Clock):
        raise SetupError("a clock is a cluedo.Clock, such as Clock(think_limit=5), not {what}", what=short_repr(clock))
    seconds: tuple[object, object] = clock
    limit, bank = seconds
    if limit is not None and not (isinstance(limit, int | float) and LEAST_SECONDS <= limit <= MOST_SECONDS):
        raise SetupError(
            "a think limit is a number of seconds from {least:g} to {most:g}, or None, not {seconds}",
            least=LEAST_SECONDS,
            most=MOST_SECONDS,
            seconds=short_repr(limit),
        )
    if not (isinstance(bank, int | float) and 0 <= bank <= MOST_SECONDS):
        raise SetupError(
            "a time bank is a number of seconds from 0 to {most:g}, not {seconds}",
            most=MOST_SECONDS,
            seconds=short_repr(bank),
        )


_QUESTIONS: Final = {(question.method, step): question for question in QUESTIONS for step in question.steps}


class Player(ABC):
    """Somebody who plays a seat.

    Subclass it to write a bot: the four ``choose_`` answers are all that it has to define. Keyword arguments of
    ``__init__`` are the parameters of the level and may be set on the command line
    (``level:key=value``). A player is made anew for each game, knows what its views tell and what it
    is told by :meth:`notice`, and makes its random choices with :attr:`random`, never from a global generator.
    """

    random: Random
    """The player's own generator, set by :meth:`begin`."""

    clock: Clock
    """The time that it has, set before :meth:`begin`."""

    blame: Callable[[str], None] | None = None
    """Notes a fault that costs no choice; set by the match for a player that keeps its time."""

    keeps_time: ClassVar[bool] = False
    """Whether it sees to its clock itself, as a bot in a process of its own does; else the match interrupts it."""

    @classmethod  # noqa: B027 - most players have nothing to load
    def prepare(cls) -> None:
        """Load or compile what takes long. Called before games, perhaps several times.

        In a process of its own a player has a minute for it, or its think limit if that is longer.
        """

    @classmethod  # noqa: B027 - most players play any
    def check(cls, deck: Deck, rules: Rules, seats: int) -> None:
        """Raise :class:`~cluedo.engine.errors.CluedoError` for games that it cannot play."""

    def sit_down(self, seated: tuple[PlayerView, Random, Clock]) -> None:
        """Set the clock, and :meth:`begin`."""
        view, random, self.clock = seated
        self.begin(view, random)

    def begin(self, view: PlayerView, random: Random) -> None:  # noqa: ARG002 - for those who override it
        """Get ready: the cards are dealt and nothing has happened yet."""
        self.random = random

    def notice(self, event: Event) -> None:  # noqa: B027 - most players look at their view when asked, and need no telling
        """Take note of an event, as this seat sees it, right after it happened."""

    def over(self, view: PlayerView) -> None:  # noqa: B027 - most players have nothing left to do
        """Take note that the game is over: ``view`` tells who won, and how it ended."""

    @abstractmethod
    def choose_move(self, view: PlayerView) -> Movement:
        """How to move. Asked again after a :class:`Roll`, with ``view.reach`` saying where its pawn may walk."""

    @abstractmethod
    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        """What to ask about the room its pawn is in, or None. Asked only when a hypothesis is allowed."""

    @abstractmethod
    def choose_card(self, view: PlayerView) -> ShowCard:
        """Which of its cards to show to ``view.active``, who asked ``view.hypothesis``."""

    @abstractmethod
    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        """Whether to accuse. Asked once, at the end of each of its turns, where it is allowed."""

    def choose_peek(self, view: PlayerView) -> Peek | None:
        """Which card of the pool to look at, or None. Asked only when it is allowed (rule 15).

        Unless it is overridden: the first one that this seat has not looked at yet.
        """
        return new_peek(view)


class Proxy(Player):
    """A player that answers all questions in :meth:`answer`: for players in another process, and for wrappers."""

    @abstractmethod
    def answer(self, question: TurnQuestion, view: PlayerView) -> Any:
        """Answer a question of any kind."""

    def choose_move(self, view: PlayerView) -> Any:
        return self.answer(_QUESTIONS["choose_move", view.step], view)

    def choose_hypothesis(self, view: PlayerView) -> Any:
        return self.answer(_QUESTIONS["choose_hypothesis", view.step], view)

    def choose_card(self, view: PlayerView) -> Any:
        return self.answer(_QUESTIONS["choose_card", view.step], view)

    def choose_accusation(self, view: PlayerView) -> Any:
        return self.answer(_QUESTIONS["choose_accusation", view.step], view)

    def choose_peek(self, view: PlayerView) -> Any:
        return self.answer(_QUESTIONS["choose_peek", view.step], view)
