"""A bot that a learner's policy plays: it observes and chooses as in the environments.

cluedo autoplay --players examples/learned_bot.py:Learned,easy,easy --map tiny --games 3
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluedo import Accusation, Deck, Hypothesis, Player, PlayerView, Rules, Step
from cluedo.envs.learner import LearnerEnv
from cluedo.envs.observing import SeatObserver


def policy(seen: NDArray[np.float32], allowed: NDArray[np.int8]) -> int:
    """The number of an allowed action: your network's place. This one knows nothing, and takes the first."""
    return int(allowed.argmax())


@cache
def table() -> LearnerEnv:
    """The games that it was trained for: their actions, and what is seen of them."""
    return LearnerEnv("tiny", ["easy", "easy"])


class Learned(Player):
    """Plays what the policy chooses."""

    @classmethod
    def prepare(cls) -> None:
        """Load what takes long, such as your network."""
        table()

    @classmethod
    def check(cls, deck: Deck, rules: Rules, seats: int) -> None:
        """Refuse games that it was not trained for."""
        table().fields.check(deck, rules, seats)

    def begin(self, view: PlayerView, random: Random) -> None:
        super().begin(view, random)
        self.observer = SeatObserver(table().fields, view)

    def choose(self, view: PlayerView) -> Any:
        """What the policy chooses now, as a command."""
        actions = table().actions
        return actions.command(view, (policy(self.observer.observe(view), actions.mask(view)),))

    choose_move = choose_card = choose

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:
        self.chosen = self.choose(view)
        return self.chosen if isinstance(self.chosen, Hypothesis) else None

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        """Where it might have asked, too, the policy has chosen already: it may draw at random, and does so once."""
        command = self.chosen if view.step is Step.ASK else self.choose(view)
        return command if isinstance(command, Accusation) else None
