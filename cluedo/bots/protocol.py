"""The protocol of bots, version 1: the messages to a program that plays a seat, and its answers.

Everything is a line of JSON. The host writes ``hello``, ``game``, ``question`` and ``result``; the bot answers the
first and each question. Cards and rooms go by their names, corridor squares as ``[x, y]``, events and commands as in
game records. ``docs/reference/bot-protocol.md`` is for those who write bots; here are both ends.
"""

from __future__ import annotations

import hashlib
import struct
from base64 import b64decode, b64encode
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError
from pydantic_core import from_json, to_json

from cluedo import __version__
from cluedo.ai.match import NoAnswer
from cluedo.ai.player import Clock
from cluedo.bots.process import BotTrouble, quote
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.codec import WireInt, event_json, places_json, read_command
from cluedo.engine.commands import Command
from cluedo.engine.errors import CluedoError, one_line
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules
from cluedo.engine.turn_questions import TurnQuestion
from cluedo.engine.validation import sentence
from cluedo.engine.view import PlayerView

__all__ = [
    "FAULTS",
    "NO_CHOICES",
    "PROTOCOL",
    "STREAM",
    "BotHello",
    "BotName",
    "Message",
    "game_message",
    "hello_message",
    "line_of",
    "message_of",
    "question_message",
    "read_answer",
    "read_faults",
    "read_hello",
    "read_stream",
    "result_message",
    "stream_json",
]

PROTOCOL: Final = 1

STREAM: Final = "python_random"
"""What a bot in Python may ask for in its hello: the very generator that it would have in our process."""

NO_CHOICES: Final = "no_choices"
"""What any bot may ask for: questions that do not list what is allowed, which are sooner written and read."""

FAULTS: Final = "faults"
"""What a bot may ask for that answers the result, too: it tells then what failed while it was told something."""

_NAME: Final = 80
_ERROR: Final = 200
_USUAL: Final = 200
"""Bytes that a usual answer has at most."""
_MOST_FAULTS: Final = 100
"""Faults of one answer that are noted."""

Message = dict[str, Any]

_Blame: TypeAlias = Callable[[str], None] | None
"""Notes what a bot says has failed, if anybody does."""


class BotName(NamedTuple):
    """A bot's name and version."""

    name: str
    version: str


# ---- what the host says ------------------------------------------------------------------------------


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as a line of JSON."""
    return to_json(message) + b"\n"


def message_of(line: bytes) -> Any:
    """A message of the host, as it was sent: several times as fast as by the standard library."""
    return from_json(line, cache_strings="keys")


def hello_message() -> Message:
    """The first message."""
    return {"type": "hello", "protocol": PROTOCOL, "host": f"cluedo {__version__}"}


def game_message(dealt: PlayerView, clock: Clock, random: Random, *, stream: bool) -> Message:
    """A game begins.

    The seed is a hash of the player's own generator, from which nothing but the seed follows.

    Args:
        dealt: what the seat may know at the deal.
        clock: the time that it has.
        random: the player's own generator.
        stream: whether the bot asked for the generator itself.
    """
    table, deck = dealt.table, dealt.deck
    message = {
        "type": "game",
        **_setting_json(table.board, table.rules),
        "players": [
            {"suspect": deck.names[suspect], "cards": size}
            for suspect, size in zip(table.suspects, table.hand_sizes, strict=True)
        ],
        "seat": dealt.seat,
        "hand": deck.names_in(dealt.hand),
        "first": table.first,
        "pool": table.pool_size,
        "open_cards": deck.names_in(table.open_cards),
        "clock": clock._asdict(),
        "seed": hashlib.sha256(repr(random.getstate()).encode()).hexdigest()[:16],
        "state": _state_json(dealt),
    }
    return message | ({STREAM: stream_json(random)} if stream else {})


@lru_cache(maxsize=16)
def _setting_json(board: Board, rules: Rules) -> Message:
    """What is the same in all games of a board by the same rules."""
    return {
        "map": board.map.model_dump(mode="json", exclude_none=True, exclude_defaults=True),
        "deck": board.deck.by_kind,
        "rules": rules.model_dump(),
    }


def question_message(
    number: int, question: TurnQuestion, view: PlayerView, sent: int, bank: float, *, choices: bool = True
) -> Message:
    """A question, with the events since the last message and all allowed answers.

    Args:
        number: the question's, which its answer repeats.
        question: what is asked.
        view: what the seat may know now.
        sent: how many events were sent before.
        bank: seconds left in its time bank.
        choices: whether it is told what is allowed.
    """
    return {
        "type": "question",
        "id": number,
        "ask": question.name,
        **({"allowed": question.choices(view)} if choices else {}),
        "time_bank": round(bank, 3),
        "state": _state_json(view),
        "events": [event_json(event, view.board) for event in view.events_since(sent)],
    }


def result_message(view: PlayerView, sent: int) -> Message:
    """The game is over."""
    return {
        "type": "result",
        "winner": view.winner,
        "reason": view.reason,
        "turns": view.turn,
        "state": _state_json(view),
        "events": [event_json(event, view.board) for event in view.events_since(sent)],
    }


def stream_json(random: Random) -> str:
    """A generator's whole state as text."""
    _, words, _ = random.getstate()
    return b64encode(struct.pack("<625I", *words)).decode()


