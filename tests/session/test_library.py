"""The face for programs in Python, as strict strangers use it: one game, a comparison, and a case by names."""

from __future__ import annotations

import builtins
import json
import pickle
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from helpers.command_line import run
from helpers.tables import noted_game, setting_of

from cluedo import (
    Board,
    Case,
    Clock,
    CluedoError,
    Edition,
    MapError,
    MapFile,
    Player,
    PlayerError,
    Rules,
    SetupError,
    compare,
    play,
)
from cluedo.ai.knowledge import MODELS
from cluedo.ai.knowledge.caselog import CaseLogError
from cluedo.ai.level_easy import EasyPlayer
from cluedo.ai.level_medium import MediumPlayer
from cluedo.cli.options import DEFAULT_MODEL
from cluedo.engine.entries import entry_json
from cluedo.engine.mapfile import map_text
from cluedo.experiments.play.chunks import ChunkRunner
from cluedo.experiments.read.results import Results
from cluedo.experiments.rows.result_rows import COLUMNS

THREE = ["easy", "medium", "medium:original=true"]
MAPS = Path("cluedo/maps").resolve()


class Silent(EasyPlayer):
    """Never says where it goes."""

    def choose_move(self, view):
        """Raise."""
        raise RuntimeError("<no>")


def well_formed(html: str) -> str:
    """The text of some HTML, which has to be whole."""
    return " ".join(ElementTree.fromstring(f"<div>{html}</div>").itertext())


# ---- one game ------------------------------------------------------------------------------------


def test_a_game_is_the_first_of_autoplay_with_its_seed(tmp_path):
    out = tmp_path / "results"
    game = play("manoir", [*THREE, "hard"], seed=11, rules={"dice": 1})
    line_up = ",".join([*THREE, "hard"])
    run("autoplay", "--players", line_up, "--seed", 11, "--games", 1, "--rule", "dice=1", "--out", out)
    assert json.loads((out / "games.jsonl").read_text()) == json.loads(game.record.model_dump_json())
    result = game.record.result
    assert (game.winner, game.reason, game.turns) == (result.winner, result.reason, result.turns)
    assert game.envelope == game.record.envelope
    assert game.record.replay().events == game.events
    assert game.faults == ()


def test_texts_classes_and_objects_sit_at_one_table():
    told = play("classic", ["easy", "medium", "medium"], seed=3)
    mixed = play("classic", [EasyPlayer, "medium", MediumPlayer()], seed=3)
    assert mixed.events == told.events
    assert mixed.players == ("EasyPlayer", "medium", "MediumPlayer")
    assert told.players == ("easy", "medium", "medium")
    assert mixed.winner_name == mixed.players[mixed.winner]
    assert told.events != play("classic", ["easy", "medium", "medium"], seed=4).events


def test_a_seed_that_is_drawn_is_told_and_repeats_the_game():
    game, other = play("tiny", ["easy"] * 3), play("tiny", ["easy"] * 3)
    assert game.seed != other.seed
    assert play("tiny", ["easy"] * 3, seed=np.int64(game.seed)).record == game.record
    assert f"seed {game.seed}" in repr(game)
    assert pickle.loads(pickle.dumps(game)).record == game.record


@pytest.mark.parametrize(
    "board",
    [MAPS / "classic.json", str(MAPS / "classic.json"), *(kind.load("classic") for kind in (Board, MapFile, Edition))],
    ids=["path", "text of a path", "board", "map", "edition"],
)
def test_a_board_is_taken_in_every_form(board):
    assert play(board, ["easy"] * 3, seed=5).events == play("classic", ["easy"] * 3, seed=5).events


