"""Actions as numbers: one for each command (flat), or a short sentence of tokens for each.

A seat says a command by one action or by several, one after another; what it has begun to say is a tuple of actions.
Which actions may come next is a mask, and that is all a learner has to know of the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import chain, pairwise, product
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cluedo.engine.board import Board
from cluedo.engine.cards import Category, Triple, bits, closest
from cluedo.engine.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
    accusation,
    all_own,
    hypothesis,
    move,
)
from cluedo.engine.errors import SetupError
from cluedo.engine.rules import Rules
from cluedo.engine.state import ACCUSE, ASK, END, MOVE, REFUTE, WALK
from cluedo.engine.view import PlayerView

__all__ = ["ActionMask", "ActionSet", "Begun", "FlatActions", "TokenActions", "action_set"]

ActionMask: TypeAlias = NDArray[np.int8]
"""By action, 1 where it is allowed."""

Begun: TypeAlias = tuple[int, ...]
"""The actions of a command that is not complete yet."""

_PLAIN_NAMES: Final = ("roll", "passage", "stay", "end")
_PLAIN: Final[tuple[Command, ...]] = (Roll(), SecretPassage(), Stay(), EndTurn())
_KINDS_OF_COMMAND: Final[tuple[type[Command], ...]] = (
    *map(type, _PLAIN),
    *(Move, Hypothesis, ShowCard, Accusation, Peek),
)
"""In the order of flat actions."""


class ActionSet(ABC):
    """The actions of one board, and of the rules by which it is played.

    Attributes:
        names: what each action says.
        longest: the actions of the longest command.
    """

    names: tuple[str, ...]
    longest: int

    @property
    def size(self) -> int:
        """How many actions there are."""
        return len(self.names)

    @abstractmethod
    def mask(self, view: PlayerView, begun: Begun = ()) -> ActionMask:
        """Which actions are allowed next for the seat of a view; all zeros when it has nothing to decide."""

    @abstractmethod
    def actions_of(self, command: Command) -> Begun:
        """The actions that stand for a command."""

    @abstractmethod
    def command(self, view: PlayerView, said: Begun) -> Command | None:
        """The command that a sequence of allowed actions stands for, or None if it is not complete."""


class FlatActions(ActionSet):
    """One action for each command: roll, passage, stay, end; then moves, hypotheses, cards to show, accusations.

    Where players may look into a pool, a look at each of its cards follows. A hypothesis is about the room that one is
    in, so that its action names a suspect and a weapon alone.

    Args:
        board: the board.
        pool_size: how many cards of a pool may be looked at.

    Attributes:
        commands: by action, what it stands for; a hypothesis about some room.
        places: by move, the place that it leads to: squares row by row, then rooms.
        moves: the actions that move; ``hypotheses``, ``shows``, ``accusations``, ``looks`` likewise.
    """

    longest = 1

    def __init__(self, board: Board, pool_size: int = 0):
        deck, self._some_room = board.deck, board.deck.rooms.start
        self.places = (*bits(board.squares), *range(board.rooms_at, board.places))
        pairs, triples = [*product(deck.suspects, deck.weapons)], [*product(*deck.ids)]
        groups: list[list[Command]] = [
            *([command] for command in _PLAIN),
            [move(place) for place in self.places],
            [hypothesis(suspect, weapon, self._some_room) for suspect, weapon in pairs],
            [ShowCard(card) for card in range(deck.size)],
            [accusation(*cards) for cards in triples],
            [Peek(position) for position in range(pool_size)],
        ]
        ends = np.cumsum([0, *map(len, groups)]).tolist()
        ranges = [range(start, stop) for start, stop in pairwise(ends)]
        self.moves, self.hypotheses, self.shows, self.accusations, self.looks = ranges[4:]
        self._slices = [(kind, slice(k.start, k.stop)) for kind, k in zip(_KINDS_OF_COMMAND, ranges, strict=True)]
        self.commands = tuple(chain(*groups))
        self._action_of = {command: action for action, command in enumerate(self.commands)}
        self._move_to = dict(zip(self.places, self.moves, strict=True))
        name = deck.names
        self.names = (
            *_PLAIN_NAMES,
            *(f"move {board.node(place)}" for place in self.places),
            *(f"ask {name[suspect]}, {name[weapon]}" for suspect, weapon in pairs),
            *(f"show {card}" for card in name),
            *("accuse " + ", ".join(name[card] for card in cards) for cards in triples),
            *(f"look at {position}" for position in range(pool_size)),
        )

    def mask(self, view: PlayerView, begun: Begun = ()) -> ActionMask:  # noqa: ARG002 - nothing is ever begun
        allowed = np.zeros(self.size, np.int8)
        if view.to_act != view.seat:
            return allowed
        for kind, actions in self._slices:
            if kind.obstacle(view) is not None:
                continue
            if kind is Move:
                allowed[[self._move_to[place] for place in view.reach.places]] = 1
            elif (
                kind is ShowCard
                or (kind is Hypothesis and view.rules.own_cards == "not_all")
                or (kind is Accusation and view.rules.accuse_in == "room")
            ):
                allowed[[self.actions_of(command)[0] for command in kind.options(view)]] = 1
            else:  # all of them: many, and sooner allowed together
                allowed[actions] = 1
        return allowed

    def actions_of(self, command: Command) -> Begun:
        if isinstance(command, Hypothesis):
            command = hypothesis(command.suspect, command.weapon, self._some_room)
        return (self._action_of[command],)

    def command(self, view: PlayerView, said: Begun) -> Command | None:
        match self.commands[said[0]]:
            case Hypothesis(suspect, weapon):
                return hypothesis(suspect, weapon, view.board.room_card(view.place))
            case ShowCard(card):
                return ShowCard(card)  # a secret: one of its own
            case command:
                return command


ROLL, PASSAGE, STAY, END_TURN, WALK_TO, ENTER, ASK_ABOUT, SHOW, ACCUSE_OF = range(9)
_VERBS: Final = (*_PLAIN_NAMES, "walk", "enter", "ask", "show", "accuse")


class TokenActions(ActionSet):
    """A verb, then numbers: ``walk x y``, ``enter room``, ``ask suspect weapon``, ``accuse suspect weapon room``.

    Suspects, weapons and rooms are counted from 0 in their own category. ``show k`` shows the suspect (0), the weapon
    (1) or the room (2) that was named. Where players may look into a pool, ``look k`` looks at its card k. The other
    verbs stand alone.

    Args:
        board: the board.
        pool_size: how many cards of a pool may be looked at.
    """

    longest = 4

    def __init__(self, board: Board, pool_size: int = 0):
        self._board, self._pool_size = board, pool_size
        self._starts = tuple(ids.start for ids in board.deck.ids)
        self._sizes = tuple(len(ids) for ids in board.deck.ids)
        numbers = range(max(board.width, board.height, pool_size, *self._sizes))
        self._look = len(_VERBS) + len(numbers)
        self.names = (*_VERBS, *map(str, numbers), *(["look"] if pool_size else []))
        self._flat = FlatActions(board, pool_size)
        self._flat_action = {self.actions_of(command): k for k, command in enumerate(self._flat.commands)}

    def mask(self, view: PlayerView, begun: Begun = ()) -> ActionMask:
        allowed = np.zeros(self.size, np.int8)
        if view.to_act != view.seat:
            return allowed
        if not begun:
            allowed[self._verbs(view)] = 1
            if self._pool_size and Peek.obstacle(view) is None:
                allowed[self._look] = 1
        else:
            allowed[[len(_VERBS) + number for number in self._numbers(view, begun)]] = 1
        return allowed

    def _verbs(self, view: PlayerView) -> list[int]:
        step, table, reach = view.step, view.table, view.reach
        if step is MOVE and not table.free:
            return [ROLL, STAY, PASSAGE] if table.board.passage(view.place) >= 0 else [ROLL, STAY]
        if step is MOVE or step is WALK:
            squares = reach.mask & table.board.squares
            return [STAY, *([WALK_TO] if squares else []), *([ENTER] if squares != reach.mask else [])]
        if step is REFUTE:
            return [SHOW]
        verbs = {ASK: [END_TURN, ASK_ABOUT], ACCUSE: [END_TURN], END: [END_TURN]}.get(step, [])
        return [*verbs, ACCUSE_OF] if Accusation.obstacle(view) is None else verbs

    def _numbers(self, view: PlayerView, begun: Begun) -> list[int]:
        verb, *said = begun
        board = self._board
        if verb == WALK_TO:
            squares = [place for place in view.reach.places if place < board.rooms_at]
            if not said:
                return [place % board.stride for place in squares]
            x = said[0] - len(_VERBS)
            return [place // board.stride for place in squares if place % board.stride == x]
        if verb == ENTER:
            return [place - board.rooms_at for place in view.reach.places if place >= board.rooms_at]
        if verb == SHOW:
            assert view.hypothesis is not None
            return [k for k, card in enumerate(view.hypothesis) if view.hand >> card & 1]
        if verb == self._look:
            return [*range(self._pool_size)]
        here = board.room_card(view.place)
        if verb == ACCUSE_OF and len(said) == Category.ROOM and view.table.rules.accuse_in == "room":
            return [here - self._starts[Category.ROOM]]
        if verb == ASK_ABOUT and len(said) == Category.WEAPON:
            suspect = said[0] - len(_VERBS)
            return [k for k, weapon in enumerate(view.deck.weapons) if not all_own(suspect, weapon, here, view)]
        return [*range(self._sizes[len(said)])]

    def actions_of(self, command: Command) -> Begun:
        board = self._board
        numbers: tuple[int, ...]
        match command:
            case Move(to) if board.is_room(to):
                verb, numbers = ENTER, (to - board.rooms_at,)
            case Move(to):
                verb, numbers = WALK_TO, (to % board.stride, to // board.stride)
            case Hypothesis():
                verb, numbers = ASK_ABOUT, self._counted(command.cards)[:2]
            case ShowCard(card):
                verb, numbers = SHOW, (int(board.deck.category(card)),)
            case Accusation():
                verb, numbers = ACCUSE_OF, self._counted(command.cards)
            case Peek(position):
                verb, numbers = self._look, (position,)
            case _:
                return self._flat.actions_of(command)
        return (verb, *(len(_VERBS) + number for number in numbers))

    def _counted(self, cards: Triple) -> tuple[int, ...]:
        return tuple(card - start for card, start in zip(cards, self._starts, strict=True))

    def command(self, view: PlayerView, said: Begun) -> Command | None:
        action = self._flat_action.get(said)
        if action is None:
            return None
        if said[0] == SHOW:  # whichever card of this category was named
            assert view.hypothesis is not None
            return ShowCard(view.hypothesis[said[1] - len(_VERBS)])
        return self._flat.command(view, (action,))


_SETS: Final[dict[str, type[FlatActions | TokenActions]]] = {"flat": FlatActions, "tokens": TokenActions}


def action_set(kind: str, board: Board, rules: Rules, seats: int) -> ActionSet:
    """The actions of a kind, ``flat`` or ``tokens``; raises :class:`SetupError` for another."""
    if kind not in _SETS:
        raise SetupError("no kind of actions is called {kind!r}; {closest}", kind=kind, closest=closest(kind, _SETS))
    pool, _ = rules.set_aside(board.deck.outside, seats)
    return _SETS[kind](board, pool if rules.peek else 0)
