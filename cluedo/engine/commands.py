"""The commands: everything that a seat can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cluedo.engine import events
from cluedo.engine.base_command import Command, cached_events, not_now
from cluedo.engine.card_commands import Accusation, Hypothesis, Peek, ShowCard, all_own
from cluedo.engine.events import Event
from cluedo.engine.move_commands import Move, Roll, SecretPassage, Stay
from cluedo.engine.phrase import Phrase
from cluedo.engine.state import ACCUSE, ASK, END, OVER, State

if TYPE_CHECKING:  # a view lists its commands, so it comes after this module
    from cluedo.engine.view import PlayerView

__all__ = [
    "COMMANDS",
    "Accusation",
    "Command",
    "EndTurn",
    "Hypothesis",
    "Move",
    "Peek",
    "Roll",
    "SecretPassage",
    "ShowCard",
    "Stay",
    "all_own",
    "legal",
]

_turn_ended = cached_events(events.TurnEnded)


@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    """End one's turn."""

    intent = Phrase("the end of the turn")
    word = "end_turn"

    @classmethod
    def obstacle(cls, situation: State | PlayerView) -> Phrase | None:
        step = situation.step
        return None if step is ACCUSE or step is ASK or step is END else not_now(cls.intent, situation.step)

    why_not = obstacle

    def apply(self, state: State) -> tuple[Event, ...]:
        seat, seats, eliminated = state.active, len(state.used), state.eliminated
        left = seats - eliminated.bit_count()
        if not left or (left == 1 and state.table.rules.last_wins):
            state.reason, state.step = "unsolved", OVER
            if left:
                state.winner = (~eliminated & (1 << seats) - 1).bit_length() - 1
        elif state.turn >= state.table.max_turns:
            state.reason, state.step = "unfinished", OVER
        else:
            following = (seat + 1) % seats
            while eliminated and eliminated >> following & 1:
                following = (following + 1) % seats
            state.begin_turn(following)
        return _turn_ended(seat)


COMMANDS: tuple[type[Command], ...] = (
    Roll,
    Move,
    SecretPassage,
    Stay,
    Hypothesis,
    ShowCard,
    Peek,
    Accusation,
    EndTurn,
)
"""Every kind of command, in the order in which a turn meets them."""


def legal(situation: State | PlayerView) -> list[Command]:
    """Every command that the seat to act may give now."""
    return [command for kind in COMMANDS for command in kind.legal(situation)]
