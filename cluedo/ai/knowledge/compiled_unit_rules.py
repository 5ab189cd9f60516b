"""The unit rules, for compiled kernels: one source, which the notebook runs as Python."""

from __future__ import annotations

from collections.abc import Callable

from numba.extending import register_jitable

from cluedo.ai.knowledge import unit_rules as rules

__all__ = ["count", "propagate"]

for _rule in (
    rules.count,
    rules._one_place_each,
    rules._hands,
    rules._events,
    rules.propagate,
):
    register_jitable(_rule)

count = rules.count
propagate: Callable[..., bool] = rules.propagate  # on arrays here
