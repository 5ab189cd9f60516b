"""The files of a report: which of those in a folder are ours."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from cluedo.engine.errors import CluedoError
from cluedo.engine.reading import Unreadable, source

__all__ = ["BY", "FOLDER", "PAGE", "check_report", "files_of_report", "remove_report"]

FOLDER: Final = "report"
"""Where a report is, if nobody says otherwise: in the folder of the results."""
PAGE: Final = "report.html"
BY: Final = "made by cluedo report"

_NAMES: Final = re.compile(
    r"report\.html|claims(_key)?\.jsonl|(win_rates|matrix|differences|settling|ratings|maps|thought|growth|places_\d+|observed_\d+|claims|lengths|order|hand)\.(png|svg)"
)
_MARKS: Final = {
    ".html": b'<meta name="generator" content="cluedo ',
    ".png": b"Software\0cluedo",
    ".svg": b"<dc:title>cluedo</dc:title>",
    ".jsonl": f'{{"comment": "{BY}"'.encode(),
}
"""What the page and the pictures of a report have near their beginning."""
_BEGIN: Final = 2000


def check_report(folder: Path) -> None:
    """Raise :class:`CluedoError` if a foreign file has the name of a file of reports, OSError if none can be seen."""
    if folder.exists() and not folder.is_dir():
        raise CluedoError("{folder} is a file; give a folder for the report", folder=folder)
    for path in files_of_report(folder):
        if path.is_dir():
            raise CluedoError("{path} is a folder, so no file of that name can be written", path=path)
        if not _is_ours(path):
            raise CluedoError(
                "{path} is in the way, and is not part of a cluedo report; give another folder with --out", path=path
            )


def files_of_report(folder: Path) -> list[Path]:
    """The files in a folder with names of a report's files, whoever made them; none where there is no folder.

    Raises:
        OSError: a folder that cannot be read.
    """
    return sorted(path for path in (folder.iterdir() if folder.is_dir() else ()) if _NAMES.fullmatch(path.name))


def remove_report(folder: Path) -> bool:
    """Remove the report in a folder, and the folder unless something else is in it; whether there was one."""
    ours: list[Path] = []
    with suppress(OSError):  # what is left is as old as it looks
        ours += (path for path in files_of_report(folder) if _is_ours(path))
        for path in ours:
            path.unlink()
        if ours:
            folder.rmdir()
    return bool(ours)


def _is_ours(path: Path) -> bool:
    if path.is_symlink():
        return False
    try:
        with source(path) as file:
            return _MARKS[path.suffix] in file.read(_BEGIN)
    except (OSError, Unreadable):
        return False
