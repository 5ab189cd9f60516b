"""``cluedo maps``: the boards, listed, shown, drawn and made."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from cluedo.cli.board_text import board_text
from cluedo.cli.maps_new import new
from cluedo.cli.terminal import Terminal
from cluedo.engine.board import Board
from cluedo.engine.cards import Category
from cluedo.engine.errors import CluedoError
from cluedo.engine.mapfile import map_names
from cluedo.language import tr
from cluedo.session.default_map import default_map
from cluedo.session.files import PICTURE, check_replaceable, write_bytes

__all__ = ["app"]

app = typer.Typer(invoke_without_command=True, add_completion=False)
app.command()(new)


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
        table.add_row(name, board.map.title, *sizes, _size(board))
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


def _size(board: Board) -> str:
    return tr("{width} x {height}", width=board.width, height=board.height) if board.has_grid else tr("no grid")


def _picture(board: Board) -> bytes:
    from cluedo.experiments.draw.board_picture import board_figure  # matplotlib takes long to load

    buffer = BytesIO()
    board_figure(board).savefig(buffer, format="png", dpi=120)
    return buffer.getvalue()
