"""A game at a table: the session, and what belongs to this game alone and is gone with the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cluedo.engine.commands import Command, EndTurn
from cluedo.engine.errors import CluedoError, IllegalCommand
from cluedo.session.actions import TakeBack
from cluedo.session.game_session import GameSession
from cluedo.session.level_choice import ChoiceTask
from cluedo.session.line_up import Person, person_name
from cluedo.session.seat_sheet import SIGNS, SeatSheet, read_sheets, written_sheets
from cluedo.session.tables.scenes import Scene, first_scene, next_scene, scene_json
from cluedo.session.tables.seating import STAND_IN, Newcomer, TableSeat

__all__ = ["TableSession"]

_LONGEST_NOTE: Final = 200
_MOST_NAMED: Final = 8
"""Those who have played a seat, the latest, whom its record names: a player's text has a limit there."""


class TableSession(GameSession):
    """A game at a table, made as a :class:`GameSession` is. Its levels think in other processes.

    :meth:`choice_task` makes the task for one of them, and :meth:`carry_out` does what it chose.

    Attributes:
        backs: how often a command was taken back.
        away: the seats of people for whom a level plays until they are back.
        newcomers: who has come to play a seat since the cards were dealt, the latest last.
        sheets: by seat, what stands on it.
        played: by seat, as line-ups name them, all who have chosen something there, in the order in which they came.
    """

    levels_elsewhere = True

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.backs = 0
        self.away: set[int] = set()
        self.newcomers: list[Newcomer] = []
        self.sheets = [SeatSheet() for _ in self.line_up]
        self.played: list[list[str]] = [[] for _ in self.line_up]
        self._scenes: list[Scene] = []

    @property
    def progress(self) -> str:
        """How far the game is, as ``backs.events``: another after each command."""
        return f"{self.backs}.{len(self.game.events)}"

    @property
    def names(self) -> list[str]:
        """The names in the record, by seat: of all who have done something there, the latest."""
        players = zip(self.played, self.line_up, strict=True)
        return [_together((played or [seated.text])[-_MOST_NAMED:]) for played, seated in players]

    def do(self, seat: int, command: Command | TakeBack) -> None:
        super().do(seat, command)
        self._note_player(seat, self.line_up[seat].text)
        self.away.discard(seat)
        if isinstance(command, TakeBack):
            self.backs += 1
            self.save()  # without what was taken back, which somebody may do for days
            events = len(self.game.events)
            del self._scenes[events:]
            self.newcomers = [one._replace(after=min(one.after, events)) for one in self.newcomers]
            for sheet in self.sheets:
                sheet.forget()

    def thinker(self) -> tuple[int, str] | None:
        """The seat that the game waits for, and the level that plays it now; None where a person does."""
        if self.game.over:
            return None
        seat = self.game.state.to_act
        who = self.line_up[seat]
        if isinstance(who, Person):
            return (seat, STAND_IN) if seat in self.away else None
        return seat, who.text

    def choice_task(self, seat: int, level: str) -> ChoiceTask:
        """The choice that a level has to make for a seat, whoever sits there."""
        return ChoiceTask(self._record(self.seeds.seed), seat, level, self._clock)

    def carry_out(self, seat: int, level: str, chosen: Sequence[Command]) -> None:
        """Do what a level chose for a seat; raises :class:`IllegalCommand`, after earlier commands have been done."""
        turn = self.game.state.turn
        self._note_player(seat, level)
        try:
            for command in chosen:
                if isinstance(command, EndTurn) and (self.game.over or self.game.state.turn != turn):
                    return  # a turn with nothing left to do, after a wrong accusation say, ends by itself here
                if self.game.state.to_act != seat:
                    raise IllegalCommand("it is not this player's turn to choose")
                self._match.execute(command)
        finally:
            self._save_events()

    def _note_player(self, seat: int, name: str) -> None:
        if name not in self.played[seat]:
            self.played[seat].append(name)

    def give_seat(self, number: int, table_seat: TableSeat) -> None:
        """Let somebody else play a seat; what the one before wrote on the sheet is theirs alone."""
        if not table_seat.key:
            self.sheets[number] = SeatSheet()
        if not self.game.over:
            self.away.discard(number)
            self.line_up[number] = table_seat.player
            self.save()  # the record says so, too
            state, events = self.game.state, len(self.game.events)
            self.newcomers.append(Newcomer(number, table_seat.played_by, state.turn, state.active, events))

    def write(self, seat: int, value: Mapping[str, Any]) -> None:
        """Write a mark or a note on the sheet of a seat; raises :class:`CluedoError` if it is neither."""
        deck, sheet = self.game.table.deck, self.sheets[seat]
        match value:
            case {"card": int(card), "column": int(column), "sign": str(sign)} if (
                card in range(deck.size) and column in range(len(self.sheets) + 1) and sign in ("", *SIGNS)
            ):
                sheet.mark(card, column, sign)
            case {"card": int(card), "note": str(note)} if card in range(deck.size):
                sheet.note(card, note[:_LONGEST_NOTE])
            case _:
                raise CluedoError("this is neither a mark nor a note")

    def scene(self, number: int) -> Mapping[str, Any]:
        """The board after a number of events, as coordinates."""
        table = self.game.table
        if len(self._scenes) < number:
            scene = self._scenes[-1] if self._scenes else first_scene(table.board)
            for event in self.game.events[len(self._scenes) :]:  # all at once: the game puts its log together for it
                scene = next_scene(table, scene, event)
                self._scenes.append(scene)
        return scene_json(table.board, self._scenes[number - 1] if number else first_scene(table.board))

    def to_json(self) -> dict[str, Any]:
        """What belongs to the game and is not in its record, for :meth:`restore`."""
        return {
            "backs": self.backs,
            "away": sorted(self.away),
            "newcomers": self.newcomers,
            "played": self.played,
            "sheets": written_sheets(self.game.table.deck, dict(enumerate(self.sheets))),
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on as :meth:`to_json` tells."""
        self.backs, self.away = kept["backs"], set(kept["away"])
        self.played = kept["played"]
        self.newcomers = [Newcomer(*one) for one in kept["newcomers"]]
        read_sheets(kept["sheets"], self.game.table.deck, dict(enumerate(self.sheets)))


def _together(played: Sequence[str]) -> str:
    """One name of a record for all who have played a seat, which is a person's if one of them is a person."""
    names = [person_name(name) for name in played]
    together = ", ".join(names)
    return together if names == list(played) else Person(together).text
