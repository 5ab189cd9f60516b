"""The puzzle of the day: one position of the test set, what somebody has proved of it, and hints one by one.

Faces hand over what is claimed or asked for and say what comes back. Nothing is counted here: what can be proved,
the odds and the worth of questions come with the position; reasons are found when they are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from cluedo.ai.exercises import ExactAnswer, Exercise, Finding
from cluedo.ai.exercises.shipped import shipped_pair
from cluedo.ai.knowledge.cores import Prover
from cluedo.ai.knowledge.encoding import variable
from cluedo.ai.knowledge.reasons import explain
from cluedo.ai.knowledge.sentences import conclusion, deal_in_words
from cluedo.engine.cards import Triple
from cluedo.engine.errors import CluedoError
from cluedo.language import number, tr, tr_count
from cluedo.session.case.findings import ASIDE
from cluedo.session.case.interpreter import ReplyLine, Tone
from cluedo.session.case.places import titles
from cluedo.session.figures import percent
from cluedo.session.narration import as_sentence

__all__ = ["Puzzle", "puzzle_of"]

_LEVELS: Final = (1, 1, 2, 2, 3, 4, 5)
"""By day of the week, Monday first."""
_STEP: Final = 37
"""How far it is from one position of a level to the next, for the number of players to change; a prime."""


def puzzle_of(day: date, board: str) -> Puzzle:
    """The puzzle of a day, with the cards of a board that has as many of each category as `classic`.

    It gets harder from Monday to Sunday, and comes again after about a year or later.
    """
    level = _LEVELS[day.weekday()]
    days = [number for number, one in enumerate(_LEVELS) if one == level]
    turn = (day.toordinal() - 1) // len(_LEVELS) * len(days) + days.index(day.weekday())
    return Puzzle(*shipped_pair(level, turn * _STEP, board))


class Puzzle:
    """A position, and how far somebody has come with it.

    Attributes:
        exercise, exact: the position and its exact answer.
        evidence: what is known.
        found: what has been proved.
        told: what has been given away by hints, or by the solution.
        mistakes: how many statements were not proved.
        hints: how many were taken.
        over: whether the solution has been told.
    """

    def __init__(self, exercise: Exercise, exact: ExactAnswer):
        self.exercise, self.exact = exercise, exact
        self.evidence = exercise.log.evidence()
        self.found: list[Finding] = []
        self.told: list[Finding] = []
        self.mistakes = 0
        self.hints = 0
        self.over = False
        self._hinted = 0

    @property
    def left(self) -> list[Finding]:
        """What is still to be proved, the easiest first."""
        return [finding for finding in self.exact.proved if finding not in (*self.found, *self.told)]

    @property
    def places(self) -> list[str]:
        """The names of the places, the envelope last, as they are called in the language spoken."""
        return titles(self.exercise.log.setting.places)

    def status(self, card: int, place: int) -> bool | None:
        """What the sheet shows of a card and a place: what a single fact says, and what was proved or told."""
        evidence = self.evidence
        for finding in (*self.found, *self.told):
            its_card, its_place = self._spot(finding)
            if its_card == card and (finding.there or its_place == place):
                return finding.there and its_place == place
            alike = evidence.deck.category(its_card) is evidence.deck.category(card)
            if finding.there and alike and its_place == place == evidence.envelope:
                return False
        if evidence.has[place] >> card & 1:
            return True
        return None if evidence.may[place] >> card & 1 else False

    # ---- how far somebody has come -----------------------------------------------------------------

    def progress(self) -> dict[str, Any]:
        """How far somebody has come, as JSON for :meth:`go_on`: ``found`` and ``told`` are numbers of proofs."""
        return {
            "found": list(map(self.exact.proved.index, self.found)),
            "told": list(map(self.exact.proved.index, self.told)),
            "mistakes": self.mistakes,
            "hints": self.hints,
            "hinted": self._hinted,
            "over": self.over,
        }

    def go_on(self, progress: Mapping[str, Any]) -> None:
        """Take up a fresh puzzle where somebody left it; raises CluedoError for what no puzzle has said."""
        proved = self.exact.proved
        found, told = progress.get("found", []), progress.get("told", [])
        counts = [progress.get(name, 0) for name in ("mistakes", "hints", "hinted")]
        lists = isinstance(found, list) and isinstance(told, list)
        numbers = [*found, *told] if lists else []
        if (
            not lists
            or not all(type(number) is int for number in [*numbers, *counts])
            or not all(0 <= number < len(proved) for number in numbers)
            or len(set(numbers)) < len(numbers)
            or min(counts) < 0
        ):
            raise CluedoError("nobody can have got this far in this puzzle")
        self.found = [proved[number] for number in found]
        self.told = [proved[number] for number in told]
        self.mistakes, self.hints, self._hinted = counts
        self.over = progress.get("over") is True

    # ---- what one may do -------------------------------------------------------------------------

    def claim(self, card: int, place: int, there: bool) -> list[ReplyLine]:
        """Say that it is proved that a card is at a place, or is not."""
        name, where = self.evidence.deck.names[card], self.evidence.place_names[place]
        chance = self.exact.cards[name][where]
        if chance not in (0.0, 1.0):
            self.mistakes += 1
            return self._doubted(card, place, there)
        if chance != float(there):
            self.mistakes += 1
            return [ReplyLine(tr("No: the opposite can be proved."), Tone.GUESS)]
        finding = next((one for one in self.exact.proved if one[:3] == (name, where, there)), None)
        if finding is None:
            return [ReplyLine(tr("That is proved, but it is not one of the things to find."))]
        if finding in (*self.found, *self.told):
            return [ReplyLine(tr("That is on the sheet already."))]
        self._take(finding, self.found)
        return [ReplyLine(tr("Right!"), Tone.PROVED), *self._reason(finding), self._rest()]

    def ask(self, cards: Triple) -> list[ReplyLine]:
        """What a question would be worth, compared to the best one."""
        names = [self.evidence.deck.names[card] for card in cards]
        bits = self.exact.gain(names)
        best = self.exact.best[1]
        told = tr("{cards}: the answer tells {bits} bits on average.", cards=", ".join(names), bits=number(bits, ".2f"))
        if best - bits < 0.005:
            return [ReplyLine(told), ReplyLine(tr("No question tells more."), Tone.PROVED)]
        return [ReplyLine(told), ReplyLine(tr("The best question tells {bits}.", bits=number(best, ".2f")))]

    def hint(self) -> list[ReplyLine]:
        """The next hint at the easiest proof that is left: how many facts, which card, which facts, the proof."""
        if not self.left:
            return [self._rest()]
        finding = self.left[0]
        self.hints += 1
        self._hinted += 1
        match self._hinted:
            case 1:
                told = tr("There is a proof from {facts} facts.", facts=finding.depth)
            case 2:
                told = tr("It is about {card}.", card=finding.card)
            case 3:
                return [ReplyLine(tr("These are the facts:")), *self._facts(finding)]
            case _:
                self._take(finding, self.told)
                return [ReplyLine(self._conclusion(finding)), self._rest()]
        return [ReplyLine(told)]

    def solution(self) -> list[ReplyLine]:
        """All that can be proved and why, the odds of the rest, and the best question."""
        lines = [line for finding in self.exact.proved for line in self._proof(finding)]
        self.told += self.left
        self.over = True
        return [*lines, *map(ReplyLine, self._odds())]

    def score(self) -> str:
        """How it went, in a sentence."""
        return tr(
            "{found} of {wanted} proved; {mistakes}; {hints}.",
            found=len(self.found),
            wanted=len(self.exact.proved),
            mistakes=tr_count("{count} wrong statement", "{count} wrong statements", self.mistakes),
            hints=tr_count("{count} hint", "{count} hints", self.hints),
        )

    def task(self) -> str:
        """What is to be done, in a sentence or two."""
        wanted = len(self.exact.proved)
        return tr_count(
            "Level {level}. One thing can be proved that nobody was shown: what is it?",
            "Level {level}. {count} things can be proved that nobody was shown: which?",
            wanted,
            level=self.exercise.level,
        )

    # ---- sentences -------------------------------------------------------------------------------

    def _take(self, finding: Finding, into: list[Finding]) -> None:
        """Note that one is found or told; hints begin anew where they were about it."""
        if finding == self.left[0]:
            self._hinted = 0
        into.append(finding)

    def _rest(self) -> ReplyLine:
        """How much there is left."""
        if not self.left:
            return ReplyLine(tr("That is all that can be proved. What would you ask now?"), Tone.PROVED)
        return ReplyLine(tr_count("One proof is left.", "{count} proofs are left.", len(self.left)))

    def _spot(self, finding: Finding) -> tuple[int, int]:
        return self.evidence.deck.id(finding.card), self.evidence.place_names.index(finding.place)

    def _conclusion(self, finding: Finding) -> str:
        return as_sentence(tr(conclusion(*self._spot(finding), finding.there, self.evidence)))

    def _facts(self, finding: Finding) -> list[ReplyLine]:
        lines = explain(self.evidence, *self._spot(finding)).lines
        return [ReplyLine(f"{ASIDE}{tr(line)}") for line in lines[:-2]]  # without conclusion and remark

    def _proof(self, finding: Finding) -> Iterator[ReplyLine]:
        sign = "✓ " if finding in self.found else ""
        yield ReplyLine(sign + self._conclusion(finding), Tone.PROVED)
        yield from self._facts(finding)

    def _reason(self, finding: Finding) -> Sequence[ReplyLine]:
        return [ReplyLine(self._conclusion(finding)), *self._facts(finding)]

    def _doubted(self, card: int, place: int, there: bool) -> list[ReplyLine]:
        """That it is open, with a deal that fits where it is otherwise."""
        spot = variable(card, place, self.evidence.places)
        with Prover(self.evidence) as prover:
            deal = prover.deal([-spot if there else spot])
        assert deal is not None, "it is open"
        otherwise = conclusion(card, place, not there, self.evidence)
        told = tr(deal_in_words(self.evidence, deal))
        return [
            ReplyLine(tr("That is not proved. A deal that fits where {conclusion}:", conclusion=otherwise), Tone.GUESS),
            ReplyLine(f"{ASIDE}{told}"),
        ]

    def _odds(self) -> Iterator[str]:
        exact = self.exact
        cards = ", ".join(exact.likeliest)
        if exact.chance == 1.0:
            yield tr("The envelope is proved: {cards}.", cards=cards)
            return
        yield tr(
            "The likeliest envelope: {cards}, {chance} (every deal that fits counts the same).",
            cards=cards,
            chance=percent(exact.chance),
        )
        question, bits = exact.best
        yield tr(
            "The best question: {cards}; the answer tells {bits} of {unknown} bits on average.",
            cards=", ".join(question),
            bits=number(bits, ".2f"),
            unknown=number(exact.bits, ".2f"),
        )
