"""What each seat did not know after each turn, against posteriors of evidence read afresh."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest
from helpers.level_games import PLAYED, played, seen_until, steps
from helpers.other_deals import cut, other_deals, replay_for

from cluedo.ai.knowledge import CHOICE, UNIFORM, Posterior, SatDeducer, entropy
from cluedo.ai.knowledge.seat_knowledge import after_each_turn, uncertainty
from cluedo.engine.board import Board
from cluedo.engine.commands import EndTurn
from cluedo.engine.game import Game
from cluedo.engine.record import GameRecord, RecordWriter


@cache
def whole_game(level: str, seats: int, name: str, movement: str, deal: int = 0, **rules: int) -> Game:
    return played([level] * seats, name, 5, deal, movement=movement, **rules).game


@PLAYED
@pytest.mark.parametrize("model", [UNIFORM, CHOICE], ids=lambda model: model.name)
def test_every_row_is_the_entropy_of_the_posterior_after_that_turn(level, seats, name, movement, model):
    game = whole_game(level, seats, name, movement)
    table = uncertainty(game, model)
    assert table.shape == (game.state.turn + 1, seats)
    for turns in range(0, game.state.turn + 1, 3):
        for seat in range(seats):
            evidence = seen_until(game, seat, turns).evidence
            assert table[turns, seat] == pytest.approx(entropy(Posterior(evidence, model).joint), abs=1e-8)


@PLAYED
def test_before_the_first_turn_every_category_counts_its_cards_that_are_not_in_the_hand(level, seats, name, movement):
    game = whole_game(level, seats, name, movement)
    deal, masks = game.state.deal, game.table.deck.masks
    for seat, bits in enumerate(uncertainty(game)[0]):
        unseen = [(mask & ~deal.hands[seat]).bit_count() for mask in masks]
        assert bits == pytest.approx(np.log2(unseen).sum())


@PLAYED
def test_nothing_is_left_exactly_where_the_envelope_is_proved(level, seats, name, movement):
    proved = open_ = 0
    for deal in range(3):  # who guesses may end a game before anybody has a proof
        game = whole_game(level, seats, name, movement, deal)
        table = uncertainty(game)
        for turns, seat in product(range(game.state.turn + 1), range(seats)):
            known = SatDeducer(seen_until(game, seat, turns).evidence).has[seats].bit_count() == 3
            assert (table[turns, seat] == 0.0) == known
            proved, open_ = proved + known, open_ + (not known)
    assert proved
    assert open_


def test_a_right_accusation_tells_the_others_but_its_row_is_what_they_knew_before():
    left = []
    for deal in range(6):
        game = whole_game("hard", 4, "manoir", "walk", deal)
        last = uncertainty(game)[-1]
        assert game.result is not None
        assert last[game.result.winner] == 0.0
        left += [bits for seat, bits in enumerate(last) if seat != game.result.winner]
    assert sum(bits > 0.0 for bits in left) > len(left) / 2


@pytest.mark.parametrize("limit", [1, 7, 200])
def test_there_is_a_position_for_the_deal_and_for_every_turn(limit):
    game = whole_game("random", 3, "tiny", "walk", max_turns=limit)
    turns = [len([c for c in position.commands if isinstance(c, EndTurn)]) for position in after_each_turn(game)]
    solved = game.result is not None and game.result.reason == "solved"
    assert turns == [*range(game.state.turn + (not solved)), *([game.state.turn - 1] if solved else [])]


@pytest.mark.parametrize("turns", [0, 1, 5, None])
def test_a_record_that_is_played_in_part_gives_the_first_rows(turns):
    game = whole_game("hard", 4, "manoir", "walk")
    record = GameRecord.from_json(RecordWriter(Board.load("manoir"), game.table.rules).line(game, ["hard"] * 4))
    part = record.replay(Board.load("manoir"), turns)
    whole = uncertainty(game)
    assert np.array_equal(uncertainty(part), whole if turns is None else whole[: turns + 1])


def test_a_game_that_breaks_off_in_a_turn_ends_with_what_is_known_there():
    game = whole_game("hard", 4, "manoir", "walk")
    for part, _ in steps(game):
        if part.state.turn == 9 and part.state.hypothesis:
            break
    assert len(uncertainty(part)) == 10
    assert np.array_equal(uncertainty(part)[:9], uncertainty(game)[:9])


@PLAYED
def test_a_seat_is_judged_by_what_it_may_know(level, seats, name, movement):
    whole, random = whole_game(level, seats, name, movement), Random(3)
    compared = 0
    for seat in range(seats):
        for game in (cut(whole, whole.state.turn // 3), cut(whole, whole.state.turn // 2)):
            for deal in other_deals(game, seat, random, wanted=3):
                again = replay_for(seat, game, deal)
                assert np.array_equal(uncertainty(again)[:, seat], uncertainty(game)[:, seat])
                compared += 1
    assert compared > seats
