"""A record is the whole game: what is written is read, replays to the same state, and tells where it is wrong."""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from helpers.support import DECK_ALONE, MANNERS, MAPS, board_from, drawn_game, play_random, seen_by_all

from cluedo.engine import record
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds
from cluedo.engine.errors import CluedoError, RecordError, SetupError
from cluedo.engine.events import Passed, Shown
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord, RecordWriter, iter_records, read_record

NAMES = ("Ann", "Bob \N{BLACK SPADE SUIT}", '"Cy"', "Dé\\", "E", "F")


@cache
def played(name: str, manner: str = "eager", movement: str = "walk", limit: int = 1_000_000) -> Game:
    """A random game, of at most ``limit`` commands."""
    board = board_from(DECK_ALONE) if name == "cards" else Board.load(name)
    seats = 3 + len(name + manner) % (min(6, len(board.deck.suspects)) - 2)
    game = drawn_game(board, seats, 5, movement=movement, max_turns=25)
    play_random(game, Random(f"{name} {manner}"), manner, limit=limit, insight=0.1)
    return game


def line_of(game: Game, **origin: int) -> str:
    return RecordWriter(game.table.board, game.table.rules).line(game, NAMES[: game.table.seats], **origin)


# ---- round trips -----------------------------------------------------------------------------------


def test_numbers_of_numpy_are_written_as_any_others():
    numbers = {"seed": 5, "number": 2, "deal": 1, "rotation": 1}
    game = played("tiny")
    assert line_of(game, **{name: np.int64(number) for name, number in numbers.items()}) == line_of(game, **numbers)


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(
    ("name", "movement"), [*((name, "walk") for name in MAPS), ("tiny", "free"), ("cards", "free")]
)
def test_what_is_written_is_read_and_replays_to_the_same_state(name, movement, manner):
    game = played(name, manner, movement)
    line = line_of(game, seed=5, number=2, deal=1, rotation=1)
    assert "\n" not in line
    read = GameRecord.from_json(line)
    assert read.model_dump(mode="json") == json.loads(line)
    assert [player.name for player in read.players] == list(NAMES[: game.table.seats])
    assert (read.seed, read.game, read.deal, read.rotation) == (5, 2, 1, 1)
    assert seen_by_all(read.replay(game.table.board)) == seen_by_all(game)


@pytest.mark.parametrize("limit", [0, 1, 5, 17])
def test_an_unfinished_game_is_read_as_one(limit):
    game = played("tiny", limit=limit)
    read = GameRecord.from_json(line_of(game))
    assert read.result is None
    assert seen_by_all(read.replay()) == seen_by_all(game)


def test_the_first_turns_alone_are_those_of_the_game():
    game = played("tiny", "patient")
    read = GameRecord.from_json(line_of(game))
    for turns in range(game.state.turn + 1):
        part = read.replay(turns=turns)
        assert part.events == game.events[: len(part.events)]
        assert part.state.turn == min(turns + 1, game.state.turn)
    with pytest.raises(RecordError, match=f"no turn {game.state.turn + 1}: it ends in turn {game.state.turn}"):
        read.replay(turns=game.state.turn + 1)


def test_a_game_goes_on_with_the_dice_that_would_have_followed():
    game = drawn_game(Board.load("tiny"), 3, 5, max_turns=40)
    play_random(game, Random(0), limit=30)
    read = GameRecord.from_json(line_of(game))
    seeds = Seeds(5, 0, 3)
    again = read.replay(dice=[seeds.for_dice(seat) for seat in range(3)])
    for going_on in (game, again):
        play_random(going_on, Random(1), "lingering")
    assert seen_by_all(game) == seen_by_all(again)


def test_beyond_its_events_a_record_knows_no_roll():
    game = played("tiny", limit=0)
    again = GameRecord.from_json(line_of(game)).replay()
    with pytest.raises(SetupError, match="no roll is known beyond those of the record"):
        play_random(again, Random(0), "eager")


