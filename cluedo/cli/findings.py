"""Everything that ``cluedo solve`` finds out about a case, as plain values, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from cluedo.ai.knowledge import (
    Evidence,
    Explanation,
    Model,
    Own,
    Posterior,
    SatDeducer,
    Triple,
    best_hypotheses,
    entropy,
)
from cluedo.engine.errors import CluedoError

__all__ = ["Findings", "explanation_json", "find"]

_BEST = 3
_SEED = 1  # of the deals that shortlist hypotheses: the same log always gives the same answer


@dataclass(frozen=True, slots=True)
class Findings:
    """What follows from the evidence under a model.

    Attributes:
        evidence: the evidence.
        model: the model that the numbers come from.
        deals: how many deals fit, or None where they are too many states to count: then all that is
            known is what is proved, and ``envelopes`` and ``best`` are empty.
        chances: by card, then by place, the probability; 0.0 and 1.0 are proved, None is open and unknown.
        envelopes: every possible envelope with its probability, likeliest first.
        bits: what is unknown about the envelope, in bits.
        best: the best hypotheses with their gain in bits; none for a spectator.
        habits: by seat, the relative weight of naming an own card (1.0 unless the model reads the askers).
    """

    evidence: Evidence
    model: Model
    deals: int | None
    chances: list[list[float | None]]
    envelopes: list[tuple[Triple, float]]
    bits: float
    best: list[tuple[Triple, float]]
    habits: list[float]

    def to_json(self) -> dict[str, Any]:
        """The findings by name, in the order of the deck."""
        evidence = self.evidence
        cards, places = evidence.deck.names, [evidence.place_name(at) for at in _places(evidence)]
        table = {
            card: {name: chances[at] for name, at in zip(places, _places(evidence), strict=True)}
            for card, chances in zip(cards, self.chances, strict=True)
        }
        return {
            "deals": self.deals,
            "cards": table,
            "proved": [[card, at, p == 1.0] for card, row in table.items() for at, p in row.items() if p in (0.0, 1.0)],
            "envelopes": [{"cards": self._named(triple), "p": p} for triple, p in self.envelopes],
            "best": [{"cards": self._named(triple), "bits": bits} for triple, bits in self.best],
        }

    def _named(self, triple: Triple) -> list[str]:
        return [self.evidence.deck.names[card] for card in triple]


def find(evidence: Evidence, model: Model, best: int = _BEST) -> Findings:
    """Solve the case, with so many of the best hypotheses; the evidence must not contradict itself."""
    try:
        return _counted(evidence, model, best)
    except (CluedoError, MemoryError):
        return Findings(evidence, model, None, _proved(evidence), [], 0.0, [], [])


def _counted(evidence: Evidence, model: Model, best: int) -> Findings:
    """The same by counting; raises CluedoError or MemoryError where the states are too many."""
    posterior = Posterior(evidence, model)
    deals = posterior.deals
    hypotheses = best_hypotheses(posterior, best, Random(_SEED)) if best and evidence.me is not None else []
    return Findings(
        evidence,
        model,
        deals,
        posterior.marginals.tolist(),
        posterior.envelopes(),
        entropy(posterior.joint),
        hypotheses,
        posterior.habits,
    )


def explanation_json(explanation: Explanation, evidence: Evidence) -> dict[str, Any]:
    """An answer to ``--why``: events by number, my own cards by name."""
    facts = [evidence.deck.names[fact.card] if isinstance(fact, Own) else fact.turn for fact in explanation.facts]
    return {
        "card": evidence.deck.names[explanation.card],
        "place": evidence.place_name(explanation.place),
        "proved": explanation.proved,
        "p": explanation.probability,
        "facts": facts,
        "text": explanation.text,
    }


def _proved(evidence: Evidence) -> list[list[float | None]]:
    """What is proved, by a solver that needs no counting."""
    known = SatDeducer(evidence)
    statuses = [[known.status(card, at) for at in range(evidence.seats + 1)] for card in range(evidence.deck.size)]
    return [[None if status is None else float(status) for status in row] for row in statuses]


def _places(evidence: Evidence) -> list[int]:
    """The envelope, then the seats."""
    return [evidence.envelope, *range(evidence.seats)]
