"""The host's side of the protocol of bots: a player that passes each question on to a program.

A program that hangs, ends, floods or talks nonsense loses the choice, and is started again for the next one; after
:data:`MOST_FAILURES` of these within a chunk of games it plays by the defaults for the rest. What a chunk holds does
not depend on other chunks: a program that has failed begins the next one anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from random import Random
from time import perf_counter
from typing import Any, ClassVar, Final, Generic, TypeVar

from cluedo.ai.loading import is_program
from cluedo.ai.match import NoAnswer
from cluedo.ai.player import Player, Proxy
from cluedo.bots import protocol
from cluedo.bots.process import BotProcess, BotTrouble, LineProcess, TooLate
from cluedo.bots.protocol import BotName
from cluedo.engine.cards import Deck
from cluedo.engine.commands import Command
from cluedo.engine.errors import CluedoError
from cluedo.engine.rules import Rules
from cluedo.engine.turn_questions import TurnQuestion
from cluedo.engine.view import PlayerView

__all__ = [
    "MOST_FAILURES",
    "STARTUP_S",
    "HostedBot",
    "HostedPlayer",
    "ProtocolBot",
    "ProtocolPlayer",
]

STARTUP_S: Final = 60.0
"""Seconds that a program has from its start to its hello, unless the think limit is longer."""

MOST_FAILURES: Final = 3
"""How often a program may fail within a chunk of games before it plays by the defaults for the rest."""

_FAREWELL_S: Final = 1.0
"""Seconds to tell a program that the game is over."""

P = TypeVar("P", bound=BotProcess)


class HostedBot(ABC, Generic[P]):
    """A program that plays for one place of a line-up: its process over many games, and how often it has failed.

    Args:
        command: the program and its arguments.
        text: as the line-up has it.
        number: how many places before it the same program plays.

    Attributes:
        player_class: the class of its players.
        name: what the program says of itself, once it was started.
    """

    player_class: ClassVar[type[HostedPlayer[Any]]]

    def __init__(self, command: Iterable[str], text: str, number: int = 0):
        self.command = tuple(command)
        self.text = text
        self.number = number
        self.name: BotName | None = None
        self._process: P | None = None
        self._failures = 0
        self._why_absent = ""

    def player(self) -> HostedPlayer[P]:
        """A seat of a new game that it plays."""
        return self.player_class(self)

    @abstractmethod
    def _open(self, allowance: float) -> P:
        """Start it and greet it, which may take so long; raises :class:`BotTrouble`, and leaves nothing running."""

    def check(self, deck: Deck, rules: Rules) -> None:
        """Raise :class:`PlayerError` for games that it cannot play."""

    def start(self, limit: float = 0.0) -> P:
        """Its process, started if it does not run; ``limit`` is the time for that in seconds, if it is more than usual.

        Raises:
            BotTrouble: it cannot be started.
        """
        if self._process is None or not self._process.alive:
            self._process = self._open(STARTUP_S if limit == inf else max(STARTUP_S, limit))
        return self._process

    def end(self) -> None:
        """End its process; it is started again when it is needed."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def forget_failures(self) -> None:
        """Forget earlier failures: a new chunk of games begins."""
        if self._failures:
            self.end()
        self._failures, self._why_absent = 0, ""

    def failed(self, trouble: BotTrouble) -> NoAnswer:
        """Count a failure of its process, and end it; returns the error to be raised."""
        self.end()
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            self._why_absent = trouble.phrase
        return self.absent() or NoAnswer(trouble.phrase)

    def absent(self) -> NoAnswer | None:
        """The error if it has failed so often that it plays no more in this chunk, else None."""
        if not self._why_absent:
            return None
        return NoAnswer(
            "{why}; after {failures} failures absent from these games", why=self._why_absent, failures=MOST_FAILURES
        )


class HostedPlayer(Player, Generic[P]):
    """A seat of a game that a program plays.

    Args:
        bot: the program.
    """

    keeps_time = True

    def __init__(self, bot: HostedBot[P]):
        self._bot = bot

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._dealt = view
        self._limit = self.clock.limit_s
        self._informed: P | None = None  # the process that knows of this game
        self._events_sent = 0

    @contextmanager
    def _talking(self) -> Iterator[None]:
        """Talk to the program inside the ``with``: trouble counts as a failure and raises :class:`NoAnswer`."""
        try:
            yield
        except BotTrouble as trouble:
            raise self._bot.failed(trouble) from None
        except CluedoError:
            raise
        except BaseException:  # a Ctrl-C: nobody knows where in its talk the program is
            self._bot.end()
            raise


class ProtocolPlayer(HostedPlayer[LineProcess], Proxy):
    """A seat that a program plays over our protocol."""

    _bot: ProtocolBot

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._bank = self.clock.time_bank
        self._number = 0

    def over(self, view: PlayerView) -> None:
        process = self._informed
        if process is None or not process.alive:
            return
        message = protocol.line_of(protocol.result_message(view, self._events_sent))
        with self._talking():
            if protocol.FAULTS not in self._bot.wants:
                process.tell(message, _FAREWELL_S)
                return
            protocol.read_faults(self._ask(process, message), self.blame)

    def _process(self) -> LineProcess:
        """The process, which knows of this game; raises :class:`NoAnswer`."""
        bot = self._bot
        if (absent := bot.absent()) is not None:
            raise absent
        if self._informed is not None and self._informed.alive:
            return self._informed
        with self._talking():
            process = bot.start(self._limit)
            game = protocol.game_message(self._dealt, self.clock, self.random, stream=protocol.STREAM in bot.wants)
            process.tell(protocol.line_of(game), self._limit)
            self._informed, self._events_sent = process, 0
        return process

    def answer(self, question: TurnQuestion, view: PlayerView) -> Command | None:
        """What the program answers; raises :class:`NoAnswer` where it does not."""
        process = self._process()
        self._number += 1
        choices = protocol.NO_CHOICES not in self._bot.wants
        message = protocol.line_of(
            protocol.question_message(self._number, question, view, self._events_sent, self._bank, choices=choices)
        )
        self._events_sent = view.time
        with self._talking():
            line = self._ask(process, message)
            return protocol.read_answer(line, self._number, question, view.board, self.blame)

    def _ask(self, process: LineProcess, message: bytes) -> bytes:
        """What the program answers in its time; raises :class:`BotTrouble`."""
        began = perf_counter()
        try:
            line = process.ask(message, self._limit + self._bank)
        except TooLate:
            self._bank = 0.0
            if self.clock.time_bank:
                raise TooLate(
                    "took longer than {seconds:g} s, with nothing left in its time bank", seconds=self._limit
                ) from None
            raise TooLate("took longer than {seconds:g} s", seconds=self._limit) from None
        self._bank -= max(0.0, perf_counter() - began - self._limit)
        return line


class ProtocolBot(HostedBot[LineProcess]):
    """A program that speaks our protocol.

    Attributes:
        wants: what it asked for in its hello.
    """

    player_class = ProtocolPlayer
    wants: frozenset[str] = frozenset()

    def _open(self, allowance: float) -> LineProcess:
        process = LineProcess(self.command, self.text)
        try:
            hello = process.ask(protocol.line_of(protocol.hello_message()), allowance)
            self.name, self.wants = protocol.read_hello(hello)
        except TooLate:
            process.end()
            if not is_program(self.text):
                raise BotTrouble("could not be loaded within {seconds:g} s", seconds=allowance) from None
            raise BotTrouble(
                "did not answer the hello within {seconds:g} s; it has to flush its output after each line",
                seconds=allowance,
            ) from None
        except BaseException:
            process.end()
            raise
        return process
