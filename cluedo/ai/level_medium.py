"""The level ``medium``: keeps a mark per card and draws the simple conclusions."""

from __future__ import annotations

from random import Random

from cluedo.ai.choosing import allowed_here, allowed_hypothesis, hidden_in_pool, pick, pick_card, random_envelope
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import toward_rooms, way_to_accuse
from cluedo.engine.cards import Category, bits, triple_mask
from cluedo.engine.commands import Accusation, Hypothesis, ShowCard
from cluedo.engine.entries import entries_of
from cluedo.engine.events import HypothesisMade, Peeked
from cluedo.engine.view import PlayerView

__all__ = ["MediumPlayer"]


class MediumPlayer(Player):
    """Marks each card unknown, mine, another's or in the envelope, and asks about what is unknown.

    Once a category is solved it names there a card that it owns or that is in the envelope, so that
    no answer is wasted. When nobody answers, the named cards that it does not own are in the envelope.
    Accuses when it knows all three; or guesses, when all that is left are the envelope and a pool into which nobody
    looks.

    Args:
        original: play as the original program did: draw no conclusion when nobody answers; and where it means to name
            one of the k cards that it owns or that are in the envelope, name one of the category's first k cards.
    """

    def __init__(self, *, original: bool = False):
        self._original = original

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        deck = view.deck
        self._suspects, self._weapons, _ = deck.ids
        self._categories = deck.masks
        self._pool_size = view.table.pool_size
        self._blind = hidden_in_pool(view) > 0
        self._rooms_at = view.table.board.rooms_at
        self._first_room = deck.rooms.start
        self._mine = view.hand
        self._envelope = 0
        self._unknown = deck.all & ~view.hand & ~view.face_up
        self._face_up = view.face_up
        self._heard = 0
        self._pool = 0
        self._unheld = 0
        self._solution: Accusation | None = None
        self._caught_up = False
        self._conclude()

    def choose_move(self, view: PlayerView) -> Movement:
        self._catch_up(view)
        if view.table.accused_here:
            self._look(view)
            if self._solution is not None:
                return way_to_accuse(view, self._solution, self.random)
        rooms = self._categories[Category.ROOM]
        wanted = self._worth_asking(rooms) or rooms & (self._mine | self._envelope)
        # Not by the offset alone: a deck without a board has more cards before its rooms than places.
        return toward_rooms(view, wanted >> self._first_room << self._rooms_at, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        self._catch_up(view)
        suspects, weapons, _ = self._categories
        suspect, weapon = self._named(suspects, self._suspects), self._named(weapons, self._weapons)
        return allowed_hypothesis(view, suspect, weapon, self.random)

    def _named(self, category: int, ids: range) -> int:
        if unknown := self._worth_asking(category):
            return pick(self.random, bits(unknown))
        safe = category & (self._mine | self._envelope)
        return pick(self.random, ids[: safe.bit_count()] if self._original else bits(safe))

    def _worth_asking(self, category: int) -> int:
        """The unknown cards of a category; those that nobody holds last, where nothing can be learnt of them."""
        unknown = category & self._unknown
        return unknown & ~self._unheld or unknown if self._blind else unknown

    def choose_card(self, view: PlayerView) -> ShowCard:
        return pick_card(self.random, view)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._catch_up(view)
        self._look(view)
        if view.hypothesis is not None and view.refuted_by is None and not self._original:
            self._unheld |= triple_mask(view.hypothesis) & ~self._mine
            self._conclude()
        if self._blind and not self._unknown & ~self._unheld & ~self._envelope:
            self._solution = random_envelope(view, self._unknown | self._envelope, self.random, self._solution)
        return allowed_here(view, self._solution)

    def _catch_up(self, view: PlayerView) -> None:
        """Mark, once, what follows from the turns that its seat had before it sat down."""
        if self._caught_up:
            return
        self._caught_up = True
        if view.turn > view.table.seats:  # in the first round it has had none
            self._look(view)
            if not self._original:
                self._unheld = _unanswered(view) & ~self._mine
                self._conclude()

    def _look(self, view: PlayerView) -> None:
        """Mark the cards that were shown since the last time, to it alone or to all."""
        shown, seen = view.face_up, view.seen
        self._face_up = shown
        if len(seen) > self._heard:
            for _, event in seen[self._heard :]:
                if event.card is not None:
                    shown |= 1 << event.card
                    if type(event) is Peeked:
                        self._pool |= 1 << event.card
            self._heard = len(seen)
        if shown & self._unknown:
            self._unknown &= ~shown
            self._conclude()

    def _conclude(self) -> None:
        """Mark what follows within each category: its last unknown card is in the envelope, and one card only is.

        What nobody holds is in the envelope, unless it may be in the pool.
        """
        if self._pool.bit_count() == self._pool_size:
            self._envelope |= self._unheld & ~self._pool & ~self._face_up
        for mask in self._categories:
            left = mask & self._unknown
            if not mask & self._envelope and not left & (left - 1):
                self._envelope |= left
            if mask & self._envelope:
                self._unknown &= ~mask
        if self._envelope.bit_count() == len(Category):
            self._solution = Accusation(*bits(self._envelope))


def _unanswered(view: PlayerView) -> int:
    """The mask of the cards that its seat has asked about and nobody could show."""
    mask = 0
    for entry in entries_of(view.events, view.table):
        if isinstance(entry.head, HypothesisMade) and entry.by == view.seat and not entry.shows:
            mask |= triple_mask(entry.cards)
    return mask
