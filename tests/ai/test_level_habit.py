"""The level habit: each of its habits by name, in whole games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from helpers.level_games import played, steps
from helpers.support import shows

from cluedo.ai.knowledge import UNIFORM, EvidenceReader, Posterior
from cluedo.ai.levels import parse_player
from cluedo.engine.board import Board
from cluedo.engine.cards import bits
from cluedo.engine.commands import EndTurn, Hypothesis
from cluedo.engine.events import Accused, HypothesisMade
from cluedo.engine.game import Game
from cluedo.experiments.plan.experiment import Experiment

SEATS = 3


@cache
def games(level: str, movement: str = "free") -> list[Game]:
    """Whole games of three of a kind, without a fault."""
    return [played([level] * SEATS, "classic", 17, deal, movement=movement, max_turns=60).game for deal in range(4)]


class Named(NamedTuple):
    """A card that was named, and what its asker knew: masks of cards of its category."""

    game: int
    seat: int
    category: int
    card: int
    hand: int
    still_open: int


def named(level: str, categories: range = range(2)) -> Iterator[Named]:
    """Every suspect and weapon that was named, in order."""
    for number, game in enumerate(games(level)):
        for again, command in steps(game):
            if isinstance(command, Hypothesis):
                seat = again.state.active
                odds = Posterior(EvidenceReader(again.view(seat)).evidence, UNIFORM).marginals[:, SEATS]
                for category in categories:
                    cards = game.table.deck.masks[category]
                    still_open = sum(1 << card for card in bits(cards) if 0.0 < odds[card] < 1.0)
                    hand = game.state.deal.hands[seat] & cards
                    yield Named(number, seat, category, command.cards[category], hand, still_open)


def accusations(level: str) -> list[bool]:
    """Whether they were right, in order."""
    return [event.correct for game in games(level) for event in game.events if isinstance(event, Accused)]


def turns_with_a_proof(game: Game) -> int:
    """How many turns ended without an accusation by somebody who could have proved the envelope."""
    ends = (EvidenceReader(so_far.view(so_far.state.active)) for so_far, done in steps(game) if done == EndTurn())
    return sum(len(Posterior(known.evidence, UNIFORM).envelopes()) == 1 for known in ends)


def test_who_never_names_own_cards_never_does():
    assert not any(said.hand >> said.card & 1 for said in named("habit:own=0", range(3)))


def test_who_always_names_own_cards_does_wherever_it_holds_one():
    assert all(said.hand >> said.card & 1 for said in named("habit:own=1") if said.hand)


def test_in_between_it_names_own_cards_as_often_as_it_is_told_to():
    own = [said.hand >> said.card & 1 for said in named("habit:own=0.5:ask=any") if said.hand]
    assert len(own) > 60
    assert 0.35 < sum(own) / len(own) < 0.65


def test_it_asks_about_open_cards_or_about_the_same_one_until_it_knows_where_that_is_or_about_any():
    changed, wasted = dict.fromkeys(WAYS, 0), dict.fromkeys(WAYS, 0)
    for way in WAYS:
        last: dict[tuple[int, int, int], int] = {}
        for said in named(f"habit:own=0:ask={way}"):
            before = last.get(said[:3], said.card)
            changed[way] += bool(said.still_open >> before & 1 and said.card != before)
            wasted[way] += bool(said.still_open and not said.still_open >> said.card & 1)
            last[said[:3]] = said.card
    assert changed["same"] == wasted["same"] == wasted["open"] == 0
    assert min(changed["open"], changed["any"], wasted["any"]) > 10


WAYS = ("open", "same", "any")


def test_who_stays_near_the_passages_asks_there_most():
    shares = []
    for walk in ("best", "passages"):
        events = [event for game in games(f"habit:walk={walk}", "walk") for event in game.events]
        rooms = [event.room for event in events if isinstance(event, HypothesisMade)]
        board = Board.load("classic")
        shares.append(sum(board.passage(board.room_place(room)) >= 0 for room in rooms) / len(rooms))
    assert shares[0] < 0.65
    assert shares[1] > 0.85


def test_who_shows_the_lowest_card_always_does():
    for level, always in (("habit:show=lowest", True), ("habit", False)):
        choices = [(card, mask) for game in games(level) for _, card, mask, _ in shows(game) if mask & (mask - 1)]
        assert len(choices) > 5
        assert all(card == bits(mask)[0] for card, mask in choices) == always


def test_who_forgets_misses_proofs_and_never_accuses_wrongly_and_nobody_else_misses_one():
    assert sum(map(turns_with_a_proof, games("habit:memory=4"))) > 0
    assert all(accusations("habit:memory=4"))
    assert sum(map(turns_with_a_proof, games("habit"))) == 0


def test_who_waits_keeps_a_proof_to_itself_for_so_many_turns():
    assert sum(map(turns_with_a_proof, games("habit:wait=2"))) >= 2 * len(games("habit:wait=2"))
    assert accusations("habit:wait=2") == [True] * 4


def test_who_guesses_accuses_without_a_proof():
    assert False in accusations("habit:guess=0.2")
    assert all(accusations("habit"))


@pytest.mark.parametrize("name", ["zoo", "zoo_free"])
def test_the_zoo_is_a_dozen_habits_that_expert_meets(name):
    strangers = set(Experiment.load(name).levels) - {"expert"}
    assert len(strangers) == 12
    assert all(parse_player(text) for text in strangers)
