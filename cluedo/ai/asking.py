"""The best that could be asked: where a seat could have gone, and what promised most there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from cluedo.ai.knowledge.evidence import Triple
from cluedo.ai.knowledge.gains import gain, sampled_gains
from cluedo.ai.knowledge.posterior import Posterior
from cluedo.ai.walking import may_ask_here
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = ["Asking", "Best", "rooms_to_ask_in"]

_SAMPLES = 4000
_SEED = 1  # of the deals that shortlist hypotheses: the same game always gets the same review
_SHORTLIST = 6


class Best(NamedTuple):
    """A hypothesis, and the bits about the envelope that it is expected to tell."""

    cards: Triple
    bits: float


class Asking:
    """Weighs hypotheses by exact gain, each once for all that is known at a time.

    Args:
        posterior: what the asker knows; it may grow.
    """

    def __init__(self, posterior: Posterior):
        self._posterior = posterior
        self._facts = -1
        self._gains: dict[Triple, float] = {}

    def gain(self, triple: Triple) -> float:
        """The bits that a hypothesis is expected to tell."""
        facts = len(self._posterior.evidence.facts)
        if facts != self._facts:
            self._facts, self._gains = facts, {}
        if triple not in self._gains:
            self._gains[triple] = gain(self._posterior, triple)
        return self._gains[triple]

    def best(self, rooms: Sequence[int], *known: Triple) -> Best:
        """The best hypothesis in one of some rooms (card ids; one at least), no worse than those ``known``.

        A shortlist comes from sampled deals, so the best is missed where they misjudge it by much.
        """
        deck = self._posterior.evidence.deck
        triples = [(s, w, r) for r in rooms for s in deck.suspects for w in deck.weapons]
        deals = self._posterior.sample(Random(_SEED), _SAMPLES)
        scores = sampled_gains(self._posterior, triples, deals)
        short = [triples[index] for index in np.argsort(-scores, kind="stable")[:_SHORTLIST]]
        found = [Best(triple, self.gain(triple)) for triple in dict.fromkeys([*known, *short])]
        return max(found, key=lambda one: one.bits)


def rooms_to_ask_in(view: PlayerView) -> list[int]:
    """The rooms, as card ids, that the active seat can choose from for a hypothesis this turn.

    Before a roll these are its own room, if it may ask there, and the one behind a secret passage; after it its own
    room and those that the roll reaches; under free movement all of them. A room that is used up is none (rule 7).
    """
    board, here, used = view.table.board, view.place, view.used[view.active]
    places = {here} if may_ask_here(view) else set()
    if view.table.free or view.step is WALK:
        places.update(view.reach.rooms)
    elif board.passage(here) >= 0:
        places.add(board.passage(here))
    if not view.table.free:
        places.discard(used)
    return sorted(board.room_card(place) for place in places)
