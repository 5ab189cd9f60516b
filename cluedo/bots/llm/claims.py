"""What a language model claims to know before it moves: how it is asked, and how what it says is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cluedo.ai.exercises import GivenAnswer
from cluedo.ai.knowledge.caselog import CaseLog
from cluedo.bots.llm.asking import UnfitAnswer, chosen, json_form, last_object

__all__ = ["ClaimsForm"]

_TEXT = """\
Before you move: what do you know? Nobody else is told.
proved: all that follows with certainty and was not shown to you. A card, a place, and whether the card is there. Give \
every card whose place is certain; of the others, those that cannot be in the envelope. Do not guess: what is not \
certain counts as wrong.
envelope: for each card the probability that it is in the envelope, if all deals that fit are equally likely."""


@dataclass(frozen=True, slots=True)
class ClaimsForm:
    """The question for claims, as it is put to a model, and the form of its answer.

    Attributes:
        cards: the names of all cards.
        places: those of the players and of the other places that a card may be at.
    """

    cards: tuple[str, ...]
    places: tuple[str, ...]
    text = _TEXT

    @classmethod
    def of(cls, log: CaseLog) -> ClaimsForm:
        """The form for somebody who knows this log."""
        return cls(tuple(log.setting.deck.names), tuple(log.setting.places))

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer."""
        spot = {"card": _one_of(self.cards), "place": _one_of(self.places), "there": {"type": "boolean"}}
        odds = {card: {"type": "number"} for card in self.cards}
        return json_form({"proved": {"type": "array", "items": json_form(spot)}, "envelope": json_form(odds)})

    @property
    def form(self) -> str:
        """The form of the answer in words."""
        places, card = json.dumps(self.places, ensure_ascii=False), json.dumps(self.cards[0], ensure_ascii=False)
        return (
            f'{{"proved": [{{"card": a card, "place": one of {places}, "there": true or false}}, …], '
            f'"envelope": {{{card}: a number from 0 to 1, … and so on for each card}}}}'
        )

    def read(self, said: str) -> GivenAnswer:
        """The claims in what a model says; raises :class:`UnfitAnswer` where they cannot be read."""
        answer = last_object(said, "proved", "envelope")
        proved: dict[tuple[str, str], bool] = {}
        for claim in _listed(answer.get("proved")):
            card, place, there = self._claim(claim)
            if proved.setdefault((card, place), there) is not there:
                raise UnfitAnswer("it says both that {card} is at {place} and that it is not", card=card, place=place)
        odds = answer.get("envelope")
        return GivenAnswer(proved, None if odds is None else self._odds(odds))

    def _claim(self, claim: Any) -> tuple[str, str, bool]:
        parts = [claim.get(key) for key in ("card", "place", "there")] if isinstance(claim, Mapping) else claim
        if not isinstance(parts, list) or len(parts) != 3 or not isinstance(parts[2], bool):
            raise UnfitAnswer("each thing that is proved is a card, a place, and true or false")
        return chosen(parts[0], self.cards), chosen(parts[1], self.places), parts[2]

    def _odds(self, odds: Any) -> dict[str, float]:
        if not isinstance(odds, Mapping):
            raise UnfitAnswer("envelope has a probability for each card")
        for p in odds.values():
            if isinstance(p, bool) or not isinstance(p, int | float) or not 0.0 <= p <= 1.0:
                raise UnfitAnswer("a probability is a number from 0 to 1, not {p}", p=json.dumps(p)[:20])
        return {chosen(card, self.cards): float(p) for card, p in odds.items()}


def _one_of(names: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}


def _listed(proved: Any) -> list[Any]:
    if proved is None:
        return []
    if not isinstance(proved, list):
        raise UnfitAnswer("proved is a list")
    return proved
