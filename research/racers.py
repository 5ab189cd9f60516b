"""Strangers that race: bots with an inference of their own, written without knowing how `expert` judges others.

Each keeps whole deals, enumerated where few fit, else sampled, with their weights, and for each deal what every other
seat would know in it. From that follow the odds, what a question tells, how far the others are, and what a card that is
shown gives away. How that is used differs:

Reader     reads everything that others do, and asks for the most bits
Racer      maximises its chance to win the race; accuses when waiting is worth less
Deceiver   a Racer that names cards of its own whenever that costs few bits
Miser      a Racer that weighs what a question tells it against what it tells the table, and shows the least

Their numbers were fitted to games among themselves and against `hard` and `medium`. From a checkout:

    cluedo autoplay --trusted --map classic --rule movement=free --players research/racers.py:Racer,expert,expert

It is one file, because a bot is loaded from its file alone: first the kernels, which are compiled, then what a seat
believes, then the bots. In the kernels a *deal* is an array (cards) of places, the seats first and the envelope last; a
*triple* is a suspect, a weapon and a room.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from array import array
from collections.abc import Callable, Sequence
from functools import cache, wraps
from itertools import product
from random import Random
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cluedo import Accusation, Board, CluedoError, Game, Hypothesis, PlayerView, Rules, Seeds, ShowCard
from cluedo.ai.choosing import allowed_here
from cluedo.ai.knowledge import Evidence, EvidenceReader, Fact, Notebook, Posterior, entropy
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Deals, Floats, Ints
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import best_move, toward_rooms, way_to_accuse
from cluedo.engine.cards import Triple, bits
from cluedo.engine.events import Accused, Event, HandShown, HypothesisMade, Passed, Peeked, Shown, TurnEnded, as_seen_by

__all__ = ["Deceiver", "Miser", "Racer", "Reader"]

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound="Stranger")

Flags: TypeAlias = NDArray[np.bool_]
Knowledge: TypeAlias = NDArray[np.float32]
"""An array (deals, seats, cards): the chance that a seat knows where a card is, if this is the deal."""

Particles: TypeAlias = tuple[Deals, Knowledge, Floats, Floats]
"""Deals; what is known in each; an array (deals, seats, kinds), how likely a seat's questions are if it is of a kind of
asker, over how likely they are at random; and by deal, the logarithm of what else weighs it, or _IMPOSSIBLE."""
Sample: TypeAlias = tuple[Deals, Floats, Ints]
"""Deals; their weights, which add up to 1; and by deal, the number of its envelope."""
Table: TypeAlias = tuple[int, int, int, bool, Ints, Ints]
"""The seat that believes this; the place of the envelope; the mask of the seats who prove a card to be in it if all of
them pass; whether an asker never holds all three cards; an array (4), where each category begins in the deck, and its
end; and by card, the mask of the seats that have passed on it, which grows."""
Habits: TypeAlias = tuple[Floats, float, float]
"""The kinds of askers, an array (3, kinds) as _KINDS says; the power of how likely the room of a question is; and how
often somebody with a proof does not accuse."""

_ASKED, _PASSED, _SHOWED, _WAITED, _ERRED, _FOUND, _LAID_OPEN = range(7)
"""The kinds of row: a hypothesis, a pass, a refutation, a turn that ends without an accusation, a wrong accusation, and
a card that this seat, or everybody, sees at a place."""
_ROW: Final = 7
"""Numbers of a row: its kind, a place, three cards, the asker, and the card shown, or -1. What a kind has not is 0; a
card that is seen at a place is the first of the three."""
_IMPOSSIBLE: Final = -1e30
"""The logarithm of the weight of a deal that does not fit; any that is greater fits."""

# What the others are taken for, fitted to games as above.
_KINDS: Final = ((0.35, 0.04, 0.01), (0.30, 0.22, 0.01), (0.25, 0.7, 0.02), (0.10, 2.0, 0.1))
"""Kinds of askers: how many are like that, and how readily they name a card of their own, and one that they know of
somebody else, where a card that is open to them counts 1. The kernels have them as an array (3, kinds)."""
_PRIOR, _OWN, _KNOWN = range(3)
_ROOM_ON_BOARD: Final = 0.5  # the power of how likely a room is, where one asks in the rooms that are near
_FORGETS: Final = 0.1  # how often somebody with a proof does not accuse
_SHOWS_AGAIN: Final = 0.5  # how often somebody who can show a card again does so


@compiled
def _enumerate(may: Flags, left: Ints, clauses: Ints, bans: Ints, most: int, out: Deals) -> int:
    """Write all deals that fit; returns how many, or -1 if they fill ``out`` or the search is too long.

    Args:
        may: an array (cards, places), whether a card can be there. The cards are tried in this order. The last three
            places are the envelope's, one for each category.
        left: by place, how many cards are there; it is used up.
        clauses: an array (clauses, 4), a place and three cards of which one at least is there.
        bans: an array (bans, 4), a place and three cards of which one at least is not there.
        most: the number of steps after which to give up.
        out: the deals.
    """
    cards, places = may.shape
    deal = np.full(cards, -1, np.int64)
    card, found, steps = 0, 0, 0
    while card >= 0:
        steps += 1
        if steps > most:
            return -1
        place = deal[card]
        if place >= 0:  # take back what was tried last
            left[place] += 1
        place += 1
        while place < places and not (may[card, place] and left[place] > 0):
            place += 1
        if place == places:
            deal[card] = -1
            card -= 1
            continue
        deal[card] = place
        left[place] -= 1
        if card < cards - 1:
            card += 1
            continue
        for c in range(cards):
            out[found, c] = min(deal[c], places - 3)
        if _fits(out[found], clauses, bans):
            found += 1
            if found == out.shape[0]:
                return -1
    return found


@compiled
def _fits(deal: Deals, clauses: Ints, bans: Ints) -> bool:
    """Whether a deal satisfies all clauses and bans, as in :func:`_enumerate`."""
    for k in range(clauses.shape[0]):
        place = clauses[k, 0]
        if deal[clauses[k, 1]] != place and deal[clauses[k, 2]] != place and deal[clauses[k, 3]] != place:
            return False
    for k in range(bans.shape[0]):
        place = bans[k, 0]
        if deal[bans[k, 1]] == place and deal[bans[k, 2]] == place and deal[bans[k, 3]] == place:
            return False
    return True


@compiled
def _advance(rows: Ints, particles: Particles, table: Table, habits: Habits) -> None:
    """Weigh deals by what happened, row by row, an array (rows, _ROW), and note what each seat gets to know in them."""
    deals, knows, _, log_weights = particles
    me, envelope, _, _, _, passed = table
    for r in range(rows.shape[0]):
        kind, seat, suspect, weapon, room, asker, card = rows[r]
        triple = (suspect, weapon, room)
        if kind == _ASKED and seat != me:
            _weigh_question(particles, table, habits, seat, triple)
        elif kind == _PASSED:
            for d in range(deals.shape[0]):
                if deals[d, suspect] == seat or deals[d, weapon] == seat or deals[d, room] == seat:
                    log_weights[d] = _IMPOSSIBLE
            for c in triple:
                passed[c] |= 1 << seat
        elif kind == _SHOWED:
            _weigh_refutation(particles, me, seat, asker, triple, card)
            _overhear(particles, passed, seat, asker, triple)
        elif kind == _WAITED and seat != me and habits[2] < 1.0:
            _weigh_silence(particles, table, habits, seat)
        elif kind == _ERRED:
            for d in range(deals.shape[0]):
                if deals[d, suspect] == envelope and deals[d, weapon] == envelope and deals[d, room] == envelope:
                    log_weights[d] = _IMPOSSIBLE
        elif kind in (_FOUND, _LAID_OPEN):
            for d in range(deals.shape[0]):
                if deals[d, suspect] != seat:
                    log_weights[d] = _IMPOSSIBLE
                elif kind == _LAID_OPEN:
                    knows[d, :, suspect] = 1.0


@compiled
def _weigh_question(particles: Particles, table: Table, habits: Habits, seat: int, triple: Triple) -> None:
    """Weigh deals by what a seat asks, for each kind of asker.

    Who knows the card of the envelope in a category names any card of it, all equally likely.
    """
    deals, knows, likelihoods, log_weights = particles
    _, _, _, not_all, starts, _ = table
    kinds, room_power, _ = habits
    own_card, known_card = kinds[_OWN], kinds[_KNOWN]
    for d in range(deals.shape[0]):
        if log_weights[d] <= _IMPOSSIBLE:
            continue
        if not_all and deals[d, triple[0]] == seat and deals[d, triple[1]] == seat and deals[d, triple[2]] == seat:
            log_weights[d] = _IMPOSSIBLE
            continue
        for g in range(3):
            own, known, others = 0, 0.0, 0
            for c in range(starts[g], starts[g + 1]):
                if deals[d, c] == seat:
                    own += 1
                else:
                    others += 1
                    known += knows[d, seat, c]
            solved = _solved(deals[d], knows[d], table, seat, g)
            power, at_random = room_power if g == 2 else 1.0, 1.0 / (starts[g + 1] - starts[g])
            named_own, named_known = deals[d, triple[g]] == seat, knows[d, seat, triple[g]]
            for t in range(kinds.shape[1]):
                total = own_card[t] * own + others - (1 - known_card[t]) * known
                weight = own_card[t] if named_own else 1 - (1 - known_card[t]) * named_known
                chance = (1 - solved) * weight / (total + 1e-9) + solved * at_random
                ratio = (chance + 1e-6) / at_random
                likelihoods[d, seat, t] *= ratio if power == 1.0 else ratio**power


@compiled
def _weigh_refutation(particles: Particles, me: int, shower: int, asker: int, triple: Triple, card: int) -> None:
    """Weigh deals by a card that was shown, and note what the asker learns; ``card`` is -1 unless this seat saw it."""
    deals, knows, _, log_weights = particles
    for d in range(deals.shape[0]):
        if log_weights[d] <= _IMPOSSIBLE:
            continue
        held, seen = 0, 0
        for c in triple:
            if deals[d, c] == shower:
                held += 1
                if knows[d, asker, c] > 0.99:
                    seen += 1
        if held == 0 or (card >= 0 and deals[d, card] != shower):
            log_weights[d] = _IMPOSSIBLE
            continue
        if asker == me:
            log_weights[d] += math.log(_chance_shown(held, seen, knows[d, me, card] > 0.99) + 1e-9)
        if card >= 0:
            knows[d, asker, card] = 1.0
        elif seen == 0:
            for c in triple:
                if deals[d, c] == shower:
                    knows[d, asker, c] = 1 - (1 - knows[d, asker, c]) * (1 - 1.0 / held)


@compiled
def _chance_shown(held: int, seen: int, again: bool) -> float:
    """The chance that one shows a card who holds so many of the three, of which the asker has seen so many before.

    ``again`` says whether it has seen this one.
    """
    chance = (1 - _SHOWS_AGAIN) / held
    if seen == 0:
        chance += _SHOWS_AGAIN / held
    elif again:
        chance += _SHOWS_AGAIN / seen
    return chance


@compiled
def _overhear(particles: Particles, passed: Ints, shower: int, asker: int, triple: Triple) -> None:
    """Note what those conclude who only hear that a card was shown: the one of the three that it can be."""
    deals, knows, _, log_weights = particles
    for d in range(deals.shape[0]):
        if log_weights[d] <= _IMPOSSIBLE:
            continue
        for seat in range(knows.shape[1]):
            if seat in (shower, asker):
                continue
            could, last, explained = 0, -1, False
            for c in triple:
                if knows[d, seat, c] > 0.9:
                    if deals[d, c] == shower:
                        explained = True
                elif deals[d, c] != seat and not (passed[c] >> shower) & 1:
                    could += 1
                    last = c
            if not explained and could == 1 and deals[d, last] == shower:
                knows[d, seat, last] = 1.0


@compiled
def _weigh_silence(particles: Particles, table: Table, habits: Habits, seat: int) -> None:
    """Weigh deals by a seat's not accusing at the end of its turn."""
    deals, knows, _, log_weights = particles
    _, _, forgets = habits
    for d in range(deals.shape[0]):
        if log_weights[d] <= _IMPOSSIBLE:
            continue
        proof = 1.0
        for g in range(3):
            proof *= _solved(deals[d], knows[d], table, seat, g)
            if proof < 0.01:
                break
        if proof >= 0.01:
            log_weights[d] += math.log(1 - (1 - forgets) * proof)


