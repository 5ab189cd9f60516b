"""A small learner: REINFORCE with numpy alone, in a minute on one core.

    python examples/train_reinforce.py              # trains, and says what it wins before and after
    python examples/train_reinforce.py --steps 50   # a taste

It plays many compiled games at a time against `random` and `easy`. A choice is scored by a few features: whether a card
that it names is still open, how far the next open room is, whether an accusation is proved. What they are worth is
learned from won and lost games (Williams, 1992): each weight is moved so that the choices of won games become likelier,
and those of lost ones less likely. Only one accusation is considered at a time, drawn among those that are not known to
be wrong.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from cluedo import Rules
from cluedo.envs.vector import CompiledEnvs
from cluedo.experiments.read.stats import wilson_interval

GAMES = {"random": 128, "easy": 64}
"""How many games are played at a time against three of a level."""
RULES = Rules(max_turns=200)
RATE = 0.01

NAMES = [
    *("roll", "passage", "stay", "stay where one may ask", "end", "walk to a square", "far from an open room"),
    *(f"{what} {how}" for what in ("enter", "ask about") for how in ("sure", "mine", "theirs", "open")),
    *("accuse", "accuse, cards sure", "accuse, proved"),
]
"""The features."""
MAY_ASK, END, TO_SQUARE, FAR, ENTER, ASK, ACCUSE = 3, 4, 5, 6, 7, 11, 15

Array = NDArray[np.float32]
Mask = NDArray[np.int8]
Actions = NDArray[np.int64]


class Features:
    """What can be said of each action: an array (game, action, feature) from the observations of some games."""

    def __init__(self, envs: CompiledEnvs):
        self.fields, self.actions = envs.fields, envs.actions
        deck = envs.board.deck
        self.suspects, self.weapons, self.rooms = (np.array(ids) for ids in deck.ids)
        far = np.asarray(envs.fields.steps)[list(envs.actions.places)]  # (move, room)
        self.far = far[: len(far) - len(self.rooms)]

    def __call__(self, rows: Array, masks: Mask, random: np.random.Generator) -> tuple[Array, Mask, Actions]:
        """The features of the choices, which of them are allowed, and the accusation that the last of them is."""
        games, actions = len(rows), self.actions
        features = np.zeros((games, actions.accusations.start + 1, len(NAMES)), np.float32)
        status = self.status(rows)
        features[:, [0, 1, 2, 3], [0, 1, 2, END]] = 1  # the first actions: roll, passage, stay, end
        features[:, 2, MAY_ASK] = 1 - rows[:, self.fields.at["used_up"].start]
        self.moves(features[:, actions.moves.start : actions.moves.stop], status)
        pairs = status[:, self.suspects][:, :, None] + status[:, self.weapons][:, None]
        asks = features[:, actions.hypotheses.start : actions.hypotheses.stop]
        asks[:, :, ASK : ASK + 4] = pairs.reshape(games, -1, 4)
        sure = status[:, :, 0].sum(axis=1)
        features[:, -1, ACCUSE:] = np.stack([np.ones(games), sure, sure == 3], axis=1)
        allowed = np.concatenate([masks[:, : actions.accusations.start], masks[:, -1:]], axis=1)  # all of them, or none
        return features, allowed, self.accusations(status, random)

    def accusations(self, status: Array, random: np.random.Generator) -> Actions:
        """For each game an accusation that is not known to be wrong."""
        likes = (status[:, :, 0] + status[:, :, 3]) * random.random(status.shape[:2])
        suspect, weapon, room = (likes[:, cards].argmax(axis=1) for cards in (self.suspects, self.weapons, self.rooms))
        three: Actions = (suspect * len(self.weapons) + weapon) * len(self.rooms) + room
        return self.actions.accusations.start + three

    def status(self, rows: Array) -> Array:
        """By card: surely in the envelope, mine, somebody else's, or open; an array (game, card, 4)."""
        shape = (len(rows), *self.fields.shapes["notes"])
        notes = rows[:, self.fields.at["notes"]].reshape(shape)
        sure, gone, mine = notes[:, 0, -1], notes[:, 1, -1], rows[:, self.fields.at["hand"]]
        return np.stack([sure, mine, gone - mine, 1 - sure - gone], axis=-1)

    def moves(self, features: Array, status: Array) -> None:
        """Rooms by what is known of them, squares by how far the next open room is."""
        squares = len(self.far)
        rooms = status[:, self.rooms]
        features[:, :squares, TO_SQUARE] = 1
        features[:, :squares, FAR] = np.where(rooms[:, None, :, 3] > 0, self.far, 1).min(axis=2)
        features[:, squares:, ENTER : ENTER + 4] = rooms


