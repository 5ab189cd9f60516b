"""Positions of played games with exact answers: to pick them, to sort them by difficulty, and to grade answers.

A :class:`Position` is what somebody at a table knows, as a case log. Its :class:`ExactAnswer` says what follows:
what can be proved and from how many facts, the odds of every card, and what each question is expected to tell.
"""

from cluedo.ai.positions.exact import (
    LEAST_DEPTHS,
    ExactAnswer,
    Finding,
    Position,
    difficulty_of,
    exact_answer,
    findings,
    rounded_chance,
)
from cluedo.ai.positions.grading import (
    GivenAnswer,
    Grade,
    answer_json,
    grade,
    read_answer,
    read_answers,
    read_key,
    totals,
)
from cluedo.ai.positions.picking import PickedPosition, Picker

__all__ = [
    "LEAST_DEPTHS",
    "ExactAnswer",
    "Finding",
    "GivenAnswer",
    "Grade",
    "PickedPosition",
    "Picker",
    "Position",
    "answer_json",
    "difficulty_of",
    "exact_answer",
    "findings",
    "grade",
    "read_answer",
    "read_answers",
    "read_key",
    "rounded_chance",
    "totals",
]
