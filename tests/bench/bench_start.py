"""How long one waits for the first word: `cluedo --help`, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

GOAL_S = 0.3


def test_help(benchmark):
    def helped() -> None:
        subprocess.run([sys.executable, "-m", "cluedo", "--help"], stdout=subprocess.DEVNULL, check=True)

    benchmark.pedantic(helped, rounds=15, warmup_rounds=2)
    median = benchmark.stats.stats.median
    print(f"\ncluedo --help: median {median:.3f} s")
    assert median < GOAL_S
