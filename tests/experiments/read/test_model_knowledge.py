"""What language models claim to know, graded: by exact answers that other ways lead to, too."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from helpers.command_line import ran
from helpers.model_server import WithLevel, endpoint, exact_claims, stand_in

from cluedo.ai.exercises.picking import NAMES
from cluedo.ai.knowledge.caselog import case_log
from cluedo.ai.knowledge.history import after_each_turn
from cluedo.engine.board import Board
from cluedo.engine.record import GameRecord
from cluedo.experiments.read.model_knowledge import graded_claims, models_of

BATCH = ("--map", "tiny", "--games", "6", "--workers", "1")


def batch(mind, monkeypatch, folder, players="llm:x:claims=yes,hard,hard", *more):
    """The graded turns of a batch between a model and others, which is kept in a folder."""
    with endpoint(mind, monkeypatch):
        played = ran("autoplay", "--players", players, *BATCH, "--out", folder, *more)
    assert played.code == 0, played.error
    return graded_claims({"autoplay": folder})


def claiming(*proved, envelope=None):
    """A mind that always claims the same."""

    def mind(request):
        form = request["response_format"]["json_schema"]["schema"]["properties"]
        if "proved" in form:
            return json.dumps({"proved": proved, "envelope": envelope})
        return stand_in.answer(request)

    return mind


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """The turns of two models that cross out what they see, and the folder."""
    folder = tmp_path_factory.mktemp("some")
    with pytest.MonkeyPatch.context() as patch:
        claims = batch(stand_in.answer, patch, folder, "llm:x:claims=yes,llm:y:claims=yes:notes=no,hard")
    return claims, folder


def test_who_says_all_that_follows_is_graded_as_a_perfect_reasoner(monkeypatch, tmp_path):
    monkeypatch.setattr("cluedo.bots.llm.model_player.LanguageModel", WithLevel)
    (model,) = models_of(batch(exact_claims, monkeypatch, tmp_path).turns)
    assert all(turn.answered and turn.grade.complete for turn in model.turns)
    assert model.found.value == 1.0
    assert (model.wrong.value, model.refuted, model.first_wrong) == (0.0, 0, [])
    assert 0.0 <= model.odds_lost.value < 0.02, "what was ruled out counts as 0.001"
    assert model.open_bits(exact=False).mean == pytest.approx(model.open_bits(exact=True).mean, abs=0.03)
    assert 0.5 < model.question.value <= 1.0
    assert model.accusations(accused=True, proved=True)
    assert not model.accusations(accused=True, proved=False)
    assert not model.accusations(accused=False, proved=True)
    assert model.guess_chance is None


def test_positions_and_questions_are_those_of_the_games(some):
    claims, folder = some
    board, wanted = Board.load("tiny"), set()
    for line in (folder / "games.jsonl").read_text(encoding="utf-8").splitlines():
        record = GameRecord.from_json(line)
        models = {seat for seat, player in enumerate(record.players) if player.name.startswith("llm:")}
        for position in after_each_turn(record.replay(board)):
            seat = position.state.active
            if seat in models and position.result is None:
                view = position.view(seat)
                log = case_log(position.table, view.events, seat, view.hand)
                log = replace(log, setting=replace(log.setting, names=NAMES[:3]))
                wanted.add((record.players[seat].name, view.turn, json.dumps(log.to_json())))
    found = {(turn.player, turn.turn, json.dumps(turn.log.to_json())) for turn in claims.turns}
    assert found == wanted
    asked = [turn.given.question for turn in claims.turns if turn.given.question is not None]
    assert asked
    assert all(turn.grade.gain <= turn.best_here <= turn.grade.best_gain for turn in claims.turns if turn.best_here)


def test_the_report_gives_the_files_that_grade_gives_the_same_figures_for(some):
    claims, folder = some
    report = folder / "report"
    assert ran("report", folder).code == 0
    graded = json.loads(ran("grade", report / "claims.jsonl", "--key", report / "claims_key.jsonl", "--json").out)
    assert graded["each"] == [turn.grade.to_json() for turn in claims.turns]
    found = sum(model.found.value * sum(turn.grade.wanted for turn in model.turns) for model in models_of(claims.turns))
    assert found == pytest.approx(graded["found"])
    assert graded["positions"] == graded["answered"] == len(claims.turns) > 10


def test_the_page_tells_the_models_side_by_side(some):
    page = (some[1] / "report" / "report.html").read_text(encoding="utf-8")
    section = page.partition('id="claims">What language models knew')[2]
    assert 0 < section.index("llm:x") < section.index("llm:y:notes=no")
    assert "Wrong claims of" not in page
    again = ran("report", some[1], "--out", some[1] / "report")
    assert again.code == 0, "files of its own are replaced"
    (some[1] / "report" / "claims.jsonl").write_text("mine")
    assert ran("report", some[1]).code == 2


def test_a_claim_that_is_refuted_is_told_with_the_facts(monkeypatch, tmp_path):
    claims = batch(claiming(["Amber", "envelope", True], ["Ladle", "Bob", True]), monkeypatch, tmp_path)
    (model,) = models_of(claims.turns)
    assert model.wrong.value > 0
    told = [turn.wrong for turn in model.first_wrong]
    assert told
    for turn, wrong in zip(model.first_wrong, told, strict=True):
        assert wrong.where is turn
        assert wrong.refuted is bool(turn.grade.refuted)
        assert str(wrong.claim) in ("Amber is in the envelope", "Bob holds Ladle", "you hold Ladle")
        if wrong.refuted:
            assert wrong.lines[-1].startswith("Therefore ")
            assert " not " in wrong.lines[-1]
        else:
            assert wrong.lines[0].startswith("It is not known whether")
            assert "A deal that fits where" in wrong.lines[1]
            assert " not " in wrong.lines[1]
    assert {wrong.refuted for wrong in told} == {True, False}
    assert ran("report", tmp_path).code == 0
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Wrong claims of llm:x" in page
    assert "That is not proved." in page


def test_who_says_nothing_counts_as_one_of_whom_nothing_is_known(monkeypatch, tmp_path):
    def mind(request):
        said = stand_in.answer(request)
        return "?" if "proved" in said else said

    claims = batch(mind, monkeypatch, tmp_path)
    (model,) = models_of(claims.turns)
    assert model.answered.value == 0.0
    assert model.found.value == 0.0
    assert model.odds_lost.value > 0
    assert any(turn.given is not None and turn.grade.gain > 0 for turn in model.turns), "what it asked is graded"


def test_a_guess_is_told_with_its_chance(monkeypatch, tmp_path):
    def mind(request):
        form = request["response_format"]["json_schema"]["schema"]["properties"]
        if "Do you accuse?" in request["messages"][-1]["content"] and "cards" in form:
            named = form["cards"]["anyOf"][0]["properties"]
            return json.dumps({"cards": [one["enum"][0] for one in named.values()]})
        return stand_in.answer(request)

    (model,) = models_of(batch(mind, monkeypatch, tmp_path).turns)
    guesses = model.accusations(accused=True, proved=False)
    assert len(guesses) + len(model.accusations(accused=True, proved=True)) == len(model.games), "who guesses is out"
    assert 0.0 <= model.guess_chance < 0.5


def test_models_that_were_not_asked_have_no_part_in_the_report(monkeypatch, tmp_path):
    claims = batch(stand_in.answer, monkeypatch, tmp_path, "llm:x,hard,hard")
    assert not claims.turns
    assert ran("report", tmp_path).code == 0
    assert not list((tmp_path / "report").glob("claims*"))
    assert "What language models knew" not in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
