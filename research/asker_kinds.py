"""Fits the prior of the model ``kinds``: how common each kind of asker is before anything is known.

Run as a program it plays games of every level, on seeds of its own, and prints the prior of each kind, for
cluedo/ai/knowledge/models.py:

    python -m research.asker_kinds
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from cluedo.ai.knowledge import CHOICE, AskerKind, Model, Posterior
from cluedo.ai.knowledge.kernels.programme import Floats
from research.games import FIT_SEED, TABLES, JudgedTurn, play, positions

__all__ = ["fit", "truth_under"]

GRID = tuple(AskerKind(1.0, own, again) for own in (0.02, 0.1, 0.35, 1.0, 1.6) for again in (0.02, 1.0))
"""The kinds that a prior is sought over."""

_READ = ("medium", "hard", "never")  # tables that can be read
_GAIN, _LOSS = 0.44, 0.0  # bits over `choice` that are aimed at where askers can be read, and elsewhere
_STEPS, _RATE, _SHARP, _EVEN = 600, 0.1, 0.006, 0.02  # of the ascent
_UNLIKELY = 3e-3  # a kind below is left out


def truth_under(position: JudgedTurn, model: Model) -> tuple[float, float]:
    """The log of the total weight under a model, and the probability that it gives to the real envelope."""
    posterior = Posterior(position.evidence, model)
    return posterior.log_weight, float(posterior.joint[position.at])


@dataclass(frozen=True, slots=True)
class _Sitting:
    """Positions of one line-up: by position and kind, log weight and probability of the truth; and that of `choice`."""

    weights: Floats
    truths: Floats
    plain: Floats
    aim: float

    def gain(self, prior: Floats) -> tuple[float, Floats]:
        """The bits over `choice` under a prior, and their slope by the prior's logs."""
        shares = np.exp(self.weights + np.log(prior))
        right = shares * self.truths
        slope = right / right.sum(1, keepdims=True) - shares / shares.sum(1, keepdims=True)
        bits = np.log2(right.sum(1) / shares.sum(1) / self.plain).mean()
        return float(bits), slope.mean(0) / np.log(2.0)


def fit(games: int) -> list[AskerKind]:
    """The kinds with the prior that comes nearest to the aims against every table.

    Ascent on the logs of the prior (Adam; Kingma and Ba 2015), a table pulling as long as it is short of its aim.
    """
    tables = [_table(name, movement, games) for movement in ("walk", "free") for name in TABLES]
    logs = np.zeros(len(GRID))
    mean, square = np.zeros_like(logs), np.zeros_like(logs)
    for step in range(1, _STEPS + 1):
        prior = np.exp(logs) / np.exp(logs).sum()
        slope = np.zeros_like(logs)
        for table in tables:
            bits, rise = table.gain(prior)
            pull = 1.0 / (1.0 + np.exp((bits - table.aim) / _SHARP)) * (1.0 if table.aim > 0.0 else 3.0) + _EVEN
            slope += pull * (rise - prior * rise.sum())
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        rate = _RATE / (1.0 + 9.0 * step / _STEPS)
        logs += rate * mean / (1.0 - 0.9**step) / (np.sqrt(square / (1.0 - 0.99**step)) + 1e-6)
        logs = np.maximum(logs - logs.max(), np.log(_UNLIKELY / 10.0))
    prior = np.exp(logs) / np.exp(logs).sum()
    kept = [(share, kind) for share, kind in zip(prior.tolist(), GRID, strict=True) if share >= _UNLIKELY]
    total = sum(share for share, _ in kept)
    return [AskerKind(round(share / total, 4), kind.own, kind.again) for share, kind in kept]


def _table(name: str, movement: str, games: int) -> _Sitting:
    models = [Model("one kind", choice=True, kinds=(kind,)) for kind in GRID]
    rows, plain = [], []
    for deal, game in play(TABLES[name], range(games), FIT_SEED, movement=movement):
        for position in positions(deal, game, 5):
            rows.append([truth_under(position, model) for model in models])
            plain.append(truth_under(position, CHOICE)[1])
    found = np.array(rows)
    weights = found[:, :, 0] - found[:, :, 0].max(1, keepdims=True)
    return _Sitting(weights, found[:, :, 1], np.array(plain), _GAIN if name in _READ else _LOSS)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m research.asker_kinds", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=250, help="games of each line-up, one for each deal")
    for kind in fit(parser.parse_args().games):
        print(kind)


if __name__ == "__main__":
    main()
