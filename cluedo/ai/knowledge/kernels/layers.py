"""Compiled: from evidence to the layers of the card-by-card programme.

Cards whose place the notebook proves are dropped; the others are taken one by one, suspects, rooms, weapons
(so that the askers' normalisers are factors at the two boundaries). A *state* is one word:

    [ envelope's need | each open seat's need | carried needs | one bit for each clause, ban, choice ]

A need is a field of a few bits under one guard bit, so that "nobody needs more cards than are left
for them" is one subtraction. The envelope's need is 1 until its card of the running category is chosen.
"""

from __future__ import annotations

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import cleared, count, propagate
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import (
    ADD,
    CAPS,
    CARD,
    CARRY,
    CHOICE,
    CHOOSES,
    CLOSED,
    CONTRADICTION,
    ENV_OPEN,
    FIELD,
    GUARDS,
    KEEP,
    LAYERS,
    MARK,
    MAX_LAYERS,
    MAX_PLACES,
    NEED,
    NEEDS,
    OFFSET,
    OK,
    ORDER,
    PLACE,
    ROOMS_AT,
    ROOT,
    SLOTS,
    TOO_WIDE,
    UNIT,
    WANTED,
    WEAPONS_AT,
    WIDTH,
    EvidenceArrays,
    Floats,
    Ints,
)

__all__ = ["make_plan"]


@compiled
def _fields(evidence: EvidenceArrays, carry: bool, head: Ints) -> int:
    """Lay out the needs; returns the first free bit."""
    has, counts = evidence.has, evidence.counts
    seats = counts.shape[0]
    head[OFFSET + seats], head[WIDTH + seats], head[NEED + seats] = 0, 2, 1
    guards, needs, root, offset = 2, 0, 0, 2
    for seat in range(seats):
        need = counts[seat] - count(has[seat])
        width = 0
        while need >> width:
            width += 1
        head[OFFSET + seat], head[NEED + seat] = offset, need
        head[WIDTH + seat] = width + 1 if need else 0
        if need:
            guards |= 1 << (offset + width)
            needs |= ((1 << width) - 1) << offset
            root |= need << offset
            offset += width + 1
    head[ENV_OPEN] = 0
    for category in range(3):
        if not has[seats] & evidence.categories[category]:
            head[ENV_OPEN] |= 1 << category
    head[GUARDS], head[NEEDS], head[ROOT] = guards, needs, root
    head[CARRY] = 0
    if carry:
        head[CARRY] = max(offset - 2, 1)  # not 0, which means no carrying, where nobody needs a card
        offset += head[CARRY]
    return offset


@compiled
def _in_order(left: int, category: int, evidence: EvidenceArrays, order: Ints) -> int:
    """The cards of ``left`` in the order of fewest states; returns how many.

    A clause's bit lives from its first card to its last: so suspects of many clauses come late, such weapons
    soon. ``order`` gets rank << 8 | card.
    """
    may, has, clauses = evidence.may, evidence.has, evidence.clauses
    size = 0
    card = 0
    while left >> card:
        if left >> card & 1:
            rank = 0
            for index in range(0, clauses.shape[0], 2):
                seat, mask = clauses[index], clauses[index + 1] & may[clauses[index]]
                if mask >> card & 1 and not has[seat] & mask:
                    rank += 1
            if category == 1:
                rank = -rank
            at = size
            while at and order[at - 1] >> 8 > rank:
                order[at] = order[at - 1]
                at -= 1
            order[at] = rank << 8 | card
            size += 1
        card += 1
    return size


