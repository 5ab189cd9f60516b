"""How a case came about: what was known after each of its entries."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.ai.knowledge import SeatKnowledge, Triple
from cluedo.language import tr
from cluedo.session.case.case import Case

__all__ = ["Moment", "timeline"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What was known after so many entries.

    Attributes:
        number: how many; 0 is the deal.
        text: the last of them as a line.
        deals: how many deals were left.
        bits: what was unknown about the envelope.
        best: the likeliest envelope, and ``chance``: how likely.
    """

    number: int
    text: str
    deals: int
    bits: float
    best: Triple
    chance: float


def timeline(case: Case) -> list[Moment]:
    """What was known after the deal and after every entry; of a case that agrees; none where it cannot be counted."""
    moments = []
    written = [tr("the deal"), *(case.grammar.write(entry) for entry in case.entries)]
    for number, text in enumerate(written):
        known = SeatKnowledge(case.log.evidence(number), case.model)
        if known.deals is None or known.bits is None:
            return []
        best, chance = known.envelopes[0]
        moments.append(Moment(number, text, known.deals, known.bits, best, chance))
    return moments
