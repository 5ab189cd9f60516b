"""The posterior: how many deals fit the evidence, and how likely each card is at each place; exact if that is quick."""

from __future__ import annotations

import threading
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence, InconsistentEvidence
from cluedo.ai.knowledge.kernels.programme import (
    CONTRADICTION,
    LAYERS,
    NO_SPACE,
    OK,
    STATES,
    Deals,
    EvidenceArrays,
    Floats,
    Programme,
)
from cluedo.ai.knowledge.models import KINDS, UNIFORM, Model
from cluedo.engine.cards import Deck, Triple
from cluedo.engine.errors import CluedoError

if TYPE_CHECKING:
    from cluedo.ai.knowledge.kernels.guide import Guide
    from cluedo.ai.knowledge.sampled import Sampling

__all__ = ["Posterior", "TooManyDeals", "compile_counting", "compile_sampler"]

_EXACT = 2.0**53  # whole numbers below are exact in floating point
_FEW = 1 << 13  # states that the arrays have room for at first
_MANY = 1 << 19
"""States beyond which deals are sampled instead: to weigh them takes half a second, and 200 MB with the joint."""
_MANY_WITH_KINDS = 1 << 17
"""States beyond which deals are sampled where they are weighed once for each kind of askers."""


class TooManyDeals(CluedoError):
    """The deals that fit are too many to count exactly, and no sample of them was found."""

    def __init__(self) -> None:
        super().__init__("the open refutations are too many to count exactly")

    def __reduce__(self) -> tuple[type[TooManyDeals], tuple[()]]:
        return type(self), ()  # an error goes from one process to another with what it was made of


class _Workspace:
    """The arrays of the programme, shared by all posteriors of a thread with as many kinds, and grown as needed.

    Attributes:
        owner: stands for the answer of a posterior whose states the arrays hold now; the posterior itself would be
            somebody's knowledge, open to whoever imports this module.
        guide, guide_of: what last guided a sampler, and what stands for the answer that it was drawn for.
    """

    def __init__(self, kinds: int) -> None:
        self.owner: object = None
        self.guide: Guide | None = None
        self.guide_of: object = None
        self._kinds = kinds
        self.programme = Programme.sized(_FEW, kinds)
        self.buffers = np.empty((2, 0))

    def grow(self, most: int) -> bool:
        """Make room for four times as many states; False, and small again, where that would be more than ``most``."""
        states = len(self.programme.keys)
        self.programme = Programme.sized(min(4 * states, most) if states < most else _FEW, self._kinds)
        return states < most

    def widen(self, columns: int) -> None:
        """Make room in ``buffers`` for a row of this length for every state."""
        needed = len(self.programme.keys) * (columns + 3)
        if self.buffers.shape[1] < needed:
            self.buffers = np.empty((2, needed))


_local = threading.local()


def _workspace(kinds: int) -> _Workspace:
    workspaces: dict[int, _Workspace] = vars(_local).setdefault("workspaces", {})  # of this thread, by number of kinds
    if kinds not in workspaces:
        workspaces[kinds] = _Workspace(kinds)
    return workspaces[kinds]


