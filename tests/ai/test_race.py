"""How near the others are to winning, as everybody can count it."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import pytest
from helpers.support import (
    LARGE_DECK,
    LEVELS,
    accuse,
    ask,
    board_from,
    board_of,
    drawn_game,
    finish_turn,
    go,
    make_game,
    make_match,
)

from cluedo.ai.race import Race
from cluedo.engine.commands import EndTurn, Stay
from cluedo.engine.events import Accused, HypothesisMade, Shown, TurnEnded
from cluedo.engine.game import Game


def free(*, seats: int = 3, **options) -> Game:
    """A free game on the tiny map. The envelope is Denim, Shears, Den; hands are dealt in order from seat 0:
    Amber, Ladle, Bath (for three seats) to seat 0; Basil, Poker, Cellar to 1; Coral, Attic to 2."""
    return make_game("tiny", seats=seats, movement="free", **options)


def turn(game: Game, *named: str, end: bool = True) -> None:
    """The active seat asks; who has to, shows a card."""
    here = game.table.board.node(game.state.place)
    if here != named[2]:
        go(game, named[2])
    else:
        game.execute(Stay())
    ask(game, *named)
    if game.state.step.name == "REFUTE":
        game.execute(game.legal()[0])
    if end:
        game.execute(EndTurn())


def test_the_hands_are_as_the_tests_think():
    game = free()
    names = [game.table.deck.names_in(hand) for hand in game.state.deal.hands]
    assert names == [["Amber", "Ladle", "Bath"], ["Basil", "Poker", "Cellar"], ["Coral", "Attic"]]


def test_it_counts_hypotheses_and_those_that_nobody_answered():
    game = free()
    race = Race(game.view(1))
    turn(game, "Amber", "Poker", "Attic")  # answered
    turn(game, "Denim", "Poker", "Cellar")  # Mustard's own cards and the envelope: nobody
    turn(game, "Denim", "Shears", "Bath")  # answered
    turn(game, "Amber", "Ladle", "Den")  # seat 0, nobody
    race.read(game.view(1))
    assert race.asked == [2, 1, 1]
    assert race.unanswered == [1, 1, 0]
    triple = game.table.deck.triple
    assert race.passed_over == {triple(["Amber", "Ladle", "Den"])}, "one's own are no news"


def test_a_turn_counts_once_it_is_over():
    game = free()
    race = Race(game.view(1))
    turn(game, "Amber", "Ladle", "Den", end=False)
    race.read(game.view(1))
    assert (race.asked, race.unanswered, race.passed_over) == ([1, 0, 0], [0, 0, 0], set())
    game.execute(EndTurn())
    race.read(game.view(1))
    assert (race.asked, race.unanswered, len(race.passed_over)) == ([1, 0, 0], [1, 0, 0], 1)


def test_who_accuses_after_an_unanswered_hypothesis_passes_nothing_over():
    game = free()
    race = Race(game.view(1))
    turn(game, "Amber", "Ladle", "Den", end=False)
    accuse(game, "Amber", "Shears", "Den")
    game.execute(EndTurn())
    race.read(game.view(1))
    assert race.unanswered == [1, 0, 0]
    assert race.passed_over == set()


def test_reading_once_or_often_is_the_same_and_is_what_the_log_says():
    for deal in range(6):
        game = drawn_game(board_of("manoir"), 4, 5, deal)
        seen: list[Race] = []

        class Listener(LEVELS["hard"]):
            def choose_move(self, view, seen=seen):
                if not seen:
                    seen.append(Race(view))
                seen[0].read(view)
                return super().choose_move(view)

        match = make_match(game, ["medium"] * 4, seed=deal)
        match.players[2] = Listener()
        match.play()
        often, once = seen[0], Race(game.view(2))
        often.read(game.view(2))
        once.read(game.view(2))
        asked, unanswered, passed_over = counted(game, 2)
        for race in (often, once):
            assert (race.asked, race.unanswered, race.passed_over) == (asked, unanswered, passed_over)


def counted(game: Game, viewer: int):
    """The same counts, turn by turn from the open log."""
    asked, unanswered, passed_over = [0] * 4, [0] * 4, set()
    turns: list[list[object]] = [[]]
    for event in game.events:
        turns[-1].append(event)
        if isinstance(event, TurnEnded):
            turns.append([])
    for events in turns:
        made = [event for event in events if isinstance(event, HypothesisMade)]
        if not made:
            continue
        asked[made[0].seat] += 1
        if any(isinstance(event, Shown) for event in events):
            continue
        unanswered[made[0].seat] += 1
        if made[0].seat != viewer and not any(isinstance(event, Accused) for event in events):
            passed_over.add(made[0].cards)
    return asked, unanswered, passed_over


DECKS = [(3, "tiny"), (4, "tiny"), (3, "classic"), (6, "classic"), (3, "large"), (6, "large")]


@pytest.mark.parametrize(("seats", "name"), DECKS)
def test_the_hazard_is_a_probability_and_grows_with_both_counts(seats, name):
    board = board_from(LARGE_DECK) if name == "large" else board_of(name)
    race = Race(make_game(board, seats=seats, movement="free").view(0))
    table = []
    for unanswered in range(8):
        row = []
        for asked in range(unanswered, 40):
            race.asked[1], race.unanswered[1] = asked, unanswered
            row.append(race.hazard(1))
            assert 0.0 < row[-1] < 1.0
        assert all(one <= two for one, two in pairwise(row))
        assert row[0] < row[3]
        table.append(row)
    for fewer, more in pairwise(table):
        assert all(one < two for one, two in zip(fewer[1:], more, strict=True) if one < 0.6)
    race.asked[2] = race.unanswered[2] = 0
    assert race.hazard(2) < 0.01, "who has not asked does not win"


def test_far_out_one_unanswered_hypothesis_is_still_more_of_a_danger_than_none():
    race = Race(make_game("classic", seats=4, movement="free").view(0))
    race.asked[1] = race.asked[2] = 10
    race.unanswered[2] = 1
    assert race.hazard(1) < race.hazard(2)


def test_who_could_have_won_and_did_not_is_less_of_a_danger():
    game = free()
    race = Race(game.view(1))
    for _ in range(2):
        turn(game, "Amber", "Ladle", "Den")
        for _ in range(2):
            finish_turn(game)
    race.read(game.view(1))
    fresh = Race(game.view(1))
    fresh.asked, fresh.unanswered = race.asked, race.unanswered
    assert race.unanswered == [2, 0, 0]
    assert 0.0 < race.hazard(0) < fresh.hazard(0)


def test_larger_decks_take_longer():
    races = [
        Race(make_game(board, seats=4, movement="free").view(0))
        for board in (board_of("tiny"), board_of("classic"), board_from(LARGE_DECK))
    ]
    for race in races:
        race.asked[1] = 4
    hazards = [race.hazard(1) for race in races]
    assert hazards == sorted(hazards, reverse=True)
    assert len(set(hazards)) == 3


def test_survival_leaves_out_oneself_and_who_is_eliminated():
    game = free(seats=4)
    turn(game, "Amber", "Ladle", "Den", end=False)
    accuse(game, "Amber", "Shears", "Attic")
    game.execute(EndTurn())
    view = game.view(1)
    race = Race(view)
    race.read(view)
    race.asked = [9, 9, 5, 3]
    assert race.survival(view) == pytest.approx((1 - race.hazard(2)) * (1 - race.hazard(3)))
    everybody = game.view(0)
    others = prod(1 - race.hazard(seat) for seat in (1, 2, 3))
    assert race.survival(everybody) == pytest.approx(others), "seat 0 asks about the others only"
    assert 0.0 < race.survival(view) < 1.0


def test_alone_one_survives():
    game = free()
    for _ in range(2):
        while game.state.active == 1 or game.state.eliminated >> game.state.active & 1:
            finish_turn(game)
        game.execute(Stay())
        accuse(game, "Amber", "Shears", "Attic")
        game.execute(EndTurn())
    assert Race(game.view(1)).survival(game.view(1)) == 1.0