@compiled
def _layers(evidence: EvidenceArrays, head: Ints, plan: Ints) -> None:
    """One row for each unproved card: its places, and what is left for each place after it."""
    may, seats = evidence.may, evidence.counts.shape[0]
    fixed = 0
    for place in range(seats + 1):
        fixed |= evidence.has[place]
    layer = 0
    order = np.empty(MAX_LAYERS, np.int64)
    for category in ORDER:
        if category == 2:
            head[ROOMS_AT] = layer
        elif category == 1:
            head[WEAPONS_AT] = layer
        for index in range(_in_order(evidence.categories[category] & ~fixed, category, evidence, order)):
            card = order[index] & 255
            slots = 0
            for place in range(seats + 1):
                if may[place] >> card & 1:
                    plan[layer, PLACE + slots] = place
                    plan[layer, UNIT + slots] = 1 << head[OFFSET + place]
                    plan[layer, FIELD + slots] = ((1 << head[WIDTH + place]) - 1) << head[OFFSET + place]
                    plan[layer, MARK + slots] = 0
                    plan[layer, WANTED + slots] = 0
                    plan[layer, CHOICE + slots] = 0
                    slots += 1
            plan[layer, CARD], plan[layer, SLOTS] = card, slots
            plan[layer, CLOSED], plan[layer, ADD], plan[layer, KEEP] = 0, 0, -1
            layer += 1
    head[LAYERS] = layer


@compiled
def _caps(seats: int, head: Ints, plan: Ints) -> None:
    """How many cards of the layers to come each place can still take, packed like the needs."""
    layers = head[LAYERS]
    left = cleared(np.empty(MAX_PLACES, np.int64))
    for layer in range(layers - 1, -1, -1):
        if layer + 1 == head[ROOMS_AT] or layer + 1 == head[WEAPONS_AT]:
            left[seats] = 0  # the envelope's card of this category must be chosen by now
        packed = 0
        for place in range(seats + 1):
            packed |= min(left[place], head[NEED + place]) << head[OFFSET + place]
        plan[layer, CAPS] = packed | head[GUARDS]
        for slot in range(plan[layer, SLOTS]):
            left[plan[layer, PLACE + slot]] += 1


@compiled
def _openings(head: Ints, plan: Ints) -> None:
    """The envelope needs a card whenever a category begins whose card is not known."""
    bounds = (0, head[ROOMS_AT], head[WEAPONS_AT], head[LAYERS])
    for index in range(3):
        if bounds[index] < bounds[index + 1] and head[ENV_OPEN] >> ORDER[index] & 1:
            if bounds[index] == 0:
                head[ROOT] += 1
            else:
                plan[bounds[index] - 1, ADD] += 1
    if head[CARRY]:
        if head[ROOMS_AT] == 0:
            head[ROOT] |= (head[ROOT] & head[NEEDS]) << head[CARRY]
        if head[WEAPONS_AT] < head[LAYERS]:
            plan[head[WEAPONS_AT], KEEP] &= ~(head[NEEDS] << head[CARRY])


