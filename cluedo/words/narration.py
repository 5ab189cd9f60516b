"""Tells events as sentences in the user's language: as one seat saw them, or with all cards open.

This module makes words only; others show them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cluedo.engine.board import Board
from cluedo.engine.cards import Deck
from cluedo.engine.entries import UNNOTED
from cluedo.engine.events import (
    Accused,
    Event,
    HandShown,
    HypothesisMade,
    Moved,
    PassageTaken,
    Passed,
    Peeked,
    Rolled,
    Shown,
    Stayed,
    TurnEnded,
    as_seen_by,
)
from cluedo.engine.game import Result
from cluedo.engine.state import Table
from cluedo.language import tr, tr_count, tr_you

__all__ = [
    "Narrator",
    "Sentence",
    "Story",
    "and_join",
    "as_sentence",
    "beside_the_board",
    "first_few",
    "or_join",
    "place_name",
    "set_aside_sentences",
    "turns_of",
]


def and_join(words: Iterable[str]) -> str:
    """``a, b and c``."""
    *most, last = list(words) or [tr("nothing")]
    return tr("{most} and {last}", most=", ".join(most), last=last) if most else last


def or_join(words: Iterable[str]) -> str:
    """``a, b or c``."""
    *most, last = list(words) or [tr("nothing")]
    return tr("{most} or {last}", most=", ".join(most), last=last) if most else last


def first_few(words: Sequence[str], most: int) -> list[str]:
    """The first of some words, and how many more there are; a single one more is told, too."""
    if len(words) <= most + 1:
        return list(words)
    return [*words[:most], tr("{count:,} more", count=len(words) - most)]


def as_sentence(text: str) -> str:
    """The text with a capital first letter, unless it begins with the name of a file, and a full stop."""
    word = text.split(maxsplit=1)[0].rstrip(".,:;!?")
    begin = text[0] if {".", "/"} & set(word) else text[0].upper()
    return f"{begin}{text[1:]}{'' if text.endswith(('.', '!', '?', ':')) else '.'}"


def place_name(board: Board, place: int) -> str:
    """A place in words: a room's name, a square as ``(x, y)``, or outside where there is no grid."""
    node = board.node(place)
    if isinstance(node, str):
        return node
    return f"({node[0]}, {node[1]})" if board.has_grid else tr("outside")


def beside_the_board(table: Table) -> list[str]:
    """The names of the places other than hands and the envelope, in the order of :attr:`Deal.places`."""
    return [*([tr("pool")] if table.pool_size else []), *([tr("face up")] if table.open_cards else [])]


def set_aside_sentences(deck: Deck, pool: int, open_cards: int) -> Iterator[str]:
    """Sentences about the cards that were not dealt: how many lie in the pool, and which lie open, a mask."""
    if pool:
        yield tr_count(
            "{count} card lies face down beside the board.", "{count} cards lie face down beside the board.", pool
        )
    if open_cards:
        yield tr("Face up for all: {cards}.", cards=and_join(deck.names_in(open_cards)))


