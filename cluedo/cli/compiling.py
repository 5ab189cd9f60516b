"""Says what a player waits for before a game: that numba compiles, at the first use, or that a program starts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from cluedo.ai.knowledge.kernels.detective_kernels import kernels_of_the_detective
from cluedo.ai.levels import PlayerSpec
from cluedo.bots.naming import ProgramSpec
from cluedo.cli.terminal import notify
from cluedo.engine.phrase import Phrase
from cluedo.language import tr

if TYPE_CHECKING:  # numba is slow to import
    from cluedo.ai.knowledge.kernels.compiled import Kernel

__all__ = ["FAST_ENGINE", "prepare", "tell_compiling"]

_DETECTIVE: Final = Phrase("the detective's arithmetic")
FAST_ENGINE: Final = Phrase("the fast engine")

_ONCE = Phrase("compiling {what}, once after installation")
_EACH_TIME = Phrase(
    "compiling {what}, again on every start, because no folder can be written to keep it; name one in NUMBA_CACHE_DIR"
)
_PATIENCE_S: Final = 5.0
"""Seconds that a program may take to start before people are told."""
_told: Final = set[Phrase]()
"""What this process has said that it compiles."""


def prepare(players: Iterable[PlayerSpec]) -> None:
    """As :func:`~cluedo.bots.naming.prepare_all`, once for each class of players; says what takes long."""
    players = list(players)
    specs = {spec.player_class: spec for spec in players if spec.prepares}
    if specs:
        with tell_compiling(expected=kernels_of_the_detective) as progress:
            for spec in specs.values():
                spec.prepare()
        if progress.on_screen and progress.seconds:
            notify(tr("compiled in {seconds:.0f} seconds", seconds=progress.seconds))
    for program in players:
        if isinstance(program, ProgramSpec):
            with _told_if_late(tr("waiting for {what} to start", what=program.text)):
                program.prepare()


@contextmanager
def _told_if_late(sentence: str) -> Iterator[None]:
    """Say a sentence if what is done inside the ``with`` takes long."""
    late = Timer(_PATIENCE_S, notify, [sentence])
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()


@contextmanager
def tell_compiling(
    what: Phrase = _DETECTIVE, *, expected: Callable[[], Collection[Kernel[..., Any]]] = tuple
) -> Iterator[_Compiling]:
    """Say on standard error that something is compiled inside the ``with``, once; on a terminal, show how far it is.

    Args:
        what: what is compiled.
        expected: gives the kernels that will be called, if they are known.
    """
    from cluedo.ai.knowledge.kernels.compiled import watching  # numba is slow to import: only when it is used

    progress = _Compiling(what)
    try:
        with watching(progress.tell, expected):
            yield progress
    finally:
        progress.hide()


class _Compiling:
    """Tells what is compiled, and on a terminal how far it is: a bar, the time so far and the time left.

    Attributes:
        on_screen: whether there is a bar.
        seconds: how long compiling took.
    """

    def __init__(self, what: Phrase):
        columns = BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn(), TimeRemainingColumn()
        self._what = what
        self._bar = Progress(TextColumn("  "), *columns, console=Console(file=sys.stderr), transient=True)
        self._task = self._bar.add_task("", total=1.0)
        self._since = 0.0
        self.on_screen = sys.stderr.isatty()
        self.seconds = 0.0

    def tell(self, done: float) -> None:
        """Take note of what share is done."""
        from cluedo.ai.knowledge.kernels.compiled import keeps_code

        if self._what not in _told:
            _told.add(self._what)
            notify(tr(_ONCE if keeps_code() else _EACH_TIME, what=tr(self._what)))
            sys.stderr.flush()
        if done == 1.0:
            self.hide()
            return
        if not self._since:
            self._since = monotonic()
            if self.on_screen:
                self._bar.start()
        self._bar.update(self._task, completed=done)

    def hide(self) -> None:
        """Remove the bar from the screen, so that others can write there; it may be shown again."""
        if self._since:
            self.seconds += monotonic() - self._since
            self._since = 0.0
            if self.on_screen:
                self._bar.stop()
