"""Positions with exact answers: against brute force, and the test set that comes with the package."""

from __future__ import annotations

import json
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from helpers.cases import some
from helpers.knowledge_gains import brute_gain
from helpers.knowledge_tables import all_deals, deal, fair_sizes, fitting, true_in
from helpers.support import board_from, deck_alone
from hypothesis import given, settings, strategies as st

from cluedo.ai.knowledge import UNIFORM, CaseLog, Evidence
from cluedo.ai.knowledge.caselog import Setting
from cluedo.ai.levels import parse_players
from cluedo.ai.positions import LEAST_DEPTHS, Finding, Picker, Position, difficulty_of, exact_answer, findings
from cluedo.ai.positions.shipped import shipped_answers, shipped_pair, shipped_picker, shipped_positions
from cluedo.engine.board import Board
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.rules import Rules

BOARD = board_from(deck_alone(3, 3, 3))
DECK = BOARD.deck
NAMES = ("Ann", "Bob", "Cy")


def some_log(random: Random, entries: int = 5) -> CaseLog:
    """What a player knows after some true hypotheses and wrong accusations of a small game."""
    sizes = fair_sizes(DECK, len(NAMES))
    places = deal(DECK, sizes, random)
    me = random.randrange(len(NAMES))
    noted = []
    for _ in range(entries):
        by, three = random.randrange(len(NAMES)), tuple(random.choice(ids) for ids in DECK.ids)
        if random.random() < 0.2 and any(places[card] != len(NAMES) for card in three):
            noted.append(Entry.accusation(by, three, False))
            continue
        holders = [(by + step) % len(NAMES) for step in range(1, len(NAMES))]
        refuter = next((seat for seat in holders if seat in {places[card] for card in three}), None)
        shows = {} if refuter is None else {refuter: None}
        if refuter is not None and me in (by, refuter):
            shows[refuter] = random.choice([card for card in three if places[card] == refuter])
        noted.append(Entry.hypothesis(len(NAMES), by, three, shows))
    hand = sum(1 << card for card in range(DECK.size) if places[card] == me)
    return Setting(BOARD, NAMES, sizes, me, hand).log(noted)


def facts_in(evidence: Evidence) -> list[np.ndarray]:
    """For every fact that says something, one's own cards included, in which of all deals it is true."""
    deals = all_deals(evidence.deck, evidence.sizes)
    masks = [true_in(deals, fact, evidence) for fact in [*evidence.given, *evidence.facts]]
    return [mask for mask in masks if not mask.all()]


def least_facts(evidence: Evidence, card: int, place: int, there: bool) -> int:
    """How many facts the smallest reason has, by trying all sets of facts."""
    against = (all_deals(evidence.deck, evidence.sizes)[:, card] == place) != there
    masks = facts_in(evidence)
    return next(
        size
        for size in range(len(masks) + 1)
        for chosen in combinations(masks, size)
        if not (against & np.logical_and.reduce([np.ones_like(against), *chosen])).any()
    )


def to_prove(evidence: Evidence) -> set[tuple[str, str, bool]]:
    """What there is to prove, by its definition."""
    deals, facts = fitting(evidence), facts_in(evidence)
    everything = all_deals(evidence.deck, evidence.sizes)

    def proved(among: np.ndarray, card: int, place: int, there: bool) -> bool:
        return bool(((among[:, card] == place) == there).all())

    found = set()
    for ids in evidence.deck.ids:
        settled = any(proved(deals, card, evidence.envelope, True) for card in ids)
        for card in ids:
            at = [place for place in range(evidence.seats + 1) if proved(deals, card, place, True)]
            wanted = [(at[0], True)] if at else [(evidence.envelope, False)] * (not settled)
            for place, there in wanted:
                by_one = any(proved(everything[mask], card, place, there) for mask in facts)
                if proved(deals, card, place, there) and not by_one:
                    found.add((evidence.deck.names[card], evidence.place_names[place], there))
    return found


