"""What a seat observes, as numbers from 0 to 1, made from its :class:`~cluedo.engine.view.PlayerView` and nothing else.

Seats are counted clockwise from the one that observes, so that one policy can play them all. An observation is a row
of *fields*: those of the table, which are always there, and those of the *parts* that were asked for:

``history``
    the last events as this seat saw them, the newest last;
``notes``
    what the unit rules of a notebook prove, as in the compiled games of :mod:`cluedo.envs.vector`;
``marks``
    everything that is proved;
``odds``
    the exact probability of each card at each place, all deals that fit being equally likely.

``odds`` has a row for each place, the seats, the envelope, and where there are any the pool and the cards that lie face
up, and a column for each card; ``notes`` and ``marks`` are two such tables: of what is there, and of what is not. By
the rules of editions there are two more fields: which cards all can see, and whether the active seat has looked into
the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.notebook import Notebook
from cluedo.ai.knowledge.posterior import Posterior, TooManyDeals
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.engine import events
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck, bits, closest
from cluedo.engine.errors import SetupError, short_repr
from cluedo.engine.events import Event
from cluedo.engine.rules import Rules
from cluedo.engine.state import WALK, Step
from cluedo.engine.validation import whole_number
from cluedo.engine.view import PlayerView
from cluedo.envs.acting import ActionSequence, ActionSet

__all__ = ["PARTS", "Observed", "ObservedFields", "SeatObserver", "checked_parts"]

Observed: TypeAlias = NDArray[np.float32]
"""An observation, or a field of one."""

PARTS: Final = ("history", "notes", "marks", "odds")
"""What may be asked for beside the table."""

_KINDS: Final[tuple[type, ...]] = (
    events.Rolled,
    events.Moved,
    events.PassageTaken,
    events.Stayed,
    events.HypothesisMade,
    events.Passed,
    events.Shown,
    events.Accused,
    events.TurnEnded,
)
_EDITION_KINDS: Final[tuple[type, ...]] = (*_KINDS, events.Peeked, events.HandShown)
"""The same by the rules of editions."""


def checked_parts(parts: object) -> tuple[str, ...]:
    """The parts to be observed, each once; raises :class:`SetupError` for what is no list of them."""
    if not isinstance(parts, Sequence) or isinstance(parts, str) or not all(isinstance(part, str) for part in parts):
        raise SetupError("observe is a list of names, such as ['marks'], not {what}", what=short_repr(parts))
    for part in parts:
        if part not in PARTS:
            raise SetupError(
                "nothing to observe is called {part!r}; {closest}", part=part, closest=closest(part, PARTS)
            )
    return tuple(dict.fromkeys(parts))


class ObservedFields:
    """The layout of observations: the fields that a seat observes in games of one kind.

    Args:
        board, rules, seats: what is played.
        actions: how commands are said.
        parts: what is observed beside the table, out of ``PARTS``.
        history: how many events the part of that name holds.

    Attributes:
        shapes: by name, that of each field.
        kinds: the kinds of events, by their number in ``history``.
        at: by name, where its numbers are in an observation.
        size: how many numbers there are in all.

    Raises:
        SetupError: no part has one of these names.
    """

    def __init__(
        self,
        board: Board,
        rules: Rules,
        seats: int,
        actions: ActionSet,
        parts: Sequence[str] = ("marks",),
        history: int = 64,
    ):
        self.parts = checked_parts(parts)
        if (events_kept := whole_number(history, 1)) is None:
            raise SetupError("the history holds 1 event or more, not {count}", count=short_repr(history))
        self.board, self.rules, self.seats, self.actions = board, rules, seats, actions
        deck, rooms = board.deck, len(board.deck.rooms)
        self.kinds = _KINDS if rules.of_the_box else _EDITION_KINDS
        beside = _beside(deck, rules, seats)
        knowledge = (2, seats + 1 + sum(beside), deck.size)
        of_parts = {
            "history": (events_kept, len(self.kinds) + seats + deck.size + rooms + 4),
            "notes": knowledge,
            "marks": knowledge,
            "odds": knowledge[1:],
        }
        self.shapes: dict[str, tuple[int, ...]] = {
            "hand": (deck.size,),
            "step": (len(Step),),
            "active": (seats,),
            "to_act": (seats,),
            "eliminated": (seats,),
            "hand_sizes": (seats,),
            "refuted_by": (seats,),
            "hypothesis": (deck.size,),
            "turn": (1,),
            "roll": (1,),
            "used_up": (1,),
            "steps": (rooms,),
            "pawns": (len(deck.suspects), rooms + 2),
            **({} if rules.of_the_box else {"face_up": (deck.size,), "looked": (1,)}),
            **({"begun": (actions.longest - 1, actions.size)} if actions.longest > 1 else {}),
            **{part: of_parts[part] for part in self.parts},
        }
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in self.shapes.values())]).tolist()
        self.at = {name: slice(start, stop) for name, (start, stop) in zip(self.shapes, pairwise(ends), strict=True)}
        self.size: int = ends[-1]
        far = board.width + board.height
        self.steps: Observed = (np.minimum(np.array(board.distance).T, far) / far).astype(np.float32)
        """By place and number of a room: the fewest steps on an empty board, as a share of what is far."""
        self.places = _places(board)

    def check(self, deck: Deck, rules: Rules, seats: int) -> None:
        """Raise :class:`SetupError` for games of another kind, in which other things are observed."""
        known = self.board.deck, self.seats, self.rules.of_the_box, _beside(self.board.deck, self.rules, self.seats)
        if (deck, seats, rules.of_the_box, _beside(deck, rules, seats)) != known:
            raise SetupError(
                "what is observed on the map {map} with {seats} players does not fit this game",
                map=self.board.map.name,
                seats=self.seats,
            )

    def field(self, row: Observed, name: str) -> Observed:
        """One field of an observation, in its shape."""
        return row[self.at[name]].reshape(self.shapes[name])


def _beside(deck: Deck, rules: Rules, seats: int) -> list[bool]:
    """Whether there is a pool, and whether cards lie face up."""
    return [count > 0 for count in rules.set_aside(deck.outside, seats)]


def _places(board: Board) -> Observed:
    """By place: its room as one of all, then its column and its row."""
    rooms = len(board.deck.rooms)
    table = np.zeros((board.places, rooms + 2), np.float32)
    for square in bits(board.squares):
        table[square, rooms] = square % board.stride / max(board.width - 1, 1)
        table[square, rooms + 1] = square // board.stride / max(board.height - 1, 1)
    table[np.arange(board.rooms_at, board.places), np.arange(rooms)] = 1
    return table


class SeatObserver:
    """Makes the observations of one seat in one game from its views, one after another.

    Raises:
        SetupError: the fields are those of another kind of game.
    """

    def __init__(self, fields: ObservedFields, view: PlayerView):
        fields.check(view.deck, view.rules, view.table.seats)
        self._fields = fields
        seats, seat = fields.seats, view.seat
        self._seat = seat
        self._order = [(seat + k) % seats for k in range(seats)]
        others = [suspect for suspect in view.deck.suspects if view.table.seat_of[suspect] < 0]
        self._pawns = [*(view.table.suspects[other] for other in self._order), *others]
        self._cards = np.arange(view.deck.size)
        beside = (view.table.pool_size > 0) + (view.table.open_cards > 0)
        self._places = [*self._order, seats + beside, *range(seats, seats + beside)]
        self._reader: EvidenceReader | None = None
        self._posterior: Posterior | None = None
        self._lasting = np.zeros(fields.size, np.float32)
        self._field("hand")[:] = self._held(view.hand)
        self._field("hand_sizes")[:] = [view.table.hand_sizes[other] / view.deck.size for other in self._order]
        if set(fields.parts) - {"history"}:
            self._reader = EvidenceReader(view)
        self._parts = {name: self._part(name) for name in fields.parts}

    def _field(self, name: str) -> Observed:
        return self._fields.field(self._lasting, name)

    def _held(self, mask: int) -> NDArray[np.int64]:
        return mask >> self._cards & 1

    def _part(self, name: str) -> Callable[[Observed, PlayerView], None]:
        """What writes a part into its field, which is looked up each time: a copy of the observer has its own."""
        if name == "history":
            return _History(self._fields, self._seat).write
        assert self._reader is not None
        evidence = self._reader.evidence
        if name == "notes":
            return partial(self._write_notes, Notebook(evidence))
        if self._posterior is None:
            self._posterior = Posterior(evidence)
        return partial(self._write_marks if name == "marks" else self._write_odds, self._posterior)

    def observe(self, view: PlayerView, begun: ActionSequence = ()) -> Observed:
        """The observation for a view; ``begun`` are the actions of a command that this seat has begun."""
        if self._reader is not None:
            self._reader.read(view)
        for name, write in self._parts.items():
            write(self._field(name), view)
        row = self._lasting.copy()
        self._write_table(view, row)
        at = self._fields.at
        if begun:
            start = at["begun"].start
            for k, action in enumerate(begun):
                row[start + k * self._fields.actions.size + action] = 1
        return row

    def _write_table(self, view: PlayerView, row: Observed) -> None:
        fields, table, seat, seats = self._fields, view.table, self._seat, self._fields.seats
        at = fields.at
        row[at["step"].start + view.step] = 1
        row[at["active"].start + (view.active - seat) % seats] = 1
        row[at["to_act"].start + (view.to_act - seat) % seats] = 1
        if view.eliminated:
            row[at["eliminated"]] = [view.eliminated >> other & 1 for other in self._order]
        if view.hypothesis is not None:
            for card in view.hypothesis:
                row[at["hypothesis"].start + card] = 1
            if view.refuted_by is not None:
                row[at["refuted_by"].start + (view.refuted_by - seat) % seats] = 1
        if "face_up" in at:
            row[at["face_up"]] = self._held(view.face_up)
            row[at["looked"].start] = view.peeked is not None
        row[at["turn"].start] = view.turn / table.rules.max_turns
        if view.step is WALK and view.dice is not None:
            row[at["roll"].start] = sum(view.dice) / (table.rules.dice * table.rules.sides)
        here = view.pawns[table.suspects[seat]]
        row[at["used_up"].start] = view.used[seat] == here
        row[at["steps"]] = fields.steps[here]
        row[at["pawns"]] = fields.places[[view.pawns[suspect] for suspect in self._pawns]].ravel()

    def _write_notes(self, notebook: Notebook, field: Observed, view: PlayerView) -> None:  # noqa: ARG002
        notebook.update()
        there = [notebook.has[place] for place in self._places]
        gone = [~notebook.may[place] for place in self._places]
        field[:] = np.array([there, gone])[:, :, None] >> self._cards & 1

    def _write_marks(self, posterior: Posterior, field: Observed, view: PlayerView) -> None:  # noqa: ARG002
        try:
            chances = posterior.marginals  # the count proves what a solver proves, sooner
        except TooManyDeals:
            known = SeatKnowledge(posterior.evidence, UNIFORM)
            chances = np.array(known.chances, np.float64)  # what is open is NaN
        here = chances.T[self._places]
        field[0] = here == 1.0
        field[1] = here == 0.0

    def _write_odds(self, posterior: Posterior, field: Observed, view: PlayerView) -> None:  # noqa: ARG002
        field[:] = posterior.marginals.T[self._places]


class _History:
    """The last events that a seat saw, the newest last: kind, seat, cards, place, roll and verdict of each."""

    def __init__(self, fields: ObservedFields, seat: int):
        self._fields, self._seat = fields, seat
        self._read = 0

    def write(self, field: Observed, view: PlayerView) -> None:
        """Take in the events that are new."""
        new = view.events_since(max(self._read, view.time - len(field)))
        self._read = view.time
        if new:
            field[: len(field) - len(new)] = field[len(new) :].copy()
            field[len(field) - len(new) :] = 0
            for row, event in zip(field[len(field) - len(new) :], new, strict=True):
                self._write(event, row, view)

    def _write(self, event: Event, row: Observed, view: PlayerView) -> None:
        seats, deck = self._fields.seats, view.deck
        kinds = self._fields.kinds
        row[kinds.index(type(event))] = 1
        row[len(kinds) + (event.seat - self._seat) % seats] = 1
        cards = len(kinds) + seats
        match event:
            case events.Rolled(_, dice):
                row[-2] = sum(dice) / (view.rules.dice * view.rules.sides)
            case events.Moved(_, to) | events.PassageTaken(_, to):
                row[cards + deck.size : -2] = self._fields.places[to]
            case events.HypothesisMade() | events.Accused():
                row[[cards + card for card in event.cards]] = 1
                row[-1] = isinstance(event, events.Accused) and event.correct
            case events.Shown(_, _, card) | events.Peeked(_, _, card) if card is not None:
                row[cards + card] = 1
            case events.HandShown(_, hand):
                row[[cards + card for card in hand]] = 1
