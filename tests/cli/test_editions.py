"""``--edition``: on the command line and in experiment files."""

from __future__ import annotations

import pytest
from helpers.command_line import complaint, run

from cluedo import Rules, iter_records
from cluedo.engine.editions import shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.experiments.plan.experiment import Experiment, ExperimentError

FEW = ("--players", "random,random", "--games", 2, "--workers", 1)


def test_all_editions_are_listed_with_their_rules():
    out = run("editions")
    assert all(f"\n{edition.name}\n" in f"\n{out}" for edition in shipped_editions())
    assert "  players: 2; map: classic\n  rules: pool=4, peek=true\n" in out
    assert "  players: 3 to 10; map: master\n" in out


@pytest.mark.parametrize(
    ("beside", "kept"),
    [
        (FEW, ("classic", "random,random", Rules(pool=4, peek=True))),
        ((*FEW, "--map", "tiny", "--rule", "dice=1"), ("tiny", "random,random", Rules(pool=4, peek=True, dice=1))),
        (("--rule", "max_turns=2", *FEW[2:]), ("classic", "medium,hard", Rules(pool=4, peek=True, max_turns=2))),
    ],
    ids=["alone", "beside a map and rules", "without players"],
)
def test_results_keep_the_rules_of_an_edition_and_what_overrides_them(beside, kept, tmp_path):
    run("autoplay", "--edition", "two", *beside, "--out", tmp_path / "new")
    played = Experiment.load(tmp_path / "new" / "experiment.toml")
    assert (*played.maps, *map(",".join, played.line_ups), played.rules) == kept
    record = next(iter_records(tmp_path / "new" / "games.jsonl"))
    assert (record.map, len(record.players), record.rules) == (kept[0], 2, kept[2])


def test_a_game_of_an_edition_is_played_and_saved_by_its_rules(tmp_path):
    saved = tmp_path / "game.json"
    out = run("play", "--plain", "--edition", "two", "--seed", 1, "--record", saved, typed="quit\n")
    assert "Classic mansion: 2 players, clockwise" in out
    assert '"pool": 4' in saved.read_text(encoding="utf-8")
    told = complaint("play", "--resume", saved, "--edition", "two")
    assert "--resume continues a game as it is; --edition cannot be set" in told


@pytest.mark.parametrize(
    ("edition", "players", "told"),
    [
        ("two", "human,easy,easy", "the edition 'two' is for 2 players, not 3"),
        ("master", "human,easy", "the edition 'master' is for 3 to 10 players, not 2"),
        ("classic", "human,easy", "the edition 'classic' is for 3 to 6 players, not 2"),
    ],
)
def test_an_edition_refuses_other_numbers_of_players(edition, players, told, tmp_path):
    levels = players.replace("human", "easy")
    for command in (
        ("autoplay", "--players", levels, "--games", 1),
        ("play", "--plain", "--players", players, "--record", tmp_path / "game.json"),
        ("positions", "--players", levels),
        ("assist", "--plain", "--players", players.replace("easy,easy", "Ann,Bob"), tmp_path / "case.json"),
    ):
        assert complaint(*command, "--edition", edition) == told
    assert not list(tmp_path.iterdir())
    line_up = levels.split(",")
    with pytest.raises(CluedoError, match=told):
        Experiment.from_toml(f'name = "x"\ngames = 2\nline_ups = [{line_up}]\nedition = "{edition}"\n', "x.toml")


# ---- experiment files ----------------------------------------------------------------------------

PLAIN = 'name = "x"\ngames = 4\nline_ups = [["random", "random"]]\n'


def test_an_experiment_file_may_name_an_edition():
    by_name = Experiment.from_toml(PLAIN + 'edition = "two"\n', "x.toml")
    in_full = Experiment.from_toml(PLAIN + 'maps = ["classic"]\n[rules]\npool = 4\npeek = true\n', "x.toml")
    assert by_name == in_full
    assert by_name.to_toml() != ""
    assert Experiment.from_toml(by_name.to_toml(), "again") == in_full


def test_what_an_experiment_file_says_beside_an_edition_overrides_it():
    text = PLAIN + 'edition = "two"\nmaps = ["tiny", "manoir"]\n[rules]\ndice = 1\npool = 2\n'
    told = Experiment.from_toml(text, "x.toml")
    assert (told.maps, told.rules.pool, told.rules.dice, told.rules.peek) == (("tiny", "manoir"), 2, 1, True)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('edition = "tow"', "no edition is called 'tow'; did you mean 'two'?"),
        ("edition = 3", "no edition is called '3'"),
        ('edition = "two"\nrules = 3', "rules: must be an object"),
    ],
)
def test_a_wrong_edition_in_a_file_is_one_sentence(more, told):
    with pytest.raises(ExperimentError) as refused:
        Experiment.from_toml(PLAIN + more + "\n", "x.toml")
    assert told in str(refused.value)
