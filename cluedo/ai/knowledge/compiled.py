"""The decorator of the compiled kernels. Importing this imports numba, which is slow: import late."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

__all__ = ["compiled", "compiled_part"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code on the first call, and keep the code for later runs.

    numba keeps it in the folder that ``NUMBA_CACHE_DIR`` names, else beside the source, else in the user's cache;
    where none of these can be written, each run compiles anew.
    """
    dispatcher: Any = njit(function)
    with suppress(RuntimeError):  # what numba raises where it finds no folder, and for nothing else
        dispatcher.enable_caching()
    return cast("Callable[P, R]", dispatcher)


def compiled_part(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as a part of other kernels, which keep its code with their own; Python cannot call it.

    What numba makes so that Python can call a function takes most of the time of compiling a small one.
    """
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Callable[P, R]", njit(function, **options))
