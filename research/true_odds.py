"""Checks the odds: compares the claims of the models, and of `expert`, with deals that are known.

Run as a program it plays games of every level and of some habits, on a seed of its own, and prints for each table and
each way to judge:

    python -m research.true_odds

- what the odds of the envelope are worth, in bits over the model `choice`, with a 95 % interval by deals: a bit means
  that the real envelope gets twice the probability;
- of the likeliest envelope, the mean claim, and how often it was right;
- of the cards said to be in somebody's hand with 90 % or more, but not proved, the same, and how many they are.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge import CHOICE, HIDERS, KINDS, Evidence, Model, Posterior
from cluedo.ai.knowledge.kernels.programme import Floats, Ints
from cluedo.ai.opponents import Opponents, weighed_envelopes
from research.games import TABLES, JudgedTurn, deal_of, play, positions

__all__ = ["WAYS", "Judgement", "judge"]

WAYS: dict[str, Model] = {"choice": CHOICE, "kinds": KINDS, "expert": HIDERS}
"""The models, and what `expert` makes of the one that it draws deals by, by what the others can know."""

HABITS = {
    name: (f"habit:{name}",) * 4
    for name in ("own=1", "own=0.5", "ask=any", "own=0:ask=same", "show=lowest", "guess=0.5")
}
_DEALS = 500  # drawn for `expert`
_SURE = 0.9


class Judgement(NamedTuple):
    """What one way to judge makes of one position.

    Attributes:
        envelopes: the odds of the envelopes, an array (suspects, weapons, rooms).
        cards: those of the places, an array (cards, places).
    """

    envelopes: Floats
    cards: Floats


def judge(way: str, evidence: Evidence) -> Judgement:
    """The odds in one of the :data:`WAYS`."""
    posterior = Posterior(evidence, WAYS[way])
    if way != "expert":
        return Judgement(posterior.joint, posterior.marginals)
    deals = posterior.sample(Random(0), _DEALS)
    opponents = Opponents(evidence, posterior.model)
    weights = opponents.outlook(opponents.likelihoods(deals, 0)).weights
    places = np.arange(evidence.places)
    cards = np.einsum("d,dcp->cp", weights, deals[:, :, None] == places)
    return Judgement(weighed_envelopes(posterior.joint, deals, weights, evidence.envelope).joint, cards)


def _row(position: JudgedTurn, place: NDArray[np.int8]) -> Floats:
    """By way: log2 of what the real envelope gets; claim and truth of the likeliest; claims, truths and cards."""
    evidence = position.evidence
    open_ = np.ones((evidence.deck.size, evidence.seats), bool)
    open_ &= Posterior(evidence, CHOICE).marginals[:, : evidence.seats] < 1.0
    rows = []
    for way in WAYS:
        envelopes, cards = judge(way, evidence)
        sure = open_ & (cards[:, : evidence.seats] >= _SURE)
        right = sure & (place[:, None] == np.arange(evidence.seats))
        claims = cards[:, : evidence.seats][sure].sum()
        truth = max(float(envelopes[position.at]), 1.0 / _DEALS / envelopes.size)
        likeliest = envelopes >= envelopes.max() * (1.0 - 1e-9)  # of several, one is picked
        hit = likeliest[position.at] / likeliest.sum()
        rows.append((np.log2(truth), envelopes.max(), hit, claims, right.sum(), sure.sum()))
    return np.array(rows, float)


def report(name: str, line_up: tuple[str, ...], movement: str, games: int, seed: int) -> None:
    """Print what there is to say of one table."""
    deals, rows = [], []
    for deal, game in play(line_up, range(games), seed, movement=movement):
        for position in positions(deal, game, 5):
            deals.append(deal)
            rows.append(_row(position, deal_of(game)))
    found = np.array(rows)
    print(f"{name}, {movement}, {len(rows):,} positions", flush=True)
    if not rows:
        return
    for number, way in enumerate(WAYS):
        gain = _interval(np.array(deals), found[:, number, 0] - found[:, 0, 0])
        best, right = found[:, number, 1:3].mean(0)
        claims, truths, cards = found[:, number, 3:].sum(0)
        hands = f"{claims / cards:.3f} / {truths / cards:.3f} of {cards:.0f}" if cards else "none"
        print(f"  {way:8} {gain}   envelope {best:.3f} / {right:.3f}   hands {hands}", flush=True)


def _interval(deals: Ints, values: Floats) -> str:
    """The mean and its 95 % interval, positions of one deal taken together (a ratio estimate)."""
    numbers = np.unique(deals, return_inverse=True)[1]
    sums, counts = np.bincount(numbers, values), np.bincount(numbers)
    mean = sums.sum() / counts.sum()
    error = 1.96 * np.sqrt(((sums - mean * counts) ** 2).sum()) / counts.sum()
    return f"{mean:+.3f} ± {error:.3f}"


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m research.true_odds", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=150, help="games of each line-up, one for each deal")
    parser.add_argument("--seed", type=int, default=880_020, help="of the deals; nothing is fitted on this one")
    arguments = parser.parse_args()
    for name, line_up in (TABLES | HABITS).items():
        for movement in ("walk", "free"):
            report(name, line_up, movement, arguments.games, arguments.seed)


if __name__ == "__main__":
    main()