def test_an_edition_brings_its_rules_and_those_beside_it_override_them(tmp_path):
    game = play("clue", ["easy"] * 3, seed=5)
    assert game.record.rules == Rules(dice=1, starts="first_suspect")
    assert play("clue", ["easy"] * 3, rules={"dice": 3}).record.rules == Rules(dice=3, starts="first_suspect")
    assert play("clue", ["easy"] * 3, rules=Rules(dice=3)).record.rules == Rules(dice=3)
    assert play("manoir", ["easy"] * 3).record.rules == Rules()
    own = tmp_path / "own.toml"
    own.write_text('map = "tiny"\nrules = {dice = 1}\n')
    assert play(own, ["easy"] * 3).record.rules == Rules(dice=1)
    assert play("discover", ["easy"] * 3, rules={"movement": "free"}).turns > 0
    peeking = play("classic", ["easy"] * 3, rules={"pool": 3, "peek": True}).record.rules
    assert peeking == Rules(pool=3, peek=True)


def test_a_class_of_a_file_plays_in_a_process_of_its_own_unless_it_is_trusted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(
        "import builtins\nfrom cluedo.ai.level_easy import EasyPlayer\n\n"
        "builtins.loaded_here = True\n\nclass Bot(EasyPlayer):\n    pass\n"
    )
    monkeypatch.setattr(builtins, "loaded_here", False, raising=False)
    there = play("tiny", ["bot.py:Bot", "easy", "easy"], seed=2)
    assert not builtins.loaded_here
    here = play("tiny", ["bot.py:Bot", "easy", "easy"], seed=2, trusted=True)
    assert builtins.loaded_here
    assert there.events == here.events == play("tiny", ["easy"] * 3, seed=2).events
    assert there.players[0] == "bot.py:Bot"


def test_a_player_that_raises_loses_its_choice_and_the_game_goes_on():
    game = play("tiny", [Silent, "easy", "easy"], seed=1, rules={"max_turns": 4})
    assert {fault.seat for fault in game.faults} == {0}
    assert "RuntimeError('<no>')" in game.faults[0].text
    assert (game.winner, game.winner_name, game.reason, game.turns) == (None, None, "unfinished", 4)
    assert "unfinished after 4 turns" in repr(game)


@pytest.mark.parametrize(
    ("error", "says", "board", "players", "more"),
    [
        (SetupError, "no board or edition is called 'clasic'; did you mean 'classic'", "clasic", ["easy"] * 3, {}),
        (MapError, "nowhere.json", "nowhere.json", ["easy"] * 3, {}),
        (SetupError, "the map discover has no grid", "discover", ["easy"] * 3, {}),
        (SetupError, "2 to 10 players, not 1", "classic", ["easy"], {}),
        (PlayerError, "did you mean 'hard'", "classic", ["easy", "hrad", "easy"], {}),
        (PlayerError, r"a list, such as \['easy', 'easy'\]", "classic", "easy,easy", {}),
        (PlayerError, "a player is a text, .* not None", "classic", ["easy", None, "easy"], {}),
        (PlayerError, "not <class 'int'>", "classic", ["easy", int, "easy"], {}),
        (PlayerError, "EasyPlayer: one object plays one seat", "classic", [EasyPlayer()] * 3, {}),
        (PlayerError, "Player", "classic", [Player, "easy", "easy"], {}),
        (PlayerError, "nowhere.py", "classic", ["nowhere.py:Bot", "easy", "easy"], {"trusted": True}),
        (SetupError, "there is no rule 'dcie'; did you mean 'dice'", "classic", ["easy"] * 3, {"rules": {"dcie": 1}}),
        (SetupError, "rule dice: must be 6 or less", "classic", ["easy"] * 3, {"rules": {"dice": 9}}),
        (SetupError, "a seed is a whole number from 0 up, not -1", "classic", ["easy"] * 3, {"seed": -1}),
        (SetupError, "a seed is a whole number .*, not '7'", "classic", ["easy"] * 3, {"seed": "7"}),
        (SetupError, "a seed is a whole number .*, not 18446744073709551616", "classic", ["easy"] * 3, {"seed": 2**64}),
        (PlayerError, r"the players are a list, .*, not None", "classic", None, {}),
        (SetupError, "trusted is True or False, not 'no'", "classic", ["easy"] * 3, {"trusted": "no"}),
        (SetupError, "from 0.001 to 86400, or None, not 0", "classic", ["easy"] * 3, {"clock": Clock(0)}),
        (SetupError, "from 0 to 86400, not nan", "classic", ["easy"] * 3, {"clock": Clock(2, float("nan"))}),
        (SetupError, "a clock is a cluedo.Clock", "classic", ["easy"] * 3, {"clock": 5}),
    ],
)
def test_what_cannot_be_played_is_told_in_a_sentence(error, says, board, players, more):
    with pytest.raises(error, match=says) as caught:
        play(board, players, **more)
    assert isinstance(caught.value, CluedoError)
    assert "\n" not in str(caught.value)


