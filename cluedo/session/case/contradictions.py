"""Contradictions in a case: which entries cannot all be true, and which single changes would resolve that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cluedo.ai.knowledge import Evidence, Fact, Given, Triple
from cluedo.ai.knowledge.caselog import Setting
from cluedo.ai.knowledge.reasons import Prover, fits, inconsistency
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HandShown, Peeked

__all__ = ["Contradiction", "Fix", "find_contradiction"]

_MOST = 8  # fixes that are offered


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of one entry after which all entries agree: ``entry`` is what to put there, None to leave it out."""

    number: int
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Entries that contradict each other.

    Attributes:
        numbers: entries, from 1, that no deal fits together; without any one of them some deal fits the others.
        hand: my own cards that the contradiction needs; they may be wrong too.
        fixes: single changes that fix all of it, those of the latest entry first.
    """

    numbers: tuple[int, ...]
    hand: tuple[int, ...]
    fixes: tuple[Fix, ...]


def find_contradiction(setting: Setting, entries: Sequence[Entry]) -> Contradiction:
    """What contradicts in entries that no deal fits."""
    evidence = setting.log(entries).evidence()
    numbers = sorted({fact.turn for fact in inconsistency(evidence).facts if isinstance(fact, Fact)})
    for number in list(numbers):
        fewer = [other for other in numbers if other != number]
        if not fits(_only(setting, evidence.facts, fewer)):
            numbers = fewer
    alone = _only(setting, evidence.facts, numbers)
    prover = Prover(alone)
    given = [fact for fact in inconsistency(alone).facts if isinstance(fact, Given)]
    hand = [fact.card for fact in given if fact.place == setting.me]
    for card in list(hand):  # a smallest contradiction quotes my cards where the entries would do, too
        fewer = [other for other in hand if other != card]
        if prover.clash(fewer):
            hand = fewer
    return Contradiction(tuple(numbers), tuple(hand), tuple(_fixes(setting, entries, numbers)))


def _only(setting: Setting, facts: Sequence[Fact], numbers: Sequence[int]) -> Evidence:
    """What these entries alone say of the cards: they need not make a log, as a look needs the question before it."""
    found = setting.log().evidence()
    for fact in facts:
        if fact.turn in numbers:
            found.add(fact)
    return found


def _fixes(setting: Setting, entries: Sequence[Entry], numbers: Sequence[int]) -> Iterator[Fix]:
    """Leaving out one entry comes first, then another answer, then another card."""
    found = 0
    tried: list[tuple[int, Entry | None]] = [(number, None) for number in reversed(numbers)]
    tried += [(number, change) for number in reversed(numbers) for change in _changes(setting, entries[number - 1])]
    for number, change in tried:
        changed = [*entries[: number - 1], *([] if change is None else [change]), *entries[number:]]
        try:
            mended = fits(setting.log(changed).evidence())
        except CluedoError:  # something that cannot have happened at this table
            continue
        if mended:
            yield Fix(number, change)
            found += 1
            if found == _MOST:
                return


def _changes(setting: Setting, entry: Entry) -> Iterator[Entry]:
    """The entry as it may have been meant: another verdict, another answer, one other card."""
    by, cards = entry.by, entry.cards
    if isinstance(entry.head, Accused):
        yield Entry.accusation(by, cards, not entry.head.correct)
        return
    if isinstance(entry.head, Peeked | HandShown):
        yield from _other_asides(setting, entry.head)
        return
    if setting.everybody:
        yield from _other_answers(setting, entry)
        return
    for refuter in range(len(setting.names)):
        if refuter not in (by, entry.refuter):
            yield setting.hypothesis(by, cards, {refuter: entry.card if setting.me in (by, refuter) else None})
    if entry.refuter is not None:
        yield setting.hypothesis(by, cards, {})
    if entry.refuter is not None and entry.card is not None:
        for card in cards:
            if card != entry.card:
                yield setting.hypothesis(by, cards, {entry.refuter: card})
    for three in _other_cards(setting, entry):
        yield setting.hypothesis(by, three, {shown.seat: shown.card for shown in entry.shows})


def _other_asides(setting: Setting, head: Peeked | HandShown) -> Iterator[Entry]:
    """Another card of the pool, or one other card in a hand laid open."""
    for card in range(setting.deck.size):
        if isinstance(head, Peeked):
            if head.card not in (None, card):
                yield Entry.peek(head.seat, head.position, card)
        elif card not in head.cards:
            for wrong in head.cards:
                yield Entry.hand(head.seat, [card if held == wrong else held for held in head.cards])


def _other_answers(setting: Setting, entry: Entry) -> Iterator[Entry]:
    """Where everybody answers: somebody answered otherwise, or showed another card; then, one other card."""
    by, shows = entry.by, {shown.seat: shown.card for shown in entry.shows}
    for seat in range(len(setting.names)):
        if seat == by:
            continue
        if seat in shows:
            yield setting.hypothesis(by, entry.cards, {who: shows[who] for who in shows if who != seat})
            if shows[seat] is not None:
                for card in entry.cards:
                    yield setting.hypothesis(by, entry.cards, shows | {seat: card})
        else:
            yield setting.hypothesis(by, entry.cards, shows | {seat: None})
    kept = set(shows.values())
    for three in _other_cards(setting, entry):
        if kept <= {None, *three}:
            yield setting.hypothesis(by, three, shows)


def _other_cards(setting: Setting, entry: Entry) -> Iterator[Triple]:
    """The three cards with one other among them; the card shown stays."""
    for category, ids in enumerate(setting.deck.ids):
        for card in ids:
            if card != entry.cards[category] and entry.card != entry.cards[category]:
                suspect, weapon, room = (card if at == category else kept for at, kept in enumerate(entry.cards))
                yield suspect, weapon, room
