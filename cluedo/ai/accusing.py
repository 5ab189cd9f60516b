"""How a level goes about an accusation that it has decided on, wherever the rules let it accuse."""

from __future__ import annotations

from itertools import product
from random import Random

from cluedo.ai.player import Movement
from cluedo.ai.walking import walk
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, Roll, SecretPassage, Stay, accusation
from cluedo.engine.events import Accused
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = ["blind_pool", "guess", "here", "way_to"]

_ROLL, _SECRET_PASSAGE, _STAY = Roll(), SecretPassage(), Stay()


def here(view: PlayerView, decided: Accusation | None) -> Accusation | None:
    """The accusation, if it may be made where one stands (rule 17)."""
    return None if decided is None or decided.why_not(view) else decided


def way_to(view: PlayerView, decided: Accusation, random: Random) -> Movement:
    """One decision of the way to the room of an accusation that has to be made there (rule 17).

    Unlike the way to a question, it may lead back into a room that is used up (rule 7).
    """
    board = view.table.board
    to = decided.room + board.room_offset
    if view.place == to:
        return _STAY
    if view.table.free or view.step is WALK:
        return walk(view, 1 << to, random)
    return _SECRET_PASSAGE if board.passage(view.place) == to else _ROLL


def blind_pool(view: PlayerView) -> int:
    """How many cards of the pool nobody may look at any more: they cannot be told from those of the envelope."""
    size = view.table.pool_size
    if not size or view.table.rules.peek:
        return 0
    return size - len(view.looked_at)


def guess(view: PlayerView, cards: int, random: Random, last: Accusation | None = None) -> Accusation:
    """One of the envelopes that a mask of cards leaves open, each as likely; none that somebody has accused wrongly.

    The ``last`` one that was guessed remains, as long as it may be right.
    """
    wrong = {event.cards for event in view.events if isinstance(event, Accused)}
    if last is not None and last.cards not in wrong:
        return last
    triples = product(*(bits(cards & mask) for mask in view.table.deck.masks))
    choices = [triple for triple in triples if triple not in wrong]
    return accusation(*(choices[0] if len(choices) == 1 else choices[int(random.random() * len(choices))]))
