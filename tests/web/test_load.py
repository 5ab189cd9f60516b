"""Full tables, briefly: ``tests/bench/load_tables.py`` is the same for as long as one likes."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.programs import told_by_python

LOAD = Path(__file__).resolve().parent.parent / "bench" / "load_tables.py"


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_when_the_server_is_killed():
    options = ["--tables", "3", "--seconds", "4", "--kills", "1", "--pace", "0.5", "--workers", "1", "--levels", "easy"]
    assert "nothing was lost, nothing came twice" in told_by_python(LOAD, *options)
