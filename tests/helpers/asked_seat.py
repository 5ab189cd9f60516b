"""A level on a seat, asked as often as a test likes, and how often it answers what."""

from __future__ import annotations

from collections import Counter
from random import Random

from cluedo.engine.commands import Move
from cluedo.engine.game import Game
from helpers.support import LEVELS

__all__ = ["Seat", "uniform"]

TRIES = 900
"""Answers that are counted."""


class Seat:
    """A player of a level on a seat of a game, asked as often as a test likes."""

    def __init__(self, game: Game, level: str, seat: int = 0):
        self.game, self.seat = game, seat
        self.player = LEVELS[level]()
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
