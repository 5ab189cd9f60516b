"""Says that machine code is being made, where it is: after installation the first use takes its time."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Player

__all__ = ["compiling_told", "prepare"]

_NOTICE = "cluedo: compiling the detective's arithmetic, once after installation; this takes about half a minute\n"
_NOT_KEPT = (
    "cluedo: compiling the detective's arithmetic, which takes about half a minute each time, "
    "for no folder can be written to keep it in: name one in NUMBA_CACHE_DIR\n"
)


def prepare(players: Iterable[PlayerSpec]) -> None:
    """Let the players load what takes long, before any game, and say so if that means to compile."""
    nothing = Player.__dict__["prepare"]
    specs = {spec.kind: spec for spec in players if inspect.getattr_static(spec.kind, "prepare") is not nothing}
    if specs:
        with compiling_told():
            for spec in specs.values():
                spec.prepare()


@contextmanager
def compiling_told() -> Iterator[None]:
    """Say so on standard error, once, if anything is compiled inside the ``with``.

    numba itself tells when it starts to compile; what it finds in its cache is no such event.
    """
    from numba.core import event  # numba is slow to import: only when it is used

    class Notice(event.Listener):
        told = False

        def on_start(self, event: Any) -> None:
            if not self.told:
                self.told = True
                sys.stderr.write(_NOTICE if event.data["dispatcher"].stats.cache_path else _NOT_KEPT)
                sys.stderr.flush()

        def on_end(self, event: Any) -> None:
            """Nothing is said then."""

    with event.install_listener("numba:compile", Notice()):
        yield
