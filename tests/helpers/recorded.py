"""Games as files, for tests of what replays them; and the same game under a deal that a seat cannot tell apart."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest

from cluedo.ai.knowledge import CHOICE, Posterior
from cluedo.engine.board import Board
from cluedo.engine.game import Game
from cluedo.engine.record import RecordWriter
from helpers.level_games import seen_until
from helpers.other_deals import cut, other_deals, replay_for
from helpers.support import DECK_ALONE, drawn_game, make_match, write_map

LEVELS = ("hard", "expert", "medium", "hard", "expert", "medium")


@cache
def played(
    name: str = "manoir", seats: int = 4, deal: int = 0, movement: str = "walk", levels: tuple[str, ...] = LEVELS
) -> Game:
    """A whole game of players of three levels, or others; who wins the first one of four led for some turns."""
    game = drawn_game(Board.load(name), seats, 46, deal, movement=movement, max_turns=90)
    make_match(game, levels[:seats], seed=deal).play()
    return game


@cache
def envelopes_left(game: Game, turn: int, seat: int) -> int:
    """How many envelopes a seat thought possible after a turn, a right accusation not told."""
    return int((Posterior(seen_until(game, seat, turn).evidence, CHOICE).joint > 0.0).sum())


def record_of(game: Game, path: Path, **origin: int) -> Path:
    """The game as a file."""
    line = RecordWriter(game.table.board, game.table.rules).line(game, LEVELS[: game.table.seats], **origin)
    path.write_text(line + "\n", encoding="utf-8")
    return path


def deck_game(folder: Path) -> Path:
    """The record of a game on a deck without a board, whose map stands beside it."""
    board = Board.load(str(write_map(folder, json.dumps(DECK_ALONE))))
    game = drawn_game(board, 3, 1, movement="free", max_turns=30)
    make_match(game, ["hard"] * 3).play()
    return record_of(game, folder / "deck.jsonl")


def too_many(monkeypatch: pytest.MonkeyPatch, error: type[BaseException] = MemoryError) -> None:
    """Let the deals that fit be too many to count, from now on."""

    def give_up(self: Posterior) -> NoReturn:
        raise error

    monkeypatch.setattr(Posterior, "update", give_up)


def twins(seat: int, wanted: int = 3) -> tuple[Game, list[Game]]:
    """Most of a game, and the same under other deals of which the seat cannot tell which is true."""
    game = cut(played(), played().state.turn * 2 // 3)
    deals = other_deals(game, seat, Random(8), wanted=wanted)
    return game, [replay_for(seat, game, deal) for deal in deals]
