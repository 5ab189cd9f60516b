"""Choices that several levels share: a random pick, a legal hypothesis, and whether an accusation is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import TypeVar

from cluedo.engine.cards import Category, bits
from cluedo.engine.commands import Accusation, Hypothesis, Peek, ShowCard, all_own
from cluedo.engine.events import Accused
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView

__all__ = [
    "allowed_here",
    "allowed_hypothesis",
    "hidden_in_pool",
    "may_ask_here",
    "new_peek",
    "pick",
    "pick_card",
    "random_envelope",
    "rooms_to_ask_in",
]

T = TypeVar("T")


def pick(random: Random, choices: Sequence[T]) -> T:
    """One of the choices, each equally likely; it takes half the time of ``random.choice``."""
    return choices[int(random.random() * len(choices))]


def pick_card(random: Random, view: PlayerView) -> ShowCard:
    """One of the cards that may be shown now, each equally likely."""
    return ShowCard(pick(random, bits(ShowCard.choices(view))))


def may_ask_here(view: PlayerView) -> bool:
    """Whether the active pawn could stay and ask at once (rules 7 and 8)."""
    here = view.place
    return here >= view.table.board.rooms_at and (view.used[view.active] != here or view.table.free)


def rooms_to_ask_in(view: PlayerView) -> list[int]:
    """The rooms, as card ids, that the active seat can choose from for a hypothesis this turn.

    Before a roll these are its own room, if it may ask there, and the one behind a secret passage; after it its own
    room and those that the roll reaches; under free movement all of them. A room that is used up is none (rule 7).
    """
    board, here, used = view.table.board, view.place, view.used[view.active]
    places = {here} if may_ask_here(view) else set()
    if view.table.free or view.step is WALK:
        places.update(view.reach.rooms)
    elif board.passage(here) >= 0:
        places.add(board.passage(here))
    if not view.table.free:
        places.discard(used)
    return sorted(board.room_card(place) for place in places)


def allowed_hypothesis(view: PlayerView, suspect: int, weapon: int, random: Random) -> Hypothesis:
    """A hypothesis about a suspect and a weapon in the room one is in.

    Where all three would be one's own and may not be (rule 16), a weapon that is not is named instead.
    """
    room = view.table.board.room_card(view.place)
    if all_own(suspect, weapon, room, view):
        weapon = pick(random, bits(view.deck.masks[Category.WEAPON] & ~view.hand))
    return Hypothesis(suspect, weapon, room)


def allowed_here(view: PlayerView, decided: Accusation | None) -> Accusation | None:
    """The accusation if it may be made in the room where the pawn stands (rule 17), else None."""
    return None if decided is None or decided.why_not(view) else decided


def hidden_in_pool(view: PlayerView) -> int:
    """The number of cards in a pool that nobody may look into: nobody can tell them from those in the envelope."""
    return 0 if view.table.rules.peek else view.table.pool_size


def new_peek(view: PlayerView) -> Peek | None:
    """The look at the first card of the pool that this seat has not seen; None where it saw all."""
    looked_at = view.looked_at
    return next((Peek(position) for position in range(view.table.pool_size) if position not in looked_at), None)


def random_envelope(view: PlayerView, cards: int, random: Random, last: Accusation | None = None) -> Accusation:
    """An accusation of three of the ``cards`` (a mask), each combination equally likely, but none that was wrong.

    The ``last`` one that was guessed is kept as long as nobody has accused it wrongly.
    """
    choices = list(product(*(bits(cards & mask) for mask in view.table.deck.masks)))
    if len(choices) > 1:
        wrong = {event.cards for event in view.events if isinstance(event, Accused)}
        if last is not None and last.cards not in wrong:
            return last
        choices = [triple for triple in choices if triple not in wrong]
    return Accusation(*(choices[0] if len(choices) == 1 else pick(random, choices)))
