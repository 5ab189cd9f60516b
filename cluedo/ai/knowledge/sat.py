"""Complete deduction by a SAT solver; deals that fit are kept, so that the solver is needed less often."""

from __future__ import annotations

from collections.abc import Iterable

from cluedo.ai.knowledge.encoding import clauses_of, new_solver, variable
from cluedo.ai.knowledge.evidence import Evidence, Fact
from cluedo.engine.cards import triple_mask
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown

__all__ = ["SatDeducer"]

_POOL = 48  # witnesses kept; more cost more to filter than they save
_TRIES = 6  # witnesses tried for an exchange before the solver is asked

Deal = tuple[int, ...]
"""For each place the mask of its cards."""


class SatDeducer:
    """Everything that follows from the evidence, kept up to date as facts come.

    A pair (card, place) is possible if some deal that fits has it. The pool holds such deals: a new fact
    filters it, and the solver is asked only about pairs that no deal of the pool witnesses; each answer is
    a new witness, or a pair that is out for good.

    Attributes:
        may: for each place the mask of cards not proved out of it.
        has: for each place the mask of cards proved in it.
        evidence: the evidence, which may grow.
    """

    __slots__ = ("_bans", "_pool", "_solver", "_taken", "_wants", "evidence", "has", "may")

    def __init__(self, evidence: Evidence):
        self.evidence = evidence
        self._solver = new_solver(evidence.deck, evidence.counts)
        for given in evidence.given:
            self._solver.append_formula(clauses_of(given, evidence))
        self.may = [evidence.deck.all] * evidence.places
        self.has = [0] * evidence.places
        self._pool: list[Deal] = []
        self._wants: list[list[int]] = [[] for _ in range(evidence.places)]
        self._bans: list[tuple[int, int]] = []
        self._taken = -1
        self.update()

    def update(self) -> None:
        """Take in the facts that are new in the evidence; raises InconsistentEvidence."""
        evidence = self.evidence
        if self._taken == len(evidence.facts) and self._pool:
            return
        for fact in evidence.facts[max(self._taken, 0) :]:
            clauses = clauses_of(fact, evidence)
            if clauses:
                for clause in clauses:
                    self._solver.add_clause(clause)
                match fact.event:
                    case Shown(seat, _, None):
                        self._wants[seat].append(triple_mask(fact.cards))
                    case Accused(correct=False):
                        self._bans.append((evidence.envelope, triple_mask(fact.cards)))
                    case HypothesisMade(seat):
                        self._bans.append((seat, triple_mask(fact.cards)))
                self._pool = _fitting(self._pool, fact, evidence)
        self._taken = len(evidence.facts)
        for place in range(evidence.places):
            self.may[place] &= evidence.may[place]
        if not self._pool and not self._ask([]):
            from cluedo.ai.knowledge.cores import contradiction  # cores are needed for a bad log only

            raise contradiction(evidence)
        self._settle()

    def status(self, card: int, place: int) -> bool | None:
        """True: proved in; False: proved out; None: open."""
        if self.has[place] >> card & 1:
            return True
        return None if self.may[place] >> card & 1 else False

    def possible(self, cards: Iterable[int], place: int) -> bool:
        """Whether all these cards can be at a place in one deal."""
        return bool(self._solver.solve(assumptions=[variable(card, place, self.evidence.places) for card in cards]))

    def _settle(self) -> None:
        """Ask the solver until each (card, place) either occurs in some deal or is ruled out."""
        places = self.evidence.places
        unseen = self.may.copy()
        for deal in self._pool:
            for place in range(places):
                unseen[place] &= ~deal[place]
        for place in range(places):
            while wanted := unseen[place]:
                bit = wanted & -wanted
                spot = variable(bit.bit_length() - 1, place, places)
                if self._swap(bit, place) or self._ask([spot]):
                    for where, cards in enumerate(self._pool[-1]):
                        unseen[where] &= ~cards
                else:
                    self.may[place] &= ~bit
                    unseen[place] &= ~bit
                    self._solver.add_clause([-spot])
        del self._pool[:-_POOL]
        once = twice = 0
        for mask in self.may:
            twice |= once & mask
            once |= mask
        self.has = [mask & ~twice for mask in self.may]

    def _swap(self, bit: int, place: int) -> bool:
        """Find a deal with this card at this place by swapping two cards of a known deal, which needs no solver."""
        envelope, wants, bans, may = self.evidence.envelope, self._wants, self._bans, self.may
        kind = next(mask for mask in self.evidence.deck.masks if mask & bit)
        for deal in self._pool[-_TRIES:]:
            home = next(where for where, cards in enumerate(deal) if cards & bit)
            others = deal[place] & may[home]
            if envelope in (place, home):
                others &= kind
            while others:
                other = others & -others
                others ^= other
                both = bit | other
                there, here = deal[place] ^ both, deal[home] ^ both
                if all(there & want for want in wants[place]) and all(here & want for want in wants[home]):
                    new = list(deal)
                    new[place], new[home] = there, here
                    if not bans or all(new[where] & ban != ban for where, ban in bans):
                        self._pool.append(tuple(new))
                        return True
        return False

    def _ask(self, assumptions: list[int]) -> bool:
        """Let the solver find a deal that fits with the assumptions, and keep it; False if there is none."""
        places = self.evidence.places
        if not self._solver.solve(assumptions=assumptions):
            return False
        deal = [0] * places
        for spot in self._solver.get_model():
            if spot > 0:
                card, where = divmod(spot - 1, places)
                deal[where] |= 1 << card
        self._pool.append(tuple(deal))
        return True


def _fitting(pool: list[Deal], fact: Fact, evidence: Evidence) -> list[Deal]:
    """The kept deals that also fit a new fact."""
    mask, envelope = triple_mask(fact.cards), evidence.envelope
    match fact.event:
        case Passed(seat):
            return [deal for deal in pool if not deal[seat] & mask]
        case Shown(seat, _, None):
            return [deal for deal in pool if deal[seat] & mask]
        case Shown(seat, _, card):
            assert card is not None
            return [deal for deal in pool if deal[seat] >> card & 1]
        case Accused(correct=False):
            return [deal for deal in pool if deal[envelope] != mask]
        case Accused():
            return [deal for deal in pool if deal[envelope] == mask]
        case HypothesisMade(seat):
            return [deal for deal in pool if deal[seat] & mask != mask]
        case Peeked(_, _, int(seen)) if evidence.pool_at is not None:
            return [deal for deal in pool if deal[evidence.pool_at] >> seen & 1]
        case HandShown(seat, cards):
            hand = sum(1 << card for card in cards)
            return [deal for deal in pool if deal[seat] == hand]
    return pool
