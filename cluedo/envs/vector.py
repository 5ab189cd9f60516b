"""Many compiled games at a time: the game as a vectorised environment of Gymnasium, by far the fastest.

::

    envs = CompiledEnvs(256, players=["learner", "easy", "easy", "easy"])
    observations, infos = envs.reset(seed=1)
    while True:
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = envs.step(actions)

Actions are flat, and the part observed beside the table is ``notes``. The rules are those of the referee, and so are
deals and dice: environment k of n plays the games k, k + n, k + 2n, … of the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cluedo.engine.errors import needs_extra

with needs_extra("rl"):
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv

from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.ai.levels import check_list, checked_text
from cluedo.ai.playouts import arrays as at
from cluedo.ai.playouts.arrays import (
    BoardArrays,
    PlayerArrays,
    Rolls,
    check_compiled,
    new_state,
    new_trace,
    new_walk,
    words_of,
)
from cluedo.ai.playouts.players import compiled_player
from cluedo.ai.playouts.table import UNFINISHED
from cluedo.engine.board_and_rules import AnyBoard, AnyRules, board_and_rules
from cluedo.engine.deal import whole_seed
from cluedo.engine.errors import IllegalCommand, SetupError, short_repr
from cluedo.engine.validation import whole_number
from cluedo.envs.acting import FlatActions, checked_action
from cluedo.envs.observing import Observed, ObservedFields, checked_parts
from cluedo.envs.rewards import LOSS, WIN
from cluedo.envs.stepping import FIELDS, LEARNER, ObservationArrays, StepGames, begin_games, step_games

__all__ = ["CompiledEnvs"]

Flags: TypeAlias = NDArray[np.bool_]
Reports: TypeAlias = dict[str, Any]


class CompiledEnvs(VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """See :mod:`cluedo.envs.vector`.

    The reward is that of the seat that chose; ``infos`` holds

    - ``action_mask``, (game, action): what is allowed;
    - ``seat``, (game,): the seat that has to choose now;
    - ``rewards``, (game, seat): those of all seats;
    - ``unfinished``, (game,): whether the turn limit has ended a game. That is a rule, is rewarded, and the ``turn`` is
      observed: nothing is ever truncated;
    - ``skipped``, (game,): games before this one that the others had ended before a learner had a choice. They are
      lost, and no step tells of them;
    - ``final_obs``: where a game has ended, what its last chooser observed then. The observation is of the next game.

    Observations that are returned are used again by the next step: copy what you keep.

    Args:
        num_envs: how many games are played at a time.
        board: as for :func:`cluedo.play`.
        rules: as for :func:`cluedo.play`. Nobody wins a game that ends at their turn limit.
        players: by place in the line-up, six at most, ``learner`` or a level that can play compiled games; in game g
            the seats are rotated by g. Learners share one policy, and several of them play against each other.
        observe: ``("notes",)``, or nothing beside the table.

    Attributes:
        fields: what is where in an observation.
        actions: what an action means.
        games: the compiled games.

    Raises:
        CluedoError: such games cannot be played.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        num_envs: int,
        board: AnyBoard = "classic",
        players: Sequence[str] = ("learner", "easy", "easy", "easy"),
        rules: AnyRules = None,
        *,
        observe: Sequence[str] = ("notes",),
    ):
        if (count := whole_number(num_envs, 1)) is None:
            raise SetupError("1 game or more is played at a time, not {count}", count=short_repr(num_envs))
        self.num_envs = num_envs = count
        self._line_up = _line_up(players)
        parts = checked_parts(observe)
        if set(parts) - {"notes"}:
            raise SetupError("compiled games show the table and notes alone, not {parts}", parts=", ".join(parts))
        seats = len(self._line_up)
        self.board, self.rules = board_and_rules(board, rules, seats)
        check_compiled(self.rules, seats)
        self.actions = FlatActions(self.board)
        self.fields = ObservedFields(self.board, self.rules, seats, self.actions, parts)
        self.single_observation_space = Box(0.0, 1.0, (self.fields.size,), np.float32)
        self.single_action_space = Discrete(self.actions.size)
        self.observation_space = Box(0.0, 1.0, (num_envs, self.fields.size), np.float32)
        self.action_space = MultiDiscrete(np.full(num_envs, self.actions.size))
        self._board_arrays = BoardArrays.of(self.board, self.rules)
        self._estimates = PlayerArrays.of(self._line_up).estimates
        self._trace = new_trace(0)
        self._every = np.arange(num_envs)
        rolls = Rolls.of_the_engine(self.rules, seats)
        self.games = StepGames(
            states=np.tile(new_state(self.board, tuple(self.board.deck.suspects[:seats])), (num_envs, 1)),
            players=np.zeros((num_envs, seats, at.COLUMNS)),
            chance=np.zeros((num_envs, seats), np.uint64),
            totals=np.zeros((num_envs, *rolls.totals.shape), np.int32),
            twisters=np.zeros((num_envs, *rolls.twisters.shape), np.uint32),
            numbers=np.zeros((num_envs, *rolls.numbers.shape), np.int64),
            games=np.zeros(num_envs, np.int64),
            asked=np.zeros(num_envs, np.int64),
            skipped=np.zeros(num_envs, np.int64),
        )
        self._observations = self._told()
        self._final = np.zeros_like(self._observations.rows)
        self._entropy = np.zeros(0, np.int64)

    def _told(self) -> ObservationArrays:
        actions, fields, n = self.actions, self.fields, self.num_envs
        action_to = np.full(self.board.places, -1, np.int64)
        action_to[list(actions.places)] = actions.moves
        kinds = (actions.moves, actions.hypotheses, actions.shows, actions.accusations)
        return ObservationArrays(
            begins=np.array([fields.at[name].start if name in fields.at else -1 for name in FIELDS], np.int64),
            starts=np.array([kind.start for kind in kinds], np.int64),
            places=np.array(actions.places, np.int64),
            action_to=action_to,
            steps=fields.steps,
            where=fields.places,
            rows=np.zeros((n, fields.size), np.float32),
            masks=np.zeros((n, actions.size), np.int8),
        )

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: Reports | None = None,  # noqa: ARG002 - Gymnasium's, and there are none
    ) -> tuple[Observed, Reports]:
        """Begin the first games of the seed, or without a seed the next games of the last one."""
        if isinstance(seed, list):
            raise SetupError("compiled games take one seed for all, not a list")
        if seed is not None or not self._entropy.size:
            super().reset(seed=None if seed is None else whole_seed(seed))
            assert self.np_random_seed is not None
            self._entropy = np.array(words_of(self.np_random_seed), np.int64)
            self.games.games[:] = self._every
        else:
            self.games.games[:] += self.num_envs
        self._begin(np.ones(self.num_envs, np.bool_))
        none = np.zeros(self.num_envs, np.bool_)
        return self._observations.rows, self._report(np.zeros((self.num_envs, len(self._line_up))), none)

    def _begin(self, which: Flags) -> None:
        """Begin the games of some environments."""
        begin_games(
            *(self._board_arrays, self.games, self._observations, self._line_up, self._entropy, which, self.num_envs),
            *(self._estimates, new_walk(self.board), self._trace),
        )

    def _checked(self, actions: object) -> NDArray[np.int64]:
        found = np.asarray(actions)
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            raise IllegalCommand(
                "the actions are an array of {count} whole numbers, not {what}",
                count=self.num_envs,
                what=short_repr(actions),
            )
        for extreme in (found.min(), found.max()):
            checked_action(int(extreme), self.actions)
        return np.ascontiguousarray(found, np.int64)

    def step(self, actions: NDArray[np.int64]) -> tuple[Observed, NDArray[Any], NDArray[Any], NDArray[Any], Reports]:
        """Do what the learners chose; a game that is over is followed by the next at once.

        Raises:
            SetupError: no games go on; :meth:`reset` begins some.
            IllegalCommand: an action is none, or not allowed; nothing has been done.
        """
        if not self._entropy.size:
            raise SetupError("no game goes on; reset the environment first")
        actions = self._checked(actions)
        allowed = self._observations.masks[self._every, actions]
        if not allowed.all():
            game = int(np.flatnonzero(allowed == 0)[0])
            name = self.actions.names[actions[game]]
            raise IllegalCommand("game {game}: {name} is not allowed now; see the mask", game=game, name=name)
        chose = self.games.asked.copy()
        step_games(
            *(self._board_arrays, self.games, self._observations, actions),
            *(self._estimates, new_walk(self.board), self._trace),
        )
        reason = self.games.states[:, at.REASON]
        over = reason >= 0
        unfinished = reason == UNFINISHED
        rewards = np.zeros((self.num_envs, len(self._line_up)))
        final = {}
        if over.any():
            seats = np.arange(len(self._line_up))
            winner = self.games.states[over, at.WINNER]
            rewards[over] = np.where(winner[:, None] == seats, WIN, LOSS)
            self._final[over] = self._observations.rows[over]
            final = {"final_obs": self._final, "_final_obs": over}
            self.games.games[over] += self.num_envs
            self._begin(over)
        infos = self._report(rewards, unfinished) | final
        return self._observations.rows, rewards[self._every, chose], over, np.zeros_like(over), infos

    def _report(self, rewards: NDArray[np.float64], unfinished: Flags) -> Reports:
        games = self.games
        return {
            "action_mask": self._observations.masks.copy(),  # the caller's own: actions are checked by ours
            "seat": games.asked.copy(),
            "rewards": rewards,
            "unfinished": unfinished,
            "skipped": games.skipped.copy(),
        }


def _line_up(players: Sequence[str]) -> Floats:
    """The columns of the players, by place in the line-up."""
    check_list(players)
    rows = []
    for text in map(checked_text, players):
        if text == "learner":
            row = np.zeros(at.COLUMNS)
            row[at.POLICY], row[at.DEDUCTION] = LEARNER, at.NOTEBOOK  # of all unit rules
        else:
            row = compiled_player(text)
        rows.append(row)
    found = np.array(rows)
    if not (found[:, at.POLICY] == LEARNER).any():
        raise SetupError("nobody learns: one of the players at least has to be called learner")
    return found
