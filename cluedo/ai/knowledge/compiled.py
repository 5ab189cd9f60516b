"""The decorator of the compiled kernels, and the rules of the notebook as kernels call them.

Importing this imports numba, which takes most of a second: import it where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

from numba import njit
from numba.extending import register_jitable

from cluedo.ai.knowledge import notebook

__all__ = ["compiled", "compiled_part", "count", "propagate"]

_USED_BY_KERNELS: Final = (
    *("ai/knowledge/notebook.py", "ai/knowledge/programme.py", "ai/knowledge/event_rows.py"),
    *("ai/playouts/arrays.py", "engine/state.py"),
)
"""Files without kernels whose functions and constants kernels use."""

for _rule in (notebook.count, notebook._one_place_each, notebook._hands, notebook._events, notebook.propagate):
    register_jitable(_rule)
count = notebook.count
propagate: Callable[..., bool] = notebook.propagate  # on arrays here

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile to machine code on the first call, and keep the code for later runs.

    numba keeps it in the folder that ``NUMBA_CACHE_DIR`` names, else beside the source, else in the user's cache;
    where none of these can be written, each run compiles anew. Code older than the source of any kernel is deleted,
    because numba itself looks only at the file of a function, not at those of the functions that it calls.
    """
    dispatcher: Any = njit(function)
    with suppress(RuntimeError):  # what numba raises where it finds no folder, and for nothing else
        dispatcher.enable_caching()
        forget_outdated(Path(dispatcher.stats.cache_path), _changed())
    return cast("Callable[P, R]", dispatcher)


def compiled_part(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as a part of other kernels, which keep its code with their own; Python cannot call it.

    What numba makes so that Python can call a function takes most of the time of compiling a small one.
    """
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast("Callable[P, R]", njit(function, **options))


@cache
def forget_outdated(folder: Path, changed: float) -> None:
    """Delete what numba kept in a folder before a moment (seconds since 1970); what cannot be deleted stays."""
    with suppress(OSError):
        for index in folder.glob("*.nbi"):
            if index.stat().st_mtime < changed:
                index.unlink(missing_ok=True)


@cache
def _changed() -> float:
    """When the source of a kernel was last changed, in seconds since 1970."""
    return max(path.stat().st_mtime for path in sources_of_kernels())


def sources_of_kernels() -> set[Path]:
    """The files with kernels, and those whose functions and constants they use."""
    here = Path(__file__)
    package = here.parents[2]
    sources = (path for floor in ("ai", "envs") for path in (package / floor).rglob("*.py"))
    kernels = (path for path in sources if b"@compiled" in path.read_bytes())
    return {here, *kernels, *(package / name for name in _USED_BY_KERNELS)}
