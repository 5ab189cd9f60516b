"""The web server: one process that answers, and others that think for it."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Final

import uvicorn

from cluedo.web.connections import TimedProtocol
from cluedo.web.guard import Guard
from cluedo.web.shared import Site, SiteSettings
from cluedo.web.site import make_site

__all__ = ["SiteServer", "run_site"]

_END_S: Final = 3
"""How long answers that are on their way may take when the server ends."""


class SiteServer(uvicorn.Server):
    """A server that ends the streams of its site when it is asked to end, or it would wait for them.

    Args:
        guard: the site.
        options: more settings of uvicorn's.
    """

    def __init__(self, guard: Guard, **options: object):
        site: Site = guard.app.state.site  # type: ignore[attr-defined]
        self._site = site
        super().__init__(
            uvicorn.Config(
                guard,
                log_level="warning",
                access_log=False,
                server_header=False,
                limit_concurrency=site.settings.limits.connections,
                timeout_graceful_shutdown=_END_S,
                http=TimedProtocol,
                ws="none",
                **options,  # type: ignore[arg-type]
            )
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._site.end_streams()
        super().handle_exit(sig, frame)


def run_site(settings: SiteSettings, listening: socket.socket, *, root_path: str, proxies: Sequence[str]) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        settings: of the site.
        listening: the socket.
        root_path: the path under which a proxy has the site.
        proxies: the addresses of proxies that may say who asks.
    """
    _allow_files(settings.limits.connections)
    server = SiteServer(
        make_site(settings),
        root_path=root_path,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )
    # When all has ended well, uvicorn raises again what ended it: SIGTERM should not kill before all is tidied up.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])


def _allow_files(connections: int) -> None:
    """Let this process have as many connections as it takes; often only 1,024 files are allowed unless one asks."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * connections if hard == resource.RLIM_INFINITY else min(2 * connections, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
