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
"""
# ruff: noqa: ARG002 - subclasses use what the base class does not
# mypy: disable-error-code="no-any-return, no-untyped-def, type-arg, return-value, attr-defined, no-untyped-call"

from __future__ import annotations

import math
from random import Random
from typing import Any, ClassVar

import numpy as np
from numba import njit

from cluedo import Accusation, CluedoError, Hypothesis, PlayerView, ShowCard
from cluedo.ai.knowledge import Evidence, EvidenceReader, Fact, Notebook, Posterior
from cluedo.ai.player import Movement, Player
from cluedo.ai.walking import best_move, toward_rooms, way_to_accuse
from cluedo.engine.cards import bits
from cluedo.engine.events import (
    Accused,
    HandShown,
    HypothesisMade,
    Passed,
    Peeked,
    Shown,
    TurnEnded,
    as_seen_by,
)

__all__ = ["Deceiver", "Miser", "Racer", "Reader"]

ASK, PASS, SHOW, END, WRONG, HAS = range(6)
DEAD = -1e30

# ---------------------------------------------------------------- kernels


@njit(cache=True)
def _enumerate(options, free, clauses, bans, kind, envelope, cap, budget, out):
    """All deals that fit, up to `cap`; -1 if there are more, or the search takes too long.

    options: (cards, places) bool, free: room left by place, kind: category by card. Cards in the order of columns.
    """
    cards, places = options.shape
    order = np.empty(cards, np.int64)
    number = np.zeros(cards, np.int64)
    for c in range(cards):
        for p in range(places):
            if options[c, p]:
                number[c] += 1
    used = np.zeros(cards, np.bool_)
    for k in range(cards):
        best = -1
        for c in range(cards):
            if not used[c] and (best < 0 or number[c] < number[best]):
                best = c
        used[best] = True
        order[k] = best
    left = free.copy()
    taken = np.zeros(3, np.bool_)
    at = np.full(cards, -1, np.int64)  # by depth, the place tried last
    where = np.full(cards, -1, np.int64)
    depth, found, nodes = 0, 0, 0
    while depth >= 0:
        nodes += 1
        if nodes > budget:
            return -1
        c = order[depth]
        p = at[depth]
        if p >= 0:  # take back
            left[p] += 1
            if p == envelope:
                taken[kind[c]] = False
            where[c] = -1
        p += 1
        while p < places:
            if options[c, p] and left[p] > 0 and not (p == envelope and taken[kind[c]]):
                break
            p += 1
        if p == places:
            at[depth] = -1
            depth -= 1
            continue
        at[depth] = p
        left[p] -= 1
        where[c] = p
        if p == envelope:
            taken[kind[c]] = True
        if depth < cards - 1:
            depth += 1
            at[depth] = -1
            continue
        fits = True
        for k in range(clauses.shape[0]):
            s = clauses[k, 0]
            if where[clauses[k, 1]] != s and where[clauses[k, 2]] != s and where[clauses[k, 3]] != s:
                fits = False
                break
        if fits:
            for k in range(bans.shape[0]):
                s = bans[k, 0]
                if where[bans[k, 1]] == s and where[bans[k, 2]] == s and where[bans[k, 3]] == s:
                    fits = False
                    break
        if fits:
            if found == cap:
                return -1
            for k in range(cards):
                out[found, k] = where[k]
            found += 1
    return found


@njit(cache=True)
def _solved(deal, know, pub, o, first, last, envelope, everybody):
    """The chance that seat o knows the envelope's card of a category, in a deal."""
    p = 1.0
    for c in range(first, last):
        if deal[c] == envelope:
            if (pub[c] | (1 << o)) == everybody:
                return 1.0
        elif deal[c] != o:
            p *= know[o, c]
    return p


