"""``cluedo mcp``: the detective and the table for AI assistants that speak the Model Context Protocol."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from cluedo.cli.serve import listen
from cluedo.cli.terminal import notify
from cluedo.engine.errors import needs_extra
from cluedo.language import tr

__all__ = ["mcp"]

_HOST: Final = "127.0.0.1"


def mcp(
    http: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            metavar="PORT",
            help="Serve by HTTP instead, to this machine alone, at this port; 0 takes any that is free.",
        ),
    ] = None,
) -> None:
    """Serve AI assistants by the Model Context Protocol: the detective, games against levels, the test set.

    Without options it speaks on standard input and output, for programs that start it themselves. Cases and games are
    kept: the last hundred of each.
    """
    with needs_extra("mcp"):
        from cluedo.agents.mcp_server import PATH, serve_http, serve_stdio
    if http is None:
        if sys.stdin.isatty():
            notify(tr("an AI assistant is meant to start this command, as docs/howto/mcp.md says; Ctrl-C ends it"))
        serve_stdio()
        return
    listening = listen(_HOST, http, "--http")
    port = listening.getsockname()[1]
    sys.stdout.write(tr("Cluedo is at {url}", url=f"http://{_HOST}:{port}{PATH}") + "\n")
    sys.stdout.write(tr("Press Ctrl-C to stop it.") + "\n")
    sys.stdout.flush()
    serve_http(listening)
