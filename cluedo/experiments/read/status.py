"""How far an experiment is, from its folder: its score, or its summary where only that is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, Field, ValidationError, model_validator

from cluedo.engine.faults import Faults, sentence
from cluedo.engine.mapfile import Printable
from cluedo.engine.phrase import Phrase
from cluedo.engine.reading import Unreadable, json_object, read_text
from cluedo.experiments.read.score import Score
from cluedo.experiments.read.summary import Standing
from cluedo.experiments.store.layout import CHUNKS, SUMMARY, StoreError
from cluedo.experiments.store.store import StoreReader

__all__ = ["read_score", "summarised"]


class _Level(BaseModel):
    seats: Annotated[int, Field(ge=1, lt=2**63)]
    wins: Annotated[int, Field(ge=0)]
    fair_share: Annotated[float, Field(gt=0, le=1)]
    faults: Annotated[int, Field(ge=0, lt=2**63)]

    @model_validator(mode="after")
    def _no_more_wins(self) -> Self:
        if self.wins > self.seats:
            raise Faults(Phrase("more games were won than played"))
        return self


class _Summary(BaseModel):
    games: Annotated[int, Field(ge=0, lt=2**63)]
    levels: dict[Printable, _Level]


def summarised(path: Path) -> tuple[int, list[Standing]] | None:
    """The games and standings of a finished experiment of which only the summary is kept, or None."""
    if (path / CHUNKS).exists() or not (path / SUMMARY).exists():
        return None
    try:
        summary = _Summary.model_validate(json_object(read_text(path / SUMMARY), Phrase("a summary")))
    except Unreadable as error:
        raise StoreError("{path}: {error}", path=path / SUMMARY, error=error) from None
    except ValidationError as error:
        raise StoreError(
            "{path}: not the summary of an experiment: {sentence}", path=path / SUMMARY, sentence=sentence(error)
        ) from None
    return summary.games, [
        Standing(level, told.seats, told.wins, told.fair_share * told.seats, told.faults)
        for level, told in summary.levels.items()
    ]


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
