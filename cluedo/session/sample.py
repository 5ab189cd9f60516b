"""A game to look at: played by the levels on the spot, always the same one in a language."""

from __future__ import annotations

from cluedo.ai.levels import parse_player
from cluedo.ai.match import Match
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.session.default_map import default_map
from cluedo.session.review_text import ReviewText
from cluedo.session.timeline import Timeline, reviewed

__all__ = ["sample_game"]

_LINE_UP = ("expert", "hard", "medium", "easy")
_SEED = 5


def sample_game() -> tuple[Timeline, list[ReviewText]]:
    """The game, and the review for each view of it."""
    board, rules, seeds = Board.load(default_map()), Rules(), Seeds(_SEED, 0, len(_LINE_UP))
    game = Game(board, rules, draw_deal(seeds, board.deck, rules))
    specs = [parse_player(level) for level in _LINE_UP]
    for spec in specs:
        spec.prepare()
    Match(game, [spec.make() for spec in specs], [seeds.for_player(0, seat) for seat in range(len(specs))]).play()
    return reviewed(game, _LINE_UP)