@compiled
def _seat_bits(evidence: EvidenceArrays, bit: int, head: Ints, plan: Ints) -> int:
    """A bit for each clause that still says something; returns the next free bit, or 64 if they do not fit."""
    may, has, clauses = evidence.may, evidence.has, evidence.clauses
    kept = np.empty((clauses.shape[0] // 2 + 1, 2), np.int64)
    size = 0
    for index in range(0, clauses.shape[0], 2):
        seat, mask = clauses[index], clauses[index + 1] & may[clauses[index]]
        # Satisfied already, or by counting: the cards outside the clause do not fill the hand.
        if has[seat] & mask or head[NEED + seat] > count(may[seat] & ~has[seat] & ~mask):
            continue
        new = size
        for other in range(size):
            if kept[other, 0] == seat and kept[other, 1] & ~mask == 0:
                new = -1  # a kept clause says as much or more
                break
        if new < 0:
            continue
        size = 0 if size == 0 else _drop_weaker(kept, size, seat, mask)
        kept[size, 0], kept[size, 1] = seat, mask
        size += 1
    for index in range(size):
        if bit > 62:
            return 64
        seat, mask = kept[index, 0], kept[index, 1]
        last = -1
        for layer in range(head[LAYERS]):
            inside = mask >> plan[layer, CARD] & 1
            for slot in range(plan[layer, SLOTS]):
                if plan[layer, PLACE + slot] == seat:
                    plan[layer, WANTED + slot] |= 1 << bit
                    if inside:
                        plan[layer, MARK + slot] |= 1 << bit
                        last = layer
        plan[last, CLOSED] |= 1 << bit
        bit += 1
    return bit


@compiled
def _drop_weaker(kept: Ints, size: int, seat: int, mask: int) -> int:
    """Forget the kept clauses that ``mask`` implies; returns how many are left."""
    left = 0
    for other in range(size):
        if kept[other, 0] == seat and mask & ~kept[other, 1] == 0:
            continue
        kept[left, 0], kept[left, 1] = kept[other, 0], kept[other, 1]
        left += 1
    return left


@compiled
def _ban_bits(evidence: EvidenceArrays, bit: int, head: Ints, plan: Ints) -> int:
    """A bit for each three cards that are not all at a place: set as soon as one of them is elsewhere."""
    may, has, bans = evidence.may, evidence.has, evidence.bans
    for index in range(0, bans.shape[0], 2):
        place, mask = bans[index], bans[index + 1]
        if may[place] & mask != mask:
            continue
        if bit > 62:
            return 64
        left = mask & ~has[place]
        last = -1
        for layer in range(head[LAYERS]):
            if left >> plan[layer, CARD] & 1:
                last = layer
                for slot in range(plan[layer, SLOTS]):
                    if plan[layer, PLACE + slot] != place:
                        plan[layer, MARK + slot] |= 1 << bit
        plan[last, CLOSED] |= 1 << bit
        bit += 1
    return bit


@compiled
def _choice_bits(evidence: EvidenceArrays, bit: int, head: Ints, plan: Ints, soft: Floats) -> tuple[int, float]:
    """Model `choice`: a card shown to me counts 1 / (cards of the three that the shower held).

    With two other cards open a bit remembers whether one of them has been given to the shower; with
    one it is a weight of a (card, place), in ``soft``. Returns the next free bit and the constant's log.
    """
    may, has, choices = evidence.may, evidence.has, evidence.choices
    constant = 0.0
    head[CHOOSES] = 0
    for index in range(0, choices.shape[0], 2):
        seat, triple = choices[index], choices[index + 1]
        held = count(has[seat] & triple)
        possible = may[seat] & triple & ~has[seat]
        constant -= np.log(held)
        if possible == 0:
            continue
        if possible & (possible - 1) == 0:
            soft[_index(possible), seat] *= held / (held + 1)
            continue
        if bit > 62:
            return 64, constant
        head[CHOOSES] = 1
        last = -1
        for layer in range(head[LAYERS]):
            if possible >> plan[layer, CARD] & 1:
                last = layer
                for slot in range(plan[layer, SLOTS]):
                    if plan[layer, PLACE + slot] == seat:
                        plan[layer, CHOICE + slot] |= 1 << bit
        if last + 1 < head[LAYERS]:
            plan[last + 1, KEEP] &= ~(1 << bit)
        bit += 1
    return bit, constant


@compiled
def _index(mask: int) -> int:
    """The id of the only card in a mask."""
    card = 0
    while mask >> card != 1:
        card += 1
    return card


@compiled
def make_plan(evidence: EvidenceArrays, carry: bool, head: Ints, plan: Ints, soft: Floats) -> tuple[int, float]:
    """Propagate in place, then lay out the programme in ``head`` and ``plan``.

    With ``carry`` the states remember the needs after the last suspect until the rooms are done. ``soft`` (cards,
    places) is multiplied by the single weights of the choices. Returns a status and the log of the constant factor.
    """
    if not propagate(evidence.may, evidence.has, evidence.counts, evidence.categories, evidence.clauses, evidence.bans):
        return CONTRADICTION, 0.0
    bit = _fields(evidence, carry, head)
    _layers(evidence, head, plan)
    _caps(evidence.counts.shape[0], head, plan)
    _openings(head, plan)
    bit = _seat_bits(evidence, bit, head, plan)
    bit = _ban_bits(evidence, bit, head, plan)
    bit, constant = _choice_bits(evidence, bit, head, plan, soft)
    return (OK if bit <= 63 else TOO_WIDE), constant
