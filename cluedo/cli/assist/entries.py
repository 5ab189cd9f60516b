"""What is noted at a table: the setting, and entries of hypotheses and accusations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cluedo.ai.knowledge.caselog import CaseLog, CaseLogError, read_case_log
from cluedo.ai.knowledge.evidence import Triple
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck
from cluedo.session.choices import folded

__all__ = ["Accused", "Asked", "Entry", "Setting", "read_entry"]


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody made a hypothesis.

    Attributes:
        by: the asker's seat.
        cards: the suspect, the weapon and the room.
        refuter: the seat that showed a card, or None: nobody could.
        card: the card shown, where I saw it.
    """

    by: int
    cards: Triple
    refuter: int | None
    card: int | None = None


@dataclass(frozen=True, slots=True)
class Accused:
    """Somebody accused: ``by`` (a seat), these ``cards``, rightly (``correct``) or wrongly."""

    by: int
    cards: Triple
    correct: bool


Entry = Asked | Accused


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

    def log(self, entries: Sequence[Entry]) -> dict[str, Any]:
        """The case log of this table and these entries, as JSON would hold it."""
        data: dict[str, Any] = {"format": 1, "map": self.source}
        if self.free:
            data["movement"] = "free"
        data["players"] = [{"name": name, "cards": size} for name, size in zip(self.names, self.sizes, strict=True)]
        if self.me is not None:
            data |= {"me": self.names[self.me], "hand": self.deck.names_in(self.hand)}
        return data | {"events": [self._event(entry) for entry in entries]}

    def case(self, entries: Sequence[Entry]) -> CaseLog:
        """The case log, checked entry by entry; raises CaseLogError, which names the entry as an event."""
        return read_case_log(self.log(entries), lambda _: self.deck)

    def _event(self, entry: Entry) -> dict[str, Any]:
        three = [self.deck.names[card] for card in entry.cards]
        if isinstance(entry, Accused):
            return {"by": self.names[entry.by], "accusation": three, "correct": entry.correct}
        refuter = None if entry.refuter is None else self.names[entry.refuter]
        event: dict[str, Any] = {"by": self.names[entry.by], "hypothesis": three, "refuted_by": refuter}
        return event if entry.card is None else event | {"card": self.deck.names[entry.card]}


def read_entry(event: dict[str, Any], setting: Setting) -> Entry:
    """The entry of an event of a case log that has been checked."""
    by, deck = setting.names.index(event["by"]), setting.deck
    if "accusation" in event:
        return Accused(by, deck.triple(event["accusation"]), event["correct"])
    refuter, card = event["refuted_by"], event.get("card")
    return Asked(
        by,
        deck.triple(event["hypothesis"]),
        None if refuter is None else setting.names.index(refuter),
        None if card is None else deck.id(card),
    )
