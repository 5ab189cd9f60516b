"""Where the machine code of kernels is kept on disk, for later runs."""

from __future__ import annotations

from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Any
from uuid import uuid4

from numba.core import config
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys

__all__ = ["KernelCache"]


class _CodeFiles(IndexDataCacheFile):
    """The files of a kernel: those of different processes never have the same name, so none holds the other's code."""

    def __init__(self, path: str, base: str, stamp: tuple[Any, ...]):
        super().__init__(path, base, stamp)
        # The version is read first: what else is kept of other sources may name classes that are no more.
        self._version = self._version, stamp

    @property
    def _base(self) -> str:
        return self._index_name.removesuffix(".nbi")

    def _data_name(self, number: int) -> str:  # noqa: ARG002 - two processes may count to the same
        return f"{self._base}.{uuid4().hex}.nbc"

    def _load_index(self) -> dict[Any, Any]:
        with suppress(Exception):  # of pickle: what a power failure has left there is as good as nothing
            found: dict[Any, Any] = super()._load_index()
            return found
        return {}

    def load(self, key: Any) -> Any:
        """The code for a signature, or ``None``."""
        with suppress(Exception):  # as above
            return super().load(key)
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep the code for a signature, in place of all that was made of other sources; if it cannot be, go on."""
        if not self._load_index():
            for outdated in Path(self._cache_path).glob(f"{escape(self._base)}.*.nbc"):
                with suppress(OSError):
                    outdated.unlink()
        with suppress(OSError):  # the disk is full
            super().save(key, data)


class KernelCache(FunctionCache):
    """Machine code on disk.

    numba would look only at the file of a function, not at those of the functions that it calls; and before it loads
    any, it would import all that it knows how to compile, SciPy's linear algebra too.

    Args:
        function: the source of the kernel.
        sources: what tells the sources of all kernels, as this process has loaded them, from any others.
    """

    def __init__(self, function: Any, sources: bytes):
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp(), sources, config.BOUNDSCHECK  # type: ignore[attr-defined]
        self._cache_file = _CodeFiles(self._cache_path, self._impl.filename_base, stamp)

    def holds(self, target_context: Any) -> bool:
        """Whether there is code of these sources for this machine."""
        machine = target_context.codegen().magic_tuple()
        return any(machine == kept_for for _, kept_for, _ in self._cache_file._load_index())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature, or ``None``."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