class Posterior:
    """Probabilities under one model of evidence: exact, or sampled where the deals are too many to count.

    Sampled ones are off by no more than :attr:`errors`, in 95 of 100 cases; what is 0 or 1 is proved in either case.
    The same evidence always gives the same answer.

    Everything is computed on first use and again after new facts; nothing is kept of older evidence, and
    the answer depends on the evidence alone. Any query raises InconsistentEvidence where no deal fits.

    Args:
        evidence: what is known; it may grow.
        model: how deals that fit are weighed.
    """

    def __init__(self, evidence: Evidence, model: Model = UNIFORM):
        self.evidence = evidence
        self.model = model
        deck = evidence.deck
        self._shape = (len(deck.suspects), len(deck.weapons), len(deck.rooms))
        self._kinds = model.rows
        self._shares = np.ones(max(1, len(model.kinds)))
        self._parts = np.zeros((len(self._shares), deck.size, evidence.places))
        self._marginals: Floats = np.zeros_like(self._parts[0])
        self._deals = 0.0
        self._log_weight = 0.0
        self._joint: Floats | None = None
        self._taken = -1
        self._attempted = object()
        self._arrays: EvidenceArrays | None = None
        self._sampling: Sampling | None = None
        self._uniform: Posterior | None = None

    def __reduce__(self) -> tuple[type[Posterior], tuple[Evidence, Model]]:
        """Pickle and copy what all answers follow from, and none of them."""
        return Posterior, (self.evidence, self.model)

    def update(self) -> None:
        """Take in new facts now; every query does this by itself."""
        if self._taken != len(self.evidence.facts):
            self._solve()

    def possible(self) -> bool:
        """Whether any deal fits; quicker than catching the error, which comes with its reason."""
        return self._taken == len(self.evidence.facts) or self._attempt()

    def _solve(self) -> None:
        if not self._attempt():
            from cluedo.ai.knowledge.reasons import inconsistency  # the solver is needed for a bad log only

            raise inconsistency(self.evidence)

    def _attempt(self) -> bool:
        from cluedo.ai.knowledge.kernels.solve import solve  # numba is slow to import: only when it is used

        work = _workspace(len(self._shares))
        work.owner = None
        self._sampling = self._uniform = self._joint = None
        self._attempted = object()
        most = _MANY_WITH_KINDS if self.model.kinds else _MANY
        while True:
            self._arrays = arrays = EvidenceArrays.of(self.evidence, choice=self.model.choice)
            status, deals, log_weight = solve(
                arrays, self.evidence.free, self._kinds, work.programme, self._marginals, self._parts, self._shares
            )
            if status != NO_SPACE or not work.grow(most):
                break
        if status == CONTRADICTION:
            return False
        if status == OK:
            work.owner = self._attempted
            self._deals, self._log_weight = deals, log_weight
        elif not self._sample():
            return False
        self._taken = len(self.evidence.facts)
        return True

    def _sample(self, built: Guide | None = None) -> bool:
        """Draw deals, perhaps by a guide that was built for the same evidence; False where none fits."""
        from cluedo.ai.knowledge.sampled import NoDeals, Sampler  # as above

        try:
            sampler = Sampler(self.evidence, choice=self.model.choice, built=built)
            work = _workspace(len(self._shares))
            work.guide, work.guide_of = sampler.guide, self._attempted
            found = sampler.sampling(self._kinds, self._shares)
        except InconsistentEvidence:
            return False
        except NoDeals:
            raise TooManyDeals from None
        self._sampling = found
        self._marginals, self._joint, self._log_weight = found.marginals, found.joint, found.log_weight
        return True

    def _loaded(self) -> tuple[_Workspace, EvidenceArrays]:
        """The workspace with this posterior's states in it, and the evidence as the kernel narrowed it."""
        self.update()
        work = _workspace(len(self._shares))
        if work.owner is not self._attempted:
            self._solve()
        assert self._arrays is not None, "solving sets them"
        assert self._sampling is None, "what was counted once can be counted again"
        return work, self._arrays

    @property
    def exact(self) -> bool:
        """Whether all is counted, not sampled."""
        self.update()
        return self._sampling is None

    @property
    def work(self) -> int:
        """The cost of the exact answer as the number of states weighed, which is the same on every machine."""
        work, _ = self._loaded()
        return int(work.programme.head[STATES]) * max(1, len(self.model.kinds))

    @property
    def deals(self) -> int:
        """The number of deals that fit, whatever the model: exact, or an estimate if it is sampled."""
        self.update()
        if self._sampling is not None:
            return round(Decimal(self._alike.log_weight).exp())
        if self._deals < _EXACT:
            return int(self._deals)
        work, _ = self._loaded()
        return _number_of_deals(work.programme)

    @property
    def deals_error(self) -> float:
        """The relative error of ``deals`` (half the 95 % interval); 0 if they are counted."""
        self.update()
        return 0.0 if self._sampling is None else self._alike.log_error

    @property
    def _alike(self) -> Sampling:
        """A sampling that weighs all deals alike, so that their total weight is their number."""
        assert self._sampling is not None, "for sampled odds only"
        if not (self.model.choice or self.model.kinds):
            return self._sampling
        if self._uniform is None:
            work = _workspace(len(self._shares))
            self._uniform = Posterior(self.evidence)
            self._uniform._sample(work.guide if work.guide_of is self._attempted else None)
        return self._uniform._alike

    @property
    def errors(self) -> Floats:
        """The errors of ``marginals`` (half the 95 % intervals): an array (cards, places), 0 if they are counted."""
        self.update()
        return np.zeros_like(self._marginals) if self._sampling is None else self._sampling.errors

    @property
    def joint_errors(self) -> Floats:
        """The errors of ``joint`` (half the 95 % intervals): an array (suspects, weapons, rooms)."""
        self.update()
        return np.zeros(self._shape) if self._sampling is None else self._sampling.joint_errors

    @property
    def log_weight(self) -> float:
        """The natural logarithm of the total weight of the deals that fit (of their number, if `uniform`)."""
        self.update()
        return self._log_weight

    @property
    def marginals(self) -> Floats:
        """P(card at place), an array (cards, places); do not change it. 0.0 and 1.0 are proved."""
        self.update()
        return self._marginals

    @property
    def joint(self) -> Floats:
        """P(the envelope), an array (suspects, weapons, rooms); do not change it."""
        self.update()
        if self._joint is None:
            from cluedo.ai.knowledge.kernels.solve import mixed_joint  # as above

            work, arrays = self._loaded()
            work.widen(max(self._shape))
            joint = mixed_joint(arrays, work.programme, self._shares, self._parts, self._shape, work.buffers)
            if np.count_nonzero(joint) == 1:
                joint[joint > 0.0] = 1.0  # the shares may add up to a hair less
            self._joint = joint
        return self._joint

    @property
    def shares(self) -> Floats:
        """How likely each kind of asker of the model is, given all the evidence; do not change it."""
        self.update()
        return self._shares

    def envelopes(self) -> list[tuple[Triple, float]]:
        """Every possible envelope with its probability, likeliest first, then in deck order."""
        joint = self.joint
        suspects, weapons, _ = self._shape
        found = [
            ((int(s), int(w) + suspects, int(r) + suspects + weapons), float(joint[s, w, r]))
            for s, w, r in zip(*np.nonzero(joint), strict=True)
        ]
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def sample(self, rng: Random, count: int) -> Deals:
        """``count`` deals, an array (count, cards) of places; one word is drawn from ``rng``.

        They are independent, but for the kinds of askers, each of which gets its share of them. Sampled odds give those
        of their deals again.
        """
        self.update()
        if self._sampling is not None:
            return self._sampling.sample(rng, count)
        from cluedo.ai.knowledge.kernels.solve import mixed_sample  # as above

        work, arrays = self._loaded()
        deals = np.empty((count, self.evidence.deck.size), np.int8)
        mixed_sample(np.uint64(rng.getrandbits(64)), arrays, work.programme, self._shares, deals)
        return deals


def _number_of_deals(programme: Programme) -> int:
    """The number of deals, exact however great it is."""
    starts, layer_at = programme.starts, programme.layer_at[: programme.head[LAYERS] + 1]
    ways = np.zeros(programme.head[STATES], object)
    ways[0] = 1
    for low, high in pairwise(layer_at.tolist()):
        edges = np.diff(starts[low : high + 1])
        np.add.at(ways, programme.targets[starts[low] : starts[high]], np.repeat(ways[low:high], edges))
    return int(ways[layer_at[-1] :].sum())


def compile_counting(model: Model) -> Posterior:
    """Have the kernels compiled, or loaded, that games by the box's rules need; returns a small posterior to go on."""
    deck = Deck(["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"])
    posterior = Posterior(Evidence(deck, (2, 2, 2), 0, 0b1001), model)
    posterior.sample(Random(0), 1)
    posterior.envelopes()
    return posterior


def compile_sampler() -> None:
    """Compile what large games need; otherwise the first large game waits for it."""
    Posterior(Evidence(Deck("ab", "cd", "ef"), (2, 1)), KINDS)._sample()
