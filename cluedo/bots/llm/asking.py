"""What a language model is told and asked, and what its answer means.

All of it is English, whatever language is spoken: else a game would depend on who looks on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cluedo.ai.knowledge.caselog import PERSONS, CaseLog, case_log
from cluedo.ai.positions import GivenAnswer
from cluedo.engine.board import UNREACHABLE
from cluedo.engine.cards import Category, closest, meant
from cluedo.engine.commands import Accusation, Command, Hypothesis, Move, Peek, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.errors import CluedoError, one_line
from cluedo.engine.events import HypothesisMade
from cluedo.engine.state import REFUTE
from cluedo.engine.turn_questions import TurnQuestion
from cluedo.engine.view import PlayerView
from cluedo.language import speaking
from cluedo.words.narration import Narrator, place_name
from cluedo.words.position_text import entry_sentences, table_sentences

__all__ = [
    "RULES",
    "Asked",
    "ClaimsForm",
    "UnfitAnswer",
    "asked",
    "chosen",
    "last_object",
    "log_of",
    "named_cards",
    "past_of",
    "read_answer",
    "table_text",
]

RULES: Final = """\
You play Cluedo. One suspect, one weapon and one room are in an envelope; the players hold all other cards. In a turn \
a player moves a pawn, and in a room may ask about a suspect, a weapon and that room. Going round the table in turn \
order, each player who holds none of the three says so ("cannot answer"); the first who holds one or more shows \
exactly one of them, to the asker alone. Nobody is asked after that. Whoever asked in a room has to leave it before \
they ask there again, unless their pawn was brought to it. At the end of a turn its player may accuse: who names the \
three cards in the envelope wins, who does not is out, but still shows cards. Everybody wants to win.
Answer with one object of JSON in the form that is asked for, and nothing else."""

_NOTHING: Final = "nothing"
_CARDS: Final = ("suspect", "weapon", "room")
_QUOTED: Final = 120
_LONGEST: Final = 20_000
"""Letters at the end of an answer that are read."""

_WORDS: Final = {
    "peek": "You may look at one card of the pool.",
    "move": "It is your turn. How do you move?",
    "walk": "You rolled {dice}. Where do you walk?",
    "hypothesis": "You are in {place} and may ask about it. What do you ask?",
    "card": "You hold {cards} of these. Which one do you show?",
    "accusation": "Your turn ends. Do you accuse? Only a right accusation wins, and a wrong one puts you out.",
}

_CLAIMS: Final = """\
Before you move: what do you know? Nobody else is told.
proved: all that follows with certainty and was not shown to you. A card, a place, and whether the card is there. Give \
every card whose place is certain; of the others, those that cannot be in the envelope. Do not guess: what is not \
certain counts as wrong.
envelope: for each card the probability that it is in the envelope, if all deals that fit are equally likely."""


class UnfitAnswer(CluedoError):
    """An answer of a model that cannot be read, or names something that does not exist."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a model.

    Attributes:
        text: the question in words, with the choices.
        notes: whether it may write notes to itself, too.
        options: by name, what may be chosen; empty where cards are named.
        cards: by kind of card, the names that may be named; empty where there are options.
        make: makes the command of three cards.
    """

    text: str
    notes: bool
    options: Mapping[str, Command | None]
    cards: Mapping[str, Sequence[str]]
    make: Callable[[int, int, int], Command] | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer."""
        parts: dict[str, Any] = {"notes": {"type": "string"}} if self.notes else {}
        if self.options:
            parts["choice"] = {"type": "string", "enum": list(self.options)}
        else:
            named = {kind: {"type": "string", "enum": list(names)} for kind, names in self.cards.items()}
            parts["cards"] = {"anyOf": [_json_form(named), {"type": "null"}]}
        return _json_form(parts)

    @property
    def form(self) -> str:
        """The form of the answer in words."""
        note = '"notes": "all that you want to read again when you are next asked, in few words", '
        first = note if self.notes else ""
        if self.options:
            return f'{{{first}"choice": one of {json.dumps(list(self.options), ensure_ascii=False)}}}'
        lists = ", ".join(f'"{kind}": one of {json.dumps(list(names))}' for kind, names in self.cards.items())
        return f'{{{first}"cards": null for {_NOTHING}, or {{{lists}}}}}'


