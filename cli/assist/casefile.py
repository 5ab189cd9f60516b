"""Cases in files: read to go on with, and kept after every change, so that a killed terminal loses nothing."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

from cluedo.ai.knowledge.caselog import read_case_log
from cluedo.board import Board
from cluedo.cards import Deck
from cluedo.cli.assist.entries import Entry, Setting, read_entry
from cluedo.cli.assist.session import Session
from cluedo.cli.files import check_new
from cluedo.cli.json_text import json_text
from cluedo.errors import CluedoError

__all__ = ["Keeper", "new_path", "read_case"]


def read_case(path: Path) -> tuple[Setting, list[Entry]]:
    """The table and the entries of a case log; raises CluedoError with what is wrong with it."""
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        raise CluedoError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    boards: list[Board] = []

    def deck_of(source: str) -> Deck:
        boards.append(Board.load(source))
        return boards[-1].deck

    try:
        case = read_case_log(text, deck_of)
    except CluedoError as error:
        raise CluedoError(f"{path}: {error}") from None
    setting = Setting.of(case, boards[-1])
    return setting, [read_entry(event, setting) for event in json.loads(text).get("events", ())]


def new_path() -> Path:
    """A file for a case that nobody named one for, in the user's folder for such things (XDG)."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(home) / "cluedo" / "assist"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CluedoError(f"{folder} cannot be made: {error.strerror}; name a file for the case instead") from None
    started = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    numbered = (folder / f"{started}{'' if again == 0 else f'-{again}'}.json" for again in range(1000))
    return next(path for path in numbered if not path.exists())


class Keeper:
    """Writes a session into its file, as a whole or not at all.

    Args:
        path: the file; one that exists is replaced, so it has to be this case's own.
    """

    def __init__(self, path: Path):
        self.path = path
        if not path.exists():
            check_new(path)

    def __call__(self, session: Session) -> None:
        """Write the case log beside the file, then put it in its place; raises CluedoError."""
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            with beside.open("w", encoding="utf-8") as file:
                file.write(json_text(session.setting.log(session.entries)))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise CluedoError(f"{self.path} cannot be written: {error.strerror or error}") from None
