"""Saves a game while it is played: every command adds a line to its record.

If the program is killed, at most the last line is lost: a reader leaves out a line that was cut off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from cluedo.engine.errors import CluedoError, RecordError
from cluedo.engine.file_io import Unreadable, check_format, json_object, read_text, state_folder
from cluedo.engine.record import GameRecord, read_record
from cluedo.session.files import MOST_LISTED, check_new, latest_files, new_file, unused_path, write_bytes

__all__ = ["Autosave", "PendingLines", "saved_games", "saves_folder"]


def saves_folder() -> Path:
    """The folder for games without a file of their own, in the user's state folder (XDG)."""
    return state_folder("games")


def saved_games() -> Iterator[tuple[Path, GameRecord]]:
    """The unfinished games in that folder, latest first; files that are no records are skipped."""
    listed = 0
    for path in latest_files(saves_folder()):
        try:
            record = read_record(path)
        except RecordError:
            continue
        if record.result is None:
            yield path, record
            listed += 1
        if listed == MOST_LISTED:
            return


class Autosave:
    """Saves one game in one file; each line is written whole or not at all.

    Another program may write into that file meanwhile, such as a second terminal that continues the same game. What it
    wrote is left as it is: this game then goes on in a file beside it.

    Attributes:
        path: the file, or None where the user has no place for one and named none.
        chosen: whether somebody named the file.
        left: the file that was left to another program, or None.
        begun: whether the record has been written, so that lines can be appended.
    """

    def __init__(self, path: Path | None, *, chosen: bool):
        self.path = path
        self.chosen = chosen
        self.left: Path | None = None
        self._size = _size(path)
        self.begun = False
        self._trouble: dict[Path, CluedoError] = {}
        self._told = False

    @classmethod
    def new(cls, path: Path | None, name: str) -> Autosave:
        """For a new game: at ``path``, where nothing is yet, or in the user's folder, with ``name`` in its name.

        Raises :class:`CluedoError` for a path that cannot be a new file.
        """
        if path is not None:
            check_new(path)
            check_new(cls._sheets(path))
            return cls(path, chosen=True)
        try:
            return cls(new_file(saves_folder(), Path(name).stem), chosen=False)
        except OSError:
            return cls(None, chosen=False)

    @property
    def trouble(self) -> CluedoError | None:
        """Why not all of the game so far is saved; None if it is."""
        if self.path is None:
            return CluedoError("{folder} cannot be made", folder=saves_folder())
        return self._trouble.get(self.path)

    @property
    def saved(self) -> bool:
        """Whether all of the game so far is saved."""
        return self.trouble is None

    def new_trouble(self) -> CluedoError | None:
        """The trouble, if it was not asked for since it began."""
        trouble, told = self.trouble, self._told
        self._told = trouble is not None
        return None if told else trouble

    def begin(self, record: str) -> None:
        """Write the whole record over what was there; :meth:`check` raises errors."""
        if self.path is not None:
            if self.changed():
                self.left, self.path = self.path, unused_path(self.path)
            self._write(self.path, record)
            self.begun = self.path not in self._trouble
            self._size = _size(self.path)

    def changed(self) -> bool:
        """Whether another program has written into the file; one that is gone may be written again."""
        return _size(self.path) not in (self._size, None)

    def add(self, line: str) -> bool:
        """Add a line to the record; False where that did not work, and the whole has to be written again."""
        if self.path is None:
            return True
        try:
            with self.path.open("r+b") as file:  # not "a", which would make a file that was taken away
                if file.seek(0, os.SEEK_END) != self._size:
                    self.begun = False
                    return False
                file.write(line.encode() + b"\n")
        except OSError:
            self.begun = False
        self._size = _size(self.path)
        return self.begun

    def save_sheets(self, text: str) -> None:
        """Write what the players wrote on their sheets into a file of its own, for the record is what happened."""
        if self.path is not None:
            self._write(self._sheets(self.path), text)

    def sheets(self) -> str:
        """What :meth:`save_sheets` wrote last; nothing if there is nothing to be read."""
        if self.path is None:
            return ""
        try:
            return read_text(self._sheets(self.path))
        except Unreadable:
            return ""

    def check_sheets(self) -> None:
        """Raise :class:`CluedoError` where the file of sheets is none that can be read, and would be overwritten."""
        if self.path is None or not (path := self._sheets(self.path)).exists():
            return
        with suppress(Unreadable):
            written = json_object(read_text(path), "a file of sheets")
            check_format(written)
            if "seats" in written:
                return
        raise CluedoError("{path} holds no sheets that this program can read; move it away", path=path)

    @staticmethod
    def _sheets(path: Path) -> Path:
        return path.parent / f"{path.name}.sheets"

    def _write(self, path: Path, text: str) -> None:
        self._trouble.pop(path, None)
        try:
            write_bytes(path, f"{text}\n".encode())
        except CluedoError as error:
            self._trouble[path] = error

    def check(self) -> None:
        """Raise :class:`CluedoError` if the last record could not be written."""
        for error in self._trouble.values():
            raise error


def _size(path: Path | None) -> int | None:
    """Bytes of a file; None where there is none that could be read."""
    try:
        return None if path is None else path.stat().st_size
    except (OSError, ValueError):
        return None


class PendingLines(Autosave):
    """The lines of a record that are still to be saved, for a face that saves them when it can.

    Attributes:
        fresh: whether they take the place of all that was saved before.
        lines: what is to be saved.

    >>> pending = PendingLines()
    >>> pending.begin("a record")
    >>> pending.add("more of it")
    True
    >>> pending.fresh, pending.lines
    (True, ['a record', 'more of it'])
    >>> pending.mark_saved(2)
    >>> pending.fresh, pending.lines
    (False, [])
    """

    def __init__(self, *, begun: bool = False):
        super().__init__(None, chosen=True)
        self.begun = begun
        self.fresh = False
        self.lines: list[str] = []

    @property
    def trouble(self) -> CluedoError | None:
        return None

    def begin(self, record: str) -> None:
        self.begun = self.fresh = True
        self.lines = [record]

    def add(self, line: str) -> bool:
        self.lines.append(line)
        return True

    def mark_saved(self, count: int) -> None:
        """Note that the first ``count`` lines are saved."""
        self.fresh = False
        del self.lines[:count]