@compiled
def _solved(deal: Deals, knows: Knowledge, table: Table, seat: int, category: int) -> float:
    """The chance that a seat knows the envelope's card of a category, in a deal where seats know so (seats, cards).

    It does if all others have passed on the card, or if it knows of all others that are not its own.
    """
    _, envelope, everybody, _, starts, passed = table
    chance = 1.0
    for c in range(starts[category], starts[category + 1]):
        if deal[c] == envelope:
            if (passed[c] | (1 << seat)) == everybody:
                return 1.0
        elif deal[c] != seat:
            chance *= knows[seat, c]
    return chance


@compiled
def _weigh(likelihoods: Floats, log_weights: Floats, kinds: Floats, weights: Floats) -> float:
    """Write the weights (deals), which add up to 1: the seats' kinds are mixed for each seat by itself.

    Returns the effective size of the sample: the number of deals that would tell as much if they weighed the same.
    """
    deals, seats, _ = likelihoods.shape
    top = _IMPOSSIBLE
    for d in range(deals):
        log_weight = log_weights[d]
        if log_weight > _IMPOSSIBLE:
            for s in range(seats):
                mixed = 0.0
                for t in range(kinds.shape[1]):
                    mixed += kinds[_PRIOR, t] * likelihoods[d, s, t]
                if mixed != 1.0:
                    log_weight += math.log(mixed + 1e-300)
        weights[d] = log_weight
        top = max(top, log_weight)
    total = 0.0
    for d in range(deals):
        weights[d] = math.exp(weights[d] - top) if weights[d] > _IMPOSSIBLE else 0.0
        total += weights[d]
    squares = 0.0
    for d in range(deals):
        weights[d] /= total
        squares += weights[d] * weights[d]
    return 1.0 / squares


