"""Fits what ``expert`` assumes of its opponents: how soon somebody solves the case, by how much they can know.

Run as a program it plays games of every kind of opponent, on seeds of its own, and prints the numbers that stand in
:mod:`cluedo.ai.opponents` and :mod:`cluedo.ai.race`:

    python -m research.solving_times

All cards are open to the fit. A row is a moment at which somebody's turn ends, another seat, and one of its turns to
come that was played: did it solve the case then? The log odds of that are fitted to the bits that the seat's notes left
open at the moment, by logistic regression; the turns to come in which it was not asked any more are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge import KINDS, Evidence, Posterior, entropy
from cluedo.ai.knowledge.kernels.event_rows import ASKED, KIND, THEN_ACCUSED, WHO, EventRows, Seating
from cluedo.ai.knowledge.kernels.opponent_likelihood import Found, Habits, know
from cluedo.ai.knowledge.kernels.opponent_notes import WAYS
from cluedo.ai.knowledge.kernels.programme import Floats, Ints
from cluedo.ai.race import AHEAD, BOX_BITS, Race
from cluedo.engine.commands import EndTurn
from cluedo.engine.events import Accused, TurnEnded
from cluedo.engine.game import Game
from research.games import FIT_SEED, deal_of, ends_of_turns, play

__all__ = ["fit_opponent", "fit_own", "log_of", "own_terms", "regress", "terms"]

LEVELS = {
    "easy": (0, "easy"),
    "medium": (1, "medium"),
    "hard": (2, "hard"),
    "expert": (2, "expert"),
    "habit:own=1": (2, "habit:own=1"),
    "habit:guess=0.25": (2, "habit:guess=0.25"),
}
"""By solving style: how they keep notes, and the player whose games are looked at."""
_ONESELF = "expert:caution=1"

_TABLES = (
    ("manoir", "walk", 4, 1.0),
    ("manoir", "walk", 3, 0.4),
    ("manoir", "walk", 6, 0.4),
    ("classic", "free", 3, 0.4),
    ("classic", "free", 4, 0.4),
    ("classic", "free", 6, 0.2),
    ("tiny", "free", 3, 0.4),
    ("tiny", "free", 4, 0.6),
    ("tiny", "walk", 4, 0.4),
    ("master", "free", 4, 0.2),
)
"""Boards, how pawns move, seats, and for how many games of each hundred."""
_SHARE = 0.25  # of the turns of the first AHEAD rounds: how many cannot depend on how long the game lasts
_RIDGE = 0.01
_OWN, _KNOWN = (0.03, 0.08, 0.15, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 4.0, 8.0), (0.03, 0.08, 0.2, 0.4, 0.7, 1.0, 1.4)
_STICKS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99)
_OPEN = (0.03, 0.03, 0.3, 0.03)  # who sticks to open cards is looked for among those who name open cards
_PROVED = 1.0 - 1e-9


class Log(NamedTuple):
    """A game as rows for `know`, all cards open.

    Attributes:
        rows: those of :class:`EventRows`.
        ends: for each turn that ended, whose it was and how many rows there were by then.
        place: an array (1, cards): the deal.
    """

    rows: Ints
    ends: list[tuple[int, int]]
    place: NDArray[np.int8]


def log_of(game: Game) -> Log:
    """The log of a game."""
    said = EventRows()
    ends: list[tuple[int, int]] = []
    for event in game.events:
        said.add(len(ends), event)
        if isinstance(event, TurnEnded):
            ends.append((event.seat, len(said)))
    return Log(said.rows, ends, deal_of(game)[None])


def _known(game: Game, log: Log, rows: int, styles: Floats) -> tuple[Floats, Floats]:
    """After so many rows: the bits open (seats, ways), and the log likelihood of the naming (seats, naming styles)."""
    table = game.table
    left = np.zeros((1, table.seats, WAYS), np.int64)
    naming, silence = np.zeros((1, table.seats, len(styles))), np.zeros((1, table.seats, 0))
    seating = Seating.of(Evidence(table.deck, table.hand_sizes, free=table.free))
    none = np.zeros((0, 2))  # silence is not looked at
    know(log.place, log.rows[:rows], seating, -1, Habits.of(styles, none, none, none), 0, Found(left, naming, silence))
    return np.log2(left[0]), naming[0]


def _turns_to_come(game: Game, log: Log, moment: int, seat: int) -> Iterator[bool]:
    """For each of a seat's turns after a moment, whether it solved the case in it; at most AHEAD of them."""
    ended = [who for who, _ in log.ends[moment + 1 :]]
    result = game.result
    solved = result is not None and result.reason == "solved" and result.winner == seat
    turns = [False] * ended.count(seat) + [True] * solved
    yield from turns[:AHEAD]


