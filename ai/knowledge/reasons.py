"""Why a card is, or is not, at a place; or what is still open about it."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.ai.knowledge.cores import Prover, contradiction
from cluedo.ai.knowledge.encoding import variable
from cluedo.ai.knowledge.evidence import Evidence, Fact, Own
from cluedo.ai.knowledge.models import UNIFORM, Model
from cluedo.ai.knowledge.words import conclusion, sentences

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a card and a place, and why.

    Attributes:
        card: the card.
        place: the place, a seat or the envelope.
        proved: True (in), False (out) or None (open).
        facts: the reason, if proved: facts that prove it, none of them needless.
        smallest: no smaller set of facts is a reason; if False, time was up and this one is only minimal.
        probability: P(card at place) under the model; 1.0 or 0.0 if proved.
        examples: if open, two deals that fit: one with the card there, one without (the place of each card).
        text: all of it in words, one sentence a line.
    """

    card: int
    place: int
    proved: bool | None
    facts: tuple[Own | Fact, ...]
    smallest: bool
    probability: float
    examples: tuple[list[int], ...]
    text: str


def explain(evidence: Evidence, card: int, place: int, *, model: Model = UNIFORM, seconds: float = 1.0) -> Explanation:
    """Say why ``card`` is or is not at ``place``.

    ``seconds`` bounds the search for a smallest reason; ``model`` gives the probability of an open pair.
    Raises InconsistentEvidence where no deal fits.
    """
    spot = variable(card, place, evidence.seats + 1)
    with Prover(evidence) as prover:
        within, without = prover.deal([spot]), prover.deal([-spot])
        if within is not None and without is not None:
            return _open(evidence, card, place, model, (within, without))
        if within is None and without is None:
            raise contradiction(evidence)
        core = prover.core([-spot if without is None else spot], seconds)
    assert core is not None, "one of the two deals is impossible"
    proved = without is None
    lines = sentences(core.facts, evidence)
    lines.append(f"{'Therefore' if lines else 'Always'} {conclusion(card, place, proved, evidence)}.")
    kind = "No smaller reason exists." if core.smallest else "A smaller reason may exist; nothing here can be left out."
    return Explanation(
        card, place, proved, core.facts, core.smallest, float(proved), (), "\n".join([*lines, f"({kind})"])
    )


def _open(evidence: Evidence, card: int, place: int, model: Model, examples: tuple[list[int], ...]) -> Explanation:
    from cluedo.ai.knowledge.posterior import Posterior  # numba is slow to import: for open pairs only

    p = float(Posterior(evidence, model).marginals[card, place])
    lines = [f"It is open whether {conclusion(card, place, True, evidence)}: {100 * p:.1f} % (model {model.name})."]
    for deal, there in zip(examples, (True, False), strict=True):
        lines.append(f"A deal that fits where {conclusion(card, place, there, evidence)}: {_deal(evidence, deal)}.")
    return Explanation(card, place, None, (), False, p, examples, "\n".join(lines))


def _deal(evidence: Evidence, deal: list[int]) -> str:
    names = evidence.deck.names
    hands = [
        f"{evidence.place_name(place)}: {', '.join(names[c] for c, at in enumerate(deal) if at == place)}"
        for place in range(evidence.seats, -1, -1)
        if place != evidence.me
    ]
    return "; ".join(hands)
