"""Complete deduction by a SAT solver.

Evidence becomes clauses and cardinality constraints over one variable for each (card, place). Deals that fit are kept,
so that the solver is needed less often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import compress
from operator import or_
from typing import Any

from pysat.solvers import Solver
from pysolvers import minicard_solve

from cluedo.ai.knowledge.evidence import Evidence, Given, Premise
from cluedo.engine.cards import Deck
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown

__all__ = ["SatDeducer", "background", "clauses_of", "new_solver", "variable"]


def variable(card: int, place: int, places: int) -> int:
    """The variable (from 1) that says that ``card`` is at ``place``."""
    return card * places + place + 1


class _Solver(Solver):  # type: ignore[misc] # the library has no types
    """A solver that leaves Ctrl-C to Python: the library's own handler makes an error of one that comes while it works.

    It has none in other threads than the main one. (Told that an interrupt may come, it would have none either, but let
    other threads run at every call, and a busy one gives the turn back only after five milliseconds.)
    """

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        inner, in_main_thread = self.solver, 0
        inner.status = minicard_solve(inner.minicard, assumptions, in_main_thread)  # where its cores and models look
        return bool(inner.status)


def new_solver(evidence: Evidence) -> Any:
    """A solver that knows the background of some evidence: what holds at its table before a card is seen.

    minicard takes "at most" constraints natively; "at least" is "at most" of the opposites.
    """
    solver = _Solver(name="minicard")
    deck, places = evidence.deck, evidence.places
    for card in range(deck.size):
        spots = [variable(card, place, places) for place in range(places)]
        solver.add_clause(spots)
        solver.add_atmost(spots, 1)
    for cards, place, size in background(deck, evidence.counts):
        spots = [variable(card, place, places) for card in cards]
        solver.add_atmost(spots, size)
        solver.add_atmost([-spot for spot in spots], len(spots) - size)
    return solver


def background(deck: Deck, counts: Sequence[int]) -> Iterator[tuple[range, int, int]]:
    """Cards, place and how many of them are there: ``counts`` by place, and one of each category in the envelope."""
    for place, count in enumerate(counts):
        yield range(deck.size), place, count
    for ids in deck.ids:
        yield ids, len(counts), 1


def clauses_of(fact: Premise, evidence: Evidence) -> list[list[int]]:
    """What a fact says, as clauses; none for a fact that proves nothing."""
    places, envelope = evidence.places, evidence.envelope
    if isinstance(fact, Given):
        return [[variable(fact.card, fact.place, places)]]
    match fact.event:
        case Passed(seat):
            return [[-variable(card, seat, places)] for card in fact.cards]
        case Shown(seat, _, None):
            return [[variable(card, seat, places) for card in fact.cards]]
        case Shown(seat, _, shown):
            assert shown is not None
            return [[variable(shown, seat, places)]]
        case Accused(correct=False):
            return [[-variable(card, envelope, places) for card in fact.cards]]
        case Accused():
            return [[variable(card, envelope, places)] for card in fact.cards]
        case HypothesisMade(seat) if evidence.rules.own_cards == "not_all" and seat != evidence.me:
            return [[-variable(card, seat, places) for card in fact.cards]]
        case Peeked(_, _, int(seen)) if evidence.pool_at is not None:
            return [[variable(seen, evidence.pool_at, places)]]
        case HandShown(seat, cards):
            return [[variable(card, seat, places)] for card in cards]
    return []


_POOL = 48  # witnesses kept; more cost more to filter than they save
_TRIES = 6  # witnesses tried for an exchange before the solver is asked
_POSITIVE = (0).__lt__

DealMask = int
"""A deal as one mask: bit ``place * deck.size + card`` for each card, so that all places are looked at in one step."""


class SatDeducer:
    """Everything that follows from the evidence, kept up to date as facts come.

    A pair (card, place) is possible if some deal that fits has it. The pool holds such deals: a new fact
    filters it, and the solver is asked only about pairs that no deal of the pool witnesses; each answer is
    a new witness, or a pair that is out for good. That is done for the places that somebody asks about, when they ask.

    Attributes:
        evidence: the evidence, which may grow; all answers are for what :meth:`update` has taken in.
    """

    __slots__ = (
        "_bans",
        "_everywhere",
        "_kinds",
        "_may",
        "_pool",
        "_solver",
        "_spots",
        "_taken",
        "_unsettled",
        "_wants",
        "evidence",
    )

    def __init__(self, evidence: Evidence):
        self.evidence = evidence
        self._solver = new_solver(evidence)
        for given in evidence.given:
            self._solver.append_formula(clauses_of(given, evidence))
        size, places = evidence.deck.size, evidence.places
        self._spots = [1 << place * size + card for card in range(size) for place in range(places)]  # by variable
        self._may = (1 << places * size) - 1
        self._pool: list[DealMask] = []
        self._everywhere = sum([1 << place * size for place in range(places)])  # card 0
        self._kinds = [mask for mask in evidence.deck.masks for _ in range(mask.bit_count())]  # by card
        self._wants: dict[int, list[DealMask]] = {place * size: [] for place in range(places)}
        self._bans: list[DealMask] = []
        self._taken = -1
        self.update()

    def __reduce__(self) -> tuple[type[SatDeducer], tuple[Evidence]]:
        """Pickle and copy the evidence alone: all else follows from it."""
        return SatDeducer, (self.evidence,)

    def update(self) -> None:
        """Take in the facts that are new in the evidence; raises InconsistentEvidence."""
        evidence = self.evidence
        size = evidence.deck.size
        if self._taken == len(evidence.facts) and self._pool:
            return
        for fact in evidence.facts[max(self._taken, 0) :]:
            for clause in clauses_of(fact, evidence):
                self._solver.add_clause(clause)
                self._sift(clause)
        self._taken = len(evidence.facts)
        self._may &= sum([mask << place * size for place, mask in enumerate(evidence.may)])
        self._unsettled = -1
        if not self._pool and not self._ask([]):
            from cluedo.ai.knowledge.reasons import inconsistency  # cores are needed for a bad log only

            raise inconsistency(evidence)

    @property
    def may(self) -> list[int]:
        """For each place the mask of cards not proved out of it."""
        self._settle(-1)
        size, all_ = self.evidence.deck.size, self.evidence.deck.all
        return [self._may >> place * size & all_ for place in range(self.evidence.places)]

    @property
    def has(self) -> list[int]:
        """For each place the mask of cards proved in it."""
        once = twice = 0
        may = self.may
        for mask in may:
            twice |= once & mask
            once |= mask
        return [mask & ~twice for mask in may]

    @property
    def envelope(self) -> tuple[int, int]:
        """The masks of the cards not proved out of the envelope and of those proved in it, which is less work."""
        deck, there = self.evidence.deck, self.evidence.envelope * self.evidence.deck.size
        self._settle(deck.all << there)
        may, has = self._may >> there & deck.all, 0
        for mask in deck.masks:
            left = may & mask
            if not left & (left - 1):
                has |= left
        return may, has

    def status(self, card: int, place: int) -> bool | None:
        """True: proved in; False: proved out; None: open."""
        if self.has[place] >> card & 1:
            return True
        return None if self._may >> place * self.evidence.deck.size + card & 1 else False

    def possible(self, cards: Iterable[int], place: int) -> bool:
        """Whether all these cards can be at a place in one deal."""
        return bool(self._solver.solve(assumptions=[variable(card, place, self.evidence.places) for card in cards]))

    def _settle(self, spots: int) -> None:
        """Ask the solver until each (card, place) of a mask as of a deal either occurs in some deal or is ruled out."""
        spots &= self._unsettled
        if not spots:
            return
        deck, places = self.evidence.deck, self.evidence.places
        unseen = self._may & spots & ~reduce(or_, self._pool)
        while unseen:
            bit = unseen & -unseen
            place, card = divmod(bit.bit_length() - 1, deck.size)
            spot = variable(card, place, places)
            if self._swap(card, place) or self._ask([spot]):
                unseen &= ~self._pool[-1]
            else:
                self._may ^= bit
                unseen ^= bit
                self._solver.add_clause([-spot])
        self._unsettled &= ~spots
        del self._pool[:-_POOL]

    def _sift(self, clause: list[int]) -> None:
        """Keep the deals that also fit a new clause, and note what deals that are made by swapping have to fit.

        The literals of a clause have one sign, and are about one place. A literal alone need not be noted: cards are
        swapped to where they may be.
        """
        spots = sum([self._spots[abs(literal) - 1] for literal in clause])
        if clause[0] > 0:
            self._pool = [deal for deal in self._pool if deal & spots]
            place = (clause[0] - 1) % self.evidence.places
            noted = self._wants[place * self.evidence.deck.size]
        else:
            self._pool = [deal for deal in self._pool if deal & spots != spots]
            noted = self._bans
        if len(clause) > 1:
            noted.append(spots)

    def _swap(self, card: int, place: int) -> bool:
        """Find a deal with this card at this place by swapping two cards of a known deal, which needs no solver."""
        deck, wants, bans, may = self.evidence.deck, self._wants, self._bans, self._may
        size, bit, everywhere = deck.size, 1 << card, self._everywhere << card
        there, envelope = place * size, self.evidence.envelope * size
        kind = self._kinds[card]
        for deal in self._pool[-_TRIES:]:
            here = (deal & everywhere).bit_length() - 1 - card
            others = deal >> there & may >> here & (kind if envelope in (there, here) else deck.all)
            while others:
                other = others & -others
                others ^= other
                both = bit | other
                new = deal ^ both << there ^ both << here
                wanted = all(map(new.__and__, wants[there])) and all(map(new.__and__, wants[here]))
                if wanted and not (bans and any(new & ban == ban for ban in bans)):
                    self._pool.append(new)
                    return True
        return False

    def _ask(self, assumptions: list[int]) -> bool:
        """Let the solver find a deal that fits with the assumptions, and keep it; False if there is none."""
        if not self._solver.solve(assumptions=assumptions):
            return False
        self._pool.append(sum(compress(self._spots, map(_POSITIVE, self._solver.get_model()))))
        return True
