"""Whether figures for experts are shown in terminals: a switch that remembers how it was left."""

from __future__ import annotations

from contextlib import suppress

from cluedo.engine.writing import state_folder

__all__ = ["figures_shown", "switch_figures"]


def figures_shown() -> bool:
    """Whether figures in bits are to be shown; not at first."""
    return (state_folder("settings") / "figures").is_file()


def switch_figures() -> bool:
    """Show figures from now on, or no more; gives whether. Where nothing can be kept, nothing changes."""
    path = state_folder("settings") / "figures"
    with suppress(OSError):
        if path.is_file():
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return figures_shown()
