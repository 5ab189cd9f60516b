"""What to do at a real table: what to ask in which room, and what is newly proved."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.ai.knowledge import Proof, SeatKnowledge, Triple
from cluedo.ai.knowledge.caselog import Setting
from cluedo.ai.walking import LATER, turns_from
from cluedo.engine.cards import Category

__all__ = ["Discovery", "RoomQuestion", "Standpoint", "discoveries", "questions_by_room"]


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Where my pawn stands: a place of the board, and the place of the room that it has used up, or -1."""

    place: int
    used: int = -1


@dataclass(frozen=True, slots=True)
class RoomQuestion:
    """The best hypothesis in a room.

    Attributes:
        cards: suspect, weapon and room.
        bits: what the answer is expected to tell about the envelope, estimated.
        turns: in how many turns of mine I can expect to ask it (1: the next); ``inf`` if never, None if
            nobody knows where my pawn stands.
    """

    cards: Triple
    bits: float
    turns: float | None

    @property
    def worth(self) -> float:
        """The bits, discounted by the turns until they come."""
        return self.bits if self.turns is None else self.bits * LATER ** (self.turns - 1.0)


@dataclass(frozen=True, slots=True)
class Discovery:
    """What is proved now and was not before, or (``lost``) the reverse."""

    proof: Proof
    lost: bool = False


def questions_by_room(setting: Setting, known: SeatKnowledge, standpoint: Standpoint | None) -> list[RoomQuestion]:
    """The best question of each room, the most promising first; none for a spectator, or if all is known."""
    turns = _turns(setting, standpoint)
    rooms = setting.deck.rooms
    asked = [
        RoomQuestion(cards, bits, turns[cards[Category.ROOM] - rooms.start] if turns else None)
        for cards, bits in known.best_by_room
    ]
    return sorted(asked, key=lambda question: (-question.worth, question.cards))


def _turns(setting: Setting, standpoint: Standpoint | None) -> list[float] | None:
    if not setting.walks:
        return [1.0] * len(setting.deck.rooms)
    if standpoint is None:
        return None
    return turns_from(setting.board, setting.rules, standpoint.place, standpoint.used)


def discoveries(before: SeatKnowledge | None, after: SeatKnowledge) -> list[Discovery]:
    """What is proved after and not before, and the reverse: who holds what, then who does not.

    That a card is not elsewhere goes without saying where it is known where it is.
    """
    fresh: list[Discovery] = []
    for card in range(after.evidence.deck.size):
        was = [] if before is None else _known(before, card)
        fresh += [Discovery(proof, lost=True) for proof in was if after.status(card, proof.place) is None]
        for proof in _known(after, card):
            if before is None or before.status(card, proof.place) is not proof.there:
                fresh.append(Discovery(proof))
    return sorted(fresh, key=lambda one: _order(one, after.evidence.envelope))


def _order(one: Discovery, envelope: int) -> tuple[bool, bool, bool, int, int]:
    """Proofs before doubts, what is there before what is not, the envelope first."""
    card, place, there = one.proof
    return one.lost, not there, place != envelope, card, place


def _known(known: SeatKnowledge, card: int) -> list[Proof]:
    """Where a card is, if that is known, else where it is not."""
    statuses = [(place, known.status(card, place)) for place in range(known.evidence.places)]
    there = [Proof(card, place, True) for place, status in statuses if status is True]
    return there or [Proof(card, place, False) for place, status in statuses if status is False]
