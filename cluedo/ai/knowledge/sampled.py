"""Odds when there are too many deals to count: estimated from random weighted deals, with the error of the estimate.

What is proved is proved by the solver, and is exactly 0 or 1. For the rest a coarse count guides the draws (see
:mod:`~cluedo.ai.knowledge.kernels.guide` and :mod:`~cluedo.ai.knowledge.kernels.particles`). They come in independent
runs, so that the differences between runs show the error. Where the deals are those of a mixture of kinds of askers,
each run draws by every kind, in proportion to what the count says of its share. Seed and number are fixed: the same
evidence always gives the same answer, after much the same work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.kernels.askers import MAX_HELD, Asker, fixed_weight, normalisers
from cluedo.ai.knowledge.kernels.guide import Guide, backward, build, forward
from cluedo.ai.knowledge.kernels.particles import Tallies, draw, expected, tally
from cluedo.ai.knowledge.kernels.programme import Deals, EvidenceArrays, Floats
from cluedo.ai.knowledge.sat import SatDeducer
from cluedo.ai.knowledge.unproved import Factor, UnprovedCards, at_least_one
from cluedo.engine.cards import bits

__all__ = ["NoDeals", "Sampler", "Sampling"]

_WIDTH = 1 << 15  # states of the guide in a layer
_SEED = 16
_RUNS, _DEALS = 16, 2000
_LEAST = 20  # deals of a run that are of each kind of askers, however little it seems to count
_T = 2.131  # Student's distribution: 95 % of the means of 16 runs are within so many errors
_RARE = 1e-9  # what the draws say is less likely, they say nothing of; beside it, odds might add up to 1
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
        log_weight: the log of the total weight of the deals that fit; of their number, where all weigh 1.
        log_error: half the width of its interval.
        deals: the places of the cards in every deal drawn, an array (n, cards).
        weights: their weights (n), which add up to 1.
    """

    marginals: Floats
    errors: Floats
    joint: Floats
    joint_errors: Floats
    log_weight: float
    log_error: float
    deals: Deals
    weights: Floats

    def sample(self, rng: Random, count: int) -> Deals:
        """``count`` deals, an array (count, cards) of places, in no order; one word is drawn from ``rng``."""
        chances = Random(rng.getrandbits(64))
        marks = np.array([chances.random() for _ in range(count)])
        rows = np.searchsorted(self.weights.cumsum(), marks, "right")
        found: Deals = self.deals[np.minimum(rows, len(self.weights) - 1)]
        return found