def _json_form(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object that has all of some parts, and no others."""
    return {"type": "object", "properties": dict(parts), "required": list(parts), "additionalProperties": False}


# ---- what is told ------------------------------------------------------------------------------------


def log_of(view: PlayerView) -> tuple[CaseLog, list[str]]:
    """What a seat knows of the questions so far, and the sentences of one that waits for its own answer."""
    events = list(view.events)
    waiting = []
    if view.step is REFUTE:
        last = max(number for number, event in enumerate(events) if isinstance(event, HypothesisMade))
        events, waiting = events[:last], events[last:]
    log = case_log(view.table, events, view.seat, view.hand, names=PERSONS)
    narrator = Narrator(view.deck, log.setting.names, view.seat)
    with speaking("en"):
        return log, [narrator.tell(event) for event in waiting]


def table_text(view: PlayerView) -> str:
    """The cards, the players, the rules that differ, and what the seat holds."""
    with speaking("en"):
        return "\n".join(table_sentences(log_of(view)[0].setting))


def past_of(view: PlayerView) -> list[str]:
    """What has happened before the question that is under way, a numbered line each."""
    with speaking("en"):
        return [f"{number}. {told}" for number, told in enumerate(entry_sentences(log_of(view)[0]), 1)]


def asked(question: TurnQuestion, view: PlayerView, *, notes: bool = True) -> Asked:
    """A question in words, and how it can be answered, with notes to itself or without."""
    deck, kind = view.deck, question.kinds[0]
    with speaking("en"):
        place = place_name(view.board, view.place)
        words = _WORDS[question.name].format(
            dice=sum(view.dice or ()),
            place=place,
            cards=", ".join(deck.names_in(ShowCard.choices(view))) if question.name == "card" else "",
        )
        lines = [*log_of(view)[1], words]
        if question.name == "move":
            lines = [f"Your pawn is {_whereabouts(view)}.", *lines, *_distances(view)]
        if kind not in (Hypothesis, Accusation):
            return Asked("\n".join(lines), notes, dict(_options(question, view)), {})
    named = question.choices(view)
    cards = {one: named[f"{one}s"] for one in _CARDS}
    return Asked("\n".join(lines), notes, {}, cards, kind)


def _whereabouts(view: PlayerView) -> str:
    return f"in {view.board.node(view.place)}" if view.board.is_room(view.place) else "outside the rooms"


def _distances(view: PlayerView) -> Iterator[str]:
    board = view.board
    if view.table.free:
        return
    steps = (f"{board.node(board.rooms_at + room)} {steps}" for steps, room in board.nearest[view.place])
    yield f"Steps to rooms: {', '.join(steps)}."


def _options(question: TurnQuestion, view: PlayerView) -> Iterator[tuple[str, Command | None]]:
    """What may be chosen by name: of the squares within reach, those nearest to a room."""
    for command in view.legal():
        if type(command) not in question.kinds:
            continue
        match command:
            case Roll():
                yield "roll the dice", command
            case Stay():
                yield "stay", command
            case SecretPassage():
                yield f"take the secret passage to {view.board.node(view.board.passage(view.place))}", command
            case Move(to) if view.board.is_room(to):
                yield f"go to {view.board.node(to)}", command
            case ShowCard(card):
                yield f"show {view.deck.names[card]}", command
            case Peek(position):
                yield f"look at card {position + 1}", command
    yield from _walks(view)
    if type(None) in question.kinds:
        yield _NOTHING, None


def _walks(view: PlayerView) -> Iterator[tuple[str, Command]]:
    """For each room out of reach, the walk that ends nearest to it."""
    board, reach = view.board, view.reach
    squares = reach.mask & board.squares
    if not squares:
        return
    for room in view.deck.rooms:
        place = board.room_place(room)
        if place == view.place or reach.mask >> place & 1:
            continue
        ends = board.toward(place, view.place, squares, view.taken & ~(1 << view.place))
        if ends:
            end = (ends & -ends).bit_length() - 1
            left = board.distance[place - board.rooms_at][end]
            if left < UNREACHABLE:
                yield f"walk toward {board.node(place)}, {left} steps left", Move(end)


# ---- what is answered --------------------------------------------------------------------------------


def read_answer(said: str, question: Asked, view: PlayerView) -> tuple[Command | None, str]:
    """The command of an answer, and the notes in it.

    The last object of JSON counts that has what was asked for, whatever stands around it.

    Raises:
        UnfitAnswer: there is none, it names something that does not exist, or the rules forbid it.
    """
    part = "choice" if question.options else "cards"
    answer = last_object(said, part)
    if question.options:
        command = question.options[chosen(answer[part], list(question.options))]
    else:
        command = _named(answer[part], question, view)
    why = None if command is None else command.why_not(view)
    if why is not None:
        raise UnfitAnswer("{why}", why=why)
    notes = answer.get("notes")
    return command, notes if isinstance(notes, str) else ""


def _named(cards: Any, question: Asked, view: PlayerView) -> Command | None:
    names = named_cards(cards, question.cards.values())
    if names is None:
        return None
    assert question.make is not None, "there are cards to name"
    return question.make(*map(view.deck.id, names))


def named_cards(cards: Any, known: Iterable[Sequence[str]]) -> list[str] | None:
    """The three cards that an answer names, or None for nothing; raises :class:`UnfitAnswer`.

    Args:
        cards: what it says.
        known: the suspects, the weapons and the rooms that may be named.
    """
    if cards is None or cards == _NOTHING:
        return None
    if isinstance(cards, Mapping):
        cards = [cards.get(kind) for kind in _CARDS]
    if not isinstance(cards, list) or len(cards) != len(Category):
        raise UnfitAnswer("cards are a suspect, a weapon and a room, or null")
    return [chosen(name, names) for name, names in zip(cards, known, strict=True)]


def chosen(said: object, names: Sequence[str]) -> str:
    """The name that an answer means; raises :class:`UnfitAnswer` where it is none of these."""
    name = meant(str(said), names)
    if name is None:
        told = one_line(str(said), _QUOTED)
        raise UnfitAnswer("{said!r} is none of the choices; {closest}", said=told, closest=closest(told, names))
    return name


def last_object(said: str, *parts: str) -> dict[str, Any]:
    """The last object of JSON in a text that has one of some parts; raises :class:`UnfitAnswer` where there is none."""
    found = [one for one in _objects(said) if any(part in one for part in parts)]
    if found:
        return found[-1]
    raise UnfitAnswer(
        "there is no object of JSON with {part} in {text!r}", part=parts[0], text=one_line(said.strip()[-_QUOTED:])
    )


def _objects(said: str) -> Iterator[dict[str, Any]]:
    """The objects of JSON in the last part of a text, in order."""
    said = said[-_LONGEST:]
    decoder, start = json.JSONDecoder(), said.find("{")
    while start >= 0:
        try:
            found, end = decoder.raw_decode(said, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield found
        start = said.find("{", end)


# ---- what it claims to know --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClaimsForm:
    """The question for claims, as it is put to a model, and the form of its answer.

    Attributes:
        cards: the names of all cards.
        places: those of the players and of the other places that a card may be at.
    """

    cards: tuple[str, ...]
    places: tuple[str, ...]
    text = _CLAIMS

    @classmethod
    def of(cls, log: CaseLog) -> ClaimsForm:
        """The form for somebody who knows this log."""
        return cls(tuple(log.setting.deck.names), tuple(log.setting.places))

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer."""
        spot = {"card": _one_of(self.cards), "place": _one_of(self.places), "there": {"type": "boolean"}}
        odds = {card: {"type": "number"} for card in self.cards}
        return _json_form({"proved": {"type": "array", "items": _json_form(spot)}, "envelope": _json_form(odds)})

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
