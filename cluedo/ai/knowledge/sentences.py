"""Facts and conclusions as sentences a person can check against their notes."""

from __future__ import annotations

from collections.abc import Sequence

from cluedo.ai.knowledge.evidence import Evidence, Fact, Open, Own, Premise
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown
from cluedo.engine.phrase import Phrase, all_of, listed, one_of

__all__ = ["conclusion", "deal_in_words", "facts_in_words"]


def facts_in_words(facts: Sequence[Premise], evidence: Evidence) -> list[Phrase]:
    """A sentence without its full stop for each fact, in order; my own cards share the first, open cards the next."""
    mine = [evidence.deck.names[fact.card] for fact in facts if isinstance(fact, Own)]
    shown = [evidence.deck.names[fact.card] for fact in facts if isinstance(fact, Open)]
    said = [Phrase("You hold {cards}", cards=all_of(mine))] if mine else []
    if shown:
        said.append(Phrase("Open on the table: {cards}", cards=all_of(shown)))
    return said + [
        Phrase("{unit} {number}: {fact}", unit=evidence.unit, number=fact.turn, fact=_event(fact, evidence))
        for fact in facts
        if isinstance(fact, Fact)
    ]


def conclusion(card: int, place: int, proved: bool, evidence: Evidence) -> Phrase:
    """What is proved of a card and a place, without a full stop."""
    name = evidence.deck.names[card]
    if place == evidence.envelope:
        if proved:
            return Phrase("{card} is in the envelope", card=name)
        return Phrase("{card} is not in the envelope", card=name)
    if place == evidence.pool_at:
        return Phrase("{card} is in the pool", card=name) if proved else Phrase("{card} is not in the pool", card=name)
    if place == evidence.open_at:
        if proved:
            return Phrase("{card} lies open on the table", card=name)
        return Phrase("{card} does not lie open on the table", card=name)
    if place == evidence.me:
        return Phrase("you hold {card}", card=name) if proved else Phrase("you do not hold {card}", card=name)
    who = evidence.names[place]
    if proved:
        return Phrase("{who} holds {card}", who=who, card=name)
    return Phrase("{who} does not hold {card}", who=who, card=name)


def deal_in_words(evidence: Evidence, deal: Sequence[int]) -> str:
    """Where the cards of a deal are, place by place, the envelope first; my own and the open cards are left out."""
    names = evidence.deck.names
    parts = []
    for place in range(evidence.envelope, -1, -1):
        cards = ", ".join(names[card] for card, at in enumerate(deal) if at == place)
        if place == evidence.envelope:
            parts.append(Phrase("envelope: {cards}", cards=cards))
        elif place == evidence.pool_at:
            parts.append(Phrase("pool: {cards}", cards=cards))
        elif place not in (evidence.me, evidence.open_at):
            parts.append(Phrase("{who}: {cards}", who=evidence.names[place], cards=cards))
    return listed(parts)


def _event(fact: Fact, evidence: Evidence) -> Phrase:
    names, me = evidence.names, evidence.me
    cards = [evidence.deck.names[card] for card in fact.cards]
    who = names[fact.event.seat]
    mine = fact.event.seat == me
    match fact.event:
        case HypothesisMade():
            if mine:
                return Phrase("you asked about {cards}", cards=all_of(cards))
            if evidence.rules.own_cards == "not_all":
                return Phrase("{who} asked about {cards}, so does not hold all three", who=who, cards=all_of(cards))
            return Phrase("{who} asked about {cards}", who=who, cards=all_of(cards))
        case Passed():
            if mine:
                return Phrase("you could not show {cards}", cards=one_of(cards))
            return Phrase("{who} could not show {cards}", who=who, cards=one_of(cards))
        case Shown(_, _, None):
            if mine:
                return Phrase("you showed {cards}", cards=one_of(cards))
            return Phrase("{who} showed {cards}", who=who, cards=one_of(cards))
        case Shown(_, asker, card):
            assert card is not None
            shown = evidence.deck.names[card]
            if mine:
                return Phrase("you showed {asker} {card}", asker=names[asker], card=shown)
            if asker == me:
                return Phrase("{who} showed you {card}", who=who, card=shown)
            return Phrase("{who} showed {asker} {card}", who=who, asker=names[asker], card=shown)
        case Peeked(_, _, None):
            return Phrase("{who} looked at a card of the pool", who=who)
        case Peeked(_, _, seen):
            assert seen is not None
            return Phrase("you saw {card} in the pool", card=evidence.deck.names[seen])
        case HandShown(_, hand):
            held = ", ".join(evidence.deck.names[card] for card in hand)
            if mine:
                return Phrase("you showed your hand: {cards}", cards=held)
            return Phrase("{who} showed their hand: {cards}", who=who, cards=held)
        case Accused(correct=False):
            if mine:
                return Phrase("you accused {cards}, wrongly", cards=_together(cards))
            return Phrase("{who} accused {cards}, wrongly", who=who, cards=_together(cards))
        case Accused():
            if mine:
                return Phrase("you accused {cards}, rightly", cards=_together(cards))
            return Phrase("{who} accused {cards}, rightly", who=who, cards=_together(cards))


def _together(cards: Sequence[str]) -> Phrase:
    suspect, weapon, room = cards
    return Phrase("{suspect}, {weapon} with {room}", suspect=suspect, weapon=weapon, room=room)
