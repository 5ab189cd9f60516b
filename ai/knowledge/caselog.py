"""Case logs: what one person at a table knows, as JSON. Checked here, at the edge, event by event.

The format stands in the project's design: players in turn order, my seat and hand (or neither, for a
spectator), and the events: hypotheses with who answered, and accusations with their verdict.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StrictBool, StrictInt, StrictStr, Tag, ValidationError

from cluedo.ai.knowledge.evidence import Evidence, FailedAccusation, RightAccusation, Triple
from cluedo.cards import Deck, closest
from cluedo.errors import CluedoError

__all__ = ["CaseLog", "CaseLogError", "read_case_log"]

_FORMAT = 1


class CaseLogError(CluedoError):
    """A case log that cannot be read or cannot be true; the text names the event's number."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Player(_Part):
    name: StrictStr = Field(min_length=1)
    cards: StrictInt | None = Field(default=None, ge=0)


Names = tuple[StrictStr, StrictStr, StrictStr]


class _Hypothesis(_Part):
    by: StrictStr
    hypothesis: Names
    refuted_by: StrictStr | None
    card: StrictStr | None = None


class _Accusation(_Part):
    by: StrictStr
    accusation: Names
    correct: StrictBool


def _kind(event: object) -> str:
    return "accusation" if isinstance(event, Mapping) and "accusation" in event else "hypothesis"


class _Log(_Part):
    format: StrictInt = _FORMAT
    map: StrictStr
    players: tuple[_Player, ...] = Field(min_length=2, max_length=6)
    me: StrictStr | None = None
    hand: tuple[StrictStr, ...] | None = None
    events: tuple[
        Annotated[
            Annotated[_Hypothesis, Tag("hypothesis")] | Annotated[_Accusation, Tag("accusation")], Discriminator(_kind)
        ],
        ...,
    ] = ()


@dataclass(frozen=True, slots=True)
class CaseLog:
    """A case log that has been read and checked.

    Attributes:
        map: the name of the map.
        deck: its cards.
        names: the players, in turn order.
        sizes: their hand sizes.
        me: my seat, or None for a spectator.
        hand: the mask of my cards.
        events: how many events there are.
    """

    map: str
    deck: Deck
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    me: int | None
    hand: int
    events: int
    _log: _Log

    def evidence(self, to: int | None = None, *, free: bool = False) -> Evidence:
        """The evidence of the first ``to`` events (of all, if None); ``free`` under free movement."""
        found = Evidence(self.deck, self.sizes, self.me, self.hand, names=self.names, free=free, unit="Event")
        for number, event in enumerate(self._log.events[:to], 1):
            try:
                self._take(found, number, event)
            except CluedoError as error:
                raise CaseLogError(f"event {number}: {error}") from None
        return found

    def _take(self, evidence: Evidence, number: int, event: _Hypothesis | _Accusation) -> None:
        by = self._seat(event.by)
        if any(isinstance(fact, RightAccusation) for fact in evidence.facts[-1:]):
            raise CaseLogError("nothing follows a right accusation")
        if isinstance(event, _Accusation):
            verdict = RightAccusation if event.correct else FailedAccusation
            evidence.add(verdict(number, by, self.deck.triple(event.accusation)))
            return
        triple = self.deck.triple(event.hypothesis)
        refuter = None if event.refuted_by is None else self._seat(event.refuted_by)
        if refuter == by:
            raise CaseLogError(f"{event.by} cannot refute their own hypothesis")
        evidence.add_hypothesis(number, by, triple, refuter, self._card(event, triple, by, refuter))

    def _card(self, event: _Hypothesis, triple: Triple, by: int, refuter: int | None) -> int | None:
        if event.card is None:
            return None
        card = self.deck.id(event.card)
        if refuter is None:
            raise CaseLogError(f"nobody refuted, so {event.card!r} was not shown")
        if card not in triple:
            raise CaseLogError(f"{event.card!r} is not one of the three cards asked about")
        if self.me is None or self.me not in (by, refuter):
            raise CaseLogError(f"only {event.by} and {event.refuted_by} saw the card, and you are neither")
        return card

    def _seat(self, name: str) -> int:
        if name not in self.names:
            raise CaseLogError(f"nobody at the table is called {name!r}; {closest(name, self.names)}")
        return self.names.index(name)


