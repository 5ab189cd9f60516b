"""What is said to a bot and what it answers: everything that its seat may know, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from helpers.support import LEVELS, drawn_game, view_json

from cluedo.ai.levels import PlayerSpec, parse_player
from cluedo.ai.match import Match, NoAnswer
from cluedo.ai.player import USUAL_CLOCK, Clock, Proxy
from cluedo.bots import conformance, protocol
from cluedo.bots.process import BotTrouble
from cluedo.bots.seat_game import SeatGame
from cluedo.bots.serving import _ServedSeat
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation, Hypothesis, Move, Peek, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Shown
from cluedo.engine.turn_questions import QUESTIONS

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "bot-protocol.md"
ASKS = {question.name: question for question in QUESTIONS}


class Loopback(Proxy):
    """A served level without a process: each message is written as a line and read again."""

    keeps_time = True

    def __init__(self, level: str, views: list[tuple[object, object]] | None = None):
        self._served = _ServedSeat(parse_player(level))
        self._views = views
        self.messages: list[dict] = []

    def say(self, message):
        self.messages.append(json.loads(protocol.line_of(message)))
        return [json.loads(protocol.line_of(reply)) for reply in self._served.replies(self.messages[-1])]

    def begin(self, view, random):
        self._told = 0
        assert self.say(protocol.game_message(view, self.clock, random, stream=True)) == []

    def answer(self, question, view):
        (reply,) = self.say(protocol.question_message(7, question, view, self._told, 0.0))
        self._told = view.time
        if self._views is not None:
            self._views.append((view, self._served._game.view(self.messages[-1]["state"])))
        return protocol.read_answer(json.dumps(reply).encode(), 7, question, view.board, self.blame)

    def over(self, view):
        (reply,) = self.say(protocol.result_message(view, self._told))
        protocol.read_faults(json.dumps(reply).encode(), self.blame)


def played(board: str, players, deal: int, **rules):
    """The match of some players, played."""
    game = drawn_game(Board.load(board), len(players), seed=5, deal=deal, **rules)
    match = Match(game, players, [Random(seat) for seat in range(len(players))])
    match.play()
    return match


LIGHT, HEAVY = ("random", "easy", "medium", "medium:original=true", "hard"), ("expert", "montecarlo:budget=16")


@pytest.mark.parametrize("level", [*LIGHT, *(pytest.param(level, marks=pytest.mark.slow) for level in HEAVY)])
@pytest.mark.parametrize(("board", "rules"), [("tiny", {}), ("classic", {}), ("master", {"movement": "free"})])
def test_a_level_plays_the_same_over_the_protocol(level, board, rules):
    others = [LEVELS["easy"], LEVELS["medium"], LEVELS["random"]]
    here = played(board, [parse_player(level).make(), *(other() for other in others)], 0, **rules)
    there = played(board, [Loopback(level), *(other() for other in others)], 0, **rules)
    assert there.faults == here.faults == []
    assert there.game.commands == here.game.commands


@pytest.mark.parametrize(("board", "rules"), [("tiny", {"dice": 1}), ("manoir", {}), ("tiny", {"movement": "free"})])
def test_a_view_rebuilt_from_messages_is_equal_to_the_view(board, rules):
    views = []
    played(board, [Loopback("medium", views), Loopback("easy", views), LEVELS["easy"]()], 1, **rules)
    assert len(views) > 20
    for here, there in views:
        assert view_json(there) == view_json(here)
        assert there.reach == here.reach
        assert there.events == here.events
        assert [there.events_since(time) for time in (0, 5, 40)] == [here.events_since(time) for time in (0, 5, 40)]
        assert there.legal() == here.legal()


def test_the_question_in_the_reference_is_one_of_a_game():
    bot = Loopback("easy")
    played("tiny", [bot, LEVELS["easy"](), LEVELS["easy"]()], 2)
    block = REFERENCE.read_text(encoding="utf-8").partition("```json\n")[2].partition("```")[0]
    assert json.loads(block) in bot.messages


def test_no_message_names_a_card_that_the_seat_may_not_know():
    bot = Loopback("easy")
    match = played("tiny", [bot, LEVELS["easy"](), LEVELS["easy"]()], 2)
    events = [event for message in bot.messages for event in message.get("events", ())]
    shown = [event for event in match.game.events if isinstance(event, Shown)]
    seen = [shown.seat == 0 or shown.asker == 0 for shown in shown]
    told = ["card" in event for event in events if event["type"] == "show"]
    assert told == seen[: len(told)]
    assert set(seen) == {True, False}
    assert len(events) == len(match.game.events)  # the last ones come with the result
    game = bot.messages[0]
    assert sorted(game["hand"]) == sorted(match.game.table.deck.names_in(match.game.state.deal.hands[0]))
    assert "envelope" not in json.dumps(bot.messages)


def test_the_seed_is_a_bots_own_and_its_generator_comes_only_if_asked_for():
    view = drawn_game(Board.load("tiny"), 3, seed=5).dealt(0)
    random = Random(3)
    first = protocol.game_message(view, Clock(None), random, stream=False)
    assert first == protocol.game_message(view, Clock(None), Random(3), stream=False)
    assert first["seed"] != protocol.game_message(view, Clock(None), Random(4), stream=False)["seed"]
    assert protocol.STREAM not in first
    again = protocol.read_stream(protocol.stream_json(random))
    assert [again.random() for _ in range(9)] == [random.random() for _ in range(9)]


def test_what_is_allowed_is_what_the_rules_allow():
    asked = []

    class Noting(Loopback):
        def answer(self, question, view):
            asked.append((question.name, question.choices(view), view.legal()))
            return super().answer(question, view)

    played("tiny", [Noting("random"), Noting("easy"), Noting("easy")], 3)
    played("tiny", [Noting("easy"), Noting("easy")], 3, pool=3, peek=True, accuse_in="room", max_turns=60)
    board = Board.load("tiny")
    view = drawn_game(Board.load("tiny"), 3, seed=5).view(0)
    bare = protocol.question_message(7, ASKS["move"], view, 0, 0.0, choices=False)
    assert protocol.question_message(7, ASKS["move"], view, 0, 0.0) == bare | {"allowed": ASKS["move"].choices(view)}
    for name, allowed, legal in asked:
        kinds = {type(command) for command in legal}
        match name:
            case "move" | "walk":
                assert allowed["roll"] == (Roll in kinds)
                assert allowed["stay"] == (Stay in kinds)
                assert (allowed["secret_passage"] is not None) == (SecretPassage in kinds)
                moves = [command.to for command in legal if isinstance(command, Move)]
                assert [board.place(to) for to in allowed["move"]] == moves
            case "peek":
                assert allowed["positions"] == [command.position for command in legal if isinstance(command, Peek)]
            case "card":
                assert [board.deck.id(card) for card in allowed["show"]] == [command.card for command in legal]
            case "hypothesis" | "accusation":
                wanted = Hypothesis if name == "hypothesis" else Accusation
                sizes = [len(allowed[kind]) for kind in ("suspects", "weapons", "rooms")]
                assert sizes[0] * sizes[1] * sizes[2] == sum(isinstance(command, wanted) for command in legal)
    assert {name for name, _, _ in asked} == set(ASKS)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "answered nothing"),
        ("hello", "answered hello"),
        ("[]", "answered []"),
        ('{"answer": null}', "id"),
        ('{"id": 8, "answer": null}', "answered question 8 where 7 was asked"),
        ('{"id": 7, "answer": null}', "asked for a card, it answered null"),
        ('{"id": 7, "answer": {"type": "shew"}}', "'shew' is no command; did you mean 'show'?"),
        ('{"id": 7, "answer": {"type": "roll"}}', "asked for a card, it answered"),
        ("\x00\xff" * 2000, "answered"),
        ("[" * 5000, "answered"),
        ('{"id": 7, "answer": {"type": "show", "card": "%s"}}' % ("x" * 900_000), "letters or fewer"),
        (
            '{"id": 7, "answer": {"type": "move", "to": [%s, 1]}}' % ("9" * 4000),
            "to: must be the name of a room, or a square",
        ),
        ('{"id": 7, "answer": {"type": "move", "to": [NaN, 1]}}', "to: must be the name of a room, or a square"),
        ('{"id": %s, "answer": null}' % ("9" * 4000), "id: must be less than"),
    ],
)
def test_nonsense_is_told_in_a_sentence(line, told):
    kind = NoAnswer if line.startswith('{"id": 7, ') else BotTrouble  # an answer, if not one that can be carried out
    for written in (line, line.replace(": ", ":").replace(", ", ",")):  # the latter is how our own bots write
        with pytest.raises(kind) as error:
            protocol.read_answer(written.encode("latin-1"), 7, ASKS["card"], Board.load("classic"))
        assert told in str(error.value)
        assert len(str(error.value)) < 600


def test_unknown_keys_are_ignored_and_a_reason_for_no_answer_is_passed_on():
    board = Board.load("classic")
    line = b'{"id": 7, "answer": {"type": "show", "card": "Rope", "mood": 1}, "thought": [1, 2]}'
    for written in (line, line.replace(b" ", b""), b'{"id":7,"answer":{"type":"show","card":"Rope","mood":1}}'):
        assert protocol.read_answer(written, 7, ASKS["card"], board) == ShowCard(board.deck.id("Rope"))
    with pytest.raises(CluedoError, match="no idea"):
        protocol.read_answer(b'{"id": 7, "error": "no idea"}', 7, ASKS["card"], board)
    with pytest.raises(CluedoError, match="did not say why"):
        protocol.read_answer(b'{"id": 7, "error": " "}', 7, ASKS["card"], board)


def test_a_whole_number_may_be_written_with_a_point():
    """As by libraries that read every number as a float, of which Java's Gson is one."""
    board = Board.load("classic")
    assert protocol.read_hello(b'{"type": "hello", "protocol": 1.0, "name": "x"}')[0].name == "x"
    walk = b'{"id": 7.0, "answer": {"type": "move", "to": [8.0, 5e0]}}'
    assert protocol.read_answer(walk, 7, ASKS["walk"], board) == Move(board.place((8, 5)))
    for number in (b"7.5", b'"7"', b"true", b"1e999", b"1e300"):
        with pytest.raises(BotTrouble, match="id: must be "):
            protocol.read_answer(walk.replace(b"7.0", number), 7, ASKS["walk"], board)


