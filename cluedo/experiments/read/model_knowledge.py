"""Grades what language models claimed to know in their games, by the exact answers of those moments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np

from cluedo.ai.exercises import ExactAnswer, Exercise, GivenAnswer, Grade, exact_answer, findings, grade, level_of
from cluedo.ai.knowledge.caselog import CaseLog, read_case_log
from cluedo.ai.knowledge.known import SeatKnowledge
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.posterior import TooManyDeals
from cluedo.ai.knowledge.reasons import explain
from cluedo.ai.knowledge.sentences import conclusion
from cluedo.bots.llm.asking import UnfitAnswer, last_object, named_cards
from cluedo.bots.llm.claims import Claims, ClaimsForm
from cluedo.bots.llm.exchanges import EXCHANGES, Exchange, read_exchanges
from cluedo.engine.board import Board
from cluedo.engine.events import HypothesisMade
from cluedo.engine.phrase import Phrase
from cluedo.experiments.read.growth import LONG, Curve, curve_of_games
from cluedo.experiments.read.stats import Estimate, clustered_mean

__all__ = ["Accusing", "ClaimedTurn", "GradedClaims", "ModelKnowledge", "WrongClaim", "graded_claims", "models_of"]


_MOST_TURNS: Final = 2_000
"""Turns that are graded, at some tenths of a second each."""


class Accusing(NamedTuple):
    """Whether a model accused at the end of a turn, and whether it could be sure.

    Attributes:
        accused: whether it did.
        proved: whether the envelope was proved.
        chance: how likely the envelope was that it named; of the likeliest one, if it named none.
    """

    accused: bool
    proved: bool
    chance: float


@dataclass(frozen=True, slots=True)
class ClaimedTurn:
    """A turn at whose beginning a model was asked what it knows.

    Attributes:
        player: the model, with all parameters.
        game: its game.
        turn: the turn of the game.
        log: what its seat knew before the turn.
        exact: what followed from that.
        answered: whether it said what it knows, so that it could be read.
        given: what it claimed, and the question that it asked in this turn; None if neither is there.
        grade: the score, as ``cluedo grade`` gives it.
        best_here: the bits that the best question in the room of its question is expected to tell; None without one.
        accusing: whether it accused in the end; None if it was not asked.
    """

    player: str
    game: str
    turn: int
    log: CaseLog
    exact: ExactAnswer
    answered: bool
    given: GivenAnswer | None
    grade: Grade
    best_here: float | None
    accusing: Accusing | None

    @property
    def wrong(self) -> WrongClaim | None:
        """A claim that is not proved, one that can be refuted if there is any; None if all are proved."""
        if not self.grade.wrong or self.given is None:
            return None
        evidence, deck = self.log.evidence(), self.log.setting.deck
        wrong = [
            (card, place, there)
            for (card, place), there in self.given.proved.items()
            if self.exact.cards[card][place] != float(there)
        ]
        card, place, there = min(wrong, key=lambda claim: self.exact.cards[claim[0]][claim[1]] not in (0.0, 1.0))
        spot = deck.id(card), evidence.place_names.index(place)
        why = explain(evidence, *spot)
        # Of what is open it tells a deal with the card there, and then one without.
        lines = (why.lines[0], why.lines[2 if there else 1]) if why.proved is None else why.lines[:-1]
        return WrongClaim(self, conclusion(*spot, there, evidence), why.proved is not None, lines)


class WrongClaim(NamedTuple):
    """A claim that is not proved.

    Attributes:
        where: the turn.
        claim: it in words.
        refuted: whether it is proved to be false.
        lines: the facts that refute it; or how likely it is, and a deal that fits and in which it is false.
    """

    where: ClaimedTurn
    claim: Phrase
    refuted: bool
    lines: tuple[Phrase, ...]


class GradedClaims(NamedTuple):
    """What models claimed, graded.

    Attributes:
        turns: game by game.
        games: how many a model played, one of each seat of a model, that were graded; ``of`` so many.
        uncounted: turns that are left out, as too many deals fitted.
    """

    turns: Sequence[ClaimedTurn]
    games: int
    of: int
    uncounted: int


def graded_claims(folders: Mapping[str, Path], progress: Callable[[float], object] = lambda _: None) -> GradedClaims:
    """Grade what the models claimed in some results, or in a sample of many games.

    Args:
        folders: by name, where the results are.
        progress: told the share that is done.

    Raises:
        CluedoError: the exchanges of a folder cannot be read.
    """
    boards: dict[str, Board] = {}

    def board(name: str) -> Board:
        if name not in boards:
            boards[name] = Board.load(name)
        return boards[name]

    games = {
        game if len(folders) == 1 else f"{name}/{game}": turns  # a seed may be played twice
        for name, folder in folders.items()
        for game, turns in _turns_by_game(folder / EXCHANGES).items()
    }
    sample = _sample(games)
    found: list[ClaimedTurn] = []
    uncounted = 0
    for done, game in enumerate(sample):
        progress(done / len(sample))
        for exchanges in games[game]:
            try:
                found.append(_graded(game, exchanges, board))
            except TooManyDeals:
                uncounted += 1
    return GradedClaims(found, len(sample), len(games), uncounted)


def _sample(games: Mapping[str, list[list[Exchange]]]) -> list[str]:
    """So many games that few turns are to be graded, chosen at random; all of them, in order, if they are few."""
    names = list(games)
    Random(0).shuffle(names)
    within = accumulate(len(games[name]) for name in names)
    chosen = {name for name, turns in zip(names, within, strict=True) if turns <= _MOST_TURNS} or set(names[:1])
    return [name for name in games if name in chosen]


def _turns_by_game(path: Path) -> dict[str, list[list[Exchange]]]:
    """By game, the turns in which a model was asked what it knows: the exchanges that say what it knew."""
    if not path.exists():
        return {}
    games: defaultdict[str, defaultdict[int, list[Exchange]]] = defaultdict(lambda: defaultdict(list))
    for exchange in read_exchanges(path)[0]:
        if exchange.log is not None:
            games[exchange.game][exchange.turn].append(exchange)
    asked = {
        game: [exchanges for exchanges in turns.values() if exchanges[0].ask == "claims"]
        for game, turns in games.items()
    }
    return {game: turns for game, turns in asked.items() if turns}


def _graded(game: str, exchanges: Sequence[Exchange], boards: Callable[[str], Board]) -> ClaimedTurn:
    first = exchanges[0]
    log = _log(first, boards)
    found = findings(log.evidence())
    exercise = Exercise(level_of(found), log, f"{game}/{first.turn}")
    exact = exact_answer(exercise, found, {"player": first.player, "game": game, "turn": first.turn})
    ends = [exchange for exchange in exchanges if exchange.ask == "accusation"]
    after = _log(ends[-1], boards) if ends else None
    question = None if after is None else _question(log, after)
    claims = _claims((exchange for exchange in exchanges if exchange.ask == "claims"), log)
    given = None
    if claims is not None or question is not None:
        given = GivenAnswer(claims.proved if claims else {}, claims.envelope if claims else None, question)
    return ClaimedTurn(
        first.player,
        game,
        first.turn,
        log,
        exact,
        claims is not None,
        given,
        grade(exact, given),
        None if question is None else exact.best_in(question[2]),
        None if after is None else _accusing(ends[-1], after),
    )


def _log(exchange: Exchange, boards: Callable[[str], Board]) -> CaseLog:
    assert exchange.log is not None, "it says what its seat knew"
    return read_case_log(exchange.log, boards)


def _claims(asked: Iterable[Exchange], log: CaseLog) -> Claims | None:
    """The claims of the last answer that can be read."""
    form = ClaimsForm.of(log)
    for exchange in reversed(list(asked)):
        with suppress(UnfitAnswer):
            return form.read(exchange.said or "")
    return None


def _question(before: CaseLog, after: CaseLog) -> tuple[str, ...] | None:
    """What was asked in the turn between two moments, if anything."""
    new = after.entries[len(before.entries) :]
    mine = (entry.cards for entry in new if isinstance(entry.head, HypothesisMade) and entry.by == after.setting.me)
    return next((tuple(map(after.setting.deck.names.__getitem__, cards)) for cards in mine), None)


def _accusing(exchange: Exchange, log: CaseLog) -> Accusing:
    known, deck = SeatKnowledge(log.evidence(), UNIFORM), log.setting.deck
    try:
        names = [deck.names[ids.start : ids.stop] for ids in deck.ids]
        named = named_cards(last_object(exchange.said or "", "cards")["cards"], names)
    except UnfitAnswer:
        named = None
    if named is None:
        return Accusing(False, known.certain, known.envelopes[0][1])
    suspect, weapon, room = map(deck.id, named)
    return Accusing(True, known.certain, known.chance((suspect, weapon, room)))


# ---- models side by side -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ModelKnowledge:
    """The graded turns of one model, one at least.

    Attributes:
        player: the model, with all parameters.
        turns: game by game, and in each in order.
    """

    player: str
    turns: Sequence[ClaimedTurn]

    @cached_property
    def games(self) -> Mapping[str, list[ClaimedTurn]]:
        """The turns of each game."""
        found: dict[str, list[ClaimedTurn]] = {}
        for turn in self.turns:
            found.setdefault(turn.game, []).append(turn)
        return found

    @property
    def answered(self) -> Estimate:
        """The share of the turns in which it said what it knows."""
        return self._mean(lambda turn: turn.answered)

    @property
    def found(self) -> Estimate | None:
        """The share that it found of all that could be proved; None if nothing could."""
        return self._ratio(lambda turn: turn.grade.found, lambda turn: turn.grade.wanted)

    @property
    def wrong(self) -> Estimate:
        """How many claims a turn are not proved."""
        return self._mean(lambda turn: turn.grade.wrong)

    @property
    def refuted(self) -> int:
        """How many claims are proved to be false."""
        return sum(turn.grade.refuted for turn in self.turns)

    @property
    def odds_lost(self) -> Estimate:
        """The bits that its odds of the envelope lose in a turn."""
        return self._mean(lambda turn: turn.grade.odds_lost)

    @property
    def question(self) -> Estimate | None:
        """What its questions promised, as a share of what the best in those rooms promised; None without any."""
        return self._ratio(
            lambda turn: 0.0 if turn.best_here is None else turn.grade.gain, lambda turn: turn.best_here or 0.0
        )

    def accusations(self, *, accused: bool, proved: bool) -> list[Accusing]:
        """The ends of turns at which it accused, or did not, while the envelope was proved, or was not."""
        ends = (turn.accusing for turn in self.turns)
        return [end for end in ends if end is not None and (end.accused, end.proved) == (accused, proved)]

    @property
    def guess_chance(self) -> float | None:
        """How likely the envelopes were on average that it named without proof; None if it never did."""
        guesses = self.accusations(accused=True, proved=False)
        return sum(end.chance for end in guesses) / len(guesses) if guesses else None

    def open_bits(self, *, exact: bool) -> Curve:
        """By its own turns, what is open about the envelope: by its odds, or by the exact ones of the same moments."""
        rows = [
            np.array([-(turn.grade.best_score if exact else turn.grade.log_score) for turn in game])
            for game in self.games.values()
        ]
        turns = int(np.quantile([len(row) for row in rows], LONG, method="inverted_cdf"))
        return curve_of_games(
            np.array([row[np.minimum(np.arange(turns), len(row) - 1)] for row in rows]), np.ones(len(rows))
        )

    @property
    def first_wrong(self) -> list[ClaimedTurn]:
        """Of each game with a wrong claim, the first turn with one."""
        firsts = (next((turn for turn in game if turn.grade.wrong), None) for game in self.games.values())
        return [turn for turn in firsts if turn is not None]

    def _mean(self, value: Callable[[ClaimedTurn], float]) -> Estimate:
        mean = self._ratio(value, lambda _: 1)
        assert mean is not None, "there are turns"
        return mean

    def _ratio(self, part: Callable[[ClaimedTurn], float], whole: Callable[[ClaimedTurn], float]) -> Estimate | None:
        """The ratio of two sums with its interval over games."""
        parts, wholes = (np.array([sum(map(value, game)) for game in self.games.values()]) for value in (part, whole))
        return clustered_mean(parts, wholes) if wholes.sum() > 0 else None


def models_of(turns: Iterable[ClaimedTurn]) -> list[ModelKnowledge]:
    """The models side by side, in the order of their names."""
    by_player: defaultdict[str, list[ClaimedTurn]] = defaultdict(list)
    for turn in turns:
        by_player[turn.player].append(turn)
    return [ModelKnowledge(player, found) for player, found in sorted(by_player.items())]
