"""The score of an experiment: all its parts counted, and stopped where a sequential test says so.

It is counted while the experiment is played, or read from a folder of results, which may be written to meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, Self

from pydantic import BaseModel, Field, ValidationError, model_validator

from cluedo.engine.file_io import FORMAT, Unreadable, json_object, read_text
from cluedo.engine.mapfile import Printable
from cluedo.engine.phrase import Phrase
from cluedo.engine.validation import InvalidForm, sentence
from cluedo.experiments.plan.experiment import Chunk, Experiment
from cluedo.experiments.plan.part import Part
from cluedo.experiments.read.counts import LevelFault, Standing
from cluedo.experiments.read.sprt import Sprt
from cluedo.experiments.read.summary import Means, Tally, standings
from cluedo.experiments.rows.observer import ObservedColumn
from cluedo.experiments.rows.result_rows import ResultRows
from cluedo.experiments.store.folder import SUMMARY, ResultsError
from cluedo.experiments.store.manifest import Manifest
from cluedo.experiments.store.store import StoreReader

__all__ = ["Pairing", "Score", "read_score", "read_summary"]


_DECIDED: Final = 0.999
"""How likely the stronger one must be for a pairing to count as decided: who looks after every chunk looks often."""


class Pairing(NamedTuple):
    """A part with two kinds of players: who leads, how likely it is the stronger one, and whether that decides."""

    part: Part
    leader: str
    chance: float
    decided: bool


class Score:
    """Counts chunks, which may come in any order.

    Where parts have a sequential test, their chunks are counted in order, each with its look at the
    test, and what lies beyond the verdict is not counted at all: so the stop depends on the experiment alone.

    Args:
        experiment: what is played.
        observed: the columns of its observers.

    Attributes:
        experiment: what is played.
        tallies: by part, what is counted so far.
        tests: by part, the sequential test, or None.
    """

    def __init__(self, experiment: Experiment, observed: Sequence[ObservedColumn] = ()):
        self.experiment = experiment
        self.tallies = [Tally(part, observed) for part in experiment.parts]
        rule = None if experiment.stop is None else experiment.stop.sprt
        self.tests: list[Sprt | None] = [None if rule is None else Sprt(rule) for _ in experiment.parts]
        self._early: list[dict[int, tuple[Chunk, ResultRows]]] = [{} for _ in experiment.parts]
        self._next = [0] * len(experiment.parts)

    @property
    def games(self) -> int:
        """The number of counted games."""
        return sum(tally.games for tally in self.tallies)

    @property
    def wanted(self) -> int:
        """The number of games of the experiment, without those that a stopping rule saves."""
        return sum(
            tally.games if self.stopped(number) else tally.part.games for number, tally in enumerate(self.tallies)
        )

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return self.games == self.wanted

    def stopped(self, number: int) -> bool:
        """Whether a part is over because its test has come to a verdict."""
        test = self.tests[number]
        return test is not None and test.verdict is not None

    def pairings(self) -> list[Pairing]:
        """The parts with two kinds of players and how each stands, those that are decided included."""
        return [
            Pairing(tally.part, *leader, decided=self.stopped(number) or leader[1] >= _DECIDED)
            for number, tally in enumerate(self.tallies)
            if (leader := tally.leader()) is not None
        ]

    def standings(self) -> list[Standing]:
        """How each level does over all parts, in the order in which they first appear."""
        return standings(self.tallies)

    def means(self) -> Means:
        """The means of the observers' columns over all parts."""
        return Means.of(tally.means for tally in self.tallies)

    def first_faults(self) -> list[LevelFault]:
        """The first fault of each level that has any over all parts, in the order in which these appear."""
        first: dict[str, LevelFault] = {}
        for number, tally in enumerate(self.tallies):
            for level, (game, turn, text) in tally.first_faults.items():
                fault = LevelFault(level, self.experiment.name, self.experiment.first_game(number) + game, turn, text)
                first[level] = min(first.get(level, fault), fault)
        return list(first.values())

    def add(self, chunk: Chunk, rows: ResultRows) -> list[Chunk]:
        """Add a chunk, which is counted as soon as its turn comes; returns the chunks that a stopping rule excludes."""
        number = chunk.part_number
        test = self.tests[number]
        if test is None:
            self.tallies[number].add(rows)
            return []
        early = self._early[number]
        early[chunk.games.start] = chunk, rows
        while self._next[number] in early and test.verdict is None:
            counted, now = early.pop(self._next[number])
            self._next[number] = counted.games.stop
            self.tallies[number].add(now)
            test.add(*(now.wins_by_deal(counted.part.line_up, level) for level in (test.rule.a, test.rule.b)))
        if test.verdict is None:
            return []
        beyond = [late for late, _ in early.values()]
        early.clear()
        return beyond

    def summary(self) -> dict[str, Any]:
        """What an experiment's ``summary.json`` holds: the levels over all, and each part."""
        means = self.means()
        return {
            "format": FORMAT,
            "name": self.experiment.name,
            "games": self.games,
            "levels": {standing.level: standing.entry() | means.entry(standing.level) for standing in self.standings()},
            "parts": [
                tally.summary(stopped=self.stopped(number)) for number, tally in enumerate(self.tallies) if tally.games
            ],
            "stopped": self.verdicts(),
            **means.entry(None),
        }

    def verdicts(self) -> list[dict[str, Any]]:
        """What the sequential tests say, for files: an object for each part that has one."""
        return [
            {"part": number, "verdict": test.verdict, "llr": test.llr, "deals": test.deals}
            for number, test in enumerate(self.tests)
            if test is not None
        ]


class _Level(BaseModel):
    seats: Annotated[int, Field(ge=1, lt=2**63)]
    wins: Annotated[int, Field(ge=0)]
    win_rate: Annotated[float, Field(ge=0, le=1)]
    ci95: tuple[Annotated[float, Field(ge=0, le=1)], Annotated[float, Field(ge=0, le=1)]]
    fair_share: Annotated[float, Field(gt=0, le=1)]
    faults: Annotated[int, Field(ge=0, lt=2**63)]

    @model_validator(mode="after")
    def _no_more_wins(self) -> Self:
        if self.wins > self.seats:
            raise InvalidForm("more games were won than played")
        return self


class _Summary(BaseModel):
    games: Annotated[int, Field(ge=0, lt=2**63)]
    levels: dict[Printable, _Level]


def read_summary(path: Path) -> tuple[int, list[Standing]] | None:
    """The games and standings of a finished experiment that keeps its summary alone, or None."""
    if Manifest.read(path).experiment.record != "none" or not (path / SUMMARY).exists():
        return None
    try:
        summary = _Summary.model_validate(json_object(read_text(path / SUMMARY), Phrase("a summary")))
    except Unreadable as error:
        raise ResultsError("{path}: {error}", path=path / SUMMARY, error=error) from None
    except ValidationError as error:
        raise ResultsError(
            "{path}: not the summary of an experiment: {sentence}", path=path / SUMMARY, sentence=sentence(error)
        ) from None
    return summary.games, [Standing(level=level, **told.model_dump()) for level, told in summary.levels.items()]


def read_score(path: Path) -> Score:
    """The score of a folder of results, which may be written to meanwhile.

    Raises:
        CluedoError: there are no results that can be read.
    """
    with StoreReader.open(path) as store:
        score = Score(store.experiment, store.observed)
        for chunk, rows in store.stored():
            score.add(chunk, rows)
    return score
