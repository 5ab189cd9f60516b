"""``cluedo serve``: play, watch and deduce in a web page, each visitor in a process of their own."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from contextlib import suppress
from typing import Annotated

import typer

from cluedo.cli.options import Lang
from cluedo.cli.terminal import say
from cluedo.engine.errors import CluedoError
from cluedo.language import current, tr

__all__ = ["listen", "serve"]


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 8000,
    host: Annotated[
        str, typer.Option(help="The address to listen at; any address but a loopback one lets other machines in.")
    ] = "127.0.0.1",
    visitors: Annotated[int, typer.Option(min=1, help="How many people may play at the same time.")] = 20,
    _lang: Lang = None,
) -> None:
    """Serve the game as a web page: play, watch a game, or use the assistant.

    Each visitor has a game of their own, in a process that can reach neither the files of this machine nor other
    machines. There is no password: whoever reaches the address can play. Press Ctrl-C to stop it.
    """
    try:
        from cluedo.web.server import WebServer
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("textual_serve", "aiohttp", "aiohttp_jinja2"):
            raise
        raise CluedoError("serving needs textual-serve, which is not installed: pip install 'cluedo[web]'") from None
    listening = listen(host, port)
    if not _is_loopback(host):
        say(
            tr(
                "whoever can reach {host} over the network can play here: there is no password and no encryption",
                host=host,
            )
        )
    address, port = listening.getsockname()[:2]
    own, *others = _reached_by(address, listening.family) or [host]
    said = [tr("Cluedo is at {url}", url=_url(own, port))]
    said += [tr("for other machines: {url}", url=_url(other, port)) for other in others]
    sys.stdout.write("\n".join([*said, tr("Press Ctrl-C to stop it."), ""]))
    sys.stdout.flush()
    WebServer(visitors=visitors, language=current(), anybody=not _is_loopback(host)).run(listening)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises :class:`CluedoError`."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise CluedoError(
            "--host {host}: this is not an address; 127.0.0.1 serves this machine alone", host=host
        ) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CluedoError(
                "port {port} of {host} is in use; choose another with --port", port=port, host=host
            ) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise CluedoError("--host {host}: this machine has no such address", host=host) from None
        raise CluedoError(
            "port {port} of {host} cannot be opened: {error}", port=port, host=host, error=error.strerror or error
        ) from None


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _reached_by(address: str, family: socket.AddressFamily) -> list[str]:
    """By which addresses this machine is reached, its own use first, if it listens at all of them; else none."""
    if not ipaddress.ip_address(address.partition("%")[0]).is_unspecified:
        return []
    loopback, far = ("::1", "2001:db8::1") if family == socket.AF_INET6 else ("127.0.0.1", "192.0.2.1")
    found: dict[str, None] = {}  # in order, each once
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
        asked.connect((far, 9))  # sends nothing: it only looks up by which address that would be sent
        found[str(asked.getsockname()[0])] = None
    with suppress(OSError):
        for *_, named in socket.getaddrinfo(socket.gethostname(), None, family):
            found[str(named[0])] = None
    return [loopback, *(other for other in found if not _is_loopback(other))]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
