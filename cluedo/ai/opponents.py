"""The kinds of opponent that the race is judged by, and what was fitted to each.

All but the priors are fitted: ``python -m research.solving_times`` prints them and says from which games.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ALIKE", "GUESS", "PROOF", "STRANGE", "THINKERS", "Thinker", "own_terms", "terms"]

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thinker:
    """A kind of opponent: how they keep notes, and what comes of it.

    Attributes:
        name: the level whose games were looked at.
        notes: 0: cards held and shown to them; 1: also their own unanswered questions; 2: all that was said.
        prior: how likely a player is of this kind, beforehand.
        cards: λ and ρ, the relative weights of naming a card of their own, and one that they know to be elsewhere.
        rooms: the same for the room that they ask in.
        lapse: how likely they miss an envelope that their notes prove.
        solves: by :func:`terms`, the log odds that they win in a turn to come, by a proof or a guess.
    """

    name: str
    notes: int
    prior: float
    cards: tuple[float, float]
    rooms: tuple[float, float]
    lapse: float
    solves: tuple[float, ...]


def terms(bits: _Floats, turns: _Floats, seats: int | _Floats) -> _Floats:
    """What the log odds of solving are linear in, an array (…, 10).

    ``bits`` are open by somebody's notes; ``turns``, from 1, says which of their turns to come is meant, nobody having
    won before it.
    """
    bits, turns = np.broadcast_arrays(bits, turns)
    late, more = np.log(turns), np.zeros(bits.shape) + (seats - 4.0)
    return np.stack(
        [
            np.ones_like(bits),
            (bits < 1e-9).astype(float),
            bits,
            bits**2,
            bits**3,
            late,
            bits * late,
            late**2,
            more,
            more * bits,
        ],
        -1,
    )


def own_terms(bits: _Floats, best: _Floats, turns: _Floats, seats: int | _Floats) -> tuple[_Floats, _Floats]:
    """The same for oneself: what the log odds of a proof, and those of being right with a guess, are linear in.

    ``bits`` are what is unknown of the envelope, ``best`` is the probability of the likeliest one.
    """
    late, more = np.log(turns), np.zeros(bits.shape) + (seats - 4.0)
    odds = np.log(best / (1.0 - best))
    one = np.ones_like(bits)
    proof = np.stack([one, bits, bits**2, bits**3, late, bits * late, late**2, more, more * bits], -1)
    guess = np.stack([one, odds, bits, late, odds * late, bits * late, late**2, more], -1)
    return proof, guess


STRANGE = 0.5
"""How likely it is, beforehand, that somebody names cards unlike all of these kinds: then the model that the deals are
drawn by says how they do. Both halves alike, because nothing is known of a stranger."""
ALIKE = 0.8
"""How likely all opponents are of one kind, beforehand. It and the caution of `expert` were chosen by games against
three `easy` on deals of seeds 880002 to 880005 and 990007. The priors of the kinds are the best of a dozen tried on
1,900 turns of games against every level, `expert` of both versions and habits of the zoo, seeds 991001 to 991016: there
the odds of winning by waiting came nearer to how often it won, and guesses would have won more, at no loss against
`easy`.
"""
THINKERS = (
    Thinker(
        "easy",
        0,
        0.3,
        (1.0, 1.0),
        (1.0, 1.0),
        0.002,
        (0.646, 0.0, -4.413, 0.326, -0.062, -0.785, 1.328, -0.278, 0.112, -0.245),
    ),
    Thinker(
        "medium",
        1,
        0.25,
        (0.03, 0.03),
        (0.03, 0.03),
        0.002,
        (0.934, 0.0, -1.725, 0.235, -0.012, 0.421, -0.092, 0.286, 0.023, -0.032),
    ),
    Thinker(
        "hard",
        2,
        0.1,
        (0.03, 0.03),
        (0.3, 0.03),
        0.002,
        (2.473, 3.527, -2.746, 0.575, -0.048, 0.283, 0.192, 0.152, -0.144, 0.097),
    ),
    Thinker(
        "expert",
        2,
        0.2,
        (0.7, 0.03),  # between version 1, with 0.5, and `expert` as it is, with 1
        (1.4, 0.08),
        0.002,
        (2.674, 2.897, -2.394, 0.505, -0.044, -0.895, 0.439, -0.07, -0.442, 0.138),
    ),
    Thinker(
        "habit:own=1",
        2,
        0.15,
        (8.0, 0.03),
        (0.3, 0.03),
        0.002,
        (2.362, 3.27, -5.086, 1.101, -0.08, -0.089, 0.616, -1.1, 0.934, -0.061),
    ),
)
"""The kinds, the least able first."""
PROOF = (2.381, -2.66, 0.536, -0.043, -0.196, 0.353, -0.107, -0.084, 0.074)
"""By :func:`own_terms`, the log odds of proving the envelope in a turn to come, nobody having won before it."""
GUESS = (-0.243, 0.63, 0.044, -0.084, -0.312, 0.054, -0.305, 0.084)
"""The same of being right with a guess then, where there is no proof."""