def test_a_board_that_is_in_no_file_is_played_on_but_its_game_has_no_record():
    """Replayed on the shipped board of that name, it would be another game."""
    own = MapFile.load("tiny").model_copy(update={"title": "Mine"})
    game = play(own, ["easy"] * 3, seed=1)
    assert game.story == play("tiny", ["easy"] * 3, seed=1).story
    with pytest.raises(SetupError, match="the board tiny has to be in a file, where others find it"):
        _ = game.record


def test_a_board_whose_file_has_changed_since_is_in_no_file(tmp_path):
    file = tmp_path / "own.json"
    file.write_text(map_text("tiny"), encoding="utf-8")
    own = Board.load(file)
    assert play(own, ["easy"] * 3).record.map == str(file)
    file.write_text(map_text("classic"), encoding="utf-8")
    with pytest.raises(SetupError, match="has to be in a file"):
        compare(["easy"] * 3, board=own, games=3, workers=1)


def test_games_in_several_threads_leave_standard_output_as_it_was(tmp_path):
    """Each sends there to standard error what a bot prints as it is made; the last one to be done puts it back."""
    (tmp_path / "bot.py").write_text(
        "from time import sleep\nfrom cluedo.ai.level_easy import EasyPlayer\n\n"
        "class Bot(EasyPlayer):\n    def __init__(self, s: float = 0.0):\n        sleep(s)\n"
    )
    before, here = sys.stdout, Path.cwd()
    bots = [[f"{tmp_path / 'bot.py'}:Bot:s={0.01 * k}", "easy", "easy"] for k in (3, 1, 2, 0, 2)]
    with ThreadPoolExecutor(len(bots)) as threads:
        games = list(threads.map(lambda bots: play("tiny", bots, seed=1, trusted=True).events, bots))
    assert sys.stdout is before
    assert Path.cwd() == here
    assert all(events == games[0] for events in games)


def test_a_game_shows_itself_in_a_notebook():
    deck = MapFile.load("tiny").model_dump(mode="json")
    deck["suspects"][0]["name"] = "A <b> & C"
    game = play(MapFile.model_validate(deck), [Silent, "easy", "easy"], seed=1)
    text = well_formed(game._repr_html_())
    assert "A <b> & C Silent" in text
    assert f"seed {game.seed}" in text
    assert game.story[-1] in text
    assert all(card in text for card in game.envelope)


# ---- many games ----------------------------------------------------------------------------------


def counted(comparison):
    """Every row, but for the time of thought."""
    return comparison.rows.project("* EXCLUDE think_ms").order("game, seat").fetchall()


def test_a_comparison_counts_as_autoplay_does():
    found = compare(THREE, games=30, seed=9, board="tiny", workers=1)
    table = ("--players", ",".join(THREE), "--map", "tiny")
    players = json.loads(run("autoplay", *table, "--games", 30, "--seed", 9, "--json"))["players"]
    assert [score.level for score in found.scores] == list(players)
    for score in found.scores:
        summary = players[score.level]
        assert (score.seats, score.wins, score.win_rate) == (summary["seats"], summary["wins"], summary["win_rate"])
        assert list(score.ci95) == summary["ci95"]
        won = found.rows.filter(f"level = '{score.level}' AND won").aggregate("count(*)").fetchall()
        assert won == [(score.wins,)]
    assert found.rows.columns == [name for name in COLUMNS if name != "record"]
    assert len(found.rows.fetchnumpy()["turns"]) == 30 * len(THREE)
    assert counted(compare(THREE, games=30, seed=10, board="tiny", workers=1)) != counted(found)


