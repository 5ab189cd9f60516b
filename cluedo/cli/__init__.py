"""The faces of the program: commands, prompts and plain text."""

from cluedo.cli.app import main

__all__ = ["main"]
