"""Facts and conclusions as sentences a person can check against their notes."""

from __future__ import annotations

from collections.abc import Sequence

from cluedo.ai.knowledge.evidence import Evidence, Fact, Given, Premise
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown
from cluedo.engine.phrase import Phrase, all_of, listed, one_of

__all__ = ["conclusion", "deal_in_words", "facts_in_words"]


def facts_in_words(facts: Sequence[Premise], evidence: Evidence) -> list[Phrase]:
    """A sentence without its full stop for each fact, in order; my own cards share the first, open cards the next."""
    given = [fact for fact in facts if isinstance(fact, Given)]
    mine = [evidence.deck.names[fact.card] for fact in given if fact.place == evidence.me]
    face_up = [evidence.deck.names[fact.card] for fact in given if fact.place != evidence.me]
    said = [Phrase("You hold {cards}", cards=all_of(mine))] if mine else []
    if face_up:
        said.append(Phrase("Open on the table: {cards}", cards=all_of(face_up)))
    return said + [
        Phrase("{unit} {number}: {fact}", unit=evidence.unit, number=fact.turn, fact=_event(fact, evidence))
        for fact in facts
        if isinstance(fact, Fact)
    ]


def conclusion(card: int, place: int, proved: bool, evidence: Evidence) -> Phrase:
    """What is proved of a card and a place, without a full stop."""
    name = evidence.deck.names[card]
    if place == evidence.envelope:
        return _narrate(proved, "{card} is in the envelope", "{card} is not in the envelope", card=name)
    if place == evidence.pool_at:
        return _narrate(proved, "{card} is in the pool", "{card} is not in the pool", card=name)
    if place == evidence.open_at:
        return _narrate(proved, "{card} lies open on the table", "{card} does not lie open on the table", card=name)
    if place == evidence.me:
        return _narrate(proved, "you hold {card}", "you do not hold {card}", card=name)
    who = evidence.names[place]
    return _narrate(proved, "{who} holds {card}", "{who} does not hold {card}", who=who, card=name)


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


def _narrate(first: bool, one: str, other: str, **values: object) -> Phrase:
    """The first of two sentences, or the other."""
    return Phrase(one if first else other, **values)


def _event(fact: Fact, evidence: Evidence) -> Phrase:
    names, deck = evidence.names, evidence.deck
    who, mine = names[fact.event.seat], fact.event.seat == evidence.me
    cards = [deck.names[card] for card in fact.cards]
    match fact.event:
        case HypothesisMade():
            told = {"who": who, "cards": all_of(cards)}
            if evidence.rules.own_cards == "not_all" and not mine:
                return Phrase("{who} asked about {cards}, so does not hold all three", **told)
            return _narrate(mine, "you asked about {cards}", "{who} asked about {cards}", **told)
        case Passed():
            told = {"who": who, "cards": one_of(cards)}
            return _narrate(mine, "you could not show {cards}", "{who} could not show {cards}", **told)
        case Shown(_, _, None):
            return _narrate(mine, "you showed {cards}", "{who} showed {cards}", who=who, cards=one_of(cards))
        case Shown(_, asker, card):
            assert card is not None
            told = {"who": who, "asker": names[asker], "card": deck.names[card]}
            if asker == evidence.me:
                return Phrase("{who} showed you {card}", **told)
            return _narrate(mine, "you showed {asker} {card}", "{who} showed {asker} {card}", **told)
        case Peeked(_, _, None):
            return Phrase("{who} looked at a card of the pool", who=who)
        case Peeked(_, _, seen):
            assert seen is not None
            return Phrase("you saw {card} in the pool", card=deck.names[seen])
        case HandShown(_, hand):
            told = {"who": who, "cards": deck.listed(hand)}
            return _narrate(mine, "you showed your hand: {cards}", "{who} showed their hand: {cards}", **told)
        case Accused(correct=correct):
            told = {"who": who, "cards": _together(cards)}
            if correct:
                return _narrate(mine, "you accused {cards}, rightly", "{who} accused {cards}, rightly", **told)
            return _narrate(mine, "you accused {cards}, wrongly", "{who} accused {cards}, wrongly", **told)


def _together(cards: Sequence[str]) -> Phrase:
    suspect, weapon, room = cards
    return Phrase("{suspect}, {weapon} with {room}", suspect=suspect, weapon=weapon, room=room)
