"""Fits how likely it is to win by playing on, as the assistant says it, and checks that on other deals.

Run as a program it plays games in which an `expert` sits among players of one level, on seeds of its own, and prints
what stands in :mod:`cluedo.ai.accuse_or_wait`, and what fits to two thirds of the deals say of the other third,
against what came true there; or, with ``--check``, what is said on deals of other seeds:

    python -m research.chances
    python -m research.chances --check

A moment is the end of a turn of an `expert` who proves nothing, and to whom some envelope has 10 % or more; three of
each player and game at most. What counts is whether the `expert` won by playing on. Where it guessed at that moment,
the game is played again from there without the guess.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.accuse_or_wait import TABLE_KINDS, chance_terms, outlooks
from cluedo.ai.knowledge import CHOICE, Evidence, SeatKnowledge
from cluedo.ai.knowledge.kernels.programme import Floats, Ints
from cluedo.ai.levels import parse_players
from cluedo.ai.match import Match, seat_players
from cluedo.ai.race import LEAST_GUESS
from cluedo.engine.commands import Accusation, EndTurn
from cluedo.engine.deal import Seeds, places_by_seat
from cluedo.engine.game import Game
from cluedo.experiments.read.stats import wilson_interval
from research.games import ends_of_turns, matches
from research.solving_times import regress

__all__ = ["OpenTurn", "moments", "shares_of"]

FIT_SEED, CHECK_SEED = 990_600, 990_700
"""The first of the seeds, one for each table."""
GAMES = {
    "easy": 1.5,
    "medium": 1.5,
    "hard": 1.0,
    "hard:own_cards=never": 1.0,
    "habit:own=1": 1.0,
    "expert": 3.0,
}
"""By level of the others, how many games are played: as many of each kind of table."""
_SIZES = {4: 6, 3: 4, 6: 3}  # by seats, games of a round
_MAPS = ("manoir", "classic")
_MOST = 3  # moments of a player in a game
_BINS = 10
_STEPS = 200  # of the shares
_FOLDS = 3


class OpenTurn(NamedTuple):
    """The end of a turn in which an `expert` could have guessed.

    Attributes:
        others: the level of the others.
        map_name: the board.
        deal: the number of the deal; moments of one deal depend on each other.
        evidence: what the `expert` knew.
        guessed: whether it guessed.
        right: whether the likeliest envelope was the real one.
        won: whether it won by playing on.
    """

    others: str
    map_name: str
    deal: int
    evidence: Evidence
    guessed: bool
    right: bool
    won: bool


def moments(others: str, seats: int, deals: range, seed: int, map_name: str) -> Iterator[OpenTurn]:
    """Moments of games of an `expert` among others, one game for each deal; among its equals, those of all of them."""
    specs = parse_players(["expert"] + [others] * (seats - 1))
    for deal, match in matches(specs, deals, seed, board=map_name):
        places = places_by_seat(seats, deal)

        def play_on(game: Game, deal: int = deal) -> int | None:
            """The winner, if all of them play on from where a game stands."""
            return Match(game, *seat_players(specs, Seeds(seed, deal, seats), deal)).play().winner

        match.play()
        game = match.game
        for seat in range(seats):
            if specs[places[seat]] == specs[0]:
                found = [*_moments_of(game, seat)]
                for at, evidence, right in Random(deal * 16 + seat).sample(found, min(_MOST, len(found))):
                    guessed = isinstance(game.commands[at], Accusation)
                    won = (_without_guess(game, at, play_on) if guessed else game.result and game.result.winner) == seat
                    yield OpenTurn(others, map_name, deal, evidence, guessed, right, won)


def _moments_of(game: Game, seat: int) -> Iterator[tuple[int, Evidence, bool]]:
    """The commands of a seat that end a turn or are a guess, what it knew, and whether the likeliest envelope is it."""
    for at, command, evidence in ends_of_turns(game, seat):
        known = SeatKnowledge(evidence, CHOICE)
        if known.certain:
            return
        envelope, best = known.envelopes[0]
        if best >= LEAST_GUESS:
            yield at, evidence.copy(), envelope == game.state.deal.envelope
        if isinstance(command, Accusation):
            return


def _without_guess(game: Game, at: int, play_on: Callable[[Game], int | None]) -> int | None:
    """The winner if the player ends the turn instead of guessing."""
    again = game.at_deal()
    for command in game.commands[:at]:
        again.execute(command)
    again.execute(EndTurn())
    return play_on(again)


def _played(others: str, rounds: int, seed: int) -> Iterator[OpenTurn]:
    """Moments of a level on all boards and at tables of all sizes, on deals of seeds from this one on."""
    tables = [(name, seats, map_name) for name in GAMES for seats in _SIZES for map_name in _MAPS]
    for (name, seats, map_name), own in zip(tables, count(seed)):
        if name == others:
            games = rounds * int(_SIZES[seats] * GAMES[name])
            yield from moments(name, seats, range(games), own, map_name)


class _Gathered(NamedTuple):
    """Moments as arrays, by moment.

    Attributes:
        kind: at a table of which of TABLE_KINDS.
        others: the level of the others; ``map_name`` the board; ``seats`` how many played.
        fold: to which part of the deals the game belongs.
        terms: for each kind those of `chance_terms`, an array (moments, kinds, terms).
        logs: how well what was done fits each kind, an array (moments, kinds).
        alone: whether nobody else was left in the race, so that playing on is certain to win.
        right: whether the likeliest envelope was the real one.
        guessed: whether the `expert` guessed; ``won``, whether it won by playing on.
    """

    kind: Ints
    others: NDArray[np.str_]
    map_name: NDArray[np.str_]
    seats: Ints
    fold: Ints
    terms: Floats
    logs: Floats
    alone: NDArray[np.bool_]
    right: NDArray[np.bool_]
    guessed: NDArray[np.bool_]
    won: NDArray[np.bool_]

    def where(self, chosen: NDArray[np.bool_]) -> _Gathered:
        """Those that are chosen."""
        columns: list[Any] = [column[chosen] for column in self]
        return _Gathered(*columns)


def _gathered(rounds: int, seed: int) -> _Gathered:
    """What the games of all tables tell."""
    rows = []
    for number, kind in enumerate(TABLE_KINDS):
        for others in kind.players:
            for moment in _played(others, rounds, seed):
                known = SeatKnowledge(moment.evidence, CHOICE)
                bits, best, seats = known.bits or 0.0, known.envelopes[0][1], moment.evidence.seats
                found = outlooks(known)
                terms = [chance_terms(bits, best, seats, outlook.survival) for outlook in found]
                logs = [outlook.log_likelihood for outlook in found]
                told = (number, others, moment.map_name, seats, moment.deal % _FOLDS, terms, logs)
                alone = not found[0].hazards.any()
                rows.append((*told, alone, moment.right, moment.guessed, moment.won))
    return _Gathered(*(np.array(column) for column in zip(*rows, strict=True)))


class _Numbers(NamedTuple):
    """What is fitted: `wins` and `right` of each kind, arrays (kinds, terms), and the shares of the kinds."""

    wins: Floats
    right: Floats
    shares: Floats

    def said(self, some: _Gathered) -> _Said:
        """What is said at some moments."""
        waits = _chance(np.einsum("mst,st->ms", some.terms, self.wins))
        waits[some.alone] = 1.0
        guesses = _chance(np.einsum("mst,st->ms", some.terms, self.right))
        likely = np.exp(some.logs - some.logs.max(1, keepdims=True)) * self.shares
        likely /= likely.sum(1, keepdims=True)
        return _Said(waits, guesses, (waits * likely).sum(1), (guesses * likely).sum(1))


class _Said(NamedTuple):
    """What is said of winning: for each kind, arrays (moments, kinds), and in all, the kinds weighed (moments)."""

    waits: Floats
    guesses: Floats
    wait: Floats
    guess: Floats


def _chance(odds: Floats) -> Floats:
    chance: Floats = 1.0 / (1.0 + np.exp(-odds))
    return chance


def _fitted(some: _Gathered) -> _Numbers:
    own = [(number, some.kind == number) for number in range(len(TABLE_KINDS))]
    wins = [regress(some.terms[here & ~some.alone, n], some.won[here & ~some.alone].astype(float)) for n, here in own]
    right = [regress(some.terms[here, n], some.right[here].astype(float)) for n, here in own]
    return _Numbers(np.array(wins), np.array(right), shares_of([some.logs[here] for _, here in own]).round(3))


def fit(rounds: int) -> None:
    """Print the numbers of each kind, and what fits to the other deals say of each part of the deals."""
    some = _gathered(rounds, FIT_SEED)
    numbers = _fitted(some)
    for kind, share, wins, right in zip(TABLE_KINDS, numbers.shares, numbers.wins, numbers.right, strict=True):
        print(", ".join(kind.players), "share", share, "wins", tuple(wins.tolist()), "right", tuple(right.tolist()))
    print("By fits to the other deals:")
    said = numbers.said(some)
    for fold in range(_FOLDS):
        here = some.fold == fold
        for column, found in zip(said, _fitted(some.where(~here)).said(some.where(here)), strict=True):
            column[here] = found
    _tell(some, said)


def shares_of(logs: Sequence[Floats]) -> Floats:
    """How likely the kinds are beforehand, so that on average over tables, each kind as frequent, they are said so.

    ``logs`` has for each kind an array (moments, kinds): how well what was done at its tables fits each of them.
    """
    shares = np.full(len(logs), 1.0 / len(logs))
    for _ in range(_STEPS):
        said = np.zeros_like(shares)
        for some in logs:
            odds = np.exp(some - some.max(1, keepdims=True)) * shares
            said += (odds / odds.sum(1, keepdims=True)).mean(0) / len(logs)
        shares /= said * len(logs)
        shares /= shares.sum()
    return shares


def check(rounds: int, seed: int) -> None:
    """Print what the numbers in use say on other deals."""
    some = _gathered(rounds, seed)
    used = [np.array([getattr(kind, name) for kind in TABLE_KINDS]) for name in ("wins", "right", "share")]
    _tell(some, _Numbers(*used).said(some))


def _tell(some: _Gathered, said: _Said) -> None:
    """What was said of winning, and how often it was won, at tables of each kind, and in all."""
    advised = said.guess > said.wait
    for number, kind in enumerate(TABLE_KINDS):
        own = some.kind == number
        print(f"{', '.join(kind.players)}: said of such a table, of playing on")
        _tell_bins(said.waits[own, number], some.won[own])
        groups = {f"by {others}": some.others == others for others in kind.players}
        groups |= {f"{seats} seats": some.seats == seats for seats in _SIZES}
        groups |= {name: some.map_name == name for name in _MAPS}
        groups |= {"where `expert` guessed": some.guessed}
        for title, group in groups.items():
            _tell_line(title, said.waits[own & group, number], some.won[own & group])
        print("  of a guess")
        _tell_bins(said.guesses[own, number], some.right[own])
        print("  said in all, the kinds weighed")
        _tell_line("playing on", said.wait[own], some.won[own])
        _tell_line("a guess", said.guess[own], some.right[own])
        _tell_line("playing on, a guess advised", said.wait[own & advised], some.won[own & advised])
        _tell_line("a guess, where it is advised", said.guess[own & advised], some.right[own & advised])
    even = 1.0 / np.bincount(some.kind)[some.kind]
    print("said in all, at tables of which each kind is as frequent, of playing on")
    _tell_bins(said.wait, some.won, even)
    print("  of a guess")
    _tell_bins(said.guess, some.right, even)
    print("  where a guess is advised, playing on and the guess")
    _tell_line("playing on", said.wait[advised], some.won[advised], even[advised])
    _tell_line("a guess", said.guess[advised], some.right[advised], even[advised])


def _tell_bins(said: Floats, won: NDArray[np.bool_], weights: Floats | None = None) -> None:
    for number in range(_BINS):
        here = np.minimum((_BINS * said).astype(int), _BINS - 1) == number
        title = f"{100 * number // _BINS} to {100 * (number + 1) // _BINS} %"
        _tell_line(title, said[here], won[here], None if weights is None else weights[here])
    _tell_line("all", said, won, weights)


def _tell_line(title: str, said: Floats, won: NDArray[np.bool_], weights: Floats | None = None) -> None:
    if not len(said):
        return
    mean, true = float(np.average(said, weights=weights)), float(np.average(won, weights=weights))
    low, high = wilson_interval(round(true * len(said)), len(said))
    print(f"    {title:30}{len(said):6,}   said {mean:.3f}   true {true:.3f}   ({low:.3f} to {high:.3f})", flush=True)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m research.chances", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=240, help="of 78 games for each kind of table")
    parser.add_argument("--check", action="store_true", help="check what is said, on other deals")
    parser.add_argument("--seed", type=int, default=CHECK_SEED, help="with --check: the first of the seeds")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds is 1 at least")
    if arguments.check:
        check(arguments.rounds, arguments.seed)
    else:
        fit(arguments.rounds)


if __name__ == "__main__":
    main()
