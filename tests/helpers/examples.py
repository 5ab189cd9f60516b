"""How many examples a property is tried with: few by ``make test``, more where CLUEDO_EXAMPLES says how many times."""

from __future__ import annotations

import os
from collections.abc import Iterable
from random import Random
from typing import TypeVar

from hypothesis import settings

Thing = TypeVar("Thing")

TIMES = int(os.environ.get("CLUEDO_EXAMPLES", "1"))


def examples(count: int) -> settings:
    """Settings for so many examples, or a multiple of them."""
    return settings(max_examples=count * TIMES)


def some(things: Iterable[Thing], count: int, random: Random) -> list[Thing]:
    """So many of the things, or a multiple, drawn at random; all of them where there are no more."""
    every = list(things)
    return random.sample(every, min(count * TIMES, len(every)))