def test_a_hello_names_the_bot():
    hello = b'\xef\xbb\xbf{"type": "hello", "protocol": 1, "name": "x"}'
    assert protocol.read_hello(hello)[0].name == "x", "a byte order mark goes before it where a runtime writes one"
    name, wants = protocol.read_hello(b'{"type": "hello", "protocol": 1, "name": "x", "version": "2", "more": 1}')
    assert name == ("x", "2")
    assert not wants
    for wrong in (b"", b"{}", b'{"type": "hello", "protocol": 2, "name": "x"}', b'{"type": "hello", "protocol": 1}'):
        with pytest.raises(BotTrouble, match="answered the hello with"):
            protocol.read_hello(wrong)
    with pytest.raises(BotTrouble, match=r"^it cannot play, and did not say why$"):
        protocol.read_hello(b'{"type": "hello", "protocol": 1, "name": "x", "error": " "}')


@pytest.mark.parametrize("method", ["choose_accusation", "choose_hypothesis", "begin", "notice", "over"])
@pytest.mark.parametrize("deed", ["raises", "answers"])
def test_a_served_player_has_the_faults_that_it_has_here(method, deed):
    """An error costs the choice for which it was asked, and none while it is told something."""

    def wrong(self, *told):
        getattr(easy, method)(self, *told)
        if deed == "raises" and (method != "notice" or len(told[0]) % 2):
            raise ValueError("no")
        return Roll()

    easy = LEVELS["easy"]
    kind = type("Wrong", (easy,), {method: wrong})
    bot = Loopback("easy")
    bot._served._spec = PlayerSpec("wrong", kind, ())
    others = [LEVELS["medium"], LEVELS["medium"]]
    there = played("tiny", [bot, *(other() for other in others)], 2)
    here = played("tiny", [kind(), *(other() for other in others)], 2)
    assert there.game.commands == here.game.commands
    assert here.faults or (deed == "answers" and not method.startswith("choose"))
    told = [f"{fault.text} ({fault.where})" if fault.where else fault.text for fault in here.faults]
    assert [fault.text for fault in there.faults] == told


def test_a_check_names_what_fails_when_the_game_is_over():
    class Wrong(LEVELS["easy"]):
        def over(self, view):
            raise ValueError("no")

    loop = Loopback("easy")
    loop._served._spec = PlayerSpec("wrong", Wrong, ())
    bot = SimpleNamespace(forget_failures=lambda: None, start=lambda _: None, player=lambda: loop)
    _, faults = conformance._play(bot, next(conformance._tables()), USUAL_CLOCK)
    assert ["raised ValueError('no')" in fault for fault in faults] == [True]


def test_the_message_that_begins_a_game_may_be_read_by_itself():
    game = drawn_game(Board.load("classic"), 4, seed=5)
    written = protocol.game_message(game.dealt(2), Clock(3.0, 60.0), Random(1), stream=False)
    message = json.loads(protocol.line_of(written))
    seen = SeatGame(message)
    assert view_json(seen.view(message["state"])) == view_json(game.dealt(2))
    assert message["clock"] == {"think_limit": 3.0, "time_bank": 60.0}
    assert [len(message["deck"][kind]) for kind in ("suspects", "weapons", "rooms")] == [6, 6, 9]
