"""A client for the server of the Speed Clue contest, in which one of our players plays.

The contest has no board: a player may name any room. To ours it is a game of the edition ``speedclue``, on a map whose
cards stand for those of the contest in their order. Its players are numbered as the cards are dealt to them, one by
one, so that the number tells how many cards each holds.
"""

from __future__ import annotations

import re
import socket
import traceback
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Clock, Player
from cluedo.bots.protocol import game_message
from cluedo.bots.seat_game import SeatGame
from cluedo.bots.speedclue import ANSWER_S, CODES, LONGEST, contest_sizes, words_of, written
from cluedo.engine.board import Board
from cluedo.engine.cards import Triple
from cluedo.engine.commands import Accusation, Hypothesis, Move, ShowCard
from cluedo.engine.deal import Deal
from cluedo.engine.editions import Edition
from cluedo.engine.errors import CluedoError, by_a_person
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView

__all__ = ["serve_contest"]

_CLOCK: Final = Clock(ANSWER_S)

_CARD: Final = f"(?:{'|'.join(CODES)})"
_NAMED: Final = f"[0-5] {_CARD} {_CARD} {_CARD}"
_MESSAGE: Final = re.compile(
    f"reset [3-6] [0-5](?: {_CARD})+|suggest|disprove {_NAMED}|suggestion {_NAMED} (?:-|[0-5](?: {_CARD})?)"
    f"|accuse|accusation {_NAMED} [+-]|done"
)
"""Everything that the server says."""


