"""``cluedo maps new``: a map or a deck of one's own."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from cluedo.cli.prompts import ask_until
from cluedo.cli.terminal import Left, Terminal
from cluedo.engine.cards import Category
from cluedo.engine.errors import MapError
from cluedo.language import tr
from cluedo.session.files import check_new, write_new
from cluedo.session.new_map import LAID_OUT, NewCard, check_cards, make_map, read_cards, title_of

__all__ = ["new"]

_ALSO: Final = "="
"""Stands between a name that is typed and what the card is called as well."""


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The map file to make; its name ends in .json.")],
    names: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV",
            help="A table of the cards: columns kind (suspect, weapon or room) and name, and perhaps aliases, colour, "
            "symbol and passage. Without it you are asked.",
        ),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(
            metavar="auto|none|GRID",
            help="The board: laid out for your rooms, none (a deck alone), or a text file with a grid.",
            show_default="auto",
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="The title of the map.", show_default="the file's name")] = None,
) -> None:
    """Make a map of your own from the names of its cards, with a board or as a deck alone."""
    if file.suffix != ".json":
        raise MapError("{path}: the name of a map file ends in .json", path=file)
    check_new(file)
    terminal = Terminal()
    if names is not None:
        text = make_map(read_cards(names), file, title or title_of(file), board or LAID_OUT)
    else:
        try:
            text = _asked(terminal, file, title, board)
        except Left:
            raise MapError("the input ended before the map was described; nothing is written") from None
    write_new(file, text)
    terminal.say(tr("The map is {file}. Next:", file=file))
    path = shlex.quote(str(file))
    terminal.say(f"    cluedo maps show {path}")
    terminal.say(f"    cluedo play --map {path}" + ("" if '"grid"' in text else " --rule movement=free"))


def _asked(terminal: Terminal, file: Path, title: str | None, board: str | None) -> str:
    """The text of a map that is described line by line."""
    if title is None:
        title = terminal.ask(tr("What is the map called? [{default}]", default=title_of(file)))
    title = title or title_of(file)
    terminal.say(tr("Names are separated by commas; Plum = Professor Plum gives a card two names."))
    cards: list[NewCard] = []
    for category in Category:
        prompt = tr("{title}?", title=tr(category.title))
        cards += ask_until(terminal, prompt, partial(_typed, file, category, cards))
    if board is not None:
        return make_map(cards, file, title, board)
    prompt = tr("The board: auto lays one out, none is a deck alone, or name a text file with a grid? [auto]")
    return ask_until(terminal, prompt, lambda text: make_map(cards, file, title, text or LAID_OUT))


def _typed(file: Path, category: Category, before: Sequence[NewCard], text: str) -> list[NewCard]:
    """The cards that a line names, checked together with those before; raises :class:`MapError`."""
    cards = []
    for part in filter(str.strip, text.split(",")):
        name, *aliases = (word.strip() for word in part.split(_ALSO))
        cards.append(NewCard(category, name, tuple(aliases)))
    check_cards([*before, *cards], file, category)
    return cards
