"""Facts and conclusions as sentences a person can check against their notes."""

from __future__ import annotations

from collections.abc import Sequence

from cluedo.ai.knowledge.evidence import (
    Asked,
    Evidence,
    Fact,
    FailedAccusation,
    Own,
    Pass,
    Refutation,
    RightAccusation,
    Shown,
)

__all__ = ["conclusion", "sentences"]


def listing(names: Sequence[str], last: str) -> str:
    """Names with commas, and ``last`` ("and", "or") before the last one."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def sentences(facts: Sequence[Own | Fact], evidence: Evidence) -> list[str]:
    """One sentence for each fact, in order; my own cards share one, which comes first."""
    names = evidence.deck.names
    mine = [names[fact.card] for fact in facts if isinstance(fact, Own)]
    told = [f"You hold {listing(mine, 'and')}."] if mine else []
    return told + [
        f"{evidence.unit} {fact.turn}: {_event(fact, evidence)}." for fact in facts if not isinstance(fact, Own)
    ]


def conclusion(card: int, place: int, proved: bool, evidence: Evidence) -> str:
    """What is proved of a card and a place, without a full stop."""
    name = evidence.deck.names[card]
    if place == evidence.envelope:
        return f"{name} is {'' if proved else 'not '}in the envelope"
    if place == evidence.me:
        return f"you {'' if proved else 'do not '}hold {name}"
    return f"{evidence.names[place]} {'holds' if proved else 'does not hold'} {name}"


def _event(fact: Fact, evidence: Evidence) -> str:
    names = evidence.deck.names

    def who(seat: int) -> str:
        return "you" if seat == evidence.me else evidence.names[seat]

    three = [names[card] for card in fact.triple]
    match fact:
        case Asked(_, asker, _):
            return f"{who(asker)} asked about {listing(three, 'and')}"
        case Pass(_, seat, _):
            return f"{who(seat)} could not show {listing(three, 'or')}"
        case Refutation(_, seat, _):
            return f"{who(seat)} showed {listing(three, 'or')}"
        case Shown(_, seat, card, _, asker):
            return f"{who(seat)} showed {who(asker)} {names[card]}"
        case FailedAccusation(_, by, _):
            return f"{who(by)} accused {listing(three, 'with')}, wrongly"
        case RightAccusation(_, by, _):
            return f"{who(by)} accused {listing(three, 'with')}, rightly"
