"""The exact posterior: how many deals fit the evidence, and where each card is how likely."""

from __future__ import annotations

import math
import threading
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from cluedo.ai.knowledge.evidence import Evidence, Triple
from cluedo.ai.knowledge.models import UNIFORM, Model
from cluedo.errors import CluedoError

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

__all__ = ["Posterior", "Workspace"]

_OK, _CONTRADICTION, _NO_SPACE = range(3)  # plan.OK and the rest, needed before numba is imported
_EXACT = 2.0**53  # whole numbers below are exact in floating point


class Workspace:
    """The arrays of the programme, shared by all posteriors of a thread and grown as needed.

    Attributes:
        owner: the posterior whose states the arrays hold now.
    """

    def __init__(self) -> None:
        from cluedo.ai.knowledge import draws, plan, solve  # numba is slow to import: only when it is used

        self.draws: ModuleType = draws
        self.solve: Any = solve.solve
        self.owner: Posterior | None = None
        self.head = np.zeros(plan.HEAD_SIZE, np.int64)
        self.plan = np.zeros((plan.MAX_LAYERS, plan.PLAN_COLUMNS), np.int64)
        self.layer_at = np.zeros(plan.MAX_LAYERS + 2, np.int64)
        self.weights = np.ones((plan.MAX_LAYERS, plan.MAX_PLACES + 1))
        self.buffers = np.empty((2, 0))
        self._shape(1 << 13)

    def grow(self) -> None:
        """Make room for four times as many states."""
        self._shape(4 * len(self.keys))

    def widen(self, columns: int) -> None:
        """Make room in ``buffers`` for a row of so many numbers for every state."""
        needed = len(self.keys) * (columns + 3)
        if self.buffers.shape[1] < needed:
            self.buffers = np.empty((2, needed))

    def _shape(self, states: int) -> None:
        self.keys = np.empty(states, np.int64)
        self.starts = np.empty(states + 1, np.uint32)
        self.ways = np.empty(states)
        self.rest = np.empty(states)
        self.table = np.empty(4 * states, np.int32)
        self.targets = np.empty(5 * states, np.uint32)
        self.slots = np.empty(5 * states, np.uint8)
        self.factors = np.empty(5 * states)


class _Local(threading.local):
    """One workspace for each thread."""

    workspace: Workspace | None = None


_local = _Local()
_empty = np.empty(0, np.int64)