@njit(cache=True)
def _advance(
    rows, deals, know, like, base, pub, seats, me, envelope, starts, lam, rho, temper, everybody, not_all, eps, reshow
):
    """Weigh the deals by what happened, row by row, and note what each seat gets to know in each of them."""
    kinds = lam.shape[0]
    for r in range(rows.shape[0]):
        what, seat, x, y, z, other, card = rows[r]
        triple = (x, y, z)
        if what == ASK:
            if seat == me:
                continue
            for d in range(deals.shape[0]):
                if base[d] <= DEAD:
                    continue
                if not_all and deals[d, x] == seat and deals[d, y] == seat and deals[d, z] == seat:
                    base[d] = DEAD
                    continue
                for g in range(3):
                    factor = temper if g == 2 else 1.0
                    if factor == 0.0:
                        continue
                    own, sum_know, rest = 0, 0.0, 0
                    for c in range(starts[g], starts[g + 1]):
                        if deals[d, c] == seat:
                            own += 1
                        else:
                            rest += 1
                            sum_know += know[d, seat, c]
                    q = _solved(deals[d], know[d], pub, seat, starts[g], starts[g + 1], envelope, everybody)
                    named = triple[g]
                    mine = deals[d, named] == seat
                    k = know[d, seat, named]
                    flat = 1.0 / (starts[g + 1] - starts[g])
                    for t in range(kinds):
                        total = lam[t] * own + rest - (1 - rho[t]) * sum_know
                        top = lam[t] if mine else 1 - (1 - rho[t]) * k
                        p = (1 - q) * top / (total + 1e-9) + q * flat
                        ratio = (p + 1e-6) / flat
                        like[d, seat, t] *= ratio if factor == 1.0 else ratio**factor
        elif what == PASS:
            for d in range(deals.shape[0]):
                if deals[d, x] == seat or deals[d, y] == seat or deals[d, z] == seat:
                    base[d] = DEAD
            for c in triple:
                pub[c] |= 1 << seat
        elif what == SHOW:
            for d in range(deals.shape[0]):
                if base[d] <= DEAD:
                    continue
                held, known = 0, 0
                for c in triple:
                    if deals[d, c] == seat:
                        held += 1
                        if know[d, other, c] > 0.99:
                            known += 1
                if held == 0 or (card >= 0 and deals[d, card] != seat):
                    base[d] = DEAD
                    continue
                if other == me:
                    p = (1 - reshow) / held
                    if known == 0:
                        p += reshow / held
                    elif know[d, me, card] > 0.99:
                        p += reshow / known
                    base[d] += math.log(p + 1e-9)
                if card >= 0:
                    know[d, other, card] = 1.0
                elif known == 0:
                    for c in triple:
                        if deals[d, c] == seat:
                            know[d, other, c] = 1 - (1 - know[d, other, c]) * (1 - 1.0 / held)
                # What those who only watch may conclude.
                for o in range(seats):
                    if o in (seat, other):
                        continue
                    could, last, told = 0, -1, False
                    for c in triple:
                        if know[d, o, c] > 0.9:
                            if deals[d, c] == seat:
                                told = True
                        elif deals[d, c] != o and not (pub[c] >> seat) & 1:
                            could += 1
                            last = c
                    if not told and could == 1 and deals[d, last] == seat:
                        know[d, o, last] = 1.0
        elif what == END:
            if seat == me or eps >= 1.0:
                continue
            for d in range(deals.shape[0]):
                if base[d] <= DEAD:
                    continue
                p = 1.0
                for g in range(3):
                    p *= _solved(deals[d], know[d], pub, seat, starts[g], starts[g + 1], envelope, everybody)
                    if p < 0.01:
                        break
                if p >= 0.01:
                    base[d] += math.log(1 - (1 - eps) * p)
        elif what == WRONG:
            for d in range(deals.shape[0]):
                if deals[d, x] == envelope and deals[d, y] == envelope and deals[d, z] == envelope:
                    base[d] = DEAD
        elif what == HAS:
            for d in range(deals.shape[0]):
                if deals[d, x] != seat:
                    base[d] = DEAD
                elif y == 1:  # laid open
                    for o in range(seats):
                        know[d, o, x] = 1.0


@njit(cache=True)
def _weigh(like, base, prior, weights):
    """Weights of the deals: base, times a mixture over the kinds for each seat."""
    n, seats, kinds = like.shape
    top = DEAD
    for d in range(n):
        v = base[d]
        if v > DEAD:
            for s in range(seats):
                total = 0.0
                for t in range(kinds):
                    total += prior[t] * like[d, s, t]
                if total != 1.0:
                    v += math.log(total + 1e-300)
        weights[d] = v
        top = max(top, v)
    total = 0.0
    for d in range(n):
        weights[d] = math.exp(weights[d] - top) if weights[d] > DEAD else 0.0
        total += weights[d]
    square = 0.0
    for d in range(n):
        weights[d] /= total
        square += weights[d] * weights[d]
    return 1.0 / square


@njit(cache=True)
def _others(deals, know, weights, pub, seats, envelope, starts, everybody, table, proofs, sizes):
    """By seat: the mean knowledge of each card, the chance of a proof, and the mean log2 of envelopes left to it."""
    for d in range(deals.shape[0]):
        w = weights[d]
        if w < 1e-9:
            continue
        for o in range(seats):
            p, size = 1.0, 0.0
            for g in range(3):
                q = _solved(deals[d], know[d], pub, o, starts[g], starts[g + 1], envelope, everybody)
                p *= q
                n = 1.0
                for c in range(starts[g], starts[g + 1]):
                    if deals[d, c] == o:
                        table[o, c] += w
                    elif deals[d, c] != envelope:
                        table[o, c] += w * know[d, o, c]
                        n += (1 - know[d, o, c]) * (1 - q)
                size += math.log2(n)
            proofs[o] += w * p
            sizes[o] += w * size


