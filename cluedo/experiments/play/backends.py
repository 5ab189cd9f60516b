"""By whom an experiment is played: this machine's processes, a Dask cluster or a Ray cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Literal

from cluedo.engine.errors import CluedoError

__all__ = ["Backend", "BackendError"]

_MODULES: Final = {"dask": "distributed", "ray": "ray"}
"""What has to be installed for a backend, by its kind; the extra has the kind's name."""

_ADDRESSES: Final = {"dask": "tcp://10.0.0.1:8786", "ray": "10.0.0.1:6379"}
_ADDRESS: Final = re.compile(r"([a-z]+://)?([\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}")


class BackendError(CluedoError):
    """A backend that is not known, not installed, not reached or lost, or work that failed on it."""


_MOST_WORKERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Backend:
    """Where chunks are played.

    Attributes:
        kind: ``local`` (processes of this machine), ``dask`` or ``ray``.
        address: of a cluster that is there, such as ``tcp://10.0.0.1:8786`` for Dask, ``10.0.0.1:6379``,
            ``ray://10.0.0.1:10001`` or ``auto`` for Ray. None starts one on this machine, for this run.
        workers: how many chunks are played at once, or None for all CPUs of this machine, or all
            workers of the cluster. One local worker is this process itself. More need a main module
            that can be imported without running (the rule of :mod:`multiprocessing`).

    Raises:
        BackendError: there is no such backend, its extra is not installed, or the address is none.
    """

    kind: Literal["local", "dask", "ray"] = "local"
    address: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.kind != "local" and self.kind not in _MODULES:
            raise BackendError("a backend is one of local, dask and ray, not {kind!r}", kind=self.kind)
        if self.workers is not None and self.workers < 1:
            raise BackendError("at least 1 worker is needed, not {workers}", workers=self.workers)
        if self.workers is not None and self.workers > _MOST_WORKERS:
            raise BackendError(
                "at most {most_workers:,} workers play at once, not {workers:,}",
                most_workers=_MOST_WORKERS,
                workers=self.workers,
            )
        if self.kind != "local" and find_spec(_MODULES[self.kind]) is None:
            raise BackendError("the backend {kind} needs the extra: pip install 'cluedo[{kind}]'", kind=self.kind)
        if self.address is not None:
            self._check(self.address)

    def _check(self, address: str) -> None:
        if self.kind == "local":
            raise BackendError("the backend local has no address, so not {address!r}", address=address)
        if not (_ADDRESS.fullmatch(address) or (self.kind, address) == ("ray", "auto")):
            raise BackendError(
                "an address of {kind} is HOST:PORT, such as {addresses}, not {address!r}",
                kind=self.kind,
                addresses=_ADDRESSES[self.kind],
                address=address,
            )

    @property
    def here(self) -> bool:
        """Whether chunks are played in this very process."""
        return self.kind == "local" and self.workers == 1
