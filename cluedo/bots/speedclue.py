"""Lets programs of the Speed Clue contest play here: its protocol of 2014, free movement, decks of 6, 6 and 9 cards.

The program is started with two arguments, an identifier and a port of this machine, connects there and says that it is
alive. From then on it answers each of our messages by one of its own, all of them in ASCII and at most 512 bytes long.
Its players count from the one who begins. The cards of a map stand for those of the contest in their order.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from random import Random
from time import monotonic
from typing import Final

from cluedo.ai.absent import Absent
from cluedo.ai.player import Movement, Player
from cluedo.bots.host import FAREWELL_S, HostedBot, HostedPlayer
from cluedo.bots.process import BotTrouble, StartedProgram, TooLate, quote
from cluedo.engine.cards import Deck, Triple, bits
from cluedo.engine.commands import Accusation, Hypothesis, Move, ShowCard, Stay
from cluedo.engine.entries import Entry, entries_of
from cluedo.engine.errors import PlayerError
from cluedo.engine.events import Accused
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView

__all__ = ["CODES", "SpeedClueBot", "SpeedCluePlayer"]

_SUSPECTS: Final = ("gr", "mu", "pe", "pl", "sc", "wh")
_WEAPONS: Final = ("ca", "kn", "pi", "re", "ro", "wr")
_ROOMS: Final = ("ba", "bi", "co", "di", "ha", "ki", "li", "lo", "st")
CODES: Final = (*_SUSPECTS, *_WEAPONS, *_ROOMS)
"""By card id, what the contest calls it."""

_SIZES: Final = (len(_SUSPECTS), len(_WEAPONS), len(_ROOMS))
_IDENT: Final = "cluedo"
_LONGEST: Final = 512
_LOOK_S: Final = 0.1


class SpeedClueProcess(StartedProgram):
    """A program of the contest, connected.

    Args:
        command: the program and its arguments.
        name: what its log is called after.
        seconds: that it has to connect and to say that it is alive.

    Raises:
        BotTrouble: it does not.
    """

    def __init__(self, command: Sequence[str], name: str, seconds: float):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            super().__init__([*command, _IDENT, str(port)], name, piped=False, network=True)
            try:
                self._channel = self._accept(server, monotonic() + seconds)
                self._check_answer([_IDENT, "alive"], self._read_words(seconds))
            except BaseException:
                super().end()
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
        """Send a message; the words of its answer, in small letters. Raises :class:`BotTrouble`."""
        try:
            self._channel.settimeout(None if seconds == inf else seconds)
            self._channel.sendall(message.encode("ascii"))
        except TimeoutError:
            raise TooLate("took longer than {seconds:g} s", seconds=seconds) from None
        except OSError:
            raise self.ended() from None
        return self._read_words(seconds)

    def tell(self, message: str, seconds: float) -> None:
        """Send a message that is answered by ok; raises :class:`BotTrouble`."""
        self._check_answer(["ok"], self.ask(message, seconds))

    def end(self) -> None:
        self._channel.close()
        super().end()

    def _read_words(self, seconds: float) -> list[str]:
        try:
            self._channel.settimeout(None if seconds == inf else seconds)
            data = self._channel.recv(_LONGEST + 1)
        except TimeoutError:
            raise TooLate("took longer than {seconds:g} s", seconds=seconds) from None
        except OSError:
            data = b""
        if not data:
            raise self.ended()
        if len(data) > _LONGEST:
            raise BotTrouble("wrote a line of more than {most:,} bytes", most=_LONGEST)
        return data.decode("ascii", "replace").replace("\0", " ").lower().split()

    @staticmethod
    def _check_answer(wanted: list[str], heard: list[str]) -> None:
        if heard != wanted:
            raise _other_than(" ".join(wanted), heard)


class SpeedClueBot(HostedBot[SpeedClueProcess]):
    """A program of the contest that plays one place of a line-up."""

    def player(self) -> Player:
        return SpeedCluePlayer(self)

    def check(self, deck: Deck, rules: Rules) -> None:
        sizes = tuple(map(len, deck.ids))
        if not rules.free or sizes != _SIZES:
            raise PlayerError(
                "{text}: Speed Clue is played with movement=free and 6, 6 and 9 cards, such as those of classic",
                text=self.text,
            )
        if not rules.of_the_box:
            raise PlayerError("{text}: Speed Clue is played without the rules of editions", text=self.text)

    def _open(self, allowance: float) -> SpeedClueProcess:
        return SpeedClueProcess(self.command, self.text, allowance)


class SpeedCluePlayer(HostedPlayer[SpeedClueProcess]):
    """A seat that a program of the contest plays."""

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._wanted: Hypothesis | None = None

    def choose_move(self, view: PlayerView) -> Movement:
        self._wanted = None
        suspect, weapon, room = self._cards(self._ask(view, "suggest"), "suggest")
        self._wanted = Hypothesis(suspect, weapon, room)
        place = view.board.room_place(room)
        return Stay() if place == view.place else Move(place)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:  # noqa: ARG002 - it was said before the move
        return self._wanted

    def choose_card(self, view: PlayerView) -> ShowCard:
        choices = bits(ShowCard.choices(view))
        if len(choices) == 1:
            return ShowCard(choices[0])
        assert view.hypothesis is not None
        named = " ".join(CODES[card] for card in view.hypothesis)
        heard = self._ask(view, f"disprove {self._index(view.active)} {named}")
        if len(heard) != 2 or heard[0] != "show" or heard[1] not in [CODES[card] for card in choices]:
            raise self._bot.strike(_other_than("show", heard))
        return ShowCard(CODES.index(heard[1]))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        heard = self._ask(view, "accuse")
        return None if heard == ["-"] else Accusation(*self._cards(heard, "accuse"))

    def over(self, view: PlayerView) -> None:
        if self._informed is not None and self._informed.alive:
            with suppress(Absent):
                self._process(view, FAREWELL_S)

    def _cards(self, heard: list[str], word: str) -> Triple:
        if len(heard) == 4 and heard[0] == word:
            three = [
                offset + codes.index(said)
                for said, codes, offset in zip(heard[1:], (_SUSPECTS, _WEAPONS, _ROOMS), (0, 6, 12), strict=True)
                if said in codes
            ]
            if len(three) == 3:
                return three[0], three[1], three[2]
        raise self._bot.strike(_other_than(word, heard))

    def _ask(self, view: PlayerView, question: str) -> list[str]:
        """What the program answers once it knows what has happened; raises :class:`Absent`."""
        process = self._process(view, self._limit)
        with self._talking():
            return process.ask(question, self._limit)

    def _process(self, view: PlayerView, seconds: float) -> SpeedClueProcess:
        """The process, which knows all that has happened in this game; raises :class:`Absent`."""
        if (absent := self._bot.absent()) is not None:
            raise absent
        try:
            self._bot.check(view.deck, view.rules)
        except PlayerError as error:
            raise Absent(error.phrase) from None
        with self._talking():
            process = self._bot.start(self._limit)
            if process is not self._informed:
                hand = " ".join(CODES[card] for card in bits(view.hand))
                seats = self._dealt.table.seats
                process.tell(f"reset {seats} {self._index(view.seat)} {hand}", seconds)
                self._informed, self._events_sent = process, 0
            entries = entries_of(view.events, self._dealt.table.seats)
            whole = entries[:-1] if view.hypothesis and view.to_act != view.active else entries
            for entry in whole[self._events_sent :]:
                process.tell(self._message(entry), seconds)
            self._events_sent = len(whole)
        return process

    def _message(self, entry: Entry) -> str:
        """What everybody is told of a hypothesis and its answer, or of an accusation."""
        named = " ".join(CODES[card] for card in entry.cards)
        by = self._index(entry.by)
        if isinstance(entry.head, Accused):
            return f"accusation {by} {named} {'+' if entry.head.correct else '-'}"
        shower = "-" if entry.refuter is None else str(self._index(entry.refuter))
        card = "" if entry.card is None else f" {CODES[entry.card]}"
        return f"suggestion {by} {named} {shower}{card}"

    def _index(self, seat: int) -> int:
        """The contest's number of a seat: who begins is 0."""
        table = self._dealt.table
        return (seat - table.first) % table.seats


def _other_than(wanted: str, heard: list[str]) -> BotTrouble:
    """The error for an answer that is not what was asked for."""
    return BotTrouble("answered {text} instead of {wanted}", text=quote(" ".join(heard).encode()), wanted=wanted)
