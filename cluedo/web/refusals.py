"""What a visitor is refused: a sentence in their language, which another process may tell, and files of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cluedo.engine.board import Board, loaded_board
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.language import tr
from cluedo.words.narration import as_sentence

__all__ = ["Refusal", "refusals", "shipped_board"]


class Refusal(Exception):
    """A request that is refused; the text is a sentence for people. It can be pickled."""


@contextmanager
def refusals() -> Iterator[None]:
    """Tell an error of ours inside the ``with`` as a refusal."""
    try:
        yield
    except CluedoError as error:
        raise Refusal(as_sentence(tr(error))) from None


def shipped_board(name: str) -> Board:
    """A shipped board: a visitor names no file of ours. Raises CluedoError."""
    if name not in map_names():
        names = ", ".join(map_names())
        raise CluedoError("the board {name!r} is not known here; known: {names}", name=name[:40], names=names)
    return loaded_board(name)
