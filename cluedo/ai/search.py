"""Compares choices by simulation: each is played out with the same deals, dice and players; the most wins count.

    search = Search(view.table, view.seat, budget=400, players=players)
    best = search.best(view, [command, other], worlds)

No player in a world sees its deal: see :mod:`cluedo.ai.playouts.positions`.

Source: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013), for successive halving.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.programme import Deals, Floats, Ints
from cluedo.ai.player import Movement
from cluedo.ai.playouts.arrays import ACCUSED, ASKED, ENDED, MOVED, PASSAGE, ROLLED, SHOWN, STAYED, Worlds
from cluedo.ai.walking import toward_rooms
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Command, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView

__all__ = ["Search", "compile_search", "movements", "seeds_from", "worlds_of"]


def worlds_of(table: Table, drawn: Deals, seeds: NDArray[np.uint64]) -> Worlds:
    """The worlds of some deals as :meth:`~cluedo.ai.knowledge.posterior.Posterior.sample` draws them."""
    bit = np.int64(1) << np.arange(drawn.shape[1], dtype=np.int64)
    hands = [(drawn == seat) @ bit for seat in range(table.seats)]
    envelopes = np.nonzero(drawn == table.seats)[1].reshape(-1, 3)
    return Worlds(np.column_stack([*hands, envelopes]), seeds)


def seeds_from(random: Random, count: int) -> NDArray[np.uint64]:
    """Different seeds, made from one word that is drawn from ``random``."""
    return np.uint64(random.getrandbits(64)) + np.arange(count, dtype=np.uint64)


def movements(view: PlayerView) -> list[Movement]:
    """The movements that lead towards some room, each once."""
    board, used, random = view.table.board, view.used[view.active], Random(0)
    rooms = [room for room in range(board.rooms_at, board.places) if room != used or view.table.free]
    return list(dict.fromkeys(toward_rooms(view, 1 << room, random) for room in rooms))


def _row(command: Command | None) -> tuple[int, int, int, int]:
    """A command as play-outs take it, a row of numbers; None is neither to ask nor to accuse."""
    match command:
        case Roll():
            return ROLLED, 0, 0, 0
        case Move(to):
            return MOVED, to, 0, 0
        case SecretPassage():
            return PASSAGE, 0, 0, 0
        case Stay():
            return STAYED, 0, 0, 0
        case Hypothesis(suspect, weapon, room):
            return ASKED, suspect, weapon, room
        case ShowCard(card):
            return SHOWN, card, 0, 0
        case Accusation(suspect, weapon, room):
            return ACCUSED, suspect, weapon, room
        case _:
            return ENDED, 0, 0, 0


class Search:
    """Plays out the choices of one seat.

    Args:
        table: the game's.
        seat: whose games won count.
        budget: play-outs for each decision.
        players: (seats, column), who plays on (:func:`~cluedo.ai.playouts.players.compiled_line_up`).

    Raises:
        CluedoError: the deck has too many cards.
    """

    def __init__(self, table: Table, seat: int, budget: int, players: Floats):
        from cluedo.ai.playouts.positions import Playouts  # numba is slow to import: only when it is used

        self._seat = seat
        self._budget = budget
        self._playouts = Playouts(table, players)

    def best(self, view: PlayerView, choices: Sequence[Command | None], draw: Callable[[int], Worlds]) -> int:
        """The index of the choice that wins most often; of equals the one that wins soonest, then the first.

        Whoever plays on alone wins whatever it does; how soon tells its choices apart. All choices are tried in the
        same worlds. After each round the better half goes on to more of them.

        Args:
            view: where the game stands.
            choices: what may be done; None is neither to ask nor to accuse. Then everybody plays on.
            draw: gives so many worlds.
        """
        plan = self._plan(len(choices))
        worlds = draw(sum(more for _, more in plan))
        won = np.zeros((len(choices), 2), np.int64)
        alive, tried = list(range(len(choices))), 0
        for kept, more in plan:
            alive = sorted(alive, key=lambda k: tuple(-won[k]))[:kept]
            for k in alive:
                won[k] += self._won(view, choices[k], worlds.part(tried, tried + more))
            tried += more
        return max(alive, key=lambda k: (*won[k], -k))

    def _plan(self, left: int) -> list[tuple[int, int]]:
        """For each round how many choices are left, and in how many worlds more each of them is tried."""
        plan, budget = [], self._budget
        for rounds in range((left - 1).bit_length(), 0, -1):
            if budget < left:
                break
            more = max(1, budget // rounds // left)
            plan.append((left, more))
            budget -= left * more
            left = max(2, (left + 1) // 2)
        return plan

    def _won(self, view: PlayerView, choice: Command | None, worlds: Worlds) -> Ints:
        """In how many worlds the seat wins, and minus the turns that these games take in all."""
        from cluedo.ai.playouts.positions import start_of  # as above

        results = self._playouts.run(start_of(view), worlds, [_row(choice)])
        won = results.winner == self._seat
        return np.array([won.sum(), -results.turns[won].sum()], np.int64)


@cache
def compile_search() -> None:
    """Have every kernel compiled, or loaded, on the smallest board."""
    from cluedo.ai.playouts.players import compiled_line_up  # as above

    board, rules, seats = Board.load("tiny"), Rules(), 3
    deal = draw_deal(Seeds(0, 0, seats), board.deck, rules)
    view = Game(board, rules, deal).view(0)
    worlds = Worlds(np.array([[*deal.hands, *deal.envelope]], np.int64), np.zeros(1, np.uint64))
    Search(view.table, 0, 2, compiled_line_up(("medium",) * seats)).best(view, [Roll(), Stay()], lambda _: worlds)
