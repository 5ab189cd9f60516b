"""A position of a game, and what follows from it: proofs and their depth, odds, and what each question is worth.

Odds count every deal that fits alike (model `uniform`); proofs depend on no model. A question's worth is what its
answer is expected to tell about the envelope, in bits, where whoever can show several cards picks one of them evenly.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import chain
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np
from pydantic import Field, TypeAdapter

from cluedo.ai.knowledge.caselog import CaseLog, read_case_log
from cluedo.ai.knowledge.evidence import Evidence
from cluedo.ai.knowledge.gains import every_gain
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.posterior import Posterior, TooManyDeals
from cluedo.ai.knowledge.reasons import Prover
from cluedo.ai.knowledge.sat import variable
from cluedo.ai.knowledge.seat_knowledge import Proof, SeatKnowledge
from cluedo.engine.board import Board
from cluedo.engine.file_io import FORMAT

__all__ = [
    "LEAST_DEPTHS",
    "ExactAnswer",
    "Finding",
    "Position",
    "difficulty_of",
    "exact_answer",
    "findings",
    "rounded_chance",
]

_DIGITS = 4
_LEAST = 10.0**-_DIGITS

LEAST_DEPTHS: Final = (2, 4, 6, 9, 13)
"""The depth of proof at which each difficulty from 1 to 5 begins."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position: what one player knows before a turn of their own, without any answer.

    Attributes:
        difficulty: from 0 (nothing to prove) to 5, by :func:`cluedo.ai.positions.difficulty_of`; ``level`` in files.
        log: all that the player knows.
        id: a name that follows from the log alone, so that it tells nothing else.
    """

    difficulty: int
    log: CaseLog
    id: str

    @classmethod
    def of(cls, difficulty: int, log: CaseLog) -> Position:
        """The position of a case log, named after it."""
        mark = sha256(json.dumps(log.to_json(), sort_keys=True).encode()).hexdigest()[:8]
        return cls(difficulty, log, f"{log.setting.board.map.name}-{len(log.setting.names)}-{mark}")

    def to_json(self, text: str | None = None) -> dict[str, Any]:
        """The position as it stands in a file, in words too where these are given."""
        words = {} if text is None else {"text": text}
        return {"format": FORMAT, "id": self.id, "level": self.difficulty, **words, "log": self.log.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], boards: Callable[[str], Board]) -> Position:
        """The position of :meth:`to_json`; ``boards`` gives the board of a map's name."""
        return cls(data["level"], read_case_log(data["log"], boards), data["id"])


Cards: TypeAlias = tuple[str, str, str]
"""The names of a suspect, a weapon and a room."""


class Finding(NamedTuple):
    """Something that can be proved and that nobody was shown.

    Attributes:
        card: the card's name.
        place: a player's name, or "envelope".
        there: whether it is proved to be there, or not to be.
        depth: how many facts a smallest reason needs; each of one's own cards is a fact.
    """

    card: str
    place: str
    there: bool
    depth: int


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """All that follows from a position.

    Attributes:
        id: the name of the position.
        difficulty: that of the position; ``level`` in files.
        deck: the names of the suspects, of the weapons and of the rooms.
        deals: how many deals fit.
        bits: what is unknown about the envelope.
        cards: by card, then by place (the players and "envelope"), the probability. Only what is proved is 0 or 1.
        proved: what there is to prove, the easiest first.
        likeliest: the likeliest envelope, and ``chance``: how likely.
        gains: by suspect, weapon and room, the bits that the question is expected to tell.
        source: from which game the position is, so that it can be drawn again.
    """

    id: str
    difficulty: Annotated[int, Field(validation_alias="level")]
    deck: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    deals: int
    bits: float
    cards: Mapping[str, Mapping[str, float]]
    proved: tuple[Finding, ...]
    likeliest: Cards
    chance: float
    gains: tuple[tuple[tuple[float, ...], ...], ...]
    source: Mapping[str, Any]

    def gain(self, question: Sequence[str]) -> float:
        """The bits that a question is expected to tell; its cards are of the deck."""
        suspect, weapon, room = (names.index(card) for names, card in zip(self.deck, question, strict=True))
        return self.gains[suspect][weapon][room]

    def best_in(self, room: str) -> float:
        """The bits that the best question in a room is expected to tell."""
        return float(np.array(self.gains)[:, :, self.deck[2].index(room)].max())

    @property
    def best(self) -> tuple[Cards, float]:
        """The best question, the first of equals, and what it is expected to tell."""
        table = np.array(self.gains)
        suspect, weapon, room = np.unravel_index(table.argmax(), table.shape)
        cards = self.deck[0][suspect], self.deck[1][weapon], self.deck[2][room]
        return cards, float(table.max())

    def to_json(self) -> dict[str, Any]:
        """The answer as it stands in a file of keys."""
        cards, bits = self.best
        return {
            "format": FORMAT,
            "id": self.id,
            "level": self.difficulty,
            "deck": [list(names) for names in self.deck],
            "proved": [list(finding) for finding in self.proved],
            "deals": self.deals,
            "bits": self.bits,
            "cards": {card: dict(places) for card, places in self.cards.items()},
            "likeliest": list(self.likeliest),
            "chance": self.chance,
            "best": {"cards": list(cards), "bits": bits},
            "gains": [[list(row) for row in rows] for rows in self.gains],
            "source": dict(self.source),
        }

    @classmethod
    def from_json(cls, data: Any) -> ExactAnswer:
        """The answer of :meth:`to_json`; raises ValueError for what is none."""
        exact = _form().validate_python(data)
        spots = {(card, place) for card, row in exact.cards.items() for place in row}
        places = {place for _, place in spots}
        sides = tuple(map(len, exact.deck))
        whole = (
            "envelope" in places,
            set(exact.cards) == set(chain(*exact.deck)),
            len(spots) == sum(sides) * len(places),
            {(finding.card, finding.place) for finding in exact.proved} <= spots,
            all(sum(exact.cards[name]["envelope"] for name in names) > 0.0 for names in exact.deck),
            all(0.0 <= p <= 1.0 for row in exact.cards.values() for p in row.values()),
            np.array(exact.gains).shape == sides,
            np.isfinite(exact.gains).all(),
        )
        if not all(whole):
            raise ValueError("its parts do not fit together")
        return exact


