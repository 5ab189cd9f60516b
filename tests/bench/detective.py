"""The detective: odds, proofs, questions, reasons and hints. Each round takes other states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from random import Random
from time import process_time
from typing import TypeVar

from bench.figures import Line
from helpers import knowledge_tables as tables
from helpers.support import drawn_game

from cluedo.ai.knowledge import CHOICE, KINDS, Evidence, Model, Notebook, Posterior, SatDeducer, explain, sampled_gains
from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.match import Match
from cluedo.engine.board import Board
from cluedo.engine.cards import Deck
from cluedo.engine.events import HypothesisMade
from cluedo.engine.state import ASK, MOVE
from cluedo.engine.view import PlayerView
from cluedo.session.hints import hint_sections

DECK = tables.named_deck("classic")
ROUNDS = 5
T = TypeVar("T")


def lines() -> Iterator[Line]:
    """The lines of the table."""
    yield Line("a hint", "ms", lambda: each(hint_sections, views(12 * ROUNDS)))
    for model in (CHOICE, KINDS):
        for seats in (4, 6):
            what = f"odds and all envelopes after 5 hypotheses, `{model.name}`, {seats} seats"
            yield Line(what, "ms", partial(odds, model, DECK, seats, 5))
    yield Line("the same of large games (6 to 10 seats, 30 or 40 cards), `kinds`", "ms", _large)
    for name, solver in (("all proofs", SatDeducer), ("those that simple rules find", Notebook)):
        yield Line(f"{name} after one more hypothesis, 6 seats", "ms", partial(_updates, solver))
    yield Line("the best of 36 hypotheses from 1,000 deals, 6 seats", "ms", _best)
    yield Line("a smallest reason, 6 seats", "ms", _reasons)


def each(function: Callable[[T], object], states: Iterable[T]) -> Callable[[], float]:
    """What measures a function: the seconds for a state, of new states each time; it has been called once before."""
    first, *rest = states
    function(first)
    parts = iter([rest[k::ROUNDS] for k in range(ROUNDS)])

    def once() -> float:
        part = next(parts)
        began = process_time()
        for state in part:
            function(state)
        return (process_time() - began) / len(part)

    return once


def evidence(deck: Deck, seats: int, hypotheses: int, count: int) -> list[Evidence]:
    """What somebody knows after some hypotheses, at so many tables."""
    rng = Random(f"{seats} seats")
    some = {"spectator": False, "accusations": 0.0, "free": False}
    return [tables.table(deck, seats, hypotheses, rng, **some)[0] for _ in range(count)]


def _solve(model: Model, state: Evidence) -> object:
    posterior = Posterior(state, model)
    return posterior.marginals, posterior.joint


def odds(model: Model, deck: Deck, seats: int, hypotheses: int, count: int = 60) -> Callable[[], float]:
    """The odds of each card and of each envelope."""
    return each(partial(_solve, model), evidence(deck, seats, hypotheses, ROUNDS * count + 1))


def _large() -> Callable[[], float]:
    """States of 6 to 10 seats after 5 to 60 hypotheses, most as a spectator sees them."""
    rng, seen = Random("large"), []
    for k in range(31):
        deck = (tables.named_deck("master"), tables.plain_deck(12, 12, 16))[k % 2]
        hypotheses = rng.choice([5, 10, 15, 20, 25, 30, 40, 60])
        seen.append(tables.table(deck, (6, 8, 10)[k // 2 % 3], hypotheses, rng, spectator=k % 4 > 0)[0])
    assert Posterior(seen[0], KINDS)._sample()  # so that nothing is left to compile
    return each(partial(_solve, KINDS), seen)


def _updates(solver: type[SatDeducer] | type[Notebook]) -> Callable[[], float]:
    """One hypothesis more, anywhere in the first twelve."""

    def steps() -> Iterator[SatDeducer | Notebook]:
        for full in evidence(DECK, 6, 12, 10_000):
            known = Evidence(full.deck, full.sizes, full.me, full.hand)
            deducer = solver(known)
            for index, fact in enumerate(full.facts):
                known.add(fact)
                if index + 1 == len(full.facts) or isinstance(full.facts[index + 1].event, HypothesisMade):
                    yield deducer

    return _one_at_a_time(steps(), 240)


def _one_at_a_time(deducers: Iterator[SatDeducer | Notebook], count: int) -> Callable[[], float]:
    def once() -> float:
        spent = 0.0
        for deducer in islice(deducers, count):
            began = process_time()
            deducer.update()
            spent += process_time() - began
        return spent / count

    return once


def _best() -> Callable[[], float]:
    posteriors = [Posterior(state) for state in evidence(DECK, 6, 5, 40)]
    triples = [(s, w, DECK.rooms[4]) for s in DECK.suspects for w in DECK.weapons]
    rng = Random("samples")

    def once() -> float:
        spent = 0.0
        for posterior in posteriors:
            posterior.sample(rng, 1)  # so that its states are in the shared arrays
            began = process_time()
            sampled_gains(posterior, triples, posterior.sample(rng, 1000)).argmax()
            spent += process_time() - began
        return spent / len(posteriors)

    once()
    return once


def _reasons() -> Callable[[], float]:
    rng, questions = Random("explain"), []
    for state in evidence(DECK, 6, 15, 101):
        sat = SatDeducer(state)
        pairs = [
            (card, place)
            for place in range(7)
            for card in range(DECK.size)
            if place != state.me and not state.hand >> card & 1 and sat.status(card, place) is not None
        ]
        questions += [(state, *rng.choice(pairs))] if pairs else []
    return each(lambda question: explain(*question), questions)


def views(count: int) -> list[PlayerView]:
    """What the first of four `medium` sees when it has to choose a move or a question."""
    found: list[PlayerView] = []
    deal = 0
    while len(found) <= count:
        game = drawn_game(Board.load("classic"), 4, deal)
        match = Match(game, [MediumPlayer() for _ in range(4)], [Random(seat) for seat in range(4)])
        match.sit_down()
        while not game.over:
            if game.state.to_act == 0 and game.state.step in (MOVE, ASK):
                found.append(game.view(0))
            match.advance()
        deal += 1
    return found
