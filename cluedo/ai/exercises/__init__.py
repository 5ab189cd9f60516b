"""Positions of played games with exact answers: to pick them, to sort them by difficulty, and to grade answers.

An :class:`Exercise` is what somebody at a table knows, as a case log. Its :class:`ExactAnswer` says what follows:
what can be proved and from how many facts, the odds of every card, and what each question is expected to tell.
"""

from cluedo.ai.exercises.exact import (
    LEAST_DEPTHS,
    ExactAnswer,
    Exercise,
    Finding,
    difficulty_of,
    exact_answer,
    findings,
    rounded_chance,
)
from cluedo.ai.exercises.grading import (
    GivenAnswer,
    Grade,
    answer_json,
    grade,
    read_answer,
    read_answers,
    read_key,
    totals,
)
from cluedo.ai.exercises.picking import PickedPosition, Picker

__all__ = [
    "LEAST_DEPTHS",
    "ExactAnswer",
    "Exercise",
    "Finding",
    "GivenAnswer",
    "Grade",
    "PickedPosition",
    "Picker",
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
