"""A position of a played game as somebody at the table knows it: no more than that, and a name for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cluedo.ai.knowledge.caselog import CaseLog, read_case_log
from cluedo.engine.board import Board
from cluedo.engine.reading import FORMAT

__all__ = ["Exercise"]


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position: what one player knows before a turn of their own, without any answer.

    Attributes:
        level: how deep its proofs go, from 0 (nothing to prove) to 5; see :func:`cluedo.ai.exercises.level_of`.
        log: all that the player knows.
        id: a name that follows from the log alone, so that it tells nothing else.
    """

    level: int
    log: CaseLog
    id: str

    @classmethod
    def of(cls, level: int, log: CaseLog) -> Exercise:
        """The exercise of a case log, named after it."""
        mark = sha256(json.dumps(log.to_json(), sort_keys=True).encode()).hexdigest()[:8]
        return cls(level, log, f"{log.setting.board.map.name}-{len(log.setting.names)}-{mark}")

    def to_json(self, text: str | None = None) -> dict[str, Any]:
        """The exercise as it stands in a file, with the position in words where they are given."""
        words = {} if text is None else {"text": text}
        return {"format": FORMAT, "id": self.id, "level": self.level, **words, "log": self.log.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], boards: Callable[[str], Board]) -> Exercise:
        """The exercise of :meth:`to_json`; ``boards`` gives the board of a map's name."""
        return cls(data["level"], read_case_log(data["log"], boards), data["id"])
