"""What is read from the views of its seat, against the open log of the game."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest
from helpers.editions import EDITIONS, edition_game
from helpers.knowledge_tables import true_in
from helpers.level_games import played, steps
from helpers.support import LEVELS, drawn_game, make_match

from cluedo.ai.knowledge import Evidence, EvidenceReader, Fact, SatDeducer, SeatKnowledge
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused, HandShown, HypothesisMade, Passed, Peeked, Shown, TurnEnded
from cluedo.engine.game import Game

TABLES = [(3, "tiny", "walk"), (4, "manoir", "free"), (5, "manoir", "walk"), (6, "classic", "walk")]
GAMES = [(level, *table) for level in LEVELS for table in [*TABLES, (3, "classic", "free")]]
PLAYED = pytest.mark.parametrize(("level", "seats", "name", "movement"), GAMES)


@cache
def whole_game(level: str, seats: int, name: str, movement: str) -> Game:
    """A whole game; one of players who never solve anything is cut."""
    return played([level] * seats, name, 77, movement=movement, max_turns=80).game


def facts_seen(game: Game, seat: int) -> list[Fact]:
    """The facts of a seat, from the open log: one hypothesis at a time, with those who were asked worked out."""
    facts: list[Fact] = []
    events, turn = game.events, 1
    for k, event in enumerate(events):
        if isinstance(event, TurnEnded):
            turn += 1
        elif isinstance(event, Accused):
            facts.append(Fact(turn, event, event.cards))
        elif isinstance(event, Peeked):
            facts.append(Fact(turn, Peeked(event.seat, event.position, event.card if seat == event.seat else None)))
        elif isinstance(event, HandShown):
            facts.append(Fact(turn, event))
        elif isinstance(event, HypothesisMade):
            facts.append(Fact(turn, event, event.cards))
            for answer in events[k + 1 :]:
                if isinstance(answer, Passed):
                    facts.append(Fact(turn, answer, event.cards))
                elif isinstance(answer, Shown):
                    card = answer.card if seat in (answer.seat, answer.asker) else None
                    facts.append(Fact(turn, Shown(answer.seat, event.seat, card), event.cards))
                else:
                    break
    return facts


def evidence_of(game: Game, seat: int) -> Evidence:
    """The evidence of a seat, from the open log and the true hand."""
    table, deal = game.table, game.state.deal
    names = [table.name(other) for other in range(table.seats)]
    sizes = [hand.bit_count() for hand in deal.hands]
    more = {"free": table.rules.free, "pool_size": len(deal.pool), "open_cards": deal.open_cards, "rules": table.rules}
    evidence = Evidence(table.deck, sizes, seat, deal.hands[seat], names=names, **more)
    for fact in facts_seen(game, seat):
        evidence.add(fact)
    return evidence


def same(one: Evidence, other: Evidence) -> bool:
    """Whether two evidences are equal in all that they hold."""
    fields = [field for field in Evidence.__slots__ if field != "deck"]
    return one.deck is other.deck and all(getattr(one, field) == getattr(other, field) for field in fields)


@PLAYED
def test_read_at_random_moments_or_at_once_it_is_what_the_log_says(level, seats, name, movement):
    whole, random = whole_game(level, seats, name, movement), Random(f"{level} {seats} {name}")
    growing = [EvidenceReader(whole.dealt(seat)) for seat in range(seats)]
    compared = 0
    for game, _ in steps(whole):
        for seat, reader in enumerate(growing):
            if random.random() < 0.2:
                evidence = reader.read(game.view(seat))
                assert evidence is reader.evidence
                if compared < 3 or random.random() < 0.2:
                    assert same(evidence, EvidenceReader(game.view(seat)).evidence)
                    assert same(evidence, evidence_of(game, seat))
                    compared += 1
    assert compared
    for seat, reader in enumerate(growing):
        assert same(reader.read(game.view(seat)), evidence_of(game, seat))
        assert same(EvidenceReader(game.view(seat)).evidence, evidence_of(whole, seat))
        before = len(reader.evidence.facts)
        reader.read(game.view(seat))
        assert len(reader.evidence.facts) == before, "the same view tells nothing twice"


@PLAYED
def test_every_fact_is_true_of_the_deal_and_what_follows_is_too(level, seats, name, movement):
    game = whole_game(level, seats, name, movement)
    for seat in range(seats):
        check_true(EvidenceReader(game.view(seat)).evidence, game)


def check_true(evidence: Evidence, game: Game) -> None:
    """Every fact is true of the real deal, and so is what follows."""
    deal = game.state.deal
    aside = [sum(1 << card for card in deal.pool), deal.open_cards]
    truth = [*deal.hands, *(cards for cards in aside if cards), sum(1 << card for card in deal.envelope)]
    assert evidence.facts
    places = np.array(
        [[next(at for at, cards in enumerate(truth) if cards >> card & 1) for card in range(evidence.deck.size)]]
    )
    assert all(true_in(places, fact, evidence).all() for fact in evidence.facts)
    known = SatDeducer(evidence)
    assert all(has & ~true == 0 for has, true in zip(known.has, truth, strict=True))
    assert all(true & ~may == 0 for may, true in zip(known.may, truth, strict=True))


@pytest.mark.parametrize("name", EDITIONS)
def test_what_is_read_of_an_edition_is_what_the_log_says_and_true(name):
    seen: set[type] = set()
    for number in range(8):
        game = edition_game(name, number, max_turns=20)
        make_match(game, ["random"] * game.table.seats, number).play()
        for seat in range(game.table.seats):
            evidence = EvidenceReader(game.view(seat)).evidence
            assert same(evidence, evidence_of(game, seat))
            check_true(evidence, game)
            seen.update(type(fact.event) for fact in evidence.facts)
    assert (HandShown in seen) == game.table.rules.wrong_shows_hand
    assert (Peeked in seen) == game.table.rules.peek


@pytest.mark.parametrize("level", ["easy", "hard", "expert"])
def test_after_an_undo_a_new_reader_knows_what_was_before(level):
    game = whole_game(level, 4, "tiny", "walk")
    before: dict[int, list[Evidence]] = {}
    for again, _ in islice(steps(game), 60):
        before[len(again.commands)] = [EvidenceReader(again.view(seat)).evidence for seat in range(4)]
    while again.commands:
        again.undo()
        for seat, evidence in enumerate(before[len(again.commands)]):
            assert same(EvidenceReader(again.view(seat)).evidence, evidence)


def test_an_evidence_starts_with_the_hand_alone():
    game = drawn_game(Board.load("classic"), 3, seed=1)
    evidence = EvidenceReader(game.view(2)).evidence
    assert evidence.facts == []
    assert (evidence.me, evidence.hand) == (2, game.state.deal.hands[2])
    assert evidence.sizes == game.table.hand_sizes
    assert evidence.names == ("Scarlett", "Mustard", "White")
    assert not evidence.free


def test_what_is_known_goes_on_with_later_views_if_it_was_made_of_one():
    game = whole_game("medium", 4, "tiny", "walk")
    known = SeatKnowledge.of(game.dealt(1))
    known.read(game.view(1))
    assert same(known.evidence, EvidenceReader(game.view(1)).evidence)
    with pytest.raises(CluedoError, match="of has made of a view"):
        SeatKnowledge(known.evidence).read(game.view(1))


def test_views_that_do_not_go_on_from_what_was_read_are_refused_and_change_nothing():
    """Those of other seats would be taken for one's own, and those before an undo would change nothing."""
    game = whole_game("medium", 3, "classic", "free")
    known = SeatKnowledge.of(game.view(1))
    facts, read = list(known.evidence.facts), len(game.events)
    for other in (game.view(0), game.dealt(1), drawn_game(game.table.board, 3, seed=1).view(1)):
        said = f"is of seat {other.seat} after {other.time} events, and seat 1 was read up to event {read}"
        with pytest.raises(CluedoError, match=said):
            known.read(other)
    assert known.evidence.facts == facts
