"""Loads classes from files of others, such as bots, and turns whatever goes wrong in their code into one sentence."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock, get_ident
from traceback import walk_tb
from types import ModuleType
from typing import Final, TypeVar

from cluedo.engine.cards import closest
from cluedo.engine.errors import CluedoError, PlayerError, by_a_person, in_short
from cluedo.engine.phrase import Phrase

__all__ = [
    "PROGRAM",
    "SPEED_CLUE",
    "check_not_running",
    "class_in",
    "file_of",
    "is_model",
    "is_program",
    "somebodys_code",
]

T = TypeVar("T")

_NAMES: Final[set[str]] = set()  # of the modules that are files of others
_RUNNING: Final[set[tuple[int, Path]]] = set()  # by thread, the files of others that are being loaded

PROGRAM: Final = "exec:"
"""The beginning of the text of a player that is a program; its command follows."""

SPEED_CLUE: Final = "speedclue:"
"""The beginning of the text of a program that was written for the Speed Clue contest."""

_LANGUAGE_MODEL: Final = "llm:"
"""The beginning of the text of a language model; what its endpoint calls it follows."""


def is_model(text: str) -> bool:
    """Whether a player's text names a language model."""
    return text.strip().startswith(_LANGUAGE_MODEL)


def is_program(text: str) -> bool:
    """Whether a player's text is the command of a program."""
    return text.strip().startswith((PROGRAM, SPEED_CLUE))


def file_of(text: str) -> Path | None:
    """The file in ``path/to/file.py:Class``; None for programs, models and what is shipped."""
    if is_program(text) or is_model(text):
        return None
    path, is_file, _ = text.strip().partition(".py:")
    return Path(f"{path}.py") if is_file else None


def class_in(path: Path, name: str, base: type[T]) -> type[T]:
    """A subclass of ``base`` from a file, which is run for it, once in a process.

    Args:
        path: the file.
        name: the class.
        base: what it has to be a subclass of.

    Raises:
        PlayerError: in one sentence, if the file cannot be run or has no such class.
    """
    module = _load(path.resolve())
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, base):
        return found
    ours = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
    ]
    raise PlayerError(
        "{path}: no subclass of {base} is called {name!r}; {told}",
        path=path,
        base=f"{base.__module__}.{base.__name__}",
        name=name,
        told=closest(name, ours) if ours else Phrase("it has none"),
    )


@cache
def _load(path: Path) -> ModuleType:
    """Run a file of others as a module, once per process."""
    check_not_running(path)
    if not path.is_file():
        raise PlayerError("{path}: there is no such file", path=path)
    cannot = Phrase("{what}: cannot be loaded", what=path)
    with somebodys_code(cannot):
        names = _names_of(path)
    known = sys.modules.get(names[0])
    if known is not None and names[0] not in _NAMES and known.__file__ == str(path):
        return known  # imported by whoever called us, not half loaded in another thread
    spec = importlib.util.spec_from_file_location(names[0], path)
    assert spec is not None, "its name ends in .py"
    assert spec.loader is not None, "as above"
    module = importlib.util.module_from_spec(spec)
    _NAMES.update(names)
    sys.modules |= dict.fromkeys(names, module)
    running = get_ident(), path
    _RUNNING.add(running)
    try:
        with somebodys_code(cannot):
            spec.loader.exec_module(module)
    except BaseException:
        for name in names:
            sys.modules.pop(name, None)
        raise
    finally:
        _RUNNING.remove(running)
    return module


def check_not_running(path: Path) -> None:
    """Raise :class:`PlayerError` if a file is being loaded that uses its own class: it would be loaded for ever."""
    if (get_ident(), path.resolve()) in _RUNNING:
        raise PlayerError(
            'it plays with a class of its own while it is loaded; put that under if __name__ == "__main__":'
        )


def _names_of(path: Path) -> list[str]:
    """The names by which a file's module is found, its own first: as an import calls it, unless another is called so.

    numba keeps what it has compiled beside the file, and tells the name there: who tests a bot in Python and then plays
    with it uses the same, and so does a copy of its folder. The second name is for what was compiled while another bot
    had the first.
    """
    name = path.stem
    by_content = f"{name.replace('.', '_')}_{sha256(path.read_bytes()).hexdigest()[:16]}"
    return [name, by_content] if "." not in name and _origin(name) in (None, str(path)) else [by_content]


def _origin(name: str) -> str | None:
    """The file of the module that is imported by a name; None if there is none."""
    try:
        spec = importlib.util.find_spec(name)
    except ValueError:  # one that no file was found for, such as __main__
        return name
    return None if spec is None else spec.origin or name


@contextmanager
def somebodys_code(trouble: str) -> Iterator[None]:
    """Run somebody's code inside the ``with``: it may raise anything, print, or change the working directory.

    What it prints goes to standard error; while it runs, so does what other threads print.

    Raises:
        PlayerError: what it raised, in one sentence that begins with ``trouble``, and the line if it came from a
            file of theirs.
    """
    _SURROUNDINGS.lend()
    try:
        yield
    except BaseException as error:
        if by_a_person(error):
            raise
        lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_globals["__name__"] in _NAMES]
        if lines:
            trouble = Phrase("{trouble}, line {line}", trouble=trouble, line=lines[-1])
        raise PlayerError("{trouble}: {error}", trouble=trouble, error=_error_text(error)) from None
    finally:
        _SURROUNDINGS.take_back()


class _Surroundings:
    """Standard output and the working directory, which all threads of a process share.

    Each thread would put back what another has just set; so the first one in keeps them and the last one out puts them
    back. To wait for one another instead, threads could wait for ever: code of others may start some of its own.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._output = sys.stdout
        self._here: Path | None = None

    def lend(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside > 1:
                return
            self._output, self._here = sys.stdout, None
            with suppress(OSError):  # it has gone
                self._here = Path.cwd()
            sys.stdout = sys.stderr

    def take_back(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside:
                return
            sys.stdout = self._output
            if self._here is not None:
                with suppress(OSError):
                    os.chdir(self._here)


_SURROUNDINGS: Final = _Surroundings()


def _error_text(error: BaseException) -> str:
    """The text of an error; that of a CluedoError or a ValueError is a sentence, others need their class."""
    if isinstance(error, CluedoError):
        return error.phrase
    text = in_short(error).partition(": ")[2]
    return text if type(error) is ValueError and text else in_short(error)
