"""Choices judged by playing the game out, and the level that does so: ``montecarlo``."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from helpers.compiled_games import stopped
from helpers.level_games import played, seated
from helpers.other_deals import other_deals, replay_for

from cluedo.ai.level_montecarlo import Search, movements, worlds_of
from cluedo.ai.playouts.arrays import COLUMNS, Worlds
from cluedo.ai.playouts.playing_out import Playouts
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, Command, EndTurn, ShowCard
from cluedo.engine.game import Game
from cluedo.engine.state import ACCUSE, ASK, MOVE, REFUTE, WALK, Step

SMALL = "montecarlo:budget=24"
QUESTIONS = {MOVE: "choose_move", WALK: "choose_move", ASK: "choose_hypothesis"} | {
    REFUTE: "choose_card", ACCUSE: "choose_accusation"
}  # fmt: skip


def reached(step: Step, number: int = 0, share: float = 0.3, **options) -> Game:
    """A game from the middle, played on at random until it waits for a decision."""
    game, random = stopped(Board.load("manoir"), ("medium",) * 4, number, share, **options), Random(number)
    while game.state.step is not step or (step is REFUTE and len(game.legal()) < 2):
        moves = [command for command in game.legal() if not isinstance(command, Accusation)]
        game.execute(random.choice(moves))
    return game


def answer(game: Game, level: str) -> Command | None:
    """What somebody who sits down here chooses."""
    seat = game.state.to_act
    return getattr(seated(game, level, seat, 1), QUESTIONS[game.state.step])(game.view(seat))


class Table:
    """Stands in for :class:`Playouts`: the seat wins in the worlds that a list says, by choice, after some turns."""

    def __init__(self, wins: dict[int, list[int]], turns: dict[int, int]):
        self.wins, self.turns = wins, turns
        self.calls: list[tuple[int, list[int]]] = []

    def run(self, _start, worlds, commands):
        card = commands[0][1]
        self.calls.append((card, worlds.seeds.tolist()))
        winner = np.array([0 if self.wins[card][int(seed)] else -1 for seed in worlds.seeds])
        return type("Results", (), {"winner": winner, "turns": np.full(len(winner), self.turns.get(card, 20))})()


def searched(wins: dict[int, list[int]], budget: int, turns: dict[int, int] | None = None) -> tuple[int, Table]:
    """What is chosen among shown cards that win so, after 20 turns where nothing else is said."""
    game = reached(REFUTE)
    search, table = Search(game.table, 0, budget, np.zeros((4, COLUMNS))), Table(wins, turns or {})
    search._playouts = table

    def draw(count: int) -> Worlds:
        return Worlds(np.zeros((count, 7), np.int64), np.arange(count, dtype=np.uint64))

    best = search.best(game.view(game.state.to_act), [ShowCard(card) for card in wins], draw)
    assert sum(len(seeds) for _, seeds in table.calls) <= budget
    return best, table


# ---- the search ------------------------------------------------------------------------------------


def test_what_wins_most_is_chosen_and_the_first_of_those_that_win_as_often():
    rows = {0: [0, 1] * 200, 1: [1, 0, 1, 1] * 100, 2: [0] * 400, 3: [0, 0, 1, 0] * 100}
    assert searched(rows, 400)[0] == 1
    assert searched({0: [0] * 400, 1: [1] * 400, 2: [1] * 400}, 40)[0] == 1


def test_of_those_that_win_as_often_the_one_that_wins_soonest_is_chosen():
    always = {card: [1] * 400 for card in range(4)}
    assert searched(always, 400, {2: 12})[0] == 2
    assert searched(always | {3: [1, 0] * 200}, 400, {3: 1})[0] == 0, "to win more goes before to win sooner"


def test_all_choices_meet_the_same_worlds_and_the_better_half_meets_more():
    rows = {0: [0] * 400, 1: [1] * 400, 2: [0] * 400, 3: [0, 1] * 200}
    best, table = searched(rows, 400)
    assert best == 1
    first = [seeds for _, seeds in table.calls[:4]]
    assert first == [list(range(50))] * 4
    assert [(card, seeds[0], len(seeds)) for card, seeds in table.calls[4:]] == [(1, 50, 100), (3, 50, 100)]


@pytest.mark.parametrize("budget", [36, 37, 60, 120, 1000])
def test_many_choices_take_no_more_than_the_budget(budget):
    rows = {card: [int(card == 20)] * 2000 for card in range(36)}
    best, table = searched(rows, budget)
    assert best == 20
    assert sum(len(seeds) for _, seeds in table.calls) > 0.9 * budget - 36


def test_the_worlds_of_drawn_deals_hold_their_cards():
    game = reached(MOVE)
    deck, seats = game.table.deck, game.table.seats
    drawn = np.full((1, deck.size), seats, np.int8)
    for seat, hand in enumerate(game.state.deal.hands):
        drawn[0, bits(hand)] = seat
    worlds = worlds_of(game.table, drawn, Random(0))
    assert worlds.deals.tolist() == [[*game.state.deal.hands, *game.state.deal.envelope]]


@pytest.mark.parametrize(("step", "movement"), [(MOVE, "walk"), (WALK, "walk"), (MOVE, "free")])
def test_the_movements_that_are_tried_are_allowed_and_lead_to_every_room_that_can_be_entered(step, movement):
    for number in range(8):
        game = reached(step, number, movement=movement)
        view = game.view(game.state.active)
        ways = movements(view)
        for way in ways:
            assert way.why_not(game.state) is None
        assert {getattr(way, "to", None) for way in ways} >= set(view.reach.rooms) - {view.used[view.active]}


# ---- the level -------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", list(QUESTIONS))
def test_each_decision_is_allowed_and_repeats_with_its_seed(step):
    for number in range(3):
        game = reached(step, number)
        command = answer(game, SMALL)
        assert (command or EndTurn()).why_not(game.state) is None
        assert answer(game, SMALL) == command


@pytest.mark.parametrize("step", list(QUESTIONS))
def test_a_decision_does_not_depend_on_what_the_seat_may_not_know(step):
    compared = 0
    for number in range(4):
        game = reached(step, number)
        seat, random = game.state.to_act, Random(number)
        for deal in other_deals(game, seat, random, wanted=2):
            assert answer(replay_for(seat, game, deal), SMALL) == answer(game, SMALL)
            compared += 1
    assert compared >= 2


@pytest.mark.parametrize("step", list(QUESTIONS))
def test_a_decision_takes_its_budget_and_no_more(step, monkeypatch):
    played = []
    run = Playouts.run

    def counting(self, start, worlds, commands):
        played.append(len(worlds.deals))
        return run(self, start, worlds, commands)

    monkeypatch.setattr(Playouts, "run", counting)
    answer(reached(step, 1, 0.55), "montecarlo:budget=120")
    assert sum(played) <= 120
    assert sum(played) == 0 or sum(played) > 120 * 0.7


@pytest.mark.parametrize(
    ("seats", "name", "movement"), [(3, "tiny", "walk"), (6, "classic", "walk"), (4, "tiny", "free")]
)
def test_whole_games_are_played_without_a_fault(seats, name, movement):
    played([SMALL, *["medium"] * (seats - 1)], name, 17, 3, movement=movement, max_turns=60)


def test_who_plays_on_alone_ends_the_game_soon():
    """Whatever it does then wins: where that was no reason to hurry, some games took a thousand turns."""
    for deal in range(4):  # random accuses blindly, and is out within a few turns
        game = played(["random", "random", "montecarlo:budget=100", "random"], "manoir", 21, deal).game
        assert game.result.reason == "solved"
        assert game.state.turn < 80