def serve_contest(spec: PlayerSpec, ident: str, port: int) -> None:
    """Connect to the contest's server on this machine, and play until it is done.

    Raises:
        CluedoError: there is no such server, or it says what no server of the contest does.
    """
    spec.prepare()
    try:
        channel = socket.create_connection(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        raise CluedoError("port {port}: no server of the contest: {error}", port=port, error=error) from None
    client = _ContestClient(spec)
    try:
        with channel:
            channel.sendall(f"{ident} alive".encode())
            while message := channel.recv(LONGEST):
                if heard := words_of(message):
                    channel.sendall(client.answer(heard).encode())
                if heard == ["done"]:
                    return
    except OSError as error:
        raise CluedoError("port {port}: the server of the contest is gone: {reason}", port=port, reason=error) from None


class _ContestClient:
    """One of our players in all games of the contest."""

    def __init__(self, spec: PlayerSpec):
        self._spec = spec
        self._reset: list[str] = []
        self._seat: _ContestSeat | None = None

    def answer(self, heard: list[str]) -> str:
        """The answer to a message; raises :class:`CluedoError` for one that the contest does not have."""
        said = " ".join(heard)
        if not _MESSAGE.fullmatch(said) or not (self._reset or heard[0] in ("reset", "done")):
            raise CluedoError("the server of the contest said {text}, which is no message of the contest", text=said)
        if heard[0] == "done":
            return "dead"
        if heard[0] == "reset":
            self._reset, self._seat = heard, None
            return "ok"
        if self._seat is None:
            # The first message of a game tells who begins. The contest gives no seed; from the deal, the same game is
            # the same whichever process plays it.
            first = int(heard[1]) if len(heard) > 1 else int(self._reset[2])
            self._seat = _ContestSeat(self._spec.make(), self._reset, first, Random(" ".join(self._reset)))
        return self._seat.answer(heard)


class _ContestSeat:
    """One of our players in one game of the contest.

    Args:
        player: who plays.
        reset: the message that begins the game.
        first: the number of the player that begins.
        random: the player's chance.
    """

    def __init__(self, player: Player, reset: list[str], first: int, random: Random):
        seats, self._me = int(reset[1]), int(reset[2])
        board, rules = _board_and_rules()
        self._board, self._player, self._seats = board, player, seats
        hand = sum(1 << CODES.index(code) for code in reset[3:])
        sizes = _hand_sizes(seats, self._me, hand.bit_count())
        # Of what stands for the other hands and the envelope, a view tells the numbers of cards alone.
        hands = [hand if seat == self._me else (1 << size) - 1 for seat, size in enumerate(sizes)]
        deal = Deal((0, 0, 0), tuple(hands), tuple(board.deck.suspects)[:seats], first, ())
        dealt = Game(board, rules, deal).view(self._me)
        message = game_message(dealt, _CLOCK, random, stream=False)
        self._seen, self._state = SeatGame(message), message["state"]
        self._asked: set[Triple] = set()
        self._being_answered = False
        self._listens = type(player).notice is not Player.notice
        player.sit_down((self._view(), random, _CLOCK))

    def answer(self, heard: list[str]) -> str:
        """The answer to a message. If our player fails, the answer is one that is always allowed."""
        match heard:
            case ["suggest"]:
                self._turn_of(self._me)
                return f"suggest {written(self._suggest())}"
            case ["disprove", asker, *three]:
                self._ask(int(asker), _cards(three), shower=self._me)
                return f"show {CODES[self._show(_cards(three))]}"
            case ["suggestion", asker, suspect, weapon, room, shower, *card]:
                self._answered(int(asker), _cards([suspect, weapon, room]), shower, card)
            case ["accuse"]:
                self._state |= {"step": "accuse", "to_act": self._me}
                accusation = self._choose(self._player.choose_accusation)
                return f"accuse {written(accusation.cards)}" if isinstance(accusation, Accusation) else "-"
            case ["accusation", seat, suspect, weapon, room, verdict]:
                self._accused(int(seat), [suspect, weapon, room], right=verdict == "+")
        return "ok"

    # ---- what our player says ----------------------------------------------------------------------

    def _suggest(self) -> Triple:
        """The hypothesis to make; never the same twice, which the contest forbids."""
        move = self._choose(self._player.choose_move)
        here = self._board.place(self._pawn(self._me))
        to = move.to if isinstance(move, Move) and self._board.is_room(move.to) else here
        if not self._board.is_room(to):
            to = self._board.rooms_at
        self._move(self._me, to)
        self._state["step"] = "ask"
        wanted = self._choose(self._player.choose_hypothesis)
        deck = self._board.deck
        others = product(deck.suspects, deck.weapons, deck.rooms)
        three = wanted.cards if isinstance(wanted, Hypothesis) else None
        if three is None or three in self._asked:
            three = next(other for other in others if other not in self._asked)
        self._asked.add(three)
        return three

    def _show(self, three: Triple) -> int:
        self._state |= {"step": "refute", "to_act": self._me}
        view = self._view()
        show = self._choose(self._player.choose_card)
        held = [card for card in three if view.hand >> card & 1]
        return show.card if isinstance(show, ShowCard) and show.card in held else held[0]

    def _choose(self, choose: Any) -> Any:
        """The player's choice; None if it fails, which is reported on standard error."""
        try:
            return choose(self._view())
        except BaseException as error:
            if by_a_person(error):
                raise
            traceback.print_exc()
            return None

    def _view(self) -> PlayerView:
        return self._seen.view(self._state)

    # ---- what it is told ---------------------------------------------------------------------------

    def _hear(self, *events: dict[str, Any]) -> None:
        for event in self._seen.add_events(events):
            if self._listens:
                self._choose(lambda _view, event=event: self._player.notice(event))

    def _turn_of(self, seat: int) -> None:
        """Begin a seat's turn unless it has begun, and end the turn before it."""
        state = self._state
        if state["active"] == seat and state["hypothesis"] is None:
            return
        self._hear({"type": "end_turn", "seat": state["active"]})
        state |= {"turn": state["turn"] + 1, "active": seat, "to_act": seat, "step": "move"}
        state |= {"hypothesis": None, "refuted_by": None, "card_shown": None}

    def _pawn(self, seat: int) -> Any:
        return self._state["pawns"][self._board.deck.names[seat]]

    def _move(self, seat: int, place: int) -> None:
        """A pawn goes into a room, or stays there."""
        room = self._board.node(place)
        stays = self._pawn(seat) == room
        self._state["pawns"][self._board.deck.names[seat]] = room
        self._hear({"type": "stay", "seat": seat} if stays else {"type": "move", "seat": seat, "to": room})

    def _ask(self, asker: int, three: Triple, shower: int | None) -> None:
        """Note a hypothesis and who could not answer, unless that is noted already."""
        if self._being_answered:
            return
        self._turn_of(asker)
        names, place = self._board.deck.names, self._board.room_place(three[2])
        if self._pawn(asker) != self._board.node(place) or asker != self._me:
            self._move(asker, place)
        suspect, weapon, room = (names[card] for card in three)
        self._state["pawns"][suspect] = self._state["weapons"][weapon] = room
        self._state |= {"hypothesis": [suspect, weapon, room], "step": "refute"}
        others = [(asker + k) % self._seats for k in range(1, self._seats)]
        passing = others if shower is None else others[: others.index(shower)]
        self._hear(
            {"type": "hypothesis", "seat": asker, "cards": [suspect, weapon, room]},
            *({"type": "pass", "seat": seat} for seat in passing),
        )
        self._being_answered = True

    def _answered(self, asker: int, three: Triple, shower: str, card: list[str]) -> None:
        """A hypothesis and its answer."""
        seat = None if shower == "-" else int(shower)
        self._ask(asker, three, seat)
        self._being_answered = False
        if seat is not None:
            shown = self._board.deck.names[CODES.index(card[0])] if card else None
            self._hear({"type": "show", "seat": seat} | ({} if shown is None else {"card": shown}))
            self._state |= {"refuted_by": seat, "card_shown": shown}
        self._state |= {"step": "accuse", "to_act": asker}

    def _accused(self, seat: int, codes: list[str], *, right: bool) -> None:
        if self._state["active"] != seat:  # who has made no suggestion
            self._turn_of(seat)
        cards = [self._board.deck.names[card] for card in _cards(codes)]
        self._hear({"type": "accusation", "seat": seat, "cards": cards, "correct": right})
        if not right:
            self._state["eliminated"].append(seat)


@cache
def _board_and_rules() -> tuple[Board, Rules]:
    edition = Edition.load("speedclue")
    return Board.load(edition.map), edition.rules


def _cards(codes: list[str]) -> Triple:
    suspect, weapon, room = (CODES.index(code) for code in codes)
    return suspect, weapon, room


def _hand_sizes(seats: int, mine: int, size: int) -> list[int]:
    """By seat, how many cards it holds; counted from another one where one's own hand says that they were dealt so."""
    dealt = contest_sizes(seats)
    turned = ([dealt[(seat - shift) % seats] for seat in range(seats)] for shift in range(seats))
    return next((sizes for sizes in turned if sizes[mine] == size), dealt)
