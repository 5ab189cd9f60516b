"""The game ``python_cluedo`` of OpenSpiel, in which chance is a player that deals and rolls.

::

    import pyspiel
    import cluedo.envs.openspiel  # registers the game

    game = pyspiel.load_game("python_cluedo(players=3,board=tiny)")

Chance deals the envelope, says who starts, deals the cards one by one, and throws each die by itself. Actions are those
of :class:`~cluedo.envs.acting.FlatActions`. The winner gains 1, which the others lose between them; where nobody wins,
nobody gains anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cluedo.engine.errors import needs_extra

with needs_extra("openspiel"):
    import pyspiel

from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Roll
from cluedo.engine.deal import Deal, Dice, check_seats
from cluedo.engine.errors import IllegalCommand, SetupError
from cluedo.engine.game import Game
from cluedo.engine.rules import MAX_SEATS, Rules
from cluedo.engine.state import REFUTE
from cluedo.envs.acting import FlatActions, checked_action
from cluedo.envs.observing import ObservedFields, SeatObserver

__all__ = ["CluedoGame", "CluedoObserver", "CluedoState"]

_DEFAULTS: Final = {"players": 3, "board": "classic", "max_turns": 60, "dice": 2, "sides": 6, "movement": "walk"}
_EVENTS_A_TURN: Final = 4
"""Events of a turn beside one for each seat: the roll, the move, the accusation and the end."""
_CHOICES_A_TURN: Final = 6

_TYPE = pyspiel.GameType(
    short_name="python_cluedo",
    long_name="Cluedo",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_SEATS,
    min_num_players=3,  # two need a pool, and games here are played by the rules of the box
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
    provides_factored_observation_string=False,
)


class _Setting(NamedTuple):
    """The board, rules and players of a game, shared by all its states."""

    board: Board
    rules: Rules
    suspects: tuple[int, ...]
    actions: FlatActions

    @property
    def seats(self) -> int:
        return len(self.suspects)


@lru_cache(maxsize=16)
def _setting(board: Board, rules: Rules, seats: int) -> _Setting:
    board.check_movement(rules)
    return _Setting(board, rules, check_seats(board.deck, rules, seats), FlatActions(board))


class CluedoGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel ships no types
    """See :mod:`cluedo.envs.openspiel`; the parameters are those of the game's text.

    Raises:
        CluedoError: such games cannot be played.
    """

    def __init__(self, params: dict[str, Any] | None = None):
        chosen: dict[str, Any] = _DEFAULTS | (params or {})
        rules = Rules.from_options(f"{key}={chosen[key]}" for key in ("max_turns", "dice", "sides", "movement"))
        self.setting = _setting(Board.load(str(chosen["board"])), rules, int(chosen["players"]))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.actions.size,
            max_chance_outcomes=max(self.setting.board.deck.size, rules.sides),
            num_players=self.setting.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_CHOICES_A_TURN * rules.max_turns,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> CluedoState:
        """Before anything is dealt."""
        return CluedoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> CluedoObserver | None:
        """What a seat observes: the table and what is proved, or with perfect recall all events.

        None for what is public alone, or private alone: no observation is a part of another.
        """
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return CluedoObserver(self, wanted, params)


class _FixedDice(Dice):
    """One seat's rolls, as the chance player has decided them so far."""

    __slots__ = ()

    def tell(self, roll: tuple[int, ...]) -> None:
        """Add a roll."""
        self._rolls.append(roll)


