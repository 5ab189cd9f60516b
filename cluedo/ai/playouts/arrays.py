"""The arrays that compiled games are played on, and where what is in them. No numba in here.

Few arrays and flat ones: numba compiles a function the quicker, and calls it the quicker, the fewer it is handed. What
a number in them is, the constants say; modules of kernels import this one as ``at``: ``state[at.TURN]``.
Cards, places and seats are numbered as in the engine; a room is also known by its number on the map, from 0. A *mask*
is a word with a bit for each card, or for each room's number where it says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.evidence import check_deck
from cluedo.ai.knowledge.kernels.programme import Floats, Ints, Words
from cluedo.ai.levels import MOST_COMPILED
from cluedo.ai.walking import expected_turns, roll_odds, turns_for
from cluedo.engine.board import UNREACHABLE, Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, Command, EndTurn, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.errors import SetupError
from cluedo.engine.rules import Rules

__all__ = [
    "BoardArrays",
    "Numbers",
    "PlannedGames",
    "PlayerArrays",
    "PlayoutStart",
    "Rolls",
    "Workspace",
    "Worlds",
    "check_compiled",
    "commands_of",
    "new_state",
    "new_trace",
    "new_walk",
    "row_of",
    "words_of",
]

Numbers: TypeAlias = NDArray[np.int32]
"""Small whole numbers, in tables."""

MOST_SEATS: Final = MOST_COMPILED
MOST_CARDS: Final = 64


def check_compiled(rules: Rules, seats: int) -> None:
    """Raise :class:`SetupError` for games that are not compiled."""
    if not rules.of_the_box:
        raise SetupError("compiled games are played by rules 1 to 12 alone, without those of editions")
    if seats > MOST_SEATS:
        raise SetupError("compiled games have {most} players at most, not {seats}", most=MOST_SEATS, seats=seats)


# ---- BoardArrays.numbers: scalars, then the masks of the categories, the pawns' and the weapons' places at the start
ROOMS_AT, SUSPECTS, WEAPONS, ROOMS, DICE, SIDES, FREE, MAX_TURNS, AVERAGE, CATEGORIES = range(10)
STARTS: Final = CATEGORIES + 3
TOKENS: Final = STARTS + MOST_CARDS
_BOARD_NUMBERS: Final = TOKENS + MOST_CARDS

# ---- Columns of BoardArrays.places: the squares a step away (-1: no more), the number of the room behind a door or -1,
# and for each room the fewest steps to it on an empty board; then the rooms that one can walk to, the nearest first.
DOOR, DISTANCE = 4, 5

# ---- A state: scalars, as in the engine's; then by suspect, by weapon, by seat
(
    TURN,
    ACTIVE,
    STEP,
    TO_ACT,
    ROLL,
    ELIMINATED,
    SUSPECT,
    WEAPON,
    ROOM,
    REFUTED_BY,
    WINNER,
    REASON,
    CLAUSES,
    BANS,
    SEATS,
    TRACED,
) = range(16)
PAWN: Final = 16
"""By suspect: the place of its pawn."""
TOKEN: Final = PAWN + MOST_CARDS
"""By weapon: the place of its room."""
SEAT_OF: Final = TOKEN + MOST_CARDS
"""By suspect: its seat, or -1."""
PLAYS, USED, THROWN, HAND, SIZE, UNANSWERED, OUT, BAN = range(
    SEAT_OF + MOST_CARDS, SEAT_OF + MOST_CARDS + 8 * MOST_SEATS, MOST_SEATS
)
"""By seat: its suspect; the place of the room that it has used up, or -1; how often it has rolled; the mask of its
hand, and the number of cards; the mask of the cards of its own hypotheses that nobody could refute; the mask of the
cards that it said it does not hold. By number of wrong accusations: the place of the envelope and the mask of the three
cards."""
ENVELOPE: Final = BAN + 2 * MOST_SEATS
"""The three cards to be found."""
COUNT: Final = ENVELOPE + 3
"""By seat and kind: how many turns it has begun, hypotheses made, accusations made."""
SEEN: Final = COUNT + 3 * MOST_SEATS
"""By seat and holder: the mask of the cards that the seat knows there by sight, its own hand included."""
MAY: Final = SEEN + MOST_SEATS * MOST_SEATS
PLACES: Final = MOST_SEATS + 1
HAS: Final = MAY + MOST_SEATS * PLACES
"""By seat and place (the envelope last): its notebook as it last made it up, as in
:class:`~cluedo.ai.knowledge.notebook.Notebook`."""
TAKEN_IN, TRIED, FITTING = range(HAS + MOST_SEATS * PLACES, HAS + MOST_SEATS * (PLACES + 3), MOST_SEATS)
"""By seat: how much of what was said its notebook has taken in; against how many clauses the deals were tried that it
keeps; and how many deals have been kept (the last of them stand there)."""
CLAUSE: Final = HAS + MOST_SEATS * (PLACES + 3)
"""Pairs of a seat and the mask of three cards of which it has shown one."""
CLAUSE_SPACE: Final = 256
"""Such pairs that are kept; where there are more, the oldest are forgotten."""
KEPT_DEAL: Final = CLAUSE + 2 * CLAUSE_SPACE
"""By seat, deal and place: the masks of deals that fit all that the seat knows, see
:mod:`~cluedo.ai.playouts.deduction`."""
DEAL_SPACE: Final = 16
"""Deals that a seat keeps: each shows three cards in the envelope, and no deck of a box has so many of a category."""
STATE: Final = KEPT_DEAL + MOST_SEATS * DEAL_SPACE * PLACES
"""How many numbers a state has."""

# ---- Columns of a walk: for each place whether a pawn stands on this square, the last walk that reached it and by how
# many steps, the last search from a room that met it; and two queues. Its last row holds scalars.
TAKEN, MARK, STEPS, MET, SQUARE, QUEUE = range(6)
STAMP, REACHED, SEARCHES = range(3)

# ---- Columns of players: what a seat is played by, and the parameters of `medium`, of the blueprint and of `hard`, who
# is a note-taker too (OWN: whether it names own cards)
POLICY, ORIGINAL = 0, 1
DEDUCTION, OWN, AGAIN, CARE, GUESS = range(1, 6)
COLUMNS: Final = 6
RANDOM, EASY, MEDIUM, BLUEPRINT, HARD = range(5)
SIGHT, PASSES, NOTEBOOK, TRIALS = range(4)
"""How completely a note-taker reasons: from what it saw; also from hands and passes; by the notebook; also by trial and
error."""

# ---- Rows of estimates, by card: the estimated odds that it is in the envelope; that nobody else can show it; the bits
# that its being shown tells; the habit of naming it. By number of a room: the worth of asking there.
ODDS, KEPT, TOLD, WEIGHTS, WORTH = range(5)

# ---- Kinds of rows in a trace: the kind, the seat, and up to three numbers: the total of a roll; the place moved to;
# the cards named; the card shown; the cards accused of. Verdicts follow from the envelope.
ROLLED, MOVED, PASSAGE, STAYED, ASKED, PASSED, SHOWN, ACCUSED, ENDED = range(9)
_COMMANDS: Final[dict[int, type[Any]]] = {
    ROLLED: Roll,
    MOVED: Move,
    PASSAGE: SecretPassage,
    STAYED: Stay,
    ASKED: Hypothesis,
    SHOWN: ShowCard,
    ACCUSED: Accusation,
    ENDED: EndTurn,
}
"""The command that makes a row of each kind; its attributes are the row's first numbers. A pass is no command."""
_KINDS: Final = {command: kind for kind, command in _COMMANDS.items()}

