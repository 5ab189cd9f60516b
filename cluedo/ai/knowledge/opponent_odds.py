"""Compiled: how likely deals and kinds of opponents are, by what the opponents did."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.common_kernels import greatest, log_sum
from cluedo.ai.knowledge.compiled import compiled
from cluedo.ai.knowledge.programme import Floats, Ints

__all__ = ["Kinds", "Weighed", "next_wins", "time_left", "weigh"]

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

    ``naming`` and ``silence`` are those of :class:`~cluedo.ai.knowledge.opponent_likelihood.Found`, ``asked`` (deals)
    is the log of how likely what was asked made each deal when it was drawn (empty, if that was not looked at). Returns
    the log of how likely all that the seats did is, averaged over the deals.
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

    ``left`` is that of :class:`~cluedo.ai.knowledge.opponent_likelihood.Found`, ``out`` the mask of the seats that
    cannot win any more.
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
