"""Compiled: what kernels of every kind call: the rules of the notebook, and what numba compiles faster than numpy's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge import notebook
from cluedo.ai.knowledge.compiled import Kernel, compiled, copied
from cluedo.ai.knowledge.programme import Floats

__all__ = ["cleared", "count", "envelope_number", "greatest", "log_sum", "propagate"]

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def _kernels_of(*rules: Callable[..., Any]) -> Iterator[Kernel[..., Any]]:
    """Kernels of the rules of the notebook, which call one another."""
    globals_ = dict(vars(notebook))
    for rule in rules:
        globals_[rule.__name__] = Kernel(copied(rule, globals_))
        yield globals_[rule.__name__]


count: Callable[[int], int]
propagate: Callable[..., bool]  # on arrays here
count, *_, propagate = _kernels_of(
    *(notebook.count, notebook._one_place_each, notebook._hands, notebook._events, notebook.propagate)
)


@compiled
def cleared(values: Array) -> Array:
    """An array, after writing zeros into it. numba takes three times as long to compile ``np.zeros``."""
    values[:] = 0
    return values


@compiled
def greatest(values: Floats) -> float:
    """The greatest of some values. numba takes ten times as long to compile ``values.max()``."""
    top = -np.inf
    for index in range(values.shape[0]):
        top = max(top, values[index])
    return top


@compiled
def log_sum(values: Floats) -> float:
    """log(Σ exp(values)), of one value or more."""
    top, total = greatest(values), 0.0
    for index in range(values.shape[0]):
        total += np.exp(values[index] - top)
    return top + float(np.log(total))


@compiled
def envelope_number(deal: NDArray[np.int8], envelope: int, sizes: tuple[int, int, int]) -> int:
    """Where the envelope of a deal stands in an array of all of them, all in one row; its shape is ``sizes``."""
    suspects, weapons, rooms = sizes
    number = 0
    for card in range(suspects + weapons + rooms):
        if deal[card] == envelope:
            if card < suspects:
                number += card * weapons * rooms
            elif card < suspects + weapons:
                number += (card - suspects) * rooms
            else:
                number += card - suspects - weapons
    return number
