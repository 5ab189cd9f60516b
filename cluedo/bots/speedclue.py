"""Lets programs of the Speed Clue contest play here: its protocol of 2014, free movement, decks of 6, 6 and 9 cards.

The program is started in an empty folder with two arguments, an identifier and a port of this machine, connects there
and says that it is alive. From then on it answers each of our messages by one of its own, all of them in ASCII and at
most 512 bytes long. Programs rely on it that the contest's number of a player says how many cards that player holds:
numbers begin with the player who begins if the hands allow that, else where they do. The cards of a map stand for those
of the contest in their order.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

from cluedo.ai.loading import SPEED_CLUE
from cluedo.ai.match import NoAnswer
from cluedo.ai.player import Movement
from cluedo.bots.host import HostedBot, HostedPlayer
from cluedo.bots.process import BotProcess, BotTrouble, TooLate, quote
from cluedo.bots.protocol import BotName
from cluedo.engine.cards import Deck, Triple, bits
from cluedo.engine.commands import Accusation, Hypothesis, Move, ShowCard, Stay
from cluedo.engine.entries import Entry, entries_of
from cluedo.engine.errors import PlayerError
from cluedo.engine.events import Accused
from cluedo.engine.phrase import Phrase, one_of
from cluedo.engine.rules import Rules
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView

__all__ = ["ANSWER_S", "CODES", "LONGEST", "SpeedClueBot", "SpeedCluePlayer", "contest_sizes", "words_of", "written"]

_SUSPECTS: Final = ("Gr", "Mu", "Pe", "Pl", "Sc", "Wh")
_WEAPONS: Final = ("Ca", "Kn", "Pi", "Re", "Ro", "Wr")
_ROOMS: Final = ("Ba", "Bi", "Co", "Di", "Ha", "Ki", "Li", "Lo", "St")
CODES: Final = (*_SUSPECTS, *_WEAPONS, *_ROOMS)
"""By card id, what the contest calls it; most programs know no other case."""

LONGEST: Final = 512
"""Bytes that a message may have."""

ANSWER_S: Final = 10.0
"""Seconds that the contest allows for an answer."""

_SIZES: Final = (len(_SUSPECTS), len(_WEAPONS), len(_ROOMS))
_EXACTLY: Final = {code.lower(): code for code in CODES}
_LONGEST_NAME: Final = 100
_LOOK_S: Final = 0.1


def words_of(message: bytes) -> list[str]:
    """The words of a message in small letters, and its cards as in :data:`CODES`, whatever case they came in."""
    return [_EXACTLY.get(word, word) for word in _split(message.lower())]


def written(cards: Iterable[int]) -> str:
    """Cards as the contest writes them."""
    return " ".join(CODES[card] for card in cards)


def contest_sizes(seats: int) -> list[int]:
    """By the contest's number of a player, how many cards they hold.

    >>> contest_sizes(4)
    [5, 5, 4, 4]
    """
    dealt = len(CODES) - len(_SIZES)
    return [dealt // seats + (dealt % seats > index) for index in range(seats)]


class SpeedClueProcess(BotProcess):
    """A program of the contest, connected.

    Args:
        command: the program and its arguments.
        name: what its log is called after.
        ident: the identifier that it is given, in small letters.
        seconds: that it has to connect and to say that it is alive.
        exact: whether cards and words have to be written as the contest writes them.

    Raises:
        BotTrouble: it does not.
    """

    closed = Phrase("closed the connection")

    def __init__(self, command: Sequence[str], name: str, ident: str, seconds: float, *, exact: bool = False):
        self._exact = exact
        with socket.create_server(("127.0.0.1", 0)) as server:
            words = [*map(_wherever_it_runs, command), ident, str(server.getsockname()[1])]
            super().__init__(words, name, networked=True)
            try:
                self._channel = self._accept(server, monotonic() + seconds)
            except BaseException:
                super().end()
                raise
        try:
            self._check_answer([ident, "alive"], self._read_words(monotonic() + seconds, seconds))
        except BaseException:
            self.end()
            raise

    def _accept(self, server: socket.socket, deadline: float) -> socket.socket:
        server.settimeout(_LOOK_S)
        while monotonic() < deadline:
            with suppress(TimeoutError):
                return server.accept()[0]
            if self._process.poll() is not None:
                raise self.ended()
        raise TooLate("has not connected")

    def ask(self, message: str, seconds: float) -> list[str]:
        """Send a message; the words of its answer, as of :func:`words_of`. Raises :class:`BotTrouble`."""
        deadline = monotonic() + seconds
        try:
            self._channel.settimeout(None if seconds == inf else seconds)
            self._channel.sendall(message.encode("ascii"))
        except TimeoutError:
            raise TooLate("took longer than {seconds:g} s", seconds=seconds) from None
        except OSError:
            raise self.ended() from None
        return self._read_words(deadline, seconds)

    def tell(self, message: str, seconds: float, answer: str = "ok") -> None:
        """Send a message to which there is one answer; raises :class:`BotTrouble`."""
        self._check_answer([answer], self.ask(message, seconds))

    def end(self) -> None:
        self._channel.close()
        super().end()

    def _read_words(self, deadline: float, seconds: float) -> list[str]:
        """The next message; the end of one, a NUL or a line end, may come in a packet of its own."""
        words: list[str] = []
        while not words:
            left = deadline - monotonic()
            if left <= 0:  # line ends alone may come without a pause
                raise TooLate("took longer than {seconds:g} s", seconds=seconds)
            try:
                self._channel.settimeout(None if left == inf else left)
                data = self._channel.recv(LONGEST + 1)
            except TimeoutError:
                raise TooLate("took longer than {seconds:g} s", seconds=seconds) from None
            except OSError:
                data = b""
            if not data:
                raise self.ended()
            if len(data) > LONGEST:
                raise BotTrouble("wrote a line of more than {most:,} bytes", most=LONGEST)
            words = words_of(data)
            if self._exact and (said := _split(data)) != words:
                raise BotTrouble(
                    "wrote {text}, which is {wanted} in the contest",
                    text=quote(" ".join(said).encode()),
                    wanted=" ".join(words),
                )
        return words

    @staticmethod
    def _check_answer(wanted: list[str], heard: list[str]) -> None:
        if heard != wanted:
            raise _other_than(" ".join(wanted), heard)


class SpeedCluePlayer(HostedPlayer[SpeedClueProcess]):
    """A seat that a program of the contest plays."""

    _bot: SpeedClueBot

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._wanted: Hypothesis | None = None
        self._suggested: set[Triple] = set()
        self._zero = _number_zero(view.table)
        if self._bot.exact:
            self._limit = min(self._limit, ANSWER_S)

    def choose_move(self, view: PlayerView) -> Movement:
        self._wanted = None
        three = self._cards(self._ask(view, "suggest"), "suggest")
        if self._bot.exact and three in self._suggested:
            raise self._bot.failed(BotTrouble("made the same suggestion again, {cards}", cards=written(three)))
        self._suggested.add(three)
        self._wanted = Hypothesis(*three)
        place = view.board.room_place(three[2])
        return Stay() if place == view.place else Move(place)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:  # noqa: ARG002 - it was said before the move
        return self._wanted

    def choose_card(self, view: PlayerView) -> ShowCard:
        choices = bits(ShowCard.choices(view))
        if len(choices) == 1:
            return ShowCard(choices[0])
        assert view.hypothesis is not None
        heard = self._ask(view, f"disprove {self._index(view.active)} {written(view.hypothesis)}")
        if len(heard) != 2 or heard[0] != "show" or heard[1] not in [CODES[card] for card in choices]:
            raise self._bot.failed(_other_than(one_of([f"show {CODES[card]}" for card in choices]), heard))
        return ShowCard(CODES.index(heard[1]))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        heard = self._ask(view, "accuse")
        return None if heard == ["-"] else Accusation(*self._cards(heard, "accuse"))

    def over(self, view: PlayerView) -> None:
        if self._informed is not None and self._informed.alive:
            self._process(view)

    def _cards(self, heard: list[str], word: str) -> Triple:
        if len(heard) == 4 and heard[0] == word:
            kinds = zip(heard[1:], (_SUSPECTS, _WEAPONS, _ROOMS), strict=True)
            three = [CODES.index(said) for said, codes in kinds if said in codes]
            if len(three) == 3:
                return three[0], three[1], three[2]
        wanted = Phrase("{word} and a suspect, a weapon and a room", word=word)
        raise self._bot.failed(_other_than(wanted, heard))

    def _ask(self, view: PlayerView, question: str) -> list[str]:
        """What the program answers once it knows what has happened; raises :class:`NoAnswer`."""
        process = self._process(view)
        with self._talking():
            return process.ask(question, self._limit)

    def _process(self, view: PlayerView) -> SpeedClueProcess:
        """The process, which knows all that has happened in this game; raises :class:`NoAnswer`."""
        if (absent := self._bot.absent()) is not None:
            raise absent
        try:
            self._bot.check(view.deck, view.rules)
        except PlayerError as error:
            raise NoAnswer(error.phrase) from None
        if self._zero is None:
            raise NoAnswer("Speed Clue deals one by one, from its first player on: no numbers fit these hands")
        with self._talking():
            process = self._bot.start(self._limit)
            if process is not self._informed:
                seats = self._dealt.table.seats
                process.tell(f"reset {seats} {self._index(view.seat)} {written(bits(view.hand))}", self._limit)
                self._informed, self._events_sent = process, 0
            entries = entries_of(view.events, view.table)
            whole = entries[:-1] if view.hypothesis and view.to_act != view.active else entries
            for entry in whole[self._events_sent :]:
                process.tell(self._message(entry), self._limit)
            self._events_sent = len(whole)
        return process

    def _message(self, entry: Entry) -> str:
        """What everybody is told of a hypothesis and its answer, or of an accusation."""
        named, by = written(entry.cards), self._index(entry.by)
        if isinstance(entry.head, Accused):
            return f"accusation {by} {named} {'+' if entry.head.correct else '-'}"
        shower = "-" if entry.refuter is None else str(self._index(entry.refuter))
        card = "" if entry.card is None else f" {CODES[entry.card]}"
        return f"suggestion {by} {named} {shower}{card}"

    def _index(self, seat: int) -> int:
        """The contest's number of a seat."""
        assert self._zero is not None
        return (seat - self._zero) % self._dealt.table.seats


