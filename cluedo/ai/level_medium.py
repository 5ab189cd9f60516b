"""The level ``medium``: keeps a mark per card and draws the simple conclusions."""

from __future__ import annotations

from random import Random

from cluedo.ai.choosing import pick, pick_card
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import toward_rooms
from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import Accusation, Hypothesis, ShowCard, accusation, hypothesis
from cluedo.engine.view import PlayerView

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
        deck = view.deck
        self._suspects, self._weapons, _ = deck.ids
        self._categories = deck.masks
        self._room_offset = view.table.board.room_offset
        self._mine = view.hand
        self._envelope = 0
        self._unknown = deck.all & ~view.hand
        self._solution: Accusation | None = None
        self._conclude()

    def choose_move(self, view: PlayerView) -> Movement:
        rooms = self._categories[Category.ROOM]
        wanted = rooms & self._unknown or rooms & (self._mine | self._envelope)
        return toward_rooms(view, wanted << self._room_offset, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        suspects, weapons, _ = self._categories
        suspect, weapon = self._named(suspects, self._suspects), self._named(weapons, self._weapons)
        return hypothesis(suspect, weapon, view.place - self._room_offset)

    def _named(self, category: int, ids: range) -> int:
        if unknown := category & self._unknown:
            return pick(self.random, bits(unknown))
        safe = category & (self._mine | self._envelope)
        return pick(self.random, ids[: safe.bit_count()] if self._original else bits(safe))

    def choose_card(self, view: PlayerView) -> ShowCard:
        return pick_card(self.random, view)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        if view.card_shown is not None:
            shown = 1 << view.card_shown
            if shown & self._unknown:
                self._unknown &= ~shown
                self._conclude()
        elif view.hypothesis is not None and view.refuted_by is None and not self._original:
            suspect, weapon, room = view.hypothesis
            self._envelope |= (1 << suspect | 1 << weapon | 1 << room) & ~self._mine
            self._conclude()
        return self._solution

    def _conclude(self) -> None:
        """Mark what follows within each category: its last unknown card is in the envelope, and one card only is."""
        for mask in self._categories:
            left = mask & self._unknown
            if not mask & self._envelope and not left & (left - 1):
                self._envelope |= left
            if mask & self._envelope:
                self._unknown &= ~mask
        if self._envelope.bit_count() == len(Category):
            suspect, weapon, room = bits(self._envelope)
            self._solution = accusation(suspect, weapon, room)