@njit(cache=True)
def _questions(deals, weights, env, envs, triples, order, known, reshow, level, slope, gains, tops, worth):
    """By triple: the bits it is expected to tell, the expected top chance after it, and the chance to win the race."""
    seats = order.shape[0]
    codes = 3 * seats + 1
    hist = np.zeros((codes, envs))
    prior = np.zeros(envs)
    for d in range(deals.shape[0]):
        prior[env[d]] += weights[d]
    before = 0.0
    for e in range(envs):
        if prior[e] > 0:
            before -= prior[e] * math.log2(prior[e])
    for t in range(triples.shape[0]):
        hist[:] = 0.0
        for d in range(deals.shape[0]):
            w = weights[d]
            if w == 0.0:
                continue
            answered = False
            for k in range(seats):
                s = order[k]
                held, old = 0, 0
                for i in range(3):
                    c = triples[t, i]
                    if deals[d, c] == s:
                        held += 1
                        if known[c]:
                            old += 1
                if held > 0:
                    for i in range(3):
                        c = triples[t, i]
                        if deals[d, c] == s:
                            p = (1 - reshow) / held
                            if old == 0:
                                p += reshow / held
                            elif known[c]:
                                p += reshow / old
                            hist[3 * k + i, env[d]] += w * p
                    answered = True
                    break
            if not answered:
                hist[codes - 1, env[d]] += w
        after, best, value = 0.0, 0.0, 0.0
        for k in range(codes):
            total, top, h = 0.0, 0.0, 0.0
            for e in range(envs):
                v = hist[k, e]
                if v > 0:
                    total += v
                    top = max(top, v)
                    h -= v * math.log2(v)
            if total <= 0:
                continue
            h = h / total + math.log2(total)
            after += total * h
            best += top
            wait = 1 / (1 + math.exp(-level + slope * h))
            value += max(top, total * wait)
        gains[t] = before - after
        tops[t] = best
        worth[t] = value


@njit(cache=True)
def _leaks(deals, triples, order, envelope, out):
    """By triple: the bits about the envelope, category by category, that the table hears from who answers."""
    seats = order.shape[0]
    n = deals.shape[0]
    cards = deals.shape[1]
    hist = np.zeros((seats + 1, cards))
    number = np.zeros(seats + 1)
    for t in range(triples.shape[0]):
        hist[:] = 0.0
        number[:] = 0.0
        for d in range(n):
            code = seats
            for k in range(seats):
                s = order[k]
                if deals[d, triples[t, 0]] == s or deals[d, triples[t, 1]] == s or deals[d, triples[t, 2]] == s:
                    code = k
                    break
            number[code] += 1
            for c in range(cards):
                if deals[d, c] == envelope:
                    hist[code, c] += 1
        total = 0.0
        for c in range(cards):
            m = 0.0
            for k in range(seats + 1):
                v = hist[k, c]
                if v > 0:
                    total += v / n * math.log2(v / number[k])
                m += v
            if m > 0:
                total -= m / n * math.log2(m / n)
        out[t] = total


# ---------------------------------------------------------------- the world


