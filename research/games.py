"""The games that the programs here look at, one for each deal, and what the seats knew in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge import CHOICE, Evidence, EvidenceReader, Posterior, Triple
from cluedo.ai.levels import PlayerSpec, parse_players
from cluedo.ai.match import Match, seat_players
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, EndTurn
from cluedo.engine.deal import Seeds
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules

__all__ = ["FIT_SEED", "TABLES", "JudgedTurn", "deal_of", "ends_of_turns", "matches", "play", "positions"]

FIT_SEED = 990_001
"""What is fitted is fitted on deals of this seed; nothing is judged on them."""

TABLES = {
    "random": ("random",) * 4,
    "easy": ("easy",) * 4,
    "medium": ("medium",) * 4,
    "hard": ("hard",) * 4,
    "never": ("hard:own_cards=never",) * 4,
    "expert": ("expert",) * 4,
    "mixed": ("easy", "medium", "hard", "expert"),
}
"""Line-ups by name."""


def matches(
    specs: Sequence[PlayerSpec], deals: range, seed: int, *, board: str = "manoir", movement: str = "walk"
) -> Iterator[tuple[int, Match]]:
    """A match for each deal, not begun yet, and the number of the deal; the line-up turns round the table."""
    map_read, rules = Board.load(board), Rules.from_options([f"movement={movement}"])
    for spec in specs:
        spec.prepare()
    for deal in deals:
        seeds = Seeds(seed, deal, len(specs))
        yield deal, Match(Game.begin(map_read, rules, seeds), *seat_players(specs, seeds, deal))


def play(
    line_up: Sequence[str], deals: range, seed: int, *, board: str = "manoir", movement: str = "walk"
) -> Iterator[tuple[int, Game]]:
    """Whole games, one for each deal, and the number of the deal; the line-up turns round the table."""
    for deal, match in matches(parse_players(line_up), deals, seed, board=board, movement=movement):
        match.play()
        yield deal, match.game


def deal_of(game: Game) -> NDArray[np.int8]:
    """The places of the cards in a game without a pool, an array (cards)."""
    places = np.full(game.table.deck.size, game.table.seats, np.int8)
    for seat, hand in enumerate(game.state.deal.hands):
        places[bits(hand)] = seat
    return places


def ends_of_turns(game: Game, seat: int) -> Iterator[tuple[int, EndTurn | Accusation, Evidence]]:
    """The commands with which a seat accuses or ends its turn, their numbers, and what it knows then, which grows."""
    again = game.at_deal()
    reader = EvidenceReader(again.view(seat))
    for number, command in enumerate(game.commands):
        if isinstance(command, EndTurn | Accusation) and again.state.active == seat:
            yield number, command, reader.read(again.view(seat))
        again.execute(command)


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """What a seat knows as its turn ends.

    Attributes:
        evidence: the seat's evidence.
        envelope: the real one.
    """

    evidence: Evidence
    envelope: Triple

    @property
    def at(self) -> tuple[int, ...]:
        """Where the real envelope stands in an array (suspects, weapons, rooms)."""
        return tuple(card - ids.start for card, ids in zip(self.envelope, self.evidence.deck.ids, strict=True))


def positions(deal: int, game: Game, most: int) -> Iterator[JudgedTurn]:
    """What one seat knew at the ends of some of its turns, in which it could not prove the envelope."""
    ends = ends_of_turns(game, deal % game.table.seats)
    found = [evidence.copy() for _, command, evidence in ends if isinstance(command, EndTurn)]
    for evidence in Random(deal).sample(found, min(most, len(found))):
        if not _proved(evidence):
            yield JudgedTurn(evidence, game.state.deal.envelope)


def _proved(evidence: Evidence) -> bool:
    return int((Posterior(evidence, CHOICE).marginals[:, evidence.envelope] == 1.0).sum()) == len(evidence.deck.ids)
