"""No seat's view tells more than the seat may know.

A game is played; then, for a seat, other deals are sought that the seat cannot tell from the true
one. Replayed with the same commands, every one of them must look the same to that seat after every
command: in all values, and in which objects are the same one.
"""

from __future__ import annotations

import contextlib
import gc
import types
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest
from helpers.cases import cases, some
from helpers.other_deals import cut, other_deals
from helpers.seen_from import sights_compared, walked
from helpers.support import LEVELS, drawn_game, make_match

from cluedo.ai.level_medium import MediumPlayer
from cluedo.ai.levels import PlayerSpec
from cluedo.ai.match import Match
from cluedo.engine import commands, events, game as game_module
from cluedo.engine.board import Board
from cluedo.engine.deal import Deal, Dice, Seeds
from cluedo.engine.events import HypothesisMade, Shown
from cluedo.engine.game import Game
from cluedo.engine.mapfile import MapFile
from cluedo.engine.rules import Rules
from cluedo.engine.state import State
from cluedo.experiments.plan.part import Conditions, Part
from cluedo.experiments.play.games import GameRunner
from cluedo.experiments.play.interrupt import Interrupt

GAMES = cases(300, 8)
"""Games of the longest test here."""

SEED = 8_674_665_223_082_153_551
"""A master seed that would be recognised anywhere."""

TABLES = [(3, "tiny"), (4, "tiny"), (3, "manoir"), (4, "classic"), (5, "manoir"), (6, "classic")]


@cache
def games(level: str, seats: int, name: str) -> list[Game]:
    """Three whole games: a short one, a longer one, and one that goes on until most is known.

    The turn limit ends the first two; in the short one some card has been shown at least.
    """
    found: list[Game] = []
    for deal in range(200):
        limit = (12, 28, 70)[len(found)]
        game = drawn_game(Board.load(name), seats, SEED, deal, max_turns=limit)
        make_match(game, [level] * seats, seed=deal).play()
        if any(isinstance(event, Shown) for event in game.events):
            found.append(game)
        if len(found) == 3:
            break
    return found


def test_other_deals_differ_in_every_way_they_may():
    game = games("easy", 4, "classic")[1]
    part = cut(game, 8)
    deals = other_deals(part, 0, Random(1), wanted=1000)
    assert len(deals) > 300
    true = part.state.deal
    assert {deal.hands[0] for deal in deals} == {true.hands[0]}
    for seat in (1, 2, 3):
        assert len({deal.hands[seat] for deal in deals}) > 10
    assert len({deal.envelope for deal in deals}) > 10
    assert {len(set(deal.hands)) for deal in deals} == {4}