class _Course:
    """The course of a game: first the deal, then the play. A copy is made by replaying everything."""

    def __init__(self, setting: _Setting):
        self.setting = setting
        self.done: list[int] = []
        self.envelope: list[int] = []
        self.seats_drawn: list[int] = []
        """Who starts, then the dealer, where it matters who that is."""
        self.hands = [0] * setting.seats
        self.faces: list[int] | None = None
        """The dice of a roll that is being thrown."""
        self.game: Game | None = None
        self.left = [*range(setting.board.deck.size)]
        self._to_draw = 1 if (len(self.left) - 3) % setting.seats == 0 else 2

    def __reduce__(self) -> tuple[Any, ...]:
        setting = self.setting
        return _replay_course, (setting.board.source, setting.rules, setting.seats, tuple(self.done))

    def outcomes(self) -> list[int]:
        """The outcomes of chance now, each equally likely; empty if a player has to decide."""
        if self.faces is not None:
            return [*range(self.setting.rules.sides)]
        if self.game is not None:
            return []
        if len(self.envelope) < 3:
            return [*self.setting.board.deck.ids[len(self.envelope)]]
        return [*range(self.setting.seats)] if self.drawing else self.left

    @property
    def drawing(self) -> bool:
        """Whether a seat is drawn now."""
        return self.game is None and len(self.envelope) == 3 and len(self.seats_drawn) < self._to_draw

    @property
    def next_hand(self) -> int:
        """Whose card is dealt next: clockwise from the left of the dealer (rule 2)."""
        return (self.seats_drawn[-1] + 1 + sum(hand.bit_count() for hand in self.hands)) % self.setting.seats

    def next_dealt(self, deal: NDArray[np.int8], drawn: list[int]) -> int:
        """The next outcome of chance on the way to a deal, which is the place of each card, with these seats drawn."""
        if self.drawing:
            return drawn[len(self.seats_drawn)]
        place = len(self.hands) if len(self.envelope) < 3 else self.next_hand
        return next(card for card in self.outcomes() if deal[card] == place)

    def shows_unseen_by(self, seat: int) -> bool:
        """Whether somebody has to show a card that this seat will not see."""
        game = self.game
        return game is not None and game.state.step == REFUTE and seat not in (game.state.to_act, game.state.active)

    def do(self, action: int) -> None:
        """Do what chance or the player to act has decided; raises :class:`IllegalCommand`, and then does nothing."""
        if self.faces is None and self.game is not None:
            self._decide(self.game, action)
        else:
            self._draw(action)
        self.done.append(action)

    def _decide(self, game: Game, action: int) -> None:
        if game.over:
            raise IllegalCommand("the game is over")
        view = game.view(game.state.to_act)
        command = self.setting.actions.command(view, (checked_action(action, self.setting.actions),))
        assert command is not None
        if not isinstance(command, Roll):
            game.execute(command)
        elif (reason := command.why_not(view)) is not None:
            raise IllegalCommand(reason)
        else:
            self.faces = []

    def _draw(self, action: int) -> None:
        if action not in self.outcomes():
            raise IllegalCommand("chance cannot decide {action} now", action=action)
        if self.faces is not None:
            self._throw(action)
        elif len(self.envelope) < 3:
            self.envelope.append(action)
            self.left.remove(action)
        elif self.drawing:
            self.seats_drawn.append(action)
        else:
            self.hands[self.next_hand] |= 1 << action
            self.left.remove(action)
            if not self.left:
                self._begin()

    def _begin(self) -> None:
        setting, (suspect, weapon, room) = self.setting, self.envelope
        self._dice = tuple(_FixedDice(setting.rules, None) for _ in self.hands)
        deal = Deal((suspect, weapon, room), tuple(self.hands), setting.suspects, self.seats_drawn[0], self._dice)
        self.game = Game(setting.board, setting.rules, deal)

    def _throw(self, outcome: int) -> None:
        assert self.faces is not None
        assert self.game is not None
        self.faces.append(outcome + 1)
        if len(self.faces) == self.setting.rules.dice:
            self._dice[self.game.state.active].tell(tuple(self.faces))
            self.faces = None
            self.game.execute(Roll())


def _replay_course(source: str, rules: Rules, seats: int, done: tuple[int, ...]) -> _Course:
    """The course after these actions."""
    course = _Course(_setting(Board.load(source), rules, seats))
    for action in done:
        course.do(action)
    return course


