"""The state of a game: plain, small, and changed by commands alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, TypeAlias

from cluedo.engine.board import NOWHERE, Board, Reach
from cluedo.engine.cards import Deck, Triple
from cluedo.engine.deal import Deal
from cluedo.engine.rules import Rules

__all__ = [
    "ACCUSE",
    "ASK",
    "END",
    "MOVE",
    "OVER",
    "REFUTE",
    "WALK",
    "Reason",
    "State",
    "Step",
    "Table",
    "replaced",
]

Reason: TypeAlias = Literal["solved", "unsolved", "unfinished"]
"""How a game ended (rule 11)."""


class Step(IntEnum):
    """What the turn waits for."""

    MOVE = 0
    """The active seat decides how to move."""
    WALK = 1
    """The dice have been rolled; the active seat decides where to walk."""
    ASK = 2
    """The active seat may make a hypothesis, accuse or end the turn."""
    REFUTE = 3
    """Another seat has to show a card."""
    ACCUSE = 4
    """The active seat may accuse or end the turn."""
    END = 5
    """The active seat has accused wrongly and has only to end the turn."""
    OVER = 6
    """The game has ended."""


MOVE, WALK, ASK, REFUTE, ACCUSE, END, OVER = Step
# Plain names: looking a member up in its class costs as much as calling a function.


@dataclass(frozen=True, slots=True)
class Table:
    """What everybody at the table knows from the start and what never changes.

    What follows from the rest is computed once: what is asked for in every turn costs less here than in the rules.

    Attributes:
        board: what is played on; ``rules``: by which rules.
        suspects: by seat, the card id of its suspect, which is also the index of its pawn.
        hand_sizes: by seat, the number of cards held.
        first: the seat that starts.
        pool_size: the number of cards face down beside the board (rule 13).
        open_cards: the mask of the cards that lie face up from the deal on (rule 14).
        deck: the cards of the board.
        seat_of: by suspect, the seat that plays it, or -1.
        free: whether movement is free (rule 12).
        max_turns: the turns after which the game is given up (rule 11).
        not_all_own: whether one card of a hypothesis at least must not be the asker's own (rule 16).
        accused_here: whether an accusation is made in the room that it names (rule 17).
    """

    board: Board
    rules: Rules
    suspects: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    first: int
    pool_size: int
    open_cards: int
    deck: Deck = field(init=False, compare=False)
    seat_of: tuple[int, ...] = field(init=False, compare=False)
    free: bool = field(init=False, compare=False)
    max_turns: int = field(init=False, compare=False)
    not_all_own: bool = field(init=False, compare=False)
    accused_here: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        deck, rules, set_once = self.board.deck, self.rules, object.__setattr__
        seat_of = [-1] * len(deck.suspects)
        for seat, suspect in enumerate(self.suspects):
            seat_of[suspect] = seat
        set_once(self, "deck", deck)
        set_once(self, "seat_of", tuple(seat_of))
        set_once(self, "free", rules.free)
        set_once(self, "max_turns", rules.max_turns)
        set_once(self, "not_all_own", rules.own_cards == "not_all")
        set_once(self, "accused_here", rules.accuse_in == "room")

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.suspects)

    def name(self, seat: int) -> str:
        """The name of the seat's suspect."""
        return self.deck.names[self.suspects[seat]]

    @property
    def names(self) -> list[str]:
        """The names of all seats' suspects."""
        return [self.deck.names[suspect] for suspect in self.suspects]


@dataclass(slots=True)
class State:
    """Everything that changes in a game.

    Attributes:
        table, deal: what was fixed at the start.
        turn: turns begun so far, this one included.
        active: the seat whose turn it is; ``to_act``: the seat that has to decide now.
        step: what is to be decided.
        dice: this turn's roll, or None.
        reach: where the active pawn may walk to now.
        place: where the active pawn stands.
        pawns: by suspect, the place of the pawn; ``weapons``: by weapon, the place of its room.
        taken: the mask of the squares that pawns stand on.
        used: by seat, the room that its last hypothesis used up (rule 7), or -1.
        begun, rolled, asked: by seat, how often it has begun a turn, rolled and made a hypothesis.
        eliminated: mask of the seats that have accused wrongly.
        hypothesis: this turn's suspect, weapon and room, or None.
        refuted_by, card_shown: who showed which card to it, or None; the last, if several did (rule 19).
        peeked: the position in the pool that the active seat has looked at this turn, or None (rule 15).
        face_up: the mask of the cards that lie open for all: those left over, and hands laid open (rules 14 and 18).
        winner, reason: how the game ended, or None.
    """

    table: Table
    deal: Deal
    turn: int = 0
    active: int = 0
    to_act: int = 0
    step: Step = Step.MOVE
    dice: tuple[int, ...] | None = None
    reach: Reach = NOWHERE
    place: int = -1
    pawns: tuple[int, ...] = ()
    weapons: tuple[int, ...] = ()
    taken: int = 0
    used: tuple[int, ...] = ()
    begun: list[int] = field(default_factory=list)
    rolled: list[int] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    eliminated: int = 0
    hypothesis: Triple | None = None
    refuted_by: int | None = None
    card_shown: int | None = None
    peeked: int | None = None
    face_up: int = 0
    winner: int | None = None
    reason: Reason | None = None

    @classmethod
    def start(cls, table: Table, deal: Deal) -> State:
        """The first turn of the first seat (rules 1 and 3)."""
        board = table.board
        state = cls(
            table,
            deal,
            pawns=board.starts,
            weapons=board.weapon_starts,
            taken=board.starts_mask,
            used=(-1,) * table.seats,
            begun=[0] * table.seats,
            rolled=[0] * table.seats,
            asked=[0] * table.seats,
            face_up=table.open_cards,
        )
        state.begin_turn(deal.first)
        return state

    @property
    def hand(self) -> int:
        """The cards of the seat that has to decide."""
        return self.deal.hands[self.to_act]

    def begin_turn(self, seat: int) -> None:
        """Hand the turn to a seat."""
        self.turn += 1
        self.begun[seat] += 1
        self.active = self.to_act = seat
        self.step = MOVE
        self.dice = self.hypothesis = self.refuted_by = self.card_shown = self.peeked = None
        table = self.table
        self.place = self.pawns[table.suspects[seat]]
        self.reach = table.board.other_rooms(self.place) if table.free else NOWHERE

    def put_pawn(self, suspect: int, place: int) -> None:
        """Put a pawn on a place, from wherever it stands."""
        table, pawns = self.table, self.pawns
        rooms_at = table.board.rooms_at
        if suspect == table.suspects[self.active]:
            self.place = place
        before = pawns[suspect]
        if before < rooms_at:
            self.taken ^= 1 << before
        if place < rooms_at:
            self.taken |= 1 << place
        self.pawns = pawns[:suspect] + (place,) + pawns[suspect + 1 :]  # noqa: RUF005 - as in replaced


def replaced(values: tuple[int, ...], k: int, value: int) -> tuple[int, ...]:
    """A copy of ``values`` with another value at ``k``."""
    return values[:k] + (value,) + values[k + 1 :]  # noqa: RUF005 - twice as fast as unpacking