def _turns_with_questions(game: Game, log: Log) -> Iterator[tuple[int, int, bool]]:
    """For each question of a game its row and seat, and whether the asker accused in the same turn."""
    result = game.result
    solved = result is not None and result.reason == "solved"
    asked = [row for row in range(len(log.rows)) if log.rows[row, KIND] == ASKED]
    for row in asked:
        seat = int(log.rows[row, WHO])
        right = solved and row == asked[-1] and result is not None and result.winner == seat
        yield row, seat, right or bool(log.rows[row, THEN_ACCUSED])


def regress(inputs: Floats, happened: Floats) -> list[float]:
    """Logistic regression by Newton's method, with a light ridge."""
    weights = np.zeros(inputs.shape[1])
    ridge = _RIDGE * np.eye(len(weights))
    for _ in range(40):
        chance = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30.0, 30.0)))
        slope = inputs.T @ (happened - chance) - _RIDGE * weights
        step = np.linalg.solve((inputs * (chance * (1.0 - chance))[:, None]).T @ inputs + ridge, slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return [round(float(weight), 3) for weight in weights]


def _games(player: str, games: int) -> Iterator[tuple[int, Game]]:
    for number, (board, movement, seats, share) in enumerate(_TABLES):
        seed = FIT_SEED + 10 * number + seats
        yield from play((player,) * seats, range(int(games * share)), seed, board=board, movement=movement)


def _race(game: Game) -> Race:
    """The race of a game."""
    return Race.of(Evidence(game.table.deck, game.table.hand_sizes, free=game.table.free))


def fit_opponent(name: str, games: int) -> dict[str, object]:
    """The numbers of one kind of opponent, by attribute, and what they rest on."""
    notes, player = LEVELS[name]
    pairs = np.array(list(product(_OWN, _KNOWN)))
    one, never = np.ones_like(pairs), np.zeros((len(pairs), 1))
    sticking = np.column_stack([np.tile(_OPEN, (len(_STICKS), 1)), _STICKS])
    styles = np.vstack([np.hstack([pairs, one, never]), np.hstack([one, pairs, never]), sticking])
    styles = np.column_stack([np.full(len(styles), notes), styles])
    naming = np.zeros(len(styles))
    rows_found: list[tuple[Any, ...]] = []
    turns_begun: list[tuple[Any, ...]] = []
    missed = 0
    for deal, game in _games(player, games):
        log, seats, race = log_of(game), game.table.seats, _race(game)
        left, likely = _known(game, log, len(log.rows), styles)
        naming += likely.sum(0)
        wrong = {event.seat for event in game.events if isinstance(event, Accused) and not event.correct}
        for row, seat, accused in _turns_with_questions(game, log):
            left, _ = _known(game, log, row, styles[:1])
            turns_begun.append((left[seat, notes], *race, accused))
        chance = Random(deal)
        for moment, (seat, rows) in enumerate(log.ends[: seats * AHEAD]):
            if chance.random() >= _SHARE:
                continue
            left, _ = _known(game, log, rows, styles[:1])
            missed += left[seat, notes] == 0.0
            for other in set(range(seats)) - wrong - {seat}:
                for turn, solved in enumerate(_turns_to_come(game, log, moment, other), start=1):
                    rows_found.append((left[other, notes], turn, *race, solved))
    before, *began_at, accusing = np.array(turns_begun, float).T
    bits, turns, *at_table, happened = np.array(rows_found, float).T
    of_cards, of_rooms, of_sticks = np.split(naming, [len(pairs), 2 * len(pairs)])
    cards, rooms = pairs[of_cards.argmax()], pairs[of_rooms.argmax()]
    return {
        "cards": tuple(cards.tolist()),
        "rooms": tuple(rooms.tolist()),
        "sticks": _STICKS[of_sticks.argmax()],
        "solves": tuple(regress(terms(bits, turns, *at_table), happened)),
        "accuses": tuple(regress(terms(before, np.ones_like(before), *began_at), accusing)),
        "rows": len(rows_found),
        "silent though proved": int(missed),
    }


def terms(bits: Floats, turns: Floats, *race: float | Floats) -> Floats:
    """The terms of the linear model of the log odds of solving the case, an array (…, 14).

    ``bits`` are open by somebody's notes; ``turns``, from 1, says which of their turns to come is meant, nobody having
    won before it; ``race`` are the three numbers of :class:`Race`.
    """
    bits, turns, seats, free, size = np.broadcast_arrays(bits, turns, *race)
    late, more, larger = np.log(turns), seats - 4.0, size - BOX_BITS
    found = [np.ones_like(bits), (bits < 1e-9).astype(float), bits, bits**2, bits**3, late, bits * late, late**2]
    return np.stack([*found, more, more * bits, free, free * bits, larger, larger * bits], -1)


def own_terms(bits: Floats, best: Floats, turns: Floats, *race: float | Floats) -> tuple[Floats, Floats]:
    """The terms of the linear models of one's own log odds: of a proof (…, 13), and of a right guess (…, 12).

    ``bits`` are what is unknown of the envelope, ``best`` is the probability of the likeliest one; the rest is as for
    :func:`terms`.
    """
    bits, best, turns, seats, free, size = np.broadcast_arrays(bits, best, turns, *race)
    late, more, larger, odds = np.log(turns), seats - 4.0, size - BOX_BITS, np.log(best / (1.0 - best))
    one = np.ones_like(bits)
    at_table = [more, free, free * bits, larger, larger * bits]
    proof = [one, bits, bits**2, bits**3, late, bits * late, late**2, more * bits, *at_table]
    guess = [one, odds, bits, late, odds * late, bits * late, late**2, *at_table]
    return np.stack(proof, -1), np.stack(guess, -1)


def fit_own(games: int) -> dict[str, object]:
    """Fit one's own chances in a coming turn: to have a proof, and to be right with a guess."""
    proofs: list[tuple[Any, ...]] = []
    guesses: list[tuple[Any, ...]] = []
    for _, game in _games(_ONESELF, games):
        for seat in range(game.table.seats):
            _add_own(game, seat, proofs, guesses)
    found = {"PROOF": _own_regression(proofs, 0), "GUESS": _own_regression(guesses, 1)}
    return found | {"rows": len(proofs)}


def _add_own(game: Game, seat: int, proofs: list[tuple[Any, ...]], guesses: list[tuple[Any, ...]]) -> None:
    """Rows of one seat of a game: bits and best odds at a moment, a turn to come, seats, and what happened then."""
    race, log = _race(game), log_of(game)
    course = list(_course(game, seat))
    solved = next(_turns_to_come(game, log, len(log.ends) - 1, seat), False)
    for at, (bits, best, _) in enumerate(course):
        if best > _PROVED:
            break
        for turn, (_, later, right) in enumerate(course[at + 1 : at + 1 + AHEAD], start=1):
            proofs.append((bits, best, turn, *race, later > _PROVED))
            if later > _PROVED:
                break
            guesses.append((bits, best, turn, *race, right))
        else:
            if solved and len(course) - at <= AHEAD:
                proofs.append((bits, best, len(course) - at, *race, True))


def _own_regression(rows: list[tuple[Any, ...]], which: int) -> list[float]:
    bits, best, turns, *at_table, happened = np.array(rows, float).T
    return regress(own_terms(bits, best, turns, *at_table)[which], happened)


def _course(game: Game, seat: int) -> Iterator[tuple[float, float, bool]]:
    """At the ends of a seat's turns: the bits unknown, how likely the best guess is, and whether it is right."""
    for _, command, evidence in ends_of_turns(game, seat):
        if isinstance(command, EndTurn):
            posterior = Posterior(evidence, KINDS)
            envelope, best = posterior.envelopes()[0]
            yield entropy(posterior.joint), best, envelope == game.state.deal.envelope


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="python -m research.solving_times", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="games of four on manoir; fewer at other tables")
    parser.add_argument("--only", choices=[*LEVELS, "own"], action="append", help="which, as often as you like")
    arguments = parser.parse_args()
    games = arguments.games
    for name in arguments.only or [*LEVELS, "own"]:
        print(name, fit_own(games) if name == "own" else fit_opponent(name, games), flush=True)


if __name__ == "__main__":
    main()