@compiled
def _judge_others(
    deals: Deals, knows: Knowledge, weights: Floats, table: Table, known: Floats, open_bits: Floats
) -> None:
    """Add up what seats know, by the weights (deals) of deals.

    To ``known`` (seats, cards) is added how likely a seat knows where a card is, and to ``open_bits`` (seats) the
    logarithm, to base 2, of the number of envelopes that are left to it.
    """
    _, envelope, _, _, starts, _ = table
    for d in range(deals.shape[0]):
        weight = weights[d]
        if weight < 1e-9:
            continue
        for seat in range(knows.shape[1]):
            size = 0.0
            for g in range(3):
                solved = _solved(deals[d], knows[d], table, seat, g)
                left = 1.0
                for c in range(starts[g], starts[g + 1]):
                    if deals[d, c] == seat:
                        known[seat, c] += weight
                    elif deals[d, c] != envelope:
                        known[seat, c] += weight * knows[d, seat, c]
                        left += (1 - knows[d, seat, c]) * (1 - solved)
                size += math.log2(left)
            open_bits[seat] += weight * size


@compiled
def _judge_questions(
    sample: Sample, envelopes: int, triples: Ints, order: Ints, seen: Flags, stake: tuple[float, float], out: Floats
) -> None:
    """Write what each question promises, three numbers.

    They are the bits that it is expected to tell about the envelope; the expected chance of the likeliest envelope
    after the answer; and the expected chance to win of one who then accuses or waits, whichever is better.

    Args:
        sample: the deals.
        envelopes: how many different ones are among them.
        triples: the questions, an array (questions, 3).
        order: the seats in the order in which they answer.
        seen: by card, whether it has been shown to the asker.
        stake: as in :class:`Stake`.
        out: the promises, an array (3, questions).
    """
    deals, weights, envelope_of = sample
    level, by_bit = stake
    answers = np.zeros((3 * order.shape[0] + 1, envelopes))
    prior = np.zeros(envelopes)
    for d in range(deals.shape[0]):
        prior[envelope_of[d]] += weights[d]
    before = 0.0
    for e in range(envelopes):
        if prior[e] > 0:
            before -= prior[e] * math.log2(prior[e])
    for q in range(triples.shape[0]):
        _count_answers(sample, (triples[q, 0], triples[q, 1], triples[q, 2]), order, seen, answers)
        after, best, wins = 0.0, 0.0, 0.0
        for k in range(answers.shape[0]):
            total, top, left = 0.0, 0.0, 0.0
            for e in range(envelopes):
                chance = answers[k, e]
                if chance > 0:
                    total += chance
                    top = max(top, chance)
                    left -= chance * math.log2(chance)
            if total <= 0:
                continue
            left = left / total + math.log2(total)
            after += total * left
            best += top
            wins += max(top, total * (1 / (1 + math.exp(-level + by_bit * left))))
        out[0, q], out[1, q], out[2, q] = before - after, best, wins