def test_two_own_cards_and_an_answer_are_a_proof_from_three_facts():
    plum, rope, hall = DECK.triple(["S0", "W0", "R0"])
    table = Setting(BOARD, NAMES, (2, 2, 2), 0, 1 << plum | 1 << rope)
    log = table.log([Entry.hypothesis(3, 1, (plum, rope, hall), {2: None})])
    assert findings(log.evidence()) == [Finding("R0", "Cy", True, 3)]


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32))
def test_what_there_is_to_prove_and_its_depth_are_those_of_brute_force(seed):
    evidence = some_log(Random(seed)).evidence()
    found = findings(evidence)
    assert {finding[:3] for finding in found} == to_prove(evidence)
    for card, place, there, depth in found[:3]:
        seat = evidence.envelope if place == "envelope" else NAMES.index(place)
        assert depth == least_facts(evidence, DECK.id(card), seat, there)


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32))
def test_odds_and_gains_are_those_of_brute_force(seed):
    log = some_log(Random(seed), 4)
    evidence = log.evidence()
    deals = fitting(evidence)
    exact = exact_answer(Position.of(0, log), (), {})
    assert exact.deals == len(deals)
    for card, name in enumerate(DECK.names):
        for place, where in enumerate([*NAMES, "envelope"]):
            assert exact.cards[name][where] == pytest.approx((deals[:, card] == place).mean(), abs=1e-4)
            assert (exact.cards[name][where] in (0.0, 1.0)) == (len(set(deals[:, card] == place)) == 1)
    for triple in product(*DECK.ids):
        names = [DECK.names[card] for card in triple]
        assert exact.gain(names) == pytest.approx(brute_gain(evidence, UNIFORM, triple), abs=1e-4)
    assert exact.best[1] == max(map(exact.gain, product(*exact.deck)))


def test_the_level_is_that_of_the_deepest_proof():
    assert difficulty_of([]) == 0
    for difficulty, least in enumerate(LEAST_DEPTHS, 1):
        assert difficulty_of([Finding("Rope", "Ann", True, 2), Finding("Plum", "Bob", True, least)]) == difficulty
    assert difficulty_of([Finding("Rope", "Ann", True, 5)]) == 2


def test_a_position_is_named_by_what_the_player_knows_alone():
    one, two = some_log(Random(1)), some_log(Random(2))
    assert Position.of(1, one).id == Position.of(2, one).id != Position.of(1, two).id


def test_a_position_holds_what_its_player_saw_and_no_more():
    picker = Picker(Board.load("classic"), parse_players(["medium", "easy", "medium"]), 4)
    picked = next(picker.positions())
    data = picked.position.to_json()
    assert set(data) == {"format", "id", "level", "log"}
    me = data["log"]["me"]
    assert all(me in (event["by"], event["refuted_by"]) for event in data["log"]["events"] if "card" in event)
    assert Position.from_json(json.loads(json.dumps(data)), Board.load) == picked.position
    assert picker.pick(picked.source["deal"]) == picked


@pytest.mark.parametrize(("difficulty", "told"), [(3, "difficulty 3 in"), (None, "difficulty 0–5 in")])
def test_it_is_said_which_difficulty_has_not_come_up(difficulty, told):
    picker = Picker(BOARD, parse_players(["easy"] * 3), 1, Rules(movement="free", max_turns=1))
    with pytest.raises(CluedoError, match=told):
        next(picker.positions(difficulty))


@pytest.fixture(scope="module", name="test_set")
def read_test_set():
    """The positions that come with the package, and their exact answers."""
    return shipped_positions(), shipped_answers()


def test_the_test_set_has_500_positions_of_all_levels_and_seats(test_set):
    positions, answers = test_set
    assert len(positions) == len({position.id for position in positions}) == 500
    assert [(one.id, one.difficulty) for one in positions] == [(one.id, one.difficulty) for one in answers]
    assert [one.difficulty for one in positions] == sorted([0] * 20 + [1, 2, 3, 4, 5] * 96)
    assert {len(one.log.setting.names) for one in positions} == {3, 4, 5, 6}
    assert all(difficulty_of(one.proved) == one.difficulty for one in answers)


def test_the_test_set_on_another_board_is_the_same_by_other_names(test_set):
    here = test_set[0][300]
    there, answer = shipped_pair(3, 88, "manoir")
    assert (here.log.setting.hand, here.log.entries) == (there.log.setting.hand, there.log.entries)
    assert here.log.setting.names == there.log.setting.names
    assert set(answer.cards) == set(there.log.setting.deck.names)
    rows = [[list(row.values()) for row in one.cards.values()] for one in (answer, test_set[1][300])]
    assert rows[0] == rows[1]


@pytest.mark.slow
@pytest.mark.parametrize("at", some([0, 120, 230, 340, 499], 2))
def test_the_test_set_is_what_the_command_draws(test_set, at):
    position, answer = test_set[0][at], test_set[1][at]
    picked = shipped_picker(len(position.log.setting.names)).pick(answer.source["deal"])
    assert picked is not None
    assert picked.position == position
    again = picked.answer()
    for part in ("proved", "deals", "deck", "likeliest"):
        assert getattr(again, part) == getattr(answer, part)
    assert np.array(again.gains) == pytest.approx(np.array(answer.gains), abs=2e-4)
    for card, row in answer.cards.items():
        assert again.cards[card] == pytest.approx(row, abs=2e-4)
