"""The three named models of evidence: what is weighed beside the hard facts."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CHOICE", "MODELS", "READING", "UNIFORM", "Habits", "Model"]


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
class Model:
    """A way to weigh deals that fit the hard facts.

    Attributes:
        name: "uniform", "choice" or "reading".
        choice: a card shown to me counts 1 / (cards of the three that the shower held), the first time.
        habits: the prior of the askers' habits, or None where hypotheses are not read.
    """

    name: str
    choice: bool = False
    habits: Habits | None = None


UNIFORM = Model("uniform")
"""Every deal that fits the facts is equally likely."""
CHOICE = Model("choice", choice=True)
"""Who could show me several cards picked one of them evenly."""
READING = Model("reading", choice=True, habits=Habits())
"""As :data:`CHOICE`, and each asker's habit of naming own cards is learnt from what they ask."""
MODELS: dict[str, Model] = {model.name: model for model in (UNIFORM, CHOICE, READING)}
"""The models by name."""
