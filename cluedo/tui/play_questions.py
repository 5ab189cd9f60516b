"""From a question to what is offered on the screen: a sentence, actions with keys, lit places, or cards to name.

No rules here: what is offered is what the view says is legal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from cluedo.ai.walking import may_ask_here
from cluedo.engine.cards import bits
from cluedo.engine.commands import Accusation, Command, Hypothesis, Move, Roll, SecretPassage, ShowCard, Stay
from cluedo.engine.state import WALK
from cluedo.engine.view import PlayerView
from cluedo.language import tr
from cluedo.session.narration import place_name
from cluedo.tui.action_bar import Action
from cluedo.tui.play_desk import Ask, Question

__all__ = ["Answering", "Offer", "offer_for"]


@dataclass(frozen=True, slots=True)
class Offer:
    """What the screen shows for a question.

    Attributes:
        prompt: what is asked.
        actions: what can be done; the value of each is called without arguments.
        lit: the mask of the places that can be chosen on the board, and ``go`` what choosing one does.
        cursor: the place where the cursor begins.
        fixed: the last of the cards to be named, if cards are to be named; else None.
        name: what naming cards does.
    """

    prompt: str
    actions: list[Action] = field(default_factory=list)
    lit: int = 0
    cursor: int | None = None
    go: Callable[[int], None] | None = None
    fixed: tuple[int, ...] | None = None
    name: Callable[[tuple[int, ...]], None] | None = None


class Answering(Protocol):
    """What a question needs of the screen."""

    def answer(self, command: Command | None) -> None:
        """Answer it."""

    def offer_again(self, question: Question, *, accusing: bool = False) -> None:
        """Show another side of it."""

    def name_cards(self, cards: tuple[int, ...] | None = None) -> None:
        """Name the cards under the cursors."""

    def confirm(self, question: str, then: Callable[[], None]) -> object:
        """Ask whether one is sure."""

    def may_take_back(self) -> bool:
        """Whether the last move can be taken back."""

    def take_back(self) -> None:
        """Take it back."""

    def called(self, seat: int) -> str:
        """What a seat is called."""


def offer_for(question: Question, screen: Answering, *, accusing: bool = False) -> Offer:
    """What to show for a question; ``accusing`` is the side of it where an accusation is named."""
    match question.ask:
        case Ask.MOVE:
            return _move(question.view, screen)
        case Ask.HYPOTHESIS:
            return _hypothesis(question.view, screen)
        case Ask.CARD:
            return _card(question.view, screen)
        case Ask.ACCUSATION:
            return _accusing(question, screen) if accusing else _end(question, screen)


def _move(view: PlayerView, screen: Answering) -> Offer:
    board = view.board
    actions: list[Action] = []
    lit = 0
    for command in view.legal():
        match command:
            case Move(to):
                lit |= 1 << to
                if board.is_room(to) and len(actions) < 9:
                    actions.append(_act(screen, str(len(actions) + 1), place_name(board, to), command))
            case Roll():
                actions.append(_act(screen, "r", tr("roll the dice"), command))
            case SecretPassage():
                room = place_name(board, board.passage(view.place))
                actions.append(_act(screen, "p", tr("secret passage to {room}", room=room), command))
            case Stay():
                actions.append(_act(screen, "s", _stay(view), command))
    if view.step is WALK and view.dice is not None:
        prompt = tr("You rolled {sum}: where do you go?", sum=sum(view.dice))
    else:
        prompt = tr("It is your turn; you are {where}. How do you move?", where=_where(view))
    return Offer(prompt, actions + _taking_back(screen), lit, go=lambda place: screen.answer(Move(place)))


def _hypothesis(view: PlayerView, screen: Answering) -> Offer:
    here = view.board.room_card(view.place)
    actions = [
        Action("enter", tr("ask"), screen.name_cards),
        _act(screen, "escape", tr("ask nothing"), None),
        *_taking_back(screen),
    ]
    return Offer(
        tr("You may ask about {room}.", room=view.deck.names[here]),
        actions,
        fixed=(here,),
        name=lambda cards: screen.answer(Hypothesis(cards[0], cards[1], cards[2])),
    )


def _card(view: PlayerView, screen: Answering) -> Offer:
    asker = screen.called(view.active)
    names = view.deck.names
    held = bits(ShowCard.choices(view))
    actions = [_act(screen, str(k), names[card], ShowCard(card)) for k, card in enumerate(held, start=1)]
    if len(held) == 1:
        return Offer(tr("You can show {who} only this card.", who=asker), actions)
    return Offer(tr("Which card do you show {who}?", who=asker), actions)


def _end(question: Question, screen: Answering) -> Offer:
    view = question.view
    prompt = tr("The end of your turn.")
    if view.hypothesis is not None and view.refuted_by is None:
        prompt = tr("Nobody could show a card.")
    elif view.hypothesis is None and view.board.is_room(view.place) and (why := Hypothesis.obstacle(view)):
        prompt = tr("No hypothesis: {why}.", why=tr(why))
    actions = [_act(screen, "e", tr("end the turn"), None)]
    if Accusation.obstacle(view) is None:
        actions.append(Action("a", tr("accuse"), lambda: screen.offer_again(question, accusing=True)))
    return Offer(prompt, actions + _taking_back(screen))


def _accusing(question: Question, screen: Answering) -> Offer:
    names = question.view.deck.names

    def accuse(cards: tuple[int, ...]) -> None:
        named = ", ".join(names[card] for card in cards)
        sure = tr("You accuse: {cards}. Wrong, and you are out. Are you sure?", cards=named)
        screen.confirm(sure, lambda: screen.answer(Accusation(cards[0], cards[1], cards[2])))

    actions = [
        Action("enter", tr("accuse"), screen.name_cards),
        Action("escape", tr("do not accuse"), lambda: screen.offer_again(question)),
    ]
    return Offer(tr("What is in the envelope?"), actions, fixed=(), name=accuse)


def _taking_back(screen: Answering) -> list[Action]:
    return [Action("u", tr("take back"), screen.take_back)] if screen.may_take_back() else []


def _act(screen: Answering, key: str, label: str, command: Command | None) -> Action:
    return Action(key, label, lambda: screen.answer(command))


def _stay(view: PlayerView) -> str:
    if may_ask_here(view):
        return tr("stay and ask")
    return tr("stay, without a hypothesis") if view.board.is_room(view.place) else tr("stay")


def _where(view: PlayerView) -> str:
    place = place_name(view.board, view.place)
    if view.board.is_room(view.place):
        return tr("in {place}", place=place)
    return tr("at {place}", place=place) if view.board.has_grid else tr("outside")
