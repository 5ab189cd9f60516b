"""The decorator of the compiled kernels. Importing this imports numba, which is slow: import late."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from numba import njit

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code on the first call, and keep the code beside the source for later runs."""
    return cast("Callable[P, R]", njit(cache=True)(function))
