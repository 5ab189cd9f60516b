"""``cluedo positions`` and ``cluedo grade`` at the command line."""

from __future__ import annotations

import json

import pytest
from helpers.command_line import complaint, run
from helpers.programs import told_by_python

from cluedo.ai.knowledge import read_case_log
from cluedo.ai.positions.shipped import shipped_answers
from cluedo.engine.board import Board
from cluedo.engine.editions import Edition
from cluedo.engine.events import Peeked
from cluedo.words.rule_text import rule_sentences

SMALL = "positions", "--players", "easy,medium,easy", "--seed", "5"


def test_positions_are_json_lines_in_words_and_as_case_logs_and_hold_no_answer():
    lines = run(*SMALL, "--count", "3").splitlines()
    assert lines == run(*SMALL, "--count", "3").splitlines()
    deck = Board.load("classic").deck
    for line in lines:
        data = json.loads(line)
        assert set(data) == {"format", "id", "level", "text", "log"}
        log = read_case_log(data["log"], Board.load)
        assert (
            f"You are {log.setting.names[log.setting.me]} and hold {', '.join(deck.names_in(log.setting.hand))}."
            in data["text"]
        )
        assert f"\n{len(log.entries)}. " in data["text"]


@pytest.mark.parametrize(("name", "players"), [("two", "easy,medium"), ("house", "easy,medium,easy,easy")])
def test_positions_of_an_edition_tell_its_rules_and_all_that_they_lead_to(name, players):
    lines = run("positions", "--edition", name, "--players", players, "--seed", "3", "--count", "2")
    edition = Edition.load(name)
    for line in lines.splitlines():
        data = json.loads(line)
        assert all(f"\n{sentence}\n" in data["text"] for sentence in rule_sentences(edition.rules))
        log = read_case_log(data["log"], Board.load)
        assert log.setting.rules.pool == edition.rules.pool
        told = data["text"].splitlines()
        looks = [line for line in told if "of the pool" in line and ". " in line[:4]]
        assert len(looks) == sum(isinstance(entry.head, Peeked) for entry in log.entries)
        assert ("Face up for all:" in data["text"]) == bool(log.setting.open_cards)


def test_a_rule_beside_the_options_is_played_by():
    (line,) = run(*SMALL, "--count", "1", "--rule", "refuters=all").splitlines()
    assert json.loads(line)["log"]["rules"] == {"refuters": "all"}


def test_what_an_old_terminal_cannot_hold_is_escaped():
    command = ("--lang", "fr", "positions", "--test-set", "--count", "1")
    told = run(*command)
    assert "’" in told
    assert json.loads(told_by_python("-m", "cluedo", *command, PYTHONIOENCODING="ascii")) == json.loads(told)


def test_a_difficulty_is_drawn_alone():
    levels = {json.loads(line)["level"] for line in run(*SMALL, "--count", "3", "--difficulty", "1").splitlines()}
    assert levels == {1}


def test_of_the_test_set_there_may_be_fewer_but_no_others():
    assert len(run("positions", "--test-set", "--count", "2").splitlines()) == 2
    told = complaint("positions", "--test-set", "--players", "foo,hard", "--seed", "0")
    assert told == "the positions of --test-set are as they are: leave out --players and --seed"
    told = complaint("positions", "--test-set", "--count", "501")
    assert told == "--count: --test-set has 500 such positions, not 501"
    told = complaint("positions", "--test-set", "--difficulty", "0", "--count", "21")
    assert told == "--count: --test-set has 20 such positions, not 21"


def test_positions_and_their_answers_go_into_two_files_and_replace_none(tmp_path):
    out, key = tmp_path / "positions.jsonl", tmp_path / "key.jsonl"
    assert run(*SMALL, "--count", "2", "--difficulty", "1", "--out", str(out), "--key", str(key)) == ""
    ids = [json.loads(line)["id"] for line in out.read_text(encoding="utf-8").splitlines()]
    exact = [json.loads(line) for line in key.read_text(encoding="utf-8").splitlines()]
    assert ids == [answer["id"] for answer in exact]
    assert complaint(*SMALL, "--out", str(out)) == f"{out} exists already and is not overwritten"
    same = tmp_path / "a"
    assert complaint(*SMALL, "--out", same, "--key", same) == "--out and --key need two files"
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"id": ids[0], "proved": [one[:3] for one in exact[0]["proved"]]}), encoding="utf-8")
    totals = json.loads(run("grade", str(answers), "--key", str(key), "--json"))
    assert (totals["positions"], totals["answered"], totals["complete"]) == (2, 1, 1)


@pytest.fixture
def perfect(tmp_path):
    """A file with the exact answers to the test set."""
    path = tmp_path / "answers.jsonl"
    envelopes = [{card: row["envelope"] for card, row in one.cards.items()} for one in shipped_answers()]
    lines = [
        {"id": one.id, "proved": [finding[:3] for finding in one.proved], "envelope": envelope, "question": one.best[0]}
        for one, envelope in zip(shipped_answers(), envelopes, strict=True)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_exact_answers_to_the_test_set_lose_nothing(perfect):
    totals = json.loads(run("grade", str(perfect), "--json"))
    assert (totals["complete"], totals["wrong"], totals["found"]) == (500, 0, totals["wanted"])
    assert totals["odds_lost"] == 0
    assert totals["question_lost"] == 0.0
    assert len(totals["each"]) == 500
    table = run("grade", str(perfect))
    assert [line.split()[0] for line in table.splitlines() if "100 %" in line] == ["0", "1", "2", "3", "4", "5", "all"]


def test_no_answers_are_graded_as_nothing_said(tmp_path):
    (tmp_path / "none.jsonl").touch()
    totals = json.loads(run("grade", str(tmp_path / "none.jsonl"), "--json"))
    assert (totals["answered"], totals["complete"], totals["found"], totals["wrong"]) == (0, 0, 0, 0)
    assert totals["odds_lost"] > 1.0


def test_a_line_that_is_no_answer_is_refused_or_left_out(tmp_path, capsys):
    path = tmp_path / "answers.jsonl"
    path.write_text("\nI think it was Plum.\n", encoding="utf-8")
    assert complaint("grade", str(path)).startswith(f"{path}: line 2: not JSON")
    assert complaint("grade", str(path), "--key", str(path)).startswith(f"{path}: line 2: no exact answer")
    assert complaint("grade", str(tmp_path / "nowhere")).startswith(f"{tmp_path / 'nowhere'}: cannot be read")
    assert "0 of 500 positions were answered" in run("grade", str(path), "--lenient")