def read_stream(text: str) -> Random:
    """The generator with that state."""
    random = Random(0)
    random.setstate((random.VERSION, struct.unpack("<625I", b64decode(text)), None))
    return random


def _state_json(view: PlayerView) -> Message:
    """How the table stands."""
    at, names, first_weapon = places_json(view.board), view.deck.names, view.deck.weapons.start
    return {
        "turn": view.turn,
        "active": view.active,
        "to_act": view.to_act,
        "step": view.step.name.lower(),
        "dice": view.dice,
        "pawns": {names[suspect]: at[place] for suspect, place in enumerate(view.pawns)},
        "weapons": {names[weapon]: at[place] for weapon, place in enumerate(view.weapons, first_weapon)},
        "used": [None if place < 0 else at[place] for place in view.used],
        "eliminated": bits(view.eliminated),
        "hypothesis": view.hypothesis and [names[card] for card in view.hypothesis],
        "refuted_by": view.refuted_by,
        "card_shown": None if view.card_shown is None else names[view.card_shown],
        "peeked": view.peeked,
        "face_up": view.deck.names_in(view.face_up),
    }


# ---- what the bot says -------------------------------------------------------------------------------


class _BotForm(BaseModel):
    """What is not known is ignored: a later version may say more."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class BotHello(_BotForm):
    """A bot's answer to the hello."""

    type: Literal["hello"]
    protocol: WireInt = Field(ge=1, le=PROTOCOL)
    name: StrictStr = Field(min_length=1)
    version: StrictStr = ""
    wants: tuple[StrictStr, ...] = ()
    error: StrictStr | None = None


class _BotFaults(_BotForm):
    """An answer to the result, or a part of any answer."""

    faults: tuple[StrictStr, ...] = ()


class _BotAnswer(_BotFaults):
    id: WireInt
    answer: dict[str, Any] | None = None
    error: StrictStr | None = None


def read_hello(line: bytes) -> tuple[BotName, frozenset[str]]:
    """Who answers a hello, and what it wants.

    Raises:
        BotTrouble: the bot says that it cannot play, or something else.
    """
    try:
        hello = BotHello.model_validate_json(line.removeprefix(BOM_UTF8))  # as some runtimes begin their output
    except ValidationError as error:
        raise BotTrouble("answered the hello with {text}: {wrong}", text=quote(line), wrong=sentence(error)) from None
    if hello.error is not None:
        raise BotTrouble(one_line(hello.error).strip() or Phrase("it cannot play, and did not say why"))
    return BotName(one_line(hello.name, _NAME), one_line(hello.version, _NAME)), frozenset(hello.wants)


def read_faults(line: bytes, blame: _Blame) -> None:
    """Pass on what a bot says has failed, in its answer to the result; raises :class:`BotTrouble` where it is none."""
    try:
        said = _BotFaults.model_validate_json(line)
    except ValidationError as error:
        raise BotTrouble("answered {answer}: {error}", answer=quote(line), error=sentence(error)) from None
    _pass_on(said, blame)


def _pass_on(said: _BotFaults, blame: _Blame) -> None:
    if blame is not None:
        for text in said.faults[:_MOST_FAULTS]:
            blame(one_line(text, _ERROR).strip() or Phrase("it failed, and did not say why"))


def read_answer(line: bytes, number: int, question: TurnQuestion, board: Board, blame: _Blame = None) -> Command | None:
    """The command that answers a question.

    Args:
        line: what the bot has said.
        number: the question's.
        question: what was asked.
        board: on which the command is read.
        blame: is told what the bot says has failed since its last answer.

    Raises:
        BotTrouble: it is no answer to this question.
        NoAnswer: it names no command that was asked for, or says why there is none; the bot goes on.
    """
    before = b'{"id":%d,"answer":' % number
    if line.startswith(before) and line.endswith(b"}") and len(line) < _USUAL:
        with suppress(ValueError, CluedoError):  # what is wrong is said below
            command = _usual_command(line[len(before) : -1], board)
            if isinstance(command, question.kinds):
                return command
    command = _read_answer(line, number, board, blame)
    if not isinstance(command, question.kinds):
        text = "null" if command is None else quote(line)
        raise NoAnswer("asked for {what}, it answered {text}", what=question.what, text=text)
    return command


def _read_answer(line: bytes, number: int, board: Board, blame: _Blame) -> Command | None:
    try:
        answer = _BotAnswer.model_validate_json(line)
    except ValidationError as error:
        raise BotTrouble("answered {answer}: {error}", answer=quote(line), error=sentence(error)) from None
    if answer.id != number:
        raise BotTrouble("answered question {id} where {number} was asked", id=answer.id, number=number)
    _pass_on(answer, blame)
    if answer.error is not None:
        raise NoAnswer(
            "{text}", text=one_line(answer.error, _ERROR).strip() or Phrase("it had no answer, and did not say why")
        )
    try:
        return None if answer.answer is None else read_command(answer.answer, board)
    except CluedoError as error:
        raise NoAnswer("answered {answer}: {error}", answer=quote(line), error=error) from None


@lru_cache(maxsize=4096)
def _usual_command(text: bytes, board: Board) -> Command | None:
    """The command that an answer stands for, or none: read once, for bots give the same answers again and again."""
    value = from_json(text)
    return None if value is None else read_command(value, board)
