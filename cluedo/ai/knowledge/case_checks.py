"""Checks entries of a case log: what the rules or one's own hand make impossible is refused, in one sentence.

Deduction would find most of these contradictions too, but give longer reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cluedo.engine.cards import triple_mask
from cluedo.engine.entries import UNNOTED, Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown

if TYPE_CHECKING:
    from cluedo.ai.knowledge.caselog import Setting

__all__ = ["CaseLogError", "check_entry"]


class CaseLogError(CluedoError):
    """A case log that cannot be read or cannot be true; the text names the entry's number."""


def check_entry(setting: Setting, entry: Entry, before: Entry | None, pool: dict[int, int]) -> None:
    """Raise CaseLogError for an entry that cannot follow those before it at this table.

    Who has accused wrongly may be said to ask or accuse again: houses differ, and nothing follows for the cards.

    Args:
        setting: the table.
        entry: what was noted.
        before: the entry before it.
        pool: by position, the cards of the pool that were seen so far; this look is added.
    """
    if before is not None and isinstance(before.head, Accused) and before.head.correct:
        raise CaseLogError("nothing follows a right accusation")
    match entry.head:
        case HypothesisMade():
            _check_hypothesis(setting, entry)
        case Peeked():
            _check_peek(setting, entry.head, before)
            _check_place(setting, entry.head, pool)
        case HandShown():
            _check_hand(setting, entry.head)


def _check_hypothesis(setting: Setting, entry: Entry) -> None:
    me, deck = setting.me, setting.deck
    shows = entry.shows
    if shows and shows != entry.answers[-1:] and not setting.everybody:
        raise CaseLogError("only the first who can answer shows a card, unless refuters=all is set (rule 19)")
    for shown in shows:
        if shown.card is not None:
            _check_card(setting, entry, shown, shown.card)
    if me is None:
        return
    held = deck.names_in(setting.hand & triple_mask(entry.cards))
    if me == entry.by:
        if len(held) == len(entry.cards) and setting.rules.own_cards == "not_all":
            raise CaseLogError("one card of a hypothesis at least is not one's own (rule 16)")
        return
    if not held and any(shown.seat == me for shown in shows):
        raise CaseLogError("you hold none of the three cards, so you cannot have shown one")
    if held and any(isinstance(answer, Passed) and answer.seat == me for answer in entry.answers):
        raise CaseLogError("you hold {held!r}, so you had to show a card", held=held[0])


def _check_card(setting: Setting, entry: Entry, shown: Shown, card: int) -> None:
    name = setting.deck.names[card]
    if card not in entry.cards:
        raise CaseLogError("{name!r} is not one of the three cards asked about", name=name)
    if setting.me is None or setting.me not in (entry.by, shown.seat):
        by, shower = setting.names[entry.by], setting.names[shown.seat]
        raise CaseLogError("only {by} and {shower} saw the card, and you are neither", by=by, shower=shower)
    if setting.me == shown.seat and not setting.hand >> card & 1:
        raise CaseLogError("you cannot have shown {name!r}, which is not in your hand", name=name)


def _check_peek(setting: Setting, peek: Peeked, before: Entry | None) -> None:
    if not setting.peeks:
        raise CaseLogError("nobody looks into the pool under these rules (rule 15)")
    if before is not None and before.by == peek.seat and before.shows:
        raise CaseLogError(
            "{by} was shown a card, so they cannot look into the pool (rule 15)", by=setting.names[peek.seat]
        )
    if peek.position != UNNOTED and peek.position >= setting.pool_size:
        raise CaseLogError(
            "{position} is not a position in the pool, which are 0 to {last} (rule 15)",
            position=peek.position,
            last=setting.pool_size - 1,
        )
    if peek.card is not None and peek.seat != setting.me:
        raise CaseLogError("only {by} saw the card, and that is not you", by=setting.names[peek.seat])


def _check_place(setting: Setting, peek: Peeked, pool: dict[int, int]) -> None:
    """A card that was looked at goes back in its place."""
    if peek.card is None or peek.position == UNNOTED:
        return
    name = setting.deck.names[peek.card]
    if (there := pool.setdefault(peek.position, peek.card)) != peek.card:
        there_name = setting.deck.names[there]
        raise CaseLogError("this card of the pool was {there!r}, so it cannot be {name!r}", there=there_name, name=name)
    if list(pool.values()).count(peek.card) > 1:
        raise CaseLogError("two cards of the pool cannot both be {name!r}", name=name)


def _check_hand(setting: Setting, laid: HandShown) -> None:
    if not setting.rules.wrong_shows_hand:
        raise CaseLogError("nobody lays their hand open under these rules (rule 18)")
    if len(laid.cards) != setting.sizes[laid.seat]:
        raise CaseLogError(
            "the hand of {me} needs {sizes} cards, and has {count}",
            me=setting.names[laid.seat],
            count=len(laid.cards),
            sizes=setting.sizes[laid.seat],
        )