class CluedoState(pyspiel.State):  # type: ignore[misc]
    """A game of :class:`CluedoGame`, under way.

    Attributes:
        course: how far it has come; ``course.game`` is the referee's game, once all is dealt.
    """

    def __init__(self, game: CluedoGame):
        super().__init__(game)
        self.course = _Course(game.setting)

    def current_player(self) -> int:
        """The seat that has to decide, chance, or nobody any more."""
        course = self.course
        if course.game is None or course.faces is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if course.game.over else course.game.state.to_act

    def _legal_actions(self, player: int) -> list[int]:
        course = self.course
        assert course.game is not None
        legal: list[int] = course.setting.actions.mask(course.game.view(player)).nonzero()[0].tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may decide, and how likely it is."""
        outcomes = self.course.outcomes()
        return [(outcome, 1.0 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        self.course.do(action)

    def _action_to_string(self, player: int, action: int) -> str:
        course = self.course
        if player >= 0:
            return course.setting.actions.names[action]
        if course.faces is not None:
            return f"die {action + 1}"
        if course.drawing:
            return f"{'dealer' if course.seats_drawn else 'first'} {action}"
        holder = "envelope" if len(course.envelope) < 3 else f"player {course.next_hand}"
        return f"{holder}: {course.setting.board.deck.names[action]}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> CluedoState:
        """A state that a player cannot tell from this one: a search such as ISMCTS thinks in many of them.

        Deals are as likely as if whoever could show several cards picked one at random.

        Args:
            player: who cannot tell.
            sampler: gives random numbers from 0 to 1.

        Raises:
            IllegalCommand: not all cards are dealt yet.
        """
        course = self.course
        if course.game is None:
            raise IllegalCommand("a state like this one can be drawn once all cards are dealt")
        deal = SeatKnowledge.of(course.game.view(player)).sample(Random(sampler()), 1)[0]
        other = self.get_game().new_initial_state()
        while other.course.game is None:
            other.apply_action(other.course.next_dealt(deal, course.seats_drawn))
        for action in course.done[len(other.course.done) :]:
            if other.course.shows_unseen_by(player):
                choices = other.legal_actions()
                other.apply_action(choices[int(sampler() * len(choices))])
            else:
                other.apply_action(action)
        return cast(CluedoState, other)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.course.game is not None and self.course.game.over

    def returns(self) -> list[float]:
        """What the game is worth to each seat; 0 while it goes on."""
        course = self.course
        seats = range(course.setting.seats)
        winner = None if course.game is None else course.game.state.winner
        if winner is None:
            return [0.0 for _ in seats]
        return [1.0 if seat == winner else -1.0 / (len(seats) - 1) for seat in seats]

    def __str__(self) -> str:
        course = self.course
        deck = course.setting.board.deck
        lines = ["envelope: " + deck.listed(course.envelope)]
        lines += [f"player {seat}: {', '.join(deck.names_in(hand))}" for seat, hand in enumerate(course.hands)]
        lines += [] if course.game is None else [repr(event) for event in course.game.events]
        return "\n".join([*lines, *([] if course.faces is None else [f"dice: {course.faces}"])])


class CluedoObserver:
    """What a seat observes of a state, as OpenSpiel asks for it.

    Attributes:
        tensor: all numbers; ``dict``: by name, the same numbers in the shape of each field.
    """

    def __init__(self, game: CluedoGame, iig_obs_type: Any, params: dict[str, Any] | None):
        if params:
            raise SetupError("python_cluedo is observed without parameters, not with {params}", params=str(params))
        self._recall = iig_obs_type.perfect_recall
        board, rules, suspects, actions = setting = game.setting
        parts = ("history",) if self._recall else ("marks",)
        events = rules.max_turns * (_EVENTS_A_TURN + len(suspects))
        self._fields = ObservedFields(board, rules, setting.seats, actions, parts, events)
        self.tensor: NDArray[np.float32] = np.zeros(setting.seats + self._fields.size, np.float32)
        row = self.tensor[setting.seats :]
        self.dict = {"player": self.tensor[: setting.seats]}
        self.dict |= {name: self._fields.field(row, name) for name in self._fields.shapes}

    def set_from(self, state: CluedoState, player: int) -> None:
        """Fill :attr:`tensor` with what a seat observes."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        course = state.course
        if course.game is None:
            self.dict["hand"][bits(course.hands[player])] = 1
        else:
            view = course.game.view(player)
            self.tensor[course.setting.seats :] = SeatObserver(self._fields, view).observe(view)

    def string_from(self, state: CluedoState, player: int) -> str:
        """What a seat observes, in words: with perfect recall all that it has seen, else where the game stands."""
        course = state.course
        names = course.setting.board.deck.names
        lines = [f"player {player}", "hand: " + ", ".join(course.setting.board.deck.names_in(course.hands[player]))]
        if course.game is not None:
            view = course.game.view(player)
            lines.append(f"first: {view.table.first}, hands: {list(view.table.hand_sizes)}")
            if self._recall:
                lines += [repr(event) for event in view.events]
            else:
                named = [names[card] for card in view.hypothesis or ()]
                shown = "" if view.card_shown is None else f", shown {names[view.card_shown]}"
                places = [course.setting.board.node(place) for place in view.pawns]
                lines.append(f"turn {view.turn} of {view.active}: {view.step.name} by {view.to_act}, dice {view.dice}")
                lines.append(f"asked {named}, refuted by {view.refuted_by}{shown}, out {bits(view.eliminated)}")
                lines.append(f"pawns {places}, used {view.used}")
        return "\n".join(lines)


pyspiel.register_game(_TYPE, CluedoGame)
