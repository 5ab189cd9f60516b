"""Actions as numbers: one for each command (flat), or a short sentence of tokens for each.

A seat says a command by one action or by several, one after another; what it has begun to say is a tuple of actions.
Which actions may come next is a mask, and that is all a learner has to know of the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import pairwise, product
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
    all_own,
)
from cluedo.engine.errors import IllegalCommand, SetupError, safe_repr
from cluedo.engine.rules import Rules
from cluedo.engine.validation import whole_number
from cluedo.engine.view import PlayerView

__all__ = ["ActionMask", "ActionSequence", "ActionSet", "FlatActions", "TokenActions", "action_set", "checked_action"]

ActionMask: TypeAlias = NDArray[np.int8]
"""By action, 1 where it is allowed."""

ActionSequence: TypeAlias = tuple[int, ...]
"""The actions that say a command, or those with which one is begun."""

_PLAIN: Final[tuple[Command, ...]] = (Roll(), SecretPassage(), Stay(), EndTurn())
"""The commands without a choice in them, which are the first actions of either kind."""
_PLAIN_NAMES: Final = ("roll", "passage", "stay", "end")
_VERBS: Final = (*_PLAIN_NAMES, "walk", "enter", "ask", "show", "accuse")
_WALK_TO, _ENTER, _ASK_ABOUT, _SHOW, _ACCUSE_OF = range(len(_PLAIN), len(_VERBS))


def checked_action(action: object, actions: ActionSet) -> int:
    """The number of an action; raises :class:`IllegalCommand` for what is none."""
    if (number := whole_number(action, 0, actions.size - 1)) is not None:
        return number
    raise IllegalCommand(
        "an action is a whole number from 0 to {most}, not {action}", most=actions.size - 1, action=safe_repr(action)
    )


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
    def mask(self, view: PlayerView, begun: ActionSequence = ()) -> ActionMask:
        """Which actions are allowed next for the seat of a view; all zeros when it has nothing to decide."""

    @abstractmethod
    def actions_of(self, command: Command) -> ActionSequence:
        """The actions that stand for a command."""

    @abstractmethod
    def command(self, view: PlayerView, sequence: ActionSequence) -> Command | None:
        """The command that a sequence of allowed actions stands for, or None if it is not complete."""


class FlatActions(ActionSet):
    """One action for each command: roll, passage, stay, end; then moves, hypotheses, cards to show, accusations.

    Where players may look into a pool, a look at each of its cards follows. A hypothesis is about the room that one is
    in, so that its action names a suspect and a weapon alone.

    Args:
        board: the board.
        pool_size: how many cards of a pool may be looked at.

    Attributes:
        places: by move, the place that it leads to: squares row by row, then rooms.
        moves: the actions that move; ``hypotheses``, ``shows``, ``accusations``, ``peeks`` likewise.
    """

    longest = 1

    def __init__(self, board: Board, pool_size: int = 0):
        deck = board.deck
        self.places = (*bits(board.squares), *range(board.rooms_at, board.places))
        pairs, triples = [*product(deck.suspects, deck.weapons)], [*product(*deck.ids)]
        ends = np.cumsum([len(_PLAIN), len(self.places), len(pairs), deck.size, len(triples), pool_size]).tolist()
        self.moves, self.hypotheses, self.shows, self.accusations, self.peeks = (
            range(start, stop) for start, stop in pairwise(ends)
        )
        self._move_to = dict(zip(self.places, self.moves, strict=True))
        self._pairs, self._triples = pairs, triples
        name = deck.names
        self.names = (
            *_PLAIN_NAMES,
            *(f"move {board.node(place)}" for place in self.places),
            *(f"ask {name[suspect]}, {name[weapon]}" for suspect, weapon in pairs),
            *(f"show {card}" for card in name),
            *("accuse " + ", ".join(name[card] for card in cards) for cards in triples),
            *(f"look at {position}" for position in range(pool_size)),
        )

    def mask(self, view: PlayerView, begun: ActionSequence = ()) -> ActionMask:  # noqa: ARG002 - nothing is ever begun
        allowed = np.zeros(self.size, np.int8)
        if view.to_act != view.seat:
            return allowed
        for action, command in enumerate(_PLAIN):
            if command.obstacle(view) is None:
                allowed[action] = 1
        if Move.obstacle(view) is None:
            allowed[[self._move_to[place] for place in view.reach.places]] = 1
        if ShowCard.obstacle(view) is None:
            allowed[[self.shows.start + card for card in bits(ShowCard.choices(view))]] = 1
        room = view.board.room_card(view.place)  # of a square, no card
        if Hypothesis.obstacle(view) is None:
            pairs = [not all_own(*pair, room, view) for pair in self._pairs] if view.table.not_all_own else 1
            allowed[self.hypotheses.start : self.hypotheses.stop] = pairs
        if Accusation.obstacle(view) is None:
            triples = [triple[2] == room for triple in self._triples] if view.table.accused_here else 1
            allowed[self.accusations.start : self.accusations.stop] = triples
        if self.peeks and Peek.obstacle(view) is None:
            allowed[self.peeks.start : self.peeks.stop] = 1
        return allowed

    def actions_of(self, command: Command) -> ActionSequence:
        match command:
            case Move(to):
                action = self._move_to[to]
            case Hypothesis(suspect, weapon):
                action = self.hypotheses[self._pairs.index((suspect, weapon))]
            case ShowCard(card):
                action = self.shows[card]
            case Accusation():
                action = self.accusations[self._triples.index(command.cards)]
            case Peek(position):
                action = self.peeks[position]
            case _:
                action = _PLAIN.index(command)
        return (action,)

    def command(self, view: PlayerView, sequence: ActionSequence) -> Command | None:
        (action,) = sequence
        if action in self.moves:
            return Move(self.places[action - self.moves.start])
        if action in self.hypotheses:
            suspect, weapon = self._pairs[action - self.hypotheses.start]
            return Hypothesis(suspect, weapon, view.board.room_card(view.place))
        if action in self.shows:
            return ShowCard(action - self.shows.start)
        if action in self.accusations:
            return Accusation(*self._triples[action - self.accusations.start])
        if action in self.peeks:
            return Peek(action - self.peeks.start)
        return _PLAIN[action]


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

    def mask(self, view: PlayerView, begun: ActionSequence = ()) -> ActionMask:
        allowed = np.zeros(self.size, np.int8)
        if view.to_act != view.seat:
            return allowed
        if not begun:
            allowed[[*self._verbs(view)]] = 1
        else:
            allowed[[len(_VERBS) + number for number in self._numbers(view, begun)]] = 1
        return allowed

    def _verbs(self, view: PlayerView) -> Iterator[int]:
        for verb, command in enumerate(_PLAIN):
            if command.obstacle(view) is None:
                yield verb
        if Move.obstacle(view) is None:
            squares = view.reach.mask & view.board.squares
            if squares:
                yield _WALK_TO
            if squares != view.reach.mask:
                yield _ENTER
        for verb, kind in ((_ASK_ABOUT, Hypothesis), (_SHOW, ShowCard), (_ACCUSE_OF, Accusation)):
            if kind.obstacle(view) is None:
                yield verb
        if self._pool_size and Peek.obstacle(view) is None:
            yield self._look

    def _numbers(self, view: PlayerView, begun: ActionSequence) -> list[int]:
        verb, *said = begun
        board = self._board
        if verb == _WALK_TO:
            squares = [place for place in view.reach.places if place < board.rooms_at]
            if not said:
                return [place % board.stride for place in squares]
            x = said[0] - len(_VERBS)
            return [place // board.stride for place in squares if place % board.stride == x]
        if verb == _ENTER:
            return [place - board.rooms_at for place in view.reach.places if place >= board.rooms_at]
        if verb == _SHOW:
            assert view.hypothesis is not None
            return [k for k, card in enumerate(view.hypothesis) if view.hand >> card & 1]
        if verb == self._look:
            return [*range(self._pool_size)]
        here = board.room_card(view.place)
        if verb == _ACCUSE_OF and len(said) == Category.ROOM and view.table.accused_here:
            return [here - self._starts[Category.ROOM]]
        if verb == _ASK_ABOUT and len(said) == Category.WEAPON:
            suspect = said[0] - len(_VERBS)
            return [k for k, weapon in enumerate(view.deck.weapons) if not all_own(suspect, weapon, here, view)]
        return [*range(self._sizes[len(said)])]

    def actions_of(self, command: Command) -> ActionSequence:
        board = self._board
        numbers: tuple[int, ...] = ()
        match command:
            case Move(to) if board.is_room(to):
                verb, numbers = _ENTER, (to - board.rooms_at,)
            case Move(to):
                verb, numbers = _WALK_TO, (to % board.stride, to // board.stride)
            case Hypothesis():
                verb, numbers = _ASK_ABOUT, self._counted(command.cards)[:2]
            case ShowCard(card):
                verb, numbers = _SHOW, (int(board.deck.category(card)),)
            case Accusation():
                verb, numbers = _ACCUSE_OF, self._counted(command.cards)
            case Peek(position):
                verb, numbers = self._look, (position,)
            case _:
                verb = _PLAIN.index(command)
        return (verb, *(len(_VERBS) + number for number in numbers))

    def _counted(self, cards: Triple) -> tuple[int, ...]:
        return tuple(card - start for card, start in zip(cards, self._starts, strict=True))

    def command(self, view: PlayerView, sequence: ActionSequence) -> Command | None:
        verb, numbers = sequence[0], [action - len(_VERBS) for action in sequence[1:]]
        if verb < len(_PLAIN):
            return _PLAIN[verb]
        if len(numbers) < {_WALK_TO: 2, _ENTER: 1, _ASK_ABOUT: 2, _SHOW: 1, _ACCUSE_OF: 3, self._look: 1}[verb]:
            return None
        if verb == self._look:
            return Peek(numbers[0])
        board = self._board
        if verb == _WALK_TO:
            return Move(numbers[0] + numbers[1] * board.stride)
        if verb == _ENTER:
            return Move(board.rooms_at + numbers[0])
        if verb == _SHOW:
            assert view.hypothesis is not None
            return ShowCard(view.hypothesis[numbers[0]])
        cards = [start + number for start, number in zip(self._starts, numbers, strict=False)]
        if verb == _ASK_ABOUT:
            return Hypothesis(cards[0], cards[1], board.room_card(view.place))
        return Accusation(cards[0], cards[1], cards[2])


_KINDS: Final[dict[str, type[FlatActions | TokenActions]]] = {"flat": FlatActions, "tokens": TokenActions}


def action_set(kind: str, board: Board, rules: Rules, seats: int) -> ActionSet:
    """The actions of a kind, ``flat`` or ``tokens``; raises :class:`SetupError` for another."""
    if str(kind) not in _KINDS:
        known = closest(str(kind), _KINDS)
        raise SetupError("no kind of actions is called {kind!r}; {closest}", kind=kind, closest=known)
    pool, _ = rules.set_aside(board.deck.outside, seats)
    return _KINDS[kind](board, pool if rules.peek else 0)
