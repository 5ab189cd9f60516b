"""``cluedo serve``: tables by link, the assistant, replays and puzzles as web pages."""

from __future__ import annotations

import errno
import ipaddress
import re
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from cluedo.cli.terminal import notify
from cluedo.engine.errors import CluedoError, needs_extra
from cluedo.engine.file_io import state_folder
from cluedo.language import current, tr

__all__ = ["listen", "qr_code", "serve"]


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 8000,
    host: Annotated[
        str, typer.Option(help="The address to listen on; any address but a loopback one lets other machines in.")
    ] = "127.0.0.1",
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000,
            help="Processes that think for levels and the detective.",
            show_default="the available CPUs",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file that keeps tables and cases.", show_default="site/site.db beside your games"
        ),
    ] = None,
    root_path: Annotated[
        str, typer.Option(metavar="PATH", help="Behind a proxy: the path under which others reach this site.")
    ] = "",
    trusted_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name by which others reach this site; may be repeated."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS", help="A proxy that is trusted to say who asks, and whether by https; may be repeated."
        ),
    ] = None,
) -> None:
    """Serve the game as web pages: tables by link, the assistant, replays and puzzles.

    Without options it serves this machine alone. Nobody needs an account: anyone who reaches the address can open a
    table, and anyone with its link can join. Games are saved after every move. Press Ctrl-C to stop it.
    """
    with needs_extra("web"):
        from cluedo.web.server import run_site
        from cluedo.web.shared import SiteSettings
        from cluedo.web.site import make_site
    import loky

    from cluedo.web.guard import own_names

    trusted, proxies = trusted_host or [], proxy or []
    _check_names(root_path, trusted, proxies)
    names = frozenset(map(str.lower, trusted))
    settings = SiteSettings(
        database=data or state_folder("site") / "site.db",
        hosts=names | (frozenset({"localhost"}) if _is_loopback(host) else own_names()),
        language=current(),
        workers=workers or loky.cpu_count(),
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whenever it comes, all is tidied up
    with suppress(KeyboardInterrupt), listen(host, port) as listening:
        guard = make_site(settings)
        if not _is_loopback(host):
            notify(tr("whoever can reach {host} over the network can play here; there is no encryption", host=host))
        print(*_where(listening, host, root_path, trusted), tr("Press Ctrl-C to stop it."), sep="\n", flush=True)
        run_site(guard, listening, root_path=root_path, proxies=proxies)


def _check_names(root_path: str, trusted: Sequence[str], proxies: Sequence[str]) -> None:
    """Raise :class:`CluedoError` unless these are a path, names alone, and addresses, networks or `*` for all."""
    if root_path and not re.fullmatch(r"(/[\w.~-]+)+", root_path):
        raise CluedoError("--root-path {path}: it must look like /games or /our/games", path=root_path)
    for name in trusted:
        if not name or set(name) & set(":/@ "):
            raise CluedoError("--trusted-host {name}: give the name alone, such as game.example.org", name=name)
    for address in {*proxies} - {"*"}:
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise CluedoError(
                "--proxy {address}: this is neither an address nor a network, such as 127.0.0.1 or 10.0.0.0/8",
                address=address,
            ) from None


def _where(listening: socket.socket, host: str, root_path: str, trusted_hosts: Sequence[str]) -> Iterator[str]:
    """The addresses of the site in sentences, and a QR code if others can reach it and a terminal shows it."""
    address, port = listening.getsockname()[:2]
    reached = _reached_by(address, listening.family) or [host]
    own, *others = (_url(name, port, root_path) for name in reached)
    yield tr("Cluedo is at {url}", url=own)
    for url in others:
        yield tr("for other machines: {url}", url=url)
    for_others = [*(f"https://{name}{root_path}/" for name in trusted_hosts), *others]
    if not _is_loopback(host):
        for_others.append(own)
    if for_others and sys.stdout.isatty():
        yield qr_code(for_others[0])


def qr_code(url: str) -> str:
    """A QR code in half blocks, dark on light whatever the colours of the terminal."""
    import segno

    matrix = [[0] * 2 + [int(bit) for bit in row] + [0] * 2 for row in segno.make(url, micro=False).matrix]
    empty = [0] * len(matrix[0])
    rows = [empty, empty, *matrix, empty, empty]
    rows += [empty] * (len(rows) % 2)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    lines = ("".join(blocks[pair] for pair in zip(*rows[k : k + 2], strict=True)) for k in range(0, len(rows), 2))
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in lines)


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """A socket that listens there; raises :class:`CluedoError`, which names the option of the port."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise CluedoError(
            "--host {host}: this is not an address; 127.0.0.1 serves this machine alone", host=host
        ) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CluedoError(
                "port {port} of {host} is in use; choose another with {option}", port=port, host=host, option=option
            ) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise CluedoError("--host {host}: this machine has no such address", host=host) from None
        raise CluedoError(
            "port {port} of {host} cannot be opened: {error}", port=port, host=host, error=error
        ) from None
    # asyncio does it only where a socket was made for TCP by name; else a short answer may wait for 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
    return listening


def _url(host: str, port: int, root_path: str) -> str:
    return f"http://[{host}]:{port}{root_path}/" if ":" in host else f"http://{host}:{port}{root_path}/"


def _reached_by(address: str, family: socket.AddressFamily) -> list[str]:
    """The addresses of this machine, the local one first, if the server listens on all of them; else none."""
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
