"""Why a card is, or is not, at a place: the smallest sets of facts that prove it, or that contradict each other.

Where that is open: how likely it is, and a deal for either case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pysat.examples.hitman import Hitman

from cluedo.ai.knowledge.evidence import Evidence, Fact, Given, InconsistentEvidence, Premise
from cluedo.ai.knowledge.models import UNIFORM, Model
from cluedo.ai.knowledge.sat import clauses_of, new_solver, variable
from cluedo.ai.knowledge.sentences import conclusion, deal_in_words, facts_in_words
from cluedo.engine.events import Passed, Shown
from cluedo.engine.phrase import Phrase, listed, percentage

__all__ = ["Core", "Explanation", "Prover", "explain", "fits", "inconsistency"]

_ONE = 1000  # a fact's weight: more than a reason has facts


@dataclass(frozen=True, slots=True)
class Core:
    """Facts that prove something, none of them needlessly.

    Attributes:
        facts: the facts, my own cards first, then those that lie open, then the table's in order.
        smallest: no smaller set proves it; if False, only no part of this set does.
    """

    facts: tuple[Premise, ...]
    smallest: bool


class Prover:
    """A solver in which every fact can be switched on and off."""

    def __init__(self, evidence: Evidence):
        self.evidence = evidence
        self._solver: Any = new_solver(evidence)
        self._clauses: dict[int, list[list[int]]] = {}
        self._facts: dict[int, Premise] = {}
        self._weights: dict[int, int] = {}
        switch = evidence.deck.size * evidence.places
        facts: list[Premise] = [*evidence.given, *evidence.facts]
        for fact in facts:
            clauses = clauses_of(fact, evidence)
            if clauses:
                switch += 1
                self._facts[switch], self._clauses[switch] = fact, clauses
                # Of two smallest reasons take the one that quotes my cards rather than what I did with them.
                self._weights[switch] = _ONE + _answered_by(fact, evidence.me)
                for clause in clauses:
                    self._solver.add_clause([*clause, -switch])

    def deal(self, goal: Sequence[int] = ()) -> list[int] | None:
        """The place of each card in some deal that fits all facts and the literals ``goal``, or None."""
        if not self._solver.solve(assumptions=[*goal, *self._facts]):
            return None
        places = self.evidence.places
        spots = set(self._solver.get_model())
        return [
            next(place for place in range(places) if variable(card, place, places) in spots)
            for card in range(self.evidence.deck.size)
        ]

    def clash(self, hand: Sequence[int]) -> bool:
        """Whether the other facts contradict each other as soon as these of my own cards are mine."""
        others = [
            switch
            for switch, fact in self._facts.items()
            if not isinstance(fact, Given) or fact.place != self.evidence.me or fact.card in hand
        ]
        return not self._solver.solve(assumptions=others)

    def core(self, goal: Sequence[int], seconds: float) -> Core | None:
        """A smallest set of facts that no deal fits together with ``goal``, or None if some deal fits all.

        After ``seconds`` the search for a smallest set gives way to a minimal one. Either way the answer has
        been checked: the facts exclude the goal, and without any one of them they do not.
        """
        if self._solver.solve(assumptions=[*goal, *self._facts]):
            return None
        start: list[int] = [literal for literal in self._solver.get_core() if literal in self._facts]
        found = self._smallest(goal, monotonic() + seconds)
        kept = self._minimal(goal, start if found is None else found)
        smallest = found is not None or len(kept) <= 1  # of one fact nothing can be left out
        return Core(tuple(self._facts[switch] for switch in sorted(kept)), smallest)

    def _minimal(self, goal: Sequence[int], switches: list[int]) -> list[int]:
        """Leave out what can be left out, one by one, the heaviest first (deletion, as `musx` does)."""
        kept = list(switches)
        for switch in sorted(switches, key=self._weights.__getitem__, reverse=True):
            fewer = [other for other in kept if other != switch]
            if not self._solver.solve(assumptions=[*goal, *fewer]):
                kept = fewer
        return kept

    def _smallest(self, goal: Sequence[int], deadline: float) -> list[int] | None:
        """A smallest set by implicit hitting sets (Ignatiev et al. 2015, as `optux` does); None when time is up.

        Whatever set of facts leaves a deal, a proof must contain one of the facts that this deal breaks: so a
        smallest set that hits all those is a lower bound, and a proof as soon as no deal is left.
        """
        with Hitman(solver="g3", htype="sorted") as hitman:
            while monotonic() < deadline:
                chosen: list[int] = hitman.get() or []
                if not self._solver.solve(assumptions=[*goal, *chosen]):
                    return chosen
                kept = self._true_facts()
                for switch in self._facts:
                    if switch not in kept and self._solver.solve(assumptions=[*goal, *kept, switch]):
                        kept |= self._true_facts()
                hitman.hit([switch for switch in self._facts if switch not in kept], self._weights)
        return None

    def _true_facts(self) -> set[int]:
        """The facts that hold in the solver's last deal."""
        spots = set(self._solver.get_model())
        return {
            switch
            for switch, clauses in self._clauses.items()
            if all(any(literal in spots for literal in clause) for clause in clauses)
        }


