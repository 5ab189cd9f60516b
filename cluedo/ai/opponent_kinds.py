"""The kinds of opponents: how somebody solves the case, and how they name cards.

The numbers are fitted to games: ``python -m research.solving_times`` prints all but the priors, and says from which
games.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ALIKE", "LAPSE", "OPPONENT_KINDS", "SOLVERS", "STRANGE", "Namer", "OpponentKind", "Solver"]


@dataclass(frozen=True, slots=True)
class Namer:
    """A way to name cards.

    Attributes:
        cards: λ and ρ, the relative weights of naming a card of one's own, and one known to be elsewhere.
        rooms: the same for the room that one asks in.
    """

    cards: tuple[float, float]
    rooms: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Solver:
    """A way to solve the case: how one keeps notes, and how soon one accuses.

    Attributes:
        name: the player whose games were looked at.
        notes: 0: cards held and shown to one; 1: also one's own unanswered questions; 2: all that was said.
        prior: how likely a player solves it so, beforehand.
        names: how they name cards, and how likely that is beforehand.
        solves: by :func:`cluedo.ai.race.terms`, the log odds that they win in a turn to come, by a proof or a guess.
        accuses: the log odds that they accuse in a turn that they begin, rightly or not; None where they do not guess.
    """

    name: str
    notes: int
    prior: float
    names: tuple[tuple[Namer, float], ...]
    solves: tuple[float, ...]
    accuses: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class OpponentKind:
    """A kind of opponent: how they solve the case, and how they name cards.

    Attributes:
        solver, namer: these.
        prior: how likely a player is of this kind, beforehand.
    """

    solver: Solver
    namer: Namer
    prior: float


STRANGE = 0.5
"""How likely it is, beforehand, that somebody names cards unlike all of these kinds; how they do then, the model says
that the deals are drawn by. It is one half because nothing is known of a stranger."""
ALIKE = 0.8
"""How likely all opponents are of one kind, beforehand. It and the caution of `expert` were chosen by games against
three `easy` on deals of seeds 880002 to 880005 and 990007. The priors of the kinds are the best of a dozen tried on
1,900 turns of games against every level, an earlier `expert` and habits of the zoo, seeds 991001 to 991016: there
the odds of winning by waiting came nearer to how often it won, and guesses would have won more, at no loss against
`easy`.
"""
LAPSE = 0.002
"""How likely somebody misses an envelope that their notes prove, or accuses wrongly who does not guess."""
_PLAIN = Namer((1.0, 1.0), (1.0, 1.0))
_HIDING = Namer((0.03, 0.03), (0.3, 0.03))
_HIDING_ROOMS = Namer((0.03, 0.03), (0.03, 0.03))
_MIXED = Namer((0.7, 0.03), (1.4, 0.08))
_OWN = Namer((8.0, 0.03), (0.3, 0.03))
SOLVERS = (
    Solver(
        "easy",
        0,
        0.18,
        ((_PLAIN, 0.8), (_HIDING, 0.1), (_MIXED, 0.1)),
        (0.074, 0.0, -3.838, 0.296, -0.048, -0.399, 1.08, -0.338, -0.017, -0.185, 0.438, -0.042, -0.06, -0.291),
    ),
    Solver(
        "medium",
        1,
        0.18,
        ((_HIDING_ROOMS, 0.8), (_PLAIN, 0.1), (_MIXED, 0.1)),
        (2.085, 0.0, -2.778, 0.461, -0.026, 1.127, -0.184, 0.257, -0.13, 0.008, 0.955, -0.081, -0.156, -0.009),
    ),
    Solver(
        "hard",
        2,
        0.17,
        ((_HIDING, 0.5), (_HIDING_ROOMS, 0.2), (_MIXED, 0.2), (_PLAIN, 0.1)),
        (2.961, 3.875, -2.881, 0.534, -0.041, 1.201, 0.051, 0.226, -0.195, 0.111, 0.273, 0.044, -0.935, 0.175),
    ),
    Solver(
        "expert",
        2,
        0.22,
        ((_MIXED, 0.6), (_HIDING, 0.15), (_HIDING_ROOMS, 0.15), (_PLAIN, 0.1)),
        (4.581, 1.251, -3.3, 0.664, -0.053, 0.082, 0.398, -0.374, 0.111, 0.088, -0.205, 0.107, -1.332, 0.274),
        (4.881, 1.439, -3.596, 0.814, -0.07, 0.0, 0.0, 0.0, 0.125, 0.1, 0.79, -0.199, -1.357, 0.334),
    ),
    Solver(
        "habit:guess=0.25",
        2,
        0.15,
        ((_HIDING, 0.3), (_HIDING_ROOMS, 0.25), (_MIXED, 0.25), (_PLAIN, 0.1), (_OWN, 0.1)),
        (9.642, 0.03, -5.32, 0.914, -0.063, 0.875, 0.139, 0.15, 0.002, 0.086, 0.392, 0.002, -1.463, 0.305),
        (16.586, 0.0, -8.43, 1.418, -0.091, 0.0, 0.0, 0.0, 0.298, 0.028, 0.806, -0.147, -1.164, 0.287),
    ),
    Solver(
        "habit:own=1",
        2,
        0.1,
        ((_OWN, 1.0),),
        (-0.505, 7.036, -2.28, 0.372, -0.029, -0.588, 0.866, -1.402, 1.404, -0.117, -0.554, 0.188, -0.838, -0.066),
    ),
)
"""The ways to solve the case, the least able first."""
OPPONENT_KINDS = tuple(
    OpponentKind(solver, namer, solver.prior * share) for solver in SOLVERS for namer, share in solver.names
)
"""The kinds: how somebody names cards says little of how well they deduce and of how readily they guess."""
