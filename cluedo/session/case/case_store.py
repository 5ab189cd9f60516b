"""Saves cases in files after every change, and reads them to go on with them."""

from __future__ import annotations

import shlex
from pathlib import Path

from cluedo.ai.knowledge import model_named
from cluedo.ai.knowledge.caselog import Setting
from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import read_bytes, state_folder
from cluedo.language import tr
from cluedo.session.case.case import Case, read_case
from cluedo.session.files import MOST_LISTED, check_new, json_text, latest_files, new_file, unused_path, write_bytes

__all__ = ["CaseStore", "saved_cases"]


def saved_cases() -> list[Path]:
    """The latest cases in the user's state folder, the newest first."""
    return latest_files(state_folder("cases"))[:MOST_LISTED]


def _new_path() -> Path:
    """A new file for a case, in the user's own state; raises CluedoError."""
    folder = state_folder("cases")
    try:
        return new_file(folder)
    except OSError as error:
        raise CluedoError(
            "{folder} cannot be made: {strerror}; name a file for the case instead",
            folder=folder,
            strerror=error,
        ) from None


class CaseStore:
    """Where a case is saved: the file named for it, or one in the user's folder.

    What another program writes into that file meanwhile is not overwritten: then the case goes on in a file beside it.

    Args:
        file: the file, which may exist; None for one in the user's folder.
        model: the name of the model that the odds come from.
    """

    def __init__(self, file: Path | None, model: str):
        self._file = file
        self._model = model_named(model)
        self._data = b""  # of the file, as it was read or written last; none before there is a case
        self._trouble: CluedoError | None = None  # why the latest change is not in it

    @property
    def path(self) -> Path:
        """The file; raises CluedoError where there can be none."""
        if self._file is None:
            self._file = _new_path()
        return self._file

    def load(self) -> Case | None:
        """Load the case of the file if it exists, else None; raises CluedoError if it is no case or cannot be."""
        if self._file is None:
            return None
        if not self._file.exists():
            check_new(self._file)  # before anybody describes a table that could not be saved
            return None
        return self.resume(self._file)

    def resume(self, file: Path) -> Case:
        """Load the case of another file, and save it there from now on; raises CluedoError if it is no case."""
        log, self._data = read_case(file)
        self._file = file
        return Case(log.setting, log.entries, model=self._model, keep=self._save)

    def new(self, setting: Setting) -> Case:
        """Begin a case that is saved from now on; raises CluedoError if it cannot be saved."""
        check_new(self.path)
        case = Case(setting, model=self._model, keep=self._save)
        self._save(case)
        return case

    def farewell(self) -> str:
        """Where the case is, and how to continue it, or why it is not there as it was last; empty if none was begun."""
        if self._trouble is not None:
            return tr("The last changes of this case were not saved: {error}.", error=self._trouble.phrase)
        if not (self._data and self.path.exists()):
            return ""
        command = shlex.join(["cluedo", "assist", str(self.path)])
        return tr("The case is saved. To continue it: {command}", command=command)

    def _save(self, case: Case) -> None:
        """Write the case log, as a whole or not at all; raises CluedoError, also to tell that it is in another file."""
        data = json_text(case.log.to_json()).encode()
        named = self.path
        try:
            path = unused_path(named) if self.changed() else named
            write_bytes(path, data)
        except CluedoError as error:
            self._trouble = error
            raise
        self._file, self._data, self._trouble = path, data, None
        if path != named:
            raise CluedoError(
                "another program has changed {file}: this case is saved in {other}", file=named, other=path
            )

    def changed(self) -> bool:
        """Whether another program has written into the file; one that is gone may be written again."""
        path = self.path
        with CluedoError.around("{path}: {error}", path=path):
            return path.exists() and read_bytes(path) != self._data