class Posterior:
    """Exact probabilities under one model of evidence.

    Everything is computed on first use and again after new facts; nothing is kept of older evidence, and
    the answer depends on the evidence alone. Any query raises InconsistentEvidence where no deal fits.

    Args:
        evidence: what is known; it may grow.
        model: how deals that fit are weighed.
        habits: each seat's λ where they are given, not fitted (model `reading`).
    """

    def __init__(self, evidence: Evidence, model: Model = UNIFORM, habits: list[float] | None = None):
        self.evidence = evidence
        self.model = model
        deck, seats = evidence.deck, evidence.seats
        self._given = habits is not None
        self._habits = np.log(habits) if habits is not None else np.zeros(seats)
        prior = model.habits
        self._prior = (
            np.array([prior.mean, prior.spread, prior.lowest, prior.highest, prior.passes]) if prior else np.zeros(5)
        )
        self._sizes = np.array(evidence.sizes, np.int64)
        self._categories = np.array(deck.masks, np.int64)
        self._shape = (len(deck.suspects), len(deck.weapons), len(deck.rooms))
        self._marginals = np.zeros((deck.size, seats + 1))
        self._result = np.zeros(2)
        self._joint: NDArray[np.float64] | None = None
        self._taken = -1
        self._has = _empty
        self._work: Workspace | None = None

    def update(self) -> None:
        """Take in new facts now; every query does so by itself."""
        if self._taken != len(self.evidence.facts):
            self._solve()

    def possible(self) -> bool:
        """Whether any deal fits: a quick question, without an error and its reason."""
        return self._taken == len(self.evidence.facts) or self._attempt()

    def _solve(self) -> None:
        if not self._attempt():
            from cluedo.ai.knowledge.cores import contradiction  # the solver is needed for a bad log only

            raise contradiction(self.evidence)

    def _attempt(self) -> bool:
        work = _local.workspace
        if work is None:
            work = _local.workspace = Workspace()
        evidence, model = self.evidence, self.model
        work.owner = None
        while True:
            self._has = np.array(evidence.has)
            status = work.solve(
                np.array(evidence.may), self._has, self._sizes, self._categories,
                np.array(evidence.clauses), np.array(evidence.bans),
                np.array(evidence.choices) if model.choice else _empty,
                np.array(evidence.named), np.array(evidence.asked),
                model.habits is not None, not self._given, evidence.free, self._prior, self._habits,
                work.head, work.plan, work.keys, work.starts, work.layer_at, work.table,
                work.targets, work.slots, work.factors, work.ways, work.rest, work.weights,
                self._marginals, self._result,
            )  # fmt: skip
            if status != _NO_SPACE:
                break
            work.grow()
        if status == _CONTRADICTION:
            return False
        if status != _OK:
            raise CluedoError("the open refutations are too many to count exactly")
        work.owner = self
        self._work = work
        self._joint = None
        self._taken = len(evidence.facts)
        return True

    def _programme(self) -> Workspace:
        """The workspace with this posterior's states in it."""
        self.update()
        work = self._work
        if work is None or work.owner is not self:
            self._solve()
            work = self._work
        assert work is not None
        return work

    @property
    def deals(self) -> int:
        """The number of deals that fit, an exact integer whatever the model."""
        self.update()
        total = float(self._result[0])
        if total < _EXACT:
            return int(total)
        work = self._programme()
        limbs = int(math.log2(total)) // 62 + 2
        words = work.draws.count_wide(work.head, work.starts, work.layer_at, work.targets, limbs)
        return sum(int(word) << 62 * index for index, word in enumerate(words))

    @property
    def log_weight(self) -> float:
        """The natural logarithm of the total weight of the deals that fit (of their number, if `uniform`)."""
        self.update()
        return float(self._result[1])

    @property
    def marginals(self) -> NDArray[np.float64]:
        """P(card at place), an array (cards, places); do not change it. 0.0 and 1.0 are proved."""
        self.update()
        return self._marginals

    @property
    def joint(self) -> NDArray[np.float64]:
        """P(the envelope), an array (suspects, weapons, rooms); do not change it."""
        self.update()
        if self._joint is None:
            work = self._programme()
            work.widen(max(self._shape))
            self._joint = work.draws.joint(
                self._has, self._categories, work.head, work.plan, work.keys, work.starts, work.layer_at,
                work.targets, work.slots, work.factors, work.ways, work.rest, work.weights, self._marginals,
                self._shape, work.buffers,
            )  # fmt: skip
        return self._joint

    @property
    def habits(self) -> list[float]:
        """Each seat's λ as the model `reading` has it; 1.0 for every seat under the other models."""
        self.update()
        return [float(value) for value in np.exp(self._habits)]

    def envelopes(self) -> list[tuple[Triple, float]]:
        """Every possible envelope with its probability, likeliest first, then in deck order."""
        table = self.joint
        suspects, weapons, _ = self._shape
        found = [
            ((int(s), int(w) + suspects, int(r) + suspects + weapons), float(table[s, w, r]))
            for s, w, r in zip(*np.nonzero(table), strict=True)
        ]
        return sorted(found, key=lambda item: (-item[1], item[0]))

    def sample(self, rng: Random, count: int) -> NDArray[np.int8]:
        """``count`` independent deals, an array (count, cards) of places; one word is drawn from ``rng``."""
        work = self._programme()
        deals = np.empty((count, self.evidence.deck.size), np.int8)
        work.draws.sample(
            np.uint64(rng.getrandbits(64)), self._has, work.head, work.plan, work.starts, work.targets,
            work.slots, work.factors, work.rest, work.weights, deals,
        )  # fmt: skip
        return deals
