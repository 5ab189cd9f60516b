"""Scores answers to positions by comparing them with the exact answers.

Every position counts, answered or not: where nothing is said, nothing is proved, the odds are even over all cards of
a category, and no question is asked. So nothing is won by leaving out what is hard.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, StrictBool, StrictStr

from cluedo.ai.positions.exact import ExactAnswer
from cluedo.engine.cards import closest, meant
from cluedo.engine.errors import CluedoError
from cluedo.engine.file_io import json_object
from cluedo.engine.phrase import Phrase
from cluedo.engine.validation import FileForm, validated

__all__ = [
    "GivenAnswer",
    "Grade",
    "answer_json",
    "grade",
    "read_answer",
    "read_answers",
    "read_key",
    "rounded",
    "totals",
]

_LEAST: Final = 0.001
"""A probability below it and the exact one is taken for the smaller of the two: a card that was ruled out wrongly costs
ten bits, not infinitely many, and one that was ruled out rightly costs nothing."""
_DIGITS = 4
_COUNTS: Final = ("answered", "complete", "found", "wanted", "wrong")
_BITS: Final = ("log_score", "odds_lost", "question_lost")
"""What totals add up, and what they take the mean of."""


def _or_empty(value: Any) -> Any:
    return () if value is None else value


class _AnswerLine(FileForm):
    id: StrictStr
    proved: Annotated[tuple[tuple[StrictStr, StrictStr, StrictBool], ...], BeforeValidator(_or_empty)] = ()
    envelope: dict[StrictStr, Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False, strict=True)]] | None = None
    question: tuple[StrictStr, StrictStr, StrictStr] | None = None
    comment: Any = None


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What somebody says of a position, all names as the key has them.

    Attributes:
        proved: by card and place, whether they say that it is proved to be there, or not to be.
        envelope: by card, how likely they think that it is in the envelope; None if they do not say.
        question: what they would ask, or None.
    """

    proved: Mapping[tuple[str, str], bool]
    envelope: Mapping[str, float] | None
    question: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Grade:
    """The score of one position.

    Attributes:
        id: the name of the position.
        difficulty: its difficulty; ``level`` in JSON.
        answered: whether anything was said of it.
        found: how many proofs were found.
        wanted: how many there are.
        wrong: how many statements are not proved.
        refuted: how many of those are proved to be false.
        log_score: the bits of the expected log score of the odds: the sum over the categories of the mean of
            log2 q(card in the envelope) over all deals that fit.
        best_score: that score of the exact odds, which is the best possible.
        gain: the bits that the question asked is expected to tell.
        best_gain: those of the best question.
    """

    id: str
    difficulty: int
    answered: bool
    found: int
    wanted: int
    wrong: int
    refuted: int
    log_score: float
    best_score: float
    gain: float
    best_gain: float

    @property
    def complete(self) -> bool:
        """Whether all proofs were found, and nothing else was said to be proved."""
        return self.answered and self.found == self.wanted and not self.wrong

    @property
    def odds_lost(self) -> float:
        """The bits that the log score is below the best possible one."""
        return self.best_score - self.log_score

    @property
    def question_lost(self) -> float:
        """The bits that the best question is expected to tell beyond the given one."""
        return self.best_gain - self.gain

    def to_json(self) -> dict[str, Any]:
        """The score as an object."""
        return {
            "id": self.id,
            "level": self.difficulty,
            "answered": self.answered,
            "found": self.found,
            "wanted": self.wanted,
            "wrong": self.wrong,
            "refuted": self.refuted,
            "complete": self.complete,
            "log_score": rounded(self.log_score),
            "odds_lost": rounded(self.odds_lost),
            "gain": rounded(self.gain),
            "question_lost": rounded(self.question_lost),
        }


def grade(exact: ExactAnswer, given: GivenAnswer | None) -> Grade:
    """Score an answer, or none."""
    said = given or GivenAnswer({}, None)
    truth = {spot: exact.cards[spot[0]][spot[1]] for spot in said.proved}
    wrong = [spot for spot, there in said.proved.items() if truth[spot] != float(there)]
    scores = [_log_scores(exact, names, said.envelope or {}) for names in exact.deck]
    return Grade(
        exact.id,
        exact.difficulty,
        given is not None,
        sum(said.proved.get((finding.card, finding.place)) is finding.there for finding in exact.proved),
        len(exact.proved),
        len(wrong),
        sum(truth[spot] in (0.0, 1.0) for spot in wrong),
        math.fsum(score for score, _ in scores),
        math.fsum(best for _, best in scores),
        0.0 if said.question is None else exact.gain(said.question),
        exact.best[1],
    )


def totals(grades: Sequence[Grade]) -> dict[str, float]:
    """What some grades, one at least, come to: how many there are, the sums of counts, and the means of bits."""
    counts = {name: sum(getattr(one, name) for one in grades) for name in _COUNTS}
    means = {name: math.fsum(getattr(one, name) for one in grades) / len(grades) for name in _BITS}
    return {"positions": len(grades), **counts, **means}


