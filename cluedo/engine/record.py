"""Game records: a whole game, everything open, as one JSON object that replays to the same state; and files of them.

:class:`RecordWriter` turns games into lines, fast enough for batches; :class:`GameRecord` reads them back, checks them
and plays them again. Seats count from 0; cards, suspects and rooms go by name and squares are ``[x, y]``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import count
from operator import index
from pathlib import Path
from random import Random
from typing import IO, Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from cluedo.engine.board import Board
from cluedo.engine.cards import Category, Deck, bits
from cluedo.engine.codec import EventForm, Names, RollForm, Seat, command_of, event_json
from cluedo.engine.commands import Command
from cluedo.engine.deal import Deal, Dice, check_seats
from cluedo.engine.errors import RecordError
from cluedo.engine.events import Event
from cluedo.engine.file_io import FORMAT, MOST_BYTES, Unreadable, check_format, json_object, json_value, source
from cluedo.engine.game import Game, Result
from cluedo.engine.mapfile import Printable
from cluedo.engine.phrase import Phrase
from cluedo.engine.rules import Rules
from cluedo.engine.state import Reason
from cluedo.engine.validation import FileForm, validated

__all__ = ["GameRecord", "RecordWriter", "SeveralGames", "iter_records", "read_record", "record_in"]

_MOST_EVENTS: Final = 1_000_000
_json: Final = json.JSONEncoder(ensure_ascii=False, default=index).encode  # whole numbers of any kind

Number: TypeAlias = Annotated[int, Field(ge=0)]


class PlayerForm(FileForm):
    """A seat: who played it, as which suspect, with which cards."""

    name: Annotated[Printable, Field(max_length=1000)]
    suspect: str
    hand: tuple[str, ...]


class ResultForm(FileForm):
    """How the game ended."""

    winner: int | None
    reason: Reason
    turns: int


class GameRecord(FileForm):
    """A game record as in a file; ``result`` is None while the game goes on.

    ``seed``, ``deal`` and ``rotation`` tell where in an experiment the deal comes from, ``game`` is
    the number of the game in it; none of them is needed to play the record again.

    >>> from cluedo import Board, Game, RecordWriter, Roll, Rules, Seeds
    >>> board, rules = Board.load("classic"), Rules()
    >>> game = Game.begin(board, rules, Seeds(1, 0, 3))
    >>> rolled = game.execute(Roll())
    >>> line = RecordWriter(board, rules).line(game, ["Ann", "Bob", "Cy"])
    >>> again = GameRecord.from_json(line).replay()
    >>> again.events == game.events
    True
    >>> RecordWriter(board, rules).line(again, ["Ann", "Bob", "Cy"]) == line
    True
    """

    format: Literal[1] = 1
    map: Printable
    rules: Rules
    seed: Number | None = None
    game: Number | None = None
    deal: Number | None = None
    rotation: Number | None = None
    first: Seat
    players: tuple[PlayerForm, ...]
    envelope: Names
    pool: tuple[str, ...] = ()
    open_cards: tuple[str, ...] = ()
    events: Annotated[tuple[EventForm, ...], Field(max_length=_MOST_EVENTS)]
    result: ResultForm | None = None

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """What is empty unless it is given is left out where it is, as :class:`RecordWriter` does it."""
        fields = type(self).model_fields
        return {key: value for key, value in write(self).items() if value or fields[key].default not in ((), "")}

    @classmethod
    def from_json(cls, text: str | bytes, more: Sequence[str] = ()) -> GameRecord:
        """Read one record and the lines that go on with it; raises :class:`RecordError` with one sentence."""
        with RecordError.around():
            data = json_object(text, Phrase("a record"))
            check_format(data)
            if "players" not in data or "events" not in data:
                raise RecordError("this is no game record: it has no players and events")
            if "envelope" not in data and "rules" not in data:
                raise RecordError("this is a case log, not a game record; cluedo solve and cluedo assist read it")
            for line in more:
                _go_on(data, json_object(line, Phrase("a line that continues a record")))
            return validated(cls, data)

    def replay(
        self, board: Board | None = None, turns: int | None = None, dice: Sequence[Random] | None = None
    ) -> Game:
        """Play the record again, without players, and compare every event on the way.

        Args:
            board: the board, where the caller has it loaded.
            turns: how many turns to play; 0 is the deal, None is all of them.
            dice: by seat, what throws its dice beyond the record, so that the game can go on; a generator
                as it was before the first roll.

        Raises:
            RecordError: with the number of the first event (from 0) that cannot have happened.
        """
        board = board or Board.load(self.map)
        game = Game(board, self.rules, self._deal(board.deck, dice))
        forms = list(self.events)
        done = 0
        while done < len(forms) and (turns is None or game.state.turn <= turns):
            with RecordError.around("event {done} ({type}): {error}", done=done, type=forms[done].type):
                happened = game.execute(_command(forms[done], game))
            for k, event in enumerate(happened, start=done):
                true = event_json(event, board)
                if k == len(forms):
                    raise RecordError("event {k}: the record ends where {true} happened", k=k, true=true)
                told = forms[k].model_dump(mode="json")
                if told != true:
                    raise RecordError(
                        "event {k}: the record says {told} where {true} happened", k=k, told=told, true=true
                    )
            done += len(happened)
        if turns is not None and game.state.turn < turns:
            raise RecordError("the game has no turn {turns}: it ends in turn {turn}", turns=turns, turn=game.state.turn)
        if done == len(forms):
            self._check_result(game)
        return game

    def _deal(self, deck: Deck, randoms: Sequence[Random] | None) -> Deal:
        """The deal as the record tells it."""
        with RecordError.around():
            suspects = [deck.id(player.suspect, Category.SUSPECT) for player in self.players]
            check_seats(deck, self.rules, len(suspects), suspects)
            envelope = deck.triple(self.envelope)
            hands = [deck.mask(player.hand) for player in self.players]
            pool = [deck.id(name) for name in self.pool]
            open_cards = deck.mask(self.open_cards)
        self._check_dealt(deck, suspects)
        rolls = self._rolls()
        if randoms is None:
            dice = tuple(Dice(self.rules, None, thrown) for thrown in rolls)
        else:
            dice = tuple(Dice.after(self.rules, random, thrown) for random, thrown in zip(randoms, rolls, strict=True))
        return Deal(envelope, tuple(hands), tuple(suspects), self.first, dice, tuple(pool), open_cards)

    def _check_dealt(self, deck: Deck, suspects: Sequence[int]) -> None:
        """Check that every card is in one place, and that the cards set aside and the first seat fit the rules."""
        dealt = [name for player in self.players for name in player.hand]
        dealt += [*self.envelope, *self.pool, *self.open_cards]
        for name in deck.names:
            if dealt.count(name) != 1:
                raise RecordError(
                    "the card {name!r} was dealt {count} times, not once", name=name, count=dealt.count(name)
                )
        pool, face_up = self.rules.set_aside(deck.outside, len(suspects))
        if (pool, face_up) != (len(self.pool), len(self.open_cards)):
            raise RecordError(
                "these rules lay {pool} cards face down and {face_up} face up, not {other_pool} and {other_face_up}",
                pool=pool,
                face_up=face_up,
                other_pool=len(self.pool),
                other_face_up=len(self.open_cards),
            )
        if self.first >= len(suspects):
            raise RecordError("first: there is no seat {first} among {count}", first=self.first, count=len(suspects))
        if self.rules.starts == "first_suspect" and suspects[self.first] != min(suspects):
            raise RecordError(
                "first: the player of {suspect} starts, whose suspect comes first on the map (rule 20)",
                suspect=deck.names[min(suspects)],
            )

    def _rolls(self) -> list[list[tuple[int, ...]]]:
        """By seat, what it throws."""
        rolls: list[list[tuple[int, ...]]] = [[] for _ in self.players]
        for k, form in enumerate(self.events):
            if form.seat >= len(rolls):
                raise RecordError(
                    "event {k}: there is no seat {seat} among {count}", k=k, seat=form.seat, count=len(rolls)
                )
            if isinstance(form, RollForm):
                if len(form.dice) != self.rules.dice or not all(1 <= pips <= self.rules.sides for pips in form.dice):
                    raise RecordError(
                        "event {k}: {dice} cannot be rolled with the dice of these rules", k=k, dice=list(form.dice)
                    )
                rolls[form.seat].append(form.dice)
        return rolls

    def _check_result(self, game: Game) -> None:
        result = game.result
        told = None if self.result is None else (self.result.winner, self.result.reason, self.result.turns)
        if result != told:
            raise RecordError(
                "by its result {told}, but by its events {came}", told=_ending(told), came=_ending(result)
            )


def _ending(result: tuple[int | None, Reason, int] | None) -> Phrase:
    """How a game ended, in words: who won, why it ended, and in which turn."""
    if result is None:
        return Phrase("the game is not over")
    winner, reason, turns = result
    if winner is None:
        return Phrase("nobody won by turn {turns} ({reason})", turns=turns, reason=reason)
    return Phrase("seat {seat} won in turn {turns} ({reason})", seat=winner, turns=turns, reason=reason)


def _go_on(data: dict[str, Any], line: dict[str, Any]) -> None:
    """Apply a line that continues a record: more events, perhaps the result, or events that are taken back."""
    events = data["events"]
    match line:
        case {"more": list(more)} if isinstance(events, list) and line.keys() <= {"more", "result"}:
            events += more
            data["result"] = line.get("result")
        case {"undo": int(last)} if isinstance(events, list) and 0 < last <= len(events) and len(line) == 1:
            del events[-last:]
        case _:
            raise RecordError("a line after the record holds neither more events nor an undo")


def _command(form: EventForm, game: Game) -> Command:
    """The command that caused an event; raises :class:`CluedoError` if no command can have."""
    if form.seat != game.state.to_act:
        raise RecordError(
            "seat {seat} acts where it is the turn of seat {to_act}", seat=form.seat, to_act=game.state.to_act
        )
    return command_of(form, game.table.board)


class RecordWriter:
    """Writes games of one board and one set of rules as records, one line each.

    Events and results have few possible contents, so each is turned into JSON once and then looked up.
    """

    def __init__(self, board: Board, rules: Rules):
        self._board = board
        self._start = _json({"format": FORMAT, "map": board.source, "rules": rules.model_dump()})[:-1]
        self._texts: dict[Event | Result, str] = {}

    def line(
        self,
        game: Game,
        players: Sequence[str],
        *,
        seed: int | None = None,
        number: int | None = None,
        deal: int | None = None,
        rotation: int | None = None,
    ) -> str:
        """The record of a game, finished or not, without a line end; ``players`` are their names by seat."""
        table, dealt, names = game.table, game.state.deal, self._board.deck.names
        if len(players) != table.seats:
            raise RecordError("{seats} seats need as many names, not {count}", seats=table.seats, count=len(players))
        head: dict[str, Any] = {
            "seed": seed,
            "game": number,
            "deal": deal,
            "rotation": rotation,
            "first": table.first,
            "players": [
                {"name": player, "suspect": names[suspect], "hand": [names[card] for card in bits(hand)]}
                for player, suspect, hand in zip(players, table.suspects, dealt.hands, strict=True)
            ],
            "envelope": [names[card] for card in dealt.envelope],
        }
        for key, cards in (("pool", dealt.pool), ("open_cards", bits(dealt.open_cards))):
            if cards:
                head[key] = [names[card] for card in cards]
        result = self._text(game.result) if game.result else "null"
        return f'{self._start}, {_json(head)[1:-1]}, "events": {self._listed(game.events)}, "result": {result}}}'

    def more(self, events: Sequence[Event], result: Result | None) -> str:
        """A line, without its end, that continues the record of an unfinished game."""
        ending = f', "result": {self._text(result)}' if result else ""
        return f'{{"more": {self._listed(events)}{ending}}}'

    @staticmethod
    def undo(events: int) -> str:
        """A line, without its end, that takes back a number of the last events."""
        return f'{{"undo": {events}}}'

    def _listed(self, events: Sequence[Event]) -> str:
        return f"[{', '.join([self._texts.get(event) or self._text(event) for event in events])}]"

    def _text(self, told: Event | Result) -> str:
        text = self._texts.get(told)
        if text is None:
            form = told._asdict() if isinstance(told, Result) else event_json(told, self._board)
            text = self._texts[told] = _json(form)
        return text


_FURTHER: Final = ('{"more"', '{"undo"')
"""How lines begin that continue the record before them."""


class SeveralGames(RecordError):
    """A file holds several games, and nobody has said which one is wanted."""


def iter_records(path: str | Path) -> Iterator[GameRecord]:
    """The records in a file, one JSON object or JSON Lines; raises :class:`RecordError` that names the line."""
    for where, text, more in _whole(path):
        yield _parse(where, text, more)


def read_record(path: str | Path, number: int | None = None) -> GameRecord:
    """One record of a file, the ``number``-th from 0; it may be left out where there is only one."""
    return _chosen(path, _whole(path), number)


def record_in(data: bytes, name: str, number: int | None) -> GameRecord:
    """The ``number``-th record in the contents of a file that somebody sent; ``name`` is its name."""
    return _chosen(name, _whole(name, data), number)


def _chosen(path: str | Path, whole: Iterator[tuple[str, str, list[str]]], number: int | None) -> GameRecord:
    found = None
    count = 0
    for count, (where, text, more) in enumerate(whole, start=1):
        if number is None and count > 1:
            raise SeveralGames("{path}: there are several games; say which one: the first is number 0", path=path)
        if number is None or count == number + 1:
            found = _parse(where, text, more)
            if number is not None:
                return found
    if found is None:
        raise RecordError(
            "{path}: there is no game {number} among {count}: the first is number 0",
            path=path,
            number=number or 0,
            count=count,
        )
    return found


def _parse(where: str, text: str, more: Sequence[str]) -> GameRecord:
    with RecordError.around("{where}: {error}", where=where):
        return GameRecord.from_json(text, more)


def _whole(path: str | Path, data: bytes | None = None) -> Iterator[tuple[str, str, list[str]]]:
    """Each record: what to call the place where it stands, its text, and the lines that go on with it."""
    record: tuple[str, str, list[str]] | None = None
    for where, text in _texts(path, data):
        if record is not None and text.startswith(_FURTHER):
            record[2].append(text)
            continue
        if record is not None:
            yield record
        record = where, text, []
    if record is not None:
        yield record


def _texts(path: str | Path, data: bytes | None) -> Iterator[tuple[str, str]]:
    """Each record's text and what to call the place where it stands."""
    at = 0
    try:
        with source(path) if data is None else BytesIO(data) as file:
            first = _line(file)
            if _is_json(first):
                yield _in_line(path, 1), first.decode()
                at = len(first)
                for number in count(2):
                    line = _line(file)
                    if not line:
                        return
                    if line.strip() and not _is_torn(line):
                        yield _in_line(path, number), line.decode()
                    at += len(line)
            else:
                yield str(path), _within(first + file.read(MOST_BYTES)).decode()
    except UnicodeDecodeError as error:
        raise RecordError("{path}: not UTF-8 text, at byte {at}", path=path, at=at + error.start) from None
    except Unreadable as error:
        raise RecordError("{path}: {error}", path=path, error=error) from None
    except OSError as error:
        raise RecordError("{path}: cannot be read: {error}", path=path, error=error) from None


def _in_line(path: str | Path, number: int) -> Phrase:
    return Phrase("{path}, line {number}", path=path, number=number)


def _is_torn(line: bytes) -> bool:
    """Whether a last line continues a record and was cut off while it was written."""
    begun = any(line.startswith(further.encode()[: len(line)]) for further in _FURTHER)
    return begun and not line.endswith(b"\n") and not _is_json(line)


def _line(file: IO[bytes]) -> bytes:
    return _within(file.readline(MOST_BYTES + 1))


def _within(data: bytes) -> bytes:
    if len(data) > MOST_BYTES:
        raise Unreadable("cannot be read: a record of more than {most_bytes:,} bytes", most_bytes=MOST_BYTES)
    return data


def _is_json(text: bytes) -> bool:
    try:
        json_value(text)
    except Unreadable:
        return False
    return True
