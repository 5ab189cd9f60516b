"""The level ``easy``: remembers what it was shown."""

from __future__ import annotations

from random import Random

from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import pick, toward_rooms
from cluedo.cards import bits
from cluedo.commands import Accusation, Hypothesis, ShowCard, accusation, hypothesis, show_card
from cluedo.view import PlayerView

__all__ = ["EasyPlayer"]


class EasyPlayer(Player):
    """Wanders from room to room and asks at random; notes its hand and the cards shown to it.

    Accuses when elimination leaves one card in each category.
    """

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._seen = view.hand
        rooms = view.board.rooms_at
        self._rooms = (1 << rooms + len(view.deck.rooms)) - (1 << rooms)

    def choose_move(self, view: PlayerView) -> Movement:
        return toward_rooms(view, self._rooms, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        deck = view.deck
        return hypothesis(
            pick(self.random, deck.suspects), pick(self.random, deck.weapons), view.board.room_card(view.place)
        )

    def choose_card(self, view: PlayerView) -> ShowCard:
        return show_card(pick(self.random, bits(ShowCard.choices(view))))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        if view.card_shown is not None:
            self._seen |= 1 << view.card_shown
        left = [mask & ~self._seen for mask in view.deck.masks]
        if any(mask & (mask - 1) for mask in left):
            return None
        suspect, weapon, room = (mask.bit_length() - 1 for mask in left)
        return accusation(suspect, weapon, room)