def test_lines_that_go_on_with_a_record_and_take_back_give_the_game_as_it_is_then():
    game, random = drawn_game(Board.load("tiny"), 3, 5, max_turns=12), Random(3)
    writer = RecordWriter(game.table.board, game.table.rules)
    first, more = writer.line(game, NAMES[:3]), []
    while not game.over:
        before = len(game.events)
        play_random(game, random, "rash", limit=random.randrange(1, 6))
        more.append(writer.more(game.events[before:], game.result))
        if not game.over and random.random() < 0.5:
            before = len(game.events)
            game.undo()
            more.append(writer.undo(before - len(game.events)))
        assert seen_by_all(GameRecord.from_json(first, more).replay()) == seen_by_all(game)
    assert any("undo" in line for line in more)


def test_a_name_for_each_seat_is_needed():
    game = drawn_game(Board.load("tiny"), 3, 5)
    with pytest.raises(RecordError, match="3 seats need as many names, not 2"):
        RecordWriter(game.table.board, game.table.rules).line(game, NAMES[:2])


# ---- what is no record -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "a record is a JSON object, not a list"),
        ("[" * 100_000, "not JSON: it is nested too deeply"),
        ('{"format": 99}', "format 99 is newer than this program knows (it reads 1)"),
        ("{}", "this is no game record: it has no players and events"),
        (b'{"players": "\xff"}', "not JSON: no UTF-8 text, at byte 13"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_is_no_record_is_refused_in_one_sentence(text, told):
    with pytest.raises(RecordError) as refusal:
        GameRecord.from_json(text)
    assert told in str(refusal.value)


@pytest.mark.parametrize(
    "more",
    ['{"more": 3}', '{"more": [], "events": []}', '{"undo": 0}', '{"undo": 10000}', '{"undo": true, "x": 1}', "[]"],
)
def test_a_line_that_goes_on_with_nothing_is_refused(more):
    with pytest.raises(RecordError, match=r"line after the record|a line that continues a record is a JSON object"):
        GameRecord.from_json(line_of(played("tiny", limit=9)), [more])


def event_of(data: dict[str, Any], kind: str) -> dict[str, Any]:
    """The record's first event of a kind."""
    return next(event for event in data["events"] if event["type"] == kind)


def place_of(data: dict[str, Any], kind: str) -> int:
    return data["events"].index(event_of(data, kind))


def at_first(kind: str) -> Callable[[dict[str, Any]], None]:
    """Let the first seat begin with an event."""
    return lambda data: data["events"].insert(0, {"type": kind, "seat": data["first"]})


def before_pass(data: dict[str, Any]) -> None:
    """Let the record end after a hypothesis that somebody passed on."""
    del data["events"][place_of(data, "pass") :]


def hand(data: dict[str, Any], seat: int) -> list[str]:
    return data["players"][seat]["hand"]


DAMAGE: dict[str, tuple[Callable[[dict[str, Any]], object], list[str]]] = {
    "a newer format": (lambda data: data.update(format=2), ["format 2"]),
    "an older format": (lambda data: data.update(format=0), ["format"]),
    "no map": (lambda data: data.pop("map"), ["map"]),
    "a map in two lines": (lambda data: data.update(map="a\nb"), ["map"]),
    "a map that is not there": (lambda data: data.update(map="nowhere"), ["'nowhere'", "classic"]),
    "numbers below nothing": (lambda data: data.update(seed=-1, game=-1, deal=-1, rotation=-1), ["seed", "3 more"]),
    "a name too long": (lambda data: data["players"][0].update(name="x" * 1001), ["players[0].name", "1,000"]),
    "an unknown key": (lambda data: data["players"][1].update(age=3), ["players[1]: ", "'age'"]),
    "rules that cannot be": (lambda data: data["rules"].update(dice=0), ["rules.dice", "1"]),
    "an unknown event": (lambda data: data["events"].insert(0, {"type": "jump", "seat": 0}), ["events[0]", "jump"]),
    "two players": (lambda data: data.update(players=data["players"][:2]), ["two players need a pool"]),
    "five players": (lambda data: data.update(players=data["players"][:1] * 5), ["5 players", "4 suspects"]),
    "a suspect twice": (lambda data: data["players"][0].update(suspect=data["players"][1]["suspect"]), ["4 players"]),
    "an unknown suspect": (lambda data: data["players"][0].update(suspect="Nobody"), ["suspect", "'Nobody'", "Amber"]),
    "an unknown card": (lambda data: hand(data, 0).append("Spoon"), ["card", "'Spoon'", "Ladle"]),
    "a card twice": (lambda data: hand(data, 0).append(hand(data, 1)[0]), ["2 times"]),
    "a card that is nowhere": (lambda data: hand(data, 0).pop(), ["0 times"]),
    "the envelope in another order": (lambda data: data["envelope"].reverse(), ["suspect", "Amber"]),
    "a first seat that is none": (lambda data: data.update(first=7), ["first", "7", "4"]),
    "an event of no seat": (lambda data: data["events"][0].update(seat=9), ["event 0", "9", "4"]),
    "dice of seven sides": (lambda data: event_of(data, "roll").update(dice=[7, 1]), ["event 0", "[7, 1]"]),
    "one die": (lambda data: event_of(data, "roll").update(dice=[6]), ["event 0", "[6]"]),
    "a turn that does not end": (lambda data: data["events"].pop(place_of(data, "end_turn")), ["event 2 (roll)"]),
    "a turn that ends at once": (at_first("end_turn"), ["event 0 (end_turn)", "(rule 4)"]),
    "an answer to nothing": (at_first("pass"), ["event 0 (pass)"]),
    "an answer of another": (lambda data: event_of(data, "pass").update(seat=0), ["event 36", "0}", "1}"]),
    "no answer": (before_pass, ["event 36", "the record ends where", "'pass'"]),
    "a move into no room": (lambda data: event_of(data, "move").update(to="Moon"), ["event 1 (move)", "'Moon'"]),
    "a move to no square": (lambda data: event_of(data, "move").update(to=[0, 99]), ["event 1 (move)", "99"]),
    "a hypothesis in another order": (lambda data: event_of(data, "hypothesis")["cards"].reverse(), ["(hypothesis)"]),
    "an unknown card shown": (lambda data: event_of(data, "show").update(card="Spoon"), ["(show)", "'Spoon'"]),
    "no result": (lambda data: data.update(result=None), ["by its result the game is not over", "nobody won by"]),
    "another result": (lambda data: data["result"].update(turns=3), ["nobody won by turn 3", "nobody won by turn 25"]),
    "a result that is none": (lambda data: data["result"].update(reason="bored"), ["result.reason", "solved"]),
}
"""What is done to a right record, and words of what is said about it."""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_record_is_refused_with_the_place_of_the_damage(damage):
    game = played("tiny", "eager")
    assert {Passed, Shown} <= {type(event) for event in game.events}
    data = json.loads(line_of(game))
    GameRecord.from_json(json.dumps(data)).replay()
    change, words = DAMAGE[damage]
    change(data)
    with pytest.raises(CluedoError) as refusal:
        GameRecord.from_json(json.dumps(data)).replay()
    assert [word for word in words if word not in str(refusal.value)] == []


# ---- files -----------------------------------------------------------------------------------------


@pytest.fixture
def lines() -> list[str]:
    """Three games as lines."""
    return [line_of(played("tiny", how, limit=40), number=k) for k, how in enumerate(("eager", "rash", "patient"))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def numbers(path: Path) -> list[int | None]:
    """The numbers of the games in a file."""
    return [read.game for read in iter_records(path)]


def test_a_file_of_lines_holds_a_game_each_and_empty_lines_none(path, lines):
    path.write_text("\n\n".join(lines) + "\n\n", encoding="utf-8")
    assert numbers(path) == [0, 1, 2]
    assert [read_record(path, k).game for k in range(3)] == [0, 1, 2]


def test_one_game_may_stand_on_many_lines(path, lines):
    path.write_text(json.dumps(json.loads(lines[1]), indent=2), encoding="utf-8")
    assert read_record(path).game == 1
    assert numbers(path) == [1]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_byte_order_mark_is_no_part_of_a_record(path, lines, indent):
    """Editors of Windows begin a text with one."""
    path.write_text(json.dumps(json.loads(lines[1]), indent=indent), encoding="utf-8-sig")
    assert read_record(path).game == 1
    assert GameRecord.from_json(path.read_text("utf-8")).game == 1


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (None, "there are several games; say which one: the first is number 0"),
        (3, "there is no game 3 among 3: the first is number 0"),
        (-1, "there is no game -1 among 3: the first is number 0"),
    ],
)
def test_which_game_is_meant_has_to_be_said(path, lines, number, told):
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(RecordError, match=told):
        read_record(path, number)


