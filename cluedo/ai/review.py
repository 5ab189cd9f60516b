"""Reviews a game for one seat: its questions, what it learnt from them, when it could have accused, and when it did.

Everything is judged by what the seat knew at the time, and by nothing else: a review is made of the seat's own views.
Odds and bits are exact, by the model `choice` (:mod:`cluedo.ai.knowledge.models`). By it answers tell on average as
many bits as they were expected to; what a single answer tells beyond that is luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cluedo.ai.choosing import rooms_to_ask_in
from cluedo.ai.knowledge.kernels.programme import Floats
from cluedo.ai.knowledge.models import CHOICE
from cluedo.ai.knowledge.posterior import TooManyDeals
from cluedo.ai.knowledge.seat_knowledge import Best, Proof, SeatKnowledge
from cluedo.engine.cards import Category, Deck, Triple
from cluedo.engine.commands import Accusation, Command, EndTurn, Hypothesis, Move, Peek, SecretPassage, Stay
from cluedo.engine.game import Game
from cluedo.engine.state import REFUTE

__all__ = ["AskedQuestion", "Guess", "Review", "TurnReview", "review", "turning_point"]

_NOTHING = 1e-9
"""Bits that are only what rounding leaves of none."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A hypothesis of the seat, compared with the best one in the same room.

    Attributes:
        cards: what was asked.
        expected: the bits about the envelope that it was expected to tell.
        best: what promised most in this room, and how much; never less than ``expected``.
        learnt: the bits that the answer did tell; below 0 where it left more open than before.
        refuted_by: who showed a card, or None.
        card: that card.
    """

    cards: Triple
    expected: float
    best: Best
    learnt: float
    refuted_by: int | None
    card: int | None


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn of any player, and what the seat learnt from it.

    Attributes:
        turn: its number, from 1.
        seat: whose turn it was.
        before, after: the entropy of the envelope before and after the turn, in bits; a right accusation is left out.
        proved: what could be proved after the turn and not before it.
        question: what the seat asked, in its own turn.
        reachable: in its own turn, the best question of all rooms that it could choose from when it moved (after
            the roll, if it rolled), and how much it promised; None where there was no such room.
    """

    turn: int
    seat: int
    before: float
    after: float
    proved: tuple[Proof, ...]
    question: AskedQuestion | None
    reachable: Best | None

    @property
    def learnt(self) -> float:
        """The bits that the turn told the seat."""
        return self.before - self.after


class Guess(NamedTuple):
    """The accusation of the seat: in which turn, how likely it was (1.0 is proof), and whether it was right."""

    turn: int
    cards: Triple
    chance: float
    correct: bool


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game as one seat can judge it.

    Attributes:
        seat: whose review this is.
        turns: every turn, the first one first.
        settled: by category, the turn from whose end on its card in the envelope was proved, or None; 0 is the deal.
        accusation: the seat's accusation, or None.
        earliest: the first turn of its own in which it could have accused with proof, or None.
    """

    seat: int
    turns: tuple[TurnReview, ...]
    settled: tuple[int | None, int | None, int | None]
    accusation: Guess | None
    earliest: int | None

    @property
    def questions(self) -> list[AskedQuestion]:
        """What the seat asked."""
        return [turn.question for turn in self.turns if turn.question is not None]

    @property
    def certain(self) -> int | None:
        """The turn at whose end the whole envelope was proved first, or None."""
        turns = [turn for turn in self.settled if turn is not None]
        return max(turns) if len(turns) == len(Category) else None

    @property
    def expected(self) -> float:
        """The bits that the questions asked promised."""
        return sum(question.expected for question in self.questions)

    @property
    def best(self) -> float:
        """The bits that the best questions in the same rooms promised."""
        return sum(question.best.bits for question in self.questions)

    @property
    def learnt(self) -> float:
        """The bits that the answers told."""
        return sum(question.learnt for question in self.questions)

    @property
    def luck(self) -> float:
        """The bits that the answers told beyond what the questions promised."""
        return self.learnt - self.expected

    @property
    def heard(self) -> float:
        """The bits learnt from others' questions and from wrong accusations: all but its own questions."""
        return sum(turn.learnt for turn in self.turns) - self.learnt

    @property
    def missed(self) -> float:
        """The bits by which the best room within reach promised more than the one asked in, over the whole game."""
        return sum(
            turn.reachable.bits - (turn.question.best.bits if turn.question else 0.0)
            for turn in self.turns
            if turn.reachable is not None
        )

    @property
    def turning(self) -> int | None:
        """The turning point: the turn in which the seat learnt most (the first of equals), if it learnt anything."""
        best = max(self.turns, key=lambda turn: turn.learnt, default=None)
        return None if best is None or best.learnt < _NOTHING else best.turn

    def to_json(self, deck: Deck, names: Sequence[str]) -> dict[str, Any]:
        """The review as JSON; ``names`` are the names of the places, the seats first."""
        return {
            "seat": names[self.seat],
            "certain": self.certain,
            "settled": {category.name.lower(): self.settled[category] for category in Category},
            "earliest": self.earliest,
            "accusation": self.accusation
            and self.accusation._asdict() | {"cards": _named(deck, self.accusation.cards)},
            "turning": self.turning,
            "asked": len(self.questions),
            "bits": {
                name: _rounded(getattr(self, name))
                for name in ("expected", "best", "learnt", "luck", "heard", "missed")
            },
            "turns": [_turn_json(turn, deck, names) for turn in self.turns],
        }


