"""The level ``hard``: everything that can be deduced, and nothing else."""

from __future__ import annotations

from random import Random
from typing import Literal

from cluedo.ai.choosing import allowed_here, allowed_hypothesis, hidden_in_pool, pick, random_envelope
from cluedo.ai.knowledge.evidence import EvidenceReader, check_deck
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import toward_rooms, turns_to, way_to_accuse
from cluedo.engine.cards import Category, Deck, bits
from cluedo.engine.commands import Accusation, Hypothesis, ShowCard
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView

__all__ = ["HardPlayer"]

_HELD = 0.25
"""What a question in a room that somebody is known to hold is worth, compared to one in another room."""
_NOTHING = 1e-6
"""What a room is worth where nothing can be learnt: a little, so that there is always a room to go to."""


class HardPlayer(Player):
    """Deduces by SAT all that follows from everything seen at the table, other players' answers included.

    Asks about cards that may still be in the envelope, walks to the room that settles most for each turn of travel,
    and names a card of its own, or one proved to be in the envelope, where its category is settled, so that the
    answer must tell something about the others. Shows a card that this asker has seen before if it can. Accuses when
    all three cards are proved; guesses only when all that is left are the envelope and a pool into which nobody looks.

    Args:
        own_cards: "probe" names own cards where their category is settled; "never" never does.
    """

    def __init__(self, *, own_cards: Literal["probe", "never"] = "probe"):
        self._names_own = own_cards == "probe"

    @classmethod
    def check(cls, deck: Deck, rules: Rules, seats: int) -> None:  # noqa: ARG003 - it plays by all rules
        check_deck(deck)

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._reader = EvidenceReader(view)
        self._deducer = SatDeducer(self._reader.evidence)
        self._blind = hidden_in_pool(view) > 0
        self._guess_made: Accusation | None = None

    def choose_move(self, view: PlayerView) -> Movement:
        self._learn(view)
        if view.table.accused_here and (decided := self._decided(view)) is not None:
            return way_to_accuse(view, decided, self.random)
        board = view.table.board
        turns = turns_to(view)
        values = self._values(view)
        scores = [value / turn for value, turn in zip(values, turns, strict=True)]
        best = max(scores)
        wanted = sum(1 << board.rooms_at + k for k, score in enumerate(scores) if score == best)
        return toward_rooms(view, wanted, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self._learn(view)
        room = view.table.board.room_card(view.place)
        if not self._names_own and view.hand >> room & 1:
            return None
        suspect, weapon = (self._named(view, category) for category in (Category.SUSPECT, Category.WEAPON))
        return allowed_hypothesis(view, suspect, weapon, self.random)

    def choose_card(self, view: PlayerView) -> ShowCard:
        cards = ShowCard.choices(view)
        again = cards & self._reader.read(view).shown_by_me[view.active]
        return ShowCard(pick(self.random, bits(again or cards)))

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._learn(view)
        return allowed_here(view, self._decided(view))

    def _decided(self, view: PlayerView) -> Accusation | None:
        """The accusation to make if it is allowed, or None."""
        if self._proved.bit_count() == len(Category):
            return Accusation(*bits(self._proved))
        if self._blind and not self._worth_asking(view):
            self._guess_made = random_envelope(view, self._may_be, self.random, self._guess_made)
            return self._guess_made
        return None

    def _learn(self, view: PlayerView) -> None:
        self._reader.read(view)
        self._deducer.update()
        self._may_be, self._proved = self._deducer.envelope

    def _worth_asking(self, view: PlayerView) -> int:
        """The mask of the open cards; where nobody looks into the pool, of those that somebody may hold."""
        still_open = self._may_be & ~self._proved
        return still_open & self._held(view) if self._blind else still_open

    def _unanswered(self, view: PlayerView) -> int:
        """The mask of the cards to name where none is worth asking about: nobody else can show them."""
        return self._may_be | (view.hand if self._names_own else 0)

    def _held(self, view: PlayerView) -> int:
        """The mask of the cards that somebody else may hold."""
        mask = 0
        for seat, may in enumerate(self._deducer.may[: view.table.seats]):
            if seat != view.seat:
                mask |= may
        return mask

    def _values(self, view: PlayerView) -> list[float]:
        """By room, how much asking there settles: one for each category in which an open card can be named there.

        In a room that somebody is known to hold, its holder's answer often says nothing new.
        """
        worth_asking, deck = self._worth_asking(view), view.table.deck
        elsewhere = sum(bool(worth_asking & deck.masks[c]) for c in (Category.SUSPECT, Category.WEAPON))
        unanswered = self._unanswered(view)
        open_, free, held = 1.0 + elsewhere, max(elsewhere, _NOTHING), max(elsewhere * _HELD, _NOTHING)
        return [open_ if worth_asking >> r & 1 else free if unanswered >> r & 1 else held for r in deck.rooms]

    def _named(self, view: PlayerView, category: Category) -> int:
        """The card of a category to name: an open one; in a settled one, one that nobody else can show."""
        mask = view.table.deck.masks[category]
        return pick(self.random, bits(self._worth_asking(view) & mask or self._unanswered(view) & mask))