def _log_scores(exact: ExactAnswer, names: Sequence[str], said: Mapping[str, float]) -> tuple[float, float]:
    """For one category, the expected log scores of the given and of the exact odds, in bits."""
    p = _scale([exact.cards[name]["envelope"] for name in names])
    given = _shares(names, said)
    q = _scale([max(share, min(truth, _LEAST)) for share, truth in zip(given, p, strict=True)])
    score = math.fsum(truth * math.log2(share) for truth, share in zip(p, q, strict=True) if truth)
    return score, math.fsum(truth * math.log2(truth) for truth in p if truth)


def _shares(names: Sequence[str], said: Mapping[str, float]) -> list[float]:
    """The given odds of a category's cards, scaled to sum 1; cards left out share the rest evenly."""
    total = math.fsum(said.get(name, 0.0) for name in names)
    left_out = sum(name not in said for name in names)
    rest = max(1.0 - total, 0.0) / left_out if left_out else 0.0
    shares = [said.get(name, rest) for name in names]
    return _scale(shares) if any(shares) else [1.0 / len(names)] * len(names)


def _scale(shares: Sequence[float]) -> list[float]:
    total = math.fsum(shares)
    return [share / total for share in shares]


# ---- files ---------------------------------------------------------------------------------------


def read_answers(
    text: bytes, key: Mapping[str, ExactAnswer], unreadable: Callable[[CluedoError], None] | None = None
) -> dict[str, GivenAnswer]:
    """The answers of a file, by position: JSON Lines; empty lines are ignored.

    Args:
        text: the file.
        key: the exact answers, by position.
        unreadable: called with the error for a line that is no answer; the line is then left out.

    Raises:
        CluedoError: a line that is no answer, with its number, unless ``unreadable`` is given.
    """
    found: dict[str, GivenAnswer] = {}
    for number, line in _lines(text):
        try:
            name, given = read_answer(line, key)
            if name in found:
                raise CluedoError("position {name} is answered a second time", name=name)  # noqa: TRY301
        except CluedoError as error:
            fault = CluedoError("line {number}: {error}", number=number, error=error)
            if unreadable is None:
                raise fault from None
            unreadable(fault)
        else:
            found[name] = given
    return found


def read_key(text: bytes) -> list[ExactAnswer]:
    """The exact answers of a file that ``cluedo positions --key`` has written; raises CluedoError."""
    found = []
    for number, line in _lines(text):
        try:
            found.append(ExactAnswer.from_json(json.loads(line)))
        except (KeyError, RecursionError, ValueError):
            raise CluedoError("line {number}: no exact answer, as cluedo positions writes it", number=number) from None
    if not found:
        raise CluedoError("it holds no exact answers")
    return found


def _lines(text: bytes) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def read_answer(line: bytes, key: Mapping[str, ExactAnswer]) -> tuple[str, GivenAnswer]:
    """The position that a line answers, and the answer; raises CluedoError for a line that is none."""
    data = json_object(line, Phrase("an answer"))
    if {"text", "log"} <= data.keys():
        raise CluedoError("this is a position, not the answer to one")
    form = validated(_AnswerLine, data)
    exact = key.get(form.id)
    if exact is None:
        raise CluedoError("there is no position {name}", name=form.id)
    cards, places = exact.cards, next(iter(exact.cards.values()))
    proved: dict[tuple[str, str], bool] = {}
    for said_card, said_place, there in form.proved:
        spot = _named(said_card, cards), _named(said_place, places)
        if proved.setdefault(spot, there) is not there:
            raise CluedoError("it says both that {card} is at {place} and that it is not", card=spot[0], place=spot[1])
    envelope = None if form.envelope is None else {_named(name, cards): p for name, p in form.envelope.items()}
    question = None
    if form.question is not None:
        question = tuple(_named(name, names) for name, names in zip(form.question, exact.deck, strict=True))
    return form.id, GivenAnswer(proved, envelope, question)


def answer_json(name: str, given: GivenAnswer) -> dict[str, Any]:
    """The answer to a position of this name, as :func:`read_answer` reads it."""
    proved = [[card, place, there] for (card, place), there in given.proved.items()]
    envelope = None if given.envelope is None else dict(given.envelope)
    return {"id": name, "proved": proved, "envelope": envelope, "question": given.question}


def _named(said: str, known: Collection[str]) -> str:
    """The known name that is meant; raises CluedoError."""
    name = meant(said, known)
    if name is None:
        raise CluedoError("{said!r} is not known here; {closest}", said=said, closest=closest(said, known))
    return name


def rounded(value: float) -> float:
    """A count, or bits as JSON has them."""
    return round(value, _DIGITS) + 0  # not -0.0
