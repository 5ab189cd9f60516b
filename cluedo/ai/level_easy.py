"""The level ``easy``: remembers what it was shown."""

from __future__ import annotations

from random import Random

from cluedo.ai.choosing import allowed_here, allowed_hypothesis, hidden_in_pool, pick, pick_card, random_envelope
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import toward_rooms, way_to_accuse
from cluedo.engine.cards import Category
from cluedo.engine.commands import Accusation, Hypothesis, ShowCard
from cluedo.engine.view import PlayerView

__all__ = ["EasyPlayer"]


class EasyPlayer(Player):
    """Wanders from room to room and asks at random; notes its hand and the cards shown to it.

    Accuses when elimination leaves one card in each category; or guesses, when all that is left are the envelope and a
    pool into which nobody looks.
    """

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._suspects, self._weapons, _ = view.deck.ids
        self._every_room = view.table.board.all_rooms
        self._blind = hidden_in_pool(view) > 0
        self._heard = 0
        self._seen = 0
        self._solution: Accusation | None = None
        self._note(view, view.hand | view.face_up)

    def choose_move(self, view: PlayerView) -> Movement:
        if view.table.accused_here:
            self._look(view)
            if self._solution is not None:
                return way_to_accuse(view, self._solution, self.random)
        return toward_rooms(view, self._every_room, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        suspect, weapon = pick(self.random, self._suspects), pick(self.random, self._weapons)
        return allowed_hypothesis(view, suspect, weapon, self.random)

    def choose_card(self, view: PlayerView) -> ShowCard:
        return pick_card(self.random, view)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._look(view)
        return allowed_here(view, self._solution)

    def _look(self, view: PlayerView) -> None:
        """Note the cards that were shown since the last time, to it alone or to all."""
        cards, seen = view.face_up, view.seen
        if len(seen) > self._heard:
            for _, event in seen[self._heard :]:
                if event.card is not None:
                    cards |= 1 << event.card
            self._heard = len(seen)
        self._note(view, cards)

    def _note(self, view: PlayerView, cards: int) -> None:
        if not cards & ~self._seen and (self._solution is None or not self._blind):
            return
        self._seen |= cards
        left = view.deck.all & ~self._seen
        if left.bit_count() <= len(Category) + hidden_in_pool(view):
            self._solution = random_envelope(view, left, self.random, self._solution)
