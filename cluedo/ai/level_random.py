"""The level ``random``: moves, asks and shows at random."""

from __future__ import annotations

from cluedo.ai.choosing import allowed_hypothesis, pick, pick_card
from cluedo.ai.player import Movement, Player
from cluedo.engine.commands import (
    Accusation,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = ["RandomPlayer"]

_STAY = Stay()
_MOVES: tuple[Movement, ...] = (Roll(), _STAY)
_MOVES_WITH_PASSAGE: tuple[Movement, ...] = (Roll(), _STAY, SecretPassage())


class RandomPlayer(Player):
    """Moves, asks and shows at random. Notes nothing.

    Accuses blindly in about every second turn. On a full board one such guess in 324 is right: that is how it wins a
    game now and then, even at a table where easy, which accuses only when it is sure, is too slow to win any.
    """

    def choose_move(self, view: PlayerView) -> Movement:
        table = view.table
        if view.step is WALK:
            return Move(view.reach.pick(self.random)) if view.reach.mask else _STAY
        if table.free:
            return _STAY if self.random.random() < 0.5 else Move(view.reach.pick(self.random))
        kinds = _MOVES if table.board.passage(view.place) < 0 else _MOVES_WITH_PASSAGE
        return pick(self.random, kinds)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        deck = view.deck
        suspect, weapon = pick(self.random, deck.suspects), pick(self.random, deck.weapons)
        return allowed_hypothesis(view, suspect, weapon, self.random)

    def choose_card(self, view: PlayerView) -> ShowCard:
        return pick_card(self.random, view)

    def choose_peek(self, view: PlayerView) -> Peek | None:
        chosen = int(self.random.random() * (view.table.pool_size + 1))
        return Peek(chosen) if chosen < view.table.pool_size else None

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        if self.random.random() < 0.5:
            return None
        suspects, weapons, rooms = view.deck.ids
        suspect, weapon, room = pick(self.random, suspects), pick(self.random, weapons), pick(self.random, rooms)
        if view.table.accused_here:
            room = view.table.board.room_card(view.place)
        return Accusation(suspect, weapon, room)
