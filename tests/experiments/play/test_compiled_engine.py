"""Experiments on the compiled engine: the same deals, the same rows, and other players refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers.command_line import complaint, ran
from markupsafe import Markup

from cluedo.engine.errors import PlayerError
from cluedo.engine.events import Rolled
from cluedo.engine.record import GameRecord
from cluedo.engine.rules import Rules
from cluedo.experiments.plan.experiment import Experiment, ExperimentError
from cluedo.experiments.plan.part import Conditions, Part
from cluedo.experiments.play.games import CompiledRunner, GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.read.results import Results
from cluedo.experiments.report.facts import gather
from cluedo.experiments.report.page import charts_of, render
from cluedo.experiments.rows.result_rows import ResultRows

LINE_UP = ("blueprint", "medium", "random", "easy", "medium")
COMPILED = Part("manoir", Rules(), LINE_UP, 23, 9, engine="compiled")


def test_the_deals_are_those_of_the_python_engine():
    compiled = CompiledRunner(COMPILED).rows(range(23), Interrupt())
    python = GameRunner(Part("manoir", Rules(), ("random",) * 5, 23, 9)).play(range(23), Interrupt())
    assert compiled.by_game["first"].tolist() == [result.first for result in python]
    assert compiled.by_seat["hand_size"].tolist() == [list(result.hand_sizes) for result in python]


def test_rows_are_the_same_whether_the_referee_plays_the_games_again_or_not():
    quick = CompiledRunner(COMPILED).rows(range(3, 23), Interrupt())
    watched = CompiledRunner(COMPILED, Conditions(records=True)).rows(range(3, 23), Interrupt())
    assert len(watched.records) == 20
    for one, other in ((quick.by_game, watched.by_game), (quick.by_seat, watched.by_seat)):
        for name in one.keys() - {"think_ms"}:
            np.testing.assert_array_equal(one[name], other[name], name)
    again = ResultRows.of(COMPILED, CompiledRunner(COMPILED).play(range(3, 23), Interrupt()))
    assert again.by_game["turns"].tolist() == quick.by_game["turns"].tolist()


def test_an_experiment_file_may_name_the_engine_and_its_hash_tells():
    text = 'name = "x"\nmaps = ["tiny"]\nline_ups = [["easy", "easy", "medium"]]\ngames = 3\n'
    python, compiled = Experiment.from_toml(text, "x"), Experiment.from_toml(text + 'engine = "compiled"\n', "x")
    assert python.digest() == Experiment.from_toml(text + 'engine = "python"\n', "x").digest() != compiled.digest()
    assert compiled.parts[0].engine == "compiled"
    assert Experiment.from_toml(compiled.to_toml(), "x") == compiled
    with pytest.raises(ExperimentError, match="engine"):
        Experiment.from_toml(text + 'engine = "steam"\n', "x")


MIXED = """
name = "mixed"
maps = ["tiny"]
line_ups = [["hard", "easy", "medium"], ["easy", "habit", "hard"], ["random", "random", "hard:own_cards=never"]]
games = 6
seed = 4
engine = "compiled"
"""


def test_a_line_up_of_more_players_than_are_compiled_is_played_by_the_python_engine(tmp_path):
    about = 'name = "x"\nmaps = ["master"]\ngames = 7\nengine = "compiled"\n[rules]\nmovement = "free"\n'
    (tmp_path / "x.toml").write_text(about + '[gauntlet]\nlevel = "medium"\nagainst = ["easy"]\nseats = [6, 7]\n')
    parts = Experiment.load(tmp_path / "x.toml").parts
    assert {(part.seats, part.engine) for part in parts} == {(6, "compiled"), (7, "python")}
    done = ran("experiment", "run", tmp_path / "x.toml", "--out", tmp_path / "out", "--workers", "1")
    slow = sum(part.seats == 7 for part in parts)
    assert f"by the Python engine: {slow} of {len(parts)}, those with more than 6 players\n" in done.err


def test_a_level_of_compiled_games_alone_is_refused_beside_others_with_its_line_up(tmp_path):
    line_ups = 'line_ups = [["easy", "easy", "hard"], ["blueprint", "habit", "easy"]]'
    (tmp_path / "x.toml").write_text(f'name = "x"\nmaps = ["tiny"]\ngames = 3\nengine = "compiled"\n{line_ups}\n')
    told = complaint("experiment", "run", tmp_path / "x.toml", "--out", tmp_path / "out")
    assert told.startswith("blueprint,habit,easy on tiny: blueprint plays compiled games only, with random, easy, med")
    assert not (tmp_path / "out").exists()


def test_a_run_says_which_line_ups_are_not_compiled_and_the_manifest_which_engine_played(tmp_path):
    (tmp_path / "mixed.toml").write_text(MIXED)
    out = tmp_path / "out"
    done = ran("experiment", "run", tmp_path / "mixed.toml", "--out", out, "--workers", "1")
    assert "line-ups played by the Python engine: 1 of 3, those with habit\n" in done.err
    manifest = json.loads((out / "manifest.json").read_text())
    assert [part["engine"] for part in manifest["parts"]] == ["compiled", "python", "compiled"]
    with Results.open([out]) as results:
        facts = gather(results)
        page = render(
            facts, {key: Markup('<svg aria-label="{}"/>').format(label) for key, label, *_ in charts_of(facts)}
        )
        times = {level: play.think_ms for level, play in results.play().items()}
    assert "compiled; line-ups played by the Python engine: 1 of 3" in page
    assert times["medium"] == 0.0 < min(times["hard"], times["habit"])
    assert facts.growth.games == 18


def test_both_engines_meet_the_same_deals_in_one_experiment(tmp_path):
    compiled, python, _ = Experiment.from_toml(MIXED, "x").parts
    kept = Conditions(records=True)
    runners = CompiledRunner(compiled, kept), GameRunner(python, kept)
    for pair in zip(*(runner.play(range(6), Interrupt()) for runner in runners), strict=True):
        one, other = (GameRecord.from_json(result.record) for result in pair)
        assert (one.envelope, one.first) == (other.envelope, other.first)
        assert [player.hand for player in one.players] == [player.hand for player in other.players]
        for seat in range(3):
            rolls = (
                [e.dice for e in game.replay().events if isinstance(e, Rolled) and e.seat == seat]
                for game in (one, other)
            )
            assert all(first == second for first, second in zip(*rolls, strict=False))


def test_players_that_the_engine_does_not_know_are_refused():
    with pytest.raises(PlayerError, match="expert: compiled games are played by random, easy, medium, hard, blueprint"):
        CompiledRunner(Part("manoir", Rules(), ("expert", "easy", "easy"), 3, engine="compiled"))
    with pytest.raises(PlayerError, match="blueprint plays compiled games only, with random, easy, medium, hard at"):
        GameRunner(Part("manoir", Rules(), ("blueprint", "easy", "easy"), 3))