def chosen(
    features: Features, rows: Array, masks: Mask, weights: Array, random: np.random.Generator
) -> tuple[Actions, Array]:
    """An action for each game, drawn by its score, and its features beyond what was to be expected."""
    told, allowed, accusations = features(rows, masks, random)
    scores = np.where(allowed, told @ weights, -np.inf)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    choices = (scores + random.gumbel(size=scores.shape)).argmax(axis=1)  # drawn by these shares (Gumbel, 1954)
    surprise = told[np.arange(len(rows)), choices] - np.matmul(shares[:, None], told)[:, 0]
    return np.where(choices == scores.shape[1] - 1, accusations, choices), surprise


def against(level: str, games: int) -> CompiledEnvs:
    """So many games against three of a level."""
    return CompiledEnvs(games, "classic", ["learner", level, level, level], RULES)


def train(steps: int, seed: int) -> tuple[Array, Features]:
    """Weights after so many steps in each of the games."""
    tables = [against(level, games) for level, games in GAMES.items()]
    features, random = Features(tables[0]), np.random.default_rng(seed)
    weights = np.zeros(len(NAMES), np.float32)
    told = [envs.reset(seed=seed + k) for k, envs in enumerate(tables)]
    traces = [np.zeros((envs.num_envs, len(weights)), np.float32) for envs in tables]
    means = [-1.0 for _ in tables]
    for _ in range(steps):
        for k, envs in enumerate(tables):
            rows, infos = told[k]
            actions, surprise = chosen(features, rows, infos["action_mask"], weights, random)
            traces[k] += surprise
            rows, rewards, terminated, truncated, infos = envs.step(actions)
            told[k] = rows, infos
            over = terminated | truncated
            better = rewards[over] - means[k]
            weights += RATE * (better @ traces[k][over]).astype(np.float32)
            means[k] += 0.002 * better.sum()
            traces[k][over] = 0
    return weights, features


def won(weights: Array, features: Features, level: str, games: int = 1000, seed: int = 10**6) -> str:
    """The share of so many games that the weights win, with a 95 % interval."""
    envs, random = against(level, games), np.random.default_rng(seed)
    observations, infos = envs.reset(seed=seed)
    wins, going = np.zeros(games, bool), infos["skipped"] == 0
    while going.any():
        actions = infos["action_mask"].argmax(axis=1)
        actions[going], _ = chosen(features, observations[going], infos["action_mask"][going], weights, random)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        wins |= going & (rewards > 0)
        going &= ~(terminated | truncated)
    low, high = wilson_interval(int(wins.sum()), games)
    return f"{wins.mean():6.1%}   {low:.1%} to {high:.1%}"


def main() -> None:
    """Train, and compare with the start."""
    parser = argparse.ArgumentParser(description="Train a small learner, and say what it wins before and after.")
    parser.add_argument("--steps", type=int, default=5000, help="steps in each game")
    parser.add_argument("--seed", type=int, default=1, help="what chance follows from")
    options = parser.parse_args()
    weights, features = train(options.steps, options.seed)
    print("won of 1,000 games              share   95 % interval    (fair share 25 %)")
    for level in GAMES:
        print(f"{'three ' + level:22s} at first {won(np.zeros_like(weights), features, level)}")
        print(f"{'':22s} trained  {won(weights, features, level)}")
    print()
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"{weight:6.2f}  {name}")


if __name__ == "__main__":
    main()
