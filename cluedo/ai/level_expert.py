"""The level ``expert``: knows the exact odds, asks the question that tells most, and judges who is close to winning.

How it plays is set by the parameters of :class:`ExpertPlayer`; how exactly it counts, by the constants below.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from random import Random
from typing import Literal, NamedTuple

import numpy as np

from cluedo.ai.choosing import allowed_here, allowed_hypothesis, hidden_in_pool, pick
from cluedo.ai.knowledge.evidence import EvidenceReader, check_deck
from cluedo.ai.knowledge.gains import entropy, sampled_information
from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.ai.knowledge.models import CHOICE, HIDERS
from cluedo.ai.knowledge.posterior import Posterior, compile_counting
from cluedo.ai.opponents import DealLikelihoods, Opponents, weighed_cards, weighed_envelopes
from cluedo.ai.parameters import check_number
from cluedo.ai.player import Movement, Player
from cluedo.ai.race import BOX_BITS, LEAST_GUESS, value_of_waiting
from cluedo.ai.walking import DISCOUNT, best_move, way_to_accuse
from cluedo.engine.cards import Category, Deck, bits
from cluedo.engine.commands import Accusation, Hypothesis, ShowCard, all_own
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView

__all__ = ["ExpertPlayer", "WinChances"]

_FEWER_CARDS = 0.07
"""By how much less likely to win than playing on a guess may be, for each bit that the envelopes of a deck have fewer
than those of the box: with few cards the game is over before anybody has shown how they play, and to wait is right only
where the others wait, too. On `tiny` without a board it won 53.2, 54.6, 54.0 and 51.2 % with −0.015, 0.035, 0.07 and
0.105, averaged over two each of 41 kinds of player in this repository; 7, 7, 2 and 2 of them won more than their share
against two of it (seed 62521, 400 games of each)."""
_OTHER_CARDS = 0.025
"""What a bit about where the others hold their cards is worth, for each bit of the envelope that is still unknown: the
more that is, the more answers follow that it makes more telling. With more of it, it wins more against players who wait
for a proof, and less against players who race: 0.06 won 1.5 points more against two `hard:own_cards=never`, and six
less against a racer. Chosen on seeds 61111 to 61911, 2,000 to 3,000 games each, partly with the racers of `research`.
To pay less at tables that seem to guess, or to judge questions by many more deals, was no better than this constant."""
_UNLIKELY = 0.04
"""Where its three cards, taken by themselves, make even the likeliest less likely than this, it is not worked out."""
_MOST_SAMPLES = 1_000_000
_AGAIN = 6
"""Times as many deals are drawn anew before it guesses, where fewer do not say clearly whether it should."""
_STAGE = 2  # times as many are drawn at each stage as at the one before
_CLEAR = 2.0  # standard errors by which a guess has to be worth more, or less, than to wait


class _Candidate(NamedTuple):
    """A hypothesis and its value in bits: what it is expected to tell, less what it gives away."""

    suspect: int
    weapon: int
    room: int
    worth: float


class WinChances(NamedTuple):
    """How likely it is to win by a guess, and by playing on."""

    guess: float
    wait: float


class ExpertPlayer(Player):
    """Knows the exact odds of every envelope, and asks what is expected to tell most about it for each turn of travel.

    What the answer tells about the others' hands counts a little as well. Learns from the others' hypotheses what kind
    of players they are: how far the cards they name betray their hands, and how well they use what they can know. Names
    the likeliest card of each category or, as readily, one of its own. Shows the card that is expected to tell the
    asker least. Accuses when the envelope is proved, when nothing more can be known, or when a guess is likelier to win
    than playing on.

    Attributes:
        weighed: how likely a guess seemed to win, and playing on, by the deals it decided by, as it was last asked
            whether it accuses; None where it did not weigh that.

    Args:
        reading: "on" learns from what others name; "off" does not.
        samples: exact deals drawn to judge questions, and what the others can know; before a guess many more.
        candidates: of each category, how many of the cards likeliest to be in the envelope may be named.
        gain_discount: what a bit is worth one turn later.
        own_cards: bits that naming a card of one's own is worth beyond what it tells.
        other_cards: what a bit about where the others hold their cards is worth, beside one about the envelope, for
            each bit of the envelope that is unknown.
        drag: bits that naming the suspect of somebody else is worth, whose pawn comes along.
        leader_cost: bits that naming somebody's suspect costs for each unit of probability that they win next turn:
            whoever is moved into a room may ask there at once.
        caution: how much likelier to win a guess has to be than playing on, less where there are fewer cards than in
            the box; 1 waits for a proof, or for all that can be known where a pool hides the envelope.
    """

    def __init__(
        self,
        *,
        reading: Literal["on", "off"] = "on",
        samples: int = 64,
        candidates: int = 1,
        gain_discount: float = DISCOUNT,
        own_cards: float = 0.0,
        other_cards: float = _OTHER_CARDS,
        drag: float = 0.01,
        leader_cost: float = 0.5,
        caution: float = 0.0,
    ):
        check_number("samples", samples, 1, _MOST_SAMPLES)
        check_number("candidates", candidates, 1)
        check_number("gain_discount", gain_discount, 0, 1)
        worths = {"own_cards": own_cards, "other_cards": other_cards, "drag": drag, "leader_cost": leader_cost}
        for name, value in (worths | {"caution": caution}).items():
            check_number(name, value)
        self._model = CHOICE if reading == "off" else HIDERS
        self._samples = samples
        self._candidates = candidates
        self._discount = gain_discount
        self._own_cards = own_cards
        self._other_cards = other_cards
        self._drag = drag
        self._leader_cost = leader_cost
        self._caution = caution

    @classmethod
    def prepare(cls) -> None:
        _compile()

    @classmethod
    def check(cls, deck: Deck, rules: Rules, seats: int) -> None:  # noqa: ARG003 - it plays by all rules
        check_deck(deck)

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self._reader = EvidenceReader(view)
        self._envelope = self._reader.evidence.envelope
        self._odds = Posterior(self._reader.evidence, self._model)
        self._opponents = Opponents(self._reader.evidence, self._model)
        self._margin = self._caution - _FEWER_CARDS * max(0.0, BOX_BITS - self._opponents.race.bits)
        self._blind = hidden_in_pool(view) > 0
        unseen = self._reader.evidence.pool_at if self._blind else None
        self._elsewhere = [place for place in range(self._envelope) if place not in (view.seat, unseen)]
        self._questions: list[_Candidate] = []
        self._taken = -1
        self.weighed: WinChances | None = None

    # ---- where to go and what to ask -------------------------------------------------------

    def choose_move(self, view: PlayerView) -> Movement:
        self._think(view)
        if view.table.accused_here and (decided := self._decided(view)) is not None:
            return way_to_accuse(view, decided, self.random)
        return best_move(view, [question.worth for question in self._questions], self._discount, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        self._think(view)
        suspect, weapon, _, _ = self._questions[view.place - view.table.board.rooms_at]
        # In a room of its own all that it thought of may be its own as well.
        return allowed_hypothesis(view, suspect, weapon, self.random)

    def _think(self, view: PlayerView) -> None:
        """Find the best question for each room, once for all that is known now."""
        taken = len(self._reader.read(view).facts)
        if taken == self._taken:
            return
        self._taken = taken
        table, deck = view.table, view.table.deck
        deals = self._odds.sample(self.random, self._samples)
        outlook = self._opponents.outlook(self._opponents.likelihoods(deals, self.random.getrandbits(62)))
        odds = self._odds.marginals[:, self._envelope]
        likely = weighed_cards(odds, deals, outlook.weights, self._envelope)
        worth_asking = self._worth_asking()
        suspects = self._worth_naming(likely, deck.masks[Category.SUSPECT], worth_asking, view.hand)
        weapons = self._worth_naming(likely, deck.masks[Category.WEAPON], worth_asking, view.hand)
        triples = [(s, w, r) for r in deck.rooms for s in suspects for w in weapons]
        told = sampled_information(self._odds, triples, deals, outlook.weights)
        hazards = outlook.hazards.tolist()
        extras = np.array([self._extra(view, suspect, weapon, hazards) for suspect in suspects for weapon in weapons])
        # Each category by itself: with six seats, to count all envelopes would take half as long as all the rest.
        beside = self._other_cards * entropy(odds)
        worths = (told[:, 0] + beside * told[:, 1]).reshape(len(deck.rooms), -1) + extras
        if table.not_all_own:
            allowed = np.array([not all_own(*triple, view) for triple in triples])
            worths[~allowed.reshape(worths.shape)] = -np.inf
        self._questions = []
        for row, best in enumerate(worths.argmax(axis=1).tolist()):
            suspect, weapon, room = triples[row * len(extras) + best]
            self._questions.append(_Candidate(suspect, weapon, room, float(worths[row, best])))

    def _worth_asking(self) -> int:
        """The mask of the cards that may be in the envelope, or elsewhere, where somebody may show or find them."""
        odds = self._odds.marginals
        asked = (odds[:, self._envelope] > 0.0) & odds[:, self._elsewhere].any(axis=1)
        return sum(1 << card for card in np.flatnonzero(asked).tolist())

    def _worth_naming(self, likely: Floats, category: int, worth_asking: int, hand: int) -> list[int]:
        """The likeliest cards of a category that are worth asking about, and one that nobody else can show."""
        chosen = sorted(bits(category & worth_asking), key=lambda card: -likely[card])[: self._candidates]
        odds = self._odds.marginals[:, self._envelope]
        if safe := bits(category & hand) or [card for card in bits(category & ~worth_asking) if odds[card] > 0.0]:
            chosen.append(pick(self.random, safe))
        return chosen

    def _extra(self, view: PlayerView, suspect: int, weapon: int, hazards: Sequence[float]) -> float:
        """What naming these two counts beyond what the answer tells; ``hazards``, by seat: P(it wins next turn)."""
        extra = self._own_cards * ((view.hand >> suspect & 1) + (view.hand >> weapon & 1))
        seat = view.table.seat_of[suspect]
        if seat >= 0 and seat != view.seat and not view.eliminated >> seat & 1:
            extra += self._drag - self._leader_cost * hazards[seat]
        return extra

    # ---- what to show ----------------------------------------------------------------------

    def choose_card(self, view: PlayerView) -> ShowCard:
        """One of the largest category, of the cards that this asker has seen if there are any.

        Of n cards each is in the envelope with 1 / n beforehand: to learn that one is not tells least where
        n is largest.
        """
        cards = ShowCard.choices(view)
        again = cards & self._reader.read(view).shown_by_me[view.active]
        deck = view.table.deck
        sizes = {card: len(deck.ids[deck.category(card)]) for card in bits(again or cards)}
        largest = max(sizes.values())
        return ShowCard(pick(self.random, [card for card, size in sizes.items() if size == largest]))

    # ---- whether to accuse -----------------------------------------------------------------

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._reader.read(view)
        return allowed_here(view, self._decided(view))

    def _decided(self, view: PlayerView) -> Accusation | None:
        """The accusation to make if it is allowed; sets :attr:`weighed`."""
        self.weighed = None
        proved = np.flatnonzero(self._odds.marginals[:, self._envelope] == 1.0).tolist()
        if len(proved) == len(Category):
            return Accusation(*proved)
        if self._blind and not self._worth_asking():
            return Accusation(*self._odds.envelopes()[0][0])
        return self._guess(view)

    def _guess(self, view: PlayerView) -> Accusation | None:
        """The likeliest envelope, where a guess is likelier to win than to play on."""
        if self._caution >= 1.0:
            return None
        odds = self._odds.marginals[:, self._envelope]
        likely = prod(float(odds[ids.start : ids.stop].max()) for ids in view.table.deck.ids)
        if likely < _UNLIKELY or self._odds.joint.max() < LEAST_GUESS:
            return None
        draw = self.random.getrandbits
        likelihoods = self._opponents.likelihoods(self._odds.sample(self.random, self._samples), draw(62))
        answer, clear = self._weigh(view, likelihoods)
        if answer is None and clear:
            return None
        # Of all envelopes at all times, a guess picks the one that few deals happen to flatter most (the winner's
        # curse): so others, of which nothing was picked, have to say the same.
        most = min(_AGAIN * self._samples, _MOST_SAMPLES)
        size = _STAGE * self._samples
        likelihoods = self._opponents.likelihoods(self._odds.sample(self.random, min(size, most)), draw(62))
        while True:
            answer, clear = self._weigh(view, likelihoods)
            if clear or len(likelihoods.deals) == most:
                return answer
            size = min(_STAGE * size, most - len(likelihoods.deals))
            more = self._opponents.likelihoods(self._odds.sample(self.random, size), draw(62))
            likelihoods = likelihoods.joined(more)

    def _weigh(self, view: PlayerView, likelihoods: DealLikelihoods) -> tuple[Accusation | None, bool]:
        """The likeliest envelope by some deals, if a guess is worth more than to wait; and whether that is clear."""
        outlook = self._opponents.outlook(likelihoods)
        found = weighed_envelopes(self._odds.joint, likelihoods.deals, outlook.weights, self._envelope)
        joint, (suspect, weapon, room), error = found
        first = [ids.start for ids in view.table.deck.ids]
        best = float(joint[suspect, weapon, room])
        clear = True
        if best < 1.0:
            waiting = value_of_waiting(entropy(joint), best, self._opponents.race, outlook.survival)
            self.weighed = WinChances(best, waiting)
            more = best - waiting - self._margin
            clear = abs(more) > _CLEAR * error
            if more <= 0.0:
                return None, clear
        return Accusation(first[0] + suspect, first[1] + weapon, first[2] + room), clear


@cache
def _compile() -> None:
    """Have the kernels compiled, or loaded, that games by the box's rules need."""
    posterior = compile_counting(HIDERS)
    deals, envelope = posterior.sample(Random(0), 1), posterior.evidence.envelope
    sampled_information(posterior, [(0, 3, 6)], deals)
    opponents = Opponents(posterior.evidence, HIDERS)
    outlook = opponents.outlook(opponents.likelihoods(deals, 0))
    _ = outlook.hazards, outlook.survival
    weighed_cards(posterior.marginals[:, envelope], deals, outlook.weights, envelope)
    weighed_envelopes(posterior.joint, deals, outlook.weights, envelope)
