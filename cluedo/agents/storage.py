"""What an assistant has begun, by id: in a file each, so that a later process finds it, and the latest in memory."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeVar

from cluedo.ai.knowledge import UNIFORM
from cluedo.ai.positions import ExactAnswer, Position
from cluedo.ai.positions.shipped import shipped_answers, shipped_positions
from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import state_folder
from cluedo.engine.phrase import Phrase
from cluedo.session.case.case import Case
from cluedo.session.case.case_store import CaseStore
from cluedo.session.case.interpreter import Interpreter
from cluedo.session.files import latest_files, make_folder
from cluedo.session.game_session import GameSession

__all__ = ["MOST_FILES", "MOST_IN_MEMORY", "Opened", "Storage", "StoredById", "advance", "opened_case", "opened_game"]

MOST_FILES: Final = 100
"""Of each kind; the one that was not changed for longest is given up for a new one."""
MOST_IN_MEMORY: Final = 16

T = TypeVar("T")


class Opened(NamedTuple, Generic[T]):
    """One that is in memory.

    Attributes:
        thing: it.
        changed: whether another process has written into its file meanwhile.
    """

    thing: T
    changed: Callable[[], bool]


class StoredById(Generic[T]):
    """Things of one kind, each by its id.

    Args:
        kind: the word that ids begin with.
        missing: the sentence for an id that leads to nothing, with places for the ``name`` and for how many are kept,
            ``most``.
        load: what reads one from its file; raises :class:`CluedoError`.
    """

    def __init__(self, kind: str, missing: Phrase, load: Callable[[Path], Opened[T]]):
        self._kind, self._missing, self._load = kind, missing, load
        self._open: dict[str, Opened[T]] = {}  # the last used comes last

    def begin(self, make: Callable[[Path], Opened[T]]) -> tuple[str, T]:
        """A new one, which keeps itself in the file that ``make`` is given, and its id; raises :class:`CluedoError`."""
        folder = state_folder("agents")
        make_folder(folder)
        name = f"{self._kind}-{secrets.token_hex(6)}"
        made = make(folder / f"{name}.json")
        ours = [path for path in latest_files(folder) if path.name.startswith(f"{self._kind}-")]
        for path in ours[MOST_FILES:]:
            self._open.pop(path.stem, None)
            with suppress(OSError):  # another process may have given it up, too
                path.unlink()
        return name, self._remember(name, made)

    def get(self, name: str) -> T:
        """The one with this id; raises :class:`CluedoError` where there is none, or its file cannot be read."""
        found = self._open.pop(name, None)
        if found is None or found.changed():
            path = state_folder("agents") / f"{name}.json"
            if not re.fullmatch(f"{self._kind}-[0-9a-f]{{12}}", name) or not path.exists():
                raise CluedoError(self._missing, name=name, most=MOST_FILES)
            found = self._load(path)
        return self._remember(name, found)

    def _remember(self, name: str, opened: Opened[T]) -> T:
        self._open[name] = opened
        while len(self._open) > MOST_IN_MEMORY:
            del self._open[next(iter(self._open))]
        return opened.thing


class Storage:
    """What tools work on: the cases and the games that an assistant has begun, and the test set."""

    def __init__(self) -> None:
        no_case = Phrase("there is no case {name!r}; open_case opens one, and the last {most} are kept")
        no_game = Phrase("there is no game {name!r}; new_game deals one, and the last {most} are kept")
        self.cases = StoredById("case", no_case, lambda path: opened_case(path, lambda store: store.resume(path)))
        self.games = StoredById("game", no_game, lambda path: opened_game(GameSession.resume(path)))

    @cached_property
    def positions(self) -> list[Position]:
        """Those of the test set."""
        return shipped_positions()

    @cached_property
    def key(self) -> dict[str, ExactAnswer]:
        """By the name of a position, its exact answer."""
        return {one.id: one for one in shipped_answers()}


def opened_case(path: Path, begin: Callable[[CaseStore], Case]) -> Opened[Interpreter]:
    """The case that ``begin`` takes from the store of a file."""
    store = CaseStore(path, UNIFORM.name)
    return Opened(Interpreter(begin(store), files=False), store.changed)


def opened_game(session: GameSession) -> Opened[GameSession]:
    """The session, kept, and at a moment when its person is asked."""
    session.save()
    for level in session.levels:
        level.prepare()
    advance(session)
    session.autosave.check()
    return Opened(session, session.autosave.changed)


def advance(session: GameSession) -> None:
    """Let the levels play until the person is asked, or the game is over."""
    while session.person_to_act is None and not session.game.over:
        session.advance()
