"""Batches in which somebody's bot means harm, and what has to come of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any, NamedTuple

from helpers.programs import LONGEST_S, START, cluedo, rows

RUN = ("experiment", "run", "experiment.toml", "--out", "out", "--workers", "1")

LATE = "took longer than 1 s"
"""What is said of a bot that never answers."""

FOR_BOTS_ALONE = """
from cluedo.ai.level_easy import EasyPlayer
from cluedo.ai.level_medium import MediumPlayer
EasyPlayer.keeps_time = MediumPlayer.keeps_time = True
"""
"""The time limit is that of bots in their own processes: a level may think as long as a busy machine takes."""


class End(Enum):
    """What comes of a bot."""

    ABSENT = auto()
    """All its choices are lost, its fault is named, and everybody else plays as against one that loses all."""

    HARMLESS = auto()
    """It plays on without a fault."""

    FAULTY = auto()
    """Its fault is named; which of its choices are lost depends on when it strikes."""

    REFUSED = auto()
    """It is not let in: one sentence, exit code 2, nothing written."""


class BadBot(NamedTuple):
    """A bot: what comes of it, what is said of it, and its text."""

    end: End
    told: str
    text: str
    limit: float = LONGEST_S
    """The seconds it may think: more than it takes on a busy machine, unless it never answers."""


def never_answers(text: str, told: str = LATE, end: End = End.ABSENT) -> BadBot:
    """A bot that is waited for in vain, so nobody waits long."""
    return BadBot(end, told, text, limit=1.0)


Models = dict[End, list[tuple[Any, ...]]]
"""By end, the rows of an experiment with a bot that ends so."""


@dataclass(frozen=True)
class Batch:
    """An experiment of two line-ups, in the first of which the bot of a file plays.

    Attributes:
        player: the bot, as the line-up has it; its file is bot.py.
        settings: more lines of the experiment's file.
        start: the command line, as a Python program.
    """

    player: str
    settings: str
    start: str = FOR_BOTS_ALONE + START

    def written(self, folder: Path, text: str, limit: float = LONGEST_S) -> Path:
        """A new folder with a bot that may think so many seconds, and the experiment."""
        folder.mkdir()
        (folder / "bot.py").write_text(text, encoding="utf-8")
        line_ups = f'line_ups = [["{self.player}", "easy", "easy"], ["medium", "easy", "random"]]\n'
        about = f'name = "batch"\nmaps = ["tiny"]\ngames = 3\nthink_limit = {limit}\nrules = {{max_turns = 9}}\n'
        (folder / "experiment.toml").write_text(about + line_ups + self.settings, encoding="utf-8")
        return folder

    def play(self, folder: Path) -> tuple[int, str, str]:
        """Play it; gives exit code, output and error output."""
        return cluedo(folder, *RUN, start=self.start)

    def models(self, folder: Path, loses_all: str, plays_on: str) -> Models:
        """The rows with a bot that loses all, which its fault says, and with one that plays on."""
        found = {}
        for end, text in ((End.ABSENT, loses_all), (End.HARMLESS, plays_on)):
            place = self.written(folder / end.name, text)
            code, _, err = self.play(place)
            assert code == 0, err
            assert ("not a single choice" in err) == (end is End.ABSENT)
            found[end] = rows(place / "out")
        return found

    def check(self, folder: Path, bot: BadBot, models: Models) -> None:
        """Play it with a bot that means harm: it ends, the culprit is named, and nobody else's games change."""
        code, out, err = self.play(folder)
        if bot.end is End.REFUSED:
            assert (code, out) == (2, "")
            assert err.splitlines()[-1].startswith("cluedo: ")
            assert "bot.py" in err.splitlines()[-1]
            assert bot.told in err
            assert not (folder / "out").exists()
            return
        assert code == 0, err
        assert "6 games of 2 line-ups" in out
        faults = [line for line in err.splitlines() if line.startswith("cluedo: ")]
        if bot.end is End.HARMLESS:
            assert faults == []
        else:
            assert len(faults) == 1, faults
            assert faults[0].startswith(f"cluedo: {self.player}: ")
            assert bot.told in faults[0]
        found = rows(folder / "out")
        assert len(found) == 18
        assert found[9:] == models[End.HARMLESS][9:]
        if bot.end is not End.FAULTY:
            assert found == models[bot.end]
