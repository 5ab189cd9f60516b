"""The site for tests: asked in this process, or served to a browser by a server in a thread."""

from __future__ import annotations

import html
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from cluedo.web.guard import Limits
from cluedo.web.server import SiteServer
from cluedo.web.shared import SiteSettings
from cluedo.web.site import make_site

ADDRESS = "http://testserver"
PHONE: dict[str, Any] = {"width": 360, "height": 640, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
PATIENT = SiteSettings(limits=Limits(burst=100_000, new_documents=100_000))
"""A site for tests that ask again and again until something has happened."""
DESKTOP: dict[str, Any] = {"width": 1280, "height": 800}
_OF_ONE_SEED = """
import secrets
from cluedo.cli import main
from cluedo.web.guard import Allowance

secrets.randbits = lambda bits: {seed}
Allowance.take = lambda *_: True
main()
"""
"""``cluedo``, but the seeds that are nobody's to know are all this one, and nobody asks too often."""


class Client(TestClient):
    """A browser without a screen: it keeps cookies, and sends what our pages' forms and scripts would send."""

    @property
    def token(self) -> str:
        """What the forms of this browser carry."""
        if not hasattr(self, "_token"):
            found = re.search(r'<meta name="token" content="(\w+)">', self.get("/").text)
            assert found, "the start page has a token"
            self._token = found[1]
        return self._token

    def send_form(self, path: str, **fields: str):
        """Send a form as its page would; redirections are followed."""
        return self.post(path, data={"token": self.token, **fields}, headers={"Origin": ADDRESS})

    def send_json(self, path: str, value: object):
        """Send JSON as a script of ours would."""
        return self.post(path, json=value, headers=self._script())

    def ask_json(self, path: str):
        """Ask for JSON as a script of ours would."""
        return self.get(path, headers=self._script())

    def _script(self) -> dict[str, str]:
        return {"Origin": ADDRESS, "X-Token": self.token, "Accept": "application/json"}


@contextmanager
def client(settings: SiteSettings | None = None, **options: Any) -> Iterator[Client]:
    """A site that has begun, and a browser at it; ``another(client)`` is a second one. Options as of TestClient."""
    with Client(make_site(settings or SiteSettings()), headers={"Accept": "text/html"}, **options) as visitor:
        yield visitor


def another(first: Client) -> Client:
    """A second browser at the same site."""
    second = Client(first.app, headers={"Accept": "text/html"})
    second.portal = first.portal  # the loop of the site that has begun
    return second


def words(page: str) -> str:
    """What a page says."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


@contextmanager
def served(settings: SiteSettings | None = None, **options: Any) -> Iterator[str]:
    """A site that browsers can reach: its address. Options as of SiteServer."""
    server = SiteServer(make_site(settings or SiteSettings()), port=0, **options)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server has not started"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.handle_exit(signal.SIGTERM, None)
        thread.join()


class Server:
    """``cluedo serve`` in a process of its own, which may be killed and begun again at the same place.

    Attributes:
        url: where it is; ``line`` has said so.
    """

    def __init__(self, folder: Path, *options: str, env: dict[str, str] | None = None, seed: int | None = None):
        """Options as of the command; all games have the seed that is given, else secret ones as everywhere."""
        self.data, self.port, self._options, self._env = folder / "site.db", 0, options, env
        self._program = ["-m", "cluedo"] if seed is None else ["-c", _OF_ONE_SEED.format(seed=seed)]
        self.begin()

    def begin(self) -> None:
        """Start it."""
        command = ["serve", "--port", str(self.port), "--workers", "1", "--data", str(self.data), *self._options]
        pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
        program = [sys.executable, *self._program, *command]
        self.process = subprocess.Popen(program, text=True, env=self._env, **pipes)
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        found = re.search(r"http://[^:]+:(\d+)/\S*", self.line)
        assert found, self.line + self.process.communicate()[1]
        self.url, self.port = found[0], int(found[1])

    def kill(self) -> None:
        """Kill it, as a lack of memory would."""
        with self.process:  # it is waited for, but nobody else who holds its pipes
            self.process.kill()

    def end(self, how: int = signal.SIGTERM) -> str:
        """Let it end by itself; gives what it complained of."""
        self.process.send_signal(how)
        rest, errors = self.process.communicate(timeout=300)
        assert self.process.returncode == 0, errors
        assert "Traceback" not in rest + errors
        return errors
