"""The kinds of opponents: how somebody solves the case, and how they name cards.

The numbers are fitted to games: ``python -m research.solving_times`` prints all but the priors, and says from which
games. Those of `expert` come from an earlier one; with what today's games give, it won no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = [
    "ALIKE",
    "LAPSE",
    "OPPONENT_KINDS",
    "SOLVING_STYLES",
    "STRANGE",
    "NamingStyle",
    "OpponentKind",
    "SolvingStyle",
]


@dataclass(frozen=True, slots=True)
class NamingStyle:
    """A way to name cards.

    Attributes:
        cards: λ and ρ, the relative weights of naming a card of one's own, and one known to be elsewhere.
        rooms: the same for the room that one asks in.
        sticks: how often they name again the card that they named last, while it is open to them, whatever else is.
    """

    cards: tuple[float, float]
    rooms: tuple[float, float]
    sticks: float = 0.0


@dataclass(frozen=True, slots=True)
class SolvingStyle:
    """A way to solve the case: how one keeps notes, and how soon one accuses.

    Attributes:
        name: the player whose games were looked at.
        notes: 0: cards held and shown to one; 1: also one's own unanswered questions; 2: all that was said.
        prior: how likely a player solves it so, beforehand.
        names: how they name cards, and how likely that is beforehand.
        solves: by the terms of :func:`cluedo.ai.race.survival_by_envelopes`, the log odds that they win in a turn to
            come, by a proof or a guess.
        accuses: the log odds that they accuse in a turn that they begin, rightly or not; None where they do not guess.
    """

    name: str
    notes: int
    prior: float
    names: tuple[tuple[NamingStyle, float], ...]
    solves: tuple[float, ...]
    accuses: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class OpponentKind:
    """A kind of opponent: how they solve the case, and how they name cards.

    Attributes:
        solving, naming: these styles.
        prior: how likely a player is of this kind, beforehand.
    """

    solving: SolvingStyle
    naming: NamingStyle
    prior: float


STRANGE = 0.5
"""How likely it is, beforehand, that somebody names cards unlike all of these kinds; how they do then, the model says
that the deals are drawn by. It is one half because nothing is known of a stranger."""
ALIKE = 0.8
"""How likely all opponents are of one kind, beforehand. It was chosen by games against three `easy` on deals of seeds
880002 to 880005 and 990007. The priors of the kinds are the best of a dozen tried on 1,900 turns of games against every
level, an earlier `expert` and habits of the zoo, seeds 991001 to 991016: there the odds of winning by waiting came
nearer to how often it won, and guesses would have won more, at no loss against `easy`."""
LAPSE = 0.002
"""How likely somebody misses an envelope that their notes prove, or accuses wrongly who does not guess."""
_PLAIN = NamingStyle((1.0, 1.0), (1.0, 1.0))
_HIDING = NamingStyle((0.03, 0.03), (0.3, 0.03))
_HIDING_ROOMS = NamingStyle((0.03, 0.03), (0.03, 0.03))
# Wider than what is printed for `expert`, which names its own less often, (0.3, 0.03) and (0.5, 0.08): with that it won
# 8 to 18 points less, without a board, against strangers who ask what tells most, or name own cards as rooms alone.
_MIXED = NamingStyle((0.7, 0.03), (1.4, 0.08))
_OWN = NamingStyle((8.0, 0.03), (0.3, 0.03))
# Half of the time: `expert` does so 0.4 of it, `habit:ask=same` 0.6. What a good player thinks likeliest stays so for
# several turns, while who picks among the open cards seldom names one twice: that tells the two apart within two or
# three questions. Few who note little name the likeliest cards all the same. How likely each style sticks was chosen
# by games on seeds 61001 to 61051.
_STICKING, _MIXED_STICKING = replace(_HIDING, sticks=0.5), replace(_MIXED, sticks=0.5)
SOLVING_STYLES = (
    SolvingStyle(
        "easy",
        0,
        0.18,
        ((_PLAIN, 0.78), (_HIDING, 0.1), (_STICKING, 0.02), (_MIXED, 0.1)),
        (0.736, 0.0, -3.724, -0.03, -0.003, -0.351, 1.151, -0.388, -0.249, -0.086, -0.089, 0.095, 0.197, -0.386),
    ),
    SolvingStyle(
        "medium",
        1,
        0.18,
        ((_HIDING_ROOMS, 0.78), (_STICKING, 0.02), (_PLAIN, 0.1), (_MIXED, 0.1)),
        (1.894, 0.0, -2.289, 0.314, -0.019, 0.466, -0.043, 0.338, -0.126, 0.01, 0.619, 0.036, -0.034, -0.015),
    ),
    SolvingStyle(
        "hard",
        2,
        0.17,
        (
            (_HIDING, 0.46),
            (_STICKING, 0.03),
            (_HIDING_ROOMS, 0.21),
            (_MIXED, 0.18),
            (_MIXED_STICKING, 0.02),
            (_PLAIN, 0.1),
        ),
        (2.147, 5.01, -2.307, 0.426, -0.037, 0.195, 0.239, 0.285, -0.332, 0.143, 0.638, 0.031, -0.752, 0.155),
    ),
    SolvingStyle(
        "expert",
        2,
        0.22,
        (
            (_MIXED, 0.1),
            (_MIXED_STICKING, 0.45),
            (_HIDING, 0.05),
            (_STICKING, 0.25),
            (_HIDING_ROOMS, 0.1),
            (_PLAIN, 0.05),
        ),
        (2.834, 2.541, -1.979, 0.396, -0.036, -0.718, 0.428, -0.155, 0.102, 0.069, -0.184, 0.107, -0.852, 0.197),
        (3.657, 2.708, -2.381, 0.515, -0.046, 0.0, 0.0, 0.0, 0.296, 0.025, 0.024, 0.002, -0.973, 0.279),
    ),
    SolvingStyle(
        "habit:guess=0.25",
        2,
        0.15,
        (
            (_HIDING, 0.2),
            (_STICKING, 0.2),
            (_HIDING_ROOMS, 0.2),
            (_MIXED, 0.1),
            (_MIXED_STICKING, 0.15),
            (_PLAIN, 0.05),
            (_OWN, 0.1),
        ),
        (9.729, 0.042, -5.235, 0.882, -0.062, 0.094, 0.241, 0.37, -0.198, 0.128, 0.286, 0.049, -1.363, 0.274),
        (16.504, 0.0, -8.384, 1.41, -0.09, 0.0, 0.0, 0.0, 0.105, 0.061, 0.666, -0.123, -1.167, 0.291),
    ),
    SolvingStyle(
        "habit:own=1",
        2,
        0.1,
        ((_OWN, 1.0),),
        (1.333, 6.513, -3.807, 0.684, -0.051, 0.067, 0.716, -1.36, 0.95, 0.044, -0.891, 0.231, -0.343, -0.214),
    ),
)
"""The ways to solve the case, the least able first."""
OPPONENT_KINDS = tuple(
    OpponentKind(solving, naming, solving.prior * share)
    for solving in SOLVING_STYLES
    for naming, share in solving.names
)
"""The kinds: how somebody names cards says little of how well they deduce and of how readily they guess."""
