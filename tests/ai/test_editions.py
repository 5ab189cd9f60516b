"""The levels play by the rules of editions: they name nothing that is forbidden, and find their way to the end."""

from __future__ import annotations

from random import Random

import pytest
from helpers import level_games
from helpers.cases import cases
from helpers.editions import EDITIONS, drawn_game, edition_game, unanswered
from helpers.support import LEVELS, make_game, make_match

from cluedo.ai.levels import parse_player
from cluedo.ai.player import Player
from cluedo.engine.board import Board
from cluedo.engine.commands import Peek
from cluedo.engine.editions import shipped_editions
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Peeked
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules

QUICK = ("random", "easy", "medium", "hard", "habit:own=1")
PATIENT = [level for level in LEVELS if level not in ("random", "medium:original=true", "expert", "montecarlo")]
PATIENT.append("expert:caution=1")
"""Those that accuse only when they know, and are quick; ``montecarlo`` plays no editions."""
MIXED = ("medium", "hard", "easy", "habit", "expert", "random")
ALL = (*QUICK, "habit:guess=0.5:wait=1", "expert", "expert:reading=off", "medium:original=true")


def played(name: str, number: int, levels: tuple[str, ...], **more: object) -> Game:
    """A game of an edition between levels, which make no mistake in it."""
    game = edition_game(name, number, **more)
    match = make_match(game, [levels[(number + seat) % len(levels)] for seat in range(game.table.seats)], number)
    match.play()
    assert match.faults == []
    return game


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize(("levels", "games"), [(QUICK, 3), pytest.param(ALL, cases(60, 3), marks=pytest.mark.slow)])
def test_levels_play_an_edition_without_a_fault(name, levels, games):
    for number in range(games):
        played(name, number, levels, max_turns=80)


@pytest.mark.parametrize("level", PATIENT)
@pytest.mark.parametrize("name", EDITIONS)
def test_four_of_a_level_come_to_an_end(name, level):
    reasons = {played(name, number, (level,)).result.reason for number in range(3)}
    assert "unfinished" not in reasons


@pytest.mark.parametrize("level", ["medium", "hard", "expert:caution=1"])
def test_a_room_that_nobody_holds_does_not_keep_anybody_from_asking_about_others(level):
    game = drawn_game(Board.load("classic"), 3, seed=28, pool=2, max_turns=120)
    make_match(game, [level] * 3).play()
    assert game.result.reason == "solved"


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_at_a_table_of_two_all_that_is_shown_and_seen_leads_to_the_solution(level):
    games = [played("two", number, (level,)) for number in range(4)]
    assert {game.result.reason for game in games} == {"solved"}
    assert any(isinstance(event, Peeked) for game in games for event in game.events)


def test_who_does_not_choose_looks_at_the_first_card_that_is_new():
    game = unanswered(peek=True)
    looker = parse_player("easy").make()
    seat = game.state.active
    assert Player.choose_peek(looker, game.view(seat)) == Peek(0)
    game.execute(Peek(0))
    assert Player.choose_peek(looker, game.view(seat)) == Peek(1)


def test_random_looks_or_does_not_by_chance():
    game = unanswered(peek=True)
    view, looker = game.view(game.state.active), parse_player("random").make()
    looked = set()
    for number in range(12):
        looker.begin(view, Random(number))
        looked.add(looker.choose_peek(view))
    assert None in looked
    assert len(looked) > 2


def test_montecarlo_says_which_rules_it_does_not_play():
    spec = parse_player("montecarlo:budget=16")
    spec.check(Board.load("tiny").deck, Rules(), 3)
    with pytest.raises(CluedoError, match="compiled games are played by rules 1 to 12 alone"):
        spec.check(Board.load("tiny").deck, Rules(refuters="all"), 3)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_who_has_to_accuse_in_the_room_walks_there(level):
    for number in range(3):
        game = played("accuse_here", number, (level,))
        assert game.result.reason == "solved"
        assert game.state.place == game.table.board.room_place(game.state.deal.envelope[2])


def test_a_hand_laid_open_is_noted():
    game = make_game("tiny", wrong_shows_hand=True, movement="free")
    match = make_match(game, ["random", "easy", "easy"])
    match.play()
    assert game.result.reason == "solved"
    assert game.state.face_up == game.state.deal.hands[0]


@pytest.mark.slow
@pytest.mark.parametrize("edition", shipped_editions(), ids=lambda edition: edition.name)
def test_levels_play_an_edition_that_comes_with_the_program_to_its_end(edition):
    least, most = edition.players
    for seed in range(cases(10, 2)):
        seats = least + seed % (most - least + 1)
        levels = [MIXED[(seed + seat) % len(MIXED)] for seat in range(seats)]
        match = level_games.played(levels, edition.map, seed, **edition.rules.model_dump())
        assert match.game.result.reason != "unfinished"
