"""Shows that numba is compiling, which takes half a minute at the first use after an installation."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from cluedo.ai.levels import PlayerSpec
from cluedo.bots.naming import ProgramSpec
from cluedo.cli.terminal import say
from cluedo.engine.phrase import Phrase
from cluedo.language import tr

__all__ = ["FAST_ENGINE", "prepare", "tell_compiling"]

_DETECTIVE: Final = Phrase("the detective's arithmetic")
FAST_ENGINE: Final = Phrase("the fast engine")

_ONCE = Phrase("compiling {what}, once after installation; this takes about half a minute")
_EACH_TIME = Phrase(
    "compiling {what}, which takes about half a minute each time, "
    "for no folder can be written to keep it in: name one in NUMBA_CACHE_DIR"
)


def prepare(players: Iterable[PlayerSpec]) -> None:
    """Let the players load and compile what they need before any game, and tell people if they compile.

    Programs are started last: among them may be bots made of our levels, which find then what was compiled.
    """
    players = list(players)
    specs = {spec.kind: spec for spec in players if spec.prepares}
    if specs:
        with tell_compiling() as bar:
            for spec in specs.values():
                spec.prepare()
        if bar is not None and bar.seconds:
            say(tr("compiled in {seconds:.0f} seconds", seconds=bar.seconds))
    for program in players:
        if isinstance(program, ProgramSpec):
            program.prepare()


@contextmanager
def tell_compiling(what: Phrase = _DETECTIVE) -> Iterator[_Bar | None]:
    """Say once on standard error that something is compiled inside the ``with``; on a terminal, show a progress bar.

    numba reports each function that it compiles; those that it finds in its cache are not reported. Gives the bar, or
    None where standard error is no terminal.
    """
    from numba.core import event  # numba is slow to import: only when it is used

    bar = _Bar() if sys.stderr.isatty() else None

    class Notice(event.Listener):
        """Counts how deep we are: numba compiles a function while it compiles another that calls it."""

        def __init__(self) -> None:
            self._depth = 0
            self._told = False

        def on_start(self, event: Any) -> None:
            if not self._told:
                self._told = True
                once = event.data["dispatcher"].stats.cache_path
                say(tr(_ONCE if once else _EACH_TIME, what=tr(what)))
                sys.stderr.flush()
            if bar is not None and not self._depth:
                bar.show()
            self._depth += 1

        def on_end(self, event: Any) -> None:
            self._depth -= 1
            if bar is not None:
                bar.done(event.data["dispatcher"].py_func)
                if not self._depth:
                    bar.hide()

    with event.install_listener("numba:compile", Notice()):
        yield bar


class _Bar:
    """A progress bar: how many of our functions are compiled, and the time so far.

    Attributes:
        seconds: for how long the bar was shown.
    """

    def __init__(self) -> None:
        columns = TextColumn("  "), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeElapsedColumn()
        self._progress = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        self._task: TaskID | None = None
        self._done: set[Any] = set()
        self._shown_at = 0.0
        self.seconds = 0.0

    def show(self) -> None:
        """Show the bar from now on."""
        if self._task is None:
            self._task = self._progress.add_task("", total=None)
        self._shown_at = monotonic()
        self._progress.start()

    def done(self, function: Any) -> None:
        """Count a function that is compiled, unless it is one of numba's own."""
        if self._task is not None and function.__module__.startswith("cluedo."):
            self._done.add(function)
            self._progress.update(self._task, completed=len(self._done), total=_functions())

    def hide(self) -> None:
        """Remove the bar from the screen, so that others can write there; it may be shown again."""
        self._progress.stop()
        self.seconds += monotonic() - self._shown_at


def _functions() -> int:
    """How many functions our imported modules want compiled."""
    from numba.core.dispatcher import Dispatcher

    ours = [module for name, module in list(sys.modules.items()) if name.startswith("cluedo.")]
    found = {value.py_func for module in ours for value in vars(module).values() if isinstance(value, Dispatcher)}
    return len(found)
