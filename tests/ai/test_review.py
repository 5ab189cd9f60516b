"""Reviews of games: against the solver, against every question that could be asked, and against other deals."""

from __future__ import annotations

import json
import math
from functools import cache
from random import Random

import numpy as np
import pytest
from helpers.cases import cases, some
from helpers.level_games import PLAYED, played, seen_until, steps
from helpers.other_deals import cut, other_deals, replay_for
from helpers.support import drawn_game, make_game, play_random

from cluedo.ai.choosing import pick, rooms_to_ask_in
from cluedo.ai.knowledge import CHOICE, Posterior, Proof, SatDeducer, SeatKnowledge
from cluedo.ai.knowledge.evidence import EvidenceReader
from cluedo.ai.knowledge.gains import answers, gain
from cluedo.ai.knowledge.seat_knowledge import uncertainty
from cluedo.ai.level_random import RandomPlayer
from cluedo.ai.match import Match
from cluedo.ai.player import Player
from cluedo.ai.review import review, turning_point
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, EndTurn, Hypothesis, Move, SecretPassage, ShowCard, Stay
from cluedo.engine.events import Accused, HypothesisMade
from cluedo.engine.game import Game
from cluedo.engine.state import MOVE, WALK


@cache
def whole_game(level: str, seats: int, name: str, movement: str, deal: int = 0) -> Game:
    return played([level] * seats, name, 11, deal, movement=movement, max_turns=60).game


def proofs(reader: EvidenceReader) -> set[Proof]:
    """Everything that the solver proves."""
    known = SatDeducer(reader.evidence)
    size, places = reader.evidence.deck.size, reader.evidence.seats + 1
    found = [(card, place, known.status(card, place)) for card in range(size) for place in range(places)]
    return {Proof(card, place, status) for card, place, status in found if status is not None}


# ---- what was proved, and when ----------------------------------------------------------------------


@PLAYED
def test_what_is_new_each_turn_is_what_the_solver_finds_new(level, seats, name, movement):
    game = whole_game(level, seats, name, movement)
    for seat in range(seats):
        before = proofs(seen_until(game, seat, 0))
        for turn in review(game, seat).turns:
            after = proofs(seen_until(game, seat, turn.turn))
            assert set(turn.proved) == after - before
            before = after


@PLAYED
def test_the_turn_of_certainty_is_the_first_after_which_the_solver_proves_three_cards(level, seats, name, movement):
    game = whole_game(level, seats, name, movement)
    turns = range(game.state.turn + 1)
    for seat in range(seats):
        found = review(game, seat)
        has = [SatDeducer(seen_until(game, seat, turn).evidence).has[seats] for turn in turns]
        for category, mask in enumerate(game.table.deck.masks):
            assert found.settled[category] == next((turn for turn in turns if has[turn] & mask), None)
        assert found.certain == next((turn for turn in turns if has[turn].bit_count() == 3), None)


@pytest.mark.parametrize("deal", range(6))
def test_hard_accuses_exactly_when_it_first_can_with_proof(deal):
    game = whole_game("hard", 4, "manoir", "walk", deal)
    assert game.result is not None
    for seat in range(4):
        found = review(game, seat)
        if seat == game.result.winner:
            assert found.accusation is not None
            assert (found.accusation.turn, found.accusation.chance) == (found.earliest, 1.0)
            assert found.accusation.correct
            assert found.certain is not None
            assert found.certain <= found.accusation.turn == game.result.turns
        else:
            assert found.accusation is None
            assert found.earliest is None


@pytest.mark.parametrize("deal", range(4))
def test_who_has_to_be_in_the_room_could_not_accuse_before(deal):
    game = played(["hard"] * 3, "classic", 3, deal, accuse_in="room").game
    for seat in range(3):
        earliest = review(game, seat).earliest
        ends = (
            Accusation(*game.state.deal.envelope).why_not(part.state)
            for part, command in steps(game)
            if part.state.turn == earliest and isinstance(command, Accusation | EndTurn)
        )
        assert earliest is None or next(ends) is None


@pytest.mark.slow
def test_a_guess_has_the_odds_of_its_moment_and_who_guessed_wrongly_could_accuse_no_more():
    guesses = wrong = 0
    for deal in range(cases(8, 4)):
        game = whole_game("habit:guess=0.3", 3, "classic", "free", deal)
        for seat in range(3):
            found = review(game, seat)
            guess = found.accusation
            accused = [event for event in game.events if isinstance(event, Accused) and event.seat == seat]
            assert (guess is not None) == bool(accused)
            if guess is None:
                continue
            assert (guess.cards, guess.correct) == (accused[0].cards, accused[0].correct)
            odds = dict(Posterior(seen_before_accusing(game, seat).evidence, CHOICE).envelopes())
            assert guess.chance == pytest.approx(odds[guess.cards])
            assert guess.correct or found.earliest is None
            guesses, wrong = guesses + (guess.chance < 1.0), wrong + (not guess.correct)
    assert guesses >= 2
    assert wrong


