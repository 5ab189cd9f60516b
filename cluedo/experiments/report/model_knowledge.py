"""Grades what language models claimed to know in their games, by the exact answers of those moments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cluedo.ai.knowledge.caselog import CaseLog, read_case_log
from cluedo.ai.knowledge.models import UNIFORM
from cluedo.ai.knowledge.posterior import TooManyDeals
from cluedo.ai.knowledge.reasons import explain
from cluedo.ai.knowledge.seat_knowledge import SeatKnowledge
from cluedo.ai.knowledge.sentences import conclusion
from cluedo.ai.loading import is_model
from cluedo.ai.positions import ExactAnswer, GivenAnswer, Grade, Position, difficulty_of, exact_answer, findings, grade
from cluedo.bots.llm.asking import ClaimsForm, UnfitAnswer, last_object, named_cards
from cluedo.bots.llm.exchanges import EXCHANGES, Exchange, game_id, read_exchanges
from cluedo.engine.board import Board
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import HypothesisMade
from cluedo.engine.phrase import Phrase
from cluedo.experiments.read.results import Results
from cluedo.experiments.read.source import Source
from cluedo.experiments.read.stats import Estimate, clustered_mean, clustered_rate
from cluedo.experiments.report.growth import LONG, Curve, curve_of_games

__all__ = [
    "Accusing",
    "ClaimedTurn",
    "GradedClaims",
    "ModelKnowledge",
    "ModelSeat",
    "WrongClaim",
    "graded_claims",
    "models_of",
]


_MOST_TURNS: Final = 500
"""Turns that are graded, at some tenths of a second each."""


class ModelSeat(NamedTuple):
    """The seat of a model in a game.

    Attributes:
        experiment: of which the game is part.
        game: its number in the experiment.
        deal: the number of its deal; games of the same deal of a seed, with as many players, are alike.
        seat: the seat.
        seed: the seed, or with a secret a hash of both.
        players: how many play.
    """

    experiment: str
    game: int
    deal: int
    seat: int
    seed: int
    players: int


class Accusing(NamedTuple):
    """Whether a model accused at the end of a turn, and whether it could be sure.

    Attributes:
        accused: whether it did.
        proved: whether the envelope that it named was proved; any, if it named none.
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
        seat: its seat in its game.
        turn: the turn of the game.
        log: what its seat knew before the turn.
        exact: what followed from that.
        given: what it claimed, and the question that it asked in this turn; None if its claims cannot be read.
        grade: the score, as ``cluedo grade`` gives it.
        best_here: the bits that the best question in the room of its question is expected to tell; None without one.
        accusing: whether it accused in the end; None if no answer to that could be taken.
    """

    player: str
    seat: ModelSeat
    turn: int
    log: CaseLog
    exact: ExactAnswer
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
        # Of what is open, a deal that fits: one without the card there refutes that it is there.
        lines = (why.conclusion, why.remark[int(there)]) if why.proved is None else (*why.reason, why.conclusion)
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
        games: how many seats of models in games were graded, of ``total`` that there are.
        why_not: if something could not be graded, the reason of the first, as a sentence.
    """

    turns: Sequence[ClaimedTurn]
    games: int
    total: int
    why_not: str | None


def graded_claims(results: Results, progress: Callable[[float], object] = lambda _: None) -> GradedClaims:
    """Grade what the models claimed in some results, or in a sample of many games; ``progress`` gets the share done."""
    why_not: str | None = None
    games: dict[ModelSeat, list[list[Exchange]]] = {}
    for source in results.sources:
        try:
            found = _turns_by_game(source.path / EXCHANGES)
            seats = _model_seats(source) if found else {}
        except CluedoError as error:
            why_not = why_not or error.phrase
            continue
        played = results.numbers(source.name) if found else frozenset()
        games |= {seats[game]: turns for game, turns in found.items() if game in seats and seats[game].game in played}
    sample = _sample(games)
    graded: list[ClaimedTurn] = []
    for done, seat in enumerate(sample):
        progress(done / len(sample))
        for exchanges in games[seat]:
            try:
                graded.append(_graded(seat, exchanges))
            except CluedoError as error:
                why_not = why_not or error.phrase
    return GradedClaims(graded, len(sample), len(games), why_not)


def _model_seats(source: Source) -> dict[str, ModelSeat]:
    """By the id that its exchanges have, each seat of a language model in the games of an experiment."""
    found = {}
    experiment = source.manifest.experiment
    for k, part in enumerate(experiment.parts):
        for number in range(part.games) if any(map(is_model, part.line_up)) else ():
            _, deal, rotation, places = part.game(number)
            seeds = part.seeds(deal)
            for seat, place in enumerate(places):
                if is_model(part.line_up[place]):
                    game = game_id(seeds.for_player(rotation, place), part.table)
                    found[game] = ModelSeat(
                        source.name,
                        experiment.first_game(k) + number,
                        deal,
                        seat,
                        part.fingerprint,
                        part.seats,
                    )
    return found


def _sample(games: Mapping[ModelSeat, list[list[Exchange]]]) -> list[ModelSeat]:
    """So many games that few turns are to be graded, chosen at random; all of them, in order, if they are few."""
    seats = list(games)
    Random(0).shuffle(seats)
    within = accumulate(len(games[seat]) for seat in seats)
    chosen = {seat for seat, turns in zip(seats, within, strict=True) if turns <= _MOST_TURNS} or set(seats[:1])
    return sorted(chosen)


