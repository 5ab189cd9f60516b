"""The questions of a turn: each with the commands that answer it, and what is done without an answer.

Players in this process, programs that speak the protocol of bots and those who take the place of either are asked the
same questions, so that they stand here once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from cluedo.engine.codec import place_json
from cluedo.engine.commands import (
    Accusation,
    Command,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import ACCUSE, ASK, MOVE, REFUTE, WALK, State, Step
from cluedo.engine.view import PlayerView

__all__ = ["QUESTIONS", "QUESTIONS_BY_STEP", "TurnQuestion"]


@dataclass(frozen=True, slots=True, eq=False)
class TurnQuestion:
    """A question to the seat that has to act.

    Attributes:
        name: what the protocol of bots calls it.
        what: what is asked for, for messages.
        method: the method of :class:`~cluedo.ai.player.Player` that answers it.
        kinds: the types of answer that fit: commands, and None where doing nothing is an answer.
        steps: the steps of a turn at which it is asked.
        choices: everything that may be chosen, for the view of the seat, as JSON.
        obstacle: why it is not asked at such a step now, or None if it is; no function where it is always asked.
    """

    name: str
    what: Phrase
    method: str
    kinds: tuple[type[Command | None], ...]
    steps: tuple[Step, ...]
    choices: Callable[[PlayerView], dict[str, Any]]
    obstacle: Callable[[State | PlayerView], Phrase | None] | None = None

    def default(self, state: State) -> Command | None:
        """What is done where no answer comes: nothing if that fits, else the first legal command of the last kind."""
        last = self.kinds[-1]
        return next(last.legal(state)) if issubclass(last, Command) else None


# ---- what may be chosen ------------------------------------------------------------------------------


def _moves(view: PlayerView) -> dict[str, Any]:
    board = view.board
    has_passage = SecretPassage.obstacle(view) is None
    return {
        "roll": Roll.obstacle(view) is None,
        "stay": True,
        "secret_passage": board.node(board.passage(view.place)) if has_passage else None,
        "move": [place_json(place, board) for place in view.reach.places],
    }


def _here(view: PlayerView) -> list[str]:
    return [view.deck.names[view.board.room_card(view.place)]]


def _hypotheses(view: PlayerView) -> dict[str, Any]:
    named = view.deck.by_kind | {"rooms": _here(view)}
    return named | ({"not_all_own": True} if view.table.not_all_own else {})


def _cards_to_show(view: PlayerView) -> dict[str, Any]:
    return {"show": view.deck.names_in(ShowCard.choices(view)), "to": view.active}


def _positions(view: PlayerView) -> dict[str, Any]:
    return {"positions": list(range(view.table.pool_size))}


def _accusations(view: PlayerView) -> dict[str, Any]:
    return view.deck.by_kind | ({"rooms": _here(view)} if view.table.accused_here else {})


# ---- the table ---------------------------------------------------------------------------------------

QUESTIONS: Final = (
    TurnQuestion(
        name="peek",
        what=Phrase("a look into the pool or none"),
        method="choose_peek",
        kinds=(Peek, type(None)),
        steps=(ACCUSE,),
        choices=_positions,
        obstacle=Peek.obstacle,
    ),
    TurnQuestion(
        name="move",
        what=Phrase("a move"),
        method="choose_move",
        kinds=(Roll, Move, SecretPassage, Stay),
        steps=(MOVE,),
        choices=_moves,
    ),
    TurnQuestion(
        name="walk",
        what=Phrase("a walk"),
        method="choose_move",
        kinds=(Move, Stay),
        steps=(WALK,),
        choices=_moves,
    ),
    TurnQuestion(
        name="hypothesis",
        what=Phrase("a hypothesis or none"),
        method="choose_hypothesis",
        kinds=(Hypothesis, type(None)),
        steps=(ASK,),
        choices=_hypotheses,
        obstacle=Hypothesis.obstacle,
    ),
    TurnQuestion(
        name="card",
        what=Phrase("a card"),
        method="choose_card",
        kinds=(ShowCard,),
        steps=(REFUTE,),
        choices=_cards_to_show,
    ),
    TurnQuestion(
        name="accusation",
        what=Phrase("an accusation or none"),
        method="choose_accusation",
        kinds=(Accusation, type(None)),
        steps=(ASK, ACCUSE),
        choices=_accusations,
        obstacle=Accusation.obstacle,
    ),
)
"""Every question; of those at the same step, the first that is due comes first."""

QUESTIONS_BY_STEP: Final = tuple([tuple([one for one in QUESTIONS if step in one.steps]) for step in Step])
"""By :class:`~cluedo.engine.state.Step`, what may be asked there, one after another."""
