"""Examines a sample of games closely: how knowledge grew in them, and where their turns ended.

Rows of results do not tell; the games themselves do. Those whose record was kept are read; the others
are played again from the experiment, which gives the same games. Bots of others are not run for that: who
reads results should not run somebody's code by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo import __version__
from cluedo.ai.knowledge.seat_knowledge import after_each_turn, uncertainty
from cluedo.bots.naming import is_foreign
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game
from cluedo.engine.phrase import Phrase
from cluedo.engine.record import GameRecord
from cluedo.experiments.plan.part import Conditions
from cluedo.experiments.play.chunks import runner_of
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.read.counts import SampledGame
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.source import Source
from cluedo.experiments.read.stats import clustered_mean

__all__ = ["LONG", "Curve", "Growth", "Places", "curve_of_games", "look_closer"]

_MOST_GAMES: Final = 60
_MOST_POSITIONS: Final = 40_000
"""Views whose uncertainty is computed at most, at about 0.3 ms each."""
_MOST_THOUGHT_S: Final = 20.0
"""Seconds that players may have thought in games to be played again."""
LONG: Final = 0.9
"""Curves end where so many of the games have ended."""


class Curve(NamedTuple):
    """Uncertainty about the envelope, in bits: arrays by turns played, from 0.

    Attributes:
        mean: over the seats of a level; a game that has ended counts with what was known at its end.
        low, high: its 95 % interval over games.
    """

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Places(NamedTuple):
    """On one map's board, by place, how many turns ended there."""

    board: Board
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Growth:
    """What the sample of games shows.

    Attributes:
        games: how many games it rests on.
        curves: by level.
        places: by map, where it has a grid.
        why_not: if some games could not be looked at, the reason of the first, as a sentence.
    """

    games: int
    curves: dict[str, Curve]
    places: dict[str, Places]
    why_not: str | None


def look_closer(results: Results, progress: Callable[[float], object] = lambda _: None) -> Growth:
    """Examine a sample of the games, a smaller one of long or slow games: how knowledge grew, and where turns ended.

    Args:
        results: where they are.
        progress: told the share that is done.
    """
    sample = _affordable(results.sample(_MOST_GAMES), results)
    sources = {source.name: source for source in results.sources}
    bits: list[tuple[list[str], NDArray[np.float64]]] = []
    places: dict[str, Places] = {}
    why_not = None
    for done, chosen in enumerate(sample):
        progress(done / len(sample))
        try:
            record = _record(sources[chosen.experiment], chosen)
            board = Board.load(record.map)
            game = record.replay(board)
            known = uncertainty(game)
        except CluedoError as error:
            told = Phrase(
                "game {game} of {experiment}: {error}",
                game=chosen.game,
                experiment=chosen.experiment,
                error=error.phrase,
            )
            why_not = why_not or told
            continue
        bits.append(([player.name for player in record.players], known))
        if board.has_grid:
            nowhere = np.zeros(board.rooms_at + len(board.map.rooms), np.int64)
            counts = places.setdefault(record.map, Places(board, nowhere)).counts
            np.add.at(counts, list(_ends_of_turns(game)), 1)
    return Growth(len(bits), _curves(bits), places, why_not)


def _affordable(sample: list[SampledGame], results: Results) -> list[SampledGame]:
    """The first games of the sample, at least one, that can be examined within a few seconds of thought."""
    line_ups = [line_up for source in results.sources for line_up in source.manifest.experiment.every_line_up]
    seats = max(map(len, line_ups))
    positions, thought = 0, 0.0
    for count, chosen in enumerate(sample):
        positions += chosen.turns * seats
        thought += 0.0 if chosen.record else chosen.think_ms / 1000
        if count and (positions > _MOST_POSITIONS or thought > _MOST_THOUGHT_S):
            return sample[:count]
    return sample


def _record(source: Source, chosen: SampledGame) -> GameRecord:
    """The record of a game, kept or played again; raises :class:`CluedoError` where there is none that fits."""
    record = GameRecord.from_json(chosen.record or _played_again(source, chosen.game))
    if record.result is None or (record.result.winner, record.result.turns) != (chosen.winner_seat, chosen.turns):
        raise CluedoError("played again, it ended differently")
    return record


def _played_again(source: Source, number: int) -> str:
    """Play a game of an experiment again; its record. Raises :class:`CluedoError` where that cannot be."""
    manifest, experiment = source.manifest, source.manifest.experiment
    if manifest.cluedo != __version__:
        raise CluedoError(
            "it was played by version {cluedo}, and this is {version}", cluedo=manifest.cluedo, version=__version__
        )
    part_number, at = divmod(number, experiment.games)
    if part_number >= len(experiment.parts):
        raise CluedoError("the manifest does not say which part it is of")
    part = experiment.parts[part_number]
    if any(map(is_foreign, part.line_up)):
        raise CluedoError("its record was not kept, and bots of others are not run for a report")
    runner = runner_of(part, Conditions(experiment.conditions.clock, records=True))
    (result,) = runner.play(range(at, at + 1), Interrupt())
    assert result.record is not None
    return result.record


def _ends_of_turns(game: Game) -> Iterator[int]:
    """Where the pawn of each turn's player stood when the turn was over."""
    active = game.table.first
    for position in after_each_turn(game):
        if position.commands:
            yield position.state.pawns[game.table.suspects[active]]
        active = position.state.active


def _curves(bits: list[tuple[list[str], NDArray[np.float64]]]) -> dict[str, Curve]:
    """The mean curve of each level."""
    if not bits:
        return {}
    turns = int(np.quantile([len(rows) - 1 for _, rows in bits], LONG, method="inverted_cdf")) + 1
    levels = sorted({level for players, _ in bits for level in players})
    sums = {level: np.zeros((len(bits), turns)) for level in levels}
    seats = {level: np.zeros(len(bits)) for level in levels}
    for k, (players, rows) in enumerate(bits):
        kept = rows[np.minimum(np.arange(turns), len(rows) - 1)]
        for seat, level in enumerate(players):
            if not np.isnan(kept[:, seat]).any():
                sums[level][k] += kept[:, seat]
                seats[level][k] += 1
    return {level: curve_of_games(sums[level], seats[level]) for level in levels if seats[level].any()}


def curve_of_games(sums: NDArray[np.float64], seats: NDArray[np.float64]) -> Curve:
    """The mean of sums (games, turns) over seats (games,), with the interval of ``clustered_mean``, a game for a deal.

    It has no width where the games do not differ, or there is but one.
    """
    played = seats > 0
    mean, low, high = np.transpose([clustered_mean(column, seats[played]) for column in sums[played].T])
    return Curve(mean, np.fmin(low, mean), np.fmax(high, mean))