# ---- A row of results: see :func:`cluedo.ai.playouts.play.play_games`
RESULT: Final = 5

# ---- Rolls.numbers: by seat how many rolls are drawn; by stream the word to be given next; room for the cards dealt
DRAWN: Final = 0
AT: Final = MOST_SEATS
REST: Final = AT + MOST_SEATS + 1
_DICE_NUMBERS: Final = REST + MOST_CARDS
TWISTER: Final = 624
"""Words of the state of a Mersenne Twister."""
_WORD: Final = 0xFFFFFFFF


class BoardArrays(NamedTuple):
    """A board and rules, which no game changes.

    Attributes:
        numbers: scalars and more (see the constants above).
        places: (place, column), see above; the numbers of the rooms, nearest first, end with -1.
        doors: (room, k), the number of the room behind the secret passage, or -1; then the door squares, -1 after them.
        reaching: by number of steps, the probability that a roll is no less.
        turns: by number of steps, up to the longest way, the turns that walking them takes on average.
    """

    numbers: Ints
    places: Numbers
    doors: Numbers
    reaching: Floats
    turns: Floats

    @classmethod
    def of(cls, board: Board, rules: Rules) -> BoardArrays:
        """The arrays of a board; raises CluedoError for a deck of too many cards, or a map that cannot be walked."""
        check_deck(board.deck)
        board.check_movement(rules)
        deck, rooms_at, rooms = board.deck, board.rooms_at, len(board.deck.rooms)
        numbers = np.zeros(_BOARD_NUMBERS, np.int64)
        average = rules.dice * (rules.sides + 1) // 2
        numbers[:CATEGORIES] = (
            *(rooms_at, len(deck.suspects), len(deck.weapons), rooms),
            *(rules.dice, rules.sides, rules.free, rules.max_turns, average),
        )
        numbers[CATEGORIES:STARTS] = deck.masks
        numbers[STARTS : STARTS + len(board.starts)] = board.starts
        numbers[TOKENS : TOKENS + len(board.weapon_starts)] = board.weapon_starts
        doors = np.full((rooms, 1 + max(1, *(mask.bit_count() for mask in board.doors))), -1, np.int32)
        for room, mask in enumerate(board.doors):
            doors[room, 0] = max(-1, board.passages[room] - rooms_at)
            doors[room, 1 : 1 + mask.bit_count()] = bits(mask)
        return cls(numbers, _table_of_places(board), doors, _reaching(rules), _turns(board, rules))


