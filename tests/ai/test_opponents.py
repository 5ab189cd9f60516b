"""What the others can know, of what kind they are, and whether to wait is worth more than to guess."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from helpers.editions import EDITIONS, edition_game
from helpers.level_games import played, steps
from helpers.support import make_match

from cluedo.ai.knowledge import KINDS, Evidence, EvidenceReader, Notebook, Posterior
from cluedo.ai.knowledge.event_rows import EventRows, Seating
from cluedo.ai.knowledge.opponent_notes import WAYS, know
from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.opponents import (
    AHEAD,
    ALIKE,
    OPPONENT_KINDS,
    PROOF,
    STRANGE,
    Opponents,
    Outlook,
    own_terms,
    terms,
    value_of_waiting,
    weighed_envelopes,
)
from cluedo.engine.cards import bits
from cluedo.engine.commands import Hypothesis
from cluedo.engine.events import Accused
from cluedo.engine.game import Game
from research.solving_times import log_of
from research.true_odds import judge

EASY, MEDIUM, HARD, EXPERT = range(4)
NEVER = np.zeros((1, len(OPPONENT_KINDS[0].solves)))


def cut_game(levels: str, deal: int, turns: int, name: str = "manoir", movement: str = "walk") -> Game:
    """A game, cut after so many turns."""
    return played(levels.split(","), name, 31, deal, max_turns=turns, movement=movement).game


def judged(game: Game, seat: int, count: int = 60) -> Outlook:
    """How a seat judges the others as the game stands."""
    evidence = EvidenceReader(game.view(seat)).evidence
    return Opponents(evidence, KINDS).outlook(Posterior(evidence, KINDS).sample(Random(1), count), 5)


def open_bits(cards: int, game: Game) -> float:
    """The bits that are open where these cards may be in the envelope."""
    return sum(np.log2((cards & mask).bit_count()) for mask in game.table.deck.masks)


@pytest.mark.parametrize("deal", range(6))
def test_in_the_real_deal_it_finds_what_each_seat_noted(deal):
    """The bits left to the three ways of keeping notes, against the players and the notebook that keep them."""
    levels = ["hard", "medium", "easy", "hard"] if deal % 2 else ["medium", "hard", "hard"]
    match = played(levels, "manoir", 32, deal, max_turns=8 + deal // 2)
    game = match.game
    assert game.result.reason == "unfinished", "else everybody has seen the envelope"
    log, table = log_of(game), game.table
    left = np.zeros((1, table.seats, WAYS))
    kinds, found = np.ones((1, 6)), np.zeros((1, table.seats, 1))
    seating = Seating.of(Evidence(table.deck, table.hand_sizes))
    know(log.place, log.rows, seating, -1, kinds, NEVER, 0, left, found, found.copy())
    for seat, player in enumerate(match.players):
        notebook = Notebook(EvidenceReader(game.view(seat)).evidence)
        assert left[0, seat, 2] == pytest.approx(open_bits(notebook.may[table.seats], game))
        if isinstance(player, MediumPlayer):
            assert left[0, seat, 1] == pytest.approx(open_bits(player._unknown | player._envelope, game))
        evidence = EvidenceReader(game.view(seat)).evidence
        seen = evidence.hand | sum(1 << card for card in evidence.choices[1::3])
        assert left[0, seat, 0] == pytest.approx(open_bits(table.deck.all & ~seen, game))


def test_in_the_real_deal_each_question_and_each_silence_is_judged_by_what_that_seat_knew_when_it_asked():
    """Of a whole notebook, against one that is kept up to the question."""
    kind, solves = np.array([[2.0, 0.5, 0.25, 2.0, 0.1, 1.0]]), np.zeros((1, len(OPPONENT_KINDS[0].solves)))
    solves[0, 0], solves[0, 2] = 3.0, -0.7
    game = played(["hard", "medium", "hard", "easy"], "manoir", 33, 2, max_turns=13).game
    table, naming, silence = game.table, np.zeros(4), np.zeros(4)
    for again, command in steps(game):
        if isinstance(command, Hypothesis):
            seat = again.state.active
            open_ = Notebook(EvidenceReader(again.view(seat)).evidence).may[table.seats]
            hand = again.state.deal.hands[seat]
            naming[seat] += log_naming(command.cards, open_, hand, kind[0], game)
            silence[seat] -= np.logaddexp(0.0, 3.0 - 0.7 * open_bits(open_, game))
    log = log_of(game)
    left, named, silent = np.zeros((1, 4, WAYS)), np.zeros((1, 4, 1)), np.zeros((1, 4, 1))
    seating = Seating.of(Evidence(table.deck, table.hand_sizes))
    know(log.place, log.rows, seating, -1, kind, solves, 0, left, named, silent)
    assert named[0, :, 0] == pytest.approx(naming)
    assert silent[0, :, 0] == pytest.approx(silence)


def log_naming(named, open_, hand, kind, game):
    """How likely these three are named by a kind, each category by itself."""
    likely = 0.0
    for category, card in enumerate(named):
        own, again = kind[3:5] if category == 2 else kind[1:3]
        cards = game.table.deck.masks[category]
        own = 1.0 if (cards & open_).bit_count() <= 1 else own
        weights = {c: own if hand >> c & 1 else 1.0 if open_ >> c & 1 else again for c in bits(cards)}
        likely += np.log(weights[card] / sum(weights.values()))
    return likely


@pytest.mark.parametrize("name", EDITIONS)
def test_in_the_real_deal_of_an_edition_it_finds_what_each_seat_noted(name):
    """With all cards open: what the whole notebook leaves open to each seat, pool and open cards included."""
    for number in range(4):
        game = edition_game(name, number, max_turns=14)
        make_match(game, ["random"] * game.table.seats, number).play()
        told = Evidence(
            game.table.deck,
            game.table.hand_sizes,
            pool_size=game.table.pool_size,
            open_cards=game.table.open_cards,
            rules=game.table.rules,
        )
        said, place, deal = EventRows(), np.full((1, told.deck.size), told.envelope, np.int8), game.state.deal
        for turn, event in enumerate(game.events):
            if not (isinstance(event, Accused) and event.correct):
                said.add(turn, event)
        aside = [sum(1 << card for card in deal.pool), deal.open_cards]
        for at, cards in enumerate([*deal.hands, *(cards for cards in aside if cards)]):
            place[0, bits(cards)] = at
        left, found = np.zeros((1, told.seats, WAYS)), np.zeros((1, told.seats, 1))
        know(place, said.rows, Seating.of(told), -1, np.ones((1, 6)), NEVER, 0, left, found, found.copy())
        for seat in range(told.seats):
            evidence = EvidenceReader(game.view(seat)).evidence
            if any(isinstance(fact.event, Accused) and fact.event.correct for fact in evidence.facts):
                continue
            assert left[0, seat, 2] == pytest.approx(open_bits(Notebook(evidence).may[evidence.envelope], game))


@pytest.mark.parametrize(("level", "kind"), [("easy", EASY), ("medium", MEDIUM), ("hard", HARD)])
def test_it_learns_of_what_kind_the_others_are(level, kind):
    shares = [
        judged(game, 0).kinds[1:, kind].mean()
        for game in (cut_game(f"hard,{level},{level},{level}", deal, turns=20) for deal in range(8))
    ]
    assert np.mean(shares) > 0.35, "a quarter beforehand"


@pytest.mark.parametrize("movement", ["walk", "free"])
def test_probabilities_are_probabilities(movement):
    for deal, name in enumerate(["manoir", "classic", "tiny"] * 2):
        game = cut_game("hard,random,expert,easy", deal, name=name, turns=20, movement=movement)
        for seat in range(4):
            outlook = judged(game, seat, 20)
            assert outlook.lasts.shape == (4, AHEAD)
            assert (outlook.lasts[seat] == 1.0).all(), "one does not race oneself"
            assert ((outlook.lasts >= 0.0) & (outlook.lasts <= 1.0 + 1e-12)).all()
            assert (np.diff(outlook.lasts, axis=1) <= 1e-12).all()
            assert outlook.kinds.sum(1) == pytest.approx(1.0)
            assert outlook.weights.sum() == pytest.approx(1.0)
            for other in range(4):
                if game.state.eliminated >> other & 1:
                    assert (outlook.lasts[other] == 1.0).all()


def test_reading_once_or_often_is_the_same():
    game = cut_game("hard,medium,random,expert", 3, turns=25)
    reader = EvidenceReader(game.dealt(0))
    rivals = Opponents(reader.evidence, KINDS)
    for number, (again, _) in enumerate(steps(game)):
        if number % 7 == 1:
            reader.read(again.view(0))
            rivals.outlook(Posterior(reader.evidence, KINDS).sample(Random(1), 2), 5)
    reader.read(again.view(0))
    deals = Posterior(reader.evidence, KINDS).sample(Random(1), 30)
    assert (rivals.outlook(deals, 5).lasts == judged(game, 0, 30).lasts).all()


def test_who_draws_no_conclusions_is_no_danger_however_much_was_said():
    """Three players of `easy`, forty turns in: by the number of their hypotheses the game was as good as lost."""
    for deal in range(4):
        game = cut_game("easy,easy,easy,easy", deal, turns=40)
        assert game.result.reason == "unfinished"
        assert judged(game, 0).safety[3] > 0.9


def test_the_fewer_bits_are_open_to_somebody_the_sooner_they_win():
    for thinker in OPPONENT_KINDS:
        hazards = [
            terms(np.array(bits), np.array(1.0), seats) @ np.array(thinker.solves)
            for seats in (3, 4, 6)
            for bits in (0.0, 1.0, 2.0, 4.0, 6.0)
        ]
        for at in range(0, len(hazards), 5):
            assert sorted(hazards[at : at + 5], reverse=True) == hazards[at : at + 5]


def test_waiting_is_worth_more_where_nobody_else_is_near_and_where_more_is_known():
    nobody, soon = np.ones(AHEAD), 0.6 ** np.arange(1, AHEAD + 1)
    for seats in (3, 4, 6):
        values = [value_of_waiting(bits, 2.0**-bits * 0.99, seats, nobody) for bits in (1.0, 3.0, 5.0)]
        pressed = [value_of_waiting(bits, 2.0**-bits * 0.99, seats, soon) for bits in (1.0, 3.0, 5.0)]
        assert all(0.85 < value <= 1.0 for value in values)
        assert pressed == sorted(pressed, reverse=True)
        assert all(one < other for one, other in zip(pressed, values, strict=True))
        assert value_of_waiting(1.0, 0.5, seats, np.zeros(AHEAD)) == 0.0


def test_a_proof_is_worth_what_a_race_of_one_turn_makes_of_it():
    """With one turn left to everybody the value is: I am still asked, and prove it or guess right."""
    safety = np.zeros(AHEAD)
    safety[0] = 0.7
    inside, beginning = own_terms(np.array([2.0]), np.array([0.4]), np.array([1.0]), 4)
    proof = 1.0 / (1.0 + np.exp(-(inside @ np.array(PROOF))[0]))
    value = value_of_waiting(2.0, 0.4, 4, safety)
    assert 0.7 * proof < value < 0.7
    assert beginning.shape == (1, 8)


def by_definition(naming, silence, asked, seat, kind):
    """How likely a deal and the kind of one seat are, by all kinds that the seats may be of."""
    total = 0.0
    for kinds in product(range(len(OPPONENT_KINDS)), repeat=2):
        apart = np.prod([OPPONENT_KINDS[kind].prior for kind in kinds])
        prior = (1.0 - ALIKE) * apart + (ALIKE * OPPONENT_KINDS[kinds[0]].prior if kinds[0] == kinds[1] else 0.0)
        named = np.exp(sum(naming[at, of] for at, of in enumerate(kinds)))
        quiet = np.exp(sum(silence[at, of] for at, of in enumerate(kinds)))
        total += prior * named * quiet if kinds[seat] == kind else 0.0
    return total / np.exp(asked)


def test_a_deal_is_worth_what_it_makes_of_questions_and_silence_over_what_it_was_drawn_by():
    random = np.random.default_rng(4)
    shape = (3, 2, len(OPPONENT_KINDS))
    naming, silence, asked = -random.exponential(2, shape), -random.exponential(1, shape), -random.exponential(3, 3)
    nothing = np.zeros(shape)
    told = [
        sum(by_definition(naming[deal], nothing[deal], 0.0, 0, kind) for kind in range(shape[2])) for deal in range(3)
    ]
    for model in (asked, None):
        found = Outlook(np.ones((3, 2, WAYS)), naming, silence, 0, model)
        expected = np.empty(shape)
        for at in np.ndindex(shape):
            deal, seat, kind = at
            alone = by_definition(naming[deal], silence[deal], np.log(told[deal]), seat, kind)
            read = by_definition(naming[deal], silence[deal], asked[deal], seat, kind)
            expected[at] = alone if model is None else STRANGE * alone + (1.0 - STRANGE) * read
        expected /= expected.sum((0, 2), keepdims=True)
        np.testing.assert_allclose(found.shares, expected)
        np.testing.assert_allclose(found.weights, expected[:, 0].sum(1))
        np.testing.assert_allclose(found.kinds, expected.sum(0))


def test_what_the_others_can_know_brings_the_odds_nearer_to_the_truth():
    """Who asks again knows what it asks about: against `hard` that is worth more than a tenth of a bit."""
    bits = []
    for deal in range(10):
        game = cut_game("hard,hard,hard,hard", deal, turns=14)
        evidence = EvidenceReader(game.view(0)).evidence
        truth = [card - ids.start for card, ids in zip(game.state.deal.envelope, evidence.deck.ids, strict=True)]
        plain, weighed = (judge(way, evidence).envelopes[tuple(truth)] for way in ("kinds", "expert"))
        bits.append(np.log2(weighed / plain))
    assert np.mean(bits) > 0.1


def test_silence_speaks_against_the_deals_in_which_somebody_would_have_known():
    """Weighed against the definition: an envelope is worth the mean weight of its deals, where a few were drawn."""
    game = cut_game("hard,hard,hard,hard", 2, turns=14)
    evidence = EvidenceReader(game.view(0)).evidence
    posterior = Posterior(evidence, KINDS)
    deals = posterior.sample(Random(3), 200)
    weights = np.array([Random(k).random() for k in range(200)])
    weights /= weights.sum()
    found = weighed_envelopes(posterior.joint, deals, weights)
    expected = posterior.joint.copy()
    first = [ids.start for ids in evidence.deck.ids]
    by_envelope: dict[tuple[int, ...], list[float]] = {}
    for deal, weight in zip(deals, weights, strict=True):
        cards = np.flatnonzero(deal == evidence.envelope)
        by_envelope.setdefault(tuple(int(card) - at for card, at in zip(cards, first, strict=True)), []).append(weight)
    for at, own in by_envelope.items():
        if len(own) >= 3:
            expected[at] *= np.mean(own) * 200
    np.testing.assert_allclose(found, expected / expected.sum())
    np.testing.assert_array_equal(found > 0, posterior.joint > 0)
