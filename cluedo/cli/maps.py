"""``cluedo maps``: the boards, listed, shown, drawn and made."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table

from cluedo.cli.board_text import board_text
from cluedo.cli.terminal import Left, Terminal
from cluedo.engine.board import Board
from cluedo.engine.cards import Category
from cluedo.engine.errors import CluedoError, MapError
from cluedo.engine.mapfile import map_names
from cluedo.language import tr
from cluedo.session.boards import default_map
from cluedo.session.files import PICTURE, check_new, check_replaceable, write_bytes, write_new
from cluedo.session.new_map import LAID_OUT, NewCard, check_cards, make_map, read_cards, title_of

__all__ = ["app"]

_ALSO: Final = "="
"""Stands between a name that is typed and what the card is called as well."""

app = typer.Typer(invoke_without_command=True, add_completion=False)


@app.callback()
def list_maps(context: typer.Context) -> None:
    """List the boards; ``cluedo maps show NAME`` shows one, ``cluedo maps new FILE`` makes one."""
    if context.invoked_subcommand is not None:
        return
    headings = tr("name"), tr("title"), tr("suspects"), tr("weapons"), tr("rooms"), tr("size")
    table = Table(*headings, box=None, pad_edge=False)
    for name in map_names():
        board = Board.load(name)
        sizes = [str(len(ids)) for ids in board.deck.ids]
        table.add_row(name, board.title, *sizes, _size(board))
    terminal = Terminal()
    terminal.table(table)
    terminal.say()
    terminal.say(tr("cluedo maps show NAME prints a board, and with --png FILE draws it."))
    terminal.say(tr("cluedo maps new FILE makes one of your own."))


@app.command()
def show(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A map's name, or the path of a map file.",
            show_default="classic in English, manoir in French",
        ),
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="Also draw the board, into this PNG file.")] = None,
) -> None:
    """Print a board and its cards."""
    board = Board.load(name or default_map())
    if png is not None:
        if not board.has_grid:
            raise CluedoError("the map {name} has no grid to draw", name=name)
        check_replaceable(png, PICTURE)
    terminal = Terminal()
    title = board.title
    if board.has_grid:
        terminal.say(tr("{title} ({size} squares)", title=title, size=_size(board)), style="bold")
    else:
        terminal.say(tr("{title} (a deck without a board)", title=title), style="bold")
    terminal.say()
    terminal.show(board_text(board, width=terminal.width))
    terminal.say()
    for category in Category:
        terminal.say(tr("{title}: {cards}", title=category.title, cards=board.deck.listed(board.deck.ids[category])))
    if png is not None:
        write_bytes(png, _picture(board))
        terminal.say(tr("Drawn: {file}.", file=png))


@app.command()
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
            text = _ask_for_map(terminal, file, title, board)
        except Left:
            raise MapError("the input ended before the map was described; nothing is written") from None
    write_new(file, text)
    terminal.say(tr("The map is {file}. Next:", file=file))
    path = shlex.quote(str(file))
    terminal.say(f"    cluedo maps show {path}")
    terminal.say(f"    cluedo play --map {path}" + ("" if '"grid"' in text else " --rule movement=free"))


def _size(board: Board) -> str:
    return tr("{width} x {height}", width=board.width, height=board.height) if board.has_grid else tr("no grid")


def _picture(board: Board) -> bytes:
    from cluedo.experiments.draw.board_picture import board_figure  # matplotlib takes long to load
    from cluedo.experiments.draw.literal_text import png_of

    return png_of(board_figure(board))


def _ask_for_map(terminal: Terminal, file: Path, title: str | None, board: str | None) -> str:
    """Ask for the names line by line; returns the text of the map."""
    if title is None:
        title = terminal.ask(tr("What is the map called? [{default}]", default=title_of(file)))
    title = title or title_of(file)
    terminal.say(tr("Names are separated by commas; Plum = Professor Plum gives a card two names."))
    cards: list[NewCard] = []
    for category in Category:
        prompt = tr("{title}?", title=tr(category.title))
        cards += terminal.ask_until(prompt, partial(_read_cards, file, category, cards))
    if board is not None:
        return make_map(cards, file, title, board)
    prompt = tr("The board: auto lays one out, none is a deck alone, or name a text file with a grid? [auto]")
    return terminal.ask_until(prompt, lambda text: make_map(cards, file, title, text or LAID_OUT))


def _read_cards(file: Path, category: Category, before: Sequence[NewCard], text: str) -> list[NewCard]:
    """The cards named in a typed line, checked together with earlier ones; raises :class:`MapError`."""
    cards = []
    for part in filter(str.strip, text.split(",")):
        name, *aliases = (word.strip() for word in part.split(_ALSO))
        cards.append(NewCard(category, name, tuple(aliases)))
    check_cards([*before, *cards], file, category)
    return cards
