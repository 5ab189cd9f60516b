"""Boards that are used again and again: each is loaded once."""

from __future__ import annotations

from functools import lru_cache

from cluedo.engine.board import Board

__all__ = ["loaded_board"]


@lru_cache(maxsize=16)
def loaded_board(source: str) -> Board:
    """The board of a shipped map, or of a map file; raises :class:`MapError`."""
    return Board.load(source)