class World:
    """The deals that fit what a seat has seen, with weights."""

    # prior, λ (weight of own cards), ρ (weight of cards it knows) by kind of asker
    KINDS = ((0.35, 0.04, 0.01), (0.30, 0.22, 0.01), (0.25, 0.7, 0.02), (0.10, 2.0, 0.1))

    def __init__(
        self,
        view: PlayerView,
        random: Random,
        *,
        kinds: Any = None,
        eps: float = 0.1,
        sample: int = 2500,
        cap: int = 9000,
        reshow: float = 0.5,
        temper: float = 0.5,
    ):
        self.random, self.sample_size, self.cap, self.eps, self.reshow = random, sample, cap, eps, reshow
        self.reader = EvidenceReader(view)
        self.evidence = self.reader.evidence
        self.notebook = Notebook(self.evidence)
        table = view.table
        self.seats, self.me = table.seats, view.seat
        self.n = view.deck.size
        self.places, self.envelope = self.evidence.places, self.evidence.envelope
        self.starts = np.array([0, *np.cumsum([len(ids) for ids in view.deck.ids])], np.int64)
        self.bounds = [int(k) for k in self.starts]
        self.kind_of = np.repeat(np.arange(3), np.diff(self.starts))
        rows = np.array(kinds or self.KINDS, float)
        self.prior, self.lam, self.rho = rows[:, 0] / rows[:, 0].sum(), rows[:, 1].copy(), rows[:, 2].copy()
        self.temper = 1.0 if table.free else temper
        self.not_all = table.not_all_own
        if table.accused_here:
            self.eps = 1.0  # not to accuse says little where one has to walk there first
        everybody = (1 << self.seats) - 1
        self.table = table
        self.everybody = everybody if not table.pool_size else -1  # a pool: nobody proves by passes
        self.order = np.array([(view.seat + k) % self.seats for k in range(1, self.seats)], np.int64)
        self.face = [card for card in range(self.n) if table.open_cards >> card & 1]
        self.rows: list[tuple[int, ...]] = []
        self.done = 0  # rows that the deals have taken in
        self.time = 0
        self.asked: tuple[int, int, int] = (0, 0, 0)
        self.accused = False
        self.exact = False
        self.deals = np.zeros((0, self.n), np.int8)
        self.version = 0
        self.questions_by = [0] * self.seats

    # ---- what happened

    def read(self, view: PlayerView) -> None:
        """Take in what is new."""
        new = view.events_since(self.time)
        if not new and self.version:
            return
        self.time = view.time
        before = len(self.rows)
        for event in new:
            self._row(event)
        self.reader.read(view)
        if self.version and len(self.rows) == before:
            return
        self.version += 1
        self._update()

    def _row(self, event: Any) -> None:
        match event:
            case HypothesisMade(seat=seat):
                self.asked = (event.suspect, event.weapon, event.room)
                self.asker = seat
                self.accused = False
                self.questions_by[seat] += 1
                self.rows.append((ASK, seat, *self.asked, 0, 0))
            case Passed(seat=seat):
                self.rows.append((PASS, seat, *self.asked, 0, 0))
            case Shown(seat=seat, asker=asker, card=card):
                self.rows.append((SHOW, seat, *self.asked, asker, -1 if card is None else card))
            case Accused(seat=seat, correct=correct):
                self.accused = True
                if not correct:
                    self.rows.append((WRONG, seat, event.suspect, event.weapon, event.room, 0, 0))
            case TurnEnded(seat=seat):
                if not self.accused:
                    self.rows.append((END, seat, 0, 0, 0, 0, 0))
                self.accused = False
            case HandShown(seat=seat, cards=cards):
                self.rows.extend((HAS, seat, card, 1, 0, 0, 0) for card in cards)
            case Peeked(seat=seat, card=card):
                if card is not None and self.evidence.pool_at is not None:
                    self.rows.append((HAS, self.evidence.pool_at, card, 0, 0, 0, 0))

    # ---- deals

    def _update(self) -> None:
        if len(self.deals):
            self._advance(self.done)
            if self._compress() and (self.exact or self.ess > self.sample_size / 8):
                return
        self._renew()

    def _renew(self) -> None:
        deals = self._enumerated()
        self.exact = deals is not None
        if deals is None:
            deals = self._sampled()
        self.deals = deals
        n = len(deals)
        self.know = np.zeros((n, self.seats, self.n), np.float32)
        for card in self.face:
            self.know[:, :, card] = 1.0
        self.like = np.ones((n, self.seats, len(self.lam)))
        self.base = np.zeros(n)
        self.pub = np.zeros(self.n, np.int64)
        self._advance(0)
        if not self._compress():
            self.deals = np.zeros((0, self.n), np.int8)

    def _advance(self, start: int) -> None:
        rows = np.array(self.rows[start:], np.int64).reshape(-1, 7)
        _advance(
            rows,
            self.deals,
            self.know,
            self.like,
            self.base,
            self.pub,
            self.seats,
            self.me,
            self.envelope,
            self.starts,
            self.lam,
            self.rho,
            self.temper,
            self.everybody,
            self.not_all,
            self.eps,
            self.reshow,
        )
        self.done = len(self.rows)

    def _compress(self) -> bool:
        alive = self.base > DEAD
        if not alive.any():
            return False
        if not alive.all():
            self.deals, self.know = self.deals[alive], self.know[alive]
            self.like, self.base = self.like[alive], self.base[alive]
        self.weights = np.empty(len(self.deals))
        self.ess = _weigh(self.like, self.base, self.prior, self.weights)
        cells = self.deals == self.envelope
        index = np.zeros(len(self.deals), np.int64)
        for g in range(3):
            block = cells[:, self.starts[g] : self.starts[g + 1]]
            index = index * block.shape[1] + block.argmax(axis=1)
        self.codes, self.env = np.unique(index, return_inverse=True)
        self._joint: Any = None
        return True

    def _enumerated(self) -> Any:
        try:
            self.notebook.update()
        except CluedoError:
            return None
        may, has = self.notebook.may, self.notebook.has
        options = np.zeros((self.n, self.places), np.bool_)
        for place in range(self.places):
            for card in bits(may[place]):
                options[card, place] = True
        for place in range(self.places):
            for card in bits(has[place]):
                options[card] = False
                options[card, place] = True
        # How many deals there may be at most: do not start what cannot end.
        free = np.array([*self.evidence.counts, 3], np.int64)[: self.places]
        if self._too_many(options):
            return None
        out = np.empty((self.cap, self.n), np.int8)
        found = _enumerate(
            options,
            free,
            self._flat(self.evidence.clauses),
            self._flat(self.evidence.bans),
            self.kind_of,
            self.envelope,
            self.cap,
            400_000,
            out,
        )
        return out[:found].copy() if found > 0 else None

    def _too_many(self, options: Any) -> bool:
        """A guess: the log of options by card, less what hand sizes leave."""
        open_cards = int((options.sum(axis=1) > 1).sum())
        return open_cards > 16

    def _flat(self, flat: Any) -> Any:
        pairs = list(flat)
        rows = []
        for k in range(0, len(pairs), 2):
            cards = bits(pairs[k + 1])
            if cards:
                cards = (cards * 3)[:3] if len(cards) < 3 else cards[:3]
                rows.append((pairs[k], *cards))
        return np.array(rows, np.int64).reshape(-1, 4)

    def _sampled(self) -> Any:
        try:
            deals = Posterior(self.evidence).sample(self.random, self.sample_size)
        except CluedoError:
            deals = np.zeros((0, self.n), np.int8)
        return np.ascontiguousarray(deals, np.int8)

    # ---- questions

    @property
    def ok(self) -> bool:
        """Whether there are any deals."""
        return len(self.deals) > 0

    def triple_of(self, code: int) -> tuple[int, int, int]:
        _, weapons, rooms, end = self.bounds
        code, room = divmod(int(code), end - rooms)
        suspect, weapon = divmod(code, rooms - weapons)
        return suspect, weapons + weapon, rooms + room

    @property
    def joint(self) -> list[tuple[tuple[int, int, int], float]]:
        """The likeliest envelopes and their chances, the likeliest first."""
        if self._joint is None:
            chances = np.bincount(self.env, self.weights, len(self.codes))
            best = np.argsort(-chances, kind="stable")
            self._joint = [(self.triple_of(self.codes[k]), float(chances[k])) for k in best[:20]]
            positive = chances[chances > 0]
            self._entropy = float(-(positive * np.log2(positive)).sum())
            self.count = len(positive)
        return self._joint

    @property
    def entropy(self) -> float:
        assert self.joint
        return max(0.0, self._entropy)

    def subset(self, size: int) -> tuple[Any, Any, Any, int]:
        """Deals that stand for all of them: all, or systematically drawn by weight."""
        n = len(self.deals)
        if n <= size:
            return self.deals, self.weights, self.env, len(self.codes)
        picks, weights = self.drawn(size)
        codes, env = np.unique(self.env[picks], return_inverse=True)
        return self.deals[picks], weights, env, len(codes)

    def drawn(self, size: int) -> tuple[Any, Any]:
        """So many draws of deals by weight, spread evenly: which, and how often each."""
        edges = np.cumsum(self.weights)
        points = (np.arange(size) + self.random.random()) / size * edges[-1]
        picks = np.minimum(np.searchsorted(edges, points), len(self.weights) - 1)
        picks, times = np.unique(picks, return_counts=True)
        return picks, times / size

    def evaluate(self, triples: Any, size: int, level: float = 0.0, slope: float = 0.2) -> tuple[Any, Any, Any]:
        deals, weights, env, envs = self.subset(size)
        known = np.zeros(self.n, np.bool_)
        for mask in self.evidence.shown_me:
            for card in bits(mask):
                known[card] = True
        triples = np.ascontiguousarray(triples, np.int64)
        gains, tops, worth = (np.zeros(len(triples)) for _ in range(3))
        _questions(deals, weights, env, envs, triples, self.order, known, self.reshow, level, slope, gains, tops, worth)
        return gains, tops, worth

    def others(self) -> tuple[Any, Any, Any]:
        """By seat: what it knows of each card, its chance of a proof, the log2 of its envelopes."""
        table = np.zeros((self.seats, self.n))
        proofs, sizes = np.zeros(self.seats), np.zeros(self.seats)
        deals, know, weights = self.deals, self.know, self.weights
        if len(deals) > 500:
            picks, weights = self.drawn(400)
            deals, know = deals[picks], know[picks]
        _others(
            deals, know, weights, self.pub, self.seats, self.envelope, self.starts, self.everybody, table, proofs, sizes
        )
        return table, proofs, sizes

    def bystander(self, size: int) -> Any:
        """Deals as somebody without cards would think of them."""
        old = self.evidence
        table = self.table
        public = Evidence(
            table.deck,
            table.hand_sizes,
            None,
            0,
            free=table.free,
            pool_size=table.pool_size,
            open_cards=table.open_cards,
            rules=table.rules,
        )
        for fact in old.facts:
            event = as_seen_by(fact.event, None)
            if isinstance(event, HypothesisMade | Passed | Shown | Accused | HandShown):
                public.add(Fact(fact.turn, event, fact.cards))
        return np.ascontiguousarray(Posterior(public).sample(self.random, size), np.int8)


