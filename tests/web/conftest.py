"""The pages of a file of tests share a browser, and a site that they are asked from in this process."""

from collections.abc import Iterator

import pytest
from helpers.browser import end_chromium
from helpers.sites import PATIENT, Client, client


@pytest.fixture(scope="module", autouse=True)
def _chromium_ends_with_the_file() -> Iterator[None]:
    yield
    end_chromium()


@pytest.fixture(scope="module")
def visitor() -> Iterator[Client]:
    """A browser without a screen, at a site of the file's own."""
    with client(PATIENT) as visitor:
        yield visitor
