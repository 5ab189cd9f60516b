"""Language models as players, against an endpoint of ours."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event

import pytest
from helpers.cases import cases
from helpers.command_line import ran
from helpers.level_games import patient
from helpers.model_server import (
    Refusal,
    WithLevel,
    endpoint,
    hanging,
    level_behind,
    limited,
    rubbish,
    stand_in,
)
from helpers.other_deals import other_deals, replay_for

from cluedo.ai.match import Match, seat_players
from cluedo.ai.player import Clock
from cluedo.bots.llm import chat, exchanges
from cluedo.bots.llm.asking import ClaimsForm, UnfitAnswer, asked, past_of, read_answer, table_text
from cluedo.bots.llm.chat import _client_of
from cluedo.bots.llm.exchanges import Exchange, Exchanges, read_exchanges
from cluedo.bots.llm.model_player import model_spec
from cluedo.bots.naming import any_player, is_foreign, read_line_up
from cluedo.engine.board import Board
from cluedo.engine.commands import Accusation
from cluedo.engine.deal import Seeds
from cluedo.engine.errors import MissingExtra, PlayerError
from cluedo.engine.events import Accused, HypothesisMade
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.engine.state import OVER
from cluedo.engine.turn_questions import QUESTIONS_BY_STEP

TINY = Board.load("tiny")
FREE = Rules(movement="free")
SHORT = Rules(movement="free", max_turns=12)
"""A conversation is sent whole with each question: long games take long."""
SHORTEST = Rules(movement="free", max_turns=3)
HOUR = Clock(3600.0)


def played(spec, deal=0, *, others="easy", rules=FREE, clock=HOUR, board=TINY):
    """A game between a model and two of a level."""
    seeds = Seeds(5, deal, 3)
    game = Game.begin(board, rules, seeds)
    levels = [replace(level, player_class=patient(level.player_class)) for level in read_line_up([others, others])]
    match = Match(game, *seat_players([spec, *levels], seeds), clock)
    match.play()
    return match


def with_level():
    return replace(model_spec("llm:behind"), player_class=WithLevel)


# ---- how it is named ---------------------------------------------------------------------------------


@pytest.fixture
def here(monkeypatch):
    """An endpoint with the stand-in of the examples behind it."""
    with endpoint(stand_in.answer, monkeypatch) as server:
        yield server


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("llm:gpt-4.1-mini", {"model": "gpt-4.1-mini"}),
        ("llm:llama3.1:8b", {"model": "llama3.1:8b"}),
        ("llm:a/b:free:memory=conversation:notes=no", {"model": "a/b:free", "memory": "conversation", "notes": False}),
        ("llm:x:temperature=0:seed=7", {"model": "x", "temperature": 0.0, "seed": 7}),
    ],
)
def test_what_follows_the_name_of_a_model_are_parameters(here, text, settings):
    spec = any_player(text)
    assert {"model": spec.model, **dict(spec.arguments)} == settings
    assert spec.text == text
    assert is_foreign(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("llm:", "llm:: the model is missing, as in llm:gpt-4.1-mini"),
        ("llm:x:memory=none", "llm:x:memory=none: memory=none: "),
        ("llm:x:tempo=1", "llm:x:tempo=1: there is no parameter 'tempo'; "),
        ("llm:x:temperature=3", "temperature is a number from 0.0 to 2.0, not 3.0"),
        ("llm:x:replay=nowhere.jsonl", "nowhere.jsonl: there is no such file"),
    ],
)
def test_what_is_no_model_is_refused_in_a_sentence(here, text, told):
    with pytest.raises(PlayerError) as error:
        any_player(text)
    assert str(error.value).startswith(told)


def test_without_a_key_the_client_says_what_it_needs(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(PlayerError, match="OPENAI_API_KEY"):
        any_player("llm:x")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("OPENAI_BASE_URL", "http://[::1", "OPENAI_BASE_URL 'http://[::1' cannot be used: "),
        ("OPENAI_API_KEY", "schlüssel", "OPENAI_API_KEY holds a sign that no key has"),
        ("OPENAI_API_KEY", "a\nkey", "OPENAI_API_KEY holds a sign that no key has"),
    ],
)
def test_an_address_or_a_key_that_is_none_is_told_in_a_sentence(here, monkeypatch, name, value, told):
    monkeypatch.setenv(name, value)
    with pytest.raises(PlayerError) as error:
        any_player("llm:x")
    assert str(error.value).startswith(told)


def test_without_the_extra_its_name_is_told(here, monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    _client_of.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'cluedo\[llm\]'"):
        any_player("llm:x")


# ---- what it is told ---------------------------------------------------------------------------------


def every_moment(board, rules, deals):
    """The questions of games of a level, each with the view of its seat."""
    for deal in range(deals):
        seeds = Seeds(9, deal, 3)
        game = Game.begin(board, rules, seeds)
        match = Match(game, *seat_players(read_line_up(["easy"] * 3), seeds))
        while game.state.step is not OVER:
            seat = game.state.to_act
            yield game, QUESTIONS_BY_STEP[game.state.step], game.view(seat)
            match.advance()


RULES = [Rules(), FREE, Rules(refuters="all"), Rules(pool=2, peek=True), Rules(wrong_shows_hand=True, accuse_in="room")]


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_whatever_is_offered_is_allowed_and_is_read_as_it_was_meant(rules):
    for _, questions, view in every_moment(TINY, rules, 3):
        for question in questions:
            if question.obstacle is not None and question.obstacle(view) is not None:
                continue
            what = asked(question, view)
            for name, command in what.options.items():
                read, _ = read_answer(json.dumps({"choice": name}), what, view)
                assert read is command
                assert command is None or command.why_not(view) is None
            assert what.options or set(what.cards) == {"suspect", "weapon", "room"}
            json.dumps(what.schema)


def test_nothing_that_it_is_told_depends_on_a_card_that_it_may_not_know():
    random, compared = Random(4), 0
    for game, questions, view in every_moment(Board.load("classic"), Rules(), 1):
        if random.random() > 0.05 or not view.events:
            continue
        seat = view.seat
        told = (table_text(view), past_of(view), asked(questions[0], view))
        for deal in other_deals(game, seat, random, 2, tries=60):
            other = replay_for(seat, game, deal).view(seat)
            assert (table_text(other), past_of(other), asked(questions[0], other)) == told
            compared += 1
    assert compared


def test_a_question_that_waits_for_its_answer_is_told_with_the_choice():
    for _, questions, view in every_moment(TINY, Rules(), 2):
        if questions[0].name == "card":
            what = asked(questions[0], view)
            asker = ("Ann", "Bob", "Cy")[view.active]
            assert what.text.startswith(f"{asker} asks: {view.deck.listed(view.hypothesis)}?")
            assert all(view.hand >> command.card & 1 for command in what.options.values())
            before = [event for event in view.events if isinstance(event, HypothesisMade | Accused)][:-1]
            assert len(past_of(view)) == len(before)


# ---- what it says ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def showing():
    """A card that somebody has to show: the question, and the view."""
    return next(
        (asked(questions[0], view), view)
        for _, questions, view in every_moment(TINY, Rules(), 5)
        if questions[0].name == "card"
    )


@pytest.mark.parametrize("said", ["{}", "```json\n{}\n```", "<think>{{1}} or {{}}</think> So: {} Good luck!"])
@pytest.mark.parametrize("spell", [str, str.upper, lambda name: f"  {name} "])
def test_an_answer_is_found_in_what_stands_around_it(showing, said, spell):
    what, view = showing
    name, command = next(iter(what.options.items()))
    text = said.replace("{{", "[").replace("}}", "]").replace("{}", json.dumps({"choice": spell(name), "notes": "n"}))
    assert read_answer(text, what, view) == (command, "n")


@pytest.mark.parametrize("said", ["", "no", "{}", '{"choice": "fly"}', '{"choice": null}', '{"choice": {}}', "{" * 999])
def test_what_is_no_answer_is_told_in_a_sentence(showing, said):
    with pytest.raises(UnfitAnswer):
        read_answer(said, *showing)


def test_cards_are_named_as_a_list_or_by_their_kind_and_have_to_be_allowed():
    questions, view = next(
        (questions, view) for _, questions, view in every_moment(TINY, FREE, 3) if questions[0].name == "hypothesis"
    )
    what = asked(questions[0], view)
    room = what.cards["room"][0]
    named = [what.cards["suspect"][0], what.cards["weapon"][1], room]
    by_kind = dict(zip(("suspect", "weapon", "room"), named, strict=True))
    first, _ = read_answer(json.dumps({"cards": named}), what, view)
    assert [view.deck.names[card] for card in first.cards] == named
    assert read_answer(json.dumps({"cards": by_kind}), what, view)[0] == first
    assert read_answer('{"cards": null}', what, view) == (None, "")
    for wrong in (named[:2], [*named[:2], "Nowhere"], "Hall", 3, [None] * 3):
        with pytest.raises(UnfitAnswer):
            read_answer(json.dumps({"cards": wrong}), what, view)


# ---- games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mind", [level_behind, limited(level_behind)], ids=["at once", "asked again"])
def test_a_level_behind_an_endpoint_plays_the_games_that_it_plays_itself(monkeypatch, mind):
    """So nothing is lost on the way: not in words, not in choices, not in answers."""
    with endpoint(mind, monkeypatch):
        for deal in range(cases(20, 3)):
            match = played(with_level(), deal)
            assert not match.faults
            assert match.game.events == played(any_player("hard"), deal).game.events


def test_what_cannot_be_done_is_told_once_and_then_a_fault(monkeypatch):
    told = []

    def mind(request):
        told.append(request["messages"])
        return '{"choice": "fly", "cards": ["Nobody", "Rope", "Hall"]}'

    with endpoint(mind, monkeypatch):
        match = played(any_player("llm:x"))
    first, second = told[:2]
    assert [message["role"] for message in first] == ["system", "user"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert second[-1]["content"].startswith("That cannot be done: 'fly' is none of the choices; ")
    assert len(told) == 2 * len(match.faults)
    assert all(fault.text.startswith("was told what is wrong, and then: ") for fault in match.faults)
    assert {fault.seat for fault in match.faults} == {0}


def test_a_second_answer_that_can_be_done_is_no_fault(monkeypatch):
    def mind(request):
        return "Hm." if len(request["messages"]) == 2 else stand_in.answer(request)

    with endpoint(mind, monkeypatch):
        assert not played(any_player("llm:x")).faults


def test_in_a_conversation_only_what_is_new_is_told(here):
    assert not played(any_player("llm:x:memory=conversation:notes=no")).faults
    first, *_, last = (request["messages"] for request in here.requests)
    assert last[: len(first)] == first
    said = [message["content"] for message in last if message["role"] == "user"]
    lines = [line for text in said for line in text.split("\n") if line[:1].isdigit()]
    assert len(lines) == len(set(lines)) > 2
    assert sum("You are Ann and hold" in text for text in said) == 1


def test_notes_are_told_again_where_nothing_else_is_kept(monkeypatch):
    def mind(request):
        return json.dumps(json.loads(stand_in.answer(request)) | {"notes": "mine"})

    with endpoint(mind, monkeypatch) as server:
        played(any_player("llm:x"))
        assert "Your notes: mine" not in server.requests[0]["messages"][-1]["content"]
        assert all("Your notes: mine" in request["messages"][-1]["content"] for request in server.requests[1:])
        server.requests.clear()
        played(any_player("llm:x:notes=no"))
        assert not any("notes" in request["messages"][-1]["content"] for request in server.requests)


@pytest.mark.parametrize("status", [400, 422])
def test_an_endpoint_without_schemas_is_asked_in_words_alone(monkeypatch, status):
    schemas = []

    def mind(request):
        schemas.append(request.get("response_format"))
        if schemas[-1] is not None:
            return Refusal(status, "response_format is not known")
        return rubbish(request)

    with endpoint(mind, monkeypatch):
        played(any_player("llm:x"), rules=SHORTEST)
    assert schemas[0] is not None
    assert not any(schemas[1:])


@pytest.mark.parametrize(("status", "headers"), [(401, {}), (404, {}), (429, {"retry_after": "7200"}), (400, {})])
def test_what_an_endpoint_refuses_is_a_fault_that_says_why(monkeypatch, status, headers):
    with endpoint(lambda _: Refusal(status, "this is why", **headers), monkeypatch):
        match = played(any_player("llm:x"), rules=SHORTEST)
    assert match.faults
    for fault in match.faults:
        assert fault.text.startswith("the endpoint of the model did not answer: ")
        assert "this is why" in fault.text


@pytest.mark.parametrize(("usage", "each"), [(None, 0), ({}, 0), ({"prompt_tokens": None, "total_tokens": 7}, 7)])
def test_an_answer_counts_whatever_is_said_of_its_tokens(monkeypatch, tmp_path, usage, each):
    def mind(request):
        return json.dumps(stand_in.reply_of(stand_in.answer(request)) | {"usage": usage}).encode()

    with endpoint(mind, monkeypatch):
        assert not played(model_spec("llm:x", tmp_path / "exchanges.jsonl")).faults
    lines = (tmp_path / "exchanges.jsonl").read_text(encoding="utf-8").splitlines()
    assert Exchanges(tmp_path / "exchanges.jsonl").tokens == each * len(lines)


def with_content(content):
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


def test_an_answer_that_is_sent_in_parts_is_put_together(monkeypatch):
    def mind(request):
        said = stand_in.answer(request)
        texts = [{"type": "text", "text": part} for part in (said[:9], said[9:])]
        parts = [{"type": "thinking", "thinking": [{"type": "text", "text": '{"choice": "fly"}'}]}, *texts]
        return with_content(parts)

    with endpoint(mind, monkeypatch):
        assert not played(any_player("llm:x")).faults


@pytest.mark.parametrize(
    "said",
    [
        b"<html>",
        b'"a text"',
        b"7",
        b'{"choices": [{"mess',
        b'{"choices": []}',
        b'{"error": {}}',
        b"[" * 100_000,
        b"\xff",
        *map(with_content, (7, [7], [{"type": "text", "text": 7}])),
    ],
)
def test_an_answer_that_is_none_of_the_protocol_is_a_fault_that_says_so(monkeypatch, said):
    with endpoint(lambda _: said, monkeypatch):
        match = played(any_player("llm:x"), rules=SHORTEST)
    assert {fault.text for fault in match.faults} == {
        "the endpoint of the model answered, but not in OpenAI's protocol; OPENAI_BASE_URL often ends in /v1"
    }


@pytest.mark.parametrize("again", ["nan", "soon"])
def test_when_to_ask_again_may_be_no_number(monkeypatch, again):
    monkeypatch.setattr(chat, "_FIRST_PAUSE_S", 0.0)
    with endpoint(lambda _: Refusal(429, "this is why", retry_after=again), monkeypatch) as server:
        match = played(any_player("llm:x"), rules=SHORTEST)
    assert all("this is why" in fault.text for fault in match.faults)
    assert len(server.requests) == chat._TRIES * len(match.faults)


def blanks(event):
    """What an endpoint sends that keeps a connection open until its model has answered, which it never does."""
    while not event.is_set():
        yield b" "
        event.wait(0.001)


LATE = pytest.mark.parametrize("slow", [lambda over: hanging(over, 5.0), lambda over: lambda _: blanks(over)])
"""What sends nothing, or blanks, until there is an answer."""


@LATE
def test_who_is_slow_has_no_more_time_than_others(monkeypatch, slow):
    over = Event()
    with endpoint(slow(over), monkeypatch):
        match = played(any_player("llm:x"), rules=SHORTEST, clock=Clock(0.05))
        over.set()
    assert {fault.text for fault in match.faults} == {"the model did not answer in time"}


def test_an_answer_without_end_is_a_fault(monkeypatch):
    monkeypatch.setattr(chat, "_MOST_BYTES", 1000)
    with endpoint(lambda _: blanks(server.over), monkeypatch) as server:
        match = played(any_player("llm:x"), rules=SHORTEST)
    assert {fault.text for fault in match.faults} == {"the endpoint of the model sent more than 1,000 bytes"}


PAGE = b"<html><body>Welcome!</body></html>"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (Refusal(400, "no x"), "the endpoint {} refuses the model 'x': Error code: 400"),
        (Refusal(401, "no key"), "the endpoint {} refuses the key in OPENAI_API_KEY"),
        (Refusal(403, "no x"), "the endpoint {} refuses the model 'x': Error code: 403"),
        (
            Refusal(404, "no x"),
            "the endpoint {} has no model 'x', or is elsewhere (OPENAI_BASE_URL often ends in /v1): ",
        ),
        (Refusal(501, "no x"), "the endpoint {} refuses the model 'x': Error code: 501"),
        (PAGE, "the endpoint of the model answered, but not in OpenAI's protocol; OPENAI_BASE_URL often ends in /v1"),
    ],
)
def test_a_wrong_key_model_or_address_is_told_before_the_first_game(monkeypatch, said, told):
    with endpoint(rubbish, monkeypatch) as server:
        server.trial = lambda _: said
        with pytest.raises(PlayerError) as error:
            any_player("llm:x")
    assert str(error.value).startswith(told.format(f"http://127.0.0.1:{server.server_port}/v1/"))


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_model_that_is_busy_before_the_first_game_may_answer_in_it(monkeypatch, status):
    with endpoint(rubbish, monkeypatch) as server:
        server.trial = lambda _: Refusal(status, "later")
        assert any_player("llm:x").model == "x"


@LATE
def test_a_model_that_is_slow_before_the_first_game_may_answer_in_it(monkeypatch, slow):
    monkeypatch.setattr(chat, "_TRIAL_S", 0.05)
    over = Event()
    with endpoint(rubbish, monkeypatch) as server:
        server.trial = slow(over)
        assert any_player("llm:x").model == "x"
        over.set()


def test_a_model_is_asked_once_whether_it_is_there_with_the_settings_of_its_choices(here):
    asked_for = []
    here.trial = lambda request: asked_for.append(request) or "Yes."
    for text in ("llm:x", "llm:x:memory=conversation", "llm:x:temperature=0", "llm:y", "llm:x"):
        any_player(text)
    assert [(one["model"], one["temperature"]) for one in asked_for] == [("x", 1.0), ("x", 0.0), ("y", 1.0)]


def test_an_endpoint_that_is_gone_during_a_game_is_a_fault(monkeypatch):
    monkeypatch.setattr(chat, "_FIRST_PAUSE_S", 0.0)
    with endpoint(rubbish, monkeypatch):
        spec = any_player("llm:x")
    match = played(spec, rules=SHORTEST)
    assert {fault.text for fault in match.faults} == {"the endpoint of the model did not answer: Connection error."}


def test_an_endpoint_that_cannot_be_reached_is_told_before_the_first_game(monkeypatch):
    with endpoint(rubbish, monkeypatch) as server:
        where = f"http://127.0.0.1:{server.server_port}/v1/"
    with pytest.raises(PlayerError) as error:
        any_player("llm:x")
    assert str(error.value) == f"the endpoint {where} cannot be reached; OPENAI_BASE_URL says where it is"


# ---- what is kept ------------------------------------------------------------------------------------


def lines_of(path: Path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def refusing(_request):
    return Refusal(404, "no such model")


@pytest.mark.parametrize("mind", [stand_in.answer, rubbish, refusing])
@pytest.mark.parametrize("memory", ["fresh", "conversation:claims=yes"])
def test_the_kept_exchanges_give_the_same_game_without_the_model(monkeypatch, tmp_path, mind, memory):
    kept, again = tmp_path / "exchanges.jsonl", tmp_path / "again.jsonl"
    text = f"llm:x:memory={memory}"
    with endpoint(mind, monkeypatch) as server:
        matches = [played(model_spec(text, kept), deal, rules=SHORT) for deal in range(2)]
        asked_for = len(server.requests)
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    replayed = [played(model_spec(f"{text}:replay={kept}", again), deal, rules=SHORT) for deal in range(2)]
    for first, second in zip(matches, replayed, strict=True):
        assert first.game.events == second.game.events
        assert first.faults == second.faults
    assert len(lines_of(kept)) == len(lines_of(again)) == asked_for
    assert Exchanges(again).tokens == 0
    assert bool(Exchanges(kept).tokens) is (mind is not refusing)


@pytest.mark.parametrize("torn", [b"", b'{"game": "0'], ids=["whole lines", "a torn one"])
def test_what_is_kept_is_not_asked_again_when_a_run_is_continued(here, tmp_path, torn):
    """A line that was cut short, as by a kill or a full disk, costs no other: what is kept next stands on its own."""
    kept = tmp_path / "exchanges.jsonl"
    first = played(model_spec("llm:x", kept))
    lines = kept.read_bytes().splitlines(keepends=True)
    done = len(lines) // 2
    kept.write_bytes(b"".join(lines[:done]) + torn)
    here.requests.clear()
    assert played(model_spec("llm:x", kept)).game.events == first.game.events
    assert len(here.requests) == len(lines) - done
    assert kept.read_bytes() == b"".join([*lines[:done], torn and torn + b"\n", *lines[done:]])
    found, end = read_exchanges(kept)
    assert (len(found), end) == (len(lines), kept.stat().st_size)


def test_a_game_that_is_not_among_the_kept_ones_is_lost_by_faults(here, tmp_path):
    kept = tmp_path / "exchanges.jsonl"
    played(model_spec("llm:x", kept))
    match = played(model_spec(f"llm:x:replay={kept}"), 1)
    assert {fault.text for fault in match.faults} == {"the kept exchanges have no answer to what is asked"}


def test_the_kept_exchanges_are_read_once_for_all_games(here, tmp_path, monkeypatch):
    kept = tmp_path / "exchanges.jsonl"
    for deal in range(2):
        played(model_spec("llm:x", kept), deal)
    reads = []
    monkeypatch.setattr(exchanges, "read_exchanges", lambda path: reads.append(path) or read_exchanges(path))
    for _ in range(2):  # a game that is played twice has the same answers
        for deal in range(2):
            assert played(model_spec(f"llm:x:replay={kept}"), deal).faults == []
    assert reads == [kept]


@pytest.mark.parametrize("text", ["nonsense\n", "{}\n", '{"game": 1}\n', "[" * 100_000 + "\n"])
def test_a_file_that_holds_no_exchanges_is_refused(tmp_path, text):
    (tmp_path / "exchanges.jsonl").write_text(text)
    with pytest.raises(PlayerError, match="it holds a line that is no exchange"):
        Exchanges(tmp_path / "exchanges.jsonl")


def test_exchanges_that_cannot_be_kept_are_told_in_a_sentence(tmp_path):
    with pytest.raises(PlayerError, match=r"exchanges\.jsonl: cannot be written: "):
        Exchanges(tmp_path / "none" / "exchanges.jsonl").add(Exchange("0", 1, "llm:x", 0, 1, "walk", "", None))


# ---- what may be spent -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "value", "told"),
    [
        ("CLUEDO_LLM_TOKENS", "100", "llm:x: CLUEDO_LLM_TOKENS: all 100 tokens of the run are spent"),
        ("CLUEDO_LLM_COST", "0.001", "llm:x: CLUEDO_LLM_COST: all that the run may cost, 0.001, is spent"),
    ],
)
def test_a_run_ends_where_it_has_spent_what_it_may(here, monkeypatch, limit, value, told):
    monkeypatch.setenv(limit, value)
    monkeypatch.setenv("CLUEDO_LLM_PRICES", "10,100")
    spec = model_spec("llm:x")
    spec.check_budget()
    match = played(spec)
    assert told.removeprefix("llm:x: ") in {fault.text for fault in match.faults}
    with pytest.raises(PlayerError) as error:
        spec.check_budget()
    assert str(error.value) == told


def test_what_one_process_spends_another_one_counts(here, monkeypatch, tmp_path):
    kept = tmp_path / "exchanges.jsonl"
    one, other = model_spec("llm:x", kept), model_spec("llm:x", kept)
    played(one)
    monkeypatch.setenv("CLUEDO_LLM_TOKENS", "100")
    with pytest.raises(PlayerError, match="are spent"):
        other.check_budget()


@pytest.mark.parametrize(("name", "text"), [("TOKENS", "many"), ("PRICES", "1"), ("COST", "-1")])
def test_limits_that_are_no_numbers_are_refused(here, monkeypatch, name, text):
    monkeypatch.setenv(f"CLUEDO_LLM_{name}", text)
    with pytest.raises(PlayerError, match=f"CLUEDO_LLM_{name}={text}: "):
        any_player("llm:x")


def test_a_limit_of_cost_without_prices_would_limit_nothing(here, monkeypatch):
    monkeypatch.setenv("CLUEDO_LLM_COST", "5")
    with pytest.raises(PlayerError, match=r"CLUEDO_LLM_COST needs the prices of tokens"):
        any_player("llm:x")
    monkeypatch.setenv("CLUEDO_LLM_PRICES", "0,10")
    assert any_player("llm:x")


def test_accusations_are_asked_for_in_the_room_only_where_the_rules_say_so():
    rules = Rules(movement="free", accuse_in="room")
    for _, questions, view in every_moment(TINY, rules, 2):
        for question in questions:
            if question.kinds[0] is Accusation and question.obstacle is not None and question.obstacle(view) is None:
                assert asked(question, view).cards["room"] == [view.deck.names[view.board.room_card(view.place)]]


# ---- what it knows -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def form():
    return ClaimsForm(("Plum", "Rope", "Hall"), ("Ann", "Bob", "envelope"))


def test_claims_are_read_whatever_stands_around_them(form):
    said = """I think: {"proved": []}. No: {"proved": [{"card": "plum", "place": " bob", "there": true},
    ["Hall", "envelope", false]], "envelope": {"ROPE": 1, "Hall": 0.0}} That is all."""
    claims = form.read(said)
    assert claims.proved == {("Plum", "Bob"): True, ("Hall", "envelope"): False}
    assert claims.envelope == {"Rope": 1.0, "Hall": 0.0}
    assert form.read('{"envelope": null}') == form.read('{"proved": null}') == form.read('{"proved": []}')


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Bob holds Plum.", "there is no object of JSON with proved"),
        ('{"proved": {}, "envelope": {}}', "proved is a list"),
        ('{"proved": [["Plum", "Bob"]]}', "each thing that is proved is a card, a place, and true or false"),
        ('{"proved": [["Plum", "Bob", 1]]}', "each thing that is proved"),
        ('{"proved": ["Plum"]}', "each thing that is proved"),
        ('{"proved": [["Plum", "Cy", true]]}', "'Cy' is none of the choices"),
        ('{"proved": [["Plum", "Bob", true], ["Plum", "Bob", false]]}', "it says both that Plum is at Bob and"),
        ('{"envelope": [0.5]}', "envelope has a probability for each card"),
        ('{"envelope": {"Plum": 40}}', "a probability is a number from 0 to 1, not 40"),
        ('{"envelope": {"Plum": true}}', "a probability is a number from 0 to 1, not true"),
        ('{"envelope": {"Plum": NaN}}', "a probability is a number from 0 to 1, not NaN"),
        ('{"envelope": {"Green": 0.5}}', "'Green' is none of the choices"),
    ],
)
def test_claims_that_cannot_be_read_are_refused_in_a_sentence(form, said, told):
    with pytest.raises(UnfitAnswer) as error:
        form.read(said)
    assert str(error.value).startswith(told)


@pytest.mark.parametrize("memory", ["fresh", "conversation"])
def test_a_model_that_is_asked_what_it_knows_plays_as_if_it_were_not(here, tmp_path, memory):
    text = f"llm:x:memory={memory}"
    claiming, kept = f"{text}:claims=yes", tmp_path / "exchanges.jsonl"
    plain, asked_too, nowhere_to_go = (
        played(model_spec(one, path), rules=SHORT) for one, path in ((text, None), (claiming, kept), (claiming, None))
    )
    assert plain.game.events == asked_too.game.events == nowhere_to_go.game.events
    asked_for = [request["messages"][-1]["content"] for request in here.requests]
    turns = {event.seat: 0 for event in plain.game.events if isinstance(event, HypothesisMade)}
    told = [text for text in asked_for if "Before you move: what do you know?" in text]
    assert len(told) == len(lines_with_claims(tmp_path)) >= len(turns) > 0, "where nothing is kept, it is not asked"


def lines_with_claims(folder):
    return [line for line in lines_of(folder / "exchanges.jsonl") if line["ask"] == "claims"]


def test_an_endpoint_that_refuses_the_form_of_claims_is_asked_for_choices_by_theirs(monkeypatch, tmp_path):
    def mind(request):
        schema = request.get("response_format")
        if schema is None:
            return '{"proved": []}'
        if "proved" in schema["json_schema"]["schema"]["properties"]:
            return Refusal(400, "too many parts")
        return stand_in.answer(request)

    with endpoint(mind, monkeypatch) as server:
        assert not played(model_spec("llm:x:claims=yes", tmp_path / "exchanges.jsonl")).faults
        assert {line["said"] for line in lines_with_claims(tmp_path)} == {'{"proved": []}'}
        free = [one for one in server.requests if one.get("response_format") is None]
        assert len(free) == len(lines_with_claims(tmp_path))


def test_claims_that_are_no_claims_cost_no_choice(monkeypatch, tmp_path):
    def mind(request):
        form = request["response_format"]["json_schema"]["schema"]["properties"]
        return "I know nothing." if "proved" in form else stand_in.answer(request)

    kept = tmp_path / "exchanges.jsonl"
    with endpoint(mind, monkeypatch):
        assert not played(model_spec("llm:x:claims=yes", kept)).faults
    asked_for = Counter((line["turn"], line["ask"]) for line in lines_of(kept))
    assert {count for (_, ask), count in asked_for.items() if ask == "claims"} == {2}, "it is told once"
    assert all((line["log"] is None) is (line["ask"] not in ("claims", "accusation")) for line in lines_of(kept))


# ---- from the command line ---------------------------------------------------------------------------


def test_a_batch_keeps_its_exchanges_and_plays_again_without_the_model(here, tmp_path):
    options = ("--map", "tiny", "--games", "3", "--workers", "1", "--out")
    assert ran("autoplay", "--players", "llm:x,easy,easy", *options, tmp_path / "one").code == 0
    kept = tmp_path / "one" / "exchanges.jsonl"
    assert len(lines_of(kept)) == len(here.requests)
    assert {len(line["game"]) for line in lines_of(kept)} == {16}
    here.mind = lambda _: Refusal(500, "nobody asks")
    text = f"llm:x:replay={kept},easy,easy"
    assert ran("autoplay", "--players", text, *options, tmp_path / "two").code == 0
    first, second = ([game["events"] for game in lines_of(tmp_path / one / "games.jsonl")] for one in ("one", "two"))
    assert len(first) == 3
    assert first == second
    over_itself = ran("autoplay", "--players", text, *options, tmp_path / "one", "--force")
    assert str(over_itself.error) == f"{kept} is needed for these games, and --force would remove it"
    assert len(lines_of(kept)) == len(here.requests)


def test_a_batch_that_has_spent_what_it_may_ends_and_is_continued(here, tmp_path, monkeypatch):
    monkeypatch.setenv("CLUEDO_LLM_TOKENS", "900")
    options = ("--map", "tiny", "--games", "3", "--workers", "1", "--out", tmp_path)
    told = str(ran("autoplay", "--players", "llm:x,easy,easy", *options).error)
    assert told.startswith("llm:x: CLUEDO_LLM_TOKENS: all 900 tokens of the run are spent; ")
    asked_for = len(here.requests)
    assert len(lines_of(tmp_path / "exchanges.jsonl")) == asked_for > 0
    monkeypatch.delenv("CLUEDO_LLM_TOKENS")
    assert "holds results already; continue with" in str(ran("autoplay", *options).error)
    again = ran("experiment", "run", tmp_path / "experiment.toml", "--out", tmp_path, "--resume", "--workers", "1")
    assert again.code == 0
    lines = lines_of(tmp_path / "exchanges.jsonl")
    assert len(lines) == len(here.requests)
    assert len({(line["game"], line["number"]) for line in lines}) == len(lines)


def test_the_list_of_levels_has_it_with_its_parameters():
    told = " ".join(ran("levels").out.split())
    assert "llm:MODEL A language model, at any endpoint" in told
    assert "llm:MODEL:memory=… (" in told
    assert "llm:MODEL:model" not in told