# ---------------------------------------------------------------- the bots


class Stranger(Player):
    """What all four share: a world, and the four answers. Subclasses change what they want."""

    WORLD: ClassVar[dict[str, Any]] = {}
    HAZARD_WALK = (0.85, 0.70)
    HAZARD = (1.45, 0.88)  # logit of a win in the next turn: first - second * bits the seat is short of
    LOOK = 700  # deals that the values of rooms are computed from
    SHARP = 3000  # deals that the questions in a room are computed from

    @classmethod
    def prepare(cls) -> None:
        """Compile."""
        _warm_up()

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.world = World(view, random, **self.WORLD)
        self.plan: tuple[int, int, int] | None = None
        self.plan_rows = -1
        self.shown: dict[int, int] = {}
        self.times = [0] * view.deck.size
        self.still: tuple[Any, int] = (None, 0)
        self.cached: tuple[Any, Any] = (None, None)

    # ---- shared

    def look(self, view: PlayerView) -> bool:
        """Bring the world up to date; whether there is one."""
        self.world.read(view)
        return self.world.ok

    def once(self, name: str, find: Any) -> Any:
        """A value that stays the same until something is learnt."""
        version, values = self.cached
        if version != self.world.version:
            values = {}
            self.cached = (self.world.version, values)
        if name not in values:
            values[name] = find()
        return values[name]

    def candidates(self, view: PlayerView, rooms: list[int]) -> Any:
        """The triples that are worth comparing: in each category the open cards, and two that nobody else can show."""
        world = self.world
        odds = self.once("odds", lambda: world.weights @ (world.deals == world.envelope))
        mine = self.once("mine", lambda: world.weights @ (world.deals == world.me))
        picks: list[list[int]] = []
        for g in range(2):
            cards = range(int(world.starts[g]), int(world.starts[g + 1]))
            open_cards = sorted((c for c in cards if 0 < odds[c] < 0.9999), key=lambda c: (-odds[c], c))[:9]
            shields = [c for c in cards if mine[c] > 0.999 or odds[c] >= 0.9999][:2]
            known = [] if open_cards and shields else [c for c in cards if c not in open_cards and c not in shields][:2]
            picks.append([*open_cards, *shields, *known] or [cards[0]])
        triples = [(s, w, r) for r in rooms for s in picks[0] for w in picks[1] if self.may_ask(view, (s, w, r))]
        return np.array(triples, np.int64).reshape(-1, 3)

    def may_ask(self, view: PlayerView, cards: tuple[int, int, int]) -> bool:
        return not (view.table.not_all_own and all(view.hand >> c & 1 for c in cards))

    def survival(self, view: PlayerView) -> float:
        """The chance that nobody else wins before my next turn."""
        return self.once("survival", lambda: self._survival(view))

    def _survival(self, view: PlayerView) -> float:
        result = 1.0
        _, _, sizes = self.knowledge()
        a, b = self.HAZARD if view.table.free else self.HAZARD_WALK
        for seat in range(self.world.seats):
            if seat != view.seat and not view.eliminated >> seat & 1:
                logit = a - b * sizes[seat]
                result *= 1 - 1 / (1 + math.exp(-logit))
        return result

    def stake(self, view: PlayerView) -> tuple[float, float]:
        """The chance to win of one who waits, as the logit without and the loss by bit of uncertainty.

        Fitted to games between bots of this kind.
        """
        base, slope, steep = self.VALUE if view.table.free else self.VALUE_WALK
        active = self.world.seats - view.eliminated.bit_count()
        others = math.log(2) - math.log(max(1, active - 1))
        return base + others - steep * -math.log(max(0.02, self.survival(view))), slope

    VALUE = (0.20, 0.145, 1.6)
    VALUE_WALK = (0.10, 0.113, 1.7)

    def knowledge(self) -> tuple[Any, Any, Any]:
        return self.once("others", self.world.others)

    # ---- what to ask

    def score(self, view: PlayerView, triples: Any, gains: Any, tops: Any, worth: Any) -> Any:
        """How good the questions are; subclasses differ here."""
        return gains

    def ranked(self, view: PlayerView, rooms: list[int], size: int) -> tuple[Any, Any, Any]:
        """Triples with scores and gains, unsorted."""
        triples = self.candidates(view, rooms)
        if not len(triples):
            return triples, np.zeros(0), np.zeros(0)
        gains, tops, worth = self.world.evaluate(triples, size, *self.stake(view))
        return triples, self.score(view, triples, gains, tops, worth), gains

    def best_in(self, view: PlayerView, rooms: list[int]) -> tuple[int, int, int] | None:
        """The best question in one of these rooms, in two looks."""
        triples, scores, _ = self.ranked(view, rooms, self.LOOK if len(rooms) > 1 else self.SHARP)
        if not len(triples):
            return None
        if len(rooms) > 1 and len(self.world.deals) > self.LOOK:
            few = triples[np.argsort(-scores, kind="stable")[:12]]
            gains, tops, worth = self.world.evaluate(few, self.SHARP, *self.stake(view))
            triples, scores = few, self.score(view, few, gains, tops, worth)
        return tuple(int(c) for c in triples[self.pick(scores)])

    def pick(self, scores: Any) -> int:
        """The best; chance among those that are as good."""
        best = np.flatnonzero(scores >= scores.max() - 1e-9)
        return int(best[self.random.randrange(len(best))])

    def room_values(self, view: PlayerView) -> list[float]:
        """By room, what the best question there is worth."""
        rooms = list(view.deck.rooms)
        triples, scores, _ = self.ranked(view, rooms, self.LOOK // 2)
        values = [0.0] * len(rooms)
        for (_, _, room), score in zip(triples, scores, strict=True):
            values[int(room) - rooms[0]] = max(values[int(room) - rooms[0]], float(score))
        return values

    def choose_move(self, view: PlayerView) -> Movement:
        if not self.look(view):
            return toward_rooms(view, view.board.all_rooms, self.random)
        if view.table.accused_here and (decided := self.decided(view)):
            return way_to_accuse(view, decided, self.random)
        if view.table.free:
            self.plan = self.best_in(view, list(view.deck.rooms))
            self.plan_rows = len(self.world.rows)
            if self.plan is None:
                return toward_rooms(view, view.board.all_rooms, self.random)
            return toward_rooms(view, 1 << view.board.room_place(self.plan[2]), self.random)
        values = self.once("rooms", lambda: self.room_values(view))
        return best_move(view, self.adjusted(view, list(values)), 0.6, self.random)

    def adjusted(self, view: PlayerView, values: list[float]) -> list[float]:
        """The values of rooms, changed by what else matters."""
        return values

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        room = view.board.room_card(view.place)
        if self.look(view):
            cards = self.plan if self.plan and self.plan[2] == room and self.plan_rows == len(self.world.rows) else None
            cards = cards or self.best_in(view, [room])
            if cards:
                command = Hypothesis(*cards)
                if not command.why_not(view):
                    return command
        for suspect in view.deck.suspects:
            command = Hypothesis(suspect, view.deck.weapons[0], room)
            if not command.why_not(view):
                return command
        return None

    # ---- what to show

    def choose_card(self, view: PlayerView) -> ShowCard:
        choices = bits(ShowCard.choices(view))
        if len(choices) > 1 and self.look(view):
            costs = self.card_costs(view, choices)
            least = min(costs)
            choices = [c for c, cost in zip(choices, costs, strict=True) if cost <= least + 1e-9]
        card = choices[0] if len(choices) == 1 else self.random.choice(choices)
        self.times[card] += 1
        return ShowCard(card)

    def card_costs(self, view: PlayerView, choices: list[int]) -> list[float]:
        """What each card tells the asker: nothing if it knows it, else the bits of striking it out."""
        world, asker = self.world, view.active
        table = self.knowledge()[0]
        seen = set(bits(world.evidence.shown_by_me[asker]))
        costs = []
        for card in choices:
            g = int(world.kind_of[card])
            known = table[asker]
            left = float(sum(1 - known[c] for c in range(world.starts[g], world.starts[g + 1])))
            left = max(left, 1.01)
            bits_told = math.log2(left / max(left - 1, 0.3))
            costs.append(0.0 if card in seen else (1 - float(known[card])) * bits_told + 0.001)
        return costs

    # ---- when to accuse

    def decided(self, view: PlayerView) -> Accusation | None:
        """The envelope to accuse, if it is time."""
        if not self.look(view):
            return None
        cards, chance = self.world.joint[0]
        certain = len(self.world.codes) == 1 and (self.world.exact or (chance > 0.999999 and self.proved()))
        return Accusation(*cards) if certain or self.dares(view, chance) else None

    def proved(self) -> bool:
        """Whether sampled deals that agree are a proof."""
        return len(self.world.deals) > 50

    def dares(self, view: PlayerView, chance: float) -> bool:
        """Whether to accuse now is better than to wait."""
        if view.turn > 0.9 * view.table.max_turns:
            return True
        survive = self.survival(view)
        if chance <= 0.15 * survive and self.patience(view) > 0.2:
            return False
        return chance >= self.waiting(view, chance, survive) * self.patience(view)

    def patience(self, view: PlayerView) -> float:
        """Less than 1 after many turns of one's own in which nothing was learnt: rooms may be shut off for good."""
        state = round(self.world.entropy, 6)
        if self.still[0] != state:
            self.still = (state, view.turn)
        return float(0.97 ** max(0, (view.turn - self.still[1]) / self.world.seats - 3))

    def waiting(self, view: PlayerView, chance: float, survive: float) -> float:
        """The chance to win of one who asks once or twice more before accusing."""
        return self.once("waiting", lambda: self._waiting(view, chance, survive))

    def _waiting(self, view: PlayerView, chance: float, survive: float) -> float:
        triples = self.candidates(view, list(view.deck.rooms))
        _, tops, _ = self.world.evaluate(triples, self.LOOK // 2)
        top = max(chance, float(tops.max())) if len(tops) else chance
        if not view.table.free:
            top = chance + 0.75 * (top - chance)
        if top <= chance + 1e-6:
            return chance * 0.9999 if survive < 0.9999 or view.turn > 40 * self.world.seats else chance + 1e-6
        miss = (1 - top) / max(1e-9, 1 - chance)
        twice = 1 - (1 - chance) * miss * miss
        later = survive * max(0.0, survive - 0.15)
        return max(survive * top, later * twice)

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        decided = self.decided(view)
        return decided if decided and not decided.why_not(view) else None


class Reader(Stranger):
    """Reads what others ask, show, and leave undone; asks for the most bits."""


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
        if not self.daring:
            self.daring = 0.6 if self.envelopes_at_first < 100 else 0.95

    def stake(self, view: PlayerView) -> tuple[float, float]:
        level, slope = super().stake(view)
        return level + math.log(self.daring), slope

    def score(self, view: PlayerView, triples: Any, gains: Any, tops: Any, worth: Any) -> Any:
        return worth - self.worth_now(view) + self.curious * gains

    def worth_now(self, view: PlayerView) -> float:
        """The chance to win of one who asks nothing."""
        return max(self.world.joint[0][1], self.wait(view))

    def wait(self, view: PlayerView) -> float:
        level, slope = self.stake(view)
        return 1 / (1 + math.exp(-level + slope * self.world.entropy))

    def dares(self, view: PlayerView, chance: float) -> bool:
        if view.turn > 0.9 * view.table.max_turns:
            return True
        if self.survival(view) > 0.9999:  # nobody else can win any more
            return super().dares(view, chance)
        return chance >= self.wait(view) * self.patience(view)


class Deceiver(Racer):
    """Names the same card of its own again and again while that is cheap, and shows it only if it must.

    Args:
        lure: what naming a lure is worth, in bits, at first; it fades with the envelopes that are left.
    """

    def __init__(self, *, curious: float = 0.03, daring: float = 0.0, lure: float = 1.0):
        super().__init__(curious=curious, daring=daring)
        self.lure = lure

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        # One lure in each category: of cards that only I hold, the one that would be missed most.
        self.lures = []
        for mask in view.deck.masks:
            mine = bits(mask & view.hand)
            if mine and len(mine) < mask.bit_count() - 1:
                self.lures.append(random.choice(mine))

    def score(self, view: PlayerView, triples: Any, gains: Any, tops: Any, worth: Any) -> Any:
        plain = super().score(view, triples, gains, tops, worth)
        fade = min(1.0, self.world.entropy / math.log2(self.envelopes_at_first))
        named = np.isin(triples, self.lures).sum(axis=1)
        # The second lure in one question is worth less: too much of the answer is wasted.
        bonus = self.lure * fade * np.minimum(named, 1) + 0.3 * self.lure * fade * (named > 1)
        return plain + self.curious * bonus

    def card_costs(self, view: PlayerView, choices: list[int]) -> list[float]:
        costs = super().card_costs(view, choices)
        return [
            cost + (0.6 if card in self.lures and cost > 0 else 0) for card, cost in zip(choices, costs, strict=True)
        ]


class Miser(Racer):
    """Weighs what a question tells it against what the table hears, and shows one and the same card to everybody.

    Args:
        stingy: what a bit that the table hears costs, in bits of its own.
    """

    def __init__(self, *, curious: float = 0.03, daring: float = 0.0, stingy: float = 0.7):
        super().__init__(curious=curious, daring=daring)
        self.stingy = stingy

    def best_in(self, view: PlayerView, rooms: list[int]) -> tuple[int, int, int] | None:
        triples, scores, _ = self.ranked(view, rooms, self.LOOK if len(rooms) > 1 else 1500)
        if not len(triples):
            return None
        few = triples[np.argsort(-scores, kind="stable")[:16]]
        gains, tops, worth = self.world.evaluate(few, 1500, *self.stake(view))
        scores = self.score(view, few, gains, tops, worth)
        bystander = self.once("bystander", self.overheard)
        if bystander is not None:
            leaks = np.zeros(len(few))
            _leaks(bystander, few, self.world.order, self.world.envelope, leaks)
            scores = scores - self.curious * self.stingy * leaks
        return tuple(int(c) for c in few[self.pick(scores)])

    def overheard(self) -> Any:
        try:
            return self.world.bystander(500)
        except CluedoError:
            return None

    def card_costs(self, view: PlayerView, choices: list[int]) -> list[float]:
        costs = super().card_costs(view, choices)
        # Among cards that tell about as much, the one that has been shown most often, to whomever.
        return [round(cost, 1) - 0.01 * self.times[card] for card, cost in zip(choices, costs, strict=True)]


_warm: list[bool] = []


def _warm_up() -> None:
    """Compile the kernels, or load them, by playing a few turns."""
    from cluedo import Board, Game, Rules, Seeds

    if _warm:
        return
    _warm.append(True)
    game = Game.begin(Board.load("tiny"), Rules.from_options(["movement=free"]), Seeds(1, 0, 3))
    bots = [Reader() for _ in range(3)]
    for seat, bot in enumerate(bots):
        bot.begin(game.view(seat), Random(seat))
    from cluedo.ai.match import Match

    Match(game, [Reader() for _ in range(3)], [Random(k) for k in range(3)]).play()
    world = World(game.dealt(0), Random(1))
    _leaks(
        world.bystander(10),
        np.array([[0, 5, 8]], np.int64),
        world.order,
        world.envelope,
        np.zeros(1),
    )
