"""``cluedo bot``: bots in any language, over lines of JSON."""

from __future__ import annotations

from typing import Annotated

import typer

from cluedo.bots.naming import parse_player
from cluedo.bots.serving import serve
from cluedo.cli.options import Lang

__all__ = ["bot_app"]

bot_app = typer.Typer(
    help="Bots in any language: check one, begin one, or serve a level as one.",
    no_args_is_help=True,
    add_completion=False,
)


@bot_app.callback()
def _bots(_lang: Lang = None) -> None:
    pass


@bot_app.command("serve")
def serve_(
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="A level, or path/to/bot.py:Class.")],
    _lang: Lang = None,
) -> None:
    """Play as a program that speaks the protocol of bots, over standard input and output."""
    serve(parse_player(level))
