"""The program that a visitor of ``cluedo serve`` runs: everything from the main menu, in a sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

from cluedo.language import speak
from cluedo.tui import sandbox
from cluedo.tui.app import CluedoApp
from cluedo.tui.main_menu import MainMenu

__all__ = ["main"]


def main(folder: str, language: str) -> None:
    """Run the program in a sandbox, whose private folder is ``folder``."""
    speak(language)
    sandbox.enter(Path(folder))
    CluedoApp(MainMenu(), files=False).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
