"""What follows from the entries of a table: proofs, odds, reasons, questions, and when to accuse."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from random import Random

from cluedo.ai.knowledge import CHOICE, Evidence, Explanation, Model, Posterior, Triple, explain
from cluedo.ai.knowledge.gains import best_in_rooms
from cluedo.ai.race import PATIENCE, Standings
from cluedo.ai.travel import turns_from
from cluedo.cli.assist.entries import Setting
from cluedo.cli.findings import Findings, find
from cluedo.engine.cards import Category
from cluedo.engine.entries import Entry
from cluedo.engine.errors import CluedoError
from cluedo.engine.events import Accused
from cluedo.engine.rules import Rules

__all__ = ["Advice", "Insight", "News", "Question", "Standpoint", "news_between"]

_LATER = 0.55
"""What a bit is worth one turn later; the level `expert`, where it was tried out, has the same figure."""
_SEED = 1  # of the deals that judge questions: the same entries always give the same advice


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Where my pawn stands: a place of the board, and the place of the room that it has used up, or -1."""

    place: int
    used: int = -1


@dataclass(frozen=True, slots=True)
class Question:
    """The best hypothesis in a room.

    Attributes:
        cards: suspect, weapon and room.
        bits: what the answer is expected to tell of the envelope, estimated.
        turns: in how many turns of mine I can expect to ask it (1: the next); ``inf`` if never, None if
            nobody knows where my pawn stands.
    """

    cards: Triple
    bits: float
    turns: float | None

    @property
    def worth(self) -> float:
        """The bits, discounted by the turns until they come."""
        return self.bits if self.turns is None else self.bits * _LATER ** (self.turns - 1.0)


@dataclass(frozen=True, slots=True)
class Advice:
    """Whether to accuse in my next turn: if ``probability`` > ``waiting``.

    Attributes:
        cards: the likeliest envelope.
        probability: how likely it is.
        waiting: the chance that nobody else solves the case while I make sure. It is that of `expert`:
            what the others' hypotheses, answered and not, say of each seat's next turn, over
            :data:`~cluedo.ai.race.PATIENCE` rounds.
    """

    cards: Triple
    probability: float
    waiting: float

    @property
    def accuse(self) -> bool:
        """Whether it is time."""
        return self.probability > self.waiting


@dataclass(frozen=True, slots=True)
class News:
    """That a card is at a place (``there``) or is not: proved now and not before, or (``lost``) the reverse."""

    card: int
    place: int
    there: bool
    lost: bool = False


class Insight:
    """What follows from entries that agree. What takes time is found when it is first asked for.

    Attributes:
        setting: the table. ``entries``: what was noted.
        findings: the deals, the odds of every card and envelope.
    """

    def __init__(
        self,
        setting: Setting,
        entries: tuple[Entry, ...],
        evidence: Evidence,
        model: Model = CHOICE,
        standpoint: Standpoint | None = None,
    ):
        self.setting, self.entries = setting, entries
        self.findings: Findings = find(evidence, model, best=0)
        self.standpoint = standpoint
        self._reasons: dict[tuple[int, int], Explanation] = {}

    @property
    def evidence(self) -> Evidence:
        """The facts."""
        return self.findings.evidence

    def status(self, card: int, place: int) -> bool | None:
        """True: proved to be there; False: proved not to be; None: open."""
        chance = self.findings.chances[card][place]
        return None if chance is None or 0.0 < chance < 1.0 else chance == 1.0

    def why(self, card: int, place: int) -> Explanation:
        """Why a card is or is not at a place, or what is open about it."""
        if (card, place) not in self._reasons:
            self._reasons[card, place] = explain(self.evidence, card, place, model=self.findings.model, seconds=0.2)
        return self._reasons[card, place]

    @cached_property
    def questions(self) -> list[Question]:
        """The best question of each room, the most promising first; none for a spectator, or if all is known."""
        findings, setting = self.findings, self.setting
        if setting.me is None or findings.deals is None or len(findings.envelopes) == 1 or self.over:
            return []
        try:
            best = best_in_rooms(Posterior(self.evidence, findings.model), Random(_SEED))
        except (CluedoError, MemoryError):  # more work than the odds
            return []
        turns = self._turns()
        asked = [
            Question(triple, bits, turns[triple[Category.ROOM] - setting.deck.rooms.start] if turns else None)
            for triple, bits in best
        ]
        return sorted(asked, key=lambda question: (-question.worth, question.cards))

    def _turns(self) -> list[float] | None:
        if not self.setting.walks:
            return [1.0] * len(self.setting.deck.rooms)
        if self.standpoint is None:
            return None
        return turns_from(self.setting.board, Rules(), self.standpoint.place, self.standpoint.used)

    @property
    def over(self) -> bool:
        """Whether somebody has accused rightly, or I wrongly: nothing is left for me to ask."""
        heads = [entry.head for entry in self.entries]
        return any(isinstance(head, Accused) and (head.correct or head.seat == self.setting.me) for head in heads)

    @cached_property
    def advice(self) -> Advice | None:
        """The likeliest envelope against waiting; None for a spectator, when the game is over, or uncounted."""
        if self.setting.me is None or self.over or not self.findings.envelopes:
            return None
        cards, probability = self.findings.envelopes[0]
        return Advice(cards, probability, self._safety(self.setting.me) ** PATIENCE if probability < 1.0 else 0.0)

    def _safety(self, me: int) -> float:
        """The chance that nobody else wins in the next round."""
        standings = Standings(len(self.setting.names), sum(self.setting.sizes))
        eliminated = 0
        for entry, after in zip_longest(self.entries, self.entries[1:]):
            if isinstance(entry.head, Accused):
                standings.accusation()
                eliminated |= 1 << entry.by
            else:
                standings.hypothesis(entry.by, entry.cards)
                if entry.refuter is not None:
                    standings.answer()
                if after is not None and isinstance(after.head, Accused) and after.by == entry.by:
                    continue  # the turn is not over yet
            standings.end_turn(entry.by, me)
        return standings.safety(me, eliminated)


def news_between(before: Insight | None, after: Insight) -> list[News]:
    """What is proved after and not before, and the reverse: who holds what, then who does not.

    That a card is not elsewhere goes without saying where it is known where it is.
    """
    fresh: list[News] = []
    for card in range(after.setting.deck.size):
        was = [] if before is None else _known(before, card)
        fresh += [News(card, place, there, lost=True) for place, there in was if after.status(card, place) is None]
        for place, there in _known(after, card):
            if before is None or before.status(card, place) is not there:
                fresh.append(News(card, place, there))
    envelope = after.evidence.envelope
    return sorted(fresh, key=lambda news: (news.lost, not news.there, news.place != envelope, news.card, news.place))


def _known(insight: Insight, card: int) -> list[tuple[int, bool]]:
    """Where a card is, if that is known, else where it is not."""
    known = [(place, insight.status(card, place)) for place in range(insight.evidence.seats + 1)]
    there = [(place, True) for place, status in known if status is True]
    return there or [(place, False) for place, status in known if status is False]
