"""What the faces say, in French: English sentence to French sentence, with the same ``{places}``."""

from __future__ import annotations

from typing import Final

from cluedo.cli.french_report import FRENCH_REPORT

__all__ = ["FRENCH"]

FRENCH: Final[dict[str, str]] = {} | FRENCH_REPORT
