"""All seats learn: the game as an AEC environment of PettingZoo.

::

    from cluedo.envs import cluedo_v0

    env = cluedo_v0.env("classic", seats=4, observe=["marks"])
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else policy(observation["observation"], observation["action_mask"])
        env.step(action)

An agent is a seat, ``player_0`` and so on, and is selected when the referee waits for its seat. A wrong accusation ends
the turn. Who has made one still has to show cards, so all agents stay until the game is over. Nothing is truncated: the
turn limit is a rule, its end is rewarded, and the ``turn`` is observed. The last ``infos`` tell whether it was that
(``unfinished``).

As in PettingZoo's classic environments, :func:`env` ends the game where an agent chooses what its mask does not allow;
``raw_env`` raises an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cluedo.engine.errors import needs_extra

with needs_extra("rl"):
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cluedo.engine.board_and_rules import AnyBoard, AnyRules, board_and_rules
from cluedo.engine.commands import EndTurn
from cluedo.engine.deal import Deal, Seeds, draw_deal, whole_seed
from cluedo.engine.errors import IllegalCommand
from cluedo.engine.game import Game
from cluedo.engine.state import END
from cluedo.envs.acting import ActionSequence, action_set, checked_action
from cluedo.envs.observing import ObservedFields, SeatObserver
from cluedo.envs.rendering import RENDER_MODES, check_render_mode, render_view
from cluedo.envs.rewards import LOSS, BitsLearned, check_bits, worth

__all__ = ["CluedoEnv", "env", "raw_env"]

Observation: TypeAlias = dict[str, NDArray[Any]]
"""An ``observation`` and the ``action_mask`` that goes with it."""


class CluedoEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """See :mod:`cluedo.envs.cluedo_v0`.

    Args:
        board: as for :func:`cluedo.play`.
        seats: 2 to 10; two need rules with a pool.
        rules: as for :func:`cluedo.play`. Nobody wins a game that ends at their turn limit.
        actions: ``flat`` or ``tokens`` (:mod:`cluedo.envs.acting`).
        observe: what is observed beside the table (:mod:`cluedo.envs.observing`).
        history: the events that the part ``history`` holds.
        bits: the reward for each bit about the envelope that a seat learns. How many those are follows from the exact
            odds; what the accusation tells that ends the game is left out.
        render_mode: ``ansi``, ``human`` (the same, printed after every step) or ``rgb_array``.

    Attributes:
        game: the referee's game.
        fields: what is where in an observation.
        actions: what an action means.

    Raises:
        CluedoError: such games cannot be played.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "cluedo_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        board: AnyBoard = "classic",
        seats: int = 4,
        rules: AnyRules = None,
        *,
        actions: str = "flat",
        observe: Sequence[str] = ("marks",),
        history: int = 64,
        bits: float = 0.0,
        render_mode: str | None = None,
    ):
        super().__init__()
        check_render_mode(render_mode)
        check_bits(bits)
        self.board, self.rules = board_and_rules(board, rules, seats)
        self.actions = action_set(actions, self.board, self.rules, seats)
        self.fields = ObservedFields(self.board, self.rules, seats, self.actions, observe, history)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._bits = bits
        self._seed: int | None = None
        self._deal = 0
        row = Box(0.0, 1.0, (self.fields.size,), np.float32)
        mask = Box(0, 1, (self.actions.size,), np.int8)
        self._spaces = {a: Dict({"observation": row, "action_mask": mask}) for a in self.possible_agents}
        self._action_spaces = {agent: Discrete(self.actions.size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """A dictionary of an ``observation``, numbers from 0 to 1, and an ``action_mask``."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """All actions, allowed now or not."""
        return self._action_spaces[agent]

    def _drawn(self) -> Deal:
        assert self._seed is not None
        return draw_deal(Seeds(self._seed, self._deal, len(self.possible_agents)), self.board.deck, self.rules)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new game: deal 0 of the seed, or without a seed the next deal of the last one."""
        if seed is not None or self._seed is None:
            self._seed, self._deal = whole_seed(np.random.SeedSequence().entropy if seed is None else seed), 0
        else:
            self._deal += 1
        self.game = Game(self.board, self.rules, self._drawn())
        seats = range(len(self.possible_agents))
        self._observers: list[SeatObserver | None] = [None for _ in seats]
        self._begun: ActionSequence = ()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.state.to_act]
        self._learned = [BitsLearned(self.game.view(seat)) for seat in seats] if self._bits else []

    def observe(self, agent: str) -> Observation:
        """What an agent observes now; the mask is empty for one that has nothing to decide."""
        seat = self._seat_of[agent]
        view = self.game.view(seat)
        begun = self._begun if seat == view.to_act else ()
        observer = self._observers[seat]
        if observer is None:
            observer = self._observers[seat] = SeatObserver(self.fields, view)
        return {"observation": observer.observe(view, begun), "action_mask": self.actions.mask(view, begun)}

    def step(self, action: int | None) -> None:
        """Do what the selected agent chose; raises :class:`IllegalCommand` for what its mask does not allow."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        view = self.game.view(self._seat_of[agent])
        action = checked_action(action, self.actions)
        if not self.actions.mask(view, self._begun)[action]:
            self._refuse(agent, action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        sequence = (*self._begun, action)
        command = self.actions.command(view, sequence)
        if command is None:
            self._begun = sequence
        else:
            self._begun = ()
            self.game.execute(command)
            if self.game.state.step is END:  # nothing is left to choose
                self.game.execute(EndTurn())
            self._judge()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _refuse(self, agent: str, action: int) -> None:  # noqa: ARG002 - the guarded one looks at it
        name = self.actions.names[action]
        raise IllegalCommand("action {action} ({name}) is not allowed now; see the mask", action=action, name=name)

    def _judge(self) -> None:
        """Select the agent that has to decide, or give the rewards if the game is over."""
        result = self.game.result
        if result is None:
            self.agent_selection = self.possible_agents[self.game.state.to_act]
            for seat, learned in enumerate(self._learned):
                self.rewards[self.agents[seat]] = self._bits * learned.since(self.game.view(seat))
            return
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = worth(result, seat)
            self.terminations[agent] = True
            self.infos[agent]["unfinished"] = result.reason == "unfinished"

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render what everybody at the table sees; None if it was printed, or nothing is to be rendered."""
        return render_view(self.game.view(0), self.render_mode)


class _EndedByMistakes(CluedoEnv):
    """What PettingZoo's wrapper for illegal actions does, without asking for the mask through it: a quarter faster."""

    def _refuse(self, agent: str, action: int) -> None:  # noqa: ARG002 - whatever it was
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: LOSS}
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"unfinished": False} for agent in self.agents}
        self._accumulate_rewards()


raw_env = CluedoEnv
"""The environment without wrappers."""


def env(*args: Any, **options: Any) -> Any:
    """The environment, guarded against mistakes; see :class:`CluedoEnv` for what it takes.

    An action that the mask does not allow ends the game, -1 for the agent that chose it and 0 for the others. One that
    does not exist, and a call out of order, raise an error.
    """
    return OrderEnforcingWrapper(_EndedByMistakes(*args, **options))
