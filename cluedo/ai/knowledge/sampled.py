"""Odds when there are too many deals to count: estimated from random weighted deals, with the error of the estimate.

What is proved is proved by the solver, and is exactly 0 or 1. For the rest a coarse count guides the draws (see
:mod:`~cluedo.ai.knowledge.guide` and :mod:`~cluedo.ai.knowledge.particles`). They come in independent
runs, so that the differences between runs show the error. Seed and number are fixed: the same evidence
always gives the same answer, after much the same work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge import guide as guides
from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.open_cards import Factor, OpenCards, at_least_one
from cluedo.ai.knowledge.particles import draw, expected, tally
from cluedo.ai.knowledge.programme import Asker, Facts, Floats
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.ai.knowledge.solve import MAX_HELD, asker_of, fixed_weight, normalisers
from cluedo.engine.cards import Triple, bits

__all__ = ["NoDeals", "Sampler", "Sampling"]

_WIDTH = 1 << 15  # states of the guide in a layer
_SEED = 16
_RUNS, _DEALS = 16, 2000
_FIRST, _SOME = 2, 6  # fewer runs: before it is known how much a kind of askers counts, and where that is little
_GREAT, _SMALL = 0.25, 0.02  # the share of a kind, by the greatest, that is worth all runs, or some
_T = {2: 12.706, 6: 2.571, 16: 2.131}  # Student's distribution: 95 % within so many errors, by the runs
_UNSEEN = 3.0  # 95 % of what no draw of n has shown is less likely than 3 / n


class NoDeals(Exception):
    """No draw found a deal that fits."""


class Sampling(NamedTuple):
    """What the draws say under one weighing of deals.

    Attributes:
        marginals: P(card at place), an array (cards, places); 0.0 and 1.0 are proved, and nothing else is.
        errors: half the width of the interval that holds each of them with 95 %.
        joint: P(the envelope), an array (suspects, weapons, rooms); 0.0 and 1.0 are proved likewise.
        joint_errors: as ``errors``.
        log_weight: the log of the total weight of the deals that fit.
        log_error: half the width of its interval.
        log_deals: the log of the number of deals, and ``deals_error`` by what share it may be off; NaN where deals are
            weighed by what askers named.
        deals: the places of the cards in every deal drawn, an array (n, cards).
        weights: their weights (n), which add up to 1.
    """

    marginals: Floats
    errors: Floats
    joint: Floats
    joint_errors: Floats
    log_weight: float
    log_error: float
    log_deals: float
    deals_error: float
    deals: NDArray[np.int8]
    weights: Floats

    def sample(self, rng: Random, count: int) -> NDArray[np.int8]:
        """``count`` deals, an array (count, cards) of places, in no order; one word is drawn from ``rng``."""
        chances = Random(rng.getrandbits(64))
        marks = np.array([chances.random() for _ in range(count)])
        rows = np.searchsorted(self.weights.cumsum(), marks, "right")
        found: NDArray[np.int8] = self.deals[np.minimum(rows, len(self.weights) - 1)]
        return found


class _Weighing(NamedTuple):
    """What weighs a deal beside the facts.

    Attributes:
        odds: for each card at each place, an array (cards, places).
        factors: by how many cards of a category a seat holds.
        constant: the log of what is the same for all deals.
    """

    odds: Floats
    factors: tuple[Factor, ...]
    constant: float

    @property
    def even(self) -> bool:
        """Whether all deals weigh the same."""
        return not self.factors and bool((self.odds == 1.0).all())


class Sampler:
    """Draws deals that fit the evidence as it was when this was made.

    Args:
        evidence: what is known.
        choice: whether those who showed me cards are taken to have chosen among what they held.
        built: the guide of another sampler for the same evidence.

    Attributes:
        guide: the guide.

    Raises:
        InconsistentEvidence: no deal fits.
    """

    def __init__(self, evidence: Evidence, *, choice: bool, built: guides.Guide | None = None):
        self._solver = SatDeducer(evidence)
        self._evidence, self._facts = evidence, Facts.of(evidence, choice=choice)
        self._facts.may[:], self._facts.has[:] = self._solver.may, self._solver.has
        self._constant = 0.0
        self._chosen = list(self._choices()) if choice else []
        factors = [*self._clauses(), *self._bans(), *self._chosen]
        self._open = OpenCards(evidence, self._solver.may, self._solver.has, factors, _WIDTH)
        layers = self._open.layers
        self.guide = built or guides.sized(len(self._open.cards), _WIDTH, layers.places.shape[1])
        if built is None:
            guides.build(layers, self._open.root, _WIDTH, self.guide)
        self._possible: NDArray[np.bool_] | None = None
        self._random = Random(_SEED)

    def uniform(self) -> Sampling:
        """All deals weigh the same, but for the choices of those who showed me cards."""
        odds = np.ones((self._evidence.deck.size, self._evidence.places))
        return self._counting(self._sampling(_Weighing(odds, (), self._constant)), self._constant)

    def mix(self, kinds: Floats, parts: Floats, shares: Floats) -> Sampling:
        """Weigh deals by a mixture of kinds of askers, as :func:`cluedo.ai.knowledge.solve.solve` does.

        Fills ``parts`` and ``shares``. Kinds that weigh all deals alike are drawn for once: to a spectator, who shows
        no cards, none is named again.
        """
        weighings = [self._weighing(asker_of(self._evidence.free, kind)) for kind in kinds]
        alike: dict[tuple[bytes, tuple[Factor, ...]], list[int]] = {}
        for number in np.argsort(-kinds[:, 0], kind="stable").tolist():  # the likeliest first
            alike.setdefault((weighings[number].odds.tobytes(), weighings[number].factors), []).append(number)
        logs, top = np.empty(len(kinds)), -np.inf
        found: list[Sampling] = []
        for numbers in alike.values():
            weighing = weighings[numbers[0]]
            priors = kinds[numbers, 0] + [weighings[number].constant - weighing.constant for number in numbers]
            prior = float(np.logaddexp.reduce(priors))
            one = self._sampling(weighing, prior - top)
            if weighing.even and len(one.weights) == _RUNS * _DEALS:
                one = self._counting(one, weighing.constant)
            logs[numbers] = priors + one.log_weight
            top = max(top, prior + one.log_weight)
            parts[numbers] = one.marginals
            found.append(one)
        shares[:] = np.exp(logs - logs.max())
        total = shares.sum()
        shares /= total
        each = np.array([shares[numbers].sum() for numbers in alike.values()])
        odds, errors = _mixed(each, found, "marginals", "errors")
        joint, joint_errors = _mixed(each, found, "joint", "joint_errors")
        counted = next((one for one in found if not np.isnan(one.log_deals)), found[0])
        return Sampling(
            odds,
            errors,
            joint,
            joint_errors,
            float(logs.max() + np.log(total)),
            float(np.linalg.norm(each * [one.log_error for one in found])),
            counted.log_deals,
            counted.deals_error,
            np.concatenate([one.deals for one in found]),
            np.concatenate([share * one.weights for share, one in zip(each, found, strict=True)]),
        )

    def _counting(self, found: Sampling, constant: float) -> Sampling:
        """What was drawn with no weights but those of choices and a ``constant``, and how many deals that makes."""
        chosen = np.ones(found.deals.shape[0])
        for factor in self._chosen:
            held = (found.deals[:, bits(factor.cards)] == factor.place).sum(1)
            chosen *= np.array(factor.values)[held]
        rows = (found.weights / chosen).reshape(-1, _DEALS).sum(1)
        total = rows.sum()
        return found._replace(
            log_deals=found.log_weight - constant + float(np.log(total)),
            deals_error=_T[len(rows)] * float(np.sqrt(len(rows)) * rows.std(ddof=1) / total),
        )

    # ---- the facts as factors ------------------------------------------------------------------

    def _clauses(self) -> Iterator[Factor]:
        """The clauses that are not settled yet, without those that another one implies."""
        may, has, clauses = self._solver.may, self._solver.has, self._evidence.clauses
        found = {
            (place, mask & may[place])
            for place, mask in zip(clauses[::2], clauses[1::2], strict=True)
            if not has[place] & mask
        }
        for place, mask in sorted(found):
            if not any(other == place and less != mask and less & ~mask == 0 for other, less in found):
                yield at_least_one(place, mask)

    def _bans(self) -> Iterator[Factor]:
        may, has, bans = self._solver.may, self._solver.has, self._evidence.bans
        for place, mask in zip(bans[::2], bans[1::2], strict=True):
            left = mask & ~has[place]
            if may[place] & mask == mask:
                yield Factor(place, left, (*[1.0] * left.bit_count(), 0.0))

    def _choices(self) -> Iterator[Factor]:
        may, has, choices = self._solver.may, self._solver.has, self._evidence.choices
        for place, mask in zip(choices[::2], choices[1::2], strict=True):
            held = (has[place] & mask).bit_count()
            self._constant -= float(np.log(held))
            left = may[place] & mask & ~has[place]
            if left:
                yield Factor(place, left, tuple(held / (held + more) for more in range(left.bit_count() + 1)))

    def _weighing(self, asker: Asker) -> _Weighing:
        """What such askers weigh each (card, place) by, and how many cards of a category a seat holds."""
        evidence, facts = self._evidence, self._facts
        deck, envelope = evidence.deck, evidence.envelope
        odds = np.zeros((deck.size, evidence.places))
        named = facts.named.reshape(envelope, deck.size).T * asker.log_own
        chosen = deck.size if asker.free else deck.rooms.start
        odds[:chosen, :envelope] = named[:chosen]
        norms = np.empty((3, envelope, MAX_HELD))
        normalisers(facts, asker, norms)
        constant = self._constant + float(fixed_weight(facts, asker, deck.size))
        factors = list[Factor]()
        for category, place in np.argwhere(norms.any(2)).tolist():
            held = (self._solver.has[place] & deck.masks[category]).bit_count()
            left = self._solver.may[place] & ~self._solver.has[place] & deck.masks[category]
            logs = norms[category, place, held : held + left.bit_count() + 1]
            constant += float(logs.max())
            if np.ptp(logs) > 0.0:
                factors.append(Factor(place, left, tuple(np.exp(logs - logs.max()).tolist())))
        tops = np.where(self._may_be(), odds, -np.inf).max(1, keepdims=True)
        open_cards = np.array(self._open.cards)
        constant += float(tops[open_cards].sum())
        return _Weighing(np.exp(np.minimum(odds - tops, 0.0)), tuple(factors), constant)

    def _may_be(self) -> NDArray[np.bool_]:
        cards = np.arange(self._evidence.deck.size)
        found: NDArray[np.bool_] = (np.array(self._solver.may) >> cards[:, None] & 1).astype(np.bool_)
        return found

    # ---- drawing -------------------------------------------------------------------------------

    def _sampling(self, weighing: _Weighing, log_scale: float = np.inf) -> Sampling:
        """A few runs, and then more where the total weight that they have found, times ``exp(log_scale)``, is great."""
        layers, guide, deck = self._open.layers, self.guide, self._evidence.deck
        weights = self._open.weights(weighing.odds)
        base = guides.rest(layers, weights, guide) + weighing.constant
        likely = np.empty((len(self._open.cards), self._evidence.places))
        guides.marginals(layers, weights, guide, likely)
        tallies = self._open.tallies(guide, weighing.factors)
        table = expected(tallies, likely)
        logs, shares = np.empty(_RUNS), np.empty((_RUNS, _DEALS))
        deals = np.zeros((_RUNS, _DEALS, deck.size), np.int8)
        for place, cards in enumerate(self._solver.has):
            deals[:, :, bits(cards)] = place
        drawn = np.zeros((_DEALS, len(self._open.cards)), np.int8)
        run, most = 0, _FIRST
        while run < most:
            logs[run] = draw(layers, guide, weights, tallies, table, self._random.getrandbits(62), drawn, shares[run])
            deals[run][:, self._open.cards] = drawn
            run += 1
            if run == _FIRST:
                log = base + _log_mean(logs[:run])
                most = _runs_worth(log + log_scale) if log > -np.inf else _RUNS
        if logs[:most].max() == -np.inf:
            raise NoDeals
        return self._summed(logs[:most], deals[:most], shares[:most], base)

    def _summed(self, logs: Floats, deals: NDArray[np.int8], shares: Floats, base: float) -> Sampling:
        """Combine the runs, each weighted by the total weight that it has found."""
        runs = len(logs)
        totals = np.exp(logs - logs.max())
        marginals = np.zeros((runs, deals.shape[2], self._evidence.places))
        joint = np.zeros((runs, *(len(ids) for ids in self._evidence.deck.ids)))
        for run in range(runs):
            tally(deals[run], shares[run], self._evidence.envelope, marginals[run], joint[run])
        weights = (shares * (totals / totals.sum())[:, None]).ravel()
        drawn = 1.0 / float((weights**2).sum())
        (odds, errors), (envelopes, joint_errors) = (_mean(each, totals, drawn) for each in (marginals, joint))
        self._keep_open(odds, envelopes, drawn)
        errors[(odds == 0.0) | (odds == 1.0)] = 0.0
        joint_errors[(envelopes == 0.0) | (envelopes == 1.0)] = 0.0
        mean = totals.mean()
        spread = float(totals.std(ddof=1) / mean / np.sqrt(runs))
        return Sampling(
            odds,
            errors,
            envelopes,
            joint_errors,
            base + _log_mean(logs),
            _T[runs] * spread,
            np.nan,
            np.nan,
            deals.reshape(-1, deals.shape[2]),
            weights,
        )

    def _keep_open(self, odds: Floats, envelopes: Floats, drawn: float) -> None:
        """Give what is possible and was not drawn a probability, and 0 to nothing else; cards add up to 1."""
        possible = self._envelopes(envelopes)
        if possible.sum() == 1:
            envelopes[possible] = 1.0  # rounding may have left a hair
        unseen = possible & (envelopes == 0.0)
        if unseen.any():
            share = 0.5 / (drawn + 1.0)
            envelopes *= 1.0 - share
            envelopes[unseen] = share / unseen.sum()
        seats = odds[:, :-1]
        odds[:, -1] = np.concatenate([envelopes.sum(axes) for axes in ((1, 2), (0, 2), (0, 1))])
        seats[self._may_be()[:, :-1] & (seats == 0.0)] = 0.5 / (drawn + 1.0)
        seats *= ((1.0 - odds[:, -1]) / np.maximum(seats.sum(1), 1e-300))[:, None]
        held = ~self._may_be()
        odds[held] = 0.0
        for place, cards in enumerate(self._solver.has):
            odds[bits(cards), place] = 1.0

    def _envelopes(self, seen: Floats) -> NDArray[np.bool_]:
        """Which envelopes are possible; the solver is asked about those that no draw has shown."""
        if self._possible is None:
            deck, cards = self._evidence.deck, self._solver.may[self._evidence.envelope]
            self._possible = np.zeros(seen.shape, np.bool_)
            for triple in product(*(bits(cards & mask) for mask in deck.masks)):
                at = tuple(card - ids.start for card, ids in zip(triple, deck.ids, strict=True))
                self._possible[at] = seen[at] > 0.0 or self._fits((triple[0], triple[1], triple[2]))
        return self._possible

    def _fits(self, envelope: Triple) -> bool:
        return self._solver.possible(envelope, self._evidence.envelope)


def _runs_worth(log_share: float) -> int:
    """How many runs a kind of askers is worth, by the log of its share; above 0 counts as all."""
    share = np.exp(min(log_share, 0.0))
    return _RUNS if share > _GREAT else _SOME if share > _SMALL else _FIRST


def _log_mean(logs: Floats) -> float:
    """The log of the mean of numbers that are given by their logs."""
    top = logs.max()
    return float(top + np.log(np.exp(logs - top).mean())) if top > -np.inf else -np.inf


def _mean(runs: Floats, totals: Floats, drawn: float) -> tuple[Floats, Floats]:
    """The mean of the runs, each by its total, and the half widths of 95 % intervals."""
    count = len(totals)
    scale = totals.reshape(-1, *[1] * (runs.ndim - 1)) / totals.sum()
    mean = (runs * scale).sum(0)
    spread = np.sqrt((((runs - mean) * scale) ** 2).sum(0) * count / (count - 1))
    # Where few runs have found nearly all the weight, their agreement with their own mean says little.
    apart = runs[totals > 0.0].std(0) * np.sqrt((scale**2).sum())
    return mean, np.hypot(_T[count] * np.maximum(spread, apart), _UNSEEN / drawn)


def _mixed(shares: Floats, found: Sequence[Sampling], odds: str, errors: str) -> tuple[Floats, Floats]:
    """The odds of a mixture, and their errors: those of the parts, and of how much each part counts."""
    each = np.array([getattr(one, odds) for one in found])
    parts = shares.reshape(-1, *[1] * (each.ndim - 1))
    mean: Floats = (parts * each).sum(0)
    mean[(each == 1.0).all(0)] = 1.0
    unsure = parts * np.array([one.log_error for one in found]).reshape(parts.shape)
    within = ((parts * np.array([getattr(one, errors) for one in found])) ** 2).sum(0)
    return mean, np.sqrt(within + ((unsure * (each - mean)) ** 2).sum(0))
