"""Makes the players of a line-up and their random generators, by seat, for a match."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cluedo.ai.absent import player_or_absent
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.player import Player
from cluedo.engine.deal import Seeds, places_by_seat

__all__ = ["seat_players"]


def seat_players(
    line_up: Sequence[PlayerSpec | Player | None], seeds: Seeds, rotation: int = 0
) -> tuple[list[Player | None], list[Random]]:
    """The players and their generators by seat: ``Match(game, *seat_players(line_up, seeds))`` plays a game.

    Args:
        line_up: by place, a player, or how one is made, anew for each game; None for a person.
        seeds: of the deal; whoever sits on a place has the same chances on whatever seat.
        rotation: by how many seats the line-up is turned round the table.
    """
    players = [player_or_absent(who) if isinstance(who, PlayerSpec) else who for who in line_up]
    places = places_by_seat(len(players), rotation)
    return [players[place] for place in places], [seeds.for_player(rotation, place) for place in places]
