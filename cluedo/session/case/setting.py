"""The table of a case: who sits there, and what I hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cluedo.ai.knowledge.caselog import CaseLog, CaseLogError, read_case_log
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck
from cluedo.engine.entries import Entry
from cluedo.session.choices import folded

__all__ = ["Setting"]


@dataclass(frozen=True)
class Setting:
    """A table before anything is asked.

    Attributes:
        source: where a reader finds the map: its name, or a path.
        board: the map.
        names: the players, in turn order.
        sizes: their hand sizes.
        me: my seat, or None for a spectator.
        hand: the mask of my cards.
        free: whether pawns enter any room they like.
    """

    source: str
    board: Board
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    me: int | None = None
    hand: int = 0
    free: bool = False

    @classmethod
    def make(
        cls,
        board: Board,
        players: Sequence[tuple[str, int | None]],
        me: str | None = None,
        hand: Sequence[str] | None = None,
        *,
        free: bool = False,
    ) -> Setting:
        """A setting from names; raises CaseLogError with what is wrong. Hand sizes may be None if they are even."""
        told = [{"name": name} | ({} if cards is None else {"cards": cards}) for name, cards in players]
        data: dict[str, Any] = {"map": board.source, "players": told}
        if me is not None:
            data |= {"me": me, "hand": list(hand or ())}
        if free:
            data["movement"] = "free"
        return cls.of(read_case_log(data, lambda _: board.deck), board)

    @classmethod
    def of(cls, case: CaseLog, board: Board) -> Setting:
        """The setting of a case log that has been read; raises CaseLogError for a hand that nobody can hold."""
        case.consistent(0)
        return cls(case.map, board, case.names, case.sizes, case.me, case.hand, case.free)

    def with_hand(self, hand: Sequence[str]) -> Setting:
        """The same table with other cards in my hand; raises CaseLogError for what cannot be."""
        if self.me is None:
            raise CaseLogError("a spectator has no hand")
        seated = list(zip(self.names, self.sizes, strict=True))
        return Setting.make(self.board, seated, self.names[self.me], hand, free=self.free)

    @property
    def deck(self) -> Deck:
        """The cards."""
        return self.board.deck

    @property
    def walks(self) -> bool:
        """Whether pawns walk on a board, so that the way to a room matters."""
        return self.board.has_grid and not self.free

    @property
    def suspect(self) -> int | None:
        """My own pawn's suspect, where my name tells it."""
        if self.me is None:
            return None
        mine = folded(self.names[self.me])
        return next((card for card in self.deck.suspects if folded(self.deck.names[card]) == mine), None)

    def log(self, entries: Sequence[Entry] = ()) -> CaseLog:
        """What is known at this table after these entries; whether they can have happened is not checked."""
        return CaseLog(self.source, self.deck, self.names, self.sizes, self.me, self.hand, self.free, tuple(entries))
