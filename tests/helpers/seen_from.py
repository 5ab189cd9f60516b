"""All that a bot can see from its views, for tests that nothing of it depends on a card it may not know.

Values are not all that one sees: which objects are the same one, the order of sets and dicts, and how often a cache of
a module was asked can tell as much. :class:`Onlooker` writes all of that down.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterator
from enum import Enum
from random import Random

from cluedo.engine import events
from cluedo.engine.board import Board
from cluedo.engine.commands import Command
from cluedo.engine.deal import Deal
from cluedo.engine.events import Shown
from cluedo.engine.game import Game
from cluedo.engine.view import PlayerView
from helpers.other_deals import as_dealt, other_deals

_CACHE = type(functools.lru_cache(print))
_PLAIN = (int, float, str, bytes, bool, type(None), type, Enum, range)
_CLOSED = (*_PLAIN, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, _CACHE)


def parts(thing: object) -> Iterator[tuple[str, object]]:
    """What one gets from an object by its attributes and by going through it, in its own order."""
    if isinstance(thing, _CLOSED):
        return
    if isinstance(thing, dict | types.MappingProxyType):
        for k, (key, value) in enumerate(thing.items()):
            yield f"key {k}", key
            yield f"value {k}", value
    elif isinstance(thing, tuple | list | set | frozenset):
        for k, item in enumerate(thing):
            yield f"[{k}]", item
    for name in dict.fromkeys(name for kind in type(thing).__mro__ for name in _slots(kind)):
        if hasattr(thing, name):
            yield name, getattr(thing, name)
    for name, value in getattr(thing, "__dict__", {}).items():
        yield name, value


def _slots(kind: type) -> tuple[str, ...]:
    names = kind.__dict__.get("__slots__", ())
    return tuple(name for name in ([names] if isinstance(names, str) else names) if not name.startswith("__"))


def walked(start: object) -> Iterator[tuple[str, object]]:
    """Every object within reach of one, once, with the way to it."""
    seen = {id(start)}
    todo: list[tuple[str, object]] = [("", start)]
    while todo:
        way, here = todo.pop()
        yield way, here
        for name, there in parts(here):
            if id(there) not in seen:
                seen.add(id(there))
                todo.append((f"{way}.{name}", there))


def caches(board: Board) -> dict[str, functools._lru_cache_wrapper[object]]:
    """Every cache of the game and its players that a bot gets by importing modules, or from the board."""
    found = {
        f"{module}.{name}": value
        for module, content in sorted(sys.modules.items())
        if module.startswith(("cluedo.engine", "cluedo.ai"))
        for name, value in sorted(vars(content).items())
    } | dict(walked(board))
    return {name: value for name, value in found.items() if isinstance(value, _CACHE)}


class Onlooker:
    """Writes down what a seat sees in the course of one replay; equal notes are what nobody can tell apart.

    Objects are numbered in the order in which they are met, over all views of the game. The caches are emptied
    first, so that what an earlier replay left in them makes no difference.
    """

    def __init__(self, board: Board) -> None:
        self.notes: list[object] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[object] = []  # an id is one as long as its object lives
        self._caches = caches(board)
        for cache in self._caches.values():
            cache.cache_clear()

    def look(self, view: PlayerView) -> None:
        """Note all that the view leads to, and what the caches tell."""
        self.notes += [(name, cache.cache_info()) for name, cache in self._caches.items()]
        todo: list[tuple[str, object]] = [("", view), ("events", view.events)]
        while todo:
            way, here = todo.pop()
            if isinstance(here, _PLAIN):
                self.notes.append((way, repr(here)))
                continue
            number = self._numbers.get(id(here))
            if number is None:
                number = self._numbers[id(here)] = len(self._numbers)
                self._kept.append(here)
                if not isinstance(here, Board):  # sealed: its caches, noted above, are all that changes in it
                    todo += [(f"{way}.{name}", there) for name, there in parts(here)]
                if isinstance(here, Shown) and here.card is None:
                    self.notes.append([self._hides(here, card) for card in range(view.deck.size)])
            self.notes.append((way, number, type(here).__name__))

    def _hides(self, event: Shown, card: int) -> bool:
        """Whether it is the event, and not one like it, that this card would have been hidden by."""
        return events.as_seen_by(Shown(event.seat, event.asker, card), None) is event


def _seen_in(game: Game, deal: Deal, commands: list[Command], seat: int) -> list[object]:
    """All that a seat sees of a game that is played again."""
    again, onlooker = Game(game.table.board, game.table.rules, deal), Onlooker(game.table.board)
    onlooker.look(again.view(seat))
    for command in commands:
        again.execute(command)
        onlooker.look(again.view(seat))
    return onlooker.notes


def sights_compared(game: Game, seat: int, random: Random, wanted: int = 1) -> list[tuple[Deal, list[Command]]]:
    """Compare what a seat sees of a game with what it sees under other deals; gives these, with their commands."""
    others = [(deal, as_dealt(game, deal, seat, random)) for deal in other_deals(game, seat, random, wanted)]
    true = _seen_in(game, game.state.deal, game.commands, seat) if others else []
    for deal, given in others:
        other = _seen_in(game, deal, given, seat)
        differing = next((pair for pair in zip(true, other, strict=False) if pair[0] != pair[1]), None)
        assert differing is None, f"seat {seat}: {differing}"
        assert len(true) == len(other)
    return others
