"""The level ``random``: legal, and nothing more."""

from __future__ import annotations

from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import pick
from cluedo.cards import bits
from cluedo.commands import Accusation, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.state import Step
from cluedo.view import PlayerView

__all__ = ["RandomPlayer"]

_ROLL, _SECRET_PASSAGE, _STAY = Roll(), SecretPassage(), Stay()


class RandomPlayer(Player):
    """Moves, asks and shows at random; accuses at random after every second turn. Notes nothing."""

    def choose_move(self, view: PlayerView) -> Movement:
        if view.step is Step.WALK:
            return Move(pick(self.random, view.reach.places)) if view.reach.mask else _STAY
        kinds: list[Movement] = [_STAY]
        if view.rules.free:
            kinds.append(Move(pick(self.random, view.reach.places)))
        else:
            kinds.append(_ROLL)
            if view.board.passage(view.place) >= 0:
                kinds.append(_SECRET_PASSAGE)
        return kinds[int(self.random.random() * len(kinds))]

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        deck = view.deck
        return Hypothesis(
            pick(self.random, deck.suspects), pick(self.random, deck.weapons), view.board.room_card(view.place)
        )

    def choose_card(self, view: PlayerView) -> ShowCard:
        return ShowCard(pick(self.random, list(bits(ShowCard.choices(view)))))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        if self.random.random() < 0.5:
            return None
        suspects, weapons, rooms = view.deck.ids
        return Accusation(pick(self.random, suspects), pick(self.random, weapons), pick(self.random, rooms))
