"""All tools of an assistant; here are those of the public test set."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from cluedo.agents.case_tools import Enter, Odds, OpenCase, Proofs, Questions
from cluedo.agents.forms import Answer, Name, ToolForm
from cluedo.agents.game_tools import Act, GameNews, Hint, NewGame
from cluedo.agents.storage import Storage
from cluedo.ai.exercises import grade, read_answer
from cluedo.engine.errors import CluedoError
from cluedo.words.exercise_text import position_text

__all__ = ["TOOLS"]


class SetPosition(ToolForm):
    """A position of the public test set, to be answered by grade: what can be proved, the odds, the best question."""

    tool = "position"
    reads = True
    number: int = Field(1, ge=1, description="Which one, from 1; there are 500, or some 100 of a difficulty.")
    difficulty: int | None = Field(None, ge=0, le=5, description="0 has nothing to prove, 5 needs 13 facts or more.")

    def answer(self, storage: Storage) -> Answer:
        listed = [one for one in storage.positions if self.difficulty in (None, one.difficulty)]
        if self.number > len(listed):
            raise CluedoError("there are {count} such positions", count=len(listed))
        one = listed[self.number - 1]
        return {"id": one.id, "difficulty": one.difficulty, "text": position_text(one.log)}


class GradeAnswer(ToolForm):
    """Grade an answer to a position against the exact one: proofs found and wrong, bits lost by odds and question."""

    tool = "grade"
    reads = True
    id: Name = Field(description="The position's.")
    proved: list[tuple[Name, Name, bool]] = Field(
        [],
        max_length=500,
        description='What is certain and was not shown: card, player or "envelope", true if it is there, else false.',
    )
    envelope: dict[Name, float] | None = Field(
        None, description="By card, the probability that it is in the envelope, every deal that fits counting alike."
    )
    question: tuple[Name, Name, Name] | None = Field(
        None, description="The suspect, weapon and room whose answer would tell most about the envelope."
    )

    def answer(self, storage: Storage) -> Answer:
        _, given = read_answer(self.model_dump_json().encode(), storage.key)
        return grade(storage.key[self.id], given).to_json()


TOOLS: Final[dict[str, type[ToolForm]]] = {
    kind.tool: kind
    for kind in (OpenCase, Enter, Proofs, Odds, Questions, NewGame, GameNews, Act, Hint, SetPosition, GradeAnswer)
}
"""By name."""