@compiled
def _count_answers(sample: Sample, triple: Triple, order: Ints, seen: Flags, answers: Floats) -> None:
    """Write how likely each answer is together with each envelope, an array (answers, envelopes).

    Answer 3 k + i is the i-th card of the triple, shown by the k-th seat in ``order``; the last one, that nobody can.
    """
    deals, weights, envelope_of = sample
    answers[:] = 0.0
    for d in range(deals.shape[0]):
        weight = weights[d]
        if weight == 0.0:
            continue
        answered = False
        for k in range(order.shape[0]):
            seat, held, held_and_seen = order[k], 0, 0
            for i in range(3):
                card = triple[i]
                if deals[d, card] == seat:
                    held += 1
                    if seen[card]:
                        held_and_seen += 1
            if held > 0:
                for i in range(3):
                    card = triple[i]
                    if deals[d, card] == seat:
                        chance = _chance_shown(held, held_and_seen, seen[card])
                        answers[3 * k + i, envelope_of[d]] += weight * chance
                answered = True
                break
        if not answered:
            answers[-1, envelope_of[d]] += weight


@compiled
def _judge_leaks(deals: Deals, triples: Ints, order: Ints, envelope: int, out: Floats) -> None:
    """Write by question the bits about the cards of the envelope that the table hears from who answers, each by itself.

    The deals weigh the same; ``triples`` and ``order`` are as in :func:`_judge_questions`.
    """
    size, cards = deals.shape
    seats = order.shape[0]
    # By who answers, nobody last, in how many deals a card is in the envelope, and in how many they answer.
    together = np.zeros((seats + 1, cards))
    answers = np.zeros(seats + 1)
    for q in range(triples.shape[0]):
        suspect, weapon, room = triples[q]
        together[:] = 0.0
        answers[:] = 0.0
        for d in range(size):
            who = seats
            for k in range(seats):
                seat = order[k]
                if deals[d, suspect] == seat or deals[d, weapon] == seat or deals[d, room] == seat:
                    who = k
                    break
            answers[who] += 1
            for c in range(cards):
                if deals[d, c] == envelope:
                    together[who, c] += 1
        leak = 0.0
        for c in range(cards):
            in_all = 0.0
            for k in range(seats + 1):
                count = together[k, c]
                if count > 0:
                    leak += count / size * math.log2(count / answers[k])
                in_all += count
            if in_all > 0:
                leak -= in_all / size * math.log2(in_all / size)
        out[q] = leak


class _Happenings:
    """What happened at a table, as rows for the kernels.

    Attributes:
        rows: those so far, each of _ROW numbers.
    """

    def __init__(self, pool_at: int | None):
        self.rows: list[tuple[int, ...]] = []
        self._pool_at = pool_at
        self._asked: Triple = (0, 0, 0)
        self._accused = False  # in this turn

    def since(self, row: int) -> Ints:
        """The rows from one on, an array (rows, _ROW)."""
        return np.array(self.rows[row:], np.int64).reshape(-1, _ROW)

    def add(self, event: Event) -> None:
        """Add what tells something about the cards, or about somebody's turn."""
        match event:
            case HypothesisMade(seat):
                self._asked = event.cards
                self._accused = False
                self.rows.append((_ASKED, seat, *event.cards, 0, 0))
            case Passed(seat):
                self.rows.append((_PASSED, seat, *self._asked, 0, 0))
            case Shown(seat, asker, card):
                self.rows.append((_SHOWED, seat, *self._asked, asker, -1 if card is None else card))
            case Accused(seat, correct=correct):
                self._accused = True
                if not correct:
                    self.rows.append((_ERRED, seat, *event.cards, 0, 0))
            case TurnEnded(seat):
                if not self._accused:
                    self.rows.append((_WAITED, seat, 0, 0, 0, 0, 0))
                self._accused = False
            case HandShown(seat, cards):
                self.rows.extend((_LAID_OPEN, seat, card, 0, 0, 0, 0) for card in cards)
            case Peeked(_, _, card) if card is not None and self._pool_at is not None:
                self.rows.append((_FOUND, self._pool_at, card, 0, 0, 0, 0))


class Promises(NamedTuple):
    """What some questions promise: three arrays (questions), and what they are compared with.

    Attributes:
        triples: the questions, an array (questions, 3).
        gains: the bits that each is expected to tell about the envelope.
        chances: how likely the likeliest envelope is expected to be after the answer.
        wins: how likely one is expected to win who then accuses or waits.
        now: the chance to win of one who asks nothing, and accuses or waits.
    """

    triples: Ints
    gains: Floats
    chances: Floats
    wins: Floats
    now: float


class Stake(NamedTuple):
    """The chance to win of one who waits, by the bits that are open to it.

    Attributes:
        level: the logit of it for who knows the envelope.
        by_bit: how much less it is for each bit.
    """

    level: float
    by_bit: float

    def waiting(self, open_bits: float) -> float:
        """The chance to win of one who waits, and to whom so many bits are open."""
        return _logistic(self.level - self.by_bit * open_bits)


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