def turns_of(events: Iterable[Event]) -> Iterator[tuple[int, int, Event]]:
    """Each event of a log from its first on, with its turn (from 1) and the seat whose turn it is."""
    turn, whose = 1, -1
    for event in events:
        if not isinstance(event, Passed | Shown):  # an answer is given in the asker's turn
            whose = event.seat
        yield turn, whose, event
        turn += isinstance(event, TurnEnded)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing that happened: in which turn (from 1; 0: before it), who did it, if anybody, and the words for it."""

    turn: int
    seat: int | None
    text: str


class Narrator:
    """Tells questions, answers and accusations as sentences.

    Args:
        deck: the cards.
        names: by seat, what the players are called.
        viewer: the seat that is spoken to as *you*; None for a teller who is nobody at the table.
    """

    def __init__(self, deck: Deck, names: Sequence[str], viewer: int | None):
        self.deck, self.names, self.viewer = deck, names, viewer

    def tell(self, event: Event) -> str:
        """The event as a sentence; "" for one that is neither said nor shown."""
        match event:
            case HypothesisMade(seat):
                return self._narrate(
                    seat, "You ask: {cards}?", "{who} asks: {cards}?", cards=self.deck.listed(event.cards)
                )
            case Passed(seat):
                return self._narrate(seat, "You cannot answer.", "{who} cannot answer.")
            case Shown(seat, asker, card):
                return self._shown(seat, asker, tr("a card") if card is None else self._card(card))
            case Peeked(seat, position, card):
                return self._peeked(seat, position, card)
            case HandShown(seat, cards):
                return self._narrate(
                    seat,
                    "You lay your hand open: {cards}.",
                    "{who} lays their hand open: {cards}.",
                    cards=self.deck.listed(cards),
                )
            case Accused(seat, correct=correct):
                named = self.deck.listed(event.cards)
                accused = self._narrate(seat, "You accuse: {cards}.", "{who} accuses: {cards}.", cards=named)
                return f"{accused} {tr('That is right!') if correct else self._wrong(seat)}"
        return ""

    def _narrate(self, seat: int, second: str, third: str, **values: object) -> str:
        """The sentence addressed to the seat if it is the listener, else the one about it."""
        return tr_you(seat == self.viewer, second, third, who=self.names[seat], **values)

    def _card(self, card: int) -> str:
        """The name of a card that is shown."""
        return self.deck.names[card]

    def _wrong(self, _seat: int) -> str:
        """What follows from a wrong accusation of a seat."""
        return tr("That is wrong.")

    def _shown(self, seat: int, asker: int, card: str) -> str:
        if asker == self.viewer:
            return tr("{who} shows you {card}.", who=self.names[seat], card=card)
        told = {"asker": self.names[asker], "card": card}
        return self._narrate(seat, "You show {asker} {card}.", "{who} shows {asker} {card}.", **told)

    def _peeked(self, seat: int, position: int, card: int | None) -> str:
        name, number = "" if card is None else self.deck.names[card], position + 1
        if position == UNNOTED:
            if name:
                return tr("You look at a card of the pool: {card}.", card=name)
            return self._narrate(seat, "You look at a card of the pool.", "{who} looks at a card of the pool.")
        if name:
            return self._narrate(
                seat,
                "You look at card {number} of the pool: {card}.",
                "{who} looks at card {number} of the pool: {card}.",
                number=number,
                card=name,
            )
        return self._narrate(
            seat, "You look at card {number} of the pool.", "{who} looks at card {number} of the pool.", number=number
        )


class Story(Narrator):
    """Tells a whole game.

    Args:
        table: the public side of the game.
        viewer: the seat that is spoken to as *you*; None for a teller who is nobody at the table.
        squares: whether squares are told by their coordinates, for who sees them beside the board.
    """

    def __init__(self, table: Table, viewer: int | None = None, *, squares: bool = False):
        super().__init__(table.deck, table.names, viewer)
        self.table, self._squares = table, squares

    def tell(self, event: Event) -> str:
        """The event as a sentence; "" for the end of a turn."""
        match event:
            case Rolled(seat, dice):
                total = f" = {sum(dice)}" if len(dice) > 1 else ""
                thrown = " + ".join(map(str, dice)) + total
                return self._narrate(seat, "You roll {dice}.", "{who} rolls {dice}.", dice=thrown)
            case Moved(seat, to):
                return self._moved(seat, to)
            case PassageTaken(seat, to):
                return self._narrate(
                    seat,
                    "You take the secret passage to {room}.",
                    "{who} takes the secret passage to {room}.",
                    room=self._place(to),
                )
            case Stayed(seat):
                return self._narrate(seat, "You stay put.", "{who} stays put.")
            case HypothesisMade():
                return super().tell(event) + self._note_own_pawn(event)
        return super().tell(event)

    def sentences(self, events: Iterable[Event]) -> Iterator[Sentence]:
        """A log from the first event on, as the viewer saw it, with the turns counted; ends of turns are left out."""
        for turn, _, event in turns_of(events):
            if not isinstance(event, TurnEnded):
                seen = event if self.viewer is None else as_seen_by(event, self.viewer)
                yield Sentence(turn, event.seat, self.tell(seen))

    def ending(self, result: Result) -> str:
        """How the game ended."""
        after = tr_count("after {count} turn", "after {count} turns", result.turns)
        if result.winner is not None and result.reason == "unsolved":
            return self._narrate(
                result.winner,
                "All others have accused wrongly: you win {after}.",
                "All others have accused wrongly: {who} wins {after}.",
                after=after,
            )
        if result.winner is not None:
            return self._narrate(
                result.winner,
                "You solve the case and win {after}.",
                "{who} solves the case and wins {after}.",
                after=after,
            )
        if result.reason == "unsolved":
            return tr("Everybody has accused wrongly: the case stays unsolved {after}.", after=after)
        return tr("The turn limit is reached: the game stays unfinished {after}.", after=after)

    def _card(self, card: int) -> str:
        """The name of a shown card, "the card …" for a suspect: *shows Rose Rose* would be hard to follow."""
        name = self.deck.names[card]
        return tr("the card {card}", card=name) if card in self.deck.suspects else tr("{card}", card=name)

    def _place(self, place: int) -> str:
        return place_name(self.table.board, place)

    def _moved(self, seat: int, to: int) -> str:
        if self.table.board.is_room(to):
            return self._narrate(seat, "You enter {room}.", "{who} enters {room}.", room=self._place(to))
        if not self._squares:
            return self._narrate(seat, "You walk along the corridor.", "{who} walks along the corridor.")
        return self._narrate(seat, "You walk to {square}.", "{who} walks to {square}.", square=self._place(to))

    def _note_own_pawn(self, event: HypothesisMade) -> str:
        """A note that one's own pawn was pulled across the board, which matters for one's next turn (rule 8)."""
        if self.viewer is None or event.seat == self.viewer or self.table.suspects[self.viewer] != event.suspect:
            return ""
        return " " + tr("(Your pawn is now in {room}.)", room=self.deck.names[event.room])

    def _wrong(self, seat: int) -> str:
        return self._narrate(
            seat,
            "That is wrong: you are out, but still show cards.",
            "That is wrong: {who} is out, but still shows cards.",
        )