def read_case_log(source: str | bytes | Mapping[str, Any], decks: Callable[[str], Deck]) -> CaseLog:
    """Read a case log from JSON text or an object; ``decks`` gives the deck of a map's name.

    Raises CaseLogError (every event is checked, though not yet whether they agree), or what ``decks`` raises.
    """
    try:
        data = json.loads(source) if isinstance(source, str | bytes) else source
    except ValueError as error:
        raise CaseLogError(f"this is not JSON: {error}") from None
    if isinstance(data, Mapping) and isinstance(data.get("format"), int) and data["format"] > _FORMAT:
        raise CaseLogError(f"this case log has format {data['format']}, and this version reads up to {_FORMAT}")
    try:
        log = _Log.model_validate(data)
    except ValidationError as error:
        raise CaseLogError(_first(error)) from None
    deck = decks(log.map)
    names = tuple(player.name for player in log.players)
    sizes = _sizes(log, deck)
    me, hand = _mine(log, deck, names, sizes)
    case = CaseLog(log.map, deck, names, sizes, me, hand, len(log.events), log)
    case.evidence()
    return case


def _first(error: ValidationError) -> str:
    """The first complaint of pydantic as a sentence that names the event or the field."""
    first = error.errors()[0]
    path = list(first["loc"])
    if path[:1] == ["events"]:
        del path[2:3]  # pydantic's name for the kind of event
    message = str(first["msg"])
    text = message[0].lower() + message[1:]
    if len(path) >= 2 and path[0] in ("events", "players") and isinstance(path[1], int):
        where = f"{str(path[0])[:-1]} {path[1] + 1}"
        rest = ".".join(str(part) for part in path[2:])
    else:
        where, rest = "the case log", ".".join(str(part) for part in path)
    return f"{where}: {rest!r}: {text}" if rest else f"{where}: {text}"


def _sizes(log: _Log, deck: Deck) -> tuple[int, ...]:
    names = [player.name for player in log.players]
    if len(set(names)) < len(names) or "envelope" in names:
        raise CaseLogError(f"players need names of their own, none of them 'envelope': {', '.join(names)}")
    cards = deck.size - 3
    sizes = [player.cards for player in log.players if player.cards is not None]
    if not sizes and cards % len(names) == 0:
        return (cards // len(names),) * len(names)
    if len(sizes) < len(names):
        raise CaseLogError(
            "the number of cards of every player is needed (it may be left out where they divide evenly)"
        )
    if sum(sizes) != cards:
        raise CaseLogError(f"the players hold {cards} cards in all, not {sum(sizes)}")
    return tuple(sizes)


def _mine(log: _Log, deck: Deck, names: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[int | None, int]:
    if log.me is None and log.hand is None:
        return None, 0
    if log.me is None or log.hand is None:
        raise CaseLogError("'me' and 'hand' go together: both for a player, neither for a spectator")
    if log.me not in names:
        raise CaseLogError(f"nobody at the table is called {log.me!r}; {closest(log.me, names)}")
    for name in log.hand:
        if log.hand.count(name) > 1:
            raise CaseLogError(f"the hand has {name!r} twice")
    seat = names.index(log.me)
    try:
        hand = deck.mask(log.hand)
    except CluedoError as error:
        raise CaseLogError(f"the hand: {error}") from None
    if len(log.hand) != sizes[seat]:
        raise CaseLogError(f"the hand of {log.me} has {len(log.hand)} cards, not {sizes[seat]}")
    return seat, hand
