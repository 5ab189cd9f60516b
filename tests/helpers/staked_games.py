"""Games by line-ups of strong players, and what was staked in them: for processes, which import this module."""

from __future__ import annotations

from typing import NamedTuple

from cluedo.ai.levels import parse_players
from cluedo.ai.match import Match
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.events import Accused
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from helpers.support import board_of

LINE_UPS = (
    ("expert,expert,hard,hard", "manoir", ()),
    ("expert,expert,expert,expert", "manoir", ()),
    ("expert,medium,easy,random", "classic", ()),
    ("hard,expert,medium", "manoir", ("dice=1",)),
    ("expert,hard,expert,hard,expert", "classic", ()),
    ("hard,expert,medium,expert,hard,expert", "manoir", ()),
    ("expert,expert:reading=off,hard:own_cards=never", "manoir", ("movement=free",)),
    ("expert,hard,expert", "tiny", ()),
)
"""Players, map, rules."""


class Stake(NamedTuple):
    """An accusation of a hard or expert player: the probability that it gave, 1.0 for proof; and the outcome."""

    level: str
    claim: float
    right: bool


def stakes(games: range) -> tuple[list[Stake], list[str]]:
    """Every accusation of these games, and the faults in them. Line-ups take turns; seats turn with the deals."""
    found: list[Stake] = []
    faults: list[str] = []
    for number in games:
        deal, which = divmod(number, len(LINE_UPS))
        text, map_name, options = LINE_UPS[which]
        specs = parse_players(text)
        seats = len(specs)
        placed = [specs[(seat + deal) % seats] for seat in range(seats)]
        board, rules, seeds = board_of(map_name), Rules.from_options(options), Seeds(1_000 + which, deal, seats)
        game = Game(board, rules, draw_deal(seeds, board.deck, rules))
        randoms = [seeds.for_player(deal, (seat + deal) % seats) for seat in range(seats)]
        match = Match(game, [spec.make() for spec in placed], randoms)
        match.play()
        faults += [f"game {number}: {placed[fault.seat].text} {fault.text}" for fault in match.faults]
        for event in game.events:
            level = placed[event.seat].text.partition(":")[0]
            if isinstance(event, Accused) and level in ("hard", "expert"):
                claim = getattr(match.players[event.seat], "claim", 1.0)  # hard has nothing but proof
                found.append(Stake(level, claim, event.correct))
    return found, faults
