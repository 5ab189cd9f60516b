"""Whoever claims proof is right; and who guesses is right as often as said."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from math import sqrt

import pytest
from helpers.cases import cases
from helpers.staked_games import LINE_UPS, Stake, stakes

from research.guesses import Forecast, table

GAMES = cases(5_000, 24)
CHUNK = 12

BIAS = 0.05
"""How far claims and outcomes may differ on the whole: what a player of a race would not notice."""


def staked(games: int) -> list[Stake]:
    """The accusations of so many games, played on all cores."""
    context = multiprocessing.get_context("spawn")  # a fork may inherit somebody else's locks
    chunks = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    with ProcessPoolExecutor(mp_context=context) as pool:
        return list(chain.from_iterable(pool.map(stakes, chunks)))


@pytest.mark.slow
def test_no_claim_of_proof_is_wrong_and_guesses_are_right_as_often_as_they_say(capsys):
    accusations = staked(GAMES)
    proofs = Counter(stake.level for stake in accusations if stake.claim == 1.0)
    assert min(proofs["hard"], proofs["expert"]) > GAMES // 20
    assert [stake for stake in accusations if stake.claim == 1.0 and not stake.right] == []
    guesses = [stake for stake in accusations if stake.claim < 1.0]
    assert all(guess.claim > 0.0 and guess.level == "expert" for guess in guesses)
    claimed = sum(guess.claim for guess in guesses) / len(guesses)
    right = sum(guess.right for guess in guesses) / len(guesses)
    # If the claims are true, the share that is right strays from their mean by this much.
    error = sqrt(sum(guess.claim * (1.0 - guess.claim) for guess in guesses)) / len(guesses)
    proofs = len(accusations) - len(guesses)
    with capsys.disabled():
        print(f"\n{GAMES} games of {len(LINE_UPS)} line-ups: {proofs} claims of proof, {len(guesses)} guesses")
        print("\n".join(table([Forecast(True, guess.claim, guess.right) for guess in guesses])))
        print(f"all guesses: claimed {claimed:.3f}, right {right:.3f}, standard error {error:.3f}")
    assert abs(claimed - right) <= max(BIAS, 3.0 * error)
