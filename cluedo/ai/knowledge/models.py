"""The models of evidence, by name: how likely each deal is among those that fit the facts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.engine.cards import closest
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase

__all__ = ["CHOICE", "HIDERS", "KINDS", "MODELS", "UNIFORM", "AskerKind", "Model", "model_named"]


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

    Where a hypothesis must name a card that is not the asker's own, the deals in which all three are do not fit. In the
    others each category is weighed by itself as ever, though under that rule the three choices depend on each other
    a little.

    Attributes:
        name: what people call it by.
        choice: whether a deal counts 1 / n where somebody showed me a card for the first time and held n of the three.
        kinds: the kinds that all askers may be of; none where what they name is not weighed.
        about: what the odds are weighed by, for people who choose among models.
    """

    name: str
    choice: bool = False
    kinds: tuple[AskerKind, ...] = ()
    about: str = ""

    @property
    def rows(self) -> Floats:
        """The kinds for the kernels: an array (kinds, 3) of the log of the prior, log λ and ρ."""
        return np.array([(math.log(kind.prior), math.log(kind.own), kind.again) for kind in self.kinds]).reshape(-1, 3)


UNIFORM = Model("uniform", about=Phrase("every deal that fits the facts counts the same"))
"""Every deal that fits the facts is equally likely."""
CHOICE = Model(
    "choice",
    choice=True,
    about=Phrase("a card shown to you counts less in a deal where its holder had others to show"),
)
"""As :data:`UNIFORM`, and whoever could show me several cards picked each of them equally often."""
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
    about=Phrase("as choice, and players are of one of several kinds, each weighed by all that they asked"),
)
"""As :data:`CHOICE`, and all askers are of one of several kinds, each as likely as the hypotheses so far make it.

The priors are those of ``python -m research.asker_kinds``.
"""
_AVOIDING = [kind for kind in KINDS.kinds if min(kind.own, kind.again) < 1.0]
_SHARE = sum(kind.prior for kind in _AVOIDING)
HIDERS = Model("hiders", choice=True, kinds=tuple(replace(kind, prior=kind.prior / _SHARE) for kind in _AVOIDING))
"""The kinds of :data:`KINDS` who avoid a card that they hold, or were shown, for who weighs by itself if any do."""
MODELS: dict[str, Model] = {model.name: model for model in (UNIFORM, CHOICE, KINDS)}
"""The models by name."""


def model_named(name: str) -> Model:
    """The model of a name; raises CluedoError for a name that no model has."""
    if name not in tuple(MODELS):  # from Python it may be anything
        raise CluedoError("no model is called {name!r}; {closest}", name=name, closest=closest(str(name), MODELS))
    return MODELS[name]
