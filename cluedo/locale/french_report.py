"""What ``cluedo report`` says, in French."""

from __future__ import annotations

from typing import Final

__all__ = ["FRENCH_REPORT"]

FRENCH_REPORT: Final[dict[str, str]] = {
    "making the report": "rapport en préparation",
    "The report: {path}": "Le rapport : {path}",
}
