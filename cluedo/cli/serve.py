"""``cluedo serve``: play, watch and deduce in a web page, each visitor in a process of their own."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from typing import Annotated

import typer

from cluedo.cli.options import Lang
from cluedo.engine.errors import CluedoError
from cluedo.language import current, tr

__all__ = ["listen", "serve"]


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 8000,
    host: Annotated[
        str, typer.Option(help="The address to listen at; any but a loopback one lets other machines in.")
    ] = "127.0.0.1",
    visitors: Annotated[int, typer.Option(min=1, help="The most who may play at a time.")] = 20,
    _lang: Lang = None,
) -> None:
    """Serve the game as a web page: play, watch a game, or have the assistant.

    Each visitor has a game of their own, in a process that can reach neither
    files of this machine nor other machines. There is no password: whoever
    reaches the address can play. Ctrl-C ends it.
    """
    try:
        from cluedo.web.server import WebServer
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual_serve", "aiohttp", "aiohttp_jinja2"):
            raise
        raise CluedoError("serving needs textual-serve, which is not installed: pip install 'cluedo[web]'") from None
    listening = listen(host, port)
    name = f"[{host}]" if ":" in host else host
    if not _is_loopback(host):
        told = tr(
            "whoever can reach {host} over the network can play here: there is no password and no encryption", host=host
        )
        sys.stderr.write(f"cluedo: {told}\n")
    url = f"http://{name}:{listening.getsockname()[1]}/"
    sys.stdout.write(tr("Cluedo is at {url}", url=url) + "\n" + tr("Ctrl-C ends it.") + "\n")
    sys.stdout.flush()
    WebServer(visitors=visitors, language=current(), anybody=not _is_loopback(host)).run(listening)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises :class:`CluedoError`."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise CluedoError(f"--host {host}: this is no address; 127.0.0.1 is this machine for itself") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CluedoError(f"port {port} of {host} is in use; choose another with --port") from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise CluedoError(f"--host {host}: this machine has no such address") from None
        raise CluedoError(f"port {port} of {host} cannot be opened: {error.strerror or error}") from None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
