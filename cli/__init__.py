"""The faces of the program: commands, prompts, colours and screens."""

if __name__ != "cluedo.cli":
    raise ImportError("import cluedo.cli, not cli: two copies of one module would have two sets of classes")

from cluedo.cli.app import main

__all__ = ["main"]
