"""Games that levels play to their end without a fault, and the same games again, command by command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from cluedo.ai.knowledge import EvidenceReader
from cluedo.ai.match import Match
from cluedo.ai.player import Clock, Player
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Command
from cluedo.engine.game import Game
from helpers.other_deals import cut
from helpers.support import drawn_game, make_match, make_player

PLAYED = pytest.mark.parametrize(
    ("level", "seats", "name", "movement"),
    [("hard", 4, "manoir", "walk"), ("expert", 3, "classic", "free"), ("medium", 3, "tiny", "walk")],
)
"""Games that are looked at after each turn."""


def played(levels: Sequence[str | Player], board: str | Board, seed: int, deal: int = 0, **rules: Any) -> Match:
    """The match of a whole game of levels, without a fault, however long they think."""
    board = Board.load(board) if isinstance(board, str) else board
    match = make_match(drawn_game(board, len(levels), seed, deal, **rules), levels, seed=deal, clock=Clock(None))
    match.play()
    assert not match.faults, match.faults
    return match


def patient(kind: type[Player]) -> type[Player]:
    """A level that no clock is for: it may think as long as a busy machine takes."""
    return type(kind.__name__, (kind,), {"keeps_time": True})


def seated(game: Game, level: str, seat: int = 0, seed: int = 4) -> Player:
    """A player of a level that sits down on a seat."""
    player = make_player(level)
    player.begin(game.view(seat), Random(seed))
    return player


def steps(game: Game) -> Iterator[tuple[Game, Command]]:
    """The game from its deal on: before each command the game so far, which is one object, and the command."""
    again = Game(game.table.board, game.table.rules, game.state.deal)
    for command in game.commands:
        yield again, command
        again.execute(command)


def seen_until(game: Game, seat: int, turns: int) -> EvidenceReader:
    """What a seat could read after some turns, the solution not included."""
    return EvidenceReader(cut(game, turns, Accusation(*game.state.deal.envelope)).view(seat))
