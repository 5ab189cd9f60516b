"""The kernels of the detective: which an answer needs compiled, and those that are interpreted until they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # numba is slow to import
    from cluedo.ai.knowledge.kernels.compiled import Kernel

__all__ = ["DETECTIVE_KERNELS", "interpreted_at_first", "kernels_of_an_answer", "kernels_of_the_detective"]

DETECTIVE_KERNELS: Final = tuple(
    f"cluedo.ai.knowledge.kernels.{name}"
    for name in ("askers", "opponent_likelihood", "opponent_odds", "scores", "solve")
)
"""The modules with the detective's kernels that Python calls."""


@contextmanager
def interpreted_at_first() -> Iterator[None]:
    """Inside the ``with``, odds are worked out at once, by interpreted kernels where there is no machine code yet.

    They are the same, to the last bit. Games are played outside: there it would take longer than to compile. What goes
    through thousands of deals is compiled in any case.
    """
    from cluedo.ai.knowledge.kernels import solve  # as above
    from cluedo.ai.knowledge.kernels.compiled import interpreting

    with interpreting(solve.solve, solve.mixed_joint):
        yield


def kernels_of_an_answer() -> tuple[Kernel[..., Any], ...]:
    """What goes through thousands of deals for one answer."""
    from cluedo.ai.knowledge.kernels import scores, solve  # as above

    return solve.mixed_sample, scores.score_first


def kernels_of_the_detective() -> list[Kernel[..., Any]]:
    """All that a strong level calls, and more."""
    from cluedo.ai.knowledge.kernels.compiled import outermost  # as above

    return outermost(DETECTIVE_KERNELS)