def seen_before_accusing(game: Game, seat: int) -> EvidenceReader:
    for part, command in steps(game):
        if isinstance(command, Accusation) and part.state.active == seat:
            break
    return EvidenceReader(part.view(seat))


# ---- what was asked ---------------------------------------------------------------------------------


@PLAYED
def test_no_question_promises_more_than_the_best_in_its_room_nor_that_than_the_best_within_reach(
    level, seats, name, movement
):
    game = whole_game(level, seats, name, movement)
    asked = [event.cards for event in game.events if isinstance(event, HypothesisMade)]
    found = [review(game, seat) for seat in range(seats)]
    told = sorted((turn.turn, turn.question.cards) for one in found for turn in one.turns if turn.question)
    assert [cards for _, cards in told] == asked
    for one in found:
        for turn in one.turns:
            if turn.question is not None:
                assert 0.0 <= turn.question.expected <= turn.question.best.bits
                assert turn.question.best.cards[2] == turn.question.cards[2]
                assert turn.reachable is None or turn.reachable.bits >= turn.question.best.bits
            if turn.reachable is not None:
                assert turn.seat == one.seat
        assert 0.0 <= one.expected <= one.best
        assert one.missed >= 0.0


@pytest.mark.parametrize("name", ["tiny", "manoir"])
def test_the_best_is_the_best_of_all(name):
    game = whole_game("hard", 3, name, "walk")
    deck = game.table.deck
    for turns in (0, 5, 9):
        posterior = Posterior(seen_until(game, 0, turns).evidence, CHOICE)
        room = deck.rooms[turns % len(deck.rooms)]
        best = SeatKnowledge(posterior.evidence, CHOICE).best(rooms=[room])[0]
        gains = {(s, w, room): gain(posterior, (s, w, room)) for s in deck.suspects for w in deck.weapons}
        assert best.bits == pytest.approx(gains[best.cards])
        assert best.bits >= max(gains.values()) - 0.01


@PLAYED
def test_what_was_learnt_adds_up_to_what_is_known(level, seats, name, movement):
    game = whole_game(level, seats, name, movement)
    table = uncertainty(game, CHOICE)
    for seat in range(seats):
        found = review(game, seat)
        assert [turn.before for turn in found.turns] == pytest.approx(table[:-1, seat].tolist(), abs=1e-9)
        assert [turn.after for turn in found.turns] == pytest.approx(table[1:, seat].tolist(), abs=1e-9)
        assert found.learnt + found.heard == pytest.approx(table[0, seat] - table[-1, seat])
        assert found.luck == pytest.approx(sum(question.learnt - question.expected for question in found.questions))
        if found.turning is not None:
            assert found.turns[found.turning - 1].learnt == max(-np.diff(table[:, seat]))


class Fair(RandomPlayer):
    """Asks what it likes, shows as the model `choice` thinks, and never accuses."""

    def begin(self, view, random):
        super().begin(view, random)
        self._shown_to = [0] * view.table.seats

    def choose_card(self, view):
        cards = ShowCard.choices(view)
        card = pick(self.random, bits(cards & self._shown_to[view.active] or cards))
        self._shown_to[view.active] |= 1 << card
        return ShowCard(card)

    def choose_peek(self, view):
        return Player.choose_peek(self, view)

    def choose_accusation(self, view):
        return None


def fair_luck(name: str, seats: int, games: int, **rules) -> list[float]:
    """The luck of every question in games whose answers betray nothing that the model does not know."""
    found = []
    for deal in range(games):
        game = drawn_game(Board.load(name), seats, 1, deal, movement="free", max_turns=6 * seats, **rules)
        Match(game, [Fair() for _ in range(seats)], [Random(f"{deal} {seat}") for seat in range(seats)]).play()
        for seat in range(seats):
            found += [question.learnt - question.expected for question in review(game, seat).questions]
    return found


POOL = {"pool": 4, "peek": True}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats", "games", "rules"), some([("tiny", 3, 25, {}), ("manoir", 4, 40, {}), ("classic", 2, 25, POOL)], 1)
)
def test_luck_is_nothing_on_average(name, seats, games, rules):
    luck = fair_luck(name, seats, games, **rules)
    error = np.std(luck) / math.sqrt(len(luck))
    assert len(luck) > 3 * seats * games
    assert np.std(luck) > 0.1, "there is luck"
    assert abs(np.mean(luck)) < 3 * error


