"""The pages of a file of tests share a browser."""

from collections.abc import Iterator

import pytest
from helpers.browser import end_chromium


@pytest.fixture(scope="module", autouse=True)
def _chromium_ends_with_the_file() -> Iterator[None]:
    yield
    end_chromium()
