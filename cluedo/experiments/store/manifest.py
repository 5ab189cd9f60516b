"""The manifest of an experiment's results: what is played, by which version, on which machine, and how it went."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Self

from pydantic import BaseModel, Field

from cluedo import __version__
from cluedo.bots.naming import players_facts
from cluedo.engine.file_io import FORMAT, Missing, Unreadable, check_format, json_object, read_text
from cluedo.engine.phrase import Phrase
from cluedo.engine.validation import validated
from cluedo.experiments.plan.experiment import Experiment
from cluedo.experiments.rows.observer import ObservedColumn
from cluedo.experiments.rows.observers import checked_columns
from cluedo.experiments.store.folder import MANIFEST, ResultsError

__all__ = ["SECRET", "Manifest", "PartVerdict", "manifest_object", "new_manifest", "with_secret"]

SECRET: Final = "--seed-secret"
"""The option of commands for the secret part of a seed."""

_NO_MANIFEST: Final = Phrase("{path}: not the manifest of an experiment: {error}")


class PartVerdict(BaseModel, frozen=True):
    """What a sequential test says of a part; ``verdict`` is None while it does not know."""

    part: int
    verdict: str | None
    llr: float
    deals: int


class Manifest(BaseModel, frozen=True):
    """The parts of ``manifest.json`` that are read.

    Attributes:
        hash: of the experiment, as :meth:`.Experiment.digest` gives it.
        cluedo: the version that played.
        experiment: what is played.
        columns: those of observers, which the results have beside ours.
        stopped: what sequential tests say, which may have ended their parts early.
        played: games of the run that came to an end; the others are of runs before it.
        elapsed_s: how long that run took; None before any came to an end.
    """

    hash: str
    cluedo: str
    python: str = "?"
    machine: dict[str, Any] = Field(default_factory=dict)
    command: str = ""
    experiment: Experiment
    columns: tuple[ObservedColumn, ...] = ()
    stopped: tuple[PartVerdict, ...] = ()
    played: int | None = None
    elapsed_s: float | None = None

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The manifest of a folder of results; raises :class:`ResultsError` if there is none that can be read."""
        written = manifest_object(folder)
        with ResultsError.around(_NO_MANIFEST, path=folder / MANIFEST):
            manifest = validated(cls, written)
            checked_columns(manifest.columns)
        return manifest

    @property
    def timing(self) -> tuple[int, float]:
        """The games of the run that came to an end, and the seconds that they took; none before any did."""
        return self.played or 0, self.elapsed_s or 0.0


def manifest_object(folder: Path) -> dict[str, Any]:
    """The manifest of a folder of results as JSON; raises :class:`ResultsError` if there is none of our format."""
    try:
        manifest = json_object(read_text(folder / MANIFEST), Phrase("a manifest"))
        check_format(manifest)
    except Missing:
        told = Phrase("there is no such folder")
        if folder.exists():
            told = Phrase("this is a file, not a folder of results")
        if folder.is_dir():
            told = Phrase("this folder holds no results of an experiment: it has no {file}", file=MANIFEST)
        raise ResultsError("{path}: {error}", path=folder, error=told) from None
    except Unreadable as error:
        raise ResultsError("{path}: {error}", path=folder / MANIFEST, error=error) from None
    if manifest.get("format") != FORMAT:
        why = Phrase("format must be {expected}", expected=FORMAT)
        raise ResultsError(_NO_MANIFEST, path=folder / MANIFEST, error=why)
    return manifest


def new_manifest(experiment: Experiment, observed: Sequence[ObservedColumn], command: str) -> dict[str, Any]:
    """The manifest of a run that begins, as JSON.

    Args:
        experiment: what is played.
        observed: the columns of its observers.
        command: the command that plays it, for people.
    """
    told = experiment.model_dump(mode="json", exclude={"round_robin", "gauntlet"})
    return {
        "format": FORMAT,
        "name": experiment.name,
        "hash": experiment.digest(),
        "cluedo": __version__,
        "python": platform.python_version(),
        "machine": {"system": platform.system(), "machine": platform.machine(), "cpus": os.cpu_count()},
        "command": command,
        "games": experiment.total,
        "experiment": told | {"line_ups": [list(line_up) for line_up in experiment.every_line_up]},
        "players": players_facts(experiment.levels),
        "columns": [column.model_dump() for column in observed],
        "parts": [
            {
                "map": part.map,
                "line_up": list(part.line_up),
                "games": part.games,
                "first_game": experiment.first_game(k),
                "engine": part.engine,
            }
            for k, part in enumerate(experiment.parts)
        ],
    }


def with_secret(words: Sequence[str], secret: str) -> str:
    """A command with this secret part of the seed, whether it has another one so far or none."""
    end = words.index("--") if "--" in words else len(words)
    told, given = list(words), False
    for k, word in enumerate(words[:end]):
        if word.startswith(f"{SECRET}="):
            told[k], given = f"{SECRET}={secret}", True
        elif k and words[k - 1] == SECRET:
            told[k], given = secret, True
    if not given:  # the file of the experiment holds it
        told[end:end] = [SECRET, secret]
    return shlex.join(told)