class Belief:
    """The deals that fit what a seat has seen, weighted by what the others did, and what each of these knows in each.

    These are all deals, if they are few; else a sample, which is drawn anew when few of it are left.

    Attributes:
        seat: who believes this.
        evidence: what it has seen.
        deals: an array (deals, cards) of places; without any deal nothing else can be asked for.
        exact: whether they are all that fit.
        weights: theirs (deals), which add up to 1.
        envelopes: how many different ones are among them.
        best: the likeliest envelope.
        chance: how likely that is.
        open_bits: the entropy of the envelope.
    """

    _MOST = 9000  # deals that are enumerated, at most
    _MOST_STEPS = 400_000  # of the search for them
    _MOST_OPEN = 16  # cards that have several places: with more, a search is not worth beginning
    _SAMPLE = 2500  # deals that are drawn
    _FEW = _SAMPLE / 8  # the effective size of a sample up to which it is drawn anew

    def __init__(self, view: PlayerView, random: Random):
        table, ids = view.table, view.deck.ids
        self.seat = view.seat
        self._reader = EvidenceReader(view)
        self.evidence = self._reader.evidence
        self._notebook = Notebook(self.evidence)
        self._random = random
        self._shape = tuple(len(some) for some in ids)
        # With a pool, what all pass on may be there.
        everybody = -1 if table.pool_size else (1 << table.seats) - 1
        self._passed = np.zeros(view.deck.size, np.int64)
        starts, not_all = np.array([*(some.start for some in ids), view.deck.size]), table.not_all_own
        self._table = view.seat, self.evidence.envelope, everybody, not_all, starts, self._passed
        # The others, in the order in which they answer.
        self._order = np.array([(view.seat + k) % table.seats for k in range(1, table.seats)], np.int64)
        # Not to accuse says little where one has to walk there first.
        forgets = 1.0 if table.accused_here else _FORGETS
        kinds = np.array(_KINDS).T.copy()
        kinds[_PRIOR] /= kinds[_PRIOR].sum()
        self._habits = kinds, 1.0 if table.free else _ROOM_ON_BOARD, forgets
        self._setting = table
        self._happenings = _Happenings(self.evidence.pool_at)
        self._time = 0  # events that have been read
        self._taken = -1  # rows that have been taken in
        self.deals: Deals = np.zeros((0, view.deck.size), np.int8)
        self.exact = False

    def read(self, view: PlayerView) -> bool:
        """Take in what is new; returns whether it tells anything."""
        for event in view.events_since(self._time):
            self._happenings.add(event)
        self._time = view.time
        if self._taken == len(self._happenings.rows):
            return False
        self._reader.read(view)
        if not (len(self.deals) and self._advance() and (self.exact or self._effective > self._FEW)):
            self._begin_anew()
        return True

    def _begin_anew(self) -> None:
        """Find deals, and weigh them by all that has happened."""
        found = self._enumerated()
        self.exact = found is not None
        self.deals = self._sampled(self.evidence, self._SAMPLE) if found is None else found
        size, seats, cards = len(self.deals), self.evidence.seats, self.evidence.deck.size
        self._knows: Knowledge = np.zeros((size, seats, cards), np.float32)
        self._knows[:, :, bits(self._setting.open_cards)] = 1.0
        self._likelihoods = np.ones((size, seats, len(_KINDS)))
        self._log_weights = np.zeros(size)
        self._passed[:] = 0
        self._taken = 0
        if not self._advance():
            self.deals = self.deals[:0]

    def _enumerated(self) -> Deals | None:
        """All deals that fit; None if they are too many, or none."""
        try:
            self._notebook.update()
        except CluedoError:
            return None
        evidence, deck, (*hands, envelope) = self.evidence, self.evidence.deck, self._notebook.may
        masks = [*hands, *(envelope & category for category in deck.masks)]
        may = np.array([[mask >> card & 1 for mask in masks] for card in range(deck.size)], np.bool_)
        places = may.sum(axis=1)
        if (places > 1).sum() > self._MOST_OPEN:
            return None
        order = np.argsort(places, kind="stable")
        rank = np.argsort(order)
        clauses, bans = _with_cards(evidence.clauses, rank), _with_cards(evidence.bans, rank)
        found = np.empty((self._MOST + 1, deck.size), np.int8)
        number = _enumerate(may[order], np.array([*evidence.counts, 1, 1, 1]), clauses, bans, self._MOST_STEPS, found)
        return found[:number].take(rank, axis=1) if number > 0 else None

    def _sampled(self, evidence: Evidence, size: int) -> Deals:
        """So many deals that fit some evidence, all equally likely; none if none is found."""
        try:
            return np.ascontiguousarray(Posterior(evidence).sample(self._random, size))
        except CluedoError:
            return self.deals[:0]

    def _advance(self) -> bool:
        """Weigh the deals by what has happened, and drop those that no longer fit; returns whether any is left."""
        particles = self.deals, self._knows, self._likelihoods, self._log_weights
        _advance(self._happenings.since(self._taken), particles, self._table, self._habits)
        self._taken = len(self._happenings.rows)
        fits = self._log_weights > _IMPOSSIBLE
        if not fits.any():
            return False
        if not fits.all():
            self.deals, self._knows = self.deals[fits], self._knows[fits]
            self._likelihoods, self._log_weights = self._likelihoods[fits], self._log_weights[fits]
        self.weights = np.empty(len(self.deals))
        self._effective = _weigh(self._likelihoods, self._log_weights, self._habits[0], self.weights)
        self._sum_up()
        return True

    def _sum_up(self) -> None:
        """Add the weights up by envelope."""
        there, categories = self.deals == self.evidence.envelope, self.evidence.deck.ids
        cards = [there[:, ids.start : ids.stop].argmax(axis=1) for ids in categories]
        numbers, self._envelope_of = np.unique(np.ravel_multi_index(cards, self._shape), return_inverse=True)
        chances = np.asarray(np.bincount(self._envelope_of, self.weights), float)
        likeliest = int(chances.argmax())
        at = np.unravel_index(numbers[likeliest], self._shape)
        suspect, weapon, room = (ids[int(card)] for ids, card in zip(categories, at, strict=True))
        self.envelopes = len(numbers)
        self.best: Triple = suspect, weapon, room
        self.chance = float(chances[likeliest])
        self.open_bits = max(0.0, entropy(chances))

    def odds(self, place: int) -> Floats:
        """By card, how likely it is to be at a place."""
        odds: Floats = self.weights @ (self.deals == place)
        return odds

    def judge(self, triples: Ints, size: int, stake: Stake) -> Promises:
        """What questions, an array (questions, 3), promise by ``size`` deals, if there are as many."""
        sample, envelopes = (self.deals, self.weights, self._envelope_of), self.envelopes
        if len(self.deals) > size:
            picks, weights = self._drawn(size)
            numbers, envelope_of = np.unique(self._envelope_of[picks], return_inverse=True)
            sample, envelopes = (self.deals[picks], weights, envelope_of), len(numbers)
        seen = np.zeros(self.evidence.deck.size, np.bool_)
        for mask in self.evidence.shown_me:
            seen[bits(mask)] = True
        out = np.zeros((3, len(triples)))
        _judge_questions(sample, envelopes, triples, self._order, seen, (stake.level, stake.by_bit), out)
        gains, chances, wins = out
        return Promises(triples, gains, chances, wins, max(self.chance, stake.waiting(self.open_bits)))

    def others(self) -> tuple[Floats, Floats]:
        """What seats know: of each card where it is, an array (seats, cards); and the bits that are open to each."""
        deals, knows, weights = self.deals, self._knows, self.weights
        if len(deals) > 500:
            picks, weights = self._drawn(400)
            deals, knows = deals[picks], knows[picks]
        known, open_bits = np.zeros(knows.shape[1:]), np.zeros(knows.shape[1])
        _judge_others(deals, knows, weights, self._table, known, open_bits)
        return known, open_bits

    def _drawn(self, size: int) -> tuple[Ints, Floats]:
        """Systematic draws of deals by weight: the numbers of those drawn, and their new weights."""
        edges = np.cumsum(self.weights)
        points = (np.arange(size) + self._random.random()) / size * edges[-1]
        picks, times = np.unique(np.minimum(np.searchsorted(edges, points), len(edges) - 1), return_counts=True)
        return picks, times / size

    def bystander(self, size: int) -> Deals:
        """So many deals as somebody without cards would think of them; none if none is found."""
        t = self._setting
        public = Evidence(
            t.deck, t.hand_sizes, free=t.free, pool_size=t.pool_size, open_cards=t.open_cards, rules=t.rules
        )
        for fact in self.evidence.facts:
            event = as_seen_by(fact.event, None)
            if isinstance(event, HypothesisMade | Passed | Shown | Accused | HandShown):
                public.add(Fact(fact.turn, event, fact.cards))
        return self._sampled(public, size)

    def leaks(self, triples: Ints, heard: Deals) -> Floats:
        """By question, the bits about the envelope that the answer tells those who think of these deals."""
        leaks = np.zeros(len(triples))
        _judge_leaks(heard, triples, self._order, self.evidence.envelope, leaks)
        return leaks


