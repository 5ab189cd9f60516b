"""Picks positions from games between levels: at most one per game, at the start of a turn of the player it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from random import Random
from typing import Any, Final, NamedTuple

from cluedo.ai.knowledge.caselog import PERSONS, case_log
from cluedo.ai.knowledge.posterior import TooManyDeals
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import Match, seat_players
from cluedo.ai.positions.exact import (
    LEAST_DEPTHS,
    ExactAnswer,
    Finding,
    Position,
    difficulty_of,
    exact_answer,
    findings,
)
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import TurnEnded, as_seen_by
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules

__all__ = ["PickedPosition", "Picker"]

_MOST_GAMES: Final = 2000
"""Games in which a difficulty may not come up before it is given up."""


class PickedPosition(NamedTuple):
    """A position with what can be proved in it, and the game that it comes from."""

    position: Position
    found: Sequence[Finding]
    source: dict[str, Any]

    def answer(self) -> ExactAnswer:
        """The exact answer; takes some tenths of a second."""
        return exact_answer(self.position, self.found, self.source)


class Picker:
    """Picks positions from games of one line-up on one board; the same seed and deal always give the same position.

    Args:
        board: where they play.
        players: by seat; two of one kind are two players.
        seed: the master seed of the deals.
        rules: those that they play by; of the box, if left out.
    """

    def __init__(self, board: Board, players: Sequence[PlayerSpec], seed: int, rules: Rules | None = None):
        self._board, self._players, self._seed = board, players, seed
        self._rules = rules or Rules(movement="walk" if board.has_grid else "free")

    def pick(self, deal: int) -> PickedPosition | None:
        """The position of one game, before a random turn; None where nobody has asked anything, or too much is open."""
        game = self._played(deal)
        moment = Random(f"{self._seed}/{deal}").choice(_turns(game))
        seat, hands = game.events[moment].seat, game.state.deal.hands
        events = [as_seen_by(event, seat) for event in game.events[:moment]]
        log = case_log(game.table, events, seat, hands[seat], names=PERSONS)
        if not log.entries:
            return None
        try:
            found = findings(log.evidence())
        except TooManyDeals:
            return None
        players = [spec.text for spec in self._players]
        turn = sum(isinstance(event, TurnEnded) for event in events) + 1
        source = {"seed": self._seed, "deal": deal, "turn": turn, "players": players}
        return PickedPosition(Position.of(difficulty_of(found), log), found, source)

    def positions(self, difficulty: int | None = None) -> Iterator[PickedPosition]:
        """Positions of one difficulty, or of any, without end, one of a deal.

        Raises:
            CluedoError: there has been none for a long time.
        """
        last = 0
        for deal in count():
            picked = self.pick(deal)
            if picked is not None and difficulty in (None, picked.position.difficulty):
                last = deal
                yield picked
            elif deal - last >= _MOST_GAMES:
                wanted = f"0–{len(LEAST_DEPTHS)}" if difficulty is None else difficulty
                raise CluedoError(
                    "no position of difficulty {level} in {games:,} games", level=wanted, games=_MOST_GAMES
                )

    def _played(self, deal: int) -> Game:
        seeds = Seeds(self._seed, deal, len(self._players))
        game = Game.begin(self._board, self._rules, seeds)
        Match(game, *seat_players(self._players, seeds)).play()
        return game


def _turns(game: Game) -> list[int]:
    """Where turns begin in the events."""
    after = (at for at, (before, _) in enumerate(pairwise(game.events), 1) if isinstance(before, TurnEnded))
    return [0, *after]
