"""The level ``easy``: remembers what it was shown."""

from __future__ import annotations

from random import Random

from cluedo.ai.choosing import pick, pick_card
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import toward_rooms
from cluedo.engine.commands import Accusation, Hypothesis, ShowCard, accusation, hypothesis
from cluedo.engine.view import PlayerView

__all__ = ["EasyPlayer"]


class EasyPlayer(Player):
    """Wanders from room to room and asks at random; notes its hand and the cards shown to it.

    Accuses when elimination leaves one card in each category.
    """

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._suspects, self._weapons, _ = view.deck.ids
        self._every_room = view.table.board.all_rooms
        self._categories = view.deck.masks
        self._seen = 0
        self._solution: Accusation | None = None
        self._note(view.hand)

    def choose_move(self, view: PlayerView) -> Movement:
        return toward_rooms(view, self._every_room, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        suspect, weapon = pick(self.random, self._suspects), pick(self.random, self._weapons)
        return hypothesis(suspect, weapon, view.table.board.room_card(view.place))

    def choose_card(self, view: PlayerView) -> ShowCard:
        return pick_card(self.random, view)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        if view.card_shown is not None:
            self._note(1 << view.card_shown)
        return self._solution

    def _note(self, cards: int) -> None:
        if not cards & ~self._seen:
            return
        self._seen |= cards
        left = [mask & ~self._seen for mask in self._categories]
        if not any(mask & (mask - 1) for mask in left):
            suspect, weapon, room = (mask.bit_length() - 1 for mask in left)
            self._solution = accusation(suspect, weapon, room)
