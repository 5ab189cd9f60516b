"""Full tables, briefly: ``tests/bench/load_tables.py`` is the same for as long as one likes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LOAD = Path(__file__).resolve().parent.parent / "bench" / "load_tables.py"


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_when_the_server_is_killed():
    options = ["--tables", "3", "--seconds", "4", "--kills", "1", "--pace", "0.5", "--workers", "1", "--levels", "easy"]
    ran = subprocess.run([sys.executable, LOAD, *options], stdout=subprocess.PIPE, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "nothing was lost, nothing came twice" in ran.stdout
