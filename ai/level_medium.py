"""The level ``medium``: keeps a mark per card and draws the simple conclusions."""

from __future__ import annotations

from random import Random

from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import pick, toward_rooms
from cluedo.cards import Category, bits
from cluedo.commands import Accusation, Hypothesis, ShowCard, accusation, hypothesis, show_card
from cluedo.view import PlayerView

__all__ = ["MediumPlayer"]


class MediumPlayer(Player):
    """Marks each card unknown, mine, another's or in the envelope, and asks about what is unknown.

    Once a category is solved it names there a card that it owns or that is in the envelope, so that
    no answer is wasted. When nobody answers, the named cards that it does not own are in the envelope.
    Accuses when it knows all three.

    Args:
        original: play as the original program did: draw no conclusion when nobody answers, and where
            one of the k cards owned or in the envelope is meant, name one of the category's first k.
    """

    def __init__(self, *, original: bool = False):
        self._original = original

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._mine = view.hand
        self._envelope = 0
        self._unknown = view.deck.all & ~view.hand
        self._to_places = view.board.rooms_at - view.deck.rooms.start

    def choose_move(self, view: PlayerView) -> Movement:
        rooms = view.deck.masks[Category.ROOM]
        wanted = rooms & self._unknown or rooms & (self._mine | self._envelope)
        return toward_rooms(view, wanted << self._to_places, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        suspects, weapons, _ = view.deck.ids
        return hypothesis(self._named(view, suspects), self._named(view, weapons), view.board.room_card(view.place))

    def _named(self, view: PlayerView, ids: range) -> int:
        category = view.deck.masks[view.deck.category(ids[0])]
        if unknown := category & self._unknown:
            return pick(self.random, bits(unknown))
        safe = category & (self._mine | self._envelope)
        if self._original:
            return pick(self.random, ids[: safe.bit_count()])
        return pick(self.random, bits(safe))

    def choose_card(self, view: PlayerView) -> ShowCard:
        return show_card(pick(self.random, bits(ShowCard.choices(view))))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._note(view)
        if self._envelope.bit_count() < len(Category):
            return None
        suspect, weapon, room = bits(self._envelope)
        return accusation(suspect, weapon, room)

    def _note(self, view: PlayerView) -> None:
        """Mark what this turn's hypothesis has taught, and what follows within each category."""
        if view.card_shown is not None:
            self._unknown &= ~(1 << view.card_shown)
        elif view.hypothesis is not None and view.refuted_by is None and not self._original:
            suspect, weapon, room = view.hypothesis
            self._envelope |= (1 << suspect | 1 << weapon | 1 << room) & ~self._mine
        for mask in view.deck.masks:
            left = mask & self._unknown
            if not mask & self._envelope and not left & (left - 1):
                self._envelope |= left
            if mask & self._envelope:
                self._unknown &= ~mask
