"""What a seed keeps secret: nothing by itself, and everything with a secret part."""

from __future__ import annotations

import json
import tomllib
from random import Random

import numpy as np
import pytest
from helpers.cases import cases
from helpers.command_line import complaint, ran, run
from helpers.laboratory import small
from helpers.seen_from import walked
from helpers.spies import Spy, deals_of, first_word

from cluedo import Rules, SetupError, iter_records
from cluedo.ai.level_random import RandomPlayer
from cluedo.ai.levels import PlayerSpec
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds, draw_deal
from cluedo.engine.game import Game
from cluedo.experiments.plan.part import AUTO, Conditions, Part, drawn_secret
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt
from cluedo.experiments.read.stats import wilson_interval

SECRET = "not to be found anywhere"


def runner_of(line_up=("random",) * 4, games=8, secret: str | None = SECRET, board="tiny") -> GameRunner:
    return GameRunner(Part(board, Rules(), line_up, games, seed_secret=secret), Conditions(records=True))


def records(secret: str | None) -> list[str]:
    return [result.record for result in runner_of(secret=secret).play(range(8), Interrupt.never())]


def view_of(secret: str | None, deal: int):
    return Game.begin(Board.load("classic"), Rules(), Seeds(0, deal, 4, secret)).view(1)


def test_a_secret_gives_other_games_and_the_same_ones_each_time():
    assert records(SECRET) == records(SECRET)
    assert not {record.partition('"players"')[2] for record in records(SECRET)} & {
        record.partition('"players"')[2] for other in (None, "another") for record in records(other)
    }


def test_deals_of_a_known_seed_are_found_and_those_with_a_secret_are_not():
    for deal in range(20):
        found = list(deals_of(view_of(None, deal), seeds=range(2), deals=range(20)))
        true = draw_deal(Seeds(0, deal, 4), Board.load("classic").deck, Rules())
        assert true.envelope in {guess.envelope for guess in found}
        assert not list(deals_of(view_of(SECRET, deal), seeds=range(2), deals=range(20)))


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_a_player_cannot_work_back_from_its_own_generator_to_the_deal(seats):
    """Without a secret half of the players can, which is why a secret is hashed and not added to the entropy."""
    players = [1 + seats + k for k in range(seats * seats)]
    for deal in range(5):
        for secret, can in ((None, True), (SECRET, False)):
            words = Seeds(0, deal, seats, secret).words
            for index in players[players[0] % 2 :: 2]:
                assert (first_word(index, words[index] % (1 << 64)) == words[0] % (1 << 64)) is can


def test_words_of_a_secret_are_all_different():
    drawn = [Seeds(seed, deal, 3, key) for key in ("a", "b") for deal in range(20) for seed in (0, 1)]
    words = [word for seeds in drawn for word in seeds.words]
    assert len(set(words)) == len(words)
    assert len({drawn_secret() for _ in range(100)}) == 100


class Searching(RandomPlayer):
    """Notes whether anything that it is given is a part of the secret."""

    given = 0

    def begin(self, view, random: Random) -> None:
        super().begin(view, random)
        for thing in (view, random):
            for _, part in walked(thing):
                assert SECRET not in repr(part)
                type(self).given += 1


def test_nothing_that_a_player_is_given_holds_the_secret_and_a_record_no_seed():
    runner = runner_of()
    runner.players[0] = PlayerSpec("searching", Searching, ())
    results = runner.play(range(8), Interrupt.never())
    assert Searching.given > 1000
    for result in results:
        assert not any(result.faults)
        assert SECRET not in result.record
        told = json.loads(result.record)
        assert (told["seed"], told["deal"], told["rotation"]) == (None, result.game // 4, result.game % 4)
    assert SECRET not in repr(runner.part)


def test_a_secret_that_is_still_to_be_drawn_plays_no_games():
    with pytest.raises(SetupError, match="still to be drawn"):
        Part("tiny", Rules(), ("easy",) * 3, 3, seed_secret=AUTO)


def test_an_experiment_with_a_secret_is_another_one():
    plain, secret, other = small(), small().but(seed_secret="a"), small().but(seed_secret="b")
    assert len({each.digest() for each in (plain, secret, other)}) == 3
    assert secret.but(seed_secret=None).digest() == plain.digest()
    assert len({each.parts[0].fingerprint for each in (plain, secret, other)}) == 3
    assert plain.parts[0].fingerprint == plain.seed
    assert tomllib.loads(secret.to_toml())["seed_secret"] == "a"


def test_a_drawn_secret_is_told_and_kept_and_repeats_the_games(tmp_path):
    arguments = ("autoplay", "--players", "random,random,random", "--map", "tiny", "--games", "9", "--workers", "1")
    err = ran(*arguments, "--seed-secret", "auto", "--out", tmp_path / "a").err
    summary = json.loads((tmp_path / "a" / "summary.json").read_text())
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    secret = summary["seed_secret"]
    assert len(secret) == 32
    assert secret in err
    assert manifest["experiment"]["seed_secret"] == secret
    assert f"--seed-secret {secret}" in manifest["command"]
    run(*arguments, "--seed-secret", secret, "--out", tmp_path / "b")
    games = [(tmp_path / name / "games.jsonl").read_bytes() for name in "ab"]
    assert games[0] == games[1]
    for record in iter_records(tmp_path / "a" / "games.jsonl"):
        record.replay()


def test_who_resumes_an_experiment_goes_on_with_its_secret(tmp_path):
    file, out = tmp_path / "e.toml", tmp_path / "out"
    file.write_text(
        'name = "e"\nmaps = ["tiny"]\nline_ups = [["random", "random", "random"]]\ngames = 12\n'
        'seed_secret = "auto"\nrecord = "full"\n'
    )
    arguments = ("experiment", "run", file, "--out", out, "--workers", "1")
    run(*arguments)
    before = {path.name: path.read_bytes() for path in (out / "chunks").glob("*.parquet")}
    manifest = json.loads((out / "manifest.json").read_text())
    secret = manifest["experiment"]["seed_secret"]
    assert f"--seed-secret {secret}" in manifest["command"], "who repeats the command plays the same games"
    (out / "chunks" / sorted(before)[1]).unlink()
    again = ran(*arguments, "--resume")
    assert (again.code, secret in again.err) == (0, False), "none was drawn"
    assert {path.name for path in (out / "chunks").glob("*.parquet")} == set(before)
    assert "another experiment" in complaint(*arguments, "--resume", "--seed-secret", "another")


@pytest.mark.slow
def test_a_spy_that_looks_which_object_hides_a_card_wins_its_fair_share():
    games = cases(1200, 300)
    runner = runner_of(("medium",) * 4, games, board="manoir")
    runner.players[0] = PlayerSpec("spy", Spy, ())
    results = runner.play(range(games), Interrupt.never())
    wins = sum(result.winner is not None and (result.winner + result.game) % 4 == 0 for result in results)
    low, high = wilson_interval(wins, games)
    print(f"\n  the spy won {wins} of {games}: {wins / games:.1%} [{low:.1%}, {high:.1%}]")
    assert low <= 0.25 <= high


@pytest.mark.parametrize("secret", [None, SECRET])
def test_the_numbers_of_a_deal_may_be_numpys(secret):
    assert Seeds(np.int64(1), np.int64(3), np.int64(4), secret).words == Seeds(1, 3, 4, secret).words
