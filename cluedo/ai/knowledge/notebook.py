"""The notebook: what a careful person crosses out by hand. Its rules are quick, never wrong, and do not find all.

The rules are plain functions on sequences of whole numbers. :class:`Notebook` calls them on arrays of Python, and
:mod:`~cluedo.ai.knowledge.kernels.common_kernels` compiles the same source, so they use only what Python and numba
share.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from cluedo.ai.knowledge.evidence import Evidence

__all__ = ["Notebook", "count", "propagate"]


def count(mask: int) -> int:
    """The number of cards in a mask."""
    total = 0
    while mask:
        mask &= mask - 1
        total += 1
    return total


def propagate(
    may: MutableSequence[int],
    has: MutableSequence[int],
    counts: Sequence[int],
    categories: Sequence[int],
    clauses: Sequence[int],
    bans: Sequence[int],
) -> bool:
    """Narrow ``may`` and widen ``has`` (a mask for each place, the envelope last) until no rule applies.

    ``categories`` are the three masks of the deck; ``clauses`` and ``bans`` are as in
    :class:`~cluedo.ai.knowledge.evidence.Evidence`. Returns False where a rule meets a contradiction.
    """
    deck = categories[0] | categories[1] | categories[2]
    changed = True
    while changed:
        changed = _one_place_each(may, has, deck)
        full = _hands(may, has, counts, categories)
        shown = _events(may, has, clauses, bans)
        if full < 0 or shown < 0:
            return False
        changed = changed or full > 0 or shown > 0
    fixed = 0
    somewhere = 0
    for place in range(len(may)):
        if has[place] & ~may[place] or has[place] & fixed:
            return False
        fixed |= has[place]
        somewhere |= may[place]
    return somewhere == deck


def _one_place_each(may: MutableSequence[int], has: MutableSequence[int], deck: int) -> bool:
    """A card that is somewhere is nowhere else; a card that can be at one place only is there."""
    changed = False
    fixed = 0
    for place in range(len(may)):
        fixed |= has[place]
    once = 0
    twice = 0
    for place in range(len(may)):
        gone = may[place] & fixed & ~has[place]
        if gone:
            may[place] &= ~gone
            changed = True
        twice |= once & may[place]
        once |= may[place]
    single = once & ~twice & ~fixed & deck
    if single:
        for place in range(len(may)):
            has[place] |= single & may[place]
        changed = True
    return changed


def _hands(
    may: MutableSequence[int], has: MutableSequence[int], counts: Sequence[int], categories: Sequence[int]
) -> int:
    """A full hand takes no more cards, and a hand that can just be filled holds all that it can.

    The envelope counts as three hands, of one card of each category.
    Returns 1 for a change, 0 for none, -1 for a contradiction.
    """
    changed = 0
    seats = len(counts)
    for slot in range(seats + 3):
        if slot < seats:
            place, size, span = slot, counts[slot], -1
        else:
            place, size, span = seats, 1, categories[slot - seats]
        held = has[place] & span
        possible = may[place] & span
        if held == possible:
            if count(held) != size:
                return -1
            continue
        if count(held) > size or count(possible) < size:
            return -1
        if count(held) == size:
            may[place] &= ~(possible & ~held)
            changed = 1
        elif count(possible) == size:
            has[place] |= possible
            changed = 1
    return changed


def _events(may: MutableSequence[int], has: MutableSequence[int], clauses: Sequence[int], bans: Sequence[int]) -> int:
    """Apply the clauses and the bans.

    Who showed a card and can hold only one of the three holds it. Where three cards are not all at a place and two of
    them are, the third is not.
    Returns 1 for a change, 0 for none, -1 for a contradiction.
    """
    changed = 0
    for index in range(0, len(clauses), 2):
        seat, mask = clauses[index], clauses[index + 1]
        if has[seat] & mask:
            continue
        possible = may[seat] & mask
        if possible == 0:
            return -1
        if possible & (possible - 1) == 0:
            has[seat] |= possible
            changed = 1
    for index in range(0, len(bans), 2):
        place, mask = bans[index], bans[index + 1]
        if may[place] & mask != mask:
            continue
        left = mask & ~has[place]
        if left == 0:
            return -1
        if left & (left - 1) == 0:
            may[place] &= ~left
            changed = 1
    return changed


class Notebook:
    """The rules applied to one person's evidence, kept up to date as facts come.

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
            from cluedo.ai.knowledge.reasons import inconsistency  # the solver is needed for a bad log only

            raise inconsistency(evidence)
        self._taken = len(evidence.facts)

    def status(self, card: int, place: int) -> bool | None:
        """True: proved in; False: proved out; None: open."""
        if self.has[place] >> card & 1:
            return True
        return None if self.may[place] >> card & 1 else False
