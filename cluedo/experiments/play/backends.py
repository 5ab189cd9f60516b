"""Where an experiment is played: by processes of this machine, on a Dask cluster or on a Ray cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from cluedo.engine.errors import CluedoError, safe_repr

__all__ = ["BACKENDS", "Backend", "BackendError"]


class _Kind(NamedTuple):
    """A kind of backend.

    Attributes:
        pool: its :class:`~cluedo.experiments.play.pools.WorkerPool`, as MODULE:CLASS; it is imported when it is used.
        needs: the module that has to be installed, or None; the extra has the kind's name.
        example: of an address; None where there are no addresses.
        special: addresses of other forms.
    """

    pool: str
    needs: str | None = None
    example: str | None = None
    special: tuple[str, ...] = ()


BACKENDS: Final = {
    "local": _Kind("cluedo.experiments.play.pools:LocalPool"),
    "dask": _Kind("cluedo.experiments.play.clusters:DaskPool", "distributed", "tcp://10.0.0.1:8786"),
    "ray": _Kind("cluedo.experiments.play.clusters:RayPool", "ray", "10.0.0.1:6379", ("auto",)),
}
"""Every kind of backend. Another one is a line here, a pool, and an extra in pyproject.toml."""

_ADDRESS: Final = re.compile(r"([a-z]+://)?([\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}")


class BackendError(CluedoError):
    """A backend is unknown, not installed, cannot be reached or was lost, or work failed on it."""


_MOST_WORKERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Backend:
    """Where chunks are played.

    Attributes:
        kind: one of :data:`BACKENDS`: ``local`` (processes of this machine), ``dask`` or ``ray``.
        address: of a cluster that is there, such as ``tcp://10.0.0.1:8786`` for Dask, ``10.0.0.1:6379``,
            ``ray://10.0.0.1:10001`` or ``auto`` for Ray. None starts one on this machine, for this run.
        workers: how many chunks are played at once, or None for all CPUs of this machine, or all
            workers of the cluster. One local worker is this process itself. More need a main module
            that can be imported without running (the rule of :mod:`multiprocessing`).

    Raises:
        BackendError: there is no such backend, its extra is not installed, or the address is none.
    """

    kind: str = "local"
    address: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in BACKENDS:
            raise BackendError("a backend is one of {kinds}, not {kind!r}", kinds=", ".join(BACKENDS), kind=self.kind)
        if self.workers is not None and not isinstance(self.workers, int):
            raise BackendError("workers are a whole number, not {workers}", workers=safe_repr(self.workers))
        if self.workers is not None and self.workers < 1:
            raise BackendError("at least 1 worker is needed, not {workers}", workers=self.workers)
        if self.workers is not None and self.workers > _MOST_WORKERS:
            raise BackendError(
                "at most {most_workers:,} workers play at once, not {workers:,}",
                most_workers=_MOST_WORKERS,
                workers=self.workers,
            )
        needs = BACKENDS[self.kind].needs
        if needs is not None and find_spec(needs) is None:
            raise BackendError("the backend {kind} needs the extra: pip install 'cluedo[{kind}]'", kind=self.kind)
        if self.address is not None:
            self._check(self.address)

    def _check(self, address: str) -> None:
        about = BACKENDS[self.kind]
        if about.example is None:
            raise BackendError("the backend {kind} has no address, so not {address!r}", kind=self.kind, address=address)
        if not (_ADDRESS.fullmatch(address) or address in about.special):
            raise BackendError(
                "an address of {kind} is HOST:PORT, such as {addresses}, not {address!r}",
                kind=self.kind,
                addresses=about.example,
                address=address,
            )

    @property
    def local(self) -> bool:
        """Whether it is this machine's processes."""
        return self.kind == "local"

    def pool_class(self) -> Any:
        """The class of its workers, made from work, address and workers."""
        module, _, name = BACKENDS[self.kind].pool.partition(":")
        return getattr(import_module(module), name)