def _table_of_places(board: Board) -> Numbers:
    rooms_at, rooms = board.rooms_at, len(board.deck.rooms)
    table = np.full((board.places, DISTANCE + 2 * rooms), -1, np.int32)
    for square in bits(board.squares):
        around = board.graph[board.node(square)]
        there = sorted(board.place(node) for node, edge in around.items() if edge["kind"] == "step")
        table[square, : len(there)] = there
    for square, room in board.door_room.items():
        table[square, DOOR] = room - rooms_at
    table[:, DISTANCE : DISTANCE + rooms] = np.array(board.distance).T
    for place, ways in enumerate(board.nearest):
        table[place, DISTANCE + rooms : DISTANCE + rooms + len(ways)] = [room for _, room in ways]
    return table


def _reaching(rules: Rules) -> Floats:
    """By number of steps, from 0 to one beyond the highest roll, the probability that a roll is no less."""
    shares = np.zeros(rules.dice * rules.sides + 2)
    for total, odds in roll_odds(rules.dice, rules.sides):
        shares[total] = odds
    return np.asarray(shares[::-1].cumsum()[::-1].clip(max=1.0))


def _turns(board: Board, rules: Rules) -> Floats:
    """By number of steps, up to the longest way between a place and a room, the turns that it takes to walk them."""
    longest = max((steps for row in board.distance for steps in row if steps < UNREACHABLE), default=0)
    table = expected_turns(rules.dice, rules.sides)
    return np.array([turns_for(table, steps) for steps in range(longest + 1)])


class Rolls(NamedTuple):
    """The rolls of a game, by seat and number: the k-th is the same however often it is asked for.

    Attributes:
        totals: (seat, k), those drawn so far. With no room for any they follow from
        seed: one word, instead of
        twisters: (624, stream), the engine's generators side by side: that of the cards, then each seat's dice.
        numbers: scalars and more (see the constants above).
    """

    totals: Numbers
    seed: NDArray[np.uint64]
    twisters: Words
    numbers: Ints

    @classmethod
    def of_the_engine(cls, rules: Rules, seats: int) -> Rolls:
        """Room for the rolls of games whose dice are the engine's."""
        totals = np.empty((seats, 1 if rules.free else rules.max_turns), np.int32)
        return cls(totals, *cls._rest(seats + 1))

    @classmethod
    def of_a_seed(cls, seats: int) -> Rolls:
        """Rolls that follow from the seed of a game."""
        return cls(np.empty((seats, 0), np.int32), *cls._rest(0))

    @staticmethod
    def _rest(streams: int) -> tuple[NDArray[np.uint64], Words, Ints]:
        return np.zeros(1, np.uint64), np.zeros((TWISTER, streams), np.uint32), np.zeros(_DICE_NUMBERS, np.int64)