def test_numbers_may_be_those_of_numpy():
    found = compare(THREE, games=np.int64(3), seed=np.int64(1), board="tiny", workers=np.int64(1))
    assert counted(found) == counted(compare(THREE, games=3, seed=1, board="tiny", workers=1))


def test_neither_the_workers_nor_the_form_of_the_board_matter(monkeypatch):
    alone = compare(THREE, games=60, seed=9, board="tiny", workers=1)
    monkeypatch.setattr("cluedo.experiments.play.run._PROBE_S", 0.0)
    monkeypatch.setattr("cluedo.experiments.play.run._WORTH_S", 0.0)
    assert counted(compare(THREE, games=60, seed=9, board=Board.load("tiny"), workers=2)) == counted(alone)


def test_games_without_a_winner_are_told_of():
    found = compare(THREE, games=30, seed=9, board="tiny", rules=Rules(max_turns=20), workers=1)
    lost = 30 - sum(score.wins for score in found.scores)
    assert 0 < lost < 30
    assert f"Of 30 games, {lost} had no winner." in repr(found).splitlines()
    assert f"<p>Of 30 games, {lost} had no winner.</p>" in found._repr_html_()


def test_nothing_is_left_but_what_is_wanted(monkeypatch, tmp_path):
    scratch, out = tmp_path / "scratch", tmp_path / "out"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    found = compare(["easy"] * 3, games=6, board="tiny", workers=1, out=out)
    assert [*scratch.iterdir()] == []
    with Results.open([out]) as results:
        assert results.games() == 6
    assert counted(compare(["easy"] * 3, games=6, board="tiny", workers=1)) == counted(found)
    assert [*scratch.iterdir()] == []


