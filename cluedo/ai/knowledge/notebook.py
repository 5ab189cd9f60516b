"""The notebook: what a careful person crosses out by hand. Quick, sound and incomplete."""

from __future__ import annotations

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.unit_rules import propagate

__all__ = ["Notebook"]


class Notebook:
    """Unit rules on one person's evidence, kept up to date as facts come.

    Attributes:
        may: for each place (the envelope last) the mask of cards not proved out of it.
        has: for each place the mask of cards proved in it.
    """

    __slots__ = ("_taken", "evidence", "has", "may")

    def __init__(self, evidence: Evidence):
        self.evidence = evidence
        self.may = evidence.may[:]
        self.has = evidence.has[:]
        self._taken = -1
        self.update()

    def update(self) -> None:
        """Take in the facts that are new in the evidence; raises InconsistentEvidence."""
        evidence = self.evidence
        if self._taken == len(evidence.facts):
            return
        for place in range(evidence.places):
            self.may[place] &= evidence.may[place]
            self.has[place] |= evidence.has[place]
        if not propagate(self.may, self.has, evidence.counts, evidence.deck.masks, evidence.clauses, evidence.bans):
            from cluedo.ai.knowledge.cores import contradiction  # the solver is needed for a bad log only

            raise contradiction(evidence)
        self._taken = len(evidence.facts)

    def status(self, card: int, place: int) -> bool | None:
        """True: proved in; False: proved out; None: open."""
        if self.has[place] >> card & 1:
            return True
        return None if self.may[place] >> card & 1 else False