@pytest.mark.parametrize("what", [None, 5, Path("games.jsonl")])
def test_a_record_is_read_from_a_text(what):
    with pytest.raises(RecordError, match=r"not JSON: .* is no text"):
        GameRecord.from_json(what)


@pytest.mark.parametrize("number", [None, 0])
def test_an_empty_file_holds_no_game(path, number):
    path.touch()
    with pytest.raises(RecordError, match="not JSON"):
        read_record(path, number)


def test_lines_that_go_on_belong_to_the_record_before_them(path, lines):
    unfinished = line_of(played("tiny", "rash", limit=5), number=8)
    more = '{"more": [{"type": "stay", "seat": 0}]}'
    path.write_text("\n".join([lines[0], unfinished, more, '{"undo": 1}', lines[2]]), encoding="utf-8")
    assert numbers(path) == [0, 8, 2]
    assert read_record(path, 1) == GameRecord.from_json(unfinished)


@pytest.mark.parametrize("torn", ['{"mo', '{"more": [{"type": "st', '{"undo": ', "{"])
def test_a_line_that_was_being_written_when_the_program_died_is_left_out(path, lines, torn):
    path.write_text(lines[0] + "\n" + torn, encoding="utf-8")
    assert read_record(path).game == 0
    path.write_text(lines[0] + "\n" + torn + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"neither|not JSON|several"):
        read_record(path)


