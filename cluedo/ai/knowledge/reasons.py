"""Why a card is, or is not, at a place; where that is open, how likely it is, and a deal for either case."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.ai.knowledge.cores import Prover, inconsistency
from cluedo.ai.knowledge.encoding import variable
from cluedo.ai.knowledge.evidence import Evidence, Premise
from cluedo.ai.knowledge.models import UNIFORM, Model
from cluedo.ai.knowledge.sentences import conclusion, deal_in_words, facts_in_words
from cluedo.engine.phrase import Phrase, rounded_points

__all__ = ["Explanation", "explain"]


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
    values = {"conclusion": conclusion(card, place, True, evidence), "p": rounded_points(p), "model": model.name}
    if posterior.exact:
        known = Phrase("It is not known whether {conclusion}: {p:g} % (model {model}).", **values)
    else:
        known = Phrase(
            "It is not known whether {conclusion}: about {p:g} % (model {model}; sampled, ± {error:.1f}).",
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