def review(game: Game, seat: int) -> Review:
    """Review a game, finished or not, as a seat saw it.

    Raises:
        TooManyDeals: the deals that fit what the seat knew are too many to count.
    """
    reviewer = _Reviewer(game, seat)
    commands: list[Command] = []
    for command in game.commands:
        commands.append(command)
        if isinstance(command, EndTurn):
            reviewer.take_turn(commands)
            commands = []
    if commands:
        reviewer.take_turn(commands)
    return reviewer.finish()


def turning_point(game: Game, bits: Floats) -> int | None:
    """When the winner took the lead for good: the first turn after which nobody in play ever knew more.

    Args:
        game: a game; without a winner it has no such turn.
        bits: by turn and seat, what was unknown, as :func:`cluedo.ai.knowledge.seat_knowledge.uncertainty` gives it.

    Returns:
        The turn (0: from the deal on), or None where somebody knew more than the winner at the end, too.
    """
    winner = game.state.winner
    if winner is None:
        return None
    others = [seat for seat in range(game.table.seats) if seat != winner and not game.state.eliminated >> seat & 1]
    if not others:
        return None
    behind = np.flatnonzero(bits[:, winner] > bits[:, others].min(axis=1) + _NOTHING)
    lead = int(behind[-1]) + 1 if len(behind) else 0
    return lead if lead < len(bits) else None


