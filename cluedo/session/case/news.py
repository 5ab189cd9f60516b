"""What a change of a case has brought: what is proved now and was not before, and the reverse."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.ai.knowledge import Proof, SeatKnowledge

__all__ = ["News", "news_of"]


@dataclass(frozen=True, slots=True)
class News:
    """Something that is proved now and was not before; with ``lost``, the reverse."""

    proof: Proof
    lost: bool = False


def news_of(before: SeatKnowledge | None, after: SeatKnowledge) -> list[News]:
    """What is proved after and not before, and the reverse: who holds what, then who does not.

    That a card is not elsewhere goes without saying where it is known where it is, as does what I hold myself.
    """
    fresh: list[News] = []
    for card in range(after.evidence.deck.size):
        was = [] if before is None else _known(before, card)
        fresh += [News(proof, lost=True) for proof in was if after.status(card, proof.place) is None]
        for proof in _known(after, card):
            if before is None or before.status(card, proof.place) is not proof.there:
                fresh.append(News(proof))
    others = [one for one in fresh if one.proof.place != after.evidence.me]
    return sorted(others, key=lambda one: _order(one, after.evidence.envelope))


def _order(one: News, envelope: int) -> tuple[bool, bool, bool, int, int]:
    """Proofs before doubts, what is there before what is not, the envelope first."""
    card, place, there = one.proof
    return one.lost, not there, place != envelope, card, place


def _known(known: SeatKnowledge, card: int) -> list[Proof]:
    """The place of a card if it is known, else the places where it is not."""
    statuses = [(place, known.status(card, place)) for place in range(known.evidence.places)]
    there = [Proof(card, place, True) for place, status in statuses if status is True]
    return there or [Proof(card, place, False) for place, status in statuses if status is False]
