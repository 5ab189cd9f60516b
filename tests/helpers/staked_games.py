"""Games by line-ups of strong players, and what was staked in them: for processes, which import this module."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from cluedo.ai.level_expert import ExpertPlayer
from cluedo.ai.levels import parse_player
from cluedo.ai.player import Player
from cluedo.engine.events import Accused
from helpers.level_games import played
from research.guesses import Forecaster

LINE_UPS: tuple[tuple[list[str], str, dict[str, Any]], ...] = (
    (["expert", "expert", "hard", "hard"], "manoir", {}),
    (["expert"] * 4, "manoir", {}),
    (["expert", "medium", "easy", "random"], "classic", {}),
    (["hard", "expert", "medium"], "manoir", {"dice": 1}),
    (["expert", "hard", "expert", "hard", "expert"], "classic", {}),
    (["hard", "expert", "medium", "expert", "hard", "expert"], "manoir", {}),
    (["expert", "expert:reading=off", "hard:own_cards=never"], "manoir", {"movement": "free"}),
    (["expert", "hard", "expert"], "tiny", {}),
)
"""Players, map, rules."""


class Stake(NamedTuple):
    """An accusation of a hard or expert player: the probability that it gave, 1.0 for proof; and the outcome."""

    level: str
    claim: float
    right: bool


def stakes(games: range) -> list[Stake]:
    """Every accusation of these games, which have no faults. Line-ups take turns; seats turn with the deals."""
    found: list[Stake] = []
    for number in games:
        deal, which = divmod(number, len(LINE_UPS))
        levels, name, rules = LINE_UPS[which]
        first = deal % len(levels)
        players = [staking(level) for level in levels[first:] + levels[:first]]
        match = played(players, name, 1_000 + which, deal, **rules)
        for event in match.game.events:
            level = levels[(event.seat + first) % len(levels)].partition(":")[0]
            if isinstance(event, Accused) and level in ("hard", "expert"):
                said = getattr(match.players[event.seat], "said", [])  # hard has nothing but proof
                claim = next((chance for guessed, chance in said if guessed), 1.0)
                found.append(Stake(level, claim, event.correct))
    return found


def staking(level: str) -> Player:
    """A player of a level; `expert` says how likely its guesses are."""
    spec = parse_player(level)
    return (replace(spec, player_class=Forecaster) if spec.player_class is ExpertPlayer else spec).make()
