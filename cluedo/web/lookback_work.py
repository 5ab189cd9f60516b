"""What the pages that look back have done in another process: reading what was sent, and playing a game again."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord, RecordWriter
from cluedo.engine.record_files import record_in
from cluedo.web.assist_work import adopt, refusal, shipped_board
from cluedo.web.replay_page import replay_parts

__all__ = ["Sent", "replayed", "sort_out"]

_MOST_TURNS: Final = 400
"""Of a game that is replayed here: every seat's knowledge is worked out after each of them."""


class Sent(NamedTuple):
    """What somebody sent: the record of a ``game`` on one line, or the state of a ``case``."""

    kind: str
    text: str


def sort_out(data: bytes, name: str, number: int | None) -> Sent:
    """Read a record (the ``number``-th of several, from 0) or a case log; raises :class:`Refused`."""
    if _is_case(data):
        return Sent("case", adopt(data))
    try:
        record = record_in(data, name, number)
        game = _played(record)
    except CluedoError as error:
        raise refusal(error) from None
    line = RecordWriter(game.table.board, game.table.rules).line(
        game,
        [player.name for player in record.players],
        seed=record.seed,
        number=record.game,
        deal=record.deal,
        rotation=record.rotation,
    )
    return Sent("game", line)


def replayed(text: str) -> dict[str, Any]:
    """What the template of a replay is filled with; raises :class:`Refused`."""
    try:
        record = GameRecord.from_json(text)
        return replay_parts(record, _played(record))
    except CluedoError as error:
        raise refusal(error) from None


def _played(record: GameRecord) -> Game:
    """The game of a record, on a shipped board and not too long; raises CluedoError."""
    board = shipped_board(record.map)
    turns = sum(entry.type == "end_turn" for entry in record.events)
    if turns > _MOST_TURNS:
        raise CluedoError(
            "a game of {turns} turns is too long to be replayed here (at most {most})", turns=turns, most=_MOST_TURNS
        )
    return record.replay(board)


def _is_case(data: bytes) -> bool:
    """Whether it is one JSON object with players and no envelope: what a record tells, a case has to find out."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "envelope" not in value and "players" in value