def test_what_is_wrong_is_told_with_file_and_line(path, lines):
    path.write_text("\n".join([lines[0], lines[1][:50]]), encoding="utf-8")
    with pytest.raises(RecordError, match=rf"^{path}, line 2: not JSON: "):
        list(iter_records(path))
    path.write_text("\n".join([lines[0], "", "[3]"]), encoding="utf-8")
    with pytest.raises(RecordError, match=rf"^{path}, line 3: a record is a JSON object, not a list$"):
        list(iter_records(path))


@pytest.mark.parametrize("before", [0, 1, 2])
def test_bytes_that_are_no_text_are_told_by_their_place(path, lines, before):
    good = "".join(line + "\n" for line in lines[:before]).encode()
    path.write_bytes(good + b'{"players": "\xff"}\n')
    with pytest.raises(RecordError, match=f"not UTF-8 text, at byte {len(good) + 13}$"):
        list(iter_records(path))


def test_a_file_that_is_not_there_or_cannot_be_read_is_told(path, tmp_path, monkeypatch):
    with pytest.raises(RecordError, match=f"^{path}: cannot be read: No such file or directory$"):
        read_record(path)
    with pytest.raises(RecordError, match=f"^{tmp_path}: cannot be read: Is a directory$"):
        read_record(tmp_path)
    path.touch()
    monkeypatch.setattr(record, "source", lambda _: io.BufferedReader(BrokenDisk(path)))
    with pytest.raises(RecordError, match=f"^{path}: cannot be read: Input/output error$"):
        read_record(path)


class BrokenDisk(io.FileIO):
    """A file that opens and cannot be read."""

    def readinto(self, buffer: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize("layout", [None, 1])
def test_no_record_is_read_beyond_a_bound(path, lines, monkeypatch, layout):
    path.write_text(json.dumps(json.loads(lines[0]), indent=layout), encoding="utf-8")
    monkeypatch.setattr(record, "MOST_BYTES", path.stat().st_size)
    assert read_record(path).game == 0
    monkeypatch.setattr(record, "MOST_BYTES", path.stat().st_size - 1)
    with pytest.raises(RecordError, match="cannot be read: a record of more than "):
        read_record(path)
