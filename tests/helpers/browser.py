"""A real browser for tests of pages: headless Chromium that may not touch the network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(which, _NAMES)), None)
NEEDS_CHROMIUM = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CLUEDO_BROWSER") != "required", reason="no Chromium is installed"
)

_SWITCHES = ["headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"]
_SWITCHES += ["disable-component-update", "disable-sync"]
QUIET = [f"--{name}" for name in _SWITCHES]
"""How Chromium is started: without a window, and without a word to anybody."""

PATIENCE_MS = 120_000
"""How long anything that is waited for may take, however busy the machine is."""
expect.set_options(timeout=PATIENCE_MS)


class Visit:
    """A page that is open, and what it complained of or asked the network for."""

    def __init__(self, page: Page):
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        wide: int = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return wide


_RUNNING = ExitStack()


@cache
def chromium() -> Browser:
    """The browser that runs for all tests of a file: it takes longer to start than most of them take."""
    playwright = _RUNNING.enter_context(sync_playwright())
    running = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
    _RUNNING.callback(running.close)
    return running


def end_chromium() -> None:
    """End it, if it runs. Playwright's loop would be in the way of other files' own."""
    _RUNNING.close()
    chromium.cache_clear()


@contextmanager
def browser(width: int = 1280, height: int = 800, **options: Any) -> Iterator[Visit]:
    """A window of so many pixels, of somebody who was never here before."""
    context = chromium().new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(PATIENCE_MS)
    try:
        yield Visit(context.new_page())
    finally:
        context.close()


@contextmanager
def quiet(url: str, screen: dict[str, Any], **options: Any) -> Iterator[Page]:
    """A page that may complain of nothing, ask nobody else, and show nothing wider than the window."""
    with browser(**screen, **options) as visit:
        visit.page.goto(url)
        yield visit.page
        assert visit.complaints == []
        ours = url if url.startswith("file:") else url[: url.index("/", len("https://"))]
        assert [request for request in visit.requests if not request.startswith((ours, "data:"))] == []
        assert visit.overflow <= 0


def url_of(path: Path) -> str:
    """A file's address."""
    return path.resolve().as_uri()