def _with_cards(pairs: array[int], rank: Ints) -> Ints:
    """Places and masks of three cards, in turn, as an array (pairs, 4): the place, and the cards by their rank."""
    rows = [(place, *rank[bits(mask)]) for place, mask in zip(pairs[::2], pairs[1::2], strict=True)]
    return np.array(rows, np.int64).reshape(-1, 4)


def until_learnt(find: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """The decorator of methods of a bot whose answer is kept until it learns something, whatever they are asked."""

    @wraps(find)
    def kept(bot: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if find not in bot.kept:
            bot.kept[find] = find(bot, *args, **kwargs)
        answer: R = bot.kept[find]
        return answer

    return kept


class _Fit(NamedTuple):
    """Constants of two logistic regressions on games between bots of this kind.

    Attributes:
        hazard: the logit of the chance that somebody who knows the envelope wins in their next turn.
        hazard_by_bit: how much less it is for each bit that is open to them.
        level: the logit of the chance to win of one who waits and knows the envelope, against one other.
        level_by_bit: how much less it is for each bit that is open to them.
        level_by_risk: how much it grows with the logarithm of the chance that nobody wins before one's next turn.
    """

    hazard: float
    hazard_by_bit: float
    level: float
    level_by_bit: float
    level_by_risk: float


_FREE = _Fit(1.45, 0.88, 0.20, 0.145, 1.6)
_ON_BOARD = _Fit(0.85, 0.70, 0.10, 0.113, 1.7)


class Stranger(Player):
    """What all four share: a belief, and the answers. Subclasses change what they want.

    The numbers in its methods were fitted as those above.

    Attributes:
        belief: what it thinks of the deal.
        plan: the question that it has moved for, or None.
        times: by card, how often it has shown it, to whomever.
        kept: what methods have answered since it last learned something.
    """

    _LOOK = 700  # deals that the questions of several rooms are first judged by
    _SHARP = 3000  # deals that those of one room, and the best of several, are judged by
    _SHORTLIST = 12  # how many of these there are
    _LATER = 0.6  # what a question is worth that is asked a turn later

    @classmethod
    def prepare(cls) -> None:
        """Compile the kernels, or load them."""
        _compile()

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.belief = Belief(view, random)
        self.plan: Triple | None = None
        self.times = [0] * view.deck.size
        self.kept: dict[object, Any] = {}
        self._fit = _FREE if view.table.free else _ON_BOARD
        self._stuck_at, self._stuck_since = -1.0, 0

    def look(self, view: PlayerView) -> bool:
        """Take in what happened; returns whether there is any deal that fits."""
        if self.belief.read(view):
            self.kept.clear()
            self.plan = None
        return len(self.belief.deals) > 0

    # What to ask.

    @abstractmethod
    def score(self, promises: Promises) -> Floats:
        """How good questions are, an array (questions)."""

    def judged(self, view: PlayerView, triples: Ints, size: int) -> Floats:
        """How good questions are by ``size`` deals, an array (questions)."""
        return self.score(self.belief.judge(triples, size, self.stake(view))) if len(triples) else np.zeros(0)

    def judged_again(self, view: PlayerView, triples: Ints) -> Floats:
        """How good the few questions of a shortlist are, an array (questions)."""
        return self.judged(view, triples, self._SHARP)

    def looks_again(self, rooms: Sequence[int]) -> bool:
        """Whether the best questions in these rooms are judged again."""
        return len(rooms) > 1 and len(self.belief.deals) > self._LOOK

    def candidates(self, rooms: Sequence[int]) -> Ints:
        """The questions in these rooms that are worth comparing, an array (questions, 3)."""
        suspects, weapons = self.worth_naming()
        triples = [(suspect, weapon, room) for room, suspect, weapon in product(rooms, suspects, weapons)]
        return np.array([*filter(self.belief.evidence.may_ask, triples)], np.int64).reshape(-1, 3)

    @until_learnt
    def worth_naming(self) -> list[list[int]]:
        """Suspects, and weapons: the nine likeliest that are open, and two that nobody else can show.

        Where there are none of either sort, two others are among them.
        """
        belief, named = self.belief, []
        odds, mine = (belief.odds(place).tolist() for place in (belief.evidence.envelope, belief.seat))
        for cards in belief.evidence.deck.ids[:2]:
            open_cards = sorted((card for card in cards if 0 < odds[card] < 0.9999), key=lambda card: -odds[card])[:9]
            safe = [card for card in cards if mine[card] > 0.999 or odds[card] >= 0.9999][:2]
            others = [card for card in cards if card not in open_cards and card not in safe][:2]
            named.append([*open_cards, *safe] if open_cards and safe else [*open_cards, *safe, *others])
        return named

    def best_in(self, view: PlayerView, rooms: Sequence[int]) -> Triple | None:
        """The best question in these rooms, or one of the best, or None if there is none."""
        triples = self.candidates(rooms)
        scores = self.judged(view, triples, self._LOOK if len(rooms) > 1 else self._SHARP)
        if not len(triples):
            return None
        if self.looks_again(rooms):
            triples = triples[np.argsort(-scores, kind="stable")[: self._SHORTLIST]]
            scores = self.judged_again(view, triples)
        best = np.flatnonzero(scores >= scores.max() - 1e-9)
        suspect, weapon, room = triples[self.random.choice(best)].tolist()
        return suspect, weapon, room

    @until_learnt
    def room_values(self, view: PlayerView) -> list[float]:
        """By room, what the best question there is worth; 0 at least."""
        rooms = view.deck.rooms
        triples = self.candidates(rooms)
        values = np.zeros(len(rooms))
        np.maximum.at(values, triples[:, 2] - rooms.start, self.judged(view, triples, self._LOOK // 2))
        return values.tolist()

    def choose_move(self, view: PlayerView) -> Movement:
        if not self.look(view):
            return toward_rooms(view, view.board.all_rooms, self.random)
        if view.table.accused_here and (decided := self.decided(view)):
            return way_to_accuse(view, decided, self.random)
        if not view.table.free:
            return best_move(view, self.room_values(view), self._LATER, self.random)
        self.plan = self.best_in(view, view.deck.rooms)
        rooms = 1 << view.board.room_place(self.plan[2]) if self.plan else view.board.all_rooms
        return toward_rooms(view, rooms, self.random)

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        room = view.board.room_card(view.place)
        choices = [Hypothesis(suspect, view.deck.weapons[0], room) for suspect in view.deck.suspects]
        if self.look(view):
            best = self.plan if self.plan and self.plan[2] == room else self.best_in(view, [room])
            choices = [Hypothesis(*best), *choices] if best else choices
        return next((choice for choice in choices if not choice.why_not(view)), None)

    # What to show.

    def choose_card(self, view: PlayerView) -> ShowCard:
        choices = bits(ShowCard.choices(view))
        if len(choices) > 1 and self.look(view):
            costs = self.card_costs(view, choices)
            choices = [card for card, cost in zip(choices, costs, strict=True) if cost <= min(costs) + 1e-9]
        card = choices[0] if len(choices) == 1 else self.random.choice(choices)
        self.times[card] += 1
        return ShowCard(card)

    def card_costs(self, view: PlayerView, choices: list[int]) -> list[float]:
        """What each card tells the asker: nothing if it was shown it, else the bits of striking it out."""
        belief, asker = self.belief, view.active
        known, costs = self.others()[0][asker], []
        for card in choices:
            category = next(ids for ids in view.deck.ids if card in ids)
            left = max(float(sum(1 - known[category.start : category.stop])), 1.01)
            told = math.log2(left / max(left - 1, 0.3))
            shown = belief.evidence.shown_by_me[asker] >> card & 1
            costs.append(0.0 if shown else (1 - float(known[card])) * told + 0.001)
        return costs

    # When to accuse.

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        return allowed_here(view, self.decided(view))

    def decided(self, view: PlayerView) -> Accusation | None:
        """The envelope to accuse, if it is time."""
        if not self.look(view):
            return None
        belief = self.belief
        certain = belief.envelopes == 1 and (belief.exact or len(belief.deals) > 50)
        late = view.turn > 0.9 * view.table.max_turns
        return Accusation(*belief.best) if certain or late or self.dares(view) else None

    def dares(self, view: PlayerView) -> bool:
        """Whether to guess now is better than to wait: to ask once or twice more before accusing."""
        if self.belief.chance <= 0.15 * self.survival(view) and self.patience(view) > 0.2:
            return False
        return self.belief.chance >= self.waiting(view) * self.patience(view)

    @until_learnt
    def waiting(self, view: PlayerView) -> float:
        """The chance to win of one who asks once or twice more before accusing."""
        chance, survival = self.belief.chance, self.survival(view)
        promises = self.belief.judge(self.candidates(view.deck.rooms), self._LOOK // 2, self.stake(view))
        after: float = max(chance, *promises.chances.tolist())
        if not view.table.free:
            after = chance + 0.75 * (after - chance)
        if after <= chance + 1e-6:  # there is nothing to learn
            hurry = survival < 0.9999 or view.turn > 40 * view.table.seats
            return chance * 0.9999 if hurry else chance + 1e-6
        missed = (1 - after) / max(1e-9, 1 - chance)
        after_two = 1 - (1 - chance) * missed * missed
        return max(survival * after, survival * max(0.0, survival - 0.15) * after_two)

    def patience(self, view: PlayerView) -> float:
        """Less than 1 after many turns of one's own in which nothing was learnt: rooms may be shut off for good."""
        open_bits = round(self.belief.open_bits, 6)
        if open_bits != self._stuck_at:
            self._stuck_at, self._stuck_since = open_bits, view.turn
        return float(0.97 ** max(0, (view.turn - self._stuck_since) / view.table.seats - 3))

    @until_learnt
    def others(self) -> tuple[Floats, Floats]:
        """As :meth:`Belief.others`."""
        return self.belief.others()

    @until_learnt
    def survival(self, view: PlayerView) -> float:
        """The chance that nobody else wins before my next turn."""
        nobody = 1.0
        for seat, open_bits in enumerate(self.others()[1].tolist()):
            if seat != view.seat and not view.eliminated >> seat & 1:
                nobody *= 1 - _logistic(self._fit.hazard - self._fit.hazard_by_bit * open_bits)
        return nobody

    def stake(self, view: PlayerView) -> Stake:
        """The chance to win of one who waits."""
        others = view.table.seats - view.eliminated.bit_count() - 1
        level = self._fit.level + (math.log(2) - math.log(max(1, others)))
        return Stake(level + self._fit.level_by_risk * math.log(max(0.02, self.survival(view))), self._fit.level_by_bit)


class Reader(Stranger):
    """Reads what others ask, show, and leave undone; asks for the most bits."""

    def score(self, promises: Promises) -> Floats:
        return promises.gains


class Racer(Stranger):
    """Maximises its chance to win the race: a question is worth what the accusation after it, or waiting, is worth.

    Args:
        curious: what a bit is worth beyond that.
        daring: times the chance of one who waits that an accusation has to be worth; 0: by the size of the deck.
    """

    def __init__(self, *, curious: float = 0.03, daring: float = 0.0):
        self.curious, self.daring = curious, daring

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.envelopes_at_first = math.prod(len(ids) for ids in view.deck.ids)
        self.daring = self.daring or (0.6 if self.envelopes_at_first < 100 else 0.95)

    def stake(self, view: PlayerView) -> Stake:
        level, by_bit = super().stake(view)
        return Stake(level + math.log(self.daring), by_bit)

    def score(self, promises: Promises) -> Floats:
        return promises.wins - promises.now + self.curious * promises.gains

    def dares(self, view: PlayerView) -> bool:
        if self.survival(view) > 0.9999:  # nobody else can win any more
            return super().dares(view)
        return self.belief.chance >= self.stake(view).waiting(self.belief.open_bits) * self.patience(view)


class Deceiver(Racer):
    """Names the same card of its own again and again while that is cheap, and shows it only if it must.

    Args:
        curious: as for `Racer`.
        daring: likewise.
        lure: what naming a lure is worth, in bits, at first; it fades with the envelopes that are left.
    """

    def __init__(self, *, curious: float = 0.03, daring: float = 0.0, lure: float = 1.0):
        super().__init__(curious=curious, daring=daring)
        self.lure = lure

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        hands = [(bits(mask & view.hand), mask.bit_count()) for mask in view.deck.masks]
        # One of its cards in each category in which its hand does not tell which card is in the envelope.
        self.lures = [random.choice(mine) for mine, size in hands if 0 < len(mine) < size - 1]

    def score(self, promises: Promises) -> Floats:
        fade = min(1.0, self.belief.open_bits / math.log2(self.envelopes_at_first))
        named = np.isin(promises.triples, self.lures).sum(axis=1)
        # The second lure in one question is worth less: too much of the answer is wasted.
        bonus = self.lure * fade * np.minimum(named, 1) + 0.3 * self.lure * fade * (named > 1)
        scores: Floats = super().score(promises) + self.curious * bonus
        return scores

    def card_costs(self, view: PlayerView, choices: list[int]) -> list[float]:
        costs = super().card_costs(view, choices)
        return [
            cost + (0.6 if card in self.lures and cost > 0 else 0) for card, cost in zip(choices, costs, strict=True)
        ]


class Miser(Racer):
    """Weighs what a question tells it against what the table hears, and shows one and the same card to everybody.

    Args:
        curious: as for `Racer`.
        daring: likewise.
        stingy: what a bit that the table hears costs, in bits of its own.
    """

    _SHARP = 1500
    _SHORTLIST = 16

    def __init__(self, *, curious: float = 0.03, daring: float = 0.0, stingy: float = 0.7):
        super().__init__(curious=curious, daring=daring)
        self.stingy = stingy

    def looks_again(self, rooms: Sequence[int]) -> bool:  # noqa: ARG002 - anywhere
        return True

    def judged_again(self, view: PlayerView, triples: Ints) -> Floats:
        scores = super().judged_again(view, triples)
        return scores - self.curious * self.stingy * self.belief.leaks(triples, self.overheard())

    @until_learnt
    def overheard(self) -> Deals:
        """Deals as those think of them who only listen."""
        return self.belief.bystander(500)

    def card_costs(self, view: PlayerView, choices: list[int]) -> list[float]:
        costs = super().card_costs(view, choices)
        # Among cards that tell about as much, the one that has been shown most often, to whomever.
        return [round(cost, 1) - 0.01 * self.times[card] for card, cost in zip(choices, costs, strict=True)]


@cache
def _compile() -> None:
    """Have each kernel that Python calls compiled, or loaded, by calling it once in a process."""
    view = Game.begin(Board.load("tiny"), Rules(), Seeds(1, 0, 3)).view(0)
    belief, questions = Belief(view, Random(0)), np.array([[ids.start for ids in view.deck.ids]], np.int64)
    belief.read(view)
    belief.judge(questions, len(belief.deals), Stake(0.0, 0.0))
    belief.others()
    belief.leaks(questions, belief.bystander(1))
