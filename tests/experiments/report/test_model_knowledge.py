"""What language models claim to know, graded: by exact answers that other ways lead to, too."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
from helpers.command_line import ran
from helpers.model_server import WithLevel, endpoint, exact_claims, stand_in
from helpers.reports import leave_pictures_empty

from cluedo.ai.knowledge.caselog import PERSONS, case_log
from cluedo.ai.knowledge.seat_knowledge import after_each_turn
from cluedo.engine.board import Board
from cluedo.engine.record import GameRecord
from cluedo.experiments.read.results import Results
from cluedo.experiments.report.model_knowledge import graded_claims, models_of

BATCH = ("--map", "tiny", "--workers", "1")


def batch(mind, monkeypatch, folder, players="llm:x:claims=yes,hard,hard", games=3):
    """The graded turns of a batch between a model and others, which is kept in a folder."""
    with endpoint(mind, monkeypatch):
        played = ran("autoplay", "--players", players, *BATCH, "--games", str(games), "--out", folder)
    assert played.code == 0, played.error
    return graded(folder)


def graded(*folders):
    with Results.open(folders) as results:
        return graded_claims(results)


def form_of(request):
    """The parts of the answer that a request asks for."""
    return request["response_format"]["json_schema"]["schema"]["properties"]


def claiming(*proved):
    """A mind that always claims the same."""

    def mind(request):
        form = form_of(request)
        if "proved" in form:
            return json.dumps({"proved": proved, "envelope": None})
        return stand_in.answer(request)

    return mind


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """The turns of two models that cross out what they see, and the folder, with its report."""
    folder = tmp_path_factory.mktemp("some")
    with pytest.MonkeyPatch.context() as patch:
        leave_pictures_empty(patch)
        claims = batch(stand_in.answer, patch, folder, "llm:x:claims=yes,llm:y:claims=yes:notes=no,hard")
        assert ran("report", folder).code == 0
    return claims, folder


def test_who_says_all_that_follows_is_graded_as_a_perfect_reasoner(monkeypatch, tmp_path):
    monkeypatch.setattr("cluedo.bots.llm.model_player.LanguageModel", WithLevel)
    (model,) = models_of(batch(exact_claims, monkeypatch, tmp_path).turns)
    assert all(turn.grade.answered and turn.grade.complete for turn in model.turns)
    assert model.found.value == 1.0
    assert (model.wrong.value, model.refuted, model.first_wrong) == (0.0, 0, [])
    assert model.odds_lost.value == pytest.approx(0.0, abs=1e-6)
    assert model.open_bits(exact=False).mean == pytest.approx(model.open_bits(exact=True).mean, abs=0.03)
    assert 0.5 < model.question.value <= 1.0
    assert model.accusations(accused=True, proved=True)
    assert not model.accusations(accused=True, proved=False)
    assert not model.accusations(accused=False, proved=True)
    assert model.guess_chance is None


def test_positions_and_questions_are_those_of_the_games(some):
    claims, folder = some
    board, wanted = Board.load("tiny"), set()
    for number, line in enumerate((folder / "games.jsonl").read_text(encoding="utf-8").splitlines()):
        record = GameRecord.from_json(line)
        models = {seat for seat, player in enumerate(record.players) if player.name.startswith("llm:")}
        for position in after_each_turn(record.replay(board)):
            seat = position.state.active
            if seat in models and position.result is None:
                view = position.view(seat)
                log = case_log(position.table, view.events, seat, view.hand, names=PERSONS)
                wanted.add((record.players[seat].name, number, seat, view.turn, json.dumps(log.to_json())))
    found = {
        (turn.player, turn.seat.game, turn.seat.seat, turn.turn, json.dumps(turn.log.to_json()))
        for turn in claims.turns
    }
    assert found == wanted
    asked = [turn.given.question for turn in claims.turns if turn.given.question is not None]
    assert asked
    assert all(turn.grade.gain <= turn.best_here <= turn.grade.best_gain for turn in claims.turns if turn.best_here)


def test_the_report_gives_the_files_that_grade_gives_the_same_figures_for(some):
    claims, folder = some
    report = folder / "report"
    graded = json.loads(ran("grade", report / "claims.jsonl", "--key", report / "claims_key.jsonl", "--json").out)
    assert graded["each"] == [turn.grade.to_json() for turn in claims.turns]
    proofs = sum(model.found.value * sum(one.grade.wanted for one in model.turns) for model in models_of(claims.turns))
    assert proofs == pytest.approx(graded["found"])
    assert graded["positions"] == graded["answered"] == len(claims.turns) > 10


def test_the_key_tells_where_a_position_comes_from_and_not_how_its_turns_are_grouped(some):
    claims, folder = some
    lines = (folder / "report" / "claims_key.jsonl").read_text(encoding="utf-8").splitlines()
    turn = claims.turns[0]
    assert json.loads(lines[0])["source"] == {
        "player": turn.player, "experiment": "autoplay", "game": 0, "deal": 0, "seat": turn.seat.seat
    }  # fmt: skip


@pytest.mark.usefixtures("no_pictures")
def test_the_page_tells_the_models_side_by_side(some, tmp_path):
    folder = shutil.copytree(some[1], tmp_path / "results")
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    section = page.partition('id="claims">What language models knew')[2]
    assert 0 < section.index("llm:x") < section.index("llm:y:notes=no")
    assert "Wrong claims of" not in page
    again = ran("report", folder, "--out", folder / "report")
    assert again.code == 0, "files of its own are replaced"
    (folder / "report" / "claims.jsonl").write_text("mine")
    assert ran("report", folder).code == 2


@pytest.mark.usefixtures("no_pictures")
def test_a_claim_that_is_refuted_is_told_with_the_facts(monkeypatch, tmp_path):
    claims = batch(claiming(["Amber", "envelope", True], ["Ladle", "Bob", True]), monkeypatch, tmp_path, games=6)
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
    assert model.question is None


def test_a_guess_is_told_with_its_chance(monkeypatch, tmp_path):
    def mind(request):
        form = form_of(request)
        if "Do you accuse?" in request["messages"][-1]["content"] and "cards" in form:
            named = form["cards"]["anyOf"][0]["properties"]
            return json.dumps({"cards": [one["enum"][0] for one in named.values()]})
        return stand_in.answer(request)

    (model,) = models_of(batch(mind, monkeypatch, tmp_path).turns)
    guesses = model.accusations(accused=True, proved=False)
    assert len(guesses) + len(model.accusations(accused=True, proved=True)) == len(model.games), "who guesses is out"
    assert 0.0 <= model.guess_chance < 0.5


def test_who_accuses_others_than_those_that_are_proved_has_no_proof(monkeypatch, tmp_path):
    monkeypatch.setattr("cluedo.bots.llm.model_player.LanguageModel", WithLevel)

    def mind(request):
        said, form = json.loads(exact_claims(request)), form_of(request)
        if "Do you accuse?" in request["messages"][-1]["content"] and said.get("cards"):
            suspects = form["cards"]["anyOf"][0]["properties"]["suspect"]["enum"]
            said["cards"][0] = next(name for name in suspects if name != said["cards"][0])
        return json.dumps(said)

    (model,) = models_of(batch(mind, monkeypatch, tmp_path).turns)
    assert not model.accusations(accused=True, proved=True)
    assert model.accusations(accused=True, proved=False)
    assert model.guess_chance == 0.0


@pytest.mark.usefixtures("no_pictures")
def test_models_that_were_not_asked_have_no_part_in_the_report(monkeypatch, tmp_path):
    claims = batch(stand_in.answer, monkeypatch, tmp_path, "llm:x,hard,hard")
    assert not claims.turns
    assert ran("report", tmp_path).code == 0
    assert not list((tmp_path / "report").glob("claims*"))
    assert "What language models knew" not in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_line_ups_and_maps_that_share_a_seed_are_told_apart(monkeypatch, tmp_path):
    """They have the same deals, and players in the same place the same chances."""
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(
        'name = "two"\nmaps = ["tiny", "classic"]\ngames = 3\nseed = 5\n'
        'line_ups = [["llm:x:claims=yes", "hard", "hard"], ["llm:y:claims=yes", "hard", "hard"]]\n'
        '[rules]\nmax_turns = 12\nmovement = "free"\n'
    )

    def mind(request):
        said = json.loads(stand_in.answer(request))
        if "envelope" in said:
            card = next(iter(form_of(request)["envelope"]["properties"]))
            said["envelope"] = {card: 0.25 if request["model"] == "x" else 0.75}
        return json.dumps(said)

    with endpoint(mind, monkeypatch) as server:
        assert ran("experiment", "run", experiment, "--out", tmp_path / "out", "--workers", "1").code == 0
        asked = sum("proved" in form_of(one) for one in server.requests)
    claims = graded(tmp_path / "out")
    assert len(claims.turns) == asked, "nothing that one was told is answered by what another had said"
    assert claims.why_not is None
    for turn in claims.turns:
        assert set(turn.given.envelope.values()) == {0.25 if turn.player.startswith("llm:x") else 0.75}
    assert {(turn.player, turn.log.setting.board.source) for turn in claims.turns} == {
        (player, board) for player in ("llm:x:claims=yes", "llm:y:claims=yes") for board in ("tiny", "classic")
    }
    assert len({turn.exact.id for turn in claims.turns}) == len(claims.turns)


def test_a_game_that_was_played_again_counts_once_and_one_that_is_not_stored_does_not(some, tmp_path):
    claims, folder = some
    shutil.copytree(folder, tmp_path / "again", ignore=shutil.ignore_patterns("report"))
    path = tmp_path / "again" / "exchanges.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first = [line for line in lines if json.loads(line)["game"] == json.loads(lines[0])["game"]]
    foreign = [json.dumps(json.loads(line) | {"game": "0123456789abcdef"}) + "\n" for line in first]
    path.write_text("".join([*first[: len(first) // 2], *foreign, *lines]), encoding="utf-8")
    assert [turn.grade for turn in graded(tmp_path / "again").turns] == [turn.grade for turn in claims.turns]
    several = graded(folder, tmp_path / "again")
    assert len(several.turns) == 2 * len(claims.turns)


def test_a_deal_that_two_experiments_share_is_one_observation(some, tmp_path):
    claims, folder = some
    shutil.copytree(folder, tmp_path / "again", ignore=shutil.ignore_patterns("report"))
    once, twice = (
        models_of([replace(turn, seat=turn.seat._replace(deal=turn.seat.game)) for turn in some_turns])
        for some_turns in (claims.turns, graded(folder, tmp_path / "again").turns)
    )
    for one, both in zip(once, twice, strict=True):
        assert len(both.turns) == 2 * len(one.turns)
        assert both.odds_lost == pytest.approx(one.odds_lost)
        assert one.odds_lost.low < one.odds_lost.high


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda line: "nonsense", "it holds a line that is no exchange"),
        (lambda line: json.dumps(line | {"game": []}), "it holds a line that is no exchange"),
        (lambda line: json.dumps(line | {"log": []}), "it holds a line that is no exchange"),
        (lambda line: json.dumps(line | {"log": {"map": 1}}), "the case log"),
        (lambda line: json.dumps(line | {"log": (line["log"] or {}) | {"map": "nowhere.json"}}), "nowhere.json"),
    ],
)
def test_what_cannot_be_graded_is_told(some, tmp_path, damage, told):
    damaged(some[1], tmp_path, damage)
    assert told in graded(tmp_path / "damaged").why_not


@pytest.mark.usefixtures("no_pictures")
def test_what_cannot_be_graded_is_no_end_of_the_report(some, tmp_path):
    damaged(some[1], tmp_path, lambda line: json.dumps(line | {"log": []}))
    assert ran("report", tmp_path / "damaged").code == 0
    page = (tmp_path / "damaged" / "report" / "report.html").read_text(encoding="utf-8")
    assert "Some of what models said could not be graded: " in page


def damaged(folder, tmp_path, damage):
    """A copy of a folder whose lines of exchanges are damaged."""
    shutil.copytree(folder, tmp_path / "damaged", ignore=shutil.ignore_patterns("report"))
    path = tmp_path / "damaged" / "exchanges.jsonl"
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    path.write_text("".join(damage(line) + "\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("said", ['{"cards": ["Nobody", "Ladle", "Den"]}', "?"])
def test_an_accusation_that_could_not_be_taken_is_none_and_no_decision_against_one(monkeypatch, tmp_path, said):
    def mind(request):
        accuses = "Do you accuse?" in request["messages"][1]["content"]
        return said if accuses else stand_in.answer(request)

    claims = batch(mind, monkeypatch, tmp_path)
    assert claims.turns
    assert all(turn.accusing is None for turn in claims.turns)