class _Proposal(NamedTuple):
    """The distribution by which deals are drawn under one weighing, by :mod:`cluedo.ai.knowledge.kernels.particles`.

    Attributes:
        log_total: the log of what all of them are expected to weigh.
    """

    guide: Guide
    weights: Floats
    tallies: Tallies
    table: Floats
    log_total: float


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

    def __init__(self, evidence: Evidence, *, choice: bool, built: Guide | None = None):
        self._solver = SatDeducer(evidence)
        self._evidence, self._arrays = evidence, EvidenceArrays.of(evidence, choice=choice)
        self._may, self._has = self._solver.may, self._solver.has
        cards = np.arange(evidence.deck.size)
        self._may_be: NDArray[np.bool_] = (np.array(self._may) >> cards[:, None] & 1).astype(np.bool_)
        self._arrays.may[:], self._arrays.has[:] = self._may, self._has
        self._constant = 0.0
        factors = [*self._clauses(), *self._bans(), *(self._choices() if choice else ())]
        self._unproved = UnprovedCards(evidence, self._may, self._has, factors, _WIDTH)
        layers = self._unproved.layers
        self.guide = built or Guide.sized(len(self._unproved.cards), _WIDTH, layers.places.shape[1])
        if built is None:
            build(layers, self._unproved.root, _WIDTH, self.guide)
        self._random = Random(_SEED)

    def sampling(self, kinds: Floats, shares: Floats) -> Sampling:
        """Weigh deals by a mixture of kinds of askers, and fill their ``shares``, as `solve` does.

        Without any kind all deals weigh the same, but for the choices of those who showed me cards.
        """
        free = self._evidence.free
        proposals = [self._proposal_of(Asker(free, *kind[1:].tolist()), kind[0]) for kind in kinds]
        alike = np.ones((self._evidence.deck.size, self._evidence.places))
        return self._sampling(proposals or [self._proposal(alike, [], self._constant)], shares)

    # ---- the facts as factors ------------------------------------------------------------------

    def _clauses(self) -> Iterator[Factor]:
        """The clauses that are not settled yet, without those that another one implies."""
        may, has, clauses = self._may, self._has, self._evidence.clauses
        found = {
            (place, mask & may[place])
            for place, mask in zip(clauses[::2], clauses[1::2], strict=True)
            if not has[place] & mask
        }
        for place, mask in sorted(found):
            if not any(other == place and less != mask and less & ~mask == 0 for other, less in found):
                yield at_least_one(place, mask)

    def _bans(self) -> Iterator[Factor]:
        may, has, bans = self._may, self._has, self._evidence.bans
        for place, mask in zip(bans[::2], bans[1::2], strict=True):
            left = mask & ~has[place]
            if may[place] & mask == mask:
                yield Factor(place, left, (*[1.0] * left.bit_count(), 0.0))

    def _choices(self) -> Iterator[Factor]:
        may, has, choices = self._may, self._has, self._evidence.choices
        for place, mask in zip(choices[::2], choices[1::2], strict=True):
            held = (has[place] & mask).bit_count()
            self._constant -= float(np.log(held))
            left = may[place] & mask & ~has[place]
            if left:
                yield Factor(place, left, tuple(held / (held + more) for more in range(left.bit_count() + 1)))

    # ---- drawing -------------------------------------------------------------------------------

    def _proposal_of(self, asker: Asker, log_prior: float) -> _Proposal:
        """Weigh the place of each card, and how many cards of a category a seat holds, as such askers make likely."""
        evidence, arrays = self._evidence, self._arrays
        deck, envelope = evidence.deck, evidence.envelope
        odds = np.zeros((deck.size, evidence.places))
        named = arrays.named.reshape(envelope, deck.size).T * asker.log_own
        chosen = deck.size if asker.free else deck.rooms.start
        odds[:chosen, :envelope] = named[:chosen]
        norms = np.empty((3, envelope, MAX_HELD))
        normalisers(arrays, asker, norms)
        constant = log_prior + self._constant + float(fixed_weight(arrays, asker, deck.size))
        factors = list[Factor]()
        for category, place in np.argwhere(norms.any(2)).tolist():
            held = (self._has[place] & deck.masks[category]).bit_count()
            left = self._may[place] & ~self._has[place] & deck.masks[category]
            logs = norms[category, place, held : held + left.bit_count() + 1]
            constant += float(logs.max())
            if np.ptp(logs) > 0.0:
                factors.append(Factor(place, left, tuple(np.exp(logs - logs.max()).tolist())))
        tops = np.where(self._may_be, odds, -np.inf).max(1, keepdims=True)
        unproved = np.array(self._unproved.cards, np.int64)
        constant += float(tops[unproved].sum())
        return self._proposal(np.exp(np.minimum(odds - tops, 0.0)), factors, constant)

    def _proposal(self, odds: Floats, factors: Sequence[Factor], constant: float) -> _Proposal:
        """Have a weight for each card at each place (cards, places), factors, and the log of what all deals weigh."""
        layers, states = self._unproved.layers, self.guide.layer_at[len(self._unproved.cards) + 1]
        guide = self.guide._replace(rest=np.empty(states), scales=np.empty_like(self.guide.scales))
        weights = self._unproved.weights(odds)
        log_total = constant + backward(layers, weights, guide)
        likely = np.empty((len(self._unproved.cards), self._evidence.places))
        forward(layers, weights, guide, likely)
        tallies = self._unproved.tallies(guide, factors)
        table, log_expected = expected(tallies, likely)
        return _Proposal(guide, weights, tallies, table, log_total + log_expected)

    def _sampling(self, proposals: Sequence[_Proposal], shares: Floats) -> Sampling:
        """Draw deals by each proposal, the more the more all its deals weigh; fills the ``shares`` of the proposals.

        To draw them by one proposal, and weigh them by another, would not do: hardly any weight may be left.
        """
        expected_parts = _parts(np.array([proposal.log_total for proposal in proposals]))
        counts = np.maximum(_DEALS * expected_parts, _LEAST).round().astype(int)
        found = [self._drawn(proposal, count) for proposal, count in zip(proposals, counts, strict=True)]
        logs = np.array([totals for _, _, totals in found])
        parts = _parts(logs)
        shares[:] = parts.sum(1)
        return self._summed(
            np.concatenate([deals for deals, _, _ in found], axis=1),
            np.concatenate([each * part[:, None] for (_, each, _), part in zip(found, parts, strict=True)], axis=1),
            float(np.logaddexp.reduce(logs, None) - np.log(_RUNS)),
        )

    def _drawn(self, proposal: _Proposal, count: int) -> tuple[Deals, Floats, Floats]:
        """So many deals in each run, an array (run, n, card), their weights (run, n), and the logs of the totals."""
        fixed = np.zeros(self._evidence.deck.size, np.int8)
        for place, cards in enumerate(self._has):
            fixed[bits(cards)] = place
        deals, weights, totals = np.tile(fixed, (_RUNS, count, 1)), np.empty((_RUNS, count)), np.empty(_RUNS)
        unproved, seed = np.array(self._unproved.cards, np.int64), self._random.getrandbits(62)
        draw(self._unproved.layers, *proposal[:4], unproved, seed, deals, weights, totals)
        return deals, weights, totals + proposal.log_total

    def _summed(self, deals: Deals, weights: Floats, log_weight: float) -> Sampling:
        """Combine runs of deals (run, n, card) with their ``weights`` (run, n), which all add up to 1."""
        totals = weights.sum(1)
        marginals = np.zeros((_RUNS, deals.shape[2], self._evidence.places))
        joint = np.zeros((_RUNS, *(len(ids) for ids in self._evidence.deck.ids)))
        tally(deals, weights / np.maximum(totals, 1e-300)[:, None], self._evidence.envelope, marginals, joint)
        drawn = 1.0 / float((weights**2).sum())
        (odds, errors), (envelopes, joint_errors) = (_mean(each, totals, drawn) for each in (marginals, joint))
        self._keep_open(odds, envelopes, drawn)
        errors[(odds == 0.0) | (odds == 1.0)] = 0.0
        joint_errors[(envelopes == 0.0) | (envelopes == 1.0)] = 0.0
        return Sampling(
            odds,
            errors,
            envelopes,
            joint_errors,
            log_weight,
            _T * float(totals.std(ddof=1) * np.sqrt(_RUNS)),
            deals.reshape(-1, deals.shape[2]),
            weights.ravel(),
        )

    def _keep_open(self, odds: Floats, envelopes: Floats, drawn: float) -> None:
        """Give what is possible and was not drawn a probability, and 0 to nothing else; cards add up to 1."""
        possible = self._envelopes(envelopes)
        if possible.sum() == 1:
            envelopes[possible] = 1.0  # rounding may have left a hair
        unseen = possible & (envelopes < _RARE)
        if unseen.any():
            share = 0.5 / (drawn + 1.0)
            envelopes *= 1.0 - share
            envelopes[unseen] = share / unseen.sum()
        seats = odds[:, :-1]
        odds[:, -1] = np.concatenate([envelopes.sum(axes) for axes in ((1, 2), (0, 2), (0, 1))])
        seats[self._may_be[:, :-1] & (seats < _RARE)] = 0.5 / (drawn + 1.0)
        seats *= ((1.0 - odds[:, -1]) / np.maximum(seats.sum(1), 1e-300))[:, None]
        odds[~self._may_be] = 0.0
        for place, cards in enumerate(self._has):
            odds[bits(cards), place] = 1.0

    def _envelopes(self, seen: Floats) -> NDArray[np.bool_]:
        """Which envelopes are possible; the solver is asked about those that no draw has shown."""
        deck, envelope = self._evidence.deck, self._evidence.envelope
        found = seen > 0.0
        for a, b, c in product(*(bits(self._may[envelope] & mask) for mask in deck.masks)):
            at = a, b - deck.weapons.start, c - deck.rooms.start
            found[at] = found[at] or self._solver.possible((a, b, c), envelope)
        return found


def _parts(logs: Floats) -> Floats:
    """Of numbers that are given by their logs, how much each is of their sum; raises NoDeals if all are 0."""
    if logs.max() == -np.inf:
        raise NoDeals
    found: Floats = np.exp(logs - np.logaddexp.reduce(logs, None))
    return found


def _mean(runs: Floats, totals: Floats, drawn: float) -> tuple[Floats, Floats]:
    """The mean of the runs, each by its total, and the half widths of 95 % intervals; the totals add up to 1."""
    scale = totals.reshape(-1, *[1] * (runs.ndim - 1))
    mean = (runs * scale).sum(0)
    spread = np.sqrt((((runs - mean) * scale) ** 2).sum(0) * _RUNS / (_RUNS - 1))
    # Where few runs have found nearly all the weight, their agreement with their own mean says little.
    apart = runs[totals > 0.0].std(0) * np.sqrt((scale**2).sum())
    return mean, np.hypot(_T * np.maximum(spread, apart), _UNSEEN / drawn)
