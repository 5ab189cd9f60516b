"""The command ``cluedo``: its subcommands, and what happens to their errors."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from cluedo import __version__
from cluedo.cli.autoplay import autoplay
from cluedo.cli.levels import levels
from cluedo.cli.maps import maps_app
from cluedo.cli.play import play
from cluedo.cli.replay import replay
from cluedo.cli.solve import solve
from cluedo.errors import CluedoError

__all__ = ["main"]

app = typer.Typer(
    name="cluedo",
    help="Cluedo: play it, let levels of intelligence play each other, and look at how they did.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cluedo {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


app.command()(autoplay)
app.command()(play)
app.command()(replay)
app.command()(solve)
app.command()(levels)
app.add_typer(maps_app, name="maps")


def main() -> None:
    """Run the command line: exit 2 with one sentence for what the user can mend, 130 for Ctrl-C."""
    try:
        app()
    except CluedoError as error:
        sys.stderr.write(f"cluedo: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("cluedo: interrupted\n")
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
