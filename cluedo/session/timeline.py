"""A game turn by turn, for replaying: after every turn the position, what was said, and what each seat knew.

What is kept for a seat comes from its own views and from the events as it saw them: a timeline for one seat's eyes
holds nothing that it may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.history import after_each_turn
from cluedo.ai.knowledge.known import SeatKnowledge
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.reader import EvidenceReader
from cluedo.engine.commands import Move
from cluedo.engine.deal import Deal
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import as_seen_by
from cluedo.engine.game import Game
from cluedo.engine.state import Table
from cluedo.language import tr
from cluedo.session.narration import Story
from cluedo.session.review_text import review_paragraphs

__all__ = ["Knowledge", "Position", "Said", "Timeline", "reviewed"]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knew at one time, by the model `choice`.

    Attributes:
        odds: P(card at place), an array (cards, places), the envelope last; 0.0 and 1.0 are proved. None where the
            deals are too many to count.
        bits: what was unknown about the envelope, or None.
    """

    odds: NDArray[np.float64] | None
    bits: float | None


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of the log: in which turn (0: before the first), about which seat, if any."""

    turn: int
    seat: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Position:
    """How the table stands after a turn.

    Attributes:
        who: whose turn it was; nobody's at the deal.
        walk: from where to where its pawn walked over the board, if it did.
        pawns, weapons: by suspect and by weapon, the place.
        eliminated: the mask of the seats that are out.
    """

    who: int | None
    walk: tuple[int, int] | None
    pawns: tuple[int, ...]
    weapons: tuple[int, ...]
    eliminated: int


class Timeline:
    """A game, turn by turn.

    Args:
        game: the game, as far as it shall be seen.
        players: the names of the players, by seat.
        eyes: the only seat whose knowledge may be kept; None for all cards open, and every seat's.

    Attributes:
        table, players, eyes: as given.
        turns: the last turn; 0 is the deal.
        positions: by turn.
        views: whose eyes one may look through; None is all cards open.
        deal: the deal, on a timeline with all cards open.
    """

    def __init__(self, game: Game, players: Sequence[str], eyes: int | None = None):
        self.table: Table = game.table
        self.players = tuple(players)
        self.eyes = eyes
        seats = range(game.table.seats)
        self.views: tuple[int | None, ...] = (None, *seats) if eyes is None else (eyes,)
        self.deal: Deal | None = game.state.deal if eyes is None else None
        dealt = Game(game.table.board, game.table.rules, game.state.deal)
        readers = {seat: EvidenceReader(dealt.view(seat)) for seat in seats if eyes in (None, seat)}
        known = {seat: SeatKnowledge(reader.evidence, CHOICE) for seat, reader in readers.items()}
        self._known: dict[int, list[Knowledge]] = {seat: [] for seat in readers}
        self.positions: list[Position] = []
        movers = _movers(game)
        for turn, position in enumerate(after_each_turn(game)):
            state = position.state
            self.positions.append(Position(*movers[turn], state.pawns, state.weapons, state.eliminated))
            for seat, reader in readers.items():
                reader.read(position.view(seat))
                self._known[seat].append(known[seat].recall("replay", partial(_snapshot, known[seat])))
        self.turns = len(self.positions) - 1
        self._logs = {view: _log(game, view) for view in self.views}

    def known(self, seat: int, turn: int) -> Knowledge:
        """What a seat knew after a turn; the solution, once told, is left out."""
        return self._known[seat][turn]

    def log(self, view: int | None) -> Sequence[Said]:
        """The whole game as a seat saw it, or with all cards open."""
        return self._logs[view]

    def view_name(self, view: int | None) -> str:
        """What a pair of eyes is called."""
        return tr("All cards face up") if view is None else self.table.name(view)

    def heading(self, turn: int) -> str:
        """What a turn is called."""
        who = self.positions[turn].who
        return (
            tr("The cards are dealt") if who is None else tr("Turn {turn}: {who}", turn=turn, who=self.table.name(who))
        )


def _snapshot(known: SeatKnowledge) -> Knowledge:
    return Knowledge(known.odds, known.bits)


def reviewed(
    game: Game, players: Sequence[str], eyes: int | None = None
) -> tuple[Timeline, Mapping[int | None, Sequence[str]]]:
    """The timeline of a game, and by view of it the review in paragraphs."""
    timeline = Timeline(game, players, eyes)
    try:
        return timeline, review_paragraphs(game, players, timeline.views)
    except CluedoError:
        sentence = tr("There are too many possible deals to count, so the game cannot be reviewed.")
        return timeline, {view: [sentence] for view in timeline.views}


def _movers(game: Game) -> list[tuple[int | None, tuple[int, int] | None]]:
    """By turn, whose it was, and from where to where they walked; nobody at the deal."""
    movers: list[tuple[int | None, tuple[int, int] | None]] = [(None, None)]
    again = Game(game.table.board, game.table.rules, game.state.deal)
    for command in game.commands:
        if again.state.turn == len(movers):
            movers.append((again.state.active, None))
        if isinstance(command, Move) and not game.table.free:
            movers[-1] = again.state.active, (again.state.place, command.to)
        again.execute(command)
    return movers


def _log(game: Game, view: int | None) -> list[Said]:
    table, story = game.table, Story(game.table, view)
    said = []
    if view is not None:
        hand = ", ".join(table.deck.names_in(game.state.deal.hands[view]))
        said.append(Said(0, None, tr("You are {who} and hold {cards}.", who=table.name(view), cards=hand)))
    said.append(Said(0, None, tr("{who} begins.", who=table.name(table.first))))
    events = game.events if view is None else [as_seen_by(event, view) for event in game.events]
    said += [Said(sentence.turn, sentence.seat, sentence.text) for sentence in story.sentences(events)]
    if game.result is not None:
        said.append(Said(said[-1].turn, None, story.ending(game.result)))
    return said
