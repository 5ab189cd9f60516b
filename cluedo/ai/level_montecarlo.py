"""The level ``montecarlo``: simulates the rest of the game with simple players, and picks what wins most often.

Choices are compared with the same deals, dice and players. No player in a world sees its deal: see
:mod:`cluedo.ai.playouts.playing_out`.

Source: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013), for successive halving.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Literal, TypeVar

import numpy as np

from cluedo.ai.knowledge.evidence import EvidenceReader, check_deck
from cluedo.ai.knowledge.kernels.programme import Deals, Floats, Ints
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.posterior import Posterior, compile_counting
from cluedo.ai.parameters import check_number
from cluedo.ai.player import Movement, Player
from cluedo.ai.playouts.arrays import Worlds, check_compiled, row_of
from cluedo.ai.walking import toward_rooms
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck, bits
from cluedo.engine.commands import Accusation, Command, EndTurn, Hypothesis, Roll, ShowCard, Stay
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.state import Table
from cluedo.engine.view import PlayerView

__all__ = ["MonteCarloPlayer", "Search", "movements", "worlds_of"]


def worlds_of(table: Table, drawn: Deals, random: Random) -> Worlds:
    """The worlds of some deals as :meth:`~cluedo.ai.knowledge.posterior.Posterior.sample` draws them.

    Their seeds, all different, are made from one word that is drawn from ``random``.
    """
    bit = np.int64(1) << np.arange(drawn.shape[1], dtype=np.int64)
    hands = [(drawn == seat) @ bit for seat in range(table.seats)]
    envelopes = np.nonzero(drawn == table.seats)[1].reshape(-1, 3)
    seeds = np.uint64(random.getrandbits(64)) + np.arange(len(drawn), dtype=np.uint64)
    return Worlds(np.column_stack([*hands, envelopes]), seeds)


def movements(view: PlayerView) -> list[Movement]:
    """The movements that lead towards some room, each once."""
    board, used, random = view.table.board, view.used[view.active], Random(0)
    rooms = [room for room in range(board.rooms_at, board.places) if room != used or view.table.free]
    return list(dict.fromkeys(toward_rooms(view, 1 << room, random) for room in rooms))


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
        from cluedo.ai.playouts.playing_out import Playouts  # numba is slow to import: only when it is used

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
        from cluedo.ai.playouts.playing_out import start_of  # as above

        results = self._playouts.run(start_of(view), worlds, [row_of(choice or EndTurn())])
        won = results.winner == self._seat
        return np.array([won.sum(), -results.turns[won].sum()], np.int64)


_MOST_PLAYOUTS = 1_000_000
_Choice = TypeVar("_Choice", bound=Command | None)


class MonteCarloPlayer(Player):
    """Tries each choice on deals drawn at random from all that are possible, and takes the one that wins most.

    In the play-outs everybody, itself included, plays like one simple level. So it values questions, moves, cards to
    show and accusations by games won, and by nothing else.

    Args:
        budget: play-outs for each decision.
        playouts: the level that plays them.
    """

    def __init__(self, *, budget: int = 400, playouts: Literal["medium", "easy", "random"] = "medium"):
        check_number("budget", budget, 1, _MOST_PLAYOUTS)
        self._budget = budget
        self._playouts = playouts

    @classmethod
    def prepare(cls) -> None:
        _compile()

    @classmethod
    def check(cls, deck: Deck, rules: Rules, seats: int) -> None:
        check_deck(deck)
        check_compiled(rules, seats)

    def begin(self, view: PlayerView, random: Random) -> None:
        from cluedo.ai.playouts.players import compiled_line_up  # only compiled games need it

        super().begin(view, random)
        self._reader = EvidenceReader(view)
        self._odds = Posterior(self._reader.evidence, UNIFORM)
        players = compiled_line_up((self._playouts,) * view.table.seats)
        self._search = Search(view.table, view.seat, self._budget, players)

    def _draw(self, view: PlayerView, count: int) -> Worlds:
        self._reader.read(view)
        return worlds_of(view.table, self._odds.sample(self.random, count), self.random)

    def _best(self, view: PlayerView, choices: Sequence[_Choice]) -> _Choice:
        """The choice that wins most; one alone is not played out, nor are more than the budget."""
        if len(choices) == 1 or self._budget < len(choices):
            return choices[0]
        return choices[self._search.best(view, choices, lambda count: self._draw(view, count))]

    def choose_move(self, view: PlayerView) -> Movement:
        return self._best(view, movements(view))

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis:
        deck, room = view.table.deck, view.table.board.room_card(view.place)
        questions = [Hypothesis(suspect, weapon, room) for suspect, weapon in product(deck.suspects, deck.weapons)]
        self.random.shuffle(questions)  # of those that win as often, none before the others
        return self._best(view, questions)

    def choose_card(self, view: PlayerView) -> ShowCard:
        return self._best(view, [ShowCard(card) for card in bits(ShowCard.choices(view))])

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        self._reader.read(view)
        cards, odds = self._odds.envelopes()[0]
        likeliest = Accusation(*cards)
        return likeliest if odds == 1.0 else self._best(view, [None, likeliest])


@cache
def _compile() -> None:
    """Have every kernel compiled, or loaded, on the smallest board."""
    from cluedo.ai.playouts.players import compiled_line_up  # as above

    board, rules, seats = Board.load("tiny"), Rules(), 3
    deal = draw_deal(Seeds(0, 0, seats), board.deck, rules)
    view = Game(board, rules, deal).view(0)
    worlds = Worlds(np.array([[*deal.hands, *deal.envelope]], np.int64), np.zeros(1, np.uint64))
    Search(view.table, 0, 2, compiled_line_up(("medium",) * seats)).best(view, [Roll(), Stay()], lambda _: worlds)
    compile_counting(UNIFORM)
