"""What a seat observes is what it knows: all that is proved, the exact odds, what it saw, and nothing else."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
from helpers.editions import edition_game
from helpers.level_games import played, steps
from helpers.other_deals import as_dealt, cut, other_deals
from helpers.support import play_random

from cluedo.ai.knowledge import UNIFORM, EvidenceReader, SatDeducer, SeatKnowledge
from cluedo.engine.board import Board
from cluedo.engine.commands import Command
from cluedo.engine.deal import Deal
from cluedo.engine.errors import SetupError
from cluedo.engine.events import Shown
from cluedo.engine.game import Game
from cluedo.engine.rules import Rules
from cluedo.envs import observing
from cluedo.envs.acting import action_set
from cluedo.envs.observing import PARTS, ObservedFields, SeatObserver


@cache
def whole_game(seats: int, deal: int = 1) -> Game:
    """A game of simple levels."""
    return played(["easy", "medium", "random", "easy", "medium", "easy"][:seats], "classic", 7, deal, max_turns=40).game


def fields_of(game: Game, *parts: str, actions: str = "flat") -> ObservedFields:
    board, rules = game.table.board, game.table.rules
    return ObservedFields(board, rules, game.table.seats, action_set(actions, board, rules, game.table.seats), parts)


def observed(game: Game, deal: Deal, commands: list[Command], seat: int) -> list[bytes]:
    """All that a seat observes of a game that is played again, and what it may do."""
    again = Game(game.table.board, game.table.rules, deal)
    fields = fields_of(game, *PARTS)
    observer = SeatObserver(fields, again.view(seat))
    found = [observer.observe(again.view(seat)).tobytes()]
    for command in commands:
        again.execute(command)
        view = again.view(seat)
        found += [observer.observe(view).tobytes(), fields.actions.mask(view).tobytes()]
    return found


def compared(game: Game, seat: int, random: Random) -> int:
    """Compare what a seat observes of a game with what it does under deals that it cannot tell from the true one."""
    deals = other_deals(game, seat, random, wanted=2)
    true = observed(game, game.state.deal, game.commands, seat) if deals else []
    for deal in deals:
        assert observed(game, deal, as_dealt(game, deal, seat, random), seat) == true, f"seat {seat}"
    return len(deals)


MANY = [pytest.param(seats, 14, marks=pytest.mark.slow) for seats in (3, 4, 5, 6)]


@pytest.mark.parametrize(("seats", "turns"), [(3, 9), (6, 9), *MANY])
def test_deals_that_a_seat_cannot_tell_apart_look_the_same_to_it(seats, turns):
    random, part = Random(seats), cut(whole_game(seats), turns)
    assert sum(compared(part, seat, random) for seat in (range(seats) if turns > 9 else (0, seats - 1))) >= 2


@pytest.mark.parametrize("name", ["two", "open", "together"])
def test_so_they_do_by_the_rules_of_editions(name):
    random = Random(name)
    game = edition_game(name, 2, max_turns=8)
    play_random(game, random, "eager")
    assert sum(compared(cut(game, turns), seat, random) for seat in range(game.table.seats) for turns in (3, 6)) >= 2


def test_a_planted_leak_is_seen(monkeypatch):
    view = Game.view
    monkeypatch.setattr(Game, "view", lambda self, seat: view(self, seat)._replace(seen=self._shown))
    random, part = Random(0), cut(whole_game(4), 12)
    with pytest.raises(AssertionError, match="seat"):
        sum(compared(part, seat, random) for seat in range(4))


def test_a_game_of_another_kind_is_refused_in_a_sentence():
    view = whole_game(4).view(0)
    for board, rules, seats in (("tiny", Rules(), 4), ("classic", Rules(), 3), ("classic", Rules(pool=2), 4)):
        fields = ObservedFields(Board.load(board), rules, seats, action_set("flat", Board.load(board), rules, seats))
        with pytest.raises(SetupError, match=f"on the map {board} with {seats} players does not fit this game"):
            SeatObserver(fields, view)


@pytest.mark.parametrize("seats", [3, 5])
def test_marks_and_odds_are_what_the_detective_knows(seats):
    game = cut(whole_game(seats), 12)
    fields = fields_of(game, "notes", "marks", "odds")
    for seat in range(seats):
        view = game.view(seat)
        row = SeatObserver(fields, view).observe(view)
        evidence = EvidenceReader(view).evidence
        places = [*((seat + k) % seats for k in range(seats)), seats]
        odds = SeatKnowledge(evidence, UNIFORM).odds
        assert fields.field(row, "odds") == pytest.approx(odds.T[places])
        solver = SatDeducer(evidence)
        cards = range(game.table.deck.size)
        there = np.array([[solver.status(card, place) for card in cards] for place in places])
        marks, notes = fields.field(row, "marks"), fields.field(row, "notes")
        assert (marks[0] == (there == True)).all()  # noqa: E712 - None is neither
        assert (marks[1] == (there == False)).all()  # noqa: E712
        assert (notes <= marks).all(), "unit rules prove nothing else"
        assert fields.field(row, "hand").tolist() == marks[0][0].tolist()


def test_marks_are_proved_even_where_the_deals_are_too_many_to_count(monkeypatch):
    class Uncountable:
        def __init__(self, evidence):
            self.evidence = evidence

        @property
        def marginals(self):
            raise observing.TooManyDeals

    game = cut(whole_game(4), 12)
    fields = fields_of(game, "marks")
    expected = SeatObserver(fields, game.view(1)).observe(game.view(1))
    monkeypatch.setattr(observing, "Posterior", Uncountable)
    assert (SeatObserver(fields, game.view(1)).observe(game.view(1)) == expected).all()


def test_an_observation_kept_up_to_date_is_the_one_made_at_once():
    game = cut(whole_game(4), 20)
    fields = fields_of(game, *PARTS)
    observer = SeatObserver(fields, game.dealt(2))
    for number, (again, _) in enumerate(steps(game)):
        if number % 7 == 0:
            view = again.view(2)
            assert (observer.observe(view) == SeatObserver(fields, view).observe(view)).all()


def test_the_history_ends_with_what_came_last():
    game = cut(whole_game(4), 20)
    fields = fields_of(game, "history")
    view = game.view(0)
    rows = fields.field(SeatObserver(fields, view).observe(view), "history")
    last = view.events[-len(rows) :]
    cards = slice(9 + 4, 9 + 4 + view.deck.size)
    assert len(last) == 64
    for row, event in zip(rows, last, strict=True):
        assert row[:9].sum() == row[9:13].sum() == 1
        assert row[9 + event.seat] == 1
        named = [*event.cards] if hasattr(event, "cards") else []
        if isinstance(event, Shown) and event.card is not None:
            named = [event.card]
        assert row[cards].nonzero()[0].tolist() == named


def test_all_numbers_are_from_0_to_1():
    for seats in (3, 6):
        game = whole_game(seats)
        fields = fields_of(game, *PARTS, actions="tokens")
        for seat in range(seats):
            row = SeatObserver(fields, game.view(seat)).observe(game.view(seat), (8, 9, 10))
            assert row.dtype == np.float32
            assert row.shape == (fields.size,)
            assert row.min() == 0
            assert row.max() == 1
            assert fields.field(row, "begun").nonzero()[1].tolist() == [8, 9, 10]


def test_a_part_that_does_not_exist_is_refused():
    board = Board.load("tiny")
    with pytest.raises(SetupError, match=r"nothing to observe is called 'mark'; did you mean 'marks'"):
        ObservedFields(board, Rules(), 3, action_set("flat", board, Rules(), 3), ["mark"])
