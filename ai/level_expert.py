"""The level ``expert``: exact odds, the most telling question, and one eye on the others.

Every choice that could have been made otherwise stands here, with its parameter; what each is worth
was measured, and the figures are in the README.
"""

from __future__ import annotations

from random import Random
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.choosing import pick
from cluedo.ai.knowledge.gains import sampled_gains
from cluedo.ai.knowledge.models import CHOICE, READING
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.ai.knowledge.witness import Witness
from cluedo.ai.player import Movement, Player
from cluedo.ai.race import Race
from cluedo.ai.travel import best_move
from cluedo.cards import Category, bits
from cluedo.commands import Accusation, Hypothesis, ShowCard, accusation, hypothesis, show_card
from cluedo.view import PlayerView

__all__ = ["ExpertPlayer"]


class _Question(NamedTuple):
    """A hypothesis and the bits that it is expected to tell."""

    suspect: int
    weapon: int
    room: int
    gain: float


class ExpertPlayer(Player):
    """Knows the exact odds of every envelope and asks what tells most about it for each turn of travel.

    Learns from each opponent's hypotheses how far the cards they name betray their hand. Shows the
    card that tells the asker least. Accuses when the envelope is proved, or when a guess is worth
    more than to wait, because an opponent is about to win.

    Args:
        reading: "on" reads what others name; "off" takes all deals that fit as the shower's choice weighs them.
        gain_discount: what a bit is worth one turn later.
        samples: exact deals drawn to judge questions.
        candidates: of each category, how many cards likely to be in the envelope are thought of naming.
        own_cards: bits of gain given for naming a card of one's own, so as to be hard to read.
        patience: how many more rounds certainty is thought to take; a guess has to be likelier than that
            nobody else wins in so many. 0 never guesses.
    """

    def __init__(
        self,
        *,
        reading: Literal["on", "off"] = "on",
        gain_discount: float = 0.55,
        samples: int = 120,
        candidates: int = 3,
        own_cards: float = 0.0,
        patience: float = 4.0,
    ):
        self._model = READING if reading == "on" else CHOICE
        self._discount = gain_discount
        self._samples = samples
        self._candidates = candidates
        self._own_bonus = own_cards
        self._patience = patience

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._witness = Witness(view)
        self._posterior = Posterior(self._witness.evidence, self._model)
        self._proof = Posterior(self._witness.evidence)
        self._race = Race(view)
        self._shown_to = [0] * view.table.seats
        self._questions: list[_Question] = []
        self._facts = -1

    # ---- where to go and what to ask -------------------------------------------------------

    def choose_move(self, view: PlayerView) -> Movement:
        self._think(view)
        return best_move(view, [question.gain for question in self._questions], self._discount, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self._think(view)
        question = self._questions[view.place - view.table.board.rooms_at]
        return hypothesis(question.suspect, question.weapon, question.room)

    def _think(self, view: PlayerView) -> None:
        """Find the best question in each room, once for all that is known now."""
        facts = len(self._witness.read(view).facts)
        if facts == self._facts:
            return
        self._facts = facts
        deck = view.table.deck
        odds = self._posterior.marginals[:, view.table.seats]
        suspects = self._worth_naming(odds, deck.masks[Category.SUSPECT], view.hand)
        weapons = self._worth_naming(odds, deck.masks[Category.WEAPON], view.hand)
        triples = [(s, w, r) for r in deck.rooms for s in suspects for w in weapons]
        gains = sampled_gains(self._posterior, triples, self._posterior.sample(self.random, self._samples))
        if self._own_bonus:
            gains += self._own_bonus * np.array([(view.hand >> s & 1) + (view.hand >> w & 1) for s, w, _ in triples])
        each = len(suspects) * len(weapons)
        self._questions = []
        for start in range(0, len(triples), each):
            best = start + int(gains[start : start + each].argmax())
            self._questions.append(_Question(*triples[best], float(gains[best])))

    def _worth_naming(self, odds: NDArray[np.float64], category: int, hand: int) -> list[int]:
        """The likeliest cards of a category that are still open, and one that nobody else can show."""
        cards = bits(category)
        still_open = sorted((card for card in cards if 0.0 < odds[card] < 1.0), key=lambda card: -odds[card])
        chosen = still_open[: self._candidates]
        mine = bits(category & hand)
        proved = [card for card in cards if odds[card] == 1.0]
        if safe := mine or proved:
            chosen.append(pick(self.random, safe))
        return chosen or [pick(self.random, cards)]

    # ---- what to show ----------------------------------------------------------------------

    def choose_card(self, view: PlayerView) -> ShowCard:
        cards = ShowCard.choices(view)
        asker = view.active
        again = cards & self._shown_to[asker]
        card = pick(self.random, bits(again or cards))
        self._shown_to[asker] |= 1 << card
        return show_card(card)

    # ---- whether to accuse -----------------------------------------------------------------

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._witness.read(view)
        sure = self._proof.marginals[:, view.table.seats]
        proved = np.flatnonzero(sure == 1.0)
        if len(proved) == len(Category):
            suspect, weapon, room = (int(card) for card in proved)
            return accusation(suspect, weapon, room)
        return self._guess(view)

    def _guess(self, view: PlayerView) -> Accusation | None:
        """The likeliest envelope, where to stake the game on it is worth more than to wait."""
        self._race.read(view)
        worth_waiting = self._race.survival(view) ** self._patience
        odds = self._posterior.marginals[:, view.table.seats]
        if min(odds[ids.start : ids.stop].max() for ids in view.table.deck.ids) <= worth_waiting:
            return None  # no envelope is likelier than its least likely card
        (suspect, weapon, room), p = self._posterior.envelopes()[0]
        return accusation(suspect, weapon, room) if p > worth_waiting else None
