"""Playing games of a plan in one process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from cluedo.ai.levels import PlayerSpec, parse_player
from cluedo.ai.match import Match
from cluedo.ai.player import Movement, Player
from cluedo.ai.watchdog import Watchdog
from cluedo.board import Board
from cluedo.commands import Accusation, Hypothesis, ShowCard
from cluedo.deal import Deal, Seeds, check_seats, draw_deal
from cluedo.errors import PlayerError
from cluedo.experiments.interrupt import Interrupt
from cluedo.experiments.plan import Plan, PlannedGame
from cluedo.game import Game
from cluedo.record import RecordWriter
from cluedo.state import Reason
from cluedo.view import PlayerView

__all__ = ["GameResult", "GameRoom"]

_FAULT_LENGTH = 200
"""Characters of a fault's text that are kept: a bot may say anything, in every game."""


class GameResult(NamedTuple):
    """What is kept of a game. Players go by their place in the line-up, not by the seat they had.

    Attributes:
        game: its number in the plan.
        winner: the place of the player that won, or None.
        reason: ``solved``, ``unsolved`` or ``unfinished``.
        turns: turns begun.
        faults: by place, how many choices were lost by misbehaving.
        first_faults: of each player with faults: place, turn and text of its first one.
        think_s: by place, seconds spent thinking (the one thing here that is not the same each time).
        record: the game's record as a line of JSON without its line end, or None if not asked for.
    """

    game: int
    winner: int | None
    reason: Reason
    turns: int
    faults: tuple[int, ...]
    first_faults: tuple[tuple[int, int, str], ...]
    think_s: tuple[float, ...]
    record: str | None


class GameRoom:
    """A board, players and pens, laid out once for many games of one plan.

    Args:
        plan: what is played; its map, rules and players are checked here.
        think_limit: seconds that a player may take for one answer, or None.
        records: whether results carry the whole record.

    Raises:
        CluedoError: in one sentence, if such games cannot be played.
    """

    def __init__(self, plan: Plan, think_limit: float | None, *, records: bool = False):
        self.plan = plan
        self.board = Board.load(plan.map)
        check_seats(self.board.deck, plan.seats)
        self.players: list[PlayerSpec] = [parse_player(text) for text in plan.line_up]
        self._watchdog = Watchdog(think_limit)
        self._writer = RecordWriter(self.board, plan.rules) if records else None
        Game(self.board, plan.rules, self._deal(self._seeds(0)))  # says so if map and rules do not fit

    def play(self, games: range, interrupt: Interrupt) -> list[GameResult]:
        """Play some consecutive games, in order.

        Args:
            games: their numbers.
            interrupt: once it is wanted, the games finished so far are returned.
        """
        results: list[GameResult] = []
        # What a bot prints must not end up amid our own output.
        with self._watchdog, contextlib.redirect_stdout(sys.stderr):
            for number in games:
                planned = self.plan.game(number)
                if not planned.rotation or number == games.start:
                    # Rotations share the deal: its dice give the k-th roll however often it is asked for.
                    seeds = self._seeds(planned.deal)
                    deal = self._deal(seeds)
                if interrupt.wanted():
                    break
                try:
                    with interrupt.at_once():
                        result = self._play(planned, seeds, deal, interrupt)
                except KeyboardInterrupt:
                    if interrupt.armed:
                        break
                    raise
                if interrupt.wanted():
                    break  # it may have disturbed a player, so this game does not count
                results.append(result)
        return results

    def _seeds(self, deal: int) -> Seeds:
        return Seeds(self.plan.seed, deal, self.plan.seats)

    def _deal(self, seeds: Seeds) -> Deal:
        return draw_deal(seeds, self.board.deck, self.plan.rules)

    def _play(self, planned: PlannedGame, seeds: Seeds, deal: Deal, interrupt: Interrupt) -> GameResult:
        number, _, rotation, places = planned
        specs = [self.players[place] for place in places]
        randoms = [seeds.for_player(rotation, place) for place in places]
        game = Game(self.board, self.plan.rules, deal)
        match = Match(
            game, [_made(spec) for spec in specs], randoms, watchdog=self._watchdog, interrupted=interrupt.by_a_person
        )
        winner, reason, turns = match.play()
        record = None
        if self._writer is not None:
            names = [spec.text for spec in specs]
            record = self._writer.line(game, names, seed=seeds.seed, number=number, deal=seeds.deal, rotation=rotation)
        return GameResult(
            number,
            None if winner is None else places[winner],
            reason,
            turns,
            *_faults(match, places),
            _by_place(match.think_s, places),
            record,
        )


def _by_place(values: Sequence[float], places: Sequence[int]) -> tuple[float, ...]:
    by_place = [0.0] * len(places)
    for place, value in zip(places, values, strict=True):
        by_place[place] = value
    return tuple(by_place)


def _faults(match: Match, places: Sequence[int]) -> tuple[tuple[int, ...], tuple[tuple[int, int, str], ...]]:
    """The number of faults by place, and each culprit's first."""
    if not match.faults:
        return (0,) * len(places), ()
    counts = [0] * len(places)
    first = []
    for seat, turn, text in match.faults:
        place = places[seat]
        if not counts[place]:
            first.append((place, turn, " ".join(text.split())[:_FAULT_LENGTH]))
        counts[place] += 1
    return tuple(counts), tuple(first)


def _made(spec: PlayerSpec) -> Player:
    """A new player, or an empty chair if it cannot be made this time."""
    try:
        return spec.make()
    except (Exception, SystemExit) as error:
        return _EmptyChair(f"the player cannot be made: {type(error).__name__}")


class _EmptyChair(Player):
    """Sits in for a player whose constructor raised: every choice is lost, each as a fault."""

    def __init__(self, text: str):
        self._text = text

    def _leave(self) -> NoReturn:
        raise PlayerError(self._text)

    def choose_move(self, view: PlayerView) -> Movement:  # noqa: ARG002 - whatever is asked
        self._leave()

    def choose_hypothesis(self, view: PlayerView) -> Hypothesis | None:  # noqa: ARG002
        self._leave()

    def choose_card(self, view: PlayerView) -> ShowCard:  # noqa: ARG002
        self._leave()

    def choose_accusation(self, view: PlayerView) -> Accusation | None:  # noqa: ARG002
        self._leave()
