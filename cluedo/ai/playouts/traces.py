"""What compiled games tell, as commands of the referee. No numba in here."""

from __future__ import annotations

from collections.abc import Iterator

from cluedo.ai.playouts import layout
from cluedo.ai.playouts.layout import Numbers
from cluedo.engine.commands import Command, EndTurn, Roll, SecretPassage, ShowCard, Stay, accusation, hypothesis, move

__all__ = ["commands_of"]

_ROLL, _PASSAGE, _STAY, _END = Roll(), SecretPassage(), Stay(), EndTurn()


def commands_of(trace: Numbers) -> Iterator[Command]:
    """The commands that made the events of a trace; passes are no commands."""
    for kind, _, x, y, z in trace.tolist():
        match kind:
            case layout.ROLLED:
                yield _ROLL
            case layout.MOVED:
                yield move(x)
            case layout.PASSAGE:
                yield _PASSAGE
            case layout.STAYED:
                yield _STAY
            case layout.ASKED:
                yield hypothesis(x, y, z)
            case layout.SHOWN:
                yield ShowCard(x)
            case layout.ACCUSED:
                yield accusation(x, y, z)
            case layout.ENDED:
                yield _END
