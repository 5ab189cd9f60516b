"""The models of evidence, by name: how likely each deal is among those that fit the facts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.programme import Floats
from cluedo.engine.cards import closest
from cluedo.engine.errors import CluedoError

__all__ = ["CHOICE", "KINDS", "MODELS", "UNIFORM", "AskerKind", "Model", "log_asked", "model_named"]


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
        name: "uniform", "choice" or "kinds".
        choice: whether a deal counts 1 / n where somebody showed me a card for the first time and held n of the three.
        kinds: the kinds that all askers may be of; none where what they name is not weighed.
    """

    name: str
    choice: bool = False
    kinds: tuple[AskerKind, ...] = ()


UNIFORM = Model("uniform")
"""Every deal that fits the facts is equally likely."""
CHOICE = Model("choice", choice=True)
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
)
"""As :data:`CHOICE`, and all askers are of one of several kinds, each as likely as the hypotheses so far make it.

The priors are those of ``python -m research.asker_kinds``.
"""
MODELS: dict[str, Model] = {model.name: model for model in (UNIFORM, CHOICE, KINDS)}
"""The models by name."""


def model_named(name: str) -> Model:
    """The model of a name; raises CluedoError for a name that no model has."""
    if name == "reading":
        raise CluedoError("the model reading was replaced by kinds")
    if name not in MODELS:
        raise CluedoError("no model is called {name!r}; {closest}", name=name, closest=closest(name, MODELS))
    return MODELS[name]


def log_asked(evidence: Evidence, model: Model, deals: NDArray[np.int8]) -> Floats:
    """The log of the probability of what the others named, for each deal of an array (deals, cards).

    In each category they choose by the model's kinds, as :class:`AskerKind` says. Where they cannot choose the room,
    all rooms are equally likely.
    """
    deck = evidence.deck
    prior, own, again = np.array([(kind.prior, kind.own, kind.again) for kind in model.kinds]).T[:, :, None]
    named = np.array(evidence.named).reshape(-1, deck.size)
    asked, repeats = np.array(evidence.asked), np.array(evidence.repeats).reshape(-1, len(deck.ids))
    found = np.zeros((len(model.kinds), len(deals)))
    for category, ids in enumerate(deck.ids):
        if category == 2 and not evidence.free:
            found -= asked.sum() * np.log(len(ids))
            continue
        cards = slice(ids.start, ids.stop)
        for seat in np.flatnonzero(asked).tolist():
            mine = deals[:, cards] == seat
            plain = len(ids) + (own - 1.0) * mine.sum(1)
            found += np.log(own) * (mine @ named[seat, cards]) - asked[seat] * np.log(plain)
            found += np.log(again) * repeats[seat, category]
            for at in range(0, len(evidence.after_showing), 4):
                if tuple(evidence.after_showing[at : at + 2]) == (seat, category):
                    shown, times = evidence.after_showing[at + 2 : at + 4]
                    found -= times * np.log1p((again - 1.0) * shown / plain)
    total: Floats = np.logaddexp.reduce(np.log(prior) + found)
    return total
