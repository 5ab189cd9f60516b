"""A level in a few words, for whoever chooses one."""

from __future__ import annotations

from typing import Final

from cluedo.ai.levels import LEVELS
from cluedo.engine.phrase import Phrase
from cluedo.language import tr

__all__ = ["level_labels"]

_ABOUT: Final = {
    "random": Phrase("plays blindly"),
    "easy": Phrase("notes its cards"),
    "medium": Phrase("keeps a sheet"),
    "habit": Phrase("hard, with habits"),
    "montecarlo": Phrase("plays it out"),
    "hard": Phrase("proves all it can"),
    "expert": Phrase("counts the odds"),
}


def level_labels() -> list[tuple[str, str]]:
    """The levels, weakest first: the name of each, and what is said of it where it is chosen."""
    return [(name, tr("{level}: {about}", level=name, about=tr(_ABOUT[name]))) for name in LEVELS]