class SpeedClueBot(HostedBot[SpeedClueProcess]):
    """A program of the contest that plays one place of a line-up.

    Args:
        command, text, number: as of :class:`HostedBot`.
        exact: whether it may do nothing that the contest's own server would not take.

    Attributes:
        ident: the identifier that it is given; it says who plays.
    """

    player_class = SpeedCluePlayer

    def __init__(self, command: Iterable[str], text: str, number: int = 0, *, exact: bool = False):
        super().__init__(command, text, number)
        said = re.sub(r"[^a-z0-9]+", "-", text.removeprefix(SPEED_CLUE).lower())
        self.ident = f"{said[-_LONGEST_NAME:].strip('-')}-{self.number + 1}"
        self.exact = exact

    def check(self, deck: Deck, rules: Rules) -> None:
        sizes = tuple(map(len, deck.ids))
        if not rules.free or sizes != _SIZES:
            raise PlayerError(
                "{text}: Speed Clue is played with movement=free and 6, 6 and 9 cards, such as those of classic; "
                "--edition speedclue sets all that",
                text=self.text,
            )
        if not rules.model_copy(update={"last_wins": False}).of_the_box:
            raise PlayerError(
                "{text}: Speed Clue is played without the rules of editions, except last_wins", text=self.text
            )

    def _open(self, allowance: float) -> SpeedClueProcess:
        process = SpeedClueProcess(self.command, self.text, self.ident, allowance, exact=self.exact)
        self.name = BotName(self.ident, "")
        return process


def _number_zero(table: Table) -> int | None:
    """The seat from which on the contest's numbers fit the hands, the first to begin if it does; None if none does."""
    seats, sizes = table.seats, contest_sizes(table.seats)
    for zero in range(table.first, table.first + seats):
        if all(table.hand_sizes[(zero + index) % seats] == size for index, size in enumerate(sizes)):
            return zero % seats
    return None


def _split(message: bytes) -> list[str]:
    return message.decode("ascii", "replace").replace("\0", " ").split()


def _wherever_it_runs(word: str) -> str:
    """A word of a command in which what is a path here (as twice in ``--files=a.jar:b.jar``) is a full path."""

    def full(part: re.Match[str]) -> str:
        exists = os.path.exists(part[0])  # noqa: PTH110 - Path raises for a word that is too long for a path
        return str(Path(part[0]).absolute()) if exists else part[0]

    return re.sub(r"[^=:]+", full, word)


def _other_than(wanted: str, heard: list[str]) -> BotTrouble:
    """The error for an answer that is not what was asked for."""
    return BotTrouble("answered {text} instead of {wanted}", text=quote(" ".join(heard).encode()), wanted=wanted)
