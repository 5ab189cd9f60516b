"""Bots that look where nothing should be seen, and what they work out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from cluedo.ai.level_medium import MediumPlayer
from cluedo.engine.commands import Accusation
from cluedo.engine.deal import Deal, Seeds, draw_deal
from cluedo.engine.events import Shown, as_seen_by
from cluedo.engine.view import PlayerView


class Spy(MediumPlayer):
    """Plays like medium, and marks each card that the object of a hidden event tells."""

    _looked = 0

    def choose_accusation(self, view: PlayerView) -> Accusation | None:
        for event in view.events_since(self._looked):
            if isinstance(event, Shown) and event.card is None:
                tried = {card: Shown(event.seat, event.asker, card) for card in range(view.deck.size)}
                told = [card for card, shown in tried.items() if as_seen_by(shown, None) is event]
                if len(told) == 1:
                    self._unknown &= ~(1 << told[0])
                    self._conclude()
        self._looked = view.time
        return super().choose_accusation(view)


def deals_of(view: PlayerView, seeds: Iterable[int], deals: Iterable[int]) -> Iterator[Deal]:
    """The deals of known seeds that may be the one of this game."""
    table = view.table
    for seed, number in product(seeds, deals):
        deal = draw_deal(Seeds(seed, number, table.seats), table.deck, table.rules)
        if (deal.hands[view.seat], deal.first) == (view.hand, table.first):
            yield deal


_INIT, _MULTIPLIER, _WORD = 0x8B51F9DD, 0x58F38DED, 1 << 32


def first_word(index: int, word: int) -> int:
    """Word 0 of a SeedSequence, which deals the cards, worked back from word ``index`` (of 64 bits, even).

    ``generate_state`` mixes each half of its state for itself, in steps that can all be undone.
    """
    constants = [_INIT * pow(_MULTIPLIER, k, _WORD) % _WORD for k in range(2 * index + 3)]
    deals = 0
    for half in (0, 1):
        k = 2 * index + half
        mixed = word >> 32 * half & _WORD - 1
        state = (mixed ^ mixed >> 16) * pow(constants[k + 1], -1, _WORD) % _WORD ^ constants[k]
        mixed = (state ^ constants[half]) * constants[half + 1] % _WORD
        deals |= (mixed ^ mixed >> 16) << 32 * half
    return deals
