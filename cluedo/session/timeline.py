"""A game turn by turn, for replays: after each turn how the table stands, the log, and what each seat knew.

What is kept for a seat comes from its own views and from the events as it saw them. So the timeline of one seat holds
nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge, after_each_turn
from cluedo.engine.commands import Move
from cluedo.engine.deal import Deal
from cluedo.engine.errors import CluedoError
from cluedo.engine.game import Game
from cluedo.engine.state import Table
from cluedo.language import tr
from cluedo.session.line_up import person_name
from cluedo.session.review_text import ReviewText, tell_reviews
from cluedo.session.tables.scenes import Walk, walk_to
from cluedo.words.narration import Sentence, Story
from cluedo.words.rule_text import house_rules

__all__ = ["Knowledge", "Snapshot", "Timeline", "review_game", "snapshots"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How the table stands after a turn.

    Attributes:
        who: whose turn it was; nobody's at the deal.
        walk: that of its pawn over the board, if it walked.
        pawns, weapons: by suspect and by weapon, the place.
        eliminated: the mask of the seats that are out.
    """

    who: int | None
    walk: Walk | None
    pawns: tuple[int, ...]
    weapons: tuple[int, ...]
    eliminated: int


def snapshots(game: Game) -> list[Snapshot]:
    """How the table stood at the deal, and after every turn, the last one included even if it is not over."""
    stood: list[Snapshot] = []
    who: int | None = None
    done = 0
    for position in after_each_turn(game):
        state, walk = position.state, None
        for command in position.commands[done:]:
            if isinstance(command, Move) and not game.table.free and who is not None:
                walk = walk_to(game.table.board, stood[-1].pawns, game.table.suspects[who], command.to)
        stood.append(Snapshot(who, walk, state.pawns, state.weapons, state.eliminated))
        who, done = state.active, len(position.commands)
    return stood


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knew at one time, by the model `choice`.

    Attributes:
        odds: P(card at place), an array (cards, places), the envelope last; 0.0 and 1.0 are proved. None where the
            deals are too many to count.
        envelopes: how many envelopes were possible, or None.
    """

    odds: NDArray[np.float64] | None
    envelopes: int | None


class Timeline:
    """A game, turn by turn.

    Args:
        game: the game, as far as it shall be seen.
        players: the texts of the players, by seat.
        viewer: the only seat whose knowledge may be kept; None for all cards open, and every seat's.

    Attributes:
        table: as given.
        players: by seat, the name of a person, or the text of a level or bot.
        turns: the last turn; 0 is the deal.
        snapshots: by turn.
        views: the seats as which the game can be seen; None is all cards open.
        deal: the deal, on a timeline with all cards open.
    """

    def __init__(self, game: Game, players: Sequence[str], viewer: int | None = None):
        self.table: Table = game.table
        self.players = tuple(map(person_name, players))
        seats = range(game.table.seats)
        self.views: tuple[int | None, ...] = (None, *seats) if viewer is None else (viewer,)
        self.deal: Deal | None = game.state.deal if viewer is None else None
        seen = {seat: SeatKnowledge.of(game.dealt(seat), CHOICE) for seat in seats if viewer in (None, seat)}
        self._known: dict[int, list[Knowledge]] = {seat: [] for seat in seen}
        self.snapshots = snapshots(game)
        for position in after_each_turn(game):
            for seat, known in seen.items():
                known.read(position.view(seat))
                self._known[seat].append(known.recall("replay", partial(_knowledge, known)))
        self.turns = len(self.snapshots) - 1
        self._logs = {view: _log(game, view) for view in self.views}

    def known(self, seat: int, turn: int) -> Knowledge:
        """What a seat knew after a turn; the solution, once told, is left out."""
        return self._known[seat][turn]

    def log(self, view: int | None) -> Sequence[Sentence]:
        """The whole game as a seat saw it, or with all cards open."""
        return self._logs[view]

    def view_name(self, view: int | None) -> str:
        """The name of a view."""
        return tr("All cards face up") if view is None else self.table.name(view)

    def heading(self, turn: int) -> str:
        """The heading of a turn."""
        who = self.snapshots[turn].who
        return (
            tr("The cards are dealt") if who is None else tr("Turn {turn}: {who}", turn=turn, who=self.table.name(who))
        )


def _knowledge(known: SeatKnowledge) -> Knowledge:
    return Knowledge(known.odds, len(known.envelopes) or None)


def review_game(game: Game, players: Sequence[str], viewer: int | None = None) -> tuple[Timeline, list[ReviewText]]:
    """The timeline of a game, and the review for each of its views; one that cannot be made says why."""
    timeline = Timeline(game, players, viewer)
    try:
        return timeline, tell_reviews(game, players, viewer)
    except CluedoError:
        sentence = tr("There are too many possible deals to count, so the game cannot be reviewed.")
        return timeline, [ReviewText("–", None, [sentence]) for _ in timeline.views]


def _log(game: Game, view: int | None) -> list[Sentence]:
    table, story = game.table, Story(game.table, view)
    said: list[Sentence] = []
    if view is not None:
        hand = ", ".join(table.deck.names_in(game.state.deal.hands[view]))
        said.append(Sentence(0, None, tr("You are {who} and hold {cards}.", who=table.name(view), cards=hand)))
    said += [Sentence(0, None, told) for told in house_rules(table)]
    said.append(Sentence(0, None, tr("{who} begins.", who=table.name(table.first))))
    said += story.sentences(game.events)
    if game.result is not None:
        said.append(Sentence(said[-1].turn, None, story.ending(game.result)))
    return said