def test_results_in_the_home_folder_are_kept_there(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    compare(["easy"] * 3, games=3, board="tiny", workers=1, out="~/compared")
    run("autoplay", "--players", "easy,easy,easy", "--games", 3, "--map", "tiny", "--out=~/played")
    for name in ("compared", "played"):
        with Results.open([tmp_path / "home" / name]) as results:
            assert results.games() == 3


def test_the_same_comparison_again_plays_only_what_its_folder_lacks(monkeypatch, tmp_path):
    given = {"players": THREE, "board": "tiny", "workers": 1, "out": tmp_path}
    found = compare(games=120, **given)
    first, *others = sorted((tmp_path / "chunks").glob("*.parquet"))
    first.unlink()
    kept = [path.read_bytes() for path in others]
    again = compare(games=120, **given)
    assert (again.scores, counted(again)) == (found.scores, counted(found))
    assert others
    assert [path.read_bytes() for path in others] == kept
    monkeypatch.setattr(ChunkRunner, "play", None)  # nothing is played
    assert counted(compare(games=120, **given)) == counted(found)
    with pytest.raises(CluedoError, match="holds results of another experiment"):
        compare(games=240, **given)


def test_faults_of_a_class_of_a_file_are_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(
        "from cluedo.ai.level_easy import EasyPlayer\n\n"
        "class Bot(EasyPlayer):\n    def choose_card(self, view):\n        raise RuntimeError\n"
    )
    found = compare(["bot.py:Bot", "easy", "easy"], games=3, board="tiny", workers=1, trusted=True)
    assert [score.faults > 0 for score in found.scores] == [True, False]
    assert "faults" in repr(found).splitlines()[0]


def test_observers_add_their_columns_to_the_rows():
    texts = ["unrefuted", "examples/my_statistic.py:AskedAgain"]
    found = compare(THREE, games=3, board="tiny", workers=1, observers=texts)
    assert found.rows.columns[-2:] == ["unrefuted", "asked_again"]
    assert found.rows.aggregate("count(unrefuted), count(asked_again)").fetchall() == [(9, 9)]


@pytest.mark.parametrize(
    ("says", "arguments"),
    [
        ("the players are a list", {"players": "easy,easy,easy"}),
        ("a list of players' texts", {"players": [EasyPlayer, "easy", "easy"]}),
        ("did you mean 'hard'", {"players": ["hrad", "easy", "easy"]}),
        ("games: must be 1 or more", {"games": 0}),
        ("a seed is a whole number from 0 up, not -1", {"seed": -1}),
        ("out is the path of a folder, not 3", {"out": 3}),
        ("at least 1 worker is needed", {"workers": 0}),
        ("workers are a whole number, not 1.5", {"workers": 1.5}),
        ("trusted: ", {"trusted": "no"}),
        ("observers: must be a list", {"observers": "unrefuted"}),
        ("no observer is called 'luck'", {"observers": ["luck"]}),
        ("games: ", {"games": True}),
        ("a think limit is", {"clock": Clock(0)}),
        ("compare needs a think limit", {"clock": Clock(None)}),
        ("no board or edition is called 'tony'", {"board": "tony"}),
        ("has to be in a file", {"board": MapFile.load("tiny").model_copy(update={"name": "elsewhere"})}),
    ],
)
def test_what_cannot_be_compared_is_told_in_a_sentence(says, arguments):
    given = {"players": ["easy"] * 3, "board": "tiny", "games": 3, "workers": 1}
    with pytest.raises(CluedoError, match=says) as caught:
        compare(**given | arguments)
    assert "\n" not in str(caught.value)


def test_a_comparison_shows_itself():
    found = compare(["easy", "easy", "medium"], games=3, board="tiny", workers=1)
    head, *lines = repr(found).splitlines()
    assert head.split()[:3] == ["level", "seats", "wins"]
    assert [line.split()[:2] for line in lines[:2]] == [["easy", "6"], ["medium", "3"]]
    text = well_formed(found._repr_html_())
    assert all(word in text for line in lines for word in line.split())


def test_of_two_kinds_of_players_a_comparison_tells_who_leads_as_autoplay_does():
    line_up = ["random", "random", "medium", "medium"]
    found = compare(line_up, games=40, seed=2, board="tiny", workers=1)
    told = run("autoplay", "--players", ",".join(line_up), "--games", 40, "--seed", 2, "--map", "tiny")
    who_leads = repr(found).splitlines()[3:]
    assert who_leads[0].startswith("At the same tables medium leads random by ")
    assert " ".join(who_leads) in told.replace("\n", " ")
    random, medium = found.scores
    assert found.head_to_head.lead.value == pytest.approx(random.win_rate - medium.win_rate)
    assert compare(THREE, games=3, board="tiny", workers=1).head_to_head is None


# ---- a case by names -----------------------------------------------------------------------------

HAND = ["Rope", "Hall", "Study", "Plum", "Green", "Dagger"]
NAMES = ["Mustard", "White", "Green"]


def a_case(**more) -> Case:
    """The table of ``setting_of()``."""
    return Case.begin("classic", NAMES, me="Green", hand=HAND, **more)


def test_a_case_by_names_knows_what_one_of_entries_does():
    setting, noted = noted_game("classic", 4, 1)
    hand = [name for card, name in enumerate(setting.deck.names) if setting.hand >> card & 1]
    sizes = dict(zip(setting.names, setting.sizes, strict=True))
    case = Case.begin("classic", sizes, me=setting.names[setting.me], hand=hand)
    for entry in noted[:12]:
        case.add(**entry_json(entry, setting.names, setting.deck))
    same = Case(setting, noted[:12])
    assert case.entries == same.entries
    assert [list(row.values()) for row in case.odds.values()] == same.known.chances
    assert list(case.odds) == list(setting.deck.names)
    for proof in same.known.proofs:
        card, place = setting.deck.names[proof.card], str(setting.places[proof.place])
        assert (case.proved.get(card) == place) is proof.there
        assert case.odds[card][place] == float(proof.there)
    for (cards, told), best in zip(case.best_questions(4), same.known.best(4), strict=True):
        assert (cards, told) == (tuple(setting.deck.names[card] for card in best.cards), max(0.0, best.bits))
    copy = deepcopy(case)
    assert (copy.odds, copy.best_questions(4)) == (case.odds, case.best_questions(4))
    before = Case(setting, noted[:7])
    more = [entry_json(entry, setting.names, setting.deck) for entry in noted[7:12]]
    assert before.what_if(*more).odds == case.odds
    assert before.entries == tuple(noted[:7])
    (cards, _), *_ = case.best_questions(room="Lounge")
    assert cards[2] == "Lounge"


def test_a_case_begins_as_the_table_is():
    assert a_case().log.to_json() == Case(setting_of()).log.to_json()
    assert repr(a_case()) == "<case of Mustard, White, Green on classic, entries: 0>"
    assert Case.begin("classic", NAMES).setting.me is None
    two = Case.begin("two", ["Ann", "Bob"], me="Ann", hand=[*HAND, "Lounge"])
    assert list(two.odds["White"]) == ["Ann", "Bob", "pool", "envelope"]
    assert two.setting.rules.peek


@pytest.mark.parametrize(
    ("board", "players"),
    [("discover", ["Ann", "Bob", "Cy"]), ("tiny", dict.fromkeys("ABCDE", 1) | {"F": 3}), ("classic", ["Ann", "Bob"])],
)
def test_people_at_a_table_may_play_as_the_program_cannot(board, players):
    assert list(Case.begin(board, players).setting.names) == list(players)


def test_why_is_told_in_sentences():
    case = a_case()
    case.add(by="Mustard", hypothesis=["White", "Rope", "Hall"], refuted_by="White")
    assert case.proved["White"] == "White"
    assert case.why("White", "White").splitlines()[-2] == "Therefore White holds White."
    assert case.why("Scarlett", "envelope").startswith("It is not known whether Scarlett is in the envelope")


@pytest.mark.parametrize(
    ("says", "event"),
    [
        ("at the table is called 'Bob'", {"by": "Bob", "accusation": ["White", "Rope", "Hall"], "correct": False}),
        ("did you mean 'Hall'", {"by": "White", "hypothesis": ["White", "Rope", "Hell"], "refuted_by": None}),
        ("'refuted_by'", {"by": "White", "hypothesis": ["White", "Rope", "Hall"]}),
        ("'correct'", {"by": "White", "accusation": ["White", "Rope", "Hall"]}),
        ("White cannot refute their", {"by": "White", "hypothesis": ["White", "Rope", "Hall"], "refuted_by": "White"}),
        ("entry 2", {"by": "White", "hypothesis": ["Plum", "Rope", "Hall"], "refuted_by": None}),
        ("neither a 'hypothesis' nor an 'accusation'", {"by": "White"}),
        ("shown_by", {"by": "White", "hypothesis": ["White", "Rope", "Hall"], "refuted_by": None, "shown_by": "Green"}),
    ],
)
def test_an_event_that_cannot_be_changes_nothing(says, event):
    case = a_case()
    case.add(by="Mustard", hypothesis=["White", "Wrench", "Kitchen"], refuted_by="White")
    before = case.entries, case.odds
    with pytest.raises(CaseLogError, match=says) as caught:
        case.add(**event)
    assert "\n" not in str(caught.value)
    assert (case.entries, case.odds) == before
    assert case.contradiction is None


def test_a_case_counts_as_the_commands_do_unless_another_model_is_named():
    assert a_case().model.name == DEFAULT_MODEL
    assert a_case(model="choice").model is MODELS["choice"]


@pytest.mark.parametrize("kind", [str, Path])
def test_a_case_is_read_from_a_file_and_changes_nothing_there(kind, tmp_path):
    case, file = a_case(), tmp_path / "case.json"
    case.add(by="Mustard", hypothesis=["White", "Wrench", "Kitchen"], refuted_by="White")
    text = json.dumps(case.log.to_json())
    file.write_text(text)
    read = Case.load(kind(file), model="choice")
    assert (read.log.to_json(), read.model.name) == (case.log.to_json(), "choice")
    read.add(by="Mustard", hypothesis=["Peacock", "Wrench", "Lounge"], refuted_by=None)
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("says", "ask"),
    [
        (r"nowhere\.json: ", lambda: Case.load("nowhere.json")),
        (r"README\.md: ", lambda: Case.load("README.md")),
        ("from the path of a file, not from 3", lambda: Case.load(3)),
        ("no model is called 'choise'", lambda: Case.load("examples/case.json", model="choise")),
        ("Hell", lambda: a_case().why("Hell", "White")),
        ("nobody at the table is called 'Bob'", lambda: a_case().why("Hall", "Bob")),
        ("did you mean 'Hall'", lambda: a_case().best_questions(room="Hell")),
        ("Plum", lambda: a_case().best_questions(room="Plum")),
        ("needs 6 cards, and has 5", lambda: Case.begin("classic", NAMES, me="Green", hand=HAND[:5])),
        ("go together", lambda: Case.begin("classic", NAMES, me="Green")),
        ("face_up is a list of cards, ", lambda: Case.begin("classic", NAMES, me="Green", hand=HAND, face_up="Hall")),
        (r"hand is a list of cards, .*, not \[1\]", lambda: Case.begin("classic", NAMES, me="Green", hand=[1])),
        ("a list, such as", lambda: Case.begin("classic", "Ann,Bob,Cy")),
        *[
            (f"ask for 1 question or more, not {count!r}", lambda count=count: a_case().best_questions(count))
            for count in (-1, 2.5, "2")
        ],
        *[
            (f"there is no entry {number!r}: there are 0", lambda number=number: a_case().drop(number))
            for number in (0, None, "1", 1.0)
        ],
        ("there is no change None: 0 are offered", lambda: a_case().fix(None)),
        (r"no card is called \['Hall'\]", lambda: a_case().why(["Hall"], "White")),
        ("nobody at the table is called 'None'", lambda: a_case().why("Hall", None)),
        *[
            ("a place is a number from 0 to 633, not ", lambda place=place: a_case().place_pawn(place))
            for place in (-1, 634, 2.5, "Hall")
        ],
        ("no room is called 3", lambda: a_case().best_questions(1, room=3)),
        (r"no room is called \(7, 5\)", lambda: a_case().best_questions(1, room=(7, 5))),
        ("-1 is not the id of a card of this deck", lambda: a_case().known.why(-1, 0)),
        ("a place is a number from 0 to 3, not -1", lambda: a_case().known.why(0, -1)),
        ("what_if takes dicts of what add takes, not 'White'", lambda: a_case().what_if("White")),
        ("what_if takes dicts of what add takes, not {1: 2}", lambda: a_case().what_if({1: 2})),
        ("'refuted_by'", lambda: a_case().what_if({"by": "White", "hypothesis": ["White", "Rope", "Hall"]})),
        ("no board or edition", lambda: Case.begin("tony", NAMES)),
        ("no model is called 'choise'; did you mean 'choice'", lambda: a_case(model="choise")),
        *[("no model is called .*; known: uniform", lambda model=model: a_case(model=model)) for model in (3, ["x"])],
    ],
)
def test_what_is_wrong_with_a_case_is_told_in_a_sentence(says, ask):
    with pytest.raises(CluedoError, match=says) as caught:
        ask()
    assert "\n" not in str(caught.value)
