"""The level ``habit``: a player as complete as ``hard``, with habits that can be set."""

from __future__ import annotations

from random import Random
from typing import Literal

from cluedo.ai.choosing import pick
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.ai.level_hard import HardPlayer
from cluedo.ai.parameters import check_number
from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import Accusation, ShowCard
from cluedo.engine.view import PlayerView

__all__ = ["HabitPlayer"]

_ELSEWHERE = 0.01
"""What a question away from the secret passages is worth to somebody who stays near them."""


class HabitPlayer(HardPlayer):
    """Deduces as hard does, and has habits that can be set: an opponent to test other players against.

    The experiments zoo and zoo_free let expert meet a dozen of them.

    Args:
        own: how often it names a card of its own, in each category in which it holds one; 0 is never.
        ask: about cards that are still "open"; about "any" card that is not its own; or about the "same" until it
            knows where that is.
        walk: to the "best" room for a question, or to stay near the secret "passages".
        show: a card that this asker has seen "again", or always the "lowest" in the order of the deck.
        memory: for how many turns, of anybody, it remembers what was said and shown; 0 is for ever.
        guess: it accuses once an envelope is at least this probable, all deals counted alike; 1 is proof.
        wait: how many times it could accuse and does not.
    """

    def __init__(
        self,
        *,
        own: float = 0.3,
        ask: Literal["open", "any", "same"] = "open",
        walk: Literal["best", "passages"] = "best",
        show: Literal["again", "lowest"] = "again",
        memory: int = 0,
        guess: float = 1.0,
        wait: int = 0,
    ):
        super().__init__(own_cards="probe" if own else "never")
        check_number("own", own, 0, 1)
        check_number("guess", guess, 0, 1)
        check_number("memory", memory, 0)
        check_number("wait", wait, 0)
        self._own = own
        self._ask = ask
        self._walk = walk
        self._show = show
        self._memory = memory
        self._guess = guess
        self._wait = wait

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._blank = self._reader.evidence.copy()
        self._asked = 0
        self._waits = self._wait

    def choose_card(self, view: PlayerView) -> ShowCard:
        if self._show == "lowest":
            return ShowCard(bits(ShowCard.choices(view))[0])
        return super().choose_card(view)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        answer = super().choose_accusation(view)
        if answer and self._waits:
            self._waits -= 1
            return None
        return answer

    def _decided(self, view: PlayerView) -> Accusation | None:
        return super()._decided(view) or self._guessed()

    def _guessed(self) -> Accusation | None:
        """The likeliest envelope, if it is likely enough to this player."""
        if self._guess == 1.0:
            return None
        cards, probability = Posterior(self._deducer.evidence, UNIFORM).envelopes()[0]
        return Accusation(*cards) if probability >= self._guess else None

    def _learn(self, view: PlayerView) -> None:
        if not self._memory:
            super()._learn(view)
            return
        remembered = self._blank.copy()
        for fact in self._reader.read(view).facts:
            if fact.turn > view.turn - self._memory:
                remembered.add(fact)
        self._deducer = SatDeducer(remembered)
        self._may_be, self._proved = self._deducer.envelope

    def _values(self, view: PlayerView) -> list[float]:
        values, board = super()._values(view), view.table.board
        if self._walk == "best":
            return values
        return [value if board.passages[k] >= 0 else value * _ELSEWHERE for k, value in enumerate(values)]

    def _named(self, view: PlayerView, category: Category) -> int:
        cards = view.table.deck.masks[category]
        if cards & view.hand and self.random.random() < self._own:
            return pick(self.random, bits(cards & view.hand))
        if self._ask == "any":
            return pick(self.random, bits(cards & ~view.hand or cards))
        still_open = self._worth_asking(view) & cards
        again = still_open & self._asked if self._ask == "same" else 0
        card = pick(self.random, bits(again or still_open or self._may_be & cards))
        self._asked = self._asked & ~cards | 1 << card
        return card
