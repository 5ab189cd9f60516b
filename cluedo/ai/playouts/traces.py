"""What compiled games tell, as commands of the referee. No numba in here."""

from __future__ import annotations

from collections.abc import Iterator

from cluedo.ai.playouts import arrays
from cluedo.ai.playouts.arrays import Numbers
from cluedo.engine.commands import Command, EndTurn, Roll, SecretPassage, ShowCard, Stay, accusation, hypothesis, move

__all__ = ["commands_of"]

_ROLL, _PASSAGE, _STAY, _END = Roll(), SecretPassage(), Stay(), EndTurn()


def commands_of(trace: Numbers) -> Iterator[Command]:
    """The commands that made the events of a trace; passes are no commands."""
    for kind, _, x, y, z in trace.tolist():
        match kind:
            case arrays.ROLLED:
                yield _ROLL
            case arrays.MOVED:
                yield move(x)
            case arrays.PASSAGE:
                yield _PASSAGE
            case arrays.STAYED:
                yield _STAY
            case arrays.ASKED:
                yield hypothesis(x, y, z)
            case arrays.SHOWN:
                yield ShowCard(x)
            case arrays.ACCUSED:
                yield accusation(x, y, z)
            case arrays.ENDED:
                yield _END
