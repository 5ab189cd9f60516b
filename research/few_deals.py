"""Fits how far the weights of a few deals of an envelope can be trusted, against what many deals say.

Run as a program it plays games of every level, on seeds of its own, and prints by each variance that the log of what an
envelope's deals weigh may have from one envelope to another (``_SPREAD`` of :mod:`cluedo.ai.opponents`):

- how far the odds from few deals are from those of many: the mean divergence (Kullback and Leibler), in bits;
- by how much the few say more, on average, of the envelope that they find likeliest: the winner's curse.

    python -m research.few_deals
"""

from __future__ import annotations

import argparse
from random import Random

import numpy as np

from cluedo.ai.knowledge import KINDS, Posterior
from cluedo.ai.opponents import Opponents, WeighedEnvelopes, weighed_envelopes
from research.games import FIT_SEED, TABLES, JudgedTurn, play, positions

__all__ = ["LEAST", "SPREADS", "judge"]

SPREADS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.8, 1.2, 1e9)
"""The last one trusts every deal."""
LEAST = 0.08
"""Positions are looked at in which an envelope is this likely: in others no guess is near."""
_FEW, _MANY = (64, 128, 384), 4_000
_ZERO = 1e-9


def judge(position: JudgedTurn) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    """By number of deals and spread: the bits that the odds of few deals are off, and the excess of the likeliest."""
    posterior = Posterior(position.evidence, KINDS)
    others = Opponents(position.evidence, KINDS)

    def odds(deals: int, *spreads: float) -> list[WeighedEnvelopes]:
        likelihoods = others.likelihoods(posterior.sample(Random(deals), deals), deals)
        weights = others.outlook(likelihoods).weights
        return [
            weighed_envelopes(posterior.joint, likelihoods.deals, weights, position.evidence.envelope, spread)
            for spread in spreads
        ]

    truth = odds(_MANY, SPREADS[-1])[0].joint
    likely = truth > _ZERO
    found = np.empty((len(_FEW), len(SPREADS), 2))
    for row, deals in enumerate(_FEW):
        for column, few in enumerate(odds(deals, *SPREADS)):
            off = np.log2(truth[likely] / np.maximum(few.joint[likely], _ZERO))
            found[row, column] = truth[likely] @ off, few.joint[few.likeliest] - truth[few.likeliest]
    return found


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m research.few_deals", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=80, help="games of each line-up, one for each deal")
    count = parser.parse_args().games
    if count < 1:
        parser.error("--games is 1 at least")
    tables = []
    for movement in ("walk", "free"):
        for line_up in TABLES.values():
            games = play(line_up, range(count), FIT_SEED, movement=movement)
            judged = [position for deal, game in games for position in positions(deal, game, 3)]
            rows = [judge(one) for one in judged if Posterior(one.evidence, KINDS).joint.max() >= LEAST]
            if rows:
                tables.append(np.mean(rows, axis=0))
    for column, spread in enumerate(SPREADS):
        values = [
            f"{few}: {bits:.4f} {100 * more:+.2f}"
            for few, (bits, more) in zip(_FEW, np.mean(tables, axis=0)[:, column], strict=True)
        ]
        print(f"{spread:5g}   " + "   ".join(values))


if __name__ == "__main__":
    main()
