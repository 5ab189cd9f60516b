"""What a person may do now, as plain data for terminal, screens and pages.

There are no rules here: the view says what is legal, and this module offers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from cluedo.ai.choosing import may_ask_here, new_peek
from cluedo.engine.cards import bits
from cluedo.engine.commands import (
    Accusation,
    Command,
    EndTurn,
    Hypothesis,
    Move,
    Peek,
    Roll,
    SecretPassage,
    ShowCard,
    Stay,
)
from cluedo.engine.state import ASK, END, MOVE, REFUTE, WALK
from cluedo.engine.view import PlayerView
from cluedo.language import tr, tr_you
from cluedo.words.narration import place_name

__all__ = [
    "Action",
    "CardChoice",
    "Offer",
    "PersonCommand",
    "TakeBack",
    "offer",
    "shut_in",
    "stands_at",
    "waiting_for",
]

_ROOM_KEYS = 9


@dataclass(frozen=True, slots=True)
class CardChoice:
    """Three cards have to be chosen, a suspect, a weapon and a room, before there is a command.

    Attributes:
        kind: what they are named for.
        room: the room's card, where it is given.
    """

    kind: type[Hypothesis] | type[Accusation]
    room: int | None = None

    def command(self, cards: Sequence[int]) -> Hypothesis | Accusation:
        """The command with these three cards."""
        suspect, weapon, room = cards
        return self.kind(suspect, weapon, room)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last command is to be taken back."""


PersonCommand: TypeAlias = Command | TakeBack | CardChoice
"""What a person can choose to do."""


T_co = TypeVar("T_co", covariant=True)


class Action(NamedTuple, Generic[T_co]):
    """Something to do: a key for it (as Textual names keys), a few words, and what choosing it gives."""

    key: str
    sentence: str
    value: T_co


@dataclass(frozen=True, slots=True)
class Offer:
    """What a person may do now.

    Attributes:
        prompt: what is asked.
        actions: what can be done; the usual one first.
        walk: the mask of the places that can be walked to.
    """

    prompt: str
    actions: tuple[Action[PersonCommand], ...]
    walk: int = 0

    def naming(self) -> CardChoice | None:
        """The choice of cards that is the usual action now, or None."""
        first = self.actions[0].value
        return first if isinstance(first, CardChoice) else None


def offer(view: PlayerView, called: Sequence[str], *, revocable: bool) -> Offer:
    """The offer for the seat of a view, for which the game waits.

    Args:
        view: what the seat knows.
        called: by seat, what the players are called.
        revocable: whether it may take its last command back.
    """
    if view.step is REFUTE:
        return _show(view, called[view.active])
    back = (Action("u", tr("take back"), TakeBack()),) if revocable else ()
    if Hypothesis.obstacle(view) is None:
        here = view.board.room_card(view.place)
        actions = Action("enter", tr("ask"), CardChoice(Hypothesis, here)), *_end(view), *back
        return Offer(tr("You may ask about {room}.", room=view.deck.names[here]), actions)
    if view.step >= ASK:
        return Offer(_why_the_end(view), (*_end(view), *back))
    return _move(view, back)


def shut_in(view: PlayerView) -> bool:
    """Whether pawns are in the way of every step of the active one, so that it rolls in vain."""
    if view.table.free or view.step not in (MOVE, WALK):
        return False
    others = view.taken & ~(1 << view.place)
    return not (view.reach if view.step is WALK else view.board.reach(view.place, 1, others)).mask


def waiting_for(view: PlayerView, called: Sequence[str]) -> str:
    """What the game waits for, where that is somebody else; ``called`` as for :func:`offer`."""
    who = called[view.to_act]
    if view.step is REFUTE:
        mine = view.active == view.seat
        told = {"who": who, "asker": called[view.active]}
        return tr_you(mine, "{who} must show you a card …", "{who} must show {asker} a card …", **told)
    if view.seat >= 0 and view.eliminated >> view.seat & 1:
        return tr("You are out, but still show your cards. {who} plays …", who=who)
    return tr("{who} plays …", who=who)


def _move(view: PlayerView, back: tuple[Action[PersonCommand], ...]) -> Offer:
    board = view.board
    actions: list[Action[PersonCommand]] = []
    walk = 0
    for command in view.legal():
        match command:
            case Move(to):
                walk |= 1 << to
                if board.is_room(to):
                    key = str(len(actions) + 1) if len(actions) < _ROOM_KEYS else ""
                    actions.append(Action(key, place_name(board, to), command))
            case Roll():
                actions.append(Action("r", tr("roll the dice"), command))
            case SecretPassage():
                room = place_name(board, board.passage(view.place))
                actions.append(Action("p", tr("take the secret passage to {room}", room=room), command))
            case Stay():
                actions.append(Action("s", _stay(view), command))
    actions += _peek(view)
    if view.step is WALK and view.dice is not None:
        prompt = (
            tr("You rolled {sum}: where do you go?", sum=sum(view.dice))
            if walk & board.all_rooms
            else tr("You rolled {sum}, and no room is in reach: where do you go?", sum=sum(view.dice))
        )
    else:
        prompt = tr("It is your turn; you are {where}. How do you move?", where=stands_at(view))
        if may_ask_here(view):
            actions.sort(key=lambda action: not isinstance(action.value, Stay))
        elif shut_in(view):
            actions.sort(key=lambda action: isinstance(action.value, Roll))
    return Offer(prompt, (*actions, *back), walk)


def _show(view: PlayerView, asker: str) -> Offer:
    names, held = view.deck.names, bits(ShowCard.choices(view))
    actions = tuple(Action(str(k), names[card], ShowCard(card)) for k, card in enumerate(held, start=1))
    if len(held) == 1:
        return Offer(tr("You can show {who} only this card.", who=asker), actions)
    return Offer(tr("Which card do you show {who}?", who=asker), actions)


def _end(view: PlayerView) -> tuple[Action[PersonCommand], ...]:
    end = Action("e", tr("end the turn"), EndTurn())
    if Accusation.obstacle(view) is not None:
        return (end, *_peek(view))
    here = view.board.room_card(view.place) if view.table.accused_here else None
    return end, Action("a", tr("accuse"), CardChoice(Accusation, here)), *_peek(view)


def _peek(view: PlayerView) -> tuple[Action[PersonCommand], ...]:
    look = new_peek(view) if Peek.obstacle(view) is None else None
    return () if look is None else (Action("k", tr("look at a card of the pool"), look),)


def _why_the_end(view: PlayerView) -> str:
    """The prompt at the end of a turn, with the reason if nothing can be asked."""
    if view.step is END:
        return tr("End your turn?")
    if view.hypothesis is not None and view.refuted_by is None:
        return tr("Nobody could show a card.")
    if view.hypothesis is None and view.board.is_room(view.place) and (why := Hypothesis.obstacle(view)):
        return tr("No hypothesis: {why}.", why=tr(why))
    if why := Accusation.obstacle(view):
        return tr("No accusation: {why}.", why=tr(why))
    return tr("End your turn, or accuse?")


def _stay(view: PlayerView) -> str:
    if may_ask_here(view):
        return tr("stay and ask")
    return tr("stay, without a hypothesis") if view.board.is_room(view.place) else tr("stay")


def stands_at(view: PlayerView, *, squares: bool = False) -> str:
    """Where the active pawn stands, in words; a square by its coordinates for who sees them beside the board."""
    place = place_name(view.board, view.place)
    if view.board.is_room(view.place):
        return tr("in {place}", place=place)
    if not view.board.has_grid:
        return tr("outside")
    return tr("at {place}", place=place) if squares else tr("in the corridor")
