"""Shows the moves of other players at a readable pace, and skips them on demand."""

from __future__ import annotations

import asyncio

from cluedo.engine.events import Accused, Event, HypothesisMade, Moved, Passed, Rolled, Shown, TurnEnded
from cluedo.engine.view import PlayerView
from cluedo.tui.board_view import BoardView

__all__ = ["Pace"]

_PAUSES_S: dict[type, float] = {Rolled: 0.4, HypothesisMade: 1.0, Passed: 0.3, Shown: 0.8, Accused: 1.5}
_OTHER_PAUSE_S = 0.3
_STEP_S = 0.06


class Pace:
    """Lets events be seen for a moment each.

    Args:
        speed: 1 for the pauses above, 2 for half of them; 0 for none at all.
    """

    def __init__(self, speed: float):
        self._speed = speed
        self._skip = asyncio.Event()

    def skip(self) -> None:
        """No more pauses, until :meth:`resume`."""
        self._skip.set()

    def resume(self) -> None:
        """Pauses again."""
        self._skip.clear()

    async def watch(self, event: Event, before: PlayerView, after: PlayerView, board: BoardView) -> None:
        """Let an event be seen by the seat of ``after``; its own moves need no watching, what comes of them does."""
        mine = event.seat == after.seat and not isinstance(event, HypothesisMade | Accused)
        if mine or isinstance(event, TurnEnded):
            return
        if isinstance(event, Moved):
            await self._walk(event, before, after, board)
        await self._pause(_PAUSES_S.get(type(event), _OTHER_PAUSE_S))

    async def _walk(self, event: Moved, before: PlayerView, after: PlayerView, board: BoardView) -> None:
        """Let a pawn walk, square by square."""
        suspect = after.table.suspects[event.seat]
        start = before.pawns[suspect]
        steps = after.board.way(start, event.to, before.taken & ~(1 << start))
        for k in range(1, len(steps)):
            if self._in_a_hurry:
                return
            pawns = (*before.pawns[:suspect], steps[k], *before.pawns[suspect + 1 :])
            board.put(pawns, before.weapons, trail=steps[:k])
            board.follow(steps[k])
            await self._pause(_STEP_S)

    @property
    def _in_a_hurry(self) -> bool:
        return not self._speed or self._skip.is_set()

    async def _pause(self, seconds: float) -> None:
        if self._in_a_hurry:
            await asyncio.sleep(0)  # keys are still answered between two events
            return
        try:
            await asyncio.wait_for(self._skip.wait(), seconds / self._speed)
        except TimeoutError:
            return
