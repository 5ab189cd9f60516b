"""A level on a seat, asked as often as a test likes, and how often it answers what."""

from __future__ import annotations

from collections import Counter
from random import Random

from cluedo.engine.board import Board
from cluedo.engine.commands import Move, SecretPassage, Stay
from cluedo.engine.game import Game
from helpers.support import ask, finish_turn, make_game, make_player, show

CLASSIC = {
    "hands": [
        ["White", "Green", "Peacock", "Plum", "Candlestick", "Study"],
        ["Mustard", "Dagger", "Lead Pipe", "Hall", "Library", "Billiard Room"],
        ["Revolver", "Rope", "Lounge", "Dining Room", "Conservatory", "Ballroom"],
    ],
    "envelope": ["Scarlett", "Wrench", "Kitchen"],
}
"""The cards of a game of three on the classic map."""

TRIES = 900
"""Answers that are counted."""


class Seat:
    """A player of a level on a seat of a game, asked as often as a test likes."""

    def __init__(self, game: Game, level: str, seat: int = 0):
        self.game, self.seat = game, seat
        self.player = make_player(level)
        self.player.begin(game.view(seat), Random(f"{level} {seat}"))

    def ask(self, question: str):
        """One answer."""
        return getattr(self.player, question)(self.game.view(self.seat))

    def answers(self, question: str, tries: int = TRIES) -> Counter:
        """How often each answer comes."""
        return Counter(self.ask(question) for _ in range(tries))

    def destinations(self) -> set:
        """The places to which it may decide to walk now, by name."""
        board = self.game.table.board
        return {board.node(move.to) for move in self.answers("choose_move", 200) if isinstance(move, Move)}

    def named(self, tries: int = TRIES) -> tuple[Counter, Counter, Counter]:
        """How often each suspect, weapon and room is named in hypotheses."""
        names = self.game.table.deck.names
        asked = [self.ask("choose_hypothesis") for _ in range(tries)]
        return tuple(Counter(names[hypothesis.cards[k]] for hypothesis in asked) for k in range(3))


def uniform(counts: Counter, over) -> None:
    """The counts are of exactly these things, all about equally often."""
    assert set(counts) == set(over)
    total = counts.total()
    for thing, count in counts.items():
        spread = 5 * (total / len(counts)) ** 0.5
        assert abs(count - total / len(counts)) < spread, (thing, counts)


def with_first_hand(*names: str) -> dict[str, list]:
    """Cards of the classic map: these for seat 0, the rest halved."""
    rest = [card for card in Board.load("classic").deck.names if card not in (*names, *CLASSIC["envelope"])]
    return {"hands": [list(names), rest[::2], rest[1::2]], "envelope": CLASSIC["envelope"]}


def after_seeing_mustard(level: str) -> Seat:
    """Four suspects on the hand, the fifth seen: the sixth is in the envelope. Seat 0 may ask in the conservatory."""
    game = make_game("classic", **CLASSIC, pawns={"Scarlett": "Lounge"})
    seat = Seat(game, level)
    game.execute(Stay())
    ask(game, "Mustard", "Candlestick", "Lounge")
    show(game, "Mustard")
    assert seat.ask("choose_accusation") is None
    for _ in range(3):
        finish_turn(game)
    game.execute(SecretPassage())
    return seat
