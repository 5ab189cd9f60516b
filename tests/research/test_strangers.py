"""Strangers and contestants: each plays whole games by the rules, again in the same way, with the habit it claims."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import chain, pairwise
from math import prod
from pathlib import Path

import pytest

from cluedo.ai.levels import parse_player
from cluedo.ai.match import Match, seat_players
from cluedo.ai.player import Player
from cluedo.engine.board import Board
from cluedo.engine.deal import Seeds
from cluedo.engine.events import Accused, HypothesisMade, Shown
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.experiments.plan.experiment import Experiment
from research import contestants, strangers

FOLDER = Path(strangers.__file__).parent
EXPERIMENTS = {strangers: ("strangers", "strangers_free", "strangers_small"), contestants: ("contestants",)}
MODULES = {name: module for module in EXPERIMENTS for name in module.__all__}
HOUSE = ("accuse_in=room", "own_cards=not_all", "pool=1", "wrong_shows_hand=true", "max_turns=150")


def player(name: str) -> str:
    return f"{MODULES[name.partition(':')[0]].__file__}:{name}"


def games(name: str, count: int, board: str = "tiny", *rules: str, seats: int = 3) -> Iterator[Game]:
    """Games of one stranger, on seat 0, against `medium`; nobody may break a rule."""
    specs = [parse_player(text) for text in (player(name), *["medium"] * (seats - 1))]
    for deal in range(count):
        seeds = Seeds(5, deal, seats)
        match = Match(Game.begin(Board.load(board), Rules.from_options(rules), seeds), *seat_players(specs, seeds))
        match.play()
        assert match.faults == []
        yield match.game


def asked(game: Game) -> list[HypothesisMade]:
    return [event for event in game.events if isinstance(event, HypothesisMade) and event.seat == 0]


def own_named(game: Game, cards: slice = slice(3)) -> list[int]:
    """For each question of seat 0, how many of these of the three cards are its own."""
    return [sum(game.state.deal.hands[0] >> card & 1 for card in event.cards[cards]) for event in asked(game)]


def accused(game: Game) -> list[bool]:
    return [event.correct for event in game.events if isinstance(event, Accused) and event.seat == 0]


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize(("board", "rules"), [("tiny", HOUSE), ("manoir", ()), ("discover", ("movement=free",))])
def test_a_stranger_plays_by_the_rules_and_again_in_the_same_way(name, board, rules):
    first, again = (list(next(games(name, 1, board, *rules)).events) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("module", EXPERIMENTS)
def test_each_stranger_has_a_line_about_it_and_meets_expert_in_every_shape(module):
    kinds = [kind for _, kind in inspect.getmembers(module, inspect.isclass) if kind.__module__ == module.__name__]
    players = {kind.__name__ for kind in kinds if issubclass(kind, Player)}
    players -= {"Stranger", "Weigher", "Contestant", "Listener"}
    assert players == set(module.__all__)
    found = [Experiment.load(FOLDER / f"{name}.toml") for name in EXPERIMENTS[module]]
    assert all(experiment.trusted for experiment in found)
    for experiment in found:
        met = {text.partition(".py:")[2].partition(":")[0] for text in experiment.levels if text != "expert"}
        assert met <= players
        assert all("expert" in line_up for line_up in experiment.every_line_up)
        assert experiment.name == "strangers_small" or met == players


def test_the_small_deck_has_64_envelopes():
    deck = Board.load(str(FOLDER / "small.json")).map
    assert prod(map(len, (deck.suspects, deck.weapons, deck.rooms))) == 64


@pytest.mark.parametrize("name", ["Actuary", "Purist"])
def test_who_never_names_own_cards_does_not(name):
    assert not any(chain.from_iterable(own_named(game) for game in games(name, 4)))


def test_of_their_own_cards_some_name_rooms_alone():
    landlord, clockwatcher = list(games("Landlord", 6)), list(games("Clockwatcher", 6))
    assert not any(chain.from_iterable(own_named(game, slice(2)) for game in landlord + clockwatcher))
    assert any(chain.from_iterable(own_named(game, slice(2, 3)) for game in landlord))


def test_the_turncoat_bluffs_first_and_then_no_more():
    for game in games("Turncoat", 4, "classic", "movement=free"):
        named = own_named(game)
        assert all(named[:3])
        assert not any(named[3:])


def test_the_pinner_names_a_suspect_and_a_weapon_twice():
    for game in games("Pinner", 3, "manoir"):
        pairs = list(pairwise((event.suspect, event.weapon) for event in asked(game)))[::2]
        assert pairs
        assert all(first == second for first, second in pairs)


def test_the_wanderer_asks_in_the_rooms_one_after_another():
    for game in games("Wanderer", 3, "classic", "movement=free"):
        rooms = [event.room for event in asked(game)]
        assert len(rooms) > 2
        assert all(second - first in (1, -8) for first, second in pairwise(rooms))


def test_guesses_are_wrong_at_times_and_proofs_never():
    assert all(all(accused(game)) for name in ("Purist", "Doubter", "Perfectionist") for game in games(name, 6))
    for name in ("Gambler", "Wanderer", "Simulator", "Timekeeper"):
        assert {True, False} == set(chain.from_iterable(accused(game) for game in games(name, 12, seats=4)))
    assert all(all(accused(game)) for game in games("Gambler:guess=1", 6, seats=4))


def test_the_gambler_shows_a_room_if_it_can():
    choices = 0
    for game in games("Gambler", 8, "manoir"):
        named = None
        for event in game.events:
            if isinstance(event, HypothesisMade):
                named = event
            elif isinstance(event, Shown) and event.seat == 0:
                assert named is not None
                if game.state.deal.hands[0] >> named.room & 1:
                    choices += 1
                    assert event.card == named.room
    assert choices > 5
