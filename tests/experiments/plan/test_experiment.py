"""Experiment files: what they say, what is wrong with them, and the parts that follow."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.laboratory import small
from hypothesis import given, strategies as st

from cluedo import Rules
from cluedo.experiments.plan.experiment import Experiment, ExperimentError, shipped_experiments

LINE_UPS = 'line_ups = [["easy", "easy", "medium", "medium"]]'
SEED = f"""
name = "seed"
maps = ["manoir"]
{LINE_UPS}
games = 400
seed = 0
record = "results"
[rules]
dice = 2
[stop.sprt]
a = "medium"
b = "easy"
elo0 = 0
elo1 = 20
alpha = 0.05
beta = 0.05
"""


def read(text):
    return Experiment.from_toml(text, "x.toml")


def test_a_file_says_what_it_says():
    experiment = read(SEED)
    assert (experiment.name, experiment.maps, experiment.games, experiment.seed) == ("seed", ("manoir",), 400, 0)
    assert experiment.every_line_up == (("easy", "easy", "medium", "medium"),)
    assert experiment.rules == Rules(dice=2)
    assert experiment.stop is not None
    assert (experiment.stop.sprt.a, experiment.stop.sprt.elo1) == ("medium", 20)
    assert read(experiment.to_toml()) == experiment
    unsaid = small(chunk=None, stop=None)
    assert read(unsaid.to_toml()) == unsaid


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("games = 400", "gmaes = 400"), "there is no key 'gmaes'; did you mean 'games'"),
        (("dice = 2", "dcie = 2"), "rules: there is no key 'dcie'; did you mean 'dice'"),
        (("elo0 = 0", "elo = 0"), "stop.sprt: there is no key 'elo'; did you mean 'elo"),
        (("[stop.sprt]", "[stop.sprtt]"), "stop: there is no key 'sprtt'; did you mean 'sprt'"),
        (("games = 400", "games = 0"), "games: "),
        (("games = 400", ""), "games: is missing"),
        (("games = 400", "games = true"), "games: "),
        (("games = 400", 'games = "400"'), "games: "),
        (("games = 400", 'games = 400\ntrusted = "no"'), "trusted: "),
        (("games = 400", "games = 400\nthink_limit = true"), "think_limit: "),
        (("games = 400", "games = 400\ntime_bank = nan"), "time_bank: must be a finite number"),
        ((LINE_UPS, "line_ups = []"), "line_ups: it is empty"),
        ((LINE_UPS, "round_robin = {levels = ['easy', 'easy']}"), "round_robin.levels[1]: 'easy' stands there twice"),
        ((LINE_UPS, "gauntlet = {level = 'easy', against = ['easy']}"), "gauntlet[1]: 'easy' stands there twice"),
        ((LINE_UPS, "round_robin = {levels = ['easy', 'hard'], seats = [3, 3]}"), "round_robin[2]: easy,hard,hard "),
        (("seed = 0", "seed = -1"), "seed: "),
        (('"results"', '"everything"'), "record: "),
        (('"results"', '"results"\nbatch = true'), "batch: it needs one line-up on one map, and record = "),
        (('maps = ["manoir"]', 'batch = true\nmaps = ["manoir", "tiny"]'), "batch: it needs one line-up on one map"),
        (('name = "seed"', 'name = "../seed"'), "name: "),
        (('maps = ["manoir"]', "maps = []"), "maps: "),
        (('maps = ["manoir"]', 'maps = ["manoir", "manoir"]'), "maps[1]: 'manoir' stands there twice"),
        (("line_ups = [[", "line_ups = [[], ["), "line_ups[0]: it is empty"),
        (("dice = 2", "dice = 0"), "rules.dice: "),
        (('a = "medium"', 'a = "hard"'), "stop.sprt.a: 'hard' does not play in the line-up easy,easy,medium,medium"),
        (('"medium", "medium"]', '"medium", "hard"]'), "stop.sprt: a and b need equally many seats"),
        (("elo1 = 20", "elo1 = -20"), "stop.sprt: "),
        (("line_ups", "round_robin = {levels = ['easy', 'hard']}\nline_ups"), "exactly one of line_ups, round_robin"),
        ((LINE_UPS, ""), "exactly one of line_ups, round_robin"),
        (("line_ups = [[", 'line_ups = [["easy", "easy", "medium", "medium"], ['), "stands there twice"),
        (("games = 400", "games = 402"), "games: 402 are no multiple of 4 players, as stop.sprt needs"),
        (("games = 400", "games ="), "not TOML: "),
        (("seed = 0", "format = 2"), "format 2 is newer than this program knows"),
        (("seed = 0", "format = 0"), "format: "),
    ],
)
def test_what_is_wrong_is_one_sentence_that_names_the_key(change, told):
    with pytest.raises(ExperimentError) as error:
        read(SEED.replace(*change))
    text = str(error.value)
    assert text.startswith("experiment x.toml: ")
    assert told in text
    assert "\n" not in text


def test_a_file_that_is_not_there_or_not_text_is_told(tmp_path):
    with pytest.raises(ExperimentError, match=r"there is no such file; .*quick"):
        Experiment.load(tmp_path / "quikc")
    (tmp_path / "x.toml").write_bytes(b"\xff")
    with pytest.raises(ExperimentError, match="not UTF-8 text"):
        Experiment.load(tmp_path / "x.toml")
    with pytest.raises(ExperimentError, match="cannot be read: Is a directory"):
        Experiment.load(tmp_path)


def test_a_round_robin_shares_the_seats_evenly():
    experiment = read(
        'name="r"\nmaps=["tiny"]\ngames=12\nround_robin = {levels = ["easy", "hard", "random"], seats = [3, 4]}'
    )
    line_ups = experiment.every_line_up
    assert len(line_ups) == 3 * 2 + 3
    assert line_ups[:2] == (("easy", "hard", "hard"), ("easy", "easy", "hard"))
    assert [line_up for line_up in line_ups if len(line_up) == 4] == [
        ("easy", "easy", "hard", "hard"),
        ("easy", "easy", "random", "random"),
        ("hard", "hard", "random", "random"),
    ]
    for level in experiment.levels:
        assert sum(line_up.count(level) for line_up in line_ups) == 2 * (1 + 2) + 2 * 2


def test_a_gauntlet_lets_one_meet_the_others():
    experiment = read('name="g"\nmaps=["tiny"]\ngames=12\ngauntlet = {level = "hard", against = ["easy", "random"]}')
    assert experiment.every_line_up == (("hard", "hard", "easy", "easy"), ("hard", "hard", "random", "random"))


@pytest.mark.parametrize("name", shipped_experiments())
def test_the_shipped_experiments_can_be_read(name):
    experiment = Experiment.load(name)
    assert experiment.name == name
    assert experiment.title
    # Whole deals, so that no seat is favoured.
    assert all(part.games % part.seats == 0 for part in experiment.parts)


@given(
    games=st.integers(1, 400),
    chunk=st.none() | st.integers(1, 60),
    seats=st.lists(st.integers(3, 6), min_size=1, max_size=3, unique=True),
)
def test_chunks_are_whole_deals_and_make_up_every_part(games, chunk, seats):
    line_ups = tuple(("easy",) * n for n in seats)
    experiment = small(line_ups=line_ups, maps=("manoir", "classic"), games=games, chunk=chunk)
    chunks = list(experiment.chunks())
    assert len({one.number for one in chunks}) == len(chunks)
    for number, part in enumerate(experiment.parts):
        mine = [one.games for one in chunks if one.part_number == number]
        assert [number for numbers in mine for number in numbers] == list(range(games))
        assert all(numbers.stop % part.seats == 0 for numbers in mine[:-1])
        assert all(len(numbers) <= 200 * part.seats for numbers in mine)
    assert experiment.total == 2 * len(seats) * games


def test_no_chunk_of_a_million_games_is_big_and_none_of_a_small_one_is_everything():
    big = list(small(games=1_000_000, chunk=None).chunks())
    assert max(len(chunk.games) for chunk in big) == 800
    assert len(list(small(games=400, chunk=None).chunks())) >= 20


def test_a_digest_is_of_the_meaning_and_of_the_files(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("one")
    experiment = small([f"{bot}:Bot", "easy", "easy"])
    digest = experiment.digest()
    assert experiment.digest() == digest == read(experiment.to_toml()).digest()
    assert small([f"{bot}:Bot", "easy", "easy"], seed=6).digest() != digest
    bot.write_text("two")
    assert experiment.digest() != digest
    bot.unlink()
    with pytest.raises(ExperimentError, match="cannot be read"):
        experiment.digest()


def test_a_key_that_comes_later_counts_in_the_digest_where_it_is_used():
    class Later(Experiment):
        pause: float = 0.0

    told: dict[str, Any] = {"name": "x", "maps": ("tiny",), "line_ups": (("easy", "easy", "hard"),), "games": 3}
    assert Later.of(**told).digest() == Experiment.of(**told).digest() != Later.of(**told, pause=1.0).digest()


def test_a_large_program_can_be_a_player(tmp_path):
    """Some runtimes, such as Node's, are one file of more than 100 MB."""
    program = tmp_path / "large"
    with program.open("wb") as file:
        file.write(b"#!/bin/sh\n")
        file.truncate(65_000_000)
    program.chmod(0o755)
    players = (f"exec:{program}", "easy", "easy")
    before = Experiment.of(name="x", maps=("tiny",), line_ups=(players,), games=3).digest()
    program.write_bytes(b"#!/bin/bash\n")
    assert Experiment.of(name="x", maps=("tiny",), line_ups=(players,), games=3).digest() != before
