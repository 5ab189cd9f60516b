"""The tests of a file share a browser, and a site: one in this process for pages alone, or a server for browsers."""

from collections.abc import Iterator

import pytest
from helpers.browser import end_chromium
from helpers.browser_tables import SEED
from helpers.sites import PATIENT, Client, Server, client


@pytest.fixture(scope="module", autouse=True)
def _chromium_ends_with_the_file() -> Iterator[None]:
    yield
    end_chromium()


@pytest.fixture(scope="module")
def visitor() -> Iterator[Client]:
    """A browser without a screen, at a site of the file's own."""
    with client(PATIENT) as visitor:
        yield visitor


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """A server whose games are all of one seed."""
    server = Server(tmp_path_factory.mktemp("site"), seed=SEED)
    try:
        yield server
    finally:
        server.end()
