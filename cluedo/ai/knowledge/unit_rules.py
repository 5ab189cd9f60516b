"""The unit rules of a detective's notebook, run to a fixpoint.

Plain functions on any indexable sequences of ints: :mod:`~cluedo.ai.knowledge.notebook` calls them on
arrays of Python ints, and :mod:`~cluedo.ai.knowledge.compiled_unit_rules` makes the very same source fit for
kernels. So they keep to what Python and numba both understand.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

__all__ = ["count", "propagate"]


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
    sizes: Sequence[int],
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
        full = _hands(may, has, sizes, categories)
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
    may: MutableSequence[int], has: MutableSequence[int], sizes: Sequence[int], categories: Sequence[int]
) -> int:
    """A full hand takes no more, and a hand with no choice left holds all it can; the envelope, one of each kind.

    Returns 1 for a change, 0 for none, -1 for a contradiction.
    """
    changed = 0
    seats = len(sizes)
    for slot in range(seats + 3):
        if slot < seats:
            place, size, span = slot, sizes[slot], -1
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
    """Who showed a card and can hold but one of the three holds it; where two of three not all there are, is no third.

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
