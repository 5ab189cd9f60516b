"""Compiled: how likely deals and kinds of opponents are, by what the opponents did."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.kernels.common_kernels import cleared, envelope_number, greatest, log_sum
from cluedo.ai.knowledge.kernels.compiled import compiled
from cluedo.ai.knowledge.kernels.programme import Deals, Floats, Ints

__all__ = ["Kinds", "Weighed", "next_wins", "time_left", "weigh", "weigh_cards", "weigh_envelopes"]

_LEAST = 1e-300  # so that no logarithm is infinite


class _Groups(NamedTuple):
    """Deals by what is in the envelope.

    Attributes:
        counts, sums, squares: (groups): how many deals each group has, and of their weights the sums, and those of the
            squares.
    """

    counts: Floats
    sums: Floats
    squares: Floats


@compiled
def _groups(size: int) -> _Groups:
    return _Groups(cleared(np.empty(size)), cleared(np.empty(size)), cleared(np.empty(size)))


@compiled
def _add(groups: _Groups, at: int, weight: float) -> None:
    groups.counts[at] += 1.0
    groups.sums[at] += weight
    groups.squares[at] += weight**2


@compiled
def _noise(groups: _Groups) -> float:
    """The variance of the weights within groups, relative to the square of their mean there."""
    spread, means = 0.0, 0.0
    for at in range(groups.counts.shape[0]):
        if groups.counts[at] > 1.0:
            square = groups.sums[at] ** 2 / groups.counts[at]
            spread += max(groups.squares[at] - square, 0.0)
            means += square * (1.0 - 1.0 / groups.counts[at])
    return spread / means if means > 0.0 else np.inf


@compiled
def _trust(drawn: float, noise: float, spread: float) -> float:
    """How far the mean weight of so many deals counts, from 0 to 1.

    Its log has the variance ``noise`` / n, and beforehand that of ``spread`` around 0: the best estimate is between the
    two (James and Stein, 1961).
    """
    return spread / (spread + noise / drawn) if drawn and noise < np.inf else 0.0


@compiled
def _worth(groups: _Groups, at: int, deals: int, noise: float, spread: float) -> float:
    """What the deals of a group weigh on average, over what all do, as far as so few of them can tell."""
    trust = _trust(groups.counts[at], noise, spread)
    if trust == 0.0:
        return 1.0
    return float(np.exp(np.log(max(groups.sums[at] * deals / groups.counts[at], _LEAST)) * trust))


@compiled
def weigh_cards(deals: Deals, weights: Floats, envelope: int, spread: float, odds: Floats) -> None:
    """Multiply the ``odds`` (cards) of being in the envelope by what the deals with the card there weigh on average.

    ``weights`` (deals) add up to 1; ``spread`` is as for :func:`weigh_envelopes`.
    """
    cards = _groups(odds.shape[0])
    for deal in range(deals.shape[0]):
        for card in range(odds.shape[0]):
            if deals[deal, card] == envelope:
                _add(cards, card, weights[deal])
    noise = _noise(cards)
    for card in range(odds.shape[0]):
        odds[card] *= _worth(cards, card, deals.shape[0], noise, spread)


@compiled
def weigh_envelopes(deals: Deals, weights: Floats, envelope: int, spread: float, table: Floats) -> tuple[int, float]:
    """Multiply a ``table`` of the odds of the envelopes by what their deals weigh on average, and scale it to 1.

    ``weights`` (deals) add up to 1; ``spread`` is the variance, from one envelope to another, of the log of what all
    its deals weigh on average. Returns where the likeliest stands, all in one row, and the standard error of its odds.
    """
    flat = table.reshape(-1)
    groups = _groups(flat.shape[0])
    for deal in range(deals.shape[0]):
        _add(groups, envelope_number(deals[deal], envelope, table.shape), weights[deal])
    noise = _noise(groups)
    total, best = 0.0, 0
    for at in range(flat.shape[0]):
        flat[at] *= _worth(groups, at, deals.shape[0], noise, spread)
        total += flat[at]
    for at in range(flat.shape[0]):
        flat[at] /= total
        if flat[at] > flat[best]:
            best = at
    drawn = groups.counts[best]
    # What the deals of an envelope, and those of all others, weigh on average varies as far as it is not known.
    variance = spread * (2.0 - _trust(drawn, noise, spread) - _trust(deals.shape[0] - drawn, noise, spread))
    return best, flat[best] * (1.0 - flat[best]) * np.sqrt(variance)


_MOST = 30.0  # log odds that are certainty enough


class Kinds(NamedTuple):
    """The kinds of opponents, as the kernels take them.

    Attributes:
        prior: (kinds): how likely a player is of a kind, beforehand.
        naming: (kinds): which of the naming styles is theirs.
        solving: (kinds): which of the solving styles.
        ways: (solving styles): the way to keep notes of each.
        lasts: (solving styles, envelopes open, turns): how likely somebody has not won within so many turns.
        alike: how likely all at a table are of one kind; else each is of a kind of its own.
        strange: how likely it is that somebody names cards unlike all of these kinds.
    """

    prior: Floats
    naming: Ints
    solving: Ints
    ways: Ints
    lasts: Floats
    alike: float
    strange: float


@compiled
def _log_add(a: float, b: float) -> float:
    """log(exp(a) + exp(b))."""
    top, low = max(a, b), min(a, b)
    return top + float(np.log1p(np.exp(low - top))) if low > -np.inf else top


@compiled
def _relative(logs: Floats, kinds: Kinds, by_naming: Floats, likely: Floats) -> float:
    """Fill ``likely`` (kinds) with likelihoods relative to the greatest of a possible kind; returns the log of that.

    ``logs`` are those of the naming styles; ``by_naming`` is an array of as many to work in.
    """
    top = -np.inf
    for kind in range(kinds.prior.shape[0]):
        if kinds.prior[kind] > 0.0:
            top = max(top, logs[kinds.naming[kind]])
    for style in range(logs.shape[0]):
        less = min(logs[style] - top, 0.0)  # above 0 are those of impossible kinds alone
        by_naming[style] = np.exp(less) if less else 1.0
    for kind in range(kinds.prior.shape[0]):
        likely[kind] = by_naming[kinds.naming[kind]]
    return top


@compiled
def _of_all(likely: Floats, kinds: Kinds, sums: Floats, together: Floats) -> float:
    """How likely it is what all did, by how likely it is for each seat and kind.

    ``sums`` (seats) gets what it is for each seat by itself, ``together`` (kinds) what it is for all seats being of
    that kind, each times its prior.
    """
    for kind in range(together.shape[0]):
        together[kind] = kinds.prior[kind]
    for seat in range(likely.shape[0]):
        total = 0.0
        for kind in range(likely.shape[1]):
            total += kinds.prior[kind] * likely[seat, kind]
            together[kind] *= likely[seat, kind]
        sums[seat] = total
    all_alike = 0.0
    for kind in range(together.shape[0]):
        all_alike += together[kind]
    return kinds.alike * all_alike + (1.0 - kinds.alike) * _product(sums)


@compiled
def _product(values: Floats) -> float:
    product = 1.0
    for index in range(values.shape[0]):
        product *= values[index]
    return product


class Weighed(NamedTuple):
    """Deals and the kinds of the seats in them, weighed by what the seats did.

    Attributes:
        weights: (deals): how likely each deal is.
        alike: (deals, kinds): how likely all seats are of this kind there.
        unlike: (deals): how likely each of them is of a kind of its own.
        apart: (deals, seats, kinds): if so, how likely a seat is of it.
    """

    weights: Floats
    alike: Floats
    unlike: Floats
    apart: Floats

    @classmethod
    def sized(cls, deals: int, seats: int, kinds: int) -> Weighed:
        """Arrays for so many."""
        return cls(np.empty(deals), np.empty((deals, kinds)), np.empty(deals), np.empty((deals, seats, kinds)))


class _Scratch(NamedTuple):
    """Arrays to weigh one deal in.

    Attributes:
        likely: (seats, kinds): how likely it is what each seat did.
        sums: (seats), as :func:`_of_all` fills them.
        by_naming, by_solving: (naming styles), (solving styles): likelihoods.
    """

    likely: Floats
    sums: Floats
    by_naming: Floats
    by_solving: Floats


@compiled
def _weigh_deal(
    deal: int, naming: Floats, silence: Floats, asked: Floats, kinds: Kinds, scratch: _Scratch, found: Weighed
) -> float:
    """Weigh one deal: its weight is a logarithm still. Returns the log of how likely all that the seats did is.

    The arguments are those of :func:`weigh`.
    """
    likely, sums, by_solving, together = scratch.likely, scratch.sums, scratch.by_solving, found.alike[deal]
    scale, seats = 0.0, naming.shape[1]
    for seat in range(seats):
        scale += _relative(naming[deal, seat], kinds, scratch.by_naming, likely[seat])
    # What was named makes kinds more or less likely; deals too, unless somebody names cards unlike all these kinds.
    drawn_by = -scale - np.log(_of_all(likely, kinds, sums, together))
    if asked.shape[0]:
        drawn_by = _log_add(drawn_by + np.log(kinds.strange), np.log1p(-kinds.strange) - asked[deal])
    for seat in range(seats):
        for style in range(by_solving.shape[0]):
            quiet = silence[deal, seat, style]
            by_solving[style] = np.exp(max(quiet, -_MOST)) if quiet else 1.0
        for kind in range(together.shape[0]):
            likely[seat, kind] *= by_solving[kinds.solving[kind]]
    total = _of_all(likely, kinds, sums, together)
    for kind in range(together.shape[0]):
        together[kind] *= kinds.alike / total
        for seat in range(seats):
            found.apart[deal, seat, kind] = kinds.prior[kind] * likely[seat, kind] / sums[seat]
    log_likelihood = scale + float(np.log(total))
    found.weights[deal] = drawn_by + log_likelihood
    found.unlike[deal] = (1.0 - kinds.alike) * _product(sums) / total
    return log_likelihood


@compiled
def weigh(naming: Floats, silence: Floats, asked: Floats, kinds: Kinds, found: Weighed) -> float:
    """Weigh deals and the kinds of the seats by what the seats did.

    ``naming`` and ``silence`` are those of :class:`~cluedo.ai.knowledge.kernels.opponent_likelihood.Found`, ``asked``
    (deals) is the log of how likely what was asked made each deal when it was drawn (empty, if that was not looked at).
    Returns the log of how likely all that the seats did is, averaged over the deals.
    """
    deals, seats, size = naming.shape[0], naming.shape[1], kinds.prior.shape[0]
    scratch = _Scratch(np.empty((seats, size)), np.empty(seats), np.empty(naming.shape[2]), np.empty(silence.shape[2]))
    log_likelihoods, weights, total = np.empty(deals), found.weights, 0.0
    for deal in range(deals):
        log_likelihoods[deal] = _weigh_deal(deal, naming, silence, asked, kinds, scratch, found)
    top = greatest(weights)
    for deal in range(deals):
        weights[deal] = np.exp(weights[deal] - top)
        total += weights[deal]
    for deal in range(deals):
        weights[deal] /= total
    return log_sum(log_likelihoods) - float(np.log(deals))


@compiled
def next_wins(left: Ints, weighed: Weighed, kinds: Kinds, out: int, hazards: Floats) -> None:
    """Fill ``hazards`` (seats) with how likely each wins in its next turn.

    ``left`` is that of :class:`~cluedo.ai.knowledge.kernels.opponent_likelihood.Found`, ``out`` the mask of the seats
    that cannot win any more.
    """
    hazards[:] = 0.0
    for deal in range(left.shape[0]):
        weight, unlike = weighed.weights[deal], weighed.unlike[deal]
        for seat in range(left.shape[1]):
            if out >> seat & 1:
                continue
            for kind in range(kinds.prior.shape[0]):
                style = kinds.solving[kind]
                share = weight * (weighed.alike[deal, kind] + unlike * weighed.apart[deal, seat, kind])
                hazards[seat] += share * (1.0 - kinds.lasts[style, left[deal, seat, kinds.ways[style]], 0])


@compiled
def _by_solving_style(shares: Floats, kinds: Kinds, found: Floats) -> None:
    """Add the ``shares`` of kinds up by solving style."""
    found[:] = 0.0
    for kind in range(shares.shape[0]):
        found[kinds.solving[kind]] += shares[kind]


class _Lasting(NamedTuple):
    """Arrays for how likely nobody has won.

    Attributes:
        solved: (solving styles): how likely a seat solves the case so.
        alike, apart, seat: (solving styles, turns), (turns), (turns): how likely all last, being alike or not, and one
            seat.
    """

    solved: Floats
    alike: Floats
    apart: Floats
    seat: Floats


@compiled
def _add_time_left(
    deal: int, left: Ints, weighed: Weighed, kinds: Kinds, out: int, scratch: _Lasting, safety: Floats
) -> None:
    """Add to ``safety`` (turns) how likely nobody has won within so many turns in a deal, times its weight."""
    turns = safety.shape[0]
    scratch.alike[:] = 1.0
    scratch.apart[:] = 1.0
    for seat in range(left.shape[1]):
        if out >> seat & 1:
            continue
        _by_solving_style(weighed.apart[deal, seat], kinds, scratch.solved)
        scratch.seat[:] = 0.0
        for style in range(scratch.solved.shape[0]):
            lasts, share = kinds.lasts[style, left[deal, seat, kinds.ways[style]]], scratch.solved[style]
            for turn in range(turns):
                scratch.alike[style, turn] *= lasts[turn]
                scratch.seat[turn] += share * lasts[turn]
        for turn in range(turns):
            scratch.apart[turn] *= scratch.seat[turn]
    _by_solving_style(weighed.alike[deal], kinds, scratch.solved)
    for turn in range(turns):
        still = weighed.unlike[deal] * scratch.apart[turn]
        for style in range(scratch.solved.shape[0]):
            still += scratch.solved[style] * scratch.alike[style, turn]
        safety[turn] += weighed.weights[deal] * still


@compiled
def time_left(left: Ints, weighed: Weighed, kinds: Kinds, out: int, safety: Floats) -> None:
    """Fill ``safety`` (turns) with how likely nobody has won within so many turns of each.

    The other arguments are those of :func:`next_wins`.
    """
    styles, turns = kinds.ways.shape[0], safety.shape[0]
    scratch = _Lasting(np.empty(styles), np.empty((styles, turns)), np.empty(turns), np.empty(turns))
    safety[:] = 0.0
    for deal in range(left.shape[0]):
        _add_time_left(deal, left, weighed, kinds, out, scratch, safety)
