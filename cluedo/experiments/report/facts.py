"""All numbers of a report: counted once, then drawn and put into words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from cluedo.experiments.draw.labels import short_map_names, short_names
from cluedo.experiments.read.counts import Deals, Groups, LevelFault, LevelPlay, ObservedMeans, Pair, Share, Standing
from cluedo.experiments.read.head_to_head import HeadToHead, Settling, settling
from cluedo.experiments.read.ratings import luce_fit
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.source import Source
from cluedo.experiments.read.stats import Estimate, effect_test
from cluedo.experiments.report.growth import Growth, look_closer
from cluedo.experiments.report.model_knowledge import GradedClaims, ModelKnowledge, graded_claims, models_of

__all__ = ["Effect", "Lengths", "ReportFacts", "gather"]

_MOST_LEVELS: Final = 40
"""Levels between which all pairs are compared."""
_MOST_ROWS: Final = 21
"""Pairs of seven levels."""
_MOST_CURVES: Final = 6
"""Curves that can be told apart in one picture."""


class Effect(NamedTuple):
    """The effect of a place in the order of play, or of a number of cards, on winning.

    Attributes:
        players: how many play at the tables in question.
        values: the places or numbers.
        rates: how often was won with each of them.
        p_value: how often rates that are equal would differ at least that much.
        deals: how many it rests on.
    """

    players: int
    values: tuple[int, ...]
    rates: tuple[Estimate, ...]
    p_value: float
    deals: int


class Lengths(NamedTuple):
    """How many turns games took: by reason of their end, and over all.

    Attributes:
        middle: nine games in ten lie between these.
        most: 99 in a hundred took no more.
    """

    by_reason: dict[str, Counter[int]]
    games: int
    mean: float
    median: int
    middle: tuple[int, int]
    most: int


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """The facts of a report; most are described at the methods of :class:`~cluedo.experiments.read.results.Results`.

    Attributes:
        names: by level, a short name; ``map_names``: by map.
        meetings: by pair of levels, the one that is higher in the table first.
        settled: by pair of levels that are next to each other in strength, how the lead went deal by deal.
        ratings: in Elo by Luce's model, fitted to all games, the best level being at 1500: of this one and of
            those that met it, themselves or through others, the highest first; none where it met nobody.
        maps: by map, then by level, games won per seat.
        claims: what language models claimed to know, graded; ``models``: the same, model by model.
    """

    sources: tuple[Source, ...]
    games: int
    planned: int
    over: bool
    standings: list[Standing]
    play: dict[str, LevelPlay]
    names: dict[str, str]
    map_names: dict[str, str]
    meetings: dict[tuple[str, str], HeadToHead]
    settled: dict[tuple[str, str], list[Settling]]
    ratings: dict[str, Estimate]
    maps: dict[str, dict[str, Share]]
    line_ups: list[tuple[str, ...]]
    lengths: Lengths
    by_order: list[Effect]
    by_hand: list[Effect]
    faults: list[LevelFault]
    observed: list[ObservedMeans]
    growth: Growth
    claims: GradedClaims
    models: list[ModelKnowledge]

    def observed_rows(self, per: str) -> dict[str, str]:
        """The levels, or for columns by game the line-ups, that have means of observers' columns, with their names."""
        if per == "seat":
            return {level: self.names[level] for level in self.levels}
        return {",".join(levels): ", ".join(self.names[level] for level in levels) for levels in self.line_ups}

    @property
    def drawn_models(self) -> list[ModelKnowledge]:
        """The language models whose knowledge is drawn."""
        return self.models[:_MOST_CURVES]

    def model_name(self, model: ModelKnowledge) -> str:
        """The short name of a language model; that it was asked what it knows goes without saying."""
        return self.names.get(model.player, model.player).replace(":claims=yes", "")

    @property
    def drawn_pairs(self) -> list[tuple[str, str]]:
        """The pairs of levels whose difference is drawn: all of them, or where these are many, neighbours alone."""
        return list(self.meetings) if len(self.meetings) <= _MOST_ROWS else _neighbours(self.meetings, self.levels)

    @property
    def levels(self) -> list[str]:
        """The levels, the best first."""
        return [entry.level for entry in self.standings]


