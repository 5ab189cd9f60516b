"""How the table of a game stood, turn after turn."""

from __future__ import annotations

from dataclasses import dataclass

from cluedo.engine.commands import Move
from cluedo.engine.game import Game

__all__ = ["Position", "positions"]


@dataclass(frozen=True, slots=True)
class Position:
    """How the table stands after a turn.

    Attributes:
        who: whose turn it was; nobody's at the deal.
        walk: from where to where its pawn walked over the board, if it did.
        pawns, weapons: by suspect and by weapon, the place.
        eliminated: the mask of the seats that are out.
    """

    who: int | None
    walk: tuple[int, int] | None
    pawns: tuple[int, ...]
    weapons: tuple[int, ...]
    eliminated: int


def positions(game: Game) -> list[Position]:
    """How the table stood at the deal, and after every turn, the last one included even if it is not over."""
    again = Game(game.table.board, game.table.rules, game.state.deal)
    stood = [Position(None, None, again.state.pawns, again.state.weapons, again.state.eliminated)]
    walk = None
    for number, command in enumerate(game.commands, start=1):
        turn, who, place = again.state.turn, again.state.active, again.state.place
        if isinstance(command, Move) and not game.table.free:
            walk = place, command.to
        again.execute(command)
        state = again.state
        if state.turn > turn or number == len(game.commands):
            stood.append(Position(who, walk, state.pawns, state.weapons, state.eliminated))
            walk = None
    return stood
