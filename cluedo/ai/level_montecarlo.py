"""The level ``montecarlo``: simulates the rest of the game with simple players, and picks what wins most often."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Literal, TypeVar

from cluedo.ai.knowledge.evidence import check_deck
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.posterior import Posterior, compile_counting
from cluedo.ai.knowledge.reader import EvidenceReader
from cluedo.ai.parameters import check_number
from cluedo.ai.player import Movement, Player
from cluedo.ai.playouts.arrays import Worlds, check_compiled
from cluedo.ai.search import Search, compile_search, movements, seeds_from, worlds_of
from cluedo.engine.cards import Deck, bits
from cluedo.engine.commands import Accusation, Command, Hypothesis, ShowCard
from cluedo.engine.rules import Rules
from cluedo.engine.view import PlayerView

__all__ = ["MonteCarloPlayer"]

_MOST_PLAYOUTS = 1_000_000
_Choice = TypeVar("_Choice", bound=Command | None)


class MonteCarloPlayer(Player):
    """Tries each choice on deals drawn from all that are possible, each as likely, and takes the one that wins most.

    In the play-outs everybody is of one simple level, itself too, and acts on what they know there. So it values
    questions, ways, cards to show and accusations by games won, and by nothing else.

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
        deals = self._odds.sample(self.random, count)
        return worlds_of(view.table, deals, seeds_from(self.random, count))

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
    compile_search()
    compile_counting(UNIFORM)