@PLAYED
def test_on_average_over_its_answers_a_question_leaves_every_envelope_as_likely_and_never_more_open(
    level, seats, name, movement
):
    game, random = whole_game(level, seats, name, movement), Random(2)
    deck = game.table.deck
    for turns in range(0, game.state.turn, 4):
        posterior = Posterior(seen_until(game, turns % seats, turns).evidence, CHOICE)
        before = posterior.joint.copy()
        told = list(answers(posterior, tuple(random.choice(ids) for ids in deck.ids)))
        assert sum(p for p, _ in told) == pytest.approx(1.0)
        assert np.allclose(sum(p * table for p, table in told), before)


# ---- where it could have gone -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("name", "movement"), some([("tiny", "walk"), ("classic", "free"), ("manoir", "walk")], 2))
def test_the_rooms_to_choose_from_are_those_where_a_move_lets_one_ask(name, movement):
    game, random = drawn_game(Board.load(name), 3, 7, movement=movement, max_turns=150), Random(4)
    seen = {MOVE: 0, WALK: 0}

    def compare(_command):
        state = game.state
        if state.step not in (MOVE, WALK) or not (game.table.board.is_room(state.place) or random.random() < 0.2):
            return
        view, rooms = game.view(state.active), set()
        for move in [one for one in view.legal() if isinstance(one, Move | SecretPassage | Stay)]:
            game.execute(move)
            rooms |= {one.room for one in game.legal() if isinstance(one, Hypothesis)}
            game.undo()
        assert rooms_to_ask_in(view) == sorted(rooms)
        seen[view.step] += bool(rooms)

    play_random(game, random, "patient", limit=400, before=compare)
    assert seen[MOVE] > 5
    assert seen[WALK] > 5 or movement == "free"


# ---- whose view -------------------------------------------------------------------------------------


@pytest.mark.slow
@PLAYED
def test_deals_that_a_seat_cannot_tell_apart_give_it_the_same_review(level, seats, name, movement):
    whole, random = whole_game(level, seats, name, movement), Random(9)
    names = [*(whole.table.name(seat) for seat in range(seats)), "envelope"]
    compared = 0
    for seat in range(seats):
        for game in (cut(whole, whole.state.turn // 2), cut(whole, whole.state.turn * 3 // 4)):
            true = review(game, seat).to_json(game.table.deck, names)
            for deal in other_deals(game, seat, random, wanted=cases(2)):
                again = review(replay_for(seat, game, deal), seat)
                assert again.to_json(game.table.deck, names) == true
                compared += 1
    assert compared >= seats


def test_a_review_as_json_is_plain_and_by_name():
    game = whole_game("hard", 4, "manoir", "walk")
    data = json.loads(json.dumps(review(game, 1).to_json(game.table.deck, ["A", "B", "C", "D", "envelope"])))
    assert data["seat"] == "B"
    assert [turn["turn"] for turn in data["turns"]] == list(range(1, game.state.turn + 1))
    assert sum(turn["question"] is not None for turn in data["turns"]) == data["asked"]
    assert set(data["bits"]) == {"expected", "best", "learnt", "luck", "heard", "missed"}


# ---- short and broken-off games ---------------------------------------------------------------------


def test_a_game_in_which_nothing_happened_yet():
    found = review(make_game("tiny"), 0)
    assert (found.turns, found.certain, found.turning, found.accusation) == ((), None, None, None)
    assert (found.expected, found.learnt, found.luck, found.missed, found.heard) == (0.0,) * 5


def test_a_game_that_breaks_off_before_the_answer_has_a_turn_without_question():
    for game, _ in steps(whole_game("hard", 4, "manoir", "walk")):
        if game.state.step.name == "REFUTE":
            break
    found = review(game, game.state.active)
    assert found.questions == []
    assert found.turns[-1].turn == game.state.turn
    assert found.turns[-1].reachable is not None


# ---- the turning point ------------------------------------------------------------------------------


@PLAYED
def test_from_the_turning_point_on_nobody_in_play_knew_more_than_the_winner(level, seats, name, movement):
    found = 0
    for deal in range(4):
        game = whole_game(level, seats, name, movement, deal)
        table, winner = uncertainty(game), game.state.winner
        assert winner is not None
        turn = turning_point(game, table)
        others = [seat for seat in range(seats) if seat != winner and not game.state.eliminated >> seat & 1]
        leads = [all(row[winner] <= row[other] + 1e-9 for other in others) for row in table]
        if turn is None:
            assert not others or not leads[-1], "a guess may win from behind"
            continue
        found += 1
        assert all(leads[turn:])
        assert turn == 0 or not leads[turn - 1]
    assert found


def test_there_is_no_turning_point_without_a_winner_or_a_lead():
    won = whole_game("hard", 3, "tiny", "walk")
    table = uncertainty(won)
    assert won.state.winner is not None
    behind = table.copy()
    behind[-1] = 0.0
    behind[-1, won.state.winner] = 1.0
    assert turning_point(won, behind) is None
    part = Game(won.table.board, won.table.rules, won.state.deal)
    part.execute(won.commands[0])
    assert turning_point(part, uncertainty(part)) is None
