"""What the others can know, of what kind they are, and whether to wait is worth more than to guess."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import prod
from operator import or_
from random import Random

import numpy as np
import pytest
from helpers.editions import EDITIONS, edition_game
from helpers.level_games import played, steps
from helpers.support import make_match

from cluedo.ai.knowledge import KINDS, Evidence, EvidenceReader, Notebook, Posterior
from cluedo.ai.knowledge.kernels.event_rows import EventRows, Seating
from cluedo.ai.knowledge.kernels.opponent_likelihood import _NEAR, Found, Habits, know
from cluedo.ai.knowledge.kernels.opponent_notes import WAYS
from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.opponents import (
    _SPREAD,
    _STYLES_OF_KINDS,
    ALIKE,
    OPPONENT_KINDS,
    SOLVING_STYLES,
    STRANGE,
    DealLikelihoods,
    Opponents,
    Outlook,
    weighed_envelopes,
)
from cluedo.ai.race import AHEAD, BOX_BITS, PROOF, Race, value_of_waiting
from cluedo.engine.cards import Deck, bits
from cluedo.engine.commands import Hypothesis
from cluedo.engine.events import Accused, HypothesisMade, Passed, Shown
from cluedo.engine.game import Game
from research.solving_times import log_of, own_terms, terms
from research.true_odds import judge

NO_NAMING, NO_SOLVING, NEVER = np.ones((0, 6)), np.ones((0, 2)), np.ones((0, 0))


def cut_game(levels: str, deal: int, turns: int, name: str = "manoir", movement: str = "walk") -> Game:
    """A game, cut after so many turns."""
    return played(levels.split(","), name, 31, deal, max_turns=turns, movement=movement).game


def outlook_of(game: Game, seat: int, count: int = 60) -> Outlook:
    """How close to winning a seat thinks the others are, as the game stands."""
    evidence = EvidenceReader(game.view(seat)).evidence
    opponents = Opponents(evidence, KINDS)
    return opponents.outlook(opponents.likelihoods(Posterior(evidence, KINDS).sample(Random(1), count), 5))


def kinds_of(outlook: Outlook) -> np.ndarray:
    """How likely each seat is of each kind: an array (seats, kinds)."""
    weights, alike, unlike, apart = outlook._weighed
    return np.einsum("d,dsk->sk", weights, alike[:, None] + unlike[:, None, None] * apart)


def envelopes(cards: int, game: Game) -> int:
    """How many envelopes there are of these cards."""
    return prod((cards & mask).bit_count() for mask in game.table.deck.masks)


def found_in(place, rows, evidence: Evidence, naming=NO_NAMING, solving=NO_SOLVING, silent=NEVER, wrong=NEVER, seed=0):
    """In one deal, by seat: how many envelopes are open, and how likely its questions and its silence are."""
    shape = 1, evidence.seats
    found = Found(np.ones((*shape, WAYS), np.int64), np.zeros((*shape, len(naming))), np.zeros((*shape, len(solving))))
    know(place, rows, Seating.of(evidence), -1, Habits.of(naming, solving, silent, wrong), seed, found)
    return Found(*(part[0] for part in found))


@pytest.mark.parametrize("deal", range(6))
def test_in_the_real_deal_it_finds_what_each_seat_noted(deal):
    """The bits left to the three ways of keeping notes, against the players and the notebook that keep them."""
    levels = ["hard", "medium", "easy", "hard"] if deal % 2 else ["medium", "hard", "hard"]
    match = played(levels, "manoir", 32, deal, max_turns=8 + deal // 2)
    game = match.game
    assert game.result.reason == "unfinished", "else everybody has seen the envelope"
    log, table = log_of(game), game.table
    left = found_in(log.place, log.rows, Evidence(table.deck, table.hand_sizes)).left
    for seat, player in enumerate(match.players):
        notebook = Notebook(EvidenceReader(game.view(seat)).evidence)
        assert left[seat, 2] == envelopes(notebook.may[table.seats], game)
        if isinstance(player, MediumPlayer):
            assert left[seat, 1] == envelopes(player._unknown | player._envelope, game)
        evidence = EvidenceReader(game.view(seat)).evidence
        seen = evidence.hand | reduce(or_, evidence.shown_me)
        assert left[seat, 0] == envelopes(table.deck.all & ~seen, game)


@pytest.mark.parametrize("movement", ["walk", "free"])
def test_in_the_real_deal_each_question_and_each_silence_is_judged_by_what_that_seat_knew_when_it_asked(movement):
    """Of a whole notebook, against one that is kept up to the question."""
    naming_style, solving_style = np.array([[2.0, 0.5, 0.25, 2.0, 0.1, 0.3]]), np.array([[2.0, 0.0]])
    silent = -np.arange(500.0)[None] / 7.0
    game = played(["hard", "medium", "hard", "easy"], "manoir", 33, 2, max_turns=13, movement=movement).game
    table, naming, silence, before = game.table, np.zeros(4), np.zeros(4), [()] * 4
    for again, command in steps(game):
        if isinstance(command, Hypothesis):
            seat = again.state.active
            open_ = Notebook(EvidenceReader(again.view(seat)).evidence).may[table.seats]
            hand = again.state.deal.hands[seat]
            naming[seat] += log_naming(command.cards, open_, hand, before[seat], naming_style[0], game)
            before[seat] = command.cards
            silence[seat] -= envelopes(open_, game) / 7.0
    log = log_of(game)
    evidence = Evidence(table.deck, table.hand_sizes, free=table.free)
    found = found_in(log.place, log.rows, evidence, naming_style, solving_style, silent, silent)
    assert found.naming[:, 0] == pytest.approx(naming)
    assert found.silence[:, 0] == pytest.approx(silence)


@pytest.mark.parametrize("again", [0.03, 0.3, 1.0, 1.4])
def test_who_asks_about_a_card_again_was_probably_shown_another_one(again):
    """Ann asks Bob, who holds b and d, about both, and then about b once more: by both cards that she may have seen."""
    deck, log = Deck(["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]), EventRows()
    for turn, asked in enumerate([HypothesisMade(0, 1, 3, 8), HypothesisMade(0, 1, 4, 8)]):
        log.add(turn, asked)
        log.add(turn, Shown(1, 0, None))
    place = np.array([[3, 1, 0, 1, 2, 3, 2, 3, 0]], np.int8)
    remembers = np.array([[0.0, 1.0, again, 1.0, again, 0.0]])  # what it has seen
    found = found_in(place, log.rows, Evidence(deck, (2, 2, 2), free=True), remembers, seed=6)
    if_d = 1 / 3 * (1 / (2 + again)) * 1 / 3
    if_b = again / (2 + again) * 1 / 3 * 1 / 3
    assert found.naming[0, 0] == pytest.approx(np.log(1 / 3**3 * (if_d + if_b) / 2))


def log_naming(named, open_, hand, before, kind, game):
    """How likely these three are named by a kind, each category by itself; ``before`` are those it named last."""
    likely = 0.0
    for category, card in enumerate(named):
        own, again = kind[3:5] if category == 2 else kind[1:3]
        cards = game.table.deck.masks[category]
        settled = (cards & open_).bit_count() <= 1
        own = 1.0 if settled else own
        weights = {c: own if hand >> c & 1 else 1.0 if open_ >> c & 1 else again for c in bits(cards)}
        by_foot = category == 2 and not game.table.free
        others = sum(weights.values()) - weights[card]
        chance = weights[card] / (weights[card] + (_NEAR if by_foot else 1.0) * others)
        if before and open_ >> before[category] & 1 and not settled and not by_foot:
            chance = (1.0 - kind[5]) * chance + kind[5] * (card == before[category])
        likely += np.log(chance)
    return likely


@pytest.mark.parametrize("notes", range(WAYS))
def test_who_accuses_wrongly_names_cards_that_may_be_in_the_envelope_or_does_so_by_mistake(notes):
    """Bob asks with no answer, and accuses: by the card that he holds, of what he asked, and of what is open."""
    deck = Deck(["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"])
    place = np.array([[3, 1, 0, 3, 1, 2, 3, 2, 0]], np.int8)  # Bob holds b and e
    wrong, mistake = np.log([[1.0] + [0.4] * 27]), np.log(0.002)
    for accused in product(*deck.ids):
        log = EventRows()
        for event in (HypothesisMade(1, 1, 4, 6), Passed(2), Passed(0)):
            log.add(0, event)
        log.add(0, Accused(1, *accused, correct=False))
        style = np.array([[float(notes), mistake]])
        silence = found_in(place, log.rows, Evidence(deck, (2, 2, 2)), NO_NAMING, style, wrong, wrong).silence
        unseen = list(product([0, 2], [3, 5], [6, 7, 8]))
        possible = [cards for cards in unseen if cards[2] == 6] if notes else unseen
        expected = sum((accused in some) / len(some) / 2 for some in (unseen, possible))
        expected = 0.005 / 27 + 0.995 * expected
        assert silence[1, 0] == pytest.approx(np.log(0.4) + np.log(expected))
        assert not silence[[0, 2]].any()


def test_an_accusation_says_where_its_cards_are_not():
    """Who guesses at 25 % does not hold what they accuse of: `expert` knows it, the odds by themselves do not."""
    held = []
    for deal in range(60):
        game = cut_game("hard,habit:guess=0.25,habit:guess=0.25,habit:guess=0.25", deal, turns=16)
        wrong = [event for event in game.events if isinstance(event, Accused) and not event.correct]
        if not wrong or wrong[0].seat == 0:
            continue
        evidence = EvidenceReader(game.view(0)).evidence
        posterior = Posterior(evidence, KINDS)
        deals = posterior.sample(Random(1), 200)
        opponents = Opponents(evidence, KINDS)
        weights = opponents.outlook(opponents.likelihoods(deals, 5)).weights
        at_accuser = deals[:, list(wrong[0].cards)] == wrong[0].seat
        held.append((at_accuser.any(axis=1).mean(), weights @ at_accuser.any(axis=1)))
        assert not any(game.state.deal.hands[wrong[0].seat] >> card & 1 for card in wrong[0].cards)
    plain, weighed = np.mean(held, axis=0)
    assert len(held) > 8
    assert plain > 0.15
    assert weighed < 0.05


@pytest.mark.parametrize("name", EDITIONS)
def test_in_the_real_deal_of_an_edition_it_finds_what_each_seat_noted(name):
    """With all cards open: what the whole notebook leaves open to each seat, pool and open cards included."""
    for number in range(20):
        game = edition_game(name, number, max_turns=30)
        make_match(game, ["random"] * game.table.seats, number).play()
        table = game.table
        more = {"pool_size": table.pool_size, "open_cards": table.open_cards, "rules": table.rules}
        told = Evidence(table.deck, table.hand_sizes, **more)
        said, place, deal = EventRows(), np.full((1, told.deck.size), told.envelope, np.int8), game.state.deal
        for turn, event in enumerate(game.events):
            if not (isinstance(event, Accused) and event.correct):
                said.add(turn, event)
        aside = [sum(1 << card for card in deal.pool), deal.open_cards]
        for at, cards in enumerate([*deal.hands, *(cards for cards in aside if cards)]):
            place[0, bits(cards)] = at
        left = found_in(place, said.rows, told).left
        for seat in range(told.seats):
            evidence = EvidenceReader(game.view(seat)).evidence
            if any(isinstance(fact.event, Accused) and fact.event.correct for fact in evidence.facts):
                continue
            assert left[seat, 2] == envelopes(Notebook(evidence).may[evidence.envelope], game)
            assert left[seat, 0] >= left[seat, 1] >= left[seat, 2], "who draws fewer conclusions leaves more open"


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_it_learns_how_the_others_solve_the_case(level):
    of_level = [kind.solving.name == level for kind in OPPONENT_KINDS]
    shares = [
        kinds_of(outlook_of(game, 0))[1:, of_level].sum(1).mean()
        for game in (cut_game(f"hard,{level},{level},{level}", deal, turns=20) for deal in range(8))
    ]
    assert np.mean(shares) > 0.35, "a quarter beforehand"


@pytest.mark.parametrize("movement", ["walk", "free"])
def test_probabilities_are_probabilities(movement):
    for deal, name in enumerate(["manoir", "classic", "tiny"] * 2):
        game = cut_game("hard,random,expert,easy", deal, name=name, turns=20, movement=movement)
        for seat in range(4):
            outlook = outlook_of(game, seat, 20)
            assert outlook.survival.shape == (AHEAD,)
            assert outlook.hazards[seat] == 0.0, "one does not race oneself"
            for chances in (outlook.survival, outlook.hazards):
                assert ((chances >= 0.0) & (chances <= 1.0 + 1e-12)).all()
            assert (np.diff(outlook.survival) <= 1e-12).all()
            assert kinds_of(outlook).sum(1) == pytest.approx(1.0)
            assert outlook.weights.sum() == pytest.approx(1.0)
            for other in range(4):
                if game.state.eliminated >> other & 1:
                    assert outlook.hazards[other] == 0.0


def test_reading_once_or_often_is_the_same():
    game = cut_game("hard,medium,random,expert", 3, turns=25)
    reader = EvidenceReader(game.dealt(0))
    rivals = Opponents(reader.evidence, KINDS)
    for number, (again, _) in enumerate(steps(game)):
        if number % 7 == 1:
            reader.read(again.view(0))
            rivals.likelihoods(Posterior(reader.evidence, KINDS).sample(Random(1), 2), 5)
    reader.read(again.view(0))
    deals = Posterior(reader.evidence, KINDS).sample(Random(1), 30)
    assert (rivals.outlook(rivals.likelihoods(deals, 5)).survival == outlook_of(game, 0, 30).survival).all()


def test_who_draws_no_conclusions_is_no_danger_however_much_was_said():
    """Three players of `easy`, forty turns in: by the number of their hypotheses the game was as good as lost."""
    for deal in range(4):
        game = cut_game("easy,easy,easy,easy", deal, turns=40)
        assert game.result.reason == "unfinished"
        assert outlook_of(game, 0).survival[3] > 0.8


def test_the_fewer_bits_are_open_to_somebody_the_sooner_they_win():
    for style in SOLVING_STYLES:
        hazards = [
            terms(np.array(bits), np.array(1.0), seats, 0.0, BOX_BITS) @ np.array(style.solves)
            for seats in (3, 4, 6)
            for bits in (0.0, 1.0, 2.0, 4.0, 6.0)
        ]
        for at in range(0, len(hazards), 5):
            assert sorted(hazards[at : at + 5], reverse=True) == hazards[at : at + 5]


def test_the_naming_styles_of_a_solving_style_add_up():
    for style in SOLVING_STYLES:
        assert sum(share for _, share in style.names) == pytest.approx(1.0)


def test_who_names_cards_again_and_again_is_taken_for_a_good_player():
    """Three who name a card again while it is open to them, and three alike in all else."""
    strong = [kind.solving.name in ("expert", "habit:guess=0.25") for kind in OPPONENT_KINDS]
    judges = (
        [kinds_of(outlook_of(cut_game(f"hard,{player},{player},{player}", deal, turns=16), 0)) for deal in range(12)]
        for player in ("habit:ask=same", "habit:ask=open")
    )
    again, anew = (np.mean([kinds[1:, strong].sum(1).mean() for kinds in those]) for those in judges)
    assert again > anew + 0.15


def test_who_accuses_without_a_proof_is_taken_for_a_guesser():
    guessers = [kind.solving.accuses is not None for kind in OPPONENT_KINDS]
    shares = []
    for deal in range(30):
        game = cut_game("hard,habit:guess=0.25,habit:guess=0.25,habit:guess=0.25", deal, turns=20)
        if game.state.eliminated and not game.state.eliminated & 1:
            shares.append(kinds_of(outlook_of(game, 0))[1:, guessers].sum(1).mean())
    assert len(shares) > 3
    assert np.mean(shares) > 0.6, "0.3 beforehand"


def box(seats: int) -> Race:
    """The setting of a game with the cards of the box, on a board."""
    return Race(seats, 0.0, BOX_BITS)


def test_waiting_is_worth_more_where_nobody_else_is_near_and_where_more_is_known():
    nobody, soon = np.ones(AHEAD), 0.6 ** np.arange(1, AHEAD + 1)
    for seats in (3, 4, 6):
        values = [value_of_waiting(bits, 2.0**-bits * 0.99, box(seats), nobody) for bits in (1.0, 3.0, 5.0)]
        pressed = [value_of_waiting(bits, 2.0**-bits * 0.99, box(seats), soon) for bits in (1.0, 3.0, 5.0)]
        assert all(0.85 < value <= 1.0 for value in values)
        assert pressed == sorted(pressed, reverse=True)
        assert all(one < other for one, other in zip(pressed, values, strict=True))
        assert value_of_waiting(1.0, 0.5, box(seats), np.zeros(AHEAD)) == 0.0


def test_a_proof_is_worth_what_a_race_of_one_turn_makes_of_it():
    """With one turn left to everybody the value is: I am still asked, and prove it or guess right."""
    survival = np.zeros(AHEAD)
    survival[0] = 0.7
    inside, beginning = own_terms(np.array([2.0]), np.array([0.4]), np.array([1.0]), *box(4))
    proof = 1.0 / (1.0 + np.exp(-(inside @ np.array(PROOF))[0]))
    value = value_of_waiting(2.0, 0.4, box(4), survival)
    assert 0.7 * proof < value < 0.7
    assert beginning.shape == (1, 12)


def by_definition(naming, silence, asked, seat, kind):
    """How likely a deal and the kind of one seat are, by all kinds that the seats may be of; both (seats, kinds)."""
    total = 0.0
    for kinds in product(range(len(OPPONENT_KINDS)), repeat=2):
        if kinds[seat] != kind:
            continue
        apart = np.prod([OPPONENT_KINDS[kind].prior for kind in kinds])
        prior = (1.0 - ALIKE) * apart + (ALIKE * OPPONENT_KINDS[kinds[0]].prior if kinds[0] == kinds[1] else 0.0)
        total += prior * np.exp(sum(naming[at, of] + silence[at, of] for at, of in enumerate(kinds)))
    return total / np.exp(asked)


def test_a_deal_is_worth_what_it_makes_of_questions_and_silence_over_what_it_was_drawn_by():
    random = np.random.default_rng(4)
    shape = (3, 2, len(OPPONENT_KINDS))
    by_naming, by_solving = -random.exponential(2, (3, 2, 99)), -random.exponential(1, (3, 2, len(SOLVING_STYLES)))
    naming_of, solving_of, _ = _STYLES_OF_KINDS
    naming, silence, asked = by_naming[:, :, naming_of], by_solving[:, :, solving_of], -random.exponential(3, 3)
    nothing = np.zeros(shape)
    told = [
        sum(by_definition(naming[deal], nothing[deal], 0.0, 0, kind) for kind in range(shape[2])) for deal in range(3)
    ]
    for model in (asked, np.empty(0)):
        likelihoods = DealLikelihoods(
            np.zeros((3, 9), np.int8), np.ones((3, 2, WAYS), np.int64), by_naming, by_solving, model
        )
        found = Outlook(likelihoods, 0, np.ones((len(SOLVING_STYLES), 2, AHEAD)))
        expected = np.empty(shape)
        for at in np.ndindex(shape):
            deal, seat, kind = at
            alone = by_definition(naming[deal], silence[deal], np.log(told[deal]), seat, kind)
            read = by_definition(naming[deal], silence[deal], asked[deal], seat, kind)
            expected[at] = alone if not len(model) else STRANGE * alone + (1.0 - STRANGE) * read
        expected /= expected.sum((0, 2), keepdims=True)
        np.testing.assert_allclose(found.weights, expected[:, 0].sum(1))
        np.testing.assert_allclose(kinds_of(found), expected.sum(0))


def test_nobody_has_won_where_none_of_them_has_whatever_kinds_they_are_of_together():
    """Who are alike are fast or slow together, and so in one deal: by all kinds that two seats may be of."""
    random = np.random.default_rng(5)
    lasts = np.sort(random.random((len(SOLVING_STYLES), 4, AHEAD)))[:, :, ::-1].copy()
    by_naming, by_solving = -random.exponential(2, (3, 2, 99)), -random.exponential(1, (3, 2, len(SOLVING_STYLES)))
    left = random.integers(1, 4, (3, 2, WAYS))
    naming, solving, ways = _STYLES_OF_KINDS
    found = Outlook(DealLikelihoods(np.zeros((3, 9), np.int8), left, by_naming, by_solving, np.empty(0)), 0, lasts)
    survival, hazards = np.zeros(AHEAD), np.zeros(2)
    for deal in range(3):
        likely, safe, wins = 0.0, np.zeros(AHEAD), np.zeros(2)
        for kinds in product(range(len(OPPONENT_KINDS)), repeat=2):
            share = (1.0 - ALIKE) * np.prod([OPPONENT_KINDS[kind].prior for kind in kinds])
            share += ALIKE * OPPONENT_KINDS[kinds[0]].prior if kinds[0] == kinds[1] else 0.0
            done = [by_naming[deal, at, naming[of]] + by_solving[deal, at, solving[of]] for at, of in enumerate(kinds)]
            share *= np.exp(sum(done))
            last = [lasts[solving[of], left[deal, at, ways[solving[of]]]] for at, of in enumerate(kinds)]
            likely += share
            safe += share * last[0] * last[1]
            wins += share * (1.0 - np.array(last)[:, 0])
        survival += found.weights[deal] * safe / likely
        hazards += found.weights[deal] * wins / likely
    np.testing.assert_allclose(found.survival, survival)
    np.testing.assert_allclose(found.hazards, hazards)


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
    """Weighed against the definition: an envelope is worth the mean weight of its deals, as far as so few tell."""
    game = cut_game("hard,hard,hard,hard", 2, turns=14)
    evidence = EvidenceReader(game.view(0)).evidence
    posterior = Posterior(evidence, KINDS)
    deals = posterior.sample(Random(3), 200)
    weights = np.array([Random(k).random() for k in range(200)])
    weights /= weights.sum()
    found = weighed_envelopes(posterior.joint, deals, weights, evidence.envelope)
    expected = posterior.joint.copy()
    first = [ids.start for ids in evidence.deck.ids]
    by_envelope: dict[tuple[int, ...], list[float]] = {}
    for deal, weight in zip(deals, weights, strict=True):
        cards = np.flatnonzero(deal == evidence.envelope)
        by_envelope.setdefault(tuple(int(card) - at for card, at in zip(cards, first, strict=True)), []).append(weight)
    several = [own for own in by_envelope.values() if len(own) > 1]
    noise = sum(np.var(own) * len(own) for own in several) / sum((len(own) - 1) * np.mean(own) ** 2 for own in several)
    for at, own in by_envelope.items():
        expected[at] *= (np.mean(own) * 200) ** (_SPREAD / (_SPREAD + noise / len(own)))
    expected /= expected.sum()
    np.testing.assert_allclose(found.joint, expected)
    assert expected[found.likeliest] == expected.max()
    drawn = len(by_envelope[found.likeliest])
    left_open = sum(1.0 / (1.0 / _SPREAD + deals / noise) for deals in (drawn, 200 - drawn))
    assert found.error == pytest.approx(expected.max() * (1.0 - expected.max()) * left_open**0.5)
    np.testing.assert_array_equal(found.joint > 0, posterior.joint > 0)
