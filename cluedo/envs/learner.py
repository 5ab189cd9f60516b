"""One seat learns against levels: the game as an environment of Gymnasium.

::

    env = gymnasium.make("cluedo.envs.learner:cluedo/Learner-v0", opponents=["easy", "easy", "medium"])

Game g of a seed is game g of ``cluedo autoplay --players LEARNER,easy,easy,medium`` with that seed: the same deals and
the same opponents, the learner in another seat each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cluedo.engine.errors import needs_extra

with needs_extra("rl"):
    import gymnasium
    from gymnasium.spaces import Box, Discrete

from cluedo.ai.levels import parse_players
from cluedo.ai.match import Match, seat_players
from cluedo.ai.player import Clock, Player, check_clock
from cluedo.engine.board_and_rules import AnyBoard, AnyRules, board_and_rules
from cluedo.engine.deal import Seeds, places_by_seat, whole_seed
from cluedo.engine.errors import SetupError
from cluedo.engine.game import Game
from cluedo.envs.acting import ActionMask, ActionSequence, action_set, checked_action
from cluedo.envs.observing import Observed, ObservedFields, SeatObserver
from cluedo.envs.rendering import RENDER_MODES, check_render_mode, render_view
from cluedo.envs.rewards import LOSS, BitsLearned, check_bits, worth

__all__ = ["LearnerEnv"]

_NO_LIMIT: Final = Clock(None)


class LearnerEnv(gymnasium.Env[Observed, np.int64]):
    """See :mod:`cluedo.envs.learner`.

    An action that is not allowed loses the game at once; :meth:`action_masks` and ``info`` tell which ones are. Nothing
    is ever truncated: the turn limit is a rule, its end is rewarded, and the ``turn`` is observed. The last ``info``
    tells whether it was that (``unfinished``), and how often opponents failed (``faults``; why, ``match.faults`` says).

    Args:
        board, rules: as for :func:`cluedo.play`. Nobody wins a game that ends at their turn limit.
        opponents: the other players: texts as on the command line, or classes. Bots run in this process.
        actions: ``flat`` or ``tokens`` (:mod:`cluedo.envs.acting`).
        observe: what is observed beside the table (:mod:`cluedo.envs.observing`).
        history: the events that the part ``history`` holds.
        bits: the reward for each bit about the envelope that the learner learns; what the last accusation tells is
            left out.
        clock: the time that each opponent has: no limit, if nothing else is said. One that hangs is interrupted in the
            main thread alone, and not on Windows.
        render_mode: ``ansi``, ``human`` or ``rgb_array``.

    Attributes:
        match: the game and the players at it, from the first reset on.
        seat: the learner's.
        fields: what is where in an observation.
        actions: what an action means.

    Raises:
        CluedoError: such games cannot be played.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        board: AnyBoard = "classic",
        opponents: Sequence[str | type[Player]] = ("easy", "easy", "easy"),
        rules: AnyRules = None,
        *,
        actions: str = "flat",
        observe: Sequence[str] = ("marks",),
        history: int = 64,
        bits: float = 0.0,
        clock: Clock = _NO_LIMIT,
        render_mode: str | None = None,
    ):
        check_render_mode(render_mode)
        check_bits(bits)
        check_clock(clock)
        self._opponents = parse_players(opponents)
        self._seats = len(self._opponents) + 1
        self.board, self.rules = board_and_rules(board, rules, self._seats)
        self.actions = action_set(actions, self.board, self.rules, self._seats)
        self.fields = ObservedFields(self.board, self.rules, self._seats, self.actions, observe, history)
        self.render_mode = render_mode
        self.observation_space = Box(0.0, 1.0, (self.fields.size,), np.float32)
        self.action_space = Discrete(self.actions.size)
        self._bits, self._clock = bits, clock
        self._seed: int | None = None
        self._number = 0
        self._match: Match | None = None
        self._over = True
        for opponent in self._opponents:
            opponent.check(self.board.deck, self.rules, self._seats)

    @property
    def match(self) -> Match:
        if self._match is None:
            raise SetupError("no game goes on; reset the environment first")
        return self._match

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - Gymnasium's, and there are none
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin a new game: game 0 of the seed, or without a seed the next game of the last one.

        Games that the others end before the learner has a choice are lost, and skipped; ``info`` tells how many.
        """
        if seed is not None or self._seed is None:
            super().reset(seed=None if seed is None else whole_seed(seed))
            assert self.np_random_seed is not None
            self._seed, self._number = self.np_random_seed, 0
        else:
            self._number += 1
        first = self._number
        self._begin()
        while self.match.game.over:  # the others have ended it before the learner had a choice
            self._number += 1
            self._begin()
        if self.render_mode == "human":
            self.render()
        observed, info = self._observe()
        return observed, info | {"skipped": self._number - first}

    def _begin(self) -> None:
        """Deal, and play up to the learner's first choice."""
        assert self._seed is not None
        deal, rotation = divmod(self._number, self._seats)
        seeds = Seeds(self._seed, deal, self._seats)
        game = Game.begin(self.board, self.rules, seeds)
        self.seat = places_by_seat(self._seats, rotation).index(0)
        players, randoms = seat_players([None, *self._opponents], seeds, rotation)
        self._match = Match(game, players, randoms, self._clock)
        self._begun: ActionSequence = ()
        self._observer = SeatObserver(self.fields, game.view(self.seat))
        self._learned = BitsLearned(game.view(self.seat)) if self._bits else None
        self._over = False
        self._wait()

    def _wait(self) -> None:
        """Let the others play until it is the learner who has to decide."""
        game = self.match.game
        while not game.over and game.state.to_act != self.seat:
            self.match.advance()

    def _observe(self) -> tuple[Observed, dict[str, Any]]:
        """What the learner observes, and which actions are allowed."""
        view = self.match.game.view(self.seat)
        return self._observer.observe(view, self._begun), {"action_mask": self.actions.mask(view, self._begun)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed now, as MaskablePPO asks."""
        return self._mask().astype(np.bool_)

    def _mask(self) -> ActionMask:
        return self.actions.mask(self.match.game.view(self.seat), self._begun)

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Do what the learner chose, and let the others play until it has to choose again.

        Raises:
            SetupError: the game is over; :meth:`reset` begins another.
            IllegalCommand: there is no such action; nothing has been done.
        """
        if self._over:
            raise SetupError("no game goes on; reset the environment first")
        chosen = checked_action(action, self.actions)
        if not self._mask()[chosen]:
            observed, info = self._observe()
            info |= self._ended(unfinished=False) | {"not_allowed": self.actions.names[chosen]}
            return observed, LOSS, True, False, info
        game = self.match.game
        sequence = (*self._begun, chosen)
        command = self.actions.command(game.view(self.seat), sequence)
        self._begun = sequence if command is None else ()
        if command is not None:
            self.match.execute(command)
            self._wait()
        observed, info = self._observe()
        if self.render_mode == "human":
            self.render()
        result = game.result
        if result is None:
            gained = self._bits * self._learned.since(game.view(self.seat)) if self._learned else 0.0
            return observed, gained, False, False, info
        info |= self._ended(unfinished=result.reason == "unfinished")
        return observed, worth(result, self.seat), True, False, info

    def _ended(self, *, unfinished: bool) -> dict[str, Any]:
        """Note that the game is over; what the last info tells of it."""
        self._over = True
        return {"unfinished": unfinished, "faults": len(self.match.faults)}

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render what everybody at the table sees; None if it was printed, or nothing is to be rendered."""
        return render_view(self.match.game.view(0), self.render_mode)


gymnasium.register("cluedo/Learner-v0", "cluedo.envs.learner:LearnerEnv")
