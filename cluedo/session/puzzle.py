"""The puzzle of the day: a position, what has been proved in it so far, hints, and the commands that can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from cluedo.ai.knowledge.reasons import Prover, explain
from cluedo.ai.knowledge.sat import variable
from cluedo.ai.knowledge.sentences import conclusion, deal_in_words
from cluedo.ai.positions import ExactAnswer, Finding, Position
from cluedo.ai.positions.shipped import shipped_pair
from cluedo.engine.cards import Category, Triple
from cluedo.engine.errors import CluedoError
from cluedo.engine.phrase import Phrase
from cluedo.language import in_every_language, number, tr, tr_count
from cluedo.session.case.setup import read_hand, read_pair
from cluedo.session.case.vocabulary import Unclear, fold_text, words_of
from cluedo.session.figures import rounded_percent, titles
from cluedo.session.sections import ReasonLine, Section, Tone, plain
from cluedo.words.narration import as_sentence
from cluedo.words.position_text import position_text

__all__ = ["Puzzle", "answer", "help_lines", "puzzle_of"]

_BY_WEEKDAY: Final = (1, 1, 2, 2, 3, 4, 5)
"""The difficulty by day of the week, Monday first."""
_STEP: Final = 37
"""How far it is from one position of a difficulty to the next, for the number of players to change; a prime."""


def puzzle_of(day: date, board: str) -> Puzzle:
    """The puzzle of a day, with the cards of a board that has as many of each category as `classic`.

    It gets harder from Monday to Sunday, and comes again after about a year or later.
    """
    difficulty = _BY_WEEKDAY[day.weekday()]
    days = [number for number, one in enumerate(_BY_WEEKDAY) if one == difficulty]
    turn = (day.toordinal() - 1) // len(_BY_WEEKDAY) * len(days) + days.index(day.weekday())
    return Puzzle(*shipped_pair(difficulty, turn * _STEP, board))


class Puzzle:
    """A position, and how far somebody has come with it.

    Attributes:
        position, exact: the position and its exact answer.
        evidence: what is known.
        found: what has been proved.
        told: what has been given away by hints, or by the solution.
        mistakes: how many statements were not proved.
        hints: how many were taken.
        over: whether the solution has been told.
    """

    def __init__(self, position: Position, exact: ExactAnswer):
        self.position, self.exact = position, exact
        self.evidence = position.log.evidence()
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
        return titles(self.position.log.setting.places)

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
        """Restore progress in a fresh puzzle; raises CluedoError for invalid progress."""
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

    def claim(self, card: int, place: int, there: bool) -> list[Section]:
        """Say that it is proved that a card is at a place, or is not."""
        if self.status(card, place) is (not there):
            return [plain(tr("The opposite is on the sheet already."))]
        name, where = self.evidence.deck.names[card], self.evidence.place_names[place]
        chance = self.exact.cards[name][where]
        if chance not in (0.0, 1.0):
            self.mistakes += 1
            return self._counterexample(card, place, there)
        if chance != float(there):
            self.mistakes += 1
            return [Section(tr("No: the opposite can be proved."), tone=Tone.GUESS)]
        finding = next((one for one in self.exact.proved if one[:3] == (name, where, there)), None)
        if finding is None:
            return [plain(tr("That is proved, but it is not one of the things to find."))]
        if finding in (*self.found, *self.told):
            return [plain(tr("That is on the sheet already."))]
        self._take(finding, self.found)
        return [Section(tr("Right!"), (self._conclusion(finding), *self._facts(finding)), Tone.PROVED), self._rest()]

    def ask(self, cards: Triple) -> list[Section]:
        """What a question would be worth, compared to the best one."""
        names = [self.evidence.deck.names[card] for card in cards]
        bits = self.exact.gain(names)
        best = self.exact.best[1]
        told = tr(
            "{cards}: on average the answer halves the envelopes {times} times.",
            cards=", ".join(names),
            times=number(bits, ".2f"),
        )
        if best - bits < 0.005:
            return [plain(told), Section(tr("No question tells more."), tone=Tone.PROVED)]
        return [plain(told, tr("The best question halves them {times} times.", times=number(best, ".2f")))]

    def hint(self) -> list[Section]:
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
                return [plain(tr("These are the facts:"), *self._facts(finding))]
            case _:
                self._take(finding, self.told)
                return [plain(self._conclusion(finding)), self._rest()]
        return [plain(told)]

    def solution(self) -> list[Section]:
        """All that can be proved and why, the odds of the rest, and the best question."""
        proofs = [self._proof(finding) for finding in self.exact.proved]
        self.told += self.left
        self.over = True
        return [*proofs, plain(*self._odds())]

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
            "Difficulty {level} of {most}. One thing about the cards follows from what you know: what is it?",
            "Difficulty {level} of {most}. {count} things about the cards follow from what you know: which?",
            wanted,
            level=self.position.difficulty,
            most=max(_BY_WEEKDAY),
        )

    # ---- sentences -------------------------------------------------------------------------------

    def _take(self, finding: Finding, into: list[Finding]) -> None:
        """Note that a proof was found or told; hints start again if they were about it."""
        if finding == self.left[0]:
            self._hinted = 0
        into.append(finding)

    def _rest(self) -> Section:
        """A sentence on what is left to prove."""
        if not self.left:
            return Section(tr("That is all that can be proved. What would you ask now?"), tone=Tone.PROVED)
        return plain(tr_count("One proof is left.", "{count} proofs are left.", len(self.left)))

    def _spot(self, finding: Finding) -> tuple[int, int]:
        return self.evidence.deck.id(finding.card), self.evidence.place_names.index(finding.place)

    def _conclusion(self, finding: Finding) -> str:
        return as_sentence(tr(conclusion(*self._spot(finding), finding.there, self.evidence)))

    def _facts(self, finding: Finding) -> list[str]:
        return [ReasonLine(tr(line)) for line in explain(self.evidence, *self._spot(finding)).reason]

    def _proof(self, finding: Finding) -> Section:
        sign = "✓ " if finding in self.found else ""
        return Section(sign + self._conclusion(finding), tuple(self._facts(finding)), Tone.PROVED)

    def _counterexample(self, card: int, place: int, there: bool) -> list[Section]:
        """The answer to a claim that is not proved: a deal that fits, in which it is wrong."""
        spot = variable(card, place, self.evidence.places)
        deal = Prover(self.evidence).deal([-spot if there else spot])
        assert deal is not None, "it is open"
        otherwise = conclusion(card, place, not there, self.evidence)
        reason = ReasonLine(tr(deal_in_words(self.evidence, deal)))
        title = tr("That is not proved. A deal that fits where {conclusion}:", conclusion=otherwise)
        return [Section(title, (reason,), Tone.GUESS)]

    def _odds(self) -> Iterator[str]:
        exact = self.exact
        cards = ", ".join(exact.likeliest)
        if exact.chance == 1.0:
            yield tr("The envelope is proved: {cards}.", cards=cards)
            return
        yield tr(
            "The likeliest envelope: {cards}, {chance} (every deal that fits counts the same).",
            cards=cards,
            chance=rounded_percent(exact.chance),
        )
        question, bits = exact.best
        yield tr(
            "The best question: {cards}; on average the answer halves the envelopes {times} times, and {all} times "
            "would leave one.",
            cards=", ".join(question),
            times=number(bits, ".2f"),
            all=number(exact.bits, ".2f"),
        )


_COMMANDS: Final = {
    "help": Phrase("help, ?, h"),
    "hint": Phrase("hint"),
    "ask": Phrase("ask, questions"),
    "position": Phrase("position"),
    "solution": Phrase("solution"),
    "quit": Phrase("quit, exit, q"),
}
"""By command, the words for it in English, first the one that is offered; those of all languages are understood."""

_NOT: Final = Phrase("not")
_LONGEST: Final = 400


def answer(puzzle: Puzzle, line: str) -> list[Section] | None:
    """Answer a typed line; None if the user wants to leave. Raises :class:`Unclear` with what would be right."""
    word, _, rest = line[:_LONGEST].strip().partition(" ")
    if not word:
        raise Unclear("nothing was entered")
    meant = {fold_text(name): command for command, names in _COMMANDS.items() for name in words_of(names)}
    match meant.get(fold_text(word)), rest:
        case "quit", _:
            return None
        case "ask", _:
            return puzzle.ask(_three(puzzle, rest))
        case "help", "":
            return help_lines()
        case "hint", "":
            return puzzle.hint()
        case "position", "":
            return [plain(*position_text(puzzle.position.log).splitlines())]
        case "solution", "":
            return puzzle.solution()
    return puzzle.claim(*_statement(puzzle, line[:_LONGEST]))


def help_lines() -> list[Section]:
    """What can be typed."""
    return [
        plain(
            tr("CARD = PLACE: it is proved that the card is there, with a player or in the envelope"),
            tr("CARD not PLACE: it is proved that it is not"),
            tr("ask SUSPECT, WEAPON, ROOM: what would this question tell?"),
            tr("hint: a hint at the easiest proof that is left; again: the next one"),
            tr("position: all that is known, once more"),
            tr("solution: all proofs with their reasons, and the best question"),
            tr("quit: leave"),
            tr("Type only as many letters as tell the names apart."),
        )
    ]


def _statement(puzzle: Puzzle, line: str) -> tuple[int, int, bool]:
    """The card, the place, and whether it is there."""
    nots = "|".join(in_every_language(_NOT))
    card, *place = re.split(rf"!=|≠|\b(?:{nots})\b", line, maxsplit=1, flags=re.IGNORECASE)
    return *read_pair("=".join([card, *place]), puzzle.position.log.setting), not place


def _three(puzzle: Puzzle, text: str) -> Triple:
    """The suspect, the weapon and the room of a question, in any order."""
    board = puzzle.position.log.setting.board
    cards = sorted(map(board.deck.id, read_hand(text, board)))
    if [board.deck.category(card) for card in cards] != list(Category):
        raise Unclear("a question names a suspect, a weapon and a room")
    suspect, weapon, room = cards  # in a deck suspects come before weapons before rooms
    return suspect, weapon, room
