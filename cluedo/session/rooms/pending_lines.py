"""The lines of a room's record until a face has kept them."""

from __future__ import annotations

from cluedo.session.autosave import Autosave

__all__ = ["PendingLines"]


class PendingLines(Autosave):
    """The lines of a record that are still to be kept, for a face that keeps them when it can.

    Attributes:
        fresh: whether they take the place of all that was kept before.
        lines: what is to be kept.

    >>> pending = PendingLines()
    >>> pending.begin("a record")
    >>> pending.add("more of it")
    True
    >>> pending.fresh, pending.lines
    (True, ['a record', 'more of it'])
    >>> pending.kept(2)
    >>> pending.fresh, pending.lines
    (False, [])
    """

    def __init__(self, *, begun: bool = False):
        super().__init__(None, chosen=True)
        self._begun = begun
        self.fresh = False
        self.lines: list[str] = []

    def begin(self, record: str) -> None:
        self._begun = self.fresh = True
        self.lines = [record]

    def add(self, line: str) -> bool:
        self.lines.append(line)
        return True

    def kept(self, count: int) -> None:
        """So many of the lines are kept."""
        self.fresh = False
        del self.lines[:count]
