"""The summary of a batch: counted game by game, in memory that does not grow with the games."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

from cluedo import __version__
from cluedo.experiments.games import GameResult
from cluedo.experiments.plan import Plan
from cluedo.experiments.stats import wilson_interval
from cluedo.mapfile import FORMAT

__all__ = ["FirstFault", "PlayerSummary", "Summary", "Tally"]


class PlayerSummary(TypedDict):
    """One level's part of a summary; a level that has several seats in the line-up is counted as one.

    Keys:
        seats: seat-games played, the number of seats it had summed over the games.
        wins: games that it won.
        win_share: its wins over the games that anybody won; None if nobody won any.
        win_rate: its wins over its seat-games, that is per seat.
        fair_share: the win rate of every level if all players of the line-up were alike and every
            game were won: one over the number of players.
        ci95: the 95 % Wilson interval of ``win_rate``.
        faults: choices lost by misbehaving.
    """

    seats: int
    wins: int
    win_share: float | None
    win_rate: float
    fair_share: float
    ci95: tuple[float, float]
    faults: int


class Summary(TypedDict):
    """What ``summary.json`` holds (format 1); the same for the same plan, but for the last two.

    Keys:
        map, rules, seed, line_up: the plan.
        games, deals: games finished, and deals of which at least one was.
        interrupted: whether fewer games were played than planned.
        players: by the player's text, in the order of the line-up.
        unsolved, unfinished: games without a winner, all eliminated or at the turn limit.
        mean_turns: turns a game, over all games.
        elapsed_s, games_per_s: how long it took.
    """

    format: int
    version: str
    map: str
    rules: dict[str, int | str]
    seed: int
    games: int
    deals: int
    line_up: list[str]
    interrupted: bool
    players: dict[str, PlayerSummary]
    unsolved: int
    unfinished: int
    mean_turns: float
    elapsed_s: float
    games_per_s: float


class FirstFault(NamedTuple):
    """A level's first fault: in which game and turn, and what it was."""

    game: int
    turn: int
    text: str


class Tally:
    """Counts results of a plan.

    Attributes:
        games: how many were added.
        first_faults: by player text, for levels that have any.
    """

    def __init__(self, plan: Plan):
        self.games = 0
        self.first_faults: dict[str, FirstFault] = {}
        self._plan = plan
        self._wins = dict.fromkeys(plan.line_up, 0)
        self._faults = dict.fromkeys(plan.line_up, 0)
        self._reasons = {"solved": 0, "unsolved": 0, "unfinished": 0}
        self._turns = 0
        self._deals = 0
        self._last_deal = -1

    def add(self, result: GameResult) -> None:
        """Count one result; they come in the order of the games."""
        line_up = self._plan.line_up
        self.games += 1
        self._turns += result.turns
        self._reasons[result.reason] += 1
        if result.winner is not None:
            self._wins[line_up[result.winner]] += 1
        deal = result.game // len(line_up)
        if deal != self._last_deal:
            self._last_deal = deal
            self._deals += 1
        for place, turn, text in result.first_faults:
            self._faults[line_up[place]] += result.faults[place]
            self.first_faults.setdefault(line_up[place], FirstFault(result.game, turn, text))

    def summary(self, elapsed_s: float) -> Summary:
        """The summary of what was added, played in ``elapsed_s`` seconds; at least one game is needed."""
        plan = self._plan
        return {
            "format": FORMAT,
            "version": __version__,
            "map": plan.map,
            "rules": plan.rules.model_dump(),
            "seed": plan.seed,
            "games": self.games,
            "deals": self._deals,
            "line_up": list(plan.line_up),
            "interrupted": self.games < plan.games,
            "players": {text: self._player(text) for text in self._wins},
            "unsolved": self._reasons["unsolved"],
            "unfinished": self._reasons["unfinished"],
            "mean_turns": self._turns / self.games,
            "elapsed_s": round(elapsed_s, 3),
            "games_per_s": round(self.games / elapsed_s, 1),
        }

    def _player(self, text: str) -> PlayerSummary:
        wins, solved = self._wins[text], self._reasons["solved"]
        seats = self.games * self._plan.line_up.count(text)
        return {
            "seats": seats,
            "wins": wins,
            "win_share": wins / solved if solved else None,
            "win_rate": wins / seats,
            "fair_share": 1 / self._plan.seats,
            "ci95": wilson_interval(wins, seats),
            "faults": self._faults[text],
        }