class PlayerArrays(NamedTuple):
    """Who plays, and what they estimate.

    Attributes:
        columns: (seat, column), see above.
        chance: by seat, the state of its generator.
        estimates: (row, card), see above: what the blueprint that decides now estimates.
    """

    columns: Floats
    chance: NDArray[np.uint64]
    estimates: Floats

    @classmethod
    def of(cls, players: Floats) -> PlayerArrays:
        """The arrays of some players, by seat."""
        return cls(players, np.zeros(len(players), np.uint64), np.zeros((5, MOST_CARDS)))


class Workspace(NamedTuple):
    """What games are played with, beside the board and the state; after the call of a kernel all of it is in use.

    Attributes:
        players: the players who sit there.
        walk: the board with the pawns on it, and room for searching.
        dice: the rolls.
        trace: what happens.
    """

    players: PlayerArrays
    walk: Numbers
    dice: Rolls
    trace: Numbers


class PlannedGames(NamedTuple):
    """Some consecutive games of a table.

    Attributes:
        words: (deals, words, 4), the seeds of the deals, from that of the first game on.
        line_up: (place, column), players by place in the line-up.
        first: the number of the first game.
    """

    words: Words
    line_up: Floats
    first: int


class PlayoutStart(NamedTuple):
    """A game that goes on, as one seat may know it.

    Attributes:
        state: that of the game, without hands and envelope.
        shows: (shows, 4), the cards shown so far: the asker, the shower, the mask of the three that were named, and the
            card where this seat knows it, else -1.
    """

    state: Ints
    shows: Ints


class Worlds(NamedTuple):
    """Ways in which the rest of a game may go: deals that fit all that a seat knows, each with a seed of all chance.

    Attributes:
        deals: (worlds, seats + 3), the masks of the hands, then the three cards of the envelope.
        seeds: (worlds,), what chance follows from: equal ones give equal dice.
    """

    deals: Ints
    seeds: NDArray[np.uint64]

    def part(self, start: int, stop: int) -> Worlds:
        """Some consecutive ones."""
        return Worlds(self.deals[start:stop], self.seeds[start:stop])


def words_of(number: int) -> list[int]:
    """A number in words of 32 bits, the lowest first; at least one."""
    words = [number & _WORD]
    while number := number >> 32:
        words.append(number & _WORD)
    return words


def new_state(board: Board, suspects: tuple[int, ...]) -> Ints:
    """A state before the deal, for seats with these suspects."""
    state = np.zeros(STATE, np.int64)
    state[SEATS] = len(suspects)
    state[PLAYS : PLAYS + len(suspects)] = suspects
    state[SEAT_OF : SEAT_OF + len(board.deck.suspects)] = -1
    for seat, suspect in enumerate(suspects):
        state[SEAT_OF + suspect] = seat
    return state


def new_walk(board: Board) -> Numbers:
    """An empty board, and room for searching; made anew for each call of a kernel, it serves 2**31 walks."""
    return np.zeros((board.places + 1, 6), np.int32)


def new_trace(rows: int) -> Numbers:
    """Room for so many events; what does not fit is counted and not kept."""
    return np.zeros((rows, 5), np.int32)


def commands_of(trace: Numbers) -> Iterator[Command]:
    """The commands that made the events of a trace."""
    for kind, _, *numbers in trace.tolist():
        if kind != PASSED:
            command = _COMMANDS[kind]
            yield command(*numbers[: len(command.__match_args__)])


def row_of(command: Command) -> tuple[int, ...]:
    """A command as a row of a trace, without the seat and the total of a roll."""
    numbers = astuple(command)  # type: ignore[call-overload]  # every command is a dataclass
    return _KINDS[type(command)], *numbers, *[0] * (3 - len(numbers))
