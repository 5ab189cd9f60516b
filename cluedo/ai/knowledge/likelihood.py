"""How likely it is, in single deals, that what was asked would be asked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.models import Model
from cluedo.ai.knowledge.programme import Floats

__all__ = ["log_asked"]


def log_asked(evidence: Evidence, model: Model, deals: NDArray[np.int8]) -> Floats:
    """The log of the probability of what the others named, for each deal of an array (deals, cards).

    In each category they choose by the model's kinds, as :class:`~cluedo.ai.knowledge.models.AskerKind` says; where the
    room is not theirs to choose, any of them is as likely.
    """
    deck = evidence.deck
    prior, own, again = np.array([(kind.prior, kind.own, kind.again) for kind in model.kinds]).T[:, :, None]
    named = np.array(evidence.named).reshape(-1, deck.size)
    asked, repeated = np.array(evidence.asked), np.array(evidence.repeated).reshape(-1, len(deck.ids))
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
            found += np.log(again) * repeated[seat, category]
            for at in range(0, len(evidence.again), 4):
                if tuple(evidence.again[at : at + 2]) == (seat, category):
                    told, times = evidence.again[at + 2 : at + 4]
                    found -= times * np.log1p((again - 1.0) * told / plain)
    total: Floats = np.logaddexp.reduce(np.log(prior) + found)
    return total
