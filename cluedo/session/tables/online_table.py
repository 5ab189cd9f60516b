"""A table: its seats, the game in it, and who may do what."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Literal, Self, TypeAlias

from cluedo.ai.levels import LEVELS, parse_player
from cluedo.engine.codec import read_command
from cluedo.engine.commands import Command
from cluedo.engine.errors import CluedoError, IllegalCommand
from cluedo.engine.file_io import FORMAT, Unreadable, check_format, json_object
from cluedo.engine.phrase import Phrase
from cluedo.engine.record import GameRecord
from cluedo.session.actions import TakeBack
from cluedo.session.autosave import PendingLines
from cluedo.session.level_choice import ChoiceTask
from cluedo.session.line_up import Seated
from cluedo.session.tables.seating import (
    STAND_IN,
    TableOptions,
    TableSeat,
    free_suspects,
    name_of,
    suspects_of,
)
from cluedo.session.tables.table_session import TableSession
from cluedo.session.tables.turn_clock import TurnClock

__all__ = ["TAKE_BACK", "MomentPassed", "OnlineTable", "Phase", "create_table"]

Phase: TypeAlias = Literal["lobby", "playing", "over"]

_NOT_HOST: Final = Phrase("only the host of the table may do this")
_NOT_TO_GIVE: Final = Phrase("this seat cannot be given to somebody else")
_THEIR_CARDS: Final = Phrase(
    "whoever sits down here would see the cards of somebody who is playing, or was less than two minutes ago; "
    "let a level play"
)
_MOST_NEWCOMERS: Final = 100
"""In one game: all of them are told to everybody at every change."""
_MOMENT_S: Final = 120.0
"""How long somebody who has gone is waited for, as if they were there."""

TAKE_BACK: Final = {"type": "take_back"}
"""What a person sends who takes the last command back; for all else there are commands."""


class MomentPassed(CluedoError):
    """A command came too late: somebody has done something since, or it came twice."""


class OnlineTable:
    """A table of people in different places, who play in their browsers.

    Seats are known by keys: a browser holds a secret, and the table its hash. A *moment* names how far a game is, as
    ``game.backs.events``: which game of the table, how often a command was taken back, and how many events there were.

    Args:
        id: what its link ends in.
        options: what it is set to.
        host: the key of whoever opened it; when they leave, of the next person.

    Attributes:
        id, options, host: as given.
        seats: in the order of play.
        session: the game, or None before it.
        present: by key, how many connections a person has; those without a key watch.
        prepared_percent: how far the level whose move it is and that cannot think yet is prepared; None if it can.
        clock: the time of the person that the game waits for, until a level plays for them.
        changes: grows with all that anybody can see.
        pending: the lines of the record that are still to be kept.
    """

    def __init__(self, id: str, options: TableOptions, host: str):
        self.id, self.options, self.host = id, options, host
        self.board = options.board()
        self.seats: list[TableSeat] = []
        self.session: TableSession | None = None
        self.present: Counter[str] = Counter()
        self._left: dict[str, float] = {}  # by key, when the last connection ended
        self.prepared_percent: int | None = None
        self.clock = TurnClock()
        self.changes = 0
        self._games = 0
        self.pending = PendingLines()

    # ---- before the game -------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """Whether the table is before, in or after a game."""
        if self.session is None:
            return "lobby"
        return "over" if self.session.game.over else "playing"

    def seat_of(self, key: str) -> int | None:
        """The seat of whoever holds this key."""
        return next((seat for seat, table_seat in enumerate(self.seats) if key and table_seat.key == key), None)

    def is_host(self, key: str) -> bool:
        """Whether this is the host's key, or, while the host has gone, that of the first person who is there."""
        there = [table_seat.key for table_seat in self.seats if table_seat.key and self.present[table_seat.key]]
        hosting = self.host if self._is_there(self.host) or not there else there[0]
        return bool(key) and key == hosting

    @property
    def open_seats(self) -> list[int]:
        """The seats where somebody may sit down."""
        seats = () if self._had_its_newcomers else enumerate(self.seats)
        return [number for number, table_seat in seats if table_seat.kind == "open"]

    @property
    def _had_its_newcomers(self) -> bool:
        return self.session is not None and len(self.session.newcomers) >= _MOST_NEWCOMERS

    def sit(self, key: str, name: object, suspect: int | None = None) -> int:
        """Sit down on the first open seat; raises :class:`CluedoError` where there is none, or the suspect is taken."""
        if (seated := self.seat_of(key)) is not None:  # the form came twice
            return seated
        if not self.open_seats:
            raise CluedoError("there is no free seat at this table; you can watch")
        called = name_of(name)
        if any(table_seat.name.casefold() == called.casefold() for table_seat in self.seats):
            raise CluedoError("somebody at this table is already called {name}", name=called)
        seat = self.open_seats[0]
        table_seat = self.seats[seat]
        if self.session is None:
            self._take_suspect(table_seat, suspect)
        table_seat.kind, table_seat.name, table_seat.key, table_seat.level = "person", called, key, ""
        self.host = self.host or key  # all others have left
        self._seat(seat)
        return seat

    def choose_suspect(self, key: str, suspect: int | None) -> None:
        """Take another suspect before the cards are dealt, or any; raises :class:`CluedoError` where it is taken."""
        seat = self.seat_of(key)
        if seat is None:
            raise CluedoError("you have no seat at this table")
        if self.session is not None:
            raise CluedoError("the game has begun")
        self._take_suspect(self.seats[seat], suspect)
        self._changed()

    def _take_suspect(self, table_seat: TableSeat, suspect: int | None) -> None:
        others = [other for other in self.seats if other is not table_seat]
        if suspect is not None and suspect not in free_suspects(others, self.board.deck):
            raise CluedoError("this suspect is taken already")
        table_seat.suspect = suspect

    def add_seat(self, key: str) -> None:
        """One more seat, which is open."""
        self._check_host(key, lobby=True)
        if len(self.seats) >= self.options.players[1]:
            raise CluedoError("this table can have no more seats")
        self.seats.append(TableSeat())
        self._changed()

    def remove_seat(self, key: str, number: int) -> None:
        """Remove a seat; the person on it leaves the table."""
        self._check_host(key, lobby=True)
        if not self.is_host(self._table_seat(number).key):
            self._vacate(number)
            del self.seats[number]
        self._changed()

    def set_seat(self, key: str, number: int, who: str) -> None:
        """Put a level on a seat, or open it; during a game, a level plays for an open seat.

        Who is host only while the host has gone frees no seat of a game: they could sit down there themselves.
        """
        seated = self._seat_of_another(key, number).key
        if self.phase == "over" or self._had_its_newcomers:
            raise CluedoError(_NOT_TO_GIVE)
        if who != "open" and who not in LEVELS:
            raise CluedoError("there is no such level")
        if self.session is not None:
            if key != self.host and (seated or who == "open"):
                raise CluedoError("while the host has gone nobody's seat is given to somebody else; let a level play")
            if self._is_there(seated):
                raise CluedoError(_THEIR_CARDS)
            if who != "open":
                self.session.check_level(parse_player(who))  # else nobody could go on with what is kept of the game
        self._vacate(number)
        if who != "open":
            self.seats[number].kind, self.seats[number].level = "level", who
        self._seat(number)

    def let_level_play(self, key: str, number: int) -> None:
        """Let a level play for the person of a seat until they are back."""
        if self._seat_of_another(key, number).kind != "person":
            raise CluedoError(_NOT_TO_GIVE)
        self._playing().away.add(number)
        self._changed()

    def _seat_of_another(self, key: str, number: int) -> TableSeat:
        """A seat that the host who holds this key may give to somebody."""
        self._check_host(key)
        table_seat = self._table_seat(number)
        if self.is_host(table_seat.key):
            raise CluedoError(_NOT_TO_GIVE)
        return table_seat

    def _is_there(self, key: str) -> bool:
        """Whether a person is there, or has gone for a moment only, as a phone does that sleeps."""
        here = self.present[key] or (key in self._left and self.clock.now() - self._left[key] < _MOMENT_S)
        return bool(key and here)

    def leave(self, key: str) -> None:
        """Stand up; in a game, a level stands in until somebody comes. The next person becomes host."""
        seat = self.seat_of(key)
        if seat is None:  # the form came twice
            return
        self._vacate(seat)
        self._seat(seat)

    def start(self, key: str) -> None:
        """Deal the cards; where the form came twice, they are dealt."""
        self._check_host(key)
        if self.session is not None:
            return
        if self.open_seats:
            raise CluedoError("a seat is still free: wait for somebody, give it to a level, or remove it")
        self.options.check_players(len(self.seats))
        self._deal()

    def rematch(self, key: str) -> None:
        """Move everybody one seat on, and begin a new game when no seat is open; where the form came twice, it has."""
        self._check_host(key)
        if self.phase != "over":
            return
        self.seats = self.seats[1:] + self.seats[:1]
        self.session = None
        if self.open_seats:
            self._changed()
        else:
            self._deal()

    def _deal(self) -> None:
        line_up: list[Seated] = [table_seat.player for table_seat in self.seats]
        suspects = suspects_of(self.seats, self.board.deck)
        pending, rules = PendingLines(), self.options.rules(len(self.seats))
        self.session = TableSession.begin(line_up, self.board, rules, pending, suspects=suspects)
        self.pending = pending
        self.session.save()
        for table_seat, suspect in zip(self.seats, suspects, strict=True):
            table_seat.suspect = suspect
        self._games += 1
        self._changed()

    def _vacate(self, number: int) -> None:
        """Free a seat; the suspect of a game that has begun stays on it. After the host the next person is host."""
        before = self.seats[number]
        self.seats[number] = TableSeat(suspect=None if self.session is None else before.suspect)
        if before.key == self.host:
            self.host = next((table_seat.key for table_seat in self.seats if table_seat.key), "")

    def _seat(self, number: int) -> None:
        """Tell the game who plays a seat now."""
        if self.session is not None:
            self.session.give_seat(number, self.seats[number])
        self._changed()

    def _table_seat(self, number: int) -> TableSeat:
        if number not in range(len(self.seats)):
            raise CluedoError("there is no such seat")
        return self.seats[number]

    def _check_host(self, key: str, *, lobby: bool = False) -> None:
        if not self.is_host(key):
            raise CluedoError(_NOT_HOST)
        if lobby and self.session is not None:
            raise CluedoError("the game has begun")

    # ---- the game --------------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The number of the game at this table, which each rematch raises."""
        return str(self._games)

    @property
    def moment(self) -> str:
        """An identifier of the game's present state, which changes with every command."""
        return f"{self._games}.{'0.0' if self.session is None else self.session.progress}"

    def seen_until(self, moment: str) -> int:
        """How many events somebody has seen whose last known moment is this one."""
        told, _, time = moment.rpartition(".")
        game, _, now = self.moment.rpartition(".")
        seen = int(time) if time.isdecimal() and len(time) < 9 else 0
        return seen if told == game and seen <= int(now) else 0

    def do(self, seat: int, after: object, value: object) -> None:
        """Do what the person of a seat chose after a moment: a command as JSON, or :data:`TAKE_BACK`.

        Raises:
            MomentPassed: it is another moment now.
            CluedoError: it is not allowed, or nothing that can be done.
        """
        if after != self.moment:
            raise MomentPassed("the game has gone on in the meantime")
        session = self._playing()
        session.do(seat, TakeBack() if value == TAKE_BACK else read_command(value, self.board))
        self._changed()

    def thinker(self) -> tuple[int, str] | None:
        """The seat that the game waits for, and the level that plays it now; None where a person does."""
        return None if self.session is None else self.session.thinker()

    def choice_task(self, seat: int, level: str = STAND_IN) -> ChoiceTask:
        """The choice that a level has to make for a seat; the detective gives a hint for it as well."""
        return self._playing().choice_task(seat, level)

    def carry_out(self, moment: str, chosen: Sequence[Command]) -> None:
        """Do what a level chose at a moment; ignore it if the moment has passed."""
        thinker = self.thinker()
        if moment == self.moment and thinker is not None:
            try:
                self._playing().carry_out(*thinker, chosen)
            finally:
                self._changed()

    def note_preparing(self, percent: int | None) -> None:
        """Note that the level to move has to wait and is so far prepared, in per cent; None: it no longer waits."""
        self.prepared_percent = percent
        self._changed()

    def come_back(self, seat: int) -> None:
        """The person of a seat plays for themselves again."""
        if self.session is not None and seat in self.session.away:
            self.session.away.discard(seat)
            self._changed()

    def write(self, seat: int, value: dict[str, Any]) -> None:
        """Write a mark or a note on the sheet of a seat.

        Raises:
            MomentPassed: it was written in the game before this one.
            CluedoError: it is neither.
        """
        if self.session is None or value.get("game", self.game) != self.game:
            raise MomentPassed("the game has gone on in the meantime")
        self.session.write(seat, value)

    def _playing(self) -> TableSession:
        if self.session is None or self.session.game.over:
            raise IllegalCommand("no game is going on at this table")
        return self.session

    # ---- the clock -------------------------------------------------------------------------------

    @property
    def time_left(self) -> float | None:
        """The seconds until a level plays for the person whose turn it is; None while nobody is there who waits."""
        return self.clock.left if self._somebody_is_there else None

    @property
    def next_look(self) -> float | None:
        """The seconds until :meth:`look_at_clock` changes something; None while only somebody's doing can."""
        host_left = None
        if self._somebody_is_there and not self.present[self.host] and self._is_there(self.host):
            host_left = self._left[self.host] + _MOMENT_S - self.clock.now()
        return min((left for left in (self.time_left, host_left) if left is not None), default=None)

    def look_at_clock(self) -> None:
        """Let a level play for a person whose time is up, and tell everybody who hosts by now."""
        if self.time_left == 0.0:
            session = self._playing()
            session.away.add(session.game.state.to_act)
        self._changed()

    def arrive(self, key: str) -> None:
        """A connection more. Who comes to their turn before anybody else has all the time for it."""
        first = not self._somebody_is_there
        self.present[key] += 1
        if first and self.clock.left == 0.0 and self.seat_of(key) == self._playing().game.state.to_act:
            self.clock.stop()
        self._changed()

    def depart(self, key: str) -> None:
        """A connection less."""
        self.present[key] -= 1
        if not self.present[key]:
            del self.present[key]
            self._left[key] = self.clock.now()
        self._changed()

    def take_over(self, other: OnlineTable) -> None:
        """Go on in the place of a table whose last change is not kept, with the people who are there."""
        self.present, self._left, self.prepared_percent = other.present, other._left, other.prepared_percent
        self.clock, self.changes = other.clock, other.changes
        self._changed()

    def _changed(self) -> None:
        self.changes += 1
        self._restart_clock()

    def _restart_clock(self) -> None:
        """Restart the clock for each turn, and for each card that has to be shown."""
        if not self.options.clock or self.phase != "playing" or self.thinker() is not None:
            self.clock.stop()
            return
        state = self._playing().game.state
        self.clock.run((self._games, state.turn, state.to_act), self.options.clock)

    @property
    def _somebody_is_there(self) -> bool:
        return any(self.present[table_seat.key] for table_seat in self.seats if table_seat.key)

    # ---- keeping ---------------------------------------------------------------------------------

    @property
    def record(self) -> str:
        """The record of the game so far, in one line."""
        assert self.session is not None, "there is no record before the game"
        return self.session.line()

    def to_json(self) -> str:
        """The table as JSON, without the game."""
        kept = {  # "chairs", where a seat is meant, is in stored data
            "format": FORMAT,
            "options": asdict(self.options),
            "host": self.host,
            "chairs": [asdict(table_seat) for table_seat in self.seats],
            "game": self._games,
            "playing": self.session is not None,
            "clock": self.clock.to_json(),
        }
        return json.dumps(kept if self.session is None else kept | self.session.to_json(), ensure_ascii=False)

    @classmethod
    def from_json(cls, id: str, text: str, lines: Sequence[str]) -> Self:
        """A table from its JSON and the lines of its game's record; raises :class:`CluedoError`."""
        try:
            kept = json_object(text, "a table")
            check_format(kept)
            return cls._restored(id, kept, lines)
        except (Unreadable, ValueError, KeyError, TypeError, AttributeError):
            raise CluedoError("this table was kept by another version of the program, or is damaged") from None

    @classmethod
    def _restored(cls, id: str, kept: Mapping[str, Any], lines: Sequence[str]) -> Self:
        table = cls(id, TableOptions(**kept["options"]), kept["host"])
        table.seats = [TableSeat(**table_seat) for table_seat in kept["chairs"]]
        table._games = kept["game"]
        if kept["playing"] and lines:
            table.pending = PendingLines(begun=True)
            record = GameRecord.from_json(lines[0], lines[1:])
            line_up: list[Seated] = [table_seat.player for table_seat in table.seats]
            table.session = TableSession.go_on(record, line_up, table.pending, board=table.board)
            table.session.restore(kept)
            table.clock.restore(kept["clock"])
        now = table.clock.now()  # what is kept does not tell who was there until the server ended
        table._left = {table_seat.key: now for table_seat in table.seats}
        return table


def create_table(id: str, options: TableOptions, key: str, name: object, others: Sequence[str]) -> OnlineTable:
    """A new table: its host sits on the first seat; ``others`` are the other seats, open or with a level."""
    table = OnlineTable(id, options, key)
    table.seats = [TableSeat() for _ in range(1 + len(others))]
    options.check_players(len(table.seats))
    table.sit(key, name)
    for number, who in enumerate(others, start=1):
        table.set_seat(key, number, who)
    return table