def _turns_by_game(path: Path) -> dict[str, list[list[Exchange]]]:
    """By game, the turns in which a model was asked what it knows: the exchanges that say what it knew."""
    if not path.exists():
        return {}
    games: defaultdict[str, list[Exchange]] = defaultdict(list)
    for exchange in read_exchanges(path)[0]:
        game = games[exchange.game]
        while game and game[-1].number >= exchange.number:  # its worker died, and it was played again
            game.pop()
        game.append(exchange)
    turns = {game: _turns(exchanges) for game, exchanges in games.items()}
    return {game: found for game, found in turns.items() if found}


def _turns(game: Iterable[Exchange]) -> list[list[Exchange]]:
    """The turns of a game in which a model was asked what it knows."""
    turns: defaultdict[int, list[Exchange]] = defaultdict(list)
    for exchange in game:
        if exchange.log is not None:
            turns[exchange.turn].append(exchange)
    return [exchanges for exchanges in turns.values() if exchanges[0].ask == "claims"]


def _graded(seat: ModelSeat, exchanges: Sequence[Exchange]) -> ClaimedTurn:
    """Grade a turn; raises :class:`CluedoError` where its position cannot be read or counted."""
    first = exchanges[0]
    log = _log(first)
    found = findings(log.evidence())
    name = f"{seat.experiment}-{seat.game}-{seat.seat}-{first.turn}"
    where = {"experiment": seat.experiment, "game": seat.game, "deal": seat.deal, "seat": seat.seat}
    exact = exact_answer(Position(difficulty_of(found), log, name), found, {"player": first.player, **where})
    ends = [exchange for exchange in exchanges if exchange.ask == "accusation"]
    after = _log(ends[-1]) if ends else None
    given = _claims((exchange for exchange in exchanges if exchange.ask == "claims"), log)
    if given is not None and after is not None:
        given = replace(given, question=_question(log, after))
    return ClaimedTurn(
        first.player,
        seat,
        first.turn,
        log,
        exact,
        given,
        grade(exact, given),
        None if given is None or given.question is None else exact.best_in(given.question[2]),
        None if after is None else _accusing(ends[-1], after),
    )


def _log(exchange: Exchange) -> CaseLog:
    assert exchange.log is not None, "it says what its seat knew"
    return read_case_log(exchange.log, Board.load)


def _claims(asked: Iterable[Exchange], log: CaseLog) -> GivenAnswer | None:
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


def _accusing(exchange: Exchange, log: CaseLog) -> Accusing | None:
    """What was decided in the end; None if no answer could be taken. Raises :class:`TooManyDeals`."""
    if exchange.said is None or exchange.fault:
        return None
    known, deck = SeatKnowledge(log.evidence(), UNIFORM), log.setting.deck
    if not known.exact or not known.envelopes:
        raise TooManyDeals
    named = named_cards(
        last_object(exchange.said, "cards")["cards"], [deck.names[ids.start : ids.stop] for ids in deck.ids]
    )
    if named is None:
        return Accusing(False, known.certain, known.envelopes[0][1])
    suspect, weapon, room = map(deck.id, named)
    chance = known.chance((suspect, weapon, room))
    return Accusing(True, chance == 1.0, chance)


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
    def games(self) -> Mapping[ModelSeat, list[ClaimedTurn]]:
        """The turns of each game."""
        return _grouped(self.turns, lambda turn: turn.seat)

    @property
    def answered(self) -> Estimate:
        """The share of the turns in which it said what it knows."""
        return clustered_rate(*self._sums(lambda turn: turn.grade.answered, lambda _: True))

    @property
    def found(self) -> Estimate | None:
        """The share that it found of all that could be proved; None if nothing could."""
        found, wanted = self._sums(lambda turn: turn.grade.found, lambda turn: turn.grade.wanted)
        return clustered_rate(found, wanted) if wanted.any() else None

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
        share = self._ratio(
            lambda turn: 0.0 if turn.best_here is None else turn.grade.gain, lambda turn: turn.best_here or 0.0
        )
        return None if share is None else share._replace(high=min(share.high, 1.0))  # NaN stays NaN

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
        """The ratio of two sums, neither below 0, with its interval over deals; None where the second is 0."""
        parts, wholes = self._sums(part, whole)
        if not wholes.sum() > 0:
            return None
        value, low, high = clustered_mean(parts, wholes)
        return Estimate(value, max(low, 0.0), high)  # NaN stays NaN

    def _sums(self, *values: Callable[[ClaimedTurn], float]) -> list[NDArray[Any]]:
        """Some values, summed over the turns of each deal, in whichever experiments it was played."""
        deals = _grouped(self.turns, lambda turn: (turn.seat.seed, turn.seat.deal, turn.seat.players)).values()
        return [np.array([sum(map(value, deal)) for deal in deals]) for value in values]


K = TypeVar("K", bound=Hashable)


def _grouped(turns: Iterable[ClaimedTurn], key: Callable[[ClaimedTurn], K]) -> dict[K, list[ClaimedTurn]]:
    found: dict[K, list[ClaimedTurn]] = {}
    for turn in turns:
        found.setdefault(key(turn), []).append(turn)
    return found


def models_of(turns: Iterable[ClaimedTurn]) -> list[ModelKnowledge]:
    """The models side by side, in the order of their names."""
    by_player = _grouped(turns, lambda turn: turn.player)
    return [ModelKnowledge(player, found) for player, found in sorted(by_player.items())]