@pytest.mark.parametrize("level", LEVELS)
def test_deals_that_a_seat_cannot_tell_apart_look_the_same_object_by_object(level):
    random = Random(level)
    found, otherwise = 0, 0
    for game in games(level, 4, "classic")[:2]:
        part = cut(game, game.state.turn * 3 // 4)
        for seat in (0, 2):
            others = sights_compared(part, seat, random)
            found += len(others)
            otherwise += sum(given != part.commands for _, given in others)
    assert found >= 3, "too few other deals to show anything"
    assert otherwise >= 1, "no card was shown that the seat did not see and that was another one"


@pytest.mark.slow
def test_so_they_do_in_many_games_of_all_levels():
    random = Random(9)
    compared = 0
    for deal in range(GAMES):
        seats, name = TABLES[deal % len(TABLES)]
        game = drawn_game(Board.load(name), seats, SEED, deal, max_turns=60)
        levels = [random.choice(sorted(LEVELS)) for _ in range(seats)]
        make_match(game, levels, seed=deal).play()
        for part in (game, cut(game, game.state.turn // 2)):
            compared += len(sights_compared(part, random.randrange(seats), random, wanted=2))
    assert compared >= GAMES


def by_the_card(monkeypatch):
    """The hidden event is kept by the event with its card."""
    hide = cache(lambda event: replace(event, card=None))
    for module in (game_module, events):
        monkeypatch.setattr(module, "as_seen_by", lambda event, _seat: hide(event))


def by_the_count(monkeypatch):
    """A cache is asked for what was shown."""
    shown = commands.ShowCard.apply

    def apply(self, state):
        commands._hypothesis_made(self.card, self.card, self.card, self.card)
        return shown(self, state)

    monkeypatch.setattr(commands.ShowCard, "apply", apply)


def by_what_is_kept(monkeypatch):
    """A seat's notes are everybody's."""
    monkeypatch.setattr(Game, "view", lambda self, seat, view=Game.view: view(self, seat)._replace(seen=self._shown))


def by_the_log(monkeypatch):
    """What was shown stands in everybody's log as it was."""
    monkeypatch.setattr(Game, "_hidden", lambda _self, happened: happened)


def by_another_hand(monkeypatch):
    """A view holds a number of somebody else's cards."""

    def view(self, seat, view=Game.view):
        return view(self, seat)._replace(place=self.state.deal.hands[seat - 1] % 4)

    monkeypatch.setattr(Game, "view", view)


PARTS = [(number, seat) for number in range(3) for seat in range(4)]
"""Games and seats in which the planted leaks are looked for."""


@pytest.mark.parametrize("plant", [by_the_card, by_the_count, by_what_is_kept, by_the_log, by_another_hand])
def test_a_planted_leak_is_seen(plant, monkeypatch):
    plant(monkeypatch)
    random = Random(0)
    parts = [(cut(games("easy", 4, "classic")[number], 10), seat) for number, seat in PARTS]
    with pytest.raises(AssertionError, match="seat"):
        sum(len(sights_compared(part, seat, random, wanted=3)) for part, seat in parts)


# ---- what can be reached from a view --------------------------------------------------------------

SKIPPED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
FORBIDDEN = (Random, Dice, Deal, State, Game, Seeds)


def reachable(start: object, beyond: frozenset[int] = frozenset()) -> Iterator[object]:
    """Everything that can be got at from an object, without going through code, classes and modules.

    ``beyond`` are the ids of objects that are left out, with what lies behind them.
    """
    seen, todo = {id(start), *beyond}, [start]
    while todo:
        here = todo.pop()
        yield here
        for there in gc.get_referents(here):
            if id(there) not in seen and not isinstance(there, SKIPPED):
                seen.add(id(there))
                todo.append(there)


def secrets_in(game: Game) -> list[object]:
    """What the views of a game hold and must not hold.

    Nearly all of it is the table with its board, which is the same for all seats and is walked through once.
    """
    common = list(reachable(game.table))
    found = told_by(game, None, common)
    for seat in range(game.table.seats):
        view = game.view(seat)
        assert view.table is game.table
        found += told_by(game, seat, reachable(view, frozenset(map(id, common))))
    return found


def told_by(game: Game, seat: int | None, things: Iterable[object]) -> list[object]:
    """The things that tell a seat what it may not know, or (None) any seat."""
    deal = game.state.deal
    masks = {hand for other, hand in enumerate(deal.hands) if other != seat}
    masks |= {sum(1 << card for card in deal.envelope), SEED}
    masks = {mask for mask in masks if mask > game.table.board.places}  # or it might as well be a place
    solved = game.result is not None and game.result.reason == "solved"
    named = asked_by_all(game)
    found: list[object] = []
    for thing in things:
        if type(thing) is int:
            found += [thing] if thing in masks else []
        elif isinstance(thing, FORBIDDEN) or type(thing).__name__ in ("SeedSequence", "Generator"):
            found.append(thing)
        elif isinstance(thing, Shown):
            found += [thing] if thing.card is not None and seat not in (thing.seat, thing.asker) else []
        elif type(thing) is tuple and thing == deal.envelope and not solved and thing not in named:
            found.append(thing)
    return found


def own_board(source: str = "classic") -> Board:
    """A board that nobody else's games share, whose memory holds the walks of these alone."""
    return Board(MapFile.load(source), source)


def asked_by_all(game: Game) -> set[tuple[int, int, int]]:
    """The triples that were named aloud."""
    return {event.cards for event in game.events if isinstance(event, HypothesisMade)}


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_that_a_view_holds_leads_to_a_secret(level):
    assert shows_without_a_secret(level, seats=4, deals=[7])


@pytest.mark.slow
@pytest.mark.parametrize(("level", "seats"), some(product(LEVELS, (3, 6)), 6))
def test_nor_does_it_in_many_games(level, seats):
    # Who plays at random seldom asks: in few games nobody shows a card.
    assert shows_without_a_secret(level, seats, deals=range(12 if level == "random" else cases(12, 5)))


def shows_without_a_secret(level: str, seats: int, deals: Iterable[int]) -> int:
    """Look for secrets before, after and amid games; gives how many cards were shown in them."""
    board = own_board()
    shows = 0
    for deal in deals:
        game = drawn_game(board, seats, SEED, deal, max_turns=40)
        match = make_match(game, [level] * seats, seed=deal)
        assert not secrets_in(game)
        match.play()
        assert not secrets_in(game)
        shows += sum(isinstance(event, Shown) for event in game.events)
        while game.commands and game.state.step.name != "REFUTE":
            game.undo()
        assert not secrets_in(game)
    return shows


def in_the_log(game):
    """What was shown stands in everybody's log as it was."""
    game._hidden = lambda happened: happened
    make_match(game, ["easy"] * 4).play()


def in_the_board(game):
    """The board, which all share, remembers the deal."""
    object.__setattr__(game.table.board, "source", [game.state.deal])


def in_a_number(game):
    """A number that all share is somebody's hand."""
    game.table = replace(game.table, first=max(game.state.deal.hands))


def in_a_triple(game):
    """A triple that nobody has named is the envelope."""
    game.state.hypothesis = game.state.deal.envelope


@pytest.mark.parametrize("plant", [in_the_log, in_the_board, in_a_number, in_a_triple])
def test_a_planted_secret_is_found(plant):
    game = drawn_game(own_board(), 4, SEED, max_turns=20)
    assert not secrets_in(game)
    plant(game)
    assert secrets_in(game)


def test_players_are_told_only_what_their_seat_may_see():
    told: list[tuple[int, object]] = []

    def listen(seat: int):
        def notice(self, event, seat=seat):
            told.append((seat, event))

        return type("Listener", (LEVELS["easy"],), {"notice": notice})()

    game = drawn_game(Board.load("tiny"), 4, SEED)
    Match(game, [listen(seat) for seat in range(4)], [Random(seat) for seat in range(4)]).play()
    for seat in range(4):
        heard = tuple(event for who, event in told if who == seat)
        assert heard == game.view(seat).events
        unseen = [event for event in heard if isinstance(event, Shown) and seat not in (event.seat, event.asker)]
        assert {event.card for event in unseen} <= {None}
    assert any(isinstance(event, Shown) and event.card is not None for _, event in told)


# ---- what can be changed from a view --------------------------------------------------------------

MUTABLE = (list, dict, set, bytearray)


def test_nothing_that_the_game_uses_can_be_changed_through_a_view():
    """The graph cannot be closed to writing, but a board is computed from it once, before games begin."""
    game = games("easy", 4, "classic")[1]
    graph = {id(thing) for _, thing in walked(game.table.board.graph)}
    found = {way for way, thing in walked(game.view(0)) if isinstance(thing, MUTABLE) and id(thing) not in graph}
    assert not found


@cache
def public_names(kind: type) -> list[str]:
    return [name for name in dir(kind) if not name.startswith("_")]


class Vandal(MediumPlayer):
    """Plays like medium, and ruins all that it gets hold of."""

    def choose_accusation(self, view):
        for _, thing in walked(view):
            if isinstance(thing, int | float | str | None):
                continue  # nobody can change these
            for spoil in ("clear", "pop", "reverse"):
                with contextlib.suppress(Exception):
                    getattr(thing, spoil)()
            for name in public_names(type(thing)):
                with contextlib.suppress(Exception):
                    setattr(thing, name, None)
        return super().choose_accusation(view)


def test_a_player_that_ruins_all_it_gets_hold_of_changes_no_game(monkeypatch):
    monkeypatch.setattr(Board, "load", own_board)

    def records() -> list[str | None]:
        part = Part("classic", Rules(max_turns=12), ("medium", "easy", "medium", "hard"), 2)
        runner = GameRunner(part, Conditions(records=True))
        if ruined:
            runner.players[2] = PlayerSpec("medium", Vandal, ())
        return [result.record for result in runner.play(range(2), Interrupt.never())]

    ruined = False
    true = records()
    ruined = True
    assert records() == true