class _Reviewer:
    """Plays a game again, turn by turn, and takes notes for one seat."""

    def __init__(self, game: Game, seat: int):
        self._game = game.at_deal()
        self._seat = seat
        self._known = SeatKnowledge.of(self._game.view(seat), CHOICE)
        self._turns: list[TurnReview] = []
        self._settled: list[int | None] = [None] * len(Category)
        self._accusation: Guess | None = None
        self._earliest: int | None = None
        self._note_settled(0)

    def take_turn(self, commands: Sequence[Command]) -> None:
        """Play a turn, the last one perhaps in part, and note what the seat makes of it."""
        state = self._game.state
        turn, seat = state.turn, state.active
        before, proved = self._unknown(), self._known.proofs
        question = reachable = None
        if seat == self._seat:
            question, reachable = self._take_own(commands)
        else:
            for command in commands:
                self._do(command)
        self._note_settled(turn)
        new = sorted(self._known.proofs - proved)
        self._turns.append(TurnReview(turn, seat, before, self._unknown(), tuple(new), question, reachable))

    def finish(self) -> Review:
        """The review of all that was taken."""
        suspect, weapon, room = self._settled
        return Review(self._seat, tuple(self._turns), (suspect, weapon, room), self._accusation, self._earliest)

    def _take_own(self, commands: Sequence[Command]) -> tuple[AskedQuestion | None, Best | None]:
        """Play a turn of the seat's own: its question, and the best that it could have asked."""
        question = reachable = None
        posed: tuple[Triple, float, Best, float] | None = None
        for command in commands:
            if posed is not None and self._answered(command):
                question, posed = self._asked_question(*posed), None
            match command:
                case Move() | SecretPassage() | Stay():
                    reachable = self._best_within_reach()
                case Hypothesis():
                    best = self._best_here(command.cards)
                    posed = command.cards, self._known.gain(command.cards), best, self._unknown()
                case Accusation() | EndTurn():
                    self._note_end(command)
            self._do(command)
        if posed is not None and self._answered(None):
            question = self._asked_question(*posed)
        if question is not None and reachable is not None and reachable.bits < question.best.bits:
            reachable = question.best
        return question, reachable

    def _answered(self, following: Command | None) -> bool:
        """Whether all that belongs to an answer was seen: a look into the pool does, where it follows (rule 15)."""
        return self._game.state.step is not REFUTE and not isinstance(following, Peek)

    def _do(self, command: Command) -> None:
        """Do a command, and let the seat see it; a solution that is revealed does not count as deduced."""
        self._game.execute(command)
        if self._game.state.winner is None:
            self._known.read(self._game.view(self._seat))

    def _best_within_reach(self) -> Best | None:
        rooms = rooms_to_ask_in(self._game.view(self._seat))
        return self._known.best(rooms=rooms)[0] if rooms and not self._known.certain else None

    def _best_here(self, asked: Triple) -> Best:
        if self._known.certain:
            return Best(asked, 0.0)
        return self._known.best(rooms=[asked[Category.ROOM]], also=[asked])[0]

    def _asked_question(self, cards: Triple, expected: float, best: Best, before: float) -> AskedQuestion:
        view = self._game.view(self._seat)
        return AskedQuestion(cards, expected, best, before - self._unknown(), view.refuted_by, view.card_shown)

    def _note_end(self, command: Accusation | EndTurn) -> None:
        """At the end of a turn one may accuse."""
        turn = self._game.state.turn
        if self._earliest is None and self._accusation is None and self._may_accuse_with_proof():
            self._earliest = turn
        if isinstance(command, Accusation):
            chance = self._known.chance(command.cards)
            self._accusation = Guess(turn, command.cards, chance, command.cards == self._game.state.deal.envelope)

    def _may_accuse_with_proof(self) -> bool:
        suspect, weapon, room = self._known.settled
        if suspect is None or weapon is None or room is None:
            return False
        return Accusation(suspect, weapon, room).why_not(self._game.state) is None

    def _note_settled(self, turn: int) -> None:
        for category, card in zip(Category, self._known.settled, strict=True):
            if self._settled[category] is None and card is not None:
                self._settled[category] = turn

    def _unknown(self) -> float:
        """The uncertainty now, in bits."""
        if self._known.bits is None:
            raise TooManyDeals
        return self._known.bits


def _turn_json(turn: TurnReview, deck: Deck, names: Sequence[str]) -> dict[str, Any]:
    question, reachable = turn.question, turn.reachable
    return {
        "turn": turn.turn,
        "seat": names[turn.seat],
        "before": _rounded(turn.before),
        "after": _rounded(turn.after),
        "proved": [[deck.names[proof.card], names[proof.place], proof.there] for proof in turn.proved],
        "question": question
        and {
            "cards": _named(deck, question.cards),
            "expected": _rounded(question.expected),
            "best": _best_json(question.best, deck),
            "learnt": _rounded(question.learnt),
            "refuted_by": None if question.refuted_by is None else names[question.refuted_by],
            "card": None if question.card is None else deck.names[question.card],
        },
        "reachable": reachable and _best_json(reachable, deck),
    }


def _best_json(best: Best, deck: Deck) -> dict[str, Any]:
    return {"cards": _named(deck, best.cards), "bits": _rounded(best.bits)}


def _named(deck: Deck, cards: Triple) -> list[str]:
    return [deck.names[card] for card in cards]


def _rounded(bits: float) -> float:
    return round(bits, 6) + 0.0  # not -0.0