def gather(results: Results, progress: Callable[[float], object] = lambda _: None) -> ReportFacts:
    """Count everything; ``progress`` is called with the share that is done."""
    standings = results.standings()
    levels = [entry.level for entry in standings]
    maps = results.standings_by_map()
    deals = results.deals()
    pairs = _pairs(deals, levels[:_MOST_LEVELS])
    meetings = {levels: HeadToHead.of(pair) for levels, pair in pairs.items()}
    progress(0.2)
    growth = look_closer(results, lambda share: progress(0.3 + 0.3 * share))
    claims = graded_claims(results, lambda share: progress(0.6 + 0.4 * share))
    return ReportFacts(
        sources=results.sources,
        games=results.games(),
        planned=sum(source.manifest.experiment.total for source in results.sources),
        over=all(source.over for source in results.sources),
        standings=standings,
        play=results.play(),
        names=short_names(levels),
        map_names=short_map_names(
            [*maps, *(name for source in results.sources for name in source.manifest.experiment.maps)]
        ),
        meetings=meetings,
        settled={pair: list(settling(pairs[pair])) for pair in _neighbours(pairs, levels)[:_MOST_CURVES]},
        ratings=_ratings(deals, levels[0]) if meetings and deals.wins.any() else {},
        maps=maps,
        line_ups=results.line_ups(),
        lengths=_lengths(results.lengths()),
        by_order=_effects(results.by_order()),
        by_hand=_effects(results.by_hand_size()),
        faults=results.first_faults(),
        observed=[column for column in results.observed() if column.means],
        growth=growth,
        claims=claims,
        models=models_of(claims.turns),
    )


def _pairs(deals: Deals, levels: list[str]) -> dict[tuple[str, str], Pair]:
    found = {(a, b): deals.pair(a, b) for a, b in combinations(levels, 2)}
    return {levels: pair for levels, pair in found.items() if pair is not None}


def _neighbours(met: Iterable[tuple[str, str]], levels: Sequence[str]) -> list[tuple[str, str]]:
    """Each level, the best first, with the next one that it met."""
    found, rank = set(met), {level: at for at, level in enumerate(levels)}
    later = ({b for a, b in found if a == level} for level in levels)
    return [(level, min(others, key=rank.__getitem__)) for level, others in zip(levels, later, strict=True) if others]


def _ratings(deals: Deals, best: str) -> dict[str, Estimate]:
    met = _met(deals.line_ups, best)
    if len(met) < 2:
        return {}
    seats, wins, numbers = deals.table()
    columns = [at for at, level in enumerate(deals.levels) if level in met]
    rows = seats[:, columns].any(axis=1)
    levels = [deals.levels[at] for at in columns]
    elo = luce_fit(levels, seats[rows][:, columns], wins[rows][:, columns], numbers[rows]).elo(anchor=best)
    return dict(sorted(elo.items(), key=lambda rating: (-rating[1].value, rating[0])))


def _met(line_ups: Sequence[Sequence[str]], best: str) -> set[str]:
    """A level and all that met it, themselves or through others: nothing tells how strong the rest is beside them."""
    found = {best}
    while more := {level for line_up in line_ups if found & set(line_up) for level in line_up} - found:
        found |= more
    return found


def _effects(tables: list[Groups]) -> list[Effect]:
    return [
        Effect(groups.players, groups.values, *effect_test(groups.wins, groups.games), len(groups.wins))
        for groups in tables
        if len(groups.values) > 1
    ]


def _lengths(by_reason: dict[str, Counter[int]]) -> Lengths:
    together: Counter[int] = sum(by_reason.values(), Counter())
    games = together.total()
    mean = sum(turns * count for turns, count in together.items()) / games
    low, median, high, most = (_quantile(together, share) for share in (0.05, 0.5, 0.95, 0.99))
    return Lengths(by_reason, games, mean, median, (low, high), most)


def _quantile(counts: Counter[int], share: float) -> int:
    """The least number of turns within which at least this share of the games ended."""
    left = share * counts.total()
    for turns in sorted(counts):
        left -= counts[turns]
        if left <= 0:
            return turns
    return max(counts)
