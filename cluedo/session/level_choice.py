"""Lets a level choose in another process than the game's: a record goes in, commands come out.

The record is replayed for each choice. That takes a few milliseconds, and any process can choose, also after a crash.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from cluedo.ai.knowledge.kernels.detective_kernels import DETECTIVE_KERNELS
from cluedo.ai.levels import LEVELS, level_class, parse_player
from cluedo.ai.match import Match
from cluedo.ai.player import Clock, Player
from cluedo.engine.board import Board
from cluedo.engine.commands import Command
from cluedo.engine.deal import Seeds
from cluedo.engine.game import Game
from cluedo.engine.phrase import Phrase
from cluedo.engine.record import GameRecord
from cluedo.session.hints import hint_sections
from cluedo.session.sections import Section

__all__ = ["LEVEL_KERNELS", "PREPARING", "ChoiceTask", "hint_for", "prepare_levels", "think"]

PREPARING: Final = Phrase("The detective is being prepared, once after an installation: {done} % done.")
"""What is said to somebody who waits for :func:`prepare_levels`, or for the kernels that it compiles."""
LEVEL_KERNELS: Final = (*DETECTIVE_KERNELS, "cluedo.ai.playouts.play")
"""The modules whose kernels :func:`prepare_levels` compiles."""


class ChoiceTask(NamedTuple):
    """A choice that a level has to make, in any process: see :func:`think`.

    Attributes:
        record: the game so far, as a record with its seed.
        seat: who has to choose.
        level: as a line-up has it.
        clock: the time that the levels have.
    """

    record: str
    seat: int
    level: str
    clock: Clock


def think(task: ChoiceTask) -> list[Command]:
    """The commands of a level: one choice, and the end of the turn if nothing is left to choose.

    It sits down anew, and its chance comes from the seed, the seat and how far the game is: whoever gives the same
    task again, after a crash say, gets the same commands. A level that fails makes the usual choice instead.
    """
    game, seeds = _game(task.record)
    seat = task.seat
    players: list[Player | None] = [None] * game.table.seats
    players[seat] = parse_player(task.level).make()
    randoms = [Random(f"{seeds.for_player(0, at).getrandbits(64)} {len(game.events)}") for at in range(len(players))]
    match = Match(game, players, randoms, task.clock)
    done = len(game.commands)
    match.advance()
    return game.commands[done:]


def hint_for(task: ChoiceTask, since: int) -> list[Section]:
    """A hint for the seat of a task; see :func:`hint_sections`."""
    game, _ = _game(task.record)
    return hint_sections(game.view(task.seat), since)


def prepare_levels() -> None:
    """Load what levels need and what takes long."""
    for name in LEVELS:
        level_class(name).prepare()


def _game(line: str) -> tuple[Game, Seeds]:
    record = GameRecord.from_json(line)
    seeds = Seeds(record.seed or 0, record.deal or 0, len(record.players))
    dice = [seeds.for_dice(seat) for seat in range(len(record.players))]
    return record.replay(Board.load(record.map), dice=dice), seeds
