"""What happened, told in English: through the eyes of one seat, or with all cards open.

Only words are made here; how they get to a screen is for others to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cluedo.cli.board_text import place_name
from cluedo.events import (
    Accused,
    Event,
    HypothesisMade,
    Moved,
    PassageTaken,
    Passed,
    Rolled,
    Shown,
    Stayed,
    TurnEnded,
)
from cluedo.game import Result
from cluedo.state import Table

__all__ = ["Sentence", "Story", "and_join"]


def and_join(words: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    *most, final = list(words) or ["nothing"]
    return f"{', '.join(most)} {last} {final}" if most else final


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing that happened: in which turn (from 1), who did it, and the words for it."""

    turn: int
    seat: int
    text: str


class Story:
    """Tells events as sentences.

    Args:
        table: the public side of the game.
        eyes: the seat that is spoken to as *you*; None for a teller who is nobody at the table.
    """

    def __init__(self, table: Table, eyes: int | None = None):
        self.table, self.eyes = table, eyes

    def tell(self, event: Event) -> str:
        """The event as a sentence; an empty one for the end of a turn, which goes without saying."""
        match event:
            case Rolled(seat, dice):
                total = f" = {sum(dice)}" if len(dice) > 1 else ""
                return f"{self._does(seat, 'roll')} {' + '.join(map(str, dice))}{total}."
            case Moved(seat, to):
                into = "enter" if self.table.board.is_room(to) else "walk"
                return f"{self._does(seat, into)} {'' if into == 'enter' else 'to '}{self._place(to)}."
            case PassageTaken(seat, to):
                return f"{self._does(seat, 'take')} the secret passage to {self._place(to)}."
            case Stayed(seat):
                return f"{self._does(seat, 'stay')} put."
            case HypothesisMade(seat):
                return f"{self._does(seat, 'ask')}: {self.cards(event.cards)}?{self._drawn(event)}"
            case Passed(seat):
                return f"{self.who(seat, start=True)} cannot answer."
            case Shown(seat, asker, card):
                return f"{self._does(seat, 'show')} {self.who(asker)} {self._card(card)}."
            case Accused(seat):
                return f"{self._does(seat, 'accuse')}: {self.cards(event.cards)}. {self._verdict(event)}"
            case TurnEnded():
                return ""

    def sentences(self, events: Iterable[Event]) -> Iterator[Sentence]:
        """A log from the first event on, with the turns counted; ends of turns are left out."""
        turn = 1
        for event in events:
            if isinstance(event, TurnEnded):
                turn += 1
            else:
                yield Sentence(turn, event.seat, self.tell(event))

    def ending(self, result: Result) -> str:
        """How the game ended."""
        after = f"after {result.turns} turn{'s' if result.turns != 1 else ''}"
        if result.winner is not None:
            return f"{self._does(result.winner, 'solve')} the case and {self._verb(result.winner, 'win')} {after}."
        if result.reason == "unsolved":
            return f"All have accused wrongly: the case stays unsolved {after}."
        return f"The turn limit is reached: the game stays unfinished {after}."

    def who(self, seat: int, *, start: bool = False) -> str:
        """The seat's name, or *you*."""
        if seat == self.eyes:
            return "You" if start else "you"
        return self.table.name(seat)

    def cards(self, cards: Iterable[int]) -> str:
        """Names of cards, with commas."""
        return ", ".join(self.table.deck.names[card] for card in cards)

    def _card(self, card: int | None) -> str:
        """A card shown; *shows Rose Rose* would be hard to follow."""
        if card is None:
            return "a card"
        name = self.table.deck.names[card]
        return f"the card {name}" if card in self.table.deck.suspects else name

    def _place(self, place: int) -> str:
        return place_name(self.table.board, place)

    def _does(self, seat: int, verb: str) -> str:
        return f"{self.who(seat, start=True)} {self._verb(seat, verb)}"

    def _verb(self, seat: int, verb: str) -> str:
        return verb if seat == self.eyes else f"{verb}s"

    def _drawn(self, event: HypothesisMade) -> str:
        """That one's own pawn is pulled across the board matters for one's next turn (rule 8)."""
        if self.eyes is None or event.seat == self.eyes or self.table.suspects[self.eyes] != event.suspect:
            return ""
        return f" (Your pawn is now in {self.table.deck.names[event.room]}.)"

    def _verdict(self, event: Accused) -> str:
        if event.correct:
            return "That is right!"
        if event.seat == self.eyes:
            return "That is wrong: you are out, but still show cards."
        return f"That is wrong: {self.table.name(event.seat)} is out, but still shows cards."