@cache
def _form() -> TypeAdapter[ExactAnswer]:
    return TypeAdapter(ExactAnswer)


def findings(evidence: Evidence) -> list[Finding]:
    """What can be proved: the places of cards, and which cards are not in the envelope though their holder is unknown.

    What a single fact says goes without saying. So does that a card is nowhere else where its place is known, and that
    no other card of its category is in the envelope where one is. The easiest come first.

    Raises:
        TooManyDeals: the deals that fit are too many to count.
    """
    known = SeatKnowledge(evidence, UNIFORM)
    if known.deals is None or not known.exact:
        raise TooManyDeals
    proofs = [proof for card in range(evidence.deck.size) for proof in _to_prove(known, card)]
    prover = Prover(evidence)
    found = [_finding(prover, proof) for proof in proofs]
    return sorted((finding for finding in found if finding.depth > 1), key=lambda finding: finding.depth)


def difficulty_of(found: Sequence[Finding]) -> int:
    """The difficulty of a position: by the depth of its deepest proof, 0 where there is nothing to prove.

    Difficulty 1 takes 2 or 3 facts, 2 takes 4 or 5, 3 takes 6 to 8, 4 takes 9 to 12, 5 takes more.
    """
    return bisect_right(LEAST_DEPTHS, max((finding.depth for finding in found), default=0))


def exact_answer(position: Position, found: Sequence[Finding], source: Mapping[str, Any]) -> ExactAnswer:
    """Work out what follows from a position; ``found`` is what there is to prove, by :func:`findings`."""
    evidence = position.log.evidence()
    known, deck = SeatKnowledge(evidence, UNIFORM), evidence.deck
    assert known.deals is not None, "they were counted to find what there is to prove"
    assert known.bits is not None, "likewise"
    likeliest = known.envelopes[0][0]
    places = list(evidence.place_names)
    suspect, weapon, room = (deck.names[card] for card in likeliest)
    suspects, weapons, rooms = (tuple(deck.names[card] for card in ids) for ids in deck.ids)
    gains = np.round(every_gain(Posterior(evidence, UNIFORM)), _DIGITS) + 0.0  # not -0.0
    return ExactAnswer(
        position.id,
        position.difficulty,
        (suspects, weapons, rooms),
        known.deals,
        round(known.bits, _DIGITS),
        {
            card: {place: rounded_chance(p) for place, p in zip(places, row, strict=True)}
            for card, row in zip(deck.names, known.chances, strict=True)
        },
        tuple(found),
        (suspect, weapon, room),
        rounded_chance(known.chance(likeliest)),
        tuple(tuple(tuple(row) for row in rows) for rows in gains.tolist()),
        source,
    )


def _to_prove(known: SeatKnowledge, card: int) -> list[Proof]:
    """The proofs about a card, without those that a single fact about it makes plain."""
    evidence, envelope = known.evidence, known.evidence.envelope
    at = next((place for place in range(evidence.places) if known.status(card, place)), None)
    if at is not None:
        return [] if evidence.has[at] >> card & 1 else [Proof(card, at, True)]
    settled = known.settled[evidence.deck.category(card)] is not None
    if known.status(card, envelope) is False and not settled and evidence.may[envelope] >> card & 1:
        return [Proof(card, envelope, False)]
    return []


def _finding(prover: Prover, proof: Proof) -> Finding:
    evidence = prover.evidence
    spot = variable(proof.card, proof.place, evidence.places)
    core = prover.core([-spot if proof.there else spot], math.inf)  # a clock would let the depth depend on the machine
    assert core is not None, "it is proved"
    return Finding(evidence.deck.names[proof.card], evidence.place_names[proof.place], proof.there, len(core.facts))


def rounded_chance(p: float | None) -> float:
    """A counted probability rounded to few digits, but to 0 or 1 only if it is proved."""
    assert p is not None, "the deals are counted"
    return p if p in (0.0, 1.0) else min(max(round(p, _DIGITS), _LEAST), 1.0 - _LEAST)