def _answered_by(fact: Premise, seat: int | None) -> bool:
    return isinstance(fact, Fact) and isinstance(fact.event, Passed | Shown) and fact.event.seat == seat


def fits(evidence: Evidence) -> bool:
    """Whether any deal fits."""
    return Prover(evidence).deal() is not None


def inconsistency(evidence: Evidence) -> InconsistentEvidence:
    """The error for evidence that no deal fits, with a minimal set of facts that clash."""
    core = Prover(evidence).core([], seconds=1.0)
    assert core is not None, "a solver found a contradiction where there is none"
    facts = listed(facts_in_words(core.facts, evidence))
    why = Phrase("no deal fits these facts together: {facts}", facts=facts)
    return InconsistentEvidence(why, core.facts)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a card and a place, and why.

    Attributes:
        card: the card.
        place: the place.
        proved: True (in), False (out) or None (open).
        facts: the reason, if proved: facts that prove it, none of them needless.
        smallest: no smaller set of facts is a reason; if False, time was up and this one is only minimal.
        probability: P(card at place) under the model; 1.0 or 0.0 if proved.
        examples: if open, two deals that fit: one with the card there, one without (the place of each card).
        reason: these facts in words, a sentence each.
        conclusion: what follows from them; or, if it is open, how likely it is.
        remark: whether the reason is a smallest one; or the examples in words, in their order.
    """

    card: int
    place: int
    proved: bool | None
    facts: tuple[Premise, ...]
    smallest: bool
    probability: float
    examples: tuple[list[int], ...]
    reason: tuple[Phrase, ...]
    conclusion: Phrase
    remark: tuple[Phrase, ...]

    @property
    def lines(self) -> tuple[Phrase, ...]:
        """All of it in words, sentence by sentence."""
        return (*self.reason, self.conclusion, *self.remark)

    @property
    def text(self) -> str:
        """All of it in English, one sentence a line."""
        return "\n".join(self.lines)


def explain(evidence: Evidence, card: int, place: int, *, model: Model = UNIFORM, seconds: float = 1.0) -> Explanation:
    """Say why ``card`` is or is not at ``place``.

    ``seconds`` bounds the search for a smallest reason; ``model`` gives the probability of an open pair.
    Raises InconsistentEvidence where no deal fits.
    """
    spot = variable(card, place, evidence.places)
    prover = Prover(evidence)
    within, without = prover.deal([spot]), prover.deal([-spot])
    if within is not None and without is not None:
        return _open(evidence, card, place, model, (within, without))
    if within is None and without is None:
        raise inconsistency(evidence)
    core = prover.core([-spot if without is None else spot], seconds)
    assert core is not None, "one of the two deals is impossible"
    proved = without is None
    reason = tuple([Phrase("{fact}.", fact=fact) for fact in facts_in_words(core.facts, evidence)])
    told = {"conclusion": conclusion(card, place, proved, evidence)}
    known = Phrase("Therefore {conclusion}.", **told) if reason else Phrase("Always {conclusion}.", **told)
    if core.smallest:
        remark = Phrase("(No smaller reason exists.)")
    else:
        remark = Phrase("(A smaller reason may exist; nothing here can be left out.)")
    return Explanation(card, place, proved, core.facts, core.smallest, float(proved), (), reason, known, (remark,))


def _open(evidence: Evidence, card: int, place: int, model: Model, examples: tuple[list[int], ...]) -> Explanation:
    from cluedo.ai.knowledge.posterior import Posterior  # numba is slow to import: for open pairs only

    posterior = Posterior(evidence, model)
    p = float(posterior.marginals[card, place])
    values = {"conclusion": conclusion(card, place, True, evidence), "chance": percentage(p), "model": model.name}
    if posterior.exact:
        known = Phrase("It is not known whether {conclusion}: {chance} (model {model}).", **values)
    else:
        known = Phrase(
            "It is not known whether {conclusion}: about {chance} (model {model}; sampled, ± {error:.1f}).",
            error=100 * float(posterior.errors[card, place]),
            **values,
        )
    deals = [
        Phrase(
            "A deal that fits where {conclusion}: {deal}.",
            conclusion=conclusion(card, place, there, evidence),
            deal=deal_in_words(evidence, deal),
        )
        for deal, there in zip(examples, (True, False), strict=True)
    ]
    return Explanation(card, place, None, (), False, p, examples, (), known, tuple(deals))
