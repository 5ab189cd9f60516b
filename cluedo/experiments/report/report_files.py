"""The files of a report: which of those in a folder are ours."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import PICTURE_OF_OURS
from cluedo.experiments.store.folder import begins

__all__ = ["BY", "FOLDER", "PAGE", "check_report", "files_of_report", "remove_report"]

FOLDER: Final = "report"
"""Where a report is, if nobody says otherwise: in the folder of the results."""
PAGE: Final = "report.html"
BY: Final = "made by cluedo report"

_PICTURES: Final = (
    *("win_rates", "ratings", "matrix", "differences", "settling", "maps", "thought", "growth", r"places_\d+"),
    *(r"observed_\d+", "claims", "lengths", "order", "hand"),
)
_NAMES: Final = re.compile(rf"report\.html|claims(_key)?\.jsonl|({'|'.join(_PICTURES)})\.(png|svg)")
_BEGIN: Final = {
    ".html": re.compile(rb'.*<meta name="generator" content="cluedo ', re.DOTALL),
    ".png": PICTURE_OF_OURS,
    ".svg": re.compile(rb".*<dc:title>cluedo</dc:title>", re.DOTALL),
    ".jsonl": re.compile(re.escape(f'{{"comment": "{BY}"'.encode())),
}
"""How the page, the pictures and the claims of a report begin."""


def check_report(folder: Path) -> None:
    """Raise :class:`CluedoError` if a foreign file has the name of a file of reports, OSError if none can be seen."""
    if folder.exists() and not folder.is_dir():
        raise CluedoError("{folder} is a file; give a folder for the report", folder=folder)
    for path in files_of_report(folder):
        if path.is_dir():
            raise CluedoError("{path} is a folder, so no file of that name can be written", path=path)
        if not begins(path, _BEGIN[path.suffix]):
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
        ours += (path for path in files_of_report(folder) if begins(path, _BEGIN[path.suffix]))
        for path in ours:
            path.unlink()
        if ours:
            folder.rmdir()
    return bool(ours)
