"""The levels play every edition that comes with the program: no choice is lost, and the case is solved."""

from __future__ import annotations

import pytest
from helpers.cases import cases
from helpers.level_games import played

from cluedo.engine.editions import shipped_editions

LEVELS = ("medium", "hard", "easy", "habit", "expert", "random")


@pytest.mark.slow
@pytest.mark.parametrize("edition", shipped_editions(), ids=lambda edition: edition.name)
def test_levels_play_an_edition_to_its_end(edition):
    least, most = edition.players
    for seed in range(cases(10, 2)):
        seats = least + seed % (most - least + 1)
        levels = [LEVELS[(seed + seat) % len(LEVELS)] for seat in range(seats)]
        match = played(levels, edition.map, seed, **edition.rules.model_dump())
        assert match.game.result.reason != "unfinished"
