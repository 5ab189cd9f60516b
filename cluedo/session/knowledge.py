"""What a seat knows, as JSON."""

from __future__ import annotations

from typing import Any

from cluedo.ai.knowledge import Evidence, Explanation, Fact, SeatKnowledge, Triple
from cluedo.engine.cards import Deck
from cluedo.session.case.places import envelope_first

__all__ = ["explanation_json", "knowledge_json"]

_BEST = 3


def knowledge_json(known: SeatKnowledge) -> dict[str, Any]:
    """Deals, the sheet, proofs, envelopes and the best hypotheses, by name in the order of the deck."""
    evidence, deck = known.evidence, known.evidence.deck
    heads = envelope_first(evidence.place_names)
    table = {
        card: dict(zip(heads, envelope_first(chances), strict=True))
        for card, chances in zip(deck.names, known.chances, strict=True)
    }
    found = {
        "deals": known.deals,
        "cards": table,
        "proved": [[card, at, p == 1.0] for card, row in table.items() for at, p in row.items() if p in (0.0, 1.0)],
        "envelopes": [{"cards": _named(triple, deck), "p": p} for triple, p in known.envelopes],
        "best": [{"cards": _named(best.cards, deck), "bits": best.bits} for best in known.best_few(_BEST)],
    }
    return found if known.exact else {**found, "sampled": _sampled(known)}


def _sampled(known: SeatKnowledge) -> dict[str, Any]:
    """By how much what is sampled may be off, 95 of 100 times; the deals by a share of them."""
    evidence = known.evidence
    heads = envelope_first(evidence.place_names)
    return {
        "deals": known.deals_error,
        "cards": {
            card: dict(zip(heads, envelope_first(errors), strict=True))
            for card, errors in zip(evidence.deck.names, known.errors.tolist(), strict=True)
        },
        "envelopes": [known.envelope_error(triple) for triple, _ in known.envelopes],
    }


def explanation_json(explanation: Explanation, evidence: Evidence) -> dict[str, Any]:
    """An answer to ``--why``: events by number, my own cards and those that lie open by name."""
    facts = [fact.turn if isinstance(fact, Fact) else evidence.deck.names[fact.card] for fact in explanation.facts]
    return {
        "card": evidence.deck.names[explanation.card],
        "place": evidence.place_names[explanation.place],
        "proved": explanation.proved,
        "p": explanation.probability,
        "facts": facts,
        "text": explanation.text,
    }


def _named(triple: Triple, deck: Deck) -> list[str]:
    return [deck.names[card] for card in triple]
