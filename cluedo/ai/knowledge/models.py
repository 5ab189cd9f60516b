"""The named models of evidence: what is weighed beside the hard facts."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CHOICE", "KINDS", "MODELS", "READING", "UNIFORM", "AskerKind", "Habits", "Model"]


@dataclass(frozen=True, slots=True)
class Habits:
    """The prior of an asker's habit λ: the relative weight of naming a card one holds.

    λ = 1 is indifferent, below 1 avoids own cards, above 1 names them gladly. log λ is normal with ``mean``
    and ``spread``, and kept between log ``lowest`` and log ``highest``. The defaults come from self-play on
    manoir: pooled over games, `medium` has λ = 0.05, `hard` 0.3, `random` and `easy` 1.0 and `expert` 1.3 to
    2.0; few hypotheses teach little, so the mean is that of the strongest, which costs least where it is
    wrong. The fit is the most probable λ of all askers together, by at most ``passes`` steps of Fisher
    scoring from the mean.

    Attributes:
        mean: the mean of log λ.
        spread: its standard deviation.
        lowest: the least λ.
        highest: the greatest λ.
        passes: the most steps of the fit; 0 leaves every λ at the mean.
    """

    mean: float = 0.3
    spread: float = 0.9
    lowest: float = 0.02
    highest: float = 20.0
    passes: int = 4


@dataclass(frozen=True, slots=True)
class AskerKind:
    """A kind of asker: how they choose the cards they name, each category by itself.

    Attributes:
        prior: how likely a table is of this kind, beforehand.
        own: λ, the relative weight of naming a card that they hold.
        again: ρ, the relative weight of naming a card that I have shown them.
    """

    prior: float
    own: float
    again: float = 1.0


@dataclass(frozen=True, slots=True)
class Model:
    """A way to weigh deals that fit the hard facts.

    Where a hypothesis must name a card that is not the asker's own, the deals in which all three are do not fit; an
    asker is read as ever in the others, each category by itself, though the rule makes the choices depend on each other
    a little.

    Attributes:
        name: "uniform", "choice", "reading" or "kinds".
        choice: a card shown to me counts 1 / (cards of the three that the shower held), the first time.
        habits: the prior of the askers' habits where one is fitted to each, or None.
        kinds: the kinds that all askers may be of, where these are weighed, or none.
    """

    name: str
    choice: bool = False
    habits: Habits | None = None
    kinds: tuple[AskerKind, ...] = ()


UNIFORM = Model("uniform")
"""Every deal that fits the facts is equally likely."""
CHOICE = Model("choice", choice=True)
"""Who could show me several cards picked one of them evenly."""
READING = Model("reading", choice=True, habits=Habits())
"""As :data:`CHOICE`, and each asker's habit of naming own cards is learnt from what they ask."""
KINDS = Model(
    "kinds",
    choice=True,
    kinds=(
        AskerKind(0.0873, 0.02, 0.02),
        AskerKind(0.0081, 0.02, 1.0),
        AskerKind(0.0095, 0.1, 0.02),
        AskerKind(0.004, 0.1, 1.0),
        AskerKind(0.0215, 0.35, 0.02),
        AskerKind(0.0226, 0.35, 1.0),
        AskerKind(0.0453, 1.0, 0.02),
        AskerKind(0.7332, 1.0, 1.0),
        AskerKind(0.0686, 1.6, 1.0),
    ),
)
"""As :data:`CHOICE`, and the askers are of one of several kinds, each as likely as what was asked makes it.

The priors are those of ``python -m research.asker_kinds``.
"""
MODELS: dict[str, Model] = {model.name: model for model in (UNIFORM, CHOICE, READING, KINDS)}
"""The models by name."""
